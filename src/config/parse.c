#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "common/printable.h"
#include "config/config.h"
#include "config/entry.h"
#include "config/json.h"
#include "device/words.h"

static const char *const origin_names[] = {
#define X(name, text) text,
    CLSCAN__ORIGIN_LIST(X)
#undef X
};

static const clscan__json_key document_keys[] = {
    {"schema_version", CLSCAN__JSON_INTEGER, true},
    {"match", CLSCAN__JSON_STRING, true},
    {"provenance", CLSCAN__JSON_OBJECT, true},
    {"entries", CLSCAN__JSON_ARRAY, true},
};

static const clscan__json_key provenance_keys[] = {
    {"origin", CLSCAN__JSON_STRING, true},         {"date", CLSCAN__JSON_STRING, true},
    {"device", CLSCAN__JSON_STRING, false},        {"driver", CLSCAN__JSON_STRING, false},
    {"platform", CLSCAN__JSON_STRING, false},      {"clscan_version", CLSCAN__JSON_STRING, false},
    {"copy_gb_per_s", CLSCAN__JSON_NUMBER, false}, {"noise_percent", CLSCAN__JSON_NUMBER, false},
    {"journal", CLSCAN__JSON_STRING, false},       {"note", CLSCAN__JSON_STRING, false},
};

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

const char *clscan__origin_name(clscan__origin origin)
{
    return origin_names[origin];
}

/* Before everything else: another version may have other keys. */
static clscan_status check_version(const json_t *document, const clscan__json_place *place, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const json_t *version = json_object_get(document, "schema_version");

    CLSCAN__JSON_REQUIRE(!json_is_integer(version) || json_integer_value(version) == CLSCAN__SCHEMA_VERSION, place,
                         "schema_version", CLSCAN_ERROR_CONFIG_VERSION,
                         "%" JSON_INTEGER_FORMAT "; this library reads version %d", json_integer_value(version),
                         CLSCAN__SCHEMA_VERSION);

cleanup:
    return status;
}

static clscan_status read_match(const json_t *document, const clscan__json_place *place, clscan_config *config,
                                clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const char *text = clscan__json_text(document, "match");
    const size_t length_bytes = strlen(text);

    CLSCAN__JSON_REQUIRE(length_bytes > 0 && length_bytes < sizeof config->match &&
                             strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-") == length_bytes,
                         place, "match", CLSCAN_ERROR_CONFIG_SCHEMA,
                         "\"%.40s\" is not 1 to %zu lower-case letters, digits and '-'", text,
                         sizeof config->match - 1);
    memcpy(config->match, text, length_bytes + 1);
    config->match_bytes = length_bytes;

cleanup:
    return status;
}

/* The pattern of a date; that February is shorter does not matter here. */
static bool is_date(const char *text)
{
    unsigned month, day;

    return strlen(text) == 10 && strspn(text, "0123456789") == 4 && text[4] == '-' &&
           strspn(text + 5, "0123456789") == 2 && text[7] == '-' && strspn(text + 8, "0123456789") == 2 &&
           sscanf(text + 5, "%2u-%2u", &month, &day) == 2 && month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

/* An optional text; "" where it is missing. */
static void copy_member(const json_t *object, const char *name, char *text, size_t capacity_bytes)
{
    const char *value = json_string_value(json_object_get(object, name));

    clscan__copy_text(text, capacity_bytes, value != NULL ? value : "");
}

static clscan_status read_provenance(const json_t *object, const clscan__json_place *place, clscan_config *config,
                                     clscan_error *error)
{
    clscan_status status;
    const char *date;
    uint32_t origin;

    CLSCAN__TRY(clscan__json_check_object(object, place, provenance_keys, COUNT_OF(provenance_keys), error));
    CLSCAN__TRY(clscan__json_read_choice(object, place, "origin", origin_names, CLSCAN__ORIGIN_COUNT, &origin, error));
    config->origin = (clscan__origin)origin;
    date = clscan__json_text(object, "date");
    CLSCAN__JSON_REQUIRE(is_date(date), place, "date", CLSCAN_ERROR_CONFIG_SCHEMA, "\"%.40s\" is not a date YYYY-MM-DD",
                         date);
    for (size_t i = 0; i < COUNT_OF(provenance_keys); ++i)
        CLSCAN__JSON_REQUIRE(provenance_keys[i].kind != CLSCAN__JSON_NUMBER ||
                                 json_number_value(json_object_get(object, provenance_keys[i].name)) >= 0,
                             place, provenance_keys[i].name, CLSCAN_ERROR_CONFIG_SCHEMA, "a negative number");
    snprintf(config->date, sizeof config->date, "%s", date);
    copy_member(object, "device", config->device, sizeof config->device);
    copy_member(object, "driver", config->driver, sizeof config->driver);

cleanup:
    return status;
}

/* The entry of the same key that stands last before position `at`, NULL if there is none. */
static const clscan__config_entry *previous_of_key(const clscan_config *config, size_t at)
{
    for (size_t i = at; i-- > 0;)
        if (clscan__config_key_equal(&config->entries[i].key, &config->entries[at].key))
            return &config->entries[i];
    return NULL;
}

static bool is_last_of_key(const clscan_config *config, size_t at)
{
    for (size_t i = at + 1; i < config->entry_count; ++i)
        if (clscan__config_key_equal(&config->entries[i].key, &config->entries[at].key))
            return false;
    return true;
}

/* Entries of one key ascend, and the last has no limit: so every count has exactly one. There are few keys,
 * so both searches are short however many entries a file has. */
static clscan_status check_order(const clscan_config *config, const clscan__json_place *place, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (size_t i = 0; i < config->entry_count; ++i) {
        const clscan__json_place at = clscan__json_at_index(place, i);
        const clscan__config_entry *entry = &config->entries[i];
        const clscan__config_entry *previous = previous_of_key(config, i);

        if (previous != NULL) {
            const size_t index = (size_t)(previous - config->entries);
            CLSCAN__JSON_REQUIRE(previous->largest_count != entry->largest_count, &at, "largest_count",
                                 CLSCAN_ERROR_CONFIG_SCHEMA, "duplicate: /entries/%zu has the same key and limit",
                                 index);
            CLSCAN__JSON_REQUIRE(previous->largest_count < entry->largest_count, &at, "largest_count",
                                 CLSCAN_ERROR_CONFIG_SCHEMA, "less than that of /entries/%zu, which has the same key",
                                 index);
        }
        CLSCAN__JSON_REQUIRE(entry->largest_count == UINT64_MAX || !is_last_of_key(config, i), &at, "largest_count",
                             CLSCAN_ERROR_CONFIG_SCHEMA, "not null, but this is the last entry of its key");
    }

cleanup:
    return status;
}

static clscan_status read_entries(const json_t *array, const clscan__json_place *place, clscan_config *config,
                                  clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const size_t count = json_array_size(array);

    CLSCAN__JSON_REQUIRE(count > 0, place, NULL, CLSCAN_ERROR_CONFIG_SCHEMA, "empty");
    config->entries = calloc(count, sizeof *config->entries);
    CLSCAN__JSON_REQUIRE(config->entries != NULL, place, NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for %zu entries",
                         count);
    for (size_t i = 0; i < count; ++i) {
        const clscan__json_place at = clscan__json_at_index(place, i);

        CLSCAN__TRY(clscan__config_entry_read(json_array_get(array, i), &at, &config->entries[i], error));
    }
    config->entry_count = count;
    status = check_order(config, place, error);

cleanup:
    return status;
}

static clscan_status read_document(const json_t *document, clscan_config *config, clscan_error *error)
{
    const clscan__json_place root = {config->source, ""};
    const clscan__json_place provenance = clscan__json_at_key(&root, "provenance");
    const clscan__json_place entries = clscan__json_at_key(&root, "entries");
    clscan_status status;

    CLSCAN__TRY(check_version(document, &root, error));
    CLSCAN__TRY(clscan__json_check_object(document, &root, document_keys, COUNT_OF(document_keys), error));
    CLSCAN__TRY(read_match(document, &root, config, error));
    CLSCAN__TRY(read_provenance(json_object_get(document, "provenance"), &provenance, config, error));
    CLSCAN__TRY(read_entries(json_object_get(document, "entries"), &entries, config, error));

cleanup:
    return status;
}

clscan_status clscan_config_parse(const char *text, size_t text_bytes, const char *source, clscan_config **config,
                                  clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan_config *parsed = NULL;
    json_t *document = NULL;
    clscan__text name = {0};

    CLSCAN__REQUIRE(text != NULL && source != NULL && config != NULL, CLSCAN_ERROR_NULL_ARGUMENT,
                    "text, source or config is NULL");
    CLSCAN__REQUIRE(text_bytes <= CLSCAN_CONFIG_MAX_BYTES, CLSCAN_ERROR_CONFIG_SIZE,
                    "%s: %zu bytes; at most %u are read", source, text_bytes, CLSCAN_CONFIG_MAX_BYTES);
    parsed = calloc(1, sizeof *parsed);
    CLSCAN__REQUIRE(parsed != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "%s: no memory for the config", source);
    clscan__text_append(&name, "%s", source);
    CLSCAN__TRY(clscan__text_take(&name, &parsed->source, error));
    clscan__make_printable(parsed->source);
    CLSCAN__TRY(clscan__json_load(text, text_bytes, source, &document, error));
    CLSCAN__TRY(read_document(document, parsed, error));
    *config = parsed;
    parsed = NULL; /* now the caller's */

cleanup:
    json_decref(document);
    clscan_config_destroy(parsed);
    return status;
}

clscan_status clscan_config_load(const char *path, clscan_config **config, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    char *text = NULL;
    size_t text_bytes;

    CLSCAN__REQUIRE(path != NULL && config != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "path or config is NULL");
    CLSCAN__TRY(clscan__file_read(path, CLSCAN_CONFIG_MAX_BYTES, CLSCAN_ERROR_CONFIG_SIZE, &text, &text_bytes, error));
    CLSCAN__TRY(clscan_config_parse(text, text_bytes, path, config, error));

cleanup:
    free(text);
    return status;
}

void clscan_config_destroy(clscan_config *config)
{
    if (config == NULL)
        return;
    free(config->entries);
    free(config->source);
    free(config);
}
