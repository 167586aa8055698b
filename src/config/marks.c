#include "config/marks.h"

#include "element/problem.h"
#include "element/segments.h"

/* Marks cost a launch and a pass over flags or keys, and let tiles land. Measured on an H200 (2026-11-28): scans of 8
 * bytes gain by them from 2^23 elements on and are 1.4 times as fast at 2^28, those of 1 and 2 bytes from 2^26 on and
 * 1.0 to 1.7 times; those of 4 bytes gain next to nothing. A CPU's scan takes flags and keys with its vectors. */
uint64_t clscan__marks_from(const clscan_problem *problem, const clscan_device_info *device)
{
    const uint32_t element_bytes = clscan__problem_shape(problem).element_bytes;

    if (device->device_class != CLSCAN_DEVICE_CLASS_GPU || element_bytes == 4 ||
        !clscan__segments_may_be_marked(problem))
        return UINT64_MAX;
    return element_bytes < 4 ? 1 << 26 : 1 << 23;
}
