// Few long rows, where work-groups may wait: each tile of each row is a work-group's, and rows are chains of their own.
// The carry's file tells a tile what precedes it in its row; one launch, 2N memory traffic.

/// First arguments as for clscan_waiting(), and:
/// in_pitch, out_pitch  elements from the begin of a row to that of the next
/// initial_pitch        as for clscan_scan_short_rows()
/// tiles, rows          tiles of each row, and rows; as many work-groups as tiles in all
__kernel __attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
void clscan_scan_chained_rows(__global const clscan_in *in, ulong in_offset, __global clscan_out *out, ulong out_offset,
                              ulong count, uint flags, clscan_initial initial, __global const CLSCAN_A *initial_at,
                              ulong initial_offset, __global CLSCAN_A *total_at, ulong total_offset,
                              __global uchar *workspace, ulong control_bytes, ulong words_bytes, uint epoch_argument,
                              ulong in_pitch, ulong out_pitch, ulong initial_pitch, uint tiles,
                              uint rows CLSCAN_MAP_PARAMETERS)
{
    __global clscan_word *draw_word = (__global clscan_word *)(workspace + control_bytes);
    __local clscan_zone zone;
    __local clscan_decision decision;
    const bool leader = get_local_id(0) == 0;
    clscan_chain chain;
    clscan_tile tile;
    clscan_sum total = CLSCAN_NO_SUM;
    clscan_prefix prefix;
    uint row, own;

    clscan_chain_begin(&chain, workspace, control_bytes, words_bytes, tiles, flags, initial,
                       initial_at + initial_offset);
    if (leader)
        clscan_take_range(&decision.turn, draw_word, epoch_argument, (uint)get_num_groups(0));
    barrier(CLK_LOCAL_MEM_FENCE);
    // Rows take turns: what precedes a tile was begun as many turns before as there are rows.
    row = decision.turn.own % rows;
    own = decision.turn.own / rows;
    chain.initial = clscan_initial_of(
        clscan_initials_take(flags, initial, initial_at + initial_offset, initial_pitch), row);
    chain.words += (ulong)row * tiles * CLSCAN_WORDS_PER_VALUE;
    prefix = clscan_settle(&chain, &tile, &zone, &decision, CLSCAN_SOURCE(in, in_offset + row * in_pitch), count, own,
                           false, &total);
    clscan_range_finish(&tile, &zone, CLSCAN_SOURCE(in, in_offset + row * in_pitch),
                        CLSCAN_SINK(out, out_offset + row * out_pitch), count, own, prefix, flags);
    if (leader && own == tiles - 1)
        clscan_store_total(flags, total_at + total_offset + row, clscan_extend(prefix, total));
}
