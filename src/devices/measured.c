#include "devices/measured.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "common/pci_address.h"

/* The devices of a group, as a config can know them. */
typedef struct group_devices {
    size_t count;
    const char *const *keys;
    char addresses[CLSCAN_MOST_DEVICES][CLSCAN__PCI_ADDRESS_SIZE]; /* "": the driver does not tell */
} group_devices;

/* How well a config knows a group. */
typedef enum acquaintance {
    STRANGERS,
    SAME_MODELS, /* at other addresses: they are as fast, but nothing is known of their links */
    SAME_PLACES, /* of the group; some addresses are unknown */
    SAME_DEVICES
} acquaintance;

static bool is_known(const char *address)
{
    return address[0] != '\0';
}

static bool is_same(const char *left, const char *right)
{
    return strcmp(left, right) == 0;
}

/* Where in the document, among what is not `taken` yet, is device `index`? As many as it has: nowhere. Without both
 * addresses a device is known by its place, which is less. */
static size_t find_device(const clscan__group_document *document, const group_devices *group, size_t index,
                          const bool *taken, acquaintance *how)
{
    for (size_t at = 0; at < document->device_count; ++at) {
        const clscan__group_device *device = &document->devices[at];
        const bool told = is_known(device->pci_address) && is_known(group->addresses[index]);

        if (!taken[at] && is_same(device->key, group->keys[index]) &&
            (told ? is_same(device->pci_address, group->addresses[index]) : at == index)) {
            *how = told ? *how : SAME_PLACES;
            return at;
        }
    }
    return document->device_count;
}

/* Put the document's devices into the order of the group, if they are the same; else leave it as it is. */
static acquaintance reorder(clscan__group_document *document, const group_devices *group)
{
    clscan__group_device ordered[CLSCAN__GROUP_MOST_DEVICES];
    bool taken[CLSCAN__GROUP_MOST_DEVICES] = {false};
    acquaintance how = SAME_DEVICES;

    for (size_t i = 0; i < group->count; ++i) {
        const size_t at = find_device(document, group, i, taken, &how);

        if (at == document->device_count)
            return STRANGERS;
        taken[at] = true;
        ordered[i] = document->devices[at];
    }
    memcpy(document->devices, ordered, group->count * sizeof ordered[0]);
    return how;
}

/* Are devices of the same models in the same places, each as often as there? */
static bool has_models(const clscan__group_document *document, const group_devices *group)
{
    for (size_t i = 0; i < group->count; ++i) {
        const clscan__group_device *device = &document->devices[i];

        if (!is_same(device->key, group->keys[i]))
            return false;
        for (size_t j = 0; j < i; ++j)
            if (is_known(device->pci_address) && is_known(group->addresses[i]) &&
                is_same(device->pci_address, document->devices[j].pci_address) !=
                    is_same(group->addresses[i], group->addresses[j]))
                return false;
    }
    return true;
}

/* Make the document one of the group, as far as it is. */
static acquaintance introduce(clscan__group_document *document, const group_devices *group)
{
    acquaintance how;

    if (document->device_count != group->count)
        return STRANGERS;
    how = reorder(document, group);
    if (how != STRANGERS)
        return how;
    if (!has_models(document, group))
        return STRANGERS;
    for (size_t i = 0; i < group->count; ++i)
        document->devices[i].has_link = false;
    return SAME_MODELS;
}

static clscan_status read(const char *path, clscan__group_document *document, clscan_error *error)
{
    clscan_status status;
    char *text = NULL;
    size_t text_bytes;

    CLSCAN__TRY(clscan__file_read(path, CLSCAN__GROUP_MOST_BYTES, CLSCAN_ERROR_CONFIG_SIZE, &text, &text_bytes, error));
    CLSCAN__TRY(clscan__group_read(text, text_bytes, path, document, error));

cleanup:
    free(text);
    return status;
}

/* Of the user's folder; NULL if there is none. */
static clscan_status find_folder(char **folder, clscan_error *error)
{
    clscan_status status;
    clscan__text path = {0};
    char *above = NULL;

    *folder = NULL;
    CLSCAN__TRY(clscan__user_config_folder(&above, error));
    if (above == NULL)
        return status;
    clscan__text_append(&path, "%s/groups", above);
    CLSCAN__TRY(clscan__text_take(&path, folder, error));

cleanup:
    free(above);
    return status;
}

clscan_status clscan__measured_find(const cl_device_id *devices, const char *const *keys, size_t count,
                                    clscan__group_document **found, clscan_error *error)
{
    clscan_status status;
    clscan__group_document *document = malloc(sizeof *document);
    group_devices *group = calloc(1, sizeof *group);
    acquaintance best = STRANGERS;
    clscan_error skipped;
    char *folder = NULL, **paths = NULL;
    size_t path_count = 0;

    *found = NULL;
    CLSCAN__REQUIRE(document != NULL && group != NULL, CLSCAN_ERROR_OUT_OF_MEMORY,
                    "no memory for what was measured of a group");
    group->count = count;
    group->keys = keys;
    for (size_t i = 0; i < count; ++i)
        clscan__pci_address(devices[i], group->addresses[i]);
    CLSCAN__TRY(find_folder(&folder, error));
    if (folder != NULL && clscan__folder_list(folder, ".json", &paths, &path_count, &skipped) != CLSCAN_OK)
        clscan__log(CLSCAN_LOG_WARNING, "configs of groups skipped: %s", skipped.message);
    for (size_t i = 0; i < path_count && best < SAME_DEVICES; ++i) {
        acquaintance this = STRANGERS;

        if (read(paths[i], document, &skipped) != CLSCAN_OK)
            clscan__log(CLSCAN_LOG_WARNING, "config of a group skipped: %s", skipped.message);
        else
            this = introduce(document, group);
        if (this <= best)
            continue;
        *found = *found != NULL ? *found : malloc(sizeof **found);
        CLSCAN__REQUIRE(*found != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for what was measured of a group");
        **found = *document;
        best = this;
    }

cleanup:
    for (size_t i = 0; i < path_count; ++i)
        free(paths[i]);
    free(paths);
    free(folder);
    free(group);
    free(document);
    return status;
}

clscan_status clscan__measured_of(const cl_device_id *devices, size_t count, clscan__group_document **found,
                                  clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan_device_info *infos = calloc(count, sizeof *infos);
    const char *keys[CLSCAN_MOST_DEVICES];

    *found = NULL;
    CLSCAN__REQUIRE(infos != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for %zu devices", count);
    for (size_t i = 0; i < count; ++i) {
        CLSCAN__REQUIRE(devices[i] != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "devices[%zu] is NULL", i);
        infos[i].struct_size = sizeof infos[i];
        CLSCAN__TRY(clscan_device_describe(devices[i], &infos[i], error));
        keys[i] = infos[i].key;
    }
    CLSCAN__TRY(clscan__measured_find(devices, keys, count, found, error));

cleanup:
    free(infos);
    return status;
}

static clscan_status check_devices(const cl_device_id *devices, uint64_t device_count, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    CLSCAN__REQUIRE(devices != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "devices is NULL");
    CLSCAN__REQUIRE(device_count >= 1 && device_count <= CLSCAN_MOST_DEVICES, CLSCAN_ERROR_INVALID_VALUE,
                    "device_count is %llu; there may be 1 to %u", (unsigned long long)device_count,
                    CLSCAN_MOST_DEVICES);

cleanup:
    return status;
}

clscan_status clscan_devices_weights(const cl_device_id *devices, uint64_t device_count, clscan_devices_work work,
                                     uint64_t count, double *weights, int *known, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__group_document *found = NULL;

    CLSCAN__TRY(check_devices(devices, device_count, error));
    CLSCAN__REQUIRE(weights != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "weights is NULL");
    CLSCAN__REQUIRE((unsigned)work < CLSCAN_DEVICES_WORK_COUNT, CLSCAN_ERROR_INVALID_VALUE, "work is %d", (int)work);
    CLSCAN__TRY(clscan__measured_of(devices, (size_t)device_count, &found, error));
    for (uint64_t i = 0; i < device_count; ++i)
        weights[i] = 1;
    if (found != NULL)
        clscan__group_weights(found, (uint32_t)work, count, weights);
    if (known != NULL)
        *known = found != NULL;

cleanup:
    free(found);
    return status;
}

clscan_status clscan_devices_links(const cl_device_id *devices, uint64_t device_count, uint64_t *links, int *known,
                                   clscan_error *error)
{
    clscan_status status;
    clscan__group_document *found = NULL;
    bool has_links;

    CLSCAN__TRY(check_devices(devices, device_count, error));
    CLSCAN__REQUIRE(links != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "links is NULL");
    CLSCAN__REQUIRE(known != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "known is NULL");
    CLSCAN__TRY(clscan__measured_of(devices, (size_t)device_count, &found, error));
    has_links = found != NULL && found->devices[0].has_link;
    for (uint64_t i = 0; has_links && i < device_count; ++i)
        links[i] = found->devices[i].link;
    *known = has_links;

cleanup:
    free(found);
    return status;
}

clscan_status clscan_devices_per_row(const cl_device_id *devices, uint64_t device_count, uint64_t rows, uint64_t count,
                                     uint64_t *per_row, int *known, clscan_error *error)
{
    clscan_status status;
    clscan__group_document *found = NULL;

    CLSCAN__TRY(check_devices(devices, device_count, error));
    CLSCAN__REQUIRE(per_row != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "per_row is NULL");
    CLSCAN__TRY(clscan__measured_of(devices, (size_t)device_count, &found, error));
    *per_row = clscan__group_per_row(found, (size_t)device_count, rows, count);
    if (known != NULL)
        *known = found != NULL;

cleanup:
    free(found);
    return status;
}
