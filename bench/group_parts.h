/* A case cut over the devices of a group: what each has of it, in a memory of its own. */
#ifndef CLSCAN_BENCH_GROUP_PARTS_H
#define CLSCAN_BENCH_GROUP_PARTS_H

#include "measure/measure.h"
#include "members.h"

/* Of the rows of a case; one scan is one row. In elements of a row, but for the rows. */
typedef struct bench_place {
    uint64_t first_row, row_count;
    uint64_t first, count;
} bench_place;

typedef struct bench_parts {
    bench_members members;
    size_t sharing;                                   /* devices, side by side, that share each row */
    bench_place places[CLSCAN_MOST_DEVICES], largest; /* the counts of the largest of all */
    clscan_part parts[CLSCAN_MOST_DEVICES];
    clscan_rows rows[CLSCAN_MOST_DEVICES]; /* of the parts, if the case has any */
} bench_parts;

/* Open the devices of a request, and give each its part. Rows are dealt to every `sharing` of the devices, which cut
 * them. Zero `parts` before; release it also after a failure. */
bool bench_parts_open(bench_parts *parts, const measure_case *c, const char *request, size_t sharing,
                      measure_note *note);

/* What of the case a part is; all of the elements and rows of the largest, where `index` is that of no part. */
measure_problem bench_parts_problem(const bench_parts *parts, const measure_case *c, size_t index);

/* Put the outputs of all parts into the target of the case. False also if a part has written behind its end. */
bool bench_parts_gather(const bench_parts *parts, const measure_case *c, measure_note *note);

void bench_parts_release(bench_parts *parts);

#endif
