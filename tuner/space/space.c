#include "space/space.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_line/failure.h"
#include "space/random.h"
#include "trial/trial.h"

static const struct {
    const char *text, *meaning;
} names[] = {
#define X(name, text, meaning) {#text, meaning},
    TUNE_SPACE_LIST(X)
#undef X
};

const char *tune_space_name_text(tune_space_name name)
{
    return (unsigned)name < TUNE_SPACE_COUNT ? names[name].text : "unknown";
}

const char *tune_space_meaning(tune_space_name name)
{
    return (unsigned)name < TUNE_SPACE_COUNT ? names[name].meaning : "";
}

bool tune_space_name_from_text(const char *text, tune_space_name *name)
{
    for (int i = 0; i < TUNE_SPACE_COUNT; ++i)
        if (strcmp(text, names[i].text) == 0) {
            *name = (tune_space_name)i;
            return true;
        }
    return false;
}

void tune_space_free(tune_space *space)
{
    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i)
        tune_values_free(&space->params[i]);
    for (size_t i = 0; i < space->block_count; ++i)
        for (size_t param = 0; param < CLSCAN_PARAM_COUNT; ++param)
            tune_values_free(&space->blocks[i].values[param]);
    free(space->blocks);
    *space = (tune_space){0};
}

/* The block of a point: the last one that begins at or before it. */
static const tune_space_block *block_at(const tune_space *space, uint64_t number)
{
    size_t low = 0, high = space->block_count;

    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;

        if (space->blocks[middle].first <= number)
            low = middle;
        else
            high = middle;
    }
    return &space->blocks[low];
}

/* The number in its block has mixed radix: the last parameter changes fastest. */
void tune_space_point(const tune_space *space, uint64_t number, clscan_variant *variant)
{
    const tune_space_block *block = block_at(space, number);
    uint64_t rest = number - block->first;

    *variant = block->axes;
    for (size_t i = CLSCAN_PARAM_COUNT; i-- > 0;)
        if (clscan_variant_needs(&block->axes, (clscan_param)i)) {
            const tune_values *values = &block->values[i];

            clscan__param_set(&clscan__params[i], variant, values->items[rest % values->count]);
            rest /= values->count;
        }
}

const tune_space_block *tune_space_block_of(const tune_space *space, const clscan_variant *variant)
{
    for (size_t i = 0; i < space->block_count; ++i) {
        bool same = true;

        for (size_t axis = 0; axis < CLSCAN__AXIS_COUNT; ++axis)
            same = same && clscan__axis_get(&clscan__axes[axis], &space->blocks[i].axes) ==
                               clscan__axis_get(&clscan__axes[axis], variant);
        if (same)
            return &space->blocks[i];
    }
    return NULL;
}

bool tune_space_number(const tune_space *space, const clscan_variant *variant, uint64_t *number)
{
    const tune_space_block *block = tune_space_block_of(space, variant);
    uint64_t within = 0;

    if (block == NULL)
        return false;
    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i)
        if (clscan_variant_needs(variant, (clscan_param)i)) {
            const tune_values *values = &block->values[i];
            const size_t at = tune_values_find(values, clscan__param_get(&clscan__params[i], variant));

            if (at == values->count)
                return false;
            within = within * values->count + at;
        }
    *number = block->first + within;
    return true;
}

uint64_t tune_local_element_bytes(const clscan_variant *variant, const tune_target *target)
{
    const clscan_problem problem = tune_target_shape(target);
    clscan_variant without = *variant;

    without.local_pieces = 0;
    return clscan_variant_local_bytes(variant, &problem) - clscan_variant_local_bytes(&without, &problem);
}

clscan_status tune_space_check(const tune_space *space, const clscan_variant *variant, int in_place,
                               clscan_error *error)
{
    const clscan_problem problem = tune_target_problem(&space->target);

    return clscan_variant_check(variant, &problem, in_place, &space->device, error);
}

static bool inside(tune_bounds bounds, uint64_t bytes, const char *what, clscan_error *error)
{
    if (bytes >= bounds.min && bytes <= bounds.max)
        return true;
    fail(error, CLSCAN_ERROR_INVALID_VALUE, "%s: %" PRIu64 " bytes are not in [%" PRIu64 ", %" PRIu64 "]", what, bytes,
         bounds.min, bounds.max);
    return false;
}

bool tune_space_legal(const tune_space *space, const clscan_variant *variant, clscan_error *error)
{
    const clscan_problem problem = tune_target_shape(&space->target);

    return inside(space->local_bytes, tune_local_element_bytes(variant, &space->target), "local_bytes", error) &&
           inside(space->register_bytes, clscan_variant_register_bytes(variant, &problem), "register_bytes", error) &&
           tune_space_check(space, variant, 0, error) == CLSCAN_OK;
}

/* A Feistel network permutes the numbers of an even count of bits; those beyond the last one are mapped again until
 * they fall inside. */
uint64_t tune_shuffled(uint64_t points, uint64_t seed, uint64_t position)
{
    unsigned half = 1;

    while (half < 31 && UINT64_C(1) << 2 * half < points)
        ++half;
    do {
        const uint64_t mask = (UINT64_C(1) << half) - 1;
        uint64_t left = position >> half, right = position & mask;

        for (uint64_t round = 0; round < 4; ++round) {
            const uint64_t mixed = left ^ (tune_mix(tune_mix(seed + round) ^ right) & mask);

            left = right;
            right = mixed;
        }
        position = left << half | right;
    } while (position >= points);
    return position;
}

uint64_t tune_block_shuffled(const tune_space_block *block, uint64_t seed, uint64_t position)
{
    return block->first + tune_shuffled(block->points, seed, position);
}

/* ---- Counting ---- */

/* Asking one point takes about a microsecond. */
#define MOST_EXACT 2000000u
#define SAMPLE 200000u

/* Add so many points that break a rule: the first word of the message. */
static void add_illegal(tune_census *census, const char *message, double points[TUNE_MAX_PREDICATES], double weight)
{
    const size_t length_bytes = strcspn(message, ":");
    size_t i = 0;

    while (i < TUNE_MAX_PREDICATES - 1 && points[i] > 0 &&
           (strlen(census->illegal[i].predicate) != length_bytes ||
            memcmp(census->illegal[i].predicate, message, length_bytes) != 0))
        ++i;
    snprintf(census->illegal[i].predicate, sizeof census->illegal[i].predicate, "%.*s", (int)length_bytes, message);
    points[i] += weight;
}

static int most_first(const void *a, const void *b)
{
    const uint64_t left = ((const tune_tally *)a)->points, right = ((const tune_tally *)b)->points;

    return left < right ? 1 : left > right ? -1 : 0;
}

/* Blocks are of very different sizes; each has its share of a sample, so that the small ones are not missed. */
void tune_space_census(const tune_space *space, tune_census *census)
{
    const bool exact = space->points <= MOST_EXACT;
    const uint64_t share = SAMPLE / (space->block_count > 0 ? space->block_count : 1) + 1;
    double legal = 0, illegal[TUNE_MAX_PREDICATES] = {0};

    *census = (tune_census){.exact = exact, .points = space->points};
    for (size_t b = 0; b < space->block_count; ++b) {
        const tune_space_block *block = &space->blocks[b];
        const uint64_t asked = exact || block->points < share ? block->points : share;
        const double weight = (double)block->points / (double)(asked > 0 ? asked : 1);

        for (uint64_t i = 0; i < asked; ++i) {
            clscan_error error = {0};
            clscan_variant variant;

            tune_space_point(space, exact ? block->first + i : tune_block_shuffled(block, 0, i), &variant);
            if (tune_space_legal(space, &variant, &error))
                legal += weight;
            else
                add_illegal(census, error.message, illegal, weight);
        }
    }
    census->legal = (uint64_t)(legal + 0.5);
    for (size_t i = 0; i < TUNE_MAX_PREDICATES; ++i)
        census->illegal[i].points = (uint64_t)(illegal[i] + 0.5);
    qsort(census->illegal, TUNE_MAX_PREDICATES, sizeof census->illegal[0], most_first);
}
