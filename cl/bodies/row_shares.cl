// What each work-item has of a whole tile of body `subgroup_rows`, combined: all that a reduction needs where operands
// may be reordered. All of the tile's vectors are under way at once, and work-items do not meet.
#define CLSCAN_TILE_HAS_SHARES CLSCAN_COMMUTATIVE

#if CLSCAN_TILE_HAS_SHARES
/// in  cursor at the first element of a tile for which clscan_tile_is_whole() holds
CLSCAN_FUNCTION clscan_sum clscan_tile_share(clscan_source in)
{
    clscan_held rows[CLSCAN_ROWS];
    clscan_sum share = CLSCAN_NO_SUM;

    clscan_rows_load(true, rows, in, CLSCAN_TILE);
#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row) {
        const clscan_sum sum = clscan_vector_total(true, rows[row], CLSCAN_VECTOR_LENGTH);
        share = row > 0 ? clscan_join(share, sum) : sum;
    }
    return share;
}
#endif
