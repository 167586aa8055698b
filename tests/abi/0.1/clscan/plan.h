/** \file plan.h
 * Plans, workspaces and the one call that runs a scan.
 *
 * A plan is immutable and compiled; any number of threads may share it. A workspace serves one run at a
 * time; give each thread its own. clscan_run() only enqueues.
 */
#ifndef CLSCAN_PLAN_H
#define CLSCAN_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include <clscan/config.h>
#include <clscan/device.h>
#include <clscan/export.h>
#include <clscan/memory.h>
#include <clscan/probe.h>
#include <clscan/problem.h>
#include <clscan/rows.h>
#include <clscan/select.h>
#include <clscan/status.h>
#include <clscan/types.h>
#include <clscan/variant.h>

#include <CL/cl.h>

#ifdef __cplusplus
extern "C" {
#endif

struct clscan__test_knobs;

/** Choices for a plan that most callers leave alone. Set struct_size, zero what is not used. */
typedef struct clscan_plan_options {
    size_t struct_size;            /**< sizeof(clscan_plan_options) */
    const clscan_config *config;   /**< comes before every other config; NULL: none. Not kept. */
    const clscan_variant *variant; /**< use only this, for every count; NULL: choose by configs. Not kept. */

    /* Programs of an earlier plan, from clscan_plan_save(). What it lacks or cannot serve is compiled. */
    const void *blob;  /**< read during the call, any alignment; NULL: none. Not kept. */
    size_t blob_bytes; /**< its size */

    clscan_probe_mode probe; /**< start-up probe (probe.h); 0: as the environment variable CLSCAN_PROBE says */

    /* For drivers that fail (docs/troubleshooting.md). */
    int no_sub_groups; /**< 1: no sub-group code, so neither body subgroup_rows nor group scan subgroup, but in
                            reproducible plans through local memory; 0: as the environment variable CLSCAN_SUB_GROUPS
                            says, auto or off */
    int no_waiting;    /**< 1: no carry in which work-groups wait for each other, and so no start-up probe; 0: as the
                            environment variable CLSCAN_WAITING says, auto or off */

    /* To try what the tables do not know of a device (docs/porting.md), and to see what waiting costs. */
    clscan_mechanism mechanism; /**< force a mechanism; CLSCAN_MECHANISM_NONE: the device's own */
    int count_events;           /**< 1: kernels count waits and recomputations for clscan_workspace_report() */
    uint32_t reserved;          /**< 0 */

    int64_t measure_ms; /**< time, in milliseconds, to measure at first use, at most 86400000, a day; 0: as the
                             environment variable CLSCAN_MEASURE says, off unless it is set */

    const struct clscan__test_knobs *test_knobs; /**< NULL; clscan's own tests ask for rare events by it. Not kept. */
} clscan_plan_options;

/** A compiled scan for one context and device. Immutable. */
typedef struct clscan_plan clscan_plan;

/** Create a plan: choose variants, compile all that counts up to max_count can select. Slow, unless the program
 * cache (cache.h), another plan of the context or options->blob has the programs.
 *
 * The first plan for a device and driver that would let work-groups wait for each other runs the start-up probe
 * (probe.h): it compiles one more program, and takes up to 0.1 s of the device, on a queue of its own and in buffers
 * of some MiB that are released again. Its finding is kept, in memory and beside the programs on disk. Where it
 * forbids waiting, or cannot run, variants are chosen as on a device without progress between work-groups.
 *
 * With options->measure_ms the first plan of a type, operator class and count measures: variants that are known to be
 * fast on some device, and that the tables and the probe allow here, are timed on max_count elements (or as many as
 * 256 MiB hold), on a queue of their own and in buffers that are released again. It ends after that time, and what is
 * being compiled or run then; the start-up probe is not in it. Up to four variants are compiled at once, in threads.
 * The winner, whose output is the same as that of the variant that would serve otherwise, byte by byte, serves the
 * plan, and is kept as an entry in the user's folder (config.h), where later plans find it. Where the time was too
 * short for all variants, the entry says so, and a plan with twice the time measures anew.
 * Where the folder cannot be written, the process keeps the entry. Of several plans at once, in threads or processes,
 * one measures at a time; the others wait for it, and find what it has found. That time is not in theirs.
 * Nothing is measured for reductions or maps, where elements are no scalars or types differ, where options->variant or
 * options->config is given, or an entry was measured on this device and driver, set by a person in the user's folder
 * or named by CLSCAN_CONFIG. What goes wrong is logged, and the plan is as without it.
 *
 * \param context, device  Where runs happen; the plan retains both until it is destroyed.
 * \param problem          What to scan. Copied, with all that it points to.
 * \param options          NULL for defaults. Not kept.
 * \param plan             Receives the plan; destroy it with clscan_plan_destroy().
 * \return CLSCAN_OK, or
 *         - CLSCAN_ERROR_NULL_ARGUMENT, CLSCAN_ERROR_STRUCT_SIZE, CLSCAN_ERROR_INVALID_VALUE
 *           (unknown type, operator, form, direction; max_count 0; count_bytes other than 0, 4 and 8; no rows,
 *           or too many for memory; a custom operator without function; a map without expression, or with impossible
 *           arguments; a name that OpenCL C does not allow
 *           or begins with clscan; an element of impossible lanes, size or alignment, or that says two things;
 *           blob_bytes without blob; a measure_ms that is negative or more than a day);
 *         - CLSCAN_ERROR_UNSUPPORTED_TYPE  double on a device without it, bitwise operators on non-integers,
 *           rows->count_bytes with rows->dimensions, or a reproducible problem on a device that flushes subnormal
 *           numbers or does not round to
 *           nearest; an element of more than CLSCAN_MOST_ELEMENT_BYTES, a vector of half, an operator other than
 *           CLSCAN_CUSTOM for a type of the caller's, a reproducible problem whose elements have no reproducible
 *           order, an accumulator or output that the input does not become (clscan_problem);
 *         - CLSCAN_ERROR_WRONG_CONTEXT     \p device is not one of \p context's;
 *         - CLSCAN_ERROR_ILLEGAL_VARIANT, CLSCAN_ERROR_DEVICE_LIMIT  options->variant or options->mechanism cannot
 *           run here, or the start-up probe forbids options->variant. If the probe could not run and that variant
 *           waits: the probe's own error, CLSCAN_ERROR_OPENCL, CLSCAN_ERROR_BUILD or CLSCAN_ERROR_OUT_OF_MEMORY;
 *         - CLSCAN_ERROR_OPERATOR_SOURCE   the custom operator does not compile; error->build_log has the
 *           compiler's words with the caller's line numbers;
 *         - CLSCAN_ERROR_ELEMENT_SOURCE    the element's source does not compile, with the log; or the device gives the
 *           type another size or alignment than the caller, and the message has both;
 *         - CLSCAN_ERROR_MAP_SOURCE        problem->load or problem->store does not compile; error->build_log has the
 *           compiler's words with the caller's line numbers;
 *         - CLSCAN_ERROR_BUILD             a kernel does not compile, with the log;
 *         - CLSCAN_ERROR_CONFIG_..., CLSCAN_ERROR_FILE  an explicitly named config cannot be used;
 *         - CLSCAN_ERROR_OPENCL, CLSCAN_ERROR_OUT_OF_MEMORY.
 *
 * Thread-safe. Returns when the driver has compiled all programs; nothing is left running. Some drivers compile more at
 * the first run: PoCL makes machine code of a kernel then. */
CLSCAN_API clscan_status clscan_plan_create(cl_context context, cl_device_id device, const clscan_problem *problem,
                                            const clscan_plan_options *options, clscan_plan **plan,
                                            clscan_error *error);

/** Release a plan. NULL does nothing. Workspaces keep what they need, so the order of destruction is free. */
CLSCAN_API void clscan_plan_destroy(clscan_plan *plan);

/** Bytes that a workspace buffer of this plan needs; enough for every count up to max_count. 0 if \p plan is NULL.
 * Thread-safe. */
CLSCAN_API uint64_t clscan_plan_workspace_bytes(const clscan_plan *plan);

/** Largest count, in elements, that a run of this plan may have. 0 if \p plan is NULL. Thread-safe. */
CLSCAN_API uint64_t clscan_plan_max_count(const clscan_plan *plan);

/** Bytes of the state that leads from part to part of a reproducible scan.
 *
 * A scan may be run in parts, one after the other in the order of the scan, as when it does not fit into memory. The
 * total of one part as the initial value of the next is right, but groups operands by parts. If this is not 0, give
 * every run the same args->state, the same initial value, and in `first` how many elements were in the parts before;
 * then the results, and the total so far, have the bits of one run over all. All parts but the last are multiples of
 * CLSCAN_REPRODUCIBLE_STEP elements; after a part that is not, the state is unspecified. The state holds values of the
 * accumulator type; it may be copied and saved, and be taken up by another plan of the same problem, on any device.
 *
 * \return 0 if \p plan is NULL, its problem is no reproducible scan, or has rows, or each grouping gives the same bits
 * (integers; min and max): then totals and initial values serve. Thread-safe. */
CLSCAN_API uint64_t clscan_plan_state_bytes(const clscan_plan *plan);

/** Which variant serves \p count, from which file, and why.
 *
 * \param plan      The plan that would run.
 * \param count     Number of elements, 0 to clscan_plan_max_count().
 * \param in_place  1 for runs whose output is their input.
 * \param choice    Receives the answer; its struct_size is set.
 * \return CLSCAN_OK; CLSCAN_ERROR_NULL_ARGUMENT; CLSCAN_ERROR_STRUCT_SIZE; CLSCAN_ERROR_COUNT_TOO_LARGE.
 *
 * Thread-safe. */
CLSCAN_API clscan_status clscan_plan_explain(const clscan_plan *plan, uint64_t count, int in_place,
                                             clscan_choice *choice, clscan_error *error);

/** A variant that an entry of some config names, whichever device that config is for. It stands in arrays, whose stride
 * is given beside them. */
typedef struct clscan_known_variant {
    clscan_variant variant;               /**< what the entry names */
    uint64_t smallest_count;              /**< where the entry's size class begins */
    uint64_t largest_count;               /**< where it ends; UINT64_MAX: no limit */
    clscan_operator_class operator_class; /**< of the entry */
    uint32_t reserved;                    /**< 0 */
    char match[64];                       /**< the device key, architecture, family or generic class of its config */
    char source[256];                     /**< file (or "built-in NAME") of its config */
} clscan_known_variant;

/** List the variants of all configs that a device can run for a problem: what has won on other devices is worth a
 * measurement on this one.
 *
 * \param config    Explicit config or NULL.
 * \param device    The device that the variants must be legal on.
 * \param problem   Its type tells the element size, its reproducible flag which entries; its operator matters to
 *                  that flag only.
 * \param list      Receives up to \p capacity variants, in the order in which configs and their entries stand. One that
 *                  several entries name is there several times. May be NULL if \p capacity is 0.
 * \param stride_bytes  From one to the next in \p list: sizeof(clscan_known_variant). 0 if \p list is NULL.
 * \param capacity  Of \p list.
 * \param count     Receives how many there are, which may be more than \p capacity.
 * \return CLSCAN_OK; CLSCAN_ERROR_NULL_ARGUMENT; CLSCAN_ERROR_STRUCT_SIZE, also for a stride that cannot be; 
 *         CLSCAN_ERROR_INVALID_VALUE for the problem; errors of clscan_config_load() for CLSCAN_CONFIG.
 *
 * Reads files; thread-safe. */
CLSCAN_API clscan_status clscan_config_list(const clscan_config *config, const clscan_device_info *device,
                                            const clscan_problem *problem, clscan_known_variant *list,
                                            size_t stride_bytes, size_t capacity, size_t *count, clscan_error *error);

/** Size of the text of a revision, with its terminator. */
#define CLSCAN_REVISION_BYTES 24

/** The revision of the kernels that \p variant is composed of on \p device: what an entry of a config keeps to tell
 * whether it was measured with these. It differs where the kernels' source differs, or what the device decides about
 * them, and is the same for all types, operators and forms that one entry serves.
 *
 * \param variant   A variant that \p device can run for \p problem.
 * \param problem   Only type, op, reproducible and whether there are rows matter; max_count and custom may be missing.
 * \param device    The device; it need not be here, see clscan_device_load().
 * \param revision  Receives the revision.
 * \return CLSCAN_OK; CLSCAN_ERROR_NULL_ARGUMENT; errors of clscan_variant_check(); CLSCAN_ERROR_FILE where
 *         CLSCAN_KERNEL_DIR names a folder without the kernels; CLSCAN_ERROR_OUT_OF_MEMORY.
 *
 * Compiles nothing; thread-safe. */
CLSCAN_API clscan_status clscan_variant_revision(const clscan_variant *variant, const clscan_problem *problem,
                                                 const clscan_device_info *device, char revision[CLSCAN_REVISION_BYTES],
                                                 clscan_error *error);

/** Save the compiled programs of \p plan, for clscan_plan_options.blob of later plans, in this process or another.
 *
 * A later plan may be of another problem, device or driver: it takes the programs that are the ones it needs, and
 * compiles the others. A blob holds machine code that is run as it is: take blobs only from where you take programs.
 * It is damaged if any byte of it changes, which is noticed; it is then not used, with a line in the log.
 *
 * \param plan            Any plan, also one that was made of a blob.
 * \param blob            Receives the blob; may be NULL if \p capacity_bytes is 0.
 * \param capacity_bytes  Size of \p blob.
 * \param size_bytes      Receives the size of the blob, also if it does not fit.
 * \return CLSCAN_OK, also when only the size was asked for; CLSCAN_ERROR_NULL_ARGUMENT;
 *         CLSCAN_ERROR_BUFFER_TOO_SMALL if 0 < capacity_bytes < *size_bytes, nothing is written then;
 *         CLSCAN_ERROR_OPENCL if the driver gives no binaries; CLSCAN_ERROR_OUT_OF_MEMORY.
 * Where the driver makes binaries only on demand (PoCL), it takes as long as compiling. Thread-safe. */
CLSCAN_API clscan_status clscan_plan_save(const clscan_plan *plan, void *blob, size_t capacity_bytes,
                                          size_t *size_bytes, clscan_error *error);

/** What the compiler made of the kernels that serve a count. */
typedef struct clscan_kernel_info {
    size_t struct_size;                   /**< sizeof(clscan_kernel_info) */
    char revision[CLSCAN_REVISION_BYTES]; /**< clscan_variant_revision() of the variant */
    uint64_t work_group_size; /**< largest work-group that every kernel of the variant can run as, in work-items */
    uint64_t local_bytes;     /**< local memory of a work-group; the most of any kernel */
    uint64_t private_bytes;   /**< private memory of a work-item; the most of any kernel; drivers differ in what counts,
                                   and many report spilled registers only */
    uint32_t sub_group_size;  /**< work-items of a sub-group, as far as clscan_device_info knows; 0 if unknown */
    int from_cache;           /**< 1: not compiled for this plan, see cache.h */
    uint64_t build_time_ns;   /**< time it took to compile, or to take from a cache */
} clscan_kernel_info;

/** Ask about the kernels that serve \p count.
 *
 * \param plan      The plan that would run.
 * \param count     Number of elements, 0 to clscan_plan_max_count(); 0 is served like 1.
 * \param in_place  1 for the kernels when input and output are the same memory.
 * \param info      Receives the answer; its struct_size is set.
 * \return CLSCAN_OK; CLSCAN_ERROR_NULL_ARGUMENT; CLSCAN_ERROR_STRUCT_SIZE; CLSCAN_ERROR_COUNT_TOO_LARGE;
 *         CLSCAN_ERROR_OPENCL.
 *
 * Makes and releases kernel objects; thread-safe. */
CLSCAN_API clscan_status clscan_plan_kernel_info(const clscan_plan *plan, uint64_t count, int in_place,
                                                 clscan_kernel_info *info, clscan_error *error);

/** Scratch memory, kernels and epoch of one run at a time. */
typedef struct clscan_workspace clscan_workspace;

/** Create a workspace for \p plan, with no buffer bound yet. It keeps the plan alive.
 *
 * \param plan       Any number of workspaces may be of one plan.
 * \param workspace  Receives the workspace; destroy it with clscan_workspace_destroy().
 * \return CLSCAN_OK; CLSCAN_ERROR_NULL_ARGUMENT; CLSCAN_ERROR_OPENCL; CLSCAN_ERROR_OUT_OF_MEMORY.
 *
 * Thread-safe. */
CLSCAN_API clscan_status clscan_workspace_create(const clscan_plan *plan, clscan_workspace **workspace,
                                                 clscan_error *error);

/** Bind a buffer and enqueue its initialisation.
 *
 * From now until the workspace is unbound, bound again or destroyed, the contents are clscan's; the caller
 * must not touch them, nor bind the same range elsewhere. Binding again initialises again, whatever the
 * range held.
 *
 * \param workspace     Used by no other call meanwhile.
 * \param queue         Runs the initialisation. Runs on other queues wait for it.
 * \param memory        Where clscan_plan_workspace_bytes() are: a read-write buffer of the plan's context, retained
 *                      while bound. Its elements are bytes, and its offset is a multiple of 256. NULL: the workspace
 *                      allocates a buffer itself.
 * \return CLSCAN_OK; CLSCAN_ERROR_NULL_ARGUMENT; CLSCAN_ERROR_WRONG_CONTEXT; CLSCAN_ERROR_WORKSPACE_SIZE (too
 *         small or misaligned); CLSCAN_ERROR_BUFFER_ACCESS; CLSCAN_ERROR_MEMORY_KIND;
 *         CLSCAN_ERROR_WORKSPACE_BUSY; CLSCAN_ERROR_OPENCL. After an error nothing is bound.
 *
 * Thread-safety: safe for different workspaces. Returns as soon as the initialisation is enqueued.
 */
CLSCAN_API clscan_status clscan_workspace_bind(clscan_workspace *workspace, cl_command_queue queue,
                                               const clscan_memory *memory, clscan_error *error);

/** Give the buffer back. Runs that are enqueued must have finished before the caller reuses it.
 * \return CLSCAN_OK (also when nothing is bound); CLSCAN_ERROR_NULL_ARGUMENT; CLSCAN_ERROR_WORKSPACE_BUSY. */
CLSCAN_API clscan_status clscan_workspace_unbind(clscan_workspace *workspace, clscan_error *error);

/** Release a workspace. NULL does nothing. Runs that are enqueued go on. */
CLSCAN_API void clscan_workspace_destroy(clscan_workspace *workspace);

/** What the kernels reported since the buffer was bound. Counters count only with options.count_events. */
typedef struct clscan_report {
    size_t struct_size;      /**< sizeof(clscan_report) */
    uint32_t failures;       /**< work-groups that could not finish; 0 unless the library or device is broken */
    uint32_t waits;          /**< tiles whose predecessor had not published at the first poll */
    uint32_t recomputed;     /**< spent waits that were completed by reducing missing tiles */
    uint32_t discarded;      /**< recomputed tiles that had been published meanwhile, and were dropped */
    uint32_t refused_counts; /**< counts on the device that were larger than args->count, or numbers of offsets larger
                                  than args->offset_count, or of rows larger than the rows' count; always counted */
    uint32_t overflows;      /**< runs that kept more than there was room for (select.h; the two outputs of a partition
                                  are counted each), or found more segments than had room, or initial values
                                  (segments.h); always counted */
    uint32_t bad_offsets;    /**< offsets of segments that were negative, beyond the count, or below the one before, in
                                  plans that look for them (clscan_segments.check) */
    uint32_t reserved;       /**< 0 */
} clscan_report;

/** Read the report: enqueues a blocking read on \p queue, after the workspace's runs, so it waits for them.
 *
 * \param workspace  Bound; used by no other call meanwhile.
 * \param queue      A queue of the plan's context and device.
 * \param report     Receives the counters; its struct_size is set.
 * \return CLSCAN_OK; CLSCAN_ERROR_NULL_ARGUMENT; CLSCAN_ERROR_STRUCT_SIZE; CLSCAN_ERROR_WORKSPACE_UNBOUND;
 *         CLSCAN_ERROR_WRONG_CONTEXT; CLSCAN_ERROR_WORKSPACE_BUSY; CLSCAN_ERROR_OPENCL. */
CLSCAN_API clscan_status clscan_workspace_report(clscan_workspace *workspace, cl_command_queue queue,
                                                 clscan_report *report, clscan_error *error);

/** One run. Set struct_size to sizeof(clscan_run_args), zero what is not used. */
typedef struct clscan_run_args {
    size_t struct_size; /**< sizeof(clscan_run_args) */
    clscan_memory in;   /**< `count` elements, of each row, which are read; none if a map generates them (map.h) */
    clscan_memory out;  /**< `count` elements, of each row, which are written; none with operation reduce, and of rows
                           none if only \p total is wanted */
    uint64_t count;     /**< elements, of each row; 0 is valid; with device_count the most, at least 1 */
    clscan_memory
        initial;         /**< initial value, of the accumulator type; of kind HOST it is read during the call, in device
                                memory when the scan runs; of rows one for all, or for each by
                                clscan_rows.initial_pitch; of segments one for all, or for each by
                                clscan_segments.initials; none: there is no initial value */
    clscan_memory total; /**< receives the combination of initial value and all elements, of the accumulator type; none:
                                it is not wanted; operation reduce gives nothing else, and must have it; of
                                rows, one for each, side by side or as clscan_rows.total_pitch and total_strides say */

    /* For parts of a reproducible scan, see clscan_plan_state_bytes(). */
    uint64_t first; /**< elements of the whole scan before this part; a multiple of CLSCAN_REPRODUCIBLE_STEP */
    clscan_memory
        state; /**< state of the scan after them, values of the accumulator type; is replaced by that after this
                              part; none: one part */

    const clscan_rows *rows; /**< of a plan for rows: this run's; NULL: those of the problem. Copied during the call. */

    const clscan_memory
        *map_arguments;          /**< those of the problem's maps: all of the load map, then all of the store map;
                                             a value is of kind HOST and read during the call; NULL: there are none */
    uint64_t map_argument_count; /**< of \p map_arguments */

    clscan_memory
        device_count; /**< of a plan with problem.count_bytes: the count in device memory, read when the run starts;
                           no more than `count`, which buffers have room for; none: `count` is it */

    clscan_memory
        segments; /**< of a plan with problem.segments: what says where they begin; the offset in flags, keys or
                       offsets, of bits in bytes of 8; none where there is not one offset */
    uint64_t offset_count; /**< of a plan by offsets: how many stand in \p segments, with device_offset_count the most;
                                else 0 */

    const clscan_selection *selection; /**< of operation select: flags and capacity; NULL: neither. Of operation repeat:
                                            lengths. Read during the call. */

    const clscan_segment_sums
        *segment_sums; /**< of a plan for sums of segments: where they go (segments.h). Read during
                                                  the call. */

    clscan_memory
        device_offset_count; /**< of a plan with segments.offset_count_bytes: the number of offsets in device memory,
                                  read when the run starts; no more than `offset_count`; none: that is it */

    clscan_memory
        device_row_count; /**< of a plan with rows.count_bytes: the number of rows in device memory, read when the run
                               starts; no more than the count of the run's rows, which buffers have room for and which
                               is at least 1; none: that is it */
} clscan_run_args;

/** Enqueue one run: a scan, or what problem.operation says.
 *
 * Operation reduce reads args->in and writes args->total, by the same words: with initial value, offsets and direction
 * (which says at which end the initial value stands), of the same bits as the total of a scan where
 * problem.reproducible is set. It has no output, no form but inclusive, and no parts.
 *
 * With problem.segments, what is given for each segment is written where args->segment_sums says (segments.h), and
 * args->total must not be given: by operation reduce that alone, by a scan with segments.sums beside its outputs.
 *
 * Operation select reads args->in, or nothing if neither of its maps names `element`, and flags; it writes what is kept
 * to args->out, which holds args->selection->capacity elements, and the number kept to args->total. Its columns and
 * indices are read and written like them. If that number is larger than the capacity, the first `capacity` ones are
 * written, and clscan_workspace_report() counts an overflow. With select.rest what is not kept is written as well,
 * behind or to args->selection->rest; the total is still the number kept. With select.in_place an output may begin
 * where its input does: what is behind the last element written stays, and args->total is read again.
 *
 * An initial value of operation select is the place where the first element that is kept goes, and part of the total.
 * Where it lies behind the capacity nothing is written, and no overflow counted. It should be at most M - args->count,
 * where M is the largest number of the total's type: a larger one of the host's is refused, and a larger one in device
 * memory counts as M - args->count. No capacity may be larger then. So nothing is written, and the total, which is
 * M - args->count plus the number kept, may be less than the initial value.
 *
 * Operation repeat does the same with each element as many times as args->selection->lengths says: the number of
 * outputs goes to args->total, which is read again. Where it is too large for its type, the total is the type's largest
 * number.
 *
 * Reads args->in, writes args->out as \ref types.h defines. Initial value and total have the accumulator
 * type (float for half). \p in and \p out may be the same range of the same memory (in place); any other
 * overlap between in, out, initial, total, state and the workspace is refused, also between
 * sub-buffers of one buffer. Totals of rows may stand in gaps of \p in and \p out (rows.h). A buffer that a map has as
 * an argument may overlap others of its kind and, out of place, \p in; nothing else. Buffers that alias through host
 * pointers (CL_MEM_USE_HOST_PTR) or SVM are not detected: keep them apart.
 *
 * With problem.count_bytes the count is read from args->device_count when the run starts: the total of an earlier scan,
 * or what another kernel has left there. It may be 0. One larger than args->count (a negative one is) is refused on the
 * device: the run has 0 elements, its total is the initial value, and clscan_workspace_report() counts it. Outputs
 * behind the count stay as they are. For rows it is the count of each row, and where rows follow each other without a
 * gap, each has room for args->count elements. Of a tensor it is how many elements each scan along the axis has, and
 * strides are those of the whole extent. The count may be read as input as well, and may not overlap what the run
 * writes. With rows.count_bytes the same holds for the number of rows, which is read from args->device_row_count: one
 * that is larger than the rows' count is refused there, and counted; then there are no rows, and nothing is written.
 *
 * Returns as soon as the work is enqueued and never blocks, allocates device memory or compiles. Besides the scan's
 * own launches (one or two, by the carry; with lengths, or a rest behind what is kept, one or two small ones more; one
 * for each output of a selection in place; two more of operation repeat) it enqueues two small fills after about 2^30
 * runs (2^14 where only 32-bit atomics exist) and after a failed enqueue, a small copy of the state before later parts
 * of a scan, and a marker where the workspace was last used on another, in-order queue, or has runs to wait for
 * besides more than 15 events of \p wait_list, or for each queue of the workspace's on which a run was seen to have
 * failed: that fails no run which is enqueued afterwards, and none of these overtakes a run in front of the failed
 * one, as long as in-order queues keep their order then (those of PoCL 3.1 do not).
 *
 * \param plan       The plan of \p workspace.
 * \param workspace  Bound; used by no other call meanwhile. Runs that use it are ordered one after the other,
 *                   whatever their queues; with an out-of-order queue through events.
 * \param queue      A queue of the plan's context and device; in-order or out-of-order.
 * \param args       Copied during the call.
 * \param wait_count, wait_list  As in OpenCL: events that the scan waits for.
 * \param event      Receives an event that the caller releases; NULL if not wanted. It completes with the
 *                   scan; its profiling times are those of the last launch.
 *
 * \return CLSCAN_OK, or
 *         - CLSCAN_ERROR_NULL_ARGUMENT      a required argument is NULL; operation reduce, select or repeat without
 *           args->total; a plan for sums of segments without args->segment_sums, or with nothing in it, or for an
 *           initial value of each segment without args->initial;
 *           flags, lengths, columns, indices or a rest apart that are missing; no device_count for a plan with
 *           problem.count_bytes, or no device_offset_count for one with segments.offset_count_bytes, or no
 *           device_row_count for one with rows.count_bytes;
 *         - CLSCAN_ERROR_STRUCT_SIZE        args->struct_size is unknown;
 *         - CLSCAN_ERROR_INVALID_VALUE      \p workspace is of another plan, an offset overflows, a memory
 *           object is no buffer, wait_count and wait_list disagree; first or state are given though
 *           clscan_plan_state_bytes() is 0, out with operation reduce, first without state or not a multiple of
 *           CLSCAN_REPRODUCIBLE_STEP; rows are given though the problem has none, or with a pitch smaller than
 *           count or too large for memory, an initial_pitch without an initial value in a buffer, a total_pitch or
 *           total_strides without total or not as clscan_rows says, an axis, extents or strides without dimensions, or
 *           dimensions where none is the axis or its extent is not count; in is given though a map generates the
 *           elements; map_arguments are not as many as the problem's maps have;
 *           device_count is given though problem.count_bytes is 0, or count is 0 with it, and the same of
 *           device_offset_count, segments.offset_count_bytes and offset_count; the same of what the problem of a
 *           selection does not ask for, such as a rest without CLSCAN_REST_APART; a selection in place has a capacity
 *           of more than count; a selection has an initial value of the host's from which count elements more may pass
 *           the largest number of its total, or one in device memory and a capacity from which they may;
 *         - CLSCAN_ERROR_COUNT_TOO_LARGE    count exceeds clscan_plan_max_count(), or rows->count that of the
 *           problem's rows;
 *         - CLSCAN_ERROR_BUFFER_TOO_SMALL   a buffer ends before its last element;
 *         - CLSCAN_ERROR_BUFFER_ACCESS      write-only input or initial value, read-only output or total, write-only
 *           output of a scan_then_add variant, which reads it again, or write-only total of operation repeat, or of a
 *           selection with lengths or in place;
 *         - CLSCAN_ERROR_OVERLAP            see above; a selection is in place, but select.in_place of the
 *           problem is 0; or rows->out_strides or total_strides let elements of the output or totals meet;
 *         - CLSCAN_ERROR_WRONG_CONTEXT      queue or buffer of another context or device;
 *         - CLSCAN_ERROR_MEMORY_KIND        memory of a kind that is not served: it is of kind BUFFER, the initial
 *           value of kind BUFFER or HOST, an argument of a map of kind HOST where it is a value;
 *         - CLSCAN_ERROR_NO_IDENTITY        an exclusive scan, a store map that names `previous`, or the total of 0
 *           elements (which a count on the device may make any), without initial value, by an operator without
 *           identity;
 *         - CLSCAN_ERROR_WORKSPACE_UNBOUND, CLSCAN_ERROR_WORKSPACE_BUSY;
 *         - CLSCAN_ERROR_OPENCL             an OpenCL call failed; error->cl_code holds its code.
 *         Arguments are checked before anything is enqueued. After CLSCAN_ERROR_OPENCL the contents of out
 *         and total are unspecified, \p event is untouched, and the workspace may be used again.
 *
 * Thread-safety: safe for different workspaces, also of one plan.
 * Determinism: integers are the same in every run and variant. float, double and half are the same from run to run of
 * one variant, since its carry combines in a fixed order; but with the carries lookback and lookahead their last
 * bits may differ, since they group by how far a work-group happens to look back, or by the
 * tiles that it happens to take.
 *
 * With problem.reproducible, outputs and totals of float, double and half have the same bits in every run, on every
 * queue, by every variant, in any parts (clscan_plan_state_bytes()), in place or not, and on every device that the plan
 * accepts: operands are grouped by their positions in the scan alone, as docs/decisions/0013-reproducible-order.md says
 * exactly. Subnormal numbers are kept, nothing is contracted; a NaN that add or mul computes is the quiet one with sign
 * and payload 0. Only the sign and payload of a NaN that min or max pass on are not specified, for half. A custom
 * operator takes part as far as its own source gives the same bits everywhere. Positions count from the begin of each
 * row, so a row has the bits of a scan of its own. Since 0.1.
 */
CLSCAN_API clscan_status clscan_run(const clscan_plan *plan, clscan_workspace *workspace, cl_command_queue queue,
                                    const clscan_run_args *args, cl_uint wait_count, const cl_event *wait_list,
                                    cl_event *event, clscan_error *error);

/** Check the arguments of a run as clscan_run() does, and enqueue nothing: for a caller who has to know that a run will
 * be accepted before something else begins, as when one scan has parts in several places.
 *
 * \param plan, workspace, queue, args  As for clscan_run(). A queue of another context is refused here, too.
 * \return What clscan_run() says of its arguments. What fails when commands are enqueued is not foreseen, nor a wait
 *         list.
 *
 * Changes nothing. Thread-safety: as clscan_run(), a call that uses the workspace. Since 0.1. */
CLSCAN_API clscan_status clscan_run_check(const clscan_plan *plan, clscan_workspace *workspace, cl_command_queue queue,
                                          const clscan_run_args *args, clscan_error *error);

#ifdef __cplusplus
}
#endif
#endif
