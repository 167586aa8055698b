#include "config/variant.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "element/problem.h"

/* Words that every work-group needs besides its tile: ticket, prefix, flags. */
#define FIXED_LOCAL_BYTES 256u

/* Sub-groups of a work-group: of 1024 work-items, and no more than a sub-group has work-items. */
#define MOST_SUB_GROUPS 32u

/* Longest part of a wrong word that a message repeats. */
#define QUOTED_BYTES 40u

bool clscan__variant_has_ranges(const clscan_variant *variant)
{
    return clscan__variant_has_order(variant) && variant->carry != CLSCAN_CARRY_LOOKAHEAD;
}

bool clscan__variant_shuffles(const clscan_variant *variant)
{
    return variant->body == CLSCAN_BODY_SUBGROUP_ROWS || variant->group_scan == CLSCAN_GROUP_SCAN_SUBGROUP;
}

uint32_t clscan__variant_vain_draws(const clscan_variant *variant)
{
    if (!clscan__variant_is_persistent(variant))
        return 0;
    return variant->carry == CLSCAN_CARRY_LOOKAHEAD ? 2 : 1;
}

int clscan_variant_needs(const clscan_variant *variant, clscan_param param)
{
    return param < CLSCAN_PARAM_COUNT && clscan__param_needed(variant, &clscan__params[param]);
}

/* Sizes of variants that were never checked may not fit 64 bits; they stop at the largest number, which every
 * limit refuses. */
static uint64_t times(uint64_t a, uint64_t b)
{
    uint64_t product;

    return clscan__mul_u64(a, b, &product) ? product : UINT64_MAX;
}

static uint64_t plus(uint64_t a, uint64_t b)
{
    uint64_t sum;

    return clscan__add_u64(a, b, &sum) ? sum : UINT64_MAX;
}

/* Elements of a row that one piece holds. */
static uint64_t piece_count(const clscan_variant *variant)
{
    return clscan__variant_is_transposed(variant) ? variant->thread_group_size : variant->vector_length;
}

/* Lookahead scans published totals while those of its own sub-groups are still being read. It keeps five more sums for
 * each of up to eight sub-groups, if they are wide (cl/carries/walker.cl): no more than 32 of these two sets for. */
static uint64_t scratch_sets(const clscan_variant *variant)
{
    return variant->carry == CLSCAN_CARRY_LOOKAHEAD ? 2 : 1;
}

static uint64_t group_scan_bytes(const clscan_variant *variant, clscan__shape shape)
{
    const uint64_t value_bytes = shape.sum_bytes;
    const uint64_t copies = variant->group_scan == CLSCAN_GROUP_SCAN_KOGGE_STONE ? 2 : 1;

    if (clscan__variant_shuffles(variant))
        return scratch_sets(variant) * MOST_SUB_GROUPS * value_bytes;
    return times(copies * variant->work_group_size, value_bytes);
}

/* Look-back keeps what the ranges of a window have published: a value and a byte for each work-item. */
static uint64_t window_bytes(const clscan_variant *variant, clscan__shape shape)
{
    const uint64_t value_bytes = shape.sum_bytes;

    return variant->carry == CLSCAN_CARRY_LOOKBACK ? times(variant->work_group_size, value_bytes + 1) : 0;
}

uint64_t clscan__variant_exchange_bytes(const clscan_variant *variant, clscan__shape shape)
{
    const uint64_t value_bytes = shape.sum_bytes;

    return times(scratch_sets(variant) * variant->work_group_size, value_bytes);
}

uint64_t clscan_variant_tile_count(const clscan_variant *variant)
{
    const uint64_t pieces = (uint64_t)variant->register_pieces + variant->local_pieces;

    if (clscan__variant_is_cached(variant))
        return times(times(variant->interleaved_rows, variant->cached_pieces), piece_count(variant));
    return times(times(variant->work_group_size, pieces), piece_count(variant));
}

static bool gathers(const clscan_variant *variant, clscan__shape shape)
{
    return variant->body == CLSCAN_BODY_SUBGROUP_ROWS && shape.gathered_bytes > 0;
}

uint32_t clscan__variant_held_bytes(const clscan_variant *variant, clscan__shape shape)
{
    return variant->body == CLSCAN_BODY_SUBGROUP_ROWS && shape.marked_bytes > 0 ? shape.marked_bytes : shape.held_bytes;
}

/* Does body `coalesced` go from offset to offset (cl/bodies/transposed_offsets.cl)? */
static bool walks(const clscan_variant *variant, clscan__shape shape)
{
    return variant->body == CLSCAN_BODY_COALESCED && shape.walked_bytes > 0;
}

/* Then all of a tile lies in local memory, with a bit for each element in words of its row, and a word besides. */
static uint64_t walked_local_bytes(const clscan_variant *variant, clscan__shape shape)
{
    const uint64_t row = times(plus(variant->register_pieces, variant->local_pieces), piece_count(variant));
    const uint64_t words = (row + 31) / 32 | 1;

    return times(variant->work_group_size,
                 plus(times(plus(row, 1), shape.walked_bytes), times(words, sizeof(uint32_t))));
}

uint64_t clscan__variant_local_bytes(const clscan_variant *variant, clscan__shape shape)
{
    /* A transposed row is one element longer, so that a column does not stay in one memory bank. */
    const uint64_t padding = clscan__variant_is_transposed(variant) ? 1 : 0;
    const uint64_t row = plus(times(variant->local_pieces, piece_count(variant)), padding);
    const uint64_t rows = times(variant->work_group_size, row);
    const uint64_t landing =
        times(times(variant->landing_zones, clscan_variant_tile_count(variant)), shape.landing_bytes);
    const uint64_t scratch =
        plus(plus(group_scan_bytes(variant, shape), window_bytes(variant, shape)), FIXED_LOCAL_BYTES);

    /* Each sub-group may have room for one or two more (cl/bodies/segmented_rows.cl, cl/bodies/kept_marks.cl), or for a
     * few lines of 16 bytes (cl/bodies/kept_rows.cl): less than one more for each of its work-items, or two more bytes.
     */
    const uint64_t more = times(variant->work_group_size, shape.gathered_bytes == 1 ? 2 : 1);
    const uint64_t most = times(variant->work_group_size, shape.gathered_most);
    const uint64_t places = plus(clscan__min_u64(clscan_variant_tile_count(variant), most), more);
    /* Marks lie there before, as bits. */
    const uint64_t marks = plus(clscan_variant_tile_count(variant) / 8, times(4, variant->work_group_size));
    const uint64_t room = times(places, shape.gathered_bytes);
    const uint64_t gathered = gathers(variant, shape) ? (room > marks ? room : marks) : 0;

    if (walks(variant, shape))
        return plus(walked_local_bytes(variant, shape), scratch);
    return plus(plus(plus(times(rows, shape.held_bytes), landing), gathered), scratch);
}

uint64_t clscan__variant_register_bytes(const clscan_variant *variant, clscan__shape shape)
{
    const uint64_t row = times(variant->register_pieces, piece_count(variant));
    const uint32_t held_bytes = clscan__variant_held_bytes(variant, shape);
    /* So many as where there are shuffles: without them, lanes load again what is in front of their vectors. */
    const bool passes = variant->body == CLSCAN_BODY_SUBGROUP_ROWS && variant->vector_length > 1;
    const uint32_t most_bytes = passes && shape.passed_bytes > held_bytes ? shape.passed_bytes : held_bytes;

    /* What is on its way to local memory, once for each element of a tile. */
    if (walks(variant, shape))
        return times(clscan_variant_tile_count(variant), shape.element_bytes);
    return times(times(variant->work_group_size, row), most_bytes);
}

/* Of a public function's problem. False if it cannot be asked about. */
static bool find_shape(const clscan_problem *problem, clscan__shape *shape)
{
    clscan__problem_room room;

    if (problem == NULL || clscan__problem_take(&problem, &room, NULL) != CLSCAN_OK)
        return false;
    *shape = clscan__problem_shape(problem);
    return true;
}

uint64_t clscan_variant_local_bytes(const clscan_variant *variant, const clscan_problem *problem)
{
    clscan__shape shape;

    return variant != NULL && find_shape(problem, &shape) ? clscan__variant_local_bytes(variant, shape) : 0;
}

uint64_t clscan_variant_register_bytes(const clscan_variant *variant, const clscan_problem *problem)
{
    clscan__shape shape;

    return variant != NULL && find_shape(problem, &shape) ? clscan__variant_register_bytes(variant, shape) : 0;
}

/* Text of a fixed capacity that counts what did not fit. */
typedef struct line {
    char *text;
    size_t capacity_bytes;
    size_t length_bytes;
} line;

static void line_append(line *to, const char *format, ...) CLSCAN__PRINTF(2, 3);

static void line_append(line *to, const char *format, ...)
{
    const bool full = to->length_bytes >= to->capacity_bytes;
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(full ? NULL : to->text + to->length_bytes, full ? 0 : to->capacity_bytes - to->length_bytes,
                       format, arguments);
    va_end(arguments);
    if (length > 0)
        to->length_bytes += (size_t)length;
}

int clscan_variant_format(const clscan_variant *variant, char *text, size_t size_bytes)
{
    line to = {text, size_bytes, 0};

    for (size_t i = 0; i < CLSCAN__AXIS_COUNT; ++i) {
        const uint32_t value = clscan__axis_get(&clscan__axes[i], variant);

        /* A carry without order is the rule, so "none" is written only where it is wrong. */
        if (i == CLSCAN__AXIS_ORDER && value == CLSCAN_ORDER_NONE && !clscan__variant_has_order(variant))
            continue;
        line_append(&to, "%s%s", i == 0 ? "" : "+", clscan__axis_value_name(&clscan__axes[i], value));
    }
    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i) {
        const uint32_t value = clscan__param_get(&clscan__params[i], variant);

        if (value != 0 || clscan__param_needed(variant, &clscan__params[i]))
            line_append(&to, " %s=%u", clscan__params[i].name, (unsigned)value);
    }
    return (int)to.length_bytes;
}

/* Part of a longer text. */
typedef struct span {
    const char *start;
    size_t length_bytes;
} span;

/* Cut the next part off *at, up to one of `ends` or the end of the text. */
static span next_span(const char **at, const char *ends)
{
    const span part = {*at, strcspn(*at, ends)};

    *at += part.length_bytes;
    return part;
}

static span next_word(const char **at)
{
    *at += strspn(*at, " ");
    return next_span(at, " ");
}

static int quoted_bytes(span part)
{
    return (int)clscan__min_u64(part.length_bytes, QUOTED_BYTES);
}

static clscan_status parse_axes(span word, clscan_variant *variant, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const char *at = word.start;
    const char *end = word.start + word.length_bytes;

    for (size_t i = 0; i < CLSCAN__AXIS_COUNT; ++i) {
        const clscan__axis *axis = &clscan__axes[i];
        span name;
        uint32_t value;

        if (i == CLSCAN__AXIS_ORDER && at == end && !clscan__variant_has_order(variant))
            break;
        CLSCAN__REQUIRE(i == 0 || (at < end && *at == '+'), CLSCAN_ERROR_INVALID_VALUE, "variant: \"%.*s\" names no %s",
                        quoted_bytes(word), word.start, axis->name);
        if (i > 0)
            ++at;
        name = next_span(&at, "+ ");
        CLSCAN__REQUIRE(clscan__axis_value_from_name(axis, name.start, name.length_bytes, &value),
                        CLSCAN_ERROR_INVALID_VALUE, "variant: \"%.*s\" is not a %s", quoted_bytes(name), name.start,
                        axis->name);
        clscan__axis_set(axis, variant, value);
    }
    CLSCAN__REQUIRE(at == end, CLSCAN_ERROR_INVALID_VALUE, "variant: \"%.*s\" is one axis too many",
                    quoted_bytes((span){at, (size_t)(end - at)}), at);

cleanup:
    return status;
}

/* Decimal digits only: strtoul() would take signs and blanks. */
static bool parse_number(const char *digits, size_t length_bytes, uint32_t *number)
{
    uint64_t value = 0;

    for (size_t i = 0; i < length_bytes; ++i) {
        if (digits[i] < '0' || digits[i] > '9')
            return false;
        value = 10 * value + (uint64_t)(digits[i] - '0');
        if (value > UINT32_MAX)
            return false;
    }
    *number = (uint32_t)value;
    return length_bytes > 0;
}

static const clscan__param *find_param(span name)
{
    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i)
        if (strlen(clscan__params[i].name) == name.length_bytes &&
            memcmp(clscan__params[i].name, name.start, name.length_bytes) == 0)
            return &clscan__params[i];
    return NULL;
}

/* Read "name=value". seen[] is by position in clscan__params. */
static clscan_status parse_param(span word, clscan_variant *variant, bool *seen, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const char *at = word.start;
    const span name = next_span(&at, "= ");
    const char *end = word.start + word.length_bytes;
    const clscan__param *param = find_param(name);
    uint32_t value;

    CLSCAN__REQUIRE(param != NULL, CLSCAN_ERROR_INVALID_VALUE, "variant: \"%.*s\" is not a parameter",
                    quoted_bytes(name), name.start);
    CLSCAN__REQUIRE(!seen[param - clscan__params], CLSCAN_ERROR_INVALID_VALUE, "variant: %s is given twice",
                    param->name);
    CLSCAN__REQUIRE(at < end && parse_number(at + 1, (size_t)(end - at - 1), &value), CLSCAN_ERROR_INVALID_VALUE,
                    "variant: \"%.*s\" gives no 32-bit number", quoted_bytes(word), word.start);
    clscan__param_set(param, variant, value);
    seen[param - clscan__params] = true;

cleanup:
    return status;
}

clscan_status clscan_variant_parse(const char *text, clscan_variant *variant, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan_variant parsed = {0};
    bool seen[CLSCAN_PARAM_COUNT] = {false};
    const char *at = text;
    span word;

    CLSCAN__REQUIRE(text != NULL && variant != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "%s is NULL",
                    text == NULL ? "text" : "variant");
    CLSCAN__TRY(parse_axes(next_word(&at), &parsed, error));
    for (word = next_word(&at); word.length_bytes > 0; word = next_word(&at))
        CLSCAN__TRY(parse_param(word, &parsed, seen, error));
    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i)
        CLSCAN__REQUIRE(seen[i] || !clscan__param_needed(&parsed, &clscan__params[i]), CLSCAN_ERROR_INVALID_VALUE,
                        "variant: %s is missing", clscan__params[i].name);
    *variant = parsed;

cleanup:
    return status;
}
