/* Scans by several devices (docs/devices.md) as contenders. */
#ifndef CLSCAN_BENCH_GROUPS_H
#define CLSCAN_BENCH_GROUPS_H

#include "measure/measure.h"

/* A group of the devices that the contender's request names, with commas between, each with its part of the case in a
 * memory of its own: rows are dealt to devices, and a scan without rows goes through all. Unavailable for "". The note
 * has the medians of what the calls take, and of a scan of the first part on the first device alone. */
extern const measure_kind bench_group_scan;

/* The same by calls that wait for the sums; not of rows, which have none. */
extern const measure_kind bench_group_blocking_scan;

#endif
