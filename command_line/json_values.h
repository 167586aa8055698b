/* Numbers of JSON output, whatever a program has to say. NULL for lack of memory; texts are config_file/json.h's. */
#ifndef CLSCAN_COMMAND_LINE_JSON_VALUES_H
#define CLSCAN_COMMAND_LINE_JSON_VALUES_H

#include <stdint.h>

#include <jansson.h>

/* A number; beyond what jansson's integers hold, the nearest real number. */
json_t *json_count(uint64_t count);

#endif
