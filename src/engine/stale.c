#include "engine/stale.h"

#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "device/raw.h"
#include "program/compose.h"

/* The device without the switches of its user and without what the plan's options put in their place. */
static bool describe_without_switches(const clscan_plan *plan, clscan_device_info *info)
{
    clscan__device_raw raw;

    if (clscan__device_query(plan->device, &raw, NULL) != CLSCAN_OK)
        return false;
    clscan__device_derive(&raw, info);
    return true;
}

/* Had the entry's kernels their old text, were nothing switched? */
static bool is_switched(const clscan_plan *plan, const clscan_choice *choice, const clscan_device_info *unswitched)
{
    char revision[CLSCAN_REVISION_BYTES];

    return clscan_variant_revision(&choice->variant, &plan->problem, unswitched, revision, NULL) == CLSCAN_OK &&
           strcmp(revision, choice->revision) == 0;
}

static void write_switch(const clscan_plan *plan, const clscan_device_info *unswitched, char text[256])
{
    if (plan->info.no_sub_groups)
        snprintf(text, 256, "%s", plan->info.sub_group_reason);
    else if (plan->info.mechanism != unswitched->mechanism)
        snprintf(text, 256, "the plan's options name mechanism %s", clscan_mechanism_name(plan->info.mechanism));
    else
        snprintf(text, 256, "CLSCAN_SUB_GROUPS names a size");
}

static void report(const clscan_plan *plan, const clscan__size_class *of_class)
{
    const clscan_choice *choice = &of_class->choice;
    const char *revision = plan->compiled[of_class->compiled].built.revision;
    clscan_device_info unswitched;
    char text[256];

    if (choice->revision[0] == '\0' || strcmp(choice->revision, revision) == 0)
        return;
    if (describe_without_switches(plan, &unswitched) && is_switched(plan, choice, &unswitched)) {
        write_switch(plan, &unswitched, text);
        clscan__log(CLSCAN_LOG_INFO, "%s%s was measured with other kernels: %s", choice->source, choice->entry, text);
        return;
    }
    clscan__log(CLSCAN_LOG_WARNING,
                "%s%s is stale: it was measured with revision %s of its kernels, which are now %s; tune again",
                choice->source, choice->entry, choice->revision, revision);
}

void clscan__plan_report_stale_entries(const clscan_plan *plan)
{
    for (int in_place = 0; in_place < 2; ++in_place)
        for (size_t i = 0; i < plan->size_classes[in_place].count; ++i)
            report(plan, &plan->size_classes[in_place].classes[i]);
}
