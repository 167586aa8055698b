/* Visits to a site, in a list of events sorted by user and time: events of one user belong to one visit while less than
 * half an hour lies between two. Keys are structs, and an expression says when two neighbours are of one visit. */
#include "example.h"

enum { EVENTS = 100000 };

typedef struct event {
    unsigned user, time_s;
} event;

int main(void)
{
    static event events[EVENTS];
    static unsigned length[EVENTS];
    unsigned visits = 0, expected = 0, wrong = 0;
    clscan_error error = {0};
    clscan_workspace *workspace = NULL;
    cl_device_id device;

    for (unsigned i = 0; i < EVENTS; ++i)
        events[i] = (event){i / 100, i % 100 * 60 + (i % 100 / 7) * 3600};
    const cl_context context = open_context(&device);
    const cl_command_queue queue = open_queue(context, device, 0);
    const cl_mem log = open_buffer(context, sizeof events, events), lengths = open_buffer(context, sizeof length, NULL),
                 number = open_buffer(context, sizeof visits, NULL);

    const clscan_element event_key = {.struct_size = sizeof event_key,
                                      .name = "event",
                                      .source = "typedef struct event { uint user, time_s; } event;",
                                      .size_bytes = sizeof(event),
                                      .align_bytes = _Alignof(event)};
    const clscan_map one_visit = {.struct_size = sizeof one_visit,
                                  .expression = "left.user == right.user && right.time_s - left.time_s < 1800"};
    const clscan_segments of_visits = {
        .struct_size = sizeof of_visits, .by = CLSCAN_BY_KEYS, .key = &event_key, .equal = &one_visit};
    const clscan_map one = {.struct_size = sizeof one, .expression = "1"};
    const clscan_problem problem = {.struct_size = sizeof problem,
                                    .operation = CLSCAN_REDUCE,
                                    .type = CLSCAN_UINT32,
                                    .load = &one,
                                    .max_count = EVENTS,
                                    .segments = &of_visits};
    clscan_plan *plan = open_plan(context, device, queue, &problem, &workspace);

    const clscan_segment_sums sums = {.struct_size = sizeof sums, .sums.buffer = lengths, .number.buffer = number};
    const clscan_run_args args = {
        .struct_size = sizeof args, .count = EVENTS, .segments.buffer = log, .segment_sums = &sums};
    must(clscan_run(plan, workspace, queue, &args, 0, NULL, NULL, &error), &error);
    read_back(queue, number, sizeof visits, &visits);
    read_back(queue, lengths, sizeof length, length);

    for (unsigned begin = 0, end; begin < EVENTS; begin = end, ++expected) {
        for (end = begin + 1; end < EVENTS && events[end].user == events[begin].user &&
                              events[end].time_s - events[end - 1].time_s < 1800;
             ++end) {
        }
        wrong += length[expected] != end - begin;
    }
    wrong += visits != expected;
    printf("%d events in %u visits, %u are wrong\n", EVENTS, visits, wrong);
    clscan_workspace_destroy(workspace);
    clscan_plan_destroy(plan);
    close_all(context, queue, 3, (cl_mem[]){log, lengths, number});
    return wrong != 0;
}
