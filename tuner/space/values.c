#include "space/values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool tune_values_add(tune_values *values, uint32_t value)
{
    uint32_t *grown;
    size_t at = 0;

    while (at < values->count && values->items[at] < value)
        ++at;
    if (at < values->count && values->items[at] == value)
        return true;
    grown = realloc(values->items, (values->count + 1) * sizeof *grown);
    if (grown == NULL)
        return false;
    memmove(grown + at + 1, grown + at, (values->count - at) * sizeof *grown);
    grown[at] = value;
    values->items = grown;
    ++values->count;
    return true;
}

/* CLSCAN_STEPS_LIST: odd or all factors from 1 on that a power of two is taken with, and steps between powers. */
static const struct {
    uint32_t last_factor, factor_step;
    unsigned shift;
    bool has_min;
} patterns[CLSCAN_STEPS_COUNT] = {
    [CLSCAN_STEPS_POWERS] = {1, 1, 1, false},
    [CLSCAN_STEPS_DENSE] = {3, 2, 1, true},
    [CLSCAN_STEPS_FINE] = {15, 1, 1, true},
    [CLSCAN_STEPS_SPARSE] = {1, 1, 2, true},
};

bool tune_values_add_steps(tune_values *values, const clscan__param *param)
{
    const uint32_t last = patterns[param->steps].last_factor, step = patterns[param->steps].factor_step;
    bool added = !patterns[param->steps].has_min || tune_values_add(values, param->min);

    for (uint64_t power = 1; added && power <= param->max; power <<= patterns[param->steps].shift)
        for (uint64_t factor = 1; added && factor <= last; factor += step)
            if (factor * power >= param->min && factor * power <= param->max)
                added = tune_values_add(values, (uint32_t)(factor * power));
    return added;
}

void tune_values_filter(tune_values *values, bool (*keep)(const void *user, uint32_t value), const void *user)
{
    size_t kept = 0;

    for (size_t i = 0; i < values->count; ++i)
        if (keep(user, values->items[i]))
            values->items[kept++] = values->items[i];
    values->count = kept;
}

bool tune_values_copy(tune_values *to, const tune_values *from)
{
    bool added = true;

    for (size_t i = 0; added && i < from->count; ++i)
        added = tune_values_add(to, from->items[i]);
    return added;
}

size_t tune_values_find(const tune_values *values, uint32_t value)
{
    size_t at = 0;

    while (at < values->count && values->items[at] != value)
        ++at;
    return at;
}

size_t tune_values_nearest(const tune_values *values, uint32_t value)
{
    size_t best = 0;

    for (size_t i = 1; i < values->count; ++i)
        if (fabs(log((values->items[i] + 0.5) / (value + 0.5))) <
            fabs(log((values->items[best] + 0.5) / (value + 0.5))))
            best = i;
    return best;
}

void tune_values_free(tune_values *values)
{
    free(values->items);
    *values = (tune_values){0};
}
