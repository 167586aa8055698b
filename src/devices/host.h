/* What a group keeps from one scan of host memory to the next. */
#ifndef CLSCAN_DEVICES_HOST_H
#define CLSCAN_DEVICES_HOST_H

#include "devices/copier.h"
#include "devices/group.h"

/* Sets of buffers take turns: while one is scanned, the next one is filled and the one before emptied. */
enum { CLSCAN__HOST_SETS = 3 };

typedef struct clscan__host_lane {
    cl_command_queue upload, download;
    uint64_t count;                                         /* elements of a buffer */
    cl_mem ins[CLSCAN__HOST_SETS], outs[CLSCAN__HOST_SETS]; /* an output is NULL where it is the input */
    clscan__copier *uploader, *downloader;                  /* NULL: there is no staging */
    /* Of the last round of each set; of a call. */
    cl_event uploaded[CLSCAN__HOST_SETS], scanned[CLSCAN__HOST_SETS], downloaded[CLSCAN__HOST_SETS];
    clscan__copy up[CLSCAN__HOST_SETS], down[CLSCAN__HOST_SETS];
    bool has_up[CLSCAN__HOST_SETS], has_down[CLSCAN__HOST_SETS]; /* handed over, and not taken */
} clscan__host_lane;

typedef struct clscan__host_room {
    clscan__host_lane *lanes;
    size_t count;     /* of lanes */
    size_t set_count; /* the first ones are there */
    bool staged;
    cl_mem total; /* of a round, where its scan ends */
    void *passed; /* what a round leaves for the next: a total, or a state */
    clscan__copier_desk desk;
} clscan__host_room;

/* The group's, with buffers of `counts` elements for its devices, or more, in sets for so many rounds; *room is still
 * the group's. */
clscan_status clscan__host_room_get(clscan_devices *group, const uint64_t *counts, uint64_t rounds, bool staged,
                                    clscan__host_room **room, clscan_error *error);

/* A call has ended: nothing uses the caller's memory any more. After a failure the group has no room. */
void clscan__host_room_end(clscan_devices *group, bool success);

/* NULL does nothing. */
void clscan__host_room_destroy(clscan__host_room *room);

#endif
