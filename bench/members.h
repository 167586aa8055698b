/* The devices that scan together in a contender (groups.h, host_groups.h). */
#ifndef CLSCAN_BENCH_MEMBERS_H
#define CLSCAN_BENCH_MEMBERS_H

#include <clscan/devices.h>

#include "options.h"

#define BENCH_MAX_GROUPS 8

typedef struct bench_members {
    size_t count;
    clscan_member all[CLSCAN_MOST_DEVICES];
} bench_members;

/* The devices of a request, with commas between, or semicolons between groups of them. Their contexts and queues stay
 * open: nobody closes them. */
bool bench_members_open(bench_members *members, const measure_device *first, const char *request, measure_note *note);

/* Requests for groups of 2, 4, 8 ... and all of the devices that the options name, or of the platform of `device`,
 * which is the first of them then; 0 where there is one device only. `with_one`: the first one alone before them. */
size_t bench_groups_list(const bench_options *options, const measure_device *device, bool with_one,
                         char (*requests)[MEASURE_NAME_BYTES]);

/* Devices that a request names, and those before its first semicolon. */
size_t bench_group_size(const char *request);
size_t bench_group_sharing(const char *request);

/* The same devices with a semicolon behind every `sharing` of them. */
void bench_groups_split(const char *request, size_t sharing, char (*split)[MEASURE_NAME_BYTES]);

/* The one that the options name first, as clscan_device_find() takes it; NULL: its default. */
const char *bench_groups_first(const bench_options *options, char (*word)[MEASURE_NAME_BYTES]);

#endif
