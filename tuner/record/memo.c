#include "record/memo.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* FNV-1a over the words of the question. */
static uint64_t hash_of(const tune_target *target, const clscan_variant *variant, uint64_t count)
{
    uint32_t words[sizeof *variant / sizeof(uint32_t) + 4];
    uint64_t hash = 14695981039346656037u;

    words[0] = ((uint32_t)target->operation * CLSCAN_OPERATOR_CLASS_COUNT + (uint32_t)target->operator_class) * 2 +
               (target->reproducible != 0);
    words[1] = target->element_size_bytes;
    words[2] = (uint32_t)count;
    words[3] = (uint32_t)(count >> 32);
    memcpy(words + 4, variant, sizeof *variant);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
        hash = (hash ^ words[i]) * 1099511628211u;
    return hash ^ hash >> 29;
}

/* The slot of the question, or the free one where it belongs. There are slots, and one of them is free. */
static size_t *slot_of(const tune_memo *memo, const tune_target *target, const clscan_variant *variant, uint64_t count)
{
    const size_t mask = memo->slot_count - 1;
    const tune_trial question = {.target = *target, .variant = *variant, .count = count};
    size_t at = (size_t)hash_of(target, variant, count) & mask;

    while (memo->slots[at] != 0 && !tune_trial_same_question(memo->trials[memo->slots[at] - 1], &question))
        at = (at + 1) & mask;
    return &memo->slots[at];
}

/* Room for one more trial, with the slots at most half full. */
static bool grow(tune_memo *memo)
{
    if (memo->count == memo->capacity) {
        const size_t capacity = memo->capacity == 0 ? 64 : 2 * memo->capacity;
        tune_trial **grown = realloc(memo->trials, capacity * sizeof *grown);

        if (grown == NULL)
            return false;
        memo->trials = grown;
        memo->capacity = capacity;
    }
    if (2 * (memo->count + 1) > memo->slot_count) {
        size_t *slots = calloc(4 * memo->capacity, sizeof *slots);

        if (slots == NULL)
            return false;
        free(memo->slots);
        memo->slots = slots;
        memo->slot_count = 4 * memo->capacity;
        for (size_t i = 0; i < memo->count; ++i)
            *slot_of(memo, &memo->trials[i]->target, &memo->trials[i]->variant, memo->trials[i]->count) = i + 1;
    }
    return true;
}

tune_trial *tune_memo_put(tune_memo *memo, const tune_trial *trial)
{
    tune_trial *kept = tune_memo_find(memo, &trial->target, &trial->variant, trial->count);

    if (kept == NULL) {
        if (!grow(memo) || (kept = malloc(sizeof *kept)) == NULL)
            return NULL;
        memo->trials[memo->count++] = kept;
        *slot_of(memo, &trial->target, &trial->variant, trial->count) = memo->count;
    }
    *kept = *trial;
    return kept;
}

tune_trial *tune_memo_find(const tune_memo *memo, const tune_target *target, const clscan_variant *variant,
                           uint64_t count)
{
    const size_t slot = memo->slot_count == 0 ? 0 : *slot_of(memo, target, variant, count);

    return slot == 0 ? NULL : memo->trials[slot - 1];
}

void tune_memo_free(tune_memo *memo)
{
    for (size_t i = 0; i < memo->count; ++i)
        free(memo->trials[i]);
    free(memo->trials);
    free(memo->slots);
    *memo = (tune_memo){0};
}
