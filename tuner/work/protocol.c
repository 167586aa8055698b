#include "work/protocol.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command_line/failure.h"
#include "record/device_json.h"

const char *tune_request_name(tune_request_kind kind)
{
    static const char *const names[] = {
#define X(name, text, deadline_ms, meaning) #text,
        TUNE_REQUEST_LIST(X)
#undef X
    };

    return (unsigned)kind < TUNE_REQUEST_COUNT ? names[kind] : "unknown";
}

static bool kind_from_name(const char *name, tune_request_kind *kind)
{
    for (int i = 0; name != NULL && i < TUNE_REQUEST_COUNT; ++i)
        if (strcmp(name, tune_request_name((tune_request_kind)i)) == 0) {
            *kind = (tune_request_kind)i;
            return true;
        }
    return false;
}

/* ---- Writing ---- */

/* Takes the object over. */
static char *to_line(json_t *object)
{
    char *text = object != NULL ? json_dumps(object, JSON_COMPACT) : NULL;
    char *line = NULL;

    json_decref(object);
    if (text != NULL) {
        const size_t bytes = strlen(text);

        line = realloc(text, bytes + 2);
        if (line != NULL)
            memcpy(line + bytes, "\n", 2);
        else
            free(text);
    }
    return line;
}

char *tune_request_write(const tune_request *request)
{
    json_t *object =
        json_pack("{s:I, s:s}", "id", (json_int_t)request->id, "request", tune_request_name(request->kind));

    if (object == NULL)
        return NULL;
    if (request->about.count > 0)
        json_object_set_new(object, "about", tune_question_to_json(&request->about));
    if (request->runs > 0)
        json_object_set_new(object, "runs", json_integer(request->runs));
    if (request->limit_ms > 0)
        json_object_set_new(object, "limit_ms", json_integer(request->limit_ms));
    return to_line(object);
}

/* Has outcome and reason only, since nothing was asked about a trial. */
static json_t *failure_to_json(const tune_trial *trial)
{
    return json_pack("{s:s, s:s}", "outcome", tune_outcome_name(trial->outcome), "reason", trial->reason);
}

char *tune_answer_write(const tune_answer *answer)
{
    json_t *object = json_pack("{s:I}", "id", (json_int_t)answer->id);
    json_t *devices;

    if (object == NULL)
        return NULL;
    if (answer->trial.count > 0)
        json_object_set_new(object, "trial", tune_trial_to_json(&answer->trial));
    else
        json_object_set_new(object, "trial", failure_to_json(&answer->trial));
    if (answer->device_count > 0) {
        devices = json_array();
        for (size_t i = 0; i < answer->device_count; ++i)
            json_array_append_new(devices, tune_device_to_json(&answer->devices[i]));
        json_object_set_new(object, "devices", devices);
        json_object_set_new(object, "chosen", json_integer((json_int_t)answer->chosen));
    }
    return to_line(object);
}

/* ---- Reading ---- */

static clscan_status parse(const char *line, json_t **object, clscan_error *error)
{
    json_error_t problem;

    *object = json_loads(line, JSON_REJECT_DUPLICATES, &problem);
    if (*object == NULL)
        return fail(error, CLSCAN_ERROR_CONFIG_SYNTAX, "no JSON: %s: \"%.60s\"", problem.text, line);
    if (json_is_object(*object))
        return CLSCAN_OK;
    json_decref(*object);
    *object = NULL;
    return fail(error, CLSCAN_ERROR_CONFIG_SCHEMA, "no JSON object: \"%.60s\"", line);
}

static clscan_status read_number(const json_t *object, const char *key, uint64_t most, uint64_t *number,
                                 clscan_error *error)
{
    const json_t *value = json_object_get(object, key);

    *number = 0;
    if (value == NULL)
        return CLSCAN_OK;
    if (!json_is_integer(value) || json_integer_value(value) < 0 || (uint64_t)json_integer_value(value) > most)
        return fail(error, CLSCAN_ERROR_CONFIG_SCHEMA, "%s: no number in its range", key);
    *number = (uint64_t)json_integer_value(value);
    return CLSCAN_OK;
}

clscan_status tune_request_read(const char *line, tune_request *request, clscan_error *error)
{
    clscan_status status;
    tune_request read = {0};
    json_t *object = NULL;
    const json_t *about;
    uint64_t runs, limit_ms;

    TRY(parse(line, &object, error));
    REQUIRE(kind_from_name(json_string_value(json_object_get(object, "request")), &read.kind),
            CLSCAN_ERROR_CONFIG_SCHEMA, "request: none of the known ones: \"%.60s\"", line);
    TRY(read_number(object, "id", INT64_MAX, &read.id, error));
    TRY(read_number(object, "runs", UINT32_MAX, &runs, error));
    TRY(read_number(object, "limit_ms", UINT32_MAX, &limit_ms, error));
    read.runs = (unsigned)runs;
    read.limit_ms = (uint32_t)limit_ms;
    about = json_object_get(object, "about");
    REQUIRE(about != NULL || read.kind == TUNE_REQUEST_DESCRIBE || read.kind == TUNE_REQUEST_PROBE,
            CLSCAN_ERROR_CONFIG_SCHEMA, "about: missing");
    if (about != NULL)
        TRY(tune_trial_from_json(about, &read.about, error));
    *request = read;

cleanup:
    json_decref(object);
    return status;
}

/* Numbers that no measurement gives. */
static bool is_sane(const tune_trial *trial)
{
    const double times[] = {trial->time_ns, trial->spread_ns,  trial->host_time_ns,
                            trial->copy_ns, trial->compile_ns, trial->validate_ns};

    for (size_t i = 0; i < sizeof times / sizeof times[0]; ++i)
        if (!isfinite(times[i]) || times[i] < 0.0)
            return false;
    return true;
}

/* A trial of a request about nothing has outcome and reason only. */
static clscan_status read_trial(const json_t *object, tune_trial *trial, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const char *outcome = json_string_value(json_object_get(object, "outcome"));
    const char *reason = json_string_value(json_object_get(object, "reason"));

    REQUIRE(outcome != NULL && tune_outcome_from_name(outcome, &trial->outcome), CLSCAN_ERROR_CONFIG_SCHEMA,
            "trial: no outcome");
    if (reason != NULL)
        snprintf(trial->reason, sizeof trial->reason, "%s", reason);
    if (json_object_get(object, "count") != NULL)
        TRY(tune_trial_from_json(object, trial, error));
    REQUIRE(is_sane(trial), CLSCAN_ERROR_CONFIG_SCHEMA, "trial: a time that is none");

cleanup:
    return status;
}

static clscan_status read_devices(const json_t *object, tune_answer *answer, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const json_t *devices = json_object_get(object, "devices");
    uint64_t chosen;

    if (devices == NULL)
        return CLSCAN_OK;
    TRY(read_number(object, "chosen", INT32_MAX, &chosen, error));
    REQUIRE(json_is_array(devices) && chosen < json_array_size(devices), CLSCAN_ERROR_CONFIG_SCHEMA,
            "devices: the chosen one is not among them");
    answer->devices = calloc(json_array_size(devices), sizeof *answer->devices);
    REQUIRE(answer->devices != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for a list of devices");
    answer->device_count = json_array_size(devices);
    answer->chosen = (size_t)chosen;
    for (size_t i = 0; i < answer->device_count; ++i)
        TRY(tune_device_from_json(json_array_get(devices, i), &answer->devices[i], error));

cleanup:
    return status;
}

clscan_status tune_answer_read(const char *line, tune_answer *answer, clscan_error *error)
{
    clscan_status status;
    tune_answer read = {0};
    json_t *object = NULL;

    TRY(parse(line, &object, error));
    TRY(read_number(object, "id", INT64_MAX, &read.id, error));
    TRY(read_trial(json_object_get(object, "trial"), &read.trial, error));
    TRY(read_devices(object, &read, error));
    *answer = read;
    read.devices = NULL; /* now the caller's */

cleanup:
    free(read.devices);
    json_decref(object);
    return status;
}
