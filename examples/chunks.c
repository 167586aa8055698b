/* Scan more than fits the device at once: chunk after chunk through two buffers. The total of a chunk stays on the
 * device and is the initial value of the next one. One queue carries data, the other one scans. */
#include "example.h"

enum { COUNT = 1000000, CHUNK = 150000, SLOTS = 2 };

static cl_long data[COUNT], result[COUNT];

typedef struct stream {
    const clscan_plan *plan;
    clscan_workspace *workspace;
    cl_command_queue transfers, scans; /* both in-order */
    cl_mem chunks[SLOTS];              /* CHUNK elements each */
    cl_mem carries;                    /* one value for each slot: what precedes its chunk */
} stream;

static size_t chunk_count(size_t chunk)
{
    const size_t first = chunk * CHUNK;
    return first >= COUNT ? 0 : COUNT - first < CHUNK ? COUNT - first : CHUNK;
}

/* Carry a chunk to its slot and scan it there; *scanned is the scan's event. */
static void send(const stream *s, size_t chunk, cl_event *scanned)
{
    const size_t slot = chunk % SLOTS, next = (chunk + 1) % SLOTS, count = chunk_count(chunk);
    clscan_error error = {0};
    cl_event written;

    must_cl(clEnqueueWriteBuffer(s->transfers, s->chunks[slot], CL_FALSE, 0, count * sizeof *data, data + chunk * CHUNK,
                                 0, NULL, &written),
            "write");
    const clscan_run_args args = {
        sizeof args,
        .in.buffer = s->chunks[slot],
        .out.buffer = s->chunks[slot],
        .count = count,
        .initial.buffer = chunk > 0 ? s->carries : NULL,
        .initial.offset = slot,
        .total.buffer = s->carries,
        .total.offset = next,
    };
    must(clscan_run(s->plan, s->workspace, s->scans, &args, 1, &written, scanned, &error), &error);
    clFlush(s->transfers); /* a command that waits for an event of another queue needs that queue flushed */
    clFlush(s->scans);
    clReleaseEvent(written);
}

/* Carry a chunk back when it is scanned. What is written to the slot later is behind this in the queue. */
static void receive(const stream *s, size_t chunk, cl_event scanned)
{
    must_cl(clEnqueueReadBuffer(s->transfers, s->chunks[chunk % SLOTS], CL_FALSE, 0,
                                chunk_count(chunk) * sizeof *result, result + chunk * CHUNK, 1, &scanned, NULL),
            "read");
    clReleaseEvent(scanned);
}

static void scan_all(const stream *s)
{
    cl_event scanned[SLOTS];
    size_t chunk = 0;

    for (; chunk_count(chunk) > 0; ++chunk) {
        if (chunk >= SLOTS)
            receive(s, chunk - SLOTS, scanned[chunk % SLOTS]);
        send(s, chunk, &scanned[chunk % SLOTS]);
    }
    for (size_t last = chunk > SLOTS ? chunk - SLOTS : 0; last < chunk; ++last)
        receive(s, last, scanned[last % SLOTS]);
    must_cl(clFinish(s->transfers), "clFinish");
}

static int is_right(void)
{
    cl_long sum = 0;

    for (size_t i = 0; i < COUNT; ++i)
        if (result[i] != (sum += data[i]))
            return 0;
    return 1;
}

int main(void)
{
    clscan_error error = {0};
    cl_device_id device;
    clscan_plan *plan = NULL;
    stream s = {0};

    for (size_t i = 0; i < COUNT; ++i)
        data[i] = (cl_long)(i % 1000) - 300;
    const cl_context context = open_context(&device);
    s.transfers = open_queue(context, device, 0);
    s.scans = open_queue(context, device, 0);
    s.carries = open_buffer(context, SLOTS * sizeof *data, NULL);
    for (int i = 0; i < SLOTS; ++i)
        s.chunks[i] = open_buffer(context, CHUNK * sizeof *data, NULL);

    const clscan_problem problem = {sizeof problem, .type = CLSCAN_INT64, .op = CLSCAN_ADD, .max_count = CHUNK};
    must(clscan_plan_create(context, device, &problem, NULL, &plan, &error), &error);
    s.plan = plan;
    must(clscan_workspace_create(plan, &s.workspace, &error), &error);
    must(clscan_workspace_bind(s.workspace, s.scans, NULL, &error), &error);
    scan_all(&s);
    printf("%d elements in chunks of %d: the last sum is %lld\n", COUNT, CHUNK, (long long)result[COUNT - 1]);

    clscan_workspace_destroy(s.workspace);
    clscan_plan_destroy(plan);
    clReleaseMemObject(s.carries);
    for (int i = 0; i < SLOTS; ++i)
        clReleaseMemObject(s.chunks[i]);
    clReleaseCommandQueue(s.transfers);
    clReleaseCommandQueue(s.scans);
    clReleaseContext(context);
    return is_right() ? 0 : 1;
}
