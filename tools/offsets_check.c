#include "offsets_check.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#include "command_line/failure.h"
#include "command_line/values.h"
#include "reference/reference.h"

/* Numbers that are widened at once. */
#define BLOCK_COUNT 512u

bool offsets_check_sees(clscan_type in, clscan_type out, clscan_operator op, bool maps)
{
    return op == CLSCAN_ADD && !clscan_reference_is_floating(out) &&
           (maps ? !integer_is_signed(out) : !clscan_reference_is_floating(in));
}

bool offsets_check_reads(const offsets_checker *c)
{
    return !c->maps;
}

/* To 64 bits, with their sign. */
static void widen(clscan_type type, const void *from, uint64_t first, uint64_t count, uint64_t *to)
{
/* clang-format off */
#define CASE(constant, c_type)                                             \
    case constant:                                                         \
        for (uint64_t i = 0; i < count; ++i)                               \
            to[i] = (uint64_t)((const c_type *)from)[first + i];           \
        return;
    switch (type) {
    CASE(CLSCAN_INT8, int8_t)
    CASE(CLSCAN_UINT8, uint8_t)
    CASE(CLSCAN_INT16, int16_t)
    CASE(CLSCAN_UINT16, uint16_t)
    CASE(CLSCAN_INT32, int32_t)
    CASE(CLSCAN_UINT32, uint32_t)
    CASE(CLSCAN_INT64, int64_t)
    CASE(CLSCAN_UINT64, uint64_t)
    default:
        return;
    }
#undef CASE
    /* clang-format on */
}

static void print(clscan_type type, uint64_t bits, char text[24])
{
    if (integer_is_signed(type))
        snprintf(text, 24, "%" PRId64, (int64_t)bits);
    else
        snprintf(text, 24, "%" PRIu64, bits);
}

static clscan_status fail_at(const offsets_checker *c, uint64_t offset, clscan_error *error)
{
    char before[24], length[64] = "", wrong[24];

    print(c->out, c->latest, before);
    print(c->out, offset, wrong);
    if (offsets_check_reads(c)) {
        char number[24];

        print(c->in, c->latest_length, number);
        snprintf(length, sizeof length, " and the length %s", number);
    }
    return fail(error, CLSCAN_ERROR_INVALID_VALUE,
                "%s: offset %" PRIu64 " is too large for %s, and became %s behind %s%s%s", c->name, c->count,
                clscan_type_name(c->out), wrong, before, length,
                c->out == CLSCAN_UINT64 ? "" : "; try --output-type uint64");
}

/* The offset `number`, and the length behind it, which is 0 where lengths are not looked at. */
static clscan_status take(offsets_checker *c, uint64_t number, uint64_t offset, uint64_t length, clscan_error *error)
{
    c->latest = offset;
    c->latest_length = length;
    if (integer_is_signed(c->in) && length > INT64_MAX)
        return fail(error, CLSCAN_ERROR_INVALID_VALUE,
                    "%s: the length behind offset %" PRIu64 " is %" PRId64 ", negative", c->name, number,
                    (int64_t)length);
    return CLSCAN_OK;
}

/* Is `offset` the one before and the length between them, neither of which has wrapped? Without the length: is it no
 * smaller, as it is where the sum of two numbers has wrapped? */
static bool follows(const offsets_checker *c, uint64_t offset)
{
    /* As unsigned numbers in the same order. */
    const uint64_t flip = integer_is_signed(c->out) ? UINT64_C(1) << 63 : 0, at = offset ^ flip,
                   before = c->latest ^ flip;

    return at >= before && (!offsets_check_reads(c) || at - before == c->latest_length);
}

clscan_status offsets_check(offsets_checker *c, const void *in, const void *got, uint64_t count, clscan_error *error)
{
    uint64_t lengths[BLOCK_COUNT] = {0}, offsets[BLOCK_COUNT];

    for (uint64_t first = 0; first < count; first += BLOCK_COUNT) {
        const uint64_t block = count - first < BLOCK_COUNT ? count - first : BLOCK_COUNT;

        widen(c->out, got, first, block, offsets);
        if (offsets_check_reads(c))
            widen(c->in, in, first, block, lengths);
        for (uint64_t i = 0; i < block; ++i) {
            if (c->begun && !follows(c, offsets[i]))
                return fail_at(c, offsets[i], error);
            if (take(c, c->count, offsets[i], lengths[i], error) != CLSCAN_OK)
                return error->status;
            c->begun = true;
            ++c->count;
        }
    }
    return CLSCAN_OK;
}

/* Of one matrix. What is `columns` further on follows. */
static clscan_status check_columns(offsets_checker *c, const void *in, uint64_t in_first, const void *got,
                                   uint64_t got_first, uint64_t elements, uint64_t columns, clscan_error *error)
{
    uint64_t lengths[BLOCK_COUNT] = {0}, offsets[BLOCK_COUNT], next[BLOCK_COUNT];

    for (uint64_t first = 0; first < elements; first += BLOCK_COUNT) {
        const uint64_t block = elements - first < BLOCK_COUNT ? elements - first : BLOCK_COUNT;

        widen(c->out, got, got_first + first, block, offsets);
        widen(c->out, got, got_first + first + columns, block, next);
        if (offsets_check_reads(c))
            widen(c->in, in, in_first + first, block, lengths);
        for (uint64_t i = 0; i < block; ++i) {
            if (take(c, c->count + first + i, offsets[i], lengths[i], error) != CLSCAN_OK)
                return error->status;
            if (follows(c, next[i]))
                continue;
            c->count += first + i + columns;
            return fail_at(c, next[i], error);
        }
    }
    return CLSCAN_OK;
}

clscan_status offsets_check_matrices(offsets_checker *c, const void *in, const void *got, uint64_t matrices,
                                     uint64_t count, uint64_t columns, clscan_error *error)
{
    const uint64_t elements = count * columns, outputs = elements + columns;

    for (uint64_t i = 0; i < matrices; ++i) {
        if (check_columns(c, in, i * elements, got, i * outputs, elements, columns, error) != CLSCAN_OK)
            return error->status;
        c->count += outputs;
    }
    return CLSCAN_OK;
}

clscan_status offsets_check_total(offsets_checker *c, const void *total, clscan_error *error)
{
    uint64_t offset = 0;

    widen(c->out, total, 0, 1, &offset);
    if (c->begun && !follows(c, offset))
        return fail_at(c, offset, error);
    c->begun = false;
    ++c->count;
    return CLSCAN_OK;
}
