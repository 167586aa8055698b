/* Reading whole files and listing a folder. */
#ifndef CLSCAN_BASE_FILE_H
#define CLSCAN_BASE_FILE_H

#include <stddef.h>

#include "base/error.h"

/* Read a regular file of at most `max_bytes` into memory that the caller frees; terminated by a zero that is
 * not counted. CLSCAN_ERROR_FILE if it cannot be read, `too_large` if it is longer; nothing is read then. */
clscan_status clscan__file_read(const char *path, size_t max_bytes, clscan_status too_large, char **data,
                                size_t *data_bytes, clscan_error *error);

/* Paths of what stands in `folder` under names that end in `suffix`, sorted by name; the caller frees each and the
 * array. A folder that does not exist has no files. */
clscan_status clscan__folder_list(const char *folder, const char *suffix, char ***paths, size_t *count,
                                  clscan_error *error);

/* The user's own config folder, "$XDG_CONFIG_HOME/clscan" or "~/.config/clscan", in memory that the caller
 * frees; NULL if neither is known. */
clscan_status clscan__user_config_folder(char **folder, clscan_error *error);

/* The same for the user's caches, "$XDG_CACHE_HOME/clscan" or "~/.cache/clscan". */
clscan_status clscan__user_cache_folder(char **folder, clscan_error *error);

#endif
