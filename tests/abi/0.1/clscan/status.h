/** \file status.h
 * What a call answers: a status, and on request the detail behind it.
 *
 * Every function that can fail returns a clscan_status and takes an optional clscan_error as its last
 * argument. Outputs are written only when CLSCAN_OK is returned, unless a function says otherwise.
 */
#ifndef CLSCAN_STATUS_H
#define CLSCAN_STATUS_H

#include <stdint.h>

#include <clscan/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One list for enum, name and message. Numbers are pinned: they never change meaning between versions.
 * 10s: arguments of a call. 20s: the device. 30s: configs. 40s: programs. 50s: running. 60s: system. */
/* clang-format off */
#define CLSCAN_STATUS_LIST(X)                                                                            \
    X(OK,                        0, "success")                                                           \
    X(ERROR_NULL_ARGUMENT,      10, "a required argument is NULL")                                       \
    X(ERROR_STRUCT_SIZE,        11, "struct_size is not that of a known version of the struct")          \
    X(ERROR_INVALID_VALUE,      12, "an argument is outside its range")                                  \
    X(ERROR_COUNT_TOO_LARGE,    13, "count exceeds the maximum count of the plan")                       \
    X(ERROR_BUFFER_TOO_SMALL,   14, "a buffer holds fewer elements than the call names")                 \
    X(ERROR_BUFFER_ACCESS,      15, "a buffer's flags forbid the access that the call needs")            \
    X(ERROR_OVERLAP,            16, "buffers overlap in another way than in place")                      \
    X(ERROR_WRONG_CONTEXT,      17, "an object belongs to another context or device than the plan")      \
    X(ERROR_NO_IDENTITY,        18, "the operator has no identity and no initial value was given")       \
    X(ERROR_MEMORY_KIND,        19, "memory of this kind cannot be used here")                           \
    X(ERROR_NO_PLATFORM,        20, "no OpenCL platform is installed")                                   \
    X(ERROR_NO_DEVICE,          21, "no OpenCL device matches")                                          \
    X(ERROR_UNSUPPORTED_TYPE,   22, "the device or the operator does not support the element type")      \
    X(ERROR_DEVICE_LIMIT,       23, "the device's limits are too small")                                 \
    X(ERROR_ILLEGAL_VARIANT,    30, "the variant's parameters may not be combined")                      \
    X(ERROR_CONFIG_SYNTAX,      31, "a config file is not valid JSON")                                   \
    X(ERROR_CONFIG_SCHEMA,      32, "a config file breaks the config format")                            \
    X(ERROR_CONFIG_VERSION,     33, "a config file has another schema version")                          \
    X(ERROR_CONFIG_SIZE,        34, "a config file is larger than a config can be")                      \
    X(ERROR_BUILD,              40, "the OpenCL compiler refused a kernel")                              \
    X(ERROR_OPERATOR_SOURCE,    41, "the OpenCL compiler refused the custom operator's source")          \
    X(ERROR_ELEMENT_SOURCE,     42, "the element type does not compile, or differs on the device")       \
    X(ERROR_MAP_SOURCE,         43, "the OpenCL compiler refused a map")                                 \
    X(ERROR_WORKSPACE_UNBOUND,  50, "the workspace has no buffer bound")                                 \
    X(ERROR_WORKSPACE_BUSY,     51, "another thread is using the workspace")                             \
    X(ERROR_WORKSPACE_SIZE,     52, "the workspace buffer is too small or misaligned")                   \
    X(ERROR_OPENCL,             60, "an OpenCL call failed")                                             \
    X(ERROR_OUT_OF_MEMORY,      61, "host memory ran out")                                               \
    X(ERROR_FILE,               62, "a file could not be read or written")                               \
    X(ERROR_MPI,                63, "an MPI call failed")
/* clang-format on */

/** Result of a call. clscan_status_name() and clscan_status_message() describe each value. */
typedef enum clscan_status {
#define X(name, value, message) CLSCAN_##name = value,
    CLSCAN_STATUS_LIST(X)
#undef X
        CLSCAN_STATUS_END /**< greater than every status */
} clscan_status;

#define CLSCAN_ERROR_MESSAGE_BYTES 1024 /**< size of clscan_error.message, its terminator included */
#define CLSCAN_ERROR_LOG_BYTES 4096     /**< size of clscan_error.build_log, its terminator included */

/** Detail of a failed call.
 *
 * The caller owns it (the stack will do); its contents are unspecified before the first failure, and a
 * successful call leaves it as it is. NULL is accepted wherever a clscan_error * is taken. It has no struct_size, so
 * that it needs no preparation, and its size never changes: what later versions have to tell goes where `reserved` is.
 */
typedef struct clscan_error {
    clscan_status status;                     /**< same as the returned status */
    int cl_code;                              /**< the cl_int of the failed OpenCL call, else 0 */
    int line;                                 /**< place in a config file, 1-based; 0 if none */
    int column;                               /**< place in a config file, 1-based; 0 if none */
    char message[CLSCAN_ERROR_MESSAGE_BYTES]; /**< one line, names the culprit; always terminated */
    char build_log[CLSCAN_ERROR_LOG_BYTES];   /**< tail of the OpenCL build log, "" if none */
    uint32_t predicate;                       /**< the clscan_predicate that a variant breaks; 0 if none */
    uint32_t param;                           /**< 1 + the clscan_param that the predicate is about; 0 if about none */
    uint64_t reserved[7];                     /**< 0 */
} clscan_error;

/** Name of a status, "CLSCAN_ERROR_OVERLAP"; "CLSCAN_UNKNOWN" for other numbers. Static, never NULL. */
CLSCAN_API const char *clscan_status_name(clscan_status status);

/** What the caller did, in one clause. Static storage; never NULL. Thread-safe. */
CLSCAN_API const char *clscan_status_message(clscan_status status);

/** Name of an OpenCL error code, "CL_INVALID_VALUE"; "CL_UNKNOWN_ERROR" for others. Static, never NULL. */
CLSCAN_API const char *clscan_cl_error_name(int cl_code);

#ifdef __cplusplus
}
#endif
#endif
