#include "program/segments.h"

#include "base/checked.h"
#include "element/elementwise.h"
#include "element/operators.h"
#include "element/segments.h"
#include "program/maps.h"
#include "program/segment_parts.h"

/* The flag, as wide as the sum is aligned and a number needs, and what is left of that. */
static void append_pair(clscan__text *text, const clscan__elements *elements)
{
    const size_t sum_bytes = clscan__element_bytes(&elements->sum);
    const size_t align_bytes = clscan__elements_sum_align_bytes(elements);
    const size_t flag_bytes = align_bytes < 8 ? align_bytes : 8;
    const size_t gap_bytes = (size_t)clscan__align_up(sum_bytes, align_bytes) - sum_bytes;

    clscan__text_append(text, "typedef %s clscan_value;\ntypedef %s clscan_begun;\n",
                        clscan__element_value_name(&elements->sum), clscan__unsigned_cl_name(flag_bytes));
    clscan__text_append(text, "typedef struct " CLSCAN__PAIR " {\n    clscan_value value;\n");
    if (gap_bytes > 0)
        clscan__text_append(text, "    uchar gap[%zu];\n", gap_bytes);
    clscan__text_append(text, "    clscan_begun begins;\n");
    if (align_bytes > flag_bytes)
        clscan__text_append(text, "    ulong unused[%zu];\n", align_bytes / 8 - 1);
    clscan__text_append(text, "} " CLSCAN__PAIR ";\n" CLSCAN__INLINE CLSCAN__PAIR
                              " clscan_pair_of(clscan_value value, clscan_begun begins)\n"
                              "{\n    " CLSCAN__PAIR " made;\n    made.value = value;\n    made.begins = begins;\n");
    for (size_t i = 0; i < gap_bytes; ++i)
        clscan__text_append(text, "    made.gap[%zu] = 0;\n", i);
    for (size_t i = 1; i < align_bytes / 8; ++i)
        clscan__text_append(text, "    made.unused[%zu] = 0;\n", i - 1);
    clscan__text_append(text, "    return made;\n}\n");
}

/* Does what is neutral leave every value as it is? fmax() gives up NaN for an infinity. */
static bool neutral_is_exact(const clscan__elements *elements)
{
    const clscan_operator op = elements->segmented->op;

    return elements->sum.custom == NULL && op != CLSCAN_CUSTOM &&
           (op == CLSCAN_ADD || !clscan__type_is_floating(elements->sum.type));
}

/* In the order of the scan. In reverse a segment ends where the flag is: what lies behind it in memory does not get
 * in. */
static void append_operator(clscan__text *text, const clscan__elements *elements)
{
    const clscan__segmented *segmented = elements->segmented;
    const bool reverse = segmented->reverse;

    clscan__text_append(text,
                        CLSCAN__INLINE "clscan_value clscan_values_join(clscan_value before, clscan_value after)\n"
                                       "{\n    return " CLSCAN__CUSTOM_OPERATOR "(%s, %s);\n}\n",
                        reverse ? "after" : "before", reverse ? "before" : "after");
    clscan__text_append(
        text,
        CLSCAN__INLINE CLSCAN__PAIR " " CLSCAN__PAIR_OPERATOR "(" CLSCAN__PAIR " %s, " CLSCAN__PAIR
                                    " %s)\n{\n    " CLSCAN__PAIR " joined = after;\n    if (!after.begins)\n"
                                    "        joined.value = clscan_values_join(before.value, after.value);"
                                    "\n    joined.begins %s= before.begins;\n    return joined;\n}\n",
        reverse ? "after" : "before", reverse ? "before" : "after", segmented->index_bytes > 0 ? "+" : "|");
    if (neutral_is_exact(elements))
        clscan__text_append(text, "#define CLSCAN_SEGMENT_NEUTRAL %s\n", segmented->neutral);
    if (segmented->neutral != NULL)
        clscan__text_append(
            text, CLSCAN__INLINE CLSCAN__PAIR " clscan_no_pair(void)\n{\n    return clscan_pair_of(%s, false);\n}\n",
            segmented->neutral);
}

/* A segment begins, in the order of the scan, at its first element in memory, or in reverse at its last. */
void clscan__segments_define(clscan__text *text, const clscan__elements *elements)
{
    const clscan__segmented *segmented = elements->segmented;
    const bool before = segmented->exclusive || elements->maps->keeps_previous,
               gives = (segmented->sums & CLSCAN__SUMS_GIVEN) != 0;

    clscan__text_append(text, "#define CLSCAN_COUNTS_SEGMENTS %d\n", segmented->index_bytes > 0);
    clscan__text_append(text, "#define CLSCAN_LOADS_NEXT_HEAD %d\n", segmented->reverse);
    clscan__text_append(text, "#define CLSCAN_STORES_NEXT_HEAD %d\n", segmented->reverse ? before : gives);
}

/* One that is larger than it may be is refused: there is no offset. */
static void append_offset_count(clscan__text *text, const clscan__segmented *segmented)
{
    clscan__text_append(text,
                        "typedef %s clscan_offset_count;\n" CLSCAN__INLINE
                        "ulong clscan_offsets_taken(ulong most, __global const clscan_offset_count *at)\n{\n"
                        "    return *at <= most ? *at : 0;\n}\n",
                        clscan__unsigned_cl_name(segmented->offset_count_bytes));
}

void clscan__segments_append_pairs(clscan__text *text, const clscan__elements *elements)
{
    clscan__text_append(text, "#line 1 \"segments\"\n");
    append_pair(text, elements);
    append_operator(text, elements);
    clscan__text_append(text, "typedef %s clscan_begin;\n", clscan__segments_begin_name(elements));
    if (elements->segmented->offset_count_bytes > 0)
        append_offset_count(text, elements->segmented);
    if (elements->segmented->index_bytes > 0)
        clscan__segments_append_number_types(text, elements);
}

static bool is_scalar(const clscan__element *element, clscan_type type)
{
    return element->custom == NULL && element->type == type;
}

/* Are values loaded as they are, and may they be reordered? */
static bool loads_lanes(const clscan__elements *elements)
{
    const clscan_type type = elements->sum.type;

    return is_scalar(&elements->sum, type) && is_scalar(&elements->in, type) && elements->maps->load == NULL &&
           clscan__operator_is_commutative(elements->segmented->op, type);
}

bool clscan__segments_have_lanes(const clscan__elements *elements)
{
    return loads_lanes(elements) && is_scalar(&elements->out, elements->sum.type) && elements->maps->store == NULL &&
           elements->segmented->index_bytes == 0 && !elements->maps->discards;
}

bool clscan__segments_sum_lanes(const clscan__elements *elements)
{
    const clscan__segmented *segmented = elements->segmented;
    const clscan__maps *maps = elements->maps;

    return loads_lanes(elements) && neutral_is_exact(elements) && maps->discards && !segmented->reverse &&
           !segmented->exclusive && !maps->generates && !maps->keeps_previous && !maps->keeps_element;
}

bool clscan__segments_are_walked(const clscan_variant *variant, const clscan__segmented *segmented)
{
    const bool transposed = variant->body == CLSCAN_BODY_COALESCED && segmented->by == CLSCAN_BY_OFFSETS;

    return (variant->body == CLSCAN_BODY_CACHED_ROWS || transposed) && (segmented->sums & CLSCAN__SUMS_ONLY) != 0;
}

bool clscan__segments_look_at_offsets(const clscan__segmented *segmented)
{
    return !segmented->checks && !segmented->counts_on_device && segmented->offset_count_bytes == 0;
}

/* Comparing gives integers as wide as what is compared. */
static void append_comparison(clscan__text *text, const clscan__elements *elements, const char *lane_signs,
                              unsigned length)
{
    const clscan__segmented *segmented = elements->segmented;
    const char *type = clscan__segments_begin_name(elements);

    clscan__text_append(text,
                        CLSCAN__INLINE "%s%u clscan_lanes_compared(clscan_arguments all, ulong first)\n{\n"
                                       "    __global const clscan_begin *at = all.at_%zu + first;\n"
                                       "    const %s%u units = vload%u(0, at);\n\n"
                                       "    return convert_%s%u(units != ",
                        lane_signs, length, clscan__segments_at(elements, CLSCAN__SEGMENTS_BEGINS), type, length,
                        length, lane_signs, length);
    if (segmented->by == CLSCAN_BY_KEYS)
        clscan__text_append(text, "vload%u(0, at - 1));\n}\n", length);
    else
        clscan__text_append(text, "(%s%u)(0));\n}\n", type, length);
}

void clscan__segments_append_lanes(clscan__text *text, const clscan__elements *elements, uint32_t vector_length)
{
    static const char *const signs[] = {[1] = "char", [2] = "short", [4] = "int", [8] = "long"};
    const bool compares = !elements->segmented->reverse && clscan__segments_are_compared(elements->segmented);

    clscan__text_append(text, "#line 1 \"lanes of segments\"\n#define CLSCAN_COMPARES_LANES %d\n", compares);
    if (compares)
        append_comparison(text, elements, signs[clscan_type_size_bytes(elements->sum.type)], vector_length);
}

const char *clscan__segments_bits_name(const clscan__elements *elements)
{
    static const char *const names[] = {"ulong", "ulong2", "ulong4", "ulong8"};
    uint32_t words = clscan__segments_value_bytes(clscan__element_bytes(&elements->sum)) / 8;
    size_t i = 0;

    while (words > 1u << i)
        ++i;
    return names[i];
}

/* A sum of 64 bits, in two words, without atomics of 64 bits: who makes the low word wrap around adds 1 to the high
 * one. */
static void append_count_kernel(clscan__text *text)
{
    clscan__text_append(text, "#line 1 \"number of segments\"\n__kernel void " CLSCAN__COUNT_KERNEL
                              "(CLSCAN_RUN_PARAMETERS, __global const clscan_begin *at, ulong first, "
                              "volatile __global uint *total, ulong first_total)\n{\n"
                              "    const ulong count = CLSCAN_TAKE_COUNT(run.count);\n"
                              "    uint begun = 0;\n\n    at += first;\n    total += first_total;\n"
                              "    for (ulong i = get_global_id(0); i < count; i += get_global_size(0))\n"
                              "        begun += i == 0 || clscan_begins(at, i);\n"
                              "    if (begun > 0 && atomic_add(total, begun) > 0xffffffffu - begun)\n"
                              "        (void)atomic_inc(total + 1);\n}\n");
}

void clscan__segments_append_kernel(clscan__text *text, const clscan__elements *elements)
{
    const clscan__custom_type *key = elements->segmented->key;

    if (key != NULL) /* cl/elements/types.cl has it for elements */
        clscan__text_append(text, "CLSCAN_AGREE(%s, %zu, %zu, keys)\n", key->name, key->size_bytes, key->align_bytes);
    if (elements->segmented->by != CLSCAN_BY_OFFSETS && (elements->segmented->sums & CLSCAN__SUMS_GIVEN) != 0)
        clscan__segments_append_no_segments(text);
    if (clscan__segments_are_counted(elements->segmented))
        append_count_kernel(text);
}

/* Behind the caller's arguments. */
size_t clscan__segments_at(const clscan__elements *elements, clscan__segments_argument which)
{
    return elements->maps->argument_count - clscan__segments_argument_count(elements->segmented) +
           clscan__segments_argument_place(elements->segmented, which);
}

/* The initial value: its bits, or what stands in a buffer. */
static void append_initial(clscan__text *text, const clscan__elements *elements)
{
    const size_t bytes = clscan__element_bytes(&elements->sum);
    const uint32_t words = clscan__segments_value_bytes(bytes) / 8;

    clscan__text_append(text,
                        CLSCAN__INLINE "clscan_value clscan_segment_initial(%s bits, __global const clscan_value *at, "
                                       "uint mode)\n{\n",
                        clscan__segments_bits_name(elements));
    clscan__text_append(text, "    if (mode == %d)\n        return *at;\n", CLSCAN__SEGMENTS_INITIAL_BUFFER);
    if (elements->sum.custom == NULL && bytes < 8) {
        clscan__text_append(text, "    return as_%s((%s)bits);\n}\n", clscan__element_value_name(&elements->sum),
                            clscan__unsigned_cl_name(bytes));
        return;
    }
    clscan__text_append(text, "    union {\n        ulong words[%u];\n        clscan_value value;\n    } both;\n",
                        (unsigned)words);
    if (words == 1)
        clscan__text_append(text, "    both.words[0] = bits;\n");
    for (unsigned i = 0; words > 1 && i < words; ++i)
        clscan__text_append(text, "    both.words[%u] = bits.s%u;\n", i, i);
    clscan__text_append(text, "    return both.value;\n}\n");
}

/* The initial value of all segments or, behind `place`, of one. */
void clscan__segments_append_initial_call(clscan__text *text, const clscan__elements *elements, const char *place)
{
    clscan__text_append(text, "clscan_segment_initial(clscan_all.at_%zu, clscan_all.at_%zu%s%s, clscan_all.at_%zu)",
                        clscan__segments_at(elements, CLSCAN__SEGMENTS_VALUE),
                        clscan__segments_at(elements, CLSCAN__SEGMENTS_INITIAL), place != NULL ? " + " : "",
                        place != NULL ? place : "", clscan__segments_at(elements, CLSCAN__SEGMENTS_MODE));
}

/* Does the initial value enter where elements are loaded? Else it enters where sums leave. */
static bool begins_with_initial(const clscan__segmented *segmented)
{
    return (segmented->sums & CLSCAN__SUMS_END_INITIAL) == 0 && !segmented->initials;
}

/* The first element of a segment, in the order of the scan, has the initial value in it. Rows with marks join it to all
 * elements of a tile, if there is one, instead of asking for each (cl/bodies/marked_rows.cl). */
static void append_load(clscan__text *text, const clscan__elements *elements)
{
    const clscan__segmented *segmented = elements->segmented;
    const bool generates = elements->maps->generates;

    clscan__text_append(text, CLSCAN__INLINE "bool clscan_has_initial(clscan_arguments clscan_all)\n{\n    return %s",
                        begins_with_initial(segmented) ? "" : "false;\n}\n");
    if (begins_with_initial(segmented))
        clscan__text_append(text, "clscan_all.at_%zu != %d;\n}\n", clscan__segments_at(elements, CLSCAN__SEGMENTS_MODE),
                            CLSCAN__SEGMENTS_NO_INITIAL);
    clscan__text_append(text, CLSCAN__INLINE "clscan_value clscan_first_value(clscan_value value, clscan_arguments "
                                             "clscan_all)\n{\n    return clscan_values_join(");
    clscan__segments_append_initial_call(text, elements, NULL);
    clscan__text_append(text, ", value);\n}\n" CLSCAN__INLINE CLSCAN__PAIR " clscan_map_load(");
    if (!generates)
        clscan__text_append(text, "%s element, ", clscan__element_value_name(&elements->in));
    clscan__text_append(text,
                        "uint heads, ulong index, clscan_arguments clscan_all)\n{\n"
                        "    const bool first = (heads & %d) != 0;\n"
                        "    clscan_value value = clscan_own_load(%sindex, clscan_all);\n\n"
                        "    if (!CLSCAN_MARKS && first && clscan_has_initial(clscan_all))\n"
                        "        value = clscan_first_value(value, clscan_all);\n"
                        "    return clscan_pair_of(value, first);\n}\n",
                        segmented->reverse ? 2 : 1, generates ? "" : "element, ");
}

/* What lies before the first element of a segment that has no initial value of its own: without identity the host
 * insists on an initial value, so that it does not matter what takes its place. Rows with marks ask once for a tile
 * (cl/bodies/segmented_rows.cl). */
static void append_before_first(clscan__text *text, const clscan__elements *elements)
{
    const clscan__segmented *segmented = elements->segmented;

    clscan__text_append(text,
                        CLSCAN__INLINE "clscan_value clscan_before_first(clscan_arguments clscan_all)\n{\n    return ");
    if (segmented->neutral != NULL)
        clscan__text_append(text, "clscan_all.at_%zu == %d ? " CLSCAN__CUSTOM_IDENTITY " : ",
                            clscan__segments_at(elements, CLSCAN__SEGMENTS_MODE), CLSCAN__SEGMENTS_NO_INITIAL);
    clscan__segments_append_initial_call(text, elements, NULL);
    clscan__text_append(text, ";\n}\n");
}

/* The sum before an element; an initial value of the segment's own is in no sum yet. */
static void append_before(clscan__text *text, const clscan__elements *elements, const char *name)
{
    const clscan__segmented *segmented = elements->segmented;

    clscan__text_append(text, "    clscan_value clscan_%s = %s.value;\n", name, name);
    if (!segmented->initials) {
        clscan__text_append(text, "    if (first)\n        clscan_%s = clscan_before_first(clscan_all);\n", name);
        return;
    }
    clscan__text_append(text,
                        "    if (clscan_has_first)\n"
                        "        clscan_%s = first ? clscan_first : clscan_values_join(clscan_first, clscan_%s);\n",
                        name, name);
    if (segmented->neutral != NULL)
        clscan__text_append(text, "    else if (first)\n        clscan_%s = " CLSCAN__CUSTOM_IDENTITY ";\n", name);
}

/* The initial value of the element's own segment, if that has one. More segments than values are reported here, unless
 * that is done where sums of segments are given. */
static void append_own_initial(clscan__text *text, const clscan__elements *elements)
{
    clscan__text_append(text, "    const ulong clscan_place = clscan_place_of_segment(sum.begins, index, clscan_all);\n"
                              "    const bool clscan_has_first = clscan_has_own_initial(clscan_place, clscan_all);\n"
                              "    clscan_value clscan_first = sum.value;\n\n"
                              "    if (clscan_has_first)\n        clscan_first = ");
    clscan__segments_append_initial_call(text, elements, "clscan_place");
    clscan__text_append(text, ";\n");
    if (clscan__segments_have(elements->segmented, CLSCAN__SEGMENTS_INITIALS) &&
        (elements->segmented->sums & CLSCAN__SUMS_GIVEN) == 0)
        clscan__text_append(text,
                            "    if ((heads & 1) != 0 && clscan_place == clscan_all.at_%zu)\n"
                            "        (void)atomic_inc(clscan_all.at_%zu);\n",
                            clscan__segments_at(elements, CLSCAN__SEGMENTS_INITIALS),
                            clscan__segments_at(elements, CLSCAN__SEGMENTS_OVERFLOWS));
}

/* In a reverse scan the first element of a segment in memory is the last one in the order of the scan. */
static void append_store(clscan__text *text, const clscan__elements *elements)
{
    const clscan__maps *maps = elements->maps;
    const clscan__segmented *segmented = elements->segmented;
    const bool exclusive = segmented->exclusive, reverse = segmented->reverse,
               own_initial = segmented->initials && !maps->discards;
    const char *written = (segmented->sums & CLSCAN__SUMS_AND_EXCLUSIVE) != 0 ? "clscan_previous"
                          : exclusive                                         ? "clscan_sum"
                          : own_initial                                       ? "clscan_with_first"
                                                                              : "sum.value";

    clscan__text_append(text, CLSCAN__INLINE "%s clscan_map_store(" CLSCAN__PAIR " sum, uint heads, ulong index, ",
                        clscan__element_value_name(&elements->out));
    if (maps->keeps_previous)
        clscan__text_append(text, CLSCAN__PAIR " previous, ");
    if (maps->keeps_element)
        clscan__text_append(text, "%s element, ", clscan__element_value_name(&elements->in));
    clscan__text_append(text, "clscan_arguments clscan_all)\n{\n");
    if ((segmented->sums & CLSCAN__SUMS_GIVEN) != 0)
        clscan__text_append(text,
                            "    if ((heads & %d) != 0)\n"
                            "        clscan_give_sum(sum.value, sum.begins, index, clscan_all);\n",
                            reverse ? 1 : 2);
    if (own_initial)
        append_own_initial(text, elements);
    if (exclusive || maps->keeps_previous)
        clscan__text_append(text, "    const bool first = (heads & %d) != 0;\n", reverse ? 2 : 1);
    if (exclusive)
        append_before(text, elements, "sum");
    if (maps->keeps_previous)
        append_before(text, elements, "previous");
    if (own_initial)
        clscan__text_append(text, "    const clscan_value clscan_with_first = clscan_has_first ? "
                                  "clscan_values_join(clscan_first, sum.value) : sum.value;\n");
    clscan__text_append(text, "    return clscan_own_store(%s, index, %s%sclscan_all);\n}\n", written,
                        maps->keeps_previous ? "clscan_previous, " : "", maps->keeps_element ? "element, " : "");
}

void clscan__segments_append_maps(clscan__text *text, const clscan__elements *elements)
{
    clscan__text_append(text, "#line 1 \"maps of segments\"\n");
    append_initial(text, elements);
    clscan__segments_append_heads(text, elements);
    append_load(text, elements);
    if (!elements->segmented->initials)
        append_before_first(text, elements);
    if (elements->segmented->index_bytes > 0)
        clscan__segments_append_places(text, elements);
    if ((elements->segmented->sums & CLSCAN__SUMS_GIVEN) != 0)
        clscan__segments_append_give_sum(text, elements);
    append_store(text, elements);
}
