/* Elements that are no scalars: what they are, what is put into them, and what comes out. */
#ifndef CLSCAN_MEASURE_ELEMENT_H
#define CLSCAN_MEASURE_ELEMENT_H

#include "command_line/description.h"
#include "measure.h"

typedef struct measure_element {
    char name[32]; /* "affine_float", "int4" */
    clscan_element element;
    clscan_custom_operator custom;        /* zero for vectors */
    const element_description *described; /* ready-made, or from a file; NULL: a vector */
    size_t size_bytes;
} measure_element;

/* The ready-made element or vector of that name; false if there is none, or the host cannot combine it. */
bool measure_element_find(const char *name, measure_element *found);

/* The same of what a user says, who may also name a file (command_line/element_file.h). */
clscan_status measure_element_read(const char *text, measure_element *found, clscan_error *error);

/* What a file describes. */
measure_element measure_element_of(const element_description *described);

/* Does a device need double for it? */
bool measure_element_has_doubles(const measure_element *element);

/* Inputs, such that every grouping gives the same numbers. */
void measure_element_generate(const measure_problem *problem, void *elements);

/* Can the host combine it? Else the device does (serial.h). */
bool measure_element_is_on_host(const measure_element *element);

/* The scan of `data`, in place, on the host. */
void measure_element_scan(const measure_problem *problem, void *data);

/* Do two outputs at `index` hold the same numbers? Those of files within their tolerance (element_same()), where the
 * expected number widens `scale`; of others it is not looked at. What precedes the first element of an exclusive scan
 * of such, or of ready-made ones, passes: tests look at identities. */
bool measure_element_same(const measure_problem *problem, const struct element_scale *scale, uint64_t index,
                          const void *expected, const void *got);

/* The scale of `count` results of a file's elements: the largest magnitudes among them and the samples' ranges, but no
 * infinity. That of each result alone would be too small, as sums that come near 0 keep the errors of larger ones
 * before them. */
void measure_element_scale(const measure_element *element, const void *results, uint64_t count,
                           struct element_scale *scale);

#endif
