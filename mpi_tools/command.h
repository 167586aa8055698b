/* The commands of clscan-mpi. */
#ifndef CLSCAN_MPI_TOOLS_COMMAND_H
#define CLSCAN_MPI_TOOLS_COMMAND_H

#include "ranks.h"

/* argv[0] is the command's own name. Returns the exit code, the same on all ranks; the first one has printed what there
 * is to say. `r` is NULL if the arguments ask for help. */
typedef int mpi_command(int argc, char **argv, ranks *r);

mpi_command mpi_command_scan, mpi_command_bench;

#endif
