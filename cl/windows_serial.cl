// Stacks of nodes (nodes.cl), extended by many totals, for work-groups of one work-item.
typedef struct clscan_window {
    CLSCAN_A unused;
} clscan_window;

/// Go from `from` to `to`. Parameters as in windows.cl.
CLSCAN_FUNCTION void clscan_stack_advance(__local clscan_stack *stack, __local clscan_window *window,
                                          __local CLSCAN_A *scratch, clscan_prefix initial, ulong from, ulong to,
                                          __global const CLSCAN_A *totals)
{
    for (ulong at = from; at < to; ++at)
        clscan_stack_push(stack, initial, at, totals[at - from]);
}
