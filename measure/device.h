/* The device under test: context, queue, the kernels that measuring needs. */
#ifndef CLSCAN_MEASURE_DEVICE_H
#define CLSCAN_MEASURE_DEVICE_H

#include "measure.h"

typedef enum measure_clock_choice {
    MEASURE_CLOCK_AUTO, /* the host's for CPU devices, events elsewhere */
    MEASURE_CLOCK_BY_HOST,
    MEASURE_CLOCK_BY_EVENTS,
    MEASURE_CLOCK_ALIKE,    /* the host's for CPU devices, the queue's elsewhere: the same for all contenders */
    MEASURE_CLOCK_BY_QUEUE, /* events, all runs behind others */
    MEASURE_CLOCK_BY_BOTH   /* events, and the host's clock in runs of their own */
} measure_clock_choice;

/* `selector` as for clscan_device_find(). On failure nothing needs to be closed. */
bool measure_device_open(const char *selector, measure_clock_choice clock, measure_device *device, measure_note *note);
void measure_device_close(measure_device *device);

/* What in the environment would make times of such a device better, or NULL. */
const char *measure_device_advice(const clscan_device_info *info);

/* Compile; `what` names it in the note. The caller releases the program. */
bool measure_device_program(const measure_device *device, const char **sources, cl_uint source_count,
                            const char *options, const char *what, cl_program *program, measure_note *note);

/* A kernel of measure/kernels.h, which the caller releases. */
bool measure_device_kernel(const measure_device *device, const char *name, cl_kernel *kernel, measure_note *note);

/* Enqueue that the first `bytes` of `buffer` become `byte`. By a kernel: clEnqueueFillBuffer with a pattern of one byte
 * faults from 2 GiB on with NVIDIA's driver 580.159. */
bool measure_device_fill(const measure_device *device, cl_mem buffer, cl_uchar byte, uint64_t bytes,
                         measure_note *note);

/* Enqueue something that keeps the device busy for a while. */
bool measure_device_hold(measure_device *device, cl_event *event, measure_note *note);

/* The host was too slow: hold the device twice as long from now on. False if it is long enough already. */
bool measure_device_hold_longer(measure_device *device);

#endif
