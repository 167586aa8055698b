/* What the process that tunes and its workers say to each other: one JSON object a line, an answer to each request.
 *
 *   {"id": 3, "request": "measure", "limit_ms": 2000, "about": {...}}
 *   {"id": 3, "trial": {...}}
 *   {"id": 1, "devices": [{...}], "chosen": 0}
 */
#ifndef CLSCAN_TUNER_PROTOCOL_H
#define CLSCAN_TUNER_PROTOCOL_H

#include <stddef.h>
#include <stdint.h>

#include "trial/trial.h"

/* Requests, and how long an answer may take unless it is said otherwise.
 *   name      text      deadline ms  meaning */
/* clang-format off */
#define TUNE_REQUEST_LIST(X)                                                                                  \
    X(DESCRIBE, describe,  30000, "say which devices there are, and which one is used")                        \
    X(PROBE,    probe,     30000, "run a small scan in which no work-group waits for another")                 \
    X(COMPILE,  compile,  120000, "compile a candidate, which is the current one from then on")                \
    X(VALIDATE, validate, 120000, "check the current candidate where mistakes show")                           \
    X(LOAD,     load,     300000, "make input and expected output of a count, and find its fastest copy")      \
    X(MEASURE,  measure,   30000, "time the current candidate on a loaded count, and check its output")        \
    X(SOAK,     soak,     120000, "run it many times on a loaded count, with a check after each run")
/* clang-format on */

typedef enum tune_request_kind {
#define X(name, text, deadline_ms, meaning) TUNE_REQUEST_##name,
    TUNE_REQUEST_LIST(X)
#undef X
        TUNE_REQUEST_COUNT /* number of requests; not one of them */
} tune_request_kind;

const char *tune_request_name(tune_request_kind kind);

typedef struct tune_request {
    tune_request_kind kind;
    uint64_t id;       /* the answer has it, too */
    tune_trial about;  /* its question; LOAD needs no variant, DESCRIBE and PROBE need nothing */
    unsigned runs;     /* SOAK only */
    uint32_t limit_ms; /* MEASURE and SOAK: take no longer, if fewer runs will do */
} tune_request;

typedef struct tune_answer {
    uint64_t id;
    tune_trial trial;            /* what the request has found out; DESCRIBE: outcome and reason only */
    clscan_device_info *devices; /* DESCRIBE only; the caller's to free() */
    size_t device_count;
    size_t chosen;
} tune_answer;

/* A line with its end, to be freed; NULL if memory ran out. */
char *tune_request_write(const tune_request *request);
char *tune_answer_write(const tune_answer *answer);

/* Read such a line. CLSCAN_ERROR_CONFIG_SYNTAX or CLSCAN_ERROR_CONFIG_SCHEMA says what is wrong with it, and
 * *request or *answer is untouched. */
clscan_status tune_request_read(const char *line, tune_request *request, clscan_error *error);
clscan_status tune_answer_read(const char *line, tune_answer *answer, clscan_error *error);

#endif
