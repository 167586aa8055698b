#include "space/rows.h"

#include "common/short_rows.h"

uint64_t tune_rows_shared(const tune_target *target, const clscan_device_info *device, const clscan_variant *variant)
{
    const uint32_t size_bytes = target->element_size_bytes;

    return clscan__short_most(variant, clscan__short_strip(variant, size_bytes, size_bytes, device),
                              target->reproducible != 0);
}

static bool are_short(const tune_space *space, const clscan_variant *variant, uint64_t count)
{
    return count <= tune_rows_shared(&space->target, &space->device, variant);
}

/* A work-item alone walks rows element by element. */
static clscan_variant with_what_short_rows_read(const clscan_variant *standard, const clscan_variant *variant)
{
    clscan_variant read = *standard;

    read.work_group_size = variant->work_group_size;
    if (variant->work_group_size > 1)
        read.vector_length = variant->vector_length;
    return read;
}

bool tune_rows_need_search(const tune_space *space, const clscan_variant *variant, const clscan_variant *standard,
                           uint64_t count)
{
    clscan_variant read;

    if (!clscan__config_operation_has_rows(space->target.operation) || !are_short(space, variant, count))
        return true;
    read = with_what_short_rows_read(standard, variant);
    return clscan__variant_equal(&read, variant);
}

#define LEAST_LOAD_BYTES 4u
#define MOST_LOAD_BYTES 16u

/* Powers of two, with loads that a device has as one; single steps lead from there to the others. */
static bool is_coarse(const tune_space *space, const clscan_variant *variant)
{
    const uint32_t load_bytes = variant->vector_length * space->target.element_size_bytes;

    return (variant->work_group_size & (variant->work_group_size - 1)) == 0 && load_bytes >= LEAST_LOAD_BYTES &&
           load_bytes <= MOST_LOAD_BYTES;
}

size_t tune_rows_variants(const tune_space *space, const clscan_variant *standard, uint64_t count,
                          clscan_variant *variants, size_t capacity)
{
    const tune_space_block *block = tune_space_block_of(space, standard);
    const tune_values *items, *lengths;
    size_t found = 0;

    if (!clscan__config_operation_has_rows(space->target.operation) || block == NULL)
        return 0;
    items = &block->values[CLSCAN_PARAM_work_group_size];
    lengths = &block->values[CLSCAN_PARAM_vector_length];
    for (size_t i = 0; i < items->count; ++i)
        for (size_t v = 0; v < lengths->count && found < capacity; ++v) {
            clscan_variant variant = *standard;

            variant.work_group_size = items->items[i];
            variant.vector_length = lengths->items[v];
            if (is_coarse(space, &variant) && are_short(space, &variant, count) &&
                tune_rows_need_search(space, &variant, standard, count) && tune_space_legal(space, &variant, NULL))
                variants[found++] = variant;
        }
    return found;
}
