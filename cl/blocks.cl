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
