/** \file clscan.h
 * Parallel prefix scan on any OpenCL device. This header includes all others:
 *
 *  - status.h   statuses and the optional error object
 *  - types.h    element types, operators, custom operators; what a scan means
 *  - plan.h     create a plan, bind a workspace, run
 *  - device.h   find and describe devices
 *  - config.h   load configs, ask which variant is chosen and why
 *  - variant.h  the axes and parameters of a variant, and what is legal
 *  - log.h      where the library's log lines go
 *  - version.h
 *
 * A complete program (examples/first_scan.c; the tests compile and run it):
 *
 * \snippet first_scan.c program
 *
 * Conventions. Functions return a clscan_status; outputs are written only on success. `count` and offsets
 * are elements, sizes end in `_bytes`. Create and destroy come in pairs; destroy accepts NULL. Nothing
 * is global except the log's destination. A struct that begins with struct_size is zeroed, then its size
 * is set; so later versions can add fields.
 */
#ifndef CLSCAN_CLSCAN_H
#define CLSCAN_CLSCAN_H

#include <clscan/config.h>
#include <clscan/device.h>
#include <clscan/log.h>
#include <clscan/plan.h>
#include <clscan/status.h>
#include <clscan/types.h>
#include <clscan/variant.h>
#include <clscan/version.h>

#endif
