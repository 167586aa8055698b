#include "suite_run.h"

#include <stdio.h>
#include <string.h>

#include "columns.h"
#include "cub_groups.h"
#include "groups.h"
#include "host_groups.h"
#include "loops.h"
#include "measure/contenders.h"
#include "measure/library.h"
#include "members.h"
#include "option_values.h"
#include "peers.h"
#include "stride.h"
#include "suite_search.h"
#include "words.h"

/* A row for variants that the library refuses: its request is the reason. */
static measure_outcome refuse(measure_contender *contender, const measure_case *c)
{
    (void)c;
    measure_fail(&contender->note, "%s", contender->request);
    return MEASURE_ILLEGAL;
}

static const measure_kind refused = {.name = "refused", .scans = true, .prepare = refuse};

static void line_up_best(bench_lineup *lineup, const bench_rung *rung, const bench_rung_state *state)
{
    measure_contender *contender;

    if (state->best[0] == '\0') {
        bench_lineup_add(lineup, &refused, rung->label, state->reason.text);
        return;
    }
    contender = bench_lineup_add(lineup, rung->kind == BENCH_RUNG_LOOP ? &bench_loop_copy : &measure_library,
                                 rung->label, state->best);
    if (rung->kind != BENCH_RUNG_STATIC)
        measure_fail(&contender->note, "best of %zu", state->count);
}

static void line_up_host(bench_lineup *lineup, const char *request)
{
    static const measure_kind *const kinds[] = {&bench_host_link, &bench_pinned_scan, &bench_host_scan};
    const size_t size = bench_group_size(request);
    char name[32];

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        snprintf(name, sizeof name, "%zu device%s, %s", size, size == 1 ? "" : "s", kinds[i]->name);
        bench_lineup_add(lineup, kinds[i], name, request);
    }
}

/* "4 devices", "4 devices, 2 a row"; or with calls that wait, where there is one group and it has sums. */
static void line_up_group(bench_lineup *lineup, const bench_experiment *experiment, const bench_rung *rung,
                          const char *request, bool blocking)
{
    static const measure_kind *const kinds[2][2] = {{&bench_group_scan, &bench_group_blocking_scan},
                                                    {&bench_group_split_scan, &bench_group_split_blocking_scan}};
    const bool split = rung->kind != BENCH_RUNG_GROUPS;
    const size_t size = bench_group_size(request), sharing = bench_group_sharing(request);
    const char *end = blocking ? ", blocking" : "";
    char name[64];

    if (blocking && (sharing < size || (!split && experiment->rows)))
        return;
    if (split)
        snprintf(name, sizeof name, "%zu %s, %zu a row%s", size, rung->label, sharing, end);
    else
        snprintf(name, sizeof name, "%zu %s%s", size, rung->label, end);
    bench_lineup_add(lineup, kinds[split][blocking], name, request);
}

static bool has_peer(const bench_options *options, const measure_kind *peer)
{
    for (size_t i = 0; i < options->peer_count; ++i) {
        if (options->peers[i] == peer)
            return true;
    }
    return false;
}

/* One scan it has on one device only. */
static void line_up_cub(const bench_session *s, const bench_experiment *experiment, const bench_rung *rung,
                        const bench_rung_state *state)
{
    char name[48];

    if (!has_peer(s->options, &bench_peer_cub))
        return;
    bench_lineup_add(s->lineup, &bench_peer_cub, rung->label, NULL);
    for (size_t i = 0; experiment->rows && i < state->count; ++i) {
        snprintf(name, sizeof name, "%zu devices, %s", bench_group_size(state->variants[i]), rung->label);
        bench_lineup_add(s->lineup, &bench_cub_group_scan, name, state->variants[i]);
    }
}

/* `blocking`: groups whose calls wait, beside one device, and no peers. */
static void line_up(const bench_session *s, const measure_case *c, const bench_suite_state *suite, bool blocking)
{
    bench_lineup *lineup = s->lineup;

    lineup->count = 0;
    bench_lineup_add_yardsticks(lineup, s->options, c);
    for (size_t i = 0; suite->experiment->rungs[i].label != NULL; ++i) {
        const bench_rung *rung = &suite->experiment->rungs[i];
        const bench_rung_state *state = &suite->rungs[i];

        switch (rung->kind) {
        case BENCH_RUNG_BEST:
        case BENCH_RUNG_STATIC:
        case BENCH_RUNG_LOOP:
            line_up_best(lineup, rung, state);
            break;
        case BENCH_RUNG_EACH:
            for (size_t j = 0; j < state->count; ++j)
                bench_lineup_add(lineup, &measure_library, rung->label, state->variants[j]);
            if (state->count == 0)
                bench_lineup_add(lineup, &refused, rung->label, state->reason.text);
            break;
        case BENCH_RUNG_CONFIG:
            bench_lineup_add(lineup, &measure_library, rung->label, NULL);
            for (size_t j = 0; j < s->options->variant_count; ++j)
                bench_lineup_add(lineup, &measure_library, "clscan", s->options->variants[j]);
            break;
        case BENCH_RUNG_STRIDES:
            for (size_t j = 0; j < BENCH_STRIDE_COUNT; ++j) {
                char name[32];

                snprintf(name, sizeof name, "%s %s", rung->label, bench_strides[j]);
                bench_lineup_add(lineup, &bench_stride_copy, name, bench_strides[j]);
            }
            break;
        case BENCH_RUNG_GROUPS:
        case BENCH_RUNG_SPLIT:
        case BENCH_RUNG_NETWORKS:
            for (size_t j = 0; j < state->count; ++j)
                line_up_group(lineup, suite->experiment, rung, state->variants[j], blocking);
            if (state->count == 0 && !blocking)
                bench_lineup_add(lineup, &bench_group_missing, rung->label,
                                 rung->kind == BENCH_RUNG_NETWORKS ? "four" : "two");
            break;
        case BENCH_RUNG_CUB:
            if (!blocking)
                line_up_cub(s, suite->experiment, rung, state);
            break;
        case BENCH_RUNG_HOST:
            for (size_t j = 0; j < state->count; ++j)
                line_up_host(lineup, state->variants[j]);
            break;
        case BENCH_RUNG_PEERS:
            bench_lineup_add_peers(lineup, s->options, c);
            break;
        }
    }
}

static bool is_group(const measure_contender *contender)
{
    static const measure_kind *const kinds[] = {&bench_group_scan, &bench_group_blocking_scan, &bench_group_split_scan,
                                                &bench_group_split_blocking_scan};

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        if (contender->kind == kinds[i])
            return true;
    }
    return false;
}

/* CUB on as many devices, or on one where it has no more; NULL: it did not run. */
static const measure_contender *find_cub(const bench_lineup *lineup, const measure_contender *group)
{
    const measure_contender *alone = NULL;
    bool has_groups = false;

    for (size_t i = 0; i < lineup->count; ++i) {
        const measure_contender *cub = &lineup->all[i];

        has_groups = has_groups || cub->kind == &bench_cub_group_scan;
        if (cub->outcome != MEASURE_OK)
            continue;
        if (cub->kind == &bench_cub_group_scan && bench_group_size(cub->request) == bench_group_size(group->request))
            return cub;
        if (cub->kind == &bench_peer_cub)
            alone = cub;
    }
    return has_groups ? NULL : alone;
}

/* What several devices gain: one device is the library without a group. */
static void print_ratios(const bench_lineup *lineup)
{
    const measure_contender *one = NULL;

    for (size_t i = 0; i < lineup->count; ++i) {
        const measure_contender *contender = &lineup->all[i], *cub;

        if (contender->outcome != MEASURE_OK)
            continue;
        if (contender->kind == &measure_library)
            one = contender;
        if (one == NULL || !is_group(contender))
            continue;
        printf("%10.3f times as fast as one device: %s\n", one->statistics.median / contender->statistics.median,
               contender->name);
        cub = find_cub(lineup, contender);
        if (cub != NULL)
            printf("%10.3f times as fast as %s: %s\n", cub->statistics.median / contender->statistics.median, cub->name,
                   contender->name);
    }
    fflush(stdout);
}

/* Host memory beside the link of as many devices, which comes before. */
static void print_links(const bench_lineup *lineup)
{
    const measure_contender *link = NULL;

    for (size_t i = 0; i < lineup->count; ++i) {
        const measure_contender *contender = &lineup->all[i];

        if (contender->kind == &bench_host_link)
            link = contender->outcome == MEASURE_OK ? contender : NULL;
        if ((contender->kind == &bench_pinned_scan || contender->kind == &bench_host_scan) && link != NULL &&
            contender->outcome == MEASURE_OK)
            printf("%10.3f of the link: %s\n", link->statistics.median / contender->statistics.median, contender->name);
    }
    fflush(stdout);
}

/* One line for a table: the library's rate as a part of the copy's, and of that of what only reads, and how it stands
 * beside each peer. */
static void print_table_line(const bench_experiment *experiment, const measure_case *c, const bench_lineup *lineup)
{
    const measure_contender *copy = measure_fastest_copy(lineup->all, lineup->count), *library = NULL;
    const measure_contender *read = measure_fastest_read(lineup->all, lineup->count);
    char text[MEASURE_NAME_BYTES];

    for (size_t i = 0; i < lineup->count; ++i)
        if (lineup->all[i].kind == &measure_library && lineup->all[i].outcome == MEASURE_OK)
            library = &lineup->all[i];
    if (library == NULL)
        return;
    bench_describe_problem(&c->problem, text, sizeof text);
    printf("%s, %s:", experiment->name, text);
    if (copy != NULL) {
        const bench_row row = {.c = c, .contender = library};

        printf(" %.3f of copy", bench_of_copy(&row, copy->statistics.median, library->statistics.median));
    }
    if (read != NULL) {
        const bench_row row = {.c = c, .contender = library};

        printf(", %.3f of read", bench_of_read(&row, read->statistics.median, library->statistics.median));
    }
    for (size_t i = 0; i < lineup->count; ++i) {
        const measure_contender *peer = &lineup->all[i];

        if (peer->kind->scans && peer != library && peer->outcome == MEASURE_OK)
            printf(", %.3f times as fast as %s", peer->statistics.median / library->statistics.median, peer->name);
    }
    putchar('\n');
    fflush(stdout);
}

static bool has_group(const bench_lineup *lineup)
{
    for (size_t i = 0; i < lineup->count; ++i) {
        if (is_group(&lineup->all[i]))
            return true;
    }
    return false;
}

/* Groups whose calls wait have a turn of their own: NVIDIA's driver takes twice as long for their calls while there is
 * anything in the process that has waited for user events. */
static void measure_blocking(const bench_session *s, const bench_suite_state *suite, const measure_case *c)
{
    line_up(s, c, suite, true);
    if (!has_group(s->lineup))
        return;
    bench_session_measure(s, c);
    print_ratios(s->lineup);
}

static void run_case(const bench_session *s, const measure_case *c, void *user)
{
    bench_suite_state *suite = user;

    bench_suite_find(s, suite, c);
    line_up(s, c, suite, false);
    bench_session_measure(s, c);
    if (suite->experiment->groups)
        print_ratios(s->lineup);
    print_links(s->lineup);
    if (suite->experiment->beside_peers)
        print_table_line(suite->experiment, c, s->lineup);
    if (suite->experiment->summary && !bench_summary_add(&suite->summary, c, s->lineup))
        s->report->failed = true;
    if (suite->experiment->groups)
        measure_blocking(s, suite, c);
}

/* The options' sizes, or those of the experiment. */
static size_t counts_of(const bench_options *options, const bench_experiment *experiment,
                        uint64_t (*counts)[BENCH_MAX_SIZES])
{
    size_t count = 0;

    if (options->size_count > 0) {
        memcpy(*counts, options->sizes, sizeof options->sizes);
        return options->size_count;
    }
    for (unsigned power = experiment->first_log2; power <= experiment->last_log2; ++power)
        (*counts)[count++] = UINT64_C(1) << power;
    return count;
}

static bool has_type(const bench_options *options, const bench_experiment *experiment, clscan_type type)
{
    if (memchr(options->types, true, sizeof options->types) != NULL)
        return options->types[type];
    if (experiment->structs != NULL) /* one, whatever it is made of */
        return type == CLSCAN_INT8;
    for (size_t i = 0; i < experiment->type_count; ++i) {
        if (experiment->types[i] == type)
            return true;
    }
    return false;
}

/* One problem after the other for every length of rows, and for every count those that are short enough. */
static void run_rows(bench_session *s, bench_suite_state *suite, const measure_problem *problem, const uint64_t *counts,
                     size_t count)
{
    const bench_experiment *experiment = suite->experiment;

    for (size_t i = 0; i < BENCH_MAX_EXPERIMENT_ROWS && experiment->row_counts[i] > 0; ++i)
        bench_session_run_rows(s, problem, experiment->row_counts[i], experiment->row_gap, counts, count, run_case,
                               suite);
    if (experiment->row_counts[0] > 0)
        return;
    for (unsigned power = experiment->first_row_log2; power <= experiment->last_row_log2; ++power)
        bench_session_run_rows(s, problem, UINT64_C(1) << power, experiment->row_gap, counts, count, run_case, suite);
}

/* What the experiment keeps, or sums, as the options say it. The problem points into memory of this function's. */
static void read_parts(const bench_experiment *experiment, measure_problem *problem)
{
    static bench_options said; /* large */
    clscan_error ignored;      /* texts of the suite are right */

    memset(&said, 0, sizeof said);
    if (experiment->select != NULL)
        (void)bench_read_share(experiment->select, &said, &ignored);
    if (experiment->segments != NULL)
        (void)bench_read_segments(experiment->segments, &said, &ignored);
    if (experiment->structs != NULL) {
        (void)bench_read_structs(experiment->structs, &said, &ignored);
        problem->element = &said.structs[0];
        problem->op = said.structs[0].described != NULL ? CLSCAN_CUSTOM : CLSCAN_ADD;
    }
    if (experiment->accumulator != NULL)
        (void)bench_read_accumulator(experiment->accumulator, &said.maps, &ignored);
    if (experiment->output_type != NULL)
        (void)bench_read_output_type(experiment->output_type, &said.maps.output, &ignored);
    said.maps.offsets = experiment->offsets;
    said.load = experiment->load;
    said.store = experiment->store;
    problem->maps = bench_options_maps(&said);
    problem->selects = said.select;
    problem->in_place = problem->in_place && measure_may_select_in_place(said.select) &&
                        !(experiment->offsets && (experiment->rows || experiment->tensor.dimensions > 0));
    problem->per_mille = said.per_mille;
    problem->cluster = said.cluster;
    problem->segments = said.segments;
    problem->segment_length = said.segment_length;
    problem->power_law = said.power_law;
    problem->reduces = experiment->reduces;
    problem->form = experiment->exclusive || experiment->offsets ? CLSCAN_EXCLUSIVE : CLSCAN_INCLUSIVE;
}

static void run_experiment(bench_session *s, bench_suite_state *suite)
{
    const bench_experiment *experiment = suite->experiment;
    uint64_t counts[BENCH_MAX_SIZES];
    const size_t count = counts_of(s->options, experiment, &counts);

    printf("\n==== %s %s: %s\n", experiment->suite, experiment->name, experiment->title);
    s->report->experiment = experiment;
    for (s->round = 1; s->round <= s->options->rounds; ++s->round) {
        for (int type = 0; type < CLSCAN_TYPE_COUNT; ++type) {
            measure_problem problem = {.type = (clscan_type)type,
                                       .op = CLSCAN_ADD,
                                       .form = CLSCAN_INCLUSIVE,
                                       .direction = CLSCAN_FORWARD,
                                       .in_place = s->options->in_place,
                                       .reproducible = experiment->reproducible};

            if (!has_type(s->options, experiment, (clscan_type)type))
                continue;
            read_parts(experiment, &problem);
            if (experiment->tensor.dimensions > 0)
                bench_session_run_tensors(s, &problem, &experiment->tensor, counts, count, run_case, suite);
            else if (experiment->rows)
                run_rows(s, suite, &problem, counts, count);
            else
                bench_session_run_counts(s, &problem, counts, count, run_case, suite);
        }
    }
    if (experiment->summary)
        bench_summary_print(&suite->summary);
    bench_summary_free(&suite->summary);
}

typedef struct wish {
    const char *name;
    bool found;
} wish;

static clscan_status compare_word(const char *word, void *user, clscan_error *error)
{
    wish *wanted = user;

    (void)error;
    wanted->found = wanted->found || strcmp(word, wanted->name) == 0;
    return CLSCAN_OK;
}

static bool is_wanted(const bench_options *options, const bench_experiment *experiment)
{
    wish wanted = {.name = experiment->name, .found = options->experiments == NULL};
    clscan_error ignored;

    if (options->experiments != NULL)
        (void)bench_each_word(options->experiments, compare_word, &wanted, &ignored);
    return wanted.found && strcmp(experiment->suite, options->suite) == 0;
}

bool bench_suite_run(bench_session *session, measure_note *note)
{
    const bench_options *options = session->options;
    static bench_suite_state suite; /* large */
    bench_candidates candidates = {0};
    size_t run = 0;

    if (options->candidates != NULL && !bench_candidates_read(options->candidates, &candidates, note))
        return false;
    for (const bench_experiment *one = bench_experiments; one->suite != NULL; ++one) {
        if (!is_wanted(options, one))
            continue;
        memset(&suite, 0, sizeof suite);
        suite.experiment = one;
        suite.candidates = options->candidates != NULL ? &candidates : NULL;
        run_experiment(session, &suite);
        ++run;
    }
    bench_candidates_free(&candidates);
    return run > 0 || measure_fail(note, "suite %s has no such experiment", options->suite);
}
