#include "output/places.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "command_line/failure.h"

#define JOURNAL_END ".jsonl"

/* Join parts into `path`; false if they do not fit. */
static bool join(char path[TUNE_PATH_BYTES], const char *first, const char *second, const char *third)
{
    return snprintf(path, TUNE_PATH_BYTES, "%s%s%s", first, second, third) < TUNE_PATH_BYTES;
}

/* clscan's folder in the one that `variable` names, else in `fallback` in the home folder. Relative names are
 * invalid by the specification and do not count. */
static clscan_status place_folder(const char *variable, const char *fallback, char path[TUNE_PATH_BYTES],
                                  clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const char *folder = getenv(variable);
    const char *home = getenv("HOME");

    if (folder != NULL && folder[0] == '/') {
        REQUIRE(join(path, folder, "/clscan", ""), CLSCAN_ERROR_FILE, "%s: too long", variable);
        goto cleanup;
    }
    REQUIRE(home != NULL && home[0] == '/', CLSCAN_ERROR_FILE,
            "neither %s nor HOME names a folder; say where with --output and --journal", variable);
    REQUIRE(join(path, home, fallback, "/clscan"), CLSCAN_ERROR_FILE, "HOME: too long");

cleanup:
    return status;
}

/* Make a folder and those above it. */
static clscan_status make_folders(const char *path, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    char part[TUNE_PATH_BYTES];

    snprintf(part, sizeof part, "%s", path);
    for (char *at = part + 1;; ++at) {
        const char end = *at;

        if (end != '/' && end != '\0')
            continue;
        *at = '\0';
        REQUIRE(mkdir(part, 0700) == 0 || errno == EEXIST, CLSCAN_ERROR_FILE, "%s: cannot be made: %s", part,
                strerror(errno));
        *at = end;
        if (end == '\0')
            break;
    }

cleanup:
    return status;
}

clscan_status tune_place_config(const char *key, char path[TUNE_PATH_BYTES], clscan_error *error)
{
    clscan_status status;
    char folder[TUNE_PATH_BYTES], name[80];

    snprintf(name, sizeof name, "%s.json", key);
    TRY(place_folder("XDG_CONFIG_HOME", "/.config", folder, error));
    REQUIRE(join(path, folder, "/", name), CLSCAN_ERROR_FILE, "%s: too long", folder);

cleanup:
    return status;
}

clscan_status tune_place_new_journal(const char *key, char path[TUNE_PATH_BYTES], clscan_error *error)
{
    clscan_status status;
    char folder[TUNE_PATH_BYTES], name[160], when[32];
    struct tm parts;

    TRY(place_folder("XDG_STATE_HOME", "/.local/state", folder, error));
    TRY(make_folders(folder, error));
    /* Of two runs in one second the second one takes the next second's name. */
    for (time_t moment = time(NULL);; ++moment) {
        strftime(when, sizeof when, "%Y%m%d-%H%M%S", gmtime_r(&moment, &parts));
        snprintf(name, sizeof name, "/tune-%s-%s" JOURNAL_END, key, when);
        REQUIRE(join(path, folder, name, ""), CLSCAN_ERROR_FILE, "%s: too long", folder);
        if (access(path, F_OK) != 0)
            break;
    }

cleanup:
    return status;
}

static bool is_journal_of(const char *name, const char *start)
{
    const size_t name_bytes = strlen(name), start_bytes = strlen(start), end_bytes = strlen(JOURNAL_END);

    /* What is between must be a time, or it is the journal of a device whose key is longer. */
    return name_bytes == start_bytes + 15 + end_bytes && strncmp(name, start, start_bytes) == 0 &&
           strspn(name + start_bytes, "0123456789-") == 15 && strcmp(name + name_bytes - end_bytes, JOURNAL_END) == 0;
}

clscan_status tune_place_newest_journal(const char *key, char path[TUNE_PATH_BYTES], clscan_error *error)
{
    clscan_status status;
    char folder[TUNE_PATH_BYTES], start[80], newest[256] = "";
    DIR *listing = NULL;

    snprintf(start, sizeof start, "tune-%s-", key);
    TRY(place_folder("XDG_STATE_HOME", "/.local/state", folder, error));
    listing = opendir(folder);
    for (const struct dirent *item; listing != NULL && (item = readdir(listing)) != NULL;) {
        /* The time in the name puts them in order. */
        if (is_journal_of(item->d_name, start) && strcmp(item->d_name, newest) > 0)
            snprintf(newest, sizeof newest, "%s", item->d_name);
    }
    REQUIRE(newest[0] != '\0', CLSCAN_ERROR_FILE,
            "%s has no journal of %s; name one with --journal, or start afresh without --resume", folder, key);
    REQUIRE(join(path, folder, "/", newest), CLSCAN_ERROR_FILE, "%s: too long", folder);

cleanup:
    if (listing != NULL)
        closedir(listing);
    return status;
}

void tune_place_folder(const char *path, char folder[TUNE_PATH_BYTES])
{
    const char *slash = strrchr(path, '/');
    const size_t length = slash == NULL ? 1 : slash == path ? 1 : (size_t)(slash - path);

    memmove(folder, slash == NULL ? "." : path, length < TUNE_PATH_BYTES ? length : TUNE_PATH_BYTES - 1);
    folder[length < TUNE_PATH_BYTES ? length : TUNE_PATH_BYTES - 1] = '\0';
}

const char *tune_place_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL ? path : slash + 1;
}
