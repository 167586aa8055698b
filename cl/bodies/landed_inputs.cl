// What has landed, of scalars that are converted or pass a map: they stay in the registers as they were in memory, 16
// bytes a vector, and become items when they are combined, first for the total and then for the outputs. Lanes combine
// them in turn, as in bodies/landed.cl. Outputs as wide as inputs leave through the zone, in lines. Wider ones do not
// fit in there: lanes exchange them, so that several store what is one lane's, which follows each other in memory.
//
// By segments, a bit of each element stands beside it (bodies/landed_marks.cl).
#if CLSCAN_POINTERS || CLSCAN_IN_BYTES * CLSCAN_VECTOR_LENGTH != 16 || !CLSCAN_IN_SCALAR || !CLSCAN_OUT_SCALAR || \
    CLSCAN_OUT_BYTES < CLSCAN_IN_BYTES || CLSCAN_GENERATES || CLSCAN_SEES_BEFORE || CLSCAN_SELECTS || CLSCAN_DISCARDS
#error "16 bytes of scalars land, which nothing but bits stands beside, and whose outputs are no narrower"
#endif

typedef struct clscan_ahead_tile {
    uint4 rows[CLSCAN_ROWS]; // vectors of inputs
#if CLSCAN_SEGMENTED
    clscan_turn_marks marks, landed; // of the rows, and of what is in the zone
    clscan_turn_words coming;        // of what is on its way there
#endif
    clscan_sum bases[1]; // what precedes this lane's; there for all but the first lane
    clscan_sum left;     // for clscan_part_prefix()
} clscan_ahead_tile;

#if CLSCAN_SEGMENTED
#define CLSCAN_AHEAD_ALIGNED(cursor) \
    ((ulong)clscan_address((cursor), CLSCAN_OUT_BYTES) % 16 == 0 && clscan_turn_words_aligned((cursor).arguments))
#define clscan_ahead_begin(tile, zone, in) \
    (clscan_turn_words_load(&(tile)->coming, (in)), clscan_landing_begin((zone), (in)))
#else
#define CLSCAN_AHEAD_ALIGNED(cursor) ((ulong)clscan_address((cursor), CLSCAN_OUT_BYTES) % 16 == 0)
#endif

#define CLSCAN_LANDED(zone, i) (CLSCAN_LANDING_PART(zone)[CLSCAN_LANDING_PLACE(CLSCAN_IN_TURN(i))])

// Element `c` of a vector, in the order of the scan, is this one in memory.
#define CLSCAN_IN_MEMORY(c, length) (CLSCAN_REVERSE ? (length)-1 - (c) : (c))

#define CLSCAN_BITS_8 ulong
#define CLSCAN_BITS_4 uint
#define CLSCAN_BITS_2 ushort
#define CLSCAN_BITS_1 uchar
#define CLSCAN_BITS_OF(bytes) CLSCAN_PASTE(CLSCAN_BITS_, bytes)

// Element `c` of a vector in memory, whose first one has this index; without what marks say.
CLSCAN_FUNCTION clscan_item clscan_input_item(const uint *words, uint c, ulong first, clscan_arguments arguments)
{
#if CLSCAN_IN_BYTES == 8
    const CLSCAN_IN stored = CLSCAN_PASTE(as_, CLSCAN_IN)((ulong)words[2 * c + 1] << 32 | words[2 * c]);
#elif CLSCAN_IN_BYTES == 4
    const CLSCAN_IN stored = CLSCAN_PASTE(as_, CLSCAN_IN)(words[c]);
#else
    const CLSCAN_IN stored = clscan_word_get(words, c);
#endif
    return clscan_item_of(stored, 0, first + c, arguments);
}

// Put an output in its place among words that were 0.
CLSCAN_FUNCTION void clscan_output_put(uint *words, uint c, CLSCAN_OUT output)
{
    const CLSCAN_BITS_OF(CLSCAN_OUT_BYTES) bits = CLSCAN_PASTE(as_, CLSCAN_BITS_OF(CLSCAN_OUT_BYTES))(output);
#if CLSCAN_OUT_BYTES == 8
    words[2 * c] = (uint)bits;
    words[2 * c + 1] = (uint)(bits >> 32);
#else
    words[c * CLSCAN_OUT_BYTES / 4] |= (uint)bits << c * CLSCAN_OUT_BYTES % 4 * 8;
#endif
}

// The total of this lane's vectors of the tile at the cursor: of its rows, or of what has landed.
CLSCAN_FUNCTION clscan_sum clscan_turn_total(const clscan_ahead_tile *tile, bool landed, __local clscan_zone *zone,
                                             clscan_source in)
{
    clscan_sum total = CLSCAN_NO_SUM;
#if CLSCAN_SEGMENTED
    const clscan_turn_marks marks = landed ? tile->landed : tile->marks;
    const clscan_turn_begin begin = clscan_turn_begin_of(in.arguments);
#endif

#pragma unroll
    for (uint i = 0; i < CLSCAN_ROWS; ++i) {
        const ulong first = CLSCAN_VECTOR_AT(in, CLSCAN_TURN_PLACE(i));
        uint words[4];

        vstore4(landed ? CLSCAN_LANDED(zone, i) : tile->rows[i], 0, words);
#pragma unroll
        for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c) {
            const uint at = CLSCAN_IN_MEMORY(c, CLSCAN_VECTOR_LENGTH);
            clscan_item item = clscan_input_item(words, at, first, in.arguments);
#if CLSCAN_SEGMENTED
            const bool is_first = clscan_marks_first(&marks, i, at);
            const clscan_value own = clscan_lift(item).value;

            total.value = i > 0 || c > 0 ? clscan_turn_join(total.value, own, is_first, begin)
                                         : clscan_turn_alone(own, is_first, begin);
#else
            total = i > 0 || c > 0 ? clscan_join(total, clscan_lift(item)) : clscan_lift(item);
#endif
        }
    }
#if CLSCAN_SEGMENTED
    total.begins = clscan_marks_any(&marks);
#endif
    return total;
}

/// A whole tile, from global memory.
CLSCAN_FUNCTION void clscan_turn_load(clscan_ahead_tile *tile, clscan_source in)
{
#pragma unroll
    for (uint i = 0; i < CLSCAN_ROWS; ++i)
        tile->rows[i] = *(__global const uint4 *)(clscan_stored(in, const CLSCAN_IN) +
                                                  CLSCAN_VECTOR_AT(in, CLSCAN_TURN_PLACE(i)));
#if CLSCAN_SEGMENTED
    clscan_turn_words words;

    clscan_turn_words_load(&words, in);
    tile->marks = clscan_turn_marks_of(words, in);
#endif
}

/// The total of the part in the tile's rows, which are at the cursor, to the lane clscan_end_lane().
CLSCAN_FUNCTION clscan_sum clscan_turn_part(clscan_ahead_tile *tile, __local clscan_zone *zone, clscan_source in)
{
    return clscan_turn_combine(zone, clscan_turn_total(tile, false, zone, in), &tile->bases[0]);
}

/// Wait for the tile at the cursor, and return that of its part to the lane clscan_end_lane().
CLSCAN_FUNCTION clscan_sum clscan_turn_landed(clscan_ahead_tile *tile, __local clscan_zone *zone, clscan_source in,
                                              clscan_sum *base)
{
    clscan_landing_end();
    clscan_sub_group_meet();
#if CLSCAN_SEGMENTED
    tile->landed = clscan_turn_marks_of(tile->coming, in);
#endif
    return clscan_turn_combine(zone, clscan_turn_total(tile, true, zone, in), base);
}

// The outputs of `length` elements of this lane in the tile, from its element `first` on. They come into words that
// were 0, in the order of memory. What has landed takes the place of each vector behind its last element, if `take`.
CLSCAN_FUNCTION void clscan_turn_outputs(uint *outputs, uint first, uint length, clscan_ahead_tile *tile,
                                         __local clscan_zone *zone, clscan_sink out, clscan_prefix *prefix, bool take)
{
#if CLSCAN_SEGMENTED
    const clscan_turn_begin begin = clscan_turn_begin_of(out.arguments);
#endif

#pragma unroll
    for (uint k = 0; k < length; ++k) {
        const uint i = (first + k) / CLSCAN_VECTOR_LENGTH, c = (first + k) % CLSCAN_VECTOR_LENGTH;
        const uint at = CLSCAN_IN_MEMORY(c, CLSCAN_VECTOR_LENGTH);
        const ulong index = CLSCAN_VECTOR_AT(out, CLSCAN_TURN_PLACE(i));
        uint words[4];
        clscan_item item;

        vstore4(tile->rows[i], 0, words);
        item = clscan_input_item(words, at, index, out.arguments);
#if CLSCAN_SEGMENTED
        item = clscan_turn_step(prefix, item, clscan_marks_first(&tile->marks, i, at), begin);
#else
        item = clscan_step(prefix, item);
#endif
        clscan_output_put(outputs, CLSCAN_IN_MEMORY(k, length),
                          clscan_output_of(item, 0, index + at, out.arguments));
        if (take && c == CLSCAN_VECTOR_LENGTH - 1)
            tile->rows[i] = CLSCAN_LANDED(zone, i);
    }
#if CLSCAN_SEGMENTED
    if (take && first + length == CLSCAN_TURN_COUNT)
        tile->marks = tile->landed;
#endif
}

#if CLSCAN_OUT_BYTES == CLSCAN_IN_BYTES
/// Scan the tile onto `prefix`, which precedes the part, and store it. What has landed takes the tile's place, if
/// `take`; then the zone may be filled again. `leave` is for bodies/landed.cl.
CLSCAN_FUNCTION void clscan_turn_store(bool leave, clscan_ahead_tile *tile, __local clscan_zone *zone, clscan_sink out,
                                       clscan_prefix prefix, bool take)
{
    __local const uint4 *from = CLSCAN_LANDING_PART(zone);

    if (clscan_lane() > 0)
        prefix = clscan_extend(prefix, tile->bases[0]);
#pragma unroll
    for (uint i = 0; i < CLSCAN_ROWS; ++i) {
        uint outputs[4] = {0};

        clscan_turn_outputs(outputs, i * CLSCAN_VECTOR_LENGTH, CLSCAN_VECTOR_LENGTH, tile, zone, out, &prefix, take);
        CLSCAN_LANDED(zone, i) = vload4(0, outputs);
    }
    clscan_sub_group_meet();
    out = CLSCAN_ADVANCE(out, clscan_sub_group() * CLSCAN_PART + clscan_lane() * CLSCAN_VECTOR_LENGTH);
#pragma unroll
    for (uint i = 0; i < CLSCAN_ROWS; ++i)
        *(__global uint4 *)(clscan_stored(out, CLSCAN_OUT) + CLSCAN_VECTOR_AT(out, i * CLSCAN_ROW_COUNT)) =
            from[clscan_landing_place(i)];
    clscan_sub_group_meet();
}
#else
// Outputs leave in runs of several pieces of 16 bytes.
#if CLSCAN_OUT_BYTES / CLSCAN_IN_BYTES * CLSCAN_ROWS % 4 == 0
#define CLSCAN_RUN_PIECES 4
#else
#define CLSCAN_RUN_PIECES 2
#endif
#define CLSCAN_RUN_COUNT (16 * CLSCAN_RUN_PIECES / CLSCAN_OUT_BYTES)

// Lanes that are `step` apart exchange the pieces that are so.
CLSCAN_FUNCTION void clscan_pieces_exchange(uint *words, uint step)
{
    const bool upper = (clscan_lane() & step) > 0;

#pragma unroll
    for (uint pair = 0; pair < CLSCAN_RUN_PIECES / 2; ++pair) {
        const uint low = 4 * (pair / step * 2 * step + pair % step), high = low + 4 * step;
#pragma unroll
        for (uint i = 0; i < 4; ++i) {
            // Read before the choice: compilers choose between addresses else, and leave the words in memory.
            const uint below = words[low + i], above = words[high + i];
            const uint given = clscan_shuffle_bits(upper ? below : above, clscan_lane() ^ step);

            words[low + i] = upper ? given : below;
            words[high + i] = upper ? above : given;
        }
    }
}

/// As above.
CLSCAN_FUNCTION void clscan_turn_store(bool leave, clscan_ahead_tile *tile, __local clscan_zone *zone, clscan_sink out,
                                       clscan_prefix prefix, bool take)
{
    const uint own = clscan_lane() % CLSCAN_RUN_PIECES;
    // Where the first of the lanes that exchange has its elements.
    const clscan_sink group =
        CLSCAN_ADVANCE(out, clscan_sub_group() * CLSCAN_PART + (clscan_lane() - own) * CLSCAN_TURN_COUNT);

    if (clscan_lane() > 0)
        prefix = clscan_extend(prefix, tile->bases[0]);
#pragma unroll
    for (uint first = 0; first < CLSCAN_TURN_COUNT; first += CLSCAN_RUN_COUNT) {
        uint words[4 * CLSCAN_RUN_PIECES] = {0};

        clscan_turn_outputs(words, first, CLSCAN_RUN_COUNT, tile, zone, out, &prefix, take);
        // Piece p of lane l becomes piece l of lane p.
        clscan_pieces_exchange(words, 1);
#if CLSCAN_RUN_PIECES == 4
        clscan_pieces_exchange(words, 2);
#endif
#pragma unroll
        for (uint lane = 0; lane < CLSCAN_RUN_PIECES; ++lane) {
            const uint run = lane * CLSCAN_TURN_COUNT + first;
            const ulong at = CLSCAN_REVERSE ? group.index - run - CLSCAN_RUN_COUNT : group.index + run;

            ((__global uint4 *)(clscan_stored(group, CLSCAN_OUT) + at))[own] = vload4(lane, words);
        }
    }
    clscan_sub_group_meet();
}
#endif
