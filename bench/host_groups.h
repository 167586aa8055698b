/* Arrays of host memory that a group of devices scans (docs/devices.md), and what their links carry. */
#ifndef CLSCAN_BENCH_HOST_GROUPS_H
#define CLSCAN_BENCH_HOST_GROUPS_H

#include "measure/measure.h"

/* From host memory to host memory, by the devices that the contender's request names: from memory as malloc() gives it,
 * by the library's own choice of how it moves. */
extern const measure_kind bench_host_scan;

/* The same from memory that the driver has pinned, and moved by the driver. */
extern const measure_kind bench_pinned_scan;

/* As many bytes from such memory to each of the devices and back, both ways at once: what the links carry. */
extern const measure_kind bench_host_link;

#endif
