#include "record/t4.h"

#include <stdlib.h>
#include <string.h>

#include "command_line/failure.h"
#include "command_line/named_file.h"
#include "config_file/axes.h"
#include "config_file/json.h"
#include "files/save.h"

#define OWN_KEY "clscan"
#define TIME_UNIT "nanoseconds"

/* Axes and parameters, and the problem, which T4 has no place of its own for. */
static json_t *configuration_of(const tune_trial *trial)
{
    json_t *object =
        json_pack("{s:s, s:s, s:I}", tune_target_type_key(&trial->target), tune_target_type_name(&trial->target),
                  "operator", clscan_operator_name(trial->target.op), "count", (json_int_t)trial->count);

    if (trial->target.operation != CLSCAN__CONFIG_SCAN)
        json_object_set_new(object, "operation", json_string(clscan__config_operation_name(trial->target.operation)));
    if (tune_target_converts(&trial->target))
        json_object_set_new(object, "output_type", json_string(tune_target_output_name(&trial->target)));
    if (trial->target.reproducible)
        json_object_set_new(object, "reproducible", json_true());
    for (size_t i = 0; i < CLSCAN__AXIS_COUNT; ++i) {
        const uint32_t value = clscan__axis_get(&clscan__axes[i], &trial->variant);

        json_object_set_new(object, clscan__axes[i].name, json_string(clscan__axes[i].values[value]));
    }
    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i)
        json_object_set_new(object, clscan__params[i].name,
                            json_integer(clscan__param_get(&clscan__params[i], &trial->variant)));
    return object;
}

static json_t *times_of(const tune_trial *trial)
{
    const bool timed = trial->outcome == TUNE_OUTCOME_CORRECT;

    return json_pack("{s:f, s:f, s:o}", "compilation_time", trial->compile_ns, "validation", trial->validate_ns,
                     "runtimes", timed ? json_pack("[f]", trial->time_ns) : json_array());
}

static void add_number(json_t *measurements, const char *name, double value, const char *unit)
{
    if (value > 0)
        json_array_append_new(measurements, json_pack("{s:s, s:f, s:s}", "name", name, "value", value, "unit", unit));
}

static json_t *measurements_of(const tune_trial *trial)
{
    json_t *list = json_array();

    add_number(list, "time", trial->time_ns, TIME_UNIT);
    add_number(list, "spread", trial->spread_ns, TIME_UNIT);
    add_number(list, "host_time", trial->host_time_ns, TIME_UNIT);
    add_number(list, "copy_time", trial->copy_ns, TIME_UNIT);
    add_number(list, "throughput", tune_trial_gb_per_s(trial), "GB/s");
    add_number(list, "runs", trial->runs, "");
    add_number(list, "kernel_work_group_size", trial->kernel_work_group_size, "work-items");
    add_number(list, "local_memory", (double)trial->local_bytes, "bytes");
    add_number(list, "private_memory", (double)trial->private_bytes, "bytes");
    if (trial->reason[0] != '\0')
        json_array_append_new(list, json_pack("{s:s, s:o, s:s}", "name", "reason", "value",
                                              clscan__json_valid_text(trial->reason), "unit", ""));
    return list;
}

static json_t *result_of(const tune_trial *trial)
{
    json_t *result = json_pack("{s:o, s:o, s:s, s:i, s:[s], s:o, s:o}", "configuration", configuration_of(trial),
                               "times", times_of(trial), "invalidity", tune_outcome_name(trial->outcome), "correctness",
                               trial->outcome == TUNE_OUTCOME_CORRECT, "objectives", "time", "measurements",
                               measurements_of(trial), OWN_KEY, tune_trial_to_json(trial));

    if (result != NULL && trial->date[0] != '\0')
        json_object_set_new(result, "timestamp", json_string(trial->date));
    return result;
}

static json_t *metadata_of(const tune_header *header, const tune_memo *trials)
{
    json_t *metadata =
        json_pack("{s:s, s:o, s:o, s:s, s:s, s:s, s:o}", "compute_api", "OpenCL", "platform",
                  clscan__json_valid_text(header->device.platform_name), "device",
                  clscan__json_valid_text(header->device.name), "autotuner", "clscan-tune", "autotuner_version",
                  header->clscan_version, "timeunit", TIME_UNIT, OWN_KEY, tune_header_to_json(header));

    if (metadata != NULL && trials->count > 0 && trials->trials[0]->date[0] != '\0')
        json_object_set_new(metadata, "timestamp", json_string(trials->trials[0]->date));
    return metadata;
}

json_t *tune_t4_to_json(const tune_header *header, const tune_memo *trials)
{
    json_t *results = json_array(), *document = NULL;
    bool complete = true;

    for (size_t i = 0; complete && i < trials->count; ++i)
        complete = json_array_append_new(results, result_of(trials->trials[i])) == 0;
    if (complete)
        document = json_pack("{s:s, s:o, s:O}", "schema_version", "1.1.0", "metadata", metadata_of(header, trials),
                             "results", results);
    json_decref(results);
    return document;
}

clscan_status tune_t4_write(const char *path, const tune_header *header, const tune_memo *trials, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    json_t *document = tune_t4_to_json(header, trials);
    char *text = document != NULL ? json_dumps(document, JSON_INDENT(1)) : NULL;

    REQUIRE(text != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "%s: no memory to write it", path);
    TRY(tune_save(path, text, strlen(text), NULL, error));

cleanup:
    free(text);
    json_decref(document);
    return status;
}

clscan_status tune_t4_from_json(const json_t *document, const char *name, tune_header *header, tune_memo *trials,
                                clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan_error inner = {0};
    const json_t *results = json_object_get(document, "results");

    *header = (tune_header){0};
    *trials = (tune_memo){.count = 0};
    REQUIRE(tune_header_from_json(json_object_get(json_object_get(document, "metadata"), OWN_KEY), header, &inner) ==
                CLSCAN_OK,
            CLSCAN_ERROR_FILE, "%s: metadata: %s", name, inner.message);
    for (size_t i = 0; i < json_array_size(results); ++i) {
        tune_trial trial;

        REQUIRE(tune_trial_from_json(json_object_get(json_array_get(results, i), OWN_KEY), &trial, &inner) == CLSCAN_OK,
                CLSCAN_ERROR_FILE, "%s: result %zu: %s", name, i, inner.message);
        REQUIRE(tune_memo_put(trials, &trial) != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "%s: no memory to read it", name);
    }

cleanup:
    return status;
}

clscan_status tune_t4_read(const char *path, tune_header *header, tune_memo *trials, clscan_error *error)
{
    clscan_status status;
    json_t *document = NULL;

    *header = (tune_header){0};
    *trials = (tune_memo){.count = 0};
    TRY(named_file_json(path, &document, error));
    TRY(tune_t4_from_json(document, path, header, trials, error));

cleanup:
    json_decref(document);
    return status;
}
