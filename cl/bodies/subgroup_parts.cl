// Tile body `subgroup_rows`: how a tile is cut. Its rows are in bodies/held_rows.cl or, of selections, in
// bodies/kept_rows.cl and bodies/kept_marks.cl; the body itself is in bodies/subgroup_rows.cl.
//
// Required of the host:
//   CLSCAN_COMMUTATIVE    1 if operands may be reordered (rounding aside)
//   CLSCAN_LANDING_ZONES  1 if the next tile is copied into local memory meanwhile (bodies/landing.cl)
#if !defined(CLSCAN_COMMUTATIVE) || !defined(CLSCAN_LANDING_ZONES)
#error "CLSCAN_COMMUTATIVE and CLSCAN_LANDING_ZONES must be defined"
#endif
#define CLSCAN_ROWS CLSCAN_REGISTER_PIECES
#define CLSCAN_ROW_COUNT (CLSCAN_SUB_GROUP_SIZE * CLSCAN_VECTOR_LENGTH)
#define CLSCAN_PART (CLSCAN_ROWS * CLSCAN_ROW_COUNT)
#define CLSCAN_TILE ((uint)CLSCAN_SUB_GROUPS * CLSCAN_PART)

// In the reproducible order (reproducible/nodes.cl) a part is a block.
#define CLSCAN_TILE_BLOCKS CLSCAN_SUB_GROUPS

// Position in the tile of this lane's vector of a row.
CLSCAN_FUNCTION uint clscan_row_place(uint row)
{
    return clscan_sub_group() * CLSCAN_PART + row * CLSCAN_ROW_COUNT + clscan_lane() * CLSCAN_VECTOR_LENGTH;
}

// The cursor there, from that of the tile. Rows stand at constant distances, so that all of them need one address.
#define CLSCAN_ROW_CURSOR(cursor, row) \
    CLSCAN_ADVANCE(CLSCAN_ADVANCE((cursor), clscan_row_place(0)), (row) * CLSCAN_ROW_COUNT)

// Elements of the row that exist, in a tile of which the first `valid` do.
CLSCAN_FUNCTION uint clscan_row_elements(uint row, uint valid)
{
    const uint first = clscan_sub_group() * CLSCAN_PART + row * CLSCAN_ROW_COUNT;
    return valid > first ? min(valid - first, (uint)CLSCAN_ROW_COUNT) : 0;
}

// Parts of the tile that have elements.
CLSCAN_FUNCTION uint clscan_parts(uint valid)
{
    return (valid + CLSCAN_PART - 1) / CLSCAN_PART;
}

CLSCAN_FUNCTION uint clscan_lane_elements(uint row_elements)
{
    const uint first = clscan_lane() * CLSCAN_VECTOR_LENGTH;
    return row_elements > first ? min(row_elements - first, (uint)CLSCAN_VECTOR_LENGTH) : 0;
}

// A tile is "whole" if all of its elements are there and its vectors are aligned. The functions below take that as a
// constant: what both kinds need in one piece of code costs twice the registers.
CLSCAN_FUNCTION bool clscan_tile_is_whole(clscan_source in, uint valid)
{
    return valid == CLSCAN_TILE && clscan_source_aligned(in);
}

// The same of its output, whose vectors may be aligned in another way.
CLSCAN_FUNCTION bool clscan_output_is_whole(clscan_sink out, uint valid)
{
    return valid == CLSCAN_TILE && clscan_sink_aligned(out);
}

// Lanes that have elements of a row.
CLSCAN_FUNCTION uint clscan_row_lanes(bool whole, uint row, uint valid)
{
    return whole ? CLSCAN_SUB_GROUP_SIZE
                 : (clscan_row_elements(row, valid) + CLSCAN_VECTOR_LENGTH - 1) / CLSCAN_VECTOR_LENGTH;
}
