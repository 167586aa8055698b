/* A worker as the process that tunes sees it: started, asked one thing at a time, and stopped after any failure. */
#ifndef CLSCAN_TUNER_LINK_H
#define CLSCAN_TUNER_LINK_H

#include "trial/trial.h"
#include "work/process.h"
#include "work/protocol.h"

/* Zero it to begin, then set the first two. */
typedef struct tune_link {
    const char *const *command; /* NULL-terminated; its first word is a path */
    const char *selector;       /* of the device; NULL: the default one */
    tune_process process;
    bool running;
    int start_code; /* errno of a worker that would not start */
    bool asked;     /* a request waits for its answer */
    uint64_t id;
    tune_request_kind kind;
    uint32_t deadline_ms;
    uint64_t deadline_ns; /* of clscan__now_ns() */
} tune_link;

typedef enum tune_reply {
    TUNE_REPLY_PENDING,
    TUNE_REPLY_ANSWER,
    TUNE_REPLY_TIMEOUT, /* this and what follows have stopped the worker */
    TUNE_REPLY_GONE,    /* it ended, or would not start */
    TUNE_REPLY_GARBAGE
} tune_reply;

/* Send a request, whose id is set here; starts a worker if none is running. What goes wrong is the next reply. */
void tune_link_ask(tune_link *link, tune_request *request, uint32_t deadline_ms);

/* Look whether the answer has arrived; without waiting. All but PENDING and ANSWER come with a reason of one line.
 * answer->devices is the caller's to free. */
tune_reply tune_link_poll(tune_link *link, tune_answer *answer, char reason[TUNE_REASON_BYTES]);

/* Does a worker run that is not about to end? Also stops one that ended without being asked. */
bool tune_link_alive(tune_link *link);

void tune_link_stop(tune_link *link);

#endif
