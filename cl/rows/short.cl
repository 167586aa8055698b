// Short rows: a work-group takes several neighbouring rows at once. One launch, no communication. With
// CLSCAN_FLAG_NO_OUTPUT there are totals alone.

/// Rows may have no elements. Those of a work-group, rows.per_group, have at most CLSCAN_SHORT_TILE.
__kernel __attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
void clscan_scan_short_rows(CLSCAN_RUN_PARAMETERS CLSCAN_ROWS_PARAMETERS CLSCAN_MAP_PARAMETERS)
{
    ulong count = run.count;

    count = CLSCAN_TAKE_AND_REPORT_COUNT(count);
    const ulong row_count = CLSCAN_TAKE_AND_REPORT_ROWS(rows.count), first = get_group_id(0) * rows.per_group;
#if CLSCAN_ROW_COUNT_BYTES > 0
    if (first >= row_count)
        return;
#endif
    const uint here = (uint)min(row_count - first, rows.per_group);
    const clscan_initials initials =
        clscan_initials_from(clscan_initials_take(&run, initial_at, rows.initial_pitch), first);
    const clscan_row_totals totals =
        clscan_row_totals_from(clscan_row_totals_take(&run, total_at, rows.total_pitch), first);
#if CLSCAN_WORK_GROUP_SIZE > 1 && CLSCAN_SHORT_STRIP > 0
    __local clscan_cell staged[CLSCAN_SHORT_AT(CLSCAN_SHORT_TILE / CLSCAN_PER_CELL)];
    __local clscan_sum sums[CLSCAN_WORK_GROUP_SIZE];
#endif

    if (count == 0) {
        for (uint row = (uint)get_local_id(0); row < here; row += CLSCAN_WORK_GROUP_SIZE)
            clscan_store_row_total(run.flags, totals, row, clscan_initial_of(initials, row));
        return;
    }
#if CLSCAN_WORK_GROUP_SIZE == 1
    clscan_scan_few_rows(CLSCAN_SOURCE(in, run.in_offset + first * rows.in_pitch),
                         CLSCAN_SINK(out, run.out_offset + first * rows.out_pitch), (uint)count, run.flags, initials,
                         totals, here, (uint)rows.staged_pitch, rows.in_pitch, rows.out_pitch);
#elif CLSCAN_SHORT_STRIP > 0
    clscan_scan_few_rows(staged, sums, CLSCAN_SOURCE(in, run.in_offset + first * rows.in_pitch),
                         CLSCAN_SINK(out, run.out_offset + first * rows.out_pitch), (uint)count, run.flags, initials,
                         totals, here, (uint)rows.staged_pitch, rows.in_pitch, rows.out_pitch);
#endif
}
