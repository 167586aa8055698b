#include "common/short_rows.h"

/* Of local memory, so that several work-groups are resident on a compute unit. */
#define STAGED_BYTES 32768u
#define MOST_STRIP 32u

/* What a work-item that is a work-group walks: long enough to hide the launch, short enough to fill all cores. */
#define WALKED_ELEMENTS 4096u

/* Of a sub-group in the reproducible order. */
#define ORDERED_LANES 32u

uint32_t clscan__short_strip(const clscan_variant *variant, uint32_t held_bytes, uint32_t sum_bytes,
                             const clscan_device_info *device)
{
    const uint64_t items = variant->work_group_size;
    uint32_t strip = held_bytes < 4 ? 4 / held_bytes : 1; /* a word of local memory, at least */
    uint64_t staged;

    if (items == 1)
        return 1;
    while (strip < MOST_STRIP && 2 * strip * items * held_bytes <= STAGED_BYTES)
        strip *= 2;
    staged = items * strip;
    staged += staged / (held_bytes < 8 ? 32 : 16); /* an element of padding for each line */
    return staged * held_bytes + items * sum_bytes <= device->local_memory_bytes ? strip : 0;
}

uint64_t clscan__short_tile(const clscan_variant *variant, uint32_t strip)
{
    return variant->work_group_size == 1 ? WALKED_ELEMENTS : (uint64_t)variant->work_group_size * strip;
}

uint64_t clscan__short_most(const clscan_variant *variant, uint32_t strip, bool ordered)
{
    return ordered && variant->work_group_size > ORDERED_LANES ? (uint64_t)ORDERED_LANES * strip
                                                               : clscan__short_tile(variant, strip);
}
