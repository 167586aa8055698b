/* All bytes or an error: reading and writing file descriptors. */
#ifndef CLSCAN_TOOLS_BYTE_IO_H
#define CLSCAN_TOOLS_BYTE_IO_H

#include <stddef.h>
#include <stdint.h>

#include <pthread.h>

#include <clscan/clscan.h>

/* Bytes that are worth one call. */
#define IO_BYTES ((size_t)8 << 20)

/* Instead of a place in the file: where the last call ended. */
#define IO_NEXT UINT64_MAX

/* Let io_interrupt() reach the calling thread and those that it starts from now on. */
void io_allow_interrupts(void);

/* End calls that wait for the other end of a pipe, and those that follow: they fail. A call that is just about to
 * begin is missed, so repeat it until the thread has ended. */
void io_interrupt(pthread_t thread);

/* Read until `size_bytes` are there or the file ends. `name` is for messages. */
clscan_status read_all(int descriptor, const char *name, uint64_t at_bytes, void *data, size_t size_bytes,
                       size_t *read_bytes, clscan_error *error);

clscan_status write_all(int descriptor, const char *name, uint64_t at_bytes, const void *data, size_t size_bytes,
                        clscan_error *error);

#endif
