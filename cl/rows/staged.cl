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
// scan begins with the last row, so that rows without gaps are one array in either direction.
#define CLSCAN_SHORT_TILE (CLSCAN_WORK_GROUP_SIZE * CLSCAN_SHORT_STRIP)
// Cells (elements/cells.cl) with padding, so that the strips of neighbouring work-items begin in different banks. None
// lies in a strip.
#define CLSCAN_SHORT_CELLS ((uint)CLSCAN_SHORT_STRIP / CLSCAN_PER_CELL)
#define CLSCAN_SHORT_BANKS (sizeof(clscan_cell) < 8 ? 32u : 16u)
#define CLSCAN_SHORT_LINE (CLSCAN_SHORT_BANKS > CLSCAN_SHORT_CELLS ? CLSCAN_SHORT_BANKS : CLSCAN_SHORT_CELLS)
#define CLSCAN_SHORT_AT(cell) ((cell) + (cell) / CLSCAN_SHORT_LINE)
#define CLSCAN_SHORT_VECTORS ((CLSCAN_SHORT_STRIP + CLSCAN_VECTOR_LENGTH - 1) / CLSCAN_VECTOR_LENGTH)

// In memory, of the row that is number `row` in the order of the scan.
#if CLSCAN_REVERSE
#define CLSCAN_SHORT_ROW(row, rows) ((rows)-1 - (row))
#define CLSCAN_SHORT_ROWS_ON(rows, pitch) (0ul - (rows) * (pitch))
#else
#define CLSCAN_SHORT_ROW(row, rows) (row)
#define CLSCAN_SHORT_ROWS_ON(rows, pitch) ((rows) * (pitch))
#endif

// Where an element of the rows is, for a work-item that goes from one to the next but CLSCAN_WORK_GROUP_SIZE - 1.
typedef struct clscan_short_place {
    ulong begin; // of its row
    uint column;
} clscan_short_place;

CLSCAN_FUNCTION clscan_short_place clscan_short_first(uint count, uint rows, ulong pitch)
{
    const uint lid = (uint)get_local_id(0);
    clscan_short_place place;
    place.begin = CLSCAN_SHORT_ROW(lid / count, rows) * pitch;
    place.column = lid % count;
    return place;
}

CLSCAN_FUNCTION clscan_short_place clscan_short_next(clscan_short_place place, uint count, ulong pitch)
{
    place.begin += CLSCAN_SHORT_ROWS_ON(CLSCAN_WORK_GROUP_SIZE / count, pitch);
    place.column += CLSCAN_WORK_GROUP_SIZE % count;
    if (place.column >= count) {
        place.column -= count;
        place.begin += CLSCAN_SHORT_ROWS_ON(1, pitch);
    }
    return place;
}

// In local memory, of element e of the rows.
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
CLSCAN_FUNCTION void clscan_short_load(__local clscan_cell *staged, clscan_source in, uint count, uint rows,
                                       ulong pitch)
{
    const uint lid = (uint)get_local_id(0), elements = rows * count;
    CLSCAN_T held[CLSCAN_SHORT_STEP];
    clscan_short_place place;

#if CLSCAN_PLAIN && CLSCAN_VECTOR_LENGTH > 1
    clscan_source whole = CLSCAN_CURSOR(in, elements, 0);
    if (pitch == count && clscan_source_aligned(whole)) {
        const uint last = elements / CLSCAN_VECTOR_LENGTH * CLSCAN_VECTOR_LENGTH;
        clscan_held vectors[CLSCAN_SHORT_VECTORS];
#pragma unroll
        for (uint i = 0; i < CLSCAN_SHORT_VECTORS; ++i) {
            const uint e = (i * CLSCAN_WORK_GROUP_SIZE + lid) * CLSCAN_VECTOR_LENGTH;
            if (e < last)
                vectors[i] = clscan_load_held(CLSCAN_ADVANCE(whole, e), true);
        }
#pragma unroll
        for (uint i = 0; i < CLSCAN_SHORT_VECTORS; ++i) {
            const uint e = (i * CLSCAN_WORK_GROUP_SIZE + lid) * CLSCAN_VECTOR_LENGTH;
            if (e < last)
                clscan_short_put(staged + CLSCAN_SHORT_AT(e / CLSCAN_PER_CELL), vectors[i]);
        }
        for (uint e = last + lid; e < elements; e += CLSCAN_WORK_GROUP_SIZE)
            *clscan_short_staged(staged, e) = clscan_read(whole, e);
        return;
    }
#endif
    place = clscan_short_first(count, rows, pitch);
#pragma unroll 1
    for (uint first = lid; first < elements; first += CLSCAN_SHORT_STEP * CLSCAN_WORK_GROUP_SIZE) {
#pragma unroll
        for (uint i = 0; i < CLSCAN_SHORT_STEP; ++i) {
            if (first + i * CLSCAN_WORK_GROUP_SIZE < elements)
                held[i] = clscan_read(CLSCAN_CURSOR(CLSCAN_SOURCE_ROW(in, place.begin), count, 0), place.column);
            place = clscan_short_next(place, count, pitch);
        }
#pragma unroll
        for (uint i = 0; i < CLSCAN_SHORT_STEP; ++i)
            if (first + i * CLSCAN_WORK_GROUP_SIZE < elements)
                *clscan_short_staged(staged, first + i * CLSCAN_WORK_GROUP_SIZE) = held[i];
    }
}

// And back.
CLSCAN_FUNCTION void clscan_short_store(__local clscan_cell *staged, clscan_sink out, uint count, uint rows,
                                        ulong pitch)
{
    const uint lid = (uint)get_local_id(0), elements = rows * count;
    clscan_short_place place;

#if CLSCAN_PLAIN && CLSCAN_VECTOR_LENGTH > 1
    clscan_sink whole = CLSCAN_CURSOR(out, elements, 0);
    if (pitch == count && clscan_sink_aligned(whole)) {
        const uint last = elements / CLSCAN_VECTOR_LENGTH * CLSCAN_VECTOR_LENGTH;
#pragma unroll
        for (uint i = 0; i < CLSCAN_SHORT_VECTORS; ++i) {
            const uint e = (i * CLSCAN_WORK_GROUP_SIZE + lid) * CLSCAN_VECTOR_LENGTH;
            if (e < last)
                clscan_store_held(CLSCAN_ADVANCE(whole, e),
                                  clscan_short_take(staged + CLSCAN_SHORT_AT(e / CLSCAN_PER_CELL)));
        }
        for (uint e = last + lid; e < elements; e += CLSCAN_WORK_GROUP_SIZE)
            clscan_write(whole, e, *clscan_short_staged(staged, e));
        return;
    }
#endif
    place = clscan_short_first(count, rows, pitch);
#pragma unroll 1
    for (uint e = lid; e < elements; e += CLSCAN_WORK_GROUP_SIZE) {
        clscan_write(CLSCAN_CURSOR(CLSCAN_SINK_ROW(out, place.begin), count, 0), place.column,
                     *clscan_short_staged(staged, e));
        place = clscan_short_next(place, count, pitch);
    }
}
#endif
