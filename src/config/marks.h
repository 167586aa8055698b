/* From how many elements on plans turn flags or keys of segments into marks, beside which other entries serve. */
#ifndef CLSCAN_CONFIG_MARKS_H
#define CLSCAN_CONFIG_MARKS_H

#include <stdint.h>

#include <clscan/device.h>
#include <clscan/problem.h>

/* Plans for so many elements of a taken problem, which has no marks yet; UINT64_MAX: none do. */
uint64_t clscan__marks_from(const clscan_problem *problem, const clscan_device_info *device);

#endif
