#include "space.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_line/failure.h"
#include "only.h"
#include "random.h"

static const struct {
    const char *text, *meaning;
} names[] = {
#define X(name, text, meaning) {#text, meaning},
    TUNE_SPACE_LIST(X)
#undef X
};

const char *tune_space_name_text(tune_space_name name)
{
    return (unsigned)name < TUNE_SPACE_COUNT ? names[name].text : "unknown";
}

const char *tune_space_meaning(tune_space_name name)
{
    return (unsigned)name < TUNE_SPACE_COUNT ? names[name].meaning : "";
}

bool tune_space_name_from_text(const char *text, tune_space_name *name)
{
    for (int i = 0; i < TUNE_SPACE_COUNT; ++i)
        if (strcmp(text, names[i].text) == 0) {
            *name = (tune_space_name)i;
            return true;
        }
    return false;
}

/* Everything, but the order that only measures what tickets cost, and is not safe to run everywhere. */
static clscan_status fill_default(tune_space *space, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (size_t i = 0; i < TUNE_AXIS_COUNT; ++i)
        space->axis_values[i] = (UINT64_C(1) << tune_axes[i].value_count) - 1;
    space->axis_values[TUNE_AXIS_order] &= ~(UINT64_C(1) << CLSCAN_ORDER_STATIC);
    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i)
        REQUIRE(tune_values_add_steps(&space->params[i], &tune_params[i]), CLSCAN_ERROR_OUT_OF_MEMORY,
                "no memory for the values of %s", tune_params[i].name);
    space->local_bytes = (tune_bounds){0, UINT64_MAX};
    space->register_bytes = (tune_bounds){0, UINT64_MAX};

cleanup:
    return status;
}

static bool set_values(tune_values *values, const uint32_t *items, size_t count)
{
    bool added = true;

    tune_values_free(values);
    for (size_t i = 0; added && i < count; ++i)
        added = tune_values_add(values, items[i]);
    return added;
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
    const uint64_t smallest_piece_bytes = 64 * clscan_type_size_bytes(space->type);
    const uint64_t most_local = lms.max / smallest_piece_bytes, most_register = rs.max / smallest_piece_bytes;
    const uint32_t max_local = tune_params[CLSCAN_PARAM_local_pieces].max;
    const uint32_t max_register = tune_params[CLSCAN_PARAM_register_pieces].max;
    clscan_status status = CLSCAN_OK;
    tune_values *params = space->params;
    uint64_t *axes = space->axis_values;
    bool added;

    axes[TUNE_AXIS_body] = UINT64_C(1) << CLSCAN_BODY_STRIDED | UINT64_C(1) << CLSCAN_BODY_COALESCED;
    axes[TUNE_AXIS_group_scan] = UINT64_C(1) << CLSCAN_GROUP_SCAN_BRENT_KUNG; /* "tree-based" */
    axes[TUNE_AXIS_carry] = UINT64_C(1) << CLSCAN_CARRY_ADJACENT;
    axes[TUNE_AXIS_order] = UINT64_C(1) << CLSCAN_ORDER_DYNAMIC;
    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i)
        REQUIRE(set_values(&params[i], &tune_params[i].min, 1), CLSCAN_ERROR_OUT_OF_MEMORY,
                "no memory for the values of %s", tune_params[i].name);
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

/* Do the axes alone forbid the block? Asked with the least values, which break no other rule before this one. */
static bool is_possible(const tune_space *space, const clscan_variant *axes)
{
    static const char *const predicates[] = {
        "carry_order:", "lookahead_order:", "lookahead_body:", "rows_in_registers:"};
    clscan_variant probe = *axes;
    clscan_error error = {0};

    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i)
        if (clscan_variant_needs(axes, (clscan_param)i))
            tune_field_set(&probe, tune_params[i].offset_bytes, tune_params[i].min);
    if (clscan_variant_check(&probe, space->type, 0, NULL, &error) == CLSCAN_OK)
        return true;
    for (size_t i = 0; i < sizeof predicates / sizeof predicates[0]; ++i)
        if (strncmp(error.message, predicates[i], strlen(predicates[i])) == 0)
            return false;
    return true;
}

static clscan_status add_block(tune_space *space, const clscan_variant *axes, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    tune_space_block block = {*axes, space->points, 1};
    tune_space_block *grown;

    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i)
        if (clscan_variant_needs(axes, (clscan_param)i))
            block.points *= space->params[i].count;
    grown = realloc(space->blocks, (space->block_count + 1) * sizeof *grown);
    REQUIRE(grown != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for the search space");
    space->blocks = grown;
    space->blocks[space->block_count++] = block;
    space->points += block.points;

cleanup:
    return status;
}

/* One block for each possible choice on axes `axis` and later ones. */
static clscan_status add_blocks(tune_space *space, size_t axis, const clscan_variant *chosen, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan_variant next = *chosen;

    if (axis == TUNE_AXIS_COUNT)
        return is_possible(space, chosen) ? add_block(space, chosen, error) : CLSCAN_OK;
    for (uint32_t value = 0; value < tune_axes[axis].value_count; ++value) {
        if ((space->axis_values[axis] >> value & 1) == 0)
            continue;
        tune_field_set(&next, tune_axes[axis].offset_bytes, value);
        TRY(add_blocks(space, axis + 1, &next, error));
    }

cleanup:
    return status;
}

clscan_status tune_space_create(tune_space *space, tune_space_name name, const char *only, clscan_type type,
                                const clscan_device_info *device, clscan_error *error)
{
    clscan_status status;
    const clscan_variant none = {0};

    *space = (tune_space){.type = type, .device = *device};
    TRY(fill_default(space, error));
    if (name == TUNE_SPACE_STREAMSCAN)
        TRY(fill_streamscan(space, error));
    if (only != NULL)
        TRY(tune_only_apply(space, only, error));
    /* A carry without order takes "none" whatever orders are wanted of the others. */
    space->axis_values[TUNE_AXIS_order] |= UINT64_C(1) << CLSCAN_ORDER_NONE;
    TRY(add_blocks(space, 0, &none, error));
    REQUIRE(space->points > 0, CLSCAN_ERROR_INVALID_VALUE, "\"%.200s\" leaves no point in the space %s",
            only != NULL ? only : "", tune_space_name_text(name));

cleanup:
    return status;
}

void tune_space_free(tune_space *space)
{
    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i)
        tune_values_free(&space->params[i]);
    free(space->blocks);
    *space = (tune_space){0};
}

/* The block of a point: the last one that begins at or before it. */
static const tune_space_block *block_of(const tune_space *space, uint64_t number)
{
    size_t low = 0, high = space->block_count;

    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;

        if (space->blocks[middle].first <= number)
            low = middle;
        else
            high = middle;
    }
    return &space->blocks[low];
}

/* The number in its block has mixed radix: the last parameter changes fastest. */
void tune_space_point(const tune_space *space, uint64_t number, clscan_variant *variant)
{
    const tune_space_block *block = block_of(space, number);
    uint64_t rest = number - block->first;

    *variant = block->axes;
    for (size_t i = CLSCAN_PARAM_COUNT; i-- > 0;)
        if (clscan_variant_needs(&block->axes, (clscan_param)i)) {
            const tune_values *values = &space->params[i];

            tune_field_set(variant, tune_params[i].offset_bytes, values->items[rest % values->count]);
            rest /= values->count;
        }
}

static const tune_space_block *find_block(const tune_space *space, const clscan_variant *variant)
{
    for (size_t i = 0; i < space->block_count; ++i) {
        bool same = true;

        for (size_t axis = 0; axis < TUNE_AXIS_COUNT; ++axis)
            same = same && tune_field_get(&space->blocks[i].axes, tune_axes[axis].offset_bytes) ==
                               tune_field_get(variant, tune_axes[axis].offset_bytes);
        if (same)
            return &space->blocks[i];
    }
    return NULL;
}

bool tune_space_number(const tune_space *space, const clscan_variant *variant, uint64_t *number)
{
    const tune_space_block *block = find_block(space, variant);
    uint64_t within = 0;

    if (block == NULL)
        return false;
    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i)
        if (clscan_variant_needs(variant, (clscan_param)i)) {
            const tune_values *values = &space->params[i];
            const size_t at = tune_values_find(values, tune_field_get(variant, tune_params[i].offset_bytes));

            if (at == values->count)
                return false;
            within = within * values->count + at;
        }
    *number = block->first + within;
    return true;
}

uint64_t tune_local_element_bytes(const clscan_variant *variant, clscan_type type)
{
    clscan_variant without = *variant;

    without.local_pieces = 0;
    return clscan_variant_local_bytes(variant, type) - clscan_variant_local_bytes(&without, type);
}

static bool inside(tune_bounds bounds, uint64_t bytes, const char *what, clscan_error *error)
{
    if (bytes >= bounds.min && bytes <= bounds.max)
        return true;
    fail(error, CLSCAN_ERROR_INVALID_VALUE, "%s: %" PRIu64 " bytes are not in [%" PRIu64 ", %" PRIu64 "]", what, bytes,
         bounds.min, bounds.max);
    return false;
}

bool tune_space_legal(const tune_space *space, const clscan_variant *variant, clscan_error *error)
{
    return inside(space->local_bytes, tune_local_element_bytes(variant, space->type), "local_bytes", error) &&
           inside(space->register_bytes, clscan_variant_register_bytes(variant, space->type), "register_bytes",
                  error) &&
           clscan_variant_check(variant, space->type, 0, &space->device, error) == CLSCAN_OK;
}

/* A Feistel network permutes the numbers of an even count of bits; those beyond the last point are mapped again
 * until they fall inside. */
uint64_t tune_space_shuffled(const tune_space *space, uint64_t seed, uint64_t position)
{
    unsigned half = 1;

    while (half < 31 && UINT64_C(1) << 2 * half < space->points)
        ++half;
    do {
        const uint64_t mask = (UINT64_C(1) << half) - 1;
        uint64_t left = position >> half, right = position & mask;

        for (uint64_t round = 0; round < 4; ++round) {
            const uint64_t mixed = left ^ (tune_mix(tune_mix(seed + round) ^ right) & mask);

            left = right;
            right = mixed;
        }
        position = left << half | right;
    } while (position >= space->points);
    return position;
}
