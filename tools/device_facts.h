/* Everything that is known of a device, in one order, for people and for programs. */
#ifndef CLSCAN_TOOLS_DEVICE_FACTS_H
#define CLSCAN_TOOLS_DEVICE_FACTS_H

#include <stdbool.h>

#include <jansson.h>

#include <clscan/clscan.h>

typedef struct listed_device {
    cl_device_id id;
    size_t index; /* in clscan_device_list() */
    bool is_default;
    clscan_device_info info; /* as the library's tables decide */
    clscan_probe_finding probe;
} listed_device;

/* The device as a JSON object; *object is the caller's. The keys are documented in docs/man/clscan.1. */
clscan_status device_facts(const listed_device *device, json_t **object, clscan_error *error);

/* Print what device_facts() made as lines, without what stands in the heading of a listed device. */
void device_facts_print(json_t *object);

#endif
