/* Where elements of a tensor are that are kept: their coordinates in up to as many dimensions as tensors have, which a
 * map on store makes of the index. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "generate.h"
#include "live.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

enum { DIMENSIONS = CLSCAN_MOST_DIMENSIONS, MARGIN = 3, SEED = 5 };

typedef struct place {
    uint32_t at[DIMENSIONS];
} place;

static const clscan_element place_type = {.struct_size = sizeof place_type,
                                          .name = "place",
                                          .source = "typedef struct place { uint at[5]; } place;",
                                          .size_bytes = sizeof(place),
                                          .align_bytes = _Alignof(place)};

/* The extents of all dimensions but the first, which says how many elements there are. */
static const clscan_map_argument extents_of = {
    .struct_size = sizeof extents_of, .name = "extents", .type = CLSCAN_UINT32, .lanes = 4};
static const clscan_map to_place = {
    .struct_size = sizeof to_place,
    .expression = "(place){{index / extents.w / extents.z / extents.y / extents.x, "
                  "index / extents.w / extents.z / extents.y % extents.x, "
                  "index / extents.w / extents.z % extents.y, index / extents.w % extents.z, index % extents.w}}",
    .arguments = &extents_of,
    .argument_count = 1};
static const clscan_map differs = {.struct_size = sizeof differs, .expression = "element != 0"};
static const clscan_select by_bytes = {.struct_size = sizeof by_bytes, .flag_bytes = 1};

/* A loop over each dimension. Returns how many places there are. */
static uint32_t expect(const uint32_t extents[DIMENSIONS], const unsigned char *kept, place *places)
{
    uint32_t number = 0;
    uint64_t i = 0;
    place p;

    for (p.at[0] = 0; p.at[0] < extents[0]; ++p.at[0])
        for (p.at[1] = 0; p.at[1] < extents[1]; ++p.at[1])
            for (p.at[2] = 0; p.at[2] < extents[2]; ++p.at[2])
                for (p.at[3] = 0; p.at[3] < extents[3]; ++p.at[3])
                    for (p.at[4] = 0; p.at[4] < extents[4]; ++p.at[4])
                        if (kept[i++] != 0)
                            places[number++] = p;
    return number;
}

/* By flags there is no input: the map on store names no element. */
static void find(const test_live *live, const uint32_t extents[DIMENSIONS], bool by_flags)
{
    const uint64_t count = (uint64_t)extents[0] * extents[1] * extents[2] * extents[3] * extents[4];
    const size_t bytes = (size_t)(count + 2 * MARGIN) * sizeof(place);
    const clscan_problem problem = {.struct_size = sizeof problem,
                                    .operation = CLSCAN_SELECT,
                                    .type = CLSCAN_UINT8,
                                    .max_count = count,
                                    .select = by_flags ? &by_bytes : NULL,
                                    .load = by_flags ? NULL : &differs,
                                    .store = &to_place,
                                    .output = &place_type};
    unsigned char *kept = malloc((size_t)count);
    place *expected = malloc(bytes), *got = malloc(bytes);
    uint32_t number, got_number;
    clscan_plan *plan;
    clscan_workspace *workspace;
    clscan_error error = {0};

    assert_true(kept != NULL && expected != NULL && got != NULL);
    for (uint64_t i = 0; i < count; ++i)
        kept[i] = clscan_generate_bits(SEED, i) % 3 == 0;
    memset(expected, 0x5a, bytes);
    test_plan_create(live, &problem, NULL, &plan, &workspace);
    const cl_mem in = test_buffer(live, CL_MEM_READ_ONLY, (size_t)count, kept),
                 out = test_buffer(live, CL_MEM_READ_WRITE, bytes, expected),
                 total = test_buffer(live, CL_MEM_READ_WRITE, sizeof number, NULL);
    const clscan_memory of_extents = {.kind = CLSCAN_MEMORY_HOST, .pointer = (void *)(extents + 1)};
    const clscan_selection selection = {.struct_size = sizeof selection, .flags.buffer = in};
    const clscan_run_args args = {.struct_size = sizeof args,
                                  .in.buffer = by_flags ? NULL : in,
                                  .out = {.buffer = out, .offset = MARGIN},
                                  .count = count,
                                  .total.buffer = total,
                                  .selection = by_flags ? &selection : NULL,
                                  .map_arguments = &of_extents,
                                  .map_argument_count = 1};

    assert_status(CLSCAN_OK, clscan_run(plan, workspace, live->queue, &args, 0, NULL, NULL, &error), &error);
    number = expect(extents, kept, expected + MARGIN);
    test_read(live, total, sizeof got_number, &got_number);
    test_read(live, out, bytes, got);
    assert_int_equal(got_number, number);
    assert_memory_equal(got, expected, bytes);
    clReleaseMemObject(in);
    clReleaseMemObject(out);
    clReleaseMemObject(total);
    clscan_workspace_destroy(workspace);
    clscan_plan_destroy(plan);
    free(kept);
    free(expected);
    free(got);
}

static void coordinates_in_five_dimensions(void **state)
{
    static const uint32_t extents[][DIMENSIONS] = {
        {1, 1, 1, 1, 1}, {2, 3, 4, 5, 6}, {1, 300, 1, 7, 1}, {7, 1, 30, 2, 101}, {13, 4, 11, 3, 17}};

    for (size_t i = 0; i < COUNT_OF(extents); ++i) {
        find(*state, extents[i], false);
        find(*state, extents[i], true);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coordinates_in_five_dimensions),
    };
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
