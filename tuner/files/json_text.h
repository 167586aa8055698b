/* Texts of drivers and compilers as JSON. */
#ifndef CLSCAN_TUNER_JSON_TEXT_H
#define CLSCAN_TUNER_JSON_TEXT_H

#include <jansson.h>

/* A JSON string; in a text that is not UTF-8, every byte beyond ASCII becomes '?'. NULL if memory ran out. */
json_t *tune_json_text(const char *text);

#endif
