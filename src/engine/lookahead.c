/* A bounded number of work-groups combine the totals that all publish: one launch. Kernel: cl/carry_lookahead.cl. */
#include "engine/strategy.h"

const clscan__strategy clscan__strategy_lookahead = {
    .carry = CLSCAN_CARRY_LOOKAHEAD,
    .kernel_names = {"clscan_lookahead"},
    .enqueue = clscan__enqueue_waiting,
};
