/* Each OpenCL call of a rank's life fails once, on each rank: all ranks get an error that names the rank and the call,
 * or a right result; none waits for ever, nothing is left, and the next run is right.
 *
 * ctest runs this as it does test_mpi.c, with OPENCL_LAYERS naming the fault layer (tests/support/fault_layer.c). */
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "fault_control.h"
#include "rank_rig.h"

enum { COUNT = 300, FAULT_CODE = CL_OUT_OF_HOST_MEMORY };

static fault_control layer;

static const group_case parts = {.counts = {COUNT, 200, COUNT, 100, 0, 1, COUNT, 64}, .total = true, .seed = 3};

static int setup(void **state)
{
    return fault_control_open(&layer) != 0 ? -1 : test_live_setup(state);
}

static clscan_problem sum_problem(void)
{
    return test_problem(CLSCAN_UINT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, COUNT);
}

static void arm(const rank_rig *rig, size_t culprit, unsigned nth)
{
    if (rig->rank == culprit)
        layer.arm(TEST_FAULT_ANY_CALL, nth, FAULT_CODE);
}

/* Did the fault strike on the culprit? Then an error must tell it, on all ranks; and all have one answer. */
static bool is_told(const rank_rig *rig, size_t culprit, clscan_status status, const clscan_error *error)
{
    int struck = rig->rank == culprit ? (int)layer.struck() : 0, answer = (int)status;
    char name[32];

    if (rig->rank == culprit && layer.disarm() == 0)
        struck = -1;
    MPI_Bcast(&struck, 1, MPI_INT, (int)culprit, rig->communicator);
    MPI_Bcast(&answer, 1, MPI_INT, (int)culprit, rig->communicator);
    assert_int_equal(status, answer);
    if (struck < 0) {
        assert_status(CLSCAN_OK, status, error);
        return false;
    }
    snprintf(name, sizeof name, "rank %zu: ", culprit);
    if (status != CLSCAN_OK && (error->cl_code != FAULT_CODE || strncmp(error->message, name, strlen(name)) != 0 ||
                                strstr(error->message, fault_call_name((test_fault_call)struck)) == NULL))
        fail_msg("%s failed on rank %zu: %s, %s", fault_call_name((test_fault_call)struck), culprit,
                 clscan_status_name(status), error->message);
    return true;
}

static clscan_status create(const rank_rig *rig, const clscan_problem *problem, clscan_mpi **mpi, clscan_error *error)
{
    const clscan_member *member = &rig->group.members[rig->rank];

    return clscan_mpi_create(rig->communicator, member->context, member->device, problem, NULL, mpi, error);
}

static void survive_creating(const test_live *live, const clscan_problem *problem)
{
    clscan_mpi *keeper = NULL; /* of programs, which need not be compiled again and again */
    clscan_error first_error = {0};
    fault_balance before;
    rank_rig rig;

    rank_rig_open(&rig, live, false);
    before = fault_balance_take(&layer);
    assert_status(CLSCAN_OK, create(&rig, problem, &keeper, &first_error), &first_error);
    for (size_t culprit = 0; culprit < rig.group.count; ++culprit) {
        bool struck = true;
        unsigned nth;

        for (nth = 1; struck; ++nth) {
            clscan_mpi *mpi = NULL;
            clscan_error error = {0};
            clscan_status status;

            arm(&rig, culprit, nth);
            status = create(&rig, problem, &mpi, &error);
            struck = is_told(&rig, culprit, status, &error);
            assert_int_equal(status == CLSCAN_OK, mpi != NULL);
            clscan_mpi_destroy(mpi);
        }
        assert_true(nth > 10); /* or there was nothing to fail */
    }
    clscan_mpi_destroy(keeper);
    assert_int_equal(fault_balance_compare(&layer, &before, "after creating"), 0);
    rank_rig_close(&rig);
}

static void creating_survives(void **state)
{
    const clscan_problem problem = sum_problem();
    clscan_problem ordered =
        test_problem(CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, CLSCAN_REPRODUCIBLE_STEP);

    survive_creating(*state, &problem);
    ordered.reproducible = 1;
    if (test_keeps_subnormals(*state))
        survive_creating(*state, &ordered);
}

/* `backwards`: ranks in another order, and by asking, not by waiting. */
static void survive(const test_live *live, const clscan_problem *problem, const group_case *test, bool backwards)
{
    clscan_mpi *mpi = NULL;
    clscan_error error = {0};
    fault_balance before;
    rank_rig rig;
    unsigned wrong = 0;

    rank_rig_open(&rig, live, backwards);
    before = fault_balance_take(&layer);
    assert_status(CLSCAN_OK, create(&rig, problem, &mpi, &error), &error);
    for (size_t culprit = 0; culprit < rig.group.count; ++culprit) {
        bool struck = true;
        unsigned nth;

        for (nth = 1; struck; ++nth) {
            const cl_command_queue queue = rig.group.members[rig.rank].queue;
            clscan_run_args args;
            clscan_status status;
            group_work work;

            assert_true(group_work_prepare(&work, &rig.group, problem, NULL, test));
            args = rank_rig_args(&rig, &work);
            arm(&rig, culprit, nth);
            status = backwards ? rank_rig_poll(mpi, queue, &args, &error)
                               : clscan_mpi_run(mpi, queue, &args, 0, NULL, NULL, &error);
            struck = is_told(&rig, culprit, status, &error);
            assert_cl(clFinish(queue));
            if (status == CLSCAN_OK)
                wrong += group_work_compare_part(&work, rig.rank);
            group_work_free(&work);
            wrong += rank_rig_case(mpi, &rig, problem, NULL, test);
        }
        assert_true(nth > 3);
    }
    clscan_mpi_destroy(mpi);
    assert_int_equal(wrong, 0);
    assert_int_equal(fault_balance_compare(&layer, &before, "after running"), 0);
    rank_rig_close(&rig);
}

static void running_survives(void **state)
{
    const clscan_problem problem = sum_problem();

    survive(*state, &problem, &parts, false);
    survive(*state, &problem, &parts, true);
}

/* With a total that no rank scans. */
static void reproducible_runs_survive(void **state)
{
    enum { STEP = CLSCAN_REPRODUCIBLE_STEP };
    const test_live *live = *state;
    clscan_problem problem = test_problem(CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 2 * STEP);
    const group_case test = {
        .counts = {STEP + 1100, 0}, .total = true, .initial = CLSCAN_CASE_DEVICE_INITIAL, .seed = 3};
    int size;

    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > 2 || !test_keeps_subnormals(live)) /* many calls, each of which fails on each rank */
        skip();
    problem.reproducible = 1;
    survive(live, &problem, &test, size == 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(creating_survives),
        cmocka_unit_test(running_survives),
        cmocka_unit_test(reproducible_runs_survive),
    };
    int failed;

    MPI_Init(NULL, NULL);
    failed = cmocka_run_group_tests(tests, setup, test_live_teardown);
    MPI_Finalize();
    return failed;
}
