#include "base/structs.h"

#include <string.h>

static size_t size_of(const void *given)
{
    size_t struct_size;

    memcpy(&struct_size, given, sizeof struct_size);
    return struct_size;
}

clscan_status clscan__struct_check(const void *given, const char *name, clscan_error *error)
{
    const size_t given_bytes = size_of(given);

    if (given_bytes >= sizeof(size_t) && given_bytes <= CLSCAN__MOST_STRUCT_BYTES)
        return CLSCAN_OK;
    return clscan__error_set(error, CLSCAN_ERROR_STRUCT_SIZE, "%s->struct_size is %zu; set it to the struct's sizeof",
                             name, given_bytes);
}

const void *clscan__struct_take(const void *given, void *room, size_t room_bytes, const char *name, clscan_error *error)
{
    const size_t given_bytes = size_of(given);
    const unsigned char *bytes = given;

    if (given_bytes == room_bytes)
        return given;
    if (clscan__struct_check(given, name, error) != CLSCAN_OK)
        return NULL;
    for (size_t i = room_bytes; i < given_bytes; ++i)
        if (bytes[i] != 0) {
            clscan__error_set(
                error, CLSCAN_ERROR_STRUCT_SIZE,
                "%s has %zu bytes, of which byte %zu is set; this clscan knows %zu: the program was built "
                "against a newer clscan",
                name, given_bytes, i, room_bytes);
            return NULL;
        }
    clscan__struct_give_bytes(room, room_bytes, given, given_bytes);
    memcpy(room, &room_bytes, sizeof room_bytes);
    return room;
}

void clscan__struct_give_bytes(void *given, size_t given_bytes, const void *value, size_t value_bytes)
{
    const size_t known_bytes = given_bytes < value_bytes ? given_bytes : value_bytes;

    memcpy(given, value, known_bytes);
    memset((unsigned char *)given + known_bytes, 0, given_bytes - known_bytes);
}

void clscan__struct_give(void *given, const void *value, size_t value_bytes)
{
    const size_t given_bytes = size_of(given);

    clscan__struct_give_bytes(given, given_bytes, value, value_bytes);
    memcpy(given, &given_bytes, sizeof given_bytes);
}
