#include "ops/segments.h"

#include "base/checked.h"
#include "base/memory.h"
#include "element/problem.h"
#include "element/segments.h"
#include "ops/items.h"
#include "program/marks.h"
#include "program/segments.h"

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

/* Of the report, in the workspace, in words. */
static uint64_t counter_offset(const clscan__run *run, uint32_t event)
{
    return (run->workspace_offset_bytes + CLSCAN__REPORT_BYTES) / sizeof(cl_uint) + event;
}

static bool checks_offsets(const clscan_plan *plan)
{
    return plan->problem.segments->check != 0;
}

static void set_sums(clscan__run *run, const clscan_problem *problem, const clscan_run_args *args)
{
    clscan_segment_sums *sums = &run->segment_sums;

    if (clscan__problem_gives_sums(problem))
        *sums = *args->segment_sums;
    run->segments_give = complete(&sums->sums, run->workspace, CLSCAN__SEGMENTS_GIVE_SUMS) |
                         complete(&sums->offsets, run->workspace, CLSCAN__SEGMENTS_GIVE_OFFSETS) |
                         complete(&sums->keys, run->workspace, CLSCAN__SEGMENTS_GIVE_KEYS) |
                         complete(&sums->number, run->workspace, CLSCAN__SEGMENTS_GIVE_NUMBER);
    if (problem->segments->by == CLSCAN_BY_OFFSETS) {
        sums->offsets = args->segments;
        sums->capacity = args->offset_count;
        (void)complete(&sums->offsets, run->workspace, 0);
    }
    run->overflows_offset = counter_offset(run, CLSCAN__EVENT_OVERFLOW);
}

static void set_argument(clscan__run *run, clscan__segments_argument which, size_t sum_bytes,
                         const clscan_run_args *args)
{
    switch (which) {
    case CLSCAN__SEGMENTS_BEGINS:
        add_argument(run, sizeof run->segments_buffer, &run->segments_buffer);
        add_argument(run, sizeof run->segments_offset, &run->segments_offset);
        return;
    case CLSCAN__SEGMENTS_VALUE:
        add_argument(run, clscan__segments_value_bytes(sum_bytes), run->initial);
        return;
    case CLSCAN__SEGMENTS_INITIAL:
        add_argument(run, sizeof run->initial_buffer, &run->initial_buffer);
        add_argument(run, sizeof run->initial_offset, &run->initial_offset);
        return;
    case CLSCAN__SEGMENTS_COUNT:
        if (run->count_buffer == NULL)
            add_argument(run, sizeof run->count, &run->count);
        return;
    case CLSCAN__SEGMENTS_MODE:
        add_argument(run, sizeof run->segments_mode, &run->segments_mode);
        return;
    case CLSCAN__SEGMENTS_TOTAL:
        add_argument(run, sizeof run->workspace, &run->workspace);
        add_argument(run, sizeof run->marks_offset, &run->marks_offset);
        return;
    case CLSCAN__SEGMENTS_INITIALS:
        add_argument(run, sizeof run->initials, &run->initials);
        return;
    case CLSCAN__SEGMENTS_SUMS:
        add_memory(run, &run->segment_sums.sums);
        return;
    case CLSCAN__SEGMENTS_OFFSETS:
        add_memory(run, &run->segment_sums.offsets);
        return;
    case CLSCAN__SEGMENTS_CAPACITY:
        add_argument(run, sizeof run->segment_sums.capacity, &run->segment_sums.capacity);
        return;
    case CLSCAN__SEGMENTS_OFFSET_COUNT:
        add_memory(run, &args->device_offset_count);
        return;
    case CLSCAN__SEGMENTS_KEYS:
        add_memory(run, &run->segment_sums.keys);
        return;
    case CLSCAN__SEGMENTS_NUMBER:
        add_memory(run, &run->segment_sums.number);
        return;
    case CLSCAN__SEGMENTS_OVERFLOWS:
        add_argument(run, sizeof run->workspace, &run->workspace);
        add_argument(run, sizeof run->overflows_offset, &run->overflows_offset);
        return;
    case CLSCAN__SEGMENTS_GIVES:
        add_argument(run, sizeof run->segments_give, &run->segments_give);
        return;
    case CLSCAN__SEGMENTS_MOST_ARGUMENTS:
        break;
    }
}

uint64_t clscan__segments_initials(const clscan_plan *plan, const clscan_run_args *args)
{
    const size_t sum_bytes = clscan__problem_sum_bytes(&plan->problem);
    size_t buffer_bytes = 0;
    uint64_t all;

    if (plan->problem.segments->by == CLSCAN_BY_OFFSETS)
        return args->offset_count > 0 ? args->offset_count - 1 : 0;
    if (args->initial.kind != CLSCAN_MEMORY_BUFFER || args->initial.buffer == NULL ||
        clGetMemObjectInfo(args->initial.buffer, CL_MEM_SIZE, sizeof buffer_bytes, &buffer_bytes, NULL) != CL_SUCCESS)
        return 0;
    all = buffer_bytes / sum_bytes;
    return clscan__min_u64(args->count, all > args->initial.offset ? all - args->initial.offset : 0);
}

/* An initial value is one of each segment, or one for each: the scan of all has none. */
void clscan__segments_set(clscan__run *run, const clscan_plan *plan, const clscan_run_args *args)
{
    const clscan_problem *problem = &plan->problem;
    const size_t sum_bytes = clscan__problem_sum_bytes(problem);
    const clscan__segmented *segmented = problem->segments != NULL ? plan->described.elements->segmented : NULL;

    if (segmented == NULL)
        return;
    run->segments_mode = (run->flags & CLSCAN__FLAG_INITIAL_VALUE) != 0    ? CLSCAN__SEGMENTS_INITIAL_VALUE
                         : (run->flags & CLSCAN__FLAG_INITIAL_BUFFER) != 0 ? CLSCAN__SEGMENTS_INITIAL_BUFFER
                                                                           : CLSCAN__SEGMENTS_NO_INITIAL;
    run->flags &= ~(uint32_t)(CLSCAN__FLAG_INITIAL_VALUE | CLSCAN__FLAG_INITIAL_BUFFER);
    run->marks_offset = (run->workspace_offset_bytes + run->layout.marks_bytes) / sizeof(cl_uint);
    run->segments_buffer = segmented->marked ? run->workspace : args->segments.buffer;
    run->segments_offset = segmented->marked ? run->marks_offset + CLSCAN__MARKS_ROOM_WORDS : args->segments.offset;
    if (segmented->initials)
        run->initials = clscan__segments_initials(plan, args);
    if (segmented->index_bytes > 0)
        set_sums(run, problem, args);
    for (unsigned i = 0; i < CLSCAN__SEGMENTS_MOST_ARGUMENTS; ++i)
        if (clscan__segments_have(segmented, (clscan__segments_argument)i))
            set_argument(run, (clscan__segments_argument)i, sum_bytes, args);
}

static clscan_status enqueue_way(clscan_workspace *workspace, clscan__sequence *sequence, const clscan__run *run,
                                 const clscan_run_args *args, clscan__mark_way way, bool final, clscan_error *error)
{
    const clscan_plan *plan = workspace->plan;
    const bool known = plan->problem.segments->offset_count_bytes == 0;
    const uint32_t work_group_size = clscan__mark_work_group_size(&plan->info, plan->described.elements->segmented);
    const clscan__run_arguments values = clscan__run_arguments_of(run);
    clscan__arguments arguments = {.kernel = workspace->mark_kernel};
    clscan_status status;

    clscan__arguments_run(&arguments, &values, run);
    clscan__argument_memory(&arguments, &args->segments);
    clscan__argument_u64(&arguments, args->offset_count);
    clscan__argument_buffer(&arguments, run->workspace);
    clscan__argument_u64(&arguments, run->marks_offset);
    clscan__argument_u32(&arguments, way);
    if (clscan__problem_gives_sums(&plan->problem)) {
        clscan__argument(&arguments, clscan__segments_value_bytes(clscan__problem_sum_bytes(&plan->problem)),
                         run->initial);
        clscan__argument_buffer(&arguments, run->initial_buffer);
        clscan__argument_u64(&arguments, run->initial_offset);
        clscan__argument_u32(&arguments, run->segments_mode);
        clscan__argument_memory(&arguments, &run->segment_sums.sums);
    }
    if (!known) {
        clscan__argument_memory(&arguments, &args->device_offset_count);
    }
    CLSCAN__TRY(clscan__arguments_status(&arguments, error));
    /* One more than the offsets ask for, since they may begin between two vectors. */
    CLSCAN__TRY(clscan__items_enqueue(sequence, plan, workspace->mark_kernel, work_group_size,
                                      clscan__divide_up(args->offset_count, clscan__mark_run(work_group_size)) + 1,
                                      known && way != CLSCAN__MARK_MEND, final, error));

cleanup:
    return status;
}

/* Does no variant of a plan need marks of offsets? */
static bool walks_offsets(const clscan_plan *plan)
{
    bool walks = true;

    for (size_t i = 0; i < plan->compiled_count; ++i)
        walks &= clscan__segments_are_walked(&plan->compiled[i].variant, plan->described.elements->segmented);
    return walks;
}

static clscan_status enqueue_offsets(clscan_workspace *workspace, clscan__sequence *sequence, const clscan__run *run,
                                     const clscan_run_args *args, bool final, clscan_error *error)
{
    const clscan_plan *plan = workspace->plan;
    const uint32_t work_group_size = clscan__mark_work_group_size(&plan->info, plan->described.elements->segmented);
    clscan_status status;

    if (walks_offsets(plan))
        return enqueue_way(workspace, sequence, run, args, CLSCAN__MARK_NOTHING, final, error);
    if (!clscan__marks_trust(work_group_size, args->offset_count, run->count))
        return enqueue_way(workspace, sequence, run, args, CLSCAN__MARK_COMBINE, final, error);
    CLSCAN__TRY(enqueue_way(workspace, sequence, run, args, CLSCAN__MARK_TRUST, false, error));
    CLSCAN__TRY(enqueue_way(workspace, sequence, run, args, CLSCAN__MARK_MEND, final, error));

cleanup:
    return status;
}

/* So many bytes of the workspace that are 0, where marks are, or the number of segments. */
static clscan_status fill_nothing(clscan__sequence *sequence, const clscan__run *run, uint64_t bytes,
                                  clscan_error *error)
{
    const unsigned char nothing[CLSCAN__SEGMENTS_TOTAL_BYTES] = {0};

    return clscan__sequence_fill(sequence, run->workspace, nothing, sizeof nothing, run->marks_offset * sizeof(cl_uint),
                                 bytes, error);
}

/* No marks of the elements that a run may have. */
static clscan_status clear_marks(clscan_workspace *workspace, clscan__sequence *sequence, const clscan__run *run,
                                 clscan_error *error)
{
    clscan_status status;
    const uint64_t bytes = clscan__marks_bytes(run->count);
    const clscan__run_arguments values = clscan__run_arguments_of(run);
    clscan__arguments arguments = {.kernel = workspace->clear_kernel};

    if (workspace->clear_kernel == NULL)
        return fill_nothing(sequence, run, bytes, error);
    clscan__arguments_run(&arguments, &values, run);
    clscan__argument_buffer(&arguments, run->workspace);
    clscan__argument_u64(&arguments, run->marks_offset);
    CLSCAN__TRY(clscan__arguments_status(&arguments, error));
    CLSCAN__TRY(clscan__items_enqueue(sequence, workspace->plan, workspace->clear_kernel,
                                      clscan__items_work_group_size(workspace->plan), bytes / sizeof(cl_uint), false,
                                      false, error));

cleanup:
    return status;
}

/* A kernel that looks where segments begin, `items` times, and leaves something in the place of marks. */
static clscan_status enqueue_heads(clscan_workspace *workspace, clscan__sequence *sequence, const clscan__run *run,
                                   const clscan_run_args *args, cl_kernel kernel, uint64_t items, clscan_error *error)
{
    const clscan__run_arguments values = clscan__run_arguments_of(run);
    clscan__arguments arguments = {.kernel = kernel};
    clscan_status status;

    clscan__arguments_run(&arguments, &values, run);
    clscan__argument_memory(&arguments, &args->segments);
    clscan__argument_buffer(&arguments, run->workspace);
    clscan__argument_u64(&arguments, run->marks_offset);
    CLSCAN__TRY(clscan__arguments_status(&arguments, error));
    CLSCAN__TRY(clscan__items_enqueue(sequence, workspace->plan, kernel, clscan__items_work_group_size(workspace->plan),
                                      items, run->count_buffer == NULL, false, error));

cleanup:
    return status;
}

clscan_status clscan__segments_enqueue_before(clscan_workspace *workspace, clscan__sequence *sequence,
                                              const clscan__run *run, const clscan_run_args *args, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (workspace->count_kernel != NULL) {
        CLSCAN__TRY(fill_nothing(sequence, run, CLSCAN__SEGMENTS_TOTAL_BYTES, error));
        return enqueue_heads(workspace, sequence, run, args, workspace->count_kernel, run->count, error);
    }
    if (workspace->mark_kernel == NULL)
        return status;
    if (workspace->plan->problem.segments->by != CLSCAN_BY_OFFSETS)
        return enqueue_heads(workspace, sequence, run, args, workspace->mark_kernel,
                             clscan__divide_up(run->count, CLSCAN__MARK_HEADS_RUN), error);
    if (!walks_offsets(workspace->plan))
        CLSCAN__TRY(clear_marks(workspace, sequence, run, error));
    else if (clscan__segments_look_at_offsets(workspace->plan->described.elements->segmented))
        return status;
    if (args->offset_count > 0)
        CLSCAN__TRY(enqueue_offsets(workspace, sequence, run, args, false, error));

cleanup:
    return status;
}

clscan_status clscan__segments_enqueue_empty(clscan_workspace *workspace, clscan__sequence *sequence,
                                             const clscan__run *run, const clscan_run_args *args, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__arguments arguments = {.kernel = workspace->no_segments_kernel};

    /* No mark is set of no elements. */
    if ((clscan__problem_gives_sums(&workspace->plan->problem) || checks_offsets(workspace->plan)) &&
        workspace->mark_kernel != NULL && args->offset_count > 0)
        return enqueue_offsets(workspace, sequence, run, args, true, error);
    if (workspace->no_segments_kernel == NULL)
        return clscan__sequence_marker(sequence, error);
    clscan__argument_u32(&arguments, run->segments_give);
    clscan__argument_memory(&arguments, &run->segment_sums.offsets);
    clscan__argument_memory(&arguments, &run->segment_sums.number);
    CLSCAN__TRY(clscan__arguments_status(&arguments, error));
    CLSCAN__TRY(clscan__sequence_kernel(sequence, workspace->no_segments_kernel, 1, 1, true, error));

cleanup:
    return status;
}
