"""GPUs that kernels are compiled for, and how much of their work is resident at once."""
import collections

# `chip` is the compiler's name of the GPU, `device` its description in tests/fixtures/devices/, `limits` what
# occupancy() needs.
Target = collections.namedtuple("Target", "vendor chip device title limits")
# Of one AMD SIMD: waves. The compiler computes with the rest itself.
AmdLimits = collections.namedtuple("AmdLimits", "most")
# Of one NVIDIA SM: warps, work-groups, registers, bytes of shared memory for all work-groups, and how many of these the
# driver takes for itself in each work-group.
NvidiaLimits = collections.namedtuple("NvidiaLimits", "most groups registers local_bytes reserved_bytes")
# Of one Intel Xe core (dual subslice): hardware threads of 128 registers, bytes of local memory.
IntelLimits = collections.namedtuple("IntelLimits", "most local_bytes")

TARGETS = [
    Target("amd", "gfx90a", "amd-gfx90a", "Instinct MI200", AmdLimits(8)),
    Target("amd", "gfx942", "amd-gfx942", "Instinct MI300", AmdLimits(8)),
    Target("amd", "gfx1030", "amd-gfx1030", "Radeon RX 6800, 6900", AmdLimits(16)),
    Target("amd", "gfx1100", "amd-gfx1100", "Radeon RX 7900", AmdLimits(16)),
    Target("intel", "tgllp", "intel-iris-xe", "Iris Xe of Tiger Lake", IntelLimits(112, 128 << 10)),
    Target("intel", "dg2", "intel-arc-a770", "Arc A", IntelLimits(128, 128 << 10)),
    Target("intel", "pvc", "intel-max-1550", "Data Center GPU Max", IntelLimits(64, 128 << 10)),
    Target("nvidia", "sm_70", "nvidia-v100", "V100", NvidiaLimits(64, 32, 65536, 96 << 10, 0)),
    Target("nvidia", "sm_75", "nvidia-t4", "T4, GeForce RTX 20", NvidiaLimits(32, 16, 65536, 64 << 10, 0)),
    Target("nvidia", "sm_80", "nvidia-a100", "A100", NvidiaLimits(64, 32, 65536, 164 << 10, 1 << 10)),
    Target("nvidia", "sm_86", "nvidia-rtx-3090", "GeForce RTX 30", NvidiaLimits(48, 16, 65536, 100 << 10, 1 << 10)),
    Target("nvidia", "sm_89", "nvidia-rtx-4090", "GeForce RTX 40", NvidiaLimits(48, 24, 65536, 100 << 10, 1 << 10)),
    Target("nvidia", "sm_90", "nvidia-h200", "H100, H200", NvidiaLimits(64, 32, 65536, 228 << 10, 1 << 10)),
    Target("nvidia", "sm_100", "nvidia-b200", "B200", NvidiaLimits(64, 32, 65536, 228 << 10, 1 << 10)),
    Target("nvidia", "sm_120", "nvidia-rtx-5090", "GeForce RTX 50", NvidiaLimits(48, 24, 65536, 100 << 10, 1 << 10)),
]

# One of each vendor; of NVIDIA's both ends of the family that shares its entries. What differs between the other GPUs
# of a vendor is seldom what breaks.
QUICK = ("gfx90a", "dg2", "sm_70", "sm_120")

# What one kernel takes. Registers are counted as the vendor counts them: per work-item, but on Intel per hardware
# thread of `simd` work-items. `waves` are waves per SIMD, as AMD's compiler says; None elsewhere.
Kernel = collections.namedtuple("Kernel", "name registers scalars simd spills scratch_bytes local_bytes waves")


def up(value, step):
    """`value` rounded up to a multiple of `step`."""
    return -(-value // step) * step


def nvidia_registers(limits, work_group_size):
    """How many registers a work-item may have, so that one work-group finds room. Each quarter of an SM gives whole
    warps their registers, 256 at a time."""
    warps_of_quarter = up(work_group_size, 128) // 128
    return min(255, limits.registers // 4 // warps_of_quarter // 256 * 8)


def nvidia_occupancy(limits, kernel, work_group_size):
    warps = up(work_group_size, 32) // 32
    by_registers = limits.registers // 4 // up(32 * kernel.registers, 256) * 4
    groups = min(limits.groups, limits.most // warps, by_registers // warps,
                 limits.local_bytes // up(max(1, kernel.local_bytes + limits.reserved_bytes), 128))
    return groups * warps


def intel_occupancy(limits, kernel, work_group_size):
    threads = up(work_group_size, kernel.simd) // kernel.simd
    groups = limits.most * 128 // kernel.registers // threads
    if kernel.local_bytes > 0:
        # Local memory is given in powers of two.
        groups = min(groups, limits.local_bytes // max(1024, 1 << (kernel.local_bytes - 1).bit_length()))
    return groups * threads


def occupancy(target, kernel, work_group_size):
    """Waves, threads or warps that are resident at once, of target.limits.most."""
    if target.vendor == "amd":
        return kernel.waves
    if target.vendor == "intel":
        return intel_occupancy(target.limits, kernel, work_group_size)
    return nvidia_occupancy(target.limits, kernel, work_group_size)
