/* The run's memory on disk: a header line, then a line before and a line after each trial, as JSON.
 *
 * Lines are only appended. The file is valid whenever the process is killed: a torn last line is cut off when it is
 * opened again. */
#ifndef CLSCAN_TUNER_JOURNAL_H
#define CLSCAN_TUNER_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "memo.h"
#include "trial.h"

#define TUNE_JOURNAL_VERSION 1

/* One target of the run: its ladder, and what the runtime chose when the run began. */
typedef struct tune_journal_target {
    tune_target target;
    uint64_t *counts; /* ascending */
    clscan_variant *defaults;
    size_t count_count;
} tune_journal_target;

/* What a run is. A journal is resumed only by the same one. */
typedef struct tune_journal_header {
    clscan_device_info device;
    char clscan_version[24];
    char space[24];
    char only[256];
    char strategy[24];
    uint64_t seed;
    tune_journal_target *targets;
    size_t target_count;
} tune_journal_header;

typedef struct tune_journal tune_journal;

/* Start a journal; a file that exists is refused (CLSCAN_ERROR_FILE) unless nothing but a torn header is in it. */
clscan_status tune_journal_create(const char *path, const tune_journal_header *header, tune_journal **journal,
                                  clscan_error *error);

/* Open a journal to go on with it. CLSCAN_ERROR_FILE: not there, not writable, in use by another process, or not a
 * journal (with the line). What it says of the run is in tune_journal_about(). */
clscan_status tune_journal_resume(const char *path, tune_journal **journal, clscan_error *error);

/* Open a journal to read it. Writes nothing. */
clscan_status tune_journal_read(const char *path, tune_journal **journal, clscan_error *error);

void tune_journal_close(tune_journal *journal);

const tune_journal_header *tune_journal_about(const tune_journal *journal);
const char *tune_journal_path(const tune_journal *journal);

/* May a run with this header go on with the journal? CLSCAN_ERROR_INVALID_VALUE names what differs. */
clscan_status tune_journal_matches(const tune_journal *journal, const tune_journal_header *header, clscan_error *error);

/* The recorded answers, in order. A trial that was started twice and never finished is among them as `timeout`. */
const tune_memo *tune_journal_trials(const tune_journal *journal);
/* Seconds of the run when the last recorded trial ended. */
double tune_journal_elapsed_s(const tune_journal *journal);

/* Append the line before and the line after a trial. The second is on the disk when the call returns.
 * CLSCAN_ERROR_FILE, as for a full disk; then nothing more is written. */
clscan_status tune_journal_started(tune_journal *journal, const tune_trial *trial, clscan_error *error);
clscan_status tune_journal_finished(tune_journal *journal, const tune_trial *trial, clscan_error *error);

/* The same for soaking. *found: the recorded outcome of soaking the trial's variant at its count, if any. */
clscan_status tune_journal_soaked(tune_journal *journal, const tune_trial *trial, clscan_error *error);
const tune_trial *tune_journal_find_soak(const tune_journal *journal, const tune_trial *trial);

/* Release what a header points to. */
void tune_journal_header_free(tune_journal_header *header);

#endif
