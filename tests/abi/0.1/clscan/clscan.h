/** \file clscan.h
 * Parallel prefix scan on any OpenCL device. This header includes all others:
 *
 *  - status.h   statuses and the optional error object
 *  - types.h    element types, operators, custom operators; what a scan means
 *  - element.h  vectors and structs as elements
 *  - ready.h    ready-made elements with their operators
 *  - rows.h     many scans in one run
 *  - segments.h segments of the input, each a scan of its own
 *  - select.h   the elements that are kept, or repeated
 *  - map.h      what happens to elements on their way in, and to sums on their way out
 *  - problem.h  what to scan, as one struct
 *  - memory.h   the caller's memory: buffers, and kinds to come
 *  - plan.h     create a plan, bind a workspace, run
 *  - devices.h  one scan over several devices
 *  - cache.h    where compiled programs are kept
 *  - device.h   find and describe devices
 *  - probe.h    the start-up probe: whether work-groups of a device can wait for each other
 *  - config.h   load configs, ask which variant is chosen and why
 *  - variant.h  the axes and parameters of a variant, and what is legal
 *  - log.h      where the library's log lines go
 *  - version.h
 *
 * A complete program (examples/first_scan.c; the tests compile and run it):
 *
 * \code
 * #include <clscan/clscan.h>
 * #include <stdio.h>
 *
 * int main(void)
 * {
 *     int data[] = {3, 1, 4, 1, 5, 9, 2, 6};
 *     clscan_error error = {0};
 *     cl_device_id device;
 *     clscan_plan *plan = NULL;
 *     clscan_workspace *workspace = NULL;
 *     if (clscan_device_find(NULL, &device, &error) != CLSCAN_OK)
 *         return fprintf(stderr, "%s\n", error.message), 1;
 *     cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
 *     cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
 *     cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof data, data, NULL);
 *     clscan_problem problem = {sizeof problem, .type = CLSCAN_INT32, .op = CLSCAN_ADD, .max_count = 8};
 *     clscan_run_args args = {sizeof args, .in.buffer = buffer, .out.buffer = buffer, .count = 8};
 *     if (clscan_plan_create(context, device, &problem, NULL, &plan, &error) != CLSCAN_OK ||
 *         clscan_workspace_create(plan, &workspace, &error) != CLSCAN_OK ||
 *         clscan_workspace_bind(workspace, queue, NULL, &error) != CLSCAN_OK ||
 *         clscan_run(plan, workspace, queue, &args, 0, NULL, NULL, &error) != CLSCAN_OK)
 *         return fprintf(stderr, "%s\n", error.message), 1;
 *     clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL);
 *     printf("%d ... %d\n", data[0], data[7]); // 3 ... 31
 *     clscan_workspace_destroy(workspace);     // the end of the process releases the OpenCL objects
 *     clscan_plan_destroy(plan);
 * }
 * \endcode
 *
 * Conventions. Functions return a clscan_status; outputs are written only on success. A pointer may be NULL
 * only where its description says so; functions that return a status check that. `count` and offsets
 * are elements, sizes end in `_bytes`. Create and destroy come in pairs; destroy accepts NULL. Nothing
 * is global except the log's destination, the settings and counters of the program cache, and what the start-up probe
 * found.
 *
 * Structs. Zero a struct that begins with struct_size, and give it its size, `clscan_choice choice = {sizeof choice};`,
 * whether the library reads or fills it. So a program runs with any later version that has the same SONAME: fields that
 * the program does not know read as zero, which means the ordinary thing, and are not written. A program may also load
 * a library that is older than its headers: fields that the library does not know must be zero, or the call is refused
 * with CLSCAN_ERROR_STRUCT_SIZE; in what it receives, they are zero. Structs without struct_size (clscan_error,
 * clscan_memory, clscan_column, clscan_variant, clscan_known_variant) have a size that never changes, and `reserved`
 * fields, which are zero.
 *
 * Threads. Every function may be called from any thread. Two calls must not use one workspace at a time; all other
 * objects may be shared, and are released by the last who uses them. Only clscan_workspace_report() waits for the
 * device.
 */
#ifndef CLSCAN_CLSCAN_H
#define CLSCAN_CLSCAN_H

#include <clscan/cache.h>
#include <clscan/config.h>
#include <clscan/device.h>
#include <clscan/devices.h>
#include <clscan/element.h>
#include <clscan/log.h>
#include <clscan/map.h>
#include <clscan/memory.h>
#include <clscan/plan.h>
#include <clscan/probe.h>
#include <clscan/problem.h>
#include <clscan/ready.h>
#include <clscan/rows.h>
#include <clscan/segments.h>
#include <clscan/select.h>
#include <clscan/status.h>
#include <clscan/types.h>
#include <clscan/variant.h>
#include <clscan/version.h>

#endif
