/* A strategy is one carry on the host: its kernels, and how it enqueues them. One table of all. */
#ifndef CLSCAN_ENGINE_STRATEGY_H
#define CLSCAN_ENGINE_STRATEGY_H

#include "base/arguments.h"
#include "base/shared.h"
#include "element/problem.h"
#include "element/segments.h"
#include "element/types.h"
#include "engine/columns.h"
#include "engine/geometry.h"
#include "engine/launch.h"
#include "engine/layout.h"

#define CLSCAN__KERNELS_PER_STRATEGY 5

/* A run whose arguments were checked. */
typedef struct clscan__run {
    cl_mem in, out, initial_buffer, total_buffer, state_buffer; /* the last three are `out` where there is none */
    uint64_t in_offset, out_offset, initial_offset, total_offset, state_offset;
    uint64_t count;      /* the largest, if count_buffer has it */
    cl_mem count_buffer; /* NULL: `count` is it */
    uint64_t count_offset;
    uint64_t first; /* elements of the whole scan before the input */
    uint32_t flags;
    unsigned char initial[CLSCAN__MOST_SUM_BYTES]; /* host value; zero if there is none */
    bool plain;                                    /* elements are scalars (cl/elements/types.cl) */
    cl_mem workspace;
    uint64_t workspace_offset_bytes;
    clscan__layout layout;
    uint32_t epoch;
    clscan_rows rows;        /* of a plan for rows, with its pitches */
    cl_mem row_count_buffer; /* the number of rows in device memory; NULL: it is rows.count, else the most */
    uint64_t row_count_offset;
    bool totals_only; /* of them */
    clscan__columns columns;
    clscan__shape shape;
    const clscan_device_info *device;
    bool selects; /* then the following: */
    uint64_t capacity;
    cl_mem flags_buffer; /* NULL: there are none */
    uint64_t flags_offset;
    struct {
        cl_mem buffer;
        uint64_t offset;
    } columns_of_selection[2 * CLSCAN_MOST_COLUMNS + 3]; /* inputs and outputs in turn, then indices, lengths, marks */
    size_t columns_of_selection_count;
    struct {
        bool present; /* what is not kept is written as well; then the following: */
        cl_mem out;
        uint64_t out_offset, capacity;
        bool is_counted;         /* it begins where a word of the workspace says */
        uint64_t counted_offset; /* of that, in words */
    } rest;
    /* What maps have besides the element, in the order of clscan__maps; behind a buffer stands its offset. */
    struct {
        size_t size_bytes;
        const void *value;
    } map_arguments[2 * CLSCAN_MOST_MAP_ARGUMENTS + 2 * CLSCAN__SEGMENTS_MOST_ARGUMENTS];
    size_t map_argument_count;
    cl_mem segments_buffer; /* what says where segments begin, or marks of that */
    uint64_t segments_offset;
    uint64_t marks_offset;  /* of marks of offsets, or of the number of segments, in the workspace, in words */
    uint64_t initials;      /* how many initial values there are, if segments have one each */
    uint32_t segments_mode; /* which initial value segments have */
    clscan_segment_sums segment_sums; /* where their sums go, and which of them there are */
    uint32_t segments_give;
    uint64_t overflows_offset; /* of the counter in the workspace */
} clscan__run;

typedef struct clscan__strategy {
    clscan_carry carry;
    bool reads_output;                                      /* so the output must not be write-only */
    const char *kernel_names[CLSCAN__KERNELS_PER_STRATEGY]; /* all that its runs may enqueue; NULL: no more */
    clscan_status (*enqueue)(clscan__sequence *sequence, cl_kernel const *kernels, const clscan_variant *variant,
                             const clscan__geometry *geometry, const clscan__run *run, clscan_error *error);
} clscan__strategy;

/* The strategy of a valid variant; never NULL. `reproducible`: in the reproducible order. */
const clscan__strategy *clscan__strategy_of(const clscan_variant *variant, bool reproducible);

/* Setting kernel arguments one after the other; the first failure sticks. */
typedef struct clscan__arguments {
    cl_kernel kernel;
    cl_uint next;
    cl_int code;
} clscan__arguments;

void clscan__argument(clscan__arguments *arguments, size_t size_bytes, const void *value);
void clscan__argument_buffer(clscan__arguments *arguments, cl_mem buffer);
void clscan__argument_memory(clscan__arguments *arguments, const clscan_memory *memory); /* buffer and offset */
void clscan__argument_u64(clscan__arguments *arguments, uint64_t value);
void clscan__argument_u32(clscan__arguments *arguments, uint32_t value);
/* The numbers that every kernel of a run is given; those that only the strategy knows are 0. */
clscan__run_arguments clscan__run_arguments_of(const clscan__run *run);
/* CLSCAN_RUN_PARAMETERS of kernels (cl/elements/arguments.cl): the first arguments of all. */
void clscan__arguments_run(clscan__arguments *arguments, const clscan__run_arguments *values, const clscan__run *run);
/* CLSCAN_MAP_PARAMETERS: the last arguments of kernels that load or store elements. */
void clscan__arguments_maps(clscan__arguments *arguments, const clscan__run *run);
clscan_status clscan__arguments_status(const clscan__arguments *arguments, clscan_error *error);

extern const clscan__strategy clscan__strategy_single;
extern const clscan__strategy clscan__strategy_adjacent;
extern const clscan__strategy clscan__strategy_all_totals;
extern const clscan__strategy clscan__strategy_lookahead;
extern const clscan__strategy clscan__strategy_lookback;
extern const clscan__strategy clscan__strategy_reduce_then_scan;
extern const clscan__strategy clscan__strategy_reduce_then_combine;
extern const clscan__strategy clscan__strategy_last_combines;
/* In the reproducible order. */
extern const clscan__strategy clscan__strategy_reproducible_reduce_then_scan;
extern const clscan__strategy clscan__strategy_reproducible_lookahead;
extern const clscan__strategy clscan__strategy_scan_then_add;
/* Of every plan for rows, whatever its variant's body. */
extern const clscan__strategy clscan__strategy_rows;
extern const clscan__strategy clscan__strategy_reproducible_rows;
/* Of few long rows, by a carry whose work-groups wait for each other. */
extern const clscan__strategy clscan__strategy_chained_rows;
extern const clscan__strategy clscan__strategy_joined_rows;

#endif
