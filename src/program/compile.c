#include "program/compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "common/printable.h"
#include "element/names.h"
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
    enum { TEXT, TYPE, OPERATOR, MAP, EQUAL } kind;
    size_t text_count;                              /* of a text: as many are compiled, with it as the last */
    const char *member;                             /* of the problem, which says a type */
    const clscan__custom_type *type;                /* of a type; NULL: a scalar */
    clscan__map_side side;                          /* of a map */
    clscan__operator_part part;                     /* of an operator */
    clscan_status status;                           /* if it does not compile */
    const char *file;                               /* of its lines in a log */
    char words[sizeof((clscan_error *)0)->message]; /* what it does not do */
} suspect;

enum { HINT_BYTES = 96 };

/* Compilers say of a name that is the language's what they expected in its place, or take it for something else. */
static const char *hint_at_names(const char *source, char hint[HINT_BYTES])
{
    size_t length_bytes = 0;
    const char *name = clscan__misused_name(source, &length_bytes);

    hint[0] = '\0';
    if (name != NULL)
        snprintf(hint, HINT_BYTES, "; in the source %.*s is a name of OpenCL C's own", (int)length_bytes, name);
    return hint;
}

/* A text that is fine alone may leave something behind, which only those that follow see. */
static const char *hint_at_macros(const clscan__callers_text *texts, size_t count, char hint[HINT_BYTES])
{
    hint[0] = '\0';
    for (size_t i = 0; i < count && hint[0] == '\0'; ++i) {
        size_t length_bytes = 0;
        const char *macro = clscan__macro_left(texts[i].text, &length_bytes);

        if (macro != NULL)
            snprintf(hint, HINT_BYTES, "; problem->%s leaves the macro %.*s defined", texts[i].member,
                     (int)length_bytes, macro);
    }
    return hint;
}

/* What the device makes of a type that compiles. */
static clscan_status compare_type(cl_program program, cl_device_id device, const clscan__program_spec *spec,
                                  const suspect *of, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan__custom_type *type = of->type;
    size_t size_bytes = 0, align_bytes = 0;
    char hint[HINT_BYTES];

    CLSCAN__TRY(work_group_size(program, device, "clscan_size", &size_bytes, error));
    CLSCAN__TRY(work_group_size(program, device, "clscan_align", &align_bytes, error));
    CLSCAN__REQUIRE(size_bytes == type->size_bytes && align_bytes == type->align_bytes, CLSCAN_ERROR_ELEMENT_SOURCE,
                    "problem->%s: %s has %zu bytes and alignment %zu on %s, but size_bytes is %zu and align_bytes "
                    "is %zu%s",
                    of->member, type->name, size_bytes, align_bytes, spec->device->name, type->size_bytes,
                    type->align_bytes, hint_at_names(type->source, hint));

cleanup:
    return status;
}

static clscan_status compose_alone(const clscan__program_spec *spec, const suspect *of, bool named, char **source,
                                   clscan_error *error)
{
    switch (of->kind) {
    case TEXT:
        return clscan__texts_compose(spec, of->text_count, named, source, error);
    case TYPE:
        return clscan__type_compose(spec, of->type, named, source, error);
    case MAP:
        return clscan__map_compose(spec, of->side, named, source, error);
    case EQUAL:
        return clscan__equal_compose(spec, named, source, error);
    default:
        return clscan__operator_compose(spec, of->part, named, source, error);
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
    char mark[64];

    snprintf(mark, sizeof mark, "%s:", of->file);
    if (code != CL_SUCCESS && error != NULL && strstr(error->build_log, mark) == NULL)
        return build_alone(context, device, spec, of, false, &code, error);
    return status;
}

/* Those from one kind to another, each behind all that it may use: the first one that does not compile is at fault. */
static clscan_status check_texts(cl_context context, cl_device_id device, const clscan__program_spec *spec,
                                 clscan__callers_kind first, clscan__callers_kind last, clscan_error *error)
{
    clscan__callers_text texts[CLSCAN__MOST_CALLERS_TEXTS];
    const size_t count = clscan__program_texts(spec, texts);
    char name[HINT_BYTES], macro[HINT_BYTES];
    clscan_status status = CLSCAN_OK;

    for (size_t i = 0; i < count && status == CLSCAN_OK; ++i) {
        suspect of = {.kind = TEXT, .text_count = i + 1, .file = clscan__callers_file(texts[i].kind)};

        if (texts[i].kind < first || texts[i].kind > last)
            continue;
        of.status = texts[i].kind == CLSCAN__TYPE_TEXT       ? CLSCAN_ERROR_ELEMENT_SOURCE
                    : texts[i].kind == CLSCAN__OPERATOR_TEXT ? CLSCAN_ERROR_OPERATOR_SOURCE
                                                             : CLSCAN_ERROR_MAP_SOURCE;
        snprintf(of.words, sizeof of.words, "problem->%s does not compile on %s%s%s", texts[i].member,
                 spec->device->name, hint_at_names(texts[i].text, name), hint_at_macros(texts, i, macro));
        status = check_alone(context, device, spec, &of, error);
    }
    return status;
}

/* All sources compile, and none makes this a type. */
static void say_missing_type(suspect *of, const char *device)
{
    const char *name = of->type->name;

    if (of->type->source[0] != '\0')
        snprintf(of->words, sizeof of->words,
                 "problem->%s->name is %s, but problem->%s->source declares no such type, or one without a size or "
                 "that cannot be assigned, on %s",
                 of->member, name, of->member, device);
    else if (of->type->lanes > 0)
        snprintf(of->words, sizeof of->words, "problem->%s is %s, which does not compile on %s", of->member, name,
                 device);
    else
        snprintf(of->words, sizeof of->words, "problem->%s->name is %s, which no source declares, and %s does not have",
                 of->member, name, device);
}

static clscan_status check_types(cl_context context, cl_device_id device, const clscan__program_spec *spec,
                                 clscan_error *error)
{
    const clscan__elements *elements = spec->elements;
    suspect types[CLSCAN__MOST_TYPES] = {
        {.member = "element", .type = elements->in.custom},
        {.member = "accumulator", .type = elements->sum.custom},
        {.member = "output", .type = elements->out.custom},
        {.member = "segments->key", .type = elements->segmented != NULL ? elements->segmented->key : NULL}};
    clscan_status status = CLSCAN_OK;

    for (size_t i = 0; i < CLSCAN__MOST_TYPES && status == CLSCAN_OK; ++i) {
        suspect *of = &types[i];

        if (of->type == NULL)
            continue;
        of->kind = TYPE;
        of->status = CLSCAN_ERROR_ELEMENT_SOURCE;
        of->file = clscan__callers_file(CLSCAN__TYPE_TEXT);
        say_missing_type(of, spec->device->name);
        status = check_alone(context, device, spec, of, error);
    }
    return status;
}

static clscan_status check_operator(cl_context context, cl_device_id device, const clscan__program_spec *spec,
                                    clscan_error *error)
{
    const char *type = clscan__program_accumulator(spec);
    suspect function = {.kind = OPERATOR,
                        .part = CLSCAN__OPERATOR_FUNCTION,
                        .status = CLSCAN_ERROR_OPERATOR_SOURCE,
                        .file = "operator"};
    suspect identity = {.kind = OPERATOR,
                        .part = CLSCAN__OPERATOR_IDENTITY,
                        .status = CLSCAN_ERROR_OPERATOR_SOURCE,
                        .file = "identity"};
    suspect lanes = {.kind = OPERATOR,
                     .part = CLSCAN__OPERATOR_LANES,
                     .status = CLSCAN_ERROR_OPERATOR_SOURCE,
                     .file = "operator",
                     .words = "problem->custom->lanewise is set, but its source and that of the element do not compile "
                              "with vectors in place of numbers"};
    clscan_status status;

    snprintf(function.words, sizeof function.words,
             "problem->custom->function does not compile as %s %s(%s left, %s right)", type, spec->custom->function,
             type, type);
    snprintf(identity.words, sizeof identity.words, "problem->custom->identity does not compile as a value of type %s",
             type);
    status = check_alone(context, device, spec, &function, error);
    if (status == CLSCAN_OK && spec->custom->identity != NULL)
        status = check_alone(context, device, spec, &identity, error);
    if (status == CLSCAN_OK && clscan__program_rows_abreast(spec) > 0)
        status = check_alone(context, device, spec, &lanes, error);
    return status;
}

/* What the expression is to be. */
static void say_map(suspect *of, const clscan__maps *maps, const char *member, const clscan__element *gives)
{
    if (maps->selects && of->side == CLSCAN__MAP_LOAD)
        snprintf(of->words, sizeof of->words, "problem->%s->expression does not compile as %s", member,
                 maps->middle ? "the number of the part that an element belongs to"
                              : "a predicate, which is a number of any scalar type");
    else
        snprintf(of->words, sizeof of->words, "problem->%s->expression does not compile as a value of type %s", member,
                 clscan__element_value_name(gives));
}

static clscan_status check_maps(cl_context context, cl_device_id device, const clscan__program_spec *spec,
                                clscan_error *error)
{
    const clscan__elements *elements = spec->elements;
    const struct {
        const char *expression, *member;
        clscan__map_side side;
        const clscan__element *gives;
    } maps[] = {{elements->maps->load, "load", CLSCAN__MAP_LOAD, &elements->sum},
                {elements->maps->store, "store", CLSCAN__MAP_STORE, &elements->out}};
    clscan_status status = CLSCAN_OK;

    for (size_t i = 0; i < sizeof maps / sizeof maps[0] && status == CLSCAN_OK; ++i) {
        suspect of = {.kind = MAP, .side = maps[i].side, .status = CLSCAN_ERROR_MAP_SOURCE, .file = maps[i].member};

        if (maps[i].expression == NULL)
            continue;
        say_map(&of, elements->maps, maps[i].member, maps[i].gives);
        status = check_alone(context, device, spec, &of, error);
    }
    return status;
}

static clscan_status check_equal(cl_context context, cl_device_id device, const clscan__program_spec *spec,
                                 clscan_error *error)
{
    suspect of = {.kind = EQUAL, .status = CLSCAN_ERROR_MAP_SOURCE, .file = "equal"};

    snprintf(of.words, sizeof of.words,
             "problem->segments->equal->expression does not compile as a number made of the keys `left` and `right`");
    return check_alone(context, device, spec, &of, error);
}

/* What stands in front of other things, and is used by them, first. */
static clscan_status check_callers(cl_context context, cl_device_id device, const clscan__program_spec *spec,
                                   clscan_error *error)
{
    const clscan__elements *elements = spec->elements;
    clscan_status status;

    CLSCAN__TRY(check_texts(context, device, spec, CLSCAN__TYPE_TEXT, CLSCAN__TYPE_TEXT, error));
    if (elements != NULL)
        CLSCAN__TRY(check_types(context, device, spec, error));
    CLSCAN__TRY(check_texts(context, device, spec, CLSCAN__OPERATOR_TEXT, CLSCAN__OPERATOR_TEXT, error));
    if (spec->op == CLSCAN_CUSTOM)
        CLSCAN__TRY(check_operator(context, device, spec, error));
    CLSCAN__TRY(check_texts(context, device, spec, CLSCAN__LOAD_TEXT, CLSCAN__EQUAL_TEXT, error));
    if (elements != NULL && elements->maps != NULL)
        CLSCAN__TRY(check_maps(context, device, spec, error));
    if (elements != NULL && elements->segmented != NULL && elements->segmented->equal != NULL)
        CLSCAN__TRY(check_equal(context, device, spec, error));

cleanup:
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
    char variant[256], hint[HINT_BYTES], wanted[CLSCAN__OPTIONS_BYTES], options[CLSCAN__OPTIONS_BYTES + sizeof " -w"];

    clscan_variant_format(&spec->variant, variant, sizeof variant);
    snprintf(options, sizeof options, "%s -w", clscan__program_options(spec, wanted));
    CLSCAN__TRY(build_source(context, device, source, options, &built, &code, error));
    if (code != CL_SUCCESS) {
        clscan__callers_text texts[CLSCAN__MOST_CALLERS_TEXTS];
        const size_t count = clscan__program_texts(spec, texts);

        CLSCAN__TRY(check_callers(context, device, spec, error));
        status = clscan__error_set(error, CLSCAN_ERROR_BUILD, "%s does not compile on %s: %s (%d)%s; see the build log",
                                   variant, spec->device->name, clscan_cl_error_name(code), (int)code,
                                   hint_at_macros(texts, count, hint));
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
