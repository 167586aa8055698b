#include "output/kept.h"

#include <stdio.h>
#include <string.h>

#include "command_line/failure.h"
#include "config_file/axes.h"
#include "output/classes.h"
#include "space/ladder.h"

/* The part of the largest count of a run without --sizes from which on a count speaks for larger ones. */
#define LARGE_PART 16
/* A measured count speaks for counts up to this factor away: the geometric middle between those of a run without
 * --sizes. */
#define SPOKEN_FACTOR (TUNE_LADDER_STEP / 2)

tune_reach tune_reach_of(const clscan_device_info *device, const tune_header_target *target)
{
    const uint64_t least = target->counts[0], most = target->counts[target->count_count - 1];
    tune_reach reach = {1, UINT64_MAX};
    uint64_t first, last;

    if (!tune_ladder_ends(device, &target->target, &first, &last))
        return reach;
    if (least > first)
        reach.first = least / SPOKEN_FACTOR + 1;
    if (most < last)
        reach.last = most * SPOKEN_FACTOR;
    return reach;
}

typedef struct keeper {
    const clscan_config *old;
    const clscan_device_info *device;
    const tune_header_target *measured;
    const clscan__document *made;
    clscan__config_key key;                 /* of the target */
    tune_reach reach;                       /* of all counts together */
    clscan_variant served[TUNE_MAX_COUNTS]; /* what serves the measured counts now */
} keeper;

/* What serves a count now. */
static clscan_status ask(const keeper *k, uint64_t count, clscan_choice *choice, clscan_error *error)
{
    clscan_rows rows;
    const clscan_problem problem = tune_target_problem_at(&k->measured->target, count, &rows);

    *choice = (clscan_choice){.struct_size = sizeof *choice};
    return clscan_config_explain(k->old, k->device, &problem, count, 0, choice, error);
}

static clscan_status ask_at_measured(keeper *k, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (size_t i = 0; i < k->measured->count_count; ++i) {
        clscan_choice choice;

        TRY(ask(k, k->measured->counts[i], &choice, error));
        k->served[i] = choice.variant;
    }

cleanup:
    return status;
}

/* What was made for a count. */
static const clscan__config_entry *made_for(const keeper *k, uint64_t count)
{
    const clscan__config_entry *entry = k->made->entries;

    while (entry->largest_count < count)
        ++entry;
    return entry;
}

/* From where to where one of the measured counts speaks. */
static tune_reach reach_at(const keeper *k, size_t at)
{
    const uint64_t count = k->measured->counts[at];

    return (tune_reach){.first = at == 0 ? k->reach.first : count / SPOKEN_FACTOR + 1,
                        .last = at + 1 == k->measured->count_count ? k->reach.last : count * SPOKEN_FACTOR};
}

static bool is_chosen_at(const keeper *k, size_t at, const clscan_variant *variant)
{
    return at < k->measured->count_count &&
           clscan__variant_equal(&made_for(k, k->measured->counts[at])->variant, variant);
}

/* Was `now` beaten by `variant`, or as good, at the measured count `at`, and does that speak for `count`? That is near
 * enough, or the same was chosen at the next measured count on its other side, too. */
static bool speaks(const keeper *k, size_t at, size_t other, uint64_t count, const clscan_variant *variant,
                   const clscan_variant *now)
{
    tune_reach reach;

    if (!is_chosen_at(k, at, variant) || !clscan__variant_equal(&k->served[at], now))
        return false;
    reach = reach_at(k, at);
    return (count >= reach.first && count <= reach.last) || is_chosen_at(k, other, variant);
}

/* Is the entry that was made for a count to take the place of what serves it now? */
static bool is_supported(const keeper *k, uint64_t count, const clscan__config_entry *entry, const clscan_variant *now)
{
    size_t above = 0, below;

    while (above < k->measured->count_count && k->measured->counts[above] < count)
        ++above;
    below = above < k->measured->count_count && k->measured->counts[above] == count ? above : above - 1;
    return !tune_entry_is_kept(entry) && (speaks(k, below, above, count, &entry->variant, now) ||
                                          speaks(k, above, below, count, &entry->variant, now));
}

/* The last count for which everything is as for `count`. */
static uint64_t end_of(const keeper *k, uint64_t count, uint64_t made_until, uint64_t served_until)
{
    uint64_t end = made_until < served_until ? made_until : served_until;

    for (size_t i = 0; i < k->measured->count_count; ++i) {
        const tune_reach reach = reach_at(k, i);
        const uint64_t measured = k->measured->counts[i];
        const uint64_t ends[] = {reach.first - 1, measured - 1, measured, reach.last};

        for (size_t j = 0; j < sizeof ends / sizeof ends[0]; ++j)
            if (ends[j] >= count && ends[j] < end)
                end = ends[j];
    }
    return end;
}

/* Add the entry for the counts from `first` on: what was made where that is supported, else what serves now. */
static clscan_status add_range(const keeper *k, uint64_t first, clscan__document *to, clscan_error *error)
{
    clscan_status status;
    clscan__config_entry entry = *made_for(k, first);
    clscan_choice now;
    char note[160];
    uint64_t last;

    TRY(ask(k, first, &now, error));
    last = end_of(k, first, entry.largest_count, now.largest_count);
    if (!is_supported(k, first, &entry, &now.variant)) {
        entry = (clscan__config_entry){.key = k->key, .variant = now.variant};
        memcpy(entry.revision, now.revision, sizeof entry.revision);
        snprintf(note, sizeof note, "Kept, not measured by this run; from %.110s", now.source);
        entry.note = note;
    }
    entry.largest_count = last;
    TRY(clscan__document_add(to, &entry, error));

cleanup:
    return status;
}

/* One entry instead of neighbours with the same variant; the note of the measured one stays. */
static void unite(clscan__document *entries)
{
    size_t kept = 0;

    for (size_t i = 0; i < entries->entry_count; ++i) {
        clscan__config_entry *last = kept > 0 ? &entries->entries[kept - 1] : NULL;

        if (last == NULL || !clscan__variant_equal(&last->variant, &entries->entries[i].variant)) {
            entries->entries[kept++] = entries->entries[i];
            continue;
        }
        last->largest_count = entries->entries[i].largest_count;
        if (last->note != NULL && entries->entries[i].note == NULL) {
            last->note = NULL;
            memcpy(last->revision, entries->entries[i].revision, sizeof last->revision);
        }
    }
    entries->entry_count = kept;
}

/* Above such a count all that matters is how fast memory is read and written. */
static bool is_large(const clscan_device_info *device, const tune_header_target *target)
{
    const uint64_t most = target->counts[target->count_count - 1];
    uint64_t first, last;

    return tune_ladder_ends(device, &target->target, &first, &last) && most >= last / LARGE_PART;
}

/* Reach as far as the variant that was beaten serves. */
static clscan_status extend(keeper *k, const clscan_variant *beaten, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    while (k->reach.last < UINT64_MAX) {
        clscan_choice choice;

        TRY(ask(k, k->reach.last + 1, &choice, error));
        if (!clscan__variant_equal(&choice.variant, beaten))
            break;
        k->reach.last = choice.largest_count;
    }

cleanup:
    return status;
}

/* Say where what is kept on either side of the ladder comes from. */
static clscan_status name_sources(const keeper *k, tune_kept *kept, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan_choice choice;

    if (k->reach.first > 1) {
        TRY(ask(k, 1, &choice, error));
        snprintf(kept->below, sizeof kept->below, "%s", choice.source);
    }
    if (k->reach.last < UINT64_MAX) {
        TRY(ask(k, k->reach.last + 1, &choice, error));
        snprintf(kept->above, sizeof kept->above, "%s", choice.source);
    }

cleanup:
    return status;
}

clscan_status tune_keep(clscan__document *made, const clscan_config *old, const clscan_device_info *device,
                        const tune_header_target *target, const clscan_variant *beaten, tune_kept *kept,
                        clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__document whole = {.match = ""};
    keeper k = {.old = old,
                .device = device,
                .measured = target,
                .made = made,
                .key = tune_target_key(&target->target),
                .reach = tune_reach_of(device, target)};

    TRY(ask_at_measured(&k, error));
    if (beaten != NULL && is_large(device, target))
        TRY(extend(&k, beaten, error));
    *kept = (tune_kept){.reach = k.reach};
    TRY(name_sources(&k, kept, error));
    for (uint64_t first = 1; first != 0; first = whole.entries[whole.entry_count - 1].largest_count + 1)
        TRY(add_range(&k, first, &whole, error));
    unite(&whole);
    clscan__document_free(made);
    *made = whole;
    whole = (clscan__document){.match = ""};

cleanup:
    clscan__document_free(&whole);
    return status;
}
