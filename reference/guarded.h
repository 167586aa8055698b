/** \file guarded.h
 * Device buffers with canaries on both sides, and poisoned contents.
 *
 * A guarded buffer is one cl_mem: a guard, the payload, a guard. Guards and unwritten payload hold
 * a pattern that changes from byte to byte, so that a stray write of any value is seen. Reads past
 * the payload give poison, not zeros, so they show in the result.
 */
#ifndef CLSCAN_GUARDED_H
#define CLSCAN_GUARDED_H

#include <stddef.h>
#include <stdint.h>

#include <clscan/clscan.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes of canary on each side; a multiple of every element size and of every device's alignment,
 * so that the payload is as aligned as the buffer. */
#define CLSCAN_GUARD_BYTES 4096u

/** A device buffer and what it is expected to hold. Zero it before the first use. */
typedef struct clscan_guarded {
    cl_mem buffer; /**< CLSCAN_GUARD_BYTES + payload_bytes + CLSCAN_GUARD_BYTES */
    uint64_t payload_bytes;
    unsigned char *image; /**< payload_bytes that were uploaded, or expected */
} clscan_guarded;

/** Byte of the canary pattern at \p position of the whole buffer. */
unsigned char clscan_guarded_canary(uint64_t position);

/** Create a buffer and upload canaries and poison. Blocking.
 * \param flags    CL_MEM_READ_WRITE, CL_MEM_READ_ONLY or CL_MEM_WRITE_ONLY.
 * \param payload  payload_bytes to upload, or NULL: poison. */
clscan_status clscan_guarded_create(cl_context context, cl_command_queue queue, cl_mem_flags flags,
                                    uint64_t payload_bytes, const void *payload, clscan_guarded *guarded,
                                    clscan_error *error);

/** Element offset of payload element 0 inside the buffer. */
uint64_t clscan_guarded_first(size_t element_bytes);

/** Read everything back, blocking: the payload into \p payload (payload_bytes; may be NULL), and
 * compare the guards. \param damaged  Receives the position in the whole buffer of the first byte
 * of a guard that changed, or UINT64_MAX. */
clscan_status clscan_guarded_read(const clscan_guarded *guarded, cl_command_queue queue, void *payload,
                                  uint64_t *damaged, clscan_error *error);

/** Is the payload still what was uploaded, and are the guards alive?
 * \param changed  As \p damaged above, for the whole buffer. */
clscan_status clscan_guarded_unchanged(const clscan_guarded *guarded, cl_command_queue queue, uint64_t *changed,
                                       clscan_error *error);

/** Release the buffer. A zeroed struct is fine. */
void clscan_guarded_destroy(clscan_guarded *guarded);

#ifdef __cplusplus
}
#endif
#endif
