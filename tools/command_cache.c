#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "command.h"
#include "command_line/failure.h"
#include "command_line/options.h"
#include "common/printable.h"

static const char *mode_meaning(clscan_cache_mode mode)
{
    switch (mode) {
#define X(name, text, meaning) \
    case CLSCAN_CACHE_##name:  \
        return meaning;
        CLSCAN_CACHE_MODE_LIST(X)
#undef X
    case CLSCAN_CACHE_MODE_COUNT:
        break;
    }
    return "";
}

static const char *entries(uint64_t count)
{
    return count == 1 ? "entry" : "entries";
}

/* ---- What the actions print ---- */

/* Which devices the cache is for. A machine without any is no failure here. */
static clscan_status print_devices(clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan_error none;
    cl_device_id *devices = NULL;
    size_t count = 0;

    if (clscan_device_list(NULL, 0, &count, &none) != CLSCAN_OK)
        return CLSCAN_OK;
    devices = calloc(count, sizeof *devices);
    REQUIRE(devices != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory to list the devices");
    TRY(clscan_device_list(devices, count, &count, error));
    for (size_t i = 0; i < count; ++i) {
        clscan_device_info info = {.struct_size = sizeof info};
        const char *reason;
        int kept;

        TRY(clscan_device_describe(devices[i], &info, error));
        kept = clscan_cache_serves(&info, &reason);
        printf("device %-4zu%s\n%11s%s on disk: %s\n", i, info.name, "", kept ? "kept" : "not kept", reason);
    }

cleanup:
    free(devices);
    return status;
}

static clscan_status do_status(clscan_error *error)
{
    clscan_status status;
    clscan_cache_info info = {.struct_size = sizeof info};
    char folder[sizeof info.folder];

    TRY(clscan_cache_describe(&info, error));
    printf("%-11s%s\n", "folder",
           info.folder[0] != '\0' ? clscan__printable(info.folder, folder, sizeof folder) : "none");
    if (info.problem[0] != '\0')
        printf("%-11s%s\n", "not used", info.problem);
    printf("%-11s%s: %s\n", "mode", clscan_cache_mode_name(info.mode), mode_meaning(info.mode));
    printf("%-11s%" PRIu64 " of at most %" PRIu64 " bytes, in %" PRIu64 " %s\n", "size", info.size_bytes,
           info.max_bytes, info.entry_count, entries(info.entry_count));
    TRY(print_devices(error));

cleanup:
    return status;
}

static clscan_status do_where(clscan_error *error)
{
    clscan_status status;
    clscan_cache_info info = {.struct_size = sizeof info};

    TRY(clscan_cache_describe(&info, error));
    REQUIRE(info.folder[0] != '\0', CLSCAN_ERROR_FILE, "there is no folder: %s", info.problem);
    printf("%s\n", info.folder);

cleanup:
    return status;
}

static clscan_status do_size(clscan_error *error)
{
    clscan_status status;
    clscan_cache_info info = {.struct_size = sizeof info};

    TRY(clscan_cache_describe(&info, error));
    REQUIRE(info.problem[0] == '\0', CLSCAN_ERROR_FILE, "%s: %s", info.folder, info.problem);
    printf("%" PRIu64 "\n", info.size_bytes);

cleanup:
    return status;
}

static void print_entry(const clscan_cache_entry *entry, void *user)
{
    const time_t used = (time_t)entry->used_time_s;
    struct tm local;
    char when[32] = "-";

    (void)user;
    if (localtime_r(&used, &local) != NULL)
        strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", &local);
    printf("%s  %s %9" PRIu64 " bytes  ", entry->name, when, entry->size_bytes);
    if (entry->problem[0] != '\0')
        printf("not usable: %s\n", entry->problem);
    else
        printf("%s, driver %s: %s\n", entry->device, entry->driver, entry->program);
}

static clscan_status do_list(clscan_error *error)
{
    return clscan_cache_list(print_entry, NULL, error);
}

static clscan_status do_clear(clscan_error *error)
{
    clscan_status status;
    uint64_t removed = 0;

    TRY(clscan_cache_clear(&removed, error));
    printf("%" PRIu64 " %s removed\n", removed, entries(removed));

cleanup:
    return status;
}

/* ---- The command ---- */

#define ACTION_LIST(X)                                                     \
    X(status, "folder, mode and size, and which devices the cache is for") \
    X(list, "the compiled programs on disk, the one used last first")      \
    X(size, "bytes on disk")                                               \
    X(where, "the folder")                                                 \
    X(clear, "remove all programs from disk")

static const struct {
    const char *name;
    clscan_status (*run)(clscan_error *error);
} actions[] = {
#define X(name, help) {#name, do_##name},
    ACTION_LIST(X)
#undef X
};

int command_cache(int argc, char **argv)
{
    static const char *const operand_names[] = {"ACTION"};
    const command_line line = {
        .name = "cache",
        .synopsis = "cache [ACTION]",
        .description = "Show or clear the compiled programs that clscan keeps on disk. ACTION is one of\n"
#define X(name, help) "\n  " #name ": " help
        ACTION_LIST(X)
#undef X
            "\n\nWithout ACTION: status. CLSCAN_CACHE (auto, off, memory, on or a folder) and\n"
            "CLSCAN_CACHE_MAX_BYTES in the environment are obeyed.",
        .operands = operand_names,
        .operand_count = 1,
        .examples = "  clscan cache\n"
                    "  clscan cache list\n"
                    "  clscan cache clear\n",
    };
    const char *wanted = "status";
    clscan_error error;
    int exit_code;

    if (argc > 1 && !options_parse(&line, argc, argv, &wanted, &exit_code))
        return exit_code;
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; ++i) {
        if (strcmp(actions[i].name, wanted) != 0)
            continue;
        if (actions[i].run(&error) == CLSCAN_OK)
            return EXIT_CODE_OK;
        print_failure(&error);
        return EXIT_CODE_FAILURE;
    }
    fail(&error, CLSCAN_ERROR_INVALID_VALUE, "'%s' is not an action; there are status, list, size, where and clear",
         wanted);
    return options_wrong(&line, &error);
}
