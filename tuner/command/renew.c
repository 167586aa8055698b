#include "command/renew.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_line/failure.h"
#include "output/config.h"
#include "output/verify.h"
#include "work/live.h"

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
static clscan_status revision_of(const clscan__config_entry *entry, const clscan_device_info *device,
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

/* Give the entries the revisions of today. */
static clscan_status renew_entries(const char *path, clscan__document *config, const clscan_device_info *device,
                                   size_t *stale, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (size_t i = 0; i < config->entry_count; ++i) {
        clscan__config_entry *entry = &config->entries[i];
        char revision[CLSCAN_REVISION_BYTES];
        clscan_error why = {0};

        if (entry->revision[0] == '\0')
            continue;
        status = revision_of(entry, device, revision, &why);
        REQUIRE(status == CLSCAN_OK, status, "%s: /entries/%zu: %.300s", path, i, why.message);
        *stale += strcmp(revision, entry->revision) != 0;
        snprintf(entry->revision, sizeof entry->revision, "%s", revision);
    }

cleanup:
    return status;
}

static clscan_status find_device(const char *path, const clscan__document *config, const tune_settings *settings,
                                 const device_list *devices, const clscan_device_info **device, clscan_error *error)
{
    for (size_t i = 0; i < devices->count; ++i) {
        if (serves(config->match, &devices->items[i])) {
            *device = &devices->items[i];
            return CLSCAN_OK;
        }
    }
    if (settings->device != NULL || settings->recorded_device != NULL)
        return fail(error, CLSCAN_ERROR_NO_DEVICE, "%s: it is for %s, the device is %s", path, config->match,
                    devices->items[0].key);
    return fail(error, CLSCAN_ERROR_NO_DEVICE,
                "%s: it is for %s, which no device here is; describe one with --recorded-device", path, config->match);
}

static clscan_status renew_file(const char *path, const tune_settings *settings, const device_list *devices,
                                clscan_error *error)
{
    clscan_status status;
    const clscan_device_info *device = NULL;
    clscan__document config = {0};
    size_t with_revision = 0, stale = 0;

    TRY(tune_config_read(path, &config, error));
    for (size_t i = 0; i < config.entry_count; ++i)
        with_revision += config.entries[i].revision[0] != '\0';
    if (with_revision > 0) {
        TRY(find_device(path, &config, settings, devices, &device, error));
        TRY(renew_entries(path, &config, device, &stale, error));
        if (stale > 0)
            TRY(tune_config_write(path, &config, error));
    }
    printf("%s: %zu entries, %zu with a revision, %zu of them stale%s\n", path, config.entry_count, with_revision,
           stale, stale > 0 ? ", renewed" : "");

cleanup:
    clscan__document_free(&config);
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
