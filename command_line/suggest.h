/* The nearest known name to a mistyped one. */
#ifndef CLSCAN_COMMAND_LINE_SUGGEST_H
#define CLSCAN_COMMAND_LINE_SUGGEST_H

#include <stddef.h>

/* Begin with `{.word = ..., .word_bytes = ...}`; offer every candidate; then `best` is the nearest name, or NULL if
 * none is near enough to be meant. */
typedef struct suggestion {
    const char *word; /* as typed; need not be terminated */
    size_t word_bytes;
    const char *best;
    size_t distance; /* of best */
} suggestion;

void suggest_offer(suggestion *found, const char *name);

#endif
