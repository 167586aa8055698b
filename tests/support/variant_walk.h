/* Walks through variants: what a test of an operation does with each body, carry and order. */
#ifndef CLSCAN_TESTS_VARIANT_WALK_H
#define CLSCAN_TESTS_VARIANT_WALK_H

#include "live.h"

/* The problem of turn `i`, which is that of one of the test's forms. */
typedef const clscan_problem *test_problem_at(size_t i);

/* Run that problem by the variant. Returns how much was wrong. */
typedef unsigned test_variant_run(const test_live *live, const clscan_variant *variant, size_t i);

/* For each value of every axis a small variant, where it is legal for the problem of its turn; where not all cases are
 * wanted, every sixth of these, from the `turn`-th on, so that tests of other operations have the others. Nothing may
 * be wrong. */
void test_every_axis(const test_live *live, size_t turn, test_problem_at *problem_at, test_variant_run *run);

/* The forms in which a test asks for its operation. */
typedef struct test_forms {
    size_t count;
    size_t turn;                 /* which variants a short run has: tests of other operations have others */
    test_problem_at *problem_at; /* of form i */
    /* Run form i, of counts about the edges of tiles of so many elements. Returns how much was wrong. */
    unsigned (*run)(const test_live *live, size_t i, const clscan_plan_options *options, uint64_t max_count,
                    uint64_t tile);
} test_forms;

/* Each form as a plan chooses for it; and by small variants for each value of every axis, forms in turn. Nothing may be
 * wrong. */
void test_each_form(const test_live *live, const test_forms *forms);
void test_forms_on_every_axis(const test_live *live, const test_forms *forms);

/* Run the problem with these options. Adds the tiles that were recomputed, and returns how much was wrong. */
typedef unsigned test_waits_run(const test_live *live, const clscan_plan_options *options, unsigned *recomputed);

/* One small variant of each carry that waits, or the first by which a tile is recomputed if not all cases are wanted.
 * Waits are spent at the first poll: they are completed by whoever waited. Nothing may be wrong, and some tile must be
 * recomputed. */
void test_spent_waits(const test_live *live, const clscan_problem *problem, test_waits_run *run);

#endif
