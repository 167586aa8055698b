// The reproducible order (docs/decisions/0013-reproducible-order.md): operands are grouped by their positions in the
// scan alone. Elements form blocks of 1024, a block has 8 rows, a row 32 runs of 4 elements. A tile is 2^k blocks.
//
// A "node" combines 2^k neighbouring things (blocks of a tile, tiles, ranges of tiles), the first of which has a
// multiple of 2^k as its index: what the binary tree over all of them has as its vertices. The nodes that end with the
// thing before the one with index i are one for every 1 digit of i; together they are all that precedes it.
#define CLSCAN_RUN 4u
#define CLSCAN_ROW_RUNS 32u
#define CLSCAN_BLOCK_ROWS 8u
#define CLSCAN_BLOCK_ROW (CLSCAN_ROW_RUNS * CLSCAN_RUN)
#define CLSCAN_BLOCK (CLSCAN_BLOCK_ROWS * CLSCAN_BLOCK_ROW)

// What precedes a tile, or a range of 2^k tiles, is a stack of nodes, one for every 1 digit of its index, the largest
// at the bottom. How deep the stack is follows from the index.
//
// A stack may be written to memory and be taken up by another launch, with tiles of another size: what the digits of a
// number of tiles stand for does not depend on their size.
#define CLSCAN_MOST_NODES 54

typedef struct clscan_stack {
    clscan_sum nodes[CLSCAN_MOST_NODES];
    clscan_sum prefixes[CLSCAN_MOST_NODES]; // the initial value and the nodes from the bottom up to each
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

CLSCAN_FUNCTION void clscan_stack_set(__local clscan_stack *stack, clscan_prefix initial, uint at, clscan_sum node)
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
CLSCAN_FUNCTION void clscan_stack_push(__local clscan_stack *stack, clscan_prefix initial, ulong index,
                                       clscan_sum total)
{
    uint depth = (uint)popcount(index);

    for (; index & 1; index /= 2)
        total = clscan_join(stack->nodes[--depth], total);
    clscan_stack_set(stack, initial, depth, total);
}

/// What precedes index + 1, without going there. `total` is what stands at `index`.
CLSCAN_FUNCTION clscan_prefix clscan_stack_prefix_with(__local const clscan_stack *stack, clscan_prefix initial,
                                                       ulong index, clscan_sum total)
{
    for (; index & 1; index /= 2)
        total = clscan_join(stack->nodes[popcount(index) - 1], total);
    return clscan_extend(clscan_stack_prefix(stack, initial, index), total);
}

/// Item 0: take up nodes from memory, the lowest first.
CLSCAN_FUNCTION void clscan_stack_load(__local clscan_stack *stack, clscan_prefix initial,
                                       __global const clscan_sum *nodes, uint depth)
{
    for (uint i = 0; i < depth; ++i)
        clscan_stack_set(stack, initial, i, nodes[i]);
}

/// Item 0: write the nodes of the stack of `index` to memory.
CLSCAN_FUNCTION void clscan_stack_store(__local const clscan_stack *stack, __global clscan_sum *nodes, ulong index)
{
    for (uint i = 0; i < (uint)popcount(index); ++i)
        nodes[i] = stack->nodes[i];
}
