// The landing zone of tile body `subgroup_rows`: the next tile is copied from global into local memory while this one
// is scanned, without passing through registers (PTX cp.async, compute capability 8.0 and newer). Each sub-group copies
// the vectors of its part, 16 bytes a lane at a time. Whole tiles only.
#if !CLSCAN_PLAIN && !CLSCAN_STAYS
#error "landing zones are for elements that stay as they are in memory"
#endif
#define CLSCAN_PART_VECTORS (CLSCAN_ROWS * CLSCAN_SUB_GROUP_SIZE)

// Of a vector.
#define CLSCAN_LANDING_PIECES (CLSCAN_T_BYTES * CLSCAN_VECTOR_LENGTH / 16)

// Where a vector's piece comes from.
#if CLSCAN_PLAIN
#define CLSCAN_LANDING_FROM(cursor, piece) (CLSCAN_VECTOR_AT(cursor, 0) + piece * (16 / CLSCAN_T_BYTES))
#else
#define CLSCAN_LANDING_FROM(cursor, piece) \
    ((__global const uchar *)CLSCAN_VECTOR_AT((cursor), 0) + (piece)*16)
#endif

// What other lanes of the sub-group have done with the zone, this one sees.
CLSCAN_FUNCTION void clscan_landing_meet(void)
{
    __asm__ volatile("bar.warp.sync 0xffffffff;" ::: "memory");
}

/// Begin to copy a tile. This work-item has read the zone's last content, and so have the others of its sub-group.
CLSCAN_FUNCTION void clscan_landing_begin(__local clscan_zone *zone, clscan_source in)
{
    const uint vector = clscan_lane() / CLSCAN_LANDING_PIECES, piece = clscan_lane() % CLSCAN_LANDING_PIECES;
    const uint vectors = CLSCAN_SUB_GROUP_SIZE / CLSCAN_LANDING_PIECES;
    __local clscan_held *part = zone->landing + clscan_sub_group() * CLSCAN_PART_VECTORS + vector;

    in = CLSCAN_ADVANCE(in, clscan_sub_group() * CLSCAN_PART + vector * CLSCAN_VECTOR_LENGTH);
#pragma unroll
    for (uint i = 0; i < CLSCAN_ROWS * CLSCAN_LANDING_PIECES; ++i)
        __asm__ volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                             (uint)(ulong)(part + i * vectors) + piece * 16),
                         "l"(CLSCAN_LANDING_FROM(CLSCAN_ADVANCE(in, i * vectors * CLSCAN_VECTOR_LENGTH), piece))
                         : "memory");
    __asm__ volatile("cp.async.commit_group;" ::: "memory");
}

// The vector of the part, counted in the order of the scan.
CLSCAN_FUNCTION clscan_held clscan_landed(__local clscan_zone *zone, uint vector)
{
#if !CLSCAN_PLAIN && CLSCAN_CHUNK_WORDS > 0
    __local const clscan_chunk *from =
        (__local const clscan_chunk *)(zone->landing + clscan_sub_group() * CLSCAN_PART_VECTORS + vector);
    clscan_chunks chunks;
#pragma unroll
    for (uint i = 0; i < CLSCAN_CHUNKS; ++i)
        clscan_chunk_put(&chunks, i, from[i]);
    return clscan_ordered(chunks.vector);
#else
    return clscan_held_ordered(zone->landing[clscan_sub_group() * CLSCAN_PART_VECTORS + vector]);
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
    clscan_landing_meet();
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
    clscan_landing_meet();
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
    clscan_landing_meet();
#endif
}
