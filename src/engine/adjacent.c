/* Each range of tiles waits for the prefix of its predecessor: one launch. Kernels: cl/chained.cl,
 * cl/chained_persistent.cl. */
#include "engine/strategy.h"

const clscan__strategy clscan__strategy_adjacent = {
    .carry = CLSCAN_CARRY_ADJACENT,
    .kernel_names = {"clscan_chained"},
    .enqueue = clscan__enqueue_waiting,
};
