#include "json_output.h"

#include <stdio.h>
#include <string.h>

#include "command_line/failure.h"
#include "config_file/json.h"

json_t *json_text(const char *text)
{
    return text[0] == '\0' ? json_null() : clscan__json_valid_text(text);
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
