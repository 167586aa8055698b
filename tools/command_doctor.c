#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "command_line/failure.h"
#include "command_line/options.h"
#include "command_line/values.h"
#include "doctor_checks.h"
#include "doctor_child.h"

#define DEFAULT_LIMIT_S 60
#define MOST_LIMIT_S 3600

typedef struct doctor_options {
    const char *device;
    const char *only; /* a part of the names of checks; NULL: all */
    uint64_t limit_s;
} doctor_options;

/* What a user can set, the least first. */
typedef struct remedy {
    bool no_sub_groups;
    bool no_waiting;
    const char *text;
} remedy;

static const remedy remedies[] = {
    {true, false, "CLSCAN_SUB_GROUPS=off"},
    {false, true, "CLSCAN_WAITING=off"},
    {true, true, "CLSCAN_SUB_GROUPS=off and CLSCAN_WAITING=off"},
};
#define REMEDY_COUNT (sizeof remedies / sizeof remedies[0])

static bool is_bad(verdict what)
{
    return what != VERDICT_WORKS && what != VERDICT_NOT_USED;
}

static bool is_wanted(const doctor_options *wanted, const check *which)
{
    return wanted->only == NULL || strstr(which->name, wanted->only) != NULL;
}

static bool any_wanted(const doctor_options *wanted)
{
    for (size_t i = 0; i < check_count; ++i)
        if (is_wanted(wanted, &checks[i]))
            return true;
    return false;
}

static attempt try_check(size_t index, size_t device, const remedy *by, unsigned limit_s)
{
    const check_request request = {.what = &checks[index],
                                   .device = device,
                                   .no_sub_groups = by != NULL && by->no_sub_groups,
                                   .no_waiting = by != NULL && by->no_waiting};

    return attempt_in_child(check_run, &request, limit_s);
}

/* The remedy with which every check that the device failed works; NULL if there is none. */
static const remedy *find_remedy(const verdict *found, size_t device, unsigned limit_s)
{
    for (size_t r = 0; r < REMEDY_COUNT; ++r) {
        bool helps = true;

        for (size_t i = 0; helps && i < check_count; ++i)
            if (checks[i].kind == CHECK_CONFIGURED && is_bad(found[i]))
                helps = !is_bad(try_check(i, device, &remedies[r], limit_s).verdict);
        if (helps)
            return &remedies[r];
    }
    return NULL;
}

/* Say what to do. Returns whether scans work as they are. */
static bool advise(const verdict *found, size_t device, unsigned limit_s)
{
    unsigned needed = 0, others = 0;
    const remedy *by;

    for (size_t i = 0; i < check_count; ++i) {
        const bool bad = is_bad(found[i]);
        needed += bad && checks[i].kind == CHECK_CONFIGURED;
        others += bad && checks[i].kind != CHECK_CONFIGURED;
    }
    if (needed == 0) {
        puts(others == 0 ? "  Everything that was tried works."
                         : "  Nothing has to be set: what fails is not used here.");
        return true;
    }
    fflush(stdout);
    by = find_remedy(found, device, limit_s);
    if (by != NULL)
        printf("  Set %s: with it, all scans above work.\n", by->text);
    else
        puts("  No switch helps. Use another driver or device; please report this one, with this output.");
    return false;
}

static bool examine(const doctor_options *wanted, size_t device)
{
    const unsigned limit_s = (unsigned)wanted->limit_s;
    const attempt named = attempt_in_child(check_name_device, &device, limit_s);
    verdict *found = calloc(check_count, sizeof *found); /* works, unless tried and found otherwise */
    bool fine;

    if (found == NULL) {
        complain("no memory for the list of checks");
        return false;
    }
    printf("%zu: %s\n", device, named.text);
    for (size_t i = 0; i < check_count; ++i) {
        attempt tried;

        if (!is_wanted(wanted, &checks[i]))
            continue;
        tried = try_check(i, device, NULL, limit_s);
        found[i] = tried.verdict;
        printf("  %-8s  %s%s%s\n", verdict_text(tried.verdict), checks[i].name, tried.text[0] != '\0' ? ": " : "",
               tried.text);
        fflush(stdout);
    }
    fine = advise(found, device, limit_s);
    free(found);
    return fine;
}

static int examine_all(const doctor_options *wanted)
{
    const unsigned limit_s = (unsigned)wanted->limit_s;
    const attempt list = attempt_in_child(check_find_devices, wanted->device, limit_s);
    const size_t first = wanted->device != NULL ? list.number : 0;
    const size_t end = wanted->device != NULL ? first + 1 : list.number;
    bool fine = true;

    if (list.verdict == VERDICT_CRASHES || list.verdict == VERDICT_HANGS) {
        complain("a driver fails when devices are listed: %s", list.text);
        complain("find out which one with OCL_ICD_VENDORS, which names one file of /etc/OpenCL/vendors");
        return EXIT_CODE_FAILURE;
    }
    if (list.verdict != VERDICT_WORKS) {
        complain("%s", list.text);
        return EXIT_CODE_FAILURE;
    }
    for (size_t i = first; i < end; ++i)
        fine = examine(wanted, i) && fine;
    return fine ? EXIT_CODE_OK : EXIT_CODE_FAILURE;
}

int command_doctor(int argc, char **argv)
{
    doctor_options wanted = {.limit_s = DEFAULT_LIMIT_S};
    const option options[] = {
        {"device", "D", "only this one: a number, or a part of a name, platform or key", read_text, &wanted.device},
        {"only", "WORD", "only the checks whose names have this in them", read_text, &wanted.only},
        {"timeout", "S", "seconds after which a check hangs (60)", read_count, &wanted.limit_s},
    };
    const command_line line = {
        .name = "doctor",
        .synopsis = "doctor [options]",
        .description = "Find out what an OpenCL driver fails on. Each check runs in a process of its own, so that\n"
                       "a driver that crashes or hangs ends that process only: small scans by each carry and by\n"
                       "sub-groups, the compiler with each mechanism, the start-up probe, and the scans that the\n"
                       "configs choose for each type. If one of these fails, the switches CLSCAN_SUB_GROUPS=off and\n"
                       "CLSCAN_WAITING=off are tried, and the one that helps is named. Nothing is kept.\n\n"
                       "'not used' is what the device or its driver lacks, or what clscan does not trust it with.",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
        .examples = "  clscan doctor\n"
                    "  clscan doctor --device adreno --timeout 20\n"
                    "  clscan doctor --only 'scan of'\n",
    };
    clscan_error error;
    int exit_code;

    if (!options_parse(&line, argc, argv, NULL, &exit_code))
        return exit_code;
    if (wanted.limit_s == 0 || wanted.limit_s > MOST_LIMIT_S) {
        fail(&error, CLSCAN_ERROR_INVALID_VALUE, "--timeout is from 1 to %d seconds", MOST_LIMIT_S);
        return options_wrong(&line, &error);
    }
    if (!any_wanted(&wanted)) {
        fail(&error, CLSCAN_ERROR_INVALID_VALUE, "no check has '%s' in its name", wanted.only);
        return options_wrong(&line, &error);
    }
    /* Programs of earlier runs would hide the compiler. */
    setenv("CLSCAN_CACHE", "memory", 1);
    return examine_all(&wanted);
}
