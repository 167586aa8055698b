#include <stdlib.h>

#include <CL/cl_ext.h>

#include <clscan/devices.h>

#include "base/error.h"
#include "base/log.h"

/* Where a device is in the tree of PCI buses, as one number. */
static clscan_status find_address(cl_device_id device, uint64_t index, uint64_t *address, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    cl_device_pci_bus_info_khr bus;

    CLSCAN__REQUIRE(device != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "devices[%llu] is NULL", (unsigned long long)index);
    CLSCAN__REQUIRE(clGetDeviceInfo(device, CL_DEVICE_PCI_BUS_INFO_KHR, sizeof bus, &bus, NULL) == CL_SUCCESS,
                    CLSCAN_ERROR_DEVICE_LIMIT,
                    "the driver of devices[%llu] tells no PCI address; name links, or let clscan-tune --devices "
                    "measure them",
                    (unsigned long long)index);
    *address = (uint64_t)bus.pci_domain << 32 | (uint64_t)(bus.pci_bus & 0xffff) << 16 |
               (uint64_t)(bus.pci_device & 0xff) << 8 | (bus.pci_function & 0xff);

cleanup:
    return status;
}

/* Stable: devices of one link keep their order. */
static void sort(const uint64_t *keys, uint64_t count, uint64_t *order)
{
    for (uint64_t i = 0; i < count; ++i) {
        uint64_t at = i;

        for (; at > 0 && keys[order[at - 1]] > keys[i]; --at)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

/* No group may have devices of two links. */
static clscan_status check_links(const uint64_t *links, uint64_t count, uint64_t group_size, const uint64_t *order,
                                 clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (uint64_t i = 0; i < count; ++i)
        CLSCAN__REQUIRE(links[order[i]] == links[order[i - i % group_size]], CLSCAN_ERROR_INVALID_VALUE,
                        "the devices of link %llu are no multiple of group_size, which is %llu",
                        (unsigned long long)links[order[i - i % group_size]], (unsigned long long)group_size);

cleanup:
    return status;
}

/* Groups of several domains are slower than they could be, and right. */
static void warn_of_domains(const uint64_t *addresses, uint64_t count, uint64_t group_size, const uint64_t *order)
{
    for (uint64_t i = 0; i < count; ++i) {
        const uint64_t first = order[i - i % group_size];

        if (addresses[order[i]] >> 32 != addresses[first] >> 32)
            clscan__log(CLSCAN_LOG_WARNING,
                        "devices[%llu] and devices[%llu] are of one group, but of PCI domains %llx and %llx",
                        (unsigned long long)first, (unsigned long long)order[i],
                        (unsigned long long)(addresses[first] >> 32), (unsigned long long)(addresses[order[i]] >> 32));
    }
}

clscan_status clscan_devices_by_link(const cl_device_id *devices, const uint64_t *links, uint64_t device_count,
                                     uint64_t group_size, uint64_t *order, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    uint64_t measured[CLSCAN_MOST_DEVICES], addresses[CLSCAN_MOST_DEVICES], found[CLSCAN_MOST_DEVICES];
    int known = 0;

    CLSCAN__REQUIRE(order != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "order is NULL");
    CLSCAN__REQUIRE(devices != NULL || links != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "devices and links are NULL");
    CLSCAN__REQUIRE(device_count >= 1 && device_count <= CLSCAN_MOST_DEVICES, CLSCAN_ERROR_INVALID_VALUE,
                    "device_count is %llu; there may be 1 to %u", (unsigned long long)device_count,
                    CLSCAN_MOST_DEVICES);
    CLSCAN__REQUIRE(group_size >= 1 && device_count % group_size == 0, CLSCAN_ERROR_INVALID_VALUE,
                    "group_size is %llu, of which %llu devices are no multiple", (unsigned long long)group_size,
                    (unsigned long long)device_count);
    if (links == NULL)
        CLSCAN__TRY(clscan_devices_links(devices, device_count, measured, &known, error));
    links = known ? measured : links;
    for (uint64_t i = 0; links == NULL && i < device_count; ++i)
        CLSCAN__TRY(find_address(devices[i], i, &addresses[i], error));
    sort(links != NULL ? links : addresses, device_count, found);
    if (links != NULL)
        CLSCAN__TRY(check_links(links, device_count, group_size, found, error));
    else
        warn_of_domains(addresses, device_count, group_size, found);
    for (uint64_t i = 0; i < device_count; ++i)
        order[i] = found[i];

cleanup:
    return status;
}
