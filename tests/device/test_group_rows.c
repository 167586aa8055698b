/* Rows that devices share (devices.h): each device has a part of every row, and what each row gets is what one scan of
 * it gives; what lies between rows stays; several groups at once; and what is refused. */
#include <stdlib.h>
#include <string.h>

#include "affine_maps.h"
#include "cmocka_all.h"
#include "generate.h"
#include "group_rig.h"

enum {
    ROWS = 9,
    MOST = 700,
    GAP = 2,
    GUARD = 3,
    UNTOUCHED = 0x5a,
    MOST_TOTALS = 2 * ROWS + 1,
    OWN_INITIALS = CLSCAN_CASE_DEVICE_INITIAL + 1
};

/* One run; the element has 4 bytes. */
typedef struct rows_case {
    uint64_t rows, counts[GROUP_MOST];
    bool in_place, gaps, total, blocking;
    unsigned initial; /* clscan_case_initial, or OWN_INITIALS: one for each row */
    uint64_t seed;
} rows_case;

typedef struct rows_work {
    const group_rig *rig;
    clscan_problem problem;
    const clscan_sample_operator *sample;
    const rows_case *test;
    uint64_t width; /* of a row on all devices */
    uint32_t in[ROWS][GROUP_MOST * MOST], initials[ROWS];
    clscan_rows rows[GROUP_MOST];
    clscan_part parts[GROUP_MOST];
    cl_mem initial, totals;
    clscan_devices_args args;
} rows_work;

static bool reverse(const rows_work *work)
{
    return work->problem.direction == CLSCAN_REVERSE;
}

static cl_mem buffer_of(const clscan_member *member, size_t count, const uint32_t *data)
{
    cl_int code;
    const cl_mem buffer = clCreateBuffer(member->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                         count * sizeof *data, (void *)(uintptr_t)data, &code);

    assert_cl(code);
    return buffer;
}

static size_t part_elements(const rows_case *test, size_t part)
{
    return (size_t)(test->rows * (test->counts[part] + 2 * GAP) + GUARD);
}

/* Where an element stands among those of its part. */
static size_t place(const rows_work *work, size_t part, uint64_t row, uint64_t k, bool out)
{
    const clscan_rows *rows = &work->rows[part];
    const uint64_t pitch = out ? rows->out_pitch : rows->in_pitch;

    return (size_t)(GUARD + row * (pitch > 0 ? pitch : work->test->counts[part]) + k);
}

static void prepare_part(rows_work *work, size_t i, uint64_t first)
{
    const rows_case *test = work->test;
    const clscan_member *member = &work->rig->members[i];
    const size_t elements = part_elements(test, i);
    uint32_t *data = malloc(elements * sizeof *data);

    assert_non_null(data);
    memset(data, UNTOUCHED, elements * sizeof *data);
    work->rows[i] = (clscan_rows){.struct_size = sizeof work->rows[i], .count = test->rows};
    if (test->gaps) {
        work->rows[i].in_pitch = test->counts[i] + GAP;
        work->rows[i].out_pitch = test->counts[i] + GAP + !test->in_place;
    }
    work->parts[i] =
        (clscan_part){.struct_size = sizeof work->parts[i], .count = test->counts[i], .rows = &work->rows[i]};
    if (test->counts[i] > 0) {
        work->parts[i].out = (clscan_memory){.buffer = buffer_of(member, elements, data), .offset = GUARD};
        for (uint64_t row = 0; row < test->rows; ++row)
            for (uint64_t k = 0; k < test->counts[i]; ++k)
                data[place(work, i, row, k, false)] = work->in[row][first + k];
        work->parts[i].in = (clscan_memory){.buffer = buffer_of(member, elements, data), .offset = GUARD};
        if (test->in_place) {
            clReleaseMemObject(work->parts[i].out.buffer);
            work->parts[i].out = work->parts[i].in;
        }
    }
    free(data);
}

/* From a total to the next. */
static uint64_t total_pitch(const rows_case *test)
{
    return 1 + test->seed / 2 % 2;
}

static void prepare(rows_work *work, const rows_case *test)
{
    const size_t last = work->rig->count - 1, begin = reverse(work) ? last : 0, end = last - begin;
    uint32_t untouched[MOST_TOTALS];

    work->test = test;
    work->width = 0;
    memset(untouched, UNTOUCHED, sizeof untouched);
    for (size_t i = 0; i <= last; ++i)
        work->width += test->counts[i];
    for (uint64_t row = 0; row < ROWS; ++row) {
        clscan_generate(clscan_generator_for(CLSCAN_UINT32, work->problem.op, work->problem.direction), CLSCAN_UINT32,
                        test->seed + row, 0, work->width, work->in[row]);
        work->initials[row] = test->initial == OWN_INITIALS ? (uint32_t)(77 + row) : 5;
    }
    for (size_t i = 0, first = 0; i <= last; first += test->counts[i++])
        prepare_part(work, i, first);
    work->initial = buffer_of(&work->rig->members[begin], ROWS, work->initials);
    work->totals = buffer_of(&work->rig->members[end], MOST_TOTALS, untouched);
    work->args =
        (clscan_devices_args){.struct_size = sizeof work->args, .parts = work->parts, .part_count = work->rig->count};
    work->args.blocking = test->blocking;
    if (test->initial == CLSCAN_CASE_HOST_INITIAL)
        work->args.initial = (clscan_memory){.kind = CLSCAN_MEMORY_HOST, .pointer = work->initials};
    else if (test->initial != CLSCAN_CASE_NO_INITIAL)
        work->args.initial.buffer = work->initial;
    work->rows[begin].initial_pitch = test->initial == OWN_INITIALS;
    if (test->total)
        work->args.total.buffer = work->totals;
    for (size_t i = 0; test->total && i <= last; ++i) /* only those of the last part are looked at */
        work->rows[i].total_pitch = total_pitch(test);
}

static void clean_up(rows_work *work)
{
    for (size_t i = 0; i < work->rig->count; ++i) {
        if (work->test->counts[i] == 0)
            continue;
        clReleaseMemObject(work->parts[i].in.buffer);
        if (!work->test->in_place)
            clReleaseMemObject(work->parts[i].out.buffer);
    }
    clReleaseMemObject(work->initial);
    clReleaseMemObject(work->totals);
}

static void fetch(const clscan_member *member, cl_mem buffer, size_t count, uint32_t *got)
{
    assert_cl(clEnqueueReadBuffer(member->queue, buffer, CL_TRUE, 0, count * sizeof *got, got, 0, NULL, NULL));
}

/* Elements of a part that are not what they have to be, all that no row has among them. */
static unsigned compare_part(const rows_work *work, size_t i, uint64_t first,
                             uint32_t expected[ROWS][GROUP_MOST * MOST])
{
    const rows_case *test = work->test;
    const size_t elements = part_elements(test, i);
    uint32_t *got = malloc(elements * sizeof *got), *wanted = malloc(elements * sizeof *wanted);
    unsigned wrong = 0;

    assert_true(got != NULL && wanted != NULL);
    memset(wanted, UNTOUCHED, elements * sizeof *wanted);
    for (uint64_t row = 0; row < test->rows; ++row)
        for (uint64_t k = 0; k < test->counts[i]; ++k)
            wanted[place(work, i, row, k, true)] = expected[row][first + k];
    fetch(&work->rig->members[i], work->parts[i].out.buffer, elements, got);
    for (size_t k = 0; k < elements; ++k)
        wrong += got[k] != wanted[k];
    free(got);
    free(wanted);
    return wrong;
}

static unsigned compare(const rows_work *work)
{
    static uint32_t expected[ROWS][GROUP_MOST * MOST];
    const rows_case *test = work->test;
    const clscan_reference what = clscan_reference_of(&work->problem, work->sample);
    const clscan_member *end = &work->rig->members[reverse(work) ? 0 : work->rig->count - 1];
    uint32_t totals[MOST_TOTALS];
    unsigned wrong = 0;

    fetch(end, work->totals, MOST_TOTALS, totals);
    for (uint64_t i = 0; i < MOST_TOTALS; ++i)
        if (!test->total || i % total_pitch(test) > 0 || i / total_pitch(test) >= test->rows)
            wrong += totals[i] != 0x01010101u * UNTOUCHED;
    for (uint64_t row = 0; row < test->rows; ++row) {
        clscan_value initial, total = {.bits = 0};

        initial = clscan_value_load(CLSCAN_UINT32, &work->initials[row]);
        assert_int_equal(clscan_reference_scan(&what, work->in[row], work->width,
                                               test->initial != CLSCAN_CASE_NO_INITIAL ? &initial : NULL, expected[row],
                                               &total),
                         CLSCAN_OK);
        wrong += test->total && totals[row * total_pitch(test)] != (uint32_t)total.bits;
    }
    for (size_t i = 0, first = 0; i < work->rig->count; first += test->counts[i++])
        if (test->counts[i] > 0)
            wrong += compare_part(work, i, first, expected);
    return wrong;
}

/* Wait for a run, whose events these are, and compare. */
static unsigned finish(rows_work *work, const cl_event *events)
{
    const rows_case *test = work->test;
    unsigned wrong;

    for (size_t i = 0; i < work->rig->count; ++i) {
        assert_cl(clWaitForEvents(1, &events[i]));
        clReleaseEvent(events[i]);
    }
    wrong = compare(work);
    clean_up(work);
    if (wrong > 0)
        print_error("%u devices, %u rows, in place %d, gaps %d, total %d, initial %u, seed %u: %u differ\n",
                    (unsigned)work->rig->count, (unsigned)test->rows, test->in_place, test->gaps, test->total,
                    test->initial, (unsigned)test->seed, wrong);
    return wrong;
}

static unsigned run_case(clscan_devices *group, rows_work *work, const rows_case *test)
{
    cl_event events[GROUP_MOST];
    clscan_error error = {0};

    prepare(work, test);
    assert_status(CLSCAN_OK, clscan_devices_run(group, &work->args, events, &error), &error);
    return finish(work, events);
}

static void open_group(rows_work *work, const group_rig *rig, const clscan_problem *problem, clscan_devices **group)
{
    const clscan_rows most = {.struct_size = sizeof most, .count = ROWS};
    clscan_error error = {0};

    work->rig = rig;
    work->problem = *problem;
    work->problem.rows = &most;
    assert_status(CLSCAN_OK, clscan_devices_create_split(rig->members, rig->count, &work->problem, NULL, group, &error),
                  &error);
    work->problem.rows = NULL; /* of the reference */
}

/* All splits, with another turn of the rest for each. */
static unsigned try_problem(const test_live *live, const clscan_problem *problem, const clscan_sample_operator *sample,
                            group_kind kind, size_t count)
{
    static const uint64_t splits[][GROUP_MOST] = {{300, 1, 77, MOST}, {0, 300, 0, 5}, {300, 0, 0, 0}, {0, 0, 0, 40},
                                                  {1, 1, 1, 1},       {0, 0, 0, 0},   {64, 256, 0, 3}};
    static const uint64_t rows[] = {ROWS, 1, 5, 0};
    static rows_work work;
    group_rig rig;
    clscan_devices *group = NULL;
    unsigned wrong = 0;

    assert_true(group_rig_open(&rig, live, kind, count, kind == GROUP_OF_QUEUES));
    work.sample = sample;
    open_group(&work, &rig, problem, &group);
    for (unsigned turn = 0; turn < 4 * sizeof splits / sizeof splits[0]; ++turn) {
        rows_case test = {.rows = rows[turn % 5 % 4],
                          .in_place = turn % 2 == 1,
                          .gaps = turn % 3 == 1,
                          .total = turn % 5 != 2,
                          .blocking = turn / 3 % 2 == 1,
                          .initial = turn / 2 % (OWN_INITIALS + 1),
                          .seed = turn};

        if (problem->op == CLSCAN_CUSTOM && problem->custom->identity == NULL && test.initial == CLSCAN_CASE_NO_INITIAL)
            test.initial = OWN_INITIALS;
        memcpy(test.counts, splits[turn % (sizeof splits / sizeof splits[0])], sizeof test.counts);
        wrong += run_case(group, &work, &test);
    }
    clscan_devices_destroy(group);
    group_rig_close(&rig);
    return wrong;
}

static void sums_over_contexts(void **state)
{
    const clscan_problem problem = test_problem(CLSCAN_UINT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, MOST);
    unsigned wrong = 0;

    for (size_t count = 1; count <= 3; ++count)
        wrong += try_problem(*state, &problem, NULL, GROUP_OF_CONTEXTS, count);
    assert_int_equal(wrong, 0);
}

/* Operators that do not commute, with and without identity, on out-of-order queues of one context. */
static void operators_of_the_callers(void **state)
{
    static const struct {
        clscan_sample sample;
        clscan_form form;
        clscan_direction direction;
    } problems[] = {
        {CLSCAN_SAMPLE_AFFINE, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE},
        {CLSCAN_SAMPLE_TAKE_LEFT, CLSCAN_EXCLUSIVE, CLSCAN_FORWARD},
        {CLSCAN_SAMPLE_AFFINE, CLSCAN_INCLUSIVE, CLSCAN_FORWARD},
    };
    unsigned wrong = 0;

    for (size_t i = 0; i < sizeof problems / sizeof problems[0]; ++i) {
        const clscan_sample_operator *sample = clscan_sample_find(problems[i].sample, CLSCAN_UINT32);
        const clscan_problem problem =
            test_custom_problem(CLSCAN_UINT32, sample, problems[i].form, problems[i].direction, MOST);

        wrong += try_problem(*state, &problem, sample, GROUP_OF_QUEUES, GROUP_MOST - i % 2);
    }
    assert_int_equal(wrong, 0);
}

/* What travels are accumulators. */
static void maps_and_structs(void **state)
{
    enum { LINES = 4, COUNT = 100, PARTS = 3 };
    const test_live *live = *state;
    const clscan_rows most = {.struct_size = sizeof most, .count = LINES};
    const uint32_t factor = 12345;
    const clscan_memory value = {.kind = CLSCAN_MEMORY_HOST, .pointer = &factor};
    clscan_problem problem = test_affine_maps(COUNT);
    clscan_part parts[PARTS];
    const clscan_devices_args args = {.struct_size = sizeof args, .parts = parts, .part_count = PARTS};
    uint8_t in[PARTS][LINES][COUNT];
    uint32_t got[PARTS][LINES][COUNT];
    group_rig rig;
    clscan_devices *group = NULL;
    clscan_error error = {0};

    problem.rows = &most;
    assert_true(group_rig_open(&rig, live, GROUP_OF_QUEUES, PARTS, false));
    assert_status(CLSCAN_OK, clscan_devices_create_split(rig.members, PARTS, &problem, NULL, &group, &error), &error);
    for (size_t i = 0; i < sizeof in; ++i)
        in[i / (LINES * COUNT)][i / COUNT % LINES][i % COUNT] = (uint8_t)(2 * i + 1);
    for (size_t p = 0; p < PARTS; ++p)
        parts[p] = (clscan_part){.struct_size = sizeof parts[p],
                                 .in.buffer = test_buffer(live, CL_MEM_READ_ONLY, sizeof in[p], in[p]),
                                 .out.buffer = test_buffer(live, CL_MEM_READ_WRITE, sizeof got[p], NULL),
                                 .count = COUNT,
                                 .map_arguments = &value,
                                 .map_argument_count = 1};
    assert_status(CLSCAN_OK, clscan_devices_run(group, &args, NULL, &error), &error);
    for (size_t p = 0; p < PARTS; ++p) {
        assert_cl(clFinish(rig.members[p].queue));
        test_read(live, parts[p].out.buffer, sizeof got[p], got[p]);
        clReleaseMemObject(parts[p].in.buffer);
        clReleaseMemObject(parts[p].out.buffer);
    }
    for (size_t row = 0; row < LINES; ++row) {
        uint32_t a = 1, b = 0;

        for (size_t i = 0; i < PARTS * COUNT; ++i) {
            const uint32_t x = in[i / COUNT][row][i % COUNT];

            b = x * b + factor;
            a *= x;
            assert_int_equal(got[i / COUNT][row][i % COUNT], a ^ b);
        }
    }
    clscan_devices_destroy(group);
    group_rig_close(&rig);
}

/* Four devices on two links: each group of two gets rows by its weight, and shares them. */
static void groups_of_linked_devices(void **state)
{
    enum { DEVICES = 4, SIZE = 2, GROUPS = DEVICES / SIZE };
    static const uint64_t links[DEVICES] = {7, 3, 7, 3}, order_by_link[DEVICES] = {1, 3, 0, 2};
    static const double weights[GROUPS] = {2, 1};
    static rows_work works[GROUPS];
    const clscan_problem problem = test_problem(CLSCAN_UINT32, CLSCAN_ADD, CLSCAN_EXCLUSIVE, CLSCAN_FORWARD, MOST);
    group_rig all, rigs[GROUPS];
    clscan_devices *groups[GROUPS] = {NULL};
    rows_case tests[GROUPS];
    cl_event events[GROUPS][GROUP_MOST];
    uint64_t order[DEVICES], shares[GROUPS];
    clscan_error error = {0};
    unsigned wrong = 0;

    assert_true(group_rig_open(&all, *state, GROUP_OF_CONTEXTS, DEVICES, false));
    assert_status(CLSCAN_OK, clscan_devices_by_link(NULL, links, DEVICES, SIZE, order, &error), &error);
    assert_memory_equal(order, order_by_link, sizeof order);
    assert_status(CLSCAN_OK, clscan_devices_deal(ROWS, weights, GROUPS, shares, &error), &error);
    for (size_t g = 0; g < GROUPS; ++g) {
        rigs[g] = (group_rig){.count = SIZE};
        for (size_t i = 0; i < SIZE; ++i)
            rigs[g].members[i] = all.members[order[g * SIZE + i]];
        works[g].sample = NULL;
        open_group(&works[g], &rigs[g], &problem, &groups[g]);
        tests[g] = (rows_case){.rows = shares[g], .counts = {MOST, 300}, .total = true, .seed = g};
        prepare(&works[g], &tests[g]);
    }
    for (size_t g = 0; g < GROUPS; ++g)
        assert_status(CLSCAN_OK, clscan_devices_run(groups[g], &works[g].args, events[g], &error), &error);
    for (size_t g = 0; g < GROUPS; ++g) {
        wrong += finish(&works[g], events[g]);
        clscan_devices_destroy(groups[g]);
    }
    assert_int_equal(wrong, 0);
    group_rig_close(&all);
}

static void refusals(void **state)
{
    static rows_work work;
    clscan_problem problem = test_problem(CLSCAN_UINT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, MOST);
    const clscan_rows tensor = {.struct_size = sizeof tensor, .dimensions = 2, .axis = 1, .extents = {ROWS, MOST}};
    const rows_case test = {.rows = ROWS, .counts = {100, 200}, .gaps = true, .initial = OWN_INITIALS, .seed = 3};
    const clscan_host_args host = {.struct_size = sizeof host, .in = work.in, .out = work.in, .count = 5};
    clscan_devices *group = NULL;
    clscan_error error = {0};
    cl_event events[2] = {NULL, NULL};
    group_rig rig;

    assert_true(group_rig_open(&rig, *state, GROUP_OF_CONTEXTS, 2, false));
    assert_status(CLSCAN_ERROR_INVALID_VALUE,
                  clscan_devices_create_split(rig.members, 2, &problem, NULL, &group, &error), &error);
    problem.rows = &(clscan_rows){.struct_size = sizeof tensor, .count = ROWS};
    problem.type = CLSCAN_FLOAT;
    problem.reproducible = 1;
    assert_status(CLSCAN_ERROR_UNSUPPORTED_TYPE,
                  clscan_devices_create_split(rig.members, 2, &problem, NULL, &group, &error), &error);
    assert_non_null(strstr(error.message, "reproducible"));
    problem.type = CLSCAN_UINT32;
    problem.reproducible = 0;
    problem.rows = &tensor;
    assert_status(CLSCAN_ERROR_UNSUPPORTED_TYPE,
                  clscan_devices_create_split(rig.members, 2, &problem, NULL, &group, &error), &error);
    assert_null(group);
    problem.rows = NULL;
    work.sample = NULL;
    open_group(&work, &rig, &problem, &group);
    assert_status(CLSCAN_ERROR_UNSUPPORTED_TYPE, clscan_devices_scan_host(group, &host, &error), &error);
    assert_non_null(strstr(error.message, "problem->rows of the group"));
    prepare(&work, &test);
#define REFUSED(expected, culprit, change)                                                      \
    do {                                                                                        \
        const clscan_rows kept_rows[2] = {work.rows[0], work.rows[1]};                          \
        const clscan_part kept_parts[2] = {work.parts[0], work.parts[1]};                       \
        change;                                                                                 \
        assert_status(expected, clscan_devices_run(group, &work.args, events, &error), &error); \
        assert_non_null(strstr(error.message, culprit));                                        \
        assert_null(events[0]);                                                                 \
        memcpy(work.rows, kept_rows, sizeof kept_rows);                                         \
        memcpy(work.parts, kept_parts, sizeof kept_parts);                                      \
    } while (0)
    REFUSED(CLSCAN_ERROR_INVALID_VALUE, "parts[1].rows", work.rows[1].count = ROWS - 1);
    REFUSED(CLSCAN_ERROR_INVALID_VALUE, "parts[1]", work.rows[1].in_pitch = 199);
    REFUSED(CLSCAN_ERROR_COUNT_TOO_LARGE, "parts[0]", work.rows[0].count = work.rows[1].count = ROWS + 1);
    REFUSED(CLSCAN_ERROR_STRUCT_SIZE, "parts[1].rows", work.rows[1].struct_size = 0);
    REFUSED(CLSCAN_ERROR_INVALID_VALUE, "parts[1].total", work.parts[1].total = work.parts[1].out);
    REFUSED(CLSCAN_ERROR_UNSUPPORTED_TYPE, "parts[0].rows", work.rows[0].dimensions = 2);
    REFUSED(CLSCAN_ERROR_BUFFER_TOO_SMALL, "args->initial", work.rows[0].initial_pitch = 2);
#undef REFUSED
    assert_status(CLSCAN_OK, clscan_devices_run(group, &work.args, NULL, &error), &error);
    assert_int_equal(compare(&work), 0);
    clean_up(&work);
    clscan_devices_destroy(group);
    group_rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_over_contexts), cmocka_unit_test(operators_of_the_callers),
        cmocka_unit_test(maps_and_structs),   cmocka_unit_test(groups_of_linked_devices),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
