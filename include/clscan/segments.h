/** \file segments.h
 * Scans that begin anew at each segment of the input: by flags at the heads of segments, by offsets, or by keys.
 *
 * \code
 * clscan_segments segments = {sizeof segments, .by = CLSCAN_BY_FLAGS, .type = CLSCAN_UINT8};
 * clscan_problem problem = {sizeof problem, .type = CLSCAN_FLOAT, .max_count = 1000, .segments = &segments};
 * ...
 * args.segments = clscan_buffer(flags);                            // 1000 bytes
 * \endcode
 *
 * docs/segments.md shows what they are good for.
 */
#ifndef CLSCAN_SEGMENTS_H
#define CLSCAN_SEGMENTS_H

#include <stddef.h>
#include <stdint.h>

#include <clscan/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*    name     text     meaning */
/* clang-format off */
#define CLSCAN_SEGMENTS_BY_LIST(X)                                                                  \
    X(FLAGS,   flags,   "an integer for each element, not zero where a segment begins")             \
    X(BITS,    bits,    "a bit for each element, the lowest of a byte first, set where one begins") \
    X(KEYS,    keys,    "a key for each element; a segment begins where it differs from the last")  \
    X(OFFSETS, offsets, "the positions at which segments begin")
/* clang-format on */

/** What says where segments begin. */
typedef enum clscan_segments_by {
#define X(name, text, meaning) CLSCAN_BY_##name,
    CLSCAN_SEGMENTS_BY_LIST(X)
#undef X
        CLSCAN_SEGMENTS_BY_COUNT /**< number of ways; not a way */
} clscan_segments_by;

/** "flags" for CLSCAN_BY_FLAGS; "unknown" for what is none. */
CLSCAN_API const char *clscan_segments_by_name(clscan_segments_by by);

/** Segments of the input, for clscan_problem.segments. Set struct_size to sizeof(clscan_segments), zero what is not
 * used. What says where they begin is clscan_run_args.segments, and is never written.
 *
 * The first element always begins a segment. Each segment is scanned as if it were alone, in reverse from its end on:
 * with the initial value, if there is one, and in an exclusive scan the operator's identity otherwise.
 *
 * Keys are equal as `==` says in OpenCL C: 0.0 and -0.0 are the same key, and each NaN is a segment of its own. A key
 * that returns later begins a new segment.
 *
 * Offsets are as many as clscan_run_args.offset_count says, which may be none: those of a sparse matrix's rows, with or
 * without its end, or any others. A segment begins at each of them. One that stands there twice makes no difference,
 * since nothing of an empty segment is written. Those that are negative, or not below the count, are ignored. A plan by
 * offsets has a bit for each element in its workspace, and a run two commands more. */
typedef struct clscan_segments {
    size_t struct_size;    /**< sizeof(clscan_segments) */
    clscan_segments_by by; /**< what says where they begin */
    clscan_type type; /**< of flags or offsets, which are integers, or of keys; of bits 0; offsets have 4 or 8 bytes */
} clscan_segments;

#ifdef __cplusplus
}
#endif
#endif
