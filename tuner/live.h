/* The evaluator that has a device: supervises workers, so that nothing that a candidate does ends the tuning.
 *
 * One worker measures; others compile ahead. A worker is replaced after any failure, and after a hang or a crash the
 * device is probed before the next trial. This process itself never calls OpenCL. Not thread-safe. */
#ifndef CLSCAN_TUNER_LIVE_H
#define CLSCAN_TUNER_LIVE_H

#include <stddef.h>
#include <stdint.h>

#include "evaluator.h"
#include "protocol.h"

#define TUNE_AHEAD_AUTO (-1) /* one for each of this machine's cores but one, at most 4 */

/* Zero it, set what is wanted. */
typedef struct tune_live_options {
    const char *device;         /* as for clscan_device_find(); NULL: the default one */
    const char *const *command; /* of a worker, NULL-terminated; the device is put behind it; NULL: this program's
                                     own file with --worker */
    int ahead;                  /* workers that compile ahead, 0 to 8, or TUNE_AHEAD_AUTO */
    uint32_t deadline_ms[TUNE_REQUEST_COUNT]; /* 0: the default of TUNE_REQUEST_LIST */
    unsigned probes;                          /* attempts to get a right answer after a hang or a crash; 0: 7 */
    uint32_t probe_pause_ms;                  /* before the second attempt; doubles each time; 0: 500 */
} tune_live_options;

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

/* Valid until tune_live_close(). */
tune_evaluator tune_live_evaluator(tune_live *live);

#endif
