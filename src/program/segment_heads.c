#include "element/segments.h"
#include "program/callers.h"
#include "program/maps.h"
#include "program/segment_parts.h"

/* What maps read: of marks, words. */
const char *clscan__segments_begin_name(const clscan__elements *elements)
{
    const clscan__segmented *segmented = elements->segmented;

    if (segmented->marked)
        return "uint";
    if (segmented->by == CLSCAN_BY_BITS)
        return "uchar";
    if (segmented->key != NULL)
        return segmented->key->name;
    return segmented->type == CLSCAN_HALF ? "ushort" : clscan__type_cl_name(segmented->type); /* half as its bits */
}

static size_t begin_bytes(const clscan__elements *elements)
{
    return elements->segmented->key != NULL ? elements->segmented->key->size_bytes
                                            : clscan_type_size_bytes(elements->segmented->type);
}

/* What the caller's expression sees of a key: half is a float. */
static const char *key_value_name(const clscan__elements *elements)
{
    const clscan__element scalar = {.type = elements->segmented->type};

    return elements->segmented->key != NULL ? elements->segmented->key->name : clscan__element_value_name(&scalar);
}

static void append_equal(clscan__text *text, const clscan__elements *elements, bool named)
{
    const clscan__segmented *segmented = elements->segmented;
    const char *type = key_value_name(elements);
    const bool is_vector = elements->segmented->key != NULL && elements->segmented->key->lanes > 0;

    clscan__callers_append(text, elements, NULL, CLSCAN__EQUAL_TEXT, CLSCAN__EQUAL_TEXT, named);
    clscan__text_append(text, CLSCAN__INLINE "bool clscan_equal(%s left, %s right) { return ", type, type);
    if (segmented->equal != NULL)
        clscan__callers_append_expression(text, segmented->equal, "equal", named);
    else
        clscan__text_append(text, "%s", is_vector ? "(all(left == right))" : "(left == right)");
    clscan__text_append(text, " != 0; }\n");
}

/* Without a kernel that calls it, NVIDIA's compiler would drop it, see program/maps.c. */
void clscan__segments_append_equal_alone(clscan__text *text, const clscan__elements *elements, bool named)
{
    const char *type = key_value_name(elements);

    append_equal(text, elements, named);
    clscan__text_append(text,
                        "#line 1 \"use of equal\"\n__kernel void clscan_use(__global %s *clscan_keys, __global int "
                        "*clscan_out)\n{\n    clscan_out[0] = clscan_equal(clscan_keys[0], clscan_keys[1]);\n}\n",
                        type);
}

/* Does a key differ from the one before? Half is compared as float. */
static void append_differ(clscan__text *text, const clscan__elements *elements)
{
    const bool is_half = elements->segmented->key == NULL && elements->segmented->type == CLSCAN_HALF;

    append_equal(text, elements, true);
    clscan__text_append(
        text,
        "#line 1 \"heads of segments\"\n" CLSCAN__INLINE
        "bool clscan_differ(clscan_begin left, clscan_begin right)\n{\n    return !clscan_equal(%s);\n}\n",
        is_half ? "vload_half(0, (const __private half *)&left), "
                  "vload_half(0, (const __private half *)&right)"
                : "left, right");
}

/* Does a segment begin at an element that is not the first? */
static void append_begins(clscan__text *text, const clscan__elements *elements)
{
    const clscan__segmented *segmented = elements->segmented;
    const bool compares_keys = segmented->by == CLSCAN_BY_KEYS && !segmented->marked;
    const char *begins = segmented->marked                 ? "(at[index >> 5] >> (index & 31) & 1) != 0"
                         : segmented->by == CLSCAN_BY_BITS ? CLSCAN__BIT_AT_INDEX("at")
                         : compares_keys                   ? "clscan_differ(at[index - 1], at[index])"
                                                           : "at[index] != 0";

    if (compares_keys)
        append_differ(text, elements);
    clscan__text_append(
        text, CLSCAN__INLINE "bool clscan_begins(__global const clscan_begin *at, ulong index)\n{\n    return %s;\n}\n",
        begins);
}

/* Four bytes at once, by what elements/narrow.cl has, which comes behind. */
#define BYTE_HEADS                                                     \
    "#if CLSCAN_VECTOR_LENGTH >= 4\n#pragma unroll\n"                  \
    "    for (uint i = 0; i < CLSCAN_VECTOR_LENGTH / 4; ++i)\n"        \
    "        heads |= clscan_bytes_set(as_uint(vload4(i, units))) << " \
    "4 * i;\n#else\n"

static bool flags_are_bytes(const clscan__elements *elements)
{
    const clscan__segmented *segmented = elements->segmented;

    return !segmented->marked && segmented->by == CLSCAN_BY_FLAGS && begin_bytes(elements) == 1;
}

/* One after the other. What is read in place of a missing neighbour does not matter. */
static void append_heads_in_turn(clscan__text *text, const clscan__elements *elements)
{
    const bool by_keys = elements->segmented->by == CLSCAN_BY_KEYS;
    const bool bytes = flags_are_bytes(elements);

    clscan__text_append(text, "    clscan_begin units[CLSCAN_VECTOR_LENGTH];\n\n");
    if (elements->segmented->key == NULL)
        clscan__text_append(text,
                            "#if CLSCAN_VECTOR_LENGTH > 1\n"
                            "    typedef CLSCAN_BEGIN_VECTOR(%s, CLSCAN_VECTOR_LENGTH) vector;\n"
                            "    if (aligned)\n"
                            "        CLSCAN_BEGIN_VECTOR(vstore, CLSCAN_VECTOR_LENGTH)"
                            "(*(__global const vector *)(at + first), 0, units);\n"
                            "    else\n#endif\n",
                            clscan__segments_begin_name(elements));
    clscan__text_append(text,
                        "#pragma unroll\n"
                        "        for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)\n"
                        "            units[c] = at[first + c];\n"
                        "%s"
                        "#pragma unroll\n"
                        "    for (uint c = %d; c < CLSCAN_VECTOR_LENGTH; ++c)\n"
                        "        heads |= (uint)(%s) << c;\n%s",
                        bytes ? BYTE_HEADS : "", by_keys,
                        by_keys ? "clscan_differ(units[c - 1], units[c])" : "units[c] != 0", bytes ? "#endif\n" : "");
    if (by_keys)
        clscan__text_append(text, "    heads |= clscan_differ(at[first - (first > 0)], units[0]);\n");
}

#define IF_AT_ONCE "#if CLSCAN_WORK_GROUP_SIZE == 1 && CLSCAN_VECTOR_LENGTH >= 4\n"

/* All at once, on a CPU, of which a work-item has vectors of its own, by what elements/narrow.cl has. The very first
 * key has none in front. */
static void append_heads_at_once(clscan__text *text, const clscan__elements *elements)
{
    const bool by_keys = elements->segmented->by == CLSCAN_BY_KEYS;

    clscan__text_append(
        text,
        IF_AT_ONCE
        "    typedef CLSCAN_BEGIN_VECTOR(%s, CLSCAN_VECTOR_LENGTH) clscan_begin_vector;\n%s"
        "        const clscan_begin_vector units = CLSCAN_BEGIN_VECTOR(vload, CLSCAN_VECTOR_LENGTH)(0, at + first);\n"
        "        const CLSCAN_BEGIN_VECTOR(char, CLSCAN_VECTOR_LENGTH) own = "
        "CLSCAN_BEGIN_VECTOR(convert_char, CLSCAN_VECTOR_LENGTH)(units != %s);\n\n"
        "#if CLSCAN_VECTOR_LENGTH == 4\n"
        "        heads = clscan_answer_bits((char16)(own, (char4)(0), (char8)(0)));\n"
        "#elif CLSCAN_VECTOR_LENGTH == 8\n"
        "        heads = clscan_answer_bits((char16)(own, (char8)(0)));\n"
        "#else\n"
        "        heads = clscan_answer_bits(own);\n"
        "#endif\n",
        clscan__segments_begin_name(elements), by_keys ? "    if (first > 0) {\n" : "    {\n",
        by_keys ? "CLSCAN_BEGIN_VECTOR(vload, CLSCAN_VECTOR_LENGTH)(0, at + first - 1)" : "(clscan_begin_vector)(0)");
}

/* Of a vector's elements, which are integers or keys. */
static void append_vector_heads(clscan__text *text, const clscan__elements *elements)
{
    const bool at_once = clscan__segments_are_compared(elements->segmented);
    const bool by_keys = elements->segmented->by == CLSCAN_BY_KEYS;

    if (at_once) {
        append_heads_at_once(text, elements);
        clscan__text_append(text, by_keys ? "    } else {\n#endif\n" : "    }\n#else\n");
    }
    append_heads_in_turn(text, elements);
    if (at_once)
        clscan__text_append(text, by_keys ? IF_AT_ONCE "    }\n#endif\n" : "#endif\n");
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

/* Where segments begin: at an element and the next one, or at those of a vector and behind it, a bit each. One begins
 * at the first element of all, and behind the last. `aligned` and `next` are constants. */
void clscan__segments_append_heads(clscan__text *text, const clscan__elements *elements)
{
    const clscan__segmented *segmented = elements->segmented;
    const bool by_bits = segmented->by == CLSCAN_BY_BITS || segmented->marked;
    const size_t begins = clscan__segments_at(elements, CLSCAN__SEGMENTS_BEGINS),
                 count = clscan__segments_at(elements, CLSCAN__SEGMENTS_COUNT);

    append_begins(text, elements);
    if (flags_are_bytes(elements))
        clscan__text_append(text, CLSCAN__INLINE "uint clscan_bytes_set(uint word);\n");
    if (clscan__segments_are_compared(segmented))
        clscan__text_append(text, CLSCAN__INLINE "uint clscan_answer_bits(char16 answers);\n");
    clscan__text_append(text,
                        CLSCAN__INLINE "uint clscan_heads_at(clscan_arguments all, ulong index, bool next)\n{\n"
                                       "    uint heads = index == 0 || clscan_begins(all.at_%zu, index);\n\n"
                                       "    if (next)\n"
                                       "        heads |= (uint)(index + 1 == all.at_%zu || "
                                       "clscan_begins(all.at_%zu, index + 1)) << 1;\n"
                                       "    return heads;\n}\n",
                        begins, count, begins);
    clscan__text_append(text,
                        CLSCAN__INLINE "bool clscan_heads_aligned(clscan_arguments all, ulong index)\n{\n    return %s",
                        by_bits                            ? "index % CLSCAN_VECTOR_LENGTH == 0;\n}\n"
                        : elements->segmented->key != NULL ? "true;\n}\n"
                                                           : "");
    if (!by_bits && elements->segmented->key == NULL)
        clscan__text_append(
            text, "(ulong)(all.at_%zu + index) %% (CLSCAN_VECTOR_LENGTH * sizeof(clscan_begin)) == 0;\n}\n", begins);
    clscan__text_append(text,
                        "#define CLSCAN_HEAD_BITS %zu\n" CLSCAN__INLINE
                        "__global const uchar *clscan_heads_from(clscan_arguments all, ulong index)\n{\n"
                        "    return (__global const uchar *)all.at_%zu + index * CLSCAN_HEAD_BITS / 8;\n}\n",
                        by_bits ? 1 : 8 * begin_bytes(elements), begins);
    clscan__text_append(
        text, CLSCAN__INLINE "ulong clscan_heads_count(clscan_arguments all)\n{\n    return all.at_%zu;\n}\n", count);
    clscan__text_append(text,
                        "#define CLSCAN_BEGIN_VECTOR_(name, length) name##length\n"
                        "#define CLSCAN_BEGIN_VECTOR(name, length) CLSCAN_BEGIN_VECTOR_(name, length)\n" CLSCAN__INLINE
                        "uint clscan_heads(clscan_arguments all, ulong first, bool aligned, bool next)\n{\n"
                        "    __global const clscan_begin *at = all.at_%zu;\n    uint heads = 0;\n",
                        begins);
    if (by_bits)
        append_bit_heads(text, segmented->marked ? 32 : 8);
    else
        append_vector_heads(text, elements);
    clscan__text_append(
        text,
        "    heads |= first == 0;\n"
        "    if (next) {\n"
        "        const ulong behind = first + CLSCAN_VECTOR_LENGTH;\n"
        "        heads |= (uint)(clscan_begins(at, min(behind, all.at_%zu - 1)) || behind == all.at_%zu)\n"
        "                 << CLSCAN_VECTOR_LENGTH;\n    }\n    return heads;\n}\n",
        count, count);
}
