#include "worker.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "lane.h"

int soak_is_over(const soak_settings *settings, soak_shared *shared)
{
    return (settings->deadline_ns > 0 && clscan__now_ns() >= settings->deadline_ns) ||
           (settings->runs > 0 && shared->runs >= settings->runs) || shared->failures >= settings->most_failures;
}

void soak_report(const soak_settings *settings, soak_shared *shared, uint64_t plan_number, const char *what)
{
    ++shared->failures;
    printf("FAILED  %s\nrepeat: scripts/soak%s%s%s --seed %" PRIu64 " --runs-per-plan %" PRIu64 " --plan %" PRIu64 "\n",
           what, settings->device != NULL ? " --device '" : "", settings->device != NULL ? settings->device : "",
           settings->device != NULL ? "'" : "", settings->seed, settings->runs_per_plan, plan_number);
    fflush(stdout);
}

static void *run_lane(void *lane)
{
    soak_run_lane(lane);
    return NULL;
}

/* The plan's lanes: the first one in this thread. */
static void run_lanes(soak_lane *lanes, unsigned count)
{
    pthread_t threads[SOAK_LANES_MAX];
    unsigned started = 1;

    while (started < count && pthread_create(&threads[started], NULL, run_lane, &lanes[started]) == 0)
        ++started;
    soak_run_lane(&lanes[0]);
    for (unsigned i = 1; i < started; ++i)
        pthread_join(threads[i], NULL);
}

static void say_plan(const soak_lane *lane, uint64_t number)
{
    char text[SOAK_TEXT_BYTES];

    soak_describe(lane, NULL, text, sizeof text);
    printf("plan %" PRIu64 ": %s\n", number, text);
    fflush(stdout);
}

/* Gives the plan back, for the next one to share its programs. */
static clscan_plan *run_plan(const soak_settings *settings, soak_shared *shared, soak_slot *slot, cl_context context,
                             cl_device_id device, const clscan_device_info *info, uint64_t number)
{
    soak_plan drawn;
    soak_lane lanes[SOAK_LANES_MAX] = {0};
    clscan_plan *plan = NULL;
    clscan_error error = {0};

    soak_draw_plan(info, settings->seed, number, &drawn);
    for (unsigned i = 0; i < drawn.lanes; ++i)
        lanes[i] = (soak_lane){.settings = settings,
                               .shared = shared,
                               .slot = slot,
                               .drawn = &drawn,
                               .plan_number = number,
                               .number = i,
                               .fixture = {.context = context,
                                           .device = device,
                                           .problem = &drawn.problem,
                                           .sample = drawn.sample,
                                           .variant = drawn.options.variant},
                               .runs = soak_runs(&drawn, settings->runs_per_plan)};
    if (settings->only_plan)
        say_plan(&lanes[0], number);
    slot->compiling = 1;
    const clscan_status status = clscan_plan_create(context, device, &drawn.problem, &drawn.options, &plan, &error);
    ++slot->beats;
    if (status == CLSCAN_OK) {
        for (unsigned i = 0; i < drawn.lanes; ++i)
            lanes[i].fixture.plan = plan;
        run_lanes(lanes, drawn.lanes);
        ++shared->plans;
    } else if (soak_may_be_refused(&drawn, status)) {
        ++shared->refused;
    } else {
        char text[SOAK_TEXT_BYTES + sizeof error.message];
        const int used = soak_describe(&lanes[0], NULL, text, sizeof text);
        snprintf(text + used, sizeof text - (size_t)used, ": no plan: %s: %s", clscan_status_name(status),
                 error.message);
        soak_report(settings, shared, number, text);
    }
    ++slot->beats;
    return plan;
}

/* Plans with the same programs, one after the other. */
static void run_plans(const soak_settings *settings, soak_shared *shared, soak_slot *slot, cl_context context,
                      cl_device_id device, const clscan_device_info *info, uint64_t first, uint64_t count)
{
    clscan_plan *before = NULL;

    for (uint64_t number = first; number < first + count && !soak_is_over(settings, shared); ++number) {
        slot->plan = number;
        ++slot->beats;
        clscan_plan *plan = run_plan(settings, shared, slot, context, device, info, number);
        clscan_plan_destroy(before);
        before = plan;
    }
    clscan_plan_destroy(before);
}

int soak_work(const soak_settings *settings, soak_shared *shared, soak_slot *slot)
{
    const pid_t parent = getppid();
    clscan_device_info info = {.struct_size = sizeof info};
    clscan_error error = {0};
    cl_device_id device;
    cl_int code;

    if (clscan_device_find(settings->device, &device, &error) != CLSCAN_OK ||
        clscan_device_describe(device, &info, &error) != CLSCAN_OK) {
        fprintf(stderr, "soak: no device: %s\n", error.message);
        return 2;
    }
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    if (code != CL_SUCCESS || !soak_prepare_poison()) {
        fprintf(stderr, "soak: no context: %s\n", clscan_cl_error_name(code));
        return 2;
    }
    while (!soak_is_over(settings, shared) && getppid() == parent) {
        const uint64_t first = settings->only_plan ? settings->plan : shared->next_program++ * SOAK_RELATIVES;
        run_plans(settings, shared, slot, context, device, &info, first, settings->only_plan ? 1 : SOAK_RELATIVES);
        if (settings->only_plan && settings->seconds == 0 && settings->runs == 0)
            break;
    }
    clReleaseContext(context);
    return 0;
}
