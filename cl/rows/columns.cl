// Columns: rows whose elements do not lie side by side, or that several dimensions number. Neighbouring work-items take
// neighbouring columns, so that rows of memory are read and written side by side, and several parts of a column; what
// precedes goes along the columns, tile by tile. A work-group owns whole columns, so none waits for another.
// clscan_scan_block() is of rows/column_blocks.cl or reproducible/columns.cl.
//
// Required of the host:
//   CLSCAN_COLUMNS_MEMBERS, CLSCAN_COLUMNS_BYTES  the members of clscan_columns (src/base/arguments.h), and how many
//                                                 bytes they have
//   CLSCAN_COLUMN_WIDTH                           columns of a work-item, where a work-group has several
#if !defined(CLSCAN_COLUMNS_MEMBERS) || !defined(CLSCAN_COLUMNS_BYTES) || !defined(CLSCAN_COLUMN_WIDTH)
#error "CLSCAN_COLUMNS_MEMBERS, CLSCAN_COLUMNS_BYTES and CLSCAN_COLUMN_WIDTH must be defined"
#endif

typedef struct clscan_columns {
    CLSCAN_COLUMNS_MEMBERS
} clscan_columns;
CLSCAN_HAS_NO_GAPS(clscan_columns, CLSCAN_COLUMNS_BYTES)

// A dimension that numbers columns: how many, and from one to the next elements in the input, elements in the output,
// and numbers.
#define CLSCAN_DIMENSION(d)                                                                                           \
    ((ulong4)(columns.others[4 * (d)], columns.others[4 * (d) + 1], columns.others[4 * (d) + 2],                      \
              columns.others[4 * (d) + 3]))

/// run.count is the elements of each column, which may have none, or the most that there may be. A work-group takes
/// several blocks where there are fewer work-groups than blocks.
__kernel __attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
void clscan_scan_columns(CLSCAN_RUN_PARAMETERS, clscan_columns columns CLSCAN_MAP_PARAMETERS)
{
    const ulong in_step = columns.in_step, out_step = columns.out_step;
    ulong count = run.count;
    const ulong4 inner = CLSCAN_DIMENSION(0), outer0 = CLSCAN_DIMENSION(1), outer1 = CLSCAN_DIMENSION(2),
                 outer2 = CLSCAN_DIMENSION(3);
#if CLSCAN_WORK_GROUP_SIZE == 1
    const uint width = CLSCAN_COLUMN_LINE;
#else
    const uint lanes = (uint)columns.lanes, width = lanes * CLSCAN_COLUMN_WIDTH;
    __local clscan_sum sums[CLSCAN_WORK_GROUP_SIZE * CLSCAN_COLUMN_WIDTH];
#endif
    const clscan_initials initials = clscan_initials_take(&run, initial_at, columns.initial_pitch);
    const ulong across = (inner.s0 + width - 1) / width;
    const ulong blocks = across * outer0.s0 * outer1.s0 * outer2.s0;

    count = CLSCAN_TAKE_AND_REPORT_COUNT(count);
    for (ulong block = get_group_id(0); block < blocks; block += get_num_groups(0)) {
        const ulong outer = block / across, first = block % across * width;
        const uint here = (uint)min(inner.s0 - first, (ulong)width);
        const ulong index0 = outer % outer0.s0, index1 = outer / outer0.s0 % outer1.s0,
                    index2 = outer / outer0.s0 / outer1.s0;
        const ulong4 at = inner * first + outer0 * index0 + outer1 * index1 + outer2 * index2;
        clscan_source from = CLSCAN_SOURCE(in, run.in_offset + at.s1);
        clscan_sink to = CLSCAN_SINK(out, run.out_offset + at.s2);
        clscan_initials own = clscan_initials_from(initials, at.s3);
        clscan_row_totals totals = clscan_row_totals_take(&run, total_at, columns.total_strides[0]);

        own.pitch *= inner.s3;
        totals = clscan_row_totals_from(totals, first);
        totals.at += columns.total_strides[1] * index0 + columns.total_strides[2] * index1 +
                     columns.total_strides[3] * index2;

#if CLSCAN_WORK_GROUP_SIZE == 1
        // Constants where they are these, as a rule, let the compiler make vectors of neighbours.
        if (here == width && inner.s1 == 1 && inner.s2 == 1)
            clscan_scan_block(from, to, count, in_step, out_step, run.flags, own, totals, CLSCAN_COLUMN_LINE, 1, 1);
        else
            clscan_scan_block(from, to, count, in_step, out_step, run.flags, own, totals, here, inner.s1, inner.s2);
#else
        clscan_scan_block(sums, from, to, count, in_step, out_step, run.flags, own, totals, lanes, here, inner.s1,
                          inner.s2);
#endif
    }
}
