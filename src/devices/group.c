/* clCreateCommandQueueWithProperties() is missing before OpenCL 2.0. */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "devices/group.h"

#include <stdlib.h>

#include "base/checked.h"
#include "base/log.h"
#include "base/structs.h"
#include "devices/derive.h"
#include "devices/host.h"
#include "devices/host_combine.h"
#include "devices/told.h"
#include "element/problem.h"
#include "engine/plan.h"

#define MOST_PINNED_BYTES ((size_t)16 << 20)

/* Take what is the caller's. */
static clscan_status retain(const clscan_member *member, clscan__lane *lane, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    cl_command_queue_properties properties = 0;

    CLSCAN__REQUIRE(member->context != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "context is NULL");
    CLSCAN__REQUIRE(member->device != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "device is NULL");
    CLSCAN__REQUIRE(member->queue != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "queue is NULL");
    CLSCAN__TRY_CL(clRetainContext, (member->context));
    lane->context = member->context;
    CLSCAN__TRY_CL(clRetainCommandQueue, (member->queue));
    lane->queue = member->queue;
    lane->device = member->device; /* which its context holds */
    CLSCAN__TRY_CL(clGetCommandQueueInfo, (lane->queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL));
    lane->out_of_order = (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0;

cleanup:
    return status;
}

/* `sums`: for a device that others wait for, unless the plan for scans makes them. */
static clscan_status create_lane(const clscan_member *member, const clscan_problem *problem, bool sums,
                                 const clscan_plan_options *options, size_t values_bytes, clscan__lane *lane,
                                 clscan_error *error)
{
    clscan_status status;
    const clscan_problem sum_problem = clscan__sum_problem(problem);
    const clscan_plan_options sum_options = clscan__options_for_sums(options);

    CLSCAN__TRY(retain(member, lane, error));
    CLSCAN__TRY(
        clscan__bound_plan_create(lane->context, lane->device, lane->queue, problem, options, &lane->scan, error));
    lane->is_cpu = lane->scan.plan->info.device_class == CLSCAN_DEVICE_CLASS_CPU;
    if (sums)
        CLSCAN__TRY(clscan__bound_plan_create(lane->context, lane->device, lane->queue, &sum_problem, &sum_options,
                                              &lane->sum, error));
    CLSCAN__TRY(clscan__values_create(lane->context, CLSCAN__VALUE_COUNT * values_bytes, &lane->values, error));

cleanup:
    return status;
}

static void destroy_lane(clscan__lane *lane)
{
    if (lane->scanned != NULL)
        clReleaseEvent(lane->scanned);
    if (lane->sum_read != NULL)
        clReleaseEvent(lane->sum_read);
    if (lane->values != NULL)
        clReleaseMemObject(lane->values);
    clscan__bound_plan_destroy(&lane->sum);
    clscan__bound_plan_destroy(&lane->scan);
    if (lane->queue != NULL)
        clReleaseCommandQueue(lane->queue);
    if (lane->context != NULL)
        clReleaseContext(lane->context);
}

/* In-order, of the first device. */
static clscan_status create_queue(const clscan_devices *group, cl_command_queue *made, clscan_error *error)
{
    cl_int code;

    *made = clCreateCommandQueue(group->lanes[0].context, group->lanes[0].device, 0, &code);
    if (code == CL_SUCCESS)
        return CLSCAN_OK;
    *made = NULL;
    return clscan__error_opencl(error, "clCreateCommandQueue", code);
}

/* By a queue of its own: in the others runs wait, also when the group is destroyed. */
static clscan_status pin_travelling(clscan_devices *group, size_t size_bytes, clscan_error *error)
{
    clscan_status status;
    cl_command_queue queue;

    CLSCAN__TRY(create_queue(group, &queue, error));
    status = clscan__pinned_create(group->lanes[0].context, queue, size_bytes, &group->travelling, error);
    clReleaseCommandQueue(queue);

cleanup:
    return status;
}

/* Runs do without. */
static void create_travelling(clscan_devices *group, size_t values_bytes)
{
    clscan_error error;

    if (values_bytes <= MOST_PINNED_BYTES / (group->count - 1) &&
        pin_travelling(group, (group->count - 1) * values_bytes, &error) != CLSCAN_OK)
        clscan__log(CLSCAN_LOG_INFO, "devices: no pinned memory: %s", error.message);
}

static clscan_status create_combine(clscan_devices *group, const clscan_problem *problem,
                                    const clscan_plan_options *options, clscan_error *error)
{
    clscan_status status;
    const uint64_t most = group->count - 1;
    clscan__lane *first = &group->lanes[0];
    const clscan_plan_options sum_options = clscan__options_for_sums(options);
    const clscan_rows rows = {.struct_size = sizeof rows, .count = group->rows.count};
    clscan__sums_problem sums = {.source = NULL};

    CLSCAN__TRY(clscan__sums_problem_make(problem, most, &sums, error));
    if (group->splits)
        sums.problem.rows = &rows;
    CLSCAN__TRY(clscan__bound_plan_create(first->context, first->device, group->combining, &sums.problem, &sum_options,
                                          &group->combine, error));
    CLSCAN__TRY(clscan__values_create(first->context, (size_t)(most * group->rows.count) * group->sum_bytes,
                                      &group->sums, error));

cleanup:
    clscan__sums_problem_free(&sums);
    return status;
}

/* The same where nodes travel. */
static clscan_status create_folder(clscan_devices *group, const clscan_problem *problem,
                                   const clscan_plan_options *options, clscan_error *error)
{
    clscan_status status;
    const clscan__lane *first = &group->lanes[0];
    const clscan_plan_options sum_options = clscan__options_for_sums(options);
    const size_t bytes = group->count * group->slot_values * group->sum_bytes;

    CLSCAN__TRY(clscan__folder_create(first->context, first->device, group->combining, problem, &sum_options,
                                      &group->folder, error));
    CLSCAN__TRY(clscan__values_create(first->context, bytes, &group->sums, error));
    CLSCAN__TRY(clscan__values_create(first->context, bytes, &group->states, error));

cleanup:
    return status;
}

static clscan_status find_measured(clscan_devices *group, clscan_error *error)
{
    cl_device_id devices[CLSCAN_MOST_DEVICES];
    const char *keys[CLSCAN_MOST_DEVICES];

    for (size_t i = 0; i < group->count; ++i) {
        devices[i] = group->lanes[i].device;
        keys[i] = group->lanes[i].scan.plan->info.key;
    }
    return clscan__measured_find(devices, keys, group->count, &group->measured, error);
}

/* From checked counts and a taken problem. */
static clscan_status create_group(const clscan_member *members, const clscan_problem *problem,
                                  const clscan_plan_options *options, clscan_devices *group, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_problem sum_problem = clscan__sum_problem(problem);
    uint64_t values_bytes;

    group->sum_bytes = clscan__problem_shape(problem).sum_bytes;
    group->in_bytes = clscan__problem_shape(problem).element_bytes;
    group->out_bytes = clscan__problem_shape(problem).output_bytes;
    group->max_count = problem->max_count;
    group->deals = problem->rows != NULL && !group->splits;
    group->rows = group->splits ? *problem->rows : (clscan_rows){.struct_size = sizeof group->rows, .count = 1};
    group->reverse = problem->direction == CLSCAN_REVERSE;
    /* Each row on one device needs nothing of others. */
    group->is_ordered = clscan__problem_is_ordered(problem) && problem->rows == NULL;
    if (clscan__host_combines(problem) && !group->is_ordered)
        group->host = (clscan__exchange_host){.type = clscan__problem_sum(problem).type,
                                              .op = problem->op,
                                              .reverse = group->reverse,
                                              .scalars = group->sum_bytes /
                                                         clscan_type_size_bytes(clscan__problem_sum(problem).type)};
    group->scan_reads = !clscan__problem_generates(problem);
    group->sum_reads = !clscan__problem_generates(&sum_problem);
    group->sum_argument_count = clscan__problem_argument_count(&sum_problem);
    group->slot_values = group->is_ordered ? CLSCAN__PART_VALUES : (size_t)group->rows.count;
    CLSCAN__REQUIRE(
        clscan__mul_u64(group->is_ordered ? CLSCAN__PART_VALUES : group->rows.count, group->sum_bytes, &values_bytes) &&
            values_bytes <= SIZE_MAX / CLSCAN_MOST_DEVICES,
        CLSCAN_ERROR_INVALID_VALUE, "problem->rows->count is %llu, whose sums no memory holds",
        (unsigned long long)group->rows.count);
    for (size_t i = 0; i < group->count; ++i) {
        const size_t end = group->reverse ? 0 : group->count - 1;
        const clscan_member *member = (const void *)((const char *)members + i * members->struct_size);
        clscan_member room;
        char name[CLSCAN__TOLD_BYTES];

        clscan__told_name(name, "members", i);
        member = clscan__struct_take(member, &room, sizeof room, name, error);
        if (member == NULL)
            return CLSCAN_ERROR_STRUCT_SIZE;
        CLSCAN__TRY(clscan__told(name,
                                 create_lane(member, problem, i != end && problem->rows == NULL, options,
                                             (size_t)values_bytes, &group->lanes[i], error),
                                 error));
    }
    if (group->deals)
        return status;
    CLSCAN__TRY(find_measured(group, error));
    if (group->count < 2)
        return status;
    CLSCAN__TRY(clscan__courier_create(&group->courier, error));
    CLSCAN__TRY(clscan__told(CLSCAN__TOLD_SUMS, create_queue(group, &group->combining, error), error));
    create_travelling(group, (size_t)values_bytes);
    if (group->is_ordered)
        CLSCAN__TRY(clscan__told(CLSCAN__TOLD_SUMS, create_folder(group, problem, options, error), error));
    else if (group->count > 2 && group->host.scalars == 0)
        CLSCAN__TRY(clscan__told(CLSCAN__TOLD_SUMS, create_combine(group, problem, options, error), error));

cleanup:
    return status;
}

/* Are there rows that can be cut? */
static clscan_status check_split(const clscan_problem *problem, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    CLSCAN__REQUIRE(problem->rows != NULL, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->rows is NULL; clscan_devices_create() makes a group for one scan");
    CLSCAN__REQUIRE(problem->rows->dimensions == 0, CLSCAN_ERROR_UNSUPPORTED_TYPE,
                    "problem->rows->dimensions is %u; devices share rows with pitches only",
                    (unsigned)problem->rows->dimensions);
    CLSCAN__REQUIRE(!clscan__problem_is_ordered(problem), CLSCAN_ERROR_UNSUPPORTED_TYPE,
                    "problem->reproducible is set; rows have a reproducible order where each is on one device "
                    "(clscan_devices_create())");

cleanup:
    return status;
}

static clscan_status create(const clscan_member *members, uint64_t member_count, const clscan_problem *problem,
                            bool splits, const clscan_plan_options *options, clscan_devices **group,
                            clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan_devices *made = NULL;
    clscan__problem_room room;
    clscan_plan_options options_room;

    CLSCAN__REQUIRE(members != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "members is NULL");
    CLSCAN__REQUIRE(problem != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "problem is NULL");
    CLSCAN__REQUIRE(group != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "group is NULL");
    CLSCAN__REQUIRE(member_count >= 1 && member_count <= CLSCAN_MOST_DEVICES, CLSCAN_ERROR_INVALID_VALUE,
                    "member_count is %llu; a group has 1 to %u devices", (unsigned long long)member_count,
                    CLSCAN_MOST_DEVICES);
    if (options != NULL)
        CLSCAN__TAKE(options, options_room);
    CLSCAN__TRY(clscan__problem_take(&problem, &room, error));
    CLSCAN__TRY(clscan__check_shared_problem(problem, error));
    if (splits)
        CLSCAN__TRY(check_split(problem, error));
    made = calloc(1, sizeof *made);
    CLSCAN__REQUIRE(made != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for a group of devices");
    atomic_flag_clear(&made->busy);
    atomic_flag_clear(&made->host_busy);
    made->lanes = calloc((size_t)member_count, sizeof *made->lanes);
    CLSCAN__REQUIRE(made->lanes != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for a group's devices");
    made->count = (size_t)member_count;
    made->splits = splits;
    CLSCAN__TRY(create_group(members, problem, options, made, error));
    *group = made;
    made = NULL;

cleanup:
    clscan_devices_destroy(made);
    return status;
}

clscan_status clscan_devices_create(const clscan_member *members, uint64_t member_count, const clscan_problem *problem,
                                    const clscan_plan_options *options, clscan_devices **group, clscan_error *error)
{
    return create(members, member_count, problem, false, options, group, error);
}

clscan_status clscan_devices_create_split(const clscan_member *members, uint64_t member_count,
                                          const clscan_problem *problem, const clscan_plan_options *options,
                                          clscan_devices **group, clscan_error *error)
{
    return create(members, member_count, problem, true, options, group, error);
}

void clscan_devices_destroy(clscan_devices *group)
{
    if (group == NULL)
        return;
    clscan__host_room_destroy(group->host_room);
    clscan__courier_dismiss(group->courier);
    if (group->sums != NULL)
        clReleaseMemObject(group->sums);
    if (group->states != NULL)
        clReleaseMemObject(group->states);
    clscan__folder_destroy(&group->folder);
    clscan__bound_plan_destroy(&group->combine);
    clscan__pinned_release(group->travelling);
    if (group->combining != NULL)
        clReleaseCommandQueue(group->combining);
    for (size_t i = 0; i < group->count; ++i)
        destroy_lane(&group->lanes[i]);
    free(group->lanes);
    free(group->measured);
    free(group);
}
