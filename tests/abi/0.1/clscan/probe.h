/** \file probe.h
 * The start-up probe: whether work-groups of a device really can wait for each other.
 *
 * OpenCL promises neither that they can talk to each other nor that a work-group which is waited for goes on. Tables in
 * the library say for which devices there is evidence (clscan_device_info), and only there a carry that waits is
 * chosen. The probe looks at the device itself, and can only forbid: the first plan that would use that carry lets
 * work-groups pass messages, and makes many small scans of more work-groups than can run at once. Where a message or a
 * result is wrong, or a wait was not answered in more than half of the launches, this plan and all later ones use
 * carries that do not wait.
 *
 * What was found is kept for the process, and in the folder of the program cache (cache.h, if it is used) for later
 * ones, by device, driver, mechanism, version of clscan and text of the kernels. A probe takes 0.1 s or less on most
 * devices, besides compiling its program. Where it cannot run, for lack of memory for example, the plan does without
 * waiting and the next plan tries again.
 *
 * The environment variable CLSCAN_PROBE is one of #CLSCAN_PROBE_MODE_LIST, in the small letters of the list.
 */
#ifndef CLSCAN_PROBE_H
#define CLSCAN_PROBE_H

#include <stddef.h>
#include <stdint.h>

#include <clscan/device.h>
#include <clscan/export.h>
#include <clscan/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* clang-format off */
#define CLSCAN_PROBE_MODE_LIST(X)                                                         \
    X(AUTO,     auto,     "once for a device and driver, before a waiting carry is used") \
    X(OFF,      off,      "never: the library's tables decide alone")                     \
    X(ALWAYS,   always,   "for every plan that would wait, whatever was found before")    \
    X(WITHHOLD, withhold, "for tests: as auto, but work-groups withhold messages, so the probe forbids")

#define CLSCAN_PROBE_RESULT_LIST(X)                               \
    X(NONE,    none,    "nothing was found yet, or nobody asks")  \
    X(PASSED,  passed,  "work-groups may wait for each other")    \
    X(FORBIDS, forbids, "no carry that waits is used")

/* What the probe counted. */
#define CLSCAN_PROBE_COUNT_LIST(X)                                                \
    X(launches,        "launches in which work-groups passed messages")           \
    X(missed_launches, "those of them in which a message was not seen")           \
    X(wrong_messages,  "messages that were not what was sent, or got lost")       \
    X(scans,           "scans")                                                   \
    X(spent_scans,     "those of them in which too many waits were not answered") \
    X(wrong_scans,     "those of them whose result was wrong")

/* What the probe spent its time on; together its duration. */
#define CLSCAN_PROBE_TIME_LIST(X)                                                                               \
    X(compile,  "compiling its program")                                                                        \
    X(setup,    "queue, buffers, and the first launch of each kernel, at which drivers finish what they began") \
    X(messages, "all other launches in which work-groups passed messages")                                      \
    X(scans,    "all other scans, with checking them")
/* clang-format on */

/** When the probe runs. */
typedef enum clscan_probe_mode {
#define X(name, text, meaning) CLSCAN_PROBE_##name,
    CLSCAN_PROBE_MODE_LIST(X)
#undef X
        CLSCAN_PROBE_MODE_COUNT
} clscan_probe_mode;

/** What the probe found. */
typedef enum clscan_probe_result {
#define X(name, text, meaning) CLSCAN_PROBE_RESULT_##name,
    CLSCAN_PROBE_RESULT_LIST(X)
#undef X
        CLSCAN_PROBE_RESULT_COUNT
} clscan_probe_result;

/** What a probe found. */
typedef struct clscan_probe_finding {
    size_t struct_size;         /**< sizeof(clscan_probe_finding) */
    clscan_probe_result result; /**< NONE: the other numbers are 0 */
    char reason[100];           /**< of the result, one clause */
    int64_t time_s;             /**< when, in seconds since 1970 */
    uint64_t duration_ns;       /**< how long it took, with compiling */
#define X(name, meaning) uint64_t name##_ns;
    CLSCAN_PROBE_TIME_LIST(X)
#undef X
#define X(name, meaning) uint32_t name;
    CLSCAN_PROBE_COUNT_LIST(X)
#undef X
} clscan_probe_finding;

/** What is known from earlier probes, of this process and of those that kept what they found on disk. Runs nothing.
 *
 * \param device   Any device.
 * \param info     As clscan_device_describe() filled it for \p device.
 * \param finding  Receives the last finding, by which plans go as CLSCAN_PROBE is set; its struct_size is set. Result
 *                 NONE, with the reason, if there is none yet, the probe is off, or the tables allow no waiting anyway.
 * \return CLSCAN_OK; CLSCAN_ERROR_NULL_ARGUMENT; CLSCAN_ERROR_STRUCT_SIZE. A kept finding that cannot be read counts
 *         as none.
 *
 * Thread-safe; waits for a probe that another thread runs. */
CLSCAN_API clscan_status clscan_probe_look(cl_device_id device, const clscan_device_info *info,
                                           clscan_probe_finding *finding, clscan_error *error);

/** Take away what a finding forbids: then \p info has no progress, and the reason why. So clscan_config_explain()
 * and clscan_variant_check() answer as a plan would. Does nothing if one is NULL or has no struct_size, or the result
 * is not FORBIDS. */
CLSCAN_API void clscan_probe_apply(const clscan_probe_finding *finding, clscan_device_info *info);

/** Name of a \p mode, "auto"; "invalid" for other numbers. Static, never NULL. */
CLSCAN_API const char *clscan_probe_mode_name(clscan_probe_mode mode);
/** Name of a \p result, "passed"; "invalid" for other numbers. Static, never NULL. */
CLSCAN_API const char *clscan_probe_result_name(clscan_probe_result result);

#ifdef __cplusplus
}
#endif
#endif
