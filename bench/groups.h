/* Scans by several devices (docs/devices.md) as contenders. */
#ifndef CLSCAN_BENCH_GROUPS_H
#define CLSCAN_BENCH_GROUPS_H

#include "options.h"

#define BENCH_MAX_GROUPS 8

/* A group of the devices that the contender's request names, with commas between, each with its part of the case in a
 * memory of its own: rows are dealt to devices, and a scan without rows goes through all. Unavailable for "". The note
 * has the medians of what the calls take, and of a scan of the first part on the first device alone. */
extern const measure_kind bench_group_scan;

/* The same by calls that wait for the sums; not of rows, which have none. */
extern const measure_kind bench_group_blocking_scan;

/* Requests for groups of 2, 4, 8 ... and all of the devices that the options name, or of the platform of `device`,
 * which is the first of them then; 0 where there is one device only. */
size_t bench_groups_list(const bench_options *options, const measure_device *device,
                         char (*requests)[MEASURE_NAME_BYTES]);

/* Devices that a request names. */
size_t bench_group_size(const char *request);

/* The one that the options name first, as clscan_device_find() takes it; NULL: its default. */
const char *bench_groups_first(const bench_options *options, char (*word)[MEASURE_NAME_BYTES]);

#endif
