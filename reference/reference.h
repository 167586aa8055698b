/** \file reference.h
 * A serial scan on host memory that is right by inspection, for every problem clscan accepts.
 *
 * Shared by the tests, `clscan verify` and clscan-bench. It uses public headers only and
 * computes exactly what clscan/types.h says, bit for bit.
 */
#ifndef CLSCAN_REFERENCE_H
#define CLSCAN_REFERENCE_H

#include <stddef.h>
#include <stdint.h>

#include <clscan/clscan.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One value of an accumulator type (float for half). Bytes beyond the type's size are zero. */
typedef union clscan_value {
    int8_t int8;
    uint8_t uint8;
    int16_t int16;
    uint16_t uint16;
    int32_t int32;
    uint32_t uint32;
    int64_t int64;
    uint64_t uint64;
    float float32;
    double float64;
    uint64_t bits; /**< set to 0 before any other member is written */
} clscan_value;

/** Value of an element of \p type in memory, as the accumulator sees it. */
clscan_value clscan_value_load(clscan_type type, const void *element);

/** Write \p value as an element of \p type: rounds to nearest even for half. */
void clscan_value_store(clscan_type type, clscan_value value, void *element);

/** The value of a floating-point \p type as a double, which has room for it. */
double clscan_value_as_double(clscan_type type, clscan_value value);

/** A small number as a value of \p type's accumulator type; integers wrap. */
clscan_value clscan_value_from_int(clscan_type type, int64_t number);

/** "123 (0x7b)" for people; returns what snprintf does. \p value is of \p type's accumulator type.
 */
int clscan_value_format(clscan_type type, clscan_value value, char *text, size_t size_bytes);

/** The 32-bit float with the value of a half. Exact; NaN payloads keep their bits and become quiet.
 */
float clscan_half_to_float(uint16_t half);
/** The half nearest to \p value, ties to even. Overflows to infinity; NaNs stay NaNs. */
uint16_t clscan_half_from_float(float value);

/** A custom operator on the host: what its OpenCL C source does. `left` precedes `right` in memory.
 */
typedef clscan_value clscan_reference_combine(clscan_value left, clscan_value right);

/** What to compute. */
typedef struct clscan_reference {
    clscan_type type;
    clscan_operator op;
    clscan_form form;
    clscan_direction direction;
    clscan_reference_combine *combine; /**< with CLSCAN_CUSTOM, else NULL */
    const clscan_value *identity;      /**< with CLSCAN_CUSTOM, NULL if it has none; else NULL */
    int reproducible;                  /**< 1: operands are grouped as for clscan_problem.reproducible */
} clscan_reference;

struct clscan_sample_operator;

/** Of a problem between scalars of one type; \p sample is that of problem->custom, else NULL. */
clscan_reference clscan_reference_of(const clscan_problem *problem, const struct clscan_sample_operator *sample);

/** The operator as a function; NULL if there is none for the type. */
clscan_reference_combine *clscan_reference_operator(const clscan_reference *what);

/** 1 for half, float and double. */
int clscan_reference_is_floating(clscan_type type);

/** May two groupings of the operands give different bits? Integers, min and max have the same in each. */
int clscan_reference_depends_on_grouping(clscan_type type, clscan_operator op);

/** Identity of a reference's operator.
 * \return 1 and writes *\p identity, or 0 if there is none. */
int clscan_reference_identity(const clscan_reference *what, clscan_value *identity);

/** Scan \p count elements.
 *
 * \param in, out    Elements of what->type; the same memory is allowed.
 * \param initial    Of the accumulator type; NULL: none.
 * \param total      Receives initial . x[0] . ... . x[count-1] (reverse: initial at the right end);
 * may be NULL. \return CLSCAN_OK; CLSCAN_ERROR_NO_IDENTITY where clscan_run() would say so (nothing
 * is written); CLSCAN_ERROR_UNSUPPORTED_TYPE for a bitwise operator on floating-point elements;
 * CLSCAN_ERROR_OUT_OF_MEMORY. */
clscan_status clscan_reference_scan(const clscan_reference *what, const void *in, uint64_t count,
                                    const clscan_value *initial, void *out, clscan_value *total);

/** The part of clscan_reference_scan() for reproducible scans, of arguments that it has checked. */
clscan_status clscan_reference_scan_reproducible(const clscan_reference *what, const void *in, uint64_t count,
                                                 const clscan_value *initial, void *out, clscan_value *total);

/** Do two elements of \p type agree? Bit for bit, but any NaN equals any NaN where \p op computes (add and
 * mul of floating-point numbers: IEEE 754 leaves the payload of a sum open) and where elements are half
 * (OpenCL leaves open what conversions between half and float do to a payload). Reproducible scans leave nothing open:
 * compare their results by their bytes. */
int clscan_reference_same(clscan_type type, clscan_operator op, const void *expected, const void *got);

/** The same of two totals of scans of elements of \p type, which are of its accumulator type. */
int clscan_reference_same_total(clscan_type type, clscan_operator op, const void *expected, const void *got);

/* clang-format off */
/** Custom operators that the tests and `clscan verify` use. */
#define CLSCAN_SAMPLE_OPERATOR_LIST(X)                                                             \
    X(KEEP_LAST, keep_last, "right != 0 ? right : left: not commutative; identity 0")              \
    X(TAKE_LEFT, take_left, "left: not commutative; no identity")                                  \
    X(AFFINE,    affine,    "composition of x -> a x + b, packed: not commutative, identity 1")
/* clang-format on */

typedef enum clscan_sample {
#define X(name, text, meaning) CLSCAN_SAMPLE_##name,
    CLSCAN_SAMPLE_OPERATOR_LIST(X)
#undef X
        CLSCAN_SAMPLE_COUNT
} clscan_sample;

/** A custom operator with its twin on the host. */
typedef struct clscan_sample_operator {
    clscan_custom_operator custom;     /**< for clscan_problem.custom; static strings */
    clscan_reference_combine *combine; /**< the same in C */
    const clscan_value *identity;      /**< of custom.identity; NULL: none */
} clscan_sample_operator;

/** The sample operator for \p type, static; NULL if it does not exist for that type.
 *
 * KEEP_LAST wants CLSCAN_GENERATE_MOSTLY_ZERO. AFFINE exists for unsigned integers of 16 bits and
 * more: a in the low half of a word, b in the high half; with CLSCAN_GENERATE_FACTORS (a odd) every
 * element changes every later output. */
const clscan_sample_operator *clscan_sample_find(clscan_sample sample, clscan_type type);

#ifdef __cplusplus
}
#endif
#endif
