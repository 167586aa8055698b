#include "config_file/json.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longest part of a key that a pointer repeats. */
#define KEY_BYTES 40u

/* Of what is written: columns of a level, of a line, and digits of a number that is none of integers. */
#define INDENT 2u
#define LINE_BYTES 120u
#define REAL_DIGITS 15

/* A config needs 4. jansson goes down to 2048 by recursion, which the stacks of some threads do not hold. */
#define MOST_DEPTH 16u

/* More than jansson needs for any text of so many bytes: an empty object, "{},", takes some 230. */
#define MEMORY_PER_BYTE 80u

/* Append "/key", escaped as RFC 6901 says. What does not fit is left out. */
static void append_key(char *pointer, size_t capacity_bytes, const char *key, size_t key_bytes)
{
    size_t at = strlen(pointer);
    const size_t kept_bytes = key_bytes < KEY_BYTES ? key_bytes : KEY_BYTES;

    if (at + 2 * kept_bytes + 2 > capacity_bytes)
        return;
    pointer[at++] = '/';
    for (size_t i = 0; i < kept_bytes; ++i) {
        if (key[i] == '~' || key[i] == '/') {
            pointer[at++] = '~';
            pointer[at++] = key[i] == '~' ? '0' : '1';
        } else {
            pointer[at++] = key[i];
        }
    }
    pointer[at] = '\0';
}

clscan__json_place clscan__json_at_key(const clscan__json_place *parent, const char *key)
{
    clscan__json_place place = *parent;

    append_key(place.pointer, sizeof place.pointer, key, strlen(key));
    return place;
}

clscan__json_place clscan__json_at_index(const clscan__json_place *parent, size_t index)
{
    char text[24];

    snprintf(text, sizeof text, "%zu", index);
    return clscan__json_at_key(parent, text);
}

clscan_status clscan__json_fail(const clscan__json_place *place, const char *key, clscan_status status,
                                clscan_error *error, const char *format, ...)
{
    const clscan__json_place at = key != NULL ? clscan__json_at_key(place, key) : *place;
    char message[512];
    va_list arguments;

    if (error == NULL)
        return status;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    clscan__error_set(error, status, "%s: %s%s%s", at.source, at.pointer, at.pointer[0] != '\0' ? ": " : "", message);
    return status;
}

/* One object or array that a byte of the text lies in. */
typedef struct level {
    bool is_object;
    size_t index;    /* of the array's current item */
    const char *key; /* of the object's current member */
    size_t key_bytes;
} level;

/* Bytes from an opening quote to after the closing one, at most `limit_bytes`. */
static size_t string_bytes(const char *text, size_t limit_bytes)
{
    size_t at = 1;

    while (at < limit_bytes && text[at] != '"')
        at += text[at] == '\\' ? 2 : 1;
    return at < limit_bytes ? at + 1 : limit_bytes;
}

/* Work out the pointer of the member whose key ends at `end`. The text before it is valid JSON, because the
 * parser has come that far. */
static void find_key(const char *text, size_t end, clscan__json_place *place)
{
    level levels[MOST_DEPTH];
    size_t depth = 0;
    bool at_key = false;

    for (size_t i = 0; i < end; ++i) {
        level *top = depth > 0 ? &levels[depth - 1] : NULL;

        if (text[i] == '"') {
            const size_t bytes = string_bytes(text + i, end - i);
            if (top != NULL && at_key) {
                top->key = text + i + 1;
                top->key_bytes = bytes >= 2 ? bytes - 2 : 0;
            }
            i += bytes - 1;
        } else if (text[i] == '{' || text[i] == '[') {
            at_key = text[i] == '{';
            levels[depth++] = (level){at_key, 0, "", 0};
        } else if (depth == 0) {
            continue;
        } else if (text[i] == '}' || text[i] == ']') {
            --depth;
        } else if (text[i] == ',') {
            at_key = top->is_object;
            ++top->index;
        } else if (text[i] == ':') {
            at_key = false;
        }
    }
    for (size_t i = 0; i < depth; ++i) {
        if (levels[i].is_object)
            append_key(place->pointer, sizeof place->pointer, levels[i].key, levels[i].key_bytes);
        else
            *place = clscan__json_at_index(place, levels[i].index);
    }
}

static void set_position(clscan_error *error, int line, int column)
{
    if (error != NULL && line > 0) {
        error->line = line;
        error->column = column;
    }
}

static clscan_status fail_at(const char *source, int line, int column, const char *what, clscan_error *error)
{
    const clscan_status status =
        clscan__error_set(error, CLSCAN_ERROR_CONFIG_SYNTAX, "%s:%d:%d: %s", source, line, column, what);

    set_position(error, line, column);
    return status;
}

static clscan_status check_depth(const char *text, size_t text_bytes, const char *source, clscan_error *error)
{
    size_t depth = 0, line_begin = 0;
    int line = 1;

    for (size_t i = 0; i < text_bytes; ++i) {
        if (text[i] == '"') {
            i += string_bytes(text + i, text_bytes - i) - 1;
        } else if (text[i] == '\n') {
            ++line;
            line_begin = i + 1;
        } else if (text[i] == '{' || text[i] == '[') {
            if (++depth > MOST_DEPTH)
                return fail_at(source, line, (int)(i - line_begin) + 1, "nested too deeply", error);
        } else if ((text[i] == '}' || text[i] == ']') && depth > 0) {
            --depth;
        }
    }
    return CLSCAN_OK;
}

/* jansson 2.14 does not survive each allocation that fails: it loses bytes of strings, even their ends, and goes on. So
 * its memory must be there before. */
static bool has_memory(size_t text_bytes)
{
    void *memory = malloc(MEMORY_PER_BYTE * (text_bytes + 100));

    free(memory);
    return memory != NULL;
}

clscan_status clscan__json_load(const char *text, size_t text_bytes, const char *source, json_t **root,
                                clscan_error *error)
{
    clscan_status status;
    clscan__json_place place = {source, ""};
    json_error_t found;

    *root = NULL;
    CLSCAN__TRY(check_depth(text, text_bytes, source, error));
    if (!has_memory(text_bytes))
        return clscan__json_fail(&place, NULL, CLSCAN_ERROR_OUT_OF_MEMORY, error, "no memory to parse it");
    *root = json_loadb(text, text_bytes, JSON_REJECT_DUPLICATES, &found);
    if (*root != NULL)
        return CLSCAN_OK;

    if (json_error_code(&found) == json_error_duplicate_key) {
        find_key(text, (size_t)found.position < text_bytes ? (size_t)found.position : text_bytes, &place);
        status = clscan__json_fail(&place, NULL, CLSCAN_ERROR_CONFIG_SCHEMA, error,
                                   "duplicate key in line %d, column %d", found.line, found.column);
        set_position(error, found.line, found.column);
    } else if (json_error_code(&found) == json_error_out_of_memory || found.text[0] == '\0') {
        status = clscan__json_fail(&place, NULL, CLSCAN_ERROR_OUT_OF_MEMORY, error, "no memory to parse it");
    } else {
        status = fail_at(source, found.line, found.column, found.text, error);
    }

cleanup:
    return status;
}

static bool is_of_kind(const json_t *value, clscan__json_kind kind)
{
    switch (kind) {
    case CLSCAN__JSON_STRING:
        return json_is_string(value);
    case CLSCAN__JSON_INTEGER:
        return json_is_integer(value);
    case CLSCAN__JSON_INTEGER_OR_NULL:
        return json_is_integer(value) || json_is_null(value);
    case CLSCAN__JSON_NUMBER:
        return json_is_number(value);
    case CLSCAN__JSON_BOOLEAN:
        return json_is_boolean(value);
    case CLSCAN__JSON_OBJECT:
        return json_is_object(value);
    case CLSCAN__JSON_ARRAY:
        return json_is_array(value);
    }
    return false;
}

static const char *kind_name(clscan__json_kind kind)
{
    static const char *const names[] = {
        [CLSCAN__JSON_STRING] = "a string",   [CLSCAN__JSON_INTEGER] = "an integer",
        [CLSCAN__JSON_BOOLEAN] = "a boolean", [CLSCAN__JSON_INTEGER_OR_NULL] = "an integer or null",
        [CLSCAN__JSON_NUMBER] = "a number",   [CLSCAN__JSON_OBJECT] = "an object",
        [CLSCAN__JSON_ARRAY] = "an array",
    };
    return names[kind];
}

static const clscan__json_key *find_known(const clscan__json_keys *keys, const char *name)
{
    for (size_t i = 0; i < keys->count; ++i)
        if (strcmp(keys->list[i].name, name) == 0)
            return &keys->list[i];
    return NULL;
}

clscan_status clscan__json_check_object(const json_t *value, const clscan__json_place *place,
                                        const clscan__json_keys *keys, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const char *name;
    json_t *member;

    CLSCAN__JSON_REQUIRE(json_is_object(value), place, NULL, CLSCAN_ERROR_CONFIG_SCHEMA, "not an object");
    /* The macro takes a json_t *, but changes nothing. */
    json_object_foreach((json_t *)value, name, member)
    {
        const clscan__json_key *known = find_known(keys, name);

        CLSCAN__JSON_REQUIRE(known != NULL, place, name, CLSCAN_ERROR_CONFIG_SCHEMA, "unknown key");
        CLSCAN__JSON_REQUIRE(is_of_kind(member, known->kind), place, name, CLSCAN_ERROR_CONFIG_SCHEMA, "not %s",
                             kind_name(known->kind));
    }
    for (size_t i = 0; i < keys->count; ++i)
        CLSCAN__JSON_REQUIRE(!keys->list[i].required || json_object_get(value, keys->list[i].name) != NULL, place,
                             keys->list[i].name, CLSCAN_ERROR_CONFIG_SCHEMA, "missing");

cleanup:
    return status;
}

clscan_status clscan__json_read_choice(const json_t *object, const clscan__json_place *place, const char *key,
                                       const char *const *names, size_t name_count, uint32_t *choice,
                                       clscan_error *error)
{
    const char *text = clscan__json_text(object, key);
    char known[256];

    for (uint32_t i = 0; i < name_count; ++i)
        if (strcmp(text, names[i]) == 0) {
            *choice = i;
            return CLSCAN_OK;
        }
    clscan__list_names(known, sizeof known, names, name_count);
    return clscan__json_fail(place, key, CLSCAN_ERROR_CONFIG_SCHEMA, error, "\"%.40s\" is not one of: %s", text, known);
}

const char *clscan__json_text(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

/* ---- Writing ---- */

json_t *clscan__json_valid_text(const char *text)
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

typedef struct writer {
    FILE *to;
    size_t indent; /* columns */
    size_t column;
    bool failed; /* for lack of memory */
} writer;

static void put(writer *w, const char *text)
{
    fputs(text, w->to);
    w->column += strlen(text);
}

static void begin_line(writer *w)
{
    fprintf(w->to, "\n%*s", (int)w->indent, "");
    w->column = w->indent;
}

static void write_object(writer *w, const json_t *object, const clscan__json_keys *keys);

static void write_array(writer *w, const json_t *array, const clscan__json_keys *keys)
{
    put(w, "[");
    w->indent += INDENT;
    for (size_t i = 0; i < json_array_size(array); ++i) {
        put(w, i == 0 ? "" : ",");
        begin_line(w);
        write_object(w, json_array_get(array, i), keys);
    }
    w->indent -= INDENT;
    begin_line(w);
    put(w, "]");
}

/* Write the comma behind the last member, and begin a line if this one, of so many bytes, has to. */
static void separate(writer *w, bool is_first, bool begins_line, size_t length_bytes)
{
    put(w, is_first ? "" : ",");
    if (is_first || begins_line || w->column + strlen(" ") + length_bytes + strlen(",") > LINE_BYTES)
        begin_line(w);
    else
        put(w, " ");
}

static void write_member(writer *w, const clscan__json_key *key, const json_t *value, bool is_first)
{
    char *text = key->inner == NULL ? json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(REAL_DIGITS)) : NULL;
    const size_t text_bytes = text != NULL ? strlen(text) : 0;

    w->failed = w->failed || (text == NULL && key->inner == NULL);
    separate(w, is_first, key->begins_line, strlen(key->name) + strlen("\"\": ") + text_bytes);
    put(w, "\"");
    put(w, key->name);
    put(w, "\": ");
    if (key->kind == CLSCAN__JSON_ARRAY)
        write_array(w, value, key->inner);
    else if (key->inner != NULL)
        write_object(w, value, key->inner);
    else
        put(w, text != NULL ? text : "");
    free(text);
}

static void write_object(writer *w, const json_t *object, const clscan__json_keys *keys)
{
    bool is_first = true;

    put(w, "{");
    w->indent += INDENT;
    for (size_t i = 0; i < keys->count; ++i) {
        const json_t *value = json_object_get(object, keys->list[i].name);

        if (value != NULL) {
            write_member(w, &keys->list[i], value, is_first);
            is_first = false;
        }
    }
    w->indent -= INDENT;
    begin_line(w);
    put(w, "}");
}

bool clscan__json_write(FILE *to, const json_t *object, const clscan__json_keys *keys)
{
    writer w = {.to = to};

    write_object(&w, object, keys);
    put(&w, "\n");
    return !w.failed && ferror(to) == 0;
}

bool clscan__json_put(json_t *object, const char *key, json_t *value)
{
    return json_object_set_new(object, key, value) == 0;
}

json_t *clscan__json_whole(json_t *value, bool is_whole)
{
    if (is_whole)
        return value;
    json_decref(value);
    return NULL;
}

char *clscan__json_print(json_t *root, const clscan__json_keys *keys, size_t *size_bytes)
{
    char *text = NULL;
    FILE *to = root != NULL ? open_memstream(&text, size_bytes) : NULL;
    bool written = to != NULL && clscan__json_write(to, root, keys);

    written = to != NULL && fclose(to) == 0 && written;
    json_decref(root);
    if (written)
        return text;
    free(text);
    return NULL;
}
