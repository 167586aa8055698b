#include "check.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command_line/failure.h"

/* Elements that the reference scans at once. */
#define BLOCK_COUNT ((uint64_t)1 << 16)

static double as_double(clscan_type type, clscan_value value)
{
    return clscan_type_accumulator(type) == CLSCAN_FLOAT ? (double)value.float32 : value.float64;
}

static double element_at(clscan_type type, const void *elements, uint64_t index)
{
    const size_t size_bytes = clscan_type_size_bytes(type);

    return as_double(type, clscan_value_load(type, (const char *)elements + index * size_bytes));
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

static double tolerance(const checker *c, const error_bound *bound, double expected)
{
    const double epsilon = clscan_type_accumulator(c->type) == CLSCAN_FLOAT ? (double)FLT_EPSILON : DBL_EPSILON;
    const double scale = c->op == CLSCAN_ADD ? bound->magnitude : fabs(expected);
    /* Both results may be wrong by the bound. A half is rounded once more, at worst to its subnormal step. */
    const double accumulated = 2.0 * epsilon * bound->operations * scale;
    const double stored = c->type == CLSCAN_HALF ? 0x1p-10 * (fabs(expected) + accumulated) + 0x1p-24 : 0.0;

    return accumulated + stored;
}

/* A half beyond its largest number rounds to infinity, which may happen to one of two close results. */
static double within_half(double value)
{
    return value > 65504.0 ? 65536.0 : value < -65504.0 ? -65536.0 : value;
}

static bool is_close(const checker *c, const error_bound *bound, double expected, double got)
{
    if (c->type == CLSCAN_HALF) {
        expected = within_half(expected);
        got = within_half(got);
    }
    return fabs(got - expected) <= tolerance(c, bound, expected);
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

/* Compare a block with c->expected. */
static clscan_status compare(checker *c, const unsigned char *in, const unsigned char *got, uint64_t first,
                             uint64_t count, clscan_error *error)
{
    const size_t size_bytes = clscan_type_size_bytes(c->type);
    const bool grouped = clscan_reference_depends_on_grouping(c->type, c->op);
    const bool single = clscan_type_accumulator(c->type) == CLSCAN_FLOAT;

    for (uint64_t i = 0; i < count; ++i) {
        const uint64_t at = c->direction == CLSCAN_FORWARD ? i : count - 1 - i;
        const unsigned char *one_wanted = c->expected + at * size_bytes;
        const unsigned char *one_got = got + at * size_bytes;
        bool same = clscan_reference_same(c->type, c->op, one_wanted, one_got) != 0;

        if (grouped) {
            widen(&c->bound, c->op, single, element_at(c->type, in, at));
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

static clscan_status check_block(checker *c, const unsigned char *in, const unsigned char *got, uint64_t first,
                                 uint64_t count, clscan_error *error)
{
    clscan_status status;
    const clscan_reference what = {.type = c->type, .op = c->op, .form = c->form, .direction = c->direction};

    status = clscan_reference_scan(&what, in, count, c->has_carry ? &c->carry : NULL, c->expected, &c->carry);
    REQUIRE(status == CLSCAN_OK, status, "the serial reference: %s", clscan_status_message(status));
    c->has_carry = true;
    TRY(compare(c, in, got, first, count, error));

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
        widen(&c->bound, c->op, clscan_type_accumulator(c->type) == CLSCAN_FLOAT, as_double(c->type, c->carry));
}

clscan_status check_piece(checker *c, const void *in, const void *got, uint64_t first, uint64_t count,
                          clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const size_t size_bytes = clscan_type_size_bytes(c->type);

    if (c->structs.type != NULL) {
        TRY(check_structs(&c->structs, c->form, c->direction, c->begins, c->initial, in, got, first, count, error));
        c->begins = false;
        c->compared += count;
        return status;
    }
    if (c->expected == NULL)
        c->expected = malloc(BLOCK_COUNT * size_bytes);
    REQUIRE(c->expected != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no host memory to check the result");
    for (uint64_t done = 0; done < count;) {
        const uint64_t block = count - done < BLOCK_COUNT ? count - done : BLOCK_COUNT;
        const uint64_t at = c->direction == CLSCAN_FORWARD ? done : count - done - block;

        TRY(check_block(c, (const unsigned char *)in + at * size_bytes, (const unsigned char *)got + at * size_bytes,
                        first + at, block, error));
        done += block;
    }

cleanup:
    return status;
}

void check_release(checker *c)
{
    check_structs_release(&c->structs);
    free(c->expected);
    c->expected = NULL;
}
