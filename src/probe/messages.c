/* Messages between work-groups: cl/comm/probe.cl. */
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "element/types.h"
#include "engine/words.h"
#include "probe/rig.h"

enum { ROUNDS = 8, LEAST_LAUNCHES = 3, MOST_LAUNCHES = 8 };

/* After the least number of launches, no other begins beyond this time. */
#define ENOUGH_NS UINT64_C(15000000)

/* Nobody waits for somebody who waits for a whole chain, so less patience will do than in a scan. */
#define POLL_LIMIT_GPU (1u << 13)
#define POLL_LIMIT_CPU (1u << 21)

/* As cl/comm/probe.cl counts. */
typedef struct counters {
    cl_uint heard, missed, wrong;
} counters;

typedef struct desk {
    cl_kernel kernel;
    cl_uint missed_argument; /* index; the others stay as they are */
    cl_mem control, words;
    counters before;
} desk;

/* The draw word with the first epoch, and counters of 0. */
static clscan_status create_control(const clscan__probe_rig *rig, desk *d, clscan_error *error)
{
    const clscan__words words = clscan__words_of(rig->plan->info.mechanism);
    const cl_ulong draw_word = (cl_ulong)1 << words.ticket_bits;
    const cl_uint narrow_draw_word = (cl_uint)draw_word;
    unsigned char bytes[CLSCAN__REPORT_BYTES + sizeof(counters)] = {0};
    cl_int code;

    memcpy(bytes, words.word_bytes == 8 ? (const void *)&draw_word : &narrow_draw_word, words.word_bytes);
    d->control =
        clCreateBuffer(rig->plan->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof bytes, bytes, &code);
    return d->control != NULL ? CLSCAN_OK : clscan__error_opencl(error, "clCreateBuffer", code);
}

/* Words in which nothing was ever published. */
static clscan_status create_words(const clscan__probe_rig *rig, desk *d, clscan_error *error)
{
    const size_t size_bytes = (size_t)clscan__published_bytes(&rig->plan->info, rig->groups * ROUNDS, sizeof(cl_uint));
    void *zeros = calloc(1, size_bytes);
    cl_int code;

    if (zeros == NULL)
        return clscan__error_set(error, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for %zu bytes of messages", size_bytes);
    d->words = clCreateBuffer(rig->plan->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, size_bytes, zeros, &code);
    free(zeros);
    return d->words != NULL ? CLSCAN_OK : clscan__error_opencl(error, "clCreateBuffer", code);
}

static clscan_status open_desk(const clscan__probe_rig *rig, desk *d, clscan_error *error)
{
    clscan_status status;
    clscan__arguments arguments;
    const bool cpu = rig->plan->info.device_class == CLSCAN_DEVICE_CLASS_CPU;
    cl_int code;

    CLSCAN__TRY(create_control(rig, d, error));
    CLSCAN__TRY(create_words(rig, d, error));
    d->kernel = clCreateKernel(rig->plan->compiled[0].built.program, "clscan_probe", &code);
    if (d->kernel == NULL)
        return clscan__error_opencl(error, "clCreateKernel", code);
    arguments = (clscan__arguments){.kernel = d->kernel};
    clscan__argument_buffer(&arguments, d->control);
    clscan__argument_buffer(&arguments, d->words);
    clscan__argument_u32(&arguments, ROUNDS);
    clscan__argument_u32(&arguments, cpu ? POLL_LIMIT_CPU : POLL_LIMIT_GPU);
    CLSCAN__TRY(clscan__arguments_status(&arguments, error));
    d->missed_argument = arguments.next;

cleanup:
    return status;
}

static void close_desk(desk *d)
{
    if (d->kernel != NULL)
        clReleaseKernel(d->kernel);
    if (d->control != NULL)
        clReleaseMemObject(d->control);
    if (d->words != NULL)
        clReleaseMemObject(d->words);
}

/* How many messages one launch has: each work-item listens to one work-group before its own, as far as there is one. */
static uint32_t messages_of(const clscan__probe_rig *rig)
{
    const uint32_t items = rig->plan->compiled[0].variant.work_group_size;
    uint32_t listeners = 0;

    for (uint32_t own = 0; own < rig->groups; ++own)
        listeners += own < items ? own : items;
    return listeners * ROUNDS;
}

static clscan_status launch(const clscan__probe_rig *rig, desk *d, clscan_probe_finding *finding, clscan_error *error)
{
    clscan_status status;
    const uint32_t sent = messages_of(rig);
    clscan__sequence sequence = {0};
    counters now, more;

    CLSCAN__TRY_CL(clSetKernelArg, (d->kernel, d->missed_argument, sizeof d->before.missed, &d->before.missed));
    CLSCAN__TRY(clscan__sequence_begin(&sequence, rig->queue, false, 0, NULL, NULL, error));
    CLSCAN__TRY(clscan__sequence_kernel(&sequence, d->kernel, rig->groups,
                                        rig->plan->compiled[0].variant.work_group_size, true, error));
    CLSCAN__TRY_CL(clEnqueueReadBuffer,
                   (rig->queue, d->control, CL_TRUE, CLSCAN__REPORT_BYTES, sizeof now, &now, 0, NULL, NULL));
    more = (counters){now.heard - d->before.heard, now.missed - d->before.missed, now.wrong - d->before.wrong};
    d->before = now;
    ++finding->launches;
    finding->missed_launches += more.missed > 0;
    finding->wrong_messages += more.wrong;
    if (more.heard + more.missed + more.wrong != sent && more.wrong == 0)
        ++finding->wrong_messages;

cleanup:
    return status;
}

clscan_status clscan__probe_messages(const clscan__probe_rig *rig, clscan_probe_finding *finding, clscan_error *error)
{
    clscan_status status;
    uint64_t begin_ns = 0;
    desk d = {0};

    CLSCAN__TRY(open_desk(rig, &d, error));
    for (int i = 0; i < MOST_LAUNCHES && finding->wrong_messages == 0; ++i) {
        if (i >= LEAST_LAUNCHES && clscan__now_ns() - begin_ns > ENOUGH_NS)
            break;
        CLSCAN__TRY(launch(rig, &d, finding, error));
        if (i == 0)
            begin_ns = clscan__now_ns(); /* drivers finish compiling at the first launch */
    }
    finding->messages_ns = clscan__now_ns() - begin_ns;

cleanup:
    close_desk(&d);
    return status;
}
