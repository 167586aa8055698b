// Few long rows, where work-groups may wait: each tile of each row is a work-group's, and rows are chains of their own.
// The carry's file tells a tile what precedes it in its row; one launch, 2N memory traffic.

/// The workspace is that of clscan_waiting(). As many work-groups as tiles in all, run.ranges of each row.
__kernel __attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
void clscan_scan_chained_rows(CLSCAN_RUN_PARAMETERS CLSCAN_ROWS_PARAMETERS CLSCAN_MAP_PARAMETERS)
{
    __global clscan_word *draw_word = (__global clscan_word *)(workspace + run.control_bytes);
    __local clscan_zone zone;
    __local clscan_decision decision;
    const bool leader = get_local_id(0) == 0;
    clscan_chain chain;
    clscan_tile tile;
    clscan_sum total = CLSCAN_NO_SUM;
    clscan_prefix prefix;
    const ulong count = run.count;
    const uint tiles = (uint)run.ranges, row_count = (uint)rows.count;
    uint row, own;

    clscan_chain_begin(&chain, &run, initial_at, workspace, tiles);
    if (leader)
        clscan_take_range(&decision.turn, draw_word, run.epoch, (uint)get_num_groups(0));
    barrier(CLK_LOCAL_MEM_FENCE);
    // Rows take turns: what precedes a tile was begun as many turns before as there are rows.
    row = decision.turn.own % row_count;
    own = decision.turn.own / row_count;
    chain.initial = clscan_initial_of(clscan_initials_take(&run, initial_at, rows.initial_pitch), row);
    chain.words += row * CLSCAN_WORDS_OF(tiles);
    prefix = clscan_settle(&chain, &tile, &zone, &decision, CLSCAN_SOURCE(in, run.in_offset + row * rows.in_pitch),
                           count, own, false, &total);
    clscan_range_finish(&tile, &zone, CLSCAN_SOURCE(in, run.in_offset + row * rows.in_pitch),
                        CLSCAN_SINK(out, run.out_offset + row * rows.out_pitch), count, own, prefix, run.flags);
    if (leader && own == tiles - 1)
        clscan_store_row_total(run.flags, clscan_row_totals_take(&run, total_at, rows.total_pitch), row,
                               clscan_extend(prefix, total));
}
