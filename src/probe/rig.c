/* clCreateCommandQueueWithProperties() is missing before OpenCL 2.0. */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "probe/rig.h"

#include "base/checked.h"
#include "common/clock.h"
#include "common/test_knobs.h"

/* More work-groups of one sub-group than a compute unit of any GPU holds. CPU devices hold one on each, but hand them
 * out many at a time. */
#define GROUPS_PER_UNIT_GPU 64u
#define GROUPS_PER_UNIT_CPU 512u
#define MOST_GROUPS (1u << 15)

/* Far beyond every ordinary wait, and short enough to be met again and again in a probe: some ten milliseconds. On a
 * GPU a tile waits for all before it that run at once, half a microsecond for each. */
#define POLL_LIMIT_GPU (1u << 16)
#define POLL_LIMIT_CPU (1u << 21)

static const clscan_custom_operator operation = {
    .struct_size = sizeof operation,
    .source = "uint operate(uint left, uint right)\n"
              "{\n"
              "    const uint factor = right & 0xffffu;\n"
              "    return ((left >> 16) * factor + (right >> 16)) << 16 | ((left * factor) & 0xffffu);\n"
              "}\n",
    .function = "operate",
};

/* StreamScan's chain with tiles of one vector: the most waiting per element, and little to compile, which is most of
 * the probe's time where a driver has no cache of its own. */
static clscan_variant variant_for(const clscan_device_info *info)
{
    clscan_variant variant = {
        .body = CLSCAN_BODY_STRIDED,
        .group_scan = CLSCAN_GROUP_SCAN_KOGGE_STONE,
        .carry = CLSCAN_CARRY_ADJACENT,
        .order = CLSCAN_ORDER_DYNAMIC,
        .work_group_size = 32,
        .vector_length = 1,
        .register_pieces = 1,
        .tiles_per_work_group = 1,
    };

    if (info->device_class == CLSCAN_DEVICE_CLASS_CPU)
        variant.work_group_size = 1;
    while (variant.work_group_size > 1 && variant.work_group_size > info->max_work_group_size)
        variant.work_group_size /= 2;
    return variant;
}

clscan__program_spec clscan__probe_spec(const clscan_device_info *info, uint32_t hold_interval)
{
    return (clscan__program_spec){
        .device = info,
        .type = CLSCAN_UINT32,
        .op = CLSCAN_CUSTOM,
        .form = CLSCAN_INCLUSIVE,
        .direction = CLSCAN_FORWARD,
        .custom = &operation,
        .variant = variant_for(info),
        .poll_limit = info->device_class == CLSCAN_DEVICE_CLASS_CPU ? POLL_LIMIT_CPU : POLL_LIMIT_GPU,
        .hold_interval = hold_interval,
        .count_events = 1,
        .probes = true,
    };
}

static uint32_t groups_on(const clscan_device_info *info)
{
    const bool cpu = info->device_class == CLSCAN_DEVICE_CLASS_CPU;

    return (uint32_t)clscan__min_u64((uint64_t)info->compute_units * (cpu ? GROUPS_PER_UNIT_CPU : GROUPS_PER_UNIT_GPU),
                                     MOST_GROUPS);
}

clscan_status clscan__probe_rig_open(clscan__probe_rig *rig, cl_context context, cl_device_id device,
                                     const clscan__program_spec *spec, clscan_probe_finding *finding,
                                     clscan_error *error)
{
    clscan_status status;
    const struct clscan__test_knobs knobs = {.poll_limit = spec->poll_limit, .hold_interval = spec->hold_interval};
    const clscan_plan_options options = {
        .struct_size = sizeof options,
        .variant = &spec->variant,
        .test_knobs = &knobs,
        .count_events = spec->count_events,
    };
    const clscan_problem problem = {
        .struct_size = sizeof problem,
        .type = spec->type,
        .op = spec->op,
        .form = spec->form,
        .direction = spec->direction,
        .custom = spec->custom,
        .max_count = groups_on(spec->device) * clscan_variant_tile_count(&spec->variant),
    };
    const uint64_t begin_ns = clscan__now_ns();
    cl_int code;

    *rig = (clscan__probe_rig){.groups = groups_on(spec->device)};
    CLSCAN__TRY(clscan__plan_choose(context, device, spec->device, &problem, &options, CLSCAN__PLAN_FOR_PROBE,
                                    &rig->plan, error));
    CLSCAN__TRY(clscan__plan_finish(rig->plan, &options, error));
    finding->compile_ns = clscan__now_ns() - begin_ns;
    rig->queue = clCreateCommandQueue(context, device, 0, &code);
    if (rig->queue == NULL)
        status = clscan__error_opencl(error, "clCreateCommandQueue", code);

cleanup:
    return status;
}

void clscan__probe_rig_close(clscan__probe_rig *rig)
{
    if (rig->queue != NULL)
        clReleaseCommandQueue(rig->queue);
    clscan__plan_release(rig->plan);
}
