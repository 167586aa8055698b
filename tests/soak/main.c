/* Soak: random plans and runs against the reference, for as long as one says.
 *
 * Workers are processes, so that a crash or a hang of one is a finding like any other: this process opens no device,
 * and watches them. scripts/soak --help has the options. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/clock.h"
#include "lane.h"
#include "worker.h"

enum { JOBS_MAX = 256, LOOKS_PER_SECOND = 20, SECONDS_PER_LINE = 30 };

/* What the watching process knows of a worker. */
typedef struct watched {
    pid_t process; /* 0: none */
    uint64_t beats;
    uint64_t since_ns; /* of the last beat */
} watched;

static volatile sig_atomic_t interrupted;

static void interrupt(int signal)
{
    (void)signal;
    interrupted = 1;
}

/* Memory that outlives fork(): an unlinked file, mapped. */
static soak_shared *map_shared(size_t bytes)
{
    FILE *file = tmpfile();
    void *memory = MAP_FAILED;

    if (file != NULL && ftruncate(fileno(file), (off_t)bytes) == 0)
        memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
    if (file != NULL)
        fclose(file);
    return memory != MAP_FAILED ? memory : NULL;
}

static void start_worker(const soak_settings *settings, soak_shared *shared, size_t index, watched *worker)
{
    soak_slot *slot = &shared->slots[index];

    *worker = (watched){.process = fork(), .beats = slot->beats, .since_ns = clscan__now_ns()};
    if (worker->process == 0)
        exit(soak_work(settings, shared, slot));
    if (worker->process < 0)
        worker->process = 0;
}

static void print_sums(soak_shared *shared, uint64_t begun_ns)
{
    const double seconds = (double)(clscan__now_ns() - begun_ns) / 1e9;

    printf("%" PRIuFAST64 " runs of %" PRIuFAST64 " plans in %.1f s: %.0f runs per second, %.0f elements per run; "
           "%" PRIuFAST64 " plans refused, %" PRIuFAST64 " abandoned while they were compiled; counted %" PRIuFAST64
           " waits, %" PRIuFAST64 " recomputed, %" PRIuFAST64 " discarded; %" PRIuFAST64 " failures\n",
           shared->runs, shared->plans, seconds, (double)shared->runs / seconds,
           (double)shared->elements / (double)(shared->runs + !shared->runs), shared->refused, shared->abandoned,
           shared->waits, shared->recomputed, shared->discarded, shared->failures);
    fflush(stdout);
}

static void end_worker(watched *worker)
{
    kill(worker->process, SIGKILL);
    waitpid(worker->process, NULL, 0);
    worker->process = 0;
}

/* Has the worker ended, and how? Gives back its exit status, or -1 while it runs. */
static int look_at(const soak_settings *settings, soak_shared *shared, size_t index, watched *worker)
{
    soak_slot *slot = &shared->slots[index];
    char text[128];
    int status;

    if (waitpid(worker->process, &status, WNOHANG) == worker->process) {
        worker->process = 0;
        if (WIFEXITED(status))
            return WEXITSTATUS(status);
        snprintf(text, sizeof text, "the worker was ended by signal %d", WTERMSIG(status));
        soak_report(settings, shared, slot->plan, text);
        return 1;
    }
    if (slot->beats != worker->beats) {
        worker->beats = slot->beats;
        worker->since_ns = clscan__now_ns();
        return -1;
    }
    const int hangs = clscan__now_ns() - worker->since_ns > settings->patience_s * UINT64_C(1000000000);
    if (slot->compiling && (hangs || soak_is_over(settings, shared))) {
        end_worker(worker);
        ++shared->abandoned;
        return 1;
    }
    if (hangs) {
        end_worker(worker);
        snprintf(text, sizeof text, "hangs: nothing ended for %" PRIu64 " s", settings->patience_s);
        soak_report(settings, shared, slot->plan, text);
        return 1;
    }
    return -1;
}

static int watch(const soak_settings *settings, soak_shared *shared, uint64_t begun_ns)
{
    const struct timespec pause = {.tv_nsec = 1000000000 / LOOKS_PER_SECOND};
    static watched workers[JOBS_MAX];
    uint64_t line_ns = begun_ns;
    uint64_t alive = settings->jobs;
    int result = 0;

    for (size_t i = 0; i < settings->jobs; ++i)
        start_worker(settings, shared, i, &workers[i]);
    while (alive > 0 && !interrupted) {
        alive = 0;
        for (size_t i = 0; i < settings->jobs; ++i) {
            const int ended = workers[i].process > 0 ? look_at(settings, shared, i, &workers[i]) : 0;
            if (ended == 2)
                result = 2;
            else if (ended == 1 && !settings->only_plan && !soak_is_over(settings, shared))
                start_worker(settings, shared, i, &workers[i]);
            alive += workers[i].process > 0;
        }
        if (clscan__now_ns() - line_ns > SECONDS_PER_LINE * UINT64_C(1000000000)) {
            line_ns = clscan__now_ns();
            print_sums(shared, begun_ns);
        }
        nanosleep(&pause, NULL);
    }
    for (size_t i = 0; i < settings->jobs; ++i)
        if (workers[i].process > 0)
            end_worker(&workers[i]);
    return result;
}

static uint64_t number(const char *option, const char *text)
{
    char *end;

    errno = 0;
    const unsigned long long value = strtoull(text != NULL ? text : "", &end, 0);
    if (text == NULL || *text == '\0' || *text == '-' || *end != '\0' || errno != 0) {
        fprintf(stderr, "soak: %s needs a number\n", option);
        exit(2);
    }
    return value;
}

static soak_settings read_arguments(char **arguments)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    soak_settings settings = {.seed = (uint64_t)time(NULL),
                              .jobs = cores > 0 && cores < JOBS_MAX ? (uint64_t)cores : 1,
                              .runs_per_plan = 1024,
                              .patience_s = 120,
                              .most_failures = 10};
    const struct {
        const char *name;
        uint64_t *value;
    } numbers[] = {
        {"--seed", &settings.seed},
        {"--seconds", &settings.seconds},
        {"--runs", &settings.runs},
        {"--jobs", &settings.jobs},
        {"--runs-per-plan", &settings.runs_per_plan},
        {"--plan", &settings.plan},
        {"--patience", &settings.patience_s},
        {"--failures", &settings.most_failures},
    };
    enum { NUMBERS = sizeof numbers / sizeof numbers[0] };

    for (; *arguments != NULL; arguments += 2) {
        size_t i = 0;
        while (i < NUMBERS && strcmp(*arguments, numbers[i].name) != 0)
            ++i;
        if (i < NUMBERS) {
            *numbers[i].value = number(arguments[0], arguments[1]);
        } else if (strcmp(*arguments, "--device") == 0 && arguments[1] != NULL) {
            settings.device = arguments[1];
        } else {
            fprintf(stderr, "soak: unknown option '%s'\n", *arguments);
            exit(2);
        }
        settings.only_plan |= strcmp(*arguments, "--plan") == 0;
    }
    if (settings.only_plan)
        settings.jobs = 1;
    else if (settings.seconds == 0 && settings.runs == 0)
        settings.seconds = 10;
    if (settings.jobs == 0 || settings.jobs > JOBS_MAX || settings.runs_per_plan == 0) {
        fprintf(stderr, "soak: --jobs is a number from 1 to %d, --runs-per-plan is not 0\n", JOBS_MAX);
        exit(2);
    }
    return settings;
}

int main(int count, char **arguments)
{
    const struct sigaction on_signal = {.sa_handler = interrupt};
    const uint64_t begun_ns = clscan__now_ns();
    soak_settings settings = read_arguments(arguments + 1);
    soak_shared *shared = map_shared(sizeof *shared + settings.jobs * sizeof shared->slots[0]);

    (void)count;
    if (shared == NULL) {
        fprintf(stderr, "soak: no shared memory: %s\n", strerror(errno));
        return 2;
    }
    settings.deadline_ns = settings.seconds > 0 ? begun_ns + settings.seconds * UINT64_C(1000000000) : 0;
    printf("seed %" PRIu64 ", %" PRIu64 " jobs\n", settings.seed, settings.jobs);
    fflush(stdout);
    sigaction(SIGINT, &on_signal, NULL);
    sigaction(SIGTERM, &on_signal, NULL);
    const int result = watch(&settings, shared, begun_ns);
    print_sums(shared, begun_ns);
    if (result != 0)
        return result;
    return shared->failures > 0 || shared->runs == 0 ? 1 : 0;
}
