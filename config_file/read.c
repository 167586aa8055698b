#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config_file/axes.h"
#include "config_file/document.h"
#include "config_file/keys.h"

#define REVISION_DIGITS 16u

/* ---- One entry ---- */

static clscan_status read_key(const json_t *object, const clscan__json_place *place, clscan__config_key *key,
                              clscan_error *error)
{
    const json_int_t size_bytes = json_integer_value(json_object_get(object, "element_size_bytes"));
    const json_t *sum = json_object_get(object, "sum_size_bytes");
    const json_t *least = json_object_get(object, "smallest_element_size_bytes");
    const json_int_t sum_bytes = sum != NULL ? json_integer_value(sum) : size_bytes;
    const clscan_problem scalar = {.struct_size = sizeof scalar, .type = clscan__type_of_size((uint64_t)size_bytes)};
    clscan_status status;
    uint32_t choice;

    CLSCAN__TRY(clscan__json_read_choice(object, place, "operation", clscan__operation_names,
                                         CLSCAN__CONFIG_OPERATION_COUNT, &choice, error));
    key->operation = (clscan__config_operation)choice;
    CLSCAN__TRY(clscan__json_read_choice(object, place, "operator_class", clscan__operator_class_names,
                                         CLSCAN_OPERATOR_CLASS_COUNT, &choice, error));
    key->operator_class = (clscan_operator_class)choice;
    CLSCAN__JSON_REQUIRE(size_bytes >= 1 && size_bytes <= CLSCAN__MOST_KEY_BYTES, place, "element_size_bytes",
                         CLSCAN_ERROR_CONFIG_SCHEMA, "no element type has %" JSON_INTEGER_FORMAT " bytes", size_bytes);
    CLSCAN__JSON_REQUIRE(sum_bytes >= 1 && sum_bytes <= CLSCAN__MOST_KEY_BYTES, place, "sum_size_bytes",
                         CLSCAN_ERROR_CONFIG_SCHEMA, "no sum has %" JSON_INTEGER_FORMAT " bytes", sum_bytes);
    key->element_size_bytes = (uint32_t)size_bytes;
    key->sum_size_bytes = sum_bytes != size_bytes ? (uint32_t)sum_bytes : 0;
    CLSCAN__JSON_REQUIRE(least == NULL || (json_integer_value(least) >= 1 && json_integer_value(least) <= size_bytes),
                         place, "smallest_element_size_bytes", CLSCAN_ERROR_CONFIG_SCHEMA,
                         "%" JSON_INTEGER_FORMAT " is not between 1 and element_size_bytes", json_integer_value(least));
    key->least_size_bytes = least != NULL ? (uint32_t)json_integer_value(least) : 0;
    CLSCAN__JSON_REQUIRE(sum == NULL || !clscan__config_operation_is_segmented(key->operation), place, "sum_size_bytes",
                         CLSCAN_ERROR_CONFIG_SCHEMA, "given, but the elements of operation %s are sums",
                         clscan__config_operation_name(key->operation));
    CLSCAN__JSON_REQUIRE(key->operator_class != CLSCAN_OPERATOR_CLASS_NATIVE ||
                             clscan_operator_class_of(&scalar) == key->operator_class,
                         place, "operator_class", CLSCAN_ERROR_CONFIG_SCHEMA,
                         "no native operator has elements of %" JSON_INTEGER_FORMAT " bytes", size_bytes);
    CLSCAN__JSON_REQUIRE(key->operator_class != CLSCAN_OPERATOR_CLASS_NATIVE || key->operation <= CLSCAN__CONFIG_REDUCE,
                         place, "operator_class", CLSCAN_ERROR_CONFIG_SCHEMA, "operation %s has no native operators",
                         clscan__config_operation_name(key->operation));
    key->reproducible = json_is_true(json_object_get(object, "reproducible"));
    CLSCAN__JSON_REQUIRE(!key->reproducible || (scalar.type != CLSCAN_TYPE_COUNT && least == NULL), place,
                         "reproducible", CLSCAN_ERROR_CONFIG_SCHEMA,
                         "true, but elements of %" JSON_INTEGER_FORMAT " bytes have no reproducible order", size_bytes);
    CLSCAN__JSON_REQUIRE(!key->reproducible || key->operation <= CLSCAN__CONFIG_REDUCE, place, "reproducible",
                         CLSCAN_ERROR_CONFIG_SCHEMA, "true, but operation %s has no reproducible order",
                         clscan__config_operation_name(key->operation));

cleanup:
    return status;
}

static clscan_status read_axes(const json_t *object, const clscan__json_place *place, clscan_variant *variant,
                               clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (size_t i = 0; i < CLSCAN__AXIS_COUNT; ++i) {
        const clscan__axis *axis = &clscan__axes[i];
        const bool given = json_object_get(object, axis->name) != NULL;
        /* The carry stands before the order in the list, so it is known here. */
        const bool wanted = i != CLSCAN__AXIS_ORDER || clscan__variant_has_order(variant);
        uint32_t value;

        CLSCAN__JSON_REQUIRE(wanted || !given, place, axis->name, CLSCAN_ERROR_CONFIG_SCHEMA,
                             "given, but this carry takes tiles in no order");
        CLSCAN__JSON_REQUIRE(given || !wanted, place, axis->name, CLSCAN_ERROR_CONFIG_SCHEMA, "missing");
        if (!wanted)
            continue;
        CLSCAN__TRY(
            clscan__json_read_choice(object, place, axis->name, axis->values, axis->value_count, &value, error));
        clscan__axis_set(axis, variant, value);
    }

cleanup:
    return status;
}

static clscan_status read_params(const json_t *object, const clscan__json_place *place, clscan_variant *variant,
                                 clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i) {
        const clscan__param *param = &clscan__params[i];
        const json_t *member = json_object_get(object, param->name);
        const json_int_t value = json_integer_value(member);
        const bool needed = clscan__param_needed(variant, param);

        CLSCAN__JSON_REQUIRE(needed || member == NULL, place, param->name, CLSCAN_ERROR_CONFIG_SCHEMA,
                             "given, but this body and carry do not use it");
        CLSCAN__JSON_REQUIRE(!needed || member != NULL, place, param->name, CLSCAN_ERROR_CONFIG_SCHEMA, "missing");
        if (!needed)
            continue;
        CLSCAN__JSON_REQUIRE(value >= param->min && value <= param->max, place, param->name, CLSCAN_ERROR_CONFIG_SCHEMA,
                             "%" JSON_INTEGER_FORMAT " is not in [%" PRIu32 ", %" PRIu32 "]", value, param->min,
                             param->max);
        clscan__param_set(param, variant, (uint32_t)value);
    }

cleanup:
    return status;
}

static clscan_status read_variant(const json_t *object, const clscan__json_place *place, clscan_variant *variant,
                                  clscan_error *error)
{
    clscan_status status;

    CLSCAN__TRY(clscan__json_check_object(object, place, &clscan__variant_keys, error));
    CLSCAN__TRY(read_axes(object, place, variant, error));
    CLSCAN__TRY(read_params(object, place, variant, error));

cleanup:
    return status;
}

static clscan_status read_largest_count(const json_t *object, const clscan__json_place *place, uint64_t *largest_count,
                                        clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const json_t *member = json_object_get(object, "largest_count");

    CLSCAN__JSON_REQUIRE(json_is_null(member) || json_integer_value(member) > 0, place, "largest_count",
                         CLSCAN_ERROR_CONFIG_SCHEMA, "%" JSON_INTEGER_FORMAT " is not positive",
                         json_integer_value(member));
    *largest_count = json_is_null(member) ? UINT64_MAX : (uint64_t)json_integer_value(member);

cleanup:
    return status;
}

/* The other end of the size class; of an entry whose largest count is known. */
static clscan_status read_smallest_count(const json_t *object, const clscan__json_place *place,
                                         clscan__config_entry *entry, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const json_t *member = json_object_get(object, "smallest_count");
    const json_int_t count = json_integer_value(member);

    if (member == NULL)
        return CLSCAN_OK;
    CLSCAN__JSON_REQUIRE(count > 0 && (uint64_t)count <= entry->largest_count, place, "smallest_count",
                         CLSCAN_ERROR_CONFIG_SCHEMA, "%" JSON_INTEGER_FORMAT " is not between 1 and largest_count",
                         count);
    entry->smallest_count = (uint64_t)count;

cleanup:
    return status;
}

static clscan_status read_unfinished(const json_t *object, const clscan__json_place *place, uint64_t *unfinished_ms,
                                     clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const json_t *member = json_object_get(object, "unfinished_ms");

    CLSCAN__JSON_REQUIRE(member == NULL || json_integer_value(member) > 0, place, "unfinished_ms",
                         CLSCAN_ERROR_CONFIG_SCHEMA, "%" JSON_INTEGER_FORMAT " is not positive",
                         json_integer_value(member));
    *unfinished_ms = (uint64_t)json_integer_value(member);

cleanup:
    return status;
}

static clscan_status read_revision(const json_t *object, const clscan__json_place *place, char *revision,
                                   size_t capacity_bytes, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const char *text = clscan__json_text(object, "revision");

    if (text == NULL)
        return CLSCAN_OK;
    CLSCAN__JSON_REQUIRE(strlen(text) == REVISION_DIGITS && strspn(text, "0123456789abcdef") == REVISION_DIGITS, place,
                         "revision", CLSCAN_ERROR_CONFIG_SCHEMA, "\"%.40s\" is not %u lower-case hexadecimal digits",
                         text, REVISION_DIGITS);
    snprintf(revision, capacity_bytes, "%s", text);

cleanup:
    return status;
}

/* What rows run with: other carries know of one chain of tiles only. */
static clscan_status check_rows(const clscan__config_entry *entry, const clscan__json_place *place, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    CLSCAN__JSON_REQUIRE(!clscan__config_operation_has_rows(entry->key.operation) ||
                             entry->variant.carry == CLSCAN_CARRY_REDUCE_THEN_SCAN,
                         place, "carry", CLSCAN_ERROR_CONFIG_SCHEMA, "%s, but operation %s takes reduce_then_scan only",
                         clscan__axis_value_name(&clscan__axes[CLSCAN__AXIS_CARRY], entry->variant.carry),
                         clscan__config_operation_name(entry->key.operation));

cleanup:
    return status;
}

static clscan_status read_entry(const json_t *object, const clscan__json_place *place, clscan__document *document,
                                clscan_error *error)
{
    const clscan__json_place variant_place = clscan__json_at_key(place, "variant");
    clscan__config_entry entry = {.revision = ""};
    clscan_status status;

    CLSCAN__TRY(clscan__json_check_object(object, place, &clscan__entry_keys, error));
    CLSCAN__TRY(read_key(object, place, &entry.key, error));
    CLSCAN__TRY(read_largest_count(object, place, &entry.largest_count, error));
    CLSCAN__TRY(read_smallest_count(object, place, &entry, error));
    CLSCAN__TRY(read_unfinished(object, place, &entry.unfinished_ms, error));
    CLSCAN__TRY(read_revision(object, place, entry.revision, sizeof entry.revision, error));
    CLSCAN__TRY(read_variant(json_object_get(object, "variant"), &variant_place, &entry.variant, error));
    CLSCAN__TRY(check_rows(&entry, &variant_place, error));
    entry.note = clscan__json_text(object, "note");
    CLSCAN__TRY(clscan__document_add(document, &entry, error));

cleanup:
    return status;
}

/* ---- The document ---- */

/* Before everything else: another version may have other keys. */
static clscan_status check_version(const json_t *root, const clscan__json_place *place, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const json_t *version = json_object_get(root, "schema_version");

    CLSCAN__JSON_REQUIRE(!json_is_integer(version) || json_integer_value(version) == CLSCAN__SCHEMA_VERSION, place,
                         "schema_version", CLSCAN_ERROR_CONFIG_VERSION,
                         "%" JSON_INTEGER_FORMAT "; this library reads version %d", json_integer_value(version),
                         CLSCAN__SCHEMA_VERSION);

cleanup:
    return status;
}

static clscan_status read_match(const json_t *root, const clscan__json_place *place, clscan__document *document,
                                clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const char *text = clscan__json_text(root, "match");
    const size_t length_bytes = strlen(text);

    CLSCAN__JSON_REQUIRE(length_bytes > 0 && length_bytes < sizeof document->match &&
                             strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-") == length_bytes,
                         place, "match", CLSCAN_ERROR_CONFIG_SCHEMA,
                         "\"%.40s\" is not 1 to %zu lower-case letters, digits and '-'", text,
                         sizeof document->match - 1);
    memcpy(document->match, text, length_bytes + 1);

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

static clscan_status read_provenance(const json_t *object, const clscan__json_place *place, clscan__document *document,
                                     clscan_error *error)
{
    clscan_status status;
    clscan__provenance *read = &document->provenance;
    const struct {
        const char *key, **text;
    } texts[] = {{"device", &read->device},     {"driver", &read->driver},
                 {"platform", &read->platform}, {"clscan_version", &read->clscan_version},
                 {"journal", &read->journal},   {"note", &read->note}};
    const struct {
        const char *key;
        double *number;
    } numbers[] = {{"copy_gb_per_s", &read->copy_gb_per_s}, {"noise_percent", &read->noise_percent}};
    const char *date;
    uint32_t origin;

    CLSCAN__TRY(clscan__json_check_object(object, place, &clscan__provenance_keys, error));
    CLSCAN__TRY(
        clscan__json_read_choice(object, place, "origin", clscan__origin_names, CLSCAN__ORIGIN_COUNT, &origin, error));
    read->origin = (clscan__origin)origin;
    date = clscan__json_text(object, "date");
    CLSCAN__JSON_REQUIRE(is_date(date), place, "date", CLSCAN_ERROR_CONFIG_SCHEMA, "\"%.40s\" is not a date YYYY-MM-DD",
                         date);
    snprintf(read->date, sizeof read->date, "%s", date);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i) {
        *numbers[i].number = json_number_value(json_object_get(object, numbers[i].key));
        CLSCAN__JSON_REQUIRE(*numbers[i].number >= 0, place, numbers[i].key, CLSCAN_ERROR_CONFIG_SCHEMA,
                             "a negative number");
    }
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i)
        CLSCAN__TRY(clscan__document_keep(document, clscan__json_text(object, texts[i].key), texts[i].text, error));

cleanup:
    return status;
}

/* The entry of the same key that stands last before position `at`, NULL if there is none. */
static const clscan__config_entry *previous_of_key(const clscan__document *document, size_t at)
{
    for (size_t i = at; i-- > 0;)
        if (clscan__config_key_equal(&document->entries[i].key, &document->entries[at].key))
            return &document->entries[i];
    return NULL;
}

static bool is_last_of_key(const clscan__document *document, size_t at)
{
    for (size_t i = at + 1; i < document->entry_count; ++i)
        if (clscan__config_key_equal(&document->entries[i].key, &document->entries[at].key))
            return false;
    return true;
}

/* Entries of one key ascend, and the last has no limit: so no count has two, and but for those that were measured at
 * first use, or name their smallest count, each has one. There are few keys, so both searches are short however many entries a file has. */
static clscan_status check_order(const clscan__document *document, const clscan__json_place *place, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (size_t i = 0; i < document->entry_count; ++i) {
        const clscan__json_place at = clscan__json_at_index(place, i);
        const clscan__config_entry *entry = &document->entries[i];
        const clscan__config_entry *previous = previous_of_key(document, i);

        if (previous != NULL) {
            const size_t index = (size_t)(previous - document->entries);
            CLSCAN__JSON_REQUIRE(previous->largest_count != entry->largest_count, &at, "largest_count",
                                 CLSCAN_ERROR_CONFIG_SCHEMA, "duplicate: /entries/%zu has the same key and limit",
                                 index);
            CLSCAN__JSON_REQUIRE(previous->largest_count < entry->largest_count, &at, "largest_count",
                                 CLSCAN_ERROR_CONFIG_SCHEMA, "less than that of /entries/%zu, which has the same key",
                                 index);
            CLSCAN__JSON_REQUIRE(entry->smallest_count == 0 || previous->largest_count < entry->smallest_count, &at,
                                 "smallest_count", CLSCAN_ERROR_CONFIG_SCHEMA,
                                 "not above the largest_count of /entries/%zu, which has the same key", index);
        }
        CLSCAN__JSON_REQUIRE(entry->largest_count == UINT64_MAX || !is_last_of_key(document, i) ||
                                 document->provenance.origin == CLSCAN__ORIGIN_MEASURED,
                             &at, "largest_count", CLSCAN_ERROR_CONFIG_SCHEMA,
                             "not null, but this is the last entry of its key");
    }

cleanup:
    return status;
}

static clscan_status read_entries(const json_t *array, const clscan__json_place *place, clscan__document *document,
                                  clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const size_t count = json_array_size(array);

    CLSCAN__JSON_REQUIRE(count > 0, place, NULL, CLSCAN_ERROR_CONFIG_SCHEMA, "empty");
    for (size_t i = 0; i < count; ++i) {
        const clscan__json_place at = clscan__json_at_index(place, i);

        CLSCAN__TRY(read_entry(json_array_get(array, i), &at, document, error));
    }
    status = check_order(document, place, error);

cleanup:
    return status;
}

static clscan_status read_root(const json_t *root, const char *source, clscan__document *document, clscan_error *error)
{
    const clscan__json_place place = {source, ""};
    const clscan__json_place provenance = clscan__json_at_key(&place, "provenance");
    const clscan__json_place entries = clscan__json_at_key(&place, "entries");
    clscan_status status;

    CLSCAN__TRY(check_version(root, &place, error));
    CLSCAN__TRY(clscan__json_check_object(root, &place, &clscan__document_keys, error));
    CLSCAN__TRY(read_match(root, &place, document, error));
    CLSCAN__TRY(read_provenance(json_object_get(root, "provenance"), &provenance, document, error));
    CLSCAN__TRY(read_entries(json_object_get(root, "entries"), &entries, document, error));

cleanup:
    return status;
}

clscan_status clscan__document_read(const char *text, size_t text_bytes, const char *source, clscan__document *document,
                                    clscan_error *error)
{
    clscan_status status;
    clscan__document read = {.match = ""};
    json_t *root = NULL;

    CLSCAN__TRY(clscan__json_load(text, text_bytes, source, &root, error));
    CLSCAN__TRY(read_root(root, source, &read, error));
    *document = read;
    read = (clscan__document){.match = ""}; /* now the caller's */

cleanup:
    json_decref(root);
    clscan__document_free(&read);
    return status;
}
