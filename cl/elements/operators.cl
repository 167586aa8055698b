// The operator, in memory order and in the order of the scan.
//
// Required of the host:
//   CLSCAN_OPERATOR       one of CLSCAN_OPERATOR_ADD, ... , CLSCAN_OPERATOR_CUSTOM
//   CLSCAN_CUSTOM         with CLSCAN_OPERATOR_CUSTOM: the name of the caller's function
//   CLSCAN_IDENTITY       expression of type CLSCAN_A; undefined if the operator has none
//   CLSCAN_REVERSE        1 if the scan starts at the last element
#if !defined(CLSCAN_OPERATOR) || !defined(CLSCAN_REVERSE)
#error "CLSCAN_OPERATOR and CLSCAN_REVERSE must be defined"
#endif

#if CLSCAN_FLOATING
#define clscan_is_nan(value) ((value) != (value))
#else
#define clscan_is_nan(value) false
#endif

// `left` stands before `right` in memory. Integers go through an unsigned type at least as wide as int, where
// overflow is defined; the casts are no-ops for floating-point types.
CLSCAN_FUNCTION CLSCAN_A clscan_operate(CLSCAN_A left, CLSCAN_A right)
{
#if CLSCAN_OPERATOR == CLSCAN_OPERATOR_CUSTOM
    return CLSCAN_CUSTOM(left, right);
#elif CLSCAN_OPERATOR == CLSCAN_OPERATOR_ADD && CLSCAN_FLOATING
    return left + right;
#elif CLSCAN_OPERATOR == CLSCAN_OPERATOR_MUL && CLSCAN_FLOATING
    return left * right;
#elif CLSCAN_OPERATOR == CLSCAN_OPERATOR_ADD
    return (CLSCAN_A)((CLSCAN_WIDE)left + (CLSCAN_WIDE)right);
#elif CLSCAN_OPERATOR == CLSCAN_OPERATOR_MUL
    return (CLSCAN_A)((CLSCAN_WIDE)left * (CLSCAN_WIDE)right);
#elif CLSCAN_OPERATOR == CLSCAN_OPERATOR_MIN
    // The first test is true for a NaN on the left, the second false for one on the right: the leftmost wins.
    return clscan_is_nan(left) || left <= right ? left : right;
#elif CLSCAN_OPERATOR == CLSCAN_OPERATOR_MAX
    return clscan_is_nan(left) || left >= right ? left : right;
#elif CLSCAN_OPERATOR == CLSCAN_OPERATOR_AND
    return left & right;
#elif CLSCAN_OPERATOR == CLSCAN_OPERATOR_OR
    return left | right;
#elif CLSCAN_OPERATOR == CLSCAN_OPERATOR_XOR
    return left ^ right;
#else
#error "CLSCAN_OPERATOR has an unknown value"
#endif
}

// `before` comes first in the order of the scan: the left one in memory when forward, the right one in reverse.
CLSCAN_FUNCTION CLSCAN_A clscan_combine(CLSCAN_A before, CLSCAN_A after)
{
#if CLSCAN_REVERSE
    return clscan_operate(after, before);
#else
    return clscan_operate(before, after);
#endif
}

// May the operator be applied to what is no element, where the result is dropped? The library's own may: they neither
// loop nor trap. A caller's may do both.
#define CLSCAN_TAKES_ANYTHING (CLSCAN_OPERATOR != CLSCAN_OPERATOR_CUSTOM)

#if CLSCAN_PLAIN
#define CLSCAN_IDENTITY_VALUE ((CLSCAN_A)(CLSCAN_IDENTITY))
#else
#define CLSCAN_IDENTITY_VALUE (CLSCAN_IDENTITY)
#endif

// An operand that leaves the other one as it is, to the bit. A sum is the same with -0.0 added, not with 0.0.
#if CLSCAN_FLOATING && CLSCAN_OPERATOR == CLSCAN_OPERATOR_ADD
#define CLSCAN_NEUTRAL ((CLSCAN_A)-0.0f)
#elif defined(CLSCAN_IDENTITY)
#define CLSCAN_NEUTRAL CLSCAN_IDENTITY_VALUE
#endif
