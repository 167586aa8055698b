/* Counting a space. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "space/space.h"

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
