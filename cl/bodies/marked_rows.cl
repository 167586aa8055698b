// Rows of tile body `subgroup_rows` whose lanes hold elements, and a bit for each, in place of items: in selections
// whether an element is kept (bodies/kept_parts.cl), in segments whether it is the first of its segment in the order of
// the scan (bodies/segmented_rows.cl).
#if CLSCAN_SELECTS
#if CLSCAN_SELECT_MIDDLE
#define CLSCAN_MARKED(item) (clscan_lift(item) == 1)
#else
#define CLSCAN_MARKED(item) (clscan_lift(item) != 0)
#endif
#define CLSCAN_HOLDS_ELEMENTS (CLSCAN_KEEPS_ELEMENT && !CLSCAN_SELECT_RELOADS)
#if CLSCAN_HOLDS_ELEMENTS
typedef CLSCAN_IN clscan_element;
#define CLSCAN_ELEMENT_OF(item) ((item).element)
#endif
#else
#define CLSCAN_MARKED(item) (clscan_lift(item).begins != 0)
#define CLSCAN_HOLDS_ELEMENTS 1
typedef clscan_value clscan_element;
#define CLSCAN_ELEMENT_OF(item) (clscan_lift(item).value)
#endif

// Is what leaves a tile gathered in local memory first?
#if CLSCAN_SELECTS || CLSCAN_DISCARDS
#define CLSCAN_GATHERS 1
#else
#define CLSCAN_GATHERS 0
#endif

#define CLSCAN_REREADS 0 // as bodies/held_rows.cl may

// Are narrow elements held in words? Those of selections are only moved.
#define CLSCAN_HOLDS_WORDS (CLSCAN_SELECTS && CLSCAN_HOLDS_ELEMENTS && CLSCAN_IN_WORDS > 0)

// Do lanes pass elements on to those whose items ask for what is in front of them?
#if CLSCAN_SELECTS && CLSCAN_SEES_BEFORE && CLSCAN_IN_SCALAR && CLSCAN_SELECT_FLAG_BITS == 0 && \
    CLSCAN_EXCHANGE == 0 && CLSCAN_VECTOR_LENGTH > 1
#define CLSCAN_PASSES_BEFORE 1
#else
#define CLSCAN_PASSES_BEFORE 0
#endif

#define CLSCAN_ALL_MARKS ((1u << CLSCAN_VECTOR_LENGTH) - 1)

// What a lane holds of a row.
typedef struct clscan_lane_row {
#if CLSCAN_HOLDS_WORDS
    uint words[CLSCAN_IN_WORDS];
#elif CLSCAN_HOLDS_ELEMENTS
    clscan_element elements[CLSCAN_VECTOR_LENGTH];
#endif
    uint marks; // bit c: element c is marked
#if CLSCAN_SELECTS && CLSCAN_SELECT_MIDDLE
    uint middle; // the same: it belongs to the middle
#endif
} clscan_lane_row;

// Bits as they are taken apart next: NVIDIA's compiler would keep each mark in a predicate from the one time to the
// other, of which it has too few, and each narrow element in a register.
#ifdef CLSCAN_OPAQUE
#define clscan_bits_again(bits) CLSCAN_OPAQUE(bits)
#else
#define clscan_bits_again(bits) (bits)
#endif

CLSCAN_FUNCTION void clscan_row_mark(clscan_lane_row *row, const clscan_item *items)
{
    row->marks = 0;
#if CLSCAN_SELECTS && CLSCAN_SELECT_MIDDLE
    row->middle = 0;
#endif
#pragma unroll
    for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c) {
        row->marks |= CLSCAN_MARKED(items[c]) ? 1u << c : 0;
#if CLSCAN_SELECTS && CLSCAN_SELECT_MIDDLE
        row->middle |= clscan_lift(items[c]) == CLSCAN_IN_MIDDLE ? 1u << c : 0;
#endif
    }
    row->marks = clscan_bits_again(row->marks);
#if CLSCAN_SELECTS && CLSCAN_SELECT_MIDDLE
    row->middle = clscan_bits_again(row->middle);
#endif
}

#if CLSCAN_HOLDS_WORDS
CLSCAN_FUNCTION void clscan_row_hold_words(clscan_lane_row *row, const uint *words)
{
#pragma unroll
    for (uint i = 0; i < CLSCAN_IN_WORDS; ++i)
        row->words[i] = clscan_bits_again(words[i]);
}
#endif

CLSCAN_FUNCTION void clscan_row_hold(clscan_lane_row *row, const clscan_item *items)
{
#if CLSCAN_HOLDS_WORDS
    CLSCAN_IN elements[CLSCAN_VECTOR_LENGTH];
    uint words[CLSCAN_IN_WORDS];

#pragma unroll
    for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
        elements[c] = CLSCAN_ELEMENT_OF(items[c]);
    clscan_words_set(words, elements);
    clscan_row_hold_words(row, words);
#elif CLSCAN_HOLDS_ELEMENTS
#pragma unroll
    for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
        row->elements[c] = CLSCAN_ELEMENT_OF(items[c]);
#endif
}

CLSCAN_FUNCTION clscan_lane_row clscan_row_of(const clscan_item *items)
{
    clscan_lane_row row;

    clscan_row_mark(&row, items);
    clscan_row_hold(&row, items);
    return row;
}

#if CLSCAN_SELECTS
// These bits are of elements that flags reject: CLSCAN_REJECT() for a whole vector.
CLSCAN_FUNCTION void clscan_row_reject(clscan_lane_row *row, uint rejected)
{
    if (CLSCAN_SELECT_REJECTED)
        row->marks |= rejected & CLSCAN_ALL_MARKS;
    else
        row->marks &= ~rejected;
#if CLSCAN_SELECT_MIDDLE
    row->middle &= ~rejected;
#endif
}
#endif

// A vector of which the first `exist` elements are there; the others are not marked.
CLSCAN_FUNCTION clscan_lane_row clscan_part_of_row(clscan_source in, uint k, uint exist)
{
    clscan_item items[CLSCAN_VECTOR_LENGTH];

#pragma unroll
    for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c) {
        items[c] = clscan_no_item();
        if (c < exist)
            items[c] = clscan_read(in, k + c);
    }
    return clscan_row_of(items);
}

#if CLSCAN_SELECTS && CLSCAN_VECTOR_LENGTH > 1 && !CLSCAN_SELECT_LONG
#define CLSCAN_TAKES_FLAGS_SET CLSCAN_HAS_FLAGS_SET
#else
#define CLSCAN_TAKES_FLAGS_SET 0
#endif

#if CLSCAN_HOLDS_WORDS
// A vector whose words are held as they were loaded: compilers do not see that they would put them together again.
CLSCAN_FUNCTION clscan_in_vector clscan_row_load_words(clscan_lane_row *row, clscan_source cursor, ulong first,
                                                       bool aligned)
{
    clscan_in_vector stored;
    uint words[CLSCAN_IN_WORDS];

    if (aligned) {
        stored = clscan_load_aligned_words(cursor, first, words);
    } else {
        stored = clscan_load_elements(cursor, first, false);
        clscan_words_set(words, stored.at);
    }
    clscan_row_hold_words(row, words);
    return stored;
}
#endif

#if CLSCAN_VECTOR_LENGTH > 1
// Mark these items of a whole vector, and leave them.
CLSCAN_FUNCTION void clscan_row_mark_vector(clscan_lane_row *row, clscan_vector loaded, clscan_item *items,
                                            clscan_source cursor, ulong first, bool aligned)
{
#if CLSCAN_TAKES_FLAGS_SET
    // Flags that are bits already meet marks as bits, in place of one after the other.
    clscan_unpack(loaded, items);
    clscan_row_mark(row, items);
    clscan_row_reject(row, ~clscan_flags_set(clscan_flags(cursor.arguments), first, aligned));
#else
    clscan_unpack(clscan_items_settled(loaded, cursor, first, aligned), items);
    clscan_row_mark(row, items);
#endif
}
#endif

// Load a whole vector, mark its items, and leave them.
CLSCAN_FUNCTION void clscan_row_mark_at(clscan_lane_row *row, clscan_item *items, clscan_source cursor, bool aligned)
{
#if CLSCAN_VECTOR_LENGTH > 1
    const ulong first = CLSCAN_VECTOR_AT(cursor, 0);

    clscan_row_mark_vector(row, clscan_load_stored(cursor, first, aligned), items, cursor, first, aligned);
#else
    items[0] = clscan_load_vector(cursor, 0, aligned);
    clscan_row_mark(row, items);
#endif
}

CLSCAN_FUNCTION clscan_lane_row clscan_row_at(clscan_source cursor, bool aligned)
{
    clscan_item items[CLSCAN_VECTOR_LENGTH];
    clscan_lane_row row;

#if CLSCAN_HOLDS_WORDS
    const ulong first = CLSCAN_VECTOR_AT(cursor, 0);
    const clscan_in_vector stored = clscan_row_load_words(&row, cursor, first, aligned);
    const uint heads = clscan_heads(cursor.arguments, first, aligned, CLSCAN_LOADS_NEXT_HEAD);

    clscan_row_mark_vector(&row, clscan_items_of(cursor, heads, stored, first), items, cursor, first, aligned);
#else
    clscan_row_mark_at(&row, items, cursor, aligned);
    clscan_row_hold(&row, items);
#endif
    return row;
}

#if CLSCAN_SELECTS && CLSCAN_SELECT_REST
// The same without elements, which need not be loaded where flags alone say what is kept.
CLSCAN_FUNCTION clscan_lane_row clscan_row_marks_at(clscan_source cursor, bool aligned)
{
    clscan_item items[CLSCAN_VECTOR_LENGTH];
    clscan_lane_row row;

    clscan_row_mark_at(&row, items, cursor, aligned);
    return row;
}
#endif

CLSCAN_FUNCTION clscan_lane_row clscan_row_load(clscan_source in, uint row, bool aligned)
{
    return clscan_row_at(CLSCAN_ROW_CURSOR(in, row), aligned);
}

// Of what does not exist, nothing is marked.
CLSCAN_FUNCTION void clscan_row_unmark(clscan_lane_row *row)
{
    row->marks = 0;
#if CLSCAN_SELECTS && CLSCAN_SELECT_MIDDLE
    row->middle = 0;
#endif
}

// The first element of a segment has the initial value in it.
CLSCAN_FUNCTION void clscan_rows_begin(clscan_lane_row *rows, uint count, clscan_arguments arguments)
{
#if !CLSCAN_SELECTS
    if (!clscan_has_initial(arguments))
        return;
#pragma unroll
    for (uint row = 0; row < count; ++row)
#pragma unroll
        for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
            if (rows[row].marks >> c & 1)
                rows[row].elements[c] = clscan_first_value(rows[row].elements[c], arguments);
#endif
}

/// Load a tile of which the first `valid` elements exist; its loads do not wait for each other.
CLSCAN_FUNCTION void clscan_rows_load_first(clscan_lane_row *rows, clscan_source in, uint valid)
{
    const bool aligned = clscan_source_aligned(in);
    const uint last = valid / CLSCAN_VECTOR_LENGTH * CLSCAN_VECTOR_LENGTH;
    const clscan_lane_row rest = clscan_part_of_row(in, last, valid - last);

#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row) {
        const uint place = clscan_row_place(0) + row * CLSCAN_ROW_COUNT;

        rows[row] = rest;
        if (place < last)
            rows[row] = clscan_row_load(in, row, aligned);
        else if (place > last)
            clscan_row_unmark(&rows[row]);
    }
    clscan_rows_begin(rows, CLSCAN_ROWS, in.arguments);
}

#if CLSCAN_PASSES_BEFORE
CLSCAN_FUNCTION CLSCAN_IN clscan_element_shuffle(CLSCAN_IN element, uint lane)
{
#if CLSCAN_IN_BYTES == 8
    uint2 bits = CLSCAN_PASTE(as_, uint2)(element);

    bits.x = clscan_shuffle_bits(bits.x, lane);
    bits.y = clscan_shuffle_bits(bits.y, lane);
    return CLSCAN_PASTE(as_, CLSCAN_IN)(bits);
#elif CLSCAN_IN_BYTES == 4
    return CLSCAN_PASTE(as_, CLSCAN_IN)(clscan_shuffle_bits(as_uint(element), lane));
#else
    const uint bits = CLSCAN_PASTE(as_, CLSCAN_IN_BITS)(element);

    return CLSCAN_PASTE(as_, CLSCAN_IN)((CLSCAN_IN_BITS)clscan_shuffle_bits(bits, lane));
#endif
}
#endif

// Can a whole tile be on its way to the registers, while work is done that needs none of it? Its vectors are then
// requested, and later received.
#if CLSCAN_PASSES_BEFORE || (CLSCAN_SELECTS && CLSCAN_HOLDS_ELEMENTS && !CLSCAN_HOLDS_WORDS && CLSCAN_IN_SCALAR && \
                             !CLSCAN_GENERATES && CLSCAN_SELECT_FLAG_BITS == 0 && CLSCAN_VECTOR_LENGTH > 1)
#define CLSCAN_REQUESTS 1
#else
#define CLSCAN_REQUESTS 0
#endif

#if CLSCAN_REQUESTS
typedef struct clscan_requested {
    clscan_in_vector rows[CLSCAN_ROWS];
#if CLSCAN_PASSES_BEFORE
    CLSCAN_IN before; // what is in front of the part, for its first lane
#endif
} clscan_requested;

CLSCAN_FUNCTION void clscan_rows_request(clscan_requested *requested, clscan_source in)
{
#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row)
        requested->rows[row] = clscan_load_elements(in, CLSCAN_VECTOR_AT(CLSCAN_ROW_CURSOR(in, row), 0), true);
#if CLSCAN_PASSES_BEFORE
    requested->before = 0;
    if (clscan_lane() == 0)
        requested->before = clscan_element_before(in, CLSCAN_VECTOR_AT(CLSCAN_ROW_CURSOR(in, 0), 0));
#endif
}

#if CLSCAN_PASSES_BEFORE
// Of items that ask for the element in front of their own: each lane passes the last one of its vector on, the last
// lane to the next row. To load them again would take as long as all the other loads.
CLSCAN_FUNCTION void clscan_rows_receive(clscan_lane_row *rows, const clscan_requested *requested, clscan_source in)
{
    const uint lane = clscan_lane(), below = (lane + CLSCAN_SUB_GROUP_SIZE - 1) % CLSCAN_SUB_GROUP_SIZE;
    const clscan_in_vector *stored = requested->rows;
    CLSCAN_IN wrapped = requested->before;

#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row) {
        const CLSCAN_IN passed = clscan_element_shuffle(stored[row].at[CLSCAN_VECTOR_LENGTH - 1], below);
        const clscan_vector items =
            clscan_items_behind(lane > 0 ? passed : wrapped, stored[row], 0,
                                CLSCAN_VECTOR_AT(CLSCAN_ROW_CURSOR(in, row), 0), in.arguments);

        rows[row] = clscan_row_of(items.at);
        wrapped = passed;
    }
#if CLSCAN_SELECT_LONG
    // What is counted are first and last ones: where one begins or the next one does, but not both.
    const uint above = (lane + 1) % CLSCAN_SUB_GROUP_SIZE;
    const ulong last = CLSCAN_VECTOR_AT(CLSCAN_ROW_CURSOR(in, CLSCAN_ROWS - 1), 0);
    uint after = 0;

    if (lane == CLSCAN_SUB_GROUP_SIZE - 1)
        after = clscan_begins_run(in, last + CLSCAN_VECTOR_LENGTH) != 0;
#pragma unroll
    for (uint row = CLSCAN_ROWS; row-- > 0;) {
        const uint begin = CLSCAN_VECTOR_AT(CLSCAN_ROW_CURSOR(in, row), 0) == 0 ? rows[row].marks | 1 : rows[row].marks;
        const uint passed = clscan_shuffle_bits(begin & 1, above);
        const uint next = lane < CLSCAN_SUB_GROUP_SIZE - 1 ? passed : after;

        rows[row].marks = begin ^ (begin >> 1 | next << (CLSCAN_VECTOR_LENGTH - 1));
        after = passed;
    }
#endif
}
#else
CLSCAN_FUNCTION void clscan_rows_receive(clscan_lane_row *rows, const clscan_requested *requested, clscan_source in)
{
#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row) {
        const clscan_source cursor = CLSCAN_ROW_CURSOR(in, row);
        const ulong first = CLSCAN_VECTOR_AT(cursor, 0);
        const uint heads = clscan_heads(cursor.arguments, first, true, CLSCAN_LOADS_NEXT_HEAD);
        clscan_item items[CLSCAN_VECTOR_LENGTH];

        clscan_row_mark_vector(&rows[row], clscan_items_of(cursor, heads, requested->rows[row], first), items, cursor,
                               first, true);
        clscan_row_hold(&rows[row], items);
    }
}
#endif
#endif

CLSCAN_FUNCTION void clscan_rows_load(bool whole, clscan_lane_row *rows, clscan_source in, uint valid)
{
    if (!whole) {
        clscan_rows_load_first(rows, in, valid);
        return;
    }
#if CLSCAN_PASSES_BEFORE
    clscan_requested requested;

    clscan_rows_request(&requested, in);
    clscan_rows_receive(rows, &requested, in);
#else
#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row)
        rows[row] = clscan_row_load(in, row, true);
#endif
    clscan_rows_begin(rows, CLSCAN_ROWS, in.arguments);
}
