// Tile body `cached_rows` where nothing but the sums of segments by flags, bits or keys is asked for, in the place of
// bodies/cached_rows.cl: one work-item goes from head to head, the elements with which segments begin, and adds up what
// lies between two of them. What a tile hands on is the sum of its last segment, so each element is read once, and
// what says where segments begin twice: to count them, and to go there.
//
// A segment's sum is given where the next one begins, or where the tile ends with it.
//
// Required of the host: what bodies/cached_runs.cl requires, and
//   clscan_heads(), clscan_heads_at(), clscan_heads_from(), clscan_heads_aligned(), CLSCAN_HEAD_BITS
//                       src/program/segment_heads.c
//   clscan_give_sum()   and with CLSCAN_SEGMENT_SUM_LANES clscan_give_sums(): src/program/segment_sums.c
#define CLSCAN_WORD 64 // elements whose heads are looked at together

typedef struct clscan_tile {
    clscan_source in; // cursor at the tile's first element
    uint known;       // where its last segment begins, or the tile
    clscan_sum total; // from there on, and the number of heads
} clscan_tile;

// Where segments begin among the CLSCAN_WORD elements at `k`, of a tile of `valid`: a bit each.
CLSCAN_FUNCTION ulong clscan_word_heads(clscan_source in, uint k, uint valid, bool aligned)
{
    const ulong first = CLSCAN_AT(in, k);
    ulong heads = 0;

    if (valid - k < CLSCAN_WORD) {
        for (uint c = 0; c < valid - k; ++c)
            heads |= (ulong)clscan_heads_at(in.arguments, first + c, false) << c;
        return heads;
    }
#if CLSCAN_HEAD_BITS == 1
    // Tiles of so many elements begin with a byte. The device is little-endian.
    heads = as_ulong(vload8(0, clscan_heads_from(in.arguments, first))) | (first == 0);
#else
#if CLSCAN_VECTOR_LENGTH >= 8
#pragma unroll
#endif
    for (uint c = 0; c < CLSCAN_WORD; c += CLSCAN_VECTOR_LENGTH)
        heads |= (ulong)clscan_heads(in.arguments, first + c, aligned, false) << c;
#endif
    return heads;
}

CLSCAN_FUNCTION bool clscan_words_aligned(clscan_source in)
{
    return clscan_heads_aligned(in.arguments, CLSCAN_AT(in, 0));
}

/// The total of a tile. Parameters as in bodies/strided.cl.
CLSCAN_FUNCTION clscan_sum clscan_tile_total(clscan_tile *tile, __local clscan_zone *zone, clscan_source in, uint valid)
{
    const bool aligned = clscan_words_aligned(in);
    clscan_begun begun = 0;
    uint last = 0;
    ulong last_heads = 1;

    for (uint k = 0; k < valid; k += CLSCAN_WORD) {
        const ulong heads = clscan_word_heads(in, k, valid, aligned);

        begun = CLSCAN_COUNTS_SEGMENTS ? begun + (clscan_begun)popcount(heads) : begun | (heads != 0);
        last = heads != 0 ? k : last;
        last_heads = heads != 0 ? heads : last_heads;
    }
    tile->in = in;
    tile->known = last + CLSCAN_WORD - 1 - (uint)clz(last_heads);
    tile->total = clscan_pair_of(begun != 0 ? clscan_first_sum(in, tile->known, valid) : clscan_run_sum(in, 0, valid),
                                 begun);
    return tile->total;
}

// The segment that goes from one head to the next.
typedef struct clscan_open {
    uint begin;         // its first element, or the first one that is not in `before`
    clscan_begun begun; // so many have begun up to there
    bool continues;     // it began before, and `before` is its sum up to there
    bool ended;         // it ends there, and its sum is given
    clscan_value before;
} clscan_open;

// Its sum up to an element.
CLSCAN_FUNCTION clscan_value clscan_open_sum(clscan_source in, const clscan_open *open, uint end)
{
    if (!open->continues)
        return clscan_first_sum(in, open->begin, end);
    return open->begin < end ? clscan_values_join(open->before, clscan_run_sum(in, open->begin, end)) : open->before;
}

// Give the sums of the segments that end where these heads are, of elements from `k` on, and go on to the last one.
CLSCAN_FUNCTION void clscan_go_along(clscan_source in, clscan_open *open, uint k, ulong heads)
{
    for (; heads != 0; heads &= heads - 1) {
        const uint head = k + CLSCAN_WORD - 1 - (uint)clz(heads & -heads);

        if (!open->ended)
            clscan_give_sum(clscan_open_sum(in, open, head), open->begun, CLSCAN_AT(in, head) - 1, in.arguments);
        open->begin = head;
        ++open->begun;
        open->continues = false;
        open->ended = false;
    }
}

#if CLSCAN_SEGMENT_SUM_LANES
// Heads in a vector from which on all its sums are found at once: for each segment by itself the lanes are added up.
#define CLSCAN_MANY_HEADS 3

// The same of so many heads in the vector at `k`, and of what ends with it.
CLSCAN_FUNCTION void clscan_leap_along(clscan_source in, clscan_open *open, uint k, uint heads, uint next)
{
    clscan_lanes v = clscan_lanes_at(in, k);
    clscan_lane_bits own = clscan_marked(heads);
    clscan_value sums[CLSCAN_VECTOR_LENGTH];

    if ((heads & 1) != 0)
        clscan_go_along(in, open, k, 1);
    else
        v.s0 = clscan_values_join(clscan_open_sum(in, open, k), v.s0);
    if (clscan_has_initial(in.arguments))
        v = select(v, clscan_lanes_join((clscan_lanes)(clscan_first_value(CLSCAN_SEGMENT_NEUTRAL, in.arguments)), v),
                   own);
    v = clscan_lanes_scan_own(v, &own);
    CLSCAN_PASTE(vstore, CLSCAN_VECTOR_LENGTH)(v, 0, sums);
    clscan_give_sums(sums, heads >> 1 | next << (CLSCAN_VECTOR_LENGTH - 1), open->begun, CLSCAN_AT(in, k),
                     in.arguments);
    open->begin = k + CLSCAN_VECTOR_LENGTH;
    open->begun += popcount(heads & ~1u);
    open->continues = true;
    open->before = CLSCAN_LAST_LANE(v);
    open->ended = next != 0;
}

// Heads in a word from which on its vectors are looked at one by one.
#define CLSCAN_MANY_IN_WORD (CLSCAN_WORD / CLSCAN_VECTOR_LENGTH * CLSCAN_MANY_HEADS)

// The same of the heads of a word.
CLSCAN_FUNCTION void clscan_go_along_word(clscan_source in, clscan_open *open, uint k, ulong heads)
{
    const uint behind = clscan_heads_at(in.arguments, CLSCAN_AT(in, k + CLSCAN_WORD - 1), true) >> 1;

    for (uint c = 0; c < CLSCAN_WORD; c += CLSCAN_VECTOR_LENGTH) {
        const ulong next = c + CLSCAN_VECTOR_LENGTH < CLSCAN_WORD ? heads >> (c + CLSCAN_VECTOR_LENGTH) : behind;
        const uint own = (uint)(heads >> c) & ((1u << CLSCAN_VECTOR_LENGTH) - 1);

        if (popcount(own) >= CLSCAN_MANY_HEADS)
            clscan_leap_along(in, open, k + c, own, next & 1);
        else
            clscan_go_along(in, open, k + c, own);
    }
}
#endif

/// Give the sums of all segments that end in the tile, onto `prefix`. Parameters as in bodies/strided.cl.
CLSCAN_FUNCTION void clscan_tile_finish(clscan_tile *tile, __local clscan_zone *zone, clscan_sink out, uint valid,
                                        clscan_prefix prefix, bool stream)
{
    const clscan_source in = tile->in;
    const bool aligned = clscan_words_aligned(in);
    clscan_open open = {.begin = 0, .begun = prefix.present ? prefix.value.begins : 0, .continues = prefix.present,
                        .before = prefix.value.value};

    // What ends with the element before the tile has its sum.
    open.ended = (clscan_heads_at(in.arguments, CLSCAN_AT(in, 0), false) & 1) != 0;
    for (uint k = 0; k <= tile->known; k += CLSCAN_WORD) {
        const ulong heads = clscan_word_heads(in, k, valid, aligned);

#if CLSCAN_SEGMENT_SUM_LANES
        if (popcount(heads) >= CLSCAN_MANY_IN_WORD && valid - k >= CLSCAN_WORD) {
            clscan_go_along_word(in, &open, k, heads);
            continue;
        }
#endif
        clscan_go_along(in, &open, k, heads);
    }
    // The last one has a sum already, and ends with the tile if at all.
    if (!open.ended && clscan_heads_at(in.arguments, CLSCAN_AT(in, valid - 1), true) >> 1 != 0) {
        const clscan_sum sum = clscan_extend(prefix, tile->total).value;

        clscan_give_sum(sum.value, sum.begins, CLSCAN_AT(in, valid - 1), in.arguments);
    }
}
