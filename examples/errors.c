/* What a program can do about errors: report what the compiler said of an operator, and make a larger plan where one
 * has become too small. */
#include <string.h>

#include "example.h"

enum { SMALL = 1000, LARGE = 5000 };

typedef struct scanner {
    cl_context context;
    cl_device_id device;
    cl_command_queue queue;
    clscan_problem problem;
    clscan_plan *plan;
    clscan_workspace *workspace;
} scanner;

static void scanner_close(scanner *s)
{
    clscan_workspace_destroy(s->workspace);
    clscan_plan_destroy(s->plan);
    s->workspace = NULL;
    s->plan = NULL;
}

/* Make plan and workspace for up to max_count elements; what there was before stays if that fails. */
static clscan_status scanner_grow(scanner *s, uint64_t max_count, clscan_error *error)
{
    scanner grown = *s;
    clscan_status status;

    grown.plan = NULL;
    grown.workspace = NULL;
    grown.problem.max_count = max_count;
    status = clscan_plan_create(s->context, s->device, &grown.problem, NULL, &grown.plan, error);
    if (status == CLSCAN_OK)
        status = clscan_workspace_create(grown.plan, &grown.workspace, error);
    if (status == CLSCAN_OK)
        status = clscan_workspace_bind(grown.workspace, s->queue, NULL, error);
    if (status != CLSCAN_OK) {
        scanner_close(&grown);
        return status;
    }
    scanner_close(s);
    *s = grown;
    return CLSCAN_OK;
}

/* Scan; with a larger plan if that is what it takes. */
static clscan_status scanner_run(scanner *s, const clscan_run_args *args, clscan_error *error)
{
    clscan_status status = clscan_run(s->plan, s->workspace, s->queue, args, 0, NULL, NULL, error);

    if (status == CLSCAN_ERROR_COUNT_TOO_LARGE) {
        fprintf(stderr, "%s; making a larger plan\n", error->message);
        status = scanner_grow(s, args->count, error);
        if (status == CLSCAN_OK)
            status = clscan_run(s->plan, s->workspace, s->queue, args, 0, NULL, NULL, error);
    }
    return status;
}

/* A plan for an operator that does not compile. */
static clscan_status try_wrong_operator(scanner s, clscan_error *error)
{
    const clscan_custom_operator wrong = {.struct_size = sizeof wrong,
                                          .source = "int last(int left, int right)\n{\n    return rihgt;\n}\n",
                                          .function = "last"};

    s.problem.custom = &wrong;
    return scanner_grow(&s, SMALL, error);
}

int main(void)
{
    static int data[LARGE];
    const clscan_custom_operator keep_last = {
        .struct_size = sizeof keep_last,
        .source = "int keep_last(int left, int right) { return right != 0 ? right : left; }",
        .function = "keep_last",
        .identity = "0",
    };
    clscan_error error = {0};
    scanner s = {.problem = {sizeof s.problem, .type = CLSCAN_INT32, .op = CLSCAN_CUSTOM, .custom = &keep_last}};

    s.context = open_context(&s.device);
    s.queue = open_queue(s.context, s.device, 0);
    if (try_wrong_operator(s, &error) != CLSCAN_ERROR_OPERATOR_SOURCE)
        return 1;
    fprintf(stderr, "%s\n%s\n", error.message, error.build_log);
    const int has_line = strstr(error.build_log, "rihgt") != NULL;

    for (int i = 0; i < LARGE; i += 100)
        data[i] = i + 1;
    const cl_mem buffer = open_buffer(s.context, sizeof data, data);
    const clscan_run_args args = {sizeof args, .in.buffer = buffer, .out.buffer = buffer, .count = LARGE};
    must(scanner_grow(&s, SMALL, &error), &error);
    must(scanner_run(&s, &args, &error), &error);
    must_cl(clEnqueueReadBuffer(s.queue, buffer, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL), "read");
    printf("%d ... %d\n", data[99], data[LARGE - 1]);

    scanner_close(&s);
    clReleaseMemObject(buffer);
    clReleaseCommandQueue(s.queue);
    clReleaseContext(s.context);
    return has_line && data[99] == 1 && data[LARGE - 1] == LARGE - 99 ? 0 : 1;
}
