/* The run's memory on disk: a header line, then a line before and a line after each trial, as JSON.
 *
 * Lines are only appended. The file is valid whenever the process is killed: a torn last line is cut off when it is
 * opened again. */
#ifndef CLSCAN_TUNER_JOURNAL_H
#define CLSCAN_TUNER_JOURNAL_H

#include <stddef.h>
#include <stdint.h>

#include "record/header.h"
#include "record/memo.h"
#include "trial/trial.h"

typedef struct tune_journal tune_journal;

/* Start a journal. A file that exists is refused, unless it is empty or holds nothing but a torn header line.
 * CLSCAN_ERROR_FILE names the file and the reason. */
clscan_status tune_journal_create(const char *path, const tune_header *header, tune_journal **journal,
                                  clscan_error *error);

/* Open a journal to go on with it. Cuts off a torn last line, and records the trials that were started twice and
 * never finished as `timeout`. CLSCAN_ERROR_FILE: not there, not writable, in use by another process, or not a
 * journal (with the line). */
clscan_status tune_journal_resume(const char *path, tune_journal **journal, clscan_error *error);

/* Open a journal to read it. Writes nothing. */
clscan_status tune_journal_read(const char *path, tune_journal **journal, clscan_error *error);

void tune_journal_close(tune_journal *journal);

const tune_header *tune_journal_about(const tune_journal *journal);
const char *tune_journal_path(const tune_journal *journal);

/* The answers, those of this run included, in the order of recording. */
const tune_memo *tune_journal_trials(const tune_journal *journal);
/* What soaking said of a variant at a count; NULL: it was not soaked. */
const tune_trial *tune_journal_find_soak(const tune_journal *journal, const tune_trial *question);
/* What the last comparison said of it; NULL: nothing. */
const tune_trial *tune_journal_find_compared(const tune_journal *journal, const tune_trial *question);
/* Seconds of the run when the last recorded trial ended. */
double tune_journal_elapsed_s(const tune_journal *journal);
/* The same when the journal was opened: where the clock goes on. */
double tune_journal_resumed_s(const tune_journal *journal);

/* Append a line about a trial; with finished, soaked and compared it is on the disk when the call returns. `abandoned`
 * takes a start back: the trial was interrupted, which is not its fault. CLSCAN_ERROR_FILE, as for a full disk; then
 * nothing more is written. */
clscan_status tune_journal_started(tune_journal *journal, const tune_trial *trial, clscan_error *error);
clscan_status tune_journal_abandoned(tune_journal *journal, const tune_trial *trial, clscan_error *error);
clscan_status tune_journal_finished(tune_journal *journal, const tune_trial *trial, clscan_error *error);
clscan_status tune_journal_soaked(tune_journal *journal, const tune_trial *trial, clscan_error *error);
clscan_status tune_journal_compared(tune_journal *journal, const tune_trial *trial, clscan_error *error);

#endif
