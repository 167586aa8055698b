/* Waiting carries on a device that is busy: beside a kernel that holds most of it, beside each other on two queues, and
 * with more work-groups than can run at once.
 *
 * Where a device runs one kernel after the other, all of it must be right as well. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "common/test_knobs.h"
#include "guarded.h"
#include "live.h"
#include "problem_of.h"

enum { LANES = 2, INPUTS = 2, ROUNDS = 4, LEAST_TILES = 4096 };

/* ---- What runs ---- */

/* A queue with all that a scan on it needs. */
typedef struct lane {
    cl_command_queue queue;
    clscan_workspace *workspace;
    clscan_guarded memory; /* of the workspace */
    clscan_guarded out;
} lane;

/* One plan, and what its scans must give. Neighbouring runs have other inputs, so that what an earlier one left behind
 * is wrong for them. */
typedef struct rig {
    const test_live *live;
    clscan_problem problem;
    clscan_variant variant;
    clscan_case_fixture fixture;
    clscan_guarded in[INPUTS];
    uint32_t *expected[INPUTS];
    uint32_t *got;
    lane lanes[LANES];
} rig;

static int is_cpu(const test_live *live)
{
    return live->info.device_class == CLSCAN_DEVICE_CLASS_CPU;
}

static clscan_variant variant_of(const test_live *live, clscan_carry carry, clscan_order order, uint32_t per_unit)
{
    const int ahead = carry == CLSCAN_CARRY_LOOKAHEAD;
    clscan_variant variant = {.body = ahead ? CLSCAN_BODY_SUBGROUP_ROWS : CLSCAN_BODY_STRIDED,
                              .group_scan = ahead ? CLSCAN_GROUP_SCAN_SUBGROUP : CLSCAN_GROUP_SCAN_KOGGE_STONE,
                              .carry = carry,
                              .order = order,
                              .work_group_size = is_cpu(live) ? 8 : 32,
                              .vector_length = 2,
                              .register_pieces = 2};

    if (clscan_variant_needs(&variant, CLSCAN_PARAM_tiles_per_work_group))
        variant.tiles_per_work_group = 1;
    if (clscan_variant_needs(&variant, CLSCAN_PARAM_work_groups_per_unit))
        variant.work_groups_per_unit = per_unit;
    while (variant.work_group_size < 64 &&
           clscan_variant_check(&variant, PROBLEM_OF(CLSCAN_UINT32, CLSCAN_ADD), 0, &live->info, NULL) != CLSCAN_OK)
        variant.work_group_size *= 2;
    return variant;
}

static void open_lane(rig *r, lane *l)
{
    clscan_error error = {0};
    cl_int code;

    l->queue = clCreateCommandQueue(r->live->context, r->live->device, 0, &code);
    assert_cl(code);
    assert_status(CLSCAN_OK,
                  clscan_guarded_create(r->live->context, l->queue, CL_MEM_READ_WRITE,
                                        clscan_plan_workspace_bytes(r->fixture.plan), NULL, &l->memory, &error),
                  &error);
    assert_status(CLSCAN_OK,
                  clscan_guarded_create(r->live->context, l->queue, CL_MEM_READ_WRITE, r->problem.max_count * 4, NULL,
                                        &l->out, &error),
                  &error);
    assert_status(CLSCAN_OK, clscan_workspace_create(r->fixture.plan, &l->workspace, &error), &error);
    assert_status(CLSCAN_OK,
                  clscan_workspace_bind(l->workspace, l->queue,
                                        &(clscan_memory){.buffer = l->memory.buffer, .offset = CLSCAN_GUARD_BYTES},
                                        &error),
                  &error);
}

static void make_input(rig *r, int index)
{
    const clscan_reference what = clscan_reference_of(&r->problem, r->fixture.sample);
    const uint64_t count = r->problem.max_count;
    clscan_error error = {0};

    r->expected[index] = malloc((size_t)count * 4);
    assert_non_null(r->expected[index]);
    clscan_generate(CLSCAN_GENERATE_FACTORS, CLSCAN_UINT32, (uint64_t)index + 1, 0, count, r->expected[index]);
    assert_status(CLSCAN_OK,
                  clscan_guarded_create(r->live->context, r->live->queue, CL_MEM_READ_ONLY, count * 4,
                                        r->expected[index], &r->in[index], &error),
                  &error);
    assert_status(CLSCAN_OK, clscan_reference_scan(&what, r->expected[index], count, NULL, r->expected[index], NULL),
                  NULL);
}

static void open_rig(rig *r, const test_live *live, const clscan_variant *variant, uint32_t poll_limit)
{
    const clscan_sample_operator *sample = clscan_sample_find(CLSCAN_SAMPLE_AFFINE, CLSCAN_UINT32);
    const uint64_t grid = 2 * 64 * (uint64_t)live->info.compute_units, tiles = grid > LEAST_TILES ? grid : LEAST_TILES;

    *r = (rig){.live = live, .variant = *variant};
    const clscan_plan_options options = {.struct_size = sizeof options,
                                         .variant = &r->variant,
                                         .test_knobs = &(struct clscan__test_knobs){.poll_limit = poll_limit},
                                         .count_events = 1};
    r->problem = test_custom_problem(CLSCAN_UINT32, sample, CLSCAN_INCLUSIVE, CLSCAN_FORWARD,
                                     tiles * clscan_variant_tile_count(variant) - 3);
    test_prepare(live, &r->problem, sample, &options, &r->fixture);
    r->got = malloc((size_t)r->problem.max_count * 4);
    assert_non_null(r->got);
    for (int i = 0; i < INPUTS; ++i)
        make_input(r, i);
    for (int i = 0; i < LANES; ++i)
        open_lane(r, &r->lanes[i]);
}

static void close_rig(rig *r)
{
    for (int i = 0; i < LANES; ++i) {
        clscan_workspace_destroy(r->lanes[i].workspace);
        clscan_guarded_destroy(&r->lanes[i].memory);
        clscan_guarded_destroy(&r->lanes[i].out);
        clReleaseCommandQueue(r->lanes[i].queue);
    }
    for (int i = 0; i < INPUTS; ++i) {
        clscan_guarded_destroy(&r->in[i]);
        free(r->expected[i]);
    }
    free(r->got);
    clscan_case_release(&r->fixture);
}

/* Enqueue a scan of the input on the lane; in place of a copy of it, or else from the input that lanes share. */
static void scan(const rig *r, const lane *l, int input, int in_place)
{
    const clscan_run_args args = {.struct_size = sizeof args,
                                  .in.buffer = in_place ? l->out.buffer : r->in[input].buffer,
                                  .in.offset = clscan_guarded_first(4),
                                  .out.buffer = l->out.buffer,
                                  .out.offset = clscan_guarded_first(4),
                                  .count = r->problem.max_count};
    clscan_error error = {0};

    if (in_place)
        assert_cl(clEnqueueCopyBuffer(l->queue, r->in[input].buffer, l->out.buffer, CLSCAN_GUARD_BYTES,
                                      CLSCAN_GUARD_BYTES, (size_t)r->problem.max_count * 4, 0, NULL, NULL));
    assert_status(CLSCAN_OK, clscan_run(r->fixture.plan, l->workspace, l->queue, &args, 0, NULL, NULL, &error), &error);
    assert_cl(clFlush(l->queue));
}

/* Wait for the lane; 0 if its output is right and nothing else was written. */
static unsigned judge(rig *r, const lane *l, int input, const char *where)
{
    uint64_t damaged[3], at = 0;
    clscan_error error = {0};
    char text[256];

    assert_status(CLSCAN_OK, clscan_guarded_read(&l->out, l->queue, r->got, &damaged[0], &error), &error);
    assert_status(CLSCAN_OK, clscan_guarded_read(&l->memory, l->queue, NULL, &damaged[1], &error), &error);
    assert_status(CLSCAN_OK, clscan_guarded_unchanged(&r->in[input], l->queue, &damaged[2], &error), &error);
    while (at < r->problem.max_count && r->got[at] == r->expected[input][at])
        ++at;
    if (at == r->problem.max_count && damaged[0] == UINT64_MAX && damaged[1] == UINT64_MAX && damaged[2] == UINT64_MAX)
        return 0;
    clscan_variant_format(&r->variant, text, sizeof text);
    print_error("%s, %s: out[%" PRIu64 "] of %" PRIu64 " is wrong; canaries of output, workspace and input: %" PRId64
                ", %" PRId64 ", %" PRId64 "\n",
                text, where, at, r->problem.max_count, (int64_t)damaged[0], (int64_t)damaged[1], (int64_t)damaged[2]);
    return 1;
}

/* ---- The load ---- */

static const char load_source[] = "__kernel void hold(__global uint *results, uint turns)\n"
                                  "{\n"
                                  "    uint state = results[get_global_id(0)];\n"
                                  "    for (uint turn = 0; turn < turns; ++turn)\n"
                                  "        state = state * 1664525u + 1013904223u;\n"
                                  "    results[get_global_id(0)] = state;\n"
                                  "}\n";

/* A kernel that holds most of the device for some ten milliseconds. */
typedef struct load {
    cl_program program;
    cl_kernel kernel;
    cl_mem results;
    size_t work_items, work_group_size;
} load;

static load most_of_the_device; /* compiled once for all tests */

static void open_load(const test_live *live, load *l)
{
    const char *source = load_source;
    const uint32_t places = live->info.compute_units * (is_cpu(live) ? 1 : 2);
    const cl_uint turns = is_cpu(live) ? 1u << 23 : 1u << 22;
    cl_int code;

    l->work_group_size = is_cpu(live) ? 1 : live->info.max_work_group_size;
    l->work_items = (places > 8 ? places - places / 8 : places) * l->work_group_size;
    l->program = clCreateProgramWithSource(live->context, 1, &source, NULL, &code);
    assert_cl(code);
    assert_cl(clBuildProgram(l->program, 1, &live->device, "", NULL, NULL));
    l->kernel = clCreateKernel(l->program, "hold", &code);
    assert_cl(code);
    l->results = test_buffer(live, CL_MEM_READ_WRITE, l->work_items * 4, NULL);
    assert_cl(clSetKernelArg(l->kernel, 0, sizeof l->results, &l->results));
    assert_cl(clSetKernelArg(l->kernel, 1, sizeof turns, &turns));
}

static void close_load(load *l)
{
    clReleaseMemObject(l->results);
    clReleaseKernel(l->kernel);
    clReleaseProgram(l->program);
}

static cl_event hold(const load *l, cl_command_queue queue)
{
    cl_event held;

    assert_cl(clEnqueueNDRangeKernel(queue, l->kernel, 1, NULL, &l->work_items, &l->work_group_size, 0, NULL, &held));
    assert_cl(clFlush(queue));
    return held;
}

static int still_runs(cl_event event)
{
    cl_int status;

    assert_cl(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    return status != CL_COMPLETE;
}

/* ---- Scenes; each returns how often something was wrong ---- */

static unsigned alone(rig *r)
{
    unsigned failures = 0;

    for (int round = 0; round < ROUNDS; ++round) {
        scan(r, &r->lanes[0], round % INPUTS, round >= ROUNDS / 2);
        failures += judge(r, &r->lanes[0], round % INPUTS, "alone");
    }
    return failures;
}

static unsigned beside_a_load(rig *r)
{
    unsigned failures = 0, ended_first = 0;

    for (int round = 0; round < ROUNDS; ++round) {
        const cl_event held = hold(&most_of_the_device, r->lanes[1].queue);
        scan(r, &r->lanes[0], round % INPUTS, round >= ROUNDS / 2);
        assert_cl(clFinish(r->lanes[0].queue));
        ended_first += still_runs(held) != 0;
        failures += judge(r, &r->lanes[0], round % INPUTS, "beside a load");
        assert_cl(clFinish(r->lanes[1].queue));
        clReleaseEvent(held);
    }
    print_message("  %u of %d scans ended before the load did\n", ended_first, ROUNDS);
    return failures;
}

static unsigned two_at_once(rig *r)
{
    unsigned failures = 0;

    for (int round = 0; round < ROUNDS; ++round) {
        const int in_place = round >= ROUNDS / 2, input = round % INPUTS;
        /* Out of place both read one buffer. */
        const int other = in_place ? (input + 1) % INPUTS : input;
        scan(r, &r->lanes[0], input, in_place);
        scan(r, &r->lanes[1], other, in_place);
        failures += judge(r, &r->lanes[0], input, "two at once, first");
        failures += judge(r, &r->lanes[1], other, "two at once, second");
    }
    return failures;
}

/* ---- Tests ---- */

static unsigned all_scenes(const test_live *live, const clscan_variant *variant, uint32_t poll_limit)
{
    unsigned failures = 0;
    char text[256];
    rig r;

    clscan_variant_format(variant, text, sizeof text);
    print_message("%s, %" PRIu32 " polls\n", text, poll_limit);
    open_rig(&r, live, variant, poll_limit);
    failures += alone(&r);
    failures += beside_a_load(&r);
    failures += two_at_once(&r);
    for (int i = 0; i < LANES; ++i) {
        clscan_report report = {.struct_size = sizeof report};
        assert_status(CLSCAN_OK, clscan_workspace_report(r.lanes[i].workspace, r.lanes[i].queue, &report, NULL), NULL);
        print_message("  queue %d: %" PRIu32 " waits, %" PRIu32 " recomputed, %" PRIu32 " discarded\n", i, report.waits,
                      report.recomputed, report.discarded);
        failures += report.failures != 0;
    }
    close_rig(&r);
    return failures;
}

/* First with more work-groups than any device has room for and the ordinary patience, then with few and hardly any. */
static void scans_under_load(const test_live *live, clscan_carry carry, clscan_order order)
{
    static const struct {
        uint32_t per_unit, poll_limit;
    } cases[] = {{64, 0}, {2, 16}};
    unsigned failures = 0;

    if (live->info.mechanism == CLSCAN_MECHANISM_NONE) {
        print_message("no work-group may wait on this device\n");
        skip();
    }
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const clscan_variant variant = variant_of(live, carry, order, cases[i].per_unit);
        clscan_error error = {0};

        if (clscan_variant_check(&variant, PROBLEM_OF(CLSCAN_UINT32, CLSCAN_ADD), 0, &live->info, &error) !=
            CLSCAN_OK) {
            print_message("not on this device: %s\n", error.message);
            skip();
        }
        failures += all_scenes(live, &variant, cases[i].poll_limit);
    }
    assert_int_equal(failures, 0);
}

static void adjacent_dynamic(void **state)
{
    scans_under_load(*state, CLSCAN_CARRY_ADJACENT, CLSCAN_ORDER_DYNAMIC);
}

static void adjacent_cyclic(void **state)
{
    scans_under_load(*state, CLSCAN_CARRY_ADJACENT, CLSCAN_ORDER_CYCLIC);
}

static void lookback_dynamic(void **state)
{
    scans_under_load(*state, CLSCAN_CARRY_LOOKBACK, CLSCAN_ORDER_DYNAMIC);
}

static void lookback_cyclic(void **state)
{
    scans_under_load(*state, CLSCAN_CARRY_LOOKBACK, CLSCAN_ORDER_CYCLIC);
}

static void lookahead_persistent(void **state)
{
    scans_under_load(*state, CLSCAN_CARRY_LOOKAHEAD, CLSCAN_ORDER_PERSISTENT);
}

static int setup(void **state)
{
    if (test_live_setup(state) != 0)
        return -1;
    open_load(*state, &most_of_the_device);
    return 0;
}

static int teardown(void **state)
{
    close_load(&most_of_the_device);
    return test_live_teardown(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adjacent_dynamic), cmocka_unit_test(adjacent_cyclic),      cmocka_unit_test(lookback_dynamic),
        cmocka_unit_test(lookback_cyclic),  cmocka_unit_test(lookahead_persistent),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
