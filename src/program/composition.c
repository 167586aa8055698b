#include "program/composition.h"

#include <string.h>

#include "config/variant.h"
#include "device/shuffles.h"
#include "program/segments.h"

const char *const clscan__kernel_files[CLSCAN__KERNEL_FILE_COUNT] = {
#define X(file, when, gives, meaning) file,
    CLSCAN__KERNEL_FILE_LIST(X)
#undef X
};

void clscan__composition(const clscan__program_spec *spec, bool parts[CLSCAN__KERNEL_FILE_COUNT])
{
    const clscan_variant *variant = &spec->variant;
    /* The facts of the table. */
    const uint32_t body = variant->body, group_scan = variant->group_scan, carry = variant->carry,
                   order = variant->order;
    const clscan_mechanism mechanism = spec->device->mechanism;
    const bool shuffles = clscan__variant_shuffles(variant);
    const clscan__shuffles by = clscan__program_shuffles(spec);
    const bool requires_size = clscan__program_requires_sub_group_size(spec);
    const bool ordered = clscan__variant_has_order(variant);
    const bool draws = clscan__variant_draws(variant);
    const bool reduces = clscan__variant_reduces(variant);
    const bool ranges = clscan__variant_has_ranges(variant);
    const bool ahead = variant->carry == CLSCAN_CARRY_LOOKAHEAD;
    const bool chained = carry == CLSCAN_CARRY_ADJACENT || carry == CLSCAN_CARRY_LOOKBACK;
    const bool plain = spec->elements == NULL;
    const bool landing = variant->landing_zones > 0;
    const bool stays = plain || clscan__elements_stay(spec->elements);
    const bool selects = spec->elements != NULL && spec->elements->maps != NULL && spec->elements->maps->selects;
    const bool bytes = spec->elements != NULL && clscan__element_bytes(&spec->elements->in) == 1 &&
                       clscan__element_bytes(&spec->elements->out) == 1;
    const bool widens = spec->elements != NULL &&
                        clscan__element_bytes(&spec->elements->out) > clscan__element_bytes(&spec->elements->in);
    const bool discards = spec->elements != NULL && spec->elements->maps != NULL && spec->elements->maps->discards;
    const bool segmented = spec->elements != NULL && spec->elements->segmented != NULL;
    const bool marked = clscan__program_has_marks(spec);
    const bool only_marks = selects && clscan__maps_keep_marks(spec->elements->maps);
    const bool reproducible = spec->reproducible, probes = spec->probes, rows = spec->rows;
    const bool sums_lanes = clscan__program_sums_lanes(spec);
    const bool segment_lanes = clscan__program_has_segment_lanes(spec) || clscan__program_sums_segment_lanes(spec);
    const bool abreast = clscan__program_rows_abreast(spec) > 0;
    const bool repeats = spec->repetition != NULL;
    const bool cached = body == CLSCAN_BODY_CACHED_ROWS, transposed = clscan__variant_is_transposed(variant);
    const bool walks_segments = segmented && clscan__segments_are_walked(variant, spec->elements->segmented);
    const bool by_offsets = segmented && spec->elements->segmented->by == CLSCAN_BY_OFFSETS;
    const bool marks_offsets = clscan__program_marks_offsets(spec), marks_heads = clscan__program_marks_heads(spec);
    const bool lengths = selects && spec->elements->maps->length_bytes > 0;
    const bool rest = selects && spec->elements->maps->rest;
    const bool in_place = selects && spec->elements->maps->in_place;
    const bool made[] = {
#define X(file, when, gives, meaning) when,
        CLSCAN__KERNEL_FILE_LIST(X)
#undef X
    };

    memcpy(parts, made, sizeof made);
}
