// Short rows scanned in the reproducible order (reproducible/nodes.cl): positions count from the begin of each row.

// What a row has learned by one of its blocks: a node for each 1 digit of that block's index, in registers. A row that
// shares a work-group has so few blocks that CLSCAN_SHORT_DIGITS digits number them.
#if CLSCAN_WORK_GROUP_SIZE == 1 || CLSCAN_SHORT_TILE < 8 * CLSCAN_BLOCK
#define CLSCAN_SHORT_DIGITS 3
#elif CLSCAN_SHORT_TILE < 32 * CLSCAN_BLOCK
#define CLSCAN_SHORT_DIGITS 5
#else
#error "rows that share a work-group have too many elements"
#endif

typedef struct clscan_short_nodes {
    clscan_sum of_digit[CLSCAN_SHORT_DIGITS];
} clscan_short_nodes;

// From block `index` to the next one; `total` is what the block combines to.
CLSCAN_FUNCTION void clscan_short_push(clscan_short_nodes *nodes, uint index, clscan_sum total)
{
    bool carries = true;

#pragma unroll
    for (uint digit = 0; digit < CLSCAN_SHORT_DIGITS; ++digit) {
        if (carries && (index >> digit & 1))
            total = clscan_join(nodes->of_digit[digit], total);
        else if (carries) {
            nodes->of_digit[digit] = total;
            carries = false;
        }
    }
}

// What precedes block `index`, behind `initial`.
CLSCAN_FUNCTION clscan_prefix clscan_short_prefix(const clscan_short_nodes *nodes, uint index, clscan_prefix initial)
{
#pragma unroll
    for (uint i = 0; i < CLSCAN_SHORT_DIGITS; ++i) {
        const uint digit = CLSCAN_SHORT_DIGITS - 1 - i;
        if (index >> digit & 1)
            initial = clscan_extend(initial, nodes->of_digit[digit]);
    }
    return initial;
}

#if CLSCAN_WORK_GROUP_SIZE == 1
// Scan a row, block by block. Returns what follows it.
CLSCAN_FUNCTION clscan_prefix clscan_scan_short_row(clscan_source in, clscan_sink out, uint count,
                                                    clscan_prefix initial)
{
    clscan_short_nodes nodes;
    clscan_prefix prefix = initial;
    uint block = 0;

    for (; (block + 1) * CLSCAN_BLOCK <= count; ++block) {
        clscan_source block_in = CLSCAN_CURSOR(in, count, block * CLSCAN_BLOCK);
        clscan_sink block_out = CLSCAN_CURSOR(out, count, block * CLSCAN_BLOCK);
#if CLSCAN_ROW_LANES
        clscan_short_push(&nodes, block, clscan_lanes_block_scan(block_in, block_out, prefix, false));
#else
        clscan_short_push(&nodes, block, clscan_block_scan(true, block_in, block_out, CLSCAN_BLOCK, prefix));
#endif
        prefix = clscan_short_prefix(&nodes, block + 1, initial);
    }
    if (count % CLSCAN_BLOCK > 0)
        prefix = clscan_extend(prefix, clscan_block_scan(false, CLSCAN_CURSOR(in, count, block * CLSCAN_BLOCK),
                                                         CLSCAN_CURSOR(out, count, block * CLSCAN_BLOCK),
                                                         count % CLSCAN_BLOCK, prefix));
    return prefix;
}

CLSCAN_FUNCTION void clscan_scan_few_rows(clscan_source in, clscan_sink out, uint count, uint flags,
                                          clscan_initials initials, clscan_row_totals totals, uint rows,
                                          uint staged_pitch, ulong in_pitch, ulong out_pitch)
{
    for (uint row = 0; row < rows; ++row)
        clscan_store_row_total(flags, totals, row,
                           clscan_scan_short_row(CLSCAN_SOURCE_ROW(in, row * in_pitch),
                                                 CLSCAN_SINK_ROW(out, row * out_pitch), count,
                                                 clscan_initial_of(initials, row)));
}
#elif CLSCAN_SHORT_STRIP > 0
// What a lane takes: one run of each 128 elements of a row.
typedef struct clscan_short_lane {
    bool there;
    uint begin; // of the row, in local memory
    uint run;
} clscan_short_lane;

#if CLSCAN_EXCHANGE > 0
// Where exchanges pass barriers there is one kind of lines, and one loop over rows. By shuffles:
// reproducible/short_lines.cl. Rows are one block at most in either file (common/short_rows.h), so nobody asks the
// nodes here; but where PoCL 3.1 optimizes, it makes wrong code without them, or of functions in place of these loops.

// Scan the row of this lane, 128 elements at a time. All lanes of the sub-group come here, some of them for other rows
// of as many elements. Returns what follows the row.
CLSCAN_FUNCTION clscan_prefix clscan_scan_staged_row(__local clscan_cell *staged, __local clscan_sum *scratch,
                                                     clscan_short_lane lane, uint count, clscan_prefix initial)
{
    clscan_short_nodes nodes;
    clscan_prefix prefix = initial, lines = clscan_nothing();
    uint block = 0;

#pragma unroll 1
    for (uint first = 0; first < count; first += CLSCAN_BLOCK_ROW) {
        const uint begin = first + lane.run * CLSCAN_RUN;
        const uint size = lane.there && begin < count ? min(count - begin, CLSCAN_RUN) : 0;
        const uint runs = min((count - first + CLSCAN_RUN - 1) / CLSCAN_RUN, CLSCAN_ROW_RUNS);
        CLSCAN_T held[CLSCAN_RUN];
        clscan_sum sum = CLSCAN_NO_SUM, below, total;
        clscan_prefix before = lines;

#pragma unroll
        for (uint i = 0; i < CLSCAN_RUN; ++i)
            if (i < size)
                held[i] = *clscan_short_staged(staged, lane.begin + begin + i);
#pragma unroll
        for (uint i = 0; i < CLSCAN_RUN; ++i)
            if (i < size)
                sum = i > 0 ? clscan_join(sum, clscan_lift(held[i])) : clscan_lift(held[i]);
#pragma unroll
        for (uint distance = 1; distance < CLSCAN_ROW_RUNS; distance *= 2) {
            const clscan_sum other = clscan_shuffle_up(scratch, sum, distance);
            if (lane.run >= distance && size > 0)
                sum = clscan_join(other, sum);
        }
        below = clscan_shuffle_up(scratch, sum, 1);
        total = clscan_shuffle(scratch, sum, min(clscan_lane() - lane.run + runs, CLSCAN_ROW_RUNS) - 1);
        if (size > 0) {
            if (lane.run > 0)
                before = clscan_extend(before, below);
            before = before.present ? clscan_extend(prefix, before.value) : prefix;
        }
#pragma unroll
        for (uint i = 0; i < CLSCAN_RUN; ++i)
            if (i < size)
                *clscan_short_staged(staged, lane.begin + begin + i) = clscan_step(&before, held[i]);
        if (lane.there)
            lines = clscan_extend(lines, total);
        if (lane.there && first + CLSCAN_BLOCK_ROW <= count && (first + CLSCAN_BLOCK_ROW) % CLSCAN_BLOCK == 0) {
            clscan_short_push(&nodes, block++, lines.value);
            prefix = clscan_short_prefix(&nodes, block, initial);
            lines = clscan_nothing();
        }
    }
    return lines.present ? clscan_extend(prefix, lines.value) : prefix;
}

// A sub-group takes a row, or as many as have a lane for each of their runs.
CLSCAN_FUNCTION void clscan_scan_few_rows(__local clscan_cell *staged, __local clscan_sum *sums, clscan_source in,
                                          clscan_sink out, uint count, uint flags, clscan_initials initials,
                                          clscan_row_totals totals, uint rows, uint staged_pitch, ulong in_pitch,
                                          ulong out_pitch)
{
    const clscan_short_layout layout = clscan_short_layout_of(in, count, rows, staged_pitch);
    const uint width = min((count + CLSCAN_RUN - 1) / CLSCAN_RUN, CLSCAN_ROW_RUNS);
    const uint together = CLSCAN_ROW_RUNS / width, own = clscan_lane() / width;
    clscan_short_lane lane;

    lane.run = clscan_lane() % width;
    clscan_short_load(staged, in, layout, rows, in_pitch);
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 1
    for (uint first = 0; first < rows; first += CLSCAN_SUB_GROUPS * together) {
        const uint row = first + clscan_sub_group() * together + own;
        clscan_prefix end;

        lane.there = own < together && row < rows;
        lane.begin = layout.shift + row * layout.pitch;
        end = clscan_scan_staged_row(staged, sums, lane, count,
                                     clscan_initial_of(initials, CLSCAN_SHORT_ROW(min(row, rows - 1), rows)));
        if (lane.there && lane.run == 0)
            clscan_store_row_total(flags, totals, CLSCAN_SHORT_ROW(row, rows), end);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if ((flags & CLSCAN_FLAG_NO_OUTPUT) == 0)
        clscan_short_store(staged, out, layout, rows, out_pitch);
}
#endif
#endif
