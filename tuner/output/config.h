/* Config files as the tuner replaces them. */
#ifndef CLSCAN_TUNER_CONFIG_H
#define CLSCAN_TUNER_CONFIG_H

#include <clscan/clscan.h>

#include "config_file/document.h"

/* Read a config file that the library accepts. Errors are clscan_config_load()'s. */
clscan_status tune_config_read(const char *path, clscan__document *config, clscan_error *error);

/* Write through a temporary file in the same folder, which the library must accept before it takes the
 * place of `path`. Folders that are missing are made. On failure `path` is as it was: CLSCAN_ERROR_FILE with the
 * reason (read-only, full, a folder), or what clscan_config_load() says. */
clscan_status tune_config_write(const char *path, const clscan__document *config, clscan_error *error);

/* Whether the library accepts the file: a tune_save_check. */
clscan_status tune_config_check(const char *path, clscan_error *error);

/* Take over from `old` the entries whose keys `config` has none of. The provenance stays that of `config`. */
clscan_status tune_config_merge(clscan__document *config, const clscan__document *old, clscan_error *error);

#endif
