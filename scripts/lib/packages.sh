# shellcheck shell=bash
# What clscan needs on a machine: how to see that it is there, and the Debian and Ubuntu package that brings it.
# Sourced by the scripts that install; needs bash.
#
#   require_tools           what building and using clscan takes
#   require_test_tools      what the tests take on top of that
#   require_package_tools   what making Debian packages takes on top of require_tools
#   require_package_checks  what looking at them takes on top of that
#   require_clean_install   what installing them in a system of their own takes
#   offer_checkers          what makes the tests see more; does without what cannot be had
#   offer_offline_compilers     compilers for AMD's and Intel's GPUs (65 MB); does without what cannot be had
#   require_offline_compilers   these and NVIDIA's (90 MB more)
#
# Each asks apt only for what is missing, as root or through sudo, and does not touch the network if nothing is.

# name of the probe | package, or "a/b" if its name differs between releases | what to look for elsewhere
needed_tools=(
    "compiler|build-essential|a C11 compiler (cc) with the C library's headers"
    "cmake|cmake|CMake 3.25 or newer"
    "ninja|ninja-build|ninja"
    "pkg_config|pkg-config/pkgconf|pkg-config"
    "opencl|ocl-icd-opencl-dev|an OpenCL loader with its development files (libOpenCL.so)"
    "opencl_headers|opencl-c-headers/opencl-headers|the OpenCL C headers (CL/cl.h)"
    "jansson|libjansson-dev|jansson 2.13 or newer with its development files"
    "cmocka|libcmocka-dev|cmocka with its development files"
    "clinfo|clinfo|clinfo"
    "device|pocl-opencl-icd|an OpenCL device: a GPU's driver, or PoCL for the CPU"
    "python|python3|Python 3"
    "numpy|python3-numpy|NumPy for Python 3"
)
needed_test_tools=(
    "pocl|pocl-opencl-icd|PoCL, which the tests use as their device"
)
needed_package_tools=(
    "dpkg_dev|dpkg-dev|a Debian system with dpkg-buildflags and dpkg-shlibdeps"
    "file|file|file"
)
needed_package_checks=(
    "lintian|lintian|lintian"
    "pocl|pocl-opencl-icd|PoCL, which the tests use as their device"
)
needed_for_clean_install=(
    "debootstrap|debootstrap|debootstrap"
)
optional_checkers=(
    "lintian|lintian|lintian: the Debian packages"
    "oclgrind|oclgrind|oclgrind: races, uninitialised reads and barrier divergence in kernels"
    "doxygen|doxygen|Doxygen: the reference of the API, which must have every public member"
    "rusticl|mesa-opencl-icd|Mesa's rusticl: a device without 64-bit atomics"
    "clang|clang|clang: parses the kernels without a device"
    "clang_format|clang-format-14/clang-format|clang-format 14: the layout of the source files"
    "mandoc|mandoc|mandoc: faults in manual pages"
    "clang_14|clang-14|clang 14: builds the fuzz targets"
    "libfuzzer|libclang-rt-14-dev|libFuzzer of clang 14: runs the fuzz targets"
    "mpi|libopenmpi-dev|MPI with its development files: clscan_mpi"
    "mpirun|openmpi-bin|mpirun: runs the tests of clscan_mpi"
)

# Compilers that scripts/check-offline runs.
amd_compilers=(
    "clang_19|clang-19|clang 19: compiles for AMD's GPUs"
    "rocm_libraries|rocm-device-libs|AMD's device libraries (ROCm-Device-Libs)"
)
intel_compilers=(
    "ocloc|intel-opencl-icd|ocloc: compiles for Intel's GPUs"
)
nvidia_compilers=(
    "clang_15|clang-15|clang 15: compiles to PTX"
    "libclc|libclc-15-dev|libclc for clang 15: OpenCL C's functions in PTX"
)

# The folder in which the OpenCL loader finds its drivers.
icd_folder=${OPENCL_VENDOR_PATH:-/etc/OpenCL/vendors}

probe_compiler() { printf '#include <stdio.h>\n' | "${CC:-cc}" -E -x c - >/dev/null 2>&1; }
probe_cmake() {
    local version
    version=$(cmake --version 2>/dev/null | sed -n '1s/.* //p')
    [[ $(printf '%s\n3.25\n' "$version" | sort -V | head -n 1) == 3.25 ]]
}
probe_ninja() { command -v ninja >/dev/null; }
probe_pkg_config() { command -v pkg-config >/dev/null; }
probe_opencl() { printf 'int main(void) { return 0; }\n' | "${CC:-cc}" -x c - -lOpenCL -o /dev/null 2>/dev/null; }
probe_opencl_headers() { printf '#include <CL/cl.h>\n' | "${CC:-cc}" -E -x c - >/dev/null 2>&1; }
probe_jansson() { pkg-config --exists 'jansson >= 2.13' 2>/dev/null; }
probe_cmocka() { pkg-config --exists cmocka 2>/dev/null; }
probe_clinfo() { command -v clinfo >/dev/null; }
probe_device() { [[ $(clinfo -l 2>/dev/null) == *'Device #'* ]]; }
probe_pocl() { compgen -G "$icd_folder/*pocl*.icd" >/dev/null; }
probe_python() { command -v python3 >/dev/null; }
probe_numpy() { find_python >/dev/null; }
probe_oclgrind() { command -v oclgrind >/dev/null; }
probe_doxygen() { command -v doxygen >/dev/null; }
probe_rusticl() { compgen -G "$icd_folder/*rusticl*.icd" >/dev/null; }
probe_dpkg_dev() { command -v dpkg-buildflags >/dev/null && command -v dpkg-shlibdeps >/dev/null; }
probe_file() { command -v file >/dev/null; }
probe_lintian() { command -v lintian >/dev/null; }
probe_debootstrap() { [[ -x /usr/sbin/debootstrap ]] || command -v debootstrap >/dev/null; }
probe_clang() { command -v clang >/dev/null; }
probe_clang_14() { command -v clang-14 >/dev/null; }
probe_libfuzzer() { compgen -G '/usr/lib/llvm-14/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a' >/dev/null; }
probe_mpi() { command -v mpicc >/dev/null; }
probe_mpirun() { command -v mpirun >/dev/null; }
probe_mandoc() { command -v mandoc >/dev/null; }
probe_clang_19() { command -v clang-19 >/dev/null; }
probe_rocm_libraries() { compgen -G '/usr/lib/*/amdgcn/bitcode/ockl.bc' >/dev/null; }
probe_ocloc() { command -v ocloc >/dev/null; }
probe_clang_15() { command -v clang-15 >/dev/null; }
probe_libclc() { [[ -f /usr/lib/clc/nvptx64--nvidiacl.bc ]]; }
probe_pip() { python3 -m pip --version >/dev/null 2>&1; }
# CUDA 13 no longer knows sm_70.
probe_ptxas() {
    printf '.version 6.3\n.target sm_70\n.address_size 64\n' |
        PATH=build/ptxas/nvidia/cuda_nvcc/bin:$PATH:/usr/local/cuda/bin ptxas -arch=sm_70 - -o /dev/null 2>/dev/null
}
probe_clang_format() { find_clang_format >/dev/null; }

# The system's Python has the packaged NumPy even where another one comes first in PATH.
find_python() {
    local candidate
    for candidate in python3 /usr/bin/python3; do
        if "$candidate" -c 'import numpy' 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    return 1
}

# Other versions lay out some lines differently.
find_clang_format() {
    local candidate
    for candidate in clang-format-14 clang-format; do
        if [[ $("$candidate" --version 2>/dev/null) == *'version 14.'* ]]; then
            echo "$candidate"
            return
        fi
    done
    return 1
}

field() { cut -d '|' -f "$2" <<<"$1"; }

# Print those of the given lines whose probe fails.
missing_of() {
    local line
    for line in "$@"; do
        "probe_$(field "$line" 1)" || echo "$line"
    done
}

# Run a command as root; fails where that is impossible.
as_root() {
    if ((EUID == 0)); then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        return 1
    fi
}

can_be_root() {
    ((EUID == 0)) && return
    command -v sudo >/dev/null || return 1
    # Without a terminal sudo can only work if it needs no password.
    [[ -t 0 ]] || sudo -n true 2>/dev/null
}

# The one of "a/b" that this release has.
package_here() {
    local candidate
    for candidate in ${1//\// }; do
        if apt-cache show "$candidate" >/dev/null 2>&1; then
            echo "$candidate"
            return
        fi
    done
    echo "${1%%/*}"
}

# The packages of the given lines, in one line.
packages_of() {
    local line
    local packages=()
    for line in "$@"; do
        packages+=("$(package_here "$(field "$line" 2)")")
    done
    echo "${packages[*]}"
}

# Options of apt-get install beside the ordinary ones.
apt_options=()

# Install the packages of the given lines.
install_packages() {
    local packages
    as_root apt-get update -q || echo "apt-get update failed; trying with the package lists as they are"
    read -ra packages <<<"$(packages_of "$@")"
    echo "installing ${packages[*]}"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
        "${apt_options[@]}" "${packages[@]}"
}

say_missing() {
    local line
    for line in "$@"; do
        echo "  - $(field "$line" 3)"
    done
}

# See that what the given lines name is there, and install it if it is not. Returns 1 after saying what to do.
have_or_install() {
    local missing
    mapfile -t missing < <(missing_of "$@")
    ((${#missing[@]} == 0)) && return
    if ! command -v apt-get >/dev/null; then
        echo "This is no Debian or Ubuntu system. Install these with its own package manager, then run this again:"
        say_missing "${missing[@]}"
        return 1
    fi
    if ! can_be_root; then
        echo "Packages are missing, and this user is neither root nor able to use sudo. Ask for:"
        echo "  apt-get install $(packages_of "${missing[@]}")"
        return 1
    fi
    install_packages "${missing[@]}" || echo "apt-get failed, see above"
    mapfile -t missing < <(missing_of "$@")
    if ((${#missing[@]} > 0)); then
        echo "Still missing after the installation:"
        say_missing "${missing[@]}"
        return 1
    fi
}

require_tools() { have_or_install "${needed_tools[@]}"; }
require_test_tools() { have_or_install "${needed_tools[@]}" "${needed_test_tools[@]}"; }
require_package_tools() { have_or_install "${needed_package_tools[@]}"; }
require_package_checks() { have_or_install "${needed_package_tools[@]}" "${needed_package_checks[@]}"; }
require_clean_install() { have_or_install "${needed_for_clean_install[@]}"; }

offer_checkers() {
    local line
    for line in "${optional_checkers[@]}"; do
        have_or_install "$line" || echo "going on without it"
    done
}

# Intel's compiler without its driver, which would end programs that are built with AddressSanitizer.
have_or_install_ocloc() {
    local apt_options=()
    if [[ ! -e $icd_folder/intel.icd ]]; then
        apt_options=(-o "DPkg::Options::=--path-exclude=/etc/OpenCL/vendors/intel.icd")
    fi
    have_or_install "${intel_compilers[@]}"
}

offer_offline_compilers() {
    have_or_install "${amd_compilers[@]}" || echo "going on without it"
    have_or_install_ocloc || echo "going on without it"
}

# NVIDIA's assembler comes with CUDA 12; else it is unpacked into build/, from a Python package.
have_or_install_ptxas() {
    probe_ptxas && return
    have_or_install "pip|python3-pip|pip for Python 3" || return 1
    python3 -m pip install -q --no-deps --target build/ptxas nvidia-cuda-nvcc-cu12
}

require_offline_compilers() {
    have_or_install "${amd_compilers[@]}" "${nvidia_compilers[@]}" && have_or_install_ocloc && have_or_install_ptxas
}
