/* Every refusal that plan.h lists, by its cause; and that a refused run enqueues nothing. */
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "guarded.h"
#include "live.h"
#include "parsed_variant.h"
#include "problem_of.h"

enum { COUNT = 64, SPACE = 100 };

/* A plan with a bound workspace, and buffers that a valid call could use. */
typedef struct desk {
    const test_live *live;
    clscan_problem problem;
    clscan_case_fixture fixture;
    cl_context other_context;
    cl_command_queue other_queue;
    cl_mem in;  /* SPACE elements, read-only */
    cl_mem out; /* SPACE elements */
    cl_mem write_only;
    cl_mem small;   /* COUNT - 1 elements */
    cl_mem initial; /* 2 elements */
    cl_mem total;   /* 2 elements */
    cl_mem foreign; /* of the other context */
    cl_mem image;   /* a memory object that is no buffer; NULL without image support */
} desk;

static unsigned char poison[SPACE * sizeof(int32_t)];

static void open_desk(const test_live *live, desk *d)
{
    const size_t bytes = SPACE * sizeof(int32_t);
    cl_bool images = CL_FALSE;
    cl_int code;

    memset(d, 0, sizeof *d);
    memset(poison, 0xc7, sizeof poison);
    d->live = live;
    d->problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, COUNT);
    test_prepare(live, &d->problem, NULL, NULL, &d->fixture);
    d->other_context = clCreateContext(NULL, 1, &live->device, NULL, NULL, &code);
    assert_cl(code);
    d->other_queue = clCreateCommandQueue(d->other_context, live->device, 0, &code);
    assert_cl(code);
    d->in = test_buffer(live, CL_MEM_READ_ONLY, bytes, poison);
    d->out = test_buffer(live, CL_MEM_READ_WRITE, bytes, poison);
    d->write_only = test_buffer(live, CL_MEM_WRITE_ONLY, bytes, poison);
    d->small = test_buffer(live, CL_MEM_READ_WRITE, (COUNT - 1) * sizeof(int32_t), poison);
    d->initial = test_buffer(live, CL_MEM_READ_ONLY, 2 * sizeof(int32_t), poison);
    d->total = test_buffer(live, CL_MEM_READ_WRITE, 2 * sizeof(int32_t), poison);
    d->foreign = clCreateBuffer(d->other_context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    assert_cl(code);
    clGetDeviceInfo(live->device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, NULL);
    if (images) {
        const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
        const cl_image_desc shape = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16, .image_height = 16};
        d->image = clCreateImage(live->context, CL_MEM_READ_WRITE, &format, &shape, NULL, &code);
        assert_cl(code);
    }
}

static void close_desk(desk *d)
{
    cl_mem buffers[] = {d->in, d->out, d->write_only, d->small, d->initial, d->total, d->foreign, d->image};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; ++i)
        if (buffers[i] != NULL)
            clReleaseMemObject(buffers[i]);
    clReleaseCommandQueue(d->other_queue);
    clReleaseContext(d->other_context);
    clscan_case_release(&d->fixture);
}

static clscan_run_args valid_args(const desk *d)
{
    return (clscan_run_args){
        .struct_size = sizeof(clscan_run_args), .in.buffer = d->in, .out.buffer = d->out, .count = COUNT};
}

/* Run with these arguments; expect this refusal, a message, and outputs untouched; and the same of a check. */
static void expect_refusal(const desk *d, const char *why, clscan_status expected, const clscan_run_args *args,
                           unsigned *failures)
{
    clscan_error error = {0}, check_error = {0};
    unsigned char got[sizeof poison];
    cl_event event = NULL;
    const clscan_status checked =
        clscan_run_check(d->fixture.plan, d->fixture.workspace, d->live->queue, args, &check_error);
    const clscan_status status =
        clscan_run(d->fixture.plan, d->fixture.workspace, d->live->queue, args, 0, NULL, &event, &error);

    if (checked != status || strcmp(check_error.message, error.message) != 0) {
        print_error("%s: the check says %s (\"%s\"), the run %s (\"%s\")\n", why, clscan_status_name(checked),
                    check_error.message, clscan_status_name(status), error.message);
        ++*failures;
    }

    if (status != expected || error.status != expected || error.message[0] == '\0' || event != NULL) {
        print_error("%s: expected %s, got %s (error says %s: \"%s\")%s\n", why, clscan_status_name(expected),
                    clscan_status_name(status), clscan_status_name(error.status), error.message,
                    event != NULL ? ", and an event" : "");
        ++*failures;
    }
    assert_cl(clFinish(d->live->queue));
    test_read(d->live, d->out, sizeof got, got);
    if (memcmp(got, poison, sizeof got) != 0) {
        print_error("%s: the output was written\n", why);
        ++*failures;
    }
    test_read(d->live, d->total, 2 * sizeof(int32_t), got);
    if (memcmp(got, poison, 2 * sizeof(int32_t)) != 0) {
        print_error("%s: the total was written\n", why);
        ++*failures;
    }
}

/* A carry that reads its output again cannot have a write-only one; the others can. */
static void write_only_output(void **state)
{
    const test_live *live = *state;
    static const struct {
        const char *variant;
        clscan_status expected;
    } cases[] = {
        {"strided+brent_kung+scan_then_add work_group_size=8 vector_length=1 register_pieces=1 local_pieces=0 "
         "work_groups_per_unit=1",
         CLSCAN_ERROR_BUFFER_ACCESS},
        {"strided+brent_kung+reduce_then_scan work_group_size=8 vector_length=1 register_pieces=1 local_pieces=0 "
         "work_groups_per_unit=1",
         CLSCAN_OK},
        {"strided+brent_kung+single work_group_size=8 vector_length=1 register_pieces=1 local_pieces=0", CLSCAN_OK},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, COUNT);
        clscan_plan_options options = {.struct_size = sizeof options};
        clscan_case_fixture fixture;
        const clscan_variant variant = parsed_variant(cases[i].variant);
        clscan_error error = {0};
        options.variant = &variant;
        test_prepare(live, &problem, NULL, &options, &fixture);
        cl_mem in = test_buffer(live, CL_MEM_READ_ONLY, COUNT * sizeof(int32_t), poison);
        cl_mem out = test_buffer(live, CL_MEM_WRITE_ONLY, COUNT * sizeof(int32_t), poison);
        const clscan_run_args args = {.struct_size = sizeof args, .in.buffer = in, .out.buffer = out, .count = COUNT};
        assert_status(cases[i].expected,
                      clscan_run(fixture.plan, fixture.workspace, live->queue, &args, 0, NULL, NULL, &error), &error);
        assert_cl(clFinish(live->queue));
        clReleaseMemObject(in);
        clReleaseMemObject(out);
        clscan_case_release(&fixture);
    }
}

static void runs_are_refused(void **state)
{
    desk d;
    unsigned failures = 0;

    open_desk(*state, &d);
    const int32_t five = 5;
    cl_command_queue queue = d.live->queue;
    clscan_error error = {0};

    /* Changes of one field each to a call that is right. */
    const struct {
        const char *why;
        clscan_status expected;
        clscan_run_args args;
    } cases[] = {
#define CASE(why, expected, elements, ...)                                           \
    {                                                                                \
        why, CLSCAN_ERROR_##expected,                                                \
        {                                                                            \
            .struct_size = sizeof(clscan_run_args), .count = (elements), __VA_ARGS__ \
        }                                                                            \
    }
        CASE("no input", NULL_ARGUMENT, COUNT, .out.buffer = d.out),
        CASE("no output", NULL_ARGUMENT, COUNT, .in.buffer = d.in),
        CASE("more than max_count", COUNT_TOO_LARGE, COUNT + 1, .in.buffer = d.in, .out.buffer = d.out),
        CASE("count of all bits", COUNT_TOO_LARGE, UINT64_MAX, .in.buffer = d.in, .out.buffer = d.out),
        CASE("input one element short", BUFFER_TOO_SMALL, COUNT, .in.buffer = d.small, .out.buffer = d.out),
        CASE("output one element short", BUFFER_TOO_SMALL, COUNT, .in.buffer = d.in, .out.buffer = d.small),
        CASE("input short by its offset", BUFFER_TOO_SMALL, COUNT, .in.buffer = d.in, .out.buffer = d.out,
             .in.offset = SPACE - COUNT + 1),
        CASE("output short by its offset", BUFFER_TOO_SMALL, COUNT, .in.buffer = d.in, .out.buffer = d.out,
             .out.offset = SPACE - COUNT + 1),
        CASE("input offset that overflows", INVALID_VALUE, COUNT, .in.buffer = d.in, .out.buffer = d.out,
             .in.offset = UINT64_MAX),
        CASE("input offset that overflows in bytes", INVALID_VALUE, COUNT, .in.buffer = d.in, .out.buffer = d.out,
             .in.offset = UINT64_MAX / 4 + 1),
        CASE("output offset that overflows", INVALID_VALUE, COUNT, .in.buffer = d.in, .out.buffer = d.out,
             .out.offset = UINT64_MAX - 3),
        CASE("write-only input", BUFFER_ACCESS, COUNT, .in.buffer = d.write_only, .out.buffer = d.out),
        CASE("read-only output", BUFFER_ACCESS, COUNT, .in.buffer = d.out, .out.buffer = d.in),
        CASE("write-only initial value", BUFFER_ACCESS, COUNT, .in.buffer = d.in, .out.buffer = d.out,
             .initial.buffer = d.write_only),
        CASE("read-only total", BUFFER_ACCESS, COUNT, .in.buffer = d.in, .out.buffer = d.out,
             .total.buffer = d.initial),
        CASE("initial value past its buffer", BUFFER_TOO_SMALL, COUNT, .in.buffer = d.in, .out.buffer = d.out,
             .initial.buffer = d.initial, .initial.offset = 2),
        CASE("total past its buffer", BUFFER_TOO_SMALL, COUNT, .in.buffer = d.in, .out.buffer = d.out,
             .total.buffer = d.total, .total.offset = 2),
        CASE("total offset that overflows", INVALID_VALUE, COUNT, .in.buffer = d.in, .out.buffer = d.out,
             .total.buffer = d.total, .total.offset = UINT64_MAX),
        CASE("input of the host", MEMORY_KIND, COUNT, .in = {CLSCAN_MEMORY_HOST, .pointer = &five},
             .out.buffer = d.out),
        CASE("output in shared virtual memory", MEMORY_KIND, COUNT, .in.buffer = d.in,
             .out = {CLSCAN_MEMORY_SVM, .pointer = &five}),
        CASE("initial value at a device address", MEMORY_KIND, COUNT, .in.buffer = d.in, .out.buffer = d.out,
             .initial = {CLSCAN_MEMORY_ADDRESS, .address = 4096}),
        CASE("total in unified memory", MEMORY_KIND, COUNT, .in.buffer = d.in, .out.buffer = d.out,
             .total = {CLSCAN_MEMORY_USM, .pointer = &five}),
        CASE("total of the host", MEMORY_KIND, COUNT, .in.buffer = d.in, .out.buffer = d.out,
             .total = {CLSCAN_MEMORY_HOST, .pointer = &five}),
        CASE("memory of no kind", INVALID_VALUE, COUNT, .in = {CLSCAN_MEMORY_KIND_COUNT, .buffer = d.in},
             .out.buffer = d.out),
        CASE("initial value of no kind", INVALID_VALUE, COUNT, .in.buffer = d.in, .out.buffer = d.out,
             .initial.kind = (clscan_memory_kind)-1),
        CASE("memory with more to it", INVALID_VALUE, COUNT, .in = {.reserved = 1, .buffer = d.in},
             .out.buffer = d.out),
        CASE("initial value with more to it", INVALID_VALUE, COUNT, .in.buffer = d.in, .out.buffer = d.out,
             .initial = {CLSCAN_MEMORY_HOST, .reserved = 1, .pointer = &five}),
        CASE("input of another context", WRONG_CONTEXT, COUNT, .in.buffer = d.foreign, .out.buffer = d.out),
        CASE("output of another context", WRONG_CONTEXT, COUNT, .in.buffer = d.in, .out.buffer = d.foreign),
        CASE("initial value of another context", WRONG_CONTEXT, COUNT, .in.buffer = d.in, .out.buffer = d.out,
             .initial.buffer = d.foreign),
        CASE("total of another context", WRONG_CONTEXT, COUNT, .in.buffer = d.in, .out.buffer = d.out,
             .total.buffer = d.foreign),
#undef CASE
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        expect_refusal(&d, cases[i].why, cases[i].expected, &cases[i].args, &failures);

    clscan_run_args args = valid_args(&d);
    args.struct_size = 0;
    expect_refusal(&d, "struct_size 0", CLSCAN_ERROR_STRUCT_SIZE, &args, &failures);
    args.struct_size = (size_t)1 << 40;
    expect_refusal(&d, "struct_size beyond all structs", CLSCAN_ERROR_STRUCT_SIZE, &args, &failures);
    if (d.image != NULL) {
        args = valid_args(&d);
        args.in.buffer = d.image;
        expect_refusal(&d, "an image as input", CLSCAN_ERROR_INVALID_VALUE, &args, &failures);
    }
    assert_int_equal(failures, 0);

    /* The arguments beside the struct. */
    args = valid_args(&d);
    const clscan_plan *plan = d.fixture.plan;
    clscan_workspace *workspace = d.fixture.workspace;
    cl_event stray = NULL;
    assert_status(CLSCAN_ERROR_NULL_ARGUMENT, clscan_run(NULL, workspace, queue, &args, 0, NULL, NULL, &error), &error);
    assert_status(CLSCAN_ERROR_NULL_ARGUMENT, clscan_run(plan, NULL, queue, &args, 0, NULL, NULL, &error), &error);
    assert_status(CLSCAN_ERROR_NULL_ARGUMENT, clscan_run(plan, workspace, NULL, &args, 0, NULL, NULL, &error), &error);
    assert_status(CLSCAN_ERROR_NULL_ARGUMENT, clscan_run(plan, workspace, queue, NULL, 0, NULL, NULL, &error), &error);
    assert_status(CLSCAN_ERROR_INVALID_VALUE, clscan_run(plan, workspace, queue, &args, 1, NULL, NULL, &error), &error);
    assert_status(CLSCAN_ERROR_INVALID_VALUE, clscan_run(plan, workspace, queue, &args, 0, &stray, NULL, &error),
                  &error);
    assert_status(CLSCAN_ERROR_WRONG_CONTEXT, clscan_run(plan, workspace, d.other_queue, &args, 0, NULL, NULL, &error),
                  &error);
    assert_status(CLSCAN_ERROR_NULL_ARGUMENT, clscan_run_check(NULL, workspace, queue, &args, &error), &error);
    assert_status(CLSCAN_ERROR_NULL_ARGUMENT, clscan_run_check(plan, NULL, queue, &args, &error), &error);
    assert_status(CLSCAN_ERROR_NULL_ARGUMENT, clscan_run_check(plan, workspace, NULL, &args, &error), &error);
    assert_status(CLSCAN_ERROR_NULL_ARGUMENT, clscan_run_check(plan, workspace, queue, NULL, &error), &error);
    assert_status(CLSCAN_ERROR_WRONG_CONTEXT, clscan_run_check(plan, workspace, d.other_queue, &args, &error), &error);
    /* NULL is accepted for the error everywhere. */
    assert_int_equal(clscan_run(NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL), CLSCAN_ERROR_NULL_ARGUMENT);
    assert_int_equal(clscan_run_check(NULL, NULL, NULL, NULL, NULL), CLSCAN_ERROR_NULL_ARGUMENT);

    /* Of another plan: its kernels are not ours. */
    clscan_case_fixture stranger;
    test_prepare(d.live, &d.problem, NULL, NULL, &stranger);
    assert_status(CLSCAN_ERROR_INVALID_VALUE, clscan_run(plan, stranger.workspace, queue, &args, 0, NULL, NULL, &error),
                  &error);
    clscan_case_release(&stranger);

    /* After all that the workspace still works. */
    assert_status(CLSCAN_OK, clscan_run(plan, workspace, queue, &args, 0, NULL, NULL, &error), &error);
    assert_cl(clFinish(queue));
    close_desk(&d);
}

/* Exactly fitting offsets are accepted: a check that is too strict would pass the test above. */
static void the_last_legal_arguments_are_accepted(void **state)
{
    desk d;
    clscan_error error = {0};

    open_desk(*state, &d);
    clscan_run_args args = valid_args(&d);
    args.in.offset = SPACE - COUNT;
    args.out.offset = SPACE - COUNT;
    args.initial.buffer = d.initial;
    args.initial.offset = 1;
    args.total.buffer = d.total;
    args.total.offset = 1;
    unsigned char got[sizeof poison];
    assert_status(CLSCAN_OK, clscan_run_check(d.fixture.plan, d.fixture.workspace, d.live->queue, &args, &error),
                  &error);
    assert_cl(clFinish(d.live->queue));
    test_read(d.live, d.out, sizeof got, got);
    assert_memory_equal(got, poison, sizeof got);
    assert_status(CLSCAN_OK,
                  clscan_run(d.fixture.plan, d.fixture.workspace, d.live->queue, &args, 0, NULL, NULL, &error), &error);
    /* Nothing is touched for count 0, not even past the end. */
    args = valid_args(&d);
    args.count = 0;
    args.in.offset = SPACE;
    args.out.offset = SPACE;
    assert_status(CLSCAN_OK,
                  clscan_run(d.fixture.plan, d.fixture.workspace, d.live->queue, &args, 0, NULL, NULL, &error), &error);
    assert_cl(clFinish(d.live->queue));
    close_desk(&d);
}

static void plans_are_refused(void **state)
{
    const test_live *live = *state;
    const clscan_custom_operator no_function = {
        sizeof no_function, "int f(int l, int r) { return l + r; }", NULL, "0", 0, 0};
    const clscan_custom_operator plus = {sizeof plus, "int f(int l, int r) { return l + r; }", "f", "0", 0, 0};
    const clscan_variant illegal = {.work_group_size = 3, .vector_length = 1, .local_pieces = 1};
    const clscan_variant too_large = {
        .work_group_size = 1024, .vector_length = 1, .register_pieces = 1, .local_pieces = 1000};
    const clscan_plan_options illegal_options = {.struct_size = sizeof(clscan_plan_options), .variant = &illegal};
    const clscan_plan_options large_options = {.struct_size = sizeof(clscan_plan_options), .variant = &too_large};
    const clscan_plan_options stale_options = {.struct_size = 1};
    unsigned failures = 0;

    const struct {
        const char *why;
        clscan_status expected;
        clscan_problem problem;
        const clscan_plan_options *options;
    } cases[] = {
#define PROBLEM(size, an_operation, a_type, an_op, a_form, a_direction, is_reproducible, an_operator, count) \
    {.struct_size = (size),                                                                                  \
     .operation = (an_operation),                                                                            \
     .type = (a_type),                                                                                       \
     .op = (an_op),                                                                                          \
     .form = (a_form),                                                                                       \
     .direction = (a_direction),                                                                             \
     .reproducible = (is_reproducible),                                                                      \
     .custom = (an_operator),                                                                                \
     .max_count = (count)}
#define CASE(why, expected, options, ...)                           \
    {                                                               \
        why, CLSCAN_ERROR_##expected, PROBLEM(__VA_ARGS__), options \
    }
#define SIZE sizeof(clscan_problem)
#define I32 CLSCAN_INT32, CLSCAN_ADD
#define FORM CLSCAN_INCLUSIVE, CLSCAN_FORWARD
        CASE("unknown operation", INVALID_VALUE, NULL, SIZE, CLSCAN_OPERATION_COUNT, I32, FORM, 0, NULL, 9),
        CASE("max_count 0", INVALID_VALUE, NULL, SIZE, CLSCAN_SCAN, I32, FORM, 0, NULL, 0),
        CASE("unknown type", INVALID_VALUE, NULL, SIZE, CLSCAN_SCAN, CLSCAN_TYPE_COUNT, CLSCAN_ADD, FORM, 0, NULL, 9),
        CASE("unknown operator", INVALID_VALUE, NULL, SIZE, CLSCAN_SCAN, CLSCAN_INT32, CLSCAN_OPERATOR_COUNT, FORM, 0,
             NULL, 9),
        CASE("unknown form", INVALID_VALUE, NULL, SIZE, CLSCAN_SCAN, I32, (clscan_form)2, CLSCAN_FORWARD, 0, NULL, 9),
        CASE("unknown direction", INVALID_VALUE, NULL, SIZE, CLSCAN_SCAN, I32, CLSCAN_INCLUSIVE, (clscan_direction)2, 0,
             NULL, 9),
        CASE("custom without operator", NULL_ARGUMENT, NULL, SIZE, CLSCAN_SCAN, CLSCAN_INT32, CLSCAN_CUSTOM, FORM, 0,
             NULL, 9),
        CASE("custom without function", INVALID_VALUE, NULL, SIZE, CLSCAN_SCAN, CLSCAN_INT32, CLSCAN_CUSTOM, FORM, 0,
             &no_function, 9),
        CASE("operator source beside add", INVALID_VALUE, NULL, SIZE, CLSCAN_SCAN, I32, FORM, 0, &plus, 9),
        CASE("and of floats", UNSUPPORTED_TYPE, NULL, SIZE, CLSCAN_SCAN, CLSCAN_FLOAT, CLSCAN_AND, FORM, 0, NULL, 9),
        CASE("xor of halves", UNSUPPORTED_TYPE, NULL, SIZE, CLSCAN_SCAN, CLSCAN_HALF, CLSCAN_XOR, FORM, 0, NULL, 9),
        CASE("stale problem", STRUCT_SIZE, NULL, 4, CLSCAN_SCAN, I32, FORM, 0, NULL, 9),
        CASE("stale options", STRUCT_SIZE, &stale_options, SIZE, CLSCAN_SCAN, I32, FORM, 0, NULL, 9),
        CASE("illegal variant", ILLEGAL_VARIANT, &illegal_options, SIZE, CLSCAN_SCAN, I32, FORM, 0, NULL, 9),
        CASE("variant beyond the device", DEVICE_LIMIT, &large_options, SIZE, CLSCAN_SCAN, CLSCAN_UINT64, CLSCAN_ADD,
             FORM, 0, NULL, 9),
#undef SIZE
#undef I32
#undef FORM
#undef CASE
#undef PROBLEM
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        clscan_error error = {0};
        clscan_plan *plan = (clscan_plan *)&error; /* must stay as it is */
        const clscan_status status =
            clscan_plan_create(live->context, live->device, &cases[i].problem, cases[i].options, &plan, &error);
        if (status != cases[i].expected || error.status != cases[i].expected || error.message[0] == '\0' ||
            plan != (clscan_plan *)&error) {
            print_error("%s: expected %s, got %s: %s%s\n", cases[i].why, clscan_status_name(cases[i].expected),
                        clscan_status_name(status), error.message,
                        plan != (clscan_plan *)&error ? " (the output was written)" : "");
            ++failures;
            if (status == CLSCAN_OK)
                clscan_plan_destroy(plan);
        }
    }
    assert_int_equal(failures, 0);
}

static void null_arguments_are_refused(void **state)
{
    const test_live *live = *state;
    const clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, COUNT);
    clscan_case_fixture fixture;
    clscan_workspace *workspace = NULL;
    clscan_plan *plan = NULL;
    clscan_report report = {.struct_size = sizeof report};
    clscan_choice choice = {.struct_size = sizeof choice};
    clscan_error error;

#define REFUSED(call) assert_status(CLSCAN_ERROR_NULL_ARGUMENT, call, &error)
    REFUSED(clscan_plan_create(NULL, live->device, &problem, NULL, &plan, &error));
    REFUSED(clscan_plan_create(live->context, NULL, &problem, NULL, &plan, &error));
    REFUSED(clscan_plan_create(live->context, live->device, NULL, NULL, &plan, &error));
    REFUSED(clscan_plan_create(live->context, live->device, &problem, NULL, NULL, &error));
    test_prepare(live, &problem, NULL, NULL, &fixture);
    REFUSED(clscan_plan_explain(NULL, 1, 0, &choice, &error));
    REFUSED(clscan_plan_explain(fixture.plan, 1, 0, NULL, &error));
    REFUSED(clscan_workspace_create(NULL, &workspace, &error));
    REFUSED(clscan_workspace_create(fixture.plan, NULL, &error));
    REFUSED(clscan_workspace_bind(NULL, live->queue, NULL, &error));
    REFUSED(clscan_workspace_bind(fixture.workspace, NULL, NULL, &error));
    REFUSED(clscan_workspace_unbind(NULL, &error));
    REFUSED(clscan_workspace_report(NULL, live->queue, &report, &error));
    REFUSED(clscan_workspace_report(fixture.workspace, NULL, &report, &error));
    REFUSED(clscan_workspace_report(fixture.workspace, live->queue, NULL, &error));
#undef REFUSED
    clscan_workspace_destroy(NULL);
    clscan_plan_destroy(NULL);
    clscan_config_destroy(NULL);
    clscan_case_release(&fixture);
}

static void a_plan_tells_about_itself(void **state)
{
    const test_live *live = *state;
    const clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 123456);
    clscan_case_fixture fixture;
    clscan_choice choice = {.struct_size = sizeof choice};
    clscan_error error;

    test_prepare(live, &problem, NULL, NULL, &fixture);
    assert_true(clscan_plan_max_count(fixture.plan) == 123456);
    assert_true(clscan_plan_workspace_bytes(fixture.plan) > 0);
    for (int in_place = 0; in_place < 2; ++in_place) {
        assert_status(CLSCAN_OK, clscan_plan_explain(fixture.plan, 123456, in_place, &choice, &error), &error);
        assert_status(
            CLSCAN_OK,
            clscan_variant_check(&choice.variant, PROBLEM_OF(CLSCAN_INT32, CLSCAN_ADD), in_place, &live->info, &error),
            &error);
        assert_true(choice.source[0] != '\0');
        assert_true(choice.reason[0] != '\0');
    }
    assert_status(CLSCAN_ERROR_COUNT_TOO_LARGE, clscan_plan_explain(fixture.plan, 123457, 0, &choice, &error), &error);
    clscan_case_release(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(write_only_output),
        cmocka_unit_test(runs_are_refused),
        cmocka_unit_test(the_last_legal_arguments_are_accepted),
        cmocka_unit_test(plans_are_refused),
        cmocka_unit_test(null_arguments_are_refused),
        cmocka_unit_test(a_plan_tells_about_itself),
    };
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
