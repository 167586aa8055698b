#include "program/marks.h"

#include "element/operators.h"
#include "program/segment_parts.h"
#include "program/work_groups.h"

enum {
    WORK_ITEMS = 256,
    RUN = 16,            /* four vectors of 16 bytes for each work-item */
    RUN_ALONE = 1024,    /* of a work-item alone in its work-group: starting one costs some 100 offsets */
    WORDS_PER_OFFSET = 1 /* of local memory, for the offsets of a tile: room for segments of 32 elements */
};

uint32_t clscan__mark_work_group_size(const clscan_device_info *device, const clscan__segmented *segmented)
{
    return segmented->mark_work_group_size != 0 ? segmented->mark_work_group_size
                                                : clscan__work_group_size_for(device, WORK_ITEMS);
}

uint32_t clscan__mark_run(uint32_t work_group_size)
{
    return work_group_size == 1 ? RUN_ALONE : RUN;
}

/* A launch more takes some us, as atomics of some 100000 words do; and sparse offsets leave most words as they are. */
bool clscan__marks_trust(uint32_t work_group_size, uint64_t offset_count, uint64_t count)
{
    enum { TRUSTED_TILES = 256, TRUSTED_PART = 32 };

    return offset_count >= (uint64_t)TRUSTED_TILES * work_group_size * clscan__mark_run(work_group_size) &&
           offset_count >= count / TRUSTED_PART;
}

/* The initial value of an empty segment, or else the identity, or else what stands there. */
static void define_sum(clscan__text *text, const clscan__elements *elements)
{
    const clscan__segmented *segmented = elements->segmented;

    clscan__text_append(text,
                        "#define CLSCAN_MARK_BITS %s\n"
                        "#define CLSCAN_MARK_SUM(i) (mode != %d ? clscan_segment_initial(bits_of_initial, initial + "
                        "first_initial%s, mode) : %s)\n",
                        clscan__segments_bits_name(elements), CLSCAN__SEGMENTS_NO_INITIAL,
                        segmented->initials ? " + (i)" : "",
                        segmented->neutral != NULL ? CLSCAN__CUSTOM_IDENTITY : "sums[first_sum + (i)]");
}

void clscan__marks_define(clscan__text *text, const clscan_device_info *device, const clscan__elements *elements)
{
    static const char *const largest[] = {[CLSCAN_INT32] = "INT_MAX",
                                          [CLSCAN_UINT32] = "UINT_MAX",
                                          [CLSCAN_INT64] = "LONG_MAX",
                                          [CLSCAN_UINT64] = "ULONG_MAX"};
    const clscan__segmented *segmented = elements->segmented;
    const bool gives = (segmented->sums & CLSCAN__SUMS_GIVEN) != 0, counted = segmented->offset_count_bytes > 0;
    const uint32_t work_group_size = clscan__mark_work_group_size(device, segmented);
    uint32_t words = work_group_size * RUN * WORDS_PER_OFFSET;

    while (words * sizeof(cl_uint) > device->local_memory_bytes / 2)
        words /= 2;
    clscan__text_append(text,
                        "#define CLSCAN_MARK_WORK_GROUP_SIZE %u\n"
                        "#define CLSCAN_MARK_RUN %u\n"
                        "#define CLSCAN_MARK_BATCH %d\n"
                        "#define CLSCAN_MARK_WORDS %u\n"
                        "#define CLSCAN_MARK_OFFSET %s\n"
                        "#define CLSCAN_MARK_PLACE %s\n"
                        "#define CLSCAN_MARK_LAST %s\n"
                        "#define CLSCAN_MARK_CHECKS %d\n"
                        "#define CLSCAN_MARK_GIVES %d\n"
                        "#define CLSCAN_MARK_ROOM %u\n"
                        "#define CLSCAN_MARK_COMBINE %d\n"
                        "#define CLSCAN_MARK_TRUST %d\n"
                        "#define CLSCAN_MARK_MEND %d\n"
                        "#define CLSCAN_MARK_NOTHING %d\n",
                        (unsigned)work_group_size, (unsigned)clscan__mark_run(work_group_size), RUN, (unsigned)words,
                        clscan__type_cl_name(segmented->type),
                        clscan__unsigned_cl_name(clscan_type_size_bytes(segmented->type)), largest[segmented->type],
                        segmented->checks, gives, CLSCAN__MARKS_ROOM_WORDS, CLSCAN__MARK_COMBINE, CLSCAN__MARK_TRUST,
                        CLSCAN__MARK_MEND, CLSCAN__MARK_NOTHING);
    if (gives)
        define_sum(text, elements);
    if (counted)
        clscan__text_append(text, "#define CLSCAN_MARK_COUNT_PARAMETERS , __global const clscan_offset_count "
                                  "*offset_count_at, ulong first_offset_count\n"
                                  "#define CLSCAN_MARK_TAKE(most) "
                                  "clscan_take_and_report_count(most, offset_count_at[first_offset_count], "
                                  "CLSCAN_COUNTER(CLSCAN_EVENT_REFUSED_COUNT))\n");
    else
        clscan__text_append(text, "#define CLSCAN_MARK_COUNT_PARAMETERS\n#define CLSCAN_MARK_TAKE(most) (most)\n");
}

void clscan__mark_heads_define(clscan__text *text, const clscan__segmented *segmented)
{
    clscan__text_append(text,
                        "#define CLSCAN_MARK_UNIT %s\n"
                        "#define CLSCAN_MARK_UNIT_BYTES %zu\n"
                        "#define CLSCAN_MARK_COMPARES %d\n"
                        "#define CLSCAN_MARK_ROOM %u\n"
                        "#define CLSCAN_MARK_RUN %d\n",
                        clscan__type_cl_name(segmented->type), clscan_type_size_bytes(segmented->type),
                        segmented->by == CLSCAN_BY_KEYS, CLSCAN__MARKS_ROOM_WORDS, CLSCAN__MARK_HEADS_RUN);
}
