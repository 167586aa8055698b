#include "settings.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "command_line/failure.h"
#include "command_line/options.h"
#include "command_line/values.h"

#define DEFAULT_SOAK_RUNS 2000
#define DEFAULT_BUDGET_S (20.0 * 60.0)
#define QUICK_SOAK_RUNS 200
#define QUICK_BUDGET_S 40.0
#define MAX_COMPILERS 8

/* ---- Readers of values ---- */

/* Call `take` for each word between commas. */
static clscan_status each_word(const char *text, clscan_status (*take)(const char *word, void *target, clscan_error *),
                               void *target, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    char word[64];

    for (const char *at = text;; ++at) {
        const size_t word_bytes = strcspn(at, ",");

        REQUIRE(word_bytes > 0 && word_bytes < sizeof word, CLSCAN_ERROR_INVALID_VALUE, "'%s' is no list of words",
                text);
        memcpy(word, at, word_bytes);
        word[word_bytes] = '\0';
        TRY(take(word, target, error));
        at += word_bytes;
        if (*at == '\0')
            break;
    }

cleanup:
    return status;
}

static clscan_status add_class(const char *word, void *target, clscan_error *error)
{
    clscan_operator_class operator_class;

#define X(name, text, meaning) ", " #text
    if (!clscan_operator_class_from_name(word, &operator_class))
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "'%s' is no operator class; there are %s", word,
                    &(CLSCAN_OPERATOR_CLASS_LIST(X))[2]);
#undef X
    ((bool *)target)[operator_class] = true;
    return CLSCAN_OK;
}

static clscan_status read_classes(const char *text, void *target, clscan_error *error)
{
    return each_word(text, add_class, target, error);
}

/* Put a count in its place of the ascending ladder. */
static clscan_status add_count(tune_settings *settings, uint64_t count, clscan_error *error)
{
    size_t at = 0;

    while (at < settings->count_count && settings->counts[at] < count)
        ++at;
    if (at < settings->count_count && settings->counts[at] == count)
        return CLSCAN_OK;
    if (count == 0 || settings->count_count == TUNE_MAX_COUNTS)
        return fail(error, CLSCAN_ERROR_INVALID_VALUE,
                    count == 0 ? "a scan of 0 elements cannot be tuned" : "more than %d sizes", TUNE_MAX_COUNTS);
    memmove(&settings->counts[at + 1], &settings->counts[at],
            (settings->count_count - at) * sizeof settings->counts[0]);
    settings->counts[at] = count;
    ++settings->count_count;
    return CLSCAN_OK;
}

/* A count, FIRST:LAST or FIRST:LAST:FACTOR. */
static clscan_status add_sizes(const char *word, void *target, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    uint64_t numbers[3] = {0, 0, 4};
    size_t given = 0;
    char part[64];

    for (const char *at = word;; ++at) {
        const size_t part_bytes = strcspn(at, ":");

        REQUIRE(given < 3, CLSCAN_ERROR_INVALID_VALUE, "'%s' is no range; write FIRST:LAST:FACTOR", word);
        memcpy(part, at, part_bytes);
        part[part_bytes] = '\0';
        TRY(read_count(part, &numbers[given++], error));
        at += part_bytes;
        if (*at == '\0')
            break;
    }
    if (given == 1)
        numbers[1] = numbers[0];
    REQUIRE(numbers[0] <= numbers[1] && numbers[2] >= 2, CLSCAN_ERROR_INVALID_VALUE,
            "'%s' is no range; FIRST is at most LAST, FACTOR at least 2", word);
    for (uint64_t count = numbers[0];; count *= numbers[2]) {
        TRY(add_count(target, count, error));
        if (count > numbers[1] / numbers[2])
            break;
    }

cleanup:
    return status;
}

static clscan_status read_sizes(const char *text, void *target, clscan_error *error)
{
    return each_word(text, add_sizes, target, error);
}

static clscan_status read_strategy(const char *text, void *target, clscan_error *error)
{
    const tune_strategy *found = tune_strategy_find(text);

    if (found == NULL)
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "'%s' is no strategy; 'clscan-tune --list' names them", text);
    *(const tune_strategy **)target = found;
    return CLSCAN_OK;
}

static clscan_status read_space(const char *text, void *target, clscan_error *error)
{
    if (!tune_space_name_from_text(text, target))
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "'%s' is no space; 'clscan-tune --list' names them", text);
    return CLSCAN_OK;
}

/* "90", "90s", "10m", "1.5h". */
static clscan_status read_duration(const char *text, void *target, clscan_error *error)
{
    static const struct {
        const char *unit;
        double seconds;
    } units[] = {{"", 1.0}, {"s", 1.0}, {"m", 60.0}, {"h", 3600.0}};
    char *end;
    double value;

    errno = 0;
    value = strtod(text, &end);
    if (text[0] >= '0' && text[0] <= '9' && errno == 0 && value > 0.0 && value <= 1e6) {
        for (size_t i = 0; i < sizeof units / sizeof units[0]; ++i) {
            if (strcmp(end, units[i].unit) == 0) {
                *(double *)target = value * units[i].seconds;
                return CLSCAN_OK;
            }
        }
    }
    return fail(error, CLSCAN_ERROR_INVALID_VALUE, "'%s' is no duration; write 90s, 10m or 1.5h", text);
}

/* ---- What belongs together ---- */

static size_t count_set(const bool *set, size_t size)
{
    size_t count = 0;

    for (size_t i = 0; i < size; ++i)
        count += set[i];
    return count;
}

/* What was not given, and what --quick makes smaller. */
static void fill_in(tune_settings *settings)
{
    static const clscan_type all_sizes[] = {CLSCAN_INT8, CLSCAN_INT16, CLSCAN_INT32, CLSCAN_INT64};

    if (count_set(settings->types, CLSCAN_TYPE_COUNT) == 0) {
        for (size_t i = 0; !settings->quick && i < sizeof all_sizes / sizeof all_sizes[0]; ++i)
            settings->types[all_sizes[i]] = true;
        settings->types[CLSCAN_INT32] = true;
    }
    if (count_set(settings->classes, CLSCAN_OPERATOR_CLASS_COUNT) == 0) {
        settings->classes[CLSCAN_OPERATOR_CLASS_BUILTIN] = true;
        settings->classes[CLSCAN_OPERATOR_CLASS_CUSTOM] = !settings->quick;
    }
    if (settings->soak_runs == 0)
        settings->soak_runs = settings->quick ? QUICK_SOAK_RUNS : DEFAULT_SOAK_RUNS;
    settings->budget_given = settings->budget_s > 0.0;
    if (!settings->budget_given)
        settings->budget_s = settings->quick ? QUICK_BUDGET_S : DEFAULT_BUDGET_S;
}

static clscan_status check(const tune_settings *settings, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const int modes = settings->dry_run + settings->list + settings->version + settings->resume +
                      (settings->replay != NULL) + (settings->verify != NULL);

    REQUIRE(modes <= 1, CLSCAN_ERROR_INVALID_VALUE,
            "only one of --dry-run, --list, --resume, --replay, --verify and --version can be done at a time");
    REQUIRE(settings->compilers <= MAX_COMPILERS || settings->compilers == TUNE_COMPILERS_AUTO,
            CLSCAN_ERROR_INVALID_VALUE, "--compilers: at most %d", MAX_COMPILERS);
    REQUIRE(settings->soak_runs <= 1000000, CLSCAN_ERROR_INVALID_VALUE, "--soak: at most 1000000 runs");

cleanup:
    return status;
}

static const char description[] =
    "Find the fastest variants of a device by measuring them, and write them where clscan looks for\n"
    "them. Without options: the default device, all element sizes, about 20 minutes.\n"
    "\n"
    "Every candidate runs in another process and is checked before it is timed, so hangs, crashes and\n"
    "wrong answers cost one candidate each. What was measured is in a journal: after Ctrl-C, a crash or\n"
    "a power cut, --resume goes on. Nothing slower than what clscan would have chosen is written.";

static const char examples[] = "  clscan-tune --quick\n"
                               "  clscan-tune --types int32,float --sizes 2^16:2^28:16 --budget 6m\n"
                               "  clscan-tune --only body=coalesced,carry=adjacent --dry-run\n"
                               "  clscan-tune --resume\n"
                               "  clscan-tune --verify ~/.config/clscan/nvidia-h200.json\n";

/* One table for reading and for the help. */
static bool read_line(int argc, char **argv, tune_settings *settings, clscan_error *error, int *exit_code)
{
    const option options[] = {
        {"device", "DEVICE", "its number in --list, or a part of its name, platform or key", read_text,
         &settings->device},
        {"types", "LIST", "element types to measure; each stands for all of its size", read_type_list, settings->types},
        {"classes", "LIST", "operator classes: native, builtin, custom (default: builtin,custom)", read_classes,
         settings->classes},
        {"sizes", "LIST", "numbers of elements to measure: 1000, 2^20, or FIRST:LAST:FACTOR", read_sizes, settings},
        {"strategy", "NAME", "how to search; --list says which there are", read_strategy, &settings->strategy},
        {"space", "NAME", "where to search; --list says which there are", read_space, &settings->space},
        {"only", "LIST", "restrict the space: body=coalesced|strided,work_group_size=64:256,...", read_text,
         &settings->only},
        {"budget", "TIME", "end after about this long: 90s, 10m, 1.5h (default: 20m)", read_duration,
         &settings->budget_s},
        {"trials", "N", "end each target's search after N measurements", read_count, &settings->max_trials},
        {"quick", NULL, "int32 at four sizes, in less than a minute", NULL, &settings->quick},
        {"seed", "N", "of random choices (default: from the clock)", read_count, &settings->seed},
        {"soak", "N", "runs of each winner before it is written (default: 2000)", read_count, &settings->soak_runs},
        {"compilers", "N", "processes that compile ahead (default: by the number of cores)", read_count,
         &settings->compilers},
        {"wait", NULL, "wait for another clscan-tune on the same device, instead of leaving", NULL, &settings->wait},
        {"output", "FILE", "config to write (default: one in the user's folder)", read_text, &settings->output},
        {"journal", "FILE", "journal to write, or to resume (default: one in the user's state folder)", read_text,
         &settings->journal},
        {"t4", "FILE", "also write all measurements in the T4 results format, 1.1.0", read_text, &settings->t4},
        {"resume", NULL, "go on with the journal, by default this device's newest", NULL, &settings->resume},
        {"replay", "LOG", "search in a recorded journal or T4 file instead of on a device", read_text,
         &settings->replay},
        {"verify", "CONFIG", "check all entries on the device; put those that fail into quarantine", read_text,
         &settings->verify},
        {"dry-run", NULL, "say what would be done, and do nothing", NULL, &settings->dry_run},
        {"list", NULL, "show devices, strategies and spaces", NULL, &settings->list},
        {"version", NULL, "print the version", NULL, &settings->version},
    };
    const command_line line = {
        .name = "",
        .synopsis = "[options]",
        .description = description,
        .options = options,
        .option_count = sizeof options / sizeof options[0],
        .examples = examples,
    };

    if (!options_parse(&line, argc, argv, NULL, exit_code))
        return false;
    if (check(settings, error) == CLSCAN_OK)
        return true;
    *exit_code = tune_settings_wrong(error);
    return false;
}

bool tune_settings_read(int argc, char **argv, tune_settings *settings, int *exit_code)
{
    clscan_error error = {0};

    *settings = (tune_settings){.strategy = tune_strategies[0], .compilers = TUNE_COMPILERS_AUTO};
    if (!read_line(argc, argv, settings, &error, exit_code))
        return false;
    fill_in(settings);
    return true;
}

int tune_settings_wrong(const clscan_error *error)
{
    static const command_line line = {.name = ""};

    return options_wrong(&line, error);
}
