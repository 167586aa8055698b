// Elements in the order of the scan: index k counts from the first element when forward, from the last one
// backwards when reverse. A pointer here is a "cursor": it stands at k = 0 of a tile.
//
// Required of the host: CLSCAN_INCLUSIVE (1 or 0), CLSCAN_STREAMING_STORES (1 where whole lines go past the cache on
// the way out), CLSCAN_REPRODUCIBLE (1 if every device must give the same bits).
#if !defined(CLSCAN_INCLUSIVE) || !defined(CLSCAN_STREAMING_STORES) || !defined(CLSCAN_REPRODUCIBLE)
#error "CLSCAN_INCLUSIVE, CLSCAN_STREAMING_STORES and CLSCAN_REPRODUCIBLE must be defined"
#endif

// What the host asks for, the compiler may not have.
#ifdef __has_builtin
#if CLSCAN_STREAMING_STORES && __has_builtin(__builtin_nontemporal_store)
#define CLSCAN_CAN_STREAM 1
#endif
// Only for the processor itself: intermediate forms, such as SPIR-V, have no word for it.
#if __has_builtin(__builtin_prefetch) && (defined(__x86_64__) || defined(__aarch64__) || defined(__powerpc64__) || \
                                          defined(__riscv))
#define CLSCAN_CAN_PREFETCH 1
#endif
#endif
#ifndef CLSCAN_CAN_STREAM
#define CLSCAN_CAN_STREAM 0
#endif
#ifndef CLSCAN_CAN_PREFETCH
#define CLSCAN_CAN_PREFETCH 0
#endif

// Flags of a launch.
#define CLSCAN_FLAG_INITIAL_VALUE 1u  // the initial value is a kernel argument
#define CLSCAN_FLAG_INITIAL_BUFFER 2u // it stands in a buffer
#define CLSCAN_FLAG_TOTAL 4u          // the total is wanted
#define CLSCAN_FLAG_IN_PLACE 8u       // input and output are the same memory
#define CLSCAN_FLAG_STACK 16u         // the stack of what follows the input is wanted (reproducible/nodes.cl)

// In place, the line of an output was read a moment ago.
#define CLSCAN_STREAMS(flags) (CLSCAN_STREAMING_STORES && ((flags) & CLSCAN_FLAG_IN_PLACE) == 0)

// No `restrict` anywhere: input and output may be the same memory.
#if CLSCAN_REVERSE
#define CLSCAN_CURSOR(base, count, k) ((base) + ((count) - (k)))
#define CLSCAN_ADVANCE(cursor, k) ((cursor) - (k))
#define CLSCAN_AT(cursor, k) ((cursor)-1 - (k))
#define CLSCAN_VECTOR_AT(cursor, k) ((cursor) - (k)-CLSCAN_VECTOR_LENGTH)
#else
#define CLSCAN_CURSOR(base, count, k) ((base) + (k))
#define CLSCAN_ADVANCE(cursor, k) ((cursor) + (k))
#define CLSCAN_AT(cursor, k) ((cursor) + (k))
#define CLSCAN_VECTOR_AT(cursor, k) ((cursor) + (k))
#endif

// The elements of a vector in the order of the scan.
CLSCAN_FUNCTION clscan_vector clscan_ordered(clscan_vector v)
{
#if !CLSCAN_REVERSE || CLSCAN_VECTOR_LENGTH == 1
    return v;
#elif CLSCAN_VECTOR_LENGTH == 2
    return v.yx;
#elif CLSCAN_VECTOR_LENGTH == 4
    return v.wzyx;
#elif CLSCAN_VECTOR_LENGTH == 8
    return v.s76543210;
#else
    return v.sfedcba9876543210;
#endif
}

// How many elements of this work-item's row of `row` elements exist, in a tile of which the first `valid` do.
CLSCAN_FUNCTION uint clscan_row_valid(uint row, uint valid)
{
    const uint first = (uint)get_local_id(0) * row;
    return valid > first ? min(valid - first, row) : 0;
}

// May whole vectors of this tile be accessed at once? The same answer holds for all of a tile's vectors, since
// tiles and rows are multiples of the vector length.
CLSCAN_FUNCTION bool clscan_aligned(__global const CLSCAN_T *cursor)
{
    return (ulong)cursor % sizeof(clscan_vector) == 0;
}

CLSCAN_FUNCTION clscan_vector clscan_load_vector(__global const CLSCAN_T *cursor, uint k, bool aligned)
{
#if CLSCAN_VECTOR_LENGTH == 1
    return *CLSCAN_AT(cursor, k);
#else
    __global const CLSCAN_T *at = CLSCAN_VECTOR_AT(cursor, k);
    return clscan_ordered(aligned ? *(__global const clscan_vector *)at : clscan_pack(at));
#endif
}

CLSCAN_FUNCTION void clscan_store_vector(__global CLSCAN_T *cursor, uint k, clscan_vector v, bool aligned)
{
#if CLSCAN_VECTOR_LENGTH == 1
    *CLSCAN_AT(cursor, k) = v;
#else
    __global CLSCAN_T *at = CLSCAN_VECTOR_AT(cursor, k);
    v = clscan_ordered(v);
    if (aligned)
        *(__global clscan_vector *)at = v;
    else
        clscan_unpack(v, at);
#endif
}

// A value that may be missing: before the first element, without an initial value, there is nothing, and an
// operator need not have an identity that could stand for it.
//
// The flag is as wide as the value: NVIDIA's compiler copies a struct with padding through memory, element by element.
typedef struct clscan_prefix {
    CLSCAN_A value;
    CLSCAN_BITS present;
} clscan_prefix;

CLSCAN_FUNCTION clscan_prefix clscan_initial_prefix(uint flags, CLSCAN_A initial,
                                                    __global const CLSCAN_A *initial_at)
{
    clscan_prefix prefix;
    prefix.present = (flags & (CLSCAN_FLAG_INITIAL_VALUE | CLSCAN_FLAG_INITIAL_BUFFER)) != 0;
    prefix.value = flags & CLSCAN_FLAG_INITIAL_BUFFER ? *initial_at : initial;
    return prefix;
}

CLSCAN_FUNCTION clscan_prefix clscan_extend(clscan_prefix prefix, CLSCAN_A total)
{
    prefix.value = prefix.present ? clscan_combine(prefix.value, total) : total;
    prefix.present = true;
    return prefix;
}

CLSCAN_FUNCTION clscan_prefix clscan_nothing(void)
{
    clscan_prefix prefix;
    prefix.value = (CLSCAN_A)0;
    prefix.present = false;
    return prefix;
}

#define CLSCAN_NAN clscan_from_bits(CLSCAN_A_BYTES > 4 ? 0x7ff8000000000000UL : 0x7fc00000UL)

// A result on its way out. Devices differ in the sign and payload of a NaN that they compute.
CLSCAN_FUNCTION CLSCAN_A clscan_settled(CLSCAN_A value)
{
#if CLSCAN_REPRODUCIBLE && CLSCAN_FLOATING && CLSCAN_OPERATOR != CLSCAN_OPERATOR_CUSTOM
    return clscan_is_nan(value) ? CLSCAN_NAN : value;
#else
    return value;
#endif
}

// One element: from its input and what precedes it to its output. Leaves in `prefix` what precedes the next one.
CLSCAN_FUNCTION CLSCAN_T clscan_step(clscan_prefix *prefix, CLSCAN_T stored)
{
    const clscan_prefix before = *prefix;
    *prefix = clscan_extend(before, clscan_widen(stored));
#if CLSCAN_INCLUSIVE
    // The very first output is the input itself, also where a conversion would change a NaN.
    return before.present ? clscan_narrow(clscan_settled(prefix->value)) : stored;
#elif defined(CLSCAN_IDENTITY)
    return clscan_narrow(before.present ? clscan_settled(before.value) : (CLSCAN_A)(CLSCAN_IDENTITY));
#else
    // Without identity the host insists on an initial value; only scan_then_add comes here without a prefix, and
    // overwrites this element later.
    return before.present ? clscan_narrow(before.value) : stored;
#endif
}

// The total of the whole scan; a scan of nothing has the identity, or is refused by the host.
CLSCAN_FUNCTION void clscan_store_total(uint flags, __global CLSCAN_A *total_at, clscan_prefix prefix)
{
    if ((flags & CLSCAN_FLAG_TOTAL) == 0)
        return;
#ifdef CLSCAN_IDENTITY
    *total_at = prefix.present ? clscan_settled(prefix.value) : (CLSCAN_A)(CLSCAN_IDENTITY);
#else
    *total_at = prefix.value;
#endif
}
