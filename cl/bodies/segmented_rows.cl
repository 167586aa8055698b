// The rows of tile body `subgroup_rows` in scans by segments, in the place of bodies/held_rows.cl. Lanes hold values,
// and a mark for each element that is the first of its segment (bodies/marked_rows.cl); pairs of a value and a flag, as
// the carries know them, are made of a whole vector only. So a tile has twice the elements in the same registers.
#if !CLSCAN_MARKS || !CLSCAN_SEGMENTED || CLSCAN_KEEPS_PREVIOUS || CLSCAN_KEEPS_ELEMENT || CLSCAN_REPRODUCIBLE
#error "segmented rows are for segments, without maps that name the element or what precedes it"
#endif

// What is left in the place of an element: the sum up to it or, in exclusive scans and where sums of segments are all
// that is wanted (bodies/segment_sums.cl), that before it.
#define CLSCAN_LEAVES_SUM (CLSCAN_INCLUSIVE && !CLSCAN_DISCARDS)

// Segments that a part may end: where each of its elements begins one, those before, and the last of all.
#define CLSCAN_PART_ENDS (CLSCAN_PART + 1)

typedef struct clscan_zone {
#if CLSCAN_DISCARDS
    clscan_value sums[CLSCAN_SUB_GROUPS * CLSCAN_PART_ENDS];
    ushort ends[CLSCAN_SUB_GROUPS * CLSCAN_PART_ENDS];
#endif
#if CLSCAN_LANDING_ZONES > 0
    uint4 landing[CLSCAN_ROWS * CLSCAN_WORK_GROUP_SIZE] __attribute__((aligned(128)));
#endif
    clscan_sum scratch[CLSCAN_SCRATCH];
} clscan_zone;

typedef struct clscan_tile {
    clscan_lane_row rows[CLSCAN_ROWS]; // after clscan_rows_scan() what is left, as far as it is known in the part
    clscan_begun begun[CLSCAN_ROWS];   // for each row, the segments that begin in the part before this lane's vector
    clscan_sum part;                   // its total
    clscan_sum left;                   // for clscan_part_prefix()
} clscan_tile;

#define CLSCAN_IS_FIRST(row, c) (((row).marks >> (c) & 1) != 0)
// Of the first c elements, and of one more.
#define CLSCAN_FIRSTS_BEFORE(row, c) ((row).marks & ((1u << (c)) - 1))
#define CLSCAN_FIRSTS_UP_TO(row, c) ((row).marks & ((2u << (c)) - 1))

// The pair of the first `exist` elements of a vector; at least one.
CLSCAN_FUNCTION clscan_sum clscan_lane_total(bool whole, clscan_lane_row row, uint exist)
{
    clscan_value value = row.elements[0];

#pragma unroll
    for (uint c = 1; c < CLSCAN_VECTOR_LENGTH; ++c)
        if (whole || c < exist)
            value = CLSCAN_IS_FIRST(row, c) ? row.elements[c] : clscan_values_join(value, row.elements[c]);
    return clscan_pair_of(value, popcount(row.marks));
}

// Leave sums in the place of a vector's elements; `base` precedes them in the part.
CLSCAN_FUNCTION void clscan_lane_step(bool whole, clscan_lane_row *row, uint exist, clscan_prefix base)
{
    clscan_value value = base.value.value;

    row->marks = clscan_bits_again(row->marks);
#pragma unroll
    for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
        if (whole || c < exist) {
            const clscan_value before = value, own = row->elements[c];

            value = CLSCAN_IS_FIRST(*row, c) || (c == 0 && !base.present) ? own : clscan_values_join(before, own);
            row->elements[c] = CLSCAN_LEAVES_SUM ? value : before;
        }
}

// The same of a vector whose segment began before the part.
CLSCAN_FUNCTION void clscan_lane_finish(clscan_lane_row *row, bool first, clscan_value before)
{
    row->marks = clscan_bits_again(row->marks);
#pragma unroll
    for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
        if (!CLSCAN_LEAVES_SUM && c == 0 && first)
            row->elements[c] = before;
        else if ((CLSCAN_LEAVES_SUM ? CLSCAN_FIRSTS_UP_TO(*row, c) : CLSCAN_FIRSTS_BEFORE(*row, c)) == 0)
            row->elements[c] = clscan_values_join(before, row->elements[c]);
}

// What scanning a row across the lanes gives each of them.
typedef struct clscan_row_sums {
    clscan_sum before; // of the vectors before the lane's; there for all lanes but the first
    clscan_sum all;    // of the row, if it has elements
} clscan_row_sums;

#ifdef CLSCAN_BALLOT
// A value goes word by word, without the flag of its pair.
typedef union clscan_value_words {
    uint at[(sizeof(clscan_value) + 3) / 4];
    clscan_value value;
} clscan_value_words;

CLSCAN_FUNCTION clscan_value clscan_value_shuffle(bool up, clscan_value value, uint by)
{
    clscan_value_words words;

    words.at[sizeof words / 4 - 1] = 0;
    words.value = value;
#pragma unroll
    for (uint i = 0; i < sizeof words / 4; ++i)
        words.at[i] = up ? clscan_shuffle_up_bits(words.at[i], by) : clscan_shuffle_bits(words.at[i], by);
    return words.value;
}

// Where one vote tells all lanes which of them have a mark, values travel alone: each lane knows how far down its
// segment reaches. `last` is the last lane that has a value.
CLSCAN_FUNCTION clscan_row_sums clscan_lanes_scan(clscan_value value, bool has_mark, uint last)
{
    const uint lane = clscan_lane(), marked = CLSCAN_BALLOT(has_mark);
    const uint up_to = marked << (CLSCAN_SUB_GROUP_SIZE - 1 - lane), reach = min((uint)clz(up_to), lane);
    clscan_row_sums sums;

#pragma unroll
    for (uint distance = 1; distance < CLSCAN_SUB_GROUP_SIZE; distance *= 2) {
        const clscan_value below = clscan_value_shuffle(true, value, distance);
        if (reach >= distance)
            value = clscan_values_join(below, value);
    }
    sums.before = clscan_pair_of(clscan_value_shuffle(true, value, 1), (up_to << 1) != 0);
    sums.all = clscan_pair_of(clscan_value_shuffle(false, value, last), marked != 0);
    return sums;
}

CLSCAN_FUNCTION clscan_row_sums clscan_row_scan(bool whole, __local clscan_zone *zone, clscan_lane_row v, uint row,
                                                uint valid)
{
    const uint exist = whole ? CLSCAN_VECTOR_LENGTH : clscan_lane_elements(clscan_row_elements(row, valid));
    const uint last = max(clscan_row_lanes(whole, row, valid), 1u) - 1;

    return clscan_lanes_scan(clscan_lane_total(whole, v, exist).value, v.marks != 0, last);
}

// Where flags count, they do so of several rows at once, side by side.
#define CLSCAN_COUNT_BITS (CLSCAN_SUB_GROUP_SIZE * CLSCAN_VECTOR_LENGTH < 256 ? 8 : 16)
#define CLSCAN_PER_COUNTS (32 / CLSCAN_COUNT_BITS)

CLSCAN_FUNCTION void clscan_rows_count(const clscan_lane_row *rows, clscan_row_sums *sums, uint count)
{
#if CLSCAN_COUNTS_SEGMENTS
#pragma unroll
    for (uint at = 0; at < count; at += CLSCAN_PER_COUNTS) {
        const uint end = min(at + CLSCAN_PER_COUNTS, count);
        uint own = 0, scanned, all;

#pragma unroll
        for (uint row = at; row < end; ++row)
            own |= popcount(rows[row].marks) << (row - at) * CLSCAN_COUNT_BITS;
        scanned = own;
#pragma unroll
        for (uint distance = 1; distance < CLSCAN_SUB_GROUP_SIZE; distance *= 2) {
            const uint below = clscan_shuffle_up_bits(scanned, distance);
            scanned += clscan_lane() >= distance ? below : 0;
        }
        all = clscan_shuffle_bits(scanned, CLSCAN_SUB_GROUP_SIZE - 1);
#pragma unroll
        for (uint row = at; row < end; ++row) {
            const uint shift = (row - at) * CLSCAN_COUNT_BITS, mask = (1u << CLSCAN_COUNT_BITS) - 1;

            sums[row].before.begins = (scanned - own) >> shift & mask;
            sums[row].all.begins = all >> shift & mask;
        }
    }
#endif
}
#else
CLSCAN_FUNCTION clscan_row_sums clscan_row_scan(bool whole, __local clscan_zone *zone, clscan_lane_row v, uint row,
                                                uint valid)
{
    const uint exist = whole ? CLSCAN_VECTOR_LENGTH : clscan_lane_elements(clscan_row_elements(row, valid));
    const uint lanes = clscan_row_lanes(whole, row, valid);
    const clscan_scanned scanned = clscan_sub_group_sums(zone->scratch, clscan_lane_total(whole, v, exist), lanes);
    clscan_row_sums sums;

    sums.all = clscan_sums_all(zone->scratch, scanned, lanes);
    sums.before = clscan_sums_below(zone->scratch, scanned);
    return sums;
}

// Pairs have counted.
#define clscan_rows_count(rows, sums, count)
#endif

/// Scan the rows among themselves, as far as that goes without a prefix, and return the part's total to all its lanes,
/// if it has elements.
CLSCAN_FUNCTION clscan_sum clscan_rows_scan(bool whole, clscan_tile *tile, __local clscan_zone *zone, uint valid)
{
    clscan_row_sums sums[CLSCAN_ROWS];
    clscan_sum total = CLSCAN_NO_SUM;

    // All rows first: their scans do not depend on each other.
#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row)
        sums[row] = clscan_row_scan(whole, zone, tile->rows[row], row, valid);
    clscan_rows_count(tile->rows, sums, CLSCAN_ROWS);
#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row) {
        const uint lanes = clscan_row_lanes(whole, row, valid);
        clscan_prefix base; // what precedes this lane's vector in the part

        base.value = sums[row].before;
        base.present = row > 0 || clscan_lane() > 0;
        if (row > 0 && clscan_lane() == 0)
            base.value = total;
        else if (row > 0 && clscan_lane() < lanes)
            base.value = clscan_join(total, base.value);
        if (lanes > 0)
            total = row > 0 ? clscan_join(total, sums[row].all) : sums[row].all;
        tile->begun[row] = base.present ? base.value.begins : 0;
        clscan_lane_step(whole, &tile->rows[row], clscan_lane_elements(clscan_row_elements(row, valid)), base);
    }
    tile->part = total;
    return total;
}

/// The total of the part, to all its lanes if it has elements: row by row and without keeping them, in few registers.
CLSCAN_FUNCTION clscan_sum clscan_rows_reduce(__local clscan_zone *zone, clscan_source in, uint valid)
{
    clscan_sum total = CLSCAN_NO_SUM;

#pragma unroll 1
    for (uint row = 0; row < CLSCAN_ROWS; ++row) {
        const uint lanes = clscan_row_lanes(false, row, valid);
        const uint exist = clscan_lane_elements(clscan_row_elements(row, valid));
        clscan_lane_row v = clscan_part_of_row(CLSCAN_ROW_CURSOR(in, row), 0, exist);
        clscan_row_sums sums;

        clscan_rows_begin(&v, 1, in.arguments);
        sums = clscan_row_scan(false, zone, v, row, valid);
        clscan_rows_count(&v, &sums, 1);
        if (lanes > 0)
            total = row > 0 ? clscan_join(total, sums.all) : sums.all;
    }
    return total;
}

#if !CLSCAN_DISCARDS
// In exclusive scans the sum before the first element of a segment is `first`, which marks tell: where segments begin
// is not read again to be stored, so the store map hears of no heads.
#if CLSCAN_INCLUSIVE
#define CLSCAN_FIRST_OUTPUTS(row, first)
#define clscan_row_put_vector(out, v) clscan_store_vector((out), 0, (v), true)
#define clscan_row_put clscan_write
#else
#define CLSCAN_FIRST_OUTPUTS(row, first) clscan_lane_first(&(row), (first))
#define clscan_row_put_vector(out, v) clscan_store_vector_with((out), 0, (v), 0, true)
#define clscan_row_put(out, c, item) clscan_write_with((out), (c), (item), 0)

CLSCAN_FUNCTION void clscan_lane_first(clscan_lane_row *row, clscan_value first)
{
#pragma unroll
    for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
        if (CLSCAN_IS_FIRST(*row, c))
            row->elements[c] = first;
}
#endif

// The first `exist` outputs; `begun` segments have begun before them.
CLSCAN_FUNCTION void clscan_row_store(bool whole, clscan_sink out, clscan_lane_row row, clscan_begun begun, uint exist)
{
    clscan_item items[CLSCAN_VECTOR_LENGTH];

#pragma unroll
    for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
        items[c] = clscan_pair_of(row.elements[c], begun + popcount(CLSCAN_FIRSTS_UP_TO(row, c)));
    if (whole) {
        clscan_row_put_vector(out, clscan_pack(items));
        return;
    }
#pragma unroll
    for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
        if (c < exist)
            clscan_row_put(out, c, items[c]);
}

/// Scan the tile onto `prefix`, which precedes the part, and store it.
CLSCAN_FUNCTION void clscan_rows_store(bool whole, const clscan_tile *tile, __local clscan_zone *zone, clscan_sink out,
                                       uint valid, clscan_prefix prefix)
{
    const clscan_begun begun = prefix.present ? prefix.value.begins : 0;
#if !CLSCAN_INCLUSIVE
    const clscan_value first = clscan_before_first(out.arguments);
#endif

#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row) {
        clscan_lane_row outputs = tile->rows[row];

        if (prefix.present && tile->begun[row] == 0)
            clscan_lane_finish(&outputs, row == 0 && clscan_lane() == 0, prefix.value.value);
        CLSCAN_FIRST_OUTPUTS(outputs, first);
        clscan_row_store(whole, CLSCAN_ROW_CURSOR(out, row), outputs, begun + tile->begun[row],
                         clscan_lane_elements(clscan_row_elements(row, valid)));
    }
}
#endif
