/* Every OpenCL call and every allocation of the library's own fails once, over the whole life of a plan, with each
 * carry, of a map, a reduction, rows, segments and a selection, with the cache off and on: a clear error, nothing left
 * behind, inputs as they were, and a right result the next time.
 *
 * ctest runs this with OPENCL_LAYERS naming the fault layer (tests/support/fault_layer.c). It is linked with
 * clscan_static and --wrap=malloc and its like, which catches the library's calls and not those of drivers. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <clscan/clscan.h>

#include "cmocka_all.h"
#include "fault_control.h"
#include "parsed_variant.h"
#include "temporary_folder.h"

enum { COUNT = 3000, FAULT_CODE = CL_OUT_OF_RESOURCES };

/* Rows that share a work-group; two that are cut into ranges; and rows of 256 KiB, which have ways of their own. */
enum { SHORT_ROWS = 60, SHORT_COUNT = 50, CUT_ROWS = 2, CUT_COUNT = 1500, LONG_COUNT = (1 << 16) + 5 };
enum { MOST_COUNT = 2 * LONG_COUNT, MOST_TOTALS = SHORT_ROWS, OFFSETS = 70, CHOSEN_COUNT = COUNT - 7 };

/* ---- Allocations that fail ---- */

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
char *__wrap_strdup(const char *text);

static unsigned allocations_left; /* until one fails; 0: none will */
static bool allocation_failed;

static bool fails(void)
{
    if (allocations_left == 0 || --allocations_left > 0)
        return false;
    allocation_failed = true;
    return true;
}

void *__wrap_malloc(size_t bytes)
{
    return fails() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return fails() ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *old, size_t bytes)
{
    return fails() ? NULL : __real_realloc(old, bytes);
}

char *__wrap_strdup(const char *text)
{
    return fails() ? NULL : __real_strdup(text);
}

/* ---- Two kinds of faults ---- */

typedef struct fault_kind {
    const char *name;
    void (*arm)(unsigned nth);
    bool (*disarm)(void); /* was it met? */
    bool (*is_told)(clscan_status status, const clscan_error *error);
    const char *(*struck)(void);
} fault_kind;

static fault_control layer;
static bool were_met[TEST_FAULT_CALL_COUNT];

static void arm_call(unsigned nth)
{
    layer.arm(TEST_FAULT_ANY_CALL, nth, FAULT_CODE);
}

static bool disarm_call(void)
{
    const bool met = layer.disarm() != 0;

    if (met)
        were_met[layer.struck()] = true;
    return met;
}

static bool call_is_told(clscan_status status, const clscan_error *error)
{
    /* A compiler's failure has a status of its own, and the name of what does not compile. */
    if (layer.struck() == TEST_FAULT_clBuildProgram && status == CLSCAN_ERROR_BUILD)
        return error->cl_code == FAULT_CODE;
    /* What a driver does not answer counts as what the device has not, and a variant that is named may need it. */
    if (layer.struck() == TEST_FAULT_clGetDeviceInfo && status == CLSCAN_ERROR_DEVICE_LIMIT)
        return true;
    return status == CLSCAN_ERROR_OPENCL && error->status == status && error->cl_code == FAULT_CODE &&
           strstr(error->message, fault_call_name(layer.struck())) != NULL;
}

static const char *struck_call(void)
{
    return fault_call_name(layer.struck());
}

static void arm_allocation(unsigned nth)
{
    allocation_failed = false;
    allocations_left = nth;
}

static bool disarm_allocation(void)
{
    allocations_left = 0;
    return allocation_failed;
}

static bool allocation_is_told(clscan_status status, const clscan_error *error)
{
    return status == CLSCAN_ERROR_OUT_OF_MEMORY && error->status == status && strstr(error->message, "memory") != NULL;
}

static const char *struck_allocation(void)
{
    return "an allocation";
}

static const fault_kind calls = {"calls", arm_call, disarm_call, call_is_told, struck_call};
static const fault_kind allocations = {"allocations", arm_allocation, disarm_allocation, allocation_is_told,
                                       struck_allocation};

/* ---- The life of a plan ---- */

static struct {
    cl_device_id device;
    clscan_device_info info;
    cl_context context;
    cl_command_queue queues[2]; /* the second is out-of-order, where the device has such */
    cl_event done;
    cl_mem in, out, total, offsets, flags, indices, number;
    uint32_t data[MOST_COUNT], begins[OFFSETS], chosen_count;
    unsigned char chosen[COUNT];
    char *folder; /* of the cache */
} here;

/* What a run leaves in the output, the totals and the indices, where there were zeros. */
typedef struct outcome {
    uint32_t out[MOST_COUNT], totals[MOST_TOTALS], indices[COUNT];
} outcome;

typedef struct task {
    clscan_problem problem;
    uint32_t factor; /* of its sums, in those of the input */
    void (*expect)(const struct task *of, outcome *expected);
} task;

typedef struct life {
    const task *task;
    clscan_variant variant; /* body CLSCAN_BODY_COUNT: that of the configs */
    clscan_plan *plan;
    clscan_workspace *workspace;
    void *blob;
    size_t blob_bytes;
} life;

/* The second argument is the input once more. */
static const clscan_map_argument arguments[] = {
    {.struct_size = sizeof(clscan_map_argument), .name = "scale", .type = CLSCAN_UINT32},
    {.struct_size = sizeof(clscan_map_argument),
     .name = "again",
     .type = CLSCAN_UINT32,
     .is_buffer = 1,
     .count = COUNT}};
static const uint32_t scale = 3;
static const clscan_map load = {.struct_size = sizeof load,
                                .expression = "element + times(scale, again[index])",
                                .source = "uint times(uint left, uint right) { return left * right; }",
                                .arguments = arguments,
                                .argument_count = 2};

static const clscan_rows many = {.struct_size = sizeof many, .count = SHORT_ROWS},
                         few = {.struct_size = sizeof few, .count = CUT_ROWS},
                         one = {.struct_size = sizeof one, .count = 1};
static const clscan_segments by_offsets = {
    .struct_size = sizeof by_offsets, .by = CLSCAN_BY_OFFSETS, .type = CLSCAN_UINT32};
static const clscan_select by_flags = {.struct_size = sizeof by_flags, .flag_bytes = 1, .index_bytes = 4};

static uint64_t row_count(const task *of)
{
    return of->problem.rows != NULL ? of->problem.rows->count : 1;
}

static size_t element_count(const task *of)
{
    return (size_t)(row_count(of) * of->problem.max_count);
}

static bool is_offset(size_t index)
{
    for (size_t i = 0; i < OFFSETS; ++i)
        if (here.begins[i] == index)
            return true;
    return false;
}

/* Of scans and reductions. Totals of segments are not asked for. */
static void expect_sums(const task *of, outcome *expected)
{
    const clscan_problem *problem = &of->problem;
    uint32_t sum = 0;

    for (size_t i = 0; i < element_count(of); ++i) {
        if (i % problem->max_count == 0 || (problem->segments != NULL && is_offset(i)))
            sum = 0;
        sum += of->factor * here.data[i];
        if (problem->operation == CLSCAN_SCAN)
            expected->out[i] = sum;
        if (problem->segments == NULL)
            expected->totals[i / problem->max_count] = sum;
    }
}

static void expect_chosen(const task *of, outcome *expected)
{
    (void)of;
    for (uint32_t i = 0; i < CHOSEN_COUNT; ++i) {
        if (here.chosen[i] == 0)
            continue;
        expected->out[expected->totals[0]] = here.data[i];
        expected->indices[expected->totals[0]++] = i;
    }
}

#define PROBLEM(count) \
    .struct_size = sizeof(clscan_problem), .type = CLSCAN_UINT32, .op = CLSCAN_ADD, .max_count = (count)
static const task scan = {{PROBLEM(COUNT)}, 1, expect_sums};
static const task mapped = {{PROBLEM(COUNT), .load = &load}, 4, expect_sums};
static const task reduction = {{PROBLEM(COUNT), .operation = CLSCAN_REDUCE}, 1, expect_sums};
static const task short_rows = {{PROBLEM(SHORT_COUNT), .rows = &many}, 1, expect_sums};
static const task cut_rows = {{PROBLEM(CUT_COUNT), .rows = &few}, 1, expect_sums};
static const task lone_row = {{PROBLEM(LONG_COUNT), .rows = &one}, 1, expect_sums};
static const task long_rows = {{PROBLEM(LONG_COUNT), .rows = &few}, 1, expect_sums};
static const task segments = {{PROBLEM(COUNT), .segments = &by_offsets}, 1, expect_sums};
static const task selection = {
    {PROBLEM(COUNT), .operation = CLSCAN_SELECT, .select = &by_flags, .count_bytes = 4}, 1, expect_chosen};

static clscan_status look(life *l, clscan_error *error)
{
    cl_device_id found = NULL;
    clscan_device_info info = {.struct_size = sizeof info};
    const clscan_status status = clscan_device_find(getenv("CLSCAN_TEST_DEVICE"), &found, error);

    (void)l;
    return status == CLSCAN_OK ? clscan_device_describe(found, &info, error) : status;
}

static clscan_status create(life *l, clscan_error *error)
{
    const clscan_plan_options options = {.struct_size = sizeof options,
                                         .variant = l->variant.body != CLSCAN_BODY_COUNT ? &l->variant : NULL,
                                         .count_events = 1,
                                         .probe = CLSCAN_PROBE_OFF,
                                         .blob = l->blob,
                                         .blob_bytes = l->blob_bytes};

    return clscan_plan_create(here.context, here.device, &l->task->problem, &options, &l->plan, error);
}

static unsigned destroy_plan(life *l)
{
    clscan_plan_destroy(l->plan);
    l->plan = NULL;
    return 0;
}

static clscan_status inspect(life *l, clscan_error *error)
{
    clscan_kernel_info info = {.struct_size = sizeof info};

    return clscan_plan_kernel_info(l->plan, l->task->problem.max_count, 0, &info, error);
}

static clscan_status save(life *l, clscan_error *error)
{
    size_t bytes = 0;
    void *blob;
    clscan_status status = clscan_plan_save(l->plan, NULL, 0, &bytes, error);

    if (status != CLSCAN_OK)
        return status;
    blob = __real_malloc(bytes);
    status = clscan_plan_save(l->plan, blob, bytes, &bytes, error);
    if (status == CLSCAN_OK) {
        l->blob = blob;
        l->blob_bytes = bytes;
    } else {
        free(blob);
    }
    return status;
}

static unsigned forget_blob(life *l)
{
    free(l->blob);
    l->blob = NULL;
    l->blob_bytes = 0;
    return 0;
}

static clscan_status create_workspace(life *l, clscan_error *error)
{
    return clscan_workspace_create(l->plan, &l->workspace, error);
}

static unsigned destroy_workspace(life *l)
{
    clscan_workspace_destroy(l->workspace);
    l->workspace = NULL;
    return 0;
}

static clscan_status bind(life *l, clscan_error *error)
{
    return clscan_workspace_bind(l->workspace, here.queues[0], NULL, error);
}

/* A workspace holds on to the queue of a binding that failed. */
static unsigned renew_workspace(life *l)
{
    destroy_workspace(l);
    return create_workspace(l, NULL) != CLSCAN_OK;
}

static clscan_status run_on(life *l, size_t queue, cl_event *event, clscan_error *error)
{
    const clscan_problem *problem = &l->task->problem;
    const clscan_memory values[] = {{.kind = CLSCAN_MEMORY_HOST, .pointer = (void *)(uintptr_t)&scale},
                                    {.buffer = here.in}};
    const clscan_selection kept = {
        .struct_size = sizeof kept, .flags.buffer = here.flags, .indices.buffer = here.indices};
    clscan_run_args args = {.struct_size = sizeof args, .in.buffer = here.in, .count = problem->max_count};

    if (problem->operation != CLSCAN_REDUCE)
        args.out.buffer = here.out;
    if (problem->load != NULL) {
        args.map_arguments = values;
        args.map_argument_count = sizeof values / sizeof values[0];
    }
    if (problem->segments != NULL) {
        args.segments.buffer = here.offsets;
        args.offset_count = OFFSETS;
    } else {
        args.total.buffer = here.total;
    }
    if (problem->operation == CLSCAN_SELECT) {
        args.selection = &kept;
        args.device_count.buffer = here.number;
    }
    return clscan_run(l->plan, l->workspace, here.queues[queue], &args, queue == 1, queue == 1 ? &here.done : NULL,
                      event, error);
}

static clscan_status run(life *l, clscan_error *error)
{
    return run_on(l, 0, NULL, error);
}

static clscan_status run_out_of_order(life *l, clscan_error *error)
{
    cl_event event = NULL;
    const clscan_status status = run_on(l, 1, &event, error);

    assert_true((status == CLSCAN_OK) == (event != NULL));
    if (event != NULL)
        clReleaseEvent(event);
    return status;
}

static clscan_status report(life *l, clscan_error *error)
{
    clscan_report counts = {.struct_size = sizeof counts};

    return clscan_workspace_report(l->workspace, here.queues[0], &counts, error);
}

static bool clear(cl_mem buffer, size_t bytes)
{
    static const uint32_t nothing = 0;

    return clEnqueueFillBuffer(here.queues[0], buffer, &nothing, sizeof nothing, 0, bytes, 0, NULL, NULL) == CL_SUCCESS;
}

static bool holds(cl_mem buffer, const void *expected, size_t bytes)
{
    static unsigned char got[MOST_COUNT * sizeof(uint32_t)];

    return clEnqueueReadBuffer(here.queues[0], buffer, CL_TRUE, 0, bytes, got, 0, NULL, NULL) == CL_SUCCESS &&
           memcmp(got, expected, bytes) == 0;
}

static bool inputs_are_whole(size_t bytes)
{
    return holds(here.in, here.data, bytes) && holds(here.offsets, here.begins, sizeof here.begins) &&
           holds(here.flags, here.chosen, sizeof here.chosen) &&
           holds(here.number, &here.chosen_count, sizeof here.chosen_count);
}

/* The next pass, on the queue that counts no events. 1 if it is wrong. */
static unsigned run_is_wrong(life *l)
{
    static outcome expected;
    const size_t bytes = element_count(l->task) * sizeof expected.out[0];
    clscan_error error = {0};

    memset(&expected, 0, sizeof expected);
    l->task->expect(l->task, &expected);
    if (!inputs_are_whole(bytes)) {
        print_error("an input is not what it was\n");
        return 1;
    }
    if (!clear(here.out, bytes) || !clear(here.total, sizeof expected.totals) ||
        !clear(here.indices, sizeof expected.indices) || run_on(l, 0, NULL, &error) != CLSCAN_OK) {
        print_error("the next run fails: %s\n", error.message);
        return 1;
    }
    if (holds(here.out, expected.out, bytes) && holds(here.total, expected.totals, sizeof expected.totals) &&
        holds(here.indices, expected.indices, sizeof expected.indices))
        return 0;
    print_error("the next run is wrong\n");
    return 1;
}

/* The second run sees that the first one has come after what another queue had. */
static unsigned run_twice_is_wrong(life *l)
{
    return run_is_wrong(l) + run_is_wrong(l);
}

/* `reset` leads back to before the step, whether it failed or not, and says what is wrong then. */
static const struct step {
    const char *name;
    clscan_status (*go)(life *l, clscan_error *error);
    unsigned (*reset)(life *l);
    unsigned (*prepare)(life *l); /* once, before faults; may be NULL */
    bool needs_all;               /* no call is one that the step can do without */
} steps[] = {
    {"looking for devices", look, NULL, NULL, false},
    {"creating a plan", create, destroy_plan, NULL, false},
    {"asking about kernels", inspect, NULL, NULL, false},
    {"saving", save, forget_blob, NULL, false},
    {"creating from a blob", create, destroy_plan, destroy_plan, false},
    {"creating a workspace", create_workspace, destroy_workspace, NULL, true},
    {"binding", bind, renew_workspace, NULL, true},
    {"running", run, run_is_wrong, run_is_wrong, true},
    {"running out of order", run_out_of_order, run_twice_is_wrong, NULL, true},
    {"reporting", report, run_twice_is_wrong, run_twice_is_wrong, true},
};

/* Go through one step until no fault is met any more; the last time it has succeeded. */
static unsigned survive(const struct step *step, const fault_kind *kind, life *l, unsigned *met)
{
    unsigned failures = 0;

    for (unsigned nth = 1;; ++nth) {
        const fault_balance before = fault_balance_take(&layer);
        clscan_error error = {0};
        clscan_status status;
        bool struck;

        kind->arm(nth);
        status = step->go(l, &error);
        struck = kind->disarm();
        if (!struck) {
            if (status != CLSCAN_OK)
                print_error("%s fails without a fault: %s\n", step->name, error.message);
            return failures + (status != CLSCAN_OK);
        }
        ++*met;
        if (status == CLSCAN_OK ? step->needs_all : !kind->is_told(status, &error)) {
            print_error("%s, %s %u (%s): %s, code %d: %s\n", step->name, kind->name, nth, kind->struck(),
                        clscan_status_name(status), error.cl_code, error.message);
            ++failures;
        }
        if (step->reset != NULL && step->reset(l) != 0) {
            print_error("  after %s, %s %u (%s)\n", step->name, kind->name, nth, kind->struck());
            ++failures;
        }
        for (size_t i = 0; i < 2; ++i)
            clFinish(here.queues[i]);
        if (fault_balance_compare(&layer, &before, step->name) != 0) {
            print_error("  after %s, %s %u (%s)\n", step->name, kind->name, nth, kind->struck());
            ++failures;
        }
    }
}

static unsigned live(const fault_kind *kind, const task *of, const clscan_variant *variant, unsigned *met)
{
    const fault_balance before = fault_balance_take(&layer);
    life l = {.task = of, .variant = *variant};
    unsigned failures = 0;

    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && failures == 0; ++i) {
        if (steps[i].prepare != NULL)
            failures += steps[i].prepare(&l);
        failures += survive(&steps[i], kind, &l, met);
    }
    if (failures == 0)
        failures += run_is_wrong(&l);
    destroy_workspace(&l);
    destroy_plan(&l);
    forget_blob(&l);
    return failures + fault_balance_compare(&layer, &before, "in the end");
}

/* ---- Tests ---- */

#define SMALL "work_group_size=16 vector_length=2 register_pieces=1 local_pieces=1"
static const struct {
    const task *task;
    const char *text; /* NULL: what the configs say, which alone gives long rows ways of their own */
    bool is_quick;    /* to give its binary away, for which PoCL compiles all kernels once more */
} variants[] = {
    {&scan, "strided+kogge_stone+single " SMALL, true},
    {&scan, "strided+kogge_stone+adjacent+dynamic " SMALL " tiles_per_work_group=1 poll_delay=0", true},
    {&scan, "strided+kogge_stone+reduce_then_scan " SMALL " work_groups_per_unit=4", true},
    {&scan, "strided+kogge_stone+scan_then_add " SMALL " work_groups_per_unit=4", true},
    {&scan, "strided+kogge_stone+all_totals+dynamic " SMALL " poll_delay=0", true},
    {&scan, "strided+kogge_stone+lookback+dynamic " SMALL " poll_delay=0", true},
    {&scan,
     "subgroup_rows+subgroup+lookahead+persistent work_group_size=64 vector_length=4 register_pieces=2 local_pieces=0 "
     "work_groups_per_unit=1 poll_delay=0 landing_zones=0",
     false},
    {&mapped, "strided+kogge_stone+single " SMALL, true},
    {&reduction, "strided+kogge_stone+reduce_then_combine " SMALL " work_groups_per_unit=4", true},
    {&reduction, "strided+kogge_stone+last_combines " SMALL " work_groups_per_unit=4", false},
    {&short_rows, "strided+kogge_stone+reduce_then_scan " SMALL " work_groups_per_unit=4", false},
    {&cut_rows, "strided+kogge_stone+reduce_then_scan " SMALL " work_groups_per_unit=4", false},
    {&lone_row, NULL, false},
    {&long_rows, NULL, false},
    {&segments, "strided+kogge_stone+adjacent+dynamic " SMALL " tiles_per_work_group=1 poll_delay=0", false},
    {&segments, "strided+kogge_stone+reduce_then_scan " SMALL " work_groups_per_unit=4", false},
    {&selection,
     "strided+kogge_stone+adjacent+persistent " SMALL " work_groups_per_unit=1 tiles_per_work_group=1 poll_delay=0",
     false},
    {&selection, "strided+kogge_stone+reduce_then_scan " SMALL " work_groups_per_unit=4", false},
};

static void set_cache(clscan_cache_mode mode)
{
    const clscan_cache_options options = {.struct_size = sizeof options, .mode = mode, .folder = here.folder};

    assert_int_equal(clscan_cache_set(&options, NULL), CLSCAN_OK);
}

static void every_carry_survives(const fault_kind *kind, clscan_cache_mode mode)
{
    unsigned failures = 0, met = 0, carries = 0;

    set_cache(mode);
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; ++i) {
        const bool is_named = variants[i].text != NULL;
        const clscan_variant variant =
            is_named ? parsed_variant(variants[i].text) : (clscan_variant){.body = CLSCAN_BODY_COUNT};
        unsigned wrong;

        if ((mode == CLSCAN_CACHE_ON && !variants[i].is_quick) ||
            (is_named && clscan_variant_check(&variant, &variants[i].task->problem, 0, &here.info, NULL) != CLSCAN_OK))
            continue;
        wrong = live(kind, variants[i].task, &variant, &met);
        if (wrong != 0)
            print_error("  with row %zu of the table: %s\n", i, is_named ? variants[i].text : "as configs say");
        failures += wrong;
        ++carries;
    }
    print_message("cache %s: %u %s were made to fail, with %u variants\n", clscan_cache_mode_name(mode), met,
                  kind->name, carries);
    assert_true(carries >= 3 && met >= 50 * carries);
    assert_int_equal(failures, 0);
}

static void calls_without_cache(void **state)
{
    (void)state;
    every_carry_survives(&calls, CLSCAN_CACHE_OFF);
}

static void calls_with_cache(void **state)
{
    (void)state;
    every_carry_survives(&calls, CLSCAN_CACHE_ON);
}

/* Those that only some devices, failing compilers, the probe or parts of scans ask for are left out; the rest must have
 * been met, or the test looks at less than it says. */
static void every_kind_of_call_was_met(void **state)
{
    (void)state;
    static const test_fault_call expected[] = {
        TEST_FAULT_clGetPlatformIDs,
        TEST_FAULT_clGetPlatformInfo,
        TEST_FAULT_clGetDeviceIDs,
        TEST_FAULT_clGetDeviceInfo,
        TEST_FAULT_clGetContextInfo,
        TEST_FAULT_clCreateBuffer,
        TEST_FAULT_clCreateProgramWithSource,
        TEST_FAULT_clCreateProgramWithBinary,
        TEST_FAULT_clBuildProgram,
        TEST_FAULT_clCreateKernel,
        TEST_FAULT_clSetKernelArg,
        TEST_FAULT_clEnqueueNDRangeKernel,
        TEST_FAULT_clEnqueueFillBuffer,
        TEST_FAULT_clEnqueueReadBuffer,
        TEST_FAULT_clEnqueueMarkerWithWaitList,
        TEST_FAULT_clFlush,
        TEST_FAULT_clRetainContext,
        TEST_FAULT_clRetainCommandQueue,
        TEST_FAULT_clRetainProgram,
        TEST_FAULT_clRetainEvent,
        TEST_FAULT_clGetProgramInfo,
        TEST_FAULT_clGetKernelWorkGroupInfo,
        TEST_FAULT_clGetMemObjectInfo,
        TEST_FAULT_clGetCommandQueueInfo,
    };

    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; ++i)
        if (!were_met[expected[i]])
            fail_msg("%s was not made to fail", fault_call_name(expected[i]));
}

static void allocations_without_cache(void **state)
{
    (void)state;
    every_carry_survives(&allocations, CLSCAN_CACHE_OFF);
}

static void allocations_with_cache(void **state)
{
    (void)state;
    every_carry_survives(&allocations, CLSCAN_CACHE_ON);
}

static cl_mem buffer(size_t bytes, const void *data)
{
    cl_int code;
    const cl_mem made = clCreateBuffer(here.context, CL_MEM_READ_WRITE | (data != NULL ? CL_MEM_COPY_HOST_PTR : 0),
                                       bytes, (void *)(uintptr_t)data, &code);

    return code == CL_SUCCESS ? made : NULL;
}

static bool make_buffers(void)
{
    for (uint32_t i = 0; i < MOST_COUNT; ++i)
        here.data[i] = i * 2654435761u;
    for (uint32_t i = 0; i < COUNT; ++i)
        here.chosen[i] = here.data[i] >> 30 == 0;
    for (uint32_t i = 0; i < OFFSETS; ++i)
        here.begins[i] = 11 + i * 41; /* not at tiles, and also within one */
    here.chosen_count = CHOSEN_COUNT;
    here.in = buffer(sizeof here.data, here.data);
    here.out = buffer(sizeof here.data, NULL);
    here.total = buffer(sizeof(((outcome *)NULL)->totals), NULL);
    here.offsets = buffer(sizeof here.begins, here.begins);
    here.flags = buffer(sizeof here.chosen, here.chosen);
    here.indices = buffer(sizeof(((outcome *)NULL)->indices), NULL);
    here.number = buffer(sizeof here.chosen_count, &here.chosen_count);
    return here.in != NULL && here.out != NULL && here.total != NULL && here.offsets != NULL && here.flags != NULL &&
           here.indices != NULL && here.number != NULL;
}

static int setup(void **state)
{
    cl_command_queue_properties has = 0;
    cl_int code;

    (void)state;
    here.folder = temporary_folder_create();
    here.info.struct_size = sizeof here.info;
    if (fault_control_open(&layer) != 0 ||
        clscan_device_find(getenv("CLSCAN_TEST_DEVICE"), &here.device, NULL) != CLSCAN_OK ||
        clscan_device_describe(here.device, &here.info, NULL) != CLSCAN_OK)
        return -1;
    here.context = clCreateContext(NULL, 1, &here.device, NULL, NULL, &code);
    if (code != CL_SUCCESS ||
        clGetDeviceInfo(here.device, CL_DEVICE_QUEUE_PROPERTIES, sizeof has, &has, NULL) != CL_SUCCESS)
        return -1;
    here.queues[0] = clCreateCommandQueue(here.context, here.device, 0, &code);
    here.queues[1] =
        clCreateCommandQueue(here.context, here.device, has & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code);
    here.done = clCreateUserEvent(here.context, &code);
    return !make_buffers() || here.queues[0] == NULL || here.queues[1] == NULL || here.done == NULL ||
                   clSetUserEventStatus(here.done, CL_COMPLETE) != CL_SUCCESS
               ? -1
               : 0;
}

static int teardown(void **state)
{
    (void)state;
    clReleaseMemObject(here.in);
    clReleaseMemObject(here.out);
    clReleaseMemObject(here.total);
    clReleaseMemObject(here.offsets);
    clReleaseMemObject(here.flags);
    clReleaseMemObject(here.indices);
    clReleaseMemObject(here.number);
    clReleaseEvent(here.done);
    clReleaseCommandQueue(here.queues[0]);
    clReleaseCommandQueue(here.queues[1]);
    clReleaseContext(here.context);
    temporary_folder_remove(here.folder);
    return clscan_cache_set(NULL, NULL) != CLSCAN_OK;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_without_cache),        cmocka_unit_test(calls_with_cache),
        cmocka_unit_test(every_kind_of_call_was_met), cmocka_unit_test(allocations_without_cache),
        cmocka_unit_test(allocations_with_cache),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
