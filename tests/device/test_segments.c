/* Segments of the input, each a scan of its own: types, operators and forms with every carry; all ways to say where
 * segments begin; segments of one element, of all, and at the edges of tiles; and what is refused. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "combine.h"
#include "common/test_knobs.h"
#include "live.h"
#include "parsed_variant.h"
#include "segment_cases.h"
#include "segments.h"
#include "variant_sets.h"
#include "variant_walk.h"

enum { MOST_TILES = 5, MOST_VALUE_BYTES = 8 };

typedef struct rig {
    const test_live *live;
    clscan_problem problem;
    clscan_segments segments;
    clscan_reference what;
    clscan_plan *plan;
    clscan_workspace *workspace;
    uint64_t tile;
    uint32_t refused;    /* counts on the device, by now */
    uint32_t recomputed; /* tiles, likewise, of plans that count them */
} rig;

static void set_up_by(const test_live *live, const clscan_problem *problem, const clscan_sample_operator *sample,
                      segment_way how, const clscan_plan_options *options, rig *r)
{
    *r = (rig){.live = live, .problem = *problem, .tile = clscan_variant_tile_count(options->variant)};
    r->segments = (clscan_segments){.struct_size = sizeof r->segments, .by = how.by, .type = how.type};
    r->problem.segments = &r->segments;
    r->problem.max_count = MOST_TILES * r->tile + 3;
    r->what = clscan_reference_of(problem, sample);
    test_plan_create(live, &r->problem, options, &r->plan, &r->workspace);
}

static void set_up(const test_live *live, const clscan_problem *problem, const clscan_sample_operator *sample,
                   segment_way how, const clscan_variant *variant, rig *r)
{
    const clscan_plan_options options = {.struct_size = sizeof options, .variant = variant};

    set_up_by(live, problem, sample, how, &options, r);
}

static void tear_down(rig *r)
{
    clscan_workspace_destroy(r->workspace);
    clscan_plan_destroy(r->plan);
}

/* Every segment's begin, and what makes no difference: empty segments, the end, and offsets that are no elements. */
static size_t say_offsets(const rig *r, const unsigned char *heads, uint64_t count, unsigned char *said)
{
    const clscan_type type = r->segments.type;
    const size_t unit_bytes = clscan_type_size_bytes(type);
    const int64_t others[] = {(int64_t)count, -1, (int64_t)count + 77, INT32_MIN};
    size_t bytes = 0;

    for (uint64_t i = 0; i < count; ++i)
        for (uint64_t times = heads[i] ? 1 + i % 3 / 2 : 0; times > 0 && i > 0; --times, bytes += unit_bytes)
            clscan_value_store(type, clscan_value_from_int(type, (int64_t)i), said + bytes);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i, bytes += unit_bytes)
        clscan_value_store(type, clscan_value_from_int(type, others[i]), said + bytes);
    return bytes;
}

/* The first flag is left out: that a segment begins there goes without saying. Keys change from segment to segment,
 * and return. */
static size_t say(const rig *r, const unsigned char *heads, uint64_t count, unsigned char *said)
{
    const size_t unit_bytes = clscan_type_size_bytes(r->segments.type);
    int64_t key = 0;

    memset(said, 0, (size_t)count * MOST_VALUE_BYTES + 1);
    if (r->segments.by == CLSCAN_BY_OFFSETS)
        return say_offsets(r, heads, count, said);
    for (uint64_t i = 0; i < count; ++i) {
        clscan_value value = clscan_value_from_int(r->segments.type, heads[i] && i > 0 ? (int64_t)(i % 7) + 1 : 0);

        if (heads[i])
            key = (key + 1) % 3;
        if (r->segments.by == CLSCAN_BY_KEYS)
            value = clscan_value_from_int(r->segments.type, key - 1);
        if (r->segments.by == CLSCAN_BY_BITS)
            said[i / 8] |= (unsigned char)((value.bits != 0) << i % 8);
        else
            clscan_value_store(r->segments.type, value, said + i * unit_bytes);
    }
    return r->segments.by == CLSCAN_BY_BITS ? ((size_t)count + 7) / 8 : (size_t)count * unit_bytes;
}

typedef enum start { NO_INITIAL, INITIAL_VALUE, INITIAL_BUFFER } start;

/* Where the count is in device memory, buffers have room for the plan's maximum. */
static unsigned run_case(rig *r, uint64_t count, segment_pattern pattern, bool in_place, start initial)
{
    const bool counted = r->problem.count_bytes > 0;
    const uint64_t most = counted ? r->problem.max_count : count, valid = count <= most ? count : 0;
    const test_live *live = r->live;
    const clscan_type type = r->problem.type, sum_type = clscan_type_accumulator(type);
    const size_t element_bytes = clscan_type_size_bytes(type), sum_bytes = clscan_type_size_bytes(sum_type);
    const size_t bytes = (size_t)most * element_bytes,
                 unit_bytes = r->segments.by == CLSCAN_BY_BITS ? 1 : clscan_type_size_bytes(r->segments.type);
    const clscan_value first[2] = {{.bits = 0}, clscan_value_from_int(type, 3)};
    unsigned char *input = malloc(bytes + 1), *expected = malloc(bytes + 1), *got = malloc(bytes + 1),
                  *heads = malloc((size_t)most + 1), *said = malloc((2 * (size_t)most + 8) * MOST_VALUE_BYTES),
                  starts[16];
    clscan_guarded in, out, begin;
    uint64_t damaged[2] = {0, 0};
    cl_mem start_buffer, count_buffer = NULL;
    clscan_run_args args = {.struct_size = sizeof args, .count = most};
    clscan_report report = {.struct_size = sizeof report};
    clscan_error error = {0};
    unsigned wrong = 0;
    size_t said_bytes;

    assert_true(input != NULL && expected != NULL && got != NULL && heads != NULL && said != NULL);
    segment_input(&r->what, most, input);
    for (uint64_t i = 0; i < most; ++i)
        heads[i] = i == 0 || segment_begins(pattern, r->tile, i);
    said_bytes = say(r, heads, most, said);
    memcpy(starts, &first[0], sum_bytes);
    memcpy(starts + sum_bytes, &first[1], sum_bytes);
    start_buffer = test_buffer(live, CL_MEM_READ_WRITE, 2 * sum_bytes, starts);
    args.in = segment_guarded(live, input, most, element_bytes, &in);
    args.out = in_place ? args.in : segment_guarded(live, NULL, most, element_bytes, &out);
    args.segments = segment_guarded(live, said, said_bytes / unit_bytes, unit_bytes, &begin);
    if (r->segments.by == CLSCAN_BY_OFFSETS)
        args.offset_count = said_bytes / unit_bytes;
    if (initial == INITIAL_VALUE)
        args.initial = (clscan_memory){.kind = CLSCAN_MEMORY_HOST, .pointer = &first[1]};
    else if (initial == INITIAL_BUFFER)
        args.initial = (clscan_memory){.buffer = start_buffer, .offset = 1};
    if (counted) {
        count_buffer = test_count(live, count, r->problem.count_bytes);
        args.device_count = (clscan_memory){.buffer = count_buffer, .offset = 1};
    }
    assert_status(CLSCAN_OK, clscan_run(r->plan, r->workspace, live->queue, &args, 0, NULL, NULL, &error), &error);
    assert_int_equal(clscan_guarded_read(in_place ? &in : &out, live->queue, got, &damaged[0], NULL), CLSCAN_OK);
    assert_int_equal(clscan_guarded_unchanged(&begin, live->queue, &damaged[1], NULL), CLSCAN_OK);
    memcpy(expected, (in_place ? &in : &out)->image, bytes);
    assert_int_equal(clscan_reference_scan_segments(&r->what, input, valid, heads,
                                                    initial != NO_INITIAL ? &first[1] : NULL, expected, NULL),
                     CLSCAN_OK);
    for (uint64_t i = 0; i < valid; ++i)
        wrong += !clscan_reference_same(type, r->problem.op, expected + i * element_bytes, got + i * element_bytes);
    wrong += memcmp(expected + valid * element_bytes, got + valid * element_bytes,
                    (size_t)(most - valid) * element_bytes) != 0;
    r->refused += count > most;
    assert_int_equal(clscan_workspace_report(r->workspace, live->queue, &report, NULL), CLSCAN_OK);
    wrong += report.refused_counts != r->refused || report.failures > 0;
    r->recomputed = report.recomputed;
    if (wrong > 0 || damaged[0] != UINT64_MAX || damaged[1] != UINT64_MAX)
        print_error("count %llu, pattern %u, in place %d, initial %d: %u differ, guards %d %d\n",
                    (unsigned long long)count, pattern, in_place, (int)initial, wrong, damaged[0] != UINT64_MAX,
                    damaged[1] != UINT64_MAX);
    clscan_guarded_destroy(&in);
    if (!in_place)
        clscan_guarded_destroy(&out);
    clscan_guarded_destroy(&begin);
    clReleaseMemObject(start_buffer);
    if (counted)
        clReleaseMemObject(count_buffer);
    free(input);
    free(expected);
    free(got);
    free(heads);
    free(said);
    return wrong > 0 || damaged[0] != UINT64_MAX || damaged[1] != UINT64_MAX;
}

/* Every pattern at every size, in place and with initial values by turns. */
static unsigned run_sizes(rig *r)
{
    const uint64_t tile = r->tile;
    const uint64_t counts[] = {0, 1, 2, tile - 1, tile, tile + 1, 3 * tile, MOST_TILES * tile + 3};
    const bool needs_initial =
        r->problem.form == CLSCAN_EXCLUSIVE && r->what.combine != NULL && r->what.identity == NULL;
    unsigned failures = 0, turn = 0;

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i)
        for (unsigned pattern = 0; pattern < PATTERN_COUNT; ++pattern, ++turn)
            failures += run_case(r, counts[i], pattern, turn % 2 == 1,
                                 turn % 3 == 0 && needs_initial ? INITIAL_VALUE : (start)(turn % 3));
    return failures;
}

static const segment_way ways[] = {{CLSCAN_BY_FLAGS, CLSCAN_UINT8},   {CLSCAN_BY_BITS, 0},
                                   {CLSCAN_BY_KEYS, CLSCAN_INT32},    {CLSCAN_BY_OFFSETS, CLSCAN_UINT32},
                                   {CLSCAN_BY_OFFSETS, CLSCAN_INT64}, {CLSCAN_BY_FLAGS, CLSCAN_INT32},
                                   {CLSCAN_BY_KEYS, CLSCAN_HALF},     {CLSCAN_BY_FLAGS, CLSCAN_UINT64},
                                   {CLSCAN_BY_OFFSETS, CLSCAN_INT32}, {CLSCAN_BY_OFFSETS, CLSCAN_UINT64}};

static const struct {
    clscan_type type;
    clscan_operator op;
    clscan_sample sample; /* of CLSCAN_CUSTOM */
} operands[] = {{CLSCAN_INT32, CLSCAN_ADD, 0},  {CLSCAN_UINT32, CLSCAN_CUSTOM, CLSCAN_SAMPLE_AFFINE},
                {CLSCAN_FLOAT, CLSCAN_ADD, 0},  {CLSCAN_UINT8, CLSCAN_ADD, 0},
                {CLSCAN_DOUBLE, CLSCAN_MAX, 0}, {CLSCAN_INT32, CLSCAN_CUSTOM, CLSCAN_SAMPLE_TAKE_LEFT},
                {CLSCAN_HALF, CLSCAN_ADD, 0},   {CLSCAN_INT16, CLSCAN_MUL, 0}, /* the rest where tests are thorough */
                {CLSCAN_UINT64, CLSCAN_XOR, 0}};

/* Each pair of operands in each form and direction with another carry, and another way to say where segments begin. */
static void every_form(void **state)
{
    const test_live *live = *state;
    const size_t operand_count = sizeof operands / sizeof operands[0], way_count = sizeof ways / sizeof ways[0];
    test_variants list = test_representatives(CLSCAN_INT32, 16, 2, &live->info);
    unsigned failures = 0, run = 0;

    test_keep_new_axes(&list, TEST_EACH_VALUE);
    for (size_t i = 0, next = 0; i < 4 * operand_count; ++i) {
        const size_t at = i % operand_count, turn = i / operand_count + i;
        const clscan_form form = turn % 2 == 0 ? CLSCAN_INCLUSIVE : CLSCAN_EXCLUSIVE;
        const clscan_direction direction = turn / 2 % 2 == 0 ? CLSCAN_FORWARD : CLSCAN_REVERSE;
        const clscan_sample_operator *sample =
            operands[at].op == CLSCAN_CUSTOM ? clscan_sample_find(operands[at].sample, operands[at].type) : NULL;
        clscan_problem problem = test_sample_problem(operands[at].type, operands[at].op, sample, form, direction, 1);
        const clscan_segments segments = {.struct_size = sizeof segments};
        const clscan_variant *variant;
        unsigned failed;
        rig r;

        if (!test_type_runs(live, operands[at].type) || !test_takes(i, 8))
            continue;
        problem.segments = &segments;
        variant = test_next_legal(&list, &next, &problem, 1, &live->info);
        assert_non_null(variant);
        set_up(live, &problem, sample, ways[i % way_count], variant, &r);
        failed = run_sizes(&r);
        if (failed > 0)
            print_error("above: %s of %s, form %d, direction %d, by %s of %s, carry %u, body %u\n",
                        clscan_operator_name(problem.op), clscan_type_name(problem.type), (int)form, (int)direction,
                        clscan_segments_by_name(r.segments.by), clscan_type_name(r.segments.type), variant->carry,
                        variant->body);
        failures += failed;
        ++run;
        tear_down(&r);
    }
    free(list.items);
    assert_int_equal(failures, 0);
    assert_true(run > 0);
}

static unsigned run_way(const test_live *live, const clscan_problem *problem, const clscan_sample_operator *sample,
                        segment_way how, const clscan_plan_options *options, unsigned *recomputed)
{
    unsigned failures;
    rig r;

    set_up_by(live, problem, sample, how, options, &r);
    failures = run_sizes(&r);
    *recomputed += r.recomputed;
    tear_down(&r);
    return failures;
}

static unsigned run_spent_waits(const test_live *live, const clscan_plan_options *options, unsigned *recomputed)
{
    return segment_spent_waits(live, options, run_way, recomputed);
}

/* Owners that are held back: those behind recompute their tiles, and segments begin where they began. */
static void after_spent_waits(void **state)
{
    const clscan_segments segments = {.struct_size = sizeof segments, .type = CLSCAN_UINT8};
    clscan_problem problem = segment_ordered_problem();

    problem.segments = &segments;
    test_spent_waits(*state, &problem, run_spent_waits);
}

/* Body cached_rows where tiles wait for their totals. */
static const char waiting_rows[] =
    "cached_rows+brent_kung+adjacent+persistent work_group_size=1 vector_length=4 cached_pieces=8 interleaved_rows=1 "
    "streaming_stores=1 work_groups_per_unit=1 tiles_per_work_group=1 poll_delay=16";

/* Body cached_rows scans whole vectors at once where it can: with each length, size of elements and way to say where
 * segments begin, in each form and direction. */
static void whole_vectors(void **state)
{
    static const struct {
        clscan_type type;
        clscan_operator op;
        segment_way how;
    } cases[] = {
        {CLSCAN_INT32, CLSCAN_ADD, {CLSCAN_BY_FLAGS, CLSCAN_UINT8}},
        {CLSCAN_FLOAT, CLSCAN_ADD, {CLSCAN_BY_KEYS, CLSCAN_INT64}},
        {CLSCAN_UINT8, CLSCAN_MAX, {CLSCAN_BY_BITS, 0}},
        {CLSCAN_INT64, CLSCAN_MIN, {CLSCAN_BY_FLAGS, CLSCAN_UINT16}},
        {CLSCAN_INT16, CLSCAN_MUL, {CLSCAN_BY_OFFSETS, CLSCAN_UINT32}},
        {CLSCAN_UINT8, CLSCAN_XOR, {CLSCAN_BY_FLAGS, CLSCAN_INT64}},
        {CLSCAN_DOUBLE, CLSCAN_ADD, {CLSCAN_BY_KEYS, CLSCAN_UINT8}},
        {CLSCAN_UINT32, CLSCAN_OR, {CLSCAN_BY_KEYS, CLSCAN_HALF}},
        {CLSCAN_INT8, CLSCAN_AND, {CLSCAN_BY_KEYS, CLSCAN_FLOAT}},
        {CLSCAN_UINT64, CLSCAN_ADD, {CLSCAN_BY_BITS, 0}},
    };
    static const uint32_t lengths[] = {16, 8, 4};
    enum { CASES = sizeof cases / sizeof cases[0], LENGTHS = sizeof lengths / sizeof lengths[0], AXES = 4 };
    const test_live *live = *state;
    unsigned failures = 0;

    for (unsigned i = 0; i < CASES * AXES; ++i) {
        const unsigned at = i % CASES, axes = i + i / CASES;
        const clscan_form form = axes % 2 == 0 ? CLSCAN_INCLUSIVE : CLSCAN_EXCLUSIVE;
        const clscan_direction direction = axes / 2 % 2 == 0 ? CLSCAN_FORWARD : CLSCAN_REVERSE;
        const clscan_problem problem = test_problem(cases[at].type, cases[at].op, form, direction, 1);
        clscan_variant variant = parsed_variant(
            i % 3 == 0 ? "cached_rows+brent_kung+single work_group_size=1 vector_length=4 cached_pieces=4 "
                         "interleaved_rows=2 streaming_stores=1"
                       : waiting_rows);
        unsigned failed;
        rig r;

        variant.vector_length = lengths[(i + i / LENGTHS) % LENGTHS];
        if (!test_takes(i, 7) || !test_type_runs(live, cases[at].type) ||
            clscan_variant_check(&variant, &problem, 1, &live->info, NULL) != CLSCAN_OK)
            continue;
        set_up(live, &problem, NULL, cases[at].how, &variant, &r);
        failed = run_sizes(&r);
        if (failed > 0)
            print_error("above: %s of %s by %s of %s, form %d, direction %d, vectors of %u\n",
                        clscan_operator_name(problem.op), clscan_type_name(problem.type),
                        clscan_segments_by_name(r.segments.by), clscan_type_name(r.segments.type), (int)form,
                        (int)direction, (unsigned)variant.vector_length);
        failures += failed;
        tear_down(&r);
    }
    assert_int_equal(failures, 0);
}

/* A variant whose tiles land, with these parameters of a tile. */
static clscan_variant landing_variant(const char *tile)
{
    char text[256];

    snprintf(text, sizeof text,
             "subgroup_rows+subgroup+lookahead+persistent %s local_pieces=0 work_groups_per_unit=2 poll_delay=0 "
             "landing_zones=1",
             tile);
    return parsed_variant(text);
}

/* Tiles that land as they are, with bits beside them that are read in words: types by size, in each form and direction,
 * lanes of several words among them. Elsewhere tests choose such variants by chance. */
static void landed_tiles(void **state)
{
    static const struct {
        clscan_type type;
        clscan_operator op;
        clscan_sample sample; /* of CLSCAN_CUSTOM */
        segment_way how;
        const char *tile;
    } cases[] = {
        {CLSCAN_INT32, CLSCAN_ADD, 0, {CLSCAN_BY_BITS, 0}, "work_group_size=64 vector_length=4 register_pieces=1"},
        {CLSCAN_FLOAT, CLSCAN_MAX, 0, {CLSCAN_BY_BITS, 0}, "work_group_size=96 vector_length=4 register_pieces=3"},
        {CLSCAN_INT64,
         CLSCAN_ADD,
         0,
         {CLSCAN_BY_OFFSETS, CLSCAN_UINT32},
         "work_group_size=64 vector_length=2 register_pieces=5"},
        {CLSCAN_INT16,
         CLSCAN_MIN,
         0,
         {CLSCAN_BY_OFFSETS, CLSCAN_INT64},
         "work_group_size=64 vector_length=8 register_pieces=5"},
        {CLSCAN_UINT8, CLSCAN_ADD, 0, {CLSCAN_BY_BITS, 0}, "work_group_size=64 vector_length=16 register_pieces=7"},
        {CLSCAN_HALF,
         CLSCAN_ADD,
         0,
         {CLSCAN_BY_OFFSETS, CLSCAN_UINT32},
         "work_group_size=64 vector_length=8 register_pieces=4"},
        {CLSCAN_UINT32,
         CLSCAN_CUSTOM,
         CLSCAN_SAMPLE_AFFINE,
         {CLSCAN_BY_OFFSETS, CLSCAN_UINT32},
         "work_group_size=64 vector_length=4 register_pieces=9"},
        {CLSCAN_INT32,
         CLSCAN_CUSTOM,
         CLSCAN_SAMPLE_TAKE_LEFT,
         {CLSCAN_BY_BITS, 0},
         "work_group_size=64 vector_length=4 register_pieces=8"},
    };
    enum { CASES = sizeof cases / sizeof cases[0], AXES = 4 };
    const test_live *live = *state;
    unsigned failures = 0, run = 0;

    for (unsigned i = 0; i < CASES * AXES; ++i) {
        const unsigned at = i % CASES, axes = i / CASES;
        const clscan_form form = axes % 2 == 0 ? CLSCAN_INCLUSIVE : CLSCAN_EXCLUSIVE;
        const clscan_direction direction = axes / 2 == 0 ? CLSCAN_FORWARD : CLSCAN_REVERSE;
        const clscan_sample_operator *sample =
            cases[at].op == CLSCAN_CUSTOM ? clscan_sample_find(cases[at].sample, cases[at].type) : NULL;
        const clscan_segments segments = {
            .struct_size = sizeof segments, .by = cases[at].how.by, .type = cases[at].how.type};
        clscan_problem problem = test_sample_problem(cases[at].type, cases[at].op, sample, form, direction, 1);
        const clscan_variant variant = landing_variant(cases[at].tile);
        unsigned failed;
        rig r;

        problem.segments = &segments;
        if (!test_type_runs(live, cases[at].type) ||
            clscan_variant_check(&variant, &problem, 1, &live->info, NULL) != CLSCAN_OK)
            continue;
        set_up(live, &problem, sample, cases[at].how, &variant, &r);
        failed = run_sizes(&r);
        if (failed > 0)
            print_error("above: %s of %s by %s, form %d, direction %d, %s\n", clscan_operator_name(problem.op),
                        clscan_type_name(problem.type), clscan_segments_by_name(r.segments.by), (int)form,
                        (int)direction, cases[at].tile);
        failures += failed;
        ++run;
        tear_down(&r);
    }
    assert_int_equal(failures, 0);
    if (run == 0)
        skip();
}

/* Flags and keys that become marks before the scan, as on GPUs those of many elements do: of each size, in each form
 * and direction, from any place of their buffer on, also where the count is in device memory. */
static void flags_and_keys_as_marks(void **state)
{
    static const struct {
        segment_way how;
        clscan_type type;
        const char *landed; /* a tile that lands with marks beside it */
    } cases[] = {
        {{CLSCAN_BY_FLAGS, CLSCAN_UINT8}, CLSCAN_INT64, "work_group_size=64 vector_length=2 register_pieces=5"},
        {{CLSCAN_BY_FLAGS, CLSCAN_INT16}, CLSCAN_UINT8, "work_group_size=64 vector_length=16 register_pieces=3"},
        {{CLSCAN_BY_FLAGS, CLSCAN_UINT32}, CLSCAN_INT16, "work_group_size=64 vector_length=8 register_pieces=3"},
        {{CLSCAN_BY_FLAGS, CLSCAN_INT64}, CLSCAN_INT32, "work_group_size=64 vector_length=4 register_pieces=3"},
        {{CLSCAN_BY_KEYS, CLSCAN_INT8}, CLSCAN_DOUBLE, "work_group_size=64 vector_length=2 register_pieces=3"},
        {{CLSCAN_BY_KEYS, CLSCAN_UINT16}, CLSCAN_UINT8, "work_group_size=64 vector_length=16 register_pieces=7"},
        {{CLSCAN_BY_KEYS, CLSCAN_FLOAT}, CLSCAN_INT64, "work_group_size=96 vector_length=2 register_pieces=4"},
        {{CLSCAN_BY_KEYS, CLSCAN_INT64}, CLSCAN_HALF, "work_group_size=64 vector_length=8 register_pieces=4"},
    };
    enum { CASES = sizeof cases / sizeof cases[0], AXES = 4 };
    const test_live *live = *state;
    const struct clscan__test_knobs knobs = {.marked_count = 1};
    test_variants list = test_representatives(CLSCAN_INT32, 16, 2, &live->info);
    unsigned failures = 0;

    test_keep_new_axes(&list, TEST_EACH_VALUE);
    for (size_t i = 0, next = 0; i < CASES * AXES; ++i) {
        const size_t at = i % CASES, turn = at + i / CASES;
        const clscan_form form = turn % 2 == 0 ? CLSCAN_INCLUSIVE : CLSCAN_EXCLUSIVE;
        const clscan_direction direction = turn / 2 % 2 == 0 ? CLSCAN_FORWARD : CLSCAN_REVERSE;
        const clscan_segments by_marks = {
            .struct_size = sizeof by_marks, .by = CLSCAN_BY_OFFSETS, .type = CLSCAN_UINT32};
        clscan_problem problem = test_problem(cases[at].type, CLSCAN_ADD, form, direction, 1);
        const clscan_variant landed = landing_variant(cases[at].landed);
        clscan_plan_options options = {.struct_size = sizeof options, .variant = &landed, .test_knobs = &knobs};
        unsigned failed;
        rig r;

        if (!test_takes(i, 9) || !test_type_runs(live, cases[at].type))
            continue;
        problem.segments = &by_marks;
        problem.count_bytes = i % 3 == 0 ? 4 : 0;
        if (clscan_variant_check(&landed, &problem, 1, &live->info, NULL) != CLSCAN_OK)
            options.variant = test_next_legal(&list, &next, &problem, 1, &live->info);
        assert_non_null(options.variant);
        set_up_by(live, &problem, NULL, cases[at].how, &options, &r);
        failed = run_sizes(&r);
        if (failed > 0)
            print_error("above: %s by %s of %s, form %d, direction %d, %s\n", clscan_type_name(problem.type),
                        clscan_segments_by_name(r.segments.by), clscan_type_name(r.segments.type), (int)form,
                        (int)direction, cases[at].landed);
        failures += failed;
        tear_down(&r);
    }
    free(list.items);
    assert_int_equal(failures, 0);
}

/* Body cached_rows with an operator that neither lanes nor another order serve: tiles that end in vectors in which no
 * segment begins, whose totals are looked for from behind. */
static void ordered_vectors(void **state)
{
    static const segment_way how[] = {{CLSCAN_BY_BITS, 0}, {CLSCAN_BY_KEYS, CLSCAN_INT32}};
    const test_live *live = *state;
    const clscan_sample_operator *sample = clscan_sample_find(CLSCAN_SAMPLE_AFFINE, CLSCAN_UINT32);
    const clscan_variant variant = parsed_variant(waiting_rows);
    unsigned failures = 0;

    for (unsigned i = 0; i < 4; ++i) {
        clscan_problem problem = segment_ordered_problem();
        rig r;

        problem.form = i % 2 == 0 ? CLSCAN_INCLUSIVE : CLSCAN_EXCLUSIVE;
        problem.direction = i / 2 == 0 ? CLSCAN_FORWARD : CLSCAN_REVERSE;
        if (clscan_variant_check(&variant, &problem, 1, &live->info, NULL) != CLSCAN_OK)
            skip();
        set_up(live, &problem, sample, how[(i + i / 2) % 2], &variant, &r);
        failures += run_sizes(&r);
        tear_down(&r);
    }
    assert_int_equal(failures, 0);
}

/* The count in device memory, of all that there is room for and more, by each way with another carry. */
static void counts_on_the_device(void **state)
{
    const test_live *live = *state;
    test_variants list = test_representatives(CLSCAN_INT32, 16, 2, &live->info);
    unsigned failures = 0;

    test_keep_new_axes(&list, TEST_EACH_VALUE);
    for (size_t i = 0, next = 3; i < sizeof ways / sizeof ways[0]; ++i) {
        const clscan_form form = i % 2 == 0 ? CLSCAN_INCLUSIVE : CLSCAN_EXCLUSIVE;
        const clscan_direction direction = i / 2 % 2 == 0 ? CLSCAN_FORWARD : CLSCAN_REVERSE;
        clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, form, direction, 1);
        const clscan_segments segments = {.struct_size = sizeof segments};
        const segment_way how = ways[i % (sizeof ways / sizeof ways[0])];
        const clscan_variant *variant;
        unsigned failed = 0, turn = 0;
        rig r;

        if (!test_takes(i, 8) || !test_type_runs(live, how.type))
            continue;
        problem.segments = &segments;
        problem.count_bytes = i % 3 == 0 ? 8 : 4;
        variant = test_next_legal(&list, &next, &problem, 1, &live->info);
        assert_non_null(variant);
        set_up(live, &problem, NULL, how, variant, &r);
        {
            const uint64_t tile = r.tile, most = r.problem.max_count;
            const uint64_t counts[] = {0, 1, tile - 1, tile, tile + 1, 3 * tile, most - 1, most, most + 1, UINT32_MAX};

            for (size_t c = 0; c < sizeof counts / sizeof counts[0]; ++c, ++turn)
                failed += run_case(&r, counts[c], (segment_pattern)((turn + i) % PATTERN_COUNT), turn % 2 == 1,
                                   (start)(turn % 3));
        }
        if (failed > 0)
            print_error("above: by %s of %s, carry %u, body %u\n", clscan_segments_by_name(how.by),
                        clscan_type_name(how.type), variant->carry, variant->body);
        failures += failed;
        tear_down(&r);
    }
    free(list.items);
    assert_int_equal(failures, 0);
}

/* Each NaN is a segment of its own, and zeros of both signs are one key. Sums of ones count within segments. */
static void keys_that_compare(void **state)
{
    const test_live *live = *state;
    const clscan_segments segments = {.struct_size = sizeof segments, .by = CLSCAN_BY_KEYS, .type = CLSCAN_FLOAT};
    const float keys[8] = {0.0f, -0.0f, NAN, NAN, INFINITY, INFINITY, -INFINITY, 0.0f};
    const int32_t ones[8] = {1, 1, 1, 1, 1, 1, 1, 1}, expected[8] = {1, 2, 1, 1, 1, 2, 1, 1};
    clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 8);
    clscan_run_args args = {.struct_size = sizeof args, .count = 8};
    clscan_plan *plan = NULL;
    clscan_workspace *workspace = NULL;
    int32_t got[8];

    problem.segments = &segments;
    args.in.buffer = test_buffer(live, CL_MEM_READ_WRITE, sizeof ones, ones);
    args.out = args.in;
    args.segments.buffer = test_buffer(live, CL_MEM_READ_ONLY, sizeof keys, keys);
    test_plan_create(live, &problem, NULL, &plan, &workspace);
    assert_int_equal(clscan_run(plan, workspace, live->queue, &args, 0, NULL, NULL, NULL), CLSCAN_OK);
    test_read(live, args.out.buffer, sizeof got, got);
    for (size_t i = 0; i < 8; ++i)
        assert_int_equal(got[i], expected[i]);
    clscan_workspace_destroy(workspace);
    clscan_plan_destroy(plan);
    clReleaseMemObject(args.in.buffer);
    clReleaseMemObject(args.segments.buffer);
}

enum { LENGTH = 7, ELEMENTS = 300 };

/* A run of ELEMENTS whose segments have LENGTH elements but for the last one, by a plan of its own. */
static void run_lengths(const test_live *live, clscan_problem problem, clscan_run_args args)
{
    static const clscan_segments segments = {
        .struct_size = sizeof segments, .by = CLSCAN_BY_FLAGS, .type = CLSCAN_UINT8};
    unsigned char flags[ELEMENTS];
    clscan_plan *plan = NULL;
    clscan_workspace *workspace = NULL;
    clscan_error error = {0};

    for (size_t i = 0; i < ELEMENTS; ++i)
        flags[i] = i % LENGTH == 0;
    problem.segments = &segments;
    problem.max_count = ELEMENTS;
    args.count = ELEMENTS;
    args.segments.buffer = test_buffer(live, CL_MEM_READ_ONLY, sizeof flags, flags);
    test_plan_create(live, &problem, NULL, &plan, &workspace);
    assert_status(CLSCAN_OK, clscan_run(plan, workspace, live->queue, &args, 0, NULL, NULL, &error), &error);
    assert_cl(clFinish(live->queue));
    clscan_workspace_destroy(workspace);
    clscan_plan_destroy(plan);
    clReleaseMemObject(args.segments.buffer);
}

/* Exclusive and in reverse, with an initial value that is a struct, too. */
static void structs(void **state)
{
    static const clscan_element affine = {.struct_size = sizeof affine,
                                          .name = "affine",
                                          .source = "typedef struct affine { uint a, b; } affine;",
                                          .size_bytes = 8,
                                          .align_bytes = 4};
    static const clscan_custom_operator then = {
        .struct_size = sizeof then,
        .source = "affine before(affine left, affine right)\n{\n"
                  "    affine both = {left.a * right.a, right.a * left.b + right.b};\n    return both;\n}\n",
        .function = "before"};
    const test_live *live = *state;
    const clscan_problem problem = {.struct_size = sizeof problem,
                                    .element = &affine,
                                    .op = CLSCAN_CUSTOM,
                                    .custom = &then,
                                    .form = CLSCAN_EXCLUSIVE,
                                    .direction = CLSCAN_REVERSE};
    const uint32_t first[2] = {3, 5};
    uint32_t data[ELEMENTS][2], got[ELEMENTS][2], sum[2] = {0, 0};
    clscan_run_args args = {.struct_size = sizeof args, .initial = {.kind = CLSCAN_MEMORY_HOST, .pointer = first}};

    for (uint32_t i = 0; i < ELEMENTS; ++i) {
        data[i][0] = 2 * i + 1;
        data[i][1] = 7 * i;
    }
    args.in.buffer = test_buffer(live, CL_MEM_READ_WRITE, sizeof data, data);
    args.out = args.in;
    run_lengths(live, problem, args);
    test_read(live, args.out.buffer, sizeof got, got);
    for (size_t i = ELEMENTS; i-- > 0;) {
        if (i + 1 == ELEMENTS || (i + 1) % LENGTH == 0)
            memcpy(sum, first, sizeof sum);
        assert_memory_equal(got[i], sum, sizeof sum);
        combine_affine(data[i], sum, sum);
    }
    clReleaseMemObject(args.in.buffer);
}

/* The caller's maps and arguments beside the library's own: `previous` begins anew with each segment. */
static void maps(void **state)
{
    static const clscan_map_argument factors = {
        .struct_size = sizeof factors, .name = "factors", .type = CLSCAN_INT32, .is_buffer = 1, .count = ELEMENTS};
    static const clscan_map_argument scale = {.struct_size = sizeof scale, .name = "scale", .type = CLSCAN_INT64};
    static const clscan_map load = {.struct_size = sizeof load,
                                    .expression = "(long)element * factors[index]",
                                    .arguments = &factors,
                                    .argument_count = 1};
    static const clscan_map store = {.struct_size = sizeof store,
                                     .expression = "sum * scale + previous + element",
                                     .arguments = &scale,
                                     .argument_count = 1};
    static const clscan_element wide = {.struct_size = sizeof wide, .type = CLSCAN_INT64};
    const test_live *live = *state;
    const clscan_problem problem = {
        .struct_size = sizeof problem, .type = CLSCAN_INT32, .output = &wide, .load = &load, .store = &store};
    const int64_t thousand = 1000, starts[2] = {0, 5};
    int32_t data[ELEMENTS], table[ELEMENTS];

    for (int32_t i = 0; i < ELEMENTS; ++i) {
        data[i] = i % 13 - 6;
        table[i] = i % 5;
    }
    for (size_t has_initial = 0; has_initial < 2; ++has_initial) {
        const clscan_memory arguments[] = {{.buffer = test_buffer(live, CL_MEM_READ_ONLY, sizeof table, table)},
                                           {.kind = CLSCAN_MEMORY_HOST, .pointer = &thousand}};
        const clscan_run_args args = {
            .struct_size = sizeof args,
            .in.buffer = test_buffer(live, CL_MEM_READ_ONLY, sizeof data, data),
            .out.buffer = test_buffer(live, CL_MEM_READ_WRITE, ELEMENTS * sizeof(int64_t), NULL),
            .initial = {.kind = CLSCAN_MEMORY_HOST, .pointer = has_initial ? &starts[1] : NULL},
            .map_arguments = arguments,
            .map_argument_count = 2};
        clscan_run_args given = args;
        int64_t got[ELEMENTS], sum = 0;

        if (!has_initial)
            given.initial = (clscan_memory){.buffer = NULL};
        run_lengths(live, problem, given);
        test_read(live, args.out.buffer, sizeof got, got);
        for (size_t i = 0; i < ELEMENTS; ++i) {
            const int64_t previous = i % LENGTH == 0 ? starts[has_initial] : sum;

            sum = previous + (int64_t)data[i] * table[i];
            assert_int_equal(got[i], sum * thousand + previous + data[i]);
        }
        clReleaseMemObject(arguments[0].buffer);
        clReleaseMemObject(args.in.buffer);
        clReleaseMemObject(args.out.buffer);
    }
}

static void refused_plans(void **state)
{
    const test_live *live = *state;
    const clscan_problem plain = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 100);
    const clscan_segments good = {.struct_size = sizeof good},
                          rest[] = {{.struct_size = sizeof good, .by = CLSCAN_SEGMENTS_BY_COUNT},
                                    {.struct_size = sizeof good, .by = CLSCAN_BY_FLAGS, .type = CLSCAN_TYPE_COUNT},
                                    {.struct_size = sizeof good, .by = CLSCAN_BY_FLAGS, .type = CLSCAN_FLOAT},
                                    {.struct_size = sizeof good, .by = CLSCAN_BY_BITS, .type = CLSCAN_UINT8},
                                    {.struct_size = sizeof good, .by = CLSCAN_BY_OFFSETS, .type = CLSCAN_UINT16},
                                    {.struct_size = sizeof good, .by = CLSCAN_BY_OFFSETS, .type = CLSCAN_DOUBLE},
                                    {.struct_size = 1}};
    const clscan_status expected[] = {CLSCAN_ERROR_INVALID_VALUE,    CLSCAN_ERROR_INVALID_VALUE,
                                      CLSCAN_ERROR_UNSUPPORTED_TYPE, CLSCAN_ERROR_INVALID_VALUE,
                                      CLSCAN_ERROR_UNSUPPORTED_TYPE, CLSCAN_ERROR_UNSUPPORTED_TYPE,
                                      CLSCAN_ERROR_STRUCT_SIZE};
    const clscan_rows rows = {.struct_size = sizeof rows, .count = 3};
    const clscan_element wide = {.struct_size = sizeof wide, .type = CLSCAN_FLOAT, .lanes = 16};
    const clscan_segments with_sums = {.struct_size = sizeof with_sums, .sums = 1};
    const clscan_select lengths = {.struct_size = sizeof lengths, .length_bytes = 4};
    clscan_problem others[6];
    clscan_plan *plan = NULL;

    for (size_t i = 0; i < sizeof rest / sizeof rest[0]; ++i) {
        clscan_problem problem = plain;

        problem.segments = &rest[i];
        assert_int_equal(clscan_plan_create(live->context, live->device, &problem, NULL, &plan, NULL), expected[i]);
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
        others[i] = plain;
        others[i].segments = &good;
    }
    others[0].operation = CLSCAN_SELECT;
    others[1].rows = &rows;
    others[2].type = CLSCAN_FLOAT;
    others[2].reproducible = 1;
    others[3].element = &wide;
    others[4].operation = CLSCAN_SELECT;
    others[4].segments = &with_sums;
    others[5].operation = CLSCAN_REPEAT;
    others[5].segments = &with_sums;
    others[5].select = &lengths;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
        clscan_error error = {0};

        assert_int_not_equal(clscan_plan_create(live->context, live->device, &others[i], NULL, &plan, &error),
                             CLSCAN_OK);
        assert_non_null(strstr(error.message, "problem->segments"));
    }
}

/* What the caller wrote is at fault, and not what the library wrote around it. */
static void mistakes_in_sources(void **state)
{
    static const clscan_segments segments = {.struct_size = sizeof segments};
    static const clscan_map load = {.struct_size = sizeof load, .expression = "missing(element)"};
    static const clscan_map store = {.struct_size = sizeof store, .expression = "previous + missing"};
    static const clscan_custom_operator wrong = {
        .struct_size = sizeof wrong, .source = "int wrong(int a, int b) { return a + missing; }", .function = "wrong"};
    const test_live *live = *state;
    const clscan_problem plain = {
        .struct_size = sizeof plain, .type = CLSCAN_INT32, .max_count = 100, .segments = &segments};
    const clscan_status expected[] = {CLSCAN_ERROR_MAP_SOURCE, CLSCAN_ERROR_MAP_SOURCE, CLSCAN_ERROR_OPERATOR_SOURCE};
    clscan_problem problems[] = {plain, plain, plain};
    clscan_plan *plan = NULL;

    problems[0].load = &load;
    problems[1].store = &store;
    problems[2].op = CLSCAN_CUSTOM;
    problems[2].custom = &wrong;
    for (size_t i = 0; i < sizeof problems / sizeof problems[0]; ++i) {
        clscan_error error = {0};

        assert_status(expected[i], clscan_plan_create(live->context, live->device, &problems[i], NULL, &plan, &error),
                      &error);
        assert_non_null(strstr(error.build_log, "missing"));
    }
}

/* Errors name the argument. */
static void expect(const rig *r, const clscan_run_args *args, clscan_status expected, const char *culprit)
{
    clscan_error error = {0};

    assert_status(expected, clscan_run(r->plan, r->workspace, r->live->queue, args, 0, NULL, NULL, &error), &error);
    assert_non_null(strstr(error.message, culprit));
}

static void refused_runs(void **state)
{
    const test_live *live = *state;
    const test_variants list = test_representatives(CLSCAN_INT32, 16, 2, &live->info);
    const clscan_variant variant = list.items[0];
    const clscan_sample_operator *sample = clscan_sample_find(CLSCAN_SAMPLE_TAKE_LEFT, CLSCAN_INT32);
    clscan_problem problem = test_custom_problem(CLSCAN_INT32, sample, CLSCAN_EXCLUSIVE, CLSCAN_FORWARD, 1);
    const cl_mem data = test_buffer(live, CL_MEM_READ_WRITE, 200, NULL),
                 other = test_buffer(live, CL_MEM_READ_WRITE, 200, NULL),
                 flags = test_buffer(live, CL_MEM_READ_WRITE, 39, NULL);
    const int32_t first = 3;
    const clscan_run_args good = {.struct_size = sizeof good,
                                  .in.buffer = data,
                                  .out.buffer = other,
                                  .count = 39,
                                  .initial = {.kind = CLSCAN_MEMORY_HOST, .pointer = &first},
                                  .segments.buffer = flags};
    clscan_run_args args = good;
    rig r;

    set_up(live, &problem, sample, ways[0], &variant, &r);
    assert_int_equal(clscan_run(r.plan, r.workspace, live->queue, &good, 0, NULL, NULL, NULL), CLSCAN_OK);
    args.count = 40;
    expect(&r, &args, CLSCAN_ERROR_BUFFER_TOO_SMALL, "args->segments");
    args = good;
    args.segments.offset = 1;
    expect(&r, &args, CLSCAN_ERROR_BUFFER_TOO_SMALL, "args->segments");
    args = good;
    args.segments = (clscan_memory){.buffer = NULL};
    expect(&r, &args, CLSCAN_ERROR_NULL_ARGUMENT, "args->segments");
    args = good;
    args.segments = (clscan_memory){.kind = CLSCAN_MEMORY_HOST, .pointer = &first};
    expect(&r, &args, CLSCAN_ERROR_MEMORY_KIND, "args->segments");
    args = good;
    args.segments = (clscan_memory){.buffer = other, .offset = 155};
    expect(&r, &args, CLSCAN_ERROR_OVERLAP, "args->segments");
    args.segments.buffer = data; /* read twice */
    assert_int_equal(clscan_run(r.plan, r.workspace, live->queue, &args, 0, NULL, NULL, NULL), CLSCAN_OK);
    args.out = args.in;
    expect(&r, &args, CLSCAN_ERROR_OVERLAP, "args->segments");
    args = good;
    args.initial = (clscan_memory){.buffer = NULL};
    expect(&r, &args, CLSCAN_ERROR_NO_IDENTITY, "args->initial");
    args = good;
    args.offset_count = 1;
    expect(&r, &args, CLSCAN_ERROR_INVALID_VALUE, "args->offset_count");
    args = good;
    args.total.buffer = data;
    expect(&r, &args, CLSCAN_ERROR_INVALID_VALUE, "args->total");
    assert_cl(clFinish(live->queue));
    tear_down(&r);
    free(list.items);
    clReleaseMemObject(data);
    clReleaseMemObject(other);
    clReleaseMemObject(flags);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flags_and_keys_as_marks),
        cmocka_unit_test(every_form),
        cmocka_unit_test(whole_vectors),
        cmocka_unit_test(landed_tiles),
        cmocka_unit_test(ordered_vectors),
        cmocka_unit_test(after_spent_waits),
        cmocka_unit_test(keys_that_compare),
        cmocka_unit_test(structs),
        cmocka_unit_test(maps),
        cmocka_unit_test(refused_plans),
        cmocka_unit_test(mistakes_in_sources),
        cmocka_unit_test(refused_runs),
        cmocka_unit_test(counts_on_the_device),
    };
    return cmocka_run_group_tests_name("segments", tests, test_live_setup, test_live_teardown);
}
