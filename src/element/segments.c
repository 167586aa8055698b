#include "element/segments.h"

#include "base/checked.h"
#include "base/structs.h"
#include "element/described.h"
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

/* When keys are equal, if somebody says it. */
static const char *const equal_names[] = {"left", "right", NULL};

static clscan_status take_keys(clscan__segments_room *room, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan_segments *segments = &room->segments;
    const char *set = segments->key != NULL ? "key" : "equal";
    const bool by_keys = segments->by == CLSCAN_BY_KEYS;

    CLSCAN__REQUIRE(by_keys || (segments->key == NULL && segments->equal == NULL), CLSCAN_ERROR_INVALID_VALUE,
                    "problem->segments->%s is set, but segments are by %s", set, clscan_segments_by_name(segments->by));
    if (segments->key != NULL) {
        CLSCAN__REQUIRE(segments->type == 0, CLSCAN_ERROR_INVALID_VALUE,
                        "problem->segments->type is set, but problem->segments->key says the type");
        CLSCAN__TRY(clscan__element_take(&segments->key, &segments->type, &room->key, "problem->segments->key", error));
    }
    if (segments->key != NULL) {
        if (segments->key != &room->key)
            room->key = *segments->key;
        segments->key = &room->key;
        CLSCAN__REQUIRE(segments->key->name == NULL || segments->equal != NULL, CLSCAN_ERROR_NULL_ARGUMENT,
                        "problem->segments->equal is NULL, but OpenCL C compares no keys of type %s",
                        segments->key->name);
    }
    if (segments->equal != NULL) {
        CLSCAN__TRY(clscan__map_take(&segments->equal, &room->equal, "problem->segments->equal", equal_names, error));
        CLSCAN__REQUIRE(segments->equal->argument_count == 0, CLSCAN_ERROR_INVALID_VALUE,
                        "problem->segments->equal has %llu arguments; it is of `left` and `right` alone",
                        (unsigned long long)segments->equal->argument_count);
    }

cleanup:
    return status;
}

clscan_status clscan__segments_take(const clscan_segments **segments, clscan__segments_room *whole, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan_segments *room = &whole->segments;
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
    CLSCAN__REQUIRE(room->sums <= 1, CLSCAN_ERROR_INVALID_VALUE, "problem->segments->sums is %u, neither 0 nor 1",
                    (unsigned)room->sums);
    CLSCAN__REQUIRE(room->initials <= 1, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->segments->initials is %u, neither 0 nor 1", (unsigned)room->initials);
    CLSCAN__REQUIRE(room->offset_count_bytes == 0 || room->offset_count_bytes == 4 || room->offset_count_bytes == 8,
                    CLSCAN_ERROR_INVALID_VALUE, "problem->segments->offset_count_bytes is %llu, none of 0, 4 and 8",
                    (unsigned long long)room->offset_count_bytes);
    CLSCAN__REQUIRE(room->offset_count_bytes == 0 || room->by == CLSCAN_BY_OFFSETS, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->segments->offset_count_bytes is set, but segments are by %s",
                    clscan_segments_by_name(room->by));
    CLSCAN__REQUIRE(room->check <= 1, CLSCAN_ERROR_INVALID_VALUE, "problem->segments->check is %u, neither 0 nor 1",
                    (unsigned)room->check);
    CLSCAN__REQUIRE(room->check == 0 || room->by == CLSCAN_BY_OFFSETS, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->segments->check is set, which looks at offsets, but segments are by %s",
                    clscan_segments_by_name(room->by));
    CLSCAN__REQUIRE(room->reserved == 0, CLSCAN_ERROR_INVALID_VALUE, "problem->segments->reserved is %u",
                    (unsigned)room->reserved);
    CLSCAN__TRY(take_keys(whole, error));
    *segments = room;

cleanup:
    return status;
}

clscan_status clscan__segments_arrange(clscan_problem *problem, clscan_segments *segments, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const bool reduces = problem->operation == CLSCAN_REDUCE, reverse = problem->direction == CLSCAN_REVERSE,
               exclusive = problem->form == CLSCAN_EXCLUSIVE;

    const uint32_t given = reduces || segments->sums != 0 ? CLSCAN__SUMS_GIVEN : 0;

    if ((given == 0 && segments->initials == 0) || (!reduces && problem->operation != CLSCAN_SCAN))
        return status; /* other operations have no segments, and are refused for them */
    CLSCAN__REQUIRE(!reduces || !exclusive, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->form is exclusive, but operation reduce combines all elements");
    segments->sums = given | (reduces ? CLSCAN__SUMS_ONLY : 0) | (reduces && reverse ? CLSCAN__SUMS_END_INITIAL : 0) |
                     (exclusive ? CLSCAN__SUMS_AND_EXCLUSIVE : 0);
    problem->operation = CLSCAN_SCAN;
    problem->form = CLSCAN_INCLUSIVE;
    if (reduces)
        problem->direction = CLSCAN_FORWARD;

cleanup:
    return status;
}

bool clscan__problem_gives_sums(const clscan_problem *problem)
{
    return (clscan__problem_sums(problem) & CLSCAN__SUMS_GIVEN) != 0;
}

bool clscan__problem_has_initials(const clscan_problem *problem)
{
    return problem->segments != NULL && problem->segments->initials != 0;
}

bool clscan__segments_are_compared(const clscan__segmented *segmented)
{
    return !segmented->marked && segmented->key == NULL && segmented->equal == NULL &&
           (segmented->by == CLSCAN_BY_FLAGS || (segmented->by == CLSCAN_BY_KEYS && segmented->type != CLSCAN_HALF));
}

bool clscan__segments_may_be_marked(const clscan_problem *problem)
{
    clscan__described_elements described;

    if (problem->segments == NULL)
        return false;
    clscan__describe_elements(problem, &described);
    if (!clscan__segments_are_compared(&described.segmented))
        return false;
    described.segmented.marked = true;
    return clscan__elements_land(&described.elements);
}

bool clscan__problem_has_marks(const clscan_problem *problem)
{
    return problem->segments != NULL &&
           (problem->segments->by == CLSCAN_BY_OFFSETS || (clscan__problem_sums(problem) & CLSCAN__SUMS_BY_MARKS) != 0);
}

uint32_t clscan__problem_sums(const clscan_problem *problem)
{
    return problem->segments != NULL ? problem->segments->sums : 0;
}

size_t clscan__segments_index_bytes(const clscan_problem *problem)
{
    return problem->max_count > UINT32_MAX ? 8 : 4;
}

clscan_status clscan__segments_check(const clscan_problem *problem, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    char name[CLSCAN__ELEMENT_NAME_BYTES];
    const size_t pair_bytes = clscan__problem_shape(problem).sum_bytes;

    CLSCAN__REQUIRE(problem->operation == CLSCAN_SCAN, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->segments is set, but problem->operation is %s; segments are scanned or reduced",
                    clscan__problem_operation_name(problem));
    CLSCAN__REQUIRE(problem->rows == NULL, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->segments and problem->rows are set; this version of clscan has no segments of rows");
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
    if (segments->by == CLSCAN_BY_BITS)
        return 1;
    return segments->key != NULL ? clscan_element_size_bytes(segments->key) : clscan_type_size_bytes(segments->type);
}

uint64_t clscan__marks_bytes(uint64_t count)
{
    enum { ALIGN_BYTES = 16 };

    return CLSCAN__MARKS_ROOM_WORDS * 4 + clscan__align_up(count / 8 + (count % 8 != 0), ALIGN_BYTES);
}

uint64_t clscan__segments_marks_bytes(const clscan_problem *problem)
{
    return clscan__problem_has_marks(problem) ? clscan__marks_bytes(problem->max_count) : 0;
}

bool clscan__segments_are_counted(const clscan__segmented *segmented)
{
    return segmented->reverse && segmented->index_bytes > 0 && segmented->by != CLSCAN_BY_OFFSETS;
}

bool clscan__segments_have(const clscan__segmented *segmented, clscan__segments_argument which)
{
    const bool by_offsets = segmented->by == CLSCAN_BY_OFFSETS, gives = (segmented->sums & CLSCAN__SUMS_GIVEN) != 0,
               numbered = segmented->index_bytes > 0;

    switch (which) {
    case CLSCAN__SEGMENTS_TOTAL:
        return clscan__segments_are_counted(segmented);
    case CLSCAN__SEGMENTS_INITIALS:
        return segmented->initials && !by_offsets;
    case CLSCAN__SEGMENTS_SUMS:
        return gives;
    case CLSCAN__SEGMENTS_OFFSETS:
    case CLSCAN__SEGMENTS_CAPACITY:
        return by_offsets ? numbered : gives;
    case CLSCAN__SEGMENTS_OFFSET_COUNT:
        return numbered && segmented->offset_count_bytes > 0;
    case CLSCAN__SEGMENTS_OVERFLOWS:
        return numbered && !by_offsets;
    case CLSCAN__SEGMENTS_KEYS:
    case CLSCAN__SEGMENTS_NUMBER:
    case CLSCAN__SEGMENTS_GIVES:
        return gives && !by_offsets;
    default:
        return true;
    }
}

size_t clscan__segments_argument_place(const clscan__segmented *segmented, clscan__segments_argument which)
{
    size_t count = 0;

    for (unsigned i = 0; i < (unsigned)which; ++i)
        count += clscan__segments_have(segmented, (clscan__segments_argument)i);
    return count;
}

size_t clscan__segments_argument_count(const clscan__segmented *segmented)
{
    return clscan__segments_argument_place(segmented, CLSCAN__SEGMENTS_MOST_ARGUMENTS);
}

size_t clscan__pair_align_bytes(const clscan__segmented *segmented, size_t align_bytes)
{
    return segmented->index_bytes > align_bytes ? segmented->index_bytes : align_bytes;
}

size_t clscan__pair_bytes(const clscan__segmented *segmented, size_t sum_bytes, size_t align_bytes)
{
    const size_t flag_bytes = clscan__pair_align_bytes(segmented, align_bytes);

    return (size_t)clscan__align_up(sum_bytes, flag_bytes) + flag_bytes;
}

uint32_t clscan__segments_value_bytes(size_t sum_bytes)
{
    uint32_t bytes = 8;

    while (bytes < sum_bytes)
        bytes *= 2;
    return bytes;
}
