#include "output/group_links.h"

#include <math.h>
#include <stdbool.h>

static bool share(double one, double other, double both)
{
    const double at_once = fmax(one, other), in_turn = one + other;

    return both > (at_once + in_turn) / 2;
}

void tune_group_links(size_t count, const double *alone, const double *together, uint32_t *links)
{
    for (size_t j = 0; j < count; ++j) {
        links[j] = (uint32_t)j;
        for (size_t i = 0; i < j; ++i) {
            const uint32_t smaller = links[i] < links[j] ? links[i] : links[j];
            const uint32_t larger = links[i] < links[j] ? links[j] : links[i];

            if (!share(alone[i], alone[j], together[i * count + j]))
                continue;
            for (size_t k = 0; k <= j; ++k)
                links[k] = links[k] == larger ? smaller : links[k];
        }
    }
}
