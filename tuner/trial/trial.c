#include "trial/trial.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "command_line/element_file.h"
#include "command_line/failure.h"
#include "common/printable.h"
#include "config_file/axes.h"
#include "config_file/json.h"
#include "measure/sum_types.h"
#include "reference/reference.h"

/* Members of an answer by their type; keys and fields have the same names. */
/* clang-format off */
#define REAL_LIST(X) \
    X(time_ns) X(spread_ns) X(host_time_ns) X(copy_ns) X(compile_ns) X(validate_ns) X(started_s) X(ended_s)
#define INTEGER_LIST(X) \
    X(runs, unsigned) X(kernel_work_group_size, uint32_t) X(local_bytes, uint64_t) X(private_bytes, uint64_t)
#define TEXT_LIST(X) X(reason) X(revision) X(date)
/* clang-format on */

const char *tune_outcome_name(tune_outcome outcome)
{
    static const char *const names[] = {
#define X(name, text, meaning) #text,
        TUNE_OUTCOME_LIST(X)
#undef X
    };

    return (unsigned)outcome < TUNE_OUTCOME_COUNT ? names[outcome] : "unknown";
}

bool tune_outcome_from_name(const char *name, tune_outcome *outcome)
{
    for (int i = 0; i < TUNE_OUTCOME_COUNT; ++i)
        if (strcmp(name, tune_outcome_name((tune_outcome)i)) == 0) {
            *outcome = (tune_outcome)i;
            return true;
        }
    return false;
}

tune_target tune_target_of(clscan_type type, clscan_operator op)
{
    const clscan_problem problem = {.struct_size = sizeof problem, .type = type, .op = op};

    return (tune_target){.type = type,
                         .op = op,
                         .operator_class = clscan_operator_class_of(&problem),
                         .element_size_bytes = (uint32_t)clscan_type_size_bytes(type)};
}

tune_target tune_target_of_operation(clscan__config_operation operation, clscan_type type, clscan_operator op)
{
    tune_target target = tune_target_of(type, op);
    clscan_problem problem;

    target.operation = operation;
    problem = tune_target_problem(&target);
    target.operator_class = clscan_operator_class_of(&problem);
    return target;
}

void tune_target_set_output(tune_target *target, clscan_type output)
{
    clscan_problem problem;

    const clscan_element element = {.struct_size = sizeof element, .type = output};

    target->maps = clscan__config_operation_reduces(target->operation) ? (measure_maps){.accumulator = element}
                                                                       : (measure_maps){.output = element};
    problem = tune_target_problem(target);
    target->operator_class = clscan_operator_class_of(&problem);
}

clscan_status tune_output_check(clscan_type type, clscan_type output, const char *culprit, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const measure_sum_types types = {type, clscan_type_accumulator(output), output, false, false};

    REQUIRE(output != CLSCAN_HALF, CLSCAN_ERROR_INVALID_VALUE, "%s: sums of half are float; say float", culprit);
    TRY(measure_sum_types_check(&types, culprit, "a load map", error));
    REQUIRE(clscan_type_size_bytes(types.sum) > clscan_type_size_bytes(type), CLSCAN_ERROR_INVALID_VALUE,
            "%s: %s is no wider than %s, and such sums have no entries of their own", culprit,
            clscan_type_name(types.sum), clscan_type_name(type));

cleanup:
    return status;
}

/* struct_size 0: there is none. */
static const clscan_element *output_of(const tune_target *target)
{
    return target->maps.accumulator.struct_size != 0 ? &target->maps.accumulator : &target->maps.output;
}

bool tune_target_converts(const tune_target *target)
{
    return output_of(target)->struct_size != 0;
}

clscan_type tune_target_sum_type(const tune_target *target)
{
    return tune_target_converts(target) ? clscan_type_accumulator(output_of(target)->type) : target->type;
}

uint32_t tune_target_output_bytes(const tune_target *target)
{
    return tune_target_converts(target) ? (uint32_t)clscan_type_size_bytes(output_of(target)->type)
                                        : target->element_size_bytes;
}

uint32_t tune_target_key_sum_bytes(const tune_target *target)
{
    return tune_target_converts(target) ? (uint32_t)clscan_type_size_bytes(tune_target_sum_type(target)) : 0;
}

clscan__config_key tune_target_key(const tune_target *target)
{
    return (clscan__config_key){.operation = target->operation,
                                .element_size_bytes = target->element_size_bytes,
                                .operator_class = target->operator_class,
                                .reproducible = target->reproducible != 0,
                                .sum_size_bytes = tune_target_key_sum_bytes(target)};
}

/* A copy of so many bytes takes much longer than a launch, and they are more than caches hold. */
#define ROWS_BYTES (UINT64_C(1) << 27)
#define ROWS_BYTES_CPU (UINT64_C(1) << 26)
/* Fewer long rows would be cut into ranges (src/engine/rows.c), where more is read of a variant and nothing is fast. */
#define ROWS_PER_UNIT 2u

void tune_target_fill_device(tune_target *target, const clscan_device_info *device)
{
    if (!clscan__config_operation_has_rows(target->operation))
        return;
    target->fewest_rows = ROWS_PER_UNIT * (device->compute_units > 0 ? device->compute_units : 1);
    target->rows_bytes = device->device_class == CLSCAN_DEVICE_CLASS_CPU ? ROWS_BYTES_CPU : ROWS_BYTES;
}

uint64_t tune_target_rows(const tune_target *target, uint64_t count)
{
    const uint64_t most = target->rows_bytes / target->element_size_bytes / (count > 0 ? count : 1);
    const uint64_t fewest = target->fewest_rows > 0 ? target->fewest_rows : 1;

    if (!clscan__config_operation_has_rows(target->operation))
        return 0;
    return most > fewest ? most : fewest;
}

uint64_t tune_target_elements(const tune_target *target, uint64_t count)
{
    const uint64_t rows = tune_target_rows(target, count);

    return rows > 0 ? rows * count : count;
}

clscan_problem tune_target_problem_at(const tune_target *target, uint64_t count, clscan_rows *rows)
{
    clscan_problem problem = tune_target_problem(target);

    if (problem.rows != NULL) {
        *rows = *problem.rows;
        rows->count = tune_target_rows(target, count);
        problem.rows = rows;
    }
    return problem;
}

tune_target tune_target_of_element(const measure_element *element)
{
    tune_target target = {.type = element->element.type,
                          .op = element->described != NULL ? CLSCAN_CUSTOM : CLSCAN_ADD,
                          .element_size_bytes = (uint32_t)element->size_bytes,
                          .element = *element};
    const clscan_problem problem = tune_target_problem(&target);

    target.operator_class = clscan_operator_class_of(&problem);
    return target;
}

bool tune_target_has_element(const tune_target *target)
{
    return target->element.size_bytes > 0;
}

const char *tune_target_type_name(const tune_target *target)
{
    return tune_target_has_element(target) ? target->element.name : clscan_type_name(target->type);
}

const char *tune_target_output_name(const tune_target *target)
{
    return clscan_type_name(output_of(target)->type);
}

const char *tune_target_type_key(const tune_target *target)
{
    return tune_target_has_element(target) ? "element" : "type";
}

bool tune_target_same_problem(const tune_target *a, const tune_target *b)
{
    return a->operation == b->operation && a->type == b->type && a->op == b->op &&
           tune_target_converts(a) == tune_target_converts(b) && output_of(a)->type == output_of(b)->type &&
           a->element.described == b->element.described && strcmp(a->element.name, b->element.name) == 0;
}

void tune_target_name(const tune_target *target, char name[TUNE_TARGET_NAME_BYTES])
{
    const bool scans = target->operation == CLSCAN__CONFIG_SCAN;
    char sums[24] = "";

    if (tune_target_converts(target))
        snprintf(sums, sizeof sums, ", %u-byte sums", (unsigned)tune_target_key_sum_bytes(target));
    snprintf(name, TUNE_TARGET_NAME_BYTES, "%u-byte %s%s%s%s%s", (unsigned)target->element_size_bytes,
             clscan_operator_class_name(target->operator_class), scans ? "" : " ",
             scans ? "" : clscan__config_operation_name(target->operation), sums,
             target->reproducible ? ", reproducible" : "");
}

clscan_problem tune_target_problem(const tune_target *target)
{
    const bool has_element = tune_target_has_element(target);
    clscan_problem problem = {.struct_size = sizeof problem,
                              .type = target->type,
                              .element = has_element ? &target->element.element : NULL,
                              .op = target->op,
                              .custom = has_element && target->op == CLSCAN_CUSTOM ? &target->element.custom : NULL,
                              .accumulator =
                                  target->maps.accumulator.struct_size != 0 ? &target->maps.accumulator : NULL,
                              .output = target->maps.output.struct_size != 0 ? &target->maps.output : NULL,
                              .reproducible = target->reproducible};

    clscan__config_operation_apply(target->operation, &problem);
    return problem;
}

bool tune_operation_takes(clscan__config_operation operation, clscan_type type)
{
    return operation == CLSCAN__CONFIG_SCAN || clscan__config_operation_selects(operation) ||
           clscan_type_accumulator(type) == type;
}

bool tune_operation_converts(clscan__config_operation operation)
{
    return operation <= CLSCAN__CONFIG_REDUCE;
}

bool tune_target_is_other(const tune_target *target)
{
    return target->operation != CLSCAN__CONFIG_SCAN || tune_target_converts(target);
}

/* Of a selection by flags; the others go here and there. Of neighbours, those that differ. */
#define KEPT_PER_MILLE 500u
#define UNIQUE_PER_MILLE 100u
#define SEGMENT_LENGTH 64u /* the mean */

measure_problem tune_target_measured(const tune_target *target, const struct clscan_sample_operator *sample,
                                     uint64_t count)
{
    const clscan_problem problem = tune_target_problem(target);
    measure_problem measured = {.type = target->type,
                                .element = tune_target_has_element(target) ? &target->element : NULL,
                                .op = target->op,
                                .sample = sample,
                                .count = tune_target_elements(target, count),
                                .bytes = tune_target_elements(target, count) * target->element_size_bytes,
                                .reduces = clscan__config_operation_reduces(target->operation),
                                .maps = tune_target_converts(target) ? &target->maps : NULL};

    if (problem.select != NULL) {
        const bool unique = target->operation == CLSCAN__CONFIG_UNIQUE;

        measured.selects = unique ? MEASURE_SELECTS_UNIQUE : MEASURE_SELECTS_BY_BYTES;
        measured.per_mille = unique ? UNIQUE_PER_MILLE : KEPT_PER_MILLE;
    }
    if (problem.segments != NULL) {
        measured.segments = *problem.segments;
        measured.segment_length = SEGMENT_LENGTH;
    }
    if (problem.rows != NULL)
        measured.rows = (clscan_rows){.struct_size = sizeof measured.rows, .count = tune_target_rows(target, count)};
    return measured;
}

bool tune_target_load_serves(const tune_target *loaded, uint64_t loaded_count, const tune_target *target,
                             uint64_t count)
{
    const bool has_prefixes = !clscan__config_operation_selects(target->operation) &&
                              !clscan__config_operation_reduces(target->operation) &&
                              !clscan__config_operation_has_rows(target->operation);

    return count > 0 && tune_target_same_problem(loaded, target) &&
           (has_prefixes ? loaded_count >= count : loaded_count == count);
}

clscan_problem tune_target_shape(const tune_target *target)
{
    const clscan_problem problem = tune_target_problem(target);
    clscan_problem shape = {.struct_size = sizeof shape,
                            .type = target->type,
                            .op = CLSCAN_ADD,
                            .accumulator = problem.accumulator,
                            .output = problem.output};

    if (tune_target_has_element(target))
        return problem;
    clscan__config_operation_apply(target->operation, &shape);
    return shape;
}

bool tune_target_equal(const tune_target *a, const tune_target *b)
{
    return a->operation == b->operation && a->operator_class == b->operator_class &&
           a->element_size_bytes == b->element_size_bytes &&
           tune_target_key_sum_bytes(a) == tune_target_key_sum_bytes(b) && a->reproducible == b->reproducible;
}

bool tune_trial_same_candidate(const tune_trial *a, const tune_trial *b)
{
    return tune_target_same_problem(&a->target, &b->target) && a->target.reproducible == b->target.reproducible &&
           clscan__variant_equal(&a->variant, &b->variant);
}

bool tune_trial_same_question(const tune_trial *a, const tune_trial *b)
{
    return a->count == b->count && tune_target_equal(&a->target, &b->target) &&
           clscan__variant_equal(&a->variant, &b->variant);
}

bool tune_trial_is_unknown(const tune_trial *trial)
{
    return trial->inconclusive && trial->outcome == TUNE_OUTCOME_CONSTRAINTS;
}

bool tune_trial_is_unmeasured(const tune_trial *trial)
{
    return !tune_trial_is_unknown(trial) && (trial->inconclusive || trial->outcome == TUNE_OUTCOME_TIMEOUT);
}

double tune_trial_gb_per_s(const tune_trial *trial)
{
    if (trial->outcome != TUNE_OUTCOME_CORRECT || trial->time_ns <= 0.0)
        return 0.0;
    return 2.0 * (double)tune_target_elements(&trial->target, trial->count) * trial->target.element_size_bytes /
           trial->time_ns;
}

/* Its name, or all that a file says of it: who reads that need not have the file. */
static json_t *type_to_json(const tune_target *target)
{
    const element_description *described = target->element.described;

    return described != NULL && described->document != NULL ? json_deep_copy(described->document)
                                                            : json_string(tune_target_type_name(target));
}

json_t *tune_target_to_json(const tune_target *target)
{
    json_t *object = json_pack("{s:o, s:s, s:s}", tune_target_type_key(target), type_to_json(target), "operator",
                               clscan_operator_name(target->op), "operator_class",
                               clscan_operator_class_name(target->operator_class));

    if (target->operation != CLSCAN__CONFIG_SCAN && object != NULL)
        json_object_set_new(object, "operation", json_string(clscan__config_operation_name(target->operation)));
    if (tune_target_converts(target) && object != NULL)
        json_object_set_new(object, "output_type", json_string(tune_target_output_name(target)));
    if (target->reproducible && object != NULL)
        json_object_set_new(object, "reproducible", json_true());
    if (target->fewest_rows > 0 && object != NULL) {
        json_object_set_new(object, "fewest_rows", json_integer(target->fewest_rows));
        json_object_set_new(object, "rows_bytes", json_integer((json_int_t)target->rows_bytes));
    }
    return object;
}

json_t *tune_question_to_json(const tune_trial *trial)
{
    json_t *object = tune_target_to_json(&trial->target);
    char variant[512];

    clscan_variant_format(&trial->variant, variant, sizeof variant);
    if (json_object_set_new(object, "variant", json_string(variant)) != 0 ||
        json_object_set_new(object, "count", json_integer((json_int_t)trial->count)) != 0) {
        json_decref(object);
        return NULL;
    }
    return object;
}

/* Zeros and empty texts say nothing, and are left out. */
json_t *tune_trial_to_json(const tune_trial *trial)
{
    json_t *object = tune_question_to_json(trial);
    int failed = json_object_set_new(object, "outcome", json_string(tune_outcome_name(trial->outcome)));

#define X(field)             \
    if (trial->field != 0.0) \
        failed |= json_object_set_new(object, #field, json_real(trial->field));
    REAL_LIST(X)
#undef X
#define X(field, type)     \
    if (trial->field != 0) \
        failed |= json_object_set_new(object, #field, json_integer((json_int_t)trial->field));
    INTEGER_LIST(X)
#undef X
#define X(field)                 \
    if (trial->field[0] != '\0') \
        failed |= json_object_set_new(object, #field, clscan__json_valid_text(trial->field));
    TEXT_LIST(X)
#undef X
    if (trial->in_place)
        failed |= json_object_set_new(object, "in_place", json_true());
    if (trial->inconclusive)
        failed |= json_object_set_new(object, "inconclusive", json_true());
    if (failed != 0) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text != NULL ? text : "";
}

static bool read_integer(const json_t *object, const char *key, uint64_t *number)
{
    const json_t *value = json_object_get(object, key);

    if (json_is_integer(value))
        *number = (uint64_t)json_integer_value(value);
    return value == NULL || (json_is_integer(value) && json_integer_value(value) >= 0);
}

/* No log of a device says more, so that no product of them overflows. */
#define MOST_ROWS (1u << 20)
#define MOST_ROWS_BYTES (UINT64_C(1) << 40)

static clscan_status read_element(const json_t *value, measure_element *element, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const char *name = json_is_string(value) ? json_string_value(value) : "";
    const element_description *described;

    if (json_is_object(value)) {
        TRY(element_file_from_json(value, "element", &described, error));
        *element = measure_element_of(described);
        return status;
    }
    REQUIRE(measure_element_find(name, element), CLSCAN_ERROR_CONFIG_SCHEMA,
            "element: \"%.40s\" is no ready-made element, and no vector", name);

cleanup:
    return status;
}

/* Of a target whose operation is known. */
static clscan_status read_output(const json_t *object, tune_target *target, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const char *name = text_of(object, "output_type");
    clscan_type output;
    clscan_error why;

    if (json_object_get(object, "output_type") == NULL)
        return status;
    REQUIRE(clscan_type_from_name(name, &output), CLSCAN_ERROR_CONFIG_SCHEMA, "output_type: \"%.40s\" is no type",
            name);
    REQUIRE(tune_operation_converts(target->operation) && !tune_target_has_element(target), CLSCAN_ERROR_CONFIG_SCHEMA,
            "output_type: only numbers that are scanned or reduced have one");
    REQUIRE(tune_output_check(target->type, output, "output_type", &why) == CLSCAN_OK, CLSCAN_ERROR_CONFIG_SCHEMA, "%s",
            why.message);
    tune_target_set_output(target, output);

cleanup:
    return status;
}

clscan_status tune_target_from_json(const json_t *object, tune_target *target, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const char *class_name = text_of(object, "operator_class");
    measure_element element;
    clscan_type type;
    clscan_operator op;
    uint64_t rows = 0;

    REQUIRE(clscan_operator_from_name(text_of(object, "operator"), &op), CLSCAN_ERROR_CONFIG_SCHEMA,
            "operator: \"%.40s\" is no operator", text_of(object, "operator"));
    if (json_object_get(object, "element") == NULL) {
        REQUIRE(clscan_type_from_name(text_of(object, "type"), &type), CLSCAN_ERROR_CONFIG_SCHEMA,
                "type: \"%.40s\" is no element type", text_of(object, "type"));
        *target = tune_target_of(type, op);
    } else {
        TRY(read_element(json_object_get(object, "element"), &element, error));
        *target = tune_target_of_element(&element);
        REQUIRE(op == target->op, CLSCAN_ERROR_CONFIG_SCHEMA, "operator: %s has %s, not %s", element.name,
                clscan_operator_name(target->op), clscan_operator_name(op));
    }
    REQUIRE(json_object_get(object, "operation") == NULL ||
                clscan__config_operation_from_name(text_of(object, "operation"), &target->operation),
            CLSCAN_ERROR_CONFIG_SCHEMA, "operation: \"%.40s\" is no operation", text_of(object, "operation"));
    TRY(read_output(object, target, error));
    REQUIRE(class_name[0] == '\0' || clscan_operator_class_from_name(class_name, &target->operator_class),
            CLSCAN_ERROR_CONFIG_SCHEMA, "operator_class: \"%.40s\" is no operator class", class_name);
    target->reproducible = json_is_true(json_object_get(object, "reproducible"));
    REQUIRE(read_integer(object, "fewest_rows", &rows) && rows <= MOST_ROWS, CLSCAN_ERROR_CONFIG_SCHEMA,
            "fewest_rows: not a whole number up to %u", MOST_ROWS);
    target->fewest_rows = (uint32_t)rows;
    REQUIRE(read_integer(object, "rows_bytes", &target->rows_bytes) && target->rows_bytes <= MOST_ROWS_BYTES,
            CLSCAN_ERROR_CONFIG_SCHEMA, "rows_bytes: not a whole number up to %" PRIu64, MOST_ROWS_BYTES);

cleanup:
    return status;
}

static clscan_status read_question(const json_t *object, tune_trial *trial, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const json_t *count = json_object_get(object, "count");

    TRY(tune_target_from_json(object, &trial->target, error));
    REQUIRE(json_is_integer(count) && json_integer_value(count) > 0, CLSCAN_ERROR_CONFIG_SCHEMA,
            "count: not a positive whole number");
    TRY(clscan_variant_parse(text_of(object, "variant"), &trial->variant, error));
    trial->count = (uint64_t)json_integer_value(count);

cleanup:
    return status;
}

/* Reads one member of an answer if it is there. Returns false if it has another type. */
static bool read_real(const json_t *object, const char *key, double *number)
{
    const json_t *value = json_object_get(object, key);

    if (json_is_number(value))
        *number = json_number_value(value);
    return value == NULL || json_is_number(value);
}

static bool read_text(const json_t *object, const char *key, char *text, size_t size_bytes)
{
    const json_t *value = json_object_get(object, key);

    if (json_is_string(value))
        snprintf(text, size_bytes, "%s", json_string_value(value));
    return value == NULL || json_is_string(value);
}

static clscan_status read_answer(const json_t *object, tune_trial *trial, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    uint64_t number;

    REQUIRE(json_object_get(object, "outcome") == NULL ||
                tune_outcome_from_name(text_of(object, "outcome"), &trial->outcome),
            CLSCAN_ERROR_CONFIG_SCHEMA, "outcome: \"%.40s\" is none", text_of(object, "outcome"));
#define X(field) REQUIRE(read_real(object, #field, &trial->field), CLSCAN_ERROR_CONFIG_SCHEMA, #field ": not a number");
    REAL_LIST(X)
#undef X
#define X(field, type)                                                                                         \
    number = 0;                                                                                                \
    REQUIRE(read_integer(object, #field, &number), CLSCAN_ERROR_CONFIG_SCHEMA, #field ": not a whole number"); \
    trial->field = (type)number;
    INTEGER_LIST(X)
#undef X
#define X(field)                                                                                      \
    REQUIRE(read_text(object, #field, trial->field, sizeof trial->field), CLSCAN_ERROR_CONFIG_SCHEMA, \
            #field ": not a text");
    TEXT_LIST(X)
#undef X
    trial->in_place = json_is_true(json_object_get(object, "in_place"));
    trial->inconclusive = json_is_true(json_object_get(object, "inconclusive"));

cleanup:
    return status;
}

clscan_status tune_trial_from_json(const json_t *object, tune_trial *trial, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    tune_trial read = {0};

    REQUIRE(json_is_object(object), CLSCAN_ERROR_CONFIG_SCHEMA, "a trial is not an object");
    TRY(read_question(object, &read, error));
    TRY(read_answer(object, &read, error));
    *trial = read;

cleanup:
    return status;
}

/* ---- Outcomes ---- */

static void write_line(char *text, size_t size_bytes, const char *format, va_list arguments)
{
    vsnprintf(text, size_bytes, format, arguments);
    clscan__make_printable(text);
}

void tune_write_reason(char reason[TUNE_REASON_BYTES], const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    write_line(reason, TUNE_REASON_BYTES, format, arguments);
    va_end(arguments);
}

bool tune_conclude(tune_trial *trial, tune_outcome outcome, const char *format, ...)
{
    va_list arguments;

    trial->outcome = outcome;
    va_start(arguments, format);
    write_line(trial->reason, sizeof trial->reason, format, arguments);
    va_end(arguments);
    return false;
}
