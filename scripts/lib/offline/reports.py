"""What offline compilers say about the kernels that they compiled. Each function returns a list of Kernel, and raises
ReportError where something is missing: silence must not pass for 'no spills'."""
import re
import struct

from .targets import Kernel

AMD_LINE = re.compile(r"remark:\s+(Function Name|(?:Total)?SGPRs|VGPRs|AGPRs|ScratchSize \[bytes/lane\]|"
                      r"Occupancy \[waves/SIMD\]|SGPRs Spill|VGPRs Spill|LDS Size \[bytes/block\]): (\S+)")
NVIDIA_FRAME = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
INTEL_SPILL = re.compile(r"kernel (\S+)\s+compiled SIMD\d+ allocated \d+ regs and spilled around (\d+)")


class ReportError(Exception):
    """A compiler's output is not what it used to be."""


def checked(kernels):
    if not kernels:
        raise ReportError("the compiler names no kernel")
    return kernels


def amd(text):
    """clang's remarks of -Rpass-analysis=kernel-resource-usage. Scalars that do not fit wait in lanes of a vector
    register: that costs no memory, so they are no spills; where it does, it is private memory."""
    found = []
    for name, value in AMD_LINE.findall(text):
        if name == "Function Name":
            found.append({"name": value})
        elif found:
            found[-1][name.replace("Total", "")] = int(value)
    try:
        return checked([Kernel(name=k["name"], registers=k["VGPRs"] + k.get("AGPRs", 0), scalars=k["SGPRs"], simd=None,
                               spills=k["VGPRs Spill"], scratch_bytes=k["ScratchSize [bytes/lane]"],
                               local_bytes=k["LDS Size [bytes/block]"], waves=k["Occupancy [waves/SIMD]"])
                        for k in found])
    except KeyError as missing:
        raise ReportError("clang does not say %s of a kernel" % missing) from None


def nvidia(text):
    """ptxas -v."""
    kernels = []
    for part in text.split("Compiling entry function ")[1:]:
        frame = NVIDIA_FRAME.search(part)
        registers = re.search(r"Used (\d+) registers", part)
        local = re.search(r"(\d+) bytes smem", part)
        if frame is None or registers is None:
            raise ReportError("ptxas does not say what a kernel takes")
        stack, stores, loads = map(int, frame.groups())
        kernels.append(Kernel(name=part.split("'")[1], registers=int(registers.group(1)), scalars=None, simd=32,
                              spills=stores + loads, scratch_bytes=stack,
                              local_bytes=int(local.group(1)) if local else 0, waves=None))
    return checked(kernels)


def intel(ze_info, log):
    """The section .ze_info of a zebin (YAML, of which this reads the lines that it needs), and what ocloc wrote."""
    spills = {name: int(count) for name, count in INTEL_SPILL.findall(log)}
    kernels = []
    for part in re.split(r"^  - name: ", ze_info.split("kernels_misc_info:")[0], flags=re.MULTILINE)[1:]:
        name = part.split()[0]
        value = {key: int(number) for key, number in
                 re.findall(r"^ +(grf_count|simd_size|slm_size): +(\d+)$", part, re.MULTILINE)}
        buffers = re.search(r"^    per_thread_memory_buffers: *\n((?:      .*\n?)*)", part, re.MULTILINE)
        sizes = re.findall(r"^ +size: +(\d+)$", buffers.group(1), re.MULTILINE) if buffers else []
        if "grf_count" not in value or "simd_size" not in value or (buffers and not sizes):
            raise ReportError("the zebin does not say what kernel %s takes" % name)
        kernels.append(Kernel(name=name, registers=value["grf_count"], scalars=None, simd=value["simd_size"],
                              spills=spills.get(name, 0), scratch_bytes=sum(map(int, sizes)),
                              local_bytes=value.get("slm_size", 0), waves=None))
    return checked(kernels)


def elf_section(data, wanted):
    """The contents of a section of a little-endian ELF64 file, as text."""
    if data[:6] != b"\x7fELF\x02\x01":
        raise ReportError("the binary is no ELF64 file")
    table, = struct.unpack_from("<Q", data, 0x28)
    entry_bytes, count, names_index = struct.unpack_from("<HHH", data, 0x3a)
    headers = [struct.unpack_from("<IIQQQQ", data, table + i * entry_bytes) for i in range(count)]
    for name, _, _, _, offset, size in headers:
        at = headers[names_index][4] + name
        if data[at:data.index(b"\0", at)].decode() == wanted:
            return data[offset:offset + size].decode()
    raise ReportError("the binary has no section " + wanted)
