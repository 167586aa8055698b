// Where segments begin among elements that land in scans by bits or by offsets, whose marks are bits as well: a bit for
// each of what a lane has in turn, in the order of memory. The words around them are loaded when the tile's landing
// begins, and shifted when it ends. In reverse a segment begins, in the order of the scan, at the element in front of
// the next one's first: so its bits are one further up.
//
// The host lets nothing land whose last word may reach beyond what the caller gave: whole tiles end where a word of the
// caller's bits does, but for those of reverse scans.
#if !CLSCAN_SEGMENTED || CLSCAN_HEAD_BITS != 1 || !defined(CLSCAN_BALLOT) || CLSCAN_SUB_GROUP_SIZE % 32 != 0
#error "landed marks are for segments, by bits, with votes among 32 lanes"
#endif
#define CLSCAN_TURN_WORDS ((CLSCAN_TURN_COUNT + 31) / 32)

typedef struct clscan_turn_marks {
    uint bits[CLSCAN_TURN_WORDS];
} clscan_turn_marks;

typedef struct clscan_turn_words {
    uint at[CLSCAN_TURN_WORDS + 1];
} clscan_turn_words;

CLSCAN_FUNCTION bool clscan_turn_words_aligned(clscan_arguments arguments)
{
    return (ulong)clscan_heads_from(arguments, 0) % sizeof(uint) == 0;
}

// In memory, of this lane's first element in the tile at the cursor.
CLSCAN_FUNCTION ulong clscan_turn_first(clscan_source in)
{
    return CLSCAN_VECTOR_AT(in, CLSCAN_TURN_PLACE(CLSCAN_REVERSE ? CLSCAN_ROWS - 1 : 0));
}

CLSCAN_FUNCTION void clscan_turn_words_load(clscan_turn_words *words, clscan_source in)
{
    __global const uint *from = (__global const uint *)clscan_heads_from(in.arguments, 0);
    const ulong first = clscan_turn_first(in) + CLSCAN_REVERSE;
    const ulong last = (min(first + CLSCAN_TURN_COUNT, clscan_heads_count(in.arguments)) - 1) / 32;

#pragma unroll
    for (uint i = 0; i <= CLSCAN_TURN_WORDS; ++i)
        words->at[i] = from[min(first / 32 + i, last)];
}

CLSCAN_FUNCTION clscan_turn_marks clscan_turn_marks_of(clscan_turn_words words, clscan_source in)
{
    const ulong first = clscan_turn_first(in);
    const uint shift = (uint)(first + CLSCAN_REVERSE) % 32;
    clscan_turn_marks marks;

#pragma unroll
    for (uint i = 0; i < CLSCAN_TURN_WORDS; ++i)
        marks.bits[i] = (uint)(((ulong)words.at[i + 1] << 32 | words.at[i]) >> shift);
    if (CLSCAN_TURN_COUNT % 32 != 0)
        marks.bits[CLSCAN_TURN_WORDS - 1] &= (1u << CLSCAN_TURN_COUNT % 32) - 1;
    // The first of all begins a segment, whatever stands there.
    if (!CLSCAN_REVERSE && first == 0)
        marks.bits[0] |= 1;
    if (CLSCAN_REVERSE && first + CLSCAN_TURN_COUNT == clscan_heads_count(in.arguments))
        marks.bits[CLSCAN_TURN_WORDS - 1] |= 1u << (CLSCAN_TURN_COUNT - 1) % 32;
    return marks;
}

CLSCAN_FUNCTION bool clscan_marks_any(const clscan_turn_marks *marks)
{
    uint any = marks->bits[0];

#pragma unroll
    for (uint i = 1; i < CLSCAN_TURN_WORDS; ++i)
        any |= marks->bits[i];
    return any != 0;
}

// Is element `c` in memory of this lane's vector `i` in the order of the scan the first of its segment?
CLSCAN_FUNCTION bool clscan_marks_first(const clscan_turn_marks *marks, uint i, uint c)
{
    const uint at = (CLSCAN_REVERSE ? CLSCAN_ROWS - 1 - i : i) * CLSCAN_VECTOR_LENGTH + c;

    return (marks->bits[at / 32] >> at % 32 & 1) != 0;
}

// What every segment begins with: found once for all elements that a lane has in turn. With an initial value, or what
// is neutral in its place, first elements are joined to it, as others are to what precedes them.
typedef struct clscan_turn_begin {
    clscan_value seed;
    bool seeded;
#if !CLSCAN_INCLUSIVE
    clscan_value output; // of a first element
#endif
} clscan_turn_begin;

CLSCAN_FUNCTION clscan_turn_begin clscan_turn_begin_of(clscan_arguments arguments)
{
    clscan_turn_begin begin;

    begin.seeded = clscan_has_initial(arguments);
    begin.seed = clscan_before_first(arguments);
#if !CLSCAN_INCLUSIVE
    begin.output = begin.seed;
#endif
#ifdef CLSCAN_SEGMENT_NEUTRAL
    if (!begin.seeded)
        begin.seed = CLSCAN_SEGMENT_NEUTRAL;
    begin.seeded = true;
#endif
    return begin;
}

// The sum up to an element, from that before it.
CLSCAN_FUNCTION clscan_value clscan_turn_join(clscan_value before, clscan_value own, bool first,
                                              clscan_turn_begin begin)
{
    const clscan_value joined = clscan_values_join(first ? begin.seed : before, own);

    return first && !begin.seeded ? own : joined;
}

// Of the first one in turn, which nothing precedes.
CLSCAN_FUNCTION clscan_value clscan_turn_alone(clscan_value own, bool first, clscan_turn_begin begin)
{
    return first ? clscan_turn_join(own, own, true, begin) : own;
}

/// As clscan_step(), but that what precedes is there, or is not asked for: the first of all begins a segment.
CLSCAN_FUNCTION clscan_item clscan_turn_step(clscan_prefix *prefix, clscan_item item, bool first,
                                             clscan_turn_begin begin)
{
    const clscan_value before = prefix->value.value;

    prefix->value.value = clscan_turn_join(before, clscan_lift(item).value, first, begin);
#if CLSCAN_INCLUSIVE
    clscan_lift(item) = prefix->value;
#else
    clscan_lift(item).value = first ? begin.output : before;
#endif
    return item;
}
