/* Taking entries out of a config. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <jansson.h>

#include "command_line/failure.h"
#include "command_line/named_file.h"
#include "config_file/json.h"
#include "files/save.h"
#include "output/verify.h"

/* The entries that stay. The last of a key has no limit, whoever had that before. */
static clscan_status keep(const clscan__document *all, const tune_verified *results, clscan__document *kept,
                          clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    kept->provenance = all->provenance;
    snprintf(kept->match, sizeof kept->match, "%s", all->match);
    for (size_t i = 0; i < all->entry_count; ++i)
        if (!tune_verified_fails(&results[i]))
            TRY(clscan__document_add(kept, &all->entries[i], error));
    for (size_t i = 0; i < kept->entry_count; ++i)
        if (i + 1 == kept->entry_count || !clscan__config_key_equal(&kept->entries[i].key, &kept->entries[i + 1].key))
            kept->entries[i].largest_count = UINT64_MAX;

cleanup:
    return status;
}

/* NULL if memory ran out. */
static json_t *removed_to_json(const clscan__config_entry *entry, const tune_verified *result,
                               const clscan_device_info *device, const char *date)
{
    char variant[512];
    json_t *removed;

    clscan_variant_format(&entry->variant, variant, sizeof variant);
    removed = json_pack(
        "{s:s, s:o, s:o, s:s, s:o, s:s, s:s, s:I, s:b, s:o, s:s, s:s}", "date", date, "device",
        clscan__json_valid_text(device->name), "driver", clscan__json_valid_text(device->driver_version), "outcome",
        tune_outcome_name(result->outcome), "reason", clscan__json_valid_text(result->reason), "operation",
        clscan__config_operation_name(entry->key.operation), "operator_class",
        clscan_operator_class_name(entry->key.operator_class), "element_size_bytes",
        (json_int_t)entry->key.element_size_bytes, "reproducible", (int)entry->key.reproducible, "largest_count",
        entry->largest_count > INT64_MAX ? json_null() : json_integer((json_int_t)entry->largest_count), "revision",
        entry->revision, "variant", variant);
    if (removed != NULL && entry->key.sum_size_bytes != 0)
        json_object_set_new(removed, "sum_size_bytes", json_integer(entry->key.sum_size_bytes));
    return removed;
}

/* What is in the file by now: an array; a new one if there is no file. */
static clscan_status read_removed(const char *path, json_t **removed, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (access(path, F_OK) != 0 && errno == ENOENT)
        *removed = json_array();
    else
        TRY(named_file_json(path, removed, error));
    REQUIRE(json_is_array(*removed), CLSCAN_ERROR_FILE, "%s: not a list of entries", path);

cleanup:
    return status;
}

static clscan_status write_removed(const char *path, const clscan__document *all, const tune_verified *results,
                                   const clscan_device_info *device, clscan_error *error)
{
    const time_t now = time(NULL);
    clscan_status status;
    json_t *removed = NULL;
    char *text = NULL;
    char date[32];
    struct tm utc;

    gmtime_r(&now, &utc);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    TRY(read_removed(path, &removed, error));
    for (size_t i = 0; i < all->entry_count; ++i)
        if (tune_verified_fails(&results[i]))
            REQUIRE(json_array_append_new(removed, removed_to_json(&all->entries[i], &results[i], device, date)) == 0,
                    CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for the entries that fail");
    text = json_dumps(removed, JSON_INDENT(2));
    REQUIRE(text != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for the entries that fail");
    TRY(tune_save(path, text, strlen(text), NULL, error));

cleanup:
    free(text);
    json_decref(removed);
    return status;
}

clscan_status tune_quarantine(const char *path, const clscan__document *config, const tune_verified *results,
                              const clscan_device_info *device, size_t *removed, clscan_error *error)
{
    static const char ending[] = ".quarantined";
    const size_t bytes = strlen(path) + sizeof ending;
    char *removed_path = malloc(bytes);
    clscan__document kept = {0};
    clscan_status status = CLSCAN_OK;

    REQUIRE(removed_path != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for the name of a file");
    snprintf(removed_path, bytes, "%s%s", path, ending);
    TRY(keep(config, results, &kept, error));
    if (kept.entry_count < config->entry_count) {
        TRY(write_removed(removed_path, config, results, device, error)); /* first, so that nothing is lost */
        if (kept.entry_count > 0)
            TRY(tune_config_write(path, &kept, error));
        else
            REQUIRE(remove(path) == 0, CLSCAN_ERROR_FILE, "%s: %s", path, strerror(errno));
    }
    *removed = config->entry_count - kept.entry_count;

cleanup:
    clscan__document_free(&kept);
    free(removed_path);
    return status;
}
