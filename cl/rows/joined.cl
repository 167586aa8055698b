// The kernel for rows that are walked as one input (rows/joined_tiles.cl).

/// The workspace is that of the kernel of carries/chained.cl, one word value per tile of all rows. For rows that follow
/// each other without a gap, each of run.tiles_per_range whole tiles, where vectors begin with input and output; right
/// where these do not, but then element by element.
CLSCAN_KERNEL
void clscan_scan_joined_rows(CLSCAN_RUN_PARAMETERS CLSCAN_ROWS_PARAMETERS CLSCAN_MAP_PARAMETERS)
{
    __local clscan_zone zone;
    __local clscan_board board;
    clscan_walker walker;

    clscan_walker_begin(&walker, false, &zone, &board, CLSCAN_SOURCE(in, run.in_offset),
                        CLSCAN_SINK(out, run.out_offset), run.count * rows.count, &run, initial_at, workspace);
    walker.joined.run = &run;
    walker.joined.rows = &rows;
    walker.joined.initial_at = initial_at;
    walker.joined.total_at = total_at;
    walker.joined.start = 0;
#if CLSCAN_REPRODUCIBLE
    walker.before = 0;
    walker.stands = 0;
#endif
    clscan_march(false, &walker);
}
