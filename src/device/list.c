#include <clscan/device.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "device/words.h"

/* The loader's answer when no implementation is registered (cl_khr_icd). */
#define PLATFORM_NOT_FOUND (-1001)

typedef struct device_list {
    cl_device_id *devices;
    size_t count;
    cl_int first_failure; /* of a platform that could not be asked; CL_SUCCESS if there was none */
} device_list;

static clscan_status no_platform(clscan_error *error)
{
    return clscan__error_set(error, CLSCAN_ERROR_NO_PLATFORM,
                             "no OpenCL platform is installed: install your GPU vendor's OpenCL driver, or PoCL "
                             "(pocl-opencl-icd) for the CPU, and check /etc/OpenCL/vendors or OCL_ICD_VENDORS");
}

/* The loader's platforms, in memory that the caller frees; at least one. */
static clscan_status find_platforms(cl_platform_id **platforms, cl_uint *count, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    cl_platform_id *found = NULL;
    cl_uint wanted = 0;

    const cl_int code = clGetPlatformIDs(0, NULL, &wanted);
    if (code == PLATFORM_NOT_FOUND || (code == CL_SUCCESS && wanted == 0))
        return no_platform(error);
    if (code != CL_SUCCESS)
        return clscan__error_opencl(error, "clGetPlatformIDs", code);
    found = calloc(wanted, sizeof *found);
    CLSCAN__REQUIRE(found != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for %u OpenCL platforms", (unsigned)wanted);
    CLSCAN__TRY_CL(clGetPlatformIDs, (wanted, found, NULL));
    *platforms = found;
    *count = wanted;
    found = NULL; /* now the caller's */

cleanup:
    free(found);
    return status;
}

/* Append the devices of one platform. A platform without devices is ordinary: a driver whose
 * hardware is absent. One that fails must not hide the others' devices, so it is noted and stepped
 * over. */
static clscan_status append_devices(device_list *list, cl_platform_id platform, clscan_error *error)
{
    cl_uint wanted = 0;
    cl_int code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &wanted);
    if (code == CL_DEVICE_NOT_FOUND || (code == CL_SUCCESS && wanted == 0))
        return CLSCAN_OK;
    if (code == CL_SUCCESS) {
        cl_device_id *grown = realloc(list->devices, (list->count + wanted) * sizeof *grown);
        if (grown == NULL)
            return clscan__error_set(error, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for %u OpenCL devices",
                                     (unsigned)wanted);
        list->devices = grown;
        code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, wanted, grown + list->count, NULL);
    }
    if (code != CL_SUCCESS) {
        clscan__log(CLSCAN_LOG_WARNING, "an OpenCL platform is skipped: clGetDeviceIDs failed: %s (%d)",
                    clscan_cl_error_name(code), (int)code);
        if (list->first_failure == CL_SUCCESS)
            list->first_failure = code;
        return CLSCAN_OK;
    }
    list->count += wanted;
    return CLSCAN_OK;
}

/* Every device there is, at least one; the caller frees list->devices, also after a failure. */
static clscan_status find_devices(device_list *list, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    cl_platform_id *platforms = NULL;
    cl_uint platform_count = 0;

    CLSCAN__TRY(find_platforms(&platforms, &platform_count, error));
    for (cl_uint p = 0; p < platform_count; ++p)
        CLSCAN__TRY(append_devices(list, platforms[p], error));
    if (list->count == 0 && list->first_failure != CL_SUCCESS)
        status = clscan__error_opencl(error, "clGetDeviceIDs", list->first_failure);
    else if (list->count == 0)
        status = clscan__error_set(error, CLSCAN_ERROR_NO_DEVICE,
                                   "none of the %u OpenCL platforms has a device: is the hardware present and "
                                   "readable by this user?",
                                   (unsigned)platform_count);

cleanup:
    free(platforms);
    return status;
}

clscan_status clscan_device_list(cl_device_id *devices, size_t capacity, size_t *count, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    device_list list = {NULL, 0, CL_SUCCESS};

    CLSCAN__REQUIRE(count != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "clscan_device_list: count is NULL");
    CLSCAN__REQUIRE(devices != NULL || capacity == 0, CLSCAN_ERROR_NULL_ARGUMENT,
                    "clscan_device_list: devices is NULL, but capacity is not 0");
    CLSCAN__TRY(find_devices(&list, error));
    *count = list.count;
    for (size_t i = 0; i < list.count && i < capacity; ++i)
        devices[i] = list.devices[i];

cleanup:
    free(list.devices);
    return status;
}

/* Picking one. */

static bool is_number(const char *text)
{
    return text[0] != '\0' && text[strspn(text, "0123456789")] == '\0';
}

static clscan_status find_by_position(const device_list *list, const char *selector, cl_device_id *device,
                                      clscan_error *error)
{
    size_t position = 0;
    for (const char *digit = selector; *digit != '\0' && position < list->count; ++digit)
        position = 10 * position + (size_t)(*digit - '0'); /* stays small: stops once past the list */
    if (position >= list->count)
        return clscan__error_set(error, CLSCAN_ERROR_NO_DEVICE,
                                 "no OpenCL device at position %s: there are %zu, counted from 0", selector,
                                 list->count);
    *device = list->devices[position];
    return CLSCAN_OK;
}

/* How much a device is wanted when the user names none. */
static int preference(const clscan_device_info *info)
{
    switch (info->device_class) {
    case CLSCAN_DEVICE_CLASS_GPU:
        return 2;
    case CLSCAN_DEVICE_CLASS_ACCELERATOR:
        return 1;
    default:
        return 0;
    }
}

/* 0: does not match `selector`; the first of the devices with the greatest score is taken. */
static int score(const clscan_device_info *info, const char *selector)
{
    if (selector[0] == '\0')
        return 1 + preference(info);
    return clscan__contains(info->name, selector) || clscan__contains(info->platform_name, selector) ||
           clscan__contains(info->key, selector);
}

/* A device that cannot be described is passed over, unless that leaves none; then the first one's error is the
 * answer. */
static clscan_status find_by_description(const device_list *list, const char *selector, cl_device_id *device,
                                         clscan_error *error)
{
    clscan_status first_failure = CLSCAN_OK;
    clscan_device_info info = {.struct_size = sizeof info};
    clscan_error failure;
    int best = 0;

    for (size_t i = 0; i < list->count; ++i) {
        const clscan_status status =
            clscan_device_describe(list->devices[i], &info, first_failure == CLSCAN_OK ? &failure : NULL);

        if (status != CLSCAN_OK) {
            first_failure = first_failure == CLSCAN_OK ? status : first_failure;
        } else if (score(&info, selector) > best) {
            best = score(&info, selector);
            *device = list->devices[i];
        }
    }
    if (best > 0)
        return CLSCAN_OK;
    if (first_failure != CLSCAN_OK) {
        if (error != NULL)
            *error = failure;
        return first_failure;
    }
    return clscan__error_set(error, CLSCAN_ERROR_NO_DEVICE, "no OpenCL device has \"%s\" in its name, platform or key",
                             selector);
}

clscan_status clscan_device_find(const char *selector, cl_device_id *device, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    device_list list = {NULL, 0, CL_SUCCESS};
    const char *wanted = selector != NULL ? selector : "";

    CLSCAN__REQUIRE(device != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "clscan_device_find: device is NULL");
    CLSCAN__TRY(find_devices(&list, error));
    if (is_number(wanted))
        CLSCAN__TRY(find_by_position(&list, wanted, device, error));
    else
        CLSCAN__TRY(find_by_description(&list, wanted, device, error));

cleanup:
    free(list.devices);
    return status;
}
