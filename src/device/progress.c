#include "device/progress.h"

#include "device/identity.h"
#include "device/words.h"

/* OpenCL promises no forward progress between work-groups and has no query for it, so only devices
 * with evidence are trusted: published progress tests, or a shipped library that depends on it. A
 * device without a row, and a row that says UNKNOWN, gets algorithms in which no work-group waits.
 * First matching row.
 *
 * Sources:
 *   OOPSLA'16  Sorensen et al., Portable inter-workgroup barrier synchronisation for GPUs
 *   OOPSLA'21  Sorensen et al., Specifying and testing GPU workgroup progress models
 *   SPAA'25    Smith, Levien, Owens, Decoupled Fallback ("FPG" in its table of devices) */
typedef struct progress_row {
    const char *device; /* pattern: see clscan__identity_matches() */
    clscan_progress progress;
    const char *reason;
} progress_row;

/* clang-format off */
static const progress_row rows[] = {
    /* OOPSLA'16: GTX 980, K5200; OOPSLA'21: 940M, RTX 4000, TX1, every weak test passes. */
    {"nvidia-gpu", CLSCAN_PROGRESS_OCCUPANCY,
        "NVIDIA GPUs pass published progress tests; CUB depends on it"},
    /* OOPSLA'16: R9, R7; SPAA'25: 7900 XT. Only names "gfx...": older chips were not tested. */
    {"amd-gfx*", CLSCAN_PROGRESS_OCCUPANCY,
        "AMD GCN, RDNA and CDNA pass published tests; rocPRIM depends on it"},
    /* OOPSLA'21 and SPAA'25: HD 620. */
    {"intel-hd-620", CLSCAN_PROGRESS_OCCUPANCY,
        "Intel HD 620 passes published progress tests"},
    /* oneDPL's single-pass scan is verified on these two and asks for this progress. */
    {"intel-xe-hpc", CLSCAN_PROGRESS_OCCUPANCY,
        "oneDPL ships a single-pass scan for this GPU"},
    {"intel-arc-b580", CLSCAN_PROGRESS_OCCUPANCY,
        "oneDPL ships a single-pass scan for this GPU"},
    {"intel-gpu", CLSCAN_PROGRESS_UNKNOWN,
        "no data on progress between work-groups of this Intel GPU"},
    /* Work-groups run to completion on threads of the operating system, in ascending chunks.
     * OOPSLA'21: all 483 tests on CPUs terminate, also with 100 times more groups than threads. */
    {"pocl-cpu", CLSCAN_PROGRESS_OCCUPANCY,
        "work-groups run to completion on threads of the operating system"},
    {"intel-cpu", CLSCAN_PROGRESS_OCCUPANCY,
        "work-groups run to completion on threads of the operating system"},
    /* Its KernelInvocation.cpp: a worker takes a work-group by index and runs it to completion. */
    {"oclgrind-*", CLSCAN_PROGRESS_OCCUPANCY,
        "the simulator runs work-groups to completion in ascending order"},
    /* OOPSLA'21 tested one Adreno, the 620, which passes. One model is not enough. */
    {"qualcomm-gpu", CLSCAN_PROGRESS_UNKNOWN,
        "only one Adreno GPU was ever tested"},
    /* OOPSLA'21: G77 fails 11 tests in more than half of the runs. SPAA'25: G78 has none. */
    {"arm-gpu", CLSCAN_PROGRESS_UNKNOWN,
        "Mali GPUs fail published progress tests"},
    /* OOPSLA'21: A12 fails 11 tests, 10 of them always. SPAA'25: M1, M3 have none. */
    {"apple-gpu", CLSCAN_PROGRESS_UNKNOWN,
        "Apple GPUs fail published progress tests"},
    {"mesa-*", CLSCAN_PROGRESS_UNKNOWN,
        "no data on progress between work-groups under Mesa"},
    {"*", CLSCAN_PROGRESS_UNKNOWN,
        "no data on progress between work-groups of this device"},
};
/* clang-format on */

void clscan__progress_decide(clscan_device_info *info)
{
    const progress_row *row = rows;
    while (!clscan__identity_matches(info, row->device))
        ++row; /* the last row matches */
    info->progress = row->progress;
    clscan__copy_text(info->progress_reason, sizeof info->progress_reason, row->reason);
}
