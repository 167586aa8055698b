/* Steps from one point of a space to the next. */
#include <string.h>

#include "space.h"

typedef struct collector {
    const tune_space *space;
    const clscan_variant *origin;
    clscan_variant *found;
    size_t count, capacity;
} collector;

static void collect(collector *to, const clscan_variant *variant)
{
    uint64_t number;

    if (to->count == to->capacity || tune_same_variant(variant, to->origin))
        return;
    for (size_t i = 0; i < to->count; ++i)
        if (tune_same_variant(&to->found[i], variant))
            return;
    if (tune_space_number(to->space, variant, &number) && tune_space_legal(to->space, variant, NULL))
        to->found[to->count++] = *variant;
}

/* Move a parameter to the next value of the list. */
static bool step_in_list(const tune_space *space, clscan_variant *variant, size_t param, int direction)
{
    const tune_values *values = &space->params[param];
    const uint32_t value = tune_field_get(variant, tune_params[param].offset_bytes);
    size_t at = 0;

    if (!clscan_variant_needs(variant, (clscan_param)param))
        return false;
    while (at < values->count && values->items[at] < value)
        ++at;
    /* `at` is the value itself, or the first one above a value that is not in the list. */
    if (direction > 0 && at < values->count && values->items[at] == value)
        ++at;
    if (direction < 0 && at-- == 0)
        return false;
    if (at >= values->count)
        return false;
    tune_field_set(variant, tune_params[param].offset_bytes, values->items[at]);
    return true;
}

/* Some group scans take only every other size of the list, which must not end a climb. */
static bool is_between_sizes(const clscan_variant *variant)
{
    static const char predicate[] = "network_size:";
    const uint32_t size = variant->work_group_size;
    clscan_error error = {0};

    return (size & (size - 1)) != 0 &&
           clscan_variant_check(variant, CLSCAN_UINT8, 0, NULL, &error) == CLSCAN_ERROR_ILLEGAL_VARIANT &&
           strncmp(error.message, predicate, strlen(predicate)) == 0;
}

/* Move a parameter to the next value up (1) or down (-1). Returns false if there is none. */
static bool step(const tune_space *space, clscan_variant *variant, size_t param, int direction)
{
    do
        if (!step_in_list(space, variant, param, direction))
            return false;
    while (param == CLSCAN_PARAM_work_group_size && is_between_sizes(variant));
    return true;
}

static void collect_steps(collector *to)
{
    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i)
        for (int direction = -1; direction <= 1; direction += 2) {
            clscan_variant next = *to->origin;

            if (step(to->space, &next, i, direction))
                collect(to, &next);
        }
}

static void collect_exchanges(collector *to)
{
    for (size_t up = 0; up < CLSCAN_PARAM_COUNT; ++up)
        for (size_t down = 0; down < CLSCAN_PARAM_COUNT; ++down) {
            clscan_variant next = *to->origin;

            if (up != down && step(to->space, &next, up, 1) && step(to->space, &next, down, -1))
                collect(to, &next);
        }
}

/* Give the parameters that the new axes need values near the old ones, or in the middle of the list, and clear
 * those that they do not need. */
static void fit_params(const tune_space *space, clscan_variant *variant)
{
    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i) {
        const tune_values *values = &space->params[i];
        const size_t offset_bytes = tune_params[i].offset_bytes;
        const uint32_t old = tune_field_get(variant, offset_bytes);

        if (!clscan_variant_needs(variant, (clscan_param)i))
            tune_field_set(variant, offset_bytes, 0);
        else if (old != 0 || tune_params[i].min == 0)
            tune_field_set(variant, offset_bytes, values->items[tune_values_nearest(values, old)]);
        else
            tune_field_set(variant, offset_bytes, values->items[values->count / 2]);
    }
}

/* Collect `variant`; if it is illegal, what becomes legal by one step of one parameter, or by two of one. */
static void collect_mended(collector *to, const clscan_variant *variant)
{
    if (tune_space_legal(to->space, variant, NULL)) {
        collect(to, variant);
        return;
    }
    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i)
        for (int direction = -1; direction <= 1; direction += 2) {
            clscan_variant next = *variant;

            for (int steps = 0; steps < 2 && step(to->space, &next, i, direction); ++steps)
                collect(to, &next);
        }
}

static void collect_axis_changes(collector *to)
{
    for (size_t axis = 0; axis < TUNE_AXIS_COUNT; ++axis)
        for (size_t block = 0; block < to->space->block_count; ++block) {
            const clscan_variant *axes = &to->space->blocks[block].axes;
            clscan_variant next = *to->origin;
            bool only_this = true;

            /* A change of the carry may bring or end an order; else one axis changes at a time. */
            for (size_t other = 0; other < TUNE_AXIS_COUNT; ++other) {
                const uint32_t value = tune_field_get(axes, tune_axes[other].offset_bytes);
                const bool same = value == tune_field_get(to->origin, tune_axes[other].offset_bytes);

                if (other == axis ? same : !same && !(axis == TUNE_AXIS_carry && other == TUNE_AXIS_order))
                    only_this = false;
                tune_field_set(&next, tune_axes[other].offset_bytes, value);
            }
            if (!only_this)
                continue;
            fit_params(to->space, &next);
            collect_mended(to, &next);
        }
}

size_t tune_space_neighbours(const tune_space *space, const clscan_variant *variant, bool exchanges,
                             clscan_variant *neighbours, size_t capacity)
{
    collector to = {space, variant, neighbours, 0, capacity};

    collect_steps(&to);
    collect_axis_changes(&to);
    if (exchanges)
        collect_exchanges(&to);
    return to.count;
}
