/* Readers of what the options of clscan-bench take. */
#ifndef CLSCAN_BENCH_OPTION_VALUES_H
#define CLSCAN_BENCH_OPTION_VALUES_H

#include "command_line/options.h"

option_reader bench_read_clock;       /* measure_clock_choice */
option_reader bench_read_row_length;  /* uint64_t, 1 or more */
option_reader bench_read_share;       /* select and per_mille of bench_options */
option_reader bench_read_cache;       /* bench_cache */
option_reader bench_read_number;      /* size_t, from 1 to 1000000 */
option_reader bench_read_segments;    /* bench_options */
option_reader bench_read_accumulator; /* accumulator of measure_maps, and what comes with it */
option_reader bench_read_output_type; /* clscan_element, a scalar */
option_reader bench_read_offset;      /* uint64_t, from 0 to 1000000 */
option_reader bench_read_types;       /* bool[CLSCAN_TYPE_COUNT], of a list; also "all" */
option_reader bench_read_structs;     /* bench_options, of a list of names */
option_reader bench_read_operators;   /* bench_options, of a list; also "all" */
option_reader bench_read_suite;       /* const char *, the name of a suite */
option_reader bench_read_experiments; /* const char *, a list of experiments */

/* These add to bench_options; the list of strategies and the list of peers replace an earlier one. */
option_reader bench_read_sizes;
option_reader bench_read_strategies;
option_reader bench_read_peers;
option_reader bench_read_variant;
option_reader bench_read_variants;

#endif
