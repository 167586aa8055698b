/* Entries for what problems do besides scanning scalars: selections, segments, elements of a range of sizes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <clscan/clscan.h>

#include "cmocka_all.h"
#include "explicit_config.h"
#include "parsed_variant.h"
#include "program_specs.h"

/* ---- Configs whose entries can be told apart by register_pieces ---- */

/* clang-format off */
#define FILE_OF(entries)                                                      \
    "{\"schema_version\": 1, \"match\": \"test-model\", \"provenance\": "     \
    "{\"origin\": \"hand-set\", \"date\": \"2026-11-25\"}, \"entries\": [" entries "]}"
#define ENTRY(operation, bytes, more, body, tag)                                                  \
    "{\"operation\": \"" operation "\", \"element_size_bytes\": " #bytes ", " more                \
    "\"operator_class\": \"builtin\", \"largest_count\": null, \"reproducible\": false, "         \
    "\"variant\": {" body ", \"carry\": \"single\", \"register_pieces\": " #tag ", \"local_pieces\": 0}}"
#define STRIDED "\"body\": \"strided\", \"group_scan\": \"brent_kung\", \"work_group_size\": 64, \"vector_length\": 1"
#define ROWS "\"body\": \"subgroup_rows\", \"group_scan\": \"subgroup\", \"work_group_size\": 64, \"vector_length\": 4"
#define OF(operation, bytes, tag) ENTRY(operation, bytes, "", STRIDED, tag)
/* clang-format on */

static const clscan_select by_flags = {.struct_size = sizeof by_flags, .flag_bytes = 1};
static const clscan_segments flags = {.struct_size = sizeof flags, .type = CLSCAN_UINT8};
static const clscan_segments keys = {.struct_size = sizeof keys, .by = CLSCAN_BY_KEYS, .type = CLSCAN_INT32};
static const clscan_segments offsets = {.struct_size = sizeof offsets, .by = CLSCAN_BY_OFFSETS, .type = CLSCAN_INT32};

static clscan_problem scan_of(clscan_type type)
{
    return (clscan_problem){.struct_size = sizeof(clscan_problem), .type = type};
}

static clscan_problem selection_of(clscan_type type)
{
    clscan_problem problem = scan_of(type);

    problem.operation = CLSCAN_SELECT;
    problem.select = &by_flags;
    return problem;
}

/* Of an element that the one in front differs from. */
static clscan_problem unique_of(clscan_type type, const clscan_select *select)
{
    static const clscan_map differs = {.struct_size = sizeof differs, .expression = "index == 0 || element != before"};
    clscan_problem problem = selection_of(type);

    problem.select = select;
    problem.load = &differs;
    return problem;
}

static clscan_problem segments_of(clscan_type type, const clscan_segments *segments, clscan_operation operation)
{
    clscan_problem problem = scan_of(type);

    problem.segments = segments;
    problem.operation = operation;
    return problem;
}

static clscan_device_info test_device(void)
{
    clscan_device_info device = unmatched_device();

    device.local_memory_bytes = 65536;
    device.has_sub_groups = 1;
    device.sub_group_size = 32;
    return device;
}

static clscan_choice choose(const clscan_config *config, const clscan_device_info *device,
                            const clscan_problem *problem, uint64_t count)
{
    clscan_choice choice = {.struct_size = sizeof choice};
    clscan_error error;

    if (clscan_config_explain(config, device, problem, count, 0, &choice, &error) != CLSCAN_OK)
        fail_msg("%s", error.message);
    return choice;
}

static uint32_t pieces_for(const clscan_config *config, clscan_problem problem, uint64_t count)
{
    const clscan_device_info device = test_device();

    return choose(config, &device, &problem, count).variant.register_pieces;
}

/* ---- Whose entries ---- */

static void each_operation_has_its_own_entries(void **state)
{
    (void)state;
    clscan_config *config =
        explicit_config(FILE_OF(OF("scan", 4, 1) ", " OF("select", 4, 2) ", " OF("segmented_scan", 4, 3) ", " OF(
            "segmented_reduce", 4, 5) ", " OF("scan_by_key", 4, 6) ", " OF("reduce_by_key", 4,
                                                                           7) ", " OF("reduce_by_offsets", 4, 8)));

    assert_int_equal(pieces_for(config, scan_of(CLSCAN_INT32), 1000), 1);
    assert_int_equal(pieces_for(config, selection_of(CLSCAN_INT32), 1000), 2);
    assert_int_equal(pieces_for(config, segments_of(CLSCAN_INT32, &flags, CLSCAN_SCAN), 1000), 3);
    assert_int_equal(pieces_for(config, segments_of(CLSCAN_INT32, &offsets, CLSCAN_SCAN), 1000), 3);
    assert_int_equal(pieces_for(config, segments_of(CLSCAN_INT32, &flags, CLSCAN_REDUCE), 1000), 5);
    assert_int_equal(pieces_for(config, segments_of(CLSCAN_INT32, &keys, CLSCAN_SCAN), 1000), 6);
    assert_int_equal(pieces_for(config, segments_of(CLSCAN_INT32, &keys, CLSCAN_REDUCE), 1000), 7);
    assert_int_equal(pieces_for(config, segments_of(CLSCAN_INT32, &offsets, CLSCAN_REDUCE), 1000), 8);
    /* What segments keep of an element is its sum: of half, a float. */
    assert_int_equal(pieces_for(config, segments_of(CLSCAN_HALF, &flags, CLSCAN_SCAN), 1000), 3);
    clscan_config_destroy(config);
}

static void equal_neighbours_ask_for_unique_before_select(void **state)
{
    static const clscan_select plain = {.struct_size = sizeof plain};
    static const clscan_select with_lengths = {.struct_size = sizeof with_lengths, .length_bytes = 4};
    static const clscan_map odd = {.struct_size = sizeof odd, .expression = "(element & 1) != 0"};
    (void)state;
    clscan_config *both = explicit_config(FILE_OF(OF("select", 2, 5) ", " OF("select", 4, 2) ", " OF("unique", 4, 3)));
    clscan_config *without = explicit_config(FILE_OF(OF("select", 2, 5) ", " OF("select", 4, 2)));
    const clscan_problem unique = unique_of(CLSCAN_INT32, &plain);
    clscan_problem others[] = {unique, unique_of(CLSCAN_INT32, &with_lengths), unique_of(CLSCAN_INT32, &by_flags)};

    assert_int_equal(pieces_for(both, unique, 1000), 3);
    assert_int_equal(pieces_for(without, unique, 1000), 2);
    assert_int_equal(pieces_for(both, unique_of(CLSCAN_INT16, &plain), 1000), 5);
    /* Nothing is passed on where flags or values decide, and nothing but places is held beside lengths. */
    others[0].load = &odd;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i)
        assert_int_equal(pieces_for(both, others[i], 1000), pieces_for(without, others[i], 1000));
    clscan_config_destroy(both);
    clscan_config_destroy(without);
}

static void offsets_take_entries_of_other_sums_before_those_of_scans(void **state)
{
    (void)state;
    clscan_config *config = explicit_config(FILE_OF(OF("scan", 8, 1) ", " OF("segmented_reduce", 4, 5)));
    const clscan_device_info device = test_device();
    const clscan_problem sums = segments_of(CLSCAN_INT32, &offsets, CLSCAN_REDUCE);
    const clscan_choice choice = choose(config, &device, &sums, 1000);

    assert_int_equal(choice.variant.register_pieces, 5);
    assert_non_null(strstr(choice.reason, "entry of segmented_reduce, since none of reduce_by_offsets serves"));
    clscan_config_destroy(config);
}

static void keys_take_entries_of_other_segments_before_those_of_scans(void **state)
{
    (void)state;
    clscan_config *config = explicit_config(FILE_OF(OF("scan", 8, 1) ", " OF("segmented_scan", 4, 3)));
    const clscan_device_info device = test_device();
    const clscan_problem by_keys = segments_of(CLSCAN_INT32, &keys, CLSCAN_SCAN);
    const clscan_problem sums = segments_of(CLSCAN_INT32, &keys, CLSCAN_REDUCE);
    const clscan_choice scan = choose(config, &device, &by_keys, 1000),
                        reduction = choose(config, &device, &sums, 1000);

    assert_int_equal(scan.variant.register_pieces, 3);
    assert_non_null(strstr(scan.reason, "entry of segmented_scan, since none of scan_by_key serves"));
    assert_int_equal(reduction.variant.register_pieces, 1);
    assert_non_null(strstr(reduction.reason, "entry of scan, since none of reduce_by_key serves"));
    clscan_config_destroy(config);
}

static clscan_choice keys_on(const clscan_config *config, const clscan_device_info *device, clscan_type type,
                             uint64_t max_count, uint64_t count)
{
    clscan_problem by_keys = segments_of(type, &keys, CLSCAN_SCAN);

    by_keys.max_count = max_count;
    return choose(config, device, &by_keys, count);
}

/* A GPU's plans for many turn keys into marks, and are served as other segments are. */
static void plans_with_marks_take_entries_of_other_segments(void **state)
{
    (void)state;
    enum { MANY = 1 << 23 };
    clscan_config *config =
        explicit_config(FILE_OF(OF("segmented_scan", 8, 3) ", " OF("scan_by_key", 4, 5) ", " OF("scan_by_key", 8, 6)));
    clscan_device_info device = test_device();

    device.device_class = CLSCAN_DEVICE_CLASS_GPU;
    assert_int_equal(keys_on(config, &device, CLSCAN_INT64, 0, 1).variant.register_pieces, 6);
    assert_int_equal(keys_on(config, &device, CLSCAN_INT64, 0, 1).largest_count, MANY - 1);
    assert_int_equal(keys_on(config, &device, CLSCAN_INT64, 0, MANY).variant.register_pieces, 3);
    assert_int_equal(keys_on(config, &device, CLSCAN_INT64, 0, MANY).largest_count, UINT64_MAX);
    assert_int_equal(keys_on(config, &device, CLSCAN_INT64, MANY, 1).variant.register_pieces, 3);
    assert_int_equal(keys_on(config, &device, CLSCAN_INT64, 1, MANY).variant.register_pieces, 6);
    assert_int_equal(keys_on(config, &device, CLSCAN_INT32, 0, MANY).variant.register_pieces, 5);
    assert_int_equal(keys_on(config, &device, CLSCAN_INT32, 0, 1).largest_count, UINT64_MAX);
    device.device_class = CLSCAN_DEVICE_CLASS_CPU;
    assert_int_equal(keys_on(config, &device, CLSCAN_INT64, 0, MANY).variant.register_pieces, 6);
    clscan_config_destroy(config);
}

/* Whoever tuned scans alone does not lose what is known of selections. */
static void entries_for_scans_wait_in_every_file(void **state)
{
    (void)state;
    clscan_config *config = explicit_config(
        "{\"schema_version\": 1, \"match\": \"nvidia-gpu\", \"provenance\": {\"origin\": \"hand-set\", \"date\": "
        "\"2026-11-25\"}, \"entries\": [" OF("scan", 4, 1) ", " OF("scan", 8, 1) "]}");
    const clscan_device_info device = recorded_device("nvidia-h200");
    const clscan_problem selection = selection_of(CLSCAN_INT32), scan = scan_of(CLSCAN_INT32);
    const clscan_element vector = {.struct_size = sizeof vector, .type = CLSCAN_FLOAT, .lanes = 4};
    clscan_problem vectors = scan;

    vectors.element = &vector;
    assert_string_equal(choose(config, &device, &scan, 1 << 28).source, "explicit.json");
    assert_string_equal(choose(config, &device, &selection, 1 << 28).source, "built-in nvidia/gpu.json");
    assert_string_equal(choose(config, &device, &selection, 1000).source, "explicit.json");
    assert_string_equal(choose(config, &device, &vectors, 1 << 28).source, "built-in nvidia/gpu.json");
    clscan_config_destroy(config);
}

static void a_gap_is_left_to_entries_for_scans(void **state)
{
    (void)state;
    clscan_config *config = explicit_config(FILE_OF(
        OF("scan", 8, 1) ", " OF("select", 2, 2) ", " ENTRY("select", 4, "\"smallest_count\": 1001, ", STRIDED, 3)));
    const clscan_device_info device = test_device();
    const clscan_problem selection = selection_of(CLSCAN_INT32);
    const clscan_choice small = choose(config, &device, &selection, 1);

    assert_int_equal(small.variant.register_pieces, 1); /* not that for smaller elements */
    assert_int_equal(small.largest_count, 1000);
    assert_int_equal(pieces_for(config, selection, 1001), 3);
    clscan_config_destroy(config);
}

/* ---- Rows ---- */

/* clang-format off */
#define BY_RANGES(operation, bytes, more, largest, items, tag)                                                 \
    "{\"operation\": \"" operation "\", \"element_size_bytes\": " #bytes ", " more                              \
    "\"operator_class\": \"builtin\", \"largest_count\": " #largest ", \"reproducible\": false, "                \
    "\"variant\": {\"body\": \"strided\", \"group_scan\": \"brent_kung\", \"carry\": \"reduce_then_scan\", "      \
    "\"work_group_size\": " #items ", \"vector_length\": 1, \"register_pieces\": " #tag ", "                    \
    "\"local_pieces\": 0, \"work_groups_per_unit\": 4}}"
#define OF_SCANS BY_RANGES("scan", 4, "", 5000, 64, 1) ", " BY_RANGES("scan", 4, "", null, 64, 2)
/* clang-format on */

static clscan_problem rows_of(clscan_type type, const clscan_rows *rows)
{
    clscan_problem problem = scan_of(type);

    problem.rows = rows;
    return problem;
}

static void rows_ask_by_the_length_of_one(void **state)
{
    (void)state;
    clscan_config *config = explicit_config(FILE_OF(
        OF_SCANS ", " BY_RANGES("scan_rows", 4, "", 64, 32, 3) ", " BY_RANGES("scan_rows", 4, "", null, 32, 4)));
    const clscan_device_info device = test_device();
    const clscan_rows rows = {.struct_size = sizeof rows, .count = 1 << 20};
    const clscan_problem problem = rows_of(CLSCAN_INT32, &rows);
    const clscan_choice of_short = choose(config, &device, &problem, 64);

    assert_int_equal(of_short.variant.register_pieces, 3);
    assert_int_equal(of_short.largest_count, 64);
    assert_string_equal(of_short.entry, "/entries/2");
    assert_int_equal(pieces_for(config, problem, 65), 4);
    assert_true(choose(config, &device, &problem, 65).largest_count == UINT64_MAX);
    /* Neither one scan, nor elements of another size. */
    assert_int_equal(pieces_for(config, scan_of(CLSCAN_INT32), 64), 1);
    assert_string_equal(
        choose(config, &device, &(clscan_problem){sizeof problem, .type = CLSCAN_INT64, .rows = &rows}, 64).source,
        "last resort");
    clscan_config_destroy(config);
}

/* Columns are scanned by another kernel, which was not measured. */
static void columns_take_entries_of_scans(void **state)
{
    (void)state;
    static const struct {
        clscan_rows rows;
        uint32_t pieces;
    } cases[] = {
        {{.dimensions = 2, .axis = 1, .extents = {100, 64}}, 3},
        {{.dimensions = 2, .axis = 0, .extents = {64, 100}}, 2},
        {{.dimensions = 2, .axis = 0, .extents = {64, 100}, .in_strides = {1, 64}, .out_strides = {1, 64}}, 3},
        {{.dimensions = 2, .axis = 0, .extents = {64, 100}, .in_strides = {1, 64}, .out_strides = {100, 1}}, 2},
        {{.dimensions = 2, .axis = 2, .extents = {64, 100}}, 2},
        {{.dimensions = 9, .axis = 1, .extents = {64, 100}}, 1}};
    clscan_config *config = explicit_config(FILE_OF(OF_SCANS ", " BY_RANGES("scan_rows", 4, "", null, 32, 3)));

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        clscan_rows rows = cases[i].rows;

        rows.struct_size = sizeof rows;
        assert_int_equal(pieces_for(config, rows_of(CLSCAN_INT32, &rows), 64), cases[i].pieces);
    }
    clscan_config_destroy(config);
}

static void rows_without_a_fitting_entry_take_those_of_scans(void **state)
{
    (void)state;
    clscan_config *config = explicit_config(FILE_OF(OF_SCANS ", " BY_RANGES(
        "scan_rows", 4, "\"smallest_count\": 65, ", 128, 64, 3) ", " BY_RANGES("scan_rows", 4, "", null, 1024, 4)));
    clscan_device_info device = test_device();
    const clscan_rows rows = {.struct_size = sizeof rows, .count = 2};
    const clscan_problem problem = rows_of(CLSCAN_INT32, &rows);

    device.max_work_group_size = 256;
    assert_int_equal(choose(config, &device, &problem, 64).variant.register_pieces, 1);
    assert_int_equal(choose(config, &device, &problem, 64).largest_count, 64); /* then there is an entry */
    assert_int_equal(choose(config, &device, &problem, 65).variant.register_pieces, 3);
    /* Work-groups of 1024 do not fit the device. */
    assert_int_equal(choose(config, &device, &problem, 129).variant.register_pieces, 1);
    assert_int_equal(choose(config, &device, &problem, 2501).variant.register_pieces, 2);
    device.max_work_group_size = 1024;
    assert_int_equal(choose(config, &device, &problem, 129).variant.register_pieces, 4);
    clscan_config_destroy(config);
}

/* Whoever walks the lengths as the tuner does sees each answer. */
static void answers_for_rows_say_how_far_they_go(void **state)
{
    (void)state;
    static const char *const devices[] = {"nvidia-h200", "pocl-5.0-cpu"};

    for (size_t d = 0; d < sizeof devices / sizeof devices[0]; ++d) {
        const clscan_device_info device = recorded_device(devices[d]);
        const clscan_rows rows = {.struct_size = sizeof rows, .count = 1000};
        const clscan_problem problem = rows_of(CLSCAN_INT32, &rows);
        size_t classes = 1;
        clscan_choice choice = choose(NULL, &device, &problem, 1);

        for (uint64_t count = 1; count < 70000; ++count) {
            const clscan_choice here = choose(NULL, &device, &problem, count);

            assert_true(here.largest_count >= count);
            if (count <= choice.largest_count) {
                assert_memory_equal(&here.variant, &choice.variant, sizeof here.variant);
                assert_true(here.largest_count == choice.largest_count);
            } else {
                choice = here;
                ++classes;
            }
        }
        assert_in_range(classes, 1, 20);
    }
}

/* ---- Of which sizes ---- */

static clscan_problem of_struct(clscan_problem problem, clscan_element *element, size_t size_bytes)
{
    *element = (clscan_element){
        .struct_size = sizeof *element, .name = "record", .source = "", .size_bytes = size_bytes, .align_bytes = 1};
    problem.element = element;
    problem.op = problem.operation == CLSCAN_SELECT ? CLSCAN_ADD : CLSCAN_CUSTOM;
    return problem;
}

static void a_range_serves_what_is_no_plain_scalar(void **state)
{
    (void)state;
    clscan_config *config = explicit_config(
        FILE_OF(OF("scan", 8, 1) ", " ENTRY("scan", 8, "\"smallest_element_size_bytes\": 8, ", STRIDED, 2) ", " ENTRY(
            "scan", 16, "\"smallest_element_size_bytes\": 9, ", STRIDED, 3)));
    const clscan_element sum = {.struct_size = sizeof sum, .type = CLSCAN_INT64};
    clscan_problem converted = scan_of(CLSCAN_INT32);
    clscan_element element;

    converted.accumulator = converted.output = &sum;
    assert_int_equal(pieces_for(config, scan_of(CLSCAN_INT64), 1000), 1);
    assert_int_equal(pieces_for(config, converted, 1000), 1); /* its bytes do not stay as they are */
    assert_int_equal(pieces_for(config, of_struct(scan_of(CLSCAN_INT8), &element, 8), 1000), 2);
    assert_int_equal(pieces_for(config, of_struct(scan_of(CLSCAN_INT8), &element, 9), 1000), 3);
    assert_int_equal(pieces_for(config, of_struct(scan_of(CLSCAN_INT8), &element, 16), 1000), 3);
    clscan_config_destroy(config);
}

static void limits_within_a_range_are_bytes(void **state)
{
    (void)state;
    clscan_config *config = explicit_config(FILE_OF(OF("scan", 8, 1) ", " ENTRY(
        "select", 16, "\"smallest_element_size_bytes\": 9, \"smallest_count\": 1001, ", STRIDED, 3)));
    clscan_element element;

    assert_int_equal(pieces_for(config, of_struct(selection_of(CLSCAN_INT8), &element, 16), 1001), 3);
    assert_int_not_equal(pieces_for(config, of_struct(selection_of(CLSCAN_INT8), &element, 10), 1600), 3);
    assert_int_equal(pieces_for(config, of_struct(selection_of(CLSCAN_INT8), &element, 10), 1601), 3);
    clscan_config_destroy(config);
}

/* What a selection gathers in local memory may be larger than its elements: what a map makes of them, or two bytes more
 * for columns. */
static void selections_ask_for_what_they_gather(void **state)
{
    (void)state;
    static const clscan_map widened = {.struct_size = sizeof widened, .expression = "(ulong)element"};
    static const clscan_element wide = {.struct_size = sizeof wide, .type = CLSCAN_UINT64};
    clscan_config *config = explicit_config(
        FILE_OF(ENTRY("select", 4, "", ROWS, 8) ", " ENTRY("select", 4, "\"sum_size_bytes\": 6, ", ROWS, 6)));
    clscan_select with_column = by_flags;
    const uint32_t column_bytes = 2;
    clscan_problem columns = selection_of(CLSCAN_INT32), numbers = selection_of(CLSCAN_INT32);

    with_column.column_bytes = &column_bytes;
    with_column.column_count = 1;
    columns.select = &with_column;
    numbers.store = &widened;
    numbers.output = &wide;
    assert_int_equal(pieces_for(config, selection_of(CLSCAN_INT32), 1000), 8);
    assert_int_equal(pieces_for(config, columns, 1000), 6);
    assert_int_equal(pieces_for(config, numbers, 1000), 4); /* of 6 rows of 6 bytes, as many bytes */
    clscan_config_destroy(config);
}

/* Indices: no element waits in a tile, but where each stands, in two bytes. By flags alone nothing else is read; a
 * predicate reads elements. */
static clscan_problem indices_of(clscan_type type, bool reads, clscan_map *load)
{
    static const clscan_map index = {.struct_size = sizeof index, .expression = "(uint)index"};
    static const clscan_element number = {.struct_size = sizeof number, .type = CLSCAN_UINT32};
    clscan_problem problem = selection_of(type);

    *load = (clscan_map){.struct_size = sizeof *load, .expression = reads ? "element != 0" : "1"};
    problem.load = load;
    problem.store = &index;
    problem.output = &number;
    return problem;
}

static void indices_ask_for_two_bytes(void **state)
{
    (void)state;
    clscan_config *config = explicit_config(
        FILE_OF(ENTRY("select", 1, "", ROWS, 8) ", " ENTRY("select", 1, "\"sum_size_bytes\": 2, ", ROWS, 7) ", " ENTRY(
            "select", 4, "", ROWS, 6) ", " ENTRY("select", 4, "\"sum_size_bytes\": 2, ", ROWS, 5)));
    clscan_map load;

    assert_int_equal(pieces_for(config, indices_of(CLSCAN_INT32, false, &load), 1000), 7);
    assert_int_equal(pieces_for(config, indices_of(CLSCAN_INT32, true, &load), 1000), 5);
    assert_int_equal(pieces_for(config, selection_of(CLSCAN_UINT8), 1000), 8);
    assert_int_equal(pieces_for(config, selection_of(CLSCAN_INT32), 1000), 6);
    clscan_config_destroy(config);
}

/* What lengths are asked for is loaded again: nothing else of it is gathered either, but it has tiles of its own. */
static void what_is_loaded_again_asks_for_five_bytes(void **state)
{
    (void)state;
    static const clscan_select with_lengths = {.struct_size = sizeof with_lengths, .flag_bytes = 1, .length_bytes = 4};
    clscan_config *config = explicit_config(FILE_OF(ENTRY("select", 4, "\"sum_size_bytes\": 2, ", ROWS, 8) ", " ENTRY(
        "select", 4, "\"sum_size_bytes\": 5, ", ROWS, 7) ", " ENTRY("select", 4, "", ROWS, 6)));
    clscan_problem lengths = selection_of(CLSCAN_INT32);

    lengths.select = &with_lengths;
    assert_int_equal(pieces_for(config, lengths, 1000), 7);
    assert_int_equal(pieces_for(config, selection_of(CLSCAN_INT32), 1000), 6);
    clscan_config_destroy(config);
}

/* Vectors stay as long in bytes, and rows become fewer where a tile would have more. */
static void larger_elements_take_a_tile_of_as_many_bytes(void **state)
{
    (void)state;
    static const struct {
        size_t size_bytes;
        uint32_t vector_length, register_pieces;
    } cases[] = {{4, 4, 8}, {6, 2, 8}, {8, 2, 8}, {12, 1, 8}, {16, 1, 8}, {20, 1, 6}, {32, 1, 4}, {60, 1, 2}};
    clscan_config *config = explicit_config(FILE_OF(ENTRY("select", 4, "", ROWS, 8)));
    const clscan_device_info device = test_device();

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        clscan_element element;
        const clscan_problem problem = of_struct(selection_of(CLSCAN_INT8), &element, cases[i].size_bytes);
        const clscan_variant variant = choose(config, &device, &problem, 1000).variant;

        assert_int_equal(variant.vector_length, cases[i].vector_length);
        assert_int_equal(variant.register_pieces, cases[i].register_pieces);
    }
    clscan_config_destroy(config);
}

/* ---- Shipped entries ---- */

#define AHEAD "subgroup_rows+subgroup+lookahead+persistent local_pieces=0 poll_delay=0 "
#define ALONE "subgroup_rows+subgroup+lookback+dynamic local_pieces=0 poll_delay=0 "

static void expect(const char *device_name, clscan_problem problem, const char *text)
{
    const clscan_device_info device = recorded_device(device_name);
    const clscan_variant expected = parsed_variant(text);
    const clscan_choice choice = choose(NULL, &device, &problem, UINT64_C(1) << 26);
    char found[512];

    clscan_variant_format(&choice.variant, found, sizeof found);
    if (memcmp(&choice.variant, &expected, sizeof expected) != 0)
        fail_msg("%s: %s, of %s %s, not %s", device_name, found, choice.source, choice.entry, text);
}

/* The tiles that were the fastest ones on an H200, for large counts; other GPUs of the vendor have no better ones. */
static void nvidia_gpus_have_tiles_for_large_counts(void **state)
{
    (void)state;
    static const char *const devices[] = {"nvidia-h200", "nvidia-a100", "nvidia-rtx-4090", "nvidia-t4"};
    clscan_map load;

    for (size_t d = 0; d < sizeof devices / sizeof devices[0]; ++d) {
        expect(devices[d], selection_of(CLSCAN_UINT8),
               AHEAD "work_group_size=256 vector_length=16 register_pieces=8 work_groups_per_unit=2 landing_zones=0");
        expect(devices[d], indices_of(CLSCAN_UINT32, false, &load),
               AHEAD "work_group_size=256 vector_length=16 register_pieces=8 work_groups_per_unit=3 landing_zones=0");
        expect(devices[d], selection_of(CLSCAN_FLOAT),
               AHEAD "work_group_size=256 vector_length=8 register_pieces=4 work_groups_per_unit=2 landing_zones=0");
        expect(devices[d], selection_of(CLSCAN_DOUBLE),
               AHEAD "work_group_size=320 vector_length=2 register_pieces=7 work_groups_per_unit=2 landing_zones=0");
        expect(devices[d], segments_of(CLSCAN_INT32, &flags, CLSCAN_SCAN),
               AHEAD "work_group_size=256 vector_length=4 register_pieces=7 work_groups_per_unit=2 landing_zones=0");
        expect(devices[d], segments_of(CLSCAN_INT32, &keys, CLSCAN_SCAN),
               AHEAD "work_group_size=320 vector_length=4 register_pieces=4 work_groups_per_unit=2 landing_zones=0");
        expect(devices[d], segments_of(CLSCAN_DOUBLE, &keys, CLSCAN_REDUCE),
               AHEAD "work_group_size=320 vector_length=2 register_pieces=5 work_groups_per_unit=2 landing_zones=0");
    }
}

static void nvidia_gpus_have_tiles_for_vectors_and_structs(void **state)
{
    (void)state;
    clscan_element element;

    expect("nvidia-h200", of_struct(scan_of(CLSCAN_INT8), &element, 8),
           AHEAD "work_group_size=320 vector_length=2 register_pieces=8 work_groups_per_unit=2 landing_zones=1");
    expect("nvidia-h200", of_struct(scan_of(CLSCAN_INT8), &element, 16),
           AHEAD "work_group_size=320 vector_length=1 register_pieces=9 work_groups_per_unit=2 landing_zones=1");
    expect("nvidia-h200", of_struct(scan_of(CLSCAN_INT8), &element, 64),
           AHEAD "work_group_size=128 vector_length=1 register_pieces=5 work_groups_per_unit=2 landing_zones=1");
    /* What cannot land has one tile. */
    expect("nvidia-h200", of_struct(scan_of(CLSCAN_INT8), &element, 12),
           ALONE "work_group_size=320 vector_length=1 register_pieces=9");
    expect("nvidia-v100", of_struct(scan_of(CLSCAN_INT8), &element, 32),
           ALONE "work_group_size=192 vector_length=1 register_pieces=7");
}

/* Nothing of the user's may take part. */
static int leave_out_the_user(void **state)
{
    (void)state;
    return setenv("XDG_CONFIG_HOME", "/nonexistent", 1) != 0 || unsetenv("CLSCAN_CONFIG") != 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_operation_has_its_own_entries),
        cmocka_unit_test(equal_neighbours_ask_for_unique_before_select),
        cmocka_unit_test(offsets_take_entries_of_other_sums_before_those_of_scans),
        cmocka_unit_test(keys_take_entries_of_other_segments_before_those_of_scans),
        cmocka_unit_test(plans_with_marks_take_entries_of_other_segments),
        cmocka_unit_test(entries_for_scans_wait_in_every_file),
        cmocka_unit_test(a_gap_is_left_to_entries_for_scans),
        cmocka_unit_test(rows_ask_by_the_length_of_one),
        cmocka_unit_test(columns_take_entries_of_scans),
        cmocka_unit_test(rows_without_a_fitting_entry_take_those_of_scans),
        cmocka_unit_test(answers_for_rows_say_how_far_they_go),
        cmocka_unit_test(a_range_serves_what_is_no_plain_scalar),
        cmocka_unit_test(limits_within_a_range_are_bytes),
        cmocka_unit_test(selections_ask_for_what_they_gather),
        cmocka_unit_test(indices_ask_for_two_bytes),
        cmocka_unit_test(what_is_loaded_again_asks_for_five_bytes),
        cmocka_unit_test(larger_elements_take_a_tile_of_as_many_bytes),
        cmocka_unit_test(nvidia_gpus_have_tiles_for_large_counts),
        cmocka_unit_test(nvidia_gpus_have_tiles_for_vectors_and_structs),
    };
    return cmocka_run_group_tests(tests, leave_out_the_user, NULL);
}
