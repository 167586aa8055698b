// The kernels of the carry `lookahead`, for one scan.

// Has this work-group scanned the last tile?
CLSCAN_FUNCTION bool clscan_is_last(const clscan_walker *walker)
{
    return walker->from == walker->chain.ranges;
}

// Of no elements, all have.
#if CLSCAN_COUNT_BYTES > 0
#define CLSCAN_LEAVES_TOTAL(count, walker) ((count) > 0 ? clscan_is_last(walker) : get_group_id(0) == 0)
#else
#define CLSCAN_LEAVES_TOTAL(count, walker) clscan_is_last(walker)
#endif

#if CLSCAN_REPRODUCIBLE
/// The workspace is that of the kernel of carries/chained.cl, one word value per tile; from run.totals_bytes on it
/// holds the nodes of the stack of run.before.
///
/// stack_at  [run.stack_offset] with CLSCAN_FLAG_STACK receives those of what follows
CLSCAN_KERNEL
void clscan_waiting(CLSCAN_RUN_PARAMETERS, __global clscan_sum *stack_at)
{
    __local clscan_zone zone;
    __local clscan_board board;
    clscan_walker walker;
    ulong count = run.count;

    count = CLSCAN_TAKE_AND_REPORT_COUNT(count);
    clscan_walker_begin(&walker, false, &zone, &board, CLSCAN_SOURCE(in, run.in_offset),
                        CLSCAN_SINK(out, run.out_offset), count, &run, initial_at, workspace);
#if CLSCAN_COUNT_BYTES > 0
    if (get_group_id(0) >= CLSCAN_WORKERS(walker.chain.ranges))
        return;
#endif
    walker.before = run.before;
    walker.stands = 0;
    if (clscan_leads())
        clscan_stack_load(&board.stack, walker.chain.initial,
                          (__global const clscan_sum *)(workspace + run.totals_bytes), (uint)popcount(run.before));
    clscan_march(false, &walker);
    if (clscan_leads() && CLSCAN_LEAVES_TOTAL(count, &walker)) {
        clscan_store_total(run.flags, total_at + run.total_offset, clscan_scan_end(&walker));
        if (run.flags & CLSCAN_FLAG_STACK)
            clscan_stack_store(&board.stack, stack_at + run.stack_offset, run.before + walker.from);
    }
}
#else
/// The workspace is that of the kernel of carries/chained.cl, one word value per tile. For runs in which the vectors of
/// input and output begin alike; right for others, but then element by element.
CLSCAN_KERNEL
void clscan_waiting(CLSCAN_RUN_PARAMETERS CLSCAN_MAP_PARAMETERS)
{
    __local clscan_zone zone;
    __local clscan_board board;
    clscan_walker walker;
    ulong count = run.count;

    count = CLSCAN_TAKE_AND_REPORT_COUNT(count);
    clscan_walker_begin(&walker, false, &zone, &board, CLSCAN_SOURCE(in, run.in_offset),
                        CLSCAN_SINK(out, run.out_offset), count, &run, initial_at, workspace);
#if CLSCAN_COUNT_BYTES > 0
    if (get_group_id(0) >= CLSCAN_WORKERS(walker.chain.ranges))
        return;
#endif
    clscan_march(false, &walker);
    if (clscan_leads() && CLSCAN_LEAVES_TOTAL(count, &walker))
        clscan_store_total(run.flags, total_at + run.total_offset, clscan_known(&walker));
}

/// The same for runs in which they do not: two kernels, since registers that storing shifted vectors takes would not be
/// there for all the other work.
CLSCAN_KERNEL
void clscan_waiting_shifted(CLSCAN_RUN_PARAMETERS CLSCAN_MAP_PARAMETERS)
{
    __local clscan_zone zone;
    __local clscan_board board;
    clscan_walker walker;
    ulong count = run.count;

    count = CLSCAN_TAKE_AND_REPORT_COUNT(count);
    clscan_walker_begin(&walker, true, &zone, &board, CLSCAN_SOURCE(in, run.in_offset),
                        CLSCAN_SINK(out, run.out_offset), count, &run, initial_at, workspace);
#if CLSCAN_COUNT_BYTES > 0
    if (get_group_id(0) >= CLSCAN_WORKERS(walker.chain.ranges))
        return;
#endif
#if CLSCAN_CAN_SHIFT
    clscan_march(true, &walker);
#else
    clscan_march_slowly(&walker);
#endif
    if (clscan_leads() && CLSCAN_LEAVES_TOTAL(count, &walker))
        clscan_store_total(run.flags, total_at + run.total_offset, clscan_known(&walker));
}
#endif
