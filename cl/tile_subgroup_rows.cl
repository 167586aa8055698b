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

typedef struct clscan_zone {
    CLSCAN_A scratch[CLSCAN_SCRATCH];
#if CLSCAN_LANDING_ZONES > 0
    clscan_vector landing[CLSCAN_ROWS * CLSCAN_WORK_GROUP_SIZE];
#endif
} clscan_zone;

typedef struct clscan_tile {
    clscan_vector rows[CLSCAN_ROWS];
    CLSCAN_A bases[CLSCAN_ROWS]; // what precedes each vector in its part; there for all but the part's first
    CLSCAN_A left;               // the parts before this one; there for all but the first
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
    CLSCAN_T elements[CLSCAN_VECTOR_LENGTH];
#pragma unroll
    for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
        elements[c] = c < exist ? *CLSCAN_AT(in, k + c) : (CLSCAN_T)0;
    return clscan_pack(elements);
}

CLSCAN_FUNCTION uint clscan_lane_elements(uint row_elements)
{
    const uint first = clscan_lane() * CLSCAN_VECTOR_LENGTH;
    return row_elements > first ? min(row_elements - first, (uint)CLSCAN_VECTOR_LENGTH) : 0;
}

// `aligned` is a constant: one branch for all loads keeps them in flight together.
CLSCAN_FUNCTION void clscan_rows_load_full(clscan_vector *rows, __global const CLSCAN_T *in, bool aligned)
{
#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row)
        rows[row] = clscan_load_vector(in, clscan_row_place(row), aligned);
}

CLSCAN_FUNCTION void clscan_rows_load(clscan_vector *rows, __global const CLSCAN_T *in, uint valid)
{
    if (valid == CLSCAN_TILE && clscan_aligned(in)) {
        clscan_rows_load_full(rows, in, true);
    } else if (valid == CLSCAN_TILE) {
        clscan_rows_load_full(rows, in, false);
    } else {
#pragma unroll
        for (uint row = 0; row < CLSCAN_ROWS; ++row)
            rows[row] = clscan_part_of_vector(in, clscan_row_place(row),
                                              clscan_lane_elements(clscan_row_elements(row, valid)));
    }
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

/// Scan the rows among themselves, as far as that goes without a prefix: sets tile->bases and returns the part's total to
/// all its lanes, if it has elements.
CLSCAN_FUNCTION CLSCAN_A clscan_rows_scan(clscan_tile *tile, uint valid)
{
    CLSCAN_A scanned[CLSCAN_ROWS];
    CLSCAN_A total = (CLSCAN_A)0;
    const bool full = valid == CLSCAN_TILE;

    // All rows first: their scans do not depend on each other.
#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row) {
        if (full) {
            scanned[row] = clscan_sub_group_scan(clscan_vector_total(true, tile->rows[row], CLSCAN_VECTOR_LENGTH),
                                                 CLSCAN_SUB_GROUP_SIZE);
        } else {
            const uint elements = clscan_row_elements(row, valid);
            scanned[row] =
                clscan_sub_group_scan(clscan_vector_total(false, tile->rows[row], clscan_lane_elements(elements)),
                                      (elements + CLSCAN_VECTOR_LENGTH - 1) / CLSCAN_VECTOR_LENGTH);
        }
    }
#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row) {
        const uint elements = full ? CLSCAN_ROW_COUNT : clscan_row_elements(row, valid);
        const uint lanes = (elements + CLSCAN_VECTOR_LENGTH - 1) / CLSCAN_VECTOR_LENGTH;
        const CLSCAN_A below = clscan_shuffle_up(scanned[row], 1);
        const CLSCAN_A last = clscan_shuffle(scanned[row], max(lanes, 1u) - 1);

        if (row == 0) {
            tile->bases[row] = below;
            total = last;
        } else if (full || lanes > 0) {
            tile->bases[row] = clscan_lane() == 0 ? total
                               : full || clscan_lane() < lanes ? clscan_combine(total, below)
                                                               : below;
            total = clscan_combine(total, last);
        }
    }
    return total;
}

/// Load a tile and return its total to every work-item. Parameters as in tile_strided.cl.
CLSCAN_FUNCTION CLSCAN_A clscan_tile_total(clscan_tile *tile, __local clscan_zone *zone,
                                           __global const CLSCAN_T *in, uint valid)
{
    clscan_rows_load(tile->rows, in, valid);
    return clscan_sub_groups_scan(zone->scratch, clscan_rows_scan(tile, valid), clscan_parts(valid), &tile->left);
}

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

// What precedes this lane's vector of a row.
CLSCAN_FUNCTION clscan_prefix clscan_row_prefix(const clscan_tile *tile, uint row, clscan_prefix prefix)
{
    return row > 0 || clscan_lane() > 0 ? clscan_extend(prefix, tile->bases[row]) : prefix;
}

CLSCAN_FUNCTION void clscan_rows_finish_full(clscan_tile *tile, __global CLSCAN_T *out, clscan_prefix prefix,
                                             bool aligned, bool stream)
{
#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row)
        clscan_store_vector(out, clscan_row_place(row),
                            clscan_vector_step(true, tile->rows[row], CLSCAN_VECTOR_LENGTH,
                                               clscan_row_prefix(tile, row, prefix)),
                            aligned, stream);
}

/// Scan the tile onto `prefix` and store it. Parameters as in tile_strided.cl.
CLSCAN_FUNCTION void clscan_tile_finish(clscan_tile *tile, __local clscan_zone *zone, __global CLSCAN_T *out,
                                        uint valid, clscan_prefix prefix, bool stream)
{
    if (clscan_sub_group() > 0 && clscan_sub_group() < clscan_parts(valid))
        prefix = clscan_extend(prefix, tile->left);
    if (valid == CLSCAN_TILE && clscan_aligned(out)) {
        clscan_rows_finish_full(tile, out, prefix, true, stream);
    } else if (valid == CLSCAN_TILE) {
        clscan_rows_finish_full(tile, out, prefix, false, stream);
    } else {
#pragma unroll
        for (uint row = 0; row < CLSCAN_ROWS; ++row) {
            const uint exist = clscan_lane_elements(clscan_row_elements(row, valid));
            if (exist > 0) {
                CLSCAN_T elements[CLSCAN_VECTOR_LENGTH];
                clscan_unpack(clscan_vector_step(false, tile->rows[row], exist, clscan_row_prefix(tile, row, prefix)),
                              elements);
#pragma unroll
                for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
                    if (c < exist)
                        *CLSCAN_AT(out, clscan_row_place(row) + c) = elements[c];
            }
        }
    }
}
