// Short rows that share a work-group, scanned in the reproducible order by shuffles: lines of 128 elements, those of a
// row but the last one. Lines that are known to be whole take half of the instructions. Rows are one block at most
// (common/short_rows.h), so there are no nodes.
#if CLSCAN_WORK_GROUP_SIZE > 1 && CLSCAN_SHORT_STRIP > 0
// Elements of a run lie side by side in local memory where it begins at a multiple of them.
#define CLSCAN_RUN_AT(staged, aligned, place, i) \
    ((aligned) ? clscan_short_staged((staged), (place)) + (i) : clscan_short_staged((staged), (place) + (i)))

// Has a lane element i of its run? Arguments as below.
#define CLSCAN_RUN_HAS(all, whole, size, i) ((all) || ((whole) ? (size) > 0 : (i) < (size)))

/// Scan a line: the 128 elements of a row, or fewer, of which this lane has `size`, from place `at` on. All lanes of
/// the sub-group come here, some of them for other rows of as many elements. Returns the total of the line, which has
/// `runs` runs, if `gives_total`.
///
/// all      a literal: have all lanes elements, and of one row?
/// whole    a literal: are those of each lane that has some a whole run?
/// aligned  a literal: does `at` begin such a run in local memory?
/// lines    the combination of the lines before it in the block
/// prefix   what precedes the block
CLSCAN_FUNCTION clscan_sum clscan_scan_staged_line(bool all, bool whole, bool aligned, __local clscan_cell *staged,
                                                   __local clscan_sum *scratch, clscan_short_lane lane, uint at,
                                                   uint size, uint runs, bool gives_total, clscan_prefix lines,
                                                   clscan_prefix prefix)
{
    clscan_prefix before = lines;
    CLSCAN_T held[CLSCAN_RUN];
    clscan_sum sum = CLSCAN_NO_SUM, total = CLSCAN_NO_SUM, below;

#pragma unroll
    for (uint i = 0; i < CLSCAN_RUN; ++i)
        if (CLSCAN_RUN_HAS(all, whole, size, i))
            held[i] = *CLSCAN_RUN_AT(staged, aligned, at, i);
#pragma unroll
    for (uint i = 0; i < CLSCAN_RUN; ++i)
        if (CLSCAN_RUN_HAS(all, whole, size, i))
            sum = i > 0 ? clscan_join(sum, clscan_lift(held[i])) : clscan_lift(held[i]);
#pragma unroll
    for (uint distance = 1; distance < CLSCAN_ROW_RUNS; distance *= 2) {
        const clscan_sum other = clscan_shuffle_up(scratch, sum, distance);
        if (lane.run >= distance && (all || size > 0))
            sum = clscan_join(other, sum);
    }
    below = clscan_shuffle_up(scratch, sum, 1);
    if (gives_total)
        total = clscan_shuffle(scratch, sum,
                               all ? CLSCAN_ROW_RUNS - 1
                                   : min(clscan_lane() - lane.run + runs, CLSCAN_ROW_RUNS) - 1);
    if (all || size > 0) {
        if (lane.run > 0)
            before = clscan_extend(before, below);
        before = before.present ? clscan_extend(prefix, before.value) : prefix;
    }
#pragma unroll
    for (uint i = 0; i < CLSCAN_RUN; ++i)
        if (CLSCAN_RUN_HAS(all, whole, size, i))
            *CLSCAN_RUN_AT(staged, aligned, at, i) = clscan_step(&before, held[i]);
    return total;
}

// Scan the row of this lane, line by line. All lanes of the sub-group come here. Returns what follows the row.
//
// aligned  do all runs begin at multiples of their elements in local memory?
CLSCAN_FUNCTION clscan_prefix clscan_scan_staged_row(__local clscan_cell *staged, __local clscan_sum *scratch,
                                                     clscan_short_lane lane, uint count, bool aligned,
                                                     clscan_prefix initial)
{
    clscan_prefix lines = clscan_nothing();

#pragma unroll 1
    for (uint first = 0; first < count; first += CLSCAN_BLOCK_ROW) {
        const uint begin = first + lane.run * CLSCAN_RUN, at = lane.begin + begin;
        const uint runs = min((count - first + CLSCAN_RUN - 1) / CLSCAN_RUN, CLSCAN_ROW_RUNS);
        const bool full = first + CLSCAN_BLOCK_ROW <= count;
        const uint size = lane.there && begin < count ? min(count - begin, CLSCAN_RUN) : 0;
        clscan_sum total;
        const bool all = CLSCAN_SUB_GROUP_SIZE == CLSCAN_ROW_RUNS && lane.there && full;

        if (all && aligned)
            total = clscan_scan_staged_line(true, true, true, staged, scratch, lane, at, size, runs, true, lines,
                                            initial);
        else if (all)
            total = clscan_scan_staged_line(true, true, false, staged, scratch, lane, at, size, runs, true, lines,
                                            initial);
        else
            total = clscan_scan_staged_line(false, false, false, staged, scratch, lane, at, size, runs, true, lines,
                                            initial);
        if (lane.there)
            lines = clscan_extend(lines, total);
    }
    return lines.present ? clscan_extend(initial, lines.value) : initial;
}

// The same of a row that is one line.
//
// whole  a literal: are all runs whole, and aligned?
CLSCAN_FUNCTION clscan_prefix clscan_scan_staged_short_row(bool whole, __local clscan_cell *staged,
                                                           __local clscan_sum *scratch, clscan_short_lane lane,
                                                           uint count, uint flags, clscan_prefix initial)
{
    const uint begin = lane.run * CLSCAN_RUN;
    const uint size = lane.there && begin < count ? min(count - begin, CLSCAN_RUN) : 0;
    const uint runs = (count + CLSCAN_RUN - 1) / CLSCAN_RUN;
    const bool gives_total = (flags & CLSCAN_FLAG_TOTAL) != 0;
    const clscan_sum total =
        clscan_scan_staged_line(false, whole, whole, staged, scratch, lane, lane.begin + begin, size, runs,
                                gives_total, clscan_nothing(), initial);

    return gives_total ? clscan_extend(initial, total) : initial;
}

// A sub-group takes a row, or as many as have a lane for each of their runs.
//
// lines   a literal: may a row have several?
// whole   a literal, where it has one: are all runs whole, and aligned?
CLSCAN_FUNCTION void clscan_scan_staged_rows(bool lines, bool whole, __local clscan_cell *staged,
                                             __local clscan_sum *sums, clscan_short_layout layout, bool aligned,
                                             uint flags, clscan_initials initials, clscan_row_totals totals,
                                             uint rows)
{
    const uint width = min((layout.count + CLSCAN_RUN - 1) / CLSCAN_RUN, CLSCAN_ROW_RUNS);
    const uint together = CLSCAN_ROW_RUNS / width, own = clscan_lane() / width;
    clscan_short_lane lane;

    lane.run = clscan_lane() % width;
#pragma unroll 1
    for (uint first = 0; first < rows; first += CLSCAN_SUB_GROUPS * together) {
        const uint row = first + clscan_sub_group() * together + own;
        const clscan_prefix initial = clscan_initial_of(initials, CLSCAN_SHORT_ROW(min(row, rows - 1), rows));
        clscan_prefix end;

        lane.there = own < together && row < rows;
        lane.begin = layout.shift + row * layout.pitch;
        if (!lines)
            end = clscan_scan_staged_short_row(whole, staged, sums, lane, layout.count, flags, initial);
        else
            end = clscan_scan_staged_row(staged, sums, lane, layout.count, aligned, initial);
        if (lane.there && lane.run == 0)
            clscan_store_row_total(flags, totals, CLSCAN_SHORT_ROW(row, rows), end);
    }
}

// A row, of one run.
//
// most  a literal: elements that it has at most; where it is 1, it has so many
CLSCAN_FUNCTION void clscan_scan_staged_run(uint most, __local clscan_cell *staged, clscan_short_layout layout,
                                            uint flags, clscan_initials initials, clscan_row_totals totals, uint rows,
                                            uint row)
{
    const clscan_prefix initial = clscan_initial_of(initials, CLSCAN_SHORT_ROW(row, rows));
    const uint at = layout.shift + row * layout.pitch;
    clscan_prefix before = initial, sum = clscan_nothing();

#pragma unroll
    for (uint i = 0; i < most; ++i)
        if (most == 1 || i < layout.count) {
            __local CLSCAN_T *const element = clscan_short_staged(staged, at + i);

            sum = clscan_extend(sum, clscan_lift(*element));
            *element = clscan_step(&before, *element);
        }
    clscan_store_row_total(flags, totals, CLSCAN_SHORT_ROW(row, rows), clscan_extend(initial, sum.value));
}

// Rows of one element that a work-item takes at once: their loads overlap. The step is written out, for a compiler
// that knows no bound of a loop may refuse to unroll it.
#define CLSCAN_RUNS_AT_ONCE 4u

// A work-item takes a row. Those of one element leave it time for several.
CLSCAN_FUNCTION void clscan_scan_staged_runs(__local clscan_cell *staged, clscan_short_layout layout, uint flags,
                                             clscan_initials initials, clscan_row_totals totals, uint rows)
{
    const uint step = CLSCAN_RUNS_AT_ONCE * CLSCAN_WORK_GROUP_SIZE;
    uint row = (uint)get_local_id(0);

    if (layout.count == 1)
#pragma unroll 1
        for (; row + step - CLSCAN_WORK_GROUP_SIZE < rows; row += step)
#pragma unroll
            for (uint i = 0; i < CLSCAN_RUNS_AT_ONCE; ++i)
                clscan_scan_staged_run(1, staged, layout, flags, initials, totals, rows,
                                       row + i * CLSCAN_WORK_GROUP_SIZE);
#pragma unroll 1
    for (; row < rows; row += CLSCAN_WORK_GROUP_SIZE)
        clscan_scan_staged_run(CLSCAN_RUN, staged, layout, flags, initials, totals, rows, row);
}

CLSCAN_FUNCTION void clscan_scan_few_rows(__local clscan_cell *staged, __local clscan_sum *sums, clscan_source in,
                                          clscan_sink out, uint count, uint flags, clscan_initials initials,
                                          clscan_row_totals totals, uint rows, uint staged_pitch, ulong in_pitch,
                                          ulong out_pitch)
{
    const clscan_short_layout layout = clscan_short_layout_of(in, count, rows, staged_pitch);
    const bool aligned = layout.shift % CLSCAN_RUN == 0 && layout.pitch % CLSCAN_RUN == 0;

    clscan_short_load(staged, in, layout, rows, in_pitch);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (count <= CLSCAN_RUN)
        clscan_scan_staged_runs(staged, layout, flags, initials, totals, rows);
    else if (count <= CLSCAN_BLOCK_ROW && aligned && count % CLSCAN_RUN == 0)
        clscan_scan_staged_rows(false, true, staged, sums, layout, aligned, flags, initials, totals, rows);
    else if (count <= CLSCAN_BLOCK_ROW)
        clscan_scan_staged_rows(false, false, staged, sums, layout, aligned, flags, initials, totals, rows);
    else
        clscan_scan_staged_rows(true, false, staged, sums, layout, aligned, flags, initials, totals, rows);
    barrier(CLK_LOCAL_MEM_FENCE);
    if ((flags & CLSCAN_FLAG_NO_OUTPUT) == 0)
        clscan_short_store(staged, out, layout, rows, out_pitch);
}
#endif
