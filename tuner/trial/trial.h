/* What is tuned, and what one measurement of it says. */
#ifndef CLSCAN_TUNER_TRIAL_H
#define CLSCAN_TUNER_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include <clscan/clscan.h>

#include "config_file/document.h"
#include "measure/element.h"
#include "measure/measure.h"

#include "common/error.h"

/* How a trial ended. The names are T4's.
 *
 *   name         text          meaning */
/* clang-format off */
#define TUNE_OUTCOME_LIST(X)                                                                            \
    X(CORRECT,     correct,     "right in every check, and timed")                                      \
    X(CONSTRAINTS, constraints, "illegal, or beyond a limit that shows only after compiling")           \
    X(COMPILE,     compile,     "the compiler refused it, crashed or ended its process")                \
    X(RUNTIME,     runtime,     "a call failed, the process ended, memory ran out, or the timer lied")  \
    X(TIMEOUT,     timeout,     "it passed a deadline")                                                 \
    X(CORRECTNESS, correctness, "an output, a canary or a total was wrong")
/* clang-format on */

typedef enum tune_outcome {
#define X(name, text, meaning) TUNE_OUTCOME_##name,
    TUNE_OUTCOME_LIST(X)
#undef X
        TUNE_OUTCOME_COUNT /* number of outcomes; not one of them */
} tune_outcome;

/* "correct", ...; "unknown" for other numbers. Static. */
const char *tune_outcome_name(tune_outcome outcome);
/* Returns true and writes *outcome if there is one of that name. */
bool tune_outcome_from_name(const char *name, tune_outcome *outcome);

/* What gets its own list of entries, and what stands for it in measurements. Two targets are the same if operation,
 * sizes of elements and of sums, operator class and reproducible are. */
typedef struct tune_target {
    clscan__config_operation operation; /* half of the elements of a selection are kept; segments have 64 elements */
    clscan_type type;                   /* of an element that is no number: of its lanes, if it is a vector */
    clscan_operator op;                 /* CLSCAN_CUSTOM stands for the sample operator keep_last, on sums */
    clscan_operator_class operator_class;
    uint32_t element_size_bytes;
    int reproducible; /* 1: plans with the same bits everywhere, which have entries of their own */
    /* Of rows, which are measured as many of the same length; else 0. */
    uint32_t fewest_rows;
    uint64_t rows_bytes;     /* of all of them, or more */
    measure_element element; /* size_bytes 0: elements are numbers */
    measure_maps maps; /* of numbers that are combined as others, and written as those: the output, or what a reduction
                          combines; else all zero */
} tune_target;

/* The target that `type` and `op` stand for. */
tune_target tune_target_of(clscan_type type, clscan_operator op);

/* The same of another operation than a scan; its operator class is CLSCAN_OPERATOR_CLASS_COUNT if it has no such
 * operator. */
tune_target tune_target_of_operation(clscan__config_operation operation, clscan_type type, clscan_operator op);

/* Combine and write numbers as another type, to which they convert; its sums are larger than they are. */
void tune_target_set_output(tune_target *target, clscan_type output);

/* Have numbers of a type entries of their own where they are combined and written as another? An error begins with
 * `culprit`, which says that they are. */
clscan_status tune_output_check(clscan_type type, clscan_type output, const char *culprit, clscan_error *error);

/* Are numbers combined and written as others? */
bool tune_target_converts(const tune_target *target);

/* What numbers are combined as. */
clscan_type tune_target_sum_type(const tune_target *target);

/* Bytes of an output; of others than numbers, of an element. */
uint32_t tune_target_output_bytes(const tune_target *target);

/* What entries say of sums: their bytes where these are not those of elements, else 0. */
uint32_t tune_target_key_sum_bytes(const tune_target *target);

/* The key of a target's entries. */
clscan__config_key tune_target_key(const tune_target *target);

/* Say how many rows are measured on a device: enough to fill it. Other targets stay as they are. */
void tune_target_fill_device(tune_target *target, const clscan_device_info *device);

/* A count is the elements of one row where there are rows: so many rows are measured of it; 0: it is no such target. */
uint64_t tune_target_rows(const tune_target *target, uint64_t count);
/* All elements of a run. */
uint64_t tune_target_elements(const tune_target *target, uint64_t count);

/* The target that an element stands for: a ready-made one with its own operator, a vector with its sum. */
tune_target tune_target_of_element(const measure_element *element);

/* Are elements vectors or structs? */
bool tune_target_has_element(const tune_target *target);

/* "int32", "affine_float". Static, or the target's. */
const char *tune_target_type_name(const tune_target *target);

/* "int64" of numbers that are written as such. */
const char *tune_target_output_name(const tune_target *target);

/* Its key in JSON: a vector may be called what a number is, as int8. */
const char *tune_target_type_key(const tune_target *target);

/* Have both the same elements and the same operator? */
bool tune_target_same_problem(const tune_target *a, const tune_target *b);

#define TUNE_TARGET_NAME_BYTES 48
/* "4-byte builtin", "4-byte builtin select", "4-byte builtin, 8-byte sums", "4-byte builtin, reproducible". */
void tune_target_name(const tune_target *target, char name[TUNE_TARGET_NAME_BYTES]);
bool tune_target_equal(const tune_target *a, const tune_target *b);

/* Can the operation be measured on numbers of this type? Not where sums are of another one: those of half are float. */
bool tune_operation_takes(clscan__config_operation operation, clscan_type type);

/* Have entries of the operation sums of another size than their elements, which are measured? */
bool tune_operation_converts(clscan__config_operation operation);

/* Is it anything but one scan of elements that stay what they are? */
bool tune_target_is_other(const tune_target *target);

/* What is measured of a target: so many elements, or rows of so many, with the sample operator of a custom one. Points
 * into the target. */
measure_problem tune_target_measured(const tune_target *target, const struct clscan_sample_operator *sample,
                                     uint64_t count);

/* Does a load of `loaded_count` elements of one target serve `count` of another? The prefix of a scan is the scan of a
 * prefix; what a selection, a reduction or other rows give of fewer elements is something else. */
bool tune_target_load_serves(const tune_target *loaded, uint64_t loaded_count, const tune_target *target,
                             uint64_t count);

#define TUNE_REASON_BYTES 256

/* For questions to which nothing but the elements matters: those of a target, and of numbers their sum. */
clscan_problem tune_target_shape(const tune_target *target);

/* As plans and the library's checks want it, without max_count, and of numbers without operator source. Points into
 * the target. */
clscan_problem tune_target_problem(const tune_target *target);
/* The same for runs of one count; `rows` takes the rows, if it has some, which the problem points to. */
clscan_problem tune_target_problem_at(const tune_target *target, uint64_t count, clscan_rows *rows);

/* One candidate on one target at one count. */
typedef struct tune_trial {
    /* The question. */
    tune_target target;
    clscan_variant variant;
    uint64_t count; /* of rows, the elements of one */

    /* The answer. */
    tune_outcome outcome;
    char reason[TUNE_REASON_BYTES];       /* one line; "" if correct */
    double time_ns;                       /* median time of one scan, by the device's clock where it has one */
    double spread_ns;                     /* upper minus lower quartile of it */
    double host_time_ns;                  /* median by the host's clock: cross-check */
    double copy_ns;                       /* median of the fastest copy of the same bytes, measured beside it */
    unsigned runs;                        /* timed repetitions */
    double compile_ns;                    /* 0 in all but the first trial of a prepared candidate */
    double validate_ns;                   /* the same */
    uint32_t kernel_work_group_size;      /* read back after compiling; 0: unknown */
    uint64_t local_bytes;                 /* the same */
    uint64_t private_bytes;               /* the same */
    char revision[CLSCAN_REVISION_BYTES]; /* of the variant's kernels; "": unknown */
    bool inconclusive; /* no answer came, or an impossible time: the worker may be to blame, or what else runs */

    /* Filled by the search, not by the evaluator. */
    bool insist;   /* an inconclusive answer of before is none: this is a default, which all others must beat */
    bool in_place; /* the variant may also run in place here */
    bool compared; /* times are of the last comparison (finals.h); spread_ns is the noise against the fastest one */
    double searched_ns; /* what time_ns was in the search, if it was compared; else 0 */
    double started_s;   /* since the run began, over all its parts */
    double ended_s;     /* the same */
    char date[24];      /* ISO 8601, UTC */
} tune_trial;

/* Are both of one program: the same variant, type, operator and reproducible? */
bool tune_trial_same_candidate(const tune_trial *a, const tune_trial *b);
/* Do both ask the same question? */
bool tune_trial_same_question(const tune_trial *a, const tune_trial *b);

/* Set outcome and reason, and return false, so that a caller can return its result. The reason is cut to one line of
 * plain ASCII, since drivers and compilers write whatever they like. */
bool tune_conclude(tune_trial *trial, tune_outcome outcome, const char *format, ...) CLSCAN__PRINTF(3, 4);

/* Only the reason, or why a worker failed. */
void tune_write_reason(char reason[TUNE_REASON_BYTES], const char *format, ...) CLSCAN__PRINTF(2, 3);

/* Does a log that answers lack this trial? Then it is as if nobody had asked. */
bool tune_trial_is_unknown(const tune_trial *trial);
/* Was an answer looked for in vain? Then nobody knows how fast the variant is there. */
bool tune_trial_is_unmeasured(const tune_trial *trial);

/* Elements per nanosecond times bytes read and written per element: GB/s of a 2N scan. 0 unless correct. */
double tune_trial_gb_per_s(const tune_trial *trial);

/* A trial as a JSON object, as journals hold it. NULL if memory ran out. */
json_t *tune_trial_to_json(const tune_trial *trial);
/* The question only. */
json_t *tune_question_to_json(const tune_trial *trial);
/* A target as an object. NULL if memory ran out. */
json_t *tune_target_to_json(const tune_target *target);
/* Read the target of a question. Where no operator class is said, it is that of type and operator; a sum of int32 may
 * also stand for `builtin`. CLSCAN_ERROR_CONFIG_SCHEMA names the key. */
clscan_status tune_target_from_json(const json_t *object, tune_target *target, clscan_error *error);
/* Read what one of the two wrote; an answer that is not there stays 0. CLSCAN_ERROR_CONFIG_SCHEMA names the key. */
clscan_status tune_trial_from_json(const json_t *object, tune_trial *trial, clscan_error *error);

#endif
