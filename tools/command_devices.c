#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <clscan/devices.h>

#include "command.h"
#include "command_line/failure.h"
#include "command_line/options.h"
#include "command_line/values.h"
#include "common/pci_address.h"
#include "device_facts.h"
#include "json_output.h"
#include "target.h"

#define GIB (1024.0 * 1024.0 * 1024.0)

typedef struct devices_options {
    const char *device;
    bool verbose;
    bool json;
} devices_options;

/* Where all devices of the machine are. */
typedef struct device_places {
    size_t count;
    char (*addresses)[CLSCAN__PCI_ADDRESS_SIZE]; /* "": the driver does not tell */
    uint64_t *links;                             /* of a group of all devices; NULL: not known */
    uint64_t *order;                             /* by link, else by address; NULL: some are not known */
} device_places;

static clscan_status find_places(const cl_device_id *devices, size_t count, device_places *places, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan_error unknown;
    int known = 0;

    places->count = count;
    places->addresses = calloc(count, sizeof *places->addresses);
    places->links = calloc(count, sizeof *places->links);
    places->order = calloc(count, sizeof *places->order);
    REQUIRE(places->addresses != NULL && places->links != NULL && places->order != NULL, CLSCAN_ERROR_OUT_OF_MEMORY,
            "no memory for the links of %zu devices", count);
    for (size_t i = 0; i < count; ++i)
        clscan__pci_address(devices[i], places->addresses[i]);
    if (clscan_devices_links(devices, count, places->links, &known, &unknown) != CLSCAN_OK || !known) {
        free(places->links);
        places->links = NULL;
    }
    if (clscan_devices_by_link(devices, NULL, count, 1, places->order, &unknown) != CLSCAN_OK) {
        free(places->order);
        places->order = NULL;
    }

cleanup:
    return status;
}

static void free_places(device_places *places)
{
    free(places->addresses);
    free(places->links);
    free(places->order);
}

/* Bytes of an address up to its last ':', without the device, or up to its first, the domain. */
static size_t link_bytes(const char *address, bool whole)
{
    const char *end = whole ? strrchr(address, ':') : strchr(address, ':');

    return end != NULL ? (size_t)(end - address) : 0;
}

/* The others of its bus, or else of its domain. */
static void print_neighbours(const device_places *places, size_t index, bool same_bus)
{
    const char *own = places->addresses[index];
    const size_t bus = link_bytes(own, true), domain = link_bytes(own, false);
    const size_t bytes = same_bus ? bus : domain;
    bool begun = false;

    for (size_t i = 0; i < places->count && bytes > 0; ++i) {
        const char *other = places->addresses[i];
        const bool on_bus = link_bytes(other, true) == bus && memcmp(own, other, bus) == 0;
        const bool in_domain = link_bytes(other, false) == domain && memcmp(own, other, domain) == 0;

        if (i == index || (same_bus ? !on_bus : on_bus || !in_domain))
            continue;
        if (begun)
            printf(", %zu", i);
        else
            printf("    %-20s%.*s with %zu", same_bus ? "PCI bus" : "PCI domain", (int)bytes, own, i);
        begun = true;
    }
    if (begun)
        printf("\n");
}

/* Those of one group stand side by side in it. */
static void print_order(const device_places *places)
{
    if (places->order == NULL || places->count < 2)
        return;
    printf("by link:");
    for (size_t i = 0; i < places->count; ++i)
        printf(" %" PRIu64, places->order[i]);
    printf(" (%s)\n", places->links != NULL ? "links that clscan-tune measured or was told" : "by PCI addresses");
}

/* NULL: unknown. */
static clscan_status put_numbers(json_t *root, const char *key, const uint64_t *numbers, size_t count,
                                 clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    json_t *list = numbers != NULL ? json_array() : json_null();

    for (size_t i = 0; numbers != NULL && i < count; ++i)
        TRY(json_add(list, json_integer((json_int_t)numbers[i]), error));
    TRY(json_put(root, key, json_incref(list), error));

cleanup:
    json_decref(list);
    return status;
}

static void print_text(const char *label, const char *text)
{
    printf("    %-20s%s\n", label, text);
}

static void print_decision(const char *label, const char *name, const char *reason)
{
    printf("    %-20s%s (%s)\n", label, name, reason);
}

static void print_brief(const listed_device *device, const device_places *places)
{
    const clscan_device_info *info = &device->info;
    char address[CLSCAN__PCI_ADDRESS_SIZE];

    print_text("platform", info->platform_name);
    print_text("key", info->key);
    clscan__pci_address(device->id, address);
    if (address[0] != '\0')
        print_text("PCI address", address);
    if (places->links != NULL)
        printf("    %-20s%" PRIu64 "\n", "link", places->links[device->index]);
    print_neighbours(places, device->index, true);
    print_neighbours(places, device->index, false);
    printf("    %-20s%s, %" PRIu32 " compute units, %.1f GiB\n", "class", clscan_device_class_name(info->device_class),
           info->compute_units, (double)info->global_memory_bytes / GIB);
    print_decision("mechanism", clscan_mechanism_name(info->mechanism), info->mechanism_reason);
    print_decision("progress", clscan_progress_name(info->progress), info->progress_reason);
    if (device->probe.result != CLSCAN_PROBE_RESULT_NONE)
        print_decision("probe", clscan_probe_result_name(device->probe.result), device->probe.reason);
}

/* Print one device, or put it into the list. */
static clscan_status show(const devices_options *wanted, const listed_device *device, const device_places *places,
                          json_t *list, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    json_t *facts = NULL;

    if (!wanted->json)
        printf("%zu: %s%s\n", device->index, device->info.name, device->is_default ? " (default)" : "");
    if (!wanted->json && !wanted->verbose) {
        print_brief(device, places);
        return CLSCAN_OK;
    }
    TRY(device_facts(device, &facts, error));
    if (wanted->json)
        return json_add(list, facts, error);
    device_facts_print(facts);

cleanup:
    json_decref(facts);
    return status;
}

static clscan_status show_all(const devices_options *wanted, const cl_device_id *devices, size_t count,
                              clscan_error *error)
{
    clscan_status status;
    cl_device_id default_device = NULL;
    cl_device_id only = NULL;
    json_t *list = json_array();
    json_t *root = NULL;
    device_places places = {.count = 0};

    TRY(find_places(devices, count, &places, error));
    TRY(clscan_device_find(NULL, &default_device, error));
    if (wanted->device != NULL)
        TRY(clscan_device_find(wanted->device, &only, error));
    for (size_t i = 0; i < count; ++i) {
        listed_device device = {.id = devices[i],
                                .info.struct_size = sizeof device.info,
                                .probe.struct_size = sizeof device.probe,
                                .index = i,
                                .is_default = devices[i] == default_device};

        if (only != NULL && devices[i] != only)
            continue;
        TRY(clscan_device_describe(devices[i], &device.info, error));
        TRY(clscan_probe_look(devices[i], &device.info, &device.probe, error));
        TRY(show(wanted, &device, &places, list, error));
    }
    if (!wanted->json && only == NULL)
        print_order(&places);
    if (wanted->json) {
        root = json_object();
        TRY(json_put(root, "format", json_integer(JSON_FORMAT), error));
        TRY(json_put(root, "clscan", json_text(clscan_version()), error));
        TRY(json_put(root, "devices", json_incref(list), error));
        TRY(put_numbers(root, "links", places.links, places.count, error));
        TRY(put_numbers(root, "order_by_link", places.order, places.count, error));
        TRY(json_print(root, error));
    }

cleanup:
    free_places(&places);
    json_decref(root);
    json_decref(list);
    return status;
}

static clscan_status list_devices(const devices_options *wanted, clscan_error *error)
{
    clscan_status status;
    cl_device_id *devices = NULL;
    size_t count;
    size_t capacity;

    TRY(clscan_device_list(NULL, 0, &count, error));
    capacity = count;
    devices = calloc(capacity, sizeof *devices);
    REQUIRE(devices != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for a list of %zu devices", capacity);
    TRY(clscan_device_list(devices, capacity, &count, error));
    TRY(show_all(wanted, devices, count < capacity ? count : capacity, error));

cleanup:
    free(devices);
    return status;
}

int command_devices(int argc, char **argv)
{
    devices_options wanted = {.device = NULL};
    const option options[] = {
        {"verbose", NULL, "print everything that is known of each device", NULL, &wanted.verbose},
        {"json", NULL, "print everything as JSON; clscan(1) documents the keys", NULL, &wanted.json},
        {"device", "D", "only this one: a number, or a part of a name, platform or key", read_text, &wanted.device},
    };
    const command_line line = {
        .name = "devices",
        .synopsis = "devices [options]",
        .description = "List the OpenCL devices of all platforms: number, name, platform, clscan's key, class,\n"
                       "how work-groups communicate (mechanism), whether a waiting work-group may rely on\n"
                       "another one (progress), why, and what the start-up probe found of it, if it ran. With\n"
                       "--verbose the order is that of StreamScan's table 3 as far as it goes; what nobody\n"
                       "knows for sure is 'unknown'.",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
        .examples = "  clscan devices\n"
                    "  clscan devices --verbose --device nvidia\n"
                    "  clscan devices --json | python3 -m json.tool\n",
    };
    clscan_error error;
    int exit_code;

    if (!options_parse(&line, argc, argv, NULL, &exit_code))
        return exit_code;
    switch (list_devices(&wanted, &error)) {
    case CLSCAN_OK:
        return EXIT_CODE_OK;
    case CLSCAN_ERROR_NO_PLATFORM:
        complain("no OpenCL driver (ICD) is installed: %s", error.message);
        complain("on Debian and Ubuntu, pocl-opencl-icd makes every CPU an OpenCL device");
        return EXIT_CODE_FAILURE;
    default:
        print_failure(&error);
        return EXIT_CODE_FAILURE;
    }
}
