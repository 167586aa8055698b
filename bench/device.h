/* The device under test: context, queue, the benchmark's own kernels. */
#ifndef CLSCAN_BENCH_DEVICE_H
#define CLSCAN_BENCH_DEVICE_H

#include "bench.h"

typedef enum bench_clock_choice {
    BENCH_CLOCK_AUTO, /* the host's for CPU devices, events elsewhere */
    BENCH_CLOCK_BY_HOST,
    BENCH_CLOCK_BY_EVENTS
} bench_clock_choice;

/* `selector` as for clscan_device_find(). On failure nothing needs to be closed. */
bool bench_device_open(const char *selector, bench_clock_choice clock, bench_device *device, bench_note *note);
void bench_device_close(bench_device *device);

/* Enqueue something that keeps the device busy for a while. */
bool bench_device_hold(bench_device *device, cl_event *event, bench_note *note);

/* The host was too slow: hold the device twice as long from now on. False if it is long enough already. */
bool bench_device_hold_longer(bench_device *device);

#endif
