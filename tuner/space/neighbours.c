/* Steps from one point of a space to the next. */
#include "space/space.h"

typedef struct collector {
    const tune_space *space;
    const tune_space_block *block; /* of the origin */
    const clscan_variant *origin;
    clscan_variant *found;
    size_t count, capacity;
} collector;

static void collect(collector *to, const clscan_variant *variant)
{
    uint64_t number;

    if (to->count == to->capacity || clscan__variant_equal(variant, to->origin))
        return;
    for (size_t i = 0; i < to->count; ++i)
        if (clscan__variant_equal(&to->found[i], variant))
            return;
    if (tune_space_number(to->space, variant, &number) && tune_space_legal(to->space, variant, NULL))
        to->found[to->count++] = *variant;
}

/* The least ratio of two values that a leap is apart: so much that searches get on in long lists. */
#define LEAP 1.3

/* Move a parameter to the next value up (1) or down (-1) that is away by at least a ratio. Returns false if there is
 * none. */
static bool step(const tune_space_block *block, clscan_variant *variant, size_t param, int direction, double ratio)
{
    const tune_values *values = &block->values[param];
    const uint32_t value = clscan__param_get(&clscan__params[param], variant);
    size_t found = SIZE_MAX;

    if (!clscan_variant_needs(variant, (clscan_param)param))
        return false;
    for (size_t i = 0; i < values->count && (direction < 0 || found == SIZE_MAX); ++i)
        if (direction > 0 ? values->items[i] > value && values->items[i] >= ratio * value
                          : values->items[i] < value && ratio * values->items[i] <= value)
            found = i;
    if (found == SIZE_MAX)
        return false;
    clscan__param_set(&clscan__params[param], variant, values->items[found]);
    return true;
}

static void collect_steps(collector *to, double ratio)
{
    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i)
        for (int direction = -1; direction <= 1; direction += 2) {
            clscan_variant next = *to->origin;

            if (step(to->block, &next, i, direction, ratio))
                collect(to, &next);
        }
}

static void collect_exchanges(collector *to, double ratio)
{
    for (size_t up = 0; up < CLSCAN_PARAM_COUNT; ++up)
        for (size_t down = 0; down < CLSCAN_PARAM_COUNT; ++down) {
            clscan_variant next = *to->origin;

            if (up != down && step(to->block, &next, up, 1, ratio) && step(to->block, &next, down, -1, ratio))
                collect(to, &next);
        }
}

/* Give the parameters that the new axes need values near the old ones, or in the middle of the list, and clear
 * those that they do not need. */
static void fit_params(const tune_space_block *block, clscan_variant *variant)
{
    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i) {
        const tune_values *values = &block->values[i];
        const clscan__param *param = &clscan__params[i];
        const uint32_t old = clscan__param_get(param, variant);

        if (!clscan__param_needed(variant, param))
            clscan__param_set(param, variant, 0);
        else if (old != 0 || param->min == 0)
            clscan__param_set(param, variant, values->items[tune_values_nearest(values, old)]);
        else
            clscan__param_set(param, variant, values->items[values->count / 2]);
    }
}

/* Collect `variant`; if it is illegal, what becomes legal by one leap of one parameter, or by two of one. */
static void collect_mended(collector *to, const tune_space_block *block, const clscan_variant *variant)
{
    if (tune_space_legal(to->space, variant, NULL)) {
        collect(to, variant);
        return;
    }
    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i)
        for (int direction = -1; direction <= 1; direction += 2) {
            clscan_variant next = *variant;

            for (int leaps = 0; leaps < 2 && step(block, &next, i, direction, LEAP); ++leaps)
                collect(to, &next);
        }
}

static void collect_axis_changes(collector *to)
{
    for (size_t axis = 0; axis < CLSCAN__AXIS_COUNT; ++axis)
        for (size_t block = 0; block < to->space->block_count; ++block) {
            const tune_space_block *other_block = &to->space->blocks[block];
            clscan_variant next = *to->origin;
            bool only_this = true;

            /* A change of the carry may bring or end an order; else one axis changes at a time. */
            for (size_t other = 0; other < CLSCAN__AXIS_COUNT; ++other) {
                const uint32_t value = clscan__axis_get(&clscan__axes[other], &other_block->axes);
                const bool same = value == clscan__axis_get(&clscan__axes[other], to->origin);

                if (other == axis ? same : !same && !(axis == CLSCAN__AXIS_CARRY && other == CLSCAN__AXIS_ORDER))
                    only_this = false;
                clscan__axis_set(&clscan__axes[other], &next, value);
            }
            if (!only_this)
                continue;
            fit_params(other_block, &next);
            collect_mended(to, other_block, &next);
        }
}

size_t tune_space_neighbours(const tune_space *space, const clscan_variant *variant, int ways,
                             clscan_variant *neighbours, size_t capacity)
{
    collector to = {space, tune_space_block_of(space, variant), variant, neighbours, 0, capacity};

    if (to.block != NULL && (ways & TUNE_STEPS) != 0) {
        collect_steps(&to, 1);
        collect_steps(&to, LEAP);
    }
    if ((ways & TUNE_AXIS_CHANGES) != 0)
        collect_axis_changes(&to);
    if (to.block != NULL && (ways & TUNE_EXCHANGES) != 0) {
        collect_exchanges(&to, 1);
        collect_exchanges(&to, LEAP);
    }
    return to.count;
}
