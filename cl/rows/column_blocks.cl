// Neighbouring columns scanned by a work-group, tile by tile; rows/columns.cl has the kernel. Called by all work-items.
//
// Required of the host: CLSCAN_COLUMN_DEPTH, elements of a column that one work-item loads before it waits for the
// first of them.
#if !defined(CLSCAN_COLUMN_DEPTH)
#error "CLSCAN_COLUMN_DEPTH must be defined"
#endif

#if CLSCAN_WORK_GROUP_SIZE == 1
// Row by row of memory, so that a line is used as a whole while it is in the cache.
CLSCAN_FUNCTION void clscan_scan_block(clscan_source in, clscan_sink out, ulong count, ulong in_step, ulong out_step,
                                       uint flags, clscan_initials initials, clscan_row_totals totals, uint here,
                                       ulong in_stride, ulong out_stride)
{
    clscan_prefix prefixes[CLSCAN_COLUMN_LINE];

    for (uint c = 0; c < CLSCAN_COLUMN_LINE; ++c)
        prefixes[c] = clscan_initial_of(initials, min(c, here - 1));
    if (flags & CLSCAN_FLAG_NO_OUTPUT) {
        for (ulong k = 0; k < count; ++k) {
            for (uint c = 0; c < here; ++c)
                prefixes[c] = clscan_extend(
                    prefixes[c],
                    clscan_lift(clscan_read(clscan_column_source(in, c * in_stride, count, in_step, k), 0)));
        }
    } else {
        for (ulong k = 0; k < count; ++k) {
            for (uint c = 0; c < here; ++c)
                clscan_write(clscan_column_sink(out, c * out_stride, count, out_step, k), 0,
                             clscan_step(&prefixes[c],
                                         clscan_read(clscan_column_source(in, c * in_stride, count, in_step, k), 0)));
        }
    }
    for (uint c = 0; c < here; ++c)
        clscan_store_row_total(flags, totals, c, prefixes[c]);
}
#else
#define CLSCAN_COLUMNS_HELD (CLSCAN_COLUMN_DEPTH * CLSCAN_COLUMN_WIDTH)
// What a work-item holds of its columns. As one value it moves at once, which compilers keep in registers.
typedef struct clscan_held_columns {
    CLSCAN_T at[CLSCAN_COLUMNS_HELD];
} clscan_held_columns;

// Elements of a column in a part. Of columns that are no vectors fewer: their addresses take registers, too.
#if CLSCAN_COLUMN_WIDTH > 1
#define CLSCAN_PART_DEPTH(vectors) ((vectors) ? CLSCAN_COLUMN_DEPTH : (CLSCAN_COLUMN_DEPTH + 1) / 2)
#else
#define CLSCAN_PART_DEPTH(vectors) CLSCAN_COLUMN_DEPTH
#endif

// Columns of a work-item in a block. They are neighbours, whose elements are loaded and stored as vectors, or one of
// each `lanes`, so that neighbouring work-items have neighbours.
typedef struct clscan_own_columns {
    uint first; // number in the block
    uint last;  // of all columns that are there; what has no column has this one, and stores nothing
    uint step;  // from one to the next
} clscan_own_columns;

CLSCAN_FUNCTION clscan_own_columns clscan_own_columns_of(bool vectors, uint lanes, uint here)
{
    const uint lane = (uint)get_local_id(0) % lanes;
    clscan_own_columns own;

    own.first = vectors ? lane * CLSCAN_COLUMN_WIDTH : lane;
    own.last = here - 1;
    own.step = vectors ? 1 : lanes;
    return own;
}

#define CLSCAN_HAS_COLUMN(own, c) ((own).first + (c) * (own).step <= (own).last)
#define CLSCAN_OWN_COLUMN(own, c) min((own).first + (c) * (own).step, (own).last)

#if CLSCAN_COLUMN_WIDTH > 1
typedef CLSCAN_PASTE(CLSCAN_T, CLSCAN_COLUMN_WIDTH) clscan_column_vector;

CLSCAN_FUNCTION bool clscan_columns_are_vectors(clscan_source at, ulong step, ulong stride, uint here)
{
    return stride == 1 && step % CLSCAN_COLUMN_WIDTH == 0 && here % CLSCAN_COLUMN_WIDTH == 0 &&
           (ulong)at % sizeof(clscan_column_vector) == 0;
}

// Element k of the column that begins at the cursor, and the one that is `i` behind it in the order of the scan.
#define CLSCAN_COLUMN_AT(cursor, step, count, k) ((cursor) + (step) * (CLSCAN_REVERSE ? (count)-1 - (k) : (k)))
#define CLSCAN_COLUMN_ON(cursor, step, i) (CLSCAN_REVERSE ? (cursor) - (i) * (step) : (cursor) + (i) * (step))
#endif

// Elements from k on, `size` of each column.
CLSCAN_FUNCTION void clscan_columns_load(bool vectors, CLSCAN_T *held, clscan_source in, clscan_own_columns own,
                                         ulong stride, ulong count, ulong step, ulong k, uint size)
{
#if CLSCAN_COLUMN_WIDTH > 1
    if (vectors) {
        // The last column is that of a vector.
        clscan_source at = CLSCAN_COLUMN_AT(in + min(own.first, own.last + 1 - CLSCAN_COLUMN_WIDTH), step, count, k);

#pragma unroll
        for (uint i = 0; i < CLSCAN_COLUMN_DEPTH; ++i) {
            if (i < size)
                CLSCAN_PASTE(vstore, CLSCAN_COLUMN_WIDTH)
                (*(__global const clscan_column_vector *)at, 0, held + i * CLSCAN_COLUMN_WIDTH);
            at = CLSCAN_COLUMN_ON(at, step, 1);
        }
        return;
    }
#endif
#pragma unroll
    for (uint i = 0; i < CLSCAN_PART_DEPTH(false); ++i)
#pragma unroll
        for (uint c = 0; c < CLSCAN_COLUMN_WIDTH; ++c)
            if (i < size)
                held[i * CLSCAN_COLUMN_WIDTH + c] =
                    clscan_read(clscan_column_source(in, CLSCAN_OWN_COLUMN(own, c) * stride, count, step, k + i), 0);
}

CLSCAN_FUNCTION void clscan_columns_store(bool vectors, const CLSCAN_T *held, clscan_sink out, clscan_own_columns own,
                                          ulong stride, ulong count, ulong step, ulong k, uint size)
{
#if CLSCAN_COLUMN_WIDTH > 1
    if (vectors) {
        clscan_sink at = CLSCAN_COLUMN_AT(out + own.first, step, count, k);

#pragma unroll
        for (uint i = 0; i < CLSCAN_COLUMN_DEPTH; ++i) {
            if (i < size && CLSCAN_HAS_COLUMN(own, 0))
                *(__global clscan_column_vector *)at =
                    CLSCAN_PASTE(vload, CLSCAN_COLUMN_WIDTH)(0, held + i * CLSCAN_COLUMN_WIDTH);
            at = CLSCAN_COLUMN_ON(at, step, 1);
        }
        return;
    }
#endif
#pragma unroll
    for (uint i = 0; i < CLSCAN_PART_DEPTH(false); ++i)
#pragma unroll
        for (uint c = 0; c < CLSCAN_COLUMN_WIDTH; ++c)
            if (i < size && CLSCAN_HAS_COLUMN(own, c))
                clscan_write(clscan_column_sink(out, CLSCAN_OWN_COLUMN(own, c) * stride, count, step, k + i), 0,
                             held[i * CLSCAN_COLUMN_WIDTH + c]);
}

// The combination of a column's elements in a part, of which there are `size`, or all if it is `full`; `held` is at the
// first.
CLSCAN_FUNCTION clscan_sum clscan_column_total(bool vectors, bool full, const CLSCAN_T *held, uint size)
{
    clscan_prefix sum = clscan_nothing();

#pragma unroll
    for (uint i = 0; i < CLSCAN_COLUMN_DEPTH; ++i)
        if (i < CLSCAN_PART_DEPTH(vectors) && (full || i < size))
            sum = clscan_extend(sum, clscan_lift(held[i * CLSCAN_COLUMN_WIDTH]));
    return sum.value;
}

// Replace them by their outputs.
CLSCAN_FUNCTION void clscan_column_steps(bool vectors, bool full, CLSCAN_T *held, uint size, clscan_prefix before)
{
#pragma unroll
    for (uint i = 0; i < CLSCAN_COLUMN_DEPTH; ++i)
        if (i < CLSCAN_PART_DEPTH(vectors) && (full || i < size))
            held[i * CLSCAN_COLUMN_WIDTH] = clscan_step(&before, held[i * CLSCAN_COLUMN_WIDTH]);
}

// Elements that are there of a part that begins with element `first`.
CLSCAN_FUNCTION uint clscan_columns_part(bool vectors, ulong first, ulong count)
{
    return first < count ? (uint)min(count - first, (ulong)CLSCAN_PART_DEPTH(vectors)) : 0;
}

// Vectors of the next tile are on their way while one is scanned. Elements are not: their addresses take the registers.
CLSCAN_FUNCTION void clscan_walk_columns(bool vectors, __local clscan_sum *sums, clscan_source in, clscan_sink out,
                                         ulong count, ulong in_step, ulong out_step, uint flags,
                                         clscan_initials initials, clscan_row_totals totals, uint lanes, uint here,
                                         ulong in_stride, ulong out_stride)
{
    const uint lid = (uint)get_local_id(0), lane = lid % lanes, part = lid / lanes;
    const uint depth = CLSCAN_PART_DEPTH(vectors), tile = CLSCAN_WORK_GROUP_SIZE / lanes * depth;
    const uint begin = part * depth;
    const clscan_own_columns own = clscan_own_columns_of(vectors, lanes, here);
    clscan_prefix prefixes[CLSCAN_COLUMN_WIDTH];
    clscan_held_columns held, next;

#pragma unroll
    for (uint c = 0; c < CLSCAN_COLUMN_WIDTH; ++c)
        prefixes[c] = clscan_initial_of(initials, CLSCAN_OWN_COLUMN(own, c));
    if (vectors)
        clscan_columns_load(true, next.at, in, own, in_stride, count, in_step, begin,
                            clscan_columns_part(true, begin, count));
    for (ulong first = 0; first < count; first += tile) {
        const uint valid = (uint)min(count - first, (ulong)tile);
        const uint parts = (valid + depth - 1) / depth;
        const uint size = clscan_columns_part(vectors, first + begin, count);
        clscan_prefix before[CLSCAN_COLUMN_WIDTH];

        if (vectors) {
            held = next;
            clscan_columns_load(true, next.at, in, own, in_stride, count, in_step, first + tile + begin,
                                clscan_columns_part(true, first + tile + begin, count));
        } else {
            clscan_columns_load(false, held.at, in, own, in_stride, count, in_step, first + begin, size);
        }
#pragma unroll
        for (uint c = 0; c < CLSCAN_COLUMN_WIDTH; ++c) {
            before[c] = prefixes[c];
            if (size == depth)
                sums[c * CLSCAN_WORK_GROUP_SIZE + lid] = clscan_column_total(vectors, true, held.at + c, size);
            else if (size > 0)
                sums[c * CLSCAN_WORK_GROUP_SIZE + lid] = clscan_column_total(vectors, false, held.at + c, size);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint p = 0; p < parts; ++p) {
#pragma unroll
            for (uint c = 0; c < CLSCAN_COLUMN_WIDTH; ++c) {
                if (p == part)
                    before[c] = prefixes[c];
                prefixes[c] = clscan_extend(prefixes[c], sums[c * CLSCAN_WORK_GROUP_SIZE + p * lanes + lane]);
            }
        }
        if ((flags & CLSCAN_FLAG_NO_OUTPUT) == 0) {
#pragma unroll
            for (uint c = 0; c < CLSCAN_COLUMN_WIDTH; ++c) {
                if (size == depth)
                    clscan_column_steps(vectors, true, held.at + c, size, before[c]);
                else
                    clscan_column_steps(vectors, false, held.at + c, size, before[c]);
            }
            clscan_columns_store(vectors, held.at, out, own, out_stride, count, out_step, first + begin, size);
        }
        // The next tile overwrites the sums that slower work-items still read.
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#pragma unroll
    for (uint c = 0; c < CLSCAN_COLUMN_WIDTH; ++c)
        if (part == 0 && CLSCAN_HAS_COLUMN(own, c))
            clscan_store_row_total(flags, totals, CLSCAN_OWN_COLUMN(own, c), prefixes[c]);
}

// `lanes` times CLSCAN_COLUMN_WIDTH columns, of which `here` are there; work-items with the same columns have parts of
// them behind each other.
CLSCAN_FUNCTION void clscan_scan_block(__local clscan_sum *sums, clscan_source in, clscan_sink out, ulong count,
                                       ulong in_step, ulong out_step, uint flags, clscan_initials initials,
                                       clscan_row_totals totals, uint lanes, uint here, ulong in_stride,
                                       ulong out_stride)
{
#if CLSCAN_COLUMN_WIDTH > 1
    if (clscan_columns_are_vectors(in, in_step, in_stride, here) &&
        clscan_columns_are_vectors(out, out_step, out_stride, here)) {
        clscan_walk_columns(true, sums, in, out, count, in_step, out_step, flags, initials, totals, lanes, here, 1, 1);
        return;
    }
#endif
    clscan_walk_columns(false, sums, in, out, count, in_step, out_step, flags, initials, totals, lanes, here,
                        in_stride, out_stride);
}
#endif
