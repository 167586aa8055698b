/* The exhibits of the museum on a device: each through every body and every carry that is legal there, and through the
 * variant that the configs choose.
 *
 * Compiling all these programs for a CPU takes minutes. So a problem (type, operator, form, direction) has one pair of
 * body and carry in CLSCAN_TEST_MUSEUM_SHARE, and the next problem the next ones; 1: all of them.
 */
#include <stdlib.h>

#include "closed_form.h"
#include "cmocka_all.h"
#include "exhibits.h"
#include "guarded.h"
#include "live.h"
#include "variant_sets.h"

typedef struct tally {
    unsigned plans, runs, failures;
} tally;

static clscan_problem problem_of(const museum_problem *what, uint64_t max_count)
{
    const clscan_sample_operator *sample = museum_sample(what);
    clscan_problem problem = test_problem(what->type, what->op, what->form, what->direction, max_count);
    problem.custom = sample != NULL ? &sample->custom : NULL;
    return problem;
}

static unsigned wrong(const museum_exhibit *exhibit)
{
    print_error("this is %s: %s\n", exhibit->origin, museum_mistake_meaning(exhibit->mistake));
    return 1;
}

static void show(const clscan_case_fixture *fixture, const museum_exhibit *exhibit, uint64_t tile, tally *seen)
{
    const uint64_t count = museum_count(exhibit, tile);
    const clscan_value initial = museum_initial(exhibit);
    unsigned char *elements = malloc((size_t)count * clscan_type_size_bytes(exhibit->problem->type) + 1);
    const clscan_case test = {.count = count,
                              .in_offset = exhibit->in_offset,
                              .in_place = exhibit->in_place,
                              .initial = exhibit->initial,
                              .total = 1,
                              .elements = elements,
                              .initial_value = &initial};

    assert_non_null(elements);
    for (unsigned run = 0; run < museum_runs(exhibit); ++run) {
        museum_fill(exhibit, run, count, elements);
        if (test_case(fixture, &test) != 0)
            seen->failures += wrong(exhibit);
        ++seen->runs;
    }
    free(elements);
}

/* Elements of a tile: the variant's, or a small number where the configs' choice depends on the count. */
static uint64_t tile_of(const clscan_variant *variant)
{
    return variant != NULL ? clscan_variant_tile_count(variant) : 1024;
}

/* All exhibits of one problem by one plan and one workspace, whose runs follow each other. */
static void show_all(const test_live *live, const museum_problem *what, const clscan_variant *variant, tally *seen)
{
    const clscan_plan_options options = {.struct_size = sizeof options, .variant = variant};
    const museum_exhibit *const end = museum_exhibits + museum_exhibit_count;
    const uint64_t tile = tile_of(variant);
    uint64_t max_count = 1;
    clscan_case_fixture fixture;
    clscan_problem problem;

    for (const museum_exhibit *e = museum_exhibits; e < end; ++e)
        if (e->problem == what && e->bits == 0 && museum_count(e, tile) > max_count)
            max_count = museum_count(e, tile);
    problem = problem_of(what, max_count);
    ++seen->plans;
    if (test_try_prepare(live, &problem, museum_sample(what), &options, &fixture) != CLSCAN_OK) {
        ++seen->failures;
        return;
    }
    for (const museum_exhibit *e = museum_exhibits; e < end; ++e)
        if (e->problem == what && e->bits == 0)
            show(&fixture, e, tile, seen);
    clscan_case_release(&fixture);
}

/* One of the variants of this body and carry: with each `turn` another one, of another group scan and order. */
static const clscan_variant *pick(const test_variants *variants, uint32_t body, uint32_t carry, size_t turn)
{
    const clscan_variant *found = NULL;
    size_t count = 0;

    for (size_t i = 0; i < variants->count; ++i)
        count += variants->items[i].body == body && variants->items[i].carry == carry;
    for (size_t i = 0, left = count > 0 ? turn % count + 1 : 0; left > 0; ++i)
        if (variants->items[i].body == body && variants->items[i].carry == carry && --left == 0)
            found = &variants->items[i];
    return found;
}

static int is_first_of_its_problem(const museum_exhibit *exhibit)
{
    for (const museum_exhibit *e = museum_exhibits; e < exhibit; ++e)
        if (e->problem == exhibit->problem)
            return 0;
    return 1;
}

static void every_exhibit_by_bodies_and_carries(void **state)
{
    /* The next problem's pairs lie so far behind, so that with few of them all bodies and all carries have some. */
    enum { PAIRS = CLSCAN_BODY_COUNT * CLSCAN_CARRY_COUNT, APART = 17 };
    const test_live *live = *state;
    const size_t share = test_number("CLSCAN_TEST_MUSEUM_SHARE", PAIRS);
    const int is_cpu = live->info.device_class == CLSCAN_DEVICE_CLASS_CPU;
    size_t turn = 0;
    tally seen = {0};

    for (size_t i = 0; i < museum_exhibit_count; ++i) {
        const museum_problem *what = museum_exhibits[i].problem;
        test_variants small, any;
        if (!is_first_of_its_problem(&museum_exhibits[i]) || !test_type_runs(live, what->type))
            continue;
        /* Compilers for CPUs unroll work-groups; those of 8 are the smallest that every body has. */
        small = test_representatives(what->type, is_cpu ? 2 : 64, 2, &live->info);
        any = test_representatives(what->type, 8, 2, &live->info);
        for (uint32_t pair = 0; pair < PAIRS; ++pair) {
            const uint32_t body = pair / CLSCAN_CARRY_COUNT, carry = pair % CLSCAN_CARRY_COUNT;
            const clscan_variant *variant = pick(&small, body, carry, turn);
            if (variant == NULL)
                variant = pick(&any, body, carry, turn);
            if (variant != NULL && (pair + APART * turn) % share == 0)
                show_all(live, what, variant, &seen);
        }
        show_all(live, what, NULL, &seen);
        free(small.items);
        free(any.items);
        ++turn;
    }
    print_message("%zu problems, %u plans, %u runs\n", turn, seen.plans, seen.runs);
    assert_int_equal(seen.failures, 0);
}

/* Counts that no host scans in time: the device repeats a short pattern, and the right outputs are a formula. */
static void counts_that_do_not_fit(void **state)
{
    const test_live *live = *state;
    unsigned runs = 0, failures = 0;

    if (test_number("CLSCAN_TEST_LARGE", 0) == 0) {
        print_message("set CLSCAN_TEST_LARGE=1 to run\n");
        skip();
    }
    for (const museum_exhibit *e = museum_exhibits; e < museum_exhibits + museum_exhibit_count; ++e) {
        const uint64_t count = museum_count(e, 0);
        const uint64_t bytes = count * clscan_type_size_bytes(e->problem->type) + 2 * CLSCAN_GUARD_BYTES;
        const clscan_problem problem = problem_of(e->problem, count);
        char text[CLSCAN_CASE_TEXT_BYTES];
        clscan_case_fixture fixture;

        if (e->bits == 0)
            continue;
        if (bytes > live->info.max_allocation_bytes || bytes * (e->in_place ? 1 : 2) > live->info.global_memory_bytes) {
            print_message("%s: the device has too little memory\n", e->origin);
            continue;
        }
        test_prepare(live, &problem, NULL, NULL, &fixture);
        ++runs;
        if (clscan_closed_form_run(&fixture, count, e->in_place, 0, text, sizeof text) != CLSCAN_CASE_RIGHT) {
            print_error("%s\n", text);
            failures += wrong(e);
        }
        clscan_case_release(&fixture);
    }
    print_message("%u runs\n", runs);
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_exhibit_by_bodies_and_carries),
        cmocka_unit_test(counts_that_do_not_fit),
    };
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
