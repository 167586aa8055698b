/* How the tuner's functions fail: as the library's do, by a clscan_status and a filled clscan_error. */
#ifndef CLSCAN_TUNER_FAILURE_H
#define CLSCAN_TUNER_FAILURE_H

#include <clscan/clscan.h>

#if defined(__GNUC__)
#define TUNE_PRINTF(format_index, first_index) __attribute__((format(printf, format_index, first_index)))
#else
#define TUNE_PRINTF(format_index, first_index)
#endif

/* Fill `error` (may be NULL) with one line that names the culprit, and return `status`. */
clscan_status tune_fail(clscan_error *error, clscan_status status, const char *format, ...) TUNE_PRINTF(3, 4);

/* Leave the function through its `cleanup` label; need locals or parameters `status` and `error`. */
#define TUNE_TRY(expression)     \
    do {                         \
        status = (expression);   \
        if (status != CLSCAN_OK) \
            goto cleanup;        \
    } while (0)

#define TUNE_REQUIRE(condition, code, ...)                \
    do {                                                  \
        if (!(condition)) {                               \
            status = tune_fail(error, code, __VA_ARGS__); \
            goto cleanup;                                 \
        }                                                 \
    } while (0)

#endif
