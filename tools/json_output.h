/* JSON for other programs: values that cannot fail silently, and one way to print. */
#ifndef CLSCAN_TOOLS_JSON_OUTPUT_H
#define CLSCAN_TOOLS_JSON_OUTPUT_H

#include <stdint.h>

#include <jansson.h>

#include <clscan/clscan.h>

#include "command_line/json_values.h"

/* Changes when a key changes its meaning or goes; new keys may come at any time. */
#define JSON_FORMAT 1

/* clscan__json_valid_text(), but null for "". */
json_t *json_text(const char *text);

/* json_count(), but null for `unknown`. */
json_t *json_number(uint64_t number, uint64_t unknown);

/* Words with blanks between them, as an array. */
json_t *json_words(const char *words);

/* Put a value, which may be NULL for lack of memory, into an object or at the end of an array. Takes it over. */
clscan_status json_put(json_t *object, const char *key, json_t *value, clscan_error *error);
clscan_status json_add(json_t *array, json_t *value, clscan_error *error);

/* Print to standard output, with a newline at the end. */
clscan_status json_print(const json_t *value, clscan_error *error);

#endif
