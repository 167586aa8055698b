#include "host_memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "case.h"

/* The first number in a file, or behind `key` in one of its lines. False if there is none. */
static bool read_number(const char *path, const char *key, uint64_t *number)
{
    FILE *file = fopen(path, "r");
    char line[256];
    bool found = false;

    if (file == NULL)
        return false;
    while (!found && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, key, strlen(key)) == 0)
            found = sscanf(line + strlen(key), "%" SCNu64, number) == 1;
    }
    fclose(file);
    return found;
}

uint64_t measure_host_memory_bytes(void)
{
    uint64_t available_bytes = UINT64_MAX, limit_bytes, used_bytes = 0;

    if (read_number("/proc/meminfo", "MemAvailable:", &available_bytes))
        available_bytes *= 1024;
    /* Of a control group (version 2), which has "max" instead of a number where there is no limit. Caches count towards
     * it as well, but are dropped when memory is wanted. */
    if (!read_number("/sys/fs/cgroup/memory.max", "", &limit_bytes))
        return available_bytes;
    (void)read_number("/sys/fs/cgroup/memory.stat", "anon ", &used_bytes);
    limit_bytes = limit_bytes > used_bytes ? limit_bytes - used_bytes : 0;
    return limit_bytes < available_bytes ? limit_bytes : available_bytes;
}

const char *measure_host_obstacle(const clscan_device_info *info, const measure_problem *problem,
                                  uint64_t available_bytes, measure_note *note)
{
    /* The expected output, and of a CPU device also source and target, and an eighth for the workspace. */
    const uint64_t copies = info->device_class == CLSCAN_DEVICE_CLASS_CPU ? 3 : 1;
    const uint64_t input_bytes = problem->maps != NULL ? problem->bytes : 0; /* beside the expected output */
    const uint64_t needed = copies * measure_buffer_bytes(problem) + problem->bytes / 8 + input_bytes;

    if (needed <= available_bytes)
        return NULL;
    measure_fail(note, "needs %" PRIu64 " MiB of the host's memory, of which %" PRIu64 " MiB are free", needed >> 20,
                 available_bytes >> 20);
    return note->text;
}
