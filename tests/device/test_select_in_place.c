/* Selections whose outputs are where their inputs are: what is kept moves to the front, and what stands behind stays.
 * By every form of the decision, every body, carry and order; columns each for itself; and what is refused. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "keep_patterns.h"
#include "live.h"
#include "variant_walk.h"

enum { MARGIN = 19, CANARY = 0x5a, MOST = 48, COLUMNS = 2, SPACE = 3 * 256 };

#define SELECT(of, ...)                                                                                              \
    {                                                                                                                \
        .struct_size = sizeof(clscan_problem), .operation = CLSCAN_SELECT, .type = of, .max_count = 100, __VA_ARGS__ \
    }
#define WITH(...)                                                        \
    {                                                                    \
        .struct_size = sizeof(clscan_select), .in_place = 1, __VA_ARGS__ \
    }

static const clscan_element uint64 = {.struct_size = sizeof uint64, .type = CLSCAN_UINT64};
static const clscan_element uint32 = {.struct_size = sizeof uint32, .type = CLSCAN_UINT32};
static const clscan_element point = {.struct_size = sizeof point,
                                     .name = "point",
                                     .size_bytes = 12,
                                     .align_bytes = 4,
                                     .source = "typedef struct point { uint x, y, z; } point;"};
static const clscan_map odd = {.struct_size = sizeof odd, .expression = "element & 1"};
static const clscan_map unique = {.struct_size = sizeof unique, .expression = "index == 0 || element != before"};
static const clscan_map to_index = {.struct_size = sizeof to_index, .expression = "index"};
static const clscan_map with_place = {.struct_size = sizeof with_place, .expression = "element + (int)sum"};
static const clscan_map part = {.struct_size = sizeof part, .expression = "element & 1 ? 1 : index % 3 == 1 ? 2 : 3"};
static const uint32_t sizes[COLUMNS] = {12, 1};

static const clscan_select bytes = WITH(.flag_bytes = 1), bits = WITH(.flag_bits = 1), ints = WITH(.flag_bytes = 4),
                           alone = WITH(.rejected = 0), rejected = WITH(.flag_bytes = 8, .rejected = 1),
                           columns = WITH(.flag_bytes = 1, .column_bytes = sizes, .column_count = COLUMNS,
                                          .index_bytes = 4, .length_bytes = 4),
                           behind = WITH(.flag_bytes = 2, .rest = CLSCAN_REST_BEHIND, .column_bytes = sizes,
                                         .column_count = COLUMNS),
                           three_way = WITH(.rest = CLSCAN_REST_THREE_WAY, .column_bytes = sizes,
                                            .column_count = COLUMNS, .index_bytes = 4),
                           apart = WITH(.rest = CLSCAN_REST_APART);

/* A way to say what is kept. */
typedef struct form {
    const char *name;
    clscan_problem problem;
    size_t bytes; /* of an element */
    enum { FLAGS, ODD, CHANGES } by;
    enum { ELEMENTS, INDICES, SUMS } gives; /* sums: of an element and its place */
    bool generates;                         /* there is no input: columns alone are in place */
} form;

static const form forms[] = {
    {"flags of a byte", SELECT(CLSCAN_INT32, .select = &bytes), 4, FLAGS, ELEMENTS, false},
    {"bytes by bits", SELECT(CLSCAN_UINT8, .select = &bits), 1, FLAGS, ELEMENTS, false},
    {"shorts by flags of 4 bytes, counted on the device", SELECT(CLSCAN_UINT16, .select = &ints, .count_bytes = 4), 2,
     FLAGS, ELEMENTS, false},
    {"8 bytes by a predicate, 64-bit places",
     SELECT(CLSCAN_INT64, .select = &alone, .load = &odd, .accumulator = &uint64), 8, ODD, ELEMENTS, false},
    {"the first of equal elements", SELECT(CLSCAN_INT32, .select = &alone, .load = &unique), 4, CHANGES, ELEMENTS,
     false},
    {"elements with places", SELECT(CLSCAN_INT32, .select = &alone, .load = &odd, .store = &with_place), 4, ODD, SUMS,
     false},
    {"structs by what flags reject", SELECT(0, .element = &point, .select = &rejected), 12, FLAGS, ELEMENTS, false},
    {"columns, indices and lengths", SELECT(CLSCAN_INT32, .select = &columns), 4, FLAGS, ELEMENTS, false},
    {"the rest behind, with columns, counted on the device", SELECT(CLSCAN_INT32, .select = &behind, .count_bytes = 8),
     4, FLAGS, ELEMENTS, false},
    {"the rest apart", SELECT(CLSCAN_UINT16, .select = &apart, .load = &odd), 2, ODD, ELEMENTS, false},
    {"indices of 4 bytes over elements of 4 bytes",
     SELECT(CLSCAN_INT32, .select = &alone, .load = &odd, .store = &to_index, .output = &uint32), 4, ODD, INDICES,
     false},
    {"three ways, with columns and indices", SELECT(CLSCAN_INT32, .select = &three_way, .load = &part), 4, ODD,
     ELEMENTS, false},
    {"indices of flags, with columns", SELECT(CLSCAN_INT32, .select = &columns, .store = &to_index, .output = &uint32),
     4, FLAGS, INDICES, true},
};
enum { FORMS = sizeof forms / sizeof forms[0] };

typedef struct in_place_case {
    uint64_t count, capacity; /* 0: as many as the count */
    keep_pattern pattern;
    uint64_t initial, offset;
    unsigned apart; /* bit 0: the output, bit 1 + i: column i is not in place */
} in_place_case;

/* Buffers of a run: what may be in place, where it goes if it is not, and what never is. */
enum { DATA, COLUMN, ELSEWHERE = COLUMN + COLUMNS, INDEX = ELSEWHERE + 1 + COLUMNS, LENGTH, REST, BUFFERS };

typedef struct rig {
    const test_live *live;
    const form *form;
    clscan_plan *plan;
    clscan_workspace *workspace;
    uint64_t max_count, tile;
    cl_mem buffers[BUFFERS], flags, total, count, memory;
    size_t workspace_bytes;
    uint32_t overflows, recomputed;
} rig;

/* Of every buffer: the most bytes that an element has anywhere. */
static size_t room_of(const rig *r)
{
    return ((size_t)r->max_count + 2 * MARGIN) * 12;
}

/* The workspace has canaries around it. */
static void set_up(const test_live *live, const form *of, const clscan_plan_options *options, uint64_t max_count,
                   uint64_t tile, rig *r)
{
    clscan_problem problem = of->problem;
    clscan_error error = {0};

    *r = (rig){.live = live, .form = of, .max_count = max_count, .tile = tile};
    problem.max_count = max_count;
    assert_status(CLSCAN_OK, clscan_plan_create(live->context, live->device, &problem, options, &r->plan, &error),
                  &error);
    assert_status(CLSCAN_OK, clscan_workspace_create(r->plan, &r->workspace, &error), &error);
    r->workspace_bytes = (size_t)clscan_plan_workspace_bytes(r->plan);
    r->memory = test_buffer(live, CL_MEM_READ_WRITE, r->workspace_bytes + 2 * SPACE, NULL);
    unsigned char *canaries = malloc(r->workspace_bytes + 2 * SPACE);
    assert_non_null(canaries);
    memset(canaries, CANARY, r->workspace_bytes + 2 * SPACE);
    test_write(live, r->memory, canaries, r->workspace_bytes + 2 * SPACE);
    free(canaries);
    assert_status(CLSCAN_OK,
                  clscan_workspace_bind(r->workspace, live->queue,
                                        &(clscan_memory){.buffer = r->memory, .offset = SPACE}, &error),
                  &error);
    for (int i = 0; i < BUFFERS; ++i)
        r->buffers[i] = test_buffer(live, CL_MEM_READ_WRITE, room_of(r), NULL);
    r->flags = test_buffer(live, CL_MEM_READ_ONLY, room_of(r), NULL);
    r->total = test_buffer(live, CL_MEM_READ_WRITE, sizeof(uint64_t), NULL);
    r->count = test_buffer(live, CL_MEM_READ_ONLY, sizeof(uint64_t), NULL);
}

static void tear_down(rig *r)
{
    unsigned char *canaries = malloc(r->workspace_bytes + 2 * SPACE);

    assert_non_null(canaries);
    test_read(r->live, r->memory, r->workspace_bytes + 2 * SPACE, canaries);
    for (size_t i = 0; i < SPACE; ++i)
        if (canaries[i] != CANARY || canaries[SPACE + r->workspace_bytes + i] != CANARY)
            fail_msg("%s: a byte beside the workspace has changed", r->form->name);
    free(canaries);
    clscan_workspace_destroy(r->workspace);
    clscan_plan_destroy(r->plan);
    for (int i = 0; i < BUFFERS; ++i)
        clReleaseMemObject(r->buffers[i]);
    clReleaseMemObject(r->flags);
    clReleaseMemObject(r->total);
    clReleaseMemObject(r->count);
    clReleaseMemObject(r->memory);
}

static bool is_marked(const rig *r, const in_place_case *test, uint64_t i)
{
    if (r->form->by == CHANGES && i == 0)
        return true;
    return pattern_marks(test->pattern, i, test->count, r->tile);
}

static bool is_kept(const rig *r, const in_place_case *test, uint64_t i)
{
    return is_marked(r, test, i) != (r->form->problem.select->rejected != 0);
}

static bool is_three_way(const rig *r)
{
    return r->form->problem.select->rest == CLSCAN_REST_THREE_WAY;
}

static bool is_in_middle(const rig *r, const in_place_case *test, uint64_t i)
{
    return is_three_way(r) && !is_kept(r, test, i) && i % 3 == 1;
}

/* Where the elements of a column begin. */
static uint64_t column_offset(const in_place_case *test, uint32_t i)
{
    return (test->offset + 2 * i + 1) % MARGIN;
}

/* What buffers hold before and after: `before` is made here, too. Returns the total, three ways with the number in the
 * middle in its upper half. */
static uint64_t expect(rig *r, const in_place_case *test, uint64_t capacity, unsigned char *before[BUFFERS],
                       unsigned char *after[BUFFERS])
{
    const clscan_select *select = r->form->problem.select;
    const size_t size = r->form->bytes;
    const bool to_rest = select->rest == CLSCAN_REST_APART,
               is_behind = select->rest == CLSCAN_REST_BEHIND || is_three_way(r);
    uint64_t kept = test->initial, total = test->initial, changes = 0, middles = 0, middle, rest, next = test->count;

    for (int i = 0; i < BUFFERS; ++i)
        for (size_t at = 0; at < room_of(r); ++at)
            before[i][at] = (unsigned char)(CANARY + at % 7 * 16 + (size_t)i);
    for (uint64_t i = 0; i < test->count; ++i) {
        const uint64_t any = mixed(i + 5) << 8 ^ i;
        unsigned char row[12];

        total += is_kept(r, test, i);
        middles += is_in_middle(r, test, i);
        changes += is_marked(r, test, i);
        for (size_t k = 0; k < sizeof row; ++k)
            row[k] = (unsigned char)mixed(12 * i + k);
        if (r->form->by == CHANGES)
            memcpy(row, &changes, 8);
        else if (r->form->by == ODD)
            row[0] = (unsigned char)((any & 0xfe) + is_marked(r, test, i));
        memcpy(before[DATA] + (test->offset + i) * size, row, size);
        for (uint32_t c = 0; c < COLUMNS; ++c)
            for (uint32_t k = 0; k < sizes[c]; ++k)
                before[COLUMN + c][(column_offset(test, c) + i) * sizes[c] + k] =
                    (unsigned char)mixed(i * 31 + c * 7 + k);
    }
    for (int i = 0; i < BUFFERS; ++i)
        memcpy(after[i], before[i], room_of(r));
    middle = total;
    rest = to_rest ? 0 : total + middles;
    for (uint64_t i = 0; i < test->count; ++i) {
        const bool keep = is_kept(r, test, i), to_data = !((test->apart & 1u) != 0 || r->form->generates);
        const uint64_t place = keep ? kept++ : is_in_middle(r, test, i) ? middle++ : rest++;
        const uint32_t index = (uint32_t)i;
        unsigned char row[12] = {0};
        int32_t value;

        if (!keep && to_rest)
            memcpy(after[REST] + place * size, before[DATA] + (test->offset + i) * size, size);
        if ((!keep && !is_behind) || place >= capacity)
            continue;
        memcpy(row, before[DATA] + (test->offset + i) * size, size);
        memcpy(&value, row, sizeof value);
        value = r->form->gives == INDICES ? (int32_t)i : (int32_t)((uint32_t)value + (uint32_t)place);
        memcpy(after[to_data ? DATA : ELSEWHERE] + (test->offset + place) * size,
               r->form->gives == ELEMENTS ? (const void *)row : &value, size);
        for (uint32_t c = 0; c < select->column_count; ++c)
            memcpy(after[((test->apart & 2u << c) != 0 ? ELSEWHERE + 1 : COLUMN) + c] +
                       (column_offset(test, c) + place) * sizes[c],
                   before[COLUMN + c] + (column_offset(test, c) + i) * sizes[c], sizes[c]);
        if (select->index_bytes > 0)
            memcpy(after[INDEX] + place * 4, &index, 4);
    }
    for (uint64_t i = test->count; i-- > 0;) {
        if (!is_kept(r, test, i))
            continue;
        const uint32_t length = (uint32_t)(next - i);
        next = i;
        if (--kept < capacity && select->length_bytes > 0)
            memcpy(after[LENGTH] + kept * 4, &length, 4);
    }
    r->overflows += (is_behind ? rest : total) > capacity && test->count > 0;
    return total | middles << 32;
}

static void write_flags(const rig *r, const in_place_case *test)
{
    const clscan_select *select = r->form->problem.select;
    unsigned char *flags = calloc(1, room_of(r));

    assert_non_null(flags);
    for (uint64_t i = 0; i < test->count; ++i) {
        if (!is_marked(r, test, i))
            continue;
        if (select->flag_bits)
            flags[i / 8] |= (unsigned char)(1u << i % 8);
        else /* any of its bytes */
            flags[i * select->flag_bytes + (select->flag_bytes > 0 ? i % select->flag_bytes : 0)] = 4;
    }
    test_write(r->live, r->flags, flags, room_of(r));
    free(flags);
}

/* 0, or 1 after printing what is wrong. */
static unsigned run_case(rig *r, const in_place_case *test)
{
    const clscan_select *select = r->form->problem.select;
    const bool on_device = r->form->problem.count_bytes > 0;
    unsigned char *before[BUFFERS], *after[BUFFERS], *got = malloc(room_of(r));
    clscan_column given[COLUMNS];
    clscan_selection selection = {.struct_size = sizeof selection,
                                  .capacity = test->capacity > 0 ? test->capacity : test->count};
    clscan_run_args args = {
        .struct_size = sizeof args,
        .out = {.buffer = r->buffers[(test->apart & 1u) != 0 ? ELSEWHERE : DATA], .offset = test->offset},
        .count = on_device ? r->max_count : test->count,
        .total.buffer = r->total,
        .selection = &selection};
    clscan_report report = {.struct_size = sizeof report};
    clscan_error error = {0};
    uint64_t total = 0, wanted;
    unsigned wrong;

    if (on_device && test->count == 0) /* no room of 0 places: it would be that of the largest count */
        selection.capacity = 1;
    for (int i = 0; i < BUFFERS; ++i) {
        before[i] = malloc(room_of(r));
        after[i] = malloc(room_of(r));
        assert_true(before[i] != NULL && after[i] != NULL);
    }
    assert_non_null(got);
    wanted = expect(r, test, selection.capacity, before, after);
    for (int i = 0; i < BUFFERS; ++i)
        test_write(r->live, r->buffers[i], before[i], room_of(r));
    write_flags(r, test);
    test_write(r->live, r->count, &test->count, sizeof test->count);
    if (r->form->generates)
        args.out.buffer = r->buffers[ELSEWHERE];
    else
        args.in = (clscan_memory){.buffer = r->buffers[DATA], .offset = test->offset};
    if (on_device)
        args.device_count.buffer = r->count;
    if (select->flag_bytes > 0 || select->flag_bits)
        selection.flags.buffer = r->flags;
    for (uint32_t c = 0; c < select->column_count; ++c) {
        given[c].in = (clscan_memory){.buffer = r->buffers[COLUMN + c], .offset = column_offset(test, c)};
        given[c].out = given[c].in;
        if ((test->apart & 2u << c) != 0)
            given[c].out.buffer = r->buffers[ELSEWHERE + 1 + c];
        selection.columns = given;
    }
    if (select->index_bytes > 0)
        selection.indices.buffer = r->buffers[INDEX];
    if (select->length_bytes > 0)
        selection.lengths.buffer = r->buffers[LENGTH];
    if (select->rest == CLSCAN_REST_APART)
        selection.rest.buffer = r->buffers[REST];
    if (test->initial > 0)
        args.initial = (clscan_memory){.kind = CLSCAN_MEMORY_HOST, .pointer = (void *)&test->initial};
    assert_status(CLSCAN_OK, clscan_run(r->plan, r->workspace, r->live->queue, &args, 0, NULL, NULL, &error), &error);
    test_read(r->live, r->total, is_three_way(r) || r->form->problem.accumulator != NULL ? 8 : 4, &total);
    assert_int_equal(clscan_workspace_report(r->workspace, r->live->queue, &report, NULL), CLSCAN_OK);
    r->recomputed = report.recomputed;
    wrong = total != wanted || report.failures != 0 || report.overflows != r->overflows;
    for (int i = 0; i < BUFFERS; ++i) {
        size_t at = 0;

        test_read(r->live, r->buffers[i], room_of(r), got);
        while (at < room_of(r) && after[i][at] == got[at])
            ++at;
        if (at < room_of(r))
            print_error("buffer %d: byte %zu of %zu differs\n", i, at, room_of(r)), wrong = 1;
        free(before[i]);
        free(after[i]);
    }
    if (wrong)
        print_error("%s: %llu elements, pattern %d, room for %llu, from %llu, offset %llu, apart %u: total %llu, not "
                    "%llu; %u overflows, not %u\n",
                    r->form->name, (unsigned long long)test->count, (int)test->pattern,
                    (unsigned long long)selection.capacity, (unsigned long long)test->initial,
                    (unsigned long long)test->offset, test->apart, (unsigned long long)total,
                    (unsigned long long)wanted, report.overflows, r->overflows);
    r->overflows = report.overflows;
    free(got);
    return wrong;
}

/* Counts at the edges of tiles, by every pattern, with one workspace; some with too little room, and some that begin
 * behind the first place. */
static unsigned run_counts(rig *r)
{
    const uint64_t counts[] = {3 * r->tile + r->tile / 2 + 1, r->tile + 1, r->tile, r->tile - 1, 2, 1, 0};
    unsigned failures = 0, turn = 0;

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i)
        for (int kind = 0; kind < PATTERNS; ++kind, ++turn) {
            in_place_case test = {.count = counts[i], .pattern = (keep_pattern)kind, .offset = turn % MARGIN};

            failures += run_case(r, &test);
            if (counts[i] < 2)
                continue;
            test.apart = turn % 8;
            test.capacity = turn % 2 ? counts[i] - 1 : (counts[i] + 1) / 2;
            test.initial = turn % 3 == 0 && !is_three_way(r) ? 1 + counts[i] / 9 : 0;
            failures += run_case(r, &test);
        }
    return failures;
}

/* Every offset and every number of elements about a vector's. */
static unsigned run_edges(rig *r, uint64_t most)
{
    unsigned failures = 0;

    for (uint64_t count = 1; count <= most; ++count)
        failures += run_case(r, &(in_place_case){.count = count,
                                                 .pattern = count % 3 == 0   ? ALL
                                                            : count % 3 == 1 ? MANY
                                                                             : SOME,
                                                 .offset = count * 7 % MARGIN});
    return failures;
}

static unsigned run_form(const test_live *live, size_t i, const clscan_plan_options *options, uint64_t max_count,
                         uint64_t tile)
{
    unsigned failures;
    rig r;

    set_up(live, &forms[i], options, max_count, tile, &r);
    failures = run_counts(&r);
    failures += run_edges(&r, 2 * (tile < MOST ? tile : MOST));
    tear_down(&r);
    return failures;
}

static const clscan_problem *problem_at(size_t i)
{
    return &forms[i].problem;
}

static const test_forms all = {.count = FORMS, .turn = 2, .problem_at = problem_at, .run = run_form};

static void every_form(void **state)
{
    test_each_form(*state, &all);
}

static void every_axis(void **state)
{
    test_forms_on_every_axis(*state, &all);
}

/* So many that every work-group of the last launch moves something, more than once. */
static void many_elements(void **state)
{
    enum { COUNT = 1 << 19 };
    unsigned failures = 0;

    for (size_t i = 0; i < FORMS; i += test_thorough() ? 2 : 6) {
        rig r;

        set_up(*state, &forms[i], NULL, COUNT, 1000, &r);
        failures += run_case(&r, &(in_place_case){.count = COUNT, .pattern = SOME});
        failures += run_case(&r, &(in_place_case){.count = COUNT - 1, .pattern = MANY, .offset = 5});
        failures += run_case(&r, &(in_place_case){.count = COUNT, .pattern = ALL, .offset = 1});
        failures += run_case(&r, &(in_place_case){.count = COUNT, .pattern = FEW});
        tear_down(&r);
    }
    assert_int_equal(failures, 0);
}

static unsigned run_spent_waits(const test_live *live, const clscan_plan_options *options, unsigned *recomputed)
{
    enum { TILES = 24, REPEATS = 20 };
    const uint64_t tile = clscan_variant_tile_count(options->variant);
    unsigned failures = 0;
    rig r;

    set_up(live, &forms[4], options, TILES * tile, tile, &r);
    for (unsigned repeat = 0; repeat < REPEATS; ++repeat)
        failures += run_case(&r, &(in_place_case){.count = TILES * tile - repeat, .pattern = repeat % PATTERNS});
    *recomputed += r.recomputed;
    tear_down(&r);
    return failures;
}

/* Who waited in vain reads tiles again, and the ends of those in front: nothing has moved there yet. */
static void after_spent_waits(void **state)
{
    test_spent_waits(*state, &forms[4].problem, run_spent_waits);
}

/* Memory of the host that begins between vectors, where the device takes it as it is. */
static void buffers_between_vectors(void **state)
{
    enum { COUNT = 1000 };
    const test_live *live = *state;
    rig r;

    set_up(live, &forms[1], NULL, COUNT, COUNT, &r);
    for (size_t at = 1; at < 16; at += 7) {
        const in_place_case test = {.count = COUNT, .pattern = SOME};
        const clscan_selection selection = {.struct_size = sizeof selection, .flags.buffer = r.flags};
        unsigned char *memory = aligned_alloc(64, 2048), before[COUNT], got[COUNT];
        clscan_run_args args = {
            .struct_size = sizeof args, .total.buffer = r.total, .count = COUNT, .selection = &selection};
        clscan_error error = {0};
        uint64_t kept = 0;
        cl_int code;

        assert_non_null(memory);
        for (size_t i = 0; i < COUNT; ++i)
            memory[at + i] = before[i] = (unsigned char)mixed(i);
        args.in.buffer = args.out.buffer =
            clCreateBuffer(live->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, COUNT, memory + at, &code);
        assert_cl(code);
        write_flags(&r, &test);
        assert_status(CLSCAN_OK, clscan_run(r.plan, r.workspace, live->queue, &args, 0, NULL, NULL, &error), &error);
        test_read(live, args.in.buffer, COUNT, got);
        for (size_t i = 0; i < COUNT; ++i)
            if (is_marked(&r, &test, i))
                assert_int_equal(got[kept++], before[i]);
        assert_memory_equal(got + kept, before + kept, COUNT - kept);
        clReleaseMemObject(args.in.buffer);
        free(memory);
    }
    tear_down(&r);
}

/* Who asks for nothing in place has no room for it in the workspace; who does has it for the largest count. */
static void room_is_planned(void **state)
{
    enum { COUNT = 100000 };
    const test_live *live = *state;
    static const clscan_select not_in_place = {.struct_size = sizeof not_in_place, .flag_bytes = 1};
    clscan_problem problem = SELECT(CLSCAN_INT32, .select = &not_in_place);
    uint64_t sizes_of[2];

    problem.max_count = COUNT;
    for (int i = 0; i < 2; ++i) {
        clscan_plan *plan = NULL;
        clscan_workspace *workspace = NULL;

        problem.select = i == 0 ? &not_in_place : &bytes;
        test_plan_create(live, &problem, NULL, &plan, &workspace);
        sizes_of[i] = clscan_plan_workspace_bytes(plan);
        clscan_workspace_destroy(workspace);
        clscan_plan_destroy(plan);
    }
    assert_true(sizes_of[0] < COUNT);
    assert_true(sizes_of[1] >= sizes_of[0] + COUNT * 4);
    assert_true(sizes_of[1] < sizes_of[0] + COUNT * 4 + 1024);
}

static void impossible_problems(void **state)
{
    static const clscan_select lengths = WITH(.length_bytes = 4), two = {.struct_size = sizeof two, .in_place = 2},
                               flags_alone = WITH(.flag_bytes = 1);
    static const struct {
        clscan_problem problem;
        const char *words;
    } cases[] = {
        {SELECT(CLSCAN_INT32, .select = &two), "problem->select->in_place is 2"},
        {{.struct_size = sizeof(clscan_problem),
          .operation = CLSCAN_REPEAT,
          .type = CLSCAN_INT32,
          .max_count = 100,
          .select = &lengths},
         "problem->select->in_place is 1, but operation repeat"},
        {SELECT(CLSCAN_INT16, .select = &alone, .load = &odd, .store = &to_index, .output = &uint32),
         "problem->select->in_place is 1, but nothing can be in place: there is no column, and the elements of the "
         "output "
         "have not"},
        {SELECT(CLSCAN_INT32, .select = &flags_alone, .store = &to_index, .output = &uint32),
         "nothing can be in place: there is no column, and no input"},
    };
    const test_live *live = *state;

    for (size_t i = 0; i <= sizeof cases / sizeof cases[0]; ++i) {
        clscan_problem problem = SELECT(CLSCAN_UINT8, .select = &bits, .accumulator = &uint64);
        clscan_plan *plan = NULL;
        clscan_error error = {0};

        if (i < sizeof cases / sizeof cases[0])
            problem = cases[i].problem;
        else
            problem.max_count = UINT64_MAX - 20; /* bytes, and no room for a vector more */
        assert_status(CLSCAN_ERROR_INVALID_VALUE,
                      clscan_plan_create(live->context, live->device, &problem, NULL, &plan, &error), &error);
        if (strstr(error.message, i < sizeof cases / sizeof cases[0] ? cases[i].words : "by a selection in place") ==
            NULL)
            fail_msg("case %zu: %s", i, error.message);
    }
}

/* Outputs that overlap their inputs in another way, what else may not overlap them, and room that is not there. */
static void what_a_run_gives_is_checked(void **state)
{
    enum { COUNT = 100 };
    rig r;

    set_up(*state, &forms[7], NULL, COUNT, COUNT, &r);
    const cl_mem data = r.buffers[DATA], column = r.buffers[COLUMN], other = r.buffers[COLUMN + 1],
                 constant = test_buffer(r.live, CL_MEM_READ_ONLY, COUNT * 4, NULL),
                 unread = test_buffer(r.live, CL_MEM_WRITE_ONLY, COUNT * 12, NULL);
    const clscan_memory in = {.buffer = data};
    /* What is not given here is right. */
    const struct {
        clscan_status status;
        const char *words;
        clscan_memory in, out, flags, column_in, column_out, indices, total;
        uint64_t capacity;
    } cases[] = {
        {CLSCAN_OK, "", .capacity = COUNT},
        {CLSCAN_OK, "", .capacity = COUNT - 1},
        {CLSCAN_ERROR_INVALID_VALUE, "args->selection->capacity is 101, but args->out is where args->in is",
         .capacity = COUNT + 1},
        {CLSCAN_ERROR_OVERLAP, "in place they must begin at the same byte", .out = {.buffer = data, .offset = 1}},
        {CLSCAN_ERROR_OVERLAP, "in place they must begin at the same byte",
         .column_out = {.buffer = column, .offset = 1}},
        {CLSCAN_ERROR_OVERLAP, "args->selection->flags", .flags = in},
        {CLSCAN_ERROR_OVERLAP, "args->selection->flags", .flags = {.buffer = column}},
        {CLSCAN_ERROR_OVERLAP, "args->selection->columns[0].in", .column_in = in},
        {CLSCAN_ERROR_OVERLAP, "args->selection->columns[0]", .column_in = in, .column_out = in},
        {CLSCAN_ERROR_OVERLAP, "args->selection->indices", .indices = in},
        {CLSCAN_ERROR_OVERLAP, "args->total", .total = in},
        {CLSCAN_ERROR_BUFFER_ACCESS, "args->total", .total = {.buffer = unread}},
        {CLSCAN_ERROR_BUFFER_ACCESS, "args->out", .in = {.buffer = constant}, .out = {.buffer = constant}},
        {CLSCAN_ERROR_BUFFER_ACCESS, "args->in", .in = {.buffer = unread}, .out = {.buffer = unread}},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
#define GIVEN(what, right) (cases[i].what.buffer != NULL ? cases[i].what : (clscan_memory){.buffer = (right)})
        const clscan_column given[] = {{GIVEN(column_in, column), GIVEN(column_out, column)},
                                       {{.buffer = other}, {.buffer = other}}};
        const clscan_selection selection = {.struct_size = sizeof selection,
                                            .flags = GIVEN(flags, r.flags),
                                            .columns = given,
                                            .indices = GIVEN(indices, r.buffers[INDEX]),
                                            .lengths.buffer = r.buffers[LENGTH],
                                            .capacity = cases[i].capacity};
        const clscan_run_args args = {.struct_size = sizeof args,
                                      .in = GIVEN(in, data),
                                      .out = GIVEN(out, data),
                                      .total = GIVEN(total, r.total),
                                      .count = COUNT,
                                      .selection = &selection};
#undef GIVEN
        clscan_error error = {0};

        assert_status(cases[i].status, clscan_run_check(r.plan, r.workspace, r.live->queue, &args, &error), &error);
        if (cases[i].status != CLSCAN_OK && strstr(error.message, cases[i].words) == NULL)
            fail_msg("case %zu: %s", i, error.message);
    }
    clReleaseMemObject(constant);
    clReleaseMemObject(unread);
    tear_down(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form),          cmocka_unit_test(every_axis),
        cmocka_unit_test(many_elements),       cmocka_unit_test(after_spent_waits),
        cmocka_unit_test(room_is_planned),     cmocka_unit_test(buffers_between_vectors),
        cmocka_unit_test(impossible_problems), cmocka_unit_test(what_a_run_gives_is_checked),
    };
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
