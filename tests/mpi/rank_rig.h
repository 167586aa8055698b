/* This process as a rank, and runs of all ranks that are compared with the reference. Each rank makes the whole input,
 * and has its own part on its own device. */
#ifndef CLSCAN_TESTS_RANK_RIG_H
#define CLSCAN_TESTS_RANK_RIG_H

#include <clscan/mpi.h>

#include "group_rig.h"

typedef struct rank_rig {
    MPI_Comm communicator;
    size_t rank;
    group_rig group; /* one member for each rank, all on this rank's device */
} rank_rig;

/* `backwards`: the ranks of the communicator are those of MPI_COMM_WORLD from the last one on. */
void rank_rig_open(rank_rig *rig, const test_live *live, bool backwards);
void rank_rig_close(rank_rig *rig);

/* What this rank says in a run. */
clscan_run_args rank_rig_args(const rank_rig *rig, const group_work *work);

/* The run of all, and wait for this rank's scan. */
clscan_status rank_rig_run(clscan_mpi *mpi, const rank_rig *rig, const group_work *work, clscan_error *error);

/* A run that is asked about until it is over. */
clscan_status rank_rig_poll(clscan_mpi *mpi, cl_command_queue queue, const clscan_run_args *args, clscan_error *error);

/* Prepare, run, compare. 0 if this rank's part is right, or there is nothing to run for want of an identity. */
unsigned rank_rig_case(clscan_mpi *mpi, const rank_rig *rig, const clscan_problem *problem,
                       const clscan_sample_operator *sample, const group_case *test);

#endif
