// Long rows in the reproducible order (reproducible/nodes.cl), as rows/long.cl and rows/totals.cl have them in any:
// positions count from the begin of each row. Ranges are 2^k tiles, so the total of each but a row's last is a node.
// No work-group ever waits for another.

typedef struct clscan_row_room {
    clscan_zone zone;
    clscan_stack stack;
    clscan_window window;
} clscan_row_room;

// Leave the node of `tiles` whole tiles, 2^k, on the stack.
CLSCAN_FUNCTION void clscan_row_range_reduce(__local clscan_zone *zone, __local clscan_stack *stack, clscan_source in,
                                             ulong count, ulong first, ulong tiles)
{
    for (ulong index = 0; index < tiles; ++index) {
        clscan_tile tile;
        const clscan_sum total =
            clscan_tile_total(&tile, zone, CLSCAN_CURSOR(in, count, (first + index) * CLSCAN_TILE), CLSCAN_TILE);

        if (get_local_id(0) == 0)
            clscan_stack_push(stack, clscan_nothing(), index, total);
        // The next tile overwrites the zone that slower work-items still read.
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/// A work-group for each of the ranges that are reduced, rows.reduced of each row: all but the last one.
__kernel __attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
void clscan_reduce_long_rows(CLSCAN_RUN_PARAMETERS CLSCAN_ROWS_PARAMETERS CLSCAN_MAP_PARAMETERS)
{
    __global clscan_sum *totals = (__global clscan_sum *)(workspace + run.totals_bytes);
    __local clscan_zone zone;
    __local clscan_stack stack;
    const ulong count = CLSCAN_TAKE_COUNT(run.count), reduced = rows.reduced;
    const ulong tiles_per_range = CLSCAN_TILES_PER_RANGE(count, run.ranges);
    const ulong row = get_group_id(0) / reduced, first = get_group_id(0) % reduced * tiles_per_range;
#if CLSCAN_COUNT_BYTES > 0
    if (first + tiles_per_range >= clscan_tiles(count))
        return;
#endif
#if CLSCAN_ROW_COUNT_BYTES > 0
    if (row >= CLSCAN_TAKE_ROWS(get_num_groups(0) / reduced))
        return;
#endif

    clscan_row_range_reduce(&zone, &stack, CLSCAN_SOURCE(in, run.in_offset + row * rows.in_pitch), count, first,
                            tiles_per_range);
    if (get_local_id(0) == 0)
        totals[get_group_id(0)] = stack.nodes[0];
}

/// As many work-groups as ranges in all, run.ranges of each row, or that many for a part of the rows, of which each
/// then takes several rows. Rows may have no elements. The workspace holds, from run.totals_bytes on, the totals of all
/// ranges of each row but the last.
__kernel __attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
void clscan_scan_long_rows(CLSCAN_RUN_PARAMETERS CLSCAN_ROWS_PARAMETERS CLSCAN_MAP_PARAMETERS)
{
    __global clscan_sum *totals = (__global clscan_sum *)(workspace + run.totals_bytes);
    __local clscan_row_room room;
    ulong count = run.count;

    count = CLSCAN_TAKE_AND_REPORT_COUNT(count);
    const ulong row_count = CLSCAN_TAKE_AND_REPORT_ROWS(rows.count), ranges = run.ranges;
    const ulong tiles_per_range = CLSCAN_TILES_PER_RANGE(count, ranges), tiles = clscan_tiles(count);
    const clscan_initials initials = clscan_initials_take(&run, initial_at, rows.initial_pitch);
    const ulong range = get_group_id(0) % ranges;
    const ulong first = range * tiles_per_range, end = min(first + tiles_per_range, tiles);
    const bool leader = get_local_id(0) == 0;

#if CLSCAN_COUNT_BYTES > 0
    // Of rows without elements the first range gives the totals.
    if (first >= end && range > 0)
        return;
#endif
    for (ulong row = get_group_id(0) / ranges; row < row_count; row += get_num_groups(0) / ranges) {
        const clscan_prefix start = clscan_initial_of(initials, row);
        clscan_source source = CLSCAN_SOURCE(in, run.in_offset + row * rows.in_pitch);
        clscan_sink sink = CLSCAN_SINK(out, run.out_offset + row * rows.out_pitch);
        clscan_prefix prefix = start;
        clscan_tile tile;
        uint valid = 0;

        // Its barrier keeps the stack of the row before from being overwritten where it is still read.
        clscan_stack_advance(&room.stack, &room.window, room.zone.scratch, start, 0, range,
                             totals + row * (ranges - 1));
        for (ulong index = first; index < end; ++index) {
            const ulong k = index * CLSCAN_TILE;
            clscan_sum total;

            valid = clscan_valid(count, index);
            prefix = clscan_stack_prefix(&room.stack, start, index);
            total = clscan_tile_total(&tile, &room.zone, CLSCAN_CURSOR(source, count, k), valid);
            clscan_tile_finish(&tile, &room.zone, CLSCAN_CURSOR(sink, count, k), valid, prefix,
                               CLSCAN_STREAMS(run.flags));
            // Slower work-items still read the stack and the zone.
            barrier(CLK_LOCAL_MEM_FENCE);
            if (leader && valid == CLSCAN_TILE)
                clscan_stack_push(&room.stack, start, index, total);
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (end < tiles)
            continue;
        if (valid < CLSCAN_TILE && valid > 0)
            prefix = clscan_tile_end(&tile, &room.zone, valid, prefix);
        else
            prefix = clscan_stack_prefix(&room.stack, start, end);
        if (leader)
            clscan_store_row_total(run.flags, clscan_row_totals_take(&run, total_at, rows.total_pitch), row, prefix);
    }
}

/// Totals of rows alone. Rows may have no elements. A work-group takes a row, or several where there are fewer
/// work-groups than rows. Of run.ranges ranges of each row all but the last were reduced.
__kernel __attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
void clscan_total_rows(CLSCAN_RUN_PARAMETERS CLSCAN_ROWS_PARAMETERS CLSCAN_MAP_PARAMETERS)
{
    __global clscan_sum *totals = (__global clscan_sum *)(workspace + run.totals_bytes);
    __local clscan_row_room room;
    ulong count = run.count;

    count = CLSCAN_TAKE_AND_REPORT_COUNT(count);
    const ulong row_count = CLSCAN_TAKE_AND_REPORT_ROWS(rows.count), ranges = run.ranges;
    const ulong tiles_per_range = CLSCAN_TILES_PER_RANGE(count, ranges), tiles = clscan_tiles(count);
    const ulong last = tiles > 0 ? (tiles - 1) / tiles_per_range : 0;
    const clscan_initials initials = clscan_initials_take(&run, initial_at, rows.initial_pitch);
    const bool leader = get_local_id(0) == 0;

    for (ulong row = get_group_id(0); row < row_count; row += get_num_groups(0)) {
        const clscan_prefix start = clscan_initial_of(initials, row);
        clscan_source source = CLSCAN_SOURCE(in, run.in_offset + row * rows.in_pitch);
        clscan_prefix prefix;
        clscan_tile tile;
        uint valid = 0;

        clscan_stack_advance(&room.stack, &room.window, room.zone.scratch, start, 0, last,
                             totals + row * (ranges - 1));
        for (ulong index = last * tiles_per_range; index < tiles; ++index) {
            clscan_sum total;

            valid = clscan_valid(count, index);
            total = clscan_tile_total(&tile, &room.zone, CLSCAN_CURSOR(source, count, index * CLSCAN_TILE), valid);
            // Slower work-items still read the zone.
            barrier(CLK_LOCAL_MEM_FENCE);
            if (leader && valid == CLSCAN_TILE)
                clscan_stack_push(&room.stack, start, index, total);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        prefix = clscan_stack_prefix(&room.stack, start, count / CLSCAN_TILE);
        if (valid < CLSCAN_TILE && valid > 0)
            prefix = clscan_tile_end(&tile, &room.zone, valid, prefix);
        if (leader)
            clscan_store_row_total(run.flags, clscan_row_totals_take(&run, total_at, rows.total_pitch), row, prefix);
    }
}
