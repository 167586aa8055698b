/* Ready-made elements against serial references. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "live.h"
#include "random.h"
#include "ready.h"

enum { COUNT = 5000, MOST_FIELDS = CLSCAN_READY_MOST_FIELDS };

/* Small enough that compiling is most of the time, large enough for several tiles. */
static const clscan_variant variant = {.body = CLSCAN_BODY_CACHED_ROWS,
                                       .group_scan = CLSCAN_GROUP_SCAN_BRENT_KUNG,
                                       .carry = CLSCAN_CARRY_SINGLE,
                                       .order = CLSCAN_ORDER_NONE,
                                       .work_group_size = 1,
                                       .vector_length = 1,
                                       .cached_pieces = 64,
                                       .interleaved_rows = 2};

/* Fields as the reference has them (ready.h). */
typedef void fill_reals(double *element, size_t i, double random);

static void fill_affine(double *element, size_t i, double random)
{
    element[0] = i % 7 == 0 ? -0.5 : 0.875;
    element[1] = random;
}

/* Of length 1, so that products neither grow nor vanish. */
static void fill_complex(double *element, size_t i, double random)
{
    (void)i;
    element[0] = cos(random);
    element[1] = sin(random);
}

static void fill_min_max(double *element, size_t i, double random)
{
    element[0] = floor(1000 * random - (double)i);
    element[1] = floor(1000 * random + (double)i);
}

/* Of few values, so that many are equal; the first are NaN. */
static void fill_arg(double *element, size_t i, double random)
{
    element[0] = i < 3 || i % 100 == 0 ? NAN : floor(8 * random);
    element[1] = (double)i;
}

/* Rotations do not commute with mirrors. */
static void fill_matrix2(double *element, size_t i, double random)
{
    const double mirror = i % 5 == 0 ? -1 : 1;

    element[0] = cos(random);
    element[1] = -sin(random) * mirror;
    element[2] = sin(random);
    element[3] = cos(random) * mirror;
}

/* Far from what exp() can take, which ascends with the index; the first are logarithms of 0. */
static void fill_log_sum_exp(double *element, size_t i, double random)
{
    element[0] = i < 3 ? -INFINITY : 1000 * floor((double)i / 1000) + floor(4 * random);
    element[1] = 1;
}

static void fill_quaternion(double *element, size_t i, double random)
{
    const double length = sqrt(1 + random * random + (double)(i % 3) * (double)(i % 3));

    element[0] = 1 / length;
    element[1] = random / length;
    element[2] = (double)(i % 3) / length;
    element[3] = 0;
}

static const struct sample {
    clscan_ready ready;
    fill_reals *fill;
    bool exact;
} samples[] = {
    {CLSCAN_READY_AFFINE_FLOAT, fill_affine, false},
    {CLSCAN_READY_AFFINE_DOUBLE, fill_affine, false},
    {CLSCAN_READY_COMPLEX_FLOAT, fill_complex, false},
    {CLSCAN_READY_COMPLEX_DOUBLE, fill_complex, false},
    {CLSCAN_READY_MIN_MAX_INT32, fill_min_max, true},
    {CLSCAN_READY_MIN_MAX_FLOAT, fill_min_max, true},
    {CLSCAN_READY_MIN_MAX_DOUBLE, fill_min_max, true},
    {CLSCAN_READY_ARG_MIN_FLOAT, fill_arg, true},
    {CLSCAN_READY_ARG_MAX_FLOAT, fill_arg, true},
    {CLSCAN_READY_ARG_MIN_DOUBLE, fill_arg, true},
    {CLSCAN_READY_ARG_MAX_DOUBLE, fill_arg, true},
    {CLSCAN_READY_MATRIX2_FLOAT, fill_matrix2, false},
    {CLSCAN_READY_MATRIX2_DOUBLE, fill_matrix2, false},
    {CLSCAN_READY_LOG_SUM_EXP_FLOAT, fill_log_sum_exp, false},
    {CLSCAN_READY_LOG_SUM_EXP_DOUBLE, fill_log_sum_exp, false},
    {CLSCAN_READY_QUATERNION_FLOAT, fill_quaternion, false},
    {CLSCAN_READY_QUATERNION_DOUBLE, fill_quaternion, false},
};

/* The exclusive scan of `data`, in place: so the identity shows too. */
static void scan(const test_live *live, clscan_ready ready, unsigned char *data, size_t element_bytes)
{
    clscan_element element = {.struct_size = sizeof element};
    clscan_custom_operator join = {.struct_size = sizeof join};
    const clscan_problem problem = {.struct_size = sizeof problem,
                                    .element = &element,
                                    .op = CLSCAN_CUSTOM,
                                    .form = CLSCAN_EXCLUSIVE,
                                    .custom = &join,
                                    .max_count = COUNT};
    const clscan_plan_options options = {.struct_size = sizeof options, .variant = &variant};
    clscan_plan *plan = NULL;
    clscan_workspace *workspace = NULL;
    clscan_error error = {0};
    clscan_run_args args = {.struct_size = sizeof args, .count = COUNT};

    assert_true(clscan_ready_get(ready, &element, &join));
    assert_int_equal(clscan_element_size_bytes(&element), element_bytes);
    test_plan_create(live, &problem, &options, &plan, &workspace);
    args.in.buffer = args.out.buffer = test_buffer(live, CL_MEM_READ_WRITE, COUNT * element_bytes, data);
    assert_status(CLSCAN_OK, clscan_run(plan, workspace, live->queue, &args, 0, NULL, NULL, &error), &error);
    test_read(live, args.in.buffer, COUNT * element_bytes, data);
    clReleaseMemObject(args.in.buffer);
    clscan_workspace_destroy(workspace);
    clscan_plan_destroy(plan);
}

static bool is_close(double got, double expected, double tolerance)
{
    return (isnan(got) && isnan(expected)) || got == expected ||
           fabs(got - expected) <= tolerance * (1 + fabs(expected));
}

static unsigned check_reals(const test_live *live, const struct sample *sample)
{
    const clscan_ready_reals *of = clscan_ready_reals_of(sample->ready);
    const bool wide = of->fields[0] == 'd';
    const double tolerance = sample->exact ? 0 : wide ? 1e-9 : 2e-3;
    unsigned char *data;
    double sum[MOST_FIELDS] = {0}, next[MOST_FIELDS] = {0}, got[MOST_FIELDS] = {0}, *all;
    const size_t bytes = clscan_ready_bytes(of), fields = strlen(of->fields);
    uint32_t seed = 1;

    if (wide && !live->info.has_double)
        return 0;
    data = malloc(COUNT * bytes);
    all = calloc(COUNT * MOST_FIELDS, sizeof *all);
    assert_true(data != NULL && all != NULL);
    for (size_t i = 0; i < COUNT; ++i) {
        sample->fill(next, i, (double)(next_random(&seed) >> 8) / (1 << 24));
        clscan_ready_store(of, data + i * bytes, next);
        clscan_ready_load(of, data + i * bytes, all + MOST_FIELDS * i); /* as it was rounded */
    }
    scan(live, sample->ready, data, bytes);
    for (size_t i = 1; i < COUNT; ++i) {
        if (i == 1)
            memcpy(sum, all, sizeof sum);
        else
            of->combine(sum, all + MOST_FIELDS * (i - 1), next), memcpy(sum, next, sizeof sum);
        clscan_ready_load(of, data + i * bytes, got);
        for (size_t k = 0; k < fields; ++k)
            if (!is_close(got[k], sum[k], tolerance)) {
                print_error("%s: field %zu of %zu is %.17g, not %.17g\n", clscan_ready_name(sample->ready), k, i,
                            got[k], sum[k]);
                free(data);
                free(all);
                return 1;
            }
    }
    free(data);
    free(all);
    return 0;
}

static void real_numbers(void **state)
{
    unsigned failures = 0;

    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; ++i)
        failures += check_reals(*state, &samples[i]);
    assert_int_equal(failures, 0);
}

static void integers_of_128_bits(void **state)
{
    uint64_t *data = malloc(COUNT * 16), *in = malloc(COUNT * 16), low = 0, high = 0;

    assert_true(data != NULL && in != NULL);
    for (size_t i = 0; i < 2 * COUNT; ++i)
        data[i] = in[i] = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    scan(*state, CLSCAN_READY_INT128, (unsigned char *)data, 16);
    for (size_t i = 0; i < COUNT; ++i) {
        assert_true(data[2 * i] == low && data[2 * i + 1] == high);
        low += in[2 * i];
        high += in[2 * i + 1] + (low < in[2 * i]);
    }
    free(data);
    free(in);
}

/* The sums reach their largest value in the middle, and stay there. */
static void saturating_sums(void **state)
{
    for (unsigned log_bytes = 0; log_bytes < 4; ++log_bytes) {
        const size_t bytes = (size_t)1 << log_bytes;
        const uint64_t most = UINT64_MAX >> (64 - 8 * bytes), step = most / (COUNT / 2) + 1;
        unsigned char *data = malloc(COUNT * bytes);
        uint64_t sum = 0;

        if (bytes == 1 && !test_type_runs(*state, CLSCAN_UINT8)) {
            free(data);
            continue;
        }
        assert_non_null(data);
        for (size_t i = 0; i < COUNT; ++i)
            for (size_t byte = 0; byte < bytes; ++byte)
                data[i * bytes + byte] = (unsigned char)(step >> 8 * byte);
        scan(*state, (clscan_ready)((unsigned)CLSCAN_READY_SATURATING_UINT8 + log_bytes), data, bytes);
        for (size_t i = 0; i < COUNT; ++i) {
            uint64_t got = 0;

            for (size_t byte = bytes; byte-- > 0;)
                got = got << 8 | data[i * bytes + byte];
            assert_true(got == sum);
            sum = sum > most - step ? most : sum + step;
        }
        assert_true(sum == most);
        free(data);
    }
}

/* Scan floats by a ready-made accumulator between its maps, or without one; inclusive. */
static void scan_numbers(const test_live *live, clscan_ready ready, const float *in, float *out)
{
    static const clscan_element number = {.struct_size = sizeof number, .type = CLSCAN_FLOAT};
    clscan_element accumulator = {.struct_size = sizeof accumulator};
    clscan_custom_operator join = {.struct_size = sizeof join};
    clscan_map load = {.struct_size = sizeof load}, store = {.struct_size = sizeof store};
    clscan_problem problem = {.struct_size = sizeof problem, .type = CLSCAN_FLOAT, .max_count = COUNT};
    clscan_run_args args = {.struct_size = sizeof args, .count = COUNT};
    clscan_plan *plan = NULL;
    clscan_workspace *workspace = NULL;
    clscan_error error = {0};

    if (ready != CLSCAN_READY_COUNT) {
        assert_true(clscan_ready_get(ready, &accumulator, &join));
        assert_true(clscan_ready_maps(ready, &load, &store));
        problem.accumulator = &accumulator;
        problem.output = &number;
        problem.op = CLSCAN_CUSTOM;
        problem.custom = &join;
        problem.load = &load;
        problem.store = &store;
    }
    test_plan_create(live, &problem, NULL, &plan, &workspace);
    args.in.buffer = args.out.buffer = test_buffer(live, CL_MEM_READ_WRITE, COUNT * sizeof *in, in);
    assert_status(CLSCAN_OK, clscan_run(plan, workspace, live->queue, &args, 0, NULL, NULL, &error), &error);
    test_read(live, args.in.buffer, COUNT * sizeof *out, out);
    clReleaseMemObject(args.in.buffer);
    clscan_workspace_destroy(workspace);
    clscan_plan_destroy(plan);
}

enum { TERMS = 300 };

/* Outputs that are further from the exact sum than the header says of so many terms; zeros add no error. */
static unsigned beyond_bound(const float *in, const float *got)
{
    const double unit = ldexp(1, -24), grown = TERMS * unit * TERMS * unit;
    double sum = 0, magnitudes = 0;
    unsigned count = 0;

    for (size_t i = 0; i < COUNT; ++i) {
        sum += (double)in[i]; /* exact in all but the last bits of a double */
        magnitudes += fabs((double)in[i]);
        count += !(fabs((double)got[i] - sum) <= unit * fabs(sum) * (1 + 1e-6) + grown * magnitudes);
    }
    return count;
}

/* Small numbers between two large ones that cancel: sums of floats lose them, in whatever order. There are so few of
 * them that the bound is far below what is lost. */
static void compensated_sums_keep_their_bound(void **state)
{
    const test_live *live = *state;
    float *in = calloc(COUNT, sizeof *in), *out = calloc(COUNT, sizeof *out);

    assert_true(in != NULL && out != NULL);
    for (size_t i = 0; i < TERMS; ++i)
        in[i] = 0.1f + 0.001f * (float)(i % 13);
    in[10] = 3e7f;
    in[200] = -3e7f;
    scan_numbers(live, CLSCAN_READY_COMPENSATED_FLOAT, in, out);
    assert_int_equal(beyond_bound(in, out), 0);
    scan_numbers(live, CLSCAN_READY_COUNT, in, out);
    assert_int_not_equal(beyond_bound(in, out), 0);
    in[100] = INFINITY;
    scan_numbers(live, CLSCAN_READY_COMPENSATED_FLOAT, in, out);
    assert_true(isfinite(out[99]) && isinf(out[100]) && isinf(out[COUNT - 1]));
    free(in);
    free(out);
}

static void logarithms_of_sums(void **state)
{
    const test_live *live = *state;
    float *in = calloc(COUNT, sizeof *in), *out = calloc(COUNT, sizeof *out);
    double most = -INFINITY, sum = 0;

    assert_true(in != NULL && out != NULL);
    for (size_t i = 0; i < COUNT; ++i)
        in[i] = (float)(i / 1000 * 200 + i % 4);
    scan_numbers(live, CLSCAN_READY_LOG_SUM_EXP_FLOAT, in, out);
    for (size_t i = 0; i < COUNT; ++i) {
        const double x = (double)in[i];

        sum = x > most ? sum * exp(most - x) + 1 : sum + exp(x - most);
        most = fmax(x, most);
        assert_true(fabs((double)out[i] - (most + log(sum))) < 1e-3);
    }
    free(in);
    free(out);
}

/* Where the largest number was, among the first ones: the map declares a function `join` of its own. */
static void maps_use_the_names_in_opencl_c(void **state)
{
    static const clscan_element index = {.struct_size = sizeof index, .type = CLSCAN_INT32};
    static const clscan_map load = {.struct_size = sizeof load,
                                    .expression = "join(element, index)",
                                    .source = "arg_max_float join(float value, ulong index)\n"
                                              "{\n    return (arg_max_float){value, (int)index};\n}"},
                            store = {.struct_size = sizeof store, .expression = "arg_max_float_join(sum, sum).index"};
    const test_live *live = *state;
    clscan_element accumulator = {.struct_size = sizeof accumulator};
    clscan_custom_operator join = {.struct_size = sizeof join};
    const clscan_problem problem = {.struct_size = sizeof problem,
                                    .type = CLSCAN_FLOAT,
                                    .op = CLSCAN_CUSTOM,
                                    .custom = &join,
                                    .accumulator = &accumulator,
                                    .output = &index,
                                    .load = &load,
                                    .store = &store,
                                    .max_count = COUNT};
    clscan_run_args args = {.struct_size = sizeof args, .count = COUNT};
    float *in = calloc(COUNT, sizeof *in);
    int32_t *out = calloc(COUNT, sizeof *out), largest = 0;
    clscan_plan *plan = NULL;
    clscan_workspace *workspace = NULL;
    clscan_error error = {0};

    assert_true(in != NULL && out != NULL);
    for (size_t i = 0; i < COUNT; ++i)
        in[i] = (float)(i * 7919 % 1009);
    assert_true(clscan_ready_get(CLSCAN_READY_ARG_MAX_FLOAT, &accumulator, &join));
    test_plan_create(live, &problem, NULL, &plan, &workspace);
    args.in.buffer = test_buffer(live, CL_MEM_READ_WRITE, COUNT * sizeof *in, in);
    args.out.buffer = test_buffer(live, CL_MEM_READ_WRITE, COUNT * sizeof *out, NULL);
    assert_status(CLSCAN_OK, clscan_run(plan, workspace, live->queue, &args, 0, NULL, NULL, &error), &error);
    test_read(live, args.out.buffer, COUNT * sizeof *out, out);
    for (size_t i = 0; i < COUNT; ++i) {
        largest = in[i] > in[largest] ? (int32_t)i : largest;
        assert_int_equal(out[i], largest);
    }
    clReleaseMemObject(args.in.buffer);
    clReleaseMemObject(args.out.buffer);
    clscan_workspace_destroy(workspace);
    clscan_plan_destroy(plan);
    free(in);
    free(out);
}

static void names(void **state)
{
    clscan_element element = {.struct_size = sizeof element};
    clscan_custom_operator join = {.struct_size = sizeof join};
    clscan_map load = {.struct_size = sizeof load}, store = {.struct_size = 0};
    clscan_ready ready;

    (void)state;
    assert_false(clscan_ready_maps(CLSCAN_READY_COMPENSATED_FLOAT, &load, &store));
    assert_false(clscan_ready_maps(CLSCAN_READY_COMPENSATED_FLOAT, &load, NULL));
    assert_false(clscan_ready_maps(CLSCAN_READY_AFFINE_FLOAT, &load, &load));
    assert_false(clscan_ready_maps(CLSCAN_READY_COUNT, &load, &load));
    for (int i = 0; i < CLSCAN_READY_COUNT; ++i) {
        assert_true(clscan_ready_from_name(clscan_ready_name((clscan_ready)i), &ready));
        assert_int_equal(ready, i);
        assert_true(clscan_ready_get(ready, &element, &join));
        assert_int_not_equal(clscan_element_size_bytes(&element), 0);
        if (element.name != NULL)
            assert_string_equal(element.name, clscan_ready_name(ready));
        assert_non_null(join.identity);
    }
    assert_string_equal(clscan_ready_name(CLSCAN_READY_COUNT), "unknown");
    assert_false(clscan_ready_from_name("unknown", &ready));
    assert_false(clscan_ready_from_name(NULL, &ready));
    assert_false(clscan_ready_get(CLSCAN_READY_COUNT, &element, &join));
    assert_false(clscan_ready_get(CLSCAN_READY_INT128, NULL, &join));
    element.struct_size = 0;
    assert_false(clscan_ready_get(CLSCAN_READY_INT128, &element, &join));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real_numbers),
        cmocka_unit_test(integers_of_128_bits),
        cmocka_unit_test(saturating_sums),
        cmocka_unit_test(compensated_sums_keep_their_bound),
        cmocka_unit_test(logarithms_of_sums),
        cmocka_unit_test(maps_use_the_names_in_opencl_c),
        cmocka_unit_test(names),
    };

    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
