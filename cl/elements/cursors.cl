// Where elements come from and where outputs go, in the order of the scan: index k counts from the first element when
// forward, from the last one backwards when reverse. A source and a sink are "cursors": they stand at k = 0 of a tile.
// Bodies and carries move them by the macros below, and read and write through them, but do not know what they are.
//
// Required of the host: CLSCAN_STREAMING_STORES (1 where whole lines go past the cache on the way out).
#if !defined(CLSCAN_STREAMING_STORES)
#error "CLSCAN_STREAMING_STORES must be defined"
#endif

// No `restrict` anywhere: input and output may be the same memory.
typedef __global const CLSCAN_T *clscan_source;
typedef __global CLSCAN_T *clscan_sink;

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

// In place, the line of an output was read a moment ago.
#define CLSCAN_STREAMS(flags) (CLSCAN_STREAMING_STORES && ((flags) & CLSCAN_FLAG_IN_PLACE) == 0)

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

// One element, as it is stored.
#define clscan_read(source, k) (*CLSCAN_AT((source), (k)))
#define clscan_write(sink, k, output) (*CLSCAN_AT((sink), (k)) = (output))

// The elements of a vector in the order of the scan.
CLSCAN_FUNCTION clscan_vector clscan_ordered(clscan_vector v)
{
#if !CLSCAN_REVERSE || CLSCAN_VECTOR_LENGTH == 1
    return v;
#elif !CLSCAN_PLAIN
    clscan_vector turned;
#pragma unroll
    for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
        turned.at[c] = v.at[CLSCAN_VECTOR_LENGTH - 1 - c];
    return turned;
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
CLSCAN_FUNCTION bool clscan_aligned(clscan_source cursor)
{
#if CLSCAN_PLAIN
    return (ulong)cursor % sizeof(clscan_vector) == 0;
#else
    return true; // as its elements are
#endif
}

CLSCAN_FUNCTION clscan_vector clscan_load_vector(clscan_source cursor, uint k, bool aligned)
{
#if CLSCAN_VECTOR_LENGTH == 1
    return *CLSCAN_AT(cursor, k);
#elif !CLSCAN_PLAIN
    return clscan_ordered(*(__global const clscan_vector *)CLSCAN_VECTOR_AT(cursor, k));
#else
    clscan_source at = CLSCAN_VECTOR_AT(cursor, k);
    return clscan_ordered(aligned ? *(__global const clscan_vector *)at : clscan_pack(at));
#endif
}

CLSCAN_FUNCTION void clscan_store_vector(clscan_sink cursor, uint k, clscan_vector v, bool aligned)
{
#if CLSCAN_VECTOR_LENGTH == 1
    *CLSCAN_AT(cursor, k) = v;
#elif !CLSCAN_PLAIN
    *(__global clscan_vector *)CLSCAN_VECTOR_AT(cursor, k) = clscan_ordered(v);
#else
    clscan_sink at = CLSCAN_VECTOR_AT(cursor, k);
    v = clscan_ordered(v);
    if (aligned)
        *(__global clscan_vector *)at = v;
    else
        clscan_unpack(v, at);
#endif
}

