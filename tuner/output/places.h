/* Where files go unless the user says otherwise: configs where the runtime looks for them, journals in the folder for
 * programs' state (XDG Base Directory Specification). */
#ifndef CLSCAN_TUNER_PLACES_H
#define CLSCAN_TUNER_PLACES_H

#include <clscan/clscan.h>

#define TUNE_PATH_BYTES 4096

/* The user's config for the device with this key. CLSCAN_ERROR_FILE if neither XDG_CONFIG_HOME nor HOME is set. */
clscan_status tune_place_config(const char *key, char path[TUNE_PATH_BYTES], clscan_error *error);

/* A new journal, named for the device and the time. Makes its folder. CLSCAN_ERROR_FILE: XDG_STATE_HOME and HOME are
 * not set, or the folder cannot be made. */
clscan_status tune_place_new_journal(const char *key, char path[TUNE_PATH_BYTES], clscan_error *error);

/* The newest journal of the device. CLSCAN_ERROR_FILE if there is none, with the folder. */
clscan_status tune_place_newest_journal(const char *key, char path[TUNE_PATH_BYTES], clscan_error *error);

/* The folder of a file or folder: "." for a name without one, "/" for those at the top. `folder` may be `path`. */
void tune_place_folder(const char *path, char folder[TUNE_PATH_BYTES]);

/* The file's name without its folders. */
const char *tune_place_name(const char *path);

#endif
