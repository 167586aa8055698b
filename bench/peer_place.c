#include "peer_place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_PLATFORMS 32
#define MAX_DEVICES 64
#define UUID_BYTES 16
/* Of cl_khr_device_uuid; older headers do not have it. */
#ifndef CL_DEVICE_UUID_KHR
#define CL_DEVICE_UUID_KHR 0x106A
#endif

static bool is_program(const char *folder, size_t folder_bytes, const char *program, char (*path)[BENCH_PLACE_BYTES])
{
    const int length = snprintf(*path, sizeof *path, "%.*s/%s", (int)folder_bytes, folder, program);

    return length > 0 && (size_t)length < sizeof *path && access(*path, X_OK) == 0;
}

bool bench_place_find(const char *program, char (*path)[BENCH_PLACE_BYTES])
{
    const char *folder = getenv("CLSCAN_BENCH_PEERS");
    char self[BENCH_PLACE_BYTES];
    ssize_t length;

    if (folder != NULL && is_program(folder, strlen(folder), program, path))
        return true;
    length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0)
        return false;
    self[length] = '\0';
    return is_program(self, (size_t)(strrchr(self, '/') - self), program, path);
}

/* OpenCL's lists are the same in all programs of one environment. */
static bool find_positions(cl_device_id wanted, cl_uint *platform, cl_uint *device)
{
    cl_platform_id platforms[MAX_PLATFORMS];
    cl_uint platform_count = 0;

    if (clGetPlatformIDs(MAX_PLATFORMS, platforms, &platform_count) != CL_SUCCESS)
        return false;
    for (*platform = 0; *platform < platform_count && *platform < MAX_PLATFORMS; ++*platform) {
        cl_device_id devices[MAX_DEVICES];
        cl_uint count = 0;

        if (clGetDeviceIDs(platforms[*platform], CL_DEVICE_TYPE_ALL, MAX_DEVICES, devices, &count) != CL_SUCCESS)
            continue;
        for (*device = 0; *device < count && *device < MAX_DEVICES; ++*device) {
            if (devices[*device] == wanted)
                return true;
        }
    }
    return false;
}

void bench_address_of(const measure_device *device, bench_address *address)
{
    unsigned char uuid[UUID_BYTES];
    cl_uint platform = 0, position = 0;

    if (!find_positions(device->id, &platform, &position))
        platform = position = 0; /* the name tells whether it is the one */
    snprintf(address->platform, sizeof address->platform, "%u", platform);
    snprintf(address->device, sizeof address->device, "%u", position);
    strcpy(address->uuid, "-");
    if (clGetDeviceInfo(device->id, CL_DEVICE_UUID_KHR, sizeof uuid, uuid, NULL) == CL_SUCCESS) {
        for (size_t i = 0; i < sizeof uuid; ++i)
            snprintf(address->uuid + 2 * i, 3, "%02x", uuid[i]);
    }
    memcpy(address->name, device->info.name, sizeof address->name);
}
