/* Element types as kernels see them. */
#ifndef CLSCAN_ELEMENT_TYPES_H
#define CLSCAN_ELEMENT_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include <clscan/select.h>
#include <clscan/types.h>

bool clscan__type_is_valid(clscan_type type);
bool clscan__type_is_floating(clscan_type type); /* half, float, double */
bool clscan__type_is_signed(clscan_type type);   /* signed integers */

/* "char" for CLSCAN_INT8; "half" for CLSCAN_HALF. */
const char *clscan__type_cl_name(clscan_type type);

/* Size of what travels between work-items for elements of this type: of its accumulator. */
size_t clscan__type_sum_bytes(clscan_type type);

/* A type of the caller's, as kernels see it: a struct, or a vector of OpenCL C. */
typedef struct clscan__custom_type {
    const char *name;   /* in OpenCL C */
    const char *source; /* OpenCL C that declares it; "" for a type of the language */
    size_t size_bytes;  /* 1 to CLSCAN__MOST_SUM_BYTES */
    size_t align_bytes;
    uint32_t lanes; /* of a vector that was described as such; else 0 */
} clscan__custom_type;

/* What travels between work-items has no more bytes. */
#define CLSCAN__MOST_SUM_BYTES 64u

/* What is loaded, summed up or stored: a scalar, or a type of the caller's. */
typedef struct clscan__element {
    clscan_type type;                  /* unless `custom` is there */
    const clscan__custom_type *custom; /* NULL for a scalar */
} clscan__element;

/* Something of the caller's that maps use besides the element. */
typedef struct clscan__map_argument {
    const char *name; /* by which maps call it */
    const char *type; /* of a kernel's argument, in OpenCL C: "__global const float *", "uint" */
    bool has_offset;  /* the kernel's next argument, a ulong, is an offset that is added to it: of a pointer */
    bool is_count;    /* no argument of kernels: their `count` */
    enum {
        CLSCAN__OF_BOTH_MAPS,
        CLSCAN__OF_LOAD_MAP,
        CLSCAN__OF_STORE_MAP,
        CLSCAN__OF_SEGMENTS,
        CLSCAN__OF_SELECTION /* no map */
    } side;                  /* who sees it */
} clscan__map_argument;

/* What happens to elements on their way in, and to sums on their way out. Expressions of OpenCL C, of the names below
 * and those of the arguments; NULL for a conversion, which is there between scalars, and for a type to itself. */
typedef struct clscan__maps {
    const char *load_source, *store_source; /* OpenCL C that they call, and the store map the load map's; NULL: none */
    const char *load;    /* a sum, of `element` and `index`, a ulong, which counts in memory; half is a float */
    const char *store;   /* an output, of `sum`, `index` and what is asked for by: */
    bool keeps_previous; /* `previous`, the sum before the element's: one more in registers or local memory */
    bool keeps_element;  /* `element`: the same, as it is stored */
    bool gives_element;  /* the output is nothing but `element` */
    bool sees_before;    /* the load map takes `before`, the element in front of its own */
    bool generates;      /* there is no input, and no `element` */
    bool selects;        /* operation select; the first arguments are its own (element/selection.h) */
    bool copies;         /* operation select: what is kept leaves as an element or an index (element/selection.h) */
    bool discards;       /* nothing is stored but what the store map itself writes (element/segments.h) */
    uint32_t flag_bytes; /* of each of its flags; 0: there are none, or bits */
    bool flag_bits;      /* its flags are bits */
    bool rejected;       /* it selects what flags and predicate reject */
    struct clscan__column_words {
        uint32_t word_bytes, words; /* an element is so many unsigned integers */
        size_t argument;            /* its input; the next one is its output */
    } columns[CLSCAN_MOST_COLUMNS]; /* what is kept of them goes where what is kept goes */
    uint32_t column_count;
    uint32_t index_bytes;   /* 0, or that of an index which is written beside what is kept, */
    size_t index_argument;  /* to this argument */
    uint32_t length_bytes;  /* 0, or that of the number of elements to the next kept one, which is written as well, */
    size_t length_argument; /* to this argument; behind it is the memory by which these are mended */
    bool long_runs;         /* it keeps runs of two and more elements, */
    size_t count_argument;  /* of an input that has as many elements as this argument says */
    bool rest;              /* what is not kept is written as well, */
    size_t rest_argument;   /* by these arguments (element/selection.h) */
    bool middle;            /* it has two parts; the predicate says 1 of what is kept, and 2 of the first of these */
    bool in_place;          /* operation select: what is kept may be moved back to its input */
    const clscan__map_argument *arguments;
    size_t argument_count;
} clscan__maps;

/* Types that differ, and maps. */
typedef struct clscan__elements {
    clscan__element in, sum, out;              /* a sum is not half: that is summed up as float */
    const clscan__maps *maps;                  /* NULL for none */
    const struct clscan__segmented *segmented; /* element/segments.h; NULL: one scan */
} clscan__elements;

/* All three of one type of the caller's. */
clscan__elements clscan__elements_of(const clscan__custom_type *type);

/* Is an element in memory, bit by bit, what bodies of kernels hold of it? Of a type of the caller's that is loaded,
 * summed up and stored, without maps. */
bool clscan__elements_stay(const clscan__elements *elements);

/* Can they be copied into a landing zone and be taken from there? So can those that stay, and scalars whose outputs are
 * no narrower, if nothing stands beside them that says what becomes of each (cl/bodies/landed_inputs.cl). */
bool clscan__elements_land(const clscan__elements *elements);

/* Are sums scalars whose operands `op` lets be reordered, each of which becomes one output? Then a CPU may combine
 * whole vectors of them (cl/bodies/cached_sums.cl). */
bool clscan__elements_have_lanes(const clscan__elements *elements, clscan_operator op);

/* Are they structs of members of one size, whole ones in a line, which `custom`, unless NULL, combines lane by lane?
 * Then a CPU may walk rows of them abreast (cl/bodies/cached_abreast.cl). */
bool clscan__elements_go_abreast(const clscan__elements *elements, const clscan_custom_operator *custom);

/* Are they vectors of OpenCL C of 16 bytes and more? Then body cached_rows stores whole lines of them, as of those that
 * go abreast, so that they may go past the cache, though a work-item takes them one by one. */
bool clscan__elements_fill_lines(const clscan__elements *elements);

/* Of the caller's, with that of keys. */
#define CLSCAN__MOST_TYPES 4u

/* Its type as operators and maps see it: float for half. */
const char *clscan__element_value_name(const clscan__element *element);

/* What travels between work-items: a sum, or in segments a pair (element/segments.h). */
size_t clscan__elements_sum_bytes(const clscan__elements *elements);
size_t clscan__elements_sum_align_bytes(const clscan__elements *elements);

/* What bodies of kernels hold for each element, on the way from its load to its store. */
size_t clscan__elements_held_bytes(const clscan__elements *elements);

/* The same in body subgroup_rows where it has marks: elements of a selection, or a byte where what leaves it does not
 * ask for these, sums of segments without the flags of pairs (cl/bodies/marked_rows.cl). 0 where it has none. */
size_t clscan__elements_marked_bytes(const clscan__elements *elements);

/* What body `coalesced` has of each in local memory where it goes from offset to offset: sums of segments by offsets,
 * and nothing else (cl/bodies/transposed_offsets.cl). 0 elsewhere. */
size_t clscan__elements_walked_bytes(const clscan__elements *elements);

/* What that holds of each at once while lanes pass elements on, in selections whose predicate names `before`: there are
 * no marks before it is evaluated. 0 where none are passed. */
size_t clscan__elements_passed_bytes(const clscan__elements *elements);

/* Is what leaves a selection loaded again from where it stands, not held? Lengths ask where that is, and what gathers
 * elements beside that has room for small tiles only. */
bool clscan__maps_reload(const clscan__maps *maps);

/* Does a selection hold nothing but marks, and gather only where elements stand (cl/bodies/kept_marks.cl)? */
bool clscan__maps_keep_marks(const clscan__maps *maps);

/* What that gathers of each in local memory: outputs, or where elements stand of which outputs do not ask for more, or
 * sums of segments and where these end; else 0. */
size_t clscan__elements_gathered_bytes(const clscan__elements *elements);

/* For how many each work-item has room at most: of nothing but places, as many as two words have marks. */
uint32_t clscan__elements_gathered_most(const clscan__elements *elements);
size_t clscan__element_bytes(const clscan__element *element);

/* Bytes of the largest unsigned integers that `size_bytes` are a whole number of: 1, 2, 4 or 8. */
size_t clscan__word_bytes(size_t size_bytes);

/* Unsigned OpenCL C type of that many bytes: "uchar", "ushort", "uint", "ulong". */
const char *clscan__unsigned_cl_name(size_t size_bytes);

#endif
