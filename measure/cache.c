#include "cache.h"

#include <inttypes.h>
#include <stdio.h>

#define MAX_LEVELS 8

/* The largest cache of the first CPU, or 0. */
static uint64_t system_cache_bytes(void)
{
    uint64_t largest_kib = 0;

    for (int level = 0; level < MAX_LEVELS; ++level) {
        char path[80];
        uint64_t size_kib = 0;
        FILE *file;

        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", level);
        file = fopen(path, "r");
        if (file == NULL)
            break;
        if (fscanf(file, "%" SCNu64 "K", &size_kib) == 1 && size_kib > largest_kib)
            largest_kib = size_kib;
        fclose(file);
    }
    return largest_kib << 10;
}

uint64_t measure_cache_bytes(cl_device_id device, const clscan_device_info *info)
{
    const bool is_cpu = info->device_class == CLSCAN_DEVICE_CLASS_CPU;
    const uint64_t least_bytes = is_cpu ? system_cache_bytes() : MEASURE_LEAST_CACHE_BYTES;
    cl_ulong said_bytes = 0;

    (void)clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof said_bytes, &said_bytes, NULL);
    return said_bytes > least_bytes ? said_bytes : least_bytes;
}
