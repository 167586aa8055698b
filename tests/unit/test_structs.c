/* Structs of programs that were built against other versions of the headers. */
#include <string.h>

#include <clscan/clscan.h>

#include "base/structs.h"
#include "cmocka_all.h"
#include "program_specs.h"

/* The same struct in three versions. */
typedef struct first_version {
    size_t struct_size;
    uint64_t count;
} first_version;

typedef struct second_version {
    size_t struct_size;
    uint64_t count, offset;
} second_version;

typedef struct third_version {
    size_t struct_size;
    uint64_t count, offset, stride;
} third_version;

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static clscan_status take(const void *given, const second_version **taken, second_version *room, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const second_version *args = given;

    CLSCAN__TAKE(args, *room);
    *taken = args;

cleanup:
    return status;
}

static void a_struct_of_the_same_version_is_read_where_it_stands(void **state)
{
    (void)state;
    const second_version given = {sizeof given, 7, 8};
    const second_version *taken = NULL;
    second_version room;

    assert_int_equal(take(&given, &taken, &room, NULL), CLSCAN_OK);
    assert_ptr_equal(taken, &given);
}

static void what_an_older_program_does_not_know_reads_as_zero(void **state)
{
    (void)state;
    const first_version given = {sizeof given, 7};
    const second_version *taken = NULL;
    second_version room;

    memset(&room, 0xff, sizeof room);
    assert_int_equal(take(&given, &taken, &room, NULL), CLSCAN_OK);
    assert_int_equal(taken->struct_size, sizeof *taken);
    assert_int_equal(taken->count, 7);
    assert_int_equal(taken->offset, 0);
}

static void a_newer_program_may_not_ask_for_what_is_not_known(void **state)
{
    (void)state;
    third_version given = {sizeof given, 7, 8, 0};
    const second_version *taken = NULL;
    second_version room;
    clscan_error error = {0};

    assert_int_equal(take(&given, &taken, &room, NULL), CLSCAN_OK);
    assert_int_equal(taken->struct_size, sizeof *taken);
    assert_int_equal(taken->offset, 8);

    taken = NULL;
    given.stride = UINT64_C(1) << 63; /* its last byte alone */
    assert_int_equal(take(&given, &taken, &room, &error), CLSCAN_ERROR_STRUCT_SIZE);
    assert_int_equal(error.status, CLSCAN_ERROR_STRUCT_SIZE);
    assert_non_null(strstr(error.message, "args"));
    assert_non_null(strstr(error.message, "newer"));
    assert_null(taken);
}

static void a_size_that_no_struct_has_is_refused(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, sizeof(size_t) - 1, CLSCAN__MOST_STRUCT_BYTES + 1, SIZE_MAX};

    for (size_t i = 0; i < COUNT_OF(sizes); ++i) {
        const second_version given = {.struct_size = sizes[i]};
        const second_version *taken = NULL;
        second_version room;
        clscan_error error = {0};

        assert_int_equal(take(&given, &taken, &room, &error), CLSCAN_ERROR_STRUCT_SIZE);
        assert_non_null(strstr(error.message, "args->struct_size"));
        assert_int_equal(clscan__struct_check(&given, "args", &error), CLSCAN_ERROR_STRUCT_SIZE);
    }
}

static void a_result_is_written_as_far_as_both_know_it(void **state)
{
    (void)state;
    const second_version value = {99, 7, 8}; /* its size does not matter */
    struct {
        first_version given;
        uint64_t behind;
    } older = {.given = {.struct_size = sizeof older.given, .count = 1}, .behind = 55};
    third_version newer = {.struct_size = sizeof newer, .stride = 66};

    clscan__struct_give(&older.given, &value, sizeof value);
    assert_int_equal(older.given.struct_size, sizeof older.given);
    assert_int_equal(older.given.count, 7);
    assert_int_equal(older.behind, 55);

    clscan__struct_give(&newer, &value, sizeof value);
    assert_int_equal(newer.struct_size, sizeof newer);
    assert_int_equal(newer.count, 7);
    assert_int_equal(newer.offset, 8);
    assert_int_equal(newer.stride, 0);
}

/* ---- The same through public functions ---- */

/* A struct with `more` bytes behind it, all of which are `value`. */
static void *grown(const void *known, size_t known_bytes, size_t more, int value)
{
    static union {
        uint64_t aligned;
        unsigned char bytes[16384];
    } rooms[4];
    static unsigned next;
    unsigned char *room = rooms[next++ % COUNT_OF(rooms)].bytes;
    const size_t size = known_bytes + more;

    assert_true(size <= sizeof rooms[0].bytes);
    memcpy(room, known, known_bytes);
    memset(room + known_bytes, value, more);
    memcpy(room, &size, sizeof size);
    return room;
}

static void programs_of_other_versions_ask_about_problems(void **state)
{
    (void)state;
    const clscan_device_info device = recorded_device("nvidia-h200");
    const clscan_problem problem = {sizeof problem, .type = CLSCAN_INT32, .op = CLSCAN_ADD};
    clscan_choice expected = {.struct_size = sizeof expected};
    static const size_t more[] = {0, 8, 64};

    assert_int_equal(clscan_config_explain(NULL, &device, &problem, 1000, 0, &expected, NULL), CLSCAN_OK);
    for (size_t i = 0; i < COUNT_OF(more); ++i) {
        clscan_choice *choice = grown(&(clscan_choice){0}, sizeof *choice, more[i], 0x55);
        const unsigned char *behind = (const unsigned char *)(choice + 1);
        const clscan_problem *of_problem = grown(&problem, sizeof problem, more[i], 0);
        const clscan_device_info *of_device = grown(&device, sizeof device, more[i], 0);

        assert_int_equal(clscan_config_explain(NULL, of_device, of_problem, 1000, 0, choice, NULL), CLSCAN_OK);
        assert_int_equal(choice->struct_size, sizeof *choice + more[i]);
        assert_memory_equal(&choice->variant, &expected.variant, sizeof *choice - offsetof(clscan_choice, variant));
        for (size_t j = 0; j < more[i]; ++j)
            assert_int_equal(behind[j], 0);
        assert_int_equal(clscan_variant_check(&choice->variant, of_problem, 0, of_device, NULL), CLSCAN_OK);
    }
}

/* Of a device that an older program has described, what came later is not known. */
static void an_older_program_keeps_its_smaller_structs(void **state)
{
    (void)state;
    const clscan_device_info whole = recorded_device("nvidia-h200");
    const size_t short_bytes = offsetof(clscan_device_info, rows_reason);
    union {
        clscan_device_info info;
        unsigned char bytes[sizeof(clscan_device_info)];
    } older;
    const clscan_problem problem = {offsetof(clscan_problem, reproducible), .type = CLSCAN_INT32, .op = CLSCAN_ADD,
                                    .reproducible = 12345};
    clscan_choice expected = {.struct_size = sizeof expected},
                  choice = {.struct_size = offsetof(clscan_choice, source)};

    memset(&older, 0x55, sizeof older);
    older.info.struct_size = short_bytes;
    assert_int_equal(clscan_device_load(CLSCAN_FIXTURES "/devices/nvidia-h200.json", &older.info, NULL), CLSCAN_OK);
    assert_int_equal(older.info.struct_size, short_bytes);
    assert_memory_equal(older.bytes + sizeof(size_t), (const unsigned char *)&whole + sizeof(size_t),
                        short_bytes - sizeof(size_t));
    for (size_t i = short_bytes; i < sizeof older; ++i)
        assert_int_equal(older.bytes[i], 0x55);

    choice.source[0] = '?';
    assert_int_equal(clscan_config_explain(NULL, &older.info, &problem, 1000, 0, &choice, NULL), CLSCAN_OK);
    assert_int_equal(choice.source[0], '?');
    assert_int_equal(clscan_config_explain(NULL, &whole, &problem, 1000, 0, &expected, NULL), CLSCAN_OK);
    assert_memory_equal(&choice.variant, &expected.variant, sizeof choice.variant);
}

static void what_a_newer_program_sets_is_refused_by_name(void **state)
{
    (void)state;
    const clscan_device_info device = recorded_device("nvidia-h200");
    const clscan_problem problem = {sizeof problem, .type = CLSCAN_INT32, .op = CLSCAN_ADD};
    clscan_choice choice = {.struct_size = sizeof choice, .largest_count = 77};
    clscan_error error = {0};

    assert_int_equal(
        clscan_config_explain(NULL, &device, grown(&problem, sizeof problem, 8, 1), 1000, 0, &choice, &error),
        CLSCAN_ERROR_STRUCT_SIZE);
    assert_non_null(strstr(error.message, "problem"));
    assert_int_equal(choice.largest_count, 77);
    assert_int_equal(
        clscan_config_explain(NULL, grown(&device, sizeof device, 8, 1), &problem, 1000, 0, &choice, &error),
        CLSCAN_ERROR_STRUCT_SIZE);
    assert_non_null(strstr(error.message, "device"));
    choice.struct_size = 0;
    assert_int_equal(clscan_config_explain(NULL, &device, &problem, 1000, 0, &choice, &error),
                     CLSCAN_ERROR_STRUCT_SIZE);
    assert_non_null(strstr(error.message, "choice"));
}

/* A parameter of a later version stands in a reserved place. */
static void a_variant_with_an_unknown_parameter_is_refused(void **state)
{
    (void)state;
    const clscan_problem problem = {sizeof problem, .type = CLSCAN_INT32, .op = CLSCAN_ADD};
    const clscan_variant plain = {.carry = CLSCAN_CARRY_SINGLE,
                                  .group_scan = CLSCAN_GROUP_SCAN_BRENT_KUNG,
                                  .work_group_size = 64,
                                  .vector_length = 1,
                                  .register_pieces = 1};
    clscan_variant later = plain;

    assert_int_equal(clscan_variant_check(&plain, &problem, 0, NULL, NULL), CLSCAN_OK);
    later.reserved_params[0] = 1;
    assert_int_equal(clscan_variant_check(&later, &problem, 0, NULL, NULL), CLSCAN_ERROR_ILLEGAL_VARIANT);
    later = plain;
    later.reserved_axes[COUNT_OF(later.reserved_axes) - 1] = 1;
    assert_int_equal(clscan_variant_check(&later, &problem, 0, NULL, NULL), CLSCAN_ERROR_ILLEGAL_VARIANT);
}

/* Structs that stand in arrays are as far apart as the program says. */
static void a_list_has_the_stride_of_its_program(void **state)
{
    (void)state;
    enum { MOST = 64 };
    const clscan_device_info device = recorded_device("nvidia-h200");
    const clscan_problem problem = {sizeof problem, .type = CLSCAN_INT32, .op = CLSCAN_ADD};
    static clscan_known_variant expected[MOST];
    static union {
        clscan_known_variant first;
        unsigned char bytes[MOST * (sizeof(clscan_known_variant) + 24)];
    } list;
    static const size_t strides[] = {sizeof(clscan_variant) + 8, sizeof(clscan_known_variant) - 256,
                                     sizeof(clscan_known_variant) + 24};
    static const size_t wrong[] = {0, 8, sizeof(clscan_known_variant) + 4, SIZE_MAX};
    size_t count;

    assert_int_equal(clscan_config_list(NULL, &device, &problem, expected, sizeof expected[0], MOST, &count, NULL),
                     CLSCAN_OK);
    assert_true(count > 3);
    count = count < MOST ? count : MOST;
    for (size_t i = 0; i < COUNT_OF(strides); ++i) {
        const size_t known = strides[i] < sizeof expected[0] ? strides[i] : sizeof expected[0];
        size_t found;

        memset(&list, 0x55, sizeof list);
        assert_int_equal(clscan_config_list(NULL, &device, &problem, &list.first, strides[i], MOST, &found, NULL),
                         CLSCAN_OK);
        for (size_t j = 0; j < count; ++j) {
            assert_memory_equal(list.bytes + j * strides[i], &expected[j], known);
            for (size_t k = known; k < strides[i]; ++k)
                assert_int_equal(list.bytes[j * strides[i] + k], 0);
        }
    }
    for (size_t i = 0; i < COUNT_OF(wrong); ++i)
        assert_int_equal(clscan_config_list(NULL, &device, &problem, &list.first, wrong[i], 1, &count, NULL),
                         CLSCAN_ERROR_STRUCT_SIZE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_struct_of_the_same_version_is_read_where_it_stands),
        cmocka_unit_test(what_an_older_program_does_not_know_reads_as_zero),
        cmocka_unit_test(a_newer_program_may_not_ask_for_what_is_not_known),
        cmocka_unit_test(a_size_that_no_struct_has_is_refused),
        cmocka_unit_test(a_result_is_written_as_far_as_both_know_it),
        cmocka_unit_test(programs_of_other_versions_ask_about_problems),
        cmocka_unit_test(an_older_program_keeps_its_smaller_structs),
        cmocka_unit_test(what_a_newer_program_sets_is_refused_by_name),
        cmocka_unit_test(a_variant_with_an_unknown_parameter_is_refused),
        cmocka_unit_test(a_list_has_the_stride_of_its_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
