#include "space/ladder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config_file/document.h"

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

/* The text of a config that has nothing but one entry for a target, which serves all counts; free it. NULL if memory
 * ran out. */
static char *lone_config(const clscan_device_info *device, const tune_target *target, const clscan_variant *variant,
                         size_t *size_bytes)
{
    const clscan__config_entry entry = {
        .key = tune_target_key(target), .largest_count = UINT64_MAX, .variant = *variant};
    clscan__document document = {.provenance = {.origin = CLSCAN__ORIGIN_TUNED, .date = "2000-01-01"}};
    char *text = NULL;

    snprintf(document.match, sizeof document.match, "%s", device->key);
    if (clscan__document_add(&document, &entry, NULL) == CLSCAN_OK)
        text = clscan__document_write(&document, size_bytes);
    clscan__document_free(&document);
    return text;
}

/* The library is asked, of a config with one such entry. A variant that cannot stand there tells nothing. */
uint64_t tune_ladder_served(const clscan_device_info *device, const tune_target *target)
{
    static const char source[] = "the only entry";
    clscan_rows rows;
    const clscan_problem problem = tune_target_problem_at(target, 1, &rows);
    clscan_choice choice = {.struct_size = sizeof choice};
    clscan_config *config = NULL;
    uint64_t served = UINT64_MAX;
    size_t size_bytes;
    char *text = NULL;

    if (clscan_config_explain(NULL, device, &problem, 1, 0, &choice, NULL) == CLSCAN_OK)
        text = lone_config(device, target, &choice.variant, &size_bytes);
    if (text != NULL && clscan_config_parse(text, size_bytes, source, &config, NULL) == CLSCAN_OK &&
        clscan_config_explain(config, device, &problem, 1, 0, &choice, NULL) == CLSCAN_OK &&
        strcmp(choice.source, source) == 0)
        served = choice.largest_count;
    clscan_config_destroy(config);
    free(text);
    return served;
}

size_t tune_ladder_make(const clscan_device_info *device, const tune_target *target, uint64_t counts[TUNE_MAX_COUNTS])
{
    const bool has_rows = clscan__config_operation_has_rows(target->operation);
    const uint64_t most_bytes = device->device_class == CLSCAN_DEVICE_CLASS_CPU ? MAX_BYTES_CPU : MAX_BYTES;
    const uint64_t limit = smaller(smaller(has_rows ? LAST_ROW : LAST_COUNT, tune_ladder_served(device, target)),
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
