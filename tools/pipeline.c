#include "pipeline.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "byte_io.h"
#include "command_line/failure.h"
#include "common/clock.h"
#include "ring.h"

/* Chunk k uses slot k % slot_count. */
typedef struct pipeline {
    const pipeline_parts *parts;
    pipeline_times *times;                /* each thread has its own members */
    unsigned char *kept[CHUNK_MAX_SLOTS]; /* the input of each slot, for the check */
    ring turns;
    clscan_error outcome; /* after a failure: what the caller's thread met, and together with others what all say */
} pipeline;

static slot *slot_of(const pipeline *p, uint64_t chunk)
{
    device_stage *stage = p->parts->stage;

    return &stage->slots[chunk % stage->cut.slot_count];
}

/* Read the elements of a chunk; fewer where a stream ends. */
static clscan_status fill(pipeline *p, slot *s, unsigned char *kept, clscan_error *error)
{
    const size_t element_bytes = p->parts->stage->element_bytes;
    const size_t size_bytes = (size_t)s->count * element_bytes;
    size_t done_bytes = 0;

    while (done_bytes < size_bytes && !ring_has_failed(&p->turns)) {
        const size_t left_bytes = size_bytes - done_bytes;
        const size_t part_bytes = left_bytes < IO_BYTES ? left_bytes : IO_BYTES;
        size_t read_bytes;

        if (input_file_read(p->parts->in, s->first * element_bytes + done_bytes, (char *)s->host_in + done_bytes,
                            part_bytes, &read_bytes, error) != CLSCAN_OK)
            return error->status;
        done_bytes += read_bytes;
        progress_add(p->parts->progress, read_bytes, 0);
        if (read_bytes < part_bytes)
            break;
    }
    s->count = done_bytes / element_bytes;
    if (kept != NULL)
        memcpy(kept, s->host_in, done_bytes);
    return CLSCAN_OK;
}

/* Where the chunk lies that begins at `position`. False: there is none. */
static bool place(pipeline *p, uint64_t chunk, uint64_t position, uint64_t *first, uint64_t *count)
{
    const pipeline_parts *parts = p->parts;
    const device_stage *stage = parts->stage;
    uint64_t left;

    if (parts->together != NULL)
        return parts->together->place(parts->user, chunk, first, count);
    left = stage->rows.count == COUNT_UNKNOWN ? COUNT_UNKNOWN : stage->rows.count - position;
    *count = left < stage->cut.chunk_count ? left : stage->cut.chunk_count;
    *first = chunk_first_element(&stage->rows, position, position + *count);
    return *count > 0;
}

static void read_chunks(pipeline *p)
{
    const device_stage *stage = p->parts->stage;
    uint64_t position = 0, first, count;
    bool ended = false;
    clscan_error error;

    for (uint64_t chunk = 0; !ended && place(p, chunk, position, &first, &count); ++chunk) {
        slot *s = slot_of(p, chunk);
        double begin;

        if (!ring_wait_for_slot(&p->turns, chunk))
            return;
        begin = clscan__now_seconds();
        s->begin = position;
        s->count = count;
        s->first = first;
        if (fill(p, s, p->kept[chunk % stage->cut.slot_count], &error) != CLSCAN_OK) {
            ring_stop(&p->turns, &error);
            return;
        }
        p->times->read_seconds += clscan__now_seconds() - begin;
        position += s->count;
        ended = s->count < count;
        if (s->count > 0 || count == 0)
            ring_advance(&p->turns, &p->turns.read);
    }
    if (stage->rows.count != COUNT_UNKNOWN && input_file_expect_end(p->parts->in, &error) != CLSCAN_OK) {
        ring_stop(&p->turns, &error);
        return;
    }
    ring_end_input(&p->turns);
}

static clscan_status check_offsets(const pipeline *p, const slot *s, const unsigned char *kept, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const device_stage *stage = p->parts->stage;
    const uint64_t row_count = stage->rows.row_count, end = s->begin + s->count;
    offsets_checker *of = p->parts->offsets;

    if (stage->columns > 1)
        return offsets_check_matrices(of, kept, s->host_out, s->count / row_count, row_count / stage->columns,
                                      stage->columns, error);
    for (uint64_t position = s->begin; position < end;) {
        const piece one = piece_at(&stage->rows, s->begin, end, position);
        const unsigned char *got =
            (const unsigned char *)s->host_out + device_stage_chunk_outputs(stage, s, one.offset) * stage->output_bytes;

        TRY(offsets_check(of, kept != NULL ? kept + one.offset * stage->element_bytes : NULL, got, one.count, error));
        if (one.ends_row && stage->offsets)
            TRY(offsets_check_total(of, got + one.count * stage->output_bytes, error));
        position += one.count;
    }

cleanup:
    return status;
}

static clscan_status write_chunk(pipeline *p, const slot *s, clscan_error *error)
{
    const device_stage *stage = p->parts->stage;
    const size_t size_bytes = (size_t)device_stage_chunk_outputs(stage, s, s->count) * stage->output_bytes;
    const uint64_t first_bytes = device_stage_outputs(stage, s->first) * stage->output_bytes;

    for (size_t done_bytes = 0; done_bytes < size_bytes && !ring_has_failed(&p->turns);) {
        const size_t left_bytes = size_bytes - done_bytes;
        const size_t part_bytes = left_bytes < IO_BYTES ? left_bytes : IO_BYTES;

        if (result_file_write(p->parts->out, first_bytes + done_bytes, (const char *)s->host_out + done_bytes,
                              part_bytes, error) != CLSCAN_OK)
            return error->status;
        done_bytes += part_bytes;
        progress_add(p->parts->progress, 0, part_bytes);
    }
    return CLSCAN_OK;
}

/* The file of all results, of which those of the last elements come first in a reverse scan. */
static clscan_status open_result(const pipeline *p, const slot *first, clscan_error *error)
{
    const device_stage *stage = p->parts->stage;
    const bool in_order = !stage->rows.reverse || first->count == stage->rows.count;

    if (!in_order)
        p->parts->out->size_bytes = device_stage_outputs(stage, stage->rows.count) * stage->output_bytes;
    return result_file_open(p->parts->out, in_order, error);
}

/* Take a chunk from the device to the file. */
static clscan_status take_chunk(pipeline *p, uint64_t chunk, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    device_stage *stage = p->parts->stage;
    slot *s = slot_of(p, chunk);
    double begin;

    if (p->parts->scan == NULL)
        TRY(device_stage_wait(stage, s, error));
    /* Not before: an OpenCL compiler that crashes should not leave a file. */
    if (chunk == 0 && p->parts->together == NULL)
        TRY(open_result(p, s, error));
    begin = clscan__now_seconds();
    if (p->parts->check != NULL)
        TRY(check_chunk(p->parts->check, p->kept[chunk % stage->cut.slot_count], s->host_out, s->begin, s->count,
                        error));
    if (p->parts->offsets != NULL)
        TRY(check_offsets(p, s, p->kept[chunk % stage->cut.slot_count], error));
    p->times->check_seconds += clscan__now_seconds() - begin;
    begin = clscan__now_seconds();
    TRY(write_chunk(p, s, error));
    p->times->write_seconds += clscan__now_seconds() - begin;

cleanup:
    return status;
}

static void write_chunks(pipeline *p)
{
    clscan_error error;

    for (uint64_t chunk = 0; ring_wait_for_chunk(&p->turns, &p->turns.submitted, chunk); ++chunk) {
        if (take_chunk(p, chunk, &error) != CLSCAN_OK) {
            ring_stop(&p->turns, &error);
            return;
        }
        ++p->times->chunks;
        ring_advance(&p->turns, &p->turns.written);
    }
}

static clscan_status submit_chunk(pipeline *p, slot *s, clscan_error *error)
{
    const pipeline_parts *parts = p->parts;

    return parts->scan != NULL ? parts->scan(parts->user, s, error) : device_stage_submit(parts->stage, s, error);
}

/* What this process has met so far, or one of the others. */
static clscan_status agree(pipeline *p, clscan_error *error)
{
    const pipeline_parts *parts = p->parts;
    const clscan_status status = ring_status(&p->turns, error);

    return parts->together != NULL ? parts->together->agree(parts->user, status, error) : status;
}

static void stop(pipeline *p, const clscan_error *error)
{
    p->outcome = *error;
    ring_stop(&p->turns, error);
}

/* Feed the device until the input ends or something fails. Other processes are told of all that can fail: after the
 * last chunk this waits until it is written. */
static void submit_chunks(pipeline *p)
{
    clscan_error error;
    bool is_there = true;

    for (uint64_t chunk = 0; is_there; ++chunk) {
        is_there = ring_wait_for_chunk(&p->turns, &p->turns.read, chunk);
        if (!is_there && chunk > 0)
            ring_wait_for_chunk(&p->turns, &p->turns.written, chunk - 1);
        if (agree(p, &error) != CLSCAN_OK || (is_there && submit_chunk(p, slot_of(p, chunk), &error) != CLSCAN_OK)) {
            stop(p, &error);
            return;
        }
        if (is_there)
            ring_advance(&p->turns, &p->turns.submitted);
    }
}

static void *reader_main(void *argument)
{
    pipeline *p = argument;

    read_chunks(p);
    ring_leave(&p->turns);
    return NULL;
}

static void *writer_main(void *argument)
{
    pipeline *p = argument;

    write_chunks(p);
    ring_leave(&p->turns);
    return NULL;
}

static bool start(pipeline *p, pthread_t *thread, void *(*function)(void *))
{
    clscan_error error;

    ring_enter(&p->turns);
    if (pthread_create(thread, NULL, function, p) == 0)
        return true;
    fail(&error, CLSCAN_ERROR_OUT_OF_MEMORY, "no more threads can be started");
    ring_stop(&p->turns, &error);
    ring_leave(&p->turns);
    return false;
}

/* After a failure a thread may be waiting for the other end of a pipe, for ever perhaps. */
static void wait_for_threads(pipeline *p, const pthread_t *threads, unsigned count)
{
    while (ring_wait_for_end(&p->turns)) {
        for (unsigned i = 0; i < count; ++i)
            io_interrupt(threads[i]);
    }
    for (unsigned i = 0; i < count; ++i)
        pthread_join(threads[i], NULL);
}

static void work(pipeline *p)
{
    pthread_t threads[2];
    unsigned count = 0;

    io_allow_interrupts();
    if (start(p, &threads[count], reader_main))
        ++count;
    if (count == 1 && start(p, &threads[count], writer_main))
        ++count;
    submit_chunks(p);
    wait_for_threads(p, threads, count);
}

static clscan_status allocate_kept(pipeline *p, clscan_error *error)
{
    const device_stage *stage = p->parts->stage;
    const size_t chunk_bytes = (size_t)stage->cut.chunk_count * stage->element_bytes;

    const offsets_checker *offsets = p->parts->offsets;
    const bool is_needed = p->parts->check != NULL || (offsets != NULL && offsets_check_reads(offsets));

    for (unsigned i = 0; is_needed && i < stage->cut.slot_count; ++i) {
        p->kept[i] = malloc(chunk_bytes);
        if (p->kept[i] == NULL)
            return fail(error, CLSCAN_ERROR_OUT_OF_MEMORY, "no host memory to check chunks of %zu bytes", chunk_bytes);
    }
    return CLSCAN_OK;
}

clscan_status pipeline_run(const pipeline_parts *parts, pipeline_times *times, clscan_error *error)
{
    clscan_status status;
    clscan_error ignored;
    pipeline p = {.parts = parts, .times = times};

    *times = (pipeline_times){0};
    ring_begin(&p.turns, parts->stage->cut.slot_count);
    TRY(allocate_kept(&p, error));
    work(&p);
    if (p.turns.failed) {
        *error = parts->together != NULL ? p.outcome : p.turns.error;
        status = error->status;
        /* The memory is released next. */
        if (parts->scan == NULL)
            device_stage_finish(parts->stage, &ignored);
        goto cleanup;
    }
    if (times->chunks == 0 && parts->together == NULL)
        TRY(result_file_open(parts->out, true, error));
    times->device_seconds = parts->stage->busy_seconds;

cleanup:
    for (unsigned i = 0; i < CHUNK_MAX_SLOTS; ++i)
        free(p.kept[i]);
    ring_release(&p.turns);
    return status;
}
