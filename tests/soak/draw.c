#include "draw.h"

#include <stdlib.h>
#include <string.h>

#include "variant_sets.h"

enum {
    LARGEST_TILE = 1 << 15,
    COMMON_COUNT = 1 << 14, /* most counts are below this, some up to the largest one */
    LARGEST_COUNT = 1 << 20,
    MOST_TILES = 4096,    /* launches of more tiny work-groups take longer than they tell */
    MOST_HELD_TILES = 12, /* where one thread runs all work-groups, each held one takes milliseconds */
    ROWS_EVERY = 4,       /* plans with the same programs have rows */
    MOST_ROWS = 4096,
    PLAN_ELEMENTS = 1 << 23, /* of all runs of a plan, about; long scans have their turn, but do not rule the time */
    HELD_COST = 8,           /* an owner that is held back in place takes time, so such plans have fewer runs */
    VARIANT_DRAWS = 50
};

/* A stream of numbers. */
typedef struct dice {
    uint64_t seed;
    uint64_t rolled;
} dice;

static uint64_t roll(dice *d, uint64_t below)
{
    return clscan_generate_bits(d->seed, d->rolled++) % below;
}

static int once_in(dice *d, uint64_t times)
{
    return roll(d, times) == 0;
}

/* 1 to `largest`, every power of two as often as the next one. */
static uint64_t roll_count(dice *d, uint64_t largest)
{
    unsigned bits = 0;
    while (bits < 63 && (UINT64_C(2) << bits) <= largest)
        ++bits;
    const uint64_t count = 1 + roll(d, UINT64_C(2) << roll(d, bits + 1));
    return count < largest ? count : largest;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static void draw_problem(dice *d, const clscan_device_info *info, soak_plan *plan)
{
    clscan_problem *problem = &plan->problem;

    problem->struct_size = sizeof *problem;
    do
        problem->type = (clscan_type)roll(d, CLSCAN_TYPE_COUNT);
    while (clscan_device_check_type(info, problem->type, NULL) != CLSCAN_OK);
    const int floating = clscan_reference_is_floating(problem->type);
    do
        problem->op = once_in(d, 4) ? CLSCAN_CUSTOM : (clscan_operator)roll(d, CLSCAN_OPERATOR_COUNT);
    while (floating && (problem->op == CLSCAN_AND || problem->op == CLSCAN_OR || problem->op == CLSCAN_XOR));
    problem->form = (clscan_form)roll(d, 2);
    problem->direction = (clscan_direction)roll(d, 2);
    problem->reproducible = once_in(d, floating ? 3 : 20);
    plan->generator = clscan_generator_for(problem->type, problem->op, problem->direction);
    if (problem->op == CLSCAN_CUSTOM) {
        clscan_sample sample;
        do
            sample = (clscan_sample)roll(d, CLSCAN_SAMPLE_COUNT);
        while (clscan_sample_find(sample, problem->type) == NULL);
        plan->sample = clscan_sample_find(sample, problem->type);
        problem->custom = &plan->sample->custom;
        if (sample == CLSCAN_SAMPLE_AFFINE)
            plan->generator = CLSCAN_GENERATE_FACTORS;
    } else if (problem->reproducible && clscan_reference_depends_on_grouping(problem->type, problem->op)) {
        plan->generator = problem->op == CLSCAN_ADD ? CLSCAN_GENERATE_WIDE : CLSCAN_GENERATE_NEAR_ONE;
    } else if (floating && !clscan_reference_depends_on_grouping(problem->type, problem->op) && once_in(d, 3)) {
        plan->generator = CLSCAN_GENERATE_SPECIAL;
    }
}

/* Work-groups that wait are what rarely goes wrong. Compilers for CPUs take seconds for kernels with barriers, and CPUs
 * are served by the body that has none. */
static int is_wanted(dice *d, const clscan_device_info *info, const clscan_variant *variant)
{
    const int waits = variant->order != CLSCAN_ORDER_NONE;
    const int is_fast = info->device_class != CLSCAN_DEVICE_CLASS_CPU || variant->body == CLSCAN_BODY_CACHED_ROWS;

    return (waits || once_in(d, 4)) && (is_fast || once_in(d, 6));
}

/* A forced variant three times out of four; else configs choose. */
static void draw_variant(dice *d, const clscan_device_info *info, soak_plan *plan)
{
    plan->tile = 256;
    if (once_in(d, 4))
        return;
    for (unsigned i = 0; i < VARIANT_DRAWS; ++i) {
        test_variants drawn =
            test_random_variants(plan->problem.type, info, clscan_generate_bits(d->seed, d->rolled++), 1, LARGEST_TILE);
        const int fits = drawn.count == 1 && is_wanted(d, info, &drawn.items[0]) &&
                         clscan_variant_check(&drawn.items[0], &plan->problem, 0, info, NULL) == CLSCAN_OK;
        if (fits)
            plan->variant = drawn.items[0];
        free(drawn.items);
        if (fits) {
            plan->options.variant = &plan->variant;
            plan->tile = clscan_variant_tile_count(&plan->variant);
            if (plan->variant.tiles_per_work_group > 0)
                plan->tile *= plan->variant.tiles_per_work_group;
            return;
        }
    }
}

/* Patience, held owners, other mechanisms. */
static void draw_options(dice *d, const clscan_device_info *info, soak_plan *plan)
{
    static const clscan_mechanism mechanisms[] = {CLSCAN_MECHANISM_C11, CLSCAN_MECHANISM_ATOMIC64,
                                                  CLSCAN_MECHANISM_ATOMIC32};
    clscan_plan_options *options = &plan->options;

    options->struct_size = sizeof *options;
    options->test_knobs = &plan->test_knobs;
    options->count_events = !once_in(d, 3);
    if (once_in(d, 2))
        plan->test_knobs.poll_limit = 1 + (uint32_t)roll(d, once_in(d, 2) ? 3 : 200);
    if (plan->variant.order != CLSCAN_ORDER_NONE && once_in(d, 3)) {
        plan->test_knobs.hold_interval = 1 + (uint32_t)roll(d, 5);
        plan->test_knobs.poll_limit = 1 + (uint32_t)roll(d, 20);
    }
    if (info->mechanism != CLSCAN_MECHANISM_NONE && once_in(d, 5))
        options->mechanism = mechanisms[roll(d, sizeof mechanisms / sizeof mechanisms[0])];
}

/* One that is about to wrap, sometimes. */
static void draw_first_epoch(dice *d, const clscan_device_info *info, soak_plan *plan)
{
    const clscan_mechanism forced = plan->options.mechanism;
    const clscan_mechanism used = forced != CLSCAN_MECHANISM_NONE ? forced : info->mechanism;
    const unsigned bits = used == CLSCAN_MECHANISM_ATOMIC32 ? 14 : 30;

    if (once_in(d, 6))
        plan->test_knobs.first_epoch = (UINT32_C(1) << bits) - 1 - (uint32_t)roll(d, 60);
}

static void draw_largest_count(dice *d, soak_plan *plan)
{
    uint64_t largest = COMMON_COUNT;

    switch (roll(d, 16)) {
    case 0:
        largest = LARGEST_COUNT;
        break;
    case 1:
    case 2:
        largest = roll_count(d, COMMON_COUNT);
        break;
    case 3:
    case 4:
    case 5:
    case 6:
        largest = plan->tile * (1 + roll(d, 40));
        break;
    default:
        break;
    }
    const uint64_t most_tiles = plan->test_knobs.hold_interval > 0 ? MOST_HELD_TILES : MOST_TILES;
    plan->problem.max_count = smaller(smaller(largest, LARGEST_COUNT), plan->tile * most_tiles);
}

/* Rows in the place of one scan of as many elements: any number of them, so they are of any length. Configs choose,
 * since few of all variants serve rows. These numbers are a stream of their own, so other plans do not depend on it. */
static void draw_rows(uint64_t program_seed, soak_plan *plan)
{
    dice d = {.seed = clscan_generate_bits(program_seed, UINT64_MAX / 2)};
    uint64_t rows;

    if (!once_in(&d, ROWS_EVERY))
        return;
    d.seed = clscan_generate_bits(plan->seed, UINT64_MAX / 2);
    rows = roll_count(&d, smaller(MOST_ROWS, plan->problem.max_count));
    plan->rows = (clscan_rows){.struct_size = sizeof plan->rows, .count = rows};
    plan->problem.rows = &plan->rows;
    plan->problem.max_count /= rows;
    plan->options.variant = NULL;
}

uint64_t soak_most_elements(const soak_plan *plan)
{
    return plan->problem.max_count * (plan->problem.rows != NULL ? plan->rows.count : 1);
}

void soak_draw_plan(const clscan_device_info *info, uint64_t seed, uint64_t number, soak_plan *plan)
{
    dice program = {.seed = clscan_generate_bits(seed, number / SOAK_RELATIVES)};
    dice own = {.seed = clscan_generate_bits(program.seed, UINT64_MAX - number)};

    memset(plan, 0, sizeof *plan);
    draw_problem(&program, info, plan);
    draw_variant(&program, info, plan);
    draw_options(&program, info, plan);

    plan->seed = own.seed;
    draw_first_epoch(&own, info, plan);
    draw_largest_count(&own, plan);
    draw_rows(program.seed, plan);
    plan->lanes = once_in(&own, 3) ? 2 + (unsigned)roll(&own, SOAK_LANES_MAX - 1) : 1;
    plan->two_queues = once_in(&own, 2);
    plan->out_of_order = once_in(&own, 2);
    plan->one_buffer = once_in(&own, 3);
}

/* Edges of tiles, the ends, and anything between. */
static uint64_t draw_count(dice *d, const soak_plan *plan)
{
    const uint64_t most = plan->problem.max_count;

    switch (roll(d, 12)) {
    case 0:
        return smaller(roll(d, 4), most);
    case 1:
        return most - smaller(roll(d, 3), most);
    case 2:
    case 3:
    case 4: {
        const uint64_t tiles = most / plan->tile > 0 ? 1 + roll(d, most / plan->tile) : 1;
        return smaller(tiles * plan->tile + roll(d, 3) - 1, most);
    }
    default:
        return roll_count(d, most);
    }
}

soak_run soak_draw_run(const soak_plan *plan, unsigned lane, uint64_t number, const soak_run *previous)
{
    dice d = {.seed = clscan_generate_bits(plan->seed + 1 + lane, number)};
    soak_run run = {0};

    run.test.seed = d.seed;
    run.test.generator = plan->generator;
    run.test.count = draw_count(&d, plan);
    run.test.in_place = once_in(&d, 3);
    run.test.in_offset = once_in(&d, 2) ? 0 : roll(&d, 17);
    run.test.out_offset = once_in(&d, 2) ? 0 : roll(&d, 17);
    run.test.initial = (clscan_case_initial)roll(&d, 3);
    run.test.total = once_in(&d, 2);
    run.test.part_count = once_in(&d, 4) ? CLSCAN_REPRODUCIBLE_STEP * (1 + roll(&d, 2)) : 0;
    run.queue = plan->two_queues ? (unsigned)roll(&d, 2) : 0;
    run.wants_event = once_in(&d, 3);
    run.waits = once_in(&d, 6);
    /* What a scan gives is no input whose floating-point results are exact. */
    if (previous != NULL && once_in(&d, 6) && !clscan_reference_is_floating(plan->problem.type)) {
        run.follows = 1;
        run.test.count = smaller(run.test.count, previous->test.count);
    }
    run.rows = 1;
    if (plan->problem.rows != NULL) {
        run.follows = 0;
        run.rows = 1 + roll(&d, plan->rows.count);
        run.test.count = draw_count(&d, plan) * run.rows;
        run.test.total = 0; /* there is room for one */
    }
    return run;
}

uint64_t soak_runs(const soak_plan *plan, uint64_t runs_per_plan)
{
    const uint64_t runs = smaller(plan->test_knobs.hold_interval > 0 ? runs_per_plan / HELD_COST : runs_per_plan,
                                  4 * PLAN_ELEMENTS / soak_most_elements(plan));
    return runs / plan->lanes + 1;
}

int soak_may_be_refused(const soak_plan *plan, clscan_status status)
{
    if (status == CLSCAN_ERROR_UNSUPPORTED_TYPE)
        return plan->problem.reproducible;
    return plan->options.mechanism != CLSCAN_MECHANISM_NONE &&
           (status == CLSCAN_ERROR_DEVICE_LIMIT || status == CLSCAN_ERROR_ILLEGAL_VARIANT ||
            status == CLSCAN_ERROR_BUILD);
}
