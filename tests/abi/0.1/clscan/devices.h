/** \file devices.h
 * One scan over several devices: each has a part of the elements in its own memory, and one sum of each part travels.
 * Or many scans: each device has rows of its own, and nothing travels, or a part of each row. Or one array in host
 * memory, which the library spreads over the devices and collects.
 *
 * \code
 * clscan_member members[2] = {
 *     {sizeof members[0], .context = contexts[0], .device = devices[0], .queue = queues[0]},
 *     {sizeof members[1], .context = contexts[1], .device = devices[1], .queue = queues[1]}};
 * clscan_problem problem = {sizeof problem, .type = CLSCAN_INT32, .max_count = 1000}; // of each part
 * clscan_devices_create(members, 2, &problem, NULL, &group, &error);
 *
 * clscan_part parts[2] = {{sizeof parts[0], .in.buffer = ins[0], .out.buffer = outs[0], .count = 1000},
 *                         {sizeof parts[1], .in.buffer = ins[1], .out.buffer = outs[1], .count = 700}};
 * clscan_devices_args args = {sizeof args, .parts = parts, .part_count = 2};
 * clscan_devices_run(group, &args, events, &error);
 * \endcode
 *
 * Each device but the last reduces its part; the sums, one of each part, travel through the host, are combined there in
 * the order of the parts, and go to the devices behind as the initial values of their scans. If the operator is custom,
 * or the scan reproducible, the first device combines them.
 * docs/devices.md says what that costs.
 */
#ifndef CLSCAN_DEVICES_H
#define CLSCAN_DEVICES_H

#include <stddef.h>
#include <stdint.h>

#include <clscan/export.h>
#include <clscan/memory.h>
#include <clscan/plan.h>
#include <clscan/problem.h>
#include <clscan/rows.h>
#include <clscan/status.h>

#include <CL/cl.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Most devices of a group. */
#define CLSCAN_MOST_DEVICES 64u

/** A device of a group. Set struct_size to sizeof(clscan_member), zero what is not used.
 *
 * Give each device a context of its own: a buffer that two devices of one context use moves between them as a whole,
 * which takes long. A device may be there twice, and so may a context. */
typedef struct clscan_member {
    size_t struct_size;     /**< sizeof(clscan_member) */
    cl_context context;     /**< of the device, its queue, and the buffers of its parts */
    cl_device_id device;    /**< one of the context's */
    cl_command_queue queue; /**< runs the device's work; in-order or out-of-order */
} clscan_member;

/** A part of a run: elements in the memory of one device. Set struct_size to sizeof(clscan_part), zero what is not
 * used. */
typedef struct clscan_part {
    size_t struct_size;                 /**< sizeof(clscan_part) */
    clscan_memory in;                   /**< as in clscan_run_args; may be missing if count is 0 */
    clscan_memory out;                  /**< the same; the same memory as \p in: in place */
    uint64_t count;                     /**< elements; 0 is valid */
    cl_uint wait_count;                 /**< of \p wait_list */
    uint32_t reserved;                  /**< 0 */
    const cl_event *wait_list;          /**< events of the device's context that the work on this part waits for */
    const clscan_memory *map_arguments; /**< as in clscan_run_args, in the memory of this device */
    uint64_t map_argument_count;        /**< of \p map_arguments */
    const clscan_rows *rows;            /**< of a group whose problem has rows: this part's, of \p count elements each;
                                             NULL: those of the problem. 0 rows need no buffers. Where devices share
                                             rows, all have as many, and only the pitches are the part's own */
    clscan_memory total;                /**< of a group with whole rows on each device, as in clscan_run_args; in the
                                             memory of this device */
} clscan_part;

/** One run of a group. Set struct_size to sizeof(clscan_devices_args), zero what is not used. */
typedef struct clscan_devices_args {
    size_t struct_size;       /**< sizeof(clscan_devices_args) */
    const clscan_part *parts; /**< one for each device, in the order of the group, which is that of the elements; each
                                   with the struct_size of the first */
    uint64_t part_count;      /**< of \p parts: as many as the group has devices */
    clscan_memory initial; /**< as in clscan_run_args; a buffer is one of the device where the scan begins: that of the
                                   first part, of a reverse scan of the last, whose rows have its pitch; for whole rows
                                   of kind HOST only */
    clscan_memory total;   /**< as in clscan_run_args; in the memory of the device where the scan ends: that of the
                                   last part, of a reverse scan of the first, whose rows say where; for whole rows see
                                   clscan_part */
    uint32_t blocking;     /**< 0: the call only enqueues. 1: it waits for the sums of the parts, then enqueues the rest
                                and returns. That ends sooner, since no thread has to wake up. Events that the parts
                                wait for must come without the caller. Whole rows have no sums: it does not wait */
    uint32_t reserved;     /**< 0 */
} clscan_devices_args;

/** One array in host memory. Set struct_size to sizeof(clscan_host_args), zero what is not used. */
typedef struct clscan_host_args {
    size_t struct_size;    /**< sizeof(clscan_host_args) */
    const void *in;        /**< \p count elements */
    void *out;             /**< \p count elements of the output; the same as \p in where they have the same size */
    uint64_t count;        /**< elements, any number; 0 is valid */
    const double *weights; /**< as in clscan_devices_deal(), for what each device gets. NULL: what was measured of these
                                devices (clscan_devices_weights()) when the group was created; else all alike */
    const void *initial;   /**< a value of the accumulator type; NULL: there is none */
    void *total;           /**< receives the combination of initial value and all elements; NULL: it is not wanted */
    uint32_t staging;  /**< 1: elements go through pinned host memory of the library's, which up to 16 threads for each
                            device fill and empty, by the number of cores: faster where the driver copies by one. 2:
                            the driver moves them, which is best for memory that the program has pinned itself. 0: what
                            was measured of these devices, else 1 from 16 MiB on where no device is a CPU, else 2 */
    uint32_t reserved; /**< 0 */

    /* For parts of a reproducible scan, see clscan_devices_state_bytes(). */
    uint64_t first; /**< elements of the whole scan before this array; a multiple of CLSCAN_REPRODUCIBLE_STEP */
    void *state;    /**< state of the scan after them; is replaced by the state after this array; NULL: one part */
} clscan_host_args;

/** Devices that scan together, each with its plans and its workspaces, and a thread. */
typedef struct clscan_devices clscan_devices;

/** Create a group: for each device a plan for the scan of a part, and one for its sum (clscan_plan_create()). Slow.
 *
 * \param members       An array of \p member_count, each with the struct_size of the first. Contexts and queues are
 *                      retained until the group is destroyed.
 * \param member_count  1 to CLSCAN_MOST_DEVICES.
 * \param problem       What to scan, as if all parts stood one after another; max_count is that of a part. With
 *                      rows, each device scans rows of its own, and rows->count is the most of a part. Copied.
 *                      Where types differ, the sums that travel are of the accumulator's type.
 * \param options       For each of the plans, a variant for those of scans alone; NULL for defaults. Not kept.
 * \param group         Receives the group; destroy it with clscan_devices_destroy().
 * \return CLSCAN_OK; CLSCAN_ERROR_NULL_ARGUMENT, CLSCAN_ERROR_STRUCT_SIZE, CLSCAN_ERROR_INVALID_VALUE;
 *         CLSCAN_ERROR_UNSUPPORTED_TYPE for what a group does not do: an operation other than scan, segments,
 *         count_bytes, and a map that names `index`; CLSCAN_ERROR_WRONG_CONTEXT if a device or queue is not of its
 *         context; errors of clscan_plan_create(), clscan_workspace_create() and clscan_workspace_bind(). The message
 *         names the device.
 *
 * Thread-safe. */
CLSCAN_API clscan_status clscan_devices_create(const clscan_member *members, uint64_t member_count,
                                               const clscan_problem *problem, const clscan_plan_options *options,
                                               clscan_devices **group, clscan_error *error);

/** Create a group whose devices share each row: a part of every row is in the memory of each device.
 *
 * As clscan_devices_create(), whose groups with rows have whole rows on each device. A sum of each row and part
 * travels, all sums of a part at once. `count` of a part are the elements that each row has there.
 *
 * \param members       As there.
 * \param member_count  As there.
 * \param problem       With rows, of pitches and not of dimensions; rows->count is the most of a run, max_count the
 *                      most elements of a part of a row.
 * \param options       For each of the plans; NULL for defaults. Not kept.
 * \param group         Receives the group; destroy it with clscan_devices_destroy().
 * \return As clscan_devices_create(); CLSCAN_ERROR_INVALID_VALUE also without rows; CLSCAN_ERROR_UNSUPPORTED_TYPE also
 *         for rows with dimensions, and for a reproducible problem whose sums depend on their grouping.
 *
 * Thread-safe. */
CLSCAN_API clscan_status clscan_devices_create_split(const clscan_member *members, uint64_t member_count,
                                                     const clscan_problem *problem, const clscan_plan_options *options,
                                                     clscan_devices **group, clscan_error *error);

/** Release a group. NULL does nothing. A run that is enqueued goes on, and the call does not wait for it. */
CLSCAN_API void clscan_devices_destroy(clscan_devices *group);

/** Deal rows, or elements, to devices: shares as near to the weights as whole numbers can be.
 *
 * \param count         What is dealt.
 * \param weights       One for each device, at least 0: for instance its speed, which clscan_devices_weights() knows
 *                      if it was measured. NULL: all are equal.
 * \param member_count  1 to CLSCAN_MOST_DEVICES.
 * \param shares        Receives as many; their sum is \p count.
 * \return CLSCAN_OK; CLSCAN_ERROR_NULL_ARGUMENT; CLSCAN_ERROR_INVALID_VALUE for a weight that is negative or no number,
 *         weights that are all 0, or a wrong member_count.
 *
 * Thread-safe. */
CLSCAN_API clscan_status clscan_devices_deal(uint64_t count, const double *weights, uint64_t member_count,
                                             uint64_t *shares, clscan_error *error);

/* clang-format off */
/** All works: X(enumerator, name, meaning). */
#define CLSCAN_DEVICES_WORK_LIST(X)                                                        \
    X(ROWS, rows, "whole rows on each device, in its memory")                              \
    X(SCAN, scan, "one scan, or rows that devices share, in their memories")               \
    X(HOST, host, "an array in host memory")
/* clang-format on */

/** What a group does, for clscan_devices_weights(). */
typedef enum clscan_devices_work {
#define X(name, text, meaning) CLSCAN_DEVICES_##name, /**< meaning */
    CLSCAN_DEVICES_WORK_LIST(X)
#undef X
        CLSCAN_DEVICES_WORK_COUNT
} clscan_devices_work;

/** What `clscan-tune --devices` has measured of a group, as weights for clscan_devices_deal() and clscan_host_args.
 *
 * It stands in the folder `groups` of the user's configs. What was measured of these devices, known by their PCI
 * addresses in any order, goes before what was measured of others with the same keys (clscan_device_info.key) in the
 * same places, where each device is there as often. Where fewer devices are faster for that many elements, the others
 * weigh 0.
 *
 * \param devices       In the order of the group.
 * \param device_count  1 to CLSCAN_MOST_DEVICES.
 * \param work          What they will do.
 * \param count         Elements, of all rows and devices.
 * \param weights       Receives a number for each device: its speed; 1 for each where nothing is known.
 * \param known         Receives 1 if the group was measured, else 0; may be NULL.
 * \return CLSCAN_OK, also where nothing is known; CLSCAN_ERROR_NULL_ARGUMENT; CLSCAN_ERROR_INVALID_VALUE for another
 *         work or a wrong count; errors of clscan_device_describe(). A file that cannot be used is skipped and logged.
 *
 * Reads files; thread-safe. */
CLSCAN_API clscan_status clscan_devices_weights(const cl_device_id *devices, uint64_t device_count,
                                                clscan_devices_work work, uint64_t count, double *weights, int *known,
                                                clscan_error *error);

/** How many devices should share each row, by what `clscan-tune --devices` has measured of a group.
 *
 * 1: deal whole rows to devices (clscan_devices_create()). More: make groups of as many
 * (clscan_devices_create_split()), of devices that clscan_devices_by_link() puts side by side, and deal the rows to
 * them.
 *
 * \param devices       As for clscan_devices_weights().
 * \param device_count  As there.
 * \param rows          Rows of a run.
 * \param count         Elements of each row.
 * \param per_row       Receives 1 where there are as many rows as devices. For one row: as many as have a weight for
 *                      CLSCAN_DEVICES_SCAN. For rows between, a number that divides \p device_count: the fastest that
 *                      was measured, or, where nothing is known, as many as keep all devices busy.
 * \param known         Receives 1 if the group was measured, else 0; may be NULL.
 * \return As clscan_devices_weights().
 *
 * Reads files; thread-safe. */
CLSCAN_API clscan_status clscan_devices_per_row(const cl_device_id *devices, uint64_t device_count, uint64_t rows,
                                                uint64_t count, uint64_t *per_row, int *known, clscan_error *error);

/** Which devices share a link to the host, by what `clscan-tune --devices` has measured of them, or was told.
 *
 * \param devices       As for clscan_devices_weights().
 * \param device_count  As there.
 * \param links         Receives a number for each device, the same for devices of one link; left alone if none are
 *                      known.
 * \param known         Receives 1 if links of these devices are known, else 0.
 * \return As clscan_devices_weights().
 *
 * Links belong to devices, not to models: they are known of the devices whose PCI addresses the config has, in any
 * order, and where it has none, or a driver tells none, of devices of the same models in the same places.
 *
 * Reads files; thread-safe. */
CLSCAN_API clscan_status clscan_devices_links(const cl_device_id *devices, uint64_t device_count, uint64_t *links,
                                              int *known, clscan_error *error);

/** Put devices of one link side by side: each \p group_size of them, from the first on, then make a group.
 *
 * Deal rows to the groups by clscan_devices_deal(), and let the devices of each share theirs
 * (clscan_devices_create_split()). Then all groups scan at once, and a row waits for the sums of its own group only.
 *
 * \param devices       An array of \p device_count; may be NULL if there are links.
 * \param links         A number for each device, the same for devices of one link. NULL: those of
 *                      clscan_devices_links(). Where none are known, devices are put in the order of their PCI
 *                      addresses: neighbours are below one switch, or near each other in the tree of buses. Each device
 *                      has to tell its address (cl_khr_pci_bus_info). A group that has devices of several PCI domains
 *                      is logged as a warning.
 * \param device_count  1 to CLSCAN_MOST_DEVICES; a multiple of \p group_size.
 * \param group_size    Devices of each group.
 * \param order         Receives as many numbers of devices, from 0 on: those of the first group, then of the next.
 * \return CLSCAN_OK; CLSCAN_ERROR_NULL_ARGUMENT; CLSCAN_ERROR_INVALID_VALUE for a wrong count or size, or links with a
 *         number of devices that is no multiple of \p group_size; CLSCAN_ERROR_DEVICE_LIMIT for a device that tells no
 *         PCI address where there are no links; without links also errors of clscan_device_describe().
 *
 * Without links it reads files. Thread-safe. */
CLSCAN_API clscan_status clscan_devices_by_link(const cl_device_id *devices, const uint64_t *links,
                                                uint64_t device_count, uint64_t group_size, uint64_t *order,
                                                clscan_error *error);

/** Enqueue one scan over all parts, or the scans of the rows of each part.
 *
 * With problem.reproducible the results have the same bits as on one device. Where these depend on how operands are
 * grouped, more than one sum of each part travels, and the count of each part behind which others have elements, in the
 * order of the scan, is a multiple of CLSCAN_REPRODUCIBLE_STEP.
 *
 * Returns as soon as the work is enqueued and flushed: it does not wait for a device, except where a driver blocks in a
 * call whose command waits for an event, or where \p args says that it may (`blocking`). It neither compiles nor
 * allocates device memory. Runs of one group are
 * ordered one after the other. Several groups may share queues.
 *
 * What travels goes through host memory of the library's, which outlives the run. Work that waits for it waits for user
 * events, which a thread of the group's sets. If something fails on one device after the call has returned, or an event
 * of a wait list is set to an error, what depends on it gets an error code, as OpenCL says it of commands that wait for
 * a failed one; nothing waits for ever, and the group may be used again. (PoCL 3.1 ends the process when a command
 * fails whose event was released.)
 *
 * \param group   Used by no other call meanwhile.
 * \param args    Copied during the call. No part may overlap another one, nor what the run writes besides; that is
 *                checked within a part only.
 * \param events  An array of as many as there are devices, which receives an event for each part, completing with its
 *                scan; the caller releases them. NULL if not wanted.
 * \return CLSCAN_OK, or what clscan_run() says, where the message names the part, or members[0] where the first device
 *         combines the sums; CLSCAN_ERROR_INVALID_VALUE also if part_count is not the number of devices, or for a part
 *         of a reproducible scan that is no multiple of the step; CLSCAN_ERROR_WORKSPACE_BUSY if another thread is in
 *         a call with the group. Arguments of all parts are checked before anything is enqueued. After
 *         CLSCAN_ERROR_OPENCL the contents of the outputs and the total are unspecified, and \p events are
 *         untouched. */
CLSCAN_API clscan_status clscan_devices_run(clscan_devices *group, const clscan_devices_args *args, cl_event *events,
                                            clscan_error *error);

/** Bytes of the state that leads from array to array where clscan_devices_scan_host() scans one sequence in several.
 *
 * As clscan_plan_state_bytes(), whose states are the same: where this is not 0, give each call the same
 * clscan_host_args.state, the same initial value, and in `first` how many elements were in the arrays before. All but
 * the last have a multiple of CLSCAN_REPRODUCIBLE_STEP elements; after one that does not, the state is unspecified.
 *
 * \return 0 if \p group is NULL, its problem is not reproducible, or has the same bits in each grouping: then totals
 * and initial values serve. Thread-safe. */
CLSCAN_API uint64_t clscan_devices_state_bytes(const clscan_devices *group);

/** Scan one array of host memory, of any size, and wait until it is done.
 *
 * The array is cut into rounds, and each round into parts, by weights and of max_count elements of the problem at most,
 * and 64 MiB. With problem.reproducible, parts are multiples of CLSCAN_REPRODUCIBLE_STEP elements, and the results have
 * the bits of one device, whatever the number of devices, the weights and max_count.
 *
 * A device holds three parts at most: while the devices scan one round, the next is uploaded and the one before
 * downloaded. So max_count says how much device memory is used at most. Buffers and queues, with `staging` also
 * threads and as much pinned memory, stay for the next call; they go with the group, or when a call fails.
 *
 * \param group  Used by no other call meanwhile; its problem has no rows, and reads its elements from memory.
 * \param args   Read during the call.
 * \return CLSCAN_OK, or what clscan_devices_run() and clscan_devices_deal() say; CLSCAN_ERROR_UNSUPPORTED_TYPE for a
 *         problem with rows or without input; CLSCAN_ERROR_INVALID_VALUE also for `first` or `state` where
 *         clscan_devices_state_bytes() is 0, `first` that is no multiple of the step or without a state, and a
 *         reproducible scan of more than max_count elements if max_count is less than the step; CLSCAN_ERROR_OVERLAP
 *         if \p in and \p out overlap and are not the same; CLSCAN_ERROR_COUNT_TOO_LARGE for more than the host can
 *         address. After CLSCAN_ERROR_OPENCL the contents of \p out and \p total are unspecified. Nothing uses the
 *         caller's memory after the call, whatever it returns. */
CLSCAN_API clscan_status clscan_devices_scan_host(clscan_devices *group, const clscan_host_args *args,
                                                  clscan_error *error);

#ifdef __cplusplus
}
#endif
#endif
