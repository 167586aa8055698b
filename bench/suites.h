/* Experiments of papers, as tables. */
#ifndef CLSCAN_BENCH_SUITES_H
#define CLSCAN_BENCH_SUITES_H

#include "measure/measure.h"

typedef enum bench_rung_kind {
    BENCH_RUNG_BEST,     /* the fastest of its variants, found before the case is measured */
    BENCH_RUNG_EACH,     /* every one of its variants */
    BENCH_RUNG_STATIC,   /* the variant of the rung before, with static ids */
    BENCH_RUNG_CONFIG,   /* what the configs choose */
    BENCH_RUNG_STRIDES,  /* copies with strides */
    BENCH_RUNG_LOOP,     /* the fastest of copies with loops (loops.h), found as BEST is */
    BENCH_RUNG_GROUPS,   /* groups of 2, 4, ... devices (groups.h) */
    BENCH_RUNG_SPLIT,    /* the same, and all of them share each row */
    BENCH_RUNG_NETWORKS, /* the same, and smaller groups of 2, 4, ... share rows of their own */
    BENCH_RUNG_HOST,     /* host memory through 1, 2, 4, ... devices, and what their links carry (host_groups.h) */
    BENCH_RUNG_CUB,      /* CUB, if it is a peer of the command line; rows also by one on each of 2, 4, ... devices */
    BENCH_RUNG_PEERS     /* the peers of the command line */
} bench_rung_kind;

/* Contenders of an experiment that belong together. */
typedef struct bench_rung {
    const char *label; /* of the rows; NULL ends a list */
    bench_rung_kind kind;
    const char *for_gpu; /* grids of variants or of copies (grid.h), where the kind takes them */
    const char *for_cpu;
} bench_rung;

#define BENCH_MAX_EXPERIMENT_TYPES 4
#define BENCH_MAX_EXPERIMENT_ROWS 4

typedef struct bench_experiment {
    const char *suite;
    const char *name;
    const char *title;
    clscan_type types[BENCH_MAX_EXPERIMENT_TYPES];
    size_t type_count;
    unsigned first_log2, last_log2;                       /* of the counts, each twice the one before */
    const char *select;                                   /* as --select says it; NULL: no selection */
    const char *segments;                                 /* as --segments says it; NULL: none */
    bool reduces;                                         /* sums of the segments */
    const char *structs;                                  /* as --structs says it, one; NULL: types are scalars */
    const char *accumulator, *output_type, *load, *store; /* as these options say it; NULL: none */
    bool offsets;
    bool fixed; /* --types and --in-place have no use */
    bool exclusive;
    bool beside_peers; /* a line with the ratios to copy and peers after each case */
    bool rows;         /* each count is cut into rows, of all these lengths that do not exceed it */
    unsigned first_row_log2, last_row_log2;
    uint64_t row_counts[BENCH_MAX_EXPERIMENT_ROWS]; /* these lengths instead; 0 ends them */
    uint64_t row_gap;                               /* elements between two rows */
    clscan_rows tensor; /* each count is one of these, whose first extent follows from it; dimensions of 0: none */
    bool reproducible;  /* plans */
    bool summary;       /* tables of elements per second at the end */
    bool groups;        /* of devices: times by the host's clock, and their ratio to those of one device */
    const bench_rung *rungs;
} bench_experiment;

extern const bench_experiment bench_experiments[]; /* ends with a NULL suite */

/* Does the suite (NULL: none) time groups of devices, which have no events in common? */
bool bench_suite_has_groups(const char *suite);

/* Do its experiments name types that nothing else can replace? */
bool bench_suite_is_fixed(const char *suite);

#endif
