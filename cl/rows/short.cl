// Short rows: a work-group takes several neighbouring rows at once. One launch, no communication.
//
// Required of the host: CLSCAN_SHORT_STRIP, the neighbouring elements that one work-item scans; 0 if local memory is
// too small for this kernel, which is then not used.
#if !defined(CLSCAN_SHORT_STRIP)
#error "CLSCAN_SHORT_STRIP must be defined"
#endif

#if CLSCAN_WORK_GROUP_SIZE == 1
// One work-item: it walks row after row.
CLSCAN_FUNCTION void clscan_scan_few_rows(clscan_source in, clscan_sink out, uint count, uint flags,
                                          clscan_initials initials, __global CLSCAN_A *totals, uint rows,
                                          ulong in_pitch, ulong out_pitch)
{
    for (uint row = 0; row < rows; ++row) {
        clscan_source from = CLSCAN_CURSOR(CLSCAN_SOURCE_ROW(in, row * in_pitch), count, 0);
        clscan_sink to = CLSCAN_CURSOR(CLSCAN_SINK_ROW(out, row * out_pitch), count, 0);
        clscan_prefix prefix = clscan_initial_of(initials, row);

        clscan_write(to, 0, clscan_step(&prefix, clscan_read(from, 0)));
        prefix.present = true; // from here on the compiler knows
        for (uint k = 1; k < count; ++k)
            clscan_write(to, k, clscan_step(&prefix, clscan_read(from, k)));
        clscan_store_total(flags, totals + row, prefix);
    }
}
#elif CLSCAN_SHORT_STRIP > 0
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
// Are strips made of whole vectors?
#define CLSCAN_SHORT_BY_VECTORS (CLSCAN_SHORT_STRIP % CLSCAN_VECTOR_LENGTH == 0)
// Shuffles that pass no barrier.
#if defined(CLSCAN_SUB_GROUP_SIZE) && CLSCAN_EXCHANGE == 0
#define CLSCAN_SHORT_SHUFFLES 1
#else
#define CLSCAN_SHORT_SHUFFLES 0
#endif

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

// What precedes this work-item's strip in the row of its first element, of which strip `start` has the first; not
// looked at where a row begins with the strip. `sum` is that of the strip, or of what follows the last begin of a row
// in it, and takes in the `reach` strips before it.
CLSCAN_FUNCTION clscan_sum clscan_short_before(__local clscan_sum *sums, clscan_sum sum, uint start, uint reach,
                                               uint most_reach)
{
    const uint lid = (uint)get_local_id(0);
#if CLSCAN_SHORT_SHUFFLES
    const uint near = min(reach, clscan_lane());
    clscan_prefix before = clscan_nothing();
    clscan_sum neighbour;

#pragma unroll
    for (uint distance = 1; distance < CLSCAN_SUB_GROUP_SIZE; distance *= 2) {
        const clscan_sum other = clscan_shuffle_up(sums, sum, distance);
        if (distance <= near)
            sum = clscan_join(other, sum);
    }
    neighbour = clscan_shuffle_up(sums, sum, 1);
    if (clscan_lane() == CLSCAN_SUB_GROUP_SIZE - 1)
        sums[clscan_sub_group()] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (start >= lid)
        return sum;
    for (uint i = start / CLSCAN_SUB_GROUP_SIZE; i < clscan_sub_group(); ++i)
        before = clscan_extend(before, sums[i]);
    return clscan_lane() > 0 ? clscan_extend(before, neighbour).value : before.value;
#else
    sums[lid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint distance = 1; distance <= most_reach; distance *= 2) {
        if (distance <= reach)
            sum = clscan_join(sums[lid - distance], sum);
        barrier(CLK_LOCAL_MEM_FENCE);
        sums[lid] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return start < lid ? sums[lid - 1] : sum;
#endif
}

CLSCAN_FUNCTION void clscan_scan_few_rows(__local clscan_cell *staged, __local clscan_sum *sums, clscan_source in,
                                          clscan_sink out, uint count, uint flags, clscan_initials initials,
                                          __global CLSCAN_A *totals, uint rows, ulong in_pitch, ulong out_pitch)
{
    const uint lid = (uint)get_local_id(0);
    const uint elements = rows * count;
    const uint begin = min(lid * CLSCAN_SHORT_STRIP, elements);
    const uint size = min(elements - begin, (uint)CLSCAN_SHORT_STRIP);
    const uint begin_row = begin / count, begin_column = begin % count;
    const uint start = size == 0 ? lid : (begin - begin_column) / CLSCAN_SHORT_STRIP;
    // Strips before this one that the sum up to its last element takes in: none if a row begins in it.
    const uint reach = size == 0 || begin_column == 0 || begin_column + size > count ? 0 : lid - start;
    const uint most_reach = min((count - 1 + CLSCAN_SHORT_STRIP - 1) / CLSCAN_SHORT_STRIP,
                                (uint)CLSCAN_WORK_GROUP_SIZE - 1);
    // Full, and in one row.
    const bool whole = CLSCAN_SHORT_BY_VECTORS && size == CLSCAN_SHORT_STRIP && begin_column + size <= count;
    // Read twice: the registers that would keep it are worth more as another work-group.
    __local clscan_cell *vectors = staged + CLSCAN_SHORT_AT(lid * CLSCAN_SHORT_CELLS);
    __local CLSCAN_T *strip = (__local CLSCAN_T *)vectors;
    clscan_prefix sum = clscan_nothing(), prefix;
    clscan_sum before;
    uint row = begin_row, column = begin_column;

    clscan_short_load(staged, in, count, rows, in_pitch);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (whole) {
#pragma unroll
        for (uint i = 0; i < CLSCAN_SHORT_VECTORS; ++i)
            sum = clscan_extend(sum, clscan_vector_total(true, clscan_short_take(vectors + i * CLSCAN_CELLS),
                                                         CLSCAN_VECTOR_LENGTH));
    } else {
#pragma unroll 1
        for (uint first = 0; first < size; first += CLSCAN_SHORT_STEP) {
#pragma unroll
            for (uint i = 0; i < CLSCAN_SHORT_STEP; ++i) {
                if (first + i >= size)
                    continue;
                if (column == 0)
                    sum.present = false;
                sum = clscan_extend(sum, clscan_lift(strip[first + i]));
                column = column + 1 == count ? 0 : column + 1;
            }
        }
    }
    before = clscan_short_before(sums, sum.value, start, reach, most_reach);
    prefix = clscan_initial_of(initials, CLSCAN_SHORT_ROW(min(begin_row, rows - 1), rows));
    if (begin_column > 0 && size > 0)
        prefix = clscan_extend(prefix, before);
    column = begin_column;
    if (whole) {
#pragma unroll
        for (uint i = 0; i < CLSCAN_SHORT_VECTORS; ++i) {
            const clscan_held v = clscan_short_take(vectors + i * CLSCAN_CELLS);
            clscan_short_put(vectors + i * CLSCAN_CELLS,
                             clscan_vector_step(true, v, CLSCAN_VECTOR_LENGTH, prefix, 0));
            prefix = clscan_extend(prefix, clscan_vector_total(true, v, CLSCAN_VECTOR_LENGTH));
        }
        if (begin_column + size == count)
            clscan_store_total(flags, totals + CLSCAN_SHORT_ROW(row, rows), prefix);
    } else {
#pragma unroll 1
        for (uint first = 0; first < size; first += CLSCAN_SHORT_STEP) {
#pragma unroll
            for (uint i = 0; i < CLSCAN_SHORT_STEP; ++i) {
                if (first + i >= size)
                    continue;
                if (column == 0)
                    prefix = clscan_initial_of(initials, CLSCAN_SHORT_ROW(row, rows));
                strip[first + i] = clscan_step(&prefix, strip[first + i]);
                if (++column == count) {
                    clscan_store_total(flags, totals + CLSCAN_SHORT_ROW(row, rows), prefix);
                    column = 0;
                    ++row;
                }
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    clscan_short_store(staged, out, count, rows, out_pitch);
}
#endif

/// Rows may have no elements. Those of a work-group, rows.per_group, have at most CLSCAN_SHORT_TILE.
__kernel __attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
void clscan_scan_short_rows(CLSCAN_RUN_PARAMETERS CLSCAN_ROWS_PARAMETERS CLSCAN_MAP_PARAMETERS)
{
    ulong count = run.count;

    count = CLSCAN_TAKE_AND_REPORT_COUNT(count);
    const ulong row_count = CLSCAN_TAKE_AND_REPORT_ROWS(rows.count), first = get_group_id(0) * rows.per_group;
#if CLSCAN_ROW_COUNT_BYTES > 0
    if (first >= row_count)
        return;
#endif
    const uint here = (uint)min(row_count - first, rows.per_group);
    const clscan_initials initials =
        clscan_initials_from(clscan_initials_take(&run, initial_at, rows.initial_pitch), first);
    __global CLSCAN_A *totals = total_at + run.total_offset + first;
#if CLSCAN_WORK_GROUP_SIZE > 1 && CLSCAN_SHORT_STRIP > 0
    __local clscan_cell staged[CLSCAN_SHORT_AT(CLSCAN_SHORT_TILE / CLSCAN_PER_CELL)];
    __local clscan_sum sums[CLSCAN_WORK_GROUP_SIZE];
#endif

    if (count == 0) {
        for (uint row = (uint)get_local_id(0); row < here; row += CLSCAN_WORK_GROUP_SIZE)
            clscan_store_total(run.flags, totals + row, clscan_initial_of(initials, row));
        return;
    }
#if CLSCAN_WORK_GROUP_SIZE == 1
    clscan_scan_few_rows(CLSCAN_SOURCE(in, run.in_offset + first * rows.in_pitch),
                         CLSCAN_SINK(out, run.out_offset + first * rows.out_pitch), (uint)count, run.flags, initials,
                         totals, here, rows.in_pitch, rows.out_pitch);
#elif CLSCAN_SHORT_STRIP > 0
    clscan_scan_few_rows(staged, sums, CLSCAN_SOURCE(in, run.in_offset + first * rows.in_pitch),
                         CLSCAN_SINK(out, run.out_offset + first * rows.out_pitch), (uint)count, run.flags, initials,
                         totals, here, rows.in_pitch, rows.out_pitch);
#endif
}
