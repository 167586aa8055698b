/* Offsets of segments become marks. The kernel that makes them has work-groups of one on CPUs; on GPUs larger ones
 * gather marks in local memory, and where there are many trust at first that offsets are in order. Here each of them
 * runs on every device: offsets in order and out of it, dense and sparse, of each type, from any place of their buffer
 * on. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "common/test_knobs.h"
#include "live.h"
#include "random.h"

enum { MOST = 1200000, ROOM = 4 };

/* A work-group of the last size trusts 2^20 offsets and more, one of 16 work-items 2^16. */
static const uint32_t work_group_sizes[] = {1, 16, 64, 256};
static const uint64_t numbers[] = {0, 1, 7, 300, 5000, 70000, 1100000};
static const clscan_type types[] = {CLSCAN_INT32, CLSCAN_UINT32, CLSCAN_INT64, CLSCAN_UINT64};
enum {
    SIZES = sizeof work_group_sizes / sizeof work_group_sizes[0],
    NUMBERS = sizeof numbers / sizeof numbers[0],
    TYPES = sizeof types / sizeof types[0]
};

typedef enum pattern { EVEN, UNEVEN, REPEATED, ONE_AHEAD, ONE_BEHIND, BACKWARDS, SCATTERED, BEYOND, PATTERNS } pattern;

static int64_t offset_at(pattern of, uint64_t i, uint64_t number, uint64_t count, uint32_t *random)
{
    const uint64_t even = number > 0 ? i * count / number : 0;

    switch (of) {
    case UNEVEN: /* half of them in a part of 16, and a gap behind */
        return (int64_t)(i < number / 2 ? even / 8 : even);
    case REPEATED:
        return (int64_t)(even / 96 * 96);
    case ONE_AHEAD:
        return (int64_t)(i == number / 3 ? count - count / 4 + 5 : even);
    case ONE_BEHIND:
        return (int64_t)(i == number - number / 3 ? count / 4 : even);
    case BACKWARDS:
        return (int64_t)(count - 1 - even);
    case SCATTERED:
        return (int64_t)(((uint64_t)(next_random(random) >> 8) * count) >> 24);
    case BEYOND: /* negative ones before, and too large ones behind */
        return (int64_t)(even * 2) - (int64_t)(count / 4);
    default:
        return (int64_t)even;
    }
}

typedef struct rig {
    const test_live *live;
    clscan_plan *plan;
    clscan_workspace *workspace;
    clscan_type type;
    cl_mem ones, out, offsets;
    unsigned char *given;
    uint32_t *got;
    bool *begins;
} rig;

static void set_offset(const rig *r, uint64_t place, int64_t value)
{
    const int32_t narrow = (int32_t)value;

    if (clscan_type_size_bytes(r->type) == 4)
        memcpy(r->given + place * 4, &narrow, 4);
    else
        memcpy(r->given + place * 8, &value, 8);
}

/* Each output is the number of its element in the segment. */
static void marks_are_right(rig *r, pattern of, uint64_t number, uint64_t count, uint64_t first)
{
    const size_t bytes = clscan_type_size_bytes(r->type);
    const clscan_run_args args = {.struct_size = sizeof args,
                                  .in.buffer = r->ones,
                                  .out.buffer = r->out,
                                  .count = count,
                                  .segments = {.buffer = r->offsets, .offset = first},
                                  .offset_count = number};
    uint32_t random = 1, expected = 0;
    clscan_error error = {0};

    memset(r->begins, 0, MOST * sizeof *r->begins);
    for (uint64_t i = 0; i < number; ++i) {
        const int64_t at = offset_at(of, i, number, count, &random);

        set_offset(r, first + i, at);
        if (at >= 0 && (uint64_t)at < count)
            r->begins[at] = true;
    }
    for (uint64_t i = 0; i < ROOM; ++i) /* would be seen, were they taken for offsets */
        set_offset(r, i < first ? i : number + i, 3);
    assert_int_equal(
        clEnqueueWriteBuffer(r->live->queue, r->offsets, CL_TRUE, 0, (number + ROOM) * bytes, r->given, 0, NULL, NULL),
        CL_SUCCESS);
    assert_status(CLSCAN_OK, clscan_run(r->plan, r->workspace, r->live->queue, &args, 0, NULL, NULL, &error), &error);
    test_read(r->live, r->out, count * sizeof *r->got, r->got);
    for (uint64_t i = 0; i < count; ++i) {
        expected = r->begins[i] ? 1 : expected + 1;
        if (r->got[i] != expected)
            fail_msg("%s, pattern %d, %llu offsets from %llu on, %llu elements: number %llu is %u, not %u",
                     clscan_type_name(r->type), (int)of, (unsigned long long)number, (unsigned long long)first,
                     (unsigned long long)count, (unsigned long long)i, (unsigned)r->got[i], (unsigned)expected);
    }
}

static void every_pattern(void **state)
{
    const test_live *live = *state;
    rig r = {.live = live,
             .got = malloc(MOST * sizeof *r.got),
             .given = malloc((MOST + ROOM) * sizeof(int64_t)),
             .begins = malloc(MOST * sizeof *r.begins)};

    assert_true(r.got != NULL && r.given != NULL && r.begins != NULL);
    for (size_t i = 0; i < MOST; ++i)
        r.got[i] = 1;
    r.ones = test_buffer(live, CL_MEM_READ_ONLY, MOST * sizeof *r.got, r.got);
    r.out = test_buffer(live, CL_MEM_WRITE_ONLY, MOST * sizeof *r.got, NULL);
    r.offsets = test_buffer(live, CL_MEM_READ_ONLY, (MOST + ROOM) * sizeof(int64_t), NULL);
    for (size_t s = 0; s < SIZES; ++s) {
        const struct clscan__test_knobs knobs = {.mark_work_group_size = work_group_sizes[s]};
        const clscan_plan_options options = {.struct_size = sizeof options, .test_knobs = &knobs};
        const uint64_t most = 5000 * work_group_sizes[s]; /* some more than are trusted at first */

        if (work_group_sizes[s] > live->info.max_work_group_size)
            continue;
        for (size_t t = s % 2; t < TYPES; t += test_thorough() ? 1 : 2) {
            const clscan_segments segments = {
                .struct_size = sizeof segments, .by = CLSCAN_BY_OFFSETS, .type = types[t]};
            clscan_problem problem = test_problem(CLSCAN_UINT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, MOST);

            problem.segments = &segments;
            r.type = types[t];
            test_plan_create(live, &problem, &options, &r.plan, &r.workspace);
            for (size_t n = 0; n < NUMBERS && numbers[n] <= most; ++n)
                for (int of = 0; of < PATTERNS; ++of) {
                    const uint64_t dense = numbers[n] + numbers[n] / 16 + 40, first = (n + (size_t)of) % ROOM;

                    if (of == BEYOND && (types[t] == CLSCAN_UINT32 || types[t] == CLSCAN_UINT64))
                        continue;
                    marks_are_right(&r, (pattern)of, numbers[n], dense, first);
                    if (numbers[n] < MOST / 100)
                        marks_are_right(&r, (pattern)of, numbers[n], numbers[n] * 90 + 50, first);
                }
            clscan_workspace_destroy(r.workspace);
            clscan_plan_destroy(r.plan);
        }
    }
    clReleaseMemObject(r.ones);
    clReleaseMemObject(r.out);
    clReleaseMemObject(r.offsets);
    free(r.got);
    free(r.given);
    free(r.begins);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pattern),
    };
    return cmocka_run_group_tests_name("marks of offsets", tests, test_live_setup, test_live_teardown);
}
