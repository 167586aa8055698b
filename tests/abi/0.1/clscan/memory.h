/** \file memory.h
 * Memory of the caller's, said in one way everywhere: its kind, its handle, and an offset.
 *
 * \code
 * clscan_run_args args = {sizeof args,
 *                         .in.buffer = buffer,                               // from its beginning on
 *                         .out = {.buffer = buffer, .offset = 100},          // from its element 100 on
 *                         .initial = {CLSCAN_MEMORY_HOST, .pointer = &start} // a value of the host's
 *                         .count = 50};
 * \endcode
 */
#ifndef CLSCAN_MEMORY_H
#define CLSCAN_MEMORY_H

#include <stdint.h>

#include <clscan/export.h>

#include <CL/cl.h>

#ifdef __cplusplus
extern "C" {
#endif

/* clang-format off */
/*    name     text     handle    meaning */
#define CLSCAN_MEMORY_KIND_LIST(X)                                                                               \
    X(BUFFER,  buffer,  buffer,  "an OpenCL buffer or sub-buffer")                                               \
    X(HOST,    host,    pointer, "host memory, which is read before the call returns: initial values only")      \
    X(SVM,     svm,     pointer, "shared virtual memory of OpenCL 2.0; not served yet")                          \
    X(USM,     usm,     pointer, "unified shared memory (cl_intel_unified_shared_memory); not served yet")       \
    X(ADDRESS, address, address, "a device address (cl_ext_buffer_device_address); not served yet")
/* clang-format on */

/** What a clscan_memory refers to, and by which of its handles. */
typedef enum clscan_memory_kind {
#define X(name, text, handle, meaning) CLSCAN_MEMORY_##name,
    CLSCAN_MEMORY_KIND_LIST(X)
#undef X
        CLSCAN_MEMORY_KIND_COUNT /**< number of kinds; not a kind */
} clscan_memory_kind;

/** A place in memory. All zero: none. A plain value whose size never changes: other memory becomes a kind. */
typedef struct clscan_memory {
    clscan_memory_kind kind; /**< says which handle counts; 0: buffer */
    uint32_t reserved;       /**< 0 */
    union {
        cl_mem buffer;       /**< of kind BUFFER; NULL: none */
        const void *pointer; /**< of the kinds HOST, SVM and USM; NULL: none */
        uint64_t address;    /**< of kind ADDRESS; 0: none */
    };
    uint64_t offset; /**< where it begins behind the handle, in elements of what is there */
} clscan_memory;

/** Name of a \p kind, "buffer"; "invalid" for other numbers. Static, never NULL. */
CLSCAN_API const char *clscan_memory_kind_name(clscan_memory_kind kind);

#ifdef __cplusplus
}
#endif
#endif
