#include "record/device_json.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "command_line/failure.h"
#include "common/printable.h"
#include "config_file/json.h"

/* Fields of clscan_device_info by their type; keys have the same names. */
/* clang-format off */
#define TEXT_LIST(X)                                                                                             \
    X(platform_name) X(name) X(vendor) X(device_version) X(driver_version) X(key) X(architecture) X(family)      \
    X(generic) X(mechanism_reason) X(progress_reason) X(quirks)
#define NUMBER_LIST(X)                                                                                           \
    X(vendor_id, uint32_t) X(version, uint32_t) X(c_version, uint32_t) X(compute_units, uint32_t)                \
    X(max_work_group_size, uint32_t) X(base_align_bytes, uint32_t) X(global_memory_bytes, uint64_t)              \
    X(max_allocation_bytes, uint64_t) X(local_memory_bytes, uint64_t) X(nv_compute_capability, uint32_t)         \
    X(has_double, int) X(has_int64_atomics, int) X(has_sub_groups, int) X(has_device_scope, int)                 \
    X(sub_group_size, uint32_t)
/* Younger than the oldest journals, which are of devices without them. */
#define LATER_TEXT_LIST(X) X(int8_reason) X(extensions) X(rows_reason) X(sub_group_reason)
#define LATER_NUMBER_LIST(X) X(max_loop_turns, uint32_t) X(register_file_bytes, uint64_t) X(no_sub_groups, int)
#define CHOICE_LIST(X)                                                                                           \
    X(device_class, clscan_device_class, CLSCAN_DEVICE_CLASS_COUNT)                                              \
    X(mechanism, clscan_mechanism, CLSCAN_MECHANISM_COUNT)                                                       \
    X(progress, clscan_progress, CLSCAN_PROGRESS_COUNT)
/* clang-format on */

json_t *tune_device_to_json(const clscan_device_info *device)
{
    json_t *object = json_object();
    int failed = 0;

#define X(field) failed |= json_object_set_new(object, #field, clscan__json_valid_text(device->field));
    TEXT_LIST(X)
    LATER_TEXT_LIST(X)
#undef X
#define X(field, type) failed |= json_object_set_new(object, #field, json_integer((json_int_t)device->field));
    NUMBER_LIST(X)
    LATER_NUMBER_LIST(X)
#undef X
#define X(field, type, count) failed |= json_object_set_new(object, #field, json_string(type##_name(device->field)));
    CHOICE_LIST(X)
#undef X
    if (failed != 0) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static clscan_status read_choice(const json_t *object, const char *key, const char *const *names, int count,
                                 int *choice, clscan_error *error)
{
    const char *text = json_string_value(json_object_get(object, key));

    for (int i = 0; text != NULL && i < count; ++i)
        if (strcmp(text, names[i]) == 0) {
            *choice = i;
            return CLSCAN_OK;
        }
    return fail(error, CLSCAN_ERROR_CONFIG_SCHEMA, "device: %s: missing or unknown", key);
}

clscan_status tune_device_from_json(const json_t *object, clscan_device_info *device, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan_device_info read = {.struct_size = sizeof read};
    const json_t *value;

#define READ_TEXT(field)                                                                          \
    value = json_object_get(object, #field);                                                      \
    REQUIRE(json_is_string(value), CLSCAN_ERROR_CONFIG_SCHEMA, "device: " #field ": not a text"); \
    clscan__printable(json_string_value(value), read.field, sizeof read.field);
#define READ_NUMBER(field, type)                                                                           \
    value = json_object_get(object, #field);                                                               \
    REQUIRE(json_is_integer(value), CLSCAN_ERROR_CONFIG_SCHEMA, "device: " #field ": not a whole number"); \
    read.field = (type)json_integer_value(value);
#define READ_IF_THERE(field, read_field)           \
    if (json_object_get(object, #field) != NULL) { \
        read_field                                 \
    }
#define X(field) READ_IF_THERE(field, READ_TEXT(field))
    LATER_TEXT_LIST(X)
#undef X
#define X(field, type) READ_IF_THERE(field, READ_NUMBER(field, type))
    LATER_NUMBER_LIST(X)
#undef X
    TEXT_LIST(READ_TEXT)
    NUMBER_LIST(READ_NUMBER)
#define X(field, type, count)                                                  \
    {                                                                          \
        const char *names[count];                                              \
        int choice = 0;                                                        \
        for (int i = 0; i < (int)(count); ++i)                                 \
            names[i] = type##_name((type)i);                                   \
        TRY(read_choice(object, #field, names, (int)(count), &choice, error)); \
        read.field = (type)choice;                                             \
    }
    CHOICE_LIST(X)
#undef X
    *device = read;

cleanup:
    return status;
}
