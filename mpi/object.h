/* What clscan_mpi_create() makes: what a rank has, and its run. */
#ifndef CLSCAN_MPI_OBJECT_H
#define CLSCAN_MPI_OBJECT_H

#include <clscan/mpi.h>

#include "agree.h"
#include "ordered.h"

/* What a run waits for, in this order; without a run it is NONE. */
typedef enum clscan__phase {
    CLSCAN__PHASE_NONE,
    CLSCAN__PHASE_PLACES,      /* of all ranks, where the problem is ordered */
    CLSCAN__PHASE_SUM,         /* of this rank's part, from its device */
    CLSCAN__PHASE_RECORDS,     /* of all ranks */
    CLSCAN__PHASE_COMBINATION, /* of the sums before, on this rank's device */
    CLSCAN__PHASE_OUTCOME,     /* which rank has failed? */
    CLSCAN__PHASE_ERROR,       /* of that rank */
    CLSCAN__PHASE_OVER
} clscan__phase;

/* What all ranks are told of each. */
enum {
    CLSCAN__RECORD_SUM = 1,    /* the sum stands behind */
    CLSCAN__RECORD_MISSES = 2, /* the scan needs something before it */
    CLSCAN__RECORD_FAILED = 4,
    CLSCAN__RECORD_INITIAL = 8 /* of an ordered problem: in front stands an initial value */
};

/* Instead of the count of a rank that has failed. */
#define CLSCAN__COUNT_FAILED UINT64_MAX

typedef struct clscan__active {
    clscan__phase phase;
    MPI_Request request; /* of phases that wait for others; MPI_REQUEST_NULL: none */
    cl_event came;       /* of phases that wait for the device; NULL: none */
    clscan__held held;
    bool misses;          /* as clscan__rank_take() says */
    uint64_t part_first;  /* elements before this rank's part, where the problem is ordered */
    size_t before_count;  /* sums before this rank's part */
    int mine, first;      /* rank that has failed, or their number: here, and of all */
    cl_event scanned;     /* once the scan is enqueued */
    clscan_status status; /* of this rank, at last of all */
    clscan_error error;
} clscan__active;

struct clscan_mpi {
    MPI_Comm communicator;
    clscan__rank rank;
    unsigned char *records; /* one of each rank: CLSCAN__RECORD_... in a byte, and its sum, or its values (ordered.h) */
    size_t record_bytes;
    unsigned char *before; /* the sums, or the values, that come before this rank's part */
    clscan__place *places; /* of all ranks, where the problem is ordered */
    clscan__active active;
};

/* End the run that is active, if there is one, and forget what came of it. Without `others` nothing of them is waited
 * for. */
void clscan__run_end(clscan_mpi *mpi, bool others);

#endif
