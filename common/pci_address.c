#include "common/pci_address.h"

#include <inttypes.h>
#include <stdio.h>

#include <CL/cl_ext.h>

void clscan__pci_address(cl_device_id device, char address[CLSCAN__PCI_ADDRESS_SIZE])
{
    cl_device_pci_bus_info_khr bus;

    address[0] = '\0';
    if (clGetDeviceInfo(device, CL_DEVICE_PCI_BUS_INFO_KHR, sizeof bus, &bus, NULL) == CL_SUCCESS)
        snprintf(address, CLSCAN__PCI_ADDRESS_SIZE, "%04" PRIx32 ":%02" PRIx32 ":%02" PRIx32 ".%" PRIx32,
                 bus.pci_domain, bus.pci_bus, bus.pci_device, bus.pci_function);
}
