/* Selections with the rest: what is not kept goes apart, or behind what is kept, as one part or as two. By every form
 * of the decision, every body, carry and order, as far as there is room; and what is refused. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "keep_patterns.h"
#include "live.h"
#include "parsed_variant.h"
#include "variant_walk.h"

enum { MARGIN = 3, CANARY = 0x5a, MOST = 48 };

#define SELECT(of, ...)                                                                                              \
    {                                                                                                                \
        .struct_size = sizeof(clscan_problem), .operation = CLSCAN_SELECT, .type = of, .max_count = 100, __VA_ARGS__ \
    }

static const clscan_element uint64 = {.struct_size = sizeof uint64, .type = CLSCAN_UINT64};
static const clscan_element uint32 = {.struct_size = sizeof uint32, .type = CLSCAN_UINT32};
static const clscan_element triple = {.struct_size = sizeof triple,
                                      .name = "triple",
                                      .size_bytes = 6,
                                      .align_bytes = 2,
                                      .source = "typedef struct triple { ushort x, y, z; } triple;"};
static const clscan_map_argument parts = {
    .struct_size = sizeof parts, .name = "parts", .type = CLSCAN_UINT8, .is_buffer = 1};
static const clscan_map low_bits = {.struct_size = sizeof low_bits, .expression = "element & 3"};
static const clscan_map by_parts = {
    .struct_size = sizeof by_parts, .expression = "parts[index]", .arguments = &parts, .argument_count = 1};
static const clscan_map odd = {.struct_size = sizeof odd, .expression = "element & 1"};
static const clscan_map unique = {.struct_size = sizeof unique, .expression = "index == 0 || element != before"};
static const clscan_map to_index = {.struct_size = sizeof to_index, .expression = "index"};
static const clscan_map with_place = {.struct_size = sizeof with_place, .expression = "element + (int)sum"};
static const uint32_t one_size[] = {4};

#define WITH(...)                                         \
    {                                                     \
        .struct_size = sizeof(clscan_select), __VA_ARGS__ \
    }
static const clscan_select apart = WITH(.rest = CLSCAN_REST_APART), behind = WITH(.rest = CLSCAN_REST_BEHIND),
                           bytes_apart = WITH(.flag_bytes = 1, .rest = CLSCAN_REST_APART),
                           bytes_behind = WITH(.flag_bytes = 1, .rest = CLSCAN_REST_BEHIND),
                           bits_behind = WITH(.flag_bits = 1, .rest = CLSCAN_REST_BEHIND),
                           shorts_behind = WITH(.flag_bytes = 2, .rest = CLSCAN_REST_BEHIND),
                           rejected_apart = WITH(.rejected = 1, .rest = CLSCAN_REST_APART),
                           rejected_flags = WITH(.flag_bytes = 8, .rejected = 1, .rest = CLSCAN_REST_BEHIND),
                           three_way = WITH(.rest = CLSCAN_REST_THREE_WAY),
                           columns_three_way = WITH(.rest = CLSCAN_REST_THREE_WAY, .index_bytes = 8,
                                                    .column_bytes = one_size, .column_count = 1),
                           columns_behind = WITH(.rest = CLSCAN_REST_BEHIND, .index_bytes = 4, .column_bytes = one_size,
                                                 .column_count = 1);

/* A way to say what is kept. */
typedef struct form {
    const char *name;
    clscan_problem problem;
    size_t bytes; /* of an element */
    enum { FLAGS, ODD, CHANGES, LOW_BITS, PARTS } by;
    enum { ELEMENTS, INDICES, SUMS } gives; /* sums: of an element and its place */
} form;

static const form forms[] = {
    {"flags of a byte, apart", SELECT(CLSCAN_INT32, .select = &bytes_apart), 4, FLAGS, ELEMENTS},
    {"flags of a byte, behind", SELECT(CLSCAN_INT32, .select = &bytes_behind), 4, FLAGS, ELEMENTS},
    {"bytes by bits, behind", SELECT(CLSCAN_UINT8, .select = &bits_behind), 1, FLAGS, ELEMENTS},
    {"halves by flags of a byte, behind", SELECT(CLSCAN_HALF, .select = &bytes_behind), 2, FLAGS, ELEMENTS},
    {"a predicate with a column and indices, 64-bit places",
     SELECT(CLSCAN_INT32, .select = &columns_behind, .load = &odd, .accumulator = &uint64), 4, ODD, ELEMENTS},
    {"what a predicate rejects, apart, counted on the device",
     SELECT(CLSCAN_UINT16, .select = &rejected_apart, .load = &odd, .count_bytes = 4), 2, ODD, ELEMENTS},
    {"indices by short flags, behind, counted on the device",
     SELECT(CLSCAN_INT32, .select = &shorts_behind, .store = &to_index, .output = &uint32, .count_bytes = 8), 4, FLAGS,
     INDICES},
    {"structs by what flags reject, behind", SELECT(0, .element = &triple, .select = &rejected_flags), 6, FLAGS,
     ELEMENTS},
    {"elements with places, apart", SELECT(CLSCAN_INT32, .select = &apart, .load = &odd, .store = &with_place), 4, ODD,
     SUMS},
    {"the first of equal elements, 8 bytes, behind", SELECT(CLSCAN_INT64, .select = &behind, .load = &unique), 8,
     CHANGES, ELEMENTS},
    {"three ways by a predicate", SELECT(CLSCAN_INT32, .select = &three_way, .load = &low_bits), 4, LOW_BITS, ELEMENTS},
    {"three ways by parts in a buffer, with a column and indices, counted on the device",
     SELECT(CLSCAN_INT64, .select = &columns_three_way, .load = &by_parts, .count_bytes = 4), 8, PARTS, ELEMENTS},
    {"bytes, three ways", SELECT(CLSCAN_UINT8, .select = &three_way, .load = &low_bits), 1, LOW_BITS, ELEMENTS},
    {"indices, three ways, without an input",
     SELECT(CLSCAN_INT32, .select = &three_way, .load = &by_parts, .store = &to_index, .output = &uint32), 4, PARTS,
     INDICES},
    {"elements with places, three ways",
     SELECT(CLSCAN_INT32, .select = &three_way, .load = &low_bits, .store = &with_place), 4, LOW_BITS, SUMS},
};
enum { FORMS = sizeof forms / sizeof forms[0], BEHIND = 1, THREE_WAY = 10 };

/* Which elements are marked: by their flag or by the predicate. */
typedef struct partition_case {
    uint64_t count, capacity, rest_capacity; /* capacities 0: as many as the count */
    keep_pattern pattern;
    uint64_t initial, offset;
    bool initial_on_device;
} partition_case;

/* Outputs of a run, in turn: what is kept, the rest, a column, indices. */
enum { KEPT, REST, COLUMN, INDEX, OUTPUTS };

typedef struct rig {
    const test_live *live;
    const form *form;
    clscan_plan *plan;
    clscan_workspace *workspace;
    uint64_t max_count, tile;
    cl_mem in, flags, parts, column, outputs[OUTPUTS], total, initial, count;
    uint32_t overflows, recomputed;
} rig;

/* Of every buffer: the most bytes that an element has anywhere. */
static size_t room_of(const rig *r)
{
    return ((size_t)r->max_count + 2 * MARGIN) * 8;
}

static void set_up(const test_live *live, const form *of, const clscan_plan_options *options, uint64_t max_count,
                   uint64_t tile, rig *r)
{
    clscan_problem problem = of->problem;

    *r = (rig){.live = live, .form = of, .max_count = max_count, .tile = tile};
    problem.max_count = max_count;
    test_plan_create(live, &problem, options, &r->plan, &r->workspace);
    r->in = test_buffer(live, CL_MEM_READ_ONLY, room_of(r), NULL);
    r->flags = test_buffer(live, CL_MEM_READ_ONLY, room_of(r), NULL);
    r->parts = test_buffer(live, CL_MEM_READ_ONLY, room_of(r), NULL);
    r->column = test_buffer(live, CL_MEM_READ_ONLY, room_of(r), NULL);
    for (int i = 0; i < OUTPUTS; ++i)
        r->outputs[i] = test_buffer(live, CL_MEM_WRITE_ONLY, room_of(r), NULL);
    r->total = test_buffer(live, CL_MEM_READ_WRITE, sizeof(uint64_t), NULL);
    r->initial = test_buffer(live, CL_MEM_READ_ONLY, sizeof(uint64_t), NULL);
    r->count = test_buffer(live, CL_MEM_READ_ONLY, sizeof(uint64_t), NULL);
}

static void tear_down(rig *r)
{
    const cl_mem buffers[] = {r->in, r->flags, r->parts, r->column, r->total, r->initial, r->count};

    assert_cl(clFinish(r->live->queue));
    clscan_workspace_destroy(r->workspace);
    clscan_plan_destroy(r->plan);
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; ++i)
        clReleaseMemObject(buffers[i]);
    for (int i = 0; i < OUTPUTS; ++i)
        clReleaseMemObject(r->outputs[i]);
}

static bool is_marked(const rig *r, const partition_case *test, uint64_t i)
{
    if (r->form->by == CHANGES && i == 0)
        return true;
    return pattern_marks(test->pattern, i, test->count, r->tile);
}

static bool is_three_way(const rig *r)
{
    return r->form->problem.select->rest == CLSCAN_REST_THREE_WAY;
}

/* What is kept, the middle, and the others. */
enum { KEPT_PART, MIDDLE_PART, END_PART, PARTS_OF_OUTPUT };

static int part_of(const rig *r, const partition_case *test, uint64_t i)
{
    if (is_marked(r, test, i) != (r->form->problem.select->rejected != 0))
        return KEPT_PART;
    return is_three_way(r) && (test->pattern == LAST || (test->pattern != NONE && mixed(i * 5 + 1) % 4 != 0))
               ? MIDDLE_PART
               : END_PART;
}

/* What a predicate with three answers says of it. */
static unsigned answer(const rig *r, const partition_case *test, uint64_t i)
{
    const int part = part_of(r, test, i);

    return part == KEPT_PART ? 1 : part == MIDDLE_PART ? 2 : i % 2 ? 0 : 3;
}

/* Element i, of which as many bytes count as it has. `changes`: how many differ from the one before, up to it. */
static uint64_t element_at(const rig *r, const partition_case *test, uint64_t i, uint64_t changes)
{
    const uint64_t any = mixed(i + 5) << 8 ^ i;

    switch (r->form->by) {
    case CHANGES:
        return changes;
    case ODD:
        return (any & ~UINT64_C(1)) + is_marked(r, test, i);
    case LOW_BITS:
        return (any & ~UINT64_C(3)) + answer(r, test, i);
    default:
        return any;
    }
}

/* Input, flags, parts and column. */
static void write_input(const rig *r, const partition_case *test, const unsigned char *in, const uint32_t *column)
{
    const clscan_select *select = r->form->problem.select;
    unsigned char *flags = calloc(1, room_of(r)), *answers = calloc(1, room_of(r));

    assert_true(flags != NULL && answers != NULL);
    for (uint64_t i = 0; i < test->count; ++i) {
        answers[test->offset + i] = (unsigned char)answer(r, test, i);
        if (!is_marked(r, test, i))
            continue;
        if (select->flag_bits)
            flags[test->offset + i / 8] |= (unsigned char)(1u << i % 8);
        else /* any of its bytes */
            flags[(test->offset + i) * select->flag_bytes + (select->flag_bytes > 0 ? i % select->flag_bytes : 0)] = 4;
    }
    test_write(r->live, r->in, in, room_of(r));
    test_write(r->live, r->flags, flags, room_of(r));
    test_write(r->live, r->parts, answers, room_of(r));
    test_write(r->live, r->column, column, room_of(r));
    free(answers);
    free(flags);
}

static uint64_t rest_offset(const partition_case *test)
{
    return test->offset > 0 ? 1 : 2;
}

/* What outputs are to have; of the same memory as `in` and `column`, which are made here too. Returns the total, three
 * ways with the number in the middle in its upper half. */
static uint64_t expect(const rig *r, const partition_case *test, uint64_t capacity, uint64_t rest_capacity,
                       unsigned char *in, uint32_t *column, unsigned char *expected[OUTPUTS], uint32_t *overflows)
{
    const bool is_apart = r->form->problem.select->rest == CLSCAN_REST_APART;
    const size_t bytes = r->form->bytes;
    const size_t index_bytes = r->form->problem.select->index_bytes;
    uint64_t next[PARTS_OF_OUTPUT] = {test->initial}, end, kept, middle, changes = 0;

    for (int i = 0; i < OUTPUTS; ++i)
        memset(expected[i], CANARY, room_of(r));
    for (uint64_t i = 0; i < test->count; ++i)
        ++next[part_of(r, test, i)];
    kept = next[KEPT_PART];
    middle = next[MIDDLE_PART];
    end = kept + (is_apart ? 0 : middle + next[END_PART]);
    next[KEPT_PART] = test->initial;
    next[MIDDLE_PART] = kept;
    next[END_PART] = is_apart ? 0 : kept + middle;
    for (uint64_t i = 0; i < test->count; ++i) {
        const int part = part_of(r, test, i);
        const uint64_t place = next[part]++;
        const bool to_rest = is_apart && part != KEPT_PART;
        const uint32_t value_of_column = (uint32_t)mixed(i);
        uint64_t value;

        changes += is_marked(r, test, i);
        value = element_at(r, test, i, changes);
        memcpy(in + (test->offset + i) * bytes, &value, bytes); /* little-endian, as devices are */
        column[i] = value_of_column;
        if (place >= (to_rest ? rest_capacity : capacity))
            continue;
        value = r->form->gives == INDICES ? i : r->form->gives == SUMS ? value + place : value;
        memcpy(expected[to_rest ? REST : KEPT] + ((to_rest ? rest_offset(test) : test->offset) + place) * bytes, &value,
               bytes);
        memcpy(expected[COLUMN] + place * 4, &value_of_column, 4);
        memcpy(expected[INDEX] + (test->offset + place) * index_bytes, &i, index_bytes);
    }
    *overflows += end > capacity && test->count > 0;
    *overflows += is_apart && next[END_PART] > rest_capacity;
    return kept | middle << 32;
}

/* 0, or 1 after printing what is wrong. */
static unsigned run_case(rig *r, const partition_case *test)
{
    const clscan_select *select = r->form->problem.select;
    const bool on_device = r->form->problem.count_bytes > 0, is_apart = select->rest == CLSCAN_REST_APART,
               has[OUTPUTS] = {true, is_apart, select->column_count > 0, select->index_bytes > 0};
    unsigned char *expected[OUTPUTS], *got = malloc(room_of(r)), *in = calloc(1, room_of(r));
    uint32_t *values = calloc(1, room_of(r));
    const clscan_column column = {{.buffer = r->column}, {.buffer = r->outputs[COLUMN]}};
    const clscan_memory parts_at = {.buffer = r->parts, .offset = test->offset};
    clscan_selection selection = {.struct_size = sizeof selection,
                                  .capacity = test->capacity > 0 ? test->capacity : test->count};
    clscan_run_args args = {.struct_size = sizeof args,
                            .out = {.buffer = r->outputs[KEPT], .offset = test->offset},
                            .count = on_device ? r->max_count : test->count,
                            .total.buffer = r->total,
                            .selection = &selection};
    clscan_report report = {.struct_size = sizeof report};
    clscan_error error = {0};
    uint64_t total = 0, wanted;
    unsigned wrong = 0;

    if (on_device && test->count == 0) /* no room of 0 places: it would be that of the largest count */
        selection.capacity = 1;
    if (is_apart) {
        selection.rest = (clscan_memory){.buffer = r->outputs[REST], .offset = rest_offset(test)};
        selection.rest_capacity = test->rest_capacity > 0 ? test->rest_capacity : selection.capacity;
    }
    assert_true(got != NULL && in != NULL && values != NULL);
    memset(got, CANARY, room_of(r));
    for (int i = 0; i < OUTPUTS; ++i) {
        assert_non_null(expected[i] = malloc(room_of(r)));
        test_write(r->live, r->outputs[i], got, room_of(r));
    }
    wanted = expect(r, test, selection.capacity, selection.rest_capacity, in, values, expected, &r->overflows);
    write_input(r, test, in, values);
    test_write(r->live, r->total, &total, sizeof total);
    test_write(r->live, r->count, &test->count, sizeof test->count);
    test_write(r->live, r->initial, &test->initial, sizeof test->initial);
    if (r->form->gives != INDICES)
        args.in = (clscan_memory){.buffer = r->in, .offset = test->offset};
    if (r->form->by == PARTS) {
        args.map_arguments = &parts_at;
        args.map_argument_count = 1;
    }
    if (on_device)
        args.device_count.buffer = r->count;
    if (select->flag_bytes > 0 || select->flag_bits)
        selection.flags = (clscan_memory){.buffer = r->flags, .offset = test->offset};
    if (has[COLUMN])
        selection.columns = &column;
    if (has[INDEX])
        selection.indices = (clscan_memory){.buffer = r->outputs[INDEX], .offset = test->offset};
    if (test->initial > 0)
        args.initial = test->initial_on_device
                           ? (clscan_memory){.buffer = r->initial}
                           : (clscan_memory){.kind = CLSCAN_MEMORY_HOST, .pointer = (void *)&test->initial};
    assert_status(CLSCAN_OK, clscan_run(r->plan, r->workspace, r->live->queue, &args, 0, NULL, NULL, &error), &error);
    test_read(r->live, r->total, is_three_way(r) || r->form->problem.accumulator != NULL ? 8 : 4, &total);
    assert_int_equal(clscan_workspace_report(r->workspace, r->live->queue, &report, NULL), CLSCAN_OK);
    r->recomputed = report.recomputed;
    wrong = total != wanted || report.failures != 0 || report.overflows != r->overflows;
    for (int i = 0; i < OUTPUTS; ++i) {
        size_t at = 0;

        test_read(r->live, r->outputs[i], room_of(r), got);
        while (has[i] && at < room_of(r) && expected[i][at] == got[at])
            ++at;
        if (has[i] && at < room_of(r))
            print_error("output %d: byte %zu of %zu differs\n", i, at, room_of(r)), wrong = 1;
        free(expected[i]);
    }
    if (wrong)
        print_error("%s: %llu elements, pattern %d, room for %llu and %llu, from %llu, offset %llu: total %llu, not "
                    "%llu; %u overflows, not %u\n",
                    r->form->name, (unsigned long long)test->count, (int)test->pattern,
                    (unsigned long long)selection.capacity, (unsigned long long)selection.rest_capacity,
                    (unsigned long long)test->initial, (unsigned long long)test->offset, (unsigned long long)total,
                    (unsigned long long)wanted, report.overflows, r->overflows);
    r->overflows = report.overflows;
    free(values);
    free(in);
    free(got);
    return wrong;
}

/* Counts at the edges of tiles, by every pattern; larger ones first, so that what they leave is there when smaller ones
 * come. */
static unsigned run_counts(rig *r)
{
    const uint64_t counts[] = {3 * r->tile + r->tile / 2 + 1, r->tile + 1, r->tile, r->tile - 1, 2, 1, 0};
    unsigned failures = 0;

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        for (int kind = 0; kind < PATTERNS; ++kind) {
            partition_case test = {
                .count = counts[i], .pattern = (keep_pattern)kind, .offset = (i + (size_t)kind) % 2 ? MARGIN : 0};

            failures += run_case(r, &test);
            if (counts[i] < 2)
                continue;
            test.capacity = kind % 2 ? counts[i] - 1 : (counts[i] + 1) / 2;
            test.rest_capacity = kind % 2 ? (counts[i] + 2) / 3 : counts[i] - 1;
            failures += run_case(r, &test);
            test.capacity = kind % 2 ? counts[i] : r->max_count;
            test.rest_capacity = r->max_count;
            test.initial = is_three_way(r) ? 0 : 1 + counts[i] / 9;
            test.initial_on_device = kind % 3 > 0;
            failures += run_case(r, &test);
        }
    }
    return failures;
}

/* Every capacity, among them those that end between what is kept and the rest. */
static unsigned run_capacities(rig *r, uint64_t count)
{
    unsigned failures = 0;

    for (uint64_t capacity = 1; capacity <= count; ++capacity)
        failures += run_case(r, &(partition_case){.count = count,
                                                  .capacity = capacity,
                                                  .rest_capacity = 1 + (capacity * 5) % count,
                                                  .pattern = capacity % 2 ? SOME : MANY});
    return failures;
}

static unsigned run_form(const test_live *live, size_t i, const clscan_plan_options *options, uint64_t max_count,
                         uint64_t tile)
{
    unsigned failures;
    rig r;

    set_up(live, &forms[i], options, max_count, tile, &r);
    failures = run_counts(&r);
    failures += run_capacities(&r, tile < MOST ? 2 * tile : MOST);
    tear_down(&r);
    return failures;
}

static const clscan_problem *problem_at(size_t i)
{
    return &forms[i].problem;
}

static const test_forms all = {.count = FORMS, .turn = 5, .problem_at = problem_at, .run = run_form};

static void every_form(void **state)
{
    test_each_form(*state, &all);
}

static void every_axis(void **state)
{
    test_forms_on_every_axis(*state, &all);
}

static unsigned run_three_way(const test_live *live, size_t i, const clscan_plan_options *options, uint64_t max_count,
                              uint64_t tile)
{
    return run_form(live, THREE_WAY + i, options, max_count, tile);
}

static const clscan_problem *three_way_problem_at(size_t i)
{
    return problem_at(THREE_WAY + i);
}

/* A sum is of another kind there. */
static void every_axis_three_ways(void **state)
{
    test_forms_on_every_axis(
        *state,
        &(test_forms){.count = FORMS - THREE_WAY, .turn = 4, .problem_at = three_way_problem_at, .run = run_three_way});
}

/* Narrow elements are held in words; bytes GPUs of NVIDIA gather four at a time, in each part for itself. */
static void narrow_elements_in_words(void **state)
{
    static const size_t narrow[] = {2, 4, 11};
    static const char *const shapes[] = {"vector_length=4 register_pieces=3", "vector_length=8 register_pieces=2",
                                         "vector_length=16 register_pieces=2"};
    unsigned failures = 0;

    for (size_t i = 0; i < 3 * sizeof shapes / sizeof shapes[0]; ++i) {
        char text[160];

        snprintf(text, sizeof text, "subgroup_rows+subgroup+single work_group_size=64 local_pieces=0 %s",
                 shapes[i / 3]);
        const clscan_variant variant = parsed_variant(text);
        const clscan_plan_options options = {.struct_size = sizeof options, .variant = &variant};
        const uint64_t tile = clscan_variant_tile_count(&variant);

        failures += run_form(*state, narrow[i % 3], &options, 7 * tile, tile);
    }
    assert_int_equal(failures, 0);
}

/* So many elements that all work-groups count, by variants with wide work-groups, too. */
static void many_are_counted(void **state)
{
    static const char *const variants[] = {
        NULL,
        "subgroup_rows+subgroup+reduce_then_scan work_group_size=64 vector_length=4 register_pieces=2 "
        "local_pieces=0 work_groups_per_unit=2",
        "strided+kogge_stone+single work_group_size=32 vector_length=8 register_pieces=1 local_pieces=0",
    };
    const test_live *live = *state;
    unsigned failures = 0;

    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; ++i)
        for (size_t j = BEHIND; j <= THREE_WAY + 2; j = j == 3 ? THREE_WAY : j + 1) {
            clscan_variant variant;
            clscan_plan_options options = {.struct_size = sizeof options};
            rig r;

            if (!test_takes(i + j, 6))
                continue;
            if (variants[i] != NULL) {
                assert_int_equal(clscan_variant_parse(variants[i], &variant, NULL), CLSCAN_OK);
                options.variant = &variant;
                if (clscan_variant_check(&variant, &forms[j].problem, 0, &live->info, NULL) != CLSCAN_OK)
                    continue;
            }
            set_up(live, &forms[j], &options, 300000, 1000, &r);
            failures += run_case(&r, &(partition_case){.count = 300000, .pattern = SOME});
            failures += run_case(&r, &(partition_case){.count = 299999, .pattern = MANY, .offset = MARGIN});
            failures += run_case(
                &r, &(partition_case){
                        .count = 8193, .pattern = FEW, .initial = is_three_way(&r) ? 0 : 77, .capacity = 9000});
            failures += run_case(&r, &(partition_case){.count = 300000, .pattern = NONE});
            tear_down(&r);
        }
    assert_int_equal(failures, 0);
}

static unsigned spend_waits(const test_live *live, const form *of, const clscan_plan_options *options,
                            unsigned *recomputed)
{
    enum { TILES = 24, REPEATS = 20 };
    const uint64_t tile = clscan_variant_tile_count(options->variant);
    unsigned failures = 0;
    rig r;

    set_up(live, of, options, TILES * tile, tile, &r);
    for (unsigned repeat = 0; repeat < REPEATS; ++repeat)
        failures += run_case(&r, &(partition_case){.count = TILES * tile - repeat, .pattern = repeat % PATTERNS});
    *recomputed += r.recomputed;
    tear_down(&r);
    return failures;
}

static unsigned behind_by_spent_waits(const test_live *live, const clscan_plan_options *options, unsigned *recomputed)
{
    return spend_waits(live, &forms[BEHIND], options, recomputed);
}

static unsigned three_way_by_spent_waits(const test_live *live, const clscan_plan_options *options,
                                         unsigned *recomputed)
{
    return spend_waits(live, &forms[THREE_WAY], options, recomputed);
}

/* Spent waits are completed by whoever waited; what is stored stays the same. */
static void after_spent_waits(void **state)
{
    test_spent_waits(*state, &forms[BEHIND].problem, behind_by_spent_waits);
    test_spent_waits(*state, &forms[THREE_WAY].problem, three_way_by_spent_waits);
}

static void impossible_problems(void **state)
{
    static const struct {
        clscan_operation operation;
        clscan_select select;
        const char *words;
    } cases[] = {
        {CLSCAN_SELECT, WITH(.rest = 4), "problem->select->rest is 4"},
        {CLSCAN_SELECT, WITH(.rest = CLSCAN_REST_BEHIND, .length_bytes = 4), "length_bytes is 4"},
        {CLSCAN_SELECT, WITH(.rest = CLSCAN_REST_APART, .index_bytes = 4), "index_bytes is 4"},
        {CLSCAN_SELECT, WITH(.rest = CLSCAN_REST_APART, .column_bytes = one_size, .column_count = 1),
         "column_count is 1"},
        {CLSCAN_SELECT, WITH(.rest = CLSCAN_REST_THREE_WAY), "problem->load is missing"},
        {CLSCAN_SELECT, WITH(.rest = CLSCAN_REST_THREE_WAY, .flag_bytes = 1), "flag_bytes is set"},
        {CLSCAN_SELECT, WITH(.rest = CLSCAN_REST_THREE_WAY, .flag_bits = 1), "flag_bits is set"},
        {CLSCAN_SELECT, WITH(.rest = CLSCAN_REST_THREE_WAY, .rejected = 1), "rejected is set"},
        {CLSCAN_SELECT, WITH(.rest = CLSCAN_REST_THREE_WAY, .length_bytes = 4), "length_bytes is 4"},
        {CLSCAN_REPEAT, WITH(.rest = CLSCAN_REST_BEHIND, .length_bytes = 4), "problem->select->rest is set"},
        {CLSCAN_REPEAT, WITH(.rest = CLSCAN_REST_THREE_WAY, .length_bytes = 4), "problem->select->rest is set"},
    };
    const test_live *live = *state;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const clscan_problem problem = {.struct_size = sizeof problem,
                                        .operation = cases[i].operation,
                                        .type = CLSCAN_INT32,
                                        .max_count = 100,
                                        .select = &cases[i].select};
        clscan_plan *plan = NULL;
        clscan_error error = {0};

        assert_status(CLSCAN_ERROR_INVALID_VALUE,
                      clscan_plan_create(live->context, live->device, &problem, NULL, &plan, &error), &error);
        if (strstr(error.message, cases[i].words) == NULL)
            fail_msg("case %zu: %s", i, error.message);
    }
}

/* Two numbers of 32 bits stand in one sum, and a run begins with neither. */
static void three_way_counts_are_checked(void **state)
{
    const test_live *live = *state;
    const uint64_t start = 1;
    clscan_problem problem = forms[THREE_WAY].problem;
    clscan_plan *plan = NULL;
    clscan_error error = {0};
    rig r;

    problem.max_count = (uint64_t)UINT32_MAX + 1;
    assert_status(CLSCAN_ERROR_INVALID_VALUE,
                  clscan_plan_create(live->context, live->device, &problem, NULL, &plan, &error), &error);
    assert_non_null(strstr(error.message, "problem->max_count is 4294967296"));
    problem.max_count = 100;
    problem.accumulator = &uint32;
    assert_status(CLSCAN_ERROR_UNSUPPORTED_TYPE,
                  clscan_plan_create(live->context, live->device, &problem, NULL, &plan, &error), &error);
    assert_non_null(strstr(error.message, "problem->accumulator is not uint64"));

    set_up(live, &forms[THREE_WAY], NULL, 100, 100, &r);
    const clscan_run_args args = {.struct_size = sizeof args,
                                  .in.buffer = r.in,
                                  .out.buffer = r.outputs[KEPT],
                                  .total.buffer = r.total,
                                  .initial = {.kind = CLSCAN_MEMORY_HOST, .pointer = (void *)&start},
                                  .count = 100};
    assert_status(CLSCAN_ERROR_INVALID_VALUE,
                  clscan_run(r.plan, r.workspace, live->queue, &args, 0, NULL, NULL, &error), &error);
    assert_non_null(strstr(error.message, "args->initial is set"));
    tear_down(&r);
}

/* An output for the rest that is missing, too small, not to be written, in the way of others, or for nothing; and a
 * partition in place. */
static void what_a_run_gives_is_checked(void **state)
{
    enum { COUNT = 100 };

    for (size_t kind = 0; kind < 2; ++kind) {
        rig r;

        set_up(*state, &forms[kind], NULL, COUNT, COUNT, &r);
        const cl_mem small = test_buffer(r.live, CL_MEM_WRITE_ONLY, COUNT * 4 - 1, NULL),
                     constant = test_buffer(r.live, CL_MEM_READ_ONLY, COUNT * 4, NULL),
                     both = test_buffer(r.live, CL_MEM_READ_WRITE, COUNT * 4, NULL);
        const struct {
            bool apart;
            cl_mem in, rest;
            uint64_t rest_capacity;
            clscan_status status;
            const char *words;
        } cases[] = {
            {true, r.in, r.outputs[REST], 0, CLSCAN_OK, ""},
            {true, r.in, small, COUNT - 1, CLSCAN_OK, ""},
            {true, r.in, NULL, 0, CLSCAN_ERROR_NULL_ARGUMENT, "args->selection->rest is missing"},
            {true, r.in, small, 0, CLSCAN_ERROR_BUFFER_TOO_SMALL, "args->selection->rest"},
            {true, r.in, constant, 0, CLSCAN_ERROR_BUFFER_ACCESS, "args->selection->rest"},
            {true, r.in, r.outputs[KEPT], 0, CLSCAN_ERROR_OVERLAP, "args->selection->rest"},
            {true, both, both, 0, CLSCAN_ERROR_OVERLAP, "args->selection->rest"},
            {false, r.in, NULL, 0, CLSCAN_OK, ""},
            {false, r.in, r.outputs[REST], 0, CLSCAN_ERROR_INVALID_VALUE, "args->selection->rest is set"},
            {false, r.in, NULL, COUNT, CLSCAN_ERROR_INVALID_VALUE, "args->selection->rest_capacity is set"},
            {false, r.outputs[KEPT], NULL, 0, CLSCAN_ERROR_BUFFER_ACCESS, "args->in"},
        };

        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
            const clscan_selection selection = {.struct_size = sizeof selection,
                                                .flags.buffer = r.flags,
                                                .rest.buffer = cases[i].rest,
                                                .rest_capacity = cases[i].rest_capacity};
            const clscan_run_args args = {.struct_size = sizeof args,
                                          .in.buffer = cases[i].in,
                                          .out.buffer = r.outputs[KEPT],
                                          .total.buffer = r.total,
                                          .count = COUNT,
                                          .selection = &selection};
            clscan_error error = {0};

            if (cases[i].apart != (r.form->problem.select->rest == CLSCAN_REST_APART))
                continue;
            assert_status(cases[i].status, clscan_run(r.plan, r.workspace, r.live->queue, &args, 0, NULL, NULL, &error),
                          &error);
            if (cases[i].status != CLSCAN_OK && strstr(error.message, cases[i].words) == NULL)
                fail_msg("case %zu: %s", i, error.message);
        }
        {
            const clscan_selection selection = {.struct_size = sizeof selection,
                                                .flags.buffer = r.flags,
                                                .rest.buffer = kind == 0 ? small : NULL,
                                                .rest_capacity = kind == 0 ? 1 : 0};
            const clscan_run_args args = {.struct_size = sizeof args,
                                          .in.buffer = both,
                                          .out.buffer = both,
                                          .total.buffer = r.total,
                                          .count = COUNT,
                                          .selection = &selection};
            clscan_error error = {0};

            assert_status(CLSCAN_ERROR_OVERLAP,
                          clscan_run(r.plan, r.workspace, r.live->queue, &args, 0, NULL, NULL, &error), &error);
            assert_non_null(strstr(error.message, "problem->select->in_place of the plan is 0"));
        }
        clReleaseMemObject(small);
        clReleaseMemObject(constant);
        clReleaseMemObject(both);
        tear_down(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form),
        cmocka_unit_test(every_axis),
        cmocka_unit_test(every_axis_three_ways),
        cmocka_unit_test(narrow_elements_in_words),
        cmocka_unit_test(many_are_counted),
        cmocka_unit_test(after_spent_waits),
        cmocka_unit_test(impossible_problems),
        cmocka_unit_test(three_way_counts_are_checked),
        cmocka_unit_test(what_a_run_gives_is_checked),
    };
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
