// Carry `adjacent` with the order `persistent`: the work-groups are few, and each goes from range to range, so that what
// a work-group costs to start is paid once. A range is published before the next one is drawn, so a work-group never
// keeps others waiting for a range that it has not begun.

/// Arguments as for the kernel of carry_adjacent.cl.
__kernel __attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
void clscan_adjacent(__global const CLSCAN_T *in, ulong in_offset, __global CLSCAN_T *out, ulong out_offset, ulong count,
                     uint flags, CLSCAN_A initial, __global const CLSCAN_A *initial_at, ulong initial_offset,
                     __global CLSCAN_A *total_at, ulong total_offset, __global uchar *workspace, ulong control_bytes,
                     ulong words_bytes, uint epoch_argument)
{
    __global clscan_word *draw_word = (__global clscan_word *)(workspace + control_bytes);
    __local clscan_zone zone;
    __local clscan_decision decision;
    const bool leader = get_local_id(0) == 0;
    clscan_chain chain;
    uint own;

    chain.words = (__global clscan_word *)(workspace + words_bytes);
    chain.report = (__global uint *)(workspace + control_bytes + CLSCAN_REPORT_BYTES);
    chain.ranges = clscan_ranges(count);
    chain.initial = clscan_initial_prefix(flags, initial, initial_at + initial_offset);
    chain.flags = flags;

    if (leader)
        clscan_take_range(&decision, draw_word, epoch_argument, chain.ranges);
    barrier(CLK_LOCAL_MEM_FENCE);
    own = decision.own;
    while (own < chain.ranges) {
        clscan_tile tile;
        CLSCAN_A total = (CLSCAN_A)0;
        const clscan_prefix prefix =
            clscan_settle(&chain, &tile, &zone, &decision, in + in_offset, count, own, false, &total);

        clscan_range_finish(&tile, &zone, in + in_offset, out + out_offset, count, own, prefix, flags);
        if (leader && own == chain.ranges - 1)
            clscan_store_total(flags, total_at + total_offset, clscan_extend(prefix, total));
        // Slower work-items still read the decision and the zone.
        barrier(CLK_LOCAL_MEM_FENCE);
        if (leader)
            clscan_take_range(&decision, draw_word, epoch_argument, chain.ranges);
        barrier(CLK_LOCAL_MEM_FENCE);
        own = decision.own;
    }
}
