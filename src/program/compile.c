#include "program/compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "common/printable.h"
#include "element/segments.h"
#include "program/sub_groups.h"

/* The end of the log holds the compiler's errors; its beginning is kept only if all of it fits. */
static void keep_log_tail(cl_program program, cl_device_id device, clscan_error *error)
{
    size_t log_bytes = 0;
    char *log = NULL;

    if (error == NULL ||
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &log_bytes) != CL_SUCCESS)
        return;
    log = calloc(1, log_bytes + 1);
    if (log != NULL &&
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, log_bytes, log, NULL) == CL_SUCCESS) {
        const size_t length = strlen(log);
        const size_t skipped = length < sizeof error->build_log ? 0 : length - (sizeof error->build_log - 1);
        snprintf(error->build_log, sizeof error->build_log, "%s", log + skipped);
        clscan__make_printable_lines(error->build_log);
    }
    free(log);
}

static clscan_status build_source(cl_context context, cl_device_id device, const char *source, const char *options,
                                  cl_program *program, cl_int *build_code, clscan_error *error)
{
    cl_int code;

    *program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    if (*program == NULL)
        return clscan__error_opencl(error, "clCreateProgramWithSource", code);
    *build_code = clBuildProgram(*program, 1, &device, options, NULL, NULL);
    return CLSCAN_OK;
}

/* The required work-group size of a kernel that is never run. */
static clscan_status work_group_size(cl_program program, cl_device_id device, const char *name, size_t *size,
                                     clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    size_t found[3] = {0, 0, 0};
    cl_int code;
    cl_kernel kernel = clCreateKernel(program, name, &code);

    if (kernel == NULL)
        return clscan__error_opencl(error, "clCreateKernel", code);
    CLSCAN__TRY_CL(clGetKernelWorkGroupInfo,
                   (kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof found, found, NULL));
    *size = found[0];

cleanup:
    clReleaseKernel(kernel);
    return status;
}

/* Something of the caller's that may be at fault when a program does not build. */
typedef struct suspect {
    enum { TYPE, OPERATOR, MAP, EQUAL } kind;
    const char *member;                             /* of the problem, which says a type */
    const clscan__custom_type *type;                /* of a type; NULL: a scalar */
    clscan__map_side side;                          /* of a map */
    clscan_status status;                           /* if it does not compile */
    const char *mark;                               /* of its lines in a log */
    char words[sizeof((clscan_error *)0)->message]; /* what it does not do */
} suspect;

/* What the device makes of a type that compiles. */
static clscan_status compare_type(cl_program program, cl_device_id device, const clscan__program_spec *spec,
                                  const suspect *of, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan__custom_type *type = of->type;
    size_t size_bytes = 0, align_bytes = 0;

    CLSCAN__TRY(work_group_size(program, device, "clscan_size", &size_bytes, error));
    CLSCAN__TRY(work_group_size(program, device, "clscan_align", &align_bytes, error));
    CLSCAN__REQUIRE(size_bytes == type->size_bytes && align_bytes == type->align_bytes, CLSCAN_ERROR_ELEMENT_SOURCE,
                    "problem->%s: %s has %zu bytes and alignment %zu on %s, but size_bytes is %zu and align_bytes "
                    "is %zu",
                    of->member, type->name, size_bytes, align_bytes, spec->device->name, type->size_bytes,
                    type->align_bytes);

cleanup:
    return status;
}

static clscan_status compose_alone(const clscan__program_spec *spec, const suspect *of, bool named, char **source,
                                   clscan_error *error)
{
    switch (of->kind) {
    case TYPE:
        return clscan__type_compose(spec, of->type, named, source, error);
    case MAP:
        return clscan__map_compose(spec, of->side, named, source, error);
    case EQUAL:
        return clscan__equal_compose(spec, named, source, error);
    default:
        return clscan__operator_compose(spec, named, source, error);
    }
}

/* Compile it alone; its status, with the log, if it does not compile, or the device has another type of that name. */
static clscan_status build_alone(cl_context context, cl_device_id device, const clscan__program_spec *spec,
                                 const suspect *of, bool named, cl_int *code, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    cl_program program = NULL;
    char *source = NULL;
    char options[CLSCAN__OPTIONS_BYTES];

    CLSCAN__TRY(compose_alone(spec, of, named, &source, error));
    CLSCAN__TRY(build_source(context, device, source, clscan__program_options(spec, options), &program, code, error));
    if (*code != CL_SUCCESS) {
        status = clscan__error_set(error, of->status, "%s; see the build log", of->words);
        keep_log_tail(program, device, error);
    } else if (of->kind == TYPE) {
        status = compare_type(program, device, spec, of, error);
    }

cleanup:
    if (program != NULL)
        clReleaseProgram(program);
    free(source);
    return status;
}

/* Is it at fault? The log shall have its own line numbers: NVIDIA's compiler ignores #line (driver 580.159), seen by
 * the missing name. */
static clscan_status check_alone(cl_context context, cl_device_id device, const clscan__program_spec *spec,
                                 const suspect *of, clscan_error *error)
{
    cl_int code = CL_SUCCESS;
    const clscan_status status = build_alone(context, device, spec, of, true, &code, error);

    if (code != CL_SUCCESS && error != NULL && strstr(error->build_log, of->mark) == NULL)
        return build_alone(context, device, spec, of, false, &code, error);
    return status;
}

static clscan_status check_types(cl_context context, cl_device_id device, const clscan__program_spec *spec,
                                 clscan_error *error)
{
    suspect types[] = {
        {.member = "element", .type = spec->elements->in.custom},
        {.member = "accumulator", .type = spec->elements->sum.custom},
        {.member = "output", .type = spec->elements->out.custom},
        {.member = "segments->key", .type = spec->elements->segmented != NULL ? spec->elements->segmented->key : NULL}};
    clscan_status status = CLSCAN_OK;

    for (size_t i = 0; i < sizeof types / sizeof types[0] && status == CLSCAN_OK; ++i) {
        if (types[i].type == NULL)
            continue;
        types[i].kind = TYPE;
        types[i].status = CLSCAN_ERROR_ELEMENT_SOURCE;
        types[i].mark = "type:";
        snprintf(types[i].words, sizeof types[i].words, "problem->%s: type %s does not compile on %s", types[i].member,
                 types[i].type->name, spec->device->name);
        status = check_alone(context, device, spec, &types[i], error);
    }
    return status;
}

static clscan_status check_operator(cl_context context, cl_device_id device, const clscan__program_spec *spec,
                                    clscan_error *error)
{
    const char *type = clscan__program_accumulator(spec);
    suspect of = {.kind = OPERATOR, .status = CLSCAN_ERROR_OPERATOR_SOURCE, .mark = "operator:"};

    snprintf(of.words, sizeof of.words, "the custom operator does not compile as %s %s(%s left, %s right)", type,
             spec->custom->function, type, type);
    return check_alone(context, device, spec, &of, error);
}

static clscan_status check_maps(cl_context context, cl_device_id device, const clscan__program_spec *spec,
                                clscan_error *error)
{
    const clscan__elements *elements = spec->elements;
    const struct {
        const char *expression, *member, *mark;
        clscan__map_side side;
        const clscan__element *gives;
    } maps[] = {{elements->maps->load, "load", "load:", CLSCAN__MAP_LOAD, &elements->sum},
                {elements->maps->store, "store", "store:", CLSCAN__MAP_STORE, &elements->out}};
    clscan_status status = CLSCAN_OK;

    for (size_t i = 0; i < sizeof maps / sizeof maps[0] && status == CLSCAN_OK; ++i) {
        suspect of = {.kind = MAP, .side = maps[i].side, .status = CLSCAN_ERROR_MAP_SOURCE, .mark = maps[i].mark};

        if (maps[i].expression == NULL)
            continue;
        snprintf(of.words, sizeof of.words, "problem->%s does not compile as an expression of type %s", maps[i].member,
                 clscan__element_value_name(maps[i].gives));
        status = check_alone(context, device, spec, &of, error);
    }
    return status;
}

static clscan_status check_equal(cl_context context, cl_device_id device, const clscan__program_spec *spec,
                                 clscan_error *error)
{
    suspect of = {.kind = EQUAL, .status = CLSCAN_ERROR_MAP_SOURCE, .mark = "equal:"};

    snprintf(of.words, sizeof of.words,
             "problem->segments->equal does not compile as an expression of the keys `left` and `right`");
    return check_alone(context, device, spec, &of, error);
}

/* Without warnings: some compilers write their number to the standard error of the process. They come back with the
 * log of an operator that does not compile. What is compiled is the same, so no key says it. */
clscan_status clscan__program_compile(cl_context context, cl_device_id device, const clscan__program_spec *spec,
                                      const char *source, cl_program *program, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    cl_program built = NULL;
    cl_int code = CL_SUCCESS;
    char variant[256], wanted[CLSCAN__OPTIONS_BYTES], options[CLSCAN__OPTIONS_BYTES + sizeof " -w"];

    clscan_variant_format(&spec->variant, variant, sizeof variant);
    snprintf(options, sizeof options, "%s -w", clscan__program_options(spec, wanted));
    CLSCAN__TRY(build_source(context, device, source, options, &built, &code, error));
    if (code != CL_SUCCESS) {
        if (spec->elements != NULL)
            CLSCAN__TRY(check_types(context, device, spec, error));
        if (spec->op == CLSCAN_CUSTOM)
            CLSCAN__TRY(check_operator(context, device, spec, error));
        if (spec->elements != NULL && spec->elements->maps != NULL)
            CLSCAN__TRY(check_maps(context, device, spec, error));
        if (spec->elements != NULL && spec->elements->segmented != NULL && spec->elements->segmented->equal != NULL)
            CLSCAN__TRY(check_equal(context, device, spec, error));
        status = clscan__error_set(error, CLSCAN_ERROR_BUILD, "%s does not compile on %s: %s (%d); see the build log",
                                   variant, spec->device->name, clscan_cl_error_name(code), (int)code);
        if (error != NULL)
            error->cl_code = code;
        keep_log_tail(built, device, error);
        goto cleanup;
    }
    CLSCAN__TRY(clscan__sub_groups_check(built, device, spec, error));
    *program = built;
    built = NULL;

cleanup:
    if (built != NULL)
        clReleaseProgram(built);
    return status;
}
