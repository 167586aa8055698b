/* Counting a space. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "space.h"

/* Asking one point takes about a microsecond. */
#define MOST_EXACT 2000000u
#define SAMPLE 200000u

static void add_illegal(tune_census *census, const char *message)
{
    const size_t length_bytes = strcspn(message, ":");
    size_t i = 0;

    while (i < TUNE_MAX_PREDICATES - 1 && census->illegal[i].points > 0 &&
           (strlen(census->illegal[i].predicate) != length_bytes ||
            memcmp(census->illegal[i].predicate, message, length_bytes) != 0))
        ++i;
    snprintf(census->illegal[i].predicate, sizeof census->illegal[i].predicate, "%.*s", (int)length_bytes, message);
    ++census->illegal[i].points;
}

static int most_first(const void *a, const void *b)
{
    const uint64_t left = ((const tune_tally *)a)->points, right = ((const tune_tally *)b)->points;

    return left < right ? 1 : left > right ? -1 : 0;
}

void tune_space_census(const tune_space *space, tune_census *census)
{
    const uint64_t asked = space->points <= MOST_EXACT ? space->points : SAMPLE;
    const double scale = (double)space->points / (double)asked;

    *census = (tune_census){.exact = asked == space->points, .points = space->points};
    for (uint64_t i = 0; i < asked; ++i) {
        clscan_error error = {0};
        clscan_variant variant;

        tune_space_point(space, census->exact ? i : tune_space_shuffled(space, 0, i), &variant);
        if (tune_space_legal(space, &variant, &error))
            ++census->legal;
        else
            add_illegal(census, error.message);
    }
    census->legal = (uint64_t)((double)census->legal * scale);
    for (size_t i = 0; i < TUNE_MAX_PREDICATES; ++i)
        census->illegal[i].points = (uint64_t)((double)census->illegal[i].points * scale);
    qsort(census->illegal, TUNE_MAX_PREDICATES, sizeof census->illegal[0], most_first);
}
