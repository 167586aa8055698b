/* Input, sum and output of types that differ, and maps between them: each body and carry that serves more than plain
 * problems scans them as a serial loop does. Combinations go round over the structures. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "composed_run.h"
#include "config/variant.h"
#include "engine/strategy.h"
#include "live.h"
#include "program_specs.h"
#include "random.h"

/* A sum on the host; each combination has its own member. */
typedef union sum {
    int64_t i;
    double d;
    float f;
    uint32_t pair[2];
    unsigned char bytes[CLSCAN__MOST_SUM_BYTES];
} sum;

typedef struct combination {
    const char *name;
    clscan__elements elements;
    const clscan_custom_operator *op; /* NULL: sums are added */
    unsigned char in_mask;            /* of each byte of an input */
    sum (*load)(const unsigned char *element, uint64_t index);
    void (*store)(sum value, sum previous, const unsigned char *element, uint64_t index, unsigned char *output);
} combination;

/* What the maps' arguments are. */
static const int32_t scale = 3, table[4] = {5, -7, 11, 2};

static sum load_int8(const unsigned char *element, uint64_t index)
{
    (void)index;
    return (sum){.i = (signed char)element[0]};
}

static void store_int64(sum value, sum previous, const unsigned char *element, uint64_t index, unsigned char *output)
{
    (void)previous, (void)element, (void)index;
    memcpy(output, &value.i, sizeof value.i);
}

static sum load_uint32(const unsigned char *element, uint64_t index)
{
    uint32_t read;

    (void)index;
    memcpy(&read, element, sizeof read);
    return (sum){.i = (int64_t)read};
}

/* Floats of small integers: the bits of an input are masked, so each is made of its lowest three. */
static sum load_float(const unsigned char *element, uint64_t index)
{
    float read;

    (void)index;
    memcpy(&read, element, sizeof read);
    return (sum){.d = (double)read};
}

static void store_float(sum value, sum previous, const unsigned char *element, uint64_t index, unsigned char *output)
{
    const float written = (float)value.d;

    (void)previous, (void)element, (void)index;
    memcpy(output, &written, sizeof written);
}

static const uint16_t halves[8] = {0, 0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600, 0xc700}; /* 0 to 6, and -7 */

static sum load_half(const unsigned char *element, uint64_t index)
{
    uint16_t read;
    sum value = {.i = 0};

    (void)index;
    memcpy(&read, element, sizeof read);
    for (int i = 0; i < 8; ++i)
        if (halves[i] == read)
            value.f = i == 7 ? -7.0f : (float)i;
    return value;
}

static void store_sum_of_half(sum value, sum previous, const unsigned char *element, uint64_t index,
                              unsigned char *output)
{
    (void)previous, (void)element, (void)index;
    memcpy(output, &value.f, sizeof value.f);
}

static sum load_narrow(const unsigned char *element, uint64_t index)
{
    int16_t second;

    (void)index;
    memcpy(&second, element + 2, sizeof second);
    return (sum){.pair = {element[0] | 1u, (uint32_t)(int32_t)second}};
}

static void store_narrow(sum value, sum previous, const unsigned char *element, uint64_t index, unsigned char *output)
{
    const uint32_t written = value.pair[0] ^ value.pair[1];

    (void)previous, (void)element, (void)index;
    memcpy(output, &written, sizeof written);
}

static sum load_index(const unsigned char *element, uint64_t index)
{
    (void)element;
    return (sum){.i = (int64_t)(index * index + 1)};
}

static void store_uint32(sum value, sum previous, const unsigned char *element, uint64_t index, unsigned char *output)
{
    const uint32_t written = (uint32_t)value.i;

    (void)previous, (void)element, (void)index;
    memcpy(output, &written, sizeof written);
}

static int64_t int32_of(const unsigned char *element)
{
    int32_t read;

    memcpy(&read, element, sizeof read);
    return read;
}

static sum load_square(const unsigned char *element, uint64_t index)
{
    return (sum){.i = int32_of(element) * int32_of(element) * scale + table[index % 4]};
}

static sum load_int32(const unsigned char *element, uint64_t index)
{
    (void)index;
    return (sum){.i = int32_of(element)};
}

static void store_all(sum value, sum previous, const unsigned char *element, uint64_t index, unsigned char *output)
{
    const int64_t written = value.i * 3 + previous.i * 5 + int32_of(element) * 7 + (int64_t)index + table[index % 4];

    memcpy(output, &written, sizeof written);
}

static void store_generated(sum value, sum previous, const unsigned char *element, uint64_t index,
                            unsigned char *output)
{
    const int64_t written = value.i - previous.i * 2 + (int64_t)index;

    (void)element;
    memcpy(output, &written, sizeof written);
}

static const clscan__custom_type narrow = {"narrow", "typedef struct narrow { uchar a; short b; } narrow;", 4, 2, 0};
static const clscan__custom_type pair = {"pair", "typedef struct pair { uint a, b; } pair;", 8, 4, 0};
static const clscan_custom_operator then = {
    .source = "pair then(pair l, pair r) { pair s = {l.a * r.a, r.a * l.b + r.b}; return s; }",
    .function = "then",
    .identity = "((pair){1, 0})"};
static const clscan__map_argument arguments[] = {{.name = "scale", .type = "int"},
                                                 {.name = "table", .type = "__global const int *"}};

static const clscan__maps narrow_maps = {.load_source = "pair widen(narrow e) { pair s = {e.a | 1u, e.b}; return s; }",
                                         .load = "widen(element)",
                                         .store = "sum.a ^ sum.b"};
static const clscan__maps index_maps = {.load = "index * index + 1", .generates = true};
static const clscan__maps generator_maps = {
    .load = "index * index + 1", .store = "sum - previous * 2 + index", .generates = true, .keeps_previous = true};
static const clscan__maps square_maps = {
    .load = "(long)element * element * scale + table[index % 4]", .arguments = arguments, .argument_count = 2};
static const clscan__maps all_maps = {.store =
                                          "sum * 3 + previous * 5 + (long)element * 7 + (long)index + table[index % 4]",
                                      .keeps_previous = true,
                                      .keeps_element = true,
                                      .arguments = arguments,
                                      .argument_count = 2};

#define SCALAR(name)          \
    {                         \
        .type = CLSCAN_##name \
    }
static const combination combinations[] = {
    {"int8, int64, int64",
     {SCALAR(INT8), SCALAR(INT64), SCALAR(INT64), NULL, NULL},
     NULL,
     0xff,
     load_int8,
     store_int64},
    {"narrow, pair, uint32",
     {{.custom = &narrow}, {.custom = &pair}, SCALAR(UINT32), &narrow_maps, NULL},
     &then,
     0xff,
     load_narrow,
     store_narrow},
    {"index, uint64, uint32",
     {SCALAR(UINT8), SCALAR(UINT64), SCALAR(UINT32), &index_maps, NULL},
     NULL,
     0xff,
     load_index,
     store_uint32},
    {"sum, previous, element, index",
     {SCALAR(INT32), SCALAR(INT64), SCALAR(INT64), &all_maps, NULL},
     NULL,
     0xff,
     load_int32,
     store_all},
    {"half, float, float",
     {SCALAR(HALF), SCALAR(FLOAT), SCALAR(FLOAT), NULL, NULL},
     NULL,
     0x07,
     load_half,
     store_sum_of_half},
    {"square, int64, int32",
     {SCALAR(INT32), SCALAR(INT64), SCALAR(INT32), &square_maps, NULL},
     NULL,
     0x7f,
     load_square,
     store_uint32},
    {"uint32, uint64, uint64",
     {SCALAR(UINT32), SCALAR(UINT64), SCALAR(UINT64), NULL, NULL},
     NULL,
     0xff,
     load_uint32,
     store_int64},
    {"float, double, float",
     {SCALAR(FLOAT), SCALAR(DOUBLE), SCALAR(FLOAT), NULL, NULL},
     NULL,
     0x07,
     load_float,
     store_float},
    {"index, int64, previous",
     {SCALAR(UINT8), SCALAR(INT64), SCALAR(INT64), &generator_maps, NULL},
     NULL,
     0xff,
     load_index,
     store_generated},
};

/* What is asked about a variant, for elements of 8 bytes. */
static const clscan_problem scalars = {.struct_size = sizeof scalars, .type = CLSCAN_UINT64, .op = CLSCAN_ADD};

typedef struct maps_case {
    uint64_t count, in_offset, out_offset;
    bool in_place, initial, initial_in_buffer;
} maps_case;

typedef struct rig {
    const test_live *live;
    clscan__program_spec spec;
    const combination *of;
    composed_program made;
    cl_mem table;
} rig;

static sum join(const combination *of, sum left, sum right)
{
    const clscan__element *element = &of->elements.sum;

    if (of->op != NULL)
        return (sum){.pair = {left.pair[0] * right.pair[0], right.pair[0] * left.pair[1] + right.pair[1]}};
    if (element->type == CLSCAN_DOUBLE)
        return (sum){.d = left.d + right.d};
    if (element->type == CLSCAN_FLOAT)
        return (sum){.f = left.f + right.f};
    return (sum){.i = left.i + right.i};
}

static sum identity(const combination *of)
{
    return of->op != NULL ? (sum){.pair = {1, 0}} : (sum){.i = 0};
}

static void fill(const combination *of, unsigned char *data, size_t bytes, uint32_t seed)
{
    for (size_t i = 0; i < bytes; ++i)
        data[i] = (unsigned char)(next_random(&seed) >> 24) & of->in_mask;
    if (of->load == load_half)
        for (size_t i = 0; i + 1 < bytes; i += 2)
            memcpy(data + i, &halves[data[i]], 2);
    for (size_t i = 0; of->load == load_float && i + 3 < bytes; i += 4) {
        const float value = (float)data[i];
        memcpy(data + i, &value, 4);
    }
}

/* Overwrites in `expected` what the scan does. `at`: the first input. Returns the total. */
static sum reference(const rig *r, const maps_case *c, const unsigned char *at, sum initial, unsigned char *expected)
{
    const size_t in_bytes = clscan__element_bytes(&r->of->elements.in);
    const size_t out_bytes = clscan__element_bytes(&r->of->elements.out);
    const bool reverse = r->spec.direction == CLSCAN_REVERSE;
    sum value = c->initial ? initial : identity(r->of);

    for (uint64_t k = 0; k < c->count; ++k) {
        const uint64_t index = reverse ? c->count - 1 - k : k;
        const sum own = r->of->load(at + index * in_bytes, index), previous = value;

        value = reverse ? join(r->of, own, value) : join(r->of, value, own);
        r->of->store(r->spec.form == CLSCAN_INCLUSIVE ? value : previous, previous, at + index * in_bytes, index,
                     expected + (c->out_offset + index) * out_bytes);
    }
    return value;
}

static unsigned complain(const rig *r, const maps_case *c, const char *what, size_t at)
{
    char variant[256];

    clscan_variant_format(&r->spec.variant, variant, sizeof variant);
    printf("%s; %s, form %d, direction %d, %s: %s differs at %zu, count %u%s\n", r->of->name, variant,
           (int)r->spec.form, (int)r->spec.direction, c->in_place ? "in place" : "out of place", what, at,
           (unsigned)c->count, r->spec.hold_interval > 0 ? ", owners hold back" : "");
    return 1;
}

static unsigned run_case(const rig *r, const maps_case *c)
{
    const test_live *live = r->live;
    const size_t in_bytes = clscan__element_bytes(&r->of->elements.in);
    const size_t out_bytes = clscan__element_bytes(&r->of->elements.out);
    const size_t sum_bytes = clscan__element_bytes(&r->of->elements.sum);
    const size_t in_size = (c->count + c->in_offset + 3) * in_bytes,
                 out_size = (c->count + c->out_offset + 3) * out_bytes;
    const bool generates = r->of->elements.maps != NULL && r->of->elements.maps->generates;
    unsigned char *in = calloc(1, in_size), *expected = malloc(out_size), *got = malloc(out_size);
    unsigned char ends[2 * CLSCAN__MOST_SUM_BYTES] = {0};
    clscan__run run = {.in_offset = c->in_offset,
                       .out_offset = c->out_offset,
                       .count = c->count,
                       .total_offset = 1,
                       .flags = CLSCAN__FLAG_TOTAL};
    unsigned failures = 0;
    sum initial, total;

    assert_true(in != NULL && expected != NULL && got != NULL);
    fill(r->of, in, in_size, (uint32_t)c->count);
    memset(expected, 0xa5, out_size);
    if (c->in_place)
        memcpy(expected, in, out_size);
    initial = r->of->load(in, 3);
    memcpy(ends, &initial, sum_bytes);
    run.out = test_buffer(live, CL_MEM_READ_WRITE, out_size, expected);
    run.in = c->in_place || generates ? run.out : test_buffer(live, CL_MEM_READ_WRITE, in_size, in);
    run.total_buffer = run.initial_buffer = test_buffer(live, CL_MEM_READ_WRITE, sizeof ends, ends);
    run.state_buffer = run.out;
    total = reference(r, c, in + c->in_offset * in_bytes, initial, expected);
    if (c->initial && !c->initial_in_buffer)
        memcpy(run.initial, &initial, sum_bytes);
    if (c->initial)
        run.flags |= c->initial_in_buffer ? CLSCAN__FLAG_INITIAL_BUFFER : CLSCAN__FLAG_INITIAL_VALUE;
    if (c->in_place)
        run.flags |= CLSCAN__FLAG_IN_PLACE;
    if (r->of->elements.maps != NULL && r->of->elements.maps->argument_count > 0) {
        run.map_arguments[0].size_bytes = sizeof scale;
        run.map_arguments[0].value = &scale;
        run.map_arguments[1].size_bytes = sizeof r->table;
        run.map_arguments[1].value = &r->table;
        run.map_argument_count = 2;
    }
    composed_program_run(live, &r->made, &r->spec, sum_bytes, &run);
    test_read(live, run.out, out_size, got);
    for (size_t i = 0; i < out_size && failures == 0; ++i)
        if (got[i] != expected[i])
            failures += complain(r, c, "output", i / out_bytes);
    test_read(live, run.total_buffer, sizeof ends, ends);
    if (memcmp(ends + sum_bytes, &total, sum_bytes) != 0)
        failures += complain(r, c, "total", 0);
    if (run.in != run.out)
        clReleaseMemObject(run.in);
    clReleaseMemObject(run.out);
    clReleaseMemObject(run.total_buffer);
    free(in), free(expected), free(got);
    return failures;
}

static unsigned run_program(const test_live *live, const clscan__program_spec *spec, const combination *of)
{
    const uint64_t tile = clscan_variant_tile_count(&spec->variant);
    const uint64_t counts[] = {1, tile - 1, tile, 5 * tile / 2 + 1, 9 * tile + 3, 6 * tile};
    const bool generates = of->elements.maps != NULL && of->elements.maps->generates;
    const bool may_be_in_place =
        !generates && clscan__element_bytes(&of->elements.in) == clscan__element_bytes(&of->elements.out);
    rig r = {.live = live, .spec = *spec, .of = of, .made = composed_program_build(live, spec)};
    unsigned failures = 0;

    r.table = test_buffer(live, CL_MEM_READ_ONLY, sizeof table, table);
    for (size_t i = 0; i < COUNT_OF(counts); ++i) {
        const bool in_place = may_be_in_place && i % 2 == 1;
        const maps_case c = {.count = counts[i],
                             .in_offset = i % 3,
                             .out_offset = in_place ? i % 3 : i / 2 % 3,
                             .in_place = in_place,
                             .initial = i % 3 == 1,
                             .initial_in_buffer = i % 2 == 0};
        if (c.count > 0 && clscan_variant_check(&spec->variant, &scalars, c.in_place, spec->device, NULL) == CLSCAN_OK)
            failures += run_case(&r, &c);
    }
    clReleaseMemObject(r.table);
    composed_program_release(&r.made);
    return failures;
}

/* The combination that is due, unless the device lacks its types or local memory for it. */
static const combination *due(const test_live *live, const clscan_variant *variant, size_t *step)
{
    for (;; ++*step) {
        const combination *of = &combinations[*step % COUNT_OF(combinations)];
        const size_t bytes = clscan__elements_held_bytes(&of->elements);

        if ((of->elements.sum.custom == NULL && !test_type_runs(live, of->elements.sum.type)) ||
            clscan_variant_local_bytes(variant, &scalars) * ((bytes + 7) / 8) > live->info.local_memory_bytes)
            continue;
        return of;
    }
}

static clscan__program_spec spec_of(const test_live *live, const combination *of, const clscan_variant *variant,
                                    size_t step)
{
    return (clscan__program_spec){.device = &live->info,
                                  .type = CLSCAN_INT32,
                                  .elements = &of->elements,
                                  .op = of->op != NULL ? CLSCAN_CUSTOM : CLSCAN_ADD,
                                  .custom = of->op,
                                  .form = step / 2 % 2 == 0 ? CLSCAN_INCLUSIVE : CLSCAN_EXCLUSIVE,
                                  .direction = step % 2 == 0 ? CLSCAN_FORWARD : CLSCAN_REVERSE,
                                  .variant = *variant,
                                  .poll_limit = 1u << 18};
}

/* Every carry, in each order that it has, with every body; the group scans go round. */
static void every_body_and_carry_passes_maps(void **state)
{
    const test_live *live = *state;
    unsigned failures = 0;
    size_t step = 0;

    for (int body = 0; body < CLSCAN_BODY_COUNT; ++body)
        for (size_t i = 0; i < CARRIES_WITH_ORDERS; ++i)
            for (size_t turn = 0; turn < CLSCAN_GROUP_SCAN_COUNT; ++turn) {
                clscan_variant variant =
                    small_variant((clscan_body)body, (clscan_group_scan)((i + turn) % CLSCAN_GROUP_SCAN_COUNT),
                                  carries_with_orders[i].carry, carries_with_orders[i].order);
                const combination *of;
                clscan__program_spec spec;

                if (clscan__variant_baseline(&variant) != NULL ||
                    clscan_variant_check(&variant, &scalars, 0, &live->info, NULL) != CLSCAN_OK)
                    continue;
                if (!clscan__variant_is_cached(&variant)) {
                    variant.vector_length = step % 3 == 0 ? 4 : 2;
                    variant.register_pieces = step % 4 == 0 ? 2 : 1;
                }
                if (clscan__variant_is_transposed(&variant))
                    variant.thread_group_size = 8;
                of = due(live, &variant, &step);
                spec = spec_of(live, of, &variant, step);
                if (clscan__variant_has_order(&variant) && step % 4 == 3) {
                    spec.hold_interval = 3;
                    spec.poll_limit = 16;
                }
                if (test_takes(step, 5))
                    failures += run_program(live, &spec, of);
                ++step;
                break;
            }
    assert_true(step > 0);
    assert_int_equal(failures, 0);
}

/* Each combination that can be copied ahead, through tiles of one, two and three vectors of 16 bytes, in every form. */
static void what_lands_passes_maps(void **state)
{
    const test_live *live = *state;
    unsigned failures = 0;
    size_t landed = 0;

    if (live->info.nv_compute_capability < 80 || live->info.no_sub_groups)
        skip();
    for (size_t i = 0; i < COUNT_OF(combinations); ++i)
        for (size_t step = 0; step < 12; ++step) {
            clscan_variant variant = small_variant(CLSCAN_BODY_SUBGROUP_ROWS, CLSCAN_GROUP_SCAN_SUBGROUP,
                                                   CLSCAN_CARRY_LOOKAHEAD, CLSCAN_ORDER_PERSISTENT);
            size_t at = i;
            const combination *of = due(live, &variant, &at);
            clscan__program_spec spec;

            if (at != i || !clscan__elements_land(&of->elements))
                continue;
            variant.landing_zones = 1;
            variant.vector_length = (uint32_t)(16 / clscan__element_bytes(&of->elements.in));
            variant.register_pieces = (uint32_t)(1 + step / 4);
            spec = spec_of(live, of, &variant, step);
            if (step >= 8) {
                spec.hold_interval = 3;
                spec.poll_limit = 16;
            }
            failures += run_program(live, &spec, of);
            ++landed;
        }
    assert_true(landed > 0);
    assert_int_equal(failures, 0);
}

/* Each combination through one variant; forms go round. */
static void every_combination(void **state)
{
    const test_live *live = *state;
    clscan_variant variant =
        small_variant(CLSCAN_BODY_CACHED_ROWS, CLSCAN_GROUP_SCAN_BRENT_KUNG, CLSCAN_CARRY_SINGLE, CLSCAN_ORDER_NONE);
    unsigned failures = 0;

    for (size_t i = 0; i < COUNT_OF(combinations); ++i) {
        size_t at = i;
        const combination *of = due(live, &variant, &at);
        const clscan__program_spec spec = spec_of(live, of, &variant, i);

        if (at == i)
            failures += run_program(live, &spec, of);
    }
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_body_and_carry_passes_maps),
        cmocka_unit_test(what_lands_passes_maps),
        cmocka_unit_test(every_combination),
    };

    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
