/* What a scan gives for each row or segment beside its outputs: sums, which become a file, and how many segments there
 * are. */
#ifndef CLSCAN_TOOLS_SCAN_SUMS_H
#define CLSCAN_TOOLS_SCAN_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <clscan/clscan.h>

#include "result_file.h"
#include "segment_file.h"
#include "target.h"

/* Set the first part, zero the rest; release always. */
typedef struct scan_sums {
    const target *where; /* started */
    result_file *file;   /* described; NULL: the sums are not wanted */
    size_t sum_bytes;    /* of one */

    uint64_t count; /* rows, or segments if that is known */
    cl_mem values;  /* NULL: not wanted */
    cl_mem number;  /* of segments that a run counts; else NULL */
    size_t number_bytes;
    clscan_segment_sums of_segments; /* for runs by segments */
} scan_sums;

/* Make room for those of so many rows. */
clscan_status scan_sums_prepare_rows(scan_sums *s, uint64_t count, clscan_error *error);

/* For those of segments of so many elements. The file of segments is open, and loaded if it has offsets. */
clscan_status scan_sums_prepare_segments(scan_sums *s, const segment_file *segments, uint64_t elements,
                                         clscan_error *error);

/* After the run: learn how many segments it has found. */
clscan_status scan_sums_count(scan_sums *s, clscan_error *error);

/* Open the file, if one is wanted, and write the sums, but do not commit it. */
clscan_status scan_sums_write(scan_sums *s, clscan_error *error);

void scan_sums_release(scan_sums *s);

/* Write `size_bytes` from the begin of a buffer to a file that is open, and stays so. */
clscan_status result_file_download(result_file *out, const target *where, cl_mem from, uint64_t size_bytes,
                                   clscan_error *error);

#endif
