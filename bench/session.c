#include "session.h"

#include <inttypes.h>
#include <stdio.h>

#include <reference.h>

#include "columns.h"
#include "measure/case.h"
#include "measure/contenders.h"
#include "measure/host_memory.h"
#include "measure/rotation.h"
#include "measure/rows.h"
#include "overhead.h"

/* Problems that differ in their count only, and the memory for the largest of them that fits. */
typedef struct family {
    measure_problem problem; /* its count is no one's */
    const uint64_t *counts;
    size_t count;
    uint64_t host_bytes; /* free when the family began */
    measure_case whole;  /* .expected is NULL while there is none */
    bench_run_case *run;
    void *user;
} family;

void bench_session_measure(const bench_session *s, const measure_case *c)
{
    bench_lineup *lineup = s->lineup;

    measure_contenders(c, lineup->all, lineup->count, s->options->runs);
    bench_report_case(s->report, c, s->round, s->options->runs, lineup->all, lineup->count);
    measure_release(lineup->all, lineup->count);
}

static void run_throughput(const bench_session *s, const measure_case *c, void *user)
{
    (void)user;
    s->lineup->count = 0;
    bench_lineup_add_yardsticks(s->lineup, s->options, c);
    bench_lineup_add_library(s->lineup, s->options, c);
    bench_lineup_add_peers(s->lineup, s->options, c);
    bench_session_measure(s, c);
}

static void run_overhead(const bench_session *s, const measure_case *c, void *user)
{
    bench_lineup *lineup = s->lineup;
    char text[MEASURE_NAME_BYTES];

    (void)user;
    lineup->count = 0;
    bench_lineup_add_library(lineup, s->options, c);
    bench_describe_problem(&c->problem, text, sizeof text);
    printf("\n%s: host time of a call\n%14s %14s %8s\n", text, "clscan_run ns", "bare calls ns", "ratio");
    for (size_t i = 0; i < lineup->count; ++i) {
        measure_contender *contender = &lineup->all[i];
        double call_ns = 0, bare_ns = 0;

        measure_prepare(c, contender);
        if (contender->outcome == MEASURE_OK)
            measure_case_validate(c, contender);
        if (contender->outcome == MEASURE_OK &&
            !bench_overhead_measure(c, contender, s->options->runs, &call_ns, &bare_ns))
            contender->outcome = MEASURE_FAILED;
        if (contender->outcome == MEASURE_OK)
            printf("%14.0f %14.0f %8.2f  %s: %s (%s)\n", call_ns, bare_ns, call_ns / bare_ns, contender->name,
                   contender->variant, contender->one_command ? "one launch" : "several launches");
        else
            printf("%38s  %s: %s (%s)\n", bench_outcome_name(contender->outcome), contender->name, contender->variant,
                   contender->note.text);
        if (contender->outcome == MEASURE_WRONG || contender->outcome == MEASURE_FAILED)
            s->report->failed = true;
    }
    measure_release(lineup->all, lineup->count);
}

static measure_problem problem_of(const family *f, uint64_t count)
{
    measure_problem problem = f->problem;

    problem.count = count;
    problem.bytes = count * measure_element_bytes(&problem) * measure_column_count(problem.selects);
    return problem;
}

/* Without this the right answer could not be made. */
static const char *types_obstacle(const bench_session *s, const measure_problem *problem, measure_note *note)
{
    const clscan_type types[] = {problem->type, measure_sum_type(problem), measure_output_type(problem)};
    clscan_error error;

    for (size_t i = 0; problem->maps != NULL && i < sizeof types / sizeof types[0]; ++i) {
        if (clscan_device_check_type(&s->device->info, types[i], &error) == CLSCAN_OK)
            continue;
        measure_fail(note, "%s", error.message);
        return note->text;
    }
    return NULL;
}

static const char *obstacle(const bench_session *s, const family *f, const measure_problem *problem, measure_note *note)
{
    const char *reason = types_obstacle(s, problem, note);

    if (reason == NULL)
        reason = measure_case_obstacle(&s->device->info, problem, 0, note);

    if (problem->reproducible && problem->element == NULL &&
        !clscan_reference_depends_on_grouping(problem->type, problem->op))
        return "all its plans are reproducible; measure it without --reproducible";
    return reason != NULL ? reason : measure_host_obstacle(&s->device->info, problem, f->host_bytes, note);
}

static uint64_t largest_count(const bench_session *s, const family *f)
{
    uint64_t largest = 0;
    measure_note note;

    for (size_t i = 0; i < f->count; ++i) {
        const measure_problem problem = problem_of(f, f->counts[i]);

        if (problem.count > largest && obstacle(s, f, &problem, &note) == NULL)
            largest = problem.count;
    }
    return largest;
}

/* Making an input and its answer takes longer than scanning it, so the smaller forward scans are prefixes of the
 * largest one. Others are made anew. */
static bool make_case(const bench_session *s, family *f, const measure_problem *problem, measure_case *c,
                      measure_note *note)
{
    const bool is_prefix =
        problem->direction == CLSCAN_FORWARD && !problem->reduces && !problem->selects && problem->segment_length == 0;
    const measure_problem whole = is_prefix ? problem_of(f, largest_count(s, f)) : *problem;

    if (!is_prefix)
        measure_case_destroy(&f->whole);
    if (f->whole.expected == NULL && !measure_case_create(s->device, &whole, &f->whole, note))
        return false;
    *c = measure_case_prefix(&f->whole, problem->count);
    return true;
}

/* The buffers of a rotation stand beside those of the case. */
static bool has_room(const bench_session *s, const measure_case *c, uint64_t more_bytes, measure_note *note)
{
    const clscan_device_info *info = &s->device->info;
    const uint64_t needed = 2 * measure_buffer_bytes(&c->problem) + more_bytes;
    const bool is_cpu = info->device_class == CLSCAN_DEVICE_CLASS_CPU;
    const uint64_t host_bytes = is_cpu ? measure_host_memory_bytes() : UINT64_MAX;

    if (more_bytes / 2 > info->max_allocation_bytes)
        return measure_fail(note,
                            "cold caches need buffers of %" PRIu64 " MiB, the device's largest has %" PRIu64 " MiB",
                            more_bytes >> 21, info->max_allocation_bytes >> 20);
    if (needed > info->global_memory_bytes || more_bytes > host_bytes)
        return measure_fail(note, "cold caches need %" PRIu64 " MiB beside the case's own buffers, more than there is",
                            more_bytes >> 20);
    return true;
}

static void run_cold(const bench_session *s, const family *f, const measure_case *c)
{
    const uint64_t more_bytes = measure_rotation_bytes(s->device, &c->problem);
    measure_case cold = *c;
    measure_note note;

    if (!has_room(s, c, more_bytes, &note)) {
        bench_report_skipped(s->report, &c->problem, note.text);
        return;
    }
    cold.rotation = measure_rotation_create(c, &note);
    if (cold.rotation == NULL) {
        bench_report_skipped(s->report, &c->problem, note.text);
        s->report->failed = true;
        return;
    }
    f->run(s, &cold, f->user);
    measure_rotation_destroy(cold.rotation);
}

static void run_count(const bench_session *s, family *f, uint64_t count)
{
    const measure_problem problem = problem_of(f, count);
    measure_case c;
    measure_note note;
    const char *reason = obstacle(s, f, &problem, &note);

    if (reason == NULL && !make_case(s, f, &problem, &c, &note)) {
        reason = note.text;
        s->report->failed = true;
    }
    if (reason == NULL && count > c.exact_count) {
        measure_fail(&note, "sums of more than %" PRIu64 " of these elements are rounded, and depend on their grouping",
                     c.exact_count);
        reason = note.text;
    }
    if (reason != NULL) {
        bench_report_skipped(s->report, &problem, reason);
    } else {
        if (s->options->cache & BENCH_CACHE_WARM)
            f->run(s, &c, f->user);
        if (s->options->cache & BENCH_CACHE_COLD)
            run_cold(s, f, &c);
    }
}

void bench_session_run_counts(const bench_session *session, const measure_problem *problem, const uint64_t *counts,
                              size_t count, bench_run_case *run, void *user)
{
    family f = {.problem = *problem,
                .counts = counts,
                .count = count,
                .host_bytes = measure_host_memory_bytes(),
                .run = run,
                .user = user};

    for (size_t i = 0; i < count; ++i)
        run_count(session, &f, counts[i]);
    measure_case_destroy(&f.whole);
}

void bench_session_run_rows(const bench_session *session, const measure_problem *problem, uint64_t row_length,
                            uint64_t gap, const uint64_t *counts, size_t count, bench_run_case *run, void *user)
{
    const uint64_t pitch = gap > 0 ? row_length + gap : 0;
    measure_problem of_rows = *problem;

    for (size_t i = 0; i < count; ++i) {
        const uint64_t rows = counts[i] / row_length, elements = rows * row_length;

        of_rows.rows =
            (clscan_rows){.struct_size = sizeof of_rows.rows, .count = rows, .in_pitch = pitch, .out_pitch = pitch};
        if (measure_gives_offsets(problem))
            measure_rows_place_offsets(&of_rows.rows, row_length);
        if (rows > 0)
            bench_session_run_counts(session, &of_rows, &elements, 1, run, user);
    }
}

void bench_session_run_tensors(const bench_session *session, const measure_problem *problem, const clscan_rows *shape,
                               const uint64_t *counts, size_t count, bench_run_case *run, void *user)
{
    measure_problem of_rows = *problem;
    uint64_t others = 1;

    of_rows.rows = *shape;
    for (uint32_t i = 1; i < shape->dimensions; ++i)
        others *= shape->extents[i];
    for (size_t i = 0; i < count; ++i) {
        const uint64_t elements = counts[i] / others * others;

        of_rows.rows.extents[0] = counts[i] / others;
        if (elements == 0)
            continue;
        of_rows.rows.count = elements / of_rows.rows.extents[shape->axis];
        if (measure_gives_offsets(problem))
            measure_rows_place_offsets(&of_rows.rows, of_rows.rows.extents[shape->axis]);
        bench_session_run_counts(session, &of_rows, &elements, 1, run, user);
    }
}

/* On sums of the type. */
static bool is_defined(clscan_type type, clscan_operator op)
{
    return clscan_reference_operator(&(clscan_reference){.type = type, .op = op}) != NULL;
}

/* `sample` is NULL but with CLSCAN_CUSTOM of scalars, and `element` for scalars. */
static void run_problem(const bench_session *s, clscan_type type, const measure_element *element, clscan_operator op,
                        const clscan_sample_operator *sample)
{
    const bench_options *options = s->options;
    const measure_problem problem = {.type = type,
                                     .element = element,
                                     .op = op,
                                     .sample = sample,
                                     .maps = s->maps,
                                     .form = options->exclusive || options->maps.offsets ? CLSCAN_EXCLUSIVE
                                                                                         : CLSCAN_INCLUSIVE,
                                     .direction = options->reverse ? CLSCAN_REVERSE : CLSCAN_FORWARD,
                                     .in_place = options->in_place,
                                     .segments = options->segments,
                                     .segment_length = options->segment_length,
                                     .power_law = options->power_law,
                                     .reduces = options->reduce,
                                     .selects = options->select,
                                     .per_mille = options->per_mille,
                                     .cluster = options->cluster,
                                     .in_offset = options->in_offset,
                                     .out_offset = options->out_offset,
                                     .reproducible = options->reproducible};

    if (options->row_length > 0)
        bench_session_run_rows(s, &problem, options->row_length,
                               options->pitch > 0 ? options->pitch - options->row_length : 0, options->sizes,
                               options->size_count, run_throughput, NULL);
    else
        bench_session_run_counts(s, &problem, options->sizes, options->size_count,
                                 options->overhead ? run_overhead : run_throughput, NULL);
}

/* Described elements have an operator of their own, vectors those of their lanes. */
static void run_struct(const bench_session *s, const measure_element *element)
{
    const clscan_type lane = element->element.type;

    if (element->described != NULL) {
        run_problem(s, lane, element, CLSCAN_CUSTOM, NULL);
        return;
    }
    for (int op = 0; op < CLSCAN_CUSTOM; ++op)
        if (s->options->operators[op] && is_defined(lane, (clscan_operator)op))
            run_problem(s, lane, element, (clscan_operator)op, NULL);
}

/* Sums of half are float, which `measure` compares only where it is told of sums. */
static bool writes_wider(const bench_session *s, clscan_type type)
{
    return s->options->reduce && type == CLSCAN_HALF && s->maps == NULL;
}

static clscan_type sum_type(const bench_session *s, clscan_type type)
{
    const measure_problem problem = {.type = type, .maps = s->maps};

    return measure_sum_type(&problem);
}

/* Selections combine nothing: they are measured once, whatever the operators. */
static bool is_wanted(const bench_options *options, clscan_operator op)
{
    return options->select ? op == CLSCAN_ADD : options->operators[op];
}

void bench_session_run(bench_session *session)
{
    const bench_options *options = session->options;

    for (session->round = 1; session->round <= options->rounds; ++session->round) {
        for (int type = 0; type < CLSCAN_TYPE_COUNT; ++type) {
            for (int op = 0; op < CLSCAN_CUSTOM; ++op) {
                if (options->types[type] && is_wanted(options, (clscan_operator)op) &&
                    !writes_wider(session, (clscan_type)type) &&
                    is_defined(sum_type(session, (clscan_type)type), (clscan_operator)op))
                    run_problem(session, (clscan_type)type, NULL, (clscan_operator)op, NULL);
            }
            for (int i = 0; i < CLSCAN_SAMPLE_COUNT; ++i) {
                const clscan_sample_operator *sample = clscan_sample_find((clscan_sample)i, (clscan_type)type);

                if (options->types[type] && options->samples[i] && sample != NULL)
                    run_problem(session, (clscan_type)type, NULL, CLSCAN_CUSTOM, sample);
            }
        }
        for (size_t i = 0; i < options->struct_count; ++i)
            run_struct(session, &options->structs[i]);
    }
}
