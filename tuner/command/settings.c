#include "command/settings.h"

#include "command/settings_values.h"
#include "command_line/failure.h"
#include "command_line/options.h"
#include "command_line/values.h"
#include "reference/reference.h"
#include "work/ahead.h"

#define DEFAULT_SOAK_RUNS 2000
#define MAX_SOAK_RUNS 1000000
#define DEFAULT_BUDGET_S (20.0 * 60.0)
#define QUICK_SOAK_RUNS 200
#define QUICK_BUDGET_S 40.0

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
    static const clscan_type floating[] = {CLSCAN_HALF, CLSCAN_FLOAT, CLSCAN_DOUBLE};
    const clscan_type *types = settings->reproducible ? floating : all_sizes;
    const size_t type_count =
        settings->reproducible ? sizeof floating / sizeof floating[0] : sizeof all_sizes / sizeof all_sizes[0];

    /* A log is searched as it was made, unless another strategy is asked for. */
    if (settings->strategy == NULL && settings->replay == NULL)
        settings->strategy = tune_strategies[0];
    if (settings->space == TUNE_SPACE_COUNT)
        settings->space = TUNE_SPACE_DEFAULT;
    settings->types_given = count_set(settings->types, CLSCAN_TYPE_COUNT) > 0;
    if (!settings->types_given && settings->element_count == 0) {
        for (size_t i = 0; !settings->quick && i < type_count; ++i)
            settings->types[types[i]] = true;
        settings->types[settings->reproducible ? CLSCAN_FLOAT : CLSCAN_INT32] = true;
        for (int type = 0; settings->output_type != CLSCAN_TYPE_COUNT && type < CLSCAN_TYPE_COUNT; ++type)
            settings->types[type] = settings->types[type] &&
                                    tune_output_check((clscan_type)type, settings->output_type, "", NULL) == CLSCAN_OK;
    }
    if (count_set(settings->operations, CLSCAN__CONFIG_OPERATION_COUNT) == 0)
        settings->operations[CLSCAN__CONFIG_SCAN] = true;
    if (count_set(settings->classes, CLSCAN_OPERATOR_CLASS_COUNT) == 0) {
        settings->classes[CLSCAN_OPERATOR_CLASS_BUILTIN] = true;
        settings->classes[CLSCAN_OPERATOR_CLASS_CUSTOM] = !settings->quick;
    }
    settings->soak_given = settings->soak_runs > 0;
    if (!settings->soak_given)
        settings->soak_runs = settings->quick ? QUICK_SOAK_RUNS : DEFAULT_SOAK_RUNS;
    settings->budget_given = settings->budget_s > 0.0;
    if (!settings->budget_given)
        settings->budget_s = settings->quick ? QUICK_BUDGET_S : DEFAULT_BUDGET_S;
}

/* What can be done, as bits. */
enum { RUN = 1, RESUME = 2, REPLAY = 4, VERIFY = 8, LIST = 16, VERSION = 32, RENEW = 64, GROUP = 128 };

/* Name of the option that asks for it; "": it needs none. */
static const char *mode_of(const tune_settings *settings, int *mode)
{
    const struct {
        bool asked;
        int mode;
        const char *name;
    } modes[] = {{settings->list, LIST, "--list"},
                 {settings->version, VERSION, "--version"},
                 {settings->resume, RESUME, "--resume"},
                 {settings->replay != NULL, REPLAY, "--replay"},
                 {settings->verify != NULL, VERIFY, "--verify"},
                 {settings->renew, RENEW, "--renew-revisions"},
                 {settings->devices != NULL, GROUP, "--devices"}};

    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; ++i) {
        if (modes[i].asked) {
            *mode = modes[i].mode;
            return modes[i].name;
        }
    }
    *mode = RUN;
    return "";
}

/* An option that would be ignored is a mistake, or hides one. */
static clscan_status check_uses(const tune_settings *settings, clscan_error *error)
{
    const struct {
        bool given;
        int modes; /* that use it */
        const char *name;
    } uses[] = {
        {settings->device != NULL, RUN | RESUME | VERIFY | LIST | RENEW, "--device"},
        {settings->recorded_device != NULL, RENEW, "--recorded-device"},
        {count_set(settings->operations, CLSCAN__CONFIG_OPERATION_COUNT) > 0, RUN, "--operation"},
        {count_set(settings->types, CLSCAN_TYPE_COUNT) > 0, RUN, "--types"},
        {settings->output_type != CLSCAN_TYPE_COUNT, RUN, "--output-type"},
        {settings->element_count > 0, RUN | VERIFY, "--elements"},
        {count_set(settings->classes, CLSCAN_OPERATOR_CLASS_COUNT) > 0, RUN, "--classes"},
        {settings->count_count > 0, RUN | REPLAY | GROUP, "--sizes"},
        {settings->links != NULL, GROUP, "--links"},
        {settings->reproducible, RUN, "--reproducible"},
        {settings->strategy != NULL, RUN | REPLAY, "--strategy"},
        {settings->space != TUNE_SPACE_COUNT, RUN, "--space"},
        {settings->only != NULL, RUN, "--only"},
        {settings->seed != 0, RUN | REPLAY, "--seed"},
        {settings->budget_s > 0.0, RUN | RESUME | REPLAY, "--budget"},
        {settings->max_trials > 0, RUN | RESUME | REPLAY, "--trials"},
        {settings->soak_runs > 0, RUN | RESUME | VERIFY, "--soak"},
        {settings->compilers != TUNE_COMPILERS_AUTO, RUN | RESUME, "--compilers"},
        {settings->quick, RUN | RESUME | REPLAY | GROUP, "--quick"},
        {settings->without != NULL, REPLAY, "--without"},
        {settings->wait, RUN | RESUME | VERIFY, "--wait"},
        {settings->output != NULL, RUN | RESUME | GROUP, "--output"},
        {settings->journal != NULL, RUN | RESUME, "--journal"},
        {settings->t4 != NULL, RUN | RESUME | REPLAY, "--t4"},
        {settings->dry_run, RUN | GROUP, "--dry-run"},
    };
    int mode;
    const char *asked = mode_of(settings, &mode);

    for (size_t i = 0; i < sizeof uses / sizeof uses[0]; ++i) {
        if (uses[i].given && (uses[i].modes & mode) == 0)
            return fail(error, CLSCAN_ERROR_INVALID_VALUE, "%s has no use beside %s%s", uses[i].name, asked,
                        mode == RESUME ? ", which takes it from the journal"
                        : mode == RUN  ? "a run on a device"
                                       : "");
    }
    return CLSCAN_OK;
}

/* Operations besides scans are tuned on numbers, for plans that are not reproducible. */
static clscan_status check_operations(const tune_settings *settings, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (int i = 0; i < CLSCAN__CONFIG_OPERATION_COUNT; ++i) {
        const clscan__config_operation operation = (clscan__config_operation)i;

        if (!settings->operations[i] || operation == CLSCAN__CONFIG_SCAN)
            continue;
        REQUIRE(settings->element_count == 0 && !settings->reproducible, CLSCAN_ERROR_INVALID_VALUE,
                "%s has no use beside --operation %s", settings->reproducible ? "--reproducible" : "--elements",
                clscan__config_operation_name(operation));
        REQUIRE(operation == CLSCAN__CONFIG_REDUCE || !settings->classes[CLSCAN_OPERATOR_CLASS_NATIVE],
                CLSCAN_ERROR_INVALID_VALUE, "--classes: operation %s has no native operators",
                clscan__config_operation_name(operation));
        for (int type = 0; type < CLSCAN_TYPE_COUNT; ++type)
            REQUIRE(!settings->types[type] || tune_operation_takes(operation, (clscan_type)type),
                    CLSCAN_ERROR_INVALID_VALUE, "--types: operation %s of %s is not measured: its sums are float",
                    clscan__config_operation_name(operation), clscan_type_name((clscan_type)type));
    }

cleanup:
    return status;
}

/* Sums of another type are those of numbers, in plans that are not reproducible. */
static clscan_status check_output(const tune_settings *settings, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (settings->output_type == CLSCAN_TYPE_COUNT)
        return status;
    REQUIRE(settings->element_count == 0 && !settings->reproducible, CLSCAN_ERROR_INVALID_VALUE,
            "%s has no use beside --output-type", settings->reproducible ? "--reproducible" : "--elements");
    REQUIRE(!settings->classes[CLSCAN_OPERATOR_CLASS_NATIVE], CLSCAN_ERROR_INVALID_VALUE,
            "--classes: sums of another type have no native operators");
    for (int i = 0; i < CLSCAN__CONFIG_OPERATION_COUNT; ++i)
        REQUIRE(!settings->operations[i] || tune_operation_converts((clscan__config_operation)i),
                CLSCAN_ERROR_INVALID_VALUE, "--output-type has no use beside --operation %s",
                clscan__config_operation_name((clscan__config_operation)i));
    for (int type = 0; type < CLSCAN_TYPE_COUNT; ++type)
        if (settings->types[type])
            TRY(tune_output_check((clscan_type)type, settings->output_type, "--output-type", error));

cleanup:
    return status;
}

static clscan_status check(const tune_settings *settings, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const int modes = settings->list + settings->version + settings->resume + (settings->replay != NULL) +
                      (settings->verify != NULL) + settings->renew + (settings->devices != NULL);

    REQUIRE(
        modes <= 1, CLSCAN_ERROR_INVALID_VALUE,
        "only one of --list, --resume, --replay, --verify, --renew-revisions, --devices and --version can be done at "
        "a time");
    TRY(check_uses(settings, error));
    REQUIRE(settings->renew || settings->file_count == 0, CLSCAN_ERROR_INVALID_VALUE,
            "'%s' is one argument too many; only --renew-revisions takes files", settings->files[0]);
    REQUIRE(!settings->renew || settings->file_count > 0, CLSCAN_ERROR_INVALID_VALUE,
            "--renew-revisions: FILE is missing");
    REQUIRE(settings->device == NULL || settings->recorded_device == NULL, CLSCAN_ERROR_INVALID_VALUE,
            "--device and --recorded-device name two devices");
    TRY(check_operations(settings, error));
    TRY(check_output(settings, error));
    REQUIRE(!settings->reproducible || settings->element_count == 0, CLSCAN_ERROR_INVALID_VALUE,
            "--reproducible: %s has no reproducible order", settings->elements[0].name);
    for (int type = 0; settings->reproducible && type < CLSCAN_TYPE_COUNT; ++type)
        REQUIRE(!settings->types[type] || clscan_reference_is_floating((clscan_type)type), CLSCAN_ERROR_INVALID_VALUE,
                "--reproducible: scans of %s have the same bits in every plan", clscan_type_name((clscan_type)type));
    REQUIRE(settings->compilers <= TUNE_MAX_AHEAD || settings->compilers == TUNE_COMPILERS_AUTO,
            CLSCAN_ERROR_INVALID_VALUE, "--compilers: at most %d", TUNE_MAX_AHEAD);
    REQUIRE(settings->soak_runs <= MAX_SOAK_RUNS, CLSCAN_ERROR_INVALID_VALUE, "--soak: at most %d runs", MAX_SOAK_RUNS);

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
                               "  clscan-tune --operation select,segmented_scan --types int32\n"
                               "  clscan-tune --types float --output-type double --quick\n"
                               "  clscan-tune --only body=coalesced,carry=adjacent --dry-run\n"
                               "  clscan-tune --resume\n"
                               "  clscan-tune --verify ~/.config/clscan/nvidia-h200.json\n";

/* One table for reading and for the help. */
static bool read_line(int argc, char **argv, tune_settings *settings, clscan_error *error, int *exit_code)
{
    operand_rest files = {0};
    const option options[] = {
        {"device", "DEVICE", "its number in --list, or a part of its name, platform or key", read_text,
         &settings->device},
        {"devices", "LIST",
         "measure a group of devices, as clscan scan --devices takes them, or all: each one's speed, and how many are "
         "the fastest for how many elements",
         read_text, &settings->devices},
        {"links", "LIST",
         "a number for each of --devices, the same for those that share a link to the host; or measure (default: by "
         "PCI "
         "addresses, measured where a driver tells none)",
         read_text, &settings->links},
        {"operation", "LIST",
         "what to tune: scan (the default), reduce, select, unique, segmented_scan, segmented_reduce, "
         "scan_by_key, reduce_by_key, reduce_by_offsets, scan_rows",
         tune_read_operations, settings->operations},
        {"types", "LIST", "element types to measure; each stands for all of its size", read_type_list, settings->types},
        {"output-type", "T",
         "element type of the output, in which elements are combined: double, int64, ... (default: that of the input)",
         read_type, &settings->output_type},
        {"elements", "LIST",
         "elements that are no numbers, as affine_float, int4 or FILE.json: ready-made ones and those of files with "
         "their "
         "operator, vectors with their sum",
         tune_read_elements, settings},
        {"classes", "LIST", "operator classes: native, builtin, custom (default: builtin,custom)", tune_read_classes,
         settings->classes},
        {"sizes", "LIST", "numbers of elements to measure, with scan_rows of a row: 1000, 2^20, or FIRST:LAST:FACTOR",
         tune_read_sizes, settings},
        {"reproducible", NULL, "tune plans whose floating-point results have the same bits everywhere", NULL,
         &settings->reproducible},
        {"strategy", "NAME", "how to search; --list says which there are", tune_read_strategy, &settings->strategy},
        {"space", "NAME", "where to search; --list says which there are", tune_read_space, &settings->space},
        {"only", "LIST", "restrict the space: body=coalesced|strided,work_group_size=64:256", read_text,
         &settings->only},
        {"budget", "TIME", "end after about this long, resumed parts included: 90s, 10m, 1.5h (default: 20m)",
         tune_read_duration, &settings->budget_s},
        {"trials", "N", "end each target's search after N measurements", tune_read_positive, &settings->max_trials},
        {"quick", NULL, "one type, small to large sizes, in less than a minute; --resume needs it again", NULL,
         &settings->quick},
        {"seed", "N", "of random choices (default: from the clock)", tune_read_positive, &settings->seed},
        {"soak", "N", "runs of each winner before it is written (default: 2000)", tune_read_positive,
         &settings->soak_runs},
        {"compilers", "N", "processes that compile ahead (default: by the number of cores)", read_count,
         &settings->compilers},
        {"wait", NULL, "wait for another clscan-tune on the same device, instead of leaving", NULL, &settings->wait},
        {"output", "FILE", "config to write (default: one in the user's folder)", read_text, &settings->output},
        {"journal", "FILE", "journal to write, or to go on with (default: one in the user's state folder)", read_text,
         &settings->journal},
        {"t4", "FILE", "also write all measurements in the T4 results format, 1.1.0", read_text, &settings->t4},
        {"resume", NULL, "go on with --journal, or with the newest journal of the device", NULL, &settings->resume},
        {"replay", "LOG", "search in a recorded journal or T4 file instead of on a device", read_text,
         &settings->replay},
        {"without", "MATCH", "replay as if no config were for MATCH, a device's key or class", read_text,
         &settings->without},
        {"verify", "CONFIG", "check all entries on the device; put those that fail into quarantine", read_text,
         &settings->verify},
        {"renew-revisions", NULL,
         "give the entries of each FILE the revisions that their kernels have now; measure nothing", NULL,
         &settings->renew},
        {"recorded-device", "FILE", "device that is not here, as scripts/record-device wrote it; for --renew-revisions",
         read_text, &settings->recorded_device},
        {"dry-run", NULL, "say what would be done, and do nothing", NULL, &settings->dry_run},
        {"list", NULL, "show devices, strategies and spaces", NULL, &settings->list},
        {"version", NULL, "print the version", NULL, &settings->version},
    };
    const command_line line = {
        .name = "",
        .synopsis = "[options] [FILE...]",
        .rest = &files,
        .description = description,
        .options = options,
        .option_count = sizeof options / sizeof options[0],
        .examples = examples,
    };

    if (!options_parse(&line, argc, argv, NULL, exit_code))
        return false;
    settings->files = files.words;
    settings->file_count = files.count;
    if (check(settings, error) == CLSCAN_OK)
        return true;
    *exit_code = tune_settings_wrong(error);
    return false;
}

bool tune_settings_read(int argc, char **argv, tune_settings *settings, int *exit_code)
{
    clscan_error error = {0};

    *settings =
        (tune_settings){.output_type = CLSCAN_TYPE_COUNT, .space = TUNE_SPACE_COUNT, .compilers = TUNE_COMPILERS_AUTO};
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
