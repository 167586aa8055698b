#include "contenders.h"

#include <stdlib.h>

#include "case.h"
#include "statistics.h"
#include "timing.h"

void measure_prepare(const measure_case *c, measure_contender *contender)
{
    const measure_kind *kind = contender->kind;

    if (kind->missing != NULL) {
        measure_fail(&contender->note, "%s", kind->missing);
        contender->outcome = MEASURE_UNAVAILABLE;
        return;
    }
    contender->outcome = kind->prepare == NULL ? MEASURE_OK : kind->prepare(contender, c);
    if (c->device->host_clock || kind->on_host)
        contender->clock = MEASURE_CLOCK_HOST;
    else
        contender->clock = contender->one_command ? MEASURE_CLOCK_KERNEL : MEASURE_CLOCK_QUEUE;
}

static void time_all(const measure_case *c, measure_contender *contenders, size_t count, size_t runs)
{
    /* Round 0 warms up and is not kept. Each round begins with another contender, so that nobody always runs
     * behind the same neighbour. */
    for (size_t round = 0; round <= runs; ++round) {
        for (size_t i = 0; i < count; ++i) {
            measure_contender *contender = &contenders[(i + round) % count];
            uint64_t nanoseconds = 0;

            if (contender->outcome != MEASURE_OK)
                continue;
            if (!measure_time(c, contender, &nanoseconds))
                contender->outcome = MEASURE_FAILED;
            else if (round > 0)
                contender->nanoseconds[round - 1] = nanoseconds;
        }
    }
}

void measure_contenders(const measure_case *c, measure_contender *contenders, size_t count, size_t runs)
{
    for (size_t i = 0; i < count; ++i) {
        measure_prepare(c, &contenders[i]);
        contenders[i].nanoseconds = calloc(runs, sizeof *contenders[i].nanoseconds);
        if (contenders[i].nanoseconds == NULL) {
            measure_fail(&contenders[i].note, "no host memory");
            contenders[i].outcome = MEASURE_FAILED;
        }
        if (contenders[i].outcome == MEASURE_OK)
            measure_case_validate(c, &contenders[i]);
    }
    time_all(c, contenders, count, runs);
    for (size_t i = 0; i < count; ++i) {
        if (contenders[i].outcome == MEASURE_OK)
            measure_case_validate(c, &contenders[i]);
        if (contenders[i].outcome == MEASURE_OK)
            contenders[i].statistics = measure_summarise(contenders[i].nanoseconds, runs);
    }
}

void measure_release(measure_contender *contenders, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        if (contenders[i].kind->release != NULL)
            contenders[i].kind->release(&contenders[i]);
        contenders[i].state = NULL;
        free(contenders[i].nanoseconds);
        contenders[i].nanoseconds = NULL;
    }
}

const measure_contender *measure_fastest_copy(const measure_contender *contenders, size_t count)
{
    const measure_contender *best = NULL;

    for (size_t i = 0; i < count; ++i) {
        const measure_contender *contender = &contenders[i];

        if (contender->kind->copies && contender->outcome == MEASURE_OK &&
            (best == NULL || contender->statistics.median < best->statistics.median))
            best = contender;
    }
    return best;
}
