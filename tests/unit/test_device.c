/* What clscan decides about devices, without any: recorded descriptions and made-up ones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cmocka_all.h"
#include "device/raw.h"
#include "device/words.h"
#include "device_fixture.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

typedef struct expected_device {
    const char *file;
    const char *key;
    const char *architecture;
    const char *family;
    const char *generic;
    clscan_mechanism mechanism;
    clscan_progress progress;
    int has_double;
    int has_int64_atomics;
    int has_sub_groups;
    int has_device_scope;
    uint32_t version;
    uint32_t c_version;
    uint32_t sub_group_size;
    const char *quirks;
} expected_device;

#define GPU "generic-gpu"
#define CPU "generic-cpu"
#define NONE CLSCAN_MECHANISM_NONE
#define PTX CLSCAN_MECHANISM_PTX
#define C11 CLSCAN_MECHANISM_C11
#define ATOMIC64 CLSCAN_MECHANISM_ATOMIC64
#define ATOMIC32 CLSCAN_MECHANISM_ATOMIC32
#define OCCUPANCY CLSCAN_PROGRESS_OCCUPANCY
#define UNKNOWN CLSCAN_PROGRESS_UNKNOWN

/* The four columns of 0 and 1: double, int64 atomics, sub-groups, device scope. */
/* clang-format off */
static const expected_device recorded[] = {
    /* The vendor's queries say work-group scope; PTX has GPU scope from 7.0 on. */
    {"nvidia-h200",          "nvidia-h200", "nvidia-sm-90", "nvidia-gpu", GPU,
        PTX, OCCUPANCY,      1, 1, 0, 0, 300, 300, 32, ""},
    {"nvidia-a100",          "nvidia-a100-sxm4-40gb", "nvidia-sm-80", "nvidia-gpu", GPU,
        PTX, OCCUPANCY,      1, 1, 0, 0, 300, 300, 32, ""},
    {"nvidia-rtx-3090", "nvidia-geforce-rtx-3090", "nvidia-sm-86", "nvidia-gpu", GPU,
        PTX, OCCUPANCY,      1, 1, 0, 0, 300, 300, 32, ""},
    {"nvidia-rtx-4090", "nvidia-geforce-rtx-4090", "nvidia-sm-89", "nvidia-gpu", GPU,
        PTX, OCCUPANCY,      1, 1, 0, 0, 300, 300, 32, ""},
    {"nvidia-b200", "nvidia-b200", "nvidia-sm-100", "nvidia-gpu", GPU,
        PTX, OCCUPANCY,      1, 1, 0, 0, 300, 300, 32, ""},
    {"nvidia-rtx-5090", "nvidia-geforce-rtx-5090", "nvidia-sm-120", "nvidia-gpu", GPU,
        PTX, OCCUPANCY,      1, 1, 0, 0, 300, 300, 32, ""},
    {"nvidia-v100", "nvidia-tesla-v100-sxm2-16gb", "nvidia-sm-70", "nvidia-gpu", GPU,
        PTX, OCCUPANCY,      1, 1, 0, 0, 300, 300, 32, ""},
    {"nvidia-t4", "nvidia-tesla-t4", "nvidia-sm-75", "nvidia-gpu", GPU,
        PTX, OCCUPANCY,      1, 1, 0, 0, 300, 300, 32, ""},
    /* Below 7.0: atomics, as wide as the driver lists. */
    {"nvidia-gtx-1080",      "nvidia-geforce-gtx-1080", "nvidia-sm-61", "nvidia-gpu", GPU,
        ATOMIC64, OCCUPANCY, 1, 1, 0, 0, 300, 300, 32, ""},
    {"nvidia-tesla-k20m",    "nvidia-tesla-k20m", "nvidia-sm-35", "nvidia-gpu", GPU,
        ATOMIC32, OCCUPANCY, 1, 0, 0, 0, 120, 120, 32, ""},
    /* OpenCL C 2.0: device scope is mandatory. The name's suffix is not part of the model. */
    {"amd-gfx90a",           "amd-gfx90a", "amd-gfx90a", "amd-gpu", GPU,
        C11, OCCUPANCY,      1, 1, 1, 1, 200, 200, 32, ""},
    {"amd-gfx942",           "amd-gfx942", "amd-gfx942", "amd-gpu", GPU,
        C11, OCCUPANCY,      1, 1, 1, 1, 200, 200, 32, ""},
    {"amd-gfx1030",          "amd-gfx1030", "amd-gfx1030", "amd-gpu", GPU,
        C11, OCCUPANCY,      1, 1, 1, 1, 200, 200, 32, ""},
    {"amd-gfx1100",          "amd-gfx1100", "amd-gfx1100", "amd-gpu", GPU,
        C11, OCCUPANCY,      1, 1, 1, 1, 200, 200, 32, ""},
    /* Some of these boards hang while polling, and OpenCL cannot tell which. */
    {"amd-gfx908",           "amd-gfx908", "amd-gfx908", "amd-gpu", GPU,
        C11, UNKNOWN,        1, 1, 1, 1, 200, 200, 32, "gfx908-polling"},
    /* OpenCL C 3.0 with the feature, both capabilities; no double. No data on progress. */
    {"intel-arc-a770",       "intel-arc-a770", "intel-xe-hpg", "intel-gpu", GPU,
        C11, UNKNOWN,        0, 1, 1, 1, 300, 300, 16, ""},
    {"intel-iris-xe",        "intel-iris-xe", "intel-xe-lp", "intel-gpu", GPU,
        C11, UNKNOWN,        0, 1, 1, 1, 300, 300, 16, ""},
    /* The one Arc GPU that oneDPL's single pass is verified on. */
    {"intel-arc-b580",       "intel-arc-b580", "intel-xe2-hpg", "intel-gpu", GPU,
        C11, OCCUPANCY,      1, 1, 1, 1, 300, 300, 16, ""},
    {"intel-max-1550",       "intel-data-center-gpu-max-1550", "intel-xe-hpc", "intel-gpu", GPU,
        C11, OCCUPANCY,      1, 1, 1, 1, 300, 300, 16, ""},
    /* Device scope, but no 64-bit atomics. */
    {"intel-hd-530-neo",     "intel-gen9-hd-neo", "", "intel-gpu", GPU,
        NONE, UNKNOWN,       1, 0, 1, 1, 210, 200, 16, ""},
    {"intel-cpu-18.1",       "intel-11th-gen-core-i9-11900k-3-50ghz", "", "intel-cpu", CPU,
        NONE, OCCUPANCY,     1, 0, 0, 1, 210, 200, 0, ""},
    {"intel-cpu-2025",       "intel-13th-gen-core-i7-13620h", "", "intel-cpu", CPU,
        C11, OCCUPANCY,      1, 1, 1, 1, 300, 300, 0, ""},
    {"intel-cpu-2026",       "intel-xeon-processor", "", "intel-cpu", CPU,
        C11, OCCUPANCY,      1, 1, 1, 1, 310, 310, 16, ""},
    /* OpenCL 1.2, and the quirk forbids even what might be tried. */
    {"apple-m1",             "apple-m1", "", "apple-gpu", GPU,
        NONE, UNKNOWN,       0, 0, 0, 0, 120, 120, 0, "apple-opencl"},
    /* Atomics reach the whole device, but work-groups may starve. */
    {"arm-mali-g78",         "arm-mali-g78", "", "arm-gpu", GPU,
        C11, UNKNOWN,        0, 1, 1, 1, 300, 300, 0, ""},
    {"arm-mali-g71",         "arm-mali-g71", "", "arm-gpu", GPU,
        C11, UNKNOWN,        0, 1, 0, 1, 200, 200, 0, ""},
    /* Device scope without 64-bit atomics; the model stands in the version. */
    {"qualcomm-adreno-750",  "qualcomm-adreno-750", "", "qualcomm-gpu", GPU,
        NONE, UNKNOWN,       0, 0, 1, 1, 300, 300, 0, ""},
    {"qualcomm-adreno-505",  "qualcomm-adreno-505", "", "qualcomm-gpu", GPU,
        NONE, UNKNOWN,       0, 0, 1, 1, 200, 200, 0, ""},
    /* Threads of the operating system; "pthread" and "cpu" are the same driver. */
    {"pocl-3.1-pthread",     "pocl-skylake-avx512-intel-xeon-processor", "pocl-cpu", "pocl-cpu", CPU,
        C11, OCCUPANCY,      1, 1, 0, 1, 300, 300, 0, ""},
    {"pocl-5.0-cpu",         "pocl-skylake-avx512-intel-xeon-processor", "pocl-cpu", "pocl-cpu", CPU,
        C11, OCCUPANCY,      1, 1, 1, 1, 300, 300, 0, ""},
    {"pocl-6.0-cpu",         "pocl-skylake-avx512-amd-epyc", "pocl-cpu", "pocl-cpu", CPU,
        C11, OCCUPANCY,      1, 1, 1, 1, 300, 300, 0, "pocl-fixpoint"},
    /* OpenCL 1.2 with both 64-bit extensions, on a simulator that is known. */
    {"oclgrind-21.10",       "oclgrind-simulator", "", "oclgrind-gpu", GPU,
        ATOMIC64, OCCUPANCY, 1, 1, 0, 0, 120, 120, 0, ""},
    /* OpenCL 3.0 that says: work-group scope. */
    {"rusticl-25.0-llvmpipe", "mesa-llvmpipe", "", "mesa-cpu", CPU,
        NONE, UNKNOWN,       0, 0, 1, 0, 300, 300, 0, "llvmpipe-visibility llvmpipe-loops llvmpipe-bytes"},
    {"rusticl-22.3-llvmpipe", "mesa-llvmpipe", "", "mesa-cpu", CPU,
        NONE, UNKNOWN,       0, 0, 0, 0, 300, 300, 0, "llvmpipe-visibility llvmpipe-loops llvmpipe-bytes"},
    /* An AMD GPU under Mesa is not an AMD GPU under its vendor's driver. */
    {"rusticl-radeonsi",     "mesa-amd-radeon-rx-6800", "", "mesa-gpu", GPU,
        NONE, UNKNOWN,       1, 0, 0, 0, 300, 300, 0, ""},
    /* 64-bit atomics in OpenCL C 1.1, on a device of which nothing is known. */
    {"clover-polaris10",     "mesa-radeon-rx-580-series", "", "mesa-gpu", GPU,
        NONE, UNKNOWN,       1, 1, 0, 0, 110, 110, 0, ""},
};
/* clang-format on */

static void load(const char *name, clscan__device_raw *raw)
{
    char path[512];
    snprintf(path, sizeof path, "%s/devices/%s.json", CLSCAN_FIXTURES, name);
    if (!device_fixture_load(path, raw))
        fail_msg("cannot load %s", path);
}

static clscan_device_info derived(const clscan__device_raw *raw)
{
    clscan_device_info info = {.struct_size = sizeof info};
    memset(&info, 0xa5, sizeof info); /* what is not written shows */
    clscan__device_derive(raw, &info);
    return info;
}

static void check_device(const expected_device *want, const clscan_device_info *got)
{
    print_message("%s: %s; %s\n", want->file, got->mechanism_reason, got->progress_reason);
    assert_string_equal(got->key, want->key);
    assert_string_equal(got->architecture, want->architecture);
    assert_string_equal(got->family, want->family);
    assert_string_equal(got->generic, want->generic);
    assert_string_equal(clscan_mechanism_name(got->mechanism), clscan_mechanism_name(want->mechanism));
    assert_string_equal(clscan_progress_name(got->progress), clscan_progress_name(want->progress));
    assert_int_equal(got->has_double, want->has_double);
    assert_int_equal(got->has_int64_atomics, want->has_int64_atomics);
    assert_int_equal(got->has_sub_groups, want->has_sub_groups);
    assert_int_equal(got->has_device_scope, want->has_device_scope);
    assert_int_equal(got->version, want->version);
    assert_int_equal(got->c_version, want->c_version);
    assert_int_equal(got->sub_group_size, want->sub_group_size);
    assert_string_equal(got->quirks, want->quirks);
    assert_true(got->mechanism_reason[0] != '\0');
    assert_true(got->progress_reason[0] != '\0');
    assert_true(got->sub_group_reason[0] != '\0');
}

static void recorded_devices_are_decided_as_expected(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(recorded); ++i) {
        clscan__device_raw raw;
        load(recorded[i].file, &raw);
        const clscan_device_info info = derived(&raw);
        check_device(&recorded[i], &info);
        assert_string_equal(info.name, raw.name);
        assert_int_equal(info.compute_units, raw.compute_units);
        assert_int_equal(info.local_memory_bytes, raw.local_memory_bytes);
        assert_int_equal(8 * info.base_align_bytes, raw.base_align_bits);
    }
}

static void every_recorded_device_is_expected(void **state)
{
    (void)state;
    char **paths = NULL;
    size_t count = 0;
    assert_int_equal(clscan__folder_list(CLSCAN_FIXTURES "/devices", ".json", &paths, &count, NULL), CLSCAN_OK);
    for (size_t i = 0; i < count; ++i)
        free(paths[i]);
    free(paths);
    assert_int_equal(count, COUNT(recorded));
}

typedef struct named_device {
    const char *platform, *vendor, *name;
    uint64_t type;
    const char *key, *family;
} named_device;

#define TYPE_GPU CL_DEVICE_TYPE_GPU
#define TYPE_CPU CL_DEVICE_TYPE_CPU

/* clang-format off */
static const named_device names[] = {
    /* Spellings of one vendor over the years. */
    {"NVIDIA CUDA", "NVIDIA Corporation", "GeForce GTX 680", TYPE_GPU,
        "nvidia-geforce-gtx-680", "nvidia-gpu"},
    {"NVIDIA CUDA", "NVIDIA Corporation", "NVIDIA H100 80GB HBM3", TYPE_GPU,
        "nvidia-h100-80gb-hbm3", "nvidia-gpu"},
    {"NVIDIA CUDA", "NVIDIA Corporation", "NVIDIA A100-SXM4-40GB MIG 1g.5gb", TYPE_GPU,
        "nvidia-a100-sxm4-40gb-mig-1g-5gb", "nvidia-gpu"},
    {"Intel(R) OpenCL HD Graphics", "Intel(R) Corporation", "Intel(R) Graphics [0x56a0]", TYPE_GPU,
        "intel-0x56a0", "intel-gpu"},
    {"Intel(R) OpenCL Graphics", "Intel(R) Corporation", "Intel(R) UHD Graphics 770", TYPE_GPU,
        "intel-uhd-770", "intel-gpu"},
    {"Intel(R) OpenCL", "Intel(R) Corporation", "AMD EPYC 7763 64-Core Processor                ", TYPE_CPU,
        "intel-amd-epyc-7763-64-core-processor", "intel-cpu"},
    {"AMD Accelerated Parallel Processing", "AMD", "Ellesmere", TYPE_GPU,
        "amd-ellesmere", "amd-gpu"},
    {"ARM Platform", "ARM", "Mali-G610 r0p0", TYPE_GPU,
        "arm-mali-g610", "arm-gpu"},
    {"Apple", "Intel", "Iris", TYPE_GPU,
        "apple-iris", "apple-gpu"},
    /* PoCL's single-threaded driver is another device to tune for than its threaded one. */
    {"Portable Computing Language", "AuthenticAMD", "basic-znver3-AMD EPYC 7763 64-Core Processor", TYPE_CPU,
        "pocl-basic-znver3-amd-epyc-7763-64-core-processor", "pocl-cpu"},
    {"Portable Computing Language", "AuthenticAMD", "cpu-minimal-znver3-AMD EPYC 7763", TYPE_CPU,
        "pocl-minimal-znver3-amd-epyc-7763", "pocl-cpu"},
    /* The platform decides: none of these is the vendor's own driver. */
    {"Portable Computing Language", "NVIDIA Corporation", "NVIDIA H200", TYPE_GPU,
        "pocl-nvidia-h200", "pocl-gpu"},
    {"OpenCLOn12", "NVIDIA", "NVIDIA GeForce RTX 3080", TYPE_GPU,
        "other-nvidia-nvidia-geforce-rtx-3080", "other-nvidia-gpu"},
    {"Intel Gen OCL Driver", "Intel", "Intel(R) HD Graphics Kabylake ULT GT2", TYPE_GPU,
        "other-intel-intel-hd-graphics-kabylake-ult-gt2", "other-intel-gpu"},
    {"rusticl", "Intel", "Mesa Intel(R) Xe Graphics (TGL GT2)", TYPE_GPU,
        "mesa-intel-xe", "mesa-gpu"},
    /* Software renderers are CPUs, whatever they are presented as. */
    {"rusticl", "Mesa/X.org", "llvmpipe (LLVM 15.0.6, 256 bits)", TYPE_GPU,
        "mesa-llvmpipe", "mesa-cpu"},
    {"rusticl", "Mesa/X.org", "zink (LavaPipe (LLVM 15.0.6, 256 bits))", TYPE_GPU,
        "mesa-zink", "mesa-cpu"},
    /* Classes. */
    {"Intel(R) FPGA Emulation Platform for OpenCL(TM)", "Intel(R) Corporation",
        "Intel(R) FPGA Emulation Device", CL_DEVICE_TYPE_ACCELERATOR,
        "intel-fpga-emulation-device", "intel-accelerator"},
    {"Some Platform", "Some Vendor, Inc.", "DSP-1", CL_DEVICE_TYPE_CUSTOM,
        "other-some-vendor-inc-dsp-1", "other-some-vendor-inc-other"},
    {"Imagination", "Imagination Technologies", "PowerVR Rogue GE8320", TYPE_GPU,
        "other-imagination-technologies-powervr-rogue-ge8320", "other-imagination-technologies-gpu"},
    /* Nothing to go by. */
    {"", "", "", 0, "other-unknown", "other-other"},
    {"NVIDIA CUDA", "", "", TYPE_GPU,
        "nvidia-unknown", "nvidia-gpu"},
    {"NVIDIA CUDA", "", "NVIDIA", TYPE_GPU,
        "nvidia-unknown", "nvidia-gpu"},
    {"Some", "\xc3\xa9", " -- (R)(TM) \xe2\x84\xa2 ", TYPE_GPU,
        "other-unknown", "other-gpu"},
};
/* clang-format on */

static clscan__device_raw made_up(const named_device *device)
{
    clscan__device_raw raw;
    memset(&raw, 0, sizeof raw);
    clscan__copy_text(raw.platform_name, sizeof raw.platform_name, device->platform);
    clscan__copy_text(raw.vendor, sizeof raw.vendor, device->vendor);
    clscan__copy_text(raw.name, sizeof raw.name, device->name);
    raw.type = device->type;
    return raw;
}

static void names_are_normalised(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(names); ++i) {
        const clscan__device_raw raw = made_up(&names[i]);
        const clscan_device_info info = derived(&raw);
        assert_string_equal(info.key, names[i].key);
        assert_string_equal(info.family, names[i].family);
    }
}

static void unnamed_drivers_get_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(names); ++i) {
        clscan__device_raw raw = made_up(&names[i]);
        if (strncmp(names[i].family, "other-", 6) != 0)
            continue;
        /* Everything an OpenCL 1.2 device can list, and a compute capability on top. */
        strcpy(raw.device_version, "OpenCL 1.2 ");
        strcpy(raw.c_version, "OpenCL C 1.2 ");
        strcpy(raw.extensions, "cl_khr_int64_base_atomics cl_khr_int64_extended_atomics");
        raw.nv_compute_capability = 90;
        const clscan_device_info info = derived(&raw);
        assert_int_equal(info.mechanism, NONE);
        assert_int_equal(info.progress, UNKNOWN);
        assert_int_equal(info.sub_group_size, 0);
        assert_string_equal(info.architecture, "");
    }
}

static void overlong_text_is_cut_at_a_word(void **state)
{
    (void)state;
    clscan__device_raw raw;
    load("nvidia-h200", &raw);
    memset(raw.name, 'a', sizeof raw.name - 1);
    clscan_device_info info = derived(&raw);
    assert_string_equal(info.name, raw.name);
    assert_true(strlen(info.key) < sizeof info.key);
    assert_memory_equal(info.key, "nvidia-aaaaaaaa", 15);

    for (size_t i = 3; i < sizeof raw.name - 1; i += 4)
        raw.name[i] = ' ';
    info = derived(&raw);
    assert_true(strlen(info.key) < sizeof info.key);
    assert_string_equal(info.key + strlen(info.key) - 4, "-aaa");

    strcpy(raw.platform_name, "unheard of");
    memset(raw.vendor, 'v', sizeof raw.vendor - 1);
    info = derived(&raw);
    assert_true(strlen(info.key) < sizeof info.key);
    assert_true(strlen(info.family) < sizeof info.family);
    assert_memory_equal(info.family, "other-", 6);
}

static void versions_are_read_strictly(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t version;
    } cases[] = {
        {"OpenCL 1.0 ", 100},
        {"OpenCL 1.1 ATI-Stream-v2.3 (451)", 110},
        {"OpenCL 1.2", 120},
        {"OpenCL 2.1 (Build 0)", 210},
        {"OpenCL 3.0 CUDA", 300},
        {"OpenCL C 1.2 ", 120},
        {"OpenCL C 3.0 v1.g13p0-01eac0", 300},
        {"3.0", 300},
        {"", 0},
        {"OpenCL", 0},
        {"OpenCL ", 0},
        {"OpenCL C", 0},
        {"OpenCL C ", 0},
        {"OpenCL 3", 0},
        {"OpenCL 3.", 0},
        {"OpenCL .0", 0},
        {"OpenCL x.y", 0},
        {"OpenCL 12.0", 0},
        {"OpenCL 1.25", 0},
        {"OpenCL -1.2", 0},
        {"OpenGL 3.0", 0},
        {"opencl 3.0", 0},
    };
    for (size_t i = 0; i < COUNT(cases); ++i)
        assert_int_equal(clscan__version_parse(cases[i].text), cases[i].version);
}

static void unreadable_versions_get_no_atomics(void **state)
{
    (void)state;
    clscan__device_raw raw;
    load("pocl-3.1-pthread", &raw);
    strcpy(raw.device_version, "OpenCL next");
    strcpy(raw.c_version, "");
    assert_int_equal(derived(&raw).mechanism, NONE);

    load("oclgrind-21.10", &raw);
    strcpy(raw.device_version, "OpenCL 1.0 ");
    strcpy(raw.c_version, ""); /* cannot be asked for in 1.0 */
    assert_int_equal(derived(&raw).mechanism, NONE);
}

static void a_word_in_a_list_is_a_whole_word(void **state)
{
    (void)state;
    static const char list[] = "cl_khr_fp64_x cl_khr_int64  x_cl_khr_fp16 cl_khr_icd";
    assert_true(clscan__has_word(list, "cl_khr_fp64_x"));
    assert_true(clscan__has_word(list, "cl_khr_int64"));
    assert_true(clscan__has_word(list, "cl_khr_icd"));
    assert_false(clscan__has_word(list, "cl_khr_fp64"));
    assert_false(clscan__has_word(list, "cl_khr_fp16"));
    assert_false(clscan__has_word(list, "cl_khr_ic"));
    assert_false(clscan__has_word(list, ""));
    assert_false(clscan__has_word("", "cl_khr_icd"));
    assert_true(clscan__has_word("a_b a", "a")); /* the first hit is a part, the second is not */
}

static void nvidia_depends_on_compute_capability(void **state)
{
    (void)state;
    static const struct {
        uint32_t capability;
        clscan_mechanism mechanism;
        const char *architecture;
    } cases[] = {
        {0, ATOMIC64, ""}, /* the vendor's query failed */
        {30, ATOMIC64, "nvidia-sm-30"},
        {62, ATOMIC64, "nvidia-sm-62"},
        {70, PTX, "nvidia-sm-70"},
        {120, PTX, "nvidia-sm-120"},
    };
    for (size_t i = 0; i < COUNT(cases); ++i) {
        clscan__device_raw raw;
        load("nvidia-h200", &raw);
        raw.nv_compute_capability = cases[i].capability;
        const clscan_device_info info = derived(&raw);
        assert_int_equal(info.mechanism, cases[i].mechanism);
        assert_string_equal(info.architecture, cases[i].architecture);
    }
}

static void c11_needs_promise_feature_and_64_bits(void **state)
{
    (void)state;
    clscan__device_raw raw;
    load("intel-arc-b580", &raw);
    assert_int_equal(derived(&raw).mechanism, C11);

    raw.atomic_memory_capabilities = CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP;
    assert_int_equal(derived(&raw).mechanism, NONE); /* compiles, but is not promised */
    raw.atomic_memory_capabilities = 0;
    assert_int_equal(derived(&raw).mechanism, NONE); /* the query failed */

    load("intel-arc-b580", &raw);
    raw.c_features[0] = '\0';
    assert_int_equal(derived(&raw).mechanism, NONE); /* promised, but does not compile */

    load("amd-gfx90a", &raw);
    strcpy(raw.extensions, "cl_khr_int64_base_atomics");
    assert_int_equal(derived(&raw).mechanism, NONE); /* atomic_ulong wants both extensions */
}

static void old_atomics_are_trusted_on_known_devices_only(void **state)
{
    (void)state;
    clscan__device_raw raw;
    load("oclgrind-21.10", &raw);
    strcpy(raw.extensions, "cl_khr_int64_base_atomics");
    assert_int_equal(derived(&raw).mechanism, ATOMIC32);
    strcpy(raw.c_version, "OpenCL C 1.0");
    assert_int_equal(derived(&raw).mechanism, NONE); /* not in the core of 1.0 */
    strcpy(raw.extensions, "cl_khr_global_int32_base_atomics cl_khr_global_int32_extended_atomics");
    assert_int_equal(derived(&raw).mechanism, ATOMIC32);
    strcpy(raw.platform_name, "another simulator");
    assert_int_equal(derived(&raw).mechanism, NONE);
}

static void quirks_take_away_what_a_driver_promises(void **state)
{
    (void)state;
    clscan__device_raw raw;
    load("pocl-3.1-pthread", &raw);
    strcpy(raw.platform_name, "rusticl");
    strcpy(raw.name, "llvmpipe (LLVM 19.1.7, 256 bits)");
    clscan_device_info info = derived(&raw);
    assert_int_equal(info.mechanism, NONE);
    assert_string_equal(info.quirks, "llvmpipe-visibility llvmpipe-loops llvmpipe-bytes");
    assert_int_equal(info.max_loop_turns, 65535);
    assert_non_null(strstr(info.mechanism_reason, "llvmpipe-visibility"));
    assert_non_null(strstr(info.int8_reason, "llvmpipe-bytes"));
    assert_non_null(strstr(info.int8_reason, "nir_deref.c")); /* not cut off */

    load("pocl-6.0-cpu", &raw);
    assert_non_null(strstr(derived(&raw).rows_reason, "pocl/pocl#1608")); /* not cut off */
    strcpy(raw.driver_version, "6.1");                                    /* the row's driver is another one */
    assert_string_equal(derived(&raw).rows_reason, "");
    assert_string_equal(derived(&raw).quirks, "");

    load("amd-gfx908", &raw);
    info = derived(&raw);
    assert_non_null(strstr(info.progress_reason, "gfx908-polling"));
    /* The name is matched whole: gfx9080 would be another device. */
    strcpy(raw.name, "gfx9080");
    assert_string_equal(derived(&raw).quirks, "");
}

static void nothing_at_all_is_described_too(void **state)
{
    (void)state;
    clscan__device_raw raw;
    memset(&raw, 0, sizeof raw);
    const clscan_device_info info = derived(&raw);
    assert_int_equal(info.mechanism, NONE);
    assert_int_equal(info.progress, UNKNOWN);
    assert_int_equal(info.version, 0);
    assert_int_equal(info.base_align_bytes, 128);
    assert_int_equal(info.device_class, CLSCAN_DEVICE_CLASS_OTHER);
    assert_string_equal(info.generic, GPU);
    assert_string_equal(info.quirks, "");
    assert_string_equal(info.int8_reason, "");
}

static void types_are_refused_with_a_reason(void **state)
{
    (void)state;
    clscan_device_info info = {.struct_size = sizeof info, .name = "Test", .has_double = 1};
    clscan_error error;

    for (clscan_type type = CLSCAN_INT8; type < CLSCAN_TYPE_COUNT; ++type)
        assert_int_equal(clscan_device_check_type(&info, type, NULL), CLSCAN_OK);
    info.has_double = 0;
    strcpy(info.int8_reason, "some-bug");
    for (clscan_type type = CLSCAN_INT8; type < CLSCAN_TYPE_COUNT; ++type)
        assert_int_equal(clscan_device_check_type(&info, type, NULL),
                         type == CLSCAN_INT8 || type == CLSCAN_UINT8 || type == CLSCAN_DOUBLE
                             ? CLSCAN_ERROR_UNSUPPORTED_TYPE
                             : CLSCAN_OK);
    clscan_device_check_type(&info, CLSCAN_UINT8, &error);
    assert_non_null(strstr(error.message, "Test"));
    assert_non_null(strstr(error.message, "uint8"));
    assert_non_null(strstr(error.message, "some-bug"));
    assert_int_equal(clscan_device_check_type(&info, CLSCAN_TYPE_COUNT, NULL), CLSCAN_ERROR_INVALID_VALUE);
}

static void double_is_found_in_old_and_new_ways(void **state)
{
    (void)state;
    clscan__device_raw raw;
    load("nvidia-h200", &raw);
    raw.extensions[0] = '\0';
    assert_true(derived(&raw).has_double); /* CL_DEVICE_DOUBLE_FP_CONFIG */
    raw.double_fp_config = 0;
    assert_false(derived(&raw).has_double);
    strcpy(raw.extensions, "cl_khr_fp64");
    assert_true(derived(&raw).has_double); /* OpenCL 1.0 and 1.1 */
}

static void facts_without_a_query_come_by_architecture(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        uint32_t lanes_per_unit, banks, register_file_kib, bandwidth_gb_per_s;
    } cases[] = {
        {"nvidia-h200", 128, 32, 256, 4800},
        {"nvidia-tesla-k20m", 192, 32, 256, 0},
        {"amd-gfx90a", 64, 32, 512, 0},
        {"amd-gfx1100", 128, 0, 768, 0},
        {"intel-arc-a770", 8, 0, 32, 0},
        /* Not in the table: unknown. The same silicon under another driver is unknown too. */
        {"amd-gfx908", 0, 0, 0, 0},
        {"pocl-3.1-pthread", 0, 0, 0, 0},
        {"rusticl-radeonsi", 0, 0, 0, 0},
    };
    for (size_t i = 0; i < COUNT(cases); ++i) {
        clscan__device_raw raw;
        load(cases[i].file, &raw);
        const clscan_device_info info = derived(&raw);
        assert_int_equal(info.lanes_per_unit, cases[i].lanes_per_unit);
        assert_int_equal(info.local_memory_banks, cases[i].banks);
        assert_int_equal(info.register_file_bytes, 1024 * cases[i].register_file_kib);
        assert_int_equal(info.bandwidth_gb_per_s, cases[i].bandwidth_gb_per_s);
    }
}

static void a_query_of_banks_counts_before_the_table(void **state)
{
    (void)state;
    clscan__device_raw raw;
    load("amd-gfx90a", &raw);
    raw.local_memory_banks = 64;
    assert_int_equal(derived(&raw).local_memory_banks, 64);
    load("amd-gfx1100", &raw);
    raw.local_memory_banks = 32;
    assert_int_equal(derived(&raw).local_memory_banks, 32);
}

static void promises_become_words(void **state)
{
    (void)state;
    clscan__device_raw raw;
    load("nvidia-h200", &raw);
    clscan_device_info info = derived(&raw);
    assert_string_equal(info.atomic_orders, "relaxed");
    assert_string_equal(info.atomic_scopes, "work_group");
    assert_string_equal(info.features, "__opencl_c_fp64 __opencl_c_int64");
    assert_true(clscan__has_word(info.extensions, "cl_nv_device_attribute_query"));
    assert_false(clscan__has_word(info.extensions, "cl_khr_icd")); /* decides nothing */
    assert_int_equal(info.clock_mhz, 1980);
    assert_int_equal(info.has_on_chip_local_memory, 1);
    assert_int_equal(info.reported_sub_group_size, 32);

    load("pocl-3.1-pthread", &raw);
    info = derived(&raw);
    assert_string_equal(info.atomic_orders, "relaxed acq_rel seq_cst");
    assert_string_equal(info.atomic_scopes, "work_group device all_devices");
    assert_int_equal(info.has_on_chip_local_memory, 0);

    load("amd-gfx90a", &raw); /* OpenCL 2.0 has no query */
    info = derived(&raw);
    assert_string_equal(info.atomic_orders, "");
    assert_string_equal(info.features, "");
}

static void long_lists_of_promises_fit(void **state)
{
    (void)state;
    clscan__device_raw raw;
    load("nvidia-h200", &raw);
    raw.atomic_memory_capabilities = UINT64_MAX;
    strcpy(raw.extensions,
           "cl_khr_fp64 cl_khr_fp16 cl_khr_int64_base_atomics cl_khr_int64_extended_atomics "
           "cl_khr_global_int32_base_atomics cl_khr_global_int32_extended_atomics cl_khr_subgroups "
           "cl_khr_subgroup_shuffle cl_khr_subgroup_shuffle_relative cl_khr_subgroup_non_uniform_arithmetic "
           "cl_intel_subgroups cl_intel_required_subgroup_size cl_nv_device_attribute_query "
           "cl_amd_device_attribute_query");
    strcpy(raw.c_features,
           "__opencl_c_fp64 __opencl_c_int64 __opencl_c_atomic_order_acq_rel __opencl_c_atomic_order_seq_cst "
           "__opencl_c_atomic_scope_device __opencl_c_atomic_scope_all_devices __opencl_c_generic_address_space "
           "__opencl_c_subgroups __opencl_c_work_group_collective_functions");
    const clscan_device_info info = derived(&raw);
    assert_string_equal(info.extensions, raw.extensions);
    assert_string_equal(info.features, raw.c_features);
    assert_string_equal(info.atomic_orders, "relaxed acq_rel seq_cst");
    assert_string_equal(info.atomic_scopes, "work_item work_group device all_devices");
}

static void every_enumerator_has_a_name(void **state)
{
    (void)state;
#define X(name, text, meaning) assert_string_equal(clscan_mechanism_name(CLSCAN_MECHANISM_##name), #text);
    CLSCAN_MECHANISM_LIST(X)
#undef X
#define X(name, text, meaning) assert_string_equal(clscan_progress_name(CLSCAN_PROGRESS_##name), #text);
    CLSCAN_PROGRESS_LIST(X)
#undef X
#define X(name, text) assert_string_equal(clscan_device_class_name(CLSCAN_DEVICE_CLASS_##name), #text);
    CLSCAN_DEVICE_CLASS_LIST(X)
#undef X
    assert_string_equal(clscan_mechanism_name(CLSCAN_MECHANISM_COUNT), "invalid");
    assert_string_equal(clscan_progress_name(CLSCAN_PROGRESS_COUNT), "invalid");
    assert_string_equal(clscan_device_class_name(CLSCAN_DEVICE_CLASS_COUNT), "invalid");
}

static void null_arguments_are_refused(void **state)
{
    (void)state;
    clscan_error error;
    clscan_device_info info = {.struct_size = sizeof info};
    cl_device_id device;
    size_t count = 77;
    assert_int_equal(clscan_device_describe(NULL, &info, &error), CLSCAN_ERROR_NULL_ARGUMENT);
    assert_int_equal(error.status, CLSCAN_ERROR_NULL_ARGUMENT);
    assert_int_equal(clscan_device_list(&device, 1, NULL, &error), CLSCAN_ERROR_NULL_ARGUMENT);
    assert_int_equal(clscan_device_list(NULL, 1, &count, NULL), CLSCAN_ERROR_NULL_ARGUMENT);
    assert_int_equal(count, 77);
    assert_int_equal(clscan_device_find("", NULL, &error), CLSCAN_ERROR_NULL_ARGUMENT);
    assert_int_equal(clscan_device_check_type(NULL, CLSCAN_INT32, &error), CLSCAN_ERROR_NULL_ARGUMENT);
}

static void check_refused(const char *folder, const char *text, const char *want)
{
    char path[512];
    clscan_device_info info = {.struct_size = sizeof info, .name = "as before"};
    clscan_error error = {0};
    FILE *file;

    snprintf(path, sizeof path, "%s/device.json", folder);
    file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(clscan_device_load(path, &info, &error), CLSCAN_ERROR_FILE);
    assert_non_null(strstr(error.message, path));
    assert_non_null(strstr(error.message, want));
    assert_string_equal(info.name, "as before");
    unlink(path);
}

static void a_recorded_device_is_read_or_refused(void **state)
{
    (void)state;
    char folder[] = "/tmp/clscan-device-XXXXXX";
    clscan_device_info info = {.struct_size = sizeof info};
    clscan_error error;

    assert_int_equal(clscan_device_load(CLSCAN_FIXTURES "/devices/nvidia-h200.json", &info, &error), CLSCAN_OK);
    assert_string_equal(info.key, "nvidia-h200");
    assert_non_null(mkdtemp(folder));
    check_refused(folder, "{\n\"source\": ", "line 2");
    check_refused(folder, "{}", "platform_name");
    check_refused(folder, "{\"platform_name\": 1}", "platform_name");
    check_refused(folder, "[]", "platform_name");
    rmdir(folder);
    assert_int_equal(clscan_device_load("/nonexistent", &info, &error), CLSCAN_ERROR_FILE);
    assert_int_equal(clscan_device_load(NULL, &info, &error), CLSCAN_ERROR_NULL_ARGUMENT);
    assert_non_null(strstr(error.message, "path is NULL"));
    assert_int_equal(clscan_device_load("/nonexistent", NULL, &error), CLSCAN_ERROR_NULL_ARGUMENT);
    assert_non_null(strstr(error.message, "info is NULL"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_devices_are_decided_as_expected),
        cmocka_unit_test(every_recorded_device_is_expected),
        cmocka_unit_test(names_are_normalised),
        cmocka_unit_test(unnamed_drivers_get_nothing),
        cmocka_unit_test(overlong_text_is_cut_at_a_word),
        cmocka_unit_test(versions_are_read_strictly),
        cmocka_unit_test(unreadable_versions_get_no_atomics),
        cmocka_unit_test(a_word_in_a_list_is_a_whole_word),
        cmocka_unit_test(nvidia_depends_on_compute_capability),
        cmocka_unit_test(c11_needs_promise_feature_and_64_bits),
        cmocka_unit_test(old_atomics_are_trusted_on_known_devices_only),
        cmocka_unit_test(quirks_take_away_what_a_driver_promises),
        cmocka_unit_test(nothing_at_all_is_described_too),
        cmocka_unit_test(types_are_refused_with_a_reason),
        cmocka_unit_test(double_is_found_in_old_and_new_ways),
        cmocka_unit_test(facts_without_a_query_come_by_architecture),
        cmocka_unit_test(a_query_of_banks_counts_before_the_table),
        cmocka_unit_test(promises_become_words),
        cmocka_unit_test(long_lists_of_promises_fit),
        cmocka_unit_test(every_enumerator_has_a_name),
        cmocka_unit_test(null_arguments_are_refused),
        cmocka_unit_test(a_recorded_device_is_read_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
