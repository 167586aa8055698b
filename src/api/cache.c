#include <clscan/cache.h>

#include "base/structs.h"
#include "program/cache_settings.h"
#include "program/inventory.h"

clscan_status clscan_cache_set(const clscan_cache_options *options, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan_cache_options room;

    if (options != NULL) {
        CLSCAN__TAKE(options, room);
        CLSCAN__REQUIRE(options->reserved == 0, CLSCAN_ERROR_INVALID_VALUE, "options->reserved is %u",
                        (unsigned)options->reserved);
        CLSCAN__REQUIRE((unsigned)options->mode < CLSCAN_CACHE_MODE_COUNT, CLSCAN_ERROR_INVALID_VALUE,
                        "options->mode is %d", (int)options->mode);
        CLSCAN__REQUIRE(options->folder == NULL || options->folder[0] == '/', CLSCAN_ERROR_INVALID_VALUE,
                        "options->folder is '%s', not an absolute path", options->folder);
    }
    CLSCAN__TRY(clscan__cache_settings_set(options, error));

cleanup:
    return status;
}

clscan_status clscan_cache_statistics(clscan_cache_counters *counters, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan_cache_counters found;

    CLSCAN__REQUIRE(counters != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "counters is NULL");
    CLSCAN__TRY(clscan__struct_check(counters, "counters", error));
    clscan__cache_counters_read(&found);
    clscan__struct_give(counters, &found, sizeof found);

cleanup:
    return status;
}

clscan_status clscan_cache_describe(clscan_cache_info *info, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__cache_settings settings = {0};
    clscan_cache_info found = {0};

    CLSCAN__REQUIRE(info != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "info is NULL");
    CLSCAN__TRY(clscan__struct_check(info, "info", error));
    CLSCAN__TRY(clscan__cache_settings_get(&settings, error));
    found.mode = settings.mode;
    found.max_bytes = settings.max_bytes;
    clscan__inventory_describe(settings.folder, &found);
    clscan__struct_give(info, &found, sizeof found);

cleanup:
    clscan__cache_settings_free(&settings);
    return status;
}

int clscan_cache_serves(const clscan_device_info *device, const char **reason)
{
    clscan__cache_settings settings = {0};
    clscan_device_info room;
    const char *found = "there is no device";
    int serves = 0;

    if (device != NULL) {
        found = "the device's struct_size is not set";
        device = clscan__struct_take(device, &room, sizeof room, "device", NULL);
    }
    if (device != NULL && clscan__cache_settings_get(&settings, NULL) == CLSCAN_OK)
        serves = clscan__cache_serves(settings.mode, device, &found);
    clscan__cache_settings_free(&settings);
    if (reason != NULL)
        *reason = found;
    return serves;
}

clscan_status clscan_cache_list(clscan_cache_visitor *visit, void *user, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__cache_settings settings = {0};

    CLSCAN__REQUIRE(visit != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "visit is NULL");
    CLSCAN__TRY(clscan__cache_settings_get(&settings, error));
    CLSCAN__TRY(clscan__inventory_list(settings.folder, visit, user, error));

cleanup:
    clscan__cache_settings_free(&settings);
    return status;
}

clscan_status clscan_cache_clear(uint64_t *removed, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__cache_settings settings = {0};
    uint64_t count = 0;

    CLSCAN__TRY(clscan__cache_settings_get(&settings, error));
    CLSCAN__TRY(clscan__inventory_clear(settings.folder, &count, error));
    if (removed != NULL)
        *removed = count;

cleanup:
    clscan__cache_settings_free(&settings);
    return status;
}

const char *clscan_cache_mode_name(clscan_cache_mode mode)
{
    switch (mode) {
#define X(name, text, meaning) \
    case CLSCAN_CACHE_##name:  \
        return #text;
        CLSCAN_CACHE_MODE_LIST(X)
#undef X
    case CLSCAN_CACHE_MODE_COUNT:
        break;
    }
    return "invalid";
}
