/* Segments as OpenCL C, in parts: program/segments.c puts them together. */
#ifndef CLSCAN_PROGRAM_SEGMENT_PARTS_H
#define CLSCAN_PROGRAM_SEGMENT_PARTS_H

#include "program/segments.h"

/* How a function of OpenCL C begins. */
#define CLSCAN__INLINE "static inline __attribute__((always_inline)) "

/* In program/segments.c: the first of the library's arguments, behind the caller's, and the initial value. */
size_t clscan__segments_first_own(const clscan__elements *elements);
void clscan__segments_append_initial_call(clscan__text *text, const clscan__elements *elements);

/* In program/segment_heads.c: the type of what maps read of segments, offsets having become marks, in words; and
 * functions that say where segments begin: at an element and the next one, or at those of a vector and behind it. */
const char *clscan__segments_begin_name(const clscan__elements *elements);
void clscan__segments_append_heads(clscan__text *text, const clscan__elements *elements);

/* In program/segment_sums.c: what sums of segments need. Functions say where the last segment
 * ends, and write what is wanted of one; a kernel writes what a run without elements gives. */
void clscan__segments_append_sum_types(clscan__text *text, const clscan__elements *elements);
void clscan__segments_append_give_sum(clscan__text *text, const clscan__elements *elements);
void clscan__segments_append_no_segments(clscan__text *text);

#endif
