#include <stdio.h>

#include "element/segments.h"
#include "program/segment_parts.h"

/* Keys are copied as words, also where the device knows no half. */
void clscan__segments_append_sum_types(clscan__text *text, const clscan__elements *elements)
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
    const size_t own = clscan__segments_first_own(elements);
    char gives[40], offsets[40], number[40];

    snprintf(gives, sizeof gives, "clscan_all.at_%zu", own + CLSCAN__SEGMENTS_GIVES);
    snprintf(offsets, sizeof offsets, "clscan_all.at_%zu", own + CLSCAN__SEGMENTS_OFFSETS);
    snprintf(number, sizeof number, "clscan_all.at_%zu", own + CLSCAN__SEGMENTS_NUMBER);
    clscan__text_append(text, "#define CLSCAN_GIVES_NOTHING 1\n" CLSCAN__INLINE
                              "void clscan_give_nothing(clscan_arguments clscan_all)\n{\n");
    append_nothing(text, gives, offsets, number);
}

/* The number of the segment of element `index`, of which `begun` segments have begun up to there, among those that
 * offsets bound: as many offsets stand up to there, or one less or more where some are equal or the first is not 0. */
static void append_search(clscan__text *text, const clscan__segmented *segmented)
{
    const char *wide = clscan__type_is_signed(segmented->type) ? "long" : "ulong";

    clscan__text_append(
        text,
        CLSCAN__INLINE
        "ulong clscan_segment_at(__global const clscan_offset *offsets, ulong offset_count, ulong begun, "
        "ulong index)\n{\n"
        "    ulong low = min(begun - 1, offset_count), step = 1, high;\n\n"
        "    while (low + step <= offset_count && (%s)offsets[low + step - 1] <= (%s)index) {\n"
        "        low += step;\n        step *= 2;\n    }\n"
        "    for (high = min(low + step, offset_count + 1); low + 1 < high;) {\n"
        "        const ulong middle = low + (high - low) / 2;\n\n"
        "        if ((%s)offsets[middle - 1] <= (%s)index)\n            low = middle;\n"
        "        else\n            high = middle;\n    }\n"
        "    return low - 1;\n}\n",
        wide, wide, wide, wide);
}

/* By offsets: an offset's place is known. What the mark kernel writes is not written here. */
static void append_sum_by_offsets(clscan__text *text, const clscan__elements *elements)
{
    const size_t own = clscan__segments_first_own(elements);

    clscan__text_append(text, "    const ulong offset_count = ");
    if (elements->segmented->offset_count_bytes > 0)
        clscan__text_append(text, "clscan_offsets_taken(clscan_all.at_%zu, clscan_all.at_%zu)",
                            own + CLSCAN__SEGMENTS_CAPACITY, own + CLSCAN__SEGMENTS_OFFSET_COUNT);
    else
        clscan__text_append(text, "clscan_all.at_%zu", own + CLSCAN__SEGMENTS_CAPACITY);
    clscan__text_append(text,
                        ";\n    const ulong place = clscan_segment_at(clscan_all.at_%zu, offset_count, number, index);"
                        "\n\n    if (place + 1 < offset_count && place != ~0ul &&\n"
                        "        !clscan_is_empty(clscan_all.at_%zu, place, clscan_all.at_%zu))\n"
                        "        clscan_all.at_%zu[place] = value;\n",
                        own + CLSCAN__SEGMENTS_OFFSETS, own + CLSCAN__SEGMENTS_OFFSETS, own + CLSCAN__SEGMENTS_COUNT,
                        own + CLSCAN__SEGMENTS_SUMS);
}

/* Otherwise it is one after another. Who ends a segment writes the key of the next one as well, which is that of the
 * element behind it. */
static void append_sum_in_turn(clscan__text *text, const clscan__elements *elements)
{
    const size_t own = clscan__segments_first_own(elements);

    clscan__text_append(text,
                        "    const ulong place = number - 1, capacity = clscan_all.at_%zu;\n"
                        "    const uint gives = clscan_all.at_%zu;\n\n"
                        "    if (index + 1 == clscan_all.at_%zu && (gives & %d))\n"
                        "        *clscan_all.at_%zu = number;\n"
                        "    if (place == capacity)\n        (void)atomic_inc(clscan_all.at_%zu);\n"
                        "    if (place >= capacity)\n        return;\n",
                        own + CLSCAN__SEGMENTS_CAPACITY, own + CLSCAN__SEGMENTS_GIVES, own + CLSCAN__SEGMENTS_COUNT,
                        CLSCAN__SEGMENTS_GIVE_NUMBER, own + CLSCAN__SEGMENTS_NUMBER, own + CLSCAN__SEGMENTS_OVERFLOWS);
    clscan__text_append(text, "    if (gives & %d)\n        clscan_all.at_%zu[place] = value;\n",
                        CLSCAN__SEGMENTS_GIVE_SUMS, own + CLSCAN__SEGMENTS_SUMS);
    if (elements->segmented->by == CLSCAN_BY_KEYS)
        clscan__text_append(
            text,
            "    if (gives & %d) {\n"
            "        __global const clscan_key *keys = (__global const clscan_key *)clscan_all.at_%zu;\n"
            "        if (place + 1 < capacity && index + 1 < clscan_all.at_%zu)\n"
            "            clscan_all.at_%zu[place + 1] = keys[index + 1];\n"
            "        if (place == 0)\n            clscan_all.at_%zu[0] = keys[0];\n    }\n",
            CLSCAN__SEGMENTS_GIVE_KEYS, own + CLSCAN__SEGMENTS_BEGINS, own + CLSCAN__SEGMENTS_COUNT,
            own + CLSCAN__SEGMENTS_KEYS, own + CLSCAN__SEGMENTS_KEYS);
    clscan__text_append(text,
                        "    if (gives & %d) {\n        clscan_all.at_%zu[place + 1] = index + 1;\n"
                        "        if (place == 0)\n            clscan_all.at_%zu[0] = 0;\n    }\n",
                        CLSCAN__SEGMENTS_GIVE_OFFSETS, own + CLSCAN__SEGMENTS_OFFSETS, own + CLSCAN__SEGMENTS_OFFSETS);
}

/* Writes what is wanted of a segment: as many have begun up to there, and the element is its last one. */
void clscan__segments_append_give_sum(clscan__text *text, const clscan__elements *elements)
{
    const clscan__segmented *segmented = elements->segmented;
    const size_t own = clscan__segments_first_own(elements);

    if (segmented->by == CLSCAN_BY_OFFSETS) {
        clscan__text_append(text, CLSCAN__INLINE
                            "bool clscan_is_empty(__global const clscan_offset *offsets, ulong at, ulong count)\n{\n"
                            "    return (ulong)offsets[at] >= count || offsets[at + 1] <= offsets[at];\n}\n");
        append_search(text, segmented);
    }
    clscan__text_append(text,
                        CLSCAN__INLINE "ulong clscan_segments_end(clscan_arguments clscan_all)\n{\n"
                                       "    return clscan_all.at_%zu;\n}\n" CLSCAN__INLINE
                                       "void clscan_give_sum(clscan_value value, ulong number, ulong index, "
                                       "clscan_arguments clscan_all)\n{\n",
                        own + CLSCAN__SEGMENTS_COUNT);
    if ((segmented->sums & CLSCAN__SUMS_END_INITIAL) != 0) {
        clscan__text_append(text,
                            "    const uint mode = clscan_all.at_%zu;\n    if (mode != %d)\n        value = %s(value, ",
                            own + CLSCAN__SEGMENTS_MODE, CLSCAN__SEGMENTS_NO_INITIAL, segmented->function);
        clscan__segments_append_initial_call(text, elements);
        clscan__text_append(text, ");\n");
    }
    if (segmented->by == CLSCAN_BY_OFFSETS)
        append_sum_by_offsets(text, elements);
    else
        append_sum_in_turn(text, elements);
    clscan__text_append(text, "}\n");
    if (segmented->counts_on_device && segmented->by != CLSCAN_BY_OFFSETS)
        append_give_nothing(text, elements);
}
