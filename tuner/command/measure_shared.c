#include "command/measure_shared.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "command/group_ends.h"
#include "command_line/failure.h"
#include "common/clock.h"
#include "measure/statistics.h"
#include "output/group_steps.h"
#include "space/ladder.h"

/* Groups of so many devices, side by side, which share each row. */
typedef struct sharing {
    size_t per_row, group_count, device_count;
    clscan_devices *groups[CLSCAN_MOST_DEVICES];
    clscan_member members[CLSCAN_MOST_DEVICES];
    double speeds[CLSCAN_MOST_DEVICES];
    clscan_part parts[CLSCAN_MOST_DEVICES];
    clscan_rows rows[CLSCAN_MOST_DEVICES];
    uint64_t ends[CLSCAN_MOST_DEVICES]; /* what stands behind the last row of each */
} sharing;

/* False where devices of one link are no multiple of the groups. All together, or each alone, need no order. */
static bool find_order(const tune_shared *shared, const clscan__group_document *document, size_t per_row,
                       uint64_t *order)
{
    cl_device_id devices[CLSCAN_MOST_DEVICES];
    uint64_t links[CLSCAN_MOST_DEVICES];
    clscan_error ignored;

    for (size_t i = 0; i < document->device_count; ++i) {
        devices[i] = shared->members[i].device;
        links[i] = document->devices[i].link;
        order[i] = i;
    }
    return per_row == 1 || per_row == document->device_count ||
           clscan_devices_by_link(devices, document->devices[0].has_link ? links : NULL, document->device_count,
                                  per_row, order, &ignored) == CLSCAN_OK;
}

static clscan_status open_groups(sharing *s, uint64_t rows, uint64_t most, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_rows of_problem = {.struct_size = sizeof of_problem, .count = rows};
    const clscan_problem problem = {
        .struct_size = sizeof problem, .type = CLSCAN_INT32, .max_count = most, .rows = &of_problem};

    for (size_t i = 0; i < s->group_count; ++i) {
        const clscan_member *members = &s->members[i * s->per_row];

        if (s->per_row == 1)
            TRY(clscan_devices_create(members, 1, &problem, NULL, &s->groups[i], error));
        else
            TRY(clscan_devices_create_split(members, s->per_row, &problem, NULL, &s->groups[i], error));
    }

cleanup:
    return status;
}

static void close_groups(sharing *s)
{
    for (size_t i = 0; i < s->group_count; ++i)
        clscan_devices_destroy(s->groups[i]);
}

/* Rows to groups by the speeds of all their devices, each row to the devices by their own. */
static clscan_status deal(sharing *s, uint64_t rows, uint64_t count, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    double speeds[CLSCAN_MOST_DEVICES] = {0};
    uint64_t rows_of[CLSCAN_MOST_DEVICES], shares[CLSCAN_MOST_DEVICES];

    for (size_t i = 0; i < s->device_count; ++i)
        speeds[i / s->per_row] += s->speeds[i];
    TRY(clscan_devices_deal(rows, speeds, s->group_count, rows_of, error));
    for (size_t i = 0; i < s->device_count; ++i) {
        const size_t group = i / s->per_row, of_group = i % s->per_row;

        if (of_group == 0)
            TRY(clscan_devices_deal(count, &s->speeds[i], s->per_row, shares, error));
        s->rows[i] = (clscan_rows){.struct_size = sizeof s->rows[i], .count = rows_of[group]};
        s->parts[i].count = shares[of_group];
        s->parts[i].rows = &s->rows[i];
        s->ends[i] = shares[of_group] + (of_group > 0 ? s->ends[i - 1] : 0);
    }
    for (size_t i = 0; i < s->device_count; ++i)
        s->ends[i] = s->rows[i].count == 0 || s->parts[i].count == 0 ? 0 : s->ends[i];

cleanup:
    return status;
}

/* Calls of several groups do not wait, so that all scan at once. */
static clscan_status run_once(sharing *s, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (size_t i = 0; i < s->group_count; ++i) {
        const clscan_devices_args args = {.struct_size = sizeof args,
                                          .parts = &s->parts[i * s->per_row],
                                          .part_count = s->per_row,
                                          .blocking = s->group_count == 1};

        TRY(clscan_devices_run(s->groups[i], &args, NULL, error));
    }
    for (size_t i = 0; i < s->device_count; ++i) {
        const cl_int code = clFinish(s->members[i].queue);

        REQUIRE(code == CL_SUCCESS, CLSCAN_ERROR_OPENCL, "clFinish of a device that shares rows failed: %s",
                clscan_cl_error_name(code));
    }

cleanup:
    return status;
}

/* The first run warms up, and is checked. */
static clscan_status time_runs(const tune_shared *shared, sharing *s, double *seconds, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    uint64_t times[TUNE_MOST_SHARED_RUNS];

    for (size_t i = 0; i <= shared->runs; ++i) {
        uint64_t begin;

        REQUIRE(!*shared->interrupted, CLSCAN_ERROR_FILE, "interrupted; nothing is written");
        if (i == 0)
            TRY(tune_group_ends_check(s->members, s->parts, s->device_count, s->ends, true, error));
        begin = clscan__now_ns();
        TRY(run_once(s, error));
        times[i > 0 ? i - 1 : 0] = clscan__now_ns() - begin;
        if (i == 0)
            TRY(tune_group_ends_check(s->members, s->parts, s->device_count, s->ends, false, error));
    }
    *seconds = 1e-9 * measure_summarise(times, shared->runs).median;

cleanup:
    return status;
}

/* All sizes with one number of devices for each row. */
static clscan_status measure_sharing(const tune_shared *shared, const clscan__group_document *document,
                                     const uint64_t *order, uint64_t rows, size_t per_row, tune_group_times *times,
                                     clscan_error *error)
{
    clscan_status status;
    sharing s = {
        .per_row = per_row, .group_count = document->device_count / per_row, .device_count = document->device_count};

    for (size_t i = 0; i < s.device_count; ++i) {
        s.members[i] = shared->members[order[i]];
        s.speeds[i] = document->devices[order[i]].device_gb_per_s;
        s.parts[i] = (clscan_part){
            .struct_size = sizeof s.parts[i], .in.buffer = shared->ins[order[i]], .out.buffer = shared->outs[order[i]]};
    }
    TRY(open_groups(&s, rows, shared->counts[shared->count_count - 1] / rows, error));
    for (size_t i = 0; i < shared->count_count; ++i) {
        tune_group_times *at = &times[i];

        at->numbers[at->number_count] = per_row;
        TRY(deal(&s, rows, at->count, error));
        TRY(time_runs(shared, &s, &at->seconds[at->number_count++], error));
    }

cleanup:
    close_groups(&s);
    return status;
}

static void tell(const clscan__group_document *document, const tune_group_times *times, size_t time_count,
                 size_t first_step)
{
    for (size_t i = 0; i < time_count; ++i) {
        printf("shared %" PRIu32 " rows of %10" PRIu64 " elements:", times[i].rows, times[i].count);
        for (size_t j = 0; j < times[i].number_count; ++j)
            printf("%s %zu a row: %.0f us (model %.0f)", j > 0 ? "," : "", times[i].numbers[j],
                   1e6 * times[i].seconds[j],
                   1e6 * (times[0].seconds[j] +
                          tune_group_shared_seconds(document, times[i].numbers[j], times[i].rows, times[i].count) -
                          tune_group_shared_seconds(document, times[0].numbers[j], times[0].rows, times[0].count)));
        printf("; fastest: %zu\n", tune_group_fastest(&times[i]));
    }
    for (size_t i = first_step; i < document->step_count; ++i) {
        const clscan__group_step *step = &document->steps[i];

        if (step->devices == 1)
            printf("shared %" PRIu32 " rows: each on one device", step->rows);
        else
            printf("shared %" PRIu32 " rows: %" PRIu32 " devices a row, %zu groups", step->rows, step->devices,
                   document->device_count / step->devices);
        if (step->largest_count != UINT64_MAX)
            printf(", up to %" PRIu64 " elements of a row\n", step->largest_count);
        else
            printf(", for all longer ones\n");
    }
    fflush(stdout);
}

/* Each so many devices a row that make groups. */
static clscan_status measure_rows(const tune_shared *shared, clscan__group_document *document, uint32_t rows,
                                  clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const size_t first_step = document->step_count;
    tune_group_times times[TUNE_MAX_COUNTS] = {{0}};
    uint64_t order[CLSCAN_MOST_DEVICES];
    size_t per_row = 1;

    for (size_t i = 0; i < shared->count_count; ++i)
        times[i] = (tune_group_times){.work = CLSCAN__WORK_SHARED, .rows = rows, .count = shared->counts[i] / rows};
    for (;;) {
        if (document->device_count % per_row == 0 && find_order(shared, document, per_row, order))
            TRY(measure_sharing(shared, document, order, rows, per_row, times, error));
        if (per_row == document->device_count)
            break;
        per_row = 2 * per_row < document->device_count ? 2 * per_row : document->device_count;
    }
    tune_group_add_steps(document, times, shared->count_count);
    tell(document, times, shared->count_count, first_step);

cleanup:
    return status;
}

clscan_status tune_measure_shared(const tune_shared *shared, clscan__group_document *document, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (uint32_t rows = 2; rows < document->device_count && rows <= shared->counts[0]; rows *= 2)
        TRY(measure_rows(shared, document, rows, error));

cleanup:
    return status;
}
