#include "groups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <clscan/devices.h>

#include "common/clock.h"
#include "measure/case.h"
#include "measure/statistics.h"
#include "members.h"

#define CHUNK_BYTES ((size_t)16 << 20)
/* Bytes behind the output of a part that a scan must leave alone. */
#define CANARY_BYTES 64
#define CANARY_BYTE 0xA5

/* Runs that are remembered; of more, the last ones. */
#define MOST_RUNS 256

typedef struct group_state {
    clscan_devices *group, *alone; /* the second of the first device, with its part */
    bool blocking;
    uint64_t call_ns[MOST_RUNS], alone_ns[MOST_RUNS];
    size_t runs;
    bench_members members;
    clscan_part parts[CLSCAN_MOST_DEVICES];
    clscan_rows rows[CLSCAN_MOST_DEVICES];
    uint64_t bytes[CLSCAN_MOST_DEVICES]; /* of a part */
} group_state;

/* From the memory of one device to that of another one, through the host. */
static bool move(cl_command_queue from_queue, cl_mem from, uint64_t from_at, cl_command_queue to_queue, cl_mem to,
                 uint64_t to_at, uint64_t bytes, measure_note *note)
{
    char *chunk = malloc(CHUNK_BYTES);
    cl_int code = CL_SUCCESS;

    if (chunk == NULL)
        return measure_fail(note, "no host memory");
    for (uint64_t at = 0; at < bytes && code == CL_SUCCESS; at += CHUNK_BYTES) {
        const size_t size = (size_t)(bytes - at < CHUNK_BYTES ? bytes - at : CHUNK_BYTES);

        code = clEnqueueReadBuffer(from_queue, from, CL_TRUE, from_at + at, size, chunk, 0, NULL, NULL);
        if (code == CL_SUCCESS)
            code = clEnqueueWriteBuffer(to_queue, to, CL_TRUE, to_at + at, size, chunk, 0, NULL, NULL);
    }
    free(chunk);
    return code == CL_SUCCESS || measure_fail_opencl(note, "a transfer between devices", code);
}

/* Give a part its memory, with what it has of the source. */
static bool open_part(group_state *state, size_t index, const measure_case *c, uint64_t first_byte, measure_note *note)
{
    const clscan_member *member = &state->members.all[index];
    clscan_part *part = &state->parts[index];
    const uint64_t bytes = state->bytes[index];
    unsigned char canary[CANARY_BYTES];
    cl_int code;

    if (bytes == 0)
        return true;
    memset(canary, CANARY_BYTE, sizeof canary);
    part->in.buffer = clCreateBuffer(member->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    if (code == CL_SUCCESS)
        part->out.buffer = clCreateBuffer(member->context, CL_MEM_READ_WRITE, bytes + CANARY_BYTES, NULL, &code);
    if (code != CL_SUCCESS)
        return measure_fail_opencl(note, "clCreateBuffer", code);
    MEASURE_TRY(note, clEnqueueWriteBuffer,
                (member->queue, part->out.buffer, CL_TRUE, bytes, sizeof canary, canary, 0, NULL, NULL));
    return move(c->device->queue, c->source, first_byte, member->queue, part->in.buffer, 0, bytes, note);
}

/* Cut the case into parts, as alike as can be. `largest` receives the elements, or rows, of the largest. */
static bool open_parts(group_state *state, const measure_case *c, uint64_t *largest, measure_note *note)
{
    const measure_problem *problem = &c->problem;
    const bool has_rows = problem->rows.count > 0;
    const uint64_t count = has_rows ? problem->rows.count : problem->count;
    const uint64_t unit_bytes = problem->bytes / count;
    uint64_t shares[CLSCAN_MOST_DEVICES], first_byte = 0;
    clscan_error error;

    if (clscan_devices_deal(count, NULL, state->members.count, shares, &error) != CLSCAN_OK)
        return measure_fail(note, "%s", error.message);
    for (size_t i = 0; i < state->members.count; ++i) {
        clscan_part *part = &state->parts[i];

        *part = (clscan_part){.struct_size = sizeof *part, .count = shares[i]};
        if (has_rows) {
            state->rows[i] = problem->rows;
            state->rows[i].count = shares[i];
            part->rows = &state->rows[i];
            part->count = measure_scan_count(problem);
        }
        state->bytes[i] = shares[i] * unit_bytes;
        if (!open_part(state, i, c, first_byte, note))
            return false;
        first_byte += state->bytes[i];
        *largest = shares[i] > *largest ? shares[i] : *largest;
    }
    return true;
}

static bool open_group(group_state *state, const measure_case *c, measure_note *note)
{
    measure_problem part = c->problem;
    clscan_problem problem;
    clscan_error error = {0};
    uint64_t largest = 0;

    if (!open_parts(state, c, &largest, note))
        return false;
    if (part.rows.count > 0)
        part.rows.count = largest;
    problem = measure_clscan_problem(&part);
    if (part.rows.count == 0)
        problem.max_count = largest;
    return (clscan_devices_create(state->members.all, state->members.count, &problem, NULL, &state->group, &error) ==
                CLSCAN_OK &&
            clscan_devices_create(state->members.all, 1, &problem, NULL, &state->alone, &error) == CLSCAN_OK) ||
           measure_fail(note, "%s", error.message);
}

static measure_outcome prepare_group(measure_contender *contender, const measure_case *c, bool blocking)
{
    measure_note *note = &contender->note;
    group_state *state;

    if (contender->request[0] == '\0') {
        measure_fail(note, "needs two devices of one platform, or --devices");
        return MEASURE_UNAVAILABLE;
    }
    if (!c->device->host_clock || c->rotation != NULL || c->problem.in_place) {
        measure_fail(note, "several devices are timed by the host's clock, with warm caches, and not in place");
        return MEASURE_UNAVAILABLE;
    }
    state = calloc(1, sizeof *state);
    contender->state = state;
    if (state == NULL) {
        measure_fail(note, "no host memory");
        return MEASURE_FAILED;
    }
    state->blocking = blocking;
    if (!bench_members_open(&state->members, c->device, contender->request, note) || !open_group(state, c, note))
        return MEASURE_FAILED;
    measure_fail(note, "devices %s", contender->request);
    return MEASURE_OK;
}

static measure_outcome prepare(measure_contender *contender, const measure_case *c)
{
    return prepare_group(contender, c, false);
}

static measure_outcome prepare_blocking(measure_contender *contender, const measure_case *c)
{
    return prepare_group(contender, c, true);
}

/* Until the last part is done, as one device is timed: by clFinish(). */
static bool time_once(const group_state *state, clscan_devices *group, size_t count, uint64_t *call_ns,
                      uint64_t *all_ns, measure_note *note)
{
    const clscan_devices_args args = {
        .struct_size = sizeof args, .parts = state->parts, .part_count = count, .blocking = state->blocking};
    const uint64_t begin = clscan__now_ns();
    cl_int code = CL_SUCCESS;
    clscan_error error;

    if (clscan_devices_run(group, &args, NULL, &error) != CLSCAN_OK)
        return measure_fail(note, "%s", error.message);
    *call_ns = clscan__now_ns() - begin;
    for (size_t i = 0; i < count; ++i) {
        const cl_int finished = clFinish(state->members.all[i].queue);

        code = code == CL_SUCCESS ? finished : code;
    }
    *all_ns = clscan__now_ns() - begin;
    return code == CL_SUCCESS || measure_fail_opencl(note, "clFinish", code);
}

/* A run before the timed one: the other devices had nothing to do while the first was measured. */
static bool time_run(measure_contender *contender, const measure_case *c, measure_clock clock, uint64_t *nanoseconds)
{
    group_state *state = contender->state;
    const size_t run = state->runs++ % MOST_RUNS;
    uint64_t ignored;

    (void)c;
    (void)clock;
    return time_once(state, state->group, state->members.count, &ignored, &ignored, &contender->note) &&
           time_once(state, state->group, state->members.count, &state->call_ns[run], nanoseconds, &contender->note) &&
           time_once(state, state->alone, 1, &ignored, &state->alone_ns[run], &contender->note);
}

/* What the medians say besides. Between two results that are fetched there are the timed runs, one in front of them
 * that warms up, and the last one's own. */
static void tell(measure_contender *contender)
{
    group_state *state = contender->state;
    const size_t runs = state->runs < MOST_RUNS ? state->runs : MOST_RUNS;

    state->runs = 0;
    if (runs > 2)
        measure_fail(&contender->note, "devices %s; the call takes %.1f us, the first part alone %.1f us",
                     contender->request, 1e-3 * measure_summarise(state->call_ns + 1, runs - 2).median,
                     1e-3 * measure_summarise(state->alone_ns + 1, runs - 2).median);
}

static bool check_canary(const group_state *state, size_t index, measure_note *note)
{
    unsigned char canary[CANARY_BYTES];

    MEASURE_TRY(note, clEnqueueReadBuffer,
                (state->members.all[index].queue, state->parts[index].out.buffer, CL_TRUE, state->bytes[index],
                 sizeof canary, canary, 0, NULL, NULL));
    for (size_t i = 0; i < sizeof canary; ++i) {
        if (canary[i] != CANARY_BYTE)
            return measure_fail(note, "byte %zu behind part %zu is not what it was", i, index);
    }
    return true;
}

static bool fetch(measure_contender *contender, const measure_case *c)
{
    const group_state *state = contender->state;
    uint64_t first_byte = 0;

    for (size_t i = 0; i < state->members.count; ++i) {
        if (state->bytes[i] > 0 && (!move(state->members.all[i].queue, state->parts[i].out.buffer, 0, c->device->queue,
                                          c->target, first_byte, state->bytes[i], &contender->note) ||
                                    !check_canary(state, i, &contender->note)))
            return false;
        first_byte += state->bytes[i];
    }
    tell(contender);
    return true;
}

static void release(measure_contender *contender)
{
    group_state *state = contender->state;

    if (state == NULL)
        return;
    clscan_devices_destroy(state->group);
    clscan_devices_destroy(state->alone);
    for (size_t i = 0; i < state->members.count; ++i) {
        if (state->parts[i].in.buffer != NULL)
            clReleaseMemObject(state->parts[i].in.buffer);
        if (state->parts[i].out.buffer != NULL)
            clReleaseMemObject(state->parts[i].out.buffer);
    }
    free(state);
}

const measure_kind bench_group_scan = {.name = "devices",
                                       .scans = true,
                                       .rows = true,
                                       .prepare = prepare,
                                       .time = time_run,
                                       .fetch = fetch,
                                       .release = release};

const measure_kind bench_group_blocking_scan = {.name = "devices, blocking",
                                                .scans = true,
                                                .prepare = prepare_blocking,
                                                .time = time_run,
                                                .fetch = fetch,
                                                .release = release};
