/* Work-groups that wait for each other: thousands of repeats, owners that are held back, every
 * mechanism.
 *
 * ctest runs this with one, two and eight PoCL threads (POCL_MAX_PTHREAD_COUNT). Counters prove
 * that waits and recomputations happened where a test means to provoke them. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmocka_all.h"
#include "combine.h"
#include "common/test_knobs.h"
#include "live.h"
#include "problem_of.h"
#include "random.h"
#include "variant_sets.h"

enum { MANY_TILES = 600, TILES = 48, REPEATS = 1500, HELD_REPEATS = 40 };

/* Where only work-groups at the same time show something, runs are repeated until they do. On an idle machine that is
 * at once; on a busy one two threads may have no turn together for seconds. */
enum { PATIENCE_S = 60 };

static const clscan_mechanism mechanisms[] = {CLSCAN_MECHANISM_PTX, CLSCAN_MECHANISM_C11, CLSCAN_MECHANISM_ATOMIC64,
                                              CLSCAN_MECHANISM_ATOMIC32};

/* A carry in which ranges wait for those before them: adjacent or lookback. */
static clscan_variant chained(clscan_carry carry, clscan_body body, clscan_order order, uint32_t tiles_per_work_group)
{
    clscan_variant variant = {.body = body,
                              .group_scan = CLSCAN_GROUP_SCAN_KOGGE_STONE,
                              .carry = carry,
                              .order = order,
                              .work_group_size = 8,
                              .vector_length = 4};

    if (body == CLSCAN_BODY_CACHED_ROWS)
        variant.work_group_size = 1, variant.cached_pieces = 8, variant.interleaved_rows = 2;
    else
        variant.register_pieces = variant.local_pieces = 1;
    if (clscan_variant_needs(&variant, CLSCAN_PARAM_thread_group_size))
        variant.thread_group_size = 8;
    if (clscan_variant_needs(&variant, CLSCAN_PARAM_tiles_per_work_group))
        variant.tiles_per_work_group = tiles_per_work_group;
    if (clscan_variant_needs(&variant, CLSCAN_PARAM_work_groups_per_unit))
        variant.work_groups_per_unit = 2;
    return variant;
}

static clscan_variant adjacent(clscan_body body, clscan_order order, uint32_t tiles_per_work_group)
{
    return chained(CLSCAN_CARRY_ADJACENT, body, order, tiles_per_work_group);
}

static clscan_variant lookback(clscan_body body, clscan_order order)
{
    return chained(CLSCAN_CARRY_LOOKBACK, body, order, 0);
}

/* Few work-groups, each a tile ahead, in the form without landing zone, which every device has; or one tile each. */
static clscan_variant by_totals(clscan_carry carry, uint32_t work_group_size)
{
    const int ahead = carry == CLSCAN_CARRY_LOOKAHEAD;

    return (clscan_variant){.body = CLSCAN_BODY_SUBGROUP_ROWS,
                            .group_scan = CLSCAN_GROUP_SCAN_SUBGROUP,
                            .carry = carry,
                            .order = ahead ? CLSCAN_ORDER_PERSISTENT : CLSCAN_ORDER_DYNAMIC,
                            .work_group_size = work_group_size,
                            .vector_length = 1,
                            .register_pieces = 2,
                            .work_groups_per_unit = ahead ? 2 : 0};
}

/* The smallest work-group for which the carry can run here; 0, after a message, if there is none. */
static uint32_t by_totals_size(const test_live *live, clscan_carry carry, int in_place)
{
    clscan_error error = {0};

    for (uint32_t size = TEST_SMALL_WORK_GROUP; size <= 64; size *= 2) {
        const clscan_variant variant = by_totals(carry, size);
        if (clscan_variant_check(&variant, PROBLEM_OF(CLSCAN_UINT32, CLSCAN_ADD), in_place, &live->info, &error) ==
            CLSCAN_OK)
            return size;
    }
    print_message("no totals of tiles on this device: %s\n", error.message);
    return 0;
}

/* A plan with a bound workspace, an input, and the sums it gives. */
typedef struct bench {
    const test_live *live;
    clscan_problem problem;
    clscan_variant variant;
    clscan_case_fixture fixture;
    uint64_t count;
    size_t element_bytes, bytes;
    unsigned char *input;
    unsigned char *expected;
    unsigned char *got;
    cl_mem in;
    cl_mem out;
} bench;

/* A bench for a problem, whose largest count follows from the number of ranges; 0 if the variant is not legal here. */
static int open_bench_for(bench *b, const test_live *live, clscan_variant variant, clscan_problem problem,
                          size_t element_bytes, uint64_t ranges, const clscan_plan_options *options)
{
    clscan_plan_options with_variant = *options;

    memset(b, 0, sizeof *b);
    b->live = live;
    b->variant = variant;
    b->element_bytes = element_bytes;
    b->count = ranges * (variant.tiles_per_work_group > 0 ? variant.tiles_per_work_group : 1) *
                   clscan_variant_tile_count(&variant) -
               3;
    b->bytes = (size_t)b->count * element_bytes;
    b->problem = problem;
    b->problem.max_count = b->count;
    with_variant.struct_size = sizeof with_variant;
    with_variant.variant = &b->variant;
    if (test_try_prepare(live, &b->problem, NULL, &with_variant, &b->fixture) != CLSCAN_OK)
        return 0;
    b->input = malloc(b->bytes);
    b->expected = malloc(b->bytes);
    b->got = malloc(b->bytes);
    assert_true(b->input != NULL && b->expected != NULL && b->got != NULL);
    b->in = test_buffer(live, CL_MEM_READ_WRITE, b->bytes, NULL);
    b->out = test_buffer(live, CL_MEM_READ_WRITE, b->bytes, NULL);
    return 1;
}

static int open_bench(bench *b, const test_live *live, clscan_variant variant, clscan_type type, uint64_t ranges,
                      const clscan_plan_options *options)
{
    return open_bench_for(b, live, variant, test_problem(type, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 0),
                          clscan_type_size_bytes(type), ranges, options);
}

static void close_bench(bench *b)
{
    clReleaseMemObject(b->in);
    clReleaseMemObject(b->out);
    free(b->input);
    free(b->expected);
    free(b->got);
    clscan_case_release(&b->fixture);
}

/* A new input every time: sums of the last run that are taken for this run's are seen. */
static void renew(bench *b, uint64_t seed)
{
    const clscan_reference what = {.type = b->problem.type, .op = CLSCAN_ADD};
    clscan_generate(CLSCAN_GENERATE_UNIFORM, b->problem.type, seed, 0, b->count, b->input);
    clscan_reference_scan(&what, b->input, b->count, NULL, b->expected, NULL);
}

static unsigned run_once(bench *b, uint64_t seed, int in_place)
{
    cl_command_queue queue = b->live->queue;
    const clscan_run_args args = {
        .struct_size = sizeof args, .in.buffer = b->in, .out.buffer = in_place ? b->in : b->out, .count = b->count};
    clscan_error error = {0};

    assert_cl(clEnqueueWriteBuffer(queue, b->in, CL_FALSE, 0, b->bytes, b->input, 0, NULL, NULL));
    assert_status(CLSCAN_OK, clscan_run(b->fixture.plan, b->fixture.workspace, queue, &args, 0, NULL, NULL, &error),
                  &error);
    test_read(b->live, args.out.buffer, b->bytes, b->got);
    for (uint64_t i = 0; i < b->count; ++i) {
        const size_t size = b->element_bytes;
        if (memcmp(b->got + i * size, b->expected + i * size, size) != 0) {
            char text[256];
            clscan_variant_format(&b->variant, text, sizeof text);
            print_error("%s, seed %" PRIu64 ", in place %d: out[%" PRIu64 "] of %" PRIu64 " is wrong\n", text, seed,
                        in_place, i, b->count);
            return 1;
        }
    }
    return 0;
}

static clscan_report counters(const bench *b)
{
    clscan_report report = {.struct_size = sizeof report};
    clscan_error error = {0};
    assert_status(CLSCAN_OK, clscan_workspace_report(b->fixture.workspace, b->live->queue, &report, &error), &error);
    return report;
}

static int runs_as_asked(const bench *b, int in_place)
{
    clscan_choice choice = {.struct_size = sizeof choice};
    assert_int_equal(clscan_plan_explain(b->fixture.plan, b->count, in_place, &choice, NULL), CLSCAN_OK);
    return choice.variant.carry == b->variant.carry;
}

/* Thousands of runs of many work-groups, out of place and in place. */
static void repeats_of(const test_live *live, clscan_variant variant)
{
    const clscan_plan_options options = {.count_events = 1};
    bench b;
    unsigned failures = 0;

    if (live->info.mechanism == CLSCAN_MECHANISM_NONE) {
        print_message("no work-group may wait on this device\n");
        skip();
    }
    assert_true(open_bench(&b, live, variant, CLSCAN_INT32, MANY_TILES, &options));
    assert_true(runs_as_asked(&b, 0));
    for (uint64_t seed = 0; seed < REPEATS && failures < 5; ++seed) {
        if (seed % 10 == 0)
            renew(&b, seed);
        failures += run_once(&b, seed, seed % 2 == 1);
    }
    const clscan_report report = counters(&b);
    print_message("%" PRIu32 " waits, %" PRIu32 " recomputed, %" PRIu32 " discarded\n", report.waits, report.recomputed,
                  report.discarded);
    /* Whether anybody had to wait is up to the scheduler here; the tests that hold owners back prove waits. */
    assert_int_equal(report.failures, 0);
    close_bench(&b);
    assert_int_equal(failures, 0);
}

static void repeats(void **state)
{
    repeats_of(*state, adjacent(CLSCAN_BODY_STRIDED, CLSCAN_ORDER_DYNAMIC, 1));
}

/* Each run must leave the draw word to the next one. */
static void repeats_of_persistent_work_groups(void **state)
{
    repeats_of(*state, adjacent(CLSCAN_BODY_STRIDED, CLSCAN_ORDER_PERSISTENT, 1));
}

/* Each run must find out anew who takes part, and leave nothing behind. */
static void repeats_of_registered_work_groups(void **state)
{
    repeats_of(*state, adjacent(CLSCAN_BODY_STRIDED, CLSCAN_ORDER_CYCLIC, 1));
}

static void repeats_of_lookback(void **state)
{
    repeats_of(*state, lookback(CLSCAN_BODY_STRIDED, CLSCAN_ORDER_DYNAMIC));
}

static const clscan_carry totals_carries[] = {CLSCAN_CARRY_LOOKAHEAD, CLSCAN_CARRY_ALL_TOTALS};
#define TOTALS_CARRIES (sizeof totals_carries / sizeof totals_carries[0])

static void repeats_by_totals(void **state)
{
    const test_live *live = *state;

    for (size_t i = 0; i < TOTALS_CARRIES; ++i) {
        const uint32_t size = by_totals_size(live, totals_carries[i], 1);

        if (!test_takes(i, TOTALS_CARRIES))
            continue;
        if (size == 0)
            skip();
        repeats_of(live, by_totals(totals_carries[i], size));
    }
}

/* Every third owner is held back, so its successor must go on without it. */
static void held_owners(const test_live *live, clscan_mechanism mechanism, clscan_variant variant, clscan_type type,
                        uint32_t poll_limit, uint32_t interval, unsigned *failures)
{
    const clscan_plan_options options = {
        .mechanism = mechanism,
        .test_knobs = &(struct clscan__test_knobs){.poll_limit = poll_limit, .hold_interval = interval},
        .count_events = 1};
    for (int in_place = 0; in_place < 2; ++in_place) {
        bench b;
        if (!test_mechanism_may_run(live, mechanism) || !open_bench(&b, live, variant, type, TILES, &options)) {
            print_message("mechanism %s: not on this device\n", clscan_mechanism_name(mechanism));
            *failures += mechanism == live->info.mechanism;
            return;
        }
        if (!runs_as_asked(&b, in_place)) {
            print_message("mechanism %s in place: another carry\n", clscan_mechanism_name(mechanism));
            close_bench(&b);
            continue;
        }
        /* Out of place a held owner never publishes, whatever the number of threads. In place it gives
         * way at last, so it takes two work-groups at once to see it missing: until that was seen. */
        clscan_report report = {.struct_size = sizeof report};
        const time_t end = time(NULL) + PATIENCE_S;
        for (uint64_t seed = 0; *failures < 10 && (seed < HELD_REPEATS || time(NULL) <= end); ++seed) {
            if (seed % 10 == 0)
                renew(&b, seed);
            *failures += run_once(&b, seed, in_place);
            /* One thread alone holds to the end each time and sees nothing: a few runs will do. */
            if (in_place && live->info.compute_units == 1 && seed == 2)
                break;
            if (seed + 1 >= HELD_REPEATS) {
                report = counters(&b);
                if (!in_place || report.recomputed > 0)
                    break;
            }
        }
        print_message("%s, %s, poll limit %" PRIu32 ", every %" PRIu32 ", in place %d: %" PRIu32 " waits, %" PRIu32
                      " recomputed, %" PRIu32 " discarded\n",
                      clscan_mechanism_name(mechanism), clscan_type_name(type), poll_limit, interval, in_place,
                      report.waits, report.recomputed, report.discarded);
        *failures += report.failures != 0;
        /* Each held tile but the last costs its successor one wait and one recomputation. */
        const uint32_t held = (TILES / interval - 1) * HELD_REPEATS;
        if (!in_place && (report.waits < held || report.recomputed < held)) {
            print_error("only %" PRIu32 " waits and %" PRIu32 " recomputed, %" PRIu32 " tiles were held back\n",
                        report.waits, report.recomputed, held);
            ++*failures;
        }
        if (in_place && live->info.compute_units > 1 && report.recomputed == 0) {
            print_error("in place, nothing was recomputed\n");
            ++*failures;
        }
        close_bench(&b);
    }
}

/* Adjacent and lookback by every mechanism, on tiles of one work-group each. */
static void held_owners_of(const test_live *live, clscan_body body, clscan_type type, uint32_t poll_limit,
                           uint32_t interval)
{
    static const clscan_carry carries[] = {CLSCAN_CARRY_ADJACENT, CLSCAN_CARRY_LOOKBACK};
    unsigned failures = 0;

    if (live->info.mechanism == CLSCAN_MECHANISM_NONE)
        skip();
    for (size_t i = 0; i < sizeof mechanisms / sizeof mechanisms[0]; ++i)
        for (size_t c = 0; c < sizeof carries / sizeof carries[0]; ++c)
            if (test_takes(i + c, 2))
                held_owners(live, mechanisms[i], chained(carries[c], body, CLSCAN_ORDER_DYNAMIC, 1), type, poll_limit,
                            interval, &failures);
    assert_int_equal(failures, 0);
}

static void held_owners_by_every_mechanism(void **state)
{
    held_owners_of(*state, CLSCAN_BODY_STRIDED, CLSCAN_INT32, 1, 3);
}

/* 8-byte values travel in two words, whose halves may be of two runs, or of a total and a prefix. */
static void held_owners_of_wide_elements(void **state)
{
    held_owners_of(*state, CLSCAN_BODY_STRIDED, CLSCAN_UINT64, 5, 4);
}

/* Two missing tiles in a row, a longer patience, tiles by work-group id, several tiles per work-group, work-groups
 * that go from tile to tile. */
static void other_ways_to_hold(void **state)
{
    const test_live *live = *state;
    static const struct {
        clscan_carry carry;
        clscan_body body;
        clscan_order order;
        uint32_t tiles_per_work_group;
        uint32_t poll_limit;
        uint32_t interval;
    } cases[] = {
        {CLSCAN_CARRY_ADJACENT, CLSCAN_BODY_MATRIX, CLSCAN_ORDER_DYNAMIC, 1, 1, 2},
        {CLSCAN_CARRY_ADJACENT, CLSCAN_BODY_STRIDED, CLSCAN_ORDER_STATIC, 1, 3, 3},
        {CLSCAN_CARRY_ADJACENT, CLSCAN_BODY_STRIDED, CLSCAN_ORDER_DYNAMIC, 1, 100, 5},
        {CLSCAN_CARRY_ADJACENT, CLSCAN_BODY_STRIDED, CLSCAN_ORDER_DYNAMIC, 4, 1, 3},
        {CLSCAN_CARRY_ADJACENT, CLSCAN_BODY_COALESCED, CLSCAN_ORDER_DYNAMIC, 1, 1, 1}, /* everyone is held back */
        {CLSCAN_CARRY_ADJACENT, CLSCAN_BODY_STRIDED, CLSCAN_ORDER_PERSISTENT, 1, 1, 3},
        {CLSCAN_CARRY_ADJACENT, CLSCAN_BODY_COALESCED, CLSCAN_ORDER_PERSISTENT, 1, 5, 1},
        {CLSCAN_CARRY_ADJACENT, CLSCAN_BODY_STRIDED, CLSCAN_ORDER_PERSISTENT, 4, 100, 2},
        {CLSCAN_CARRY_ADJACENT, CLSCAN_BODY_CACHED_ROWS, CLSCAN_ORDER_PERSISTENT, 1, 1,
         3}, /* loads a range before it finishes the last */
        {CLSCAN_CARRY_ADJACENT, CLSCAN_BODY_CACHED_ROWS, CLSCAN_ORDER_PERSISTENT, 1, 50, 1},
        {CLSCAN_CARRY_ADJACENT, CLSCAN_BODY_CACHED_ROWS, CLSCAN_ORDER_DYNAMIC, 1, 1, 2},
        /* The first owner is held, too, so that others have the time to register. */
        {CLSCAN_CARRY_ADJACENT, CLSCAN_BODY_COALESCED, CLSCAN_ORDER_CYCLIC, 1, 1, 1},
        {CLSCAN_CARRY_LOOKBACK, CLSCAN_BODY_STRIDED, CLSCAN_ORDER_STATIC, 1, 3, 3},
        {CLSCAN_CARRY_LOOKBACK, CLSCAN_BODY_MATRIX, CLSCAN_ORDER_DYNAMIC, 1, 1, 2},
        {CLSCAN_CARRY_LOOKBACK, CLSCAN_BODY_COALESCED, CLSCAN_ORDER_PERSISTENT, 1, 100, 2},
        {CLSCAN_CARRY_LOOKBACK, CLSCAN_BODY_CACHED_ROWS, CLSCAN_ORDER_PERSISTENT, 1, 1, 3},
        {CLSCAN_CARRY_LOOKBACK, CLSCAN_BODY_CACHED_ROWS, CLSCAN_ORDER_CYCLIC, 1, 50, 1},
    };
    unsigned failures = 0;

    if (live->info.mechanism == CLSCAN_MECHANISM_NONE)
        skip();
    /* Four apart: both carries, every order, every body. */
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i += test_case_step(live, 2, 4))
        held_owners(live, live->info.mechanism,
                    chained(cases[i].carry, cases[i].body, cases[i].order, cases[i].tiles_per_work_group),
                    CLSCAN_UINT16, cases[i].poll_limit, cases[i].interval, &failures);
    assert_int_equal(failures, 0);
}

/* A case of an operator that does not commute, so that operands out of order show. */
static clscan_case ordered_case(uint64_t count, int in_place, uint64_t seed)
{
    return (clscan_case){.count = count,
                         .in_place = in_place,
                         .initial = (clscan_case_initial)(seed % 3),
                         .total = 1,
                         .generator = CLSCAN_GENERATE_FACTORS,
                         .seed = seed};
}

/* Recomputing must combine in memory order. */
static unsigned in_memory_order(const test_live *live, const clscan_variant *variant, uint32_t interval)
{
    const clscan_sample_operator *affine = clscan_sample_find(CLSCAN_SAMPLE_AFFINE, CLSCAN_UINT32);
    const clscan_plan_options options = {.struct_size = sizeof options,
                                         .variant = variant,
                                         .test_knobs =
                                             &(struct clscan__test_knobs){.poll_limit = 1, .hold_interval = interval},
                                         .count_events = 1};
    const uint64_t range_tiles = variant->tiles_per_work_group > 0 ? variant->tiles_per_work_group : 1;
    const uint64_t count = TILES * clscan_variant_tile_count(variant) * range_tiles;
    unsigned failures = 0;

    for (int reverse = 0; reverse < 2; ++reverse) {
        const clscan_problem problem =
            test_custom_problem(CLSCAN_UINT32, affine, CLSCAN_INCLUSIVE, (clscan_direction)reverse, count);
        clscan_case_fixture fixture;
        test_prepare(live, &problem, affine, &options, &fixture);
        for (uint64_t seed = 0; seed < 20; ++seed) {
            const clscan_case test = ordered_case(count - seed, seed % 2 == 1, seed);
            failures += test_case(&fixture, &test);
        }
        clscan_case_release(&fixture);
    }
    return failures;
}

static void held_owners_in_memory_order(void **state)
{
    const test_live *live = *state;
    const clscan_variant ranges = adjacent(CLSCAN_BODY_STRIDED, CLSCAN_ORDER_DYNAMIC, 2);
    clscan_variant windows = lookback(CLSCAN_BODY_STRIDED, CLSCAN_ORDER_DYNAMIC);
    unsigned failures = 0;

    if (live->info.mechanism == CLSCAN_MECHANISM_NONE)
        skip();
    failures += in_memory_order(live, &ranges, 3);
    /* Windows of eight ranges, where none publishes, and of two, where one does in between. */
    failures += in_memory_order(live, &windows, 1);
    windows.work_group_size = 2;
    failures += in_memory_order(live, &windows, 2);
    assert_int_equal(failures, 0);
}

/* Totals that never come, or come late: whoever needs them recomputes them, in memory order, whatever the distance.
 * Every tile but the last is held where the interval is 1. */
static unsigned past_held_owners(const test_live *live, clscan_carry carry)
{
    const clscan_sample_operator *affine = clscan_sample_find(CLSCAN_SAMPLE_AFFINE, CLSCAN_UINT32);
    static const uint32_t intervals[] = {3, 1};
    unsigned failures = 0;

    /* Of each interval a program is made, which takes half a minute where work-groups persist. */
    for (size_t i = 0; i < sizeof intervals / sizeof intervals[0]; i += test_thorough() ? 1 : 2)
        for (int in_place = 0; in_place < 2; ++in_place) {
            const uint32_t size = by_totals_size(live, carry, in_place);
            const clscan_variant variant = by_totals(carry, size > 0 ? size : TEST_SMALL_WORK_GROUP);
            const clscan_plan_options options = {
                .struct_size = sizeof options,
                .variant = &variant,
                .test_knobs = &(struct clscan__test_knobs){.poll_limit = 1, .hold_interval = intervals[i]},
                .count_events = 1};
            const uint64_t count = TILES * clscan_variant_tile_count(&variant);
            const clscan_problem problem =
                test_custom_problem(CLSCAN_UINT32, affine, CLSCAN_EXCLUSIVE, (clscan_direction)in_place, count);
            clscan_case_fixture fixture;
            clscan_report report = {.struct_size = sizeof report};
            const time_t end = time(NULL) + PATIENCE_S;

            if (size == 0)
                continue;
            test_prepare(live, &problem, affine, &options, &fixture);
            /* It takes two work-groups at once to miss a total: in place, where owners stop, until that was seen. */
            for (uint64_t seed = 0; failures < 10 && (seed < 20 || time(NULL) <= end); ++seed) {
                clscan_case test = ordered_case(count - seed % TILES, in_place, seed);
                test.in_offset = in_place ? 0 : seed % 2;
                failures += test_case(&fixture, &test);
                if (seed + 1 < 20)
                    continue;
                assert_status(CLSCAN_OK, clscan_workspace_report(fixture.workspace, live->queue, &report, NULL), NULL);
                if (!in_place || report.recomputed > 0 || live->info.compute_units == 1)
                    break;
            }
            print_message("every %" PRIu32 ", in place %d: %" PRIu32 " waits, %" PRIu32 " recomputed, %" PRIu32
                          " discarded\n",
                          intervals[i], in_place, report.waits, report.recomputed, report.discarded);
            failures += report.failures != 0;
            if (in_place && live->info.compute_units > 1 && report.recomputed == 0) {
                print_error("nothing was recomputed\n");
                ++failures;
            }
            clscan_case_release(&fixture);
        }
    return failures;
}

static void totals_past_held_owners(void **state)
{
    for (size_t i = 0; i < TOTALS_CARRIES; ++i)
        if (test_takes(i + 1, TOTALS_CARRIES))
            assert_int_equal(past_held_owners(*state, totals_carries[i]), 0);
}

/* One work-group takes the first tile, is held back for as long as in-place owners are, and then has thousands of tiles
 * behind it: far more than a window of its work-items. */
static unsigned over_many_windows(const test_live *live, clscan_carry carry)
{
    const clscan_sample_operator *affine = clscan_sample_find(CLSCAN_SAMPLE_AFFINE, CLSCAN_UINT32);
    const uint32_t size = by_totals_size(live, carry, 1);
    const clscan_variant variant = by_totals(carry, size > 0 ? size : TEST_SMALL_WORK_GROUP);
    const uint64_t count = UINT64_C(4096) * clscan_variant_tile_count(&variant) + 5;
    const clscan_plan_options options = {.struct_size = sizeof options,
                                         .variant = &variant,
                                         .test_knobs = &(struct clscan__test_knobs){.hold_interval = 1500},
                                         .count_events = 1};
    const clscan_problem problem = test_custom_problem(CLSCAN_UINT32, affine, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, count);
    clscan_case_fixture fixture;
    unsigned failures = 0;

    if (size == 0)
        return 0;
    test_prepare(live, &problem, affine, &options, &fixture);
    for (uint64_t seed = 0; seed < 6; ++seed) {
        const clscan_case test = ordered_case(count, 1, seed);
        failures += test_case(&fixture, &test);
    }
    clscan_case_release(&fixture);
    return failures;
}

static void totals_over_many_windows(void **state)
{
    for (size_t i = 0; i < TOTALS_CARRIES; ++i)
        if (test_takes(i + 1, TOTALS_CARRIES))
            assert_int_equal(over_many_windows(*state, totals_carries[i]), 0);
}

/* Sums of 64 bytes, whose operator does not commute: a total is there when all of its words are. */
static unsigned wide_sums(const test_live *live, uint32_t interval, int in_place)
{
    static const clscan_element maps = {.struct_size = sizeof maps,
                                        .name = "maps",
                                        .source = "typedef struct maps { uint8 a, b; } maps;",
                                        .size_bytes = 64,
                                        .align_bytes = 32};
    static const clscan_custom_operator after = {
        .struct_size = sizeof after,
        .source = "maps after(maps l, maps r) { maps s = {l.a * r.a, r.a * l.b + r.b}; return s; }",
        .function = "after"};
    const clscan_problem problem = {
        .struct_size = sizeof problem, .element = &maps, .op = CLSCAN_CUSTOM, .custom = &after};
    const clscan_plan_options options = {
        .test_knobs = &(struct clscan__test_knobs){.poll_limit = interval > 0 ? 1 : 0, .hold_interval = interval},
        .count_events = 1};
    bench b;
    clscan_report report = {.struct_size = sizeof report};
    const time_t end = time(NULL) + PATIENCE_S;
    unsigned failures = 0;

    if (!open_bench_for(&b, live, by_totals(CLSCAN_CARRY_LOOKAHEAD, 32), problem, 64, 5 * TILES, &options)) {
        print_message("no lookahead over structs on this device\n");
        return 0;
    }
    /* It takes two work-groups at once to miss a total: until that was seen. */
    for (uint32_t seed = 1; seed <= 20 || (interval > 0 && report.recomputed == 0 && time(NULL) <= end); ++seed) {
        uint32_t state = seed;

        for (uint64_t i = 0; i < b.count * 16; ++i)
            ((uint32_t *)b.input)[i] = next_random(&state) | (i % 16 < 8);
        memcpy(b.expected, b.input, 64);
        for (uint64_t i = 1; i < b.count; ++i)
            combine_maps(b.expected + (i - 1) * 64, b.input + i * 64, b.expected + i * 64);
        failures += run_once(&b, seed, in_place);
        report = counters(&b);
        if (failures > 5 || live->info.compute_units == 1)
            break;
    }
    print_message("every %" PRIu32 ", in place %d: %" PRIu32 " waits, %" PRIu32 " recomputed\n", interval, in_place,
                  report.waits, report.recomputed);
    failures += report.failures != 0 || (interval > 0 && live->info.compute_units > 1 && report.recomputed == 0);
    close_bench(&b);
    return failures;
}

static void totals_of_wide_sums(void **state)
{
    static const uint32_t intervals[] = {3, 0, 20};

    for (size_t i = 0; i < (test_thorough() ? sizeof intervals / sizeof intervals[0] : 1); ++i)
        for (int in_place = 0; in_place < 2; ++in_place)
            assert_int_equal(wide_sums(*state, intervals[i], in_place), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repeats),
        cmocka_unit_test(repeats_of_persistent_work_groups),
        cmocka_unit_test(repeats_of_registered_work_groups),
        cmocka_unit_test(held_owners_by_every_mechanism),
        cmocka_unit_test(held_owners_of_wide_elements),
        cmocka_unit_test(other_ways_to_hold),
        cmocka_unit_test(held_owners_in_memory_order),
        cmocka_unit_test(repeats_of_lookback),
        cmocka_unit_test(repeats_by_totals),
        cmocka_unit_test(totals_past_held_owners),
        cmocka_unit_test(totals_over_many_windows),
        cmocka_unit_test(totals_of_wide_sums),
    };
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
