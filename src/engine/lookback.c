/* Each range of tiles looks back to the nearest prefix: one launch. Kernels: cl/chained.cl, cl/chained_persistent.cl. */
#include "engine/strategy.h"

const clscan__strategy clscan__strategy_lookback = {
    .carry = CLSCAN_CARRY_LOOKBACK,
    .kernel_names = {"clscan_chained"},
    .enqueue = clscan__enqueue_waiting,
};
