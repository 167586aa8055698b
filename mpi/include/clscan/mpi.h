/** \file mpi.h
 * One scan over the ranks of MPI: each has a part of the elements in the memory of its own device, and one sum of each
 * part travels. It is a library of its own, clscan_mpi, which is there where clscan was built with MPI; clscan.h does
 * not include this header.
 *
 * \code
 * clscan_problem problem = {sizeof problem, .type = CLSCAN_INT32, .max_count = 1000}; // of this rank's part
 * clscan_mpi_create(MPI_COMM_WORLD, context, device, &problem, NULL, &mpi, &error);
 *
 * clscan_run_args args = {sizeof args, .in.buffer = in, .out.buffer = out, .count = count};
 * clscan_mpi_run(mpi, queue, &args, 0, NULL, NULL, &error);
 * \endcode
 *
 * The parts stand one after another in the order of the ranks. Each rank but the last reduces its part; all ranks get
 * the sums, as bytes, and combine those before their own on their devices, in order, so that any operator will do. The
 * result is the initial value of their scans. In reverse scans it is the ranks behind whose sums count. docs/devices.md
 * says what that costs.
 *
 * With problem.reproducible the results have the same bits as on one device. Where these depend on how operands are
 * grouped, more than one sum of each part travels, and the count of each part behind which others have elements, in the
 * order of the scan, is a multiple of CLSCAN_REPRODUCIBLE_STEP.
 *
 * Collective calls are made by all ranks of a communicator, in the same order, as those of MPI are. They agree on their
 * outcome: if one rank fails, all return the status of the first one that did, and a message that begins with its
 * number, "rank 2: args->in ..."; none waits for ever. This holds for all wrong arguments except two. Without an object
 * (\p mpi is NULL) or without a communicator, a rank does not know whom to tell. Its call returns at once, as if it had
 * not been made; the other ranks wait until this one calls again. The same goes for clscan_mpi_start() and
 * clscan_mpi_run() while a run of the object is active. Only if MPI itself fails does a rank return CLSCAN_ERROR_MPI
 * for itself. A rank whose process ends without a word is MPI's to notice, and so is one that does not call.
 *
 * All ranks have the same version of this library, and the same representation of numbers. MPI is called by the calling
 * thread only, so MPI_THREAD_FUNNELED will do.
 */
#ifndef CLSCAN_MPI_H
#define CLSCAN_MPI_H

#include <stdint.h>

#include <clscan/export.h>
#include <clscan/plan.h>
#include <clscan/problem.h>
#include <clscan/status.h>

#include <CL/cl.h>
#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a rank has for scans with the others: plans, workspaces, a queue of the library's, and a communicator. */
typedef struct clscan_mpi clscan_mpi;

/** Prepare scans over the ranks of a communicator: on each a plan for the scan of its part, and one for its sum
 * (clscan_plan_create()). Slow. Collective.
 *
 * \param communicator     An intracommunicator, which is duplicated: the library's messages meet no others, and errors
 *                         of MPI are returned there. MPI has been initialized.
 * \param context, device  Of this rank, where runs happen; ranks may share a device. Retained until
 *                         clscan_mpi_destroy().
 * \param problem          What to scan, as if all parts stood one after another; max_count is that of this rank's part.
 *                         The rest must be the same on all ranks. Copied. Where types differ, the sums that travel are
 *                         of the accumulator's type.
 * \param options          As for clscan_devices_create(); each rank its own. NULL for defaults. Not kept.
 * \param mpi              Receives what clscan_mpi_destroy() destroys.
 * \return CLSCAN_OK; CLSCAN_ERROR_NULL_ARGUMENT, CLSCAN_ERROR_STRUCT_SIZE; CLSCAN_ERROR_INVALID_VALUE also if MPI is
 *         not initialized, the communicator is an intercommunicator, or the problem is not that of rank 0: the message
 *         names the field; CLSCAN_ERROR_WRONG_CONTEXT if the device is not one of the context's;
 *         CLSCAN_ERROR_UNSUPPORTED_TYPE for what is not done in parts: an operation other than scan,
 *         rows (nothing of them travels: deal them by clscan_devices_deal(), and let each rank scan its own by
 *         clscan_run()), segments, count_bytes, and a map that names `index`; CLSCAN_ERROR_MPI; errors of
 *         clscan_plan_create(), clscan_workspace_create() and clscan_workspace_bind(). */
CLSCAN_API clscan_status clscan_mpi_create(MPI_Comm communicator, cl_context context, cl_device_id device,
                                           const clscan_problem *problem, const clscan_plan_options *options,
                                           clscan_mpi **mpi, clscan_error *error);

/** Release it. NULL does nothing. Collective, as MPI_Comm_free() is; before MPI_Finalize(), or else the communicator is
 * left to it. A run that is active is ended first, as by clscan_mpi_wait(), and its outcome dropped; other ranks may
 * have waited for theirs before. What is enqueued goes on. */
CLSCAN_API void clscan_mpi_destroy(clscan_mpi *mpi);

/** Bytes of the state that leads from run to run where ranks scan one sequence in several.
 *
 * As clscan_plan_state_bytes(), whose states are the same. Where this is not 0, give each run in args->first, on all
 * ranks, how many elements those of the runs before were, and in args->state, of kind HOST, the state after them, on
 * all ranks the same values. It is read during the call. On the rank with the last elements in the order of the scan
 * it is replaced by the state after this run, when the event is complete; elsewhere it stays: send it to the others,
 * as the total that becomes the next run's initial value where this is 0. All runs have the same initial value, and all
 * but the last a multiple of CLSCAN_REPRODUCIBLE_STEP elements; after one that has not, the state is unspecified.
 *
 * \return 0 if \p mpi is NULL, its problem is not reproducible, or has the same bits in each grouping. Not
 * collective. */
CLSCAN_API uint64_t clscan_mpi_state_bytes(const clscan_mpi *mpi);

/** Enqueue one scan over the parts of all ranks: clscan_mpi_start() and clscan_mpi_wait() in one call. Collective.
 *
 * The scan of this rank's part is only enqueued when the call returns. Before that the call waits: for the events of
 * the wait list and what stands before the sum in the queue, where this rank has a sum to give; for the sums of all
 * ranks; and for their combination. It neither compiles nor allocates device memory.
 *
 * \param mpi    Used by no other call meanwhile. NULL: see above, nobody is told.
 * \param queue  A queue of the context and device; in-order or out-of-order, each time another one if you like.
 * \param args   As for clscan_run(), of this rank's part, except the state (clscan_mpi_state_bytes()); counts may
 *               differ, and a rank of no elements needs no buffers. The initial value is given on the rank where the
 *               scan begins, and there only: rank 0, in reverse scans the last one; the total where it ends: the last
 *               one, in reverse rank 0.
 * \param wait_count, wait_list  As in OpenCL: events of this rank that its work waits for.
 * \param event  Receives an event that completes with the scan of this rank's part; the caller releases it. NULL if not
 *               wanted.
 * \return CLSCAN_OK on all ranks, or on all what clscan_run() says on one: CLSCAN_ERROR_WRONG_CONTEXT also of events,
 *         CLSCAN_ERROR_OPENCL also if the reduction of a part fails, or an event that it waits for;
 *         CLSCAN_ERROR_INVALID_VALUE also if an initial value or total is given on another rank, if first is not the
 *         same on all, or for a part of a reproducible scan that is no multiple of the step; CLSCAN_ERROR_MEMORY_KIND
 *         also for a state that is not of kind HOST; CLSCAN_ERROR_MPI. For this rank
 *         alone, and without a run: CLSCAN_ERROR_NULL_ARGUMENT if \p mpi is NULL, and CLSCAN_ERROR_WORKSPACE_BUSY while
 *         a run is active.
 *         Arguments of all ranks are checked before any rank scans: after an error other than CLSCAN_ERROR_OPENCL and
 *         CLSCAN_ERROR_MPI nothing has been written, on no rank. After those the contents of outputs and total are
 *         unspecified on all ranks, since one may fail when others have begun their scans. \p event is untouched, and
 *         the object may be used again, unless it is CLSCAN_ERROR_MPI. What fails on a device after the call fails that
 *         rank's event alone. */
CLSCAN_API clscan_status clscan_mpi_run(clscan_mpi *mpi, cl_command_queue queue, const clscan_run_args *args,
                                        cl_uint wait_count, const cl_event *wait_list, cl_event *event,
                                        clscan_error *error);

/** Begin one scan over the parts of all ranks, and return without waiting. Collective: clscan_mpi_wait() ends it, or
 * clscan_mpi_test() when it says so, on every rank.
 *
 * Whatever is wrong with the arguments, the run begins, since the other ranks have to be told; the call that ends it
 * says so, on all ranks. This one succeeds.
 *
 * An object has one run at a time; runs of several objects may be active together. A run goes on by itself on the
 * device only: what travels between ranks does so in calls of clscan_mpi_test() and clscan_mpi_wait() for it, and
 * wherever MPI makes progress by itself. So a rank that waits may wait until all others wait or test. Ranks that wait
 * for several runs do so in the same order, or test them in turn until all are done.
 *
 * \param mpi, queue, wait_count, wait_list  As for clscan_mpi_run(). Queue, events and buffers are retained until the
 *               run is ended.
 * \param args   As for clscan_mpi_run(). Copied, with the initial value, the state and the map arguments that stand in
 *               host memory. Buffers are read from the call on, and written, as is the state, until the event of the
 *               scan is complete.
 * \return CLSCAN_OK; CLSCAN_ERROR_NULL_ARGUMENT if \p mpi is NULL, and CLSCAN_ERROR_WORKSPACE_BUSY while a run is
 *         active: this rank has begun none. */
CLSCAN_API clscan_status clscan_mpi_start(clscan_mpi *mpi, cl_command_queue queue, const clscan_run_args *args,
                                          cl_uint wait_count, const cl_event *wait_list, clscan_error *error);

/** Carry the active run on as far as that goes without waiting, and end it if it is done: then this rank's scan is
 * enqueued, and all ranks know it, or the run has failed. Not collective.
 *
 * \param mpi    An object with an active run.
 * \param done   Receives 1 if the run was ended, else 0, and the call is to be made again.
 * \param event  As for clscan_mpi_run(); written if \p done is 1 and the call succeeds.
 * \return While the run is not done CLSCAN_OK; then as clscan_mpi_run(), the same on all ranks. This call itself
 *         returns CLSCAN_ERROR_NULL_ARGUMENT for \p mpi or \p done, CLSCAN_ERROR_INVALID_VALUE without an active run.
 *         An active run stays what it is then, and \p done is not written. */
CLSCAN_API clscan_status clscan_mpi_test(clscan_mpi *mpi, int *done, cl_event *event, clscan_error *error);

/** Wait until the active run is done, and end it. The other ranks wait or test meanwhile.
 *
 * \param mpi    An object with an active run.
 * \param event  As for clscan_mpi_run().
 * \return As clscan_mpi_run(), the same on all ranks; CLSCAN_ERROR_INVALID_VALUE without an active run. */
CLSCAN_API clscan_status clscan_mpi_wait(clscan_mpi *mpi, cl_event *event, clscan_error *error);

#ifdef __cplusplus
}
#endif
#endif
