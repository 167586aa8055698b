/* All that the configs know, whatever device they are for. */
#include <clscan/plan.h>

#include "config/config.h"
#include "config/constraints.h"
#include "config/select.h"
#include "config/sources.h"
#include "config/wanted.h"
#include "device/words.h"
#include "element/problem.h"

typedef struct listing {
    const clscan_device_info *device;
    const clscan_problem *problem;
    clscan__shape shape;
    clscan__wanted wanted[CLSCAN__MOST_WANTED];
    uint32_t wanted_count;
    bool reproducible;
    unsigned char *list; /* of clscan_known_variant, as large as the caller knows it */
    size_t stride_bytes, capacity, count;
} listing;

/* The operator's class is not asked for: a winner of another one is worth a look. */
static bool serves(const listing *l, const clscan__config_entry *entry)
{
    const clscan__config_key *key = &entry->key;

    if (key->reproducible != l->reproducible)
        return false;
    for (uint32_t i = 0; i < l->wanted_count; ++i) {
        const clscan__wanted *wanted = &l->wanted[i];

        if (key->operation != wanted->operation)
            continue;
        if (wanted->own || key->least_size_bytes != 0)
            return clscan__key_covers(key, wanted->size_bytes) && !l->shape.plain;
        return key->element_size_bytes == l->shape.element_bytes &&
               (key->sum_size_bytes == 0 || key->sum_size_bytes == l->shape.sum_bytes);
    }
    return false;
}

/* Entries of one key ascend, so the last one before tells where a size class begins. */
static uint64_t smallest_count(const clscan_config *config, size_t index)
{
    if (config->document.entries[index].smallest_count > 0)
        return config->document.entries[index].smallest_count;
    for (size_t i = index; i-- > 0;)
        if (clscan__config_key_equal(&config->document.entries[i].key, &config->document.entries[index].key))
            return config->document.entries[i].largest_count + 1;
    return 1;
}

static void add_config(listing *l, const clscan_config *config)
{
    for (size_t i = 0; i < config->document.entry_count; ++i) {
        const clscan__config_entry *entry = &config->document.entries[i];
        clscan__violation unused;

        if (!serves(l, entry) || !clscan__variant_is_legal(&entry->variant, l->problem, 0, l->device, &unused))
            continue;
        if (l->count < l->capacity) {
            clscan_known_variant known = {.variant = entry->variant,
                                          .smallest_count = smallest_count(config, i),
                                          .largest_count = entry->largest_count,
                                          .operator_class = entry->key.operator_class};
            clscan__copy_text(known.source, sizeof known.source, config->source);
            clscan__copy_text(known.match, sizeof known.match, config->document.match);
            clscan__struct_give_bytes(l->list + l->count * l->stride_bytes, l->stride_bytes, &known, sizeof known);
        }
        ++l->count;
    }
}

clscan_status clscan_config_list(const clscan_config *config, const clscan_device_info *device,
                                 const clscan_problem *problem, clscan_known_variant *list, size_t stride_bytes,
                                 size_t capacity, size_t *count, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__config_sources *sources = NULL;
    const clscan__config_source *shared;
    size_t source_count;
    clscan_device_info device_room;
    clscan__problem_room problem_room;
    listing l = {.list = (unsigned char *)list, .stride_bytes = stride_bytes, .capacity = capacity};

    CLSCAN__REQUIRE(device != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "device is NULL");
    CLSCAN__REQUIRE(problem != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "problem is NULL");
    CLSCAN__REQUIRE(count != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "count is NULL");
    CLSCAN__REQUIRE(list != NULL || capacity == 0, CLSCAN_ERROR_NULL_ARGUMENT, "list is NULL, but capacity is not 0");
    CLSCAN__REQUIRE(capacity == 0 || (stride_bytes >= sizeof(clscan_variant) && stride_bytes % sizeof(uint64_t) == 0 &&
                                      stride_bytes <= CLSCAN__MOST_STRUCT_BYTES),
                    CLSCAN_ERROR_STRUCT_SIZE, "stride_bytes is %zu; it is the sizeof of clscan_known_variant",
                    stride_bytes);
    CLSCAN__TAKE(device, device_room);
    CLSCAN__TRY(clscan__problem_take(&problem, &problem_room, error));
    l.device = device;
    l.problem = problem;
    l.shape = clscan__problem_shape(problem);
    if (problem->rows != NULL)
        l.wanted[l.wanted_count++] = clscan__wanted_rows(l.shape);
    else
        l.wanted_count = clscan__wanted_of(problem, l.shape, l.wanted);
    l.reproducible = clscan__problem_is_ordered(problem);
    CLSCAN__TRY(clscan__config_sources_get(&sources, error));
    shared = clscan__config_sources_list(sources, &source_count);
    if (config != NULL)
        add_config(&l, config);
    for (size_t i = 0; i < source_count; ++i)
        add_config(&l, shared[i].config);
    *count = l.count;

cleanup:
    clscan__config_sources_release(sources);
    return status;
}
