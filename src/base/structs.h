/* Public structs that begin with struct_size, of programs that were built against other versions of the headers
 * (docs/decisions/0017-structs-that-grow.md). */
#ifndef CLSCAN_BASE_STRUCTS_H
#define CLSCAN_BASE_STRUCTS_H

#include <stddef.h>

#include "base/error.h"

/* No struct will ever be larger; more is a struct_size that was not set. */
#define CLSCAN__MOST_STRUCT_BYTES ((size_t)1 << 16)

/* The struct at `given` as this library knows it, in `room_bytes`: itself, or a copy in `room` whose missing end is
 * zero. NULL, with CLSCAN_ERROR_STRUCT_SIZE in `error`, if struct_size is none, or bytes are set that the library does
 * not know. `name` is the argument's. */
const void *clscan__struct_take(const void *given, void *room, size_t room_bytes, const char *name,
                                clscan_error *error);

/* Has the caller set struct_size of what the library is to fill? */
clscan_status clscan__struct_check(const void *given, const char *name, clscan_error *error);

/* Fill a checked struct from `value`: as much as both know. The rest becomes zero; struct_size stays. */
void clscan__struct_give(void *given, const void *value, size_t value_bytes);

/* The same for a struct without struct_size that stands in an array of that stride. */
void clscan__struct_give_bytes(void *given, size_t given_bytes, const void *value, size_t value_bytes);

/* Let the argument `pointer`, which is not NULL, point to what this library knows of it; `room` is a variable of the
 * struct's type. Leaves the function through `cleanup` if it cannot be. */
#define CLSCAN__TAKE(pointer, room)                                                         \
    do {                                                                                    \
        (pointer) = clscan__struct_take((pointer), &(room), sizeof(room), #pointer, error); \
        if ((pointer) == NULL) {                                                            \
            status = CLSCAN_ERROR_STRUCT_SIZE;                                              \
            goto cleanup;                                                                   \
        }                                                                                   \
    } while (0)

#endif
