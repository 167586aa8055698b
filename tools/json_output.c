#include "json_output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_line/failure.h"

json_t *json_text(const char *text)
{
    json_t *made;
    char *copy;

    if (text[0] == '\0')
        return json_null();
    made = json_string(text);
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

/* JSON knows no largest integer, jansson does: beyond it the nearest real number stands. */
json_t *json_count(uint64_t count)
{
    return count <= INT64_MAX ? json_integer((json_int_t)count) : json_real((double)count);
}

json_t *json_number(uint64_t number, uint64_t unknown)
{
    return number == unknown ? json_null() : json_count(number);
}

json_t *json_words(const char *words)
{
    json_t *array = json_array();

    while (array != NULL && *words != '\0') {
        const size_t word_bytes = strcspn(words, " ");

        if (word_bytes > 0 && json_array_append_new(array, json_stringn(words, word_bytes)) != 0) {
            json_decref(array);
            return NULL;
        }
        words += word_bytes + (words[word_bytes] == ' ' ? 1 : 0);
    }
    return array;
}

clscan_status json_put(json_t *object, const char *key, json_t *value, clscan_error *error)
{
    if (json_object_set_new(object, key, value) == 0)
        return CLSCAN_OK;
    return fail(error, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for \"%s\" of the JSON output", key);
}

clscan_status json_add(json_t *array, json_t *value, clscan_error *error)
{
    if (json_array_append_new(array, value) == 0)
        return CLSCAN_OK;
    return fail(error, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for the JSON output");
}

clscan_status json_print(const json_t *value, clscan_error *error)
{
    /* A failed write shows when standard output is flushed at the end; only memory can fail here. */
    if (json_dumpf(value, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(15)) != 0 && ferror(stdout) == 0)
        return fail(error, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for the JSON output");
    putchar('\n');
    return CLSCAN_OK;
}
