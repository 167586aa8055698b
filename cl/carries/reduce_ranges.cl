// Reductions: each work-group leaves the total of a range of neighbouring tiles in the workspace, and a work-group that
// comes after all of them combines the totals in order.

// 1 if the tile body has clscan_tile_share() (bodies/row_shares.cl).
#ifndef CLSCAN_TILE_HAS_SHARES
#define CLSCAN_TILE_HAS_SHARES 0
#endif

// What a work-group has in local memory.
typedef struct clscan_room {
    clscan_zone zone;
} clscan_room;

/// Leave the total of a range in totals[range].
///
/// in  the whole input of count elements
CLSCAN_FUNCTION void clscan_range_reduce(__local clscan_room *room, clscan_source in, ulong count,
                                         ulong tiles_per_range, ulong range, __global clscan_sum *totals)
{
    const ulong first = range * tiles_per_range;
    const ulong end = min(first + tiles_per_range, clscan_tiles(count));
    clscan_prefix sum = clscan_nothing();
    ulong next = first;

#if CLSCAN_TILE_HAS_SHARES
    // All whole tiles first, at whose end the work-items meet once.
    const ulong whole_end = clscan_source_aligned(CLSCAN_CURSOR(in, count, 0)) ? min(end, count / CLSCAN_TILE) : first;

    if (whole_end > first) {
        clscan_sum share = clscan_tile_share(CLSCAN_CURSOR(in, count, first * CLSCAN_TILE));
        for (ulong tile = first + 1; tile < whole_end; ++tile)
            share = clscan_join(share, clscan_tile_share(CLSCAN_CURSOR(in, count, tile * CLSCAN_TILE)));
        sum = clscan_extend(sum, clscan_group_total(room->zone.scratch, share, CLSCAN_WORK_GROUP_SIZE));
        barrier(CLK_LOCAL_MEM_FENCE);
        next = whole_end;
    }
#endif
    if (next < end)
        sum = clscan_extend(sum, clscan_reduce_tiles(&room->zone, in, count, next, end));
    if (get_local_id(0) == 0)
        totals[range] = sum.value;
}

/// What the first `ranges` totals make of `start`, to every work-item. Those who left them did so before this
/// work-group came here.
CLSCAN_FUNCTION clscan_prefix clscan_ranges_combine(__local clscan_room *room, clscan_source in, ulong count,
                                                    ulong tiles_per_range, uint ranges,
                                                    __global const clscan_sum *totals, clscan_prefix start)
{
#if CLSCAN_COUNT_BYTES > 0
    if (ranges == 0)
        return start;
#endif
    return clscan_extend(start, clscan_combine_totals(&room->zone, totals, ranges));
}
