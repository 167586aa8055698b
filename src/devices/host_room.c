#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <stdlib.h>
#include <unistd.h>

#include "base/checked.h"
#include "devices/host.h"
#include "devices/told.h"

/* One copies some 10 GB/s, and the fastest links take 50 to 60 each way. */
#define MOST_COPIER_THREADS 8

static void forget(cl_event *event)
{
    if (*event != NULL)
        clReleaseEvent(*event);
    *event = NULL;
}

static void forget_memory(cl_mem memory)
{
    if (memory != NULL)
        clReleaseMemObject(memory);
}

static clscan_status create_buffer(cl_context context, cl_mem_flags flags, uint64_t size_bytes, cl_mem *made,
                                   clscan_error *error)
{
    cl_int code = CL_INVALID_BUFFER_SIZE;

    *made = size_bytes <= SIZE_MAX ? clCreateBuffer(context, flags, (size_t)size_bytes, NULL, &code) : NULL;
    return code == CL_SUCCESS ? CLSCAN_OK : clscan__error_opencl(error, "clCreateBuffer", code);
}

static clscan_status create_queue(const clscan__lane *lane, cl_command_queue *made, clscan_error *error)
{
    cl_int code;

    *made = clCreateCommandQueue(lane->context, lane->device, 0, &code);
    if (code == CL_SUCCESS)
        return CLSCAN_OK;
    *made = NULL;
    return clscan__error_opencl(error, "clCreateCommandQueue", code);
}

/* For `count` elements of a round. */
static clscan_status create_set(const clscan_devices *group, const clscan__lane *lane, size_t set,
                                clscan__host_lane *made, clscan_error *error)
{
    clscan_status status;
    const uint64_t in_bytes = made->count * group->in_bytes, out_bytes = made->count * group->out_bytes;

    CLSCAN__TRY(create_buffer(lane->context, CL_MEM_READ_WRITE, in_bytes, &made->ins[set], error));
    if (group->in_bytes != group->out_bytes)
        CLSCAN__TRY(create_buffer(lane->context, CL_MEM_READ_WRITE, out_bytes, &made->outs[set], error));

cleanup:
    return status;
}

/* Threads of a copier: as many as fill a link, if there are cores for those of all devices and both ways. */
static size_t threads_per_copier(size_t device_count)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const size_t share = cores > 0 ? (size_t)cores / (2 * device_count) : 1;

    return share < 1 ? 1 : share > MOST_COPIER_THREADS ? MOST_COPIER_THREADS : share;
}

static clscan_status create_lane(const clscan_devices *group, const clscan__lane *lane, clscan__host_room *room,
                                 clscan__host_lane *made, clscan_error *error)
{
    clscan_status status;

    CLSCAN__TRY(create_queue(lane, &made->upload, error));
    CLSCAN__TRY(create_queue(lane, &made->download, error));
    for (size_t set = 0; set < room->set_count && made->count > 0; ++set)
        CLSCAN__TRY(create_set(group, lane, set, made, error));
    if (room->staged && made->count > 0) {
        const size_t threads = threads_per_copier(group->count);

        CLSCAN__TRY(clscan__copier_create(&room->desk, lane->context, made->upload, threads, &made->uploader, error));
        CLSCAN__TRY(
            clscan__copier_create(&room->desk, lane->context, made->download, threads, &made->downloader, error));
    }

cleanup:
    return status;
}

/* Where the scan ends. */
static clscan_status create_total(const clscan_devices *group, clscan__host_room *room, clscan_error *error)
{
    const size_t end = group->reverse ? 0 : group->count - 1;
    char name[CLSCAN__TOLD_BYTES];

    clscan__told_name(name, "members", end);
    return clscan__told(
        name, create_buffer(group->lanes[end].context, CL_MEM_READ_WRITE, group->sum_bytes, &room->total, error),
        error);
}

static clscan_status create(const clscan_devices *group, const uint64_t *counts, size_t set_count, bool staged,
                            clscan__host_room **made, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__host_room *room = calloc(1, sizeof *room);

    CLSCAN__REQUIRE(room != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for scans of host memory");
    pthread_mutex_init(&room->desk.lock, NULL);
    pthread_cond_init(&room->desk.changed, NULL);
    room->set_count = set_count;
    room->staged = staged;
    room->lanes = calloc(group->count, sizeof *room->lanes);
    room->passed = calloc(group->is_ordered ? CLSCAN__MOST_STATE_NODES : 1, group->sum_bytes);
    CLSCAN__REQUIRE(room->lanes != NULL && room->passed != NULL, CLSCAN_ERROR_OUT_OF_MEMORY,
                    "no memory for scans of host memory");
    room->count = group->count;
    for (size_t i = 0; i < group->count; ++i) {
        char name[CLSCAN__TOLD_BYTES];

        clscan__told_name(name, "members", i);
        room->lanes[i].count = counts[i];
        CLSCAN__TRY(clscan__told(name, create_lane(group, &group->lanes[i], room, &room->lanes[i], error), error));
    }
    CLSCAN__TRY(create_total(group, room, error));
    *made = room;
    room = NULL;

cleanup:
    clscan__host_room_destroy(room);
    return status;
}

static bool is_enough(const clscan__host_room *room, const uint64_t *counts, size_t set_count, bool staged)
{
    bool enough = (room->staged || !staged) && room->set_count >= set_count;

    for (size_t i = 0; i < room->count; ++i)
        enough = enough && room->lanes[i].count >= counts[i];
    return enough;
}

clscan_status clscan__host_room_get(clscan_devices *group, const uint64_t *counts, uint64_t rounds, bool staged,
                                    clscan__host_room **room, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const size_t set_count = (size_t)clscan__min_u64(rounds, CLSCAN__HOST_SETS);

    if (group->host_room != NULL && !is_enough(group->host_room, counts, set_count, staged)) {
        clscan__host_room_destroy(group->host_room);
        group->host_room = NULL;
    }
    if (group->host_room == NULL)
        CLSCAN__TRY(create(group, counts, set_count, staged, &group->host_room, error));
    *room = group->host_room;

cleanup:
    return status;
}

/* A call that fails for want of something may succeed the next time. */
static void finish(cl_command_queue queue)
{
    if (queue != NULL && clFinish(queue) != CL_SUCCESS)
        clFinish(queue);
}

static void end_lane(clscan__host_lane *lane)
{
    finish(lane->upload);
    for (size_t set = 0; set < CLSCAN__HOST_SETS; ++set)
        if (lane->scanned[set] != NULL)
            clWaitForEvents(1, &lane->scanned[set]);
    finish(lane->download);
}

static void forget_call(clscan__host_lane *lane)
{
    for (size_t set = 0; set < CLSCAN__HOST_SETS; ++set) {
        forget(&lane->uploaded[set]);
        forget(&lane->scanned[set]);
        forget(&lane->downloaded[set]);
        lane->has_up[set] = lane->has_down[set] = false;
    }
}

void clscan__host_room_end(clscan_devices *group, bool success)
{
    if (!success) {
        clscan__host_room_destroy(group->host_room);
        group->host_room = NULL;
        return;
    }
    for (size_t i = 0; i < group->count; ++i)
        forget_call(&group->host_room->lanes[i]);
}

/* Jobs of copiers may wait for scans, and those of uploaders for those of downloaders: all are done first. */
void clscan__host_room_destroy(clscan__host_room *room)
{
    if (room == NULL)
        return;
    for (size_t i = 0; i < room->count; ++i)
        clscan__copier_destroy(room->lanes[i].downloader);
    for (size_t i = 0; i < room->count; ++i)
        clscan__copier_destroy(room->lanes[i].uploader);
    for (size_t i = 0; i < room->count; ++i) {
        clscan__host_lane *lane = &room->lanes[i];

        end_lane(lane);
        forget_call(lane);
        for (size_t set = 0; set < CLSCAN__HOST_SETS; ++set) {
            forget_memory(lane->ins[set]);
            forget_memory(lane->outs[set]);
        }
        if (lane->upload != NULL)
            clReleaseCommandQueue(lane->upload);
        if (lane->download != NULL)
            clReleaseCommandQueue(lane->download);
    }
    forget_memory(room->total);
    pthread_cond_destroy(&room->desk.changed);
    pthread_mutex_destroy(&room->desk.lock);
    free(room->lanes);
    free(room->passed);
    free(room);
}
