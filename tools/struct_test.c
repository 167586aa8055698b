#include "struct_test.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_line/failure.h"
#include "measure/serial.h"

/* Elements behind the output that nobody writes, and what they are. */
#define BEHIND 3u
#define POISON 0xA5

/* Of the elements of a run, at most. */
#define MOST_BYTES (UINT64_C(1) << 26)

/* Elements in one place, or none, before what is scanned. */
#define MOST_OFFSET 1u

/* What the runs of a variant share. */
typedef struct rig {
    const target *t;
    const struct_scan *scan;
    clscan_plan *plan;
    clscan_workspace *workspace;
    uint64_t most;
    size_t bytes; /* of an element */
    unsigned char *elements, *expected, *got;
    cl_mem in, out;
    measure_serial serial; /* of structs */
} rig;

clscan_problem struct_problem(const struct_scan *scan)
{
    const bool is_custom = scan->element->described != NULL;

    return (clscan_problem){.struct_size = sizeof(clscan_problem),
                            .element = &scan->element->element,
                            .op = is_custom ? CLSCAN_CUSTOM : CLSCAN_ADD,
                            .custom = is_custom ? &scan->element->custom : NULL,
                            .form = scan->form,
                            .direction = scan->direction,
                            .max_count = 1};
}

static measure_problem measured(const rig *r, uint64_t count)
{
    return (measure_problem){.element = r->scan->element,
                             .op = r->scan->element->described != NULL ? CLSCAN_CUSTOM : CLSCAN_ADD,
                             .form = r->scan->form,
                             .direction = r->scan->direction,
                             .count = count,
                             .bytes = count * r->bytes};
}

static void rig_release(rig *r)
{
    measure_serial_release(&r->serial);
    if (r->in != NULL)
        clReleaseMemObject(r->in);
    if (r->out != NULL)
        clReleaseMemObject(r->out);
    clscan_workspace_destroy(r->workspace);
    clscan_plan_destroy(r->plan);
    free(r->elements);
    free(r->expected);
    free(r->got);
}

static clscan_status rig_create(rig *r, const variant_use *use, clscan_error *error)
{
    clscan_status status;
    const measure_element *element = r->scan->element;
    const clscan_plan_options options = {.struct_size = sizeof options, .variant = &use->choice.variant};
    const uint64_t units = r->most + MOST_OFFSET + BEHIND;
    clscan_problem problem = struct_problem(r->scan);
    measure_problem all = measured(r, r->most + MOST_OFFSET);
    measure_note note = {""};

    problem.max_count = r->most;
    TRY(clscan_plan_create(r->t->context, r->t->device, &problem, &options, &r->plan, error));
    TRY(clscan_workspace_create(r->plan, &r->workspace, error));
    TRY(clscan_workspace_bind(r->workspace, r->t->queue, NULL, error));
    TRY(target_units(r->t, units, r->bytes, &r->in, error));
    TRY(target_units(r->t, units, r->bytes, &r->out, error));
    r->elements = malloc((size_t)units * r->bytes);
    r->expected = malloc((size_t)units * r->bytes);
    r->got = malloc((size_t)units * r->bytes);
    REQUIRE(r->elements != NULL && r->expected != NULL && r->got != NULL, CLSCAN_ERROR_OUT_OF_MEMORY,
            "no host memory to test %" PRIu64 " elements of %s", r->most, element->name);
    memset(r->elements, POISON, (size_t)units * r->bytes);
    measure_element_generate(&all, r->elements);
    if (element->described != NULL) {
        r->serial = (measure_serial){.context = r->t->context,
                                     .device = r->t->device,
                                     .queue = r->t->queue,
                                     .element = &element->element,
                                     .custom = &element->custom,
                                     .form = r->scan->form,
                                     .direction = r->scan->direction};
        REQUIRE(measure_serial_prepare(&r->serial, &note), CLSCAN_ERROR_OPENCL, "%s", note.text);
    }

cleanup:
    return status;
}

/* What `count` elements from `offset` on must become. */
static clscan_status expect(rig *r, uint64_t offset, uint64_t count, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const size_t offset_bytes = (size_t)offset * r->bytes, bytes = (size_t)count * r->bytes;
    const measure_problem problem = measured(r, count);
    measure_note note = {""};

    if (r->serial.program == NULL) {
        memcpy(r->expected, r->elements + offset_bytes, bytes);
        if (count > 0)
            measure_element_scan(&problem, r->expected);
        return status;
    }
    if (count == 0)
        return status;
    TRY_CL(clEnqueueWriteBuffer, (r->t->queue, r->in, CL_TRUE, 0, bytes, r->elements + offset_bytes, 0, NULL, NULL));
    REQUIRE(measure_serial_begin(&r->serial, NULL, &note) &&
                measure_serial_next(&r->serial, r->in, 0, count, r->out, &note),
            CLSCAN_ERROR_OPENCL, "%s", note.text);
    TRY_CL(clEnqueueReadBuffer, (r->t->queue, r->out, CL_TRUE, 0, bytes, r->expected, 0, NULL, NULL));

cleanup:
    return status;
}

/* The first thing that is wrong in what was read back: an output, or what stands around them. */
static bool is_right(const rig *r, uint64_t offset, uint64_t count, bool in_place)
{
    const measure_problem problem = measured(r, count);
    const uint64_t units = count + MOST_OFFSET + BEHIND;
    const element_description *described = r->scan->element->described;
    const unsigned char *around = r->elements;
    element_scale scale = {{0}};
    uint64_t first = UINT64_MAX;

    /* Of an exclusive scan the identity, which measure_element_same() passes over. */
    if (r->scan->form == CLSCAN_EXCLUSIVE && described != NULL && r->scan->element->custom.identity != NULL)
        first = r->scan->direction == CLSCAN_FORWARD ? 0 : count - 1;
    if (described != NULL && count > 0)
        measure_element_scale(r->scan->element, r->expected, count, &scale);
    for (uint64_t i = 0; i < units; ++i) {
        const unsigned char *got = r->got + (size_t)i * r->bytes;
        bool same = true;

        if (i >= offset && i < offset + count) {
            const unsigned char *expected = r->expected + (size_t)(i - offset) * r->bytes;

            same = i - offset == first ? element_same(described, expected, got, &scale)
                                       : measure_element_same(&problem, &scale, i - offset, expected, got);
        } else if (in_place)
            same = memcmp(around + (size_t)i * r->bytes, got, r->bytes) == 0;
        else
            for (size_t k = 0; k < r->bytes; ++k)
                same = same && got[k] == POISON;
        if (same)
            continue;
        if (i >= offset && i < offset + count)
            complain("%" PRIu64 " elements%s: output %" PRIu64 " is not what a serial scan gives", count,
                     in_place ? " in place" : "", i - offset);
        else
            complain("%" PRIu64 " elements%s: what stands %s the output is overwritten", count,
                     in_place ? " in place" : "", i < offset ? "before" : "behind");
        return false;
    }
    return true;
}

static clscan_status run(rig *r, uint64_t count, uint64_t offset, bool in_place, bool *right, clscan_error *error)
{
    clscan_status status;
    const size_t bytes = (size_t)(count + MOST_OFFSET + BEHIND) * r->bytes;
    const cl_mem written = in_place ? r->in : r->out;
    const clscan_run_args args = {.struct_size = sizeof args,
                                  .in = {.buffer = r->in, .offset = offset},
                                  .out = {.buffer = written, .offset = offset},
                                  .count = count};

    TRY(expect(r, offset, count, error));
    memset(r->got, POISON, bytes);
    TRY_CL(clEnqueueWriteBuffer, (r->t->queue, r->out, CL_TRUE, 0, bytes, r->got, 0, NULL, NULL));
    TRY_CL(clEnqueueWriteBuffer, (r->t->queue, r->in, CL_TRUE, 0, bytes, r->elements, 0, NULL, NULL));
    TRY(clscan_run(r->plan, r->workspace, r->t->queue, &args, 0, NULL, NULL, error));
    TRY_CL(clEnqueueReadBuffer, (r->t->queue, written, CL_TRUE, 0, bytes, r->got, 0, NULL, NULL));
    *right = is_right(r, offset, count, in_place);

cleanup:
    return status;
}

variant_verdict struct_test(const target *t, const struct_scan *scan, const variant_use *use, bool quick,
                            unsigned *cases)
{
    const clscan_problem problem = struct_problem(scan);
    uint64_t counts[VARIANT_MOST_COUNTS];
    const size_t count_count =
        variant_counts(&use->choice.variant, MOST_BYTES / scan->element->size_bytes, quick, counts);
    rig r = {.t = t, .scan = scan, .most = 1, .bytes = scan->element->size_bytes};
    bool right = true;
    unsigned ran = 0;
    clscan_error error;
    clscan_status status;

    for (size_t i = 0; i < count_count; ++i)
        r.most = counts[i] > r.most ? counts[i] : r.most;
    status = rig_create(&r, use, &error);
    for (int in_place = use->apart ? 0 : 1; in_place <= (use->in_place ? 1 : 0); ++in_place)
        for (size_t i = 0; status == CLSCAN_OK && right && i < count_count; ++i, ++ran)
            status = run(&r, counts[i], i % (MOST_OFFSET + 1), in_place != 0, &right, &error);
    rig_release(&r);
    *cases += ran;
    variant_print(status == CLSCAN_OK && right ? "ok" : "FAILED", scan->element->name, &problem, use, ran);
    if (status != CLSCAN_OK)
        print_failure(&error);
    return status == CLSCAN_OK && right ? VARIANT_RIGHT : VARIANT_WRONG;
}
