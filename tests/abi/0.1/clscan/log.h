/** \file log.h
 * What the library decided, as lines of text: to stderr by CLSCAN_LOG, or to a callback.
 *
 * CLSCAN_LOG is one of `error`, `warning`, `info`, `debug`; unset means `warning`, `off` silences.
 */
#ifndef CLSCAN_LOG_H
#define CLSCAN_LOG_H

#include <clscan/export.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CLSCAN_LOG_LEVEL_LIST(X) \
    X(OFF, off)                  \
    X(ERROR, error)              \
    X(WARNING, warning)          \
    X(INFO, info)                \
    X(DEBUG, debug)

/** Severity, ascending in verbosity. */
typedef enum clscan_log_level {
#define X(name, text) CLSCAN_LOG_##name,
    CLSCAN_LOG_LEVEL_LIST(X)
#undef X
        CLSCAN_LOG_LEVEL_COUNT /**< number of levels */
} clscan_log_level;

/** Receives one line, without a newline; \p text is valid during the call only.
 * May be called from any thread that is inside a clscan function; must not call clscan. */
typedef void clscan_log_callback(clscan_log_level level, const char *text, void *user);

/** Replace where log lines go and how many there are, for the whole process.
 *
 * \param level    Lines above this level are not made.
 * \param callback Receives the lines; NULL means stderr.
 * \param user     Passed to \p callback; the caller keeps it alive until it is replaced.
 *
 * Thread-safety: safe at any time; a line that is being written meanwhile may still go the old way.
 */
CLSCAN_API void clscan_log_set(clscan_log_level level, clscan_log_callback *callback, void *user);

#ifdef __cplusplus
}
#endif
#endif
