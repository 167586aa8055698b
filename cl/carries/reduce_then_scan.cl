// Carry `reduce_then_scan`: a bounded number of work-groups reduce ranges of neighbouring tiles; then each combines
// the totals before its own range and scans it (StreamScan figure 2, with the bounded grid of Breitbart, Euro-Par
// 2010 Workshops). 3N memory traffic, two launches, no work-group ever waits for another: right on every device.

/// workspace              holds, from totals_bytes on, one total per range; the last range needs none and gets no
///                        work-group
/// tiles_per_range        tiles of every range but the last, which may be shorter
__kernel __attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
void clscan_reduce_ranges(__global const clscan_in *in, ulong in_offset, ulong count, ulong tiles_per_range,
                          __global uchar *workspace, ulong totals_bytes CLSCAN_COUNT_PARAMETERS CLSCAN_MAP_PARAMETERS)
{
    __global clscan_sum *totals = (__global clscan_sum *)(workspace + totals_bytes);
    __local clscan_zone zone;
#if CLSCAN_COUNT_BYTES > 0
    count = CLSCAN_TAKE_COUNT(count);
    tiles_per_range = clscan_share_tiles(count, get_num_groups(0) + 1); // the last range has no work-group here
#endif
    const ulong first = get_group_id(0) * tiles_per_range;
#if CLSCAN_COUNT_BYTES > 0
    // Nobody asks for the total of the last range.
    if (first + tiles_per_range >= clscan_tiles(count))
        return;
#endif
    const clscan_sum total =
        clscan_reduce_tiles(&zone, CLSCAN_SOURCE(in, in_offset), count, first, first + tiles_per_range);

    if (get_local_id(0) == 0)
        totals[get_group_id(0)] = total;
}

/// Arguments as for clscan_single() and clscan_reduce_ranges().
__kernel __attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
void clscan_scan_ranges(__global const clscan_in *in, ulong in_offset, __global clscan_out *out,
                        ulong out_offset, ulong count, uint flags,
                        clscan_initial initial, __global const CLSCAN_A *initial_at, ulong initial_offset,
                        __global CLSCAN_A *total_at, ulong total_offset, ulong tiles_per_range,
                        __global uchar *workspace, ulong totals_bytes CLSCAN_COUNT_PARAMETERS CLSCAN_MAP_PARAMETERS)
{
    __global clscan_sum *totals = (__global clscan_sum *)(workspace + totals_bytes);
    __local clscan_zone zone;
#if CLSCAN_COUNT_BYTES > 0
    count = CLSCAN_TAKE_AND_REPORT_COUNT(count);
    tiles_per_range = clscan_share_tiles(count, get_num_groups(0));
#endif
    const uint range = (uint)get_group_id(0);
    const ulong tiles = clscan_tiles(count);
    const ulong first = range * tiles_per_range;
    clscan_prefix prefix = clscan_initial_prefix(flags, initial, initial_at + initial_offset);

#if CLSCAN_COUNT_BYTES > 0
    if (first >= tiles) {
        if (get_global_id(0) == 0)
            clscan_store_total(flags, total_at + total_offset, prefix);
        return;
    }
#endif
    if (range > 0)
        prefix = clscan_extend(prefix, clscan_combine_totals(&zone, totals, range));
    prefix = clscan_walk(&zone, CLSCAN_SOURCE(in, in_offset), CLSCAN_SINK(out, out_offset), count, first,
                         min(first + tiles_per_range, tiles), prefix, flags);
#if CLSCAN_COUNT_BYTES > 0
    const bool last = first + tiles_per_range >= tiles;
    if (last && get_local_id(0) == 0)
#else
    if (range == get_num_groups(0) - 1 && get_local_id(0) == 0)
#endif
        clscan_store_total(flags, total_at + total_offset, prefix);
}
