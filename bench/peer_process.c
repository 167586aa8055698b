/* Peers that live in processes of their own, so that clscan-bench needs nothing of theirs. What is said over the pipes
 * stands in docs/benchmarking.md. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "measure/case.h"
#include "measure/rotation.h"
#include "peer_place.h"
#include "peers.h"

#define CHUNK_BYTES (UINT64_C(16) << 20)

typedef struct peer_process {
    const char *program;
    const char *remedy; /* what to do where the program is not there */
    bool tried;
    measure_note reason; /* why it does not run */
    char about[BENCH_CHILD_LINE_BYTES];
    bench_child child;
    bool loaded; /* it has the case of `problem` */
    bool cold;
    measure_problem problem;
} peer_process;

static peer_process cub = {.program = "clscan-peer-cub", .remedy = "scripts/build-cub-peer builds it"};
static peer_process pyopencl = {.program = "clscan-peer-pyopencl", .remedy = "the build puts it there"};

/* An answer begins with a word; the rest of the line is its argument. */
static measure_outcome hear(peer_process *peer, const char *wanted, char (*line)[BENCH_CHILD_LINE_BYTES],
                            const char **argument, measure_note *note)
{
    size_t length;

    if (!bench_child_line(&peer->child, line, note))
        return MEASURE_FAILED;
    length = strcspn(*line, " ");
    *argument = (*line)[length] == ' ' ? *line + length + 1 : *line + length;
    (*line)[length] = '\0';
    if (strcmp(*line, wanted) == 0)
        return MEASURE_OK;
    measure_fail(note, "%s", (*argument)[0] != '\0' ? *argument : *line);
    return strcmp(*line, "unavailable") == 0 ? MEASURE_UNAVAILABLE : MEASURE_FAILED;
}

static void start(peer_process *peer, const measure_device *device)
{
    char path[BENCH_PLACE_BYTES], line[BENCH_CHILD_LINE_BYTES];
    bench_address address;
    const char *about;

    peer->tried = true;
    if (!bench_place_find(peer->program, &path)) {
        measure_fail(&peer->reason, "%s is not beside clscan-bench; %s", peer->program, peer->remedy);
        return;
    }
    bench_address_of(device, &address);
    char *const arguments[] = {path, address.platform, address.device, address.uuid, address.name, NULL};
    if (!bench_child_start(&peer->child, arguments, &peer->reason))
        return;
    if (hear(peer, "peer", &line, &about, &peer->reason) == MEASURE_OK)
        snprintf(peer->about, sizeof peer->about, "%s", about);
    else
        bench_child_stop(&peer->child);
}

static bool is_loaded(const peer_process *peer, const measure_case *c)
{
    const measure_problem *a = &peer->problem;
    const measure_problem *b = &c->problem;

    return peer->loaded && peer->cold == (c->rotation != NULL) && a->type == b->type && a->op == b->op &&
           a->sample == b->sample && a->form == b->form && a->direction == b->direction && a->in_place == b->in_place &&
           a->count == b->count && a->rows.count == b->rows.count && a->reduces == b->reduces &&
           a->selects == b->selects && a->per_mille == b->per_mille && a->cluster == b->cluster &&
           a->segment_length == b->segment_length && a->segments.by == b->segments.by;
}

static bool send(peer_process *peer, const measure_case *c, cl_mem buffer, uint64_t all, measure_note *note)
{
    char *chunk = malloc(CHUNK_BYTES);
    bool done = chunk != NULL || measure_fail(note, "no host memory");

    for (uint64_t at = 0; done && at < all; at += CHUNK_BYTES) {
        const uint64_t left = all - at;
        const size_t bytes = (size_t)(left < CHUNK_BYTES ? left : CHUNK_BYTES);
        const cl_int code = clEnqueueReadBuffer(c->device->queue, buffer, CL_TRUE, at, bytes, chunk, 0, NULL, NULL);

        done = code == CL_SUCCESS ? bench_child_write(&peer->child, chunk, bytes, note)
                                  : measure_fail_opencl(note, "clEnqueueReadBuffer", code);
    }
    free(chunk);
    if (!done) /* it waits for the rest */
        bench_child_stop(&peer->child);
    return done;
}

/* Say what comes, send it, and hear that it has come. */
static measure_outcome tell(peer_process *peer, const measure_case *c, const char *what, cl_mem buffer, uint64_t bytes,
                            measure_note *note)
{
    char line[BENCH_CHILD_LINE_BYTES];
    const char *argument;

    if (!bench_child_say(&peer->child, note, "%s", what) || !send(peer, c, buffer, bytes, note))
        return MEASURE_FAILED;
    return hear(peer, "ready", &line, &argument, note);
}

static measure_outcome load(peer_process *peer, const measure_case *c, measure_note *note)
{
    const measure_problem *problem = &c->problem;
    const uint64_t pairs = c->rotation != NULL ? measure_rotation_pairs(c->device, problem) : 1;
    const bool has_segments = problem->segment_length > 0;
    const uint64_t mark_bytes = has_segments ? c->segment_bytes : measure_flag_bytes(problem);
    char line[BENCH_CHILD_LINE_BYTES];
    const char *argument;
    measure_outcome outcome;

    if (!bench_child_say(&peer->child, note,
                         "case %s %s %s %s %d %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %s %" PRIu64,
                         clscan_type_name(problem->type), measure_operator_name(problem), measure_form_name(problem),
                         problem->direction == CLSCAN_FORWARD ? "forward" : "reverse", problem->in_place,
                         problem->count, problem->bytes, pairs, measure_scan_count(problem),
                         has_segments ? clscan_segments_by_name(problem->segments.by) : "none", mark_bytes))
        return MEASURE_FAILED;
    outcome = hear(peer, "ready", &line, &argument, note);
    if (outcome != MEASURE_OK)
        return outcome;
    if (mark_bytes > 0)
        outcome = tell(peer, c, "marks", has_segments ? c->segments : c->flags, mark_bytes, note);
    if (outcome == MEASURE_OK)
        outcome = tell(peer, c, "input", c->source, problem->bytes, note);
    peer->loaded = outcome == MEASURE_OK;
    peer->cold = c->rotation != NULL;
    peer->problem = *problem;
    return outcome;
}

static measure_outcome prepare(peer_process *peer, measure_contender *contender, const measure_case *c)
{
    measure_outcome outcome;

    contender->state = peer;
    if (!peer->tried)
        start(peer, c->device);
    if (peer->child.pid == 0) {
        measure_fail(&contender->note, "%s",
                     peer->reason.text[0] != '\0' ? peer->reason.text : "its process has ended");
        return MEASURE_UNAVAILABLE;
    }
    if (is_loaded(peer, c))
        outcome = MEASURE_OK;
    else
        outcome = load(peer, c, &contender->note);
    if (outcome == MEASURE_OK)
        measure_fail(&contender->note, "%s", peer->about);
    return outcome;
}

static bool time_command(const char *command, measure_contender *contender, measure_clock clock, uint64_t *nanoseconds)
{
    peer_process *peer = contender->state;
    char line[BENCH_CHILD_LINE_BYTES];
    const char *argument;
    char *end;

    if (!bench_child_say(&peer->child, &contender->note, "%s %s", command,
                         clock == MEASURE_CLOCK_HOST ? "host" : "events") ||
        hear(peer, "time", &line, &argument, &contender->note) != MEASURE_OK)
        return false;
    *nanoseconds = strtoull(argument, &end, 10);
    return end != argument || measure_fail(&contender->note, "its process told no time: %s", argument);
}

static bool time_scan(measure_contender *contender, const measure_case *c, measure_clock clock, uint64_t *nanoseconds)
{
    (void)c;
    return time_command("run", contender, clock, nanoseconds);
}

static bool time_copy(measure_contender *contender, const measure_case *c, measure_clock clock, uint64_t *nanoseconds)
{
    (void)c;
    return time_command("copy", contender, clock, nanoseconds);
}

/* What the last run has made goes into the case's target. */
static bool fetch(measure_contender *contender, const measure_case *c)
{
    peer_process *peer = contender->state;
    measure_note *note = &contender->note;
    const uint64_t all = measure_output_bytes(&c->problem);
    char *chunk = malloc(CHUNK_BYTES);
    char line[BENCH_CHILD_LINE_BYTES];
    const char *argument;
    bool done = chunk != NULL || measure_fail(note, "no host memory");

    done = done && bench_child_say(&peer->child, note, "output") &&
           hear(peer, "output", &line, &argument, note) == MEASURE_OK;
    if (done && strtoull(argument, NULL, 10) != all) {
        done = measure_fail(note, "made %s bytes, not %" PRIu64, argument, all);
        bench_child_stop(&peer->child); /* it goes on with its bytes */
    }
    for (uint64_t at = 0; done && at < all; at += CHUNK_BYTES) {
        const uint64_t left = all - at;
        const size_t bytes = (size_t)(left < CHUNK_BYTES ? left : CHUNK_BYTES);

        if (!bench_child_read(&peer->child, chunk, bytes, note)) {
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

/* The first of the contenders of a process lets it free its memory. */
static void release(measure_contender *contender)
{
    peer_process *peer = contender->state;
    char line[BENCH_CHILD_LINE_BYTES];
    const char *argument;
    measure_note ignored;

    if (peer != NULL && peer->loaded && bench_child_say(&peer->child, &ignored, "end"))
        (void)hear(peer, "ready", &line, &argument, &ignored);
    if (peer != NULL)
        peer->loaded = false;
}

static measure_outcome prepare_cub(measure_contender *contender, const measure_case *c)
{
    return prepare(&cub, contender, c);
}

static measure_outcome prepare_pyopencl(measure_contender *contender, const measure_case *c)
{
    return prepare(&pyopencl, contender, c);
}

const measure_kind bench_peer_cub = {.name = "cub",
                                     .scans = true,
                                     .rows = true,
                                     .reduces = true,
                                     .segments = true,
                                     .selects = true,
                                     .prepare = prepare_cub,
                                     .time = time_scan,
                                     .fetch = fetch,
                                     .release = release};
const measure_kind bench_peer_cub_copy = {
    .name = "cub copy", .prepare = prepare_cub, .time = time_copy, .release = release};
const measure_kind bench_peer_pyopencl = {.name = "pyopencl",
                                          .scans = true,
                                          .prepare = prepare_pyopencl,
                                          .time = time_scan,
                                          .fetch = fetch,
                                          .release = release};

void bench_peers_close(void)
{
    bench_child_stop(&cub.child);
    bench_child_stop(&pyopencl.child);
}
