#include "work/worker.h"

#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command_line/failure.h"
#include "measure/device.h"
#include "trial/trial.h"
#include "work/candidate.h"
#include "work/load.h"
#include "work/process.h"
#include "work/protocol.h"
#include "work/repeat.h"

#define GRACE_S 1 /* to end in an orderly way once nobody listens any more */
#define PROBE_COUNT 100000u

typedef struct worker {
    const char *selector;
    int answers; /* descriptor */
    bool opened;
    measure_device device;
    tune_candidate candidate;
    tune_load load;
} worker;

/* ---- Requests ---- */

static bool open_device(worker *w, tune_trial *trial)
{
    measure_note note;

    if (w->opened)
        return true;
    /* A single command seems up to 1.3 times slower by its own events than behind others, where several are timed. */
    if (!measure_device_open(w->selector, MEASURE_CLOCK_ALIKE, &w->device, &note) &&
        !measure_device_open(w->selector, MEASURE_CLOCK_BY_HOST, &w->device, &note))
        return tune_conclude(trial, TUNE_OUTCOME_RUNTIME, "%s", note.text);
    w->opened = true;
    return true;
}

static clscan_status list_devices(const worker *w, tune_answer *answer, clscan_error *error)
{
    clscan_status status;
    cl_device_id chosen, *ids = NULL;
    size_t count = 0;

    TRY(clscan_device_list(NULL, 0, &count, error));
    ids = calloc(count, sizeof *ids);
    answer->devices = calloc(count, sizeof *answer->devices);
    REQUIRE(ids != NULL && answer->devices != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for %zu devices", count);
    TRY(clscan_device_list(ids, count, &answer->device_count, error));
    if (answer->device_count > count)
        answer->device_count = count;
    TRY(clscan_device_find(w->selector, &chosen, error));
    for (size_t i = 0; i < answer->device_count; ++i) {
        answer->devices[i].struct_size = sizeof answer->devices[i];
        TRY(clscan_device_describe(ids[i], &answer->devices[i], error));
        if (ids[i] == chosen)
            answer->chosen = i;
    }

cleanup:
    if (status != CLSCAN_OK)
        answer->device_count = 0;
    free(ids);
    return status;
}

static void answer_describe(worker *w, const tune_request *request, tune_answer *answer)
{
    clscan_error error = {0};

    (void)request;
    if (list_devices(w, answer, &error) == CLSCAN_OK)
        answer->trial.outcome = TUNE_OUTCOME_CORRECT;
    else
        (void)tune_conclude(&answer->trial, TUNE_OUTCOME_RUNTIME, "%s", error.message);
}

static bool run_probe(const worker *w, clscan_case_fixture *fixture, tune_trial *trial)
{
    const clscan_case test = {.count = PROBE_COUNT, .generator = CLSCAN_GENERATE_UNIFORM, .seed = 1};
    char text[CLSCAN_CASE_TEXT_BYTES];
    const clscan_case_result result = clscan_case_run(fixture, &test, text, sizeof text);

    (void)w;
    return result == CLSCAN_CASE_RIGHT ||
           tune_conclude(trial, result == CLSCAN_CASE_WRONG ? TUNE_OUTCOME_CORRECTNESS : TUNE_OUTCOME_RUNTIME, "%s",
                         text);
}

static void answer_probe(worker *w, const tune_request *request, tune_answer *answer)
{
    static const clscan_variant safe = {.body = CLSCAN_BODY_STRIDED,
                                        .group_scan = CLSCAN_GROUP_SCAN_BRENT_KUNG,
                                        .carry = CLSCAN_CARRY_REDUCE_THEN_SCAN,
                                        .work_group_size = 1,
                                        .vector_length = 1,
                                        .register_pieces = 4,
                                        .work_groups_per_unit = 4};
    static const clscan_problem problem = {
        .struct_size = sizeof problem, .type = CLSCAN_INT32, .op = CLSCAN_ADD, .max_count = PROBE_COUNT};
    const clscan_plan_options options = {.struct_size = sizeof options, .variant = &safe};
    clscan_case_fixture fixture = {0};
    clscan_error error = {0};

    (void)request;
    if (!open_device(w, &answer->trial))
        return;
    fixture.context = w->device.context;
    fixture.device = w->device.id;
    fixture.queue = w->device.queue;
    if (clscan_case_prepare(&fixture, &problem, NULL, &options, &error) != CLSCAN_OK)
        (void)tune_conclude(&answer->trial, TUNE_OUTCOME_RUNTIME, "%s", error.message);
    else if (run_probe(w, &fixture, &answer->trial))
        answer->trial.outcome = TUNE_OUTCOME_CORRECT;
    clscan_case_release(&fixture);
}

static void answer_compile(worker *w, const tune_request *request, tune_answer *answer)
{
    (void)request;
    if (open_device(w, &answer->trial))
        tune_candidate_compile(&w->candidate, &w->device, &answer->trial);
}

static void answer_validate(worker *w, const tune_request *request, tune_answer *answer)
{
    (void)request;
    tune_candidate_validate(&w->candidate, &answer->trial);
}

static void answer_load(worker *w, const tune_request *request, tune_answer *answer)
{
    measure_note note = {""};

    if (!open_device(w, &answer->trial))
        return;
    if (!tune_load_ensure(&w->load, &w->device, &request->about.target, request->about.count, &note))
        (void)tune_conclude(&answer->trial, TUNE_OUTCOME_RUNTIME, "%s", note.text);
}

static void answer_measure(worker *w, const tune_request *request, tune_answer *answer)
{
    tune_measure(&w->candidate, &w->load, request->limit_ms, &answer->trial);
}

static void answer_soak(worker *w, const tune_request *request, tune_answer *answer)
{
    tune_soak(&w->candidate, &w->load, request->runs, request->limit_ms, &answer->trial);
}

/* ---- Talking ---- */

static bool write_all(int descriptor, const char *text)
{
    size_t left = strlen(text);

    while (left > 0) {
        const ssize_t written = write(descriptor, text, left);

        if (written < 0)
            return false;
        text += written;
        left -= (size_t)written;
    }
    return true;
}

static bool send_answer(const worker *w, tune_answer *answer)
{
    char *line = tune_answer_write(answer);
    const bool sent = line != NULL && write_all(w->answers, line);

    free(line);
    free(answer->devices);
    return sent;
}

static bool serve(worker *w, const char *line)
{
    static void (*const functions[])(worker *, const tune_request *, tune_answer *) = {
#define X(name, text, deadline_ms, meaning) answer_##text,
        TUNE_REQUEST_LIST(X)
#undef X
    };
    tune_request request = {0};
    tune_answer answer = {0};
    clscan_error error = {0};

    if (tune_request_read(line, &request, &error) != CLSCAN_OK) {
        (void)tune_conclude(&answer.trial, TUNE_OUTCOME_RUNTIME, "not a request: %.200s", error.message);
        return send_answer(w, &answer);
    }
    answer.id = request.id;
    answer.trial = request.about;
    functions[request.kind](w, &request, &answer);
    return send_answer(w, &answer);
}

/* Whoever asked may be gone while a driver does not return. */
static void *watch_stdin(void *unused)
{
    struct pollfd wait = {.fd = STDIN_FILENO};

    (void)unused;
    while (poll(&wait, 1, -1) < 0 || (wait.revents & (POLLHUP | POLLERR | POLLNVAL)) == 0)
        ;
    sleep(GRACE_S);
    _exit(EXIT_FAILURE);
}

/* Read and answer lines until the end. A line that is too long is no request, and neither is what follows. */
static int serve_all(worker *w)
{
    char *line = malloc(TUNE_LINE_BYTES);
    int code = line != NULL ? EXIT_SUCCESS : EXIT_FAILURE;

    while (code == EXIT_SUCCESS && fgets(line, (int)TUNE_LINE_BYTES, stdin) != NULL)
        if ((strchr(line, '\n') == NULL && !feof(stdin)) || !serve(w, line))
            code = EXIT_FAILURE;
    free(line);
    return code;
}

int tune_worker_run(const char *selector)
{
    worker *w = calloc(1, sizeof *w);
    pthread_t watch;
    int code = EXIT_FAILURE;

    if (w == NULL)
        return code;
    w->selector = selector;
    w->answers = dup(STDOUT_FILENO);
    if (w->answers >= 0 && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 &&
        pthread_create(&watch, NULL, watch_stdin, NULL) == 0) {
        pthread_detach(watch);
        code = serve_all(w);
    }
    tune_candidate_release(&w->candidate);
    tune_load_release(&w->load);
    if (w->opened)
        measure_device_close(&w->device);
    free(w);
    return code;
}
