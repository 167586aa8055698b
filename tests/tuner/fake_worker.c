#include "fake_worker.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "synthetic.h"
#include "trial/trial.h"
#include "work/process.h"
#include "work/protocol.h"

#define LEAST_BAD_COUNT 100
#define FLOOD_BYTES 100000000

static void say(const char *text)
{
    if (fputs(text, stdout) == EOF || fflush(stdout) != 0)
        exit(EXIT_FAILURE);
}

static void answer(tune_answer *what)
{
    char *line = tune_answer_write(what);

    say(line);
    free(line);
}

static void sleep_forever(void)
{
    sigset_t all;

    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    for (;;)
        sleep(1000);
}

static void flood(FILE *stream, const char *piece)
{
    static char block[64 * 1024];
    const size_t piece_bytes = strlen(piece);
    size_t used_bytes = 0;

    for (; used_bytes + piece_bytes <= sizeof block; used_bytes += piece_bytes)
        memcpy(block + used_bytes, piece, piece_bytes);
    for (size_t written_bytes = 0; written_bytes < FLOOD_BYTES; written_bytes += used_bytes)
        if (fwrite(block, 1, used_bytes, stream) != used_bytes)
            exit(EXIT_FAILURE);
    fflush(stream);
}

/* Is a turn left of those that the file grants? Then takes one. */
static bool take_turn(const char *folder, const char *name)
{
    char path[4096];
    FILE *file;
    int left = 0;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "r+");
    if (file == NULL)
        return false;
    if (fscanf(file, "%d", &left) == 1 && left > 0) {
        rewind(file);
        fprintf(file, "%d\n", left - 1);
    }
    fclose(file);
    return left > 0;
}

static void answer_probe(const char *folder, tune_answer *what)
{
    if (take_turn(folder, FAKE_PROBES))
        exit(EXIT_FAILURE);
    answer(what);
}

static void answer_describe(tune_answer *what)
{
    clscan_device_info device = synthetic_gpu.info;

    what->devices = &device;
    what->device_count = 1;
    answer(what);
}

static void misbehave_compiling(fake how, tune_answer *what)
{
    switch (how) {
    case FAKE_refuse:
        (void)tune_conclude(&what->trial, TUNE_OUTCOME_COMPILE, "too many registers");
        break;
    case FAKE_crash_compiling:
        fputs("LLVM ERROR: out of luck\n", stderr);
        abort();
    case FAKE_hang_compiling:
        sleep_forever();
        break;
    default:
        snprintf(what->trial.revision, sizeof what->trial.revision, "%s", FAKE_REVISION);
    }
    answer(what);
}

static void misbehave_timing(fake how, tune_answer *what)
{
    tune_trial *trial = &what->trial;

    switch (how) {
    case FAKE_noisy:
        trial->spread_ns = 0.3 * trial->time_ns;
        break;
    case FAKE_wrong:
        (void)tune_conclude(trial, TUNE_OUTCOME_CORRECTNESS, "element 7 is 1, not 2");
        break;
    case FAKE_out_of_memory:
        (void)tune_conclude(trial, TUNE_OUTCOME_RUNTIME, "CL_OUT_OF_RESOURCES");
        break;
    case FAKE_zero_time:
        trial->time_ns = 0.0;
        break;
    case FAKE_fast_time:
        trial->time_ns /= 100.0;
        break;
    case FAKE_slow_host:
        trial->host_time_ns *= 100.0;
        break;
    case FAKE_other_answer:
        ++what->id;
        break;
    case FAKE_flood_errors:
        flood(stderr, "a driver that talks too much\n");
        break;
    default:
        break;
    }
    answer(what);
}

static void misbehave_measuring(const char *folder, fake how, tune_answer *what)
{
    switch (how) {
    case FAKE_dies_at_times:
    case FAKE_stops_at_times:
        if (take_turn(folder, FAKE_TIMES))
            raise(how == FAKE_dies_at_times ? SIGKILL : SIGSTOP);
        answer(what);
        break;
    case FAKE_hang:
        sleep_forever();
        break;
    case FAKE_crash:
        signal(SIGSEGV, SIG_DFL); /* sanitizers have a handler */
        raise(SIGSEGV);
        break;
    case FAKE_leave:
        exit(EXIT_SUCCESS);
    case FAKE_leave_child:
        if (fork() == 0)
            sleep_forever();
        _exit(EXIT_SUCCESS);
    case FAKE_flood:
        flood(stdout, "no end ");
        sleep_forever();
        break;
    case FAKE_flood_lines:
        flood(stdout, "not for you\n");
        break;
    case FAKE_garbage:
        say("Segmentation fault (not really)\n");
        break;
    case FAKE_no_outcome:
        say("{\"id\": 1, \"trial\": {}}\n");
        break;
    case FAKE_half_line:
        say("{\"id\": 1, \"tri");
        sleep_forever();
        break;
    default:
        misbehave_timing(how, what);
    }
}

static void answer_measure(const char *folder, fake how, tune_answer *what)
{
    tune_trial *trial = &what->trial;

    trial->time_ns = 1e6 + (double)trial->count;
    trial->host_time_ns = trial->copy_ns = trial->time_ns;
    trial->runs = 11;
    trial->private_bytes = (uint64_t)getpid();
    misbehave_measuring(folder, how, what);
}

static void serve(const char *folder, const char *line)
{
    tune_request request = {0};
    tune_answer what = {0};
    fake how;

    if (tune_request_read(line, &request, NULL) != CLSCAN_OK)
        exit(EXIT_FAILURE);
    what.id = request.id;
    what.trial = request.about;
    how = request.about.count >= LEAST_BAD_COUNT ? (fake)request.about.variant.register_pieces : FAKE_good;
    switch (request.kind) {
    case TUNE_REQUEST_DESCRIBE:
        answer_describe(&what);
        break;
    case TUNE_REQUEST_PROBE:
        answer_probe(folder, &what);
        break;
    case TUNE_REQUEST_COMPILE:
        misbehave_compiling(how, &what);
        break;
    case TUNE_REQUEST_MEASURE:
    case TUNE_REQUEST_SOAK:
        answer_measure(folder, how, &what);
        break;
    default:
        answer(&what);
    }
}

int fake_worker_run(const char *folder)
{
    char *line = malloc(TUNE_LINE_BYTES);

    while (line != NULL && fgets(line, (int)TUNE_LINE_BYTES, stdin) != NULL)
        serve(folder, line);
    free(line);
    return EXIT_SUCCESS;
}
