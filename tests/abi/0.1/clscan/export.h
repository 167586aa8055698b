/** \file export.h
 * Symbol visibility. Define CLSCAN_STATIC when linking the static library on Windows; nothing is
 * needed elsewhere.
 */
#ifndef CLSCAN_EXPORT_H
#define CLSCAN_EXPORT_H

/** \def CLSCAN_API
 * Marks what the library exports. */
#if defined(_WIN32) && !defined(CLSCAN_STATIC)
#ifdef CLSCAN_BUILDING
#define CLSCAN_API __declspec(dllexport)
#else
#define CLSCAN_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define CLSCAN_API __attribute__((visibility("default")))
#else
#define CLSCAN_API
#endif

/** \def CL_TARGET_OPENCL_VERSION
 * The host code needs OpenCL 1.2; a caller that wants newer declarations sets its own target first. */
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif

#endif
