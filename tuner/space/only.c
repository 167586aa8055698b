#include "space/only.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_line/failure.h"

/* Part of the text. */
typedef struct span {
    const char *start;
    size_t length_bytes;
} span;

#define SPAN(s) (int)((s).length_bytes < 60 ? (s).length_bytes : 60), (s).start

/* Cut off what stands before the next `separator`, and the separator. Returns false at the end of the text. */
static bool next_part(span *rest, char separator, span *part)
{
    const char *end;

    if (rest->start == NULL)
        return false;
    end = memchr(rest->start, separator, rest->length_bytes);
    *part = (span){rest->start, end != NULL ? (size_t)(end - rest->start) : rest->length_bytes};
    *rest = end != NULL ? (span){end + 1, rest->length_bytes - part->length_bytes - 1} : (span){NULL, 0};
    return true;
}

static bool equals(span text, const char *word)
{
    return strlen(word) == text.length_bytes && memcmp(text.start, word, text.length_bytes) == 0;
}

static bool read_number(span digits, uint64_t *number)
{
    uint64_t value = 0;

    for (size_t i = 0; i < digits.length_bytes; ++i) {
        if (digits.start[i] < '0' || digits.start[i] > '9' || value > UINT64_MAX / 10 - 10)
            return false;
        value = 10 * value + (uint64_t)(digits.start[i] - '0');
    }
    *number = value;
    return digits.length_bytes > 0;
}

/* "a:b", or "a", which is a:a. */
static clscan_status read_range(span text, const char *name, uint64_t *first, uint64_t *last, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    span rest = text, low = text, high;

    next_part(&rest, ':', &low);
    high = rest.start != NULL ? rest : low;
    REQUIRE(read_number(low, first) && read_number(high, last), CLSCAN_ERROR_INVALID_VALUE,
            "%s: \"%.*s\" is neither a number nor a range a:b", name, SPAN(text));
    REQUIRE(*first <= *last, CLSCAN_ERROR_INVALID_VALUE, "%s: the range \"%.*s\" runs backward", name, SPAN(text));

cleanup:
    return status;
}

static clscan_status restrict_axis(uint64_t *allowed, const clscan__axis *axis, span values, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    char known[256];
    span value;

    *allowed = 0;
    clscan__list_names(known, sizeof known, axis->values, axis->value_count);
    while (next_part(&values, '|', &value)) {
        uint32_t i = 0;

        while (i < axis->value_count && !equals(value, axis->values[i]))
            ++i;
        REQUIRE(i < axis->value_count, CLSCAN_ERROR_INVALID_VALUE, "%s: \"%.*s\" is not one of %s", axis->name,
                SPAN(value), known);
        *allowed |= UINT64_C(1) << i;
    }

cleanup:
    return status;
}

static clscan_status restrict_param(tune_values *allowed, const clscan__param *param, span values, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    tune_values chosen = {0};
    span value;
    uint64_t first, last;

    while (next_part(&values, '|', &value)) {
        bool added = true;

        TRY(read_range(value, param->name, &first, &last, error));
        REQUIRE(first >= param->min && last <= param->max, CLSCAN_ERROR_INVALID_VALUE,
                "%s: \"%.*s\" is not within %" PRIu32 " to %" PRIu32, param->name, SPAN(value), param->min, param->max);
        if (first == last)
            added = tune_values_add(&chosen, (uint32_t)first);
        for (size_t i = 0; added && i < allowed->count; ++i)
            if (allowed->items[i] >= first && allowed->items[i] <= last)
                added = tune_values_add(&chosen, allowed->items[i]);
        REQUIRE(added, CLSCAN_ERROR_OUT_OF_MEMORY, "%s: no memory for its values", param->name);
    }
    REQUIRE(chosen.count > 0, CLSCAN_ERROR_INVALID_VALUE, "%s: the range holds no value that is searched", param->name);
    tune_values_free(allowed);
    *allowed = chosen;
    chosen = (tune_values){0};

cleanup:
    tune_values_free(&chosen);
    return status;
}

static clscan_status restrict_bytes(tune_bounds *bounds, const char *name, span values, clscan_error *error)
{
    return read_range(values, name, &bounds->min, &bounds->max, error);
}

/* Everything that can be restricted: axes, then parameters, then the two sizes. */
#define FIRST_PARAM CLSCAN__AXIS_COUNT
#define LOCAL_BYTES (CLSCAN__AXIS_COUNT + CLSCAN_PARAM_COUNT)
#define REGISTER_BYTES (LOCAL_BYTES + 1)
#define NAME_COUNT (REGISTER_BYTES + 1)

static void fill_names(const char *names[NAME_COUNT])
{
    for (size_t i = 0; i < CLSCAN__AXIS_COUNT; ++i)
        names[i] = clscan__axes[i].name;
    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i)
        names[FIRST_PARAM + i] = clscan__params[i].name;
    names[LOCAL_BYTES] = "local_bytes";
    names[REGISTER_BYTES] = "register_bytes";
}

static clscan_status apply_one(tune_space *space, span name, span values, bool seen[NAME_COUNT], clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const char *names[NAME_COUNT];
    char known[512];
    size_t at = 0;

    fill_names(names);
    clscan__list_names(known, sizeof known, names, NAME_COUNT);
    while (at < NAME_COUNT && !equals(name, names[at]))
        ++at;
    REQUIRE(at < NAME_COUNT, CLSCAN_ERROR_INVALID_VALUE, "\"%.*s\" is not one of %s", SPAN(name), known);
    REQUIRE(!seen[at], CLSCAN_ERROR_INVALID_VALUE, "%s is given twice; separate its values by '|'", names[at]);
    seen[at] = true;
    if (at < FIRST_PARAM)
        TRY(restrict_axis(&space->axis_values[at], &clscan__axes[at], values, error));
    else if (at < LOCAL_BYTES)
        TRY(restrict_param(&space->params[at - FIRST_PARAM], &clscan__params[at - FIRST_PARAM], values, error));
    else
        TRY(restrict_bytes(at == LOCAL_BYTES ? &space->local_bytes : &space->register_bytes, names[at], values, error));

cleanup:
    return status;
}

clscan_status tune_only_apply(tune_space *space, const char *only, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    bool seen[NAME_COUNT] = {false};
    span rest = {only, strlen(only)}, part;

    if (rest.length_bytes == 0)
        return CLSCAN_OK;
    while (next_part(&rest, ',', &part)) {
        span values = part, name;

        next_part(&values, '=', &name);
        REQUIRE(values.start != NULL, CLSCAN_ERROR_INVALID_VALUE, "\"%.*s\" is not NAME=VALUES", SPAN(part));
        TRY(apply_one(space, name, values, seen, error));
    }

cleanup:
    return status;
}
