// Short rows scanned: by strips of neighbouring elements, wherever rows begin.

#if CLSCAN_WORK_GROUP_SIZE == 1
#if CLSCAN_TILE_LOOKS_AHEAD && (CLSCAN_LANES || CLSCAN_SUM_LANES)
// Rows of at least one step, by whole vectors: each is a tile. They go past the cache only if they share no line.
CLSCAN_FUNCTION void clscan_pass_few_rows(clscan_source in, clscan_sink out, uint count, uint flags,
                                          clscan_initials initials, clscan_row_totals totals, uint rows,
                                          ulong in_pitch, ulong out_pitch)
{
    const bool stream = CLSCAN_STREAMS(flags) && count % CLSCAN_STEP == 0 && out_pitch % CLSCAN_STEP == 0;

    for (uint row = 0; row < rows; ++row)
        clscan_store_row_total(flags, totals, row,
                           clscan_tile_pass(CLSCAN_CURSOR(CLSCAN_SOURCE_ROW(in, row * in_pitch), count, 0),
                                            CLSCAN_CURSOR(CLSCAN_SINK_ROW(out, row * out_pitch), count, 0), count,
                                            clscan_initial_of(initials, row), stream));
}
#endif

// One work-item: it walks row after row.
CLSCAN_FUNCTION void clscan_scan_few_rows(clscan_source in, clscan_sink out, uint count, uint flags,
                                          clscan_initials initials, clscan_row_totals totals, uint rows,
                                          uint staged_pitch, ulong in_pitch, ulong out_pitch)
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
        clscan_store_row_total(flags, totals, 0, prefix);
        totals.at += totals.pitch;
    }
}
#elif CLSCAN_SHORT_STRIP > 0
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

// Bits of the places from column `column` of a row on that stand in the first `size` columns of one.
CLSCAN_FUNCTION uint clscan_short_ones(uint size)
{
    return size < 32 ? (1u << size) - 1 : 0xffffffffu;
}

CLSCAN_FUNCTION uint clscan_short_columns(uint pitch, uint size, uint column)
{
    ulong rows = clscan_short_ones(size);

    if (pitch >= 32)
        return clscan_short_ones(size > column ? size - column : 0) |
               (pitch - column < 32 ? (uint)rows << (pitch - column) : 0);
    for (uint width = pitch; width < 64; width *= 2)
        rows |= rows << width;
    return (uint)(rows >> column);
}

// A work-item's strip, of which a bit each says where rows begin, where they end, and which places hold an element.
typedef struct clscan_short_strip {
    uint begins, ends, there;
} clscan_short_strip;

CLSCAN_FUNCTION clscan_short_strip clscan_short_strip_of(clscan_short_layout layout, uint skipped, uint size,
                                                         uint column)
{
    const uint shorter = layout.pitch - layout.count + 1, all = clscan_short_ones(size);
    clscan_short_strip strip;

    strip.begins = clscan_short_columns(layout.pitch, 1, column) << skipped & all;
    strip.there = clscan_short_columns(layout.pitch, layout.count, column) << skipped & all;
    column = column + shorter < layout.pitch ? column + shorter : column + shorter - layout.pitch;
    strip.ends = clscan_short_columns(layout.pitch, 1, column) << skipped & all;
    return strip;
}

// Places that are looked at side by side, and whether what stands in gaps may be combined, too: nobody looks at the
// results, and it cannot do harm.
#if CLSCAN_PLAIN && CLSCAN_OPERATOR != CLSCAN_OPERATOR_CUSTOM
#define CLSCAN_SHORT_TOGETHER CLSCAN_SHORT_STRIP
#define CLSCAN_SHORT_TAKES_GAPS 1
#else
#define CLSCAN_SHORT_TOGETHER CLSCAN_SHORT_STEP
#define CLSCAN_SHORT_TAKES_GAPS 0
#endif
#define CLSCAN_HAS_BIT(bits, i) (((bits) >> (i)&1u) != 0)
#define CLSCAN_SHORT_TAKES(strip, i) (CLSCAN_SHORT_TAKES_GAPS || CLSCAN_HAS_BIT((strip).there, i))

// The combination of what follows the last begin of a row, or of all.
CLSCAN_FUNCTION clscan_prefix clscan_short_total(__local const CLSCAN_T *at, clscan_short_strip strip)
{
    clscan_prefix sum = clscan_nothing();

#pragma unroll 1
    for (uint first = 0; first < CLSCAN_SHORT_STRIP; first += CLSCAN_SHORT_TOGETHER) {
#pragma unroll
        for (uint j = 0; j < CLSCAN_SHORT_TOGETHER; ++j) {
            const uint i = first + j;

            if (CLSCAN_HAS_BIT(strip.begins, i))
                sum.present = false;
            if (CLSCAN_SHORT_TAKES(strip, i))
                sum = clscan_extend(sum, clscan_lift(at[i]));
        }
    }
    return sum;
}

// Outputs, if there are no totals, and all rows have one initial value, or none; `present` says which. In front of what
// is no begin there is something always.
CLSCAN_FUNCTION void clscan_short_steps(bool present, __local CLSCAN_T *at, clscan_short_strip strip,
                                        clscan_sum initial, clscan_prefix prefix)
{
#pragma unroll 1
    for (uint first = 0; first < CLSCAN_SHORT_STRIP; first += CLSCAN_SHORT_TOGETHER) {
#pragma unroll
        for (uint j = 0; j < CLSCAN_SHORT_TOGETHER; ++j) {
            const uint i = first + j;

            if (present && CLSCAN_HAS_BIT(strip.begins, i))
                prefix.value = initial;
            prefix.present = present || !CLSCAN_HAS_BIT(strip.begins, i);
            if (CLSCAN_SHORT_TAKES(strip, i))
                at[i] = clscan_step(&prefix, at[i]);
        }
    }
}

// Any others; `row` is the last one that begins in front of the strip.
CLSCAN_FUNCTION void clscan_short_row_steps(__local CLSCAN_T *at, clscan_short_strip strip, uint flags,
                                            clscan_initials initials, clscan_row_totals totals, uint rows, uint row,
                                            clscan_prefix prefix)
{
#pragma unroll 1
    for (uint i = 0; i < CLSCAN_SHORT_STRIP; ++i) {
        if (CLSCAN_HAS_BIT(strip.begins, i)) {
            ++row;
            prefix = clscan_initial_of(initials, CLSCAN_SHORT_ROW(row, rows));
        }
        if (CLSCAN_HAS_BIT(strip.there, i))
            at[i] = clscan_step(&prefix, at[i]);
        if (CLSCAN_HAS_BIT(strip.ends, i))
            clscan_store_row_total(flags, totals, CLSCAN_SHORT_ROW(row, rows), prefix);
    }
}

CLSCAN_FUNCTION void clscan_scan_few_rows(__local clscan_cell *staged, __local clscan_sum *sums, clscan_source in,
                                          clscan_sink out, uint count, uint flags, clscan_initials initials,
                                          clscan_row_totals totals, uint rows, uint staged_pitch, ulong in_pitch,
                                          ulong out_pitch)
{
    const uint lid = (uint)get_local_id(0), begin = lid * CLSCAN_SHORT_STRIP;
    const clscan_short_layout layout = clscan_short_layout_of(in, count, rows, staged_pitch);
    const uint end = layout.shift + layout.span;
    const uint size = begin < end ? min(end - begin, (uint)CLSCAN_SHORT_STRIP) : 0;
    const uint skipped = begin < layout.shift ? layout.shift - begin : 0;
    const uint first = size > 0 ? begin + skipped - layout.shift : 0;
    const uint row = first / layout.pitch, column = first % layout.pitch;
    const clscan_short_strip strip = clscan_short_strip_of(layout, skipped, size, column);
    const uint start = size == 0 ? lid : (layout.shift + row * layout.pitch) / CLSCAN_SHORT_STRIP;
    // Strips before this one that the sum up to its last element takes in: none if a row begins in it.
    const uint reach = size == 0 || strip.begins != 0 || column >= count ? 0 : lid - start;
    const uint most_reach = min((count - 1 + CLSCAN_SHORT_STRIP - 1) / CLSCAN_SHORT_STRIP,
                                (uint)CLSCAN_WORK_GROUP_SIZE - 1);
    // Do rows consist of strips?
    const bool whole = CLSCAN_SHORT_BY_VECTORS && layout.pitch == count && layout.shift == 0 &&
                       count % CLSCAN_SHORT_STRIP == 0;
    // Read twice: the registers that would keep it are worth more as another work-group.
    __local clscan_cell *vectors = staged + CLSCAN_SHORT_AT(lid * CLSCAN_SHORT_CELLS);
    __local CLSCAN_T *at = (__local CLSCAN_T *)vectors;
    clscan_prefix sum = clscan_nothing(), prefix;
    clscan_sum before;

    clscan_short_load(staged, in, layout, rows, in_pitch);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (whole) {
#pragma unroll
        for (uint i = 0; i < CLSCAN_SHORT_VECTORS; ++i)
            if (size > 0)
                sum = clscan_extend(sum, clscan_vector_total(true, clscan_short_take(vectors + i * CLSCAN_CELLS),
                                                             CLSCAN_VECTOR_LENGTH));
    } else if (size > 0) {
        sum = clscan_short_total(at, strip);
    }
    before = clscan_short_before(sums, sum.value, start, reach, most_reach);
    prefix = clscan_initial_of(initials, CLSCAN_SHORT_ROW(row, rows));
    if (column > 0 && column < count && size > 0)
        prefix = clscan_extend(prefix, before);
    if (size == 0) {
        // Nothing to do.
    } else if (whole) {
#pragma unroll
        for (uint i = 0; i < CLSCAN_SHORT_VECTORS; ++i) {
            const clscan_held v = clscan_short_take(vectors + i * CLSCAN_CELLS);
            clscan_short_put(vectors + i * CLSCAN_CELLS,
                             clscan_vector_step(true, v, CLSCAN_VECTOR_LENGTH, prefix, 0));
            prefix = clscan_extend(prefix, clscan_vector_total(true, v, CLSCAN_VECTOR_LENGTH));
        }
        if (column + size == count)
            clscan_store_row_total(flags, totals, CLSCAN_SHORT_ROW(row, rows), prefix);
    } else if ((flags & CLSCAN_FLAG_TOTAL) == 0 && initials.pitch == 0) {
        if (initials.first.present)
            clscan_short_steps(true, at, strip, initials.first.value, prefix);
        else
            clscan_short_steps(false, at, strip, initials.first.value, prefix);
    } else {
        clscan_short_row_steps(at, strip, flags, initials, totals, rows, column == 0 ? row - 1 : row, prefix);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if ((flags & CLSCAN_FLAG_NO_OUTPUT) == 0)
        clscan_short_store(staged, out, layout, rows, out_pitch);
}
#endif
