/* Scans by several devices (docs/devices.md) as contenders. */
#ifndef CLSCAN_BENCH_GROUPS_H
#define CLSCAN_BENCH_GROUPS_H

#include "measure/measure.h"

/* A group of the devices that the contender's request names, with commas between, each with its part of the case in a
 * memory of its own: rows are dealt to devices, and a scan without rows goes through all. The note has the medians of
 * what the calls take, and of a scan of the first part on the first device alone. */
extern const measure_kind bench_group_scan;

/* The same by calls that wait for the sums; not of rows, which have none. */
extern const measure_kind bench_group_blocking_scan;

/* The same, but each row is shared by the devices up to the next semicolon of the request; those behind it have rows of
 * their own, and all groups scan at once. By calls that wait where one group has all devices. */
extern const measure_kind bench_group_split_scan;
extern const measure_kind bench_group_split_blocking_scan;

/* Stands where there are not as many devices as the request says in a word. */
extern const measure_kind bench_group_missing;

/* MEASURE_OK, or why no group is measured in a case. */
measure_outcome bench_group_obstacle(const measure_case *c, measure_note *note);

#endif
