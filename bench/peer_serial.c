/* The loop that a C programmer writes first. */
#include <math.h>

#include "peers.h"
#include "serial_parts.h"
#include "serial_types.h"

typedef struct loop_form {
    bool exclusive;
    bool reverse;
    bool reduce;
} loop_form;

typedef void loop(const void *in, void *out, uint64_t count, loop_form form);

/* Inclusive sums of `columns` columns, of `count` elements each. */
typedef void column_loop(const void *in, void *out, uint64_t count, uint64_t columns);

typedef struct loop_pair {
    loop *of_rows;
    column_loop *of_columns;
} loop_pair;

/* In unsigned arithmetic at least as wide as int, since signed sums must wrap; W is that type. */
#define ADD(T, W, a, b) ((T)((W)(a) + (W)(b)))
#define MUL(T, W, a, b) ((T)((W)(a) * (W)(b)))
#define MIN(T, W, a, b) ((b) < (a) ? (b) : (a))
#define MAX(T, W, a, b) ((b) > (a) ? (b) : (a))
#define AND(T, W, a, b) ((T)((W)(a) & (W)(b)))
#define OR(T, W, a, b) ((T)((W)(a) | (W)(b)))
#define XOR(T, W, a, b) ((T)((W)(a) ^ (W)(b)))

#define DEFINE_LOOP(name, T, W, OP, identity)                                                  \
    static void name(const void *in, void *out, uint64_t count, loop_form form)                \
    {                                                                                          \
        const T *x = in;                                                                       \
        T *y = out;                                                                            \
        T sum = (identity);                                                                    \
                                                                                               \
        if (form.reduce) {                                                                     \
            for (uint64_t i = 0; i < count; ++i)                                               \
                sum = OP(T, W, sum, x[i]);                                                     \
            y[0] = sum;                                                                        \
        } else if (!form.reverse && !form.exclusive) {                                         \
            for (uint64_t i = 0; i < count; ++i)                                               \
                y[i] = sum = OP(T, W, sum, x[i]);                                              \
        } else if (!form.reverse) {                                                            \
            for (uint64_t i = 0; i < count; ++i) {                                             \
                const T next = x[i]; /* before y[i], which may be the same place */            \
                y[i] = sum;                                                                    \
                sum = OP(T, W, sum, next);                                                     \
            }                                                                                  \
        } else if (!form.exclusive) {                                                          \
            for (uint64_t i = count; i-- > 0;)                                                 \
                y[i] = sum = OP(T, W, x[i], sum);                                              \
        } else {                                                                               \
            for (uint64_t i = count; i-- > 0;) {                                               \
                const T next = x[i];                                                           \
                y[i] = sum;                                                                    \
                sum = OP(T, W, next, sum);                                                     \
            }                                                                                  \
        }                                                                                      \
    }                                                                                          \
    static void name##_of_columns(const void *in, void *out, uint64_t count, uint64_t columns) \
    {                                                                                          \
        const T *x = in;                                                                       \
        T *y = out;                                                                            \
                                                                                               \
        for (uint64_t j = 0; j < columns; ++j)                                                 \
            y[j] = x[j];                                                                       \
        for (uint64_t i = columns; i < count * columns; ++i)                                   \
            y[i] = OP(T, W, y[i - columns], x[i]);                                             \
    }

#define DEFINE_INTEGER(text, T, W, smallest, largest) \
    DEFINE_LOOP(text##_add, T, W, ADD, 0)             \
    DEFINE_LOOP(text##_mul, T, W, MUL, 1)             \
    DEFINE_LOOP(text##_min, T, W, MIN, largest)       \
    DEFINE_LOOP(text##_max, T, W, MAX, smallest)      \
    DEFINE_LOOP(text##_and, T, W, AND, (T) ~(W)0)     \
    DEFINE_LOOP(text##_or, T, W, OR, 0)               \
    DEFINE_LOOP(text##_xor, T, W, XOR, 0)
#define DEFINE_FLOATING(text, T)                    \
    DEFINE_LOOP(text##_add, T, T, ADD, 0)           \
    DEFINE_LOOP(text##_mul, T, T, MUL, 1)           \
    DEFINE_LOOP(text##_min, T, T, MIN, (T)INFINITY) \
    DEFINE_LOOP(text##_max, T, T, MAX, (T)-INFINITY)

DEFINE_INTEGER(int8, int8_t, uint32_t, INT8_MIN, INT8_MAX)
DEFINE_INTEGER(uint8, uint8_t, uint32_t, 0, UINT8_MAX)
DEFINE_INTEGER(int16, int16_t, uint32_t, INT16_MIN, INT16_MAX)
DEFINE_INTEGER(uint16, uint16_t, uint32_t, 0, UINT16_MAX)
DEFINE_INTEGER(int32, int32_t, uint32_t, INT32_MIN, INT32_MAX)
DEFINE_INTEGER(uint32, uint32_t, uint32_t, 0, UINT32_MAX)
DEFINE_INTEGER(int64, int64_t, uint64_t, INT64_MIN, INT64_MAX)
DEFINE_INTEGER(uint64, uint64_t, uint64_t, 0, UINT64_MAX)
DEFINE_FLOATING(float, float)
DEFINE_FLOATING(double, double)

#define PAIR(name)              \
    {                           \
        name, name##_of_columns \
    }
#define ARITHMETIC(text)                                                                               \
    [CLSCAN_ADD] = PAIR(text##_add), [CLSCAN_MUL] = PAIR(text##_mul), [CLSCAN_MIN] = PAIR(text##_min), \
    [CLSCAN_MAX] = PAIR(text##_max)
#define BITWISE(text) [CLSCAN_AND] = PAIR(text##_and), [CLSCAN_OR] = PAIR(text##_or), [CLSCAN_XOR] = PAIR(text##_xor)

/* half has no arithmetic in C. */
static const loop_pair loops[CLSCAN_TYPE_COUNT][CLSCAN_OPERATOR_COUNT] = {
    [CLSCAN_INT8] = {ARITHMETIC(int8), BITWISE(int8)},
    [CLSCAN_UINT8] = {ARITHMETIC(uint8), BITWISE(uint8)},
    [CLSCAN_INT16] = {ARITHMETIC(int16), BITWISE(int16)},
    [CLSCAN_UINT16] = {ARITHMETIC(uint16), BITWISE(uint16)},
    [CLSCAN_INT32] = {ARITHMETIC(int32), BITWISE(int32)},
    [CLSCAN_UINT32] = {ARITHMETIC(uint32), BITWISE(uint32)},
    [CLSCAN_INT64] = {ARITHMETIC(int64), BITWISE(int64)},
    [CLSCAN_UINT64] = {ARITHMETIC(uint64), BITWISE(uint64)},
    [CLSCAN_FLOAT] = {ARITHMETIC(float)},
    [CLSCAN_DOUBLE] = {ARITHMETIC(double)},
};

static measure_outcome serial_prepare(measure_contender *contender, const measure_case *c)
{
    const measure_problem *problem = &c->problem;

    if (c->device->threads == NULL)
        measure_fail(&contender->note, "runs on the host, and the device is none");
    else if (problem->maps != NULL && measure_has_columns(problem))
        measure_fail(&contender->note, "has no loop for offsets of columns");
    else if (problem->maps != NULL)
        return bench_serial_types_find(problem, &contender->note) != NULL ? MEASURE_OK : MEASURE_UNAVAILABLE;
    else if (problem->selects || problem->segment_length > 0)
        return bench_serial_parts_prepare(contender, c);
    else if (loops[problem->type][problem->op].of_rows == NULL)
        measure_fail(&contender->note, "has no loop for this type and operator");
    else
        return MEASURE_OK;
    return MEASURE_UNAVAILABLE;
}

/* The tensors that are measured have inclusive forward scans. */
static void run_columns(const measure_problem *problem, const char *in, char *out)
{
    const clscan_rows *rows = &problem->rows;
    const uint64_t length = rows->extents[rows->axis];
    uint64_t matrices = 1, bytes;

    for (uint32_t i = 0; i < rows->axis; ++i)
        matrices *= rows->extents[i];
    bytes = problem->bytes / matrices;
    for (uint64_t at = 0; at < problem->bytes; at += bytes)
        loops[problem->type][problem->op].of_columns(in + at, out + at, length, rows->count / matrices);
}

/* Rows have offsets, which are one more than their elements. */
static void run_mapped(const measure_problem *problem, bench_serial_sums *sums, const char *in, char *out)
{
    const uint64_t count = measure_scan_count(problem), rows = problem->count / count;
    const uint64_t bytes = count * measure_element_bytes(problem);
    const uint64_t out_bytes = (count + 1) * measure_output_element_bytes(problem);

    for (uint64_t row = 0; row < rows; ++row)
        sums(in + row * bytes, out + row * out_bytes, count, problem->form == CLSCAN_EXCLUSIVE, problem->maps->offsets);
}

static bool serial_run(measure_contender *contender, const measure_case *c, const void *in, void *out)
{
    const measure_problem *problem = &c->problem;
    const loop_form form = {.exclusive = problem->form == CLSCAN_EXCLUSIVE,
                            .reverse = problem->direction == CLSCAN_REVERSE,
                            .reduce = problem->reduces};

    const uint64_t count = measure_scan_count(problem);
    const size_t size = clscan_type_size_bytes(problem->type);
    const uint64_t step = measure_pitch(problem) * size, bytes = measure_input_span_bytes(problem);
    char *to = out;

    if (problem->maps != NULL) {
        run_mapped(problem, bench_serial_types_find(problem, &contender->note), in, out);
        return true;
    }
    if (contender->state != NULL) {
        bench_serial_parts_run(contender, problem, in, out);
        return true;
    }
    if (measure_has_columns(problem)) {
        run_columns(problem, in, out);
        return true;
    }
    for (uint64_t at = 0; at < bytes; at += step, to += form.reduce ? size : step)
        loops[problem->type][problem->op].of_rows((const char *)in + at, to, count, form);
    return true;
}

const measure_kind bench_peer_serial = {.name = "serial",
                                        .scans = true,
                                        .rows = true,
                                        .columns = true,
                                        .reduces = true,
                                        .segments = true,
                                        .selects = true,
                                        .maps = true,
                                        .on_host = true,
                                        .prepare = serial_prepare,
                                        .run = serial_run,
                                        .release = bench_serial_parts_release};
