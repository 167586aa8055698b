#include "probe/probe.h"

#include <pthread.h>
#include <stdio.h>
#include <time.h>

#include "base/log.h"
#include "common/clock.h"
#include "device/words.h"
#include "probe/judge.h"
#include "probe/kept.h"
#include "probe/rig.h"

/* Guards what is kept, and keeps probes from disturbing each other. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static clscan__program_spec spec_for(const clscan_device_info *info, clscan_probe_mode mode)
{
    return clscan__probe_spec(info, mode == CLSCAN_PROBE_WITHHOLD ? 3 : 0);
}

static clscan_status run(cl_context context, cl_device_id device, const clscan__program_spec *spec,
                         clscan_probe_finding *finding, clscan_error *error)
{
    clscan_status status;
    const uint64_t begin_ns = clscan__now_ns();
    clscan__probe_rig rig;

    *finding = (clscan_probe_finding){.time_s = (int64_t)time(NULL)};
    CLSCAN__TRY(clscan__probe_rig_open(&rig, context, device, spec, finding, error));
    CLSCAN__TRY(clscan__probe_messages(&rig, finding, error));
    clscan__probe_judge(finding);
    /* Without messages the scans would only show the same once more, slowly. */
    if (finding->result != CLSCAN_PROBE_RESULT_FORBIDS)
        CLSCAN__TRY(clscan__probe_scans(&rig, finding, error));

cleanup:
    clscan__probe_rig_close(&rig);
    finding->duration_ns = clscan__now_ns() - begin_ns;
    finding->setup_ns = finding->duration_ns - finding->compile_ns - finding->messages_ns - finding->scans_ns;
    return status;
}

static void report(const clscan_device_info *info, const clscan_probe_finding *finding)
{
    const bool forbids = finding->result == CLSCAN_PROBE_RESULT_FORBIDS;
    char times[160] = "";
    size_t length = 0;

#define X(name, meaning)                                                                                          \
    length += (size_t)snprintf(times + length, sizeof times - length, "%s" #name " %.1f", length > 0 ? ", " : "", \
                               (double)finding->name##_ns / 1e6);
    CLSCAN_PROBE_TIME_LIST(X)
#undef X
    clscan__log(forbids ? CLSCAN_LOG_WARNING : CLSCAN_LOG_INFO, "%s, mechanism %s, probed in %.1f ms (%s): %s%s",
                info->name, clscan_mechanism_name(info->mechanism), (double)finding->duration_ns / 1e6, times,
                finding->reason, forbids ? "; carries that do not wait are used" : "");
}

clscan_status clscan__probe_get(cl_context context, cl_device_id device, const clscan_device_info *info,
                                clscan_probe_mode mode, clscan_probe_finding *finding, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan__program_spec spec = spec_for(info, mode);

    pthread_mutex_lock(&lock);
    if (mode == CLSCAN_PROBE_ALWAYS || !clscan__probe_recall(device, &spec, finding)) {
        CLSCAN__TRY(run(context, device, &spec, finding, error));
        clscan__probe_judge(finding);
        clscan__probe_keep(device, &spec, finding);
        report(info, finding);
    }

cleanup:
    pthread_mutex_unlock(&lock);
    return status;
}

void clscan__probe_known(cl_device_id device, const clscan_device_info *info, clscan_probe_mode mode,
                         clscan_probe_finding *finding)
{
    const clscan__program_spec spec = spec_for(info, mode);
    const char *why = "this device and driver were not probed yet";

    *finding = (clscan_probe_finding){.result = CLSCAN_PROBE_RESULT_NONE};
    if (info->mechanism == CLSCAN_MECHANISM_NONE || info->progress == CLSCAN_PROGRESS_UNKNOWN) {
        why = "not needed: no work-group waits for another on this device";
    } else if (mode == CLSCAN_PROBE_OFF) {
        why = "switched off";
    } else {
        pthread_mutex_lock(&lock);
        if (clscan__probe_recall(device, &spec, finding))
            why = NULL;
        pthread_mutex_unlock(&lock);
    }
    if (why != NULL)
        clscan__copy_text(finding->reason, sizeof finding->reason, why);
}
