/* Segments as OpenCL C: pairs of a sum and a flag, their operator, and maps around the caller's that make pairs of
 * elements and sums of pairs. Kernels see nothing but a type, an operator and two maps. */
#ifndef CLSCAN_PROGRAM_SEGMENTS_H
#define CLSCAN_PROGRAM_SEGMENTS_H

#include <clscan/variant.h>

#include "base/text.h"
#include "element/segments.h"
#include "element/types.h"

#define CLSCAN__PAIR "clscan_pair"
#define CLSCAN__PAIR_OPERATOR "clscan_joined"
#define CLSCAN__PAIR_IDENTITY "clscan_no_pair()"

/* What kernels must know. */
void clscan__segments_define(clscan__text *text, const clscan__elements *elements);

/* Pairs and their operator, behind the caller's types and operator. */
void clscan__segments_append_pairs(clscan__text *text, const clscan__elements *elements);

/* Are values loaded, combined and stored as scalars, by an operator whose operands may be reordered, and is nothing
 * else stored? Then what a vector of them needs besides its operator, where that lies in one
 * register. */
bool clscan__segments_have_lanes(const clscan__elements *elements);

/* Are values loaded so, and is nothing asked for but the sums of segments, in a forward scan? */
bool clscan__segments_sum_lanes(const clscan__elements *elements);
void clscan__segments_append_lanes(clscan__text *text, const clscan__elements *elements, uint32_t vector_length);

/* Does body cached_rows go from segment to segment? By offsets it needs no marks then (cl/bodies/cached_offsets.cl). */
bool clscan__segments_are_walked(const clscan_variant *variant, const clscan__segmented *segmented);

/* Does it give empty segments their sums as well? Otherwise a launch before it does, and reports what is wrong: where
 * the device counts elements or offsets, or where offsets are checked. */
bool clscan__segments_look_at_offsets(const clscan__segmented *segmented);

/* The caller's expression that says when keys are equal, and a kernel that uses it; `named`: behind #line directives
 * that name its parts. */
void clscan__segments_append_equal_alone(clscan__text *text, const clscan__elements *elements, bool named);

/* A kernel that counts segments which are numbered from the last one on, part of no variant either. Arguments: what
 * says where they begin, where it begins there; elements; two words that are 0, low and high, where these stand there;
 * the count's, if that is in device memory. */
#define CLSCAN__COUNT_KERNEL "clscan_count_segments"
/* What a run without elements leaves, where sums of segments are wanted by flags, bits or keys. Arguments: which there
 * are (CLSCAN__SEGMENTS_GIVE_...), offsets, where they begin there, number, where it stands there. */
#define CLSCAN__NO_SEGMENTS_KERNEL "clscan_no_segments"
void clscan__segments_append_kernel(clscan__text *text, const clscan__elements *elements);

/* The maps, behind the caller's, whose functions are clscan_own_load() and clscan_own_store(). */
void clscan__segments_append_maps(clscan__text *text, const clscan__elements *elements);

#endif
