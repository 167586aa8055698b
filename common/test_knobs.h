/* What tests ask of a plan besides what users can: rare events on purpose. Zero: none. */
#ifndef CLSCAN_COMMON_TEST_KNOBS_H
#define CLSCAN_COMMON_TEST_KNOBS_H

#include <stdint.h>

struct clscan__test_knobs {
    uint32_t poll_limit;    /* polls before a wait is completed by recomputing; 0: the device's own */
    uint32_t hold_interval; /* hold back the owner of every n-th tile, so that others must recompute; 0: none */
    uint32_t first_epoch;   /* epoch at binding, to test the wrap; 0: the ordinary first one */
    uint32_t expand_work_group_size; /* of operation repeat's kernel: 1, or a power of two from 16 on; 0: as the
                                        device's class says */
    uint32_t mark_work_group_size;   /* of the kernel that makes marks of offsets, likewise */
    uint64_t marked_count;           /* plans of so many elements make marks of flags and keys; 0: likewise */
};

#endif
