#include "device/quirks.h"

#include <stdio.h>
#include <string.h>

#include "device/identity.h"
#include "device/words.h"

enum {
    FORBIDS_MECHANISM = 1 << 0, /* no communication between work-groups */
    FORBIDS_PROGRESS = 1 << 1,  /* no waiting for another work-group */
    LIMITS_LOOPS = 1 << 2,      /* a work-item's loops have MAX_LOOP_TURNS turns in all */
    REFUSES_INT8 = 1 << 3,      /* no elements of 8 bits */
    REFUSES_ROWS = 1 << 4,      /* no body subgroup_rows */
};

/* LP_MAX_TGSI_LOOP_ITERATIONS of Mesa. */
#define MAX_LOOP_TURNS 65535u

typedef struct quirk_row {
    const char *device; /* pattern: see clscan__identity_matches() */
    const char
        *driver; /* pattern of the driver's version, where others are proven to be without the bug; "*" for all */
    const char *name;
    unsigned effect;
    const char *symptom;
    const char *drivers;   /* versions it was seen in */
    const char *reference; /* owner/repository#number or owner/repository:path */
} quirk_row;

/* Only bugs with an effect here; bugs that kernels avoid for every device are comments in cl/. All
 * rows that match apply. A row stays until its absence is proven, so `drivers` says what was seen,
 * not what is exempt; that is `driver`. */
/* clang-format off */
static const quirk_row rows[] = {
    {"apple-*", "*", "apple-opencl", FORBIDS_MECHANISM,
        "no fence between work-groups, kernels that never return", "OpenCL 1.2, all",
        "gpuweb/gpuweb#2297, hashcat/hashcat#3062"},
    /* Only boards with ASIC revision 0 and 1 hang, and only without s_sleep in the loop; OpenCL
     * does not tell the revision, and our loops do not sleep. */
    {"amd-gfx908", "*", "gfx908-polling", FORBIDS_PROGRESS,
        "polling without sleeping hangs early MI100 boards", "all",
        "ROCm/rocPRIM:rocprim/include/rocprim/device/detail/lookback_scan_state.hpp"},
    /* Seen with 32-bit atomics beside a value and with packed 64-bit words, never with one thread.
     * Mesa 25.0.7 did not show it. The reference is about rusticl's fences on another driver. */
    {"mesa-cpu", "*", "llvmpipe-visibility", FORBIDS_MECHANISM,
        "with two threads, work-groups read stale values", "Mesa 22.3", "diku-dk/futhark#734"},
    /* One number for all loops of a kernel together, nested or one after the other. A custom operator's loops count
     * too, and nobody can know them. */
    {"mesa-cpu", "*", "llvmpipe-loops", LIMITS_LOOPS,
        "after 65535 turns a work-item leaves its loops, without an error", "Mesa 22.3.6",
        "mesa/mesa:src/gallium/auxiliary/gallivm/lp_bld_limits.h"},
    /* Two bugs. A copy of a struct whose first member has 8 bits counts as one of that member alone, so changes of the
     * others before it are lost: of clscan_prefix, in all kernels. Its copies cannot be told from what the compiler
     * makes of them, so some variants are right by chance. And LLVM 15 dies of comparisons of signed ones. The first
     * stands in what all of Mesa's drivers share, but was only seen here. */
    {"mesa-cpu", "*", "llvmpipe-bytes", REFUSES_INT8,
        "structs that begin with a byte are copied in part; int8 crashes the compiler", "Mesa 22.3.6, 25.0.7",
        "mesa/mesa:src/compiler/nir/nir_deref.c"},
    /* It asks LLVM 18 to check its own work, and LLVM ends the process where that is not done at once. Seen with six
     * carries of this body, all that were tried, and with no other body. PoCL 3.1 compiles it. */
    {"pocl-cpu", "6.0*", "pocl-fixpoint", REFUSES_ROWS,
        "the compiler ends the process: Instruction Combining did not reach a fixpoint", "PoCL 6.0 with LLVM 18",
        "pocl/pocl#1608"},
};
/* clang-format on */

static void append_name(char *names, size_t names_bytes, const char *name)
{
    const size_t length = strlen(names);
    snprintf(names + length, names_bytes - length, "%s%s", length > 0 ? " " : "", name);
}

static void explain(char *reason, size_t reason_bytes, const quirk_row *row)
{
    snprintf(reason, reason_bytes, "%s (%s): %s; %s", row->name, row->drivers, row->symptom, row->reference);
}

void clscan__quirks_apply(clscan_device_info *info)
{
    info->quirks[0] = '\0';
    info->max_loop_turns = 0;
    info->int8_reason[0] = '\0';
    info->rows_reason[0] = '\0';
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        const quirk_row *row = &rows[i];
        if (!clscan__identity_matches(info, row->device) || !clscan__matches(row->driver, info->driver_version))
            continue;
        append_name(info->quirks, sizeof info->quirks, row->name);
        if (row->effect & LIMITS_LOOPS)
            info->max_loop_turns = MAX_LOOP_TURNS;
        if (row->effect & REFUSES_INT8)
            explain(info->int8_reason, sizeof info->int8_reason, row);
        if (row->effect & REFUSES_ROWS)
            explain(info->rows_reason, sizeof info->rows_reason, row);
        /* Where nothing is taken away, the reason that was already there says more. */
        if ((row->effect & FORBIDS_MECHANISM) && info->mechanism != CLSCAN_MECHANISM_NONE) {
            info->mechanism = CLSCAN_MECHANISM_NONE;
            explain(info->mechanism_reason, sizeof info->mechanism_reason, row);
        }
        if ((row->effect & FORBIDS_PROGRESS) && info->progress != CLSCAN_PROGRESS_UNKNOWN) {
            info->progress = CLSCAN_PROGRESS_UNKNOWN;
            explain(info->progress_reason, sizeof info->progress_reason, row);
        }
    }
}
