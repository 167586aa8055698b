/* The exhibits of the museum on a device: each through every body and every carry that is legal there, and through the
 * variant that the configs choose.
 *
 * Compiling all these programs for a CPU takes minutes. So a problem (type, operator, form, direction) has one pair of
 * body and carry in CLSCAN_TEST_MUSEUM_SHARE, and the next problem the next ones; 1: all of them.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "cmocka_all.h"
#include "exhibits.h"
#include "live.h"
#include "variant_sets.h"

typedef struct tally {
    unsigned plans, runs, failures;
} tally;

static clscan_problem problem_of(const museum_exhibit *exhibit, uint64_t max_count)
{
    const clscan_sample_operator *sample = museum_sample(exhibit);
    clscan_problem problem = test_problem(exhibit->type, exhibit->op, exhibit->form, exhibit->direction, max_count);
    problem.custom = sample != NULL ? &sample->custom : NULL;
    return problem;
}

static int same_problem(const museum_exhibit *a, const museum_exhibit *b)
{
    return a->type == b->type && a->op == b->op && a->sample == b->sample && a->form == b->form &&
           a->direction == b->direction;
}

static unsigned show(const clscan_case_fixture *fixture, const museum_exhibit *exhibit, uint64_t tile)
{
    const uint64_t count = museum_count(exhibit, tile);
    const clscan_value initial = museum_initial(exhibit);
    unsigned char *elements = malloc((size_t)count * clscan_type_size_bytes(exhibit->type) + 1);
    const clscan_case test = {.count = count,
                              .in_offset = exhibit->in_offset,
                              .out_offset = exhibit->out_offset,
                              .in_place = exhibit->in_place,
                              .initial = exhibit->initial,
                              .total = 1,
                              .elements = elements,
                              .initial_value = &initial};
    unsigned failures;

    assert_non_null(elements);
    museum_fill(exhibit, count, elements);
    failures = test_case(fixture, &test);
    if (failures > 0)
        print_error("this is \"%s\": %s (%s)\n", exhibit->name, museum_mistake_meaning(exhibit->mistake),
                    exhibit->origin);
    free(elements);
    return failures;
}

/* Elements of a tile: the variant's, or a small number where the configs' choice depends on the count. */
static uint64_t tile_of(const clscan_variant *variant)
{
    return variant != NULL ? clscan_variant_tile_count(variant) : 1024;
}

/* All exhibits of one problem by one plan and one workspace, whose runs follow each other. */
static void show_all(const test_live *live, const museum_exhibit *like, const clscan_variant *variant, tally *seen)
{
    const clscan_plan_options options = {.struct_size = sizeof options, .variant = variant};
    const museum_exhibit *const end = museum_exhibits + museum_exhibit_count;
    const uint64_t tile = tile_of(variant);
    uint64_t max_count = 1;
    clscan_case_fixture fixture;
    clscan_problem problem;

    for (const museum_exhibit *e = museum_exhibits; e < end; ++e)
        if (same_problem(e, like) && museum_count(e, tile) > max_count)
            max_count = museum_count(e, tile);
    problem = problem_of(like, max_count);
    ++seen->plans;
    if (test_try_prepare(live, &problem, museum_sample(like), &options, &fixture) != CLSCAN_OK) {
        ++seen->failures;
        return;
    }
    for (const museum_exhibit *e = museum_exhibits; e < end; ++e)
        if (same_problem(e, like)) {
            seen->failures += show(&fixture, e, tile);
            ++seen->runs;
        }
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
        if (same_problem(e, exhibit))
            return 0;
    return 1;
}

static void every_exhibit_by_every_body_and_carry(void **state)
{
    const test_live *live = *state;
    const size_t share = test_number("CLSCAN_TEST_MUSEUM_SHARE", CLSCAN_BODY_COUNT * CLSCAN_CARRY_COUNT);
    size_t turn = 0;
    tally seen = {0};

    for (size_t i = 0; i < museum_exhibit_count; ++i) {
        const museum_exhibit *exhibit = &museum_exhibits[i];
        test_variants variants;
        if (!is_first_of_its_problem(exhibit) || !test_type_runs(live, exhibit->type))
            continue;
        variants = test_representatives(exhibit->type, 8, 2, &live->info);
        for (uint32_t body = 0; body < CLSCAN_BODY_COUNT; ++body)
            for (uint32_t carry = 0; carry < CLSCAN_CARRY_COUNT; ++carry) {
                const clscan_variant *variant = pick(&variants, body, carry, turn);
                if (variant != NULL && (body * CLSCAN_CARRY_COUNT + carry + turn) % share == 0)
                    show_all(live, exhibit, variant, &seen);
            }
        show_all(live, exhibit, NULL, &seen);
        free(variants.items);
        ++turn;
    }
    print_message("%zu exhibits of %zu problems, %u plans, %u runs\n", museum_exhibit_count, turn, seen.plans,
                  seen.runs);
    assert_int_equal(seen.failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_exhibit_by_every_body_and_carry),
    };
    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
