/* What sums up the lengths of operation repeat, and fills its outputs, as OpenCL C: the files of cl/repetition, and
 * what they must know. */
#ifndef CLSCAN_PROGRAM_REPETITION_H
#define CLSCAN_PROGRAM_REPETITION_H

#include <clscan/device.h>

#include "base/text.h"
#include "element/repetition.h"

#define CLSCAN__SUM_LENGTHS_KERNEL "clscan_sum_lengths"
#define CLSCAN__EXPAND_KERNEL "clscan_expand"

/* What decides its speed on GPUs. A build may say otherwise, to measure. */
#ifndef CLSCAN__EXPAND_WORK_ITEMS
#define CLSCAN__EXPAND_WORK_ITEMS 128 /* of a work-group, a power of two of at least 16 */
#endif
#ifndef CLSCAN__EXPAND_OUTPUTS
#define CLSCAN__EXPAND_OUTPUTS 16 /* of a work-item in a tile: 4, 8, 16 or 32 */
#endif
#ifndef CLSCAN__EXPAND_HELD_BYTES
#define CLSCAN__EXPAND_HELD_BYTES 64 /* of outputs that a work-item loads before it stores them */
#endif
#ifndef CLSCAN__EXPAND_BATCH
#define CLSCAN__EXPAND_BATCH 2 /* vectors of four lengths that a work-item loads ahead of a tile */
#endif
#ifndef CLSCAN__EXPAND_UNIT_WORK_ITEMS
#define CLSCAN__EXPAND_UNIT_WORK_ITEMS 4096 /* for each compute unit; those that do not fit at once come later */
#endif
#ifndef CLSCAN__EXPAND_LONG_RUN
#define CLSCAN__EXPAND_LONG_RUN 16 /* outputs of an element, on average, for which that is up to four times as many */
#endif

/* What suits these kernels on a device. */
uint32_t clscan__expand_work_group_size(const clscan_device_info *device);

/* Blocks of lengths that a work-group sums up. */
uint32_t clscan__repeat_group_blocks(uint32_t work_group_size);

/* Work-groups that fill so many outputs with so many elements. */
uint64_t clscan__expand_work_groups(const clscan_device_info *device, uint32_t work_group_size, uint64_t outputs,
                                    uint64_t elements);

/* What stands in front of the files. Their kernels are no part of a variant, and so of no revision. */
void clscan__repetition_define(clscan__text *text, const clscan__repetition *repetition);

#endif
