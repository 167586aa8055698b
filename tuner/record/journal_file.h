/* An open journal from the inside. */
#ifndef CLSCAN_TUNER_JOURNAL_FILE_H
#define CLSCAN_TUNER_JOURNAL_FILE_H

#include <sys/types.h>

#include "record/journal.h"

/* Kinds of lines after the header; each line is an object with this one key. */
#define STARTED "started"
#define ABANDONED "abandoned"
#define FINISHED "finished"
#define SOAKED "soaked"
#define COMPARED "compared"

struct tune_journal {
    char *path;
    int descriptor; /* -1: it is only read */
    off_t size_bytes;
    tune_header header;
    tune_memo finished;
    tune_memo open; /* `runs` counts how often a trial was started since it was last finished */
    tune_memo soaks;
    tune_memo compared;
    double elapsed_s;
    double resumed_s;
};

/* Read all complete lines. A last one that is torn, or that a power cut left as garbage, is not counted in
 * journal->size_bytes; any other line that cannot be read is an error. */
clscan_status tune_journal_parse(tune_journal *journal, const char *text, size_t size_bytes, clscan_error *error);

#endif
