#include "device/switches.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/environment.h"
#include "base/log.h"

/* Without a known size nothing of sub-groups is compiled: shuffles pass through local memory, barriers are those of
 * work-groups. */
void clscan__switch_off_sub_groups(clscan_device_info *info, const char *by)
{
    info->no_sub_groups = 1;
    info->sub_group_size = 0;
    snprintf(info->sub_group_reason, sizeof info->sub_group_reason, "sub-group code is switched off by %s", by);
}

void clscan__switch_off_waiting(clscan_device_info *info, const char *by)
{
    info->progress = CLSCAN_PROGRESS_UNKNOWN;
    snprintf(info->progress_reason, sizeof info->progress_reason, "waiting is switched off by %s", by);
}

static bool is_off(const char *variable, atomic_flag *warned)
{
    const char *word = clscan__environment(variable);

    if (word == NULL || word[0] == '\0' || strcmp(word, "auto") == 0)
        return false;
    if (strcmp(word, "off") == 0)
        return true;
    clscan__log(atomic_flag_test_and_set(warned) ? CLSCAN_LOG_DEBUG : CLSCAN_LOG_WARNING,
                "%s is '%s', neither auto nor off; it is ignored", variable, word);
    return false;
}

void clscan__switches_apply(clscan_device_info *info)
{
    static atomic_flag warned_of_sub_groups = ATOMIC_FLAG_INIT, warned_of_waiting = ATOMIC_FLAG_INIT;

    if (is_off("CLSCAN_SUB_GROUPS", &warned_of_sub_groups))
        clscan__switch_off_sub_groups(info, "CLSCAN_SUB_GROUPS");
    if (is_off("CLSCAN_WAITING", &warned_of_waiting))
        clscan__switch_off_waiting(info, "CLSCAN_WAITING");
}
