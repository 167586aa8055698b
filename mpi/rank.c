/* clCreateCommandQueueWithProperties() is missing before OpenCL 2.0. */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "rank.h"

#include "base/error.h"
#include "base/memory.h"
#include "devices/derive.h"
#include "ordered.h"

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

static clscan_status create_queue(clscan__rank *rank, cl_device_id device, clscan_error *error)
{
    cl_int code;

    rank->queue = clCreateCommandQueue(rank->context, device, 0, &code);
    if (code == CL_SUCCESS)
        return CLSCAN_OK;
    rank->queue = NULL;
    if (code == CL_INVALID_DEVICE)
        return clscan__error_set(error, CLSCAN_ERROR_WRONG_CONTEXT, "device is not one of context's");
    return clscan__error_opencl(error, "clCreateCommandQueue", code);
}

clscan_status clscan__rank_open(clscan__rank *rank, cl_context context, cl_device_id device,
                                const clscan_problem *problem, const clscan_plan_options *options, clscan_error *error)
{
    clscan_status status;
    const clscan_problem sum_problem = clscan__sum_problem(problem);
    const clscan_plan_options sum_options = clscan__options_for_sums(options);

    rank->reverse = problem->direction == CLSCAN_REVERSE;
    rank->scan_reads = !clscan__problem_generates(problem);
    rank->sum_reads = !clscan__problem_generates(&sum_problem);
    rank->sum_argument_count = clscan__problem_argument_count(&sum_problem);
    for (uint64_t i = 0; i < clscan__problem_argument_count(problem); ++i) {
        const clscan_map_argument *argument = clscan__problem_argument(problem, i);

        rank->value_bytes[i] = argument->is_buffer ? 0 : clscan__map_argument_bytes(argument);
    }
    rank->sum_bytes = clscan__problem_sum_bytes(problem);
    CLSCAN__TRY_CL(clRetainContext, (context));
    rank->context = context;
    CLSCAN__TRY(create_queue(rank, device, error));
    CLSCAN__TRY(clscan__bound_plan_create(context, device, rank->queue, problem, options, &rank->scan, error));
    if (rank->index != clscan__rank_end(rank))
        CLSCAN__TRY(
            clscan__bound_plan_create(context, device, rank->queue, &sum_problem, &sum_options, &rank->sum, error));
    CLSCAN__TRY(clscan__values_create(context, rank->sum_bytes, &rank->value, error));
    rank->is_ordered = clscan__problem_is_ordered(problem);
    if (rank->is_ordered)
        CLSCAN__TRY(clscan__ordered_open(rank, device, problem, &sum_options, error));
    else
        CLSCAN__TRY(create_combine(rank, device, problem, &sum_options, error));

cleanup:
    return status;
}

void clscan__rank_close(clscan__rank *rank)
{
    clscan__ordered_close(rank);
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
static clscan_run_args scan_args(const clscan__rank *rank, const clscan_run_args *given)
{
    clscan_run_args args = *given;

    if (args.count == 0) {
        args.in = (clscan_memory){.buffer = rank->scan_reads ? rank->value : NULL};
        args.out = (clscan_memory){.buffer = rank->value};
    }
    return args;
}

clscan_run_args clscan__rank_sum_args(const clscan__rank *rank, const clscan_run_args *given)
{
    clscan_run_args args = *given;

    if (!rank->sum_reads)
        args.in = (clscan_memory){.buffer = NULL};
    args.out = (clscan_memory){.buffer = NULL};
    args.total = (clscan_memory){.buffer = rank->value};
    if (args.map_argument_count > rank->sum_argument_count)
        args.map_argument_count = rank->sum_argument_count;
    if (args.map_argument_count == 0)
        args.map_arguments = NULL;
    return args;
}

/* Would the scan be accepted if something came before it, and is it without? */
static clscan_status check_scan(const clscan__rank *rank, cl_command_queue queue, const clscan_run_args *args,
                                bool *misses, clscan_error *error)
{
    static const unsigned char anything[CLSCAN_MOST_ELEMENT_BYTES];
    clscan_run_args preceded = *args;
    clscan_error later;
    clscan_status status = clscan_run_check(rank->scan.plan, rank->scan.workspace, queue, args, error);

    *misses = status == CLSCAN_ERROR_NO_IDENTITY;
    if (!*misses)
        return status;
    preceded.initial = (clscan_memory){.kind = CLSCAN_MEMORY_HOST, .pointer = anything};
    status = clscan_run_check(rank->scan.plan, rank->scan.workspace, queue, &preceded, &later);
    if (status != CLSCAN_OK)
        *error = later;
    return status;
}

static clscan_status check_state(const clscan__rank *rank, const clscan_run_args *args, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const bool has_state = clscan__memory_is_given(&args->state);

    CLSCAN__REQUIRE(rank->is_ordered || (args->first == 0 && !has_state), CLSCAN_ERROR_INVALID_VALUE,
                    "args->%s is set, but this problem's scans have no state (clscan_mpi_state_bytes() is 0)",
                    args->first > 0 ? "first" : "state");
    CLSCAN__REQUIRE(!has_state || args->state.kind == CLSCAN_MEMORY_HOST, CLSCAN_ERROR_MEMORY_KIND,
                    "args->state is of kind %d; between ranks a state is in host memory", (int)args->state.kind);
    CLSCAN__REQUIRE(args->first == 0 || has_state, CLSCAN_ERROR_INVALID_VALUE,
                    "args->first is %llu, but there is no args->state", (unsigned long long)args->first);
    CLSCAN__REQUIRE(args->first % CLSCAN_REPRODUCIBLE_STEP == 0, CLSCAN_ERROR_INVALID_VALUE,
                    "args->first is %llu, no multiple of %u", (unsigned long long)args->first,
                    CLSCAN_REPRODUCIBLE_STEP);

cleanup:
    return status;
}

clscan_status clscan__rank_take(const clscan__rank *rank, const clscan__rank_run *run, clscan__held *held, bool *misses,
                                clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_run_args *args = run->args;
    clscan_run_args room, complete;
    clscan__node nodes[CLSCAN__MOST_PART_NODES];

    CLSCAN__REQUIRE(run->queue != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "queue is NULL");
    CLSCAN__REQUIRE(args != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "args is NULL");
    CLSCAN__TAKE(args, room);
    CLSCAN__REQUIRE((run->wait_count == 0) == (run->wait_list == NULL), CLSCAN_ERROR_INVALID_VALUE,
                    "wait_count is %u, wait_list is %sNULL", (unsigned)run->wait_count,
                    run->wait_list == NULL ? "" : "not ");
    CLSCAN__TRY(check_place(rank, &args->initial, "initial", clscan__rank_begin(rank), "begins", error));
    CLSCAN__TRY(check_place(rank, &args->total, "total", clscan__rank_end(rank), "ends", error));
    CLSCAN__TRY(check_state(rank, args, error));
    complete = scan_args(rank, args);
    complete.first = 0;
    complete.state = (clscan_memory){.buffer = NULL};
    CLSCAN__TRY(check_scan(rank, run->queue, &complete, misses, error));
    CLSCAN__TRY(clscan__hold(held, run->queue, &complete, rank->sum_bytes, rank->value_bytes, run->wait_count,
                             run->wait_list, error));
    CLSCAN__TRY(clscan__hold_state(held, args, rank->sum_bytes, clscan__nodes_of(0, args->first, nodes), error));

cleanup:
    return status;
}

clscan_status clscan__rank_sum(const clscan__rank *rank, clscan__held *held, void *sum, cl_event *came,
                               clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_run_args args = clscan__rank_sum_args(rank, &held->args);

    if (rank->index == clscan__rank_end(rank) || (args.count == 0 && !clscan__memory_is_given(&args.initial)))
        return status;
    CLSCAN__TRY(clscan_run(rank->sum.plan, rank->sum.workspace, held->queue, &args, held->event_count, held->events,
                           &held->summed, error));
    CLSCAN__TRY_CL(clEnqueueReadBuffer,
                   (held->queue, rank->value, CL_FALSE, 0, rank->sum_bytes, sum, 1, &held->summed, came));
    CLSCAN__TRY_CL(clFlush, (held->queue));

cleanup:
    return status;
}

clscan_status clscan__rank_combine(const clscan__rank *rank, void *sums, size_t count, cl_event *came,
                                   clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_run_args args = {
        .struct_size = sizeof args, .in.buffer = rank->sums, .count = count, .total.buffer = rank->value};

    if (count < 2)
        return status;
    CLSCAN__TRY_CL(clEnqueueWriteBuffer,
                   (rank->queue, rank->sums, CL_FALSE, 0, count * rank->sum_bytes, sums, 0, NULL, NULL));
    CLSCAN__TRY(clscan_run(rank->combine.plan, rank->combine.workspace, rank->queue, &args, 0, NULL, NULL, error));
    CLSCAN__TRY_CL(clEnqueueReadBuffer, (rank->queue, rank->value, CL_FALSE, 0, rank->sum_bytes, sums, 0, NULL, came));
    CLSCAN__TRY_CL(clFlush, (rank->queue));

cleanup:
    if (status != CLSCAN_OK)
        clFinish(rank->queue); /* `sums` may be read */
    return status;
}

clscan_status clscan__rank_scan(const clscan__rank *rank, const clscan__held *held, const void *before, cl_event *event,
                                clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan_run_args args = held->args;

    if (before != NULL)
        args.initial = (clscan_memory){.kind = CLSCAN_MEMORY_HOST, .pointer = before};
    if (args.count > 0 || clscan__memory_is_given(&args.total))
        CLSCAN__TRY(clscan_run(rank->scan.plan, rank->scan.workspace, held->queue, &args, held->event_count,
                               held->events, event, error));
    else
        CLSCAN__TRY_CL(clEnqueueMarkerWithWaitList, (held->queue, held->event_count, held->events, event));
    CLSCAN__TRY_CL(clFlush, (held->queue));

cleanup:
    return status;
}
