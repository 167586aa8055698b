#include "cub_groups.h"

#include <stdlib.h>

#include "group_parts.h"
#include "groups.h"
#include "peer_process.h"

/* A process works on one case, so each size of a group has its own. They stay for the next case: to start one takes
 * long. */
typedef struct worker {
    struct worker *next;
    cl_device_id device;
    size_t index, group_size;
    bench_process process;
} worker;

static worker *workers;

typedef struct cub_group {
    bench_parts parts;
    measure_device devices[CLSCAN_MOST_DEVICES];
    measure_case cases[CLSCAN_MOST_DEVICES];
    worker *workers[CLSCAN_MOST_DEVICES]; /* NULL: the device has no rows */
} cub_group;

static worker *find_worker(cl_device_id device, size_t index, size_t group_size)
{
    worker *found = workers;

    while (found != NULL && (found->device != device || found->index != index || found->group_size != group_size))
        found = found->next;
    if (found != NULL)
        return found;
    found = calloc(1, sizeof *found);
    if (found == NULL)
        return NULL;
    found->next = workers;
    found->device = device;
    found->index = index;
    found->group_size = group_size;
    found->process.program = BENCH_CUB_PROGRAM;
    found->process.remedy = BENCH_CUB_REMEDY;
    workers = found;
    return found;
}

/* The rows of a device as a case of its own, which is in its memory already. */
static measure_outcome load_part(cub_group *group, const measure_case *c, size_t index, measure_note *note)
{
    const clscan_member *member = &group->parts.members.all[index];
    measure_device *device = &group->devices[index];
    clscan_error error;

    *device = (measure_device){.id = member->device,
                               .info.struct_size = sizeof device->info,
                               .context = member->context,
                               .queue = member->queue};
    if (clscan_device_describe(member->device, &device->info, &error) != CLSCAN_OK) {
        measure_fail(note, "%s", error.message);
        return MEASURE_FAILED;
    }
    group->cases[index] = (measure_case){.device = device,
                                         .problem = bench_parts_problem(&group->parts, c, index),
                                         .source = group->parts.parts[index].in.buffer,
                                         .target = group->parts.parts[index].out.buffer};
    if (group->cases[index].problem.count == 0)
        return MEASURE_OK;
    group->workers[index] = find_worker(member->device, index, group->parts.members.count);
    if (group->workers[index] == NULL) {
        measure_fail(note, "no host memory");
        return MEASURE_FAILED;
    }
    return bench_process_load(&group->workers[index]->process, &group->cases[index], note);
}

static measure_outcome prepare(measure_contender *contender, const measure_case *c)
{
    measure_note *note = &contender->note, about = {{0}};
    cub_group *group;

    if (bench_group_obstacle(c, note) != MEASURE_OK)
        return MEASURE_UNAVAILABLE;
    group = calloc(1, sizeof *group);
    contender->state = group;
    if (group == NULL) {
        measure_fail(note, "no host memory");
        return MEASURE_FAILED;
    }
    if (!bench_parts_open(&group->parts, c, contender->request, 1, note))
        return MEASURE_FAILED;
    for (size_t i = 0; i < group->parts.members.count; ++i) {
        const measure_outcome outcome = load_part(group, c, i, &about);

        if (outcome != MEASURE_OK) {
            *note = about;
            return outcome;
        }
    }
    measure_fail(note, "devices %s; %.700s", contender->request, about.text);
    return MEASURE_OK;
}

/* A process whose answer nobody has heard is of no more use. */
static void stop_all(cub_group *group)
{
    for (size_t i = 0; i < group->parts.members.count; ++i) {
        if (group->workers[i] != NULL)
            bench_child_stop(&group->workers[i]->process.child);
    }
}

static bool run_all(cub_group *group, measure_clock clock, uint64_t *nanoseconds, measure_note *note)
{
    *nanoseconds = 0;
    for (size_t i = 0; i < group->parts.members.count; ++i) {
        if (group->workers[i] != NULL && !bench_process_begin(&group->workers[i]->process, "run", clock, note))
            return false;
    }
    for (size_t i = 0; i < group->parts.members.count; ++i) {
        uint64_t took = 0;

        if (group->workers[i] != NULL && !bench_process_end(&group->workers[i]->process, &took, note))
            return false;
        *nanoseconds = took > *nanoseconds ? took : *nanoseconds;
    }
    return true;
}

static bool time_run(measure_contender *contender, const measure_case *c, measure_clock clock, uint64_t *nanoseconds)
{
    (void)c;
    if (run_all(contender->state, clock, nanoseconds, &contender->note))
        return true;
    stop_all(contender->state);
    return false;
}

static bool fetch(measure_contender *contender, const measure_case *c)
{
    cub_group *group = contender->state;

    for (size_t i = 0; i < group->parts.members.count; ++i) {
        if (group->workers[i] != NULL &&
            !bench_process_fetch(&group->workers[i]->process, &group->cases[i], &contender->note))
            return false;
    }
    return bench_parts_gather(&group->parts, c, &contender->note);
}

static void release(measure_contender *contender)
{
    cub_group *group = contender->state;

    if (group == NULL)
        return;
    for (size_t i = 0; i < group->parts.members.count; ++i) {
        if (group->workers[i] != NULL)
            bench_process_unload(&group->workers[i]->process);
    }
    bench_parts_release(&group->parts);
    free(group);
}

const measure_kind bench_cub_group_scan = {.name = "cub on each device",
                                           .scans = true,
                                           .rows = true,
                                           .prepare = prepare,
                                           .time = time_run,
                                           .fetch = fetch,
                                           .release = release};

void bench_cub_groups_close(void)
{
    while (workers != NULL) {
        worker *next = workers->next;

        bench_child_stop(&workers->process.child);
        free(workers);
        workers = next;
    }
}
