#include <stdio.h>

#include "element/segments.h"
#include "program/segment_parts.h"

/* Keys are copied as words, also where the device knows no half. */
void clscan__segments_append_number_types(clscan__text *text, const clscan__elements *elements)
{
    const clscan__segmented *segmented = elements->segmented;
    const bool by_offsets = segmented->by == CLSCAN_BY_OFFSETS, by_keys = segmented->by == CLSCAN_BY_KEYS;
    const size_t key_bytes = !by_keys                           ? 1
                             : elements->segmented->key != NULL ? elements->segmented->key->size_bytes
                                                                : clscan_type_size_bytes(segmented->type);
    const size_t word_bytes = clscan__word_bytes(key_bytes);

    clscan__text_append(
        text, "typedef %s clscan_offset;\ntypedef struct clscan_key {\n    %s words[%zu];\n} clscan_key;\n",
        by_offsets ? clscan__type_cl_name(segmented->type) : clscan__unsigned_cl_name(segmented->index_bytes),
        clscan__unsigned_cl_name(word_bytes), key_bytes / word_bytes);
}

/* What a run of no elements gives. */
static void append_nothing(clscan__text *text, const char *gives, const char *offsets, const char *number)
{
    clscan__text_append(text, "    if (%s & %d)\n        *(%s) = 0;\n    if (%s & %d)\n        *(%s) = 0;\n}\n", gives,
                        CLSCAN__SEGMENTS_GIVE_OFFSETS, offsets, gives, CLSCAN__SEGMENTS_GIVE_NUMBER, number);
}

void clscan__segments_append_no_segments(clscan__text *text)
{
    clscan__text_append(text, "#line 1 \"no segments\"\n__kernel void " CLSCAN__NO_SEGMENTS_KERNEL
                              "(uint gives, __global clscan_offset *offsets, ulong first_offset, "
                              "__global clscan_offset *number, ulong at)\n{\n");
    append_nothing(text, "gives", "offsets + first_offset", "number + at");
}

/* The same in a launch for more elements. */
static void append_give_nothing(clscan__text *text, const clscan__elements *elements)
{
    char gives[40], offsets[40], number[40];

    snprintf(gives, sizeof gives, "clscan_all.at_%zu", clscan__segments_at(elements, CLSCAN__SEGMENTS_GIVES));
    snprintf(offsets, sizeof offsets, "clscan_all.at_%zu", clscan__segments_at(elements, CLSCAN__SEGMENTS_OFFSETS));
    snprintf(number, sizeof number, "clscan_all.at_%zu", clscan__segments_at(elements, CLSCAN__SEGMENTS_NUMBER));
    clscan__text_append(text, "#define CLSCAN_GIVES_NOTHING 1\n" CLSCAN__INLINE
                              "void clscan_give_nothing(clscan_arguments clscan_all)\n{\n");
    append_nothing(text, gives, offsets, number);
}

/* The number of the segment of element `index` among those that offsets bound: as many offsets stand up to there, but
 * one. `begun` segments have begun up to there, in the order of the scan. It is the same number, unless some offsets
 * are equal or none of an element, or the first one is not 0; so the search begins there, forward upward, and in
 * reverse from the last offset downward. */
static void append_search(clscan__text *text, const clscan__segmented *segmented)
{
    const char *wide = clscan__type_is_signed(segmented->type) ? "long" : "ulong";

    clscan__text_append(text, CLSCAN__INLINE
                        "ulong clscan_segment_at(__global const clscan_offset *offsets, ulong offset_count, "
                        "ulong begun, ulong index)\n{\n");
    if (segmented->reverse)
        clscan__text_append(text,
                            "    ulong high = offset_count + 1 - min(begun - 1, offset_count), step = 1, low;\n\n"
                            "    while (high > step && (%s)offsets[high - step - 1] > (%s)index) {\n"
                            "        high -= step;\n        step *= 2;\n    }\n"
                            "    for (low = high > step ? high - step : 0; low + 1 < high;) {\n",
                            wide, wide);
    else
        clscan__text_append(text,
                            "    ulong low = min(begun - 1, offset_count), step = 1, high;\n\n"
                            "    if (low + 1 < offset_count && (%s)offsets[low] <= (%s)index && "
                            "(%s)offsets[low + 1] > (%s)index)\n        return low;\n"
                            "    while (low + step <= offset_count && (%s)offsets[low + step - 1] <= (%s)index) {\n"
                            "        low += step;\n        step *= 2;\n    }\n"
                            "    for (high = min(low + step, offset_count + 1); low + 1 < high;) {\n",
                            wide, wide, wide, wide, wide, wide);
    clscan__text_append(text,
                        "        const ulong middle = low + (high - low) / 2;\n\n"
                        "        if ((%s)offsets[middle - 1] <= (%s)index)\n            low = middle;\n"
                        "        else\n            high = middle;\n    }\n"
                        "    return low - 1;\n}\n",
                        wide, wide);
}

/* How many offsets there are. */
static void append_offset_count_of(clscan__text *text, const clscan__elements *elements)
{
    const size_t capacity = clscan__segments_at(elements, CLSCAN__SEGMENTS_CAPACITY);

    clscan__text_append(text, CLSCAN__INLINE "ulong clscan_offset_count_of(clscan_arguments clscan_all)\n{\n");
    if (clscan__segments_have(elements->segmented, CLSCAN__SEGMENTS_OFFSET_COUNT))
        clscan__text_append(text, "    return clscan_offsets_taken(clscan_all.at_%zu, clscan_all.at_%zu);\n}\n",
                            capacity, clscan__segments_at(elements, CLSCAN__SEGMENTS_OFFSET_COUNT));
    else
        clscan__text_append(text, "    return clscan_all.at_%zu;\n}\n", capacity);
}

/* The number of the segment of which as many have begun up to an element, in the order of the scan; by offsets ~0 for
 * what stands before the first of them, and the last one's for what stands behind it. */
void clscan__segments_append_places(clscan__text *text, const clscan__elements *elements)
{
    const clscan__segmented *segmented = elements->segmented;
    const bool by_offsets = segmented->by == CLSCAN_BY_OFFSETS;

    if (by_offsets) {
        append_offset_count_of(text, elements);
        append_search(text, segmented);
    }
    clscan__text_append(text, CLSCAN__INLINE
                        "ulong clscan_place_of_segment(ulong begun, ulong index, clscan_arguments clscan_all)\n{\n");
    if (by_offsets)
        clscan__text_append(text,
                            "    const ulong offset_count = clscan_offset_count_of(clscan_all);\n\n"
                            "    return clscan_segment_at(clscan_all.at_%zu, offset_count, begun, index);\n}\n",
                            clscan__segments_at(elements, CLSCAN__SEGMENTS_OFFSETS));
    else if (clscan__segments_are_counted(segmented))
        clscan__text_append(text,
                            "    __global const uint *total = clscan_all.at_%zu;\n\n"
                            "    return (total[0] | (ulong)total[1] << 32) - begun;\n}\n",
                            clscan__segments_at(elements, CLSCAN__SEGMENTS_TOTAL));
    else
        clscan__text_append(text, "    return begun - 1;\n}\n");
    if (!segmented->initials)
        return;
    clscan__text_append(text,
                        CLSCAN__INLINE "bool clscan_has_own_initial(ulong place, clscan_arguments clscan_all)\n{\n");
    if (by_offsets) /* a negative one, which is large, begins none */
        clscan__text_append(text,
                            "    return place < clscan_offset_count_of(clscan_all) - 1 &&\n"
                            "           (ulong)clscan_all.at_%zu[place] < clscan_all.at_%zu;\n}\n",
                            clscan__segments_at(elements, CLSCAN__SEGMENTS_OFFSETS),
                            clscan__segments_at(elements, CLSCAN__SEGMENTS_COUNT));
    else
        clscan__text_append(text, "    return place < clscan_all.at_%zu;\n}\n",
                            clscan__segments_at(elements, CLSCAN__SEGMENTS_INITIALS));
}

/* How many segments there are, and whether there is too little room: the last element, in the order of the scan, knows
 * the one, and that of the first segment without room the other. */
static void append_number(clscan__text *text, const clscan__elements *elements)
{
    clscan__text_append(text,
                        "    const ulong capacity = clscan_all.at_%zu;\n    const uint gives = clscan_all.at_%zu;\n\n",
                        clscan__segments_at(elements, CLSCAN__SEGMENTS_CAPACITY),
                        clscan__segments_at(elements, CLSCAN__SEGMENTS_GIVES));
    if (elements->segmented->reverse)
        clscan__text_append(text, "    if (index == 0 && (gives & %d))\n", CLSCAN__SEGMENTS_GIVE_NUMBER);
    else
        clscan__text_append(text, "    if (index + 1 == clscan_all.at_%zu && (gives & %d))\n",
                            clscan__segments_at(elements, CLSCAN__SEGMENTS_COUNT), CLSCAN__SEGMENTS_GIVE_NUMBER);
    clscan__text_append(text, "        *clscan_all.at_%zu = number;\n    if (place == ",
                        clscan__segments_at(elements, CLSCAN__SEGMENTS_NUMBER));
    if (elements->segmented->initials)
        clscan__text_append(text, "min(capacity, clscan_all.at_%zu)",
                            clscan__segments_at(elements, CLSCAN__SEGMENTS_INITIALS));
    else
        clscan__text_append(text, "capacity");
    clscan__text_append(text, ")\n        (void)atomic_inc(clscan_all.at_%zu);\n",
                        clscan__segments_at(elements, CLSCAN__SEGMENTS_OVERFLOWS));
}

/* By flags, bits and keys it is one after another. Forward it is a segment's last element that writes: also the key of
 * the next one, which is that of the element behind it. */
static void append_forward_sum(clscan__text *text, const clscan__elements *elements)
{
    const size_t offsets = clscan__segments_at(elements, CLSCAN__SEGMENTS_OFFSETS),
                 keys = clscan__segments_at(elements, CLSCAN__SEGMENTS_KEYS);

    append_number(text, elements);
    clscan__text_append(text,
                        "    if (place >= capacity)\n        return;\n"
                        "    if (gives & %d)\n        clscan_all.at_%zu[place] = value;\n"
                        "    if (gives & %d) {\n        clscan_all.at_%zu[place + 1] = index + 1;\n"
                        "        if (place == 0)\n            clscan_all.at_%zu[0] = 0;\n    }\n",
                        CLSCAN__SEGMENTS_GIVE_SUMS, clscan__segments_at(elements, CLSCAN__SEGMENTS_SUMS),
                        CLSCAN__SEGMENTS_GIVE_OFFSETS, offsets, offsets);
    if (elements->segmented->by == CLSCAN_BY_KEYS)
        clscan__text_append(
            text,
            "    if (gives & %d) {\n"
            "        __global const clscan_key *from = (__global const clscan_key *)clscan_all.at_%zu;\n\n"
            "        if (place + 1 < capacity && index + 1 < clscan_all.at_%zu)\n"
            "            clscan_all.at_%zu[place + 1] = from[index + 1];\n"
            "        if (place == 0)\n            clscan_all.at_%zu[0] = from[0];\n    }\n",
            CLSCAN__SEGMENTS_GIVE_KEYS, clscan__segments_at(elements, CLSCAN__SEGMENTS_BEGINS),
            clscan__segments_at(elements, CLSCAN__SEGMENTS_COUNT), keys, keys);
}

/* In reverse it is its first one in memory. The place behind the last segment that has room gets an offset as well. */
static void append_reverse_sum(clscan__text *text, const clscan__elements *elements)
{
    const size_t offsets = clscan__segments_at(elements, CLSCAN__SEGMENTS_OFFSETS);

    append_number(text, elements);
    clscan__text_append(
        text,
        "    if ((gives & %d) && place <= capacity)\n        clscan_all.at_%zu[place] = index;\n"
        "    if (place >= capacity)\n        return;\n"
        "    if ((gives & %d) && number == 1)\n        clscan_all.at_%zu[place + 1] = clscan_all.at_%zu;\n"
        "    if (gives & %d)\n        clscan_all.at_%zu[place] = value;\n",
        CLSCAN__SEGMENTS_GIVE_OFFSETS, offsets, CLSCAN__SEGMENTS_GIVE_OFFSETS, offsets,
        clscan__segments_at(elements, CLSCAN__SEGMENTS_COUNT), CLSCAN__SEGMENTS_GIVE_SUMS,
        clscan__segments_at(elements, CLSCAN__SEGMENTS_SUMS));
    if (elements->segmented->by == CLSCAN_BY_KEYS)
        clscan__text_append(text,
                            "    if (gives & %d)\n        clscan_all.at_%zu[place] = "
                            "((__global const clscan_key *)clscan_all.at_%zu)[index];\n",
                            CLSCAN__SEGMENTS_GIVE_KEYS, clscan__segments_at(elements, CLSCAN__SEGMENTS_KEYS),
                            clscan__segments_at(elements, CLSCAN__SEGMENTS_BEGINS));
}

static bool has_late_initial(const clscan__segmented *segmented)
{
    return (segmented->sums & CLSCAN__SUMS_END_INITIAL) != 0 || segmented->initials;
}

/* The initial value that no element has in it: that of the segment's own, or one behind its elements. */
static void append_late_initial(clscan__text *text, const clscan__elements *elements)
{
    const clscan__segmented *segmented = elements->segmented;
    const bool at_end = (segmented->sums & CLSCAN__SUMS_END_INITIAL) != 0;

    if (!has_late_initial(segmented))
        return;
    if (segmented->initials)
        clscan__text_append(text, "    if (clscan_has_own_initial(place, clscan_all))\n");
    else
        clscan__text_append(text, "    if (clscan_all.at_%zu != %d)\n",
                            clscan__segments_at(elements, CLSCAN__SEGMENTS_MODE), CLSCAN__SEGMENTS_NO_INITIAL);
    clscan__text_append(text, "        value = clscan_values_join(%s", at_end ? "value, " : "");
    clscan__segments_append_initial_call(text, elements, segmented->initials ? "place" : NULL);
    clscan__text_append(text, "%s);\n", at_end ? "" : ", value");
}

/* And of one that is: its initial value, or else the identity, or else nothing. */
static void append_empty_sum(clscan__text *text, const clscan__elements *elements)
{
    const size_t sums = clscan__segments_at(elements, CLSCAN__SEGMENTS_SUMS);

    clscan__text_append(text,
                        CLSCAN__INLINE "void clscan_give_empty(ulong place, clscan_arguments clscan_all)\n{\n"
                                       "    if (clscan_all.at_%zu != %d)\n        clscan_all.at_%zu[place] = ",
                        clscan__segments_at(elements, CLSCAN__SEGMENTS_MODE), CLSCAN__SEGMENTS_NO_INITIAL, sums);
    clscan__segments_append_initial_call(text, elements, elements->segmented->initials ? "place" : NULL);
    clscan__text_append(text, ";\n");
    if (elements->segmented->neutral != NULL)
        clscan__text_append(text, "    else\n        clscan_all.at_%zu[place] = " CLSCAN__CUSTOM_IDENTITY ";\n", sums);
    clscan__text_append(text, "}\n#define CLSCAN_LOOKS_AT_OFFSETS %d\n",
                        clscan__segments_look_at_offsets(elements->segmented));
}

/* By offsets: those themselves, which segments are empty, and what is written of one that is not. */
static void append_offsets(clscan__text *text, const clscan__elements *elements)
{
    clscan__text_append(
        text,
        "#define CLSCAN_WIDE_OFFSET %s\n" CLSCAN__INLINE
        "__global const clscan_offset *clscan_offsets(clscan_arguments clscan_all)\n{\n"
        "    return clscan_all.at_%zu;\n}\n" CLSCAN__INLINE
        "bool clscan_is_empty(__global const clscan_offset *offsets, ulong at, ulong count)\n{\n"
        "    return ((ulong)offsets[at] >= count) | (offsets[at + 1] <= offsets[at]);\n}\n" CLSCAN__INLINE
        "void clscan_give_sum_of(clscan_value value, ulong place, clscan_arguments clscan_all)\n{\n",
        clscan__type_is_signed(elements->segmented->type) ? "long" : "ulong",
        clscan__segments_at(elements, CLSCAN__SEGMENTS_OFFSETS));
    append_late_initial(text, elements);
    clscan__text_append(text, "    clscan_all.at_%zu[place] = value;\n}\n",
                        clscan__segments_at(elements, CLSCAN__SEGMENTS_SUMS));
    append_empty_sum(text, elements);
}

/* The place of an offset is known. */
static void append_sum_by_offsets(clscan__text *text, const clscan__elements *elements)
{
    clscan__text_append(text,
                        "    if (place < clscan_offset_count_of(clscan_all) - 1 && "
                        "!clscan_is_empty(clscan_offsets(clscan_all), place, clscan_all.at_%zu))\n"
                        "        clscan_give_sum_of(value, place, clscan_all);\n}\n",
                        clscan__segments_at(elements, CLSCAN__SEGMENTS_COUNT));
}

/* For each end in a vector, from the lowest on, the next place; where each element is one, in vectors. */
#define GIVE_EACH                                                                         \
    "#define CLSCAN_GIVE_EACH(ends, to, what) \\\n"                                       \
    "    if ((ends) == (1u << CLSCAN_VECTOR_LENGTH) - 1) { \\\n"                          \
    "        for (uint c = 0, k = 0; c < CLSCAN_VECTOR_LENGTH; k = ++c) \\\n"             \
    "            to = what; \\\n    } else { \\\n"                                        \
    "        for (uint rest = (ends), k = 0, c; rest != 0; rest &= rest - 1, ++k) { \\\n" \
    "            c = 31 - clz(rest & -rest); \\\n            to = what; \\\n        } \\\n    }\n"

/* Where nothing but sums, offsets and keys are to be written: neither the first segment of all is here nor the last,
 * and all have room. */
static void append_sums_in_turn(clscan__text *text, const clscan__elements *elements)
{
    clscan__text_append(text,
                        "    const ulong place = number - 1;\n"
                        "    const uint gives = clscan_all.at_%zu;\n\n"
                        "    if (place > 0 && place + given < clscan_all.at_%zu && index + CLSCAN_VECTOR_LENGTH < "
                        "clscan_all.at_%zu) {\n"
                        "        if (gives & %d) {\n"
                        "            CLSCAN_GIVE_EACH(ends, clscan_all.at_%zu[place + k], sums[c])\n        }\n"
                        "        if (gives & %d) {\n"
                        "            CLSCAN_GIVE_EACH(ends, clscan_all.at_%zu[place + 1 + k], index + 1 + c)\n"
                        "        }\n",
                        clscan__segments_at(elements, CLSCAN__SEGMENTS_GIVES),
                        clscan__segments_at(elements, CLSCAN__SEGMENTS_CAPACITY),
                        clscan__segments_at(elements, CLSCAN__SEGMENTS_COUNT), CLSCAN__SEGMENTS_GIVE_SUMS,
                        clscan__segments_at(elements, CLSCAN__SEGMENTS_SUMS), CLSCAN__SEGMENTS_GIVE_OFFSETS,
                        clscan__segments_at(elements, CLSCAN__SEGMENTS_OFFSETS));
    if (elements->segmented->by == CLSCAN_BY_KEYS)
        clscan__text_append(text,
                            "        if (gives & %d) {\n"
                            "            CLSCAN_GIVE_EACH(ends, clscan_all.at_%zu[place + 1 + k], "
                            "((__global const clscan_key *)clscan_all.at_%zu)[index + 1 + c])\n        }\n",
                            CLSCAN__SEGMENTS_GIVE_KEYS, clscan__segments_at(elements, CLSCAN__SEGMENTS_KEYS),
                            clscan__segments_at(elements, CLSCAN__SEGMENTS_BEGINS));
    clscan__text_append(text, "        return;\n    }\n");
}

/* The same for all ends in a vector at `index`, of which there are some: of element c if bit c is set. The first of
 * these segments has the number. */
static void append_give_sums(clscan__text *text, const clscan__elements *elements)
{
    clscan__text_append(text, GIVE_EACH CLSCAN__INLINE
                        "void clscan_give_sums(const clscan_value *sums, uint ends, ulong number, ulong index, "
                        "clscan_arguments clscan_all)\n{\n"
                        "    const uint given = popcount(ends);\n");
    if (!has_late_initial(elements->segmented))
        append_sums_in_turn(text, elements);
    clscan__text_append(text, "    for (uint rest = ends; rest != 0; rest &= rest - 1, ++number)\n"
                              "        clscan_give_sum(sums[31 - clz(rest & -rest)], number, index + 31 - "
                              "clz(rest & -rest), clscan_all);\n}\n");
}

/* Writes what is wanted of a segment: as many have begun up to there, and the element is its last one, in the order of
 * the scan. */
void clscan__segments_append_give_sum(clscan__text *text, const clscan__elements *elements)
{
    const clscan__segmented *segmented = elements->segmented;
    const bool by_offsets = segmented->by == CLSCAN_BY_OFFSETS;

    if (by_offsets)
        append_offsets(text, elements);
    clscan__text_append(text,
                        CLSCAN__INLINE
                        "ulong clscan_segments_end(clscan_arguments clscan_all)\n{\n"
                        "    return clscan_all.at_%zu;\n}\n" CLSCAN__INLINE
                        "void clscan_give_sum(clscan_value value, ulong number, ulong index, "
                        "clscan_arguments clscan_all)\n{\n"
                        "    const ulong place = clscan_place_of_segment(number, index, clscan_all);\n\n",
                        clscan__segments_at(elements, CLSCAN__SEGMENTS_COUNT));
    if (by_offsets) {
        append_sum_by_offsets(text, elements);
        return;
    }
    append_late_initial(text, elements);
    if (segmented->reverse)
        append_reverse_sum(text, elements);
    else
        append_forward_sum(text, elements);
    clscan__text_append(text, "}\n");
    if (clscan__segments_sum_lanes(elements))
        append_give_sums(text, elements);
    if (segmented->counts_on_device)
        append_give_nothing(text, elements);
}
