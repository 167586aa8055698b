#include "probe/kept.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <clscan/version.h>

#include "base/hash.h"
#include "probe/judge.h"
#include "program/disk.h"

/* ---- As text ---- */

#define MOST_TEXT_BYTES 512

void clscan__probe_write(const clscan_probe_finding *finding, clscan__text *text)
{
    clscan__text_append(text, "time_s %" PRId64 "\nduration_ns %" PRIu64 "\n", finding->time_s, finding->duration_ns);
#define X(name, meaning) clscan__text_append(text, #name "_ns %" PRIu64 "\n", finding->name##_ns);
    CLSCAN_PROBE_TIME_LIST(X)
#undef X
#define X(name, meaning) clscan__text_append(text, #name " %" PRIu32 "\n", finding->name);
    CLSCAN_PROBE_COUNT_LIST(X)
#undef X
}

bool clscan__probe_read(const char *text, size_t text_bytes, clscan_probe_finding *finding)
{
    clscan_probe_finding read = {.result = CLSCAN_PROBE_RESULT_NONE};
    clscan__text again = {0};
    char copy[MOST_TEXT_BYTES];
    int used = 0, length = 0;
    bool same;

    if (text_bytes >= sizeof copy)
        return false;
    memcpy(copy, text, text_bytes);
    copy[text_bytes] = '\0';
    if (sscanf(copy, "time_s %" SCNd64 " duration_ns %" SCNu64 "%n", &read.time_s, &read.duration_ns, &used) != 2)
        return false;
#define X(name, meaning)                                                                   \
    if (sscanf(copy + used, " " #name "_ns %" SCNu64 "%n", &read.name##_ns, &length) != 1) \
        return false;                                                                      \
    used += length;
    CLSCAN_PROBE_TIME_LIST(X)
#undef X
#define X(name, meaning)                                                           \
    if (sscanf(copy + used, " " #name " %" SCNu32 "%n", &read.name, &length) != 1) \
        return false;                                                              \
    used += length;
    CLSCAN_PROBE_COUNT_LIST(X)
#undef X
    /* sscanf() takes more than was ever written. */
    clscan__probe_write(&read, &again);
    same = !again.failed && again.length_bytes == text_bytes && memcmp(again.data, text, text_bytes) == 0;
    clscan__text_free(&again);
    clscan__probe_judge(&read);
    if (!same || read.result == CLSCAN_PROBE_RESULT_NONE)
        return false;
    *finding = read;
    return true;
}

/* ---- In memory ---- */

/* What tells findings of one process apart; the kernels' text is the same for all. */
typedef struct identity {
    char platform[sizeof((clscan_device_info *)0)->platform_name];
    char name[sizeof((clscan_device_info *)0)->name];
    char driver[sizeof((clscan_device_info *)0)->driver_version];
    uint32_t compute_units, hold_interval;
    clscan_mechanism mechanism;
} identity;

static struct {
    size_t count; /* of all that were ever remembered */
    struct {
        identity of;
        clscan_probe_finding finding;
    } items[CLSCAN__PROBE_CAPACITY];
} remembered;

static identity identity_of(const clscan__program_spec *spec)
{
    const clscan_device_info *info = spec->device;
    identity of;

    memset(&of, 0, sizeof of); /* it is compared as a whole */
    snprintf(of.platform, sizeof of.platform, "%s", info->platform_name);
    snprintf(of.name, sizeof of.name, "%s", info->name);
    snprintf(of.driver, sizeof of.driver, "%s", info->driver_version);
    of.compute_units = info->compute_units;
    of.hold_interval = spec->hold_interval;
    of.mechanism = info->mechanism;
    return of;
}

/* Where the finding stands; CLSCAN__PROBE_CAPACITY if nowhere. */
static size_t find(const identity *of)
{
    for (size_t i = 0; i < remembered.count && i < CLSCAN__PROBE_CAPACITY; ++i)
        if (memcmp(&remembered.items[i].of, of, sizeof *of) == 0)
            return i;
    return CLSCAN__PROBE_CAPACITY;
}

static void remember(const identity *of, const clscan_probe_finding *finding)
{
    size_t place = find(of);

    if (place == CLSCAN__PROBE_CAPACITY)
        place = remembered.count++ % CLSCAN__PROBE_CAPACITY;
    remembered.items[place].of = *of;
    remembered.items[place].finding = *finding;
}

/* ---- On disk, as an entry of the program cache ---- */

static clscan_status make_key(cl_device_id device, const clscan__program_spec *spec, clscan__key **key,
                              clscan_error *error)
{
    clscan_status status;
    clscan__device_names names = {0};
    char *source = NULL, options[CLSCAN__OPTIONS_BYTES], host[64], program[128], hash[17];

    CLSCAN__TRY(clscan__device_names_query(device, &names, error));
    CLSCAN__TRY(clscan__program_compose(spec, &source, error));
    snprintf(host, sizeof host, "%zu-bit", 8 * sizeof(void *));
    /* Its length would be most of the entry. */
    snprintf(hash, sizeof hash, "%016" PRIx64, clscan__hash(CLSCAN__HASH_START, source, strlen(source)));
    snprintf(program, sizeof program, "finding of the start-up probe, mechanism %s, %" PRIu32 " compute units",
             clscan_mechanism_name(spec->device->mechanism), spec->device->compute_units);
    status = clscan__key_create(
        &(clscan__key_parts){
            .device_name = names.device_name,
            .driver_version = names.driver_version,
            .program = program,
            .platform_name = names.platform_name,
            .platform_version = names.platform_version,
            .vendor = names.vendor,
            .device_version = names.device_version,
            .library = CLSCAN_VERSION_TEXT,
            .host = host,
            .options = clscan__program_options(spec, options),
            .source = hash,
        },
        key, error);

cleanup:
    clscan__device_names_free(&names);
    free(source);
    return status;
}

/* The folder and the key, if findings are kept on disk; the caller frees both. */
static bool open_disk(cl_device_id device, const clscan__program_spec *spec, clscan__cache_settings *settings,
                      clscan__key **key)
{
    *key = NULL;
    *settings = (clscan__cache_settings){.folder = NULL};
    return clscan__cache_settings_get(settings, NULL) == CLSCAN_OK &&
           (settings->mode == CLSCAN_CACHE_AUTO || settings->mode == CLSCAN_CACHE_ON) &&
           make_key(device, spec, key, NULL) == CLSCAN_OK;
}

static void close_disk(clscan__cache_settings *settings, clscan__key *key)
{
    clscan__key_release(key);
    clscan__cache_settings_free(settings);
}

static bool load(cl_device_id device, const clscan__program_spec *spec, clscan_probe_finding *finding)
{
    clscan__cache_settings settings;
    clscan__key *key;
    clscan__record record;
    unsigned char *file = NULL;
    bool found = false;

    if (open_disk(device, spec, &settings, &key))
        file = clscan__disk_load(&settings, key, &record);
    if (file != NULL)
        found = clscan__probe_read((const char *)record.binary, record.binary_bytes, finding);
    free(file);
    close_disk(&settings, key);
    return found;
}

static void store(cl_device_id device, const clscan__program_spec *spec, const clscan_probe_finding *finding)
{
    clscan__cache_settings settings;
    clscan__key *key;
    clscan__text text = {0};

    if (open_disk(device, spec, &settings, &key)) {
        clscan__probe_write(finding, &text);
        if (!text.failed)
            clscan__disk_store(&settings, key, (const unsigned char *)text.data, text.length_bytes);
    }
    clscan__text_free(&text);
    close_disk(&settings, key);
}

/* ---- Both ---- */

bool clscan__probe_recall(cl_device_id device, const clscan__program_spec *spec, clscan_probe_finding *finding)
{
    const identity of = identity_of(spec);
    const size_t place = find(&of);

    if (place < CLSCAN__PROBE_CAPACITY) {
        *finding = remembered.items[place].finding;
        return true;
    }
    if (!load(device, spec, finding))
        return false;
    remember(&of, finding);
    return true;
}

void clscan__probe_keep(cl_device_id device, const clscan__program_spec *spec, const clscan_probe_finding *finding)
{
    const identity of = identity_of(spec);

    remember(&of, finding);
    store(device, spec, finding);
}
