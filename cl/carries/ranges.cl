// Ranges of tiles: what a work-group takes at once. A range of one tile stays on the chip between total and scan. A
// longer one makes fewer work-groups wait for each other, and is read again for its scan, from a cache where the
// ranges of all running work-groups fit into one.
//
// Required of the host:
//   CLSCAN_TILES_PER_WORK_GROUP  tiles of a range; 0 for a carry whose ranges are always one tile
#if !defined(CLSCAN_TILES_PER_WORK_GROUP)
#error "CLSCAN_TILES_PER_WORK_GROUP must be defined"
#endif
#if CLSCAN_TILES_PER_WORK_GROUP > 0
#define CLSCAN_RANGE_TILES CLSCAN_TILES_PER_WORK_GROUP
#else
#define CLSCAN_RANGE_TILES 1
#endif

// 1 if a range may be loaded before the one in front of it is scanned (carries/chained.cl).
#if defined(CLSCAN_DRAWS_NEXT) && CLSCAN_TILE_LOOKS_AHEAD && CLSCAN_RANGE_TILES == 1
#define CLSCAN_LOADS_EARLY 1
#else
#define CLSCAN_LOADS_EARLY 0
#endif

// What item 0 draws for all, handed over in local memory across a barrier.
typedef struct clscan_turn {
    clscan_word tag;
    uint own; // this work-group's range
} clscan_turn;

// Item 0: draw the first range.
CLSCAN_FUNCTION void clscan_take_range(__local clscan_turn *turn, __global clscan_word *draw_word, uint epoch_argument,
                                       uint ranges)
{
    uint own, epoch;

    clscan_draw(draw_word, epoch_argument, ranges, &own, &epoch);
    turn->own = own;
    turn->tag = clscan_tag(epoch);
}

CLSCAN_FUNCTION uint clscan_ranges(ulong count)
{
    const ulong tiles = clscan_tiles(count);
    return (uint)(tiles / CLSCAN_RANGE_TILES + (tiles % CLSCAN_RANGE_TILES != 0));
}

CLSCAN_FUNCTION clscan_sum clscan_range_total(clscan_tile *tile, __local clscan_zone *zone, clscan_source in,
                                              ulong count, ulong range)
{
#if CLSCAN_RANGE_TILES == 1
    return clscan_tile_total(tile, zone, CLSCAN_CURSOR(in, count, range * CLSCAN_TILE), clscan_valid(count, range));
#else
    const ulong first = range * CLSCAN_RANGE_TILES;
    return clscan_reduce_tiles(zone, in, count, first, min(first + CLSCAN_RANGE_TILES, clscan_tiles(count)));
#endif
}

// The same of a range that may be loaded already, and then has this total.
CLSCAN_FUNCTION clscan_sum clscan_range_total_unless(bool loaded, clscan_sum total, clscan_tile *tile,
                                                     __local clscan_zone *zone, clscan_source in, ulong count,
                                                     ulong range)
{
#if CLSCAN_LOADS_EARLY
    if (loaded)
        return total;
#endif
    return clscan_range_total(tile, zone, in, count, range);
}

// Scan the range whose total was taken last.
CLSCAN_FUNCTION void clscan_range_finish(clscan_tile *tile, __local clscan_zone *zone, clscan_source in,
                                         clscan_sink out, ulong count, ulong range, clscan_prefix prefix, uint flags)
{
#if CLSCAN_RANGE_TILES == 1
    clscan_tile_finish(tile, zone, CLSCAN_CURSOR(out, count, range * CLSCAN_TILE), clscan_valid(count, range), prefix,
                       CLSCAN_STREAMS(flags));
#else
    const ulong first = range * CLSCAN_RANGE_TILES;
    clscan_walk(zone, in, out, count, first, min(first + CLSCAN_RANGE_TILES, clscan_tiles(count)), prefix,
                flags);
#endif
}
