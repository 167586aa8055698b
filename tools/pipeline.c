#include "pipeline.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "byte_io.h"
#include "failure.h"
#include "measure.h"

#define NS_PER_S 1000000000L
#define INTERRUPT_EVERY_NS 10000000L

/* Chunk k uses slot k % slot_count. The counters tell how far the threads are; all but `parts` is under the lock, or
 * belongs to the thread that has the chunk. */
typedef struct pipeline {
    const pipeline_parts *parts;
    pipeline_times *times;
    unsigned char *kept[CHUNK_MAX_SLOTS]; /* the input of each slot, for the check */

    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t read;      /* chunks */
    uint64_t submitted; /* chunks */
    uint64_t written;   /* chunks */
    bool input_ended;   /* no chunk comes after `read` */
    unsigned running;   /* threads */
    bool failed;
    clscan_error error; /* the first one */
} pipeline;

static slot *slot_of(const pipeline *p, uint64_t chunk)
{
    device_stage *stage = p->parts->stage;

    return &stage->slots[chunk % stage->cut.slot_count];
}

static void stop(pipeline *p, const clscan_error *error)
{
    pthread_mutex_lock(&p->lock);
    if (!p->failed)
        p->error = *error;
    p->failed = true;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

static bool has_failed(pipeline *p)
{
    bool failed;

    pthread_mutex_lock(&p->lock);
    failed = p->failed;
    pthread_mutex_unlock(&p->lock);
    return failed;
}

/* A thread has done one chunk more. */
static void advance(pipeline *p, uint64_t *counter)
{
    pthread_mutex_lock(&p->lock);
    ++*counter;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

static void end_input(pipeline *p)
{
    pthread_mutex_lock(&p->lock);
    p->input_ended = true;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

/* Wait until the slot of `chunk` is free. Returns false if something failed. */
static bool wait_for_slot(pipeline *p, uint64_t chunk)
{
    bool go_on;

    pthread_mutex_lock(&p->lock);
    while (!p->failed && chunk >= p->written + p->parts->stage->cut.slot_count)
        pthread_cond_wait(&p->changed, &p->lock);
    go_on = !p->failed;
    pthread_mutex_unlock(&p->lock);
    return go_on;
}

/* Wait until `counter` has passed `chunk`. Returns false if it never will. */
static bool wait_for_chunk(pipeline *p, const uint64_t *counter, uint64_t chunk)
{
    bool go_on;

    pthread_mutex_lock(&p->lock);
    while (!p->failed && *counter <= chunk && !(p->input_ended && p->read <= chunk))
        pthread_cond_wait(&p->changed, &p->lock);
    go_on = !p->failed && *counter > chunk;
    pthread_mutex_unlock(&p->lock);
    return go_on;
}

/* Read the elements of a chunk; fewer where a stream ends. */
static clscan_status fill(pipeline *p, slot *s, unsigned char *kept, clscan_error *error)
{
    const size_t element_bytes = p->parts->stage->element_bytes;
    const size_t size_bytes = (size_t)s->count * element_bytes;
    const uint64_t first = chunk_first_element(&p->parts->stage->rows, s->begin, s->begin + s->count);
    size_t done_bytes = 0;

    while (done_bytes < size_bytes && !has_failed(p)) {
        const size_t left_bytes = size_bytes - done_bytes;
        const size_t part_bytes = left_bytes < IO_BYTES ? left_bytes : IO_BYTES;
        size_t read_bytes;

        if (input_file_read(p->parts->in, first * element_bytes + done_bytes, (char *)s->host_in + done_bytes,
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

static void read_chunks(pipeline *p)
{
    const device_stage *stage = p->parts->stage;
    uint64_t left = stage->rows.count;
    uint64_t position = 0;
    clscan_error error;

    for (uint64_t chunk = 0; left > 0; ++chunk) {
        const uint64_t wanted = left < stage->cut.chunk_count ? left : stage->cut.chunk_count;
        slot *s = slot_of(p, chunk);
        double begin;

        if (!wait_for_slot(p, chunk))
            return;
        begin = now_seconds();
        s->begin = position;
        s->count = wanted;
        if (fill(p, s, p->kept[chunk % stage->cut.slot_count], &error) != CLSCAN_OK) {
            stop(p, &error);
            return;
        }
        p->times->read_seconds += now_seconds() - begin;
        position += s->count;
        left = s->count < wanted ? 0 : left == COUNT_UNKNOWN ? left : left - wanted;
        if (s->count > 0)
            advance(p, &p->read);
    }
    if (stage->rows.count != COUNT_UNKNOWN && input_file_expect_end(p->parts->in, &error) != CLSCAN_OK) {
        stop(p, &error);
        return;
    }
    end_input(p);
}

static clscan_status check_chunk(pipeline *p, const slot *s, const unsigned char *kept, clscan_error *error)
{
    const device_stage *stage = p->parts->stage;
    const uint64_t end = s->begin + s->count;
    const uint64_t first = chunk_first_element(&stage->rows, s->begin, end);

    for (uint64_t position = s->begin; position < end;) {
        const piece one = piece_at(&stage->rows, s->begin, end, position);
        const uint64_t at_bytes = one.offset * stage->element_bytes;

        if (one.begins_row)
            check_begin(p->parts->check);
        if (check_piece(p->parts->check, kept + at_bytes, (const unsigned char *)s->host_out + at_bytes,
                        first + one.offset, one.count, error) != CLSCAN_OK)
            return error->status;
        position += one.count;
    }
    return CLSCAN_OK;
}

static clscan_status write_chunk(pipeline *p, const slot *s, clscan_error *error)
{
    const size_t element_bytes = p->parts->stage->element_bytes;
    const size_t size_bytes = (size_t)s->count * element_bytes;
    const uint64_t first = chunk_first_element(&p->parts->stage->rows, s->begin, s->begin + s->count);

    for (size_t done_bytes = 0; done_bytes < size_bytes && !has_failed(p);) {
        const size_t left_bytes = size_bytes - done_bytes;
        const size_t part_bytes = left_bytes < IO_BYTES ? left_bytes : IO_BYTES;

        if (result_file_write(p->parts->out, first * element_bytes + done_bytes, (const char *)s->host_out + done_bytes,
                              part_bytes, error) != CLSCAN_OK)
            return error->status;
        done_bytes += part_bytes;
        progress_add(p->parts->progress, 0, part_bytes);
    }
    return CLSCAN_OK;
}

/* Take a chunk from the device to the file. */
static clscan_status take_chunk(pipeline *p, uint64_t chunk, clscan_error *error)
{
    clscan_status status;
    device_stage *stage = p->parts->stage;
    slot *s = slot_of(p, chunk);
    double begin;

    TRY(device_stage_wait(stage, s, error));
    /* Not before: an OpenCL compiler that crashes should not leave a file. */
    if (chunk == 0)
        TRY(result_file_open(p->parts->out, !stage->rows.reverse || s->count == stage->rows.count, error));
    begin = now_seconds();
    if (p->parts->check != NULL)
        TRY(check_chunk(p, s, p->kept[chunk % stage->cut.slot_count], error));
    p->times->check_seconds += now_seconds() - begin;
    begin = now_seconds();
    TRY(write_chunk(p, s, error));
    p->times->write_seconds += now_seconds() - begin;

cleanup:
    return status;
}

static void write_chunks(pipeline *p)
{
    clscan_error error;

    for (uint64_t chunk = 0; wait_for_chunk(p, &p->submitted, chunk); ++chunk) {
        if (take_chunk(p, chunk, &error) != CLSCAN_OK) {
            stop(p, &error);
            return;
        }
        ++p->times->chunks;
        advance(p, &p->written);
    }
}

/* Feed the device until the input ends or something fails. */
static void submit_chunks(pipeline *p)
{
    clscan_error error;

    for (uint64_t chunk = 0; wait_for_chunk(p, &p->read, chunk); ++chunk) {
        if (device_stage_submit(p->parts->stage, slot_of(p, chunk), &error) != CLSCAN_OK) {
            stop(p, &error);
            return;
        }
        advance(p, &p->submitted);
    }
}

static void end_thread(pipeline *p)
{
    pthread_mutex_lock(&p->lock);
    --p->running;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

static void *reader_main(void *argument)
{
    read_chunks(argument);
    end_thread(argument);
    return NULL;
}

static void *writer_main(void *argument)
{
    write_chunks(argument);
    end_thread(argument);
    return NULL;
}

static bool start(pipeline *p, pthread_t *thread, void *(*function)(void *))
{
    clscan_error error;

    pthread_mutex_lock(&p->lock);
    ++p->running;
    pthread_mutex_unlock(&p->lock);
    if (pthread_create(thread, NULL, function, p) == 0)
        return true;
    fail(&error, CLSCAN_ERROR_OUT_OF_MEMORY, "no more threads can be started");
    stop(p, &error);
    end_thread(p);
    return false;
}

/* Wait until the threads have ended. After a failure, one of them may be waiting for the other end of a pipe, for ever
 * perhaps. */
static void wait_for_threads(pipeline *p, const pthread_t *threads, unsigned count)
{
    pthread_mutex_lock(&p->lock);
    while (p->running > 0 && !p->failed)
        pthread_cond_wait(&p->changed, &p->lock);
    while (p->running > 0) {
        struct timespec until;

        for (unsigned i = 0; i < count; ++i)
            io_interrupt(threads[i]);
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += INTERRUPT_EVERY_NS;
        if (until.tv_nsec >= NS_PER_S) {
            until.tv_nsec -= NS_PER_S;
            ++until.tv_sec;
        }
        pthread_cond_timedwait(&p->changed, &p->lock, &until);
    }
    pthread_mutex_unlock(&p->lock);
    for (unsigned i = 0; i < count; ++i)
        pthread_join(threads[i], NULL);
}

static void work(pipeline *p)
{
    pthread_t threads[2];
    unsigned count = 0;

    if (start(p, &threads[count], reader_main))
        ++count;
    if (count == 1 && start(p, &threads[count], writer_main))
        ++count;
    if (count == 2)
        submit_chunks(p);
    wait_for_threads(p, threads, count);
}

static clscan_status allocate_kept(pipeline *p, clscan_error *error)
{
    const device_stage *stage = p->parts->stage;
    const size_t chunk_bytes = (size_t)stage->cut.chunk_count * stage->element_bytes;

    for (unsigned i = 0; p->parts->check != NULL && i < stage->cut.slot_count; ++i) {
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
    pthread_mutex_init(&p.lock, NULL);
    pthread_cond_init(&p.changed, NULL);
    TRY(allocate_kept(&p, error));
    work(&p);
    if (p.failed) {
        *error = p.error;
        status = error->status;
        /* The memory is released next. */
        device_stage_finish(parts->stage, &ignored);
        goto cleanup;
    }
    if (times->chunks == 0)
        TRY(result_file_open(parts->out, true, error));
    times->device_seconds = parts->stage->busy_seconds;

cleanup:
    for (unsigned i = 0; i < CHUNK_MAX_SLOTS; ++i)
        free(p.kept[i]);
    pthread_cond_destroy(&p.changed);
    pthread_mutex_destroy(&p.lock);
    return status;
}
