/* Configs that could not be written to the user's folder: the process keeps them in memory, and asks them before the
 * files of that folder. */
#ifndef CLSCAN_CONFIG_UNKEPT_H
#define CLSCAN_CONFIG_UNKEPT_H

#include <stdbool.h>

#include "base/error.h"

typedef struct clscan__unkept {
    char *folder; /* "": none is known */
    char *name;   /* of the file that could not be written */
    char *source; /* as messages call it */
    char *text;
    size_t text_bytes;
} clscan__unkept;

/* Keep a config in the place of the one of that folder and name, if there is one. CLSCAN_ERROR_OUT_OF_MEMORY. */
clscan_status clscan__unkept_put(const char *folder, const char *name, const char *source, const char *text,
                                 size_t text_bytes, clscan_error *error);
void clscan__unkept_remove(const char *folder, const char *name);

/* Copy the one that stands at `index` among those of the folder. False: there are no more, or there is no memory. The
 * caller frees the copy. */
bool clscan__unkept_get(const char *folder, size_t index, clscan__unkept *copy);
void clscan__unkept_free(clscan__unkept *unkept);

#endif
