/* Sums of parts, combined on the host. Only what gives the same there as on a device: clscan's own operators on
 * scalars, and on vectors lane by lane. */
#ifndef CLSCAN_DEVICES_HOST_COMBINE_H
#define CLSCAN_DEVICES_HOST_COMBINE_H

#include <stdbool.h>
#include <stddef.h>

#include <clscan/problem.h>

/* Does it do for the sums of that problem, which was taken (element/problem.h)? */
bool clscan__host_combines(const clscan_problem *problem);

/* `count` sums in the order of memory, each of `scalars` scalars of that type, become as many carries in place: the
 * combination of all up to each, in the direction of the scan. */
void clscan__host_combine(clscan_type type, clscan_operator op, bool reverse, void *sums, size_t count, size_t scalars);

#endif
