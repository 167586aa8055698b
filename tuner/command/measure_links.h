/* Measuring which devices share a link to the host, where their drivers do not say where they are. */
#ifndef CLSCAN_TUNER_MEASURE_LINKS_H
#define CLSCAN_TUNER_MEASURE_LINKS_H

#include <stddef.h>
#include <stdint.h>

#include <clscan/devices.h>

/* Time uploads of `from`, from memory that the driver has pinned, to the buffers `to`: to each device alone, and to
 * each two at once; each the median of `runs`, at most TUNE_MOST_LINK_RUNS. `links` as of tune_group_links(). */
#define TUNE_MOST_LINK_RUNS 7
clscan_status tune_measure_links(const clscan_member *members, const cl_mem *to, size_t count, const void *from,
                                 size_t size_bytes, size_t runs, uint32_t *links, clscan_error *error);

#endif
