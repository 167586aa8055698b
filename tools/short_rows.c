#include "short_rows.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "command_line/failure.h"
#include "common/printable.h"
#include "reference/reference.h"

#define WORK_ITEM_MULTIPLE 256u

/* ELEMENT is stored, VALUE computed with; WIDE is unsigned, where nothing overflows. */
static const char source[] =
    "#if IS_HALF\n"
    "#define LOAD(from, at) vload_half(at, from)\n"
    "#define STORE(value, to, at) vstore_half_rte(value, at, to)\n"
    "#else\n"
    "#define LOAD(from, at) (from)[at]\n"
    "#define STORE(value, to, at) (to)[at] = value\n"
    "#endif\n"
    "VALUE combine(VALUE left, VALUE right)\n"
    "{\n"
    "    return COMBINED;\n"
    "}\n"
    "kernel void scan_rows(global const ELEMENT *in, global ELEMENT *out, ulong rows, uint row_count, VALUE initial)\n"
    "{\n"
    "    const ulong row = get_global_id(0);\n"
    "    VALUE sum = initial;\n"
    "    if (row >= rows)\n"
    "        return;\n"
    "    for (uint i = 0; i < row_count; ++i) {\n"
    "        const ulong at = row * row_count + (IS_REVERSE ? row_count - 1 - i : i);\n"
    "        const VALUE one = LOAD(in, at);\n"
    "        const VALUE before = sum;\n"
    "        const int is_first = !HAS_INITIAL && i == 0;\n"
    "        sum = is_first ? one : IS_REVERSE ? combine(one, sum) : combine(sum, one);\n"
    "#if IS_HALF && !IS_EXCLUSIVE\n"
    "        if (is_first) {\n" /* bit for bit, which conversions of a NaN do not promise */
    "            ((global ushort *)out)[at] = ((global const ushort *)in)[at];\n"
    "            continue;\n"
    "        }\n"
    "#endif\n"
    "        STORE(IS_EXCLUSIVE ? before : sum, out, at);\n"
    "    }\n"
    "}\n";

/* min and max: the leftmost NaN, and the left one of equals. */
static const char *combined(clscan_operator op, bool is_float)
{
    switch (op) {
    case CLSCAN_ADD:
        return is_float ? "left + right" : "(VALUE)((WIDE)left + (WIDE)right)";
    case CLSCAN_MUL:
        return is_float ? "left * right" : "(VALUE)((WIDE)left * (WIDE)right)";
    case CLSCAN_MIN:
        return "(right < left || (right != right && left == left)) ? right : left";
    case CLSCAN_MAX:
        return "(right > left || (right != right && left == left)) ? right : left";
    case CLSCAN_AND:
        return "left & right";
    case CLSCAN_OR:
        return "left | right";
    default:
        return "left ^ right";
    }
}

static const char *cl_name(clscan_type type)
{
    static const char *const names[] = {
#define X(name, text, bytes, cl_type, accumulator) #cl_type,
        CLSCAN_TYPE_LIST(X)
#undef X
    };

    return names[type];
}

static clscan_status build(short_rows *s, const target *where, const clscan_problem *problem, bool has_initial,
                           clscan_error *error)
{
    const clscan_type value = clscan_type_accumulator(problem->type);
    const bool is_float = value == CLSCAN_FLOAT || value == CLSCAN_DOUBLE;
    const char *parts[2];
    char defines[1024];
    cl_int code;

    snprintf(defines, sizeof defines,
             "%s"
             "#define ELEMENT %s\n#define VALUE %s\n#define WIDE %s\n#define COMBINED (%s)\n"
             "#define IS_HALF %d\n#define IS_REVERSE %d\n#define IS_EXCLUSIVE %d\n#define HAS_INITIAL %d\n",
             value == CLSCAN_DOUBLE ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" : "", cl_name(problem->type),
             cl_name(value), clscan_type_size_bytes(value) == 8 ? "ulong" : "uint", combined(problem->op, is_float),
             problem->type == CLSCAN_HALF, problem->direction == CLSCAN_REVERSE, problem->form == CLSCAN_EXCLUSIVE,
             has_initial);
    parts[0] = defines;
    parts[1] = source;
    s->program = clCreateProgramWithSource(where->context, 2, parts, NULL, &code);
    if (s->program == NULL)
        return fail_opencl(error, "clCreateProgramWithSource", code);
    code = clBuildProgram(s->program, 1, &where->device, "-w", NULL, NULL);
    if (code != CL_SUCCESS) {
        fail_opencl(error, "clBuildProgram of the kernel for short rows", code);
        clGetProgramBuildInfo(s->program, where->device, CL_PROGRAM_BUILD_LOG, sizeof error->build_log - 1,
                              error->build_log, NULL);
        clscan__make_printable_lines(error->build_log);
        return CLSCAN_ERROR_OPENCL;
    }
    s->kernel = clCreateKernel(s->program, "scan_rows", &code);
    return s->kernel != NULL ? CLSCAN_OK : fail_opencl(error, "clCreateKernel", code);
}

clscan_status short_rows_prepare(short_rows *s, const target *where, const clscan_problem *problem, const void *initial,
                                 uint32_t row_count, clscan_error *error)
{
    clscan_status status;
    const clscan_reference what = {.type = problem->type, .op = problem->op};
    const size_t value_bytes = clscan_type_size_bytes(clscan_type_accumulator(problem->type));
    clscan_value first = {.bits = 0};

    clscan_reference_identity(&what, &first);
    if (initial != NULL)
        memcpy(&first, initial, value_bytes);
    s->row_count = row_count;
    TRY(build(s, where, problem, initial != NULL, error));
    TRY_CL(clSetKernelArg, (s->kernel, 3, sizeof row_count, &row_count));
    TRY_CL(clSetKernelArg, (s->kernel, 4, value_bytes, &first));

cleanup:
    return status;
}

clscan_status short_rows_run(short_rows *s, const target *where, cl_mem in, cl_mem out, uint64_t rows,
                             cl_uint wait_count, const cl_event *wait_list, cl_event *ran, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const cl_ulong row_argument = rows;
    const size_t work_items = (size_t)((rows + WORK_ITEM_MULTIPLE - 1) / WORK_ITEM_MULTIPLE * WORK_ITEM_MULTIPLE);

    TRY_CL(clSetKernelArg, (s->kernel, 0, sizeof in, &in));
    TRY_CL(clSetKernelArg, (s->kernel, 1, sizeof out, &out));
    TRY_CL(clSetKernelArg, (s->kernel, 2, sizeof row_argument, &row_argument));
    TRY_CL(clEnqueueNDRangeKernel, (where->queue, s->kernel, 1, NULL, &work_items, NULL, wait_count, wait_list, ran));

cleanup:
    return status;
}

void short_rows_release(short_rows *s)
{
    if (s->kernel != NULL)
        clReleaseKernel(s->kernel);
    if (s->program != NULL)
        clReleaseProgram(s->program);
    *s = (short_rows){0};
}
