#include "devices/told.h"

#include <stdio.h>
#include <string.h>

void clscan__told_name(char name[CLSCAN__TOLD_BYTES], const char *array, size_t index)
{
    snprintf(name, CLSCAN__TOLD_BYTES, "%s[%zu]", array, index);
}

clscan_status clscan__told(const char *name, clscan_status status, clscan_error *error)
{
    char message[CLSCAN_ERROR_MESSAGE_BYTES];

    if (status == CLSCAN_OK || error == NULL)
        return status;
    memcpy(message, error->message, sizeof message);
    snprintf(error->message, sizeof error->message, "%.*s: %.*s", CLSCAN__TOLD_BYTES - 1, name,
             (int)(sizeof message - CLSCAN__TOLD_BYTES - 2), message);
    return status;
}
