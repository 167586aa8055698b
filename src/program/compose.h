/* From a problem and a variant to the text of an OpenCL program. Pure except for CLSCAN_KERNEL_DIR. */
#ifndef CLSCAN_PROGRAM_COMPOSE_H
#define CLSCAN_PROGRAM_COMPOSE_H

#include <stdbool.h>
#include <stdint.h>

#include <clscan/plan.h>

#include "device/shuffles.h"
#include "element/types.h"
#include "program/callers.h"
#include "program/maps.h"
#include "program/repetition.h"

/* How a function of OpenCL C begins. */
#define CLSCAN__INLINE "static inline __attribute__((always_inline)) "

/* A custom operator and its identity, behind the caller's source. */
#define CLSCAN__CUSTOM_OPERATOR "clscan_custom_operate"
#define CLSCAN__CUSTOM_IDENTITY "clscan_custom_identity()"

/* Everything that a program's text depends on. */
typedef struct clscan__program_spec {
    const clscan_device_info *device;
    clscan_type type;
    const clscan__elements *elements; /* instead of `type`, if the problem is not plain; else NULL */
    clscan_operator op;               /* of sums */
    clscan_form form;
    clscan_direction direction;
    const clscan_custom_operator *custom; /* NULL unless op is CLSCAN_CUSTOM */
    clscan_variant variant;
    uint32_t poll_limit;
    uint32_t hold_interval;
    int count_events;
    bool probes;              /* with the kernel of the start-up probe; the variant's order is dynamic */
    bool reproducible;        /* in the reproducible order */
    bool rows;                /* with the kernels for rows instead of the carry's */
    bool loose_rows;          /* these begin where vectors do not, as a rule: clscan__rows_are_loose() */
    uint32_t count_bytes;     /* of the count in device memory, 4 or 8; 0: it is an argument */
    uint32_t row_count_bytes; /* the same of the number of rows */
    const clscan__repetition
        *repetition; /* with the kernel that fills the outputs of operation repeat; NULL: without */
} clscan__program_spec;

/* The size of sub-groups, or of parts of them, that the program's barriers and shuffles of sub-groups are made for; 0
 * if it has none, or PTX's, whose size is fixed. */
uint32_t clscan__program_sub_group_size(const clscan__program_spec *spec);

/* Must its kernels require that size, since the compiler would choose another one? */
bool clscan__program_requires_sub_group_size(const clscan__program_spec *spec);

/* Do its rows hold elements and a mark for each, in place of items (cl/bodies/marked_rows.cl)? */
bool clscan__program_has_marks(const clscan__program_spec *spec);

/* Are there offsets of segments, which become marks, or flags or keys that do? */
bool clscan__program_marks_offsets(const clscan__program_spec *spec);
bool clscan__program_marks_heads(const clscan__program_spec *spec);

/* Does body cached_rows scan whole vectors of sums that are not elements as they are (cl/bodies/cached_sums.cl)? */
bool clscan__program_sums_lanes(const clscan__program_spec *spec);

/* Rows that it walks abreast, each in a lane of vectors of members (cl/bodies/cached_abreast.cl); 0: it does not. */
uint32_t clscan__program_rows_abreast(const clscan__program_spec *spec);

/* Does it scan whole vectors of sums by segments (cl/bodies/cached_segments.cl)? */
bool clscan__program_has_segment_lanes(const clscan__program_spec *spec);

/* The same of sums of segments alone. */
bool clscan__program_sums_segment_lanes(const clscan__program_spec *spec);

/* The type that the operator combines, in OpenCL C. */
const char *clscan__program_accumulator(const clscan__program_spec *spec);

/* How work-items of a sub-group exchange values, if the variant does so. */
clscan__shuffles clscan__program_shuffles(const clscan__program_spec *spec);

/* Compose the program; the caller frees *source. */
clscan_status clscan__program_compose(const clscan__program_spec *spec, char **source, clscan_error *error);

/* The same, with the revision of the variant: a hash of the kernel files that it is composed of, of its parameters, and
 * of what the device decides about it, as 16 hexadecimal digits and a terminator. The same for all types, operators and
 * forms, which one entry of a config serves. */
clscan_status clscan__program_compose_revision(const clscan__program_spec *spec, char **source, char revision[17],
                                               clscan_error *error);

/* The caller's texts, in the order in which the program has them. Returns how many there are. */
size_t clscan__program_texts(const clscan__program_spec *spec, clscan__callers_text texts[CLSCAN__MOST_CALLERS_TEXTS]);

/* Compose a program that holds nothing but the first so many of these: what compiles here and not there is our fault,
 * what does not compile here is the caller's. `named`: behind #line directives that name them; otherwise its first line
 * is the program's first, for compilers that ignore #line. */
clscan_status clscan__texts_compose(const clscan__program_spec *spec, size_t count, bool named, char **source,
                                    clscan_error *error);

/* The same for the custom operator and one use of it, of its identity, or of what it is with vectors for numbers, where
 * rows are walked abreast. */
typedef enum clscan__operator_part {
    CLSCAN__OPERATOR_FUNCTION,
    CLSCAN__OPERATOR_IDENTITY,
    CLSCAN__OPERATOR_LANES
} clscan__operator_part;
clscan_status clscan__operator_compose(const clscan__program_spec *spec, clscan__operator_part part, bool named,
                                       char **source, clscan_error *error);

/* The same for the caller's types alone, with kernels clscan_size and clscan_align, whose required work-group sizes are
 * not meant for running: they are the size and the alignment of one of them. */
clscan_status clscan__type_compose(const clscan__program_spec *spec, const clscan__custom_type *type, bool named,
                                   char **source, clscan_error *error);

/* The same for one of the caller's maps, with all that it may use. */
clscan_status clscan__map_compose(const clscan__program_spec *spec, clscan__map_side side, bool named, char **source,
                                  clscan_error *error);

/* The same for what says when keys of segments are equal. */
clscan_status clscan__equal_compose(const clscan__program_spec *spec, bool named, char **source, clscan_error *error);

#define CLSCAN__OPTIONS_BYTES 64

/* Compiler options for the device, its mechanism and the variant, written to `options`; returns it. */
const char *clscan__program_options(const clscan__program_spec *spec, char options[CLSCAN__OPTIONS_BYTES]);

#endif
