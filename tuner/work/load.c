#include "work/load.h"

#include <string.h>

#include "measure/case.h"
#include "measure/contenders.h"
#include "work/candidate.h"

#define RACE_RUNS 5

/* Fewer elements than this are not worth a load of their own. */
#define LEAST_COUNT (UINT64_C(1) << 22)

bool tune_load_has(const tune_load *load, const tune_target *target, uint64_t count)
{
    return tune_target_load_serves(&load->target, measure_scan_count(&load->all.problem), target, count);
}

void tune_load_release(tune_load *load)
{
    if (load->expected != NULL)
        clReleaseMemObject(load->expected);
    measure_case_destroy(&load->all);
    *load = (tune_load){0};
}

measure_case tune_load_case(const tune_load *load, uint64_t count)
{
    return measure_case_prefix(&load->all, tune_target_elements(&load->target, count));
}

static measure_problem problem_of(const tune_target *target, uint64_t count)
{
    return tune_target_measured(target, tune_target_sample(target), count);
}

/* The device compares outputs, after every run when soaking. */
static bool upload_expected(tune_load *load, measure_note *note)
{
    const measure_case *all = &load->all;
    const uint64_t bytes = measure_buffer_bytes(&all->problem);
    cl_int code;

    if (!all->device_compares)
        return false; /* the note says why */
    load->expected = clCreateBuffer(all->device->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    if (code != CL_SUCCESS)
        return measure_fail_opencl(note, "clCreateBuffer", code);
    MEASURE_TRY(note, clEnqueueWriteBuffer,
                (all->device->queue, load->expected, CL_TRUE, 0, bytes, all->expected, 0, NULL, NULL));
    return true;
}

static bool make(tune_load *load, measure_device *device, const tune_target *target, uint64_t count, measure_note *note)
{
    measure_problem problem;
    const char *obstacle;

    tune_load_release(load);
    load->target = *target; /* which the problem points into */
    problem =
        problem_of(&load->target, tune_target_load_serves(target, LEAST_COUNT, target, count) ? LEAST_COUNT : count);
    obstacle = measure_case_obstacle(&device->info, &problem, 1, note);
    if (obstacle != NULL) {
        problem = problem_of(&load->target, count);
        obstacle = measure_case_obstacle(&device->info, &problem, 1, note);
    }
    if (obstacle != NULL)
        return obstacle == note->text ? false : measure_fail(note, "%s", obstacle);
    if (!measure_case_create(device, &problem, &load->all, note))
        return false;
    if (!upload_expected(load, note)) {
        tune_load_release(load);
        return false;
    }
    return true;
}

static unsigned logarithm(uint64_t value)
{
    unsigned result = 0;

    while (value >>= 1)
        ++result;
    return result;
}

const measure_kind *tune_load_copy(tune_load *load, const measure_case *c, measure_note *note)
{
    const measure_kind **known = &load->copies[logarithm(c->problem.bytes)];
    const measure_kind *kinds[MEASURE_MAX_YARDSTICKS];
    measure_contender racers[MEASURE_MAX_YARDSTICKS];
    const size_t count = measure_yardsticks(c->device, false, kinds);
    const measure_contender *fastest;

    if (*known != NULL)
        return *known;
    memset(racers, 0, sizeof racers);
    for (size_t i = 0; i < count; ++i)
        racers[i].kind = kinds[i];
    measure_contenders(c, racers, count, RACE_RUNS);
    fastest = measure_fastest_copy(racers, count);
    if (fastest != NULL)
        *known = fastest->kind;
    else
        measure_fail(note, "no copy could be timed: %.200s", racers[0].note.text);
    measure_release(racers, count);
    return *known;
}

bool tune_load_ensure(tune_load *load, measure_device *device, const tune_target *target, uint64_t count,
                      measure_note *note)
{
    measure_case c;

    if (!tune_load_has(load, target, count) && !make(load, device, target, count, note))
        return false;
    c = tune_load_case(load, count);
    return tune_load_copy(load, &c, note) != NULL;
}
