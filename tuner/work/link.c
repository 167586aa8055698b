#include "work/link.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "trial/trial.h"

#define NS_PER_MS UINT64_C(1000000)

static bool start(tune_link *link)
{
    if (!link->running) {
        link->running = tune_process_start(&link->process, link->command, link->selector);
        link->start_code = errno;
    }
    return link->running;
}

void tune_link_ask(tune_link *link, tune_request *request, uint32_t deadline_ms)
{
    char *line;

    request->id = ++link->id;
    link->asked = true;
    link->kind = request->kind;
    link->deadline_ms = deadline_ms;
    link->deadline_ns = clscan__now_ns() + deadline_ms * NS_PER_MS;
    if (!start(link))
        return;
    line = tune_request_write(request);
    /* A worker that is gone or does not read shows when its answer is looked for. */
    if (line != NULL)
        (void)tune_process_write(&link->process, line, strlen(line), link->deadline_ns);
    free(line);
}

void tune_link_stop(tune_link *link)
{
    if (link->running)
        tune_process_stop(&link->process, !link->asked);
    link->running = false;
    link->asked = false;
}

/* How it ended, and what it said last. */
static tune_reply gone(tune_link *link, char *reason)
{
    char words[64];

    if (!link->running) {
        tune_write_reason(reason, "%s: %s", link->command[0], strerror(link->start_code));
        link->asked = false;
        return TUNE_REPLY_GONE;
    }
    tune_link_stop(link);
    tune_process_last_words(&link->process, words, sizeof words);
    tune_write_reason(reason, "%s: the worker %.120s%s%s", tune_request_name(link->kind),
                      link->process.end[0] != '\0' ? link->process.end : "closed its output",
                      words[0] != '\0' ? ": " : "", words);
    return TUNE_REPLY_GONE;
}

static tune_reply garbage(tune_link *link, const char *what, char *reason)
{
    tune_write_reason(reason, "%s: the worker answered %s", tune_request_name(link->kind), what);
    tune_link_stop(link);
    return TUNE_REPLY_GARBAGE;
}

static tune_reply read_answer(tune_link *link, const char *line, tune_answer *answer, char *reason)
{
    clscan_error error = {0};

    if (tune_answer_read(line, answer, &error) != CLSCAN_OK)
        return garbage(link, error.message, reason);
    if (answer->id != link->id) {
        free(answer->devices);
        return garbage(link, "another question", reason);
    }
    link->asked = false;
    return TUNE_REPLY_ANSWER;
}

/* A worker that has ended may have left others behind that hold its stdout open. */
static tune_reading take(tune_link *link, char **line)
{
    tune_reading reading = tune_process_take(&link->process, line);

    if (reading != TUNE_READING_NOTHING || !tune_process_ended(&link->process))
        return reading;
    reading = tune_process_take(&link->process, line);
    return reading == TUNE_READING_NOTHING ? TUNE_READING_END : reading;
}

tune_reply tune_link_poll(tune_link *link, tune_answer *answer, char reason[TUNE_REASON_BYTES])
{
    const char *doing;
    char *line;

    if (!link->running)
        return gone(link, reason);
    switch (take(link, &line)) {
    case TUNE_READING_LINE:
        return read_answer(link, line, answer, reason);
    case TUNE_READING_TOO_LONG:
        return garbage(link, "a line without end", reason);
    case TUNE_READING_END:
        return gone(link, reason);
    case TUNE_READING_NOTHING:
        break;
    }
    if (clscan__now_ns() < link->deadline_ns)
        return TUNE_REPLY_PENDING;
    doing = tune_process_doing(&link->process);
    tune_write_reason(reason, "%s: no answer within %.1f s%s%s", tune_request_name(link->kind),
                      link->deadline_ms * 1e-3, doing[0] != '\0' ? "; " : "", doing);
    tune_link_stop(link);
    return TUNE_REPLY_TIMEOUT;
}

bool tune_link_alive(tune_link *link)
{
    char *line;

    if (link->running && take(link, &line) != TUNE_READING_NOTHING)
        tune_link_stop(link);
    return link->running;
}
