#include "device/raw.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl_ext.h>

#include "base/error.h"
#include "common/printable.h"
#include "device/words.h"

/* How the answer to a query is read, and what becomes of it. */
typedef enum query_kind {
    QUERY_TEXT,           /* string -> string, trimmed and cut where it must be */
    QUERY_UINT,           /* cl_uint -> uint32_t */
    QUERY_SIZE,           /* size_t -> uint32_t; larger values become UINT32_MAX */
    QUERY_ULONG,          /* cl_ulong or a 64-bit bit field -> uint64_t */
    QUERY_NAMES,          /* cl_name_version[] -> the names, separated by spaces */
    QUERY_NEWEST_VERSION, /* cl_name_version[] -> "OpenCL C 3.0" */
    QUERY_TENS,           /* cl_uint -> 10 * value is added to a uint32_t */
    QUERY_UNITS,          /* cl_uint -> value is added to a uint32_t */
} query_kind;

typedef struct query {
    cl_device_info parameter;
    const char *call; /* for error messages */
    query_kind kind;
    size_t offset; /* of the field in clscan__device_raw */
    size_t bytes;  /* of that field */
    bool mandatory;
    uint32_t min_version;  /* asked only of devices of at least this OpenCL version */
    const char *extension; /* asked only of devices that list it; NULL: of all */
} query;

#define NEEDED true
#define OPTIONAL false
#define ASK(parameter, kind, field, mandatory, min_version, extension)                           \
    {                                                                                            \
        parameter, "clGetDeviceInfo(" #parameter ")", kind, offsetof(clscan__device_raw, field), \
            sizeof(((clscan__device_raw *)0)->field), mandatory, min_version, extension          \
    }

/* In order: what decides whether later rows are legal comes first, and a later row may overwrite a
 * field. Asking an older driver for a newer parameter is not harmless everywhere, hence the
 * conditions. */
/* clang-format off */
static const query queries[] = {
    ASK(CL_DEVICE_VERSION,                QUERY_TEXT,  device_version,         NEEDED,   0, NULL),
    ASK(CL_DEVICE_EXTENSIONS,             QUERY_TEXT,  extensions,             NEEDED,   0, NULL),
    ASK(CL_DEVICE_NAME,                   QUERY_TEXT,  name,                   NEEDED,   0, NULL),
    ASK(CL_DEVICE_VENDOR,                 QUERY_TEXT,  vendor,                 NEEDED,   0, NULL),
    ASK(CL_DRIVER_VERSION,                QUERY_TEXT,  driver_version,         NEEDED,   0, NULL),
    ASK(CL_DEVICE_TYPE,                   QUERY_ULONG, type,                   NEEDED,   0, NULL),
    ASK(CL_DEVICE_VENDOR_ID,              QUERY_UINT,  vendor_id,              NEEDED,   0, NULL),
    ASK(CL_DEVICE_MAX_COMPUTE_UNITS,      QUERY_UINT,  compute_units,          NEEDED,   0, NULL),
    ASK(CL_DEVICE_MAX_WORK_GROUP_SIZE,    QUERY_SIZE,  max_work_group_size,    NEEDED,   0, NULL),
    ASK(CL_DEVICE_MEM_BASE_ADDR_ALIGN,    QUERY_UINT,  base_align_bits,        NEEDED,   0, NULL),
    ASK(CL_DEVICE_GLOBAL_MEM_SIZE,        QUERY_ULONG, global_memory_bytes,    NEEDED,   0, NULL),
    ASK(CL_DEVICE_MAX_MEM_ALLOC_SIZE,     QUERY_ULONG, max_allocation_bytes,   NEEDED,   0, NULL),
    ASK(CL_DEVICE_LOCAL_MEM_SIZE,         QUERY_ULONG, local_memory_bytes,     NEEDED,   0, NULL),
    ASK(CL_DEVICE_DOUBLE_FP_CONFIG,       QUERY_ULONG, double_fp_config,       OPTIONAL, 120, NULL),
    ASK(CL_DEVICE_OPENCL_C_VERSION,       QUERY_TEXT,  c_version,              NEEDED,   110, NULL),
    /* OpenCL 3.0 drivers may answer "OpenCL C 1.2" to the row above and still compile 3.0. */
    ASK(CL_DEVICE_OPENCL_C_ALL_VERSIONS,  QUERY_NEWEST_VERSION, c_version,   OPTIONAL, 300, NULL),
    ASK(CL_DEVICE_OPENCL_C_FEATURES,      QUERY_NAMES, c_features,             OPTIONAL, 300, NULL),
    ASK(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, QUERY_ULONG, atomic_memory_capabilities,
        OPTIONAL, 300, NULL),
    ASK(CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV, QUERY_TENS, nv_compute_capability,
        OPTIONAL, 0, "cl_nv_device_attribute_query"),
    ASK(CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV, QUERY_UNITS, nv_compute_capability,
        OPTIONAL, 0, "cl_nv_device_attribute_query"),
    ASK(CL_DEVICE_MAX_CLOCK_FREQUENCY,    QUERY_UINT,  clock_mhz,              OPTIONAL, 0, NULL),
    ASK(CL_DEVICE_LOCAL_MEM_TYPE,         QUERY_UINT,  local_memory_type,      OPTIONAL, 0, NULL),
    ASK(CL_DEVICE_LOCAL_MEM_BANKS_AMD,    QUERY_UINT,  local_memory_banks,
        OPTIONAL, 0, "cl_amd_device_attribute_query"),
    ASK(CL_DEVICE_WARP_SIZE_NV,           QUERY_UINT,  sub_group_size,
        OPTIONAL, 0, "cl_nv_device_attribute_query"),
    ASK(CL_DEVICE_WAVEFRONT_WIDTH_AMD,    QUERY_UINT,  sub_group_size,
        OPTIONAL, 0, "cl_amd_device_attribute_query"),
};
/* clang-format on */

/* Read an answer of any length into memory that the caller frees; terminated by a zero that is not
 * counted. */
static clscan_status read_answer(cl_device_id device, const query *ask, char **answer, size_t *bytes,
                                 clscan_error *error)
{
    size_t wanted = 0;
    char *data = NULL;
    cl_int code = clGetDeviceInfo(device, ask->parameter, 0, NULL, &wanted);
    if (code == CL_SUCCESS) {
        data = calloc(wanted + 1, 1);
        if (data == NULL)
            return clscan__error_set(error, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for the answer to %s", ask->call);
        if (wanted > 0)
            code = clGetDeviceInfo(device, ask->parameter, wanted, data, NULL);
    }
    if (code != CL_SUCCESS) {
        free(data);
        return clscan__error_opencl(error, ask->call, code);
    }
    *answer = data;
    *bytes = wanted;
    return CLSCAN_OK;
}

/* Copy a driver's string: white space becomes spaces, none at either end. A string that is too long
 * loses its last word whole, because half an extension's name might be the name of another one. */
static void copy_trimmed(char *target, size_t target_bytes, const char *source)
{
    size_t kept = 0;
    source += strspn(source, " \t\r\n");
    for (; source[kept] != '\0' && kept + 1 < target_bytes; ++kept)
        target[kept] = strchr("\t\r\n", source[kept]) != NULL ? ' ' : source[kept];
    if (source[kept] != '\0' && source[kept] != ' ' && memchr(target, ' ', kept) != NULL) {
        while (target[kept - 1] != ' ')
            --kept;
    }
    while (kept > 0 && target[kept - 1] == ' ')
        --kept;
    target[kept] = '\0';
    clscan__make_printable(target);
}

/* Append a word that fits; leave a word out that does not. */
static void append_word(char *words, size_t words_bytes, const char *word, size_t word_length)
{
    const size_t length = strlen(words);
    const size_t space = length > 0;
    if (word_length == 0 || length + space + word_length >= words_bytes)
        return;
    if (space)
        words[length] = ' ';
    memcpy(words + length + space, word, word_length);
    words[length + space + word_length] = '\0';
    clscan__make_printable(words);
}

static size_t name_length(const cl_name_version *entry)
{
    const char *end = memchr(entry->name, '\0', sizeof entry->name);
    return end != NULL ? (size_t)(end - entry->name) : sizeof entry->name;
}

/* One cl_name_version after the other; `answer` need not be aligned for it. */
static void store_names(const query *ask, char *field, const char *answer, size_t bytes)
{
    cl_version newest = 0;
    for (size_t at = 0; at + sizeof(cl_name_version) <= bytes; at += sizeof(cl_name_version)) {
        cl_name_version entry;
        memcpy(&entry, answer + at, sizeof entry);
        if (ask->kind == QUERY_NAMES)
            append_word(field, ask->bytes, entry.name, name_length(&entry));
        else if (entry.version > newest)
            newest = entry.version;
    }
    if (newest != 0)
        snprintf(field, ask->bytes, "OpenCL C %u.%u", (unsigned)CL_VERSION_MAJOR(newest),
                 (unsigned)CL_VERSION_MINOR(newest));
}

static void store_number(const query *ask, char *field, const char *answer, size_t bytes)
{
    uint32_t small = 0;
    uint64_t large = 0;
    if (ask->kind == QUERY_SIZE) {
        size_t value = 0;
        memcpy(&value, answer, bytes < sizeof value ? bytes : sizeof value);
        small = value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
    } else if (ask->kind == QUERY_ULONG) {
        memcpy(&large, answer, bytes < sizeof large ? bytes : sizeof large);
        memcpy(field, &large, sizeof large);
        return;
    } else {
        memcpy(&small, answer, bytes < sizeof small ? bytes : sizeof small);
        if (ask->kind != QUERY_UINT) {
            uint32_t before;
            memcpy(&before, field, sizeof before);
            small = before + (ask->kind == QUERY_TENS ? 10 * small : small);
        }
    }
    memcpy(field, &small, sizeof small);
}

static clscan_status run_query(cl_device_id device, const query *ask, clscan__device_raw *raw, clscan_error *error)
{
    char *const field = (char *)raw + ask->offset;
    char *answer = NULL;
    size_t bytes = 0;
    const clscan_status status = read_answer(device, ask, &answer, &bytes, error);
    if (status != CLSCAN_OK)
        return status;
    if (ask->kind == QUERY_TEXT)
        copy_trimmed(field, ask->bytes, answer);
    else if (ask->kind == QUERY_NAMES || ask->kind == QUERY_NEWEST_VERSION)
        store_names(ask, field, answer, bytes);
    else
        store_number(ask, field, answer, bytes);
    free(answer);
    return CLSCAN_OK;
}

static clscan_status query_platform_name(cl_device_id device, clscan__device_raw *raw, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    cl_platform_id platform = NULL;
    size_t bytes = 0;
    char *name = NULL;

    CLSCAN__TRY_CL(clGetDeviceInfo, (device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL));
    CLSCAN__TRY_CL(clGetPlatformInfo, (platform, CL_PLATFORM_NAME, 0, NULL, &bytes));
    name = calloc(bytes + 1, 1);
    CLSCAN__REQUIRE(name != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for the name of a platform");
    CLSCAN__TRY_CL(clGetPlatformInfo, (platform, CL_PLATFORM_NAME, bytes, name, NULL));
    copy_trimmed(raw->platform_name, sizeof raw->platform_name, name);

cleanup:
    free(name);
    return status;
}

clscan_status clscan__device_query(cl_device_id device, clscan__device_raw *raw, clscan_error *error)
{
    memset(raw, 0, sizeof *raw);
    clscan_status status = query_platform_name(device, raw, error);
    if (status != CLSCAN_OK)
        return status;
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; ++i) {
        const query *ask = &queries[i];
        if (ask->min_version > clscan__version_parse(raw->device_version))
            continue;
        if (ask->extension != NULL && !clscan__has_word(raw->extensions, ask->extension))
            continue;
        status = run_query(device, ask, raw, error);
        /* What a driver does not answer, the device has not; what was not asked for lack of memory, it may have. */
        if (status != CLSCAN_OK && (ask->mandatory || status == CLSCAN_ERROR_OUT_OF_MEMORY))
            return status;
    }
    return CLSCAN_OK;
}
