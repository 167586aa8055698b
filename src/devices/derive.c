#include "devices/derive.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "element/names.h"

static clscan_status check_map(const clscan_map *map, const char *name, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    CLSCAN__REQUIRE(map == NULL || !clscan__names(map->expression, "index"), CLSCAN_ERROR_UNSUPPORTED_TYPE,
                    "problem->%s names `index`, which a scan in parts does not know: each begins with 0", name);

cleanup:
    return status;
}

clscan_status clscan__check_shared_problem(const clscan_problem *problem, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    CLSCAN__REQUIRE(problem->operation == CLSCAN_SCAN, CLSCAN_ERROR_UNSUPPORTED_TYPE,
                    "problem->operation is %s; only scans are done in parts", clscan__problem_operation_name(problem));
    CLSCAN__REQUIRE(problem->segments == NULL, CLSCAN_ERROR_UNSUPPORTED_TYPE,
                    "problem->segments is set, which a scan in parts does not serve");
    CLSCAN__REQUIRE(problem->count_bytes == 0, CLSCAN_ERROR_UNSUPPORTED_TYPE,
                    "problem->count_bytes is %llu; parts have counts of the host's",
                    (unsigned long long)problem->count_bytes);
    CLSCAN__REQUIRE(problem->rows == NULL || problem->rows->count_bytes == 0, CLSCAN_ERROR_UNSUPPORTED_TYPE,
                    "problem->rows->count_bytes is %llu; parts have numbers of rows of the host's",
                    (unsigned long long)problem->rows->count_bytes);
    CLSCAN__TRY(check_map(problem->load, "load", error));
    CLSCAN__TRY(check_map(problem->store, "store", error));

cleanup:
    return status;
}

clscan_problem clscan__sum_problem(const clscan_problem *problem)
{
    clscan_problem made = *problem;

    made.operation = CLSCAN_REDUCE;
    made.form = CLSCAN_INCLUSIVE;
    made.output = NULL;
    made.store = NULL;
    return made;
}

/* The operator, and the type of sums, may use what stands in the sources of the other types. */
static clscan_status join_sources(const clscan_problem *problem, bool is_named, clscan__sums_problem *made,
                                  clscan_error *error)
{
    const clscan_element *elements[] = {problem->element, problem->accumulator, problem->output};
    clscan__text text = {0};

    for (size_t i = 0; i < sizeof elements / sizeof elements[0]; ++i) {
        bool is_new = elements[i] != NULL && elements[i]->source != NULL;

        for (size_t j = 0; j < i && is_new; ++j)
            is_new = elements[j] == NULL || elements[j]->source == NULL ||
                     strcmp(elements[i]->source, elements[j]->source) != 0;
        if (is_new)
            clscan__text_append(&text, "%s\n", elements[i]->source);
    }
    if (!is_named)
        clscan__text_append(&text, "%s", problem->custom->source);
    else
        clscan__text_append(&text, "\n");
    return clscan__text_take(&text, &made->source, error);
}

clscan_status clscan__sums_problem_make(const clscan_problem *problem, uint64_t most, clscan__sums_problem *made,
                                        clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_element *sum = problem->accumulator != NULL ? problem->accumulator : problem->element;

    made->problem = (clscan_problem){.struct_size = sizeof made->problem,
                                     .type = clscan_type_accumulator(problem->type),
                                     .op = problem->op,
                                     .direction = problem->direction,
                                     .max_count = most};
    if (sum != NULL) {
        made->element = *sum;
        made->problem.element = &made->element;
    }
    if (problem->custom == NULL)
        return status;
    made->custom = *problem->custom;
    made->custom.lanewise = 0; /* the source may get types that are not summed up, for few sums */
    made->problem.custom = &made->custom;
    CLSCAN__TRY(join_sources(problem, sum != NULL && sum->name != NULL, made, error));
    if (sum != NULL && sum->name != NULL)
        made->element.source = made->source;
    else
        made->custom.source = made->source;

cleanup:
    return status;
}

void clscan__sums_problem_free(clscan__sums_problem *made)
{
    free(made->source);
    made->source = NULL;
}
