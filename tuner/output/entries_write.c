/* Config files as text: laid out so that one entry is a few lines, and a diff shows what changed. */
#include "output/entries.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_line/failure.h"
#include "config_file/axes.h"
#include "files/json_text.h"
#include "files/save.h"

/* "text", with what JSON wants escaped. A failure shows in the check of the whole file. */
static void print_text(FILE *to, const char *text)
{
    json_t *string = tune_json_text(text);
    char *quoted = string != NULL ? json_dumps(string, JSON_ENCODE_ANY) : NULL;

    fputs(quoted != NULL ? quoted : "", to);
    free(quoted);
    json_decref(string);
}

static void print_text_member(FILE *to, const char *key, const char *text)
{
    if (text[0] == '\0')
        return;
    fprintf(to, ",\n    \"%s\": ", key);
    print_text(to, text);
}

static void print_number_member(FILE *to, const char *key, double number, int decimals)
{
    if (number > 0)
        fprintf(to, ",\n    \"%s\": %.*f", key, decimals, number);
}

static void print_provenance(FILE *to, const tune_provenance *provenance)
{
    fprintf(to, "  \"provenance\": {\n    \"origin\": \"%s\",\n    \"date\": \"%s\"", provenance->origin,
            provenance->date);
    print_text_member(to, "device", provenance->device);
    print_text_member(to, "driver", provenance->driver);
    print_text_member(to, "platform", provenance->platform);
    print_text_member(to, "clscan_version", provenance->clscan_version);
    print_number_member(to, "copy_gb_per_s", provenance->copy_gb_per_s, 1);
    print_number_member(to, "noise_percent", provenance->noise_percent, 2);
    print_text_member(to, "journal", provenance->journal);
    print_text_member(to, "note", provenance->note);
    fputs("\n  },\n", to);
}

static void print_variant(FILE *to, const clscan_variant *variant)
{
    const char *separator = "";

    fputs("      \"variant\": {\n        ", to);
    for (size_t i = 0; i < CLSCAN__AXIS_COUNT; ++i) {
        const uint32_t value = clscan__axis_get(&clscan__axes[i], variant);

        if (i == CLSCAN__AXIS_ORDER && value == CLSCAN_ORDER_NONE)
            continue;
        fprintf(to, "%s\"%s\": \"%s\"", separator, clscan__axes[i].name, clscan__axes[i].values[value]);
        separator = ", ";
    }
    separator = ",\n        ";
    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i)
        if (clscan_variant_needs(variant, (clscan_param)i)) {
            fprintf(to, "%s\"%s\": %" PRIu32, separator, clscan__params[i].name,
                    clscan__param_get(&clscan__params[i], variant));
            separator = ", ";
        }
    fputs("\n      }", to);
}

static void print_entry(FILE *to, const tune_entry *entry)
{
    fprintf(to,
            "    {\n      \"operation\": \"scan\", \"element_size_bytes\": %" PRIu32
            ", \"operator_class\": \"%s\",\n      \"largest_count\": ",
            entry->element_size_bytes, clscan_operator_class_name(entry->operator_class));
    if (entry->largest_count == UINT64_MAX)
        fputs("null", to);
    else
        fprintf(to, "%" PRIu64, entry->largest_count);
    fprintf(to, ", \"reproducible\": %s,\n", entry->reproducible ? "true" : "false");
    print_variant(to, &entry->variant);
    if (entry->revision[0] != '\0')
        fprintf(to, ",\n      \"revision\": \"%s\"", entry->revision);
    if (entry->note[0] != '\0') {
        fputs(",\n      \"note\": ", to);
        print_text(to, entry->note);
    }
    fputs("\n    }", to);
}

clscan_status tune_config_check(const char *path, clscan_error *error)
{
    clscan_config *config = NULL;
    const clscan_status status = clscan_config_load(path, &config, error);

    clscan_config_destroy(config);
    return status;
}

char *tune_entries_to_text(tune_entries *entries, size_t *size_bytes)
{
    char *text = NULL;
    FILE *to = open_memstream(&text, size_bytes);
    int failed;

    if (to == NULL)
        return NULL;
    tune_entries_sort(entries);
    fprintf(to, "{\n  \"schema_version\": 1,\n  \"match\": \"%s\",\n", entries->match);
    print_provenance(to, &entries->provenance);
    fputs("  \"entries\": [\n", to);
    for (size_t i = 0; i < entries->count; ++i) {
        print_entry(to, &entries->items[i]);
        fputs(i + 1 < entries->count ? ",\n" : "\n", to);
    }
    fputs("  ]\n}\n", to);
    failed = ferror(to);
    failed |= fclose(to);
    if (failed == 0)
        return text;
    free(text);
    return NULL;
}

clscan_status tune_entries_write(const char *path, tune_entries *entries, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    size_t size_bytes = 0;
    char *text = tune_entries_to_text(entries, &size_bytes);

    REQUIRE(text != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "%s: no memory to write it", path);
    TRY(tune_save(path, text, size_bytes, tune_config_check, error));

cleanup:
    free(text);
    return status;
}
