#include "output/verify.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "command_line/failure.h"
#include "reference/reference.h"
#include "trial/trial.h"

/* Types that are soaked; unsigned ones compile to the same as signed ones but for min and max. */
static const clscan_type types[] = {CLSCAN_INT8,  CLSCAN_INT16, CLSCAN_HALF,  CLSCAN_INT32,
                                    CLSCAN_FLOAT, CLSCAN_INT64, CLSCAN_DOUBLE};
#define TYPE_COUNT (sizeof types / sizeof types[0])

bool tune_verified_fails(const tune_verified *result)
{
    return result->outcome != TUNE_OUTCOME_CORRECT && result->outcome != TUNE_OUTCOME_CONSTRAINTS;
}

/* What an entry for sums of another size has numbers of a type combined as: another one of their kind. */
static bool find_output(const clscan__config_key *key, clscan_type type, clscan_type *output)
{
    static const clscan_type wider[] = {CLSCAN_INT16, CLSCAN_INT32, CLSCAN_INT64, CLSCAN_FLOAT, CLSCAN_DOUBLE};

    for (size_t i = 0; i < sizeof wider / sizeof wider[0]; ++i)
        if (clscan_type_size_bytes(wider[i]) == key->sum_size_bytes &&
            clscan_reference_is_floating(wider[i]) == clscan_reference_is_floating(type) &&
            tune_output_check(type, wider[i], "", NULL) == CLSCAN_OK) {
            *output = wider[i];
            return true;
        }
    return false;
}

bool tune_entry_target(const clscan__config_entry *entry, clscan_type type, const clscan_device_info *device,
                       tune_target *target)
{
    const uint32_t sum_bytes = entry->key.sum_size_bytes;
    const bool converts = tune_operation_converts(entry->key.operation) && sum_bytes != 0 &&
                          sum_bytes != clscan_type_size_bytes(clscan_type_accumulator(type));
    clscan_type output = type;

    if (clscan_type_size_bytes(type) != entry->key.element_size_bytes ||
        !tune_operation_takes(entry->key.operation, type) || clscan_device_check_type(device, type, NULL) != CLSCAN_OK)
        return false;
    if (entry->key.reproducible && !clscan_reference_is_floating(type))
        return false; /* integers have the same bits in any plan, and take other entries */
    if (converts &&
        (!find_output(&entry->key, type, &output) || clscan_device_check_type(device, output, NULL) != CLSCAN_OK))
        return false;
    for (int op = 0; op < CLSCAN_OPERATOR_COUNT; ++op) {
        tune_target found = tune_target_of_operation(entry->key.operation, type, (clscan_operator)op);

        if (converts)
            tune_target_set_output(&found, output);
        if (found.operator_class == entry->key.operator_class) {
            found.reproducible = entry->key.reproducible;
            tune_target_fill_device(&found, device);
            *target = found;
            return true;
        }
    }
    return false;
}

/* Vectors whose sums are verified; of ready-made elements all that the host can combine. */
static const char *const vectors[] = {"float2", "int4", "int8", "int16"};
#define VECTOR_COUNT (sizeof vectors / sizeof vectors[0])
#define ELEMENT_COUNT ((size_t)CLSCAN_READY_COUNT + VECTOR_COUNT)

static bool find_element(size_t number, measure_element *element)
{
    return measure_element_find(number < CLSCAN_READY_COUNT ? clscan_ready_name((clscan_ready)number)
                                                            : vectors[number - CLSCAN_READY_COUNT],
                                element);
}

/* The target of an entry for an element; false if it is not one of the entry's. */
static bool element_target(const clscan__config_entry *entry, const measure_element *element,
                           const clscan_device_info *device, tune_target *target)
{
    if (measure_element_has_doubles(element) && !device->has_double)
        return false;
    *target = tune_target_of_element(element);
    return target->element_size_bytes == entry->key.element_size_bytes &&
           target->operator_class == entry->key.operator_class && !entry->key.reproducible &&
           entry->key.operation == CLSCAN__CONFIG_SCAN;
}

/* The largest count that memory has room for. */
static uint64_t most_of(const tune_verify_setup *setup, tune_target *target)
{
    tune_target_fill_device(target, setup->device);
    return setup->largest_bytes / target->element_size_bytes / (target->fewest_rows > 0 ? target->fewest_rows : 1);
}

/* The smallest and the largest count of an entry's size class, as far as memory goes, also that of sums. */
static void ends_of(const tune_verify_setup *setup, size_t index, uint64_t counts[2])
{
    const clscan__config_entry *entry = &setup->config->entries[index];
    const clscan__config_key *key = &entry->key;
    tune_target target = {.operation = key->operation,
                          .element_size_bytes = key->sum_size_bytes > key->element_size_bytes
                                                    ? key->sum_size_bytes
                                                    : key->element_size_bytes};
    const uint64_t most = most_of(setup, &target);
    const clscan__config_entry *before = index > 0 ? entry - 1 : NULL;

    counts[0] = entry->smallest_count > 0                                               ? entry->smallest_count
                : before != NULL && clscan__config_key_equal(&before->key, &entry->key) ? before->largest_count + 1
                                                                                        : 1;
    counts[1] = entry->largest_count < most ? entry->largest_count : most;
    if (counts[0] > most)
        counts[0] = most;
}

/* Soak one type at one count, and put down what is not right. */
static bool soak(const tune_verify_setup *setup, const clscan__config_entry *entry, const tune_target *target,
                 uint64_t count, tune_verified *result)
{
    tune_trial trial = {.target = *target, .variant = entry->variant, .count = count};

    setup->evaluator->soak(setup->evaluator->self, &trial, setup->runs);
    if (trial.outcome == TUNE_OUTCOME_CORRECT)
        return true;
    if (!tune_verified_fails(result)) {
        result->outcome = trial.outcome;
        snprintf(result->reason, sizeof result->reason, "%s %s, %" PRIu64 " elements: %.190s",
                 tune_target_type_name(target), clscan_operator_name(target->op), count, trial.reason);
    }
    return false;
}

static bool is_for_numbers(const clscan__config_entry *entry)
{
    bool found = false;

    for (size_t i = 0; i < TYPE_COUNT; ++i)
        found = found || clscan_type_size_bytes(types[i]) == entry->key.element_size_bytes;
    return found;
}

/* What an entry is verified with, by number: types, elements that stand for sizes that no number has, and those that
 * were asked for, of any size. False if the entry does not serve it. */
static bool target_of(const tune_verify_setup *setup, const clscan__config_entry *entry, size_t number,
                      tune_target *target)
{
    measure_element element;

    if (number < TYPE_COUNT)
        return tune_entry_target(entry, types[number], setup->device, target);
    number -= TYPE_COUNT;
    if (number >= ELEMENT_COUNT)
        return element_target(entry, &setup->elements[number - ELEMENT_COUNT], setup->device, target);
    return !is_for_numbers(entry) && find_element(number, &element) &&
           element_target(entry, &element, setup->device, target);
}

/* Right for some types and not to be run for others, as scan_then_add for half, is right. */
static void verify_entry(const tune_verify_setup *setup, size_t index, tune_verified *result)
{
    const clscan__config_entry *entry = &setup->config->entries[index];
    bool any_right = false;
    uint64_t counts[2];

    *result = (tune_verified){.outcome = TUNE_OUTCOME_CONSTRAINTS, .reason = "no type of this size on this device"};
    ends_of(setup, index, counts);
    for (size_t i = 0; i < TYPE_COUNT + ELEMENT_COUNT + setup->element_count; ++i) {
        tune_target target;

        if (!target_of(setup, entry, i, &target))
            continue;
        for (int end = 0; end < (counts[0] == counts[1] ? 1 : 2); ++end)
            any_right = soak(setup, entry, &target, counts[end], result) || any_right;
    }
    if (any_right && !tune_verified_fails(result))
        *result = (tune_verified){.outcome = TUNE_OUTCOME_CORRECT};
}

static bool is_for(const char *match, const clscan_device_info *device)
{
    return strcmp(match, device->key) == 0 || strcmp(match, device->architecture) == 0 ||
           strcmp(match, device->family) == 0 || strcmp(match, device->generic) == 0;
}

clscan_status tune_verify(const tune_verify_setup *setup, tune_verified *results, clscan_error *error)
{
    const tune_evaluator *evaluator = setup->evaluator;
    clscan_status status = CLSCAN_OK;

    REQUIRE(is_for(setup->config->match, setup->device), CLSCAN_ERROR_INVALID_VALUE,
            "the config is for %s, and the device is %s (%s, %s, %s)", setup->config->match, setup->device->key,
            setup->device->architecture, setup->device->family, setup->device->generic);
    for (size_t i = 0; i < setup->config->entry_count; ++i) {
        verify_entry(setup, i, &results[i]);
        REQUIRE(evaluator->broken == NULL || evaluator->broken(evaluator->self)[0] == '\0', CLSCAN_ERROR_NO_DEVICE,
                "%s", evaluator->broken(evaluator->self));
        REQUIRE(setup->interrupted == NULL || *setup->interrupted == 0, CLSCAN_ERROR_NO_DEVICE,
                "interrupted at entry %zu of %zu", i, setup->config->entry_count);
        if (setup->progress != NULL)
            setup->progress(setup->user, i, &results[i]);
    }

cleanup:
    return status;
}
