#include "config/select.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/log.h"
#include "common/printable.h"
#include "config/config.h"
#include "config/constraints.h"
#include "config/repair.h"
#include "config/reproducible.h"
#include "config/sources.h"
#include "config_file/axes.h"
#include "device/words.h"
#include "element/problem.h"

typedef clscan__config_source source;

struct clscan__selector {
    clscan__config_sources *shared; /* what `sources` points into, except the explicit config */
    size_t count;
    source sources[]; /* in the order of asking */
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

static const clscan_variant reproducible_last_resort = {
    .body = CLSCAN_BODY_CACHED_ROWS,
    .group_scan = CLSCAN_GROUP_SCAN_BRENT_KUNG,
    .carry = CLSCAN_CARRY_REDUCE_THEN_SCAN,
    .order = CLSCAN_ORDER_NONE,
    .work_group_size = 1,
    .vector_length = 1,
    .cached_pieces = CLSCAN__BLOCK_COUNT,
    .interleaved_rows = 1,
    .streaming_stores = 0,
    .work_groups_per_unit = 4,
};

clscan_status clscan__selector_create(const clscan_config *explicit_config, clscan__selector **selector,
                                      clscan_error *error)
{
    clscan_status status;
    clscan__config_sources *shared = NULL;
    clscan__selector *created = NULL;
    const source *list;
    size_t count;

    CLSCAN__TRY(clscan__config_sources_get(&shared, error));
    list = clscan__config_sources_list(shared, &count);
    created = malloc(sizeof *created + (count + 1) * sizeof *created->sources);
    CLSCAN__REQUIRE(created != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for the list of configs");
    created->count = 0;
    if (explicit_config != NULL)
        created->sources[created->count++] = (source){CLSCAN__CONFIG_GROUP_EXPLICIT, explicit_config};
    memcpy(created->sources + created->count, list, count * sizeof *list);
    created->count += count;
    created->shared = shared;
    shared = NULL;
    *selector = created;

cleanup:
    clscan__config_sources_release(shared);
    return status;
}

void clscan__selector_destroy(clscan__selector *selector)
{
    if (selector == NULL)
        return;
    clscan__config_sources_release(selector->shared);
    free(selector);
}

/* ---- Choosing ---- */

/* One question, and what is known of its answer so far. */
typedef struct search {
    const clscan_device_info *device;
    const clscan_problem *problem;
    uint64_t count;
    int in_place;
    clscan__shape shape;
    clscan__config_key key; /* its operator class changes as classes are tried, and its bytes as sizes are */
    clscan_choice *choice;
    const source *found; /* where the choice comes from; NULL: the last resort */
    char skipped[384];   /* "; skipped A (why); skipped B (why)", cut at the end */
} search;

static void note_skipped(search *ask, const source *from, size_t index, const clscan__violation *why)
{
    const size_t used = strlen(ask->skipped);
    char element[CLSCAN__ELEMENT_NAME_BYTES];

    clscan__log(CLSCAN_LOG_INFO, "%s: /entries/%zu skipped on %s for %s%s: %s: %s", from->config->source, index,
                ask->device->name, clscan__problem_element_name(ask->problem, element),
                ask->in_place ? " in place" : "", why->name, why->reason);
    snprintf(ask->skipped + used, sizeof ask->skipped - used, "; skipped %s /entries/%zu (%s: %s)",
             from->config->source, index, why->name, why->reason);
}

/* Faster than snprintf(), which was half of the time of a choice; so is write_entry(). */
static void write_reason(clscan_choice *choice, const char *const *words)
{
    size_t length = 0;

    for (; *words != NULL; ++words) {
        const size_t word_bytes = strlen(*words), room = sizeof choice->reason - 1 - length;
        const size_t copied = word_bytes < room ? word_bytes : room;

        memcpy(choice->reason + length, *words, copied);
        length += copied;
    }
    choice->reason[length] = '\0';
}

/* The JSON pointer of an entry. */
static void write_entry(clscan_choice *choice, size_t index)
{
    static const char start[] = "/entries/";
    char *at = choice->entry + sizeof start - 1;
    size_t digits = 1;

    memcpy(choice->entry, start, sizeof start);
    for (size_t rest = index; rest >= 10; rest /= 10)
        ++digits;
    at[digits] = '\0';
    for (; digits > 0; index /= 10)
        at[--digits] = (char)('0' + index % 10);
}

static bool is_another(const char *recorded, const char *present)
{
    return recorded != NULL && strcmp(recorded, present) != 0;
}

static void fill_choice(search *ask, const source *from, size_t index, const clscan_variant *variant,
                        const level *matched, clscan_operator_class wanted)
{
    const clscan_config *config = from->config;
    const clscan__config_entry *entry = &config->document.entries[index];
    clscan_choice *choice = ask->choice;
    char fallback[64] = "", fitted[64] = "";
    const clscan__provenance *made = &config->document.provenance;
    /* What a person set was set for a family, in words of their own. */
    const bool measured = made->origin != CLSCAN__ORIGIN_HAND_SET;
    const bool elsewhere = measured && is_another(made->device, ask->device->name);
    const bool updated = measured && is_another(made->driver, ask->device->driver_version);

    if (entry->key.operator_class != wanted)
        snprintf(fallback, sizeof fallback, ", %s entry for a %s operator",
                 clscan_operator_class_name(entry->key.operator_class), clscan_operator_class_name(wanted));
    if (!clscan__variant_equal(variant, &entry->variant))
        snprintf(fitted, sizeof fitted, ", of elements of %u bytes and fitted to %u",
                 (unsigned)entry->key.element_size_bytes, (unsigned)ask->shape.held_bytes);
    choice->variant = *variant;
    clscan__copy_text(choice->source, sizeof choice->source, config->source);
    write_entry(choice, index);
    clscan__copy_text(choice->matched, sizeof choice->matched, config->document.match);
    /* Other devices are given other kernels, so that no revision says whether these have changed since. */
    clscan__copy_text(choice->revision, sizeof choice->revision, elsewhere || !ask->shape.plain ? "" : entry->revision);
    write_reason(choice,
                 (const char *[]){"matches the ", matched->meaning, ", ", clscan__origin_name(made->origin), " ",
                                  made->date, elsewhere ? " on " : "", elsewhere ? made->device : "",
                                  updated ? " with driver " : "", updated ? made->driver : "", updated ? ", not " : "",
                                  updated ? ask->device->driver_version : "", fallback, fitted, ask->skipped, NULL});
    if (elsewhere || updated)
        clscan__make_printable(choice->reason);
}

/* A limit of an entry in elements of ours: as many bytes of them, if the entry is for smaller ones. */
static uint64_t scaled(const search *ask, uint64_t count)
{
    const uint32_t measured_bytes = ask->key.element_size_bytes, bytes = ask->shape.element_bytes;

    if (count == UINT64_MAX || measured_bytes >= bytes)
        return count;
    return count / bytes * measured_bytes + count % bytes * measured_bytes / bytes;
}

/* The first entry of the searched key that ends at the count or behind it; entry_count if the file has none. */
static size_t find_entry(const clscan_config *config, const search *ask)
{
    size_t i = 0;

    while (i < config->document.entry_count &&
           (!clscan__config_key_equal(&config->document.entries[i].key, &ask->key) ||
            scaled(ask, config->document.entries[i].largest_count) < ask->count))
        ++i;
    return i;
}

/* Were elements of just this sort meant? Built-in entries were measured on scalars. */
static bool is_meant(const search *ask, const source *from)
{
    return from->from != CLSCAN__CONFIG_GROUP_BUILT_IN && ask->key.element_size_bytes == ask->shape.element_bytes &&
           (ask->key.sum_size_bytes != 0 || ask->shape.sum_bytes == ask->shape.element_bytes);
}

/* Does the file have an entry of the searched size that this device can run? If so, fill the choice. */
static bool search_size(search *ask, const source *from, const level *matched, clscan_operator_class wanted)
{
    const clscan_config *config = from->config;

    for (size_t i = 0; i < fallbacks[wanted].count; ++i) {
        clscan__violation why;
        clscan_variant variant;
        uint64_t smallest;
        size_t index;

        ask->key.operator_class = fallbacks[wanted].classes[i];
        index = find_entry(config, ask);
        if (index == config->document.entry_count)
            continue;
        smallest = config->document.entries[index].smallest_count;
        if (smallest > 0 && scaled(ask, smallest - 1) >= ask->count) {
            ask->choice->largest_count = clscan__min_u64(ask->choice->largest_count, scaled(ask, smallest - 1));
            continue;
        }
        /* Beyond the entry's limit another one is asked, skipped or not, and the answer may change. */
        ask->choice->largest_count =
            clscan__min_u64(ask->choice->largest_count, scaled(ask, config->document.entries[index].largest_count));
        variant = config->document.entries[index].variant;
        if ((is_meant(ask, from) &&
             clscan__variant_is_legal(&variant, ask->problem, ask->in_place, ask->device, &why)) ||
            clscan__variant_fit(&variant, ask->key.element_size_bytes, ask->problem, ask->in_place, ask->device,
                                &why)) {
            fill_choice(ask, from, index, &variant, matched, wanted);
            ask->found = from;
            return true;
        }
        note_skipped(ask, from, index, &why);
    }
    return false;
}

/* The largest size of elements below `bytes` that the file has entries for; 0 if there is none. */
static uint32_t next_smaller(const clscan_config *config, const search *ask, uint32_t bytes)
{
    uint32_t found = 0;

    for (size_t i = 0; i < config->document.entry_count; ++i) {
        const clscan__config_key *key = &config->document.entries[i].key;

        if (key->operation == ask->key.operation && key->reproducible == ask->key.reproducible &&
            key->sum_size_bytes == 0 && key->element_size_bytes < bytes && key->element_size_bytes > found)
            found = key->element_size_bytes;
    }
    return found;
}

/* Scalars are served by entries of their size, and of their sum's before those that do not tell it (half). Elements
 * that are no scalars are served by entries of their size, or of the next smaller one that the file knows,
 * with tiles of as many bytes. */
static bool search_file(search *ask, const source *from, const level *matched, clscan_operator_class wanted)
{
    const uint32_t element_bytes = ask->shape.element_bytes;
    uint32_t bytes = ask->shape.held_bytes;

    ask->key.element_size_bytes = element_bytes;
    ask->key.sum_size_bytes = ask->shape.sum_bytes != element_bytes ? ask->shape.sum_bytes : 0;
    if (ask->key.sum_size_bytes != 0 && search_size(ask, from, matched, wanted))
        return true;
    ask->key.sum_size_bytes = 0;
    if (ask->shape.plain)
        return search_size(ask, from, matched, wanted);
    for (++bytes; (bytes = next_smaller(from->config, ask, bytes)) > 0;) {
        ask->key.element_size_bytes = bytes;
        if (search_size(ask, from, matched, wanted))
            return true;
    }
    return false;
}

/* A name of the device, and how much of it that names. Most configs are for others: their length tells it. */
typedef struct name {
    const char *text;
    size_t length_bytes;
    const level *meaning;
} name;

static bool is_called(const clscan_config *config, const name *wanted)
{
    return config->match_bytes == wanted->length_bytes &&
           memcmp(config->document.match, wanted->text, wanted->length_bytes) == 0;
}

/* The names of a device from the most exact one on, each once. Returns how many. */
static size_t names_of(const clscan_device_info *device, name names[LEVEL_COUNT])
{
    size_t count = 0;

    for (size_t i = 0; i < LEVEL_COUNT; ++i) {
        const char *text = (const char *)device + levels[i].offset_bytes;
        bool known = text[0] == '\0';

        for (size_t j = 0; j < count; ++j)
            known = known || strcmp(names[j].text, text) == 0;
        if (!known)
            names[count++] = (name){text, strlen(text), &levels[i]};
    }
    return count;
}

/* The sources of a group are neighbours: those before `end`, from `begin` on. */
static bool search_group(search *ask, const clscan__selector *selector, size_t begin, size_t end, const name *names,
                         size_t name_count, clscan_operator_class wanted)
{
    for (size_t i = 0; i < name_count; ++i)
        for (size_t j = begin; j < end; ++j)
            if (is_called(selector->sources[j].config, &names[i]) &&
                search_file(ask, &selector->sources[j], names[i].meaning, wanted))
                return true;
    return false;
}

clscan_operation clscan__config_operation(const clscan_problem *problem)
{
    return problem->operation == CLSCAN_REDUCE ? CLSCAN_REDUCE : CLSCAN_SCAN;
}

clscan_variant clscan__selector_last_resort(const clscan_problem *problem)
{
    clscan_variant variant = clscan__problem_is_ordered(problem) ? reproducible_last_resort : last_resort;

    if (problem->operation == CLSCAN_REDUCE)
        variant.carry = CLSCAN_CARRY_REDUCE_THEN_COMBINE;
    return variant;
}

/* Fill the choice. Returns the source that it comes from; NULL: it is the last resort. */
static const source *choose(const clscan__selector *selector, const clscan_device_info *device,
                            const clscan_problem *problem, uint64_t count, int in_place, clscan_choice *choice)
{
    const clscan_operator_class wanted = clscan__problem_class(problem);
    const clscan__shape shape = clscan__problem_shape(problem);
    search ask = {
        .device = device,
        .problem = problem,
        .count = count,
        .in_place = in_place,
        .shape = shape,
        .key = {clscan__config_operation(problem), shape.element_bytes, wanted, clscan__problem_is_ordered(problem), 0},
        .choice = choice,
    };
    name names[LEVEL_COUNT];
    const size_t name_count = names_of(device, names);

    *choice = (clscan_choice){.largest_count = UINT64_MAX};
    for (size_t begin = 0, end; begin < selector->count; begin = end) {
        end = begin + 1;
        while (end < selector->count && selector->sources[end].from == selector->sources[begin].from)
            ++end;
        if (search_group(&ask, selector, begin, end, names, name_count, wanted))
            return ask.found;
    }

    choice->variant = clscan__selector_last_resort(problem);
    snprintf(choice->source, sizeof choice->source, "last resort");
    snprintf(choice->reason, sizeof choice->reason, "no config has an entry that this device can run%s", ask.skipped);
    return NULL;
}

void clscan__selector_choose(const clscan__selector *selector, const clscan_device_info *device,
                             const clscan_problem *problem, uint64_t count, int in_place, clscan_choice *choice)
{
    choose(selector, device, problem, count, in_place, choice);
}

bool clscan__selector_is_settled(const clscan__selector *selector, const clscan_device_info *device,
                                 const clscan_problem *problem, uint64_t count)
{
    clscan_choice choice;
    const source *from = choose(selector, device, problem, count, 0, &choice);
    const clscan__provenance *made = from != NULL ? &from->config->document.provenance : NULL;

    if (made == NULL || from->from == CLSCAN__CONFIG_GROUP_BUILT_IN)
        return false;
    return from->from < CLSCAN__CONFIG_GROUP_USER || made->origin == CLSCAN__ORIGIN_HAND_SET ||
           !(is_another(made->device, device->name) || is_another(made->driver, device->driver_version));
}
