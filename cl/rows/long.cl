// Long rows: a work-group walks a row, or, where rows are too few to fill the device, a range of its tiles. Then the
// totals of ranges come first, as in carries/reduce_then_scan.cl. No work-group ever waits for another.

/// Arguments as for clscan_scan_long_rows(), and:
/// reduced  ranges of each row, from the first on, that are reduced: a work-group for each
/// tiles_per_range  ranges of each row in all, where the count is in device memory and tells how many tiles each has
__kernel __attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
void clscan_reduce_long_rows(__global const clscan_in *in, ulong in_offset, ulong count, ulong in_pitch, ulong reduced,
                             ulong tiles_per_range, __global uchar *workspace,
                             ulong totals_bytes CLSCAN_COUNT_PARAMETERS CLSCAN_ROW_COUNT_PARAMETERS
                                 CLSCAN_MAP_PARAMETERS)
{
    __global clscan_sum *totals = (__global clscan_sum *)(workspace + totals_bytes);
    __local clscan_zone zone;
#if CLSCAN_COUNT_BYTES > 0
    count = CLSCAN_TAKE_COUNT(count);
    tiles_per_range = clscan_share_tiles(count, tiles_per_range);
    if (get_group_id(0) % reduced * tiles_per_range >= clscan_tiles(count))
        return;
#endif
#if CLSCAN_ROW_COUNT_BYTES > 0
    if (get_group_id(0) / reduced >= CLSCAN_TAKE_ROWS(get_num_groups(0) / reduced))
        return;
#endif
    const ulong row = get_group_id(0) / reduced, first = get_group_id(0) % reduced * tiles_per_range;
    const clscan_sum total =
        clscan_reduce_tiles(&zone, CLSCAN_SOURCE(in, in_offset + row * in_pitch), count, first,
                            min(first + tiles_per_range, clscan_tiles(count)));

    if (get_local_id(0) == 0)
        totals[get_group_id(0)] = total;
}

#if CLSCAN_COUNT_BYTES > 0
// The totals of the rows of a work-group, as clscan_scan_long_rows() shares them out, which have no elements.
CLSCAN_FUNCTION void clscan_store_empty_totals(uint flags, clscan_initials initials, __global CLSCAN_A *totals,
                                               ulong rows, ulong ranges)
{
    if (get_local_id(0) == 0)
        for (ulong row = get_group_id(0) / ranges; row < rows; row += get_num_groups(0) / ranges)
            clscan_store_total(flags, totals + row, clscan_initial_of(initials, row));
}
#endif

/// Arguments as for clscan_scan_short_rows(), and:
/// ranges           ranges of each row; as many work-groups as ranges in all, or that many for a part of the rows, of
///                  which each then takes several rows
/// tiles_per_range  tiles of every range but the last of a row, which may be shorter
/// workspace        holds, from totals_bytes on, the totals of all ranges but the last of each row
__kernel __attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
void clscan_scan_long_rows(__global const clscan_in *in, ulong in_offset, __global clscan_out *out, ulong out_offset,
                           ulong count, uint flags, clscan_initial initial, __global const CLSCAN_A *initial_at,
                           ulong initial_offset, __global CLSCAN_A *total_at, ulong total_offset, ulong rows,
                           ulong in_pitch, ulong out_pitch, ulong initial_pitch, ulong ranges,
                           ulong tiles_per_range, __global uchar *workspace,
                           ulong totals_bytes CLSCAN_COUNT_PARAMETERS CLSCAN_ROW_COUNT_PARAMETERS CLSCAN_MAP_PARAMETERS)
{
    __global clscan_sum *totals = (__global clscan_sum *)(workspace + totals_bytes);
    __local clscan_zone zone;
#if CLSCAN_COUNT_BYTES > 0
    count = CLSCAN_TAKE_AND_REPORT_COUNT(count);
    tiles_per_range = clscan_share_tiles(count, ranges);
#endif
    rows = CLSCAN_TAKE_AND_REPORT_ROWS(rows);
    const clscan_initials initials =
        clscan_initials_take(flags, initial, initial_at + initial_offset, initial_pitch);
    const ulong range = get_group_id(0) % ranges;
    const ulong first = range * tiles_per_range, end = min(first + tiles_per_range, clscan_tiles(count));
#if CLSCAN_COUNT_BYTES > 0
    const bool last = end == clscan_tiles(count);

    // Of rows without elements the first range gives the totals.
    if (first >= end) {
        if (range == 0)
            clscan_store_empty_totals(flags, initials, total_at + total_offset, rows, ranges);
        return;
    }
#else
    const bool last = range == ranges - 1;
#endif

    for (ulong row = get_group_id(0) / ranges; row < rows; row += get_num_groups(0) / ranges) {
        clscan_prefix prefix = clscan_initial_of(initials, row);
        if (range > 0)
            prefix = clscan_extend(prefix, clscan_combine_totals(&zone, totals + row * (ranges - 1), (uint)range));
        prefix = clscan_walk(&zone, CLSCAN_SOURCE(in, in_offset + row * in_pitch),
                             CLSCAN_SINK(out, out_offset + row * out_pitch), count, first, end, prefix, flags);
        if (last && get_local_id(0) == 0)
            clscan_store_total(flags, total_at + total_offset + row, prefix);
    }
}
