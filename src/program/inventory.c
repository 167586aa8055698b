#include "program/inventory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "program/cache_folder.h"
#include "program/key.h"
#include "program/record.h"

/* -1 with CLSCAN_OK: there is no folder yet. */
static clscan_status open_known(const char *path, int *folder, clscan_error *error)
{
    const char *problem;

    *folder = clscan__cache_folder_open(path, false, &problem);
    if (problem == NULL)
        return CLSCAN_OK;
    return clscan__error_set(error, CLSCAN_ERROR_FILE, "%s%s%s", path != NULL ? path : "", path != NULL ? ": " : "",
                             problem);
}

static void describe_item(int folder, const clscan__cache_item *item, clscan_cache_entry *entry)
{
    clscan__record record;
    const int file = clscan__cache_entry_open(folder, item->name);
    size_t size_bytes = 0;
    const char *why = "it cannot be read";
    unsigned char *bytes = file >= 0 ? clscan__cache_entry_read(file, &size_bytes, &why) : NULL;

    *entry = (clscan_cache_entry){.size_bytes = item->size_bytes, .used_time_s = item->used.tv_sec};
    snprintf(entry->name, sizeof entry->name, "%s", item->name);
    if (bytes != NULL)
        why = clscan__record_decode(bytes, size_bytes, &record);
    if (why != NULL) {
        snprintf(entry->problem, sizeof entry->problem, "%s", why);
    } else {
        clscan__key_part(record.key, record.key_bytes, "device", entry->device, sizeof entry->device);
        clscan__key_part(record.key, record.key_bytes, "driver", entry->driver, sizeof entry->driver);
        clscan__key_part(record.key, record.key_bytes, "program", entry->program, sizeof entry->program);
    }
    free(bytes);
    if (file >= 0)
        close(file);
}

clscan_status clscan__inventory_list(const char *path, clscan_cache_visitor *visit, void *user, clscan_error *error)
{
    clscan_status status;
    clscan__cache_item *items = NULL;
    size_t count = 0;
    int folder = -1;

    CLSCAN__TRY(open_known(path, &folder, error));
    if (folder < 0)
        goto cleanup;
    CLSCAN__REQUIRE(clscan__cache_folder_items(folder, &items, &count), CLSCAN_ERROR_FILE, "%s cannot be listed", path);
    for (size_t i = 0; i < count; ++i) {
        clscan_cache_entry entry;
        describe_item(folder, &items[i], &entry);
        visit(&entry, user);
    }

cleanup:
    free(items);
    if (folder >= 0)
        close(folder);
    return status;
}

clscan_status clscan__inventory_clear(const char *path, uint64_t *removed, clscan_error *error)
{
    clscan_status status;
    clscan__cache_item *items = NULL;
    size_t count = 0;
    int folder = -1;

    *removed = 0;
    CLSCAN__TRY(open_known(path, &folder, error));
    if (folder < 0)
        goto cleanup;
    CLSCAN__REQUIRE(clscan__cache_folder_items(folder, &items, &count), CLSCAN_ERROR_FILE, "%s cannot be listed", path);
    for (size_t i = 0; i < count; ++i) {
        const bool gone = unlinkat(folder, items[i].name, 0) == 0;
        CLSCAN__REQUIRE(gone || errno == ENOENT, CLSCAN_ERROR_FILE, "%s/%s: %s", path, items[i].name, strerror(errno));
        *removed += gone;
    }
    clscan__cache_folder_tidy(folder);

cleanup:
    free(items);
    if (folder >= 0)
        close(folder);
    return status;
}

void clscan__inventory_describe(const char *path, clscan_cache_info *info)
{
    clscan__cache_item *items = NULL;
    size_t count = 0;
    const char *problem;
    const int folder = clscan__cache_folder_open(path, false, &problem);

    snprintf(info->folder, sizeof info->folder, "%s", path != NULL ? path : "");
    snprintf(info->problem, sizeof info->problem, "%s", problem != NULL ? problem : "");
    if (folder < 0)
        return;
    if (clscan__cache_folder_items(folder, &items, &count)) {
        for (size_t i = 0; i < count; ++i)
            info->size_bytes += items[i].size_bytes;
        info->entry_count = count;
    } else {
        snprintf(info->problem, sizeof info->problem, "it cannot be listed");
    }
    free(items);
    close(folder);
}
