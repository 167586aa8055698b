// Tile body `subgroup_rows`: a tile is cut into one part per sub-group, a part into rows of one vector per lane, so
// that neighbouring lanes access neighbouring vectors; the elements stay in registers and are scanned across the
// lanes by shuffles, without a transpose (LightScan, algorithms 2 and 3; Dieguez et al., figure 4).
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

typedef struct clscan_zone {
#if CLSCAN_LANDING_ZONES > 0
    // Begins with a line of local memory: elsewhere sums of 2^28 int take up to an eighth longer on an H200.
    clscan_held landing[CLSCAN_ROWS * CLSCAN_WORK_GROUP_SIZE] __attribute__((aligned(128)));
#endif
    clscan_sum scratch[CLSCAN_SCRATCH];
} clscan_zone;

// Elements of a register's size are scanned where they are, within their part, before the prefix is known. Narrower
// ones stay packed as they were loaded, each vector with what precedes it in its part.
// In the reproducible order the prefix comes first.
#if CLSCAN_PLAIN
#define CLSCAN_SCANNED_ROWS (CLSCAN_A_BYTES >= 4 && !CLSCAN_HALF && !CLSCAN_REPRODUCIBLE)
#else
#define CLSCAN_SCANNED_ROWS (CLSCAN_STAYS && CLSCAN_A_BYTES >= 4)
#endif

typedef struct clscan_tile {
    clscan_held rows[CLSCAN_ROWS];
    clscan_sum bases[CLSCAN_ROWS]; // without CLSCAN_SCANNED_ROWS; there for all vectors but the part's first
    clscan_sum left;               // for clscan_part_prefix()
#if CLSCAN_REPRODUCIBLE && CLSCAN_EXCHANGE > 0
    clscan_source in; // cursor at the first element
#endif
} clscan_tile;

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

// One vector of which the first `exist` elements are there; the others are 0.
CLSCAN_FUNCTION clscan_held clscan_part_of_vector(clscan_source in, uint k, uint exist)
{
#if CLSCAN_REPRODUCIBLE
    // Vectors have 4 elements here. Intel's compiler leaves an array of narrow or wide ones in memory.
    clscan_vector v = (clscan_vector)(0);
    if (exist > 0)
        v.s0 = clscan_read(in, k);
    if (exist > 1)
        v.s1 = clscan_read(in, k + 1);
    if (exist > 2)
        v.s2 = clscan_read(in, k + 2);
    if (exist > 3)
        v.s3 = clscan_read(in, k + 3);
    return clscan_hold(v);
#else
#if CLSCAN_PLAIN
    clscan_cell cells[CLSCAN_CELLS] = {0};
#else
    clscan_cell cells[CLSCAN_CELLS];
#pragma unroll
    for (uint c = 0; c < CLSCAN_CELLS; ++c)
        cells[c] = CLSCAN_NO_ELEMENT;
#endif
#pragma unroll
    for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
        if (c < exist)
            clscan_cell_set(cells, c, clscan_read(in, k + c));
    return clscan_cells_held(cells);
#endif
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

CLSCAN_FUNCTION clscan_held clscan_row_load(bool whole, clscan_source in, uint row, uint valid)
{
    uint exist;

    if (whole)
        return clscan_load_held(CLSCAN_ROW_CURSOR(in, row), true);
    exist = clscan_lane_elements(clscan_row_elements(row, valid));
#if CLSCAN_REPRODUCIBLE
    // Intel's compiler has no registers left for another address.
    return clscan_part_of_vector(in, clscan_row_place(row), exist);
#else
    return clscan_part_of_vector(CLSCAN_ROW_CURSOR(in, row), 0, exist);
#endif
}

CLSCAN_FUNCTION void clscan_rows_load(bool whole, clscan_held *rows, clscan_source in, uint valid)
{
#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row)
        rows[row] = clscan_row_load(whole, in, row, valid);
}

// The same for a tile that may have fewer elements. Its loads do not wait for each other: whole vectors, and the one
// that ends early.
CLSCAN_FUNCTION void clscan_rows_load_first(clscan_held *rows, clscan_source in, uint valid)
{
    const bool aligned = clscan_source_aligned(in);
    const uint last = valid / CLSCAN_VECTOR_LENGTH * CLSCAN_VECTOR_LENGTH;
    const clscan_held rest = clscan_part_of_vector(in, last, valid - last);

#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row) {
        rows[row] = rest;
        if (clscan_row_place(0) + row * CLSCAN_ROW_COUNT < last)
            rows[row] = clscan_load_held(CLSCAN_ROW_CURSOR(in, row), aligned);
    }
}

// Load a whole tile, or none, where callers go on without one; elsewhere they do not. `in` has elements in any case.
CLSCAN_FUNCTION void clscan_rows_load_if(bool present, clscan_held *rows, clscan_source in)
{
    if (CLSCAN_EXCHANGE == 0 || present)
        clscan_rows_load(true, rows, in, CLSCAN_TILE);
    else
        clscan_rows_load(false, rows, in, 0);
}

// Lanes that have elements of a row.
CLSCAN_FUNCTION uint clscan_row_lanes(bool whole, uint row, uint valid)
{
    return whole ? CLSCAN_SUB_GROUP_SIZE
                 : (clscan_row_elements(row, valid) + CLSCAN_VECTOR_LENGTH - 1) / CLSCAN_VECTOR_LENGTH;
}

// The sums of a row's vectors, scanned across the lanes.
CLSCAN_FUNCTION clscan_sum clscan_row_scan(bool whole, __local clscan_zone *zone, clscan_held v, uint row, uint valid)
{
    const uint exist = whole ? CLSCAN_VECTOR_LENGTH : clscan_lane_elements(clscan_row_elements(row, valid));
    return clscan_sub_group_scan(zone->scratch, clscan_vector_total(whole, v, exist),
                                 clscan_row_lanes(whole, row, valid));
}

/// Scan the rows among themselves, as far as that goes without a prefix, and return the part's total to all its
/// lanes, if it has elements.
CLSCAN_FUNCTION clscan_sum clscan_rows_scan(bool whole, clscan_tile *tile, __local clscan_zone *zone, uint valid)
{
    clscan_sum scanned[CLSCAN_ROWS];
    clscan_sum total = CLSCAN_NO_SUM;

    // All rows first: their scans do not depend on each other.
#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row)
        scanned[row] = clscan_row_scan(whole, zone, tile->rows[row], row, valid);
#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row) {
        const uint lanes = clscan_row_lanes(whole, row, valid);
        const clscan_sum last = clscan_shuffle(zone->scratch, scanned[row], max(lanes, 1u) - 1);
        clscan_prefix base; // what precedes this lane's vector in the part

        base.value = clscan_shuffle_up(zone->scratch, scanned[row], 1);
        base.present = row > 0 || clscan_lane() > 0;
        if (row > 0 && clscan_lane() == 0)
            base.value = total;
        else if (row > 0 && clscan_lane() < lanes)
            base.value = clscan_join(total, base.value);
        if (lanes > 0)
            total = row > 0 ? clscan_join(total, last) : last;
#if CLSCAN_SCANNED_ROWS
        tile->rows[row] = clscan_vector_step(
            whole, tile->rows[row], clscan_lane_elements(clscan_row_elements(row, valid)), base);
#else
        tile->bases[row] = base.value;
#endif
    }
    return total;
}

// Scan the rows of a whole tile, or of none, after clscan_rows_load_if().
CLSCAN_FUNCTION clscan_sum clscan_rows_scan_if(bool present, clscan_tile *tile, __local clscan_zone *zone)
{
    present = CLSCAN_EXCHANGE == 0 || present;
    return clscan_rows_scan(present, tile, zone, present ? CLSCAN_TILE : 0);
}

// The elements of a whole tile whose parts are combined; where there is no tile, so few that nothing is combined.
CLSCAN_FUNCTION uint clscan_tile_or_none(bool present)
{
    return CLSCAN_TAKES_ANYTHING || present ? CLSCAN_TILE : 1;
}

#if CLSCAN_REPRODUCIBLE
/// Combine the parts' totals, which sub-groups have put into `parts`. Returns the tile's total, if it is full, to every
/// work-item; `left` receives the node of the block that has this lane's number or, if that is cut, its total.
CLSCAN_FUNCTION clscan_sum clscan_parts_scan(__local clscan_sum *scratch, __local const clscan_sum *parts, uint valid,
                                             clscan_sum *left)
{
    *left = clscan_lanes_sweep(scratch, clscan_sub_groups_gather(parts), CLSCAN_TILE_BLOCKS, 0, valid / CLSCAN_BLOCK);
    return clscan_shuffle(scratch, *left, CLSCAN_TILE_BLOCKS - 1);
}

/// What precedes this sub-group's part; `prefix` precedes the tile.
CLSCAN_FUNCTION clscan_prefix clscan_part_prefix(__local clscan_sum *scratch, clscan_sum left, uint valid,
                                                 clscan_prefix prefix)
{
    return clscan_lanes_before(scratch, left, CLSCAN_TILE_BLOCKS, min(clscan_sub_group(), valid / CLSCAN_BLOCK),
                               prefix);
}

/// What follows a tile that is not full.
CLSCAN_FUNCTION clscan_prefix clscan_cut_tile_end(__local clscan_sum *scratch, clscan_sum left, uint valid,
                                                  clscan_prefix prefix)
{
    const uint whole = valid / CLSCAN_BLOCK;
    const clscan_sum cut = clscan_shuffle(scratch, left, whole % CLSCAN_TILE_BLOCKS);

    prefix = clscan_lanes_before(scratch, left, CLSCAN_TILE_BLOCKS, whole % CLSCAN_TILE_BLOCKS, prefix);
    return valid % CLSCAN_BLOCK > 0 ? clscan_extend(prefix, cut) : prefix;
}
#else
/// Combine the parts' totals, which sub-groups have put into `parts`. Returns the tile's total to every work-item;
/// `left` receives the parts before this one, and is there for all but the first.
CLSCAN_FUNCTION clscan_sum clscan_parts_scan(__local clscan_sum *scratch, __local const clscan_sum *parts, uint valid,
                                             clscan_sum *left)
{
    return clscan_sub_groups_scan(scratch, parts, clscan_parts(valid), left);
}

/// What precedes this sub-group's part; `prefix` precedes the tile.
CLSCAN_FUNCTION clscan_prefix clscan_part_prefix(__local clscan_sum *scratch, clscan_sum left, uint valid,
                                                 clscan_prefix prefix)
{
    return clscan_sub_group() > 0 && clscan_sub_group() < clscan_parts(valid) ? clscan_extend(prefix, left) : prefix;
}
#endif

/// The same, of the part's total, which all lanes of the sub-group have.
CLSCAN_FUNCTION clscan_sum clscan_parts_combine(__local clscan_sum *scratch, clscan_sum part, uint valid,
                                                clscan_sum *left)
{
    clscan_sub_group_put(clscan_sub_group_values(scratch), part);
    barrier(CLK_LOCAL_MEM_FENCE);
    return clscan_parts_scan(scratch, clscan_sub_group_values(scratch), valid, left);
}

// What precedes this lane's vector of a row; `base` is what does so in the part, and `prefix` precedes the part.
CLSCAN_FUNCTION clscan_prefix clscan_row_prefix(uint row, clscan_sum base, clscan_prefix prefix)
{
    return row > 0 || clscan_lane() > 0 ? clscan_extend(prefix, base) : prefix;
}

// The outputs of one vector of the tile; `prefix` precedes the part.
CLSCAN_FUNCTION clscan_held clscan_row_finish(bool whole, const clscan_tile *tile, uint row, uint exist,
                                              clscan_prefix prefix)
{
#if CLSCAN_SCANNED_ROWS
    const bool first = row == 0 && clscan_lane() == 0;
    CLSCAN_T elements[CLSCAN_VECTOR_LENGTH];

    if (!prefix.present)
        return tile->rows[row];
    clscan_unpack(tile->rows[row], elements);
#pragma unroll
    for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
        if (!CLSCAN_INCLUSIVE && c == 0 && first)
            elements[c] = prefix.value;
        else if (whole || c < exist)
            elements[c] = clscan_join(prefix.value, elements[c]);
    return clscan_pack(elements);
#else
    // Without elements there is no base either.
    if (!whole && exist == 0)
        return tile->rows[row];
    return clscan_vector_step(whole, tile->rows[row], exist, clscan_row_prefix(row, tile->bases[row], prefix));
#endif
}

CLSCAN_FUNCTION void clscan_row_store(bool whole, clscan_sink out, clscan_held v, uint row, uint exist)
{
    clscan_cell cells[CLSCAN_CELLS];

    if (whole) {
        clscan_store_held(CLSCAN_ROW_CURSOR(out, row), v);
        return;
    }
    clscan_held_cells(v, cells);
#pragma unroll
    for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
        if (c < exist)
            clscan_write(CLSCAN_ROW_CURSOR(out, row), c, clscan_cell_get(cells, c));
}

/// Scan the tile onto `prefix`, which precedes the part, and store it.
CLSCAN_FUNCTION void clscan_rows_store(bool whole, const clscan_tile *tile, clscan_sink out, uint valid,
                                       clscan_prefix prefix)
{
#if CLSCAN_SCANNED_ROWS
    // The tests in clscan_row_finish() cost as much as its combining, if the compiler does not know the answer.
    if (whole && prefix.present) {
        prefix.present = true;
#pragma unroll
        for (uint row = 0; row < CLSCAN_ROWS; ++row)
            clscan_row_store(true, out, clscan_row_finish(true, tile, row, CLSCAN_VECTOR_LENGTH, prefix), row,
                             CLSCAN_VECTOR_LENGTH);
        return;
    }
#endif
#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row) {
        const uint exist = clscan_lane_elements(clscan_row_elements(row, valid));
        clscan_row_store(whole, out, clscan_row_finish(whole, tile, row, exist, prefix), row, exist);
    }
}

// The total of the part, to all its lanes if it has elements: row by row and without keeping them, in few registers.
CLSCAN_FUNCTION clscan_sum clscan_rows_reduce(__local clscan_zone *zone, clscan_source in, uint valid)
{
    clscan_sum total = CLSCAN_NO_SUM;

#pragma unroll 1
    for (uint row = 0; row < CLSCAN_ROWS; ++row) {
        const uint lanes = clscan_row_lanes(false, row, valid);
        const clscan_sum scanned = clscan_row_scan(false, zone, clscan_row_load(false, in, row, valid), row, valid);
        const clscan_sum last = clscan_shuffle(zone->scratch, scanned, max(lanes, 1u) - 1);
        if (lanes > 0)
            total = row > 0 ? clscan_join(total, last) : last;
    }
    return total;
}

#if CLSCAN_REPRODUCIBLE && CLSCAN_EXCHANGE > 0
// Without shuffles a row takes so much code that compilers leave the loops over rows rolled, and rows in memory. So
// tiles that need not be whole are read twice here, row by row.

/// As below.
CLSCAN_FUNCTION clscan_sum clscan_any_tile_total(clscan_tile *tile, __local clscan_zone *zone, clscan_source in,
                                                 uint valid)
{
    tile->in = in;
    return clscan_parts_combine(zone->scratch, clscan_rows_reduce(zone, in, valid), valid, &tile->left);
}

// Scan the first `exist` elements of a vector onto `prefix`, and store them.
CLSCAN_FUNCTION void clscan_part_store(clscan_sink out, uint k, clscan_held held, uint exist, clscan_prefix prefix)
{
    const clscan_vector v = clscan_release(held);

    if (exist > 0)
        clscan_write(out, k, clscan_step(&prefix, v.s0));
    if (exist > 1)
        clscan_write(out, k + 1, clscan_step(&prefix, v.s1));
    if (exist > 2)
        clscan_write(out, k + 2, clscan_step(&prefix, v.s2));
    if (exist > 3)
        clscan_write(out, k + 3, clscan_step(&prefix, v.s3));
}

CLSCAN_FUNCTION void clscan_any_tile_finish(const clscan_tile *tile, __local clscan_zone *zone, clscan_sink out,
                                            uint valid, clscan_prefix prefix)
{
    clscan_prefix rows = clscan_nothing();

    prefix = clscan_part_prefix(zone->scratch, tile->left, valid, prefix);
#pragma unroll 1
    for (uint row = 0; row < CLSCAN_ROWS; ++row) {
        const uint lanes = clscan_row_lanes(false, row, valid);
        const clscan_held v = clscan_row_load(false, tile->in, row, valid);
        const clscan_sum scanned = clscan_row_scan(false, zone, v, row, valid);
        const clscan_sum below = clscan_shuffle_up(zone->scratch, scanned, 1);
        const clscan_sum last = clscan_shuffle(zone->scratch, scanned, max(lanes, 1u) - 1);

        if (clscan_lane() < lanes) {
            const clscan_sum base = clscan_lane() == 0 ? rows.value : clscan_extend(rows, below).value;
            clscan_part_store(out, clscan_row_place(row), v, clscan_lane_elements(clscan_row_elements(row, valid)),
                              clscan_row_prefix(row, base, prefix));
        }
        if (lanes > 0)
            rows = clscan_extend(rows, last);
    }
}
#else
/// clscan_tile_total() for tiles that need not be whole.
CLSCAN_FUNCTION clscan_sum clscan_any_tile_total(clscan_tile *tile, __local clscan_zone *zone, clscan_source in,
                                                 uint valid)
{
    clscan_rows_load_first(tile->rows, in, valid);
    return clscan_parts_combine(zone->scratch, clscan_rows_scan(false, tile, zone, valid), valid, &tile->left);
}

/// clscan_tile_finish() for such tiles.
CLSCAN_FUNCTION void clscan_any_tile_finish(const clscan_tile *tile, __local clscan_zone *zone, clscan_sink out,
                                            uint valid, clscan_prefix prefix)
{
    clscan_rows_store(false, tile, out, valid, clscan_part_prefix(zone->scratch, tile->left, valid, prefix));
}
#endif

// Are whole tiles kept from clscan_tile_total() to clscan_tile_finish()?
#define CLSCAN_KEEPS_TILES (!CLSCAN_REPRODUCIBLE || CLSCAN_EXCHANGE == 0)

/// Load a tile and return its total to every work-item. Parameters as in bodies/strided.cl.
CLSCAN_FUNCTION clscan_sum clscan_tile_total(clscan_tile *tile, __local clscan_zone *zone, clscan_source in, uint valid)
{
#if CLSCAN_KEEPS_TILES && CLSCAN_EXCHANGE > 0
    // Exchanges pass barriers here, so they stand outside the test: of barriers in both of its arms PoCL 3.1 makes
    // wrong code for work-groups of 2 work-items.
    const bool whole = clscan_tile_is_whole(in, valid);

    if (whole)
        clscan_rows_load(true, tile->rows, in, valid);
    else
        clscan_rows_load_first(tile->rows, in, valid);
    return clscan_parts_combine(zone->scratch, clscan_rows_scan(whole, tile, zone, valid), valid, &tile->left);
#else
    if (!CLSCAN_KEEPS_TILES || !clscan_tile_is_whole(in, valid))
        return clscan_any_tile_total(tile, zone, in, valid);
    clscan_rows_load(true, tile->rows, in, valid);
    return clscan_parts_combine(zone->scratch, clscan_rows_scan(true, tile, zone, valid), valid, &tile->left);
#endif
}

// 1 if the body has functions for whole tiles, in which the total comes before the scan of the rows: for work-groups
// that have one tile, whose total others wait for. Where the order of operands counts, and without shuffles, it takes
// as long as that scan.
#define CLSCAN_TILE_HAS_WHOLE (CLSCAN_COMMUTATIVE && !CLSCAN_REPRODUCIBLE && CLSCAN_EXCHANGE == 0)

#if CLSCAN_TILE_HAS_WHOLE
/// Are they for the tile at these cursors?
CLSCAN_FUNCTION bool clscan_whole_fits(clscan_source in, clscan_sink out, uint valid)
{
    return clscan_tile_is_whole(in, valid) && clscan_sink_aligned(out);
}

/// Load the tile, and return its total to every work-item.
CLSCAN_FUNCTION clscan_sum clscan_whole_total(clscan_tile *tile, __local clscan_zone *zone, clscan_source in)
{
    clscan_sum total = CLSCAN_NO_SUM;

    clscan_rows_load(true, tile->rows, in, CLSCAN_TILE);
#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row) {
        const clscan_sum sum = clscan_vector_total(true, tile->rows[row], CLSCAN_VECTOR_LENGTH);
        total = row > 0 ? clscan_join(total, sum) : sum;
    }
    total = clscan_sub_group_total(zone->scratch, total, CLSCAN_SUB_GROUP_SIZE);
    return clscan_parts_combine(zone->scratch, total, CLSCAN_TILE, &tile->left);
}

/// Scan the rows, as far as that goes without a prefix.
CLSCAN_FUNCTION void clscan_whole_scan(clscan_tile *tile, __local clscan_zone *zone)
{
    (void)clscan_rows_scan(true, tile, zone, CLSCAN_TILE);
}

/// Scan the tile onto `prefix` and store it.
CLSCAN_FUNCTION void clscan_whole_finish(const clscan_tile *tile, __local clscan_zone *zone, clscan_sink out,
                                         clscan_prefix prefix)
{
    clscan_rows_store(true, tile, out, CLSCAN_TILE, clscan_part_prefix(zone->scratch, tile->left, CLSCAN_TILE, prefix));
}
#endif

/// Scan the tile onto `prefix` and store it. Parameters as in bodies/strided.cl; stores always go through the cache.
CLSCAN_FUNCTION void clscan_tile_finish(clscan_tile *tile, __local clscan_zone *zone, clscan_sink out, uint valid,
                                        clscan_prefix prefix, bool stream)
{
    if (!CLSCAN_KEEPS_TILES || !clscan_output_is_whole(out, valid))
        clscan_any_tile_finish(tile, zone, out, valid, prefix);
    else
        clscan_rows_store(true, tile, out, valid, clscan_part_prefix(zone->scratch, tile->left, valid, prefix));
}

#if CLSCAN_REPRODUCIBLE
/// What follows a tile that is not full, and has been scanned onto `prefix`; to every work-item.
CLSCAN_FUNCTION clscan_prefix clscan_tile_end(const clscan_tile *tile, __local clscan_zone *zone, uint valid,
                                              clscan_prefix prefix)
{
    return clscan_cut_tile_end(zone->scratch, tile->left, valid, prefix);
}
#endif

/// The total of a tile that is not kept, row by row, in few registers: for use where another tile is waiting.
CLSCAN_FUNCTION clscan_sum clscan_tile_reduce(__local clscan_zone *zone, clscan_source in, uint valid)
{
    clscan_sum left;
    return clscan_parts_combine(zone->scratch, clscan_rows_reduce(zone, in, valid), valid, &left);
}
