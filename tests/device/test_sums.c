/* Elements of the caller's own types: what travels between work-items is a sum of any size. Programs are composed for
 * each structure of a variant, and launched as plans do it; types and forms go round. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "combine.h"
#include "composed_run.h"
#include "config/variant.h"
#include "engine/strategy.h"
#include "live.h"
#include "program/compile.h"
#include "program_specs.h"
#include "random.h"

/* A type with an operator that is exact, associative and, but for the first, not commutative. */
typedef struct sample {
    clscan__custom_type type;
    clscan_custom_operator op;
    void (*combine)(const void *left, const void *right, void *result);
    uint32_t seed_mask; /* of each 32 bits of an element; elements of few bits keep products apart */
} sample;

static void combine_vectors(const void *left, const void *right, void *result)
{
    uint32_t l[4], r[4];

    memcpy(l, left, sizeof l);
    memcpy(r, right, sizeof r);
    for (size_t i = 0; i < 4; ++i)
        l[i] += r[i];
    memcpy(result, l, sizeof l);
}

/* The last one that is set, and how many are: a short, padding, an int and a short, 12 bytes. */
typedef struct marked {
    int16_t set;
    int32_t value;
    int16_t count;
} marked;

static void combine_marked(const void *left, const void *right, void *result)
{
    marked l, r, both = {0};

    memcpy(&l, left, sizeof l);
    memcpy(&r, right, sizeof r);
    both.set = (int16_t)(l.set | r.set);
    both.value = (r.set & 1) != 0 ? r.value : l.value;
    both.count = (int16_t)(l.count + r.count);
    memcpy(result, &both, sizeof both);
}

static const sample samples[] = {
    {.type = {"pair", "typedef struct pair { uint a, b; } pair;", 8, 4},
     .op = {.source = "pair then(pair l, pair r) { pair s = {l.a * r.a, r.a * l.b + r.b}; return s; }",
            .function = "then",
            .identity = "((pair){1, 0})"},
     .combine = combine_affine,
     .seed_mask = 0xffffffffu},
    {.type = {"maps", "typedef struct maps { uint8 a, b; } maps;", 64, 32},
     .op = {.source = "maps after(maps l, maps r) { maps s = {l.a * r.a, r.a * l.b + r.b}; return s; }",
            .function = "after"},
     .combine = combine_maps,
     .seed_mask = 0xffffffffu},
    {.type = {"bytes", "typedef struct bytes { uchar a, b, count; } bytes;", 3, 1},
     .op = {.source = "bytes join(bytes l, bytes r)\n"
                      "{ bytes s = {l.a * r.a, r.a * l.b + r.b, l.count + r.count}; return s; }",
            .function = "join",
            .identity = "((bytes){1, 0, 0})"},
     .combine = combine_bytes,
     .seed_mask = 0xffffffffu},
    {.type = {"uint4", "", 16, 16},
     .op = {.source = "uint4 add4(uint4 l, uint4 r) { return l + r; }", .function = "add4", .identity = "(uint4)(0)"},
     .combine = combine_vectors,
     .seed_mask = 0xffffffffu},
    {.type = {"marked", "typedef struct marked { short set; int value; short count; } marked;", 12, 4},
     .op = {.source = "marked last(marked l, marked r)\n"
                      "{\n    marked s;\n    s.set = l.set | r.set;\n    s.value = r.set & 1 ? r.value : l.value;\n"
                      "    s.count = l.count + r.count;\n    return s;\n}",
            .function = "last"},
     .combine = combine_marked,
     .seed_mask = 0x00070007u},
};

enum { BYTES_MAX = 64 };

/* What is asked about a variant, for elements of 8 bytes. */
static const clscan_problem scalars = {.struct_size = sizeof scalars, .type = CLSCAN_UINT64, .op = CLSCAN_ADD};

/* A case of one program. */
typedef struct sums_case {
    uint64_t count;
    uint64_t offset; /* of input and output, in elements; the output's is one more in every second case */
    bool in_place, initial, initial_in_buffer;
} sums_case;

typedef struct rig {
    const test_live *live;
    clscan__program_spec spec;
    const sample *of;
    composed_program made;
} rig;

static void fill(const sample *of, unsigned char *data, uint64_t count, uint32_t seed)
{
    /* Byte by byte; padding of `marked` is not looked at. */
    for (uint64_t i = 0; i < count * of->type.size_bytes; ++i)
        data[i] = (unsigned char)(next_random(&seed) >> 24) & (unsigned char)(of->seed_mask >> 8 * (i % 4));
}

static bool same(const sample *of, const unsigned char *left, const unsigned char *right)
{
    marked l, r;

    if (of->combine != combine_marked)
        return memcmp(left, right, of->type.size_bytes) == 0;
    memcpy(&l, left, sizeof l);
    memcpy(&r, right, sizeof r);
    return l.set == r.set && l.value == r.value && l.count == r.count;
}

static void identity_of(const sample *of, unsigned char *value)
{
    static const uint32_t pair[2] = {1, 0};

    memset(value, 0, BYTES_MAX);
    if (of->combine == combine_affine)
        memcpy(value, pair, sizeof pair);
    if (of->combine == combine_bytes)
        value[0] = 1;
}

/* The scan in `expected`; *total receives what follows the last element. */
static void reference(const rig *r, const unsigned char *in, const unsigned char *initial, uint64_t count,
                      unsigned char *expected, unsigned char *total)
{
    const size_t bytes = r->of->type.size_bytes;
    const bool reverse = r->spec.direction == CLSCAN_REVERSE;
    unsigned char sum[BYTES_MAX];
    bool present = initial != NULL;

    identity_of(r->of, sum);
    if (present)
        memcpy(sum, initial, bytes);
    for (uint64_t k = 0; k < count; ++k) {
        const uint64_t at = reverse ? count - 1 - k : k;

        if (r->spec.form == CLSCAN_EXCLUSIVE)
            memcpy(expected + at * bytes, sum, bytes);
        if (!present)
            memcpy(sum, in + at * bytes, bytes);
        else if (reverse)
            r->of->combine(in + at * bytes, sum, sum);
        else
            r->of->combine(sum, in + at * bytes, sum);
        present = true;
        if (r->spec.form == CLSCAN_INCLUSIVE)
            memcpy(expected + at * bytes, sum, bytes);
    }
    memcpy(total, sum, bytes);
}

static unsigned compare(const rig *r, const unsigned char *got, const unsigned char *expected, uint64_t count,
                        const char *what, const sums_case *c)
{
    const size_t bytes = r->of->type.size_bytes;
    char variant[256];

    for (uint64_t i = 0; i < count; ++i) {
        if (same(r->of, got + i * bytes, expected + i * bytes))
            continue;
        clscan_variant_format(&r->spec.variant, variant, sizeof variant);
        printf("%s, %s, form %d, direction %d, %s: %s %u of %u is wrong%s\n", r->of->type.name, variant,
               (int)r->spec.form, (int)r->spec.direction, c->in_place ? "in place" : "out of place", what, (unsigned)i,
               (unsigned)c->count, r->spec.hold_interval > 0 ? ", owners hold back" : "");
        return 1;
    }
    return 0;
}

static unsigned run_case(const rig *r, const sums_case *c)
{
    const test_live *live = r->live;
    const size_t bytes = r->of->type.size_bytes;
    const uint64_t capacity = c->count + c->offset + 2;
    unsigned char *in = calloc(capacity, bytes), *expected = calloc(capacity, bytes), *got = calloc(capacity, bytes);
    unsigned char ends[2 * BYTES_MAX], total[BYTES_MAX], last[BYTES_MAX];
    clscan__run run = {.in_offset = c->offset,
                       .out_offset = c->in_place ? c->offset : c->offset + c->count % 2,
                       .count = c->count,
                       .total_offset = 1,
                       .flags = CLSCAN__FLAG_TOTAL};
    unsigned failures = 0;

    assert_true(in != NULL && expected != NULL && got != NULL);
    fill(r->of, in, capacity, (uint32_t)c->count);
    memset(ends, 0, sizeof ends);
    fill(r->of, ends, 1, 77);
    reference(r, in + c->offset * bytes, c->initial ? ends : NULL, c->count, expected, total);
    run.in = test_buffer(live, CL_MEM_READ_WRITE, capacity * bytes, in);
    run.out = c->in_place ? run.in : test_buffer(live, CL_MEM_READ_WRITE, capacity * bytes, in);
    run.total_buffer = run.initial_buffer = test_buffer(live, CL_MEM_READ_WRITE, sizeof ends, ends);
    run.state_buffer = run.out;
    if (c->initial && !c->initial_in_buffer)
        memcpy(run.initial, ends, bytes);
    if (c->initial)
        run.flags |= c->initial_in_buffer ? CLSCAN__FLAG_INITIAL_BUFFER : CLSCAN__FLAG_INITIAL_VALUE;
    if (c->in_place)
        run.flags |= CLSCAN__FLAG_IN_PLACE;
    composed_program_run(live, &r->made, &r->spec, bytes, &run);
    test_read(live, run.out, capacity * bytes, got);
    failures += compare(r, got + run.out_offset * bytes, expected, c->count, "output", c);
    test_read(live, run.total_buffer, sizeof ends, ends);
    memcpy(last, ends + bytes, bytes);
    failures += compare(r, last, total, 1, "total", c);
    clReleaseMemObject(run.in);
    if (!c->in_place)
        clReleaseMemObject(run.out);
    clReleaseMemObject(run.total_buffer);
    free(in), free(expected), free(got);
    return failures;
}

static unsigned run_program(const test_live *live, const clscan__program_spec *spec, const sample *of)
{
    const uint64_t tile = clscan_variant_tile_count(&spec->variant);
    const bool needs_initial = spec->form == CLSCAN_EXCLUSIVE && of->op.identity == NULL;
    const uint64_t counts[] = {1, tile - 1, tile, 5 * tile / 2 + 1, 9 * tile + 3};
    rig r = {.live = live, .spec = *spec, .of = of, .made = composed_program_build(live, spec)};
    unsigned failures = 0;

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        const sums_case c = {.count = counts[i],
                             .offset = i % 3,
                             .in_place = i % 2 == 1,
                             .initial = needs_initial || i % 3 == 1,
                             .initial_in_buffer = i % 2 == 0};
        if (c.count > 0 && clscan_variant_check(&spec->variant, &scalars, c.in_place, spec->device, NULL) == CLSCAN_OK)
            failures += run_case(&r, &c);
    }
    composed_program_release(&r.made);
    return failures;
}

/* Do sums of so many bytes fit into the device's local memory? */
static bool fits(const clscan_variant *variant, const clscan_device_info *device, size_t sum_bytes)
{
    return clscan_variant_local_bytes(variant, &scalars) * sum_bytes / 8 <= device->local_memory_bytes;
}

/* Types, forms, directions and waits that are spent go round, each with another period. */
static unsigned run_structure(const test_live *live, clscan_variant variant, size_t step)
{
    const sample *of = &samples[step % COUNT_OF(samples)];
    const clscan__elements elements = clscan__elements_of(&of->type);
    clscan__program_spec spec = {.device = &live->info,
                                 .type = CLSCAN_INT32,
                                 .elements = &elements,
                                 .op = CLSCAN_CUSTOM,
                                 .form = step / 2 % 2 == 0 ? CLSCAN_INCLUSIVE : CLSCAN_EXCLUSIVE,
                                 .direction = step % 2 == 0 ? CLSCAN_FORWARD : CLSCAN_REVERSE,
                                 .custom = &of->op,
                                 .poll_limit = 1u << 18};

    /* What is unrolled takes long to compile. */
    if (!clscan__variant_is_cached(&variant)) {
        variant.vector_length = step % 3 == 0 ? 1 : 2;
        variant.register_pieces = step % 4 == 0 ? 2 : 1;
    }
    if (clscan__variant_is_transposed(&variant))
        variant.thread_group_size = 8;
    spec.variant = variant;
    if (clscan__variant_has_order(&variant) && step % 4 == 3) {
        spec.hold_interval = 3;
        spec.poll_limit = 16;
    }
    return run_program(live, &spec, of);
}

/* Every carry, in each order that it has, with every body; the group scans go round. */
static void every_body_and_carry_scan_sums_of_any_size(void **state)
{
    const test_live *live = *state;
    unsigned failures = 0;
    size_t step = 0;

    for (int body = 0; body < CLSCAN_BODY_COUNT; ++body)
        for (size_t i = 0; i < CARRIES_WITH_ORDERS; ++i)
            for (size_t turn = 0; turn < CLSCAN_GROUP_SCAN_COUNT; ++turn) {
                const clscan_group_scan group_scan = (clscan_group_scan)((i + turn) % CLSCAN_GROUP_SCAN_COUNT);
                const clscan_variant variant = small_variant(
                    (clscan_body)body, group_scan, carries_with_orders[i].carry, carries_with_orders[i].order);

                /* The body for CPUs, with a struct of shorts and ints, keeps NVIDIA's compiler busy for ever. */
                if (clscan__variant_is_cached(&variant) && live->info.device_class != CLSCAN_DEVICE_CLASS_CPU)
                    continue;
                if (clscan__variant_baseline(&variant) != NULL ||
                    clscan_variant_check(&variant, &scalars, 0, &live->info, NULL) != CLSCAN_OK)
                    continue;
                while (!fits(&variant, &live->info, samples[step % COUNT_OF(samples)].type.size_bytes))
                    ++step;
                if (test_takes(step, 5))
                    failures += run_structure(live, variant, step);
                ++step;
                break;
            }
    assert_true(step > 0);
    assert_int_equal(failures, 0);
}

/* Many work-groups, each of which looks at the totals of all others: more of them than it has work-items. */
static void totals_of_many_work_groups(void **state)
{
    const test_live *live = *state;
    const bool lands[] = {false, true};
    unsigned failures = 0;

    for (size_t i = 0; i < 3 * COUNT_OF(samples) * COUNT_OF(lands); ++i) {
        const sample *of = &samples[i / 3 % COUNT_OF(samples)];
        const clscan__elements elements = clscan__elements_of(&of->type);
        clscan_variant variant = small_variant(CLSCAN_BODY_SUBGROUP_ROWS, CLSCAN_GROUP_SCAN_SUBGROUP,
                                               CLSCAN_CARRY_LOOKAHEAD, CLSCAN_ORDER_PERSISTENT);
        clscan__program_spec spec = {.device = &live->info,
                                     .type = CLSCAN_INT32,
                                     .elements = &elements,
                                     .op = CLSCAN_CUSTOM,
                                     .form = CLSCAN_INCLUSIVE,
                                     .direction = i % 2 == 0 ? CLSCAN_FORWARD : CLSCAN_REVERSE,
                                     .custom = &of->op,
                                     .poll_limit = 1u << 18};
        sums_case c = {.in_place = i % 3 == 1};
        rig r = {.live = live, .of = of};

        if (!test_takes(i, 10))
            continue;
        variant.work_group_size = 64;
        variant.vector_length = 1;
        variant.register_pieces = 2;
        variant.work_groups_per_unit = 3;
        variant.landing_zones = lands[i / (3 * COUNT_OF(samples))];
        if (clscan_variant_check(&variant, &scalars, c.in_place, &live->info, NULL) != CLSCAN_OK)
            continue;
        if (i % 3 == 2) {
            spec.hold_interval = 101;
            spec.poll_limit = 16;
        }
        spec.variant = variant;
        r.spec = spec;
        r.made = composed_program_build(live, &spec);
        c.count = clscan_variant_tile_count(&variant) * (7 * (uint64_t)live->info.compute_units + 1) + 5;
        failures += run_case(&r, &c);
        composed_program_release(&r.made);
    }
    assert_int_equal(failures, 0);
}

/* Each type through one variant of the general path, in all forms. */
static void every_type_in_every_form(void **state)
{
    const test_live *live = *state;
    const clscan_body body =
        live->info.device_class == CLSCAN_DEVICE_CLASS_CPU ? CLSCAN_BODY_CACHED_ROWS : CLSCAN_BODY_STRIDED;
    const clscan_variant variant =
        small_variant(body, CLSCAN_GROUP_SCAN_BRENT_KUNG, CLSCAN_CARRY_SINGLE, CLSCAN_ORDER_NONE);
    unsigned failures = 0;

    for (size_t i = 0; i < COUNT_OF(samples); ++i)
        for (int form = 0; form < 4; ++form) {
            if (!test_takes(i + (size_t)form, 4))
                continue;
            const clscan__elements elements = clscan__elements_of(&samples[i].type);
            const clscan__program_spec spec = {.device = &live->info,
                                               .type = CLSCAN_INT32,
                                               .elements = &elements,
                                               .op = CLSCAN_CUSTOM,
                                               .form = form / 2 == 0 ? CLSCAN_INCLUSIVE : CLSCAN_EXCLUSIVE,
                                               .direction = form % 2 == 0 ? CLSCAN_FORWARD : CLSCAN_REVERSE,
                                               .custom = &samples[i].op,
                                               .variant = variant,
                                               .poll_limit = 1u << 18};
            failures += run_program(live, &spec, &samples[i]);
        }
    assert_int_equal(failures, 0);
}

/* A type whose size or alignment is another one on the device does not compile. */
static void types_that_differ_on_the_device_are_refused(void **state)
{
    const test_live *live = *state;
    const clscan_variant variant =
        small_variant(CLSCAN_BODY_STRIDED, CLSCAN_GROUP_SCAN_BRENT_KUNG, CLSCAN_CARRY_SINGLE, CLSCAN_ORDER_NONE);

    for (int which = 0; which < 3; ++which) {
        clscan__custom_type type = samples[0].type;
        const clscan__elements elements = clscan__elements_of(&type);
        const clscan__program_spec spec = {.device = &live->info,
                                           .type = CLSCAN_INT32,
                                           .elements = &elements,
                                           .op = CLSCAN_CUSTOM,
                                           .custom = &samples[0].op,
                                           .variant = variant,
                                           .poll_limit = 1u << 18};
        cl_program program = NULL;
        clscan_error error = {0};
        char *source;

        type.size_bytes += which == 1 ? 4 : 0;
        type.align_bytes += which == 2 ? 4 : 0;
        source = composed(&spec);
        assert_status(which == 0 ? CLSCAN_OK : CLSCAN_ERROR_ELEMENT_SOURCE,
                      clscan__program_compile(live->context, live->device, &spec, source, &program, &error), &error);
        if (program != NULL)
            clReleaseProgram(program);
        free(source);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_body_and_carry_scan_sums_of_any_size),
        cmocka_unit_test(totals_of_many_work_groups),
        cmocka_unit_test(every_type_in_every_form),
        cmocka_unit_test(types_that_differ_on_the_device_are_refused),
    };

    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
