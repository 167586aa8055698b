// Neighbouring columns scanned in the reproducible order (reproducible/nodes.cl), 128 elements of each at a time;
// positions count from the begin of each column. rows/columns.cl has the kernel. Called by all work-items.

// What a column has learned by one of its blocks: a node for each 1 digit of that block's index, the largest first. It
// is looked at once in 1024 elements, so private memory is good enough for it.
typedef struct clscan_column_nodes {
    clscan_sum of_digit[CLSCAN_MOST_NODES];
} clscan_column_nodes;

// From block `index` to the next one; `total` is what the block combines to.
CLSCAN_FUNCTION void clscan_column_push(clscan_column_nodes *nodes, ulong index, clscan_sum total)
{
    uint depth = (uint)popcount(index);

    for (; index & 1; index /= 2)
        total = clscan_join(nodes->of_digit[--depth], total);
    nodes->of_digit[depth] = total;
}

// What precedes block `index`, behind `initial`.
CLSCAN_FUNCTION clscan_prefix clscan_column_prefix(const clscan_column_nodes *nodes, ulong index,
                                                   clscan_prefix initial)
{
    const uint depth = (uint)popcount(index);

    for (uint i = 0; i < depth; ++i)
        initial = clscan_extend(initial, nodes->of_digit[i]);
    return initial;
}

// What precedes a run: the blocks before, and `within`, the part of its own block.
CLSCAN_FUNCTION clscan_prefix clscan_column_before(clscan_prefix blocks, clscan_prefix within)
{
    return within.present ? clscan_extend(blocks, within.value) : blocks;
}

#if CLSCAN_WORK_GROUP_SIZE == 1
typedef struct clscan_column {
    clscan_column_nodes nodes;
    clscan_prefix initial, blocks, lines; // before the column, before the block, and the block's rows by now
} clscan_column;

// Scan `valid` elements from `first` on. Cursors stand at the column's begin. A run is read again behind those before
// it, and before it is written, so that it may be written in place.
CLSCAN_FUNCTION void clscan_scan_column_row(clscan_column *column, clscan_source in, clscan_sink out, ulong in_shift,
                                            ulong out_shift, ulong count, ulong in_step, ulong out_step, ulong first,
                                            uint valid, bool writes)
{
    const uint runs = (valid + CLSCAN_RUN - 1) / CLSCAN_RUN;
    clscan_sum sums[CLSCAN_ROW_RUNS];

    for (uint run = 0; run < runs; ++run) {
        clscan_sum sum = CLSCAN_NO_SUM;
        for (uint i = 0; i < CLSCAN_RUN && run * CLSCAN_RUN + i < valid; ++i) {
            const clscan_sum element = clscan_lift(
                clscan_read(clscan_column_source(in, in_shift, count, in_step, first + run * CLSCAN_RUN + i), 0));
            sum = i > 0 ? clscan_join(sum, element) : element;
        }
        sums[run] = sum;
    }
    // From the last one down, so that what a run takes in is still what it was.
    for (uint distance = 1; distance < CLSCAN_ROW_RUNS; distance *= 2)
        for (uint run = runs - 1; run >= distance && run < runs; --run)
            sums[run] = clscan_join(sums[run - distance], sums[run]);
    for (uint run = 0; writes && run < runs; ++run) {
        const clscan_prefix within = run > 0 ? clscan_extend(column->lines, sums[run - 1]) : column->lines;
        clscan_prefix before = clscan_column_before(column->blocks, within);
        for (uint i = 0; i < CLSCAN_RUN && run * CLSCAN_RUN + i < valid; ++i) {
            const ulong k = first + run * CLSCAN_RUN + i;
            const CLSCAN_T element = clscan_read(clscan_column_source(in, in_shift, count, in_step, k), 0);
            clscan_write(clscan_column_sink(out, out_shift, count, out_step, k), 0, clscan_step(&before, element));
        }
    }
    column->lines = clscan_extend(column->lines, sums[runs - 1]);
    if (valid == CLSCAN_BLOCK_ROW && (first + CLSCAN_BLOCK_ROW) % CLSCAN_BLOCK == 0) {
        clscan_column_push(&column->nodes, first / CLSCAN_BLOCK, column->lines.value);
        column->blocks = clscan_column_prefix(&column->nodes, first / CLSCAN_BLOCK + 1, column->initial);
        column->lines = clscan_nothing();
    }
}

// Some rows of memory at a time, so that a line is used as a whole while it is in the cache.
CLSCAN_FUNCTION void clscan_scan_block(clscan_source in, clscan_sink out, ulong count, ulong in_step, ulong out_step,
                                       uint flags, clscan_initials initials, clscan_row_totals totals, uint here,
                                       ulong in_stride, ulong out_stride)
{
    clscan_column columns[CLSCAN_COLUMN_LINE];

    for (uint c = 0; c < here; ++c) {
        columns[c].initial = clscan_initial_of(initials, c);
        columns[c].blocks = columns[c].initial;
        columns[c].lines = clscan_nothing();
    }
    for (ulong first = 0; first < count; first += CLSCAN_BLOCK_ROW)
        for (uint c = 0; c < here; ++c)
            clscan_scan_column_row(&columns[c], in, out, c * in_stride, c * out_stride, count, in_step, out_step,
                                   first, (uint)min(count - first, (ulong)CLSCAN_BLOCK_ROW),
                                   (flags & CLSCAN_FLAG_NO_OUTPUT) == 0);
    for (uint c = 0; c < here; ++c)
        clscan_store_row_total(flags, totals, c,
                           clscan_column_before(columns[c].blocks, columns[c].lines));
}
#else
// `lanes` columns; the 32 work-items with the same one have a run each of its next 128 elements.
CLSCAN_FUNCTION void clscan_scan_block(__local clscan_sum *sums, clscan_source in, clscan_sink out, ulong count,
                                       ulong in_step, ulong out_step, uint flags, clscan_initials initials,
                                       clscan_row_totals totals, uint lanes, uint here, ulong in_stride,
                                       ulong out_stride)
{
    const uint item = (uint)get_local_id(0), run = item / lanes;
    const uint column = min(item % lanes, here - 1);
    const bool there = item % lanes < here;
    const clscan_prefix initial = clscan_initial_of(initials, column);
    clscan_prefix blocks = initial, lines = clscan_nothing();
    clscan_column_nodes nodes;

    for (ulong first = 0; first < count; first += CLSCAN_BLOCK_ROW) {
        const uint valid = (uint)min(count - first, (ulong)CLSCAN_BLOCK_ROW), begin = run * CLSCAN_RUN;
        const uint runs = (valid + CLSCAN_RUN - 1) / CLSCAN_RUN;
        const uint size = there && begin < valid ? min(valid - begin, CLSCAN_RUN) : 0;
        CLSCAN_T held[CLSCAN_RUN];
        clscan_sum sum = CLSCAN_NO_SUM, below, row;

#pragma unroll
        for (uint i = 0; i < CLSCAN_RUN; ++i)
            if (i < size)
                held[i] = clscan_read(
                    clscan_column_source(in, column * in_stride, count, in_step, first + begin + i), 0);
#pragma unroll
        for (uint i = 0; i < CLSCAN_RUN; ++i)
            if (i < size)
                sum = i > 0 ? clscan_join(sum, clscan_lift(held[i])) : clscan_lift(held[i]);
        for (uint distance = 1; distance < CLSCAN_ROW_RUNS; distance *= 2) {
            sums[item] = sum;
            barrier(CLK_LOCAL_MEM_FENCE);
            below = sums[run >= distance ? item - distance * lanes : item];
            // Before anybody overwrites what others still read.
            barrier(CLK_LOCAL_MEM_FENCE);
            if (run >= distance && size > 0)
                sum = clscan_join(below, sum);
        }
        sums[item] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        below = sums[run > 0 ? item - lanes : item];
        row = sums[item % lanes + (runs - 1) * lanes];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (size > 0 && (flags & CLSCAN_FLAG_NO_OUTPUT) == 0) {
            clscan_prefix before = clscan_column_before(blocks, run > 0 ? clscan_extend(lines, below) : lines);
#pragma unroll
            for (uint i = 0; i < CLSCAN_RUN; ++i)
                if (i < size)
                    clscan_write(clscan_column_sink(out, column * out_stride, count, out_step, first + begin + i), 0,
                                 clscan_step(&before, held[i]));
        }
        if (there)
            lines = clscan_extend(lines, row);
        if (there && valid == CLSCAN_BLOCK_ROW && (first + CLSCAN_BLOCK_ROW) % CLSCAN_BLOCK == 0) {
            clscan_column_push(&nodes, first / CLSCAN_BLOCK, lines.value);
            blocks = clscan_column_prefix(&nodes, first / CLSCAN_BLOCK + 1, initial);
            lines = clscan_nothing();
        }
    }
    if (there && run == 0)
        clscan_store_row_total(flags, totals, column, clscan_column_before(blocks, lines));
}
#endif
