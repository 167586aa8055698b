#include "output/group_steps.h"

#include <math.h>
#include <stdbool.h>

#include <clscan/devices.h>

#define GAIN 0.97
/* No group holds more elements. */
#define LARGEST_COUNT (UINT64_C(1) << 44)

void tune_group_weights(const clscan__group_document *document, uint32_t work, size_t number, double *weights)
{
    clscan__group_document fixed = *document;

    fixed.step_count = 1;
    fixed.steps[0] = (clscan__group_step){.work = work, .devices = (uint32_t)number, .largest_count = UINT64_MAX};
    clscan__group_weights(&fixed, work, 1, weights);
}

/* Of parts that take as long: with more than one device each element is read once more. */
static double seconds_of(uint64_t count, bool is_reduced, double gb_per_s)
{
    const double moved_bytes = (is_reduced ? 3.0 : 2.0) * sizeof(cl_int);

    return moved_bytes * (double)count / gb_per_s * 1e-9;
}

double tune_group_model_seconds(const clscan__group_document *document, uint32_t work, size_t number, uint64_t count)
{
    double weights[CLSCAN__GROUP_MOST_DEVICES], all = 0;

    tune_group_weights(document, work, number, weights);
    for (size_t i = 0; i < document->device_count; ++i)
        all += weights[i];
    return seconds_of(count, work == CLSCAN_DEVICES_SCAN && number > 1, all); /* shares are as speeds */
}

double tune_group_shared_seconds(const clscan__group_document *document, size_t per_row, uint64_t rows, uint64_t count)
{
    const uint64_t groups = document->device_count / per_row, busiest = (rows + groups - 1) / groups;
    double all = 0;

    for (size_t i = 0; i < document->device_count; ++i)
        all += document->devices[i].device_gb_per_s;
    return seconds_of(busiest * count, per_row > 1, all * (double)per_row / (double)document->device_count);
}

size_t tune_group_fastest(const tune_group_times *times)
{
    size_t best = 0;

    for (size_t i = 1; i < times->number_count; ++i)
        if (times->seconds[i] < GAIN * times->seconds[best])
            best = i;
    return times->numbers[best];
}

/* From between the sizes `before` and `count` on, `number` devices are the fastest. */
static void add_step(clscan__group_document *document, const tune_group_times *times, uint64_t before, uint64_t count,
                     size_t number)
{
    clscan__group_step *last = document->step_count > 0 ? &document->steps[document->step_count - 1] : NULL;
    const bool goes_on = last != NULL && last->work == times->work && last->rows == times->rows;

    if ((goes_on && last->devices == number) || document->step_count == CLSCAN__GROUP_MOST_STEPS)
        return;
    if (goes_on)
        last->largest_count = (uint64_t)sqrt((double)before * (double)count);
    document->steps[document->step_count++] = (clscan__group_step){
        .work = times->work, .rows = times->rows, .devices = (uint32_t)number, .largest_count = UINT64_MAX};
}

/* What times become at a larger size, if they grow as from `before` to `last`. */
static tune_group_times grown(const tune_group_times *before, const tune_group_times *last, uint64_t count)
{
    const double further = (double)(count - last->count) / (double)(last->count - before->count);
    tune_group_times larger = *last;

    for (size_t i = 0; i < last->number_count; ++i)
        larger.seconds[i] += further * (last->seconds[i] - before->seconds[i]);
    return larger;
}

void tune_group_add_steps(clscan__group_document *document, const tune_group_times *times, size_t time_count)
{
    const tune_group_times *last = &times[time_count - 1];
    size_t number = 0;

    for (size_t i = 0; i < time_count; ++i) {
        number = tune_group_fastest(&times[i]);
        add_step(document, &times[i], i > 0 ? times[i - 1].count : 0, times[i].count, number);
    }
    for (uint64_t count = 2 * last->count; time_count > 1 && count <= LARGEST_COUNT; count *= 2) {
        const tune_group_times larger = grown(last - 1, last, count);

        if (tune_group_fastest(&larger) > number) {
            number = tune_group_fastest(&larger);
            add_step(document, last, count / 2, count, number);
        }
    }
}
