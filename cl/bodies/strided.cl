// Tile body `strided`: each work-item loads, keeps and scans a row of its own (StreamScan, figure 7). The first
// CLSCAN_LOCAL_PIECES vectors of a row are kept in local memory, the others in registers.
//
// Contract of a tile body: clscan_tile_total() loads a tile and returns its total; clscan_tile_finish() combines
// it with its prefix and stores it. Between the two, a tile lives in a clscan_tile (registers) and a clscan_zone
// (local memory); neither waits for other work-groups.
#define CLSCAN_ROW ((CLSCAN_LOCAL_PIECES + CLSCAN_REGISTER_PIECES) * CLSCAN_VECTOR_LENGTH)
#define CLSCAN_TILE ((uint)CLSCAN_WORK_GROUP_SIZE * CLSCAN_ROW)

typedef struct clscan_zone {
#if CLSCAN_LOCAL_PIECES > 0
    // Piece by piece, not row by row: neighbouring work-items then use neighbouring banks.
    clscan_vector pieces[CLSCAN_LOCAL_PIECES][CLSCAN_WORK_GROUP_SIZE];
#endif
    clscan_sum scratch[CLSCAN_SCRATCH];
} clscan_zone;

typedef struct clscan_tile {
#if CLSCAN_REGISTER_PIECES > 0
    clscan_vector registers[CLSCAN_REGISTER_PIECES];
#endif
    clscan_sum left; // all rows before this one; present for every item but the first
} clscan_tile;

// The functions below come in pairs from one text: with `full` a constant true the compiler drops every test
// against `valid`, the number of elements of the row that exist. `k` counts from the start of the row.

CLSCAN_FUNCTION clscan_vector clscan_piece_load(bool full, clscan_source row_in, uint k, uint valid, bool aligned)
{
    CLSCAN_T elements[CLSCAN_VECTOR_LENGTH];
    if (full || k + CLSCAN_VECTOR_LENGTH <= valid)
        return clscan_load_vector(row_in, k, aligned);
#pragma unroll
    for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
        elements[c] = k + c < valid ? clscan_read(row_in, k + c) : CLSCAN_NO_ELEMENT;
    return clscan_pack(elements);
}

CLSCAN_FUNCTION clscan_prefix clscan_piece_reduce(bool full, clscan_prefix sum, clscan_vector v, uint k, uint valid)
{
    CLSCAN_T elements[CLSCAN_VECTOR_LENGTH];
    clscan_unpack(v, elements);
#pragma unroll
    for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
        if (full || k + c < valid)
            sum = clscan_extend(sum, clscan_lift(elements[c]));
    return sum;
}

// Scan a piece onto `prefix` and store the outputs that exist.
CLSCAN_FUNCTION clscan_prefix clscan_piece_finish(bool full, clscan_sink row_out, clscan_prefix prefix, clscan_vector v,
                                                  uint k, uint valid, bool aligned)
{
    CLSCAN_T elements[CLSCAN_VECTOR_LENGTH];

#if CLSCAN_LANES
    if (full || k + CLSCAN_VECTOR_LENGTH <= valid) {
        clscan_store_vector(row_out, k, clscan_lanes_scan(&prefix, v), aligned);
        return prefix;
    }
#endif
    clscan_unpack(v, elements);
#if !CLSCAN_LANES
    if (full || k + CLSCAN_VECTOR_LENGTH <= valid) {
#pragma unroll
        for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
            elements[c] = clscan_step(&prefix, elements[c]);
        clscan_store_vector(row_out, k, clscan_pack(elements), aligned);
        return prefix;
    }
#endif
#pragma unroll
    for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
        if (k + c < valid)
            clscan_write(row_out, k + c, clscan_step(&prefix, elements[c]));
    return prefix;
}

// Extend the sum of a row by one piece. Where lanes are combined, `lanes` holds the sum of the row's whole vectors
// lane by lane until clscan_row_total() combines the lanes.
#if CLSCAN_LANES
#define CLSCAN_ROW_REDUCE(v, k)                                                     \
    do {                                                                            \
        if (full || (k) + CLSCAN_VECTOR_LENGTH <= valid)                            \
            lanes = (k) == 0 ? v : clscan_lanes_operate(lanes, v);          \
        else                                                                        \
            sum = clscan_piece_reduce(full, sum, v, k, valid);                      \
    } while (0)
#else
#define CLSCAN_ROW_REDUCE(v, k) sum = clscan_piece_reduce(full, sum, v, k, valid)
#endif

CLSCAN_FUNCTION clscan_prefix clscan_row_total(bool full, clscan_tile *tile, __local clscan_zone *zone,
                                               clscan_source row_in, uint valid, bool aligned)
{
    clscan_prefix sum;
#if CLSCAN_LANES
    clscan_vector lanes = (clscan_vector)0;
#endif
    sum.value = CLSCAN_NO_SUM;
    sum.present = false;
#if CLSCAN_LOCAL_PIECES > 0
    const uint lid = (uint)get_local_id(0);
    // The first piece on its own: from then on the compiler knows that there is a sum.
    clscan_vector v = clscan_piece_load(full, row_in, 0, valid, aligned);
    CLSCAN_ROW_REDUCE(v, 0);
    zone->pieces[0][lid] = v;
    for (uint i = 1; i < CLSCAN_LOCAL_PIECES; ++i) {
        v = clscan_piece_load(full, row_in, i * CLSCAN_VECTOR_LENGTH, valid, aligned);
        CLSCAN_ROW_REDUCE(v, i * CLSCAN_VECTOR_LENGTH);
        zone->pieces[i][lid] = v;
    }
#endif
#if CLSCAN_REGISTER_PIECES > 0
    // All loads first, so that they are in flight together.
#pragma unroll
    for (uint i = 0; i < CLSCAN_REGISTER_PIECES; ++i)
        tile->registers[i] = clscan_piece_load(full, row_in, (CLSCAN_LOCAL_PIECES + i) * CLSCAN_VECTOR_LENGTH, valid,
                                               aligned);
#pragma unroll
    for (uint i = 0; i < CLSCAN_REGISTER_PIECES; ++i)
        CLSCAN_ROW_REDUCE(tile->registers[i], (CLSCAN_LOCAL_PIECES + i) * CLSCAN_VECTOR_LENGTH);
#endif
#if CLSCAN_LANES
    if (full || valid >= CLSCAN_VECTOR_LENGTH)
        sum = clscan_piece_reduce(true, sum, lanes, 0, CLSCAN_VECTOR_LENGTH);
#endif
    return sum;
}

CLSCAN_FUNCTION void clscan_row_finish(bool full, clscan_tile *tile, __local clscan_zone *zone, clscan_sink row_out,
                                       uint valid, clscan_prefix prefix, bool aligned)
{
#if CLSCAN_LOCAL_PIECES > 0
    const uint lid = (uint)get_local_id(0);
    prefix = clscan_piece_finish(full, row_out, prefix, zone->pieces[0][lid], 0, valid, aligned);
    for (uint i = 1; i < CLSCAN_LOCAL_PIECES; ++i)
        prefix = clscan_piece_finish(full, row_out, prefix, zone->pieces[i][lid], i * CLSCAN_VECTOR_LENGTH, valid,
                                     aligned);
#endif
#if CLSCAN_REGISTER_PIECES > 0
#pragma unroll
    for (uint i = 0; i < CLSCAN_REGISTER_PIECES; ++i)
        prefix = clscan_piece_finish(full, row_out, prefix, tile->registers[i],
                                     (CLSCAN_LOCAL_PIECES + i) * CLSCAN_VECTOR_LENGTH, valid, aligned);
#endif
}

/// Load a tile and return its total to every work-item.
///
/// in     cursor at the tile's first element
/// valid  elements in the tile, 1 .. CLSCAN_TILE
CLSCAN_FUNCTION clscan_sum clscan_tile_total(clscan_tile *tile, __local clscan_zone *zone, clscan_source in, uint valid)
{
    clscan_source row_in = CLSCAN_ADVANCE(in, (uint)get_local_id(0) * CLSCAN_ROW);
    const uint row_valid = clscan_row_valid(CLSCAN_ROW, valid);
    const bool aligned = clscan_source_aligned(in);
    clscan_prefix sum;

    if (row_valid == CLSCAN_ROW)
        sum = clscan_row_total(true, tile, zone, row_in, CLSCAN_ROW, aligned);
    else
        sum = clscan_row_total(false, tile, zone, row_in, row_valid, aligned);
    return clscan_group_scan(zone->scratch, sum.value, (valid + CLSCAN_ROW - 1) / CLSCAN_ROW, &tile->left);
}

/// Scan the tile onto `prefix` and store it.
///
/// out     cursor at the tile's first element
/// valid   as for clscan_tile_total()
/// stream  should the output go past the cache, where the body can do that?
CLSCAN_FUNCTION void clscan_tile_finish(clscan_tile *tile, __local clscan_zone *zone, clscan_sink out, uint valid,
                                        clscan_prefix prefix, bool stream)
{
    const uint lid = (uint)get_local_id(0);
    clscan_sink row_out = CLSCAN_ADVANCE(out, lid * CLSCAN_ROW);
    const uint row_valid = clscan_row_valid(CLSCAN_ROW, valid);
    const bool aligned = clscan_sink_aligned(out);

    if (lid > 0 && row_valid > 0)
        prefix = clscan_extend(prefix, tile->left);
    if (row_valid == CLSCAN_ROW)
        clscan_row_finish(true, tile, zone, row_out, CLSCAN_ROW, prefix, aligned);
    else
        clscan_row_finish(false, tile, zone, row_out, row_valid, prefix, aligned);
}
