/* clCreateCommandQueueWithProperties() is missing before OpenCL 2.0. */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "command/run_devices.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <clscan/devices.h>

#include "command/group_ends.h"
#include "command/measure_links.h"
#include "command/measure_shared.h"
#include "command_line/failure.h"
#include "command_line/named_file.h"
#include "command_line/values.h"
#include "common/clock.h"
#include "common/pci_address.h"
#include "config_file/group.h"
#include "files/save.h"
#include "measure/host_memory.h"
#include "measure/statistics.h"
#include "output/group_steps.h"
#include "output/places.h"

/* Of rows, which need no exchange; devices get whole ones. */
#define ROW_ELEMENTS UINT64_C(8192)
#define MOST_RUNS 7
#define QUICK_RUNS 3
/* The largest size that is measured where nobody says which, if the memories hold it. */
#define LAST (UINT64_C(1) << 30)
#define QUICK_LAST (UINT64_C(1) << 22)
/* Of an upload that shows links. */
#define LINK_BYTES ((uint64_t)64 << 20)
/* The way through pinned memory has to be that much faster. */
#define GAIN 0.97
#define WARM_UP_NS UINT64_C(200000000)

typedef struct devices_run {
    const tune_settings *settings;
    const volatile sig_atomic_t *interrupted;
    size_t count;
    cl_device_id devices[CLSCAN_MOST_DEVICES];
    clscan_member members[CLSCAN_MOST_DEVICES];
    clscan_part parts[CLSCAN_MOST_DEVICES];
    clscan_rows rows[CLSCAN_MOST_DEVICES];
    cl_mem ins[CLSCAN_MOST_DEVICES], outs[CLSCAN_MOST_DEVICES];
    uint64_t counts[TUNE_MAX_COUNTS], most;
    size_t count_count;
    size_t numbers[TUNE_MOST_NUMBERS], number_count; /* of devices that are tried */
    size_t runs;                                     /* of which a time is the median */
    uint32_t staging;                                /* of host memory (clscan_host_args) */
    bool measures_links;
    cl_int *host_in, *host_out;
    clscan_devices *groups[CLSCAN_DEVICES_WORK_COUNT];
    clscan__group_document document;
} devices_run;

/* ---- Devices and memory ---- */

static clscan_status find_all(devices_run *run, clscan_error *error)
{
    clscan_status status;

    TRY(clscan_device_list(run->devices, CLSCAN_MOST_DEVICES, &run->count, error));
    if (run->count > CLSCAN_MOST_DEVICES)
        run->count = CLSCAN_MOST_DEVICES;

cleanup:
    return status;
}

static clscan_status find_devices(devices_run *run, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const char *at = run->settings->devices;
    char word[256];

    if (strcmp(at, "all") == 0) {
        TRY(find_all(run, error));
        at = NULL;
    }
    while (at != NULL) {
        const size_t length = next_word(&at, word, sizeof word);

        REQUIRE(length > 0 && length < sizeof word, CLSCAN_ERROR_INVALID_VALUE,
                "--devices: '%s' has a name that is empty or too long", run->settings->devices);
        REQUIRE(run->count < CLSCAN_MOST_DEVICES, CLSCAN_ERROR_INVALID_VALUE, "--devices: more than %u devices",
                CLSCAN_MOST_DEVICES);
        TRY(clscan_device_find(word, &run->devices[run->count++], error));
    }
    REQUIRE(run->count >= 2, CLSCAN_ERROR_INVALID_VALUE, "--devices: a group has two devices or more, '%s' is one",
            run->settings->devices);

cleanup:
    return status;
}

/* Elements that all devices can hold twice, also if all are the same one. */
static clscan_status describe(devices_run *run, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    uint64_t host_bytes;

    run->most = UINT64_MAX;
    for (size_t i = 0; i < run->count; ++i) {
        clscan_device_info info = {.struct_size = sizeof info};
        clscan__group_device *device = &run->document.devices[i];
        uint64_t bytes;

        TRY(clscan_device_describe(run->devices[i], &info, error));
        snprintf(device->key, sizeof device->key, "%s", info.key);
        clscan__pci_address(run->devices[i], device->pci_address);
        bytes = info.global_memory_bytes / run->count / 4;
        bytes = bytes < info.max_allocation_bytes ? bytes : info.max_allocation_bytes;
        run->most = bytes / sizeof(cl_int) < run->most ? bytes / sizeof(cl_int) : run->most;
    }
    /* Two arrays are the host's, and the memory of CPUs is the same. */
    host_bytes = measure_host_memory_bytes() / 8;
    run->most = host_bytes / sizeof(cl_int) < run->most ? host_bytes / sizeof(cl_int) : run->most;
    run->document.device_count = run->count;

cleanup:
    return status;
}

/* What the caller says; else they are measured, unless all devices have PCI addresses. */
static clscan_status read_links(devices_run *run, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const char *at = run->settings->links;
    size_t count = 0;

    if (at == NULL || strcmp(at, "measure") == 0) {
        run->measures_links = at != NULL;
        for (size_t i = 0; i < run->count; ++i)
            run->measures_links = run->measures_links || run->document.devices[i].pci_address[0] == '\0';
        return status;
    }
    while (at != NULL) {
        char word[16];
        const size_t length = next_word(&at, word, sizeof word);
        uint64_t link = 0;

        REQUIRE(length > 0 && length < sizeof word && read_count(word, &link, error) == CLSCAN_OK && link <= UINT32_MAX,
                CLSCAN_ERROR_INVALID_VALUE, "--links: '%s' is no list of numbers", run->settings->links);
        if (count < run->count) {
            run->document.devices[count].has_link = true;
            run->document.devices[count].link = (uint32_t)link;
        }
        ++count;
    }
    REQUIRE(count == run->count, CLSCAN_ERROR_INVALID_VALUE, "--links: '%s' has %zu numbers for %zu devices",
            run->settings->links, count, run->count);

cleanup:
    return status;
}

static clscan_status take_sizes(devices_run *run, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const tune_settings *settings = run->settings;
    const uint64_t last = settings->quick ? QUICK_LAST : LAST;

    for (size_t i = 0; i < settings->count_count; ++i) {
        REQUIRE(settings->counts[i] > 0 && settings->counts[i] <= run->most, CLSCAN_ERROR_INVALID_VALUE,
                "--sizes: %" PRIu64 " elements; these devices hold 1 to %" PRIu64 " each", settings->counts[i],
                run->most);
        run->counts[run->count_count++] = settings->counts[i];
    }
    for (uint64_t count = UINT64_C(1) << 14; settings->count_count == 0 && count <= last && count <= run->most;
         count *= 4)
        run->counts[run->count_count++] = count;
    REQUIRE(run->count_count > 0, CLSCAN_ERROR_INVALID_VALUE, "these devices hold %" PRIu64 " elements each, too few",
            run->most);
    run->most = run->counts[run->count_count - 1];
    for (size_t number = 1; number < run->count; number *= 2)
        run->numbers[run->number_count++] = number;
    run->numbers[run->number_count++] = run->count;
    run->runs = settings->quick ? QUICK_RUNS : MOST_RUNS;

cleanup:
    return status;
}

static clscan_status open_member(devices_run *run, size_t index, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan_member *member = &run->members[index];
    const size_t bytes = (size_t)run->most * sizeof(cl_int);
    cl_int code;

    *member = (clscan_member){.struct_size = sizeof *member, .device = run->devices[index]};
    member->context = clCreateContext(NULL, 1, &member->device, NULL, NULL, &code);
    if (code == CL_SUCCESS)
        member->queue = clCreateCommandQueue(member->context, member->device, 0, &code);
    if (code == CL_SUCCESS)
        run->ins[index] = clCreateBuffer(member->context, CL_MEM_COPY_HOST_PTR, bytes, run->host_in, &code);
    if (code == CL_SUCCESS)
        run->outs[index] = clCreateBuffer(member->context, CL_MEM_COPY_HOST_PTR, bytes, run->host_in, &code);
    REQUIRE(code == CL_SUCCESS, CLSCAN_ERROR_OPENCL, "device %zu (%s): no memory for %" PRIu64 " elements: %s", index,
            run->document.devices[index].key, run->most, clscan_cl_error_name(code));

cleanup:
    return status;
}

static clscan_status open_groups(devices_run *run, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const uint64_t width = run->most < ROW_ELEMENTS ? run->most : ROW_ELEMENTS;
    const clscan_rows rows = {.struct_size = sizeof rows, .count = run->most / width};
    clscan_problem problem = {.struct_size = sizeof problem, .type = CLSCAN_INT32, .max_count = run->most};
    clscan_problem of_rows = problem;

    of_rows.rows = &rows;
    of_rows.max_count = width;
    TRY(clscan_devices_create(run->members, run->count, &of_rows, NULL, &run->groups[CLSCAN_DEVICES_ROWS], error));
    TRY(clscan_devices_create(run->members, run->count, &problem, NULL, &run->groups[CLSCAN_DEVICES_SCAN], error));
    run->groups[CLSCAN_DEVICES_HOST] = run->groups[CLSCAN_DEVICES_SCAN];

cleanup:
    return status;
}

static clscan_status open_all(devices_run *run, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    run->host_in = malloc((size_t)run->most * sizeof *run->host_in);
    run->host_out = malloc((size_t)run->most * sizeof *run->host_out);
    REQUIRE(run->host_in != NULL && run->host_out != NULL, CLSCAN_ERROR_OUT_OF_MEMORY,
            "no host memory for %" PRIu64 " elements", run->most);
    for (uint64_t i = 0; i < run->most; ++i)
        run->host_in[i] = 1;
    for (size_t i = 0; i < run->count; ++i)
        TRY(open_member(run, i, error));
    TRY(open_groups(run, error));

cleanup:
    return status;
}

static void close_all(devices_run *run)
{
    clscan_devices_destroy(run->groups[CLSCAN_DEVICES_ROWS]);
    clscan_devices_destroy(run->groups[CLSCAN_DEVICES_SCAN]);
    for (size_t i = 0; i < run->count; ++i) {
        if (run->ins[i] != NULL)
            clReleaseMemObject(run->ins[i]);
        if (run->outs[i] != NULL)
            clReleaseMemObject(run->outs[i]);
        if (run->members[i].queue != NULL)
            clReleaseCommandQueue(run->members[i].queue);
        if (run->members[i].context != NULL)
            clReleaseContext(run->members[i].context);
    }
    free(run->host_in);
    free(run->host_out);
}

/* ---- One run ---- */

/* Where each part ends there stands what the elements up to there come to, all of which are 1. */
static clscan_status deal(devices_run *run, clscan_devices_work work, uint64_t count, const double *weights,
                          uint64_t *ends, clscan_error *error)
{
    clscan_status status;
    const uint64_t width = work != CLSCAN_DEVICES_ROWS ? 1 : count < ROW_ELEMENTS ? count : ROW_ELEMENTS;
    uint64_t before = 0;

    TRY(clscan_devices_deal(count / width, weights, run->count, ends, error));
    for (size_t i = 0; i < run->count; ++i) {
        const uint64_t share = ends[i];

        run->parts[i] = (clscan_part){
            .struct_size = sizeof run->parts[i], .in.buffer = run->ins[i], .out.buffer = run->outs[i], .count = share};
        before += share;
        if (work == CLSCAN_DEVICES_ROWS) {
            run->rows[i] = (clscan_rows){.struct_size = sizeof run->rows[i], .count = share};
            run->parts[i].rows = &run->rows[i];
            run->parts[i].count = width;
        }
        ends[i] = share == 0 ? 0 : work == CLSCAN_DEVICES_ROWS ? width : before;
    }

cleanup:
    return status;
}

static clscan_status run_once(devices_run *run, clscan_devices_work work, uint64_t count, const double *weights,
                              clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_devices_args args = {
        .struct_size = sizeof args, .parts = run->parts, .part_count = run->count, .blocking = 1};
    const clscan_host_args host = {.struct_size = sizeof host,
                                   .in = run->host_in,
                                   .out = run->host_out,
                                   .count = count,
                                   .weights = weights,
                                   .staging = run->staging};

    if (work == CLSCAN_DEVICES_HOST)
        return clscan_devices_scan_host(run->groups[work], &host, error);
    TRY(clscan_devices_run(run->groups[work], &args, NULL, error));
    for (size_t i = 0; i < run->count; ++i) {
        const cl_int code = clFinish(run->members[i].queue);

        REQUIRE(code == CL_SUCCESS, CLSCAN_ERROR_OPENCL, "device %zu: clFinish failed: %s", i,
                clscan_cl_error_name(code));
    }

cleanup:
    return status;
}

/* The median, of right runs. */
static clscan_status time_runs(devices_run *run, clscan_devices_work work, uint64_t count, const double *weights,
                               double *seconds, clscan_error *error)
{
    clscan_status status;
    uint64_t ends[CLSCAN_MOST_DEVICES], times[MOST_RUNS];
    const bool on_host = work == CLSCAN_DEVICES_HOST;

    TRY(deal(run, work, count, weights, ends, error));
    for (size_t i = 0; i <= run->runs; ++i) { /* the first one warms up, and is checked */
        uint64_t begin;

        REQUIRE(!*run->interrupted, CLSCAN_ERROR_FILE, "interrupted; nothing is written");
        run->host_out[count - 1] = -1;
        if (!on_host && i == 0)
            TRY(tune_group_ends_check(run->members, run->parts, run->count, ends, true, error));
        begin = clscan__now_ns();
        TRY(run_once(run, work, count, weights, error));
        times[i > 0 ? i - 1 : 0] = clscan__now_ns() - begin;
        if (!on_host && i == 0)
            TRY(tune_group_ends_check(run->members, run->parts, run->count, ends, false, error));
        REQUIRE(!on_host || (uint64_t)run->host_out[count - 1] == count, CLSCAN_ERROR_DEVICE_LIMIT,
                "the devices compute wrong: the last sum is %d instead of %" PRIu64, (int)run->host_out[count - 1],
                count);
    }
    *seconds = 1e-9 * measure_summarise(times, run->runs).median;

cleanup:
    return status;
}

/* ---- What is measured ---- */

/* In a hundredth of a GB/s, and not 0. */
static double speed(double bytes, double seconds)
{
    return fmax(round(1e-7 * bytes / seconds), 1) / 100;
}

static clscan_status measure_speeds(devices_run *run, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const double bytes = 2.0 * sizeof(cl_int) * (double)run->most;

    for (size_t i = 0; i < run->count; ++i) {
        clscan__group_device *device = &run->document.devices[i];
        double weights[CLSCAN_MOST_DEVICES] = {0}, in_memory = 0, on_host = 0;

        weights[i] = 1;
        TRY(time_runs(run, CLSCAN_DEVICES_SCAN, run->most, weights, &in_memory, error));
        TRY(time_runs(run, CLSCAN_DEVICES_HOST, run->most, weights, &on_host, error));
        device->device_gb_per_s = speed(bytes, in_memory);
        device->host_gb_per_s = speed(bytes, on_host);
        printf("device %zu: %s: %.1f GB/s in its memory, %.1f GB/s from host memory to host memory\n", i, device->key,
               device->device_gb_per_s, device->host_gb_per_s);
        fflush(stdout);
    }

cleanup:
    return status;
}

/* GPUs that had nothing to do run at lower clocks for a while, which would make the first sizes look slow. */
static clscan_status warm_up(devices_run *run, clscan_devices_work work, clscan_error *error)
{
    clscan_status status;
    const uint64_t begin = clscan__now_ns();
    uint64_t ends[CLSCAN_MOST_DEVICES];

    TRY(deal(run, work, run->most, NULL, ends, error));
    do
        TRY(run_once(run, work, run->most, NULL, error));
    while (clscan__now_ns() - begin < WARM_UP_NS && !*run->interrupted);

cleanup:
    return status;
}

/* One size. `base` has, of each number of devices, what the model does not say. */
static clscan_status measure_count(devices_run *run, clscan_devices_work work, uint64_t count, double *base,
                                   tune_group_times *times, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    *times = (tune_group_times){.work = work, .count = count, .number_count = run->number_count};
    printf("%-5s %10" PRIu64 " elements:", clscan__work_names[work], count);
    for (size_t i = 0; i < run->number_count; ++i) {
        const size_t number = run->numbers[i];
        const double model = tune_group_model_seconds(&run->document, work, number, count);
        double weights[CLSCAN_MOST_DEVICES];

        times->numbers[i] = number;
        tune_group_weights(&run->document, work, number, weights);
        TRY(time_runs(run, work, count, weights, &times->seconds[i], error));
        if (count == run->counts[0])
            base[i] = times->seconds[i] - model;
        printf("%s %zu: %.0f us (model %.0f)", i > 0 ? "," : "", number, 1e6 * times->seconds[i],
               1e6 * (base[i] + model));
    }
    printf("; fastest: %zu\n", tune_group_fastest(times));
    fflush(stdout);

cleanup:
    return status;
}

static void tell_step(const clscan__group_step *step, uint64_t largest_measured)
{
    printf("%-5s %u of the devices", clscan__work_names[step->work], step->devices);
    if (step->largest_count != UINT64_MAX)
        printf(" up to %" PRIu64 " elements", step->largest_count);
    else
        printf(" for all larger ones");
    printf("%s\n",
           step->largest_count != UINT64_MAX && step->largest_count > largest_measured ? ", by how times grow" : "");
}

static clscan_status measure_work(devices_run *run, clscan_devices_work work, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const size_t first = run->document.step_count;
    tune_group_times times[TUNE_MAX_COUNTS];
    double base[TUNE_MOST_NUMBERS];

    TRY(warm_up(run, work, error));
    for (size_t i = 0; i < run->count_count; ++i)
        TRY(measure_count(run, work, run->counts[i], base, &times[i], error));
    tune_group_add_steps(&run->document, times, run->count_count);
    for (size_t i = first; i < run->document.step_count; ++i)
        tell_step(&run->document.steps[i], run->most);
    fflush(stdout);

cleanup:
    return status;
}

/* On all devices: does the way through pinned memory pay? Both ways are measured twice, in turn, and the slower time of
 * that one counts, beside the faster one of the driver. */
static clscan_status measure_staging(devices_run *run, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    double driver = INFINITY, staged = 0;

    for (int turn = 0; turn < 2; ++turn) {
        double seconds = 0;

        run->staging = 2;
        TRY(time_runs(run, CLSCAN_DEVICES_HOST, run->most, NULL, &seconds, error));
        driver = fmin(driver, seconds);
        run->staging = 1;
        TRY(time_runs(run, CLSCAN_DEVICES_HOST, run->most, NULL, &seconds, error));
        staged = fmax(staged, seconds);
    }
    run->document.host_staging = staged < GAIN * driver;
    run->staging = run->document.host_staging ? 1 : 2;
    printf("host memory: %.0f us by the driver, %.0f us through pinned memory: %s\n", 1e6 * driver, 1e6 * staged,
           run->document.host_staging ? "pinned" : "driver");
    fflush(stdout);

cleanup:
    return status;
}

/* Where the caller does not say, and a driver does not say either. */
static clscan_status find_links(devices_run *run, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const uint64_t bytes = run->most * sizeof(cl_int);
    uint32_t links[CLSCAN_MOST_DEVICES];

    if (!run->measures_links)
        return status;
    TRY(tune_measure_links(run->members, run->ins, run->count, run->host_in,
                           (size_t)(bytes < LINK_BYTES ? bytes : LINK_BYTES), run->runs, links, error));
    for (size_t i = 0; i < run->count; ++i) {
        run->document.devices[i].has_link = true;
        run->document.devices[i].link = links[i];
        printf("device %zu: link %" PRIu32 ", as measured\n", i, links[i]);
    }
    fflush(stdout);

cleanup:
    return status;
}

static clscan_status measure(devices_run *run, clscan_error *error)
{
    clscan_status status;
    const tune_shared shared = {.interrupted = run->interrupted,
                                .members = run->members,
                                .ins = run->ins,
                                .outs = run->outs,
                                .counts = run->counts,
                                .count_count = run->count_count,
                                .runs = run->runs};

    TRY(find_links(run, error));
    TRY(measure_staging(run, error));
    TRY(measure_speeds(run, error));
    for (int work = 0; work < CLSCAN_DEVICES_WORK_COUNT; ++work)
        TRY(measure_work(run, (clscan_devices_work)work, error));
    TRY(tune_measure_shared(&shared, &run->document, error));

cleanup:
    return status;
}

/* ---- The config ---- */

/* Groups differ by the keys of their devices. */
static clscan_status place(const devices_run *run, char path[TUNE_PATH_BYTES], clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a, of the keys with their terminators */
    char name[64];

    for (size_t i = 0; i < run->count; ++i)
        for (const char *at = run->document.devices[i].key;; ++at) {
            hash = (hash ^ (unsigned char)*at) * UINT64_C(1099511628211);
            if (*at == '\0')
                break;
        }
    snprintf(name, sizeof name, "groups/%zu-devices-%016" PRIx64, run->count, hash);
    if (run->settings->output != NULL)
        snprintf(path, TUNE_PATH_BYTES, "%s", run->settings->output);
    else
        TRY(tune_place_config(name, path, error));

cleanup:
    return status;
}

static clscan_status check_file(const char *path, clscan_error *error)
{
    clscan_status status;
    clscan__group_document *read = malloc(sizeof *read);
    char *text = NULL;
    size_t size_bytes;

    REQUIRE(read != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "%s: no memory to check it", path);
    TRY(named_file_text(path, CLSCAN__GROUP_MOST_BYTES, &text, &size_bytes, error));
    TRY(clscan__group_read(text, size_bytes, path, read, error));

cleanup:
    free(text);
    free(read);
    return status;
}

static clscan_status save(devices_run *run, const char *path, clscan_error *error)
{
    clscan_status status;
    const time_t now = time(NULL);
    struct tm parts;
    char *text = NULL;
    size_t size_bytes;

    run->document.origin = CLSCAN__ORIGIN_TUNED;
    strftime(run->document.date, sizeof run->document.date, "%Y-%m-%d", gmtime_r(&now, &parts));
    snprintf(run->document.clscan_version, sizeof run->document.clscan_version, "%s", clscan_version());
    text = clscan__group_write(&run->document, &size_bytes);
    REQUIRE(text != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "%s: no memory to write it", path);
    TRY(tune_save(path, text, size_bytes, check_file, error));
    printf("written: %s\n", path);

cleanup:
    free(text);
    return status;
}

static void tell_plan(const devices_run *run, const char *path)
{
    for (size_t i = 0; i < run->count; ++i)
        if (run->document.devices[i].has_link)
            printf("device %zu: %s %s, link %" PRIu32 "\n", i, run->document.devices[i].key,
                   run->document.devices[i].pci_address, run->document.devices[i].link);
        else
            printf("device %zu: %s %s\n", i, run->document.devices[i].key, run->document.devices[i].pci_address);
    printf("sizes:");
    for (size_t i = 0; i < run->count_count; ++i)
        printf(" %" PRIu64, run->counts[i]);
    printf("\nconfig: %s\n", path);
}

clscan_status tune_run_devices(const tune_settings *settings, const volatile sig_atomic_t *interrupted,
                               clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    devices_run *run = calloc(1, sizeof *run);
    char path[TUNE_PATH_BYTES];

    REQUIRE(run != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for a group of devices");
    run->settings = settings;
    run->interrupted = interrupted;
    TRY(find_devices(run, error));
    TRY(describe(run, error));
    TRY(read_links(run, error));
    TRY(take_sizes(run, error));
    TRY(place(run, path, error));
    tell_plan(run, path);
    if (settings->dry_run)
        goto cleanup;
    TRY(tune_save_try(path, "--output", error));
    TRY(open_all(run, error));
    TRY(measure(run, error));
    TRY(save(run, path, error));

cleanup:
    if (run != NULL)
        close_all(run);
    free(run);
    return status;
}
