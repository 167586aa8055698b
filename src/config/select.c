#include "config/select.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/embedded.h"
#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "config/config.h"
#include "config/constraints.h"
#include "element/types.h"

/* Where a config came from; earlier groups are asked first. */
typedef enum group { GROUP_EXPLICIT, GROUP_ENVIRONMENT, GROUP_USER, GROUP_BUILT_IN, GROUP_COUNT } group;

typedef struct source {
    group from;
    const clscan_config *config;
    clscan_config *owned; /* the same config if the selector destroys it, else NULL */
} source;

struct clscan__selector {
    source *sources; /* in the order of asking */
    size_t count;
};

/* How much of a device a config's "match" names; the exact comes first. */
typedef struct level {
    const char *meaning;
    size_t offset_bytes; /* of the name in clscan_device_info */
} level;

static const level levels[] = {
    {"device", offsetof(clscan_device_info, key)},
    {"architecture", offsetof(clscan_device_info, architecture)},
    {"vendor and class", offsetof(clscan_device_info, family)},
    {"generic class", offsetof(clscan_device_info, generic)},
};
#define LEVEL_COUNT (sizeof levels / sizeof levels[0])

/* Whose entries of the same file serve an operator, in this order. A custom operator's cost is unknown, so
 * its entries serve no other. */
#define MAX_FALLBACKS 2
static const struct {
    size_t count;
    clscan_operator_class classes[MAX_FALLBACKS];
} fallbacks[CLSCAN_OPERATOR_CLASS_COUNT] = {
    [CLSCAN_OPERATOR_CLASS_NATIVE] = {2, {CLSCAN_OPERATOR_CLASS_NATIVE, CLSCAN_OPERATOR_CLASS_BUILTIN}},
    [CLSCAN_OPERATOR_CLASS_BUILTIN] = {1, {CLSCAN_OPERATOR_CLASS_BUILTIN}},
    [CLSCAN_OPERATOR_CLASS_CUSTOM] = {2, {CLSCAN_OPERATOR_CLASS_CUSTOM, CLSCAN_OPERATOR_CLASS_BUILTIN}},
};

/* Runs on every device: no waiting, one work-item per work-group, no local memory for elements. */
static const clscan_variant last_resort = {
    .body = CLSCAN_BODY_STRIDED,
    .group_scan = CLSCAN_GROUP_SCAN_BRENT_KUNG,
    .carry = CLSCAN_CARRY_REDUCE_THEN_SCAN,
    .order = CLSCAN_ORDER_NONE,
    .work_group_size = 1,
    .vector_length = 1,
    .register_pieces = 4,
    .work_groups_per_unit = 4,
};

/* ---- Reading the sources ---- */

/* `owned` is destroyed with the selector, or now if this fails. */
static clscan_status add_source(clscan__selector *selector, group from, const clscan_config *config,
                                clscan_config *owned, clscan_error *error)
{
    source *grown = realloc(selector->sources, (selector->count + 1) * sizeof *grown);

    if (grown == NULL) {
        clscan_config_destroy(owned);
        return clscan__error_set(error, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for the list of configs");
    }
    selector->sources = grown;
    selector->sources[selector->count++] = (source){from, config, owned};
    return CLSCAN_OK;
}

/* The file was named, so failing to read it is the caller's error. */
static clscan_status add_environment(clscan__selector *selector, clscan_error *error)
{
    const char *path = getenv("CLSCAN_CONFIG");
    clscan_config *config = NULL;
    clscan_status status;

    if (path == NULL || path[0] == '\0')
        return CLSCAN_OK;
    status = clscan_config_load(path, &config, error);
    if (status != CLSCAN_OK)
        return status;
    return add_source(selector, GROUP_ENVIRONMENT, config, config, error);
}

/* Nobody named these files in this call, so bad ones are stepped over. */
static clscan_status add_user_folder(clscan__selector *selector, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan_error found = {0};
    char *folder = NULL;
    char **paths = NULL;
    size_t count = 0;

    CLSCAN__TRY(clscan__user_config_folder(&folder, error));
    if (folder == NULL)
        goto cleanup;
    if (clscan__folder_list(folder, ".json", &paths, &count, &found) != CLSCAN_OK)
        clscan__log(CLSCAN_LOG_WARNING, "the user's configs are skipped: %s", found.message);
    for (size_t i = 0; i < count; ++i) {
        clscan_config *config = NULL;

        if (clscan_config_load(paths[i], &config, &found) != CLSCAN_OK) {
            clscan__log(CLSCAN_LOG_WARNING, "config skipped: %s", found.message);
            continue;
        }
        CLSCAN__TRY(add_source(selector, GROUP_USER, config, config, error));
    }

cleanup:
    for (size_t i = 0; i < count; ++i)
        free(paths[i]);
    free(paths);
    free(folder);
    return status;
}

static clscan_status add_built_in(clscan__selector *selector, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (size_t i = 0; i < clscan__embedded_config_count; ++i) {
        const clscan__embedded_file *file = &clscan__embedded_configs[i];
        clscan_config *config = NULL;
        clscan_error found = {0};
        char name[256];

        snprintf(name, sizeof name, "built-in %s", file->name);
        if (clscan_config_parse(file->text, file->text_bytes, name, &config, &found) != CLSCAN_OK) {
            clscan__log(CLSCAN_LOG_ERROR, "config skipped, please report it: %s", found.message);
            continue;
        }
        CLSCAN__TRY(add_source(selector, GROUP_BUILT_IN, config, config, error));
    }

cleanup:
    return status;
}

clscan_status clscan__selector_create(const clscan_config *explicit_config, clscan__selector **selector,
                                      clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__selector *created = calloc(1, sizeof *created);

    CLSCAN__REQUIRE(created != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for the list of configs");
    if (explicit_config != NULL)
        CLSCAN__TRY(add_source(created, GROUP_EXPLICIT, explicit_config, NULL, error));
    CLSCAN__TRY(add_environment(created, error));
    CLSCAN__TRY(add_user_folder(created, error));
    CLSCAN__TRY(add_built_in(created, error));
    *selector = created;
    created = NULL; /* now the caller's */

cleanup:
    clscan__selector_destroy(created);
    return status;
}

void clscan__selector_destroy(clscan__selector *selector)
{
    if (selector == NULL)
        return;
    for (size_t i = 0; i < selector->count; ++i)
        clscan_config_destroy(selector->sources[i].owned);
    free(selector->sources);
    free(selector);
}

/* ---- Choosing ---- */

/* One question, and what is known of its answer so far. */
typedef struct search {
    const clscan_device_info *device;
    clscan_type type;
    uint64_t count;
    int in_place;
    clscan__config_key key; /* its operator class changes as classes are tried */
    clscan_choice *choice;
    char skipped[384]; /* "; skipped A (why); skipped B (why)", cut at the end */
} search;

static void note_skipped(search *ask, const source *from, size_t index, const clscan__violation *why)
{
    const size_t used = strlen(ask->skipped);

    clscan__log(CLSCAN_LOG_INFO, "%s: /entries/%zu skipped on %s for %s%s: %s: %s", from->config->source, index,
                ask->device->name, clscan_type_name(ask->type), ask->in_place ? " in place" : "", why->name,
                why->reason);
    snprintf(ask->skipped + used, sizeof ask->skipped - used, "; skipped %s /entries/%zu (%s: %s)",
             from->config->source, index, why->name, why->reason);
}

static void fill_choice(search *ask, const source *from, size_t index, const level *matched,
                        clscan_operator_class wanted)
{
    const clscan_config *config = from->config;
    const clscan__config_entry *entry = &config->entries[index];
    clscan_choice *choice = ask->choice;
    char fallback[64] = "";

    if (entry->key.operator_class != wanted)
        snprintf(fallback, sizeof fallback, ", %s entry for a %s operator",
                 clscan_operator_class_name(entry->key.operator_class), clscan_operator_class_name(wanted));
    choice->variant = entry->variant;
    snprintf(choice->source, sizeof choice->source, "%s", config->source);
    snprintf(choice->entry, sizeof choice->entry, "/entries/%zu", index);
    snprintf(choice->matched, sizeof choice->matched, "%s", config->match);
    snprintf(choice->revision, sizeof choice->revision, "%s", entry->revision);
    snprintf(choice->reason, sizeof choice->reason, "matches the %s, %s %s%s%s", matched->meaning,
             clscan__origin_name(config->origin), config->date, fallback, ask->skipped);
}

/* The one entry of the searched key that serves the count; entry_count if the file has none. */
static size_t find_entry(const clscan_config *config, const search *ask)
{
    size_t i = 0;

    while (i < config->entry_count && (!clscan__config_key_equal(&config->entries[i].key, &ask->key) ||
                                       config->entries[i].largest_count < ask->count))
        ++i;
    return i;
}

/* Does the file have an entry that this device can run? If so, fill the choice. */
static bool search_file(search *ask, const source *from, const level *matched, clscan_operator_class wanted)
{
    const clscan_config *config = from->config;

    for (size_t i = 0; i < fallbacks[wanted].count; ++i) {
        clscan__violation why;
        size_t index;

        ask->key.operator_class = fallbacks[wanted].classes[i];
        index = find_entry(config, ask);
        if (index == config->entry_count)
            continue;
        /* Beyond the entry's limit another one is asked, skipped or not, and the answer may change. */
        ask->choice->largest_count = clscan__min_u64(ask->choice->largest_count, config->entries[index].largest_count);
        if (clscan__variant_is_legal(&config->entries[index].variant, ask->type, ask->in_place, ask->device, &why)) {
            fill_choice(ask, from, index, matched, wanted);
            return true;
        }
        note_skipped(ask, from, index, &why);
    }
    return false;
}

/* Is the name empty, or that of a more exact level? Then its files were asked, or there are none. */
static bool adds_nothing(const char *const *names, size_t at)
{
    for (size_t i = 0; i < at; ++i)
        if (strcmp(names[i], names[at]) == 0)
            return true;
    return names[at][0] == '\0';
}

static bool search_group(search *ask, const clscan__selector *selector, group from, clscan_operator_class wanted)
{
    const char *names[LEVEL_COUNT];

    for (size_t i = 0; i < LEVEL_COUNT; ++i) {
        names[i] = (const char *)ask->device + levels[i].offset_bytes;
        if (adds_nothing(names, i))
            continue;
        for (size_t j = 0; j < selector->count; ++j) {
            const source *file = &selector->sources[j];

            if (file->from == from && strcmp(file->config->match, names[i]) == 0 &&
                search_file(ask, file, &levels[i], wanted))
                return true;
        }
    }
    return false;
}

void clscan__selector_choose(const clscan__selector *selector, const clscan_device_info *device, clscan_type type,
                             clscan_operator op, uint64_t count, int in_place, clscan_choice *choice)
{
    const clscan_operator_class wanted = clscan_operator_class_of(type, op);
    search ask = {
        .device = device,
        .type = type,
        .count = count,
        .in_place = in_place,
        .key = {CLSCAN__OPERATION_SCAN, (uint32_t)clscan_type_size_bytes(type), wanted, false},
        .choice = choice,
    };

    *choice = (clscan_choice){.largest_count = UINT64_MAX};
    for (group from = GROUP_EXPLICIT; from < GROUP_COUNT; ++from)
        if (search_group(&ask, selector, from, wanted))
            return;

    choice->variant = last_resort;
    snprintf(choice->source, sizeof choice->source, "last resort");
    snprintf(choice->reason, sizeof choice->reason, "no config has an entry that this device can run%s", ask.skipped);
}
