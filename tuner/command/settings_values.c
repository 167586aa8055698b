#include "command/settings_values.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "command/settings.h"
#include "command_line/failure.h"
#include "command_line/values.h"

/* Call `take` for each word between commas. */
static clscan_status each_word(const char *text, clscan_status (*take)(const char *word, void *target, clscan_error *),
                               void *target, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    char word[1024]; /* also a path */

    for (const char *at = text;; ++at) {
        const size_t word_bytes = strcspn(at, ",");

        REQUIRE(word_bytes > 0 && word_bytes < sizeof word, CLSCAN_ERROR_INVALID_VALUE,
                "'%s' is no list; write words with a comma between them", text);
        memcpy(word, at, word_bytes);
        word[word_bytes] = '\0';
        TRY(take(word, target, error));
        at += word_bytes;
        if (*at == '\0')
            break;
    }

cleanup:
    return status;
}

static clscan_status add_class(const char *word, void *target, clscan_error *error)
{
    clscan_operator_class operator_class;

#define X(name, text, meaning) ", " #text
    if (!clscan_operator_class_from_name(word, &operator_class))
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "'%s' is no operator class; there are %s", word,
                    &(CLSCAN_OPERATOR_CLASS_LIST(X))[2]);
#undef X
    ((bool *)target)[operator_class] = true;
    return CLSCAN_OK;
}

static clscan_status add_operation(const char *word, void *target, clscan_error *error)
{
    clscan__config_operation operation;

#define X(name, text, meaning) ", " text
    if (!clscan__config_operation_from_name(word, &operation))
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "'%s' is no operation; there are %s", word,
                    &(CLSCAN__CONFIG_OPERATION_LIST(X))[2]);
#undef X
    ((bool *)target)[operation] = true;
    return CLSCAN_OK;
}

clscan_status tune_read_operations(const char *text, void *target, clscan_error *error)
{
    return each_word(text, add_operation, target, error);
}

static clscan_status add_element(const char *word, void *target, clscan_error *error)
{
    tune_settings *settings = target;

    if (settings->element_count == TUNE_MAX_ELEMENTS)
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "more than %d elements", TUNE_MAX_ELEMENTS);
    if (measure_element_read(word, &settings->elements[settings->element_count], error) != CLSCAN_OK)
        return error->status;
    ++settings->element_count;
    return CLSCAN_OK;
}

clscan_status tune_read_elements(const char *text, void *target, clscan_error *error)
{
    return each_word(text, add_element, target, error);
}

clscan_status tune_read_classes(const char *text, void *target, clscan_error *error)
{
    return each_word(text, add_class, target, error);
}

/* Put a count in its place of the ascending ladder. */
static clscan_status add_count(tune_settings *settings, uint64_t count, clscan_error *error)
{
    size_t at = 0;

    while (at < settings->count_count && settings->counts[at] < count)
        ++at;
    if (at < settings->count_count && settings->counts[at] == count)
        return CLSCAN_OK;
    if (count == 0 || settings->count_count == TUNE_MAX_COUNTS)
        return fail(error, CLSCAN_ERROR_INVALID_VALUE,
                    count == 0 ? "a scan of 0 elements cannot be tuned" : "more than %d sizes", TUNE_MAX_COUNTS);
    memmove(&settings->counts[at + 1], &settings->counts[at],
            (settings->count_count - at) * sizeof settings->counts[0]);
    settings->counts[at] = count;
    ++settings->count_count;
    return CLSCAN_OK;
}

/* A count, FIRST:LAST or FIRST:LAST:FACTOR. */
static clscan_status add_sizes(const char *word, void *target, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    uint64_t numbers[3] = {0, 0, 4};
    size_t given = 0;
    char part[64];

    for (const char *at = word;; ++at) {
        const size_t part_bytes = strcspn(at, ":");

        REQUIRE(given < 3 && part_bytes < sizeof part, CLSCAN_ERROR_INVALID_VALUE,
                "'%s' is no range; write FIRST:LAST:FACTOR", word);
        memcpy(part, at, part_bytes);
        part[part_bytes] = '\0';
        TRY(read_count(part, &numbers[given++], error));
        at += part_bytes;
        if (*at == '\0')
            break;
    }
    if (given == 1)
        numbers[1] = numbers[0];
    REQUIRE(numbers[0] <= numbers[1] && numbers[2] >= 2, CLSCAN_ERROR_INVALID_VALUE,
            "'%s' is no range; FIRST is at most LAST, FACTOR at least 2", word);
    for (uint64_t count = numbers[0];; count *= numbers[2]) {
        TRY(add_count(target, count, error));
        if (count > numbers[1] / numbers[2])
            break;
    }

cleanup:
    return status;
}

clscan_status tune_read_sizes(const char *text, void *target, clscan_error *error)
{
    return each_word(text, add_sizes, target, error);
}

clscan_status tune_read_strategy(const char *text, void *target, clscan_error *error)
{
    const tune_strategy *found = tune_strategy_find(text);

    if (found == NULL)
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "'%s' is no strategy; --list says which there are", text);
    *(const tune_strategy **)target = found;
    return CLSCAN_OK;
}

clscan_status tune_read_space(const char *text, void *target, clscan_error *error)
{
    if (!tune_space_name_from_text(text, target))
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "'%s' is no space; --list says which there are", text);
    return CLSCAN_OK;
}

clscan_status tune_read_duration(const char *text, void *target, clscan_error *error)
{
    static const struct {
        const char *unit;
        double seconds;
    } units[] = {{"", 1.0}, {"s", 1.0}, {"m", 60.0}, {"h", 3600.0}};
    char *end;
    double value;

    errno = 0;
    value = strtod(text, &end);
    if (text[0] >= '0' && text[0] <= '9' && errno == 0 && value > 0.0 && value <= 1e6) {
        for (size_t i = 0; i < sizeof units / sizeof units[0]; ++i) {
            if (strcmp(end, units[i].unit) == 0) {
                *(double *)target = value * units[i].seconds;
                return CLSCAN_OK;
            }
        }
    }
    return fail(error, CLSCAN_ERROR_INVALID_VALUE, "'%s' is no duration; write 90s, 10m or 1.5h", text);
}

clscan_status tune_read_positive(const char *text, void *target, clscan_error *error)
{
    clscan_status status;
    uint64_t number;

    TRY(read_count(text, &number, error));
    REQUIRE(number > 0, CLSCAN_ERROR_INVALID_VALUE, "'%s' is not at least 1", text);
    *(uint64_t *)target = number;

cleanup:
    return status;
}
