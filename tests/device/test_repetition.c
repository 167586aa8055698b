/* Operation repeat: each element as many times as its length says, by every form of lengths and every size of element,
 * on both paths of its kernel, as far as there is room; and what is refused. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "common/test_knobs.h"
#include "live.h"
#include "variant_walk.h"

enum { MARGIN = 3, CANARY = 0x5a, MOST_OUTPUTS = CLSCAN_MOST_COLUMNS + 2 };

/* Elements whose lengths are summed up before the scan. */
enum { BLOCK = 256 };

/* clang-format off */
#define REPEAT(element_type, ...)                                                                               \
    {.struct_size = sizeof(clscan_problem), .operation = CLSCAN_REPEAT, .type = (element_type), .max_count = 100, \
     __VA_ARGS__}
/* An entry for sums of lengths, of a config. */
#define ENTRY(largest_count, carry)                                                                              \
    "{\"operation\": \"scan\", \"element_size_bytes\": 4, \"operator_class\": \"custom\", \"largest_count\": " \
    largest_count ", \"reproducible\": false, \"variant\": {\"body\": \"strided\", "                             \
    "\"group_scan\": \"brent_kung\", \"work_group_size\": 16, \"vector_length\": 1, \"register_pieces\": 2, "    \
    "\"local_pieces\": 0, \"carry\": " carry "}}"
/* clang-format on */

static const clscan_element uint32 = {.struct_size = sizeof uint32, .type = CLSCAN_UINT32},
                            uint64 = {.struct_size = sizeof uint64, .type = CLSCAN_UINT64},
                            wide_struct = {.struct_size = sizeof wide_struct,
                                           .name = "sample_of_user",
                                           .source = "typedef struct sample_of_user { int v[16]; } sample_of_user;",
                                           .size_bytes = 64,
                                           .align_bytes = 4};
static const clscan_map to_index = {.struct_size = sizeof to_index, .expression = "index"},
                        twice = {.struct_size = sizeof twice, .expression = "element * 2"};

static const uint32_t every_size[] = {1, 2, 4, 8, 3, 12, 24, 64}, one_size[] = {5};
#define COLUMNS(sizes) .column_bytes = (sizes), .column_count = sizeof(sizes) / sizeof(sizes)[0]

static const clscan_select narrow = {.struct_size = sizeof narrow, .length_bytes = 1, COLUMNS(every_size)},
                           half_words = {.struct_size = sizeof half_words, .length_bytes = 2, .index_bytes = 4},
                           words = {.struct_size = sizeof words, .length_bytes = 4},
                           wide = {.struct_size = sizeof wide, .length_bytes = 8, COLUMNS(one_size)},
                           offsets = {.struct_size = sizeof offsets, .length_bytes = 4, .by_offsets = 1},
                           wide_offsets = {.struct_size = sizeof wide_offsets,
                                           .length_bytes = 8,
                                           .by_offsets = 1,
                                           .index_bytes = 8};

typedef struct form {
    const char *name;
    size_t bytes; /* of an element of the output */
    clscan_problem problem;
} form;

static const form forms[] = {
    {"uint8 lengths, eight columns", 4, REPEAT(CLSCAN_INT32, .select = &narrow)},
    {"uint16 lengths, indices beside half", 2, REPEAT(CLSCAN_HALF, .select = &half_words)},
    {"uint32 lengths", 4, REPEAT(CLSCAN_INT32, .select = &words)},
    {"uint64 lengths, a column, a struct", 64, REPEAT(CLSCAN_INT32, .select = &wide, .element = &wide_struct)},
    {"uint32 offsets, bytes", 1, REPEAT(CLSCAN_UINT8, .select = &offsets)},
    {"uint64 offsets, 64-bit places, indices twice", 4,
     REPEAT(CLSCAN_INT32, .select = &wide_offsets, .accumulator = &uint64, .output = &uint32, .store = &to_index)},
    {"uint32 offsets, 64-bit places", 8, REPEAT(CLSCAN_DOUBLE, .select = &offsets, .accumulator = &uint64)},
    {"uint64 offsets, 32-bit places", 8, REPEAT(CLSCAN_INT64, .select = &wide_offsets)},
    {"uint32 lengths, 64-bit places", 2, REPEAT(CLSCAN_INT16, .select = &words, .accumulator = &uint64)},
};
enum { FORMS = sizeof forms / sizeof forms[0] };

static uint64_t mixed(uint64_t x)
{
    x = (x ^ x >> 31) * UINT64_C(0x9e3779b97f4a7c15);
    return (x ^ x >> 29) * UINT64_C(0xbf58476d1ce4e5b9) >> 32;
}

/* What lengths look like. */
typedef enum pattern { SHORT, EMPTY, MOSTLY_EMPTY, ONES, ONE_LONG, MANY_EMPTY_FIRST, PATTERNS } pattern;

static uint64_t length_of(pattern of, uint64_t index, uint64_t count)
{
    switch (of) {
    case SHORT:
        return mixed(index) % 9;
    case EMPTY:
        return 0;
    case MOSTLY_EMPTY:
        return mixed(index) % 50 == 0 ? mixed(index + 7) % 256 : 0;
    case ONES:
        return 1;
    case ONE_LONG:
        return index == count / 2 ? 255 : index == count - 1;
    default:
        return index < count - count / 20 ? 0 : 1 + mixed(index) % 200;
    }
}

/* An output, what it is made of, and the host's ideas of both. */
typedef struct output {
    size_t bytes;  /* of an element */
    cl_mem source; /* NULL for indices */
    cl_mem buffer;
    unsigned char *given, *expected;
} output;

typedef struct rig {
    const test_live *live;
    const form *form;
    clscan_plan *plan;
    clscan_workspace *workspace;
    uint64_t max_count, room; /* elements, and outputs without margins */
    output outputs[MOST_OUTPUTS];
    uint32_t count; /* of outputs: args->out, columns, indices */
    cl_mem lengths, total;
    uint32_t overflows; /* by now */
} rig;

static bool is_index(const rig *r, uint32_t number)
{
    return number == 0 ? r->form->problem.store != NULL : number > r->form->problem.select->column_count;
}

static void add_output(rig *r, size_t bytes)
{
    output *added = &r->outputs[r->count++];
    const size_t in_bytes = (size_t)(r->max_count + 2 * MARGIN) * bytes,
                 out_bytes = (size_t)(r->room + 2 * MARGIN) * bytes;

    added->bytes = bytes;
    added->given = malloc(in_bytes);
    added->expected = malloc(out_bytes);
    assert_true(added->given != NULL && added->expected != NULL);
    for (size_t i = 0; i < in_bytes; ++i)
        added->given[i] = (unsigned char)mixed(i * 7 + r->count);
    if (!is_index(r, r->count - 1))
        added->source = test_buffer(r->live, CL_MEM_READ_ONLY, in_bytes, added->given);
    added->buffer = test_buffer(r->live, CL_MEM_WRITE_ONLY, out_bytes, NULL);
}

static void set_up_by(const test_live *live, const form *of, const clscan_plan_options *options, uint64_t max_count,
                      uint64_t room, rig *r)
{
    const clscan_select *select = of->problem.select;
    clscan_problem problem = of->problem;

    *r = (rig){.live = live, .form = of, .max_count = max_count, .room = room};
    problem.max_count = max_count;
    test_plan_create(live, &problem, options, &r->plan, &r->workspace);
    add_output(r, of->bytes);
    for (uint32_t i = 0; i < select->column_count; ++i)
        add_output(r, select->column_bytes[i]);
    if (select->index_bytes > 0)
        add_output(r, select->index_bytes);
    r->lengths = test_buffer(live, CL_MEM_READ_ONLY, ((size_t)max_count + 2 * MARGIN) * sizeof(uint64_t), NULL);
    r->total = test_buffer(live, CL_MEM_READ_WRITE, sizeof(uint64_t), NULL);
}

static void set_up(const test_live *live, const form *of, const clscan_variant *variant, uint32_t work_group_size,
                   uint64_t max_count, uint64_t room, rig *r)
{
    const struct clscan__test_knobs knobs = {.expand_work_group_size = work_group_size};
    const clscan_plan_options options = {.struct_size = sizeof options, .variant = variant, .test_knobs = &knobs};

    set_up_by(live, of, &options, max_count, room, r);
}

static void tear_down(rig *r)
{
    assert_cl(clFinish(r->live->queue));
    clscan_workspace_destroy(r->workspace);
    clscan_plan_destroy(r->plan);
    for (uint32_t i = 0; i < r->count; ++i) {
        if (r->outputs[i].source != NULL)
            clReleaseMemObject(r->outputs[i].source);
        clReleaseMemObject(r->outputs[i].buffer);
        free(r->outputs[i].given);
        free(r->outputs[i].expected);
    }
    clReleaseMemObject(r->lengths);
    clReleaseMemObject(r->total);
}

typedef struct repeat_case {
    uint64_t count, capacity; /* capacity 0: as many as the count */
    pattern lengths;
    uint64_t initial; /* where the outputs begin */
    uint64_t offset;  /* of all buffers */
} repeat_case;

/* Lengths or offsets, and what is expected. Returns the number needed. */
static uint64_t write_case(rig *r, const repeat_case *test, uint64_t capacity)
{
    const size_t bytes = r->form->problem.select->length_bytes;
    const bool by_offsets = r->form->problem.select->by_offsets != 0;
    const size_t all_bytes = ((size_t)r->max_count + 2 * MARGIN) * sizeof(uint64_t);
    unsigned char *made = malloc(all_bytes);
    uint64_t place = test->initial;

    assert_non_null(made);
    memset(made, 0xee, all_bytes); /* what lies outside is no length */
    for (uint32_t i = 0; i < r->count; ++i)
        memset(r->outputs[i].expected, CANARY, (size_t)(r->room + 2 * MARGIN) * r->outputs[i].bytes);
    for (uint64_t i = 0; i <= test->count; ++i) {
        const uint64_t length = i < test->count ? length_of(test->lengths, i, test->count) : 0;
        const uint64_t written = by_offsets ? place - test->initial + 11 : length; /* offsets begin anywhere */

        if (by_offsets || i < test->count)
            memcpy(made + (test->offset + i) * bytes, &written, bytes);
        for (uint64_t k = 0; k < length; ++k, ++place)
            for (uint32_t o = 0; place < capacity && o < r->count; ++o) {
                output *to = &r->outputs[o];

                memcpy(to->expected + (place + test->offset) * to->bytes,
                       is_index(r, o) ? (const unsigned char *)&i : to->given + (i + test->offset) * to->bytes,
                       to->bytes);
            }
    }
    test_write(r->live, r->lengths, made, all_bytes);
    free(made);
    return place;
}

/* How many bytes of an output are wrong. */
static unsigned check_output(const rig *r, const output *of)
{
    const size_t bytes = (size_t)(r->room + 2 * MARGIN) * of->bytes;
    unsigned char *got = malloc(bytes);
    unsigned wrong = 0;

    assert_non_null(got);
    test_read(r->live, of->buffer, bytes, got);
    for (size_t i = 0; i < bytes; ++i)
        wrong += got[i] != of->expected[i];
    free(got);
    return wrong;
}

static void poison(const rig *r, const output *of)
{
    const size_t bytes = (size_t)(r->room + 2 * MARGIN) * of->bytes;
    unsigned char *canary = malloc(bytes);

    assert_non_null(canary);
    memset(canary, CANARY, bytes);
    test_write(r->live, of->buffer, canary, bytes);
    free(canary);
}

/* 0, or 1 after printing what is wrong. */
static unsigned run_case(rig *r, const repeat_case *test)
{
    const uint64_t capacity = test->capacity > 0 ? test->capacity : test->count;
    const uint64_t needed = write_case(r, test, capacity);
    const clscan_select *select = r->form->problem.select;
    const size_t place_bytes = r->form->problem.accumulator != NULL ? 8 : 4;
    clscan_column columns[CLSCAN_MOST_COLUMNS] = {{.in.buffer = NULL}};
    clscan_selection selection = {.struct_size = sizeof selection,
                                  .capacity = test->capacity,
                                  .lengths = {.buffer = r->lengths, .offset = test->offset}};
    clscan_run_args args = {.struct_size = sizeof args, .count = test->count, .selection = &selection};
    clscan_report report = {.struct_size = sizeof report};
    clscan_error error = {0};
    uint64_t total = 0;
    unsigned wrong = 0;

    assert_true(capacity <= r->room);
    for (uint32_t i = 0; i < r->count; ++i)
        poison(r, &r->outputs[i]);
    test_write(r->live, r->total, &total, sizeof total);
    for (uint32_t i = 0; i < select->column_count; ++i) {
        columns[i].in = (clscan_memory){.buffer = r->outputs[i + 1].source, .offset = test->offset};
        columns[i].out = (clscan_memory){.buffer = r->outputs[i + 1].buffer, .offset = test->offset};
    }
    if (select->column_count > 0)
        selection.columns = columns;
    if (select->index_bytes > 0)
        selection.indices = (clscan_memory){.buffer = r->outputs[r->count - 1].buffer, .offset = test->offset};
    if (!is_index(r, 0))
        args.in = (clscan_memory){.buffer = r->outputs[0].source, .offset = test->offset};
    args.out = (clscan_memory){.buffer = r->outputs[0].buffer, .offset = test->offset};
    args.total.buffer = r->total;
    if (test->initial > 0)
        args.initial = (clscan_memory){.kind = CLSCAN_MEMORY_HOST, .pointer = (void *)&test->initial};
    assert_status(CLSCAN_OK, clscan_run(r->plan, r->workspace, r->live->queue, &args, 0, NULL, NULL, &error), &error);
    for (uint32_t i = 0; i < r->count; ++i) {
        const unsigned bytes = check_output(r, &r->outputs[i]);

        if (bytes > 0)
            print_error("%s: output %u of %u: %u bytes differ\n", r->form->name, i, r->count, bytes);
        wrong += bytes;
    }
    test_read(r->live, r->total, place_bytes, &total);
    r->overflows += needed > capacity && test->count > 0 && test->initial <= capacity;
    assert_int_equal(clscan_workspace_report(r->workspace, r->live->queue, &report, NULL), CLSCAN_OK);
    wrong += total != needed || report.overflows != r->overflows || report.failures != 0;
    if (wrong > 0)
        print_error(
            "%s: %llu elements, lengths %d, room for %llu from %llu: total %llu, not %llu; %u overflows, not %u\n",
            r->form->name, (unsigned long long)test->count, (int)test->lengths, (unsigned long long)capacity,
            (unsigned long long)test->initial, (unsigned long long)total, (unsigned long long)needed, report.overflows,
            r->overflows);
    return wrong > 0;
}

/* Counts at the edges of tiles, with lengths, capacities and offsets that take turns; of the lengths every other one
 * unless all cases are wanted. */
static unsigned run_counts(rig *r, uint64_t tile)
{
    const uint64_t counts[] = {0, 1, 2, tile - 1, tile, tile + 1, 3 * tile + tile / 2 + 1};
    unsigned failures = 0;

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i)
        for (int of = test_thorough() ? 0 : (int)(i % 2); of < PATTERNS; of += test_thorough() ? 1 : 2) {
            repeat_case test = {
                .count = counts[i], .lengths = (pattern)of, .offset = (i + (size_t)of / 2) % 2 == 0 ? MARGIN : 0};

            if (of == ONES)
                failures += run_case(r, &test); /* exactly as many as there is room for */
            test.capacity = r->room;
            failures += run_case(r, &test);
            test.capacity = counts[i] + 1;
            failures += run_case(r, &test);
            test.capacity = r->room - 5;
            test.initial = counts[i] / 9 + 1;
            failures += run_case(r, &test);
            if (i % 3 != 1)
                continue;
            test.capacity = 20;
            for (test.initial = 20; test.initial <= 21; ++test.initial)
                failures += run_case(r, &test); /* with no room, and behind it */
        }
    return failures;
}

/* Work-groups of one work-item, and small and large ones of several: what CPUs and GPUs take. Where lanes can vote,
 * those of 32 and more are sub-groups that go their own ways. */
static const uint32_t work_group_sizes[] = {1, 16, 32, 256};
enum { WORK_GROUP_SIZES = sizeof work_group_sizes / sizeof work_group_sizes[0] };

/* A kernel for each takes seconds to compile: of the sizes of several, the smallest and the largest. */
static bool takes_size(const test_live *live, size_t w)
{
    return work_group_sizes[w] <= live->info.max_work_group_size && (w != 2 || test_thorough());
}

static void every_form_on_both_paths(void **state)
{
    const test_live *live = *state;
    unsigned failures = 0;

    for (size_t w = 0; w < WORK_GROUP_SIZES; ++w)
        for (size_t i = 0; i < FORMS; ++i) {
            rig r;

            if (work_group_sizes[w] > live->info.max_work_group_size || ((w == 1 || w == 2) && i % 4 != 2))
                continue;
            set_up(live, &forms[i], NULL, work_group_sizes[w], 1300, 9000, &r);
            failures += run_counts(&r, BLOCK);
            tear_down(&r);
        }
    assert_int_equal(failures, 0);
}

static const clscan_problem *problem_at(size_t i)
{
    return &forms[1 + i % 4].problem;
}

/* The scan is one of blocks; its tiles may be large. */
static unsigned run_variant(const test_live *live, const clscan_variant *variant, size_t i)
{
    const uint64_t tile = clscan_variant_tile_count(variant), elements = (tile < 64 ? tile : 64) * BLOCK;
    unsigned failures;
    rig r;

    set_up(live, &forms[1 + i % 4], variant, i % 2 == 1 ? 16 : 0, 4 * elements + 2, 20 * elements + 500, &r);
    failures = run_counts(&r, elements);
    tear_down(&r);
    return failures;
}

/* Places are summed up by every body, carry and order. */
static void every_axis(void **state)
{
    test_every_axis(*state, 1, problem_at, run_variant);
}

/* Many tiles for each work-group, of runs that are short, long and missing. */
static void many_outputs(void **state)
{
    const test_live *live = *state;
    enum { COUNT = 300000, ROOM = 1500000 };
    unsigned failures = 0;

    for (size_t w = 0; w < WORK_GROUP_SIZES; ++w) {
        rig r;

        if (work_group_sizes[w] > live->info.max_work_group_size || w == 1)
            continue;
        set_up(live, &forms[2], NULL, work_group_sizes[w], COUNT, ROOM, &r);
        for (int of = 0; of < PATTERNS; ++of) {
            const repeat_case test = {.count = COUNT, .capacity = ROOM, .lengths = (pattern)of};

            failures += run_case(&r, &test);
        }
        tear_down(&r);
    }
    assert_int_equal(failures, 0);
}

enum { FEW_ELEMENTS = 5, FEW_OUTPUTS = 40 };

/* The first length is 7, the second more than anything has room for: that is there as far as there is room, and nothing
 * else. */
static void run_beyond_all_memory(const test_live *live, const clscan_problem *problem, uint32_t work_group_size,
                                  const void *lengths)
{
    static const int32_t values[FEW_ELEMENTS] = {10, 20, 30, 40, 50};
    const struct clscan__test_knobs knobs = {.expand_work_group_size = work_group_size};
    const clscan_plan_options options = {.struct_size = sizeof options, .test_knobs = &knobs};
    const size_t bytes = (FEW_ELEMENTS + problem->select->by_offsets) * problem->select->length_bytes;
    const cl_mem in = test_buffer(live, CL_MEM_READ_ONLY, sizeof values, values),
                 of_lengths = test_buffer(live, CL_MEM_READ_ONLY, bytes, lengths),
                 out = test_buffer(live, CL_MEM_READ_WRITE, (FEW_OUTPUTS + 1) * sizeof(int32_t), NULL),
                 number = test_buffer(live, CL_MEM_READ_WRITE, sizeof(uint64_t), NULL);
    const clscan_selection selection = {
        .struct_size = sizeof selection, .lengths.buffer = of_lengths, .capacity = FEW_OUTPUTS};
    const clscan_run_args args = {.struct_size = sizeof args,
                                  .in.buffer = in,
                                  .out.buffer = out,
                                  .count = FEW_ELEMENTS,
                                  .total.buffer = number,
                                  .selection = &selection};
    int32_t got[FEW_OUTPUTS + 1];
    uint64_t total = 0;
    clscan_report report = {.struct_size = sizeof report};
    clscan_plan *plan;
    clscan_workspace *workspace;
    clscan_error error = {0};

    memset(got, CANARY, sizeof got);
    test_write(live, out, got, sizeof got);
    test_write(live, number, &total, sizeof total);
    test_plan_create(live, problem, &options, &plan, &workspace);
    assert_status(CLSCAN_OK, clscan_run(plan, workspace, live->queue, &args, 0, NULL, NULL, &error), &error);
    test_read(live, out, sizeof got, got);
    test_read(live, number, sizeof total, &total);
    for (int i = 0; i < FEW_OUTPUTS; ++i)
        assert_int_equal(got[i], i < 7 ? 10 : 20);
    assert_int_equal(got[FEW_OUTPUTS], 0x5a5a5a5a);
    assert_true(total == (problem->accumulator != NULL ? UINT64_MAX : UINT32_MAX));
    assert_int_equal(clscan_workspace_report(workspace, live->queue, &report, NULL), CLSCAN_OK);
    assert_int_equal(report.overflows, 1);
    clscan_workspace_destroy(workspace);
    clscan_plan_destroy(plan);
    clReleaseMemObject(in);
    clReleaseMemObject(of_lengths);
    clReleaseMemObject(out);
    clReleaseMemObject(number);
}

static void run_beyond_on_both_paths(const test_live *live, const clscan_select *select, const void *lengths)
{
    for (size_t w = 0; w < WORK_GROUP_SIZES; ++w)
        for (int wide_places = 0; wide_places < 2; ++wide_places) {
            const clscan_problem problem =
                REPEAT(CLSCAN_INT32, .select = select, .accumulator = wide_places ? &uint64 : NULL);

            if (takes_size(live, w) && (w != 1 || !wide_places || test_thorough()))
                run_beyond_all_memory(live, &problem, work_group_sizes[w], lengths);
        }
}

/* Lengths that are too large together, also by far, and also where their lowest 32 bits are few. */
static void lengths_beyond_all_memory(void **state)
{
    static const clscan_select wide_lengths = {.struct_size = sizeof wide_lengths, .length_bytes = 8};
    static const uint64_t by_far[FEW_ELEMENTS] = {7, UINT64_MAX, 3, UINT64_MAX - 1, 9},
                          few_low_bits[FEW_ELEMENTS] = {7, (UINT64_C(1) << 32) + 2, 3, UINT64_MAX - 1, 9};

    run_beyond_on_both_paths(*state, &wide_lengths, by_far);
    run_beyond_on_both_paths(*state, &wide_lengths, few_low_bits);
}

/* Offsets that decrease are lengths beyond all room, also where they are few together. */
static void offsets_out_of_order(void **state)
{
    static const clscan_select plain_wide_offsets = {
        .struct_size = sizeof plain_wide_offsets, .length_bytes = 8, .by_offsets = 1};
    static const uint32_t at[FEW_ELEMENTS + 1] = {50, 57, 2, 3, 4, 5};
    static const uint64_t wide_at[FEW_ELEMENTS + 1] = {50, 57, 2, 3, 4, 5};

    run_beyond_on_both_paths(*state, &offsets, at);
    run_beyond_on_both_paths(*state, &plain_wide_offsets, wide_at);
}

/* The number of elements stands on the device, as the number of runs does that an encoder has found there. One that is
 * too large is none. */
static void device_count(void **state)
{
    enum { MOST = 3 * BLOCK + 7, ROOM = 4 * MOST };
    const test_live *live = *state;
    static const uint32_t counts[] = {77, 0, 2 * BLOCK, MOST, MOST + 1};

    for (size_t w = 0; w < 2 * WORK_GROUP_SIZES; ++w) {
        const uint32_t work_group_size = work_group_sizes[w / 2], count_bytes = w % 2 == 0 ? 4 : 8;
        const struct clscan__test_knobs knobs = {.expand_work_group_size = work_group_size};
        const clscan_plan_options options = {.struct_size = sizeof options, .test_knobs = &knobs};
        clscan_problem problem = REPEAT(CLSCAN_INT32, .select = &words, .count_bytes = count_bytes);
        uint32_t lengths[MOST], values[MOST], got[ROOM], total;
        clscan_plan *plan;
        clscan_workspace *workspace;
        clscan_report report = {.struct_size = sizeof report};

        if (!takes_size(live, w / 2) || (count_bytes == 8 && w / 2 == 1 && !test_thorough()))
            continue;
        for (uint32_t i = 0; i < MOST; ++i) {
            lengths[i] = i % 5;
            values[i] = i * 3 + 1;
        }
        const cl_mem in = test_buffer(live, CL_MEM_READ_ONLY, sizeof values, values),
                     of_lengths = test_buffer(live, CL_MEM_READ_ONLY, sizeof lengths, lengths),
                     out = test_buffer(live, CL_MEM_READ_WRITE, sizeof got, NULL),
                     numbers = test_buffer(live, CL_MEM_READ_WRITE, 2 * sizeof(uint64_t), NULL);
        const clscan_selection selection = {
            .struct_size = sizeof selection, .lengths.buffer = of_lengths, .capacity = ROOM};
        const clscan_run_args args = {.struct_size = sizeof args,
                                      .in.buffer = in,
                                      .out.buffer = out,
                                      .count = MOST,
                                      .device_count = {.buffer = numbers, .offset = 1},
                                      .total.buffer = numbers,
                                      .selection = &selection};

        problem.max_count = MOST;
        test_plan_create(live, &problem, &options, &plan, &workspace);
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
            const uint32_t count = counts[i] <= MOST ? counts[i] : 0;
            const uint64_t given = counts[i];
            unsigned char both[2 * sizeof given] = {99};
            uint32_t place = 0;
            clscan_error error = {0};

            memcpy(both + count_bytes, &given, sizeof given);
            memset(got, CANARY, sizeof got);
            test_write(live, out, got, sizeof got);
            test_write(live, numbers, both, sizeof both);
            assert_status(CLSCAN_OK, clscan_run(plan, workspace, live->queue, &args, 0, NULL, NULL, &error), &error);
            test_read(live, out, sizeof got, got);
            test_read(live, numbers, sizeof total, &total);
            for (uint32_t k = 0; k < count; ++k)
                for (uint32_t c = 0; c < k % 5; ++c)
                    assert_int_equal(got[place++], k * 3 + 1);
            assert_int_equal(total, place);
            while (place < ROOM)
                assert_int_equal(got[place++], 0x5a5a5a5a);
        }
        assert_int_equal(clscan_workspace_report(workspace, live->queue, &report, NULL), CLSCAN_OK);
        assert_int_equal(report.refused_counts, 1);
        assert_int_equal(report.overflows, 0);
        clscan_workspace_destroy(workspace);
        clscan_plan_destroy(plan);
        clReleaseMemObject(in);
        clReleaseMemObject(of_lengths);
        clReleaseMemObject(out);
        clReleaseMemObject(numbers);
    }
}

/* Numbers of elements of 64 bits are another text. Nobody here has the memory to run it. */
static void more_elements_than_32_bits_compile(void **state)
{
    const test_live *live = *state;

    for (size_t w = 0; w < 3; ++w) {
        const struct clscan__test_knobs knobs = {.expand_work_group_size = work_group_sizes[w]};
        const clscan_plan_options options = {.struct_size = sizeof options, .test_knobs = &knobs};
        clscan_problem problem = REPEAT(CLSCAN_INT32, .select = &wide_offsets);
        clscan_plan *plan = NULL;
        clscan_error error = {0};

        if (work_group_sizes[w] > live->info.max_work_group_size)
            continue;
        problem.max_count = UINT64_C(1) << 33;
        assert_status(CLSCAN_OK, clscan_plan_create(live->context, live->device, &problem, &options, &plan, &error),
                      &error);
        assert_true(clscan_plan_max_count(plan) == problem.max_count);
        clscan_plan_destroy(plan);
    }
}

/* A config's entries are chosen by the number of blocks. Counts of elements are what one asks by, and what one is told.
 */
static void choices_are_told_of_elements(void **state)
{
    enum { FEW = 2 };
    static const uint64_t counts[] = {1, FEW, FEW + 1, FEW * BLOCK, FEW * BLOCK + 1, 9 * BLOCK};
    const test_live *live = *state;
    clscan_problem problem = REPEAT(CLSCAN_INT32, .select = &words);
    clscan_config *config = NULL;
    clscan_plan *plan = NULL;
    char text[1024];
    clscan_error error = {0};

    problem.max_count = 9 * BLOCK;
    snprintf(text, sizeof text,
             "{\"schema_version\": 1, \"match\": \"%s\", \"provenance\": {\"origin\": \"tuned\", \"date\": "
             "\"2026-11-30\"}, \"entries\": [" ENTRY("%d", "\"single\"") ", " ENTRY(
                 "null", "\"reduce_then_scan\", \"work_groups_per_unit\": 2") "]}",
             live->info.key, FEW);
    assert_status(CLSCAN_OK, clscan_config_parse(text, strlen(text), "two entries", &config, &error), &error);
    const clscan_plan_options options = {.struct_size = sizeof options, .config = config};
    assert_status(CLSCAN_OK, clscan_plan_create(live->context, live->device, &problem, &options, &plan, &error),
                  &error);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        const bool few = counts[i] <= FEW * BLOCK;
        clscan_choice before = {.struct_size = sizeof before}, choice = {.struct_size = sizeof choice};
        clscan_kernel_info info = {.struct_size = sizeof info};
        char revision[CLSCAN_REVISION_BYTES];

        assert_status(CLSCAN_OK, clscan_config_explain(config, &live->info, &problem, counts[i], 0, &before, &error),
                      &error);
        assert_status(CLSCAN_OK, clscan_plan_explain(plan, counts[i], 0, &choice, &error), &error);
        assert_int_equal(choice.variant.carry, few ? CLSCAN_CARRY_SINGLE : CLSCAN_CARRY_REDUCE_THEN_SCAN);
        assert_int_equal(before.variant.carry, choice.variant.carry);
        assert_true(before.largest_count == (few ? FEW * BLOCK : UINT64_MAX));
        assert_true(few ? choice.largest_count == FEW * BLOCK : choice.largest_count >= problem.max_count);
        assert_status(CLSCAN_OK, clscan_plan_kernel_info(plan, counts[i], 0, &info, &error), &error);
        assert_int_equal(clscan_variant_revision(&choice.variant, &problem, &live->info, revision, NULL), CLSCAN_OK);
        assert_string_equal(info.revision, revision);
    }
    clscan_plan_destroy(plan);
    clscan_config_destroy(config);
}

/* More blocks than a launch can number: the plan is refused with the caller's number. */
static void too_many_for_a_variant(void **state)
{
    const test_live *live = *state;
    const clscan_plan_options options = {.struct_size = sizeof options, .variant = &test_waiting};
    clscan_problem problem = REPEAT(CLSCAN_UINT8, .select = &narrow);
    clscan_plan *plan = NULL;
    clscan_error error = {0};

    if (!test_may_wait(live))
        skip();
    problem.max_count = UINT64_C(1) << 60;
    assert_status(CLSCAN_ERROR_DEVICE_LIMIT,
                  clscan_plan_create(live->context, live->device, &problem, &options, &plan, &error), &error);
    assert_non_null(strstr(error.message, "max_count is 1152921504606846976"));
}

static void impossible_problems(void **state)
{
    static const clscan_select none = {.struct_size = sizeof none},
                               three = {.struct_size = sizeof three, .length_bytes = 3},
                               small = {.struct_size = sizeof small, .length_bytes = 2, .by_offsets = 1},
                               flags = {.struct_size = sizeof flags, .length_bytes = 4, .flag_bytes = 1},
                               twice_by = {.struct_size = sizeof twice_by, .length_bytes = 4, .by_offsets = 2},
                               long_ones = {.struct_size = sizeof long_ones, .length_bytes = 4, .long_runs = 1};
    static const clscan_rows rows = {.struct_size = sizeof rows, .count = 2};
    static const clscan_map_argument step = {.struct_size = sizeof step, .name = "step", .type = CLSCAN_UINT32};
    static const clscan_map with_source = {.struct_size = sizeof with_source,
                                           .expression = "index",
                                           .source = "uint twice(uint x) { return 2 * x; }"},
                            with_argument = {.struct_size = sizeof with_argument,
                                             .expression = "index",
                                             .arguments = &step,
                                             .argument_count = 1},
                            unsized = {.expression = "index"};
    static const struct {
        clscan_problem problem;
        clscan_status status;
        const char *words;
    } cases[] = {
        {REPEAT(CLSCAN_INT32, .select = NULL), CLSCAN_ERROR_INVALID_VALUE, "length_bytes is 0"},
        {REPEAT(CLSCAN_INT32, .select = &none), CLSCAN_ERROR_INVALID_VALUE, "length_bytes is 0"},
        {REPEAT(CLSCAN_INT32, .select = &three), CLSCAN_ERROR_INVALID_VALUE, "length_bytes is 3"},
        {REPEAT(CLSCAN_INT32, .select = &small), CLSCAN_ERROR_INVALID_VALUE, "offsets have 4 or 8 bytes"},
        {REPEAT(CLSCAN_INT32, .select = &flags), CLSCAN_ERROR_INVALID_VALUE, "flag_bytes is set"},
        {REPEAT(CLSCAN_INT32, .select = &twice_by), CLSCAN_ERROR_INVALID_VALUE, "by_offsets is 2"},
        {REPEAT(CLSCAN_INT32, .select = &long_ones), CLSCAN_ERROR_INVALID_VALUE, "long_runs is set"},
        {REPEAT(CLSCAN_INT32, .select = &words, .load = &twice), CLSCAN_ERROR_INVALID_VALUE, "problem->load is set"},
        {REPEAT(CLSCAN_INT32, .select = &words, .store = &twice, .output = &uint32), CLSCAN_ERROR_INVALID_VALUE,
         "problem->store"},
        {REPEAT(CLSCAN_INT32, .select = &words, .store = &with_source, .output = &uint32), CLSCAN_ERROR_INVALID_VALUE,
         "problem->store->source"},
        {REPEAT(CLSCAN_INT32, .select = &words, .store = &with_argument, .output = &uint32), CLSCAN_ERROR_INVALID_VALUE,
         "problem->store->argument_count"},
        {REPEAT(CLSCAN_INT32, .select = &words, .store = &unsized, .output = &uint32), CLSCAN_ERROR_STRUCT_SIZE,
         "problem->store"},
        {REPEAT(CLSCAN_INT32, .select = &words, .store = &to_index), CLSCAN_ERROR_UNSUPPORTED_TYPE,
         "an index is uint32"},
        {REPEAT(CLSCAN_INT32, .select = &words, .output = &uint64), CLSCAN_ERROR_UNSUPPORTED_TYPE,
         "problem->output is set"},
        {REPEAT(CLSCAN_INT32, .select = &words, .op = CLSCAN_MAX), CLSCAN_ERROR_INVALID_VALUE,
         "operation repeat combines nothing"},
        {REPEAT(CLSCAN_INT32, .select = &words, .form = CLSCAN_EXCLUSIVE), CLSCAN_ERROR_INVALID_VALUE,
         "repeat has no form"},
        {REPEAT(CLSCAN_INT32, .select = &words, .rows = &rows), CLSCAN_ERROR_INVALID_VALUE, "rows is set"},
        {{.struct_size = sizeof(clscan_problem), .operation = CLSCAN_SELECT, .max_count = 1, .select = &half_words},
         CLSCAN_ERROR_INVALID_VALUE,
         "which operation select writes"},
    };
    const test_live *live = *state;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        clscan_plan *plan = NULL;
        clscan_error error = {0};

        assert_status(cases[i].status,
                      clscan_plan_create(live->context, live->device, &cases[i].problem, NULL, &plan, &error), &error);
        if (strstr(error.message, cases[i].words) == NULL)
            fail_msg("case %zu: %s", i, error.message);
    }
}

static void what_a_run_gives_is_checked(void **state)
{
    enum { COUNT = 100, ROOM = 400 };
    const test_live *live = *state;
    const clscan_problem problem = REPEAT(CLSCAN_INT32, .select = &offsets);
    const cl_mem in = test_buffer(live, CL_MEM_READ_WRITE, COUNT * 4, NULL),
                 out = test_buffer(live, CL_MEM_READ_WRITE, ROOM * 4, NULL),
                 number = test_buffer(live, CL_MEM_READ_WRITE, 8, NULL),
                 unreadable = test_buffer(live, CL_MEM_WRITE_ONLY, 8, NULL),
                 lengths = test_buffer(live, CL_MEM_READ_WRITE, (COUNT + 1) * 4, NULL);
    const clscan_memory none = {.buffer = NULL};
    const struct {
        clscan_memory in, out, lengths, flags;
        uint64_t capacity;
        clscan_status status;
        const char *words;
    } cases[] = {
        {{.buffer = in}, {.buffer = out}, {.buffer = lengths}, none, ROOM, CLSCAN_OK, ""},
        {{.buffer = lengths}, {.buffer = out}, {.buffer = lengths}, none, ROOM, CLSCAN_OK, ""},
        {{.buffer = in}, {.buffer = out}, none, none, ROOM, CLSCAN_ERROR_NULL_ARGUMENT, "lengths is missing"},
        {{.buffer = in}, {.buffer = out}, {.buffer = in}, none, ROOM, CLSCAN_ERROR_BUFFER_TOO_SMALL, "->lengths"},
        {none, {.buffer = out}, {.buffer = lengths}, none, ROOM, CLSCAN_ERROR_NULL_ARGUMENT, "args->in"},
        {{.buffer = in},
         {.buffer = out},
         {.buffer = lengths},
         none,
         ROOM + 1,
         CLSCAN_ERROR_BUFFER_TOO_SMALL,
         "args->out"},
        {{.buffer = in}, {.buffer = in}, {.buffer = lengths}, none, COUNT, CLSCAN_ERROR_OVERLAP, "never in place"},
        {{.buffer = in}, {.buffer = lengths}, {.buffer = lengths}, none, COUNT, CLSCAN_ERROR_OVERLAP, "lengths"},
        {{.buffer = in},
         {.buffer = out},
         {.buffer = lengths},
         {.buffer = in},
         ROOM,
         CLSCAN_ERROR_INVALID_VALUE,
         "flags is set"},
        {{.buffer = in},
         {.buffer = out},
         {.buffer = lengths},
         none,
         UINT32_MAX,
         CLSCAN_ERROR_INVALID_VALUE,
         "count in uint32"},
    };
    clscan_plan *plan;
    clscan_workspace *workspace;

    test_plan_create(live, &problem, NULL, &plan, &workspace);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const clscan_selection selection = {.struct_size = sizeof selection,
                                            .flags = cases[i].flags,
                                            .lengths = cases[i].lengths,
                                            .capacity = cases[i].capacity};
        clscan_run_args args = {.struct_size = sizeof args,
                                .in = cases[i].in,
                                .out = cases[i].out,
                                .total.buffer = number,
                                .count = COUNT,
                                .selection = &selection};
        clscan_error error = {0};

        assert_status(cases[i].status, clscan_run(plan, workspace, live->queue, &args, 0, NULL, NULL, &error), &error);
        if (cases[i].status != CLSCAN_OK && strstr(error.message, cases[i].words) == NULL)
            fail_msg("case %zu: %s", i, error.message);
        if (cases[i].status != CLSCAN_OK)
            continue;
        args.total.buffer = NULL;
        assert_status(CLSCAN_ERROR_NULL_ARGUMENT,
                      clscan_run(plan, workspace, live->queue, &args, 0, NULL, NULL, &error), &error);
        args.total.buffer = unreadable;
        assert_status(CLSCAN_ERROR_BUFFER_ACCESS,
                      clscan_run(plan, workspace, live->queue, &args, 0, NULL, NULL, &error), &error);
    }
    assert_cl(clFinish(live->queue));
    clscan_workspace_destroy(workspace);
    clscan_plan_destroy(plan);
    clReleaseMemObject(in);
    clReleaseMemObject(out);
    clReleaseMemObject(number);
    clReleaseMemObject(unreadable);
    clReleaseMemObject(lengths);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_on_both_paths),
        cmocka_unit_test(every_axis),
        cmocka_unit_test(many_outputs),
        cmocka_unit_test(lengths_beyond_all_memory),
        cmocka_unit_test(offsets_out_of_order),
        cmocka_unit_test(device_count),
        cmocka_unit_test(more_elements_than_32_bits_compile),
        cmocka_unit_test(choices_are_told_of_elements),
        cmocka_unit_test(too_many_for_a_variant),
        cmocka_unit_test(impossible_problems),
        cmocka_unit_test(what_a_run_gives_is_checked),
    };
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
