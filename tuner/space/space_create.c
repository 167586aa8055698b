/* What is in a space: the values of its parameters, and its blocks. */
#include <stdlib.h>

#include "command_line/failure.h"
#include "space/only.h"
#include "space/rows.h"
#include "space/space.h"

static bool has_carry(clscan__config_operation operation, const clscan_variant *alone)
{
    if (clscan__config_operation_has_rows(operation))
        return alone->carry == CLSCAN_CARRY_REDUCE_THEN_SCAN;
    return clscan__variant_reduces(alone) == (operation == CLSCAN__CONFIG_REDUCE);
}

static bool set_values(tune_values *values, const uint32_t *items, size_t count)
{
    bool added = true;

    tune_values_free(values);
    for (size_t i = 0; added && i < count; ++i)
        added = tune_values_add(values, items[i]);
    return added;
}

/* Everything but baselines, carries of another operation, and what rows do not read. */
static clscan_status fill_default(tune_space *space, clscan_error *error)
{
    static const uint32_t per_unit = TUNE_ROWS_WORK_GROUPS_PER_UNIT;
    clscan_status status = CLSCAN_OK;

    for (size_t i = 0; i < CLSCAN__AXIS_COUNT; ++i)
        for (uint32_t value = 0; value < clscan__axes[i].value_count; ++value) {
            clscan_variant alone = {0};

            clscan__axis_set(&clscan__axes[i], &alone, value);
            if (clscan__variant_baseline(&alone) == NULL &&
                (i != CLSCAN__AXIS_CARRY || has_carry(space->target.operation, &alone)))
                space->axis_values[i] |= UINT64_C(1) << value;
        }
    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i)
        REQUIRE(tune_values_add_steps(&space->params[i], &clscan__params[i]), CLSCAN_ERROR_OUT_OF_MEMORY,
                "no memory for the values of %s", clscan__params[i].name);
    REQUIRE(!clscan__config_operation_has_rows(space->target.operation) ||
                set_values(&space->params[CLSCAN_PARAM_work_groups_per_unit], &per_unit, 1),
            CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for the values of %s",
            clscan__params[CLSCAN_PARAM_work_groups_per_unit].name);
    space->local_bytes = (tune_bounds){0, UINT64_MAX};
    space->register_bytes = (tune_bounds){0, UINT64_MAX};

cleanup:
    return status;
}

static bool set_range(tune_values *values, uint32_t first, uint32_t last)
{
    bool added = true;

    tune_values_free(values);
    for (uint32_t value = first; added && value <= last; ++value)
        added = tune_values_add(values, value);
    return added;
}

/* Table 2 names LMS and RS in bytes. A work-group keeps whole pieces, so every number of pieces is a value, as far
 * as the bytes of LMS and RS allow: table 4's best points (LMS of 12 and 26 KiB, RS of 46 KiB) are among them. */
static clscan_status fill_streamscan(tune_space *space, clscan_error *error)
{
    static const uint32_t ws[] = {64, 128, 256, 512, 1024}, vl[] = {1, 2, 4, 8, 16}, gs[] = {8, 16, 32, 64};
    const tune_bounds lms = {0, 32 * 1024}, rs = {0, 142 * 1024};
    const uint64_t smallest_piece_bytes = UINT64_C(64) * space->target.element_size_bytes;
    const uint64_t most_local = lms.max / smallest_piece_bytes, most_register = rs.max / smallest_piece_bytes;
    const uint32_t max_local = clscan__params[CLSCAN_PARAM_local_pieces].max;
    const uint32_t max_register = clscan__params[CLSCAN_PARAM_register_pieces].max;
    clscan_status status = CLSCAN_OK;
    tune_values *params = space->params;
    uint64_t *axes = space->axis_values;
    bool added;

    axes[CLSCAN__AXIS_BODY] = UINT64_C(1) << CLSCAN_BODY_STRIDED | UINT64_C(1) << CLSCAN_BODY_COALESCED;
    axes[CLSCAN__AXIS_GROUP_SCAN] = UINT64_C(1) << CLSCAN_GROUP_SCAN_BRENT_KUNG; /* "tree-based" */
    axes[CLSCAN__AXIS_CARRY] = UINT64_C(1) << CLSCAN_CARRY_ADJACENT;
    axes[CLSCAN__AXIS_ORDER] = UINT64_C(1) << CLSCAN_ORDER_DYNAMIC;
    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i)
        REQUIRE(set_values(&params[i], &clscan__params[i].min, 1), CLSCAN_ERROR_OUT_OF_MEMORY,
                "no memory for the values of %s", clscan__params[i].name);
    added =
        set_values(&params[CLSCAN_PARAM_work_group_size], ws, sizeof ws / sizeof ws[0]) &&
        set_values(&params[CLSCAN_PARAM_vector_length], vl, sizeof vl / sizeof vl[0]) &&
        set_values(&params[CLSCAN_PARAM_thread_group_size], gs, sizeof gs / sizeof gs[0]) &&
        set_range(&params[CLSCAN_PARAM_local_pieces], 0, most_local < max_local ? (uint32_t)most_local : max_local) &&
        set_range(&params[CLSCAN_PARAM_register_pieces], 0,
                  most_register < max_register ? (uint32_t)most_register : max_register);
    REQUIRE(added, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for the values of table 2");
    space->local_bytes = lms;
    space->register_bytes = rs;

cleanup:
    return status;
}

/* Small values of all parameters, which break no rule between them where axes do not forbid them. */
static clscan_variant least_of(const clscan_variant *axes)
{
    clscan_variant least = *axes;

    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i)
        if (clscan_variant_needs(axes, (clscan_param)i))
            clscan__param_set(&clscan__params[i], &least, clscan__params[i].min);
    if (clscan_variant_needs(axes, CLSCAN_PARAM_register_pieces))
        least.register_pieces = 1;
    if (clscan_variant_needs(axes, CLSCAN_PARAM_thread_group_size)) {
        least.local_pieces = 1;
        least.work_group_size = least.thread_group_size;
    }
    return least;
}

static bool is_among(const clscan_predicate *predicates, size_t count, uint32_t predicate)
{
    for (size_t i = 0; i < count; ++i)
        if (predicates[i] == predicate)
            return true;
    return false;
}

/* Do the axes alone forbid the block? */
static bool is_possible(const tune_space *space, const clscan_variant *axes)
{
    static const clscan_predicate of_axes[] = {CLSCAN_PREDICATE_operation_carry,   CLSCAN_PREDICATE_carry_order,
                                               CLSCAN_PREDICATE_totals_order,      CLSCAN_PREDICATE_lookahead_body,
                                               CLSCAN_PREDICATE_rows_in_registers, CLSCAN_PREDICATE_reproducible_carry,
                                               CLSCAN_PREDICATE_reproducible_body};
    const clscan_variant least = least_of(axes);
    clscan_error error = {0};

    if (tune_space_check(space, &least, 0, &error) == CLSCAN_OK)
        return true;
    return error.param != 0 || !is_among(of_axes, sizeof of_axes / sizeof of_axes[0], error.predicate);
}

/* A value of one parameter of a block, with values of the others that break no rule before its own. */
typedef struct probe {
    const tune_space *space;
    clscan_variant variant;
    clscan_param param;
} probe;

/* Rules about the axes and one parameter alone: a value that breaks one is legal nowhere in the block. */
static bool is_usable(const void *user, uint32_t value)
{
    static const clscan_predicate of_params[] = {
        CLSCAN_PREDICATE_network_size,      CLSCAN_PREDICATE_rows_in_registers, CLSCAN_PREDICATE_cached_work_group,
        CLSCAN_PREDICATE_work_group_limit,  CLSCAN_PREDICATE_sub_groups,        CLSCAN_PREDICATE_reproducible_carry,
        CLSCAN_PREDICATE_reproducible_body, CLSCAN_PREDICATE_streaming_device};
    const probe *p = user;
    clscan_variant variant = p->variant;
    clscan_error error = {0};

    clscan__param_set(&clscan__params[p->param], &variant, value);
    if (tune_space_check(p->space, &variant, 0, &error) == CLSCAN_OK)
        return true;
    return error.param != 1 + (uint32_t)p->param ||
           !is_among(of_params, sizeof of_params / sizeof of_params[0], error.predicate);
}

/* The wanted values, without those that are legal nowhere in the block, if any are left then; *least has one of them
 * afterwards. StreamScan's table is counted as it is. */
static bool fill_values(const tune_space *space, tune_space_name name, tune_space_block *block, clscan_param param,
                        clscan_variant *least)
{
    const probe about = {space, *least, param};
    tune_values *values = &block->values[param];

    if (!tune_values_copy(values, &space->params[param]))
        return false;
    if (name != TUNE_SPACE_DEFAULT)
        return true;
    tune_values_filter(values, is_usable, &about);
    if (values->count > 0 &&
        tune_values_find(values, clscan__param_get(&clscan__params[param], least)) == values->count)
        clscan__param_set(&clscan__params[param], least, values->items[0]);
    return values->count > 0 || tune_values_copy(values, &space->params[param]);
}

static clscan_status add_block(tune_space *space, tune_space_name name, const clscan_variant *axes, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    tune_space_block *grown = realloc(space->blocks, (space->block_count + 1) * sizeof *grown), *block;
    clscan_variant least = least_of(axes);

    REQUIRE(grown != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for the search space");
    space->blocks = grown;
    block = &grown[space->block_count++];
    *block = (tune_space_block){.axes = *axes, .first = space->points, .points = 1};
    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i)
        if (clscan_variant_needs(axes, (clscan_param)i)) {
            REQUIRE(fill_values(space, name, block, (clscan_param)i, &least), CLSCAN_ERROR_OUT_OF_MEMORY,
                    "no memory for the values of %s", clscan__params[i].name);
            block->points *= block->values[i].count;
        }
    space->points += block->points;

cleanup:
    return status;
}

/* One block for each possible choice on axes `axis` and later ones. */
static clscan_status add_blocks(tune_space *space, tune_space_name name, size_t axis, const clscan_variant *chosen,
                                clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan_variant next = *chosen;

    if (axis == CLSCAN__AXIS_COUNT)
        return is_possible(space, chosen) ? add_block(space, name, chosen, error) : CLSCAN_OK;
    for (uint32_t value = 0; value < clscan__axes[axis].value_count; ++value) {
        if ((space->axis_values[axis] >> value & 1) == 0)
            continue;
        clscan__axis_set(&clscan__axes[axis], &next, value);
        TRY(add_blocks(space, name, axis + 1, &next, error));
    }

cleanup:
    return status;
}

clscan_status tune_space_create(tune_space *space, tune_space_name name, const char *only, const tune_target *target,
                                const clscan_device_info *device, clscan_error *error)
{
    clscan_status status;
    const clscan_variant none = {0};

    *space = (tune_space){.target = *target, .device = *device};
    if (!tune_target_has_element(target)) {
        space->target = tune_target_of_operation(target->operation, target->type, CLSCAN_ADD);
        space->target.reproducible = target->reproducible;
        space->target.fewest_rows = target->fewest_rows;
        space->target.rows_bytes = target->rows_bytes;
    }
    TRY(fill_default(space, error));
    if (name == TUNE_SPACE_STREAMSCAN)
        TRY(fill_streamscan(space, error));
    if (only != NULL)
        TRY(tune_only_apply(space, only, error));
    REQUIRE(!clscan__config_operation_has_rows(target->operation) ||
                space->axis_values[CLSCAN__AXIS_CARRY] == UINT64_C(1) << CLSCAN_CARRY_REDUCE_THEN_SCAN,
            CLSCAN_ERROR_INVALID_VALUE, "operation %s takes carry reduce_then_scan only; %s%.200s asks for others",
            clscan__config_operation_name(target->operation), only != NULL ? "" : "space ",
            only != NULL ? only : tune_space_name_text(name));
    /* A carry without order takes "none" whatever orders are wanted of the others. */
    space->axis_values[CLSCAN__AXIS_ORDER] |= UINT64_C(1) << CLSCAN_ORDER_NONE;
    TRY(add_blocks(space, name, 0, &none, error));
    REQUIRE(space->points > 0, CLSCAN_ERROR_INVALID_VALUE, "\"%.200s\" leaves no point in the space %s",
            only != NULL ? only : "", tune_space_name_text(name));

cleanup:
    return status;
}
