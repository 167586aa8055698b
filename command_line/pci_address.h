/* Where devices are on the PCI bus. */
#ifndef CLSCAN_COMMAND_LINE_PCI_ADDRESS_H
#define CLSCAN_COMMAND_LINE_PCI_ADDRESS_H

#include <CL/cl.h>

/* Room for an address with the largest numbers of 32 bits. */
#define PCI_ADDRESS_SIZE 48u

/* As lspci -D writes it: "0000:3b:00.0"; empty if the driver does not tell. */
void pci_address(cl_device_id device, char address[PCI_ADDRESS_SIZE]);

#endif
