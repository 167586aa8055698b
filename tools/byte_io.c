#include "byte_io.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "failure.h"

/* Other ends of pipes may take their time, for ever perhaps; see pipeline.c, which ends such waits. */
static ssize_t read_next(int descriptor, void *data, size_t size_bytes)
{
    int state;
    ssize_t got;

    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &state);
    got = read(descriptor, data, size_bytes);
    pthread_setcancelstate(state, NULL);
    return got;
}

static ssize_t write_next(int descriptor, const void *data, size_t size_bytes)
{
    int state;
    ssize_t written;

    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &state);
    written = write(descriptor, data, size_bytes);
    pthread_setcancelstate(state, NULL);
    return written;
}

clscan_status read_all(int descriptor, const char *name, uint64_t at_bytes, void *data, size_t size_bytes,
                       size_t *read_bytes, clscan_error *error)
{
    *read_bytes = 0;
    while (*read_bytes < size_bytes) {
        char *next = (char *)data + *read_bytes;
        const size_t left_bytes = size_bytes - *read_bytes;
        const ssize_t got = at_bytes == IO_NEXT ? read_next(descriptor, next, left_bytes)
                                                : pread(descriptor, next, left_bytes, (off_t)(at_bytes + *read_bytes));

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail(error, CLSCAN_ERROR_FILE, "%s: %s", name, strerror(errno));
        if (got == 0)
            break;
        *read_bytes += (size_t)got;
    }
    return CLSCAN_OK;
}

clscan_status write_all(int descriptor, const char *name, uint64_t at_bytes, const void *data, size_t size_bytes,
                        clscan_error *error)
{
    size_t done_bytes = 0;

    while (done_bytes < size_bytes) {
        const char *next = (const char *)data + done_bytes;
        const size_t left_bytes = size_bytes - done_bytes;
        const ssize_t written = at_bytes == IO_NEXT
                                    ? write_next(descriptor, next, left_bytes)
                                    : pwrite(descriptor, next, left_bytes, (off_t)(at_bytes + done_bytes));

        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return fail(error, CLSCAN_ERROR_FILE, "%s: %s", name, strerror(errno));
        done_bytes += (size_t)written;
    }
    return CLSCAN_OK;
}
