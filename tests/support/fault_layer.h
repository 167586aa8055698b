/* An OpenCL loader layer (ocl-icd's OPENCL_LAYERS) that makes one call fail and counts objects.
 *
 * The loader opens the layer; the test program opens the same file again and finds these functions
 * by name, since it must arm the fault at a certain moment. For other programs CLSCAN_TEST_FAULT says
 * which call fails, with CL_OUT_OF_RESOURCES: "clFinish,3" is the third clFinish(). */
#ifndef CLSCAN_TESTS_FAULT_LAYER_H
#define CLSCAN_TESTS_FAULT_LAYER_H

/* clang-format off */
/** Calls that can be made to fail: all that the library makes but releases, whose results tell nobody anything. */
#define TEST_FAULT_CALL_LIST(X)   \
    X(clGetPlatformIDs)           \
    X(clGetPlatformInfo)          \
    X(clGetDeviceIDs)             \
    X(clGetDeviceInfo)            \
    X(clGetContextInfo)           \
    X(clCreateCommandQueue)       \
    X(clCreateBuffer)             \
    X(clCreateSubBuffer)          \
    X(clCreateProgramWithSource)  \
    X(clCreateProgramWithBinary)  \
    X(clBuildProgram)             \
    X(clCreateKernel)             \
    X(clCreateKernelsInProgram)   \
    X(clSetKernelArg)             \
    X(clEnqueueNDRangeKernel)     \
    X(clEnqueueFillBuffer)        \
    X(clEnqueueReadBuffer)        \
    X(clEnqueueWriteBuffer)       \
    X(clEnqueueCopyBuffer)        \
    X(clEnqueueMapBuffer)         \
    X(clEnqueueUnmapMemObject)    \
    X(clEnqueueMarkerWithWaitList) \
    X(clEnqueueBarrierWithWaitList) \
    X(clCreateUserEvent)          \
    X(clSetUserEventStatus)       \
    X(clSetEventCallback)         \
    X(clWaitForEvents)            \
    X(clGetEventInfo)             \
    X(clFlush)                    \
    X(clFinish)                   \
    X(clRetainDevice)             \
    X(clRetainContext)            \
    X(clRetainCommandQueue)       \
    X(clRetainMemObject)          \
    X(clRetainKernel)             \
    X(clRetainProgram)            \
    X(clRetainEvent)              \
    X(clGetProgramInfo)           \
    X(clGetProgramBuildInfo)      \
    X(clGetKernelInfo)            \
    X(clGetKernelWorkGroupInfo)   \
    X(clGetExtensionFunctionAddressForPlatform) \
    X(clGetMemObjectInfo)         \
    X(clGetCommandQueueInfo)

/** Objects whose references are counted, and buffers that are mapped. */
#define TEST_FAULT_OBJECT_LIST(X) X(MEM) X(PROGRAM) X(KERNEL) X(EVENT) X(QUEUE) X(CONTEXT) X(DEVICE) X(MAP)
/* clang-format on */

typedef enum test_fault_call {
#define X(name) TEST_FAULT_##name,
    TEST_FAULT_CALL_LIST(X)
#undef X
        TEST_FAULT_CALL_COUNT,
    TEST_FAULT_ANY_CALL, /**< for test_fault_arm(): whichever call comes nth */
    TEST_FAULT_NO_CALL
} test_fault_call;

typedef enum test_fault_object {
#define X(name) TEST_FAULT_OBJECT_##name,
    TEST_FAULT_OBJECT_LIST(X)
#undef X
        TEST_FAULT_OBJECT_COUNT
} test_fault_object;

/** Make the nth call from now (1: the next one) give `code`; the ones before and after it pass. */
typedef void test_fault_arm_function(test_fault_call call, unsigned nth, int code);
/** Nothing fails from now on. \return 1 if the armed fault was met. */
typedef int test_fault_disarm_function(void);
/** From now on (1) a call that enqueues a command returns only when all that the command waits for has ended, as
 * drivers may do it; it gives up after 10 s. 0: no longer. \return how many gave up since the last change. */
typedef unsigned test_fault_block_function(int block);
/** From the nth call on (1: the next one) that uses a queue of this cl_context, its device is lost: such calls fail,
 * and its events end with an error. NULL: it is back. \return how many calls were refused since the last change. */
typedef unsigned test_fault_lose_function(void *context, unsigned nth);
/** References that were made and not given back so far. */
typedef long test_fault_live_function(test_fault_object object);
/** How often a call was made so far. */
typedef unsigned long test_fault_calls_function(test_fault_call call);
/** Which call the fault struck last; TEST_FAULT_NO_CALL if none since it was armed. */
typedef test_fault_call test_fault_struck_function(void);
/** The cl_context of the queue that this call used; NULL: none. */
typedef void *test_fault_struck_context_function(void);

test_fault_arm_function test_fault_arm;
test_fault_disarm_function test_fault_disarm;
test_fault_block_function test_fault_block;
test_fault_lose_function test_fault_lose;
test_fault_live_function test_fault_live;
test_fault_calls_function test_fault_calls;
test_fault_struck_function test_fault_struck;
test_fault_struck_context_function test_fault_struck_context;

/** Names, for messages and for finding the functions. */
#define TEST_FAULT_ARM_NAME "test_fault_arm"
#define TEST_FAULT_DISARM_NAME "test_fault_disarm"
#define TEST_FAULT_BLOCK_NAME "test_fault_block"
#define TEST_FAULT_LOSE_NAME "test_fault_lose"
#define TEST_FAULT_LIVE_NAME "test_fault_live"
#define TEST_FAULT_CALLS_NAME "test_fault_calls"
#define TEST_FAULT_STRUCK_NAME "test_fault_struck"
#define TEST_FAULT_STRUCK_CONTEXT_NAME "test_fault_struck_context"

#endif
