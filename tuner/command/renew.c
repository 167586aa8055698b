#include "command/renew.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_line/failure.h"
#include "files/save.h"
#include "output/entries.h"
#include "output/verify.h"
#include "work/live.h"

#define REVISION_DIGITS 16

/* The devices that files may be for. */
typedef struct device_list {
    clscan_device_info *items;
    size_t count;
} device_list;

/* Whether a config with this match serves the device. */
static bool serves(const char *match, const clscan_device_info *device)
{
    return strcmp(match, device->key) == 0 || strcmp(match, device->architecture) == 0 ||
           strcmp(match, device->family) == 0 || strcmp(match, device->generic) == 0;
}

static clscan_status find_devices(const tune_settings *settings, device_list *devices, clscan_error *error)
{
    clscan_status status;
    const tune_live_options options = {.device = settings->device};
    size_t chosen;

    if (settings->recorded_device == NULL) {
        TRY(tune_live_list(&options, &devices->items, &devices->count, &chosen, error));
        if (settings->device != NULL) {
            devices->items[0] = devices->items[chosen];
            devices->count = 1;
        }
        return CLSCAN_OK;
    }
    devices->items = malloc(sizeof *devices->items);
    REQUIRE(devices->items != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for the device");
    devices->items->struct_size = sizeof *devices->items;
    TRY(clscan_device_load(settings->recorded_device, devices->items, error));
    devices->count = 1;

cleanup:
    return status;
}

/* The problem of an entry, of the first type that can run it. */
static clscan_status revision_of(const tune_entry *entry, const clscan_device_info *device,
                                 char revision[CLSCAN_REVISION_BYTES], clscan_error *error)
{
    clscan_status status = fail(error, CLSCAN_ERROR_DEVICE_LIMIT, "the device has no type that it serves");

    for (int type = 0; type < CLSCAN_TYPE_COUNT && status != CLSCAN_OK; ++type) {
        tune_target target;

        if (tune_entry_target(entry, (clscan_type)type, device, &target)) {
            const clscan_problem problem = tune_target_problem(&target);

            status = clscan_variant_revision(&entry->variant, &problem, device, revision, error);
        }
    }
    return status;
}

/* The end of the JSON string that begins at `text`. */
static const char *end_of_string(const char *text)
{
    for (++text; *text != '"'; ++text)
        text += *text == '\\';
    return text + 1;
}

/* The digits of the next revision from `at` on, in JSON that the library accepted; NULL if there is none. */
static char *next_revision(char *at)
{
    static const char key[] = "\"revision\"";

    while ((at = strchr(at, '"')) != NULL) {
        char *end = at + (end_of_string(at) - at);
        const bool is_key = (size_t)(end - at) == strlen(key) && memcmp(at, key, strlen(key)) == 0;
        char *behind = end + strspn(end, " \t\r\n");

        if (is_key && *behind == ':') /* else a text, such as a note, of this one word */
            return strchr(behind, '"') + 1;
        at = end;
    }
    return NULL;
}

static clscan_status read_text(const char *path, char **text, clscan_error *error)
{
    FILE *from = fopen(path, "rb");
    size_t size_bytes = 0;
    bool whole = false;

    *text = malloc(CLSCAN_CONFIG_MAX_BYTES + 1);
    if (from != NULL && *text != NULL) {
        size_bytes = fread(*text, 1, CLSCAN_CONFIG_MAX_BYTES, from);
        whole = feof(from) != 0;
        (*text)[size_bytes] = '\0';
    }
    if (from != NULL)
        fclose(from);
    return whole ? CLSCAN_OK : fail(error, CLSCAN_ERROR_FILE, "%s: cannot be read", path);
}

/* Put the revisions of today into the text. */
static clscan_status renew_text(const char *path, const tune_entries *entries, const clscan_device_info *device,
                                char *text, size_t *stale, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    char *at = text;

    for (size_t i = 0; i < entries->count; ++i) {
        const tune_entry *entry = &entries->items[i];
        char revision[CLSCAN_REVISION_BYTES];
        clscan_error why = {0};

        if (entry->revision[0] == '\0')
            continue;
        at = next_revision(at);
        REQUIRE(at != NULL && strncmp(at, entry->revision, REVISION_DIGITS) == 0, CLSCAN_ERROR_CONFIG_SCHEMA,
                "%s: /entries/%zu/revision: cannot be found in the text; write key and value without escapes", path, i);
        status = revision_of(entry, device, revision, &why);
        REQUIRE(status == CLSCAN_OK, status, "%s: /entries/%zu: %.300s", path, i, why.message);
        *stale += strcmp(revision, entry->revision) != 0;
        memcpy(at, revision, REVISION_DIGITS);
        at += REVISION_DIGITS + 1; /* behind its quotation mark */
    }

cleanup:
    return status;
}

static clscan_status find_device(const char *path, const tune_entries *entries, const tune_settings *settings,
                                 const device_list *devices, const clscan_device_info **device, clscan_error *error)
{
    for (size_t i = 0; i < devices->count; ++i) {
        if (serves(entries->match, &devices->items[i])) {
            *device = &devices->items[i];
            return CLSCAN_OK;
        }
    }
    if (settings->device != NULL || settings->recorded_device != NULL)
        return fail(error, CLSCAN_ERROR_NO_DEVICE, "%s: it is for %s, the device is %s", path, entries->match,
                    devices->items[0].key);
    return fail(error, CLSCAN_ERROR_NO_DEVICE,
                "%s: it is for %s, which no device here is; describe one with --recorded-device", path, entries->match);
}

static clscan_status renew_file(const char *path, const tune_settings *settings, const device_list *devices,
                                clscan_error *error)
{
    clscan_status status;
    const clscan_device_info *device = NULL;
    tune_entries entries = {0};
    char *text = NULL;
    size_t with_revision = 0, stale = 0;

    TRY(tune_entries_read(path, &entries, error));
    for (size_t i = 0; i < entries.count; ++i)
        with_revision += entries.items[i].revision[0] != '\0';
    if (with_revision > 0) {
        TRY(find_device(path, &entries, settings, devices, &device, error));
        TRY(read_text(path, &text, error));
        TRY(renew_text(path, &entries, device, text, &stale, error));
        if (stale > 0)
            TRY(tune_save(path, text, strlen(text), tune_config_check, error));
    }
    printf("%s: %zu entries, %zu with a revision, %zu of them stale%s\n", path, entries.count, with_revision, stale,
           stale > 0 ? ", renewed" : "");

cleanup:
    free(text);
    tune_entries_free(&entries);
    return status;
}

clscan_status tune_renew(const tune_settings *settings, size_t *failed, clscan_error *error)
{
    clscan_status status;
    device_list devices = {0};

    *failed = 0;
    TRY(find_devices(settings, &devices, error));
    for (size_t i = 0; i < settings->file_count; ++i) {
        clscan_error why = {0};

        if (renew_file(settings->files[i], settings, &devices, &why) != CLSCAN_OK) {
            print_failure(&why);
            ++*failed;
        }
    }

cleanup:
    free(devices.items);
    return status;
}
