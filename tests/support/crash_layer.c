/* A layer of the OpenCL loader (OPENCL_LAYERS) that makes a driver end the process, or never return: where a program's
 * source has one of the words of CLSCAN_TEST_CRASH, between commas. CLSCAN_TEST_CRASH_HOW: abort (default), exit, hang.
 * The word "devices" stands for the listing of platforms. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CL/cl_layer.h>

static const struct _cl_icd_dispatch *below;
static struct _cl_icd_dispatch ours;

static void crash(void)
{
    const char *how = getenv("CLSCAN_TEST_CRASH_HOW");

    if (how != NULL && strcmp(how, "exit") == 0)
        _exit(0);
    while (how != NULL && strcmp(how, "hang") == 0)
        pause();
    abort();
}

/* Is `text` one of the words, or has it one of them in it? */
static int is_hit(const char *text)
{
    const char *at = getenv("CLSCAN_TEST_CRASH");
    char word[64];

    for (; at != NULL && *at != '\0'; at += *at == ',') {
        const size_t length = strcspn(at, ",");

        if (length > 0 && length < sizeof word) {
            memcpy(word, at, length);
            word[length] = '\0';
            if (strstr(text, word) != NULL)
                return 1;
        }
        at += length;
    }
    return 0;
}

static cl_int CL_API_CALL my_clGetPlatformIDs(cl_uint capacity, cl_platform_id *platforms, cl_uint *count)
{
    if (is_hit("devices"))
        crash();
    return below->clGetPlatformIDs(capacity, platforms, count);
}

/* The library's sources are one text each, with its terminator. */
static cl_program CL_API_CALL my_clCreateProgramWithSource(cl_context context, cl_uint number, const char **strings,
                                                           const size_t *lengths, cl_int *code)
{
    for (cl_uint i = 0; i < number; ++i)
        if (is_hit(strings[i]))
            crash();
    return below->clCreateProgramWithSource(context, number, strings, lengths, code);
}

CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint entry_count, const struct _cl_icd_dispatch *target,
                                            cl_uint *entry_count_ret, const struct _cl_icd_dispatch **layer)
{
    const cl_uint entries = sizeof ours / sizeof(void *);

    if (entry_count < entries)
        return CL_INVALID_VALUE;
    below = target;
    ours = *target;
    ours.clGetPlatformIDs = my_clGetPlatformIDs;
    ours.clCreateProgramWithSource = my_clCreateProgramWithSource;
    *entry_count_ret = entries;
    *layer = &ours;
    return CL_SUCCESS;
}
