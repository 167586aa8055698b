/* Sums of segments, and initial values of their own: by every way to say where segments begin, of reductions and of
 * scans, with every carry; keys, offsets and number of segments; empty ones, too little room, runs of no elements,
 * numbers of 64 bits; and what is refused. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "combine.h"
#include "common/test_knobs.h"
#include "live.h"
#include "parsed_variant.h"
#include "segment_cases.h"
#include "segments.h"
#include "variant_sets.h"
#include "variant_walk.h"

enum { MOST_TILES = 5, VALUE_BYTES = 8 };

static const segment_way ways[] = {{CLSCAN_BY_FLAGS, CLSCAN_UINT8},    {CLSCAN_BY_BITS, 0},
                                   {CLSCAN_BY_KEYS, CLSCAN_INT32},     {CLSCAN_BY_OFFSETS, CLSCAN_UINT32},
                                   {CLSCAN_BY_OFFSETS, CLSCAN_INT64},  {CLSCAN_BY_KEYS, CLSCAN_HALF},
                                   {CLSCAN_BY_OFFSETS, CLSCAN_INT32},  {CLSCAN_BY_KEYS, CLSCAN_UINT64},
                                   {CLSCAN_BY_OFFSETS, CLSCAN_UINT64}, {CLSCAN_BY_FLAGS, CLSCAN_INT64}};
enum { WAY_COUNT = sizeof ways / sizeof ways[0] };

static const struct {
    clscan_type type;
    clscan_operator op;
    clscan_sample sample; /* of CLSCAN_CUSTOM */
} operands[] = {{CLSCAN_INT32, CLSCAN_ADD, 0}, {CLSCAN_UINT8, CLSCAN_ADD, 0},
                {CLSCAN_FLOAT, CLSCAN_ADD, 0}, {CLSCAN_UINT32, CLSCAN_CUSTOM, CLSCAN_SAMPLE_AFFINE},
                {CLSCAN_HALF, CLSCAN_ADD, 0},  {CLSCAN_INT32, CLSCAN_CUSTOM, CLSCAN_SAMPLE_TAKE_LEFT},
                {CLSCAN_INT16, CLSCAN_MUL, 0}, {CLSCAN_UINT64, CLSCAN_XOR, 0}};
enum { OPERAND_COUNT = sizeof operands / sizeof operands[0] };

/* What is asked for. */
typedef enum asked {
    REDUCTION,
    REVERSE_REDUCTION,
    SCAN,
    EXCLUSIVE_SCAN,
    REVERSE_SCAN,
    EXCLUSIVE_REVERSE_SCAN,
    ASKED_COUNT
} asked;

typedef struct rig {
    const test_live *live;
    clscan_problem problem;
    clscan_segments segments;
    clscan_reference what;
    asked asked;
    clscan_plan *plan;
    clscan_workspace *workspace;
    uint64_t tile;
    bool initials;       /* each segment has its own */
    bool sums;           /* are given */
    uint32_t refused;    /* counts on the device, by now */
    uint32_t recomputed; /* tiles, likewise, of plans that count them */
} rig;

/* What the plan asks for besides what problem says. */
static void ask(asked what, clscan_problem *problem)
{
    problem->operation = what == REDUCTION || what == REVERSE_REDUCTION ? CLSCAN_REDUCE : CLSCAN_SCAN;
    problem->form = what == EXCLUSIVE_SCAN || what == EXCLUSIVE_REVERSE_SCAN ? CLSCAN_EXCLUSIVE : CLSCAN_INCLUSIVE;
    problem->direction = what == REVERSE_REDUCTION || what == REVERSE_SCAN || what == EXCLUSIVE_REVERSE_SCAN
                             ? CLSCAN_REVERSE
                             : CLSCAN_FORWARD;
}

/* With initial values of the segments' own, scans give no sums in every other rig. */
static void set_up_by(const test_live *live, const clscan_problem *problem, const clscan_sample_operator *sample,
                      segment_way how, asked what, const clscan_plan_options *options, bool initials, bool sums, rig *r)
{
    const clscan_variant *variant = options->variant;
    const bool reduces = what == REDUCTION || what == REVERSE_REDUCTION;

    *r = (rig){.live = live, .problem = *problem, .asked = what, .initials = initials, .sums = sums || reduces};
    r->tile = variant != NULL ? clscan_variant_tile_count(variant) : 64;
    r->segments =
        (clscan_segments){.struct_size = sizeof r->segments, .by = how.by, .type = how.type, .sums = !reduces && sums};
    /* Then a launch of its own looks at offsets. */
    r->segments.check = how.by == CLSCAN_BY_OFFSETS && how.type == CLSCAN_INT32;
    r->segments.initials = initials;
    ask(what, &r->problem);
    r->problem.segments = &r->segments;
    if (variant != NULL)
        r->problem.max_count = MOST_TILES * r->tile + 3;
    r->what = clscan_reference_of(&r->problem, sample);
    test_plan_create(live, &r->problem, options, &r->plan, &r->workspace);
}

static void set_up_with(const test_live *live, const clscan_problem *problem, const clscan_sample_operator *sample,
                        segment_way how, asked what, const clscan_variant *variant, bool initials, bool sums, rig *r)
{
    const clscan_plan_options options = {.struct_size = sizeof options, .variant = variant};

    set_up_by(live, problem, sample, how, what, &options, initials, sums, r);
}

static void set_up(const test_live *live, const clscan_problem *problem, const clscan_sample_operator *sample,
                   segment_way how, asked what, const clscan_variant *variant, rig *r)
{
    set_up_with(live, problem, sample, how, what, variant, false, true, r);
}

static void tear_down(rig *r)
{
    clscan_workspace_destroy(r->workspace);
    clscan_plan_destroy(r->plan);
}

/* What a run is told, and what it must give, one behind the other. */
typedef struct numbers {
    unsigned char *heads, *said, *keys, *sums;
    uint64_t *begins;    /* of each segment, and behind that the end */
    uint64_t said_count; /* units of what is said */
    uint64_t segment_count;
} numbers;

/* How many offsets stand at an element where a segment begins: one, or sometimes two, or two at every other element. */
static uint64_t offsets_at(uint64_t index, segment_pattern pattern)
{
    if (index % 64 < 20)
        return 1 + index % 5 / 3;
    return index % 64 < 44 && pattern == EVERYWHERE ? index % 2 * 2 : 1;
}

/* Offsets in order: some are equal, the first may leave elements out, negative ones bound what is empty, and so do
 * some behind the end. */
static void say_offsets(const rig *r, uint64_t count, segment_pattern pattern, numbers *n)
{
    const clscan_type type = r->segments.type;
    const size_t unit_bytes = clscan_type_size_bytes(type);
    const bool is_signed = type == CLSCAN_INT32 || type == CLSCAN_INT64;
    const int64_t others[3] = {-7, -1, (int64_t)count + 5};
    uint64_t next = 0;

#define SAY(value)                                                                                   \
    do {                                                                                             \
        clscan_value_store(type, clscan_value_from_int(type, (value)), n->said + next * unit_bytes); \
        n->begins[next++] = (value) < 0 ? UINT64_MAX : (uint64_t)(value);                            \
    } while (0)
    for (size_t i = 0; i < 2 && is_signed && pattern % 2 == 0; ++i)
        SAY(others[i]);
    if (pattern == NOWHERE)
        SAY(0);
    for (uint64_t i = 0; i < count; ++i) {
        const uint64_t times = segment_begins(pattern, r->tile, i) ? offsets_at(i, pattern) : 0;

        n->heads[i] = i == 0 || times > 0;
        for (uint64_t k = 0; k < times; ++k)
            SAY((int64_t)i);
    }
    if (pattern != AT_RANDOM) { /* else the last element is in no segment, most likely */
        SAY((int64_t)count);
        SAY(others[2]);
    }
#undef SAY
    n->said_count = next;
    n->segment_count = next > 0 ? next - 1 : 0;
}

static void say(const rig *r, uint64_t count, segment_pattern pattern, numbers *n)
{
    const clscan_type type = r->segments.type;
    const size_t unit_bytes = clscan_type_size_bytes(type);

    memset(n->said, 0, (2 * (size_t)count + 8) * VALUE_BYTES);
    n->segment_count = 0;
    for (uint64_t i = 0; i < count; ++i)
        n->heads[i] = i == 0 || segment_begins(pattern, r->tile, i);
    if (r->segments.by == CLSCAN_BY_OFFSETS) {
        say_offsets(r, count, pattern, n);
        return;
    }
    n->said_count = r->segments.by == CLSCAN_BY_BITS ? (count + 7) / 8 : count;
    for (uint64_t i = 0; i < count; ++i) {
        const bool flag = n->heads[i] && i > 0;

        if (n->heads[i])
            n->begins[n->segment_count++] = i;
        if (r->segments.by == CLSCAN_BY_KEYS) {
            const clscan_value key = clscan_value_from_int(type, (int64_t)(n->segment_count % 3) - 1);

            clscan_value_store(type, key, n->said + i * unit_bytes);
            clscan_value_store(type, key, n->keys + (n->segment_count - 1) * unit_bytes);
        } else if (r->segments.by == CLSCAN_BY_BITS) {
            n->said[i / 8] |= (unsigned char)(flag << i % 8);
        } else {
            clscan_value_store(type, clscan_value_from_int(type, flag ? (int64_t)(i % 7) + 1 : 0),
                               n->said + i * unit_bytes);
        }
    }
    n->begins[n->segment_count] = count;
}

/* That of a segment with this number: one for all, or its own. */
static clscan_value initial_of(const rig *r, uint64_t segment)
{
    return clscan_value_from_int(clscan_type_accumulator(r->what.type), r->initials ? (int64_t)(segment % 5) + 2 : 3);
}

/* The outputs of a scan, segment by segment. By offsets, what precedes the first of these or follows the last one has
 * no initial value of its own. */
static void scan_all(const rig *r, const unsigned char *input, uint64_t count, bool has_initial, const numbers *n,
                     unsigned char *out)
{
    const size_t element_bytes = clscan_type_size_bytes(r->what.type);
    uint64_t segment = 0;

    for (uint64_t begin = 0, end; begin < count; begin = end) {
        clscan_value initial;
        bool has = has_initial;

        for (end = begin + 1; end < count && n->heads[end] == 0; ++end) {
        }
        while (segment < n->segment_count && (n->begins[segment] != begin || n->begins[segment + 1] == begin))
            ++segment;
        if (segment == n->segment_count) { /* in none: look from the first one again */
            segment = 0;
            has = has && !r->initials;
        }
        initial = initial_of(r, segment);
        assert_int_equal(clscan_reference_scan(&r->what, input + begin * element_bytes, end - begin,
                                               has ? &initial : NULL, out + begin * element_bytes, NULL),
                         CLSCAN_OK);
    }
}

/* Each segment's total, by a scan of it alone. What is empty gives the initial value, or else the identity. */
static void sum_up(const rig *r, const unsigned char *input, uint64_t count, bool has_initial, numbers *n)
{
    const size_t element_bytes = clscan_type_size_bytes(r->what.type);
    const clscan_type sum_type = clscan_type_accumulator(r->what.type);
    unsigned char *out = malloc((size_t)count * element_bytes + 1);

    assert_non_null(out);
    for (uint64_t i = 0; i < n->segment_count; ++i) {
        const uint64_t begin = n->begins[i], end = n->begins[i + 1] < count ? n->begins[i + 1] : count;
        const clscan_value initial = initial_of(r, i);
        clscan_value total;

        assert_int_equal(clscan_reference_scan(&r->what, input + (begin < end ? begin : 0) * element_bytes,
                                               begin < end ? end - begin : 0, has_initial ? &initial : NULL, out,
                                               &total),
                         CLSCAN_OK);
        clscan_value_store(sum_type, total, n->sums + i * clscan_type_size_bytes(sum_type));
    }
    free(out);
}

/* How many units differ from what is expected, with the guards. */
static unsigned compare(const test_live *live, clscan_guarded *got, const void *expected, size_t unit_bytes,
                        const char *what)
{
    unsigned char *read = malloc((size_t)got->payload_bytes + 1);
    uint64_t damaged = 0;
    unsigned wrong = 0;

    assert_non_null(read);
    assert_int_equal(clscan_guarded_read(got, live->queue, read, &damaged, NULL), CLSCAN_OK);
    for (uint64_t i = 0; i < got->payload_bytes / unit_bytes; ++i)
        wrong += memcmp(read + i * unit_bytes, (const unsigned char *)expected + i * unit_bytes, unit_bytes) != 0;
    if (wrong > 0 || damaged != UINT64_MAX)
        print_error("%s: %u differ, %s\n", what, wrong, damaged != UINT64_MAX ? "guards are damaged" : "guards stay");
    free(read);
    clscan_guarded_destroy(got);
    return wrong > 0 || damaged != UINT64_MAX;
}

/* Leave out what is beyond `count` elements. */
static void cut(numbers *n, uint64_t count)
{
    while (n->segment_count > 0 && n->begins[n->segment_count - 1] >= count)
        --n->segment_count;
    n->begins[n->segment_count] = count;
}

/* `room`: segments that there is room for. Where the count is in device memory, buffers have room for the plan's
 * maximum, and something is said of all elements that there might be. */
static unsigned run_case(rig *r, uint64_t count, segment_pattern pattern, bool has_initial, uint64_t room)
{
    const test_live *live = r->live;
    const bool counted = r->problem.count_bytes > 0;
    const uint64_t room_count = counted ? r->problem.max_count : count, valid = count <= room_count ? count : 0;
    const clscan_type type = r->problem.type, sum_type = clscan_type_accumulator(type);
    const size_t element_bytes = clscan_type_size_bytes(type), sum_bytes = clscan_type_size_bytes(sum_type),
                 unit_bytes = r->segments.by == CLSCAN_BY_BITS ? 1 : clscan_type_size_bytes(r->segments.type),
                 index_bytes = r->problem.max_count > UINT32_MAX ? 8 : 4;
    const bool by_offsets = r->segments.by == CLSCAN_BY_OFFSETS, by_keys = r->segments.by == CLSCAN_BY_KEYS,
               scans = r->problem.operation == CLSCAN_SCAN;
    const clscan_value first = initial_of(r, 0);
    const size_t most = 2 * (size_t)room_count + 8;
    unsigned char *input = malloc(room_count * element_bytes + 1), *expected = malloc(room_count * element_bytes + 1);
    numbers n = {malloc(most),
                 malloc(most * VALUE_BYTES),
                 malloc(most * VALUE_BYTES),
                 malloc(most * VALUE_BYTES),
                 malloc(most * sizeof *n.begins),
                 0,
                 0};
    uint32_t *narrow = malloc(most * sizeof *narrow);
    clscan_guarded in, out, said, sums, keys, offsets, number, initials;
    unsigned char *starts = malloc(most * VALUE_BYTES);
    clscan_segment_sums where = {.struct_size = sizeof where};
    clscan_run_args args = {.struct_size = sizeof args, .count = room_count, .segment_sums = r->sums ? &where : NULL};
    clscan_report report = {.struct_size = sizeof report};
    clscan_error error = {0};
    cl_mem count_buffer = NULL;
    unsigned failures = 0;
    uint64_t given;

    has_initial = has_initial || r->initials;

    assert_true(input != NULL && expected != NULL && n.heads != NULL && n.said != NULL && n.keys != NULL &&
                n.sums != NULL && n.begins != NULL && narrow != NULL && starts != NULL);
    segment_input(&r->what, room_count, input);
    say(r, room_count, pattern, &n);
    if (!by_offsets)
        cut(&n, valid);
    sum_up(r, input, valid, has_initial, &n);
    for (uint64_t i = 0; i < n.segment_count; ++i)
        clscan_value_store(sum_type, initial_of(r, i), starts + i * sum_bytes);
    given = by_offsets || n.segment_count < room ? n.segment_count : room;
    for (uint64_t i = 0; i <= n.segment_count; ++i)
        narrow[i] = (uint32_t)n.begins[i];
    args.in = segment_guarded(live, input, room_count, element_bytes, &in);
    args.segments = segment_guarded(live, n.said, n.said_count, unit_bytes, &said);
    if (r->sums)
        where.sums = segment_guarded(live, NULL, given, sum_bytes, &sums);
    if (scans)
        args.out = segment_guarded(live, NULL, room_count, element_bytes, &out);
    if (by_offsets) {
        args.offset_count = n.said_count;
    } else if (r->sums) {
        where.capacity = given > 0 ? given : 1; /* 0 would be as many as there are elements */
        where.number = segment_guarded(live, NULL, 1, index_bytes, &number);
        where.offsets = segment_guarded(live, NULL, given + 1, index_bytes, &offsets);
    }
    if (by_keys && r->sums)
        where.keys = segment_guarded(live, NULL, given, unit_bytes, &keys);
    if (r->initials)
        args.initial = segment_guarded(live, starts, n.segment_count, sum_bytes, &initials);
    else if (has_initial)
        args.initial = (clscan_memory){.kind = CLSCAN_MEMORY_HOST, .pointer = &first};
    if (counted) {
        count_buffer = test_count(live, count, r->problem.count_bytes);
        args.device_count = (clscan_memory){.buffer = count_buffer, .offset = 1};
    }
    assert_status(CLSCAN_OK, clscan_run(r->plan, r->workspace, live->queue, &args, 0, NULL, NULL, &error), &error);
    if (r->sums)
        failures += compare(live, &sums, n.sums, sum_bytes, "sums");
    if (r->initials)
        failures += compare(live, &initials, starts, sum_bytes, "initial values");
    failures += compare(live, &in, input, element_bytes, "input");
    failures += compare(live, &said, n.said, unit_bytes, "what says where segments begin");
    if (scans) {
        memcpy(expected, out.image, room_count * element_bytes);
        scan_all(r, input, valid, has_initial, &n, expected);
        failures += compare(live, &out, expected, element_bytes, "outputs");
    }
    if (!by_offsets && r->sums) {
        const void *all = index_bytes == 8 ? (const void *)n.begins : narrow;
        const uint32_t found = (uint32_t)n.segment_count;

        failures +=
            compare(live, &number, index_bytes == 8 ? (const void *)&n.segment_count : &found, index_bytes, "number");
        failures += compare(live, &offsets, all, index_bytes, "offsets");
    }
    if (by_keys && r->sums)
        failures += compare(live, &keys, n.keys, unit_bytes, "keys");
    r->refused += count > room_count;
    assert_int_equal(clscan_workspace_report(r->workspace, live->queue, &report, NULL), CLSCAN_OK);
    failures += report.refused_counts != r->refused || report.failures > 0;
    r->recomputed = report.recomputed;
    if (counted)
        clReleaseMemObject(count_buffer);
    if (failures > 0)
        print_error("above: count %llu, pattern %u, initial %d, room %llu of %llu\n", (unsigned long long)count,
                    pattern, has_initial, (unsigned long long)room, (unsigned long long)n.segment_count);
    free(input);
    free(expected);
    free(n.heads);
    free(n.said);
    free(n.keys);
    free(n.sums);
    free(n.begins);
    free(narrow);
    free(starts);
    return failures;
}

static unsigned run_sizes(rig *r)
{
    const uint64_t tile = r->tile;
    const uint64_t counts[] = {0, 1, 2, tile - 1, tile, tile + 1, 3 * tile, MOST_TILES * tile + 3};
    const bool needs_initial = r->what.combine != NULL && r->what.identity == NULL;
    unsigned failures = 0, turn = 0;

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i)
        for (unsigned pattern = 0; pattern < PATTERN_COUNT; ++pattern, ++turn)
            failures += run_case(r, counts[i], pattern, turn % 2 == 1 || needs_initial,
                                 turn % 5 == 4 ? counts[i] / 3 + 1 : UINT64_MAX);
    return failures;
}

/* Leave the variants of one work-group: PoCL compiles them in a tenth of the time that it takes for carries. */
static void keep_single(test_variants *list)
{
    size_t kept = 0;

    for (size_t i = 0; i < list->count; ++i)
        if (list->items[i].carry == CLSCAN_CARRY_SINGLE)
            list->items[kept++] = list->items[i];
    list->count = kept;
}

/* Each way with each kind of run; operands and carries take turns, each carry once, or twice if tests are thorough. */
static void run_ways(const test_live *live, bool initials, size_t first, size_t step)
{
    test_variants list = test_representatives(CLSCAN_INT32, 16, 2, &live->info);
    unsigned failures = 0, run = 0;

    test_keep_new_axes(&list, TEST_EACH_VALUE);
    for (size_t i = 0, next = 0; i < (size_t)WAY_COUNT * ASKED_COUNT; ++i) {
        const size_t at = (i + i / WAY_COUNT) % OPERAND_COUNT;
        const asked what = (asked)(i / WAY_COUNT);
        const clscan_sample_operator *sample =
            operands[at].op == CLSCAN_CUSTOM ? clscan_sample_find(operands[at].sample, operands[at].type) : NULL;
        const clscan_problem problem =
            test_sample_problem(operands[at].type, operands[at].op, sample, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 1);
        clscan_problem asked_of = problem;
        const clscan_segments segments = {.struct_size = sizeof segments, .sums = 1, .initials = initials};
        const clscan_variant *variant;
        unsigned failed;
        rig r;

        if (!test_type_runs(live, operands[at].type) ||
            (i % (test_thorough() ? step : 8 * step) != first && !(test_thorough() && i % 4 == 0)))
            continue;
        asked_of.segments = &segments;
        ask(what, &asked_of);
        /* Outside all offsets there is neither initial value nor identity. */
        if (initials && asked_of.form == CLSCAN_EXCLUSIVE && sample != NULL && sample->identity == NULL)
            continue;
        if (run == (test_thorough() ? 2 : 1) * list.count)
            keep_single(&list);
        variant = test_next_legal(&list, &next, &asked_of, 0, &live->info);
        assert_non_null(variant);
        set_up_with(live, &problem, sample, ways[i % WAY_COUNT], what, variant, initials, !initials || i % 4 < 2, &r);
        failed = run_sizes(&r);
        if (failed > 0)
            print_error("above: %s of %s, kind %d, initials %d, sums %d, by %s of %s, carry %u, body %u\n",
                        clscan_operator_name(problem.op), clscan_type_name(problem.type), (int)what, initials, r.sums,
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

static void every_way(void **state)
{
    run_ways(*state, false, 0, 3);
}

static unsigned run_way(const test_live *live, const clscan_problem *problem, const clscan_sample_operator *sample,
                        segment_way how, const clscan_plan_options *options, unsigned *recomputed)
{
    unsigned failures;
    rig r;

    set_up_by(live, problem, sample, how, REDUCTION, options, false, true, &r);
    failures = run_sizes(&r);
    *recomputed += r.recomputed;
    tear_down(&r);
    return failures;
}

static unsigned run_spent_waits(const test_live *live, const clscan_plan_options *options, unsigned *recomputed)
{
    return segment_spent_waits(live, options, run_way, recomputed);
}

/* Owners that are held back: those behind recompute their tiles, sums and their numbers among them. */
static void after_spent_waits(void **state)
{
    const clscan_segments segments = {.struct_size = sizeof segments, .type = CLSCAN_UINT8};
    clscan_problem problem = segment_ordered_problem();

    problem.segments = &segments;
    ask(REDUCTION, &problem);
    test_spent_waits(*state, &problem, run_spent_waits);
}

/* Body cached_rows adds up whole vectors at once where nothing but sums is asked for: with each length, size of
 * elements and way to say where segments begin, in one tile after another and in tiles that wait for each other. */
static void summed_vectors(void **state)
{
    static const struct {
        clscan_type type;
        clscan_operator op;
        segment_way how;
    } cases[] = {
        {CLSCAN_INT32, CLSCAN_ADD, {CLSCAN_BY_OFFSETS, CLSCAN_UINT32}},
        {CLSCAN_FLOAT, CLSCAN_ADD, {CLSCAN_BY_BITS, 0}},
        {CLSCAN_UINT8, CLSCAN_MAX, {CLSCAN_BY_FLAGS, CLSCAN_UINT8}},
        {CLSCAN_INT64, CLSCAN_MIN, {CLSCAN_BY_KEYS, CLSCAN_INT32}},
        {CLSCAN_INT16, CLSCAN_MUL, {CLSCAN_BY_OFFSETS, CLSCAN_INT64}},
        {CLSCAN_FLOAT, CLSCAN_MAX, {CLSCAN_BY_BITS, 0}},
        {CLSCAN_FLOAT, CLSCAN_MAX, {CLSCAN_BY_OFFSETS, CLSCAN_INT32}}, /* no vectors, but offset by offset as well */
        {CLSCAN_FLOAT, CLSCAN_ADD, {CLSCAN_BY_OFFSETS, CLSCAN_UINT64}},
        {CLSCAN_INT64, CLSCAN_MAX, {CLSCAN_BY_OFFSETS, CLSCAN_INT32}},
        {CLSCAN_UINT8, CLSCAN_ADD, {CLSCAN_BY_OFFSETS, CLSCAN_INT32}},
    };
    static const char *const bodies[] = {
        "cached_rows+brent_kung+single work_group_size=1 vector_length=4 cached_pieces=4 interleaved_rows=2 "
        "streaming_stores=0",
        "cached_rows+brent_kung+adjacent+persistent work_group_size=1 vector_length=4 cached_pieces=64 "
        "interleaved_rows=1 streaming_stores=0 work_groups_per_unit=1 tiles_per_work_group=1 poll_delay=16",
        "cached_rows+brent_kung+reduce_then_scan work_group_size=1 vector_length=4 cached_pieces=4 interleaved_rows=1 "
        "streaming_stores=0 work_groups_per_unit=1"};
    static const uint32_t lengths[] = {16, 8, 4};
    enum {
        CASES = sizeof cases / sizeof cases[0],
        LENGTHS = sizeof lengths / sizeof lengths[0],
        BODIES = sizeof bodies / sizeof bodies[0]
    };
    const test_live *live = *state;
    unsigned failures = 0;

    for (unsigned i = 0; i < (test_thorough() ? 3 : 1) * CASES; ++i) {
        const unsigned at = i % CASES;
        const clscan_problem problem = test_problem(cases[at].type, cases[at].op, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 1);
        clscan_variant variant = parsed_variant(bodies[(at + at / BODIES + i / CASES) % BODIES]);
        unsigned failed;
        rig r;

        variant.vector_length = lengths[(at / BODIES + i / CASES) % LENGTHS];
        if (!test_takes(i, 3) || !test_type_runs(live, cases[at].type) ||
            clscan_variant_check(&variant, &problem, 0, &live->info, NULL) != CLSCAN_OK)
            continue;
        set_up(live, &problem, NULL, cases[at].how, REDUCTION, &variant, &r);
        failed = run_sizes(&r);
        if (failed > 0)
            print_error("above: %s of %s by %s of %s, vectors of %u, carry %u\n", clscan_operator_name(problem.op),
                        clscan_type_name(problem.type), clscan_segments_by_name(r.segments.by),
                        clscan_type_name(r.segments.type), (unsigned)variant.vector_length, variant.carry);
        failures += failed;
        tear_down(&r);
    }
    assert_int_equal(failures, 0);
}

/* Runs of counts that the device knows, from none to more than there may be. */
static unsigned run_counts(rig *r, size_t turn)
{
    const uint64_t tile = r->tile, most = r->problem.max_count;
    const uint64_t counts[] = {0, 1, tile - 1, tile, tile + 1, 3 * tile, most - 1, most, most + 1, UINT32_MAX};
    const bool needs_initial = r->what.combine != NULL && r->what.identity == NULL;
    unsigned failed = 0;

    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; ++c)
        failed += run_case(r, counts[c], (segment_pattern)((c + turn) % PATTERN_COUNT), c % 2 == 1 || needs_initial,
                           c % 4 == 3 ? counts[c] / 3 + 1 : UINT64_MAX);
    return failed;
}

/* Body coalesced goes from offset to offset in local memory: each size of sums, rows of a part of a word of marks, of a
 * word and of several, and carries that take tiles in turn, after each other, and as they come. */
static void walked_rows(void **state)
{
    static const struct {
        clscan_type type;
        clscan_operator op;
        clscan_sample sample; /* of CLSCAN_CUSTOM */
        clscan_type offset;
    } cases[] = {
        {CLSCAN_INT32, CLSCAN_ADD, 0, CLSCAN_UINT32},
        {CLSCAN_UINT32, CLSCAN_CUSTOM, CLSCAN_SAMPLE_AFFINE, CLSCAN_INT32},
        {CLSCAN_UINT8, CLSCAN_MAX, 0, CLSCAN_UINT64},
        {CLSCAN_INT64, CLSCAN_MIN, 0, CLSCAN_INT64},
        {CLSCAN_INT32, CLSCAN_CUSTOM, CLSCAN_SAMPLE_TAKE_LEFT, CLSCAN_UINT32},
        {CLSCAN_HALF, CLSCAN_ADD, 0, CLSCAN_INT32},
    };
    static const char *const variants[] = {
        "coalesced+brent_kung+reduce_then_scan work_group_size=8 vector_length=4 register_pieces=1 local_pieces=1 "
        "thread_group_size=8 work_groups_per_unit=2",
        "coalesced+kogge_stone+single work_group_size=4 vector_length=2 register_pieces=0 local_pieces=1 "
        "thread_group_size=4",
        "coalesced+kogge_stone+reduce_then_scan work_group_size=16 vector_length=8 register_pieces=3 local_pieces=1 "
        "thread_group_size=16 work_groups_per_unit=1",
        "coalesced+brent_kung+lookback+dynamic work_group_size=4 vector_length=1 register_pieces=3 local_pieces=2 "
        "thread_group_size=1 tiles_per_work_group=2 poll_delay=16",
        "coalesced+subgroup+adjacent+persistent work_group_size=32 vector_length=4 register_pieces=1 local_pieces=1 "
        "thread_group_size=16 work_groups_per_unit=1 tiles_per_work_group=1 poll_delay=16",
        "coalesced+kogge_stone+all_totals+dynamic work_group_size=8 vector_length=2 register_pieces=0 local_pieces=2 "
        "thread_group_size=2 poll_delay=16",
    };
    enum { CASES = sizeof cases / sizeof cases[0], VARIANTS = sizeof variants / sizeof variants[0] };
    const test_live *live = *state;
    unsigned failures = 0, run = 0;

    for (unsigned i = 0; i < (test_thorough() ? VARIANTS : 1) * CASES; ++i) {
        const unsigned at = i % CASES;
        const segment_way how = {CLSCAN_BY_OFFSETS, cases[at].offset};
        const clscan_sample_operator *sample =
            cases[at].op == CLSCAN_CUSTOM ? clscan_sample_find(cases[at].sample, cases[at].type) : NULL;
        const clscan_variant variant = parsed_variant(variants[(at + i / CASES) % VARIANTS]);
        const bool counts = i % 3 == 1, initials = i % 4 == 2;
        const clscan_segments segments = {
            .struct_size = sizeof segments, .by = CLSCAN_BY_OFFSETS, .type = cases[at].offset, .initials = initials};
        clscan_problem problem =
            test_sample_problem(cases[at].type, cases[at].op, sample, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 1);
        clscan_problem asked_of = problem;
        unsigned failed;
        rig r;

        problem.count_bytes = counts ? 4 : 0;
        asked_of.segments = &segments;
        ask(REDUCTION, &asked_of);
        if (!test_type_runs(live, cases[at].type) ||
            clscan_variant_check(&variant, &asked_of, 0, &live->info, NULL) != CLSCAN_OK)
            continue;
        set_up_with(live, &problem, sample, how, REDUCTION, &variant, initials, true, &r);
        failed = counts ? run_counts(&r, i) : run_sizes(&r);
        if (failed > 0)
            print_error("above: %s of %s by offsets of %s, %s\n", clscan_operator_name(problem.op),
                        clscan_type_name(problem.type), clscan_type_name(r.segments.type),
                        variants[(at + i / CASES) % VARIANTS]);
        failures += failed;
        ++run;
        tear_down(&r);
    }
    assert_int_equal(failures, 0);
    assert_true(run > 0);
}

static void own_initial_values(void **state)
{
    run_ways(*state, true, 1, 6);
}

/* The count in device memory, of all that there is room for and more. */
static void counts_on_the_device(void **state)
{
    const test_live *live = *state;
    test_variants list = test_representatives(CLSCAN_INT32, 16, 2, &live->info);
    unsigned failures = 0;

    test_keep_new_axes(&list, TEST_EACH_VALUE);
    for (size_t i = 0, next = 2; i < (size_t)WAY_COUNT; ++i) {
        const asked what = (asked)((i + i / WAY_COUNT) % ASKED_COUNT);
        const bool initials = i % 3 == 1;
        clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 1), asked_of;
        const clscan_segments segments = {.struct_size = sizeof segments, .sums = 1, .initials = initials};
        const segment_way how = ways[i % WAY_COUNT];
        const clscan_variant *variant;
        unsigned failed;
        rig r;

        if (!test_takes(i, 8) || !test_type_runs(live, how.type))
            continue;
        problem.count_bytes = i % 4 == 0 ? 8 : 4;
        asked_of = problem;
        asked_of.segments = &segments;
        ask(what, &asked_of);
        variant = test_next_legal(&list, &next, &asked_of, 0, &live->info);
        assert_non_null(variant);
        set_up_with(live, &problem, NULL, how, what, variant, initials, !initials || i % 2 == 0, &r);
        failed = run_counts(&r, i);
        if (failed > 0)
            print_error("above: kind %d, initials %d, by %s of %s, carry %u, body %u\n", (int)what, initials,
                        clscan_segments_by_name(how.by), clscan_type_name(how.type), variant->carry, variant->body);
        failures += failed;
        tear_down(&r);
    }
    free(list.items);
    assert_int_equal(failures, 0);
}

enum { OFFSETS = 144, MOST_OFFSETS = 150, OFFSET_ELEMENTS = 1000, STEP = 7 };

/* An output of a scan of ones, of segments that so many of the offsets bound and that have initial values or not. */
static int32_t one_of_ones(const clscan_problem *problem, const uint32_t *all, uint64_t offsets, uint64_t count,
                           const int32_t *initials, uint64_t index)
{
    uint64_t segment = 0, begin = 0, end = count;
    bool bounded;

    while (segment + 1 < offsets && all[segment + 1] <= index)
        ++segment;
    bounded = segment + 1 < offsets;
    if (offsets > 0)
        begin = all[segment];
    if (bounded && all[segment + 1] < count)
        end = all[segment + 1];
    return (int32_t)(problem->direction == CLSCAN_REVERSE ? end - index : index - begin + 1) -
           (problem->form == CLSCAN_EXCLUSIVE) + (initials != NULL && bounded ? initials[segment] : 0);
}

/* A run of ones by the first `given` of the offsets, of MOST_OFFSETS that there might be, or as many as it says; a
 * number of elements or of offsets that is too large makes none. */
static unsigned run_offsets(const test_live *live, clscan_plan *plan, clscan_workspace *workspace,
                            const clscan_problem *problem, const uint32_t *all, uint64_t given, uint64_t most,
                            uint64_t elements, clscan_report *so_far)
{
    const bool scans = problem->operation == CLSCAN_SCAN, counted = problem->count_bytes > 0,
               gives = !scans || problem->segments->sums != 0, initials = problem->segments->initials != 0;
    const uint64_t offsets = given <= most ? given : 0, count = elements <= OFFSET_ELEMENTS ? elements : 0;
    const cl_mem number = test_count(live, given, problem->segments->offset_count_bytes),
                 elements_at = counted ? test_count(live, elements, problem->count_bytes) : NULL;
    int32_t ones[OFFSET_ELEMENTS], expected[OFFSET_ELEMENTS], sums[MOST_OFFSETS], starts[MOST_OFFSETS];
    clscan_guarded in, said, out, given_sums, given_initials;
    clscan_segment_sums where = {.struct_size = sizeof where};
    clscan_run_args args = {.struct_size = sizeof args,
                            .count = counted ? OFFSET_ELEMENTS : count,
                            .segments = segment_guarded(live, all, most, sizeof *all, &said),
                            .offset_count = most,
                            .device_offset_count = {.buffer = number, .offset = 1},
                            .device_count = {.buffer = elements_at, .offset = counted ? 1 : 0}};
    clscan_report report = {.struct_size = sizeof report};
    clscan_error error = {0};
    unsigned failures = 0;

    for (size_t i = 0; i < OFFSET_ELEMENTS; ++i)
        ones[i] = 1;
    for (int32_t i = 0; i < MOST_OFFSETS; ++i)
        starts[i] = 10000 * (i + 1);
    args.in = segment_guarded(live, ones, OFFSET_ELEMENTS, sizeof *ones, &in);
    if (gives) {
        where.sums = segment_guarded(live, NULL, most - 1, sizeof *sums, &given_sums);
        args.segment_sums = &where;
    }
    if (scans)
        args.out = segment_guarded(live, NULL, OFFSET_ELEMENTS, sizeof *ones, &out);
    if (initials)
        args.initial = segment_guarded(live, starts, most - 1, sizeof *starts, &given_initials);
    assert_status(CLSCAN_OK, clscan_run(plan, workspace, live->queue, &args, 0, NULL, NULL, &error), &error);
    if (gives) {
        memcpy(sums, given_sums.image, (size_t)(most - 1) * sizeof *sums);
        for (uint64_t i = 0; i + 1 < offsets; ++i) {
            const uint64_t begin = all[i], end = all[i + 1] < count ? all[i + 1] : count;

            sums[i] = (begin < end ? (int32_t)(end - begin) : 0) + (initials ? starts[i] : 0);
        }
        failures += compare(live, &given_sums, sums, sizeof *sums, "sums");
    }
    if (scans) {
        memcpy(expected, out.image, sizeof expected);
        for (uint64_t i = 0; i < count; ++i)
            expected[i] = one_of_ones(problem, all, offsets, count, initials ? starts : NULL, i);
        failures += compare(live, &out, expected, sizeof *expected, "outputs");
    }
    if (initials)
        failures += compare(live, &given_initials, starts, sizeof *starts, "initial values");
    failures += compare(live, &in, ones, sizeof *ones, "input");
    failures += compare(live, &said, all, sizeof *all, "offsets");
    so_far->refused_counts += (given > most ? 1u : 0u) + (elements > OFFSET_ELEMENTS ? 1u : 0u);
    for (uint64_t i = 0; i < offsets && problem->segments->check != 0; ++i)
        so_far->bad_offsets += all[i] > count;
    assert_int_equal(clscan_workspace_report(workspace, live->queue, &report, NULL), CLSCAN_OK);
    failures += report.refused_counts != so_far->refused_counts || report.bad_offsets != so_far->bad_offsets;
    if (failures > 0)
        print_error("above: %llu offsets of %llu, %llu elements; %u refused, not %u; %u bad, not %u\n",
                    (unsigned long long)given, (unsigned long long)most, (unsigned long long)elements,
                    report.refused_counts, so_far->refused_counts, report.bad_offsets, so_far->bad_offsets);
    clReleaseMemObject(number);
    if (counted)
        clReleaseMemObject(elements_at);
    return failures;
}

/* The number of offsets in device memory, and the count beside it; those beyond the count are reported. What stands
 * behind those that there are would begin segments. */
static void offsets_counted_on_the_device(void **state)
{
    static const struct {
        asked what;
        bool sums, initials;
        uint32_t offset_count_bytes, count_bytes;
    } plans[] = {{REDUCTION, false, false, 4, 0},     {SCAN, true, false, 4, 0},
                 {REDUCTION, false, false, 4, 8},     {SCAN, true, false, 4, 8},
                 {REDUCTION, false, false, 8, 4},     {SCAN, true, false, 8, 4},
                 {REVERSE_SCAN, true, false, 8, 8},   {REVERSE_SCAN, true, true, 4, 4},
                 {EXCLUSIVE_SCAN, false, true, 8, 0}, {EXCLUSIVE_REVERSE_SCAN, false, true, 4, 8},
                 {REDUCTION, false, true, 4, 4},      {REVERSE_REDUCTION, false, true, 8, 0}};
    const test_live *live = *state;
    const uint64_t given[] = {0, 1, 2, 3, 100, OFFSETS - 1, OFFSETS, MOST_OFFSETS + 1, UINT32_MAX};
    uint32_t all[MOST_OFFSETS];
    unsigned failures = 0;

    for (uint32_t i = 0; i < MOST_OFFSETS; ++i)
        all[i] = i < OFFSETS - 1 ? i * STEP : i == OFFSETS - 1 ? OFFSET_ELEMENTS : 1 + i % STEP;
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; ++i) {
        const clscan_segments segments = {.struct_size = sizeof segments,
                                          .by = CLSCAN_BY_OFFSETS,
                                          .type = CLSCAN_UINT32,
                                          .sums = plans[i].sums,
                                          .initials = plans[i].initials,
                                          .check = i % 3 != 1,
                                          .offset_count_bytes = plans[i].offset_count_bytes};
        clscan_problem problem =
            test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, OFFSET_ELEMENTS);
        clscan_plan *plan = NULL;
        clscan_workspace *workspace = NULL;
        clscan_report so_far = {0};

        if (!test_thorough() && i % 4 != 0 && i % 4 != 3) /* compiling takes longer than all runs of a plan */
            continue;
        ask(plans[i].what, &problem);
        problem.segments = &segments;
        problem.count_bytes = plans[i].count_bytes;
        test_plan_create(live, &problem, NULL, &plan, &workspace);
        for (size_t n = 0; n < sizeof given / sizeof given[0]; ++n)
            failures += run_offsets(live, plan, workspace, &problem, all, given[n], MOST_OFFSETS,
                                    n % 3 == 2 ? 501 : OFFSET_ELEMENTS, &so_far);
        failures += run_offsets(live, plan, workspace, &problem, all, OFFSETS, OFFSETS, OFFSET_ELEMENTS, &so_far);
        failures += run_offsets(live, plan, workspace, &problem, all, OFFSETS, OFFSETS, 0, &so_far);
        if (problem.count_bytes > 0)
            failures +=
                run_offsets(live, plan, workspace, &problem, all, OFFSETS + 1, OFFSETS, OFFSET_ELEMENTS + 1, &so_far);
        if (failures > 0)
            print_error("above: plan %zu\n", i);
        clscan_workspace_destroy(workspace);
        clscan_plan_destroy(plan);
    }
    assert_int_equal(failures, 0);
}

/* The report counts runs with too little room. */
static void too_little_room(void **state)
{
    const test_live *live = *state;
    const clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 1000);
    clscan_report report = {.struct_size = sizeof report};
    rig r;

    set_up(live, &problem, NULL, ways[0], REDUCTION, NULL, &r);
    assert_int_equal(run_case(&r, 1000, 2, false, 10), 0);
    assert_int_equal(run_case(&r, 1000, 1, false, 1), 0);
    assert_int_equal(run_case(&r, 1000, 0, false, 999), 0);
    assert_int_equal(run_case(&r, 1000, 0, false, 1000), 0);
    assert_int_equal(clscan_workspace_report(r.workspace, live->queue, &report, NULL), CLSCAN_OK);
    assert_int_equal(report.overflows, 2);
    tear_down(&r);
}

/* Numbers have 64 bits where the largest count does not fit into 32. */
static void wide_numbers(void **state)
{
    const test_live *live = *state;
    const clscan_problem problem =
        test_problem(CLSCAN_UINT8, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, UINT64_C(1) << 32);
    rig r;

    set_up(live, &problem, NULL, ways[2], REDUCTION, NULL, &r);
    assert_int_equal(run_case(&r, 3000, 2, true, UINT64_MAX), 0);
    assert_int_equal(run_case(&r, 0, 2, true, UINT64_MAX), 0);
    tear_down(&r);
}

/* With fewer initial values than segments the rest has none, nothing behind them is read, and the report counts it. */
static void too_few_initial_values(void **state)
{
    enum { COUNT = 100, LENGTH = 10, VALUES = 7 };
    const test_live *live = *state;
    const clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, COUNT);
    static const asked all[] = {SCAN, REVERSE_SCAN, REDUCTION};
    int32_t ones[COUNT], starts[VALUES], got[COUNT];
    unsigned char flags[COUNT];

    for (int i = 0; i < COUNT; ++i) {
        ones[i] = 1;
        flags[i] = i % LENGTH == 0;
    }
    for (int i = 0; i < VALUES; ++i)
        starts[i] = 100 * (i + 1);
    for (size_t i = 0; i < 3; ++i) {
        for (unsigned sums = all[i] == REDUCTION; sums < 2; ++sums) {
            clscan_report report = {.struct_size = sizeof report};
            const cl_mem in = test_buffer(live, CL_MEM_READ_ONLY, sizeof ones, ones),
                         out = test_buffer(live, CL_MEM_READ_WRITE, sizeof got, NULL),
                         given = test_buffer(live, CL_MEM_READ_WRITE, sizeof got, NULL),
                         initial = test_buffer(live, CL_MEM_READ_ONLY, sizeof starts, starts),
                         said = test_buffer(live, CL_MEM_READ_ONLY, sizeof flags, flags);
            const clscan_segment_sums where = {.struct_size = sizeof where, .sums.buffer = given};
            clscan_run_args args = {.struct_size = sizeof args,
                                    .in.buffer = in,
                                    .count = COUNT,
                                    .initial.buffer = initial,
                                    .segments.buffer = said};
            clscan_error error = {0};
            rig r;

            set_up_with(live, &problem, NULL, ways[0], all[i], NULL, true, sums != 0, &r);
            if (sums != 0)
                args.segment_sums = &where;
            if (all[i] != REDUCTION)
                args.out.buffer = out;
            assert_status(CLSCAN_OK, clscan_run(r.plan, r.workspace, live->queue, &args, 0, NULL, NULL, &error),
                          &error);
            if (all[i] != REDUCTION)
                test_read(live, out, sizeof got, got);
            for (int j = 0; j < COUNT && all[i] != REDUCTION; ++j)
                assert_int_equal(got[j], (j / LENGTH < VALUES ? starts[j / LENGTH] : 0) +
                                             (all[i] == SCAN ? j % LENGTH + 1 : LENGTH - j % LENGTH));
            if (sums != 0)
                test_read(live, given, sizeof got, got);
            for (int j = 0; j < COUNT / LENGTH && sums != 0; ++j)
                assert_int_equal(got[j], (j < VALUES ? starts[j] : 0) + LENGTH);
            assert_int_equal(clscan_workspace_report(r.workspace, live->queue, &report, NULL), CLSCAN_OK);
            assert_int_equal(report.overflows, 1);
            tear_down(&r);
            clReleaseMemObject(in);
            clReleaseMemObject(out);
            clReleaseMemObject(given);
            clReleaseMemObject(initial);
            clReleaseMemObject(said);
        }
    }
}

enum { BOUNDED = 300, BOUNDS = 8 };

/* Offsets, what the report counts of them, and which segments are empty. */
typedef struct bounds {
    int64_t at[BOUNDS];
    uint32_t bad;
    uint32_t empty; /* a bit for each segment that is */
} bounds;

/* Sums of ones between these bounds. */
static void run_bounds(const test_live *live, clscan_plan *plan, clscan_workspace *workspace, bool scans,
                       clscan_type type, const bounds *b)
{
    const size_t unit_bytes = clscan_type_size_bytes(type);
    unsigned char said[BOUNDS * 8];
    int32_t ones[BOUNDED], got[BOUNDS + 1], canaries[BOUNDS + 1], initial = 1000;
    clscan_error error = {0};

    for (int i = 0; i < BOUNDED; ++i)
        ones[i] = 1;
    for (size_t j = 0; j < BOUNDS; ++j)
        clscan_value_store(type, clscan_value_from_int(type, b->at[j]), said + j * unit_bytes);
    for (size_t j = 0; j <= BOUNDS; ++j)
        canaries[j] = -77;
    const cl_mem in = test_buffer(live, CL_MEM_READ_ONLY, sizeof ones, ones),
                 out = test_buffer(live, CL_MEM_READ_WRITE, sizeof ones, NULL),
                 sums = test_buffer(live, CL_MEM_READ_WRITE, sizeof got, canaries),
                 offsets = test_buffer(live, CL_MEM_READ_ONLY, BOUNDS * unit_bytes, said);
    const clscan_segment_sums where = {.struct_size = sizeof where, .sums = {.buffer = sums, .offset = 1}};
    const clscan_run_args args = {.struct_size = sizeof args,
                                  .in.buffer = in,
                                  .out.buffer = scans ? out : NULL,
                                  .count = BOUNDED,
                                  .initial = {.kind = CLSCAN_MEMORY_HOST, .pointer = &initial},
                                  .segments.buffer = offsets,
                                  .offset_count = BOUNDS,
                                  .segment_sums = &where};

    assert_status(CLSCAN_OK, clscan_run(plan, workspace, live->queue, &args, 0, NULL, NULL, &error), &error);
    test_read(live, sums, sizeof got, got);
    assert_int_equal(got[0], canaries[0]);
    assert_int_equal(got[BOUNDS], canaries[BOUNDS]);
    for (size_t j = 0; j + 1 < BOUNDS; ++j)
        if (b->empty >> j & 1)
            assert_int_equal(got[1 + j], initial);
        else if (b->bad == 0)
            assert_int_equal(got[1 + j], initial + b->at[j + 1] - b->at[j]);
    clReleaseMemObject(in);
    clReleaseMemObject(out);
    clReleaseMemObject(sums);
    clReleaseMemObject(offsets);
}

/* Offsets that are out of order or beyond the count are counted where that is asked for. A segment whose end stands
 * before its begin is empty, and nothing is written outside. */
static void wrong_offsets(void **state)
{
    static const bounds all[] = {{{0, 10, 20, 20, 100, 250, BOUNDED, BOUNDED}, 0, 1u << 2 | 1u << 6},
                                 {{5, 5, 5, 7, 7, 9, 290, 290}, 0, 1u << 0 | 1u << 1 | 1u << 3 | 1u << 6},
                                 {{0, 100, 40, 150, 120, 200, 299, 300}, 2, 1u << 1 | 1u << 3},
                                 {{300, 299, 200, 100, 50, 20, 10, 0}, 7, 0x7f},
                                 {{-5, 0, 10, 20, 30, 40, 50, 301}, 2, 1u << 0},
                                 {{0, 1000, 10, INT32_MAX, 5, -1, INT32_MIN, 3}, 6, 0x7f & ~5u}};
    enum { PLANS = 6, BOUND_COUNT = sizeof all / sizeof all[0] };
    const test_live *live = *state;

    for (size_t i = 0; i < PLANS; ++i) {
        const asked what = i % 3 == 0 ? REDUCTION : i % 3 == 1 ? REVERSE_SCAN : SCAN;
        const clscan_type type = i % 2 == 0 ? CLSCAN_INT32 : CLSCAN_INT64;
        const clscan_segments segments = {
            .struct_size = sizeof segments, .by = CLSCAN_BY_OFFSETS, .type = type, .check = 1, .sums = 1};
        clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, BOUNDED);
        clscan_plan *plan = NULL;
        clscan_workspace *workspace = NULL;
        uint32_t bad = 0;

        ask(what, &problem);
        problem.segments = &segments;
        test_plan_create(live, &problem, NULL, &plan, &workspace);
        for (size_t at = 0; at < BOUND_COUNT; ++at) {
            clscan_report report = {.struct_size = sizeof report};

            run_bounds(live, plan, workspace, what != REDUCTION, type, &all[at]);
            bad += all[at].bad;
            assert_int_equal(clscan_workspace_report(workspace, live->queue, &report, NULL), CLSCAN_OK);
            assert_int_equal(report.bad_offsets, bad);
        }
        clscan_workspace_destroy(workspace);
        clscan_plan_destroy(plan);
    }
}

enum { MANY_BOUNDS = 1000, BOUNDS_APART = 5, FROM = 3 };

/* What is wrong with an offset. */
typedef enum mistake { NOTHING, NEGATIVE, BACKWARD, BEYOND, EQUAL, MISTAKES } mistake;

static int64_t bound_at(mistake what, size_t phase, size_t j)
{
    const int64_t right = (int64_t)j * BOUNDS_APART;

    if (j == 0 || j % 48 != phase) /* batches without any, too */
        return right;
    switch (what) {
    case NEGATIVE:
        return -right;
    case BACKWARD:
        return right - 3 * BOUNDS_APART;
    case BEYOND:
        return right + MANY_BOUNDS * BOUNDS_APART;
    case EQUAL:
        return right - BOUNDS_APART;
    default:
        return right;
    }
}

/* The same of many offsets, which are looked at 16 at once: each of these places has the wrong ones. Also where nobody
 * asks which are wrong, in many tiles. */
static void wrong_offsets_among_many(void **state)
{
    enum { COUNT = MANY_BOUNDS * BOUNDS_APART - 1 };
    const test_live *live = *state;
    const struct clscan__test_knobs knobs[] = {{0}, {.mark_work_group_size = 1}, {0}, {0}, {0}};
    const clscan_variant small[] = {
        parsed_variant(
            "cached_rows+brent_kung+adjacent+persistent work_group_size=1 vector_length=8 cached_pieces=4 "
            "interleaved_rows=1 streaming_stores=0 work_groups_per_unit=1 tiles_per_work_group=1 poll_delay=16"),
        parsed_variant("coalesced+kogge_stone+reduce_then_scan work_group_size=8 vector_length=4 register_pieces=0 "
                       "local_pieces=1 thread_group_size=8 work_groups_per_unit=2")};
    int32_t *ones = malloc(COUNT * sizeof *ones), initial = 1000;

    assert_non_null(ones);
    for (size_t i = 0; i < COUNT; ++i)
        ones[i] = 1;
    const cl_mem in = test_buffer(live, CL_MEM_READ_ONLY, COUNT * sizeof *ones, ones);
    for (size_t k = 0; k < 10; ++k) {
        const clscan_type type = k % 2 == 0 ? CLSCAN_INT32 : CLSCAN_INT64;
        const size_t unit_bytes = clscan_type_size_bytes(type);
        const bool checks = k < 4 || k >= 8;
        const clscan_variant *tiles = k < 4 ? NULL : k < 6 ? &small[0] : &small[1];
        const clscan_segments segments = {
            .struct_size = sizeof segments, .by = CLSCAN_BY_OFFSETS, .type = type, .check = checks, .sums = 1};
        clscan_plan_options options = {.struct_size = sizeof options, .test_knobs = &knobs[k / 2]};
        clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, COUNT);
        clscan_plan *plan;
        clscan_workspace *workspace;
        uint32_t bad = 0;

        problem.operation = CLSCAN_REDUCE;
        problem.segments = &segments;
        if (tiles != NULL && clscan_variant_check(tiles, &problem, 0, &live->info, NULL) == CLSCAN_OK)
            options.variant = tiles;
        test_plan_create(live, &problem, &options, &plan, &workspace);
        for (size_t turn = 0; turn < MISTAKES * 16; ++turn) {
            const mistake what = (mistake)(turn % MISTAKES);
            int32_t got[MANY_BOUNDS], canaries[MANY_BOUNDS];
            unsigned char said[(FROM + MANY_BOUNDS) * 8] = {0};
            clscan_report report = {.struct_size = sizeof report};
            clscan_error error = {0};

            for (size_t j = 0; j < MANY_BOUNDS; ++j) {
                const int64_t at = bound_at(what, turn / MISTAKES, j);

                clscan_value_store(type, clscan_value_from_int(type, at), said + (turn % FROM + j) * unit_bytes);
                bad += checks && (at < 0 || at > COUNT || (j > 0 && at < bound_at(what, turn / MISTAKES, j - 1)));
                canaries[j] = -77;
            }
            const cl_mem sums = test_buffer(live, CL_MEM_READ_WRITE, sizeof got, canaries),
                         offsets = test_buffer(live, CL_MEM_READ_ONLY, (FROM + MANY_BOUNDS) * unit_bytes, said);
            const clscan_segment_sums where = {.struct_size = sizeof where, .sums.buffer = sums};
            const clscan_run_args args = {.struct_size = sizeof args,
                                          .in.buffer = in,
                                          .count = COUNT,
                                          .initial = {.kind = CLSCAN_MEMORY_HOST, .pointer = &initial},
                                          .segments = {.buffer = offsets, .offset = turn % FROM},
                                          .offset_count = MANY_BOUNDS,
                                          .segment_sums = &where};

            assert_status(CLSCAN_OK, clscan_run(plan, workspace, live->queue, &args, 0, NULL, NULL, &error), &error);
            test_read(live, sums, sizeof got, got);
            assert_int_equal(got[MANY_BOUNDS - 1], canaries[MANY_BOUNDS - 1]);
            for (size_t j = 0; j + 1 < MANY_BOUNDS; ++j) {
                const int64_t at = bound_at(what, turn / MISTAKES, j), next = bound_at(what, turn / MISTAKES, j + 1);

                if (at < 0 || at >= COUNT || next <= at)
                    assert_int_equal(got[j], initial);
                else if (what == NOTHING || what == EQUAL)
                    assert_int_equal(got[j], initial + next - at);
            }
            assert_int_equal(clscan_workspace_report(workspace, live->queue, &report, NULL), CLSCAN_OK);
            assert_int_equal(report.bad_offsets, bad);
            clReleaseMemObject(sums);
            clReleaseMemObject(offsets);
        }
        clscan_workspace_destroy(workspace);
        clscan_plan_destroy(plan);
    }
    clReleaseMemObject(in);
    free(ones);
}

/* Host memory of so many bytes, behind which nothing may be touched; from *all on all_bytes are mapped. */
static void *guarded_memory(size_t bytes, void **all, size_t *all_bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (bytes + page - 1) / page * page;
    FILE *file = tmpfile();

    *all_bytes = room + page;
    assert_non_null(file);
    assert_int_equal(ftruncate(fileno(file), (off_t)*all_bytes), 0);
    *all = mmap(NULL, *all_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, fileno(file), 0);
    fclose(file);
    assert_true(*all != MAP_FAILED);
    assert_int_equal(mprotect((char *)*all + room, page, PROT_NONE), 0);
    return (char *)*all + room - bytes;
}

enum { GUARDED_ELEMENTS = 100, GUARDED_SEGMENTS = 63 };

/* Sums of ones between these offsets, which stand at the end of mapped memory, as the ones do. */
static void run_guarded(const test_live *live, const clscan_variant *variant, int32_t *ones, int32_t *offsets)
{
    static const clscan_segments segments = {
        .struct_size = sizeof segments, .by = CLSCAN_BY_OFFSETS, .type = CLSCAN_INT32};
    const clscan_plan_options options = {.struct_size = sizeof options, .variant = variant};
    const size_t bytes = GUARDED_ELEMENTS * sizeof *ones, offset_bytes = (GUARDED_SEGMENTS + 1) * sizeof *offsets;
    clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, GUARDED_ELEMENTS);
    clscan_plan *plan = NULL;
    clscan_workspace *workspace = NULL;
    clscan_error error = {0};
    bool in_order = true;
    int32_t got[GUARDED_SEGMENTS];
    cl_int codes[2];
    const cl_mem in = clCreateBuffer(live->context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, bytes, ones, &codes[0]),
                 said = clCreateBuffer(live->context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, offset_bytes, offsets,
                                       &codes[1]),
                 sums = test_buffer(live, CL_MEM_READ_WRITE, sizeof got, NULL);
    const clscan_segment_sums where = {.struct_size = sizeof where, .sums.buffer = sums};
    const clscan_run_args args = {.struct_size = sizeof args,
                                  .in.buffer = in,
                                  .count = GUARDED_ELEMENTS,
                                  .segments.buffer = said,
                                  .offset_count = GUARDED_SEGMENTS + 1,
                                  .segment_sums = &where};

    assert_int_equal(codes[0], CL_SUCCESS);
    assert_int_equal(codes[1], CL_SUCCESS);
    problem.operation = CLSCAN_REDUCE;
    problem.segments = &segments;
    if (clscan_variant_check(variant, &problem, 0, &live->info, NULL) != CLSCAN_OK)
        test_plan_create(live, &problem, NULL, &plan, &workspace);
    else
        test_plan_create(live, &problem, &options, &plan, &workspace);
    assert_status(CLSCAN_OK, clscan_run(plan, workspace, live->queue, &args, 0, NULL, NULL, &error), &error);
    test_read(live, sums, sizeof got, got);
    for (int j = 0; j < GUARDED_SEGMENTS; ++j)
        in_order &= offsets[j] <= offsets[j + 1];
    for (int j = 0; j < GUARDED_SEGMENTS; ++j)
        if (in_order || offsets[j + 1] <= offsets[j])
            assert_int_equal(got[j], offsets[j + 1] > offsets[j] ? offsets[j + 1] - offsets[j] : 0);
    clscan_workspace_destroy(workspace);
    clscan_plan_destroy(plan);
    clReleaseMemObject(in);
    clReleaseMemObject(said);
    clReleaseMemObject(sums);
}

/* Whole vectors are loaded at once, but nothing behind the elements or the offsets; also not where offsets out of order
 * bound segments of one element beyond the last one, or one that begins before a tile of 32 elements. Devices that copy
 * host memory have nothing to find here. */
static void nothing_behind_the_input(void **state)
{
    enum { ALONE = 95, BEYOND_ALL = 1000000 };
    const clscan_variant one_tile = parsed_variant(
        "cached_rows+brent_kung+single work_group_size=1 vector_length=16 cached_pieces=16 interleaved_rows=1 "
        "streaming_stores=0");
    const clscan_variant tiles = parsed_variant(
        "cached_rows+brent_kung+single work_group_size=1 vector_length=8 cached_pieces=4 interleaved_rows=1 "
        "streaming_stores=0");
    const clscan_variant rows = parsed_variant(
        "coalesced+kogge_stone+reduce_then_scan work_group_size=8 vector_length=4 register_pieces=0 local_pieces=1 "
        "thread_group_size=4 work_groups_per_unit=2");
    const test_live *live = *state;
    void *mapped[2];
    size_t mapped_bytes[2];
    int32_t *ones = guarded_memory(GUARDED_ELEMENTS * sizeof *ones, &mapped[0], &mapped_bytes[0]),
            *offsets = guarded_memory((GUARDED_SEGMENTS + 1) * sizeof *offsets, &mapped[1], &mapped_bytes[1]);

    for (int i = 0; i < GUARDED_ELEMENTS; ++i)
        ones[i] = 1;
    for (int j = 0; j <= GUARDED_SEGMENTS; ++j)
        offsets[j] = j < GUARDED_SEGMENTS ? j : GUARDED_ELEMENTS;
    run_guarded(live, &one_tile, ones, offsets);
    run_guarded(live, &tiles, ones, offsets);
    run_guarded(live, &rows, ones, offsets);
    for (int j = 1; j <= GUARDED_SEGMENTS; ++j)
        offsets[j] = j < 18 ? ALONE + j - 1 : 5;
    run_guarded(live, &one_tile, ones, offsets);
    run_guarded(live, &rows, ones, offsets);
    for (int j = 8; j <= GUARDED_SEGMENTS; ++j)
        offsets[j] = j == 8 ? 30 : j == 9 ? BEYOND_ALL : 40;
    for (int j = 0; j < 8; ++j)
        offsets[j] = j;
    run_guarded(live, &tiles, ones, offsets);
    run_guarded(live, &rows, ones, offsets);
    for (size_t i = 0; i < 2; ++i)
        assert_int_equal(munmap(mapped[i], mapped_bytes[i]), 0);
}

/* Run-length encoding: sums of ones that a map generates, of runs of equal keys, which are the input. */
static void runs_of_equal_elements(void **state)
{
    static const clscan_map one = {.struct_size = sizeof one, .expression = "1"};
    static const clscan_segments segments = {
        .struct_size = sizeof segments, .by = CLSCAN_BY_KEYS, .type = CLSCAN_INT16};
    const test_live *live = *state;
    const clscan_problem problem = {.struct_size = sizeof problem,
                                    .operation = CLSCAN_REDUCE,
                                    .type = CLSCAN_UINT32,
                                    .max_count = 9,
                                    .load = &one,
                                    .segments = &segments};
    const int16_t data[9] = {5, 5, 5, -2, 7, 7, 5, 5, 5}, values[4] = {5, -2, 7, 5};
    const uint32_t lengths[4] = {3, 1, 2, 3}, begins_at[5] = {0, 3, 4, 6, 9}, four = 4;
    clscan_guarded in, sums, keys, offsets, number;
    const clscan_segment_sums where = {.struct_size = sizeof where,
                                       .sums = segment_guarded(live, NULL, 4, 4, &sums),
                                       .keys = segment_guarded(live, NULL, 4, 2, &keys),
                                       .offsets = segment_guarded(live, NULL, 5, 4, &offsets),
                                       .number = segment_guarded(live, NULL, 1, 4, &number),
                                       .capacity = 4};
    const clscan_run_args args = {.struct_size = sizeof args,
                                  .count = 9,
                                  .segments = segment_guarded(live, data, 9, 2, &in),
                                  .segment_sums = &where};
    clscan_plan *plan = NULL;
    clscan_workspace *workspace = NULL;
    clscan_error error = {0};

    test_plan_create(live, &problem, NULL, &plan, &workspace);
    assert_status(CLSCAN_OK, clscan_run(plan, workspace, live->queue, &args, 0, NULL, NULL, &error), &error);
    assert_int_equal(compare(live, &sums, lengths, 4, "lengths"), 0);
    assert_int_equal(compare(live, &keys, values, 2, "values"), 0);
    assert_int_equal(compare(live, &offsets, begins_at, 4, "offsets"), 0);
    assert_int_equal(compare(live, &number, &four, 4, "number"), 0);
    assert_int_equal(compare(live, &in, data, 2, "input"), 0);
    clscan_workspace_destroy(workspace);
    clscan_plan_destroy(plan);
}

static void refused_plans(void **state)
{
    const test_live *live = *state;
    const clscan_segments sums = {.struct_size = sizeof sums, .initials = 2},
                          too_many = {.struct_size = sizeof sums, .sums = 2}, plain = {.struct_size = sizeof plain};
    const clscan_element wide = {.struct_size = sizeof wide, .type = CLSCAN_INT64};
    clscan_problem problems[4];
    static const char *const culprits[] = {"problem->segments->initials", "problem->segments->sums", "problem->form",
                                           "problem->output"};
    clscan_plan *plan = NULL;

    for (size_t i = 0; i < 4; ++i) {
        problems[i] = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 100);
        problems[i].segments = i == 0 ? &sums : i == 1 ? &too_many : &plain;
        problems[i].operation = i >= 2 ? CLSCAN_REDUCE : CLSCAN_SCAN;
    }
    problems[2].form = CLSCAN_EXCLUSIVE;
    problems[3].output = &wide;
    for (size_t i = 0; i < 4; ++i) {
        clscan_error error = {0};

        assert_int_not_equal(clscan_plan_create(live->context, live->device, &problems[i], NULL, &plan, &error),
                             CLSCAN_OK);
        assert_non_null(strstr(error.message, culprits[i]));
    }
}

/* Errors name the argument. */
static void expect(const rig *r, const clscan_run_args *args, clscan_status expected, const char *culprit)
{
    clscan_error error = {0};

    assert_status(expected, clscan_run(r->plan, r->workspace, r->live->queue, args, 0, NULL, NULL, &error), &error);
    assert_non_null(strstr(error.message, culprit));
}

/* `args` of a run whose offsets are counted in its input. */
static void refused_offset_counts(const test_live *live, const clscan_problem *problem, const clscan_run_args *args)
{
    clscan_segments segments = {.struct_size = sizeof segments, .type = CLSCAN_UINT8, .offset_count_bytes = 4};
    clscan_problem wrong = *problem;
    clscan_run_args given = *args;
    rig r = {.live = live};

    wrong.operation = CLSCAN_REDUCE;
    wrong.segments = &segments;
    assert_int_equal(clscan_plan_create(live->context, live->device, &wrong, NULL, &r.plan, NULL),
                     CLSCAN_ERROR_INVALID_VALUE);
    segments.by = CLSCAN_BY_OFFSETS;
    segments.type = CLSCAN_UINT32;
    segments.offset_count_bytes = 2;
    assert_int_equal(clscan_plan_create(live->context, live->device, &wrong, NULL, &r.plan, NULL),
                     CLSCAN_ERROR_INVALID_VALUE);
    segments.offset_count_bytes = 4;
    test_plan_create(live, &wrong, NULL, &r.plan, &r.workspace);
    assert_int_equal(clscan_run(r.plan, r.workspace, live->queue, &given, 0, NULL, NULL, NULL), CLSCAN_OK);
    given.offset_count = 0;
    expect(&r, &given, CLSCAN_ERROR_INVALID_VALUE, "args->offset_count");
    given = *args;
    given.device_offset_count = (clscan_memory){.buffer = NULL};
    expect(&r, &given, CLSCAN_ERROR_NULL_ARGUMENT, "args->device_offset_count");
    given.device_offset_count = (clscan_memory){.buffer = args->in.buffer, .offset = 40};
    expect(&r, &given, CLSCAN_ERROR_BUFFER_TOO_SMALL, "args->device_offset_count");
    given.device_offset_count.buffer = args->segment_sums->sums.buffer;
    given.device_offset_count.offset = 1;
    expect(&r, &given, CLSCAN_ERROR_OVERLAP, "args->device_offset_count");
    assert_cl(clFinish(live->queue));
    tear_down(&r);
}

static void refused_runs(void **state)
{
    const test_live *live = *state;
    const clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 40);
    const cl_mem data = test_buffer(live, CL_MEM_READ_WRITE, 160, NULL),
                 other = test_buffer(live, CL_MEM_READ_WRITE, 160, NULL),
                 flags = test_buffer(live, CL_MEM_READ_WRITE, 40, NULL);
    const clscan_segment_sums good = {.struct_size = sizeof good, .sums.buffer = other};
    const clscan_run_args args = {
        .struct_size = sizeof args, .in.buffer = data, .count = 40, .segments.buffer = flags, .segment_sums = &good};
    clscan_segment_sums sums = good;
    clscan_run_args wrong = args;
    rig r;

    set_up(live, &problem, NULL, ways[0], REDUCTION, NULL, &r);
    assert_int_equal(clscan_run(r.plan, r.workspace, live->queue, &args, 0, NULL, NULL, NULL), CLSCAN_OK);
    wrong.segment_sums = NULL;
    expect(&r, &wrong, CLSCAN_ERROR_NULL_ARGUMENT, "args->segment_sums");
    wrong = args;
    wrong.out.buffer = other;
    expect(&r, &wrong, CLSCAN_ERROR_INVALID_VALUE, "args->out");
    wrong = args;
    wrong.total.buffer = other;
    expect(&r, &wrong, CLSCAN_ERROR_INVALID_VALUE, "args->total");
    wrong = args;
    wrong.segment_sums = &sums;
    sums.struct_size = 3;
    expect(&r, &wrong, CLSCAN_ERROR_STRUCT_SIZE, "args->segment_sums");
    sums = (clscan_segment_sums){.struct_size = sizeof sums};
    expect(&r, &wrong, CLSCAN_ERROR_NULL_ARGUMENT, "args->segment_sums->sums");
    sums = good;
    sums.keys.buffer = flags;
    expect(&r, &wrong, CLSCAN_ERROR_INVALID_VALUE, "args->segment_sums->keys");
    sums = good;
    sums.capacity = 41;
    expect(&r, &wrong, CLSCAN_ERROR_BUFFER_TOO_SMALL, "args->segment_sums->sums");
    sums = good;
    sums.sums.buffer = data;
    expect(&r, &wrong, CLSCAN_ERROR_OVERLAP, "args->segment_sums->sums");
    sums = good;
    sums.number = (clscan_memory){.buffer = other, .offset = 39};
    expect(&r, &wrong, CLSCAN_ERROR_OVERLAP, "args->segment_sums->number");
    sums = good;
    sums.offsets.buffer = flags;
    expect(&r, &wrong, CLSCAN_ERROR_BUFFER_TOO_SMALL, "args->segment_sums->offsets");
    assert_cl(clFinish(live->queue));
    tear_down(&r);
    set_up(live, &problem, NULL, ways[3], REDUCTION, NULL, &r);
    wrong.offset_count = 10;
    sums = good;
    assert_int_equal(clscan_run(r.plan, r.workspace, live->queue, &wrong, 0, NULL, NULL, NULL), CLSCAN_OK);
    sums.capacity = 9;
    expect(&r, &wrong, CLSCAN_ERROR_INVALID_VALUE, "args->segment_sums->capacity");
    sums = good;
    sums.number.buffer = other;
    expect(&r, &wrong, CLSCAN_ERROR_INVALID_VALUE, "args->segment_sums->number");
    sums = good;
    wrong.device_offset_count.buffer = data;
    expect(&r, &wrong, CLSCAN_ERROR_INVALID_VALUE, "args->device_offset_count");
    assert_cl(clFinish(live->queue));
    tear_down(&r);
    refused_offset_counts(live, &problem, &wrong);
    wrong.device_offset_count = (clscan_memory){.buffer = NULL};
    set_up_with(live, &problem, NULL, ways[3], REDUCTION, NULL, true, true, &r);
    sums = good;
    expect(&r, &wrong, CLSCAN_ERROR_NULL_ARGUMENT, "args->initial");
    wrong.initial = (clscan_memory){.kind = CLSCAN_MEMORY_HOST, .pointer = &sums};
    expect(&r, &wrong, CLSCAN_ERROR_MEMORY_KIND, "args->initial");
    wrong.initial = (clscan_memory){.buffer = flags, .offset = 2};
    expect(&r, &wrong, CLSCAN_ERROR_BUFFER_TOO_SMALL, "args->initial");
    wrong.initial = (clscan_memory){.buffer = other};
    expect(&r, &wrong, CLSCAN_ERROR_OVERLAP, "args->initial");
    tear_down(&r);
    set_up_with(live, &problem, NULL, ways[0], REDUCTION, NULL, true, true, &r);
    wrong = args;
    wrong.initial = (clscan_memory){.kind = CLSCAN_MEMORY_SVM, .pointer = &sums};
    expect(&r, &wrong, CLSCAN_ERROR_MEMORY_KIND, "args->initial");
    tear_down(&r);
    clReleaseMemObject(data);
    clReleaseMemObject(other);
    clReleaseMemObject(flags);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_way),
        cmocka_unit_test(summed_vectors),
        cmocka_unit_test(walked_rows),
        cmocka_unit_test(after_spent_waits),
        cmocka_unit_test(own_initial_values),
        cmocka_unit_test(too_few_initial_values),
        cmocka_unit_test(too_little_room),
        cmocka_unit_test(wide_numbers),
        cmocka_unit_test(refused_plans),
        cmocka_unit_test(wrong_offsets),
        cmocka_unit_test(wrong_offsets_among_many),
        cmocka_unit_test(nothing_behind_the_input),
        cmocka_unit_test(runs_of_equal_elements),
        cmocka_unit_test(refused_runs),
        cmocka_unit_test(counts_on_the_device),
        cmocka_unit_test(offsets_counted_on_the_device),
    };
    return cmocka_run_group_tests_name("sums of segments", tests, test_live_setup, test_live_teardown);
}
