// Neighbouring columns scanned by a work-group, tile by tile; rows/columns.cl has the kernel. Called by all work-items.

// Elements of a column that one work-item loads before it waits for the first of them.
#define CLSCAN_COLUMN_DEPTH 8u
#if CLSCAN_WORK_GROUP_SIZE == 1
// Row by row of memory, so that a line is used as a whole while it is in the cache.
CLSCAN_FUNCTION void clscan_scan_block(clscan_source in, clscan_sink out, ulong count, ulong in_step, ulong out_step,
                                       uint flags, clscan_initials initials, __global CLSCAN_A *totals, uint here,
                                       ulong in_stride, ulong out_stride, ulong total_stride)
{
    clscan_prefix prefixes[CLSCAN_COLUMN_LINE];

    for (uint c = 0; c < CLSCAN_COLUMN_LINE; ++c)
        prefixes[c] = clscan_initial_of(initials, min(c, here - 1) * total_stride);
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
        clscan_store_total(flags, totals + c * total_stride, prefixes[c]);
}
#else
// `lanes` columns, of which `here` are there; work-items with the same column have parts of it behind each other.
CLSCAN_FUNCTION void clscan_scan_block(__local clscan_sum *sums, clscan_source in, clscan_sink out, ulong count,
                                       ulong in_step, ulong out_step, uint flags, clscan_prefix prefix,
                                       __global CLSCAN_A *total, uint lanes, bool there)
{
    const uint lane = (uint)get_local_id(0) % lanes, part = (uint)get_local_id(0) / lanes;
    const uint tile = CLSCAN_WORK_GROUP_SIZE / lanes * CLSCAN_COLUMN_DEPTH;

    for (ulong first = 0; first < count; first += tile) {
        const uint valid = (uint)min(count - first, (ulong)tile);
        const uint begin = part * CLSCAN_COLUMN_DEPTH;
        const uint size = there && begin < valid ? min(valid - begin, CLSCAN_COLUMN_DEPTH) : 0;
        const uint parts = (valid + CLSCAN_COLUMN_DEPTH - 1) / CLSCAN_COLUMN_DEPTH;
        CLSCAN_T held[CLSCAN_COLUMN_DEPTH];
        clscan_prefix sum = clscan_nothing(), before = prefix;

#pragma unroll
        for (uint i = 0; i < CLSCAN_COLUMN_DEPTH; ++i)
            if (i < size)
                held[i] = clscan_read(clscan_column_source(in, 0, count, in_step, first + begin + i), 0);
#pragma unroll
        for (uint i = 0; i < CLSCAN_COLUMN_DEPTH; ++i)
            if (i < size)
                sum = clscan_extend(sum, clscan_lift(held[i]));
        sums[get_local_id(0)] = sum.value;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint p = 0; p < parts; ++p) {
            if (p == part)
                before = prefix;
            if (there)
                prefix = clscan_extend(prefix, sums[p * lanes + lane]);
        }
#pragma unroll
        for (uint i = 0; i < CLSCAN_COLUMN_DEPTH; ++i)
            if (i < size && (flags & CLSCAN_FLAG_NO_OUTPUT) == 0)
                clscan_write(clscan_column_sink(out, 0, count, out_step, first + begin + i), 0,
                             clscan_step(&before, held[i]));
        // The next tile overwrites the sums that slower work-items still read.
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (there && part == 0)
        clscan_store_total(flags, total, prefix);
}
#endif
