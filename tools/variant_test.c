#include "variant_test.h"

#include <inttypes.h>
#include <stdio.h>

#include "command_line/failure.h"
#include "reference/case.h"

#define SEED UINT64_C(20260101)

/* Sums of floating-point numbers in any order are exact, and so comparable bit for bit,
 * only up to 2^20 elements. */
static uint64_t most_elements(const clscan_problem *problem)
{
    const bool in_any_order =
        problem->op == CLSCAN_ADD && clscan_reference_is_floating(problem->type) && !problem->reproducible;

    return in_any_order ? UINT64_C(1) << 20 : UINT64_C(1) << 24;
}

size_t variant_counts(const clscan_variant *variant, uint64_t limit, bool quick, uint64_t counts[VARIANT_MOST_COUNTS])
{
    const uint64_t many = UINT64_C(1) << (quick ? 17 : 21);
    const uint64_t tile = clscan_variant_tile_count(variant);
    const uint64_t wanted[] = {0,       1, 2, 33, tile - 1, tile, tile + 1, 2 * tile, 2 * tile + 1, 5 * tile + tile / 3,
                               many + 1};
    size_t used = 0;

    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; ++i) {
        bool known = wanted[i] > limit;

        for (size_t k = 0; k < used; ++k)
            known = known || counts[k] == wanted[i];
        if (!known)
            counts[used++] = wanted[i];
    }
    return used;
}

static clscan_generator generator_for(const clscan_problem *problem)
{
    if (problem->op == CLSCAN_CUSTOM)
        return CLSCAN_GENERATE_MOSTLY_ZERO;
    /* Each grouping but the right one shows. */
    if (problem->reproducible)
        return CLSCAN_GENERATE_WIDE;
    return clscan_generator_for(problem->type, problem->op, problem->direction);
}

/* Run all cases of a prepared plan; `text` receives the first that is not right. */
static bool run_cases(const clscan_case_fixture *fixture, const variant_use *use, const uint64_t *counts,
                      size_t count_count, unsigned *cases, char *text)
{
    const bool has_parts = clscan_plan_state_bytes(fixture->plan) > 0;

    for (int in_place = use->apart ? 0 : 1; in_place <= (use->in_place ? 1 : 0); ++in_place) {
        for (size_t i = 0; i < count_count; ++i) {
            /* Offsets, initial value and total change from case to case. */
            clscan_case test = {
                .count = counts[i],
                .in_offset = i % 3,
                .out_offset = in_place ? i % 3 : i % 2 * 3,
                .in_place = in_place,
                .initial = (clscan_case_initial)(i % 3),
                .total = i % 2 == 1,
                .generator = generator_for(fixture->problem),
                .seed = SEED + i,
            };

            ++*cases;
            if (clscan_case_run(fixture, &test, text, CLSCAN_CASE_TEXT_BYTES) != CLSCAN_CASE_RIGHT)
                return false;
            if (!has_parts || test.count <= CLSCAN_REPRODUCIBLE_STEP)
                continue;
            test.part_count = CLSCAN_REPRODUCIBLE_STEP;
            ++*cases;
            if (clscan_case_run(fixture, &test, text, CLSCAN_CASE_TEXT_BYTES) != CLSCAN_CASE_RIGHT)
                return false;
        }
    }
    return true;
}

void variant_print(const char *verdict, const char *type, const clscan_problem *problem, const variant_use *use,
                   unsigned cases)
{
    char text[512];

    clscan_variant_format(&use->choice.variant, text, sizeof text);
    printf("%-7s %-6s %-6s %s, from %" PRIu64 " elements, %s%s%s%s, %s%s%s, %u cases\n", verdict, type,
           clscan_operator_name(problem->op), text, use->first, problem->reproducible ? "reproducible, " : "",
           problem->form == CLSCAN_EXCLUSIVE ? "exclusive, " : "",
           problem->direction == CLSCAN_REVERSE ? "reverse, " : "",
           problem->operation == CLSCAN_REDUCE ? "reduced"
           : use->apart && use->in_place       ? "apart and in place"
           : use->apart                        ? "apart"
                                               : "in place",
           use->choice.source, use->choice.entry[0] != '\0' ? "#" : "", use->choice.entry, cases);
    fflush(stdout); /* the next line may take seconds of compiling */
}

variant_verdict variant_test(const target *t, const clscan_problem *problem, const clscan_case_maps *maps,
                             const variant_use *use, bool quick, unsigned *cases)
{
    const clscan_type combined = maps != NULL ? clscan_type_accumulator(maps->output) : problem->type;
    const clscan_sample_operator *sample =
        problem->op == CLSCAN_CUSTOM ? clscan_sample_find(CLSCAN_SAMPLE_KEEP_LAST, combined) : NULL;
    const clscan_plan_options options = {.struct_size = sizeof options, .variant = &use->choice.variant};
    clscan_case_fixture fixture = {.context = t->context, .device = t->device, .queue = t->queue, .maps = maps};
    clscan_problem whole = *problem;
    uint64_t counts[VARIANT_MOST_COUNTS];
    const size_t count_count = variant_counts(&use->choice.variant, most_elements(problem), quick, counts);
    char text[CLSCAN_CASE_TEXT_BYTES] = "";
    unsigned run = 0;
    clscan_error error;
    bool right;

    whole.custom = sample != NULL ? &sample->custom : NULL;
    whole.max_count = 1;
    for (size_t i = 0; i < count_count; ++i)
        whole.max_count = counts[i] > whole.max_count ? counts[i] : whole.max_count;
    if (clscan_case_prepare(&fixture, &whole, sample, &options, &error) != CLSCAN_OK) {
        const bool none = error.status == CLSCAN_ERROR_UNSUPPORTED_TYPE;

        variant_print(none ? "skipped" : "FAILED", clscan_type_name(problem->type), problem, use, 0);
        print_failure(&error);
        return none ? VARIANT_SKIPPED : VARIANT_WRONG;
    }
    right = run_cases(&fixture, use, counts, count_count, &run, text);
    clscan_case_release(&fixture);
    variant_print(right ? "ok" : "FAILED", clscan_type_name(problem->type), problem, use, run);
    if (!right)
        complain("%s", text);
    *cases += run;
    return right ? VARIANT_RIGHT : VARIANT_WRONG;
}
