#include "probe/judge.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "device/words.h"

/* One wrong value is enough: nothing but a broken mechanism makes it. An unanswered wait is not: a busy machine may
 * take a work-group's processor away for longer than any bound; but then it does so now and then, and where started
 * work-groups do not go on it happens again and again. So a scan may have one such wait for each compute unit
 * (probe/scans.c). */
static bool is_most(uint32_t part, uint32_t all)
{
    return 2 * (uint64_t)part > all;
}

static void forbid(clscan_probe_finding *finding, uint32_t part, uint32_t all, const char *what)
{
    finding->result = CLSCAN_PROBE_RESULT_FORBIDS;
    snprintf(finding->reason, sizeof finding->reason, "start-up probe: in %" PRIu32 " of %" PRIu32 " %s", part, all,
             what);
}

void clscan__probe_judge(clscan_probe_finding *finding)
{
    finding->result = CLSCAN_PROBE_RESULT_NONE;
    finding->reason[0] = '\0';
    if (finding->wrong_messages > 0)
        forbid(finding, 1, finding->launches, "launches messages were wrong");
    else if (is_most(finding->missed_launches, finding->launches))
        forbid(finding, finding->missed_launches, finding->launches, "launches a message was not seen");
    else if (finding->wrong_scans > 0)
        forbid(finding, finding->wrong_scans, finding->scans, "scans the result was wrong");
    else if (is_most(finding->spent_scans, finding->scans))
        forbid(finding, finding->spent_scans, finding->scans, "scans a wait was not answered");
    if (finding->result != CLSCAN_PROBE_RESULT_NONE || finding->launches == 0 || finding->scans == 0)
        return;
    finding->result = CLSCAN_PROBE_RESULT_PASSED;
    snprintf(finding->reason, sizeof finding->reason,
             "start-up probe: %" PRIu32 " launches with messages and %" PRIu32 " scans were right", finding->launches,
             finding->scans);
}

void clscan__probe_apply(const clscan_probe_finding *finding, clscan_device_info *info)
{
    if (finding->result != CLSCAN_PROBE_RESULT_FORBIDS)
        return;
    info->progress = CLSCAN_PROGRESS_UNKNOWN;
    clscan__copy_text(info->progress_reason, sizeof info->progress_reason, finding->reason);
}
