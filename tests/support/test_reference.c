/* The tests' own tools: what every other test believes. No device. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "generate.h"
#include "problem_of.h"
#include "reference.h"
#include "selection.h"
#include "variant_sets.h"

static uint32_t bits_from_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void halves_survive_the_round_trip(void **state)
{
    (void)state;
    for (uint32_t half = 0; half <= UINT16_MAX; ++half) {
        const float wide = clscan_half_to_float((uint16_t)half);
        const int nan = (half & 0x7c00u) == 0x7c00u && (half & 0x3ffu) != 0;
        assert_int_equal(clscan_half_from_float(wide), nan ? half | 0x200u : half);
        assert_int_equal(!!isnan(wide), nan);
    }
}

static void halves_have_the_values_of_the_standard(void **state)
{
    (void)state;
    static const struct {
        uint16_t half;
        float value;
    } cases[] = {
        {0x3c00, 1.0f},         {0xc000, -2.0f},       {0x7bff, 65504.0f}, {0x0400, 0x1p-14f},  {0x0001, 0x1p-24f},
        {0x03ff, 0x1.ff8p-15f}, {0x3555, 0x1.554p-2f}, {0x7c00, INFINITY}, {0xfc00, -INFINITY},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        assert_true(clscan_half_to_float(cases[i].half) == cases[i].value);
    assert_int_equal(bits_from_float(clscan_half_to_float(0x8000)), 0x80000000u);
    assert_int_equal(bits_from_float(clscan_half_to_float(0x7e01)), 0x7fc02000u); /* payload */
}

static void floats_round_to_the_nearest_half(void **state)
{
    (void)state;
    static const struct {
        float value;
        uint16_t half;
    } cases[] = {
        {2049.0f, 0x6800},                             /* tie between 2048 and 2050: even is 2048 */
        {2051.0f, 0x6802},                             /* tie between 2050 and 2052: even is 2052 */
        {2049.001f, 0x6801},                           /* past the tie */
        {65519.996f, 0x7bff},                          /* below the tie to infinity */
        {65520.0f, 0x7c00},                            /* the tie to infinity */
        {-1e30f, 0xfc00},          {0x1p-25f, 0x0000}, /* tie between 0 and the smallest subnormal */
        {0x1.000002p-25f, 0x0001},                     /* past it */
        {0x1.8p-24f, 0x0002},                          /* tie between subnormals 1 and 2 */
        {0x1.ffcp-15f, 0x0400},                        /* tie between the largest subnormal and the smallest normal */
        {0x1.ffbp-15f, 0x03ff},    {-0.0f, 0x8000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        assert_int_equal(clscan_half_from_float(cases[i].value), cases[i].half);
}

/* Each float between two neighbouring halves goes to the nearer one. */
static void rounding_agrees_with_distance(void **state)
{
    (void)state;
    for (uint32_t half = 0; half < 0x7bffu; ++half) {
        const float low = clscan_half_to_float((uint16_t)half);
        const float high = clscan_half_to_float((uint16_t)(half + 1));
        const float middle = low + (high - low) / 2; /* exact: floats have 13 more bits */
        assert_int_equal(clscan_half_from_float(middle), half + (half & 1));
        assert_int_equal(clscan_half_from_float(nextafterf(middle, 0.0f)), half);
        assert_int_equal(clscan_half_from_float(nextafterf(middle, high)), half + 1);
    }
}

static void scan_of_int32_in_every_form(void **state)
{
    (void)state;
    static const int32_t in[4] = {1, 2, 3, INT32_MAX};
    const clscan_value initial = clscan_value_from_int(CLSCAN_INT32, 10);
    static const struct {
        clscan_form form;
        clscan_direction direction;
        int initial;
        int32_t out[4];
        int32_t total;
    } cases[] = {
        {CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 0, {1, 3, 6, INT32_MIN + 5}, INT32_MIN + 5},
        {CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 1, {11, 13, 16, INT32_MIN + 15}, INT32_MIN + 15},
        {CLSCAN_EXCLUSIVE, CLSCAN_FORWARD, 0, {0, 1, 3, 6}, INT32_MIN + 5},
        {CLSCAN_EXCLUSIVE, CLSCAN_FORWARD, 1, {10, 11, 13, 16}, INT32_MIN + 15},
        {CLSCAN_INCLUSIVE, CLSCAN_REVERSE, 0, {INT32_MIN + 5, INT32_MIN + 4, INT32_MIN + 2, INT32_MAX}, INT32_MIN + 5},
        {CLSCAN_EXCLUSIVE, CLSCAN_REVERSE, 1, {INT32_MIN + 14, INT32_MIN + 12, INT32_MIN + 9, 10}, INT32_MIN + 15},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const clscan_reference what = {
            .type = CLSCAN_INT32, .op = CLSCAN_ADD, .form = cases[i].form, .direction = cases[i].direction};
        int32_t out[4];
        clscan_value total;
        assert_int_equal(clscan_reference_scan(&what, in, 4, cases[i].initial ? &initial : NULL, out, &total),
                         CLSCAN_OK);
        assert_memory_equal(out, cases[i].out, sizeof out);
        assert_int_equal(total.int32, cases[i].total);
        /* In place as well. */
        memcpy(out, in, sizeof out);
        clscan_reference_scan(&what, out, 4, cases[i].initial ? &initial : NULL, out, NULL);
        assert_memory_equal(out, cases[i].out, sizeof out);
    }
}

static void order_of_operands(void **state)
{
    (void)state;
    static const int32_t in[5] = {0, 7, 0, 9, 0};
    static const int32_t forward[5] = {0, 7, 7, 9, 9};
    static const int32_t reverse[5] = {9, 9, 9, 9, 0};
    const clscan_sample_operator *keep_last = clscan_sample_find(CLSCAN_SAMPLE_KEEP_LAST, CLSCAN_INT32);
    clscan_reference what = {
        .type = CLSCAN_INT32, .op = CLSCAN_CUSTOM, .combine = keep_last->combine, .identity = keep_last->identity};
    int32_t out[5];

    clscan_reference_scan(&what, in, 5, NULL, out, NULL);
    assert_memory_equal(out, forward, sizeof out);
    what.direction = CLSCAN_REVERSE;
    clscan_reference_scan(&what, in, 5, NULL, out, NULL);
    assert_memory_equal(out, reverse, sizeof out);
}

static void want_of_identity(void **state)
{
    (void)state;
    static const int32_t in[2] = {1, 2};
    const clscan_sample_operator *take_left = clscan_sample_find(CLSCAN_SAMPLE_TAKE_LEFT, CLSCAN_INT32);
    clscan_reference what = {.type = CLSCAN_INT32, .op = CLSCAN_CUSTOM, .combine = take_left->combine};
    const clscan_value initial = clscan_value_from_int(CLSCAN_INT32, 5);
    clscan_value total;
    int32_t out[2];

    assert_int_equal(clscan_reference_scan(&what, in, 2, NULL, out, &total), CLSCAN_OK);
    assert_int_equal(clscan_reference_scan(&what, in, 0, NULL, out, NULL), CLSCAN_OK);
    assert_int_equal(clscan_reference_scan(&what, in, 0, NULL, out, &total), CLSCAN_ERROR_NO_IDENTITY);
    what.form = CLSCAN_EXCLUSIVE;
    assert_int_equal(clscan_reference_scan(&what, in, 2, NULL, out, NULL), CLSCAN_ERROR_NO_IDENTITY);
    assert_int_equal(clscan_reference_scan(&what, in, 2, &initial, out, NULL), CLSCAN_OK);
    assert_int_equal(out[1], 5);
}

static void nans_and_signed_zeros(void **state)
{
    (void)state;
    static const uint32_t in[6] = {0x80000000, 0x00000000, 0x3f800000, 0xffc54321, 0x7fc01234, 0xbf800000};
    /* -0.0 comes through whole, stays the left of equals, and the leftmost NaN wins for good. */
    static const uint32_t minimum[6] = {0x80000000, 0x80000000, 0x80000000, 0xffc54321, 0xffc54321, 0xffc54321};
    static const uint32_t maximum[6] = {0x80000000, 0x80000000, 0x3f800000, 0xffc54321, 0xffc54321, 0xffc54321};
    /* Reverse: the leftmost NaN is the one met last. */
    static const uint32_t reverse[6] = {0xffc54321, 0xffc54321, 0xffc54321, 0xffc54321, 0x7fc01234, 0xbf800000};
    clscan_reference what = {.type = CLSCAN_FLOAT, .op = CLSCAN_MIN};
    uint32_t out[6];

    clscan_reference_scan(&what, in, 6, NULL, out, NULL);
    assert_memory_equal(out, minimum, sizeof out);
    what.op = CLSCAN_MAX;
    clscan_reference_scan(&what, in, 6, NULL, out, NULL);
    assert_memory_equal(out, maximum, sizeof out);
    what.direction = CLSCAN_REVERSE;
    clscan_reference_scan(&what, in, 6, NULL, out, NULL);
    assert_memory_equal(out, reverse, sizeof out);
}

/* The samples are what their comments say: associative, and not commutative. */
static void samples_are_associative(void **state)
{
    (void)state;
    for (int s = 0; s < CLSCAN_SAMPLE_COUNT; ++s) {
        for (int t = 0; t < CLSCAN_TYPE_COUNT; ++t) {
            const clscan_type type = (clscan_type)t;
            const clscan_sample_operator *sample = clscan_sample_find((clscan_sample)s, type);
            const clscan_generator generator =
                s == CLSCAN_SAMPLE_AFFINE ? CLSCAN_GENERATE_FACTORS : CLSCAN_GENERATE_MOSTLY_ZERO;
            unsigned differs = 0;
            unsigned char element[3][8];
            clscan_value x[3];

            if (sample == NULL)
                continue;
            for (uint64_t i = 0; i < 20000; ++i) {
                for (uint64_t k = 0; k < 3; ++k) {
                    clscan_generate(generator, type, 7, 3 * i + k, 1, element[k]);
                    x[k] = clscan_value_load(type, element[k]);
                }
                const clscan_value one = sample->combine(sample->combine(x[0], x[1]), x[2]);
                const clscan_value two = sample->combine(x[0], sample->combine(x[1], x[2]));
                assert_true(one.bits == two.bits);
                differs += sample->combine(x[0], x[1]).bits != sample->combine(x[1], x[0]).bits;
                if (sample->identity != NULL) {
                    assert_true(sample->combine(*sample->identity, x[0]).bits == x[0].bits);
                    assert_true(sample->combine(x[0], *sample->identity).bits == x[0].bits);
                }
            }
            assert_true(differs > 0);
        }
    }
}

/* Any grouping gives the same bits: sums and products of neighbours are exact. */
static void exact_generators_are_exact(void **state)
{
    (void)state;
    enum { COUNT = 4096 };
    static const clscan_type types[] = {CLSCAN_HALF, CLSCAN_FLOAT, CLSCAN_DOUBLE};
    static const clscan_operator ops[] = {CLSCAN_ADD, CLSCAN_MUL};
    static unsigned char in[COUNT * 8];
    static unsigned char serial[COUNT * 8];
    static unsigned char parts[COUNT * 8];

    for (size_t t = 0; t < sizeof types / sizeof types[0]; ++t)
        for (size_t o = 0; o < sizeof ops / sizeof ops[0]; ++o) {
            const size_t size = clscan_type_size_bytes(types[t]);
            const clscan_reference what = {.type = types[t], .op = ops[o]};
            clscan_value carry = {.bits = 0};
            clscan_generate(clscan_generator_for(types[t], ops[o], CLSCAN_FORWARD), types[t], 3, 0, COUNT, in);
            clscan_reference_scan(&what, in, COUNT, NULL, serial, NULL);
            for (size_t first = 0; first < COUNT; first += 128) {
                /* The total of all before, added as one operand to every prefix of this part. */
                clscan_value before = carry;
                clscan_reference_scan(&what, in + first * size, 128, NULL, parts, &carry);
                if (first > 0) {
                    const clscan_reference both = {.type = clscan_type_accumulator(types[t]), .op = ops[o]};
                    const clscan_value pair[2] = {before, carry};
                    unsigned char stored[2][8];
                    for (size_t k = 0; k < 2; ++k)
                        clscan_value_store(both.type, pair[k], stored[k]);
                    unsigned char joined[2 * 8];
                    const size_t wide = clscan_type_size_bytes(both.type);
                    memcpy(joined, stored[0], wide);
                    memcpy(joined + wide, stored[1], wide);
                    clscan_reference_scan(&both, joined, 2, NULL, joined, &carry);
                }
                unsigned char last[8];
                clscan_value_store(types[t], carry, last);
                assert_memory_equal(last, serial + (first + 127) * size, size);
            }
        }
}

/* A generator that never changes the running result would find nothing. */
static void generators_keep_results_changing(void **state)
{
    (void)state;
    enum { COUNT = 2000 };
    static unsigned char in[COUNT * 8];
    static unsigned char out[COUNT * 8];

    for (int t = 0; t < CLSCAN_TYPE_COUNT; ++t)
        for (int o = 0; o < CLSCAN_CUSTOM; ++o)
            for (int d = 0; d < 2; ++d) {
                const clscan_reference what = {
                    .type = (clscan_type)t, .op = (clscan_operator)o, .direction = (clscan_direction)d};
                const size_t size = clscan_type_size_bytes(what.type);
                size_t changes = 0;
                clscan_generate(clscan_generator_for(what.type, what.op, what.direction), what.type, 11, 0, COUNT, in);
                if (clscan_reference_scan(&what, in, COUNT, NULL, out, NULL) != CLSCAN_OK)
                    continue; /* no bitwise operators on floating-point numbers */
                for (size_t i = 1; i < COUNT; ++i)
                    changes += memcmp(out + i * size, out + (i - 1) * size, size) != 0;
                assert_true(changes >= 7);
            }
}

static void generators_give_any_part(void **state)
{
    (void)state;
    double whole[64];
    double part[10];
    for (int g = 0; g < CLSCAN_GENERATOR_COUNT; ++g) {
        clscan_generate((clscan_generator)g, CLSCAN_DOUBLE, 5, 0, 64, whole);
        clscan_generate((clscan_generator)g, CLSCAN_DOUBLE, 5, 20, 10, part);
        assert_memory_equal(whole + 20, part, sizeof part);
    }
}

/* Of tiles that are small, since all points are looked at for each variant; test_variants.c has large ones. */
static void check_covering(test_coverage coverage, size_t least, size_t most_variants)
{
    enum { LARGEST_TILE = 1024 };
    size_t possible;
    test_variants list = test_covering_variants(CLSCAN_INT32, NULL, LARGEST_TILE, coverage, &possible);

    print_message("%zu variants cover %zu\n", list.count, possible);
    assert_true(possible > least);
    assert_int_equal(test_covered(&list, coverage), possible);
    assert_true(list.count < most_variants);
    for (size_t i = 0; i < list.count; ++i)
        assert_int_equal(clscan_variant_check(&list.items[i], PROBLEM_OF(CLSCAN_INT32, CLSCAN_ADD), 0, NULL, NULL),
                         CLSCAN_OK);
    list.count -= 1; /* every variant is there for what no other covers */
    assert_true(test_covered(&list, coverage) < possible);
    free(list.items);
}

static void all_values_are_covered(void **state)
{
    (void)state;
    check_covering(TEST_EACH_VALUE, 40, 20);
}

static void all_pairs_are_covered(void **state)
{
    (void)state;
    check_covering(TEST_EACH_PAIR, 300, 200);
}

static void representatives_with_new_axes(void **state)
{
    (void)state;
    for (int pairs = 0; pairs < 2; ++pairs) {
        test_variants list = test_representatives(CLSCAN_INT32, 8, 2, NULL);
        const size_t all = list.count;
        uint32_t bodies = 0, carries = 0, orders = 0, scans = 0;

        test_keep_new_axes(&list, pairs ? TEST_EACH_PAIR : TEST_EACH_VALUE);
        print_message("%zu of %zu representatives\n", list.count, all);
        assert_true(list.count < (pairs ? all : 16));
        for (size_t i = 0; i < list.count; ++i) {
            bodies |= 1u << list.items[i].body;
            carries |= 1u << list.items[i].carry;
            orders |= 1u << list.items[i].order;
            scans |= 1u << list.items[i].group_scan;
        }
        assert_int_equal(bodies, (1u << CLSCAN_BODY_COUNT) - 1);
        /* Those of scans. */
        assert_int_equal(carries | 1u << CLSCAN_CARRY_REDUCE_THEN_COMBINE | 1u << CLSCAN_CARRY_LAST_COMBINES,
                         (1u << CLSCAN_CARRY_COUNT) - 1);
        assert_int_equal(orders, (1u << CLSCAN_ORDER_COUNT) - 1);
        assert_int_equal(scans, (1u << CLSCAN_GROUP_SCAN_COUNT) - 1);
        free(list.items);
    }
}

static void random_variants_repeat(void **state)
{
    (void)state;
    test_variants one = test_random_variants(CLSCAN_INT32, NULL, 9, 20, 1 << 16);
    test_variants two = test_random_variants(CLSCAN_INT32, NULL, 9, 20, 1 << 16);
    assert_int_equal(one.count, 20);
    assert_memory_equal(one.items, two.items, one.count * sizeof *one.items);
    free(one.items);
    free(two.items);
}

/* Each rest, and lengths, of a few elements, told one by one. */
static void selections_put_each_element_in_its_place(void **state)
{
    (void)state;
    static const unsigned char parts[] = {3, 1, 2, 1, 1, 0, 2, 1};
    enum { COUNT = sizeof parts };
    static const struct {
        clscan_select select;
        uint64_t places, sources[COUNT];
        uint32_t kept[2], lengths[COUNT];
    } cases[] = {
        {{.rest = CLSCAN_REST_DROPPED}, 4, {1, 3, 4, 7}, {4, 0}, {2, 1, 3, 1}},
        {{.rest = CLSCAN_REST_APART}, 8, {1, 3, 4, 7, 0, 2, 5, 6}, {4, 0}, {2, 1, 3, 1}},
        {{.rest = CLSCAN_REST_BEHIND}, 8, {1, 3, 4, 7, 0, 2, 5, 6}, {4, 0}, {2, 1, 3, 1}},
        {{.rest = CLSCAN_REST_THREE_WAY}, 8, {1, 3, 4, 7, 2, 6, 0, 5}, {4, 2}, {2, 1, 3, 1}},
        {{.long_runs = 1}, 2, {1, 4}, {2, 0}, {2, 3}},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        uint64_t sources[COUNT];
        uint32_t lengths[COUNT], kept[2];

        assert_int_equal(clscan_reference_select(&cases[i].select, parts, COUNT, sources, lengths, kept),
                         cases[i].places);
        assert_memory_equal(sources, cases[i].sources, cases[i].places * sizeof *sources);
        assert_memory_equal(kept, cases[i].kept, sizeof kept);
        assert_memory_equal(lengths, cases[i].lengths, kept[0] * sizeof *lengths);
    }
}

static void a_run_begins_at_the_first_element(void **state)
{
    (void)state;
    const clscan_select select = {.long_runs = 1};
    const unsigned char parts[] = {0, 0, 1};
    uint64_t source[3];
    uint32_t length[3], kept[2];

    assert_int_equal(clscan_reference_select(&select, parts, 3, source, length, kept), 1);
    assert_int_equal(source[0], 0);
    assert_int_equal(length[0], 2);
}

static void repetitions_follow_their_lengths(void **state)
{
    (void)state;
    const uint32_t lengths[] = {0, 2, 0, 1, 3};
    const uint64_t expected[] = {1, 1, 3, 4, 4, 4};
    uint64_t sources[6];

    assert_int_equal(clscan_reference_repeat(lengths, 5, sources), 6);
    assert_memory_equal(sources, expected, sizeof expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halves_survive_the_round_trip),
        cmocka_unit_test(halves_have_the_values_of_the_standard),
        cmocka_unit_test(floats_round_to_the_nearest_half),
        cmocka_unit_test(rounding_agrees_with_distance),
        cmocka_unit_test(scan_of_int32_in_every_form),
        cmocka_unit_test(order_of_operands),
        cmocka_unit_test(want_of_identity),
        cmocka_unit_test(nans_and_signed_zeros),
        cmocka_unit_test(samples_are_associative),
        cmocka_unit_test(exact_generators_are_exact),
        cmocka_unit_test(generators_keep_results_changing),
        cmocka_unit_test(generators_give_any_part),
        cmocka_unit_test(all_values_are_covered),
        cmocka_unit_test(all_pairs_are_covered),
        cmocka_unit_test(representatives_with_new_axes),
        cmocka_unit_test(random_variants_repeat),
        cmocka_unit_test(selections_put_each_element_in_its_place),
        cmocka_unit_test(a_run_begins_at_the_first_element),
        cmocka_unit_test(repetitions_follow_their_lengths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
