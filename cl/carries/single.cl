// Carry `single`: one work-group walks all tiles. One launch, no communication; the choice for small counts.

__kernel __attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
void clscan_single(CLSCAN_RUN_PARAMETERS CLSCAN_MAP_PARAMETERS)
{
    ulong count = run.count;

    count = CLSCAN_TAKE_AND_REPORT_COUNT(count);
    clscan_prefix prefix = clscan_initial_prefix(&run, initial_at);

#if CLSCAN_TILE_LOOKS_AHEAD
    // Nobody waits for a tile's total, so no tile is read for it.
    for (ulong tile = 0; tile < clscan_tiles(count); ++tile)
        prefix = clscan_tile_pass(CLSCAN_CURSOR(CLSCAN_SOURCE(in, run.in_offset), count, tile * CLSCAN_TILE),
                                  CLSCAN_CURSOR(CLSCAN_SINK(out, run.out_offset), count, tile * CLSCAN_TILE),
                                  clscan_valid(count, tile), prefix, CLSCAN_STREAMS(run.flags));
#else
    __local clscan_zone zone;
    prefix = clscan_walk(&zone, CLSCAN_SOURCE(in, run.in_offset), CLSCAN_SINK(out, run.out_offset), count, 0,
                         clscan_tiles(count), prefix, run.flags);
#endif
    if (get_local_id(0) == 0)
        clscan_store_total(run.flags, total_at + run.total_offset, prefix);
}
