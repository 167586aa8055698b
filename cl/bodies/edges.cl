// Buffers whose elements do not begin where vectors and lines of caches do. Tiles begin with the first whole line of
// the input, and what stands before it, the "head", goes with the first tile. Where the output's vectors begin
// elsewhere, each lane stores the end of its neighbour's elements with the begin of its own.
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
#define CLSCAN_CAN_SHIFT (CLSCAN_PLAIN && CLSCAN_EXCHANGE == 0 && !CLSCAN_REPRODUCIBLE)

#if CLSCAN_CAN_SHIFT
// The outputs of a row, of which each lane stores a vector: in the zone, or yet to be made.
#if CLSCAN_LANES_IN_TURN
#define CLSCAN_FINISHED_ROW(tile, zone, row, prefix) \
    clscan_landed((zone), (row) * CLSCAN_SUB_GROUP_SIZE + clscan_lane())
#else
#define CLSCAN_FINISHED_ROW(tile, zone, row, prefix) \
    clscan_row_finish(true, (tile), (row), CLSCAN_VECTOR_LENGTH, (prefix))
#endif

// Rotate cells down by as many as `by` says.
CLSCAN_FUNCTION void clscan_cells_rotate(clscan_cell *cells, uint by)
{
#pragma unroll
    for (uint step = 1; step < CLSCAN_CELLS; step *= 2) {
        clscan_cell rotated[CLSCAN_CELLS];
#pragma unroll
        for (uint i = 0; i < CLSCAN_CELLS; ++i)
            rotated[i] = by & step ? cells[(i + step) % CLSCAN_CELLS] : cells[i];
#pragma unroll
        for (uint i = 0; i < CLSCAN_CELLS; ++i)
            cells[i] = rotated[i];
    }
}

/// Store a whole tile whose output's vectors begin `shift` elements behind the tile's, otherwise as
/// clscan_rows_store() does it; 0 < shift < CLSCAN_VECTOR_LENGTH.
CLSCAN_FUNCTION void clscan_rows_store_shifted(const clscan_tile *tile, __local clscan_zone *zone, clscan_sink out,
                                               uint shift, clscan_prefix prefix)
{
    const uint lane = clscan_lane(), cells_shift = shift / CLSCAN_PER_CELL;
    // The cursor whose vectors end where the output's do.
    clscan_sink before = CLSCAN_ADVANCE(out, (int)shift - CLSCAN_VECTOR_LENGTH);
    clscan_cell wrapped[CLSCAN_CELLS]; // lane 0: of the last lane in the row before

#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row) {
        clscan_cell own[CLSCAN_CELLS], rotated[CLSCAN_CELLS], shifted[CLSCAN_CELLS + 1];

        clscan_held_cells(CLSCAN_FINISHED_ROW(tile, zone, row, prefix), own);
#pragma unroll
        for (uint i = 0; i < CLSCAN_CELLS; ++i)
            rotated[i] = own[i];
        clscan_cells_rotate(rotated, cells_shift);
#pragma unroll
        for (uint i = 0; i < CLSCAN_CELLS; ++i) {
            const clscan_cell below = clscan_cell_shuffle(zone->scratch, rotated[i],
                                                          (lane + CLSCAN_SUB_GROUP_SIZE - 1) % CLSCAN_SUB_GROUP_SIZE);
            shifted[i] = rotated[i];
            if (i + cells_shift < CLSCAN_CELLS)
                shifted[i] = lane > 0 || row == 0 ? below : wrapped[i];
            wrapped[i] = below;
        }
        shifted[CLSCAN_CELLS] = rotated[0];
        clscan_cells_join(shifted, shift % CLSCAN_PER_CELL);
        if (row > 0 || lane > 0)
            clscan_store_held(CLSCAN_ROW_CURSOR(before, row), clscan_cells_held(shifted));
        // The ends of the part, whose vectors are shared with other parts.
#pragma unroll
        for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
            if ((row == 0 && lane == 0 && c < shift) ||
                (row == CLSCAN_ROWS - 1 && lane == CLSCAN_SUB_GROUP_SIZE - 1 && c >= shift))
                clscan_write(CLSCAN_ROW_CURSOR(out, row), c, clscan_cell_get(own, c));
    }
}

#if CLSCAN_LANES_IN_TURN
/// As clscan_turn_store(), with such a shift.
CLSCAN_FUNCTION void clscan_turn_store_shifted(clscan_tile *tile, __local clscan_zone *zone, clscan_sink out,
                                               uint shift, clscan_prefix prefix, bool take)
{
    clscan_turn_store(true, tile, zone, out, prefix, take);
    clscan_rows_store_shifted(tile, zone, out, shift, prefix);
    clscan_sub_group_meet();
}
#endif
#endif
