/* The keys of a config file, for reader and writer. */
#ifndef CLSCAN_CONFIG_FILE_KEYS_H
#define CLSCAN_CONFIG_FILE_KEYS_H

#include "config_file/json.h"

extern const clscan__json_keys clscan__document_keys;
extern const clscan__json_keys clscan__provenance_keys;
extern const clscan__json_keys clscan__entry_keys;
extern const clscan__json_keys clscan__variant_keys;

/* By their enums. */
extern const char *const clscan__operation_names[];
extern const char *const clscan__origin_names[];
extern const char *const clscan__operator_class_names[];

#endif
