#include "work/pace.h"

#include <stdlib.h>

#define NS_PER_MS UINT64_C(1000000)
#define FACTOR 20    /* as long as the first one may others take */
#define LEAST_PART 5 /* and at least this part of the limit */

/* Compiling and validating do not depend on the count. */
static uint64_t count_for(tune_request_kind kind, const tune_trial *trial)
{
    return kind == TUNE_REQUEST_MEASURE ? trial->count : 0;
}

static const struct tune_pace_mark *find(const tune_pace *pace, tune_request_kind kind, const tune_trial *trial)
{
    for (size_t i = 0; i < pace->count; ++i) {
        const struct tune_pace_mark *mark = &pace->marks[i];

        if (mark->kind == kind && mark->count == count_for(kind, trial) &&
            tune_target_same_problem(&mark->target, &trial->target))
            return mark;
    }
    return NULL;
}

void tune_pace_note(tune_pace *pace, tune_request_kind kind, const tune_trial *trial, uint64_t took_ns)
{
    const bool is_paced = kind == TUNE_REQUEST_COMPILE || kind == TUNE_REQUEST_VALIDATE || kind == TUNE_REQUEST_MEASURE;

    if (!is_paced || find(pace, kind, trial) != NULL)
        return;
    if (pace->count == pace->capacity) {
        const size_t capacity = pace->capacity > 0 ? 2 * pace->capacity : 64;
        struct tune_pace_mark *grown = realloc(pace->marks, capacity * sizeof *grown);

        if (grown == NULL)
            return;
        pace->marks = grown;
        pace->capacity = capacity;
    }
    pace->marks[pace->count++] = (struct tune_pace_mark){kind, trial->target, count_for(kind, trial), took_ns};
}

uint32_t tune_pace_deadline(const tune_pace *pace, tune_request_kind kind, const tune_trial *trial, uint32_t most_ms)
{
    const struct tune_pace_mark *mark = find(pace, kind, trial);
    uint64_t paced_ms;

    if (mark == NULL)
        return most_ms;
    paced_ms = most_ms / LEAST_PART + FACTOR * mark->took_ns / NS_PER_MS;
    return paced_ms < most_ms ? (uint32_t)paced_ms : most_ms;
}

void tune_pace_free(tune_pace *pace)
{
    free(pace->marks);
    *pace = (tune_pace){0};
}
