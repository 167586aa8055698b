#include "program/segments.h"

#include "element/segments.h"
#include "program/maps.h"

#define FUNCTION "static inline __attribute__((always_inline)) "

/* The flag, as wide as the sum is aligned, and what is left of that. */
static void append_pair(clscan__text *text, const clscan__elements *elements)
{
    const size_t align_bytes = clscan__elements_sum_align_bytes(elements);
    const size_t flag_bytes = align_bytes < 8 ? align_bytes : 8;

    clscan__text_append(text, "typedef %s clscan_value;\n", clscan__element_value_name(&elements->sum));
    clscan__text_append(text, "typedef struct " CLSCAN__PAIR " {\n    clscan_value value;\n    %s begins;\n",
                        clscan__unsigned_cl_name(flag_bytes));
    if (align_bytes > flag_bytes)
        clscan__text_append(text, "    ulong unused[%zu];\n", align_bytes / 8 - 1);
    clscan__text_append(text, "} " CLSCAN__PAIR ";\n" FUNCTION CLSCAN__PAIR
                              " clscan_pair_of(clscan_value value, bool begins)\n"
                              "{\n    " CLSCAN__PAIR " made;\n    made.value = value;\n    made.begins = begins;\n");
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
                                              "    joined.begins |= %s.begins;\n    return joined;\n}\n",
                        last, last, segmented->function, first);
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
    default:
        return clscan__type_cl_name(segmented->type);
    }
}

void clscan__segments_append_pairs(clscan__text *text, const clscan__elements *elements)
{
    clscan__text_append(text, "#line 1 \"segments\"\n");
    append_pair(text, elements);
    append_operator(text, elements->segmented);
    clscan__text_append(text, "typedef %s clscan_begin;\n", begin_name(elements->segmented));
}

void clscan__segments_append_kernel(clscan__text *text, const clscan__elements *elements)
{
    if (elements->segmented->by != CLSCAN_BY_OFFSETS)
        return;
    /* A negative offset becomes a large one. */
    clscan__text_append(text,
                        "#line 1 \"marks of segments\"\n"
                        "__kernel void " CLSCAN__MARK_KERNEL
                        "(__global const %s *offsets, ulong first, ulong offset_count, "
                        "ulong count, __global uint *marks, ulong first_mark)\n{\n"
                        "    for (ulong i = get_global_id(0); i < offset_count; i += get_global_size(0)) {\n"
                        "        const ulong at = (ulong)offsets[first + i];\n\n"
                        "        if (at < count)\n"
                        "            (void)atomic_or((volatile __global uint *)marks + first_mark + at / 32, "
                        "1u << (uint)(at %% 32));\n    }\n}\n",
                        clscan__type_cl_name(elements->segmented->type));
}

/* Does a segment begin at an element that is not the first? */
static const char *begins_of(const clscan__segmented *segmented)
{
    switch (segmented->by) {
    case CLSCAN_BY_BITS:
        return CLSCAN__BIT_AT_INDEX("at");
    case CLSCAN_BY_OFFSETS:
        return "(at[index >> 5] >> (index & 31) & 1) != 0";
    case CLSCAN_BY_KEYS:
        if (segmented->type == CLSCAN_HALF)
            return "!(vload_half(index - 1, at) == vload_half(index, at))";
        return "!(at[index - 1] == at[index])";
    default:
        return "at[index] != 0";
    }
}

/* The initial value: its bits, or what stands in a buffer. */
static void append_initial(clscan__text *text, const clscan__elements *elements)
{
    const size_t bytes = clscan__element_bytes(&elements->sum);
    const uint32_t words = clscan__segments_value_bytes(bytes) / 8;

    clscan__text_append(text,
                        FUNCTION "clscan_value clscan_segment_initial(ulong%s bits, __global const clscan_value *at, "
                                 "uint mode)\n{\n",
                        words == 1   ? ""
                        : words == 2 ? "2"
                        : words == 4 ? "4"
                                     : "8");
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

static void append_begins(clscan__text *text, const clscan__segmented *segmented)
{
    clscan__text_append(
        text,
        FUNCTION "bool clscan_begins(__global const clscan_begin *at, ulong index)\n{\n    return %s;\n}\n" FUNCTION
                 "bool clscan_is_first(__global const clscan_begin *at, ulong index, ulong count)\n{\n"
                 "    return %s;\n}\n",
        begins_of(segmented),
        segmented->reverse ? "index + 1 == count || clscan_begins(at, index + 1)"
                           : "index == 0 || clscan_begins(at, index)");
}

/* The library's arguments, as maps find them behind the caller's. */
static void append_own_arguments(clscan__text *text, const clscan__elements *elements)
{
    const size_t own = elements->maps->argument_count - CLSCAN__SEGMENTS_ARGUMENTS;

    clscan__text_append(text,
                        "    const bool first = clscan_is_first(clscan_all.at_%zu, index, clscan_all.at_%zu);\n"
                        "    const uint mode = clscan_all.at_%zu;\n",
                        own + CLSCAN__SEGMENTS_BEGINS, own + CLSCAN__SEGMENTS_COUNT, own + CLSCAN__SEGMENTS_MODE);
}

static void append_initial_call(clscan__text *text, const clscan__elements *elements)
{
    const size_t own = elements->maps->argument_count - CLSCAN__SEGMENTS_ARGUMENTS;

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
                        "ulong index, clscan_arguments clscan_all)\n{\n"
                        "    clscan_value value = clscan_own_load(%sindex, clscan_all);\n",
                        generates ? "" : "element, ");
    append_own_arguments(text, elements);
    clscan__text_append(text, "    if (first && mode != %d)\n        value = %s(%s", CLSCAN__SEGMENTS_NO_INITIAL,
                        segmented->function, segmented->reverse ? "value, " : "");
    append_initial_call(text, elements);
    clscan__text_append(text, "%s);\n    return clscan_pair_of(value, first);\n}\n",
                        segmented->reverse ? "" : ", value");
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

static void append_store(clscan__text *text, const clscan__elements *elements)
{
    const clscan__maps *maps = elements->maps;
    const bool exclusive = elements->segmented->exclusive;

    clscan__text_append(text, FUNCTION "%s clscan_map_store(" CLSCAN__PAIR " sum, ulong index, ",
                        clscan__element_value_name(&elements->out));
    if (maps->keeps_previous)
        clscan__text_append(text, CLSCAN__PAIR " previous, ");
    if (maps->keeps_element)
        clscan__text_append(text, "%s element, ", clscan__element_value_name(&elements->in));
    clscan__text_append(text, "clscan_arguments clscan_all)\n{\n");
    if (exclusive || maps->keeps_previous)
        append_own_arguments(text, elements);
    if (exclusive)
        append_before(text, elements, "sum");
    if (maps->keeps_previous)
        append_before(text, elements, "previous");
    clscan__text_append(text, "    return clscan_own_store(%s, index, %s%sclscan_all);\n}\n",
                        exclusive ? "clscan_sum" : "sum.value", maps->keeps_previous ? "clscan_previous, " : "",
                        maps->keeps_element ? "element, " : "");
}

void clscan__segments_append_maps(clscan__text *text, const clscan__elements *elements)
{
    clscan__text_append(text, "#line 1 \"maps of segments\"\n");
    append_initial(text, elements);
    append_begins(text, elements->segmented);
    append_load(text, elements);
    append_store(text, elements);
}
