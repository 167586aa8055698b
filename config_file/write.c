#include <stdlib.h>
#include <string.h>

#include "config_file/axes.h"
#include "config_file/document.h"
#include "config_file/keys.h"

static bool put_text(json_t *object, const char *key, const char *text)
{
    return text == NULL || text[0] == '\0' || clscan__json_put(object, key, clscan__json_valid_text(text));
}

static bool put_number(json_t *object, const char *key, double number)
{
    return number <= 0 || clscan__json_put(object, key, json_real(number));
}

static json_t *provenance_to_json(const clscan__provenance *provenance)
{
    json_t *object = json_object();
    bool ok = clscan__json_put(object, "origin", json_string(clscan__origin_name(provenance->origin)));

    ok = ok && clscan__json_put(object, "date", json_string(provenance->date));
    ok = ok && put_text(object, "device", provenance->device);
    ok = ok && put_text(object, "driver", provenance->driver);
    ok = ok && put_text(object, "platform", provenance->platform);
    ok = ok && put_text(object, "clscan_version", provenance->clscan_version);
    ok = ok && put_number(object, "copy_gb_per_s", provenance->copy_gb_per_s);
    ok = ok && put_number(object, "noise_percent", provenance->noise_percent);
    ok = ok && put_text(object, "journal", provenance->journal);
    ok = ok && put_text(object, "note", provenance->note);
    return clscan__json_whole(object, ok);
}

static json_t *variant_to_json(const clscan_variant *variant)
{
    json_t *object = json_object();
    bool ok = object != NULL;

    for (size_t i = 0; i < CLSCAN__AXIS_COUNT; ++i) {
        const clscan__axis *axis = &clscan__axes[i];

        if (i != CLSCAN__AXIS_ORDER || clscan__variant_has_order(variant))
            ok = ok &&
                 clscan__json_put(object, axis->name, json_string(clscan__axis_value_name(axis, clscan__axis_get(axis, variant))));
    }
    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i)
        if (clscan__param_needed(variant, &clscan__params[i]))
            ok =
                ok && clscan__json_put(object, clscan__params[i].name, json_integer(clscan__param_get(&clscan__params[i], variant)));
    return clscan__json_whole(object, ok);
}

static json_t *entry_to_json(const clscan__config_entry *entry)
{
    const clscan__config_key *key = &entry->key;
    const bool limited = entry->largest_count != UINT64_MAX;
    json_t *object = json_object();
    bool ok = clscan__json_put(object, "operation", json_string(clscan__operation_names[key->operation]));

    ok = ok && clscan__json_put(object, "element_size_bytes", json_integer(key->element_size_bytes));
    ok = ok && (key->least_size_bytes == 0 ||
                clscan__json_put(object, "smallest_element_size_bytes", json_integer(key->least_size_bytes)));
    ok = ok && (key->sum_size_bytes == 0 || clscan__json_put(object, "sum_size_bytes", json_integer(key->sum_size_bytes)));
    ok = ok && clscan__json_put(object, "operator_class", json_string(clscan__operator_class_names[key->operator_class]));
    ok = ok && clscan__json_put(object, "largest_count", limited ? json_integer((json_int_t)entry->largest_count) : json_null());
    ok = ok &&
         (entry->smallest_count == 0 || clscan__json_put(object, "smallest_count", json_integer((json_int_t)entry->smallest_count)));
    ok = ok && (entry->unfinished_ms == 0 ||
                clscan__json_put(object, "unfinished_ms", json_integer((json_int_t)entry->unfinished_ms)));
    ok = ok && clscan__json_put(object, "reproducible", json_boolean(key->reproducible));
    ok = ok && clscan__json_put(object, "variant", variant_to_json(&entry->variant));
    ok = ok && put_text(object, "revision", entry->revision);
    ok = ok && put_text(object, "note", entry->note);
    return clscan__json_whole(object, ok);
}

static json_t *entries_to_json(const clscan__document *document)
{
    json_t *array = json_array();
    bool ok = array != NULL;

    for (size_t i = 0; i < document->entry_count; ++i)
        ok = ok && json_array_append_new(array, entry_to_json(&document->entries[i])) == 0;
    return clscan__json_whole(array, ok);
}

static json_t *document_to_json(const clscan__document *document)
{
    json_t *object = json_object();
    bool ok = clscan__json_put(object, "schema_version", json_integer(CLSCAN__SCHEMA_VERSION));

    ok = ok && clscan__json_put(object, "match", json_string(document->match));
    ok = ok && clscan__json_put(object, "provenance", provenance_to_json(&document->provenance));
    ok = ok && clscan__json_put(object, "entries", entries_to_json(document));
    return clscan__json_whole(object, ok);
}

char *clscan__document_write(const clscan__document *document, size_t *size_bytes)
{
    return clscan__json_print(document_to_json(document), &clscan__document_keys, size_bytes);
}
