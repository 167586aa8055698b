/* The log of a run in the community's results format T4, version 1.1.0.
 *
 * Every trial is a result, the failed ones with their kind of failure. Beside what T4 names, the file holds clscan's
 * own record under the key "clscan", of the run and of each trial, so that nothing is lost and it can be replayed. */
#ifndef CLSCAN_TUNER_T4_H
#define CLSCAN_TUNER_T4_H

#include "record/header.h"
#include "record/memo.h"

/* The document; NULL if memory ran out. */
json_t *tune_t4_to_json(const tune_header *header, const tune_memo *trials);

/* Read such a document; `name` is for messages. As tune_t4_read(). */
clscan_status tune_t4_from_json(const json_t *document, const char *name, tune_header *header, tune_memo *trials,
                                clscan_error *error);

/* Write all of `trials`, through a temporary file. CLSCAN_ERROR_FILE as from tune_save(). */
clscan_status tune_t4_write(const char *path, const tune_header *header, const tune_memo *trials, clscan_error *error);

/* Read a file that tune_t4_write() wrote. Release both also after a failure. CLSCAN_ERROR_FILE names the file and
 * what is wrong with it; T4 files of other programs are refused. */
clscan_status tune_t4_read(const char *path, tune_header *header, tune_memo *trials, clscan_error *error);

#endif
