#include "config/sources.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/embedded.h"
#include "base/environment.h"
#include "base/file.h"
#include "base/log.h"
#include "base/stamp.h"
#include "base/unload.h"
#include "common/clock.h"
#include "config/config.h"
#include "config/unkept.h"

/* Files are looked at no more often: a look at each of them took most of the time of a choice. */
#define LOOK_NS UINT64_C(1000000)

/* Something that was read, and how it looked. */
typedef struct seen {
    char *path;
    clscan__stamp stamp;
    bool bad; /* it was skipped, with a warning */
} seen;

/* What decides which files are read. */
static const char *const variables[] = {"CLSCAN_CONFIG", "XDG_CONFIG_HOME", "HOME"};
#define VARIABLE_COUNT (sizeof variables / sizeof variables[0])

struct clscan__config_sources {
    atomic_uint references;
    clscan__config_source *list;
    size_t count;
    char *values[VARIABLE_COUNT]; /* NULL: not set */
    seen *seen;
    size_t seen_count;
    unsigned version;               /* of `changes` when it was read */
    bool settled;                   /* nothing had changed just before it was read; else it is read again */
    atomic_uint_fast64_t looked_ns; /* when its files were looked at */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards `latest` */
static clscan__config_sources *latest;
static atomic_uint changes; /* of clscan__config_sources_changed() */

/* ---- Has anything changed? ---- */

static bool same_text(const char *left, const char *right)
{
    return left == NULL || right == NULL ? left == right : strcmp(left, right) == 0;
}

static bool is_current(clscan__config_sources *sources)
{
    const uint64_t now_ns = clscan__now_ns();

    if (!sources->settled || sources->version != atomic_load(&changes))
        return false;
    for (size_t i = 0; i < VARIABLE_COUNT; ++i)
        if (!same_text(clscan__environment(variables[i]), sources->values[i]))
            return false;
    if (now_ns - atomic_load_explicit(&sources->looked_ns, memory_order_relaxed) < LOOK_NS)
        return true;
    for (size_t i = 0; i < sources->seen_count; ++i) {
        const clscan__stamp now = clscan__stamp_of(sources->seen[i].path);
        if (!clscan__stamp_equal(&now, &sources->seen[i].stamp))
            return false;
    }
    atomic_store_explicit(&sources->looked_ns, now_ns, memory_order_relaxed);
    return true;
}

static bool is_settled(const clscan__config_sources *sources)
{
    const time_t now = time(NULL);

    for (size_t i = 0; i < sources->seen_count; ++i)
        if (!clscan__stamp_is_settled(&sources->seen[i].stamp, now))
            return false;
    return true;
}

/* ---- Reading ---- */

static clscan_status no_memory(clscan_error *error)
{
    return clscan__error_set(error, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for the list of configs");
}

/* To be called before the path is read. */
static clscan_status add_seen(clscan__config_sources *sources, const char *path, clscan_error *error)
{
    seen *grown = realloc(sources->seen, (sources->seen_count + 1) * sizeof *grown);
    seen added = {strdup(path), clscan__stamp_of(path), false};

    if (grown != NULL)
        sources->seen = grown;
    if (grown == NULL || added.path == NULL) {
        free(added.path);
        return no_memory(error);
    }
    sources->seen[sources->seen_count++] = added;
    return CLSCAN_OK;
}

/* The config is destroyed with the sources, or now if this fails. */
static clscan_status add_source(clscan__config_sources *sources, clscan__config_group from, clscan_config *config,
                                clscan_error *error)
{
    clscan__config_source *grown = realloc(sources->list, (sources->count + 1) * sizeof *grown);

    if (grown == NULL) {
        clscan_config_destroy(config);
        return no_memory(error);
    }
    sources->list = grown;
    sources->list[sources->count++] = (clscan__config_source){from, config};
    return CLSCAN_OK;
}

/* The file was named, so failing to read it is the caller's error. */
static clscan_status add_environment(clscan__config_sources *sources, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const char *path = clscan__environment("CLSCAN_CONFIG");
    clscan_config *config = NULL;

    if (path == NULL || path[0] == '\0')
        return CLSCAN_OK;
    CLSCAN__TRY(add_seen(sources, path, error));
    CLSCAN__TRY(clscan_config_load(path, &config, error));
    CLSCAN__TRY(add_source(sources, CLSCAN__CONFIG_GROUP_ENVIRONMENT, config, error));

cleanup:
    return status;
}

/* What was not asked for and cannot be read is no error, unless there is no memory: the next call may find it. */
static clscan_status step_over(clscan_status failure, clscan_log_level level, const char *what,
                               const clscan_error *found, clscan_error *error)
{
    if (failure == CLSCAN_ERROR_OUT_OF_MEMORY)
        return clscan__error_set(error, failure, "%s", found->message);
    clscan__log(level, "%s: %s", what, found->message);
    return CLSCAN_OK;
}

/* A text that the library itself has made. */
static clscan_status add_own(clscan__config_sources *sources, clscan__config_group from, const char *text,
                             size_t text_bytes, const char *name, clscan_error *error)
{
    clscan_config *config = NULL;
    clscan_error found = {0};
    const clscan_status status = clscan_config_parse(text, text_bytes, name, &config, &found);

    if (status != CLSCAN_OK)
        return step_over(status, CLSCAN_LOG_ERROR, "config skipped, please report it", &found, error);
    return add_source(sources, from, config, error);
}

static clscan_status add_unkept(clscan__config_sources *sources, const char *folder, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__unkept unkept;

    for (size_t i = 0; clscan__unkept_get(folder, i, &unkept); ++i) {
        status = add_own(sources, CLSCAN__CONFIG_GROUP_USER, unkept.text, unkept.text_bytes, unkept.source, error);
        clscan__unkept_free(&unkept);
        CLSCAN__TRY(status);
    }

cleanup:
    return status;
}

/* Was it bad already when `before` was read? */
static bool was_bad(const clscan__config_sources *before, const seen *now)
{
    for (size_t i = 0; before != NULL && i < before->seen_count; ++i)
        if (strcmp(before->seen[i].path, now->path) == 0)
            return before->seen[i].bad && clscan__stamp_equal(&before->seen[i].stamp, &now->stamp);
    return false;
}

/* Warn of what was seen last, once for each state of a file: files that have just changed are read again and again. */
static clscan_status step_over_seen(clscan__config_sources *sources, const clscan__config_sources *before,
                                    clscan_status failure, const char *what, const clscan_error *found,
                                    clscan_error *error)
{
    seen *last = &sources->seen[sources->seen_count - 1];
    const clscan_log_level level = was_bad(before, last) ? CLSCAN_LOG_DEBUG : CLSCAN_LOG_WARNING;

    last->bad = true;
    return step_over(failure, level, what, found, error);
}

/* Nobody named these files in this call, so bad ones are stepped over. */
static clscan_status add_user_folder(clscan__config_sources *sources, const clscan__config_sources *before,
                                     clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan_error found = {0};
    char *folder = NULL;
    char **paths = NULL;
    size_t count = 0;

    CLSCAN__TRY(clscan__user_config_folder(&folder, error));
    CLSCAN__TRY(add_unkept(sources, folder != NULL ? folder : "", error));
    if (folder == NULL)
        goto cleanup;
    CLSCAN__TRY(add_seen(sources, folder, error));
    status = clscan__folder_list(folder, ".json", &paths, &count, &found);
    if (status != CLSCAN_OK)
        CLSCAN__TRY(step_over_seen(sources, before, status, "the user's configs are skipped", &found, error));
    for (size_t i = 0; i < count; ++i) {
        clscan_config *config = NULL;

        CLSCAN__TRY(add_seen(sources, paths[i], error));
        status = clscan_config_load(paths[i], &config, &found);
        if (status != CLSCAN_OK) {
            CLSCAN__TRY(step_over_seen(sources, before, status, "config skipped", &found, error));
            continue;
        }
        CLSCAN__TRY(add_source(sources, CLSCAN__CONFIG_GROUP_USER, config, error));
    }

cleanup:
    for (size_t i = 0; i < count; ++i)
        free(paths[i]);
    free(paths);
    free(folder);
    return status;
}

static clscan_status add_built_in(clscan__config_sources *sources, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (size_t i = 0; i < clscan__embedded_config_count; ++i) {
        const clscan__embedded_file *file = &clscan__embedded_configs[i];
        char name[256];

        snprintf(name, sizeof name, "built-in %s", file->name);
        CLSCAN__TRY(add_own(sources, CLSCAN__CONFIG_GROUP_BUILT_IN, file->text, file->text_bytes, name, error));
    }

cleanup:
    return status;
}

static clscan_status keep_variables(clscan__config_sources *sources, clscan_error *error)
{
    for (size_t i = 0; i < VARIABLE_COUNT; ++i) {
        const char *value = clscan__environment(variables[i]);

        if (value != NULL && (sources->values[i] = strdup(value)) == NULL)
            return no_memory(error);
    }
    return CLSCAN_OK;
}

/* `before`: what was read the last time; may be NULL. */
static clscan_status read_sources(const clscan__config_sources *before, clscan__config_sources **sources,
                                  clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__config_sources *made = calloc(1, sizeof *made);

    if (made == NULL)
        return no_memory(error);
    atomic_init(&made->references, 1);
    atomic_init(&made->looked_ns, 0);
    made->version = atomic_load(&changes);
    CLSCAN__TRY(keep_variables(made, error));
    CLSCAN__TRY(add_environment(made, error));
    CLSCAN__TRY(add_user_folder(made, before, error));
    CLSCAN__TRY(add_built_in(made, error));
    made->settled = is_settled(made);
    *sources = made;
    made = NULL;

cleanup:
    clscan__config_sources_release(made);
    return status;
}

/* ---- Sharing ---- */

static clscan__config_sources *retain(clscan__config_sources *sources)
{
    if (sources != NULL)
        atomic_fetch_add(&sources->references, 1);
    return sources;
}

void clscan__config_sources_release(clscan__config_sources *sources)
{
    if (sources == NULL || atomic_fetch_sub(&sources->references, 1) > 1)
        return;
    for (size_t i = 0; i < sources->count; ++i)
        clscan_config_destroy((clscan_config *)sources->list[i].config);
    for (size_t i = 0; i < sources->seen_count; ++i)
        free(sources->seen[i].path);
    for (size_t i = 0; i < VARIABLE_COUNT; ++i)
        free(sources->values[i]);
    free(sources->list);
    free(sources->seen);
    free(sources);
}

clscan_status clscan__config_sources_get(clscan__config_sources **sources, clscan_error *error)
{
    clscan__config_sources *found = NULL, *before, *old;
    clscan_status status;

    pthread_mutex_lock(&lock);
    before = retain(latest);
    pthread_mutex_unlock(&lock);
    if (before != NULL && is_current(before)) {
        *sources = before;
        return CLSCAN_OK;
    }
    status = read_sources(before, &found, error);
    clscan__config_sources_release(before);
    if (status != CLSCAN_OK)
        return status;
    pthread_mutex_lock(&lock);
    old = latest;
    latest = retain(found);
    pthread_mutex_unlock(&lock);
    clscan__config_sources_release(old);
    *sources = found;
    return CLSCAN_OK;
}

void clscan__config_sources_changed(void)
{
    atomic_fetch_add(&changes, 1);
}

/* A plugin that is loaded and unloaded again shall leave nothing behind. */
CLSCAN__AT_UNLOAD static void forget(void)
{
    clscan__config_sources *old;

    pthread_mutex_lock(&lock);
    old = latest;
    latest = NULL;
    pthread_mutex_unlock(&lock);
    clscan__config_sources_release(old);
}

const clscan__config_source *clscan__config_sources_list(const clscan__config_sources *sources, size_t *count)
{
    *count = sources->count;
    return sources->list;
}
