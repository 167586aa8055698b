#include "options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suites.h"
#include "words.h"

typedef bool reader(const char *value, bench_options *options, measure_note *note);

static bool read_device(const char *value, bench_options *options, measure_note *note)
{
    (void)note;
    options->device = value;
    return true;
}

static bool read_csv(const char *value, bench_options *options, measure_note *note)
{
    (void)note;
    options->csv = value;
    return true;
}

static bool is_experiment(const char *suite, const char *name)
{
    for (const bench_experiment *one = bench_experiments; one->suite != NULL; ++one) {
        if ((suite == NULL || strcmp(one->suite, suite) == 0) && (name == NULL || strcmp(one->name, name) == 0))
            return true;
    }
    return false;
}

static bool read_suite(const char *value, bench_options *options, measure_note *note)
{
    options->suite = value;
    return is_experiment(value, NULL) || measure_fail(note, "'%s' is no suite; --list shows them", value);
}

static bool check_experiment_word(const char *word, void *user, measure_note *note)
{
    (void)user;
    return is_experiment(NULL, word) || measure_fail(note, "'%s' is no experiment; --list shows them", word);
}

static bool read_experiments(const char *value, bench_options *options, measure_note *note)
{
    options->experiments = value;
    return bench_each_word(value, check_experiment_word, options, note);
}

static bool read_candidates(const char *value, bench_options *options, measure_note *note)
{
    (void)note;
    options->candidates = value;
    return true;
}

static bool read_json(const char *value, bench_options *options, measure_note *note)
{
    (void)note;
    options->json = value;
    return true;
}

static bool read_clock(const char *value, bench_options *options, measure_note *note)
{
    if (strcmp(value, "auto") == 0)
        options->clock = MEASURE_CLOCK_AUTO;
    else if (strcmp(value, "host") == 0)
        options->clock = MEASURE_CLOCK_BY_HOST;
    else if (strcmp(value, "events") == 0)
        options->clock = MEASURE_CLOCK_BY_EVENTS;
    else if (strcmp(value, "both") == 0)
        options->clock = MEASURE_CLOCK_BY_BOTH;
    else
        return measure_fail(note, "'%s' is no clock; there are auto, host, events, both", value);
    return true;
}

static bool read_cache(const char *value, bench_options *options, measure_note *note)
{
    if (strcmp(value, "warm") == 0)
        options->cache = BENCH_CACHE_WARM;
    else if (strcmp(value, "cold") == 0)
        options->cache = BENCH_CACHE_COLD;
    else if (strcmp(value, "both") == 0)
        options->cache = BENCH_CACHE_BOTH;
    else
        return measure_fail(note, "'%s' is no state of caches; there are warm, cold, both", value);
    return true;
}

static bool read_number(const char *value, size_t *number, measure_note *note)
{
    uint64_t read;

    if (!bench_read_count(value, &read) || read == 0 || read > 1000000)
        return measure_fail(note, "'%s' is no number from 1 to 1000000", value);
    *number = (size_t)read;
    return true;
}

static bool read_runs(const char *value, bench_options *options, measure_note *note)
{
    return read_number(value, &options->runs, note);
}

static bool read_rounds(const char *value, bench_options *options, measure_note *note)
{
    return read_number(value, &options->rounds, note);
}

static bool read_cache_size(const char *value, bench_options *options, measure_note *note)
{
    return read_number(value, &options->cache_mib, note);
}

static bool add_size(uint64_t size, bench_options *options, measure_note *note)
{
    if (options->size_count == BENCH_MAX_SIZES)
        return measure_fail(note, "more than %d sizes", BENCH_MAX_SIZES);
    options->sizes[options->size_count++] = size;
    return true;
}

/* A size, or FIRST:LAST:FACTOR. */
static bool read_size_word(const char *word, void *user, measure_note *note)
{
    bench_options *options = user;
    char part[3][32];
    uint64_t first, last, factor;
    const size_t parts = bench_split(word, ':', part, 3);

    if (parts == 0 || !bench_read_count(part[0], &first) || first == 0)
        return measure_fail(note, "'%s' is no size; write 1000, 2^20 or 2^10:2^28:4", word);
    if (parts == 1)
        return add_size(first, options, note);
    factor = 2;
    if (!bench_read_count(part[1], &last) || last < first ||
        (parts == 3 && (!bench_read_count(part[2], &factor) || factor < 2)))
        return measure_fail(note,
                            "'%s' is no range; write FIRST:LAST or FIRST:LAST:FACTOR, with a factor of 2 "
                            "or more",
                            word);
    for (;; first *= factor) {
        if (!add_size(first, options, note))
            return false;
        if (first > last / factor)
            return true;
    }
}

static bool read_sizes(const char *value, bench_options *options, measure_note *note)
{
    return bench_each_word(value, read_size_word, options, note);
}

static bool read_type_word(const char *word, void *user, measure_note *note)
{
    bench_options *options = user;
    clscan_type type;
    const bool all = strcmp(word, "all") == 0;

    if (!all && !clscan_type_from_name(word, &type))
        return measure_fail(note, "'%s' is no element type", word);
    if (!all)
        options->types[type] = true;
    for (size_t i = 0; all && i < CLSCAN_TYPE_COUNT; ++i)
        options->types[i] = true;
    return true;
}

static bool read_types(const char *value, bench_options *options, measure_note *note)
{
    return bench_each_word(value, read_type_word, options, note);
}

static bool read_operator_word(const char *word, void *user, measure_note *note)
{
    bench_options *options = user;
    clscan_operator op;
    const bool all = strcmp(word, "all") == 0;

    if (!all && (!clscan_operator_from_name(word, &op) || op == CLSCAN_CUSTOM))
        return measure_fail(note, "'%s' is no operator that the benchmark knows", word);
    if (!all)
        options->operators[op] = true;
    for (size_t i = 0; all && i < CLSCAN_CUSTOM; ++i)
        options->operators[i] = true;
    return true;
}

static bool read_operators(const char *value, bench_options *options, measure_note *note)
{
    return bench_each_word(value, read_operator_word, options, note);
}

static bool read_strategy_word(const char *word, void *user, measure_note *note)
{
    bench_options *options = user;
    const bench_strategy *strategy = bench_strategy_find(word);

    if (strcmp(word, "none") == 0)
        return true;
    if (strcmp(word, "config") == 0) {
        options->configured = true;
        return true;
    }
    if (strategy == NULL)
        return measure_fail(note, "'%s' is no strategy; --list shows them", word);
    if (options->strategy_count == BENCH_MAX_STRATEGIES)
        return measure_fail(note, "more than %d strategies", BENCH_MAX_STRATEGIES);
    options->strategies[options->strategy_count++] = strategy;
    return true;
}

static bool read_strategies(const char *value, bench_options *options, measure_note *note)
{
    options->configured = false;
    options->strategy_count = 0;
    return bench_each_word(value, read_strategy_word, options, note);
}

static bool read_peer_word(const char *word, void *user, measure_note *note)
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
            return measure_fail(note, "more than %d peers", BENCH_MAX_PEERS);
        options->peers[options->peer_count++] = *peer;
    }
    return known || measure_fail(note, "'%s' is no peer; --list shows them", word);
}

static bool read_peers(const char *value, bench_options *options, measure_note *note)
{
    options->peer_count = 0;
    return bench_each_word(value, read_peer_word, options, note);
}

static bool read_variant(const char *value, bench_options *options, measure_note *note)
{
    const size_t bytes = strlen(value) + 1;
    char *copy;
    clscan_variant variant;
    clscan_error error;

    if (clscan_variant_parse(value, &variant, &error) != CLSCAN_OK)
        return measure_fail(note, "'%.200s': %s", value, error.message);
    if (options->variant_count == BENCH_MAX_VARIANTS)
        return measure_fail(note, "more than %d variants", BENCH_MAX_VARIANTS);
    copy = malloc(bytes);
    if (copy == NULL)
        return measure_fail(note, "no memory");
    memcpy(copy, value, bytes);
    options->variants[options->variant_count++] = copy;
    return true;
}

static bool read_variants(const char *value, bench_options *options, measure_note *note)
{
    FILE *file = fopen(value, "r");
    char line[1024];
    bool good = true;

    if (file == NULL)
        return measure_fail(note, "%s: %s", value, strerror(errno));
    while (good && fgets(line, sizeof line, file) != NULL) {
        char *text = line + strspn(line, " \t");
        size_t length;

        if (strchr(line, '\n') == NULL && !feof(file)) {
            good = measure_fail(note, "%s: a line is longer than %zu bytes", value, sizeof line - 2);
            break;
        }
        length = strcspn(text, "#\r\n");
        while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'))
            --length;
        text[length] = '\0';
        if (length > 0)
            good = read_variant(text, options, note);
    }
    if (good && ferror(file))
        good = measure_fail(note, "%s cannot be read", value);
    fclose(file);
    return good;
}

static bool set_exclusive(const char *value, bench_options *options, measure_note *note)
{
    (void)value, (void)note;
    options->exclusive = true;
    return true;
}

static bool set_reverse(const char *value, bench_options *options, measure_note *note)
{
    (void)value, (void)note;
    options->reverse = true;
    return true;
}

static bool set_in_place(const char *value, bench_options *options, measure_note *note)
{
    (void)value, (void)note;
    options->in_place = true;
    return true;
}

static bool set_overhead(const char *value, bench_options *options, measure_note *note)
{
    (void)value, (void)note;
    options->mode = BENCH_MODE_OVERHEAD;
    return true;
}

static bool set_latency(const char *value, bench_options *options, measure_note *note)
{
    (void)value, (void)note;
    options->mode = BENCH_MODE_LATENCY;
    return true;
}

static bool set_list(const char *value, bench_options *options, measure_note *note)
{
    (void)value, (void)note;
    options->mode = BENCH_MODE_LIST;
    return true;
}

static bool set_help(const char *value, bench_options *options, measure_note *note)
{
    (void)value, (void)note;
    options->mode = BENCH_MODE_HELP;
    return true;
}

static const struct {
    const char *name;
    const char *argument; /* NULL: a switch */
    const char *help;
    reader *read;
} table[] = {
    {"--sizes", "LIST", "numbers of elements: 1000, 2^20, or ranges FIRST:LAST:FACTOR; default 2^10:2^28:4",
     read_sizes},
    {"--types", "LIST", "element types, or all; default int32", read_types},
    {"--ops", "LIST", "operators, or all; default add", read_operators},
    {"--exclusive", NULL, "exclusive scans", set_exclusive},
    {"--reverse", NULL, "reverse scans", set_reverse},
    {"--in-place", NULL, "output over input", set_in_place},
    {"--strategies", "LIST",
     "config (what the configs choose), names from --list, none; default config, or none "
     "where variants are given",
     read_strategies},
    {"--variant", "TEXT", "also this variant; may be repeated", read_variant},
    {"--variants", "FILE", "also those in a file, one a line; # begins a comment", read_variants},
    {"--peers", "LIST", "names from --list, all, none; default all", read_peers},
    {"--device", "WORD", "a number from --list, or part of a name; default the first GPU, else the first device",
     read_device},
    {"--clock", "WORD", "auto, host, events or both; default auto: host for CPU devices, else events", read_clock},
    {"--cache", "WORD",
     "warm (all runs on the same buffers), cold (on buffers that are in no cache) or both; default "
     "warm",
     read_cache},
    {"--cache-size", "MIB", "size of the last-level cache, for cold caches; default what the device or the system says",
     read_cache_size},
    {"--runs", "N", "timed runs of each contender in each case; default 21", read_runs},
    {"--rounds", "N", "go through all cases N times; default 1", read_rounds},
    {"--csv", "FILE", "write one row per case and contender", read_csv},
    {"--json", "FILE", "write one object with the same rows, the device and the command line", read_json},
    {"--suite", "NAME", "the experiments of a paper, from --list, instead of the problems above", read_suite},
    {"--experiments", "LIST", "only these experiments of the suite", read_experiments},
    {"--candidates", "FILE",
     "with --suite: look for the best parameters among these variants, one a line, or among "
     "those of a journal of clscan-tune",
     read_candidates},
    {"--overhead", NULL, "measure what clscan_run costs the host, beside bare OpenCL calls", set_overhead},
    {"--latency", NULL, "measure from enqueueing to the end of clFinish; default size 2^10", set_latency},
    {"--list", NULL, "show devices, strategies, suites and peers", set_list},
    {"--help", NULL, "show this text", set_help},
};

static void set_defaults(bench_options *options, measure_note *note, bool strategies_given, bool peers_given)
{
    if (options->size_count == 0 && options->suite == NULL)
        read_sizes(options->mode == BENCH_MODE_THROUGHPUT ? "2^10:2^28:4" : "2^10", options, note);
    if (memchr(options->types, true, sizeof options->types) == NULL && options->suite == NULL)
        options->types[CLSCAN_INT32] = true;
    if (memchr(options->operators, true, sizeof options->operators) == NULL)
        options->operators[CLSCAN_ADD] = true;
    if (!strategies_given)
        options->configured = options->variant_count == 0;
    if (!peers_given)
        read_peers("all", options, note);
}

/* Take argv[*index], and its value if it has one. *which receives its place in the table. */
static bool take(int argc, char **argv, int *index, bench_options *options, size_t *which, measure_note *note)
{
    const char *word = argv[*index];
    const char *equals = strchr(word, '=');
    const size_t word_bytes = equals != NULL ? (size_t)(equals - word) : strlen(word);
    const char *value = equals != NULL ? equals + 1 : NULL;
    measure_note reason;

    for (size_t i = 0; i < sizeof table / sizeof table[0]; ++i) {
        if (strlen(table[i].name) != word_bytes || memcmp(table[i].name, word, word_bytes) != 0)
            continue;
        *which = i;
        if (table[i].argument == NULL && value != NULL)
            return measure_fail(note, "option %s takes no value", table[i].name);
        if (table[i].argument != NULL && value == NULL && *index + 1 < argc)
            value = argv[++*index];
        if (table[i].argument != NULL && value == NULL)
            return measure_fail(note, "option %s needs a value: %s", table[i].name, table[i].argument);
        if (!table[i].read(value, options, &reason))
            return measure_fail(note, "option %s: %.900s", table[i].name, reason.text);
        return true;
    }
    return measure_fail(note, "unknown option '%.*s'", (int)word_bytes, word);
}

bool bench_options_parse(int argc, char **argv, bench_options *options, measure_note *note)
{
    bool strategies_given = false, peers_given = false;

    *options = (bench_options){.cache = BENCH_CACHE_WARM, .runs = 21, .rounds = 1};
    for (int i = 1; i < argc; ++i) {
        size_t which;

        if (!take(argc, argv, &i, options, &which, note))
            return false;
        strategies_given = strategies_given || table[which].read == read_strategies;
        peers_given = peers_given || table[which].read == read_peers;
    }
    if (options->suite == NULL && (options->experiments != NULL || options->candidates != NULL))
        return measure_fail(note, "option %s needs --suite",
                            options->experiments != NULL ? "--experiments" : "--candidates");
    set_defaults(options, note, strategies_given, peers_given);
    return true;
}

void bench_options_free(bench_options *options)
{
    for (size_t i = 0; i < options->variant_count; ++i)
        free(options->variants[i]);
    options->variant_count = 0;
}

void bench_options_help(void)
{
    printf("usage: clscan-bench [options]\n\n"
           "Times scans beside a copy of the same bytes and beside other libraries, in turn, run by run.\n"
           "LIST is words with commas between them.\n\noptions:\n");
    for (size_t i = 0; i < sizeof table / sizeof table[0]; ++i) {
        char left[32];

        snprintf(left, sizeof left, "%s %s", table[i].name, table[i].argument != NULL ? table[i].argument : "");
        printf("  %-18s %s\n", left, table[i].help);
    }
    printf("\nexamples:\n"
           "  clscan-bench --list\n"
           "  clscan-bench --sizes 2^10:2^28:4 --types int32,float --csv scan.csv\n"
           "  clscan-bench --device nvidia --ops add,max --exclusive --peers none\n"
           "\nexit codes: 0 success, 1 a wrong result or a failure, 2 wrong usage\n");
}
