/* The integers that say where elements are in an array, of a type that the user chooses. */
#ifndef CLSCAN_TOOLS_INDEX_TYPE_H
#define CLSCAN_TOOLS_INDEX_TYPE_H

#include <stdint.h>

#include <clscan/clscan.h>

#include "command_line/options.h"
#include "input_file.h"

option_reader read_index_type; /* clscan_type */

/* Does the type hold the index of each of `count` elements of `in`, or of these and more? */
clscan_status index_type_check(clscan_type type, const input_file *in, uint64_t count, clscan_error *error);

/* Does it hold the index of each element along dimension `d`, by the order of memory? */
clscan_status index_type_check_extent(clscan_type type, const input_file *in, unsigned d, clscan_error *error);

/* Write indices, each plus `first`, as integers of the type; `to` may be where they are. */
void index_type_write(clscan_type type, const uint64_t *indices, uint64_t number, uint64_t first, void *to);

#define HELP_INDEX_TYPE "type of indices, an integer that holds the largest (default: uint64)"

#endif
