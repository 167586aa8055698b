/** \file case.h
 * One test case: run a plan once, compare everything it may and may not have written.
 */
#ifndef CLSCAN_CASE_H
#define CLSCAN_CASE_H

#include <stddef.h>
#include <stdint.h>

#include <clscan/clscan.h>

#include "generate.h"
#include "reference.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Where the initial value of a case comes from. */
typedef enum clscan_case_initial {
    CLSCAN_CASE_NO_INITIAL,
    CLSCAN_CASE_HOST_INITIAL,
    CLSCAN_CASE_DEVICE_INITIAL
} clscan_case_initial;

/** How a case ended. */
typedef enum clscan_case_result {
    CLSCAN_CASE_RIGHT,
    CLSCAN_CASE_WRONG, /**< an output, a canary, the input or the total is not as it must be */
    CLSCAN_CASE_FAILED /**< a call returned an error */
} clscan_case_result;

/** What a problem's maps do, and between which types. Sums are of the output's accumulator type. */
typedef struct clscan_case_maps {
    clscan_type output;
    const clscan_memory *arguments; /**< of every run */
    uint64_t argument_count;
    void *context; /**< of the two functions */

    /** sums[i] = the load map of elements[i]. */
    clscan_status (*load)(void *context, const void *elements, uint64_t count, void *sums, clscan_error *error);

    /** outputs[i] = the store map of sums[i], previous[i] and elements[i]. */
    clscan_status (*store)(void *context, const void *elements, const void *sums, const void *previous, uint64_t count,
                           void *outputs, clscan_error *error);
} clscan_case_maps;

/** What runs cases. The plan is the slow part: one serves any number of cases. Fill it by hand, or
 * with clscan_case_prepare() and clscan_case_release(). */
typedef struct clscan_case_fixture {
    cl_context context;
    cl_device_id device;
    cl_command_queue queue;
    const clscan_problem *problem;        /**< that the plan was made for; kept, not copied */
    const clscan_sample_operator *sample; /**< of problem->custom, else NULL */
    const clscan_case_maps *maps;         /**< of a problem with maps or another output type, else NULL; the operator
                                               has an identity, and none is reproducible */
    const clscan_variant *variant;        /**< forced on the plan, for the message; NULL: asked of the plan */
    clscan_plan *plan;
    clscan_workspace *workspace; /**< of that plan, bound */
} clscan_case_fixture;

/** One case. `= {0}` and a count is a case: no offsets, not in place, no initial value, no total.
 */
typedef struct clscan_case {
    uint64_t count;
    uint64_t in_offset;  /**< elements past an aligned address */
    uint64_t out_offset; /**< the same for the output; in place it must equal in_offset */
    int in_place;
    clscan_case_initial initial; /**< its value comes from the seed, unless initial_value is given */
    int total;                   /**< 1: ask for the total and compare it */
    uint64_t part_count;         /**< 0: one run; else runs of so many elements each, for plans with a state */
    clscan_generator generator;
    uint64_t seed;
    const void *elements;              /**< count elements in place of generated ones; NULL: from the seed */
    const clscan_value *initial_value; /**< of the accumulator type; NULL: from the seed */
} clscan_case;

#define CLSCAN_CASE_TEXT_BYTES 1024

/** Create plan, workspace and binding (a buffer of the library's) for \p problem.
 *
 * Fills plan, workspace, problem, sample and variant of \p fixture; context, device and queue must
 * be set.
 *
 * \param sample   Of problem->custom, else NULL.
 * \param options  May be NULL. options->variant must outlive the fixture.
 * \return status of the call that failed; then the fixture needs no release. */
clscan_status clscan_case_prepare(clscan_case_fixture *fixture, const clscan_problem *problem,
                                  const clscan_sample_operator *sample, const clscan_plan_options *options,
                                  clscan_error *error);

/** Destroy plan and workspace, not context and queue. */
void clscan_case_release(clscan_case_fixture *fixture);

/** Run a case and compare outputs, canaries on both sides, the input, and the total, bit for bit. Of a reduction
 * that is the total, whatever the case says of it, of outputs and parts.
 *
 * A case that must be refused for want of an identity is expected to be: then the answer is right
 * when clscan_run() says CLSCAN_ERROR_NO_IDENTITY and wrote nothing.
 *
 * \param text  Receives, unless the answer is right, one line that reproduces the case: device,
 * variant, problem, count, offsets, seed, first bad index, expected, got. */
clscan_case_result clscan_case_run(const clscan_case_fixture *fixture, const clscan_case *test, char *text,
                                   size_t text_bytes);

/** The initial value that the case's seed and generator give: it changes results without drowning the elements. */
clscan_value clscan_case_initial_value(clscan_type accumulator, const clscan_case *test);

/** Describe a case as that line begins; returns what snprintf does. */
int clscan_case_format(const clscan_case_fixture *fixture, const clscan_case *test, char *text, size_t text_bytes);

#ifdef __cplusplus
}
#endif
#endif
