/* What clscan explain says: made once as JSON, printed as it is or for people. */
#ifndef CLSCAN_TOOLS_EXPLANATION_H
#define CLSCAN_TOOLS_EXPLANATION_H

#include <stdbool.h>

#include <jansson.h>

#include <clscan/clscan.h>

#include "config_file/document.h"
#include "config_use.h"

typedef struct explained_problem {
    clscan_problem what; /* its max_count and custom are no one's */
    clscan__config_operation operation;
    bool repeats; /* an operation that configs have no entries for; the type is that of its lengths */
    bool in_place;
    bool has_count; /* else all size classes are asked for */
    uint64_t count;
} explained_problem;

/* Of outputs, in which elements are combined. */
clscan_type explained_output_type(const explained_problem *problem);

/* The explanation as a JSON object; *object is the caller's. The keys are documented in docs/man/clscan.1. */
clscan_status explanation_make(const clscan_device_info *device, const explained_problem *problem,
                               const size_class *classes, size_t class_count, json_t **object, clscan_error *error);

/* Print what explanation_make() made: the size class of one count in full, or all size classes side by side, as in
 * StreamScan's table 4, and where each comes from. */
void explanation_print(const json_t *object);

#endif
