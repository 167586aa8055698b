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
                                          clscan_prefix initial, __global CLSCAN_A *totals, uint rows, ulong in_pitch,
                                          ulong out_pitch)
{
    for (uint row = 0; row < rows; ++row) {
        clscan_source from = CLSCAN_CURSOR(CLSCAN_SOURCE_ROW(in, row * in_pitch), count, 0);
        clscan_sink to = CLSCAN_CURSOR(CLSCAN_SINK_ROW(out, row * out_pitch), count, 0);
        clscan_prefix prefix = initial;
        for (uint k = 0; k < count; ++k)
            clscan_write(to, k, clscan_step(&prefix, clscan_read(from, k)));
        clscan_store_total(flags, totals + row, prefix);
    }
}
#elif CLSCAN_SHORT_STRIP > 0
// All elements of the rows, one row behind the other in the order of the scan, in local memory: there each work-item
// scans a strip of neighbours, wherever rows begin, while global memory is read and written side by side.
#define CLSCAN_SHORT_TILE (CLSCAN_WORK_GROUP_SIZE * CLSCAN_SHORT_STRIP)
// With padding, so that the strips of neighbouring work-items begin in different banks.
#define CLSCAN_SHORT_AT(e) ((e) + (e) / 32)

CLSCAN_FUNCTION void clscan_scan_few_rows(__local CLSCAN_T *staged, __local clscan_sum *sums, clscan_source in,
                                          clscan_sink out, uint count, uint flags, clscan_prefix initial,
                                          __global CLSCAN_A *totals, uint rows, ulong in_pitch, ulong out_pitch)
{
    const uint lid = (uint)get_local_id(0);
    const uint elements = rows * count;
    const uint row_step = CLSCAN_WORK_GROUP_SIZE / count, column_step = CLSCAN_WORK_GROUP_SIZE % count;
    const uint begin = min(lid * CLSCAN_SHORT_STRIP, elements);
    const uint size = min(elements - begin, (uint)CLSCAN_SHORT_STRIP);
    const uint begin_row = begin / count, begin_column = begin % count;
    // Strips before this one that the sum up to its last element takes in: none if a row begins in it.
    const uint reach = size == 0 || begin_column == 0 || begin_column + size > count
                           ? 0
                           : lid - (begin - begin_column) / CLSCAN_SHORT_STRIP;
    const uint most_reach = min((count - 1 + CLSCAN_SHORT_STRIP - 1) / CLSCAN_SHORT_STRIP,
                                (uint)CLSCAN_WORK_GROUP_SIZE - 1);
    clscan_prefix sum = clscan_nothing(), prefix = initial;
    uint row = lid / count, column = lid % count;

    for (uint e = lid; e < elements; e += CLSCAN_WORK_GROUP_SIZE) {
        staged[CLSCAN_SHORT_AT(e)] =
            clscan_read(CLSCAN_CURSOR(CLSCAN_SOURCE_ROW(in, row * in_pitch), count, 0), column);
        row += row_step;
        column += column_step;
        if (column >= count) {
            column -= count;
            ++row;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    // The sum of each strip, or of what follows the last begin of a row in it.
    column = begin_column;
    for (uint i = 0; i < size; ++i) {
        if (column == 0)
            sum = clscan_nothing();
        sum = clscan_extend(sum, clscan_lift(staged[CLSCAN_SHORT_AT(begin + i)]));
        column = column + 1 == count ? 0 : column + 1;
    }
    sums[lid] = sum.value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint distance = 1; distance <= most_reach; distance *= 2) {
        if (distance <= reach)
            sum.value = clscan_join(sums[lid - distance], sum.value);
        barrier(CLK_LOCAL_MEM_FENCE);
        sums[lid] = sum.value;
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (begin_column > 0 && size > 0)
        prefix = clscan_extend(prefix, sums[lid - 1]);
    row = begin_row;
    column = begin_column;
    for (uint i = 0; i < size; ++i) {
        if (column == 0)
            prefix = initial;
        staged[CLSCAN_SHORT_AT(begin + i)] = clscan_step(&prefix, staged[CLSCAN_SHORT_AT(begin + i)]);
        if (++column == count) {
            clscan_store_total(flags, totals + row, prefix);
            column = 0;
            ++row;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    row = lid / count;
    column = lid % count;
    for (uint e = lid; e < elements; e += CLSCAN_WORK_GROUP_SIZE) {
        clscan_write(CLSCAN_CURSOR(CLSCAN_SINK_ROW(out, row * out_pitch), count, 0), column,
                     staged[CLSCAN_SHORT_AT(e)]);
        row += row_step;
        column += column_step;
        if (column >= count) {
            column -= count;
            ++row;
        }
    }
}
#endif

/// Arguments as for clscan_single(), and:
/// count            elements of each row; 0 is valid
/// total_at         receives the total of each row, one behind the other
/// rows             rows in all
/// in_pitch         elements from the begin of a row of `in` to that of the next
/// out_pitch        the same of `out`
/// rows_per_group   rows of every work-group but the last, which may have fewer; those of a work-group have at most
///                  CLSCAN_SHORT_TILE elements
__kernel __attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
void clscan_scan_short_rows(__global const clscan_in *in, ulong in_offset, __global clscan_out *out,
                            ulong out_offset, ulong count, uint flags, clscan_initial initial,
                            __global const CLSCAN_A *initial_at, ulong initial_offset, __global CLSCAN_A *total_at,
                            ulong total_offset, ulong rows, ulong in_pitch, ulong out_pitch,
                            ulong rows_per_group CLSCAN_MAP_PARAMETERS)
{
    const ulong first = get_group_id(0) * rows_per_group;
    const uint here = (uint)min(rows - first, rows_per_group);
    const clscan_prefix prefix = clscan_initial_prefix(flags, initial, initial_at + initial_offset);
    __global CLSCAN_A *totals = total_at + total_offset + first;
#if CLSCAN_WORK_GROUP_SIZE > 1 && CLSCAN_SHORT_STRIP > 0
    __local CLSCAN_T staged[CLSCAN_SHORT_TILE + CLSCAN_SHORT_TILE / 32];
    __local clscan_sum sums[CLSCAN_WORK_GROUP_SIZE];
#endif

    if (count == 0) {
        for (uint row = (uint)get_local_id(0); row < here; row += CLSCAN_WORK_GROUP_SIZE)
            clscan_store_total(flags, totals + row, prefix);
        return;
    }
#if CLSCAN_WORK_GROUP_SIZE == 1
    clscan_scan_few_rows(CLSCAN_SOURCE(in, in_offset + first * in_pitch),
                         CLSCAN_SINK(out, out_offset + first * out_pitch), (uint)count, flags, prefix, totals, here,
                         in_pitch, out_pitch);
#elif CLSCAN_SHORT_STRIP > 0
    clscan_scan_few_rows(staged, sums, CLSCAN_SOURCE(in, in_offset + first * in_pitch),
                         CLSCAN_SINK(out, out_offset + first * out_pitch), (uint)count, flags, prefix, totals, here,
                         in_pitch, out_pitch);
#endif
}
