#include "config_file/group.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <clscan/devices.h>

#include "config_file/keys.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

#define X(name, text, meaning) #text,
const char *const clscan__work_names[] = {CLSCAN_DEVICES_WORK_LIST(X) "shared"};
#undef X
const size_t clscan__work_count = COUNT_OF(clscan__work_names);

_Static_assert((int)CLSCAN__WORK_SHARED == (int)CLSCAN_DEVICES_WORK_COUNT, "it stands behind the works of weights");
_Static_assert(CLSCAN__GROUP_MOST_DEVICES == CLSCAN_MOST_DEVICES, "a group has as many devices as its config");

/* clang-format off */
static const clscan__json_key device_keys[] = {
    /* name             kind                 required  begins a line */
    {"key",             CLSCAN__JSON_STRING, true,     true,  NULL},
    {"pci_address",     CLSCAN__JSON_STRING, false,    false, NULL},
    {"device_gb_per_s", CLSCAN__JSON_NUMBER, true,     false, NULL},
    {"host_gb_per_s",   CLSCAN__JSON_NUMBER, true,     false, NULL},
    {"link",            CLSCAN__JSON_INTEGER, false,   false, NULL},
};
static const clscan__json_keys all_device_keys = {device_keys, COUNT_OF(device_keys)};

static const clscan__json_key step_keys[] = {
    /* name           kind                          required  begins a line */
    {"work",          CLSCAN__JSON_STRING,          true,     true,  NULL},
    {"rows",          CLSCAN__JSON_INTEGER,         false,    false, NULL},
    {"largest_count", CLSCAN__JSON_INTEGER_OR_NULL, true,     false, NULL},
    {"devices",       CLSCAN__JSON_INTEGER,         true,     false, NULL},
};
static const clscan__json_keys all_step_keys = {step_keys, COUNT_OF(step_keys)};

static const clscan__json_key provenance_keys[] = {
    /* name            kind                 required  begins a line */
    {"origin",         CLSCAN__JSON_STRING, true,     true, NULL},
    {"date",           CLSCAN__JSON_STRING, true,     true, NULL},
    {"clscan_version", CLSCAN__JSON_STRING, false,    true, NULL},
};
static const clscan__json_keys all_provenance_keys = {provenance_keys, COUNT_OF(provenance_keys)};

static const clscan__json_key group_keys[] = {
    /* name            kind                  required  begins a line */
    {"schema_version", CLSCAN__JSON_INTEGER, true,     true, NULL},
    {"provenance",     CLSCAN__JSON_OBJECT,  true,     true, &all_provenance_keys},
    {"host_staging",   CLSCAN__JSON_BOOLEAN, false,    true, NULL},
    {"devices",        CLSCAN__JSON_ARRAY,   true,     true, &all_device_keys},
    {"steps",          CLSCAN__JSON_ARRAY,   true,     true, &all_step_keys},
};
static const clscan__json_keys all_group_keys = {group_keys, COUNT_OF(group_keys)};
/* clang-format on */

/* ---- Reading ---- */

static clscan_status read_text(const json_t *object, const clscan__json_place *place, const char *key, char *text,
                               size_t capacity_bytes, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const char *given = clscan__json_text(object, key);

    if (given == NULL)
        return status;
    CLSCAN__JSON_REQUIRE(strlen(given) < capacity_bytes, place, key, CLSCAN_ERROR_CONFIG_SCHEMA,
                         "longer than %zu bytes", capacity_bytes - 1);
    strcpy(text, given);

cleanup:
    return status;
}

static clscan_status read_speed(const json_t *object, const clscan__json_place *place, const char *key, double *speed,
                                clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    *speed = json_number_value(json_object_get(object, key));
    CLSCAN__JSON_REQUIRE(*speed > 0, place, key, CLSCAN_ERROR_CONFIG_SCHEMA, "not above 0");

cleanup:
    return status;
}

static clscan_status read_link(const json_t *object, const clscan__json_place *place, clscan__group_device *device,
                               clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const json_t *given = json_object_get(object, "link");
    const json_int_t link = json_integer_value(given);

    device->has_link = given != NULL;
    CLSCAN__JSON_REQUIRE(link >= 0 && link <= UINT32_MAX, place, "link", CLSCAN_ERROR_CONFIG_SCHEMA,
                         "%" JSON_INTEGER_FORMAT " is not 0 to %" PRIu32, link, UINT32_MAX);
    device->link = (uint32_t)link;

cleanup:
    return status;
}

static clscan_status read_device(const json_t *object, const clscan__json_place *place, clscan__group_device *device,
                                 clscan_error *error)
{
    clscan_status status;
    size_t length_bytes;

    CLSCAN__TRY(clscan__json_check_object(object, place, &all_device_keys, error));
    CLSCAN__TRY(read_text(object, place, "key", device->key, sizeof device->key, error));
    length_bytes = strlen(device->key);
    CLSCAN__JSON_REQUIRE(length_bytes > 0 &&
                             strspn(device->key, "abcdefghijklmnopqrstuvwxyz0123456789-") == length_bytes,
                         place, "key", CLSCAN_ERROR_CONFIG_SCHEMA, "no device's key, as `clscan devices` prints it");
    CLSCAN__TRY(read_text(object, place, "pci_address", device->pci_address, sizeof device->pci_address, error));
    CLSCAN__TRY(read_speed(object, place, "device_gb_per_s", &device->device_gb_per_s, error));
    CLSCAN__TRY(read_speed(object, place, "host_gb_per_s", &device->host_gb_per_s, error));
    CLSCAN__TRY(read_link(object, place, device, error));

cleanup:
    return status;
}

/* Of shared rows only, of which there are fewer than devices. One alone is a scan. */
static clscan_status read_rows(const json_t *object, const clscan__json_place *place, size_t device_count,
                               clscan__group_step *step, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const json_t *given = json_object_get(object, "rows");
    const json_int_t rows = json_integer_value(given);

    CLSCAN__JSON_REQUIRE((given != NULL) == (step->work == CLSCAN__WORK_SHARED), place, "rows",
                         CLSCAN_ERROR_CONFIG_SCHEMA, "steps of the work %s have it, and no others",
                         clscan__work_names[CLSCAN__WORK_SHARED]);
    CLSCAN__JSON_REQUIRE(given == NULL || (rows >= 2 && (uint64_t)rows < device_count), place, "rows",
                         CLSCAN_ERROR_CONFIG_SCHEMA, "%" JSON_INTEGER_FORMAT " rows on %zu devices", rows,
                         device_count);
    step->rows = (uint32_t)rows;

cleanup:
    return status;
}

static clscan_status read_step(const json_t *object, const clscan__json_place *place, size_t device_count,
                               clscan__group_step *step, clscan_error *error)
{
    clscan_status status;
    const json_t *largest;
    json_int_t devices;

    CLSCAN__TRY(clscan__json_check_object(object, place, &all_step_keys, error));
    CLSCAN__TRY(clscan__json_read_choice(object, place, "work", clscan__work_names, clscan__work_count, &step->work,
                                         error));
    CLSCAN__TRY(read_rows(object, place, device_count, step, error));
    largest = json_object_get(object, "largest_count");
    CLSCAN__JSON_REQUIRE(json_is_null(largest) || json_integer_value(largest) > 0, place, "largest_count",
                         CLSCAN_ERROR_CONFIG_SCHEMA, "%" JSON_INTEGER_FORMAT " is not positive",
                         json_integer_value(largest));
    step->largest_count = json_is_null(largest) ? UINT64_MAX : (uint64_t)json_integer_value(largest);
    devices = json_integer_value(json_object_get(object, "devices"));
    CLSCAN__JSON_REQUIRE(devices >= 1 && (uint64_t)devices <= device_count, place, "devices",
                         CLSCAN_ERROR_CONFIG_SCHEMA, "%" JSON_INTEGER_FORMAT " of %zu devices", devices, device_count);
    CLSCAN__JSON_REQUIRE(step->work != CLSCAN__WORK_SHARED || device_count % (uint64_t)devices == 0, place, "devices",
                         CLSCAN_ERROR_CONFIG_SCHEMA, "%zu devices are no groups of %" JSON_INTEGER_FORMAT,
                         device_count, devices);
    step->devices = (uint32_t)devices;

cleanup:
    return status;
}

/* Of one work, and one number of shared rows, they ascend, side by side, and the last has no limit. */
static clscan_status check_steps(const clscan__group_document *document, const clscan__json_place *place,
                                 clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (size_t i = 0; i < document->step_count; ++i) {
        const clscan__json_place at = clscan__json_at_index(place, i);
        const clscan__group_step *step = &document->steps[i], *next = step + 1;
        const bool is_last =
            i + 1 == document->step_count || next->work != step->work || next->rows != step->rows;

        CLSCAN__JSON_REQUIRE(i == 0 || step[-1].work <= step->work, &at, "work", CLSCAN_ERROR_CONFIG_SCHEMA,
                             "steps stand by work: %s, then the others as listed", clscan__work_names[0]);
        CLSCAN__JSON_REQUIRE(i == 0 || step[-1].work < step->work || step[-1].rows <= step->rows, &at, "rows",
                             CLSCAN_ERROR_CONFIG_SCHEMA, "less than that of the step before");
        CLSCAN__JSON_REQUIRE(is_last == (step->largest_count == UINT64_MAX), &at, "largest_count",
                             CLSCAN_ERROR_CONFIG_SCHEMA, "the last step of a work, and no other, has null");
        CLSCAN__JSON_REQUIRE(is_last || step->largest_count < next->largest_count, &at, "largest_count",
                             CLSCAN_ERROR_CONFIG_SCHEMA, "not less than that of the next step");
    }

cleanup:
    return status;
}

static clscan_status check_links(const clscan__group_document *document, const clscan__json_place *place,
                                 clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (size_t i = 1; i < document->device_count; ++i) {
        const clscan__json_place at = clscan__json_at_index(place, i);

        CLSCAN__JSON_REQUIRE(document->devices[i].has_link == document->devices[0].has_link, &at, "link",
                             CLSCAN_ERROR_CONFIG_SCHEMA, "all devices have one, or none");
    }

cleanup:
    return status;
}

static clscan_status read_provenance(const json_t *object, const clscan__json_place *place,
                                     clscan__group_document *document, clscan_error *error)
{
    clscan_status status;
    uint32_t origin;

    CLSCAN__TRY(clscan__json_check_object(object, place, &all_provenance_keys, error));
    CLSCAN__TRY(
        clscan__json_read_choice(object, place, "origin", clscan__origin_names, CLSCAN__ORIGIN_COUNT, &origin, error));
    document->origin = (clscan__origin)origin;
    CLSCAN__TRY(read_text(object, place, "date", document->date, sizeof document->date, error));
    CLSCAN__TRY(read_text(object, place, "clscan_version", document->clscan_version, sizeof document->clscan_version,
                          error));

cleanup:
    return status;
}

static clscan_status read_group(const json_t *root, const char *source, clscan__group_document *document,
                                clscan_error *error)
{
    const clscan__json_place place = {source, ""};
    const clscan__json_place provenance = clscan__json_at_key(&place, "provenance");
    const clscan__json_place devices = clscan__json_at_key(&place, "devices");
    const clscan__json_place steps = clscan__json_at_key(&place, "steps");
    const json_t *device_list = json_object_get(root, "devices"), *step_list = json_object_get(root, "steps");
    const json_t *version = json_object_get(root, "schema_version");
    clscan_status status = CLSCAN_OK;

    CLSCAN__JSON_REQUIRE(!json_is_integer(version) || json_integer_value(version) == CLSCAN__SCHEMA_VERSION, &place,
                         "schema_version", CLSCAN_ERROR_CONFIG_VERSION,
                         "%" JSON_INTEGER_FORMAT "; this library reads version %d", json_integer_value(version),
                         CLSCAN__SCHEMA_VERSION);
    CLSCAN__TRY(clscan__json_check_object(root, &place, &all_group_keys, error));
    CLSCAN__TRY(read_provenance(json_object_get(root, "provenance"), &provenance, document, error));
    document->host_staging = json_is_true(json_object_get(root, "host_staging"));
    document->device_count = json_array_size(device_list);
    document->step_count = json_array_size(step_list);
    CLSCAN__JSON_REQUIRE(document->device_count >= 1 && document->device_count <= CLSCAN__GROUP_MOST_DEVICES, &devices,
                         NULL, CLSCAN_ERROR_CONFIG_SCHEMA, "%zu devices; a group has 1 to %u", document->device_count,
                         CLSCAN__GROUP_MOST_DEVICES);
    CLSCAN__JSON_REQUIRE(document->step_count <= CLSCAN__GROUP_MOST_STEPS, &steps, NULL, CLSCAN_ERROR_CONFIG_SCHEMA,
                         "%zu steps; at most %u are read", document->step_count, CLSCAN__GROUP_MOST_STEPS);
    for (size_t i = 0; i < document->device_count; ++i) {
        const clscan__json_place at = clscan__json_at_index(&devices, i);

        CLSCAN__TRY(read_device(json_array_get(device_list, i), &at, &document->devices[i], error));
    }
    for (size_t i = 0; i < document->step_count; ++i) {
        const clscan__json_place at = clscan__json_at_index(&steps, i);

        CLSCAN__TRY(
            read_step(json_array_get(step_list, i), &at, document->device_count, &document->steps[i], error));
    }
    CLSCAN__TRY(check_links(document, &devices, error));
    CLSCAN__TRY(check_steps(document, &steps, error));

cleanup:
    return status;
}

clscan_status clscan__group_read(const char *text, size_t text_bytes, const char *source,
                                 clscan__group_document *document, clscan_error *error)
{
    clscan_status status;
    clscan__group_document *read = calloc(1, sizeof *read);
    json_t *root = NULL;

    CLSCAN__REQUIRE(read != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "%s: no memory for the config", source);
    CLSCAN__TRY(clscan__json_load(text, text_bytes, source, &root, error));
    CLSCAN__TRY(read_group(root, source, read, error));
    *document = *read;

cleanup:
    json_decref(root);
    free(read);
    return status;
}

/* ---- Writing ---- */

static json_t *provenance_to_json(const clscan__group_document *document)
{
    json_t *object = json_object();
    bool ok = clscan__json_put(object, "origin", json_string(clscan__origin_name(document->origin)));

    ok = ok && clscan__json_put(object, "date", json_string(document->date));
    ok = ok && (document->clscan_version[0] == '\0' ||
                clscan__json_put(object, "clscan_version", json_string(document->clscan_version)));
    return clscan__json_whole(object, ok);
}

static json_t *device_to_json(const clscan__group_device *device)
{
    json_t *object = json_object();
    bool ok = clscan__json_put(object, "key", json_string(device->key));

    ok = ok && (device->pci_address[0] == '\0' || clscan__json_put(object, "pci_address", json_string(device->pci_address)));
    ok = ok && clscan__json_put(object, "device_gb_per_s", json_real(device->device_gb_per_s));
    ok = ok && clscan__json_put(object, "host_gb_per_s", json_real(device->host_gb_per_s));
    ok = ok && (!device->has_link || clscan__json_put(object, "link", json_integer(device->link)));
    return clscan__json_whole(object, ok);
}

static json_t *step_to_json(const clscan__group_step *step)
{
    const bool limited = step->largest_count != UINT64_MAX;
    json_t *object = json_object();
    bool ok = clscan__json_put(object, "work", json_string(clscan__work_names[step->work]));

    ok = ok && (step->rows == 0 || clscan__json_put(object, "rows", json_integer(step->rows)));
    ok = ok && clscan__json_put(object, "largest_count", limited ? json_integer((json_int_t)step->largest_count) : json_null());
    ok = ok && clscan__json_put(object, "devices", json_integer(step->devices));
    return clscan__json_whole(object, ok);
}

static json_t *group_to_json(const clscan__group_document *document)
{
    json_t *object = json_object(), *devices = json_array(), *steps = json_array();
    bool ok = true;

    for (size_t i = 0; i < document->device_count; ++i)
        ok = ok && json_array_append_new(devices, device_to_json(&document->devices[i])) == 0;
    for (size_t i = 0; i < document->step_count; ++i)
        ok = ok && json_array_append_new(steps, step_to_json(&document->steps[i])) == 0;
    ok = clscan__json_put(object, "schema_version", json_integer(CLSCAN__SCHEMA_VERSION)) && ok;
    ok = clscan__json_put(object, "provenance", provenance_to_json(document)) && ok;
    ok = (!document->host_staging || clscan__json_put(object, "host_staging", json_true())) && ok;
    ok = clscan__json_put(object, "devices", devices) && ok; /* which takes them over, also where it fails */
    ok = clscan__json_put(object, "steps", steps) && ok;
    return clscan__json_whole(object, ok);
}

char *clscan__group_write(const clscan__group_document *document, size_t *size_bytes)
{
    return clscan__json_print(group_to_json(document), &all_group_keys, size_bytes);
}

/* ---- Use ---- */

/* The first step of the work that reaches as far; 0 where nobody knows. */
static size_t devices_of_step(const clscan__group_document *document, uint32_t work, uint32_t rows, uint64_t count)
{
    for (size_t i = 0; i < document->step_count; ++i) {
        const clscan__group_step *step = &document->steps[i];

        if (step->work == work && step->rows == rows && count <= step->largest_count)
            return step->devices;
    }
    return 0;
}

static size_t devices_for(const clscan__group_document *document, uint32_t work, uint64_t count)
{
    const size_t found = devices_of_step(document, work, 0, count);

    return found > 0 ? found : document->device_count;
}

void clscan__group_weights(const clscan__group_document *document, uint32_t work, uint64_t count, double *weights)
{
    const size_t wanted = devices_for(document, work, count);

    for (size_t i = 0; i < document->device_count; ++i) {
        const clscan__group_device *device = &document->devices[i];

        weights[i] = work == CLSCAN_DEVICES_HOST ? device->host_gb_per_s : device->device_gb_per_s;
    }
    /* Of equal speeds the first go ahead. */
    for (size_t left = document->device_count; left > wanted; --left) {
        size_t slowest = document->device_count;

        for (size_t i = 0; i < document->device_count; ++i)
            if (weights[i] > 0 && (slowest == document->device_count || weights[i] <= weights[slowest]))
                slowest = i;
        weights[slowest] = 0;
    }
}

/* The most that make groups for all rows. */
static size_t busy_per_row(size_t device_count, uint64_t rows)
{
    size_t per_row = rows > 0 ? (size_t)(device_count / rows) : device_count;

    while (per_row > 1 && device_count % per_row != 0)
        --per_row;
    return per_row;
}

size_t clscan__group_per_row(const clscan__group_document *document, size_t device_count, uint64_t rows,
                             uint64_t count)
{
    size_t found = 0;

    if (rows >= device_count)
        return 1;
    if (document != NULL && rows <= 1)
        return devices_for(document, CLSCAN_DEVICES_SCAN, count);
    /* Of the numbers of rows that were measured the next smaller one. */
    for (uint64_t like = rows; document != NULL && like >= 2 && found == 0; --like)
        found = devices_of_step(document, CLSCAN__WORK_SHARED, (uint32_t)like, count);
    return found > 0 ? found : busy_per_row(device_count, rows);
}
