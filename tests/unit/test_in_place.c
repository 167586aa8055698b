/* Scratch memory of selections in place: where outputs stand in it. */
#include "cmocka_all.h"
#include "element/problem.h"
#include "engine/in_place.h"

enum { VECTOR = 16 };

/* A problem with an input of `size` bytes, until the next one. */
static const clscan_problem *taken(uint32_t size, const clscan_select *select, uint64_t max_count)
{
    static clscan_element element;
    static clscan__problem_room room;
    static clscan_problem given;
    const clscan_problem *problem = &given;
    clscan_error error = {0};

    element = (clscan_element){.struct_size = sizeof element,
                               .name = "thing",
                               .size_bytes = size,
                               .align_bytes = 1,
                               .source = "typedef struct thing { uchar bytes[1]; } thing;"};
    given = (clscan_problem){.struct_size = sizeof given,
                             .operation = CLSCAN_SELECT,
                             .element = &element,
                             .max_count = max_count,
                             .select = select};
    if (clscan__problem_take(&problem, &room, &error) != CLSCAN_OK)
        fail_msg("%s", error.message);
    return problem;
}

/* In every output `max_count` elements, which overlap nothing else and lie to vectors as the input does. */
static void outputs_are_apart_and_lie_alike(void **state)
{
    (void)state;
    static const uint64_t counts[] = {1, 2, 15, 16, 17, 1000, UINT64_C(1) << 40};

    for (uint32_t size = 1; size <= CLSCAN_MOST_ELEMENT_BYTES; ++size)
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i)
            for (uint64_t like = 0; like < 2 * VECTOR; ++like) {
                const uint32_t column_bytes[] = {1 + (size * 5) % 64, 12, 1 + (size + 30) % 64};
                const clscan_select select = {.struct_size = sizeof select,
                                              .flag_bytes = 1,
                                              .column_bytes = column_bytes,
                                              .column_count = 3,
                                              .in_place = 1};
                const clscan_problem *problem = taken(size, &select, counts[i]);
                const uint64_t begin = 256 * (like + 3);
                uint64_t end = begin;

                for (uint32_t output = 0; output < 4; ++output) {
                    const uint64_t bytes = clscan__in_place_element_bytes(problem, output);
                    const uint64_t first = clscan__in_place_first(problem, output, begin, like);

                    assert_int_equal(bytes, output == 0 ? size : column_bytes[output - 1]);
                    assert_true(first * bytes >= end);
                    assert_int_equal((first * bytes - like * bytes) % VECTOR, 0);
                    end = (first + counts[i]) * bytes;
                }
                assert_true(end <= begin + clscan__in_place_bytes(problem));
                assert_int_equal(clscan__in_place_element_bytes(problem, 4), 0);
            }
}

static void nothing_is_there_without_being_asked_for(void **state)
{
    (void)state;
    static const uint32_t column_bytes[] = {4};
    const clscan_select select = {
        .struct_size = sizeof select, .flag_bytes = 1, .column_bytes = column_bytes, .column_count = 1};
    const clscan_problem *problem = taken(8, &select, 1000);

    assert_int_equal(clscan__in_place_bytes(problem), 0);
    assert_int_equal(clscan__in_place_element_bytes(problem, 0), 0);
    assert_int_equal(clscan__in_place_element_bytes(problem, 1), 0);
}

static void more_than_memory_is_noticed(void **state)
{
    (void)state;
    const clscan_select select = {.struct_size = sizeof select, .flag_bytes = 1, .in_place = 1};

    assert_true(clscan__in_place_bytes(taken(64, &select, UINT64_MAX / 64)) == UINT64_MAX);
    assert_true(clscan__in_place_bytes(taken(1, &select, UINT64_MAX)) == UINT64_MAX);
    assert_true(clscan__in_place_bytes(taken(1, &select, UINT64_MAX / 100)) < UINT64_MAX / 99);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outputs_are_apart_and_lie_alike),
        cmocka_unit_test(nothing_is_there_without_being_asked_for),
        cmocka_unit_test(more_than_memory_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
