#include "element/segments.h"

#include "base/structs.h"
#include "element/problem.h"
#include "element/types.h"

static const char *const way_names[] = {
#define X(name, text, meaning) #text,
    CLSCAN_SEGMENTS_BY_LIST(X)
#undef X
};

const char *clscan_segments_by_name(clscan_segments_by by)
{
    return (unsigned)by < CLSCAN_SEGMENTS_BY_COUNT ? way_names[by] : "unknown";
}

clscan_status clscan__segments_take(const clscan_segments **segments, clscan_segments *room, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_segments *taken = clscan__struct_take(*segments, room, sizeof *room, "problem->segments", error);

    if (taken == NULL)
        return CLSCAN_ERROR_STRUCT_SIZE;
    if (taken != room)
        *room = *taken;
    CLSCAN__REQUIRE((unsigned)room->by < CLSCAN_SEGMENTS_BY_COUNT, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->segments->by: %d is no way to say where segments begin", (int)room->by);
    CLSCAN__REQUIRE(clscan__type_is_valid(room->type), CLSCAN_ERROR_INVALID_VALUE,
                    "problem->segments->type: %d is not an element type", (int)room->type);
    CLSCAN__REQUIRE(room->by == CLSCAN_BY_KEYS || !clscan__type_is_floating(room->type), CLSCAN_ERROR_UNSUPPORTED_TYPE,
                    "problem->segments->type is %s; %s are integers", clscan_type_name(room->type),
                    clscan_segments_by_name(room->by));
    CLSCAN__REQUIRE(room->by != CLSCAN_BY_OFFSETS || clscan_type_size_bytes(room->type) >= 4,
                    CLSCAN_ERROR_UNSUPPORTED_TYPE, "problem->segments->type is %s; offsets have 4 or 8 bytes",
                    clscan_type_name(room->type));
    CLSCAN__REQUIRE(room->by != CLSCAN_BY_BITS || room->type == 0, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->segments->type is %s; bits have none", clscan_type_name(room->type));
    *segments = room;

cleanup:
    return status;
}

clscan_status clscan__segments_check(const clscan_problem *problem, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    char name[CLSCAN__ELEMENT_NAME_BYTES];
    const size_t pair_bytes = clscan__problem_shape(problem).sum_bytes;

    CLSCAN__REQUIRE(
        problem->operation == CLSCAN_SCAN, CLSCAN_ERROR_INVALID_VALUE,
        "problem->segments is set, but problem->operation is %d; this version of clscan only scans segments",
        (int)problem->operation);
    CLSCAN__REQUIRE(problem->rows == NULL, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->segments and problem->rows are set; this version of clscan has no segments of rows");
    CLSCAN__REQUIRE(problem->count_bytes == 0, CLSCAN_ERROR_UNSUPPORTED_TYPE,
                    "problem->segments and problem->count_bytes are set; this version of clscan takes the count of "
                    "segments' elements from the host only");
    CLSCAN__REQUIRE(pair_bytes <= CLSCAN__MOST_SUM_BYTES, CLSCAN_ERROR_UNSUPPORTED_TYPE,
                    "problem->segments is set, but sums of type %s have no room for a flag: %zu bytes with it, more "
                    "than %u",
                    clscan__element_name(problem->accumulator, name), pair_bytes, CLSCAN__MOST_SUM_BYTES);

cleanup:
    return status;
}

uint64_t clscan__segments_count(const clscan_segments *segments, uint64_t count, uint64_t offset_count)
{
    if (segments->by == CLSCAN_BY_OFFSETS)
        return offset_count;
    return segments->by == CLSCAN_BY_BITS ? count / 8 + (count % 8 != 0) : count;
}

size_t clscan__segments_unit_bytes(const clscan_segments *segments)
{
    return segments->by == CLSCAN_BY_BITS ? 1 : clscan_type_size_bytes(segments->type);
}

uint64_t clscan__segments_marks_bytes(const clscan_problem *problem)
{
    return problem->segments != NULL && problem->segments->by == CLSCAN_BY_OFFSETS
               ? (problem->max_count - 1) / 32 * 4 + 4
               : 0;
}

size_t clscan__pair_bytes(size_t sum_bytes, size_t align_bytes)
{
    return sum_bytes + align_bytes;
}

uint32_t clscan__segments_value_bytes(size_t sum_bytes)
{
    uint32_t bytes = 8;

    while (bytes < sum_bytes)
        bytes *= 2;
    return bytes;
}
