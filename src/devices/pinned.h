/* Host memory that a driver has pinned, so that transfers need no copy of the driver's. NVIDIA's driver makes such
 * copies in the calls that wait for a read, one after the other.
 *
 * Its owner lends it to one user at a time. It stays as long as one of them has it. */
#ifndef CLSCAN_DEVICES_PINNED_H
#define CLSCAN_DEVICES_PINNED_H

#include <stdbool.h>
#include <stddef.h>

#include <clscan/types.h>

#include "base/error.h"

typedef struct clscan__pinned clscan__pinned;

/* By a queue of the context, which also unmaps it, and is retained until then. Whoever releases it last waits for the
 * queue: nothing in there waits for the caller's events, nor for a thread that may be the last one. */
clscan_status clscan__pinned_create(cl_context context, cl_command_queue queue, size_t size_bytes,
                                    clscan__pinned **made, clscan_error *error);

/* For its owner; NULL does nothing. */
void clscan__pinned_release(clscan__pinned *pinned);

unsigned char *clscan__pinned_bytes(const clscan__pinned *pinned);

/* False: somebody else has it, or it is NULL. */
bool clscan__pinned_borrow(clscan__pinned *pinned);
void clscan__pinned_give_back(clscan__pinned *pinned);

#endif
