/* Copies of the same bytes, reads of them, and an empty kernel. */
#ifndef CLSCAN_MEASURE_YARDSTICKS_H
#define CLSCAN_MEASURE_YARDSTICKS_H

#include "measure.h"

/* Those that suit the device, written to `kinds`, which has room for MEASURE_MAX_YARDSTICKS. */
#define MEASURE_MAX_YARDSTICKS 5
size_t measure_yardsticks(const measure_device *device, bool with_empty, const measure_kind **kinds);

/* For problems that write little: a kernel that reads the same bytes, and writes nothing. */
extern const measure_kind measure_read_kernel;

#endif
