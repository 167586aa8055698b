// The landing zone of tile body `subgroup_rows`: the next tile is copied from global into local memory while this one
// is scanned, without passing through registers (PTX cp.async, compute capability 8.0 and newer). Each sub-group copies
// the vectors of its part, 16 bytes a lane at a time. Whole tiles only.
#if !CLSCAN_PLAIN && !CLSCAN_STAYS
#error "landing zones are for elements that stay as they are in memory"
#endif
#define CLSCAN_PART_VECTORS (CLSCAN_ROWS * CLSCAN_SUB_GROUP_SIZE)

// 1 if each lane takes vectors that follow each other, instead of one of each row: for structs, whose vectors are so
// short that scanning all rows across the lanes, word by word, takes longer than anything else. Lanes then combine
// their elements one after the other, and once across the lanes; outputs leave through the zone, in lines.
#define CLSCAN_LANES_IN_TURN (!CLSCAN_PLAIN)

// Where a vector's piece comes from.
#if CLSCAN_PLAIN
#define CLSCAN_LANDING_FROM(cursor, piece) (CLSCAN_VECTOR_AT(cursor, 0) + piece * (16 / CLSCAN_T_BYTES))
#else
#define CLSCAN_LANDING_FROM(cursor, piece) \
    ((__global const uchar *)CLSCAN_VECTOR_AT((cursor), 0) + (piece)*16)
#endif

// A part in the zone, and where the pieces stand that this lane copies: the i-th, and every CLSCAN_SUB_GROUP_SIZE-th of
// the part, in the order of the scan.
#if CLSCAN_LANES_IN_TURN
#define CLSCAN_LANDING_PART(zone) \
    ((zone)->landing + clscan_sub_group() * CLSCAN_SUB_GROUP_SIZE * CLSCAN_LANDING_STRETCH)
#define CLSCAN_LANE_PIECES (CLSCAN_ROWS * CLSCAN_LANDING_PIECES)
CLSCAN_FUNCTION uint clscan_landing_place(uint i)
{
    const uint piece = clscan_lane() + i * CLSCAN_SUB_GROUP_SIZE;
    return piece + piece / CLSCAN_LANE_PIECES * (CLSCAN_LANDING_STRETCH - CLSCAN_LANE_PIECES);
}
#else
#define CLSCAN_LANDING_PART(zone) ((__local uint4 *)((zone)->landing + clscan_sub_group() * CLSCAN_PART_VECTORS))
#define clscan_landing_place(i) (clscan_lane() + (i) * CLSCAN_SUB_GROUP_SIZE)
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

#if !CLSCAN_LANES_IN_TURN
// The vector of the part, counted in the order of the scan.
CLSCAN_FUNCTION clscan_held clscan_landed(__local clscan_zone *zone, uint vector)
{
    return clscan_held_ordered(zone->landing[clscan_sub_group() * CLSCAN_PART_VECTORS + vector]);
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

// 1 if rows are scanned where they landed, once, and what precedes each vector is kept until they are taken: of
// elements that are taken apart or converted, one by one, a second scan costs more than that. Sums come cheaper.
#define CLSCAN_LANDED_BASES \
    (!CLSCAN_SCANNED_ROWS && !CLSCAN_REPRODUCIBLE && CLSCAN_OPERATOR != CLSCAN_OPERATOR_ADD)

#if CLSCAN_LANDED_BASES
/// clscan_landed_part(), and `bases` as clscan_rows_scan() leaves them.
CLSCAN_FUNCTION clscan_sum clscan_landed_scan(__local clscan_zone *zone, clscan_sum *bases)
{
    clscan_sum scanned[CLSCAN_ROWS], total = CLSCAN_NO_SUM;

    __asm__ volatile("cp.async.wait_group 0;" ::: "memory");
#if CLSCAN_LANDING_PIECES > 1
    clscan_sub_group_meet();
#endif
#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row)
        scanned[row] = clscan_sub_group_scan(
            zone->scratch, clscan_landed_total(zone, row * CLSCAN_SUB_GROUP_SIZE + clscan_lane()),
            CLSCAN_SUB_GROUP_SIZE);
#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row) {
        const clscan_sum last = clscan_shuffle(zone->scratch, scanned[row], CLSCAN_SUB_GROUP_SIZE - 1);

        bases[row] = clscan_shuffle_up(zone->scratch, scanned[row], 1);
        if (row > 0)
            bases[row] = clscan_lane() > 0 ? clscan_join(total, bases[row]) : total;
        total = row > 0 ? clscan_join(total, last) : last;
    }
    return total;
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
#else
// Where this lane's i-th vector has landed. A vector of the language may have a larger alignment than a piece.
#if CLSCAN_CHUNK_WORDS > 0
typedef clscan_chunk clscan_landed_piece;
#else
typedef clscan_held clscan_landed_piece __attribute__((aligned(16)));
#endif
CLSCAN_FUNCTION __local clscan_landed_piece *clscan_turn_at(__local clscan_zone *zone, uint i)
{
    return (__local clscan_landed_piece *)(CLSCAN_LANDING_PART(zone) + clscan_lane() * CLSCAN_LANDING_STRETCH +
                                           i * CLSCAN_LANDING_PIECES);
}

CLSCAN_FUNCTION clscan_held clscan_landed(__local clscan_zone *zone, uint i)
{
    __local const clscan_landed_piece *from = clscan_turn_at(zone, i);
#if CLSCAN_CHUNK_WORDS > 0
    clscan_chunks chunks;
#pragma unroll
    for (uint k = 0; k < CLSCAN_CHUNKS; ++k)
        clscan_chunk_put(&chunks, k, from[k]);
    return clscan_ordered(chunks.vector);
#else
    return clscan_held_ordered(*from);
#endif
}

// Its counterpart.
CLSCAN_FUNCTION void clscan_land(__local clscan_zone *zone, uint i, clscan_held v)
{
    __local clscan_landed_piece *to = clscan_turn_at(zone, i);
#if CLSCAN_CHUNK_WORDS > 0
    clscan_chunks chunks;

    chunks.vector = clscan_ordered(v);
#pragma unroll
    for (uint k = 0; k < CLSCAN_CHUNKS; ++k)
        to[k] = clscan_chunk_get(&chunks, k);
#else
    *to = clscan_ordered(v);
#endif
}

CLSCAN_FUNCTION clscan_sum clscan_landed_total(__local clscan_zone *zone, uint i)
{
    return clscan_vector_total(true, clscan_landed(zone, i), CLSCAN_VECTOR_LENGTH);
}

/// What clscan_landing_take() leaves in other layouts, from global memory.
CLSCAN_FUNCTION void clscan_turn_load(clscan_held *rows, clscan_source in)
{
    in = CLSCAN_ADVANCE(in, clscan_sub_group() * CLSCAN_PART + clscan_lane() * CLSCAN_ROWS * CLSCAN_VECTOR_LENGTH);
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
    total = clscan_landed_total(zone, 0);
#pragma unroll
    for (uint i = 1; i < CLSCAN_ROWS; ++i)
        total = clscan_join(total, clscan_landed_total(zone, i));
    return clscan_turn_combine(zone, total, base);
}

/// Scan the tile onto `prefix`, which precedes the part, and store it. What has landed takes the tile's place, if
/// `take`; then the zone may be filled again.
CLSCAN_FUNCTION void clscan_turn_store(clscan_tile *tile, __local clscan_zone *zone, clscan_sink out,
                                       clscan_prefix prefix, bool take)
{
    const uint vector = clscan_lane() / CLSCAN_LANDING_PIECES, piece = clscan_lane() % CLSCAN_LANDING_PIECES;
    const uint vectors = CLSCAN_SUB_GROUP_SIZE / CLSCAN_LANDING_PIECES;
    __local const uint4 *from = CLSCAN_LANDING_PART(zone);

    if (clscan_lane() > 0)
        prefix = clscan_extend(prefix, tile->bases[0]);
#pragma unroll
    for (uint i = 0; i < CLSCAN_ROWS; ++i) {
        CLSCAN_T elements[CLSCAN_VECTOR_LENGTH];

        clscan_unpack(tile->rows[i], elements);
#pragma unroll
        for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
            elements[c] = clscan_step(&prefix, elements[c]);
        if (take)
            tile->rows[i] = clscan_landed(zone, i);
        clscan_land(zone, i, clscan_pack(elements));
    }
    clscan_sub_group_meet();
    out = CLSCAN_ADVANCE(out, clscan_sub_group() * CLSCAN_PART + vector * CLSCAN_VECTOR_LENGTH);
#pragma unroll
    for (uint i = 0; i < CLSCAN_ROWS * CLSCAN_LANDING_PIECES; ++i) {
        clscan_sink to = CLSCAN_VECTOR_AT(CLSCAN_ADVANCE(out, i * vectors * CLSCAN_VECTOR_LENGTH), 0);
        ((__global uint4 *)to)[piece] = from[clscan_landing_place(i)];
    }
    clscan_sub_group_meet();
}
#endif
