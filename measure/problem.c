#include "measure.h"

clscan_problem measure_clscan_problem(const measure_problem *problem)
{
    return (clscan_problem){.struct_size = sizeof(clscan_problem),
                            .type = problem->type,
                            .op = problem->op,
                            .form = problem->form,
                            .direction = problem->direction,
                            .max_count = problem->count,
                            .reproducible = problem->reproducible};
}
