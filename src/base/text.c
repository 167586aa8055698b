#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(clscan__text *text, size_t more_bytes)
{
    const size_t needed_bytes = text->length_bytes + more_bytes + 1;
    size_t capacity_bytes = text->capacity_bytes == 0 ? 256 : text->capacity_bytes;
    char *data;

    if (text->failed)
        return false;
    if (needed_bytes <= text->capacity_bytes)
        return true;
    while (capacity_bytes < needed_bytes)
        capacity_bytes *= 2;
    data = realloc(text->data, capacity_bytes);
    if (data == NULL) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->capacity_bytes = capacity_bytes;
    return true;
}

void clscan__text_append_bytes(clscan__text *text, const char *bytes, size_t length_bytes)
{
    if (!reserve(text, length_bytes))
        return;
    memcpy(text->data + text->length_bytes, bytes, length_bytes);
    text->length_bytes += length_bytes;
    text->data[text->length_bytes] = '\0';
}

void clscan__text_append(clscan__text *text, const char *format, ...)
{
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0) {
        text->failed = true;
        return;
    }
    if (!reserve(text, (size_t)length))
        return;
    va_start(arguments, format);
    vsnprintf(text->data + text->length_bytes, (size_t)length + 1, format, arguments);
    va_end(arguments);
    text->length_bytes += (size_t)length;
}

clscan_status clscan__text_take(clscan__text *text, char **string, clscan_error *error)
{
    if (text->failed || !reserve(text, 0)) {
        clscan__text_free(text);
        return clscan__error_set(error, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for a text");
    }
    text->data[text->length_bytes] = '\0';
    *string = text->data;
    *text = (clscan__text){0};
    return CLSCAN_OK;
}

void clscan__text_free(clscan__text *text)
{
    free(text->data);
    *text = (clscan__text){0};
}
