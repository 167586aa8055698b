#include "output/kept.h"

#include <stdio.h>
#include <string.h>

#include "command_line/failure.h"
#include "config_file/axes.h"
#include "output/classes.h"
#include "space/ladder.h"

/* The part of the largest count of a run without --sizes from which on a count speaks for larger ones. */
#define LARGE_PART 16

tune_reach tune_reach_of(const clscan_device_info *device, const tune_header_target *target)
{
    const uint64_t least = target->counts[0], most = target->counts[target->count_count - 1];
    tune_reach reach = {1, UINT64_MAX};
    uint64_t first, last;

    /* The geometric middle between counts that are a factor of 4 apart is a factor of 2 away. */
    if (!tune_ladder_ends(device, &target->target, &first, &last))
        return reach;
    if (least > first)
        reach.first = least / (TUNE_LADDER_STEP / 2) + 1;
    if (most < last)
        reach.last = most * (TUNE_LADDER_STEP / 2);
    return reach;
}

typedef struct keeper {
    const clscan_config *old;
    const clscan_device_info *device;
    const tune_target *target;
    clscan__config_key key; /* of the target */
} keeper;

/* What serves a count now. */
static clscan_status ask(const keeper *k, uint64_t count, clscan_choice *choice, clscan_error *error)
{
    clscan_rows rows;
    const clscan_problem problem = tune_target_problem_at(k->target, count, &rows);

    return clscan_config_explain(k->old, k->device, &problem, count, 0, choice, error);
}

/* Add what serves counts from `first` to `last` now. */
static clscan_status add_range(const keeper *k, uint64_t first, uint64_t last, clscan__document *to, char source[256],
                               clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (uint64_t count = first;;) {
        clscan__config_entry entry = {.key = k->key};
        clscan_choice choice = {.struct_size = sizeof choice};
        char note[160];

        TRY(ask(k, count, &choice, error));
        if (count == first)
            snprintf(source, 256, "%s", choice.source);
        entry.variant = choice.variant;
        entry.largest_count = choice.largest_count < last ? choice.largest_count : last;
        memcpy(entry.revision, choice.revision, sizeof entry.revision);
        snprintf(note, sizeof note, "Kept, not measured by this run; from %.110s", choice.source);
        entry.note = note;
        TRY(clscan__document_add(to, &entry, error));
        if (entry.largest_count == last)
            break;
        count = entry.largest_count + 1;
    }

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

/* Put what serves now into the entries that are to keep it. Where they are in the ladder, one source is much like the
 * other, so nobody is told. */
static clscan_status fill_in(const keeper *k, uint64_t first, clscan__document *made, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__document whole = {.match = ""};
    char source[256];

    for (size_t i = 0; i < made->entry_count; ++i) {
        const clscan__config_entry *entry = &made->entries[i];

        if (tune_entry_is_kept(entry))
            TRY(add_range(k, first, entry->largest_count, &whole, source, error));
        else
            TRY(clscan__document_add(&whole, entry, error));
        first = entry->largest_count + 1;
    }
    clscan__document_free(made);
    *made = whole;
    whole = (clscan__document){.match = ""};

cleanup:
    clscan__document_free(&whole);
    return status;
}

/* Above such a count all that matters is how fast memory is read and written. */
static bool is_large(const clscan_device_info *device, const tune_header_target *target)
{
    const uint64_t most = target->counts[target->count_count - 1];
    uint64_t first, last;

    return tune_ladder_ends(device, &target->target, &first, &last) && most >= last / LARGE_PART;
}

/* Reach as far as the variant that was beaten serves. */
static clscan_status extend(const keeper *k, const clscan_variant *beaten, tune_reach *reach, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    while (reach->last < UINT64_MAX) {
        clscan_choice choice = {.struct_size = sizeof choice};

        TRY(ask(k, reach->last + 1, &choice, error));
        if (!clscan__variant_equal(&choice.variant, beaten))
            break;
        reach->last = choice.largest_count;
    }

cleanup:
    return status;
}

clscan_status tune_keep(clscan__document *made, const clscan_config *old, const clscan_device_info *device,
                        const tune_header_target *target, const clscan_variant *beaten, tune_kept *kept,
                        clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const keeper k = {.old = old, .device = device, .target = &target->target, .key = tune_target_key(&target->target)};

    *kept = (tune_kept){.reach = tune_reach_of(device, target)};
    if (beaten != NULL && is_large(device, target))
        TRY(extend(&k, beaten, &kept->reach, error));
    if (kept->reach.last < UINT64_MAX)
        made->entries[made->entry_count - 1].largest_count = kept->reach.last;
    TRY(fill_in(&k, kept->reach.first, made, error));
    if (kept->reach.last < UINT64_MAX)
        TRY(add_range(&k, kept->reach.last + 1, UINT64_MAX, made, kept->above, error));
    if (kept->reach.first > 1)
        TRY(add_range(&k, 1, kept->reach.first - 1, made, kept->below, error));
    clscan__document_sort(made);
    unite(made);

cleanup:
    return status;
}
