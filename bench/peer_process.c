#include "peer_process.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measure/case.h"
#include "measure/rotation.h"
#include "peer_place.h"

#define CHUNK_BYTES (UINT64_C(16) << 20)

/* An answer begins with a word; the rest of the line is its argument. */
static measure_outcome hear(bench_process *process, const char *wanted, char (*line)[BENCH_CHILD_LINE_BYTES],
                            const char **argument, measure_note *note)
{
    size_t length;

    if (!bench_child_line(&process->child, line, note))
        return MEASURE_FAILED;
    length = strcspn(*line, " ");
    *argument = (*line)[length] == ' ' ? *line + length + 1 : *line + length;
    (*line)[length] = '\0';
    if (strcmp(*line, wanted) == 0)
        return MEASURE_OK;
    measure_fail(note, "%s", (*argument)[0] != '\0' ? *argument : *line);
    return strcmp(*line, "unavailable") == 0 ? MEASURE_UNAVAILABLE : MEASURE_FAILED;
}

static void start(bench_process *process, const measure_device *device)
{
    char path[BENCH_PLACE_BYTES], line[BENCH_CHILD_LINE_BYTES];
    bench_address address;
    const char *about;

    process->tried = true;
    if (!bench_place_find(process->program, &path)) {
        measure_fail(&process->reason, "%s is not beside clscan-bench; %s", process->program, process->remedy);
        return;
    }
    bench_address_of(device, &address);
    char *const arguments[] = {path, address.platform, address.device, address.uuid, address.name, NULL};
    if (!bench_child_start(&process->child, arguments, &process->reason))
        return;
    if (hear(process, "peer", &line, &about, &process->reason) == MEASURE_OK)
        snprintf(process->about, sizeof process->about, "%s", about);
    else
        bench_child_stop(&process->child);
}

static bool is_loaded(const bench_process *process, const measure_case *c)
{
    const measure_problem *a = &process->problem;
    const measure_problem *b = &c->problem;

    return process->loaded && process->cold == (c->rotation != NULL) && a->type == b->type && a->op == b->op &&
           a->sample == b->sample && a->form == b->form && a->direction == b->direction && a->in_place == b->in_place &&
           a->count == b->count && a->rows.count == b->rows.count && a->rows.in_pitch == b->rows.in_pitch &&
           a->reduces == b->reduces && a->selects == b->selects && a->per_mille == b->per_mille &&
           a->cluster == b->cluster && a->segment_length == b->segment_length && a->power_law == b->power_law &&
           a->segments.by == b->segments.by;
}

static bool send(bench_process *process, const measure_case *c, cl_mem buffer, uint64_t all, measure_note *note)
{
    char *chunk = malloc(CHUNK_BYTES);
    bool done = chunk != NULL || measure_fail(note, "no host memory");

    for (uint64_t at = 0; done && at < all; at += CHUNK_BYTES) {
        const uint64_t left = all - at;
        const size_t bytes = (size_t)(left < CHUNK_BYTES ? left : CHUNK_BYTES);
        const cl_int code = clEnqueueReadBuffer(c->device->queue, buffer, CL_TRUE, at, bytes, chunk, 0, NULL, NULL);

        done = code == CL_SUCCESS ? bench_child_write(&process->child, chunk, bytes, note)
                                  : measure_fail_opencl(note, "clEnqueueReadBuffer", code);
    }
    free(chunk);
    if (!done) /* it waits for the rest */
        bench_child_stop(&process->child);
    return done;
}

/* Say what comes, send it, and hear that it has come. */
static measure_outcome tell(bench_process *process, const measure_case *c, const char *what, cl_mem buffer,
                            uint64_t bytes, measure_note *note)
{
    char line[BENCH_CHILD_LINE_BYTES];
    const char *argument;

    if (!bench_child_say(&process->child, note, "%s", what) || !send(process, c, buffer, bytes, note))
        return MEASURE_FAILED;
    return hear(process, "ready", &line, &argument, note);
}

static measure_outcome load(bench_process *process, const measure_case *c, measure_note *note)
{
    const measure_problem *problem = &c->problem;
    const uint64_t pairs = c->rotation != NULL ? measure_rotation_pairs(c->device, problem) : 1;
    const bool has_segments = problem->segment_length > 0;
    const uint64_t mark_bytes = has_segments ? c->segment_bytes : measure_flag_bytes(problem);
    char line[BENCH_CHILD_LINE_BYTES];
    const char *argument;
    measure_outcome outcome;

    if (!bench_child_say(&process->child, note,
                         "case %s %s %s %s %d %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %s %" PRIu64,
                         clscan_type_name(problem->type), measure_operator_name(problem), measure_form_name(problem),
                         problem->direction == CLSCAN_FORWARD ? "forward" : "reverse", problem->in_place,
                         problem->count, problem->bytes, pairs, measure_scan_count(problem), measure_pitch(problem),
                         has_segments ? clscan_segments_by_name(problem->segments.by) : "none", mark_bytes))
        return MEASURE_FAILED;
    outcome = hear(process, "ready", &line, &argument, note);
    if (outcome != MEASURE_OK)
        return outcome;
    snprintf(process->way, sizeof process->way, "%s%.200s", argument[0] != '\0' ? ", " : "", argument);
    if (mark_bytes > 0)
        outcome = tell(process, c, "marks", has_segments ? c->segments : c->flags, mark_bytes, note);
    if (outcome == MEASURE_OK)
        outcome = tell(process, c, "input", c->source, measure_input_span_bytes(problem), note);
    process->loaded = outcome == MEASURE_OK;
    process->cold = c->rotation != NULL;
    process->problem = *problem;
    return outcome;
}

measure_outcome bench_process_load(bench_process *process, const measure_case *c, measure_note *note)
{
    measure_outcome outcome;

    if (!process->tried)
        start(process, c->device);
    if (process->child.pid == 0) {
        measure_fail(note, "%s", process->reason.text[0] != '\0' ? process->reason.text : "its process has ended");
        return MEASURE_UNAVAILABLE;
    }
    if (is_loaded(process, c))
        outcome = MEASURE_OK;
    else
        outcome = load(process, c, note);
    if (outcome == MEASURE_OK)
        measure_fail(note, "%.700s%s", process->about, process->way);
    return outcome;
}

bool bench_process_begin(bench_process *process, const char *command, measure_clock clock, measure_note *note)
{
    return bench_child_say(&process->child, note, "%s %s", command, clock == MEASURE_CLOCK_HOST ? "host" : "events");
}

bool bench_process_end(bench_process *process, uint64_t *nanoseconds, measure_note *note)
{
    char line[BENCH_CHILD_LINE_BYTES];
    const char *argument;
    char *end;

    if (hear(process, "time", &line, &argument, note) != MEASURE_OK)
        return false;
    *nanoseconds = strtoull(argument, &end, 10);
    return end != argument || measure_fail(note, "its process told no time: %s", argument);
}

bool bench_process_fetch(bench_process *process, const measure_case *c, measure_note *note)
{
    const uint64_t all = measure_output_span_bytes(&c->problem);
    char *chunk = malloc(CHUNK_BYTES);
    char line[BENCH_CHILD_LINE_BYTES];
    const char *argument;
    bool done = chunk != NULL || measure_fail(note, "no host memory");

    done = done && bench_child_say(&process->child, note, "output") &&
           hear(process, "output", &line, &argument, note) == MEASURE_OK;
    if (done && strtoull(argument, NULL, 10) != all) {
        done = measure_fail(note, "made %s bytes, not %" PRIu64, argument, all);
        bench_child_stop(&process->child); /* it goes on with its bytes */
    }
    for (uint64_t at = 0; done && at < all; at += CHUNK_BYTES) {
        const uint64_t left = all - at;
        const size_t bytes = (size_t)(left < CHUNK_BYTES ? left : CHUNK_BYTES);

        if (!bench_child_read(&process->child, chunk, bytes, note)) {
            done = false;
        } else {
            const cl_int code =
                clEnqueueWriteBuffer(c->device->queue, c->target, CL_TRUE, at, bytes, chunk, 0, NULL, NULL);

            done = code == CL_SUCCESS || measure_fail_opencl(note, "clEnqueueWriteBuffer", code);
        }
    }
    free(chunk);
    return done;
}

void bench_process_unload(bench_process *process)
{
    char line[BENCH_CHILD_LINE_BYTES];
    const char *argument;
    measure_note ignored;

    if (process->loaded && bench_child_say(&process->child, &ignored, "end"))
        (void)hear(process, "ready", &line, &argument, &ignored);
    process->loaded = false;
}
