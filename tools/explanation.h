/* What clscan explain prints. */
#ifndef CLSCAN_TOOLS_EXPLANATION_H
#define CLSCAN_TOOLS_EXPLANATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <clscan/clscan.h>

#include "config_use.h"

typedef struct explained_problem {
    clscan_type type;
    clscan_operator op;
    clscan_form form;
    clscan_direction direction;
    bool in_place;
} explained_problem;

/* One count, in full. */
void explanation_print_count(const clscan_device_info *device, const explained_problem *problem, uint64_t count,
                             const size_class *serves);

/* All size classes side by side, as in StreamScan's table 4, and where each comes from. */
void explanation_print_table(const clscan_device_info *device, const explained_problem *problem,
                             const size_class *classes, size_t class_count);

/* `count` is NULL if all size classes were asked for. */
clscan_status explanation_print_json(const clscan_device_info *device, const explained_problem *problem,
                                     const uint64_t *count, const size_class *classes, size_t class_count,
                                     clscan_error *error);

#endif
