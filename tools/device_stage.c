#include "device_stage.h"

#include <stdlib.h>
#include <string.h>

#include "command_line/failure.h"

/* Runs that are enqueued before earlier ones are waited for: queues of millions would fill the host's memory. */
#define RUNS_PER_MILESTONE 1024u

#define MIB (1024.0 * 1024.0)

bool device_is_unified(cl_device_id device)
{
    cl_bool unified = CL_FALSE;

    return clGetDeviceInfo(device, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof unified, &unified, NULL) == CL_SUCCESS &&
           unified;
}

static void forget_event(cl_event *event)
{
    if (*event != NULL)
        clReleaseEvent(*event);
    *event = NULL;
}

uint64_t device_stage_outputs(const device_stage *stage, uint64_t elements)
{
    return elements + (stage->offsets ? elements / stage->rows.row_count * stage->columns : 0);
}

uint64_t device_stage_chunk_outputs(const device_stage *stage, const slot *s, uint64_t elements)
{
    return device_stage_outputs(stage, s->first + elements) - device_stage_outputs(stage, s->first);
}

static size_t results_bytes(const device_stage *stage, const slot *s)
{
    return (size_t)device_stage_chunk_outputs(stage, s, s->count) * stage->output_bytes;
}

static size_t chunk_bytes(const device_stage *stage)
{
    const size_t in = (size_t)stage->cut.chunk_count * stage->element_bytes;
    /* Of rows in parts, one may end in a chunk that holds none whole. */
    const uint64_t outputs = device_stage_outputs(stage, stage->cut.chunk_count) + (stage->offsets && !stage->batch);
    const size_t out = (size_t)outputs * stage->output_bytes;

    return out > in ? out : in;
}

static clscan_status create_buffer(const device_stage *stage, cl_mem_flags flags, cl_mem *buffer, clscan_error *error)
{
    cl_int code;

    *buffer = clCreateBuffer(stage->where->context, flags, chunk_bytes(stage), NULL, &code);
    if (*buffer != NULL)
        return CLSCAN_OK;
    fail(error, CLSCAN_ERROR_OPENCL, "no buffer of %.1f MiB on %s: %s (%d); try a smaller --chunk-bytes",
         (double)chunk_bytes(stage) / MIB, stage->where->info.name, clscan_cl_error_name(code), (int)code);
    error->cl_code = code;
    return CLSCAN_ERROR_OPENCL;
}

static clscan_status map(cl_command_queue queue, cl_mem buffer, cl_bool blocking, cl_map_flags flags, size_t size_bytes,
                         void **memory, cl_event *event, clscan_error *error)
{
    cl_int code;

    *memory = clEnqueueMapBuffer(queue, buffer, blocking, flags, 0, size_bytes, 0, NULL, event, &code);
    return code == CL_SUCCESS ? CLSCAN_OK : fail_opencl(error, "clEnqueueMapBuffer", code);
}

static clscan_status prepare_heads(const device_stage *stage, slot *s, clscan_error *error)
{
    const size_t bytes = (size_t)stage->cut.chunk_count;
    cl_int code;

    s->host_heads = malloc(bytes);
    if (s->host_heads == NULL)
        return fail(error, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for where segments begin in a chunk");
    s->heads = clCreateBuffer(stage->where->context, CL_MEM_READ_ONLY, bytes, NULL, &code);
    return s->heads != NULL ? CLSCAN_OK : fail_opencl(error, "clCreateBuffer", code);
}

static clscan_status prepare_slot(device_stage *stage, slot *s, clscan_error *error)
{
    clscan_status status;
    const cl_mem_flags flags = CL_MEM_READ_WRITE | (stage->unified ? CL_MEM_ALLOC_HOST_PTR : 0);

    TRY(create_buffer(stage, flags, &s->in, error));
    if (stage->cut.in_place)
        s->out = s->in;
    else
        TRY(create_buffer(stage, flags, &s->out, error));
    if (!stage->unified)
        TRY(create_buffer(stage, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, &s->staging, error));
    TRY(map(stage->where->queue, stage->unified ? s->in : s->staging, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
            chunk_bytes(stage), &s->host_in, NULL, error));
    if (!stage->unified)
        s->host_out = s->host_in;
    if (stage->heads != NULL)
        TRY(prepare_heads(stage, s, error));

cleanup:
    return status;
}

static clscan_status create_queue(const device_stage *stage, cl_command_queue *queue, clscan_error *error)
{
    cl_int code;

    *queue = clCreateCommandQueue(stage->where->context, stage->where->device, CL_QUEUE_PROFILING_ENABLE, &code);
    return *queue != NULL ? CLSCAN_OK : fail_opencl(error, "clCreateCommandQueue", code);
}

clscan_status device_stage_prepare_slots(device_stage *stage, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (unsigned i = 0; i < stage->cut.slot_count; ++i)
        TRY(prepare_slot(stage, &stage->slots[i], error));

cleanup:
    return status;
}

clscan_status device_stage_prepare(device_stage *stage, clscan_error *error)
{
    clscan_status status;
    cl_int code;

    TRY(clscan_workspace_create(stage->plan, &stage->workspace, error));
    TRY(clscan_workspace_bind(stage->workspace, stage->where->queue, NULL, error));
    if (stage->heads != NULL) {
        TRY(clscan_workspace_create(stage->segment_plan, &stage->segment_workspace, error));
        TRY(clscan_workspace_bind(stage->segment_workspace, stage->where->queue, NULL, error));
        TRY(segment_heads_prepare(stage->heads, stage->cut.chunk_count, error));
        stage->begins_behind = true;
    }
    stage->state_bytes = clscan_plan_state_bytes(stage->plan);
    stage->carry = clCreateBuffer(stage->where->context, CL_MEM_READ_WRITE,
                                  stage->state_bytes > 0 ? (size_t)stage->state_bytes : 2 * CLSCAN_MOST_ELEMENT_BYTES,
                                  NULL, &code);
    if (stage->carry == NULL)
        return fail_opencl(error, "clCreateBuffer", code);
    if (!stage->unified) {
        TRY(create_queue(stage, &stage->upload, error));
        TRY(create_queue(stage, &stage->download, error));
    }
    TRY(device_stage_prepare_slots(stage, error));

cleanup:
    return status;
}

clscan_status device_stage_load(device_stage *stage, slot *s, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const cl_command_queue queue = stage->where->queue;

    if (stage->unified) {
        TRY_CL(clEnqueueUnmapMemObject, (queue, s->in, s->host_in, 0, NULL, NULL));
        s->host_in = NULL;
        s->host_out = NULL;
        TRY_CL(clFinish, (queue));
    } else {
        TRY_CL(clEnqueueWriteBuffer,
               (queue, s->in, CL_TRUE, 0, (size_t)s->count * stage->element_bytes, s->host_in, 0, NULL, NULL));
    }

cleanup:
    return status;
}

clscan_status device_stage_store(device_stage *stage, slot *s, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const cl_command_queue queue = stage->where->queue;

    if (stage->unified) {
        TRY(map(queue, s->out, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, chunk_bytes(stage), &s->host_out, NULL, error));
        s->host_in = s->host_out;
    } else {
        TRY_CL(clEnqueueReadBuffer,
               (queue, s->out, CL_TRUE, 0, (size_t)s->count * stage->output_bytes, s->host_out, 0, NULL, NULL));
    }

cleanup:
    return status;
}

/* Keep at most two milestones' runs in the queue. */
static clscan_status pace(device_stage *stage, cl_event *ran, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (stage->milestones[0] != NULL) {
        TRY_CL(clFlush, (stage->where->queue));
        TRY_CL(clWaitForEvents, (1, &stage->milestones[0]));
        forget_event(&stage->milestones[0]);
    }
    stage->milestones[0] = stage->milestones[1];
    stage->milestones[1] = *ran;
    *ran = NULL;

cleanup:
    return status;
}

static uint64_t index_of(const device_stage *stage, const piece *p)
{
    return stage->rows.reverse ? stage->rows.row_count - p->in_row - p->count : p->in_row;
}

/* The number of the row, in the file, that begins with this element of the chunk. */
static uint64_t row_at(const device_stage *stage, const slot *s, uint64_t offset)
{
    return (s->first + offset) / stage->rows.row_count * stage->columns;
}

/* Enqueue the run of whole segments. */
static clscan_status run_whole_segments(device_stage *stage, const slot *s, const piece *p, cl_uint wait_count,
                                        const cl_event *wait_list, cl_event *ran, clscan_error *error)
{
    clscan_memory arguments[SCAN_MAPS_ARGUMENTS];
    const uint64_t index = index_of(stage, p);
    clscan_run_args args = {.struct_size = sizeof args,
                            .in = {.buffer = s->in, .offset = p->offset},
                            .out = {.buffer = s->out, .offset = p->offset},
                            .count = p->count,
                            .initial = {CLSCAN_MEMORY_HOST, .pointer = stage->initial},
                            .segments = {.buffer = s->heads, .offset = p->offset}};

    if (stage->maps != NULL) {
        args.map_arguments = arguments;
        args.map_argument_count = scan_maps_arguments(stage->maps, &index, arguments);
    }
    return clscan_run(stage->segment_plan, stage->segment_workspace, stage->where->queue, &args, wait_count, wait_list,
                      ran, error);
}

/* Enqueue the run of one piece; `ran` receives its event if it is not NULL. */
static clscan_status run_piece(device_stage *stage, const slot *s, const piece *p, cl_uint wait_count,
                               const cl_event *wait_list, cl_event *ran, clscan_error *error)
{
    const uint64_t out_offset = device_stage_chunk_outputs(stage, s, p->offset);
    clscan_run_args args = {.struct_size = sizeof args,
                            .in.buffer = s->in,
                            .in.offset = p->offset,
                            .out.buffer = s->out,
                            .out.offset = out_offset,
                            .count = p->count};
    clscan_memory arguments[SCAN_MAPS_ARGUMENTS];
    const uint64_t index = index_of(stage, p), row = row_at(stage, s, p->offset);

    if (stage->maps != NULL) {
        args.map_arguments = arguments;
        args.map_argument_count = scan_maps_arguments(stage->maps, &index, arguments);
    }
    if (stage->segments != NULL) {
        args.segments.buffer = stage->segments->buffer;
        args.offset_count = stage->segments->offset_count;
        args.segment_sums = stage->segment_sums;
    }
    args.total = (clscan_memory){.buffer = stage->totals, .offset = stage->totals != NULL ? row : 0};
    if (stage->state_bytes > 0) {
        args.initial = initials_file_memory(stage->initials, row, stage->initial);
        args.first = p->in_row;
        args.state.buffer = p->begins_row && p->ends_row ? NULL : stage->carry;
        return clscan_run(stage->plan, stage->workspace, stage->where->queue, &args, wait_count, wait_list, ran, error);
    }
    if (p->begins_row) {
        args.initial = initials_file_memory(stage->initials, row, stage->initial);
    } else {
        args.initial.buffer = stage->carry;
        args.initial.offset = stage->carry_at;
    }
    if (!p->ends_row || stage->wants_total) {
        stage->carry_at = 1 - stage->carry_at;
        args.total.buffer = stage->carry;
        args.total.offset = stage->carry_at;
    } else if (stage->offsets) {
        args.total = (clscan_memory){.buffer = s->out, .offset = out_offset + p->count};
    }
    return clscan_run(stage->plan, stage->workspace, stage->where->queue, &args, wait_count, wait_list, ran, error);
}

clscan_status device_stage_run_none(device_stage *stage, clscan_error *error)
{
    static const piece none = {.begins_row = true, .ends_row = true};

    return run_piece(stage, &stage->slots[0], &none, 0, NULL, NULL, error);
}

/* Enqueue one run of all rows of a chunk. */
static clscan_status run_rows(device_stage *stage, const slot *s, cl_event *ran, clscan_error *error)
{
    const uint64_t row_count = stage->rows.row_count / stage->columns;
    const uint64_t out_pitch = (row_count + 1) * stage->columns; /* of offsets */
    clscan_rows rows = {.struct_size = sizeof rows,
                        .dimensions = 3,
                        .axis = 1,
                        .extents = {s->count / stage->rows.row_count, row_count, stage->columns},
                        .initial_pitch = stage->initials != NULL ? 1 : 0};
    const uint64_t first = row_at(stage, s, 0);
    clscan_memory arguments[SCAN_MAPS_ARGUMENTS];
    const uint64_t index = 0;
    clscan_run_args args = {.struct_size = sizeof args,
                            .in.buffer = s->in,
                            .out.buffer = s->out,
                            .initial = initials_file_memory(stage->initials, first, stage->initial),
                            .total = {.buffer = stage->totals, .offset = stage->totals != NULL ? first : 0},
                            .count = row_count,
                            .rows = &rows};

    if (stage->offsets) {
        const uint64_t strides[] = {out_pitch, stage->columns, 1};

        memcpy(rows.out_strides, strides, sizeof strides);
        memcpy(rows.total_strides, strides, sizeof strides);
        args.total = (clscan_memory){.buffer = s->out, .offset = row_count * stage->columns};
    }
    if (stage->maps != NULL) {
        args.map_arguments = arguments;
        args.map_argument_count = scan_maps_arguments(stage->maps, &index, arguments);
    }
    return clscan_run(stage->plan, stage->workspace, stage->where->queue, &args, stage->upload != NULL ? 1 : 0,
                      stage->upload != NULL ? &s->begun : NULL, ran, error);
}

/* Enqueue the runs of a chunk's segments: one that goes on from chunk to chunk is a scan of its own, with a carry. */
static clscan_status run_segments(device_stage *stage, const slot *s, cl_event *ran, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const uint64_t end = s->begin + s->count;
    segment_piece pieces[SEGMENT_PIECES];
    unsigned count;

    TRY(segment_heads_read(stage->heads, chunk_first_element(&stage->rows, s->begin, end), s->count, s->host_heads,
                           error));
    TRY_CL(clEnqueueWriteBuffer,
           (stage->where->queue, s->heads, CL_FALSE, 0, (size_t)s->count, s->host_heads, 0, NULL, NULL));
    count = segment_pieces(&stage->rows, s->begin, end, s->host_heads, stage->begins_behind, pieces);
    stage->begins_behind = s->host_heads[0] != 0;
    for (unsigned i = 0; i < count; ++i) {
        const cl_uint wait_count = i == 0 && stage->upload != NULL ? 1 : 0;
        const cl_event *wait_list = wait_count > 0 ? &s->begun : NULL;
        cl_event *event = i + 1 == count ? ran : NULL;

        if (pieces[i].whole)
            TRY(run_whole_segments(stage, s, &pieces[i].part, wait_count, wait_list, event, error));
        else
            TRY(run_piece(stage, s, &pieces[i].part, wait_count, wait_list, event, error));
    }

cleanup:
    return status;
}

/* Enqueue the runs of a chunk; `ran` receives the event of the last one. */
static clscan_status run_chunk(device_stage *stage, const slot *s, cl_event *ran, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const uint64_t end = s->begin + s->count;
    cl_event milestone = NULL;

    if (stage->batch)
        return run_rows(stage, s, ran, error);
    if (stage->heads != NULL)
        return run_segments(stage, s, ran, error);
    for (uint64_t position = s->begin; position < end;) {
        const piece p = piece_at(&stage->rows, s->begin, end, position);
        const bool is_last = position + p.count == end;
        const bool is_milestone = !is_last && ++stage->runs % RUNS_PER_MILESTONE == 0;
        /* The queue is in order: what the first run waits for, the others need not. */
        const cl_uint wait_count = position == s->begin && stage->upload != NULL ? 1 : 0;

        TRY(run_piece(stage, s, &p, wait_count, wait_count > 0 ? &s->begun : NULL,
                      is_last        ? ran
                      : is_milestone ? &milestone
                                     : NULL,
                      error));
        if (is_milestone)
            TRY(pace(stage, &milestone, error));
        position += p.count;
    }

cleanup:
    forget_event(&milestone);
    return status;
}

/* Hand the mapped memory over to the device, and back. */
static clscan_status submit_mapped(device_stage *stage, slot *s, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const cl_command_queue queue = stage->where->queue;
    const size_t size_bytes = results_bytes(stage, s);

    TRY_CL(clEnqueueUnmapMemObject, (queue, s->in, s->host_in, 0, NULL, &s->begun));
    s->host_in = NULL;
    if (!stage->cut.in_place && s->host_out != NULL)
        TRY_CL(clEnqueueUnmapMemObject, (queue, s->out, s->host_out, 0, NULL, NULL));
    s->host_out = NULL;
    TRY(run_chunk(stage, s, NULL, error));
    if (stage->cut.in_place) {
        TRY(map(queue, s->in, CL_FALSE, CL_MAP_READ | CL_MAP_WRITE, chunk_bytes(stage), &s->host_out, &s->done, error));
        s->host_in = s->host_out;
    } else {
        /* For the slot's next chunk. The queue is in order: it is mapped before this chunk is done. */
        if (stage->cut.slot_count > 1)
            TRY(map(queue, s->in, CL_FALSE, CL_MAP_WRITE, chunk_bytes(stage), &s->host_in, NULL, error));
        TRY(map(queue, s->out, CL_FALSE, CL_MAP_READ, size_bytes, &s->host_out, &s->done, error));
    }
    TRY_CL(clFlush, (queue));

cleanup:
    return status;
}

static clscan_status submit_copied(device_stage *stage, slot *s, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const size_t size_bytes = (size_t)s->count * stage->element_bytes;
    cl_event ran = NULL;

    TRY_CL(clEnqueueWriteBuffer, (stage->upload, s->in, CL_FALSE, 0, size_bytes, s->host_in, 0, NULL, &s->begun));
    TRY_CL(clFlush, (stage->upload));
    TRY(run_chunk(stage, s, &ran, error));
    TRY_CL(clFlush, (stage->where->queue));
    TRY_CL(clEnqueueReadBuffer,
           (stage->download, s->out, CL_FALSE, 0, results_bytes(stage, s), s->host_out, 1, &ran, &s->done));
    TRY_CL(clFlush, (stage->download));

cleanup:
    forget_event(&ran);
    return status;
}

clscan_status device_stage_submit(device_stage *stage, slot *s, clscan_error *error)
{
    return stage->unified ? submit_mapped(stage, s, error) : submit_copied(stage, s, error);
}

/* Chunks overlap on a device that copies while it computes; what one took is what it took longer than the others. */
static void count_busy_time(device_stage *stage, const slot *s)
{
    cl_ulong begin_ns;
    cl_ulong end_ns;

    if (clGetEventProfilingInfo(s->begun, CL_PROFILING_COMMAND_START, sizeof begin_ns, &begin_ns, NULL) != CL_SUCCESS ||
        clGetEventProfilingInfo(s->done, CL_PROFILING_COMMAND_END, sizeof end_ns, &end_ns, NULL) != CL_SUCCESS)
        return;
    if (begin_ns < stage->last_end_ns)
        begin_ns = stage->last_end_ns;
    if (end_ns <= begin_ns)
        return;
    stage->busy_seconds += (double)(end_ns - begin_ns) * 1e-9;
    stage->last_end_ns = end_ns;
}

clscan_status device_stage_wait(device_stage *stage, slot *s, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    TRY_CL(clWaitForEvents, (1, &s->done));
    count_busy_time(stage, s);
    forget_event(&s->begun);
    forget_event(&s->done);

cleanup:
    return status;
}

clscan_status device_stage_hand_over(device_stage *stage, slot *s, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (stage->unified) {
        if (s->host_in != NULL && s->host_in != s->host_out)
            TRY_CL(clEnqueueUnmapMemObject, (stage->where->queue, s->in, s->host_in, 0, NULL, NULL));
        TRY_CL(clEnqueueUnmapMemObject, (stage->where->queue, s->out, s->host_out, 0, NULL, NULL));
        TRY_CL(clFinish, (stage->where->queue));
        s->host_in = NULL;
        s->host_out = NULL;
    }

cleanup:
    return status;
}

clscan_status device_stage_finish(device_stage *stage, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (stage->upload != NULL)
        TRY_CL(clFinish, (stage->upload));
    TRY_CL(clFinish, (stage->where->queue));
    if (stage->download != NULL)
        TRY_CL(clFinish, (stage->download));

cleanup:
    return status;
}

clscan_status device_stage_total(device_stage *stage, void *total, size_t total_bytes, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    TRY_CL(clEnqueueReadBuffer, (stage->where->queue, stage->carry, CL_TRUE, stage->carry_at * total_bytes, total_bytes,
                                 total, 0, NULL, NULL));

cleanup:
    return status;
}

/* A driver may keep a buffer that is mapped, and its context, for ever. */
static void unmap(const device_stage *stage, cl_mem buffer, void *memory)
{
    if (memory != NULL)
        clEnqueueUnmapMemObject(stage->where->queue, buffer, memory, 0, NULL, NULL);
}

static void release_slot(const device_stage *stage, slot *s)
{
    unmap(stage, stage->unified ? s->in : s->staging, s->host_in);
    if (s->host_out != s->host_in)
        unmap(stage, s->out, s->host_out);
    forget_event(&s->begun);
    forget_event(&s->done);
    if (s->heads != NULL)
        clReleaseMemObject(s->heads);
    free(s->host_heads);
    if (s->staging != NULL)
        clReleaseMemObject(s->staging);
    if (s->out != NULL && s->out != s->in)
        clReleaseMemObject(s->out);
    if (s->in != NULL)
        clReleaseMemObject(s->in);
}

static void end(cl_command_queue queue)
{
    if (queue != NULL)
        clFinish(queue);
}

void device_stage_release(device_stage *stage)
{
    const cl_command_queue queue = stage->where != NULL ? stage->where->queue : NULL;

    end(stage->upload);
    end(queue);
    end(stage->download);
    for (unsigned i = 0; i < CHUNK_MAX_SLOTS; ++i)
        release_slot(stage, &stage->slots[i]);
    end(queue);
    forget_event(&stage->milestones[0]);
    forget_event(&stage->milestones[1]);
    clscan_workspace_destroy(stage->workspace);
    clscan_workspace_destroy(stage->segment_workspace);
    if (stage->carry != NULL)
        clReleaseMemObject(stage->carry);
    if (stage->upload != NULL)
        clReleaseCommandQueue(stage->upload);
    if (stage->download != NULL)
        clReleaseCommandQueue(stage->download);
    *stage = (device_stage){0};
}
