#include "files/json_text.h"

#include <stdlib.h>
#include <string.h>

json_t *tune_json_text(const char *text)
{
    json_t *string = json_string(text);
    char *plain;

    if (string != NULL)
        return string;
    plain = strdup(text);
    if (plain == NULL)
        return NULL;
    for (char *at = plain; *at != '\0'; ++at)
        if ((unsigned char)*at >= 0x80)
            *at = '?';
    string = json_string(plain);
    free(plain);
    return string;
}
