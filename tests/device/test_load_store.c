/* Maps of the caller's on load and on store: what they compute, what they are given, and what is refused. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "live.h"

#define MOST 6000
#define OFFSET 3 /* of in and out, so that nothing is aligned */

typedef struct number_pair {
    float a, b;
} number_pair;

/* A value of any of the types. */
typedef union value {
    int16_t int16;
    int32_t int32;
    int64_t int64;
    uint64_t uint64;
    float number;
    number_pair pair;
} value;

typedef struct sample {
    const char *name;
    clscan_problem problem;
    size_t in_bytes, sum_bytes, out_bytes; /* in_bytes 0: there is no input */
    value (*element)(uint64_t index);
    value (*load)(value element, uint64_t index);
    value (*join)(value before, value after);
    value (*store)(value sum, value previous, value element, uint64_t index);
    const clscan_memory *arguments;
    uint64_t argument_count;
    value identity;
} sample;

static value small_int(uint64_t index)
{
    return (value){.int32 = (int32_t)(index * 7 % 13) - 5};
}

static value small_short(uint64_t index)
{
    return (value){.int16 = (int16_t)((int)(index * 11 % 256) - 128)};
}

static value small_float(uint64_t index)
{
    return (value){.number = (float)(index % 5) - 1};
}

static value plus_int32(value before, value after)
{
    return (value){.int32 = before.int32 + after.int32};
}

static value plus_int64(value before, value after)
{
    return (value){.int64 = before.int64 + after.int64};
}

static value plus_pair(value before, value after)
{
    return (value){.pair = {before.pair.a + after.pair.a, before.pair.b + after.pair.b}};
}

static value load_square(value element, uint64_t index)
{
    (void)index;
    return (value){.int32 = element.int32 * element.int32};
}

static value store_sum(value sum, value previous, value element, uint64_t index)
{
    (void)previous, (void)element, (void)index;
    return sum;
}

static value load_int32(value element, uint64_t index)
{
    (void)index;
    return element;
}

static value store_all(value sum, value previous, value element, uint64_t index)
{
    return (value){.int64 = (int64_t)sum.int32 * 3 - previous.int32 + 5 * element.int32 + (int64_t)index};
}

static const int32_t table[] = {0, 0, 4, -9, 5};
static const int32_t scale[] = {0, 6};

static value load_scaled(value element, uint64_t index)
{
    return (value){.int64 = element.int16 * scale[1] + table[2 + index % 3]};
}

static value store_scaled(value sum, value previous, value element, uint64_t index)
{
    (void)previous, (void)element, (void)index;
    return (value){.int32 = (int32_t)(sum.int64 / 2)};
}

static value load_index(value element, uint64_t index)
{
    (void)element;
    return (value){.uint64 = index * index + 1};
}

static value load_pair(value element, uint64_t index)
{
    return (value){.pair = {element.number, (float)(index % 3)}};
}

static value store_pair(value sum, value previous, value element, uint64_t index)
{
    (void)previous, (void)element, (void)index;
    return (value){.number = sum.pair.a * 2 + sum.pair.b};
}

static value store_difference(value sum, value previous, value element, uint64_t index)
{
    (void)element, (void)index;
    return (value){.pair = {sum.pair.a - previous.pair.a, sum.pair.b}};
}

static const clscan_element int16 = {.struct_size = sizeof int16, .type = CLSCAN_INT16};
static const clscan_element int32 = {.struct_size = sizeof int32, .type = CLSCAN_INT32};
static const clscan_element int64 = {.struct_size = sizeof int64, .type = CLSCAN_INT64};
static const clscan_element number = {.struct_size = sizeof number, .type = CLSCAN_FLOAT};
static const clscan_element pair = {.struct_size = sizeof pair,
                                    .name = "pair",
                                    .source = "typedef struct pair { float a, b; } pair;",
                                    .size_bytes = sizeof(number_pair),
                                    .align_bytes = sizeof(float)};
/* A store map has this name. */
static const clscan_element named_previous = {.struct_size = sizeof named_previous,
                                              .name = "previous",
                                              .source = "typedef struct previous { float a, b; } previous;",
                                              .size_bytes = 8,
                                              .align_bytes = 4};
static const clscan_element two = {.struct_size = sizeof two, .type = CLSCAN_FLOAT, .lanes = 2};
static const clscan_custom_operator add_pairs = {.struct_size = sizeof add_pairs,
                                                 .source = "pair both(pair l, pair r)\n"
                                                           "{ pair s = {l.a + r.a, l.b + r.b}; return s; }",
                                                 .function = "both"};

static const clscan_map square = {.struct_size = sizeof square, .expression = "element * element"};
static const clscan_map all = {.struct_size = sizeof all,
                               .expression = "(long)sum * 3 - previous + 5 * element + (long)index"};
static const clscan_map generated = {.struct_size = sizeof generated, .expression = "index * index + 1"};
static const clscan_map_argument scaled_arguments[] = {
    {.struct_size = sizeof scaled_arguments[0], .name = "scale", .type = CLSCAN_INT32},
    {.struct_size = sizeof scaled_arguments[0], .name = "table", .type = CLSCAN_INT32, .is_buffer = 1, .count = 3}};
static const clscan_map scaled = {.struct_size = sizeof scaled,
                                  .source = "long scaled(long x, int by, int more)\n{\n    return x * by + more;\n}",
                                  .expression = "scaled(element, scale, table[index % 3])",
                                  .arguments = scaled_arguments,
                                  .argument_count = 2};
static const clscan_map_argument divisor = {.struct_size = sizeof divisor, .name = "scale", .type = CLSCAN_INT64};
static const clscan_map halved = {
    .struct_size = sizeof halved, .expression = "sum / scale", .arguments = &divisor, .argument_count = 1};
static const clscan_map to_pair = {.struct_size = sizeof to_pair,
                                   .source = "pair make(float x, ulong i) { pair p = {x, i % 3}; return p; }",
                                   .expression = "make(element, index)"};
static const clscan_map from_pair = {.struct_size = sizeof from_pair, .expression = "sum.a * 2 + sum.b"};
static const clscan_map to_two = {.struct_size = sizeof to_two, .expression = "(float2)(element, index % 3)"};
static const clscan_map from_two = {.struct_size = sizeof from_two,
                                    .expression = "(float2)(sum.x - previous.x, sum.y)"};

#define PROBLEM(...)                                                          \
    {                                                                         \
        .struct_size = sizeof(clscan_problem), .max_count = MOST, __VA_ARGS__ \
    }

static const int64_t by_two = 2;

/* The buffer of the third is set by the test. */
static clscan_memory scaled_values[] = {{.kind = CLSCAN_MEMORY_HOST, .pointer = scale, .offset = 1},
                                        {.offset = 2},
                                        {.kind = CLSCAN_MEMORY_HOST, .pointer = &by_two}};

static const sample samples[] = {
    {"square",
     PROBLEM(.type = CLSCAN_INT32, .load = &square),
     4,
     4,
     4,
     small_int,
     load_square,
     plus_int32,
     store_sum,
     NULL,
     0,
     {.int64 = 0}},
    {"all that a store map may have",
     PROBLEM(.type = CLSCAN_INT32, .accumulator = &int32, .output = &int64, .store = &all),
     4,
     4,
     8,
     small_int,
     load_int32,
     plus_int32,
     store_all,
     NULL,
     0,
     {.int64 = 0}},
    {"arguments",
     PROBLEM(.element = &int16, .accumulator = &int64, .output = &int32, .load = &scaled, .store = &halved),
     2,
     8,
     4,
     small_short,
     load_scaled,
     plus_int64,
     store_scaled,
     scaled_values,
     3,
     {.int64 = 0}},
    {"generator",
     PROBLEM(.type = CLSCAN_UINT64, .load = &generated),
     0,
     8,
     8,
     small_int,
     load_index,
     plus_int64,
     store_sum,
     NULL,
     0,
     {.int64 = 0}},
    {"sums that are structs",
     PROBLEM(.element = &number, .accumulator = &pair, .output = &number, .op = CLSCAN_CUSTOM, .custom = &add_pairs,
             .load = &to_pair, .store = &from_pair),
     4,
     8,
     4,
     small_float,
     load_pair,
     plus_pair,
     store_pair,
     NULL,
     0,
     {.int64 = 0}},
    {"sums and outputs that are vectors",
     PROBLEM(.type = CLSCAN_FLOAT, .output = &two, .load = &to_two, .store = &from_two),
     4,
     8,
     8,
     small_float,
     load_pair,
     plus_pair,
     store_difference,
     NULL,
     0,
     {.int64 = 0}},
};

/* `rows` scans of `count` elements, one behind the other: the whole output buffer, and the totals. */
static void compute(const sample *of, const clscan_problem *problem, uint64_t rows, uint64_t count,
                    const value *initial, unsigned char *out, value *totals)
{
    for (uint64_t row = 0; row < rows; ++row) {
        value sum = initial != NULL ? *initial : of->identity;

        for (uint64_t k = 0; k < count; ++k) {
            const uint64_t index = problem->direction == CLSCAN_REVERSE ? count - 1 - k : k;
            const value element = of->element(row * count + index), own = of->load(element, index), previous = sum;
            value stored;

            sum = problem->direction == CLSCAN_REVERSE ? of->join(own, sum) : of->join(sum, own);
            stored = of->store(problem->form == CLSCAN_INCLUSIVE ? sum : previous, previous, element, index);
            if (problem->operation == CLSCAN_SCAN)
                memcpy(out + (OFFSET + row * count + index) * of->out_bytes, &stored, of->out_bytes);
        }
        memcpy((unsigned char *)totals + row * of->sum_bytes, &sum, of->sum_bytes);
    }
}

enum { MOST_ROWS = 40 };

static unsigned run_once(const test_live *live, const sample *of, const clscan_problem *problem,
                         const clscan_plan *plan, clscan_workspace *workspace, uint64_t count, bool in_place)
{
    const uint64_t rows = problem->rows != NULL ? problem->rows->count : 1;
    const size_t in_size = (MOST + 2 * OFFSET) * (of->in_bytes > 0 ? of->in_bytes : 1),
                 out_size = (MOST + 2 * OFFSET) * of->out_bytes;
    const value initial = of->load(of->element(1), 1);
    const bool has_initial = problem->custom != NULL || count % 2 == 0;
    unsigned char *in = calloc(1, in_size), *got = malloc(out_size), *expected = malloc(out_size);
    value totals[MOST_ROWS] = {{.int64 = 0}}, expected_totals[MOST_ROWS] = {{.int64 = 0}};
    cl_mem in_buffer, out_buffer, total_buffer = test_buffer(live, CL_MEM_READ_WRITE, sizeof totals, totals);
    clscan_run_args args = {.struct_size = sizeof args,
                            .count = count,
                            .map_arguments = of->arguments,
                            .map_argument_count = of->argument_count};
    clscan_error error = {0};
    unsigned failures = 0;

    assert_true(in != NULL && got != NULL && expected != NULL && rows * count <= MOST && rows <= MOST_ROWS);
    for (uint64_t i = 0; i < rows * count; ++i) {
        const value element = of->element(i);
        memcpy(in + (OFFSET + i) * of->in_bytes, &element, of->in_bytes);
    }
    memset(expected, 0x5a, out_size);
    if (in_place)
        memcpy(expected, in, out_size);
    in_buffer = test_buffer(live, CL_MEM_READ_ONLY, in_size, in);
    out_buffer = test_buffer(live, CL_MEM_READ_WRITE, out_size, expected);
    compute(of, problem, rows, count, has_initial ? &initial : NULL, expected, expected_totals);
    if (of->in_bytes > 0)
        args.in = (clscan_memory){.buffer = in_place ? out_buffer : in_buffer, .offset = OFFSET};
    if (problem->operation == CLSCAN_SCAN)
        args.out = (clscan_memory){.buffer = out_buffer, .offset = OFFSET};
    args.total.buffer = total_buffer;
    if (has_initial)
        args.initial = (clscan_memory){.kind = CLSCAN_MEMORY_HOST, .pointer = &initial};
    assert_status(CLSCAN_OK, clscan_run(plan, workspace, live->queue, &args, 0, NULL, NULL, &error), &error);
    test_read(live, out_buffer, out_size, got);
    test_read(live, total_buffer, sizeof totals, totals);
    if (memcmp(got, expected, out_size) != 0 || memcmp(totals, expected_totals, sizeof totals) != 0) {
        print_error("%s: operation %d, %u rows of %u elements, form %d, direction %d, in place %d: wrong\n", of->name,
                    (int)problem->operation, (unsigned)rows, (unsigned)count, (int)problem->form,
                    (int)problem->direction, in_place);
        ++failures;
    }
    clReleaseMemObject(in_buffer);
    clReleaseMemObject(out_buffer);
    clReleaseMemObject(total_buffer);
    free(in), free(got), free(expected);
    return failures;
}

static clscan_workspace *workspace_of(const test_live *live, const clscan_plan *plan)
{
    clscan_workspace *workspace = NULL;
    clscan_error error = {0};

    assert_status(CLSCAN_OK, clscan_workspace_create(plan, &workspace, &error), &error);
    assert_status(CLSCAN_OK, clscan_workspace_bind(workspace, live->queue, NULL, &error), &error);
    return workspace;
}

/* Counts of a plan of one problem, of which every other runs in place where it may. */
static unsigned run_plan(const test_live *live, const sample *of, const clscan_problem *problem,
                         const clscan_variant *variant, const uint64_t *counts, size_t count)
{
    const clscan_plan_options options = {.struct_size = sizeof options, .variant = variant};
    clscan_plan *plan = NULL;
    clscan_workspace *workspace;
    clscan_error error = {0};
    unsigned failures = 0;

    assert_status(CLSCAN_OK, clscan_plan_create(live->context, live->device, problem, &options, &plan, &error), &error);
    workspace = workspace_of(live, plan);
    for (size_t i = 0; i < count; ++i)
        failures += run_once(live, of, problem, plan, workspace, counts[i],
                             i % 2 == 1 && of->in_bytes == of->out_bytes && problem->operation == CLSCAN_SCAN);
    clscan_workspace_destroy(workspace);
    clscan_plan_destroy(plan);
    return failures;
}

static clscan_problem formed(const sample *of, size_t form, size_t turn)
{
    clscan_problem problem = of->problem;

    problem.form = form == 0 ? CLSCAN_INCLUSIVE : CLSCAN_EXCLUSIVE;
    problem.direction = (turn + form) % 2 == 0 ? CLSCAN_FORWARD : CLSCAN_REVERSE;
    return problem;
}

static void maps_compute_what_they_say(void **state)
{
    const test_live *live = *state;
    static const uint64_t counts[] = {1, 500, MOST - 1, MOST};
    cl_mem table_buffer = test_buffer(live, CL_MEM_READ_ONLY, sizeof table, table);
    unsigned failures = 0;

    scaled_values[1].buffer = table_buffer;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; ++i)
        for (size_t form = 0; form < 2; ++form) {
            const clscan_problem problem = formed(&samples[i], form, i);

            if (!test_takes(i + form, 2))
                continue;
            failures += run_plan(live, &samples[i], &problem, NULL, counts, sizeof counts / sizeof counts[0]);
        }
    clReleaseMemObject(table_buffer);
    assert_int_equal(failures, 0);
}

/* Of several work-items, so that short rows pass through local memory on every device. */
static const clscan_variant staged = {.body = CLSCAN_BODY_STRIDED,
                                      .group_scan = CLSCAN_GROUP_SCAN_KOGGE_STONE,
                                      .carry = CLSCAN_CARRY_REDUCE_THEN_SCAN,
                                      .work_group_size = 16,
                                      .vector_length = 2,
                                      .register_pieces = 1,
                                      .local_pieces = 1,
                                      .work_groups_per_unit = 3};

/* The index counts in each row, of short ones and of long ones. */
static void rows_have_maps(void **state)
{
    const test_live *live = *state;
    static const uint64_t counts[] = {150, 37}, long_counts[] = {2999, 3000};
    const clscan_rows many = {.struct_size = sizeof many, .count = MOST_ROWS},
                      few = {.struct_size = sizeof few, .count = 2};
    cl_mem table_buffer = test_buffer(live, CL_MEM_READ_ONLY, sizeof table, table);
    unsigned failures = 0;

    scaled_values[1].buffer = table_buffer;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; ++i) {
        clscan_problem problem = formed(&samples[i], i / 2 % 2, i);

        problem.rows = i % 2 == 0 ? &many : &few;
        problem.max_count = MOST / problem.rows->count;
        for (int v = 0; v < 2; ++v) {
            if (!test_takes(i / 2 + (size_t)v, 2))
                continue;
            failures +=
                run_plan(live, &samples[i], &problem, v == 0 ? NULL : &staged, i % 2 == 0 ? counts : long_counts, 2);
        }
    }
    clReleaseMemObject(table_buffer);
    assert_int_equal(failures, 0);
}

/* A reduction's value is the total of the scan, of the accumulator's type. */
static void reductions_have_load_maps(void **state)
{
    const test_live *live = *state;
    static const uint64_t counts[] = {1, 500, MOST};
    cl_mem table_buffer = test_buffer(live, CL_MEM_READ_ONLY, sizeof table, table);
    unsigned failures = 0;

    scaled_values[1].buffer = table_buffer;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; ++i) {
        sample of = samples[i];

        of.problem.operation = CLSCAN_REDUCE;
        of.problem.output = NULL;
        if (of.problem.accumulator == NULL)
            of.problem.accumulator = samples[i].problem.output;
        of.problem.store = NULL;
        if (of.argument_count == 3)
            of.argument_count = 2; /* the third was the store map's */
        of.problem.direction = i % 2 == 0 ? CLSCAN_REVERSE : CLSCAN_FORWARD;
        failures += run_plan(live, &of, &of.problem, NULL, counts, sizeof counts / sizeof counts[0]);
    }
    clReleaseMemObject(table_buffer);
    assert_int_equal(failures, 0);
}

static const clscan_map to_text = {.struct_size = sizeof to_text, .expression = "element *\n  unknown_name"};
static const clscan_map from_text = {.struct_size = sizeof from_text, .expression = "missing(sum)"};
static const clscan_map bad_source = {
    .struct_size = sizeof bad_source, .source = "int f(int x)\n{\n    return y;\n}", .expression = "f(element)"};
static const clscan_map ours = {.struct_size = sizeof ours, .expression = "element + clscan_all.at_0"};
static const clscan_map unfinished = {.struct_size = sizeof unfinished, .expression = "element\n *"};
static const clscan_element bad_twin = {.struct_size = sizeof bad_twin,
                                        .name = "twin",
                                        .source = "typedef struct twin { nothing a, b; } twin;",
                                        .size_bytes = 8,
                                        .align_bytes = 4};
static const clscan_map leaves_macro = {.struct_size = sizeof leaves_macro,
                                        .source = "int same(int x) { return x; }\n#define uint float",
                                        .expression = "same(element)"};
static const clscan_element leaves_type = {.struct_size = sizeof leaves_type,
                                           .name = "twin",
                                           .source = "typedef struct twin { int a, b; } twin;\n#define a b",
                                           .size_bytes = 8,
                                           .align_bytes = 4};
static const clscan_custom_operator add_twins = {
    sizeof add_twins, "twin f(twin a, twin b) { a.a += b.a; return a; }", "f", NULL, 0, 0};
static const clscan_map nothing = {.struct_size = sizeof nothing, .expression = " "};
static const clscan_map not_one = {.struct_size = sizeof not_one, .expression = "1) ; int x = (1"};
static const clscan_map missing = {.struct_size = sizeof missing};
static const clscan_map early = {.struct_size = sizeof early, .expression = "element + previous"};
static const clscan_map_argument shadow = {.struct_size = sizeof shadow, .name = "index", .type = CLSCAN_INT32};
static const clscan_map_argument no_name = {.struct_size = sizeof no_name, .name = "2x", .type = CLSCAN_INT32};
static const clscan_map_argument keyword = {.struct_size = sizeof keyword, .name = "local"};
static const clscan_map_argument half = {.struct_size = sizeof half, .name = "x", .type = CLSCAN_HALF};
static const clscan_map_argument wide = {.struct_size = sizeof wide, .name = "x", .lanes = 3};
static const clscan_map_argument counted = {.struct_size = sizeof counted, .name = "x", .count = 3};
static const clscan_map_argument twice[] = {{.struct_size = sizeof twice[0], .name = "x"},
                                            {.struct_size = sizeof twice[0], .name = "x"}};
static const clscan_map_argument many[] = {{.struct_size = sizeof many[0], .name = "a"},
                                           {.struct_size = sizeof many[0], .name = "b"},
                                           {.struct_size = sizeof many[0], .name = "c"}};
static const clscan_element half_sum = {.struct_size = sizeof half_sum, .type = CLSCAN_HALF};
#define WITH(list, count)                                                                                          \
    {                                                                                                              \
        .struct_size = sizeof(clscan_map), .expression = "element", .arguments = (list), .argument_count = (count) \
    }
static const clscan_map with_shadow = WITH(&shadow, 1), with_no_name = WITH(&no_name, 1),
                        with_keyword = WITH(&keyword, 1), with_half = WITH(&half, 1), with_wide = WITH(&wide, 1),
                        with_counted = WITH(&counted, 1), with_twice = WITH(twice, 2), with_many = WITH(many, 3),
                        with_none = WITH(NULL, 1), with_too_many = WITH(many, 5);

/* Each error names its culprit; of what does not compile, the log has the caller's lines where the compiler honours
 * them (PoCL does). */
static void what_is_no_map_is_refused(void **state)
{
    const test_live *live = *state;
    static const struct {
        clscan_problem problem;
        clscan_status status;
        const char *words, *log;
    } cases[] = {
        {PROBLEM(.type = CLSCAN_INT32, .load = &to_text), CLSCAN_ERROR_MAP_SOURCE, "problem->load->expression",
         "load:2:"},
        {PROBLEM(.type = CLSCAN_INT32, .store = &from_text), CLSCAN_ERROR_MAP_SOURCE, "problem->store->expression",
         "store:1:"},
        {PROBLEM(.type = CLSCAN_INT32, .load = &to_two), CLSCAN_ERROR_MAP_SOURCE, "problem->load->expression",
         "load:1:"},
        {PROBLEM(.type = CLSCAN_INT32, .store = &to_two), CLSCAN_ERROR_MAP_SOURCE, "problem->store->expression",
         "store:1:"},
        {PROBLEM(.type = CLSCAN_INT32, .load = &unfinished), CLSCAN_ERROR_MAP_SOURCE, "problem->load->expression",
         "load:2:"},
        {PROBLEM(.type = CLSCAN_INT32, .load = &bad_source), CLSCAN_ERROR_MAP_SOURCE, "problem->load->source",
         "source of load:3:"},
        {PROBLEM(.type = CLSCAN_INT32, .load = &leaves_macro), CLSCAN_ERROR_BUILD,
         "problem->load->source leaves the macro uint", NULL},
        {PROBLEM(.element = &leaves_type, .op = CLSCAN_CUSTOM, .custom = &add_twins), CLSCAN_ERROR_OPERATOR_SOURCE,
         "problem->element->source leaves the macro a", NULL},
        {PROBLEM(.type = CLSCAN_INT32, .load = &scaled, .store = &bad_source), CLSCAN_ERROR_MAP_SOURCE,
         "problem->store->source", "source of store:3:"},
        {PROBLEM(.type = CLSCAN_INT32, .load = &to_two, .store = &bad_source), CLSCAN_ERROR_MAP_SOURCE,
         "problem->store->source", "source of store:3:"},
        {PROBLEM(.type = CLSCAN_INT32, .load = &early), CLSCAN_ERROR_MAP_SOURCE, "problem->load->expression",
         "previous"},
        {PROBLEM(.element = &pair, .accumulator = &bad_twin, .output = &bad_twin, .op = CLSCAN_CUSTOM,
                 .custom = &add_pairs, .load = &to_text),
         CLSCAN_ERROR_ELEMENT_SOURCE, "problem->accumulator->source", "type:1:"},
        {PROBLEM(.type = CLSCAN_INT32, .load = &ours), CLSCAN_ERROR_INVALID_VALUE, "clscan_all", NULL},
        {PROBLEM(.type = CLSCAN_INT32, .load = &nothing), CLSCAN_ERROR_INVALID_VALUE, "expression", NULL},
        {PROBLEM(.type = CLSCAN_INT32, .load = &not_one), CLSCAN_ERROR_INVALID_VALUE, "load->expression has a ')'",
         NULL},
        {PROBLEM(.type = CLSCAN_INT32, .store = &not_one), CLSCAN_ERROR_INVALID_VALUE, "store->expression has a ')'",
         NULL},
        {PROBLEM(.type = CLSCAN_INT32, .store = &missing), CLSCAN_ERROR_NULL_ARGUMENT, "store->expression", NULL},
        {PROBLEM(.type = CLSCAN_INT32, .load = &with_shadow), CLSCAN_ERROR_INVALID_VALUE, "index", NULL},
        {PROBLEM(.type = CLSCAN_INT32, .load = &with_no_name), CLSCAN_ERROR_INVALID_VALUE, "2x", NULL},
        {PROBLEM(.type = CLSCAN_INT32, .load = &with_keyword), CLSCAN_ERROR_INVALID_VALUE,
         "problem->load->arguments[0].name is local", NULL},
        {PROBLEM(.type = CLSCAN_INT32, .load = &with_half), CLSCAN_ERROR_UNSUPPORTED_TYPE, "half", NULL},
        {PROBLEM(.type = CLSCAN_INT32, .load = &with_wide), CLSCAN_ERROR_INVALID_VALUE, "lanes", NULL},
        {PROBLEM(.type = CLSCAN_INT32, .load = &with_counted), CLSCAN_ERROR_INVALID_VALUE, "count", NULL},
        {PROBLEM(.type = CLSCAN_INT32, .load = &with_twice), CLSCAN_ERROR_INVALID_VALUE, "arguments[1]", NULL},
        {PROBLEM(.type = CLSCAN_INT32, .load = &with_none), CLSCAN_ERROR_INVALID_VALUE, "arguments", NULL},
        {PROBLEM(.type = CLSCAN_INT32, .load = &with_too_many), CLSCAN_ERROR_INVALID_VALUE, "argument_count", NULL},
        {PROBLEM(.type = CLSCAN_INT32, .load = &with_many, .store = &with_many), CLSCAN_ERROR_INVALID_VALUE, "6", NULL},
        {PROBLEM(.type = CLSCAN_INT32, .load = &square, .accumulator = &half_sum), CLSCAN_ERROR_UNSUPPORTED_TYPE,
         "half", NULL},
        {PROBLEM(.type = CLSCAN_FLOAT, .load = &square, .reproducible = 1), CLSCAN_ERROR_UNSUPPORTED_TYPE,
         "reproducible", NULL},
        {PROBLEM(.element = &number, .accumulator = &pair, .output = &number, .op = CLSCAN_CUSTOM, .custom = &add_pairs,
                 .load = &to_pair),
         CLSCAN_ERROR_UNSUPPORTED_TYPE, "problem->store", NULL},
        {PROBLEM(.type = CLSCAN_INT32, .store = &halved, .operation = CLSCAN_REDUCE), CLSCAN_ERROR_UNSUPPORTED_TYPE,
         "problem->store", NULL},
        {PROBLEM(.element = &named_previous, .op = CLSCAN_CUSTOM, .custom = &add_pairs, .store = &halved),
         CLSCAN_ERROR_INVALID_VALUE, "problem->element->name is previous, which problem->store", NULL},
        {PROBLEM(.type = CLSCAN_INT32, .accumulator = &named_previous, .op = CLSCAN_CUSTOM, .custom = &add_pairs,
                 .load = &to_pair, .store = &halved),
         CLSCAN_ERROR_INVALID_VALUE, "problem->accumulator->name is previous, which problem->store", NULL},
        {PROBLEM(.type = CLSCAN_INT32, .output = &named_previous, .op = CLSCAN_CUSTOM, .custom = &add_pairs,
                 .load = &to_pair, .store = &halved),
         CLSCAN_ERROR_INVALID_VALUE, "problem->output->name is previous, which problem->store", NULL},
    };
    unsigned failures = 0;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        clscan_plan *plan = NULL;
        clscan_error error = {0};
        const clscan_status status =
            clscan_plan_create(live->context, live->device, &cases[i].problem, NULL, &plan, &error);

        if (status == cases[i].status && strstr(error.message, cases[i].words) != NULL &&
            (cases[i].log == NULL || live->info.device_class != CLSCAN_DEVICE_CLASS_CPU ||
             strstr(error.build_log, cases[i].log) != NULL))
            continue;
        print_error("case %zu: %s: %s\n%s\n", i, clscan_status_name(status), error.message, error.build_log);
        ++failures;
        clscan_plan_destroy(plan);
    }
    assert_int_equal(failures, 0);
}

/* A name is that of one type; its source may be said again, or in one of its places alone. */
static void types_of_one_name(void **state)
{
    const test_live *live = *state;
    char copy[64];
    clscan_element same = pair, bare = pair, longer = pair, other = pair;
    const clscan_map whole = {.struct_size = sizeof whole, .expression = "element"},
                     alike = {.struct_size = sizeof alike, .expression = "left.a == right.a"};
    clscan_segments keys = {.struct_size = sizeof keys, .by = CLSCAN_BY_KEYS, .equal = &alike};
    const struct {
        const clscan_element *accumulator, *output, *key;
        const char *names[2]; /* in the message; NULL: a plan */
    } cases[] = {
        {.accumulator = &same, .output = &same, .key = &same},
        {.accumulator = &bare, .output = &same},
        {.accumulator = &other, .output = &other, .names = {"problem->element and", "problem->accumulator"}},
        {.accumulator = &longer, .names = {"problem->element and", "problem->accumulator"}},
        {.output = &other, .names = {"problem->element and", "problem->output"}},
        {.accumulator = &same, .output = &other, .names = {"problem->element and", "problem->output"}},
        {.key = &other, .names = {"problem->element and", "problem->segments->key"}},
    };

    snprintf(copy, sizeof copy, "%s", pair.source);
    same.source = copy;
    bare.source = NULL;
    longer.size_bytes *= 2;
    other.source = "typedef struct pair { int a, b; } pair;";
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        clscan_problem problem = PROBLEM(.element = &pair, .op = CLSCAN_CUSTOM, .custom = &add_pairs, .load = &whole,
                                         .accumulator = cases[i].accumulator, .output = cases[i].output);
        const clscan_status expected = cases[i].names[0] != NULL ? CLSCAN_ERROR_INVALID_VALUE : CLSCAN_OK;
        clscan_plan *plan = NULL;
        clscan_error error = {0};

        keys.key = cases[i].key;
        problem.segments = keys.key != NULL ? &keys : NULL;
        assert_status(expected, clscan_plan_create(live->context, live->device, &problem, NULL, &plan, &error), &error);
        for (size_t j = 0; j < 2 && expected != CLSCAN_OK; ++j)
            if (strstr(error.message, cases[i].names[j]) == NULL)
                fail_msg("case %zu: \"%s\" lacks %s", i, error.message, cases[i].names[j]);
        clscan_plan_destroy(plan);
    }
}

/* A run gives what the maps ask for, and nothing else. */
static void what_a_run_gives_is_checked(void **state)
{
    const test_live *live = *state;
    const clscan_problem problem = samples[2].problem;
    cl_mem in = test_buffer(live, CL_MEM_READ_WRITE, MOST, NULL),
           out = test_buffer(live, CL_MEM_READ_WRITE, MOST * 4, NULL),
           small = test_buffer(live, CL_MEM_READ_WRITE, 4 * sizeof(int32_t), table),
           written = test_buffer(live, CL_MEM_WRITE_ONLY, sizeof table, NULL);
    const clscan_memory by = scaled_values[0], host = scaled_values[2];
    const struct {
        clscan_memory arguments[3];
        uint64_t count;
        clscan_status status;
        const char *words;
    } cases[] = {
        {{by, {.buffer = small, .offset = 1}, host}, 3, CLSCAN_OK, ""},
        {{by, {.buffer = small, .offset = 1}, host}, 2, CLSCAN_ERROR_INVALID_VALUE, "map_argument_count"},
        {{by}, 1, CLSCAN_ERROR_INVALID_VALUE, "table"},
        {{by, {.buffer = small}, host}, 4, CLSCAN_ERROR_INVALID_VALUE, "map_argument_count"},
        {{by, {.buffer = small, .offset = 2}, host}, 3, CLSCAN_ERROR_BUFFER_TOO_SMALL, "table"},
        {{by, {.buffer = NULL}, host}, 3, CLSCAN_ERROR_NULL_ARGUMENT, "table"},
        {{by, {.buffer = written}, host}, 3, CLSCAN_ERROR_BUFFER_ACCESS, "table"},
        {{by, {.buffer = out}, host}, 3, CLSCAN_ERROR_OVERLAP, "table"},
        {{by, {.buffer = in}, host}, 3, CLSCAN_OK, ""},
        {{by, host, host}, 3, CLSCAN_ERROR_MEMORY_KIND, "table"},
        {{{.buffer = small}, {.buffer = small}, host}, 3, CLSCAN_ERROR_MEMORY_KIND, "scale"},
        {{{.kind = CLSCAN_MEMORY_HOST}, {.buffer = small}, host}, 3, CLSCAN_ERROR_NULL_ARGUMENT, "scale"},
    };
    clscan_plan *plan = NULL;
    clscan_workspace *workspace;
    clscan_error error = {0};
    unsigned failures = 0;

    assert_status(CLSCAN_OK, clscan_plan_create(live->context, live->device, &problem, NULL, &plan, &error), &error);
    workspace = workspace_of(live, plan);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const clscan_run_args args = {.struct_size = sizeof args,
                                      .in.buffer = in,
                                      .out.buffer = out,
                                      .count = 100,
                                      .map_arguments = cases[i].arguments,
                                      .map_argument_count = cases[i].count};
        const clscan_status status = clscan_run(plan, workspace, live->queue, &args, 0, NULL, NULL, &error);

        if (status != cases[i].status || (status != CLSCAN_OK && strstr(error.message, cases[i].words) == NULL)) {
            print_error("case %zu: %s: %s\n", i, clscan_status_name(status), error.message);
            ++failures;
        }
    }
    clFinish(live->queue);
    clscan_workspace_destroy(workspace);
    clscan_plan_destroy(plan);
    clReleaseMemObject(in);
    clReleaseMemObject(out);
    clReleaseMemObject(small);
    clReleaseMemObject(written);
    assert_int_equal(failures, 0);
}

/* `previous` of the first element is the identity or the initial value; a generator has no input. */
static void previous_and_generators_have_their_conditions(void **state)
{
    const test_live *live = *state;
    static const clscan_custom_operator keep = {
        .struct_size = sizeof keep, .source = "int keep(int l, int r) { return r != 0 ? r : l; }", .function = "keep"};
    static const clscan_map difference = {.struct_size = sizeof difference, .expression = "sum - previous"};
    const clscan_problem before =
        PROBLEM(.op = CLSCAN_CUSTOM, .type = CLSCAN_INT32, .custom = &keep, .store = &difference);
    const int32_t initial = 0;
    cl_mem in = test_buffer(live, CL_MEM_READ_WRITE, 400, NULL), out = test_buffer(live, CL_MEM_READ_WRITE, 800, NULL);
    clscan_run_args args = {.struct_size = sizeof args, .in.buffer = in, .out.buffer = out, .count = 100};
    clscan_plan *plan = NULL;
    clscan_workspace *workspace;
    clscan_error error = {0};

    assert_status(CLSCAN_OK, clscan_plan_create(live->context, live->device, &before, NULL, &plan, &error), &error);
    workspace = workspace_of(live, plan);
    assert_status(CLSCAN_ERROR_NO_IDENTITY, clscan_run(plan, workspace, live->queue, &args, 0, NULL, NULL, &error),
                  &error);
    assert_non_null(strstr(error.message, "previous"));
    args.initial = (clscan_memory){.kind = CLSCAN_MEMORY_HOST, .pointer = &initial};
    assert_status(CLSCAN_OK, clscan_run(plan, workspace, live->queue, &args, 0, NULL, NULL, &error), &error);
    clscan_workspace_destroy(workspace);
    clscan_plan_destroy(plan);

    assert_status(CLSCAN_OK, clscan_plan_create(live->context, live->device, &samples[3].problem, NULL, &plan, &error),
                  &error);
    workspace = workspace_of(live, plan);
    args.initial = (clscan_memory){.buffer = NULL};
    assert_status(CLSCAN_ERROR_INVALID_VALUE, clscan_run(plan, workspace, live->queue, &args, 0, NULL, NULL, &error),
                  &error);
    assert_non_null(strstr(error.message, "args->in"));
    args.in.buffer = NULL;
    assert_status(CLSCAN_OK, clscan_run(plan, workspace, live->queue, &args, 0, NULL, NULL, &error), &error);
    clFinish(live->queue);
    clscan_workspace_destroy(workspace);
    clscan_plan_destroy(plan);
    clReleaseMemObject(in);
    clReleaseMemObject(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_compute_what_they_say),
        cmocka_unit_test(rows_have_maps),
        cmocka_unit_test(reductions_have_load_maps),
        cmocka_unit_test(types_of_one_name),
        cmocka_unit_test(what_is_no_map_is_refused),
        cmocka_unit_test(what_a_run_gives_is_checked),
        cmocka_unit_test(previous_and_generators_have_their_conditions),
    };

    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
