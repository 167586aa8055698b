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

/// Extend `prefix` by the things 0 .. index - 1, the largest node first.
///
/// nodes   nodes[i] is the largest node that ends with thing i
/// things  a power of two, more than `index`
CLSCAN_FUNCTION clscan_prefix clscan_nodes_before(__local const CLSCAN_A *nodes, uint things, uint index,
                                                  clscan_prefix prefix)
{
    for (uint digit = things / 2; digit > 0; digit /= 2)
        if (index & digit)
            prefix = clscan_extend(prefix, nodes[(index & ~(digit - 1)) - 1]);
    return prefix;
}

/// Make nodes of things: nodes[i] is thing i where first <= i < end, and a node already before. All items of the
/// work-group; at least `things` of them, a power of two.
CLSCAN_FUNCTION void clscan_nodes_sweep(__local CLSCAN_A *nodes, uint things, uint first, uint end)
{
    const uint lid = (uint)get_local_id(0);

    for (uint distance = 1; distance < things; distance *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid >= first && lid < end && (lid + 1) % (2 * distance) == 0)
            nodes[lid] = clscan_combine(nodes[lid - distance], nodes[lid]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}
