#include "config_use.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_line/failure.h"

clscan_status config_classes(const clscan_config *config, const clscan_device_info *device,
                             const clscan_problem *problem, bool in_place, size_class **classes, size_t *count,
                             clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    size_class *list = NULL;
    size_t used = 0;
    uint64_t last = 0;

    while (last != UINT64_MAX) {
        size_class *grown = realloc(list, (used + 1) * sizeof *grown);

        REQUIRE(grown != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for %zu size classes", used + 1);
        list = grown;
        list[used].first = last + 1;
        list[used].choice.struct_size = sizeof list[used].choice;
        TRY(clscan_config_explain(config, device, problem, last + 1, in_place, &list[used].choice, error));
        last = list[used].choice.largest_count;
        list[used++].last = last;
    }
    *classes = list;
    *count = used;
    list = NULL; /* now the caller's */

cleanup:
    free(list);
    return status;
}

static void add_source(const clscan_choice *choice, config_source sources[MAX_CONFIG_SOURCES], size_t *count)
{
    for (size_t i = 0; i < *count; ++i) {
        if (strcmp(sources[i].source, choice->source) == 0)
            return;
    }
    if (*count == MAX_CONFIG_SOURCES)
        return;
    snprintf(sources[*count].source, sizeof sources->source, "%s", choice->source);
    snprintf(sources[*count].matched, sizeof sources->matched, "%s", choice->matched);
    ++*count;
}

clscan_status config_sources(const clscan_config *config, const clscan_device_info *device,
                             config_source sources[MAX_CONFIG_SOURCES], size_t *count, clscan_error *error)
{
    /* Configs tell problems apart by the size of the element, by the class of the operator, and by whether they are
     * reproducible, which only those of floating-point types can be. */
    static const clscan_type types[] = {CLSCAN_INT8, CLSCAN_INT16, CLSCAN_INT32, CLSCAN_INT64,
                                        CLSCAN_HALF, CLSCAN_FLOAT, CLSCAN_DOUBLE};
    static const clscan_operator operators[] = {CLSCAN_ADD, CLSCAN_MUL, CLSCAN_CUSTOM};
    const size_t operator_count = sizeof operators / sizeof operators[0];
    const size_t problem_count = sizeof types / sizeof types[0] * operator_count * 2;

    *count = 0;
    for (size_t i = 0; i < problem_count; ++i) {
        const clscan_problem problem = {.struct_size = sizeof problem,
                                        .type = types[i / 2 / operator_count],
                                        .op = operators[i / 2 % operator_count],
                                        .reproducible = 1};
        size_class *classes = NULL;
        size_t class_count = 0;
        const clscan_status status =
            config_classes(config, device, &problem, i % 2 == 1, &classes, &class_count, error);

        if (status != CLSCAN_OK)
            return status;
        for (size_t k = 0; k < class_count; ++k)
            add_source(&classes[k].choice, sources, count);
        free(classes);
    }
    return CLSCAN_OK;
}
