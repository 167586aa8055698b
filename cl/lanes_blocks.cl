// Whole blocks (blocks.cl) by vectors of 16 runs, where lanes.cl has vectors of that length. Operators are sums and
// products here, to which a neutral operand changes nothing. tile_cached_blocks.cl groups all other blocks in the
// same way.
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

CLSCAN_FUNCTION clscan_vector clscan_row_vector_load(__global const CLSCAN_T *in, uint k)
{
    return clscan_ordered(*(__global const clscan_row_vector *)CLSCAN_VECTOR_AT(in, k));
}

CLSCAN_FUNCTION void clscan_half_load(clscan_half_row *half_row, __global const CLSCAN_T *in)
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

CLSCAN_FUNCTION void clscan_row_vector_store(__global CLSCAN_T *out, uint k, clscan_vector v, bool stream)
{
    v = clscan_ordered(v);
#if CLSCAN_CAN_STREAM
    if (stream) {
        __builtin_nontemporal_store(v, (__global clscan_vector *)CLSCAN_VECTOR_AT(out, k));
        return;
    }
#endif
    *(__global clscan_row_vector *)CLSCAN_VECTOR_AT(out, k) = v;
}

// The way back of clscan_half_load().
CLSCAN_FUNCTION void clscan_half_store(__global CLSCAN_T *out, const clscan_half_row *half_row, bool stream)
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
CLSCAN_FUNCTION CLSCAN_A clscan_lanes_row_total(__global const CLSCAN_T *in)
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
CLSCAN_FUNCTION void clscan_half_scan(__global CLSCAN_T *out, clscan_half_row *half_row, clscan_vector before,
                                      bool stream)
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
CLSCAN_FUNCTION CLSCAN_A clscan_lanes_row_scan(__global const CLSCAN_T *in, __global CLSCAN_T *out, CLSCAN_A rows,
                                               CLSCAN_A prefix, bool stream)
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

CLSCAN_FUNCTION CLSCAN_A clscan_lanes_block_total(__global const CLSCAN_T *in)
{
    CLSCAN_A total = clscan_lanes_row_total(in);

    for (uint first = CLSCAN_BLOCK_ROW; first < CLSCAN_BLOCK; first += CLSCAN_BLOCK_ROW)
        total = CLSCAN_LANES_OPERATE(total, clscan_lanes_row_total(CLSCAN_ADVANCE(in, first)));
    return total;
}

CLSCAN_FUNCTION void clscan_lanes_block_scan(__global const CLSCAN_T *in, __global CLSCAN_T *out, clscan_prefix prefix,
                                             bool stream)
{
    const CLSCAN_T first_input = *CLSCAN_AT(in, 0);
    CLSCAN_A rows = CLSCAN_NEUTRAL;

    for (uint first = 0; first < CLSCAN_BLOCK; first += CLSCAN_BLOCK_ROW)
        rows = clscan_lanes_row_scan(CLSCAN_ADVANCE(in, first), CLSCAN_ADVANCE(out, first), rows,
                                     prefix.present ? prefix.value : CLSCAN_NEUTRAL, stream);
    // The very first output is not computed.
    if (!prefix.present)
        *CLSCAN_AT(out, 0) = clscan_step(&prefix, first_input);
}
#endif
