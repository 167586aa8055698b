#include "search/hints.h"

#include <stdlib.h>
#include <string.h>

#include "command_line/failure.h"
#include "config_file/axes.h"
#include "space/rows.h"

clscan_status tune_hints_add(tune_hints *hints, const tune_hint *hint, clscan_error *error)
{
    tune_hint *grown;

    for (size_t i = 0; i < hints->count; ++i)
        if (clscan__variant_equal(&hints->items[i].variant, &hint->variant) &&
            hints->items[i].smallest_count == hint->smallest_count &&
            hints->items[i].largest_count == hint->largest_count)
            return CLSCAN_OK;
    grown = realloc(hints->items, (hints->count + 1) * sizeof *grown);
    if (grown == NULL)
        return fail(error, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for the hints");
    hints->items = grown;
    hints->items[hints->count++] = *hint;
    return CLSCAN_OK;
}

clscan_status tune_hints_add_all(tune_hints *hints, const tune_hints *more, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (size_t i = 0; i < more->count; ++i)
        TRY(tune_hints_add(hints, &more->items[i], error));

cleanup:
    return status;
}

/* Entries for built-in operators serve all others where these have none. */
static bool is_close(clscan_operator_class operator_class, const tune_target *target)
{
    return operator_class == target->operator_class || operator_class == CLSCAN_OPERATOR_CLASS_BUILTIN;
}

clscan_status tune_hints_add_known(tune_hints *hints, const clscan_device_info *device, const tune_target *target,
                                   const char *without, clscan_error *error)
{
    clscan_status status;
    const clscan_problem problem = tune_target_problem(target);
    clscan_known_variant *list = NULL;
    size_t capacity = 0, count;

    TRY(clscan_config_list(NULL, device, &problem, NULL, 0, 0, &capacity, error));
    list = calloc(capacity + 1, sizeof *list);
    REQUIRE(list != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for %zu hints", capacity);
    TRY(clscan_config_list(NULL, device, &problem, list, sizeof *list, capacity, &count, error));
    for (size_t i = 0; i < count && i < capacity; ++i) {
        const tune_hint hint = {.variant = list[i].variant,
                                .smallest_count = list[i].smallest_count,
                                .largest_count = list[i].largest_count,
                                .close = is_close(list[i].operator_class, target)};

        if (without == NULL || strcmp(list[i].match, without) != 0)
            TRY(tune_hints_add(hints, &hint, error));
        else
            ++hints->left_out;
    }

cleanup:
    free(list);
    return status;
}

#define MOST_ROW_VARIANTS 64u

clscan_status tune_hints_add_rows(tune_hints *hints, const tune_space *space, const uint64_t *counts,
                                  const clscan_variant *defaults, size_t count_count, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (size_t i = 0; i < count_count; ++i) {
        clscan_variant variants[MOST_ROW_VARIANTS];
        const size_t count = tune_rows_variants(space, &defaults[i], counts[i], variants, MOST_ROW_VARIANTS);

        for (size_t v = 0; v < count; ++v)
            TRY(tune_hints_add(
                hints,
                &(tune_hint){
                    .variant = variants[v], .smallest_count = counts[i], .largest_count = counts[i], .close = true},
                error));
    }

cleanup:
    return status;
}

void tune_hints_free(tune_hints *hints)
{
    free(hints->items);
    *hints = (tune_hints){.count = 0};
}
