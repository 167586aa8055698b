#include "program/inventory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/printable.h"
#include "program/cache_folder.h"
#include "program/key.h"
#include "program/record.h"

typedef struct listing {
    int folder; /* -1: there is none yet */
    clscan__cache_item *items;
    size_t count;
} listing;

/* What is wrong, or NULL. To be closed in either case. */
static const char *open_listing(const char *path, listing *list)
{
    const char *problem;

    *list = (listing){.folder = clscan__cache_folder_open(path, false, &problem)};
    if (list->folder >= 0 && !clscan__cache_folder_items(list->folder, &list->items, &list->count))
        return "it cannot be listed";
    return problem;
}

/* The same as an error. */
static clscan_status open_known(const char *path, listing *list, clscan_error *error)
{
    const char *problem = open_listing(path, list);

    if (problem == NULL)
        return CLSCAN_OK;
    return clscan__error_set(error, CLSCAN_ERROR_FILE, "%s%s%s", path != NULL ? path : "", path != NULL ? ": " : "",
                             problem);
}

static void close_listing(listing *list)
{
    free(list->items);
    if (list->folder >= 0)
        close(list->folder);
}

static void describe_item(int folder, const clscan__cache_item *item, clscan_cache_entry *entry)
{
    clscan__record record;
    const int file = clscan__cache_entry_open(folder, item->name);
    size_t size_bytes = 0;
    const char *why = "it cannot be read";
    unsigned char *bytes = file >= 0 ? clscan__cache_entry_read(file, &size_bytes, &why) : NULL;

    *entry = (clscan_cache_entry){
        .struct_size = sizeof *entry, .size_bytes = item->size_bytes, .used_time_s = item->used.tv_sec};
    clscan__printable(item->name, entry->name, sizeof entry->name);
    if (bytes != NULL)
        why = clscan__record_decode(bytes, size_bytes, &record);
    if (why != NULL) {
        snprintf(entry->problem, sizeof entry->problem, "%s", why);
    } else {
        clscan__key_part(record.key, record.key_bytes, "device", entry->device, sizeof entry->device);
        clscan__key_part(record.key, record.key_bytes, "driver", entry->driver, sizeof entry->driver);
        clscan__key_part(record.key, record.key_bytes, "program", entry->program, sizeof entry->program);
        clscan__make_printable(entry->device);
        clscan__make_printable(entry->driver);
        clscan__make_printable(entry->program);
    }
    free(bytes);
    if (file >= 0)
        close(file);
}

clscan_status clscan__inventory_list(const char *path, clscan_cache_visitor *visit, void *user, clscan_error *error)
{
    clscan_status status;
    listing list;

    CLSCAN__TRY(open_known(path, &list, error));
    for (size_t i = 0; i < list.count; ++i) {
        clscan_cache_entry entry;
        describe_item(list.folder, &list.items[i], &entry);
        visit(&entry, user);
    }

cleanup:
    close_listing(&list);
    return status;
}

clscan_status clscan__inventory_clear(const char *path, uint64_t *removed, clscan_error *error)
{
    clscan_status status;
    listing list;

    *removed = 0;
    CLSCAN__TRY(open_known(path, &list, error));
    for (size_t i = 0; i < list.count; ++i) {
        const char *name = list.items[i].name;
        const bool gone = unlinkat(list.folder, name, 0) == 0;
        CLSCAN__REQUIRE(gone || errno == ENOENT, CLSCAN_ERROR_FILE, "%s/%s: %s", path, name, strerror(errno));
        *removed += gone;
    }
    if (list.folder >= 0)
        clscan__cache_folder_tidy(list.folder);

cleanup:
    close_listing(&list);
    return status;
}

void clscan__inventory_describe(const char *path, clscan_cache_info *info)
{
    listing list;
    const char *problem = open_listing(path, &list);

    snprintf(info->folder, sizeof info->folder, "%s", path != NULL ? path : "");
    snprintf(info->problem, sizeof info->problem, "%s", problem != NULL ? problem : "");
    for (size_t i = 0; i < list.count; ++i)
        info->size_bytes += list.items[i].size_bytes;
    info->entry_count = list.count;
    close_listing(&list);
}
