// Tile body `cached_rows` in the reproducible order (blocks.cl): one work-item goes through the blocks of a tile that
// stays in its core's cache. The parameters give the tile's size and nothing else.
//
// Required of the host:
//   CLSCAN_WORK_GROUP_SIZE   1
//   CLSCAN_CACHED_PIECES, CLSCAN_INTERLEAVED_ROWS, CLSCAN_VECTOR_LENGTH  whose product is the tile, 2^k blocks
#if CLSCAN_WORK_GROUP_SIZE != 1
#error "CLSCAN_WORK_GROUP_SIZE must be 1"
#endif
#define CLSCAN_TILE ((uint)CLSCAN_INTERLEAVED_ROWS * CLSCAN_CACHED_PIECES * CLSCAN_VECTOR_LENGTH)
#define CLSCAN_TILE_BLOCKS (CLSCAN_TILE / CLSCAN_BLOCK)

typedef struct clscan_zone {
    CLSCAN_A scratch[CLSCAN_SCRATCH];
    CLSCAN_A nodes[CLSCAN_TILE_BLOCKS]; // of the tile's blocks; then the block that is cut
} clscan_zone;

typedef struct clscan_tile {
    __global const CLSCAN_T *in; // cursor at the tile's first element
} clscan_tile;

// A row, element c of run l as at[c][l].
typedef struct clscan_row {
    CLSCAN_T at[CLSCAN_RUN][CLSCAN_ROW_RUNS];
} clscan_row;

// Load the first `runs` runs of a row, the last of which may be cut: `valid` elements of the row are there.
CLSCAN_FUNCTION void clscan_row_load(clscan_row *row, __global const CLSCAN_T *in, uint runs, uint valid)
{
    for (uint l = 0; l < runs; ++l)
#pragma unroll
        for (uint c = 0; c < CLSCAN_RUN; ++c)
            if (CLSCAN_RUN * l + c < valid)
                row->at[c][l] = *CLSCAN_AT(in, CLSCAN_RUN * l + c);
}

// The totals of the runs.
CLSCAN_FUNCTION void clscan_row_sum(CLSCAN_A *sums, const clscan_row *row, uint runs, uint valid)
{
    for (uint l = 0; l < runs; ++l) {
        CLSCAN_A sum = clscan_widen(row->at[0][l]);
#pragma unroll
        for (uint c = 1; c < CLSCAN_RUN; ++c)
            if (CLSCAN_RUN * l + c < valid)
                sum = clscan_combine(sum, clscan_widen(row->at[c][l]));
        sums[l] = sum;
    }
}

// Inclusive scan of the runs' totals (Kogge-Stone, as clscan_sub_group_scan() does it with 32 lanes).
CLSCAN_FUNCTION void clscan_row_scan(CLSCAN_A *sums, uint runs)
{
#pragma unroll
    for (uint distance = 1; distance < CLSCAN_ROW_RUNS; distance *= 2) {
        CLSCAN_A below[CLSCAN_ROW_RUNS];
        for (uint l = distance; l < runs; ++l)
            below[l] = sums[l - distance];
        for (uint l = distance; l < runs; ++l)
            sums[l] = clscan_combine(below[l], sums[l]);
    }
}

// The combination of a whole row: what the scan would give to the last run.
CLSCAN_FUNCTION CLSCAN_A clscan_row_total(CLSCAN_A *sums)
{
#pragma unroll
    for (uint nodes = CLSCAN_ROW_RUNS / 2; nodes > 0; nodes /= 2)
        for (uint l = 0; l < nodes; ++l)
            sums[l] = clscan_combine(sums[2 * l], sums[2 * l + 1]);
    return sums[0];
}

// The combination of a block's first `valid` elements, at least one. `whole` is a constant, and says that all are
// there.
CLSCAN_FUNCTION CLSCAN_A clscan_block_total(bool whole, __global const CLSCAN_T *in, uint valid)
{
    clscan_prefix total = clscan_nothing();

    for (uint first = 0; first < (whole ? CLSCAN_BLOCK : valid); first += CLSCAN_BLOCK_ROW) {
        const uint row_valid = whole ? CLSCAN_BLOCK_ROW : min(valid - first, CLSCAN_BLOCK_ROW);
        const uint runs = whole ? CLSCAN_ROW_RUNS : (row_valid + CLSCAN_RUN - 1) / CLSCAN_RUN;
        CLSCAN_A sums[CLSCAN_ROW_RUNS];
        clscan_row row;

        clscan_row_load(&row, CLSCAN_ADVANCE(in, first), runs, row_valid);
        clscan_row_sum(sums, &row, runs, row_valid);
        if (!whole)
            clscan_row_scan(sums, runs);
        total = clscan_extend(total, whole ? clscan_row_total(sums) : sums[runs - 1]);
    }
    return total.value;
}

// Scan run l of a row onto what precedes it, and store it.
CLSCAN_FUNCTION void clscan_run_store(__global CLSCAN_T *out, const clscan_row *row, uint l, clscan_prefix prefix,
                                      uint valid)
{
#pragma unroll
    for (uint c = 0; c < CLSCAN_RUN; ++c)
        if (CLSCAN_RUN * l + c < valid)
            *CLSCAN_AT(out, CLSCAN_RUN * l + c) = clscan_step(&prefix, row->at[c][l]);
}

// Scan a block onto `prefix` and store it. `whole` as for clscan_block_total().
CLSCAN_FUNCTION void clscan_block_scan(bool whole, __global const CLSCAN_T *in, __global CLSCAN_T *out, uint valid,
                                       clscan_prefix prefix)
{
    clscan_prefix rows = clscan_nothing();

    for (uint first = 0; first < (whole ? CLSCAN_BLOCK : valid); first += CLSCAN_BLOCK_ROW) {
        const uint row_valid = whole ? CLSCAN_BLOCK_ROW : min(valid - first, CLSCAN_BLOCK_ROW);
        const uint runs = whole ? CLSCAN_ROW_RUNS : (row_valid + CLSCAN_RUN - 1) / CLSCAN_RUN;
        __global CLSCAN_T *row_out = CLSCAN_ADVANCE(out, first);
        CLSCAN_A sums[CLSCAN_ROW_RUNS];
        clscan_row row;

        clscan_row_load(&row, CLSCAN_ADVANCE(in, first), runs, row_valid);
        clscan_row_sum(sums, &row, runs, row_valid);
        clscan_row_scan(sums, runs);
        clscan_run_store(row_out, &row, 0, rows.present ? clscan_extend(prefix, rows.value) : prefix, row_valid);
        for (uint l = 1; l < runs; ++l) {
            clscan_prefix before = clscan_extend(prefix, clscan_extend(rows, sums[l - 1]).value);
            clscan_run_store(row_out, &row, l, before, row_valid);
        }
        rows = clscan_extend(rows, sums[runs - 1]);
    }
}

// Extend `prefix` by the blocks 0 .. block - 1 of the tile, the largest node first.
CLSCAN_FUNCTION clscan_prefix clscan_blocks_before(__local const CLSCAN_A *nodes, uint block, clscan_prefix prefix)
{
    for (uint digit = CLSCAN_TILE_BLOCKS / 2; digit > 0; digit /= 2)
        if (block & digit)
            prefix = clscan_extend(prefix, nodes[(block & ~(digit - 1)) - 1]);
    return prefix;
}

/// Load a tile, which leaves it in the cache, and return its total, which is of no use unless the tile is full.
/// Parameters as in tile_strided.cl.
CLSCAN_FUNCTION CLSCAN_A clscan_tile_total(clscan_tile *tile, __local clscan_zone *zone, __global const CLSCAN_T *in,
                                           uint valid)
{
    const uint whole = valid / CLSCAN_BLOCK;
    CLSCAN_A node = (CLSCAN_A)0;

    for (uint block = 0; block < whole; ++block) {
#if CLSCAN_ROW_LANES
        node = clscan_lanes_block_total(CLSCAN_ADVANCE(in, block * CLSCAN_BLOCK));
#else
        node = clscan_block_total(true, CLSCAN_ADVANCE(in, block * CLSCAN_BLOCK), CLSCAN_BLOCK);
#endif
        for (uint blocks = 1; block & blocks; blocks *= 2)
            node = clscan_combine(zone->nodes[block - blocks], node);
        zone->nodes[block] = node;
    }
    if (valid % CLSCAN_BLOCK > 0)
        zone->nodes[whole] =
            clscan_block_total(false, CLSCAN_ADVANCE(in, whole * CLSCAN_BLOCK), valid % CLSCAN_BLOCK);
    tile->in = in;
    return node;
}

/// Scan the tile onto `prefix` and store it. Parameters as in tile_strided.cl.
CLSCAN_FUNCTION void clscan_tile_finish(clscan_tile *tile, __local clscan_zone *zone, __global CLSCAN_T *out,
                                        uint valid, clscan_prefix prefix, bool stream)
{
    const uint whole = valid / CLSCAN_BLOCK;

    for (uint block = 0; block < whole; ++block) {
        const clscan_prefix before = clscan_blocks_before(zone->nodes, block, prefix);
        __global const CLSCAN_T *block_in = CLSCAN_ADVANCE(tile->in, block * CLSCAN_BLOCK);
        __global CLSCAN_T *block_out = CLSCAN_ADVANCE(out, block * CLSCAN_BLOCK);
#if CLSCAN_ROW_LANES
        clscan_lanes_block_scan(block_in, block_out, before, stream && clscan_aligned(out));
#else
        clscan_block_scan(true, block_in, block_out, CLSCAN_BLOCK, before);
#endif
    }
    if (valid % CLSCAN_BLOCK > 0)
        clscan_block_scan(false, CLSCAN_ADVANCE(tile->in, whole * CLSCAN_BLOCK),
                          CLSCAN_ADVANCE(out, whole * CLSCAN_BLOCK), valid % CLSCAN_BLOCK,
                          clscan_blocks_before(zone->nodes, whole, prefix));
}

/// What follows a tile that is not full, and has been scanned onto `prefix`.
CLSCAN_FUNCTION clscan_prefix clscan_tile_end(const clscan_tile *tile, __local clscan_zone *zone, uint valid,
                                              clscan_prefix prefix)
{
    const uint whole = valid / CLSCAN_BLOCK;

    prefix = clscan_blocks_before(zone->nodes, whole, prefix);
    return valid % CLSCAN_BLOCK > 0 ? clscan_extend(prefix, zone->nodes[whole]) : prefix;
}
