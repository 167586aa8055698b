/* What a scan or a reduction of a file makes of its elements and sums: results of another type, and the user's
 * expressions, which pass through the library as maps. */
#ifndef CLSCAN_TOOLS_SCAN_MAPS_H
#define CLSCAN_TOOLS_SCAN_MAPS_H

#include <stdbool.h>

#include <clscan/clscan.h>

#include "record.h"

/* Set the first part, zero the rest; release always. The problem points into it. */
typedef struct scan_maps {
    clscan_type in;
    clscan_type out;
    const record *record; /* elements, sums and outputs are such; NULL: numbers of the types above */
    const char *load;     /* OpenCL C; NULL: none */
    const char *store;    /* not of a reduction */

    char *sources[2];
    clscan_map maps[2];
    clscan_element output; /* of a reduction the accumulator */
} scan_maps;

/* In expressions; half is a float there. Of records it is the name of their type. */
const char *map_type_name(clscan_type type, const record *of);

/* Is this one expression, which does not call what the command makes of it? */
clscan_status map_check(const char *expression, const char *option, clscan_error *error);

/* A function with this head around the expression, with the expression's lines; free it. */
clscan_status map_source(const char *expression, const char *option, const char *head, char **source,
                         clscan_error *error);

/* How a command calls what a problem of it is made of. */
typedef struct plan_culprits {
    const char *load; /* NULL: --load */
    const char *in;   /* the file whose structs the elements are; NULL: they are of --struct */
    const char *keys; /* the file of --keys; NULL: there is none */
} plan_culprits;

/* Plans call what they are made of by its member of the problem; let the error of one call it as the user does: by its
 * option or file. Returns `status`. */
clscan_status map_failure(clscan_status status, const plan_culprits *culprits, clscan_error *error);

/* Is anything but a scan or a reduction of numbers wanted, with results of their type? */
bool scan_maps_are_needed(const scan_maps *m);

/* Say it in the problem, whose type is `in`. */
clscan_status scan_maps_prepare(scan_maps *m, clscan_problem *problem, clscan_error *error);

/* Most arguments of a run. */
#define SCAN_MAPS_ARGUMENTS 2

/* The arguments of a run whose first element, in memory, has this index in its row; `arguments` are valid as long as
 * *index is. Returns how many. */
uint64_t scan_maps_arguments(const scan_maps *m, const uint64_t *index, clscan_memory arguments[SCAN_MAPS_ARGUMENTS]);

void scan_maps_release(scan_maps *m);

#define HELP_LOAD "combine this instead of each element: OpenCL C of element and index, as element*element"
#define HELP_STORE "write this instead of each sum: OpenCL C of sum, index, previous and element"

#endif
