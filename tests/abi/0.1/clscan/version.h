/** \file version.h
 * Version of the headers, and of the library that is linked.
 */
#ifndef CLSCAN_VERSION_H
#define CLSCAN_VERSION_H

#include <clscan/export.h>

#define CLSCAN_VERSION_MAJOR 0      /**< of the headers */
#define CLSCAN_VERSION_MINOR 1      /**< of the headers */
#define CLSCAN_VERSION_PATCH 0      /**< of the headers */
#define CLSCAN_VERSION_TEXT "0.1.0" /**< of the headers, "major.minor.patch" */

#ifdef __cplusplus
extern "C" {
#endif

/** Version of the linked library, "major.minor.patch". Static storage; never NULL. Thread-safe. */
CLSCAN_API const char *clscan_version(void);

#ifdef __cplusplus
}
#endif
#endif
