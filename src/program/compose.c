#include "program/compose.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "base/checked.h"
#include "base/hash.h"
#include "base/shared.h"
#include "base/text.h"
#include "common/short_rows.h"
#include "config/columns.h"
#include "config/reproducible.h"
#include "config/variant.h"
#include "device/mechanism.h"
#include "device/shuffles.h"
#include "element/elementwise.h"
#include "element/operators.h"
#include "element/types.h"
#include "program/callers.h"
#include "program/composition.h"
#include "program/maps.h"
#include "program/marks.h"
#include "program/segments.h"
#include "program/source.h"

/* How a thread group synchronises; the names are those of cl/bodies/transposed.cl. */
enum { SYNC_WORK_GROUP, SYNC_PTX, SYNC_SUB_GROUP };

static void define(clscan__text *text, const char *name, uint64_t value)
{
    clscan__text_append(text, "#define CLSCAN_%s %" PRIu64 "\n", name, value);
}

static void define_arguments(clscan__text *text, const char *name, const char *members, uint64_t bytes)
{
    clscan__text_append(text, "#define CLSCAN_%s_MEMBERS %s\n#define CLSCAN_%s_BYTES %" PRIu64 "\n", name, members,
                        name, bytes);
}

#define DEFINE_ARGUMENTS(text, name, list) \
    define_arguments(text, name, CLSCAN__ARGUMENTS_TEXT(list), CLSCAN__ARGUMENTS_BYTES(list))

static int thread_group_sync(const clscan__program_spec *spec)
{
    const clscan_variant *variant = &spec->variant;
    const uint32_t sub_group_size = spec->device->sub_group_size;

    if (variant->body != CLSCAN_BODY_COALESCED || sub_group_size == 0 || variant->thread_group_size > sub_group_size ||
        variant->work_group_size % sub_group_size != 0)
        return SYNC_WORK_GROUP;
    if (spec->device->nv_compute_capability >= 70)
        return SYNC_PTX;
    /* The barrier needs OpenCL C 2.0, which programs are compiled as where C11 atomics are used. */
    return spec->device->has_sub_groups && spec->device->mechanism == CLSCAN_MECHANISM_C11 ? SYNC_SUB_GROUP
                                                                                           : SYNC_WORK_GROUP;
}

clscan__shuffles clscan__program_shuffles(const clscan__program_spec *spec)
{
    return spec->reproducible ? clscan__reproducible_shuffles_of(spec->device) : clscan__shuffles_of(spec->device);
}

uint32_t clscan__program_sub_group_size(const clscan__program_spec *spec)
{
    const bool shuffles =
        clscan__variant_shuffles(&spec->variant) && clscan__program_shuffles(spec) == CLSCAN__SHUFFLES_KHR;
    const bool synchronises = thread_group_sync(spec) == SYNC_SUB_GROUP;

    return shuffles || synchronises ? spec->device->sub_group_size : 0;
}

bool clscan__program_requires_sub_group_size(const clscan__program_spec *spec)
{
    return clscan__program_sub_group_size(spec) != 0 && clscan__sub_group_size_is_required(spec->device);
}

static const clscan_custom_operator *operator_of(const clscan__program_spec *spec)
{
    return spec->op == CLSCAN_CUSTOM ? spec->custom : NULL;
}

static bool is_plain(const clscan__program_spec *spec)
{
    return spec->elements == NULL;
}

static bool is_segmented(const clscan__program_spec *spec)
{
    return spec->elements != NULL && spec->elements->segmented != NULL;
}

/* The scalar type that the operator combines, if it is one. */
static clscan_type sum_type(const clscan__program_spec *spec)
{
    return spec->elements != NULL ? spec->elements->sum.type : spec->type;
}

static bool is_half(const clscan__element *element)
{
    return element->custom == NULL && element->type == CLSCAN_HALF;
}

/* In memory. */
static const char *stored_name(const clscan__element *element)
{
    if (is_half(element))
        return "ushort";
    return element->custom != NULL ? element->custom->name : clscan__type_cl_name(element->type);
}

const char *clscan__program_accumulator(const clscan__program_spec *spec)
{
    return is_plain(spec) ? clscan__type_cl_name(clscan_type_accumulator(spec->type))
                          : clscan__element_value_name(&spec->elements->sum);
}

/* Is it declared by the caller? */
static bool is_declared(const clscan__element *element)
{
    return element->custom != NULL && element->custom->lanes == 0;
}

/* Such a type has a name of ours in kernels: one of their variables may have the caller's, and would hide it. */
static void append_names(clscan__text *text, const clscan__elements *elements)
{
    const clscan__element *all[] = {&elements->in, &elements->out, &elements->sum};
    static const char *const names[] = {"in", "out", "sum"};

    clscan__text_append(text, "#line 1 \"names of types\"\n");
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
        if (is_declared(all[i]))
            clscan__text_append(text, "typedef %s clscan_type_%s;\n", all[i]->custom->name, names[i]);
}

/* So have the operator and its identity, and what the caller calls them stands where nothing else has a name. */
static void append_custom(clscan__text *text, const clscan__program_spec *spec)
{
    const char *sum =
        !is_plain(spec) && is_declared(&spec->elements->sum) ? "clscan_type_sum" : clscan__program_accumulator(spec);

    clscan__text_append(text,
                        "#line 1 \"names of the operator\"\n" CLSCAN__INLINE "%s " CLSCAN__CUSTOM_OPERATOR
                        "(%s clscan_left, %s clscan_right)\n"
                        "{\n    return %s(clscan_left, clscan_right);\n}\n",
                        sum, sum, sum, spec->custom->function);
    if (spec->custom->identity == NULL)
        return;
    clscan__text_append(text, CLSCAN__INLINE "%s clscan_custom_identity(void)\n{\n    return ", sum);
    clscan__callers_append_expression(text, spec->custom->identity, "identity", true);
    clscan__text_append(text, ";\n}\n");
}

/* What is stored on either side: NAME is IN or OUT. */
static void append_stored(clscan__text *text, const char *name, const clscan__element *element, const char *declared)
{
    const size_t size_bytes = clscan__element_bytes(element);
    const bool renamed = is_declared(element);

    clscan__text_append(text, "#define CLSCAN_%s %s\n", name, renamed ? declared : stored_name(element));
    clscan__text_append(text, "#define CLSCAN_%s_VALUE %s\n", name,
                        renamed ? declared : clscan__element_value_name(element));
    clscan__text_append(text, "#define CLSCAN_%s_BYTES %zu\n", name, size_bytes);
    clscan__text_append(text, "#define CLSCAN_%s_ALIGN_BYTES %zu\n", name,
                        element->custom != NULL ? element->custom->align_bytes : size_bytes);
    clscan__text_append(text, "#define CLSCAN_%s_SCALAR %d\n", name, element->custom == NULL);
    clscan__text_append(text, "#define CLSCAN_%s_HALF %d\n", name, is_half(element));
}

/* The caller's types are declared where the operator is. */
static void append_elements(clscan__text *text, const clscan__program_spec *spec)
{
    const clscan__elements *elements = spec->elements;
    const clscan__custom_type *sum = elements->sum.custom;
    const size_t sum_bytes = clscan__elements_sum_bytes(elements);
    const bool is_scalar = sum == NULL && elements->segmented == NULL;
    const clscan__element *all[3] = {&elements->in, &elements->sum, &elements->out};

    for (size_t i = 0; i < 3; ++i)
        if (all[i]->custom == NULL && all[i]->type == CLSCAN_DOUBLE) {
            clscan__text_append(text, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
            break;
        }
    clscan__text_append(text, "#define CLSCAN_T clscan_item\n");
    append_stored(text, "IN", &elements->in, "clscan_type_in");
    append_stored(text, "OUT", &elements->out, "clscan_type_out");
    clscan__text_append(text, "#define CLSCAN_A %s\n",
                        elements->segmented != NULL   ? CLSCAN__PAIR
                        : is_declared(&elements->sum) ? "clscan_type_sum"
                                                      : clscan__element_value_name(&elements->sum));
    clscan__text_append(text, "#define CLSCAN_BITS uint\n");
    clscan__text_append(text, "#define CLSCAN_WIDE %s\n", is_scalar && sum_bytes > 4 ? "ulong" : "uint");
    define(text, "PLAIN", 0);
    define(text, "T_BYTES", clscan__element_bytes(&elements->in));
    define(text, "A_SCALAR", is_scalar);
    define(text, "A_LANES", sum != NULL && elements->segmented == NULL ? sum->lanes : 0);
    define(text, "STAYS", clscan__elements_stay(elements));
    define(text, "A_BYTES", sum_bytes);
    define(text, "A_ALIGN_BYTES", clscan__elements_sum_align_bytes(elements));
    define(text, "HALF", 0);
    define(text, "MARKS", clscan__program_has_marks(spec));
    define(text, "FLOATING", is_scalar && clscan__type_is_floating(elements->sum.type));
    define(text, "SIGNED", is_scalar && clscan__type_is_signed(elements->sum.type));
    clscan__maps_define(text, elements);
}

static void append_type(clscan__text *text, const clscan__program_spec *spec)
{
    const clscan_type accumulator = clscan_type_accumulator(spec->type);
    const size_t accumulator_bytes = clscan_type_size_bytes(accumulator);

    if (!is_plain(spec)) {
        append_elements(text, spec);
        return;
    }
    if (spec->type == CLSCAN_DOUBLE)
        clscan__text_append(text, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
    clscan__text_append(text, "#define CLSCAN_T %s\n",
                        spec->type == CLSCAN_HALF ? "ushort" : clscan__type_cl_name(spec->type));
    clscan__text_append(text, "#define CLSCAN_A %s\n", clscan__type_cl_name(accumulator));
    clscan__text_append(text, "#define CLSCAN_BITS %s\n", clscan__unsigned_cl_name(accumulator_bytes));
    clscan__text_append(text, "#define CLSCAN_WIDE %s\n", accumulator_bytes > 4 ? "ulong" : "uint");
    define(text, "PLAIN", 1);
    define(text, "T_BYTES", clscan_type_size_bytes(spec->type));
    define(text, "A_SCALAR", 1);
    define(text, "A_BYTES", accumulator_bytes);
    define(text, "HALF", spec->type == CLSCAN_HALF);
    define(text, "FLOATING", clscan__type_is_floating(spec->type));
    define(text, "SIGNED", clscan__type_is_signed(spec->type));
}

static void append_operator(clscan__text *text, const clscan__program_spec *spec)
{
    const char *identity =
        spec->op == CLSCAN_CUSTOM ? spec->custom->identity : clscan__operator_identity(spec->op, sum_type(spec));

#define X(name, meaning_text, meaning) define(text, "OPERATOR_" #name, CLSCAN_##name);
    CLSCAN_OPERATOR_LIST(X)
#undef X
    define(text, "OPERATOR", spec->op);
    if (spec->op == CLSCAN_CUSTOM)
        clscan__text_append(text, "#define CLSCAN_CUSTOM %s\n",
                            is_segmented(spec) ? CLSCAN__PAIR_OPERATOR : CLSCAN__CUSTOM_OPERATOR);
    if (identity != NULL && spec->op == CLSCAN_CUSTOM)
        clscan__text_append(text, "#define CLSCAN_IDENTITY (%s)\n",
                            is_segmented(spec) ? CLSCAN__PAIR_IDENTITY : CLSCAN__CUSTOM_IDENTITY);
    else if (identity != NULL && !is_plain(spec) && spec->elements->sum.custom == NULL)
        clscan__text_append(text, "#define CLSCAN_IDENTITY ((%s)(%s))\n", clscan__program_accumulator(spec), identity);
    else if (identity != NULL)
        clscan__text_append(text, "#define CLSCAN_IDENTITY (%s)\n", identity);
    define(text, "INCLUSIVE", spec->form == CLSCAN_INCLUSIVE);
    define(text, "REVERSE", spec->direction == CLSCAN_REVERSE);
}

bool clscan__program_marks_offsets(const clscan__program_spec *spec)
{
    return is_segmented(spec) && spec->elements->segmented->by == CLSCAN_BY_OFFSETS;
}

bool clscan__program_marks_heads(const clscan__program_spec *spec)
{
    return is_segmented(spec) && spec->elements->segmented->marked && !clscan__program_marks_offsets(spec);
}

bool clscan__program_has_marks(const clscan__program_spec *spec)
{
    return spec->variant.body == CLSCAN_BODY_SUBGROUP_ROWS && !is_plain(spec) &&
           clscan__elements_marked_bytes(spec->elements) > 0;
}

/* Totals that a work-item looks for at once, a power of two: enough for one tile of every work-group, as far as
 * registers allow. */
static uint32_t looks(const clscan__program_spec *spec)
{
    const uint32_t most = clscan__program_shuffles(spec) == CLSCAN__SHUFFLES_LOCAL ? 1 : 4;
    const uint64_t tiles = (uint64_t)spec->device->compute_units * spec->variant.work_groups_per_unit;
    uint32_t looks = 1;

    while (looks < most && (uint64_t)looks * spec->variant.work_group_size < tiles)
        looks *= 2;
    return looks;
}

static bool is_cpu(const clscan__program_spec *spec)
{
    return spec->device->device_class == CLSCAN_DEVICE_CLASS_CPU;
}

/* On a CPU one work-item's vector lies in one register. */
static bool has_cached_lanes(const clscan__program_spec *spec)
{
    return spec->variant.body == CLSCAN_BODY_CACHED_ROWS && is_cpu(spec) && !spec->reproducible &&
           spec->variant.vector_length >= CLSCAN__LEAST_LANES;
}

bool clscan__program_sums_lanes(const clscan__program_spec *spec)
{
    if (!has_cached_lanes(spec))
        return false;
    return is_plain(spec) ? spec->type == CLSCAN_HALF &&
                                clscan__operator_is_commutative(spec->op, clscan_type_accumulator(spec->type))
                          : clscan__elements_have_lanes(spec->elements, spec->op);
}

/* The rows of a tile are whole lines. */
uint32_t clscan__program_rows_abreast(const clscan__program_spec *spec)
{
    const clscan__custom_type *type;
    uint32_t rows;

    if (spec->variant.body != CLSCAN_BODY_CACHED_ROWS || !is_cpu(spec) || is_plain(spec) ||
        !clscan__elements_go_abreast(spec->elements, operator_of(spec)))
        return 0;
    type = spec->elements->sum.custom;
    rows = CLSCAN__ABREAST_BYTES / (uint32_t)type->align_bytes;
    return clscan_variant_tile_count(&spec->variant) * type->size_bytes % (rows * CLSCAN__CACHE_LINE_BYTES) == 0 ? rows
                                                                                                                 : 0;
}

bool clscan__program_has_segment_lanes(const clscan__program_spec *spec)
{
    return has_cached_lanes(spec) && is_segmented(spec) && clscan__segments_have_lanes(spec->elements);
}

bool clscan__program_sums_segment_lanes(const clscan__program_spec *spec)
{
    return has_cached_lanes(spec) && is_segmented(spec) && clscan__segments_sum_lanes(spec->elements);
}

/* Work-items that take turns at the four schedulers of an NVIDIA compute unit, each with a quarter of its registers. */
#define DEALT_WORK_ITEMS (4u * 32u)

/* Registers of a work-item with which `work_groups_per_unit` work-groups are resident on a compute unit; 0 if the
 * compiler takes no such bound or needs none. NVIDIA's takes it for kernels without a required work-group size. */
static uint32_t register_bound(const clscan__program_spec *spec)
{
    const clscan_variant *variant = &spec->variant;
    const uint64_t work_items =
        clscan__align_up((uint64_t)variant->work_group_size * variant->work_groups_per_unit, DEALT_WORK_ITEMS);
    uint64_t registers;

    if (variant->carry != CLSCAN_CARRY_LOOKAHEAD || spec->device->nv_compute_capability < 70)
        return 0;
    registers = spec->device->register_file_bytes / 4 / work_items / 8 * 8;
    return registers >= 32 && registers < 256 ? (uint32_t)registers : 0;
}

/* What the variant and the device decide alone; a part of the revision. */
static void append_parameters(clscan__text *text, const clscan__program_spec *spec)
{
    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i) {
        const clscan__param *param = &clscan__params[i];
        clscan__text_append(text, "#define CLSCAN_");
        for (const char *c = param->name; *c != '\0'; ++c)
            clscan__text_append(text, "%c", toupper((unsigned char)*c));
        clscan__text_append(text, " %" PRIu32 "\n", clscan__param_get(param, &spec->variant));
    }
    if (clscan__variant_is_transposed(&spec->variant)) {
        define(text, "TRANSPOSE_ITEMS",
               spec->variant.body == CLSCAN_BODY_MATRIX ? spec->variant.work_group_size
                                                        : spec->variant.thread_group_size);
        define(text, "SYNC_WORK_GROUP", SYNC_WORK_GROUP);
        define(text, "SYNC_PTX", SYNC_PTX);
        define(text, "SYNC_SUB_GROUP", SYNC_SUB_GROUP);
        define(text, "SUB_GROUP_SYNC", (uint64_t)thread_group_sync(spec));
    }
    if (clscan__variant_shuffles(&spec->variant)) {
        define(text, "SUB_GROUP_SIZE",
               spec->reproducible ? CLSCAN__ROW_RUNS
                                  : clscan__shuffle_width(spec->device, spec->variant.work_group_size));
        define(text, "PTX_REDUX", spec->device->nv_compute_capability >= 80);
        define(text, "PTX_PAIRS", clscan__ptx_has_pairs(spec->device));
    }
    if (clscan__program_requires_sub_group_size(spec))
        define(text, "REQUIRED_SUB_GROUP_SIZE", clscan__program_sub_group_size(spec));
    if (clscan__variant_has_order(&spec->variant)) {
        define(text, "REGISTER_BOUND", register_bound(spec));
        define(text, "VAIN_DRAWS", clscan__variant_vain_draws(&spec->variant));
        define(text, "LOOKS", looks(spec));
    }
}

static uint32_t held_bytes(const clscan__program_spec *spec)
{
    return (uint32_t)(is_plain(spec) ? clscan_type_size_bytes(spec->type)
                                     : clscan__elements_held_bytes(spec->elements));
}

static uint32_t sum_bytes(const clscan__program_spec *spec)
{
    return (uint32_t)(is_plain(spec) ? clscan__type_sum_bytes(spec->type) : clscan__elements_sum_bytes(spec->elements));
}

/* What depends on the problem or the plan's options as well. */
static void append_settings(clscan__text *text, const clscan__program_spec *spec)
{
    /* On a CPU one work-item's vector lies in one register and may be computed as a whole; on a GPU each element
     * has its own. Half would have to be converted on the way. */
    define(text, "LANES",
           is_plain(spec) && is_cpu(spec) && spec->type != CLSCAN_HALF &&
               clscan__operator_is_commutative(spec->op, spec->type));
    define(text, "COMMUTATIVE", clscan__operator_is_commutative(spec->op, sum_type(spec)));
    define(text, "WIDE_WORDS", clscan__words_are_wide(spec->device, sum_bytes(spec)));
    define(text, "POLL_LIMIT", spec->poll_limit);
    define(text, "HOLD_INTERVAL", spec->hold_interval);
    /* A millisecond or two, in which a successor's thread has woken up; of a CPU's several threads some more, which
     * mostly is enough also where the machine is busy. Where no successor can run beside a held owner that is what each
     * of them costs. */
    define(text, "HOLD_POLLS", is_cpu(spec) && spec->device->compute_units > 1 ? 1u << 18 : 1u << 16);
    /* Some ten microseconds, in which work-groups that can run have started, also where threads must wake up. */
    define(text, "JOIN_POLLS", is_cpu(spec) ? 1u << 14 : 1u << 4);
    define(text, "COUNT_EVENTS", spec->count_events != 0);
    define(text, "COUNT_BYTES", spec->count_bytes);
    define(text, "REPRODUCIBLE", spec->reproducible);
    /* Where counts stand on the device, work-groups leave in front of barriers. With a barrier in the test of a loop
     * behind that, PoCL 3.1 lost the end of kernels. */
    define(text, "COPIES_TAILS", is_cpu(spec) && spec->count_bytes == 0 && spec->row_count_bytes == 0);
#define X(name, number, meaning) define(text, #name, number);
    CLSCAN__SHARED_LIST(X)
#undef X
    DEFINE_ARGUMENTS(text, "RUN", CLSCAN__RUN_ARGUMENT_LIST);
    if (spec->rows) {
        const uint32_t width =
            clscan__column_width(&spec->variant, is_plain(spec), spec->reproducible, held_bytes(spec));

        DEFINE_ARGUMENTS(text, "ROWS", CLSCAN__ROWS_ARGUMENT_LIST);
        DEFINE_ARGUMENTS(text, "COLUMNS", CLSCAN__COLUMNS_ARGUMENT_LIST);
        define(text, "ROW_COUNT_BYTES", spec->row_count_bytes);
        define(text, "SHORT_STRIP",
               clscan__short_strip(&spec->variant, held_bytes(spec), sum_bytes(spec), spec->device));
        define(text, "COLUMN_WIDTH", width);
        define(text, "COLUMN_DEPTH", clscan__column_depth(&spec->variant, width, held_bytes(spec)));
    }
}

/* What the caller wrote, up to the sources of that kind; `named`: behind #line directives that name its parts. */
static void append_callers(clscan__text *text, const clscan__program_spec *spec, clscan__callers_kind last, bool named)
{
    clscan__callers_append(text, spec->elements, operator_of(spec), CLSCAN__TYPE_TEXT, last, named);
}

/* What cl/elements/lane_moves.cl requires. */
static void append_lanes(clscan__text *text, clscan_type type, clscan_operator op, uint32_t length)
{
    const size_t bytes = clscan_type_size_bytes(type);
    clscan__elementwise operator;

    clscan__text_append(text,
                        "#line 1 \"lanes\"\n"
                        "#define CLSCAN_LANE %s\n#define CLSCAN_LANE_BITS %s\n#define CLSCAN_LANE_BYTES %zu\n%s",
                        clscan__type_cl_name(type), clscan__unsigned_cl_name(bytes), bytes,
                        clscan__elementwise_write(&operator, "clscan_lanes_join", op, type, length).source);
}

/* The caller's type and operator once more, with vectors for numbers: cl/bodies/cached_abreast.cl. Packed, the type is
 * as large only if all its members have become vectors. */
static void append_abreast(clscan__text *text, const clscan__program_spec *spec, uint32_t rows, bool named)
{
    const clscan__custom_type *type = spec->elements->sum.custom;
    static const char *const numbers[2][3] = {{"int", "uint", "float"}, {"long", "ulong", "double"}};
    const char *const *names = numbers[type->align_bytes == 8];

    for (size_t i = 0; i < 3; ++i)
        clscan__text_append(text, "#define %s %s%u\n", names[i], names[i], (unsigned)rows);
    clscan__text_append(text, "#pragma pack(push, 1)\n#define %s clscan_abreast_packed\n", type->name);
    append_callers(text, spec, CLSCAN__TYPE_TEXT, named);
    clscan__text_append(text,
                        "#pragma pack(pop)\n#undef %s\n#define %s clscan_abreast\n"
                        "#define %s clscan_abreast_operate\n",
                        type->name, type->name, spec->custom->function);
    append_callers(text, spec, CLSCAN__OPERATOR_TEXT, named);
    for (size_t i = 0; i < 3; ++i)
        clscan__text_append(text, "#undef %s\n", names[i]);
    clscan__text_append(text,
                        "#undef %s\n#undef %s\n#line 1 \"rows abreast\"\n"
                        "typedef char clscan_size_of_abreast[sizeof(clscan_abreast) == %zu && "
                        "sizeof(clscan_abreast_packed) == %zu ? 1 : -1];\n",
                        type->name, spec->custom->function, rows * type->size_bytes, rows * type->size_bytes);
}

/* As plain problems have lanes, for body cached_rows alone. */
static void append_cached_lanes(clscan__text *text, const clscan__program_spec *spec)
{
    const uint32_t length = spec->variant.vector_length;
    const bool sums = clscan__program_sums_lanes(spec), segments = clscan__program_has_segment_lanes(spec);
    const bool segment_sums = clscan__program_sums_segment_lanes(spec);
    const uint32_t abreast = clscan__program_rows_abreast(spec);
    const clscan_type type = is_plain(spec) ? clscan_type_accumulator(spec->type) : sum_type(spec);

    if (spec->variant.body != CLSCAN_BODY_CACHED_ROWS)
        return;
    define(text, "SUM_LANES", sums);
    define(text, "SEGMENT_LANES", segments);
    define(text, "SEGMENT_SUM_LANES", segment_sums);
    define(text, "ROWS_ABREAST", abreast);
    define(text, "FILLS_LINES", !is_plain(spec) && clscan__elements_fill_lines(spec->elements));
    if (sums || segments || segment_sums)
        append_lanes(text, type, is_segmented(spec) ? spec->elements->segmented->op : spec->op, length);
    if (segments)
        clscan__segments_append_lanes(text, spec->elements, length);
    if (abreast > 0) {
        define(text, "MEMBER_BYTES", spec->elements->sum.custom->align_bytes);
        append_abreast(text, spec, abreast, true);
    }
}

/* The caller's source goes right behind these, so they define nothing that does not begin with CLSCAN. */
static void append_prologue(clscan__text *text, const clscan__program_spec *spec)
{
    append_type(text, spec);
    append_operator(text, spec);
    append_parameters(text, spec);
    append_settings(text, spec);
    /* What is contracted is the compiler's choice, also in the caller's source. */
    if (spec->reproducible)
        clscan__text_append(text, "#pragma OPENCL FP_CONTRACT OFF\n");
    append_callers(text, spec, CLSCAN__OPERATOR_TEXT, true);
    if (!is_plain(spec))
        append_names(text, spec->elements);
    if (spec->op == CLSCAN_CUSTOM)
        append_custom(text, spec);
    if (is_segmented(spec))
        clscan__segments_append_pairs(text, spec->elements);
    if (!is_plain(spec))
        clscan__maps_append(text, spec->elements);
    append_cached_lanes(text, spec);
    if (spec->repetition != NULL)
        clscan__repetition_define(text, spec->repetition);
    if (clscan__program_marks_offsets(spec))
        clscan__marks_define(text, spec->device, spec->elements);
    if (clscan__program_marks_heads(spec))
        clscan__mark_heads_define(text, spec->elements->segmented);
}

/* Those from number `first` on, before number `end`. */
static clscan_status append_files(clscan__text *text, const clscan__program_spec *spec, size_t first, size_t end,
                                  clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    bool parts[CLSCAN__KERNEL_FILE_COUNT];

    clscan__composition(spec, parts);
    for (size_t i = first; i < end; ++i)
        if (parts[i])
            CLSCAN__TRY(clscan__source_append(text, clscan__kernel_files[i], error));

cleanup:
    return status;
}

/* `files` is the program's text from the first kernel file on. */
static clscan_status hash_revision(const clscan__program_spec *spec, const char *files, size_t files_bytes,
                                   char revision[17], clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__text text = {0};
    char *rendered = NULL, variant[256];
    uint64_t hash;

    clscan_variant_format(&spec->variant, variant, sizeof variant);
    clscan__text_append(&text, "%s\n", variant);
    append_parameters(&text, spec);
    CLSCAN__TRY(clscan__text_take(&text, &rendered, error));
    hash = clscan__hash(CLSCAN__HASH_START, rendered, strlen(rendered));
    hash = clscan__hash(hash, files, files_bytes);
    snprintf(revision, 17, "%016" PRIx64, hash);

cleanup:
    free(rendered);
    return status;
}

clscan_status clscan__program_compose_revision(const clscan__program_spec *spec, char **source, char revision[17],
                                               clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__text text = {0};
    size_t prologue_bytes;

    append_prologue(&text, spec);
    prologue_bytes = text.length_bytes;
    CLSCAN__TRY(append_files(&text, spec, 0, CLSCAN__VARIANT_FILE_COUNT, error));
    if (!text.failed)
        CLSCAN__TRY(
            hash_revision(spec, text.data + prologue_bytes, text.length_bytes - prologue_bytes, revision, error));
    if (is_segmented(spec))
        clscan__segments_append_kernel(&text, spec->elements);
    CLSCAN__TRY(append_files(&text, spec, CLSCAN__VARIANT_FILE_COUNT, CLSCAN__KERNEL_FILE_COUNT, error));
    CLSCAN__TRY(clscan__text_take(&text, source, error));

cleanup:
    clscan__text_free(&text);
    return status;
}

clscan_status clscan__program_compose(const clscan__program_spec *spec, char **source, clscan_error *error)
{
    char revision[17];

    return clscan__program_compose_revision(spec, source, revision, error);
}

/* OpenCL C 1.2 has double without the pragma, so the unnamed form leaves the first line to the caller. */
static void append_pragma(clscan__text *text, const clscan__program_spec *spec, bool named)
{
    if (is_plain(spec) && spec->type == CLSCAN_DOUBLE && named)
        clscan__text_append(text, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
}

size_t clscan__program_texts(const clscan__program_spec *spec, clscan__callers_text texts[CLSCAN__MOST_CALLERS_TEXTS])
{
    return clscan__callers_texts(spec->elements, operator_of(spec), texts);
}

clscan_status clscan__texts_compose(const clscan__program_spec *spec, size_t count, bool named, char **source,
                                    clscan_error *error)
{
    clscan__callers_text texts[CLSCAN__MOST_CALLERS_TEXTS];
    clscan__text text = {0};

    clscan__program_texts(spec, texts);
    append_pragma(&text, spec, named);
    for (size_t i = 0; i < count; ++i)
        clscan__callers_append_text(&text, &texts[i], named);
    clscan__text_append(&text, "#line 1 \"end of the source\"\n"
                               "__kernel void clscan_use(__global int *clscan_v) { clscan_v[0] = 0; }\n");
    return clscan__text_take(&text, source, error);
}

clscan_status clscan__operator_compose(const clscan__program_spec *spec, clscan__operator_part part, bool named,
                                       char **source, clscan_error *error)
{
    clscan__text text = {0};
    clscan__program_spec alone = *spec;
    clscan__elements elements;

    append_pragma(&text, spec, named);
    append_callers(&text, spec, CLSCAN__OPERATOR_TEXT, named);
    /* The problem's operator, not that of pairs. */
    if (is_segmented(spec)) {
        elements = *spec->elements;
        elements.segmented = NULL;
        alone.elements = &elements;
        spec = &alone;
    }
    append_type(&text, spec);
    if (!is_plain(spec))
        append_names(&text, spec->elements);
    if (part == CLSCAN__OPERATOR_LANES) {
        append_abreast(&text, spec, clscan__program_rows_abreast(spec), named);
        clscan__text_append(&text, "__kernel void clscan_use(__global clscan_abreast *clscan_v)\n"
                                   "{\n    clscan_v[0] = clscan_abreast_operate(clscan_v[1], clscan_v[2]);\n}\n");
        return clscan__text_take(&text, source, error);
    }
    clscan__text_append(&text, "#line 1 \"use of the operator\"\n" CLSCAN__INLINE
                               "CLSCAN_A clscan_value(__global CLSCAN_A *clscan_v) { return ");
    if (part == CLSCAN__OPERATOR_IDENTITY)
        clscan__callers_append_expression(&text, spec->custom->identity, "identity", named);
    else
        clscan__text_append(&text, "%s(clscan_v[1], clscan_v[2])", spec->custom->function);
    clscan__text_append(&text, "; }\n__kernel void clscan_use(__global CLSCAN_A *clscan_v) { clscan_v[0] = "
                               "clscan_value(clscan_v); }\n");
    return clscan__text_take(&text, source, error);
}

clscan_status clscan__type_compose(const clscan__program_spec *spec, const clscan__custom_type *type, bool named,
                                   char **source, clscan_error *error)
{
    clscan__text text = {0};

    append_callers(&text, spec, CLSCAN__TYPE_TEXT, named);
    clscan__text_append(&text,
                        "#line 1 \"use of the type\"\n"
                        "typedef struct clscan_alignment { char clscan_first; %s clscan_second; } clscan_alignment;\n"
                        "__kernel __attribute__((reqd_work_group_size(sizeof(%s), 1, 1)))\n"
                        "void clscan_size(__global %s *clscan_v) { clscan_v[0] = clscan_v[1]; }\n"
                        "__kernel __attribute__((reqd_work_group_size(sizeof(clscan_alignment) - sizeof(%s), 1, 1)))\n"
                        "void clscan_align(__global %s *clscan_v) { clscan_v[0] = clscan_v[1]; }\n",
                        type->name, type->name, type->name, type->name, type->name);
    return clscan__text_take(&text, source, error);
}

clscan_status clscan__map_compose(const clscan__program_spec *spec, clscan__map_side side, bool named, char **source,
                                  clscan_error *error)
{
    clscan__text text = {0};

    append_callers(&text, spec, CLSCAN__OPERATOR_TEXT, named);
    clscan__maps_append_one(&text, spec->elements, side, named);
    return clscan__text_take(&text, source, error);
}

clscan_status clscan__equal_compose(const clscan__program_spec *spec, bool named, char **source, clscan_error *error)
{
    clscan__text text = {0};

    append_callers(&text, spec, CLSCAN__STORE_TEXT, named);
    clscan__segments_append_equal_alone(&text, spec->elements, named);
    return clscan__text_take(&text, source, error);
}

const char *clscan__program_options(const clscan__program_spec *spec, char options[CLSCAN__OPTIONS_BYTES])
{
    const uint32_t registers = register_bound(spec);
    /* Without an option a program is OpenCL C 1.2, except on PoCL, where it is 3.0. */
    const char *version = "CL1.2";

    if (spec->device->mechanism == CLSCAN_MECHANISM_C11)
        version = spec->device->c_version >= 300 ? "CL3.0" : "CL2.0";
    if (registers > 0)
        snprintf(options, CLSCAN__OPTIONS_BYTES, "-cl-std=%s -cl-nv-maxrregcount=%" PRIu32, version, registers);
    else
        snprintf(options, CLSCAN__OPTIONS_BYTES, "-cl-std=%s", version);
    return options;
}
