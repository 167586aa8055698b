// What the kernels of `lookahead` have in common that go from tile to tile.
//
// Required of the host:
//   CLSCAN_REGISTER_BOUND  not 0 if the compiler is told how many registers a work-item may have, which NVIDIA's obeys
//                          only where no work-group size is required
#if !defined(CLSCAN_REGISTER_BOUND)
#error "CLSCAN_REGISTER_BOUND must be defined"
#endif

// May code that passes barriers be skipped? Compilers for CPUs copy whatever follows a barrier under a condition, so
// where shuffles pass barriers too, such code is always run, on nothing.
#define CLSCAN_MUST_RUN(condition) (CLSCAN_EXCHANGE > 0 || (condition))

// What work-items tell each other in local memory, each across a barrier.
typedef struct clscan_notice {
    CLSCAN_A value; // of the tile that is being recomputed
    clscan_word tag;
    uint drawn; // the tile after the next one
    uint spent; // 1: some wait was
    uint missing;
} clscan_notice;

// Between publishing a tile's total and the first store to the tile, barriers on both sides: in place, nobody may see
// it overwritten and still find it unpublished. By the last item, which has the least to do; the later, the less
// there is to wait for.
CLSCAN_FUNCTION void clscan_guard_published(const clscan_chain *chain)
{
    if ((chain->flags & CLSCAN_FLAG_IN_PLACE) && get_local_id(0) == CLSCAN_WORK_GROUP_SIZE - 1)
        clscan_device_fence();
}

/// The total of a tile as published or, if it is not, from the input, to every work-item. Passes barriers.
///
/// head  elements before the first tile that are in its total (edges.cl)
CLSCAN_FUNCTION CLSCAN_A clscan_total_anyway(const clscan_chain *chain, __local clscan_notice *notice,
                                             __local clscan_zone *zone, clscan_word tag, __global const CLSCAN_T *in,
                                             ulong count, uint head, uint tile)
{
    const bool leader = get_local_id(0) == 0;
    bool missing;

    barrier(CLK_LOCAL_MEM_FENCE);
    if (leader) {
        CLSCAN_A value;
        notice->missing = !clscan_published(chain->words, tile, tag, &value);
        notice->value = value;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    missing = notice->missing != 0;
    if (CLSCAN_MUST_RUN(missing)) {
        CLSCAN_A value = clscan_tile_reduce(zone, CLSCAN_CURSOR(in, count, (ulong)tile * CLSCAN_TILE),
                                            missing ? clscan_valid(count, tile) : 1);
        if (tile == 0 && head > 0)
            value = clscan_with_head(CLSCAN_CURSOR(in, count, 0), head, value);
        clscan_device_fence();
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (leader && missing)
            notice->value = clscan_look_again(chain, tile, tag, value);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return notice->value;
}

// All tiles are there: no wait counts as spent any more.
CLSCAN_FUNCTION void clscan_forgive(__local clscan_notice *notice)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        notice->spent = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
}
