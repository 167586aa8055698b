#include "device/hardware.h"

#include "device/identity.h"

/* Of each fact the first row that matches the device and has it. A fact without a source is left out: it is then
 * unknown, never guessed.
 *
 * Per compute unit as the driver counts them: an SM of NVIDIA's, a CU of AMD's GCN and CDNA, a pair of CUs (WGP) of
 * AMD's RDNA, a vector engine (EU, XVE) of Intel's, whose local memory belongs to a group of them.
 *
 * Sources:
 *   NVIDIA  CUDA C++ Programming Guide, "Technical Specifications per Compute Capability" (registers of 4 bytes,
 *           banks) and "Throughput of Native Arithmetic Instructions" (32-bit floating-point additions), in the
 *           editions that list the compute capability
 *   AMD     ROCm documentation, "GPU hardware specifications" (VGPR file per CU); instruction set references of
 *           Vega, MI200 and MI300, "Local Data Share" (banks). Where the driver has a query for banks, it counts.
 *   Intel   oneAPI GPU Optimization Guide, "Intel Xe GPU Architecture" (threads of 128 registers; width of the ALU)
 *   Bandwidths: the data sheet of the model. */
typedef struct hardware_row {
    const char *device; /* pattern: see clscan__identity_matches() */
    uint32_t lanes_per_unit;
    uint32_t local_memory_banks;
    uint32_t register_file_kib;
    uint32_t bandwidth_gb_per_s;
} hardware_row;

/* clang-format off */
static const hardware_row rows[] = {
    {"nvidia-sm-20",           32, 32, 128, 0},
    {"nvidia-sm-21",           48, 32, 128, 0},
    {"nvidia-sm-37",          192, 32, 512, 0},
    {"nvidia-sm-3*",          192, 32, 256, 0},
    {"nvidia-sm-5*",          128, 32, 256, 0},
    {"nvidia-sm-60",           64, 32, 256, 0},
    {"nvidia-sm-6*",          128, 32, 256, 0},
    {"nvidia-sm-7*",           64, 32, 256, 0},
    {"nvidia-sm-80",           64, 32, 256, 0},
    {"nvidia-sm-8*",          128, 32, 256, 0},
    {"nvidia-sm-90",          128, 32, 256, 0},
    {"nvidia-sm-100",         128, 32, 256, 0},
    {"nvidia-sm-120",         128, 32, 256, 0},
    {"nvidia-a100-sxm4-40gb",   0,  0,   0, 1555},
    {"nvidia-a100-sxm4-80gb",   0,  0,   0, 2039},
    {"nvidia-h100-80gb-hbm3",   0,  0,   0, 3350},
    {"nvidia-h200",             0,  0,   0, 4800},
    {"amd-gfx900",             64, 32, 256, 0},
    {"amd-gfx906",             64, 32, 256, 0},
    {"amd-gfx90a",             64, 32, 512, 0},
    {"amd-gfx942",             64, 32, 512, 0},
    {"amd-gfx103*",           128,  0, 512, 0},
    {"amd-gfx1100",           128,  0, 768, 0},
    {"amd-gfx1101",           128,  0, 768, 0},
    {"intel-xe-lp",             8,  0,  28, 0},
    {"intel-xe-hpg",            8,  0,  32, 0},
    {"intel-xe-hpc",           16,  0,  64, 0},
};
/* clang-format on */

static void take_if_new(uint32_t *known, uint32_t fact)
{
    if (*known == 0)
        *known = fact;
}

void clscan__hardware_fill(const clscan__device_raw *raw, clscan_device_info *info)
{
    uint32_t register_file_kib = 0;

    info->local_memory_banks = raw->local_memory_banks;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        if (!clscan__identity_matches(info, rows[i].device))
            continue;
        take_if_new(&info->lanes_per_unit, rows[i].lanes_per_unit);
        take_if_new(&info->local_memory_banks, rows[i].local_memory_banks);
        take_if_new(&register_file_kib, rows[i].register_file_kib);
        take_if_new(&info->bandwidth_gb_per_s, rows[i].bandwidth_gb_per_s);
    }
    info->register_file_bytes = UINT64_C(1024) * register_file_kib;
}
