#include "output/classes.h"

#include <math.h>
#include <string.h>

#include "command_line/failure.h"
#include "config_file/axes.h"
#include "space/rows.h"

bool tune_entry_is_kept(const clscan__config_entry *entry)
{
    return entry->variant.work_group_size == 0;
}

static bool has_choice(const tune_decision *decision)
{
    for (size_t at = 0; at < decision->count; ++at)
        if (decision->picks[at].chosen != NULL)
            return true;
    return false;
}

static bool same_class(const tune_pick *a, const tune_pick *b)
{
    if (a->reason == TUNE_REASON_KEPT || b->reason == TUNE_REASON_KEPT)
        return a->reason == b->reason;
    return clscan__variant_equal(&a->chosen->variant, &b->chosen->variant);
}

/* The count that the pick is for; something was measured there, or tried. */
static double count_of(const tune_pick *pick)
{
    return (double)(pick->chosen != NULL ? pick->chosen : pick->standard)->count;
}

static uint64_t end_of(const tune_target *target, const clscan_device_info *device, const tune_pick *last,
                       const tune_pick *next)
{
    const uint64_t middle = (uint64_t)sqrt(count_of(last) * count_of(next));
    uint64_t shared;

    if (!clscan__config_operation_has_rows(target->operation) || last->chosen == NULL)
        return middle;
    shared = tune_rows_shared(target, device, &last->chosen->variant);
    return shared < middle && last->chosen->count <= shared ? shared : middle;
}

/* The class that ends with `last`, before `next`; NULL: there is no other. */
static clscan__config_entry entry_of(const tune_decision *decision, const clscan_device_info *device,
                                     const tune_pick *last, const tune_pick *next)
{
    clscan__config_entry entry = {.key = tune_target_key(&decision->target), .largest_count = UINT64_MAX};

    if (next != NULL)
        entry.largest_count = end_of(&decision->target, device, last, next);
    if (last->reason != TUNE_REASON_KEPT) {
        entry.variant = last->chosen->variant;
        /* The text of other kernels is not the same for all types that the entry serves. */
        if (!tune_target_converts(&decision->target) && (decision->target.operation <= CLSCAN__CONFIG_REDUCE ||
                                                         clscan__config_operation_has_rows(decision->target.operation)))
            memcpy(entry.revision, last->chosen->revision, sizeof entry.revision);
    }
    return entry;
}

clscan_status tune_decision_entries(const tune_decision *decision, const clscan_device_info *device,
                                    clscan__document *entries, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const tune_pick *last = NULL;

    for (size_t at = 0; has_choice(decision) && at <= decision->count; ++at) {
        const tune_pick *pick = at < decision->count ? &decision->picks[at] : NULL;

        if (pick != NULL && pick->chosen == NULL && pick->reason != TUNE_REASON_KEPT)
            continue;
        if (last != NULL && (pick == NULL || !same_class(last, pick))) {
            const clscan__config_entry entry = entry_of(decision, device, last, pick);

            TRY(clscan__document_add(entries, &entry, error));
        }
        last = pick;
    }

cleanup:
    return status;
}
