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

#include <clscan/element.h>
#include <clscan/map.h>
#include <clscan/memory.h>
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

/** "flags" for CLSCAN_BY_FLAGS; "unknown" for other numbers. */
CLSCAN_API const char *clscan_segments_by_name(clscan_segments_by by);

/** Segments of the input, for clscan_problem.segments. Set struct_size to sizeof(clscan_segments), zero what is not
 * used. What says where they begin is clscan_run_args.segments, and is never written.
 *
 * The first element always begins a segment. Each segment is scanned as if it were alone, in reverse from its end on:
 * with the initial value, if there is one, and in an exclusive scan the operator's identity otherwise.
 *
 * With \p initials each segment has an initial value of its own: value s in the buffer is that of segment s, counted as
 * they stand in memory. By flags, bits or keys the buffer has as many as the run finds segments. If it ends before,
 * the rest has no initial value, nothing behind the end is read, and clscan_workspace_report() counts the run. By
 * offsets, n + 1 of them bound n segments, as for sums (clscan_segment_sums): they must be in order, or it is
 * unspecified which value is whose. What precedes the first offset that is not negative, or follows the last one, has
 * no initial value; by an operator without identity, the first output of an exclusive scan is unspecified there.
 *
 * Keys are equal as `==` says in OpenCL C: 0.0 and -0.0 are the same key, and each NaN is a segment of its own. Vectors
 * are equal if all lanes are. \p equal says something else, or when structs are equal: an expression of `left` and
 * `right`, a key and the one behind it, which is not 0 where they are equal; half is a float there. It has no
 * arguments. Only neighbours are compared. A key that returns later begins a new segment. The expression is compiled
 * behind the sources of types, operator and maps; compile errors carry the caller's line numbers, under the file names
 * "equal" and "source of equal".
 *
 * Offsets are as many as clscan_run_args.offset_count says, which may be none: those of a sparse matrix's rows, with or
 * without its end, or any others. A segment begins at each of them. One that stands there twice makes no difference,
 * since nothing of an empty segment is written. Those that are negative, or not below the count, are ignored. A plan by
 * offsets has a bit for each element in its workspace, and a run up to three commands more. Offsets that are in order
 * are faster where there are very many.
 *
 * With offset_count_bytes they are as many as device memory says when the run starts, and
 * clscan_run_args.offset_count, at least 1, is the most that there may be. A larger number is refused on the device:
 * there is no offset then, and clscan_workspace_report() counts it among the counts that were refused. */
typedef struct clscan_segments {
    size_t struct_size;    /**< sizeof(clscan_segments) */
    clscan_segments_by by; /**< what says where they begin */
    clscan_type type;  /**< of flags or offsets, which are integers, or of keys; of bits 0; offsets have 4 or 8 bytes */
    uint32_t sums;     /**< 1: a scan writes the sum of each segment as well; 0: operation reduce alone does */
    uint32_t initials; /**< 1: clscan_run_args.initial is a buffer with an initial value for each segment; 0: it is one
                            for all */
    uint64_t offset_count_bytes; /**< by offsets, 4 or 8: each run finds the number of offsets in device memory, an
                                      unsigned integer of so many bytes (clscan_run_args.device_offset_count); 0: the
                                      host gives it */
    const clscan_element *key; /**< by keys that are no scalars: what they are; then \p type is 0. NULL: `type` says it.
                                    Copied by the plan. */
    const clscan_map *equal;   /**< by keys: when two are equal, see above; keys of a named type need it. NULL: `==`.
                                    Copied by the plan. */
    uint32_t check;    /**< 1: by offsets, clscan_workspace_report() counts those that are negative, beyond the count or
                         below the one before; 0: they are not looked at */
    uint32_t reserved; /**< 0 */
} clscan_segments;

/** What a run writes for each segment, for clscan_run_args.segment_sums: with operation reduce, which writes nothing
 * else, or a scan whose clscan_segments.sums is 1. Set struct_size to sizeof(clscan_segment_sums), zero what is not
 * wanted; something must be.
 *
 * Segments are numbered as they stand in memory. The sum of a segment is the combination of its elements, in order, and
 * of the initial value: before the first of them, or in reverse behind the last.
 *
 * By flags, bits or keys there are as many segments as the run finds. More than `capacity` are never written: the
 * number tells how many were needed, and clscan_workspace_report() counts the runs that had too little room.
 *
 * By offsets, n + 1 of them bound n segments: segment s is from offset s up to offset s + 1. What precedes the first
 * offset or follows the last one is in no segment. An empty segment has the initial value, or else the identity, as
 * its sum; so an operator without identity needs an initial value. A segment whose end stands before its begin is
 * empty, too. Offsets must be in order, or it is unspecified which other sums are written, and what they are; nothing
 * is ever written outside. clscan_segments.check lets the report count offsets that are wrong. */
typedef struct clscan_segment_sums {
    size_t struct_size;    /**< sizeof(clscan_segment_sums) */
    clscan_memory sums;    /**< receives the sum of each segment, of the accumulator type */
    clscan_memory keys;    /**< by keys: receives the key of each segment, that of its first element */
    clscan_memory offsets; /**< by flags, bits or keys: receives where each segment begins, and behind that where the
                                last one ends: a number more than there are segments, of the type of `number` */
    clscan_memory number;  /**< by flags, bits or keys: receives how many segments there are: uint32, or uint64 if
                                clscan_problem.max_count is 2^32 or more */
    uint64_t capacity;     /**< by flags, bits or keys: segments that there is room for; 0: clscan_run_args.count */
} clscan_segment_sums;

#ifdef __cplusplus
}
#endif
#endif
