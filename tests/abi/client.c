/* A program of 0.1, compiled against its headers, that uses every struct of its interface. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clCreateCommandQueueWithProperties() is missing before OpenCL 2.0. */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <clscan/clscan.h>

enum { COUNT = 1000, FIRST = 3, LAST_RESERVED = sizeof(((clscan_error *)0)->reserved) / sizeof(uint64_t) - 1 };

static clscan_error error;

static void must(clscan_status status, const char *what)
{
    if (status == CLSCAN_OK)
        return;
    fprintf(stderr, "%s: %s\n", what, error.message);
    exit(1);
}

static void check(int holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "wrong: %s\n", what);
    exit(1);
}

static void count_entry(const clscan_cache_entry *entry, void *user)
{
    check(entry->struct_size >= sizeof *entry, "the size of a cache entry");
    ++*(size_t *)user;
}

/* What can be asked before there is a plan. */
static void ask(cl_device_id device, const clscan_problem *problem)
{
    clscan_device_info info = {.struct_size = sizeof info};
    clscan_probe_finding finding = {.struct_size = sizeof finding};
    clscan_choice choice = {.struct_size = sizeof choice};
    clscan_cache_counters counters = {.struct_size = sizeof counters};
    clscan_cache_info cache = {.struct_size = sizeof cache};
    const clscan_cache_options options = {.struct_size = sizeof options, .mode = CLSCAN_CACHE_MEMORY};
    clscan_known_variant list[4];
    size_t known, entries = 0;

    must(clscan_cache_set(&options, &error), "clscan_cache_set");
    must(clscan_device_describe(device, &info, &error), "clscan_device_describe");
    check(info.struct_size == sizeof info && info.name[0] != '\0' && info.compute_units > 0, "the device");
    must(clscan_probe_look(device, &info, &finding, &error), "clscan_probe_look");
    clscan_probe_apply(&finding, &info);
    must(clscan_config_explain(NULL, &info, problem, COUNT, 0, &choice, &error), "clscan_config_explain");
    check(choice.largest_count >= COUNT && choice.source[0] != '\0', "the choice");
    must(clscan_variant_check(&choice.variant, problem, 0, &info, &error), "clscan_variant_check");
    check(clscan_variant_tile_count(&choice.variant) > 0, "the tile");
    check(clscan_variant_local_bytes(&choice.variant, problem) <= info.local_memory_bytes, "the local memory");
    check(clscan_operator_class_of(problem) == CLSCAN_OPERATOR_CLASS_CUSTOM, "the class");
    must(clscan_config_list(NULL, &info, problem, list, sizeof list[0], 4, &known, &error), "clscan_config_list");
    must(clscan_cache_statistics(&counters, &error), "clscan_cache_statistics");
    must(clscan_cache_describe(&cache, &error), "clscan_cache_describe");
    check(cache.mode == CLSCAN_CACHE_MEMORY || cache.mode == CLSCAN_CACHE_OFF, "the cache's mode");
    (void)clscan_cache_list(count_entry, &entries, NULL);
}

/* A scan with all arguments, and what a plan tells of itself. */
static void scan(cl_context context, cl_device_id device, cl_command_queue queue, const clscan_problem *problem)
{
    static int data[FIRST + COUNT], result[FIRST + COUNT + 1];
    const clscan_plan_options options = {.struct_size = sizeof options, .count_events = 1};
    const int initial = 5;
    clscan_kernel_info info = {.struct_size = sizeof info};
    clscan_choice choice = {.struct_size = sizeof choice};
    clscan_report report = {.struct_size = sizeof report};
    clscan_plan *plan = NULL;
    clscan_workspace *workspace = NULL;
    int expected = initial;

    for (int i = 0; i < COUNT; ++i)
        data[FIRST + i] = i % 7;
    const cl_mem in = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof data, data, NULL);
    const cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof result, NULL, NULL);
    const clscan_run_args args = {.struct_size = sizeof args,
                                  .in = {.buffer = in, .offset = FIRST},
                                  .out.buffer = out,
                                  .count = COUNT,
                                  .initial = {CLSCAN_MEMORY_HOST, .pointer = &initial},
                                  .total = {.buffer = out, .offset = COUNT}};
    must(clscan_plan_create(context, device, problem, &options, &plan, &error), "clscan_plan_create");
    must(clscan_plan_explain(plan, COUNT, 0, &choice, &error), "clscan_plan_explain");
    must(clscan_plan_kernel_info(plan, COUNT, 0, &info, &error), "clscan_plan_kernel_info");
    check(info.work_group_size >= choice.variant.work_group_size, "the kernels");

    const cl_mem scratch =
        clCreateBuffer(context, CL_MEM_READ_WRITE, (size_t)clscan_plan_workspace_bytes(plan), NULL, NULL);
    must(clscan_workspace_create(plan, &workspace, &error), "clscan_workspace_create");
    must(clscan_workspace_bind(workspace, queue, &(clscan_memory){.buffer = scratch}, &error), "clscan_workspace_bind");
    must(clscan_run(plan, workspace, queue, &args, 0, NULL, NULL, &error), "clscan_run");
    must(clscan_workspace_report(workspace, queue, &report, &error), "clscan_workspace_report");
    check(report.failures == 0, "the report");
    check(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof result, result, 0, NULL, NULL) == CL_SUCCESS, "the read");
    for (int i = 0; i < COUNT; ++i) {
        expected += data[FIRST + i];
        check(result[i] == expected, "an output");
    }
    check(result[COUNT] == expected, "the total");

    clscan_workspace_destroy(workspace);
    clscan_plan_destroy(plan);
    clReleaseMemObject(scratch);
    clReleaseMemObject(out);
    clReleaseMemObject(in);
}

/* A plan and its workspace, which are run once. */
static void run(cl_context context, cl_device_id device, cl_command_queue queue, const clscan_problem *problem,
                const clscan_run_args *args)
{
    clscan_plan *plan = NULL;
    clscan_workspace *workspace = NULL;
    clscan_report report = {.struct_size = sizeof report};

    must(clscan_plan_create(context, device, problem, NULL, &plan, &error), "clscan_plan_create");
    must(clscan_workspace_create(plan, &workspace, &error), "clscan_workspace_create");
    must(clscan_workspace_bind(workspace, queue, NULL, &error), "clscan_workspace_bind");
    must(clscan_run(plan, workspace, queue, args, 0, NULL, NULL, &error), "clscan_run");
    must(clscan_workspace_report(workspace, queue, &report, &error), "clscan_workspace_report");
    check(report.failures == 0 && report.overflows == 0, "the report");
    clscan_workspace_destroy(workspace);
    clscan_plan_destroy(plan);
}

static cl_mem buffer_of(cl_context context, size_t bytes, void *data)
{
    return clCreateBuffer(context, data != NULL ? CL_MEM_COPY_HOST_PTR : CL_MEM_READ_WRITE, bytes, data, NULL);
}

/* Read and release. */
static void take(cl_command_queue queue, cl_mem buffer, size_t bytes, void *data)
{
    check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL) == CL_SUCCESS, "the read");
    clReleaseMemObject(buffer);
}

/* Columns of a matrix, whose elements are squared on load and summed up in 64 bits. */
static void rows_and_maps(cl_context context, cl_device_id device, cl_command_queue queue)
{
    enum { ROWS = 5, WIDTH = 7 };
    const clscan_element wide = {.struct_size = sizeof wide, .type = CLSCAN_INT64};
    const clscan_map_argument factor = {.struct_size = sizeof factor, .name = "factor", .type = CLSCAN_INT32};
    const clscan_map squares = {.struct_size = sizeof squares,
                                .expression = "(long)element * element * factor",
                                .arguments = &factor,
                                .argument_count = 1};
    const clscan_rows columns = {.struct_size = sizeof columns,
                                 .dimensions = 2,
                                 .axis = 0,
                                 .extents = {ROWS, WIDTH},
                                 .in_strides = {WIDTH, 1},
                                 .out_strides = {WIDTH, 1}};
    const clscan_problem problem = {.struct_size = sizeof problem,
                                    .type = CLSCAN_INT32,
                                    .accumulator = &wide,
                                    .output = &wide,
                                    .load = &squares,
                                    .rows = &columns,
                                    .max_count = ROWS};
    const int three = 3;
    const clscan_memory value = {CLSCAN_MEMORY_HOST, .pointer = &three};
    int data[ROWS * WIDTH];
    cl_long result[ROWS * WIDTH], expected[ROWS * WIDTH];

    for (int i = 0; i < ROWS * WIDTH; ++i) {
        data[i] = 30000 + i;
        expected[i] = (cl_long)data[i] * data[i] * three + (i < WIDTH ? 0 : expected[i - WIDTH]);
    }
    const cl_mem in = buffer_of(context, sizeof data, data), out = buffer_of(context, sizeof result, NULL);
    run(context, device, queue, &problem,
        &(clscan_run_args){.struct_size = sizeof(clscan_run_args),
                           .in.buffer = in,
                           .out.buffer = out,
                           .count = ROWS,
                           .rows = &columns,
                           .map_arguments = &value,
                           .map_argument_count = 1});
    take(queue, out, sizeof result, result);
    check(memcmp(result, expected, sizeof result) == 0, "sums of columns");
    clReleaseMemObject(in);
}

/* Sums of runs of equal keys, beside the scan. */
static void segments(cl_context context, cl_device_id device, cl_command_queue queue)
{
    enum { ELEMENTS = 60, RUN = 4 };
    const clscan_segments by_keys = {
        .struct_size = sizeof by_keys, .by = CLSCAN_BY_KEYS, .type = CLSCAN_UINT16, .sums = 1};
    const clscan_problem problem = {
        .struct_size = sizeof problem, .type = CLSCAN_INT32, .segments = &by_keys, .max_count = ELEMENTS};
    int data[ELEMENTS], result[ELEMENTS], sums[ELEMENTS];
    cl_ushort keys[ELEMENTS];
    cl_uint number;

    for (int i = 0; i < ELEMENTS; ++i) {
        data[i] = 1;
        keys[i] = (cl_ushort)(i / RUN % 2);
    }
    const cl_mem in = buffer_of(context, sizeof data, data), by = buffer_of(context, sizeof keys, keys),
                 out = buffer_of(context, sizeof result, NULL), each = buffer_of(context, sizeof sums, NULL),
                 how_many = buffer_of(context, sizeof number, NULL);
    const clscan_segment_sums wanted = {
        .struct_size = sizeof wanted, .sums.buffer = each, .number.buffer = how_many, .capacity = ELEMENTS / RUN};
    run(context, device, queue, &problem,
        &(clscan_run_args){.struct_size = sizeof(clscan_run_args),
                           .in.buffer = in,
                           .out.buffer = out,
                           .count = ELEMENTS,
                           .segments.buffer = by,
                           .segment_sums = &wanted});
    take(queue, out, sizeof result, result);
    take(queue, each, sizeof sums, sums);
    take(queue, how_many, sizeof number, &number);
    for (int i = 0; i < ELEMENTS; ++i)
        check(result[i] == i % RUN + 1 && (i >= ELEMENTS / RUN || sums[i] == RUN), "sums of a segment");
    check(number == ELEMENTS / RUN, "the number of segments");
    clReleaseMemObject(in);
    clReleaseMemObject(by);
}

/* Two columns by the flags of one. */
static void selection(cl_context context, cl_device_id device, cl_command_queue queue)
{
    enum { ELEMENTS = 90 };
    const uint32_t bytes[] = {8};
    const clscan_select by_flags = {
        .struct_size = sizeof by_flags, .flag_bytes = 1, .column_bytes = bytes, .column_count = 1};
    const clscan_problem problem = {.struct_size = sizeof problem,
                                    .operation = CLSCAN_SELECT,
                                    .type = CLSCAN_UINT32,
                                    .select = &by_flags,
                                    .max_count = ELEMENTS};
    cl_uint data[ELEMENTS], total;
    cl_ulong others[ELEMENTS];
    cl_uchar flags[ELEMENTS];

    for (cl_uint i = 0; i < ELEMENTS; ++i) {
        data[i] = i;
        others[i] = 1000 + i;
        flags[i] = i % 3 == 0;
    }
    const cl_mem in = buffer_of(context, sizeof data, data), out = buffer_of(context, sizeof data, NULL),
                 of = buffer_of(context, sizeof others, others), to = buffer_of(context, sizeof others, NULL),
                 by = buffer_of(context, sizeof flags, flags), count = buffer_of(context, sizeof total, NULL);
    const clscan_column column = {.in.buffer = of, .out.buffer = to};
    const clscan_selection kept = {.struct_size = sizeof kept, .flags.buffer = by, .columns = &column};
    run(context, device, queue, &problem,
        &(clscan_run_args){.struct_size = sizeof(clscan_run_args),
                           .in.buffer = in,
                           .out.buffer = out,
                           .count = ELEMENTS,
                           .total.buffer = count,
                           .selection = &kept});
    take(queue, out, sizeof data, data);
    take(queue, to, sizeof others, others);
    take(queue, count, sizeof total, &total);
    check(total == ELEMENTS / 3, "the number kept");
    for (cl_uint i = 0; i < total; ++i)
        check(data[i] == 3 * i && others[i] == 1000 + 3 * i, "a row that is kept");
    clReleaseMemObject(in);
    clReleaseMemObject(of);
    clReleaseMemObject(by);
}

/* Two members of one device, by their parts and from memory of the host. */
static void group(cl_context context, cl_device_id device, cl_command_queue queue)
{
    enum { ELEMENTS = 40 };
    const clscan_problem problem = {.struct_size = sizeof problem, .type = CLSCAN_INT32, .max_count = ELEMENTS};
    const clscan_member member = {.struct_size = sizeof member, .context = context, .device = device, .queue = queue};
    const clscan_member members[] = {member, member};
    clscan_part parts[2];
    clscan_devices *devices = NULL;
    int data[ELEMENTS], result[2 * ELEMENTS], total = 0;

    for (int i = 0; i < ELEMENTS; ++i)
        data[i] = 2;
    for (int i = 0; i < 2; ++i)
        parts[i] = (clscan_part){.struct_size = sizeof parts[i],
                                 .in.buffer = buffer_of(context, sizeof data, data),
                                 .out.buffer = buffer_of(context, sizeof data, NULL),
                                 .count = ELEMENTS};
    const clscan_devices_args args = {.struct_size = sizeof args, .parts = parts, .part_count = 2, .blocking = 1};
    must(clscan_devices_create(members, 2, &problem, NULL, &devices, &error), "clscan_devices_create");
    must(clscan_devices_run(devices, &args, NULL, &error), "clscan_devices_run");
    for (int i = 0; i < 2; ++i) {
        take(queue, parts[i].out.buffer, sizeof data, result + i * ELEMENTS);
        clReleaseMemObject(parts[i].in.buffer);
    }
    for (int i = 0; i < 2 * ELEMENTS; ++i)
        check(result[i] == 2 * (i + 1), "an output of a group");
    must(clscan_devices_scan_host(
             devices,
             &(clscan_host_args){
                 .struct_size = sizeof(clscan_host_args), .in = data, .out = data, .count = ELEMENTS, .total = &total},
             &error),
         "clscan_devices_scan_host");
    check(data[ELEMENTS - 1] == 2 * ELEMENTS && total == 2 * ELEMENTS, "an array of the host");
    clscan_devices_destroy(devices);
}

int main(void)
{
    const clscan_custom_operator plus = {.struct_size = sizeof plus,
                                         .source = "int plus(int left, int right) { return left + right; }",
                                         .function = "plus",
                                         .identity = "0"};
    const clscan_problem problem = {
        .struct_size = sizeof problem, .type = CLSCAN_INT32, .op = CLSCAN_CUSTOM, .custom = &plus, .max_count = COUNT};
    cl_device_id device;
    cl_int code;

    must(clscan_device_find(getenv("CLSCAN_TEST_DEVICE"), &device, &error), "clscan_device_find");
    const cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    const cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    check(queue != NULL, "the queue");
    ask(device, &problem);
    scan(context, device, queue, &problem);
    rows_and_maps(context, device, queue);
    segments(context, device, queue);
    selection(context, device, queue);
    group(context, device, queue);
    check(clscan_plan_create(context, device, &(clscan_problem){.struct_size = 0}, NULL, &(clscan_plan *){NULL},
                             &error) == CLSCAN_ERROR_STRUCT_SIZE,
          "the refusal of a struct without size");
    check(error.message[0] != '\0' && error.reserved[LAST_RESERVED] == 0, "the error");
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    printf("headers %d.%d, library %s: right\n", CLSCAN_VERSION_MAJOR, CLSCAN_VERSION_MINOR, clscan_version());
    return 0;
}
