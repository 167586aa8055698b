#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void close_pair(int pair[2])
{
    for (int i = 0; i < 2; ++i) {
        if (pair[i] >= 0)
            close(pair[i]);
        pair[i] = -1;
    }
}

/* Both ends are closed in children, which get theirs by a name of their own. */
static bool make_pipe(int pair[2])
{
    if (pipe(pair) != 0)
        return false;
    return fcntl(pair[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(pair[1], F_SETFD, FD_CLOEXEC) == 0;
}

bool bench_child_start(bench_child *child, char *const arguments[], measure_note *note)
{
    int to[2] = {-1, -1}, from[2] = {-1, -1};
    posix_spawn_file_actions_t actions;
    int code;

    child->pid = 0;
    child->begin = child->end = 0;
    /* A child that is gone shows by an error of write(). */
    signal(SIGPIPE, SIG_IGN);
    if (!make_pipe(to) || !make_pipe(from)) {
        code = errno;
        goto failed;
    }
    code = posix_spawn_file_actions_init(&actions);
    if (code != 0)
        goto failed;
    code = posix_spawn_file_actions_adddup2(&actions, to[0], STDIN_FILENO);
    if (code == 0)
        code = posix_spawn_file_actions_adddup2(&actions, from[1], STDOUT_FILENO);
    if (code == 0)
        code = posix_spawn(&child->pid, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (code != 0)
        goto failed;
    child->to = to[1];
    child->from = from[0];
    close(to[0]);
    close(from[1]);
    if (fcntl(child->to, F_SETFL, O_NONBLOCK) == 0)
        return true;
    code = errno;
    bench_child_stop(child);
    return measure_fail(note, "%s: %s", arguments[0], strerror(code));

failed:
    child->pid = 0;
    close_pair(to);
    close_pair(from);
    return measure_fail(note, "%s: %s", arguments[0], strerror(code));
}

void bench_child_stop(bench_child *child)
{
    if (child->pid == 0)
        return;
    close(child->to);
    close(child->from);
    while (waitpid(child->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    child->pid = 0;
}

/* What a child does not do in time, or cannot do any more, it never will. */
static bool give_up(bench_child *child, measure_note *note, const char *what)
{
    if (child->pid != 0)
        kill(child->pid, SIGKILL);
    bench_child_stop(child);
    return measure_fail(note, "its process %s", what);
}

static bool wait_for(bench_child *child, int descriptor, short events, measure_note *note)
{
    struct pollfd ready = {.fd = descriptor, .events = events};
    int count;

    do
        count = poll(&ready, 1, BENCH_CHILD_PATIENCE_S * 1000);
    while (count < 0 && errno == EINTR);
    return count > 0 || give_up(child, note, "did not answer in time, and was ended");
}

bool bench_child_write(bench_child *child, const void *bytes, size_t size_bytes, measure_note *note)
{
    const char *next = bytes;

    if (child->pid == 0)
        return measure_fail(note, "its process has ended");
    while (size_bytes > 0) {
        ssize_t written;

        if (!wait_for(child, child->to, POLLOUT, note))
            return false;
        written = write(child->to, next, size_bytes);
        if (written < 0 && errno != EAGAIN && errno != EINTR)
            return give_up(child, note, "has ended");
        if (written > 0) {
            next += written;
            size_bytes -= (size_t)written;
        }
    }
    return true;
}

bool bench_child_say(bench_child *child, measure_note *note, const char *format, ...)
{
    char line[BENCH_CHILD_LINE_BYTES];
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(line, sizeof line - 1, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof line - 1)
        return measure_fail(note, "a command is too long");
    line[length] = '\n';
    return bench_child_write(child, line, (size_t)length + 1, note);
}

/* Wait until there is something in the buffer. */
static bool refill(bench_child *child, measure_note *note)
{
    ssize_t got;

    if (child->pid == 0)
        return measure_fail(note, "its process has ended");
    if (child->begin < child->end)
        return true;
    do {
        if (!wait_for(child, child->from, POLLIN, note))
            return false;
        got = read(child->from, child->buffer, sizeof child->buffer);
    } while (got < 0 && errno == EINTR);
    if (got <= 0)
        return give_up(child, note, "has ended");
    child->begin = 0;
    child->end = (size_t)got;
    return true;
}

bool bench_child_line(bench_child *child, char (*line)[BENCH_CHILD_LINE_BYTES], measure_note *note)
{
    for (size_t length = 0; length < sizeof *line; ++length) {
        if (!refill(child, note))
            return false;
        (*line)[length] = child->buffer[child->begin++];
        if ((*line)[length] == '\n') {
            (*line)[length] = '\0';
            return true;
        }
    }
    return give_up(child, note, "sent a line without end");
}

bool bench_child_read(bench_child *child, void *bytes, size_t size_bytes, measure_note *note)
{
    char *next = bytes;

    while (size_bytes > 0) {
        size_t part;

        if (!refill(child, note))
            return false;
        part = child->end - child->begin < size_bytes ? child->end - child->begin : size_bytes;
        memcpy(next, child->buffer + child->begin, part);
        child->begin += part;
        next += part;
        size_bytes -= part;
    }
    return true;
}
