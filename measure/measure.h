/* What measuring is about: the device under test, a case, a contender. Serves every program that times scans. */
#ifndef CLSCAN_MEASURE_MEASURE_H
#define CLSCAN_MEASURE_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <clscan/clscan.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MEASURE_NOTE_BYTES 1024
#define MEASURE_NAME_BYTES 256

#if defined(__GNUC__)
#define MEASURE_PRINTF(format_index, first_index) __attribute__((format(printf, format_index, first_index)))
#else
#define MEASURE_PRINTF(format_index, first_index)
#endif

/* Why something did not work; one line. */
typedef struct measure_note {
    char text[MEASURE_NOTE_BYTES];
} measure_note;

/* Both fill `note` and return false, so that a caller can return their result. */
bool measure_fail(measure_note *note, const char *format, ...) MEASURE_PRINTF(2, 3);
bool measure_fail_opencl(measure_note *note, const char *call, cl_int code);

#define MEASURE_TRY(note, function, arguments)                  \
    do {                                                        \
        const cl_int code_ = function arguments;                \
        if (code_ != CL_SUCCESS)                                \
            return measure_fail_opencl(note, #function, code_); \
    } while (0)

/* What a time is the time of. docs/benchmarking.md explains them to users. */
typedef enum measure_clock {
    MEASURE_CLOCK_HOST,   /* host clock around enqueue .. clFinish, or around a function on the host */
    MEASURE_CLOCK_KERNEL, /* START .. END of the only command there is */
    MEASURE_CLOCK_QUEUE   /* END of a kernel enqueued before .. END of the last command */
} measure_clock;

typedef struct measure_device {
    cl_device_id id;
    clscan_device_info info;
    cl_context context;
    cl_command_queue queue; /* in order, with profiling */
    bool host_clock;        /* otherwise the two clocks of events */
    bool queue_clock;       /* of those, the queue's for all runs */
    bool both_clocks;       /* the host's beside those of events */
    uint64_t cache_bytes;   /* of the last level, for cold caches */
    cl_program program;     /* measure/kernels.h */
    cl_kernel hold;
    cl_mem scratch;
    cl_kernel fill;                  /* for measure_device_fill() */
    cl_kernel differ;                /* for check.h */
    cl_mem found;                    /* not 0 once it has seen a difference */
    uint32_t hold_steps;             /* grows when the host was too slow to enqueue behind it */
    struct measure_threads *threads; /* CPU devices only, else NULL */
    unsigned thread_count;           /* what contenders on the host may use */
} measure_device;

/* Arrays of a table whose rows are selected, each with the elements of one column. */
#define MEASURE_COLUMNS 4u

/* What says which elements a problem keeps. */
typedef enum measure_selection {
    MEASURE_SELECTS_NOTHING, /* it is no selection */
    MEASURE_SELECTS_BY_BYTES,
    MEASURE_SELECTS_BY_BITS,
    MEASURE_SELECTS_BY_PREDICATE, /* no flags: odd integers */
    MEASURE_SELECTS_UNIQUE,       /* no flags: the first of each run of equal elements */
    MEASURE_SELECTS_COLUMNS, /* by flags of a byte: of MEASURE_COLUMNS arrays, one behind the other, the same places */
    MEASURE_PARTITIONS,      /* by flags of a byte: what they keep, and the rest behind it */
    MEASURE_DIVIDES,         /* no flags: odd integers, behind them even ones, and last multiples of 4 */
    MEASURE_SELECTS_WHERE,   /* by flags of a byte: their indices, of 4 bytes as elements are; there is no input */
    MEASURE_ENCODES,         /* the first of each run, and how long each is */
    MEASURE_FINDS_RUNS,      /* where runs of two and more begin, of 4 bytes as elements are, and how long they are */
    MEASURE_REPEATS          /* decodes that: elements are those of the output */
} measure_selection;

/* What makes a scan or a reduction of scalars one between several types, or of the values of expressions. */
typedef struct measure_maps {
    clscan_element accumulator;    /* struct_size 0: what the library takes */
    clscan_custom_operator custom; /* of a struct, whose maps lead from numbers to it and back; then the next two */
    const char *name;              /* "compensated_float" */
    clscan_type number;            /* of these, which it sums */
    clscan_element output;         /* a scalar; struct_size 0: that of the input */
    clscan_map load, store;        /* expressions without arguments; struct_size 0: conversions */
    bool offsets;                  /* exclusive, with the total behind the outputs, of each row */
} measure_maps;

typedef struct measure_problem {
    clscan_type type;
    const struct measure_element *element; /* no scalar; then `type` is not looked at; else NULL */
    clscan_operator op;
    const struct clscan_sample_operator *sample; /* with CLSCAN_CUSTOM; else NULL */
    clscan_form form;
    clscan_direction direction;
    bool in_place;
    bool reproducible; /* what the library is asked for; inputs are such that all groupings give the same bits */
    uint64_t count;    /* of a table the rows, each of which has an element in every column */
    uint64_t bytes;    /* of count elements, in every column; a case moves twice as many */
    uint64_t
        in_offset; /* elements before the first that the library scans; yardsticks begin at the start of a buffer */
    uint64_t out_offset; /* the same of its output; in place the same number */
    /* Many scans in one run, with the same pitch on both sides, or of a tensor without gaps; count is the elements of
     * all, without what lies between rows. All zero: one scan. */
    clscan_rows rows;
    clscan_segments segments;  /* of one scan, where segment_length is not 0 */
    uint64_t segment_length;   /* the mean of them; 0: no segments */
    bool power_law;            /* lengths from 1 to segment_length instead, of which 1 / n have n elements and more; by
                                  offsets there are empty segments among them */
    uint64_t segment_count;    /* how many there are; a case knows */
    bool reduces;              /* one sum is the output, or one of each row or segment; then form, in_place and
                                 out_offset are 0 */
    measure_selection selects; /* kept elements are the output; the same are 0, and op is add */
    uint32_t per_mille;        /* of the elements that are kept, here and there */
    uint32_t cluster;    /* so many elements that follow each other are kept together, or not; 0: each by itself */
    uint64_t kept_count; /* how many that are, or how many runs; a case knows */
    /* Of a scan or reduction of scalars, without segments; rows have offsets; a sample operator combines sums, and has
     * an identity. NULL: none. */
    const measure_maps *maps;
} measure_problem;

/* Does it give the lengths of runs? */
bool measure_gives_lengths(measure_selection selects);

/* Has it n + 1 outputs of n elements, or of those of each row? */
bool measure_gives_offsets(const measure_problem *problem);

/* Arrays of as many elements each: 1, or more of a table. */
uint32_t measure_column_count(measure_selection selects);

/* Is all of the input in the output? */
bool measure_partitions(measure_selection selects);

/* Has a selection an input of as large elements as its output, in whose place that may be? */
bool measure_may_select_in_place(measure_selection selects);

/* Does a scan write where it reads? A selection in place moves what it keeps there when it is done. */
bool measure_scans_in_place(const measure_problem *problem);

/* Elements of one scan of `problem`: of a row, or all. */
uint64_t measure_scan_count(const measure_problem *problem);

/** Elements from the start of a row to that of the next; those of a scan without rows. */
uint64_t measure_pitch(const measure_problem *problem);

/** Are there scans along an axis whose elements do not lie side by side? */
bool measure_has_columns(const measure_problem *problem);

/** Bytes from the first element of the input to behind its last: more than `bytes` where rows have gaps. */
uint64_t measure_input_span_bytes(const measure_problem *problem);

/** The same of what a run writes. Gaps, as there are between rows, or behind what is kept of a column, are not written,
 * and compared with what was there. */
uint64_t measure_output_span_bytes(const measure_problem *problem);

/** Bytes of the elements that a run reads. */
uint64_t measure_input_bytes(const measure_problem *problem);

/** Bytes of what a run writes: a copy of all elements, one sum or several, or what is kept. */
uint64_t measure_output_bytes(const measure_problem *problem);

/** Bytes of the keys that a reduction by key writes besides, or of the lengths of encoded runs. */
uint64_t measure_key_bytes(const measure_problem *problem);

/** Bytes of the flags that a run reads besides its input, or of the lengths of runs that it decodes. */
uint64_t measure_flag_bytes(const measure_problem *problem);

/** What the sums of a problem between scalars are, and what is written of them. */
clscan_type measure_sum_type(const measure_problem *problem);
clscan_type measure_output_type(const measure_problem *problem);

/** Elements that a scan or a reduction writes, and the bytes of one. */
uint64_t measure_output_count(const measure_problem *problem);
uint64_t measure_output_element_bytes(const measure_problem *problem);

/** "inclusive", "exclusive", "offsets", "reduce", "select", "select_bits", "select_predicate", "select_unique",
 * "select_where", "select_columns", "partition", "three_way", "encode", "long_runs" or "repeat". Static. */
const char *measure_form_name(const measure_problem *problem);

/** The same as the library asks for it. Points into `problem`, its element and its sample. */
clscan_problem measure_clscan_problem(const measure_problem *problem);

/** Of one element. */
uint64_t measure_element_bytes(const measure_problem *problem);

/** "int32", "affine_float". Static, or the element's. */
const char *measure_type_name(const measure_problem *problem);

/** "double", "compensated_float": what is combined in a problem between scalars. Static, or of its maps. */
const char *measure_accumulator_name(const measure_problem *problem);

/** The user's expressions; "" where there is none. */
const char *measure_load_text(const measure_problem *problem);
const char *measure_store_text(const measure_problem *problem);

/* A problem with its memory. Before every run in place the target is made a copy of the source again. */
typedef struct measure_case {
    measure_device *device;
    measure_problem problem;
    cl_mem source; /* never written */
    cl_mem target;
    cl_mem in;                            /* what a scan reads: source, or target in place */
    cl_mem segments;                      /* what says where segments begin; NULL: there are none */
    uint64_t segment_bytes, offset_count; /* of that; offsets in it */
    cl_mem flags;                         /* of a problem that selects by them, or has lengths of runs; else NULL */
    cl_mem number;                        /* takes the number kept, or that of segments that are reduced; else NULL */
    cl_mem keys;                          /* takes their keys, or the lengths of runs; likewise */
    void *expected;                       /* the right answer, on the host */
    bool device_compares;                 /* it was proven that the device can (check.h) */
    cl_kernel differ_elements;            /* for outputs that are not compared bit for bit (difference.h); else NULL */
    struct element_scale *scale;          /* of those; else NULL */
    uint64_t exact_count;                 /* up to so many elements every grouping gives the same bits */
    struct measure_rotation *rotation;    /* cold caches: other memory for every timed run; else NULL */
} measure_case;

typedef enum measure_outcome {
    MEASURE_OK,
    MEASURE_UNAVAILABLE, /* not built, or not for this problem or device */
    MEASURE_ILLEGAL,     /* the library refuses the variant */
    MEASURE_WRONG,
    MEASURE_FAILED
} measure_outcome;

typedef struct measure_statistics {
    double minimum, lower_quartile, median, upper_quartile;
} measure_statistics;

typedef struct measure_contender measure_contender;

/* A kind of contender. A new peer is one of these, listed in peers.c. May be NULL: prepare, release. */
typedef struct measure_kind {
    const char *name;
    const char *missing; /* what the build lacked, NULL if it is built; then nothing below is set */
    bool scans;          /* must give case->expected; otherwise a yardstick */
    bool copies;         /* must give the source; of these the fastest is "copy" */
    bool reads;          /* reads the source and writes nothing; of these the fastest is "read" */
    bool no_yardstick;   /* copies, but is never taken for the copy */
    bool idle;           /* moves no data, so it has no rate */
    bool on_host;        /* `run` works on mapped memory and returns when it is done */
    bool may_block;      /* `run` enqueues but may wait for the device meanwhile */
    bool rows;           /* scans each row of problems that have rows; others do not see such problems */
    bool columns;        /* the same for rows that are columns, or a tensor's along another axis than the last */
    bool reduces;        /* the same for problems that reduce */
    bool segments;       /* the same for problems that have segments */
    bool selects;        /* the same for problems that select */
    bool maps;           /* the same for problems that have maps */
    /* Compile, warm caches, set contender->state; an outcome other than MEASURE_OK explains itself in the
     * contender's note. The state is released in either case. */
    measure_outcome (*prepare)(measure_contender *contender, const measure_case *c);
    /* Enqueue once. `event` receives the last command's event; a contender that cannot say leaves it NULL. */
    bool (*enqueue)(measure_contender *contender, const measure_case *c, cl_event *event);
    /* For on_host: `in` and `out` are the case's in and target (the source for one that copies). */
    bool (*run)(measure_contender *contender, const measure_case *c, const void *in, void *out);
    /* Instead of the two above, for one that runs in another process, on its own memory: run once, and tell the time by
     * `clock`; then, for one that scans or copies, put its output into the case's target. */
    bool (*time)(measure_contender *contender, const measure_case *c, measure_clock clock, uint64_t *nanoseconds);
    bool (*fetch)(measure_contender *contender, const measure_case *c);
    void (*release)(measure_contender *contender);
} measure_kind;

struct measure_contender {
    const measure_kind *kind;
    const char *request; /* library only: the variant asked for; NULL: the configured one */
    char name[MEASURE_NAME_BYTES];
    char variant[MEASURE_NAME_BYTES]; /* what ran: of the library as clscan_variant_format() writes it */
    bool one_command;                 /* a run is one command, whose event tells its own time */
    void *state;
    measure_outcome outcome;
    measure_note note;
    measure_clock clock;
    uint64_t *nanoseconds;              /* one per run; with both clocks as many of the host's behind them */
    measure_statistics statistics;      /* nanoseconds */
    measure_statistics host_statistics; /* launch to finish; zero unless the device has both clocks */
};

#ifdef __cplusplus
}
#endif
#endif
