#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "command.h"
#include "failure.h"
#include "options.h"

#define GIB (1024.0 * 1024.0 * 1024.0)

static void print_text(const char *label, const char *text)
{
    printf("    %-20s%s\n", label, text[0] != '\0' ? text : "-");
}

static void print_number(const char *label, uint64_t number)
{
    printf("    %-20s%" PRIu64 "\n", label, number);
}

static void print_yes_no(const char *label, int yes)
{
    printf("    %-20s%s\n", label, yes ? "yes" : "no");
}

static void print_decision(const char *label, const char *name, const char *reason)
{
    printf("    %-20s%s (%s)\n", label, name, reason);
}

static void print_rest(const clscan_device_info *info)
{
    print_text("vendor", info->vendor);
    printf("    %-20s0x%" PRIx32 "\n", "vendor id", info->vendor_id);
    print_text("device version", info->device_version);
    print_text("driver version", info->driver_version);
    printf("    %-20s%" PRIu32 ".%" PRIu32 "\n", "OpenCL", info->version / 100, info->version / 10 % 10);
    printf("    %-20s%" PRIu32 ".%" PRIu32 "\n", "OpenCL C", info->c_version / 100, info->c_version / 10 % 10);
    print_text("architecture", info->architecture);
    print_text("family", info->family);
    print_text("generic", info->generic);
    print_number("work-group size", info->max_work_group_size);
    print_number("sub-group size", info->sub_group_size);
    print_number("alignment bytes", info->base_align_bytes);
    print_number("memory bytes", info->global_memory_bytes);
    print_number("largest buffer", info->max_allocation_bytes);
    print_number("local memory bytes", info->local_memory_bytes);
    print_number("compute capability", info->nv_compute_capability);
    print_yes_no("double", info->has_double);
    print_yes_no("64-bit atomics", info->has_int64_atomics);
    print_yes_no("sub-groups", info->has_sub_groups);
    print_yes_no("device scope", info->has_device_scope);
    print_text("quirks", info->quirks);
}

static void print_device(size_t index, const clscan_device_info *info, bool is_default, bool verbose)
{
    printf("%zu: %s%s\n", index, info->name, is_default ? " (default)" : "");
    print_text("platform", info->platform_name);
    print_text("key", info->key);
    printf("    %-20s%s, %" PRIu32 " compute units, %.1f GiB\n", "class", clscan_device_class_name(info->device_class),
           info->compute_units, (double)info->global_memory_bytes / GIB);
    print_decision("mechanism", clscan_mechanism_name(info->mechanism), info->mechanism_reason);
    print_decision("progress", clscan_progress_name(info->progress), info->progress_reason);
    if (verbose)
        print_rest(info);
}

static clscan_status list_devices(bool verbose, clscan_error *error)
{
    clscan_status status;
    cl_device_id *devices = NULL;
    cl_device_id default_device = NULL;
    size_t count;
    size_t capacity;

    TRY(clscan_device_list(NULL, 0, &count, error));
    capacity = count;
    devices = calloc(capacity, sizeof *devices);
    REQUIRE(devices != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for a list of %zu devices", capacity);
    TRY(clscan_device_list(devices, capacity, &count, error));
    TRY(clscan_device_find(NULL, &default_device, error));
    for (size_t i = 0; i < count && i < capacity; ++i) {
        clscan_device_info info;

        TRY(clscan_device_describe(devices[i], &info, error));
        print_device(i, &info, devices[i] == default_device, verbose);
    }

cleanup:
    free(devices);
    return status;
}

int command_devices(int argc, char **argv)
{
    bool verbose = false;
    const option options[] = {{"verbose", NULL, "print everything that is known", NULL, &verbose}};
    const command_line line = {
        .name = "devices",
        .synopsis = "devices [options]",
        .description = "List the OpenCL devices of all platforms: number, name, platform, clscan's key, class,\n"
                       "how work-groups communicate (mechanism), whether a waiting work-group may rely on\n"
                       "another one (progress), and why.",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
    };
    clscan_error error;
    int exit_code;

    if (!options_parse(&line, argc, argv, NULL, &exit_code))
        return exit_code;
    switch (list_devices(verbose, &error)) {
    case CLSCAN_OK:
        return EXIT_CODE_OK;
    case CLSCAN_ERROR_NO_PLATFORM:
        complain("no OpenCL driver (ICD) is installed: %s", error.message);
        complain("on Debian and Ubuntu, pocl-opencl-icd makes every CPU an OpenCL device");
        return EXIT_CODE_FAILURE;
    default:
        print_failure(&error);
        return EXIT_CODE_FAILURE;
    }
}
