/* Devices as scripts/record-device writes them down. */
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/file.h"
#include "base/structs.h"
#include "device/raw.h"

#define RECORDED_MAX_BYTES ((size_t)1 << 20)

typedef enum field_kind { FIELD_TEXT, FIELD_U32, FIELD_U64 } field_kind;

typedef struct field {
    const char *name;
    field_kind kind;
    size_t offset;
    size_t bytes;
} field;

#define FIELD(member, kind)                                                                            \
    {                                                                                                  \
#member, kind, offsetof(clscan__device_raw, member), sizeof(((clscan__device_raw *)0)->member) \
    }

static const field fields[] = {
    FIELD(platform_name, FIELD_TEXT),
    FIELD(name, FIELD_TEXT),
    FIELD(vendor, FIELD_TEXT),
    FIELD(device_version, FIELD_TEXT),
    FIELD(driver_version, FIELD_TEXT),
    FIELD(c_version, FIELD_TEXT),
    FIELD(extensions, FIELD_TEXT),
    FIELD(c_features, FIELD_TEXT),
    FIELD(type, FIELD_U64),
    FIELD(vendor_id, FIELD_U32),
    FIELD(compute_units, FIELD_U32),
    FIELD(max_work_group_size, FIELD_U32),
    FIELD(base_align_bits, FIELD_U32),
    FIELD(global_memory_bytes, FIELD_U64),
    FIELD(max_allocation_bytes, FIELD_U64),
    FIELD(local_memory_bytes, FIELD_U64),
    FIELD(double_fp_config, FIELD_U64),
    FIELD(atomic_memory_capabilities, FIELD_U64),
    FIELD(nv_compute_capability, FIELD_U32),
    FIELD(clock_mhz, FIELD_U32),
    FIELD(local_memory_type, FIELD_U32),
    FIELD(local_memory_banks, FIELD_U32),
    FIELD(sub_group_size, FIELD_U32),
};
enum { FIELD_COUNT = sizeof fields / sizeof fields[0] };

static bool store_text(const field *to, const json_t *value, char *target)
{
    if (!json_is_string(value) || json_string_length(value) >= to->bytes)
        return false;
    memcpy(target, json_string_value(value), json_string_length(value) + 1);
    return true;
}

static bool store_number(const field *to, const json_t *value, char *target)
{
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return false;
    const uint64_t large = (uint64_t)json_integer_value(value);
    if (to->kind == FIELD_U64) {
        memcpy(target, &large, sizeof large);
        return true;
    }
    if (large > UINT32_MAX)
        return false;
    const uint32_t small = (uint32_t)large;
    memcpy(target, &small, sizeof small);
    return true;
}

/* Every field must be there, and nothing else but "source". */
static clscan_status store_fields(const char *path, const json_t *root, clscan__device_raw *raw, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (size_t i = 0; i < FIELD_COUNT; ++i) {
        const json_t *value = json_object_get(root, fields[i].name);
        char *target = (char *)raw + fields[i].offset;
        const bool stored = fields[i].kind == FIELD_TEXT ? store_text(&fields[i], value, target)
                                                         : store_number(&fields[i], value, target);

        CLSCAN__REQUIRE(stored, CLSCAN_ERROR_FILE, "%s: \"%s\" is missing or wrong", path, fields[i].name);
    }
    CLSCAN__REQUIRE(json_is_string(json_object_get(root, "source")) && json_object_size(root) == FIELD_COUNT + 1,
                    CLSCAN_ERROR_FILE, "%s: lacks \"source\" or has a field of another name", path);

cleanup:
    return status;
}

clscan_status clscan__device_raw_load(const char *path, clscan__device_raw *raw, clscan_error *error)
{
    clscan_status status;
    clscan__device_raw read = {.name = ""};
    json_error_t problem;
    json_t *root = NULL;
    char *text = NULL;
    size_t text_bytes;

    CLSCAN__TRY(clscan__file_read(path, RECORDED_MAX_BYTES, CLSCAN_ERROR_FILE, &text, &text_bytes, error));
    root = json_loadb(text, text_bytes, JSON_REJECT_DUPLICATES, &problem);
    CLSCAN__REQUIRE(root != NULL, CLSCAN_ERROR_FILE, "%s: line %d: %s", path, problem.line, problem.text);
    CLSCAN__TRY(store_fields(path, root, &read, error));
    *raw = read;

cleanup:
    json_decref(root);
    free(text);
    return status;
}

clscan_status clscan_device_load(const char *path, clscan_device_info *info, clscan_error *error)
{
    clscan_status status;
    clscan__device_raw raw;
    clscan_device_info found;

    CLSCAN__REQUIRE(path != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "clscan_device_load: path is NULL");
    CLSCAN__REQUIRE(info != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "clscan_device_load: info is NULL");
    CLSCAN__TRY(clscan__struct_check(info, "info", error));
    CLSCAN__TRY(clscan__device_raw_load(path, &raw, error));
    clscan__device_derive(&raw, &found);
    clscan__struct_give(info, &found, sizeof found);

cleanup:
    return status;
}
