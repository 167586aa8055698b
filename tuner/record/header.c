#include "record/header.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_line/failure.h"
#include "common/printable.h"
#include "record/device_json.h"

#define VERSION_KEY "clscan_tune_journal"

clscan_status tune_header_add(tune_header *header, const tune_target *target, const uint64_t *counts,
                              const clscan_variant *defaults, size_t count_count, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    tune_header_target *grown = realloc(header->targets, (header->target_count + 1) * sizeof *grown);
    tune_header_target *added;

    REQUIRE(grown != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for the targets");
    header->targets = grown;
    added = &grown[header->target_count++];
    *added = (tune_header_target){.target = *target,
                                  .counts = malloc(count_count * sizeof *counts),
                                  .defaults = malloc(count_count * sizeof *defaults),
                                  .count_count = count_count};
    REQUIRE(added->counts != NULL && added->defaults != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for the targets");
    memcpy(added->counts, counts, count_count * sizeof *counts);
    memcpy(added->defaults, defaults, count_count * sizeof *defaults);

cleanup:
    return status;
}

clscan_status tune_header_copy(tune_header *to, const tune_header *from, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    *to = *from;
    to->targets = NULL;
    to->target_count = 0;
    for (size_t i = 0; i < from->target_count; ++i) {
        const tune_header_target *target = &from->targets[i];

        TRY(tune_header_add(to, &target->target, target->counts, target->defaults, target->count_count, error));
    }

cleanup:
    return status;
}

void tune_header_free(tune_header *header)
{
    for (size_t i = 0; i < header->target_count; ++i) {
        free(header->targets[i].counts);
        free(header->targets[i].defaults);
    }
    free(header->targets);
    *header = (tune_header){0};
}

static clscan_status same_text(const char *what, const char *then, const char *now, clscan_error *error)
{
    if (strcmp(then, now) == 0)
        return CLSCAN_OK;
    return fail(error, CLSCAN_ERROR_INVALID_VALUE, "another %s: the journal has \"%.200s\", now it is \"%.200s\"", what,
                then, now);
}

static clscan_status same_target(const tune_header_target *then, const tune_header_target *now, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    char name[TUNE_TARGET_NAME_BYTES];

    tune_target_name(&then->target, name);
    REQUIRE(tune_target_same_problem(&then->target, &now->target) && tune_target_equal(&then->target, &now->target),
            CLSCAN_ERROR_INVALID_VALUE, "other targets: the journal has %s of %s as %s",
            clscan_operator_name(then->target.op), tune_target_type_name(&then->target), name);
    REQUIRE(then->count_count == now->count_count &&
                memcmp(then->counts, now->counts, now->count_count * sizeof *now->counts) == 0,
            CLSCAN_ERROR_INVALID_VALUE, "other counts for %s: the journal has %zu from %" PRIu64 " to %" PRIu64, name,
            then->count_count, then->counts[0], then->counts[then->count_count - 1]);

cleanup:
    return status;
}

clscan_status tune_header_matches(const tune_header *then, const tune_header *now, clscan_error *error)
{
    clscan_status status;

    TRY(same_text("device", then->device.key, now->device.key, error));
    TRY(same_text("device", then->device.name, now->device.name, error));
    TRY(same_text("platform", then->device.platform_name, now->device.platform_name, error));
    TRY(same_text("driver", then->device.driver_version, now->device.driver_version, error));
    TRY(same_text("version of clscan", then->clscan_version, now->clscan_version, error));
    TRY(same_text("space", then->space, now->space, error));
    TRY(same_text("restriction of the space", then->only, now->only, error));
    TRY(same_text("strategy", then->strategy, now->strategy, error));
    REQUIRE(then->seed == now->seed, CLSCAN_ERROR_INVALID_VALUE,
            "another seed: the journal has %" PRIu64 ", now it is %" PRIu64, then->seed, now->seed);
    REQUIRE(then->target_count == now->target_count, CLSCAN_ERROR_INVALID_VALUE,
            "other targets: the journal has %zu, now there are %zu", then->target_count, now->target_count);
    for (size_t i = 0; i < now->target_count; ++i)
        TRY(same_target(&then->targets[i], &now->targets[i], error));

cleanup:
    return status;
}

static json_t *target_to_json(const tune_header_target *target)
{
    json_t *counts = json_array(), *defaults = json_array(), *object = tune_target_to_json(&target->target);
    int failed = json_object_set(object, "counts", counts) | json_object_set(object, "defaults", defaults);

    for (size_t i = 0; i < target->count_count; ++i) {
        char text[512];

        clscan_variant_format(&target->defaults[i], text, sizeof text);
        failed |= json_array_append_new(counts, json_integer((json_int_t)target->counts[i]));
        failed |= json_array_append_new(defaults, json_string(text));
    }
    json_decref(counts);
    json_decref(defaults);
    if (failed != 0) {
        json_decref(object);
        return NULL;
    }
    return object;
}

json_t *tune_header_to_json(const tune_header *header)
{
    json_t *targets = json_array();
    int failed = 0;

    for (size_t i = 0; i < header->target_count; ++i)
        failed |= json_array_append_new(targets, target_to_json(&header->targets[i]));
    if (failed != 0) {
        json_decref(targets);
        return NULL;
    }
    return json_pack("{s:i, s:s, s:s, s:s, s:s, s:I, s:o, s:o}", VERSION_KEY, TUNE_JOURNAL_VERSION, "clscan_version",
                     header->clscan_version, "space", header->space, "only", header->only, "strategy", header->strategy,
                     "seed", (json_int_t)header->seed, "targets", targets, "device",
                     tune_device_to_json(&header->device));
}

static clscan_status read_text(const json_t *object, const char *key, char *text, size_t size_bytes,
                               clscan_error *error)
{
    const char *value = json_string_value(json_object_get(object, key));

    if (value == NULL || strlen(value) >= size_bytes)
        return fail(error, CLSCAN_ERROR_CONFIG_SCHEMA, "%s: not a text of at most %zu bytes", key, size_bytes - 1);
    clscan__printable(value, text, size_bytes);
    return CLSCAN_OK;
}

static clscan_status read_target(const json_t *object, tune_header *header, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const json_t *counts = json_object_get(object, "counts"), *defaults = json_object_get(object, "defaults");
    const size_t count_count = json_array_size(counts);
    uint64_t *count_list = calloc(count_count + 1, sizeof *count_list);
    clscan_variant *default_list = calloc(count_count + 1, sizeof *default_list);
    tune_target target;

    REQUIRE(count_list != NULL && default_list != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for the targets");
    TRY(tune_target_from_json(object, &target, error));
    REQUIRE(count_count > 0 && json_array_size(defaults) == count_count, CLSCAN_ERROR_CONFIG_SCHEMA,
            "targets: counts and defaults are not lists of one length");
    for (size_t i = 0; i < count_count; ++i) {
        const char *text = json_string_value(json_array_get(defaults, i));

        count_list[i] = (uint64_t)json_integer_value(json_array_get(counts, i));
        REQUIRE(count_list[i] > (i > 0 ? count_list[i - 1] : 0), CLSCAN_ERROR_CONFIG_SCHEMA,
                "targets: counts: not ascending whole numbers");
        REQUIRE(text != NULL, CLSCAN_ERROR_CONFIG_SCHEMA, "targets: defaults: not texts");
        TRY(clscan_variant_parse(text, &default_list[i], error));
    }
    TRY(tune_header_add(header, &target, count_list, default_list, count_count, error));

cleanup:
    free(count_list);
    free(default_list);
    return status;
}

clscan_status tune_header_from_json(const json_t *object, tune_header *header, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const json_t *version = json_object_get(object, VERSION_KEY), *targets = json_object_get(object, "targets");

    *header = (tune_header){0};
    REQUIRE(json_is_integer(version), CLSCAN_ERROR_CONFIG_SCHEMA, "not a journal of clscan-tune");
    REQUIRE(json_integer_value(version) == TUNE_JOURNAL_VERSION, CLSCAN_ERROR_CONFIG_VERSION,
            "a journal of version %" JSON_INTEGER_FORMAT "; this program reads version %d", json_integer_value(version),
            TUNE_JOURNAL_VERSION);
    TRY(read_text(object, "clscan_version", header->clscan_version, sizeof header->clscan_version, error));
    TRY(read_text(object, "space", header->space, sizeof header->space, error));
    TRY(read_text(object, "only", header->only, sizeof header->only, error));
    TRY(read_text(object, "strategy", header->strategy, sizeof header->strategy, error));
    REQUIRE(json_is_integer(json_object_get(object, "seed")), CLSCAN_ERROR_CONFIG_SCHEMA, "seed: not a number");
    header->seed = (uint64_t)json_integer_value(json_object_get(object, "seed"));
    TRY(tune_device_from_json(json_object_get(object, "device"), &header->device, error));
    for (size_t i = 0; i < json_array_size(targets); ++i)
        TRY(read_target(json_array_get(targets, i), header, error));

cleanup:
    return status;
}
