#include "engine/workspace.h"

#include <stdlib.h>
#include <string.h>

#include "element/repetition.h"
#include "engine/in_place.h"
#include "engine/lengths.h"
#include "engine/rest.h"
#include "engine/words.h"
#include "program/marks.h"
#include "program/repetition.h"
#include "program/segments.h"

static clscan_status create_kernel(cl_program program, const char *name, cl_kernel *kernel, clscan_error *error)
{
    cl_int code;

    *kernel = clCreateKernel(program, name, &code);
    return code == CL_SUCCESS ? CLSCAN_OK : clscan__error_opencl(error, "clCreateKernel", code);
}

static clscan_status create_kernels(clscan_workspace *workspace, clscan_error *error)
{
    clscan_status status;
    const clscan_plan *plan = workspace->plan;
    const bool has_marks = clscan__problem_has_marks(&plan->problem);
    const bool by_offsets = has_marks && plan->problem.segments->by == CLSCAN_BY_OFFSETS;

    CLSCAN__TRY(create_kernel(plan->compiled[0].built.program, "clscan_empty", &workspace->empty_kernel, error));
    if (has_marks)
        CLSCAN__TRY(create_kernel(plan->compiled[0].built.program,
                                  by_offsets ? CLSCAN__MARK_KERNEL : CLSCAN__MARK_HEADS_KERNEL, &workspace->mark_kernel,
                                  error));
    if (plan->problem.segments != NULL && clscan__segments_are_counted(plan->described.elements->segmented))
        CLSCAN__TRY(
            create_kernel(plan->compiled[0].built.program, CLSCAN__COUNT_KERNEL, &workspace->count_kernel, error));
    if (clscan__problem_gives_sums(&plan->problem) && !by_offsets)
        CLSCAN__TRY(create_kernel(plan->compiled[0].built.program, CLSCAN__NO_SEGMENTS_KERNEL,
                                  &workspace->no_segments_kernel, error));
    if (by_offsets && plan->problem.count_bytes > 0)
        CLSCAN__TRY(
            create_kernel(plan->compiled[0].built.program, CLSCAN__CLEAR_KERNEL, &workspace->clear_kernel, error));
    if (clscan__problem_repeats(&plan->problem)) {
        CLSCAN__TRY(create_kernel(plan->compiled[0].built.program, CLSCAN__SUM_LENGTHS_KERNEL,
                                  &workspace->sum_lengths_kernel, error));
        CLSCAN__TRY(
            create_kernel(plan->compiled[0].built.program, CLSCAN__EXPAND_KERNEL, &workspace->expand_kernel, error));
    }
    if (clscan__problem_length_bytes(&plan->problem) > 0) {
        CLSCAN__TRY(
            create_kernel(plan->compiled[0].built.program, CLSCAN__WALK_KERNEL, &workspace->walk_kernel, error));
        CLSCAN__TRY(
            create_kernel(plan->compiled[0].built.program, CLSCAN__MEND_KERNEL, &workspace->mend_kernel, error));
    }
    if (clscan__problem_rest(&plan->problem) != CLSCAN_REST_DROPPED) {
        const cl_program program = clscan__rest_compiled(plan)->built.program;

        CLSCAN__TRY(create_kernel(program, CLSCAN__COUNT_KEPT_KERNEL, &workspace->count_kept_kernel, error));
        CLSCAN__TRY(create_kernel(program, CLSCAN__PLACE_REST_KERNEL, &workspace->place_rest_kernel, error));
    }
    if (clscan__problem_selects_in_place(&plan->problem))
        CLSCAN__TRY(create_kernel(plan->compiled[0].built.program, CLSCAN__MOVE_BACK_KERNEL,
                                  &workspace->move_back_kernel, error));
    for (size_t i = 0; i < plan->compiled_count; ++i) {
        const clscan__compiled *compiled = &plan->compiled[i];
        for (size_t j = 0; j < CLSCAN__KERNELS_PER_STRATEGY && compiled->strategy->kernel_names[j] != NULL; ++j)
            CLSCAN__TRY(create_kernel(compiled->built.program, compiled->strategy->kernel_names[j],
                                      &workspace->kernels[i][j], error));
    }

cleanup:
    return status;
}

clscan_status clscan__workspace_create(const clscan_plan *plan, clscan_workspace **workspace, clscan_error *error)
{
    clscan_status status;
    clscan_workspace *made = calloc(1, sizeof *made);

    CLSCAN__REQUIRE(made != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for a workspace");
    atomic_flag_clear(&made->busy);
    made->plan = clscan__plan_retain(plan);
    made->kernels = calloc(plan->compiled_count, sizeof *made->kernels);
    CLSCAN__REQUIRE(made->kernels != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for a workspace's kernels");
    CLSCAN__TRY(create_kernels(made, error));
    *workspace = made;
    made = NULL;

cleanup:
    clscan__workspace_destroy(made);
    return status;
}

void clscan__workspace_destroy(clscan_workspace *workspace)
{
    if (workspace == NULL)
        return;
    clscan__workspace_unbind(workspace);
    clscan__order_close(&workspace->order);
    for (size_t i = 0; workspace->kernels != NULL && i < workspace->plan->compiled_count; ++i)
        for (size_t j = 0; j < CLSCAN__KERNELS_PER_STRATEGY; ++j)
            if (workspace->kernels[i][j] != NULL)
                clReleaseKernel(workspace->kernels[i][j]);
    free(workspace->kernels);
    if (workspace->empty_kernel != NULL)
        clReleaseKernel(workspace->empty_kernel);
    if (workspace->mark_kernel != NULL)
        clReleaseKernel(workspace->mark_kernel);
    if (workspace->clear_kernel != NULL)
        clReleaseKernel(workspace->clear_kernel);
    if (workspace->count_kernel != NULL)
        clReleaseKernel(workspace->count_kernel);
    if (workspace->no_segments_kernel != NULL)
        clReleaseKernel(workspace->no_segments_kernel);
    if (workspace->sum_lengths_kernel != NULL)
        clReleaseKernel(workspace->sum_lengths_kernel);
    if (workspace->expand_kernel != NULL)
        clReleaseKernel(workspace->expand_kernel);
    if (workspace->walk_kernel != NULL)
        clReleaseKernel(workspace->walk_kernel);
    if (workspace->mend_kernel != NULL)
        clReleaseKernel(workspace->mend_kernel);
    if (workspace->count_kept_kernel != NULL)
        clReleaseKernel(workspace->count_kept_kernel);
    if (workspace->place_rest_kernel != NULL)
        clReleaseKernel(workspace->place_rest_kernel);
    if (workspace->move_back_kernel != NULL)
        clReleaseKernel(workspace->move_back_kernel);
    clscan__plan_release(workspace->plan);
    free(workspace);
}

clscan_status clscan__workspace_claim(clscan_workspace *workspace, clscan_error *error)
{
    if (atomic_flag_test_and_set(&workspace->busy))
        return clscan__error_set(error, CLSCAN_ERROR_WORKSPACE_BUSY,
                                 "another thread is in a call with this workspace; give each thread its own");
    return CLSCAN_OK;
}

void clscan__workspace_disclaim(clscan_workspace *workspace)
{
    atomic_flag_clear(&workspace->busy);
}

void clscan__workspace_unbind(clscan_workspace *workspace)
{
    if (workspace->buffer != NULL)
        clReleaseMemObject(workspace->buffer);
    workspace->buffer = NULL;
}

/* Nothing published, no tickets drawn; from byte `begin` on, so that events that were counted before can stay, up to
 * `end`.
 *
 * By patterns of 16 bytes: with shorter ones, fills fault from the byte on whose distance, counted in patterns, passes
 * 31 bits, in NVIDIA's driver 580.159 (8 GiB for 4 bytes). Offsets and sizes are multiples of 16. */
static clscan_status initialise(clscan_workspace *workspace, clscan__sequence *sequence, uint64_t begin_bytes,
                                uint64_t end_bytes, uint32_t epoch, clscan_error *error)
{
    clscan_status status;
    const clscan__words words = clscan__words_of(workspace->plan->info.mechanism);
    const cl_ulong draw_word = (cl_ulong)epoch << words.ticket_bits;
    const cl_uint narrow_draw_word = (cl_uint)draw_word;
    unsigned char pattern[16] = {0};

    CLSCAN__TRY(clscan__sequence_fill(sequence, workspace->buffer, pattern, sizeof pattern,
                                      workspace->offset_bytes + begin_bytes, end_bytes - begin_bytes, error));
    memcpy(pattern, words.word_bytes == 8 ? (const void *)&draw_word : &narrow_draw_word, words.word_bytes);
    CLSCAN__TRY(clscan__sequence_fill(sequence, workspace->buffer, pattern, sizeof pattern, workspace->offset_bytes,
                                      sizeof pattern, error));
    workspace->epoch = epoch;
    workspace->needs_initialisation = false;

cleanup:
    return status;
}

/* The most likely reason is its size. */
static clscan_status report_no_buffer(const clscan_plan *plan, cl_int code, clscan_error *error)
{
    clscan__error_set(error, CLSCAN_ERROR_OPENCL,
                      "clCreateBuffer failed: %s (%d); the workspace has %llu bytes, and CL_DEVICE_MAX_MEM_ALLOC_SIZE "
                      "is %llu",
                      clscan_cl_error_name(code), (int)code, (unsigned long long)plan->layout.size_bytes,
                      (unsigned long long)plan->info.max_allocation_bytes);
    if (error != NULL)
        error->cl_code = code;
    return CLSCAN_ERROR_OPENCL;
}

clscan_status clscan__workspace_bind(clscan_workspace *workspace, cl_command_queue queue, cl_mem buffer,
                                     uint64_t offset_bytes, clscan_error *error)
{
    clscan_status status;
    clscan__sequence sequence = {0};
    cl_int code = CL_SUCCESS;

    clscan__workspace_unbind(workspace);
    if (buffer != NULL) {
        CLSCAN__TRY_CL(clRetainMemObject, (buffer));
        workspace->buffer = buffer;
    } else {
        workspace->buffer = clCreateBuffer(workspace->plan->context, CL_MEM_READ_WRITE,
                                           (size_t)workspace->plan->layout.size_bytes, NULL, &code);
        if (code != CL_SUCCESS) {
            workspace->buffer = NULL;
            return report_no_buffer(workspace->plan, code, error);
        }
    }
    workspace->offset_bytes = offset_bytes;
    CLSCAN__TRY(clscan__workspace_begin(workspace, &sequence, queue, 0, NULL, error));
    status =
        initialise(workspace, &sequence, 0, workspace->plan->layout.scratch_bytes, workspace->plan->first_epoch, error);
    clscan__workspace_end(workspace, &sequence, status);

cleanup:
    if (status != CLSCAN_OK)
        clscan__workspace_unbind(workspace);
    return status;
}

clscan_status clscan__workspace_begin(clscan_workspace *workspace, clscan__sequence *sequence, cl_command_queue queue,
                                      cl_uint wait_count, const cl_event *wait_list, clscan_error *error)
{
    bool failed = false;
    const clscan_status status =
        clscan__order_begin(&workspace->order, sequence, queue, wait_count, wait_list, &failed, error);

    /* What the failed run left behind is not known. */
    workspace->needs_initialisation |= failed;
    return status;
}

void clscan__workspace_end(clscan_workspace *workspace, clscan__sequence *sequence, clscan_status status)
{
    if (status != CLSCAN_OK)
        workspace->needs_initialisation = true;
    clscan__order_end(&workspace->order, sequence);
}

clscan_status clscan__workspace_next_epoch(clscan_workspace *workspace, clscan__sequence *sequence, uint32_t *epoch,
                                           clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const uint32_t last_epoch = clscan__words_of(workspace->plan->info.mechanism).last_epoch;

    /* Not the marks, which each run makes itself: this one may have done so already. */
    if (workspace->needs_initialisation || workspace->epoch > last_epoch)
        CLSCAN__TRY(
            initialise(workspace, sequence, CLSCAN__REGISTER_BYTES, workspace->plan->layout.marks_bytes, 1, error));
    *epoch = workspace->epoch++;

cleanup:
    return status;
}

clscan_status clscan__workspace_report(clscan_workspace *workspace, cl_command_queue queue, clscan_report *report,
                                       clscan_error *error)
{
    clscan_status status;
    clscan__sequence sequence = {0};
    cl_uint counters[CLSCAN__EVENT_COUNT] = {0};
    cl_int code;

    CLSCAN__TRY(clscan__workspace_begin(workspace, &sequence, queue, 0, NULL, error));
    code =
        clEnqueueReadBuffer(queue, workspace->buffer, CL_TRUE, (size_t)workspace->offset_bytes + CLSCAN__REPORT_BYTES,
                            sizeof counters, counters, sequence.wait_count, sequence.wait_list, NULL);
    clscan__workspace_end(workspace, &sequence, CLSCAN_OK);
    if (code != CL_SUCCESS)
        status = clscan__error_opencl(error, "clEnqueueReadBuffer", code);
    *report = (clscan_report){.failures = counters[CLSCAN__EVENT_FAILURE],
                              .waits = counters[CLSCAN__EVENT_WAIT],
                              .recomputed = counters[CLSCAN__EVENT_RECOMPUTED],
                              .discarded = counters[CLSCAN__EVENT_DISCARDED],
                              .refused_counts = counters[CLSCAN__EVENT_REFUSED_COUNT],
                              .overflows = counters[CLSCAN__EVENT_OVERFLOW],
                              .bad_offsets = counters[CLSCAN__EVENT_BAD_OFFSET]};

cleanup:
    return status;
}
