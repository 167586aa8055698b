#include "output/kept.h"

#include <stdio.h>
#include <string.h>

#include "command_line/failure.h"
#include "config_file/axes.h"
#include "space/ladder.h"

/* The part of the largest count of a run without --sizes from which on a count speaks for larger ones. */
#define LARGE_PART 16

tune_reach tune_reach_of(const clscan_device_info *device, const tune_header_target *target)
{
    const uint64_t least = target->counts[0], most = target->counts[target->count_count - 1];
    tune_reach reach = {1, UINT64_MAX};
    uint64_t first, last;

    /* The geometric middle between counts that are a factor of 4 apart is a factor of 2 away. */
    if (!tune_ladder_ends(device, target->target.element_size_bytes, &first, &last))
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
    clscan_problem problem;
    tune_entry like; /* the key of the target */
} keeper;

/* Add what serves counts from `first` to `last` now. */
static clscan_status add_range(const keeper *k, uint64_t first, uint64_t last, tune_entries *to, char source[256],
                               clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (uint64_t count = first;;) {
        tune_entry entry = k->like;
        clscan_choice choice = {.struct_size = sizeof choice};

        TRY(clscan_config_explain_problem(k->old, k->device, &k->problem, count, 0, &choice, error));
        if (count == first)
            snprintf(source, 256, "%s", choice.source);
        entry.variant = choice.variant;
        entry.largest_count = choice.largest_count < last ? choice.largest_count : last;
        memcpy(entry.revision, choice.revision, sizeof entry.revision);
        snprintf(entry.note, sizeof entry.note, "Kept, not measured by this run; from %.110s", choice.source);
        TRY(tune_entries_add(to, &entry, error));
        if (entry.largest_count == last)
            break;
        count = entry.largest_count + 1;
    }

cleanup:
    return status;
}

/* One entry instead of neighbours with the same variant; the note of the measured one stays. */
static void unite(tune_entries *entries)
{
    size_t kept = 0;

    for (size_t i = 0; i < entries->count; ++i) {
        tune_entry *last = kept > 0 ? &entries->items[kept - 1] : NULL;

        if (last == NULL || !clscan__variant_equal(&last->variant, &entries->items[i].variant)) {
            entries->items[kept++] = entries->items[i];
            continue;
        }
        last->largest_count = entries->items[i].largest_count;
        if (last->note[0] != '\0' && entries->items[i].note[0] == '\0') {
            last->note[0] = '\0';
            memcpy(last->revision, entries->items[i].revision, sizeof last->revision);
        }
    }
    entries->count = kept;
}

/* Put what serves now into the entries that are to keep it. Where they are in the ladder, one source is much like the
 * other, so nobody is told. */
static clscan_status fill_in(const keeper *k, uint64_t first, tune_entries *made, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    tune_entries whole = {.count = 0};
    char source[256];

    for (size_t i = 0; i < made->count; ++i) {
        const tune_entry *entry = &made->items[i];

        if (entry->kept)
            TRY(add_range(k, first, entry->largest_count, &whole, source, error));
        else
            TRY(tune_entries_add(&whole, entry, error));
        first = entry->largest_count + 1;
    }
    tune_entries_free(made);
    *made = whole;
    whole = (tune_entries){.count = 0};

cleanup:
    tune_entries_free(&whole);
    return status;
}

/* Above such a count all that matters is how fast memory is read and written. */
static bool is_large(const clscan_device_info *device, const tune_header_target *target)
{
    const uint64_t most = target->counts[target->count_count - 1];
    uint64_t first, last;

    return tune_ladder_ends(device, target->target.element_size_bytes, &first, &last) && most >= last / LARGE_PART;
}

/* Reach as far as the variant that was beaten serves. */
static clscan_status extend(const keeper *k, const clscan_variant *beaten, tune_reach *reach, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    while (reach->last < UINT64_MAX) {
        clscan_choice choice = {.struct_size = sizeof choice};

        TRY(clscan_config_explain_problem(k->old, k->device, &k->problem, reach->last + 1, 0, &choice, error));
        if (!clscan__variant_equal(&choice.variant, beaten))
            break;
        reach->last = choice.largest_count;
    }

cleanup:
    return status;
}

clscan_status tune_keep(tune_entries *made, const clscan_config *old, const clscan_device_info *device,
                        const tune_header_target *target, const clscan_variant *beaten, tune_kept *kept,
                        clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const keeper k = {.old = old,
                      .device = device,
                      .problem = tune_target_problem(&target->target),
                      .like = {.operator_class = target->target.operator_class,
                               .element_size_bytes = target->target.element_size_bytes,
                               .reproducible = target->target.reproducible}};

    *kept = (tune_kept){.reach = tune_reach_of(device, target)};
    if (beaten != NULL && is_large(device, target))
        TRY(extend(&k, beaten, &kept->reach, error));
    if (kept->reach.last < UINT64_MAX)
        made->items[made->count - 1].largest_count = kept->reach.last;
    TRY(fill_in(&k, kept->reach.first, made, error));
    if (kept->reach.last < UINT64_MAX)
        TRY(add_range(&k, kept->reach.last + 1, UINT64_MAX, made, kept->above, error));
    if (kept->reach.first > 1)
        TRY(add_range(&k, 1, kept->reach.first - 1, made, kept->below, error));
    tune_entries_sort(made);
    unite(made);

cleanup:
    return status;
}
