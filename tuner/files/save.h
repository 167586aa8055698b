/* Writing a file so that it is never half there. */
#ifndef CLSCAN_TUNER_SAVE_H
#define CLSCAN_TUNER_SAVE_H

#include <stddef.h>

#include <clscan/clscan.h>

/* Judges the temporary file before it takes the place of the old one. */
typedef clscan_status tune_save_check(const char *path, clscan_error *error);

/* Write `text` to a temporary file beside `path`, have `check` (may be NULL) read it, sync it and rename it. Folders
 * that are missing are made. On failure `path` is as it was and the temporary file is gone: CLSCAN_ERROR_FILE names
 * `path` and the reason. A file that may not be written is not replaced. */
clscan_status tune_save(const char *path, const char *text, size_t size_bytes, tune_save_check *check,
                        clscan_error *error);

/* Would tune_save() work? Makes the folders that are missing, writes a temporary file of 64 KiB beside `path` and
 * removes it. Fails as tune_save() does; the message also tells to name another place with `option`. */
clscan_status tune_save_try(const char *path, const char *option, clscan_error *error);

/* Put the names in the folder of `path` on the disk: a new or renamed file is there only after that. */
void tune_sync_folder(const char *path);

#endif
