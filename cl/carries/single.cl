// Carry `single`: one work-group walks all tiles. One launch, no communication; the choice for small counts.

/// in      [count]  elements
/// out     [count]  results; the same memory as `in`, or apart from it
/// initial          initial value with CLSCAN_FLAG_INITIAL_VALUE; initial_at with CLSCAN_FLAG_INITIAL_BUFFER
/// total_at         receives the total with CLSCAN_FLAG_TOTAL
__kernel __attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
void clscan_single(__global const clscan_in *in, ulong in_offset, __global clscan_out *out,
                   ulong out_offset, ulong count, uint flags,
                   clscan_initial initial, __global const CLSCAN_A *initial_at, ulong initial_offset,
                   __global CLSCAN_A *total_at, ulong total_offset CLSCAN_COUNT_PARAMETERS CLSCAN_MAP_PARAMETERS)
{
#if CLSCAN_COUNT_BYTES > 0
    count = CLSCAN_TAKE_AND_REPORT_COUNT(count);
#endif
    clscan_prefix prefix = clscan_initial_prefix(flags, initial, initial_at + initial_offset);

#if CLSCAN_TILE_LOOKS_AHEAD
    // Nobody waits for a tile's total, so no tile is read for it.
    for (ulong tile = 0; tile < clscan_tiles(count); ++tile)
        prefix = clscan_tile_pass(CLSCAN_CURSOR(CLSCAN_SOURCE(in, in_offset), count, tile * CLSCAN_TILE),
                                  CLSCAN_CURSOR(CLSCAN_SINK(out, out_offset), count, tile * CLSCAN_TILE),
                                  clscan_valid(count, tile), prefix, CLSCAN_STREAMS(flags));
#else
    __local clscan_zone zone;
    prefix = clscan_walk(&zone, CLSCAN_SOURCE(in, in_offset), CLSCAN_SINK(out, out_offset), count, 0,
                         clscan_tiles(count), prefix, flags);
#endif
    if (get_local_id(0) == 0)
        clscan_store_total(flags, total_at + total_offset, prefix);
}
