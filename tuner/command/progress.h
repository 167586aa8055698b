/* What the user sees while the tuner works: one line that changes on a terminal, a line now and then elsewhere. */
#ifndef CLSCAN_TUNER_PROGRESS_H
#define CLSCAN_TUNER_PROGRESS_H

#include <stdbool.h>
#include <stdio.h>

#include "search/search.h"

typedef struct tune_progress {
    FILE *stream;
    bool terminal;
    size_t target; /* 1 .. target_count; 0 before the first one */
    size_t target_count;
    double deadline_s;                     /* of the whole run, in its seconds; 0: none */
    uint64_t outcomes[TUNE_OUTCOME_COUNT]; /* of this target's trials */
    uint64_t trials;
    double begun_s; /* when this target began */
    double shown_s; /* when a line was written last */
    int width;      /* characters of the line that stands on the terminal */
} tune_progress;

void tune_progress_begin(tune_progress *progress, FILE *stream, size_t target_count, double deadline_s);
/* The next target. */
void tune_progress_target(tune_progress *progress, const tune_target *target, size_t counts, double elapsed_s);
/* As tune_search_setup.progress, with the tune_progress as its user. */
void tune_progress_trial(void *user, const tune_search *search, const tune_trial *trial);
/* The search of the target is over, and its winners are compared and soaked. */
void tune_progress_soaking(tune_progress *progress);
/* Take the line off the terminal, so that something else can be written. */
void tune_progress_clear(tune_progress *progress);

#define TUNE_DURATION_BYTES 24
/* "1:05" or "2:03:00". */
const char *tune_duration(double seconds, char text[TUNE_DURATION_BYTES]);

#define TUNE_TARGET_TEXT_BYTES 96
/* "4-byte builtin, by add on int32". */
const char *tune_target_text(const tune_target *target, char text[TUNE_TARGET_TEXT_BYTES]);

#define TUNE_COUNT_TEXT_BYTES 24
/* "2^20" or "1000". */
const char *tune_count_text(uint64_t count, char text[TUNE_COUNT_TEXT_BYTES]);

#endif
