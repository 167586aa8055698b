/* Segments as OpenCL C, in parts: program/segments.c puts them together. */
#ifndef CLSCAN_PROGRAM_SEGMENT_PARTS_H
#define CLSCAN_PROGRAM_SEGMENT_PARTS_H

#include "program/compose.h"
#include "program/segments.h"

/* In program/segments.c: the number of an argument of the library's; the integers that the bits of an initial value are
 * given in; and an initial value: that of all segments, or where `place`, an expression, is not NULL that of one of
 * them. */
size_t clscan__segments_at(const clscan__elements *elements, clscan__segments_argument which);
const char *clscan__segments_bits_name(const clscan__elements *elements);
void clscan__segments_append_initial_call(clscan__text *text, const clscan__elements *elements, const char *place);

/* In program/segment_heads.c: the type of what maps read of segments, of marks words; and functions that say where
 * segments begin: at an element and the next one, or at those of a vector and behind it. */
const char *clscan__segments_begin_name(const clscan__elements *elements);
void clscan__segments_append_heads(clscan__text *text, const clscan__elements *elements);

/* In program/segment_sums.c: what numbers of segments need, and their sums. Functions say which number a segment has,
 * and whether it has an initial value of its own; where the last one ends, and what is written of one; a kernel writes
 * what a run without elements gives. */
void clscan__segments_append_number_types(clscan__text *text, const clscan__elements *elements);
void clscan__segments_append_places(clscan__text *text, const clscan__elements *elements);
void clscan__segments_append_give_sum(clscan__text *text, const clscan__elements *elements);
void clscan__segments_append_no_segments(clscan__text *text);

#endif
