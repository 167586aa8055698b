// The landing zone of tile body `subgroup_rows`: the next tile is copied from global into local memory while this one
// is scanned, without passing through registers (PTX cp.async, compute capability 8.0 and newer). Each sub-group copies
// the vectors of its part, 16 bytes a lane at a time. Whole tiles only. What takes them is in bodies/landed.cl or, of
// elements that do not stay as they are in memory, in bodies/landed_inputs.cl.
#define CLSCAN_PART_VECTORS (CLSCAN_ROWS * CLSCAN_SUB_GROUP_SIZE)

// Pieces of 16 bytes, of a vector.
#if CLSCAN_POINTERS
#define CLSCAN_LANDING_PIECES (CLSCAN_T_BYTES * CLSCAN_VECTOR_LENGTH / 16)
#else
#define CLSCAN_LANDING_PIECES 1
#endif

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
#if !CLSCAN_POINTERS
#define CLSCAN_LANDING_FROM(cursor, piece) \
    (clscan_stored(cursor, const uchar) + CLSCAN_VECTOR_AT(cursor, 0) * CLSCAN_IN_BYTES + (piece)*16)
#elif CLSCAN_PLAIN
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

// Wait for the tile.
CLSCAN_FUNCTION void clscan_landing_end(void)
{
    __asm__ volatile("cp.async.wait_group 0;" ::: "memory");
}

#if CLSCAN_LANES_IN_TURN
// In the part, of this lane's vectors.
#define CLSCAN_IN_TURN(i) (clscan_lane() * CLSCAN_ROWS + (i))
#define CLSCAN_TURN_COUNT (CLSCAN_ROWS * CLSCAN_VECTOR_LENGTH)

// In the tile, of their elements.
#define CLSCAN_TURN_PLACE(i) (clscan_sub_group() * CLSCAN_PART + CLSCAN_IN_TURN(i) * CLSCAN_VECTOR_LENGTH)

// From the total of this lane's vectors: the part's, to the lane clscan_end_lane(). `base` receives what precedes the
// lane's vectors in the part, and is there for all but the first lane.
CLSCAN_FUNCTION clscan_sum clscan_turn_combine(__local clscan_zone *zone, clscan_sum total, clscan_sum *base)
{
#if CLSCAN_SEGMENTED
    const clscan_row_sums sums = clscan_lanes_scan(total.value, total.begins != 0, CLSCAN_SUB_GROUP_SIZE - 1);

    *base = sums.before;
    return sums.all;
#else
    const clscan_scanned scanned = clscan_sub_group_sums(zone->scratch, total, CLSCAN_SUB_GROUP_SIZE);

    *base = clscan_sums_below(zone->scratch, scanned);
    return clscan_sums_end(zone->scratch, scanned, CLSCAN_SUB_GROUP_SIZE);
#endif
}
#endif
