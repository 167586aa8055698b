/* Measuring how many devices should share each row, where there are fewer rows than devices. */
#ifndef CLSCAN_TUNER_MEASURE_SHARED_H
#define CLSCAN_TUNER_MEASURE_SHARED_H

#include <signal.h>

#include <clscan/devices.h>

#include "config_file/group.h"

#define TUNE_MOST_SHARED_RUNS 7

typedef struct tune_shared {
    const volatile sig_atomic_t *interrupted;
    const clscan_member *members; /* as many as the document has devices, and in its order */
    const cl_mem *ins, *outs;     /* in the memory of each; the inputs are all ones, int32 */
    const uint64_t *counts;       /* elements of all rows; the last is the largest */
    size_t count_count;
    size_t runs; /* of which a time is the median */
} tune_shared;

/* Measure 2, 4 ... rows, fewer than there are devices, with 1, 2, 4 ... and all devices for each row, and write steps
 * of shared rows behind those of `document`. Groups are of devices that share a link, as clscan_devices_by_link()
 * orders them; sizes that these do not allow are left out. */
clscan_status tune_measure_shared(const tune_shared *shared, clscan__group_document *document, clscan_error *error);

#endif
