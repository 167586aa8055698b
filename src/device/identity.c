#include "device/identity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/words.h"

/* Who implements OpenCL: the platform decides, not the vendor of the silicon.
 *
 * The same GPU behaves differently under its vendor's driver, PoCL, Mesa or a translation layer, so
 * `word`, the first word of key and family, comes from the platform's name. Platforms that are not
 * in the table become "other-<vendor>", which no table about forward progress or mechanisms names.
 */
typedef enum model_source {
    MODEL_IN_NAME,    /* CL_DEVICE_NAME */
    MODEL_IN_VERSION, /* CL_DEVICE_VERSION after "OpenCL 3.0 " */
} model_source;

typedef struct runtime_row {
    const char *platform; /* contained in CL_PLATFORM_NAME, without regard to case */
    const char *word;
    model_source model;
    const char *end;         /* the model's name ends before this text; "" for none */
    const char *drop;        /* words of the model's name that say nothing, separated by spaces */
    uint32_t sub_group_size; /* no smaller one on any of its devices; 0 if that is not known */
    const char *sub_group_reason;
} runtime_row;

#define BY_COMPILER "the compiler chooses it for each kernel"
#define REQUIRED "kernels are compiled for it (cl_intel_required_subgroup_size)"
#define NOT_KNOWN "nothing is known of this driver"

/* clang-format off */
static const runtime_row runtimes[] = {
    /* "pthread-skylake-avx512-Intel(R) Xeon(R) Processor", since 4.0 "cpu-skylake-...". The
     * single-threaded drivers "basic" and "cpu-minimal" keep a word: they are tuned differently. */
    {"Portable Computing Language", "pocl",     MODEL_IN_NAME,    "",   "pthread cpu",        0,  BY_COMPILER},
    /* "llvmpipe (LLVM 15.0.6, 256 bits)", "AMD Radeon RX 6800 (radeonsi, navi21, LLVM ...)" */
    {"rusticl",                     "mesa",     MODEL_IN_NAME,    " (", "mesa graphics",      0,  BY_COMPILER},
    {"Clover",                      "mesa",     MODEL_IN_NAME,    " (", "mesa graphics",      0,  BY_COMPILER},
    {"Oclgrind",                    "oclgrind", MODEL_IN_NAME,    "",   "oclgrind",           0,  "the simulator has no sub-groups"},
    /* A warp has been 32 work-items on every NVIDIA GPU so far. */
    {"NVIDIA CUDA",                 "nvidia",   MODEL_IN_NAME,    "",   "nvidia",             32, "every NVIDIA GPU has warps of 32"},
    /* "gfx90a:sramecc+:xnack-". Wavefronts have 64 work-items, on RDNA 32 as a rule. */
    {"AMD Accelerated Parallel",    "amd",      MODEL_IN_NAME,    ":",  "amd",                32, "no AMD GPU has narrower wavefronts"},
    {"Intel(R)",                    "intel",    MODEL_IN_NAME,    "",   "intel graphics cpu", 0,  BY_COMPILER},
    {"Apple",                       "apple",    MODEL_IN_NAME,    "",   "apple",              0,  NOT_KNOWN},
    /* "Mali-G610 r0p0" */
    {"ARM Platform",                "arm",      MODEL_IN_NAME,    " r", "arm",                0,  BY_COMPILER},
    /* The name may be only "QUALCOMM Adreno(TM)"; the version is "OpenCL 3.0 Adreno(TM) 750". */
    {"QUALCOMM",                    "qualcomm", MODEL_IN_VERSION, "",   "qualcomm gpu",       0,  BY_COMPILER},
};

/* Where the compiler chooses a size for each kernel, but takes one that the kernel requires: one that all devices of
 * the runtime have. Intel's GPUs have 8 (older ones), 16 and 32, its CPU runtime 4 to 64. */
static const struct {
    const char *word; /* of `runtimes` */
    uint32_t sub_group_size;
} required_sizes[] = {{"intel", 16}};

/* Architectures: what is tuned alike. First matching row; none: "". */
typedef enum architecture_rule {
    ARCHITECTURE_TEXT,       /* as written */
    ARCHITECTURE_CAPABILITY, /* as written and the compute capability; "" if that is unknown */
    ARCHITECTURE_KEY,        /* same as the key */
} architecture_rule;

typedef struct architecture_row {
    const char *device; /* pattern: see clscan__identity_matches() */
    architecture_rule rule;
    const char *text;
} architecture_row;

static const architecture_row architectures[] = {
    {"pocl-cpu",                    ARCHITECTURE_TEXT,       "pocl-cpu"},
    {"nvidia-gpu",                  ARCHITECTURE_CAPABILITY, "nvidia-sm-"},
    {"amd-gfx*",                    ARCHITECTURE_KEY,        ""},
    {"intel-arc-a*",                ARCHITECTURE_TEXT,       "intel-xe-hpg"},
    {"intel-arc-pro-a*",            ARCHITECTURE_TEXT,       "intel-xe-hpg"},
    {"intel-data-center-gpu-flex*", ARCHITECTURE_TEXT,       "intel-xe-hpg"},
    {"intel-data-center-gpu-max*",  ARCHITECTURE_TEXT,       "intel-xe-hpc"},
    {"intel-arc-b*",                ARCHITECTURE_TEXT,       "intel-xe2-hpg"},
    {"intel-arc-pro-b*",            ARCHITECTURE_TEXT,       "intel-xe2-hpg"},
    {"intel-iris-xe*",              ARCHITECTURE_TEXT,       "intel-xe-lp"},
    {"intel-uhd-7*",                ARCHITECTURE_TEXT,       "intel-xe-lp"},
};

/* Mesa's software renderers are CPUs, also where RUSTICL_DEVICE_TYPE or a Vulkan layer presents
 * them as GPUs. */
static const char *const software_renderers[] = {"llvmpipe", "lavapipe", "softpipe"};
/* clang-format on */

static const runtime_row *find_runtime(const char *platform_name)
{
    for (size_t i = 0; i < sizeof runtimes / sizeof runtimes[0]; ++i)
        if (clscan__contains(platform_name, runtimes[i].platform))
            return &runtimes[i];
    return NULL;
}

/* Where several type bits are set (Oclgrind sets all) a GPU is assumed: its variants need no CPU
 * runtime. */
static clscan_device_class classify(const clscan__device_raw *raw)
{
    for (size_t i = 0; i < sizeof software_renderers / sizeof software_renderers[0]; ++i)
        if (clscan__contains(raw->name, software_renderers[i]))
            return CLSCAN_DEVICE_CLASS_CPU;
    if (raw->type & CL_DEVICE_TYPE_GPU)
        return CLSCAN_DEVICE_CLASS_GPU;
    if (raw->type & CL_DEVICE_TYPE_CPU)
        return CLSCAN_DEVICE_CLASS_CPU;
    if (raw->type & CL_DEVICE_TYPE_ACCELERATOR)
        return CLSCAN_DEVICE_CLASS_ACCELERATOR;
    return CLSCAN_DEVICE_CLASS_OTHER;
}

/* Length of "(R)", "(TM)" or "(C)" at `text`, else 0. */
static size_t trade_mark(const char *text)
{
    static const char *const marks[] = {"(r)", "(tm)", "(c)"};
    for (size_t m = 0; m < sizeof marks / sizeof marks[0]; ++m) {
        size_t i = 0;
        while (marks[m][i] != '\0' && clscan__lower(text[i]) == marks[m][i])
            ++i;
        if (marks[m][i] == '\0')
            return i;
    }
    return 0;
}

/* Copy the next word of [text, end), in lower case and at most word_bytes - 1 letters and digits of
 * it; *word is empty at the end. Returns the place behind it. */
static const char *next_word(const char *text, const char *end, char *word, size_t word_bytes)
{
    size_t length = 0;
    for (; text < end; ++text) {
        const char c = clscan__lower(*text);
        if (clscan__is_digit(c) || (c >= 'a' && c <= 'z')) {
            if (length + 1 < word_bytes)
                word[length++] = c;
            continue;
        }
        if (length > 0)
            break;
        const size_t mark = trade_mark(text);
        text += mark > 0 ? mark - 1 : 0;
    }
    word[length] = '\0';
    return text;
}

/* Append "-word" for each word of `text` that is not in `drop`. A word that does not fit ends the
 * slug, so that a cut key is still made of whole words. Returns whether anything was appended. */
static bool append_slug(char *slug, size_t slug_bytes, const char *text, const char *end, const char *drop)
{
    const size_t before = strlen(slug);
    char word[48];
    for (;;) {
        text = next_word(text, end, word, sizeof word);
        const size_t length = strlen(slug);
        if (word[0] == '\0' || length + 1 + strlen(word) >= slug_bytes)
            break;
        if (clscan__has_word(drop, word))
            continue;
        snprintf(slug + length, slug_bytes - length, "%s%s", length > 0 ? "-" : "", word);
    }
    return strlen(slug) > before;
}

static const char *model_text(const clscan__device_raw *raw, const runtime_row *runtime)
{
    if (runtime == NULL || runtime->model == MODEL_IN_NAME)
        return raw->name;
    const char *after_opencl = strchr(raw->device_version, ' ');
    const char *after_number = after_opencl != NULL ? strchr(after_opencl + 1, ' ') : NULL;
    return after_number != NULL ? after_number : raw->name;
}

static void fill_key(const clscan__device_raw *raw, const runtime_row *runtime, const char *word,
                     clscan_device_info *info)
{
    const char *text = model_text(raw, runtime);
    const char *end = text + strlen(text);
    if (runtime != NULL && runtime->end[0] != '\0' && strstr(text, runtime->end) != NULL)
        end = strstr(text, runtime->end);
    clscan__copy_text(info->key, sizeof info->key, word);
    if (!append_slug(info->key, sizeof info->key, text, end, runtime != NULL ? runtime->drop : "")) {
        static const char unknown[] = "unknown";
        append_slug(info->key, sizeof info->key, unknown, unknown + strlen(unknown), "");
    }
}

static void fill_architecture(const clscan__device_raw *raw, clscan_device_info *info)
{
    info->architecture[0] = '\0';
    for (size_t i = 0; i < sizeof architectures / sizeof architectures[0]; ++i) {
        const architecture_row *row = &architectures[i];
        if (!clscan__identity_matches(info, row->device))
            continue;
        if (row->rule == ARCHITECTURE_TEXT)
            clscan__copy_text(info->architecture, sizeof info->architecture, row->text);
        else if (row->rule == ARCHITECTURE_KEY)
            clscan__copy_text(info->architecture, sizeof info->architecture, info->key);
        else if (raw->nv_compute_capability != 0)
            snprintf(info->architecture, sizeof info->architecture, "%s%u", row->text,
                     (unsigned)raw->nv_compute_capability);
        return;
    }
}

static void fill_sub_group_size(const clscan__device_raw *raw, const runtime_row *runtime, clscan_device_info *info)
{
    info->sub_group_size = runtime != NULL ? runtime->sub_group_size : 0;
    clscan__copy_text(info->sub_group_reason, sizeof info->sub_group_reason,
                      runtime != NULL ? runtime->sub_group_reason : NOT_KNOWN);
    if (runtime == NULL || !clscan__has_word(raw->extensions, "cl_intel_required_subgroup_size"))
        return;
    for (size_t i = 0; i < sizeof required_sizes / sizeof required_sizes[0]; ++i) {
        if (strcmp(runtime->word, required_sizes[i].word) != 0)
            continue;
        info->sub_group_size = required_sizes[i].sub_group_size;
        clscan__copy_text(info->sub_group_reason, sizeof info->sub_group_reason, REQUIRED);
    }
}

void clscan__identity_fill(const clscan__device_raw *raw, clscan_device_info *info)
{
    const runtime_row *runtime = find_runtime(raw->platform_name);
    char word[40] = "";
    if (runtime != NULL) {
        clscan__copy_text(word, sizeof word, runtime->word);
    } else {
        clscan__copy_text(word, sizeof word, "other");
        append_slug(word, sizeof word, raw->vendor, raw->vendor + strlen(raw->vendor), "");
    }

    info->device_class = classify(raw);
    fill_sub_group_size(raw, runtime, info);
    fill_key(raw, runtime, word, info);
    snprintf(info->family, sizeof info->family, "%s-%s", word, clscan_device_class_name(info->device_class));
    clscan__copy_text(info->generic, sizeof info->generic,
                      info->device_class == CLSCAN_DEVICE_CLASS_CPU ? "generic-cpu" : "generic-gpu");
    fill_architecture(raw, info);
}

bool clscan__identity_matches(const clscan_device_info *info, const char *pattern)
{
    return clscan__matches(pattern, info->key) || clscan__matches(pattern, info->architecture) ||
           clscan__matches(pattern, info->family);
}

unsigned long clscan__identity_driver(const clscan_device_info *info)
{
    return strtoul(info->driver_version, NULL, 10);
}
