#include "element/types.h"

#include <string.h>

#include "base/checked.h"
#include "element/operators.h"
#include "element/segments.h"

typedef struct type_traits {
    const char *name;
    const char *cl_name;
    size_t size_bytes;
    clscan_type accumulator;
} type_traits;

static const type_traits all_traits[] = {
#define X(name, text, bytes, cl_type, accumulator) {#text, #cl_type, bytes, CLSCAN_##accumulator},
    CLSCAN_TYPE_LIST(X)
#undef X
};

bool clscan__type_is_valid(clscan_type type)
{
    return (unsigned)type < CLSCAN_TYPE_COUNT;
}

bool clscan__type_is_floating(clscan_type type)
{
    return type == CLSCAN_HALF || type == CLSCAN_FLOAT || type == CLSCAN_DOUBLE;
}

bool clscan__type_is_signed(clscan_type type)
{
    return type == CLSCAN_INT8 || type == CLSCAN_INT16 || type == CLSCAN_INT32 || type == CLSCAN_INT64;
}

const char *clscan_type_name(clscan_type type)
{
    return clscan__type_is_valid(type) ? all_traits[type].name : "unknown";
}

const char *clscan__type_cl_name(clscan_type type)
{
    return clscan__type_is_valid(type) ? all_traits[type].cl_name : "unknown";
}

size_t clscan_type_size_bytes(clscan_type type)
{
    return clscan__type_is_valid(type) ? all_traits[type].size_bytes : 0;
}

clscan_type clscan_type_accumulator(clscan_type type)
{
    return clscan__type_is_valid(type) ? all_traits[type].accumulator : type;
}

size_t clscan__type_sum_bytes(clscan_type type)
{
    return clscan_type_size_bytes(clscan_type_accumulator(type));
}

int clscan_type_from_name(const char *name, clscan_type *type)
{
    for (int i = 0; name != NULL && i < CLSCAN_TYPE_COUNT; ++i) {
        if (strcmp(name, all_traits[i].name) == 0) {
            *type = (clscan_type)i;
            return 1;
        }
    }
    return 0;
}

size_t clscan__word_bytes(size_t size_bytes)
{
    size_t bytes = 8;

    while (size_bytes % bytes != 0)
        bytes /= 2;
    return bytes;
}

const char *clscan__unsigned_cl_name(size_t size_bytes)
{
    switch (size_bytes) {
    case 1:
        return "uchar";
    case 2:
        return "ushort";
    case 4:
        return "uint";
    default:
        return "ulong";
    }
}

size_t clscan__element_bytes(const clscan__element *element)
{
    return element->custom != NULL ? element->custom->size_bytes : clscan_type_size_bytes(element->type);
}

/* That of a float for half. */
static size_t value_bytes(const clscan__element *element)
{
    return element->custom != NULL ? element->custom->size_bytes : clscan__type_sum_bytes(element->type);
}

static size_t value_align_bytes(const clscan__element *element)
{
    return element->custom != NULL ? element->custom->align_bytes : value_bytes(element);
}

/* Of an element in memory. */
static size_t stored_align_bytes(const clscan__element *element)
{
    return element->custom != NULL ? element->custom->align_bytes : clscan__element_bytes(element);
}

const char *clscan__element_value_name(const clscan__element *element)
{
    return element->custom != NULL ? element->custom->name
                                   : clscan__type_cl_name(clscan_type_accumulator(element->type));
}

clscan__elements clscan__elements_of(const clscan__custom_type *type)
{
    const clscan__element element = {.custom = type};

    return (clscan__elements){.in = element, .sum = element, .out = element};
}

bool clscan__elements_stay(const clscan__elements *elements)
{
    return elements->in.custom != NULL && elements->in.custom == elements->sum.custom &&
           elements->sum.custom == elements->out.custom && elements->maps == NULL;
}

/* Their bits are read in words. In the caller's, a tile of a reverse scan may end in a word of which not all bytes are
 * there. Sums of segments, and what says more of an element than that a segment begins, are not written for tiles that
 * land (cl/bodies/landed_marks.cl). */
static bool segments_land(const clscan__elements *elements)
{
    const clscan__segmented *segmented = elements->segmented;

    return (segmented->marked || (segmented->by == CLSCAN_BY_BITS && !segmented->reverse)) &&
           segmented->index_bytes == 0 && !elements->maps->discards && !elements->maps->keeps_previous &&
           !elements->maps->keeps_element;
}

bool clscan__elements_land(const clscan__elements *elements)
{
    const clscan__maps *maps = elements->maps;

    return clscan__elements_stay(elements) ||
           (elements->in.custom == NULL && elements->out.custom == NULL &&
            (elements->segmented == NULL || segments_land(elements)) &&
            clscan__element_bytes(&elements->out) >= clscan__element_bytes(&elements->in) &&
            (maps == NULL || (!maps->generates && !maps->selects && !maps->sees_before)));
}

bool clscan__elements_have_lanes(const clscan__elements *elements, clscan_operator op)
{
    const clscan__maps *maps = elements->maps;

    return elements->segmented == NULL && elements->sum.custom == NULL &&
           (maps == NULL || (!maps->selects && !maps->discards)) &&
           clscan__operator_is_commutative(op, elements->sum.type);
}

bool clscan__elements_go_abreast(const clscan__elements *elements, const clscan_custom_operator *custom)
{
    const clscan__custom_type *type = elements->sum.custom;

    return custom != NULL && custom->lanewise && clscan__elements_stay(elements) && elements->segmented == NULL &&
           type->source[0] != '\0' && (type->align_bytes == 4 || type->align_bytes == 8) &&
           clscan__is_power_of_two(type->size_bytes);
}

bool clscan__elements_fill_lines(const clscan__elements *elements)
{
    return clscan__elements_stay(elements) && elements->segmented == NULL && elements->sum.custom->lanes > 0 &&
           elements->sum.custom->size_bytes >= 16;
}

size_t clscan__elements_sum_align_bytes(const clscan__elements *elements)
{
    const size_t align_bytes = value_align_bytes(&elements->sum);

    return elements->segmented != NULL ? clscan__pair_align_bytes(elements->segmented, align_bytes) : align_bytes;
}

size_t clscan__elements_sum_bytes(const clscan__elements *elements)
{
    const size_t bytes = clscan__element_bytes(&elements->sum);

    return elements->segmented != NULL
               ? clscan__pair_bytes(elements->segmented, bytes, value_align_bytes(&elements->sum))
               : bytes;
}

size_t clscan__elements_held_bytes(const clscan__elements *elements)
{
    const clscan__maps *maps = elements->maps;
    const size_t sum_bytes = clscan__elements_sum_bytes(elements);
    const size_t align_bytes = clscan__elements_sum_align_bytes(elements);
    size_t bytes = sum_bytes, element_align_bytes;

    if (maps != NULL && maps->keeps_previous)
        bytes += sum_bytes;
    if (maps == NULL || !maps->keeps_element)
        return bytes;
    element_align_bytes = stored_align_bytes(&elements->in);
    bytes = clscan__align_up(bytes, element_align_bytes) + clscan__element_bytes(&elements->in);
    return clscan__align_up(bytes, align_bytes > element_align_bytes ? align_bytes : element_align_bytes);
}

bool clscan__maps_reload(const clscan__maps *maps)
{
    return maps->selects && !maps->rest && maps->keeps_element && maps->length_bytes > 0;
}

bool clscan__maps_keep_marks(const clscan__maps *maps)
{
    return maps->selects && !maps->rest && (!maps->keeps_element || clscan__maps_reload(maps));
}

size_t clscan__elements_marked_bytes(const clscan__elements *elements)
{
    const clscan__maps *maps = elements->maps;

    if (maps == NULL)
        return 0;
    if (maps->selects)
        return clscan__maps_keep_marks(maps) ? 1 : clscan__element_bytes(&elements->in);
    return elements->segmented != NULL && !maps->keeps_previous && !maps->keeps_element ? value_bytes(&elements->sum)
                                                                                        : 0;
}

size_t clscan__elements_walked_bytes(const clscan__elements *elements)
{
    const clscan__segmented *segmented = elements->segmented;

    return segmented != NULL && segmented->by == CLSCAN_BY_OFFSETS && (segmented->sums & CLSCAN__SUMS_ONLY) != 0
               ? value_bytes(&elements->sum)
               : 0;
}

size_t clscan__elements_passed_bytes(const clscan__elements *elements)
{
    const clscan__maps *maps = elements->maps;
    const bool passes = maps != NULL && maps->selects && maps->sees_before && maps->flag_bytes == 0 &&
                        !maps->flag_bits && elements->in.custom == NULL;

    return passes ? clscan__element_bytes(&elements->in) : 0;
}

uint32_t clscan__elements_gathered_most(const clscan__elements *elements)
{
    return elements->maps != NULL && clscan__maps_keep_marks(elements->maps) ? 64 : UINT32_MAX;
}

size_t clscan__elements_gathered_bytes(const clscan__elements *elements)
{
    const clscan__maps *maps = elements->maps;

    if (clscan__elements_marked_bytes(elements) == 0)
        return 0;
    if (clscan__maps_keep_marks(maps))
        return sizeof(uint16_t);
    if (maps->selects)
        return clscan__element_bytes(&elements->out) +
               (maps->column_count > 0 || maps->index_bytes > 0 ? sizeof(uint16_t) : 0);
    return maps->discards ? value_bytes(&elements->sum) + sizeof(uint16_t) : 0;
}
