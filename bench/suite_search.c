#include "suite_search.h"

#include <stdio.h>
#include <string.h>

#include "grid.h"
#include "loops.h"
#include "measure/case.h"
#include "measure/contenders.h"
#include "measure/library.h"
#include "members.h"

#define SEARCH_RUNS 5
/* Parameters are looked for on so many elements at most: more take longer to tell the same. */
#define SEARCH_COUNT (UINT64_C(1) << 24)
#define DYNAMIC "+dynamic "
#define STATIC "+static "

/* The first reason against a variant is kept. */
static bool is_legal_variant(const char *text, const measure_case *c, measure_note *reason)
{
    const clscan_problem problem = measure_clscan_problem(&c->problem);
    clscan_variant variant;
    clscan_error error = {0};

    if (clscan_variant_parse(text, &variant, &error) == CLSCAN_OK &&
        clscan_variant_check(&variant, &problem, measure_scans_in_place(&c->problem), &c->device->info, &error) ==
            CLSCAN_OK)
        return true;
    if (reason->text[0] == '\0')
        measure_fail(reason, "%.900s", error.message);
    return false;
}

/* Is it legal for the case? */
static bool is_legal(const bench_rung *rung, const char *text, const measure_case *c, measure_note *reason)
{
    return rung->kind == BENCH_RUNG_LOOP ? bench_loop_check(text, c, reason) : is_legal_variant(text, c, reason);
}

static void list_candidates(const bench_suite_state *suite, const bench_rung *rung, const measure_case *c,
                            bench_rung_state *state)
{
    const char *grid = c->device->threads != NULL ? rung->for_cpu : rung->for_gpu;
    size_t listed = 0;

    state->count = 0;
    state->reason.text[0] = '\0';
    if (suite->candidates != NULL && rung->kind != BENCH_RUNG_LOOP)
        listed = bench_candidates_like(suite->candidates, grid, state->variants, BENCH_MAX_CANDIDATES);
    if (listed == 0)
        listed = bench_grid_expand(grid, state->variants, BENCH_MAX_CANDIDATES);
    for (size_t i = 0; i < listed; ++i) {
        if (is_legal(rung, state->variants[i], c, &state->reason)) {
            memmove(state->variants[state->count], state->variants[i], sizeof state->variants[i]);
            ++state->count;
        }
    }
}

/* The fastest of the candidates goes to state->best. A wrong result is told, and makes the program fail. */
static void pick_best(const bench_session *s, const measure_case *c, bench_rung_state *state)
{
    const measure_contender *best = NULL;

    for (size_t i = 0; i < s->lineup->count; ++i) {
        const measure_contender *contender = &s->lineup->all[i];

        if (contender->outcome == MEASURE_WRONG) {
            fprintf(stderr, "clscan-bench: %s is wrong: %s\n", contender->request, contender->note.text);
            s->report->failed = true;
        }
        if (contender->outcome == MEASURE_OK &&
            (best == NULL || contender->statistics.median < best->statistics.median))
            best = contender;
        else if (contender->outcome != MEASURE_OK && state->reason.text[0] == '\0')
            state->reason = contender->note;
    }
    state->searched = true;
    state->type = c->problem.type;
    state->elements = c->problem.count;
    state->best[0] = '\0';
    if (best != NULL)
        strcpy(state->best, best->request);
}

/* The numbers of work-groups that suit a copy depend on all of its elements. */
static uint64_t search_count(const bench_rung *rung, uint64_t count)
{
    return rung->kind != BENCH_RUNG_LOOP && count > SEARCH_COUNT ? SEARCH_COUNT : count;
}

static void search(const bench_session *s, const bench_rung *rung, const measure_case *whole, bench_rung_state *state)
{
    const measure_kind *kind = rung->kind == BENCH_RUNG_LOOP ? &bench_loop_copy : &measure_library;
    const uint64_t count = search_count(rung, whole->problem.count);
    measure_case c = measure_case_prefix(whole, count);
    const bool both_clocks = s->device->both_clocks;

    if (state->searched && state->type == c.problem.type && state->elements == count)
        return;
    c.rotation = NULL;
    s->lineup->count = 0;
    for (size_t i = 0; i < state->count; ++i)
        bench_lineup_add(s->lineup, kind, "candidate", state->variants[i]);
    s->device->both_clocks = false;
    measure_contenders(&c, s->lineup->all, s->lineup->count, SEARCH_RUNS);
    s->device->both_clocks = both_clocks;
    pick_best(s, &c, state);
    measure_release(s->lineup->all, s->lineup->count);
}

/* The best of the rung before, but for its ids. */
static void make_static(const bench_rung_state *before, bench_rung_state *state)
{
    const char *at = strstr(before->best, DYNAMIC);

    state->best[0] = '\0';
    if (at != NULL)
        snprintf(state->best, sizeof state->best, "%.*s" STATIC "%s", (int)(at - before->best), before->best,
                 at + strlen(DYNAMIC));
    else
        state->reason = before->reason;
}

/* Groups in which `sharing` of the devices share each row, for each number from 2 on that leaves several groups. */
static void list_networks(bench_rung_state *state)
{
    char whole[BENCH_MAX_GROUPS][MEASURE_NAME_BYTES];
    const size_t whole_count = state->count;

    memcpy(whole, state->variants, sizeof whole);
    state->count = 0;
    for (size_t i = 0; i < whole_count; ++i) {
        const size_t size = bench_group_size(whole[i]);

        for (size_t sharing = 2; 2 * sharing <= size && state->count < BENCH_MAX_CANDIDATES; sharing *= 2) {
            if (size % sharing == 0)
                bench_groups_split(whole[i], sharing, &state->variants[state->count++]);
        }
    }
}

static bool takes_devices(const bench_rung *rung)
{
    return rung->kind == BENCH_RUNG_GROUPS || rung->kind == BENCH_RUNG_SPLIT || rung->kind == BENCH_RUNG_NETWORKS ||
           rung->kind == BENCH_RUNG_HOST || rung->kind == BENCH_RUNG_CUB;
}

void bench_suite_find(const bench_session *s, bench_suite_state *suite, const measure_case *c)
{
    for (size_t i = 0; suite->experiment->rungs[i].label != NULL; ++i) {
        const bench_rung *rung = &suite->experiment->rungs[i];
        bench_rung_state *state = &suite->rungs[i];
        const bool searches = rung->kind == BENCH_RUNG_BEST || rung->kind == BENCH_RUNG_LOOP;

        if (searches || rung->kind == BENCH_RUNG_EACH)
            list_candidates(suite, rung, c, state);
        if (searches)
            search(s, rung, c, state);
        if (takes_devices(rung))
            state->count = bench_groups_list(s->options, s->device, rung->kind == BENCH_RUNG_HOST, state->variants);
        if (rung->kind == BENCH_RUNG_NETWORKS)
            list_networks(state);
        if (rung->kind == BENCH_RUNG_STATIC)
            make_static(&suite->rungs[i - 1], state);
    }
}
