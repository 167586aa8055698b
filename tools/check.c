#include "check.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command_line/failure.h"

/* Elements that the reference scans at once. */
#define BLOCK_COUNT ((uint64_t)1 << 16)

/* What is combined. */
static clscan_type combined_type(const checker *c)
{
    return c->maps.maps != NULL ? clscan_type_accumulator(c->type) : c->type;
}

/* Where the element stands that is number i in the order of the scan. */
static uint64_t in_order(const checker *c, uint64_t i, uint64_t count)
{
    return c->direction == CLSCAN_FORWARD ? i : count - 1 - i;
}

static uint64_t index_in_row(const checker *c, uint64_t element)
{
    return c->row_count > 0 ? element % c->row_count : element;
}

static double element_at(clscan_type type, const void *elements, uint64_t index)
{
    const size_t size_bytes = clscan_type_size_bytes(type);

    return clscan_value_as_double(type, clscan_value_load(type, (const char *)elements + index * size_bytes));
}

/* One operand more. */
static void widen(error_bound *bound, clscan_operator op, bool single, double operand)
{
    const double largest = single ? (double)FLT_MAX : DBL_MAX;
    const double largest_exponent = single ? 125.0 : 1021.0; /* both ways, clear of the subnormals */

    bound->operations += 1.0;
    if (op == CLSCAN_ADD) {
        bound->magnitude += fabs(operand);
        bound->is_open = bound->is_open || !(bound->magnitude < largest / 2);
    } else {
        bound->exponents += operand != 0.0 ? fabs(log2(fabs(operand))) : INFINITY;
        bound->is_open = bound->is_open || !(bound->exponents < largest_exponent);
    }
}

/* By how much two sums of one sort may differ: both may be wrong by the bound. */
static double rounding(clscan_type type, clscan_operator op, const error_bound *bound, double expected)
{
    const double epsilon = clscan_type_accumulator(type) == CLSCAN_FLOAT ? (double)FLT_EPSILON : DBL_EPSILON;
    const double scale = op == CLSCAN_ADD ? bound->magnitude : fabs(expected);

    return 2.0 * epsilon * bound->operations * scale;
}

/* A half is rounded once more, at worst to its subnormal step. */
static double tolerance(const checker *c, const error_bound *bound, double expected)
{
    const double accumulated = rounding(c->type, c->op, bound, expected);
    const double stored = c->type == CLSCAN_HALF ? 0x1p-10 * (fabs(expected) + accumulated) + 0x1p-24 : 0.0;

    return accumulated + stored;
}

/* A half beyond its largest number rounds to infinity, which may happen to one of two close results. */
static double within_range(const checker *c, double value)
{
    if (c->type != CLSCAN_HALF)
        return value;
    return value > 65504.0 ? 65536.0 : value < -65504.0 ? -65536.0 : value;
}

static bool is_close(const checker *c, const error_bound *bound, double expected, double got)
{
    expected = within_range(c, expected);
    return fabs(within_range(c, got) - expected) <= tolerance(c, bound, expected);
}

static clscan_status fail_at(const checker *c, const void *expected, const void *got, uint64_t index,
                             clscan_error *error)
{
    char wanted_text[64];
    char got_text[64];

    clscan_value_format(c->type, clscan_value_load(c->type, expected), wanted_text, sizeof wanted_text);
    clscan_value_format(c->type, clscan_value_load(c->type, got), got_text, sizeof got_text);
    return fail(error, CLSCAN_ERROR_OPENCL,
                "the result is wrong: element %" PRIu64 " should be %s by the serial reference, and is %s", index,
                wanted_text, got_text);
}

/* Compare a block with the expected outputs, by what was combined. */
static clscan_status compare(checker *c, const unsigned char *values, const unsigned char *expected,
                             const unsigned char *got, uint64_t first, uint64_t count, clscan_error *error)
{
    const size_t size_bytes = clscan_type_size_bytes(c->type);
    const clscan_type combined = combined_type(c);
    const bool grouped = clscan_reference_depends_on_grouping(combined, c->op);
    const bool single = clscan_type_accumulator(combined) == CLSCAN_FLOAT;

    for (uint64_t i = 0; i < count; ++i) {
        const uint64_t at = in_order(c, i, count);
        const unsigned char *one_wanted = expected + at * size_bytes;
        const unsigned char *one_got = got + at * size_bytes;
        bool same = clscan_reference_same(c->type, c->op, one_wanted, one_got) != 0;

        if (grouped) {
            widen(&c->bound, c->op, single, element_at(combined, values, at));
            if (!same && c->bound.is_open)
                continue;
            same = same || is_close(c, &c->bound, element_at(c->type, one_wanted, 0), element_at(c->type, one_got, 0));
        }
        if (!same)
            return fail_at(c, one_wanted, one_got, first + at, error);
        ++c->compared;
    }
    return CLSCAN_OK;
}

/* ---- With a store map ---- */

static void put_real(clscan_type type, double number, unsigned char *element)
{
    clscan_value value = {.bits = 0};

    if (type == CLSCAN_FLOAT)
        value.float32 = (float)number;
    else
        value.float64 = number;
    clscan_value_store(type, value, element);
}

static void find_near(checker *c, bool of_previous, uint64_t at)
{
    const clscan_type sum = combined_type(c);
    const uint64_t at_bytes = at * clscan_type_size_bytes(sum);
    const double middle = element_at(sum, of_previous ? c->maps.previous : c->maps.sums, at);
    const double off = c->bound.is_open ? 0.0 : rounding(sum, c->op, &c->bound, middle);

    put_real(sum, middle - off, c->maps.near[of_previous][0] + at_bytes);
    put_real(sum, middle + off, c->maps.near[of_previous][1] + at_bytes);
}

/* Sums and previous ones as far from those of the reference as rounding may take them. Returns how many elements come,
 * in the order of the scan, before nothing can be said any more. */
static uint64_t find_all_near(checker *c, uint64_t count)
{
    const clscan_type sum = combined_type(c);
    uint64_t known = 0;

    for (uint64_t i = 0; i < count; ++i) {
        const uint64_t at = in_order(c, i, count);

        find_near(c, true, at);
        if (c->form == CLSCAN_EXCLUSIVE)
            find_near(c, false, at);
        widen(&c->bound, c->op, sum == CLSCAN_FLOAT, element_at(sum, c->maps.values, at));
        if (c->form == CLSCAN_INCLUSIVE)
            find_near(c, false, at);
        known += !c->bound.is_open;
    }
    return known;
}

/* Where sums that may be right give results that differ by so much of the largest so far, these tell nothing. */
#define MOST_SPREAD 0.25

/* By what the expression gives for sums around it. It may be rounded in another way where it is compiled in another
 * place. *tells becomes false where that says nothing, nor of what comes behind it. */
static bool is_near(checker *c, uint64_t at, const unsigned char *got, bool grouped, bool *tells)
{
    const size_t size_bytes = clscan_type_size_bytes(c->type);
    const double step = c->type == CLSCAN_HALF ? 0x1p-10 : c->type == CLSCAN_FLOAT ? (double)FLT_EPSILON : DBL_EPSILON;
    const double seen = within_range(c, element_at(c->type, got, 0));
    double low = INFINITY, high = -INFINITY, spread, slack;
    bool same = false;

    for (int i = 0; i < (grouped ? CHECK_MAPS_OUTPUTS : 1); ++i) {
        const unsigned char *output = c->maps.outputs[i] + at * size_bytes;
        const double value = within_range(c, element_at(c->type, output, 0));

        same = same || clscan_reference_same(c->type, CLSCAN_ADD, output, got) != 0;
        low = value < low ? value : low;
        high = value > high ? value : high;
        if (i == 0 && isfinite(value))
            c->bound.largest = fmax(c->bound.largest, fabs(value));
    }
    if (low > high) /* none of them is a number */
        return same;
    if (isinf(low) || isinf(high)) {
        *tells = low == high;
        return same || !*tells;
    }
    spread = high > low ? high - low : 0.0;
    slack = 4.0 * step * fmax(fabs(low), fabs(high)) + (c->type == CLSCAN_HALF ? 0x1p-24 : 0.0);
    *tells = spread <= MOST_SPREAD * c->bound.largest + slack;
    return same || (seen >= low - spread - slack && seen <= high + spread + slack);
}

static clscan_status compare_stored(checker *c, const unsigned char *in, const unsigned char *got, uint64_t first,
                                    uint64_t count, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const size_t size_bytes = clscan_type_size_bytes(c->type);
    const bool grouped = clscan_reference_depends_on_grouping(combined_type(c), c->op);
    const bool real = clscan_reference_is_floating(c->type) != 0;
    uint64_t known;

    if (c->bound.is_open)
        return status;
    known = grouped ? find_all_near(c, count) : count;
    TRY(check_maps_store(&c->maps, in, index_in_row(c, first), count, grouped, error));
    for (uint64_t i = 0; i < known; ++i) {
        const uint64_t at = in_order(c, i, count);
        const unsigned char *wanted = c->maps.outputs[0] + at * size_bytes, *seen = got + at * size_bytes;
        bool tells = true;
        const bool same = real ? is_near(c, at, seen, grouped, &tells) : memcmp(wanted, seen, size_bytes) == 0;

        c->bound.is_open = c->bound.is_open || !tells;
        if (!tells)
            break;
        if (!same)
            return fail_at(c, wanted, seen, first + at, error);
        ++c->compared;
    }

cleanup:
    return status;
}

/* ---- Blocks ---- */

static clscan_reference reference_of(const checker *c)
{
    return (clscan_reference){.type = combined_type(c), .op = c->op, .form = c->form, .direction = c->direction};
}

static clscan_status reference_failure(clscan_status status, clscan_error *error)
{
    return status == CLSCAN_OK ? status
                               : fail(error, status, "the serial reference: %s", clscan_status_message(status));
}

static clscan_status check_mapped_block(checker *c, const unsigned char *in, const unsigned char *got, uint64_t first,
                                        uint64_t count, clscan_error *error)
{
    clscan_status status;
    map_checker *maps = &c->maps;
    clscan_reference what = reference_of(c);
    const clscan_value *carry = c->has_carry ? &c->carry : NULL;

    TRY(check_maps_load(maps, in, index_in_row(c, first), count, error));
    if (maps->previous != NULL) {
        what.form = CLSCAN_EXCLUSIVE;
        TRY(reference_failure(clscan_reference_scan(&what, maps->values, count, carry, maps->previous, NULL), error));
        what.form = c->form;
    }
    TRY(reference_failure(clscan_reference_scan(&what, maps->values, count, carry, maps->sums, &c->carry), error));
    c->has_carry = true;
    if (maps->maps->store != NULL)
        return compare_stored(c, in, got, first, count, error);
    TRY(check_maps_store(maps, in, index_in_row(c, first), count, false, error));
    TRY(compare(c, maps->values, maps->outputs[0], got, first, count, error));

cleanup:
    return status;
}

static clscan_status check_block(checker *c, const unsigned char *in, const unsigned char *got, uint64_t first,
                                 uint64_t count, clscan_error *error)
{
    clscan_status status;
    const clscan_reference what = reference_of(c);

    if (c->maps.maps != NULL)
        return check_mapped_block(c, in, got, first, count, error);
    TRY(reference_failure(
        clscan_reference_scan(&what, in, count, c->has_carry ? &c->carry : NULL, c->expected, &c->carry), error));
    c->has_carry = true;
    TRY(compare(c, in, c->expected, got, first, count, error));

cleanup:
    return status;
}

void check_begin(checker *c)
{
    c->begins = true;
    if (c->structs.type != NULL)
        return;
    c->bound = (error_bound){0};
    c->carry = (clscan_value){.bits = 0};
    c->has_carry = c->initial != NULL;
    if (!c->has_carry)
        return;
    memcpy(&c->carry, c->initial, clscan_type_size_bytes(clscan_type_accumulator(c->type)));
    if (clscan_reference_depends_on_grouping(c->type, c->op))
        widen(&c->bound, c->op, clscan_type_accumulator(c->type) == CLSCAN_FLOAT,
              clscan_value_as_double(c->type, c->carry));
}

clscan_status check_piece(checker *c, const void *in, const void *got, uint64_t first, uint64_t count,
                          clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const size_t size_bytes = clscan_type_size_bytes(c->type);
    const size_t in_bytes = c->maps.maps != NULL ? clscan_type_size_bytes(c->maps.maps->in) : size_bytes;

    if (c->structs.type != NULL) {
        TRY(check_structs(&c->structs, c->form, c->direction, c->begins, c->initial, in, got, first, count, error));
        c->begins = false;
        c->compared += count;
        return status;
    }
    if (c->maps.maps != NULL)
        TRY(check_maps_prepare(&c->maps, BLOCK_COUNT, error));
    else if (c->expected == NULL)
        c->expected = malloc(BLOCK_COUNT * size_bytes);
    REQUIRE(c->maps.maps != NULL || c->expected != NULL, CLSCAN_ERROR_OUT_OF_MEMORY,
            "no host memory to check the result");
    for (uint64_t done = 0; done < count;) {
        const uint64_t block = count - done < BLOCK_COUNT ? count - done : BLOCK_COUNT;
        const uint64_t at = c->direction == CLSCAN_FORWARD ? done : count - done - block;

        TRY(check_block(c, (const unsigned char *)in + at * in_bytes, (const unsigned char *)got + at * size_bytes,
                        first + at, block, error));
        done += block;
    }

cleanup:
    return status;
}

clscan_status check_total(const checker *c, const void *got, uint64_t row, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_type type = combined_type(c);
    const bool grouped = clscan_reference_depends_on_grouping(type, c->op);
    const double seen = grouped ? clscan_value_as_double(type, clscan_value_load(type, got)) : 0.0;
    char wanted_text[64], got_text[64];

    if (clscan_reference_same_total(type, c->op, &c->carry, got) != 0 ||
        (grouped && (c->bound.is_open || is_close(c, &c->bound, clscan_value_as_double(type, c->carry), seen))))
        return status;
    clscan_value_format(type, c->carry, wanted_text, sizeof wanted_text);
    clscan_value_format(type, clscan_value_load(type, got), got_text, sizeof got_text);
    return fail(error, CLSCAN_ERROR_OPENCL,
                "the result is wrong: the total of row %" PRIu64 " should be %s by the serial reference, and is %s",
                row, wanted_text, got_text);
}

void check_release(checker *c)
{
    check_maps_release(&c->maps);
    check_structs_release(&c->structs);
    free(c->expected);
    c->expected = NULL;
}
