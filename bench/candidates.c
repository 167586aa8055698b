#include "candidates.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#define NO_REGISTERS " register_pieces=0"

static bool add(bench_candidates *candidates, const char *text, double ns_per_element, measure_note *note)
{
    bench_candidate *known = NULL;
    bench_candidate *grown;

    if (strlen(text) >= sizeof known->variant)
        return measure_fail(note, "a variant is longer than %zu bytes", sizeof known->variant - 1);
    for (size_t i = 0; i < candidates->count && known == NULL; ++i)
        known = strcmp(candidates->all[i].variant, text) == 0 ? &candidates->all[i] : NULL;
    if (known != NULL) {
        if (ns_per_element < known->ns_per_element)
            known->ns_per_element = ns_per_element;
        return true;
    }
    grown = realloc(candidates->all, (candidates->count + 1) * sizeof *grown);
    if (grown == NULL)
        return measure_fail(note, "no memory");
    candidates->all = grown;
    grown += candidates->count++;
    strcpy(grown->variant, text);
    grown->ns_per_element = ns_per_element;
    return true;
}

/* Only finished trials with a right result count. */
static bool add_record(bench_candidates *candidates, const json_t *record, measure_note *note)
{
    const json_t *trial = json_object_get(record, "finished");
    const char *outcome = json_string_value(json_object_get(trial, "outcome"));
    const char *variant = json_string_value(json_object_get(trial, "variant"));
    const double count = (double)json_integer_value(json_object_get(trial, "count"));
    const double time_ns = json_number_value(json_object_get(trial, "time_ns"));

    if (outcome == NULL || strcmp(outcome, "correct") != 0 || variant == NULL || !(count > 0) || !(time_ns > 0))
        return true;
    return add(candidates, variant, time_ns / count, note);
}

static bool add_line(bench_candidates *candidates, char *line, bool ends, measure_note *note)
{
    clscan_variant variant;
    clscan_error error;
    json_error_t where;
    json_t *record;
    bool good;

    if (line[0] == '{') {
        record = json_loads(line, 0, &where);
        if (record == NULL) /* the last line may be torn by the end of the run */
            return !ends || measure_fail(note, "%s", where.text);
        good = add_record(candidates, record, note);
        json_decref(record);
        return good;
    }
    line[strcspn(line, "#\r\n")] = '\0';
    line += strspn(line, " \t");
    for (size_t length = strlen(line); length > 0 && (line[length - 1] == ' ' || line[length - 1] == '\t'); --length)
        line[length - 1] = '\0';
    if (line[0] == '\0')
        return true;
    if (clscan_variant_parse(line, &variant, &error) != CLSCAN_OK)
        return measure_fail(note, "%.400s", error.message);
    return add(candidates, line, 0, note);
}

static int faster_first(const void *left, const void *right)
{
    const double a = ((const bench_candidate *)left)->ns_per_element;
    const double b = ((const bench_candidate *)right)->ns_per_element;

    return (a > b) - (a < b);
}

bool bench_candidates_read(const char *path, bench_candidates *candidates, measure_note *note)
{
    FILE *file = fopen(path, "r");
    measure_note reason;
    char *line = NULL;
    size_t capacity = 0, number = 0;
    bool good = true, is_journal = false;

    *candidates = (bench_candidates){0};
    if (file == NULL)
        return measure_fail(note, "%s: %s", path, strerror(errno));
    while (good && getline(&line, &capacity, file) >= 0) {
        ++number;
        is_journal = is_journal || line[0] == '{';
        good = add_line(candidates, line, strchr(line, '\n') != NULL, &reason);
        if (!good)
            measure_fail(note, "%.400s: line %zu: %.500s", path, number, reason.text);
    }
    if (good && (ferror(file) || candidates->count == 0))
        good = measure_fail(note, "%.400s: %s", path, ferror(file) ? "cannot be read" : "there is no variant in it");
    free(line);
    fclose(file);
    if (!good)
        bench_candidates_free(candidates);
    else if (is_journal) /* a list stays in its own order */
        qsort(candidates->all, candidates->count, sizeof *candidates->all, faster_first);
    return good;
}

void bench_candidates_free(bench_candidates *candidates)
{
    free(candidates->all);
    *candidates = (bench_candidates){0};
}

size_t bench_candidates_like(const bench_candidates *candidates, const char *grid, char (*variants)[MEASURE_NAME_BYTES],
                             size_t capacity)
{
    const size_t axes_bytes = strcspn(grid, " ") + 1; /* with the blank */
    const char *no_registers = strstr(grid, NO_REGISTERS " ");
    size_t count = 0;

    for (size_t i = 0; i < candidates->count && count < capacity; ++i) {
        const char *variant = candidates->all[i].variant;

        if (strncmp(variant, grid, axes_bytes) == 0 &&
            (no_registers == NULL || strstr(variant, NO_REGISTERS " ") != NULL))
            strcpy(variants[count++], variant);
    }
    return count;
}
