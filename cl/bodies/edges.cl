// Buffers whose elements do not begin where vectors and lines of caches do. Tiles begin with the first whole line of
// the input, and what stands before it, the "head", goes with the first tile. Where the output's vectors begin
// elsewhere, tiles are stored shifted (bodies/shifts.cl).
#ifndef CLSCAN_LANES_IN_TURN
#define CLSCAN_LANES_IN_TURN 0 // without a landing zone
#endif
// Tiles that leave for others on their way, and where their outputs may begin: bodies/landed_inputs.cl has its own.
#ifndef CLSCAN_AHEAD_ALIGNED
#define CLSCAN_AHEAD_ALIGNED(cursor) clscan_sink_aligned(cursor)
typedef clscan_tile clscan_ahead_tile;
#endif
#ifndef clscan_ahead_begin
#define clscan_ahead_begin(tile, zone, in) clscan_landing_begin((zone), (in))
#endif

// Bytes that caches fetch together, or fewer: a head has less than 32 elements, since they are read one by one.
#define CLSCAN_LINE_BYTES (CLSCAN_T_BYTES < 4 ? 32u * CLSCAN_T_BYTES : 128u)

/// Elements of the head of an input; 0 if no whole tile stands behind it.
CLSCAN_FUNCTION uint clscan_head_count(clscan_source in, ulong count)
{
    const uint bytes = max(CLSCAN_LINE_BYTES, (uint)sizeof(clscan_vector));
    const uint head = clscan_to_multiple(CLSCAN_CURSOR(in, count, 0), bytes);

    return count >= (ulong)head + CLSCAN_TILE ? head : 0;
}

// The cursor at the head, from the one behind it.
#if !CLSCAN_PLAIN
#define CLSCAN_HEAD(cursor, head) (cursor) // there is none
#elif CLSCAN_REVERSE
#define CLSCAN_HEAD(cursor, head) ((cursor) + (head))
#else
#define CLSCAN_HEAD(cursor, head) ((cursor) - (head))
#endif

/// Extend `prefix` by the head.
CLSCAN_FUNCTION clscan_prefix clscan_head_extend(clscan_prefix prefix, clscan_source behind, uint head)
{
#pragma unroll 1
    for (uint k = 0; k < head; ++k)
        prefix = clscan_extend(prefix, clscan_lift(clscan_read(CLSCAN_HEAD(behind, head), k)));
    return prefix;
}

/// The combination of the head and what follows it.
CLSCAN_FUNCTION clscan_sum clscan_with_head(clscan_source behind, uint head, clscan_sum value)
{
    return clscan_extend(clscan_head_extend(clscan_nothing(), behind, head), value).value;
}

/// Scan the head onto `prefix`, and store it.
CLSCAN_FUNCTION void clscan_head_store(clscan_source in_behind, clscan_sink out_behind, uint head, clscan_prefix prefix)
{
#pragma unroll 1
    for (uint k = 0; k < head; ++k)
        clscan_write(CLSCAN_HEAD(out_behind, head), k,
                     clscan_step(&prefix, clscan_read(CLSCAN_HEAD(in_behind, head), k)));
}

// Whole tiles are stored shifted where lanes reach their neighbours' elements without a barrier.
#define CLSCAN_CAN_SHIFT (CLSCAN_SHIFTS && !CLSCAN_REPRODUCIBLE)

#if CLSCAN_CAN_SHIFT && CLSCAN_LANES_IN_TURN
/// As clscan_turn_store(), where the output's vectors begin `shift` elements behind the tile's.
CLSCAN_FUNCTION void clscan_turn_store_shifted(clscan_tile *tile, __local clscan_zone *zone, clscan_sink out,
                                               uint shift, clscan_prefix prefix, bool take)
{
    clscan_cell wrapped[CLSCAN_CELLS];

    clscan_turn_store(true, tile, zone, out, prefix, take);
#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row)
        clscan_row_store_shifted(zone->scratch, out, row, shift,
                                 clscan_landed(zone, row * CLSCAN_SUB_GROUP_SIZE + clscan_lane()), wrapped);
    clscan_sub_group_meet();
}
#endif
