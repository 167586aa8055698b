#include "agree.h"

#include <stdio.h>

#include "devices/told.h"

clscan_status clscan__error_mpi(clscan_error *error, const char *call, int code)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;

    MPI_Error_string(code, text, &length);
    return clscan__error_set(error, CLSCAN_ERROR_MPI, "%s failed: %s", call, text);
}

clscan_status clscan__mpi_told(int rank, clscan_error *error)
{
    char name[CLSCAN__TOLD_BYTES];

    snprintf(name, sizeof name, "rank %d", rank);
    return clscan__told(name, error->status, error);
}

clscan_status clscan__mpi_agree(MPI_Comm communicator, clscan_status status, clscan_error *error)
{
    int rank, size, mine, first;

    CLSCAN__TRY_MPI(MPI_Comm_rank, (communicator, &rank));
    CLSCAN__TRY_MPI(MPI_Comm_size, (communicator, &size));
    mine = status == CLSCAN_OK ? size : rank;
    CLSCAN__TRY_MPI(MPI_Allreduce, (&mine, &first, 1, MPI_INT, MPI_MIN, communicator));
    if (first == size)
        return CLSCAN_OK;
    CLSCAN__TRY_MPI(MPI_Bcast, (error, (int)sizeof *error, MPI_BYTE, first, communicator));
    status = clscan__mpi_told(first, error);

cleanup:
    return status;
}
