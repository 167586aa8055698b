#include "output/entries.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "command_line/failure.h"
#include "config_file/axes.h"
#include "files/input.h"

void tune_entries_free(tune_entries *entries)
{
    free(entries->items);
    *entries = (tune_entries){.count = 0};
}

clscan_status tune_entries_add(tune_entries *entries, const tune_entry *entry, clscan_error *error)
{
    tune_entry *grown = realloc(entries->items, (entries->count + 1) * sizeof *grown);

    if (grown == NULL)
        return fail(error, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for the entries");
    entries->items = grown;
    entries->items[entries->count++] = *entry;
    return CLSCAN_OK;
}

/* The order of keys: by operator class, element size, reproducible. */
static int compare_keys(const tune_entry *a, const tune_entry *b)
{
    if (a->operator_class != b->operator_class)
        return a->operator_class < b->operator_class ? -1 : 1;
    if (a->element_size_bytes != b->element_size_bytes)
        return a->element_size_bytes < b->element_size_bytes ? -1 : 1;
    return a->reproducible - b->reproducible;
}

static int compare_entries(const void *a, const void *b)
{
    const tune_entry *left = a, *right = b;
    const int keys = compare_keys(left, right);

    if (keys != 0)
        return keys;
    return left->largest_count < right->largest_count ? -1 : left->largest_count > right->largest_count ? 1 : 0;
}

void tune_entries_sort(tune_entries *entries)
{
    if (entries->count > 0)
        qsort(entries->items, entries->count, sizeof *entries->items, compare_entries);
}

clscan_status tune_entries_merge(tune_entries *entries, const tune_entries *old, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const size_t own_count = entries->count;

    for (size_t i = 0; i < old->count; ++i) {
        bool replaced = false;

        for (size_t j = 0; j < own_count; ++j)
            replaced = replaced || compare_keys(&entries->items[j], &old->items[i]) == 0;
        if (!replaced)
            TRY(tune_entries_add(entries, &old->items[i], error));
    }
    if (entries->count > own_count && entries->provenance.note[0] == '\0')
        snprintf(entries->provenance.note, sizeof entries->provenance.note,
                 "Entries of keys that this run did not measure are older: %s, %s.", old->provenance.origin,
                 old->provenance.date);

cleanup:
    return status;
}

/* ---- reading: of a document that the library accepted ---- */

static void read_text(const json_t *object, const char *key, char *text, size_t size_bytes)
{
    const char *value = json_string_value(json_object_get(object, key));

    if (value != NULL)
        snprintf(text, size_bytes, "%s", value);
}

static tune_provenance read_provenance(const json_t *object)
{
    tune_provenance read = {.copy_gb_per_s = json_number_value(json_object_get(object, "copy_gb_per_s")),
                            .noise_percent = json_number_value(json_object_get(object, "noise_percent"))};

    read_text(object, "origin", read.origin, sizeof read.origin);
    read_text(object, "date", read.date, sizeof read.date);
    read_text(object, "device", read.device, sizeof read.device);
    read_text(object, "driver", read.driver, sizeof read.driver);
    read_text(object, "platform", read.platform, sizeof read.platform);
    read_text(object, "clscan_version", read.clscan_version, sizeof read.clscan_version);
    read_text(object, "journal", read.journal, sizeof read.journal);
    read_text(object, "note", read.note, sizeof read.note);
    return read;
}

static clscan_variant read_variant(const json_t *object)
{
    clscan_variant variant = {0};

    for (size_t i = 0; i < CLSCAN__AXIS_COUNT; ++i) {
        const char *value = json_string_value(json_object_get(object, clscan__axes[i].name));

        for (uint32_t v = 0; value != NULL && v < clscan__axes[i].value_count; ++v)
            if (strcmp(value, clscan__axes[i].values[v]) == 0)
                clscan__axis_set(&clscan__axes[i], &variant, v);
    }
    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i)
        clscan__param_set(&clscan__params[i], &variant,
                          (uint32_t)json_integer_value(json_object_get(object, clscan__params[i].name)));
    return variant;
}

static tune_entry read_entry(const json_t *object)
{
    const json_t *largest = json_object_get(object, "largest_count");
    tune_entry entry = {.element_size_bytes =
                            (uint32_t)json_integer_value(json_object_get(object, "element_size_bytes")),
                        .largest_count = json_is_null(largest) ? UINT64_MAX : (uint64_t)json_integer_value(largest),
                        .reproducible = json_is_true(json_object_get(object, "reproducible")),
                        .variant = read_variant(json_object_get(object, "variant"))};

    clscan_operator_class_from_name(json_string_value(json_object_get(object, "operator_class")),
                                    &entry.operator_class);
    read_text(object, "revision", entry.revision, sizeof entry.revision);
    read_text(object, "note", entry.note, sizeof entry.note);
    return entry;
}

clscan_status tune_entries_from_json(const json_t *document, tune_entries *entries, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const json_t *list = json_object_get(document, "entries");
    tune_entries read = {.count = 0};

    read_text(document, "match", read.match, sizeof read.match);
    read.provenance = read_provenance(json_object_get(document, "provenance"));
    for (size_t i = 0; i < json_array_size(list); ++i) {
        const tune_entry entry = read_entry(json_array_get(list, i));

        TRY(tune_entries_add(&read, &entry, error));
    }
    *entries = read;
    read = (tune_entries){.count = 0};

cleanup:
    tune_entries_free(&read);
    return status;
}

clscan_status tune_entries_read(const char *path, tune_entries *entries, clscan_error *error)
{
    clscan_status status;
    clscan_config *accepted = NULL;
    json_t *document = NULL;

    TRY(clscan_config_load(path, &accepted, error));
    TRY(tune_input_json(path, &document, error));
    TRY(tune_entries_from_json(document, entries, error));

cleanup:
    json_decref(document);
    clscan_config_destroy(accepted);
    return status;
}
