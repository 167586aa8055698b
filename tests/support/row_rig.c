#include "row_rig.h"

#include "cmocka_all.h"
#include "reference.h"

void row_rig_open(const test_live *live, const clscan_problem *problem, const clscan_sample_operator *sample,
                  const clscan_rows *rows, const clscan_plan_options *options, uint64_t elements, uint64_t totals,
                  uint64_t initials, row_rig *r)
{
    *r = (row_rig){.live = live, .problem = *problem, .sample = sample, .row_count_bytes = rows->count_bytes};
    r->element_bytes = clscan_type_size_bytes(problem->type);
    r->sum_bytes = clscan_type_size_bytes(clscan_type_accumulator(problem->type));
    r->problem.rows = rows;
    test_plan_create(live, &r->problem, options, &r->plan, &r->workspace);
    r->problem.rows = NULL;
    test_arrays_create(live, (size_t)elements * r->element_bytes, &r->arrays);
    r->totals = test_buffer(live, CL_MEM_READ_WRITE, (size_t)totals * r->sum_bytes, NULL);
    r->initials = test_buffer(live, CL_MEM_READ_WRITE, (size_t)initials * r->sum_bytes, NULL);
}

void row_rig_close(row_rig *r)
{
    /* PoCL compiles kernels when they run, and must not do so while the program ends. */
    assert_cl(clFinish(r->live->queue));
    clscan_workspace_destroy(r->workspace);
    clscan_plan_destroy(r->plan);
    clReleaseMemObject(r->totals);
    clReleaseMemObject(r->initials);
    test_arrays_release(&r->arrays);
}
