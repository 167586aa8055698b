#include "base/log.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/environment.h"
#include "common/printable.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards destination and its user pointer */
static clscan_log_callback *destination;
static void *destination_user;
static atomic_int threshold;

static const char *level_name(clscan_log_level level)
{
    switch (level) {
#define X(name, text)       \
    case CLSCAN_LOG_##name: \
        return #text;
        CLSCAN_LOG_LEVEL_LIST(X)
#undef X
    case CLSCAN_LOG_LEVEL_COUNT:
        break;
    }
    return "log";
}

static void read_environment(void)
{
    const char *wanted = clscan__environment("CLSCAN_LOG");
    int level = CLSCAN_LOG_WARNING;

#define X(name, text)                                 \
    if (wanted != NULL && strcmp(wanted, #text) == 0) \
        level = CLSCAN_LOG_##name;
    CLSCAN_LOG_LEVEL_LIST(X)
#undef X
    atomic_store(&threshold, level);
}

void clscan_log_set(clscan_log_level level, clscan_log_callback *callback, void *user)
{
    pthread_once(&once, read_environment);
    pthread_mutex_lock(&lock);
    destination = callback;
    destination_user = user;
    pthread_mutex_unlock(&lock);
    atomic_store(&threshold, (int)level);
}

int clscan__log_enabled(clscan_log_level level)
{
    pthread_once(&once, read_environment);
    return (int)level <= atomic_load(&threshold);
}

void clscan__log(clscan_log_level level, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    clscan_log_callback *callback;
    void *user;

    if (!clscan__log_enabled(level))
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    clscan__make_printable(text);

    pthread_mutex_lock(&lock);
    callback = destination;
    user = destination_user;
    pthread_mutex_unlock(&lock);
    if (callback != NULL)
        callback(level, text, user);
    else
        fprintf(stderr, "clscan: %s: %s\n", level_name(level), text);
}
