#include "variant_sets.h"
#include "problem_of.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generate.h"

/* One dimension of the space: where it lives in clscan_variant, and the values that are tried. A
 * value of 0 stands for "not needed" where a parameter depends on body or carry. */
typedef struct factor {
    size_t offset;
    const uint32_t *values;
    size_t value_count;
} factor;

#define X(name, text, ...) CLSCAN_BODY_##name,
static const uint32_t bodies[] = {CLSCAN_BODY_LIST(X)};
#undef X
#define X(name, text, ...) CLSCAN_GROUP_SCAN_##name,
static const uint32_t group_scans[] = {CLSCAN_GROUP_SCAN_LIST(X)};
#undef X
#define X(name, text, ...) CLSCAN_CARRY_##name,
static const uint32_t carries[] = {CLSCAN_CARRY_LIST(X)};
#undef X
#define X(name, text, ...) CLSCAN_ORDER_##name,
static const uint32_t orders[] = {CLSCAN_ORDER_LIST(X)};
#undef X
static const uint32_t work_group_sizes[] = {1, 2, 8, 64, 96, 256, 512, 1024};
static const uint32_t vector_lengths[] = {1, 2, 4, 8, 16};
static const uint32_t register_pieces[] = {0, 1, 2, 5};
static const uint32_t local_pieces[] = {0, 1, 2};
static const uint32_t thread_group_sizes[] = {0, 8, 16, 32, 64};
static const uint32_t cached_pieces[] = {0, 1, 4, 64};
static const uint32_t interleaved_rows[] = {0, 1, 2, 4, 8};
static const uint32_t streaming_stores[] = {0, 1};
static const uint32_t work_groups_per_unit[] = {0, 1, 4};
static const uint32_t tiles_per_work_group[] = {0, 1, 2, 8};
static const uint32_t poll_delay[] = {0, 16};
static const uint32_t landing_zones[] = {0, 1};

#define FACTOR(field, values)                                                   \
    {                                                                           \
        offsetof(clscan_variant, field), values, sizeof values / sizeof *values \
    }
static const factor factors[] = {
    FACTOR(body, bodies),
    FACTOR(group_scan, group_scans),
    FACTOR(carry, carries),
    FACTOR(order, orders),
    FACTOR(work_group_size, work_group_sizes),
    FACTOR(vector_length, vector_lengths),
    FACTOR(register_pieces, register_pieces),
    FACTOR(local_pieces, local_pieces),
    FACTOR(thread_group_size, thread_group_sizes),
    FACTOR(cached_pieces, cached_pieces),
    FACTOR(interleaved_rows, interleaved_rows),
    FACTOR(streaming_stores, streaming_stores),
    FACTOR(work_groups_per_unit, work_groups_per_unit),
    FACTOR(tiles_per_work_group, tiles_per_work_group),
    FACTOR(poll_delay, poll_delay),
    FACTOR(landing_zones, landing_zones),
};
enum { FACTOR_COUNT = sizeof factors / sizeof factors[0], VALUES_MAX = 16 };

/* A point of the space by value numbers. */
typedef struct row {
    uint8_t value[FACTOR_COUNT];
} row;

/* seen[i][a][j][b]: value a of factor i occurs with value b of factor j; i < j, or i == j and a == b. */
typedef struct pair_set {
    uint8_t seen[FACTOR_COUNT][VALUES_MAX][FACTOR_COUNT][VALUES_MAX];
} pair_set;

bool test_variant_waits(const clscan_variant *variant)
{
    return variant->carry == CLSCAN_CARRY_ADJACENT || variant->carry == CLSCAN_CARRY_LOOKBACK ||
           variant->carry == CLSCAN_CARRY_LOOKAHEAD || variant->carry == CLSCAN_CARRY_ALL_TOTALS;
}

const clscan_variant *test_next_legal(const test_variants *list, size_t *next, const clscan_problem *problem,
                                      int may_be_in_place, const clscan_device_info *device)
{
    for (size_t tries = 0; tries < list->count; ++tries) {
        const clscan_variant *variant = &list->items[(*next)++ % list->count];

        if (clscan_variant_check(variant, problem, 0, device, NULL) == CLSCAN_OK &&
            (!may_be_in_place || clscan_variant_check(variant, problem, 1, device, NULL) == CLSCAN_OK))
            return variant;
    }
    return NULL;
}

size_t test_pair_factor_count(void)
{
    return FACTOR_COUNT;
}

static void set_field(clscan_variant *variant, size_t offset, uint32_t value)
{
    memcpy((char *)variant + offset, &value, sizeof value);
}

static uint32_t get_field(const clscan_variant *variant, size_t offset)
{
    uint32_t value;
    memcpy(&value, (const char *)variant + offset, sizeof value);
    return value;
}

static clscan_variant variant_of(const row *point)
{
    clscan_variant variant = {0};
    for (size_t i = 0; i < FACTOR_COUNT; ++i)
        set_field(&variant, factors[i].offset, factors[i].values[point->value[i]]);
    return variant;
}

static int is_legal(const clscan_variant *variant, clscan_type type, const clscan_device_info *device,
                    uint64_t largest_tile)
{
    return clscan_variant_check(variant, PROBLEM_OF(type, CLSCAN_ADD), 0, device, NULL) == CLSCAN_OK &&
           (largest_tile == 0 || clscan_variant_tile_count(variant) <= largest_tile);
}

/* Out of memory ends a test program: there is nothing sensible to go on with. */
static void *grow(void *items, size_t count, size_t size)
{
    void *grown = realloc(items, count * size);
    if (grown == NULL) {
        fprintf(stderr, "host memory ran out\n");
        abort();
    }
    return grown;
}

static void append(test_variants *list, const clscan_variant *variant)
{
    list->items = grow(list->items, list->count + 1, sizeof *list->items);
    list->items[list->count++] = *variant;
}

#define X(name, ...) offsetof(clscan_variant, name),
static const size_t param_offsets[] = {CLSCAN_PARAM_LIST(X)};
#undef X

/* Is the factor a parameter that the variant's body, carry and order do not use? Then only 0 is legal. */
static int is_unused(const clscan_variant *variant, size_t index)
{
    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i)
        if (param_offsets[i] == factors[index].offset)
            return !clscan_variant_needs(variant, (clscan_param)i);
    return 0;
}

/* Every legal point, by counting through the space like an odometer. The axes stand first and turn slowest, so the
 * parameters that they do not use need not turn. */
static row *legal_rows(clscan_type type, const clscan_device_info *device, uint64_t largest_tile, size_t *count)
{
    row *rows = NULL;
    size_t capacity = 0;
    row point = {{0}};
    int more = 1;

    *count = 0;
    while (more) {
        const clscan_variant variant = variant_of(&point);
        if (is_legal(&variant, type, device, largest_tile)) {
            if (*count == capacity) {
                capacity = capacity == 0 ? 4096 : 2 * capacity;
                rows = grow(rows, capacity, sizeof *rows);
            }
            rows[(*count)++] = point;
        }
        more = 0;
        for (size_t digit = FACTOR_COUNT; digit-- > 0 && !more;) {
            if (is_unused(&variant, digit))
                continue;
            more = ++point.value[digit] < factors[digit].value_count;
            if (!more)
                point.value[digit] = 0;
        }
    }
    return rows;
}

/* A factor's value goes with itself, or with those of the factors from here to the end. */
static size_t first_partner(size_t i, test_coverage coverage)
{
    return coverage == TEST_EACH_VALUE ? i : i + 1;
}

static size_t end_of_partners(size_t i, test_coverage coverage)
{
    return coverage == TEST_EACH_VALUE ? i + 1 : FACTOR_COUNT;
}

static size_t fresh_pairs(const pair_set *set, const row *point, test_coverage coverage)
{
    size_t fresh = 0;
    for (size_t i = 0; i < FACTOR_COUNT; ++i)
        for (size_t j = first_partner(i, coverage); j < end_of_partners(i, coverage); ++j)
            fresh += !set->seen[i][point->value[i]][j][point->value[j]];
    return fresh;
}

/* What a variant costs to compile: a start, and a part that grows with what each work-item keeps in
 * registers, since those loops are unrolled. Seen on PoCL: half a second, and 50 s for 5 pieces of 64. */
static double cost(const clscan_variant *variant)
{
    const uint32_t width = variant->thread_group_size > 0 ? variant->thread_group_size : variant->vector_length;
    const double unrolled = (double)variant->register_pieces * width / 64.0;
    return 1.0 + 2.0 * unrolled * unrolled;
}

/* Random points beyond this would make the length of a run a matter of luck. */
#define COST_MAX 10.0

static void mark_pairs(pair_set *set, const row *point, test_coverage coverage)
{
    for (size_t i = 0; i < FACTOR_COUNT; ++i)
        for (size_t j = first_partner(i, coverage); j < end_of_partners(i, coverage); ++j)
            set->seen[i][point->value[i]][j][point->value[j]] = 1;
}

static size_t count_pairs(const pair_set *set)
{
    size_t count = 0;
    const uint8_t *const flat = &set->seen[0][0][0][0];
    for (size_t i = 0; i < sizeof set->seen; ++i)
        count += flat[i];
    return count;
}

test_variants test_covering_variants(clscan_type type, const clscan_device_info *device, uint64_t largest_tile,
                                     test_coverage coverage, size_t *possible_count)
{
    test_variants list = {0};
    pair_set *covered = grow(NULL, 1, sizeof *covered);
    pair_set *possible = grow(NULL, 1, sizeof *possible);
    size_t row_count;
    row *rows = legal_rows(type, device, largest_tile, &row_count);
    double *costs = grow(NULL, row_count + 1, sizeof *costs);

    for (size_t f = 0; f < FACTOR_COUNT; ++f)
        if (factors[f].value_count > VALUES_MAX) {
            fprintf(stderr, "variant_sets.c: a factor has more than VALUES_MAX values\n");
            abort();
        }
    memset(covered, 0, sizeof *covered);
    memset(possible, 0, sizeof *possible);
    for (size_t i = 0; i < row_count; ++i) {
        const clscan_variant variant = variant_of(&rows[i]);
        mark_pairs(possible, &rows[i], coverage);
        costs[i] = cost(&variant);
    }
    for (;;) {
        size_t best = 0;
        double best_gain = 0.0;
        for (size_t i = 0; i < row_count; ++i) {
            const double gain = (double)fresh_pairs(covered, &rows[i], coverage) / costs[i];
            if (gain > best_gain) {
                best = i;
                best_gain = gain;
            }
        }
        if (best_gain <= 0.0)
            break;
        mark_pairs(covered, &rows[best], coverage);
        const clscan_variant variant = variant_of(&rows[best]);
        append(&list, &variant);
    }
    if (possible_count != NULL)
        *possible_count = count_pairs(possible);
    free(costs);
    free(rows);
    free(possible);
    free(covered);
    return list;
}

size_t test_covered(const test_variants *variants, test_coverage coverage)
{
    pair_set *covered = grow(NULL, 1, sizeof *covered);
    size_t count;

    memset(covered, 0, sizeof *covered);
    for (size_t i = 0; i < variants->count; ++i) {
        row point = {{0}};
        for (size_t f = 0; f < FACTOR_COUNT; ++f)
            while (factors[f].values[point.value[f]] != get_field(&variants->items[i], factors[f].offset))
                ++point.value[f];
        mark_pairs(covered, &point, coverage);
    }
    count = count_pairs(covered);
    free(covered);
    return count;
}

test_variants test_random_variants(clscan_type type, const clscan_device_info *device, uint64_t seed, size_t count,
                                   uint64_t largest_tile)
{
    test_variants list = {0};

    /* Legal points are common enough that the bound is never met. */
    for (uint64_t attempt = 0; list.count < count && attempt < 1000000; ++attempt) {
        uint64_t draw = 32 * attempt;
        clscan_variant variant = {0};
#define RANDOM(below) ((uint32_t)(clscan_generate_bits(seed, draw++) % (below)))
        variant.body = RANDOM(CLSCAN_BODY_COUNT);
        variant.group_scan = RANDOM(CLSCAN_GROUP_SCAN_COUNT);
        variant.carry = RANDOM(CLSCAN_CARRY_COUNT);
        variant.order = RANDOM(CLSCAN_ORDER_COUNT);
        variant.work_group_size = 1u << RANDOM(11);
        if (RANDOM(4) == 0 && variant.work_group_size <= 256)
            variant.work_group_size *= 3;
        variant.vector_length = 1u << RANDOM(5);
        if (clscan_variant_needs(&variant, CLSCAN_PARAM_register_pieces))
            variant.register_pieces = RANDOM(10);
        if (clscan_variant_needs(&variant, CLSCAN_PARAM_local_pieces))
            variant.local_pieces = RANDOM(6);
        if (clscan_variant_needs(&variant, CLSCAN_PARAM_cached_pieces)) {
            variant.cached_pieces = 1u << RANDOM(8);
            variant.work_group_size = 1; /* the only legal one */
        }
        if (clscan_variant_needs(&variant, CLSCAN_PARAM_interleaved_rows))
            variant.interleaved_rows = 1u << RANDOM(4);
        if (clscan_variant_needs(&variant, CLSCAN_PARAM_streaming_stores))
            variant.streaming_stores = RANDOM(2);
        if (clscan_variant_needs(&variant, CLSCAN_PARAM_thread_group_size))
            variant.thread_group_size = 8u << RANDOM(4);
        if (clscan_variant_needs(&variant, CLSCAN_PARAM_work_groups_per_unit))
            variant.work_groups_per_unit = 1 + RANDOM(8);
        if (clscan_variant_needs(&variant, CLSCAN_PARAM_tiles_per_work_group))
            variant.tiles_per_work_group = 1u << RANDOM(4);
        if (clscan_variant_needs(&variant, CLSCAN_PARAM_poll_delay))
            variant.poll_delay = RANDOM(32);
        if (clscan_variant_needs(&variant, CLSCAN_PARAM_landing_zones))
            variant.landing_zones = RANDOM(2);
        if (variant.body == CLSCAN_BODY_SUBGROUP_ROWS)
            variant.local_pieces = 0;
#undef RANDOM
        if (cost(&variant) <= COST_MAX && is_legal(&variant, type, device, largest_tile))
            append(&list, &variant);
    }
    return list;
}

test_variants test_representatives(clscan_type type, uint32_t work_group_size, uint32_t vector_length,
                                   const clscan_device_info *device)
{
    test_variants list = {0};

    for (uint32_t body = 0; body < CLSCAN_BODY_COUNT; ++body)
        for (uint32_t scan = 0; scan < CLSCAN_GROUP_SCAN_COUNT; ++scan)
            for (uint32_t carry = 0; carry < CLSCAN_CARRY_COUNT; ++carry)
                for (uint32_t order = 0; order < CLSCAN_ORDER_COUNT; ++order)
                    for (uint32_t tiles = 1; tiles <= 2; ++tiles) {
                        clscan_variant variant = {.body = body,
                                                  .group_scan = scan,
                                                  .carry = carry,
                                                  .order = order,
                                                  .work_group_size = work_group_size,
                                                  .vector_length = vector_length};
                        if (clscan_variant_needs(&variant, CLSCAN_PARAM_register_pieces))
                            variant.register_pieces = variant.local_pieces = 1;
                        if (clscan_variant_needs(&variant, CLSCAN_PARAM_cached_pieces)) {
                            variant.cached_pieces = variant.interleaved_rows = 2;
                            variant.work_group_size = 1; /* the only legal one */
                        }
                        if (body == CLSCAN_BODY_SUBGROUP_ROWS) {
                            variant.register_pieces = 2;
                            variant.local_pieces = 0;
                        }
                        if (clscan_variant_needs(&variant, CLSCAN_PARAM_thread_group_size))
                            variant.thread_group_size = 8;
                        if (clscan_variant_needs(&variant, CLSCAN_PARAM_work_groups_per_unit))
                            variant.work_groups_per_unit = 2;
                        if (clscan_variant_needs(&variant, CLSCAN_PARAM_tiles_per_work_group))
                            variant.tiles_per_work_group = tiles;
                        else if (tiles > 1)
                            continue;
                        /* Two of the orders, or of the eight pairs of order and length of range; the others with other
                         * bodies and scans, since kernels that wait take seconds to compile for a CPU. */
                        if (variant.tiles_per_work_group > 0 && (2 * order + tiles) % 4 != (body + scan) % 4)
                            continue;
                        if (carry == CLSCAN_CARRY_LOOKBACK && (order + body + scan) % 2 != 0)
                            continue;
                        if (is_legal(&variant, type, device, 0))
                            append(&list, &variant);
                    }
    return list;
}

/* What was seen of the axes. Where each value will do, it stands in the first place for all of the other axis. */
typedef struct seen_axes {
    char bodies[CLSCAN_BODY_COUNT];
    char carries[CLSCAN_CARRY_COUNT][CLSCAN_BODY_COUNT];
    char orders[CLSCAN_ORDER_COUNT][CLSCAN_CARRY_COUNT + CLSCAN_BODY_COUNT];
    char scans[CLSCAN_GROUP_SCAN_COUNT][CLSCAN_CARRY_COUNT + CLSCAN_BODY_COUNT];
} seen_axes;

static int is_new(seen_axes *seen, const clscan_variant *variant, test_coverage coverage)
{
    const size_t body = coverage == TEST_EACH_PAIR ? variant->body : 0;
    const size_t carry = coverage == TEST_EACH_PAIR ? variant->carry : 0;
    char *const marks[] = {&seen->bodies[variant->body],
                           &seen->carries[variant->carry][body],
                           &seen->orders[variant->order][carry],
                           &seen->orders[variant->order][CLSCAN_CARRY_COUNT + body],
                           &seen->scans[variant->group_scan][carry],
                           &seen->scans[variant->group_scan][CLSCAN_CARRY_COUNT + body]};
    int fresh = 0;

    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; ++i) {
        fresh = fresh || *marks[i] == 0;
        *marks[i] = 1;
    }
    return fresh;
}

void test_keep_new_axes(test_variants *list, test_coverage coverage)
{
    seen_axes seen;
    size_t kept = 0;

    memset(&seen, 0, sizeof seen);
    for (size_t i = 0; i < list->count; ++i)
        if (is_new(&seen, &list->items[i], coverage))
            list->items[kept++] = list->items[i];
    list->count = kept;
}
