#include "groups.h"

#include <stdint.h>
#include <stdlib.h>

#include <clscan/devices.h>

#include "common/clock.h"
#include "group_parts.h"
#include "measure/statistics.h"

/* Runs that are remembered; of more, the last ones. */
#define MOST_RUNS 256

typedef struct group_state {
    bench_parts parts;
    clscan_devices *groups[CLSCAN_MOST_DEVICES]; /* of those that share rows, or of all */
    clscan_devices *alone;                       /* of the first device, with its part */
    size_t group_count;
    bool blocking;
    uint64_t call_ns[MOST_RUNS], alone_ns[MOST_RUNS];
    size_t runs;
} group_state;

/* `split`: devices share rows. */
static bool open_groups(group_state *state, const measure_case *c, bool split, measure_note *note)
{
    const bench_parts *parts = &state->parts;
    const measure_problem part = bench_parts_problem(parts, c, SIZE_MAX);
    const size_t size = split ? parts->sharing : parts->members.count;
    clscan_problem problem = measure_clscan_problem(&part);
    clscan_error error = {0};

    problem.max_count = parts->largest.count;
    for (size_t first = 0; first < parts->members.count; first += size) {
        const clscan_member *members = &parts->members.all[first];
        clscan_devices **group = &state->groups[state->group_count++];
        const clscan_status status = split ? clscan_devices_create_split(members, size, &problem, NULL, group, &error)
                                           : clscan_devices_create(members, size, &problem, NULL, group, &error);

        if (status != CLSCAN_OK)
            return measure_fail(note, "%s", error.message);
    }
    return clscan_devices_create(parts->members.all, 1, &problem, NULL, &state->alone, &error) == CLSCAN_OK ||
           measure_fail(note, "%s", error.message);
}

measure_outcome bench_group_obstacle(const measure_case *c, measure_note *note)
{
    if (c->device->host_clock && c->rotation == NULL && !c->problem.in_place)
        return MEASURE_OK;
    measure_fail(note, "several devices are timed by the host's clock, with warm caches, and not in place");
    return MEASURE_UNAVAILABLE;
}

/* `sharing`: devices that share each row, or the one scan. */
static measure_outcome prepare_groups(measure_contender *contender, const measure_case *c, size_t sharing,
                                      bool blocking)
{
    const bool split = c->problem.rows.count > 0 && sharing > 1;
    measure_note *note = &contender->note;
    group_state *state;

    if (bench_group_obstacle(c, note) != MEASURE_OK)
        return MEASURE_UNAVAILABLE;
    state = calloc(1, sizeof *state);
    contender->state = state;
    if (state == NULL) {
        measure_fail(note, "no host memory");
        return MEASURE_FAILED;
    }
    state->blocking = blocking;
    if (!bench_parts_open(&state->parts, c, contender->request, sharing, note) || !open_groups(state, c, split, note))
        return MEASURE_FAILED;
    measure_fail(note, "devices %s", contender->request);
    return MEASURE_OK;
}

/* Rows are dealt to devices; one scan goes through all. */
static size_t sharing_of(const measure_contender *contender, const measure_case *c)
{
    return c->problem.rows.count > 0 ? 1 : bench_group_size(contender->request);
}

static measure_outcome prepare(measure_contender *contender, const measure_case *c)
{
    return prepare_groups(contender, c, sharing_of(contender, c), false);
}

static measure_outcome prepare_blocking(measure_contender *contender, const measure_case *c)
{
    return prepare_groups(contender, c, sharing_of(contender, c), true);
}

static measure_outcome prepare_split(measure_contender *contender, const measure_case *c)
{
    return prepare_groups(contender, c, bench_group_sharing(contender->request), false);
}

static measure_outcome prepare_split_blocking(measure_contender *contender, const measure_case *c)
{
    return prepare_groups(contender, c, bench_group_sharing(contender->request), true);
}

/* Until the last part is done, as one device is timed: by clFinish(). The groups share the devices among them. */
static bool time_once(const group_state *state, clscan_devices *const *groups, size_t group_count, size_t device_count,
                      uint64_t *call_ns, uint64_t *all_ns, measure_note *note)
{
    const size_t size = device_count / group_count;
    clscan_devices_args args = {.struct_size = sizeof args, .part_count = size, .blocking = state->blocking};
    const uint64_t begin = clscan__now_ns();
    cl_int code = CL_SUCCESS;
    clscan_error error;

    for (size_t i = 0; i < group_count; ++i) {
        args.parts = &state->parts.parts[i * size];
        if (clscan_devices_run(groups[i], &args, NULL, &error) != CLSCAN_OK)
            return measure_fail(note, "%s", error.message);
    }
    *call_ns = clscan__now_ns() - begin;
    for (size_t i = 0; i < device_count; ++i) {
        const cl_int finished = clFinish(state->parts.members.all[i].queue);

        code = code == CL_SUCCESS ? finished : code;
    }
    *all_ns = clscan__now_ns() - begin;
    return code == CL_SUCCESS || measure_fail_opencl(note, "clFinish", code);
}

static bool time_all(const group_state *state, uint64_t *call_ns, uint64_t *all_ns, measure_note *note)
{
    return time_once(state, state->groups, state->group_count, state->parts.members.count, call_ns, all_ns, note);
}

/* A run before the timed one: the other devices had nothing to do while the first was measured. */
static bool time_run(measure_contender *contender, const measure_case *c, measure_clock clock, uint64_t *nanoseconds)
{
    group_state *state = contender->state;
    const size_t run = state->runs++ % MOST_RUNS;
    uint64_t ignored;

    (void)c;
    (void)clock;
    return time_all(state, &ignored, &ignored, &contender->note) &&
           time_all(state, &state->call_ns[run], nanoseconds, &contender->note) &&
           time_once(state, &state->alone, 1, 1, &ignored, &state->alone_ns[run], &contender->note);
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

static bool fetch(measure_contender *contender, const measure_case *c)
{
    const group_state *state = contender->state;

    if (!bench_parts_gather(&state->parts, c, &contender->note))
        return false;
    tell(contender);
    return true;
}

static void release(measure_contender *contender)
{
    group_state *state = contender->state;

    if (state == NULL)
        return;
    for (size_t i = 0; i < state->group_count; ++i)
        clscan_devices_destroy(state->groups[i]);
    clscan_devices_destroy(state->alone);
    bench_parts_release(&state->parts);
    free(state);
}

static measure_outcome find_none(measure_contender *contender, const measure_case *c)
{
    (void)c;
    measure_fail(&contender->note, "needs %s devices of one platform, or --devices", contender->request);
    return MEASURE_UNAVAILABLE;
}

const measure_kind bench_group_missing = {.name = "devices", .scans = true, .rows = true, .prepare = find_none};

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

const measure_kind bench_group_split_scan = {.name = "devices, split",
                                             .scans = true,
                                             .rows = true,
                                             .prepare = prepare_split,
                                             .time = time_run,
                                             .fetch = fetch,
                                             .release = release};

const measure_kind bench_group_split_blocking_scan = {.name = "devices, split, blocking",
                                                      .scans = true,
                                                      .rows = true,
                                                      .prepare = prepare_split_blocking,
                                                      .time = time_run,
                                                      .fetch = fetch,
                                                      .release = release};
