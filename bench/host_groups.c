#include "host_groups.h"

#include <stdlib.h>

#include "common/clock.h"
#include "members.h"

/* Of the array on its way: long beside what a command costs. */
#define PIECE_BYTES ((uint64_t)64 << 20)

/* A device's part of the link's work. */
typedef struct link_end {
    cl_command_queue up, down;
    cl_mem in, out;       /* a piece each */
    uint64_t begin, size; /* bytes of the array */
} link_end;

typedef struct host_state {
    bench_members members;
    clscan_devices *group; /* NULL: links only */
    link_end ends[CLSCAN_MOST_DEVICES];
    bool pinned;
    cl_mem memory[2]; /* pinned; mapped where `in` and `out` are there */
    void *in, *out;
} host_state;

static bool map(const clscan_member *owner, uint64_t bytes, cl_mem *memory, void **at, measure_note *note)
{
    cl_int code;

    *memory = clCreateBuffer(owner->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, (size_t)bytes, NULL, &code);
    if (code != CL_SUCCESS) {
        *memory = NULL;
        return measure_fail_opencl(note, "clCreateBuffer", code);
    }
    *at = clEnqueueMapBuffer(owner->queue, *memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, (size_t)bytes, 0, NULL,
                             NULL, &code);
    return code == CL_SUCCESS || measure_fail_opencl(note, "clEnqueueMapBuffer", code);
}

/* Host memory with the case's elements, and memory for the outputs. */
static bool open_memory(host_state *state, const measure_case *c, measure_note *note)
{
    const clscan_member *owner = &state->members.all[0];
    const uint64_t bytes = c->problem.bytes;

    if (state->pinned) {
        if (!map(owner, bytes, &state->memory[0], &state->in, note) ||
            !map(owner, bytes, &state->memory[1], &state->out, note))
            return false;
    } else {
        state->in = malloc((size_t)bytes);
        state->out = calloc(1, (size_t)bytes);
        if (state->in == NULL || state->out == NULL)
            return measure_fail(note, "no host memory");
    }
    MEASURE_TRY(note, clEnqueueReadBuffer,
                (c->device->queue, c->source, CL_TRUE, 0, (size_t)bytes, state->in, 0, NULL, NULL));
    return true;
}

static bool open_group(host_state *state, const measure_case *c, measure_note *note)
{
    const clscan_problem problem = measure_clscan_problem(&c->problem);
    clscan_error error;

    return clscan_devices_create(state->members.all, state->members.count, &problem, NULL, &state->group, &error) ==
               CLSCAN_OK ||
           measure_fail(note, "%s", error.message);
}

static bool open_end(host_state *state, size_t index, uint64_t begin, uint64_t size, measure_note *note)
{
    const clscan_member *member = &state->members.all[index];
    link_end *end = &state->ends[index];
    cl_int codes[4];

    *end = (link_end){.begin = begin, .size = size};
    end->up = clCreateCommandQueue(member->context, member->device, 0, &codes[0]);
    end->down = clCreateCommandQueue(member->context, member->device, 0, &codes[1]);
    end->in = clCreateBuffer(member->context, CL_MEM_READ_WRITE, (size_t)PIECE_BYTES, NULL, &codes[2]);
    end->out = clCreateBuffer(member->context, CL_MEM_READ_WRITE, (size_t)PIECE_BYTES, NULL, &codes[3]);
    for (size_t i = 0; i < 4; ++i)
        if (codes[i] != CL_SUCCESS)
            return measure_fail_opencl(note, "a queue or a buffer for the link", codes[i]);
    return true;
}

static bool open_ends(host_state *state, const measure_case *c, measure_note *note)
{
    const size_t count = state->members.count;
    const uint64_t share = c->problem.bytes / count;

    for (size_t i = 0; i < count; ++i)
        if (!open_end(state, i, i * share, i + 1 == count ? c->problem.bytes - i * share : share, note))
            return false;
    return true;
}

static measure_outcome prepare(measure_contender *contender, const measure_case *c, bool pinned, bool scans)
{
    measure_note *note = &contender->note;
    host_state *state;

    if (!c->device->host_clock || c->rotation != NULL || c->problem.in_place || c->problem.rows.count > 0) {
        measure_fail(note, "host memory is timed by the host's clock, with warm caches, not in place and not by rows");
        return MEASURE_UNAVAILABLE;
    }
    state = calloc(1, sizeof *state);
    contender->state = state;
    if (state == NULL) {
        measure_fail(note, "no host memory");
        return MEASURE_FAILED;
    }
    state->pinned = pinned;
    if (!bench_members_open(&state->members, c->device, contender->request, note) || !open_memory(state, c, note) ||
        !(scans ? open_group(state, c, note) : open_ends(state, c, note)))
        return MEASURE_FAILED;
    measure_fail(note, "devices %s", contender->request);
    return MEASURE_OK;
}

static measure_outcome prepare_host(measure_contender *contender, const measure_case *c)
{
    return prepare(contender, c, false, true);
}

static measure_outcome prepare_pinned(measure_contender *contender, const measure_case *c)
{
    return prepare(contender, c, true, true);
}

static measure_outcome prepare_link(measure_contender *contender, const measure_case *c)
{
    return prepare(contender, c, true, false);
}

static bool time_scan(measure_contender *contender, const measure_case *c, measure_clock clock, uint64_t *nanoseconds)
{
    const host_state *state = contender->state;
    const clscan_host_args args = {.struct_size = sizeof args,
                                   .in = state->in,
                                   .out = state->out,
                                   .count = c->problem.count,
                                   .staging = state->pinned ? 2 : 0};
    const uint64_t begin = clscan__now_ns();
    clscan_error error;

    (void)clock;
    if (clscan_devices_scan_host(state->group, &args, &error) != CLSCAN_OK)
        return measure_fail(&contender->note, "%s", error.message);
    *nanoseconds = clscan__now_ns() - begin;
    return true;
}

/* Piece by piece, as a scan's rounds go; nobody reads what arrives. */
static bool move(const host_state *state, const link_end *end, measure_note *note)
{
    for (uint64_t done = 0; done < end->size; done += PIECE_BYTES) {
        const size_t size = (size_t)(end->size - done < PIECE_BYTES ? end->size - done : PIECE_BYTES);
        const uint64_t at = end->begin + done;

        MEASURE_TRY(note, clEnqueueWriteBuffer,
                    (end->up, end->in, CL_FALSE, 0, size, (const char *)state->in + at, 0, NULL, NULL));
        MEASURE_TRY(note, clEnqueueReadBuffer,
                    (end->down, end->out, CL_FALSE, 0, size, (char *)state->out + at, 0, NULL, NULL));
    }
    MEASURE_TRY(note, clFlush, (end->up));
    MEASURE_TRY(note, clFlush, (end->down));
    return true;
}

static bool time_link(measure_contender *contender, const measure_case *c, measure_clock clock, uint64_t *nanoseconds)
{
    const host_state *state = contender->state;
    const uint64_t begin = clscan__now_ns();

    (void)c;
    (void)clock;
    for (size_t i = 0; i < state->members.count; ++i)
        if (!move(state, &state->ends[i], &contender->note))
            return false;
    for (size_t i = 0; i < state->members.count; ++i) {
        MEASURE_TRY(&contender->note, clFinish, (state->ends[i].up));
        MEASURE_TRY(&contender->note, clFinish, (state->ends[i].down));
    }
    *nanoseconds = clscan__now_ns() - begin;
    return true;
}

static bool fetch(measure_contender *contender, const measure_case *c)
{
    const host_state *state = contender->state;

    MEASURE_TRY(&contender->note, clEnqueueWriteBuffer,
                (c->device->queue, c->target, CL_TRUE, 0, (size_t)c->problem.bytes, state->out, 0, NULL, NULL));
    return true;
}

/* Wait for what a failure left on the way. */
static void close_queue(cl_command_queue queue)
{
    if (queue == NULL)
        return;
    clFinish(queue);
    clReleaseCommandQueue(queue);
}

static void close_end(const link_end *end)
{
    close_queue(end->up);
    close_queue(end->down);
    if (end->in != NULL)
        clReleaseMemObject(end->in);
    if (end->out != NULL)
        clReleaseMemObject(end->out);
}

/* A driver may keep a buffer that is mapped for ever. */
static void unmap(const clscan_member *owner, cl_mem memory, void *at)
{
    if (at != NULL)
        clEnqueueUnmapMemObject(owner->queue, memory, at, 0, NULL, NULL);
    clFinish(owner->queue);
    clReleaseMemObject(memory);
}

static void release(measure_contender *contender)
{
    host_state *state = contender->state;

    if (state == NULL)
        return;
    clscan_devices_destroy(state->group);
    for (size_t i = 0; i < state->members.count; ++i)
        close_end(&state->ends[i]);
    if (!state->pinned) {
        free(state->in);
        free(state->out);
    }
    if (state->memory[0] != NULL)
        unmap(&state->members.all[0], state->memory[0], state->in);
    if (state->memory[1] != NULL)
        unmap(&state->members.all[0], state->memory[1], state->out);
    free(state);
}

const measure_kind bench_host_scan = {.name = "host memory",
                                      .scans = true,
                                      .prepare = prepare_host,
                                      .time = time_scan,
                                      .fetch = fetch,
                                      .release = release};

const measure_kind bench_pinned_scan = {.name = "pinned memory",
                                        .scans = true,
                                        .prepare = prepare_pinned,
                                        .time = time_scan,
                                        .fetch = fetch,
                                        .release = release};

const measure_kind bench_host_link = {.name = "link", .prepare = prepare_link, .time = time_link, .release = release};
