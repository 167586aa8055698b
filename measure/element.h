/* Elements that are no scalars: what they are, what is put into them, and what comes out. */
#ifndef CLSCAN_MEASURE_ELEMENT_H
#define CLSCAN_MEASURE_ELEMENT_H

#include "measure.h"

typedef struct measure_element {
    char name[32]; /* "affine_float", "int4" */
    clscan_element element;
    clscan_custom_operator custom; /* of ready-made elements; zero for vectors */
    clscan_ready ready;            /* CLSCAN_READY_COUNT for vectors */
    size_t size_bytes;
} measure_element;

/* The ready-made element or vector of that name; false if there is none, or the host cannot combine it. */
bool measure_element_find(const char *name, measure_element *found);

/* Does a device need double for it? */
bool measure_element_has_doubles(const measure_element *element);

/* Inputs, such that every grouping gives the same numbers. */
void measure_element_generate(const measure_problem *problem, void *elements);

/* The scan of `data`, in place. */
void measure_element_scan(const measure_problem *problem, void *data);

/* Do two outputs at `index` hold the same numbers? What precedes the first element of an exclusive scan of ready-made
 * ones passes: tests look at identities. */
bool measure_element_same(const measure_problem *problem, uint64_t index, const void *expected, const void *got);

#endif
