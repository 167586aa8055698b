/* Variants whose carry cannot number all tiles of a count get another carry, and are legal then. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <clscan/clscan.h>

#include "cmocka_all.h"
#include "config/constraints.h"
#include "config/repair.h"
#include "element/problem.h"
#include "parsed_variant.h"
#include "problem_of.h"
#include "program_specs.h"

static void expect_legal(const clscan_variant *variant, const clscan_problem *problem, int in_place,
                         const clscan_device_info *device)
{
    const clscan_variant repaired = clscan__variant_without_waiting(variant, problem, in_place, device);
    clscan__violation why = {.name = "none"};
    char before[512], after[512];

    clscan_variant_format(variant, before, sizeof before);
    clscan_variant_format(&repaired, after, sizeof after);
    if (repaired.carry != CLSCAN_CARRY_REDUCE_THEN_SCAN ||
        !clscan__variant_is_legal(&repaired, problem, in_place, device, &why))
        fail_msg("%s, %s: %s became %s (%s: %s)", device->key, clscan_type_name(problem->type), before, after, why.name,
                 why.reason);
}

/* What any config knows, on devices of all kinds, where the next tile lands in local memory too. */
static void every_shipped_entry_is_repaired(void **state)
{
    (void)state;
    enum { MOST = 512 };
    static const char *const devices[] = {"nvidia-h200", "nvidia-a100", "pocl-5.0-cpu", "amd-gfx90a"};
    static clscan_known_variant list[MOST];
    size_t repaired = 0, landing = 0;

    for (size_t d = 0; d < sizeof devices / sizeof devices[0]; ++d) {
        const clscan_device_info device = recorded_device(devices[d]);

        for (int type = 0; type < CLSCAN_TYPE_COUNT; ++type)
            for (int reproducible = 0; reproducible < 2; ++reproducible) {
                const clscan_problem problem = {
                    .struct_size = sizeof problem, .type = (clscan_type)type, .reproducible = reproducible};
                size_t count;

                assert_int_equal(clscan_config_list(NULL, &device, &problem, list, sizeof list[0], MOST, &count, NULL),
                                 CLSCAN_OK);
                for (size_t i = 0; i < count && i < MOST; ++i) {
                    expect_legal(&list[i].variant, &problem, 0, &device);
                    expect_legal(&list[i].variant, &problem, 1, &device);
                    landing += list[i].variant.landing_zones > 0;
                    ++repaired;
                }
            }
    }
    assert_true(repaired > 100);
    assert_true(landing > 0);
}

static void what_the_new_carry_does_not_use_goes(void **state)
{
    (void)state;
    const clscan_device_info device = recorded_device("nvidia-h200");
    const clscan_variant ahead = parsed_variant("subgroup_rows+subgroup+lookahead+persistent work_group_size=256 "
                                                "vector_length=4 register_pieces=8 local_pieces=0 "
                                                "work_groups_per_unit=2 poll_delay=16 landing_zones=1");
    const clscan_variant expected = parsed_variant("subgroup_rows+subgroup+reduce_then_scan work_group_size=256 "
                                                   "vector_length=4 register_pieces=8 local_pieces=0 "
                                                   "work_groups_per_unit=4");
    const clscan_variant repaired =
        clscan__variant_without_waiting(&ahead, PROBLEM_OF(CLSCAN_INT32, CLSCAN_ADD), 0, &device);

    assert_memory_equal(&repaired, &expected, sizeof expected);
}

/* Not on this device, whatever it was chosen for: then nothing of it stays. */
static void what_cannot_be_repaired_is_replaced(void **state)
{
    (void)state;
    clscan_device_info device = recorded_device("nvidia-h200");
    const clscan_variant wide = parsed_variant("strided+kogge_stone+adjacent+dynamic work_group_size=1024 "
                                               "vector_length=4 register_pieces=1 local_pieces=0 "
                                               "tiles_per_work_group=1 poll_delay=0");

    device.max_work_group_size = 256;
    expect_legal(&wide, PROBLEM_OF(CLSCAN_INT32, CLSCAN_ADD), 0, &device);
}

/* A struct of so many bytes, aligned to 4. */
static clscan_element struct_of(size_t size_bytes)
{
    return (clscan_element){sizeof(clscan_element), .name = "record", .source = "", .size_bytes = size_bytes,
                            .align_bytes = 4};
}

/* An entry for int64 whose next tile lands in local memory, for a struct. */
static clscan_variant fitted_to(size_t size_bytes, const char *device_name)
{
    const clscan_element element = struct_of(size_bytes);
    const clscan_problem problem = {.struct_size = sizeof problem, .element = &element, .op = CLSCAN_CUSTOM};
    const clscan_device_info device = recorded_device(device_name);
    clscan_variant variant = parsed_variant("subgroup_rows+subgroup+lookahead+persistent work_group_size=448 "
                                            "vector_length=2 register_pieces=6 local_pieces=0 "
                                            "work_groups_per_unit=2 poll_delay=0 landing_zones=1");
    const clscan__config_key measured = {.element_size_bytes = 8};
    const clscan__wanted wanted = {.size_bytes = (uint32_t)size_bytes, .kept_bytes = (uint32_t)size_bytes};
    clscan__violation why = {.name = "none"};

    if (!clscan__variant_fit(&variant, &measured, &wanted, &problem, 0, &device, &why))
        fail_msg("%zu bytes on %s: %s: %s", size_bytes, device_name, why.name, why.reason);
    return variant;
}

static void structs_land_as_scalars_do(void **state)
{
    (void)state;
    static const size_t sizes[] = {8, 16, 32, 64};

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        const clscan_variant variant = fitted_to(sizes[i], "nvidia-h200");

        assert_int_equal(variant.carry, CLSCAN_CARRY_LOOKAHEAD);
        assert_int_equal(variant.landing_zones, 1);
        /* Of what a work-item keeps, the compiler has room for twice as much in registers. */
        assert_true(variant.vector_length * variant.register_pieces * sizes[i] <= 192);
        assert_true(variant.vector_length * sizes[i] >= 16);
    }
}

/* The next tile would wait in registers, which are too few. */
/* Lines of elements leave past the cache; elements one by one do not, nor are scalars stored so. */
static void what_fills_no_lines_does_not_stream(void **state)
{
    (void)state;
    const clscan_device_info device = recorded_device("pocl-5.0-cpu");
    static const clscan_element pair = {.struct_size = sizeof pair,
                                        .name = "pair",
                                        .source = "typedef struct pair { int a, b; } pair;",
                                        .size_bytes = 8,
                                        .align_bytes = 4},
                                four = {.struct_size = sizeof four, .type = CLSCAN_INT32, .lanes = 4},
                                two = {.struct_size = sizeof two, .type = CLSCAN_INT32, .lanes = 2};
    static const clscan_custom_operator lanewise = {.struct_size = sizeof lanewise, .lanewise = 1},
                                        ordinary = {.struct_size = sizeof ordinary};
    const struct {
        clscan_problem problem;
        uint32_t streams;
    } cases[] = {
        {{.struct_size = sizeof cases[0].problem, .element = &pair, .op = CLSCAN_CUSTOM, .custom = &lanewise}, 1},
        {{.struct_size = sizeof cases[0].problem, .element = &pair, .op = CLSCAN_CUSTOM, .custom = &ordinary}, 0},
        {{.struct_size = sizeof cases[0].problem, .element = &four}, 1},
        {{.struct_size = sizeof cases[0].problem, .element = &two}, 0},
        {{.struct_size = sizeof cases[0].problem, .type = CLSCAN_INT64}, 0},
    };
    const clscan__config_key measured = {.element_size_bytes = 8, .operator_class = CLSCAN_OPERATOR_CLASS_CUSTOM};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const clscan_problem *problem = &cases[i].problem;
        clscan__problem_room room;
        clscan__wanted wanted = {0};
        clscan__violation why;
        clscan_variant variant = parsed_variant("cached_rows+brent_kung+single work_group_size=1 vector_length=1 "
                                                "cached_pieces=4096 interleaved_rows=4 streaming_stores=1");

        assert_int_equal(clscan__problem_take(&problem, &room, NULL), CLSCAN_OK);
        assert_true(clscan__variant_fit(&variant, &measured, &wanted, problem, 0, &device, &why));
        assert_int_equal(variant.streaming_stores, cases[i].streams);
    }
}

static void structs_that_cannot_land_have_one_tile(void **state)
{
    (void)state;
    static const struct {
        size_t size_bytes;
        const char *device;
    } cases[] = {{12, "nvidia-h200"}, {48, "nvidia-h200"}, {8, "nvidia-v100"}, {16, "nvidia-v100"}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const clscan_variant variant = fitted_to(cases[i].size_bytes, cases[i].device);

        assert_int_equal(variant.carry, CLSCAN_CARRY_LOOKBACK);
        assert_int_equal(variant.landing_zones, 0);
    }
}

/* Their bytes are not what a tile holds. */
/* They lie in local memory as they are, and leave through it, or wider. */
static void converted_elements_land_unless_outputs_are_narrower(void **state)
{
    (void)state;
    const clscan_element sum = {sizeof sum, .type = CLSCAN_DOUBLE}, output = {sizeof output, .type = CLSCAN_FLOAT};
    const clscan_problem problem = {
        .struct_size = sizeof problem, .type = CLSCAN_FLOAT, .accumulator = &sum, .output = &output};
    const clscan_problem narrower = {
        .struct_size = sizeof narrower, .type = CLSCAN_DOUBLE, .accumulator = &sum, .output = &output};
    const clscan_device_info device = recorded_device("nvidia-h200");
    clscan_variant ahead = parsed_variant("subgroup_rows+subgroup+lookahead+persistent work_group_size=256 "
                                          "vector_length=4 register_pieces=6 local_pieces=0 "
                                          "work_groups_per_unit=2 poll_delay=0 landing_zones=1");
    clscan__violation why;

    assert_true(clscan__variant_is_legal(&ahead, &problem, 0, &device, &why));
    ahead.vector_length = 2;
    assert_false(clscan__variant_is_legal(&ahead, &problem, 0, &device, &why));
    assert_string_equal(why.name, "landing_vector");
    assert_false(clscan__variant_is_legal(&ahead, &narrower, 0, &device, &why));
    assert_string_equal(why.name, "plain_elements");
    assert_string_equal(why.field, "landing_zones");
}

/* Wide sums, and narrow elements, land: a zone holds what a lane loads at once, and the device has room for it. Others
 * have two tiles in registers, which are smaller; so have all where nothing lands. */
static void converted_elements_have_tiles_of_their_own(void **state)
{
    (void)state;
    static const struct {
        clscan_type type, sum;
        const char *entry;
        uint32_t measured_bytes, landing_zones;
    } cases[] = {{CLSCAN_INT8, CLSCAN_INT64, "work_group_size=416 vector_length=2 register_pieces=7", 8, 1},
                 {CLSCAN_UINT8, CLSCAN_INT32, "work_group_size=448 vector_length=4 register_pieces=6", 4, 1},
                 {CLSCAN_FLOAT, CLSCAN_DOUBLE, "work_group_size=448 vector_length=2 register_pieces=6", 8, 1},
                 {CLSCAN_INT64, CLSCAN_DOUBLE, "work_group_size=448 vector_length=2 register_pieces=6", 8, 1},
                 {CLSCAN_HALF, CLSCAN_FLOAT, "work_group_size=448 vector_length=4 register_pieces=6", 4, 0}};

    for (size_t i = 0; i < 2 * (sizeof cases / sizeof cases[0]); ++i) {
        const size_t c = i / 2;
        const bool lands = cases[c].landing_zones > 0 && i % 2 == 0;
        const clscan_element sum = {sizeof sum, .type = cases[c].sum};
        const clscan_problem problem = {
            .struct_size = sizeof problem, .type = cases[c].type, .accumulator = &sum, .output = &sum};
        const uint32_t in_bytes = (uint32_t)clscan_type_size_bytes(cases[c].type);
        const uint32_t sum_bytes = (uint32_t)clscan_type_size_bytes(cases[c].sum);
        const clscan__config_key measured = {.element_size_bytes = cases[c].measured_bytes};
        const clscan__wanted wanted = {.size_bytes = sum_bytes, .kept_bytes = sum_bytes};
        clscan_device_info device = recorded_device("nvidia-h200");
        clscan__violation why = {.name = "none"};
        clscan_variant variant;
        char text[256];

        if (i % 2 > 0)
            device.nv_compute_capability = 75;
        snprintf(text, sizeof text,
                 "subgroup_rows+subgroup+lookahead+persistent %s local_pieces=0 "
                 "work_groups_per_unit=2 poll_delay=0 landing_zones=1",
                 cases[c].entry);
        variant = parsed_variant(text);
        if (!clscan__variant_fit(&variant, &measured, &wanted, &problem, 0, &device, &why))
            fail_msg("%s: %s: %s", text, why.name, why.reason);
        assert_int_equal(variant.carry, CLSCAN_CARRY_LOOKAHEAD);
        assert_int_equal(variant.landing_zones, lands ? 1 : 0);
        if (lands) {
            assert_int_equal(variant.vector_length * in_bytes, 16);
            assert_true(variant.register_pieces * 16 <= 192);
        } else {
            assert_true(variant.vector_length * variant.register_pieces * sum_bytes <= (sum_bytes < 4 ? 96 : 128));
            assert_true(variant.vector_length * in_bytes >= 4);
        }
    }
}

/* By bits and by offsets they land, in vectors of 16 bytes. The others, and all where the device has no such copies,
 * have two tiles in registers, which hold a sum in 4 bytes or more. */
static void segments_land_where_bits_tell_them(void **state)
{
    (void)state;
    static const struct {
        clscan_segments_by by;
        clscan_type type, element;
        clscan_direction direction;
        uint32_t capability, landing_zones;
    } cases[] = {
        {CLSCAN_BY_BITS, 0, CLSCAN_INT32, CLSCAN_FORWARD, 90, 1},
        {CLSCAN_BY_BITS, 0, CLSCAN_INT32, CLSCAN_REVERSE, 90, 0}, /* the last word of bits may not be there */
        {CLSCAN_BY_BITS, 0, CLSCAN_INT32, CLSCAN_FORWARD, 75, 0},
        {CLSCAN_BY_OFFSETS, CLSCAN_UINT32, CLSCAN_INT64, CLSCAN_REVERSE, 90, 1},
        {CLSCAN_BY_OFFSETS, CLSCAN_UINT32, CLSCAN_UINT8, CLSCAN_FORWARD, 90, 1},
        {CLSCAN_BY_FLAGS, CLSCAN_UINT8, CLSCAN_INT32, CLSCAN_FORWARD, 90, 0},
        {CLSCAN_BY_FLAGS, CLSCAN_UINT8, CLSCAN_UINT8, CLSCAN_FORWARD, 90, 0},
        {CLSCAN_BY_KEYS, CLSCAN_INT64, CLSCAN_DOUBLE, CLSCAN_FORWARD, 90, 0},
    };

    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
        const clscan_segments segments = {.struct_size = sizeof segments, .by = cases[c].by, .type = cases[c].type};
        const clscan_problem asked = {.struct_size = sizeof asked,
                                      .type = cases[c].element,
                                      .direction = cases[c].direction,
                                      .segments = &segments,
                                      .max_count = 1};
        const clscan_problem *problem = &asked;
        clscan__problem_room room;
        const uint32_t bytes = (uint32_t)clscan_type_size_bytes(cases[c].element);
        const clscan__config_key measured = {.element_size_bytes = 4};
        const clscan__wanted wanted = {.own = true, .size_bytes = bytes, .kept_bytes = bytes};
        clscan_device_info device = recorded_device("nvidia-h200");
        clscan__violation why = {.name = "none"};
        clscan_variant variant = parsed_variant("subgroup_rows+subgroup+lookahead+persistent work_group_size=320 "
                                                "vector_length=4 register_pieces=7 local_pieces=0 "
                                                "work_groups_per_unit=2 poll_delay=0 landing_zones=1");

        device.nv_compute_capability = cases[c].capability;
        assert_int_equal(clscan__problem_take(&problem, &room, NULL), CLSCAN_OK);
        if (!clscan__variant_fit(&variant, &measured, &wanted, problem, 0, &device, &why))
            fail_msg("case %zu: %s: %s", c, why.name, why.reason);
        assert_int_equal(variant.carry, CLSCAN_CARRY_LOOKAHEAD);
        assert_int_equal(variant.landing_zones, cases[c].landing_zones);
        if (cases[c].landing_zones > 0)
            assert_int_equal(variant.vector_length * bytes, 16);
        else
            assert_true(variant.vector_length * variant.register_pieces * (bytes < 4 ? 4 : bytes) <= 112);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shipped_entry_is_repaired),
        cmocka_unit_test(what_the_new_carry_does_not_use_goes),
        cmocka_unit_test(what_cannot_be_repaired_is_replaced),
        cmocka_unit_test(structs_land_as_scalars_do),
        cmocka_unit_test(what_fills_no_lines_does_not_stream),
        cmocka_unit_test(structs_that_cannot_land_have_one_tile),
        cmocka_unit_test(converted_elements_land_unless_outputs_are_narrower),
        cmocka_unit_test(converted_elements_have_tiles_of_their_own),
        cmocka_unit_test(segments_land_where_bits_tell_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
