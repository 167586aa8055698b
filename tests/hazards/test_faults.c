/* OpenCL calls that fail at every place: a clear error, no leak, and right answers afterwards.
 *
 * ctest runs this with OPENCL_LAYERS naming the fault layer (tests/support/fault_layer.c). */
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "fault_control.h"
#include "live.h"
#include "problem_of.h"

enum { COUNT = 5000 };

/* What clCreateBuffer, enqueues and the rest give when the device is out of something. */
enum { FAULT_CODE = CL_OUT_OF_RESOURCES };

static fault_control layer;

static int setup(void **state)
{
    return fault_control_open(&layer) != 0 ? -1 : test_live_setup(state);
}

static const clscan_problem problem = {.struct_size = sizeof(clscan_problem),
                                       .type = CLSCAN_UINT32,
                                       .op = CLSCAN_ADD,
                                       .form = CLSCAN_INCLUSIVE,
                                       .direction = CLSCAN_FORWARD,
                                       .max_count = COUNT};

/* Small tiles of one launch and of several. */
#define SMALL                                                                                        \
    .body = CLSCAN_BODY_STRIDED, .group_scan = CLSCAN_GROUP_SCAN_KOGGE_STONE, .work_group_size = 16, \
    .vector_length = 2, .register_pieces = 1, .local_pieces = 1
static const clscan_variant variants[] = {
    {SMALL, .carry = CLSCAN_CARRY_ADJACENT, .order = CLSCAN_ORDER_DYNAMIC, .tiles_per_work_group = 1},
    {SMALL, .carry = CLSCAN_CARRY_REDUCE_THEN_SCAN, .work_groups_per_unit = 4},
    {SMALL, .carry = CLSCAN_CARRY_SCAN_THEN_ADD, .work_groups_per_unit = 4},
};

/* Create, bind, run and destroy give back every reference. */
static void references_are_given_back(void **state)
{
    const test_live *live = *state;
    unsigned failures = 0;

    for (size_t v = 0; v < sizeof variants / sizeof variants[0]; ++v) {
        const clscan_plan_options options = {.struct_size = sizeof options, .variant = &variants[v]};
        const fault_balance before = fault_balance_take(&layer);
        clscan_case_fixture fixture;

        if (clscan_variant_check(&variants[v], PROBLEM_OF(CLSCAN_UINT32, CLSCAN_ADD), 0, &live->info, NULL) !=
            CLSCAN_OK)
            continue;
        test_prepare(live, &problem, NULL, &options, &fixture);
        /* The layer does count: a plan keeps a program, a bound workspace kernels and a buffer. */
        assert_true(layer.live(TEST_FAULT_OBJECT_KERNEL) > before.live[TEST_FAULT_OBJECT_KERNEL]);
        assert_true(layer.live(TEST_FAULT_OBJECT_MEM) > before.live[TEST_FAULT_OBJECT_MEM]);
        for (uint64_t i = 0; i < 5; ++i) {
            const clscan_case test = {
                .count = COUNT, .in_place = i % 2 == 1, .initial = (clscan_case_initial)(i % 3), .total = 1, .seed = i};
            failures += test_case(&fixture, &test);
        }
        clscan_case_release(&fixture);
        assert_cl(clFinish(live->queue));
        failures += fault_balance_compare(&layer, &before, "after a whole life");
    }
    assert_int_equal(failures, 0);
}

/* Does this error describe the fault? The compiler's failures have their own status. */
static int is_honest(clscan_status status, const clscan_error *error, test_fault_call call)
{
    if (call == TEST_FAULT_clBuildProgram && status == CLSCAN_ERROR_BUILD)
        return 1;
    return status == CLSCAN_ERROR_OPENCL && error->status == status && error->cl_code == FAULT_CODE &&
           strstr(error->message, fault_call_name(call)) != NULL;
}

/* The nth call of each kind fails while a plan and a workspace are made and bound. */
static void creating_survives_any_failing_call(void **state)
{
    const test_live *live = *state;
    const clscan_variant *variant =
        clscan_variant_check(&variants[0], PROBLEM_OF(CLSCAN_UINT32, CLSCAN_ADD), 0, &live->info, NULL) == CLSCAN_OK
            ? &variants[0]
            : &variants[1];
    const clscan_plan_options options = {.struct_size = sizeof options, .variant = variant};
    unsigned failures = 0;
    unsigned met = 0;

    for (int c = 0; c < TEST_FAULT_CALL_COUNT; ++c) {
        const test_fault_call call = (test_fault_call)c;
        for (unsigned nth = 1; nth <= 20; ++nth) {
            const fault_balance before = fault_balance_take(&layer);
            clscan_case_fixture fixture = {.context = live->context, .device = live->device, .queue = live->queue};
            clscan_error error = {0};

            layer.arm(call, nth, FAULT_CODE);
            const clscan_status status = clscan_case_prepare(&fixture, &problem, NULL, &options, &error);
            const int struck = layer.disarm();
            met += (unsigned)struck;
            if (status == CLSCAN_OK) {
                const clscan_case test = {.count = COUNT, .total = 1, .seed = nth};
                failures += test_case(&fixture, &test);
                clscan_case_release(&fixture);
            } else if (!struck || !is_honest(status, &error, call)) {
                print_error("call %u of %s failed: %s, code %d: %s\n", nth, fault_call_name(call),
                            clscan_status_name(status), error.cl_code, error.message);
                ++failures;
            }
            assert_cl(clFinish(live->queue));
            if (fault_balance_compare(&layer, &before, fault_call_name(call)) != 0) {
                print_error("  after call %u of %s failed\n", nth, fault_call_name(call));
                ++failures;
            }
            if (!struck)
                break; /* there are no more calls of this kind */
        }
    }
    print_message("%u calls were made to fail\n", met);
    assert_true(met >= 5);
    assert_int_equal(failures, 0);
}

/* One run on buffers that exist already, so that only the library's calls can meet the fault. */
typedef struct desk {
    clscan_case_fixture fixture;
    clscan_run_args args;
    uint32_t in_data[COUNT];
    uint32_t expected[COUNT];
    uint32_t got[COUNT];
} desk;

/* Returns 0 if the device cannot run the variant. in_data is there already. */
static int open_desk(const test_live *live, const clscan_variant *variant, desk *d)
{
    const clscan_plan_options options = {.struct_size = sizeof options, .variant = variant};

    if (clscan_variant_check(variant, PROBLEM_OF(CLSCAN_UINT32, CLSCAN_ADD), 0, &live->info, NULL) != CLSCAN_OK)
        return 0;
    test_prepare(live, &problem, NULL, &options, &d->fixture);
    d->args = (clscan_run_args){.struct_size = sizeof d->args, .count = COUNT};
    d->args.in.buffer = test_buffer(live, CL_MEM_READ_ONLY, sizeof d->in_data, d->in_data);
    d->args.out.buffer = test_buffer(live, CL_MEM_READ_WRITE, sizeof d->got, NULL);
    return 1;
}

static void close_desk(desk *d)
{
    clReleaseMemObject(d->args.in.buffer);
    clReleaseMemObject(d->args.out.buffer);
    clscan_case_release(&d->fixture);
}

static unsigned run_is_right(const test_live *live, desk *d, const char *when)
{
    clscan_error error = {0};
    const clscan_status status =
        clscan_run(d->fixture.plan, d->fixture.workspace, live->queue, &d->args, 0, NULL, NULL, &error);

    if (status != CLSCAN_OK) {
        print_error("%s: %s: %s\n", when, clscan_status_name(status), error.message);
        return 1;
    }
    memset(d->got, 0, sizeof d->got);
    test_read(live, d->args.out.buffer, sizeof d->got, d->got);
    if (memcmp(d->got, d->expected, sizeof d->got) != 0) {
        print_error("%s: wrong sums\n", when);
        return 1;
    }
    return 0;
}

/* The nth call of each kind fails during a run, for each carry; the next run must be right. A run
 * of several launches that fails at its second one has left half of its work behind. */
static void running_survives_any_failing_call(void **state)
{
    const test_live *live = *state;
    static desk d;
    unsigned failures = 0;
    unsigned met = 0;
    uint32_t sum = 0;

    clscan_generate(CLSCAN_GENERATE_UNIFORM, CLSCAN_UINT32, 4, 0, COUNT, d.in_data);
    for (size_t i = 0; i < COUNT; ++i)
        d.expected[i] = sum += d.in_data[i];
    for (size_t v = 0; v < sizeof variants / sizeof variants[0]; ++v) {
        if (!open_desk(live, &variants[v], &d))
            continue;
        failures += run_is_right(live, &d, "before any fault");
        for (int c = 0; c < TEST_FAULT_CALL_COUNT; ++c) {
            const test_fault_call call = (test_fault_call)c;
            for (unsigned nth = 1; nth <= 60; ++nth) {
                const fault_balance before = fault_balance_take(&layer);
                clscan_error error = {0};
                cl_event event = NULL;
                const int wants_event = nth % 2 == 0;

                layer.arm(call, nth, FAULT_CODE);
                const clscan_status status = clscan_run(d.fixture.plan, d.fixture.workspace, live->queue, &d.args, 0,
                                                        NULL, wants_event ? &event : NULL, &error);
                const int struck = layer.disarm();
                met += (unsigned)struck;
                if (status != CLSCAN_OK && (!struck || !is_honest(status, &error, call))) {
                    print_error("variant %zu, call %u of %s failed: %s, code %d: %s\n", v, nth, fault_call_name(call),
                                clscan_status_name(status), error.cl_code, error.message);
                    ++failures;
                }
                if ((status == CLSCAN_OK && wants_event) != (event != NULL)) {
                    print_error("variant %zu, call %u of %s: event %s\n", v, nth, fault_call_name(call),
                                event != NULL ? "given with an error" : "missing");
                    ++failures;
                }
                if (event != NULL)
                    clReleaseEvent(event);
                failures += run_is_right(live, &d, fault_call_name(call));
                failures += run_is_right(live, &d, fault_call_name(call));
                assert_cl(clFinish(live->queue));
                /* The workspace may hold its last event; twice it may not. */
                const long events = layer.live(TEST_FAULT_OBJECT_EVENT) - before.live[TEST_FAULT_OBJECT_EVENT];
                if (events > 1 || events < -1) {
                    print_error("variant %zu, call %u of %s: %+ld events\n", v, nth, fault_call_name(call), events);
                    ++failures;
                }
                if (!struck)
                    break;
            }
        }
        close_desk(&d);
    }
    print_message("%u calls were made to fail\n", met);
    assert_true(met >= 5);
    assert_int_equal(failures, 0);
}

/* clscan_run() promises one launch for carries of one launch, and no other command in the hot path.
 */
static void a_run_enqueues_its_launches_and_nothing_else(void **state)
{
    const test_live *live = *state;
    static desk d;
    static const unsigned long launches[] = {1, 3, 3}; /* at most, per variant above */
    static const test_fault_call forbidden[] = {
        TEST_FAULT_clCreateBuffer,      TEST_FAULT_clCreateSubBuffer,    TEST_FAULT_clCreateProgramWithSource,
        TEST_FAULT_clBuildProgram,      TEST_FAULT_clCreateKernel,       TEST_FAULT_clEnqueueFillBuffer,
        TEST_FAULT_clEnqueueReadBuffer, TEST_FAULT_clEnqueueWriteBuffer, TEST_FAULT_clEnqueueCopyBuffer};
    unsigned failures = 0;

    for (size_t v = 0; v < sizeof variants / sizeof variants[0]; ++v) {
        clscan_error error = {0};
        unsigned long before[TEST_FAULT_CALL_COUNT];

        if (!open_desk(live, &variants[v], &d))
            continue;
        for (int c = 0; c < TEST_FAULT_CALL_COUNT; ++c)
            before[c] = layer.calls((test_fault_call)c);
        assert_status(CLSCAN_OK,
                      clscan_run(d.fixture.plan, d.fixture.workspace, live->queue, &d.args, 0, NULL, NULL, &error),
                      &error);
        const unsigned long launched =
            layer.calls(TEST_FAULT_clEnqueueNDRangeKernel) - before[TEST_FAULT_clEnqueueNDRangeKernel];
        if (launched < 1 || launched > launches[v]) {
            print_error("variant %zu: %lu launches\n", v, launched);
            ++failures;
        }
        for (size_t i = 0; i < sizeof forbidden / sizeof forbidden[0]; ++i)
            if (layer.calls(forbidden[i]) != before[forbidden[i]]) {
                print_error("variant %zu: a run called %s\n", v, fault_call_name(forbidden[i]));
                ++failures;
            }
        assert_cl(clFinish(live->queue));
        close_desk(&d);
    }
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(references_are_given_back),
        cmocka_unit_test(creating_survives_any_failing_call),
        cmocka_unit_test(running_survives_any_failing_call),
        cmocka_unit_test(a_run_enqueues_its_launches_and_nothing_else),
    };
    return cmocka_run_group_tests(tests, setup, test_live_teardown);
}
