#include "devices/run.h"

#include "base/memory.h"
#include "devices/told.h"

static clscan_status enqueue_combine(clscan__group_run *run, clscan_error *error)
{
    clscan_status status;
    const clscan_devices *group = run->group;
    const cl_command_queue queue = group->combining;
    const uint64_t count = run->taker_count - 1;
    const clscan_rows rows = {.struct_size = sizeof rows, .dimensions = 2, .extents = {count, run->row_count}};
    const clscan_run_args args = {.struct_size = sizeof args,
                                  .in.buffer = group->sums,
                                  .out.buffer = group->sums,
                                  .count = count,
                                  .rows = group->splits ? &rows : NULL};
    const cl_event ready = run->exchange->sums_are_there;
    cl_event given = NULL, combined = NULL, taken = NULL;

    CLSCAN__TRY(clscan__exchange_transfer(run->exchange, CLSCAN__GIVE_SUMS, 0, queue, group->sums, 0, ready != NULL,
                                          ready != NULL ? &ready : NULL, &given, error));
    CLSCAN__TRY(clscan_run(group->combine.plan, group->combine.workspace, queue, &args, 1, &given, &combined, error));
    CLSCAN__TRY(clscan__exchange_transfer(run->exchange, CLSCAN__TAKE_CARRIES, 0, queue, group->sums, 0, 1, &combined,
                                          &taken, error));
    CLSCAN__TRY_CL(clFlush, (queue));

cleanup:
    if (combined != NULL)
        clReleaseEvent(combined);
    return status;
}

/* Where the folder finds what the run goes on from: behind the values of the parts. */
static size_t start_index(const clscan__group_run *run)
{
    return (run->group->count - 1) * run->group->slot_values;
}

clscan_status clscan__put_start_of_fold(const clscan__group_run *run, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_devices *group = run->group;
    const size_t bytes = clscan__start_bytes(run);

    if (bytes > 0)
        CLSCAN__TRY_CL(clEnqueueWriteBuffer,
                       (group->combining, group->sums, CL_TRUE, start_index(run) * group->sum_bytes, bytes,
                        run->start->state, 0, NULL, NULL));

cleanup:
    return status;
}

/* The stack begins with what comes before the run, whose nodes are those of a part from the very beginning. */
static clscan_status fold_start(clscan__group_run *run, clscan__node_stack *stack, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_devices *group = run->group;
    clscan__node nodes[CLSCAN__MOST_PART_NODES];
    const size_t count = clscan__nodes_of(0, clscan__start_of(run), nodes);

    for (size_t i = 0; i < count; ++i)
        CLSCAN__TRY(clscan__folder_push(&group->folder, group->combining, stack, nodes[i].count, group->sums,
                                        start_index(run) + i, error));

cleanup:
    return status;
}

/* Put the values of a taker on the stack, and let those of the next one be what this comes to. */
static clscan_status fold(clscan__group_run *run, size_t taker, clscan__node_stack *stack, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_devices *group = run->group;
    const size_t next = group->reverse ? taker - 1 : taker + 1,
                 slot = clscan__sum_index(run, taker) * group->slot_values,
                 begin = clscan__sum_index(run, clscan__taker_begin(run)) * group->slot_values,
                 bytes = group->sum_bytes;
    const bool has_initial = clscan__memory_is_given(&run->args->initial);
    clscan__node nodes[CLSCAN__MOST_PART_NODES];
    const size_t count = clscan__nodes_of(run->firsts[taker], run->parts[run->takers[taker]].count, nodes);

    for (size_t i = 0; i < count; ++i)
        CLSCAN__TRY(clscan__folder_push(&group->folder, group->combining, stack, nodes[i].count, group->sums,
                                        slot + 1 + i, error));
    if (has_initial)
        CLSCAN__TRY_CL(clEnqueueCopyBuffer, (group->combining, group->sums, group->states, begin * bytes,
                                             (slot + CLSCAN__CARRY_INITIAL) * bytes, bytes, 0, NULL, NULL));
    if (clscan__tells_total(run, next))
        CLSCAN__TRY(clscan__folder_total(&group->folder, group->combining, stack, has_initial ? group->sums : NULL,
                                         begin, group->states, slot + CLSCAN__CARRY_TOTAL, error));
    else
        CLSCAN__TRY(clscan__folder_state(&group->folder, group->combining, stack, group->states,
                                         slot + CLSCAN__CARRY_STATE, error));

cleanup:
    return status;
}

/* The same as enqueue_combine() where nodes travel. What waits for the sums is the first command of an in-order queue.
 */
static clscan_status enqueue_fold(clscan__group_run *run, clscan_error *error)
{
    clscan_status status;
    const clscan_devices *group = run->group;
    const cl_event ready = run->exchange->sums_are_there;
    clscan__node_stack stack = {.depth = 0};
    cl_event given = NULL, taken = NULL;

    CLSCAN__TRY(clscan__exchange_transfer(run->exchange, CLSCAN__GIVE_SUMS, 0, group->combining, group->sums, 0,
                                          ready != NULL, ready != NULL ? &ready : NULL, &given, error));
    CLSCAN__TRY(fold_start(run, &stack, error));
    for (size_t turn = 0; turn + 1 < run->taker_count; ++turn)
        CLSCAN__TRY(fold(run, group->reverse ? run->taker_count - 1 - turn : turn, &stack, error));
    CLSCAN__TRY(clscan__exchange_transfer(run->exchange, CLSCAN__TAKE_CARRIES, 0, group->combining, group->states, 0, 1,
                                          &given, &taken, error));
    CLSCAN__TRY_CL(clFlush, (group->combining));

cleanup:
    return status;
}

clscan_status clscan__enqueue_combination(clscan__group_run *run, clscan_error *error)
{
    return clscan__told(CLSCAN__TOLD_SUMS,
                        run->group->is_ordered ? enqueue_fold(run, error) : enqueue_combine(run, error), error);
}
