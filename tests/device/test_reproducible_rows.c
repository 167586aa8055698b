/* Reproducible rows: each has the bits of a reproducible scan of its own, by the serial model, whatever the variant;
 * rows of every length around runs, rows of blocks, blocks and tiles, with pitches, in place and not, and columns; what
 * lies between rows stays; and what is refused. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "common/test_knobs.h"
#include "generate.h"
#include "live.h"
#include "parsed_variant.h"
#include "reference.h"
#include "row_rig.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

enum { MOST_ELEMENTS = 700000, MOST_ROWS = 300, MOST_TOTALS = 2 * MOST_ROWS + 9, MARGIN = 5 };

/* Shapes for CPUs and GPUs: of the smallest tile, whose rows are cut into ranges soon, and of larger ones. */
static const char *const variants[] = {
    "cached_rows+brent_kung+reduce_then_scan work_group_size=1 vector_length=1 cached_pieces=1024 "
    "interleaved_rows=1 streaming_stores=0 work_groups_per_unit=3",
    "cached_rows+kogge_stone+reduce_then_scan work_group_size=1 vector_length=16 cached_pieces=64 "
    "interleaved_rows=2 streaming_stores=0 work_groups_per_unit=9",
    "subgroup_rows+subgroup+reduce_then_scan work_group_size=32 vector_length=4 register_pieces=8 local_pieces=0 "
    "work_groups_per_unit=9",
    "subgroup_rows+subgroup+reduce_then_scan work_group_size=128 vector_length=4 register_pieces=8 local_pieces=0 "
    "work_groups_per_unit=4",
};
enum { CHOSEN = COUNT_OF(variants) };

typedef struct rows_case {
    uint64_t rows, count, in_gap, out_gap;
    uint64_t most, most_rows; /* where the device tells how many there are */
    bool in_place, totals_only;
    int initial; /* 0: none; 1: of the host; 2: one for each row, in a buffer */
} rows_case;

/* That of a row, if each has its own. */
static clscan_value initial_of(const row_rig *r, uint64_t row)
{
    return clscan_value_from_int(r->problem.type, (int64_t)(row % 5));
}

/* `problem` is reproducible, and has the rows. */
static void open_rows(const test_live *live, const clscan_problem *problem, const clscan_sample_operator *sample,
                      const clscan_rows *rows, const clscan_plan_options *options, row_rig *r)
{
    unsigned char bytes[MOST_ROWS * sizeof(clscan_value)];

    row_rig_open(live, problem, sample, rows, options, MOST_ELEMENTS, MOST_TOTALS, MOST_ROWS, r);
    r->first = MARGIN;
    assert_int_equal(clscan_plan_state_bytes(r->plan), 0); /* rows have no parts */
    clscan_generate(problem->op == CLSCAN_MUL      ? CLSCAN_GENERATE_NEAR_ONE
                    : problem->op == CLSCAN_CUSTOM ? CLSCAN_GENERATE_MOSTLY_ZERO
                                                   : CLSCAN_GENERATE_WIDE,
                    problem->type, 11, 0, MOST_ELEMENTS, r->arrays.input);
    for (uint64_t row = 0; row < MOST_ROWS; ++row) {
        const clscan_value initial = initial_of(r, row);

        memcpy(bytes + row * r->sum_bytes, &initial, r->sum_bytes);
    }
    test_write(live, r->initials, bytes, MOST_ROWS * r->sum_bytes);
}

/* False where the device has no such variant. */
static bool set_up(const test_live *live, const clscan_problem *asked, const clscan_sample_operator *sample,
                   size_t which, uint64_t row_count_bytes, row_rig *r)
{
    const clscan_rows rows = {.struct_size = sizeof rows, .count = MOST_ROWS, .count_bytes = row_count_bytes};
    const clscan_variant variant = which < CHOSEN ? parsed_variant(variants[which]) : (clscan_variant){0};
    const clscan_plan_options options = {.struct_size = sizeof options, .variant = which < CHOSEN ? &variant : NULL};
    clscan_problem problem = *asked;

    problem.reproducible = 1;
    problem.rows = &rows;
    if (which < CHOSEN && clscan_variant_check(&variant, &problem, 1, &live->info, NULL) != CLSCAN_OK)
        return false;
    open_rows(live, &problem, sample, &rows, &options, r);
    return true;
}

/* Of cases whose output has a gap every other one has its totals there: behind each row or, in reverse, in front of it.
 * Others have them in a buffer of theirs, side by side or not. */
static clscan_memory place_totals(const row_rig *r, const rows_case *c, cl_mem out, uint64_t most, uint64_t out_pitch,
                                  uint64_t *pitch)
{
    const bool gaps = !c->totals_only && out_pitch > most && r->sum_bytes == r->element_bytes;

    *pitch = c->rows % 2 == 0 ? 2 : 1;
    if (!gaps || (most + c->out_gap) % 2 == 0)
        return (clscan_memory){.buffer = r->totals};
    *pitch = out_pitch;
    return (clscan_memory){.buffer = out,
                           .offset = r->problem.direction == CLSCAN_REVERSE ? r->first - 1 : r->first + most};
}

/* Outputs, what lies around them, and totals, byte by byte. */
static unsigned run_case(row_rig *r, const rows_case *c)
{
    const clscan_reference what = clscan_reference_of(&r->problem, r->sample);
    const bool counted = r->problem.count_bytes > 0, rows_counted = c->most_rows > 0;
    const uint64_t most = counted ? c->most : c->count, most_rows = rows_counted ? c->most_rows : c->rows;
    const uint64_t in_pitch = most + c->in_gap, out_pitch = c->in_place ? in_pitch : most + c->out_gap;
    clscan_rows rows = {.struct_size = sizeof rows,
                        .count = most_rows,
                        .in_pitch = in_pitch,
                        .out_pitch = out_pitch,
                        .initial_pitch = c->initial == 2};
    const cl_mem out = c->in_place ? r->arrays.in : r->arrays.out;
    clscan_run_args args = {.struct_size = sizeof args, .count = most, .rows = &rows};
    const cl_mem count = counted ? test_count(r->live, c->count, r->problem.count_bytes) : NULL;
    const cl_mem row_count = rows_counted ? test_count(r->live, c->rows, 8) : NULL;
    unsigned char totals[MOST_TOTALS * sizeof(clscan_value)], expected_totals[sizeof totals];
    const size_t totals_bytes = MOST_TOTALS * r->sum_bytes;
    const clscan_value one_for_all = initial_of(r, 3);
    unsigned char *expected = r->arrays.expected, *totals_at;
    clscan_error error = {0};
    bool wrong;

    assert_true(most_rows * in_pitch + 2 * r->first <= MOST_ELEMENTS &&
                most_rows * out_pitch + 2 * r->first <= MOST_ELEMENTS && most_rows <= MOST_ROWS);
    test_arrays_write(r->live, &r->arrays);
    memset(totals, 0x5a, sizeof totals);
    memset(expected_totals, 0x5a, sizeof totals);
    test_write(r->live, r->totals, totals, totals_bytes);
    memcpy(expected, c->in_place ? r->arrays.input : r->arrays.before, r->arrays.bytes);

    args.in = (clscan_memory){.buffer = r->arrays.in, .offset = r->first};
    if (!c->totals_only)
        args.out = (clscan_memory){.buffer = out, .offset = r->first};
    args.total = place_totals(r, c, out, most, out_pitch, &rows.total_pitch);
    if (c->initial == 1)
        args.initial = (clscan_memory){.kind = CLSCAN_MEMORY_HOST, .pointer = &one_for_all};
    if (c->initial == 2)
        args.initial.buffer = r->initials;
    if (counted)
        args.device_count = (clscan_memory){.buffer = count, .offset = 1};
    if (rows_counted)
        args.device_row_count = (clscan_memory){.buffer = row_count, .offset = 1};
    assert_status(CLSCAN_OK, clscan_run(r->plan, r->workspace, r->live->queue, &args, 0, NULL, NULL, &error), &error);
    test_read(r->live, out, r->arrays.bytes, r->arrays.got);
    test_read(r->live, r->totals, totals_bytes, totals);
    totals_at = (args.total.buffer == r->totals ? expected_totals : expected) + args.total.offset * r->sum_bytes;
    if (counted)
        clReleaseMemObject(count);
    if (rows_counted)
        clReleaseMemObject(row_count);

    for (uint64_t row = 0; row < c->rows; ++row) {
        const unsigned char *from =
            (const unsigned char *)r->arrays.input + (r->first + row * in_pitch) * r->element_bytes;
        static unsigned char unused[MOST_ELEMENTS * sizeof(clscan_value)];
        const clscan_value own = initial_of(r, row);
        clscan_value total = {.bits = 0};

        assert_int_equal(
            clscan_reference_scan(&what, from, c->count,
                                  c->initial == 2   ? &own
                                  : c->initial == 1 ? &one_for_all
                                                    : NULL,
                                  c->totals_only ? unused : expected + (r->first + row * out_pitch) * r->element_bytes,
                                  &total),
            CLSCAN_OK);
        memcpy(totals_at + row * rows.total_pitch * r->sum_bytes, &total, r->sum_bytes);
    }
    wrong =
        memcmp(expected, r->arrays.got, r->arrays.bytes) != 0 || memcmp(expected_totals, totals, sizeof totals) != 0;
    if (wrong)
        print_error("%s %s, form %d, direction %d: %u rows of %u, gaps %u and %u, in place %d, initial %d, totals "
                    "alone %d: %s differ\n",
                    clscan_type_name(r->problem.type), clscan_operator_name(r->problem.op), (int)r->problem.form,
                    (int)r->problem.direction, (unsigned)c->rows, (unsigned)c->count, (unsigned)c->in_gap,
                    (unsigned)c->out_gap, c->in_place, c->initial, c->totals_only,
                    memcmp(expected, r->arrays.got, r->arrays.bytes) != 0 ? "outputs" : "totals");
    return wrong;
}

/* One case of each length; the rest goes round beside it. */
static unsigned run_lengths(row_rig *r, bool all)
{
    static const uint64_t longer[] = {383,  384,  385,  511,  512,  513,   1000,  1023,  1024,     1025,
                                      1152, 2047, 2048, 2049, 3072, 3073,  4095,  4096,  4097,     5120,
                                      7000, 8191, 8192, 8193, 9217, 16384, 40000, 65536, 65536 + 7};
    static const uint64_t rows[] = {1, 2, 3, 16, 33, 127, MOST_ROWS};
    unsigned failures = 0, turn = 0;

    for (uint64_t k = 1; k <= 300 + COUNT_OF(longer); k += k < 140 || all ? 1 : k < 300 ? 7 : 1, ++turn) {
        const uint64_t count = k <= 300 ? k : longer[k - 301];
        rows_case c = {.count = count,
                       .rows = rows[turn % COUNT_OF(rows)],
                       .in_gap = turn % 2 * (turn % 3),
                       .out_gap = turn % 3 * (turn % 4),
                       .in_place = turn % 4 == 1,
                       .totals_only = turn % 8 == 4,
                       .initial = (int)(turn % 3)};

        if (r->problem.op == CLSCAN_CUSTOM && r->problem.custom->identity == NULL)
            c.initial = 1 + (int)(turn % 2);
        while (c.rows > 1 && c.rows * (count + 4) + 2 * MARGIN > MOST_ELEMENTS)
            c.rows /= 2;
        failures += run_case(r, &c);
    }
    return failures;
}

static clscan_problem problem_of(clscan_type type, clscan_operator op, clscan_form form, clscan_direction direction)
{
    return test_problem(type, op, form, direction, 2 * MOST_ELEMENTS / 5);
}

/* Elsewhere such plans are refused (test_small_device.c). */
static void only_with_ieee_arithmetic(const test_live *live)
{
    if (!test_keeps_subnormals(live))
        skip();
}

static void every_length(void **state)
{
    const test_live *live = *state;
    static const struct {
        size_t variant;
        clscan_type type;
        clscan_operator op;
        clscan_form form;
        clscan_direction direction;
        bool is_thorough; /* shows little that the others do not */
    } cases[] = {
        {0, CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, false},
        {0, CLSCAN_HALF, CLSCAN_ADD, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE, true},
        {1, CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE, false},
        {1, CLSCAN_DOUBLE, CLSCAN_MUL, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, false},
        {2, CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE, false},
        {2, CLSCAN_DOUBLE, CLSCAN_MUL, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, true},
        {3, CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, false},
        {3, CLSCAN_HALF, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_REVERSE, false},
        {3, CLSCAN_DOUBLE, CLSCAN_ADD, CLSCAN_EXCLUSIVE, CLSCAN_FORWARD, true},
        {CHOSEN, CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_REVERSE, false},
    };
    unsigned failures = 0;

    only_with_ieee_arithmetic(live);
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        const clscan_problem problem = problem_of(cases[i].type, cases[i].op, cases[i].form, cases[i].direction);
        row_rig r;

        if ((cases[i].is_thorough && !test_thorough()) || !test_takes(i, 3) || !test_type_runs(live, cases[i].type) ||
            !set_up(live, &problem, NULL, cases[i].variant, 0, &r))
            continue;
        failures += run_lengths(&r, test_thorough());
        row_rig_close(&r);
    }
    assert_int_equal(failures, 0);
}

/* They do not commute, and one has no identity. */
static void custom_operators(void **state)
{
    const test_live *live = *state;
    static const struct {
        size_t variant;
        clscan_sample sample;
    } cases[] = {{0, CLSCAN_SAMPLE_TAKE_LEFT}, {2, CLSCAN_SAMPLE_TAKE_LEFT}, {3, CLSCAN_SAMPLE_KEEP_LAST}};
    unsigned failures = 0;

    only_with_ieee_arithmetic(live);
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        const clscan_sample_operator *sample = clscan_sample_find(cases[i].sample, CLSCAN_FLOAT);
        const clscan_problem problem =
            test_custom_problem(CLSCAN_FLOAT, sample, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE, 2 * MOST_ELEMENTS / 5);
        row_rig r;

        if (!test_takes(i, 3) || !set_up(live, &problem, sample, cases[i].variant, 0, &r))
            continue;
        failures += run_lengths(&r, false);
        row_rig_close(&r);
    }
    assert_int_equal(failures, 0);
}

/* Cut into ranges, or with a launch each where the device's entry does that. */
static void few_long_rows(void **state)
{
    const test_live *live = *state;
    static const rows_case cases[] = {
        {.rows = 1, .count = 270000},
        {.rows = 2, .count = 262144, .in_gap = 1, .initial = 2},
        {.rows = 2, .count = 200000, .out_gap = 3, .initial = 1},
        {.rows = 2, .count = 262145, .in_place = true},
        {.rows = 1, .count = 270000, .totals_only = true},
        {.rows = 2, .count = 196608, .totals_only = true, .initial = 2},
        {.rows = 3, .count = 131072, .totals_only = true},
        {.rows = 10, .count = 65536}, /* whole tiles without gaps, which others join to one input */
    };
    unsigned failures = 0;

    only_with_ieee_arithmetic(live);
    for (size_t v = 0; v <= CHOSEN; ++v) {
        const clscan_problem problem =
            problem_of(CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_INCLUSIVE, v % 2 == 0 ? CLSCAN_FORWARD : CLSCAN_REVERSE);
        row_rig r;

        if (!test_takes(v, 3) || !set_up(live, &problem, NULL, v, 0, &r))
            continue;
        for (size_t i = 0; i < COUNT_OF(cases); ++i)
            failures += run_case(&r, &cases[i]);
        row_rig_close(&r);
    }
    assert_int_equal(failures, 0);
}

/* Where work-groups may wait, rows of whole tiles without gaps are walked as one input. Of tiles, which have 1024
 * elements here, rows have a power of two, and other numbers. Of the first problem owners of tiles are held back, and
 * those who wait reduce them. */
static void rows_of_whole_tiles(void **state)
{
    static const char format[] =
        "{\"schema_version\": 1, \"match\": \"%s\", \"provenance\": {\"origin\": \"hand-set\", \"date\": "
        "\"2026-11-28\"}, \"entries\": [{\"operation\": \"scan\", \"element_size_bytes\": %u, "
        "\"operator_class\": \"%s\", \"largest_count\": null, \"reproducible\": true, "
        "\"variant\": {\"body\": \"subgroup_rows\", \"group_scan\": \"subgroup\", \"carry\": \"lookahead\", "
        "\"order\": \"persistent\", \"work_group_size\": 32, \"vector_length\": 4, \"register_pieces\": 8, "
        "\"local_pieces\": 0, \"work_groups_per_unit\": 3, \"poll_delay\": 0, \"landing_zones\": 0}}]}";
    enum { COUNT = 98304, ALIGNED = 16 };
    static const rows_case cases[] = {
        {.rows = 7, .count = COUNT, .initial = 2},
        {.rows = 10, .count = 65536, .in_place = true},
        {.rows = 3, .count = 65536 + 3 * 1024, .initial = 1},
        {.rows = 2, .count = COUNT - 1024, .in_place = true, .initial = 2},
        {.rows = 1, .count = COUNT},
    };
    static const struct {
        clscan_type type;
        clscan_sample sample;
        clscan_form form;
        clscan_direction direction;
        uint32_t hold_interval;
    } scans[] = {{CLSCAN_FLOAT, CLSCAN_SAMPLE_COUNT, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 3},
                 {CLSCAN_FLOAT, CLSCAN_SAMPLE_COUNT, CLSCAN_EXCLUSIVE, CLSCAN_FORWARD, 0},
                 {CLSCAN_DOUBLE, CLSCAN_SAMPLE_COUNT, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE, 0},
                 {CLSCAN_FLOAT, CLSCAN_SAMPLE_KEEP_LAST, CLSCAN_INCLUSIVE, CLSCAN_REVERSE, 0}};
    const test_live *live = *state;
    const clscan_rows rows = {.struct_size = sizeof rows, .count = MOST_ROWS};
    unsigned failures = 0;

    if (!test_may_wait(live))
        skip();
    only_with_ieee_arithmetic(live);
    for (size_t i = 0; i < COUNT_OF(scans); i += test_case_step(live, 1, 4)) {
        const bool custom = scans[i].sample != CLSCAN_SAMPLE_COUNT;
        const clscan_sample_operator *sample = custom ? clscan_sample_find(scans[i].sample, scans[i].type) : NULL;
        const struct clscan__test_knobs knobs = {.poll_limit = 1, .hold_interval = scans[i].hold_interval};
        clscan_plan_options options = {
            .struct_size = sizeof options, .test_knobs = knobs.hold_interval > 0 ? &knobs : NULL, .count_events = 1};
        clscan_report report = {.struct_size = sizeof report};
        clscan_problem problem =
            test_sample_problem(scans[i].type, CLSCAN_ADD, sample, scans[i].form, scans[i].direction, COUNT);
        clscan_config *config = NULL;
        clscan_error error = {0};
        char text[1024];
        row_rig r;

        if (!test_type_runs(live, scans[i].type))
            continue;
        snprintf(text, sizeof text, format, live->info.key, (unsigned)clscan_type_size_bytes(scans[i].type),
                 custom ? "custom" : "builtin");
        assert_status(CLSCAN_OK, clscan_config_parse(text, strlen(text), "test", &config, &error), &error);
        options.config = config;
        problem.reproducible = 1;
        problem.rows = &rows;
        open_rows(live, &problem, sample, &rows, &options, &r);
        r.first = ALIGNED;
        for (size_t c = 0; c < COUNT_OF(cases); ++c)
            failures += run_case(&r, &cases[c]);
        r.first = MARGIN;
        failures += run_case(&r, &cases[0]);
        assert_int_equal(clscan_workspace_report(r.workspace, live->queue, &report, NULL), CLSCAN_OK);
        failures += report.failures != 0 || (knobs.hold_interval > 0 && report.recomputed == 0);
        row_rig_close(&r);
        clscan_config_destroy(config);
    }
    assert_int_equal(failures, 0);
}

/* How many elements rows have, and how many rows there are. */
static void counts_on_the_device(void **state)
{
    const test_live *live = *state;
    static const uint64_t counts[] = {0, 1, 129, 1024, 1025, 4096, 9000, 70000};
    unsigned failures = 0;

    only_with_ieee_arithmetic(live);
    for (size_t v = 0; v < CHOSEN; v += 2) {
        clscan_problem problem = problem_of(CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD);
        row_rig r;

        problem.count_bytes = 4;
        if (!test_takes(v, 4) || !set_up(live, &problem, NULL, v, 8, &r))
            continue;
        for (size_t i = 0; i < COUNT_OF(counts); ++i)
            for (unsigned most = 0; most < 3; ++most) {
                static const uint64_t mosts[] = {1100, 9000, 80000};
                const rows_case c = {.rows = i % 5,
                                     .count = counts[i],
                                     .most = mosts[most],
                                     .most_rows = 4 + i,
                                     .totals_only = (i + most) % 3 == 1,
                                     .initial = (int)(i % 3)};

                if (c.count > c.most || c.most_rows * c.most + 2 * MARGIN > MOST_ELEMENTS)
                    continue;
                failures += run_case(&r, &c);
            }
        row_rig_close(&r);
    }
    assert_int_equal(failures, 0);
}

/* A tensor of three dimensions along the middle one: `outer` matrices of `count` rows and `columns` columns. */
typedef struct tensor_case {
    uint64_t outer, count, columns;
    bool in_place, totals_only;
    bool offsets; /* the output has one element more along the axis, the total */
    int initial;  /* as of rows_case */
} tensor_case;

/* The first element of a column whose tensor has `along` elements along the axis. */
static uint64_t column_begin(const tensor_case *c, uint64_t number, uint64_t along)
{
    return number / c->columns * along * c->columns + number % c->columns;
}

static void move_column(const row_rig *r, const tensor_case *c, uint64_t number, uint64_t along, unsigned char *tensor,
                        unsigned char *column, bool back)
{
    const uint64_t first = column_begin(c, number, along);

    for (uint64_t k = 0; k < c->count; ++k) {
        unsigned char *one = tensor + (size_t)(MARGIN + first + k * c->columns) * r->element_bytes,
                      *other = column + (size_t)k * r->element_bytes;

        memcpy(back ? one : other, back ? other : one, r->element_bytes);
    }
}

/* As run_case(). */
static unsigned run_tensor(row_rig *r, const tensor_case *c)
{
    const clscan_reference what = clscan_reference_of(&r->problem, r->sample);
    const uint64_t scans = c->outer * c->columns;
    const uint64_t along = c->count + c->offsets, in_along = c->in_place ? along : c->count;
    const uint64_t last = r->problem.direction == CLSCAN_REVERSE ? 0 : c->count * c->columns; /* offset of totals */
    const uint64_t begin = c->offsets && last == 0 ? c->columns : 0;                          /* of outputs */
    const clscan_rows rows = {.struct_size = sizeof rows,
                              .dimensions = 3,
                              .axis = 1,
                              .extents = {c->outer, c->count, c->columns},
                              .in_strides = {in_along * c->columns, c->columns, 1},
                              .out_strides = {along * c->columns, c->columns, 1},
                              .initial_pitch = c->initial == 2,
                              .total_strides = {c->offsets ? along * c->columns : 0, 0, c->offsets}};
    const size_t totals_bytes = MOST_TOTALS * r->sum_bytes;
    const clscan_value one_for_all = initial_of(r, 3);
    const cl_mem out = c->in_place ? r->arrays.in : r->arrays.out;
    static unsigned char column[MOST_ELEMENTS * sizeof(clscan_value)];
    unsigned char *expected = r->arrays.expected;
    unsigned char *const input = (unsigned char *)r->arrays.input + (c->in_place ? begin : 0) * r->element_bytes;
    unsigned char totals[MOST_TOTALS * sizeof(clscan_value)], expected_totals[sizeof totals];
    clscan_run_args args = {.struct_size = sizeof args,
                            .count = c->count,
                            .rows = &rows,
                            .in = {.buffer = r->arrays.in, .offset = MARGIN + (c->in_place ? begin : 0)},
                            .total.buffer = r->totals};
    clscan_error error = {0};
    bool wrong;

    assert_true(scans * along + 2 * MARGIN <= MOST_ELEMENTS && scans <= MOST_ROWS);
    test_arrays_write(r->live, &r->arrays);
    memset(totals, 0x5a, sizeof totals);
    memset(expected_totals, 0x5a, sizeof totals);
    test_write(r->live, r->totals, totals, totals_bytes);
    memcpy(r->arrays.expected, c->in_place ? r->arrays.input : r->arrays.before, r->arrays.bytes);
    if (!c->totals_only)
        args.out = (clscan_memory){.buffer = out, .offset = MARGIN + begin};
    if (c->offsets)
        args.total = (clscan_memory){.buffer = out, .offset = MARGIN + last};
    if (c->initial == 1)
        args.initial = (clscan_memory){.kind = CLSCAN_MEMORY_HOST, .pointer = &one_for_all};
    if (c->initial == 2)
        args.initial.buffer = r->initials;
    assert_status(CLSCAN_OK, clscan_run(r->plan, r->workspace, r->live->queue, &args, 0, NULL, NULL, &error), &error);
    test_read(r->live, out, r->arrays.bytes, r->arrays.got);
    test_read(r->live, r->totals, totals_bytes, totals);
    for (uint64_t scan = 0; scan < scans; ++scan) {
        const clscan_value own = initial_of(r, scan);
        clscan_value total = {.bits = 0};

        move_column(r, c, scan, in_along, input, column, false);
        assert_int_equal(clscan_reference_scan(&what, column, c->count,
                                               c->initial == 2   ? &own
                                               : c->initial == 1 ? &one_for_all
                                                                 : NULL,
                                               column, &total),
                         CLSCAN_OK);
        if (!c->totals_only)
            move_column(r, c, scan, along, expected + begin * r->element_bytes, column, true);
        if (c->offsets)
            memcpy(expected + (MARGIN + last + column_begin(c, scan, along)) * r->sum_bytes, &total, r->sum_bytes);
        else
            memcpy(expected_totals + scan * r->sum_bytes, &total, r->sum_bytes);
    }
    wrong = memcmp(r->arrays.expected, r->arrays.got, r->arrays.bytes) != 0 ||
            memcmp(expected_totals, totals, totals_bytes) != 0;
    if (wrong)
        print_error(
            "%s %s, form %d, direction %d: %u x %u x %u, in place %d, offsets %d, initial %d, totals alone %d: %s "
            "differ\n",
            clscan_type_name(r->problem.type), clscan_operator_name(r->problem.op), (int)r->problem.form,
            (int)r->problem.direction, (unsigned)c->outer, (unsigned)c->count, (unsigned)c->columns, c->in_place,
            c->offsets, c->initial, c->totals_only,
            memcmp(r->arrays.expected, r->arrays.got, r->arrays.bytes) != 0 ? "outputs" : "totals");
    return wrong;
}

/* Columns of every length around runs, rows of blocks and blocks, of as many columns as share a line and not. */
static void columns(void **state)
{
    const test_live *live = *state;
    static const struct {
        clscan_type type;
        clscan_operator op;
        clscan_form form;
        clscan_direction direction;
    } problems[CHOSEN + 1] = {{CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD},
                              {CLSCAN_FLOAT, CLSCAN_MUL, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE},
                              {CLSCAN_DOUBLE, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_REVERSE},
                              {CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_EXCLUSIVE, CLSCAN_FORWARD},
                              {CLSCAN_HALF, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD}};
    static const uint64_t counts[] = {1,    2,    3,    4,    5,    127,  128,  129,  500, 1023,
                                      1024, 1025, 1152, 2047, 2048, 2049, 3200, 5121, 9217};
    static const uint64_t widths[] = {2, 3, 16, 17, 33, 140};
    unsigned failures = 0;

    only_with_ieee_arithmetic(live);
    for (size_t v = 0; v <= CHOSEN; ++v) {
        const clscan_problem problem =
            problem_of(problems[v].type, problems[v].op, problems[v].form, problems[v].direction);
        unsigned turn = 0;
        row_rig r;

        if (!test_takes(v + 1, 3) || !test_type_runs(live, problem.type) || !set_up(live, &problem, NULL, v, 0, &r))
            continue;
        for (size_t i = 0; i < COUNT_OF(counts); ++i, ++turn) {
            tensor_case c = {.outer = 1 + turn % 2,
                             .count = counts[i],
                             .columns = widths[turn % COUNT_OF(widths)],
                             .in_place = turn % 4 == 1,
                             .totals_only = turn % 8 == 4,
                             .offsets = turn % 5 % 2 == 1 && turn % 8 != 4 && r.sum_bytes == r.element_bytes,
                             .initial = (int)(turn % 3)};

            while (c.outer * c.columns * (c.count + 1) + 2 * MARGIN > MOST_ELEMENTS)
                c.columns /= 2;
            failures += run_tensor(&r, &c);
        }
        row_rig_close(&r);
    }
    assert_int_equal(failures, 0);
}

/* A plan that was not told of tensors takes rows of a matrix, and no parts. */
static void rows_have_no_parts(void **state)
{
    const test_live *live = *state;
    const clscan_problem problem = problem_of(CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD);
    const clscan_rows rows = {.struct_size = sizeof rows, .dimensions = 2, .axis = 1, .extents = {40, 30}};
    clscan_run_args args = {.struct_size = sizeof args, .count = 30, .rows = &rows};
    clscan_error error = {0};
    row_rig r;

    only_with_ieee_arithmetic(live);
    assert_true(set_up(live, &problem, NULL, 0, 0, &r));
    args.in.buffer = r.arrays.in;
    args.out.buffer = r.arrays.out;
    assert_status(CLSCAN_OK, clscan_run(r.plan, r.workspace, live->queue, &args, 0, NULL, NULL, &error), &error);
    args.first = CLSCAN_REPRODUCIBLE_STEP;
    assert_int_equal(clscan_run(r.plan, r.workspace, live->queue, &args, 0, NULL, NULL, &error),
                     CLSCAN_ERROR_INVALID_VALUE);
    row_rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_length),        cmocka_unit_test(custom_operators),     cmocka_unit_test(few_long_rows),
        cmocka_unit_test(rows_of_whole_tiles), cmocka_unit_test(counts_on_the_device), cmocka_unit_test(columns),
        cmocka_unit_test(rows_have_no_parts),
    };
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
