/* Each OpenCL call of a rank's life fails once, on each rank, and all calls from each on, as those of a device that is
 * lost: all ranks get an error that names the rank, or a right result; none waits for ever, nothing is left, and the
 * next run is right.
 *
 * ctest runs this as it does test_mpi.c, with OPENCL_LAYERS naming the fault layer (tests/support/fault_layer.c). */
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "fault_control.h"
#include "rank_rig.h"

enum { COUNT = 300, FAULT_CODE = CL_OUT_OF_HOST_MEMORY };

static fault_control layer;

/* The second is empty, so that few ranks have one such. */
static const group_case parts = {.counts = {COUNT, 0, COUNT, 100, 200, 1, COUNT, 64}, .total = true, .seed = 3};

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
    group_work work;
    rank_rig rig;
    unsigned wrong = 0;

    rank_rig_open(&rig, live, backwards);
    before = fault_balance_take(&layer);
    assert_status(CLSCAN_OK, create(&rig, problem, &mpi, &error), &error);
    assert_true(group_work_prepare(&work, &rig.group, problem, NULL, test));
    for (size_t culprit = 0; culprit < rig.group.count; ++culprit) {
        bool struck = true;
        unsigned nth;

        for (nth = 1; struck; ++nth) {
            const cl_command_queue queue = rig.group.members[rig.rank].queue;
            clscan_run_args args;
            clscan_status status;

            group_work_renew(&work);
            args = rank_rig_args(&rig, &work);
            arm(&rig, culprit, nth);
            status = backwards ? rank_rig_poll(mpi, queue, &args, &error)
                               : clscan_mpi_run(mpi, queue, &args, 0, NULL, NULL, &error);
            struck = is_told(&rig, culprit, status, &error);
            assert_cl(clFinish(queue));
            if (status == CLSCAN_OK)
                wrong += group_work_compare_part(&work, rig.rank);
            group_work_renew(&work);
            assert_status(CLSCAN_OK, rank_rig_run(mpi, &rig, &work, &error), &error);
            wrong += group_work_compare_part(&work, rig.rank);
        }
        assert_true(nth > 3);
    }
    group_work_free(&work);
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

/* From its nth use of a queue on the culprit has no device, until it is given back. Tells how many calls that refused,
 * there, to all ranks. */
static void lose(const rank_rig *rig, size_t culprit, unsigned nth)
{
    if (rig->rank == culprit)
        layer.lose(rig->group.members[rig->rank].context, nth);
}

static int give_back(const rank_rig *rig, size_t culprit)
{
    int refused = rig->rank == culprit ? (int)layer.lose(NULL, 0) : 0;

    MPI_Bcast(&refused, 1, MPI_INT, (int)culprit, rig->communicator);
    return refused;
}

/* All ranks have one answer: that of the rank without a device, which its message names, or that all is well. */
static void expect_loss(const rank_rig *rig, size_t culprit, clscan_status status, const clscan_error *error)
{
    int answer = (int)status;
    char name[32];

    MPI_Bcast(&answer, 1, MPI_INT, (int)culprit, rig->communicator);
    assert_int_equal(status, answer);
    snprintf(name, sizeof name, "rank %zu: ", culprit);
    if (status != CLSCAN_OK && (status != CLSCAN_ERROR_OPENCL || strncmp(error->message, name, strlen(name)) != 0))
        fail_msg("without the device of rank %zu: %s, %s", culprit, clscan_status_name(status), error->message);
}

/* One run without a device from the nth call on; then the same on the same buffers, whose inputs are as they were.
 * Returns how many calls were refused. */
static int run_without(clscan_mpi *mpi, const rank_rig *rig, size_t culprit, unsigned nth, bool asking, unsigned *wrong)
{
    const clscan_problem problem = sum_problem();
    const cl_command_queue queue = rig->group.members[rig->rank].queue;
    clscan_error error = {0};
    clscan_status status;
    clscan_run_args args;
    group_work work;
    int refused;

    assert_true(group_work_prepare(&work, &rig->group, &problem, NULL, &parts));
    args = rank_rig_args(rig, &work);
    lose(rig, culprit, nth);
    status =
        asking ? rank_rig_poll(mpi, queue, &args, &error) : clscan_mpi_run(mpi, queue, &args, 0, NULL, NULL, &error);
    refused = give_back(rig, culprit);
    expect_loss(rig, culprit, status, &error);
    assert_true(refused > 0 || status == CLSCAN_OK);
    assert_true(refused == 0 || nth > 1 || status != CLSCAN_OK);
    assert_cl(clFinish(queue));
    assert_status(CLSCAN_OK, rank_rig_run(mpi, rig, &work, &error), &error);
    *wrong += group_work_compare_part(&work, rig->rank);
    group_work_free(&work);
    return refused;
}

/* A device is lost in the midst of a run, by each of its calls: all ranks are told which, none waits for ever, and all
 * scan again when it is back. */
static void a_device_is_lost(void **state)
{
    const clscan_problem problem = sum_problem();
    clscan_mpi *mpi = NULL;
    clscan_error error = {0};
    fault_balance before;
    rank_rig rig;
    unsigned wrong = 0;

    rank_rig_open(&rig, *state, false);
    before = fault_balance_take(&layer);
    assert_status(CLSCAN_OK, create(&rig, &problem, &mpi, &error), &error);
    for (size_t culprit = 0; culprit < rig.group.count; ++culprit) {
        for (int asking = 0; asking < 2; ++asking) {
            unsigned nth = 1;

            while (run_without(mpi, &rig, culprit, nth, asking != 0, &wrong) > 0)
                ++nth;
            assert_true(nth > 1 || parts.counts[culprit] == 0); /* or there was nothing to lose */
        }
    }
    clscan_mpi_destroy(mpi);
    assert_int_equal(wrong, 0);
    assert_int_equal(fault_balance_compare(&layer, &before, "after a device was lost"), 0);
    rank_rig_close(&rig);
}

/* Before the object is there, which no rank then has. */
static void creating_without_a_device(void **state)
{
    const clscan_problem problem = sum_problem();
    fault_balance before;
    rank_rig rig;

    rank_rig_open(&rig, *state, false);
    before = fault_balance_take(&layer);
    for (size_t culprit = 0; culprit < rig.group.count; ++culprit) {
        int refused = 1;

        for (unsigned nth = 1; refused > 0; ++nth) {
            clscan_mpi *mpi = NULL;
            clscan_error error = {0};
            clscan_status status;

            lose(&rig, culprit, nth);
            status = create(&rig, &problem, &mpi, &error);
            refused = give_back(&rig, culprit);
            expect_loss(&rig, culprit, status, &error);
            assert_int_equal(status == CLSCAN_OK, mpi != NULL);
            assert_true(nth > 1 || status != CLSCAN_OK);
            clscan_mpi_destroy(mpi);
        }
    }
    assert_int_equal(fault_balance_compare(&layer, &before, "after creating without a device"), 0);
    rank_rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(creating_survives),         cmocka_unit_test(running_survives),
        cmocka_unit_test(reproducible_runs_survive), cmocka_unit_test(creating_without_a_device),
        cmocka_unit_test(a_device_is_lost),
    };
    int failed;

    MPI_Init(NULL, NULL);
    failed = cmocka_run_group_tests(tests, setup, test_live_teardown);
    MPI_Finalize();
    return failed;
}
