#include "statistics.h"

#include <stdlib.h>

static int ascending(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left;
    const uint64_t b = *(const uint64_t *)right;

    return (a > b) - (a < b);
}

static double quantile(const uint64_t *sorted, size_t count, double fraction)
{
    const double place = fraction * (double)(count - 1);
    const size_t below = (size_t)place;
    const size_t above = below + 1 < count ? below + 1 : below;
    const double rest = place - (double)below;

    return (double)sorted[below] * (1.0 - rest) + (double)sorted[above] * rest;
}

measure_statistics measure_summarise(uint64_t *values, size_t count)
{
    measure_statistics result;

    qsort(values, count, sizeof *values, ascending);
    result.minimum = (double)values[0];
    result.lower_quartile = quantile(values, count, 0.25);
    result.median = quantile(values, count, 0.5);
    result.upper_quartile = quantile(values, count, 0.75);
    return result;
}
