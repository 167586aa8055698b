#include "ops/segments.h"

#include "base/checked.h"
#include "base/memory.h"
#include "element/problem.h"

static void add_argument(clscan__run *run, size_t size_bytes, const void *value)
{
    run->map_arguments[run->map_argument_count].size_bytes = size_bytes;
    run->map_arguments[run->map_argument_count++].value = value;
}

static void add_memory(clscan__run *run, const clscan_memory *memory)
{
    add_argument(run, sizeof memory->buffer, &memory->buffer);
    add_argument(run, sizeof memory->offset, &memory->offset);
}

/* Kernels do not touch what is not there; any valid buffer will do. */
static uint32_t complete(clscan_memory *memory, cl_mem stand_in, uint32_t flag)
{
    if (clscan__memory_is_given(memory))
        return flag;
    *memory = (clscan_memory){.buffer = stand_in};
    return 0;
}

static void set_sums(clscan__run *run, const clscan_problem *problem, const clscan_run_args *args)
{
    clscan_segment_sums *sums = &run->segment_sums;

    *sums = *args->segment_sums;
    run->segments_give = complete(&sums->sums, run->workspace, CLSCAN__SEGMENTS_GIVE_SUMS) |
                         complete(&sums->offsets, run->workspace, CLSCAN__SEGMENTS_GIVE_OFFSETS) |
                         complete(&sums->keys, run->workspace, CLSCAN__SEGMENTS_GIVE_KEYS) |
                         complete(&sums->number, run->workspace, CLSCAN__SEGMENTS_GIVE_NUMBER);
    add_memory(run, &sums->sums);
    if (problem->segments->by == CLSCAN_BY_OFFSETS) {
        sums->offsets = args->segments;
        sums->capacity = args->offset_count;
        (void)complete(&sums->offsets, run->workspace, 0);
    }
    add_memory(run, &sums->offsets);
    add_argument(run, sizeof sums->capacity, &sums->capacity);
    if (problem->segments->offset_count_bytes > 0)
        add_memory(run, &args->device_offset_count);
    if (problem->segments->by == CLSCAN_BY_OFFSETS)
        return;
    run->overflows_offset =
        (run->workspace_offset_bytes + CLSCAN__REPORT_BYTES) / sizeof(cl_uint) + CLSCAN__EVENT_OVERFLOW;
    add_memory(run, &sums->keys);
    add_memory(run, &sums->number);
    add_argument(run, sizeof run->workspace, &run->workspace);
    add_argument(run, sizeof run->overflows_offset, &run->overflows_offset);
    add_argument(run, sizeof run->segments_give, &run->segments_give);
}

/* In the order of element/segments.h. An initial value is one of each segment: the scan of all has none. */
void clscan__segments_set(clscan__run *run, const clscan_problem *problem, const clscan_run_args *args)
{
    const size_t sum_bytes = clscan__problem_sum_bytes(problem);
    bool by_offsets;

    if (problem->segments == NULL)
        return;
    by_offsets = problem->segments->by == CLSCAN_BY_OFFSETS;
    run->segments_mode = (run->flags & CLSCAN__FLAG_INITIAL_VALUE) != 0    ? CLSCAN__SEGMENTS_INITIAL_VALUE
                         : (run->flags & CLSCAN__FLAG_INITIAL_BUFFER) != 0 ? CLSCAN__SEGMENTS_INITIAL_BUFFER
                                                                           : CLSCAN__SEGMENTS_NO_INITIAL;
    run->flags &= ~(uint32_t)(CLSCAN__FLAG_INITIAL_VALUE | CLSCAN__FLAG_INITIAL_BUFFER);
    run->segments_buffer = by_offsets ? run->workspace : args->segments.buffer;
    run->segments_offset =
        by_offsets ? (run->workspace_offset_bytes + run->layout.marks_bytes) / sizeof(cl_uint) : args->segments.offset;
    add_argument(run, sizeof run->segments_buffer, &run->segments_buffer);
    add_argument(run, sizeof run->segments_offset, &run->segments_offset);
    add_argument(run, clscan__segments_value_bytes(sum_bytes), run->initial);
    add_argument(run, sizeof run->initial_buffer, &run->initial_buffer);
    add_argument(run, sizeof run->initial_offset, &run->initial_offset);
    if (run->count_buffer == NULL)
        add_argument(run, sizeof run->count, &run->count);
    add_argument(run, sizeof run->segments_mode, &run->segments_mode);
    if (clscan__problem_sums(problem) != 0)
        set_sums(run, problem, args);
}

/* A launch whose work-items take an item each, or several where there are many: as many as keep a device busy. Where
 * nobody knows how many items there are, work-groups without any cost time, so there are no more than fill the device;
 * but where loops end by themselves, items have as few turns as can be. */
static clscan_status enqueue_items(clscan__sequence *sequence, const clscan_plan *plan, cl_kernel kernel,
                                   uint64_t items, bool known, bool final, clscan_error *error)
{
    enum { WORK_GROUP_SIZE = 64, MOST_WORK_GROUPS = 1 << 14, MOST_PER_UNIT = 32 };
    const uint32_t work_group_size = plan->info.max_work_group_size < WORK_GROUP_SIZE ? 1 : WORK_GROUP_SIZE;
    const uint64_t filling = (uint64_t)plan->info.compute_units * MOST_PER_UNIT;
    const uint64_t most = known || plan->info.max_loop_turns > 0 ? MOST_WORK_GROUPS : filling;

    return clscan__sequence_kernel(sequence, kernel, clscan__min_u64(clscan__divide_up(items, work_group_size), most),
                                   work_group_size, final, error);
}

static clscan_status enqueue_offsets(clscan_workspace *workspace, clscan__sequence *sequence, const clscan__run *run,
                                     const clscan_run_args *args, uint64_t marks_bytes, bool final, clscan_error *error)
{
    const clscan_plan *plan = workspace->plan;
    const bool known = plan->problem.segments->offset_count_bytes == 0;
    clscan__arguments arguments = {.kernel = workspace->mark_kernel};
    clscan_status status;

    clscan__argument_buffer(&arguments, args->segments.buffer);
    clscan__argument_u64(&arguments, args->segments.offset);
    clscan__argument_u64(&arguments, args->offset_count);
    clscan__argument_u64(&arguments, run->count);
    clscan__argument_buffer(&arguments, run->workspace);
    clscan__argument_u64(&arguments, marks_bytes / sizeof(cl_uint));
    if (clscan__problem_sums(&plan->problem) != 0) {
        clscan__argument(&arguments, clscan__segments_value_bytes(clscan__problem_sum_bytes(&plan->problem)),
                         run->initial);
        clscan__argument_buffer(&arguments, run->initial_buffer);
        clscan__argument_u64(&arguments, run->initial_offset);
        clscan__argument_u32(&arguments, run->segments_mode);
        clscan__argument_buffer(&arguments, run->segment_sums.sums.buffer);
        clscan__argument_u64(&arguments, run->segment_sums.sums.offset);
    }
    if (!known) {
        clscan__argument_buffer(&arguments, args->device_offset_count.buffer);
        clscan__argument_u64(&arguments, args->device_offset_count.offset);
        clscan__argument_buffer(&arguments, run->workspace);
        clscan__argument_u64(&arguments, (run->workspace_offset_bytes + CLSCAN__REPORT_BYTES) / sizeof(cl_uint) +
                                             CLSCAN__EVENT_REFUSED_COUNT);
    }
    clscan__arguments_count(&arguments, run);
    CLSCAN__TRY(clscan__arguments_status(&arguments, error));
    CLSCAN__TRY(enqueue_items(sequence, plan, workspace->mark_kernel, args->offset_count, known, final, error));

cleanup:
    return status;
}

/* No marks of the elements that a run may have. */
static clscan_status clear_marks(clscan_workspace *workspace, clscan__sequence *sequence, const clscan__run *run,
                                 uint64_t marks_bytes, clscan_error *error)
{
    clscan_status status;
    const unsigned char nothing[16] = {0};
    const uint64_t bytes = clscan__align_up(run->count / 8 + (run->count % 8 != 0), sizeof nothing);
    clscan__arguments arguments = {.kernel = workspace->clear_kernel};

    if (workspace->clear_kernel == NULL)
        return clscan__sequence_fill(sequence, run->workspace, nothing, sizeof nothing, marks_bytes, bytes, error);
    clscan__argument_u64(&arguments, run->count);
    clscan__argument_buffer(&arguments, run->workspace);
    clscan__argument_u64(&arguments, marks_bytes / sizeof(cl_uint));
    clscan__arguments_count(&arguments, run);
    CLSCAN__TRY(clscan__arguments_status(&arguments, error));
    CLSCAN__TRY(enqueue_items(sequence, workspace->plan, workspace->clear_kernel, bytes / sizeof(cl_uint), false, false,
                              error));

cleanup:
    return status;
}

clscan_status clscan__segments_enqueue_marks(clscan_workspace *workspace, clscan__sequence *sequence,
                                             const clscan__run *run, const clscan_run_args *args, clscan_error *error)
{
    const uint64_t marks_bytes = run->workspace_offset_bytes + run->layout.marks_bytes;
    clscan_status status;

    CLSCAN__TRY(clear_marks(workspace, sequence, run, marks_bytes, error));
    if (args->offset_count > 0)
        CLSCAN__TRY(enqueue_offsets(workspace, sequence, run, args, marks_bytes, false, error));

cleanup:
    return status;
}

clscan_status clscan__segments_enqueue_empty(clscan_workspace *workspace, clscan__sequence *sequence,
                                             const clscan__run *run, const clscan_run_args *args, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__arguments arguments = {.kernel = workspace->no_segments_kernel};

    /* No mark is set of no elements. */
    if (clscan__problem_sums(&workspace->plan->problem) != 0 && workspace->mark_kernel != NULL &&
        args->offset_count > 0)
        return enqueue_offsets(workspace, sequence, run, args, run->workspace_offset_bytes + run->layout.marks_bytes,
                               true, error);
    if (workspace->no_segments_kernel == NULL)
        return clscan__sequence_marker(sequence, error);
    clscan__argument_u32(&arguments, run->segments_give);
    clscan__argument_buffer(&arguments, run->segment_sums.offsets.buffer);
    clscan__argument_u64(&arguments, run->segment_sums.offsets.offset);
    clscan__argument_buffer(&arguments, run->segment_sums.number.buffer);
    clscan__argument_u64(&arguments, run->segment_sums.number.offset);
    CLSCAN__TRY(clscan__arguments_status(&arguments, error));
    CLSCAN__TRY(clscan__sequence_kernel(sequence, workspace->no_segments_kernel, 1, 1, true, error));

cleanup:
    return status;
}
