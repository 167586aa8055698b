// The rows of tile body `subgroup_rows` as most problems have them: elements stay in registers from the total to the
// outputs, and rows are scanned across the lanes.
typedef struct clscan_zone {
#if CLSCAN_LANDING_ZONES > 0
    // Begins with a line of local memory: elsewhere sums of 2^28 int take up to an eighth longer on an H200.
#if CLSCAN_POINTERS
    clscan_held landing[CLSCAN_ROWS * CLSCAN_WORK_GROUP_SIZE] __attribute__((aligned(128)));
#else
    uint4 landing[CLSCAN_ROWS * CLSCAN_WORK_GROUP_SIZE] __attribute__((aligned(128)));
#endif
#endif
    clscan_sum scratch[CLSCAN_SCRATCH];
} clscan_zone;

#define CLSCAN_GATHERS 0 // in local memory, what leaves

// What a lane holds of a row.
typedef clscan_held clscan_lane_row;

// Elements of a register's size are scanned where they are, within their part, before the prefix is known. Narrower
// ones stay packed as they were loaded, each vector with what precedes it in its part.
// In the reproducible order the prefix comes first.
#if CLSCAN_PLAIN
#define CLSCAN_SCANNED_ROWS (CLSCAN_A_BYTES >= 4 && !CLSCAN_HALF && !CLSCAN_REPRODUCIBLE)
#else
#define CLSCAN_SCANNED_ROWS (CLSCAN_STAYS && CLSCAN_A_BYTES >= 4)
#endif

// 1 if tiles that need not be whole are read twice, row by row: where a row takes so much code or so many registers
// that compilers leave rows in memory. So it is without shuffles, and of items that are wider than inputs that land.
#define CLSCAN_REREADS ((CLSCAN_REPRODUCIBLE && CLSCAN_EXCHANGE > 0) || (CLSCAN_LANDING_ZONES > 0 && !CLSCAN_POINTERS))

typedef struct clscan_tile {
    clscan_lane_row rows[CLSCAN_ROWS];
    clscan_sum bases[CLSCAN_ROWS]; // without CLSCAN_SCANNED_ROWS; there for all vectors but the part's first
    clscan_sum left;               // for clscan_part_prefix()
#if CLSCAN_REREADS
    clscan_source in; // cursor at the first element
#endif
} clscan_tile;

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

CLSCAN_FUNCTION void clscan_rows_load(bool whole, clscan_lane_row *rows, clscan_source in, uint valid)
{
#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row)
        rows[row] = clscan_row_load(whole, in, row, valid);
}

// The same for a tile that may have fewer elements. Its loads do not wait for each other: whole vectors, and the one
// that ends early.
CLSCAN_FUNCTION void clscan_rows_load_first(clscan_lane_row *rows, clscan_source in, uint valid)
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

// The sums of a row's vectors, scanned across the lanes.
CLSCAN_FUNCTION clscan_scanned clscan_row_scan(bool whole, __local clscan_zone *zone, clscan_held v, uint row,
                                               uint valid)
{
    const uint exist = whole ? CLSCAN_VECTOR_LENGTH : clscan_lane_elements(clscan_row_elements(row, valid));
    return clscan_sub_group_sums(zone->scratch, clscan_vector_total(whole, v, exist),
                                 clscan_row_lanes(whole, row, valid));
}

/// Scan the rows among themselves, as far as that goes without a prefix, and return the part's total to all its
/// lanes, if it has elements.
CLSCAN_FUNCTION clscan_sum clscan_rows_scan(bool whole, clscan_tile *tile, __local clscan_zone *zone, uint valid)
{
    clscan_scanned scanned[CLSCAN_ROWS];
    clscan_sum total = CLSCAN_NO_SUM;

    // All rows first: their scans do not depend on each other.
#if CLSCAN_REPRODUCIBLE && CLSCAN_EXCHANGE > 0
#pragma unroll 1 // eight rows, in whose scans all work-items meet
#else
#pragma unroll
#endif
    for (uint row = 0; row < CLSCAN_ROWS; ++row)
        scanned[row] = clscan_row_scan(whole, zone, tile->rows[row], row, valid);
#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row) {
        const uint lanes = clscan_row_lanes(whole, row, valid);
        const clscan_sum last = clscan_sums_all(zone->scratch, scanned[row], lanes);
        clscan_prefix base; // what precedes this lane's vector in the part

        base.value = clscan_sums_below(zone->scratch, scanned[row]);
        base.present = row > 0 || clscan_lane() > 0;
        if (row > 0 && clscan_lane() == 0)
            base.value = total;
        else if (row > 0 && clscan_lane() < lanes)
            base.value = clscan_join(total, base.value);
        if (lanes > 0)
            total = row > 0 ? clscan_join(total, last) : last;
#if CLSCAN_SCANNED_ROWS
        tile->rows[row] = clscan_vector_step(
            whole, tile->rows[row], clscan_lane_elements(clscan_row_elements(row, valid)), base, 0);
#else
        tile->bases[row] = base.value;
#endif
    }
    return total;
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
    return clscan_vector_step(whole, tile->rows[row], exist, clscan_row_prefix(row, tile->bases[row], prefix), 0);
#endif
}

CLSCAN_FUNCTION void clscan_row_store(bool whole, clscan_sink out, clscan_held v, uint row, uint exist)
{
    clscan_cell cells[CLSCAN_CELLS];

    if (whole || (exist == CLSCAN_VECTOR_LENGTH && clscan_sink_aligned(CLSCAN_ROW_CURSOR(out, row)))) {
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
CLSCAN_FUNCTION void clscan_rows_store(bool whole, const clscan_tile *tile, __local clscan_zone *zone, clscan_sink out,
                                       uint valid, clscan_prefix prefix)
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

#if CLSCAN_SHIFTS
/// As clscan_rows_load() of a whole tile, where the input's vectors begin `shift` elements behind the tile's;
/// 0 < shift < CLSCAN_VECTOR_LENGTH. Nothing is read but the part.
CLSCAN_FUNCTION void clscan_rows_load_shifted(clscan_lane_row *rows, __local clscan_sum *scratch, clscan_source in,
                                              uint shift)
{
    const clscan_source behind = CLSCAN_ADVANCE(in, shift);
    const uint lane = clscan_lane();
    clscan_cell wrapped[CLSCAN_CELLS];
    clscan_held first;

    if (lane == 0)
        first = clscan_part_of_vector(CLSCAN_ROW_CURSOR(in, 0), 0, CLSCAN_VECTOR_LENGTH);
#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row) {
        if (row < CLSCAN_ROWS - 1 || lane < CLSCAN_SUB_GROUP_SIZE - 1)
            rows[row] = clscan_load_held(CLSCAN_ROW_CURSOR(behind, row), true);
        else
            rows[row] = clscan_part_of_vector(CLSCAN_ROW_CURSOR(behind, row), 0, CLSCAN_VECTOR_LENGTH - shift);
    }
#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row) {
        clscan_cell own[CLSCAN_CELLS];

        clscan_held_cells(rows[row], own);
        rows[row] = clscan_row_shifted(scratch, row, CLSCAN_VECTOR_LENGTH - shift, own, wrapped);
    }
    if (lane == 0)
        rows[0] = first;
}

/// As clscan_rows_store() of a whole tile, where the output's vectors do.
CLSCAN_FUNCTION void clscan_rows_store_shifted(const clscan_tile *tile, __local clscan_zone *zone, clscan_sink out,
                                               uint shift, clscan_prefix prefix)
{
    clscan_cell wrapped[CLSCAN_CELLS];

#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row)
        clscan_row_store_shifted(zone->scratch, out, row, shift,
                                 clscan_row_finish(true, tile, row, CLSCAN_VECTOR_LENGTH, prefix), wrapped);
}
#endif

// The total of the part, to all its lanes if it has elements: row by row and without keeping them, in few registers.
CLSCAN_FUNCTION clscan_sum clscan_rows_reduce(__local clscan_zone *zone, clscan_source in, uint valid)
{
    clscan_sum total = CLSCAN_NO_SUM;

#pragma unroll 1
    for (uint row = 0; row < CLSCAN_ROWS; ++row) {
        const uint lanes = clscan_row_lanes(false, row, valid);
        const clscan_scanned scanned =
            clscan_row_scan(false, zone, clscan_row_load(false, in, row, valid), row, valid);
        const clscan_sum last = clscan_sums_all(zone->scratch, scanned, lanes);
        if (lanes > 0)
            total = row > 0 ? clscan_join(total, last) : last;
    }
    return total;
}
