/* Segments of a problem: what they are, as the library takes them, and as programs see them. */
#ifndef CLSCAN_ELEMENT_SEGMENTS_H
#define CLSCAN_ELEMENT_SEGMENTS_H

#include <stdbool.h>

#include <clscan/problem.h>

#include "base/error.h"
#include "element/map.h"

/* Segments as the library takes them, with what they point to. */
typedef struct clscan__segments_room {
    clscan_segments segments;
    clscan_element key;
    clscan__map_room equal;
} clscan__segments_room;

/* Check the segments of a problem, which are not NULL, and let *segments point to a copy in `room`, whose key is NULL
 * if that is a scalar. */
clscan_status clscan__segments_take(const clscan_segments **segments, clscan__segments_room *room, clscan_error *error);

/* Is there what segments need of the rest of a taken problem with segments? */
clscan_status clscan__segments_check(const clscan_problem *problem, clscan_error *error);

/* What says where segments of `count` elements begin: so many, each of so many bytes. */
uint64_t clscan__segments_count(const clscan_segments *segments, uint64_t count, uint64_t offset_count);
size_t clscan__segments_unit_bytes(const clscan_segments *segments);

/* How sums of segments are got, in clscan_segments.sums of a taken problem. Its operation is an inclusive scan then, of
 * reductions a forward one: the sum of a segment is that of its last element in the order of the scan. */
enum {
    CLSCAN__SUMS_GIVEN = 1,         /* there are some */
    CLSCAN__SUMS_ONLY = 2,          /* and nothing else: of operation reduce */
    CLSCAN__SUMS_END_INITIAL = 4,   /* the initial value comes last: of a reduction in reverse */
    CLSCAN__SUMS_AND_EXCLUSIVE = 8, /* what is written of an element is the sum before it: of an exclusive scan; also
                                       where there are no sums, but an initial value for each segment */
    CLSCAN__SUMS_BY_MARKS = 16      /* there are none, and flags or keys become marks before the scan */
};

/* Let a problem with segments, of which nothing else is taken yet, be such a scan if segments are numbered: for sums,
 * or for initial values of their own. */
clscan_status clscan__segments_arrange(clscan_problem *problem, clscan_segments *segments, clscan_error *error);

/* May flags or keys of a taken problem become marks, which scans are faster by? Its scan takes no more from them than
 * where segments begin, OpenCL C compares them by itself, and tiles with marks land. */
bool clscan__segments_may_be_marked(const clscan_problem *problem);

/* The mode of a taken problem, also of one without segments: 0. */
uint32_t clscan__problem_sums(const clscan_problem *problem);

/* Does it give sums of segments? */
bool clscan__problem_gives_sums(const clscan_problem *problem);

/* Has each of its segments an initial value of its own? */
bool clscan__problem_has_initials(const clscan_problem *problem);

/* Of numbers of segments, and of positions of their ends. */
size_t clscan__segments_index_bytes(const clscan_problem *problem);

/* What kernels have besides the caller's arguments of maps, in this order, behind them; not all of them always. */
typedef enum clscan__segments_argument {
    CLSCAN__SEGMENTS_BEGINS,       /* what says where they begin; a buffer */
    CLSCAN__SEGMENTS_VALUE,        /* the bits of an initial value */
    CLSCAN__SEGMENTS_INITIAL,      /* a buffer that has one, or one for each segment */
    CLSCAN__SEGMENTS_COUNT,        /* elements of the run; where they are counted in device memory, maps see the count
                                      that the kernel has taken, and there is no argument */
    CLSCAN__SEGMENTS_MODE,         /* which of the two initial values there is */
    CLSCAN__SEGMENTS_TOTAL,        /* a buffer that has the number of segments, in two words, low and high */
    CLSCAN__SEGMENTS_INITIALS,     /* how many initial values there are */
    CLSCAN__SEGMENTS_SUMS,         /* where sums go */
    CLSCAN__SEGMENTS_OFFSETS,      /* where offsets go, or by offsets where they are */
    CLSCAN__SEGMENTS_CAPACITY,     /* how many segments have room, or how many offsets there are, at the most */
    CLSCAN__SEGMENTS_OFFSET_COUNT, /* a buffer that says how many offsets there are */
    CLSCAN__SEGMENTS_KEYS,         /* where keys go */
    CLSCAN__SEGMENTS_NUMBER,       /* where the number goes */
    CLSCAN__SEGMENTS_OVERFLOWS,    /* a counter of the report */
    CLSCAN__SEGMENTS_GIVES,        /* which of the buffers there are */
    CLSCAN__SEGMENTS_MOST_ARGUMENTS
} clscan__segments_argument;

/* Buffers that there are. */
enum {
    CLSCAN__SEGMENTS_GIVE_SUMS = 1,
    CLSCAN__SEGMENTS_GIVE_OFFSETS = 2,
    CLSCAN__SEGMENTS_GIVE_KEYS = 4,
    CLSCAN__SEGMENTS_GIVE_NUMBER = 8
};

/* The mode. */
enum { CLSCAN__SEGMENTS_NO_INITIAL, CLSCAN__SEGMENTS_INITIAL_VALUE, CLSCAN__SEGMENTS_INITIAL_BUFFER };

/* As programs see segments. What travels is a pair: a sum of the problem's and whether a segment begins in it (ends, in
 * reverse), as wide as the sum is aligned, so that there is no padding. Where sums of segments are wanted, it is how
 * many begin. */
typedef struct clscan__segmented {
    clscan_segments_by by;
    clscan_type type;
    bool reverse, exclusive;
    bool counts_on_device;         /* the count of elements is in device memory */
    uint32_t sums;                 /* the mode, see above */
    bool marked;                   /* the scan reads marks of them: of offsets, or as the mode says */
    bool initials;                 /* each has an initial value of its own */
    bool checks;                   /* offsets are looked at */
    uint32_t offset_count_bytes;   /* of the number of offsets in device memory; 0: it is an argument */
    uint32_t mark_work_group_size; /* of the kernel that makes marks of offsets; 0: as the device's class says */
    uint32_t index_bytes; /* of numbers of segments; 0: these are not numbered, and flags of pairs do not count */
    const struct clscan__custom_type *key; /* of keys; NULL: they are scalars, or there are none */
    const char *equal;                     /* by keys, an expression of `left` and `right`; NULL: they are the same */
    const char *equal_source;              /* OpenCL C that it calls; NULL: none */
    clscan_operator op;                    /* the problem's */
    const char *neutral; /* its identity, to the bit: of sums of floating-point numbers -0.0; NULL: it has none */
} clscan__segmented;

/* Marks are a bit for each element, in words of 32, which the library sets where a segment begins. In front of them
 * stand words in which the kernel that makes them keeps what it must know. Those of the last elements have 16 bytes. */
#define CLSCAN__MARKS_ROOM_WORDS 4u
bool clscan__problem_has_marks(const clscan_problem *problem);
uint64_t clscan__marks_bytes(uint64_t count); /* of so many elements */
uint64_t clscan__segments_marks_bytes(const clscan_problem *problem);

/* Segments that a reverse scan numbers are counted first, but for those by offsets, whose numbers are known: in so many
 * bytes of the workspace, in the place of marks. */
#define CLSCAN__SEGMENTS_TOTAL_BYTES 16u
bool clscan__segments_are_counted(const clscan__segmented *segmented);

/* Does OpenCL C compare flags with 0, or keys with each other, as integers or floating-point numbers, also in vectors?
 * Not where the scan reads marks of them. */
bool clscan__segments_are_compared(const clscan__segmented *segmented);

/* Is it among the arguments, how many stand in front of it, and how many are there? */
bool clscan__segments_have(const clscan__segmented *segmented, clscan__segments_argument which);
size_t clscan__segments_argument_place(const clscan__segmented *segmented, clscan__segments_argument which);
size_t clscan__segments_argument_count(const clscan__segmented *segmented);

/* What a pair is aligned to, and its bytes, whose sums have so many. */
size_t clscan__pair_align_bytes(const clscan__segmented *segmented, size_t align_bytes);
size_t clscan__pair_bytes(const clscan__segmented *segmented, size_t sum_bytes, size_t align_bytes);
/* Of the integers that the bits of an initial value are given in. */
uint32_t clscan__segments_value_bytes(size_t sum_bytes);

#endif
