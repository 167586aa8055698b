// The rows of tile body `subgroup_rows` in selections that hold elements, with a mark for each that is kept
// (bodies/marked_rows.cl). Lanes count these, several rows at once, in place of scanning sums. Outputs of a part are
// gathered in local memory, one behind the other, and leave from there in lines.
#if CLSCAN_SELECT_LENGTHS
#error "beside lengths only marks are kept (bodies/kept_marks.cl)"
#endif

// Scalars of up to 4 bytes leave 16 bytes at a time, from places that lie as those of the output do; not from
// sub-groups of so few lanes that this would take more room than the host knows of (src/config/variant.c).
#define CLSCAN_MORE_BYTES (CLSCAN_SUB_GROUP_SIZE * (CLSCAN_OUT_BYTES > 1 ? CLSCAN_OUT_BYTES : 2))
#if CLSCAN_OUT_SCALAR && CLSCAN_OUT_BYTES <= 4 && CLSCAN_MORE_BYTES >= (CLSCAN_SELECT_MIDDLE ? 64 : 32)
#define CLSCAN_WIDE_OUTPUTS (16 / CLSCAN_OUT_BYTES)
#else
#define CLSCAN_WIDE_OUTPUTS 1
#endif
// Are words gathered as they are?
#if defined(CLSCAN_CAN_GATHER_WORDS) && CLSCAN_CAN_GATHER_WORDS && CLSCAN_WIDE_OUTPUTS > 1
#define CLSCAN_GATHERS_WORDS 1
#else
#define CLSCAN_GATHERS_WORDS 0
#endif
// The rest of a part stands behind what is kept, from a place on that lies as that of its own output does; so does the
// middle between them. Where words are gathered, the one of a place and two more may be touched behind all.
#define CLSCAN_ROOM_OUTPUTS                                                                      \
    (CLSCAN_PART + (1 + CLSCAN_SELECT_REST + CLSCAN_SELECT_MIDDLE) * (CLSCAN_WIDE_OUTPUTS - 1) + \
     (CLSCAN_GATHERS_WORDS ? 12 : 0))
#define CLSCAN_PART_ROOM \
    ((CLSCAN_ROOM_OUTPUTS + CLSCAN_WIDE_OUTPUTS - 1) / CLSCAN_WIDE_OUTPUTS * CLSCAN_WIDE_OUTPUTS)

// Are outputs gathered before it is known where they go? Copies of elements are: what precedes their tile comes from
// far away, and meanwhile there is that to do. They leave in lines from places that lie in any way. Narrow ones, of
// which one store takes several, are gathered as the lines lie to which they go: bytes that were gathered early, and
// shifted on their way out, took 1.02 times as long on an H200 (2026-11-30).
#define CLSCAN_GATHERS_EARLY                                                                      \
    (CLSCAN_SELECT_COPIES && CLSCAN_OUT_SCALAR && CLSCAN_OUT_BYTES >= 4 && !CLSCAN_SELECT_LONG && \
     !CLSCAN_SELECT_MIDDLE && !CLSCAN_SELECT_COLUMNS)
// Even before the next tile has come? So it takes the registers of this one. By flags, and with the rest, that was
// slower (docs/results/nvidia-h200-kernels.md).
#define CLSCAN_GATHERS_AHEAD (CLSCAN_GATHERS_EARLY && CLSCAN_REQUESTS && !CLSCAN_SELECT_REST)

typedef struct clscan_zone {
#if CLSCAN_WIDE_OUTPUTS > 1
    union {
        CLSCAN_OUT outputs[CLSCAN_SUB_GROUPS * CLSCAN_PART_ROOM];
        uint4 wide[CLSCAN_SUB_GROUPS * CLSCAN_PART_ROOM / CLSCAN_WIDE_OUTPUTS];
    } gathered;
#else
    struct {
        CLSCAN_OUT outputs[CLSCAN_TILE];
    } gathered;
#endif
#if CLSCAN_SELECT_COLUMNS
    ushort origins[CLSCAN_TILE]; // where each was in its part
#endif
    clscan_sum scratch[CLSCAN_SCRATCH];
} clscan_zone;

// What this sub-group gathers there.
#define CLSCAN_PART_OUTPUTS(zone) ((zone)->gathered.outputs + clscan_sub_group() * CLSCAN_PART_ROOM)

#define CLSCAN_PACKED_SUMS ((CLSCAN_ROWS + CLSCAN_PER_SUM - 1) / CLSCAN_PER_SUM)

// Marks of several rows stand in one word, so that tiles that wait for their places take fewer registers.
#define CLSCAN_ROWS_PER_WORD (32 / CLSCAN_VECTOR_LENGTH)
#define CLSCAN_KEPT_WORDS ((CLSCAN_ROWS + CLSCAN_ROWS_PER_WORD - 1) / CLSCAN_ROWS_PER_WORD)
#define CLSCAN_MARK_SHIFT(row) ((row) % CLSCAN_ROWS_PER_WORD * CLSCAN_VECTOR_LENGTH)
#define CLSCAN_IS_MARKED(words, row, c) ((words)[(row) / CLSCAN_ROWS_PER_WORD] >> (CLSCAN_MARK_SHIFT(row) + (c)) & 1)

typedef struct clscan_tile {
    clscan_lane_row rows[CLSCAN_ROWS];     // whose own marks are moved to the words
    uint marks[CLSCAN_KEPT_WORDS];         // of what is kept
    clscan_sum places[CLSCAN_PACKED_SUMS]; // for each row, what the part keeps in front of this lane's vector
    uint kept;                             // of the part
#if CLSCAN_SELECT_MIDDLE
    uint middle_marks[CLSCAN_KEPT_WORDS];
    clscan_sum middle_places[CLSCAN_PACKED_SUMS]; // the same of the middle
    uint middle;
#endif
    clscan_sum left;                       // for clscan_part_prefix()
} clscan_tile;

// The bits of what is kept, or of the middle.
#if CLSCAN_SELECT_MIDDLE
#define CLSCAN_BITS_OF(row, of_middle) ((of_middle) ? (row).middle : (row).marks)
#else
#define CLSCAN_BITS_OF(row, of_middle) (row).marks
#endif

// Move these bits to words.
CLSCAN_FUNCTION void clscan_bits_move(const clscan_lane_row *rows, bool of_middle, uint *words)
{
#pragma unroll
    for (uint i = 0; i < CLSCAN_KEPT_WORDS; ++i) {
        words[i] = 0;
#pragma unroll
        for (uint row = i * CLSCAN_ROWS_PER_WORD; row < min((i + 1) * CLSCAN_ROWS_PER_WORD, (uint)CLSCAN_ROWS); ++row)
            words[i] |= CLSCAN_BITS_OF(rows[row], of_middle) << CLSCAN_MARK_SHIFT(row);
        words[i] = clscan_bits_again(words[i]);
    }
}

// Count these bits: leave in `places` what precedes each row of this lane, and return the number of the part.
CLSCAN_FUNCTION uint clscan_bits_scan(const clscan_lane_row *rows, bool of_middle, clscan_sum *places,
                                      __local clscan_zone *zone)
{
    uint own[CLSCAN_ROWS];
    clscan_sum starts[CLSCAN_PACKED_SUMS];

#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row)
        own[row] = popcount(CLSCAN_BITS_OF(rows[row], of_middle));
    return clscan_numbers_scan(own, CLSCAN_ROWS, places, starts, zone->scratch);
}

/// Count what is kept, and return the number of the part to all its lanes.
CLSCAN_FUNCTION clscan_sum clscan_rows_scan(bool whole, clscan_tile *tile, __local clscan_zone *zone, uint valid)
{
    clscan_bits_move(tile->rows, false, tile->marks);
    tile->kept = clscan_bits_scan(tile->rows, false, tile->places, zone);
#if CLSCAN_SELECT_MIDDLE
    clscan_bits_move(tile->rows, true, tile->middle_marks);
    tile->middle = clscan_bits_scan(tile->rows, true, tile->middle_places, zone);
    return tile->kept + tile->middle * CLSCAN_IN_MIDDLE;
#else
    return tile->kept;
#endif
}

// Element c of a row.
#if CLSCAN_HOLDS_WORDS
#define CLSCAN_KEPT_ELEMENT(row, c) clscan_word_get((row).words, (c))
#else
#define CLSCAN_KEPT_ELEMENT(row, c) (row).elements[c]
#endif

// How many outputs lie between `to` and the last multiple of 16 bytes.
CLSCAN_FUNCTION uint clscan_wide_skipped(__global const CLSCAN_OUT *to)
{
    return CLSCAN_WIDE_OUTPUTS > 1 ? (uint)((ulong)to / CLSCAN_OUT_BYTES % CLSCAN_WIDE_OUTPUTS) : 0;
}

/// Store `count` outputs that the sub-group has gathered, at `to`, where number `first` of the output is. Lines of the
/// output are stored at once, as far as it is known where they begin.
CLSCAN_FUNCTION void clscan_gathered_store(__local const CLSCAN_OUT *gathered, __global CLSCAN_OUT *to, ulong first,
                                           uint count)
{
    const uint lane = clscan_lane();
#if CLSCAN_WIDE_OUTPUTS > 1
    const uint skipped = clscan_wide_skipped(to);
    const uint head = min(skipped > 0 ? CLSCAN_WIDE_OUTPUTS - skipped : 0, count);
    const uint whole = (count - head) / CLSCAN_WIDE_OUTPUTS, tail = head + whole * CLSCAN_WIDE_OUTPUTS;
    __global uint4 *wide_to = (__global uint4 *)(to + head);
    __local const uint4 *wide = (__local const uint4 *)(gathered + head);
    const uint idle = (uint)((ulong)wide_to / 16 % 8);

    if (count <= CLSCAN_SUB_GROUP_SIZE) {
        if (lane < count)
            to[lane] = gathered[lane];
        return;
    }
    if (lane < head)
        to[lane] = gathered[lane];
    for (uint i = lane; i < idle + whole; i += CLSCAN_SUB_GROUP_SIZE)
        if (i >= idle)
            wide_to[i - idle] = wide[i - idle];
    if (tail + lane < count)
        to[tail + lane] = gathered[tail + lane];
#else
    const uint idle = (uint)first % CLSCAN_SUB_GROUP_SIZE;

    for (uint i = lane; i < idle + count; i += CLSCAN_SUB_GROUP_SIZE)
        if (i >= idle)
            to[i - idle] = gathered[i - idle];
#endif
}

#if CLSCAN_GATHERS_WORDS
// The marks of a row.
#define CLSCAN_ROW_MARKS(words, row) ((words)[(row) / CLSCAN_ROWS_PER_WORD] >> CLSCAN_MARK_SHIFT(row))

// Clear the room of the sub-group.
CLSCAN_FUNCTION void clscan_room_clear(__local clscan_zone *zone)
{
    __local uint4 *room = zone->gathered.wide + clscan_sub_group() * (CLSCAN_PART_ROOM / CLSCAN_WIDE_OUTPUTS);

    for (uint i = clscan_lane(); i < CLSCAN_PART_ROOM / CLSCAN_WIDE_OUTPUTS; i += CLSCAN_SUB_GROUP_SIZE)
        room[i] = (uint4)(0);
    clscan_sub_group_meet();
}
#endif

// The output of element c of a row, which goes to `place`.
CLSCAN_FUNCTION CLSCAN_OUT clscan_kept_output(const clscan_tile *tile, uint row, uint c, clscan_sink out, ulong place)
{
    clscan_item item = clscan_kept_item(place);

#if CLSCAN_KEEPS_ELEMENT
    item.element = CLSCAN_KEPT_ELEMENT(tile->rows[row], c);
#endif
    return clscan_output_of(item, 0, CLSCAN_AT(CLSCAN_ROW_CURSOR(out, row), c), out.arguments);
}

#if CLSCAN_GATHERS_EARLY
// Lines that are stored at once.
#define CLSCAN_LINES_AT_ONCE 4

// As clscan_gathered_store(), but from places that lie in any way.
CLSCAN_FUNCTION void clscan_lines_store(__local const CLSCAN_OUT *gathered, __global CLSCAN_OUT *to, ulong first,
                                        uint count)
{
    const uint step = CLSCAN_SUB_GROUP_SIZE, lane = clscan_lane(), skipped = (uint)first % step;
    uint i = step - skipped + lane;

    if (lane >= skipped && lane - skipped < count)
        to[lane - skipped] = gathered[lane - skipped];
#pragma unroll 1
    for (; i + (CLSCAN_LINES_AT_ONCE - 1) * step < count; i += CLSCAN_LINES_AT_ONCE * step)
#pragma unroll
        for (uint line = 0; line < CLSCAN_LINES_AT_ONCE; ++line)
            to[i + line * step] = gathered[i + line * step];
#pragma unroll
    for (uint line = 0; line < CLSCAN_LINES_AT_ONCE; ++line)
        if (i + line * step < count)
            to[i + line * step] = gathered[i + line * step];
}

/// Gather what leaves a whole tile: of each part what is kept and, behind it, the rest.
CLSCAN_FUNCTION void clscan_rows_gather(const clscan_tile *tile, __local clscan_zone *zone, clscan_sink out)
{
    __local CLSCAN_OUT *gathered = CLSCAN_PART_OUTPUTS(zone);

    clscan_sub_group_meet();
#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row) {
        uint place = CLSCAN_UNPACKED(tile->places, row);
#if CLSCAN_SELECT_REST
        // Where this lane's vector would go if no element in front of it were kept.
        const uint rest = tile->kept + row * CLSCAN_ROW_COUNT + clscan_lane() * CLSCAN_VECTOR_LENGTH;
#endif

#pragma unroll
        for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c) {
            const uint keep = CLSCAN_IS_MARKED(tile->marks, row, c);

#if CLSCAN_SELECT_REST
            gathered[keep ? place : rest + c - place] = clscan_kept_output(tile, row, c, out, 0);
#else
            if (keep)
                gathered[place] = clscan_kept_output(tile, row, c, out, 0);
#endif
            place += keep;
        }
    }
    clscan_sub_group_meet();
}

/// Store it: what is kept behind `prefix`, which precedes the part; as far as there is room.
CLSCAN_FUNCTION void clscan_rows_leave(const clscan_tile *tile, __local clscan_zone *zone, clscan_sink out,
                                       clscan_prefix prefix)
{
    __local const CLSCAN_OUT *gathered = CLSCAN_PART_OUTPUTS(zone);
    const clscan_sum kept = prefix.present ? prefix.value : 0;
    const ulong first = clscan_kept_place(kept);

    clscan_lines_store(gathered, clscan_stored(out, CLSCAN_OUT) + first, first,
                       clscan_fitting(first, tile->kept, clscan_capacity(out.arguments), out.arguments));
#if CLSCAN_SELECT_REST
    const ulong rest_first = clscan_rest_place(out, CLSCAN_AT(out, clscan_sub_group() * CLSCAN_PART), kept);

    clscan_lines_store(gathered + tile->kept, clscan_rest_out(out.arguments) + rest_first, rest_first,
                       clscan_fitting(rest_first, CLSCAN_PART - tile->kept, clscan_rest_capacity(out.arguments),
                                      out.arguments));
#endif
}
#endif

#if CLSCAN_SELECT_REST
// Behind `number` outputs that are gathered at `at` and go to `to`, the first place that lies as `next_to` does.
CLSCAN_FUNCTION __local CLSCAN_OUT *clscan_gathered_behind(__local CLSCAN_OUT *at, __global const CLSCAN_OUT *to,
                                                           uint number, __global const CLSCAN_OUT *next_to)
{
    return at + number + (clscan_wide_skipped(next_to) - clscan_wide_skipped(to) - number) % CLSCAN_WIDE_OUTPUTS;
}

/// Gather what is kept of a part and, behind it, the rest. Store the one behind `prefix`, which precedes the part, the
/// other where it belongs; each as far as there is room. A middle is gathered and stored between them.
CLSCAN_FUNCTION void clscan_rows_store(bool whole, const clscan_tile *tile, __local clscan_zone *zone, clscan_sink out,
                                       uint valid, clscan_prefix prefix)
{
    const uint part = clscan_sub_group() * CLSCAN_PART, exist = valid > part ? min(valid - part, (uint)CLSCAN_PART) : 0;
    const clscan_sum kept = prefix.present ? prefix.value : 0;
    const ulong begin = CLSCAN_AT(out, part), first = clscan_kept_place(kept),
                rest_first = clscan_rest_place(out, begin, kept);
    __global CLSCAN_OUT *to = clscan_stored(out, CLSCAN_OUT) + first;
    __global CLSCAN_OUT *rest_to = clscan_rest_out(out.arguments) + rest_first;
    __local CLSCAN_OUT *gathered = CLSCAN_PART_OUTPUTS(zone) + clscan_wide_skipped(to);
#if CLSCAN_SELECT_MIDDLE
    const ulong middle_first = clscan_middle_place(out, kept);
    __global CLSCAN_OUT *middle_to = clscan_stored(out, CLSCAN_OUT) + middle_first;
    __local CLSCAN_OUT *middle = clscan_gathered_behind(gathered, to, tile->kept, middle_to);
    __local CLSCAN_OUT *rest = clscan_gathered_behind(middle, middle_to, tile->middle, rest_to);
    const uint not_rest = tile->kept + tile->middle;
#else
    __local CLSCAN_OUT *rest = clscan_gathered_behind(gathered, to, tile->kept, rest_to);
    const uint not_rest = tile->kept;
#endif
    // Where vectors of this lane would go if nothing were kept. Rows stand at constant distances: these cost nothing.
    __local CLSCAN_OUT *rest_own = rest + (clscan_row_place(0) - part);
#if CLSCAN_SELECT_COLUMNS
    __local ushort *origins = zone->origins + part;
#endif

    clscan_sub_group_meet();
#if CLSCAN_GATHERS_WORDS
    const clscan_picks lane_picks = clscan_lane_picks();
    __local uint *room_words = (__local uint *)zone->gathered.wide;

    clscan_room_clear(zone);
#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row) {
        const uint own = clscan_row_place(row) - part, before = CLSCAN_UNPACKED(tile->places, row);
        const uint here = exist > own ? min(exist - own, (uint)CLSCAN_VECTOR_LENGTH) : 0;
        const uint marks = CLSCAN_ROW_MARKS(tile->marks, row);
        uint others = marks, rest_before = before;

        clscan_words_gather(tile->rows[row].words, marks, lane_picks, room_words,
                            (uint)(gathered - zone->gathered.outputs) + before);
#if CLSCAN_SELECT_MIDDLE
        const uint middle_marks = CLSCAN_ROW_MARKS(tile->middle_marks, row);
        const uint middle_before = CLSCAN_UNPACKED(tile->middle_places, row);

        clscan_words_gather(tile->rows[row].words, middle_marks, lane_picks, room_words,
                            (uint)(middle - zone->gathered.outputs) + middle_before);
        others |= middle_marks;
        rest_before += middle_before;
#endif
        clscan_words_gather(tile->rows[row].words, ~others & ((1u << here) - 1), lane_picks, room_words,
                            (uint)(rest_own - zone->gathered.outputs) + row * CLSCAN_ROW_COUNT - rest_before);
    }
#else
#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row) {
        const uint own = clscan_row_place(row) - part, before = CLSCAN_UNPACKED(tile->places, row);
        __local CLSCAN_OUT *kept_at = gathered + before, *rest_at = rest_own + row * CLSCAN_ROW_COUNT - before;
#if CLSCAN_SELECT_MIDDLE
        const uint middle_before = CLSCAN_UNPACKED(tile->middle_places, row);
        __local CLSCAN_OUT *middle_at = middle + middle_before;

        rest_at -= middle_before;
#endif
#pragma unroll
        for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c) {
            const bool keep = CLSCAN_IS_MARKED(tile->marks, row, c);
#if CLSCAN_SELECT_MIDDLE
            const bool is_middle = CLSCAN_IS_MARKED(tile->middle_marks, row, c), is_rest = !keep && !is_middle;
            __local CLSCAN_OUT *at = keep ? kept_at : is_middle ? middle_at : rest_at;
            const uint place = (uint)(at - (keep ? gathered : is_middle ? middle : rest));
            const ulong part_first = keep ? first : is_middle ? middle_first : rest_first;
#else
            const bool is_rest = !keep;
            __local CLSCAN_OUT *at = keep ? kept_at : rest_at;
            const uint place = (uint)(at - (keep ? gathered : rest));
            const ulong part_first = keep ? first : rest_first;
#endif

            // What does not exist comes last in the rest, and stays here. A map of the caller's must not see it.
            if (CLSCAN_SELECT_COPIES || own + c < exist)
                *at = clscan_kept_output(tile, row, c, out, part_first + place);
#if CLSCAN_SELECT_COLUMNS && CLSCAN_SELECT_MIDDLE
            origins[(keep ? 0 : is_middle ? tile->kept : not_rest) + place] = (ushort)(own + c);
#elif CLSCAN_SELECT_COLUMNS
            origins[keep ? place : not_rest + place] = (ushort)(own + c);
#endif
            kept_at += keep;
#if CLSCAN_SELECT_MIDDLE
            middle_at += is_middle;
#endif
            rest_at += is_rest;
        }
    }
#endif
    clscan_sub_group_meet();
    const uint room = clscan_fitting(first, tile->kept, clscan_capacity(out.arguments), out.arguments);
    const uint rest_room =
        clscan_fitting(rest_first, exist - not_rest, clscan_rest_capacity(out.arguments), out.arguments);
    clscan_gathered_store(gathered, to, first, room);
    clscan_gathered_store(rest, rest_to, rest_first, rest_room);
#if CLSCAN_SELECT_COLUMNS
    clscan_columns_store(clscan_stretch_of(origins, room), out.arguments, begin, first, 0);
    clscan_columns_store(clscan_stretch_of(origins + not_rest, rest_room), out.arguments, begin, rest_first, 0);
#endif
#if CLSCAN_SELECT_MIDDLE
    const uint middle_room =
        clscan_fitting(middle_first, tile->middle, clscan_capacity(out.arguments), out.arguments);
    clscan_gathered_store(middle, middle_to, middle_first, middle_room);
#if CLSCAN_SELECT_COLUMNS
    clscan_columns_store(clscan_stretch_of(origins + tile->kept, middle_room), out.arguments, begin, middle_first, 0);
#endif
#endif
}
#else
// Gather outputs, and where each was if somebody asks.
CLSCAN_FUNCTION void clscan_outputs_gather(const clscan_tile *tile, __local CLSCAN_OUT *gathered,
                                           __local clscan_zone *zone, clscan_sink out, ulong first, uint inside)
{
#if CLSCAN_SELECT_COLUMNS
    const uint part = clscan_sub_group() * CLSCAN_PART;
    __local ushort *origins = zone->origins + part;
#endif

#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row) {
        uint own = CLSCAN_UNPACKED(tile->places, row);

#pragma unroll
        for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c) {
            const uint keep = CLSCAN_IS_MARKED(tile->marks, row, c), place = (uint)clscan_kept_place(own);

#if CLSCAN_SELECT_COLUMNS
            if (keep)
                origins[own] = (ushort)(clscan_row_place(row) + c - part);
#endif
            if (CLSCAN_LEAVES(keep, own, inside))
                gathered[place] = clscan_kept_output(tile, row, c, out, first + place);
            own += keep;
        }
    }
}

/// Gather what is kept, and store it behind `prefix`, which precedes the part; as far as there is room.
CLSCAN_FUNCTION void clscan_rows_store(bool whole, const clscan_tile *tile, __local clscan_zone *zone, clscan_sink out,
                                       uint valid, clscan_prefix prefix)
{
    const clscan_sum number = prefix.present ? prefix.value : 0;
    const uint inside = CLSCAN_INSIDE(number);
    const ulong first = clscan_kept_place(number + inside);
    const uint room = clscan_fitting(first, CLSCAN_KEPT_OF(tile->kept, inside), clscan_capacity(out.arguments),
                                     out.arguments);
    __global CLSCAN_OUT *to = clscan_stored(out, CLSCAN_OUT) + first;
    __local CLSCAN_OUT *gathered = CLSCAN_PART_OUTPUTS(zone) + clscan_wide_skipped(to);

    clscan_sub_group_meet();
#if CLSCAN_GATHERS_WORDS
    const clscan_picks lane_picks = clscan_lane_picks();
    const uint at = (uint)(gathered - zone->gathered.outputs);

    clscan_room_clear(zone);
#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row)
        clscan_words_gather(tile->rows[row].words, CLSCAN_ROW_MARKS(tile->marks, row), lane_picks,
                            (__local uint *)zone->gathered.wide, at + CLSCAN_UNPACKED(tile->places, row));
#else
    clscan_outputs_gather(tile, gathered, zone, out, first, inside);
#endif
    clscan_sub_group_meet();
    clscan_gathered_store(gathered, to, first, room);
#if CLSCAN_SELECT_COLUMNS
    const uint part = clscan_sub_group() * CLSCAN_PART;

    clscan_columns_store(clscan_stretch_of(zone->origins + part, room), out.arguments, CLSCAN_AT(out, part), first,
                         inside);
#endif
}
#endif
