#include "summary.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool bench_summary_add(bench_summary *summary, const measure_case *c, const bench_lineup *lineup)
{
    bench_figure *grown = realloc(summary->all, (summary->count + lineup->count) * sizeof *grown);

    if (grown == NULL)
        return false;
    summary->all = grown;
    for (size_t i = 0; i < lineup->count; ++i) {
        const measure_contender *contender = &lineup->all[i];
        bench_figure *next = &grown[summary->count];

        if (contender->outcome != MEASURE_OK || !contender->kind->scans)
            continue;
        memcpy(next->name, contender->name, sizeof next->name);
        next->type = c->problem.type;
        next->count = c->problem.count;
        next->geps = (double)c->problem.count / contender->statistics.median;
        ++summary->count;
    }
    return true;
}

void bench_summary_free(bench_summary *summary)
{
    free(summary->all);
    *summary = (bench_summary){0};
}

/* The figure of a contender at a count; 0 if it has none. */
static double find(const bench_summary *summary, const char *name, clscan_type type, uint64_t count)
{
    for (size_t i = 0; i < summary->count; ++i) {
        const bench_figure *figure = &summary->all[i];

        if (figure->type == type && figure->count == count && strcmp(figure->name, name) == 0)
            return figure->geps;
    }
    return 0;
}

/* Is this the first figure of its contender and type, or of its count? */
static bool is_first(const bench_summary *summary, size_t index, bool of_count)
{
    const bench_figure *figure = &summary->all[index];

    for (size_t i = 0; i < index; ++i) {
        const bench_figure *before = &summary->all[i];

        if (of_count ? before->count == figure->count
                     : before->type == figure->type && strcmp(before->name, figure->name) == 0)
            return false;
    }
    return true;
}

/* A contender's figures at all counts, their mean and the largest. */
static void print_line(const bench_summary *summary, const bench_figure *of)
{
    double sum = 0, largest = 0;
    size_t count = 0;

    printf("%-24s %-8s", of->name, clscan_type_name(of->type));
    for (size_t i = 0; i < summary->count; ++i) {
        const double geps = find(summary, of->name, of->type, summary->all[i].count);

        if (!is_first(summary, i, true))
            continue;
        if (geps > 0)
            printf(" %11.2f", geps);
        else
            printf(" %11s", "-");
        sum += geps;
        count += geps > 0;
        largest = geps > largest ? geps : largest;
    }
    printf(" %11.2f %11.2f\n", sum / (double)count, largest);
}

void bench_summary_print(const bench_summary *summary)
{
    printf("\n%-33s", "billions of elements per second");
    for (size_t i = 0; i < summary->count; ++i) {
        if (is_first(summary, i, true))
            printf(" %11" PRIu64, summary->all[i].count);
    }
    printf(" %11s %11s\n", "average", "maximum");
    for (size_t i = 0; i < summary->count; ++i) {
        if (is_first(summary, i, false))
            print_line(summary, &summary->all[i]);
    }
    fflush(stdout);
}
