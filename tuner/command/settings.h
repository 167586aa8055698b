/* What the command line of clscan-tune asks for. */
#ifndef CLSCAN_TUNER_SETTINGS_H
#define CLSCAN_TUNER_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "search/search.h"
#include "space/space.h"

#define TUNE_COMPILERS_AUTO UINT64_MAX
#define TUNE_MAX_ELEMENTS 16

typedef struct tune_settings {
    const char *device;  /* NULL: the default device */
    const char *devices; /* of a group that is measured instead; NULL: no group */
    const char *links;   /* of its devices, or "measure"; NULL: by PCI addresses, else measured */

    /* What is tuned. Where nothing is given, what --quick or the device suggests. */
    bool operations[CLSCAN__CONFIG_OPERATION_COUNT];
    bool types[CLSCAN_TYPE_COUNT];
    bool types_given;        /* on the command line */
    clscan_type output_type; /* in which elements are combined; CLSCAN_TYPE_COUNT: the element type */
    measure_element elements[TUNE_MAX_ELEMENTS];
    size_t element_count;
    bool classes[CLSCAN_OPERATOR_CLASS_COUNT];
    uint64_t counts[TUNE_MAX_COUNTS]; /* ascending */
    size_t count_count;
    bool reproducible; /* plans with the same bits everywhere */

    /* How. */
    const tune_strategy *strategy; /* NULL: that of the log, for replay only */
    tune_space_name space;
    const char *only;    /* NULL: no restriction */
    uint64_t seed;       /* 0: from the clock; what was taken is in the journal */
    double budget_s;     /* at least 1 s */
    bool budget_given;   /* on the command line */
    uint64_t max_trials; /* of each target; 0: no limit */
    uint64_t soak_runs;
    bool soak_given;    /* on the command line */
    uint64_t compilers; /* worker processes that compile ahead; TUNE_COMPILERS_AUTO: by the number of cores */
    bool quick;
    bool wait; /* for another tuner on the same device */

    /* Where to. NULL: the default place. */
    const char *output;
    const char *journal;
    const char *t4;

    /* What to do instead of a fresh run. */
    bool resume;
    bool dry_run;
    bool list;
    bool version;
    const char *replay;
    const char *without; /* as if no config were for this key or class; for replay only */
    const char *verify;
    bool renew;   /* the revisions of `files` */
    char **files; /* a part of argv */
    size_t file_count;
    const char *recorded_device; /* file that describes one; NULL: a live device */
} tune_settings;

/* Read the command line. Returns true if the program should go on; else the help has been shown, or a mistake
 * explained on stderr, and *exit_code says which. */
bool tune_settings_read(int argc, char **argv, tune_settings *settings, int *exit_code);

/* Explain wrong usage that shows only later; returns the exit code. */
int tune_settings_wrong(const clscan_error *error);

#endif
