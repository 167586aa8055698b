/* CUB on each of several devices, a process for each, beside groups of the library (groups.h). */
#ifndef CLSCAN_BENCH_CUB_GROUPS_H
#define CLSCAN_BENCH_CUB_GROUPS_H

#include "measure/measure.h"

#define BENCH_CUB_PROGRAM "clscan-peer-cub"
#define BENCH_CUB_REMEDY "scripts/build-cub-peer builds it"

/* Rows dealt to the devices that the contender's request names. All processes begin at once, as nearly as pipes allow;
 * the time is that of the slowest, by its own clock. */
extern const measure_kind bench_cub_group_scan;

/* End the processes. */
void bench_cub_groups_close(void);

#endif
