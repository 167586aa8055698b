/* Sizes of a variant, and its form as text. */
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "config/variant.h"
#include "parsed_variant.h"
#include "problem_of.h"

static void sizes_follow_the_formulas(void **state)
{
    (void)state;
    static const struct {
        const char *variant;
        clscan_type type;
        uint64_t tile_count, local_bytes, register_bytes;
        const char *reason;
    } cases[] = {
        {"strided+kogge_stone+single work_group_size=256 vector_length=4 register_pieces=2 local_pieces=3",
         CLSCAN_INT32, 256 * 5 * 4, 256 * 3 * 4 * 4 + 2 * 256 * 4 + 256, 256 * 2 * 4 * 4, "every term"},
        {"strided+brent_kung+single work_group_size=256 vector_length=4 register_pieces=2 local_pieces=3", CLSCAN_INT32,
         256 * 5 * 4, 256 * 3 * 4 * 4 + 256 * 4 + 256, 256 * 2 * 4 * 4, "half the scratch"},
        {"strided+brent_kung+single work_group_size=1 vector_length=1 register_pieces=4 local_pieces=0", CLSCAN_UINT8,
         4, 1 + 256, 4, "no local pieces: scratch only"},
        {"strided+kogge_stone+single work_group_size=64 vector_length=8 register_pieces=1 local_pieces=1", CLSCAN_HALF,
         64 * 2 * 8, 64 * 8 * 2 + 2 * 64 * 4 + 256, 64 * 8 * 2, "half is scanned as float"},
        {"coalesced+kogge_stone+single work_group_size=512 vector_length=4 register_pieces=5 "
         "local_pieces=1 thread_group_size=16",
         CLSCAN_INT32, 512 * 6 * 16, 512 * 17 * 4 + 2 * 512 * 4 + 256, 512 * 5 * 16 * 4,
         "rows are padded; the vector length sets no size"},
        {"matrix+brent_kung+single work_group_size=64 vector_length=1 register_pieces=0 local_pieces=2 "
         "thread_group_size=8",
         CLSCAN_DOUBLE, 64 * 2 * 8, 64 * 17 * 8 + 64 * 8 + 256, 0, "one element of padding per row"},
        {"subgroup_rows+subgroup+single work_group_size=96 vector_length=4 register_pieces=5 local_pieces=0",
         CLSCAN_INT32, 96 * 5 * 4, 32 * 4 + 256, 96 * 5 * 4 * 4, "a value per sub-group"},
        {"subgroup_rows+subgroup+lookahead+persistent work_group_size=384 vector_length=8 register_pieces=7 "
         "local_pieces=0 work_groups_per_unit=2 poll_delay=0 landing_zones=1",
         CLSCAN_HALF, 384 * 7 * 8, 384 * 7 * 16 + 2 * 32 * 4 + 256, 384 * 7 * 16,
         "a tile that lands; two scans at once"},
        {"strided+brent_kung+lookback+dynamic work_group_size=64 vector_length=1 register_pieces=4 local_pieces=0 "
         "poll_delay=0",
         CLSCAN_INT64, 64 * 4, 64 * 8 + 64 * 9 + 256, 64 * 4 * 8, "a value and a byte of each range of a window"},
        {"cached_rows+brent_kung+single work_group_size=1 vector_length=16 cached_pieces=512 interleaved_rows=4 "
         "streaming_stores=0",
         CLSCAN_INT64, 16 * 512 * 4, 8 + 256, 0, "the tile is neither in registers nor in local memory"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const clscan_variant variant = parsed_variant(cases[i].variant);

        if (clscan_variant_tile_count(&variant) != cases[i].tile_count ||
            clscan_variant_local_bytes(&variant, PROBLEM_OF(cases[i].type, CLSCAN_ADD)) != cases[i].local_bytes ||
            clscan_variant_register_bytes(&variant, PROBLEM_OF(cases[i].type, CLSCAN_ADD)) != cases[i].register_bytes)
            fail_msg("%s (%s)", cases[i].variant, cases[i].reason);
    }
}

/* All pieces of a tile lie in local memory, as sums and not as pairs, with a bit of each in words of its row. */
static void rows_from_offset_to_offset_lie_in_local_memory(void **state)
{
    static const clscan_segments offsets = {
        .struct_size = sizeof offsets, .by = CLSCAN_BY_OFFSETS, .type = CLSCAN_UINT32};
    static const clscan_segments flags = {.struct_size = sizeof flags, .by = CLSCAN_BY_FLAGS, .type = CLSCAN_UINT8};
    const clscan_variant variant =
        parsed_variant("coalesced+brent_kung+reduce_then_scan work_group_size=64 vector_length=4 register_pieces=2 "
                       "local_pieces=1 thread_group_size=16 work_groups_per_unit=1");
    clscan_problem problem = {.struct_size = sizeof problem,
                              .operation = CLSCAN_REDUCE,
                              .type = CLSCAN_INT32,
                              .op = CLSCAN_ADD,
                              .segments = &offsets};
    (void)state;

    assert_int_equal(clscan_variant_local_bytes(&variant, &problem), 64 * (49 * 4 + 3 * 4) + 64 * 8 + 256);
    assert_int_equal(clscan_variant_register_bytes(&variant, &problem), 64 * 48 * 4);
    problem.segments = &flags;
    assert_int_equal(clscan_variant_local_bytes(&variant, &problem), 64 * 17 * 8 + 64 * 8 + 256);
    assert_int_equal(clscan_variant_register_bytes(&variant, &problem), 64 * 32 * 8);
}

/* Of a selection by what is in front of an element, lanes hold a row's elements until they have passed them on, also
 * where nothing but marks stays. */
static void elements_that_are_passed_on_are_held(void **state)
{
    static const clscan_map runs = {.struct_size = sizeof runs, .expression = "index == 0 || element != before"},
                            large = {.struct_size = sizeof large, .expression = "element > 100"},
                            index = {.struct_size = sizeof index, .expression = "index"};
    static const clscan_element place = {.struct_size = sizeof place, .type = CLSCAN_UINT32};
    static const struct {
        const clscan_map *load;
        const char *variant;
        clscan_type type;
        uint64_t register_bytes;
        const char *reason;
    } cases[] = {
#define ROWS(length) \
    "subgroup_rows+subgroup+single work_group_size=64 vector_length=" length " register_pieces=3 local_pieces=0"
        {&runs, ROWS("4"), CLSCAN_INT64, 64 * 3 * 4 * 8, "elements are passed on"},
        {&runs, ROWS("4"), CLSCAN_INT16, 64 * 3 * 4 * 2, "as many bytes as they have"},
        {&large, ROWS("4"), CLSCAN_INT64, 64 * 3 * 4, "a mark of each, as nobody asks for its neighbour"},
        {&runs, ROWS("1"), CLSCAN_INT64, 64 * 3, "vectors of one are not passed on"},
        {&runs, "strided+kogge_stone+single work_group_size=64 vector_length=4 register_pieces=3 local_pieces=0",
         CLSCAN_INT64, 64 * 3 * 4 * 4, "other bodies hold sums"},
#undef ROWS
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const clscan_variant variant = parsed_variant(cases[i].variant);
        const clscan_problem problem = {.struct_size = sizeof problem,
                                        .operation = CLSCAN_SELECT,
                                        .type = cases[i].type,
                                        .op = CLSCAN_ADD,
                                        .load = cases[i].load,
                                        .store = &index,
                                        .output = &place};

        if (clscan_variant_register_bytes(&variant, &problem) != cases[i].register_bytes)
            fail_msg("%s (%s)", cases[i].variant, cases[i].reason);
    }
}

static void sizes_that_do_not_fit_stop_at_the_largest_number(void **state)
{
    (void)state;
    clscan_variant variant = {.work_group_size = UINT32_MAX,
                              .vector_length = UINT32_MAX,
                              .register_pieces = UINT32_MAX,
                              .local_pieces = UINT32_MAX};

    assert_true(clscan_variant_tile_count(&variant) == UINT64_MAX);
    assert_true(clscan_variant_local_bytes(&variant, PROBLEM_OF(CLSCAN_INT64, CLSCAN_ADD)) == UINT64_MAX);
    assert_true(clscan_variant_register_bytes(&variant, PROBLEM_OF(CLSCAN_INT64, CLSCAN_ADD)) == UINT64_MAX);
}

/* Every combination of axis values, also the illegal ones: what is written can be read. */
static void text_survives_a_round_trip(void **state)
{
    (void)state;
    clscan_variant variant = {0};
    size_t rounds = 1;

    for (size_t i = 0; i < CLSCAN__AXIS_COUNT; ++i)
        rounds *= clscan__axes[i].value_count;
    for (size_t round = 0; round < rounds; ++round) {
        size_t rest = round;
        char text[512];
        clscan_variant read = {0};

        for (size_t i = 0; i < CLSCAN__AXIS_COUNT; ++i) {
            clscan__axis_set(&clscan__axes[i], &variant, (uint32_t)(rest % clscan__axes[i].value_count));
            rest /= clscan__axes[i].value_count;
        }
        for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i)
            clscan__param_set(&clscan__params[i], &variant, (uint32_t)(round % (i + 2) == 0 ? UINT32_MAX : round % 5));
        assert_in_range(clscan_variant_format(&variant, text, sizeof text), 1, sizeof text - 1);
        assert_int_equal(clscan_variant_parse(text, &read, NULL), CLSCAN_OK);
        assert_memory_equal(&read, &variant, sizeof variant);
    }
}

static void text_has_what_the_variant_needs(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "strided+kogge_stone+adjacent+dynamic work_group_size=256 vector_length=4 register_pieces=2 "
        "local_pieces=0 tiles_per_work_group=8 poll_delay=0",
        "matrix+brent_kung+reduce_then_scan work_group_size=64 vector_length=1 register_pieces=0 "
        "local_pieces=1 thread_group_size=8 work_groups_per_unit=4",
    };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        const clscan_variant variant = parsed_variant(texts[i]);
        char text[512];

        clscan_variant_format(&variant, text, sizeof text);
        assert_string_equal(text, texts[i]);
    }
}

static void format_reports_the_whole_length(void **state)
{
    (void)state;
    const clscan_variant variant = parsed_variant("strided+kogge_stone+single work_group_size=256 "
                                                  "vector_length=4 register_pieces=2 local_pieces=0");
    char whole[512];
    const int length = clscan_variant_format(&variant, whole, sizeof whole);

    assert_int_equal(clscan_variant_format(&variant, NULL, 0), length);
    for (size_t size = 1; size <= (size_t)length + 1; ++size) {
        char *cut = malloc(size); /* its end is guarded by the sanitizer */

        assert_non_null(cut);
        assert_int_equal(clscan_variant_format(&variant, cut, size), length);
        assert_int_equal(strlen(cut), size - 1);
        assert_memory_equal(cut, whole, size - 1);
        free(cut);
    }
}

static void format_of_garbage_is_harmless(void **state)
{
    (void)state;
    clscan_variant garbage;
    char text[512];

    memset(&garbage, 0xff, sizeof garbage);
    assert_in_range(clscan_variant_format(&garbage, text, sizeof text), 1, sizeof text - 1);
    assert_int_equal(clscan_variant_parse(text, &garbage, NULL), CLSCAN_ERROR_INVALID_VALUE);
}

static void parse_refuses(void **state)
{
    (void)state;
#define SIZES " work_group_size=1 vector_length=1 register_pieces=1 local_pieces=0"
    static const struct {
        const char *text, *culprit, *reason;
    } cases[] = {
        {"", "body", "nothing there"},
        {"   ", "body", "blanks only"},
        {"diagonal+kogge_stone+single" SIZES, "diagonal", "no such body"},
        {"strided" SIZES, "group_scan", "an axis is missing"},
        {"strided+kogge_stone" SIZES, "carry", "an axis is missing"},
        {"strided+kogge_stone+adjacent" SIZES, "order", "this carry needs an order"},
        {"strided+kogge_stone+single+dynamic+static" SIZES, "+static", "an axis too many"},
        {"strided+kogge_stone+single+" SIZES, "order", "an empty name"},
        {"strided +kogge_stone+single" SIZES, "strided", "axes are one word"},
        {"stride+kogge_stone+single" SIZES, "stride", "the beginning of a name"},
        {"stridedness+kogge_stone+single" SIZES, "stridedness", "more than a name"},
        {"strided+kogge_stone+single" SIZES " items=4", "items", "no such parameter"},
        {"strided+kogge_stone+single" SIZES " local_pieces=0", "local_pieces", "given twice"},
        {"strided+kogge_stone+single work_group_size=1", "vector_length", "a parameter is missing"},
        {"coalesced+kogge_stone+single" SIZES, "thread_group_size", "needed by this body"},
        {"strided+kogge_stone+single" SIZES " thread_group_size", "thread_group_size", "no value"},
        {"strided+kogge_stone+single" SIZES " thread_group_size=", "thread_group_size", "empty value"},
        {"strided+kogge_stone+single" SIZES " thread_group_size=-1", "thread_group_size", "a sign"},
        {"strided+kogge_stone+single" SIZES " thread_group_size=0x8", "thread_group_size", "not decimal"},
        {"strided+kogge_stone+single" SIZES " thread_group_size=4294967296", "thread_group_size",
         "2^32 would wrap to 0"},
        {"strided+kogge_stone+single" SIZES " thread_group_size=99999999999999999999999999", "thread_group_size",
         "would wrap 64 bits"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        clscan_variant variant = {.work_group_size = 77};
        clscan_error error = {0};

        if (clscan_variant_parse(cases[i].text, &variant, &error) != CLSCAN_ERROR_INVALID_VALUE ||
            strstr(error.message, cases[i].culprit) == NULL)
            fail_msg("\"%s\" (%s): \"%s\"", cases[i].text, cases[i].reason, error.message);
        assert_int_equal(variant.work_group_size, 77); /* outputs are written only on success */
    }
    assert_int_equal(clscan_variant_parse(NULL, NULL, NULL), CLSCAN_ERROR_NULL_ARGUMENT);
}

static void parameters_are_needed_by_body_carry_and_order(void **state)
{
    (void)state;
    for (uint32_t body = 0; body < CLSCAN_BODY_COUNT; ++body)
        for (uint32_t carry = 0; carry < CLSCAN_CARRY_COUNT; ++carry) {
            const clscan_variant variant = {.body = body, .carry = carry};

            const bool cached = body == CLSCAN_BODY_CACHED_ROWS;

            assert_true(clscan__param_needed(&variant, &clscan__params[CLSCAN_PARAM_vector_length]));
            assert_int_equal(clscan_variant_needs(&variant, CLSCAN_PARAM_register_pieces), !cached);
            assert_int_equal(clscan_variant_needs(&variant, CLSCAN_PARAM_local_pieces), !cached);
            assert_int_equal(clscan_variant_needs(&variant, CLSCAN_PARAM_cached_pieces), cached);
            assert_int_equal(clscan_variant_needs(&variant, CLSCAN_PARAM_interleaved_rows), cached);
            assert_int_equal(clscan_variant_needs(&variant, CLSCAN_PARAM_streaming_stores), cached);
            assert_int_equal(clscan__param_needed(&variant, &clscan__params[CLSCAN_PARAM_thread_group_size]),
                             body == CLSCAN_BODY_COALESCED || body == CLSCAN_BODY_MATRIX);
            assert_int_equal(clscan__param_needed(&variant, &clscan__params[CLSCAN_PARAM_work_groups_per_unit]),
                             carry == CLSCAN_CARRY_REDUCE_THEN_SCAN || carry == CLSCAN_CARRY_SCAN_THEN_ADD ||
                                 carry == CLSCAN_CARRY_REDUCE_THEN_COMBINE || carry == CLSCAN_CARRY_LAST_COMBINES);
            assert_int_equal(clscan_variant_needs(&variant, CLSCAN_PARAM_poll_delay),
                             carry == CLSCAN_CARRY_ADJACENT || carry == CLSCAN_CARRY_LOOKAHEAD ||
                                 carry == CLSCAN_CARRY_LOOKBACK || carry == CLSCAN_CARRY_ALL_TOTALS);
            assert_int_equal(clscan_variant_needs(&variant, CLSCAN_PARAM_tiles_per_work_group),
                             carry == CLSCAN_CARRY_ADJACENT);
            for (uint32_t order = 0; order < CLSCAN_ORDER_COUNT; ++order) {
                const clscan_variant ordered = {.body = body, .carry = carry, .order = order};

                assert_int_equal(clscan_variant_needs(&ordered, CLSCAN_PARAM_landing_zones),
                                 body == CLSCAN_BODY_SUBGROUP_ROWS && carry == CLSCAN_CARRY_LOOKAHEAD);
            }
            assert_false(clscan_variant_needs(&variant, CLSCAN_PARAM_COUNT));
        }
    for (uint32_t order = 0; order < CLSCAN_ORDER_COUNT; ++order) {
        const clscan_variant variant = {.carry = CLSCAN_CARRY_ADJACENT, .order = order};

        assert_int_equal(clscan_variant_needs(&variant, CLSCAN_PARAM_work_groups_per_unit),
                         order == CLSCAN_ORDER_PERSISTENT || order == CLSCAN_ORDER_CYCLIC);
        assert_true(clscan_variant_needs(&variant, CLSCAN_PARAM_tiles_per_work_group));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_follow_the_formulas),
        cmocka_unit_test(rows_from_offset_to_offset_lie_in_local_memory),
        cmocka_unit_test(elements_that_are_passed_on_are_held),
        cmocka_unit_test(sizes_that_do_not_fit_stop_at_the_largest_number),
        cmocka_unit_test(text_survives_a_round_trip),
        cmocka_unit_test(text_has_what_the_variant_needs),
        cmocka_unit_test(format_reports_the_whole_length),
        cmocka_unit_test(format_of_garbage_is_harmless),
        cmocka_unit_test(parse_refuses),
        cmocka_unit_test(parameters_are_needed_by_body_carry_and_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
