/* A composed program on a device, launched as plans do it: for what no public function reaches, or not in every
 * structure. */
#ifndef CLSCAN_TESTS_COMPOSED_RUN_H
#define CLSCAN_TESTS_COMPOSED_RUN_H

#include "engine/strategy.h"
#include "live.h"
#include "program/compose.h"

typedef struct composed_program {
    const clscan__strategy *strategy;
    cl_program program;
    cl_kernel kernels[CLSCAN__KERNELS_PER_STRATEGY];
} composed_program;

/* Compose and compile; fails the running test if that is not possible. */
composed_program composed_program_build(const test_live *live, const clscan__program_spec *spec);
void composed_program_release(composed_program *made);

/* Run it to its end on a fresh workspace, in an epoch of its own. `run` has all but layout, workspace and epoch. */
void composed_program_run(const test_live *live, const composed_program *made, const clscan__program_spec *spec,
                          size_t sum_bytes, clscan__run *run);

#endif
