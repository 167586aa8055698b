/* Which types of elements, sums and outputs go together. The library has this rule, too; its errors name fields, these
 * what the user of a program typed. */
#ifndef CLSCAN_MEASURE_SUM_TYPES_H
#define CLSCAN_MEASURE_SUM_TYPES_H

#include <stdbool.h>

#include <clscan/clscan.h>

typedef struct measure_sum_types {
    clscan_type in, sum, out;
    bool has_load, has_store; /* a map makes of its input what it likes */
} measure_sum_types;

/* Do elements become sums, and sums outputs? An error begins with `culprit`, the option that says what they become.
 * `load` is what else would help, an option or words. */
clscan_status measure_sum_types_check(const measure_sum_types *types, const char *culprit, const char *load,
                                      clscan_error *error);

#endif
