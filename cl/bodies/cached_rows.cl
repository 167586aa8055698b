// Tile body `cached_rows`, for CPUs: one work-item scans a tile that stays in its core's cache from the total to the
// scan. The tile is cut into CLSCAN_INTERLEAVED_ROWS rows, which are walked side by side: as many streams of memory are
// under way at once, and the carries of the rows do not wait for each other. The totals of the rows, which the first
// walk leaves behind, tell each row of the second one where it begins.
//
// Vectors are scanned in registers where operands may be reordered (elements/lanes.cl, or bodies/cached_sums.cl), else
// element by element.
// A tile that is not full is walked as one row.
//
// Required of the host: what bodies/cached_tiles.cl requires, and
//   CLSCAN_SUM_LANES    1 if the steps are those of bodies/cached_sums.cl
//   CLSCAN_FILLS_LINES  1 if elements are vectors that make whole lines
//   CLSCAN_ROWS_ABREAST 0 unless the rows are those of bodies/cached_abreast.cl
#if CLSCAN_ROWS_ABREAST
#define CLSCAN_TILE_ROWS CLSCAN_ROWS_ABREAST
#else
#define CLSCAN_TILE_ROWS CLSCAN_INTERLEAVED_ROWS
#endif
typedef struct clscan_tile {
    clscan_source in;                  // cursor at the tile's first element
    clscan_sum rows[CLSCAN_TILE_ROWS]; // totals of the rows, if the tile is full
} clscan_tile;

// How far ahead of a load its line is asked for: what comes later is late, what comes earlier drives out what is
// needed. Half a page reaches into the next one before a processor does so by itself (docs/results/cpus.md).
#define CLSCAN_PREFETCH_COUNT (2048 / (uint)sizeof(clscan_in))

// A step is what a row does in one turn. A unit is what it keeps from turn to turn: its sum so far, or what precedes
// the next step.
#if CLSCAN_SUM_LANES
// It is in bodies/cached_sums.cl.
#elif CLSCAN_LANES
// Outputs leave the core in whole lines: a part of a line is read from memory before it is written, also when it is
// stored past the cache.
#define CLSCAN_LINE_VECTORS (CLSCAN_CACHE_LINE_BYTES / (CLSCAN_VECTOR_LENGTH * CLSCAN_A_BYTES))
#if CLSCAN_LINE_VECTORS <= 1
#define CLSCAN_STEP_VECTORS 1
#elif CLSCAN_LINE_VECTORS < CLSCAN_CACHED_PIECES
#define CLSCAN_STEP_VECTORS CLSCAN_LINE_VECTORS
#else
#define CLSCAN_STEP_VECTORS CLSCAN_CACHED_PIECES
#endif
#define CLSCAN_STEP (CLSCAN_STEP_VECTORS * CLSCAN_VECTOR_LENGTH)

// At any alignment: on a CPU, a vector that is aligned all the same costs no more to load or store this way.
typedef clscan_vector clscan_loose_vector __attribute__((aligned(CLSCAN_A_BYTES)));

CLSCAN_FUNCTION clscan_vector clscan_load_loose(clscan_source cursor, uint k)
{
    return clscan_ordered(*(__global const clscan_loose_vector *)CLSCAN_VECTOR_AT(cursor, k));
}

CLSCAN_FUNCTION void clscan_store_loose(clscan_sink cursor, uint k, clscan_vector v, bool stream)
{
    CLSCAN_STREAM_OR_STORE(clscan_vector, clscan_loose_vector, CLSCAN_VECTOR_AT(cursor, k), clscan_ordered(v), stream);
}

typedef clscan_vector clscan_unit;
#define clscan_unit_of(value) ((clscan_unit)(value))
#define clscan_unit_value(unit) ((unit).s0)

CLSCAN_FUNCTION clscan_sum clscan_unit_total(clscan_unit sum)
{
    CLSCAN_T elements[CLSCAN_VECTOR_LENGTH];
    clscan_sum total;
    clscan_unpack(sum, elements);
    total = elements[0];
    for (uint c = 1; c < CLSCAN_VECTOR_LENGTH; ++c)
        total = clscan_join(total, elements[c]);
    return total;
}

// Add the step at `k` to a row's sum; `first`: it is the first one.
CLSCAN_FUNCTION clscan_unit clscan_step_reduce(bool first, clscan_unit sum, clscan_source in, uint k)
{
#pragma unroll
    for (uint i = 0; i < CLSCAN_STEP_VECTORS; ++i) {
        const clscan_vector v = clscan_load_loose(in, k + i * CLSCAN_VECTOR_LENGTH);
        sum = first && i == 0 ? v : clscan_lanes_operate(sum, v);
    }
    return sum;
}

// Scan the step at `k` onto what precedes it; returns what precedes the next one.
CLSCAN_FUNCTION clscan_unit clscan_step_scan(clscan_source in, clscan_sink out, uint k, clscan_unit before, bool stream)
{
    clscan_vector v[CLSCAN_STEP_VECTORS];
#pragma unroll
    for (uint i = 0; i < CLSCAN_STEP_VECTORS; ++i)
        v[i] = clscan_load_loose(in, k + i * CLSCAN_VECTOR_LENGTH);
#pragma unroll
    for (uint i = 0; i < CLSCAN_STEP_VECTORS; ++i)
        before = clscan_lanes_scan_onto(before, &v[i]);
#pragma unroll
    for (uint i = 0; i < CLSCAN_STEP_VECTORS; ++i)
        clscan_store_loose(out, k + i * CLSCAN_VECTOR_LENGTH, v[i], stream);
    return before;
}

// The same for the first step of a tile, which nothing may precede.
CLSCAN_FUNCTION clscan_unit clscan_first_step_scan(clscan_source in, clscan_sink out, clscan_prefix prefix, bool stream)
{
    clscan_vector v[CLSCAN_STEP_VECTORS];
    clscan_unit before;

#pragma unroll
    for (uint i = 0; i < CLSCAN_STEP_VECTORS; ++i)
        v[i] = clscan_load_loose(in, i * CLSCAN_VECTOR_LENGTH);
    v[0] = clscan_lanes_scan(&prefix, v[0]);
    before = clscan_unit_of(prefix.value);
#pragma unroll
    for (uint i = 1; i < CLSCAN_STEP_VECTORS; ++i)
        before = clscan_lanes_scan_onto(before, &v[i]);
#pragma unroll
    for (uint i = 0; i < CLSCAN_STEP_VECTORS; ++i)
        clscan_store_loose(out, i * CLSCAN_VECTOR_LENGTH, v[i], stream);
    return before;
}
#else
// Operators go from element to element.
typedef clscan_sum clscan_unit;
#define clscan_unit_of(value) (value)
#define clscan_unit_value(unit) (unit)
#define clscan_unit_total(sum) (sum)
#if CLSCAN_SELECTS
// So do selections: what the compiler makes of a loop over counts of one bit is better than of vectors of items.
#define CLSCAN_STEP (CLSCAN_ROW < 16 ? CLSCAN_ROW : 16)

// Items that do not leave by copies leave one by one: bits say which, so that a processor need not guess for each. They
// also say which elements are brought together.
#define CLSCAN_STEP_HAS_BITS (!CLSCAN_SELECT_REST && (!CLSCAN_SELECT_COPIES || CLSCAN_PACKS))
#if CLSCAN_STEP_HAS_BITS
#if CLSCAN_SELECT_LONG
#define clscan_bit_at(in, at) clscan_begins_run((in), (at))
#else
#define clscan_bit_at(in, at) clscan_lift(clscan_item_at((in), (at)))
#endif

// An item that is not the first one, without asking. Compilers make vectors of a loop over such items.
CLSCAN_FUNCTION clscan_item clscan_item_behind_others(clscan_source in, ulong at)
{
    clscan_item item = CLSCAN_ITEM_BEHIND(in, at - 1, at, 0);

    CLSCAN_REJECT(item, clscan_flag_at(in.arguments, at));
    return item;
}

// A bit for each element of the step at `k` that is kept; of runs of two and more, that is the first or the last one.
CLSCAN_FUNCTION uint clscan_step_bits(clscan_source in, uint k)
{
    const ulong first = CLSCAN_AT(in, k);
    const uint looked_at = CLSCAN_STEP + CLSCAN_SELECT_LONG;
#if CLSCAN_SELECT_LONG
    const bool inside = first > 0 && first + CLSCAN_STEP < clscan_run_count(in.arguments);
#else
    const bool inside = first > 0;
#endif
    uint bits = 0;

    if (inside) {
        uint from = 0;

#if CLSCAN_HAS_BYTE_MASKS
        // Compilers make vectors of a loop over bytes, not of one over bits.
        clscan_answers kept;

        kept.vector = (char16)(0);
        from = CLSCAN_STEP;
#pragma unroll
        for (uint c = 0; c < CLSCAN_STEP; ++c)
            kept.bytes[c] = clscan_lift(clscan_item_behind_others(in, first + c)) != 0 ? 0xff : 0;
        bits = clscan_answer_bits(kept.vector);
#endif
#pragma unroll
        for (uint c = from; c < looked_at; ++c)
            bits |= (uint)(clscan_lift(clscan_item_behind_others(in, first + c)) != 0) << c;
    } else {
        for (uint c = 0; c < looked_at; ++c)
            bits |= (uint)(clscan_bit_at(in, first + c) != 0) << c;
    }
    return CLSCAN_SELECT_LONG ? (bits ^ bits >> 1) & ((1u << CLSCAN_STEP) - 1) : bits;
}
#endif

CLSCAN_FUNCTION clscan_unit clscan_step_reduce(bool first, clscan_unit sum, clscan_source in, uint k)
{
    sum = first ? 0 : sum;
#if CLSCAN_STEP_HAS_BITS
    sum += popcount(clscan_step_bits(in, k));
#else
#pragma unroll
    for (uint c = 0; c < CLSCAN_STEP; ++c)
        sum += clscan_lift(clscan_read(in, k + c));
#endif
    return sum;
}

CLSCAN_FUNCTION clscan_unit clscan_first_step_scan(clscan_source in, clscan_sink out, clscan_prefix prefix, bool stream)
{
#if CLSCAN_STEP_HAS_BITS
    clscan_sum number = prefix.present ? prefix.value : 0;
    uint bits = clscan_step_bits(in, 0);

#if CLSCAN_PACKS
    // Not as a rule; said so, where half is kept it costs nothing.
    if (__builtin_expect(bits == 0, 0))
        return number;
    if (number + CLSCAN_STEP <= out.end)
        return clscan_packed_store(in, out, CLSCAN_STEP, bits, number);
#endif
    for (; bits != 0; bits &= bits - 1) {
        const uint c = 31 - clz(bits & -bits);
        clscan_item item = clscan_item_at(in, CLSCAN_AT(in, c));

        clscan_lift(item) = number++;
#if CLSCAN_KEEPS_PREVIOUS
        item.previous = clscan_lift(item);
#endif
        clscan_write(out, c, item);
    }
    return number;
#else
#pragma unroll
    for (uint c = 0; c < CLSCAN_STEP; ++c)
        clscan_put_next(CLSCAN_ADVANCE(out, c), &prefix, clscan_read(in, c));
    return prefix.value;
#endif
}
#elif CLSCAN_FILLS_LINES
// Vectors of OpenCL C are stored as such, a whole line at a time: past the cache, less would be put together by nobody.
#if CLSCAN_CACHED_PIECES * CLSCAN_VECTOR_LENGTH < CLSCAN_CACHE_LINE_BYTES / CLSCAN_A_BYTES
#define CLSCAN_STEP CLSCAN_ROW
#else
#define CLSCAN_STEP (CLSCAN_CACHE_LINE_BYTES / CLSCAN_A_BYTES)
#endif

CLSCAN_FUNCTION clscan_unit clscan_step_reduce(bool first, clscan_unit sum, clscan_source in, uint k)
{
#pragma unroll
    for (uint c = 0; c < CLSCAN_STEP; ++c)
        sum = first && c == 0 ? clscan_read(in, k) : clscan_join(sum, clscan_read(in, k + c));
    return sum;
}

CLSCAN_FUNCTION clscan_unit clscan_first_step_scan(clscan_source in, clscan_sink out, clscan_prefix prefix, bool stream)
{
    CLSCAN_A outputs[CLSCAN_STEP];

#pragma unroll
    for (uint c = 0; c < CLSCAN_STEP; ++c)
        outputs[c] = clscan_step(&prefix, clscan_read(in, c));
#pragma unroll
    for (uint c = 0; c < CLSCAN_STEP; ++c)
        CLSCAN_STREAM_OR_STORE(CLSCAN_A, CLSCAN_A, CLSCAN_AT(out, c), outputs[c], stream);
    return prefix.value;
}
#else
// But memory is accessed by vectors.
#define CLSCAN_STEP CLSCAN_VECTOR_LENGTH

CLSCAN_FUNCTION clscan_unit clscan_step_reduce(bool first, clscan_unit sum, clscan_source in, uint k)
{
    CLSCAN_T elements[CLSCAN_VECTOR_LENGTH];

    clscan_unpack(clscan_load_vector(in, k, false), elements);
#pragma unroll
    for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c) {
        const clscan_sum value = clscan_lift(elements[c]);
        sum = first && c == 0 ? value : clscan_join(sum, value);
    }
    return sum;
}

CLSCAN_FUNCTION clscan_unit clscan_first_step_scan(clscan_source in, clscan_sink out, clscan_prefix prefix, bool stream)
{
    CLSCAN_T elements[CLSCAN_VECTOR_LENGTH];

    clscan_unpack(clscan_load_vector(in, 0, false), elements);
#pragma unroll
    for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
        elements[c] = clscan_step(&prefix, elements[c]);
    clscan_store_vector(out, 0, clscan_pack(elements), false);
    return prefix.value;
}
#endif

CLSCAN_FUNCTION clscan_unit clscan_step_scan(clscan_source in, clscan_sink out, uint k, clscan_unit before, bool stream)
{
    clscan_prefix prefix;
    prefix.value = before;
    prefix.present = true;
    return clscan_first_step_scan(CLSCAN_ADVANCE(in, k), CLSCAN_ADVANCE(out, k), prefix, stream);
}
#endif

// Ask for what is CLSCAN_PREFETCH_COUNT elements behind element k.
CLSCAN_FUNCTION void clscan_prefetch(clscan_source cursor, uint k)
{
#if !CLSCAN_PLAIN && CLSCAN_GENERATES
    // There is nothing to ask for.
#elif CLSCAN_CAN_PREFETCH && CLSCAN_POINTERS
    // The builtin takes no address spaces.
    __builtin_prefetch((const void *)(ulong)CLSCAN_AT(cursor, k + CLSCAN_PREFETCH_COUNT));
#elif CLSCAN_PLAIN
    prefetch(CLSCAN_AT(cursor, k + CLSCAN_PREFETCH_COUNT), 1);
#else
#if CLSCAN_POINTERS
    __global const clscan_in *at = CLSCAN_AT(cursor, k + CLSCAN_PREFETCH_COUNT);
#else
    __global const clscan_in *at =
        clscan_stored(cursor, const clscan_in) + CLSCAN_AT(cursor, k + CLSCAN_PREFETCH_COUNT);
#endif
#if CLSCAN_CAN_PREFETCH
    __builtin_prefetch((const void *)(ulong)at);
#else
    // OpenCL C has it for its own types only.
    prefetch((__global const uchar *)at, sizeof(clscan_in));
#endif
#endif
}

// The sink of row r, which ends where `end` precedes the next one.
#define CLSCAN_ROW_SINK(out, r, end) clscan_sink_until((out), ((r) + 1) * CLSCAN_ROW, (end))

// The rows of full tiles. With `scan`, the tile is scanned onto `prefix` and stored. With `reduce`, the tile at `next`
// takes its place: its rows are added up, in the same turns, so that memory is read and written all the time. Both are
// constants here. Returns the total of `next`.
CLSCAN_FUNCTION clscan_sum clscan_rows_walk(bool scan, bool reduce, clscan_tile *tile, clscan_sink out,
                                            clscan_prefix prefix, bool stream, clscan_source next)
{
#if CLSCAN_ROWS_ABREAST
    const clscan_source in = tile->in;
    const bool begins = scan && !prefix.present;
    clscan_sum stored = CLSCAN_NO_SUM, sum;

#ifdef CLSCAN_IDENTITY
    if (begins) {
        stored = clscan_read(in, 0);
        prefix.value = CLSCAN_IDENTITY_VALUE;
    }
#endif
    if (reduce)
        tile->in = next;
    sum = clscan_abreast_walk(scan, reduce, in, tile->rows, out, prefix, stream, next);
    // The very first output is the input itself, also where the identity would change a NaN.
    if (begins && CLSCAN_INCLUSIVE)
        clscan_write(out, 0, stored);
    return sum;
#else
    clscan_source in = tile->in;
    clscan_unit before[CLSCAN_INTERLEAVED_ROWS], sums[CLSCAN_INTERLEAVED_ROWS];
    clscan_sum ends[CLSCAN_INTERLEAVED_ROWS]; // what precedes the next row
    clscan_prefix total;

#pragma unroll
    for (uint r = 0; r < CLSCAN_INTERLEAVED_ROWS; ++r) {
        before[r] = clscan_unit_of(prefix.value);
        sums[r] = clscan_unit_of(CLSCAN_NO_SUM);
        if (reduce)
            sums[r] = clscan_step_reduce(true, sums[r], next, r * CLSCAN_ROW);
        if (scan) {
            // Without a scan the tile has no totals yet, and operators see only what came of elements.
            const clscan_prefix after = clscan_extend(prefix, tile->rows[r]);
            ends[r] = after.value;
            if (r > 0)
                before[r] = clscan_step_scan(in, CLSCAN_ROW_SINK(out, r, ends[r]), r * CLSCAN_ROW, before[r], stream);
            else
                before[r] = clscan_first_step_scan(in, CLSCAN_ROW_SINK(out, r, ends[r]), prefix, stream);
            prefix = after;
        }
    }
    for (uint k = CLSCAN_STEP; k < CLSCAN_ROW; k += CLSCAN_STEP) {
#pragma unroll
        for (uint r = 0; r < CLSCAN_INTERLEAVED_ROWS; ++r) {
            if (reduce) {
                clscan_prefetch(next, r * CLSCAN_ROW + k);
                sums[r] = clscan_step_reduce(false, sums[r], next, r * CLSCAN_ROW + k);
            }
            if (scan)
                before[r] =
                    clscan_step_scan(in, CLSCAN_ROW_SINK(out, r, ends[r]), r * CLSCAN_ROW + k, before[r], stream);
        }
    }
    total.value = CLSCAN_NO_SUM;
    total.present = false;
    if (reduce) {
        tile->in = next;
#pragma unroll
        for (uint r = 0; r < CLSCAN_INTERLEAVED_ROWS; ++r) {
            tile->rows[r] = clscan_unit_total(sums[r]);
            total = clscan_extend(total, tile->rows[r]);
        }
    }
    return total.value;
#endif
}

// Are the rows of a full tile walked? Those abreast need something that precedes the very first element.
#if CLSCAN_ROWS_ABREAST && !defined(CLSCAN_IDENTITY)
#define CLSCAN_WALKS_ROWS(prefix) ((prefix).present)
#else
#define CLSCAN_WALKS_ROWS(prefix) true
#endif

/// Load a tile, which leaves it in the cache, and return its total. Parameters as in bodies/strided.cl.
CLSCAN_FUNCTION clscan_sum clscan_tile_total(clscan_tile *tile, __local clscan_zone *zone, clscan_source in, uint valid)
{
    clscan_unit sum = clscan_unit_of(CLSCAN_NO_SUM);
    clscan_prefix total;
    uint k = 0;

    total.value = CLSCAN_NO_SUM;
    total.present = false;
    if (valid == CLSCAN_TILE)
        return clscan_rows_walk(false, true, tile, CLSCAN_NOWHERE, total, false, in);
    if (valid >= CLSCAN_STEP) {
        sum = clscan_step_reduce(true, sum, in, 0);
        for (k = CLSCAN_STEP; k + CLSCAN_STEP <= valid; k += CLSCAN_STEP)
            sum = clscan_step_reduce(false, sum, in, k);
        total = clscan_extend(total, clscan_unit_total(sum));
    }
    for (; k < valid; ++k)
        total = clscan_extend(total, clscan_lift(clscan_read(in, k)));
    tile->in = in;
    return total.value;
}

/// Scan a tile that was not loaded onto `prefix` and store it.
///
/// in       cursor at the tile's first element; the others as for clscan_tile_finish()
/// returns  what precedes the next tile
CLSCAN_FUNCTION clscan_prefix clscan_tile_pass(clscan_source in, clscan_sink out, uint valid, clscan_prefix prefix,
                                               bool stream)
{
    uint k = 0;

    stream = stream && clscan_sink_aligned(out);
#if CLSCAN_ROWS_ABREAST
    // Two walks of rows take less time than one of elements.
    if (valid == CLSCAN_TILE && CLSCAN_WALKS_ROWS(prefix)) {
        clscan_tile tile;
        const clscan_sum total = clscan_rows_walk(false, true, &tile, CLSCAN_NOWHERE, prefix, false, in);

        clscan_rows_walk(true, false, &tile, out, prefix, stream, CLSCAN_NOWHERE);
        return clscan_extend(prefix, total);
    }
#endif
    if (valid >= CLSCAN_STEP) {
        clscan_unit before = clscan_first_step_scan(in, out, prefix, stream);
        for (k = CLSCAN_STEP; k + CLSCAN_STEP <= valid; k += CLSCAN_STEP)
            before = clscan_step_scan(in, out, k, before, stream);
        prefix.value = clscan_unit_value(before);
        prefix.present = true;
    }
    for (; k < valid; ++k)
        clscan_write(out, k, clscan_step(&prefix, clscan_read(in, k)));
    return prefix;
}

// Is nothing of a full tile to be stored? So it is where a selection keeps none of its elements.
CLSCAN_FUNCTION bool clscan_tile_is_dropped(const clscan_tile *tile)
{
    bool dropped = false;

#if CLSCAN_SELECTS && CLSCAN_SELECT_COPIES && !CLSCAN_SELECT_REST
    dropped = true;
    for (uint r = 0; r < CLSCAN_TILE_ROWS; ++r)
        dropped &= tile->rows[r] == 0;
#endif
    return dropped;
}

/// Scan the tile onto `prefix` and store it. Parameters as in bodies/strided.cl.
CLSCAN_FUNCTION void clscan_tile_finish(clscan_tile *tile, __local clscan_zone *zone, clscan_sink out, uint valid,
                                        clscan_prefix prefix, bool stream)
{
    if (valid == CLSCAN_TILE && clscan_tile_is_dropped(tile))
        return;
    if (valid == CLSCAN_TILE && CLSCAN_WALKS_ROWS(prefix))
        clscan_rows_walk(true, false, tile, out, prefix, stream && clscan_sink_aligned(out),
                         CLSCAN_NOWHERE);
    else
        clscan_tile_pass(tile->in, out, valid, prefix, stream);
}

/// Finish a tile that is full, and load another one meanwhile: clscan_tile_finish() and clscan_tile_total() as one.
///
/// next, next_valid  the other tile, as for clscan_tile_total()
/// returns           the total of the other tile, which is now the loaded one
CLSCAN_FUNCTION clscan_sum clscan_tile_finish_and_total(clscan_tile *tile, __local clscan_zone *zone, clscan_sink out,
                                                        clscan_prefix prefix, bool stream, clscan_source next,
                                                        uint next_valid)
{
    if (next_valid == CLSCAN_TILE && CLSCAN_WALKS_ROWS(prefix) && !clscan_tile_is_dropped(tile))
        return clscan_rows_walk(true, true, tile, out, prefix, stream && clscan_sink_aligned(out), next);
    clscan_tile_finish(tile, zone, out, CLSCAN_TILE, prefix, stream);
    return clscan_tile_total(tile, zone, next, next_valid);
}
