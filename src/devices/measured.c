#include "devices/measured.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/log.h"
#include "base/text.h"

static bool is_of(const clscan__group_document *document, const char *const *keys, size_t count)
{
    bool same = document->device_count == count;

    for (size_t i = 0; i < count && same; ++i)
        same = strcmp(document->devices[i].key, keys[i]) == 0;
    return same;
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

clscan_status clscan__measured_find(const char *const *keys, size_t count, clscan__group_document **found,
                                    clscan_error *error)
{
    clscan_status status;
    clscan__group_document *document = malloc(sizeof *document);
    clscan_error skipped;
    char *folder = NULL, **paths = NULL;
    size_t path_count = 0;

    *found = NULL;
    CLSCAN__REQUIRE(document != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for what was measured of a group");
    CLSCAN__TRY(find_folder(&folder, error));
    if (folder != NULL && clscan__folder_list(folder, ".json", &paths, &path_count, &skipped) != CLSCAN_OK)
        clscan__log(CLSCAN_LOG_WARNING, "configs of groups skipped: %s", skipped.message);
    for (size_t i = 0; i < path_count && *found == NULL; ++i) {
        if (read(paths[i], document, &skipped) != CLSCAN_OK)
            clscan__log(CLSCAN_LOG_WARNING, "config of a group skipped: %s", skipped.message);
        else if (is_of(document, keys, count))
            *found = document;
    }

cleanup:
    for (size_t i = 0; i < path_count; ++i)
        free(paths[i]);
    free(paths);
    free(folder);
    if (*found == NULL)
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
    CLSCAN__TRY(clscan__measured_find(keys, count, found, error));

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
