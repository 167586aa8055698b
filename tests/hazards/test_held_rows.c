/* Few long rows whose work-groups wait for each other (cl/rows/chained.cl), with owners of tiles that are held back:
 * whoever waits reduces the missing tile itself, and reads it in its own row. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "common/test_knobs.h"
#include "live.h"
#include "row_rig.h"

/* Two rows are few where there are two compute units. Rows of 256 KiB or more are chains, here of many small tiles. */
enum { ROWS = 2, ROW_BYTES = 1 << 18, GAP = 3, REPEATS = 12, MOST_REPEATS = 30, TILE = 1024 };

typedef struct kind {
    const char *name;
    clscan_type type;
    clscan_operator op;
    clscan_form form;
    clscan_direction direction;
    uint32_t poll_limit, interval;
} kind;

/* An operator that does not commute shows operands out of order; values of 8 bytes travel in two words. */
static const kind kinds[] = {
    {"sums", CLSCAN_UINT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 1, 3},
    {"maps, in reverse", CLSCAN_UINT32, CLSCAN_CUSTOM, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE, 1, 2},
    {"wide sums", CLSCAN_UINT64, CLSCAN_ADD, CLSCAN_EXCLUSIVE, CLSCAN_FORWARD, 5, 1},
    {"narrow maxima", CLSCAN_UINT16, CLSCAN_MAX, CLSCAN_INCLUSIVE, CLSCAN_REVERSE, 100, 4},
};
#define KINDS (sizeof kinds / sizeof kinds[0])

/* A config in which the scan of one row waits, for every size of elements. */
static clscan_config *waiting_config(const test_live *live)
{
    static const char entry[] =
        "{\"operation\": \"scan\", \"element_size_bytes\": %u, \"operator_class\": \"%s\", \"largest_count\": null, "
        "\"reproducible\": false, \"variant\": {\"body\": \"strided\", \"group_scan\": \"kogge_stone\", \"carry\": "
        "\"adjacent\", \"order\": \"dynamic\", \"work_group_size\": 16, \"vector_length\": 4, \"register_pieces\": 1, "
        "\"local_pieces\": 15, \"tiles_per_work_group\": 1, \"poll_delay\": 0}}";
    static const unsigned sizes[] = {2, 4, 8};
    clscan_config *config = NULL;
    clscan_error error = {0};
    char text[8192];
    int used = snprintf(text, sizeof text,
                        "{\"schema_version\": 1, \"match\": \"%s\", \"provenance\": {\"origin\": \"hand-set\", "
                        "\"date\": \"2026-11-25\", \"device\": \"a test\", \"driver\": \"1\", \"platform\": \"p\", "
                        "\"clscan_version\": \"0.1.0\", \"note\": \"\"}, \"entries\": [",
                        live->info.key);

    for (size_t i = 0; i < 2 * sizeof sizes / sizeof sizes[0]; ++i) {
        used += snprintf(text + used, sizeof text - (size_t)used, "%s", i > 0 ? ", " : "");
        used +=
            snprintf(text + used, sizeof text - (size_t)used, entry, sizes[i / 2], i % 2 == 0 ? "builtin" : "custom");
    }
    snprintf(text + used, sizeof text - (size_t)used, "]}");
    assert_status(CLSCAN_OK, clscan_config_parse(text, strlen(text), "test", &config, &error), &error);
    return config;
}

/* The rows of one run, and what must come of them. */
typedef struct rig {
    row_rig rows;
    const kind *of;
    clscan_reference what;
    uint64_t most, pitch; /* elements */
} rig;

static void set_up(const test_live *live, const kind *of, clscan_mechanism mechanism, const clscan_config *config,
                   rig *r)
{
    const clscan_sample_operator *sample =
        of->op == CLSCAN_CUSTOM ? clscan_sample_find(CLSCAN_SAMPLE_AFFINE, of->type) : NULL;
    const struct clscan__test_knobs knobs = {.poll_limit = of->poll_limit, .hold_interval = of->interval};
    const clscan_plan_options options = {.struct_size = sizeof options,
                                         .config = config,
                                         .mechanism = mechanism,
                                         .test_knobs = &knobs,
                                         .count_events = 1};
    const clscan_rows rows = {.struct_size = sizeof rows, .count = ROWS};
    clscan_problem problem = test_sample_problem(of->type, of->op, sample, of->form, of->direction, 1);

    *r = (rig){.of = of, .what = clscan_reference_of(&problem, sample)};
    r->most = ROW_BYTES / clscan_type_size_bytes(of->type) + 77;
    r->pitch = r->most + GAP;
    problem.max_count = r->most;
    row_rig_open(live, &problem, sample, &rows, &options, ROWS * r->pitch, ROWS, ROWS, &r->rows);
}

static clscan_report counters(const rig *r)
{
    clscan_report report = {.struct_size = sizeof report};

    assert_status(CLSCAN_OK, clscan_workspace_report(r->rows.workspace, r->rows.live->queue, &report, NULL), NULL);
    return report;
}

/* One run of rows that are new, so that sums of the run before show; each has its own initial value. */
static unsigned run_once(rig *r, uint64_t seed, bool in_place)
{
    const size_t size = r->rows.element_bytes;
    const uint64_t count = r->most - seed % 70;
    const clscan_rows rows = {
        .struct_size = sizeof rows, .count = ROWS, .in_pitch = r->pitch, .out_pitch = r->pitch, .initial_pitch = 1};
    clscan_run_args args = {.struct_size = sizeof args,
                            .in.buffer = r->rows.arrays.in,
                            .out.buffer = in_place ? r->rows.arrays.in : r->rows.arrays.out,
                            .total.buffer = r->rows.totals,
                            .initial.buffer = r->rows.initials,
                            .count = count,
                            .rows = &rows};
    unsigned char starts[ROWS * sizeof(clscan_value)], totals[ROWS * sizeof(clscan_value)];
    clscan_error error = {0};
    unsigned wrong = 0;

    clscan_generate(r->of->op == CLSCAN_CUSTOM ? CLSCAN_GENERATE_FACTORS : CLSCAN_GENERATE_UNIFORM, r->of->type, seed,
                    0, ROWS * r->pitch, r->rows.arrays.input);
    test_arrays_write(r->rows.live, &r->rows.arrays);
    for (int row = 0; row < ROWS; ++row)
        clscan_value_store(r->of->type, clscan_value_from_int(r->of->type, 5 + 8 * row), starts + (size_t)row * size);
    test_write(r->rows.live, r->rows.initials, starts, ROWS * size);
    assert_status(CLSCAN_OK,
                  clscan_run(r->rows.plan, r->rows.workspace, r->rows.live->queue, &args, 0, NULL, NULL, &error),
                  &error);
    test_read(r->rows.live, args.out.buffer, r->rows.arrays.bytes, r->rows.arrays.got);
    test_read(r->rows.live, r->rows.totals, ROWS * size, totals);
    memcpy(r->rows.arrays.expected, in_place ? r->rows.arrays.input : r->rows.arrays.before, r->rows.arrays.bytes);
    for (int row = 0; row < ROWS; ++row) {
        const size_t at = (size_t)row * (size_t)r->pitch * size;
        const clscan_value initial = clscan_value_load(r->of->type, starts + (size_t)row * size);
        clscan_value total;

        assert_int_equal(clscan_reference_scan(&r->what, (unsigned char *)r->rows.arrays.input + at, count, &initial,
                                               (unsigned char *)r->rows.arrays.expected + at, &total),
                         CLSCAN_OK);
        wrong += memcmp(&total, totals + (size_t)row * size, size) != 0;
    }
    wrong += memcmp(r->rows.arrays.expected, r->rows.arrays.got, r->rows.arrays.bytes) != 0;
    if (wrong > 0)
        print_error("%s, seed %u, in place %d: wrong\n", r->of->name, (unsigned)seed, in_place);
    return wrong;
}

/* Out of place a held owner never publishes. In place it gives way at last, so it takes two work-groups at once to see
 * it missing: until that was seen, or for a while. Adds the tiles that were recomputed in place. */
static unsigned hold_owners(rig *r, bool in_place, uint32_t *recomputed_in_place)
{
    const clscan_report before = counters(r);
    clscan_report after = before;
    unsigned failures = 0;

    for (uint64_t seed = 0; failures < 5 && seed < MOST_REPEATS; ++seed) {
        failures += run_once(r, seed, in_place);
        after = counters(r);
        if (seed + 1 >= REPEATS && (!in_place || after.recomputed > before.recomputed))
            break;
    }
    print_message("%s, in place %d: %u waits, %u recomputed, %u discarded\n", r->of->name, in_place,
                  (unsigned)(after.waits - before.waits), (unsigned)(after.recomputed - before.recomputed),
                  (unsigned)(after.discarded - before.discarded));
    failures += after.failures != 0;
    /* Each held tile but the last costs the tile behind it a wait and a recomputation: no other launch does that. */
    const uint32_t held = (uint32_t)(ROWS * REPEATS * ((r->most - 77) / TILE / r->of->interval - 1));
    *recomputed_in_place += in_place ? after.recomputed - before.recomputed : 0;
    if (!in_place && after.recomputed - before.recomputed < held) {
        print_error("too few were recomputed; %u tiles were held back\n", (unsigned)held);
        ++failures;
    }
    return failures;
}

static void held_owners(void **state)
{
    static const clscan_mechanism mechanisms[] = {CLSCAN_MECHANISM_NONE, CLSCAN_MECHANISM_PTX, CLSCAN_MECHANISM_C11,
                                                  CLSCAN_MECHANISM_ATOMIC64, CLSCAN_MECHANISM_ATOMIC32};
    const test_live *live = *state;
    uint32_t recomputed_in_place = 0;
    unsigned failures = 0;
    clscan_config *config;

    if (!test_may_wait(live) || live->info.compute_units < ROWS) {
        print_message("no rows are chains on this device\n");
        skip();
    }
    config = waiting_config(live);
    /* Each kind by the device's own mechanism, which NONE stands for, and the first by every one. */
    for (size_t i = 0; i < KINDS + sizeof mechanisms / sizeof mechanisms[0] - 1; ++i) {
        const clscan_mechanism mechanism = i < KINDS ? CLSCAN_MECHANISM_NONE : mechanisms[i - KINDS + 1];
        rig r;

        if (!test_type_runs(live, kinds[i < KINDS ? i : 0].type) ||
            (i >= KINDS && (!test_mechanism_may_run(live, mechanism) || mechanism == live->info.mechanism)))
            continue;
        set_up(live, &kinds[i < KINDS ? i : 0], mechanism, config, &r);
        for (int in_place = 0; in_place < 2; ++in_place)
            failures += hold_owners(&r, in_place != 0, &recomputed_in_place);
        row_rig_close(&r.rows);
    }
    clscan_config_destroy(config);
    assert_int_equal(failures, 0);
    assert_true(recomputed_in_place > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(held_owners),
    };
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
