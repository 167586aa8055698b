#include "suites.h"

#include <string.h>

/* The grids are short lists around the values that tuning has found, so that each rung has its own best parameters and
 * a suite still ends in minutes. --candidates replaces them by what a tuning run has measured. */

/* clang-format off */
#define ADJACENT " tiles_per_work_group=1 poll_delay=0"

#define COALESCED_BEST {"coalesced, best R", BENCH_RUNG_BEST, \
    "coalesced+kogge_stone+adjacent+dynamic work_group_size=256,512 vector_length=1 register_pieces=2,4,6,9,13 " \
    "local_pieces=1 thread_group_size=8,16" ADJACENT, \
    "coalesced+kogge_stone+adjacent+dynamic work_group_size=8,32 vector_length=1 register_pieces=1,4,8 " \
    "local_pieces=1 thread_group_size=8,16" ADJACENT}
#define STRIDED_BEST {"strided", BENCH_RUNG_BEST, \
    "strided+kogge_stone+adjacent+dynamic work_group_size=256,512 vector_length=2,4 register_pieces=2,4,8,14,20 " \
    "local_pieces=0" ADJACENT, \
    "strided+kogge_stone+adjacent+dynamic work_group_size=1,8 vector_length=16 register_pieces=0 " \
    "local_pieces=64,256,1024" ADJACENT}
#define MATRIX_TWO_LAUNCHES(carry) {"matrix, " #carry, BENCH_RUNG_BEST, \
    "matrix+kogge_stone+" #carry " work_group_size=128,256,512 vector_length=1 register_pieces=0 local_pieces=1 " \
    "thread_group_size=8,16,32 work_groups_per_unit=4,8,16", \
    "matrix+kogge_stone+" #carry " work_group_size=8,32 vector_length=1 register_pieces=0 local_pieces=1,4 " \
    "thread_group_size=8,16 work_groups_per_unit=1"}
#define MATRIX_ADJACENT {"matrix, adjacent", BENCH_RUNG_BEST, \
    "matrix+kogge_stone+adjacent+dynamic work_group_size=128,256,512 vector_length=1 register_pieces=0 " \
    "local_pieces=1,2 thread_group_size=8,16,32" ADJACENT, \
    "matrix+kogge_stone+adjacent+dynamic work_group_size=8,32 vector_length=1 register_pieces=0 local_pieces=1,4 " \
    "thread_group_size=8,16" ADJACENT}
#define COALESCED_NO_REGISTERS {"coalesced, R = 0", BENCH_RUNG_BEST, \
    "coalesced+kogge_stone+adjacent+dynamic work_group_size=128,256,512 vector_length=1 register_pieces=0 " \
    "local_pieces=1,2 thread_group_size=8,16,32" ADJACENT, \
    "coalesced+kogge_stone+adjacent+dynamic work_group_size=8,32 vector_length=1 register_pieces=0 local_pieces=1,4 " \
    "thread_group_size=8,16" ADJACENT}
#define CONFIGURED {"clscan config", BENCH_RUNG_CONFIG, NULL, NULL}
#define PEERS      {"peers", BENCH_RUNG_PEERS, NULL, NULL}
#define CUB        {"cub", BENCH_RUNG_CUB, NULL, NULL}
#define END        {NULL, BENCH_RUNG_BEST, NULL, NULL}

static const bench_rung bodies[] = {COALESCED_BEST, STRIDED_BEST, CONFIGURED, END};

static const bench_rung throughput[] = {
    COALESCED_BEST, STRIDED_BEST, MATRIX_TWO_LAUNCHES(reduce_then_scan), MATRIX_TWO_LAUNCHES(scan_then_add),
    CONFIGURED, PEERS, END};

static const bench_rung ladder[] = {
    MATRIX_TWO_LAUNCHES(reduce_then_scan), MATRIX_ADJACENT, COALESCED_NO_REGISTERS, COALESCED_BEST, END};

static const bench_rung working_set[] = {
    {"coalesced", BENCH_RUNG_EACH,
     "coalesced+kogge_stone+adjacent+dynamic work_group_size=512 vector_length=1 register_pieces=0,1,2,3,4,6,8,10,13,16,20 "
     "local_pieces=1,2 thread_group_size=8" ADJACENT,
     "coalesced+kogge_stone+adjacent+dynamic work_group_size=32 vector_length=1 register_pieces=0,1,2,4,8,16 "
     "local_pieces=1,4 thread_group_size=8" ADJACENT},
    END};

static const bench_rung strides[] = {{"stride", BENCH_RUNG_STRIDES, NULL, NULL}, END};

static const bench_rung ids[] = {
    {"coalesced, dynamic ids", BENCH_RUNG_BEST,
     "coalesced+kogge_stone+adjacent+dynamic work_group_size=256,512 vector_length=1 register_pieces=2,4,6,9,13 "
     "local_pieces=1 thread_group_size=8,16" ADJACENT,
     "coalesced+kogge_stone+adjacent+dynamic work_group_size=8,32 vector_length=1 register_pieces=1,4,8 "
     "local_pieces=1 thread_group_size=8,16" ADJACENT},
    {"the same, static ids", BENCH_RUNG_STATIC, NULL, NULL},
    END};

static const bench_rung light[] = {
    {"LightScan (cyclic)", BENCH_RUNG_BEST,
     "subgroup_rows+subgroup+adjacent+cyclic work_group_size=448,512,1024 vector_length=2,4 register_pieces=5,8,11 "
     "local_pieces=0 work_groups_per_unit=1,2" ADJACENT,
     "subgroup_rows+subgroup+adjacent+cyclic work_group_size=64 vector_length=2,4 register_pieces=4 local_pieces=0 "
     "work_groups_per_unit=1" ADJACENT},
    {"the same chain, tickets", BENCH_RUNG_BEST,
     "subgroup_rows+subgroup+adjacent+dynamic work_group_size=448,512,1024 vector_length=2,4 register_pieces=5,8,11 "
     "local_pieces=0" ADJACENT,
     "subgroup_rows+subgroup+adjacent+dynamic work_group_size=64 vector_length=2,4 register_pieces=4 "
     "local_pieces=0" ADJACENT},
    {"lookahead", BENCH_RUNG_BEST,
     "subgroup_rows+subgroup+lookahead+persistent work_group_size=416,448 vector_length=2,4 register_pieces=5,6 "
     "local_pieces=0 work_groups_per_unit=2 poll_delay=0 landing_zones=0,1",
     "subgroup_rows+subgroup+lookahead+persistent work_group_size=64 vector_length=2,4 register_pieces=4 local_pieces=0 "
     "work_groups_per_unit=2 poll_delay=0 landing_zones=0"},
    CONFIGURED, PEERS, END};

static const bench_rung against_peers[] = {CONFIGURED, PEERS, END};

/* Work-groups of all sizes in steps of 32, as in the post, and 45 shapes of those that it looked through. */
#define NO_LOOP(length) {"no loop, vectors of " #length, BENCH_RUNG_LOOP, \
    "no_loop vector_length=" #length " work_group_size=32,64,96,128,160,192,224,256,288,320,352,384,416,448,480,512," \
    "544,576,608,640,672,704,736,768,800,832,864,896,928,960,992,1024", \
    "no_loop vector_length=" #length " work_group_size=16,64,256"}
#define LOOP_SHAPES_GPU " work_group_size=64,128,256,512,1024 " \
    "work_groups=256,512,1024,2048,4096,8192,16384,32768,65536"
#define LOOP_SHAPES_CPU " work_group_size=16,64,256 work_groups=2,16,128,1024"
#define GRID_STRIDE(length) {"grid stride, vectors of " #length, BENCH_RUNG_LOOP, \
    "grid_stride vector_length=" #length LOOP_SHAPES_GPU, "grid_stride vector_length=" #length LOOP_SHAPES_CPU}
#define SEQUENCES_120(length) {"120 x 128, vectors of " #length, BENCH_RUNG_LOOP, \
    "sequences vector_length=" #length " work_group_size=128 work_groups=120", \
    "sequences vector_length=" #length " work_group_size=128 work_groups=120"}
#define SEQUENCES(length) {"sequences, vectors of " #length, BENCH_RUNG_LOOP, \
    "sequences vector_length=" #length LOOP_SHAPES_GPU, "sequences vector_length=" #length LOOP_SHAPES_CPU}
#define LOOPS(length) NO_LOOP(length), GRID_STRIDE(length), SEQUENCES_120(length), SEQUENCES(length)

static const bench_rung loops[] = {LOOPS(1), LOOPS(2), LOOPS(4), END};

static const bench_rung host[] = {{"devices", BENCH_RUNG_HOST, NULL, NULL}, END};

static const bench_rung groups[] = {CONFIGURED, {"devices", BENCH_RUNG_GROUPS, NULL, NULL}, CUB, END};

static const bench_rung split[] = {CONFIGURED, {"devices", BENCH_RUNG_SPLIT, NULL, NULL}, CUB, END};

static const bench_rung networks[] = {CONFIGURED, {"devices", BENCH_RUNG_NETWORKS, NULL, NULL}, CUB, END};

#define INT32_ONLY .types = {CLSCAN_INT32}, .type_count = 1

#define GROUPED_ROWS INT32_ONLY, .first_log2 = 28, .last_log2 = 28, .rows = true, .first_row_log2 = 13, \
    .last_row_log2 = 28, .groups = true

/* One row of the table of what is done with parts of an array. */
#define PARTS_OF_ARRAY(row) .suite = "compaction", .name = row, .beside_peers = true, .rungs = against_peers
#define COMPACTION(row) PARTS_OF_ARRAY(row), INT32_ONLY, .first_log2 = 28, .last_log2 = 28

/* One row of the table of elements, sums and outputs that are not all of one type, or no numbers. */
#define ELEMENTS(row) .suite = "elements", .name = row, .first_log2 = 28, .last_log2 = 28, .fixed = true, \
    .beside_peers = true, .rungs = against_peers
#define OF(type) .types = {CLSCAN_##type}, .type_count = 1
#define INT32_AND_FLOAT .types = {CLSCAN_INT32, CLSCAN_FLOAT}, .type_count = 2

/* Of as many along the first dimension as a size makes. */
#define TENSOR(all, along, ...) \
    {.struct_size = sizeof(clscan_rows), .dimensions = all, .axis = along, .extents = {__VA_ARGS__}}

const bench_experiment bench_experiments[] = {
    {.suite = "streamscan", .name = "table-4", .title = "best parameters and time of both tile bodies",
     INT32_ONLY, .first_log2 = 24, .last_log2 = 24, .rungs = bodies},
    {.suite = "streamscan", .name = "figure-10", .title = "throughput against the number of elements (figures 10 and 11)",
     INT32_ONLY, .first_log2 = 20, .last_log2 = 26, .rungs = throughput},
    {.suite = "streamscan", .name = "figure-12", .title = "what less traffic, three dimensions and registers gain",
     INT32_ONLY, .first_log2 = 24, .last_log2 = 24, .rungs = ladder},
    {.suite = "streamscan", .name = "figure-13",
     .title = "throughput against the working set in local memory and registers (figures 13 and 14)",
     INT32_ONLY, .first_log2 = 24, .last_log2 = 24, .rungs = working_set},
    {.suite = "streamscan", .name = "figure-15", .title = "time of a copy of 64 MiB against its stride",
     INT32_ONLY, .first_log2 = 24, .last_log2 = 24, .rungs = strides},
    {.suite = "streamscan", .name = "ids", .title = "what dynamic ids cost (section 3.3.4)",
     INT32_ONLY, .first_log2 = 24, .last_log2 = 24, .rungs = ids},
    {.suite = "lightscan", .name = "table-2", .title = "billions of elements per second (tables 2 and 3)",
     .types = {CLSCAN_INT32, CLSCAN_INT64, CLSCAN_FLOAT, CLSCAN_DOUBLE}, .type_count = 4,
     .first_log2 = 25, .last_log2 = 29, .summary = true, .rungs = light},
    {.suite = "batch", .name = "section-5", .title = "many scans of 2^13 to 2^28 elements in one run",
     .types = {CLSCAN_INT32, CLSCAN_FLOAT}, .type_count = 2, .first_log2 = 28, .last_log2 = 28,
     .rows = true, .first_row_log2 = 13, .last_row_log2 = 28, .rungs = against_peers},
    {.suite = "batch", .name = "short", .title = "many scans of 1 to 2^12 elements in one run",
     .types = {CLSCAN_INT32, CLSCAN_FLOAT}, .type_count = 2, .first_log2 = 28, .last_log2 = 28,
     .rows = true, .first_row_log2 = 0, .last_row_log2 = 12, .rungs = against_peers},
    {.suite = "batch", .name = "odd", .title = "many scans of 3 to 10007 elements, of no power of 2, in one run",
     .types = {CLSCAN_INT32, CLSCAN_FLOAT}, .type_count = 2, .first_log2 = 28, .last_log2 = 28,
     .rows = true, .row_counts = {3, 100, 1000, 10007}, .rungs = against_peers},
    {.suite = "batch", .name = "pitch", .title = "the same with 3 elements between two rows",
     .types = {CLSCAN_INT32, CLSCAN_FLOAT}, .type_count = 2, .first_log2 = 28, .last_log2 = 28,
     .rows = true, .row_counts = {3, 100, 1000, 10007}, .row_gap = 3, .rungs = against_peers},
    {.suite = "batch", .name = "columns", .title = "columns of a matrix of 16384 columns, which has 16384 rows",
     .types = {CLSCAN_INT32, CLSCAN_FLOAT}, .type_count = 2, .first_log2 = 28, .last_log2 = 28,
     .tensor = TENSOR(2, 0, 0, 16384), .rungs = against_peers},
    {.suite = "batch", .name = "middle-axis", .title = "a tensor of 512 x 512 x 1024 along its middle axis",
     .types = {CLSCAN_INT32, CLSCAN_FLOAT}, .type_count = 2, .first_log2 = 28, .last_log2 = 28,
     .tensor = TENSOR(3, 1, 0, 512, 1024), .rungs = against_peers},
    {.suite = "batch", .name = "offsets", .title = "n + 1 offsets of each row of n lengths",
     OF(UINT32), .first_log2 = 28, .last_log2 = 28,
     .rows = true, .row_counts = {3, 100, 1000, 10007}, .offsets = true, .rungs = against_peers},
    {.suite = "batch", .name = "offsets-columns", .title = "the same of columns of a matrix of 16384 columns",
     OF(UINT32), .first_log2 = 28, .last_log2 = 28,
     .tensor = TENSOR(2, 0, 0, 16384), .offsets = true, .rungs = against_peers},
    {.suite = "batch", .name = "reproducible", .title = "rows without gaps by reproducible plans",
     .types = {CLSCAN_FLOAT, CLSCAN_DOUBLE}, .type_count = 2, .first_log2 = 28, .last_log2 = 28,
     .rows = true, .row_counts = {3, 100, 1000, 10007}, .reproducible = true, .rungs = against_peers},
    {.suite = "copy", .name = "loops", .title = "copies with and without loops, and with sequences",
     INT32_ONLY, .first_log2 = 24, .last_log2 = 24, .rungs = loops},
    {.suite = "multi-gpu", .name = "rows", .title = "many scans, dealt to devices (the paper's case 1)",
     GROUPED_ROWS, .rungs = groups},
    {.suite = "multi-gpu", .name = "mps", .title = "many scans, each shared by all devices (Scan-MPS, figure 9)",
     GROUPED_ROWS, .rungs = split},
    {.suite = "multi-gpu", .name = "mp-pc",
     .title = "many scans, each shared by some of the devices (Scan-MP-PC, figures 10 and 12)",
     GROUPED_ROWS, .rungs = networks},
    {.suite = "multi-gpu", .name = "one", .title = "one scan through several devices (figure 11)",
     INT32_ONLY, .first_log2 = 13, .last_log2 = 28, .groups = true, .rungs = groups},
    {.suite = "multi-gpu", .name = "host", .title = "one scan from host memory to host memory",
     INT32_ONLY, .first_log2 = 28, .last_log2 = 28, .groups = true, .rungs = host},
    {COMPACTION("rows"), .title = "many scans of 2^10 to 2^20 elements in one run",
     .rows = true, .first_row_log2 = 10, .last_row_log2 = 20},
    {COMPACTION("scan-flags"), .title = "scans of segments of about 64 elements, by flags", .segments = "flags:64"},
    {COMPACTION("scan-long-flags"), .title = "of about 4096 elements", .segments = "flags:4096"},
    {COMPACTION("scan-offsets-1"), .title = "by offsets, of 1 element each", .segments = "offsets:1"},
    {COMPACTION("scan-offsets-4"), .title = "of about 4", .segments = "offsets:4"},
    {COMPACTION("scan-offsets-16"), .title = "of about 16", .segments = "offsets:16"},
    {COMPACTION("scan-offsets-64"), .title = "of about 64", .segments = "offsets:64"},
    {COMPACTION("scan-offsets-256"), .title = "of about 256", .segments = "offsets:256"},
    {COMPACTION("scan-offsets-4096"), .title = "of about 4096", .segments = "offsets:4096"},
    {COMPACTION("scan-offsets-power"), .title = "of 1 to 10^6 by a power law, with empty ones",
     .segments = "offsets:power"},
    {COMPACTION("scan-keys"), .title = "by keys, of about 64 elements", .segments = "keys:64"},
    {COMPACTION("scan-keys-1"), .title = "of 1 element each", .segments = "keys:1"},
    {COMPACTION("scan-keys-10"), .title = "of about 10", .segments = "keys:10"},
    {COMPACTION("scan-keys-100"), .title = "of about 100", .segments = "keys:100"},
    {COMPACTION("scan-keys-exclusive"), .title = "of about 64 by keys, exclusive", .segments = "keys:64",
     .exclusive = true},
    {COMPACTION("scan-bits"), .title = "of about 64 by bits", .segments = "bits:64"},
    {COMPACTION("reduce"), .title = "one sum of all elements", .reduces = true},
    {COMPACTION("reduce-flags"), .title = "one sum of each segment of about 64 elements, by flags",
     .segments = "flags:64", .reduces = true},
    {COMPACTION("reduce-offsets"), .title = "by offsets", .segments = "offsets:64", .reduces = true},
    {COMPACTION("reduce-keys"), .title = "by keys", .segments = "keys:64", .reduces = true},
    {COMPACTION("reduce-flags-1"), .title = "by flags, of 1 element each", .segments = "flags:1", .reduces = true},
    {COMPACTION("reduce-offsets-1"), .title = "by offsets, of 1 element each", .segments = "offsets:1", .reduces = true},
    {COMPACTION("reduce-offsets-4"), .title = "of about 4", .segments = "offsets:4", .reduces = true},
    {COMPACTION("reduce-keys-1"), .title = "by keys, of 1 element each", .segments = "keys:1", .reduces = true},
    {COMPACTION("select-half"), .title = "by flags of a byte, half is kept", .select = "0.5"},
    {COMPACTION("select-few"), .title = "1 % is kept", .select = "0.01"},
    {COMPACTION("select-99"), .title = "99 % are kept", .select = "0.99"},
    {COMPACTION("select-all"), .title = "all are kept", .select = "1"},
    {COMPACTION("select-none"), .title = "none is kept", .select = "0"},
    {COMPACTION("select-clustered"), .title = "half is kept, in clusters of 1000", .select = "clustered:0.5"},
    {COMPACTION("select-bits"), .title = "by flags of a bit, half is kept", .select = "bits:0.5"},
    {COMPACTION("select-predicate"), .title = "by a predicate, half is kept", .select = "predicate:0.5"},
    {PARTS_OF_ARRAY("select-bytes"), .title = "the same, elements of a byte", OF(UINT8), .first_log2 = 30, .last_log2 = 30,
     .select = "predicate:0.5"},
    {COMPACTION("where"), .title = "indices of flags of a byte, 10 % are set", .select = "where:0.1"},
    {PARTS_OF_ARRAY("columns"), .title = "rows of a table of four columns by flags of a byte, half is kept", INT32_ONLY,
     .first_log2 = 26, .last_log2 = 26, .select = "columns:0.5"},
    {COMPACTION("unique-2"), .title = "the first of each run of equal elements, of about 2", .select = "unique:0.5"},
    {COMPACTION("unique-4"), .title = "of runs of about 4", .select = "unique:0.25"},
    {COMPACTION("unique-100"), .title = "of runs of about 100", .select = "unique:0.01"},
    {COMPACTION("partition"), .title = "what is kept, and the rest behind it, half each", .select = "partition:0.5"},
    {COMPACTION("three-way"), .title = "three parts behind each other, of a half and two quarters", .select = "three-way:0.5"},
    {COMPACTION("encode-4"), .title = "run-length encoding: values and lengths of runs of about 4", .select = "encode:0.25"},
    {COMPACTION("encode-100"), .title = "of runs of about 100", .select = "encode:0.01"},
    {COMPACTION("runs-4"), .title = "offsets and lengths of runs of two and more, of about 4", .select = "runs:0.25"},
    {COMPACTION("runs-100"), .title = "of runs of about 100", .select = "runs:0.01"},
    {COMPACTION("repeat-4"), .title = "run-length decoding, of runs of about 4", .select = "repeat:0.25"},
    {COMPACTION("repeat-100"), .title = "of runs of about 100", .select = "repeat:0.01"},
    {ELEMENTS("offsets"), .title = "uint64 offsets from uint32 counts: n + 1 of them", OF(UINT32),
     .offsets = true, .output_type = "uint64"},
    {ELEMENTS("offsets-narrow"), .title = "uint32 offsets from uint32 counts", OF(UINT32), .offsets = true},
    {ELEMENTS("int8-int64"), .title = "int64 sums of int8", OF(INT8), .output_type = "int64"},
    {ELEMENTS("half-float"), .title = "float sums of half", OF(HALF), .output_type = "float"},
    {ELEMENTS("float-double-float"), .title = "float outputs of float, summed up in double", OF(FLOAT),
     .accumulator = "double"},
    {ELEMENTS("compensated"), .title = "float outputs of float, by compensated sums", OF(FLOAT),
     .accumulator = "compensated_float"},
    {ELEMENTS("map-load"), .title = "sums of squares, made on load", INT32_AND_FLOAT, .load = "element * element"},
    {ELEMENTS("map-store"), .title = "halves of sums, made on store", INT32_AND_FLOAT, .store = "sum / 2"},
    {ELEMENTS("affine"), .title = "maps x -> a x + b, 8 bytes", .structs = "affine_float"},
    {ELEMENTS("arg-max"), .title = "values with their indices, 8 bytes", .structs = "arg_max_float"},
    {ELEMENTS("int4"), .title = "vectors of 16 bytes", .structs = "int4"},
    {ELEMENTS("matrix2"), .title = "products of matrices, 16 bytes", .structs = "matrix2_float"},
    {ELEMENTS("quaternion"), .title = "products of quaternions, 16 bytes", .structs = "quaternion_float"},
    {.suite = NULL},
};
/* clang-format on */

bool bench_suite_has_groups(const char *suite)
{
    for (const bench_experiment *one = bench_experiments; suite != NULL && one->suite != NULL; ++one) {
        if (one->groups && strcmp(one->suite, suite) == 0)
            return true;
    }
    return false;
}

bool bench_suite_is_fixed(const char *suite)
{
    for (const bench_experiment *one = bench_experiments; suite != NULL && one->suite != NULL; ++one) {
        if (one->fixed && strcmp(one->suite, suite) == 0)
            return true;
    }
    return false;
}
