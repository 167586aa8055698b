#include "space/ladder.h"

/* Steps of 4 find where one variant overtakes another to within a factor of 2. */
#define FIRST_COUNT (UINT64_C(1) << 10)
#define LAST_COUNT (UINT64_C(1) << 28)
/* Longer rows are many tiles, which are walked alike. */
#define FIRST_ROW (UINT64_C(1) << 4)
#define LAST_ROW (UINT64_C(1) << 18)
#define QUICK_STEP 16

/* Beyond these bytes of input nothing changes any more, and making the expected output takes long. */
#define MAX_BYTES (UINT64_C(1) << 30)
#define MAX_BYTES_CPU (UINT64_C(1) << 28)

/* Input, output and a copy of either, beside what others use. */
#define SHARE_OF_MEMORY 6

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Of the elements that a count needs, at least, or of their outputs, which are no smaller. */
static uint64_t bytes_of_one(const tune_target *target)
{
    return (uint64_t)tune_target_output_bytes(target) * (target->fewest_rows > 0 ? target->fewest_rows : 1);
}

uint64_t tune_ladder_limit(const clscan_device_info *device, const tune_target *target)
{
    const uint64_t limit = smaller(device->max_allocation_bytes, device->global_memory_bytes / SHARE_OF_MEMORY);

    return limit < target->rows_bytes ? 0 : limit / bytes_of_one(target);
}

size_t tune_ladder_make(const clscan_device_info *device, const tune_target *target, uint64_t counts[TUNE_MAX_COUNTS])
{
    const bool has_rows = clscan__config_operation_has_rows(target->operation);
    const uint64_t most_bytes = device->device_class == CLSCAN_DEVICE_CLASS_CPU ? MAX_BYTES_CPU : MAX_BYTES;
    const uint64_t limit = smaller(has_rows ? LAST_ROW : LAST_COUNT,
                                   smaller(tune_ladder_limit(device, target), most_bytes / bytes_of_one(target)));
    size_t count = 0;

    for (uint64_t n = has_rows ? FIRST_ROW : FIRST_COUNT; n <= limit; n *= TUNE_LADDER_STEP)
        counts[count++] = n;
    return count;
}

bool tune_ladder_ends(const clscan_device_info *device, const tune_target *target, uint64_t *first, uint64_t *last)
{
    uint64_t counts[TUNE_MAX_COUNTS];
    const size_t count = tune_ladder_make(device, target, counts);

    if (count == 0)
        return false;
    *first = counts[0];
    *last = counts[count - 1];
    return true;
}

size_t tune_quick_counts(const uint64_t *counts, size_t count, uint64_t *quick)
{
    size_t found = 0;

    for (size_t i = 0; i < count; ++i) {
        uint64_t n = QUICK_STEP;

        while (n < counts[i])
            n *= QUICK_STEP;
        if (n == counts[i] || i + 1 == count)
            quick[found++] = counts[i];
    }
    return found;
}
