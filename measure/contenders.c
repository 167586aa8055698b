#include "contenders.h"

#include <stdlib.h>

#include "case.h"
#include "rotation.h"
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
    if (c->problem.rows.count > 0 && kind->scans && !kind->rows) {
        measure_fail(&contender->note, "scans one array, no rows");
        contender->outcome = MEASURE_UNAVAILABLE;
        return;
    }
    if (measure_has_columns(&c->problem) && kind->scans && !kind->columns) {
        measure_fail(&contender->note, "scans elements that lie side by side, no columns");
        contender->outcome = MEASURE_UNAVAILABLE;
        return;
    }
    if (c->problem.segment_length > 0 && kind->scans && !kind->segments) {
        measure_fail(&contender->note, "scans one array, no segments");
        contender->outcome = MEASURE_UNAVAILABLE;
        return;
    }
    if (c->problem.reduces && kind->scans && !kind->reduces) {
        measure_fail(&contender->note, "scans only");
        contender->outcome = MEASURE_UNAVAILABLE;
        return;
    }
    if (c->problem.maps != NULL && kind->scans && !kind->maps) {
        measure_fail(&contender->note, "scans elements as they are, between one type and itself");
        contender->outcome = MEASURE_UNAVAILABLE;
        return;
    }
    if (c->problem.selects && kind->scans && !kind->selects) {
        measure_fail(&contender->note, "does not select");
        contender->outcome = MEASURE_UNAVAILABLE;
        return;
    }
    contender->outcome = kind->prepare == NULL ? MEASURE_OK : kind->prepare(contender, c);
    if (c->device->host_clock || kind->on_host)
        contender->clock = MEASURE_CLOCK_HOST;
    else
        contender->clock =
            contender->one_command && !c->device->queue_clock ? MEASURE_CLOCK_KERNEL : MEASURE_CLOCK_QUEUE;
}

/* One run by each clock; what it took goes to the places of `run`. */
static bool time_once(const measure_case *c, measure_contender *contender, size_t run, size_t runs)
{
    uint64_t *by_host = &contender->nanoseconds[runs + run];

    if (!measure_time(c, contender, &contender->nanoseconds[run]))
        return false;
    if (!c->device->both_clocks)
        return true;
    *by_host = contender->nanoseconds[run];
    return contender->clock == MEASURE_CLOCK_HOST || measure_time_by_host(c, contender, by_host);
}

static void time_all(const measure_case *c, measure_contender *contenders, size_t count, size_t runs)
{
    /* Round 0 warms up; round 1 writes over it. Each round begins with another contender, so that nobody always runs
     * behind the same neighbour. */
    for (size_t round = 0; round <= runs; ++round) {
        for (size_t i = 0; i < count; ++i) {
            measure_contender *contender = &contenders[(i + round) % count];

            if (contender->outcome == MEASURE_OK && !time_once(c, contender, round > 0 ? round - 1 : 0, runs))
                contender->outcome = MEASURE_FAILED;
        }
    }
}

/* Once more after the last timed run, in a rotation on the next pair, to which the contender was never bound. */
static void validate_again(const measure_case *c, measure_contender *contender)
{
    measure_case last = *c;

    if (c->rotation != NULL && !measure_rotation_next(c->rotation, &last, &contender->note))
        contender->outcome = MEASURE_FAILED;
    else
        measure_case_validate(&last, contender);
}

static void summarise(measure_contender *contender, bool both_clocks, size_t runs)
{
    contender->statistics = measure_summarise(contender->nanoseconds, runs);
    if (both_clocks)
        contender->host_statistics = measure_summarise(contender->nanoseconds + runs, runs);
}

void measure_contenders(const measure_case *c, measure_contender *contenders, size_t count, size_t runs)
{
    for (size_t i = 0; i < count; ++i) {
        measure_prepare(c, &contenders[i]);
        contenders[i].nanoseconds = calloc(2 * runs, sizeof *contenders[i].nanoseconds);
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
            validate_again(c, &contenders[i]);
        if (contenders[i].outcome == MEASURE_OK)
            summarise(&contenders[i], c->device->both_clocks, runs);
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

static bool is_copy(const measure_kind *kind)
{
    return kind->copies && !kind->no_yardstick;
}

static bool is_read(const measure_kind *kind)
{
    return kind->reads;
}

static const measure_contender *fastest(const measure_contender *contenders, size_t count,
                                        bool is_wanted(const measure_kind *kind), bool by_host)
{
    const measure_contender *best = NULL;
    double best_ns = 0;

    for (size_t i = 0; i < count; ++i) {
        const measure_contender *contender = &contenders[i];
        const double median_ns = by_host ? contender->host_statistics.median : contender->statistics.median;

        if (!is_wanted(contender->kind) || contender->outcome != MEASURE_OK || (best != NULL && median_ns >= best_ns))
            continue;
        best = contender;
        best_ns = median_ns;
    }
    return best;
}

const measure_contender *measure_fastest_copy(const measure_contender *contenders, size_t count)
{
    return fastest(contenders, count, is_copy, false);
}

const measure_contender *measure_fastest_read(const measure_contender *contenders, size_t count)
{
    return fastest(contenders, count, is_read, false);
}

const measure_contender *measure_fastest_copy_by_host(const measure_contender *contenders, size_t count)
{
    return fastest(contenders, count, is_copy, true);
}
