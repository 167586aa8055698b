#include <clscan/device.h>

#include "base/structs.h"
#include "device/raw.h"
#include "device/switches.h"
#include "element/types.h"

clscan_status clscan_device_describe(cl_device_id device, clscan_device_info *info, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__device_raw raw;
    clscan_device_info found;

    CLSCAN__REQUIRE(device != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "clscan_device_describe: device is NULL");
    CLSCAN__REQUIRE(info != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "clscan_device_describe: info is NULL");
    CLSCAN__TRY(clscan__struct_check(info, "info", error));
    CLSCAN__TRY(clscan__device_query(device, &raw, error));
    clscan__device_derive(&raw, &found);
    clscan__switches_apply(&found);
    clscan__struct_give(info, &found, sizeof found);

cleanup:
    return status;
}

clscan_status clscan_device_check_type(const clscan_device_info *device, clscan_type type, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan_device_info room;

    CLSCAN__REQUIRE(device != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "clscan_device_check_type: device is NULL");
    CLSCAN__TAKE(device, room);
    CLSCAN__REQUIRE(clscan__type_is_valid(type), CLSCAN_ERROR_INVALID_VALUE, "clscan_device_check_type: type is %d",
                    (int)type);
    CLSCAN__REQUIRE(type != CLSCAN_DOUBLE || device->has_double, CLSCAN_ERROR_UNSUPPORTED_TYPE, "%s has no double",
                    device->name);
    CLSCAN__REQUIRE(clscan_type_size_bytes(type) > 1 || device->int8_reason[0] == '\0', CLSCAN_ERROR_UNSUPPORTED_TYPE,
                    "%s cannot scan %s: %s", device->name, clscan_type_name(type), device->int8_reason);

cleanup:
    return status;
}

/* The names of the three enums, from their lists; "invalid" for a number that is none of theirs. */

const char *clscan_mechanism_name(clscan_mechanism mechanism)
{
    switch (mechanism) {
#define X(name, text, meaning)    \
    case CLSCAN_MECHANISM_##name: \
        return #text;
        CLSCAN_MECHANISM_LIST(X)
#undef X
    case CLSCAN_MECHANISM_COUNT:
        break;
    }
    return "invalid";
}

const char *clscan_progress_name(clscan_progress progress)
{
    switch (progress) {
#define X(name, text, meaning)   \
    case CLSCAN_PROGRESS_##name: \
        return #text;
        CLSCAN_PROGRESS_LIST(X)
#undef X
    case CLSCAN_PROGRESS_COUNT:
        break;
    }
    return "invalid";
}

const char *clscan_device_class_name(clscan_device_class device_class)
{
    switch (device_class) {
#define X(name, text)                \
    case CLSCAN_DEVICE_CLASS_##name: \
        return #text;
        CLSCAN_DEVICE_CLASS_LIST(X)
#undef X
    case CLSCAN_DEVICE_CLASS_COUNT:
        break;
    }
    return "invalid";
}
