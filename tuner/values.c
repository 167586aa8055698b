#include "values.h"

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

bool tune_values_add_steps(tune_values *values, const tune_param *param)
{
    const unsigned shift = param->steps == CLSCAN_STEPS_SPARSE ? 2 : 1;
    bool added = param->steps == CLSCAN_STEPS_POWERS || tune_values_add(values, param->min);

    for (uint64_t value = 1; added && value <= param->max; value <<= shift) {
        if (value >= param->min)
            added = tune_values_add(values, (uint32_t)value);
        if (added && param->steps == CLSCAN_STEPS_DENSE && 3 * value >= param->min && 3 * value <= param->max)
            added = tune_values_add(values, (uint32_t)(3 * value));
    }
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
