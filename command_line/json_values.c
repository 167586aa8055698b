#include "json_values.h"

#include <stdlib.h>
#include <string.h>

json_t *json_valid_text(const char *text)
{
    json_t *made = json_string(text);
    char *copy;

    if (made != NULL)
        return made;
    copy = malloc(strlen(text) + 1);
    if (copy == NULL)
        return NULL;
    strcpy(copy, text);
    for (char *at = copy; *at != '\0'; ++at)
        *at = (unsigned char)*at < 0x80 ? *at : '?';
    made = json_string(copy);
    free(copy);
    return made;
}

json_t *json_count(uint64_t count)
{
    return count <= INT64_MAX ? json_integer((json_int_t)count) : json_real((double)count);
}
