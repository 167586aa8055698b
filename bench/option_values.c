#include "option_values.h"

#include <stdlib.h>
#include <string.h>

#include "candidates.h"
#include "command_line/failure.h"
#include "command_line/values.h"
#include "measure/maps.h"
#include "options.h"
#include "suites.h"
#include "words.h"

#define WRONG(...) fail(error, CLSCAN_ERROR_INVALID_VALUE, __VA_ARGS__)

clscan_status bench_read_clock(const char *text, void *target, clscan_error *error)
{
    static const struct {
        const char *word;
        measure_clock_choice clock;
    } clocks[] = {{"auto", MEASURE_CLOCK_AUTO},
                  {"host", MEASURE_CLOCK_BY_HOST},
                  {"events", MEASURE_CLOCK_BY_EVENTS},
                  {"queue", MEASURE_CLOCK_BY_QUEUE},
                  {"both", MEASURE_CLOCK_BY_BOTH}};

    for (size_t i = 0; i < sizeof clocks / sizeof clocks[0]; ++i) {
        if (strcmp(text, clocks[i].word) == 0) {
            *(measure_clock_choice *)target = clocks[i].clock;
            return CLSCAN_OK;
        }
    }
    return WRONG("'%s' is no clock; there are auto, host, events, queue, both", text);
}

clscan_status bench_read_cache(const char *text, void *target, clscan_error *error)
{
    static const struct {
        const char *word;
        bench_cache cache;
    } caches[] = {{"warm", BENCH_CACHE_WARM}, {"cold", BENCH_CACHE_COLD}, {"both", BENCH_CACHE_BOTH}};

    for (size_t i = 0; i < sizeof caches / sizeof caches[0]; ++i) {
        if (strcmp(text, caches[i].word) == 0) {
            *(bench_cache *)target = caches[i].cache;
            return CLSCAN_OK;
        }
    }
    return WRONG("'%s' is no state of caches; there are warm, cold, both", text);
}

clscan_status bench_read_number(const char *text, void *target, clscan_error *error)
{
    uint64_t number;

    if (read_count(text, &number, error) != CLSCAN_OK || number == 0 || number > 1000000)
        return WRONG("'%s' is no number from 1 to 1000000", text);
    *(size_t *)target = (size_t)number;
    return CLSCAN_OK;
}

#define LONGEST_SEGMENT 1000000

clscan_status bench_read_segments(const char *text, void *target, clscan_error *error)
{
    static const clscan_type types[CLSCAN_SEGMENTS_BY_COUNT] = {
        [CLSCAN_BY_FLAGS] = CLSCAN_UINT8, [CLSCAN_BY_KEYS] = CLSCAN_INT32, [CLSCAN_BY_OFFSETS] = CLSCAN_UINT32};
    bench_options *options = target;
    const char *colon = strchr(text, ':');
    const size_t name_bytes = colon != NULL ? (size_t)(colon - text) : 0;

    for (int by = 0; by < CLSCAN_SEGMENTS_BY_COUNT; ++by) {
        const char *name = clscan_segments_by_name((clscan_segments_by)by);

        if (strlen(name) != name_bytes || memcmp(text, name, name_bytes) != 0)
            continue;
        options->segments =
            (clscan_segments){.struct_size = sizeof options->segments, .by = (clscan_segments_by)by, .type = types[by]};
        options->power_law = strcmp(colon + 1, "power") == 0;
        if (options->power_law) {
            options->segment_length = LONGEST_SEGMENT;
            return CLSCAN_OK;
        }
        return bench_read_number(colon + 1, &options->segment_length, error);
    }
    return WRONG("'%s' is not flags, bits, keys or offsets, a colon, and a mean length or power", text);
}

clscan_status bench_read_accumulator(const char *text, void *target, clscan_error *error)
{
    return measure_maps_read_accumulator(text, target, error);
}

clscan_status bench_read_output_type(const char *text, void *target, clscan_error *error)
{
    clscan_element *output = target;

    *output = (clscan_element){.struct_size = sizeof *output};
    return read_type(text, &output->type, error);
}

clscan_status bench_read_offset(const char *text, void *target, clscan_error *error)
{
    uint64_t number;

    if (read_count(text, &number, error) != CLSCAN_OK || number > 1000000)
        return WRONG("'%s' is no number from 0 to 1000000", text);
    *(uint64_t *)target = number;
    return CLSCAN_OK;
}

static clscan_status read_type_word(const char *word, void *user, clscan_error *error)
{
    bool *types = user;
    clscan_type type;

    if (strcmp(word, "all") == 0) {
        memset(types, true, CLSCAN_TYPE_COUNT);
        return CLSCAN_OK;
    }
    if (read_type(word, &type, error) != CLSCAN_OK)
        return CLSCAN_ERROR_INVALID_VALUE;
    types[type] = true;
    return CLSCAN_OK;
}

clscan_status bench_read_types(const char *text, void *target, clscan_error *error)
{
    return bench_each_word(text, read_type_word, target, error);
}

static clscan_status read_struct_word(const char *word, void *user, clscan_error *error)
{
    bench_options *options = user;

    if (options->struct_count == BENCH_MAX_STRUCTS)
        return WRONG("more than %d structs", BENCH_MAX_STRUCTS);
    if (measure_element_read(word, &options->structs[options->struct_count], error) != CLSCAN_OK)
        return error->status;
    ++options->struct_count;
    return CLSCAN_OK;
}

clscan_status bench_read_structs(const char *text, void *target, clscan_error *error)
{
    return bench_each_word(text, read_struct_word, target, error);
}

static clscan_status read_operator_word(const char *word, void *user, clscan_error *error)
{
    static const char *const samples[] = {
#define X(name, text, meaning) #text,
        CLSCAN_SAMPLE_OPERATOR_LIST(X)
#undef X
    };
    bench_options *options = user;
    clscan_operator op;

    if (strcmp(word, "all") == 0) {
        memset(options->operators, true, CLSCAN_CUSTOM);
        return CLSCAN_OK;
    }
    for (size_t i = 0; i < CLSCAN_SAMPLE_COUNT; ++i)
        if (strcmp(word, samples[i]) == 0) {
            options->samples[i] = true;
            return CLSCAN_OK;
        }
    if (!clscan_operator_from_name(word, &op) || op == CLSCAN_CUSTOM)
        return WRONG("'%s' is no operator that the benchmark knows", word);
    options->operators[op] = true;
    return CLSCAN_OK;
}

clscan_status bench_read_operators(const char *text, void *target, clscan_error *error)
{
    return bench_each_word(text, read_operator_word, target, error);
}

static bool is_experiment(const char *suite, const char *name)
{
    for (const bench_experiment *one = bench_experiments; one->suite != NULL; ++one) {
        if ((suite == NULL || strcmp(one->suite, suite) == 0) && (name == NULL || strcmp(one->name, name) == 0))
            return true;
    }
    return false;
}

clscan_status bench_read_suite(const char *text, void *target, clscan_error *error)
{
    if (!is_experiment(text, NULL))
        return WRONG("'%s' is no suite; --list shows them", text);
    return read_text(text, target, error);
}

static clscan_status check_experiment_word(const char *word, void *user, clscan_error *error)
{
    (void)user;
    return is_experiment(NULL, word) ? CLSCAN_OK : WRONG("'%s' is no experiment; --list shows them", word);
}

clscan_status bench_read_experiments(const char *text, void *target, clscan_error *error)
{
    const clscan_status status = bench_each_word(text, check_experiment_word, NULL, error);

    return status == CLSCAN_OK ? read_text(text, target, error) : status;
}

static clscan_status add_size(uint64_t size, bench_options *options, clscan_error *error)
{
    if (options->size_count == BENCH_MAX_SIZES)
        return WRONG("more than %d sizes", BENCH_MAX_SIZES);
    options->sizes[options->size_count++] = size;
    return CLSCAN_OK;
}

/* A size, or FIRST:LAST:FACTOR. */
static clscan_status read_size_word(const char *word, void *user, clscan_error *error)
{
    bench_options *options = user;
    char part[3][32];
    uint64_t first, last, factor = 2;
    const size_t parts = bench_split(word, ':', part, 3);

    if (parts == 0 || read_count(part[0], &first, error) != CLSCAN_OK || first == 0)
        return WRONG("'%s' is no size; write 1000, 2^20 or 2^10:2^28:4", word);
    if (parts == 1)
        return add_size(first, options, error);
    if (read_count(part[1], &last, error) != CLSCAN_OK || last < first ||
        (parts == 3 && (read_count(part[2], &factor, error) != CLSCAN_OK || factor < 2)))
        return WRONG("'%s' is no range; write FIRST:LAST or FIRST:LAST:FACTOR, with a factor of 2 or more", word);
    for (;; first *= factor) {
        if (add_size(first, options, error) != CLSCAN_OK)
            return CLSCAN_ERROR_INVALID_VALUE;
        if (first > last / factor)
            return CLSCAN_OK;
    }
}

clscan_status bench_read_sizes(const char *text, void *target, clscan_error *error)
{
    return bench_each_word(text, read_size_word, target, error);
}

static clscan_status read_strategy_word(const char *word, void *user, clscan_error *error)
{
    bench_options *options = user;
    const bench_strategy *strategy = bench_strategy_find(word);

    if (strcmp(word, "none") == 0)
        return CLSCAN_OK;
    if (strcmp(word, "config") == 0) {
        options->configured = true;
        return CLSCAN_OK;
    }
    if (strategy == NULL)
        return WRONG("'%s' is no strategy; --list shows them", word);
    if (options->strategy_count == BENCH_MAX_STRATEGIES)
        return WRONG("more than %d strategies", BENCH_MAX_STRATEGIES);
    options->strategies[options->strategy_count++] = strategy;
    return CLSCAN_OK;
}

clscan_status bench_read_strategies(const char *text, void *target, clscan_error *error)
{
    bench_options *options = target;

    options->strategies_given = true;
    options->configured = false;
    options->strategy_count = 0;
    return bench_each_word(text, read_strategy_word, options, error);
}

static clscan_status read_peer_word(const char *word, void *user, clscan_error *error)
{
    bench_options *options = user;
    const bool all = strcmp(word, "all") == 0;
    bool known = all || strcmp(word, "none") == 0;

    for (const measure_kind *const *peer = bench_peers; *peer != NULL; ++peer) {
        const size_t first_word = strcspn((*peer)->name, " ");

        if (!all && (strlen(word) != first_word || memcmp(word, (*peer)->name, first_word) != 0))
            continue;
        known = true;
        if (options->peer_count == BENCH_MAX_PEERS)
            return WRONG("more than %d peers", BENCH_MAX_PEERS);
        options->peers[options->peer_count++] = *peer;
    }
    return known ? CLSCAN_OK : WRONG("'%s' is no peer; --list shows them", word);
}

clscan_status bench_read_peers(const char *text, void *target, clscan_error *error)
{
    bench_options *options = target;

    options->peers_given = true;
    options->peer_count = 0;
    return bench_each_word(text, read_peer_word, options, error);
}

static clscan_status add_variant(const char *text, bench_options *options, clscan_error *error)
{
    if (options->variant_count == BENCH_MAX_VARIANTS)
        return WRONG("more than %d variants", BENCH_MAX_VARIANTS);
    options->variants[options->variant_count] = strdup(text);
    if (options->variants[options->variant_count] == NULL)
        return fail(error, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory");
    ++options->variant_count;
    return CLSCAN_OK;
}

clscan_status bench_read_variant(const char *text, void *target, clscan_error *error)
{
    clscan_variant variant;
    clscan_error reason;

    if (clscan_variant_parse(text, &variant, &reason) != CLSCAN_OK)
        return WRONG("'%.200s': %s", text, reason.message);
    return add_variant(text, target, error);
}

clscan_status bench_read_variants(const char *text, void *target, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    bench_candidates candidates;
    measure_note note;

    if (!bench_candidates_read(text, &candidates, &note))
        return WRONG("%s", note.text);
    for (size_t i = 0; i < candidates.count && status == CLSCAN_OK; ++i)
        status = add_variant(candidates.all[i].variant, target, error);
    bench_candidates_free(&candidates);
    return status;
}

clscan_status bench_read_row_length(const char *text, void *value, clscan_error *error)
{
    uint64_t number;

    if (read_count(text, &number, error) != CLSCAN_OK || number == 0)
        return WRONG("'%s' is no number of elements, as 1000 or 2^20", text);
    *(uint64_t *)value = number;
    return CLSCAN_OK;
}

/* Elements of a cluster, which is more than a sub-group has, and fewer than a tile. */
#define CLUSTER 1000u

clscan_status bench_read_share(const char *text, void *value, clscan_error *error)
{
    static const struct {
        const char *prefix;
        measure_selection select;
        uint32_t cluster;
    } kinds[] = {{"bits:", MEASURE_SELECTS_BY_BITS, 0},  {"clustered:", MEASURE_SELECTS_BY_BYTES, CLUSTER},
                 {"unique:", MEASURE_SELECTS_UNIQUE, 0}, {"predicate:", MEASURE_SELECTS_BY_PREDICATE, 0},
                 {"where:", MEASURE_SELECTS_WHERE, 0},   {"columns:", MEASURE_SELECTS_COLUMNS, 0},
                 {"partition:", MEASURE_PARTITIONS, 0},  {"three-way:", MEASURE_DIVIDES, 0},
                 {"encode:", MEASURE_ENCODES, 0},        {"runs:", MEASURE_FINDS_RUNS, 0},
                 {"repeat:", MEASURE_REPEATS, 0},        {"", MEASURE_SELECTS_BY_BYTES, 0}};
    bench_options *options = value;
    const char *number;
    char *end = NULL;
    size_t kind = 0;
    double share;

    while (strncmp(text, kinds[kind].prefix, strlen(kinds[kind].prefix)) != 0)
        ++kind;
    number = text + strlen(kinds[kind].prefix);
    share = strtod(number, &end);
    if (end == number || *end != '\0' || !(share >= 0 && share <= 1))
        return fail(error, CLSCAN_ERROR_INVALID_VALUE,
                    "'%s' is no number from 0 to 1, with bits:, clustered:, predicate:, unique:, where:, columns:, "
                    "partition:, three-way:, encode:, runs:, repeat: or nothing in front",
                    text);
    options->select = kinds[kind].select;
    options->select_kind = kinds[kind].prefix;
    options->cluster = kinds[kind].cluster;
    options->per_mille = (uint32_t)(share * 1000 + 0.5);
    return CLSCAN_OK;
}
