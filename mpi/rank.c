/* clCreateCommandQueueWithProperties() is missing before OpenCL 2.0. */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "rank.h"

#include "base/error.h"
#include "base/memory.h"
#include "devices/derive.h"

size_t clscan__rank_begin(const clscan__rank *rank)
{
    return rank->reverse ? rank->count - 1 : 0;
}

size_t clscan__rank_end(const clscan__rank *rank)
{
    return rank->reverse ? 0 : rank->count - 1;
}

bool clscan__rank_follows(const clscan__rank *rank, size_t other)
{
    return rank->reverse ? other > rank->index : other < rank->index;
}

static clscan_status create_combine(clscan__rank *rank, cl_device_id device, const clscan_problem *problem,
                                    const clscan_plan_options *options, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const size_t most = rank->reverse ? rank->count - 1 - rank->index : rank->index;
    clscan__sums_problem sums = {.source = NULL};

    if (most < 2)
        return status;
    CLSCAN__TRY(clscan__sums_problem_make(problem, most, &sums, error));
    sums.problem.operation = CLSCAN_REDUCE;
    CLSCAN__TRY(
        clscan__bound_plan_create(rank->context, device, rank->queue, &sums.problem, options, &rank->combine, error));
    CLSCAN__TRY(clscan__values_create(rank->context, most * rank->sum_bytes, &rank->sums, error));

cleanup:
    clscan__sums_problem_free(&sums);
    return status;
}

clscan_status clscan__rank_open(clscan__rank *rank, cl_context context, cl_device_id device,
                                const clscan_problem *problem, const clscan_plan_options *options, clscan_error *error)
{
    clscan_status status;
    const clscan_problem sum_problem = clscan__sum_problem(problem);
    const clscan_plan_options sum_options = clscan__options_for_sums(options);
    cl_int code;

    rank->reverse = problem->direction == CLSCAN_REVERSE;
    rank->scan_reads = !clscan__problem_generates(problem);
    rank->sum_reads = !clscan__problem_generates(&sum_problem);
    rank->sum_argument_count = clscan__problem_argument_count(&sum_problem);
    rank->sum_bytes = clscan__problem_sum_bytes(problem);
    CLSCAN__TRY_CL(clRetainContext, (context));
    rank->context = context;
    rank->queue = clCreateCommandQueue(context, device, 0, &code);
    if (code != CL_SUCCESS) {
        rank->queue = NULL;
        return clscan__error_opencl(error, "clCreateCommandQueue", code);
    }
    CLSCAN__TRY(clscan__bound_plan_create(context, device, rank->queue, problem, options, &rank->scan, error));
    if (rank->index != clscan__rank_end(rank))
        CLSCAN__TRY(
            clscan__bound_plan_create(context, device, rank->queue, &sum_problem, &sum_options, &rank->sum, error));
    CLSCAN__TRY(clscan__values_create(context, rank->sum_bytes, &rank->value, error));
    CLSCAN__TRY(create_combine(rank, device, problem, &sum_options, error));

cleanup:
    return status;
}

void clscan__rank_close(clscan__rank *rank)
{
    if (rank->sums != NULL)
        clReleaseMemObject(rank->sums);
    if (rank->value != NULL)
        clReleaseMemObject(rank->value);
    clscan__bound_plan_destroy(&rank->combine);
    clscan__bound_plan_destroy(&rank->sum);
    clscan__bound_plan_destroy(&rank->scan);
    if (rank->queue != NULL)
        clReleaseCommandQueue(rank->queue);
    if (rank->context != NULL)
        clReleaseContext(rank->context);
}

static clscan_status check_place(const clscan__rank *rank, const clscan_memory *memory, const char *name, size_t place,
                                 const char *happens, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    CLSCAN__REQUIRE(rank->index == place || !clscan__memory_is_given(memory), CLSCAN_ERROR_INVALID_VALUE,
                    "args->%s is given, but the scan %s on rank %zu", name, happens, place);

cleanup:
    return status;
}

/* An empty part need not have buffers. */
static clscan_run_args scan_args(const clscan__rank *rank, const clscan__rank_run *run)
{
    clscan_run_args args = *run->args;

    if (args.count == 0) {
        args.in = (clscan_memory){.buffer = rank->scan_reads ? rank->value : NULL};
        args.out = (clscan_memory){.buffer = rank->value};
    }
    return args;
}

static clscan_run_args sum_args(const clscan__rank *rank, const clscan__rank_run *run)
{
    clscan_run_args args = scan_args(rank, run);

    if (!rank->sum_reads)
        args.in = (clscan_memory){.buffer = NULL};
    args.out = (clscan_memory){.buffer = NULL};
    args.total = (clscan_memory){.buffer = rank->value};
    if (args.map_argument_count > rank->sum_argument_count) /* else clscan_run() says what is missing */
        args.map_argument_count = rank->sum_argument_count;
    if (args.map_argument_count == 0)
        args.map_arguments = NULL;
    return args;
}

clscan_status clscan__rank_sum(const clscan__rank *rank, const clscan__rank_run *run, void *sum, bool *has_sum,
                               clscan_error *error)
{
    clscan_status status;
    const clscan_run_args args = sum_args(rank, run);
    cl_event summed = NULL;

    *has_sum = rank->index != clscan__rank_end(rank) && (args.count > 0 || clscan__memory_is_given(&args.initial));
    CLSCAN__TRY(check_place(rank, &run->args->initial, "initial", clscan__rank_begin(rank), "begins", error));
    CLSCAN__TRY(check_place(rank, &run->args->total, "total", clscan__rank_end(rank), "ends", error));
    if (!*has_sum)
        return status;
    CLSCAN__TRY(clscan_run(rank->sum.plan, rank->sum.workspace, run->queue, &args, run->wait_count, run->wait_list,
                           &summed, error));
    CLSCAN__TRY_CL(clEnqueueReadBuffer, (run->queue, rank->value, CL_TRUE, 0, rank->sum_bytes, sum, 1, &summed, NULL));

cleanup:
    if (summed != NULL)
        clReleaseEvent(summed);
    return status;
}

/* Several sums become one, at the beginning of `sums`. */
static clscan_status combine(const clscan__rank *rank, void *sums, size_t count, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_run_args args = {
        .struct_size = sizeof args, .in.buffer = rank->sums, .count = count, .total.buffer = rank->value};

    if (count < 2)
        return status;
    CLSCAN__TRY_CL(clEnqueueWriteBuffer,
                   (rank->queue, rank->sums, CL_TRUE, 0, count * rank->sum_bytes, sums, 0, NULL, NULL));
    CLSCAN__TRY(clscan_run(rank->combine.plan, rank->combine.workspace, rank->queue, &args, 0, NULL, NULL, error));
    CLSCAN__TRY_CL(clEnqueueReadBuffer, (rank->queue, rank->value, CL_TRUE, 0, rank->sum_bytes, sums, 0, NULL, NULL));

cleanup:
    return status;
}

clscan_status clscan__rank_scan(const clscan__rank *rank, const clscan__rank_run *run, void *sums, size_t count,
                                cl_event *event, clscan_error *error)
{
    clscan_status status;
    clscan_run_args args = scan_args(rank, run);

    CLSCAN__TRY(combine(rank, sums, count, error));
    if (count > 0)
        args.initial = (clscan_memory){.kind = CLSCAN_MEMORY_HOST, .pointer = sums};
    if (args.count > 0 || clscan__memory_is_given(&args.total))
        CLSCAN__TRY(clscan_run(rank->scan.plan, rank->scan.workspace, run->queue, &args, run->wait_count,
                               run->wait_list, event, error));
    else if (event != NULL)
        CLSCAN__TRY_CL(clEnqueueMarkerWithWaitList, (run->queue, run->wait_count, run->wait_list, event));
    CLSCAN__TRY_CL(clFlush, (run->queue));

cleanup:
    return status;
}
