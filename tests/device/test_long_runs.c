/* Runs of two and more elements (clscan_select.long_runs): their first elements, where these are, what belongs to them
 * in other columns, and how long the runs are. By every form of the decision, every body, carry and order, as far as
 * there is room; and what is refused. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "keep_patterns.h"
#include "live.h"
#include "variant_walk.h"

enum { MARGIN = 3, CANARY = 0x5a, MOST = 64, MOST_BYTES = 8 };

#define SELECT(...)                                                                                                \
    {                                                                                                              \
        .struct_size = sizeof(clscan_problem), .operation = CLSCAN_SELECT, .type = CLSCAN_INT32, .max_count = 100, \
        __VA_ARGS__                                                                                                \
    }
#define RUNS(...)                                                         \
    {                                                                     \
        .struct_size = sizeof(clscan_select), .long_runs = 1, __VA_ARGS__ \
    }

static const clscan_element uint64 = {.struct_size = sizeof uint64, .type = CLSCAN_UINT64},
                            uint32 = {.struct_size = sizeof uint32, .type = CLSCAN_UINT32};
static const clscan_map unique = {.struct_size = sizeof unique, .expression = "index == 0 || element != before"};
/* Elements are two halves of an int32, of which the upper one does not matter. */
static const clscan_element halves = {.struct_size = sizeof halves,
                                      .name = "halves",
                                      .size_bytes = 4,
                                      .align_bytes = 2,
                                      .source = "typedef struct halves { ushort low, high; } halves;"};
static const clscan_map same_low = {.struct_size = sizeof same_low,
                                    .source = "bool same(halves a, halves b) { return a.low == b.low; }",
                                    .expression = "!same(before, element)"};
static const clscan_map odd = {.struct_size = sizeof odd, .expression = "element & 1"};
static const clscan_map to_index = {.struct_size = sizeof to_index, .expression = "index"};
static const clscan_map to_place = {.struct_size = sizeof to_place, .expression = "sum * 1000 + index"};
static const uint32_t one_size[] = {4};
static const clscan_select narrow = RUNS(.length_bytes = 4, .index_bytes = 4), wide = RUNS(.length_bytes = 8),
                           by_flags =
                               RUNS(.flag_bytes = 2, .length_bytes = 4, .column_bytes = one_size, .column_count = 1),
                           by_bits = RUNS(.flag_bits = 1, .length_bytes = 8), by_rejected = RUNS(.rejected = 1),
                           in_place =
                               RUNS(.length_bytes = 4, .column_bytes = one_size, .column_count = 1, .in_place = 1);

/* A way to say where runs begin. */
typedef struct form {
    const char *name;
    clscan_problem problem;
    enum { CHANGES, ODD, EVEN, FLAGS } begins; /* at elements that differ from the one before, ...; by flags */
    enum { ELEMENTS, INDICES, PLACES } gives;
} form;

static const form forms[] = {
    {"equal elements", SELECT(.select = &narrow, .load = &unique), CHANGES, ELEMENTS},
    {"an equality of one's own, 64-bit places and lengths",
     SELECT(.select = &wide, .element = &halves, .load = &same_low, .accumulator = &uint64), CHANGES, ELEMENTS},
    {"flags and a column", SELECT(.select = &by_flags), FLAGS, ELEMENTS},
    {"indices of bits", SELECT(.select = &by_bits, .store = &to_index, .output = &uint64), FLAGS, INDICES},
    {"what a predicate rejects, counted on the device, without lengths",
     SELECT(.select = &by_rejected, .load = &odd, .count_bytes = 4), EVEN, ELEMENTS},
    {"places", SELECT(.select = &narrow, .load = &odd, .store = &to_place, .output = &uint32), ODD, PLACES},
    {"in place, with a column", SELECT(.select = &in_place, .load = &unique), CHANGES, ELEMENTS},
};
enum { FORMS = sizeof forms / sizeof forms[0] };

typedef struct runs_case {
    uint64_t count, capacity; /* capacity 0: as many as the count */
    keep_pattern pattern;     /* of elements that begin a run */
    uint64_t offset;
} runs_case;

/* What a run writes. */
typedef enum output { OUT, COLUMN, INDEX, LENGTH, OUTPUTS } output;
static const char *const output_names[] = {"elements", "column", "indices", "lengths"};

typedef struct rig {
    const test_live *live;
    const form *form;
    clscan_plan *plan;
    clscan_workspace *workspace;
    uint64_t max_count, tile;
    cl_mem in, flags, column, total, count, outputs[OUTPUTS];
    size_t bytes[OUTPUTS]; /* of each element; 0: there is no such output */
    uint32_t overflows, recomputed;
} rig;

static size_t room_of(const rig *r, size_t bytes)
{
    return ((size_t)r->max_count + 2 * MARGIN) * bytes;
}

static void set_up(const test_live *live, const form *of, const clscan_plan_options *options, uint64_t max_count,
                   uint64_t tile, rig *r)
{
    clscan_problem problem = of->problem;
    const clscan_select *select = problem.select;

    *r = (rig){
        .live = live,
        .form = of,
        .max_count = max_count,
        .tile = tile,
        .bytes = {of->gives == INDICES ? 8 : 4, 4 * select->column_count, select->index_bytes, select->length_bytes}};
    problem.max_count = max_count;
    test_plan_create(live, &problem, options, &r->plan, &r->workspace);
    r->in = test_buffer(live, CL_MEM_READ_WRITE, room_of(r, 4), NULL);
    r->flags = test_buffer(live, CL_MEM_READ_ONLY, room_of(r, 2), NULL);
    r->column = test_buffer(live, CL_MEM_READ_ONLY, room_of(r, 4), NULL);
    r->total = test_buffer(live, CL_MEM_READ_WRITE, sizeof(uint64_t), NULL);
    r->count = test_buffer(live, CL_MEM_READ_ONLY, sizeof(uint32_t), NULL);
    for (int i = 0; i < OUTPUTS; ++i)
        r->outputs[i] = test_buffer(live, CL_MEM_READ_WRITE, room_of(r, MOST_BYTES), NULL);
}

static void tear_down(rig *r)
{
    const cl_mem buffers[] = {r->in, r->flags, r->column, r->total, r->count};

    assert_cl(clFinish(r->live->queue));
    clscan_workspace_destroy(r->workspace);
    clscan_plan_destroy(r->plan);
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; ++i)
        clReleaseMemObject(buffers[i]);
    for (int i = 0; i < OUTPUTS; ++i)
        clReleaseMemObject(r->outputs[i]);
}

/* The first element begins a run, whatever flags and predicate say. */
static bool begins(const rig *r, const runs_case *test, uint64_t i)
{
    return i == 0 || i >= test->count || pattern_marks(test->pattern, i, test->count, r->tile);
}

typedef struct inputs {
    int32_t *in, *column;
    unsigned char *flags;
} inputs;

static inputs make_inputs(const rig *r, const runs_case *test)
{
    const bool bits = r->form->problem.select->flag_bits != 0;
    const inputs made = {calloc(1, room_of(r, 4)), calloc(1, room_of(r, 4)), calloc(1, room_of(r, 2))};
    int32_t value = 0;

    assert_true(made.in != NULL && made.column != NULL && made.flags != NULL);
    for (uint64_t i = 0; i < test->count; ++i) {
        const bool marked = pattern_marks(test->pattern, i, test->count, r->tile);
        const uint64_t at = test->offset + i;

        value = (value + begins(r, test, i)) & 0xffff;
        made.in[at] = r->form->begins == CHANGES ? value
                      : r->form->begins == EVEN  ? 2 * (int32_t)i + !marked
                                                 : 2 * (int32_t)i + marked;
        if (r->form->problem.element != NULL)
            made.in[at] |= (int32_t)((i & 0x7fff) << 16);
        made.column[at] = (int32_t)(7 * i + 3);
        if (bits && marked)
            made.flags[test->offset + i / 8] |= (unsigned char)(1u << i % 8);
        if (!bits && marked)
            made.flags[at * 2 + 1] = 1;
    }
    test_write(r->live, r->in, made.in, room_of(r, 4));
    test_write(r->live, r->column, made.column, room_of(r, 4));
    test_write(r->live, r->flags, made.flags, room_of(r, 2));
    return made;
}

/* What an output has of the run of `length` elements from `first` on, which goes to `place`. */
static uint64_t value_of(const rig *r, const runs_case *test, const inputs *from, output what, uint64_t place,
                         uint64_t first, uint64_t length)
{
    switch (what) {
    case OUT:
        return r->form->gives == INDICES  ? first
               : r->form->gives == PLACES ? place * 1000 + first
                                          : (uint32_t)from->in[test->offset + first];
    case COLUMN:
        return (uint32_t)from->column[test->offset + first];
    case INDEX:
        return first;
    default:
        return length;
    }
}

/* The bytes that an output is to have, which begins as they are. Returns the number of places needed. */
static uint64_t expect(const rig *r, const runs_case *test, const inputs *from, output what, uint64_t capacity,
                       unsigned char *expected)
{
    uint64_t kept = 0;

    for (uint64_t i = 0, end; i < test->count; i = end) {
        for (end = i + 1; !begins(r, test, end);)
            ++end;
        if (end - i < 2)
            continue;
        if (kept < capacity) {
            const uint64_t value = value_of(r, test, from, what, kept, i, end - i);

            memcpy(expected + (test->offset + kept) * r->bytes[what], &value, r->bytes[what]); /* little-endian */
        }
        ++kept;
    }
    return kept;
}

static bool is_in_place(const rig *r)
{
    return r->form->problem.select->in_place != 0;
}

/* 0, or 1 after printing what is wrong. */
static unsigned check_output(rig *r, const runs_case *test, const inputs *from, output what, uint64_t capacity,
                             uint64_t *needed)
{
    const bool over_input = what == OUT && is_in_place(r);
    const size_t size_bytes = over_input ? room_of(r, 4) : room_of(r, MOST_BYTES);
    unsigned char *expected = malloc(size_bytes), *got = malloc(size_bytes);
    size_t at = 0;

    assert_true(expected != NULL && got != NULL);
    memset(expected, CANARY, size_bytes);
    if (over_input)
        memcpy(expected, from->in, size_bytes);
    *needed = expect(r, test, from, what, r->bytes[what] > 0 ? capacity : 0, expected);
    test_read(r->live, over_input ? r->in : r->outputs[what], size_bytes, got);
    while (at < size_bytes && expected[at] == got[at])
        ++at;
    if (at < size_bytes)
        print_error("%s: %llu elements, pattern %d, room for %llu, offset %llu: byte %zu of %s differs\n",
                    r->form->name, (unsigned long long)test->count, (int)test->pattern, (unsigned long long)capacity,
                    (unsigned long long)test->offset, at, output_names[what]);
    free(expected);
    free(got);
    return at < size_bytes;
}

static unsigned check(rig *r, const runs_case *test, const inputs *from, uint64_t capacity)
{
    clscan_report report = {.struct_size = sizeof report};
    uint64_t total = 0, needed = 0;
    unsigned wrong = 0;

    for (int what = 0; what < OUTPUTS; ++what)
        wrong += check_output(r, test, from, (output)what, capacity, &needed);
    test_read(r->live, r->total, r->form->problem.accumulator != NULL ? 8 : 4, &total);
    r->overflows += needed > capacity;
    assert_int_equal(clscan_workspace_report(r->workspace, r->live->queue, &report, NULL), CLSCAN_OK);
    r->recomputed = report.recomputed;
    if (total == needed && report.failures == 0 && report.overflows == r->overflows)
        return wrong;
    print_error("%s: %llu elements, pattern %d, room for %llu: total %llu, not %llu; %u overflows, not %u\n",
                r->form->name, (unsigned long long)test->count, (int)test->pattern, (unsigned long long)capacity,
                (unsigned long long)total, (unsigned long long)needed, report.overflows, r->overflows);
    return wrong + 1;
}

/* How much is wrong. */
static unsigned run_case(rig *r, const runs_case *test)
{
    const clscan_select *select = r->form->problem.select;
    const uint32_t count = (uint32_t)test->count;
    const bool on_device = r->form->problem.count_bytes > 0;
    const inputs from = make_inputs(r, test);
    const clscan_memory in = {.buffer = r->in, .offset = test->offset};
    const clscan_column column = {{.buffer = r->column, .offset = test->offset},
                                  {.buffer = r->outputs[COLUMN], .offset = test->offset}};
    clscan_selection selection = {.struct_size = sizeof selection, .capacity = test->capacity};
    clscan_run_args args = {.struct_size = sizeof args,
                            .in = r->form->gives == INDICES ? (clscan_memory){.buffer = NULL} : in,
                            .out = is_in_place(r) ? in
                                                  : (clscan_memory){.buffer = r->outputs[OUT], .offset = test->offset},
                            .count = on_device ? r->max_count : test->count,
                            .total.buffer = r->total,
                            .selection = &selection};
    const uint64_t untold = UINT64_MAX;
    clscan_error error = {0};
    unsigned char *canaries = malloc(room_of(r, MOST_BYTES));
    unsigned wrong;

    assert_true(canaries != NULL);
    memset(canaries, CANARY, room_of(r, MOST_BYTES));
    for (int i = 0; i < OUTPUTS; ++i)
        test_write(r->live, r->outputs[i], canaries, room_of(r, MOST_BYTES));
    free(canaries);
    test_write(r->live, r->total, &untold, sizeof untold);
    test_write(r->live, r->count, &count, sizeof count);
    if (on_device)
        args.device_count.buffer = r->count;
    if (select->flag_bytes > 0 || select->flag_bits)
        selection.flags = (clscan_memory){.buffer = r->flags, .offset = test->offset};
    if (select->column_count > 0)
        selection.columns = &column;
    if (select->index_bytes > 0)
        selection.indices = (clscan_memory){.buffer = r->outputs[INDEX], .offset = test->offset};
    if (select->length_bytes > 0)
        selection.lengths = (clscan_memory){.buffer = r->outputs[LENGTH], .offset = test->offset};
    assert_status(CLSCAN_OK, clscan_run(r->plan, r->workspace, r->live->queue, &args, 0, NULL, NULL, &error), &error);
    wrong = check(r, test, &from, test->capacity > 0 ? test->capacity : args.count);
    free(from.in);
    free(from.column);
    free(from.flags);
    return wrong;
}

/* How many places a case needs. */
static uint64_t needs(const rig *r, const runs_case *test)
{
    uint64_t kept = 0;

    for (uint64_t i = 0; i < test->count; ++i)
        kept += begins(r, test, i) && !begins(r, test, i + 1);
    return kept;
}

/* Counts at the edges of tiles, by every pattern; larger ones first, so that marks of them are there when smaller ones
 * come. */
static unsigned run_counts(rig *r)
{
    const uint64_t counts[] = {3 * r->tile + r->tile / 2 + 1, r->tile + 1, r->tile, r->tile - 1, 3, 2, 1, 0};
    unsigned failures = 0;

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        for (int kind = 0; kind < PATTERNS; ++kind) {
            runs_case test = {
                .count = counts[i], .pattern = (keep_pattern)kind, .offset = (i + (size_t)kind) % 2 ? MARGIN : 0};
            uint64_t needed;

            failures += run_case(r, &test);
            needed = needs(r, &test);
            if (needed < 2)
                continue;
            test.capacity = kind % 2 ? needed - 1 : needed / 2;
            failures += run_case(r, &test);
        }
    }
    return failures;
}

/* Every capacity, among them those that end between two units. */
static unsigned run_capacities(rig *r, uint64_t count)
{
    unsigned failures = 0;

    for (uint64_t capacity = 1; capacity <= count / 2; ++capacity)
        failures += run_case(r, &(runs_case){.count = count, .capacity = capacity, .pattern = SOME});
    return failures;
}

static unsigned run_form(const test_live *live, size_t i, const clscan_plan_options *options, uint64_t max_count,
                         uint64_t tile)
{
    unsigned failures;
    rig r;

    set_up(live, &forms[i], options, max_count, tile, &r);
    failures = run_counts(&r);
    failures += run_capacities(&r, tile < MOST ? 2 * tile : MOST);
    tear_down(&r);
    return failures;
}

static const clscan_problem *problem_at(size_t i)
{
    return &forms[i].problem;
}

static const test_forms all = {.count = FORMS, .turn = 3, .problem_at = problem_at, .run = run_form};

static void every_form(void **state)
{
    test_each_form(*state, &all);
}

static void every_axis(void **state)
{
    test_forms_on_every_axis(*state, &all);
}

/* More places than a work-item walks, and more work-groups that walk than one. */
static void many_units(void **state)
{
    rig r;
    unsigned failures = 0;

    set_up(*state, &forms[0], NULL, 300000, 1000, &r);
    failures += run_case(&r, &(runs_case){.count = 300000, .pattern = SOME});
    failures += run_case(&r, &(runs_case){.count = 299999, .pattern = SOME, .capacity = 256 * 200});
    failures += run_case(&r, &(runs_case){.count = 300000, .pattern = FEW});
    failures += run_case(&r, &(runs_case){.count = 300000, .pattern = NONE});
    failures += run_case(&r, &(runs_case){.count = 300000, .pattern = ALL});
    tear_down(&r);
    assert_int_equal(failures, 0);
}

static unsigned run_spent_waits(const test_live *live, const clscan_plan_options *options, unsigned *recomputed)
{
    enum { TILES = 24, REPEATS = 30 };
    const uint64_t tile = clscan_variant_tile_count(options->variant);
    unsigned failures = 0;
    rig r;

    set_up(live, &forms[0], options, TILES * tile, tile, &r);
    for (unsigned repeat = 0; repeat < REPEATS; ++repeat)
        failures += run_case(&r, &(runs_case){.count = TILES * tile - repeat, .pattern = repeat % PATTERNS});
    *recomputed += r.recomputed;
    tear_down(&r);
    return failures;
}

/* Spent waits are completed by whoever waited; what is stored stays the same. */
static void after_spent_waits(void **state)
{
    test_spent_waits(*state, &forms[0].problem, run_spent_waits);
}

static void impossible_problems(void **state)
{
    static const struct {
        clscan_select select;
        const char *words;
    } cases[] = {
        {{.struct_size = sizeof(clscan_select), .long_runs = 2}, "long_runs is 2"},
        {RUNS(.rest = CLSCAN_REST_BEHIND), "rest is set, and long_runs"},
        {RUNS(.rest = CLSCAN_REST_APART), "rest is set, and long_runs"},
        {RUNS(.rest = CLSCAN_REST_THREE_WAY), "rest is set, and long_runs"},
    };
    const test_live *live = *state;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const clscan_problem problem = SELECT(.select = &cases[i].select);
        clscan_plan *plan = NULL;
        clscan_error error = {0};

        assert_status(CLSCAN_ERROR_INVALID_VALUE,
                      clscan_plan_create(live->context, live->device, &problem, NULL, &plan, &error), &error);
        if (strstr(error.message, cases[i].words) == NULL)
            fail_msg("case %zu: %s", i, error.message);
    }
}

static void an_initial_value_is_refused(void **state)
{
    const uint64_t begin = 1;
    const clscan_selection selection = {.struct_size = sizeof selection};
    clscan_run_args args = {.struct_size = sizeof args,
                            .count = 100,
                            .initial = {.kind = CLSCAN_MEMORY_HOST, .pointer = (void *)&begin},
                            .selection = &selection};
    clscan_error error = {0};
    rig r;

    set_up(*state, &forms[4], NULL, 100, 100, &r);
    args.in.buffer = r.in;
    args.out.buffer = r.outputs[OUT];
    args.total.buffer = r.total;
    args.device_count.buffer = r.count;
    assert_status(CLSCAN_ERROR_INVALID_VALUE,
                  clscan_run(r.plan, r.workspace, r.live->queue, &args, 0, NULL, NULL, &error), &error);
    assert_non_null(strstr(error.message, "args->initial is set"));
    tear_down(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form),          cmocka_unit_test(every_axis),
        cmocka_unit_test(many_units),          cmocka_unit_test(after_spent_waits),
        cmocka_unit_test(impossible_problems), cmocka_unit_test(an_initial_value_is_refused),
    };
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
