#include "devices/nodes.h"

#include "base/error.h"
#include "base/memory.h"
#include "config/reproducible.h"
#include "devices/derive.h"

size_t clscan__nodes_of(uint64_t first, uint64_t count, clscan__node nodes[CLSCAN__MOST_PART_NODES])
{
    size_t made = 0;

    while (count >= CLSCAN__BLOCK_COUNT) {
        uint64_t size = CLSCAN__BLOCK_COUNT;

        while (size <= count / 2 && first % (2 * size) == 0)
            size *= 2;
        nodes[made++] = (clscan__node){first, size};
        first += size;
        count -= size;
    }
    if (count > 0)
        nodes[made++] = (clscan__node){first, count};
    return made;
}

/* Enqueue: let the initial value stand at that index. */
static clscan_status put_initial(cl_command_queue queue, const clscan_memory *initial, size_t sum_bytes, cl_mem values,
                                 size_t index, cl_uint wait_count, const cl_event *wait_list, cl_event *put,
                                 clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const size_t from = (size_t)initial->offset * sum_bytes, to = index * sum_bytes;

    if (!clscan__memory_is_given(initial))
        return status;
    if (initial->kind == CLSCAN_MEMORY_HOST) /* a pattern is read before the call returns */
        CLSCAN__TRY_CL(clEnqueueFillBuffer, (queue, values, (const unsigned char *)initial->pointer + from, sum_bytes,
                                             to, sum_bytes, wait_count, wait_list, put));
    else
        CLSCAN__TRY_CL(clEnqueueCopyBuffer,
                       (queue, initial->buffer, values, from, to, sum_bytes, wait_count, wait_list, put));

cleanup:
    return status;
}

clscan_status clscan__nodes_sum(const clscan__bound_plan *sum, cl_command_queue queue, const clscan_run_args *args,
                                uint64_t first, bool reverse, size_t sum_bytes, cl_mem values, size_t index,
                                cl_uint wait_count, const cl_event *wait_list, cl_event *summed, clscan_error *error)
{
    clscan_status status;
    clscan__node nodes[CLSCAN__MOST_PART_NODES];
    const size_t count = clscan__nodes_of(first, args->count, nodes);
    cl_event made[2] = {NULL, NULL};

    CLSCAN__TRY(put_initial(queue, &args->initial, sum_bytes, values, index, wait_count, wait_list, &made[0], error));
    for (size_t i = 0; i < count;
         ++i) { /* one workspace's runs follow each other: the last one's event is that of all */
        const uint64_t at = nodes[i].first - first;
        clscan_run_args of_node = *args;

        of_node.initial = (clscan_memory){.buffer = NULL};
        of_node.in.offset += reverse ? args->count - at - nodes[i].count : at;
        of_node.count = nodes[i].count;
        of_node.total = (clscan_memory){.buffer = values, .offset = index + 1 + i};
        CLSCAN__TRY(clscan_run(sum->plan, sum->workspace, queue, &of_node, wait_count, wait_list,
                               i + 1 == count ? &made[1] : NULL, error));
    }
    if (made[0] != NULL && made[1] != NULL) {
        CLSCAN__TRY_CL(clEnqueueMarkerWithWaitList, (queue, 2, made, summed));
    } else {
        *summed = made[0] != NULL ? made[0] : made[1];
        made[0] = made[1] = NULL;
    }

cleanup:
    for (size_t i = 0; i < 2; ++i)
        if (made[i] != NULL)
            clReleaseEvent(made[i]);
    return status;
}

size_t clscan__node_stack_push(clscan__node_stack *stack, uint64_t count)
{
    size_t joins = 0;

    stack->counts[stack->depth++] = count;
    while (stack->depth > 1 && stack->counts[stack->depth - 2] == stack->counts[stack->depth - 1] &&
           count >= CLSCAN__BLOCK_COUNT) {
        --stack->depth;
        stack->counts[stack->depth - 1] *= 2;
        ++joins;
    }
    return joins;
}

/* Room for a node more than the stack has, and for another value in front. */
enum { PLACES = CLSCAN__MOST_STATE_NODES + 3 };

/* Where the value stands that is so high up; the lowest one is 1. */
static size_t place(const clscan__folder *folder, size_t height)
{
    return folder->reverse ? PLACES - 1 - height : height;
}

clscan_status clscan__folder_create(cl_context context, cl_device_id device, cl_command_queue queue,
                                    const clscan_problem *problem, const clscan_plan_options *options,
                                    clscan__folder *made, clscan_error *error)
{
    clscan_status status;
    clscan__sums_problem sums = {.source = NULL};

    made->sum_bytes = clscan__problem_sum_bytes(problem);
    made->reverse = problem->direction == CLSCAN_REVERSE;
    CLSCAN__TRY(clscan__sums_problem_make(problem, 2, &sums, error));
    sums.problem.operation = CLSCAN_REDUCE;
    sums.problem.reproducible = 1;
    CLSCAN__TRY(clscan__bound_plan_create(context, device, queue, &sums.problem, options, &made->join, error));
    CLSCAN__TRY(clscan__values_create(context, PLACES * made->sum_bytes, &made->stack, error));
    CLSCAN__TRY(clscan__values_create(context, made->sum_bytes, &made->joined, error));

cleanup:
    clscan__sums_problem_free(&sums);
    return status;
}

void clscan__folder_destroy(clscan__folder *folder)
{
    if (folder->joined != NULL)
        clReleaseMemObject(folder->joined);
    if (folder->stack != NULL)
        clReleaseMemObject(folder->stack);
    clscan__bound_plan_destroy(&folder->join);
}

static clscan_status copy(const clscan__folder *folder, cl_command_queue queue, cl_mem from, size_t from_index,
                          cl_mem to, size_t to_index, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    CLSCAN__TRY_CL(clEnqueueCopyBuffer, (queue, from, to, from_index * folder->sum_bytes, to_index * folder->sum_bytes,
                                         folder->sum_bytes, 0, NULL, NULL));

cleanup:
    return status;
}

/* The values at `height` and above it become one, at `height`. */
static clscan_status join(const clscan__folder *folder, cl_command_queue queue, size_t height, clscan_error *error)
{
    clscan_status status;
    const clscan_run_args args = {
        .struct_size = sizeof args,
        .in = {.buffer = folder->stack, .offset = place(folder, folder->reverse ? height + 1 : height)},
        .count = 2,
        .total.buffer = folder->joined};

    CLSCAN__TRY(clscan_run(folder->join.plan, folder->join.workspace, queue, &args, 0, NULL, NULL, error));
    CLSCAN__TRY(copy(folder, queue, folder->joined, 0, folder->stack, place(folder, height), error));

cleanup:
    return status;
}

clscan_status clscan__folder_push(const clscan__folder *folder, cl_command_queue queue, clscan__node_stack *stack,
                                  uint64_t count, cl_mem values, size_t index, clscan_error *error)
{
    clscan_status status;
    size_t height = stack->depth + 1;

    CLSCAN__TRY(copy(folder, queue, values, index, folder->stack, place(folder, height), error));
    for (size_t joins = clscan__node_stack_push(stack, count); joins > 0; --joins)
        CLSCAN__TRY(join(folder, queue, --height, error));

cleanup:
    return status;
}

clscan_status clscan__folder_state(const clscan__folder *folder, cl_command_queue queue,
                                   const clscan__node_stack *stack, cl_mem state, size_t index, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (size_t i = 0; i < stack->depth; ++i)
        CLSCAN__TRY(copy(folder, queue, folder->stack, place(folder, i + 1), state, index + i, error));

cleanup:
    return status;
}

clscan_status clscan__folder_total(const clscan__folder *folder, cl_command_queue queue, clscan__node_stack *stack,
                                   cl_mem initial, size_t index, cl_mem total, size_t total_index, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const size_t lowest = initial != NULL ? 0 : 1;

    if (initial != NULL)
        CLSCAN__TRY(copy(folder, queue, initial, index, folder->stack, place(folder, 0), error));
    /* From the bottom up: the fold ends where it began, so the next value is brought there. */
    for (size_t height = lowest + 1; height <= stack->depth; ++height) {
        if (height > lowest + 1)
            CLSCAN__TRY(copy(folder, queue, folder->stack, place(folder, height), folder->stack,
                             place(folder, lowest + 1), error));
        CLSCAN__TRY(join(folder, queue, lowest, error));
    }
    stack->depth = 0;
    CLSCAN__TRY(copy(folder, queue, folder->stack, place(folder, lowest), total, total_index, error));

cleanup:
    return status;
}
