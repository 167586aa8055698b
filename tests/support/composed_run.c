#include "composed_run.h"

#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "engine/words.h"
#include "program/compile.h"
#include "program_specs.h"

enum { EPOCH = 5 };

composed_program composed_program_build(const test_live *live, const clscan__program_spec *spec)
{
    composed_program made = {.strategy = clscan__strategy_of(&spec->variant, false)};
    char *source = composed(spec);
    clscan_error error = {0};
    cl_int code;

    assert_status(CLSCAN_OK, clscan__program_compile(live->context, live->device, spec, source, &made.program, &error),
                  &error);
    free(source);
    for (size_t k = 0; k < CLSCAN__KERNELS_PER_STRATEGY && made.strategy->kernel_names[k] != NULL; ++k) {
        made.kernels[k] = clCreateKernel(made.program, made.strategy->kernel_names[k], &code);
        assert_cl(code);
    }
    return made;
}

void composed_program_release(composed_program *made)
{
    for (size_t k = 0; k < CLSCAN__KERNELS_PER_STRATEGY && made->kernels[k] != NULL; ++k)
        clReleaseKernel(made->kernels[k]);
    clReleaseProgram(made->program);
}

void composed_program_run(const test_live *live, const composed_program *made, const clscan__program_spec *spec,
                          size_t sum_bytes, clscan__run *run)
{
    const clscan__geometry geometry = clscan__geometry_of(&spec->variant, sum_bytes, spec->device, run->count);
    const clscan__words words = clscan__words_of(spec->device->mechanism);
    const uint64_t draw_word = (uint64_t)EPOCH << words.ticket_bits;
    clscan__sequence sequence = {0};
    clscan_error error = {0};
    unsigned char *fresh;

    run->epoch = EPOCH;
    run->layout = clscan__layout_of(geometry.words_bytes, geometry.totals_bytes, 0, 0);
    fresh = calloc(1, run->layout.size_bytes);
    assert_non_null(fresh);
    memcpy(fresh, &draw_word, words.word_bytes);
    run->workspace = test_buffer(live, CL_MEM_READ_WRITE, run->layout.size_bytes, fresh);
    free(fresh);
    assert_status(CLSCAN_OK, clscan__sequence_begin(&sequence, live->queue, false, 0, NULL, NULL, &error), &error);
    assert_status(CLSCAN_OK, made->strategy->enqueue(&sequence, made->kernels, &spec->variant, &geometry, run, &error),
                  &error);
    clscan__sequence_end(&sequence);
    assert_cl(clFinish(live->queue));
    clReleaseMemObject(run->workspace);
}
