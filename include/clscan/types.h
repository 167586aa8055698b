/** \file types.h
 * What a scan is made of: element types, operators, form, direction, and their meaning.
 *
 * Semantics. With x[0 .. count-1] the input and `.` the operator:
 *  - forward inclusive: out[i] = init . x[0] . ... . x[i]
 *  - forward exclusive: out[i] = init . x[0] . ... . x[i-1]
 *  - reverse inclusive: out[i] = x[i] . ... . x[count-1] . init
 *  - reverse exclusive: out[i] = x[i+1] . ... . x[count-1] . init
 *
 * A reduction gives one value: init . x[0] . ... . x[count-1], in reverse x[0] . ... . x[count-1] . init. That is the
 * total of a scan.
 *
 * A selection combines nothing: it gives the elements that are kept, in their order (select.h). Operation repeat gives
 * each element as many times as a length says.
 *
 * The left operand always stands before the right one in memory, so the operator must be associative
 * but need not be commutative. Without an initial value `init .` disappears: the first output of an
 * inclusive scan (the last one in memory when reversed) is the input bit for bit, -0.0 and NaN payloads
 * included, and the first output of an exclusive scan is the operator's identity; an operator without
 * identity is then refused.
 *
 * Integers have the input's type and wrap around. min and max of floating-point numbers give the
 * leftmost NaN where an operand is a NaN, and the left operand where both compare equal (so for
 * min(+0.0, -0.0) it is +0.0). half elements are stored as 16 bits and combined as float; initial value
 * and total of a half scan are float (clscan_type_accumulator()). A NaN stays a NaN. Its sign and payload are not
 * specified where a sum or product computes it, nor beyond the first output of a half scan, whose elements are
 * converted; reproducible plans specify them (clscan_run()).
 *
 * A parallel scan groups operands as it likes: (a . b) . (c . d) where a serial loop computes ((a . b) . c) . d. For
 * floating-point numbers that changes last bits, and it changes what overflows: for the floats 0, 0.5, 1, ... 49.5 each
 * product from the left is 0, but a group that begins further right overflows to infinity, and 0 times infinity is NaN.
 * Sums of large numbers of both signs may overflow, too.
 */
#ifndef CLSCAN_TYPES_H
#define CLSCAN_TYPES_H

#include <stddef.h>
#include <stdint.h>

#include <clscan/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/*    name    text     bytes  OpenCL C type  accumulator */
/* clang-format off */
#define CLSCAN_TYPE_LIST(X)                      \
    X(INT8,   int8,    1,     char,          INT8)   \
    X(UINT8,  uint8,   1,     uchar,         UINT8)  \
    X(INT16,  int16,   2,     short,         INT16)  \
    X(UINT16, uint16,  2,     ushort,        UINT16) \
    X(INT32,  int32,   4,     int,           INT32)  \
    X(UINT32, uint32,  4,     uint,          UINT32) \
    X(INT64,  int64,   8,     long,          INT64)  \
    X(UINT64, uint64,  8,     ulong,         UINT64) \
    X(HALF,   half,    2,     half,          FLOAT)  \
    X(FLOAT,  float,   4,     float,         FLOAT)  \
    X(DOUBLE, double,  8,     double,        DOUBLE)
/* clang-format on */

/** Element type of input and output. */
typedef enum clscan_type {
#define X(name, text, bytes, cl_type, accumulator) CLSCAN_##name,
    CLSCAN_TYPE_LIST(X)
#undef X
        CLSCAN_TYPE_COUNT /**< number of types; not a type */
} clscan_type;

/*    name  text  meaning */
/* clang-format off */
#define CLSCAN_OPERATION_LIST(X)                                        \
    X(SCAN,   scan,   "each output combines all elements up to its own") \
    X(REDUCE, reduce, "one value combines all elements")                \
    X(SELECT, select, "elements that are kept, one after another")      \
    X(REPEAT, repeat, "each element as many times as its length says")
/* clang-format on */

/** What is computed of the elements. */
typedef enum clscan_operation {
#define X(name, text, meaning) CLSCAN_##name,
    CLSCAN_OPERATION_LIST(X)
#undef X
        CLSCAN_OPERATION_COUNT /**< number of operations; not an operation */
} clscan_operation;

/*    name    text     meaning */
/* clang-format off */
#define CLSCAN_OPERATOR_LIST(X)                                      \
    X(ADD,    add,    "sum; identity 0")                             \
    X(MUL,    mul,    "product; identity 1")                         \
    X(MIN,    min,    "smallest; identity the largest value")        \
    X(MAX,    max,    "largest; identity the smallest value")        \
    X(AND,    and,    "bitwise and, integers only; identity ~0")     \
    X(OR,     or,     "bitwise or, integers only; identity 0")       \
    X(XOR,    xor,    "bitwise exclusive or, integers only; identity 0") \
    X(CUSTOM, custom, "OpenCL C source from the caller")
/* clang-format on */

/** Operator of a scan. */
typedef enum clscan_operator {
#define X(name, text, meaning) CLSCAN_##name,
    CLSCAN_OPERATOR_LIST(X)
#undef X
        CLSCAN_OPERATOR_COUNT /**< number of operators; not an operator */
} clscan_operator;

/*    name     text      meaning */
/* clang-format off */
#define CLSCAN_OPERATOR_CLASS_LIST(X)                                                              \
    X(NATIVE,  native,  "add, min, max, and, or, xor on integers of up to 4 bytes")                \
    X(BUILTIN, builtin, "every other operator of clscan's own")                                    \
    X(CUSTOM,  custom,  "OpenCL C source from the caller")
/* clang-format on */

/** Operators that configs do not tell apart. Some devices reduce the native ones across a sub-group by one
 * instruction. */
typedef enum clscan_operator_class {
#define X(name, text, meaning) CLSCAN_OPERATOR_CLASS_##name,
    CLSCAN_OPERATOR_CLASS_LIST(X)
#undef X
        CLSCAN_OPERATOR_CLASS_COUNT /**< number of classes; not a class */
} clscan_operator_class;

/** Whether out[i] includes x[i]. */
typedef enum clscan_form { CLSCAN_INCLUSIVE, CLSCAN_EXCLUSIVE } clscan_form;

/** Which end the scan starts from. */
typedef enum clscan_direction { CLSCAN_FORWARD, CLSCAN_REVERSE } clscan_direction;

/** A caller's operator over the problem's element type (float for half; clscan_problem.element's where it is set).
 *
 * \code
 * .struct_size = sizeof(clscan_custom_operator),
 * .source   = "int keep_last(int left, int right) { return right != 0 ? right : left; }",
 * .function = "keep_last",
 * .identity = "0",
 * \endcode
 *
 * \p source is OpenCL C 1.2. It is compiled before everything else of clscan's, so names are free except
 * those that begin with `clscan` or `CLSCAN`; macros must be undefined at its end, since they would reach clscan's
 * kernels; compile errors carry its own line numbers, under the file
 * name "operator" where the compiler honours line directives. The strings are copied when the plan is created.
 *
 * \p lanewise lets CPUs combine 4 or 8 structs by each instruction (bodies/cached_abreast.cl), in three quarters to a
 * quarter of the time (docs/results/cpus.md). Other devices, and problems with maps or segments, leave it unused. It
 * says that the sources keep their meaning if vectors take the place of all numbers, such as `float8` of `float`, lane
 * by lane:
 * - the element's source declares one struct, whose tag, if it has one, is the type's name, and nothing else; the
 *   operator's declares \p function and nothing else;
 * - all members have the size of the struct's alignment, 4 or 8 bytes; types that both sources name are `int`, `uint`
 *   and `float` if that is 4, else `long`, `ulong` and `double`;
 * - of vectors, a comparison is -1 where it holds. So it stands in front of `?:`, whose two results have the types
 *   above, or is combined by `&`, `|` and `!`; there is no `&&`, `||`, `if`, nor a loop whose end depends on a value.
 *
 * \code
 * .source = "pair top(pair l, pair r)\n{\n    const int right = r.value > l.value;\n    pair s;\n"
 *           "    s.value = right ? r.value : l.value;\n    s.index = right ? r.index : l.index;\n    return s;\n}",
 * .function = "top",
 * .lanewise = 1,
 * \endcode
 */
typedef struct clscan_custom_operator {
    size_t struct_size;   /**< sizeof(clscan_custom_operator) */
    const char *source;   /**< OpenCL C source that defines \p function */
    const char *function; /**< name of a function `T f(T left, T right)`, associative */
    const char *identity; /**< constant expression v with f(v, x) == f(x, v) == x, or NULL: there is none */
    int lanewise;         /**< 1: \p source and the element's keep their meaning for vectors; 0: they may not */
    uint32_t reserved;    /**< 0 */
} clscan_custom_operator;

/** Parts of a reproducible scan begin at multiples of so many elements; see clscan_plan_state_bytes(). */
#define CLSCAN_REPRODUCIBLE_STEP 65536u

/** Name of a type as configs and tools write it, "int32"; "unknown" for other numbers. Static. */
CLSCAN_API const char *clscan_type_name(clscan_type type);
/** Bytes of one element; 0 for other numbers. */
CLSCAN_API size_t clscan_type_size_bytes(clscan_type type);
/** Type of initial value and total: float for half, else \p type itself. */
CLSCAN_API clscan_type clscan_type_accumulator(clscan_type type);
/** Type of that name. \return 1 and writes *\p type, or 0 if there is none (\p name may be NULL). */
CLSCAN_API int clscan_type_from_name(const char *name, clscan_type *type);
/** Name of an operator, "add"; "unknown" for other numbers. Static. */
CLSCAN_API const char *clscan_operator_name(clscan_operator op);
/** Operator of that name. \return 1 and writes *\p op, or 0 if there is none (\p name may be NULL). */
CLSCAN_API int clscan_operator_from_name(const char *name, clscan_operator *op);
/** Name of a class as configs write it, "builtin"; "unknown" for other numbers. Static. */
CLSCAN_API const char *clscan_operator_class_name(clscan_operator_class operator_class);
/** Class of that name. \return 1 and writes *\p operator_class, or 0 if there is none (\p name may be NULL). */
CLSCAN_API int clscan_operator_class_from_name(const char *name, clscan_operator_class *operator_class);

#ifdef __cplusplus
}
#endif
#endif
