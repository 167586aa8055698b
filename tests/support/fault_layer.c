#include "fault_layer.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <CL/cl_layer.h>

/* The loader's own functions below us, and ours: a copy with the entries below replaced. */
static const struct _cl_icd_dispatch *below;
static struct _cl_icd_dispatch ours;

static atomic_long live_objects[TEST_FAULT_OBJECT_COUNT];
static atomic_ulong call_counts[TEST_FAULT_CALL_COUNT];

/* The armed fault: `countdown` calls of `armed_call` until it strikes; 0 when nothing is armed. */
static atomic_int armed_call = TEST_FAULT_NO_CALL;
static atomic_int countdown;
static atomic_int armed_code;
static atomic_int struck = TEST_FAULT_NO_CALL;
static _Atomic(cl_context) struck_context;

void test_fault_arm(test_fault_call call, unsigned nth, int code)
{
    struck = TEST_FAULT_NO_CALL;
    struck_context = NULL;
    armed_code = code;
    countdown = (int)nth;
    armed_call = (int)call;
}

int test_fault_disarm(void)
{
    armed_call = TEST_FAULT_NO_CALL;
    return struck != TEST_FAULT_NO_CALL;
}

test_fault_call test_fault_struck(void)
{
    return (test_fault_call)struck;
}

void *test_fault_struck_context(void)
{
    return struck_context;
}

static atomic_int blocks;
static atomic_uint gave_up;

unsigned test_fault_block(int block)
{
    blocks = block;
    return atomic_exchange(&gave_up, 0);
}

/* Only a state that is known to be unfinished blocks. */
static void block(cl_uint count, const cl_event *events)
{
    enum { TURNS = 10000 };
    const struct timespec turn = {.tv_nsec = 1000000};
    unsigned turns = 0;

    for (cl_uint i = 0; i < count && blocks != 0 && turns < TURNS; ++i) {
        cl_int state = CL_COMPLETE;

        while (below->clGetEventInfo(events[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL) ==
                   CL_SUCCESS &&
               state > CL_COMPLETE && ++turns < TURNS)
            nanosleep(&turn, NULL);
    }
    if (turns >= TURNS)
        ++gave_up;
}

static _Atomic(cl_context) lost_context;
static atomic_int calls_to_loss;
static atomic_uint refused;

unsigned test_fault_lose(void *context, unsigned nth)
{
    lost_context = NULL;
    calls_to_loss = (int)nth;
    lost_context = context;
    return atomic_exchange(&refused, 0);
}

/* NULL: it has none. */
static cl_context context_of(cl_command_queue queue)
{
    cl_context context = NULL;

    if (below->clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL) != CL_SUCCESS)
        return NULL;
    return context;
}

/* The code of a call that uses the queue. */
static cl_int use(cl_command_queue queue)
{
    if (lost_context == NULL || context_of(queue) != lost_context ||
        (calls_to_loss > 0 && atomic_fetch_sub(&calls_to_loss, 1) > 1))
        return CL_SUCCESS;
    atomic_fetch_add(&refused, 1);
    return CL_DEVICE_NOT_AVAILABLE;
}

static int is_of_lost(cl_event event)
{
    cl_context context = NULL;

    return lost_context != NULL && calls_to_loss <= 0 &&
           below->clGetEventInfo(event, CL_EVENT_CONTEXT, sizeof context, &context, NULL) == CL_SUCCESS &&
           context == lost_context;
}

long test_fault_live(test_fault_object object)
{
    return live_objects[object];
}

unsigned long test_fault_calls(test_fault_call call)
{
    return call_counts[call];
}

/* The code that this call must give, or CL_SUCCESS to let it pass. */
static cl_int meet(test_fault_call call)
{
    atomic_fetch_add(&call_counts[call], 1);
    if ((armed_call != (int)call && armed_call != TEST_FAULT_ANY_CALL) || atomic_fetch_sub(&countdown, 1) != 1)
        return CL_SUCCESS;
    struck = (int)call;
    return armed_code;
}

/* The same for a call that uses a queue. */
static cl_int meet_on(cl_command_queue queue, test_fault_call call)
{
    const cl_int code = meet(call);

    if (code != CL_SUCCESS)
        struck_context = context_of(queue);
    return code;
}

static void count(test_fault_object object, long change, int happened)
{
    if (happened)
        atomic_fetch_add(&live_objects[object], change);
}

/* A call that makes an object and may be told to fail. */
#define MAKE(object, handle, name, parameters, arguments)   \
    static handle CL_API_CALL my_##name parameters          \
    {                                                       \
        const cl_int code = meet(TEST_FAULT_##name);        \
        if (code != CL_SUCCESS) {                           \
            if (errcode_ret != NULL)                        \
                *errcode_ret = code;                        \
            return NULL;                                    \
        }                                                   \
        handle made = below->name arguments;                \
        count(TEST_FAULT_OBJECT_##object, 1, made != NULL); \
        return made;                                        \
    }

/* A call that makes an object and is only counted. */
#define MAKE_COUNTED(object, handle, name, parameters, arguments) \
    static handle CL_API_CALL my_##name parameters                \
    {                                                             \
        handle made = below->name arguments;                      \
        count(TEST_FAULT_OBJECT_##object, 1, made != NULL);       \
        return made;                                              \
    }

/* A call that returns a code and may be told to fail. */
#define CALL(name, parameters, arguments)                         \
    static cl_int CL_API_CALL my_##name parameters                \
    {                                                             \
        const cl_int code = meet(TEST_FAULT_##name);              \
        return code != CL_SUCCESS ? code : below->name arguments; \
    }

/* The same for one that may also make an event. */
#define ENQUEUE(name, parameters, arguments)                                        \
    static cl_int CL_API_CALL my_##name parameters                                  \
    {                                                                               \
        cl_int code = meet_on(queue, TEST_FAULT_##name);                            \
        if (code == CL_SUCCESS)                                                     \
            code = use(queue);                                                      \
        if (code == CL_SUCCESS) {                                                   \
            block(wait_count, wait_list);                                           \
            code = below->name arguments;                                           \
            count(TEST_FAULT_OBJECT_EVENT, 1, code == CL_SUCCESS && event != NULL); \
        }                                                                           \
        return code;                                                                \
    }

#define RETAIN(object, name, parameters, arguments)                   \
    static cl_int CL_API_CALL my_##name parameters                    \
    {                                                                 \
        cl_int code = meet(TEST_FAULT_##name);                        \
        if (code == CL_SUCCESS) {                                     \
            code = below->name arguments;                             \
            count(TEST_FAULT_OBJECT_##object, 1, code == CL_SUCCESS); \
        }                                                             \
        return code;                                                  \
    }

/* Retain and release that are only counted. */
#define COUNTED(object, change, name, parameters, arguments)           \
    static cl_int CL_API_CALL my_##name parameters                     \
    {                                                                  \
        const cl_int code = below->name arguments;                     \
        count(TEST_FAULT_OBJECT_##object, change, code == CL_SUCCESS); \
        return code;                                                   \
    }

MAKE(MEM, cl_mem, clCreateBuffer,
     (cl_context context, cl_mem_flags flags, size_t size, void *host_ptr, cl_int *errcode_ret),
     (context, flags, size, host_ptr, errcode_ret))
MAKE(MEM, cl_mem, clCreateSubBuffer,
     (cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type, const void *info, cl_int *errcode_ret),
     (buffer, flags, type, info, errcode_ret))
RETAIN(MEM, clRetainMemObject, (cl_mem memobj), (memobj))
COUNTED(MEM, -1, clReleaseMemObject, (cl_mem memobj), (memobj))

MAKE(PROGRAM, cl_program, clCreateProgramWithSource,
     (cl_context context, cl_uint number, const char **strings, const size_t *lengths, cl_int *errcode_ret),
     (context, number, strings, lengths, errcode_ret))
MAKE(PROGRAM, cl_program, clCreateProgramWithBinary,
     (cl_context context, cl_uint device_count, const cl_device_id *devices, const size_t *lengths,
      const unsigned char **binaries, cl_int *binary_status, cl_int *errcode_ret),
     (context, device_count, devices, lengths, binaries, binary_status, errcode_ret))
RETAIN(PROGRAM, clRetainProgram, (cl_program program), (program))
COUNTED(PROGRAM, -1, clReleaseProgram, (cl_program program), (program))
CALL(clBuildProgram,
     (cl_program program, cl_uint device_count, const cl_device_id *devices, const char *options,
      void(CL_CALLBACK *notify)(cl_program, void *), void *user),
     (program, device_count, devices, options, notify, user))

MAKE(KERNEL, cl_kernel, clCreateKernel, (cl_program program, const char *kernel_name, cl_int *errcode_ret),
     (program, kernel_name, errcode_ret))
RETAIN(KERNEL, clRetainKernel, (cl_kernel kernel), (kernel))
COUNTED(KERNEL, -1, clReleaseKernel, (cl_kernel kernel), (kernel))
CALL(clSetKernelArg, (cl_kernel kernel, cl_uint index, size_t size, const void *value), (kernel, index, size, value))

static cl_int CL_API_CALL my_clCreateKernelsInProgram(cl_program program, cl_uint capacity, cl_kernel *kernels,
                                                      cl_uint *kernel_count)
{
    cl_uint made = 0;
    cl_int code = meet(TEST_FAULT_clCreateKernelsInProgram);
    if (code == CL_SUCCESS)
        code = below->clCreateKernelsInProgram(program, capacity, kernels, &made);
    if (kernel_count != NULL)
        *kernel_count = made;
    count(TEST_FAULT_OBJECT_KERNEL, (long)made, code == CL_SUCCESS && kernels != NULL);
    return code;
}

ENQUEUE(clEnqueueNDRangeKernel,
        (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset, const size_t *global,
         const size_t *local, cl_uint wait_count, const cl_event *wait_list, cl_event *event),
        (queue, kernel, dimensions, offset, global, local, wait_count, wait_list, event))
ENQUEUE(clEnqueueFillBuffer,
        (cl_command_queue queue, cl_mem buffer, const void *pattern, size_t pattern_size, size_t offset, size_t size,
         cl_uint wait_count, const cl_event *wait_list, cl_event *event),
        (queue, buffer, pattern, pattern_size, offset, size, wait_count, wait_list, event))
ENQUEUE(clEnqueueReadBuffer,
        (cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t size, void *data,
         cl_uint wait_count, const cl_event *wait_list, cl_event *event),
        (queue, buffer, blocking, offset, size, data, wait_count, wait_list, event))
ENQUEUE(clEnqueueWriteBuffer,
        (cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t size, const void *data,
         cl_uint wait_count, const cl_event *wait_list, cl_event *event),
        (queue, buffer, blocking, offset, size, data, wait_count, wait_list, event))
ENQUEUE(clEnqueueCopyBuffer,
        (cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset, size_t size,
         cl_uint wait_count, const cl_event *wait_list, cl_event *event),
        (queue, from, to, from_offset, to_offset, size, wait_count, wait_list, event))
static void *CL_API_CALL my_clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                               cl_map_flags flags, size_t offset, size_t size, cl_uint wait_count,
                                               const cl_event *wait_list, cl_event *event, cl_int *errcode_ret)
{
    cl_int code = meet_on(queue, TEST_FAULT_clEnqueueMapBuffer);
    void *mapped;

    if (code == CL_SUCCESS)
        code = use(queue);
    if (code != CL_SUCCESS) {
        if (errcode_ret != NULL)
            *errcode_ret = code;
        return NULL;
    }
    mapped = below->clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, size, wait_count, wait_list, event,
                                       errcode_ret);
    count(TEST_FAULT_OBJECT_EVENT, 1, mapped != NULL && event != NULL);
    count(TEST_FAULT_OBJECT_MAP, 1, mapped != NULL);
    return mapped;
}

/* With a lost device its maps are gone, too. */
static cl_int CL_API_CALL my_clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem memory, void *mapped,
                                                     cl_uint wait_count, const cl_event *wait_list, cl_event *event)
{
    cl_int code = meet_on(queue, TEST_FAULT_clEnqueueUnmapMemObject), unmapped;

    if (code != CL_SUCCESS)
        return code;
    block(wait_count, wait_list);
    unmapped = below->clEnqueueUnmapMemObject(queue, memory, mapped, wait_count, wait_list, event);
    count(TEST_FAULT_OBJECT_EVENT, 1, unmapped == CL_SUCCESS && event != NULL);
    count(TEST_FAULT_OBJECT_MAP, -1, unmapped == CL_SUCCESS);
    code = use(queue);
    return code == CL_SUCCESS ? unmapped : code;
}
ENQUEUE(clEnqueueMarkerWithWaitList,
        (cl_command_queue queue, cl_uint wait_count, const cl_event *wait_list, cl_event *event),
        (queue, wait_count, wait_list, event))
ENQUEUE(clEnqueueBarrierWithWaitList,
        (cl_command_queue queue, cl_uint wait_count, const cl_event *wait_list, cl_event *event),
        (queue, wait_count, wait_list, event))
MAKE(EVENT, cl_event, clCreateUserEvent, (cl_context context, cl_int *errcode_ret), (context, errcode_ret))
CALL(clSetUserEventStatus, (cl_event event, cl_int event_status), (event, event_status))
CALL(clSetEventCallback, (cl_event event, cl_int type, void(CL_CALLBACK *notify)(cl_event, cl_int, void *), void *user),
     (event, type, notify, user))
/* A driver under us goes on although its device is lost for those above: they are told when it has ended. */
static cl_int CL_API_CALL my_clWaitForEvents(cl_uint event_count, const cl_event *events)
{
    cl_int code = meet(TEST_FAULT_clWaitForEvents);

    if (code == CL_SUCCESS)
        code = below->clWaitForEvents(event_count, events);
    for (cl_uint i = 0; i < event_count && code == CL_SUCCESS; ++i)
        if (is_of_lost(events[i]))
            code = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    return code;
}

static cl_int CL_API_CALL my_clGetEventInfo(cl_event event, cl_event_info what, size_t size, void *value,
                                            size_t *size_ret)
{
    cl_int code = meet(TEST_FAULT_clGetEventInfo);

    if (code == CL_SUCCESS)
        code = below->clGetEventInfo(event, what, size, value, size_ret);
    if (code == CL_SUCCESS && what == CL_EVENT_COMMAND_EXECUTION_STATUS && value != NULL && is_of_lost(event))
        *(cl_int *)value = CL_DEVICE_NOT_AVAILABLE;
    return code;
}
RETAIN(EVENT, clRetainEvent, (cl_event event), (event))
COUNTED(EVENT, -1, clReleaseEvent, (cl_event event), (event))

MAKE(QUEUE, cl_command_queue, clCreateCommandQueue,
     (cl_context context, cl_device_id device, cl_command_queue_properties properties, cl_int *errcode_ret),
     (context, device, properties, errcode_ret))
RETAIN(QUEUE, clRetainCommandQueue, (cl_command_queue queue), (queue))
COUNTED(QUEUE, -1, clReleaseCommandQueue, (cl_command_queue queue), (queue))
RETAIN(CONTEXT, clRetainContext, (cl_context context), (context))
COUNTED(CONTEXT, -1, clReleaseContext, (cl_context context), (context))
MAKE_COUNTED(CONTEXT, cl_context, clCreateContext,
             (const cl_context_properties *properties, cl_uint device_count, const cl_device_id *devices,
              void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user, cl_int *errcode_ret),
             (properties, device_count, devices, notify, user, errcode_ret))

RETAIN(DEVICE, clRetainDevice, (cl_device_id device), (device))
COUNTED(DEVICE, -1, clReleaseDevice, (cl_device_id device), (device))
static cl_int CL_API_CALL my_clFlush(cl_command_queue queue)
{
    cl_int code = meet_on(queue, TEST_FAULT_clFlush);

    if (code == CL_SUCCESS)
        code = use(queue);
    return code == CL_SUCCESS ? below->clFlush(queue) : code;
}

static cl_int CL_API_CALL my_clFinish(cl_command_queue queue)
{
    cl_int code = meet_on(queue, TEST_FAULT_clFinish), finished;

    if (code != CL_SUCCESS)
        return code;
    finished = below->clFinish(queue);
    code = use(queue);
    return code == CL_SUCCESS ? finished : code;
}

CALL(clGetPlatformIDs, (cl_uint capacity, cl_platform_id *platforms, cl_uint *count), (capacity, platforms, count))
CALL(clGetPlatformInfo, (cl_platform_id platform, cl_platform_info what, size_t size, void *value, size_t *size_ret),
     (platform, what, size, value, size_ret))
CALL(clGetDeviceIDs,
     (cl_platform_id platform, cl_device_type type, cl_uint capacity, cl_device_id *devices, cl_uint *count),
     (platform, type, capacity, devices, count))
CALL(clGetDeviceInfo, (cl_device_id device, cl_device_info what, size_t size, void *value, size_t *size_ret),
     (device, what, size, value, size_ret))
CALL(clGetContextInfo, (cl_context context, cl_context_info what, size_t size, void *value, size_t *size_ret),
     (context, what, size, value, size_ret))
CALL(clGetProgramBuildInfo,
     (cl_program program, cl_device_id device, cl_program_build_info what, size_t size, void *value, size_t *size_ret),
     (program, device, what, size, value, size_ret))
CALL(clGetKernelInfo, (cl_kernel kernel, cl_kernel_info what, size_t size, void *value, size_t *size_ret),
     (kernel, what, size, value, size_ret))
CALL(clGetKernelWorkGroupInfo,
     (cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what, size_t size, void *value,
      size_t *size_ret),
     (kernel, device, what, size, value, size_ret))

static void *CL_API_CALL my_clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name)
{
    return meet(TEST_FAULT_clGetExtensionFunctionAddressForPlatform) == CL_SUCCESS
               ? below->clGetExtensionFunctionAddressForPlatform(platform, name)
               : NULL;
}
CALL(clGetProgramInfo, (cl_program program, cl_program_info what, size_t size, void *value, size_t *size_ret),
     (program, what, size, value, size_ret))
CALL(clGetMemObjectInfo, (cl_mem memobj, cl_mem_info what, size_t size, void *value, size_t *size_ret),
     (memobj, what, size, value, size_ret))
CALL(clGetCommandQueueInfo,
     (cl_command_queue queue, cl_command_queue_info what, size_t size, void *value, size_t *size_ret),
     (queue, what, size, value, size_ret))

static void arm_by_environment(void)
{
    static const char *const names[TEST_FAULT_CALL_COUNT] = {
#define X(name) #name,
        TEST_FAULT_CALL_LIST(X)
#undef X
    };
    const char *wanted = getenv("CLSCAN_TEST_FAULT");
    const size_t length = wanted != NULL ? strcspn(wanted, ",") : 0;

    for (int call = 0; call < TEST_FAULT_CALL_COUNT && length > 0 && wanted[length] == ','; ++call)
        if (strlen(names[call]) == length && strncmp(names[call], wanted, length) == 0)
            test_fault_arm((test_fault_call)call, (unsigned)strtoul(wanted + length + 1, NULL, 10),
                           CL_OUT_OF_RESOURCES);
}

CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint entry_count, const struct _cl_icd_dispatch *target,
                                            cl_uint *entry_count_ret, const struct _cl_icd_dispatch **layer)
{
    const cl_uint entries = sizeof ours / sizeof(void *);

    if (entry_count < entries)
        return CL_INVALID_VALUE;
    below = target;
    ours = *target;
#define X(name) ours.name = my_##name;
    TEST_FAULT_CALL_LIST(X)
#undef X
    ours.clReleaseMemObject = my_clReleaseMemObject;
    ours.clReleaseProgram = my_clReleaseProgram;
    ours.clReleaseKernel = my_clReleaseKernel;
    ours.clReleaseEvent = my_clReleaseEvent;
    ours.clReleaseCommandQueue = my_clReleaseCommandQueue;
    ours.clCreateContext = my_clCreateContext;
    ours.clReleaseDevice = my_clReleaseDevice;
    ours.clReleaseContext = my_clReleaseContext;
    arm_by_environment();
    *entry_count_ret = entries;
    *layer = &ours;
    return CL_SUCCESS;
}
