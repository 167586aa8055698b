#include "config/select.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/log.h"
#include "common/clock.h"
#include "common/printable.h"
#include "config/config.h"
#include "config/constraints.h"
#include "config/repair.h"
#include "config/reproducible.h"
#include "config/sources.h"
#include "config/wanted.h"
#include "config_file/axes.h"
#include "device/words.h"
#include "element/problem.h"

/* A measurement that was not done is made anew where so many times its time is allowed. */
#define ANEW_FACTOR 2u

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

/* Which entries are tried together, by their sizes. */
typedef enum tier_kind {
    TIER_SUM,     /* of just these elements and sums; `bytes` are those of the sum */
    TIER_COVERED, /* of elements of this size, of each of which their tiles keep `bytes` */
    TIER_SMALLER  /* of elements of `bytes`, which are fewer */
} tier_kind;

typedef struct tier {
    tier_kind kind;
    uint32_t bytes;
    bool meant; /* only those that were measured on elements of the problem's sort */
} tier;

/* One question, and what is known of its answer so far. */
typedef struct search {
    const clscan_device_info *device;
    const clscan_problem *problem;
    uint64_t count;
    int in_place;
    clscan__shape shape;
    bool reproducible;
    clscan_operator_class operator_class;
    clscan__wanted wanted[CLSCAN__MOST_WANTED];
    const clscan__wanted *asked; /* one of them */
    tier tier;
    bool left_out; /* there is an entry for what the problem does, but not for so few elements */
    clscan_choice *choice;
    const source *found;               /* where the choice comes from; NULL: the last resort */
    const clscan__config_entry *entry; /* of it */
    char skipped[384];                 /* "; skipped A (why); skipped B (why)", cut at the end */
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

/* Was it measured on another device than this one, or with another driver than the present one? What a person set was
 * set for a family, in words of their own. */
static bool is_elsewhere(const clscan__provenance *made, const clscan_device_info *device)
{
    return made->origin != CLSCAN__ORIGIN_HAND_SET && is_another(made->device, device->name);
}

static bool is_updated(const clscan__provenance *made, const clscan_device_info *device)
{
    return made->origin != CLSCAN__ORIGIN_HAND_SET && is_another(made->driver, device->driver_version);
}

static bool is_present(const clscan_config *config, const clscan_device_info *device)
{
    return !is_elsewhere(&config->document.provenance, device) && !is_updated(&config->document.provenance, device);
}

static void fill_choice(search *ask, const source *from, size_t index, const clscan_variant *variant,
                        const level *matched)
{
    const clscan_config *config = from->config;
    const clscan__config_entry *entry = &config->document.entries[index];
    clscan_choice *choice = ask->choice;
    char fallback[64] = "", fitted[64] = "", stands_in[96] = "";
    const clscan__provenance *made = &config->document.provenance;
    const bool elsewhere = is_elsewhere(made, ask->device);
    const bool updated = is_updated(made, ask->device);

    if (entry->key.operation != ask->wanted[0].operation)
        snprintf(stands_in, sizeof stands_in, ", entry of %s, since none of %s serves",
                 clscan__config_operation_name(entry->key.operation),
                 clscan__config_operation_name(ask->wanted[0].operation));
    if (entry->key.operator_class != ask->operator_class)
        snprintf(fallback, sizeof fallback, ", %s entry for a %s operator",
                 clscan_operator_class_name(entry->key.operator_class),
                 clscan_operator_class_name(ask->operator_class));
    if (!clscan__variant_equal(variant, &entry->variant))
        snprintf(fitted, sizeof fitted, ", of elements of %u bytes and fitted to %u",
                 (unsigned)entry->key.element_size_bytes, (unsigned)ask->asked->size_bytes);
    choice->variant = *variant;
    clscan__copy_text(choice->source, sizeof choice->source, config->source);
    write_entry(choice, index);
    clscan__copy_text(choice->matched, sizeof choice->matched, config->document.match);
    /* Other devices are given other kernels, so that no revision says whether these have changed since. */
    clscan__copy_text(choice->revision, sizeof choice->revision, elsewhere || !ask->shape.plain ? "" : entry->revision);
    write_reason(choice, (const char *[]){"matches the ", matched->meaning, ", ", clscan__origin_name(made->origin),
                                          " ", made->date, elsewhere ? " on " : "", elsewhere ? made->device : "",
                                          updated ? " with driver " : "", updated ? made->driver : "",
                                          updated ? ", not " : "", updated ? ask->device->driver_version : "",
                                          stands_in, fallback, fitted, ask->skipped, NULL});
    if (elsewhere || updated)
        clscan__make_printable(choice->reason);
}

/* A limit of an entry in elements of ours: as many bytes of them, if the entry is for smaller ones, or for all of a
 * range. */
static uint64_t scaled(const search *ask, const clscan__config_key *key, uint64_t count)
{
    const uint32_t measured_bytes = key->element_size_bytes;
    const uint32_t bytes = ask->asked->own ? ask->asked->size_bytes : ask->shape.element_bytes;

    if (count == UINT64_MAX || measured_bytes == bytes || (measured_bytes > bytes && key->least_size_bytes == 0))
        return count;
    if (count / bytes >= UINT64_MAX / measured_bytes)
        return UINT64_MAX;
    return count / bytes * measured_bytes + count % bytes * measured_bytes / bytes;
}

/* Is it a key of a tier of that kind, apart from the operator's class? Then of that of so many bytes, else 0. */
static uint32_t bytes_of_tier(const search *ask, tier_kind kind, const clscan__config_key *key)
{
    const clscan__wanted *asked = ask->asked;

    if (key->operation != asked->operation || key->reproducible != ask->reproducible)
        return 0;
    if (kind == TIER_SUM)
        return key->element_size_bytes == ask->shape.element_bytes && key->sum_size_bytes == ask->shape.sum_bytes
                   ? key->sum_size_bytes
                   : 0;
    if (!asked->own && (key->sum_size_bytes != 0 || (key->least_size_bytes != 0 && !ask->shape.stays)))
        return 0;
    if (kind == TIER_SMALLER)
        return key->element_size_bytes;
    return clscan__key_covers(key, asked->size_bytes) ? clscan__key_kept_bytes(key) : 0;
}

/* Were elements of just this sort meant? Built-in entries were measured on scalars that are summed up as they are, if
 * they do not say otherwise. */
static bool is_meant(const search *ask, const source *from, const clscan__config_key *key)
{
    if (ask->asked->own || key->least_size_bytes != 0)
        return clscan__key_covers(key, ask->asked->size_bytes) && clscan__key_kept_bytes(key) >= ask->asked->kept_bytes;
    return key->element_size_bytes == ask->shape.element_bytes &&
           (key->sum_size_bytes != 0 ||
            (from->from != CLSCAN__CONFIG_GROUP_BUILT_IN && ask->shape.sum_bytes == ask->shape.element_bytes));
}

/* The first entry of the tier and class that ends at the count or behind it, of those for a range of sizes or of all
 * others; entry_count if the file has none. */
static size_t find_entry(const search *ask, const source *from, clscan_operator_class operator_class, bool ranges)
{
    const clscan__document *document = &from->config->document;
    size_t i = 0;

    for (; i < document->entry_count; ++i) {
        const clscan__config_key *key = &document->entries[i].key;

        if (key->operator_class == operator_class && (key->least_size_bytes != 0) == ranges &&
            bytes_of_tier(ask, ask->tier.kind, key) == ask->tier.bytes &&
            (!ask->tier.meant || is_meant(ask, from, key)) &&
            scaled(ask, key, document->entries[i].largest_count) >= ask->count)
            break;
    }
    return i;
}

/* Does the file have an entry of the tier that this device can run? If so, fill the choice. */
static bool search_entries(search *ask, const source *from, const level *matched, bool ranges)
{
    const clscan_config *config = from->config;

    for (size_t i = 0; i < fallbacks[ask->operator_class].count; ++i) {
        const size_t index = find_entry(ask, from, fallbacks[ask->operator_class].classes[i], ranges);
        const clscan__config_entry *entry = &config->document.entries[index];
        clscan__violation why;
        clscan_variant variant;

        if (index == config->document.entry_count)
            continue;
        if (entry->smallest_count > 0 && scaled(ask, &entry->key, entry->smallest_count - 1) >= ask->count) {
            ask->choice->largest_count =
                clscan__min_u64(ask->choice->largest_count, scaled(ask, &entry->key, entry->smallest_count - 1));
            if (!ask->asked->own)
                continue;
            ask->left_out = true;
            return false;
        }
        /* Beyond the entry's limit another one is asked, skipped or not, and the answer may change. */
        ask->choice->largest_count =
            clscan__min_u64(ask->choice->largest_count, scaled(ask, &entry->key, entry->largest_count));
        variant = entry->variant;
        if ((is_meant(ask, from, &entry->key) &&
             clscan__variant_is_legal(&variant, ask->problem, ask->in_place, ask->device, &why)) ||
            clscan__variant_fit(&variant, &entry->key, ask->asked, ask->problem, ask->in_place, ask->device, &why)) {
            fill_choice(ask, from, index, &variant, matched);
            ask->found = from;
            ask->entry = entry;
            return true;
        }
        note_skipped(ask, from, index, &why);
    }
    return false;
}

static bool search_tier(search *ask, const source *from, const level *matched)
{
    return search_entries(ask, from, matched, true) || (!ask->left_out && search_entries(ask, from, matched, false));
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

/* Whom a device asks, and by which names. */
typedef struct sources_of_device {
    const clscan__selector *selector;
    name names[LEVEL_COUNT];
    size_t name_count;
} sources_of_device;

/* Of the user's files those first whose device and driver are the present ones. Built-in ones were measured on one
 * device for many. */
static bool is_asked_last(const source *from, const clscan_device_info *device)
{
    return from->from == CLSCAN__CONFIG_GROUP_USER && !is_present(from->config, device);
}

/* Ask the files of one name. */
static bool search_called(search *ask, const source *begin, const source *end, const name *wanted,
                          bool (*search_file)(search *, const source *, const level *))
{
    bool others = false;

    for (int last = 0; last < 2; ++last) {
        for (const source *from = begin; from < end; ++from) {
            if (!is_called(from->config, wanted))
                continue;
            if (is_asked_last(from, ask->device) != (last == 1))
                others = true;
            else if (search_file(ask, from, wanted->meaning))
                return true;
        }
        if (!others)
            break;
    }
    return false;
}

/* Ask all files. The sources of a group are neighbours. */
static bool search_files(search *ask, const sources_of_device *files,
                         bool (*search_file)(search *, const source *, const level *))
{
    const source *sources = files->selector->sources;

    for (size_t begin = 0, end; begin < files->selector->count; begin = end) {
        end = begin + 1;
        while (end < files->selector->count && sources[end].from == sources[begin].from)
            ++end;
        for (size_t i = 0; i < files->name_count; ++i)
            if (search_called(ask, &sources[begin], &sources[end], &files->names[i], search_file))
                return true;
    }
    return false;
}

/* Tiers of one kind, the next of which is looked for: from so many bytes on, or up to there. */
typedef struct tiers {
    tier tier;
    uint32_t from;
    bool up;
} tiers;

/* The nearest one of which a file has entries becomes their tier. */
static bool find_tier(const search *ask, const clscan_config *config, tiers *looked)
{
    uint32_t found = looked->tier.bytes;

    for (size_t i = 0; i < config->document.entry_count; ++i) {
        const uint32_t bytes = bytes_of_tier(ask, looked->tier.kind, &config->document.entries[i].key);

        if (looked->up ? bytes >= looked->from && (found == 0 || bytes < found)
                       : bytes <= looked->from && bytes > found)
            found = bytes;
    }
    looked->tier.bytes = found;
    return found > 0;
}

static void step_over(tiers *looked)
{
    looked->from = looked->up ? looked->tier.bytes + 1 : looked->tier.bytes - 1;
    looked->tier.bytes = 0;
}

/* The same of all files for the device. */
static bool find_tier_of_files(const search *ask, const sources_of_device *files, tiers *looked)
{
    for (size_t i = 0; i < files->selector->count; ++i) {
        const clscan_config *config = files->selector->sources[i].config;
        bool called = false;

        for (size_t j = 0; j < files->name_count; ++j)
            called = called || is_called(config, &files->names[j]);
        if (called)
            find_tier(ask, config, looked);
    }
    return looked->tier.bytes > 0;
}

/* Ask all files for one tier before the next: nearer in size counts for more than who says it. */
static bool search_tiers(search *ask, const sources_of_device *files, tiers looked)
{
    for (; !ask->left_out && find_tier_of_files(ask, files, &looked); step_over(&looked)) {
        ask->tier = looked.tier;
        if (search_files(ask, files, search_tier))
            return true;
    }
    return false;
}

/* By entries for what the problem does: those first that keep as many bytes of each element, or little more; then those
 * that keep fewer, and those for smaller ones, with tiles of as many bytes. Where they begin at larger counts, smaller
 * ones are left to entries for scans. */
static bool search_own(search *ask, const sources_of_device *files)
{
    const clscan__wanted *asked = ask->asked;

    return search_tiers(ask, files, (tiers){{.kind = TIER_COVERED}, asked->kept_bytes, true}) ||
           search_tiers(ask, files, (tiers){{.kind = TIER_COVERED}, asked->kept_bytes - 1, false}) ||
           search_tiers(ask, files, (tiers){{.kind = TIER_SMALLER}, asked->size_bytes - 1, false});
}

/* Scalars are served by entries of their size, and of their sum's before those that do not tell it (half). Elements
 * that are no scalars are served by entries of their size, or of the next smaller one that the file knows, with tiles
 * of as many bytes. */
static bool search_scans(search *ask, const source *from, const level *matched)
{
    tiers smaller = {{.kind = TIER_SMALLER}, ask->asked->size_bytes - 1, false};

    if (ask->shape.sum_bytes != ask->shape.element_bytes) {
        ask->tier = (tier){TIER_SUM, ask->shape.sum_bytes, false};
        if (search_entries(ask, from, matched, false))
            return true;
    }
    ask->tier = (tier){TIER_COVERED, ask->asked->size_bytes, false};
    if (search_entries(ask, from, matched, false))
        return true;
    for (; !ask->shape.plain && find_tier(ask, from->config, &smaller); step_over(&smaller)) {
        ask->tier = smaller.tier;
        if (search_entries(ask, from, matched, false))
            return true;
    }
    return false;
}

static bool search_wanted(search *ask, const sources_of_device *files)
{
    if (ask->asked->own)
        return search_own(ask, files);
    return (!ask->shape.plain &&
            search_tiers(ask, files, (tiers){{.kind = TIER_COVERED, .meant = true}, ask->asked->size_bytes, true})) ||
           search_files(ask, files, search_scans);
}

clscan_variant clscan__selector_last_resort(const clscan_problem *problem)
{
    clscan_variant variant = clscan__problem_is_ordered(problem) ? reproducible_last_resort : last_resort;

    if (clscan__problem_reduces_all(problem))
        variant.carry = CLSCAN_CARRY_REDUCE_THEN_COMBINE;
    return variant;
}

static search search_of(const clscan_device_info *device, const clscan_problem *problem, uint64_t count, int in_place,
                        clscan_choice *choice)
{
    return (search){
        .device = device,
        .problem = problem,
        .count = count,
        .in_place = in_place,
        .shape = clscan__problem_shape(problem),
        .reproducible = clscan__problem_is_ordered(problem),
        .operator_class = clscan__problem_class(problem),
        .choice = choice,
    };
}

/* Fill the choice by entries that are wanted, the first of which serves. Returns the source; NULL: none does. */
static const source *ask_all(search *ask, const clscan__selector *selector, uint32_t wanted_count)
{
    sources_of_device files = {.selector = selector};

    files.name_count = names_of(ask->device, files.names);
    *ask->choice = (clscan_choice){.largest_count = UINT64_MAX};
    for (uint32_t i = 0; i < wanted_count; ++i) {
        ask->asked = &ask->wanted[i];
        ask->left_out = false;
        if (search_wanted(ask, &files))
            return ask->found;
    }
    return NULL;
}

/* Fill the choice, and tell in the question where it comes from. */
static void choose(search *ask, const clscan__selector *selector)
{
    clscan_choice *choice = ask->choice;

    if (ask_all(ask, selector, clscan__wanted_of(ask->problem, ask->shape, ask->wanted)) != NULL)
        return;
    choice->variant = clscan__selector_last_resort(ask->problem);
    snprintf(choice->source, sizeof choice->source, "last resort");
    snprintf(choice->reason, sizeof choice->reason, "no config has an entry that this device can run%s", ask->skipped);
}

void clscan__selector_choose(const clscan__selector *selector, const clscan_device_info *device,
                             const clscan_problem *problem, uint64_t count, int in_place, clscan_choice *choice)
{
    search ask = search_of(device, problem, count, in_place, choice);

    choose(&ask, selector);
}

bool clscan__selector_choose_rows(const clscan__selector *selector, const clscan_device_info *device,
                                  const clscan_problem *problem, uint64_t count, int in_place, clscan_choice *choice)
{
    search ask = search_of(device, problem, count, in_place, choice);

    ask.wanted[0] = clscan__wanted_rows(ask.shape);
    return ask_all(&ask, selector, 1) != NULL;
}

bool clscan__selector_is_settled(const clscan__selector *selector, const clscan_device_info *device,
                                 const clscan_problem *problem, uint64_t count, uint64_t bound_ns)
{
    clscan_choice choice;
    search ask = search_of(device, problem, count, 0, &choice);
    const source *from;

    choose(&ask, selector);
    from = ask.found;
    if (from == NULL || from->from == CLSCAN__CONFIG_GROUP_BUILT_IN)
        return false;
    if (from->from < CLSCAN__CONFIG_GROUP_USER || from->config->document.provenance.origin == CLSCAN__ORIGIN_HAND_SET)
        return true;
    return is_present(from->config, device) &&
           (ask.entry->unfinished_ms == 0 || bound_ns / CLSCAN__NS_PER_MS / ANEW_FACTOR < ask.entry->unfinished_ms);
}
