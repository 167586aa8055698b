// Short rows in local memory: a work-group takes several neighbouring ones at once.
//
// Required of the host: CLSCAN_SHORT_STRIP, the elements for each work-item; 0 if local memory is too small for rows
// that share a work-group, which are then walked like long ones.
#if !defined(CLSCAN_SHORT_STRIP)
#error "CLSCAN_SHORT_STRIP must be defined"
#endif

#if CLSCAN_WORK_GROUP_SIZE > 1 && CLSCAN_SHORT_STRIP > 0
// All elements of the rows, one row behind the other in the order of the scan, in local memory: there each work-item
// takes a strip of neighbours, wherever rows begin, while global memory is read and written side by side. A reverse
// scan begins with the last row, so that rows without gaps are one array in either direction. So are rows with narrow
// gaps, whose places in local memory nobody looks at.
#define CLSCAN_SHORT_TILE (CLSCAN_WORK_GROUP_SIZE * CLSCAN_SHORT_STRIP)
// Cells (elements/cells.cl) with padding, so that the strips of neighbouring work-items begin in different banks. None
// lies in a strip.
#define CLSCAN_SHORT_CELLS ((uint)CLSCAN_SHORT_STRIP / CLSCAN_PER_CELL)
#define CLSCAN_SHORT_BANKS (sizeof(clscan_cell) < 8 ? 32u : 16u)
#define CLSCAN_SHORT_LINE (CLSCAN_SHORT_BANKS > CLSCAN_SHORT_CELLS ? CLSCAN_SHORT_BANKS : CLSCAN_SHORT_CELLS)
#define CLSCAN_SHORT_AT(cell) ((cell) + (cell) / CLSCAN_SHORT_LINE)
// Are strips made of whole vectors?
#define CLSCAN_SHORT_BY_VECTORS (CLSCAN_SHORT_STRIP % CLSCAN_VECTOR_LENGTH == 0)
#define CLSCAN_SHORT_VECTORS ((CLSCAN_SHORT_STRIP + CLSCAN_VECTOR_LENGTH - 1) / CLSCAN_VECTOR_LENGTH)

// In memory, of the row that is number `row` in the order of the scan.
#if CLSCAN_REVERSE
#define CLSCAN_SHORT_ROW(row, rows) ((rows)-1 - (row))
#define CLSCAN_SHORT_ROWS_ON(rows, pitch) (0ul - (rows) * (pitch))
#else
#define CLSCAN_SHORT_ROW(row, rows) (row)
#define CLSCAN_SHORT_ROWS_ON(rows, pitch) ((rows) * (pitch))
#endif

// How the rows stand in local memory. A place holds an element.
typedef struct clscan_short_layout {
    uint count, pitch; // elements of a row, and places from its begin to that of the next
    uint shift;        // places in front of the first row: its address is no multiple of a vector
    uint span;         // places from the first element to behind the last one
    bool vectors;      // vectors of the input stand as they are in memory
} clscan_short_layout;

#if CLSCAN_PLAIN && CLSCAN_VECTOR_LENGTH > 1
// Elements from the multiple of a vector in front of the cursor, in the order of the scan.
CLSCAN_FUNCTION uint clscan_short_shift(clscan_source at)
{
    return (CLSCAN_VECTOR_LENGTH - clscan_to_multiple(at, sizeof(clscan_vector))) % CLSCAN_VECTOR_LENGTH;
}
#endif

/// `pitch` is 0 unless rows in the input stand so far from each other, and should in local memory.
CLSCAN_FUNCTION clscan_short_layout clscan_short_layout_of(clscan_source in, uint count, uint rows, uint pitch)
{
    clscan_short_layout layout;

    layout.count = count;
    layout.pitch = pitch > 0 ? pitch : count;
    layout.shift = 0;
    layout.span = (rows - 1) * layout.pitch + count;
    layout.vectors = false;
#if CLSCAN_PLAIN && CLSCAN_VECTOR_LENGTH > 1
    if (pitch > 0) {
        const uint shift = clscan_short_shift(CLSCAN_CURSOR(in, layout.span, 0));
        if (shift == 0 || (CLSCAN_SHORT_BY_VECTORS && shift + layout.span <= CLSCAN_SHORT_TILE)) {
            layout.shift = shift;
            layout.vectors = true;
        }
    }
#endif
    return layout;
}

// Where an element of the rows is, for a work-item that goes from one to the next but CLSCAN_WORK_GROUP_SIZE - 1.
typedef struct clscan_short_place {
    ulong begin; // of its row
    uint column;
    uint staged; // the same in local memory
} clscan_short_place;

CLSCAN_FUNCTION clscan_short_place clscan_short_first(clscan_short_layout layout, uint rows, ulong pitch)
{
    const uint lid = (uint)get_local_id(0), row = lid / layout.count;
    clscan_short_place place;
    place.begin = CLSCAN_SHORT_ROW(row, rows) * pitch;
    place.column = lid % layout.count;
    place.staged = layout.shift + row * layout.pitch;
    return place;
}

CLSCAN_FUNCTION clscan_short_place clscan_short_next(clscan_short_place place, clscan_short_layout layout, ulong pitch)
{
    place.begin += CLSCAN_SHORT_ROWS_ON(CLSCAN_WORK_GROUP_SIZE / layout.count, pitch);
    place.column += CLSCAN_WORK_GROUP_SIZE % layout.count;
    place.staged += CLSCAN_WORK_GROUP_SIZE / layout.count * layout.pitch;
    if (place.column >= layout.count) {
        place.column -= layout.count;
        place.begin += CLSCAN_SHORT_ROWS_ON(1, pitch);
        place.staged += layout.pitch;
    }
    return place;
}

// A place.
CLSCAN_FUNCTION __local CLSCAN_T *clscan_short_staged(__local clscan_cell *staged, uint e)
{
    return (__local CLSCAN_T *)(staged + CLSCAN_SHORT_AT(e / CLSCAN_PER_CELL)) + e % CLSCAN_PER_CELL;
}

// A whole vector.
CLSCAN_FUNCTION clscan_held clscan_short_take(__local const clscan_cell *staged)
{
    clscan_cell cells[CLSCAN_CELLS];

#pragma unroll
    for (uint c = 0; c < CLSCAN_CELLS; ++c)
        cells[c] = staged[c];
    return clscan_cells_held(cells);
}

CLSCAN_FUNCTION void clscan_short_put(__local clscan_cell *staged, clscan_held v)
{
    clscan_cell cells[CLSCAN_CELLS];

    clscan_held_cells(v, cells);
#pragma unroll
    for (uint c = 0; c < CLSCAN_CELLS; ++c)
        staged[c] = cells[c];
}

// Elements that a work-item loads one by one before it waits for the first of them; more take registers for addresses.
#define CLSCAN_SHORT_STEP 4

// Rows into local memory. Loads come first: they do not wait for each other.
CLSCAN_FUNCTION void clscan_short_load(__local clscan_cell *staged, clscan_source in, clscan_short_layout layout,
                                       uint rows, ulong pitch)
{
    const uint lid = (uint)get_local_id(0), elements = rows * layout.count;
    CLSCAN_T held[CLSCAN_SHORT_STEP];
    clscan_short_place place;

#if CLSCAN_PLAIN && CLSCAN_VECTOR_LENGTH > 1
    if (layout.vectors) {
        const clscan_source whole = CLSCAN_CURSOR(in, layout.span, 0);
        const uint shift = layout.shift, end = shift + layout.span;
        const uint head = shift > 0 ? min((uint)CLSCAN_VECTOR_LENGTH, end) : 0;
        clscan_held vectors[CLSCAN_SHORT_VECTORS];
#pragma unroll
        for (uint i = 0; i < CLSCAN_SHORT_VECTORS; ++i) {
            const uint p = (i * CLSCAN_WORK_GROUP_SIZE + lid) * CLSCAN_VECTOR_LENGTH;
            if (p >= shift && p + CLSCAN_VECTOR_LENGTH <= end)
                vectors[i] = clscan_load_held(CLSCAN_ADVANCE(whole, p - shift), true);
        }
#pragma unroll
        for (uint i = 0; i < CLSCAN_SHORT_VECTORS; ++i) {
            const uint p = (i * CLSCAN_WORK_GROUP_SIZE + lid) * CLSCAN_VECTOR_LENGTH;
            if (p >= shift && p + CLSCAN_VECTOR_LENGTH <= end)
                clscan_short_put(staged + CLSCAN_SHORT_AT(p / CLSCAN_PER_CELL), vectors[i]);
        }
        for (uint p = shift + lid; p < head; p += CLSCAN_WORK_GROUP_SIZE)
            *clscan_short_staged(staged, p) = clscan_read(whole, p - shift);
        for (uint p = max(end - end % CLSCAN_VECTOR_LENGTH, head) + lid; p < end; p += CLSCAN_WORK_GROUP_SIZE)
            *clscan_short_staged(staged, p) = clscan_read(whole, p - shift);
        return;
    }
#endif
    place = clscan_short_first(layout, rows, pitch);
#pragma unroll 1
    for (uint first = lid; first < elements; first += CLSCAN_SHORT_STEP * CLSCAN_WORK_GROUP_SIZE) {
        uint places[CLSCAN_SHORT_STEP];
#pragma unroll
        for (uint i = 0; i < CLSCAN_SHORT_STEP; ++i) {
            if (first + i * CLSCAN_WORK_GROUP_SIZE < elements)
                held[i] =
                    clscan_read(CLSCAN_CURSOR(CLSCAN_SOURCE_ROW(in, place.begin), layout.count, 0), place.column);
            places[i] = place.staged + place.column;
            place = clscan_short_next(place, layout, pitch);
        }
#pragma unroll
        for (uint i = 0; i < CLSCAN_SHORT_STEP; ++i)
            if (first + i * CLSCAN_WORK_GROUP_SIZE < elements)
                *clscan_short_staged(staged, places[i]) = held[i];
    }
}

#if CLSCAN_PLAIN && CLSCAN_VECTOR_LENGTH > 1
// Rows with gaps of at least so many places are stored by vectors: with fewer, most vectors would have a gap.
#define CLSCAN_SHORT_LEAST_PITCH (4 * CLSCAN_VECTOR_LENGTH)

// The elements of a vector at place p, one by one, but for the gaps.
CLSCAN_FUNCTION void clscan_short_store_edge(__local clscan_cell *staged, clscan_sink whole,
                                             clscan_short_layout layout, uint p, uint column)
{
#pragma unroll
    for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c) {
        if (p + c < layout.shift)
            continue;
        if (p + c < layout.shift + layout.span && column < layout.count)
            clscan_write(whole, p + c - layout.shift, *clscan_short_staged(staged, p + c));
        column = column + 1 == layout.pitch ? 0 : column + 1;
    }
}
#endif

// And back.
CLSCAN_FUNCTION void clscan_short_store(__local clscan_cell *staged, clscan_sink out, clscan_short_layout layout,
                                        uint rows, ulong pitch)
{
    const uint lid = (uint)get_local_id(0), elements = rows * layout.count;
    clscan_short_place place;

#if CLSCAN_PLAIN && CLSCAN_VECTOR_LENGTH > 1
    const clscan_sink whole = CLSCAN_CURSOR(out, layout.span, 0);
    const bool gaps = layout.pitch > layout.count;
    if (layout.vectors && pitch == layout.pitch && clscan_short_shift(whole) == layout.shift &&
        (!gaps || pitch >= CLSCAN_SHORT_LEAST_PITCH)) {
        const uint shift = layout.shift, end = shift + layout.span;
#pragma unroll
        for (uint i = 0; i < CLSCAN_SHORT_VECTORS; ++i) {
            const uint p = (i * CLSCAN_WORK_GROUP_SIZE + lid) * CLSCAN_VECTOR_LENGTH;
            const uint column = gaps && p > shift ? (p - shift) % layout.pitch : 0;
            if (p >= shift && p + CLSCAN_VECTOR_LENGTH <= end &&
                (!gaps || column + CLSCAN_VECTOR_LENGTH <= layout.count))
                clscan_store_held(CLSCAN_ADVANCE(whole, p - shift),
                                  clscan_short_take(staged + CLSCAN_SHORT_AT(p / CLSCAN_PER_CELL)));
            else if (p < end)
                clscan_short_store_edge(staged, whole, layout, p, column);
        }
        return;
    }
#endif
    place = clscan_short_first(layout, rows, pitch);
#pragma unroll 1
    for (uint e = lid; e < elements; e += CLSCAN_WORK_GROUP_SIZE) {
        clscan_write(CLSCAN_CURSOR(CLSCAN_SINK_ROW(out, place.begin), layout.count, 0), place.column,
                     *clscan_short_staged(staged, place.staged + place.column));
        place = clscan_short_next(place, layout, pitch);
    }
}
#endif
