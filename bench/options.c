#include "options.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "command_line/failure.h"
#include "command_line/options.h"
#include "command_line/values.h"
#include "measure/maps.h"
#include "option_values.h"
#include "suites.h"

static bool has_offsets(const bench_options *options)
{
    return options->in_offset > 0 || options->out_offset > 0;
}

static clscan_status check_offsets(const bench_options *options, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const char *both = "options '--in-offset' and '--out-offset'";

    if (!has_offsets(options))
        return status;
    REQUIRE(!options->in_place || options->in_offset == options->out_offset, CLSCAN_ERROR_INVALID_VALUE,
            "%s differ, %" PRIu64 " and %" PRIu64 ": with '--in-place' they are the same", both, options->in_offset,
            options->out_offset);
    REQUIRE(options->suite == NULL, CLSCAN_ERROR_INVALID_VALUE,
            "%s have no use beside --suite: the experiments name their own problems", both);
    REQUIRE(options->peer_count == 0, CLSCAN_ERROR_INVALID_VALUE,
            "%s have no use beside --peers: other libraries begin at the start of a buffer", both);

cleanup:
    return status;
}

const measure_maps *bench_options_maps(bench_options *options)
{
    measure_maps *maps = &options->maps;

    if (options->load != NULL)
        maps->load = (clscan_map){.struct_size = sizeof maps->load, .expression = options->load};
    if (options->store != NULL)
        maps->store = (clscan_map){.struct_size = sizeof maps->store, .expression = options->store};
    return maps->accumulator.struct_size != 0 || maps->output.struct_size != 0 || maps->load.struct_size != 0 ||
                   maps->store.struct_size != 0 || maps->offsets
               ? maps
               : NULL;
}

static bool is_part_of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool names(const char *expression, const char *name)
{
    const size_t length = strlen(name);

    for (const char *at = expression; at != NULL && (at = strstr(at, name)) != NULL; at += length)
        if ((at == expression || !is_part_of_name(at[-1])) && !is_part_of_name(at[length]))
            return true;
    return false;
}

/* Several types and expressions have scans and reductions of scalars. */
static clscan_status check_maps(const bench_options *options, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const char *load = options->load, *store = options->store;
    const bool offsets = options->maps.offsets, is_struct = options->maps.custom.struct_size != 0;
    const char *given = options->maps.accumulator.struct_size != 0 ? "--accumulator"
                        : options->maps.output.struct_size != 0    ? "--output-type"
                        : offsets                                  ? "--offsets"
                        : load != NULL                             ? "--load"
                        : store != NULL                            ? "--store"
                                                                   : NULL;
    const struct {
        const char *name;
        bool given;
    } others[] = {{"--select", options->select != MEASURE_SELECTS_NOTHING},
                  {"--segments", options->segment_length > 0},
                  {"--row-length", options->row_length > 0 && !offsets},
                  {"--structs", options->struct_count > 0},
                  {"--reproducible", options->reproducible},
                  {"--suite", options->suite != NULL},
                  {"--ops of operators in OpenCL C", memchr(options->samples, true, sizeof options->samples) != NULL}};
    const struct {
        const char *name, *other;
        bool given;
    } pairs[] = {{"--offsets", "--reverse", offsets && options->reverse},
                 {"--offsets", "--reduce", offsets && options->reduce},
                 {"--offsets", "--store, which the total does not pass", offsets && store != NULL},
                 {"--offsets", "--device-count", offsets && options->device_count},
                 {"--offsets", "--pitch: rows of n elements have n + 1 offsets", offsets && options->pitch > 0},
                 {"--offsets", "--row-length and --in-place: rows of n elements have no room for n + 1",
                  offsets && options->row_length > 0 && options->in_place},
                 {"--load", "--row-length", load != NULL && options->row_length > 0},
                 {"--accumulator", "--load and --store, of which this one has its own",
                  is_struct && (load != NULL || store != NULL)},
                 {"--output-type", "--reduce, whose value is of the --accumulator",
                  options->maps.output.struct_size != 0 && options->reduce},
                 {"--store", "--reduce, whose value is the sum", store != NULL && options->reduce},
                 {"--load", "--peers: other libraries know no expressions", load != NULL && options->peer_count > 0},
                 {"--store", "--peers: other libraries know no expressions", store != NULL && options->peer_count > 0}};

    if (given == NULL)
        return status;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i)
        REQUIRE(!others[i].given, CLSCAN_ERROR_INVALID_VALUE, "option '%s' has no use beside %s", given,
                others[i].name);
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; ++i)
        REQUIRE(!pairs[i].given, CLSCAN_ERROR_INVALID_VALUE, "option '%s' has no use beside %s", pairs[i].name,
                pairs[i].other);
    REQUIRE(load == NULL || names(load, "element") || names(store, "element"), CLSCAN_ERROR_INVALID_VALUE,
            "option '--load': '%.200s' does not name element, and a scan without input has no copy beside it", load);

cleanup:
    return status;
}

/* Is there such a problem for each of the types and operators? */
static clscan_status check_types(bench_options *options, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    measure_problem problem = {
        .maps = bench_options_maps(options), .in_place = options->in_place, .reduces = options->reduce};

    for (int type = 0; problem.maps != NULL && type < CLSCAN_TYPE_COUNT; ++type) {
        for (int op = 0; op < CLSCAN_CUSTOM; ++op) {
            problem.type = (clscan_type)type;
            problem.op = (clscan_operator)op;
            if (options->types[type] && options->operators[op])
                TRY(measure_maps_check(&problem, error));
        }
    }

cleanup:
    return status;
}

/* Neither has what scans have. */
static clscan_status check_operation(const bench_options *options, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const char *given = options->reduce ? "--reduce" : options->select ? "--select" : NULL;
    const struct {
        const char *name;
        bool given;
    } others[] = {{"--exclusive", options->exclusive},
                  {"--reverse", options->reverse},
                  {"--reproducible", options->reproducible},
                  {"--overhead", options->overhead},
                  {"--suite", options->suite != NULL},
                  {"--out-offset", options->out_offset > 0},
                  {"--ops", options->select && (memchr(options->operators, true, sizeof options->operators) != NULL ||
                                                memchr(options->samples, true, sizeof options->samples) != NULL)}};

    for (size_t i = 0; given != NULL && i < sizeof others / sizeof others[0]; ++i)
        REQUIRE(!others[i].given, CLSCAN_ERROR_INVALID_VALUE, "option '%s' has no use beside %s", given,
                others[i].name);
    REQUIRE(!options->select || !(options->reduce || options->in_offset > 0 || options->struct_count > 0 ||
                                  (options->cache & BENCH_CACHE_COLD) != 0),
            CLSCAN_ERROR_INVALID_VALUE,
            "option '--select' has no use beside --reduce, --in-offset, --structs and cold caches");
    REQUIRE(!(options->reduce && options->in_place), CLSCAN_ERROR_INVALID_VALUE,
            "option '--in-place' has no use beside --reduce: a reduction leaves its input as it is");
    REQUIRE(!options->in_place || measure_may_select_in_place(options->select), CLSCAN_ERROR_INVALID_VALUE,
            "option '--select' %s has no use beside --in-place", options->select_kind);

cleanup:
    return status;
}

/* Buffers have room for more than a case where it is a part of a larger one. */
static clscan_status check_device_count(const bench_options *options, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    REQUIRE(!options->device_count ||
                !(options->overhead || options->suite != NULL || (options->cache & BENCH_CACHE_COLD) != 0),
            CLSCAN_ERROR_INVALID_VALUE,
            "option '--device-count' has no use beside --overhead, --suite and cold caches");

cleanup:
    return status;
}

static clscan_status check_devices(const bench_options *options, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const char *list = options->devices;

    if (list == NULL)
        return status;
    REQUIRE(bench_suite_has_groups(options->suite), CLSCAN_ERROR_INVALID_VALUE,
            "option '--devices' needs --suite multi-gpu");
    REQUIRE(options->device == NULL, CLSCAN_ERROR_INVALID_VALUE, "option '--device' has no use beside --devices");
    REQUIRE(list[0] != '\0' && list[0] != ',' && list[strlen(list) - 1] != ',' && strstr(list, ",,") == NULL,
            CLSCAN_ERROR_INVALID_VALUE, "'%.200s' names no device before or after a comma", list);
    REQUIRE(strlen(list) < MEASURE_NAME_BYTES, CLSCAN_ERROR_INVALID_VALUE, "option '--devices' is too long");

cleanup:
    return status;
}

/* What has no use beside something else. */
static clscan_status check(const bench_options *options, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    REQUIRE(options->suite != NULL || (options->experiments == NULL && options->candidates == NULL),
            CLSCAN_ERROR_INVALID_VALUE, "option '%s' needs --suite",
            options->experiments != NULL ? "--experiments" : "--candidates");
    REQUIRE(options->suite == NULL || !options->reproducible, CLSCAN_ERROR_INVALID_VALUE,
            "option '--reproducible' has no use beside --suite: the experiments name their own problems");
    REQUIRE(!bench_suite_is_fixed(options->suite) ||
                !(options->in_place || memchr(options->types, true, sizeof options->types) != NULL),
            CLSCAN_ERROR_INVALID_VALUE, "option '--suite' %s has no use beside --types and --in-place", options->suite);
    TRY(check_devices(options, error));
    TRY(check_offsets(options, error));
    TRY(check_operation(options, error));
    TRY(check_device_count(options, error));
    TRY(check_maps(options, error));
    REQUIRE(options->row_length == 0 || !(options->select || options->segment_length > 0 || options->overhead ||
                                          options->suite != NULL || options->struct_count > 0),
            CLSCAN_ERROR_INVALID_VALUE,
            "option '--row-length' has no use beside --select, --segments, --structs, --overhead and --suite");
    REQUIRE(options->pitch == 0 || options->row_length > 0, CLSCAN_ERROR_INVALID_VALUE,
            "option '--pitch' needs --row-length");
    REQUIRE(options->pitch == 0 || options->pitch >= options->row_length, CLSCAN_ERROR_INVALID_VALUE,
            "option '--pitch': %" PRIu64 " is smaller than --row-length, %" PRIu64, options->pitch,
            options->row_length);
    REQUIRE(options->segment_length == 0 || (options->suite == NULL && !options->reproducible && !options->select &&
                                             !options->overhead && options->struct_count == 0),
            CLSCAN_ERROR_INVALID_VALUE,
            "option '--segments' has no use beside --suite, --reproducible, --select, --overhead and --structs");

cleanup:
    return status;
}

static void set_defaults(bench_options *options)
{
    const bool is_short = options->overhead || options->latency;
    clscan_error ignored;

    if (options->size_count == 0 && options->suite == NULL)
        (void)bench_read_sizes(is_short ? "2^10" : "2^10:2^28:4", options, &ignored);
    if (memchr(options->types, true, sizeof options->types) == NULL && options->struct_count == 0 &&
        options->suite == NULL)
        options->types[options->reproducible ? CLSCAN_FLOAT : CLSCAN_INT32] = true;
    if (memchr(options->operators, true, sizeof options->operators) == NULL &&
        memchr(options->samples, true, sizeof options->samples) == NULL)
        options->operators[CLSCAN_ADD] = true;
    if (!options->strategies_given)
        options->configured = options->variant_count == 0;
    if (!options->peers_given && !has_offsets(options) && options->load == NULL && options->store == NULL)
        (void)bench_read_peers("all", options, &ignored);
}

bool bench_options_parse(int argc, char **argv, bench_options *options, int *exit_code)
{
    const option table[] = {
        {"sizes", "LIST", "numbers of elements: 1000, 2^20, or ranges FIRST:LAST:FACTOR (default: 2^10:2^28:4)",
         bench_read_sizes, options},
        {"types", "LIST", "element types, or all (default: int32; float with --reproducible)", bench_read_types,
         options->types},
        {"structs", "LIST",
         "elements that are no scalars, without other libraries: ready-made ones (affine_float), vectors (int4, "
         "double8), those of files (FILE.json)",
         bench_read_structs, options},
        {"ops", "LIST", "operators, or all; or operators in OpenCL C: keep_last, take_left, affine (default: add)",
         bench_read_operators, options},
        {"exclusive", NULL, "exclusive scans", NULL, &options->exclusive},
        {"reduce", NULL, "reductions: one sum of all elements, or of each row or segment; not of half", NULL,
         &options->reduce},
        {"row-length", "N",
         "scans of rows of N elements each, as many as the elements make; what is left over is left out",
         bench_read_row_length, &options->row_length},
        {"pitch", "N", "with --row-length: elements from the start of a row to that of the next (default: no gaps)",
         bench_read_row_length, &options->pitch},
        {"segments", "BY:N",
         "scans of segments of N elements on average, by flags, bits, keys or offsets: flags:256; BY:power: of 1 to "
         "10^6, by a power law, with empty ones where offsets say it",
         bench_read_segments, options},
        {"select", "SHARE",
         "selections by flags of a byte, which keep this share, from 0 to 1, at random; clustered:SHARE: 1000 after "
         "each other; bits:SHARE: by flags of a bit; "
         "predicate:SHARE: without flags, of odd integers; "
         "unique:SHARE: without flags, of the first of each run of equal elements; where:SHARE: 32-bit indices of the "
         "flags, without elements; columns:SHARE: by flags of a byte, of four columns of as many elements each; "
         "partition:SHARE: by flags of a byte, with the rest behind; three-way:SHARE: without "
         "flags, in three parts, odd integers in front; encode:SHARE: run-length "
         "encoding; runs:SHARE: 32-bit offsets and lengths of runs of two and more; repeat:SHARE: decoding of runs, "
         "with so many for each output; in place except for where, runs and repeat",
         bench_read_share, options},
        {"accumulator", "T",
         "what elements are combined as: double, int64, ... or compensated_float, compensated_double",
         bench_read_accumulator, &options->maps},
        {"output-type", "T", "what is written, and combined without --accumulator (default: the element type)",
         bench_read_output_type, &options->maps.output},
        {"offsets", NULL,
         "exclusive, and one element more: the total, as in offsets of rows from their lengths; with --row-length of "
         "each row",
         NULL, &options->maps.offsets},
        {"load", "EXPR", "combine this instead of each element: OpenCL C of element and index, as element*element",
         read_text, &options->load},
        {"store", "EXPR", "write this instead of each sum: OpenCL C of sum, index, previous and element", read_text,
         &options->store},
        {"reverse", NULL, "reverse scans", NULL, &options->reverse},
        {"in-place", NULL, "output over input", NULL, &options->in_place},
        {"in-offset", "N", "begin the input at this element of its buffer, in scans without peers (default: 0)",
         bench_read_offset, &options->in_offset},
        {"out-offset", "N", "begin the output at this element of its buffer, in scans without peers (default: 0)",
         bench_read_offset, &options->out_offset},
        {"reproducible", NULL, "reproducible plans, for problems whose results depend on the grouping of operands",
         NULL, &options->reproducible},
        {"device-count", NULL,
         "each of clscan's rows also with the count in device memory; the most that it may be is the largest of "
         "--sizes, but with rows, segments and selections the count itself",
         NULL, &options->device_count},
        {"strategies", "LIST",
         "config (what the configs choose), names from --list, none (default: config, or none where variants are "
         "given)",
         bench_read_strategies, options},
        {"variant", "TEXT", "also this variant; may be repeated", bench_read_variant, options},
        {"variants", "FILE",
         "also those in a file, one a line, # begins a comment; or those of a journal of clscan-tune",
         bench_read_variants, options},
        {"peers", "LIST", "names from --list, all, none (default: all; none with an offset)", bench_read_peers,
         options},
        {"device", "WORD", "a number from --list, or part of a name (default: the first GPU, else the first device)",
         read_text, &options->device},
        {"devices", "LIST",
         "with --suite multi-gpu: as 0,1, or all; devices as for --device, one may be there twice (default: those of "
         "the platform of --device)",
         read_text, &options->devices},
        {"clock", "WORD", "auto, host, events, queue or both (default: auto: host for CPU devices, else events)",
         bench_read_clock, &options->clock},
        {"cache", "WORD",
         "warm (all runs on the same buffers), cold (on buffers that are in no cache) or both (default: warm)",
         bench_read_cache, &options->cache},
        {"cache-size", "MIB",
         "size of the last-level cache, for cold caches (default: what the device or the system says)",
         bench_read_number, &options->cache_mib},
        {"runs", "N", "timed runs of each contender in each case (default: 21)", bench_read_number, &options->runs},
        {"rounds", "N", "go through all cases N times (default: 1)", bench_read_number, &options->rounds},
        {"csv", "FILE", "write one row per case and contender", read_text, &options->csv},
        {"json", "FILE", "write one object with the same rows, the device and the command line", read_text,
         &options->json},
        {"suite", "NAME", "the experiments of a paper, from --list, instead of the problems above", bench_read_suite,
         &options->suite},
        {"experiments", "LIST", "only these experiments of the suite", bench_read_experiments, &options->experiments},
        {"candidates", "FILE",
         "with --suite: look for the best parameters among these variants, one a line, or among those of a journal "
         "of clscan-tune",
         read_text, &options->candidates},
        {"overhead", NULL, "measure what clscan_run costs the host, beside bare OpenCL calls; default size 2^10", NULL,
         &options->overhead},
        {"latency", NULL, "measure from enqueueing to the end of clFinish; default size 2^10", NULL, &options->latency},
        {"list", NULL, "show devices, strategies, suites and peers", NULL, &options->list},
    };
    const command_line line = {
        .name = "",
        .synopsis = "[options]",
        .description = "Time scans beside a copy of the same bytes and beside other libraries, in turn, run by run.\n"
                       "LIST is words with commas between them.",
        .options = table,
        .option_count = sizeof table / sizeof table[0],
        .examples = "  clscan-bench --list\n"
                    "  clscan-bench --sizes 2^10:2^28:4 --types int32,float --csv scan.csv\n"
                    "  clscan-bench --device nvidia --ops add,max --exclusive --peers none\n"
                    "  clscan-bench --reproducible --types float,double\n"
                    "  clscan-bench --types uint32 --offsets --output-type uint64\n"
                    "  clscan-bench --types float --accumulator double --load 'element * element'\n",
    };
    clscan_error error;

    *options = (bench_options){.cache = BENCH_CACHE_WARM, .runs = 21, .rounds = 1};
    if (!options_parse(&line, argc, argv, NULL, exit_code))
        return false;
    if (check(options, &error) != CLSCAN_OK) {
        *exit_code = options_wrong(&line, &error);
        return false;
    }
    set_defaults(options);
    if (check_types(options, &error) != CLSCAN_OK) {
        *exit_code = options_wrong(&line, &error);
        return false;
    }
    return true;
}

void bench_options_free(bench_options *options)
{
    for (size_t i = 0; i < options->variant_count; ++i)
        free(options->variants[i]);
    options->variant_count = 0;
}
