// Long rows: a work-group walks a row, or, where rows are too few to fill the device, a range of its tiles. Then the
// totals of ranges come first, as in carries/reduce_then_scan.cl. No work-group ever waits for another.
#ifndef CLSCAN_ROWS_HAVE_HEADS
#define CLSCAN_ROWS_HAVE_HEADS 0
#endif

/// A work-group for each of the ranges that are reduced, rows.reduced of each row.
__kernel __attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
void clscan_reduce_long_rows(CLSCAN_RUN_PARAMETERS CLSCAN_ROWS_PARAMETERS CLSCAN_MAP_PARAMETERS)
{
    __global clscan_sum *totals = (__global clscan_sum *)(workspace + run.totals_bytes);
    __local clscan_zone zone;
    const ulong count = CLSCAN_TAKE_COUNT(run.count), reduced = rows.reduced;
    const ulong tiles_per_range = CLSCAN_TILES_PER_RANGE(count, run.ranges);
#if CLSCAN_COUNT_BYTES > 0
    if (get_group_id(0) % reduced * tiles_per_range >= clscan_tiles(count))
        return;
#endif
#if CLSCAN_ROW_COUNT_BYTES > 0
    if (get_group_id(0) / reduced >= CLSCAN_TAKE_ROWS(get_num_groups(0) / reduced))
        return;
#endif
    const ulong row = get_group_id(0) / reduced, first = get_group_id(0) % reduced * tiles_per_range;
    const clscan_source from = CLSCAN_SOURCE(in, run.in_offset + row * rows.in_pitch);
#if CLSCAN_ROWS_HAVE_HEADS
    const uint head = clscan_row_head(from, count);
    const ulong behind = count - head;
    clscan_sum total = clscan_reduce_tiles(&zone, CLSCAN_BEHIND_HEAD(from, head), behind, first,
                                           min(first + tiles_per_range, clscan_tiles(behind)));

    if (first == 0 && head > 0)
        total = clscan_with_row_head(from, count, head, total);
#else
    const clscan_sum total =
        clscan_reduce_tiles(&zone, from, count, first, min(first + tiles_per_range, clscan_tiles(count)));
#endif

    if (get_local_id(0) == 0)
        totals[get_group_id(0)] = total;
}

#if CLSCAN_COUNT_BYTES > 0
// The totals of the rows of a work-group, as clscan_scan_long_rows() shares them out, which have no elements.
CLSCAN_FUNCTION void clscan_store_empty_totals(uint flags, clscan_initials initials, clscan_row_totals totals,
                                               ulong rows, ulong ranges)
{
    if (get_local_id(0) == 0)
        for (ulong row = get_group_id(0) / ranges; row < rows; row += get_num_groups(0) / ranges)
            clscan_store_row_total(flags, totals, row, clscan_initial_of(initials, row));
}
#endif

// clscan_walk() of tiles of a row, which may have a head; then there is a tile less, or not.
CLSCAN_FUNCTION clscan_prefix clscan_long_row_walk(__local clscan_zone *zone, clscan_source in, clscan_sink out,
                                                   ulong count, ulong first, ulong end, clscan_prefix prefix,
                                                   uint flags)
{
#if CLSCAN_ROWS_HAVE_HEADS
    const uint head = clscan_row_head(in, count);
    const ulong behind = count - head;

    if (first == 0)
        prefix = clscan_row_head_scan(in, out, count, head, prefix);
    return clscan_walk(zone, CLSCAN_BEHIND_HEAD(in, head), CLSCAN_BEHIND_HEAD(out, head), behind, first,
                       min(end, clscan_tiles(behind)), prefix, flags);
#else
    return clscan_walk(zone, in, out, count, first, end, prefix, flags);
#endif
}

/// As many work-groups as ranges in all, run.ranges of each row, or that many for a part of the rows, of which each
/// then takes several rows. The workspace holds, from run.totals_bytes on, the totals of all ranges of each row but the
/// last.
__kernel __attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
void clscan_scan_long_rows(CLSCAN_RUN_PARAMETERS CLSCAN_ROWS_PARAMETERS CLSCAN_MAP_PARAMETERS)
{
    __global clscan_sum *totals = (__global clscan_sum *)(workspace + run.totals_bytes);
    __local clscan_zone zone;
    ulong count = run.count;

    count = CLSCAN_TAKE_AND_REPORT_COUNT(count);
    const ulong row_count = CLSCAN_TAKE_AND_REPORT_ROWS(rows.count), ranges = run.ranges;
    const ulong tiles_per_range = CLSCAN_TILES_PER_RANGE(count, ranges);
    const clscan_initials initials = clscan_initials_take(&run, initial_at, rows.initial_pitch);
    const ulong range = get_group_id(0) % ranges;
    const ulong first = range * tiles_per_range, end = min(first + tiles_per_range, clscan_tiles(count));
#if CLSCAN_COUNT_BYTES > 0
    const bool last = end == clscan_tiles(count);

    // Of rows without elements the first range gives the totals.
    if (first >= end) {
        if (range == 0)
            clscan_store_empty_totals(run.flags, initials, clscan_row_totals_take(&run, total_at, rows.total_pitch),
                                      row_count, ranges);
        return;
    }
#else
    const bool last = range == ranges - 1;
#endif

    for (ulong row = get_group_id(0) / ranges; row < row_count; row += get_num_groups(0) / ranges) {
        clscan_prefix prefix = clscan_initial_of(initials, row);
        if (range > 0)
            prefix = clscan_extend(prefix, clscan_combine_totals(&zone, totals + row * (ranges - 1), (uint)range));
        prefix = clscan_long_row_walk(&zone, CLSCAN_SOURCE(in, run.in_offset + row * rows.in_pitch),
                                      CLSCAN_SINK(out, run.out_offset + row * rows.out_pitch), count, first, end,
                                      prefix, run.flags);
        if (last && get_local_id(0) == 0)
            clscan_store_row_total(run.flags, clscan_row_totals_take(&run, total_at, rows.total_pitch), row, prefix);
    }
}
