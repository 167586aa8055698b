/* Which devices share a link to the host: from times of transfers. */
#ifndef CLSCAN_TUNER_GROUP_LINKS_H
#define CLSCAN_TUNER_GROUP_LINKS_H

#include <stddef.h>
#include <stdint.h>

/* `alone` has the time of a transfer to each of `count` devices, `together` those of transfers to two at once: to i and
 * j at i * count + j, where i < j. Two share a link where that takes nearer the sum of their times than the longer one.
 * Devices that each share one with a third are of one link, too. `links` receives the number of the first device of
 * each link. */
void tune_group_links(size_t count, const double *alone, const double *together, uint32_t *links);

#endif
