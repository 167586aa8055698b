// The landing zone of tile body `subgroup_rows`: the next tile is copied from global into local memory while this one
// is scanned, without passing through registers (PTX cp.async, compute capability 8.0 and newer). Each work-item
// copies the 16-byte vectors of its rows. Whole tiles only.
#define CLSCAN_PART_VECTORS (CLSCAN_ROWS * CLSCAN_SUB_GROUP_SIZE)

/// Begin to copy a tile. This work-item has read the zone's last content, and so have the others of its sub-group.
CLSCAN_FUNCTION void clscan_landing_begin(__local clscan_zone *zone, __global const CLSCAN_T *in)
{
    __local clscan_held *part = zone->landing + clscan_sub_group() * CLSCAN_PART_VECTORS + clscan_lane();

#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row)
        __asm__ volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                             (uint)(ulong)(part + row * CLSCAN_SUB_GROUP_SIZE)),
                         "l"(CLSCAN_VECTOR_AT(CLSCAN_ROW_CURSOR(in, row), 0))
                         : "memory");
    __asm__ volatile("cp.async.commit_group;" ::: "memory");
}

// The vector of the part, counted in the order of the scan.
CLSCAN_FUNCTION clscan_held clscan_landed(__local clscan_zone *zone, uint vector)
{
    return clscan_held_ordered(zone->landing[clscan_sub_group() * CLSCAN_PART_VECTORS + vector]);
}

/// Wait for the tile and return its total to every work-item; `left` receives what its parts before this one have.
CLSCAN_FUNCTION CLSCAN_A clscan_landing_total(CLSCAN_A *left, __local clscan_zone *zone)
{
    // Where the order of operands counts, a lane combines vectors that follow each other: so the sub-group combines
    // once, and not for each row. For odd numbers of rows these vectors lie in different banks.
    const uint first = CLSCAN_COMMUTATIVE ? clscan_lane() : clscan_lane() * CLSCAN_ROWS;
    const uint step = CLSCAN_COMMUTATIVE ? CLSCAN_SUB_GROUP_SIZE : 1;
    CLSCAN_A total = (CLSCAN_A)0;

    __asm__ volatile("cp.async.wait_group 0;" ::: "memory");
#if !CLSCAN_COMMUTATIVE
    __asm__ volatile("bar.warp.sync 0xffffffff;" ::: "memory");
#endif
#pragma unroll
    for (uint i = 0; i < CLSCAN_ROWS; ++i) {
        const CLSCAN_A sum = clscan_vector_total(true, clscan_landed(zone, first + i * step), CLSCAN_VECTOR_LENGTH);
        total = i > 0 ? clscan_combine(total, sum) : sum;
    }
    return clscan_sub_groups_scan(zone->scratch,
                                  clscan_sub_group_total(zone->scratch, total, CLSCAN_SUB_GROUP_SIZE),
                                  CLSCAN_SUB_GROUPS, left);
}

/// Take the rows out of the zone, which may be filled again then.
CLSCAN_FUNCTION void clscan_landing_take(clscan_held *rows, __local clscan_zone *zone)
{
#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row)
        rows[row] = clscan_landed(zone, row * CLSCAN_SUB_GROUP_SIZE + clscan_lane());
}
