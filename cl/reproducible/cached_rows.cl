// Tile body `cached_rows` in the reproducible order (reproducible/nodes.cl): one work-item goes through the blocks of a
// tile that stays in its core's cache. The parameters give the tile's size and nothing else.
//
// Required of the host:
//   CLSCAN_WORK_GROUP_SIZE   1
//   CLSCAN_CACHED_PIECES, CLSCAN_INTERLEAVED_ROWS, CLSCAN_VECTOR_LENGTH  whose product is the tile, 2^k blocks
#if CLSCAN_WORK_GROUP_SIZE != 1
#error "CLSCAN_WORK_GROUP_SIZE must be 1"
#endif

// Whole blocks by vectors of 16 runs, where elements/lanes.cl has vectors of that length. Operators are sums and
// products here, to which a neutral operand changes nothing. All other blocks are grouped in the same way further
// below.
#define CLSCAN_ROW_LANES (CLSCAN_LANES && CLSCAN_VECTOR_LENGTH == 16)

#if CLSCAN_ROW_LANES
#if CLSCAN_OPERATOR == CLSCAN_OPERATOR_ADD
#define CLSCAN_LANES_OPERATE(before, after) ((before) + (after))
#else
#define CLSCAN_LANES_OPERATE(before, after) ((before) * (after))
#endif

// At any alignment.
typedef clscan_vector clscan_row_vector __attribute__((aligned(CLSCAN_A_BYTES)));

// Half a row: element c of 16 runs in at[c].
typedef struct clscan_half_row {
    clscan_vector at[CLSCAN_RUN];
} clscan_half_row;

CLSCAN_FUNCTION clscan_vector clscan_row_vector_load(clscan_source in, uint k)
{
    return clscan_ordered(*(__global const clscan_row_vector *)CLSCAN_VECTOR_AT(in, k));
}

CLSCAN_FUNCTION void clscan_half_load(clscan_half_row *half_row, clscan_source in)
{
    const clscan_vector a = clscan_row_vector_load(in, 0), b = clscan_row_vector_load(in, 16);
    const clscan_vector c = clscan_row_vector_load(in, 32), d = clscan_row_vector_load(in, 48);
    const clscan_vector even_low = (clscan_vector)(a.even, b.even), even_high = (clscan_vector)(c.even, d.even);
    const clscan_vector odd_low = (clscan_vector)(a.odd, b.odd), odd_high = (clscan_vector)(c.odd, d.odd);

    half_row->at[0] = (clscan_vector)(even_low.even, even_high.even);
    half_row->at[1] = (clscan_vector)(odd_low.even, odd_high.even);
    half_row->at[2] = (clscan_vector)(even_low.odd, even_high.odd);
    half_row->at[3] = (clscan_vector)(odd_low.odd, odd_high.odd);
}

CLSCAN_FUNCTION void clscan_row_vector_store(clscan_sink out, uint k, clscan_vector v, bool stream)
{
    CLSCAN_STREAM_OR_STORE(clscan_vector, clscan_row_vector, CLSCAN_VECTOR_AT(out, k), clscan_ordered(v), stream);
}

// The way back of clscan_half_load().
CLSCAN_FUNCTION void clscan_half_store(clscan_sink out, const clscan_half_row *half_row, bool stream)
{
    clscan_vector even_low, even_high, odd_low, odd_high, v;

    even_low.even = half_row->at[0].lo;
    even_high.even = half_row->at[0].hi;
    odd_low.even = half_row->at[1].lo;
    odd_high.even = half_row->at[1].hi;
    even_low.odd = half_row->at[2].lo;
    even_high.odd = half_row->at[2].hi;
    odd_low.odd = half_row->at[3].lo;
    odd_high.odd = half_row->at[3].hi;
    v.even = even_low.lo;
    v.odd = odd_low.lo;
    clscan_row_vector_store(out, 0, v, stream);
    v.even = even_low.hi;
    v.odd = odd_low.hi;
    clscan_row_vector_store(out, 16, v, stream);
    v.even = even_high.lo;
    v.odd = odd_high.lo;
    clscan_row_vector_store(out, 32, v, stream);
    v.even = even_high.hi;
    v.odd = odd_high.hi;
    clscan_row_vector_store(out, 48, v, stream);
}

// The totals of the runs.
CLSCAN_FUNCTION clscan_vector clscan_half_sum(const clscan_half_row *half_row)
{
    clscan_vector sum = half_row->at[0];
#pragma unroll
    for (uint c = 1; c < CLSCAN_RUN; ++c)
        sum = CLSCAN_LANES_OPERATE(sum, half_row->at[c]);
    return sum;
}

// The total of a row.
CLSCAN_FUNCTION clscan_sum clscan_lanes_row_total(clscan_source in)
{
    clscan_half_row low, high;
    clscan_vector first, second, sums;
    CLSCAN_PASTE(CLSCAN_T, 8) eight;
    CLSCAN_PASTE(CLSCAN_T, 4) four;
    CLSCAN_PASTE(CLSCAN_T, 2) two;

    clscan_half_load(&low, in);
    clscan_half_load(&high, CLSCAN_ADVANCE(in, CLSCAN_BLOCK_ROW / 2));
    first = clscan_half_sum(&low);
    second = clscan_half_sum(&high);
    sums = CLSCAN_LANES_OPERATE((clscan_vector)(first.even, second.even), (clscan_vector)(first.odd, second.odd));
    eight = CLSCAN_LANES_OPERATE(sums.even, sums.odd);
    four = CLSCAN_LANES_OPERATE(eight.even, eight.odd);
    two = CLSCAN_LANES_OPERATE(four.even, four.odd);
    return CLSCAN_LANES_OPERATE(two.s0, two.s1);
}

CLSCAN_FUNCTION clscan_vector clscan_lanes_settled(clscan_vector v)
{
    return select(v, (clscan_vector)(CLSCAN_NAN), v != v);
}

// Scan 16 runs onto what precedes each, and store them.
CLSCAN_FUNCTION void clscan_half_scan(clscan_sink out, clscan_half_row *half_row, clscan_vector before, bool stream)
{
#pragma unroll
    for (uint c = 0; c < CLSCAN_RUN; ++c) {
        const clscan_vector after = CLSCAN_LANES_OPERATE(before, half_row->at[c]);
        half_row->at[c] = clscan_lanes_settled(CLSCAN_INCLUSIVE ? after : before);
        before = after;
    }
    clscan_half_store(out, half_row, stream);
}

// Scan a row onto `prefix` and the rows of its block before it, and store it. Where there is nothing before, both are
// neutral. Returns the rows up to this one.
CLSCAN_FUNCTION clscan_sum clscan_lanes_row_scan(clscan_source in, clscan_sink out, clscan_sum rows, clscan_sum prefix,
                                                 bool stream)
{
    clscan_half_row low_row, high_row;
    clscan_vector low, high, low_before, high_before;

    clscan_half_load(&low_row, in);
    clscan_half_load(&high_row, CLSCAN_ADVANCE(in, CLSCAN_BLOCK_ROW / 2));
    low = clscan_half_sum(&low_row);
    high = clscan_half_sum(&high_row);
    // Kogge-Stone over 32 lanes: the upper half takes what leaves the lower one.
    high = CLSCAN_LANES_OPERATE(CLSCAN_UP_1(low.sf, high), high);
    low = CLSCAN_LANES_OPERATE(CLSCAN_UP_1(CLSCAN_NEUTRAL, low), low);
    high = CLSCAN_LANES_OPERATE((clscan_vector)(low.sef, high.s01234567, high.s89ab, high.scd), high);
    low = CLSCAN_LANES_OPERATE(CLSCAN_UP_2(low), low);
    high = CLSCAN_LANES_OPERATE((clscan_vector)(low.scdef, high.s01234567, high.s89ab), high);
    low = CLSCAN_LANES_OPERATE(CLSCAN_UP_4(low), low);
    high = CLSCAN_LANES_OPERATE((clscan_vector)(low.s89abcdef, high.s01234567), high);
    low = CLSCAN_LANES_OPERATE(CLSCAN_UP_8(low), low);
    high = CLSCAN_LANES_OPERATE(low, high);

    high_before = CLSCAN_LANES_OPERATE((clscan_vector)(rows), CLSCAN_UP_1(low.sf, high));
    low_before = CLSCAN_LANES_OPERATE((clscan_vector)(rows), CLSCAN_UP_1(CLSCAN_NEUTRAL, low));
    clscan_half_scan(out, &low_row, CLSCAN_LANES_OPERATE((clscan_vector)(prefix), low_before), stream);
    clscan_half_scan(CLSCAN_ADVANCE(out, CLSCAN_BLOCK_ROW / 2), &high_row,
                     CLSCAN_LANES_OPERATE((clscan_vector)(prefix), high_before), stream);
    return CLSCAN_LANES_OPERATE(rows, high.sf);
}

CLSCAN_FUNCTION clscan_sum clscan_lanes_block_total(clscan_source in)
{
    clscan_sum total = clscan_lanes_row_total(in);

    for (uint first = CLSCAN_BLOCK_ROW; first < CLSCAN_BLOCK; first += CLSCAN_BLOCK_ROW)
        total = CLSCAN_LANES_OPERATE(total, clscan_lanes_row_total(CLSCAN_ADVANCE(in, first)));
    return total;
}

// As clscan_block_scan(), of a whole block.
CLSCAN_FUNCTION clscan_sum clscan_lanes_block_scan(clscan_source in, clscan_sink out, clscan_prefix prefix,
                                                   bool stream)
{
    const CLSCAN_T first_input = clscan_read(in, 0);
    clscan_sum rows = CLSCAN_NEUTRAL;

    for (uint first = 0; first < CLSCAN_BLOCK; first += CLSCAN_BLOCK_ROW)
        rows = clscan_lanes_row_scan(CLSCAN_ADVANCE(in, first), CLSCAN_ADVANCE(out, first), rows,
                                     prefix.present ? prefix.value : CLSCAN_NEUTRAL, stream);
    // The very first output is not computed.
    if (!prefix.present)
        clscan_write(out, 0, clscan_step(&prefix, first_input));
    return rows;
}
#endif

#define CLSCAN_TILE ((uint)CLSCAN_INTERLEAVED_ROWS * CLSCAN_CACHED_PIECES * CLSCAN_VECTOR_LENGTH)
#define CLSCAN_TILE_BLOCKS (CLSCAN_TILE / CLSCAN_BLOCK)

typedef struct clscan_zone {
    clscan_sum scratch[CLSCAN_SCRATCH];
    clscan_sum nodes[CLSCAN_TILE_BLOCKS]; // of the tile's blocks; then the block that is cut
} clscan_zone;

typedef struct clscan_tile {
    clscan_source in; // cursor at the tile's first element
} clscan_tile;

// A row, element c of run l as at[c][l].
typedef struct clscan_row {
    CLSCAN_T at[CLSCAN_RUN][CLSCAN_ROW_RUNS];
} clscan_row;

// Load the first `runs` runs of a row, the last of which may be cut: `valid` elements of the row are there.
CLSCAN_FUNCTION void clscan_row_load(clscan_row *row, clscan_source in, uint runs, uint valid)
{
    for (uint l = 0; l < runs; ++l)
#pragma unroll
        for (uint c = 0; c < CLSCAN_RUN; ++c)
            if (CLSCAN_RUN * l + c < valid)
                row->at[c][l] = clscan_read(in, CLSCAN_RUN * l + c);
}

// The totals of the runs.
CLSCAN_FUNCTION void clscan_row_sum(clscan_sum *sums, const clscan_row *row, uint runs, uint valid)
{
    for (uint l = 0; l < runs; ++l) {
        clscan_sum sum = clscan_lift(row->at[0][l]);
#pragma unroll
        for (uint c = 1; c < CLSCAN_RUN; ++c)
            if (CLSCAN_RUN * l + c < valid)
                sum = clscan_join(sum, clscan_lift(row->at[c][l]));
        sums[l] = sum;
    }
}

// Inclusive scan of the runs' totals (Kogge-Stone, as clscan_sub_group_sums() does it with 32 lanes).
CLSCAN_FUNCTION void clscan_row_scan(clscan_sum *sums, uint runs)
{
#pragma unroll
    for (uint distance = 1; distance < CLSCAN_ROW_RUNS; distance *= 2) {
        clscan_sum below[CLSCAN_ROW_RUNS];
        for (uint l = distance; l < runs; ++l)
            below[l] = sums[l - distance];
        for (uint l = distance; l < runs; ++l)
            sums[l] = clscan_join(below[l], sums[l]);
    }
}

// The combination of a whole row: what the scan would give to the last run.
CLSCAN_FUNCTION clscan_sum clscan_row_total(clscan_sum *sums)
{
#pragma unroll
    for (uint nodes = CLSCAN_ROW_RUNS / 2; nodes > 0; nodes /= 2)
        for (uint l = 0; l < nodes; ++l)
            sums[l] = clscan_join(sums[2 * l], sums[2 * l + 1]);
    return sums[0];
}

// The combination of a block's first `valid` elements, at least one. `whole` is a constant, and says that all are
// there.
CLSCAN_FUNCTION clscan_sum clscan_block_total(bool whole, clscan_source in, uint valid)
{
    clscan_prefix total = clscan_nothing();

    for (uint first = 0; first < (whole ? CLSCAN_BLOCK : valid); first += CLSCAN_BLOCK_ROW) {
        const uint row_valid = whole ? CLSCAN_BLOCK_ROW : min(valid - first, CLSCAN_BLOCK_ROW);
        const uint runs = whole ? CLSCAN_ROW_RUNS : (row_valid + CLSCAN_RUN - 1) / CLSCAN_RUN;
        clscan_sum sums[CLSCAN_ROW_RUNS];
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
CLSCAN_FUNCTION void clscan_run_store(clscan_sink out, const clscan_row *row, uint l, clscan_prefix prefix, uint valid)
{
#pragma unroll
    for (uint c = 0; c < CLSCAN_RUN; ++c)
        if (CLSCAN_RUN * l + c < valid)
            clscan_write(out, CLSCAN_RUN * l + c, clscan_step(&prefix, row->at[c][l]));
}

// Scan a block onto `prefix` and store it. `whole` as for clscan_block_total(). Returns the block's total.
CLSCAN_FUNCTION clscan_sum clscan_block_scan(bool whole, clscan_source in, clscan_sink out, uint valid,
                                             clscan_prefix prefix)
{
    clscan_prefix rows = clscan_nothing();

    for (uint first = 0; first < (whole ? CLSCAN_BLOCK : valid); first += CLSCAN_BLOCK_ROW) {
        const uint row_valid = whole ? CLSCAN_BLOCK_ROW : min(valid - first, CLSCAN_BLOCK_ROW);
        const uint runs = whole ? CLSCAN_ROW_RUNS : (row_valid + CLSCAN_RUN - 1) / CLSCAN_RUN;
        clscan_sink row_out = CLSCAN_ADVANCE(out, first);
        clscan_sum sums[CLSCAN_ROW_RUNS];
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
    return rows.value;
}

// Extend `prefix` by the blocks 0 .. block - 1 of the tile, the largest node first.
CLSCAN_FUNCTION clscan_prefix clscan_blocks_before(__local const clscan_sum *nodes, uint block, clscan_prefix prefix)
{
    for (uint digit = CLSCAN_TILE_BLOCKS / 2; digit > 0; digit /= 2)
        if (block & digit)
            prefix = clscan_extend(prefix, nodes[(block & ~(digit - 1)) - 1]);
    return prefix;
}

/// Load a tile, which leaves it in the cache, and return its total, which is of no use unless the tile is full.
/// Parameters as in bodies/strided.cl.
CLSCAN_FUNCTION clscan_sum clscan_tile_total(clscan_tile *tile, __local clscan_zone *zone, clscan_source in, uint valid)
{
    const uint whole = valid / CLSCAN_BLOCK;
    clscan_sum node = CLSCAN_NO_SUM;

    for (uint block = 0; block < whole; ++block) {
#if CLSCAN_ROW_LANES
        node = clscan_lanes_block_total(CLSCAN_ADVANCE(in, block * CLSCAN_BLOCK));
#else
        node = clscan_block_total(true, CLSCAN_ADVANCE(in, block * CLSCAN_BLOCK), CLSCAN_BLOCK);
#endif
        for (uint blocks = 1; block & blocks; blocks *= 2)
            node = clscan_join(zone->nodes[block - blocks], node);
        zone->nodes[block] = node;
    }
    if (valid % CLSCAN_BLOCK > 0)
        zone->nodes[whole] =
            clscan_block_total(false, CLSCAN_ADVANCE(in, whole * CLSCAN_BLOCK), valid % CLSCAN_BLOCK);
    tile->in = in;
    return node;
}

/// Scan the tile onto `prefix` and store it. Parameters as in bodies/strided.cl.
CLSCAN_FUNCTION void clscan_tile_finish(clscan_tile *tile, __local clscan_zone *zone, clscan_sink out, uint valid,
                                        clscan_prefix prefix, bool stream)
{
    const uint whole = valid / CLSCAN_BLOCK;

    for (uint block = 0; block < whole; ++block) {
        const clscan_prefix before = clscan_blocks_before(zone->nodes, block, prefix);
        clscan_source block_in = CLSCAN_ADVANCE(tile->in, block * CLSCAN_BLOCK);
        clscan_sink block_out = CLSCAN_ADVANCE(out, block * CLSCAN_BLOCK);
#if CLSCAN_ROW_LANES
        (void)clscan_lanes_block_scan(block_in, block_out, before, stream && clscan_sink_aligned(out));
#else
        (void)clscan_block_scan(true, block_in, block_out, CLSCAN_BLOCK, before);
#endif
    }
    if (valid % CLSCAN_BLOCK > 0)
        (void)clscan_block_scan(false, CLSCAN_ADVANCE(tile->in, whole * CLSCAN_BLOCK),
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
