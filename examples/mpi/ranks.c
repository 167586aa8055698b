/* One scan over the ranks of MPI, each of which has a part on a device of its own, and does something else meanwhile.
 * Start it by mpirun. */
#include <clscan/mpi.h>

#include "../example.h"

enum { MOST = 100000 };

static unsigned data[MOST];

int main(int argc, char **argv)
{
    const clscan_problem problem = {.struct_size = sizeof problem, .type = CLSCAN_UINT32, .max_count = MOST};
    clscan_run_args args = {.struct_size = sizeof args};
    clscan_mpi *mpi = NULL;
    clscan_error error = {0};
    cl_event scanned = NULL;
    cl_device_id device;
    unsigned long before = 0, turns = 0;
    int rank, done = 0, right = 1;
    cl_int code;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    must(clscan_device_find(NULL, &device, &error), &error); /* on a machine with several, one for each rank */
    const cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    must_cl(code, "clCreateContext");
    const cl_command_queue queue = open_queue(context, device, 0);

    /* Parts may have any sizes, and be empty. */
    args.count = (unsigned)rank % 3 == 2 ? 0 : MOST - 1000 * ((unsigned)rank % 7);
    for (unsigned i = 0; i < args.count; ++i)
        data[i] = 1;
    args.in.buffer = open_buffer(context, sizeof data, data);
    args.out = args.in; /* in place */
    must(clscan_mpi_create(MPI_COMM_WORLD, context, device, &problem, NULL, &mpi, &error), &error);

    must(clscan_mpi_start(mpi, queue, &args, 0, NULL, &error), &error);
    for (; !done; ++turns) /* whatever else there is to do */
        must(clscan_mpi_test(mpi, &done, &scanned, &error), &error);
    must_cl(clEnqueueReadBuffer(queue, args.out.buffer, CL_TRUE, 0, sizeof data, data, 1, &scanned, NULL),
            "clEnqueueReadBuffer");

    for (int other = 0; other < rank; ++other)
        before += other % 3 == 2 ? 0 : MOST - 1000 * ((unsigned long)other % 7);
    for (unsigned i = 0; i < args.count; ++i)
        right = right && data[i] == before + i + 1;
    printf("rank %d: %u elements behind %lu others, %lu turns: %s\n", rank, (unsigned)args.count, before, turns,
           right ? "right" : "wrong");
    clReleaseEvent(scanned);
    clscan_mpi_destroy(mpi);
    clReleaseMemObject(args.in.buffer);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    MPI_Finalize();
    return right ? 0 : 1;
}
