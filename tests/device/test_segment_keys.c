/* Keys of segments that are no scalars, and an equality of the caller's: vectors and structs of up to 64 bytes, scans
 * in all forms and reductions with their keys, with every carry and body; and what is refused. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "live.h"
#include "segment_cases.h"
#include "variant_sets.h"

enum { MOST_TILES = 3, MOST_KEY_BYTES = 64, CANARY = 0x5a };

static const clscan_element point = {.struct_size = sizeof point,
                                     .name = "point",
                                     .source = "typedef struct point { uint x, noise, y; } point;",
                                     .size_bytes = 12,
                                     .align_bytes = 4};
static const clscan_element color = {.struct_size = sizeof color,
                                     .name = "color",
                                     .source = "typedef struct color { uchar at[3]; } color;",
                                     .size_bytes = 3,
                                     .align_bytes = 1};
static const clscan_element wide = {.struct_size = sizeof wide,
                                    .name = "wide",
                                    .source = "typedef struct wide { ulong at[8]; } wide;",
                                    .size_bytes = 64,
                                    .align_bytes = 8};
static const clscan_element pair = {.struct_size = sizeof pair, .type = CLSCAN_INT8, .lanes = 2};
static const clscan_element four = {.struct_size = sizeof four, .type = CLSCAN_FLOAT, .lanes = 4};
static const clscan_element lone = {.struct_size = sizeof lone, .type = CLSCAN_UINT16};

static const clscan_map same_tens = {.struct_size = sizeof same_tens, .expression = "left / 10 == right / 10"};
static const clscan_map same_floor = {.struct_size = sizeof same_floor, .expression = "(int)left == (int)right"};
static const clscan_map same_point = {.struct_size = sizeof same_point,
                                      .expression = "left.x == right.x && left.y == right.y"};
static const clscan_map same_color = {.struct_size = sizeof same_color,
                                      .expression = "left.at[0] == right.at[0] && left.at[2] == right.at[2]"};
static const clscan_map same_wide = {
    .struct_size = sizeof same_wide,
    .expression = "alike(&left, &right, 8)",
    .source = "int alike(const wide *one, const wide *other, int words)\n{\n    for (int i = 1; i < words; ++i)\n"
              "        if (one->at[i] != other->at[i])\n            return 0;\n    return 7;\n}\n"};
static const clscan_map same_lanes = {.struct_size = sizeof same_lanes, .expression = "left.s0 == right.s0"};

/* A key of run `run`; equal ones differ by `noise`, where that does not matter. */
static void make_int32(uint32_t run, uint32_t noise, void *key)
{
    *(int32_t *)key = (int32_t)(run % 3 * 10 + noise % 10);
}

static void make_half(uint32_t run, uint32_t noise, void *key)
{
    *(uint16_t *)key = (uint16_t)(0x3c00 + run % 2 * 0x0400 + noise % 7); /* a little above 1 or 2 */
}

static void make_words(uint32_t run, uint32_t noise, void *key)
{
    const uint32_t words[3] = {run % 2, noise, run % 3};
    memcpy(key, words, sizeof words);
}

static void make_bytes(uint32_t run, uint32_t noise, void *key)
{
    const unsigned char bytes[3] = {(unsigned char)(run % 2), (unsigned char)noise, (unsigned char)(run % 3)};
    memcpy(key, bytes, sizeof bytes);
}

static void make_wide(uint32_t run, uint32_t noise, void *key)
{
    uint64_t words[8] = {noise, 1, 2, 3, 4, 5, 6, run % 3};
    memcpy(key, words, sizeof words);
}

static void make_pair(uint32_t run, uint32_t noise, void *key)
{
    const int8_t lanes[2] = {-1, (int8_t)(run % 3)};
    (void)noise;
    memcpy(key, lanes, sizeof lanes);
}

static void make_four(uint32_t run, uint32_t noise, void *key)
{
    const float lanes[4] = {(float)(run % 2), noise % 2 > 0 ? 0.0f : -0.0f, 1.5f, (float)(run % 3)};
    memcpy(key, lanes, sizeof lanes);
}

static void make_first_lane(uint32_t run, uint32_t noise, void *key)
{
    const float lanes[4] = {(float)(run % 2), (float)noise, 0.0f, 0.0f};
    memcpy(key, lanes, sizeof lanes);
}

static void make_uint16(uint32_t run, uint32_t noise, void *key)
{
    (void)noise;
    *(uint16_t *)key = (uint16_t)(run % 5);
}

static const struct kind {
    const char *name;
    clscan_type type;
    const clscan_element *key;
    const clscan_map *equal;
    size_t key_bytes;
    void (*make)(uint32_t run, uint32_t noise, void *key);
} kinds[] = {{"tens of int32", CLSCAN_INT32, NULL, &same_tens, 4, make_int32},
             {"struct of 12 bytes", 0, &point, &same_point, 12, make_words},
             {"char2", 0, &pair, NULL, 2, make_pair},
             {"struct of 64 bytes", 0, &wide, &same_wide, 64, make_wide},
             {"half, rounded down", CLSCAN_HALF, NULL, &same_floor, 2, make_half},
             {"float4", 0, &four, NULL, 16, make_four},
             {"struct of 3 bytes", 0, &color, &same_color, 3, make_bytes},
             {"float4, one lane", 0, &four, &same_lanes, 16, make_first_lane},
             {"uint16, as an element", 0, &lone, NULL, 2, make_uint16}};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

typedef enum asked { SCAN, EXCLUSIVE_REVERSE, REDUCTION, ASKED_COUNT } asked;

typedef struct rig {
    const test_live *live;
    const struct kind *of;
    asked asked;
    clscan_plan *plan;
    clscan_workspace *workspace;
    uint64_t tile;
} rig;

/* Room for so many units, all of them the canary, one at each end beside. */
static clscan_memory room(const test_live *live, uint64_t count, size_t unit_bytes)
{
    const size_t bytes = ((size_t)count + 2) * unit_bytes;
    unsigned char *canaries = malloc(bytes);
    clscan_memory memory;

    assert_non_null(canaries);
    memset(canaries, CANARY, bytes);
    memory = (clscan_memory){.buffer = test_buffer(live, CL_MEM_READ_WRITE, bytes, canaries), .offset = 1};
    free(canaries);
    return memory;
}

/* Units that differ: `written` ones are as expected, all others as they were. Releases the buffer. */
static unsigned wrong_units(const rig *r, const clscan_memory *memory, const void *expected, uint64_t written,
                            uint64_t count, size_t unit_bytes, const char *what)
{
    unsigned char *got = malloc(((size_t)count + 2) * unit_bytes), canary[MOST_KEY_BYTES];
    unsigned wrong = 0;

    assert_non_null(got);
    memset(canary, CANARY, sizeof canary);
    test_read(r->live, memory->buffer, ((size_t)count + 2) * unit_bytes, got);
    for (uint64_t i = 0; i < count + 2; ++i) {
        const bool is_output = i >= 1 && i <= written;

        wrong += memcmp(got + i * unit_bytes,
                        is_output ? (const unsigned char *)expected + (i - 1) * unit_bytes : canary, unit_bytes) != 0;
    }
    if (wrong > 0)
        print_error("%s: %u units differ\n", what, wrong);
    clReleaseMemObject(memory->buffer);
    free(got);
    return wrong;
}

/* What is expected of elements and keys. */
typedef struct arrays {
    int32_t *elements, *outputs, *sums;
    uint32_t *offsets;
    unsigned char *keys, *first_keys;
    uint32_t segments;
} arrays;

static void expect_of(const rig *r, uint64_t count, segment_pattern pattern, arrays *a)
{
    const size_t key_bytes = r->of->key_bytes;
    int32_t sum = 0;

    a->segments = 0;
    for (uint64_t i = 0; i < count; ++i) {
        const bool begins = i == 0 || segment_begins(pattern, r->tile, i);

        a->elements[i] = (int32_t)(clscan_generate_bits(3, i) % 1000) - 500;
        a->segments += begins;
        r->of->make(a->segments, (uint32_t)clscan_generate_bits(4, i), a->keys + i * key_bytes);
        if (begins) {
            memcpy(a->first_keys + (a->segments - 1) * key_bytes, a->keys + i * key_bytes, key_bytes);
            a->offsets[a->segments - 1] = (uint32_t)i;
            sum = 0;
        }
        a->outputs[i] = sum += a->elements[i];
        a->sums[a->segments - 1] = sum;
    }
    a->offsets[a->segments] = (uint32_t)count;
    for (uint64_t i = count; r->asked == EXCLUSIVE_REVERSE && i-- > 0;) {
        const bool ends = i + 1 == count || segment_begins(pattern, r->tile, i + 1);

        sum = ends ? 0 : sum;
        a->outputs[i] = sum;
        sum += a->elements[i];
    }
}

static unsigned run_case(const rig *r, uint64_t count, segment_pattern pattern)
{
    const size_t key_bytes = r->of->key_bytes, most = (size_t)count + 2;
    arrays a = {malloc(most * 4),
                malloc(most * 4),
                malloc(most * 4),
                malloc(most * 4),
                malloc(most * key_bytes),
                malloc(most * key_bytes),
                0};
    clscan_segment_sums sums = {.struct_size = sizeof sums};
    clscan_run_args args = {.struct_size = sizeof args, .count = count};
    clscan_error error = {0};
    unsigned wrong = 0;

    assert_true(a.elements != NULL && a.outputs != NULL && a.sums != NULL && a.offsets != NULL && a.keys != NULL &&
                a.first_keys != NULL);
    expect_of(r, count, pattern, &a);
    args.in = (clscan_memory){.buffer = test_buffer(r->live, CL_MEM_READ_WRITE, most * 4, a.elements)};
    args.segments = (clscan_memory){.buffer = test_buffer(r->live, CL_MEM_READ_ONLY, most * key_bytes, a.keys)};
    if (r->asked == REDUCTION) {
        sums.sums = room(r->live, count, 4);
        sums.keys = room(r->live, count, key_bytes);
        sums.offsets = room(r->live, count + 1, 4);
        sums.number = room(r->live, 1, 4);
        sums.capacity = count;
        args.segment_sums = &sums;
    } else {
        args.out = room(r->live, count, 4);
    }
    assert_status(CLSCAN_OK, clscan_run(r->plan, r->workspace, r->live->queue, &args, 0, NULL, NULL, &error), &error);
    if (r->asked == REDUCTION) {
        wrong += wrong_units(r, &sums.sums, a.sums, a.segments, count, 4, "sums");
        wrong += wrong_units(r, &sums.keys, a.first_keys, a.segments, count, key_bytes, "keys");
        wrong += wrong_units(r, &sums.offsets, a.offsets, a.segments + 1, count + 1, 4, "offsets");
        wrong += wrong_units(r, &sums.number, &a.segments, 1, 1, 4, "number");
    } else {
        wrong += wrong_units(r, &args.out, a.outputs, count, count, 4, "outputs");
    }
    if (wrong > 0)
        print_error("above: count %llu, pattern %u\n", (unsigned long long)count, pattern);
    clReleaseMemObject(args.in.buffer);
    clReleaseMemObject(args.segments.buffer);
    free(a.elements);
    free(a.outputs);
    free(a.sums);
    free(a.offsets);
    free(a.keys);
    free(a.first_keys);
    return wrong;
}

static clscan_segments segments_of(const struct kind *of)
{
    return (clscan_segments){.struct_size = sizeof(clscan_segments),
                             .by = CLSCAN_BY_KEYS,
                             .type = of->type,
                             .key = of->key,
                             .equal = of->equal};
}

/* Each kind of keys with each kind of run; carries and bodies take turns. */
static void every_kind(void **state)
{
    const test_live *live = *state;
    test_variants list = test_representatives(CLSCAN_INT32, 16, 2, &live->info);
    unsigned failures = 0;

    test_keep_new_axes(&list, TEST_EACH_VALUE);
    for (size_t i = 0, next = 0; i < (size_t)KIND_COUNT * ASKED_COUNT; ++i) {
        const struct kind *of = &kinds[i % KIND_COUNT];
        const asked what = (asked)((i + i / KIND_COUNT) % ASKED_COUNT);
        const clscan_segments segments = segments_of(of);
        clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 1);
        clscan_plan_options options = {.struct_size = sizeof options};
        rig r = {.live = live, .of = of, .asked = what};
        unsigned failed = 0;

        if (i >= (size_t)KIND_COUNT * (test_thorough() ? 2 : 1))
            break;
        if (!test_takes(i, 3))
            continue;
        problem.segments = &segments;
        if (what == REDUCTION)
            problem.operation = CLSCAN_REDUCE;
        if (what == EXCLUSIVE_REVERSE) {
            problem.form = CLSCAN_EXCLUSIVE;
            problem.direction = CLSCAN_REVERSE;
        }
        options.variant = test_next_legal(&list, &next, &problem, 0, &live->info);
        assert_non_null(options.variant);
        r.tile = clscan_variant_tile_count(options.variant);
        problem.max_count = MOST_TILES * r.tile + 3;
        test_plan_create(live, &problem, &options, &r.plan, &r.workspace);
        const uint64_t counts[] = {0, 1, 2, r.tile - 1, r.tile, r.tile + 1, MOST_TILES * r.tile + 3};

        for (size_t j = 0; j < sizeof counts / sizeof counts[0]; ++j)
            for (unsigned pattern = 0; pattern < PATTERN_COUNT; ++pattern)
                failed += run_case(&r, counts[j], pattern);
        if (failed > 0)
            print_error("above: %s, kind of run %d, carry %u, body %u\n", of->name, (int)what, options.variant->carry,
                        options.variant->body);
        failures += failed;
        clscan_workspace_destroy(r.workspace);
        clscan_plan_destroy(r.plan);
    }
    free(list.items);
    assert_int_equal(failures, 0);
}

/* A plan that is refused, for what `culprit` names; compile errors have `log` in the build log, where the compiler goes
 * by #line: NVIDIA's does not. */
static void refuse(const test_live *live, const clscan_segments *segments, clscan_status expected, const char *culprit,
                   const char *log)
{
    clscan_problem problem = test_problem(CLSCAN_INT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 100);
    clscan_plan *plan = NULL;
    clscan_error error = {0};

    if (live->info.device_class != CLSCAN_DEVICE_CLASS_CPU)
        log = NULL;
    problem.segments = segments;
    assert_status(expected, clscan_plan_create(live->context, live->device, &problem, NULL, &plan, &error), &error);
    if (strstr(error.message, culprit) == NULL || (log != NULL && strstr(error.build_log, log) == NULL))
        print_error("%s\n%s\n", error.message, error.build_log);
    assert_non_null(strstr(error.message, culprit));
    assert_true(log == NULL || strstr(error.build_log, log) != NULL);
    assert_null(plan);
}

static void refused_plans(void **state)
{
    static const clscan_map empty = {.struct_size = sizeof empty, .expression = " "},
                            ours = {.struct_size = sizeof ours, .expression = "clscan_differ(left, right)"},
                            no_expression = {.struct_size = sizeof no_expression};
    static const clscan_map_argument argument = {.struct_size = sizeof argument, .name = "limit", .type = CLSCAN_INT32};
    static const clscan_map with_argument = {.struct_size = sizeof with_argument,
                                             .expression = "left - right < limit",
                                             .arguments = &argument,
                                             .argument_count = 1};
    const test_live *live = *state;
    const clscan_segments keys = {.struct_size = sizeof keys, .by = CLSCAN_BY_KEYS, .type = CLSCAN_INT32};
    clscan_segments wrong = {.struct_size = sizeof wrong, .by = CLSCAN_BY_FLAGS, .equal = &same_tens};
    clscan_element too_large = wide;

    refuse(live, &wrong, CLSCAN_ERROR_INVALID_VALUE, "problem->segments->equal", NULL);
    wrong = (clscan_segments){.struct_size = sizeof wrong, .by = CLSCAN_BY_OFFSETS, .type = CLSCAN_INT32, .key = &pair};
    refuse(live, &wrong, CLSCAN_ERROR_INVALID_VALUE, "problem->segments->key", NULL);
    wrong = keys;
    wrong.key = &pair;
    refuse(live, &wrong, CLSCAN_ERROR_INVALID_VALUE, "problem->segments->type", NULL);
    wrong.type = 0;
    wrong.key = &point;
    refuse(live, &wrong, CLSCAN_ERROR_NULL_ARGUMENT, "problem->segments->equal", NULL);
    too_large.size_bytes = 72;
    wrong.key = &too_large;
    refuse(live, &wrong, CLSCAN_ERROR_UNSUPPORTED_TYPE, "problem->segments->key", NULL);
    wrong = keys;
    wrong.equal = &empty;
    refuse(live, &wrong, CLSCAN_ERROR_INVALID_VALUE, "problem->segments->equal", NULL);
    wrong.equal = &no_expression;
    refuse(live, &wrong, CLSCAN_ERROR_NULL_ARGUMENT, "problem->segments->equal", NULL);
    wrong.equal = &ours;
    refuse(live, &wrong, CLSCAN_ERROR_INVALID_VALUE, "clscan_differ", NULL);
    wrong.equal = &with_argument;
    refuse(live, &wrong, CLSCAN_ERROR_INVALID_VALUE, "problem->segments->equal", NULL);
}

/* What the caller wrote is at fault, with its lines. */
static void mistakes_in_sources(void **state)
{
    static const clscan_map missing = {.struct_size = sizeof missing, .expression = "left ==\nnothing"},
                            in_source = {.struct_size = sizeof in_source,
                                         .expression = "same(left, right)",
                                         .source = "int same(int a, int b)\n{\n    return a == nothing;\n}"},
                            of_wrong = {.struct_size = sizeof of_wrong, .expression = "left.x == right.x"},
                            no_number = {.struct_size = sizeof no_number, .expression = "left"};
    const test_live *live = *state;
    clscan_segments wrong = {.struct_size = sizeof wrong, .by = CLSCAN_BY_KEYS, .type = CLSCAN_INT32};
    clscan_element other = point;
    clscan_element broken = point;

    wrong.equal = &missing;
    refuse(live, &wrong, CLSCAN_ERROR_MAP_SOURCE, "problem->segments->equal->expression", "equal:2");
    wrong.equal = &in_source;
    refuse(live, &wrong, CLSCAN_ERROR_MAP_SOURCE, "problem->segments->equal->source", "source of equal:3");
    other.size_bytes = 16;
    wrong = (clscan_segments){.struct_size = sizeof wrong, .by = CLSCAN_BY_KEYS, .key = &other, .equal = &of_wrong};
    refuse(live, &wrong, CLSCAN_ERROR_ELEMENT_SOURCE, "problem->segments->key", NULL);
    broken.source = "typedef struct point { nothing x; } point;";
    wrong.key = &broken;
    refuse(live, &wrong, CLSCAN_ERROR_ELEMENT_SOURCE, "problem->segments->key->source", "nothing");
    wrong.key = &point;
    wrong.equal = &no_number;
    refuse(live, &wrong, CLSCAN_ERROR_MAP_SOURCE, "problem->segments->equal->expression", "equal:1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind),
        cmocka_unit_test(refused_plans),
        cmocka_unit_test(mistakes_in_sources),
    };
    return cmocka_run_group_tests_name("keys of segments", tests, test_live_setup, test_live_teardown);
}
