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
    check(clscan_plan_create(context, device, &(clscan_problem){.struct_size = 0}, NULL, &(clscan_plan *){NULL},
                             &error) == CLSCAN_ERROR_STRUCT_SIZE,
          "the refusal of a struct without size");
    check(error.message[0] != '\0' && error.reserved[LAST_RESERVED] == 0, "the error");
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    printf("headers %d.%d, library %s: right\n", CLSCAN_VERSION_MAJOR, CLSCAN_VERSION_MINOR, clscan_version());
    return 0;
}
