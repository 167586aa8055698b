/* What the parts of clscan-bench share: the device under test, a case, a contender. */
#ifndef CLSCAN_BENCH_BENCH_H
#define CLSCAN_BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <clscan/clscan.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BENCH_NOTE_BYTES 1024
#define BENCH_NAME_BYTES 256

#if defined(__GNUC__)
#define BENCH_PRINTF(format_index, first_index) __attribute__((format(printf, format_index, first_index)))
#else
#define BENCH_PRINTF(format_index, first_index)
#endif

/* Why something did not work; one line. */
typedef struct bench_note {
    char text[BENCH_NOTE_BYTES];
} bench_note;

/* Both fill `note` and return false, so that a caller can return their result. */
bool bench_fail(bench_note *note, const char *format, ...) BENCH_PRINTF(2, 3);
bool bench_fail_opencl(bench_note *note, const char *call, cl_int code);

#define BENCH_TRY(note, function, arguments)                  \
    do {                                                      \
        const cl_int code_ = function arguments;              \
        if (code_ != CL_SUCCESS)                              \
            return bench_fail_opencl(note, #function, code_); \
    } while (0)

/* What a time is the time of. docs/benchmarking.md explains them to users. */
typedef enum bench_clock {
    BENCH_CLOCK_HOST,   /* host clock around enqueue .. clFinish, or around a function on the host */
    BENCH_CLOCK_KERNEL, /* START .. END of the only command there is */
    BENCH_CLOCK_QUEUE   /* END of a kernel enqueued before .. END of the last command */
} bench_clock;

typedef struct bench_device {
    cl_device_id id;
    clscan_device_info info;
    cl_context context;
    cl_command_queue queue; /* in order, with profiling */
    bool host_clock;        /* otherwise the two clocks of events */
    cl_program program;     /* bench/kernels.h */
    cl_kernel hold;
    cl_mem scratch;
    uint32_t hold_steps;           /* grows when the host was too slow to enqueue behind it */
    struct bench_threads *threads; /* CPU devices only, else NULL */
    unsigned thread_count;         /* what contenders on the host may use */
} bench_device;

typedef struct bench_problem {
    clscan_type type;
    clscan_operator op;
    clscan_form form;
    clscan_direction direction;
    bool in_place;
    uint64_t count;
    uint64_t bytes; /* of count elements; a case moves twice as many */
} bench_problem;

/* A problem with its memory. Before every run in place the target is made a copy of the source again. */
typedef struct bench_case {
    bench_device *device;
    bench_problem problem;
    cl_mem source; /* never written */
    cl_mem target;
    cl_mem in;      /* what a scan reads: source, or target in place */
    void *expected; /* the right answer, on the host */
} bench_case;

typedef enum bench_outcome {
    BENCH_OK,
    BENCH_UNAVAILABLE, /* not built, or not for this problem or device */
    BENCH_ILLEGAL,     /* the library refuses the variant */
    BENCH_WRONG,
    BENCH_FAILED
} bench_outcome;

typedef struct bench_statistics {
    double minimum, lower_quartile, median, upper_quartile;
} bench_statistics;

typedef struct bench_contender bench_contender;

/* A kind of contender. A new peer is one of these, listed in peers.c. May be NULL: prepare, release. */
typedef struct bench_kind {
    const char *name;
    const char *missing; /* what the build lacked, NULL if it is built; then nothing below is set */
    bool scans;          /* must give case->expected; otherwise a yardstick */
    bool copies;         /* must give the source; of these the fastest is "copy" */
    bool on_host;        /* `run` works on mapped memory and returns when it is done */
    bool may_block;      /* `run` enqueues but may wait for the device meanwhile */
    /* Compile, warm caches, set contender->state; an outcome other than BENCH_OK explains itself in the
     * contender's note. The state is released in either case. */
    bench_outcome (*prepare)(bench_contender *contender, const bench_case *c);
    /* Enqueue once. `event` receives the last command's event; a contender that cannot say leaves it NULL. */
    bool (*enqueue)(bench_contender *contender, const bench_case *c, cl_event *event);
    /* For on_host: `in` and `out` are the case's in and target (the source for one that copies). */
    bool (*run)(bench_contender *contender, const bench_case *c, const void *in, void *out);
    void (*release)(bench_contender *contender);
} bench_kind;

struct bench_contender {
    const bench_kind *kind;
    const char *request; /* library only: the variant asked for; NULL: the configured one */
    char name[BENCH_NAME_BYTES];
    char variant[BENCH_NAME_BYTES]; /* library only: what ran, as clscan_variant_format() writes it */
    bool one_command;               /* a run is one command, whose event tells its own time */
    void *state;
    bench_outcome outcome;
    bench_note note;
    bench_clock clock;
    uint64_t *nanoseconds;       /* one per run */
    bench_statistics statistics; /* nanoseconds */
};

#ifdef __cplusplus
}
#endif
#endif
