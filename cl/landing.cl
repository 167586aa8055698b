// The landing zone of tile body `subgroup_rows`: the next tile is copied from global into local memory while this one
// is scanned, without passing through registers (PTX cp.async, compute capability 8.0 and newer). Each work-item
// copies the 16-byte vectors that it will read itself, so it waits for nobody else. Whole tiles only.
CLSCAN_FUNCTION uint clscan_landing_place(uint row)
{
    return row * CLSCAN_WORK_GROUP_SIZE + (uint)get_local_id(0);
}

/// Begin to copy a tile. This work-item has read the zone's last content.
CLSCAN_FUNCTION void clscan_landing_begin(__local clscan_zone *zone, __global const CLSCAN_T *in)
{
#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row)
        __asm__ volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                             (uint)(ulong)(zone->landing + clscan_landing_place(row))),
                         "l"(CLSCAN_VECTOR_AT(in, clscan_row_place(row)))
                         : "memory");
    __asm__ volatile("cp.async.commit_group;" ::: "memory");
}

CLSCAN_FUNCTION clscan_held clscan_landed(__local clscan_zone *zone, uint row)
{
    return clscan_held_ordered(zone->landing[clscan_landing_place(row)]);
}

/// Wait for the tile and return its total to every work-item; `left` receives what its parts before this one have.
CLSCAN_FUNCTION CLSCAN_A clscan_landing_total(CLSCAN_A *left, __local clscan_zone *zone)
{
    CLSCAN_A total = (CLSCAN_A)0;

    __asm__ volatile("cp.async.wait_group 0;" ::: "memory");
#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row) {
        CLSCAN_A sum = clscan_vector_total(true, clscan_landed(zone, row), CLSCAN_VECTOR_LENGTH);
#if !CLSCAN_COMMUTATIVE
        sum = clscan_sub_group_total(zone->scratch, sum, CLSCAN_SUB_GROUP_SIZE);
#endif
        total = row > 0 ? clscan_combine(total, sum) : sum;
    }
#if CLSCAN_COMMUTATIVE
    total = clscan_sub_group_total(zone->scratch, total, CLSCAN_SUB_GROUP_SIZE);
#endif
    return clscan_sub_groups_scan(zone->scratch, total, CLSCAN_SUB_GROUPS, left);
}

/// Take the rows out of the zone, which may be filled again then.
CLSCAN_FUNCTION void clscan_landing_take(clscan_held *rows, __local clscan_zone *zone)
{
#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row)
        rows[row] = clscan_landed(zone, row);
}
