/* Where elements are in an array of several dimensions: an integer for each dimension, which the device makes of the
 * index. */
#ifndef CLSCAN_TOOLS_COORDINATES_H
#define CLSCAN_TOOLS_COORDINATES_H

#include <stddef.h>
#include <stdint.h>

#include <clscan/clscan.h>

#include "input_file.h"

typedef struct coordinates {
    clscan_type type;
    unsigned dimensions;
    uint64_t extents[CLSCAN_MOST_DIMENSIONS - 1]; /* of all dimensions but the first; 0: there is none */
    char source[512];
    clscan_element place;             /* the coordinates of one element */
    clscan_map_argument arguments[2]; /* the index of the chunk's first element, and the extents */
    clscan_map map;                   /* on store */
} coordinates;

/* Has `in` dimensions that coordinates serve, and does the type hold them? Those of one dimension are indices. */
clscan_status coordinates_check(clscan_type type, const input_file *in, clscan_error *error);

/* What map and place point to stands here. */
void coordinates_describe(coordinates *c, clscan_type type, const input_file *in);

/* The same on the host, of one element. */
void coordinates_write(const coordinates *c, uint64_t index, void *to);

#endif
