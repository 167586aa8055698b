#include "config/constraints.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "base/shared.h"
#include "config/reproducible.h"
#include "config/turns.h"
#include "config/variant.h"
#include "device/shuffles.h"
#include "element/problem.h"

/* What the predicates are asked about. `device` is NULL for those that are no device limits. */
typedef struct question {
    const clscan_variant *variant;
    const clscan_problem *problem;
    clscan__shape shape;
    int in_place;
    bool reproducible;
    const clscan_device_info *device;
} question;

/* A predicate: true, or false after blame(). */
typedef bool predicate(const question *ask, clscan__violation *violation);

static bool blame(clscan__violation *violation, const char *field, const char *format, ...) CLSCAN__PRINTF(3, 4);

static bool blame(clscan__violation *violation, const char *field, const char *format, ...)
{
    va_list arguments;

    violation->field = field;
    va_start(arguments, format);
    vsnprintf(violation->reason, sizeof violation->reason, format, arguments);
    va_end(arguments);
    return false;
}

static const char *value_name(const clscan_variant *variant, clscan__axis_id id)
{
    return clscan__axis_value_name(&clscan__axes[id], clscan__axis_get(&clscan__axes[id], variant));
}

/* Axes and parameters of later versions. */
static bool nothing_unknown(const question *ask, clscan__violation *violation)
{
    static const clscan_variant none;

    if (memcmp(ask->variant->reserved_axes, none.reserved_axes, sizeof none.reserved_axes) != 0 ||
        memcmp(ask->variant->reserved_params, none.reserved_params, sizeof none.reserved_params) != 0)
        return blame(violation, "", "it has an axis or a parameter that this version of clscan does not know");
    return true;
}

static bool axis_value(const question *ask, clscan__violation *violation)
{
    for (size_t i = 0; i < CLSCAN__AXIS_COUNT; ++i) {
        const clscan__axis *axis = &clscan__axes[i];
        const uint32_t value = clscan__axis_get(axis, ask->variant);

        if (value >= axis->value_count)
            return blame(violation, axis->name, "%" PRIu32 " is not one of its %" PRIu32 " values", value,
                         axis->value_count);
    }
    return true;
}

static bool param_unused(const question *ask, clscan__violation *violation)
{
    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i) {
        const clscan__param *param = &clscan__params[i];
        const uint32_t value = clscan__param_get(param, ask->variant);

        if (value != 0 && !clscan__param_needed(ask->variant, param))
            return blame(violation, param->name, "%" PRIu32 " given, but body %s, carry %s and order %s do not use it",
                         value, value_name(ask->variant, CLSCAN__AXIS_BODY),
                         value_name(ask->variant, CLSCAN__AXIS_CARRY), value_name(ask->variant, CLSCAN__AXIS_ORDER));
    }
    return true;
}

static bool param_range(const question *ask, clscan__violation *violation)
{
    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i) {
        const clscan__param *param = &clscan__params[i];
        const uint32_t value = clscan__param_get(param, ask->variant);

        if (clscan__param_needed(ask->variant, param) && (value < param->min || value > param->max))
            return blame(violation, param->name, "%" PRIu32 " is not in [%" PRIu32 ", %" PRIu32 "]", value, param->min,
                         param->max);
    }
    return true;
}

static bool power_of_two(const question *ask, clscan__violation *violation)
{
    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i) {
        const clscan__param *param = &clscan__params[i];
        const uint32_t value = clscan__param_get(param, ask->variant);

        if (param->steps == CLSCAN_STEPS_POWERS && clscan__param_needed(ask->variant, param) &&
            !clscan__is_power_of_two(value))
            return blame(violation, param->name, "%" PRIu32 " is not a power of two", value);
    }
    return true;
}

/* Networks of the whole work-group are made for a power of two, and so are transposes; sub-groups are only counted. */
static bool network_size(const question *ask, clscan__violation *violation)
{
    const clscan_variant *variant = ask->variant;

    if (clscan__is_power_of_two(variant->work_group_size))
        return true;
    if (variant->group_scan != CLSCAN_GROUP_SCAN_SUBGROUP || clscan__variant_is_transposed(variant))
        return blame(violation, "work_group_size",
                     "%" PRIu32 " is not a power of two, which body %s and group scan %s need",
                     variant->work_group_size, value_name(variant, CLSCAN__AXIS_BODY),
                     value_name(variant, CLSCAN__AXIS_GROUP_SCAN));
    return true;
}

static bool carry_order(const question *ask, clscan__violation *violation)
{
    const bool ordered = ask->variant->order != CLSCAN_ORDER_NONE;

    if (ordered && !clscan__variant_has_order(ask->variant))
        return blame(violation, "order", "%s given, but carry %s takes tiles in no order",
                     value_name(ask->variant, CLSCAN__AXIS_ORDER), value_name(ask->variant, CLSCAN__AXIS_CARRY));
    if (!ordered && clscan__variant_has_order(ask->variant))
        return blame(violation, "order", "none given, but carry %s needs one",
                     value_name(ask->variant, CLSCAN__AXIS_CARRY));
    return true;
}

static bool operation_carry(const question *ask, clscan__violation *violation)
{
    if (clscan__variant_reduces(ask->variant) != clscan__problem_reduces_all(ask->problem))
        return blame(violation, "carry", "%s, which %s", value_name(ask->variant, CLSCAN__AXIS_CARRY),
                     clscan__problem_reduces_all(ask->problem) ? "gives a scan's outputs; a reduction has none"
                                                               : "gives the one value of a reduction, and no outputs");
    return true;
}

/* One goes from tile to tile, with tickets drawn ahead; the other has a tile for each work-group. */
static bool totals_order(const question *ask, clscan__violation *violation)
{
    const clscan_variant *variant = ask->variant;

    if (variant->carry == CLSCAN_CARRY_LOOKAHEAD && variant->order != CLSCAN_ORDER_PERSISTENT)
        return blame(violation, "order",
                     "%s, but carry lookahead needs persistent; with one tile each it is all_totals",
                     value_name(variant, CLSCAN__AXIS_ORDER));
    if (variant->carry == CLSCAN_CARRY_ALL_TOTALS && clscan__variant_is_persistent(variant))
        return blame(violation, "order", "%s, but carry all_totals has a work-group for each tile",
                     value_name(variant, CLSCAN__AXIS_ORDER));
    return true;
}

/* Two tiles are alive at once, which the other bodies cannot hold. */
static bool lookahead_body(const question *ask, clscan__violation *violation)
{
    if (ask->variant->carry == CLSCAN_CARRY_LOOKAHEAD && ask->variant->body != CLSCAN_BODY_SUBGROUP_ROWS)
        return blame(violation, "body", "%s, but carry lookahead needs subgroup_rows, which can hold two tiles",
                     value_name(ask->variant, CLSCAN__AXIS_BODY));
    return true;
}

static bool rows_in_registers(const question *ask, clscan__violation *violation)
{
    const clscan_variant *variant = ask->variant;

    if (variant->body != CLSCAN_BODY_SUBGROUP_ROWS)
        return true;
    if (variant->local_pieces > 0)
        return blame(violation, "local_pieces", "%" PRIu32 ", but body subgroup_rows keeps its rows in registers",
                     variant->local_pieces);
    if (variant->group_scan != CLSCAN_GROUP_SCAN_SUBGROUP)
        return blame(violation, "group_scan", "%s, but body subgroup_rows goes with subgroup",
                     value_name(variant, CLSCAN__AXIS_GROUP_SCAN));
    return true;
}

/* Asynchronous copies move 16 bytes. Longer vectors take several, which only pays where they have to be longer. */
static bool landing_vector(const question *ask, clscan__violation *violation)
{
    const uint64_t bytes = (uint64_t)ask->variant->vector_length * ask->shape.element_bytes;
    const bool longer =
        ask->shape.plain ? ask->reproducible && bytes == 32 : ask->shape.stays && (bytes == 32 || bytes == 64);

    if (ask->variant->landing_zones > 0 && bytes != 16 && !longer)
        return blame(violation, "vector_length", "vectors of %" PRIu64 " bytes, but landing zones take 16", bytes);
    return true;
}

/* Its work-items would share nothing but the tile's ends, and each CPU thread runs a whole work-group. */
static bool cached_work_group(const question *ask, clscan__violation *violation)
{
    if (clscan__variant_is_cached(ask->variant) && ask->variant->work_group_size != 1)
        return blame(violation, "work_group_size", "%" PRIu32 ", but body %s walks its rows with 1 work-item",
                     ask->variant->work_group_size, value_name(ask->variant, CLSCAN__AXIS_BODY));
    return true;
}

static bool streaming_vector(const question *ask, clscan__violation *violation)
{
    if (ask->variant->streaming_stores > 0 && ask->variant->vector_length < CLSCAN__LEAST_LANES &&
        !ask->shape.fills_lines)
        return blame(violation, "streaming_stores",
                     "%" PRIu32 ", but vectors of fewer than %d elements are not streamed",
                     ask->variant->streaming_stores, CLSCAN__LEAST_LANES);
    return true;
}

static bool tile_holds_elements(const question *ask, clscan__violation *violation)
{
    if (!clscan__variant_is_cached(ask->variant) && ask->variant->register_pieces == 0 &&
        ask->variant->local_pieces == 0)
        return blame(violation, "register_pieces", "0, and local_pieces is 0: the tile holds nothing");
    return true;
}

/* One local piece is the buffer through which the register pieces are transposed. */
static bool transmit_buffer(const question *ask, clscan__violation *violation)
{
    if (clscan__variant_is_transposed(ask->variant) && ask->variant->local_pieces == 0)
        return blame(violation, "local_pieces", "0, but body %s transposes through at least 1",
                     value_name(ask->variant, CLSCAN__AXIS_BODY));
    return true;
}

static bool thread_group_fits(const question *ask, clscan__violation *violation)
{
    const clscan_variant *variant = ask->variant;

    if (clscan__variant_is_transposed(variant) && variant->thread_group_size > variant->work_group_size)
        return blame(violation, "thread_group_size", "%" PRIu32 " exceeds work_group_size %" PRIu32,
                     variant->thread_group_size, variant->work_group_size);
    return true;
}

static bool vector_fits_row(const question *ask, clscan__violation *violation)
{
    const clscan_variant *variant = ask->variant;

    if (clscan__variant_is_transposed(variant) && variant->vector_length > variant->thread_group_size)
        return blame(violation, "vector_length", "%" PRIu32 " exceeds thread_group_size %" PRIu32,
                     variant->vector_length, variant->thread_group_size);
    return true;
}

static bool tile_limit(const question *ask, clscan__violation *violation)
{
    const uint64_t count = clscan_variant_tile_count(ask->variant);

    if (count > CLSCAN__MAX_TILE_COUNT)
        return blame(violation, "", "a tile of %" PRIu64 " elements; at most %" PRIu64, count, CLSCAN__MAX_TILE_COUNT);
    return true;
}

static bool register_limit(const question *ask, clscan__violation *violation)
{
    const uint64_t item_bytes =
        clscan__variant_register_bytes(ask->variant, ask->shape) / ask->variant->work_group_size;
    char element[CLSCAN__ELEMENT_NAME_BYTES];

    if (item_bytes > CLSCAN__MAX_REGISTER_BYTES)
        return blame(violation, "register_pieces",
                     "%" PRIu32 " pieces of %s take %" PRIu64 " bytes of registers per work-item; at most %u",
                     ask->variant->register_pieces, clscan__problem_element_name(ask->problem, element), item_bytes,
                     CLSCAN__MAX_REGISTER_BYTES);
    return true;
}

/* Its first launch leaves partial results in the output, where half would round them. */
static bool half_keeps_precision(const question *ask, clscan__violation *violation)
{
    if (ask->variant->carry == CLSCAN_CARRY_SCAN_THEN_ADD && ask->shape.sum_bytes > ask->shape.element_bytes)
        return blame(violation, "carry",
                     "scan_then_add keeps partial results in the output, and sums have %u bytes, elements %u",
                     (unsigned)ask->shape.sum_bytes, (unsigned)ask->shape.element_bytes);
    return true;
}

/* Baselines that only reproduce papers, and what moves elements as bytes where that does not do. */
static bool plain_elements(const question *ask, clscan__violation *violation)
{
    const clscan_variant *variant = ask->variant;
    const bool lands = variant->landing_zones > 0 && ask->shape.landing_bytes == 0;
    char element[CLSCAN__ELEMENT_NAME_BYTES];
    const clscan__axis *baseline = clscan__variant_baseline(variant);

    if (ask->shape.plain || !(lands || baseline != NULL))
        return true;
    if (lands)
        return blame(violation, "landing_zones", "landing zones do not serve this scan of elements of type %s",
                     clscan__problem_element_name(ask->problem, element));
    return blame(violation, baseline->name,
                 "baselines serve scalars alone, without maps and with outputs of their type; elements are of type %s",
                 clscan__problem_element_name(ask->problem, element));
}

/* Prefixes are nodes of a tree, which other carries do not hand on. */
static bool reproducible_carry(const question *ask, clscan__violation *violation)
{
    if (ask->reproducible && ask->variant->carry != CLSCAN_CARRY_REDUCE_THEN_SCAN &&
        ask->variant->carry != CLSCAN_CARRY_LOOKAHEAD && !clscan__variant_reduces(ask->variant))
        return blame(violation, "carry", "%s, but only reduce_then_scan and lookahead keep the reproducible order",
                     value_name(ask->variant, CLSCAN__AXIS_CARRY));
    return true;
}

static bool reproducible_body(const question *ask, clscan__violation *violation)
{
    const clscan_variant *variant = ask->variant;

    if (!ask->reproducible || clscan__variant_is_cached(variant))
        return true;
    if (variant->body != CLSCAN_BODY_SUBGROUP_ROWS)
        return blame(violation, "body", "%s, but only subgroup_rows and cached_rows keep the reproducible order",
                     value_name(variant, CLSCAN__AXIS_BODY));
    if (variant->vector_length != CLSCAN__RUN_COUNT)
        return blame(violation, "vector_length", "%" PRIu32 ", but runs of the reproducible order have %u elements",
                     variant->vector_length, CLSCAN__RUN_COUNT);
    if (variant->register_pieces != CLSCAN__BLOCK_ROWS)
        return blame(violation, "register_pieces", "%" PRIu32 ", but blocks of the reproducible order have %u rows",
                     variant->register_pieces, CLSCAN__BLOCK_ROWS);
    if (!clscan__is_power_of_two(variant->work_group_size))
        return blame(violation, "work_group_size",
                     "%" PRIu32 " is not a power of two, which the reproducible order needs", variant->work_group_size);
    return true;
}

static bool reproducible_tile(const question *ask, clscan__violation *violation)
{
    const uint64_t count = clscan_variant_tile_count(ask->variant);

    if (ask->reproducible && (count < CLSCAN__BLOCK_COUNT || count > CLSCAN_REPRODUCIBLE_STEP))
        return blame(violation, "", "a tile of %" PRIu64 " elements; from %u to %u in the reproducible order", count,
                     CLSCAN__BLOCK_COUNT, CLSCAN_REPRODUCIBLE_STEP);
    return true;
}

/* Reproducible plans have nothing but rows of sub-groups for GPUs: their shuffles pass through local memory. Landing
 * zones belong to sub-groups of the device. */
static bool no_sub_groups(const question *ask, clscan__violation *violation)
{
    const bool rows = ask->variant->body == CLSCAN_BODY_SUBGROUP_ROWS;

    if (!ask->device->no_sub_groups)
        return true;
    if (ask->variant->landing_zones > 0)
        return blame(violation, "landing_zones", "%" PRIu32 ", but %s", ask->variant->landing_zones,
                     ask->device->sub_group_reason);
    if (!ask->reproducible && clscan__variant_shuffles(ask->variant))
        return blame(violation, rows ? "body" : "group_scan", "%s, but %s",
                     value_name(ask->variant, rows ? CLSCAN__AXIS_BODY : CLSCAN__AXIS_GROUP_SCAN),
                     ask->device->sub_group_reason);
    return true;
}

static bool rows_compile(const question *ask, clscan__violation *violation)
{
    if (ask->variant->body == CLSCAN_BODY_SUBGROUP_ROWS && ask->device->rows_reason[0] != '\0')
        return blame(violation, "body", "subgroup_rows, but %s", ask->device->rows_reason);
    return true;
}

/* On CPUs, the private memory of all work-items of a work-group lies on the stack of the thread that runs it, often of
 * 8 MiB. PoCL 3.1 now and then compiles a kernel without optimizing it, which then took 12 KiB for each work-item, and
 * 17 KiB where one holds 384 bytes of elements: 45 times as much. */
enum { MOST_CPU_WORK_ITEMS = 512, MOST_CPU_PRIVATE_BYTES = 64 * 1024 };

static bool work_group_limit(const question *ask, clscan__violation *violation)
{
    const uint64_t private_bytes = clscan__variant_register_bytes(ask->variant, ask->shape);

    if (ask->variant->work_group_size > ask->device->max_work_group_size)
        return blame(violation, "work_group_size", "%" PRIu32 " exceeds the device's %" PRIu32,
                     ask->variant->work_group_size, ask->device->max_work_group_size);
    if (ask->device->device_class == CLSCAN_DEVICE_CLASS_CPU && ask->variant->work_group_size > MOST_CPU_WORK_ITEMS)
        return blame(violation, "work_group_size",
                     "%" PRIu32 ", but on CPUs a work-group is on the stack of one thread: at most %u work-items",
                     ask->variant->work_group_size, (unsigned)MOST_CPU_WORK_ITEMS);
    if (ask->device->device_class == CLSCAN_DEVICE_CLASS_CPU && ask->variant->work_group_size > 1 &&
        private_bytes > MOST_CPU_PRIVATE_BYTES)
        return blame(violation, "work_group_size",
                     "%" PRIu32 ", but on CPUs a work-group is on the stack of one thread: at most %u bytes of "
                     "elements in registers, not %" PRIu64,
                     ask->variant->work_group_size, (unsigned)MOST_CPU_PRIVATE_BYTES, private_bytes);
    /* Work-groups behind a count on the device leave in front of barriers. PoCL 3.1 makes wrong code of that, now and
     * then, and always without optimization. */
    if (ask->device->device_class == CLSCAN_DEVICE_CLASS_CPU && ask->problem->count_bytes > 0 &&
        ask->variant->work_group_size > 1 &&
        (ask->variant->order == CLSCAN_ORDER_DYNAMIC || ask->variant->order == CLSCAN_ORDER_STATIC))
        return blame(violation, "work_group_size",
                     "%" PRIu32 ", but on CPUs a count on the device wants 1 in orders dynamic and static",
                     ask->variant->work_group_size);
    return true;
}

static bool local_memory_limit(const question *ask, clscan__violation *violation)
{
    const bool exchanged = clscan__variant_shuffles(ask->variant) &&
                           (ask->reproducible ? clscan__reproducible_shuffles_of(ask->device)
                                              : clscan__shuffles_of(ask->device)) == CLSCAN__SHUFFLES_LOCAL;
    const uint64_t bytes = clscan__variant_local_bytes(ask->variant, ask->shape) +
                           (exchanged ? clscan__variant_exchange_bytes(ask->variant, ask->shape) : 0) +
                           (ask->reproducible ? clscan__reproducible_local_bytes(ask->variant, ask->shape) : 0);

    char element[CLSCAN__ELEMENT_NAME_BYTES];

    if (bytes > ask->device->local_memory_bytes)
        return blame(violation, ask->variant->landing_zones > 0 ? "landing_zones" : "local_pieces",
                     "%" PRIu64 " bytes of local memory for %s; the device has %" PRIu64, bytes,
                     clscan__problem_element_name(ask->problem, element), ask->device->local_memory_bytes);
    return true;
}

/* One value per sub-group is scanned by one sub-group. */
static bool sub_groups(const question *ask, clscan__violation *violation)
{
    const uint32_t items = ask->variant->work_group_size;
    const uint32_t size = ask->reproducible ? CLSCAN__ROW_RUNS : clscan__shuffle_width(ask->device, items);

    if (clscan__variant_shuffles(ask->variant) && (items % size != 0 || items / size > size))
        return blame(violation, "work_group_size",
                     "%" PRIu32 " work-items are not between 1 and %" PRIu32 " whole sub-groups of %" PRIu32, items,
                     size, size);
    return true;
}

/* Of what a sub-group counts and gathers of a tile, numbers have 16 bits (cl/bodies/kept_parts.cl). */
static bool gathered_places(const question *ask, clscan__violation *violation)
{
    const uint64_t lanes = clscan__shuffle_width(ask->device, ask->variant->work_group_size);
    const uint64_t part = clscan_variant_tile_count(ask->variant) / ask->variant->work_group_size * lanes;

    if (ask->variant->body == CLSCAN_BODY_SUBGROUP_ROWS && ask->shape.gathered_bytes > 0 && part > UINT16_MAX)
        return blame(violation, "register_pieces",
                     "%" PRIu32 " pieces are %" PRIu64 " elements of a tile for each sub-group; at most %u where they "
                     "are gathered",
                     ask->variant->register_pieces, part, UINT16_MAX);
    return true;
}

/* Drivers that end loops do so without a word, and the results are wrong. */
static bool loop_turns(const question *ask, clscan__violation *violation)
{
    const uint64_t turns = clscan__turns_of_tile(ask->variant), most = clscan__turns_for_tiles(ask->device);

    if (turns > most)
        return blame(violation, "",
                     "the loops over a tile may take %" PRIu64 " turns; at most %" PRIu64
                     " on a device that ends loops after %" PRIu32,
                     turns, most, ask->device->max_loop_turns);
    return true;
}

static bool landing_copies(const question *ask, clscan__violation *violation)
{
    if (ask->variant->landing_zones > 0 && ask->device->nv_compute_capability < 80)
        return blame(violation, "landing_zones", "the device has no asynchronous copies that clscan knows");
    return true;
}

static bool streaming_device(const question *ask, clscan__violation *violation)
{
    if (ask->variant->streaming_stores > 0 && ask->device->device_class != CLSCAN_DEVICE_CLASS_CPU)
        return blame(violation, "streaming_stores", "%" PRIu32 ", but only CPUs have streaming stores",
                     ask->variant->streaming_stores);
    return true;
}

static bool adjacent_mechanism(const question *ask, clscan__violation *violation)
{
    if (clscan__variant_has_order(ask->variant) && ask->device->mechanism == CLSCAN_MECHANISM_NONE)
        return blame(violation, "carry", "%s, but work-groups cannot talk to each other (%.100s)",
                     value_name(ask->variant, CLSCAN__AXIS_CARRY), ask->device->mechanism_reason);
    return true;
}

static bool adjacent_progress(const question *ask, clscan__violation *violation)
{
    if (clscan__variant_has_order(ask->variant) && ask->device->progress == CLSCAN_PROGRESS_UNKNOWN)
        return blame(violation, "carry", "%s, but a work-group may wait forever for another (%.100s)",
                     value_name(ask->variant, CLSCAN__AXIS_CARRY), ask->device->progress_reason);
    return true;
}

static bool has_fence(const clscan_device_info *device)
{
    return device->mechanism == CLSCAN_MECHANISM_PTX || device->mechanism == CLSCAN_MECHANISM_C11;
}

/* The last work-group reads what the others wrote before they drew their tickets. */
static bool last_combines_fence(const question *ask, clscan__violation *violation)
{
    if (ask->variant->carry == CLSCAN_CARRY_LAST_COMBINES && !has_fence(ask->device))
        return blame(violation, "carry", "last_combines, but mechanism %s has no device-scope fence (%.80s)",
                     clscan_mechanism_name(ask->device->mechanism), ask->device->mechanism_reason);
    return true;
}

/* A spent wait reads the missing tiles' input again. In place it may have been overwritten, which only a
 * fence at device scope between publishing and storing lets the reader notice. */
static bool adjacent_in_place(const question *ask, clscan__violation *violation)
{
    if (clscan__variant_has_order(ask->variant) && ask->in_place && !has_fence(ask->device))
        return blame(violation, "carry",
                     "%s in place, but mechanism %s has no device-scope fence: completing a wait would "
                     "read input that is being overwritten",
                     value_name(ask->variant, CLSCAN__AXIS_CARRY), clscan_mechanism_name(ask->device->mechanism));
    return true;
}

/* In the list's order. */
static const struct rule {
    clscan_predicate id;
    const char *name;
    bool device_limit;
    predicate *holds;
} rules[] = {
#define X(name, number, device_limit, meaning) {CLSCAN_PREDICATE_##name, #name, device_limit, name},
    CLSCAN_PREDICATE_LIST(X)
#undef X
};

/* 1 + the parameter of that name; 0 if it is an axis, or none. */
static uint32_t param_of(const char *field)
{
    for (uint32_t i = 0; i < CLSCAN_PARAM_COUNT; ++i)
        if (strcmp(clscan__params[i].name, field) == 0)
            return i + 1;
    return 0;
}

bool clscan__variant_is_legal(const clscan_variant *variant, const clscan_problem *problem, int in_place,
                              const clscan_device_info *device, clscan__violation *violation)
{
    const question ask = {
        variant, problem, clscan__problem_shape(problem), in_place, clscan__problem_is_ordered(problem), device};

    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; ++i) {
        if (rules[i].device_limit && device == NULL)
            continue;
        if (!rules[i].holds(&ask, violation)) {
            violation->predicate = rules[i].id;
            violation->name = rules[i].name;
            violation->device_limit = rules[i].device_limit;
            return false;
        }
    }
    return true;
}

clscan_status clscan__variant_check(const clscan_variant *variant, const clscan_problem *problem, int in_place,
                                    const clscan_device_info *device, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__violation found;

    CLSCAN__REQUIRE(clscan__variant_is_legal(variant, problem, in_place, device, &found),
                    found.device_limit ? CLSCAN_ERROR_DEVICE_LIMIT : CLSCAN_ERROR_ILLEGAL_VARIANT, "%s: %s%s%s",
                    found.name, found.field, found.field[0] != '\0' ? ": " : "", found.reason);

cleanup:
    if (status != CLSCAN_OK && error != NULL) {
        error->predicate = found.predicate;
        error->param = param_of(found.field);
    }
    return status;
}

clscan_status clscan_variant_check(const clscan_variant *variant, const clscan_problem *problem, int in_place,
                                   const clscan_device_info *device, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__problem_room problem_room;
    clscan_device_info device_room;

    CLSCAN__REQUIRE(variant != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "variant is NULL");
    CLSCAN__REQUIRE(problem != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "problem is NULL");
    CLSCAN__TRY(clscan__problem_take(&problem, &problem_room, error));
    if (device != NULL)
        CLSCAN__TAKE(device, device_room);
    CLSCAN__TRY(clscan__variant_check(variant, problem, in_place, device, error));

cleanup:
    return status;
}
