// The landing zone of tile body `subgroup_rows`: the next tile is copied from global into local memory while this one is
// scanned, without passing through registers (PTX cp.async, compute capability 8.0 and newer). Each work-item copies the
// 16-byte vectors that it will read itself, so it waits for nobody else.
//
// Tiles that are not whole or not aligned take the ordinary way instead, each time they are asked for.
CLSCAN_FUNCTION bool clscan_lands(__global const CLSCAN_T *in, uint valid)
{
    return valid == CLSCAN_TILE && clscan_aligned(in);
}

CLSCAN_FUNCTION uint clscan_landing_place(uint row)
{
    return row * CLSCAN_WORK_GROUP_SIZE + (uint)get_local_id(0);
}

/// Begin to copy a tile. The zone's last content was read by this work-item.
CLSCAN_FUNCTION void clscan_landing_begin(__local clscan_zone *zone, __global const CLSCAN_T *in, uint valid)
{
    if (clscan_lands(in, valid)) {
#pragma unroll
        for (uint row = 0; row < CLSCAN_ROWS; ++row)
            __asm__ volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                                 (uint)(ulong)(zone->landing + clscan_landing_place(row))),
                             "l"(CLSCAN_VECTOR_AT(in, clscan_row_place(row)))
                             : "memory");
    }
    __asm__ volatile("cp.async.commit_group;" ::: "memory");
}

/// Wait for a tile and return its total to every work-item; sets tile->left.
CLSCAN_FUNCTION CLSCAN_A clscan_landing_total(clscan_tile *tile, __local clscan_zone *zone,
                                              __global const CLSCAN_T *in, uint valid)
{
    clscan_tile landed;
    CLSCAN_A total;

    __asm__ volatile("cp.async.wait_group 0;" ::: "memory");
    if (clscan_lands(in, valid)) {
#if CLSCAN_COMMUTATIVE
        total = clscan_vector_total(true, clscan_ordered(zone->landing[clscan_landing_place(0)]), CLSCAN_VECTOR_LENGTH);
#pragma unroll
        for (uint row = 1; row < CLSCAN_ROWS; ++row)
            total = clscan_combine(total, clscan_vector_total(true, clscan_ordered(zone->landing[clscan_landing_place(row)]),
                                                              CLSCAN_VECTOR_LENGTH));
        total = clscan_shuffle(clscan_sub_group_scan(total, CLSCAN_SUB_GROUP_SIZE), CLSCAN_SUB_GROUP_SIZE - 1);
#else
#pragma unroll
        for (uint row = 0; row < CLSCAN_ROWS; ++row)
            landed.rows[row] = clscan_ordered(zone->landing[clscan_landing_place(row)]);
        total = clscan_rows_scan(&landed, valid);
#endif
    } else {
        clscan_rows_load(landed.rows, in, valid);
        total = clscan_rows_scan(&landed, valid);
    }
    return clscan_sub_groups_scan(zone->scratch, total, clscan_parts(valid), &tile->left);
}

/// Take the rows of a tile out of the zone, which may be filled again then.
CLSCAN_FUNCTION void clscan_landing_take(clscan_tile *tile, __local clscan_zone *zone, __global const CLSCAN_T *in,
                                         uint valid)
{
    if (clscan_lands(in, valid)) {
#pragma unroll
        for (uint row = 0; row < CLSCAN_ROWS; ++row)
            tile->rows[row] = clscan_ordered(zone->landing[clscan_landing_place(row)]);
    } else {
        clscan_rows_load(tile->rows, in, valid);
    }
}
