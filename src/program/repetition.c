#include "program/repetition.h"

#include <stdbool.h>
#include <stdio.h>

#include "base/checked.h"
#include "element/types.h"
#include "program/work_groups.h"

/* Outputs that fill a line of a cache: the longest vectors of CPUs. */
enum { LINE_BYTES = 64, MOST_AHEAD = 16 };

/* A work-group of CPUs searches for its first output, and fills so many at least; a compute unit takes so many in turn
 * at most. */
enum { CPU_OUTPUTS = 4096, CPU_UNIT_WORK_GROUPS = 32 };

/* The longest vectors that work-items of GPUs store. */
enum { VECTOR_BYTES = 16, MOST_OF_VECTOR = 4 };

uint32_t clscan__expand_work_group_size(const clscan_device_info *device)
{
    return clscan__work_group_size_for(device, CLSCAN__EXPAND_WORK_ITEMS);
}

/* On GPUs 16 work-items share a block, on CPUs a work-item has as many. */
uint32_t clscan__repeat_group_blocks(uint32_t work_group_size)
{
    return work_group_size > 1 ? work_group_size / 16 : 16;
}

/* Enough that a device is kept busy to the end. A team searches before its first tile, so it has a few of them, unless
 * a device would be left idle. Long runs are bound by what they store, which is faster the nearer together teams are:
 * so there are more of them. */
static uint64_t gpu_work_groups(const clscan_device_info *device, uint32_t work_group_size, uint64_t outputs,
                                uint64_t elements)
{
    const uint64_t tiles = clscan__divide_up(outputs, (uint64_t)work_group_size * CLSCAN__EXPAND_OUTPUTS),
                   most = clscan__divide_up(CLSCAN__EXPAND_UNIT_WORK_ITEMS, work_group_size) * device->compute_units,
                   least = clscan__min_u64(tiles, most / 8),
                   near = outputs / CLSCAN__EXPAND_LONG_RUN >= elements ? clscan__min_u64(tiles / 8, 4 * most) : 0;
    uint64_t groups = clscan__min_u64(tiles / 4, most);

    if (groups < least)
        groups = least;
    return groups < near ? near : groups;
}

uint64_t clscan__expand_work_groups(const clscan_device_info *device, uint32_t work_group_size, uint64_t outputs,
                                    uint64_t elements)
{
    const uint64_t most_of_cpu = (uint64_t)CPU_UNIT_WORK_GROUPS * device->compute_units,
                   groups = work_group_size == 1 ? clscan__min_u64(outputs / CPU_OUTPUTS, most_of_cpu)
                                                 : gpu_work_groups(device, work_group_size, outputs, elements);

    return groups > 0 ? groups : 1;
}

/* What is written: elements of columns, then their numbers. */
typedef struct repeated_output {
    char type[24], from[8], to[12], own[20]; /* of an element, and variables: where it is, where it goes, and itself */
    uint32_t bytes, words;                   /* of an element, and unsigned integers that it consists of */
} repeated_output;

enum { MOST_OUTPUTS = 1 + CLSCAN_MOST_COLUMNS + 2 };

static uint32_t word_bytes(uint32_t bytes)
{
    return bytes % 8 == 0 ? 8 : bytes % 4 == 0 ? 4 : bytes % 2 == 0 ? 2 : 1;
}

static size_t list_outputs(const clscan__repetition *repetition, repeated_output *outputs)
{
    size_t count = 0;

    for (unsigned i = 0; i < repetition->column_count; ++i) {
        repeated_output *output = &outputs[count++];

        *output = (repeated_output){.bytes = repetition->bytes[i],
                                    .words = repetition->bytes[i] / word_bytes(repetition->bytes[i])};
        snprintf(output->type, sizeof output->type, "clscan_repeated_%u", i);
        snprintf(output->from, sizeof output->from, "from_%u", i);
        snprintf(output->to, sizeof output->to, "to_%u", i);
        snprintf(output->own, sizeof output->own, "clscan_own_%u", i);
    }
    for (unsigned i = 0; i < 2 && repetition->index_bytes[i] > 0; ++i) {
        repeated_output *output = &outputs[count++];

        *output = (repeated_output){.bytes = repetition->index_bytes[i], .words = 1};
        snprintf(output->type, sizeof output->type, "%s", clscan__unsigned_cl_name(output->bytes));
        snprintf(output->to, sizeof output->to, "indices_%u", i);
        snprintf(output->own, sizeof output->own, "clscan_number_%u", i);
    }
    return count;
}

static bool is_column(const repeated_output *output)
{
    return output->from[0] != '\0';
}

static uint32_t outputs_ahead(uint32_t bytes)
{
    const uint32_t outputs = LINE_BYTES / bytes;

    return outputs > MOST_AHEAD ? MOST_AHEAD : outputs > 0 ? outputs : 1;
}

static void append_types(clscan__text *text, const repeated_output *outputs, size_t count)
{
    for (size_t i = 0; i < count && is_column(&outputs[i]); ++i)
        clscan__text_append(text, "typedef struct %s {\n    %s words[%u];\n} %s;\n", outputs[i].type,
                            clscan__unsigned_cl_name(word_bytes(outputs[i].bytes)), (unsigned)outputs[i].words,
                            outputs[i].type);
}

static void append_parameters(clscan__text *text, const repeated_output *outputs, size_t count)
{
    clscan__text_append(text, "#define CLSCAN_EXPAND_PARAMETERS ");
    for (size_t i = 0; i < count; ++i) {
        const repeated_output *o = &outputs[i];

        if (is_column(o))
            clscan__text_append(text, ", __global const %s *%s, ulong offset_%s", o->type, o->from, o->from);
        clscan__text_append(text, ", __global %s *%s, ulong offset_%s", o->type, o->to, o->to);
    }
    clscan__text_append(text, "\n");
}

static void append_moves(clscan__text *text, const repeated_output *outputs, size_t count)
{
    clscan__text_append(text, "#define CLSCAN_EXPAND_HOLD(n)");
    for (size_t i = 0; i < count; ++i)
        clscan__text_append(text, " %s %s[n];", outputs[i].type, outputs[i].own);
    clscan__text_append(text, "\n#define CLSCAN_EXPAND_LOAD(c, run, i)");
    for (size_t i = 0; i < count; ++i) {
        const repeated_output *o = &outputs[i];

        if (is_column(o))
            clscan__text_append(text, " %s[c] = (%s + (offset_%s + (run)))[i];", o->own, o->from, o->from);
        else
            clscan__text_append(text, " %s[c] = (%s)((run) + (i));", o->own, o->type);
    }
    clscan__text_append(text, "\n#define CLSCAN_EXPAND_STORE(c, place, i)");
    for (size_t i = 0; i < count; ++i)
        clscan__text_append(text, " (%s + (offset_%s + (place)))[i] = %s[c];", outputs[i].to, outputs[i].to,
                            outputs[i].own);
    clscan__text_append(text, "\n");
}

/* Elements of one word are stored as vectors where these are aligned, others one by one. */
static void append_vector_moves(clscan__text *text, const repeated_output *outputs, size_t count, uint32_t vector)
{
    clscan__text_append(text,
                        "#define CLSCAN_EXPAND_MISALIGNED(place) ((uint)((ulong)(%s + (offset_%s + (place))) / "
                        "sizeof(*%s) %% %u))\n#define CLSCAN_EXPAND_IS_ALIGNED(place) (true",
                        outputs[0].to, outputs[0].to, outputs[0].to, (unsigned)vector);
    for (size_t i = 0; i < count && vector > 1; ++i)
        if (outputs[i].words == 1)
            clscan__text_append(text, " && (ulong)(%s + (offset_%s + (place))) %% %u == 0", outputs[i].to,
                                outputs[i].to, (unsigned)(vector * outputs[i].bytes));
    clscan__text_append(text, ")\n#define CLSCAN_EXPAND_STORE_VECTOR(c, place, i)");
    for (size_t i = 0; i < count; ++i) {
        const repeated_output *o = &outputs[i];
        const char *word = clscan__unsigned_cl_name(o->bytes <= 8 ? o->bytes : 8);

        if (vector > 1 && o->words == 1)
            clscan__text_append(text, " *(__global %s%u *)((%s + (offset_%s + (place))) + (i)) = (%s%u)(", word,
                                (unsigned)vector, o->to, o->to, word, (unsigned)vector);
        for (unsigned n = 0; n < vector; ++n)
            if (vector > 1 && o->words == 1)
                clscan__text_append(text, "%s[(c) + %u]%s%s", o->own, n, is_column(o) ? ".words[0]" : "",
                                    n + 1 < vector ? ", " : ");");
            else
                clscan__text_append(text, " (%s + (offset_%s + (place)))[(i) + %u] = %s[(c) + %u];", o->to, o->to, n,
                                    o->own, n);
    }
    clscan__text_append(text, "\n");
}

void clscan__repetition_define(clscan__text *text, const clscan__repetition *repetition)
{
    repeated_output outputs[MOST_OUTPUTS];
    const size_t count = list_outputs(repetition, outputs);
    uint32_t bytes = 0, widest = 0, vector, rows, together;

    for (size_t i = 0; i < count; ++i) {
        bytes += outputs[i].bytes;
        widest = outputs[i].bytes > widest ? outputs[i].bytes : widest;
    }
    vector = widest <= VECTOR_BYTES / 4 ? MOST_OF_VECTOR : widest <= VECTOR_BYTES / 2 ? 2 : 1;
    rows = together = CLSCAN__EXPAND_OUTPUTS / vector;
    while (together > 1 && together * vector * bytes > CLSCAN__EXPAND_HELD_BYTES)
        together /= 2;
    append_types(text, outputs, count);
    clscan__text_append(text,
                        "#define CLSCAN_EXPAND_WORK_GROUP_SIZE %u\n"
                        "#define CLSCAN_EXPAND_RUN %s\n"
                        "#define CLSCAN_EXPAND_VECTOR %u\n"
                        "#define CLSCAN_EXPAND_ROWS %u\n"
                        "#define CLSCAN_EXPAND_TOGETHER %u\n"
                        "#define CLSCAN_EXPAND_BATCH %u\n"
                        "#define CLSCAN_EXPAND_AHEAD %u\n"
                        "#define CLSCAN_REPEAT_LENGTH %s\n"
                        "#define CLSCAN_REPEAT_BY_OFFSETS %d\n"
                        "#define CLSCAN_REPEAT_BLOCK %u\n"
                        "#define CLSCAN_REPEAT_GROUP_BLOCKS %u\n",
                        (unsigned)repetition->work_group_size, clscan__unsigned_cl_name(repetition->run_bytes),
                        (unsigned)vector, (unsigned)rows, (unsigned)together, (unsigned)CLSCAN__EXPAND_BATCH,
                        (unsigned)outputs_ahead(bytes), clscan__unsigned_cl_name(repetition->length_bytes),
                        repetition->by_offsets, (unsigned)CLSCAN__REPEAT_BLOCK,
                        (unsigned)clscan__repeat_group_blocks(repetition->work_group_size));
    append_parameters(text, outputs, count);
    append_moves(text, outputs, count);
    append_vector_moves(text, outputs, count, vector);
}
