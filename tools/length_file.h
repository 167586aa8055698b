/* The file that says how often each element is written: by n lengths, or by n + 1 offsets, whose differences they
 * are. */
#ifndef CLSCAN_TOOLS_LENGTH_FILE_H
#define CLSCAN_TOOLS_LENGTH_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include <clscan/clscan.h>

#include "input_file.h"

typedef struct length_file {
    input_file in; /* of integers */
    bool by_offsets;
    uint64_t latest; /* offset */
} length_file;

/* Has each of `count` elements of `elements` a length? If these are all, there are no more lengths. */
clscan_status length_file_check_counts(const length_file *lengths, const input_file *elements, uint64_t count,
                                       clscan_error *error);

/* Read the first offset, which no length ends with. */
clscan_status length_file_begin(length_file *lengths, clscan_error *error);

/* Read `count` lengths from number `first` on to `data`, which has room for as many integers. They are added to *sum
 * and, if that is not NULL, written to `left`. */
clscan_status length_file_take(length_file *lengths, uint64_t first, uint64_t count, void *data, uint64_t *sum,
                               uint64_t *left, clscan_error *error);

/* Add up all lengths. Not of a stream, which cannot be read twice. */
clscan_status length_file_sum(length_file *lengths, uint64_t *sum, clscan_error *error);

#endif
