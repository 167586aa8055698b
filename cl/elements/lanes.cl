// Whole vectors at once, for devices where a work-item's vector lies in one register (CPUs) and operators whose
// operands may be reordered. Elsewhere elements are combined one by one.
//
// Required of the host:
//   CLSCAN_LANES        1 where the above holds and the element type is its own accumulator
//   CLSCAN_LEAST_LANES  elements of the shortest such vector (src/base/shared.h)
#if !defined(CLSCAN_LANES) || (CLSCAN_LANES && !CLSCAN_PLAIN) || !defined(CLSCAN_LEAST_LANES)
#error "CLSCAN_LANES must be defined, and 0 unless the problem is plain, and CLSCAN_LEAST_LANES"
#endif
#if CLSCAN_LANES && CLSCAN_VECTOR_LENGTH < CLSCAN_LEAST_LANES
#undef CLSCAN_LANES
#define CLSCAN_LANES 0
#endif

#if CLSCAN_LANES
#define CLSCAN_AS_SIGNED CLSCAN_PASTE(as_, CLSCAN_PASTE(CLSCAN_T, CLSCAN_VECTOR_LENGTH))
#define CLSCAN_AS_UNSIGNED CLSCAN_PASTE(as_, CLSCAN_PASTE(CLSCAN_BITS, CLSCAN_VECTOR_LENGTH))

CLSCAN_FUNCTION clscan_vector clscan_lanes_operate(clscan_vector left, clscan_vector right)
{
#if CLSCAN_OPERATOR == CLSCAN_OPERATOR_ADD && CLSCAN_FLOATING
    return left + right;
#elif CLSCAN_OPERATOR == CLSCAN_OPERATOR_MUL && CLSCAN_FLOATING
    return left * right;
#elif CLSCAN_OPERATOR == CLSCAN_OPERATOR_ADD
    return CLSCAN_AS_SIGNED(CLSCAN_AS_UNSIGNED(left) + CLSCAN_AS_UNSIGNED(right));
#elif CLSCAN_OPERATOR == CLSCAN_OPERATOR_MUL
    return CLSCAN_AS_SIGNED(CLSCAN_AS_UNSIGNED(left) * CLSCAN_AS_UNSIGNED(right));
#elif CLSCAN_OPERATOR == CLSCAN_OPERATOR_MIN
    return min(left, right);
#elif CLSCAN_OPERATOR == CLSCAN_OPERATOR_MAX
    return max(left, right);
#elif CLSCAN_OPERATOR == CLSCAN_OPERATOR_AND
    return left & right;
#elif CLSCAN_OPERATOR == CLSCAN_OPERATOR_OR
    return left | right;
#else
    return left ^ right;
#endif
}

// Lanes moved up by 1, 2, 4, 8; those that have nothing to their left are filled.
#define CLSCAN_FILL(n) ((CLSCAN_PASTE(CLSCAN_T, n))(CLSCAN_NEUTRAL))
#if CLSCAN_VECTOR_LENGTH == 4
#define CLSCAN_UP_1(first, v) ((clscan_vector)((first), (v).s01, (v).s2))
#define CLSCAN_UP_2(v) ((clscan_vector)(CLSCAN_FILL(2), (v).s01))
#define CLSCAN_LAST(v) ((v).s3)
#elif CLSCAN_VECTOR_LENGTH == 8
#define CLSCAN_UP_1(first, v) ((clscan_vector)((first), (v).s0123, (v).s45, (v).s6))
#define CLSCAN_UP_2(v) ((clscan_vector)(CLSCAN_FILL(2), (v).s0123, (v).s45))
#define CLSCAN_UP_4(v) ((clscan_vector)(CLSCAN_FILL(4), (v).s0123))
#define CLSCAN_LAST(v) ((v).s7)
#else
#define CLSCAN_UP_1(first, v) ((clscan_vector)((first), (v).s01234567, (v).s89ab, (v).scd, (v).se))
#define CLSCAN_UP_2(v) ((clscan_vector)(CLSCAN_FILL(2), (v).s01234567, (v).s89ab, (v).scd))
#define CLSCAN_UP_4(v) ((clscan_vector)(CLSCAN_FILL(4), (v).s01234567, (v).s89ab))
#define CLSCAN_UP_8(v) ((clscan_vector)(CLSCAN_FILL(8), (v).s01234567))
#define CLSCAN_LAST(v) ((v).sf)
#endif

// Inclusive scan of the lanes of one vector (Kogge-Stone).
CLSCAN_FUNCTION clscan_vector clscan_lanes_inclusive(clscan_vector v)
{
    v = clscan_lanes_operate(v, CLSCAN_UP_1(CLSCAN_NEUTRAL, v));
    v = clscan_lanes_operate(v, CLSCAN_UP_2(v));
#if CLSCAN_VECTOR_LENGTH >= 8
    v = clscan_lanes_operate(v, CLSCAN_UP_4(v));
#endif
#if CLSCAN_VECTOR_LENGTH >= 16
    v = clscan_lanes_operate(v, CLSCAN_UP_8(v));
#endif
    return v;
}

// The outputs of one vector of inputs, as clscan_step() gives them one by one.
CLSCAN_FUNCTION clscan_vector clscan_lanes_scan(clscan_prefix *prefix, clscan_vector v)
{
    const clscan_vector scanned = clscan_lanes_inclusive(v);
    const clscan_prefix before = *prefix;
    clscan_vector result = before.present ? clscan_lanes_operate(scanned, (clscan_vector)(before.value)) : scanned;

    *prefix = clscan_extend(before, CLSCAN_LAST(scanned));
#if CLSCAN_INCLUSIVE
    if (!before.present)
        result.s0 = v.s0;
#else
    result = CLSCAN_UP_1(before.present ? before.value : CLSCAN_IDENTITY_VALUE, result);
#endif
    return result;
}

// The same onto what stands in all lanes of `before`: scans *v in place, and returns what precedes the next vector. No
// lane leaves the vector registers on the way.
CLSCAN_FUNCTION clscan_vector clscan_lanes_scan_onto(clscan_vector before, clscan_vector *v)
{
    const clscan_vector scanned = clscan_lanes_inclusive(*v);
    const clscan_vector result = clscan_lanes_operate(scanned, before);

#if CLSCAN_INCLUSIVE
    *v = result;
#else
    *v = CLSCAN_UP_1(before.s0, result);
#endif
    return clscan_lanes_operate(before, (clscan_vector)(CLSCAN_LAST(scanned)));
}
#endif
