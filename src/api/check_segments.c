#include "api/check.h"

#include "base/memory.h"

/* Are sums of segments asked for where the plan gives some, and only such as there are? */
static clscan_status check_sums(const clscan_plan *plan, const clscan_run_args *args, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_segment_sums *given = args->segment_sums;
    const bool sums = clscan__problem_gives_sums(&plan->problem),
               only = (clscan__problem_sums(&plan->problem) & CLSCAN__SUMS_ONLY) != 0;
    bool by_offsets, has_sums, has_keys, has_offsets, has_number;

    CLSCAN__REQUIRE(sums || given == NULL, CLSCAN_ERROR_INVALID_VALUE,
                    "args->segment_sums is set, but the plan gives no sums of segments");
    if (!sums)
        return status;
    CLSCAN__REQUIRE(!only || !clscan__memory_is_given(&args->out), CLSCAN_ERROR_INVALID_VALUE,
                    "args->out is set, but operation reduce has no outputs; sums of segments go to args->segment_sums");
    CLSCAN__REQUIRE(given != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "args->segment_sums is NULL, which %s needs",
                    only ? "operation reduce with segments" : "a plan with problem->segments->sums");
    by_offsets = plan->problem.segments->by == CLSCAN_BY_OFFSETS;
    has_sums = clscan__memory_is_given(&given->sums);
    has_keys = clscan__memory_is_given(&given->keys);
    has_offsets = clscan__memory_is_given(&given->offsets);
    has_number = clscan__memory_is_given(&given->number);
    CLSCAN__REQUIRE(!has_keys || plan->problem.segments->by == CLSCAN_BY_KEYS, CLSCAN_ERROR_INVALID_VALUE,
                    "args->segment_sums->keys is set, but the plan has segments by %s",
                    clscan_segments_by_name(plan->problem.segments->by));
    CLSCAN__REQUIRE(!by_offsets || !(has_offsets || has_number || given->capacity > 0), CLSCAN_ERROR_INVALID_VALUE,
                    "args->segment_sums->%s is set, but segments by offsets are as many as args->offset_count says",
                    has_offsets  ? "offsets"
                    : has_number ? "number"
                                 : "capacity");
    CLSCAN__REQUIRE(has_sums || has_keys || has_offsets || has_number, CLSCAN_ERROR_NULL_ARGUMENT,
                    "args->segment_sums->sums is missing%s",
                    by_offsets ? "" : ", and so are keys, offsets and number: a run writes one of them at least");

cleanup:
    return status;
}

/* Is the number of offsets where the plan's kernels look for it? */
static clscan_status check_offset_count(const clscan_segments *segments, const clscan_run_args *args,
                                        clscan_error *error)
{
    const clscan__device_number number = {.name = "device_offset_count",
                                          .setting = "segments->offset_count_bytes",
                                          .most_name = "offset_count",
                                          .meaning = "most offsets that there may be",
                                          .is_wanted = segments != NULL && segments->offset_count_bytes > 0,
                                          .memory = &args->device_offset_count,
                                          .most = args->offset_count};

    return clscan__check_device_number(&number, error);
}

clscan_status clscan__locate_segments(const clscan_plan *plan, const clscan_run_args *args, clscan__byte_range *ranges,
                                      size_t *count, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_segments *segments = plan->problem.segments;
    const bool given = clscan__memory_is_given(&args->segments);

    const uint64_t wanted = segments != NULL ? clscan__segments_count(segments, args->count, args->offset_count) : 0;

    CLSCAN__REQUIRE(segments != NULL || !given, CLSCAN_ERROR_INVALID_VALUE,
                    "args->segments is set, but problem->segments of the plan is NULL");
    CLSCAN__REQUIRE((segments != NULL && segments->by == CLSCAN_BY_OFFSETS) || args->offset_count == 0,
                    CLSCAN_ERROR_INVALID_VALUE, "args->offset_count is %llu, but the plan has no segments by offsets",
                    (unsigned long long)args->offset_count);
    CLSCAN__TRY(check_offset_count(segments, args, error));
    if (segments == NULL)
        return status;
    CLSCAN__REQUIRE(given || wanted == 0, CLSCAN_ERROR_NULL_ARGUMENT,
                    "args->segments is missing, which says where segments begin: %s",
                    clscan_segments_by_name(segments->by));
    CLSCAN__REQUIRE(!clscan__memory_is_given(&args->total), CLSCAN_ERROR_INVALID_VALUE,
                    "args->total is set, but the totals of segments go to args->segment_sums");
    if (!given)
        return status;
    if (segments->offset_count_bytes > 0) {
        CLSCAN__TRY(clscan__locate_elements(plan, "args->device_offset_count", &args->device_offset_count, 1,
                                            segments->offset_count_bytes, CL_MEM_WRITE_ONLY, &ranges[*count], error));
        ranges[(*count)++].is_read = true;
    }
    CLSCAN__TRY(clscan__locate_elements(plan, "args->segments", &args->segments, wanted,
                                        clscan__segments_unit_bytes(segments), CL_MEM_WRITE_ONLY, &ranges[*count],
                                        error));
    ranges[(*count)++].is_read = true;

cleanup:
    return status;
}

clscan_status clscan__locate_segment_sums(const clscan_plan *plan, const clscan_run_args *args,
                                          clscan__byte_range *ranges, size_t *count, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_segment_sums *sums = args->segment_sums;
    const size_t index_bytes = clscan__segments_index_bytes(&plan->problem);
    uint64_t capacity;

    if (sums == NULL)
        return status;
    capacity = sums->capacity;
    if (plan->problem.segments->by == CLSCAN_BY_OFFSETS)
        capacity = args->offset_count > 0 ? args->offset_count - 1 : 0;
    if (clscan__memory_is_given(&sums->sums))
        CLSCAN__TRY(clscan__locate_elements(plan, "args->segment_sums->sums", &sums->sums, capacity,
                                            clscan__problem_sum_bytes(&plan->problem), CL_MEM_READ_ONLY,
                                            &ranges[(*count)++], error));
    if (clscan__memory_is_given(&sums->keys))
        CLSCAN__TRY(clscan__locate_elements(plan, "args->segment_sums->keys", &sums->keys, capacity,
                                            clscan__segments_unit_bytes(plan->problem.segments), CL_MEM_READ_ONLY,
                                            &ranges[(*count)++], error));
    if (clscan__memory_is_given(&sums->offsets))
        CLSCAN__TRY(clscan__locate_elements(plan, "args->segment_sums->offsets", &sums->offsets,
                                            capacity < UINT64_MAX ? capacity + 1 : capacity, index_bytes,
                                            CL_MEM_READ_ONLY, &ranges[(*count)++], error));
    if (clscan__memory_is_given(&sums->number))
        CLSCAN__TRY(clscan__locate_elements(plan, "args->segment_sums->number", &sums->number, 1, index_bytes,
                                            CL_MEM_READ_ONLY, &ranges[(*count)++], error));

cleanup:
    return status;
}

clscan_status clscan__check_segment_sums(const clscan_plan *plan, const clscan_run_args **args,
                                         clscan_run_args *args_room, clscan_segment_sums *room, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_segment_sums *given = (*args)->segment_sums;

    if (given == NULL)
        return check_sums(plan, *args, error);
    given = clscan__struct_take(given, room, sizeof *room, "args->segment_sums", error);
    if (given == NULL)
        return CLSCAN_ERROR_STRUCT_SIZE;
    if (given != room)
        *room = *given;
    if (*args != args_room)
        *args_room = **args;
    args_room->segment_sums = room;
    *args = args_room;
    CLSCAN__TRY(check_sums(plan, *args, error));
    if (room->capacity == 0 && plan->problem.segments->by != CLSCAN_BY_OFFSETS)
        room->capacity = (*args)->count;

cleanup:
    return status;
}
