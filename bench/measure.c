#include "measure.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "case.h"
#include "clock.h"
#include "device.h"
#include "statistics.h"

#define MAX_HOLDS 12 /* attempts to enqueue a run before the device is through with the hold */

static bool finish(const bench_case *c, bench_note *note)
{
    BENCH_TRY(note, clFinish, (c->device->queue));
    return true;
}

static bool time_by_host(const bench_case *c, bench_contender *contender, uint64_t *nanoseconds)
{
    cl_event event = NULL;
    uint64_t begin;
    bool done;

    if (!finish(c, &contender->note))
        return false;
    begin = bench_now();
    done = contender->kind->enqueue(contender, c, &event) && finish(c, &contender->note);
    *nanoseconds = bench_now() - begin;
    if (event != NULL)
        clReleaseEvent(event);
    return done;
}

static bool profiling_time(cl_event event, cl_profiling_info which, uint64_t *value, bench_note *note)
{
    cl_ulong time = 0;

    BENCH_TRY(note, clGetEventProfilingInfo, (event, which, sizeof time, &time, NULL));
    *value = time;
    return true;
}

/* Time between two profiling times that must be usable. */
static bool elapsed(cl_event from, cl_profiling_info from_which, cl_event to, uint64_t *nanoseconds, bench_note *note)
{
    uint64_t begin = 0, end = 0;

    if (!profiling_time(from, from_which, &begin, note) || !profiling_time(to, CL_PROFILING_COMMAND_END, &end, note))
        return false;
    if (begin == 0 || end <= begin)
        return bench_fail(note, "profiling times are %" PRIu64 " .. %" PRIu64 "; try --clock host", begin, end);
    *nanoseconds = end - begin;
    return true;
}

static bool time_kernel(const bench_case *c, bench_contender *contender, uint64_t *nanoseconds)
{
    cl_event event = NULL;
    bool done = contender->kind->enqueue(contender, c, &event);

    if (done && event == NULL)
        done = bench_fail(&contender->note, "gave no event");
    if (done)
        done = finish(c, &contender->note) &&
               elapsed(event, CL_PROFILING_COMMAND_START, event, nanoseconds, &contender->note);
    if (event != NULL)
        clReleaseEvent(event);
    return done;
}

/* One attempt. *late tells that the hold had ended before everything was enqueued: then the time contains
 * waiting for the host. */
static bool time_behind_hold(const bench_case *c, bench_contender *contender, uint64_t *nanoseconds, bool *late)
{
    cl_event hold = NULL, last = NULL;
    cl_int state = CL_QUEUED;
    cl_int code = CL_SUCCESS;
    bool done = bench_device_hold(c->device, &hold, &contender->note) && contender->kind->enqueue(contender, c, &last);

    if (done && last == NULL)
        code = clEnqueueMarkerWithWaitList(c->device->queue, 0, NULL, &last);
    if (done && code == CL_SUCCESS)
        code = clGetEventInfo(hold, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    *late = state == CL_COMPLETE;
    if (done && code != CL_SUCCESS)
        done = bench_fail_opencl(&contender->note, "marker behind the run", code);
    if (done)
        done =
            finish(c, &contender->note) && elapsed(hold, CL_PROFILING_COMMAND_END, last, nanoseconds, &contender->note);
    if (last != NULL)
        clReleaseEvent(last);
    if (hold != NULL)
        clReleaseEvent(hold);
    return done;
}

static bool reset(const bench_case *c, bench_contender *contender)
{
    if (!contender->kind->scans || !c->problem.in_place)
        return true;
    return bench_case_reset(c, &contender->note) && finish(c, &contender->note);
}

static bool time_queue(const bench_case *c, bench_contender *contender, uint64_t *nanoseconds)
{
    for (int attempt = 0;; ++attempt) {
        bool late;

        if (!time_behind_hold(c, contender, nanoseconds, &late))
            return false;
        if (!late || contender->kind->may_block || attempt == MAX_HOLDS)
            return true;
        if (!bench_device_hold_longer(c->device))
            return true;
        if (!reset(c, contender))
            return false;
    }
}

static bool time_once(const bench_case *c, bench_contender *contender, uint64_t *nanoseconds)
{
    if (!reset(c, contender))
        return false;
    if (contender->kind->on_host)
        return bench_case_run_on_host(c, contender, nanoseconds);
    switch (contender->clock) {
    case BENCH_CLOCK_KERNEL:
        return time_kernel(c, contender, nanoseconds);
    case BENCH_CLOCK_QUEUE:
        return time_queue(c, contender, nanoseconds);
    default:
        return time_by_host(c, contender, nanoseconds);
    }
}

void bench_prepare(const bench_case *c, bench_contender *contender)
{
    const bench_kind *kind = contender->kind;

    if (kind->missing != NULL) {
        bench_fail(&contender->note, "%s", kind->missing);
        contender->outcome = BENCH_UNAVAILABLE;
        return;
    }
    contender->outcome = kind->prepare == NULL ? BENCH_OK : kind->prepare(contender, c);
    if (c->device->host_clock || kind->on_host)
        contender->clock = BENCH_CLOCK_HOST;
    else
        contender->clock = contender->one_command ? BENCH_CLOCK_KERNEL : BENCH_CLOCK_QUEUE;
}

static void time_all(const bench_case *c, bench_contender *contenders, size_t count, size_t runs)
{
    /* Round 0 warms up and is not kept. Each round begins with another contender, so that nobody always runs
     * behind the same neighbour. */
    for (size_t round = 0; round <= runs; ++round) {
        for (size_t i = 0; i < count; ++i) {
            bench_contender *contender = &contenders[(i + round) % count];
            uint64_t nanoseconds = 0;

            if (contender->outcome != BENCH_OK)
                continue;
            if (!time_once(c, contender, &nanoseconds))
                contender->outcome = BENCH_FAILED;
            else if (round > 0)
                contender->nanoseconds[round - 1] = nanoseconds;
        }
    }
}

void bench_measure(const bench_case *c, bench_contender *contenders, size_t count, size_t runs)
{
    for (size_t i = 0; i < count; ++i) {
        bench_prepare(c, &contenders[i]);
        contenders[i].nanoseconds = calloc(runs, sizeof *contenders[i].nanoseconds);
        if (contenders[i].nanoseconds == NULL) {
            bench_fail(&contenders[i].note, "no host memory");
            contenders[i].outcome = BENCH_FAILED;
        }
        if (contenders[i].outcome == BENCH_OK)
            bench_case_validate(c, &contenders[i]);
    }
    time_all(c, contenders, count, runs);
    for (size_t i = 0; i < count; ++i) {
        if (contenders[i].outcome == BENCH_OK)
            bench_case_validate(c, &contenders[i]);
        if (contenders[i].outcome == BENCH_OK)
            contenders[i].statistics = bench_summarise(contenders[i].nanoseconds, runs);
    }
}

void bench_release(bench_contender *contenders, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        if (contenders[i].kind->release != NULL)
            contenders[i].kind->release(&contenders[i]);
        contenders[i].state = NULL;
        free(contenders[i].nanoseconds);
        contenders[i].nanoseconds = NULL;
    }
}

const bench_contender *bench_fastest_copy(const bench_contender *contenders, size_t count)
{
    const bench_contender *best = NULL;

    for (size_t i = 0; i < count; ++i) {
        const bench_contender *contender = &contenders[i];

        if (contender->kind->copies && contender->outcome == BENCH_OK &&
            (best == NULL || contender->statistics.median < best->statistics.median))
            best = contender;
    }
    return best;
}
