/* Many scans in one run: rows of every length around the edges of strips and tiles, with pitches, in place and not,
 * against the serial reference row by row; what lies between rows stays; and what is refused. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "generate.h"
#include "live.h"
#include "reference.h"
#include "row_rig.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

enum { MOST_ELEMENTS = 200000, MOST_ROWS = 700, MOST_COUNT = 6000, MARGIN = 8, UNALIGNED = 5, MOST_PITCH = 2 };
enum { LONG_ROW = (1 << 23) + 3 }; /* of 4 bytes: such rows may get a launch each */
enum { MOST_TOTALS = MOST_PITCH * MOST_ROWS + 2 * MARGIN, MOST_INITIALS = MARGIN + MOST_PITCH * MOST_ROWS };

/* Where totals stand: in a buffer of theirs, or where the output has gaps, behind each row or, in reverse, in front of
 * it; where there are none as in the first way. */
typedef enum total_places { TOTALS_TOGETHER, TOTALS_APART, TOTALS_IN_GAPS, TOTAL_PLACES } total_places;

typedef struct rows_case {
    uint64_t rows, count, in_pitch, out_pitch; /* pitches of 0: the count, or the most */
    uint64_t most;                             /* where the count is in device memory */
    uint64_t most_rows;                        /* where the number of rows is */
    bool in_place, total, total_only;
    total_places totals;
    int initial; /* 0: none; 1: of the host; 2: in a buffer; 3: one for each row */
} rows_case;

static const clscan_variant small_tiles = {
    .body = CLSCAN_BODY_STRIDED,
    .group_scan = CLSCAN_GROUP_SCAN_KOGGE_STONE,
    .carry = CLSCAN_CARRY_REDUCE_THEN_SCAN,
    .work_group_size = 16,
    .vector_length = 2,
    .register_pieces = 1,
    .local_pieces = 1,
    .work_groups_per_unit = 3,
};

static const clscan_variant wide_groups = {
    .body = CLSCAN_BODY_COALESCED,
    .group_scan = CLSCAN_GROUP_SCAN_BRENT_KUNG,
    .carry = CLSCAN_CARRY_REDUCE_THEN_SCAN,
    .work_group_size = 64,
    .thread_group_size = 16,
    .vector_length = 1,
    .register_pieces = 1,
    .local_pieces = 1,
    .work_groups_per_unit = 2,
};

/* Fewer work-items than a vector has elements. */
static const clscan_variant long_vectors = {
    .body = CLSCAN_BODY_STRIDED,
    .group_scan = CLSCAN_GROUP_SCAN_KOGGE_STONE,
    .carry = CLSCAN_CARRY_REDUCE_THEN_SCAN,
    .work_group_size = 2,
    .vector_length = 8,
    .register_pieces = 1,
    .local_pieces = 1,
    .work_groups_per_unit = 3,
};

/* Vectors of every alignment in rows that share a work-group. */
static const clscan_variant vectors = {
    .body = CLSCAN_BODY_STRIDED,
    .group_scan = CLSCAN_GROUP_SCAN_KOGGE_STONE,
    .carry = CLSCAN_CARRY_REDUCE_THEN_SCAN,
    .work_group_size = 32,
    .vector_length = 4,
    .register_pieces = 1,
    .local_pieces = 0,
    .work_groups_per_unit = 1,
};

/* On CPUs: short rows by whole vectors, past the cache where they stand as lines do. */
static const clscan_variant streams = {
    .body = CLSCAN_BODY_CACHED_ROWS,
    .group_scan = CLSCAN_GROUP_SCAN_BRENT_KUNG,
    .carry = CLSCAN_CARRY_REDUCE_THEN_SCAN,
    .work_group_size = 1,
    .vector_length = 4,
    .cached_pieces = 16,
    .interleaved_rows = 2,
    .streaming_stores = 1,
    .work_groups_per_unit = 4,
};

/* Where a device has shuffles, the sums of strips go by them. */
static const clscan_variant sub_groups = {
    .body = CLSCAN_BODY_SUBGROUP_ROWS,
    .group_scan = CLSCAN_GROUP_SCAN_SUBGROUP,
    .carry = CLSCAN_CARRY_REDUCE_THEN_SCAN,
    .work_group_size = 64,
    .vector_length = 4,
    .register_pieces = 2,
    .work_groups_per_unit = 2,
};

static void set_up_counted(const test_live *live, const clscan_problem *problem, uint64_t row_count_bytes,
                           const clscan_sample_operator *sample, const clscan_variant *variant, row_rig *r)
{
    const clscan_rows rows = {.struct_size = sizeof rows, .count = MOST_ROWS, .count_bytes = row_count_bytes};
    const clscan_plan_options options = {.struct_size = sizeof options, .variant = variant};

    row_rig_open(live, problem, sample, &rows, &options, MOST_ELEMENTS, MOST_TOTALS, MOST_INITIALS, r);
    r->first = UNALIGNED;
    clscan_generate(clscan_generator_for(problem->type, problem->op, problem->direction), problem->type, 7, 0,
                    MOST_ELEMENTS, r->arrays.input);
    test_arrays_write(live, &r->arrays);
}

static void set_up(const test_live *live, const clscan_problem *problem, const clscan_sample_operator *sample,
                   const clscan_variant *variant, row_rig *r)
{
    set_up_counted(live, problem, 0, sample, variant, r);
}

/* Elements that differ: those of rows, and those around them, which must be what they were. */
static unsigned compare(const row_rig *r, const rows_case *c, uint64_t pitch, uint64_t elements)
{
    const unsigned char *old = c->in_place ? r->arrays.input : r->arrays.before;
    const unsigned char *got = r->arrays.got, *expected = r->arrays.expected;
    unsigned wrong = 0;

    for (uint64_t i = 0; i < elements; ++i) {
        const size_t at = (size_t)i * r->element_bytes;
        const uint64_t k = i - r->first;
        const bool in_row =
            !c->total_only && i >= r->first && c->count > 0 && k / pitch < c->rows && k % pitch < c->count;

        wrong += in_row ? !clscan_reference_same(r->problem.type, r->problem.op, expected + at, got + at)
                        : memcmp(old + at, got + at, r->element_bytes) != 0;
    }
    return wrong;
}

/* Small numbers, and wrong ones between them. */
static clscan_memory give_initials(const row_rig *r, uint64_t pitch, clscan_value *values)
{
    static unsigned char bytes[MOST_INITIALS * sizeof(clscan_value)];

    memset(bytes, 0x33, sizeof bytes);
    for (uint64_t row = 0; row < MOST_ROWS; ++row) {
        values[row] = clscan_value_from_int(r->problem.type, (int64_t)(row % 5));
        memcpy(bytes + (size_t)(MARGIN + row * pitch) * r->sum_bytes, &values[row], r->sum_bytes);
    }
    test_write(r->live, r->initials, bytes, MOST_INITIALS * r->sum_bytes);
    return (clscan_memory){.buffer = r->initials, .offset = MARGIN};
}

/* Where the totals stand in memory, and from one to the next. */
static clscan_memory place_totals(const row_rig *r, const rows_case *c, cl_mem out, uint64_t most, uint64_t out_pitch,
                                  uint64_t *pitch)
{
    const bool gaps = !c->total_only && out_pitch > most && r->sum_bytes == r->element_bytes;

    *pitch = c->totals == TOTALS_APART ? MOST_PITCH : 0;
    if (!gaps || c->totals != TOTALS_IN_GAPS)
        return (clscan_memory){.buffer = r->totals, .offset = MARGIN};
    *pitch = out_pitch;
    return (clscan_memory){.buffer = out,
                           .offset = r->problem.direction == CLSCAN_REVERSE ? r->first - 1 : r->first + most};
}

/* Totals that are not those of their rows. The places that they had to go to become what they were, so that nothing but
 * rows has changed. */
static unsigned compare_totals(const row_rig *r, uint64_t rows, clscan_memory at, uint64_t pitch,
                               const clscan_value *expected, unsigned char *got, const unsigned char *old)
{
    unsigned wrong = 0;

    for (uint64_t row = 0; row < rows; ++row) {
        const size_t place = (size_t)(at.offset + row * (pitch > 0 ? pitch : 1)) * r->sum_bytes;

        wrong += !clscan_reference_same_total(r->problem.type, r->problem.op, &expected[row], got + place);
        memcpy(got + place, old + place, r->sum_bytes);
    }
    return wrong;
}

static unsigned run_case(row_rig *r, const rows_case *said)
{
    const clscan_reference what = clscan_reference_of(&r->problem, r->sample);
    const bool counted = r->problem.count_bytes > 0;
    const bool rows_counted = r->row_count_bytes > 0;
    const uint64_t most = counted ? said->most : said->count;
    const uint64_t most_rows = rows_counted ? said->most_rows : said->rows;
    rows_case valid = *said;
    const rows_case *const c = &valid;
    const uint64_t in_pitch = c->in_pitch > 0 ? c->in_pitch : most;
    const uint64_t out_pitch = c->in_place ? in_pitch : c->out_pitch > 0 ? c->out_pitch : most;
    const uint64_t elements = most_rows * out_pitch + 2 * MARGIN;
    const unsigned char *input = r->arrays.input;
    unsigned char *expected = r->arrays.expected;
    const clscan_value initial = clscan_value_from_int(r->problem.type, 3);
    clscan_rows rows = {.struct_size = sizeof rows,
                        .count = most_rows,
                        .in_pitch = c->in_pitch,
                        .out_pitch = c->in_place ? c->in_pitch : c->out_pitch,
                        .initial_pitch = c->initial == 3 ? 1 + c->count % MOST_PITCH : 0};
    clscan_run_args args = {.struct_size = sizeof args, .count = most, .rows = &rows};
    const cl_mem out = c->in_place ? r->arrays.in : r->arrays.out;
    clscan_value initials[MOST_ROWS], expected_totals[MOST_ROWS];
    unsigned char totals[MOST_TOTALS * sizeof(clscan_value)], old_totals[sizeof totals];
    const cl_mem count = counted ? test_count(r->live, said->count, r->problem.count_bytes) : NULL;
    const cl_mem row_count = rows_counted ? test_count(r->live, said->rows, r->row_count_bytes) : NULL;
    clscan_report report = {.struct_size = sizeof report};
    clscan_error error = {0};
    unsigned wrong = 0;

    if (rows_counted) {
        args.device_row_count = (clscan_memory){.buffer = row_count, .offset = 1};
        valid.rows = said->rows <= most_rows ? said->rows : 0;
        r->refused += said->rows > most_rows;
    }
    if (counted) {
        args.device_count = (clscan_memory){.buffer = count, .offset = 1};
        valid.count = said->count <= most ? said->count : 0;
        r->refused += said->count > most;
    }
    assert_true(most_rows * in_pitch + 2 * MARGIN <= MOST_ELEMENTS && elements <= MOST_ELEMENTS);
    memset(totals, 0x5a, sizeof totals);
    memcpy(totals, &initial, r->sum_bytes);
    memcpy(old_totals, totals, sizeof totals);
    test_write(r->live, r->totals, totals, MOST_TOTALS * r->sum_bytes);
    test_arrays_write(r->live, &r->arrays);
    args.in = (clscan_memory){.buffer = r->arrays.in, .offset = r->first};
    if (!c->total_only)
        args.out = (clscan_memory){.buffer = out, .offset = r->first};
    if (c->initial == 1)
        args.initial = (clscan_memory){.kind = CLSCAN_MEMORY_HOST, .pointer = &initial};
    if (c->initial == 2)
        args.initial.buffer = r->totals;
    if (c->initial == 3)
        args.initial = give_initials(r, rows.initial_pitch, initials);
    if (c->total)
        args.total = place_totals(r, c, out, most, out_pitch, &rows.total_pitch);
    assert_status(CLSCAN_OK, clscan_run(r->plan, r->workspace, r->live->queue, &args, 0, NULL, NULL, &error), &error);
    assert_int_equal(clscan_workspace_report(r->workspace, r->live->queue, &report, NULL), CLSCAN_OK);
    wrong += report.refused_counts != r->refused;
    if (counted)
        clReleaseMemObject(count);
    if (rows_counted)
        clReleaseMemObject(row_count);
    test_read(r->live, out, (size_t)elements * r->element_bytes, r->arrays.got);
    test_read(r->live, r->totals, MOST_TOTALS * r->sum_bytes, totals);
    for (uint64_t row = 0; row < c->rows; ++row) {
        expected_totals[row] = (clscan_value){.bits = 0};
        assert_int_equal(clscan_reference_scan(
                             &what, input + (size_t)(r->first + row * in_pitch) * r->element_bytes, c->count,
                             c->initial == 3   ? &initials[row]
                             : c->initial != 0 ? &initial
                                               : NULL,
                             expected + (size_t)(r->first + row * out_pitch) * r->element_bytes, &expected_totals[row]),
                         CLSCAN_OK);
    }
    if (c->total && args.total.buffer == r->totals)
        wrong += compare_totals(r, c->rows, args.total, rows.total_pitch, expected_totals, totals, old_totals);
    else if (c->total)
        wrong += compare_totals(r, c->rows, args.total, rows.total_pitch, expected_totals, r->arrays.got,
                                c->in_place ? r->arrays.input : r->arrays.before);
    wrong += memcmp(totals, old_totals, MOST_TOTALS * r->sum_bytes) != 0;
    wrong += compare(r, c, out_pitch, elements);
    if (wrong > 0)
        print_error(
            "%s %s, form %d, direction %d: %u rows of %u, pitches %u and %u, in place %d, totals %d, initial %d: "
            "%u differ\n",
            clscan_type_name(r->problem.type), clscan_operator_name(r->problem.op), (int)r->problem.form,
            (int)r->problem.direction, (unsigned)said->rows, (unsigned)said->count, (unsigned)c->in_pitch,
            (unsigned)c->out_pitch, c->in_place, (int)c->totals, c->initial, wrong);
    return wrong > 0;
}

/* One case of each length; rows, pitches and the rest go round beside it. */
static unsigned run_lengths(row_rig *r, bool all)
{
    static const uint64_t counts[] = {71,  100,  127,  128,  129,  143,  255,  256,  257,  300,  511,       512,
                                      513, 1000, 1023, 1024, 1025, 2047, 2048, 2049, 4095, 4097, MOST_COUNT};
    static const uint64_t rows[] = {1, 2, 3, 15, 16, 17, 40, 257, MOST_ROWS};
    const bool needs_initial =
        r->problem.op == CLSCAN_CUSTOM && r->problem.custom->identity == NULL && r->problem.form == CLSCAN_EXCLUSIVE;
    unsigned failures = 0, turn = 0;

    for (uint64_t k = 1; k <= 70 + COUNT_OF(counts); ++k) {
        for (unsigned again = 0; again < (all ? 4 : 1); ++again, ++turn) {
            rows_case c = {.count = k <= 70 ? k : counts[k - 71], .rows = rows[turn % COUNT_OF(rows)]};
            while (c.rows > 1 && c.rows * (c.count + 9) > MOST_ELEMENTS - 2 * MARGIN)
                c.rows /= 2;
            c.in_pitch = turn % 3 == 0 ? 0 : c.count + turn % 5;
            c.out_pitch = turn % 4 == 0 ? 0 : c.count + turn % 7;
            c.in_place = turn % 5 == 3;
            c.total = turn % 2 == 0 || r->problem.operation == CLSCAN_REDUCE;
            c.total_only = (c.total && turn % 3 == 1) || r->problem.operation == CLSCAN_REDUCE;
            c.totals = (total_places)(turn / 2 % TOTAL_PLACES);
            c.initial = (int)(turn / 3 % 4);
            r->first = turn / 4 % 2 == 1 ? MARGIN : UNALIGNED;
            if (needs_initial && c.initial == 0)
                c.initial = 1;
            failures += run_case(r, &c);
        }
    }
    return failures;
}

static void every_length(void **state)
{
    static const struct {
        clscan_type type;
        clscan_operator op;
        clscan_form form;
        clscan_direction direction;
    } problems[] = {
        {CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD},
        {CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_EXCLUSIVE, CLSCAN_FORWARD},
        {CLSCAN_INT8, CLSCAN_MAX, CLSCAN_INCLUSIVE, CLSCAN_REVERSE},
        {CLSCAN_UINT8, CLSCAN_XOR, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE},
        {CLSCAN_INT16, CLSCAN_MIN, CLSCAN_INCLUSIVE, CLSCAN_FORWARD},
        {CLSCAN_UINT16, CLSCAN_ADD, CLSCAN_EXCLUSIVE, CLSCAN_FORWARD},
        {CLSCAN_UINT32, CLSCAN_OR, CLSCAN_INCLUSIVE, CLSCAN_REVERSE},
        {CLSCAN_INT64, CLSCAN_ADD, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE},
        {CLSCAN_UINT64, CLSCAN_MUL, CLSCAN_INCLUSIVE, CLSCAN_FORWARD},
        {CLSCAN_HALF, CLSCAN_MAX, CLSCAN_INCLUSIVE, CLSCAN_REVERSE},
        {CLSCAN_DOUBLE, CLSCAN_ADD, CLSCAN_EXCLUSIVE, CLSCAN_FORWARD},
    };
    const test_live *live = *state;
    unsigned failures = 0;
    row_rig r;

    for (size_t i = 0; i < COUNT_OF(problems); ++i) {
        const clscan_problem problem =
            test_problem(problems[i].type, problems[i].op, problems[i].form, problems[i].direction, MOST_COUNT);
        /* Compiling takes longer than all runs of a plan. */
        if (!test_type_runs(live, problem.type) || i % test_case_step(live, 2, 5) != 0)
            continue;
        set_up(live, &problem, NULL, NULL, &r);
        failures += run_lengths(&r, i == 0);
        row_rig_close(&r);
    }
    assert_int_equal(failures, 0);
}

/* Operation reduce gives what a scan's totals are: rows that share a work-group, rows of their own, and few of them. */
static void reductions(void **state)
{
    static const struct {
        clscan_type type;
        clscan_direction direction;
        bool ordered; /* an operator that does not commute; else add */
        const clscan_variant *variant;
    } cases[] = {
        {CLSCAN_INT32, CLSCAN_FORWARD, false, NULL},        {CLSCAN_UINT32, CLSCAN_REVERSE, true, &small_tiles},
        {CLSCAN_HALF, CLSCAN_FORWARD, false, &wide_groups}, {CLSCAN_UINT32, CLSCAN_FORWARD, true, &sub_groups},
        {CLSCAN_UINT32, CLSCAN_REVERSE, true, NULL},
    };
    const test_live *live = *state;
    unsigned failures = 0;

    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        const clscan_sample_operator *sample =
            cases[i].ordered ? clscan_sample_find(CLSCAN_SAMPLE_AFFINE, cases[i].type) : NULL;
        clscan_problem problem =
            test_sample_problem(cases[i].type, CLSCAN_ADD, sample, CLSCAN_INCLUSIVE, cases[i].direction, MOST_COUNT);
        row_rig r;

        if (!test_takes(i, 4) || !test_type_runs(live, problem.type))
            continue;
        problem.operation = CLSCAN_REDUCE;
        set_up(live, &problem, sample, cases[i].variant, &r);
        failures += run_lengths(&r, false);
        failures += run_case(&r, &(rows_case){.rows = 50, .count = 0, .total = true, .total_only = true});
        row_rig_close(&r);
        /* The number of rows and that of their elements on the device. */
        problem.count_bytes = 4;
        set_up_counted(live, &problem, 8, sample, cases[i].variant, &r);
        for (uint64_t count = 0; count <= 260; count += 65) {
            const rows_case c = {.rows = 9 + count,
                                 .count = count,
                                 .most = 260,
                                 .most_rows = 300,
                                 .initial = 1,
                                 .total = true,
                                 .total_only = true};

            failures += run_case(&r, &c);
        }
        row_rig_close(&r);
    }
    assert_int_equal(failures, 0);
}

static void rows_past_the_cache(void **state)
{
    static const clscan_type types[] = {CLSCAN_INT32, CLSCAN_FLOAT, CLSCAN_INT64};
    const test_live *live = *state;
    unsigned failures = 0;
    row_rig r;

    for (size_t i = 0; i < COUNT_OF(types); ++i) {
        const clscan_problem problem =
            test_problem(types[i], CLSCAN_ADD, (clscan_form)(i % 2), (clscan_direction)(i % 2), MOST_COUNT);

        if (!test_takes(i, 3) || clscan_variant_check(&streams, &problem, 0, &live->info, NULL) != CLSCAN_OK)
            continue;
        set_up(live, &problem, NULL, &streams, &r);
        failures += run_lengths(&r, i == 0);
        row_rig_close(&r);
    }
    assert_int_equal(failures, 0);
}

/* The count of each row in device memory, of all that there is room for and more; rows that share a work-group, rows of
 * their own, few that are cut into ranges, and totals alone. */
static void counts_on_the_device(void **state)
{
    static const clscan_variant *const variants[] = {NULL, &small_tiles, &wide_groups, &sub_groups};
    static const struct {
        uint64_t rows, most;
    } shapes[] = {{257, 60}, {MOST_ROWS, 7}, {40, 3000}, {3, MOST_COUNT}, {1, MOST_COUNT}, {2, 700}};
    const test_live *live = *state;
    unsigned failures = 0;
    row_rig r;

    for (size_t i = 0; i < COUNT_OF(variants); ++i) {
        clscan_problem problem =
            test_problem(CLSCAN_INT32, CLSCAN_ADD, (clscan_form)(i % 2), (clscan_direction)(i / 2 % 2), MOST_COUNT);
        unsigned turn = 0;

        problem.count_bytes = i % 2 == 0 ? 4 : 8;
        if (!test_takes(i, 4) ||
            (variants[i] != NULL && clscan_variant_check(variants[i], &problem, 0, &live->info, NULL) != CLSCAN_OK))
            continue;
        set_up(live, &problem, NULL, variants[i], &r);
        for (size_t s = 0; s < COUNT_OF(shapes); ++s) {
            const uint64_t most = shapes[s].most;
            const uint64_t counts[] = {0, 1, 2, 31, 32, 33, most / 2, most - 1, most, most + 1, UINT32_MAX};

            for (size_t k = 0; k < COUNT_OF(counts); ++k, ++turn) {
                const rows_case c = {.rows = shapes[s].rows,
                                     .count = counts[k],
                                     .most = most,
                                     .in_pitch = turn % 3 == 0 ? 0 : most + turn % 5,
                                     .out_pitch = turn % 4 == 0 ? 0 : most + turn % 7,
                                     .in_place = turn % 5 == 3,
                                     .total = turn % 2 == 0,
                                     .total_only = turn % 2 == 0 && turn % 3 == 1,
                                     .totals = (total_places)(turn / 2 % TOTAL_PLACES),
                                     .initial = (int)(turn / 3 % 4)};

                failures += run_case(&r, &c);
            }
        }
        row_rig_close(&r);
    }
    assert_int_equal(failures, 0);
}

/* The number of rows in device memory, with and without their count: none, some, all that there is room for, and more,
 * which is refused. */
static void rows_on_the_device(void **state)
{
    static const clscan_variant *const variants[] = {NULL, &small_tiles, &wide_groups, &sub_groups};
    static const struct {
        uint64_t most_rows, count;
    } shapes[] = {{257, 60}, {MOST_ROWS, 7}, {40, 3000}, {3, MOST_COUNT}, {1, MOST_COUNT}};
    const test_live *live = *state;
    unsigned failures = 0;
    row_rig r;

    for (size_t i = 0; i < COUNT_OF(variants); ++i) {
        clscan_problem problem =
            test_problem(CLSCAN_INT32, CLSCAN_ADD, (clscan_form)(i % 2), (clscan_direction)(i / 2 % 2), MOST_COUNT);
        unsigned turn = 0;

        problem.count_bytes = i % 2 == 0 ? 0 : 4;
        if (!test_takes(i + 2, 3) ||
            (variants[i] != NULL && clscan_variant_check(variants[i], &problem, 0, &live->info, NULL) != CLSCAN_OK))
            continue;
        set_up_counted(live, &problem, i % 3 == 1 ? 8 : 4, NULL, variants[i], &r);
        for (size_t s = 0; s < COUNT_OF(shapes); ++s) {
            const uint64_t most_rows = shapes[s].most_rows;
            const uint64_t rows[] = {0, 1, most_rows / 2, most_rows - 1, most_rows, most_rows + 1, UINT32_MAX};

            for (size_t k = 0; k < COUNT_OF(rows); ++k, ++turn) {
                const rows_case c = {.rows = rows[k],
                                     .most_rows = most_rows,
                                     .count = turn % 9 == 8 ? 0 : shapes[s].count - turn % 3,
                                     .most = shapes[s].count,
                                     .in_pitch = turn % 3 == 0 ? 0 : shapes[s].count + turn % 5,
                                     .out_pitch = turn % 4 == 0 ? 0 : shapes[s].count + turn % 7,
                                     .in_place = turn % 5 == 3,
                                     .total = turn % 2 == 0,
                                     .total_only = turn % 2 == 0 && turn % 3 == 1,
                                     .totals = (total_places)(turn / 2 % TOTAL_PLACES),
                                     .initial = (int)(turn / 3 % 4)};

                failures += run_case(&r, &c);
            }
        }
        row_rig_close(&r);
    }
    assert_int_equal(failures, 0);
}

/* Several work-items in a group, also where the device's own variants have one. */
static void every_length_in_groups(void **state)
{
    const test_live *live = *state;
    const clscan_variant *const variants[] = {&small_tiles, &wide_groups};
    unsigned failures = 0;
    row_rig r;

    for (size_t i = 0; i < (test_thorough() ? 5 : 1); ++i) {
        const clscan_type types[] = {CLSCAN_HALF, CLSCAN_UINT32, CLSCAN_UINT8, CLSCAN_INT32, CLSCAN_INT64};
        const clscan_sample samples[] = {CLSCAN_SAMPLE_COUNT, CLSCAN_SAMPLE_AFFINE, CLSCAN_SAMPLE_KEEP_LAST,
                                         CLSCAN_SAMPLE_COUNT, CLSCAN_SAMPLE_TAKE_LEFT};
        const clscan_form form = (clscan_form)(i % 2);
        const clscan_direction direction = (clscan_direction)(i / 2 % 2);
        const clscan_sample_operator *sample =
            samples[i] < CLSCAN_SAMPLE_COUNT ? clscan_sample_find(samples[i], types[i]) : NULL;
        const clscan_problem problem = test_sample_problem(types[i], CLSCAN_ADD, sample, form, direction, MOST_COUNT);

        set_up(live, &problem, sample, variants[i % 2], &r);
        failures += run_lengths(&r, false);
        row_rig_close(&r);
    }
    assert_int_equal(failures, 0);
}

static void every_length_by_long_vectors(void **state)
{
    const test_live *live = *state;
    const clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, MOST_COUNT);
    unsigned failures = 0;
    row_rig r;

    set_up(live, &problem, NULL, &long_vectors, &r);
    failures += run_lengths(&r, false);
    row_rig_close(&r);
    assert_int_equal(failures, 0);
}

/* Gaps of up to a row, which stand in local memory as they do in the input, where rows begin at every element of a
 * vector; the output has the same gaps, or others. */
static unsigned run_gaps(row_rig *r)
{
    static const uint64_t counts[] = {1, 2, 3, 5, 7, 13, 15, 16, 17, 31, 32, 33, 40, 63, 64, 100, 250, 500, 1000};
    unsigned failures = 0, turn = 0;

    for (size_t i = 0; i < COUNT_OF(counts); ++i) {
        const uint64_t gaps[] = {0, 1, 3, counts[i] / 2, counts[i], counts[i] + 1};

        for (size_t j = 0; j < COUNT_OF(gaps); ++j, ++turn) {
            rows_case c = {.count = counts[i], .rows = counts[i] < 200 ? 290 : 40, .in_pitch = counts[i] + gaps[j]};

            c.out_pitch = turn % 4 == 3 ? counts[i] + 2 : c.in_pitch;
            c.in_place = turn % 5 == 2;
            c.total = turn % 3 == 1;
            c.totals = (total_places)(turn / 3 % TOTAL_PLACES);
            c.initial = (int)(turn / 2 % 4);
            r->first = UNALIGNED + turn % 4;
            failures += run_case(r, &c);
        }
    }
    r->first = UNALIGNED;
    return failures;
}

static void narrow_gaps(void **state)
{
    static const struct {
        clscan_type type;
        clscan_sample sample; /* CLSCAN_SAMPLE_COUNT: sums */
        clscan_form form;
        clscan_direction direction;
    } problems[] = {
        {CLSCAN_INT32, CLSCAN_SAMPLE_COUNT, CLSCAN_INCLUSIVE, CLSCAN_FORWARD},
        {CLSCAN_UINT8, CLSCAN_SAMPLE_COUNT, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE},
        {CLSCAN_UINT32, CLSCAN_SAMPLE_AFFINE, CLSCAN_INCLUSIVE, CLSCAN_REVERSE},
        {CLSCAN_INT64, CLSCAN_SAMPLE_COUNT, CLSCAN_INCLUSIVE, CLSCAN_REVERSE},
        {CLSCAN_INT32, CLSCAN_SAMPLE_KEEP_LAST, CLSCAN_EXCLUSIVE, CLSCAN_FORWARD},
    };
    const test_live *live = *state;
    unsigned failures = 0;
    row_rig r;

    for (size_t i = 0; i < (test_thorough() ? COUNT_OF(problems) : 1); ++i) {
        const clscan_sample_operator *sample =
            problems[i].sample < CLSCAN_SAMPLE_COUNT ? clscan_sample_find(problems[i].sample, problems[i].type) : NULL;
        const clscan_problem problem = test_sample_problem(problems[i].type, CLSCAN_ADD, sample, problems[i].form,
                                                           problems[i].direction, MOST_COUNT);

        set_up(live, &problem, sample, &vectors, &r);
        failures += run_gaps(&r);
        row_rig_close(&r);
    }
    assert_int_equal(failures, 0);
}

/* Strips of narrow elements are walked by words, those of wide ones are padded otherwise. */
static void every_length_in_sub_groups(void **state)
{
    static const struct {
        clscan_type type;
        clscan_sample sample; /* CLSCAN_SAMPLE_COUNT: sums */
        clscan_form form;
        clscan_direction direction;
    } problems[] = {
        {CLSCAN_INT64, CLSCAN_SAMPLE_COUNT, CLSCAN_INCLUSIVE, CLSCAN_FORWARD},
        {CLSCAN_UINT8, CLSCAN_SAMPLE_COUNT, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE},
        {CLSCAN_UINT32, CLSCAN_SAMPLE_AFFINE, CLSCAN_INCLUSIVE, CLSCAN_REVERSE},
        {CLSCAN_UINT16, CLSCAN_SAMPLE_AFFINE, CLSCAN_EXCLUSIVE, CLSCAN_FORWARD},
        {CLSCAN_INT16, CLSCAN_SAMPLE_COUNT, CLSCAN_INCLUSIVE, CLSCAN_FORWARD},
        {CLSCAN_INT32, CLSCAN_SAMPLE_COUNT, CLSCAN_EXCLUSIVE, CLSCAN_FORWARD},
    };
    const test_live *live = *state;
    unsigned failures = 0;
    row_rig r;

    for (size_t i = 0; i < (test_thorough() ? COUNT_OF(problems) : 1); ++i) {
        const clscan_sample_operator *sample =
            problems[i].sample < CLSCAN_SAMPLE_COUNT ? clscan_sample_find(problems[i].sample, problems[i].type) : NULL;
        const clscan_problem problem = test_sample_problem(problems[i].type, CLSCAN_ADD, sample, problems[i].form,
                                                           problems[i].direction, MOST_COUNT);

        if (clscan_variant_check(&sub_groups, &problem, 0, &live->info, NULL) != CLSCAN_OK)
            continue;
        set_up(live, &problem, sample, &sub_groups, &r);
        failures += run_lengths(&r, false);
        row_rig_close(&r);
    }
    assert_int_equal(failures, 0);
}

/* Operators that do not commute, by the device's own variant. */
static void operators_that_do_not_commute(void **state)
{
    const test_live *live = *state;
    unsigned failures = 0;
    row_rig r;

    for (unsigned i = 1; i < (test_thorough() ? 4 : 2); ++i) {
        const clscan_sample_operator *sample =
            clscan_sample_find(i < 3 ? CLSCAN_SAMPLE_AFFINE : CLSCAN_SAMPLE_TAKE_LEFT, CLSCAN_UINT32);
        const clscan_problem problem =
            test_custom_problem(CLSCAN_UINT32, sample, (clscan_form)(i % 2), (clscan_direction)(i / 2), MOST_COUNT);

        set_up(live, &problem, sample, NULL, &r);
        failures += run_lengths(&r, false);
        row_rig_close(&r);
    }
    assert_int_equal(failures, 0);
}

/* Rows without elements have totals; no rows are a run too. */
static void nothing_to_scan(void **state)
{
    const test_live *live = *state;
    const clscan_variant *const variants[] = {NULL, &small_tiles};
    const clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, MOST_COUNT);
    unsigned failures = 0;
    row_rig r;

    for (size_t i = 0; i < COUNT_OF(variants); ++i) {
        set_up(live, &problem, NULL, variants[i], &r);
        for (int initial = 0; initial < 4; ++initial) {
            failures += run_case(&r, &(rows_case){.rows = 50, .count = 0, .total = true, .initial = initial});
            failures += run_case(
                &r, &(rows_case){.rows = 50, .count = 0, .total = true, .total_only = true, .initial = initial});
            failures += run_case(&r, &(rows_case){.rows = 0, .count = 9, .total = true, .initial = initial});
            failures += run_case(&r, &(rows_case){.rows = 50,
                                                  .count = 0,
                                                  .out_pitch = 3,
                                                  .total = true,
                                                  .totals = TOTALS_IN_GAPS,
                                                  .initial = initial});
        }
        row_rig_close(&r);
    }
    assert_int_equal(failures, 0);
}

/* Rows of `most` elements and of fewer, with gaps. The plan would take rows of `max_count`. */
static void scan_few_rows(const test_live *live, const clscan_plan_options *options, uint64_t max_count, size_t most)
{
    enum { ROWS = 2 };
    const struct {
        uint64_t rows, count;
        bool in_place;
    } cases[] = {{ROWS, most, false}, {1, most, false}, {ROWS, most, true}, {1, most - 7, true}, {ROWS, 70001, false}};
    const size_t pitch = most + 2, bytes = ROWS * pitch * sizeof(cl_uint);
    const clscan_rows most_rows = {.struct_size = sizeof most_rows, .count = ROWS};
    clscan_problem problem = test_problem(CLSCAN_UINT32, CLSCAN_ADD, CLSCAN_EXCLUSIVE, CLSCAN_FORWARD, max_count);
    cl_uint *input = malloc(bytes), *got = malloc(bytes), totals[ROWS];
    const cl_uint initial = 7, initials[ROWS] = {11, 1300};
    clscan_error error = {0};
    unsigned wrong = 0;
    clscan_plan *plan;
    clscan_workspace *workspace;
    cl_mem in, out, all_totals, all_initials;

    assert_true(input != NULL && got != NULL);
    for (size_t i = 0; i < bytes / sizeof *input; ++i)
        input[i] = (cl_uint)(i * 2654435761u >> 16);
    problem.rows = &most_rows;
    test_plan_create(live, &problem, options, &plan, &workspace);
    in = test_buffer(live, CL_MEM_READ_WRITE, bytes, input);
    out = test_buffer(live, CL_MEM_READ_WRITE, bytes, input);
    all_totals = test_buffer(live, CL_MEM_READ_WRITE, sizeof totals, NULL);
    all_initials = test_buffer(live, CL_MEM_READ_WRITE, sizeof initials, initials);
    for (size_t i = 0; i < 6 * COUNT_OF(cases); ++i) {
        const bool own = i / COUNT_OF(cases) % 2 == 1;          /* initial values */
        const bool alone = i / COUNT_OF(cases) / 2 % 2 == 1;    /* totals, without outputs */
        const bool behind = i >= 4 * COUNT_OF(cases) && !alone; /* totals, each its row */
        const size_t c = i % COUNT_OF(cases);
        const clscan_rows rows = {.struct_size = sizeof rows,
                                  .count = cases[c].rows,
                                  .in_pitch = pitch,
                                  .out_pitch = pitch,
                                  .initial_pitch = own,
                                  .total_pitch = behind ? pitch : 0};
        clscan_run_args args = {.struct_size = sizeof args,
                                .in = {.buffer = cases[c].in_place ? out : in},
                                .out = {.buffer = out},
                                .total = {.buffer = behind ? out : all_totals, .offset = behind ? cases[c].count : 0},
                                .initial = {.kind = CLSCAN_MEMORY_HOST, .pointer = &initial},
                                .count = cases[c].count,
                                .rows = &rows};

        if (own)
            args.initial = (clscan_memory){.buffer = all_initials};
        test_write(live, out, input, bytes);
        if (alone)
            args.out.buffer = NULL;
        assert_status(CLSCAN_OK, clscan_run(plan, workspace, live->queue, &args, 0, NULL, NULL, &error), &error);
        test_read(live, out, bytes, got);
        test_read(live, all_totals, sizeof totals, totals);
        for (size_t row = 0; row < ROWS; ++row) {
            cl_uint sum = own ? initials[row] : initial;

            for (size_t k = 0; k < pitch; ++k) {
                const size_t at = row * pitch + k;
                const bool scanned = row < cases[c].rows && k < cases[c].count;
                const bool total = behind && row < cases[c].rows && k == cases[c].count;

                wrong += got[at] != ((scanned && !alone) || total ? sum : input[at]);
                sum += scanned ? input[at] : 0;
            }
            wrong += row < cases[c].rows && !behind && totals[row] != sum;
        }
        if (wrong > 0)
            fail_msg("%u rows of %u, in place %d, totals behind %d: %u differ", (unsigned)cases[c].rows,
                     (unsigned)cases[c].count, cases[c].in_place, behind, wrong);
    }
    clscan_workspace_destroy(workspace);
    clscan_plan_destroy(plan);
    clReleaseMemObject(in);
    clReleaseMemObject(out);
    clReleaseMemObject(all_totals);
    clReleaseMemObject(all_initials);
    free(input);
    free(got);
}

static void few_long_rows(void **state)
{
    scan_few_rows(*state, NULL, LONG_ROW, LONG_ROW);
}

/* Where work-groups may wait, one row is a scan like any other, and a few are chains of tiles; or each of them is a
 * scan, where the plan's longest rows have too many tiles for chains. */
static void few_long_rows_that_wait(void **state)
{
    static const char format[] =
        "{\"schema_version\": 1, \"match\": \"%s\", \"provenance\": {\"origin\": \"hand-set\", \"date\": "
        "\"2026-11-23\", "
        "\"device\": \"a test\", \"driver\": \"1\", \"platform\": \"p\", \"clscan_version\": \"0.1.0\", \"note\": "
        "\"\"}, "
        "\"entries\": [{\"operation\": \"scan\", \"element_size_bytes\": 4, \"operator_class\": \"builtin\", "
        "\"largest_count\": null, \"reproducible\": false, \"variant\": {\"body\": \"strided\", \"group_scan\": "
        "\"kogge_stone\", \"carry\": \"adjacent\", \"order\": \"dynamic\", \"work_group_size\": 16, \"vector_length\": "
        "4, "
        "\"register_pieces\": 0, \"local_pieces\": 16, \"tiles_per_work_group\": 1, \"poll_delay\": 0}}]}";
    const test_live *live = *state;
    clscan_plan_options options = {.struct_size = sizeof options};
    clscan_config *config = NULL;
    clscan_error error = {0};
    char text[1024];

    if (!test_may_wait(live))
        skip();
    snprintf(text, sizeof text, format, live->info.key);
    assert_status(CLSCAN_OK, clscan_config_parse(text, strlen(text), "test", &config, &error), &error);
    options.config = config;
    scan_few_rows(live, &options, 200003, 200003);
    options.mechanism = CLSCAN_MECHANISM_ATOMIC32; /* whose launches have 2^18 - 1 tiles at most */
    scan_few_rows(live, &options, 1 << 27, LONG_ROW);
    clscan_config_destroy(config);
}

/* Where work-groups may wait, rows of whole tiles without gaps are walked as one input, each from its own initial
 * value. Rows of other lengths, with gaps or elsewhere in their buffers are scanned otherwise by the same plan. */
static void rows_of_whole_tiles(void **state)
{
    enum { COUNT = 32768, TILE = 128, ROWS = 5 };
    static const char format[] =
        "{\"schema_version\": 1, \"match\": \"%s\", \"provenance\": {\"origin\": \"hand-set\", \"date\": "
        "\"2026-11-26\"}, \"entries\": [{\"operation\": \"scan\", \"element_size_bytes\": 8, "
        "\"operator_class\": \"builtin\", \"largest_count\": null, \"reproducible\": false, "
        "\"variant\": %s}, {\"operation\": \"scan\", \"element_size_bytes\": 8, "
        "\"operator_class\": \"custom\", \"largest_count\": null, \"reproducible\": false, "
        "\"variant\": %s}]}";
    static const char variant[] =
        "{\"body\": \"subgroup_rows\", \"group_scan\": \"subgroup\", \"carry\": \"lookahead\", "
        "\"order\": \"persistent\", \"work_group_size\": 16, \"vector_length\": 2, \"register_pieces\": 4, "
        "\"local_pieces\": 0, \"work_groups_per_unit\": 2, \"poll_delay\": 0, \"landing_zones\": 0}";
    static const rows_case cases[] = {
        {.rows = ROWS, .count = COUNT, .total = true, .initial = 3},
        {.rows = ROWS, .count = COUNT, .in_place = true, .total = true, .initial = 1},
        {.rows = ROWS, .count = COUNT, .total = true, .totals = TOTALS_APART, .initial = 3},
        {.rows = 1, .count = COUNT, .total = true, .initial = 2},
        {.rows = 2, .count = COUNT, .initial = 1},
        {.rows = ROWS - 1, .count = COUNT - TILE, .total = true, .initial = 3},
        {.rows = 3, .count = COUNT, .in_pitch = COUNT + TILE, .out_pitch = COUNT + 1, .total = true, .initial = 3},
        {.rows = 3, .count = COUNT, .out_pitch = COUNT + 1, .total = true, .totals = TOTALS_IN_GAPS, .initial = 3},
        {.rows = 3, .count = COUNT - TILE + 1, .total = true, .initial = 1},
    };
    static const struct {
        clscan_operator op;
        clscan_form form;
        clscan_direction direction;
    } scans[] = {{CLSCAN_ADD, CLSCAN_EXCLUSIVE, CLSCAN_FORWARD},
                 {CLSCAN_CUSTOM, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE},
                 {CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_REVERSE},
                 {CLSCAN_CUSTOM, CLSCAN_INCLUSIVE, CLSCAN_FORWARD}};
    const test_live *live = *state;
    const clscan_rows rows = {.struct_size = sizeof rows, .count = ROWS};
    clscan_plan_options options = {.struct_size = sizeof options};
    clscan_config *config = NULL;
    clscan_error error = {0};
    unsigned failures = 0;
    char text[2048];

    if (!test_may_wait(live))
        skip();
    snprintf(text, sizeof text, format, live->info.key, variant, variant);
    assert_status(CLSCAN_OK, clscan_config_parse(text, strlen(text), "test", &config, &error), &error);
    options.config = config;
    for (size_t i = 0; i < (test_thorough() ? COUNT_OF(scans) : 1); ++i) {
        const clscan_sample_operator *sample =
            scans[i].op == CLSCAN_CUSTOM ? clscan_sample_find(CLSCAN_SAMPLE_KEEP_LAST, CLSCAN_INT64) : NULL;
        const clscan_problem problem =
            test_sample_problem(CLSCAN_INT64, scans[i].op, sample, scans[i].form, scans[i].direction, COUNT);
        row_rig r;

        row_rig_open(live, &problem, sample, &rows, &options, MOST_ELEMENTS, MOST_TOTALS, MOST_INITIALS, &r);
        clscan_generate(clscan_generator_for(problem.type, problem.op, problem.direction), problem.type, 7, 0,
                        MOST_ELEMENTS, r.arrays.input);
        for (size_t c = 0; c < COUNT_OF(cases); ++c) {
            r.first = MARGIN;
            failures += run_case(&r, &cases[c]);
        }
        r.first = UNALIGNED;
        failures += run_case(&r, &cases[0]);
        row_rig_close(&r);
    }
    assert_int_equal(failures, 0);
    clscan_config_destroy(config);
}

/* An entry for rows serves them as it is, and few long ones that wait as before. */
static void entries_for_rows_serve_them(void **state)
{
    static const char format[] =
        "{\"schema_version\": 1, \"match\": \"%s\", \"provenance\": {\"origin\": \"tuned\", \"date\": "
        "\"2026-11-25\"}, \"entries\": [{\"operation\": \"scan_rows\", \"element_size_bytes\": 4, "
        "\"operator_class\": \"builtin\", \"largest_count\": %u, \"reproducible\": false, \"revision\": \"%s\", "
        "\"variant\": {\"body\": \"strided\", \"group_scan\": \"kogge_stone\", \"carry\": \"reduce_then_scan\", "
        "\"work_group_size\": 16, \"vector_length\": 2, \"register_pieces\": 3, \"local_pieces\": 2, "
        "\"work_groups_per_unit\": 4}}, {\"operation\": \"scan_rows\", \"element_size_bytes\": 4, "
        "\"operator_class\": \"builtin\", \"largest_count\": null, \"reproducible\": false, "
        "\"variant\": {\"body\": \"strided\", \"group_scan\": \"kogge_stone\", \"carry\": \"reduce_then_scan\", "
        "\"work_group_size\": 32, \"vector_length\": 2, \"register_pieces\": 3, \"local_pieces\": 2, "
        "\"work_groups_per_unit\": 4}}]}";
    const test_live *live = *state;
    clscan_rows rows = {.struct_size = sizeof rows, .count = MOST_ROWS};
    const clscan_variant variant = {.body = CLSCAN_BODY_STRIDED,
                                    .group_scan = CLSCAN_GROUP_SCAN_KOGGE_STONE,
                                    .carry = CLSCAN_CARRY_REDUCE_THEN_SCAN,
                                    .work_group_size = 16,
                                    .vector_length = 2,
                                    .register_pieces = 3,
                                    .local_pieces = 2,
                                    .work_groups_per_unit = 4};
    clscan_problem problem = {.struct_size = sizeof problem, .type = CLSCAN_UINT32, .max_count = 300, .rows = &rows};
    clscan_choice choice = {.struct_size = sizeof choice};
    clscan_kernel_info info = {.struct_size = sizeof info};
    clscan_plan_options options = {.struct_size = sizeof options};
    clscan_config *config = NULL;
    clscan_plan *plan = NULL;
    clscan_error error = {0};
    char text[2048], revision[CLSCAN_REVISION_BYTES];

    assert_status(CLSCAN_OK, clscan_variant_revision(&variant, &problem, &live->info, revision, &error), &error);
    snprintf(text, sizeof text, format, live->info.key, 300u, revision);
    assert_status(CLSCAN_OK, clscan_config_parse(text, strlen(text), "test", &config, &error), &error);
    options.config = config;
    assert_status(CLSCAN_OK, clscan_plan_create(live->context, live->device, &problem, &options, &plan, &error),
                  &error);
    assert_status(CLSCAN_OK, clscan_plan_explain(plan, 7, 0, &choice, &error), &error);
    assert_string_equal(choice.source, "test");
    assert_string_equal(choice.entry, "/entries/0");
    assert_memory_equal(&choice.variant, &variant, sizeof variant);
    assert_true(choice.largest_count == UINT64_MAX); /* one answer for all rows of a plan */
    /* So it is not stale. */
    assert_status(CLSCAN_OK, clscan_plan_kernel_info(plan, 7, 0, &info, &error), &error);
    assert_string_equal(info.revision, revision);
    clscan_plan_destroy(plan);
    scan_few_rows(live, &options, 70003, 70003);
    clscan_config_destroy(config);
}

/* Where totals may stand, and where not. */
static void total_refusals(const row_rig *r)
{
    enum { COUNT = 10, ROWS = 100, PITCH = COUNT + 1 };
    const cl_mem in = r->arrays.in, out = r->arrays.out, totals = r->totals;
    static const clscan_rows without = {.count = ROWS}, apart = {.count = ROWS, .total_pitch = PITCH},
                             gaps = {.count = ROWS, .in_pitch = PITCH, .out_pitch = PITCH, .total_pitch = PITCH},
                             beside = {.count = ROWS, .out_pitch = PITCH},
                             other = {.count = ROWS, .out_pitch = PITCH, .total_pitch = PITCH - 1},
                             wider = {.count = ROWS / 2, .out_pitch = PITCH, .total_pitch = 2 * PITCH},
                             beyond = {.count = ROWS, .total_pitch = UINT64_MAX / 50},
                             strides = {.count = ROWS, .total_strides = {0, 1}};
    const struct {
        const clscan_rows *rows;
        cl_mem in, out, total;
        uint64_t out_offset, total_offset;
        clscan_status expected;
        const char *culprit;
    } cases[] = {
        {&apart, in, out, NULL, 0, 0, CLSCAN_ERROR_INVALID_VALUE, "total_pitch"},
        {&beyond, in, out, totals, 0, 0, CLSCAN_ERROR_INVALID_VALUE, "total_pitch"},
        {&strides, in, out, totals, 0, 0, CLSCAN_ERROR_INVALID_VALUE, "total_strides"},
        {&apart, in, out, totals, 0, MOST_TOTALS - (ROWS - 1) * PITCH, CLSCAN_ERROR_BUFFER_TOO_SMALL, "args->total"},
        {&apart, in, out, totals, 0, MOST_TOTALS - (ROWS - 1) * PITCH - 1, CLSCAN_OK, ""},
        /* Behind each row, or in front of it, of the output, of both, or of the input. */
        {&gaps, in, out, out, 0, COUNT, CLSCAN_OK, ""},
        {&gaps, in, out, out, 1, 0, CLSCAN_OK, ""},
        {&gaps, in, in, in, 0, COUNT, CLSCAN_OK, ""},
        {&gaps, in, out, in, 0, COUNT, CLSCAN_OK, ""},
        {&wider, in, out, out, 0, COUNT, CLSCAN_OK, ""},
        {&beside, in, out, out, 0, ROWS * PITCH, CLSCAN_OK, ""},
        /* Where something else stands. */
        {&gaps, in, out, out, 0, COUNT - 1, CLSCAN_ERROR_OVERLAP, "args->total"},
        {&gaps, in, out, out, 0, PITCH, CLSCAN_ERROR_OVERLAP, "args->total"},
        {&gaps, in, out, in, 0, 0, CLSCAN_ERROR_OVERLAP, "args->total"},
        {&other, in, out, out, 0, COUNT, CLSCAN_ERROR_OVERLAP, "args->total"},
        {&beside, in, out, out, 0, COUNT, CLSCAN_ERROR_OVERLAP, "args->total"},
        {&without, in, out, out, 0, COUNT, CLSCAN_ERROR_OVERLAP, "args->total"},
        /* Rows of the output do not go into gaps of the input. */
        {&gaps, in, in, totals, COUNT, 0, CLSCAN_ERROR_OVERLAP, "args->out"},
    };
    clscan_error error = {0};

    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        clscan_rows rows = *cases[i].rows;
        const clscan_run_args args = {.struct_size = sizeof args,
                                      .count = COUNT,
                                      .rows = &rows,
                                      .in = {.buffer = cases[i].in},
                                      .out = {.buffer = cases[i].out, .offset = cases[i].out_offset},
                                      .total = {.buffer = cases[i].total, .offset = cases[i].total_offset}};

        rows.struct_size = sizeof rows;
        assert_status(cases[i].expected,
                      clscan_run(r->plan, r->workspace, r->live->queue, &args, 0, NULL, NULL, &error), &error);
        assert_true(cases[i].expected == CLSCAN_OK || strstr(error.message, cases[i].culprit) != NULL);
    }
}

static void refusals(void **state)
{
    const test_live *live = *state;
    clscan_problem problem = test_problem(CLSCAN_FLOAT, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 1000);
    clscan_rows rows = {.struct_size = sizeof rows, .count = 100};
    clscan_run_args args = {.struct_size = sizeof args, .count = 10, .rows = &rows};
    clscan_plan_options waits = {.struct_size = sizeof waits, .variant = &test_waiting};
    clscan_plan *plan = NULL;
    clscan_error error = {0};
    row_rig r;

    problem.rows = &rows;
#define EXPECT_PLAN(expected, options) \
    assert_status(expected, clscan_plan_create(live->context, live->device, &problem, options, &plan, &error), &error)
    rows.count = 0;
    EXPECT_PLAN(CLSCAN_ERROR_INVALID_VALUE, NULL);
    rows.count = UINT64_MAX / 1000;
    EXPECT_PLAN(CLSCAN_ERROR_INVALID_VALUE, NULL);
    rows.count = 100;
    rows.struct_size = 0;
    EXPECT_PLAN(CLSCAN_ERROR_STRUCT_SIZE, NULL);
    rows.struct_size = sizeof rows;
    rows.count_bytes = 2;
    EXPECT_PLAN(CLSCAN_ERROR_INVALID_VALUE, NULL);
    rows = (clscan_rows){.struct_size = sizeof rows, .dimensions = 2, .extents = {10, 100}, .count_bytes = 4};
    EXPECT_PLAN(CLSCAN_ERROR_UNSUPPORTED_TYPE, NULL);
    rows = (clscan_rows){.struct_size = sizeof rows, .count = 100, .total_pitch = UINT64_MAX / 50};
    EXPECT_PLAN(CLSCAN_ERROR_INVALID_VALUE, NULL);
    rows = (clscan_rows){.struct_size = sizeof rows, .count = 100};
    problem.operation = CLSCAN_SELECT;
    EXPECT_PLAN(CLSCAN_ERROR_INVALID_VALUE, NULL);
    problem.operation = CLSCAN_REDUCE;
    problem.form = CLSCAN_EXCLUSIVE;
    EXPECT_PLAN(CLSCAN_ERROR_INVALID_VALUE, NULL);
    assert_non_null(strstr(error.message, "problem->form"));
    problem.form = CLSCAN_INCLUSIVE;
    problem.operation = CLSCAN_SCAN;
    if (test_may_wait(live))
        EXPECT_PLAN(CLSCAN_ERROR_ILLEGAL_VARIANT, &waits);
    assert_true(!test_may_wait(live) || strstr(error.message, "options->variant") != NULL);

    problem.rows = NULL;
    set_up(live, &problem, NULL, NULL, &r);
    args.in.buffer = r.arrays.in;
    args.out.buffer = r.arrays.out;
#define EXPECT_RUN(expected) \
    assert_status(expected, clscan_run(r.plan, r.workspace, live->queue, &args, 0, NULL, NULL, &error), &error)
    EXPECT_RUN(CLSCAN_OK);
    rows.count = MOST_ROWS + 1;
    EXPECT_RUN(CLSCAN_ERROR_COUNT_TOO_LARGE);
    rows.count = 100;
    rows.in_pitch = 9;
    EXPECT_RUN(CLSCAN_ERROR_INVALID_VALUE);
    rows.in_pitch = UINT64_MAX / 50;
    EXPECT_RUN(CLSCAN_ERROR_INVALID_VALUE);
    rows.in_pitch = 0;
    rows.out_pitch = 9;
    EXPECT_RUN(CLSCAN_ERROR_INVALID_VALUE);
    rows.out_pitch = MOST_ELEMENTS / 90;
    EXPECT_RUN(CLSCAN_ERROR_BUFFER_TOO_SMALL);
    rows.out_pitch = 11;
    args.out.buffer = r.arrays.in; /* in place with another pitch */
    EXPECT_RUN(CLSCAN_ERROR_OVERLAP);
    args.out.buffer = r.arrays.out;
    args.total = (clscan_memory){.buffer = r.totals, .offset = MOST_TOTALS - 99};
    EXPECT_RUN(CLSCAN_ERROR_BUFFER_TOO_SMALL);
    args.total.offset = 0;
    total_refusals(&r);
    rows.initial_pitch = 1;
    EXPECT_RUN(CLSCAN_ERROR_INVALID_VALUE); /* of no initial value */
    assert_non_null(strstr(error.message, "args->rows->initial_pitch"));
    args.initial.buffer = r.initials;
    EXPECT_RUN(CLSCAN_OK);
    args.initial.offset = MOST_INITIALS - 99;
    EXPECT_RUN(CLSCAN_ERROR_BUFFER_TOO_SMALL);
    rows.initial_pitch = UINT64_MAX / 50;
    EXPECT_RUN(CLSCAN_ERROR_INVALID_VALUE);
    rows.initial_pitch = 0;
    EXPECT_RUN(CLSCAN_OK);
    args.initial.buffer = NULL;
    args.initial.offset = 0;
    rows.struct_size = 1;
    EXPECT_RUN(CLSCAN_ERROR_STRUCT_SIZE);
    rows.struct_size = sizeof rows;
    EXPECT_RUN(CLSCAN_OK);
    args.out.buffer = NULL;
    EXPECT_RUN(CLSCAN_OK); /* totals alone */
    rows = (clscan_rows){.struct_size = sizeof rows, .dimensions = 2, .extents = {10, 100}};
    EXPECT_RUN(CLSCAN_OK);
    args.total.buffer = NULL;
    EXPECT_RUN(CLSCAN_ERROR_NULL_ARGUMENT);
    args.out.buffer = r.arrays.out;
    EXPECT_RUN(CLSCAN_OK);
    rows = (clscan_rows){.struct_size = sizeof rows, .count = 100};
    args.rows = NULL; /* those of the problem: as many as the plan may have */
    EXPECT_RUN(CLSCAN_OK);
    args.device_row_count.buffer = r.totals; /* though the host tells how many there are */
    EXPECT_RUN(CLSCAN_ERROR_INVALID_VALUE);
    args.device_row_count.buffer = NULL;
    row_rig_close(&r);

    /* A number of rows on the device. */
    set_up_counted(live, &problem, 4, NULL, NULL, &r);
    args = (clscan_run_args){
        .struct_size = sizeof args, .count = 10, .rows = &rows, .in.buffer = r.arrays.in, .out.buffer = r.arrays.out};
    EXPECT_RUN(CLSCAN_ERROR_NULL_ARGUMENT);
    args.device_row_count = (clscan_memory){.buffer = r.totals, .offset = UINT64_MAX / 8};
    EXPECT_RUN(CLSCAN_ERROR_BUFFER_TOO_SMALL);
    args.device_row_count = (clscan_memory){.buffer = r.arrays.out, .offset = 5}; /* which the run writes */
    EXPECT_RUN(CLSCAN_ERROR_OVERLAP);
    args.device_row_count = (clscan_memory){.buffer = r.totals};
    rows.count = 0;
    EXPECT_RUN(CLSCAN_ERROR_INVALID_VALUE);
    rows = (clscan_rows){.struct_size = sizeof rows, .dimensions = 2, .extents = {10, 100}};
    EXPECT_RUN(CLSCAN_ERROR_UNSUPPORTED_TYPE);
    rows = (clscan_rows){.struct_size = sizeof rows, .count = 100};
    EXPECT_RUN(CLSCAN_OK);
    row_rig_close(&r);
    args.device_row_count.buffer = NULL;

    /* A reduction has totals and no outputs. */
    problem.operation = CLSCAN_REDUCE;
    set_up(live, &problem, NULL, NULL, &r);
    args = (clscan_run_args){
        .struct_size = sizeof args, .count = 10, .rows = &rows, .in.buffer = r.arrays.in, .total.buffer = r.totals};
    EXPECT_RUN(CLSCAN_OK);
    args.out.buffer = r.arrays.out;
    EXPECT_RUN(CLSCAN_ERROR_INVALID_VALUE);
    args.out.buffer = args.total.buffer = NULL;
    EXPECT_RUN(CLSCAN_ERROR_NULL_ARGUMENT);
    row_rig_close(&r);
    problem.operation = CLSCAN_SCAN;

    /* A plan for one scan takes no rows. */
    test_plan_create(live, &problem, NULL, &r.plan, &r.workspace);
    args.rows = &rows;
    EXPECT_RUN(CLSCAN_ERROR_INVALID_VALUE);
    clscan_workspace_destroy(r.workspace);
    clscan_plan_destroy(r.plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_length),
        cmocka_unit_test(rows_past_the_cache),
        cmocka_unit_test(every_length_in_groups),
        cmocka_unit_test(every_length_by_long_vectors),
        cmocka_unit_test(narrow_gaps),
        cmocka_unit_test(every_length_in_sub_groups),
        cmocka_unit_test(operators_that_do_not_commute),
        cmocka_unit_test(few_long_rows),
        cmocka_unit_test(few_long_rows_that_wait),
        cmocka_unit_test(rows_of_whole_tiles),
        cmocka_unit_test(entries_for_rows_serve_them),
        cmocka_unit_test(nothing_to_scan),
        cmocka_unit_test(reductions),
        cmocka_unit_test(counts_on_the_device),
        cmocka_unit_test(rows_on_the_device),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
