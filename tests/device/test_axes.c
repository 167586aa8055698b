/* Tensors of one to five dimensions, scanned along each axis: without gaps, with gaps, with indices in another order of
 * memory, in place and not, against loops over the indices; what no index reaches stays; and what is refused. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "live.h"
#include "random.h"
#include "reference.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

enum { D = CLSCAN_MOST_DIMENSIONS, MOST_ELEMENTS = 1 << 16, MOST_LANES = 2, MOST_MARGIN = 4 };

typedef struct rig {
    const test_live *live;
    clscan_problem problem;
    unsigned lanes;  /* 32-bit numbers of an element */
    bool keep_last;  /* the operator, which does not commute; else add */
    uint64_t margin; /* elements in front */
    clscan_plan *plan;
    clscan_workspace *workspace;
    cl_mem in, out, totals, initials, count;
} rig;

static uint32_t input[MOST_ELEMENTS * MOST_LANES], old[MOST_ELEMENTS * MOST_LANES], got[MOST_ELEMENTS * MOST_LANES],
    expected[MOST_ELEMENTS * MOST_LANES], totals[MOST_ELEMENTS * MOST_LANES];

static const clscan_variant small_groups = {
    .body = CLSCAN_BODY_STRIDED,
    .group_scan = CLSCAN_GROUP_SCAN_KOGGE_STONE,
    .carry = CLSCAN_CARRY_REDUCE_THEN_SCAN,
    .work_group_size = 16,
    .vector_length = 1,
    .register_pieces = 1,
    .local_pieces = 1,
    .work_groups_per_unit = 2,
};

/* Work-items take four columns each. */
static const clscan_variant wide_groups = {
    .body = CLSCAN_BODY_STRIDED,
    .group_scan = CLSCAN_GROUP_SCAN_KOGGE_STONE,
    .carry = CLSCAN_CARRY_REDUCE_THEN_SCAN,
    .work_group_size = 64,
    .vector_length = 4,
    .register_pieces = 8,
    .local_pieces = 0,
    .work_groups_per_unit = 1,
};

static const clscan_variant large_groups = {
    .body = CLSCAN_BODY_STRIDED,
    .group_scan = CLSCAN_GROUP_SCAN_BRENT_KUNG,
    .carry = CLSCAN_CARRY_REDUCE_THEN_SCAN,
    .work_group_size = 128,
    .vector_length = 2,
    .register_pieces = 1,
    .local_pieces = 1,
    .work_groups_per_unit = 2,
};

static void set_up(const test_live *live, const clscan_problem *problem, const clscan_variant *variant, rig *r)
{
    const clscan_rows rows = {.struct_size = sizeof rows, .count = MOST_ELEMENTS};
    const clscan_plan_options options = {.struct_size = sizeof options, .variant = variant};

    r->live = live;
    r->problem = *problem;
    r->problem.rows = &rows;
    r->lanes = problem->element != NULL ? 2 : 1;
    r->keep_last = problem->op == CLSCAN_CUSTOM;
    test_plan_create(live, &r->problem, &options, &r->plan, &r->workspace);
    r->in = test_buffer(live, CL_MEM_READ_WRITE, sizeof input, NULL);
    r->out = test_buffer(live, CL_MEM_READ_WRITE, sizeof input, NULL);
    r->totals = test_buffer(live, CL_MEM_READ_WRITE, sizeof totals, NULL);
    r->initials = test_buffer(live, CL_MEM_READ_WRITE, sizeof totals, NULL);
    r->count = test_buffer(live, CL_MEM_READ_WRITE, 2 * sizeof(uint32_t), NULL);
}

static void tear_down(rig *r)
{
    assert_cl(clFinish(r->live->queue));
    clscan_workspace_destroy(r->workspace);
    clscan_plan_destroy(r->plan);
    clReleaseMemObject(r->in);
    clReleaseMemObject(r->out);
    clReleaseMemObject(r->totals);
    clReleaseMemObject(r->initials);
    clReleaseMemObject(r->count);
}

/* `left` precedes `right` in memory. */
static uint32_t combine(const rig *r, uint32_t left, uint32_t right)
{
    return r->keep_last ? (right != 0 ? right : left) : left + right;
}

static uint64_t place_of(const rig *r, const clscan_rows *t, const uint64_t *strides, const uint64_t *index)
{
    uint64_t place = r->margin;

    for (uint32_t d = 0; d < t->dimensions; ++d)
        place += index[d] * strides[d];
    return place;
}

/* Strides of indices that lie in memory in a random order, the last one fastest as a rule, with gaps or without. */
static uint64_t make_strides(const clscan_rows *t, bool shuffled, bool gaps, uint32_t *random, uint64_t *strides)
{
    uint32_t order[D];
    uint64_t next = 1;

    for (uint32_t d = 0; d < t->dimensions; ++d)
        order[d] = t->dimensions - 1 - d;
    for (uint32_t d = 0; shuffled && d + 1 < t->dimensions; ++d) {
        const uint32_t other = d + (next_random(random) >> 8) % (t->dimensions - d), was = order[d];

        order[d] = order[other];
        order[other] = was;
    }
    for (uint32_t d = 0; d < t->dimensions; ++d) {
        strides[order[d]] = next;
        next *= t->extents[order[d]] > 0 ? t->extents[order[d]] : 1;
        next += gaps ? (next_random(random) >> 8) % 3 : 0;
    }
    return next;
}

/* Which initial values there are. */
typedef enum initial_kind { NO_INITIAL, ONE_INITIAL, OWN_INITIALS, INITIAL_KINDS } initial_kind;

static uint32_t initial_of(uint64_t row)
{
    return 3 + (uint32_t)(row % 7);
}

/* Every scan of the first `count` elements along the axis, one after the other as their totals are, unless these have
 * strides. They go to `total_at`, which is among the outputs where they are part of them. */
static void scan_on_host(const rig *r, const clscan_rows *t, uint64_t count, const uint64_t *in, const uint64_t *out,
                         initial_kind initial, bool strided, uint32_t *total_at)
{
    const bool reverse = r->problem.direction == CLSCAN_REVERSE, exclusive = r->problem.form == CLSCAN_EXCLUSIVE;
    uint64_t index[D] = {0}, rows = 1;

    for (uint32_t d = 0; d < t->dimensions; ++d)
        rows *= d == t->axis ? 1 : t->extents[d];
    for (uint64_t row = 0; row < rows; ++row) {
        uint64_t rest = row;

        for (uint32_t d = t->dimensions; d-- > 0;) {
            if (d == t->axis)
                continue;
            index[d] = rest % t->extents[d];
            rest /= t->extents[d];
        }
        for (unsigned lane = 0; lane < r->lanes; ++lane) {
            uint32_t sum = initial == NO_INITIAL    ? 0 /* the identity of both operators */
                           : initial == ONE_INITIAL ? 5
                                                    : initial_of(row);

            for (uint64_t k = 0; k < count; ++k) {
                index[t->axis] = reverse ? count - 1 - k : k;
                const uint32_t x = input[place_of(r, t, in, index) * r->lanes + lane], before = sum;

                sum = reverse ? combine(r, x, sum) : combine(r, sum, x);
                expected[place_of(r, t, out, index) * r->lanes + lane] = exclusive ? before : sum;
            }
            index[t->axis] = 0;
            total_at[(strided ? place_of(r, t, t->total_strides, index) - r->margin : row) * r->lanes + lane] = sum;
        }
    }
}

/* Where totals stand: one after another, by strides of theirs, or as one output more along the axis. */
typedef enum total_kind { TOTALS_TOGETHER, TOTALS_STRIDED, TOTALS_ALONG, TOTAL_KINDS } total_kind;

/* A reduction has no outputs, and a scan may have none: totals alone. The strides of the output have room for one more
 * along the axis where totals go there; of a reverse scan it is in front. */
static unsigned run_case(rig *r, const clscan_rows *t, bool implied, bool in_place, bool totals_only, total_kind total,
                         initial_kind initial)
{
    static uint32_t wanted_totals[MOST_ELEMENTS * MOST_LANES];
    const bool along = total == TOTALS_ALONG, reverse = r->problem.direction == CLSCAN_REVERSE;
    const uint64_t step = (in_place ? t->in_strides : t->out_strides)[t->axis];
    const uint64_t margin = r->margin, begin = along && reverse ? step : 0, /* of outputs */
        last = along && !reverse ? t->extents[t->axis] * step : 0;          /* of totals among them */
    const uint32_t five[MOST_LANES] = {5, 5};
    const bool counted = r->problem.count_bytes > 0, refused = counted && t->extents[t->axis] % 5 == 2;
    const uint64_t most = t->extents[t->axis], said = refused ? most + 1 : most * 2 / 3;
    const uint32_t device_count[2] = {7, (uint32_t)said};
    clscan_rows asked = *t;
    clscan_run_args args = {.struct_size = sizeof args,
                            .in = {.buffer = in_place ? r->out : r->in, .offset = margin + begin},
                            .out = {.buffer = r->out, .offset = margin + begin},
                            .total = {.buffer = along ? r->out : r->totals, .offset = along ? margin + last : 0},
                            .count = t->extents[t->axis],
                            .rows = &asked};
    clscan_error error = {0};
    unsigned wrong = 0;

    if (counted) {
        test_write(r->live, r->count, device_count, sizeof device_count);
        args.device_count = (clscan_memory){.buffer = r->count, .offset = 1};
    }
    if (initial == ONE_INITIAL)
        args.initial = (clscan_memory){.kind = CLSCAN_MEMORY_HOST, .pointer = five};
    if (initial == OWN_INITIALS) {
        for (size_t i = 0; i < COUNT_OF(got); ++i)
            got[i] = initial_of(i / r->lanes);
        test_write(r->live, r->initials, got, sizeof got);
        args.initial.buffer = r->initials;
        asked.initial_pitch = 1;
    }
    if (totals_only)
        args.out.buffer = NULL;
    if (total == TOTALS_TOGETHER)
        memset(asked.total_strides, 0, sizeof asked.total_strides);
    if (implied) {
        memset(asked.in_strides, 0, sizeof asked.in_strides);
        memset(asked.out_strides, 0, sizeof asked.out_strides);
    }
    memset(totals, 0x5a, sizeof totals);
    memcpy(expected, in_place ? input : old, sizeof expected);
    test_write(r->live, r->out, in_place ? input : old, sizeof input);
    test_write(r->live, r->totals, totals, sizeof input);
    r->margin += begin;
    scan_on_host(r, t,
                 refused   ? 0
                 : counted ? said
                           : most,
                 t->in_strides, in_place ? t->in_strides : t->out_strides, initial, total != TOTALS_TOGETHER,
                 along ? expected + (margin + last) * r->lanes : totals);
    r->margin = margin;
    memcpy(wanted_totals, totals, sizeof totals);
    if (totals_only)
        memcpy(expected, in_place ? input : old, sizeof expected);
    assert_status(CLSCAN_OK, clscan_run(r->plan, r->workspace, r->live->queue, &args, 0, NULL, NULL, &error), &error);
    test_read(r->live, r->out, sizeof got, got);
    test_read(r->live, r->totals, sizeof totals, totals);
    for (size_t i = 0; i < COUNT_OF(got); ++i)
        wrong += got[i] != expected[i] || totals[i] != wanted_totals[i];
    if (wrong > 0)
        print_error("axis %u of %u x %u x %u x %u x %u, implied %d, in place %d, totals %d, initial %d: %u "
                    "differ\n",
                    (unsigned)t->axis, (unsigned)t->extents[0], (unsigned)t->extents[1], (unsigned)t->extents[2],
                    (unsigned)t->extents[3], (unsigned)t->extents[4], implied, in_place, (int)total, initial, wrong);
    return wrong > 0;
}

static unsigned run_shapes(rig *r, unsigned turns)
{
    static const clscan_rows shapes[] = {
        {.dimensions = 1, .extents = {1000}},           {.dimensions = 2, .extents = {300, 70}},
        {.dimensions = 2, .extents = {7, 1000}},        {.dimensions = 2, .extents = {1000, 3}},
        {.dimensions = 2, .extents = {0, 9}},           {.dimensions = 3, .extents = {20, 30, 33}},
        {.dimensions = 3, .extents = {9, 257, 4}},      {.dimensions = 3, .extents = {1, 64, 1}},
        {.dimensions = 4, .extents = {5, 6, 7, 40}},    {.dimensions = 4, .extents = {3, 1, 40, 17}},
        {.dimensions = 5, .extents = {3, 4, 5, 6, 19}}, {.dimensions = 5, .extents = {2, 16, 1, 24, 8}},
    };
    uint32_t random = 1;
    unsigned failures = 0;

    test_write(r->live, r->in, input, sizeof input);
    for (size_t i = 0; i < COUNT_OF(shapes); ++i) {
        for (uint32_t axis = 0; axis < shapes[i].dimensions; ++axis) {
            /* At least one, where the count is on the device. */
            if (r->problem.count_bytes > 0 && shapes[i].extents[axis] == 0)
                continue;
            for (unsigned turn = 0; turn < turns; ++turn) {
                clscan_rows t = shapes[i];
                const bool implied = turn == 0, in_place = (i + axis + turn) % 3 == 2;
                const bool totals_only = r->problem.operation == CLSCAN_REDUCE || (i + turn) % 5 == 4;
                const total_kind total = (total_kind)((i + axis + turn / 2) % TOTAL_KINDS);
                const bool along = total == TOTALS_ALONG && !implied && !totals_only;

                t.struct_size = sizeof t;
                t.axis = axis;
                r->margin = turn % 2 == 0 ? MOST_MARGIN : MOST_MARGIN - 1; /* a vector begins there, or none does */
                t.extents[axis] += along;
                assert_true(make_strides(&t, turn > 1, !implied, &random, t.in_strides) < MOST_ELEMENTS - MOST_MARGIN);
                assert_true(make_strides(&t, turn > 2, !implied, &random, t.out_strides) < MOST_ELEMENTS - MOST_MARGIN);
                t.extents[axis] -= along;
                if (in_place)
                    memcpy(t.out_strides, t.in_strides, sizeof t.out_strides);
                if (along)
                    memcpy(t.total_strides, t.out_strides, sizeof t.total_strides);
                else
                    make_strides(&t, turn > 0, true, &random, t.total_strides);
                failures += run_case(r, &t, implied, in_place, totals_only,
                                     along                   ? TOTALS_ALONG
                                     : total == TOTALS_ALONG ? TOTALS_STRIDED
                                                             : total,
                                     (initial_kind)((i + turn) % INITIAL_KINDS));
            }
        }
    }
    return failures;
}

static void every_axis(void **state)
{
    static const clscan_element pair = {.struct_size = sizeof pair, .type = CLSCAN_UINT32, .lanes = 2};
    const clscan_variant *const variants[] = {NULL, &small_groups, &large_groups, NULL, &wide_groups, &wide_groups};
    const test_live *live = *state;
    unsigned failures = 0;

    for (size_t i = 0; i < COUNT_OF(input); ++i) {
        input[i] = i % 5 == 0 ? (uint32_t)i * 2654435761u : 0;
        old[i] = 0x5a5a5a5a;
    }
    for (size_t i = 0; i < COUNT_OF(variants); ++i) {
        const clscan_form form = i % 2 == 0 ? CLSCAN_INCLUSIVE : CLSCAN_EXCLUSIVE;
        const clscan_direction direction = i == 2 || i == 3 || i == 5 ? CLSCAN_REVERSE : CLSCAN_FORWARD;
        clscan_problem problem = test_problem(CLSCAN_UINT32, CLSCAN_ADD, form, direction, 2000);
        rig r = {0};

        if (!test_takes(i, 3))
            continue;
        if (i == 1 || i == 2 || i == 5)
            problem = test_custom_problem(CLSCAN_UINT32, clscan_sample_find(CLSCAN_SAMPLE_KEEP_LAST, CLSCAN_UINT32),
                                          form, direction, 2000);
        if (i == 3)
            problem.element = &pair;
        set_up(live, &problem, variants[i], &r);
        failures += run_shapes(&r, 4);
        tear_down(&r);
    }
    assert_int_equal(failures, 0);
}

/* The value of each column, or row, is its scan's total. */
static void every_axis_reduced(void **state)
{
    const clscan_variant *const variants[] = {NULL, &large_groups, &wide_groups};
    const clscan_sample_operator *keep_last = clscan_sample_find(CLSCAN_SAMPLE_KEEP_LAST, CLSCAN_UINT32);
    unsigned failures = 0;

    for (size_t i = 0; i < COUNT_OF(variants); ++i) {
        clscan_problem problem =
            test_custom_problem(CLSCAN_UINT32, keep_last, CLSCAN_INCLUSIVE, (clscan_direction)(i % 2), 2000);
        rig r = {0};

        if (!test_takes(i + 1, 2))
            continue;
        problem.operation = CLSCAN_REDUCE;
        set_up(*state, &problem, variants[i], &r);
        failures += run_shapes(&r, 4);
        tear_down(&r);
    }
    assert_int_equal(failures, 0);
}

/* Fewer elements along the axis than its extent, or none because more are said to be there. */
static void counts_on_the_device(void **state)
{
    const clscan_variant *const variants[] = {NULL, &wide_groups, &large_groups, NULL};
    const clscan_sample_operator *keep_last = clscan_sample_find(CLSCAN_SAMPLE_KEEP_LAST, CLSCAN_UINT32);
    unsigned failures = 0;

    for (size_t i = 0; i < COUNT_OF(variants); ++i) {
        const clscan_form form = i % 2 == 0 ? CLSCAN_INCLUSIVE : CLSCAN_EXCLUSIVE;
        const clscan_direction direction = i / 2 == 0 ? CLSCAN_FORWARD : CLSCAN_REVERSE;
        clscan_problem problem = test_custom_problem(CLSCAN_UINT32, keep_last, form, direction, 2000);
        rig r = {0};

        if (!test_takes(i, 3))
            continue;
        problem.count_bytes = 4;
        if (i == 0)
            problem.operation = CLSCAN_REDUCE;
        problem.reproducible = i == 3;
        set_up(*state, &problem, variants[i], &r);
        failures += run_shapes(&r, 3);
        tear_down(&r);
    }
    assert_int_equal(failures, 0);
}

/* An input may be read again and again: an index of stride 0. */
static void inputs_may_repeat(void **state)
{
    enum { COUNT = 50, ROWS = 20 };
    const clscan_problem problem = test_problem(CLSCAN_UINT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, COUNT);
    const clscan_rows rows = {.struct_size = sizeof rows,
                              .dimensions = 2,
                              .axis = 0,
                              .extents = {COUNT, ROWS},
                              .in_strides = {1, 0},
                              .out_strides = {ROWS, 1}};
    rig r = {0};
    clscan_error error = {0};
    clscan_run_args args = {.struct_size = sizeof args, .count = COUNT, .rows = &rows};

    set_up(*state, &problem, NULL, &r);
    test_write(r.live, r.in, input, sizeof input);
    args.in.buffer = r.in;
    args.out.buffer = r.out;
    assert_status(CLSCAN_OK, clscan_run(r.plan, r.workspace, r.live->queue, &args, 0, NULL, NULL, &error), &error);
    test_read(r.live, r.out, sizeof got, got);
    for (uint32_t row = 0; row < ROWS; ++row)
        for (uint32_t k = 0, sum = 0; k < COUNT; ++k)
            assert_int_equal(got[k * ROWS + row], sum += input[k]);
    tear_down(&r);
}

/* Totals: by strides if they have some, apart from each other and from outputs, in memory, and asked for. */
static void total_refusals(const rig *r)
{
    enum { FAR = MOST_ELEMENTS * MOST_LANES / 8 };
    const cl_mem out = r->out;
    const struct {
        clscan_rows rows;
        cl_mem total;
        uint64_t offset;
        clscan_status expected;
        const char *culprit;
    } cases[] = {
        {{.extents = {4, 5}, .total_pitch = 2}, r->totals, 0, CLSCAN_ERROR_INVALID_VALUE, "total_pitch"},
        {{.extents = {4, 5}, .total_strides = {0, 1}}, NULL, 0, CLSCAN_ERROR_INVALID_VALUE, "total_strides"},
        {{.extents = {4, 5}, .total_strides = {0, UINT64_MAX / 2}},
         r->totals,
         0,
         CLSCAN_ERROR_INVALID_VALUE,
         "total_strides"},
        {{.extents = {4, 5}, .total_strides = {0, FAR}}, r->totals, 4 * FAR, CLSCAN_ERROR_BUFFER_TOO_SMALL, "total"},
        {{.extents = {4, 5}, .total_strides = {0, FAR}}, r->totals, 4 * FAR - 1, CLSCAN_OK, ""},
        {{.extents = {4, 5, 6}, .total_strides = {0, 5, 1}}, r->totals, 0, CLSCAN_ERROR_OVERLAP, "total_strides"},
        {{.extents = {4, 5, 6}, .total_strides = {0, 0, 1}}, r->totals, 0, CLSCAN_ERROR_OVERLAP, "total_strides"},
        {{.extents = {4, 5, 6}, .total_strides = {0, 6, 1}}, r->totals, 0, CLSCAN_OK, ""},
        {{.extents = {4, 5}, .total_strides = {9, 0}}, NULL, 0, CLSCAN_OK, ""}, /* the axis has none */
        /* Among outputs: behind the last row of a matrix, and the last column, and not. */
        {{.extents = {4, 5}, .total_strides = {0, 1}}, out, 20, CLSCAN_OK, ""},
        {{.extents = {4, 5}, .total_strides = {0, 1}}, out, 19, CLSCAN_ERROR_OVERLAP, "args->total"},
        {{.axis = 1, .extents = {5, 4}, .out_strides = {5, 1}, .total_strides = {5, 0}}, out, 4, CLSCAN_OK, ""},
        {{.axis = 1, .extents = {5, 4}, .out_strides = {5, 1}, .total_strides = {5, 0}},
         out,
         5,
         CLSCAN_ERROR_OVERLAP,
         "args->total"},
        {{.axis = 1, .extents = {5, 4}, .out_strides = {5, 1}}, out, 4, CLSCAN_ERROR_OVERLAP, "args->total"},
        {{.axis = 1, .extents = {7, 4, 5}, .out_strides = {25, 5, 1}, .total_strides = {25, 0, 1}},
         out,
         20,
         CLSCAN_OK,
         ""},
        {{.axis = 1, .extents = {7, 4, 5}, .out_strides = {25, 5, 1}, .total_strides = {25, 0, 1}},
         out,
         21,
         CLSCAN_ERROR_OVERLAP,
         "args->total"},
    };
    clscan_error error = {0};

    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        clscan_rows rows = cases[i].rows;
        const clscan_run_args args = {.struct_size = sizeof args,
                                      .in = {.buffer = r->in},
                                      .out = {.buffer = out},
                                      .total = {.buffer = cases[i].total, .offset = cases[i].offset},
                                      .count = 4,
                                      .rows = &rows};

        rows.struct_size = sizeof rows;
        rows.dimensions = rows.extents[2] > 0 ? 3 : 2;
        assert_status(cases[i].expected,
                      clscan_run(r->plan, r->workspace, r->live->queue, &args, 0, NULL, NULL, &error), &error);
        assert_true(cases[i].expected == CLSCAN_OK || strstr(error.message, cases[i].culprit) != NULL);
    }
}

static void refusals(void **state)
{
    static const struct {
        clscan_rows rows;
        uint64_t count;
        clscan_status expected;
        const char *culprit;
    } cases[] = {
        {{.dimensions = 2, .axis = 2, .extents = {4, 5}}, 4, CLSCAN_ERROR_INVALID_VALUE, "axis is 2"},
        {{.dimensions = 6, .axis = 0, .extents = {4, 5}}, 4, CLSCAN_ERROR_INVALID_VALUE, "dimensions is 6"},
        {{.dimensions = 2, .axis = 0, .extents = {4, 5}}, 5, CLSCAN_ERROR_INVALID_VALUE, "extents[0] is 4"},
        {{.dimensions = 2, .axis = 0, .extents = {4, 5}, .in_pitch = 5}, 4, CLSCAN_ERROR_INVALID_VALUE, "pitch"},
        {{.dimensions = 2, .axis = 0, .extents = {4, 5}, .count = 4}, 4, CLSCAN_ERROR_INVALID_VALUE, "count is 4"},
        {{.dimensions = 2, .extents = {4, 5}, .out_strides = {4, 1}}, 4, CLSCAN_ERROR_OVERLAP, "out_strides"},
        {{.dimensions = 2, .extents = {4, 5}, .out_strides = {0, 1}}, 4, CLSCAN_ERROR_OVERLAP, "out_strides"},
        {{.dimensions = 2, .extents = {3, 2}, .out_strides = {2, 3}}, 3, CLSCAN_ERROR_OVERLAP, "stride of 3"},
        {{.dimensions = 2, .extents = {4, 5}, .in_strides = {UINT64_MAX / 2, 1}},
         4,
         CLSCAN_ERROR_INVALID_VALUE,
         "in_strides"},
        {{.dimensions = 2, .extents = {4, 5}, .out_strides = {UINT64_MAX / 2, 1}},
         4,
         CLSCAN_ERROR_INVALID_VALUE,
         "out_strides"},
        {{.dimensions = 2, .extents = {4, 5}, .in_strides = {UINT64_MAX / 8, 1}},
         4,
         CLSCAN_ERROR_INVALID_VALUE,
         "args->in: "},
        {{.dimensions = 2, .extents = {4, 5}, .in_strides = {MOST_ELEMENTS, 1}},
         4,
         CLSCAN_ERROR_BUFFER_TOO_SMALL,
         "args->in"},
        {{.dimensions = 3, .axis = 0, .extents = {1, UINT64_MAX / 2, 3}}, 1, CLSCAN_ERROR_INVALID_VALUE, "extents"},
        {{.dimensions = 2, .axis = 0, .extents = {1, MOST_ELEMENTS + 1}}, 1, CLSCAN_ERROR_COUNT_TOO_LARGE, "extents"},
        /* Somebody forgot to say how many dimensions. */
        {{.count = 5, .axis = 1}, 4, CLSCAN_ERROR_INVALID_VALUE, "axis is 1, but args->rows->dimensions is 0"},
        {{.count = 5, .extents = {5, 4}}, 4, CLSCAN_ERROR_INVALID_VALUE, "extents"},
        {{.count = 5, .in_strides = {4, 1}}, 4, CLSCAN_ERROR_INVALID_VALUE, "in_strides"},
        {{.count = 5, .out_strides = {4, 1}}, 4, CLSCAN_ERROR_INVALID_VALUE, "out_strides"},
    };
    const clscan_problem problem = test_problem(CLSCAN_UINT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 2000);
    clscan_problem wrong = problem;
    clscan_rows rows = {.struct_size = sizeof rows, .dimensions = 2, .axis = 2, .extents = {2000, 5}};
    clscan_error error = {0};
    clscan_plan *plan = NULL;
    rig r = {0};

    set_up(*state, &problem, NULL, &r);
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        clscan_rows asked = cases[i].rows;
        const clscan_run_args args = {.struct_size = sizeof args,
                                      .in = {.buffer = r.in},
                                      .out = {.buffer = r.out},
                                      .count = cases[i].count,
                                      .rows = &asked};

        asked.struct_size = sizeof asked;
        assert_status(cases[i].expected, clscan_run(r.plan, r.workspace, r.live->queue, &args, 0, NULL, NULL, &error),
                      &error);
        if (strstr(error.message, cases[i].culprit) == NULL)
            fail_msg("case %zu does not name %s: %s", i, cases[i].culprit, error.message);
    }
    rows = (clscan_rows){
        .struct_size = sizeof rows, .dimensions = 2, .extents = {4, 4}, .in_strides = {1, 4}, .out_strides = {4, 1}};
    const clscan_run_args turned = {
        .struct_size = sizeof turned, .in = {.buffer = r.in}, .out = {.buffer = r.in}, .count = 4, .rows = &rows};
    assert_status(CLSCAN_ERROR_OVERLAP, clscan_run(r.plan, r.workspace, r.live->queue, &turned, 0, NULL, NULL, &error),
                  &error);
    assert_non_null(strstr(error.message, "in_strides"));
    rows = (clscan_rows){.struct_size = sizeof rows, .count = 4, .in_pitch = 5};
    assert_status(CLSCAN_ERROR_OVERLAP, clscan_run(r.plan, r.workspace, r.live->queue, &turned, 0, NULL, NULL, &error),
                  &error);
    assert_non_null(strstr(error.message, "in_pitch"));
    total_refusals(&r);
    tear_down(&r);

    static const struct {
        clscan_rows rows;
        const char *culprit;
    } plans[] = {
        {{.dimensions = 2, .axis = 2, .extents = {2000, 5}}, "axis is 2"},
        {{.dimensions = 2, .axis = 1, .extents = {2000, 5}}, "extents[1] is 5"}, /* max_count is another */
        {{.dimensions = 6, .axis = 0, .extents = {2000, 5}}, "dimensions is 6"},
        {{.dimensions = 3, .axis = 0, .extents = {2000, UINT64_MAX / 2, 3}}, "extents"},
        {{.dimensions = 3, .axis = 0, .extents = {2000, UINT64_MAX / 8192, 2}}, "problem->rows->extents"},
        {{.dimensions = 2, .axis = 0, .extents = {2000, 0}}, "extents besides the axis make 0"},
        {{.count = 5, .axis = 1}, "axis is 1, but problem->rows->dimensions is 0"},
        {{.count = 5, .out_strides = {1, 2000}}, "out_strides"},
    };
    wrong.rows = &rows;
    for (size_t i = 0; i < COUNT_OF(plans); ++i) {
        rows = plans[i].rows;
        rows.struct_size = sizeof rows;
        assert_status(CLSCAN_ERROR_INVALID_VALUE,
                      clscan_plan_create(r.live->context, r.live->device, &wrong, NULL, &plan, &error), &error);
        if (strstr(error.message, plans[i].culprit) == NULL)
            fail_msg("plan %zu does not name %s: %s", i, plans[i].culprit, error.message);
    }
}

/* The rows of the plan's own tensor. */
static void a_plan_knows_its_tensor(void **state)
{
    const test_live *live = *state;
    const clscan_rows rows = {.struct_size = sizeof rows, .dimensions = 2, .axis = 0, .extents = {30, 40}};
    clscan_problem problem = test_problem(CLSCAN_UINT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 30);
    clscan_error error = {0};
    rig r = {.live = live};
    clscan_run_args args = {.struct_size = sizeof args, .count = 30};

    problem.rows = &rows;
    test_plan_create(live, &problem, NULL, &r.plan, &r.workspace);
    r.in = test_buffer(live, CL_MEM_READ_WRITE, sizeof input, input);
    r.out = test_buffer(live, CL_MEM_READ_WRITE, sizeof input, NULL);
    r.totals = test_buffer(live, CL_MEM_READ_WRITE, sizeof input, NULL);
    args.in.buffer = r.in;
    args.out.buffer = r.out;
    assert_status(CLSCAN_OK, clscan_run(r.plan, r.workspace, live->queue, &args, 0, NULL, NULL, &error), &error);
    test_read(live, r.out, sizeof got, got);
    for (uint32_t column = 0; column < 40; ++column)
        for (uint32_t k = 0, sum = 0; k < 30; ++k)
            assert_int_equal(got[k * 40 + column], sum += input[k * 40 + column]);
    tear_down(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_axis),
        cmocka_unit_test(every_axis_reduced),
        cmocka_unit_test(counts_on_the_device),
        cmocka_unit_test(inputs_may_repeat),
        cmocka_unit_test(refusals),
        cmocka_unit_test(a_plan_knows_its_tensor),
    };

    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
