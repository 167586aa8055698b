#include "doctor_checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_line/failure.h"
#include "reference/case.h"
#include "target.h"

/* Some tiles of the checks' variants, and more than one size class of most configs. */
#define SMALL_COUNT 5000
#define CONFIGURED_COUNT (1 << 20)

#define SIZES(work_items) " work_group_size=" #work_items " vector_length=1 register_pieces=4 local_pieces=0"
#define ONE_TILE " tiles_per_work_group=1 poll_delay=0"
#define CHAIN "strided+brent_kung+adjacent+dynamic" SIZES(32) ONE_TILE

#define RUN(name, variant)                                                    \
    {                                                                         \
        name, CHECK_RUN, variant, CLSCAN_MECHANISM_NONE, CLSCAN_UINT32, false \
    }

#define COMPILE(name, mechanism)                                                       \
    {                                                                                  \
        name, CHECK_COMPILE, CHAIN, CLSCAN_MECHANISM_##mechanism, CLSCAN_UINT32, false \
    }
_Static_assert(CLSCAN_MECHANISM_COUNT == 5, "a check for each mechanism but none");

/* From what every device can do to what the configs choose. */
/* clang-format off */
const check checks[] = {
    RUN("one work-item per work-group",
        "strided+brent_kung+reduce_then_scan" SIZES(1) " work_groups_per_unit=4"),
    RUN("carry single",           "strided+kogge_stone+single" SIZES(32)),
    RUN("carry reduce_then_scan", "strided+kogge_stone+reduce_then_scan" SIZES(32) " work_groups_per_unit=2"),
    RUN("carry scan_then_add",    "strided+kogge_stone+scan_then_add" SIZES(32) " work_groups_per_unit=2"),
    RUN("group scan subgroup",    "strided+subgroup+single" SIZES(64)),
    RUN("body subgroup_rows",
        "subgroup_rows+subgroup+reduce_then_scan" SIZES(64) " work_groups_per_unit=2"),
    COMPILE("mechanism ptx",      PTX),
    COMPILE("mechanism c11",      C11),
    COMPILE("mechanism atomic64", ATOMIC64),
    COMPILE("mechanism atomic32", ATOMIC32),
    {"start-up probe", CHECK_PROBE, CHAIN, CLSCAN_MECHANISM_NONE, CLSCAN_UINT32, false},
    RUN("carry adjacent",         CHAIN),
    RUN("carry lookback",         "strided+brent_kung+lookback+dynamic" SIZES(32) " poll_delay=0"),
    RUN("carry all_totals",       "strided+brent_kung+all_totals+dynamic" SIZES(32) " poll_delay=0"),
#define X(type, text, bytes, cl_type, accumulator) \
    {"scan of " #text, CHECK_CONFIGURED, NULL, CLSCAN_MECHANISM_NONE, CLSCAN_##type, false},
    CLSCAN_TYPE_LIST(X)
#undef X
    {"custom operator", CHECK_CONFIGURED, NULL, CLSCAN_MECHANISM_NONE, CLSCAN_UINT32, true},
};
/* clang-format on */
const size_t check_count = sizeof checks / sizeof checks[0];

/* ---- In the child ---- */

static void conclude(attempt *result, verdict what, const char *text)
{
    result->verdict = what;
    snprintf(result->text, sizeof result->text, "%s", text);
}

/* What was refused by rules is not used; all else that fails is the driver's or ours. */
static void conclude_error(attempt *result, const clscan_error *error)
{
    const bool refused = error->status == CLSCAN_ERROR_DEVICE_LIMIT || error->status == CLSCAN_ERROR_ILLEGAL_VARIANT ||
                         error->status == CLSCAN_ERROR_UNSUPPORTED_TYPE;

    conclude(result, refused ? VERDICT_NOT_USED : VERDICT_FAILS, error->message);
}

static bool is_right(const clscan_case_fixture *fixture, uint64_t count, attempt *result)
{
    char text[CLSCAN_CASE_TEXT_BYTES];

    for (int in_place = 0; in_place < (fixture->variant == NULL ? 2 : 1); ++in_place) {
        const clscan_case test = {.count = count,
                                  .in_place = in_place,
                                  .total = 1,
                                  .generator =
                                      fixture->sample != NULL ? CLSCAN_GENERATE_MOSTLY_ZERO : CLSCAN_GENERATE_SMALL,
                                  .seed = 1};
        const clscan_case_result got = clscan_case_run(fixture, &test, text, sizeof text);

        if (got != CLSCAN_CASE_RIGHT) {
            conclude(result, got == CLSCAN_CASE_WRONG ? VERDICT_WRONG : VERDICT_FAILS, text);
            return false;
        }
    }
    return true;
}

static clscan_status run_scan(const check *what, const target *t, const clscan_plan_options *options, attempt *result,
                              clscan_error *error)
{
    clscan_status status;
    const bool configured = what->kind == CHECK_CONFIGURED;
    const clscan_sample_operator *sample =
        what->custom ? clscan_sample_find(CLSCAN_SAMPLE_KEEP_LAST, what->type) : NULL;
    const clscan_problem problem = {.struct_size = sizeof problem,
                                    .type = what->type,
                                    .op = sample != NULL ? CLSCAN_CUSTOM : CLSCAN_ADD,
                                    .custom = sample != NULL ? &sample->custom : NULL,
                                    .max_count = configured ? CONFIGURED_COUNT : SMALL_COUNT};
    clscan_case_fixture fixture = {.context = t->context, .device = t->device, .queue = t->queue};

    TRY(clscan_case_prepare(&fixture, &problem, sample, options, error));
    if (what->kind != CHECK_COMPILE && is_right(&fixture, SMALL_COUNT, result) && configured)
        is_right(&fixture, CONFIGURED_COUNT, result);
    clscan_case_release(&fixture);

cleanup:
    return status;
}

static clscan_status run_probe(const check *what, const target *t, const clscan_plan_options *options, attempt *result,
                               clscan_error *error)
{
    clscan_status status;
    const clscan_problem problem = {.struct_size = sizeof problem, .type = what->type};
    clscan_plan_options probing = *options;
    clscan_probe_finding finding = {.struct_size = sizeof finding};
    clscan_error ignored;

    TRY(clscan_variant_check(options->variant, &problem, 0, &t->info, error));
    probing.probe = CLSCAN_PROBE_ALWAYS;
    status = run_scan(what, t, &probing, result, error);
    if (clscan_probe_look(t->device, &t->info, &finding, &ignored) != CLSCAN_OK)
        goto cleanup;
    if (finding.result == CLSCAN_PROBE_RESULT_FORBIDS) {
        conclude(result, VERDICT_FAILS, finding.reason);
        status = CLSCAN_OK;
    } else if (finding.result == CLSCAN_PROBE_RESULT_NONE && status == CLSCAN_OK) {
        conclude(result, VERDICT_NOT_USED, finding.reason);
    }

cleanup:
    return status;
}

static clscan_status open_target(size_t index, target *t, clscan_error *error)
{
    char selector[24];

    snprintf(selector, sizeof selector, "%zu", index);
    return target_find(t, selector, NULL, error);
}

void check_run(const void *argument, attempt *result)
{
    clscan_status status;
    const check_request *request = argument;
    const check *what = request->what;
    clscan_plan_options options = {.struct_size = sizeof options,
                                   .mechanism = what->mechanism,
                                   .no_sub_groups = request->no_sub_groups,
                                   .no_waiting = request->no_waiting,
                                   /* Checks of their own variants are not about what the probe finds. */
                                   .probe = what->kind == CHECK_CONFIGURED ? CLSCAN_PROBE_AUTO : CLSCAN_PROBE_OFF};
    clscan_variant variant;
    clscan_error failure = {0}, *error = &failure;
    target t = {0};

    TRY(open_target(request->device, &t, error));
    TRY(target_start(&t, error));
    if (what->variant != NULL) {
        TRY(clscan_variant_parse(what->variant, &variant, error));
        options.variant = &variant;
    }
    status = what->kind == CHECK_PROBE ? run_probe(what, &t, &options, result, error)
                                       : run_scan(what, &t, &options, result, error);

cleanup:
    if (status != CLSCAN_OK)
        conclude_error(result, error);
    target_release(&t);
}

void check_find_devices(const void *argument, attempt *result)
{
    clscan_status status;
    const char *selector = argument;
    clscan_error failure, *error = &failure;
    cl_device_id *devices = NULL, wanted = NULL;
    size_t count = 0;

    TRY(clscan_device_list(NULL, 0, &count, error));
    result->number = count;
    if (selector == NULL)
        goto cleanup;
    TRY(clscan_device_find(selector, &wanted, error));
    devices = calloc(count, sizeof *devices);
    REQUIRE(devices != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for a list of %zu devices", count);
    TRY(clscan_device_list(devices, count, &count, error));
    for (size_t i = 0; i < count; ++i)
        if (devices[i] == wanted)
            result->number = i;

cleanup:
    if (status != CLSCAN_OK)
        conclude_error(result, error);
    free(devices);
}

void check_name_device(const void *argument, attempt *result)
{
    clscan_status status;
    const size_t *index = argument;
    clscan_error failure, *error = &failure;
    target t = {0};

    TRY(open_target(*index, &t, error));
    snprintf(result->text, sizeof result->text, "%.127s (%.127s, driver %.127s)", t.info.name, t.info.platform_name,
             t.info.driver_version);

cleanup:
    if (status != CLSCAN_OK)
        conclude_error(result, error);
    target_release(&t);
}
