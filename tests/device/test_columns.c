/* Columns of a selection, and indices beside what is kept: rows of a table follow the decision about the input, by
 * every form of it, every body, carry and order, as far as there is room, and after waits that were spent; and what is
 * refused. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "keep_patterns.h"
#include "live.h"
#include "parsed_variant.h"
#include "variant_walk.h"

enum { MARGIN = 3, CANARY = 0x5a, MOST_OUTPUTS = CLSCAN_MOST_COLUMNS + 2 };

#define SELECT(...)                                                                                                \
    {                                                                                                              \
        .struct_size = sizeof(clscan_problem), .operation = CLSCAN_SELECT, .type = CLSCAN_INT32, .max_count = 100, \
        __VA_ARGS__                                                                                                \
    }

static const clscan_element uint64 = {.struct_size = sizeof uint64, .type = CLSCAN_UINT64};
static const clscan_map positive = {.struct_size = sizeof positive, .expression = "element > 0"};
static const clscan_map twice = {.struct_size = sizeof twice, .expression = "element * 2"};
static const clscan_map to_index = {.struct_size = sizeof to_index, .expression = "index"};
static const clscan_map_argument bound = {.struct_size = sizeof bound, .name = "bound", .type = CLSCAN_INT32};
static const clscan_map in_bounds = {
    .struct_size = sizeof in_bounds, .expression = "element < bound", .arguments = &bound, .argument_count = 1};

static const uint32_t every_size[] = {1, 2, 4, 8, 3, 12, 24, 64}, one_size[] = {4}, wide[] = {16, 1};
#define COLUMNS(sizes) .column_bytes = (sizes), .column_count = sizeof(sizes) / sizeof(sizes)[0]

static const clscan_select by_flags = {.struct_size = sizeof by_flags, .flag_bytes = 1, COLUMNS(every_size)},
                           by_bits = {.struct_size = sizeof by_bits, .flag_bits = 1, .index_bytes = 4, COLUMNS(wide)},
                           by_rejected = {.struct_size = sizeof by_rejected,
                                          .flag_bytes = 4,
                                          .rejected = 1,
                                          .index_bytes = 8,
                                          COLUMNS(one_size)},
                           by_map = {.struct_size = sizeof by_map, .index_bytes = 4, COLUMNS(every_size)},
                           indices_only = {.struct_size = sizeof indices_only, .index_bytes = 8},
                           columns_only = {.struct_size = sizeof columns_only, COLUMNS(one_size)};

/* A way to decide about rows. Elements of the input are 1 where a row is wanted, else -1. */
typedef struct form {
    const char *name;
    clscan_problem problem;
    bool generates;      /* there is no input */
    bool keeps_unwanted; /* the others are kept */
    enum { ELEMENT, DOUBLED, INDEX } gives;
    bool takes_bound;
} form;

static const form forms[] = {
    {"flags, eight columns", SELECT(.select = &by_flags), false, false, ELEMENT, false},
    {"a predicate, eight columns and indices", SELECT(.select = &by_map, .load = &positive), false, false, ELEMENT,
     false},
    {"what flags reject, 64-bit places and indices", SELECT(.select = &by_rejected, .accumulator = &uint64), false,
     true, ELEMENT, false},
    {"bits, indices in both places", SELECT(.select = &by_bits, .store = &to_index, .output = &uint64), true, false,
     INDEX, false},
    {"values and indices, both from maps", SELECT(.select = &indices_only, .load = &positive, .store = &twice), false,
     false, DOUBLED, false},
    {"a predicate with an argument", SELECT(.select = &columns_only, .load = &in_bounds), false, true, ELEMENT, true},
};
enum { FORMS = sizeof forms / sizeof forms[0] };

/* What a run writes to: the output, columns in order, indices. */
typedef struct output {
    size_t bytes; /* of an element */
    cl_mem source, buffer;
    unsigned char *given, *expected;
} output;

typedef struct rig {
    const test_live *live;
    const form *form;
    clscan_plan *plan;
    clscan_workspace *workspace;
    uint64_t max_count;
    output outputs[MOST_OUTPUTS];
    uint32_t count; /* of outputs */
    cl_mem flags, total;
    uint32_t overflows, recomputed; /* by now; tiles, of plans that count them */
} rig;

static size_t room_bytes(const rig *r, const output *of)
{
    return ((size_t)r->max_count + 2 * MARGIN) * of->bytes;
}

static void add_output(rig *r, size_t bytes)
{
    output *added = &r->outputs[r->count++];
    size_t room;

    added->bytes = bytes;
    room = room_bytes(r, added);
    added->given = malloc(room);
    added->expected = malloc(room);
    assert_true(added->given != NULL && added->expected != NULL);
    for (size_t i = 0; i < room; ++i)
        added->given[i] = (unsigned char)mixed(i * 7 + r->count);
    added->source = test_buffer(r->live, CL_MEM_READ_ONLY, room, added->given);
    added->buffer = test_buffer(r->live, CL_MEM_WRITE_ONLY, room, NULL);
}

static void set_up_by(const test_live *live, const form *of, const clscan_plan_options *options, uint64_t max_count,
                      rig *r)
{
    const clscan_select *select = of->problem.select;
    clscan_problem problem = of->problem;

    *r = (rig){.live = live, .form = of, .max_count = max_count};
    problem.max_count = max_count;
    test_plan_create(live, &problem, options, &r->plan, &r->workspace);
    add_output(r, of->gives == INDEX ? 8 : 4);
    for (uint32_t i = 0; i < select->column_count; ++i)
        add_output(r, select->column_bytes[i]);
    if (select->index_bytes > 0)
        add_output(r, select->index_bytes);
    r->flags = test_buffer(live, CL_MEM_READ_ONLY, ((size_t)max_count + 2 * MARGIN) * sizeof(uint32_t), NULL);
    r->total = test_buffer(live, CL_MEM_READ_WRITE, sizeof(uint64_t), NULL);
}

static void set_up(const test_live *live, const form *of, const clscan_variant *variant, uint64_t max_count, rig *r)
{
    const clscan_plan_options options = {.struct_size = sizeof options, .variant = variant};

    set_up_by(live, of, &options, max_count, r);
}

static void tear_down(rig *r)
{
    assert_cl(clFinish(r->live->queue));
    clscan_workspace_destroy(r->workspace);
    clscan_plan_destroy(r->plan);
    for (uint32_t i = 0; i < r->count; ++i) {
        clReleaseMemObject(r->outputs[i].source);
        clReleaseMemObject(r->outputs[i].buffer);
        free(r->outputs[i].given);
        free(r->outputs[i].expected);
    }
    clReleaseMemObject(r->flags);
    clReleaseMemObject(r->total);
}

typedef struct columns_case {
    uint64_t count, capacity; /* capacity 0: as many as the count */
    uint32_t per_mille;       /* that are wanted */
    uint64_t initial;         /* where the outputs begin */
    uint64_t offset;          /* of all buffers */
} columns_case;

/* What row `index` leaves at `place`, both behind the offset. */
static void expect_row(rig *r, uint64_t index, uint64_t place, uint64_t offset)
{
    const clscan_select *select = r->form->problem.select;

    for (uint32_t i = 0; i < r->count; ++i) {
        output *to = &r->outputs[i];
        unsigned char *at = to->expected + (place + offset) * to->bytes;
        const bool is_index = (i == 0 && r->form->gives == INDEX) || (i == r->count - 1 && select->index_bytes > 0);
        int32_t element;

        memcpy(at, is_index ? (const unsigned char *)&index : to->given + (index + offset) * to->bytes, to->bytes);
        if (i > 0 || r->form->gives != DOUBLED)
            continue;
        memcpy(&element, at, sizeof element);
        element *= 2;
        memcpy(at, &element, sizeof element);
    }
}

/* Input, flags and what is expected. Returns the number needed. */
static uint64_t write_case(rig *r, const columns_case *test, uint64_t capacity)
{
    const size_t flag_bytes = r->form->problem.select->flag_bytes, bits = r->form->problem.select->flag_bits;
    const size_t flags_bytes = ((size_t)r->max_count + 2 * MARGIN) * sizeof(uint32_t);
    unsigned char *flags = calloc(1, flags_bytes);
    uint64_t kept = test->initial;

    assert_non_null(flags);
    for (uint32_t i = 0; i < r->count; ++i)
        memset(r->outputs[i].expected, CANARY, room_bytes(r, &r->outputs[i]));
    for (uint64_t i = 0; i < test->count; ++i) {
        const bool want = mixed(i * 3 + 11) % 1000 < test->per_mille;
        const int32_t element = want ? 1 : -1;

        if (!r->form->generates)
            memcpy(r->outputs[0].given + (i + test->offset) * sizeof element, &element, sizeof element);
        if (want && bits)
            flags[test->offset + i / 8] |= (unsigned char)(1u << i % 8);
        if (want && !bits)
            flags[(test->offset + i) * flag_bytes] = 1;
    }
    test_write(r->live, r->outputs[0].source, r->outputs[0].given, room_bytes(r, &r->outputs[0]));
    test_write(r->live, r->flags, flags, flags_bytes);
    for (uint64_t i = 0; i < test->count; ++i) {
        const bool want = mixed(i * 3 + 11) % 1000 < test->per_mille;

        if (want == r->form->keeps_unwanted)
            continue;
        if (kept < capacity)
            expect_row(r, i, kept, test->offset);
        ++kept;
    }
    free(flags);
    return kept;
}

/* How many bytes of an output are wrong. */
static unsigned check_output(const rig *r, const output *of)
{
    const size_t room = room_bytes(r, of);
    unsigned char *got = malloc(room);
    unsigned wrong = 0;

    assert_non_null(got);
    test_read(r->live, of->buffer, room, got);
    for (size_t i = 0; i < room; ++i)
        wrong += got[i] != of->expected[i];
    free(got);
    return wrong;
}

/* 0, or 1 after printing what is wrong. */
static unsigned run_case(rig *r, const columns_case *test)
{
    const uint64_t capacity = test->capacity > 0 ? test->capacity : test->count;
    const uint64_t needed = write_case(r, test, capacity);
    const clscan_select *select = r->form->problem.select;
    const size_t place_bytes = r->form->problem.accumulator != NULL ? 8 : 4;
    const int32_t limit = 1;
    const clscan_memory argument = {.kind = CLSCAN_MEMORY_HOST, .pointer = (void *)&limit};
    clscan_column columns[CLSCAN_MOST_COLUMNS] = {{.in.buffer = NULL}};
    clscan_selection selection = {.struct_size = sizeof selection, .capacity = test->capacity};
    clscan_run_args args = {.struct_size = sizeof args, .count = test->count, .selection = &selection};
    clscan_report report = {.struct_size = sizeof report};
    clscan_error error = {0};
    uint64_t total = 0;
    unsigned wrong = 0;

    for (uint32_t i = 0; i < r->count; ++i) {
        unsigned char *canary = malloc(room_bytes(r, &r->outputs[i]));

        assert_non_null(canary);
        memset(canary, CANARY, room_bytes(r, &r->outputs[i]));
        test_write(r->live, r->outputs[i].buffer, canary, room_bytes(r, &r->outputs[i]));
        free(canary);
    }
    test_write(r->live, r->total, &total, sizeof total);
    for (uint32_t i = 0; i < select->column_count; ++i) {
        columns[i].in = (clscan_memory){.buffer = r->outputs[i + 1].source, .offset = test->offset};
        columns[i].out = (clscan_memory){.buffer = r->outputs[i + 1].buffer, .offset = test->offset};
    }
    if (select->column_count > 0)
        selection.columns = columns;
    if (select->index_bytes > 0)
        selection.indices = (clscan_memory){.buffer = r->outputs[r->count - 1].buffer, .offset = test->offset};
    if (select->flag_bytes > 0 || select->flag_bits)
        selection.flags = (clscan_memory){.buffer = r->flags, .offset = test->offset};
    if (!r->form->generates)
        args.in = (clscan_memory){.buffer = r->outputs[0].source, .offset = test->offset};
    args.out = (clscan_memory){.buffer = r->outputs[0].buffer, .offset = test->offset};
    args.total.buffer = r->total;
    if (test->initial > 0)
        args.initial = (clscan_memory){.kind = CLSCAN_MEMORY_HOST, .pointer = (void *)&test->initial};
    if (r->form->takes_bound) {
        args.map_arguments = &argument;
        args.map_argument_count = 1;
    }
    assert_status(CLSCAN_OK, clscan_run(r->plan, r->workspace, r->live->queue, &args, 0, NULL, NULL, &error), &error);
    for (uint32_t i = 0; i < r->count; ++i) {
        const unsigned bytes = check_output(r, &r->outputs[i]);

        if (bytes > 0)
            print_error("%s: output %u of %u: %u bytes differ\n", r->form->name, i, r->count, bytes);
        wrong += bytes;
    }
    test_read(r->live, r->total, place_bytes, &total);
    r->overflows += needed > capacity;
    assert_int_equal(clscan_workspace_report(r->workspace, r->live->queue, &report, NULL), CLSCAN_OK);
    r->recomputed = report.recomputed;
    wrong += total != needed || report.overflows != r->overflows || report.failures != 0;
    if (wrong > 0)
        print_error("%s: %llu elements, room for %llu from %llu: total %llu, not %llu; %u overflows, not %u\n",
                    r->form->name, (unsigned long long)test->count, (unsigned long long)capacity,
                    (unsigned long long)test->initial, (unsigned long long)total, (unsigned long long)needed,
                    report.overflows, r->overflows);
    return wrong > 0;
}

/* Counts at the edges of tiles, by shares of kept elements, capacities and offsets that take turns. */
static unsigned run_counts(rig *r, uint64_t tile)
{
    const uint64_t counts[] = {0, 1, tile - 1, tile, tile + 1, 3 * tile + tile / 2 + 1};
    static const uint32_t per_mille[] = {500, 1000, 10, 0};
    unsigned failures = 0;

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        columns_case test = {.count = counts[i], .per_mille = per_mille[i % 4], .offset = i % 2 == 0 ? MARGIN : 0};

        failures += run_case(r, &test);
        test.per_mille = 400;
        test.capacity = counts[i] / 3 + 1;
        failures += run_case(r, &test);
        test.initial = counts[i] / 9;
        test.capacity = counts[i];
        failures += run_case(r, &test);
    }
    return failures;
}

static void every_form(void **state)
{
    unsigned failures = 0;

    for (size_t i = 0; i < FORMS; ++i) {
        rig r;

        set_up(*state, &forms[i], NULL, 2000, &r);
        failures += run_counts(&r, 300);
        tear_down(&r);
    }
    assert_int_equal(failures, 0);
}

static const clscan_problem *problem_at(size_t i)
{
    return &forms[i % 4].problem;
}

static unsigned run_variant(const test_live *live, const clscan_variant *variant, size_t i)
{
    const uint64_t tile = clscan_variant_tile_count(variant);
    unsigned failures;
    rig r;

    set_up(live, &forms[i % 4], variant, 4 * tile + 2, &r);
    failures = run_counts(&r, tile);
    tear_down(&r);
    return failures;
}

static void every_axis(void **state)
{
    test_every_axis(*state, 3, problem_at, run_variant);
}

static unsigned run_spent_waits(const test_live *live, const clscan_plan_options *options, unsigned *recomputed)
{
    enum { TILES = 24, REPEATS = 20 };
    static const uint32_t per_mille[] = {500, 1000, 940, 0, 3};
    const uint64_t tile = clscan_variant_tile_count(options->variant);
    unsigned failures = 0;
    rig r;

    set_up_by(live, &forms[1], options, TILES * tile, &r);
    for (unsigned repeat = 0; repeat < REPEATS; ++repeat) {
        const uint64_t count = TILES * tile - repeat;

        failures += run_case(&r, &(columns_case){.count = count,
                                                 .capacity = repeat % 4 == 3 ? count / 3 : 0,
                                                 .per_mille = per_mille[repeat % 5],
                                                 .initial = repeat % 3 == 2 ? 7 : 0});
    }
    *recomputed += r.recomputed;
    tear_down(&r);
    return failures;
}

/* Who waited in vain asks the predicate about the tiles in front; all columns follow what it finds. */
static void after_spent_waits(void **state)
{
    test_spent_waits(*state, &forms[1].problem, run_spent_waits);
}

static void impossible_problems(void **state)
{
    static const uint32_t none[] = {4, 0}, large[] = {65}, many[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    static const struct {
        clscan_select select;
        const char *words;
        uint64_t max_count; /* 0: that of the others */
    } cases[] = {
        {{.struct_size = sizeof(clscan_select), COLUMNS(none)}, "column_bytes[1] is 0", 0},
        {{.struct_size = sizeof(clscan_select), COLUMNS(large)}, "column_bytes[0] is 65", 0},
        {{.struct_size = sizeof(clscan_select), COLUMNS(many)}, "column_count is 9", 0},
        {{.struct_size = sizeof(clscan_select), .column_count = 1}, "column_count is 1, column_bytes is NULL", 0},
        {{.struct_size = sizeof(clscan_select), .column_bytes = one_size}, "column_count is 0", 0},
        {{.struct_size = sizeof(clscan_select), .index_bytes = 2}, "index_bytes is 2", 0},
        {{.struct_size = sizeof(clscan_select), .index_bytes = 4}, "index_bytes is 4, too few", (1ull << 32) + 1},
    };
    const test_live *live = *state;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        clscan_problem problem = SELECT(.select = &cases[i].select);
        clscan_plan *plan = NULL;
        clscan_error error = {0};

        if (cases[i].max_count > 0)
            problem.max_count = cases[i].max_count;

        assert_status(CLSCAN_ERROR_INVALID_VALUE,
                      clscan_plan_create(live->context, live->device, &problem, NULL, &plan, &error), &error);
        if (strstr(error.message, cases[i].words) == NULL)
            fail_msg("case %zu: %s", i, error.message);
    }
}

/* Columns that are missing, of unlike length, or in each other's way. */
static void what_a_run_gives_is_checked(void **state)
{
    enum { COUNT = 100 };
    const form *of = &forms[3]; /* bits, columns of 16 bytes and of 1, indices of 4 */
    rig r;
    clscan_error error = {0};

    set_up(*state, of, NULL, COUNT, &r);
    {
        const cl_mem small = test_buffer(r.live, CL_MEM_READ_WRITE, COUNT - 1, NULL),
                     both = test_buffer(r.live, CL_MEM_READ_WRITE, COUNT * 16, NULL);
        const clscan_column good[] = {{{.buffer = r.outputs[1].source}, {.buffer = r.outputs[1].buffer}},
                                      {{.buffer = r.outputs[2].source}, {.buffer = r.outputs[2].buffer}}};
        const clscan_column short_in[] = {good[0], {{.buffer = small}, good[1].out}};
        const clscan_column short_out[] = {good[0], {good[1].in, {.buffer = small}}};
        const clscan_column no_out[] = {{good[0].in, {.buffer = NULL}}, good[1]};
        const clscan_column in_place[] = {{{.buffer = both}, {.buffer = both}}, good[1]};
        const clscan_column shared_out[] = {{good[0].in, {.buffer = both}}, {good[1].in, {.buffer = both}}};
        const clscan_column shared_in[] = {good[0], {good[0].in, good[1].out}};
        const clscan_memory indices = {.buffer = r.outputs[3].buffer};
        const struct {
            const clscan_column *columns;
            clscan_memory indices;
            clscan_status status;
            const char *words;
        } cases[] = {
            {good, indices, CLSCAN_OK, ""},
            {shared_in, indices, CLSCAN_OK, ""},
            {NULL, indices, CLSCAN_ERROR_NULL_ARGUMENT, "selection->columns is NULL"},
            {short_in, indices, CLSCAN_ERROR_BUFFER_TOO_SMALL, "columns[1].in"},
            {short_out, indices, CLSCAN_ERROR_BUFFER_TOO_SMALL, "columns[1].out"},
            {no_out, indices, CLSCAN_ERROR_NULL_ARGUMENT, "columns[0].out"},
            {in_place, indices, CLSCAN_ERROR_OVERLAP, "columns[0].in"},
            {shared_out, indices, CLSCAN_ERROR_OVERLAP, "columns[1].out"},
            {good, {.buffer = NULL}, CLSCAN_ERROR_NULL_ARGUMENT, "selection->indices"},
            {good, {.buffer = small}, CLSCAN_ERROR_BUFFER_TOO_SMALL, "selection->indices"},
            {good, {.buffer = r.outputs[0].buffer}, CLSCAN_ERROR_OVERLAP, "selection->indices"},
        };

        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
            const clscan_selection selection = {.struct_size = sizeof selection,
                                                .flags.buffer = r.flags,
                                                .columns = cases[i].columns,
                                                .indices = cases[i].indices};
            const clscan_run_args args = {.struct_size = sizeof args,
                                          .out.buffer = r.outputs[0].buffer,
                                          .total.buffer = r.total,
                                          .count = COUNT,
                                          .selection = &selection};

            assert_status(cases[i].status, clscan_run(r.plan, r.workspace, r.live->queue, &args, 0, NULL, NULL, &error),
                          &error);
            if (cases[i].status != CLSCAN_OK && strstr(error.message, cases[i].words) == NULL)
                fail_msg("case %zu: %s", i, error.message);
        }
        assert_cl(clFinish(r.live->queue));
        clReleaseMemObject(small);
        clReleaseMemObject(both);
    }
    tear_down(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form),
        cmocka_unit_test(every_axis),
        cmocka_unit_test(after_spent_waits),
        cmocka_unit_test(impossible_problems),
        cmocka_unit_test(what_a_run_gives_is_checked),
    };
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
