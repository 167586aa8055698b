#ifndef CLSCAN_BENCH_OPTIONS_H
#define CLSCAN_BENCH_OPTIONS_H

#include <reference.h>

#include "measure/device.h"
#include "measure/element.h"
#include "measure/measure.h"
#include "peers.h"
#include "strategies.h"

#define BENCH_MAX_SIZES 64
#define BENCH_MAX_VARIANTS 256
#define BENCH_MAX_PEERS 16
#define BENCH_MAX_STRUCTS 32
#define BENCH_MAX_STRATEGIES 16

/* In which state a run finds the caches. */
typedef enum bench_cache { BENCH_CACHE_WARM = 1, BENCH_CACHE_COLD = 2, BENCH_CACHE_BOTH = 3 } bench_cache;

typedef struct bench_options {
    bool list;     /* show what there is, and measure nothing */
    bool overhead; /* what a call costs the host */
    bool latency;  /* to the end of clFinish */
    const char *device;
    const char *devices; /* of a suite with groups: selectors with commas between, or "all"; NULL: of one platform */
    measure_clock_choice clock;
    bench_cache cache;
    size_t cache_mib;        /* 0: what the device says */
    const char *suite;       /* NULL: the problems below */
    const char *experiments; /* words; NULL: all of the suite */
    const char *candidates;  /* a file; NULL: the suite's own */
    const char *csv;
    const char *json;
    size_t runs;
    size_t rounds;
    bool exclusive;
    bool reduce;
    uint64_t row_length; /* elements of a row; 0: one scan of all */
    uint64_t pitch;      /* from the start of a row to that of the next; 0: no gaps */
    clscan_segments segments;
    size_t segment_length; /* 0: no segments */
    bool power_law;        /* of their lengths */
    measure_selection select;
    const char *select_kind; /* as the option calls it, "runs:"; "": by flags */
    uint32_t per_mille;      /* of the elements, that selections keep */
    uint32_t cluster;        /* elements that are kept together, or not; 0: each by itself */
    measure_maps maps;       /* all zero: none */
    const char *load;        /* OpenCL C, which goes into the maps; NULL: none */
    const char *store;
    bool reverse;
    bool in_place;
    uint64_t in_offset; /* elements */
    uint64_t out_offset;
    bool reproducible;
    bool device_count; /* of everything of the library also with the count in device memory */
    bool types[CLSCAN_TYPE_COUNT];
    measure_element structs[BENCH_MAX_STRUCTS]; /* and vectors */
    size_t struct_count;
    bool operators[CLSCAN_OPERATOR_COUNT];
    bool samples[CLSCAN_SAMPLE_COUNT]; /* operators in OpenCL C */
    uint64_t sizes[BENCH_MAX_SIZES];
    size_t size_count;
    bool strategies_given;
    bool configured; /* run what the configs choose */
    const bench_strategy *strategies[BENCH_MAX_STRATEGIES];
    size_t strategy_count;
    char *variants[BENCH_MAX_VARIANTS]; /* ours */
    size_t variant_count;
    bool peers_given;
    const measure_kind *peers[BENCH_MAX_PEERS];
    size_t peer_count;
} bench_options;

/* False if the program should end with *exit_code: the help has been shown, or a mistake explained on stderr. Free the
 * options in either case. */
bool bench_options_parse(int argc, char **argv, bench_options *options, int *exit_code);
void bench_options_free(bench_options *options);

/* The maps, with the expressions, or NULL where there are none. */
const measure_maps *bench_options_maps(bench_options *options);

#endif
