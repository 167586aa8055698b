#include "check.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "command_line/failure.h"
#include "reference/reference.h"

/* What is known about all groupings of the operands so far, in the order of the scan. */
typedef struct error_bound {
    bool is_open;      /* some grouping may have left the range of the type */
    double operations; /* roundings in the longest chain */
    double magnitude;  /* add: sum of |x|, which bounds every partial sum */
    double exponents;  /* mul: sum of |log2 |x||, which bounds the exponent of every partial product */
} error_bound;

static double as_double(clscan_type type, clscan_value value)
{
    return clscan_type_accumulator(type) == CLSCAN_FLOAT ? (double)value.float32 : value.float64;
}

static double element_at(clscan_type type, const void *elements, uint64_t index)
{
    const size_t size_bytes = clscan_type_size_bytes(type);

    return as_double(type, clscan_value_load(type, (const char *)elements + index * size_bytes));
}

static bool depends_on_grouping(const check_job *job)
{
    return (job->op == CLSCAN_ADD || job->op == CLSCAN_MUL) &&
           (job->type == CLSCAN_HALF || job->type == CLSCAN_FLOAT || job->type == CLSCAN_DOUBLE);
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

static double tolerance(const check_job *job, const error_bound *bound, double expected)
{
    const double epsilon = clscan_type_accumulator(job->type) == CLSCAN_FLOAT ? (double)FLT_EPSILON : DBL_EPSILON;
    const double scale = job->op == CLSCAN_ADD ? bound->magnitude : fabs(expected);
    /* Both results may be wrong by the bound. A half is rounded once more, at worst to its subnormal step. */
    const double accumulated = 2.0 * epsilon * bound->operations * scale;
    const double stored = job->type == CLSCAN_HALF ? 0x1p-10 * (fabs(expected) + accumulated) + 0x1p-24 : 0.0;

    return accumulated + stored;
}

/* A half beyond its largest number rounds to infinity, which may happen to one of two close results. */
static double within_half(double value)
{
    return value > 65504.0 ? 65536.0 : value < -65504.0 ? -65536.0 : value;
}

static bool is_close(const check_job *job, const error_bound *bound, double expected, double got)
{
    if (job->type == CLSCAN_HALF) {
        expected = within_half(expected);
        got = within_half(got);
    }
    return fabs(got - expected) <= tolerance(job, bound, expected);
}

static clscan_status fail_at(const check_job *job, const void *expected, uint64_t index, clscan_error *error)
{
    const size_t size_bytes = clscan_type_size_bytes(job->type);
    char wanted[64];
    char got[64];

    clscan_value_format(job->type, clscan_value_load(job->type, (const char *)expected + index * size_bytes), wanted,
                        sizeof wanted);
    clscan_value_format(job->type, clscan_value_load(job->type, (const char *)job->got + index * size_bytes), got,
                        sizeof got);
    return fail(error, CLSCAN_ERROR_OPENCL,
                "the result is wrong: element %" PRIu64 " should be %s by the serial reference, and is %s", index,
                wanted, got);
}

static clscan_status compare(const check_job *job, const unsigned char *expected, uint64_t *compared,
                             clscan_error *error)
{
    const size_t size_bytes = clscan_type_size_bytes(job->type);
    const bool grouped = depends_on_grouping(job);
    const bool single = clscan_type_accumulator(job->type) == CLSCAN_FLOAT;
    error_bound bound = {0};

    *compared = 0;
    if (grouped && job->initial != NULL) {
        clscan_value initial = {.bits = 0};

        memcpy(&initial, job->initial, clscan_type_size_bytes(clscan_type_accumulator(job->type)));
        widen(&bound, job->op, single, as_double(job->type, initial));
    }
    for (uint64_t i = 0; i < job->count; ++i) {
        const uint64_t at = job->direction == CLSCAN_FORWARD ? i : job->count - 1 - i;
        const unsigned char *wanted = expected + at * size_bytes;
        const unsigned char *got = (const unsigned char *)job->got + at * size_bytes;
        bool same = clscan_reference_same(job->type, job->op, wanted, got) != 0;

        if (grouped) {
            widen(&bound, job->op, single, element_at(job->type, job->in, at));
            if (!same && bound.is_open)
                continue;
            same =
                same || is_close(job, &bound, element_at(job->type, expected, at), element_at(job->type, job->got, at));
        }
        if (!same)
            return fail_at(job, expected, at, error);
        ++*compared;
    }
    return CLSCAN_OK;
}

clscan_status check_result(const check_job *job, uint64_t *compared, clscan_error *error)
{
    clscan_status status;
    const size_t size_bytes = clscan_type_size_bytes(job->type);
    const clscan_reference what = {.type = job->type, .op = job->op, .form = job->form, .direction = job->direction};
    clscan_value initial = {.bits = 0};
    unsigned char *expected = malloc(job->count > 0 ? (size_t)job->count * size_bytes : 1);

    REQUIRE(expected != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no host memory to check %" PRIu64 " elements", job->count);
    if (job->initial != NULL)
        memcpy(&initial, job->initial, clscan_type_size_bytes(clscan_type_accumulator(job->type)));
    status = clscan_reference_scan(&what, job->in, job->count, job->initial != NULL ? &initial : NULL, expected, NULL);
    REQUIRE(status == CLSCAN_OK, status, "the serial reference: %s", clscan_status_message(status));
    TRY(compare(job, expected, compared, error));

cleanup:
    free(expected);
    return status;
}
