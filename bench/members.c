#include "members.h"

#include <stdio.h>
#include <string.h>

size_t bench_group_size(const char *request)
{
    size_t size = 1;

    for (; *request != '\0'; ++request)
        size += *request == ',' || *request == ';';
    return size;
}

size_t bench_group_sharing(const char *request)
{
    size_t size = 1;

    for (; *request != '\0' && *request != ';'; ++request)
        size += *request == ',';
    return size;
}

void bench_groups_split(const char *request, size_t sharing, char (*split)[MEASURE_NAME_BYTES])
{
    size_t before = 0;

    snprintf(*split, sizeof *split, "%s", request);
    for (char *at = *split; *at != '\0'; ++at) {
        if (*at == ',' && ++before % sharing == 0)
            *at = ';';
    }
}

const char *bench_groups_first(const bench_options *options, char (*word)[MEASURE_NAME_BYTES])
{
    if (options->devices == NULL)
        return options->device;
    snprintf(*word, sizeof *word, "%.*s", (int)strcspn(options->devices, ","), options->devices);
    return strcmp(*word, "all") == 0 ? "0" : *word;
}

static cl_platform_id platform_of(cl_device_id device)
{
    cl_platform_id platform = NULL;

    (void)clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL);
    return platform;
}

/* The numbers of all devices, or of those of a platform (NULL: any), `first` before the others. */
static void list_devices(cl_device_id first, cl_platform_id platform, char (*list)[MEASURE_NAME_BYTES])
{
    cl_device_id devices[CLSCAN_MOST_DEVICES];
    size_t found = 0, length = 0;
    clscan_error error;

    if (clscan_device_list(devices, CLSCAN_MOST_DEVICES, &found, &error) != CLSCAN_OK)
        return;
    for (int others = 0; others < 2; ++others) {
        for (size_t i = 0; i < found && i < CLSCAN_MOST_DEVICES; ++i) {
            if ((devices[i] != first) == (others != 0) && (platform == NULL || platform_of(devices[i]) == platform))
                length += (size_t)snprintf(*list + length, sizeof *list - length, "%s%zu", length > 0 ? "," : "", i);
        }
    }
}

size_t bench_groups_list(const bench_options *options, const measure_device *device, bool with_one,
                         char (*requests)[MEASURE_NAME_BYTES])
{
    char all[MEASURE_NAME_BYTES] = "";
    const bool named = options->devices != NULL && strcmp(options->devices, "all") != 0;
    size_t size = 1, device_count, count = 0;

    if (named)
        snprintf(all, sizeof all, "%s", options->devices);
    else
        list_devices(device->id, options->devices == NULL ? platform_of(device->id) : NULL, &all);
    device_count = bench_group_size(all);
    if (with_one)
        snprintf(requests[count++], sizeof requests[0], "%.*s", (int)strcspn(all, ","), all);
    while (size < device_count && count < BENCH_MAX_GROUPS) {
        const char *end = all;

        size = 2 * size < device_count ? 2 * size : device_count;
        for (size_t i = 0; i < size; ++i)
            end += strcspn(end, ",") + (i + 1 < size);
        snprintf(requests[count++], sizeof requests[0], "%.*s", (int)(end - all), all);
    }
    return count;
}

/* A device with its context and its queue, which all groups share, and which stay open: a GPU that goes from one
 * context to another may take longer for that than for a scan. */
typedef struct opened {
    clscan_member member;
    size_t turn; /* how often the device is in the group before */
} opened;

static opened pool[CLSCAN_MOST_DEVICES];
static size_t pool_count;

static bool open_anew(const clscan_member *wanted, size_t turn, clscan_member *member, measure_note *note)
{
    cl_int code;

    *member = *wanted;
    if (pool_count == CLSCAN_MOST_DEVICES)
        return measure_fail(note, "more than %u devices", CLSCAN_MOST_DEVICES);
    member->context = clCreateContext(NULL, 1, &member->device, NULL, NULL, &code);
    if (code != CL_SUCCESS)
        return measure_fail_opencl(note, "clCreateContext", code);
    member->queue = clCreateCommandQueue(member->context, member->device, CL_QUEUE_PROFILING_ENABLE, &code);
    if (code != CL_SUCCESS) {
        clReleaseContext(member->context);
        return measure_fail_opencl(note, "clCreateCommandQueue", code);
    }
    pool[pool_count++] = (opened){.member = *member, .turn = turn};
    return true;
}

/* The case's own context and queue for its device. */
static bool open_member(bench_members *members, const measure_device *first, const char *selector, measure_note *note)
{
    clscan_member *member = &members->all[members->count];
    size_t turn = 0;
    clscan_error error;

    *member = (clscan_member){.struct_size = sizeof *member};
    if (clscan_device_find(selector, &member->device, &error) != CLSCAN_OK)
        return measure_fail(note, "%s", error.message);
    for (size_t i = 0; i < members->count; ++i)
        turn += members->all[i].device == member->device;
    ++members->count;
    if (member->device == first->id && turn == 0) {
        member->context = first->context;
        member->queue = first->queue;
        return true;
    }
    for (size_t i = 0; i < pool_count; ++i) {
        if (pool[i].member.device == member->device && pool[i].turn == turn) {
            *member = pool[i].member;
            return true;
        }
    }
    return open_anew(member, turn, member, note);
}

bool bench_members_open(bench_members *members, const measure_device *first, const char *request, measure_note *note)
{
    char word[MEASURE_NAME_BYTES];

    if (bench_group_size(request) > CLSCAN_MOST_DEVICES)
        return measure_fail(note, "more than %u devices", CLSCAN_MOST_DEVICES);
    for (const char *at = request;; ++at) {
        snprintf(word, sizeof word, "%.*s", (int)strcspn(at, ",;"), at);
        if (!open_member(members, first, word, note))
            return false;
        at += strlen(word);
        if (*at == '\0')
            return true;
    }
}
