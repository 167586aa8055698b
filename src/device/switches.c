#include "device/switches.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/environment.h"
#include "base/log.h"
#include "device/shuffles.h"

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

/* A power of two from 4 to 64; 0 if the text is none. */
static uint32_t read_size(const char *text)
{
    char *end;
    const unsigned long size = strtoul(text, &end, 10);

    return *end == '\0' && size >= 4 && size <= 64 && (size & (size - 1)) == 0 ? (uint32_t)size : 0;
}

/* For tests. Elsewhere the size is the device's, or not known. */
static bool require_size(clscan_device_info *info, const char *text)
{
    const uint32_t size = read_size(text);

    if (size != 0 && clscan__sub_group_size_is_required(info))
        info->sub_group_size = size;
    return size != 0;
}

static void ignore(const char *variable, const char *word, const char *known, atomic_flag *warned)
{
    clscan__log(atomic_flag_test_and_set(warned) ? CLSCAN_LOG_DEBUG : CLSCAN_LOG_WARNING,
                "%s is '%s', which is not %s; it is ignored", variable, word, known);
}

/* The word of a variable that says something; else NULL. */
static const char *read_word(const char *variable)
{
    const char *word = clscan__environment(variable);

    return word == NULL || word[0] == '\0' || strcmp(word, "auto") == 0 ? NULL : word;
}

void clscan__switches_apply(clscan_device_info *info)
{
    static atomic_flag warned_of_sub_groups = ATOMIC_FLAG_INIT, warned_of_waiting = ATOMIC_FLAG_INIT;
    const char *sub_groups = read_word("CLSCAN_SUB_GROUPS"), *waiting = read_word("CLSCAN_WAITING");

    if (sub_groups != NULL && strcmp(sub_groups, "off") == 0)
        clscan__switch_off_sub_groups(info, "CLSCAN_SUB_GROUPS");
    else if (sub_groups != NULL && !require_size(info, sub_groups))
        ignore("CLSCAN_SUB_GROUPS", sub_groups, "auto, off, 4, 8, 16, 32 or 64", &warned_of_sub_groups);
    if (waiting != NULL && strcmp(waiting, "off") == 0)
        clscan__switch_off_waiting(info, "CLSCAN_WAITING");
    else if (waiting != NULL)
        ignore("CLSCAN_WAITING", waiting, "auto or off", &warned_of_waiting);
}
