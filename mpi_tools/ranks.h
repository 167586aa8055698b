/* The ranks that scan a file together, and what each has of it. */
#ifndef CLSCAN_MPI_TOOLS_RANKS_H
#define CLSCAN_MPI_TOOLS_RANKS_H

#include <stdbool.h>
#include <stdint.h>

#include <mpi.h>

#include <clscan/clscan.h>

#define DEVICE_NUMBER_BYTES 24

typedef struct ranks {
    MPI_Comm all; /* errors return */
    int rank, count;
    int local; /* number of this rank among those of its machine */
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

/* Which device a rank takes that is not told: those of one machine take turns among its GPUs, or among all its devices
 * if it has no GPU. Writes the number as clscan_device_find() takes it. Not collective. */
clscan_status ranks_device(const ranks *r, char number[DEVICE_NUMBER_BYTES], clscan_error *error);

#endif
