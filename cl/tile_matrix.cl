// Tile body `matrix`: the 2D matrix that StreamScan compares itself with (figure 3; Dotsenko et al., ICS 2008). The
// whole work-group transposes one block together, with a work-group barrier between producing and consuming. The
// rest is tile_transposed.cl.
#define CLSCAN_TRANSPOSE_ITEMS CLSCAN_WORK_GROUP_SIZE
#define CLSCAN_TRANSPOSE_SYNC() barrier(CLK_LOCAL_MEM_FENCE)
