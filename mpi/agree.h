/* Calls of MPI, and how ranks come to one answer. */
#ifndef CLSCAN_MPI_AGREE_H
#define CLSCAN_MPI_AGREE_H

#include <mpi.h>

#include "common/error.h"

/* Fill `error` for a failed call of MPI: "MPI_Allgather failed: MPI_ERR_COMM: ...". Returns CLSCAN_ERROR_MPI. */
clscan_status clscan__error_mpi(clscan_error *error, const char *call, int code);

/* CLSCAN__TRY_CL() for a call of MPI. */
#define CLSCAN__TRY_MPI(function, arguments)                         \
    do {                                                             \
        const int mpi_code_ = function arguments;                    \
        if (mpi_code_ != MPI_SUCCESS) {                              \
            status = clscan__error_mpi(error, #function, mpi_code_); \
            goto cleanup;                                            \
        }                                                            \
    } while (0)

/* Collective: every rank comes with the status of what it did by itself, and with `error`, not NULL, which says it if
 * it failed. All leave with CLSCAN_OK, or with status and error of the first rank that failed, behind its number. */
clscan_status clscan__mpi_agree(MPI_Comm communicator, clscan_status status, clscan_error *error);

/* What a rank has told of its failure: put its number in front of the message. Returns its status. */
clscan_status clscan__mpi_told(int rank, clscan_error *error);

#endif
