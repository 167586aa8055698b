/* JSON with places: what jansson reads, and messages that say where in the document something is wrong. */
#ifndef CLSCAN_CONFIG_FILE_JSON_H
#define CLSCAN_CONFIG_FILE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

#include "common/error.h"

/* A value's place in a document. */
typedef struct clscan__json_place {
    const char *source;
    char pointer[160]; /* JSON pointer; "" is the whole document. Long keys are cut. */
} clscan__json_place;

typedef enum clscan__json_kind {
    CLSCAN__JSON_STRING,
    CLSCAN__JSON_INTEGER,
    CLSCAN__JSON_INTEGER_OR_NULL,
    CLSCAN__JSON_NUMBER,
    CLSCAN__JSON_BOOLEAN,
    CLSCAN__JSON_OBJECT,
    CLSCAN__JSON_ARRAY
} clscan__json_kind;

/* One key that an object may have. */
typedef struct clscan__json_key {
    const char *name;
    clscan__json_kind kind;
    bool required;
    bool begins_line;                      /* when it is written */
    const struct clscan__json_keys *inner; /* of an object, or of each object in an array */
} clscan__json_key;

/* All keys of an object, in the order of writing. */
typedef struct clscan__json_keys {
    const clscan__json_key *list;
    size_t count;
} clscan__json_keys;

/* Parse a whole document. CLSCAN_ERROR_CONFIG_SYNTAX with source, line and column; CLSCAN_ERROR_CONFIG_SCHEMA
 * with the JSON pointer of a key that an object has twice. */
clscan_status clscan__json_load(const char *text, size_t text_bytes, const char *source, json_t **root,
                                clscan_error *error);

clscan__json_place clscan__json_at_key(const clscan__json_place *parent, const char *key);
clscan__json_place clscan__json_at_index(const clscan__json_place *parent, size_t index);

/* Fill `error` with "source: pointer: message" and return `status`. `key` is the member of the object at
 * `place` that is wrong; NULL: the value at `place` itself. */
clscan_status clscan__json_fail(const clscan__json_place *place, const char *key, clscan_status status,
                                clscan_error *error, const char *format, ...) CLSCAN__PRINTF(5, 6);

/* Leave the function through its `cleanup` label when `condition` does not hold. */
#define CLSCAN__JSON_REQUIRE(condition, place, key, code, ...)                \
    do {                                                                      \
        if (!(condition)) {                                                   \
            status = clscan__json_fail(place, key, code, error, __VA_ARGS__); \
            goto cleanup;                                                     \
        }                                                                     \
    } while (0)

/* Is `value` an object with these keys and no others, each of its kind, the required ones all there? */
clscan_status clscan__json_check_object(const json_t *value, const clscan__json_place *place,
                                        const clscan__json_keys *keys, clscan_error *error);

/* Which of `names` does the member `key`, a string, hold? */
clscan_status clscan__json_read_choice(const json_t *object, const clscan__json_place *place, const char *key,
                                       const char *const *names, size_t name_count, uint32_t *choice,
                                       clscan_error *error);

/* The member `key` as text; NULL if it is missing or no string. The object keeps it. */
const char *clscan__json_text(const json_t *object, const char *key);

/* A string, with '?' for each byte of it that is no ASCII where the text is no UTF-8, as in some drivers' texts. NULL if
 * memory ran out. */
json_t *clscan__json_valid_text(const char *text);

/* Put a value, which is NULL for lack of memory, into an object, which takes it over. Returns whether that went well. */
bool clscan__json_put(json_t *object, const char *key, json_t *value);

/* The value if it is whole; else NULL, and it is released. */
json_t *clscan__json_whole(json_t *value, bool is_whole);

/* Write an object with such keys: a line begins where the keys say so, and where one would be too long. Returns false if
 * memory ran out, or writing failed. */
bool clscan__json_write(FILE *to, const json_t *object, const clscan__json_keys *keys);

/* The same as text that the caller frees, of `root`, which is released; NULL if memory ran out, or if `root` is NULL. */
char *clscan__json_print(json_t *root, const clscan__json_keys *keys, size_t *size_bytes);

#endif
