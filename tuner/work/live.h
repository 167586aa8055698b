/* The evaluator that has a device: supervises workers, so that nothing that a candidate does ends the tuning.
 *
 * One worker measures; others compile ahead. A worker is replaced after any failure, and after a hang or a crash the
 * device is probed before the next trial. This process itself never calls OpenCL. Not thread-safe. */
#ifndef CLSCAN_TUNER_LIVE_H
#define CLSCAN_TUNER_LIVE_H

#include "trial/evaluator.h"
#include "work/crew.h"

typedef struct tune_live tune_live;

/* The devices there are, as workers see them, and which one `selector` means.
 * *devices is the caller's to free(). CLSCAN_ERROR_NO_DEVICE, or CLSCAN_ERROR_OPENCL, with a worker's words. */
clscan_status tune_live_list(const tune_live_options *options, clscan_device_info **devices, size_t *count,
                             size_t *chosen, clscan_error *error);

/* Start a worker and learn of the device. CLSCAN_ERROR_NO_DEVICE if none is found or none answers rightly. Ignores
 * SIGPIPE in this process from now on. The options are not kept. */
clscan_status tune_live_open(const tune_live_options *options, tune_live **live, clscan_error *error);
void tune_live_close(tune_live *live);

const clscan_device_info *tune_live_device(const tune_live *live);
size_t tune_live_device_index(const tune_live *live); /* in clscan_device_list() */

/* The largest count whose buffers the device and, as far as it is the same memory, the host can hold: input, output,
 * expected output, workspace. */
uint64_t tune_live_largest_count(const tune_live *live, clscan_type type);

/* Trials that run when the evaluator's elapsed_s() gets to `end_s` are cut off, as `timeout`; 0: none are, which is so
 * in the beginning. Soaking goes on. For a budget that is to be kept. */
void tune_live_set_end(tune_live *live, double end_s);

/* Valid until tune_live_close(). Soaking stops after five seconds, but not before the first run. */
tune_evaluator tune_live_evaluator(tune_live *live);

#endif
