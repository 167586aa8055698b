/* Where devices are on the PCI bus. */
#ifndef CLSCAN_COMMON_PCI_ADDRESS_H
#define CLSCAN_COMMON_PCI_ADDRESS_H

#include <CL/cl.h>

/* Room for an address with the largest numbers of 32 bits. */
#define CLSCAN__PCI_ADDRESS_SIZE 48u

/* As lspci -D writes it: "0000:3b:00.0"; empty if the driver does not tell. */
void clscan__pci_address(cl_device_id device, char address[CLSCAN__PCI_ADDRESS_SIZE]);

#endif
