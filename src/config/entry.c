#include "config/entry.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "config/constraints.h"
#include "config/variant.h"
#include "element/operators.h"

#define REVISION_DIGITS 16u

static const char *const operation_names[] = {
#define X(name, text) #text,
    CLSCAN__OPERATION_LIST(X)
#undef X
};

static const char *const operator_class_names[] = {
#define X(name, text, meaning) #text,
    CLSCAN_OPERATOR_CLASS_LIST(X)
#undef X
};

static const clscan__json_key entry_keys[] = {
    {"operation", CLSCAN__JSON_STRING, true},      {"element_size_bytes", CLSCAN__JSON_INTEGER, true},
    {"operator_class", CLSCAN__JSON_STRING, true}, {"largest_count", CLSCAN__JSON_INTEGER_OR_NULL, true},
    {"reproducible", CLSCAN__JSON_BOOLEAN, true},  {"variant", CLSCAN__JSON_OBJECT, true},
    {"revision", CLSCAN__JSON_STRING, false},      {"note", CLSCAN__JSON_STRING, false},
};

/* Which of them are required depends on the variant. */
static const clscan__json_key variant_keys[] = {
#define X(field, list) {#field, CLSCAN__JSON_STRING, false},
    CLSCAN_AXIS_LIST(X)
#undef X
#define X(name, min, max, steps, needed_by, meaning) {#name, CLSCAN__JSON_INTEGER, false},
        CLSCAN_PARAM_LIST(X)
#undef X
};

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

bool clscan__config_key_equal(const clscan__config_key *left, const clscan__config_key *right)
{
    return left->operation == right->operation && left->element_size_bytes == right->element_size_bytes &&
           left->operator_class == right->operator_class && left->reproducible == right->reproducible;
}

/* The first type of that size, which is an integer; CLSCAN_TYPE_COUNT if there is none. */
static clscan_type type_of_size(json_int_t size_bytes)
{
    int type = 0;

    while (type < CLSCAN_TYPE_COUNT && (json_int_t)clscan_type_size_bytes((clscan_type)type) != size_bytes)
        ++type;
    return (clscan_type)type;
}

static clscan_status read_key(const json_t *object, const clscan__json_place *place, clscan__config_key *key,
                              clscan_error *error)
{
    const json_int_t size_bytes = json_integer_value(json_object_get(object, "element_size_bytes"));
    clscan_status status;
    uint32_t choice;

    CLSCAN__TRY(
        clscan__json_read_choice(object, place, "operation", operation_names, CLSCAN__OPERATION_COUNT, &choice, error));
    key->operation = (clscan__operation)choice;
    CLSCAN__TRY(clscan__json_read_choice(object, place, "operator_class", operator_class_names,
                                         CLSCAN_OPERATOR_CLASS_COUNT, &choice, error));
    key->operator_class = (clscan_operator_class)choice;
    CLSCAN__JSON_REQUIRE(type_of_size(size_bytes) != CLSCAN_TYPE_COUNT, place, "element_size_bytes",
                         CLSCAN_ERROR_CONFIG_SCHEMA, "no element type has %" JSON_INTEGER_FORMAT " bytes", size_bytes);
    key->element_size_bytes = (uint32_t)size_bytes;
    CLSCAN__JSON_REQUIRE(key->operator_class != CLSCAN_OPERATOR_CLASS_NATIVE ||
                             key->element_size_bytes <= CLSCAN__NATIVE_MAX_BYTES,
                         place, "operator_class", CLSCAN_ERROR_CONFIG_SCHEMA,
                         "no native operator has elements of more than %u bytes", CLSCAN__NATIVE_MAX_BYTES);
    key->reproducible = json_is_true(json_object_get(object, "reproducible"));

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

static clscan_status read_variant(const json_t *object, const clscan__json_place *place, clscan_type type,
                                  bool reproducible, clscan_variant *variant, clscan_error *error)
{
    clscan_status status;
    clscan__violation found;

    CLSCAN__TRY(clscan__json_check_object(object, place, variant_keys, COUNT_OF(variant_keys), error));
    CLSCAN__TRY(read_axes(object, place, variant, error));
    CLSCAN__TRY(read_params(object, place, variant, error));
    CLSCAN__JSON_REQUIRE(clscan__variant_is_legal(variant, type, 0, reproducible, NULL, &found), place,
                         found.field[0] != '\0' ? found.field : NULL, CLSCAN_ERROR_ILLEGAL_VARIANT, "%s (%s)",
                         found.reason, found.name);

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

clscan_status clscan__config_entry_read(const json_t *object, const clscan__json_place *place,
                                        clscan__config_entry *entry, clscan_error *error)
{
    const clscan__json_place variant_place = clscan__json_at_key(place, "variant");
    clscan_status status;

    CLSCAN__TRY(clscan__json_check_object(object, place, entry_keys, COUNT_OF(entry_keys), error));
    CLSCAN__TRY(read_key(object, place, &entry->key, error));
    CLSCAN__TRY(read_largest_count(object, place, &entry->largest_count, error));
    CLSCAN__TRY(read_revision(object, place, entry->revision, sizeof entry->revision, error));
    CLSCAN__TRY(read_variant(json_object_get(object, "variant"), &variant_place,
                             type_of_size(entry->key.element_size_bytes), entry->key.reproducible, &entry->variant,
                             error));

cleanup:
    return status;
}
