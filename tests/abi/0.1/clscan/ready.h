/** \file ready.h
 * Ready-made elements with their operators: what is scanned often and is no single number.
 *
 * \code
 * clscan_element element = {sizeof element};
 * clscan_custom_operator then = {sizeof then};
 * clscan_ready_get(CLSCAN_READY_AFFINE_FLOAT, &element, &then);
 * clscan_problem problem = {
 *     sizeof problem, .element = &element, .op = CLSCAN_CUSTOM, .custom = &then, .max_count = 1000};
 * \endcode
 *
 * Each is a struct of the fields that the list names, in this order and with no padding, or a scalar; the host declares
 * the same. All have an identity. Sums and products of floating-point numbers are rounded as the grouping of a parallel
 * scan has it (types.h).
 *
 * In OpenCL C a struct has its name in the list, and its operator is a function of that name with `_join` behind it:
 * `affine_float` and `affine_float_join`. Maps may use both, as in `((arg_max_float){element, index})`. The caller's
 * sources must not declare these names.
 */
#ifndef CLSCAN_READY_H
#define CLSCAN_READY_H

#include <clscan/element.h>
#include <clscan/export.h>
#include <clscan/map.h>
#include <clscan/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* clang-format off */
/*    name                text                fields                      what left . right is */
#define CLSCAN_READY_LIST(X)                                                                                      \
    X(AFFINE_FLOAT,       affine_float,       "float a, b",               "map x -> a x + b, left's first")       \
    X(AFFINE_DOUBLE,      affine_double,      "double a, b",              "map x -> a x + b, left's first")       \
    X(COMPLEX_FLOAT,      complex_float,      "float re, im",             "product of complex numbers")           \
    X(COMPLEX_DOUBLE,     complex_double,     "double re, im",            "product of complex numbers")           \
    X(MIN_MAX_INT32,      min_max_int32,      "int least, greatest",      "least and greatest")                   \
    X(MIN_MAX_FLOAT,      min_max_float,      "float least, greatest",    "least and greatest, NaNs left out")    \
    X(MIN_MAX_DOUBLE,     min_max_double,     "double least, greatest",   "least and greatest, NaNs left out")    \
    X(ARG_MIN_FLOAT,      arg_min_float,      "float value; int index",   "smaller value, then smaller index")    \
    X(ARG_MAX_FLOAT,      arg_max_float,      "float value; int index",   "larger value, then smaller index")     \
    X(ARG_MIN_DOUBLE,     arg_min_double,     "double value; long index", "smaller value, then smaller index")    \
    X(ARG_MAX_DOUBLE,     arg_max_double,     "double value; long index", "larger value, then smaller index")     \
    X(MATRIX2_FLOAT,      matrix2_float,      "float a, b, c, d",         "product of the matrices (a b; c d)")   \
    X(MATRIX2_DOUBLE,     matrix2_double,     "double a, b, c, d",        "product of the matrices (a b; c d)")   \
    X(LOG_SUM_EXP_FLOAT,  log_sum_exp_float,  "float most, sum",          "sum of the numbers sum * exp(most)")   \
    X(LOG_SUM_EXP_DOUBLE, log_sum_exp_double, "double most, sum",         "sum of the numbers sum * exp(most)")   \
    X(QUATERNION_FLOAT,   quaternion_float,   "float w, x, y, z",         "Hamilton's product")                   \
    X(QUATERNION_DOUBLE,  quaternion_double,  "double w, x, y, z",        "Hamilton's product")                   \
    X(INT128,             int128,             "ulong low, high",          "sum modulo 2^128, signed or unsigned") \
    X(SATURATING_UINT8,   saturating_uint8,   "uchar",                    "sum, at most the largest value")       \
    X(SATURATING_UINT16,  saturating_uint16,  "ushort",                   "sum, at most the largest value")       \
    X(SATURATING_UINT32,  saturating_uint32,  "uint",                     "sum, at most the largest value")       \
    X(SATURATING_UINT64,  saturating_uint64,  "ulong",                    "sum, at most the largest value")         \
    X(COMPENSATED_FLOAT,  compensated_float,  "float sum, error",         "sum, and what its roundings lost")       \
    X(COMPENSATED_DOUBLE, compensated_double, "double sum, error",        "sum, and what its roundings lost")
/* clang-format on */

/** A ready-made element with its operator.
 *
 *  - `arg_min`, `arg_max`: a NaN is what every other value is preferred to. Give each element its own index.
 *  - `log_sum_exp`: of a number x, the element is {x, 1}; of a result, the logarithm is most + log(sum). No sum
 *    overflows that the logarithm does not.
 *  - `compensated`: sums with a second number that keeps what was rounded away, for clscan_problem.accumulator, with
 *    the maps of clscan_ready_maps(). Of n numbers x, with the unit roundoff u (2^-24 or 2^-53), the result sum + error
 *    differs from the exact sum s by at most u |s| + (n u)^2 (|x[0]| + ... + |x[n-1]|), however they are grouped, where
 *    n u is small and nothing overflows.
 *  - `saturating`: of unsigned integers, since saturating sums of signed ones are not associative: 127 + 1 - 1 of int8
 *    would be 126 or 127. */
typedef enum clscan_ready {
#define X(name, text, fields, meaning) CLSCAN_READY_##name,
    CLSCAN_READY_LIST(X)
#undef X
        CLSCAN_READY_COUNT /**< how many there are; none itself */
} clscan_ready;

/** Name of a ready-made element, "affine_float"; "unknown" for other numbers. Static. */
CLSCAN_API const char *clscan_ready_name(clscan_ready ready);

/** Ready-made element of that name. \return 1 and writes *\p ready, or 0 if there is none (\p name may be NULL). */
CLSCAN_API int clscan_ready_from_name(const char *name, clscan_ready *ready);

/** Describe a ready-made element and its operator, for clscan_problem.element and .custom with op CLSCAN_CUSTOM.
 *
 * \param ready    Which one.
 * \param element  Receives the element; its struct_size is set. Its strings are static.
 * \param custom   Receives the operator; its struct_size is set. Its strings are static.
 * \return 1; 0, and nothing is written, for other numbers, a NULL, or a struct_size that is not set. Pure;
 * thread-safe. */
CLSCAN_API int clscan_ready_get(clscan_ready ready, clscan_element *element, clscan_custom_operator *custom);

/** Describe the maps that lead from numbers to a ready-made accumulator and back, for clscan_problem.load and .store:
 * of `compensated` sums, and of `log_sum_exp`, from logarithms to the logarithm of their sum.
 *
 * \code
 * clscan_element compensated = {sizeof compensated}, number = {sizeof number, .type = CLSCAN_FLOAT};
 * clscan_custom_operator add = {sizeof add};
 * clscan_map load = {sizeof load}, store = {sizeof store};
 * clscan_ready_get(CLSCAN_READY_COMPENSATED_FLOAT, &compensated, &add);
 * clscan_ready_maps(CLSCAN_READY_COMPENSATED_FLOAT, &load, &store);
 * clscan_problem problem = {sizeof problem, .type = CLSCAN_FLOAT, .op = CLSCAN_CUSTOM, .custom = &add,
 *                           .accumulator = &compensated, .output = &number, .load = &load, .store = &store,
 *                           .max_count = 1000};
 * \endcode
 *
 * \param ready  Which one.
 * \param load   Receives the map on load; its struct_size is set. Its strings are static.
 * \param store  Receives the map on store; its struct_size is set. Its strings are static.
 * \return 1; 0, and nothing is written, for others, a NULL, or a struct_size that is not set. Pure; thread-safe. */
CLSCAN_API int clscan_ready_maps(clscan_ready ready, clscan_map *load, clscan_map *store);

#ifdef __cplusplus
}
#endif
#endif
