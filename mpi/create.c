#include <stdlib.h>

#include <clscan/mpi.h>

#include "base/structs.h"
#include "devices/derive.h"
#include "fingerprint.h"
#include "object.h"

/* The rest is the same for all ranks, which have to call with a communicator. */
static clscan_status check_mpi(MPI_Comm communicator, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    int is_initialized, is_finalized, is_inter;

    MPI_Initialized(&is_initialized);
    MPI_Finalized(&is_finalized);
    CLSCAN__REQUIRE(is_initialized && !is_finalized, CLSCAN_ERROR_INVALID_VALUE, "MPI is %s",
                    is_finalized ? "finalized" : "not initialized");
    CLSCAN__REQUIRE(communicator != MPI_COMM_NULL, CLSCAN_ERROR_NULL_ARGUMENT, "communicator is MPI_COMM_NULL");
    CLSCAN__TRY_MPI(MPI_Comm_test_inter, (communicator, &is_inter));
    CLSCAN__REQUIRE(!is_inter, CLSCAN_ERROR_INVALID_VALUE, "communicator is an intercommunicator");

cleanup:
    return status;
}

/* What each rank checks by itself. */
static clscan_status take(cl_context context, cl_device_id device, const clscan_problem **problem,
                          clscan__problem_room *room, const clscan_plan_options **options,
                          clscan_plan_options *options_room, clscan_mpi **mpi, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    CLSCAN__REQUIRE(context != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "context is NULL");
    CLSCAN__REQUIRE(device != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "device is NULL");
    CLSCAN__REQUIRE(*problem != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "problem is NULL");
    CLSCAN__REQUIRE(mpi != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "mpi is NULL");
    if (*options != NULL)
        CLSCAN__TAKE(*options, *options_room);
    CLSCAN__TRY(clscan__problem_take(problem, room, error));
    CLSCAN__TRY(clscan__check_shared_problem(*problem, error));
    CLSCAN__REQUIRE((*problem)->rows == NULL, CLSCAN_ERROR_UNSUPPORTED_TYPE,
                    "problem->rows is set; of rows nothing travels: let each rank scan its own by clscan_run()");

cleanup:
    return status;
}

/* Collective. Every rank compares with rank 0. */
static clscan_status compare(MPI_Comm communicator, const clscan_problem *problem, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan__fingerprint own = clscan__fingerprint_of(problem);
    clscan__fingerprint first = own;
    const char *difference;

    CLSCAN__TRY_MPI(MPI_Bcast, (&first, (int)sizeof first, MPI_BYTE, 0, communicator));
    difference = clscan__fingerprint_difference(&own, &first);
    if (difference != NULL)
        status = clscan__error_set(error, CLSCAN_ERROR_INVALID_VALUE, "%s is not that of rank 0", difference);
    status = clscan__mpi_agree(communicator, status, error);

cleanup:
    return status;
}

static clscan_status open_rank(clscan_mpi *mpi, MPI_Comm communicator, cl_context context, cl_device_id device,
                               const clscan_problem *problem, const clscan_plan_options *options, clscan_error *error)
{
    clscan_status status;
    clscan__rank *rank = &mpi->rank;
    size_t values;
    int index, count;

    CLSCAN__TRY_MPI(MPI_Comm_rank, (communicator, &index));
    CLSCAN__TRY_MPI(MPI_Comm_size, (communicator, &count));
    rank->index = (size_t)index;
    rank->count = (size_t)count;
    CLSCAN__TRY(clscan__rank_open(rank, context, device, problem, options, error));
    values = rank->is_ordered ? CLSCAN__PART_VALUES : 1;
    mpi->record_bytes = 1 + values * rank->sum_bytes;
    mpi->records = calloc(rank->count, mpi->record_bytes);
    mpi->before = calloc((rank->is_ordered ? CLSCAN__MOST_STATE_NODES : 0) + rank->count * values, rank->sum_bytes);
    mpi->places = calloc(rank->count, sizeof *mpi->places);
    CLSCAN__REQUIRE(mpi->records != NULL && mpi->before != NULL && mpi->places != NULL, CLSCAN_ERROR_OUT_OF_MEMORY,
                    "no memory for the sums of %zu ranks", rank->count);

cleanup:
    return status;
}

static clscan_status duplicate(MPI_Comm communicator, MPI_Comm *made, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    CLSCAN__TRY_MPI(MPI_Comm_dup, (communicator, made));
    CLSCAN__TRY_MPI(MPI_Comm_set_errhandler, (*made, MPI_ERRORS_RETURN));

cleanup:
    return status;
}

clscan_status clscan_mpi_create(MPI_Comm communicator, cl_context context, cl_device_id device,
                                const clscan_problem *problem, const clscan_plan_options *options, clscan_mpi **mpi,
                                clscan_error *error)
{
    clscan_status status;
    clscan_error own_error;
    clscan__problem_room room;
    clscan_plan_options options_room;
    MPI_Comm duplicated = MPI_COMM_NULL;
    clscan_mpi *made = NULL;

    if (error == NULL)
        error = &own_error;
    CLSCAN__TRY(check_mpi(communicator, error));
    CLSCAN__TRY(duplicate(communicator, &duplicated, error));
    status = take(context, device, &problem, &room, &options, &options_room, mpi, error);
    if (status == CLSCAN_OK && (made = calloc(1, sizeof *made)) == NULL)
        status = clscan__error_set(error, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for a rank");
    CLSCAN__TRY(clscan__mpi_agree(duplicated, status, error));
    CLSCAN__TRY(compare(duplicated, problem, error));
    status = open_rank(made, duplicated, context, device, problem, options, error);
    CLSCAN__TRY(clscan__mpi_agree(duplicated, status, error));
    made->communicator = duplicated;
    *mpi = made;
    made = NULL;
    duplicated = MPI_COMM_NULL;

cleanup:
    if (made != NULL)
        made->communicator = MPI_COMM_NULL; /* freed below, also where there is no object */
    clscan_mpi_destroy(made);
    if (duplicated != MPI_COMM_NULL)
        MPI_Comm_free(&duplicated);
    return status;
}

void clscan_mpi_destroy(clscan_mpi *mpi)
{
    int is_finalized;

    if (mpi == NULL)
        return;
    MPI_Finalized(&is_finalized);
    clscan__run_end(mpi, !is_finalized);
    if (!is_finalized && mpi->communicator != MPI_COMM_NULL)
        MPI_Comm_free(&mpi->communicator);
    clscan__rank_close(&mpi->rank);
    free(mpi->records);
    free(mpi->before);
    free(mpi->places);
    free(mpi);
}

uint64_t clscan_mpi_state_bytes(const clscan_mpi *mpi)
{
    return mpi == NULL || !mpi->rank.is_ordered ? 0 : CLSCAN__MOST_STATE_NODES * mpi->rank.sum_bytes;
}
