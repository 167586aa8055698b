#include "program/compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "common/printable.h"
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

/* A type of the caller's, and the problem's member that says it. */
typedef struct callers_type {
    const char *member;
    const clscan__custom_type *type; /* NULL: a scalar */
} callers_type;

/* What the device makes of a type that compiles. */
static clscan_status compare_type(cl_program program, cl_device_id device, const clscan__program_spec *spec,
                                  const callers_type *of, clscan_error *error)
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

/* Compile the caller's types alone; CLSCAN_ERROR_ELEMENT_SOURCE if they do not, or the device has another `of`. */
static clscan_status build_type(cl_context context, cl_device_id device, const clscan__program_spec *spec,
                                const callers_type *of, bool named, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    cl_program program = NULL;
    cl_int code = CL_SUCCESS;
    char *source = NULL;
    char options[CLSCAN__OPTIONS_BYTES];

    CLSCAN__TRY(clscan__type_compose(spec, of->type, named, &source, error));
    CLSCAN__TRY(build_source(context, device, source, clscan__program_options(spec, options), &program, &code, error));
    if (code == CL_SUCCESS) {
        status = compare_type(program, device, spec, of, error);
    } else {
        status = clscan__error_set(error, CLSCAN_ERROR_ELEMENT_SOURCE,
                                   "problem->%s: type %s does not compile on %s; see the build log", of->member,
                                   of->type->name, spec->device->name);
        keep_log_tail(program, device, error);
    }

cleanup:
    if (program != NULL)
        clReleaseProgram(program);
    free(source);
    return status;
}

/* Compile the custom operator alone; CLSCAN_ERROR_OPERATOR_SOURCE with the log if it does not. */
static clscan_status build_operator(cl_context context, cl_device_id device, const clscan__program_spec *spec,
                                    bool named, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    cl_program program = NULL;
    cl_int code = CL_SUCCESS;
    char *source = NULL;
    char options[CLSCAN__OPTIONS_BYTES];

    CLSCAN__TRY(clscan__operator_compose(spec, named, &source, error));
    CLSCAN__TRY(build_source(context, device, source, clscan__program_options(spec, options), &program, &code, error));
    if (code != CL_SUCCESS) {
        const char *type = clscan__program_accumulator(spec);
        const char *function = spec->custom->function;
        status =
            clscan__error_set(error, CLSCAN_ERROR_OPERATOR_SOURCE,
                              "the custom operator does not compile as %s %s(%s left, %s right); see the build log",
                              type, function, type, type);
        keep_log_tail(program, device, error);
    }

cleanup:
    if (program != NULL)
        clReleaseProgram(program);
    free(source);
    return status;
}

/* Is a type or the operator of the caller's at fault when a program does not build? The log shall have its own line
 * numbers: NVIDIA's compiler ignores #line (driver 580.159), seen by the missing name. */
static clscan_status check_types(cl_context context, cl_device_id device, const clscan__program_spec *spec,
                                 clscan_error *error)
{
    const callers_type types[] = {{"element", spec->elements->in.custom},
                                  {"accumulator", spec->elements->sum.custom},
                                  {"output", spec->elements->out.custom}};
    clscan_status status = CLSCAN_OK;

    for (size_t i = 0; i < sizeof types / sizeof types[0] && status == CLSCAN_OK; ++i) {
        if (types[i].type != NULL)
            status = build_type(context, device, spec, &types[i], true, error);
        if (status == CLSCAN_ERROR_ELEMENT_SOURCE && error != NULL && error->build_log[0] != '\0' &&
            strstr(error->build_log, "type:") == NULL)
            status = build_type(context, device, spec, &types[i], false, error);
    }
    return status;
}

static clscan_status check_operator(cl_context context, cl_device_id device, const clscan__program_spec *spec,
                                    clscan_error *error)
{
    const clscan_status status = build_operator(context, device, spec, true, error);
    if (status == CLSCAN_ERROR_OPERATOR_SOURCE && error != NULL && strstr(error->build_log, "operator:") == NULL)
        return build_operator(context, device, spec, false, error);
    return status;
}

/* Compile one of the caller's maps alone; CLSCAN_ERROR_MAP_SOURCE with the log if it does not. */
static clscan_status build_map(cl_context context, cl_device_id device, const clscan__program_spec *spec,
                               clscan__map_side side, bool named, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    cl_program program = NULL;
    cl_int code = CL_SUCCESS;
    char *source = NULL;
    char options[CLSCAN__OPTIONS_BYTES];

    CLSCAN__TRY(clscan__map_compose(spec, side, named, &source, error));
    CLSCAN__TRY(build_source(context, device, source, clscan__program_options(spec, options), &program, &code, error));
    if (code != CL_SUCCESS) {
        const clscan__element *gives = side == CLSCAN__MAP_LOAD ? &spec->elements->sum : &spec->elements->out;

        status = clscan__error_set(error, CLSCAN_ERROR_MAP_SOURCE,
                                   "problem->%s does not compile as an expression of type %s; see the build log",
                                   side == CLSCAN__MAP_LOAD ? "load" : "store", clscan__element_value_name(gives));
        keep_log_tail(program, device, error);
    }

cleanup:
    if (program != NULL)
        clReleaseProgram(program);
    free(source);
    return status;
}

static clscan_status check_maps(cl_context context, cl_device_id device, const clscan__program_spec *spec,
                                clscan_error *error)
{
    const clscan__maps *maps = spec->elements->maps;
    clscan_status status = CLSCAN_OK;

    for (int side = CLSCAN__MAP_LOAD; side <= CLSCAN__MAP_STORE && status == CLSCAN_OK; ++side) {
        const bool is_load = side == CLSCAN__MAP_LOAD;

        if ((is_load ? maps->load : maps->store) == NULL)
            continue;
        status = build_map(context, device, spec, (clscan__map_side)side, true, error);
        if (status == CLSCAN_ERROR_MAP_SOURCE && error != NULL &&
            strstr(error->build_log, is_load ? "load:" : "store:") == NULL)
            status = build_map(context, device, spec, (clscan__map_side)side, false, error);
    }
    return status;
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
