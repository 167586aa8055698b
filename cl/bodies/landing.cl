// The landing zone of tile body `subgroup_rows`: the next tile is copied from global into local memory while this one
// is scanned, without passing through registers (PTX cp.async, compute capability 8.0 and newer). Each sub-group copies
// the vectors of its part, 16 bytes a lane at a time. Whole tiles only.
#if !CLSCAN_PLAIN && !CLSCAN_STAYS
#error "landing zones are for elements that stay as they are in memory"
#endif
#define CLSCAN_PART_VECTORS (CLSCAN_ROWS * CLSCAN_SUB_GROUP_SIZE)

// Pieces of 16 bytes, of a vector.
#define CLSCAN_LANDING_PIECES (CLSCAN_T_BYTES * CLSCAN_VECTOR_LENGTH / 16)

// 1 if each lane takes vectors that follow each other, instead of one of each row. Lanes then combine their elements
// one after the other, and once across the lanes; outputs leave through the zone, in lines. For structs, whose vectors
// are so short that scanning all rows across the lanes, word by word, takes longer than anything else; and for scalars
// that are taken apart or converted, where instructions decide. Sums come cheaper.
#define CLSCAN_LANES_IN_TURN \
    (!CLSCAN_PLAIN || (!CLSCAN_SCANNED_ROWS && !CLSCAN_REPRODUCIBLE && CLSCAN_OPERATOR != CLSCAN_OPERATOR_ADD))

// Where a piece of a part stands. Local memory gives eight pieces at once if they are in different banks: those of
// neighbours are, and those of lanes in turn where these have an odd number of pieces each. Else pieces change places
// within two, four or eight neighbours, in each lane by another amount than in those that would meet it.
#if CLSCAN_LANES_IN_TURN
#define CLSCAN_LANE_PIECES (uint)(CLSCAN_ROWS * CLSCAN_LANDING_PIECES)
#define CLSCAN_LANE_TWOS (CLSCAN_LANE_PIECES & (0u - CLSCAN_LANE_PIECES)) // the power of 2 in it
#define CLSCAN_LANDING_TURNS (CLSCAN_LANE_TWOS < 8 ? CLSCAN_LANE_TWOS : 8u)
#define CLSCAN_LANDING_TURN (CLSCAN_LANE_TWOS < 8 ? 8u : CLSCAN_LANE_TWOS)
#else
#define CLSCAN_LANDING_TURNS 1u
#define CLSCAN_LANDING_TURN 8u
#endif
#define CLSCAN_LANDING_PLACE(piece) ((piece) ^ (piece) / CLSCAN_LANDING_TURN % CLSCAN_LANDING_TURNS)
#define CLSCAN_LANDING_PART(zone) ((__local uint4 *)((zone)->landing + clscan_sub_group() * CLSCAN_PART_VECTORS))

// Of the piece that this lane copies in step `i`.
CLSCAN_FUNCTION uint clscan_landing_place(uint i)
{
    const uint step = CLSCAN_SUB_GROUP_SIZE, lane = clscan_lane();

    if (step / CLSCAN_LANDING_TURN % CLSCAN_LANDING_TURNS == 0)
        return CLSCAN_LANDING_PLACE(lane) + i * step;
    return CLSCAN_LANDING_PLACE(lane + i * step);
}

// Where a vector's piece comes from.
#if CLSCAN_PLAIN
#define CLSCAN_LANDING_FROM(cursor, piece) (CLSCAN_VECTOR_AT(cursor, 0) + piece * (16 / CLSCAN_T_BYTES))
#else
#define CLSCAN_LANDING_FROM(cursor, piece) \
    ((__global const uchar *)CLSCAN_VECTOR_AT((cursor), 0) + (piece)*16)
#endif

/// Begin to copy a tile. This work-item has read the zone's last content, and so have the others of its sub-group.
CLSCAN_FUNCTION void clscan_landing_begin(__local clscan_zone *zone, clscan_source in)
{
    const uint vector = clscan_lane() / CLSCAN_LANDING_PIECES, piece = clscan_lane() % CLSCAN_LANDING_PIECES;
    const uint vectors = CLSCAN_SUB_GROUP_SIZE / CLSCAN_LANDING_PIECES;
    __local uint4 *part = CLSCAN_LANDING_PART(zone);

    in = CLSCAN_ADVANCE(in, clscan_sub_group() * CLSCAN_PART + vector * CLSCAN_VECTOR_LENGTH);
#pragma unroll
    for (uint i = 0; i < CLSCAN_ROWS * CLSCAN_LANDING_PIECES; ++i)
        __asm__ volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                             (uint)(ulong)(part + clscan_landing_place(i))),
                         "l"(CLSCAN_LANDING_FROM(CLSCAN_ADVANCE(in, i * vectors * CLSCAN_VECTOR_LENGTH), piece))
                         : "memory");
    __asm__ volatile("cp.async.commit_group;" ::: "memory");
}

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

    __asm__ volatile("cp.async.wait_group 0;" ::: "memory");
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
// In the part, of this lane's vectors.
#define CLSCAN_IN_TURN(i) (clscan_lane() * CLSCAN_ROWS + (i))

/// What clscan_landing_take() leaves in other layouts, from global memory.
CLSCAN_FUNCTION void clscan_turn_load(clscan_held *rows, clscan_source in)
{
    in = CLSCAN_ADVANCE(in, clscan_sub_group() * CLSCAN_PART + CLSCAN_IN_TURN(0) * CLSCAN_VECTOR_LENGTH);
#pragma unroll
    for (uint i = 0; i < CLSCAN_ROWS; ++i)
        rows[i] = clscan_load_held(CLSCAN_ADVANCE(in, i * CLSCAN_VECTOR_LENGTH), true);
}

// From the total of this lane's vectors: the part's, to all its lanes. `base` receives what precedes the lane's vectors
// in the part, and is there for all but the first lane.
CLSCAN_FUNCTION clscan_sum clscan_turn_combine(__local clscan_zone *zone, clscan_sum total, clscan_sum *base)
{
    const clscan_sum scanned = clscan_sub_group_scan(zone->scratch, total, CLSCAN_SUB_GROUP_SIZE);

    *base = clscan_shuffle_up(zone->scratch, scanned, 1);
    return clscan_shuffle(zone->scratch, scanned, CLSCAN_SUB_GROUP_SIZE - 1);
}

/// The total of the part in `rows`, to all its lanes.
CLSCAN_FUNCTION clscan_sum clscan_turn_part(const clscan_held *rows, __local clscan_zone *zone, clscan_sum *base)
{
    clscan_sum total = clscan_vector_total(true, rows[0], CLSCAN_VECTOR_LENGTH);

#pragma unroll
    for (uint i = 1; i < CLSCAN_ROWS; ++i)
        total = clscan_join(total, clscan_vector_total(true, rows[i], CLSCAN_VECTOR_LENGTH));
    return clscan_turn_combine(zone, total, base);
}

/// Wait for the tile that lands, and return the total of its part to all its lanes.
CLSCAN_FUNCTION clscan_sum clscan_turn_landed(__local clscan_zone *zone, clscan_sum *base)
{
    clscan_sum total;

    __asm__ volatile("cp.async.wait_group 0;" ::: "memory");
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
