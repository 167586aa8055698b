#include "doctor_child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/clock.h"

/* A child that the kernel cannot end, since a driver holds it, is left behind. */
#define KILL_GRACE_MS 5000

const char *verdict_text(verdict which)
{
    static const char *const texts[] = {
#define X(name, text) text,
        VERDICT_LIST(X)
#undef X
    };
    return texts[which];
}

/* No output, no core file; the end of the process runs nothing of the driver's. */
static void be_child(attempt_function *function, const void *argument, int answers)
{
    const struct rlimit no_core = {0, 0};
    const int nowhere = open("/dev/null", O_RDWR);
    attempt result = {.verdict = VERDICT_WORKS};
    ssize_t written;

    setrlimit(RLIMIT_CORE, &no_core);
    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
    }
    function(argument, &result);
    do
        written = write(answers, &result, sizeof result);
    while (written < 0 && errno == EINTR);
    _exit(written == (ssize_t)sizeof result ? EXIT_SUCCESS : EXIT_FAILURE);
}

/* Wait until there is an answer, its end, or no time left. */
static bool read_answer(int answers, unsigned limit_s, attempt *result)
{
    const uint64_t end_ns = clscan__now_ns() + limit_s * UINT64_C(1000000000);
    struct pollfd wanted = {.fd = answers, .events = POLLIN};
    int ready;

    do {
        const uint64_t now_ns = clscan__now_ns();
        ready = poll(&wanted, 1, now_ns < end_ns ? (int)((end_ns - now_ns + 999999) / 1000000) : 0);
    } while (ready < 0 && errno == EINTR);
    if (ready == 0) {
        *result = (attempt){.verdict = VERDICT_HANGS};
        snprintf(result->text, sizeof result->text, "no end after %u s", limit_s);
        return false;
    }
    return read(answers, result, sizeof *result) == (ssize_t)sizeof *result;
}

static void end_child(pid_t child)
{
    const struct timespec pause = {0, 10 * 1000 * 1000};

    kill(child, SIGKILL);
    for (int waited_ms = 0; waited_ms < KILL_GRACE_MS && waitpid(child, NULL, WNOHANG) == 0; waited_ms += 10)
        nanosleep(&pause, NULL);
}

static attempt cannot_start(int code)
{
    attempt result = {.verdict = VERDICT_FAILS};

    snprintf(result.text, sizeof result.text, "no child process: %s", strerror(code));
    return result;
}

attempt attempt_in_child(attempt_function *function, const void *argument, unsigned limit_s)
{
    attempt result = {.verdict = VERDICT_CRASHES};
    int ends[2], how = 0;
    pid_t child;

    if (pipe(ends) != 0)
        return cannot_start(errno);
    fflush(NULL);
    child = fork();
    if (child < 0) {
        result = cannot_start(errno);
        close(ends[0]);
        close(ends[1]);
        return result;
    }
    if (child == 0) {
        close(ends[0]);
        be_child(function, argument, ends[1]);
    }
    close(ends[1]);
    if (read_answer(ends[0], limit_s, &result) || result.verdict == VERDICT_HANGS) {
        end_child(child);
    } else {
        waitpid(child, &how, 0);
        if (WIFSIGNALED(how))
            snprintf(result.text, sizeof result.text, "signal %d (%s)", WTERMSIG(how), strsignal(WTERMSIG(how)));
        else
            snprintf(result.text, sizeof result.text, "the driver ended the process with code %d", WEXITSTATUS(how));
    }
    close(ends[0]);
    return result;
}
