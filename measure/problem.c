#include "measure.h"

uint64_t measure_scan_count(const measure_problem *problem)
{
    return problem->rows.count > 0 ? problem->count / problem->rows.count : problem->count;
}

clscan_problem measure_clscan_problem(const measure_problem *problem)
{
    return (clscan_problem){.struct_size = sizeof(clscan_problem),
                            .type = problem->type,
                            .op = problem->op,
                            .form = problem->form,
                            .direction = problem->direction,
                            .max_count = measure_scan_count(problem),
                            .reproducible = problem->reproducible,
                            .rows = problem->rows.count > 0 ? &problem->rows : NULL};
}
