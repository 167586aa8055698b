#include "command/targets.h"

#include <inttypes.h>

#include "command_line/failure.h"

/* The counts to measure, ascending; *count of them. */
static clscan_status make_ladder(const tune_settings *settings, const clscan_device_info *device,
                                 const tune_target *target, uint64_t counts[TUNE_MAX_COUNTS], size_t *count,
                                 clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const uint64_t limit = tune_ladder_limit(device, target), served = tune_ladder_served(device, target);
    const bool has_rows = clscan__config_operation_has_rows(target->operation);

    *count = 0;
    for (size_t i = 0; i < settings->count_count; ++i) {
        REQUIRE(settings->counts[i] <= limit, CLSCAN_ERROR_DEVICE_LIMIT,
                "--sizes: %s%" PRIu64 " elements of %" PRIu32 " bytes are too much for %s; at most %" PRIu64,
                has_rows ? "rows of " : "", settings->counts[i], target->element_size_bytes, device->name, limit);
        if (settings->counts[i] <= served)
            counts[(*count)++] = settings->counts[i];
    }
    REQUIRE(*count > 0 || settings->count_count == 0, CLSCAN_ERROR_INVALID_VALUE,
            "--sizes: from %" PRIu64 " elements of %" PRIu32 " bytes on, plans on %s take no entries of %s", served + 1,
            target->element_size_bytes, device->name, clscan__config_operation_name(target->operation));
    if (*count == 0)
        *count = tune_ladder_make(device, target, counts);
    REQUIRE(*count > 0, CLSCAN_ERROR_DEVICE_LIMIT, "%s: too little memory to tune", device->name);

cleanup:
    return status;
}

static clscan_status add_target(const tune_settings *settings, tune_target target, tune_header *header,
                                clscan_error *error)
{
    clscan_status status;
    uint64_t counts[TUNE_MAX_COUNTS];
    clscan_variant defaults[TUNE_MAX_COUNTS];
    size_t count = 0;
    char name[TUNE_TARGET_NAME_BYTES];

    target.reproducible = settings->reproducible;
    tune_target_fill_device(&target, &header->device);
    tune_target_name(&target, name);
    for (size_t i = 0; i < header->target_count; ++i)
        REQUIRE(!tune_target_equal(&header->targets[i].target, &target), CLSCAN_ERROR_INVALID_VALUE,
                "%s and %s share the entries for %s; give one of them",
                tune_target_type_name(&header->targets[i].target), tune_target_type_name(&target), name);
    TRY(make_ladder(settings, &header->device, &target, counts, &count, error));
    for (size_t i = 0; i < count; ++i) {
        clscan_rows rows;
        const clscan_problem problem = tune_target_problem_at(&target, counts[i], &rows);
        clscan_choice choice = {.struct_size = sizeof choice};

        TRY(clscan_config_explain(NULL, &header->device, &problem, counts[i], 0, &choice, error));
        defaults[i] = choice.variant;
    }
    TRY(tune_header_add(header, &target, counts, defaults, count, error));

cleanup:
    return status;
}

static clscan_status add_number(const tune_settings *settings, clscan__config_operation operation, clscan_type type,
                                clscan_operator op, clscan_operator_class operator_class, tune_header *header,
                                clscan_error *error)
{
    tune_target target = tune_target_of_operation(operation, type, op);
    clscan_error why;

    if (clscan_device_check_type(&header->device, type, &why) != CLSCAN_OK)
        return fail(error, CLSCAN_ERROR_UNSUPPORTED_TYPE, "--types: %s", why.message);
    if (settings->output_type != CLSCAN_TYPE_COUNT) {
        if (clscan_device_check_type(&header->device, settings->output_type, &why) != CLSCAN_OK)
            return fail(error, CLSCAN_ERROR_UNSUPPORTED_TYPE, "--output-type: %s", why.message);
        tune_target_set_output(&target, settings->output_type);
    }
    target.operator_class = operator_class;
    return add_target(settings, target, header, error);
}

static clscan_status add_element(const tune_settings *settings, const measure_element *element, tune_header *header,
                                 clscan_error *error)
{
    if (measure_element_has_doubles(element) && !header->device.has_double)
        return fail(error, CLSCAN_ERROR_UNSUPPORTED_TYPE, "--elements: %s has doubles, and %s has none", element->name,
                    header->device.name);
    return add_target(settings, tune_target_of_element(element), header, error);
}

static bool sum_is_native(clscan_type type)
{
    return tune_target_of(type, CLSCAN_ADD).operator_class == CLSCAN_OPERATOR_CLASS_NATIVE;
}

/* Is a type of the same size asked for whose sums are not native? Then the two are measured apart. */
static bool has_other_kind(const tune_settings *settings, clscan_type type)
{
    for (int other = 0; other < CLSCAN_TYPE_COUNT; ++other) {
        if (settings->types[other] && !sum_is_native((clscan_type)other) &&
            clscan_type_size_bytes((clscan_type)other) == clscan_type_size_bytes(type))
            return true;
    }
    return false;
}

static bool has_custom_target(const tune_header *header, clscan__config_operation operation, clscan_type type)
{
    for (size_t i = 0; i < header->target_count; ++i) {
        const tune_target *target = &header->targets[i].target;

        if (target->operation == operation && target->op == CLSCAN_CUSTOM &&
            target->element_size_bytes == clscan_type_size_bytes(type))
            return true;
    }
    return false;
}

/* Sums stand for clscan's own operators. Entries for `builtin` serve the native ones too, so the sum of an integer
 * type may stand for all, unless the native ones get entries of their own. */
static clscan_status add_type(const tune_settings *settings, clscan__config_operation operation, clscan_type type,
                              tune_header *header, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const bool *wanted = settings->classes;
    const bool has_native =
        operation <= CLSCAN__CONFIG_REDUCE && settings->output_type == CLSCAN_TYPE_COUNT && sum_is_native(type);
    const bool shared = has_native && has_other_kind(settings, type);
    const bool apart = has_native && (wanted[CLSCAN_OPERATOR_CLASS_NATIVE] || shared);

    if (apart)
        TRY(add_number(settings, operation, type, CLSCAN_ADD, CLSCAN_OPERATOR_CLASS_NATIVE, header, error));
    if (wanted[CLSCAN_OPERATOR_CLASS_BUILTIN] && !shared)
        TRY(add_number(settings, operation, type, apart ? CLSCAN_MUL : CLSCAN_ADD, CLSCAN_OPERATOR_CLASS_BUILTIN,
                       header, error));
    if (wanted[CLSCAN_OPERATOR_CLASS_CUSTOM] && !clscan__config_operation_selects(operation) &&
        !has_custom_target(header, operation, type))
        TRY(add_number(settings, operation, type, CLSCAN_CUSTOM, CLSCAN_OPERATOR_CLASS_CUSTOM, header, error));

cleanup:
    return status;
}

static clscan_status add_types(const tune_settings *settings, clscan__config_operation operation, tune_header *header,
                               clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (int type = 0; type < CLSCAN_TYPE_COUNT; ++type) {
        if (settings->types[type] &&
            (settings->types_given || clscan_device_check_type(&header->device, (clscan_type)type, NULL) == CLSCAN_OK))
            TRY(add_type(settings, operation, (clscan_type)type, header, error));
    }

cleanup:
    return status;
}

clscan_status tune_targets_make(const tune_settings *settings, tune_header *header, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (int operation = 0; operation < CLSCAN__CONFIG_OPERATION_COUNT; ++operation)
        if (settings->operations[operation])
            TRY(add_types(settings, (clscan__config_operation)operation, header, error));
    for (size_t i = 0; i < settings->element_count; ++i)
        TRY(add_element(settings, &settings->elements[i], header, error));
    REQUIRE(header->target_count > 0 || settings->output_type == CLSCAN_TYPE_COUNT, CLSCAN_ERROR_INVALID_VALUE,
            "--output-type: sums of %s are no wider than the types that are tuned without --types",
            clscan_type_name(settings->output_type));
    REQUIRE(header->target_count > 0, CLSCAN_ERROR_INVALID_VALUE,
            "--classes: the native operators are those of integers of up to 4 bytes; no such type is given");

cleanup:
    return status;
}
