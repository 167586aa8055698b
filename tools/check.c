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
    return c->rows.reverse ? count - 1 - i : i;
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

/* Of a part of a row: sums and previous ones as far from those of the reference as rounding may take them, and of which
 * elements something can be said. */
static void find_all_near(checker *c, uint64_t first, uint64_t count)
{
    const clscan_type sum = combined_type(c);
    const bool grouped = clscan_reference_depends_on_grouping(sum, c->op);

    for (uint64_t i = 0; i < count; ++i) {
        const uint64_t at = first + in_order(c, i, count);

        if (grouped) {
            find_near(c, true, at);
            if (c->form == CLSCAN_EXCLUSIVE)
                find_near(c, false, at);
            widen(&c->bound, c->op, sum == CLSCAN_FLOAT, element_at(sum, c->maps.values, at));
            if (c->form == CLSCAN_INCLUSIVE)
                find_near(c, false, at);
        }
        c->maps.known[at] = !c->bound.is_open;
    }
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
            c->stored.largest = fmax(c->stored.largest, fabs(value));
    }
    if (low > high) /* none of them is a number */
        return same;
    if (isinf(low) || isinf(high)) {
        *tells = low == high;
        return same || !*tells;
    }
    spread = high > low ? high - low : 0.0;
    slack = 4.0 * step * fmax(fabs(low), fabs(high)) + (c->type == CLSCAN_HALF ? 0x1p-24 : 0.0);
    *tells = spread <= MOST_SPREAD * c->stored.largest + slack;
    return same || (seen >= low - spread - slack && seen <= high + spread + slack);
}

/* Evaluating takes long: once for all rows of a block. */
static clscan_status compare_stored(checker *c, const unsigned char *in, const unsigned char *got, uint64_t begin,
                                    uint64_t count, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const size_t size_bytes = clscan_type_size_bytes(c->type);
    const uint64_t first = chunk_first_element(&c->rows, begin, begin + count);
    const bool grouped = clscan_reference_depends_on_grouping(combined_type(c), c->op);
    const bool real = clscan_reference_is_floating(c->type) != 0;

    if (memchr(c->maps.known, true, (size_t)count) == NULL)
        return status;
    TRY(check_maps_store(&c->maps, in, first, count, grouped, error));
    for (uint64_t i = 0; i < count; ++i) {
        const uint64_t at = in_order(c, i, count);
        const unsigned char *wanted = c->maps.outputs[0] + at * size_bytes, *seen = got + at * size_bytes;
        bool tells = true, same;

        if ((begin + i) % c->rows.row_count == 0)
            c->stored = (stored_outputs){false, 0.0};
        if (c->stored.tell_nothing || !c->maps.known[at])
            continue;
        same = real ? is_near(c, at, seen, grouped, &tells) : memcmp(wanted, seen, size_bytes) == 0;
        c->stored.tell_nothing = !tells;
        if (!tells)
            continue;
        if (!same)
            return fail_at(c, wanted, seen, first + at, error);
        ++c->compared;
    }
    /* Of the row that may go on in the next block. */
    c->bound.is_open = c->bound.is_open || c->stored.tell_nothing;

cleanup:
    return status;
}

/* ---- Rows ---- */

static void begin_row(checker *c, const void *initial)
{
    c->bound = (error_bound){0};
    c->carry = (clscan_value){.bits = 0};
    c->has_carry = initial != NULL;
    if (!c->has_carry)
        return;
    memcpy(&c->carry, initial, clscan_type_size_bytes(clscan_type_accumulator(c->type)));
    if (clscan_reference_depends_on_grouping(c->type, c->op))
        widen(&c->bound, c->op, clscan_type_accumulator(c->type) == CLSCAN_FLOAT,
              clscan_value_as_double(c->type, c->carry));
}

/* The next `count` of a row's values. Totals, of the type of the sums, may be NULL. */
static clscan_status scan(checker *c, clscan_form form, const void *values, uint64_t count, void *sums,
                          clscan_value *total, clscan_error *error)
{
    const clscan_reference what = {.type = combined_type(c),
                                   .op = c->op,
                                   .form = form,
                                   .direction = c->rows.reverse ? CLSCAN_REVERSE : CLSCAN_FORWARD};
    const clscan_status status =
        clscan_reference_scan(&what, values, count, c->has_carry ? &c->carry : NULL, sums, total);

    if (status != CLSCAN_OK)
        return fail(error, status, "the serial reference: %s", clscan_status_message(status));
    c->has_carry = c->has_carry || total != NULL;
    return CLSCAN_OK;
}

/* Part of a row, `at` elements from the begin of a block whose values are loaded. With a store map nothing is compared
 * yet. */
static clscan_status check_mapped_part(checker *c, const unsigned char *got, uint64_t first, uint64_t at,
                                       uint64_t count, clscan_error *error)
{
    clscan_status status;
    map_checker *maps = &c->maps;
    const size_t at_bytes = (size_t)at * clscan_type_size_bytes(combined_type(c));
    const unsigned char *values = maps->values + at_bytes;

    if (maps->maps->store != NULL)
        TRY(scan(c, CLSCAN_EXCLUSIVE, values, count, maps->previous + at_bytes, NULL, error));
    TRY(scan(c, c->form, values, count, maps->sums + at_bytes, &c->carry, error));
    if (maps->maps->store != NULL) {
        find_all_near(c, at, count);
        return status;
    }
    TRY(check_maps_convert(maps, at, count, error));
    TRY(compare(c, values, maps->outputs[0] + at * clscan_type_size_bytes(c->type), got, first, count, error));

cleanup:
    return status;
}

static clscan_status check_part(checker *c, const unsigned char *in, const unsigned char *got, uint64_t first,
                                const piece *part, clscan_error *error)
{
    clscan_status status;
    const uint64_t row = first / c->rows.row_count, count = part->count;
    const void *initial = initials_file_value(c->initials, row, c->initial);

    if (c->structs.type != NULL) {
        TRY(check_structs(&c->structs, c->form, c->rows.reverse ? CLSCAN_REVERSE : CLSCAN_FORWARD, part->begins_row,
                          initial, in, got, first, count, error));
        c->compared += count;
        return status;
    }
    if (part->begins_row)
        begin_row(c, initial);
    if (c->maps.maps != NULL) {
        TRY(check_mapped_part(c, got, first, part->offset, count, error));
    } else {
        TRY(scan(c, c->form, in, count, c->expected, &c->carry, error));
        TRY(compare(c, in, c->expected, got, first, count, error));
    }
    if (c->totals && part->ends_row)
        TRY(check_total(c, got + count * clscan_type_size_bytes(c->type), row, error));

cleanup:
    return status;
}

/* ---- Blocks ---- */

static size_t element_bytes(const checker *c)
{
    const clscan_type in = c->maps.maps != NULL ? c->maps.maps->in : c->type;

    return c->structs.type != NULL ? c->structs.type->size_bytes : clscan_type_size_bytes(in);
}

static size_t output_bytes(const checker *c)
{
    return c->structs.type != NULL ? c->structs.type->size_bytes : clscan_type_size_bytes(c->type);
}

/* Of rows that end between the positions begin and end. */
static uint64_t totals_between(const checker *c, uint64_t begin, uint64_t end)
{
    return c->totals ? end / c->rows.row_count - begin / c->rows.row_count : 0;
}

static clscan_status check_block(checker *c, const unsigned char *in, const unsigned char *got, uint64_t begin,
                                 uint64_t count, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const uint64_t end = begin + count, first = chunk_first_element(&c->rows, begin, end);

    if (c->maps.maps != NULL)
        TRY(check_maps_load(&c->maps, in, first, count, error));
    for (uint64_t position = begin; position < end;) {
        const piece part = piece_at(&c->rows, begin, end, position);
        const uint64_t outputs = part.offset + totals_between(c, begin, position);

        TRY(check_part(c, in + part.offset * element_bytes(c), got + outputs * output_bytes(c), first + part.offset,
                       &part, error));
        position += part.count;
    }
    if (c->maps.maps != NULL && c->maps.maps->store != NULL)
        TRY(compare_stored(c, in, got, begin, count, error));

cleanup:
    return status;
}

static clscan_status prepare(checker *c, clscan_error *error)
{
    if (c->structs.type != NULL || c->expected != NULL)
        return CLSCAN_OK;
    if (c->maps.maps != NULL)
        return check_maps_prepare(&c->maps, BLOCK_COUNT, c->rows.row_count, error);
    c->expected = malloc(BLOCK_COUNT * clscan_type_size_bytes(c->type));
    return c->expected != NULL ? CLSCAN_OK
                               : fail(error, CLSCAN_ERROR_OUT_OF_MEMORY, "no host memory to check the result");
}

clscan_status check_chunk(checker *c, const void *in, const void *got, uint64_t begin, uint64_t count,
                          clscan_error *error)
{
    clscan_status status;
    const uint64_t most = c->structs.type != NULL ? count : BLOCK_COUNT; /* structs come in blocks of their own */

    TRY(prepare(c, error));
    for (uint64_t done = 0; done < count;) {
        const uint64_t block = count - done < most ? count - done : most;
        const uint64_t at = c->rows.reverse ? count - done - block : done;
        const uint64_t outputs = at + totals_between(c, begin, begin + done);

        TRY(check_block(c, (const unsigned char *)in + at * element_bytes(c),
                        (const unsigned char *)got + outputs * output_bytes(c), begin + done, block, error));
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
