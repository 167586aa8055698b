/* Operation select: what is kept, by every form of flags and predicates, every body, carry and order, at the edges of
 * tiles and of the output's capacity, and after waits that were spent; and what is refused. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "keep_patterns.h"
#include "live.h"
#include "parsed_variant.h"
#include "variant_sets.h"
#include "variant_walk.h"

enum { MARGIN = 3, MOST_BYTES = 8, CANARY = 0x5a };

typedef struct number_pair {
    float a, b;
} number_pair;

/* A way to select. Flags and elements are written by the test so that `keeps` is right. */
typedef struct form {
    const char *name;
    clscan_problem problem;
    size_t in_bytes, out_bytes; /* in_bytes 0: there is no input */
    size_t place_bytes;
    void (*element)(uint64_t index, bool kept, void *element); /* one that is to be kept, or not */
    bool (*keeps)(uint64_t index, bool kept);                  /* NULL: what was asked for */
    bool gives_index;
} form;

/* One in a thousand units. */
static bool wanted(uint64_t index, uint32_t per_mille)
{
    return mixed(index * 3 + 11) % 1000 < per_mille;
}

static void any_int(uint64_t index, bool kept, void *element)
{
    (void)kept;
    *(int32_t *)element = (int32_t)mixed(index);
}

static void positive_int(uint64_t index, bool kept, void *element)
{
    *(int32_t *)element = (int32_t)(index % 1000 + 1) * (kept ? 1 : -1);
}

/* So many bytes that the element may leave as a wider one. */
static void nonzero_byte(uint64_t index, bool kept, void *element)
{
    *(uint32_t *)element = 0;
    *(unsigned char *)element = kept ? (unsigned char)(index % 255 + 1) : 0;
}

static void any_pair(uint64_t index, bool kept, void *element)
{
    const number_pair pair = {(float)(index % 4096), kept ? 1.0f : 0.0f};

    memcpy(element, &pair, sizeof pair);
}

/* Whatever 16 bits can be, every NaN among them. */
static void any_half(uint64_t index, bool kept, void *element)
{
    (void)kept;
    *(uint16_t *)element = (uint16_t)(index * 40503 + 0x7c01);
}

/* Halves: 1.5 and -1.5. */
static void some_half(uint64_t index, bool kept, void *element)
{
    (void)index;
    *(uint16_t *)element = kept ? 0x3e00 : 0xbe00;
}

static void any_long(uint64_t index, bool kept, void *element)
{
    (void)kept;
    *(uint64_t *)element = mixed(index) << 32 | index;
}

/* Coins make runs of two in the mean. */
static bool coin(uint64_t index)
{
    return mixed(index * 5 + 1) % 2 != 0;
}

static void coin_int(uint64_t index, bool kept, void *element)
{
    (void)kept;
    *(int32_t *)element = coin(index) ? 7 : -7;
}

static void coin_half(uint64_t index, bool kept, void *element)
{
    (void)kept;
    *(uint16_t *)element = coin(index) ? 0x3e00 : 0xbe00;
}

static void coin_pair(uint64_t index, bool kept, void *element)
{
    const number_pair pair = {(float)(index % 4096), coin(index) ? 1.0f : 0.0f};

    (void)kept;
    memcpy(element, &pair, sizeof pair);
}

static bool begins_run(uint64_t index, bool kept)
{
    (void)kept;
    return index == 0 || coin(index) != coin(index - 1);
}

static bool begins_run_and_kept(uint64_t index, bool kept)
{
    return kept && begins_run(index, kept);
}

static bool follows_positive(uint64_t index, bool kept)
{
    (void)kept;
    return coin(index > 0 ? index - 1 : 0);
}

static bool not_kept(uint64_t index, bool kept)
{
    (void)index;
    return !kept;
}

static bool not_kept_or_odd(uint64_t index, bool kept)
{
    return !kept || index % 2 != 0;
}

static bool even_only(uint64_t index, bool kept)
{
    return kept && index % 2 == 0;
}

static const clscan_element pair = {.struct_size = sizeof pair,
                                    .name = "pair",
                                    .source = "typedef struct pair { float a, b; } pair;",
                                    .size_bytes = sizeof(number_pair),
                                    .align_bytes = sizeof(float)};
static const clscan_element uint32 = {.struct_size = sizeof uint32, .type = CLSCAN_UINT32};
static const clscan_element uint64 = {.struct_size = sizeof uint64, .type = CLSCAN_UINT64};
static const clscan_select flags_of[] = {{.struct_size = sizeof flags_of[0], .flag_bytes = 1},
                                         {.struct_size = sizeof flags_of[0], .flag_bytes = 2},
                                         {.struct_size = sizeof flags_of[0], .flag_bytes = 4},
                                         {.struct_size = sizeof flags_of[0], .flag_bytes = 8}};
static const clscan_select no_flags = {.struct_size = sizeof no_flags, .rejected = 1},
                           no_bytes = {.struct_size = sizeof no_bytes, .flag_bytes = 1, .rejected = 1},
                           no_bits = {.struct_size = sizeof no_bits, .flag_bits = 1, .rejected = 1};
static const clscan_select bits = {.struct_size = sizeof bits, .flag_bits = 1};
static const clscan_map positive = {.struct_size = sizeof positive, .expression = "element > 0"};
static const clscan_map even = {.struct_size = sizeof even, .expression = "index % 2 == 0"};
static const clscan_map to_index = {.struct_size = sizeof to_index, .expression = "index"};
static const clscan_map begins = {.struct_size = sizeof begins, .expression = "index == 0 || element != before"};
static const clscan_map other_b = {.struct_size = sizeof other_b, .expression = "index == 0 || before.b != element.b"};
static const clscan_map behind = {.struct_size = sizeof behind, .expression = "before > 0"};
/* True for fractions, too. */
static const clscan_map fraction = {.struct_size = sizeof fraction, .expression = "element.b * 0.25f"};

#define SELECT(...)                                                                    \
    {                                                                                  \
        .struct_size = sizeof(clscan_problem), .operation = CLSCAN_SELECT, __VA_ARGS__ \
    }

static const form forms[] = {
    {"int32 by bytes", SELECT(.type = CLSCAN_INT32, .select = &flags_of[0]), 4, 4, 4, any_int, NULL, false},
    {"int32 by a predicate", SELECT(.type = CLSCAN_INT32, .load = &positive), 4, 4, 4, positive_int, NULL, false},
    {"indices of nonzero bytes", SELECT(.type = CLSCAN_UINT8, .store = &to_index, .output = &uint32), 1, 4, 4,
     nonzero_byte, NULL, true},
    {"indices of flags of 2 bytes",
     SELECT(.type = CLSCAN_UINT8, .select = &flags_of[1], .store = &to_index, .output = &uint64), 0, 8, 4, any_int,
     NULL, true},
    {"structs by flags of 4 bytes, 64-bit places",
     SELECT(.element = &pair, .select = &flags_of[2], .accumulator = &uint64), 8, 8, 8, any_pair, NULL, false},
    {"structs by a predicate", SELECT(.element = &pair, .load = &fraction), 8, 8, 4, any_pair, NULL, false},
    {"half by a predicate", SELECT(.type = CLSCAN_HALF, .load = &positive), 2, 2, 4, some_half, NULL, false},
    {"uint64 by flags of 8 bytes and a predicate", SELECT(.type = CLSCAN_UINT64, .select = &flags_of[3], .load = &even),
     8, 8, 4, any_long, even_only, false},
    {"firsts of runs", SELECT(.type = CLSCAN_INT32, .load = &begins), 4, 4, 4, coin_int, begins_run, false},
    {"begins of runs of halves with flags",
     SELECT(.type = CLSCAN_HALF, .select = &flags_of[0], .load = &begins, .store = &to_index, .output = &uint32), 2, 4,
     4, coin_half, begins_run_and_kept, true},
    {"structs unlike the one before", SELECT(.element = &pair, .load = &other_b), 8, 8, 4, coin_pair, begins_run,
     false},
    {"indices behind positive ones",
     SELECT(.type = CLSCAN_INT32, .load = &behind, .store = &to_index, .output = &uint32), 4, 4, 4, coin_int,
     follows_positive, true},
    {"rejected int32 by bytes", SELECT(.type = CLSCAN_INT32, .select = &no_bytes), 4, 4, 4, any_int, not_kept, false},
    {"rejected int32 by a predicate", SELECT(.type = CLSCAN_INT32, .select = &no_flags, .load = &positive), 4, 4, 4,
     positive_int, not_kept, false},
    {"rejected uint64 by flags and a predicate", SELECT(.type = CLSCAN_UINT64, .select = &no_bytes, .load = &even), 8,
     8, 4, any_long, not_kept_or_odd, false},
    {"int16 by bytes", SELECT(.type = CLSCAN_INT16, .select = &flags_of[0]), 2, 2, 4, any_int, NULL, false},
    {"uint8 by bytes", SELECT(.type = CLSCAN_UINT8, .select = &flags_of[0]), 1, 1, 4, any_int, NULL, false},
    {"nonzero bytes as uint32", SELECT(.type = CLSCAN_UINT8, .load = &positive, .output = &uint32), 1, 4, 4,
     nonzero_byte, NULL, false},
    {"half by bytes", SELECT(.type = CLSCAN_HALF, .select = &flags_of[0]), 2, 2, 4, any_half, NULL, false},
    {"int32 by bits", SELECT(.type = CLSCAN_INT32, .select = &bits), 4, 4, 4, any_int, NULL, false},
    {"indices of bits", SELECT(.type = CLSCAN_UINT8, .select = &bits, .store = &to_index, .output = &uint32), 0, 4, 4,
     any_int, NULL, true},
    {"uint64 by bits and a predicate", SELECT(.type = CLSCAN_UINT64, .select = &bits, .load = &even), 8, 8, 4, any_long,
     even_only, false},
    {"structs by bits", SELECT(.element = &pair, .select = &bits), 8, 8, 4, any_pair, NULL, false},
    {"rejected uint64 by bits and a predicate", SELECT(.type = CLSCAN_UINT64, .select = &no_bits, .load = &even), 8, 8,
     4, any_long, not_kept_or_odd, false},
};
enum { FORMS = sizeof forms / sizeof forms[0], BITS = FORMS - 5, NARROWS = 4, NARROW = BITS - NARROWS };

typedef struct rig {
    const test_live *live;
    const form *form;
    clscan_problem problem;
    clscan_plan *plan;
    clscan_workspace *workspace;
    cl_mem in, flags, out, total;
    unsigned char *input, *flag, *expected, *got;
    uint32_t overflows, refused, recomputed; /* by now; tiles, of plans that count them */
} rig;

static size_t flag_bytes(const rig *r)
{
    return r->form->problem.select != NULL ? r->form->problem.select->flag_bytes : 0;
}

static bool has_bits(const rig *r)
{
    return r->form->problem.select != NULL && r->form->problem.select->flag_bits != 0;
}

static size_t room_bytes(const rig *r)
{
    return ((size_t)r->problem.max_count + 2 * MARGIN) * MOST_BYTES;
}

/* count_bytes: of the count in device memory, or 0. */
static void set_up_by(const test_live *live, const form *of, const clscan_plan_options *options, uint64_t max_count,
                      uint64_t count_bytes, rig *r)
{
    *r = (rig){.live = live, .form = of, .problem = of->problem};
    r->problem.max_count = max_count;
    r->problem.count_bytes = count_bytes;
    test_plan_create(live, &r->problem, options, &r->plan, &r->workspace);
    r->input = malloc(room_bytes(r));
    r->flag = malloc(room_bytes(r));
    r->expected = malloc(room_bytes(r));
    r->got = malloc(room_bytes(r));
    assert_true(r->input != NULL && r->flag != NULL && r->expected != NULL && r->got != NULL);
    r->in = test_buffer(live, CL_MEM_READ_ONLY, room_bytes(r), NULL);
    r->flags = test_buffer(live, CL_MEM_READ_ONLY, room_bytes(r), NULL);
    r->out = test_buffer(live, CL_MEM_WRITE_ONLY, room_bytes(r), NULL);
    r->total = test_buffer(live, CL_MEM_READ_WRITE, 3 * MOST_BYTES, NULL);
}

static void set_up_counted(const test_live *live, const form *of, const clscan_variant *variant, uint64_t max_count,
                           uint64_t count_bytes, rig *r)
{
    const clscan_plan_options options = {.struct_size = sizeof options, .variant = variant};

    set_up_by(live, of, &options, max_count, count_bytes, r);
}

static void set_up(const test_live *live, const form *of, const clscan_variant *variant, uint64_t max_count, rig *r)
{
    set_up_counted(live, of, variant, max_count, 0, r);
}

static void tear_down(rig *r)
{
    assert_cl(clFinish(r->live->queue));
    clscan_workspace_destroy(r->workspace);
    clscan_plan_destroy(r->plan);
    clReleaseMemObject(r->in);
    clReleaseMemObject(r->flags);
    clReleaseMemObject(r->out);
    clReleaseMemObject(r->total);
    free(r->input);
    free(r->flag);
    free(r->expected);
    free(r->got);
}

typedef struct selection_case {
    uint64_t count, capacity; /* capacity 0: as many as the count */
    uint32_t per_mille;       /* that are kept */
    uint64_t initial;         /* where the output begins, if not 0 */
    uint64_t offset;          /* of all buffers */
} selection_case;

static void set_bit(unsigned char *bytes, uint64_t index, bool value)
{
    const unsigned char mask = (unsigned char)(1u << index % 8);

    bytes[index / 8] = (unsigned char)(value ? bytes[index / 8] | mask : bytes[index / 8] & ~mask);
}

/* Elements and flags of the run; the expected output, where nothing else is written. Returns the number needed. */
static uint64_t write_case(rig *r, const selection_case *test, uint64_t capacity)
{
    const size_t bytes = flag_bytes(r);
    uint64_t kept = test->initial;

    memset(r->input, CANARY, room_bytes(r));
    memset(r->flag, CANARY, room_bytes(r));
    memset(r->expected, CANARY, room_bytes(r));
    for (uint64_t i = 0; i < test->count; ++i) {
        const bool want = wanted(i, test->per_mille);
        _Alignas(8) unsigned char element[MOST_BYTES];
        unsigned char *flag = r->flag + (i + test->offset) * bytes;

        r->form->element(i, want, element);
        memcpy(r->input + (i + test->offset) * r->form->in_bytes, element, r->form->in_bytes);
        memset(flag, 0, bytes);
        if (want && bytes > 0)
            flag[mixed(i) % bytes] = (unsigned char)(1 + i % 255);
        if (has_bits(r))
            set_bit(r->flag, i + test->offset * 8, want);
        if (!(r->form->keeps != NULL ? r->form->keeps(i, want) : want))
            continue;
        if (kept < capacity)
            memcpy(r->expected + (kept + test->offset) * r->form->out_bytes,
                   r->form->gives_index ? (void *)&i : (void *)element, r->form->out_bytes);
        ++kept;
    }
    test_write(r->live, r->in, r->input, room_bytes(r));
    test_write(r->live, r->flags, r->flag, room_bytes(r));
    return kept;
}

/* 0, or 1 after printing what is wrong. Where the count is in device memory there is room for the plan's maximum. */
static unsigned run_case(rig *r, const selection_case *said)
{
    const bool counted = r->problem.count_bytes > 0, refused = counted && said->count > r->problem.max_count;
    const uint64_t most = counted ? r->problem.max_count : said->count;
    const selection_case valid = {refused ? 0 : said->count, said->capacity, said->per_mille, said->initial,
                                  said->offset},
                         *test = &valid;
    const uint64_t capacity = test->capacity > 0 ? test->capacity : most;
    const uint64_t needed = write_case(r, test, capacity);
    const clscan_selection selection = {
        .struct_size = sizeof selection,
        .flags = {.buffer = flag_bytes(r) > 0 || has_bits(r) ? r->flags : NULL, .offset = test->offset},
        .capacity = test->capacity};
    const cl_mem count = counted ? test_count(r->live, said->count, r->problem.count_bytes) : NULL;
    clscan_run_args args = {.struct_size = sizeof args, .count = most, .selection = &selection};
    clscan_report report = {.struct_size = sizeof report};
    clscan_error error = {0};
    unsigned char totals[3 * MOST_BYTES];
    uint64_t total = 0;
    unsigned wrong = 0;

    memset(r->got, CANARY, room_bytes(r));
    memset(totals, CANARY, sizeof totals);
    test_write(r->live, r->out, r->got, room_bytes(r));
    test_write(r->live, r->total, totals, sizeof totals);
    args.in = (clscan_memory){.buffer = r->form->in_bytes > 0 ? r->in : NULL, .offset = test->offset};
    args.out = (clscan_memory){.buffer = r->out, .offset = test->offset};
    args.total = (clscan_memory){.buffer = r->total, .offset = 1};
    if (counted)
        args.device_count = (clscan_memory){.buffer = count, .offset = 1};
    if (test->initial > 0)
        args.initial = (clscan_memory){.kind = CLSCAN_MEMORY_HOST, .pointer = &test->initial};
    assert_status(CLSCAN_OK, clscan_run(r->plan, r->workspace, r->live->queue, &args, 0, NULL, NULL, &error), &error);
    test_read(r->live, r->out, room_bytes(r), r->got);
    test_read(r->live, r->total, sizeof totals, totals);
    memcpy(&total, totals + r->form->place_bytes, r->form->place_bytes);
    for (size_t i = 0; i < room_bytes(r); ++i)
        wrong += r->got[i] != r->expected[i];
    wrong += total != needed || totals[0] != CANARY || totals[2 * r->form->place_bytes] != CANARY;
    r->overflows += needed > capacity;
    assert_int_equal(clscan_workspace_report(r->workspace, r->live->queue, &report, NULL), CLSCAN_OK);
    r->refused += refused;
    r->recomputed = report.recomputed;
    wrong += report.overflows != r->overflows || report.failures != 0 || report.refused_counts != r->refused;
    if (counted)
        clReleaseMemObject(count);
    if (wrong > 0)
        print_error("%s: %llu elements, room for %llu from %llu: %u bytes differ; total %llu, not %llu; %u overflows, "
                    "not %u\n",
                    r->form->name, (unsigned long long)said->count, (unsigned long long)capacity,
                    (unsigned long long)test->initial, wrong, (unsigned long long)total, (unsigned long long)needed,
                    report.overflows, r->overflows);
    return wrong > 0;
}

/* Counts at the edges of tiles, by shares of kept elements, capacities and offsets that take turns. */
static unsigned run_counts(rig *r, uint64_t tile)
{
    const uint64_t counts[] = {0, 1, tile - 1, tile, tile + 1, 3 * tile + tile / 2 + 1, 7 * tile};
    static const uint32_t per_mille[] = {500, 1000, 10, 0};
    unsigned failures = 0;

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        selection_case test = {.count = counts[i], .per_mille = per_mille[i % 4], .offset = i % 2 == 0 ? MARGIN : 0};

        failures += run_case(r, &test);
        test.per_mille = 400;
        test.capacity = counts[i] / 3 + 1;
        failures += run_case(r, &test);
        test.initial = counts[i] / 9;
        test.capacity = counts[i];
        failures += run_case(r, &test);
    }
    return failures;
}

/* The count in device memory, of all that there is room for and more: each form with another variant. */
static void counts_on_the_device(void **state)
{
    const test_live *live = *state;
    test_variants list = test_representatives(CLSCAN_INT32, TEST_SMALL_WORK_GROUP, 4, &live->info);
    unsigned failures = 0;

    test_keep_new_axes(&list, TEST_EACH_VALUE);
    for (size_t i = 0, next = 0; i < FORMS; ++i) {
        clscan_problem problem = forms[i].problem;
        const clscan_variant *variant;
        unsigned failed;
        uint64_t tile;
        rig r;

        if (!test_takes(i, 8))
            continue;
        problem.max_count = 1;
        problem.count_bytes = i % 3 == 0 ? 8 : 4;
        variant = test_next_legal(&list, &next, &problem, 0, &live->info);
        assert_non_null(variant);
        tile = clscan_variant_tile_count(variant);
        set_up_counted(live, &forms[i], variant, 9 * tile + 3, problem.count_bytes, &r);
        failed = run_counts(&r, tile);
        failed += run_case(&r, &(selection_case){.count = 9 * tile + 3, .per_mille = 700});
        failed += run_case(&r, &(selection_case){.count = 9 * tile + 4, .per_mille = 700, .initial = 2});
        failed += run_case(&r, &(selection_case){.count = UINT32_MAX, .per_mille = 700, .capacity = 5});
        if (failed > 0)
            print_error("above: body %u, carry %u, order %u\n", variant->body, variant->carry, variant->order);
        failures += failed;
        tear_down(&r);
    }
    free(list.items);
    assert_int_equal(failures, 0);
}

static void every_form(void **state)
{
    unsigned failures = 0;

    for (size_t i = 0; i < FORMS; ++i) {
        rig r;

        set_up(*state, &forms[i], NULL, 3000, &r);
        failures += run_counts(&r, 300);
        tear_down(&r);
    }
    assert_int_equal(failures, 0);
}

static const form *form_at(size_t i)
{
    return &forms[i % 4 == 3 ? 8 : i % 4];
}

static const clscan_problem *problem_at(size_t i)
{
    return &form_at(i)->problem;
}

static unsigned run_variant(const test_live *live, const clscan_variant *variant, size_t i)
{
    const uint64_t tile = clscan_variant_tile_count(variant);
    unsigned failures;
    rig r;

    set_up(live, form_at(i), variant, 7 * tile, &r);
    failures = run_counts(&r, tile);
    tear_down(&r);
    return failures;
}

/* By flags: elements and flags are loaded as vectors. */
static void every_axis(void **state)
{
    test_every_axis(*state, 4, problem_at, run_variant);
}

/* The body for CPUs, whose rows are interleaved: what is not kept may go where the next element that is kept goes, but
 * not over the first one of the next row. */
static void interleaved_rows(void **state)
{
    const test_live *live = *state;
    const clscan_variant variant =
        parsed_variant("cached_rows+kogge_stone+adjacent+persistent work_group_size=1 vector_length=4 cached_pieces=16 "
                       "interleaved_rows=4 streaming_stores=0 work_groups_per_unit=1 tiles_per_work_group=1 "
                       "poll_delay=0");
    const uint64_t tile = clscan_variant_tile_count(&variant);
    clscan_problem problem = forms[0].problem;
    unsigned failures = 0;

    problem.max_count = 1;
    if (clscan_variant_check(&variant, &problem, 0, &live->info, NULL) != CLSCAN_OK)
        skip();
    for (size_t i = 0; i < FORMS; ++i) {
        rig r;

        /* Elements of each size are brought together by code of their own. */
        if (!test_thorough() && i != 0 && (i < NARROW || i >= BITS))
            continue;
        set_up(live, &forms[i], &variant, 7 * tile, &r);
        failures += run_counts(&r, tile);
        tear_down(&r);
    }
    assert_int_equal(failures, 0);
}

/* Narrow elements are held in words; as long as they stay bytes, GPUs of NVIDIA gather them four at a time. */
static void narrow_elements_in_words(void **state)
{
    static const char *const shapes[] = {"vector_length=4 register_pieces=5", "vector_length=8 register_pieces=2",
                                         "vector_length=16 register_pieces=3"};
    const test_live *live = *state;
    unsigned failures = 0;

    for (size_t i = 0; i < NARROWS * sizeof shapes / sizeof shapes[0]; ++i) {
        char text[160];
        rig r;

        snprintf(text, sizeof text, "subgroup_rows+subgroup+single work_group_size=64 local_pieces=0 %s",
                 shapes[i / NARROWS]);
        const clscan_variant variant = parsed_variant(text);
        const uint64_t tile = clscan_variant_tile_count(&variant);

        set_up(live, &forms[NARROW + i % NARROWS], &variant, 7 * tile, &r);
        failures += run_counts(&r, tile);
        tear_down(&r);
    }
    assert_int_equal(failures, 0);
}

/* Indices of long tiles leave a part in several turns if it keeps much; the room may end in front of any of them. */
static void parts_that_leave_in_turns(void **state)
{
    static const size_t indices[] = {2, 9, 11};
    const test_live *live = *state;
    const clscan_variant variant = parsed_variant(
        "subgroup_rows+subgroup+single work_group_size=64 vector_length=16 register_pieces=12 local_pieces=0");
    const uint64_t tile = clscan_variant_tile_count(&variant);
    unsigned failures = 0;

    for (size_t i = 0; i < sizeof indices / sizeof indices[0]; ++i) {
        rig r;

        set_up(live, &forms[indices[i]], &variant, 7 * tile, &r);
        for (uint64_t capacity = 1; capacity < 2 * tile; capacity += tile / 7)
            failures += run_case(&r, &(selection_case){.count = 2 * tile, .capacity = capacity, .per_mille = 1000});
        failures += run_counts(&r, tile);
        tear_down(&r);
    }
    assert_int_equal(failures, 0);
}

/* Maps see a half as a float, of which devices make one NaN like another. What is kept is its bits, held or loaded
 * again, whatever the text of a predicate defines. */
static void halves_keep_their_bits(void **state)
{
    enum { HALVES = 1 << 16, TEXTS = 4, PROBLEMS = 4 };
    static const clscan_map every = {
        .struct_size = sizeof every, .source = "#define EVERY 1", .expression = "element != 0 || EVERY"};
    static const clscan_map given = {.struct_size = sizeof given, .expression = "element"};
    static const clscan_select lengths_too = {.struct_size = sizeof lengths_too, .length_bytes = 4};
    static const char *const texts[TEXTS] = {
        NULL, "subgroup_rows+subgroup+single work_group_size=64 vector_length=8 register_pieces=2 local_pieces=0",
        "subgroup_rows+subgroup+single work_group_size=64 vector_length=1 register_pieces=3 local_pieces=0",
        "strided+kogge_stone+single work_group_size=32 vector_length=4 register_pieces=1 local_pieces=1"};
    const clscan_problem problems[PROBLEMS] = {
        SELECT(.type = CLSCAN_HALF, .max_count = HALVES, .load = &every),
        SELECT(.type = CLSCAN_HALF, .max_count = HALVES, .load = &every, .store = &given),
        SELECT(.type = CLSCAN_HALF, .max_count = HALVES, .load = &begins),
        SELECT(.type = CLSCAN_HALF, .max_count = HALVES, .load = &begins, .select = &lengths_too)};
    const test_live *live = *state;
    static uint16_t input[HALVES], got[HALVES];
    cl_mem in, total, lengths;

    for (unsigned i = 0; i < HALVES; ++i)
        input[i] = (uint16_t)i;
    in = test_buffer(live, CL_MEM_READ_ONLY, sizeof input, input);
    total = test_buffer(live, CL_MEM_READ_WRITE, sizeof(uint32_t), NULL);
    lengths = test_buffer(live, CL_MEM_READ_WRITE, HALVES * sizeof(uint32_t), NULL);
    for (size_t i = 0; i < TEXTS * PROBLEMS; ++i) {
        const clscan_problem *problem = &problems[i % PROBLEMS];
        const char *text = texts[i / PROBLEMS];
        const clscan_variant variant = parsed_variant(text != NULL ? text : texts[1]);
        const clscan_plan_options options = {.struct_size = sizeof options, .variant = text != NULL ? &variant : NULL};
        const cl_mem out = test_buffer(live, CL_MEM_WRITE_ONLY, sizeof got, NULL);
        const clscan_selection selection = {.struct_size = sizeof selection,
                                            .lengths.buffer = problem->select != NULL ? lengths : NULL};
        const clscan_run_args args = {.struct_size = sizeof args,
                                      .in.buffer = in,
                                      .out.buffer = out,
                                      .count = HALVES,
                                      .total.buffer = total,
                                      .selection = &selection};
        clscan_plan *plan;
        clscan_workspace *workspace;
        clscan_error error = {0};

        test_plan_create(live, problem, &options, &plan, &workspace);
        assert_status(CLSCAN_OK, clscan_run(plan, workspace, live->queue, &args, 0, NULL, NULL, &error), &error);
        test_read(live, out, sizeof got, got);
        assert_memory_equal(got, input, sizeof got);
        clscan_workspace_destroy(workspace);
        clscan_plan_destroy(plan);
        assert_cl(clReleaseMemObject(out));
    }
    assert_cl(clReleaseMemObject(in));
    assert_cl(clReleaseMemObject(total));
    assert_cl(clReleaseMemObject(lengths));
}

static unsigned run_spent_waits(const test_live *live, const clscan_plan_options *options, unsigned *recomputed)
{
    enum { TILES = 24, REPEATS = 20 };
    static const uint32_t per_mille[] = {500, 1000, 940, 0, 3};
    const uint64_t tile = clscan_variant_tile_count(options->variant);
    unsigned failures = 0;
    rig r;

    set_up_by(live, &forms[0], options, TILES * tile, 0, &r);
    for (unsigned repeat = 0; repeat < REPEATS; ++repeat) {
        const uint64_t count = TILES * tile - repeat;

        failures += run_case(&r, &(selection_case){.count = count,
                                                   .capacity = repeat % 4 == 3 ? count / 3 : 0,
                                                   .per_mille = per_mille[repeat % 5],
                                                   .initial = repeat % 3 == 2 ? 7 : 0});
    }
    *recomputed += r.recomputed;
    tear_down(&r);
    return failures;
}

/* Who waited in vain counts what is kept of the tiles in front, by their flags. */
static void after_spent_waits(void **state)
{
    test_spent_waits(*state, &forms[0].problem, run_spent_waits);
}

/* The number of what is kept cannot begin anew at 0 and go where something stands: so late a place, given by the host,
 * is refused, and one in device memory leaves no room. */
static void places_never_begin_anew(void **state)
{
    enum { COUNT = 16 };
    static const clscan_map every = {.struct_size = sizeof every, .expression = "1"};
    const test_live *live = *state;
    int32_t input[COUNT], canaries[COUNT], got[COUNT];

    for (int i = 0; i < COUNT; ++i) {
        input[i] = i;
        canaries[i] = 77;
    }
    for (unsigned turn = 0; turn < 8; ++turn) {
        const bool wide = turn & 1, in_buffer = turn & 2, last = turn & 4;
        const size_t bytes = wide ? sizeof(uint64_t) : sizeof(uint32_t);
        const uint64_t most = wide ? UINT64_MAX : UINT32_MAX, first = most - (last ? COUNT : COUNT / 2);
        const uint32_t narrow = (uint32_t)first;
        const void *initial = wide ? (const void *)&first : &narrow;
        const clscan_problem problem =
            SELECT(.type = CLSCAN_INT32, .max_count = COUNT, .load = &every, .accumulator = wide ? &uint64 : NULL);
        const cl_mem in = test_buffer(live, CL_MEM_READ_ONLY, sizeof input, input),
                     out = test_buffer(live, CL_MEM_READ_WRITE, sizeof canaries, canaries),
                     total = test_buffer(live, CL_MEM_READ_WRITE, sizeof(uint64_t), NULL),
                     begin = test_buffer(live, CL_MEM_READ_ONLY, bytes, initial);
        const clscan_selection selection = {.struct_size = sizeof selection, .capacity = COUNT};
        const clscan_run_args args = {
            .struct_size = sizeof args,
            .in.buffer = in,
            .out.buffer = out,
            .count = COUNT,
            .total.buffer = total,
            .initial = in_buffer ? (clscan_memory){.buffer = begin}
                                 : (clscan_memory){.kind = CLSCAN_MEMORY_HOST, .pointer = (void *)(uintptr_t)initial},
            .selection = &selection};
        const bool refused = !in_buffer && !last;
        uint64_t needed = 0;
        clscan_plan *plan;
        clscan_workspace *workspace;
        clscan_error error = {0};

        test_plan_create(live, &problem, NULL, &plan, &workspace);
        assert_status(refused ? CLSCAN_ERROR_INVALID_VALUE : CLSCAN_OK,
                      clscan_run(plan, workspace, live->queue, &args, 0, NULL, NULL, &error), &error);
        if (refused)
            assert_non_null(strstr(error.message, "args->initial"));
        test_read(live, out, sizeof got, got);
        assert_memory_equal(got, canaries, sizeof got);
        if (!refused) {
            clscan_report report = {.struct_size = sizeof report};

            test_read(live, total, bytes, &needed);
            assert_true((wide ? needed : (uint32_t)needed) == most);
            assert_status(CLSCAN_OK, clscan_workspace_report(workspace, live->queue, &report, &error), &error);
            assert_int_equal(report.overflows, 0); /* of runs that begin in front of the capacity alone */
        }
        if (in_buffer && !wide) {
            const clscan_selection large = {.struct_size = sizeof large, .capacity = UINT32_MAX};
            clscan_run_args beyond = args;

            beyond.selection = &large;
            assert_status(CLSCAN_ERROR_INVALID_VALUE,
                          clscan_run(plan, workspace, live->queue, &beyond, 0, NULL, NULL, &error), &error);
            assert_non_null(strstr(error.message, "capacity"));
        }
        clscan_workspace_destroy(workspace);
        clscan_plan_destroy(plan);
        clReleaseMemObject(in);
        clReleaseMemObject(out);
        clReleaseMemObject(total);
        clReleaseMemObject(begin);
    }
}

/* Problems that say nothing, too much, or what a selection does not have. */
static void impossible_problems(void **state)
{
    static const clscan_map broken = {.struct_size = sizeof broken, .expression = "1 +\nelement.x"};
    static const clscan_map first = {.struct_size = sizeof first, .expression = "element.a > 0"};
    static const clscan_element number = {.struct_size = sizeof number, .type = CLSCAN_INT32};
    static const clscan_select odd = {.struct_size = sizeof odd, .flag_bytes = 3};
    static const clscan_select both = {.struct_size = sizeof both, .flag_bytes = 1, .flag_bits = 1};
    static const clscan_select bits_of_two = {.struct_size = sizeof bits_of_two, .flag_bits = 2};
    static const clscan_select twice = {.struct_size = sizeof twice, .rejected = 2};
    static const clscan_rows rows = {.struct_size = sizeof rows, .count = 4};
    const test_live *live = *state;
    const struct {
        clscan_problem problem;
        clscan_status status;
        const char *words;
    } cases[] = {
        {SELECT(.type = CLSCAN_INT32, .op = CLSCAN_MAX), CLSCAN_ERROR_INVALID_VALUE, "problem->op"},
        {SELECT(.type = CLSCAN_INT32, .form = CLSCAN_EXCLUSIVE), CLSCAN_ERROR_INVALID_VALUE, "problem->form"},
        {SELECT(.type = CLSCAN_INT32, .direction = CLSCAN_REVERSE), CLSCAN_ERROR_INVALID_VALUE, "problem->direction"},
        {SELECT(.type = CLSCAN_INT32, .reproducible = 1), CLSCAN_ERROR_INVALID_VALUE, "problem->reproducible"},
        {SELECT(.type = CLSCAN_INT32, .rows = &rows), CLSCAN_ERROR_INVALID_VALUE, "problem->rows"},
        {SELECT(.type = CLSCAN_INT32, .select = &odd), CLSCAN_ERROR_INVALID_VALUE, "flag_bytes is 3"},
        {SELECT(.type = CLSCAN_INT32, .select = &both), CLSCAN_ERROR_INVALID_VALUE, "flag_bits"},
        {SELECT(.type = CLSCAN_INT32, .select = &twice), CLSCAN_ERROR_INVALID_VALUE, "rejected is 2"},
        {SELECT(.type = CLSCAN_INT32, .select = &bits_of_two), CLSCAN_ERROR_INVALID_VALUE, "flag_bits is 2"},
        {SELECT(.type = CLSCAN_INT32, .accumulator = &pair), CLSCAN_ERROR_UNSUPPORTED_TYPE, "problem->accumulator"},
        {SELECT(.element = &pair), CLSCAN_ERROR_INVALID_VALUE, "problem->load"},
        {SELECT(.element = &pair, .output = &number, .load = &first), CLSCAN_ERROR_UNSUPPORTED_TYPE,
         "problem->output is int32, which pair becomes by problem->store only"},
        {SELECT(.type = CLSCAN_INT32, .output = &pair), CLSCAN_ERROR_UNSUPPORTED_TYPE, "problem->output is pair"},
        {SELECT(.type = CLSCAN_FLOAT, .output = &number), CLSCAN_ERROR_UNSUPPORTED_TYPE,
         "problem->output is int32, an integer, which float does not become"},
        {SELECT(.type = CLSCAN_INT32, .load = &broken), CLSCAN_ERROR_MAP_SOURCE, "problem->load"},
        {{.struct_size = sizeof(clscan_problem), .type = CLSCAN_INT32, .select = &flags_of[0]},
         CLSCAN_ERROR_INVALID_VALUE,
         "problem->select is set, but problem->operation is scan"},
    };
    unsigned failures = 0;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        clscan_problem problem = cases[i].problem;
        clscan_plan *plan = NULL;
        clscan_error error = {0};
        clscan_status status;

        problem.max_count = 100;
        status = clscan_plan_create(live->context, live->device, &problem, NULL, &plan, &error);
        /* A predicate that does not compile need not have the type of places. */
        if (status == cases[i].status && strstr(error.message, cases[i].words) != NULL &&
            (status != CLSCAN_ERROR_MAP_SOURCE || strstr(error.message, "uint") == NULL))
            continue;
        print_error("case %zu: %s: %s\n", i, clscan_status_name(status), error.message);
        ++failures;
        clscan_plan_destroy(plan);
    }
    assert_int_equal(failures, 0);
}

/* Buffers that are missing, too small, or in each other's way. */
static void what_a_run_gives_is_checked(void **state)
{
    enum { COUNT = 100, ROOM = COUNT * 4 };
    rig r;
    clscan_error error = {0};
    unsigned failures = 0;

    set_up(*state, &forms[0], NULL, COUNT, &r);
    {
        const cl_mem small = test_buffer(r.live, CL_MEM_READ_WRITE, COUNT - 1, NULL),
                     both = test_buffer(r.live, CL_MEM_READ_WRITE, ROOM, NULL);
        const clscan_memory in = {.buffer = r.in}, out = {.buffer = r.out}, flags = {.buffer = r.flags},
                            total = {.buffer = r.total}, shared = {.buffer = both}, none = {.buffer = NULL};
        const struct {
            clscan_memory in, out, flags, total;
            uint64_t capacity;
            clscan_status status;
            const char *words;
        } cases[] = {
            {in, out, flags, total, 0, CLSCAN_OK, ""},
            {in, out, none, total, 0, CLSCAN_ERROR_NULL_ARGUMENT, "selection->flags"},
            {in, out, {.buffer = small}, total, 0, CLSCAN_ERROR_BUFFER_TOO_SMALL, "selection->flags"},
            {in, out, flags, none, 0, CLSCAN_ERROR_NULL_ARGUMENT, "args->total"},
            {in, {.buffer = small}, flags, total, 0, CLSCAN_ERROR_BUFFER_TOO_SMALL, "args->out"},
            {in, {.buffer = small}, flags, total, COUNT / 4 - 1, CLSCAN_OK, ""},
            {in, {.buffer = small}, flags, total, COUNT / 4, CLSCAN_ERROR_BUFFER_TOO_SMALL, "args->out"},
            {in, shared, shared, total, 0, CLSCAN_ERROR_OVERLAP, "selection->flags"},
            {shared, shared, flags, total, 0, CLSCAN_ERROR_OVERLAP, "args->in"},
            {shared, out, shared, total, 0, CLSCAN_OK, ""},
            {in, out, shared, shared, 0, CLSCAN_ERROR_OVERLAP, "args->total"},
        };
        const clscan_selection whole = {.struct_size = sizeof whole, .flags = flags};
        const clscan_run_args part = {.struct_size = sizeof part,
                                      .in = in,
                                      .out = out,
                                      .total = total,
                                      .count = COUNT,
                                      .state = shared,
                                      .selection = &whole};

        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
            const clscan_selection selection = {
                .struct_size = sizeof selection, .flags = cases[i].flags, .capacity = cases[i].capacity};
            const clscan_run_args args = {.struct_size = sizeof args,
                                          .in = cases[i].in,
                                          .out = cases[i].out,
                                          .total = cases[i].total,
                                          .count = COUNT,
                                          .selection = &selection};
            const clscan_status status = clscan_run(r.plan, r.workspace, r.live->queue, &args, 0, NULL, NULL, &error);

            if (status == cases[i].status && (status == CLSCAN_OK || strstr(error.message, cases[i].words) != NULL))
                continue;
            print_error("case %zu: %s: %s\n", i, clscan_status_name(status), error.message);
            ++failures;
        }
        assert_status(CLSCAN_ERROR_INVALID_VALUE,
                      clscan_run(r.plan, r.workspace, r.live->queue, &part, 0, NULL, NULL, &error), &error);
        assert_non_null(strstr(error.message, "args->state"));
        assert_non_null(strstr(error.message, "reproducible"));
        assert_cl(clFinish(r.live->queue));
        clReleaseMemObject(small);
        clReleaseMemObject(both);
    }
    tear_down(&r);
    assert_int_equal(failures, 0);
}

/* The last byte of bits counts as a whole one. */
static void bits_of_a_run_are_checked(void **state)
{
    enum { COUNT = 100, BYTES = 13 };
    rig r;
    clscan_error error = {0};

    set_up(*state, &forms[BITS], NULL, COUNT, &r);
    {
        const cl_mem least = test_buffer(r.live, CL_MEM_READ_WRITE, BYTES, NULL),
                     short_by_one = test_buffer(r.live, CL_MEM_READ_WRITE, BYTES - 1, NULL);
        clscan_selection selection = {.struct_size = sizeof selection, .flags = {.buffer = least}};
        const clscan_run_args args = {.struct_size = sizeof args,
                                      .in.buffer = r.in,
                                      .out.buffer = r.out,
                                      .total.buffer = r.total,
                                      .count = COUNT,
                                      .selection = &selection};

        assert_status(CLSCAN_OK, clscan_run(r.plan, r.workspace, r.live->queue, &args, 0, NULL, NULL, &error), &error);
        selection.flags.buffer = short_by_one;
        assert_status(CLSCAN_ERROR_BUFFER_TOO_SMALL,
                      clscan_run(r.plan, r.workspace, r.live->queue, &args, 0, NULL, NULL, &error), &error);
        assert_non_null(strstr(error.message, "selection->flags"));
        selection.flags.buffer = NULL;
        assert_status(CLSCAN_ERROR_NULL_ARGUMENT,
                      clscan_run(r.plan, r.workspace, r.live->queue, &args, 0, NULL, NULL, &error), &error);
        assert_cl(clFinish(r.live->queue));
        clReleaseMemObject(least);
        clReleaseMemObject(short_by_one);
    }
    tear_down(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form),
        cmocka_unit_test(every_axis),
        cmocka_unit_test(counts_on_the_device),
        cmocka_unit_test(interleaved_rows),
        cmocka_unit_test(narrow_elements_in_words),
        cmocka_unit_test(halves_keep_their_bits),
        cmocka_unit_test(parts_that_leave_in_turns),
        cmocka_unit_test(after_spent_waits),
        cmocka_unit_test(places_never_begin_anew),
        cmocka_unit_test(impossible_problems),
        cmocka_unit_test(what_a_run_gives_is_checked),
        cmocka_unit_test(bits_of_a_run_are_checked),
    };
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
