/* A layer of the OpenCL loader (OPENCL_LAYERS) that gives each device a PCI address, as cl_khr_pci_bus_info tells it:
 * the four numbers of CLSCAN_TEST_PCI, which are domain, bus, device and function. Of several, with commas between
 * them, each question gets the next. Without any, no device has an address. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl_ext.h>
#include <CL/cl_layer.h>

static const struct _cl_icd_dispatch *below;
static struct _cl_icd_dispatch ours;

/* NULL: there is none. */
static const char *next_address(void)
{
    static unsigned asked;
    const char *all = getenv("CLSCAN_TEST_PCI"), *at = all;
    unsigned count = 1;

    if (all == NULL)
        return NULL;
    for (; *at != '\0'; ++at)
        count += *at == ',';
    at = all;
    for (unsigned i = asked++ % count; i > 0; --i)
        at = strchr(at, ',') + 1;
    return at;
}

static cl_int CL_API_CALL my_clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *value,
                                             size_t *size_ret)
{
    const char *told;
    cl_device_pci_bus_info_khr address;

    if (what != CL_DEVICE_PCI_BUS_INFO_KHR)
        return below->clGetDeviceInfo(device, what, size, value, size_ret);
    told = next_address();
    if (told == NULL || sscanf(told, "%u %u %u %u", &address.pci_domain, &address.pci_bus, &address.pci_device,
                               &address.pci_function) != 4)
        return CL_INVALID_VALUE;
    if (value != NULL && size < sizeof address)
        return CL_INVALID_VALUE;
    if (value != NULL)
        memcpy(value, &address, sizeof address);
    if (size_ret != NULL)
        *size_ret = sizeof address;
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint entry_count, const struct _cl_icd_dispatch *target,
                                            cl_uint *entry_count_ret, const struct _cl_icd_dispatch **layer)
{
    const cl_uint entries = sizeof ours / sizeof(void *);

    if (entry_count < entries)
        return CL_INVALID_VALUE;
    below = target;
    ours = *target;
    ours.clGetDeviceInfo = my_clGetDeviceInfo;
    *entry_count_ret = entries;
    *layer = &ours;
    return CL_SUCCESS;
}
