#include "program/build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <clscan/version.h>

#include "base/log.h"
#include "common/clock.h"
#include "program/binary.h"
#include "program/blob.h"
#include "program/compile.h"
#include "program/disk.h"

clscan_status clscan__supply_prepare(clscan__supply *supply, const clscan_device_info *info, clscan__pool *pool,
                                     clscan_error *error)
{
    clscan_status status;
    const char *reason;

    CLSCAN__TRY(clscan__cache_settings_get(&supply->settings, error));
    CLSCAN__TRY(clscan__device_names_query(supply->device, &supply->names, error));
    supply->disk = clscan__cache_serves(supply->settings.mode, info, &reason);
    supply->pool = supply->settings.mode != CLSCAN_CACHE_OFF ? pool : NULL;
    clscan__log(CLSCAN_LOG_DEBUG, "compiled programs of %s are %skept on disk: %s", info->name,
                supply->disk ? "" : "not ", reason);

cleanup:
    return status;
}

void clscan__supply_free(clscan__supply *supply)
{
    clscan__cache_settings_free(&supply->settings);
    clscan__device_names_free(&supply->names);
}

void clscan__program_free(clscan__program *program)
{
    if (program->program != NULL)
        clReleaseProgram(program->program);
    clscan__key_release(program->key);
    *program = (clscan__program){0};
}

static clscan_status make_key(const clscan__supply *supply, const clscan__program_spec *spec, const char *source,
                              clscan__key **key, clscan_error *error)
{
    char host[64], variant[256], program[384], options[CLSCAN__OPTIONS_BYTES];
    const clscan__key_parts parts = {
        .device_name = supply->names.device_name,
        .driver_version = supply->names.driver_version,
        .program = program,
        .platform_name = supply->names.platform_name,
        .platform_version = supply->names.platform_version,
        .vendor = supply->names.vendor,
        .device_version = supply->names.device_version,
        .library = CLSCAN_VERSION_TEXT,
        .host = host,
        .options = clscan__program_options(spec, options),
        .source = source,
    };

    snprintf(host, sizeof host, "%zu-bit", 8 * sizeof(void *));
    clscan_variant_format(&spec->variant, variant, sizeof variant);
    snprintf(program, sizeof program, "%s %s %s %s %s",
             spec->elements != NULL ? clscan__program_accumulator(spec) : clscan_type_name(spec->type),
             clscan_operator_name(spec->op), spec->form == CLSCAN_INCLUSIVE ? "inclusive" : "exclusive",
             spec->direction == CLSCAN_FORWARD ? "forward" : "reverse", variant);
    return clscan__key_create(&parts, key, error);
}

static bool begins_with(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

/* A file that the source includes may change behind the key. Directives begin with '#' or its other spelling, "%:". */
static bool includes_files(const char *source)
{
    for (const char *at = strpbrk(source, "#:"); at != NULL; at = strpbrk(at + 1, "#:")) {
        const char *word = at + 1 + strspn(at + 1, " \t\\\r\n");
        if (begins_with(word, "include") || begins_with(word, "import"))
            return true;
    }
    return false;
}

static cl_program load(const clscan__supply *supply, const clscan__program_spec *spec, const clscan__record *record,
                       const char *from, clscan__cache_counter hit)
{
    char options[CLSCAN__OPTIONS_BYTES];
    cl_program program = clscan__binary_build(supply->context, supply->device, clscan__program_options(spec, options),
                                              record->binary, record->binary_bytes);

    clscan__cache_count(program != NULL ? hit : CLSCAN__COUNTER_rejected);
    if (program == NULL)
        clscan__log(CLSCAN_LOG_INFO, "the driver refuses a program from %s", from);
    return program;
}

/* NULL: nobody has it. */
static cl_program find(const clscan__supply *supply, const clscan__program_spec *spec, const clscan__key *key)
{
    cl_program program = NULL;
    clscan__record record;

    if (supply->pool != NULL && (program = clscan__pool_find(supply->pool, supply->device, key)) != NULL)
        clscan__cache_count(CLSCAN__COUNTER_memory_hits);
    if (program == NULL && supply->blob != NULL && clscan__blob_find(supply->blob, supply->blob_bytes, key, &record))
        program = load(supply, spec, &record, "a blob", CLSCAN__COUNTER_blob_hits);
    if (program == NULL && supply->disk) {
        unsigned char *file = clscan__disk_load(&supply->settings, key, &record);
        if (file != NULL)
            program = load(supply, spec, &record, "disk", CLSCAN__COUNTER_disk_hits);
        free(file);
    }
    return program;
}

static void keep_on_disk(const clscan__supply *supply, const clscan__program *made)
{
    unsigned char *binary = NULL;
    size_t binary_bytes = 0;
    clscan_error why = {0};

    if (clscan__binary_get(made->program, supply->device, &binary, &binary_bytes, &why) == CLSCAN_OK) {
        clscan__disk_store(&supply->settings, made->key, binary, binary_bytes);
    } else {
        clscan__cache_count(CLSCAN__COUNTER_store_failures);
        clscan__log(CLSCAN_LOG_INFO, "a program is not kept on disk: %s", why.message);
    }
    free(binary);
}

clscan_status clscan__program_get(const clscan__supply *supply, const clscan__program_spec *spec,
                                  clscan__program *program, clscan_error *error)
{
    clscan_status status;
    const uint64_t begin_ns = clscan__now_ns();
    clscan__program made = {0};
    char *source = NULL;
    bool cacheable;

    CLSCAN__TRY(clscan__program_compose_revision(spec, &source, made.revision, error));
    CLSCAN__TRY(make_key(supply, spec, source, &made.key, error));
    cacheable = !includes_files(source);
    made.program = cacheable ? find(supply, spec, made.key) : NULL;
    made.from_cache = made.program != NULL;
    if (!made.from_cache) {
        CLSCAN__TRY(clscan__program_compile(supply->context, supply->device, spec, source, &made.program, error));
        clscan__cache_count(CLSCAN__COUNTER_compiled);
        if (cacheable && supply->disk)
            keep_on_disk(supply, &made);
    }
    if (cacheable && supply->pool != NULL)
        clscan__pool_add(supply->pool, supply->device, made.key, made.program);
    made.build_time_ns = clscan__now_ns() - begin_ns;
    clscan__log(CLSCAN_LOG_DEBUG, "%s in %.1f ms, revision %s",
                made.from_cache ? "took a program from a cache" : "compiled a program",
                (double)made.build_time_ns / 1e6, made.revision);
    *program = made;
    made = (clscan__program){0};

cleanup:
    clscan__program_free(&made);
    free(source);
    return status;
}
