#include "timing.h"

#include <inttypes.h>

#include "case.h"
#include "common/clock.h"
#include "device.h"
#include "rotation.h"

#define MAX_HOLDS 12 /* attempts to enqueue a run before the device is through with the hold */

static bool finish(const measure_case *c, measure_note *note)
{
    MEASURE_TRY(note, clFinish, (c->device->queue));
    return true;
}

static bool time_by_host(const measure_case *c, measure_contender *contender, uint64_t *nanoseconds)
{
    cl_event event = NULL;
    uint64_t begin;
    bool done;

    if (!finish(c, &contender->note))
        return false;
    begin = clscan__now_ns();
    done = contender->kind->enqueue(contender, c, &event) && finish(c, &contender->note);
    *nanoseconds = clscan__now_ns() - begin;
    if (event != NULL)
        clReleaseEvent(event);
    return done;
}

static bool profiling_time(cl_event event, cl_profiling_info which, uint64_t *value, measure_note *note)
{
    cl_ulong time = 0;

    MEASURE_TRY(note, clGetEventProfilingInfo, (event, which, sizeof time, &time, NULL));
    *value = time;
    return true;
}

/* Time between two profiling times that must be usable. */
static bool elapsed(cl_event from, cl_profiling_info from_which, cl_event to, uint64_t *nanoseconds, measure_note *note)
{
    uint64_t begin = 0, end = 0;

    if (!profiling_time(from, from_which, &begin, note) || !profiling_time(to, CL_PROFILING_COMMAND_END, &end, note))
        return false;
    if (begin == 0 || end <= begin)
        return measure_fail(note, "profiling times are %" PRIu64 " .. %" PRIu64 ": only the host's clock can be used",
                            begin, end);
    *nanoseconds = end - begin;
    return true;
}

static bool time_kernel(const measure_case *c, measure_contender *contender, uint64_t *nanoseconds)
{
    cl_event event = NULL;
    bool done = contender->kind->enqueue(contender, c, &event);

    if (done && event == NULL)
        done = measure_fail(&contender->note, "gave no event");
    if (done)
        done = finish(c, &contender->note) &&
               elapsed(event, CL_PROFILING_COMMAND_START, event, nanoseconds, &contender->note);
    if (event != NULL)
        clReleaseEvent(event);
    return done;
}

/* One attempt. *late tells that the hold had ended before everything was enqueued: then the time contains
 * waiting for the host. */
static bool time_behind_hold(const measure_case *c, measure_contender *contender, uint64_t *nanoseconds, bool *late)
{
    cl_event hold = NULL, last = NULL;
    cl_int state = CL_QUEUED;
    cl_int code = CL_SUCCESS;
    bool done =
        measure_device_hold(c->device, &hold, &contender->note) && contender->kind->enqueue(contender, c, &last);

    if (done && last == NULL)
        code = clEnqueueMarkerWithWaitList(c->device->queue, 0, NULL, &last);
    if (done && code == CL_SUCCESS)
        code = clGetEventInfo(hold, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    *late = state == CL_COMPLETE;
    if (done && code != CL_SUCCESS)
        done = measure_fail_opencl(&contender->note, "marker behind the run", code);
    if (done)
        done =
            finish(c, &contender->note) && elapsed(hold, CL_PROFILING_COMMAND_END, last, nanoseconds, &contender->note);
    if (last != NULL)
        clReleaseEvent(last);
    if (hold != NULL)
        clReleaseEvent(hold);
    return done;
}

/* Memory for a run: as it must be before it. */
static bool renew(measure_case *c, measure_contender *contender)
{
    if (c->rotation != NULL)
        return measure_rotation_next(c->rotation, c, &contender->note);
    if (!contender->kind->scans || !c->problem.in_place)
        return true;
    return measure_case_reset(c, &contender->note) && finish(c, &contender->note);
}

static bool time_queue(measure_case *c, measure_contender *contender, uint64_t *nanoseconds)
{
    for (int attempt = 0;; ++attempt) {
        bool late;

        if (!time_behind_hold(c, contender, nanoseconds, &late))
            return false;
        if (!late || contender->kind->may_block || attempt == MAX_HOLDS)
            return true;
        if (!measure_device_hold_longer(c->device))
            return true;
        if (!renew(c, contender))
            return false;
    }
}

static bool time_by(measure_clock clock, const measure_case *c, measure_contender *contender, uint64_t *nanoseconds)
{
    measure_case turn = *c;

    if (contender->kind->time != NULL)
        return contender->kind->time(contender, c, clock, nanoseconds);
    if (!renew(&turn, contender))
        return false;
    if (contender->kind->on_host)
        return measure_case_run_on_host(&turn, contender, nanoseconds);
    switch (clock) {
    case MEASURE_CLOCK_KERNEL:
        return time_kernel(&turn, contender, nanoseconds);
    case MEASURE_CLOCK_QUEUE:
        return time_queue(&turn, contender, nanoseconds);
    default:
        return time_by_host(&turn, contender, nanoseconds);
    }
}

bool measure_time(const measure_case *c, measure_contender *contender, uint64_t *nanoseconds)
{
    return time_by(contender->clock, c, contender, nanoseconds);
}

bool measure_time_by_host(const measure_case *c, measure_contender *contender, uint64_t *nanoseconds)
{
    return time_by(MEASURE_CLOCK_HOST, c, contender, nanoseconds);
}
