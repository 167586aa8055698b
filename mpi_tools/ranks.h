/* The ranks that scan a file together, and what each has of it. */
#ifndef CLSCAN_MPI_TOOLS_RANKS_H
#define CLSCAN_MPI_TOOLS_RANKS_H

#include <stdbool.h>
#include <stdint.h>

#include <mpi.h>

#include <clscan/clscan.h>

#include "tools/target.h"

typedef struct ranks {
    MPI_Comm all; /* errors return */
    int rank, count;
    int local, local_count; /* number of this rank among those of its machine, and theirs */
} ranks;

/* Collective, like all that takes a `ranks` and says no other. */
clscan_status ranks_open(ranks *r, clscan_error *error);
void ranks_close(ranks *r);

/* All ranks leave with CLSCAN_OK, or with the failure of the first one that comes with one; its number stands in front
 * of the message, unless all ranks are one. */
clscan_status ranks_agree(const ranks *r, clscan_status status, clscan_error *error);

/* A part of an array, in memory. */
typedef struct share {
    uint64_t first, count; /* elements */
} share;

/* This rank's share of `count` elements: as many as the others have, in multiples of `step` from where the scan begins.
 * Not collective. */
share ranks_share(const ranks *r, uint64_t count, uint64_t step, bool reverse);

#define HELP_RANK_DEVICE                                                                                               \
    "device of every rank, as for 'clscan scan' (default: ranks of one machine take turns among its GPUs, else among " \
    "all its devices)"

/* Find and start the device that this rank scans on: `device`, as clscan_device_find() takes it; NULL: ranks of one
 * machine take turns among its GPUs, or among all its devices if it has no GPU. Not collective. */
clscan_status ranks_target(const ranks *r, const char *device, const char *config, target *where, clscan_error *error);

#endif
