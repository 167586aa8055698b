/* The command line that goes on with a run. */
#ifndef CLSCAN_TUNER_GO_ON_H
#define CLSCAN_TUNER_GO_ON_H

#include <stdio.h>

#include "command/settings.h"

/* Write a line for a shell: the program, --resume with the journal, and what the journal does not hold. */
void tune_go_on_print(FILE *stream, const tune_settings *settings, const char *journal_path);

#endif
