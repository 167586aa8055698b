#include "search/median.h"

#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;

    return left < right ? -1 : left > right ? 1 : 0;
}

double tune_median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, by_value);
    return values[count / 2];
}

double tune_spread(double *values, size_t count)
{
    const double median = tune_median(values, count);

    return (values[3 * count / 4] - values[count / 4]) / median;
}
