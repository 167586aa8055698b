// What has landed, of elements that are held as they are in memory: its total, and its way into the registers.

// Vectors of structs, and of several pieces, are put together.
#define CLSCAN_LANDS_IN_PIECES (!CLSCAN_PLAIN && (CLSCAN_CHUNK_WORDS > 0 || CLSCAN_LANDING_PIECES > 1))
#if CLSCAN_LANDS_IN_PIECES && CLSCAN_CHUNK_WORDS > 0
typedef clscan_chunks clscan_pieces;
#define clscan_piece_put clscan_chunk_put
#define clscan_piece_get clscan_chunk_get
#elif CLSCAN_LANDS_IN_PIECES
typedef union clscan_pieces {
    uint4 at[CLSCAN_LANDING_PIECES];
    clscan_vector vector;
} clscan_pieces;
#define clscan_piece_put(pieces, i, piece) ((pieces)->at[i] = (piece))
#define clscan_piece_get(pieces, i) ((pieces)->at[i])
#endif

// The vector of the part, counted in the order of the scan.
CLSCAN_FUNCTION clscan_held clscan_landed(__local clscan_zone *zone, uint vector)
{
#if CLSCAN_LANDS_IN_PIECES
    __local const uint4 *part = CLSCAN_LANDING_PART(zone);
    clscan_pieces pieces;
#pragma unroll
    for (uint i = 0; i < CLSCAN_LANDING_PIECES; ++i)
        clscan_piece_put(&pieces, i, part[CLSCAN_LANDING_PLACE(vector * CLSCAN_LANDING_PIECES + i)]);
    return clscan_ordered(pieces.vector);
#else
    return clscan_held_ordered(zone->landing[clscan_sub_group() * CLSCAN_PART_VECTORS + CLSCAN_LANDING_PLACE(vector)]);
#endif
}

// The total of the vector.
CLSCAN_FUNCTION clscan_sum clscan_landed_total(__local clscan_zone *zone, uint vector)
{
    return clscan_vector_total(true, clscan_landed(zone, vector), CLSCAN_VECTOR_LENGTH);
}

/// Wait for the tile, and return the total of this sub-group's part to all of its lanes.
CLSCAN_FUNCTION clscan_sum clscan_landed_part(__local clscan_zone *zone)
{
#if CLSCAN_REPRODUCIBLE
    clscan_sum runs[CLSCAN_ROWS];
#else
    // Where the order of operands counts, a lane combines vectors that follow each other: so the sub-group combines
    // once, and not for each row. For odd numbers of rows these vectors lie in different banks.
    const uint first = CLSCAN_COMMUTATIVE ? clscan_lane() : clscan_lane() * CLSCAN_ROWS;
    const uint step = CLSCAN_COMMUTATIVE ? CLSCAN_SUB_GROUP_SIZE : 1;
    clscan_sum total = CLSCAN_NO_SUM;
#endif

    clscan_landing_end();
#if CLSCAN_LANDING_PIECES > 1 || !CLSCAN_COMMUTATIVE
    clscan_sub_group_meet();
#endif
#if CLSCAN_REPRODUCIBLE
#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row)
        runs[row] = clscan_landed_total(zone, row * CLSCAN_SUB_GROUP_SIZE + clscan_lane());
    return clscan_runs_total(zone->scratch, runs);
#else
#pragma unroll
    for (uint i = 0; i < CLSCAN_ROWS; ++i) {
        const clscan_sum sum = clscan_landed_total(zone, first + i * step);
        total = i > 0 ? clscan_join(total, sum) : sum;
    }
    return clscan_sub_group_total(zone->scratch, total, CLSCAN_SUB_GROUP_SIZE);
#endif
}

#if CLSCAN_LANES_IN_TURN
/// What clscan_landing_take() leaves in other layouts, from global memory.
CLSCAN_FUNCTION void clscan_turn_load(clscan_tile *tile, clscan_source in)
{
    in = CLSCAN_ADVANCE(in, CLSCAN_TURN_PLACE(0));
#pragma unroll
    for (uint i = 0; i < CLSCAN_ROWS; ++i)
        tile->rows[i] = clscan_load_held(CLSCAN_ADVANCE(in, i * CLSCAN_VECTOR_LENGTH), true);
}

/// The total of the part in the tile's rows, which are at the cursor, to the lane clscan_end_lane().
CLSCAN_FUNCTION clscan_sum clscan_turn_part(clscan_tile *tile, __local clscan_zone *zone, clscan_source in)
{
    clscan_sum total = clscan_vector_total(true, tile->rows[0], CLSCAN_VECTOR_LENGTH);

#pragma unroll
    for (uint i = 1; i < CLSCAN_ROWS; ++i)
        total = clscan_join(total, clscan_vector_total(true, tile->rows[i], CLSCAN_VECTOR_LENGTH));
    return clscan_turn_combine(zone, total, &tile->bases[0]);
}

/// Wait for the tile at the cursor, and return that of its part to the lane clscan_end_lane().
CLSCAN_FUNCTION clscan_sum clscan_turn_landed(clscan_tile *tile, __local clscan_zone *zone, clscan_source in,
                                              clscan_sum *base)
{
    clscan_sum total;

    clscan_landing_end();
    clscan_sub_group_meet();
    total = clscan_landed_total(zone, CLSCAN_IN_TURN(0));
#pragma unroll
    for (uint i = 1; i < CLSCAN_ROWS; ++i)
        total = clscan_join(total, clscan_landed_total(zone, CLSCAN_IN_TURN(i)));
    return clscan_turn_combine(zone, total, base);
}

// The counterpart of clscan_landed().
CLSCAN_FUNCTION void clscan_land(__local clscan_zone *zone, uint vector, clscan_held v)
{
#if CLSCAN_LANDS_IN_PIECES
    __local uint4 *part = CLSCAN_LANDING_PART(zone);
    clscan_pieces pieces;

    pieces.vector = clscan_ordered(v);
#pragma unroll
    for (uint i = 0; i < CLSCAN_LANDING_PIECES; ++i)
        part[CLSCAN_LANDING_PLACE(vector * CLSCAN_LANDING_PIECES + i)] = clscan_piece_get(&pieces, i);
#else
    zone->landing[clscan_sub_group() * CLSCAN_PART_VECTORS + CLSCAN_LANDING_PLACE(vector)] = clscan_held_ordered(v);
#endif
}

/// Scan the tile onto `prefix`, which precedes the part, and store it. What has landed takes the tile's place, if
/// `take`; then the zone may be filled again.
///
/// leave  a constant: outputs are left in the zone instead, where they are until the next clscan_sub_group_meet()
CLSCAN_FUNCTION void clscan_turn_store(bool leave, clscan_tile *tile, __local clscan_zone *zone, clscan_sink out,
                                       clscan_prefix prefix, bool take)
{
    const uint vector = clscan_lane() / CLSCAN_LANDING_PIECES, piece = clscan_lane() % CLSCAN_LANDING_PIECES;
    const uint vectors = CLSCAN_SUB_GROUP_SIZE / CLSCAN_LANDING_PIECES;
    __local const uint4 *from = CLSCAN_LANDING_PART(zone);

    if (clscan_lane() > 0)
        prefix = clscan_extend(prefix, tile->bases[0]);
#pragma unroll
    for (uint i = 0; i < CLSCAN_ROWS; ++i) {
#if CLSCAN_PLAIN
        const clscan_held outputs = clscan_vector_step(true, tile->rows[i], CLSCAN_VECTOR_LENGTH, prefix, &prefix);

        if (take)
            tile->rows[i] = clscan_landed(zone, CLSCAN_IN_TURN(i));
        clscan_land(zone, CLSCAN_IN_TURN(i), outputs);
#else
        CLSCAN_T elements[CLSCAN_VECTOR_LENGTH];

        clscan_unpack(tile->rows[i], elements);
#pragma unroll
        for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
            elements[c] = clscan_step(&prefix, elements[c]);
        if (take)
            tile->rows[i] = clscan_landed(zone, CLSCAN_IN_TURN(i));
        clscan_land(zone, CLSCAN_IN_TURN(i), clscan_pack(elements));
#endif
    }
    clscan_sub_group_meet();
    if (leave)
        return;
    out = CLSCAN_ADVANCE(out, clscan_sub_group() * CLSCAN_PART + vector * CLSCAN_VECTOR_LENGTH);
#pragma unroll
    for (uint i = 0; i < CLSCAN_ROWS * CLSCAN_LANDING_PIECES; ++i) {
        clscan_sink to = CLSCAN_VECTOR_AT(CLSCAN_ADVANCE(out, i * vectors * CLSCAN_VECTOR_LENGTH), 0);
        ((__global uint4 *)to)[piece] = from[clscan_landing_place(i)];
    }
    clscan_sub_group_meet();
}
#endif

/// Take the rows out of the zone, which may be filled again then.
CLSCAN_FUNCTION void clscan_landing_take(clscan_held *rows, __local clscan_zone *zone)
{
#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row)
        rows[row] = clscan_landed(zone, row * CLSCAN_SUB_GROUP_SIZE + clscan_lane());
#if CLSCAN_LANDING_PIECES > 1
    // Other lanes copy to where this one has read.
    clscan_sub_group_meet();
#endif
}
