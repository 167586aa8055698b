/* clogs::Scan, by clscan: programs that include <clogs/clogs.h>, <clogs/scan.h> or <clogs/core.h> for it build as they
 * are. They need the folder that has `clogs` and `CL` in it in front of their other include folders, and link with
 * clscan. Copy it; it needs C++11 and the C++ bindings of OpenCL. As in clogs, a type that is no integer throws
 * std::invalid_argument, a plan that cannot be made InternalError, and a call that cannot be enqueued Error. Sorts,
 * reductions and tuning of clogs are not in it, nor are their headers. */
#ifndef CLSCAN_EXAMPLES_CLOGS_H
#define CLSCAN_EXAMPLES_CLOGS_H

#include <clogs/core.h>
#include <clogs/scan.h>

#endif
