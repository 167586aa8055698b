/* What the programs share: an in-order queue, steps that run on it one after the other, and texts. Their OpenCL buffers
 * live until they end. */
#ifndef CLSCAN_EXAMPLES_PROGRAM_H
#define CLSCAN_EXAMPLES_PROGRAM_H

#include <stdint.h>
#include <string.h>

#include "../example.h"

/* Where a program works: commands of an in-order queue need no events. */
typedef struct session {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
} session;

/* A problem that is ready to run. */
typedef struct step {
    clscan_plan *plan;
    clscan_workspace *workspace;
} step;

static inline session open_session(void)
{
    session s;

    s.context = open_context(&s.device);
    s.queue = open_queue(s.context, s.device, 0);
    return s;
}

static inline void close_session(const session *s)
{
    close_all(s->context, s->queue, 0, NULL);
}

static inline step open_step(const session *s, const clscan_problem *problem)
{
    step made = {0};

    made.plan = open_plan(s->context, s->device, s->queue, problem, &made.workspace);
    return made;
}

static inline void run_step(const session *s, const step *at, const clscan_run_args *args)
{
    clscan_error error = {0};

    must(clscan_run(at->plan, at->workspace, s->queue, args, 0, NULL, NULL, &error), &error);
}

/* What is enqueued goes on. */
static inline void close_step(const step *done)
{
    clscan_workspace_destroy(done->workspace);
    clscan_plan_destroy(done->plan);
}

/* Enqueue one run of a problem that no other run needs. */
static inline void run_once(const session *s, const clscan_problem *problem, const clscan_run_args *args)
{
    plan_and_run(s->context, s->device, s->queue, problem, args);
}

/* The kernel of that name in a source of OpenCL C. */
static inline cl_kernel open_kernel(const session *s, const char *source, const char *name)
{
    cl_int code;
    const cl_program program = clCreateProgramWithSource(s->context, 1, &source, NULL, &code);

    must_cl(code, "clCreateProgramWithSource");
    must_cl(clBuildProgram(program, 1, &s->device, "", NULL, NULL), "clBuildProgram");
    const cl_kernel kernel = clCreateKernel(program, name, &code);
    must_cl(code, "clCreateKernel");
    clReleaseProgram(program);
    return kernel;
}

/* Enqueue a kernel that takes buffers alone, and in which each work-item goes in steps as long as all of them. */
static inline void run_kernel(const session *s, cl_kernel kernel, cl_uint buffer_count, const cl_mem *buffers)
{
    const size_t size = 4096;

    for (cl_uint i = 0; i < buffer_count; ++i)
        must_cl(clSetKernelArg(kernel, i, sizeof buffers[i], &buffers[i]), "clSetKernelArg");
    must_cl(clEnqueueNDRangeKernel(s->queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL), "clEnqueueNDRangeKernel");
}

static inline void *allocate(size_t size_bytes)
{
    void *memory = calloc(size_bytes + 1, 1); /* a byte more: never 0, and texts end */

    if (memory == NULL) {
        fprintf(stderr, "out of memory: %zu bytes\n", size_bytes);
        exit(1);
    }
    return memory;
}

/* Wait for all steps, and copy what a buffer holds; the caller frees it. */
static inline void *read_buffer(const session *s, cl_mem buffer, size_t size_bytes)
{
    void *memory = allocate(size_bytes);

    if (size_bytes > 0)
        read_back(s->queue, buffer, size_bytes, memory);
    return memory;
}

static inline cl_uint read_number(const session *s, cl_mem buffer)
{
    cl_uint number;

    read_back(s->queue, buffer, sizeof number, &number);
    return number;
}

static inline void refuse(const char *file, const char *reason)
{
    fprintf(stderr, "%s: %s\n", file, reason);
    exit(1);
}

static inline FILE *open_file(const char *name, const char *mode)
{
    FILE *file = fopen(name, mode);

    if (file == NULL)
        refuse(name, "cannot be opened");
    return file;
}

/* All of a file, or if there is no name, a text of this function's own; the caller frees it. */
static inline char *read_text(const char *name, size_t *size)
{
    static const char words[] = "a scan of all prefixes is associative and need not commute ";
    enum { OWN_SIZE = 1000000, LARGEST = 1 << 30 };
    FILE *file = name != NULL ? open_file(name, "rb") : NULL;

    if (file == NULL) {
        char *text = allocate(*size = OWN_SIZE);
        for (size_t i = 0; i < OWN_SIZE; ++i)
            text[i] = i * i % 4099 < 90 ? '\n' : words[(i + i / 300) % (sizeof words - 1)];
        return text;
    }
    if (fseek(file, 0, SEEK_END) != 0 || ftell(file) <= 0 || ftell(file) > LARGEST)
        refuse(name, "is empty, no plain file, or larger than 1 GiB");
    char *text = allocate(*size = (size_t)ftell(file));
    rewind(file);
    if (fread(text, 1, *size, file) != *size)
        refuse(name, "cannot be read");
    fclose(file);
    return text;
}

#endif
