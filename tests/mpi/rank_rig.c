#include "rank_rig.h"

#include "cmocka_all.h"

void rank_rig_open(rank_rig *rig, const test_live *live, bool backwards)
{
    int rank, size;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, 0, backwards ? -rank : rank, &rig->communicator);
    MPI_Comm_rank(rig->communicator, &rank);
    MPI_Comm_size(rig->communicator, &size);
    assert_in_range(size, 1, GROUP_ROOM);
    rig->rank = (size_t)rank;
    assert_true(group_rig_open(&rig->group, live, GROUP_OF_QUEUES, (size_t)size, backwards));
}

void rank_rig_close(rank_rig *rig)
{
    group_rig_close(&rig->group);
    MPI_Comm_free(&rig->communicator);
}

clscan_run_args rank_rig_args(const rank_rig *rig, const group_work *work)
{
    const clscan_part *part = &work->parts[rig->rank];
    const bool reverse = work->problem->direction == CLSCAN_REVERSE;
    const size_t last = rig->group.count - 1;
    clscan_run_args args = {.struct_size = sizeof args, .in = part->in, .out = part->out, .count = part->count};

    if (rig->rank == (reverse ? last : 0))
        args.initial = work->args.initial;
    if (rig->rank == (reverse ? 0 : last))
        args.total = work->args.total;
    return args;
}

clscan_status rank_rig_run(clscan_mpi *mpi, const rank_rig *rig, const group_work *work, clscan_error *error)
{
    const clscan_run_args args = rank_rig_args(rig, work);
    cl_event event = NULL;
    const clscan_status status =
        clscan_mpi_run(mpi, rig->group.members[rig->rank].queue, &args, 0, NULL, &event, error);

    assert_int_equal(status == CLSCAN_OK, event != NULL);
    if (event != NULL) {
        assert_cl(clWaitForEvents(1, &event));
        clReleaseEvent(event);
    }
    return status;
}

clscan_status rank_rig_poll(clscan_mpi *mpi, cl_command_queue queue, const clscan_run_args *args, clscan_error *error)
{
    clscan_status status;
    int done = 0;

    assert_status(CLSCAN_OK, clscan_mpi_start(mpi, queue, args, 0, NULL, error), error);
    do
        status = clscan_mpi_test(mpi, &done, NULL, error);
    while (status == CLSCAN_OK && !done);
    return status;
}

unsigned rank_rig_case(clscan_mpi *mpi, const rank_rig *rig, const clscan_problem *problem,
                       const clscan_sample_operator *sample, const group_case *test)
{
    group_work work;
    clscan_error error = {0};
    unsigned wrong = 0;

    if (group_work_prepare(&work, &rig->group, problem, sample, test)) {
        assert_status(CLSCAN_OK, rank_rig_run(mpi, rig, &work, &error), &error);
        wrong = group_work_compare_part(&work, rig->rank);
    }
    group_work_free(&work);
    return wrong;
}
