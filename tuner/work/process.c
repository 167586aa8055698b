#include "work/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"

#define MAX_WAIT_MS 100    /* then the caller looks whether a child has ended; others may hold its pipes open */
#define IDLE_END_MS 2000   /* an idle child has so long to end by itself */
#define KILLED_END_MS 5000 /* a killed one; a driver may hold it in the kernel */
#define REAP_INTERVAL_MS 5
#define NS_PER_MS UINT64_C(1000000)

extern char **environ;

/* ---- Starting ---- */

typedef struct channel {
    int read;
    int write;
} channel;

static void close_one(int *descriptor)
{
    if (*descriptor >= 0)
        close(*descriptor);
    *descriptor = -1;
}

static bool open_channel(channel *made)
{
    int ends[2];

    if (pipe(ends) != 0)
        return false;
    made->read = ends[0];
    made->write = ends[1];
    return fcntl(made->read, F_SETFD, FD_CLOEXEC) == 0 && fcntl(made->write, F_SETFD, FD_CLOEXEC) == 0;
}

static bool never_block(int descriptor)
{
    const int flags = fcntl(descriptor, F_GETFL);

    return flags >= 0 && fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0;
}

/* An error number, or 0. */
static int spawn(tune_process *process, char **words, int in, int out, int errors)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t ordinary, none;
    int code = posix_spawn_file_actions_init(&actions);

    if (code != 0)
        return code;
    code = posix_spawnattr_init(&attributes);
    if (code != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return code;
    }
    sigemptyset(&none);
    sigemptyset(&ordinary);
    sigaddset(&ordinary, SIGPIPE);
    sigaddset(&ordinary, SIGINT);
    sigaddset(&ordinary, SIGTERM);
    sigaddset(&ordinary, SIGHUP);
    if ((code = posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO)) == 0 &&
        (code = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO)) == 0 &&
        (code = posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)) == 0 &&
        (code = posix_spawnattr_setpgroup(&attributes, 0)) == 0 &&
        (code = posix_spawnattr_setsigdefault(&attributes, &ordinary)) == 0 &&
        (code = posix_spawnattr_setsigmask(&attributes, &none)) == 0 &&
        (code = posix_spawnattr_setflags(&attributes,
                                         POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK)) == 0)
        code = posix_spawn(&process->pid, words[0], &actions, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

bool tune_process_start(tune_process *process, const char *const *command, const char *argument)
{
    char *words[TUNE_MAX_WORDS + 2] = {NULL};
    size_t count = 0;
    channel to = {-1, -1}, from = {-1, -1}, errors = {-1, -1};
    int code = 0;

    *process = (tune_process){.to = -1, .from = -1, .errors = -1};
    for (; command[count] != NULL && count < TUNE_MAX_WORDS; ++count)
        words[count] = (char *)command[count];
    words[count] = (char *)argument;
    signal(SIGPIPE, SIG_IGN);
    process->line = malloc(TUNE_LINE_BYTES);
    if (process->line == NULL || !open_channel(&to) || !open_channel(&from) || !open_channel(&errors) ||
        !never_block(to.write) || !never_block(from.read) || !never_block(errors.read))
        code = errno;
    else
        code = spawn(process, words, to.read, from.write, errors.write);
    process->to = to.write;
    process->from = from.read;
    process->errors = errors.read;
    close_one(&to.read);
    close_one(&from.write);
    close_one(&errors.write);
    if (code == 0)
        return true;
    process->pid = 0;
    tune_process_stop(process, false);
    errno = code;
    return false;
}

/* ---- Talking ---- */

static int milliseconds_until(uint64_t deadline_ns)
{
    const uint64_t now = clscan__now_ns();
    const uint64_t left_ms = now < deadline_ns ? (deadline_ns - now + NS_PER_MS - 1) / NS_PER_MS : 0;

    return left_ms > MAX_WAIT_MS ? MAX_WAIT_MS : (int)left_ms;
}

/* Read what there is of stderr and keep its end. */
static void drain_errors(tune_process *process)
{
    char chunk[4096];

    for (int round = 0; round < 64; ++round) { /* a flood must not keep us here */
        const ssize_t got = read(process->errors, chunk, sizeof chunk);
        size_t new_bytes, kept_bytes;

        if (got == 0)
            close_one(&process->errors);
        if (got <= 0)
            return;
        new_bytes = (size_t)got < TUNE_TAIL_BYTES ? (size_t)got : TUNE_TAIL_BYTES;
        kept_bytes = TUNE_TAIL_BYTES - new_bytes;
        if (kept_bytes > process->tail_bytes)
            kept_bytes = process->tail_bytes;
        memmove(process->tail, process->tail + process->tail_bytes - kept_bytes, kept_bytes);
        memcpy(process->tail + kept_bytes, chunk + (size_t)got - new_bytes, new_bytes);
        process->tail_bytes = kept_bytes + new_bytes;
    }
}

bool tune_process_write(tune_process *process, const char *text, size_t text_bytes, uint64_t deadline_ns)
{
    size_t written_bytes = 0;

    while (written_bytes < text_bytes) {
        const ssize_t got = process->to < 0 ? -1 : write(process->to, text + written_bytes, text_bytes - written_bytes);
        struct pollfd waits[] = {{.fd = process->to, .events = POLLOUT}, {.fd = process->errors, .events = POLLIN}};

        if (got >= 0) {
            written_bytes += (size_t)got;
            continue;
        }
        if (process->to < 0 || (errno != EAGAIN && errno != EINTR) || clscan__now_ns() >= deadline_ns)
            return false;
        (void)poll(waits, 2, milliseconds_until(deadline_ns));
        if (process->errors >= 0)
            drain_errors(process);
    }
    return true;
}

tune_reading tune_process_take(tune_process *process, char **line)
{
    memmove(process->line, process->line + process->taken_bytes, process->line_bytes - process->taken_bytes);
    process->line_bytes -= process->taken_bytes;
    process->taken_bytes = 0;
    for (;;) {
        char *end = memchr(process->line, '\n', process->line_bytes);
        ssize_t got;

        if (end != NULL) {
            *end = '\0';
            *line = process->line;
            process->taken_bytes = (size_t)(end - process->line) + 1;
            return TUNE_READING_LINE;
        }
        if (process->line_bytes == TUNE_LINE_BYTES)
            return TUNE_READING_TOO_LONG;
        if (process->from < 0)
            return TUNE_READING_END;
        got = read(process->from, process->line + process->line_bytes, TUNE_LINE_BYTES - process->line_bytes);
        if (got == 0)
            close_one(&process->from);
        else if (got > 0)
            process->line_bytes += (size_t)got;
        else if (errno == EAGAIN)
            return TUNE_READING_NOTHING;
        else if (errno != EINTR)
            close_one(&process->from);
    }
}

bool tune_process_ended(const tune_process *process)
{
    siginfo_t seen = {.si_pid = 0};

    return waitid(P_PID, (id_t)process->pid, &seen, WEXITED | WNOHANG | WNOWAIT) != 0 || seen.si_pid != 0;
}

const char *tune_process_doing(const tune_process *process)
{
    char path[64], text[512];
    const char *end;
    size_t bytes = 0;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%ld/stat", (long)process->pid);
    file = fopen(path, "re");
    if (file != NULL) {
        bytes = fread(text, 1, sizeof text - 1, file);
        fclose(file);
    }
    text[bytes] = '\0';
    end = strrchr(text, ')'); /* of its name, which may hold anything */
    switch (end != NULL && end[1] == ' ' ? end[2] : '\0') {
    case 'T':
    case 't':
        return "it was stopped";
    case 'R':
        return "it was computing";
    case 'D':
        return "it was waiting in the kernel, as for a device or a disk";
    case 'S':
        return "it was waiting, as for the device";
    default:
        return "";
    }
}

void tune_process_wait(tune_process *const *processes, size_t count, uint64_t deadline_ns)
{
    struct pollfd waits[2 * TUNE_MAX_WAITED];

    for (size_t i = 0; i < count; ++i) {
        waits[2 * i] = (struct pollfd){.fd = processes[i]->from, .events = POLLIN};
        waits[2 * i + 1] = (struct pollfd){.fd = processes[i]->errors, .events = POLLIN};
    }
    if (poll(waits, (nfds_t)(2 * count), milliseconds_until(deadline_ns)) <= 0)
        return;
    for (size_t i = 0; i < count; ++i)
        if (waits[2 * i + 1].revents != 0)
            drain_errors(processes[i]);
}

/* ---- Stopping ---- */

static void describe_end(tune_process *process, int status)
{
    if (WIFSIGNALED(status))
        snprintf(process->end, sizeof process->end, "was killed by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else
        snprintf(process->end, sizeof process->end, "exited with code %d", WEXITSTATUS(status));
}

/* True when the child is gone. It is looked at before it is reaped, so that its group, which it may have left running,
 * cannot be another one by then. How it ended is put down only where it did so by itself. */
static bool reap(tune_process *process, unsigned limit_ms, bool by_itself)
{
    const uint64_t deadline_ns = clscan__now_ns() + limit_ms * NS_PER_MS;
    const struct timespec interval = {.tv_nsec = REAP_INTERVAL_MS * (long)NS_PER_MS};

    for (;;) {
        siginfo_t seen = {.si_pid = 0};
        int status;

        if (waitid(P_PID, (id_t)process->pid, &seen, WEXITED | WNOHANG | WNOWAIT) != 0 && errno != EINTR)
            return true;
        if (seen.si_pid == process->pid) {
            kill(-process->pid, SIGKILL);
            if (waitpid(process->pid, &status, 0) == process->pid && by_itself)
                describe_end(process, status);
            return true;
        }
        if (clscan__now_ns() >= deadline_ns)
            return false;
        if (process->errors >= 0)
            drain_errors(process); /* it may be writing its last words */
        nanosleep(&interval, NULL);
    }
}

void tune_process_stop(tune_process *process, bool idle)
{
    const bool ended = process->pid != 0 && (process->from < 0 || tune_process_ended(process));

    close_one(&process->to);
    if (process->pid != 0 && !((idle || ended) && reap(process, IDLE_END_MS, true))) {
        kill(-process->pid, SIGKILL);
        (void)reap(process, KILLED_END_MS, false);
    }
    if (process->errors >= 0)
        drain_errors(process);
    close_one(&process->from);
    close_one(&process->errors);
    free(process->line);
    process->line = NULL;
    process->line_bytes = process->taken_bytes = 0;
    process->pid = 0;
}

void tune_process_last_words(const tune_process *process, char *text, size_t size_bytes)
{
    size_t end = process->tail_bytes;
    size_t begin, bytes;

    while (end > 0 && (process->tail[end - 1] == '\n' || process->tail[end - 1] == '\r'))
        --end;
    for (begin = end; begin > 0 && process->tail[begin - 1] != '\n'; --begin)
        ;
    bytes = end - begin < size_bytes ? end - begin : size_bytes - 1;
    memcpy(text, process->tail + begin, bytes);
    text[bytes] = '\0';
    for (char *c = text; *c != '\0'; ++c)
        if ((unsigned char)*c < ' ')
            *c = ' ';
}
