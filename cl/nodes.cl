// What precedes a tile, or a range of 2^k tiles, in the reproducible order (blocks.cl): a stack of nodes, one for
// every 1 digit of its index, the largest at the bottom. How deep the stack is follows from the index.
//
// A stack may be written to memory and be taken up by another launch, with tiles of another size: what the digits of a
// number of tiles stand for does not depend on their size.
#define CLSCAN_MOST_NODES 54

typedef struct clscan_stack {
    CLSCAN_A nodes[CLSCAN_MOST_NODES];
    CLSCAN_A prefixes[CLSCAN_MOST_NODES]; // the initial value and the nodes from the bottom up to each
} clscan_stack;

/// What precedes the tile or range with that index.
CLSCAN_FUNCTION clscan_prefix clscan_stack_prefix(__local const clscan_stack *stack, clscan_prefix initial, ulong index)
{
    const uint depth = (uint)popcount(index);
    clscan_prefix prefix = initial;

    if (depth > 0) {
        prefix.value = stack->prefixes[depth - 1];
        prefix.present = true;
    }
    return prefix;
}

CLSCAN_FUNCTION void clscan_stack_set(__local clscan_stack *stack, clscan_prefix initial, uint at, CLSCAN_A node)
{
    clscan_prefix below = initial;

    if (at > 0) {
        below.value = stack->prefixes[at - 1];
        below.present = true;
    }
    stack->nodes[at] = node;
    stack->prefixes[at] = clscan_extend(below, node).value;
}

/// Item 0: go from `index` to index + 1. `total` is what stands at `index`.
CLSCAN_FUNCTION void clscan_stack_push(__local clscan_stack *stack, clscan_prefix initial, ulong index, CLSCAN_A total)
{
    uint depth = (uint)popcount(index);

    for (; index & 1; index /= 2)
        total = clscan_combine(stack->nodes[--depth], total);
    clscan_stack_set(stack, initial, depth, total);
}

/// Item 0: take up nodes from memory, the lowest first.
CLSCAN_FUNCTION void clscan_stack_load(__local clscan_stack *stack, clscan_prefix initial,
                                       __global const CLSCAN_A *nodes, uint depth)
{
    for (uint i = 0; i < depth; ++i)
        clscan_stack_set(stack, initial, i, nodes[i]);
}

// Item 0: put the nodes of the stack of `index` that lie in its window to their places.
CLSCAN_FUNCTION void clscan_window_fill(__local CLSCAN_A *window, __local const clscan_stack *stack, ulong index)
{
    const uint inside = (uint)index % CLSCAN_WORK_GROUP_SIZE;
    uint depth = (uint)popcount(index);

    for (uint digit = 1; digit < CLSCAN_WORK_GROUP_SIZE; digit *= 2)
        if (inside & digit)
            window[(inside & ~(digit - 1)) - 1] = stack->nodes[--depth];
}

// Item 0: the stack of what is `inside` things behind the window's begin, of which there are nodes.
CLSCAN_FUNCTION void clscan_window_leave(__local const CLSCAN_A *window, __local clscan_stack *stack,
                                         clscan_prefix initial, ulong begin, uint inside)
{
    uint depth = (uint)popcount(begin);

    if (inside == CLSCAN_WORK_GROUP_SIZE) {
        clscan_stack_push(stack, initial, begin / CLSCAN_WORK_GROUP_SIZE, window[inside - 1]);
        return;
    }
    for (uint digit = CLSCAN_WORK_GROUP_SIZE / 2; digit > 0; digit /= 2)
        if (inside & digit)
            clscan_stack_set(stack, initial, depth++, window[(inside & ~(digit - 1)) - 1]);
}

/// All items: go from `from` to `to`, a window of as many things as there are items at a time. Work-group sizes are
/// powers of two here. Passes barriers at the begin, and one at the end.
///
/// window  a value for each item
/// totals  of the things from `from` on
CLSCAN_FUNCTION void clscan_stack_advance(__local clscan_stack *stack, __local CLSCAN_A *window,
                                          clscan_prefix initial, ulong from, ulong to, __global const CLSCAN_A *totals)
{
    const uint lid = (uint)get_local_id(0);
    ulong first = from;

    barrier(CLK_LOCAL_MEM_FENCE);
    while (first < to) {
        const ulong begin = first - first % CLSCAN_WORK_GROUP_SIZE;
        const uint inside = (uint)(first - begin), end = (uint)min(to - begin, (ulong)CLSCAN_WORK_GROUP_SIZE);

        if (lid == 0)
            clscan_window_fill(window, stack, first);
        if (lid >= inside && lid < end)
            window[lid] = totals[begin + lid - from];
        clscan_nodes_sweep(window, CLSCAN_WORK_GROUP_SIZE, inside, end);
        if (lid == 0)
            clscan_window_leave(window, stack, initial, begin, end);
        barrier(CLK_LOCAL_MEM_FENCE);
        first = begin + end;
    }
}

/// What follows a tile that is not full.
///
/// nodes  of its blocks; then the total of the block that is cut
CLSCAN_FUNCTION clscan_prefix clscan_tile_end(__local const CLSCAN_A *nodes, uint valid, clscan_prefix prefix)
{
    const uint whole = valid / CLSCAN_BLOCK;

    prefix = clscan_nodes_before(nodes, CLSCAN_TILE_BLOCKS, whole, prefix);
    return valid % CLSCAN_BLOCK > 0 ? clscan_extend(prefix, nodes[whole]) : prefix;
}
