/** \file segments.h
 * Serial scans of segments: each is what clscan_reference_scan() makes of it alone.
 */
#ifndef CLSCAN_REFERENCE_SEGMENTS_H
#define CLSCAN_REFERENCE_SEGMENTS_H

#include "reference.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Scan the segments of \p count elements.
 *
 * \param heads    For each element: not zero where a segment begins. The first always begins one.
 * \param totals   Receives one value of the accumulator type for each segment, as clscan_reference_scan() gives it; may
 *                 be NULL.
 * \return as clscan_reference_scan(). */
clscan_status clscan_reference_scan_segments(const clscan_reference *what, const void *in, uint64_t count,
                                             const unsigned char *heads, const clscan_value *initial, void *out,
                                             clscan_value *totals);

#ifdef __cplusplus
}
#endif
#endif
