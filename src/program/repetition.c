#include "program/repetition.h"

#include "element/types.h"

enum { LARGEST = 128, SMALLEST = 16 };

/* Outputs that fill a line of a cache: the longest vectors of CPUs. */
enum { LINE_BYTES = 64, MOST_AHEAD = 16 };

uint32_t clscan__expand_work_group_size(const clscan_device_info *device)
{
    uint32_t size = LARGEST;

    if (device->device_class == CLSCAN_DEVICE_CLASS_CPU || device->max_work_group_size < SMALLEST)
        return 1;
    while (size > device->max_work_group_size)
        size /= 2;
    return size;
}

/* An element of a column is so many unsigned integers. */
static void append_column_types(clscan__text *text, const clscan__repetition *repetition)
{
    for (uint32_t i = 0; i < repetition->column_count; ++i) {
        const uint32_t bytes = repetition->bytes[i];
        const uint32_t word_bytes = bytes % 8 == 0 ? 8 : bytes % 4 == 0 ? 4 : bytes % 2 == 0 ? 2 : 1;

        clscan__text_append(text, "typedef struct clscan_repeated_%u {\n    %s words[%u];\n} clscan_repeated_%u;\n",
                            (unsigned)i, clscan__unsigned_cl_name(word_bytes), (unsigned)(bytes / word_bytes),
                            (unsigned)i);
    }
}

static unsigned outputs_ahead(const clscan__repetition *repetition)
{
    unsigned bytes = repetition->index_bytes[0] + repetition->index_bytes[1], outputs;

    for (uint32_t i = 0; i < repetition->column_count; ++i)
        bytes += repetition->bytes[i];
    outputs = LINE_BYTES / bytes;
    return outputs > MOST_AHEAD ? MOST_AHEAD : outputs > 0 ? outputs : 1;
}

void clscan__repetition_define(clscan__text *text, const clscan__repetition *repetition)
{
    append_column_types(text, repetition);
    clscan__text_append(text, "#define CLSCAN_EXPAND_WORK_GROUP_SIZE %u\n#define CLSCAN_EXPAND_RUN %s\n",
                        (unsigned)repetition->work_group_size, clscan__unsigned_cl_name(repetition->run_bytes));
    clscan__text_append(text, "#define CLSCAN_EXPAND_AHEAD %u\n", outputs_ahead(repetition));
    clscan__text_append(text, "#define CLSCAN_EXPAND_PARAMETERS ");
    for (unsigned i = 0; i < repetition->column_count; ++i)
        clscan__text_append(text,
                            ", __global const clscan_repeated_%u *from_%u, ulong from_offset_%u"
                            ", __global clscan_repeated_%u *to_%u, ulong to_offset_%u",
                            i, i, i, i, i, i);
    for (unsigned i = 0; i < 2 && repetition->index_bytes[i] > 0; ++i)
        clscan__text_append(text, ", __global %s *indices_%u, ulong indices_offset_%u",
                            clscan__unsigned_cl_name(repetition->index_bytes[i]), i, i);
    clscan__text_append(text, "\n#define CLSCAN_EXPAND_LOAD(run, i) const ulong clscan_number = (run) + (i);");
    for (unsigned i = 0; i < repetition->column_count; ++i)
        clscan__text_append(text, " const clscan_repeated_%u clscan_own_%u = (from_%u + (from_offset_%u + (run)))[i];",
                            i, i, i, i);
    clscan__text_append(text, "\n#define CLSCAN_EXPAND_STORE(place, i)");
    for (unsigned i = 0; i < repetition->column_count; ++i)
        clscan__text_append(text, " (to_%u + (to_offset_%u + (place)))[i] = clscan_own_%u;", i, i, i);
    for (unsigned i = 0; i < 2 && repetition->index_bytes[i] > 0; ++i)
        clscan__text_append(text, " (indices_%u + (indices_offset_%u + (place)))[i] = (%s)clscan_number;", i, i,
                            clscan__unsigned_cl_name(repetition->index_bytes[i]));
    clscan__text_append(text, "\n");
}
