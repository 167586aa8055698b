/* Maps as OpenCL C: two functions around the caller's expressions, and what carries the caller's arguments there. */
#ifndef CLSCAN_PROGRAM_MAPS_H
#define CLSCAN_PROGRAM_MAPS_H

#include "base/text.h"
#include "element/types.h"

/* OpenCL C: is the bit of element `index` set in the bytes to which `at` points? The lowest of a byte is the first. */
#define CLSCAN__BIT_AT_INDEX(at) "(" at "[index >> 3] >> (index & 7) & 1) != 0"

typedef enum clscan__map_side { CLSCAN__MAP_LOAD, CLSCAN__MAP_STORE } clscan__map_side;

/* The macros of cl/elements/types.cl that are about maps. */
void clscan__maps_define(clscan__text *text, const clscan__elements *elements);

/* All that the macros name. The types are declared before. */
void clscan__maps_append(clscan__text *text, const clscan__elements *elements);

/* One of the maps alone, with the sources that it may call; `named`: behind #line directives that name its parts,
 * otherwise without a line of ours. */
void clscan__maps_append_one(clscan__text *text, const clscan__elements *elements, clscan__map_side side, bool named);

#endif
