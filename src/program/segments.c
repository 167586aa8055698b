#include "program/segments.h"

#include "base/checked.h"
#include "element/segments.h"
#include "program/maps.h"

#define FUNCTION "static inline __attribute__((always_inline)) "

/* The flag, as wide as the sum is aligned and a number needs, and what is left of that. */
static void append_pair(clscan__text *text, const clscan__elements *elements)
{
    const size_t sum_bytes = clscan__element_bytes(&elements->sum);
    const size_t align_bytes = clscan__elements_sum_align_bytes(elements);
    const size_t flag_bytes = align_bytes < 8 ? align_bytes : 8;
    const size_t gap_bytes = (size_t)clscan__align_up(sum_bytes, align_bytes) - sum_bytes;

    clscan__text_append(text, "typedef %s clscan_value;\n", clscan__element_value_name(&elements->sum));
    clscan__text_append(text, "typedef struct " CLSCAN__PAIR " {\n    clscan_value value;\n");
    if (gap_bytes > 0)
        clscan__text_append(text, "    uchar gap[%zu];\n", gap_bytes);
    clscan__text_append(text, "    %s begins;\n", clscan__unsigned_cl_name(flag_bytes));
    if (align_bytes > flag_bytes)
        clscan__text_append(text, "    ulong unused[%zu];\n", align_bytes / 8 - 1);
    clscan__text_append(text, "} " CLSCAN__PAIR ";\n" FUNCTION CLSCAN__PAIR
                              " clscan_pair_of(clscan_value value, bool begins)\n"
                              "{\n    " CLSCAN__PAIR " made;\n    made.value = value;\n    made.begins = begins;\n");
    for (size_t i = 0; i < gap_bytes; ++i)
        clscan__text_append(text, "    made.gap[%zu] = 0;\n", i);
    for (size_t i = 1; i < align_bytes / 8; ++i)
        clscan__text_append(text, "    made.unused[%zu] = 0;\n", i - 1);
    clscan__text_append(text, "    return made;\n}\n");
}

/* In reverse a segment ends where the flag is: what lies behind it in memory does not get in. */
static void append_operator(clscan__text *text, const clscan__segmented *segmented)
{
    const char *last = segmented->reverse ? "left" : "right", *first = segmented->reverse ? "right" : "left";

    clscan__text_append(text,
                        FUNCTION CLSCAN__PAIR " " CLSCAN__PAIR_OPERATOR "(" CLSCAN__PAIR " left, " CLSCAN__PAIR
                                              " right)\n{\n    " CLSCAN__PAIR " joined = %s;\n    if (!%s.begins)\n"
                                              "        joined.value = %s(left.value, right.value);\n"
                                              "    joined.begins %s= %s.begins;\n    return joined;\n}\n",
                        last, last, segmented->function, segmented->sums != 0 ? "+" : "|", first);
    if (segmented->identity != NULL)
        clscan__text_append(
            text, FUNCTION CLSCAN__PAIR " clscan_no_pair(void)\n{\n    return clscan_pair_of(%s, false);\n}\n",
            segmented->neutral);
}

/* What maps read. Offsets have become marks, in words. */
static const char *begin_name(const clscan__segmented *segmented)
{
    switch (segmented->by) {
    case CLSCAN_BY_BITS:
        return "uchar";
    case CLSCAN_BY_OFFSETS:
        return "uint";
    default: /* half as its bits */
        return segmented->type == CLSCAN_HALF ? "ushort" : clscan__type_cl_name(segmented->type);
    }
}

/* Keys are copied bit by bit, also where the device knows no half. */
static void append_sum_types(clscan__text *text, const clscan__segmented *segmented)
{
    const bool by_offsets = segmented->by == CLSCAN_BY_OFFSETS;

    clscan__text_append(
        text, "typedef %s clscan_offset;\ntypedef %s clscan_key;\n",
        by_offsets ? clscan__type_cl_name(segmented->type) : clscan__unsigned_cl_name(segmented->index_bytes),
        segmented->by == CLSCAN_BY_KEYS ? clscan__unsigned_cl_name(clscan_type_size_bytes(segmented->type)) : "uchar");
}

/* A segment begins, in the order of the scan, at its first element in memory, or in reverse at its last. */
void clscan__segments_define(clscan__text *text, const clscan__elements *elements)
{
    const clscan__segmented *segmented = elements->segmented;
    const bool before = segmented->exclusive || elements->maps->keeps_previous;

    clscan__text_append(text, "#define CLSCAN_LOADS_NEXT_HEAD %d\n", segmented->reverse);
    clscan__text_append(text, "#define CLSCAN_STORES_NEXT_HEAD %d\n",
                        segmented->sums != 0 || (segmented->reverse && before));
}

void clscan__segments_append_pairs(clscan__text *text, const clscan__elements *elements)
{
    clscan__text_append(text, "#line 1 \"segments\"\n");
    append_pair(text, elements);
    append_operator(text, elements->segmented);
    clscan__text_append(text, "typedef %s clscan_begin;\n", begin_name(elements->segmented));
    if (elements->segmented->sums != 0)
        append_sum_types(text, elements->segmented);
}

/* The integers that the bits of an initial value are given in. */
static const char *bits_name(const clscan__elements *elements)
{
    static const char *const names[] = {"ulong", "ulong2", "ulong4", "ulong8"};
    uint32_t words = clscan__segments_value_bytes(clscan__element_bytes(&elements->sum)) / 8;
    size_t i = 0;

    while (words > 1u << i)
        ++i;
    return names[i];
}

/* A negative offset becomes a large one. */
static void append_mark_kernel(clscan__text *text, const clscan__elements *elements)
{
    const clscan__segmented *segmented = elements->segmented;

    clscan__text_append(text,
                        "#line 1 \"marks of segments\"\n__kernel void " CLSCAN__MARK_KERNEL
                        "(__global const %s *offsets, ulong first, ulong offset_count, "
                        "ulong count, __global uint *marks, ulong first_mark",
                        clscan__type_cl_name(segmented->type));
    if (segmented->sums != 0)
        clscan__text_append(text,
                            ", %s bits, __global const clscan_value *initial, ulong first_initial, uint mode, "
                            "__global clscan_value *sums, ulong first_sum",
                            bits_name(elements));
    clscan__text_append(text, ")\n{\n    offsets += first;\n");
    if (segmented->sums != 0)
        clscan__text_append(text, "    sums += first_sum;\n    initial += first_initial;\n");
    clscan__text_append(text, "    for (ulong i = get_global_id(0); i < offset_count; i += get_global_size(0)) {\n"
                              "        const ulong at = (ulong)offsets[i];\n\n"
                              "        if (at < count)\n"
                              "            (void)atomic_or((volatile __global uint *)marks + first_mark + at / 32, "
                              "1u << (uint)(at %% 32));\n");
    if (segmented->sums != 0)
        clscan__text_append(text,
                            "        if (i + 1 < offset_count && clscan_is_empty(offsets, i, count))\n"
                            "            sums[i] = mode != %d ? clscan_segment_initial(bits, initial, mode) : %s;\n",
                            CLSCAN__SEGMENTS_NO_INITIAL, segmented->identity != NULL ? segmented->identity : "sums[i]");
    clscan__text_append(text, "    }\n}\n");
}

/* What a run of no elements gives. */
static void append_no_segments_kernel(clscan__text *text)
{
    clscan__text_append(text,
                        "#line 1 \"no segments\"\n__kernel void " CLSCAN__NO_SEGMENTS_KERNEL
                        "(uint gives, __global clscan_offset *offsets, ulong first_offset, "
                        "__global clscan_offset *number, ulong at)\n{\n"
                        "    if (gives & %d)\n        offsets[first_offset] = 0;\n"
                        "    if (gives & %d)\n        number[at] = 0;\n}\n",
                        CLSCAN__SEGMENTS_GIVE_OFFSETS, CLSCAN__SEGMENTS_GIVE_NUMBER);
}

void clscan__segments_append_kernel(clscan__text *text, const clscan__elements *elements)
{
    if (elements->segmented->by == CLSCAN_BY_OFFSETS)
        append_mark_kernel(text, elements);
    else if (elements->segmented->sums != 0)
        append_no_segments_kernel(text);
}

/* The first of the library's arguments, behind the caller's. */
static size_t first_own(const clscan__elements *elements)
{
    return elements->maps->argument_count - clscan__segments_argument_count(elements->segmented);
}

/* Does a segment begin at an element that is not the first? */
static void append_begins(clscan__text *text, const clscan__segmented *segmented)
{
    const char *begins = segmented->by == CLSCAN_BY_BITS      ? CLSCAN__BIT_AT_INDEX("at")
                         : segmented->by == CLSCAN_BY_OFFSETS ? "(at[index >> 5] >> (index & 31) & 1) != 0"
                         : segmented->by == CLSCAN_BY_KEYS    ? "clscan_differ(at[index - 1], at[index])"
                                                              : "at[index] != 0";

    if (segmented->by == CLSCAN_BY_KEYS)
        clscan__text_append(text,
                            FUNCTION "bool clscan_differ(clscan_begin left, clscan_begin right)\n{\n    return %s;"
                                     "\n}\n",
                            segmented->type == CLSCAN_HALF ? "!(vload_half(0, (const __private half *)&left) == "
                                                             "vload_half(0, (const __private half *)&right))"
                                                           : "!(left == right)");
    clscan__text_append(
        text, FUNCTION "bool clscan_begins(__global const clscan_begin *at, ulong index)\n{\n    return %s;\n}\n",
        begins);
}

/* Of a vector's elements, which are integers or keys. What is read in place of a missing neighbour does not
 * matter. */
static void append_vector_heads(clscan__text *text, const clscan__segmented *segmented)
{
    const bool by_keys = segmented->by == CLSCAN_BY_KEYS;

    clscan__text_append(text,
                        "    clscan_begin units[CLSCAN_VECTOR_LENGTH];\n\n"
                        "#if CLSCAN_VECTOR_LENGTH > 1\n"
                        "    typedef CLSCAN_BEGIN_VECTOR(%s, CLSCAN_VECTOR_LENGTH) vector;\n"
                        "    if (aligned)\n"
                        "        CLSCAN_BEGIN_VECTOR(vstore, CLSCAN_VECTOR_LENGTH)"
                        "(*(__global const vector *)(at + first), 0, units);\n"
                        "    else\n#endif\n"
                        "#pragma unroll\n"
                        "        for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)\n"
                        "            units[c] = at[first + c];\n"
                        "#pragma unroll\n"
                        "    for (uint c = %d; c < CLSCAN_VECTOR_LENGTH; ++c)\n"
                        "        heads |= (uint)(%s) << c;\n",
                        begin_name(segmented), by_keys,
                        by_keys ? "clscan_differ(units[c - 1], units[c])" : "units[c] != 0");
    if (by_keys)
        clscan__text_append(text, "    heads |= clscan_differ(at[first - (first > 0)], units[0]);\n");
}

/* The same of bits in words, of which an aligned vector's stand in one, or in two of 8. */
static void append_bit_heads(clscan__text *text, unsigned word_bits)
{
    clscan__text_append(text,
                        "    const uint shift = (uint)(first %% %u);\n"
                        "    const ulong word = first / %u;\n\n"
                        "    heads = (uint)at[word] >> shift;\n"
                        "#pragma unroll\n"
                        "    for (uint bits = %u, i = 1; bits < CLSCAN_VECTOR_LENGTH + %u; bits += %u, ++i)\n"
                        "        if (aligned ? bits < CLSCAN_VECTOR_LENGTH : bits < shift + CLSCAN_VECTOR_LENGTH)\n"
                        "            heads |= (uint)at[word + i] << (bits - shift);\n"
                        "    heads &= (1u << CLSCAN_VECTOR_LENGTH) - 1;\n",
                        word_bits, word_bits, word_bits, word_bits - 1, word_bits);
}

/* Where segments begin: at an element and the next one, or at those of a vector and behind it, a bit each. `aligned`
 * and `next` are constants. */
static void append_heads(clscan__text *text, const clscan__elements *elements)
{
    const clscan__segmented *segmented = elements->segmented;
    const bool by_bits = segmented->by == CLSCAN_BY_BITS || segmented->by == CLSCAN_BY_OFFSETS;
    const size_t own = first_own(elements), begins = own + CLSCAN__SEGMENTS_BEGINS,
                 count = own + CLSCAN__SEGMENTS_COUNT;

    clscan__text_append(text,
                        FUNCTION "uint clscan_heads_at(clscan_arguments all, ulong index, bool next)\n{\n"
                                 "    uint heads = index > 0 && clscan_begins(all.at_%zu, index);\n\n"
                                 "    if (next && index + 1 < all.at_%zu)\n"
                                 "        heads |= (uint)clscan_begins(all.at_%zu, index + 1) << 1;\n"
                                 "    return heads;\n}\n",
                        begins, count, begins);
    clscan__text_append(text, FUNCTION "bool clscan_heads_aligned(clscan_arguments all, ulong index)\n{\n    return %s",
                        by_bits ? "index % CLSCAN_VECTOR_LENGTH == 0;\n}\n" : "");
    if (!by_bits)
        clscan__text_append(
            text, "(ulong)(all.at_%zu + index) %% (CLSCAN_VECTOR_LENGTH * sizeof(clscan_begin)) == 0;\n}\n", begins);
    clscan__text_append(text,
                        "#define CLSCAN_BEGIN_VECTOR_(name, length) name##length\n"
                        "#define CLSCAN_BEGIN_VECTOR(name, length) CLSCAN_BEGIN_VECTOR_(name, length)\n" FUNCTION
                        "uint clscan_heads(clscan_arguments all, ulong first, bool aligned, bool next)\n{\n"
                        "    __global const clscan_begin *at = all.at_%zu;\n    uint heads = 0;\n",
                        begins);
    if (by_bits)
        append_bit_heads(text, segmented->by == CLSCAN_BY_BITS ? 8 : 32);
    else
        append_vector_heads(text, segmented);
    clscan__text_append(
        text,
        "    if (next)\n"
        "        heads |= (uint)clscan_begins(at, min(first + CLSCAN_VECTOR_LENGTH, all.at_%zu - 1)) << "
        "CLSCAN_VECTOR_LENGTH;\n    return heads;\n}\n",
        count);
}

/* The initial value: its bits, or what stands in a buffer. */
static void append_initial(clscan__text *text, const clscan__elements *elements)
{
    const size_t bytes = clscan__element_bytes(&elements->sum);
    const uint32_t words = clscan__segments_value_bytes(bytes) / 8;

    clscan__text_append(text,
                        FUNCTION "clscan_value clscan_segment_initial(%s bits, __global const clscan_value *at, "
                                 "uint mode)\n{\n",
                        bits_name(elements));
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

/* The library's arguments, as maps find them. */
static void append_own_arguments(clscan__text *text, const clscan__elements *elements)
{
    const size_t own = first_own(elements);

    if (elements->segmented->reverse)
        clscan__text_append(text, "    const bool first = index + 1 == clscan_all.at_%zu || (heads & 2) != 0;\n",
                            own + CLSCAN__SEGMENTS_COUNT);
    else
        clscan__text_append(text, "    const bool first = index == 0 || (heads & 1) != 0;\n");
    clscan__text_append(text, "    const uint mode = clscan_all.at_%zu;\n", own + CLSCAN__SEGMENTS_MODE);
}

static void append_initial_call(clscan__text *text, const clscan__elements *elements)
{
    const size_t own = first_own(elements);

    clscan__text_append(text, "clscan_segment_initial(clscan_all.at_%zu, clscan_all.at_%zu, mode)",
                        own + CLSCAN__SEGMENTS_VALUE, own + CLSCAN__SEGMENTS_INITIAL);
}

/* The first element of a segment, in the order of the scan, has the initial value in it. */
static void append_load(clscan__text *text, const clscan__elements *elements)
{
    const clscan__segmented *segmented = elements->segmented;
    const bool generates = elements->maps->generates;

    clscan__text_append(text, FUNCTION CLSCAN__PAIR " clscan_map_load(");
    if (!generates)
        clscan__text_append(text, "%s element, ", clscan__element_value_name(&elements->in));
    clscan__text_append(text,
                        "uint heads, ulong index, clscan_arguments clscan_all)\n{\n"
                        "    clscan_value value = clscan_own_load(%sindex, clscan_all);\n",
                        generates ? "" : "element, ");
    append_own_arguments(text, elements);
    if ((segmented->sums & CLSCAN__SUMS_END_INITIAL) == 0) {
        clscan__text_append(text, "    if (first && mode != %d)\n        value = %s(%s", CLSCAN__SEGMENTS_NO_INITIAL,
                            segmented->function, segmented->reverse ? "value, " : "");
        append_initial_call(text, elements);
        clscan__text_append(text, "%s);\n", segmented->reverse ? "" : ", value");
    }
    clscan__text_append(text, "    return clscan_pair_of(value, first);\n}\n");
}

/* What lies before the first element of a segment: without identity the host insists on an initial value, so that it
 * does not matter what takes its place. */
static void append_before(clscan__text *text, const clscan__elements *elements, const char *name)
{
    const char *identity = elements->segmented->identity;

    clscan__text_append(
        text, "    clscan_value clscan_%s = %s.value;\n    if (first && mode != %d)\n        clscan_%s = ", name, name,
        CLSCAN__SEGMENTS_NO_INITIAL, name);
    append_initial_call(text, elements);
    clscan__text_append(text, ";\n");
    if (identity != NULL)
        clscan__text_append(text, "    else if (first)\n        clscan_%s = %s;\n", name, identity);
}

/* The number of the segment of element `index`, of which `begun` segments have begun up to there, among those that
 * offsets bound: as many offsets stand up to there, or one less or more where some are equal or the first is not 0. */
static void append_search(clscan__text *text, const clscan__segmented *segmented)
{
    const char *wide = clscan__type_is_signed(segmented->type) ? "long" : "ulong";

    clscan__text_append(
        text,
        FUNCTION "ulong clscan_segment_at(__global const clscan_offset *offsets, ulong offset_count, ulong begun, "
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
    const size_t own = first_own(elements);

    clscan__text_append(
        text,
        "    const ulong place = clscan_segment_at(clscan_all.at_%zu, clscan_all.at_%zu, sum.begins, index);"
        "\n\n    if (place + 1 < clscan_all.at_%zu && place != ~0ul &&\n"
        "        !clscan_is_empty(clscan_all.at_%zu, place, clscan_all.at_%zu))\n"
        "        clscan_all.at_%zu[place] = value;\n",
        own + CLSCAN__SEGMENTS_OFFSETS, own + CLSCAN__SEGMENTS_CAPACITY, own + CLSCAN__SEGMENTS_CAPACITY,
        own + CLSCAN__SEGMENTS_OFFSETS, own + CLSCAN__SEGMENTS_COUNT, own + CLSCAN__SEGMENTS_SUMS);
}

/* Otherwise it is one after another. */
static void append_sum_in_turn(clscan__text *text, const clscan__elements *elements)
{
    const size_t own = first_own(elements);

    clscan__text_append(text,
                        "    const ulong place = sum.begins - 1, capacity = clscan_all.at_%zu;\n"
                        "    const uint gives = clscan_all.at_%zu;\n\n"
                        "    if (index + 1 == clscan_all.at_%zu && (gives & %d))\n"
                        "        *clscan_all.at_%zu = sum.begins;\n"
                        "    if (place == capacity)\n        (void)atomic_inc(clscan_all.at_%zu);\n"
                        "    if (place >= capacity)\n        return;\n",
                        own + CLSCAN__SEGMENTS_CAPACITY, own + CLSCAN__SEGMENTS_GIVES, own + CLSCAN__SEGMENTS_COUNT,
                        CLSCAN__SEGMENTS_GIVE_NUMBER, own + CLSCAN__SEGMENTS_NUMBER, own + CLSCAN__SEGMENTS_OVERFLOWS);
    clscan__text_append(text, "    if (gives & %d)\n        clscan_all.at_%zu[place] = value;\n",
                        CLSCAN__SEGMENTS_GIVE_SUMS, own + CLSCAN__SEGMENTS_SUMS);
    if (elements->segmented->by == CLSCAN_BY_KEYS)
        clscan__text_append(text,
                            "    if (gives & %d)\n        clscan_all.at_%zu[place] = ((__global const clscan_key "
                            "*)clscan_all.at_%zu)[index];\n",
                            CLSCAN__SEGMENTS_GIVE_KEYS, own + CLSCAN__SEGMENTS_KEYS, own + CLSCAN__SEGMENTS_BEGINS);
    clscan__text_append(text,
                        "    if (gives & %d) {\n        clscan_all.at_%zu[place + 1] = index + 1;\n"
                        "        if (place == 0)\n            clscan_all.at_%zu[0] = 0;\n    }\n",
                        CLSCAN__SEGMENTS_GIVE_OFFSETS, own + CLSCAN__SEGMENTS_OFFSETS, own + CLSCAN__SEGMENTS_OFFSETS);
}

/* Writes what is wanted of a segment, if the element is its last one. */
static void append_give_sum(clscan__text *text, const clscan__elements *elements)
{
    const clscan__segmented *segmented = elements->segmented;
    const size_t own = first_own(elements);

    if (segmented->by == CLSCAN_BY_OFFSETS) {
        clscan__text_append(text, FUNCTION
                            "bool clscan_is_empty(__global const clscan_offset *offsets, ulong at, ulong count)\n{\n"
                            "    return (ulong)offsets[at] >= count || offsets[at + 1] <= offsets[at];\n}\n");
        append_search(text, segmented);
    }
    clscan__text_append(text,
                        FUNCTION "void clscan_give_sum(" CLSCAN__PAIR
                                 " sum, uint heads, ulong index, clscan_arguments clscan_all)"
                                 "\n{\n    clscan_value value = sum.value;\n\n"
                                 "    if (index + 1 != clscan_all.at_%zu && (heads & 2) == 0)\n        return;\n",
                        own + CLSCAN__SEGMENTS_COUNT);
    if ((segmented->sums & CLSCAN__SUMS_END_INITIAL) != 0) {
        clscan__text_append(text,
                            "    const uint mode = clscan_all.at_%zu;\n    if (mode != %d)\n        value = %s(value, ",
                            own + CLSCAN__SEGMENTS_MODE, CLSCAN__SEGMENTS_NO_INITIAL, segmented->function);
        append_initial_call(text, elements);
        clscan__text_append(text, ");\n");
    }
    if (segmented->by == CLSCAN_BY_OFFSETS)
        append_sum_by_offsets(text, elements);
    else
        append_sum_in_turn(text, elements);
    clscan__text_append(text, "}\n");
}

static void append_store(clscan__text *text, const clscan__elements *elements)
{
    const clscan__maps *maps = elements->maps;
    const uint32_t sums = elements->segmented->sums;
    const bool exclusive = elements->segmented->exclusive;
    const char *written = (sums & CLSCAN__SUMS_AND_EXCLUSIVE) != 0 ? "clscan_previous"
                          : exclusive                              ? "clscan_sum"
                                                                   : "sum.value";

    clscan__text_append(text, FUNCTION "%s clscan_map_store(" CLSCAN__PAIR " sum, uint heads, ulong index, ",
                        clscan__element_value_name(&elements->out));
    if (maps->keeps_previous)
        clscan__text_append(text, CLSCAN__PAIR " previous, ");
    if (maps->keeps_element)
        clscan__text_append(text, "%s element, ", clscan__element_value_name(&elements->in));
    clscan__text_append(text, "clscan_arguments clscan_all)\n{\n");
    if (sums != 0)
        clscan__text_append(text, "    clscan_give_sum(sum, heads, index, clscan_all);\n");
    if (exclusive || maps->keeps_previous)
        append_own_arguments(text, elements);
    if (exclusive)
        append_before(text, elements, "sum");
    if (maps->keeps_previous)
        append_before(text, elements, "previous");
    clscan__text_append(text, "    return clscan_own_store(%s, index, %s%sclscan_all);\n}\n", written,
                        maps->keeps_previous ? "clscan_previous, " : "", maps->keeps_element ? "element, " : "");
}

void clscan__segments_append_maps(clscan__text *text, const clscan__elements *elements)
{
    clscan__text_append(text, "#line 1 \"maps of segments\"\n");
    append_initial(text, elements);
    append_begins(text, elements->segmented);
    append_heads(text, elements);
    append_load(text, elements);
    if (elements->segmented->sums != 0)
        append_give_sum(text, elements);
    append_store(text, elements);
}
