#include "serial_types.h"

#include <string.h>

#define AS_IT_IS(x) (x)
#define SQUARE(x) ((x) * (x))
#define HALF(x) ((x) / 2)

/* Sums of S in arithmetic of W, which is unsigned for integers so that they wrap. The element is read before the output
 * is written, which may be the same place. */
#define DEFINE_MAPPED(name, T, S, W, O, LOAD, STORE)                                             \
    static void name(const void *in, void *out, uint64_t count, bool exclusive, bool with_total) \
    {                                                                                            \
        const T *x = in;                                                                         \
        O *y = out;                                                                              \
        S sum = 0;                                                                               \
                                                                                                 \
        if (exclusive) {                                                                         \
            for (uint64_t i = 0; i < count; ++i) {                                               \
                const T next = x[i];                                                             \
                y[i] = (O)STORE(sum);                                                            \
                sum = (S)((W)sum + (W)(S)LOAD(next));                                            \
            }                                                                                    \
        } else {                                                                                 \
            for (uint64_t i = 0; i < count; ++i) {                                               \
                sum = (S)((W)sum + (W)(S)LOAD(x[i]));                                            \
                y[i] = (O)STORE(sum);                                                            \
            }                                                                                    \
        }                                                                                        \
        if (with_total)                                                                          \
            y[count] = (O)sum;                                                                   \
    }

#define DEFINE(name, T, S, W, O) DEFINE_MAPPED(name, T, S, W, O, AS_IT_IS, AS_IT_IS)

/* Outputs are sums, or as wide as elements. */
#define DEFINE_BOTH(in, T, sum, S, W) \
    DEFINE(in##_to_##sum, T, S, W, S) \
    DEFINE(in##_by_##sum, T, S, W, T)
#define DEFINE_ALL(in, T)                          \
    DEFINE_BOTH(in, T, int32, int32_t, uint32_t)   \
    DEFINE_BOTH(in, T, uint32, uint32_t, uint32_t) \
    DEFINE_BOTH(in, T, int64, int64_t, uint64_t)   \
    DEFINE_BOTH(in, T, uint64, uint64_t, uint64_t) \
    DEFINE_BOTH(in, T, float, float, float)        \
    DEFINE_BOTH(in, T, double, double, double)
#define DEFINE_REALS(in, T)                 \
    DEFINE_BOTH(in, T, float, float, float) \
    DEFINE_BOTH(in, T, double, double, double)

DEFINE_ALL(int8, int8_t)
DEFINE_ALL(uint8, uint8_t)
DEFINE_ALL(int16, int16_t)
DEFINE_ALL(uint16, uint16_t)
DEFINE_ALL(int32, int32_t)
DEFINE_ALL(uint32, uint32_t)
DEFINE_ALL(int64, int64_t)
DEFINE_ALL(uint64, uint64_t)
DEFINE_REALS(float, float)
DEFINE_REALS(double, double)

#define REALS(in, way) [CLSCAN_FLOAT] = in##_##way##_float, [CLSCAN_DOUBLE] = in##_##way##_double
#define ALL(in, way)                                                                                                 \
    [CLSCAN_INT32] = in##_##way##_int32, [CLSCAN_UINT32] = in##_##way##_uint32, [CLSCAN_INT64] = in##_##way##_int64, \
    [CLSCAN_UINT64] = in##_##way##_uint64, REALS(in, way)
#define TABLE(way)                                                                                                \
    {                                                                                                             \
        [CLSCAN_INT8] = {ALL(int8, way)}, [CLSCAN_UINT8] = {ALL(uint8, way)}, [CLSCAN_INT16] = {ALL(int16, way)}, \
        [CLSCAN_UINT16] = {ALL(uint16, way)}, [CLSCAN_INT32] = {ALL(int32, way)},                                 \
        [CLSCAN_UINT32] = {ALL(uint32, way)}, [CLSCAN_INT64] = {ALL(int64, way)},                                 \
        [CLSCAN_UINT64] = {ALL(uint64, way)}, [CLSCAN_FLOAT] = {REALS(float, way)},                               \
        [CLSCAN_DOUBLE] = {REALS(double, way)},                                                                   \
    }

/* The expressions of the suite. */
DEFINE_MAPPED(int32_squares, int32_t, int32_t, uint32_t, int32_t, SQUARE, AS_IT_IS)
DEFINE_MAPPED(float_squares, float, float, float, float, SQUARE, AS_IT_IS)
DEFINE_MAPPED(int32_halves, int32_t, int32_t, uint32_t, int32_t, AS_IT_IS, HALF)
DEFINE_MAPPED(float_halves, float, float, float, float, AS_IT_IS, HALF)

static const struct {
    clscan_type type; /* of elements, sums and outputs */
    const char *load, *store;
    bench_serial_sums *sums;
} mapped[] = {
    {CLSCAN_INT32, "element * element", "", int32_squares},
    {CLSCAN_FLOAT, "element * element", "", float_squares},
    {CLSCAN_INT32, "", "sum / 2", int32_halves},
    {CLSCAN_FLOAT, "", "sum / 2", float_halves},
};

static bench_serial_sums *find_mapped(const measure_problem *problem)
{
    for (size_t i = 0; i < sizeof mapped / sizeof mapped[0]; ++i) {
        if (problem->type == mapped[i].type && measure_sum_type(problem) == mapped[i].type &&
            measure_output_type(problem) == mapped[i].type && strcmp(measure_load_text(problem), mapped[i].load) == 0 &&
            strcmp(measure_store_text(problem), mapped[i].store) == 0)
            return mapped[i].sums;
    }
    return NULL;
}

/* By the types of elements and sums. */
static bench_serial_sums *const to_sums[CLSCAN_TYPE_COUNT][CLSCAN_TYPE_COUNT] = TABLE(to);
static bench_serial_sums *const to_elements[CLSCAN_TYPE_COUNT][CLSCAN_TYPE_COUNT] = TABLE(by);

bench_serial_sums *bench_serial_types_find(const measure_problem *problem, measure_note *note)
{
    const measure_maps *maps = problem->maps;
    const clscan_type sum = measure_sum_type(problem), out = measure_output_type(problem);
    bench_serial_sums *found = NULL;

    if (problem->op != CLSCAN_ADD || problem->direction != CLSCAN_FORWARD || problem->reduces)
        measure_fail(note, "has loops over several types for forward sums");
    else if (maps->load.struct_size != 0 || maps->store.struct_size != 0)
        found = find_mapped(problem);
    else if (out == sum)
        found = to_sums[problem->type][sum];
    else if (out == problem->type)
        found = to_elements[problem->type][sum];
    if (found == NULL && note->text[0] == '\0')
        measure_fail(note, "has no loop for these types or expressions");
    return found;
}
