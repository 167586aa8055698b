"""Offline compilers: where they are, and how a program becomes a list of kernels with what they take."""
import glob
import os
import pathlib
import re
import shutil
import subprocess

from . import reports
from .targets import nvidia_registers, occupancy

TIMEOUT_SECONDS = 300
# What is unused in one composition serves another one; so does the test for a NaN, which integers are not.
WARNINGS = ["-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-Wno-unused-parameter", "-Wno-tautological-compare"]
CLC_LIBRARY = "/usr/lib/clc/nvptx64--nvidiacl.bc"
ROCM_LIBRARIES = "/usr/lib/*/amdgcn/bitcode"
# Debian's device libraries are older than some GPUs. Their files about one GPU hold its number and no code that these
# kernels use, so that of a relative serves.
ROCM_RELATIVES = {"942": "940", "1100": "1036"}


class CompileError(Exception):
    """A program does not compile; the text is what the compiler says."""


def run(command, folder):
    """Run a compiler in `folder`; return what it says on both streams."""
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, encoding="utf-8", errors="replace", timeout=TIMEOUT_SECONDS)
    if done.returncode != 0:
        raise CompileError("%s ended with %d:\n%s" % (command[0], done.returncode, done.stdout))
    return done.stdout


def version(command, pattern):
    text = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8").stdout
    found = re.search(pattern, text)
    return found.group(1) if found else "of unknown version"


class Compiler:
    def knows(self, chip):
        """Does the installed version compile for this GPU?"""
        return True


class Amd(Compiler):
    """clang and AMD's device libraries."""
    needs = "clang-19 and rocm-device-libs"

    def __init__(self, root):
        self.clang = shutil.which("clang-19")
        self.installed = sorted(glob.glob(ROCM_LIBRARIES + "/ockl.bc"))[:1]
        self.here = self.clang is not None and len(self.installed) == 1

    def prepare(self, folder):
        """A folder of device libraries in which every GPU has its file."""
        installed = pathlib.Path(self.installed[0]).parent
        self.libraries = pathlib.Path(folder, "device-libraries")
        self.libraries.mkdir()
        for file in installed.glob("*.bc"):
            (self.libraries / file.name).symlink_to(file)
        for chip, relative in ROCM_RELATIVES.items():
            link = self.libraries / ("oclc_isa_version_%s.bc" % chip)
            if not link.exists():
                link.symlink_to(installed / ("oclc_isa_version_%s.bc" % relative))

    def version(self):
        return "clang " + version([self.clang, "--version"], r"version (\S+)")

    def compile(self, program):
        source, options = program["program"], program["options"].split()
        return reports.amd(run([self.clang, "-x", "cl", *options, *WARNINGS, "-fno-color-diagnostics", "-O3",
                                "-target", "amdgcn-amd-amdhsa", "-mcpu=" + program["target"].chip,
                                "--rocm-device-lib-path=%s" % self.libraries, "-S", "-o", source + ".s",
                                "-Rpass-analysis=kernel-resource-usage", source], program["folder"]))


class Intel(Compiler):
    """ocloc, the compiler of Intel's own driver."""
    needs = "ocloc (intel-opencl-icd)"

    def __init__(self, root):
        self.ocloc = shutil.which("ocloc")
        self.here = self.ocloc is not None

    def prepare(self, folder):
        self.folder = folder

    def version(self):
        run([self.ocloc, "query", "OCL_DRIVER_VERSION"], self.folder)
        return "ocloc " + pathlib.Path(self.folder, "OCL_DRIVER_VERSION").read_text().strip(" \0\n")

    def compile(self, program):
        chip, options = program["target"].chip, program["options"]
        if chip == "pvc":
            # ocloc 22.43 says that it has no images, and then stops at those of its own OpenCL C 3.0 header.
            options = options.replace("CL3.0", "CL2.0")
        output = program["program"] + ".out"
        log = run([self.ocloc, "compile", "-file", program["program"], "-device", chip, "-options", options,
                   "-internal_options", "-cl-intel-allow-zebin", "-out_dir", output], program["folder"])
        binary, = pathlib.Path(program["folder"], output).glob("*.bin")
        return reports.intel(reports.elf_section(binary.read_bytes(), ".ze_info"), log)


class Nvidia(Compiler):
    """clang to PTX, then NVIDIA's assembler. Not the front end of NVIDIA's driver, but the same registers."""
    needs = "clang-15, libclc-15-dev and ptxas"

    def __init__(self, root):
        self.clang = shutil.which("clang-15")
        # What --install unpacked is of CUDA 12, the last that knows sm_70 as well as sm_120.
        folders = [str(root / "build/ptxas/nvidia/cuda_nvcc/bin"), os.environ.get("PATH", ""), "/usr/local/cuda/bin"]
        self.ptxas = shutil.which("ptxas", path=os.pathsep.join(folders))
        self.here = None not in (self.clang, self.ptxas) and os.path.isfile(CLC_LIBRARY)
        self.ptx = {}  # what clang made of a text, by all that decides it

    def prepare(self, folder):
        pass

    def knows(self, chip):
        text = subprocess.run([self.ptxas, "--help"], stdout=subprocess.PIPE, encoding="utf-8").stdout
        return "'%s'" % chip in text

    def version(self):
        return "clang %s, ptxas %s" % (version([self.clang, "--version"], r"version (\S+)"),
                                       version([self.ptxas, "--version"], r", V(\S+)"))

    def to_ptx(self, chip, source, options, folder):
        """The path of the PTX of a program. GPUs are given the same programs again and again, and share it."""
        # The newest PTX that clang 15 writes, or the newest for which it leaves sm_80's asynchronous copies out; ptxas
        # makes of it what every newer GPU has.
        architecture, ptx = ("sm_80", "+ptx75") if int(chip.removeprefix("sm_")) >= 80 else ("sm_70", "+ptx63")
        path = pathlib.Path(folder, source)
        key = (architecture, *options, path.read_text(encoding="utf-8"))
        if key not in self.ptx:  # at worst two threads compile the same
            features = ["-Xclang", "-target-cpu", "-Xclang", architecture, "-Xclang", "-target-feature", "-Xclang", ptx]
            # The quick table of built-in functions has no vload_half() where arithmetic on half is missing; the header
            # has.
            header = ["-cl-no-stdinc", "-Xclang", "-finclude-default-header"]
            run([self.clang, "-x", "cl", *options, *WARNINGS, "-fno-color-diagnostics", "-Wno-linker-warnings", "-O3",
                 *header, "-target", "nvptx64-nvidia-nvcl", *features, "-Xclang", "-mlink-builtin-bitcode", "-Xclang",
                 CLC_LIBRARY, "-S", "-o", source + ".ptx", source], folder)
            made = path.with_suffix(".cl.ptx")
            # Accesses of 16 bytes are newer than clang 15; programs have them for drivers that know them.
            made.write_text(re.sub(r"(?m)^\.version .*$", ".version 8.3", made.read_text(encoding="utf-8")),
                            encoding="utf-8")
            self.ptx[key] = made
        return self.ptx[key]

    def assemble(self, program, ptx, bounds):
        return reports.nvidia(run([self.ptxas, "-v", *("--maxrregcount=%d" % bound for bound in bounds),
                                   "-arch=" + program["target"].chip, ptx, "-o", program["program"] + ".cubin"],
                                  program["folder"]))

    def compile(self, program):
        target, size, options = program["target"], program["work_group_size"], program["options"].split()
        ptx = self.to_ptx(target.chip, program["program"], [o for o in options if not o.startswith("-cl-nv-")],
                          program["folder"])
        # What NVIDIA's own compiler hands on to ptxas.
        bounds = [int(o.split("=")[1]) for o in options if o.startswith("-cl-nv-maxrregcount=")]
        kernels = self.assemble(program, ptx, bounds)
        # It hands on the required size of the work-groups, too, of which clang's PTX says nothing. (With --maxntid
        # ptxas would spill a little also where it need not, to have more warps resident.)
        if any(occupancy(target, kernel, size) == 0 for kernel in kernels):
            kernels = self.assemble(program, ptx, [nvidia_registers(target.limits, size)])
        return kernels


COMPILERS = {"amd": Amd, "intel": Intel, "nvidia": Nvidia}
