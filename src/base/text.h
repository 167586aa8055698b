/* A growable string. A failed allocation sticks: later appends do nothing, and take() reports it. */
#ifndef CLSCAN_BASE_TEXT_H
#define CLSCAN_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

typedef struct clscan__text {
    char *data; /* always terminated once something was appended */
    size_t length_bytes;
    size_t capacity_bytes;
    bool failed;
} clscan__text;

void clscan__text_append(clscan__text *text, const char *format, ...) CLSCAN__PRINTF(2, 3);
void clscan__text_append_bytes(clscan__text *text, const char *bytes, size_t length_bytes);

/* Hand the string to the caller, who frees it; leaves `text` empty. CLSCAN_ERROR_OUT_OF_MEMORY after a
 * failed append. */
clscan_status clscan__text_take(clscan__text *text, char **string, clscan_error *error);

void clscan__text_free(clscan__text *text);

#endif
