/* Filling a clscan_error, and the statements that end a function on failure, which need locals or parameters `status`
 * and `error`. */
#ifndef CLSCAN_COMMON_ERROR_H
#define CLSCAN_COMMON_ERROR_H

#include <stdarg.h>
#include <stddef.h>

#include <clscan/status.h>

#if defined(__GNUC__)
#define CLSCAN__PRINTF(format_index, first_index) __attribute__((format(printf, format_index, first_index)))
#else
#define CLSCAN__PRINTF(format_index, first_index)
#endif

/* Fill `error` (may be NULL) with a message and return `status`. Clears place, code and build log. */
clscan_status clscan__error_set(clscan_error *error, clscan_status status, const char *format, ...)
    CLSCAN__PRINTF(3, 4);
clscan_status clscan__error_set_list(clscan_error *error, clscan_status status, const char *format, va_list arguments)
    CLSCAN__PRINTF(3, 0);

/* "a, b, c" for a message, as far as there is room. */
void clscan__list_names(char *text, size_t size_bytes, const char *const *names, size_t name_count);

/* Leave the function through its `cleanup` label when `expression` is not CLSCAN_OK. */
#define CLSCAN__TRY(expression)  \
    do {                         \
        status = (expression);   \
        if (status != CLSCAN_OK) \
            goto cleanup;        \
    } while (0)

/* Check a condition on an argument. */
#define CLSCAN__REQUIRE(condition, code, ...)                     \
    do {                                                          \
        if (!(condition)) {                                       \
            status = clscan__error_set(error, code, __VA_ARGS__); \
            goto cleanup;                                         \
        }                                                         \
    } while (0)

#endif
