/* Rows that share a work-group: how much of them it keeps in local memory (cl/rows/staged.cl). The tuner asks, too:
 * what the kernel of such rows does not read needs no search. */
#ifndef CLSCAN_COMMON_SHORT_ROWS_H
#define CLSCAN_COMMON_SHORT_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include <clscan/device.h>
#include <clscan/variant.h>

/* Neighbouring elements, of each of which so many bytes are kept, that one work-item scans, 1 to 32; 0 if short rows
 * are walked like long ones, because local memory is too small for anything else. One work-item alone walks whole rows;
 * then it is 1. */
uint32_t clscan__short_strip(const clscan_variant *variant, uint32_t held_bytes, uint32_t sum_bytes,
                             const clscan_device_info *device);

/* Elements of the rows that one work-group takes, at most. */
uint64_t clscan__short_tile(const clscan_variant *variant, uint32_t strip);

/* Elements of one of these rows, at most; a longer row is a long one. In the reproducible order (`ordered`) a sub-group
 * scans a row, so there is one for each. */
uint64_t clscan__short_most(const clscan_variant *variant, uint32_t strip, bool ordered);

#endif
