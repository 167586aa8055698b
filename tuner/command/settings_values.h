/* Readers of the values that only clscan-tune has. */
#ifndef CLSCAN_TUNER_SETTINGS_VALUES_H
#define CLSCAN_TUNER_SETTINGS_VALUES_H

#include "command_line/options.h"

option_reader tune_read_operations; /* bool[CLSCAN__CONFIG_OPERATION_COUNT]: sets those of a list */
option_reader tune_read_elements;   /* tune_settings: adds to its elements, a list like "affine_float,int4" */
option_reader tune_read_classes;    /* bool[CLSCAN_OPERATOR_CLASS_COUNT], of a list like "builtin,custom" */
option_reader tune_read_sizes;    /* tune_settings: adds to its counts; a list of N, FIRST:LAST and FIRST:LAST:FACTOR */
option_reader tune_read_strategy; /* const tune_strategy * */
option_reader tune_read_space;    /* tune_space_name */
option_reader tune_read_duration; /* double, seconds; "90", "90s", "10m", "1.5h" */
option_reader tune_read_positive; /* uint64_t, at least 1 */

#endif
