#include "device_facts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "command_line/failure.h"
#include "common/pci_address.h"
#include "config_use.h"
#include "json_output.h"

/* ---- Facts that are made of several ---- */

typedef json_t *fact_maker(const listed_device *device);

static json_t *make_index(const listed_device *device)
{
    return json_integer((json_int_t)device->index);
}

static json_t *make_default(const listed_device *device)
{
    return json_boolean(device->is_default);
}

static json_t *make_operating_system(const listed_device *device)
{
    struct utsname names;

    (void)device;
    if (uname(&names) < 0)
        return json_null();
    return json_sprintf("%s %s %s", names.sysname, names.release, names.machine);
}

static json_t *make_cores(const listed_device *device)
{
    return json_number((uint64_t)device->info.compute_units * device->info.lanes_per_unit, 0);
}

/* A fused multiply-add of each lane in each clock. */
static json_t *make_peak(const listed_device *device)
{
    const uint64_t cores = (uint64_t)device->info.compute_units * device->info.lanes_per_unit;

    return json_number(2 * cores * device->info.clock_mhz / 1000, 0);
}

static json_t *make_vendor_id(const listed_device *device)
{
    return json_sprintf("0x%04" PRIx32, device->info.vendor_id);
}

static json_t *make_pci_address(const listed_device *device)
{
    char address[CLSCAN__PCI_ADDRESS_SIZE];

    clscan__pci_address(device->id, address);
    return json_text(address);
}

static json_t *make_class(const listed_device *device)
{
    return json_text(clscan_device_class_name(device->info.device_class));
}

static json_t *make_mechanism(const listed_device *device)
{
    return json_text(clscan_mechanism_name(device->info.mechanism));
}

static json_t *make_progress(const listed_device *device)
{
    return json_text(clscan_progress_name(device->info.progress));
}

static json_t *make_probe(const listed_device *device)
{
    return json_text(clscan_probe_result_name(device->probe.result));
}

static json_t *make_probe_reason(const listed_device *device)
{
    return json_text(device->probe.reason);
}

static json_t *make_probe_time(const listed_device *device)
{
    const time_t when = (time_t)device->probe.time_s;
    struct tm parts;
    char text[32];

    if (device->probe.result == CLSCAN_PROBE_RESULT_NONE || gmtime_r(&when, &parts) == NULL ||
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0)
        return json_null();
    return json_text(text);
}

static json_t *make_probe_duration(const listed_device *device)
{
    return json_number((device->probe.duration_ns + 999999) / 1000000, 0);
}

/* What the probe spent its time on. */
#define X(name, meaning)                                                              \
    static json_t *make_probe_##name(const listed_device *device)                     \
    {                                                                                 \
        const bool none = device->probe.result == CLSCAN_PROBE_RESULT_NONE;           \
        return none ? json_null() : json_real((double)device->probe.name##_ns / 1e6); \
    }
CLSCAN_PROBE_TIME_LIST(X)
#undef X

/* ---- All facts ---- */

typedef enum fact_kind {
    MADE,
    TEXT,
    WORDS,       /* a list that may be empty */
    KNOWN_WORDS, /* a list that is unknown if it is empty */
    NUMBER_32,   /* unknown if 0 */
    NUMBER_64,   /* unknown if 0 */
    FLAG,
    HUNDREDS, /* 210 for version 2.1 */
    TENS,     /* 90 for 9.0 */
} fact_kind;

typedef struct fact {
    const char *key; /* of the JSON; with blanks for '_', the label for people */
    fact_kind kind;
    size_t offset; /* in clscan_device_info, unless MADE */
    fact_maker *make;
} fact;

#define FIELD(key, kind, field)                               \
    {                                                         \
        key, kind, offsetof(clscan_device_info, field), NULL, \
    }
#define MAKE(key, make)     \
    {                       \
        key, MADE, 0, make, \
    }

/* What stands in the heading; then the order of StreamScan's table 3; then the rest, from the hardware to the
 * decisions. */
/* clang-format off */
static const fact facts[] = {
    MAKE("index", make_index),
    MAKE("default", make_default),
    FIELD("name", TEXT, name),

    MAKE("operating_system", make_operating_system),
    FIELD("platform", TEXT, platform_name),
    FIELD("driver_version", TEXT, driver_version),
    FIELD("compute_units", NUMBER_32, compute_units),
    MAKE("cores", make_cores),
    MAKE("peak_float_gflop_per_s", make_peak),
    FIELD("global_memory_bytes", NUMBER_64, global_memory_bytes),
    FIELD("bandwidth_gb_per_s", NUMBER_32, bandwidth_gb_per_s),
    FIELD("local_memory_banks", NUMBER_32, local_memory_banks),
    FIELD("local_memory_bytes", NUMBER_64, local_memory_bytes),
    FIELD("register_file_bytes", NUMBER_64, register_file_bytes),

    FIELD("clock_mhz", NUMBER_32, clock_mhz),
    FIELD("lanes_per_unit", NUMBER_32, lanes_per_unit),
    FIELD("on_chip_local_memory", FLAG, has_on_chip_local_memory),
    FIELD("largest_buffer_bytes", NUMBER_64, max_allocation_bytes),
    FIELD("alignment_bytes", NUMBER_32, base_align_bytes),
    FIELD("work_group_size", NUMBER_32, max_work_group_size),
    FIELD("sub_group_size", NUMBER_32, sub_group_size),
    FIELD("sub_group_reason", TEXT, sub_group_reason),
    FIELD("reported_sub_group_size", NUMBER_32, reported_sub_group_size),
    FIELD("vendor", TEXT, vendor),
    MAKE("vendor_id", make_vendor_id),
    MAKE("pci_address", make_pci_address),
    MAKE("class", make_class),
    FIELD("key", TEXT, key),
    FIELD("architecture", TEXT, architecture),
    FIELD("family", TEXT, family),
    FIELD("generic", TEXT, generic),
    FIELD("device_version", TEXT, device_version),
    FIELD("opencl", HUNDREDS, version),
    FIELD("opencl_c", HUNDREDS, c_version),
    FIELD("compute_capability", TENS, nv_compute_capability),
    FIELD("double", FLAG, has_double),
    FIELD("int64_atomics", FLAG, has_int64_atomics),
    FIELD("sub_groups", FLAG, has_sub_groups),
    FIELD("device_scope", FLAG, has_device_scope),
    FIELD("atomic_orders", KNOWN_WORDS, atomic_orders),
    FIELD("atomic_scopes", KNOWN_WORDS, atomic_scopes),
    FIELD("extensions", WORDS, extensions),
    FIELD("features", KNOWN_WORDS, features),
    FIELD("quirks", WORDS, quirks),
    FIELD("int8_reason", TEXT, int8_reason),
    FIELD("rows_reason", TEXT, rows_reason),
    MAKE("progress", make_progress),
    FIELD("progress_reason", TEXT, progress_reason),
    MAKE("mechanism", make_mechanism),
    FIELD("mechanism_reason", TEXT, mechanism_reason),
    MAKE("probe", make_probe),
    MAKE("probe_reason", make_probe_reason),
    MAKE("probe_time", make_probe_time),
    MAKE("probe_duration_ms", make_probe_duration),
#define X(name, meaning) MAKE("probe_" #name "_ms", make_probe_##name),
    CLSCAN_PROBE_TIME_LIST(X)
#undef X
};
/* clang-format on */
#define FACT_COUNT (sizeof facts / sizeof facts[0])

static json_t *fact_value(const fact *of, const listed_device *device)
{
    const char *field = (const char *)&device->info + of->offset;
    uint32_t number = 0;
    uint64_t large;
    int flag;

    if (of->kind == NUMBER_32 || of->kind == HUNDREDS || of->kind == TENS)
        memcpy(&number, field, sizeof number);
    switch (of->kind) {
    case MADE:
        return of->make(device);
    case TEXT:
        return json_text(field);
    case WORDS:
        return json_words(field);
    case KNOWN_WORDS:
        return field[0] != '\0' ? json_words(field) : json_null();
    case NUMBER_32:
        return json_number(number, 0);
    case NUMBER_64:
        memcpy(&large, field, sizeof large);
        return json_number(large, 0);
    case FLAG:
        memcpy(&flag, field, sizeof flag);
        return json_boolean(flag);
    case HUNDREDS:
        return number != 0 ? json_sprintf("%u.%u", (unsigned)number / 100, (unsigned)number / 10 % 10) : json_null();
    case TENS:
        return number != 0 ? json_sprintf("%u.%u", (unsigned)number / 10, (unsigned)number % 10) : json_null();
    }
    return NULL;
}

static clscan_status put_configs(json_t *object, const clscan_device_info *info, clscan_error *error)
{
    clscan_status status;
    config_source sources[MAX_CONFIG_SOURCES];
    size_t count;
    json_t *array = NULL;

    TRY(config_sources(NULL, info, sources, &count, error));
    array = json_array();
    for (size_t i = 0; i < count; ++i) {
        json_t *source = json_object();

        TRY(json_add(array, source, error)); /* the array's from here on */
        TRY(json_put(source, "source", json_text(sources[i].source), error));
        TRY(json_put(source, "matched", json_text(sources[i].matched), error));
    }
    status = json_put(object, "configs", array, error);
    array = NULL; /* now the object's, or released */

cleanup:
    json_decref(array);
    return status;
}

clscan_status device_facts(const listed_device *device, json_t **object, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan_device_info probed = device->info;
    json_t *made = json_object();

    clscan_probe_apply(&device->probe, &probed);
    for (size_t i = 0; i < FACT_COUNT; ++i)
        TRY(json_put(made, facts[i].key, fact_value(&facts[i], device), error));
    TRY(put_configs(made, &probed, error));
    *object = made;
    made = NULL; /* now the caller's */

cleanup:
    json_decref(made);
    return status;
}
