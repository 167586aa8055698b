/* The memory that a run names, as ranges of bytes: do they exist, and which of them overlap? */
#ifndef CLSCAN_API_RANGES_H
#define CLSCAN_API_RANGES_H

#include "base/places.h"
#include "engine/plan.h"

/* A range of bytes in a buffer that is no sub-buffer. */
typedef struct clscan__byte_range {
    const char *name;
    bool is_read;   /* by a map, or out of place as input: such may overlap each other */
    bool is_output; /* of the range in front of it, the input */
    bool in_place;  /* an output that may overlap its input, and does */
    bool fits_gaps; /* of others, and they of its own, as `places` say */
    cl_mem root;
    uint64_t begin;
    uint64_t end;
    const clscan__places *places; /* of what it has gaps between; NULL: all of it is used */
} clscan__byte_range;

/* Was the buffer created without the `forbidden` flags? */
clscan_status clscan__check_access(const char *name, cl_mem buffer, cl_mem_flags forbidden, clscan_error *error);

/* Is it memory in which this version can find elements? */
clscan_status clscan__check_memory_kind(const char *name, const clscan_memory *memory, clscan_error *error);

/* A buffer of the plan's context whose bytes offset .. offset + size exist; *range says where they are. */
clscan_status clscan__locate(const clscan_plan *plan, const char *name, cl_mem buffer, uint64_t offset_bytes,
                             uint64_t size_bytes, cl_mem_flags forbidden, clscan_status too_small,
                             clscan__byte_range *range, clscan_error *error);

/* The same for `count` elements. */
clscan_status clscan__locate_elements(const clscan_plan *plan, const char *name, const clscan_memory *memory,
                                      uint64_t count, size_t element_bytes, cl_mem_flags forbidden,
                                      clscan__byte_range *range, clscan_error *error);

bool clscan__ranges_same(const clscan__byte_range *a, const clscan__byte_range *b);
bool clscan__ranges_begin_alike(const clscan__byte_range *a, const clscan__byte_range *b);

/* Does none overlap another that may not? `why_not` ends the message about an output and its input. */
clscan_status clscan__check_overlap(const clscan__byte_range *ranges, size_t count, const char *why_not,
                                    clscan_error *error);

#endif
