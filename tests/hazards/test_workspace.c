/* The workspace buffer: whatever it held, whoever had it before, wherever its epoch stands. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "common/test_knobs.h"
#include "guarded.h"
#include "live.h"
#include "problem_of.h"

enum { COUNT = 20000 };

/* Its tile is small, as that of test_waiting, so that COUNT elements are many. */
static const clscan_variant reduce_then_scan = {.body = CLSCAN_BODY_STRIDED,
                                                .group_scan = CLSCAN_GROUP_SCAN_BRENT_KUNG,
                                                .carry = CLSCAN_CARRY_REDUCE_THEN_SCAN,
                                                .order = CLSCAN_ORDER_NONE,
                                                .work_group_size = 8,
                                                .vector_length = 2,
                                                .register_pieces = 1,
                                                .local_pieces = 0,
                                                .work_groups_per_unit = 4};

/* test_waiting, if the device can run it for this type, else the other. */
static const clscan_variant *favourite(const test_live *live, clscan_type type)
{
    const clscan_status status =
        clscan_variant_check(&test_waiting, PROBLEM_OF(type, CLSCAN_ADD), 0, &live->info, NULL);

    return status == CLSCAN_OK ? &test_waiting : &reduce_then_scan;
}

static unsigned run_some(const clscan_case_fixture *fixture, uint64_t seed)
{
    unsigned failures = 0;
    for (uint64_t i = 0; i < 3; ++i) {
        const clscan_case test = {.count = COUNT - 13 * i,
                                  .in_place = i == 1,
                                  .total = 1,
                                  .generator = CLSCAN_GENERATE_UNIFORM,
                                  .seed = seed + i};
        failures += test_case(fixture, &test);
    }
    return failures;
}

/* One buffer goes back and forth between two plans, with garbage in it each time. */
static void two_plans_take_turns(void **state)
{
    const test_live *live = *state;
    const clscan_problem problems[2] = {
        test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, COUNT),
        test_problem(CLSCAN_UINT64, CLSCAN_XOR, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE, COUNT)};
    clscan_case_fixture fixtures[2];
    clscan_error error = {0};
    uint64_t bytes = 0;
    unsigned failures = 0;

    for (size_t i = 0; i < 2; ++i) {
        const clscan_plan_options options = {.struct_size = sizeof options,
                                             .variant = favourite(live, problems[i].type)};
        test_prepare(live, &problems[i], NULL, &options, &fixtures[i]);
        assert_status(CLSCAN_OK, clscan_workspace_unbind(fixtures[i].workspace, &error), &error);
        if (bytes < clscan_plan_workspace_bytes(fixtures[i].plan))
            bytes = clscan_plan_workspace_bytes(fixtures[i].plan);
    }
    unsigned char *garbage = malloc((size_t)bytes);
    assert_non_null(garbage);
    cl_mem buffer = test_buffer(live, CL_MEM_READ_WRITE, (size_t)bytes, NULL);
    static const int poison[] = {-1, 0, 0xff, 1, 0x7f, 0x80}; /* -1: random bytes */
    for (uint64_t round = 0; round < 12; ++round) {
        clscan_case_fixture *fixture = &fixtures[round % 2];
        const int byte = poison[round % (sizeof poison / sizeof poison[0])];
        for (uint64_t i = 0; i < bytes; ++i)
            garbage[i] = byte >= 0 ? (unsigned char)byte : (unsigned char)clscan_generate_bits(round, i);
        /* In the first half the buffer keeps what the other plan left; then it is poisoned. */
        if (round >= 6)
            assert_cl(clEnqueueWriteBuffer(live->queue, buffer, CL_TRUE, 0, (size_t)bytes, garbage, 0, NULL, NULL));
        assert_status(
            CLSCAN_OK,
            clscan_workspace_bind(fixture->workspace, live->queue, &(clscan_memory){.buffer = buffer}, &error), &error);
        failures += run_some(fixture, 10 * round);
        assert_status(CLSCAN_OK, clscan_workspace_unbind(fixture->workspace, &error), &error);
    }
    clReleaseMemObject(buffer);
    free(garbage);
    clscan_case_release(&fixtures[0]);
    clscan_case_release(&fixtures[1]);
    assert_int_equal(failures, 0);
}

/* Binding again without unbinding initialises again, whatever happened to the buffer. */
static void binding_again_initialises_again(void **state)
{
    const test_live *live = *state;
    const clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, COUNT);
    const clscan_plan_options options = {.struct_size = sizeof options, .variant = favourite(live, CLSCAN_INT32)};
    clscan_case_fixture fixture;
    clscan_error error = {0};
    unsigned failures = 0;

    test_prepare(live, &problem, NULL, &options, &fixture);
    const size_t bytes = (size_t)clscan_plan_workspace_bytes(fixture.plan);
    cl_mem buffer = test_buffer(live, CL_MEM_READ_WRITE, bytes, NULL);
    unsigned char *copy = malloc(bytes);
    assert_non_null(copy);
    for (uint64_t round = 0; round < 4; ++round) {
        assert_status(CLSCAN_OK,
                      clscan_workspace_bind(fixture.workspace, live->queue, &(clscan_memory){.buffer = buffer}, &error),
                      &error);
        failures += run_some(&fixture, 10 * round);
        /* Words of the last epochs are the most dangerous garbage: they look ready. */
        test_read(live, buffer, bytes, copy);
        assert_status(CLSCAN_OK, clscan_workspace_bind(fixture.workspace, live->queue, NULL, &error), &error);
        assert_cl(clEnqueueWriteBuffer(live->queue, buffer, CL_TRUE, 0, bytes, copy, 0, NULL, NULL));
    }
    free(copy);
    clReleaseMemObject(buffer);
    clscan_case_release(&fixture);
    assert_int_equal(failures, 0);
}

/* Nothing outside offset .. offset + clscan_plan_workspace_bytes() is touched. */
static void the_rest_of_the_buffer_is_the_callers(void **state)
{
    const test_live *live = *state;
    const clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, COUNT);
    const clscan_variant *variants[] = {NULL, favourite(live, CLSCAN_INT32), &reduce_then_scan};
    unsigned failures = 0;

    for (size_t v = 0; v < sizeof variants / sizeof variants[0]; ++v) {
        const clscan_plan_options options = {.struct_size = sizeof options, .variant = variants[v]};
        clscan_case_fixture fixture;
        clscan_error error = {0};
        test_prepare(live, &problem, NULL, &options, &fixture);
        const uint64_t bytes = clscan_plan_workspace_bytes(fixture.plan);
        static const uint64_t offsets[] = {0, 256, 512 * 3};
        for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; ++i) {
            const uint64_t whole = offsets[i] + bytes + 1000;
            unsigned char *before = malloc((size_t)whole);
            unsigned char *after = malloc((size_t)whole);
            assert_non_null(before);
            assert_non_null(after);
            for (uint64_t k = 0; k < whole; ++k)
                before[k] = clscan_guarded_canary(k);
            cl_mem buffer = test_buffer(live, CL_MEM_READ_WRITE, (size_t)whole, before);
            assert_status(CLSCAN_OK,
                          clscan_workspace_bind(fixture.workspace, live->queue,
                                                &(clscan_memory){.buffer = buffer, .offset = offsets[i]}, &error),
                          &error);
            failures += run_some(&fixture, i);
            test_read(live, buffer, (size_t)whole, after);
            memcpy(after + offsets[i], before + offsets[i], (size_t)bytes);
            if (memcmp(before, after, (size_t)whole) != 0) {
                print_error("variant %zu, offset %u: bytes outside were written\n", v, (unsigned)offsets[i]);
                ++failures;
            }
            assert_status(CLSCAN_OK, clscan_workspace_unbind(fixture.workspace, &error), &error);
            clReleaseMemObject(buffer);
            free(before);
            free(after);
        }
        clscan_case_release(&fixture);
    }
    assert_int_equal(failures, 0);
}

static void bad_buffers_are_refused(void **state)
{
    const test_live *live = *state;
    const clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, COUNT);
    clscan_case_fixture fixture;
    clscan_error error = {0};
    clscan_report report = {.struct_size = sizeof report};
    cl_int code;

    test_prepare(live, &problem, NULL, NULL, &fixture);
    const size_t bytes = (size_t)clscan_plan_workspace_bytes(fixture.plan);
    cl_context other = clCreateContext(NULL, 1, &live->device, NULL, NULL, &code);
    assert_cl(code);
    cl_command_queue other_queue = clCreateCommandQueue(other, live->device, 0, &code);
    assert_cl(code);
    cl_mem good = test_buffer(live, CL_MEM_READ_WRITE, bytes + 256, NULL);
    cl_mem small = test_buffer(live, CL_MEM_READ_WRITE, bytes - 1, NULL);
    cl_mem read_only = test_buffer(live, CL_MEM_READ_ONLY, bytes, NULL);
    cl_mem foreign = clCreateBuffer(other, CL_MEM_READ_WRITE, bytes, NULL, &code);
    assert_cl(code);

    const struct {
        const char *why;
        cl_mem buffer;
        uint64_t offset;
        cl_command_queue queue;
        clscan_status expected;
    } cases[] = {
        {"one byte short", small, 0, live->queue, CLSCAN_ERROR_WORKSPACE_SIZE},
        {"short by the offset", good, 512, live->queue, CLSCAN_ERROR_WORKSPACE_SIZE},
        {"offset beyond everything", good, UINT64_MAX - 255, live->queue, CLSCAN_ERROR_WORKSPACE_SIZE},
        {"misaligned by 128", good, 128, live->queue, CLSCAN_ERROR_WORKSPACE_SIZE},
        {"misaligned by 1", good, 1, live->queue, CLSCAN_ERROR_WORKSPACE_SIZE},
        {"memory without a buffer", NULL, 0, live->queue, CLSCAN_ERROR_NULL_ARGUMENT},
        {"offset without a buffer", NULL, 256, live->queue, CLSCAN_ERROR_NULL_ARGUMENT},
        {"read-only", read_only, 0, live->queue, CLSCAN_ERROR_BUFFER_ACCESS},
        {"of another context", foreign, 0, live->queue, CLSCAN_ERROR_WRONG_CONTEXT},
        {"queue of another context", good, 0, other_queue, CLSCAN_ERROR_WRONG_CONTEXT},
    };
    cl_mem in = test_buffer(live, CL_MEM_READ_WRITE, 64, NULL);
    const clscan_run_args args = {.struct_size = sizeof args, .in.buffer = in, .out.buffer = in, .count = 16};
    unsigned failures = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const clscan_status status =
            clscan_workspace_bind(fixture.workspace, cases[i].queue,
                                  &(clscan_memory){.buffer = cases[i].buffer, .offset = cases[i].offset}, &error);
        if (status != cases[i].expected) {
            print_error("%s: expected %s, got %s\n", cases[i].why, clscan_status_name(cases[i].expected),
                        clscan_status_name(status));
            ++failures;
        }
        /* After an error nothing is bound. */
        assert_status(CLSCAN_ERROR_WORKSPACE_UNBOUND,
                      clscan_run(fixture.plan, fixture.workspace, live->queue, &args, 0, NULL, NULL, &error), &error);
        assert_status(CLSCAN_ERROR_WORKSPACE_UNBOUND,
                      clscan_workspace_report(fixture.workspace, live->queue, &report, &error), &error);
    }
    assert_status(CLSCAN_OK, clscan_workspace_unbind(fixture.workspace, &error), &error);
    /* The last legal offset. */
    assert_status(
        CLSCAN_OK,
        clscan_workspace_bind(fixture.workspace, live->queue, &(clscan_memory){.buffer = good, .offset = 256}, &error),
        &error);
    failures += run_some(&fixture, 3);
    clReleaseMemObject(in);
    clscan_case_release(&fixture);
    clReleaseMemObject(good);
    clReleaseMemObject(small);
    clReleaseMemObject(read_only);
    clReleaseMemObject(foreign);
    clReleaseCommandQueue(other_queue);
    clReleaseContext(other);
    assert_int_equal(failures, 0);
}

/* Has no counter of the workspace's report become less than it was? */
static int report_grows(const clscan_case_fixture *fixture, cl_command_queue queue, clscan_report *report)
{
    const clscan_report before = *report;
    clscan_error error = {0};

    assert_status(CLSCAN_OK, clscan_workspace_report(fixture->workspace, queue, report, &error), &error);
    return report->failures == 0 && report->waits >= before.waits && report->recomputed >= before.recomputed &&
           report->discarded >= before.discarded;
}

/* What a device has no buffer for is told by the workspace's size and the device's limit. */
static void too_large_a_workspace_is_named(void **state)
{
    static const clscan_select in_place = {.struct_size = sizeof in_place, .flag_bytes = 1, .in_place = 1};
    const test_live *live = *state;
    const clscan_problem problem = {.struct_size = sizeof problem,
                                    .operation = CLSCAN_SELECT,
                                    .type = CLSCAN_UINT64,
                                    .max_count = live->info.max_allocation_bytes / 8 + 1,
                                    .select = &in_place};
    clscan_plan *plan;
    clscan_workspace *workspace;
    clscan_error error = {0};
    clscan_status status;
    char bytes[32], limit[32];

    assert_status(CLSCAN_OK, clscan_plan_create(live->context, live->device, &problem, NULL, &plan, &error), &error);
    assert_status(CLSCAN_OK, clscan_workspace_create(plan, &workspace, &error), &error);
    snprintf(bytes, sizeof bytes, "%llu", (unsigned long long)clscan_plan_workspace_bytes(plan));
    snprintf(limit, sizeof limit, "%llu", (unsigned long long)live->info.max_allocation_bytes);
    status = clscan_workspace_bind(workspace, live->queue, NULL, &error);
    assert_cl(clFinish(live->queue));
    clscan_workspace_destroy(workspace);
    clscan_plan_destroy(plan);
    if (status == CLSCAN_OK)
        skip(); /* some devices allow more than they say */
    assert_status(CLSCAN_ERROR_OPENCL, status, &error);
    assert_int_not_equal(error.cl_code, CL_SUCCESS);
    assert_non_null(strstr(error.message, "workspace"));
    assert_non_null(strstr(error.message, bytes));
    assert_non_null(strstr(error.message, limit));
}

/* Epochs that begin shortly before they wrap, for each kind of word and each order. What was counted before the wrap
 * stays counted. */
static void epochs_wrap(void **state)
{
    const test_live *live = *state;
    const clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, COUNT);
    static const struct {
        clscan_mechanism mechanism;
        uint32_t first_epoch;
    } cases[] = {
        {CLSCAN_MECHANISM_NONE, (1u << 14) - 3}, /* the device's own; no wrap, but legal everywhere
                                                  */
        {CLSCAN_MECHANISM_PTX, (1u << 30) - 3},      {CLSCAN_MECHANISM_C11, (1u << 30) - 3},
        {CLSCAN_MECHANISM_ATOMIC64, (1u << 30) - 3}, {CLSCAN_MECHANISM_ATOMIC32, (1u << 14) - 3},
    };
    static const clscan_order orders[] = {CLSCAN_ORDER_DYNAMIC, CLSCAN_ORDER_STATIC, CLSCAN_ORDER_PERSISTENT,
                                          CLSCAN_ORDER_CYCLIC};
    enum { ORDERS = sizeof orders / sizeof orders[0] };
    unsigned failures = 0;
    unsigned ran = 0;

    if (live->info.mechanism == CLSCAN_MECHANISM_NONE)
        skip();
    for (size_t i = 0; i < ORDERS * sizeof cases / sizeof cases[0]; ++i) {
        const clscan_mechanism mechanism = cases[i / ORDERS].mechanism;
        clscan_variant variant = test_waiting;
        const clscan_plan_options options = {
            .struct_size = sizeof options,
            .variant = &variant,
            .mechanism = mechanism,
            .test_knobs = &(struct clscan__test_knobs){.first_epoch = cases[i / ORDERS].first_epoch,
                                                       .poll_limit = 1,
                                                       .hold_interval = 100},
            .count_events = 1};
        clscan_case_fixture fixture;
        clscan_report report = {.struct_size = sizeof report};

        variant.order = orders[i % ORDERS];
        if (clscan_variant_needs(&variant, CLSCAN_PARAM_work_groups_per_unit))
            variant.work_groups_per_unit = 2;
        if (!test_mechanism_may_run(live, mechanism) ||
            test_try_prepare(live, &problem, NULL, &options, &fixture) != CLSCAN_OK) {
            print_message("mechanism %s: not on this device\n", clscan_mechanism_name(mechanism));
            assert_true(mechanism != live->info.mechanism);
            continue;
        }
        for (uint64_t seed = 0; seed < 10 && failures < 10; ++seed) {
            failures += run_some(&fixture, 10 * seed);
            if (!report_grows(&fixture, live->queue, &report)) {
                print_error("mechanism %s: the report lost what it had counted\n", clscan_mechanism_name(mechanism));
                ++failures;
            }
        }
        assert_true(report.recomputed > 0 || variant.order == CLSCAN_ORDER_PERSISTENT ||
                    variant.order == CLSCAN_ORDER_CYCLIC);
        ++ran;
        clscan_case_release(&fixture);
    }
    assert_true(ran >= 2 * ORDERS);
    assert_int_equal(failures, 0);
}

/* What a run makes in the workspace before its scan: marks of offsets, how many segments there are, or where the rest
 * of a selection begins. Segments begin at every STEP elements, and such elements are kept. */
enum { MADE_COUNT = 5000, STEP = 37, MADE_SEGMENTS = (MADE_COUNT + STEP - 1) / STEP };

typedef struct made_before {
    const char *name;
    clscan_problem problem;
    void (*expect)(const uint32_t *in, const uint32_t *initials, uint32_t *out);
} made_before;

static void expect_forward(const uint32_t *in, const uint32_t *initials, uint32_t *out)
{
    (void)initials;
    for (size_t i = 0; i < MADE_COUNT; ++i)
        out[i] = in[i] + (i % STEP == 0 ? 0 : out[i - 1]);
}

static void expect_reverse(const uint32_t *in, const uint32_t *initials, uint32_t *out)
{
    for (size_t i = MADE_COUNT; i-- > 0;)
        out[i] = in[i] + ((i + 1) % STEP == 0 || i + 1 == MADE_COUNT ? initials[i / STEP] : out[i + 1]);
}

static void expect_parted(const uint32_t *in, const uint32_t *initials, uint32_t *out)
{
    size_t kept = 0, others = MADE_SEGMENTS;

    (void)initials;
    for (size_t i = 0; i < MADE_COUNT; ++i)
        out[i % STEP == 0 ? kept++ : others++] = in[i];
}

static const clscan_segments by_offsets = {
    .struct_size = sizeof by_offsets, .by = CLSCAN_BY_OFFSETS, .type = CLSCAN_UINT32};
static const clscan_segments with_initials = {
    .struct_size = sizeof with_initials, .by = CLSCAN_BY_FLAGS, .type = CLSCAN_UINT8, .initials = 1};
static const clscan_select parted = {.struct_size = sizeof parted, .flag_bytes = 1, .rest = CLSCAN_REST_BEHIND};

#define MADE(...)                                                                                          \
    {                                                                                                      \
        .struct_size = sizeof(clscan_problem), .type = CLSCAN_UINT32, .max_count = MADE_COUNT, __VA_ARGS__ \
    }
static const made_before made[] = {
    {"marks of offsets", MADE(.segments = &by_offsets), expect_forward},
    {"the number of segments", MADE(.segments = &with_initials, .direction = CLSCAN_REVERSE), expect_reverse},
    {"the begin of the rest", MADE(.operation = CLSCAN_SELECT, .select = &parted), expect_parted},
};

/* Some runs, between which the epoch wraps. Returns how many are wrong. */
static unsigned run_about_a_wrap(const test_live *live, const made_before *of, const clscan_plan_options *options)
{
    enum { RUNS = 8 };
    const bool selects = of->problem.operation == CLSCAN_SELECT;
    const bool has_initials = of->problem.segments != NULL && of->problem.segments->initials != 0;
    uint32_t in[MADE_COUNT], got[MADE_COUNT], expected[MADE_COUNT], offsets[MADE_SEGMENTS], initials[MADE_SEGMENTS];
    unsigned char flags[MADE_COUNT];
    clscan_plan *plan;
    clscan_workspace *workspace;
    unsigned wrong = 0;

    for (uint32_t i = 0; i < MADE_COUNT; ++i) {
        in[i] = i * 2654435761u;
        flags[i] = i % STEP == 0;
    }
    for (uint32_t i = 0; i < MADE_SEGMENTS; ++i) {
        offsets[i] = i * STEP;
        initials[i] = 1000 + i;
    }
    of->expect(in, initials, expected);
    const cl_mem in_buffer = test_buffer(live, CL_MEM_READ_ONLY, sizeof in, in),
                 offsets_buffer = test_buffer(live, CL_MEM_READ_ONLY, sizeof offsets, offsets),
                 flags_buffer = test_buffer(live, CL_MEM_READ_ONLY, sizeof flags, flags),
                 initials_buffer = test_buffer(live, CL_MEM_READ_ONLY, sizeof initials, initials),
                 out = test_buffer(live, CL_MEM_READ_WRITE, sizeof got, NULL),
                 number = test_buffer(live, CL_MEM_READ_WRITE, sizeof(uint32_t), NULL);
    const clscan_selection selection = {.struct_size = sizeof selection, .flags.buffer = flags_buffer};
    clscan_run_args args = {.struct_size = sizeof args, .in.buffer = in_buffer, .out.buffer = out, .count = MADE_COUNT};

    if (selects) {
        args.selection = &selection;
        args.total.buffer = number;
    } else {
        args.segments.buffer = has_initials ? flags_buffer : offsets_buffer;
        args.offset_count = has_initials ? 0 : MADE_SEGMENTS;
        args.initial.buffer = has_initials ? initials_buffer : NULL;
    }
    test_plan_create(live, &of->problem, options, &plan, &workspace);
    for (unsigned run = 0; run < RUNS; ++run) {
        clscan_error error = {0};

        memset(got, 0x5a, sizeof got);
        test_write(live, out, got, sizeof got);
        assert_status(CLSCAN_OK, clscan_run(plan, workspace, live->queue, &args, 0, NULL, NULL, &error), &error);
        test_read(live, out, sizeof got, got);
        if (memcmp(got, expected, sizeof got) != 0) {
            print_error("%s: run %u is wrong\n", of->name, run);
            ++wrong;
        }
    }
    clscan_workspace_destroy(workspace);
    clscan_plan_destroy(plan);
    clReleaseMemObject(in_buffer);
    clReleaseMemObject(offsets_buffer);
    clReleaseMemObject(flags_buffer);
    clReleaseMemObject(initials_buffer);
    clReleaseMemObject(out);
    clReleaseMemObject(number);
    return wrong;
}

/* A wrap clears words, but nothing that the run has made before. */
static void what_was_made_before_outlives_a_wrap(void **state)
{
    const test_live *live = *state;
    const struct clscan__test_knobs knobs = {.first_epoch = (1u << 14) - 3};
    const clscan_plan_options options = {.struct_size = sizeof options,
                                         .variant = &test_waiting,
                                         .mechanism = CLSCAN_MECHANISM_ATOMIC32,
                                         .test_knobs = &knobs};
    unsigned failures = 0;

    if (!test_mechanism_may_run(live, CLSCAN_MECHANISM_ATOMIC32))
        skip();
    for (size_t i = 0; i < sizeof made / sizeof made[0]; ++i)
        if (clscan_variant_check(&test_waiting, &made[i].problem, 0, &live->info, NULL) == CLSCAN_OK)
            failures += run_about_a_wrap(live, &made[i], &options);
    assert_int_equal(failures, 0);
}

/* Objects keep what they need alive: any order of destruction is allowed. */
static void order_of_destruction_is_free(void **state)
{
    const test_live *live = *state;
    const clscan_problem problem = test_problem(CLSCAN_UINT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, COUNT);
    clscan_case_fixture fixture;
    clscan_error error = {0};
    static uint32_t in_data[COUNT];
    static uint32_t out_data[COUNT];

    for (size_t i = 0; i < COUNT; ++i)
        in_data[i] = 1;
    test_prepare(live, &problem, NULL, NULL, &fixture);
    cl_mem in = test_buffer(live, CL_MEM_READ_ONLY, sizeof in_data, in_data);
    cl_mem out = test_buffer(live, CL_MEM_READ_WRITE, sizeof out_data, NULL);
    const clscan_run_args args = {.struct_size = sizeof args, .in.buffer = in, .out.buffer = out, .count = COUNT};
    assert_status(CLSCAN_OK, clscan_run(fixture.plan, fixture.workspace, live->queue, &args, 0, NULL, NULL, &error),
                  &error);
    clscan_plan_destroy(fixture.plan); /* before its workspace, and while the run is under way */
    clscan_workspace_destroy(fixture.workspace);
    test_read(live, out, sizeof out_data, out_data);
    for (size_t i = 0; i < COUNT; ++i)
        assert_int_equal(out_data[i], i + 1);
    clReleaseMemObject(in);
    clReleaseMemObject(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_plans_take_turns),
        cmocka_unit_test(binding_again_initialises_again),
        cmocka_unit_test(the_rest_of_the_buffer_is_the_callers),
        cmocka_unit_test(bad_buffers_are_refused),
        cmocka_unit_test(too_large_a_workspace_is_named),
        cmocka_unit_test(epochs_wrap),
        cmocka_unit_test(what_was_made_before_outlives_a_wrap),
        cmocka_unit_test(order_of_destruction_is_free),
    };
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
