// Tile body `subgroup_rows`: a tile is cut into one part per sub-group, a part into rows of one vector per lane, so that
// neighbouring lanes access neighbouring vectors; the elements stay in registers and are scanned across the lanes by
// shuffles, without a transpose (LightScan, algorithms 2 and 3; Dieguez et al., figure 4).
//
// Required of the host:
//   CLSCAN_COMMUTATIVE    1 if operands may be reordered (rounding aside)
//   CLSCAN_LANDING_ZONES  1 if the next tile is copied into local memory while this one is worked on (landing.cl)
#if !defined(CLSCAN_COMMUTATIVE) || !defined(CLSCAN_LANDING_ZONES)
#error "CLSCAN_COMMUTATIVE and CLSCAN_LANDING_ZONES must be defined"
#endif
#define CLSCAN_ROWS CLSCAN_REGISTER_PIECES
#define CLSCAN_ROW_COUNT (CLSCAN_SUB_GROUP_SIZE * CLSCAN_VECTOR_LENGTH)
#define CLSCAN_PART (CLSCAN_ROWS * CLSCAN_ROW_COUNT)
#define CLSCAN_TILE ((uint)CLSCAN_SUB_GROUPS * CLSCAN_PART)

// In the reproducible order (blocks.cl) a part is a block.
#define CLSCAN_TILE_BLOCKS CLSCAN_SUB_GROUPS

typedef struct clscan_zone {
    CLSCAN_A scratch[CLSCAN_SCRATCH];
#if CLSCAN_REPRODUCIBLE
    CLSCAN_A nodes[CLSCAN_TILE_BLOCKS]; // of the tile's blocks; then the block that is cut
#endif
#if CLSCAN_LANDING_ZONES > 0
    clscan_vector landing[CLSCAN_ROWS * CLSCAN_WORK_GROUP_SIZE];
#endif
} clscan_zone;

typedef struct clscan_tile {
    clscan_vector rows[CLSCAN_ROWS];
    CLSCAN_A bases[CLSCAN_ROWS]; // what precedes each vector in its part; there for all but the part's first
    CLSCAN_A left;               // the parts before this one; there for all but the first
#if CLSCAN_REPRODUCIBLE && CLSCAN_EXCHANGE > 0
    __global const CLSCAN_T *in; // cursor at the first element
#endif
} clscan_tile;

// Position in the tile of this lane's vector of a row.
CLSCAN_FUNCTION uint clscan_row_place(uint row)
{
    return clscan_sub_group() * CLSCAN_PART + row * CLSCAN_ROW_COUNT + clscan_lane() * CLSCAN_VECTOR_LENGTH;
}

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

// One vector of which the first `exist` elements are there; the others are unspecified.
CLSCAN_FUNCTION clscan_vector clscan_part_of_vector(__global const CLSCAN_T *in, uint k, uint exist)
{
#if CLSCAN_REPRODUCIBLE
    // Vectors have 4 elements here. Intel's compiler leaves an array of narrow or wide ones in memory.
    clscan_vector v = (clscan_vector)(0);
    if (exist > 0)
        v.s0 = *CLSCAN_AT(in, k);
    if (exist > 1)
        v.s1 = *CLSCAN_AT(in, k + 1);
    if (exist > 2)
        v.s2 = *CLSCAN_AT(in, k + 2);
    if (exist > 3)
        v.s3 = *CLSCAN_AT(in, k + 3);
    return v;
#else
    CLSCAN_T elements[CLSCAN_VECTOR_LENGTH];
#pragma unroll
    for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
        elements[c] = c < exist ? *CLSCAN_AT(in, k + c) : (CLSCAN_T)0;
    return clscan_pack(elements);
#endif
}

CLSCAN_FUNCTION uint clscan_lane_elements(uint row_elements)
{
    const uint first = clscan_lane() * CLSCAN_VECTOR_LENGTH;
    return row_elements > first ? min(row_elements - first, (uint)CLSCAN_VECTOR_LENGTH) : 0;
}

// A tile is "whole" if all of its elements are there and its vectors are aligned. The functions below take that as a
// constant: what both kinds need in one piece of code costs twice the registers.
CLSCAN_FUNCTION bool clscan_tile_is_whole(__global const CLSCAN_T *at, uint valid)
{
    return valid == CLSCAN_TILE && clscan_aligned(at);
}

CLSCAN_FUNCTION clscan_vector clscan_row_load(bool whole, __global const CLSCAN_T *in, uint row, uint valid)
{
    return whole ? clscan_load_vector(in, clscan_row_place(row), true)
                 : clscan_part_of_vector(in, clscan_row_place(row),
                                         clscan_lane_elements(clscan_row_elements(row, valid)));
}

CLSCAN_FUNCTION void clscan_rows_load(bool whole, clscan_vector *rows, __global const CLSCAN_T *in, uint valid)
{
#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row)
        rows[row] = clscan_row_load(whole, in, row, valid);
}

// Load a whole tile, or none, where callers go on without one; elsewhere they do not.
CLSCAN_FUNCTION void clscan_rows_load_if(bool present, clscan_vector *rows, __global const CLSCAN_T *in)
{
    if (CLSCAN_EXCHANGE == 0 || present)
        clscan_rows_load(true, rows, in, CLSCAN_TILE);
    else
        clscan_rows_load(false, rows, in, 0);
}

// The combination of the first `exist` elements of a vector; at least one.
CLSCAN_FUNCTION CLSCAN_A clscan_vector_total(bool full, clscan_vector v, uint exist)
{
    CLSCAN_T elements[CLSCAN_VECTOR_LENGTH];
    CLSCAN_A sum;

    clscan_unpack(v, elements);
    sum = clscan_widen(elements[0]);
#pragma unroll
    for (uint c = 1; c < CLSCAN_VECTOR_LENGTH; ++c)
        if (full || c < exist)
            sum = clscan_combine(sum, clscan_widen(elements[c]));
    return sum;
}

// Lanes that have elements of a row.
CLSCAN_FUNCTION uint clscan_row_lanes(bool whole, uint row, uint valid)
{
    return whole ? CLSCAN_SUB_GROUP_SIZE
                 : (clscan_row_elements(row, valid) + CLSCAN_VECTOR_LENGTH - 1) / CLSCAN_VECTOR_LENGTH;
}

// The sums of a row's vectors, scanned across the lanes.
CLSCAN_FUNCTION CLSCAN_A clscan_row_scan(bool whole, __local clscan_zone *zone, clscan_vector v, uint row, uint valid)
{
    const uint exist = whole ? CLSCAN_VECTOR_LENGTH : clscan_lane_elements(clscan_row_elements(row, valid));
    return clscan_sub_group_scan(zone->scratch, clscan_vector_total(whole, v, exist), clscan_row_lanes(whole, row, valid));
}

/// Scan the rows among themselves, as far as that goes without a prefix: sets tile->bases and returns the part's total to
/// all its lanes, if it has elements.
CLSCAN_FUNCTION CLSCAN_A clscan_rows_scan(bool whole, clscan_tile *tile, __local clscan_zone *zone, uint valid)
{
    CLSCAN_A scanned[CLSCAN_ROWS];
    CLSCAN_A total = (CLSCAN_A)0;

    // All rows first: their scans do not depend on each other.
#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row)
        scanned[row] = clscan_row_scan(whole, zone, tile->rows[row], row, valid);
#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row) {
        const uint lanes = clscan_row_lanes(whole, row, valid);
        const CLSCAN_A below = clscan_shuffle_up(zone->scratch, scanned[row], 1);
        const CLSCAN_A last = clscan_shuffle(zone->scratch, scanned[row], max(lanes, 1u) - 1);

        tile->bases[row] = below;
        if (row == 0) {
            total = last;
        } else if (lanes > 0) {
            if (clscan_lane() == 0)
                tile->bases[row] = total;
            else if (clscan_lane() < lanes)
                tile->bases[row] = clscan_combine(total, below);
            total = clscan_combine(total, last);
        }
    }
    return total;
}

#if CLSCAN_REPRODUCIBLE
// Make nodes of the parts' totals. Returns the tile's total, if it is full.
CLSCAN_FUNCTION CLSCAN_A clscan_blocks_combine(__local CLSCAN_A *nodes, CLSCAN_A total, uint valid)
{
    if (clscan_lane() == 0)
        nodes[clscan_sub_group()] = total;
    clscan_nodes_sweep(nodes, CLSCAN_TILE_BLOCKS, 0, valid / CLSCAN_BLOCK);
    return nodes[CLSCAN_TILE_BLOCKS - 1];
}

// What precedes this sub-group's block.
CLSCAN_FUNCTION clscan_prefix clscan_block_prefix(__local const CLSCAN_A *nodes, uint valid, clscan_prefix prefix)
{
    return clscan_nodes_before(nodes, CLSCAN_TILE_BLOCKS, min(clscan_sub_group(), valid / CLSCAN_BLOCK), prefix);
}
#endif

// The outputs of one vector whose first `exist` elements are there.
CLSCAN_FUNCTION clscan_vector clscan_vector_step(bool full, clscan_vector v, uint exist, clscan_prefix prefix)
{
    CLSCAN_T elements[CLSCAN_VECTOR_LENGTH];

    clscan_unpack(v, elements);
#pragma unroll
    for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
        if (full || c < exist)
            elements[c] = clscan_step(&prefix, elements[c]);
    return clscan_pack(elements);
}

// What precedes this lane's vector of a row; `base` is of tile->bases.
CLSCAN_FUNCTION clscan_prefix clscan_row_prefix(uint row, CLSCAN_A base, clscan_prefix prefix)
{
    return row > 0 || clscan_lane() > 0 ? clscan_extend(prefix, base) : prefix;
}

CLSCAN_FUNCTION clscan_prefix clscan_part_prefix(CLSCAN_A left, uint valid, clscan_prefix prefix)
{
    return clscan_sub_group() > 0 && clscan_sub_group() < clscan_parts(valid) ? clscan_extend(prefix, left) : prefix;
}

// Scan a row onto what precedes this lane's vector, and store it.
CLSCAN_FUNCTION void clscan_row_store(bool whole, __global CLSCAN_T *out, clscan_vector v, uint row, uint valid,
                                      clscan_prefix prefix, bool stream)
{
    const uint exist = whole ? CLSCAN_VECTOR_LENGTH : clscan_lane_elements(clscan_row_elements(row, valid));
    CLSCAN_T elements[CLSCAN_VECTOR_LENGTH];

    clscan_unpack(clscan_vector_step(whole, v, exist, prefix), elements);
    if (whole) {
        clscan_store_vector(out, clscan_row_place(row), clscan_pack(elements), true, stream);
        return;
    }
#pragma unroll
    for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
        if (c < exist)
            *CLSCAN_AT(out, clscan_row_place(row) + c) = elements[c];
}

CLSCAN_FUNCTION void clscan_rows_store(bool whole, clscan_tile *tile, __global CLSCAN_T *out, uint valid,
                                       clscan_prefix prefix, bool stream)
{
#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row)
        clscan_row_store(whole, out, tile->rows[row], row, valid, clscan_row_prefix(row, tile->bases[row], prefix),
                         stream);
}

#if CLSCAN_REPRODUCIBLE
// Row by row and without keeping them, in few registers.

// Make nodes of a tile's blocks; returns its total, if it is full.
CLSCAN_FUNCTION CLSCAN_A clscan_tile_reduce_blocks(__local CLSCAN_A *nodes, __local clscan_zone *zone,
                                                   __global const CLSCAN_T *in, uint valid)
{
    CLSCAN_A total = (CLSCAN_A)0;

#pragma unroll 1
    for (uint row = 0; row < CLSCAN_ROWS; ++row) {
        const uint lanes = clscan_row_lanes(false, row, valid);
        const CLSCAN_A scanned = clscan_row_scan(false, zone, clscan_row_load(false, in, row, valid), row, valid);
        const CLSCAN_A last = clscan_shuffle(zone->scratch, scanned, max(lanes, 1u) - 1);
        if (lanes > 0)
            total = row > 0 ? clscan_combine(total, last) : last;
    }
    return clscan_blocks_combine(nodes, total, valid);
}

// Scan the first `exist` elements of a vector onto `prefix`, and store them.
CLSCAN_FUNCTION void clscan_part_store(__global CLSCAN_T *out, uint k, clscan_vector v, uint exist, clscan_prefix prefix)
{
    if (exist > 0)
        *CLSCAN_AT(out, k) = clscan_step(&prefix, v.s0);
    if (exist > 1)
        *CLSCAN_AT(out, k + 1) = clscan_step(&prefix, v.s1);
    if (exist > 2)
        *CLSCAN_AT(out, k + 2) = clscan_step(&prefix, v.s2);
    if (exist > 3)
        *CLSCAN_AT(out, k + 3) = clscan_step(&prefix, v.s3);
}

// Scan a tile whose blocks have nodes onto `prefix`, from the input.
CLSCAN_FUNCTION void clscan_tile_rescan_blocks(__local const CLSCAN_A *nodes, __local clscan_zone *zone,
                                               __global const CLSCAN_T *in, __global CLSCAN_T *out, uint valid,
                                               clscan_prefix prefix)
{
    clscan_prefix rows = clscan_nothing();

    prefix = clscan_block_prefix(nodes, valid, prefix);
#pragma unroll 1
    for (uint row = 0; row < CLSCAN_ROWS; ++row) {
        const uint lanes = clscan_row_lanes(false, row, valid);
        const clscan_vector v = clscan_row_load(false, in, row, valid);
        const CLSCAN_A scanned = clscan_row_scan(false, zone, v, row, valid);
        const CLSCAN_A below = clscan_shuffle_up(zone->scratch, scanned, 1);
        const CLSCAN_A last = clscan_shuffle(zone->scratch, scanned, max(lanes, 1u) - 1);

        if (clscan_lane() < lanes) {
            const CLSCAN_A base = clscan_lane() == 0 ? rows.value : clscan_extend(rows, below).value;
            clscan_part_store(out, clscan_row_place(row), v, clscan_lane_elements(clscan_row_elements(row, valid)),
                              clscan_row_prefix(row, base, prefix));
        }
        if (lanes > 0)
            rows = clscan_extend(rows, last);
    }
}
#endif

#if CLSCAN_REPRODUCIBLE && CLSCAN_EXCHANGE > 0
// Without shuffles a row takes so much code that compilers leave the loops over rows rolled, and rows in memory. So tiles
// are read twice here.

/// As below.
CLSCAN_FUNCTION CLSCAN_A clscan_tile_total(clscan_tile *tile, __local clscan_zone *zone,
                                           __global const CLSCAN_T *in, uint valid)
{
    tile->in = in;
    return clscan_tile_reduce_blocks(zone->nodes, zone, in, valid);
}

CLSCAN_FUNCTION void clscan_tile_finish(clscan_tile *tile, __local clscan_zone *zone, __global CLSCAN_T *out,
                                        uint valid, clscan_prefix prefix, bool stream)
{
    clscan_tile_rescan_blocks(zone->nodes, zone, tile->in, out, valid, prefix);
}
#else
/// Load a tile and return its total to every work-item. Parameters as in tile_strided.cl.
CLSCAN_FUNCTION CLSCAN_A clscan_tile_total(clscan_tile *tile, __local clscan_zone *zone,
                                           __global const CLSCAN_T *in, uint valid)
{
    CLSCAN_A total;

    if (clscan_tile_is_whole(in, valid)) {
        clscan_rows_load(true, tile->rows, in, valid);
        total = clscan_rows_scan(true, tile, zone, valid);
    } else {
        clscan_rows_load(false, tile->rows, in, valid);
        total = clscan_rows_scan(false, tile, zone, valid);
    }
#if CLSCAN_REPRODUCIBLE
    return clscan_blocks_combine(zone->nodes, total, valid);
#else
    return clscan_sub_groups_scan(zone->scratch, total, clscan_parts(valid), &tile->left);
#endif
}

/// Scan the tile onto `prefix` and store it. Parameters as in tile_strided.cl.
CLSCAN_FUNCTION void clscan_tile_finish(clscan_tile *tile, __local clscan_zone *zone, __global CLSCAN_T *out,
                                        uint valid, clscan_prefix prefix, bool stream)
{
#if CLSCAN_REPRODUCIBLE
    prefix = clscan_block_prefix(zone->nodes, valid, prefix);
#else
    prefix = clscan_part_prefix(tile->left, valid, prefix);
#endif
    if (clscan_tile_is_whole(out, valid))
        clscan_rows_store(true, tile, out, valid, prefix, stream);
    else
        clscan_rows_store(false, tile, out, valid, prefix, stream);
}
#endif

// Tiles that are not whole, row by row and without keeping them, in few registers: for use while another tile is held.

/// As clscan_tile_total(), but keeps `left` only.
CLSCAN_FUNCTION CLSCAN_A clscan_tile_reduce(CLSCAN_A *left, __local clscan_zone *zone, __global const CLSCAN_T *in,
                                            uint valid)
{
    CLSCAN_A total = (CLSCAN_A)0;

#pragma unroll 1
    for (uint row = 0; row < CLSCAN_ROWS; ++row) {
        const uint lanes = clscan_row_lanes(false, row, valid);
        const CLSCAN_A scanned = clscan_row_scan(false, zone, clscan_row_load(false, in, row, valid), row, valid);
        const CLSCAN_A last = clscan_shuffle(zone->scratch, scanned, max(lanes, 1u) - 1);
        if (lanes > 0)
            total = row > 0 ? clscan_combine(total, last) : last;
    }
    return clscan_sub_groups_scan(zone->scratch, total, clscan_parts(valid), left);
}

/// As clscan_tile_finish(), from the input.
CLSCAN_FUNCTION void clscan_tile_rescan(CLSCAN_A left, __local clscan_zone *zone, __global const CLSCAN_T *in, __global CLSCAN_T *out, uint valid,
                                        clscan_prefix prefix)
{
    prefix = clscan_part_prefix(left, valid, prefix);
#pragma unroll 1
    for (uint row = 0; row < CLSCAN_ROWS; ++row) {
        const uint lanes = clscan_row_lanes(false, row, valid);
        const clscan_vector v = clscan_row_load(false, in, row, valid);
        const CLSCAN_A scanned = clscan_row_scan(false, zone, v, row, valid);
        const CLSCAN_A below = clscan_shuffle_up(zone->scratch, scanned, 1);
        const CLSCAN_A last = clscan_shuffle(zone->scratch, scanned, max(lanes, 1u) - 1);

        if (clscan_lane() < lanes)
            clscan_row_store(false, out, v, row, valid, clscan_lane() > 0 ? clscan_extend(prefix, below) : prefix, false);
        if (lanes > 0)
            prefix = clscan_extend(prefix, last);
    }
}
