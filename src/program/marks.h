/* What turns offsets of segments into marks, as OpenCL C: the file cl/segments/marks.cl, and what it must know; and the
 * same of flags and keys, cl/segments/mark_heads.cl. */
#ifndef CLSCAN_PROGRAM_MARKS_H
#define CLSCAN_PROGRAM_MARKS_H

#include <stdbool.h>

#include <clscan/device.h>

#include "base/text.h"
#include "element/segments.h"
#include "element/types.h"

/* Sets marks. It is no part of a variant, and so of no revision. Arguments: a run's; offsets, where they begin there,
 * how many; marks with the room in front of them, where that begins there; the way; where sums are wanted, what empty
 * ones get and where they go; where the number of offsets is in device memory, where that stands. */
#define CLSCAN__MARK_KERNEL "clscan_mark"
/* Writes marks of all elements, by flags or keys. No part of a variant, either. Arguments: a run's; flags or keys,
 * where they begin there; marks with the room in front of them, where that begins there. */
#define CLSCAN__MARK_HEADS_KERNEL "clscan_mark_heads"
enum { CLSCAN__MARK_HEADS_RUN = 16 }; /* flags or keys that a work-item takes */
/* Makes room for marks where the count is in device memory, so that it costs what that needs. Arguments: a run's;
 * marks, where they begin there. */
#define CLSCAN__CLEAR_KERNEL "clscan_clear"

/* All at once, or in two launches, of which the first one trusts that offsets are in order; or no marks are made, but
 * all else that the kernel does. */
typedef enum clscan__mark_way {
    CLSCAN__MARK_COMBINE,
    CLSCAN__MARK_TRUST,
    CLSCAN__MARK_MEND,
    CLSCAN__MARK_NOTHING
} clscan__mark_way;

/* Are so many offsets of so many elements worth two launches? */
bool clscan__marks_trust(uint32_t work_group_size, uint64_t offset_count, uint64_t count);

/* Of the kernel that sets marks: work-items of a work-group, and how many neighbouring offsets a work-item takes. */
uint32_t clscan__mark_work_group_size(const clscan_device_info *device, const clscan__segmented *segmented);
uint32_t clscan__mark_run(uint32_t work_group_size);

/* What stands in front of the file, in a program for segments by offsets. */
void clscan__marks_define(clscan__text *text, const clscan_device_info *device, const clscan__elements *elements);
void clscan__mark_heads_define(clscan__text *text, const clscan__segmented *segmented);

#endif
