/* The commands of clscan-mpi. */
#ifndef CLSCAN_MPI_TOOLS_COMMAND_H
#define CLSCAN_MPI_TOOLS_COMMAND_H

#include "ranks.h"

/* argv[0] is the command's own name. Returns the exit code, the same on all ranks; the first one has printed what there
 * is to say. `r` is NULL if the arguments ask for help. */
int mpi_command_scan(int argc, char **argv, ranks *r);

#endif
