#include "byte_io.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "command_line/failure.h"

static atomic_bool interrupted;

static void do_nothing(int number)
{
    (void)number;
}

void io_allow_interrupts(void)
{
    /* Without SA_RESTART, so that the signal ends system calls. */
    struct sigaction action = {.sa_handler = do_nothing};
    sigset_t signals;

    sigemptyset(&action.sa_mask);
    sigaction(SIGUSR1, &action, NULL);
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR1);
    pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
}

void io_interrupt(pthread_t thread)
{
    atomic_store(&interrupted, true);
    pthread_kill(thread, SIGUSR1);
}

/* After a failed call: is it worth another try? */
static bool was_disturbed(void)
{
    return errno == EINTR && !atomic_load(&interrupted);
}

clscan_status read_all(int descriptor, const char *name, uint64_t at_bytes, void *data, size_t size_bytes,
                       size_t *read_bytes, clscan_error *error)
{
    *read_bytes = 0;
    while (*read_bytes < size_bytes) {
        char *next = (char *)data + *read_bytes;
        const size_t left_bytes = size_bytes - *read_bytes;
        const ssize_t got = at_bytes == IO_NEXT ? read(descriptor, next, left_bytes)
                                                : pread(descriptor, next, left_bytes, (off_t)(at_bytes + *read_bytes));

        if (got < 0 && was_disturbed())
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
                                    ? write(descriptor, next, left_bytes)
                                    : pwrite(descriptor, next, left_bytes, (off_t)(at_bytes + done_bytes));

        if (written < 0 && was_disturbed())
            continue;
        if (written < 0)
            return fail(error, CLSCAN_ERROR_FILE, "%s: %s", name, strerror(errno));
        done_bytes += (size_t)written;
    }
    return CLSCAN_OK;
}
