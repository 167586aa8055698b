/* Values of JSON files and of JSON output that hold whatever a program has to say. NULL for lack of memory. */
#ifndef CLSCAN_COMMAND_LINE_JSON_VALUES_H
#define CLSCAN_COMMAND_LINE_JSON_VALUES_H

#include <stdint.h>

#include <jansson.h>

/* A string, with '?' for each byte of it that is no UTF-8, as in some drivers' texts. */
json_t *json_valid_text(const char *text);

/* A number; beyond what jansson's integers hold, the nearest real number. */
json_t *json_count(uint64_t count);

#endif
