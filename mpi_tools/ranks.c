#include "ranks.h"

#include <stdio.h>

#include "command_line/failure.h"
#include "mpi/agree.h"

enum { MOST_DEVICES = 256, DEVICE_NUMBER_BYTES = 24 };

clscan_status ranks_open(ranks *r, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    MPI_Comm local = MPI_COMM_NULL;

    *r = (ranks){.all = MPI_COMM_NULL};
    CLSCAN__TRY_MPI(MPI_Comm_dup, (MPI_COMM_WORLD, &r->all));
    CLSCAN__TRY_MPI(MPI_Comm_set_errhandler, (r->all, MPI_ERRORS_RETURN));
    CLSCAN__TRY_MPI(MPI_Comm_rank, (r->all, &r->rank));
    CLSCAN__TRY_MPI(MPI_Comm_size, (r->all, &r->count));
    CLSCAN__TRY_MPI(MPI_Comm_split_type, (r->all, MPI_COMM_TYPE_SHARED, r->rank, MPI_INFO_NULL, &local));
    CLSCAN__TRY_MPI(MPI_Comm_rank, (local, &r->local));
    CLSCAN__TRY_MPI(MPI_Comm_size, (local, &r->local_count));

cleanup:
    if (local != MPI_COMM_NULL)
        MPI_Comm_free(&local);
    return status;
}

void ranks_close(ranks *r)
{
    if (r->all != MPI_COMM_NULL)
        MPI_Comm_free(&r->all);
}

clscan_status ranks_agree(const ranks *r, clscan_status status, clscan_error *error)
{
    return r->count > 1 ? clscan__mpi_agree(r->all, status, error) : status;
}

/* Where the share begins that comes so late in the order of the scan. */
static uint64_t begin_of(const ranks *r, uint64_t count, uint64_t step, uint64_t turn)
{
    const uint64_t steps = count / step + (count % step != 0), each = steps / (uint64_t)r->count,
                   more = steps % (uint64_t)r->count;
    const uint64_t begin = each * turn + (turn < more ? turn : more);

    return begin < steps ? begin * step : count;
}

share ranks_share(const ranks *r, uint64_t count, uint64_t step, bool reverse)
{
    const uint64_t turn = (uint64_t)(reverse ? r->count - 1 - r->rank : r->rank);
    const uint64_t begin = begin_of(r, count, step, turn), end = begin_of(r, count, step, turn + 1);

    return (share){.first = reverse ? count - end : begin, .count = end - begin};
}

/* The number of the device whose turn it is, as clscan_device_find() takes it. */
static clscan_status find_own(const ranks *r, char number[DEVICE_NUMBER_BYTES], clscan_error *error)
{
    clscan_status status;
    cl_device_id devices[MOST_DEVICES];
    size_t gpus[MOST_DEVICES], gpu_count = 0, count, taken;

    TRY(clscan_device_list(devices, MOST_DEVICES, &count, error));
    count = count < MOST_DEVICES ? count : MOST_DEVICES;
    for (size_t i = 0; i < count; ++i) {
        cl_device_type type = 0;

        TRY_CL(clGetDeviceInfo, (devices[i], CL_DEVICE_TYPE, sizeof type, &type, NULL));
        if ((type & CL_DEVICE_TYPE_GPU) != 0)
            gpus[gpu_count++] = i;
    }
    taken = gpu_count > 0 ? gpus[(size_t)r->local % gpu_count] : (size_t)r->local % count;
    snprintf(number, DEVICE_NUMBER_BYTES, "%zu", taken);

cleanup:
    return status;
}

clscan_status ranks_target(const ranks *r, const char *device, const char *config, target *where, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    char number[DEVICE_NUMBER_BYTES];

    if (device == NULL)
        TRY(find_own(r, number, error));
    TRY(target_find(where, device != NULL ? device : number, config, error));
    TRY(target_start(where, error));

cleanup:
    return status;
}
