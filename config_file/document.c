#include "config_file/document.h"

#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "config_file/keys.h"

const char *clscan__origin_name(clscan__origin origin)
{
    return clscan__origin_names[origin];
}

bool clscan__config_key_equal(const clscan__config_key *left, const clscan__config_key *right)
{
    return left->operation == right->operation && left->element_size_bytes == right->element_size_bytes &&
           left->operator_class == right->operator_class && left->reproducible == right->reproducible &&
           left->sum_size_bytes == right->sum_size_bytes;
}

int clscan__config_key_compare(const clscan__config_key *left, const clscan__config_key *right)
{
    if (left->operation != right->operation)
        return left->operation < right->operation ? -1 : 1;
    if (left->operator_class != right->operator_class)
        return left->operator_class < right->operator_class ? -1 : 1;
    if (left->element_size_bytes != right->element_size_bytes)
        return left->element_size_bytes < right->element_size_bytes ? -1 : 1;
    if (left->sum_size_bytes != right->sum_size_bytes)
        return left->sum_size_bytes < right->sum_size_bytes ? -1 : 1;
    return left->reproducible - right->reproducible;
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
