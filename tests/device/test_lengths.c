/* Lengths of a selection: how far it is from each kept element to the next one, or to the end of the input. By every
 * form of the decision, every body, carry and order, as far as there is room; and what is refused. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "keep_patterns.h"
#include "live.h"
#include "parsed_variant.h"
#include "variant_walk.h"

enum { MARGIN = 3, CANARY = 0x5a, MOST = 64 };

#define SELECT(...)                                                                                                \
    {                                                                                                              \
        .struct_size = sizeof(clscan_problem), .operation = CLSCAN_SELECT, .type = CLSCAN_INT32, .max_count = 100, \
        __VA_ARGS__                                                                                                \
    }

static const clscan_element uint64 = {.struct_size = sizeof uint64, .type = CLSCAN_UINT64};
static const clscan_map unique = {.struct_size = sizeof unique, .expression = "index == 0 || element != before"};
/* Elements are two halves of an int32, of which the upper one does not matter. */
static const clscan_element halves = {.struct_size = sizeof halves,
                                      .name = "halves",
                                      .size_bytes = 4,
                                      .align_bytes = 2,
                                      .source = "typedef struct halves { ushort low, high; } halves;"};
static const clscan_map same_low = {.struct_size = sizeof same_low,
                                    .source = "bool same(halves a, halves b) { return a.low == b.low; }",
                                    .expression = "index == 0 || !same(before, element)"};
static const clscan_map odd = {.struct_size = sizeof odd, .expression = "element & 1"};
static const clscan_map to_index = {.struct_size = sizeof to_index, .expression = "index"};
static const uint32_t one_size[] = {4};
static const clscan_select narrow = {.struct_size = sizeof narrow, .length_bytes = 4},
                           wide = {.struct_size = sizeof wide, .length_bytes = 8, .index_bytes = 4},
                           by_flags = {.struct_size = sizeof by_flags, .flag_bytes = 2, .length_bytes = 4},
                           by_bits = {.struct_size = sizeof by_bits,
                                      .flag_bits = 1,
                                      .length_bytes = 8,
                                      .column_bytes = one_size,
                                      .column_count = 1},
                           by_rejected = {.struct_size = sizeof by_rejected, .rejected = 1, .length_bytes = 4};

/* A way to say what is kept. */
typedef struct form {
    const char *name;
    clscan_problem problem;
    enum { CHANGES, ODD, EVEN, FLAGS } kept; /* elements that differ from the one before, ...; by flags */
    bool generates;
} form;

static const form forms[] = {
    {"unique", SELECT(.select = &narrow, .load = &unique), CHANGES, false},
    {"unique with indices, 64-bit places and lengths", SELECT(.select = &wide, .load = &unique, .accumulator = &uint64),
     CHANGES, false},
    {"flags", SELECT(.select = &by_flags), FLAGS, false},
    {"indices of bits with a column", SELECT(.select = &by_bits, .store = &to_index, .output = &uint64), FLAGS, true},
    {"a predicate", SELECT(.select = &narrow, .load = &odd), ODD, false},
    {"unique with an equality of one's own", SELECT(.select = &narrow, .element = &halves, .load = &same_low), CHANGES,
     false},
    {"what a predicate rejects, counted on the device", SELECT(.select = &by_rejected, .load = &odd, .count_bytes = 4),
     EVEN, false},
};
enum { FORMS = sizeof forms / sizeof forms[0] };

/* Which elements begin something. */
typedef struct lengths_case {
    uint64_t count, capacity; /* capacity 0: as many as the count */
    keep_pattern pattern;
    uint64_t initial, offset;
} lengths_case;

typedef struct rig {
    const test_live *live;
    const form *form;
    clscan_plan *plan;
    clscan_workspace *workspace;
    uint64_t max_count, tile;
    cl_mem in, flags, column, out, column_out, indices, lengths, total, count;
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

    *r = (rig){.live = live, .form = of, .max_count = max_count, .tile = tile};
    problem.max_count = max_count;
    test_plan_create(live, &problem, options, &r->plan, &r->workspace);
    r->in = test_buffer(live, CL_MEM_READ_ONLY, room_of(r, 4), NULL);
    r->flags = test_buffer(live, CL_MEM_READ_ONLY, room_of(r, 2), NULL);
    r->column = test_buffer(live, CL_MEM_READ_WRITE, room_of(r, 4), NULL);
    r->out = test_buffer(live, CL_MEM_WRITE_ONLY, room_of(r, 8), NULL);
    r->column_out = test_buffer(live, CL_MEM_WRITE_ONLY, room_of(r, 4), NULL);
    r->indices = test_buffer(live, CL_MEM_WRITE_ONLY, room_of(r, 4), NULL);
    r->lengths = test_buffer(live, CL_MEM_READ_WRITE, room_of(r, 8), NULL);
    r->total = test_buffer(live, CL_MEM_READ_WRITE, sizeof(uint64_t), NULL);
    r->count = test_buffer(live, CL_MEM_READ_ONLY, sizeof(uint32_t), NULL);
}

static void tear_down(rig *r)
{
    const cl_mem buffers[] = {r->in,      r->flags,   r->column, r->out,  r->column_out,
                              r->indices, r->lengths, r->total,  r->count};

    assert_cl(clFinish(r->live->queue));
    clscan_workspace_destroy(r->workspace);
    clscan_plan_destroy(r->plan);
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; ++i)
        clReleaseMemObject(buffers[i]);
}

static bool begins(const rig *r, const lengths_case *test, uint64_t i)
{
    if (r->form->kept == CHANGES && i == 0)
        return true;
    return pattern_marks(test->pattern, i, test->count, r->tile);
}

/* Input and flags. */
static void write_input(const rig *r, const lengths_case *test)
{
    const bool bits = r->form->problem.select->flag_bits != 0;
    int32_t *in = calloc(1, room_of(r, 4));
    unsigned char *flags = calloc(1, room_of(r, 2));
    int32_t value = 0;

    assert_true(in != NULL && flags != NULL);
    for (uint64_t i = 0; i < test->count; ++i) {
        const bool kept = begins(r, test, i);

        value = (value + kept) & 0xffff;
        in[test->offset + i] = r->form->kept == CHANGES ? value
                               : r->form->kept == EVEN  ? 2 * (int32_t)i + !kept
                                                        : 2 * (int32_t)i + kept;
        if (r->form->problem.element != NULL)
            in[test->offset + i] |= (int32_t)((i & 0x7fff) << 16);
        if (bits && kept)
            flags[test->offset + i / 8] |= (unsigned char)(1u << i % 8);
        if (!bits && kept)
            flags[(test->offset + i) * 2 + 1] = 1;
    }
    test_write(r->live, r->in, in, room_of(r, 4));
    test_write(r->live, r->flags, flags, room_of(r, 2));
    free(in);
    free(flags);
}

/* The bytes that lengths are to have. Returns the number needed. */
static uint64_t expect(const rig *r, const lengths_case *test, uint64_t capacity, unsigned char *expected)
{
    const size_t bytes = r->form->problem.select->length_bytes;
    uint64_t kept = test->initial;

    memset(expected, CANARY, room_of(r, 8));
    for (uint64_t i = 0, end; i < test->count; i = end) {
        const bool kept_one = begins(r, test, i);
        uint64_t length;

        for (end = i + 1; end < test->count && !begins(r, test, end);)
            ++end;
        if (!kept_one)
            continue;
        length = end - i;
        if (kept < capacity)
            memcpy(expected + (test->offset + kept) * bytes, &length, bytes); /* little-endian, as devices are */
        ++kept;
    }
    return kept;
}

/* 0, or 1 after printing what is wrong. */
static unsigned run_case(rig *r, const lengths_case *test)
{
    const uint64_t capacity = test->capacity > 0 ? test->capacity : test->count;
    const clscan_select *select = r->form->problem.select;
    const uint32_t count = (uint32_t)test->count;
    const bool on_device = r->form->problem.count_bytes > 0;
    unsigned char *expected = malloc(room_of(r, 8)), *got = malloc(room_of(r, 8));
    const clscan_column column = {{.buffer = r->column}, {.buffer = r->column_out, .offset = test->offset}};
    clscan_selection selection = {.struct_size = sizeof selection,
                                  .capacity = capacity,
                                  .lengths = {.buffer = r->lengths, .offset = test->offset}};
    clscan_run_args args = {.struct_size = sizeof args,
                            .out = {.buffer = r->out, .offset = test->offset},
                            .count = on_device ? r->max_count : test->count,
                            .total.buffer = r->total,
                            .selection = &selection};
    clscan_report report = {.struct_size = sizeof report};
    clscan_error error = {0};
    uint64_t total = 0, needed;
    bool wrong;

    assert_true(expected != NULL && got != NULL);
    write_input(r, test);
    memset(got, CANARY, room_of(r, 8));
    test_write(r->live, r->lengths, got, room_of(r, 8));
    test_write(r->live, r->total, &total, sizeof total);
    test_write(r->live, r->count, &count, sizeof count);
    if (!r->form->generates)
        args.in = (clscan_memory){.buffer = r->in, .offset = test->offset};
    if (on_device)
        args.device_count.buffer = r->count;
    if (select->flag_bytes > 0 || select->flag_bits)
        selection.flags = (clscan_memory){.buffer = r->flags, .offset = test->offset};
    if (select->column_count > 0)
        selection.columns = &column;
    if (select->index_bytes > 0)
        selection.indices = (clscan_memory){.buffer = r->indices, .offset = test->offset};
    if (test->initial > 0)
        args.initial = (clscan_memory){.kind = CLSCAN_MEMORY_HOST, .pointer = (void *)&test->initial};
    if (on_device && test->count == 0) /* no room of 0 places: it would be that of the largest count */
        selection.capacity = 1;
    assert_status(CLSCAN_OK, clscan_run(r->plan, r->workspace, r->live->queue, &args, 0, NULL, NULL, &error), &error);
    needed = expect(r, test, selection.capacity, expected);
    test_read(r->live, r->lengths, room_of(r, 8), got);
    test_read(r->live, r->total, r->form->problem.accumulator != NULL ? 8 : 4, &total);
    r->overflows += needed > selection.capacity && test->count > 0;
    assert_int_equal(clscan_workspace_report(r->workspace, r->live->queue, &report, NULL), CLSCAN_OK);
    r->recomputed = report.recomputed;
    wrong = memcmp(expected, got, room_of(r, 8)) != 0 || total != needed || report.failures != 0 ||
            report.overflows != r->overflows;
    if (wrong) {
        size_t at = 0;

        while (at < room_of(r, 8) && expected[at] == got[at])
            ++at;
        print_error("%s: %llu elements, pattern %d, room for %llu from %llu, offset %llu: total %llu, not %llu; "
                    "byte %zu of %zu differs; %u overflows, not %u\n",
                    r->form->name, (unsigned long long)test->count, (int)test->pattern, (unsigned long long)capacity,
                    (unsigned long long)test->initial, (unsigned long long)test->offset, (unsigned long long)total,
                    (unsigned long long)needed, at, room_of(r, 8), report.overflows, r->overflows);
    }
    free(expected);
    free(got);
    return wrong;
}

/* How many places some cases need. */
static uint64_t needs(const rig *r, const lengths_case *test)
{
    uint64_t kept = 0;

    for (uint64_t i = 0; i < test->count; ++i)
        kept += begins(r, test, i);
    return kept;
}

/* Counts at the edges of tiles, by every pattern; larger ones first, so that marks of them are there when smaller ones
 * come. */
static unsigned run_counts(rig *r)
{
    const uint64_t counts[] = {3 * r->tile + r->tile / 2 + 1, r->tile + 1, r->tile, r->tile - 1, 2, 1, 0};
    unsigned failures = 0;

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        for (int kind = 0; kind < PATTERNS; ++kind) {
            lengths_case test = {
                .count = counts[i], .pattern = (keep_pattern)kind, .offset = (i + (size_t)kind) % 2 ? MARGIN : 0};
            uint64_t needed;

            failures += run_case(r, &test);
            needed = needs(r, &test);
            if (needed < 2)
                continue;
            test.capacity = kind % 2 ? needed - 1 : needed / 2;
            failures += run_case(r, &test);
            test.capacity = needed; /* as much as is needed, but from a later place */
            test.initial = 1 + needed / 9;
            failures += run_case(r, &test);
        }
    }
    return failures;
}

/* Every capacity, among them those that end between two units. */
static unsigned run_capacities(rig *r, uint64_t count)
{
    unsigned failures = 0;

    for (uint64_t capacity = 1; capacity <= count; ++capacity)
        failures +=
            run_case(r, &(lengths_case){.count = count, .capacity = capacity, .pattern = capacity % 2 ? SOME : ALL});
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

static const test_forms all = {.count = FORMS, .turn = 0, .problem_at = problem_at, .run = run_form};

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
    failures += run_case(&r, &(lengths_case){.count = 300000, .pattern = MANY});
    failures += run_case(&r, &(lengths_case){.count = 299999, .pattern = ALL, .capacity = 256 * 900});
    failures += run_case(&r, &(lengths_case){.count = 300000, .pattern = FEW, .initial = 77});
    failures += run_case(&r, &(lengths_case){.count = 300000, .pattern = NONE});
    tear_down(&r);
    assert_int_equal(failures, 0);
}

/* Of long tiles, the last length of a turn asks for the first place of the one that left before. */
static void parts_that_leave_in_turns(void **state)
{
    const test_live *live = *state;
    const clscan_variant variant = parsed_variant(
        "subgroup_rows+subgroup+single work_group_size=64 vector_length=4 register_pieces=40 local_pieces=0");
    const clscan_plan_options options = {.struct_size = sizeof options, .variant = &variant};
    const uint64_t tile = clscan_variant_tile_count(&variant), count = 2 * tile + tile / 3;
    unsigned failures = 0;
    rig r;

    set_up(live, &forms[0], &options, 3 * tile, tile, &r);
    for (unsigned pattern = 0; pattern < PATTERNS; ++pattern) {
        failures += run_case(&r, &(lengths_case){.count = count, .pattern = (keep_pattern)pattern});
        for (uint64_t capacity = 1; capacity < count; capacity += tile / 3)
            failures +=
                run_case(&r, &(lengths_case){.count = count, .pattern = (keep_pattern)pattern, .capacity = capacity});
    }
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
        failures += run_case(&r, &(lengths_case){.count = TILES * tile - repeat, .pattern = repeat % PATTERNS});
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
        {{.struct_size = sizeof(clscan_select), .length_bytes = 2}, "length_bytes is 2"},
        {{.struct_size = sizeof(clscan_select), .length_bytes = 4, .by_offsets = 1}, "by_offsets is 1"},
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

/* Lengths that are missing, too short, unreadable, or in the way of others. */
static void what_a_run_gives_is_checked(void **state)
{
    enum { COUNT = 100 };
    rig r;

    set_up(*state, &forms[0], NULL, COUNT, COUNT, &r);
    {
        const cl_mem small = test_buffer(r.live, CL_MEM_READ_WRITE, COUNT * 4 - 1, NULL),
                     unreadable = test_buffer(r.live, CL_MEM_WRITE_ONLY, COUNT * 4, NULL),
                     constant = test_buffer(r.live, CL_MEM_READ_ONLY, COUNT * 4, NULL);
        const struct {
            clscan_memory lengths;
            clscan_status status;
            const char *words;
            cl_mem total; /* NULL: a right one */
        } cases[] = {
            {{.buffer = r.lengths}, CLSCAN_OK, "", NULL},
            {{.buffer = r.lengths}, CLSCAN_ERROR_BUFFER_ACCESS, "args->total", unreadable},
            {{.buffer = NULL}, CLSCAN_ERROR_NULL_ARGUMENT, "lengths is missing", NULL},
            {{.buffer = small}, CLSCAN_ERROR_BUFFER_TOO_SMALL, "selection->lengths", NULL},
            {{.buffer = unreadable}, CLSCAN_ERROR_BUFFER_ACCESS, "selection->lengths", NULL},
            {{.buffer = constant}, CLSCAN_ERROR_BUFFER_ACCESS, "selection->lengths", NULL},
            {{.buffer = r.column}, CLSCAN_ERROR_OVERLAP, "selection->lengths", NULL},
        };

        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
            const clscan_selection selection = {.struct_size = sizeof selection, .lengths = cases[i].lengths};
            const clscan_run_args args = {.struct_size = sizeof args,
                                          .in.buffer = r.column,
                                          .out.buffer = r.out,
                                          .total.buffer = cases[i].total != NULL ? cases[i].total : r.total,
                                          .count = COUNT,
                                          .selection = &selection};
            clscan_error error = {0};

            assert_status(cases[i].status, clscan_run(r.plan, r.workspace, r.live->queue, &args, 0, NULL, NULL, &error),
                          &error);
            if (cases[i].status != CLSCAN_OK && strstr(error.message, cases[i].words) == NULL)
                fail_msg("case %zu: %s", i, error.message);
        }
        assert_cl(clFinish(r.live->queue));
        clReleaseMemObject(small);
        clReleaseMemObject(unreadable);
        clReleaseMemObject(constant);
    }
    tear_down(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form),
        cmocka_unit_test(every_axis),
        cmocka_unit_test(many_units),
        cmocka_unit_test(parts_that_leave_in_turns),
        cmocka_unit_test(after_spent_waits),
        cmocka_unit_test(impossible_problems),
        cmocka_unit_test(what_a_run_gives_is_checked),
    };
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
