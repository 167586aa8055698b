// Short rows scanned: by strips of neighbouring elements, wherever rows begin.

#if CLSCAN_WORK_GROUP_SIZE == 1
#if CLSCAN_TILE_LOOKS_AHEAD && (CLSCAN_LANES || CLSCAN_SUM_LANES)
// Rows of at least one step, by whole vectors: each is a tile. They go past the cache only if they share no line.
CLSCAN_FUNCTION void clscan_pass_few_rows(clscan_source in, clscan_sink out, uint count, uint flags,
                                          clscan_initials initials, __global CLSCAN_A *totals, uint rows,
                                          ulong in_pitch, ulong out_pitch)
{
    const bool stream = CLSCAN_STREAMS(flags) && count % CLSCAN_STEP == 0 && out_pitch % CLSCAN_STEP == 0;

    for (uint row = 0; row < rows; ++row)
        clscan_store_total(flags, totals + row,
                           clscan_tile_pass(CLSCAN_CURSOR(CLSCAN_SOURCE_ROW(in, row * in_pitch), count, 0),
                                            CLSCAN_CURSOR(CLSCAN_SINK_ROW(out, row * out_pitch), count, 0), count,
                                            clscan_initial_of(initials, row), stream));
}
#endif

// One work-item: it walks row after row.
CLSCAN_FUNCTION void clscan_scan_few_rows(clscan_source in, clscan_sink out, uint count, uint flags,
                                          clscan_initials initials, __global CLSCAN_A *totals, uint rows,
                                          ulong in_pitch, ulong out_pitch)
{
#if CLSCAN_TILE_LOOKS_AHEAD && (CLSCAN_LANES || CLSCAN_SUM_LANES)
    // Asked once: compilers make vectors of several shorter rows.
    if (count >= CLSCAN_STEP && (flags & CLSCAN_FLAG_NO_OUTPUT) == 0) {
        clscan_pass_few_rows(in, out, count, flags, initials, totals, rows, in_pitch, out_pitch);
        return;
    }
#endif
    for (uint row = 0; row < rows; ++row) {
        clscan_source from = CLSCAN_CURSOR(CLSCAN_SOURCE_ROW(in, row * in_pitch), count, 0);
        clscan_sink to = CLSCAN_CURSOR(CLSCAN_SINK_ROW(out, row * out_pitch), count, 0);
        clscan_prefix prefix = clscan_initial_of(initials, row);

        if (flags & CLSCAN_FLAG_NO_OUTPUT) {
            for (uint k = 0; k < count; ++k)
                prefix = clscan_extend(prefix, clscan_lift(clscan_read(from, k)));
        } else {
            clscan_write(to, 0, clscan_step(&prefix, clscan_read(from, 0)));
            prefix.present = true; // from here on the compiler knows
            for (uint k = 1; k < count; ++k)
                clscan_write(to, k, clscan_step(&prefix, clscan_read(from, k)));
        }
        clscan_store_total(flags, totals + row, prefix);
    }
}
#elif CLSCAN_SHORT_STRIP > 0
// Are strips made of whole vectors?
#define CLSCAN_SHORT_BY_VECTORS (CLSCAN_SHORT_STRIP % CLSCAN_VECTOR_LENGTH == 0)
// Shuffles that pass no barrier.
#if defined(CLSCAN_SUB_GROUP_SIZE) && CLSCAN_EXCHANGE == 0
#define CLSCAN_SHORT_SHUFFLES 1
#else
#define CLSCAN_SHORT_SHUFFLES 0
#endif

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
    if ((flags & CLSCAN_FLAG_NO_OUTPUT) == 0)
        clscan_short_store(staged, out, count, rows, out_pitch);
}
#endif
