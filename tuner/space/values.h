/* An ascending list of values of one parameter. */
#ifndef CLSCAN_TUNER_VALUES_H
#define CLSCAN_TUNER_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config_file/axes.h"

/* Zero it to begin. */
typedef struct tune_values {
    uint32_t *items;
    size_t count;
} tune_values;

/* Put `value` in its place, if it is not there yet. Returns false if memory ran out. */
bool tune_values_add(tune_values *values, uint32_t value);
/* Add the values that a search looks at. */
bool tune_values_add_steps(tune_values *values, const clscan__param *param);
/* Take out all values that `keep` refuses. */
void tune_values_filter(tune_values *values, bool (*keep)(const void *user, uint32_t value), const void *user);
/* Copy `from` into a zeroed list. Returns false if memory ran out. */
bool tune_values_copy(tune_values *to, const tune_values *from);
/* Position of `value`; values->count if it is not there. */
size_t tune_values_find(const tune_values *values, uint32_t value);
/* Position of the value nearest to `value` by ratio; there is at least one. */
size_t tune_values_nearest(const tune_values *values, uint32_t value);
void tune_values_free(tune_values *values);

#endif
