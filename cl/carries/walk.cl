// One work-group walks a range of neighbouring tiles and hands the prefix from one to the next by itself.

// 1 if the tile body has clscan_tile_finish_and_total() and clscan_tile_pass().
#ifndef CLSCAN_TILE_LOOKS_AHEAD
#define CLSCAN_TILE_LOOKS_AHEAD 0
#endif

// 1 if it has clscan_whole_total(), clscan_whole_scan() and clscan_whole_finish().
#ifndef CLSCAN_TILE_HAS_WHOLE
#define CLSCAN_TILE_HAS_WHOLE 0
#endif

// 1 if it has clscan_tile_total_behind() and clscan_tiles_skip(). Others know nothing of the tile in front of the one
// that they take.
#ifndef CLSCAN_TILE_FOLLOWS
#define CLSCAN_TILE_FOLLOWS 0
#endif
#if !CLSCAN_TILE_FOLLOWS
#define clscan_tile_total_behind(follows, tile, zone, in, valid) clscan_tile_total(tile, zone, in, valid)
#define clscan_tiles_skip(zone, in, count, first, end) (first)
#endif

CLSCAN_FUNCTION uint clscan_valid(ulong count, ulong tile)
{
    return (uint)min(count - tile * CLSCAN_TILE, (ulong)CLSCAN_TILE);
}

CLSCAN_FUNCTION ulong clscan_tiles(ulong count)
{
    return count / CLSCAN_TILE + (count % CLSCAN_TILE != 0);
}

/// Combine all elements of the tiles first .. end - 1.
///
/// in       the whole input of count elements
/// returns  the combination, to every work-item
CLSCAN_FUNCTION clscan_sum clscan_reduce_tiles(__local clscan_zone *zone, clscan_source in, ulong count, ulong first,
                                               ulong end)
{
    const ulong begin = clscan_tiles_skip(zone, in, count, first, end);
    clscan_prefix sum;
    clscan_tile tile;

    sum.value = CLSCAN_NO_SUM;
    sum.present = false;
    for (ulong index = begin; CLSCAN_TOGETHER(index < end); ++index) {
        sum = clscan_extend(sum, clscan_tile_total_behind(index > begin, &tile, zone,
                                                          CLSCAN_CURSOR(in, count, index * CLSCAN_TILE),
                                                          clscan_valid(count, index)));
        // The next tile overwrites the zone that slower work-items still read.
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return sum.value;
}

/// Scan the tiles first .. end - 1.
///
/// in, out  the whole input and output; count elements each
/// prefix   what precedes the first tile
/// returns  what precedes tile `end`
CLSCAN_FUNCTION clscan_prefix clscan_walk(__local clscan_zone *zone, clscan_source in, clscan_sink out, ulong count,
                                          ulong first, ulong end, clscan_prefix prefix, uint flags)
{
    const bool stream = CLSCAN_STREAMS(flags);
#if CLSCAN_TILE_LOOKS_AHEAD
    clscan_tile tile;
    clscan_sum total =
        clscan_tile_total(&tile, zone, CLSCAN_CURSOR(in, count, first * CLSCAN_TILE), clscan_valid(count, first));

    for (ulong next = first + 1; next < end; ++next) {
        const clscan_sum next_total = clscan_tile_finish_and_total(
            &tile, zone, CLSCAN_CURSOR(out, count, (next - 1) * CLSCAN_TILE), prefix, stream,
            CLSCAN_CURSOR(in, count, next * CLSCAN_TILE), clscan_valid(count, next));
        prefix = clscan_extend(prefix, total);
        total = next_total;
    }
    clscan_tile_finish(&tile, zone, CLSCAN_CURSOR(out, count, (end - 1) * CLSCAN_TILE), clscan_valid(count, end - 1),
                       prefix, stream);
    return clscan_extend(prefix, total);
#else
    clscan_tile tile;

    for (ulong index = first; CLSCAN_TOGETHER(index < end); ++index) {
        const uint valid = clscan_valid(count, index);
        const ulong k = index * CLSCAN_TILE;
        const clscan_sum total =
            clscan_tile_total_behind(index > first, &tile, zone, CLSCAN_CURSOR(in, count, k), valid);
        clscan_tile_finish(&tile, zone, CLSCAN_CURSOR(out, count, k), valid, prefix, stream);
        prefix = clscan_extend(prefix, total);
        // The next tile overwrites the zone that slower work-items still read.
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return prefix;
#endif
}

/// Combine the first `ranges` totals in order, by the whole work-group. Of none, any value.
CLSCAN_FUNCTION clscan_sum clscan_combine_totals(__local clscan_zone *zone, __global const clscan_sum *totals,
                                                 uint ranges)
{
    const uint share = (ranges + CLSCAN_WORK_GROUP_SIZE - 1) / CLSCAN_WORK_GROUP_SIZE;
    const uint first = (uint)get_local_id(0) * share;
    clscan_prefix sum;

    sum.value = CLSCAN_NO_SUM;
    sum.present = false;
    for (uint i = first; i < min(first + share, ranges); ++i)
        sum = clscan_extend(sum, totals[i]);
    sum.value = clscan_group_total(zone->scratch, sum.value, share > 0 ? (ranges + share - 1) / share : 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    return sum.value;
}
