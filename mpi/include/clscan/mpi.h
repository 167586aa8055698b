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
 * Collective calls are made by all ranks of a communicator, in the same order, as those of MPI are. They agree on their
 * outcome: if one rank fails, all return the status of the first one that did, and a message that begins with its
 * number, "rank 2: args->in ..."; none waits for ever. Only if MPI itself fails, a rank returns CLSCAN_ERROR_MPI for
 * itself. A rank whose process ends without a word is MPI's to notice, and so is one that does not call.
 *
 * All ranks have the same version of this library, and the same representation of numbers. MPI is called by the calling
 * thread only, so MPI_THREAD_FUNNELED will do.
 */
#ifndef CLSCAN_MPI_H
#define CLSCAN_MPI_H

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
 *         names the field; CLSCAN_ERROR_UNSUPPORTED_TYPE for what is not done in parts: an operation other than scan,
 *         rows (each rank can scan rows of its own by clscan_run()), segments, count_bytes, a map that names `index`,
 *         and a reproducible problem whose bits depend on the grouping; CLSCAN_ERROR_MPI; errors of
 *         clscan_plan_create(), clscan_workspace_create() and clscan_workspace_bind(). */
CLSCAN_API clscan_status clscan_mpi_create(MPI_Comm communicator, cl_context context, cl_device_id device,
                                           const clscan_problem *problem, const clscan_plan_options *options,
                                           clscan_mpi **mpi, clscan_error *error);

/** Release it. NULL does nothing. Collective, as MPI_Comm_free() is; before MPI_Finalize(), or else the communicator is
 * left to it. Runs that are enqueued go on. */
CLSCAN_API void clscan_mpi_destroy(clscan_mpi *mpi);

/** Enqueue one scan over the parts of all ranks. Collective.
 *
 * The scan of this rank's part is only enqueued when the call returns. Before that the call waits: for the events of
 * the wait list and what stands before the sum in the queue, where this rank has a sum to give; for the sums of all
 * ranks; and for their combination. It neither compiles nor allocates device memory.
 *
 * \param mpi    Used by no other call meanwhile.
 * \param queue  A queue of the context and device; in-order or out-of-order, each time another one if you like.
 * \param args   As for clscan_run(), of this rank's part; counts may differ, and a rank of no elements needs no
 *               buffers. The initial value is given on the rank where the scan begins, and there only: rank 0, in
 *               reverse scans the last one; the total where it ends: the last one, in reverse rank 0.
 * \param wait_count, wait_list  As in OpenCL: events of this rank that its work waits for.
 * \param event  Receives an event that completes with the scan of this rank's part; the caller releases it. NULL if not
 *               wanted.
 * \return CLSCAN_OK on all ranks, or on all what clscan_run() says on one; CLSCAN_ERROR_INVALID_VALUE also if an
 *         initial value or total is given on another rank; CLSCAN_ERROR_MPI. After an error the contents of outputs and
 *         total are unspecified on all ranks, since a rank may see it when others have begun their scans; \p event is
 *         untouched, and the object may be used again, unless it is CLSCAN_ERROR_MPI. What fails on a device after the
 *         call fails that rank's event alone. */
CLSCAN_API clscan_status clscan_mpi_run(clscan_mpi *mpi, cl_command_queue queue, const clscan_run_args *args,
                                        cl_uint wait_count, const cl_event *wait_list, cl_event *event,
                                        clscan_error *error);

#ifdef __cplusplus
}
#endif
#endif
