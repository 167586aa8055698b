// Columns: rows whose elements do not lie side by side, or that several dimensions number. Neighbouring work-items take
// neighbouring columns, so that rows of memory are read and written side by side, and several parts of a column; what
// precedes goes along the columns, tile by tile. A work-group owns whole columns, so none waits for another.
//
// Required of the host:
//   CLSCAN_COLUMNS_MEMBERS, CLSCAN_COLUMNS_BYTES  the members of clscan_columns (src/base/arguments.h), and how many
//                                                 bytes they have
#if !defined(CLSCAN_COLUMNS_MEMBERS) || !defined(CLSCAN_COLUMNS_BYTES)
#error "CLSCAN_COLUMNS_MEMBERS and CLSCAN_COLUMNS_BYTES must be defined"
#endif

// Elements of a column that one work-item loads before it waits for the first of them.
#define CLSCAN_COLUMN_DEPTH 8u
// Columns of a work-item that is a work-group: a line of memory.
#define CLSCAN_COLUMN_LINE 16u

// The element k, in the order of the scan, of the column that begins `shift` elements behind the cursor. Cursors count
// elements as if they lay side by side.
CLSCAN_FUNCTION clscan_source clscan_column_source(clscan_source in, ulong shift, ulong count, ulong step, ulong k)
{
    const ulong at = CLSCAN_REVERSE ? count - 1 - k : k;
    return CLSCAN_CURSOR(CLSCAN_SOURCE_ROW(in, shift + at * (step - 1)), count, k);
}

CLSCAN_FUNCTION clscan_sink clscan_column_sink(clscan_sink out, ulong shift, ulong count, ulong step, ulong k)
{
    const ulong at = CLSCAN_REVERSE ? count - 1 - k : k;
    return CLSCAN_CURSOR(CLSCAN_SINK_ROW(out, shift + at * (step - 1)), count, k);
}

#if CLSCAN_WORK_GROUP_SIZE == 1
// Row by row of memory, so that a line is used as a whole while it is in the cache.
CLSCAN_FUNCTION void clscan_scan_block(clscan_source in, clscan_sink out, ulong count, ulong in_step, ulong out_step,
                                       uint flags, clscan_initials initials, __global CLSCAN_A *totals, uint here,
                                       ulong in_stride, ulong out_stride, ulong total_stride)
{
    clscan_prefix prefixes[CLSCAN_COLUMN_LINE];

    for (uint c = 0; c < CLSCAN_COLUMN_LINE; ++c)
        prefixes[c] = clscan_initial_of(initials, min(c, here - 1) * total_stride);
    if (flags & CLSCAN_FLAG_NO_OUTPUT) {
        for (ulong k = 0; k < count; ++k) {
            for (uint c = 0; c < here; ++c)
                prefixes[c] = clscan_extend(
                    prefixes[c],
                    clscan_lift(clscan_read(clscan_column_source(in, c * in_stride, count, in_step, k), 0)));
        }
    } else {
        for (ulong k = 0; k < count; ++k) {
            for (uint c = 0; c < here; ++c)
                clscan_write(clscan_column_sink(out, c * out_stride, count, out_step, k), 0,
                             clscan_step(&prefixes[c],
                                         clscan_read(clscan_column_source(in, c * in_stride, count, in_step, k), 0)));
        }
    }
    for (uint c = 0; c < here; ++c)
        clscan_store_total(flags, totals + c * total_stride, prefixes[c]);
}
#else
// `lanes` columns, of which `here` are there; work-items with the same column have parts of it behind each other.
CLSCAN_FUNCTION void clscan_scan_block(__local clscan_sum *sums, clscan_source in, clscan_sink out, ulong count,
                                       ulong in_step, ulong out_step, uint flags, clscan_prefix prefix,
                                       __global CLSCAN_A *total, uint lanes, bool there)
{
    const uint lane = (uint)get_local_id(0) % lanes, part = (uint)get_local_id(0) / lanes;
    const uint tile = CLSCAN_WORK_GROUP_SIZE / lanes * CLSCAN_COLUMN_DEPTH;

    for (ulong first = 0; first < count; first += tile) {
        const uint valid = (uint)min(count - first, (ulong)tile);
        const uint begin = part * CLSCAN_COLUMN_DEPTH;
        const uint size = there && begin < valid ? min(valid - begin, CLSCAN_COLUMN_DEPTH) : 0;
        const uint parts = (valid + CLSCAN_COLUMN_DEPTH - 1) / CLSCAN_COLUMN_DEPTH;
        CLSCAN_T held[CLSCAN_COLUMN_DEPTH];
        clscan_prefix sum = clscan_nothing(), before = prefix;

#pragma unroll
        for (uint i = 0; i < CLSCAN_COLUMN_DEPTH; ++i)
            if (i < size)
                held[i] = clscan_read(clscan_column_source(in, 0, count, in_step, first + begin + i), 0);
#pragma unroll
        for (uint i = 0; i < CLSCAN_COLUMN_DEPTH; ++i)
            if (i < size)
                sum = clscan_extend(sum, clscan_lift(held[i]));
        sums[get_local_id(0)] = sum.value;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint p = 0; p < parts; ++p) {
            if (p == part)
                before = prefix;
            if (there)
                prefix = clscan_extend(prefix, sums[p * lanes + lane]);
        }
#pragma unroll
        for (uint i = 0; i < CLSCAN_COLUMN_DEPTH; ++i)
            if (i < size && (flags & CLSCAN_FLAG_NO_OUTPUT) == 0)
                clscan_write(clscan_column_sink(out, 0, count, out_step, first + begin + i), 0,
                             clscan_step(&before, held[i]));
        // The next tile overwrites the sums that slower work-items still read.
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (there && part == 0)
        clscan_store_total(flags, total, prefix);
}
#endif

typedef struct clscan_columns {
    CLSCAN_COLUMNS_MEMBERS
} clscan_columns;
CLSCAN_HAS_NO_GAPS(clscan_columns, CLSCAN_COLUMNS_BYTES)

// A dimension that numbers columns: how many, and elements from one to the next in the input, in the output, among the
// totals.
#define CLSCAN_DIMENSION(d)                                                                                           \
    ((ulong4)(columns.others[4 * (d)], columns.others[4 * (d) + 1], columns.others[4 * (d) + 2],                      \
              columns.others[4 * (d) + 3]))

/// run.count is the elements of each column, at least 1. A work-group takes several blocks where there are fewer
/// work-groups than blocks.
__kernel __attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
void clscan_scan_columns(CLSCAN_RUN_PARAMETERS, clscan_columns columns CLSCAN_MAP_PARAMETERS)
{
    const ulong count = run.count, in_step = columns.in_step, out_step = columns.out_step;
    const ulong4 inner = CLSCAN_DIMENSION(0), outer0 = CLSCAN_DIMENSION(1), outer1 = CLSCAN_DIMENSION(2),
                 outer2 = CLSCAN_DIMENSION(3);
#if CLSCAN_WORK_GROUP_SIZE == 1
    const uint width = CLSCAN_COLUMN_LINE, lane = 0;
#else
    const uint lanes = (uint)columns.lanes, width = lanes, lane = (uint)get_local_id(0) % lanes;
    __local clscan_sum sums[CLSCAN_WORK_GROUP_SIZE];
#endif
    const clscan_initials initials = clscan_initials_take(&run, initial_at, columns.initial_pitch);
    const ulong across = (inner.s0 + width - 1) / width;
    const ulong blocks = across * outer0.s0 * outer1.s0 * outer2.s0;

    for (ulong block = get_group_id(0); block < blocks; block += get_num_groups(0)) {
        const ulong outer = block / across, first = block % across * width;
        const ulong column = min(first + lane, inner.s0 - 1);
        const ulong4 at = inner * column + outer0 * (outer % outer0.s0) + outer1 * (outer / outer0.s0 % outer1.s0) +
                          outer2 * (outer / outer0.s0 / outer1.s0);
        clscan_source from = CLSCAN_SOURCE(in, run.in_offset + at.s1);
        clscan_sink to = CLSCAN_SINK(out, run.out_offset + at.s2);
        __global CLSCAN_A *total = total_at + run.total_offset + at.s3;
        const clscan_initials own = clscan_initials_from(initials, at.s3);

#if CLSCAN_WORK_GROUP_SIZE == 1
        const uint here = (uint)min(inner.s0 - first, (ulong)width);
        // Constants where they are these, as a rule, let the compiler make vectors of neighbours.
        if (here == width && inner.s1 == 1 && inner.s2 == 1)
            clscan_scan_block(from, to, count, in_step, out_step, run.flags, own, total, CLSCAN_COLUMN_LINE, 1, 1,
                              inner.s3);
        else
            clscan_scan_block(from, to, count, in_step, out_step, run.flags, own, total, here, inner.s1, inner.s2,
                              inner.s3);
#else
        clscan_scan_block(sums, from, to, count, in_step, out_step, run.flags, own.first, total, lanes,
                          first + lane < inner.s0);
#endif
    }
}
