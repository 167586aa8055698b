#include "config_file/document.h"

#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "config_file/keys.h"

const char *clscan__origin_name(clscan__origin origin)
{
    return clscan__origin_names[origin];
}

const char *clscan__config_operation_name(clscan__config_operation operation)
{
    return clscan__operation_names[operation];
}

bool clscan__config_operation_from_name(const char *name, clscan__config_operation *operation)
{
    for (int i = 0; i < CLSCAN__CONFIG_OPERATION_COUNT; ++i)
        if (strcmp(name, clscan__operation_names[i]) == 0) {
            *operation = (clscan__config_operation)i;
            return true;
        }
    return false;
}

bool clscan__config_operation_is_segmented(clscan__config_operation operation)
{
    return operation >= CLSCAN__CONFIG_SEGMENTED_SCAN && operation <= CLSCAN__CONFIG_REDUCE_BY_OFFSETS;
}

bool clscan__config_operation_selects(clscan__config_operation operation)
{
    return operation == CLSCAN__CONFIG_SELECT || operation == CLSCAN__CONFIG_UNIQUE;
}

bool clscan__config_operation_reduces(clscan__config_operation operation)
{
    return operation == CLSCAN__CONFIG_REDUCE || operation == CLSCAN__CONFIG_SEGMENTED_REDUCE ||
           operation == CLSCAN__CONFIG_REDUCE_BY_KEY || operation == CLSCAN__CONFIG_REDUCE_BY_OFFSETS;
}

bool clscan__config_operation_has_rows(clscan__config_operation operation)
{
    return operation == CLSCAN__CONFIG_SCAN_ROWS;
}

void clscan__config_operation_apply(clscan__config_operation operation, clscan_problem *problem)
{
    static const clscan_select by_flags = {.struct_size = sizeof by_flags, .flag_bytes = 1};
    static const clscan_select by_map = {.struct_size = sizeof by_map};
    static const clscan_map differs = {.struct_size = sizeof differs, .expression = "index == 0 || element != before"};
    static const clscan_segments bits = {.struct_size = sizeof bits, .by = CLSCAN_BY_BITS};
    static const clscan_segments keys = {.struct_size = sizeof keys, .by = CLSCAN_BY_KEYS, .type = CLSCAN_UINT32};
    static const clscan_segments offsets = {.struct_size = sizeof offsets, .by = CLSCAN_BY_OFFSETS, .type = CLSCAN_UINT32};
    static const clscan_rows rows = {.struct_size = sizeof rows, .count = CLSCAN__CONFIG_ROW_COUNT};
    const bool by_key = operation == CLSCAN__CONFIG_SCAN_BY_KEY || operation == CLSCAN__CONFIG_REDUCE_BY_KEY;

    problem->operation = clscan__config_operation_selects(operation)   ? CLSCAN_SELECT
                         : clscan__config_operation_reduces(operation) ? CLSCAN_REDUCE
                                                                       : CLSCAN_SCAN;
    problem->select = operation == CLSCAN__CONFIG_SELECT   ? &by_flags
                      : operation == CLSCAN__CONFIG_UNIQUE ? &by_map
                                                           : NULL;
    problem->load = operation == CLSCAN__CONFIG_UNIQUE ? &differs : NULL;
    problem->segments = !clscan__config_operation_is_segmented(operation)      ? NULL
                        : by_key                                               ? &keys
                        : operation == CLSCAN__CONFIG_REDUCE_BY_OFFSETS        ? &offsets
                                                                               : &bits;
    problem->rows = clscan__config_operation_has_rows(operation) ? &rows : NULL;
}

bool clscan__config_key_equal(const clscan__config_key *left, const clscan__config_key *right)
{
    return clscan__config_key_compare(left, right) == 0;
}

/* The sign of left - right. */
static int order(uint32_t left, uint32_t right)
{
    return (left > right) - (left < right);
}

int clscan__config_key_compare(const clscan__config_key *left, const clscan__config_key *right)
{
    const int orders[] = {order(left->operation, right->operation),
                          order(left->operator_class, right->operator_class),
                          order(left->element_size_bytes, right->element_size_bytes),
                          order(left->least_size_bytes, right->least_size_bytes),
                          order(left->sum_size_bytes, right->sum_size_bytes),
                          order(left->reproducible, right->reproducible)};

    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; ++i)
        if (orders[i] != 0)
            return orders[i];
    return 0;
}

clscan_type clscan__type_of_size(uint64_t size_bytes)
{
    int type = 0;

    while (type < CLSCAN_TYPE_COUNT && clscan_type_size_bytes((clscan_type)type) != size_bytes)
        ++type;
    return (clscan_type)type;
}

void clscan__document_free(clscan__document *document)
{
    for (size_t i = 0; i < document->text_count; ++i)
        free(document->texts[i]);
    free(document->texts);
    free(document->entries);
    *document = (clscan__document){.match = ""};
}

static clscan_status no_memory(clscan_error *error)
{
    return clscan__error_set(error, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for the entries of a config");
}

/* A list of `count` items, which only grows, with room for one more: lists are as long as the next power of two. NULL
 * if memory ran out. */
static void *with_room(void *list, size_t count, size_t item_bytes)
{
    if (count > 0 && (count & (count - 1)) != 0)
        return list;
    return realloc(list, (count > 0 ? 2 * count : 1) * item_bytes);
}

clscan_status clscan__document_keep(clscan__document *document, const char *text, const char **kept,
                                    clscan_error *error)
{
    char **grown, *copy;

    *kept = NULL;
    if (text == NULL)
        return CLSCAN_OK;
    grown = with_room(document->texts, document->text_count, sizeof *grown);
    if (grown == NULL)
        return no_memory(error);
    document->texts = grown;
    copy = strdup(text);
    if (copy == NULL)
        return no_memory(error);
    document->texts[document->text_count++] = copy;
    *kept = copy;
    return CLSCAN_OK;
}

clscan_status clscan__document_add(clscan__document *document, const clscan__config_entry *entry, clscan_error *error)
{
    clscan_status status;
    clscan__config_entry added = *entry, *grown;

    CLSCAN__TRY(clscan__document_keep(document, entry->note, &added.note, error));
    grown = with_room(document->entries, document->entry_count, sizeof *grown);
    if (grown == NULL)
        return no_memory(error);
    document->entries = grown;
    document->entries[document->entry_count++] = added;

cleanup:
    return status;
}

static int compare_entries(const void *a, const void *b)
{
    const clscan__config_entry *left = a, *right = b;
    const int keys = clscan__config_key_compare(&left->key, &right->key);

    if (keys != 0)
        return keys;
    return left->largest_count < right->largest_count ? -1 : left->largest_count > right->largest_count ? 1 : 0;
}

void clscan__document_sort(clscan__document *document)
{
    if (document->entry_count > 0)
        qsort(document->entries, document->entry_count, sizeof *document->entries, compare_entries);
}
