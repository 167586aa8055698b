#include "lane.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guarded.h"

enum {
    ROUND_RUNS = 32,
    HELD_ROUND_RUNS =
        4,             /* of plans with owners that are held back: such runs take long, and a round must end in time */
    GUARD_BYTES = 256, /* of poison at least, between what two runs may write */
    MOST_SHIFT = 17,   /* elements past an aligned address */
    ARENA_BYTES = 1 << 19,
    POISON_BYTES = 1 << 25, /* as much as the largest arena */
    ENDS_PER_RUN = 8,       /* accumulators: an initial value and a total, poison between them */
    INITIAL_AT = 2,
    TOTAL_AT = 5
};

/* A buffer and what it should hold. */
typedef struct arena {
    cl_mem buffer;
    unsigned char *image;
    unsigned char *got;
    size_t capacity_bytes;
    size_t used_bytes;
} arena;

/* A run, and where its elements are. */
typedef struct record {
    soak_run run;
    arena *in;
    uint64_t in_at;  /* elements from the beginning of the arena */
    uint64_t out_at; /* the same, of lane->out */
    clscan_value initial;
    clscan_status status; /* of clscan_run() */
    cl_event event;       /* NULL: not wanted, or refused */
    clscan_rows rows;     /* of a plan for rows */
} record;

typedef struct rounds {
    soak_lane *lane;
    cl_command_queue queues[2];
    arena in, out, ends;
    cl_mem state;
    record records[ROUND_RUNS];
    size_t count;
    cl_event gate; /* the first run waits for it; NULL: for nothing */
} rounds;

static unsigned char *poison;

int soak_prepare_poison(void)
{
    poison = malloc(POISON_BYTES);
    for (size_t i = 0; poison != NULL && i < POISON_BYTES; ++i)
        poison[i] = clscan_guarded_canary(i);
    return poison != NULL;
}

int soak_describe(const soak_lane *lane, const soak_run *run, char *text, size_t text_bytes)
{
    const soak_plan *drawn = lane->drawn;
    const clscan_plan_options *options = &drawn->options;
    const soak_run none = {.test.generator = drawn->generator, .rows = 1};
    const soak_run *said = run != NULL ? run : &none;
    int used = clscan_case_format(&lane->fixture, &said->test, text, text_bytes);

    if ((size_t)used >= text_bytes)
        return (int)text_bytes - 1;
    used +=
        snprintf(text + used, text_bytes - (size_t)used,
                 " mechanism=%s poll_limit=%" PRIu32 " hold_interval=%" PRIu32 " first_epoch=%" PRIu32
                 " count_events=%d lanes=%u lane=%u queues=%d out_of_order=%d queue=%u follows=%d rows=%" PRIu64,
                 clscan_mechanism_name(options->mechanism), drawn->test_knobs.poll_limit,
                 drawn->test_knobs.hold_interval, drawn->test_knobs.first_epoch, options->count_events, drawn->lanes,
                 lane->number, 1 + drawn->two_queues, drawn->two_queues && drawn->out_of_order, said->queue,
                 said->follows, run == NULL && drawn->problem.rows != NULL ? drawn->rows.count : said->rows);
    return (size_t)used < text_bytes ? used : (int)text_bytes - 1;
}

/* Report a failure of `of`, or of the lane if it is NULL. Gives back 0, for what says whether it went well. */
static int failed(const rounds *r, const record *of, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

static int failed(const rounds *r, const record *of, const char *format, ...)
{
    const soak_lane *lane = r->lane;
    char text[2 * SOAK_TEXT_BYTES];
    va_list arguments;

    int used = soak_describe(lane, of != NULL ? &of->run : NULL, text, SOAK_TEXT_BYTES);
    used += snprintf(text + used, sizeof text - (size_t)used, ": ");
    va_start(arguments, format);
    vsnprintf(text + used, sizeof text - (size_t)used, format, arguments);
    va_end(arguments);
    soak_report(lane->settings, lane->shared, lane->plan_number, text);
    return 0;
}

static int cl_failed(const rounds *r, const char *call, cl_int code)
{
    return code == CL_SUCCESS || failed(r, NULL, "%s: %s", call, clscan_cl_error_name(code));
}

#define TRY_CL(r, function, arguments)                    \
    do {                                                  \
        if (!cl_failed(r, #function, function arguments)) \
            return 0;                                     \
    } while (0)

static int open_arena(const rounds *r, arena *a, cl_mem_flags flags, size_t bytes)
{
    cl_int code;

    a->capacity_bytes = bytes;
    a->image = malloc(bytes);
    a->got = malloc(bytes);
    if (a->image == NULL || a->got == NULL || bytes > POISON_BYTES)
        return failed(r, NULL, "no memory for %zu bytes", bytes);
    a->buffer = clCreateBuffer(r->lane->fixture.context, flags, bytes, NULL, &code);
    return cl_failed(r, "clCreateBuffer", code);
}

static void close_arena(arena *a)
{
    if (a->buffer != NULL)
        clReleaseMemObject(a->buffer);
    free(a->image);
    free(a->got);
}

/* Poison the next bytes. */
static void extend(arena *a, size_t bytes)
{
    memcpy(a->image + a->used_bytes, poison + a->used_bytes, bytes);
    a->used_bytes += bytes;
}

/* Room for elements `shift` past an aligned address, with guards on both sides. Gives back the first one. */
static uint64_t place(arena *a, uint64_t count, uint64_t shift, size_t size)
{
    const size_t first_bytes = (a->used_bytes + GUARD_BYTES - 1) / GUARD_BYTES * GUARD_BYTES + shift * size;

    extend(a, first_bytes - a->used_bytes + (size_t)count * size + GUARD_BYTES);
    return first_bytes / size;
}

static size_t room_for(uint64_t count, size_t size)
{
    return ((size_t)count + MOST_SHIFT) * size + 2 * GUARD_BYTES;
}

static clscan_type type_of(const rounds *r)
{
    return r->lane->drawn->problem.type;
}

static unsigned char *element(const arena *a, clscan_type type, uint64_t at)
{
    return a->image + at * clscan_type_size_bytes(type);
}

/* Find places for the run's elements, and make its input and initial value. */
static void add_run(rounds *r, const soak_run *run)
{
    const clscan_type type = type_of(r);
    const clscan_type accumulator = clscan_type_accumulator(type);
    const size_t size = clscan_type_size_bytes(type);
    const clscan_case *test = &run->test;
    record *of = &r->records[r->count];

    *of = (record){.run = *run, .rows = {.struct_size = sizeof of->rows, .count = run->rows}};
    of->in = test->in_place || r->lane->drawn->one_buffer || run->follows ? &r->out : &r->in;
    if (run->follows) {
        of->in_at = r->records[r->count - 1].out_at;
    } else {
        of->in_at = place(of->in, test->count, test->in_offset, size);
        clscan_generate(test->generator, type, test->seed, 0, test->count, element(of->in, type, of->in_at));
    }
    of->out_at = test->in_place ? of->in_at : place(&r->out, test->count, test->out_offset, size);
    of->initial = clscan_case_initial_value(accumulator, test);
    if (test->initial == CLSCAN_CASE_DEVICE_INITIAL)
        clscan_value_store(accumulator, of->initial,
                           element(&r->ends, accumulator, r->count * ENDS_PER_RUN + INITIAL_AT));
    ++r->count;
}

/* As many of the lane's next runs as there is room for. */
static void draw_round(rounds *r, uint64_t *next, soak_run *previous)
{
    const soak_lane *lane = r->lane;
    const size_t size = clscan_type_size_bytes(type_of(r));
    const size_t most = lane->drawn->test_knobs.hold_interval > 0 ? HELD_ROUND_RUNS : ROUND_RUNS;
    arena *const arenas[] = {&r->in, &r->out, &r->ends};

    for (size_t i = 0; i < sizeof arenas / sizeof arenas[0]; ++i)
        arenas[i]->used_bytes = 0;
    extend(&r->ends, r->ends.capacity_bytes);
    r->count = 0;
    while (r->count < most && *next < lane->runs) {
        soak_run run = soak_draw_run(lane->drawn, lane->number, *next, r->count > 0 ? previous : NULL);
        const size_t room = 2 * room_for(run.test.count, size) + GUARD_BYTES;
        if (r->in.used_bytes + room > r->in.capacity_bytes || r->out.used_bytes + room > r->out.capacity_bytes)
            break;
        if (clscan_plan_state_bytes(lane->fixture.plan) == 0 || run.test.count == 0)
            run.test.part_count = 0;
        add_run(r, &run);
        *previous = run;
        ++*next;
    }
    extend(&r->in, GUARD_BYTES);
    extend(&r->out, GUARD_BYTES);
}

static int upload(const rounds *r, const arena *a)
{
    TRY_CL(r, clEnqueueWriteBuffer, (r->queues[0], a->buffer, CL_TRUE, 0, a->used_bytes, a->image, 0, NULL, NULL));
    return 1;
}

static clscan_run_args args_of(const rounds *r, const record *of)
{
    const clscan_case *test = &of->run.test;
    const uint64_t ends = (uint64_t)(of - r->records) * ENDS_PER_RUN;
    clscan_run_args args = {.struct_size = sizeof args,
                            .in.buffer = of->in->buffer,
                            .in.offset = of->in_at,
                            .out.buffer = r->out.buffer,
                            .out.offset = of->out_at,
                            .count = test->count / of->run.rows};

    if (r->lane->drawn->problem.rows != NULL)
        args.rows = &of->rows;
    if (test->initial == CLSCAN_CASE_HOST_INITIAL)
        args.initial = (clscan_memory){CLSCAN_MEMORY_HOST, .pointer = &of->initial};
    if (test->initial == CLSCAN_CASE_DEVICE_INITIAL) {
        args.initial.buffer = r->ends.buffer;
        args.initial.offset = ends + INITIAL_AT;
    }
    if (test->total) {
        args.total.buffer = r->ends.buffer;
        args.total.offset = ends + TOTAL_AT;
    }
    return args;
}

/* One run, or one for each part in the order of the scan. */
static clscan_status enqueue_run(rounds *r, record *of, cl_uint waits, const cl_event *wait_list, clscan_error *error)
{
    const clscan_case_fixture *fixture = &r->lane->fixture;
    const clscan_case *test = &of->run.test;
    const clscan_run_args whole = args_of(r, of);
    const uint64_t part = test->part_count > 0 ? test->part_count : test->count;
    clscan_status status = CLSCAN_OK;
    uint64_t first = 0;

    do {
        const uint64_t left = test->count - first;
        clscan_run_args args = whole;
        const uint64_t taken = left < part ? left : part;
        if (test->part_count > 0) {
            args.count = taken;
            const uint64_t skipped = r->lane->drawn->problem.direction == CLSCAN_REVERSE ? left - args.count : first;
            args.first = first;
            args.state.buffer = r->state;
            args.in.offset += skipped;
            args.out.offset += skipped;
        }
        first += taken;
        status = clscan_run(fixture->plan, fixture->workspace, r->queues[of->run.queue], &args, waits, wait_list,
                            of->run.wants_event && first == test->count ? &of->event : NULL, error);
    } while (status == CLSCAN_OK && first < test->count);
    return status;
}

static int enqueue_round(rounds *r)
{
    cl_event latest = NULL;

    for (size_t i = 0; i < r->count; ++i) {
        record *of = &r->records[i];
        clscan_error error = {0};
        cl_event list[2];
        cl_uint waits = 0;

        if (i == 0 && r->gate != NULL)
            list[waits++] = r->gate;
        if (of->run.waits && latest != NULL)
            list[waits++] = latest;
        of->status = enqueue_run(r, of, waits, waits > 0 ? list : NULL, &error);
        if (of->status != CLSCAN_OK && of->status != CLSCAN_ERROR_NO_IDENTITY)
            return failed(r, of, "%s: %s", clscan_status_name(of->status), error.message);
        if (of->event != NULL)
            latest = of->event;
    }
    return 1;
}

static int open_gate(const rounds *r)
{
    if (r->gate != NULL)
        TRY_CL(r, clSetUserEventStatus, (r->gate, CL_COMPLETE));
    return 1;
}

/* What the runs should leave, in the images, run by run. */
static int expect_round(rounds *r)
{
    const clscan_problem *problem = &r->lane->drawn->problem;
    const clscan_sample_operator *sample = r->lane->drawn->sample;
    const clscan_type accumulator = clscan_type_accumulator(problem->type);
    const clscan_reference what = clscan_reference_of(problem, sample);

    for (size_t i = 0; i < r->count; ++i) {
        const record *of = &r->records[i];
        const clscan_case *test = &of->run.test;
        const uint64_t each = test->count / of->run.rows;
        clscan_value total;
        clscan_status status = CLSCAN_OK;
        for (uint64_t row = 0; row < of->run.rows && status == CLSCAN_OK; ++row)
            status = clscan_reference_scan(&what, element(of->in, problem->type, of->in_at + row * each), each,
                                           test->initial != CLSCAN_CASE_NO_INITIAL ? &of->initial : NULL,
                                           element(&r->out, problem->type, of->out_at + row * each),
                                           test->total ? &total : NULL);

        if (of->status != status)
            return failed(r, of, "clscan_run() said %s, expected was %s", clscan_status_name(of->status),
                          clscan_status_name(status));
        if (test->total && status == CLSCAN_OK)
            clscan_value_store(accumulator, total, element(&r->ends, accumulator, i * ENDS_PER_RUN + TOTAL_AT));
    }
    return 1;
}

static int download(const rounds *r, const arena *a)
{
    if (a->used_bytes > 0)
        TRY_CL(r, clEnqueueReadBuffer, (r->queues[0], a->buffer, CL_TRUE, 0, a->used_bytes, a->got, 0, NULL, NULL));
    return 1;
}

static int same(const rounds *r, clscan_type type, const void *expected, const void *got)
{
    const clscan_problem *problem = &r->lane->drawn->problem;

    if (problem->reproducible)
        return memcmp(expected, got, clscan_type_size_bytes(type)) == 0;
    return type == problem->type ? clscan_reference_same(type, problem->op, expected, got)
                                 : clscan_reference_same_total(problem->type, problem->op, expected, got);
}

/* Elements that differ: report the first one that may not; take over those that may. */
static int compare_elements(const rounds *r, const record *of, arena *a, clscan_type type, uint64_t at, uint64_t count,
                            const char *name)
{
    const size_t size = clscan_type_size_bytes(type);

    for (uint64_t i = 0; i < count; ++i) {
        unsigned char *expected = a->image + (at + i) * size;
        const unsigned char *got = a->got + (at + i) * size;
        if (memcmp(expected, got, size) == 0)
            continue;
        if (!same(r, type, expected, got)) {
            char expected_text[64], got_text[64];
            clscan_value_format(type, clscan_value_load(type, expected), expected_text, sizeof expected_text);
            clscan_value_format(type, clscan_value_load(type, got), got_text, sizeof got_text);
            return failed(r, of, "%s[%" PRIu64 "] expected %s got %s", name, i, expected_text, got_text);
        }
        memcpy(expected, got, size);
    }
    return 1;
}

/* Every other byte is as it was: poison, inputs, initial values. */
static int compare_rest(const rounds *r, const arena *a, const char *name)
{
    const size_t size = clscan_type_size_bytes(type_of(r));

    for (size_t i = 0; i < a->used_bytes; ++i)
        if (a->image[i] != a->got[i]) {
            const record *nearest = NULL;
            for (size_t k = 0; a == &r->out && k < r->count; ++k)
                if (nearest == NULL || r->records[k].out_at * size <= i)
                    nearest = &r->records[k];
            return failed(r, nearest, "byte %zu of %s was 0x%02x and is 0x%02x; this run's output begins at byte %zu",
                          i, name, a->image[i], a->got[i],
                          nearest != NULL ? (size_t)nearest->out_at * size : (size_t)0);
        }
    return 1;
}

static int compare_round(rounds *r)
{
    const clscan_type accumulator = clscan_type_accumulator(type_of(r));

    if (memcmp(r->out.image, r->out.got, r->out.used_bytes) != 0)
        for (size_t i = 0; i < r->count; ++i)
            if (!compare_elements(r, &r->records[i], &r->out, type_of(r), r->records[i].out_at,
                                  r->records[i].run.test.count, "out"))
                return 0;
    for (size_t i = 0; i < r->count; ++i)
        if (!compare_elements(r, &r->records[i], &r->ends, accumulator, i * ENDS_PER_RUN + TOTAL_AT, 1, "total"))
            return 0;
    return compare_rest(r, &r->out, "the outputs' buffer") && compare_rest(r, &r->ends, "the totals' buffer") &&
           compare_rest(r, &r->in, "the inputs' buffer");
}

static int finish(const rounds *r)
{
    TRY_CL(r, clFlush, (r->queues[0]));
    TRY_CL(r, clFlush, (r->queues[1]));
    TRY_CL(r, clFinish, (r->queues[0]));
    TRY_CL(r, clFinish, (r->queues[1]));
    return 1;
}

static void release_events(rounds *r)
{
    for (size_t i = 0; i < r->count; ++i)
        if (r->records[i].event != NULL)
            clReleaseEvent(r->records[i].event);
    if (r->gate != NULL)
        clReleaseEvent(r->gate);
    r->gate = NULL;
}

static int run_round(rounds *r, int gated)
{
    cl_int code;

    if (!upload(r, &r->in) || !upload(r, &r->out) || !upload(r, &r->ends))
        return 0;
    if (gated) {
        r->gate = clCreateUserEvent(r->lane->fixture.context, &code);
        if (!cl_failed(r, "clCreateUserEvent", code))
            return 0;
    }
    int right = enqueue_round(r);
    right = open_gate(r) && right;
    clFlush(r->queues[0]);
    clFlush(r->queues[1]);
    right = right && expect_round(r); /* while the device works */
    right = finish(r) && right;
    right = right && download(r, &r->in) && download(r, &r->out) && download(r, &r->ends) && compare_round(r);
    release_events(r);
    return right;
}

/* Counters since the last look. */
static int take_report(rounds *r, clscan_report *before)
{
    soak_shared *shared = r->lane->shared;
    clscan_report now = {.struct_size = sizeof now};
    clscan_error error = {0};

    if (clscan_workspace_report(r->lane->fixture.workspace, r->queues[0], &now, &error) != CLSCAN_OK)
        return failed(r, NULL, "clscan_workspace_report(): %s", error.message);
    if (now.failures != 0)
        return failed(r, NULL, "%" PRIu32 " work-groups reported that they could not finish", now.failures);
    if (now.waits < before->waits || now.recomputed < before->recomputed || now.discarded < before->discarded)
        return failed(r, NULL, "the report lost what it had counted");
    shared->waits += now.waits - before->waits;
    shared->recomputed += now.recomputed - before->recomputed;
    shared->discarded += now.discarded - before->discarded;
    *before = now;
    return 1;
}

static void run_rounds(rounds *r)
{
    const soak_lane *lane = r->lane;
    soak_shared *shared = lane->shared;
    clscan_report report = {.struct_size = sizeof report};
    soak_run previous = {0};
    uint64_t next = 0;

    for (uint64_t round = 0; next < lane->runs && !soak_is_over(lane->settings, shared); ++round) {
        draw_round(r, &next, &previous);
        if (!run_round(r, clscan_generate_bits(lane->drawn->seed + lane->number, round) % 8 == 0) ||
            !take_report(r, &report))
            return;
        for (size_t i = 0; i < r->count; ++i)
            shared->elements += r->records[i].run.test.count;
        shared->runs += r->count;
        ++lane->slot->beats;
    }
}

/* Some drivers compile when a kernel is first enqueued: scans of one element, which wait for nobody, come first. */
static int warm_up(rounds *r)
{
    clscan_error error = {0};

    for (int in_place = 0; in_place < 2; ++in_place) {
        const unsigned char initial[sizeof(clscan_value)] = {0};
        const clscan_run_args args = {.struct_size = sizeof args,
                                      .in.buffer = in_place ? r->out.buffer : r->in.buffer,
                                      .out.buffer = r->out.buffer,
                                      .count = 1,
                                      .initial = {CLSCAN_MEMORY_HOST, .pointer = initial}};
        if (clscan_run(r->lane->fixture.plan, r->lane->fixture.workspace, r->queues[0], &args, 0, NULL, NULL, &error) !=
            CLSCAN_OK)
            return failed(r, NULL, "a scan of one element: %s", error.message);
        TRY_CL(r, clFinish, (r->queues[0]));
        ++r->lane->slot->beats;
    }
    return 1;
}

static int open_rounds(rounds *r)
{
    soak_lane *lane = r->lane;
    clscan_case_fixture *fixture = &lane->fixture;
    const size_t size = clscan_type_size_bytes(type_of(r));
    const clscan_type accumulator = clscan_type_accumulator(type_of(r));
    const size_t bytes = ARENA_BYTES + 2 * room_for(soak_most_elements(lane->drawn), size) + 4 * GUARD_BYTES;
    const size_t ends_bytes = (size_t)ROUND_RUNS * ENDS_PER_RUN * clscan_type_size_bytes(accumulator);
    const size_t state_bytes = (size_t)clscan_plan_state_bytes(fixture->plan);
    cl_command_queue_properties can = 0;
    clscan_error error = {0};
    cl_int code;

    TRY_CL(r, clGetDeviceInfo, (fixture->device, CL_DEVICE_QUEUE_PROPERTIES, sizeof can, &can, NULL));
    can &= lane->drawn->out_of_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0;
    for (size_t i = 0; i < 2; ++i) {
        r->queues[i] = clCreateCommandQueue(fixture->context, fixture->device, i == 1 ? can : 0, &code);
        if (!cl_failed(r, "clCreateCommandQueue", code))
            return 0;
    }
    fixture->queue = r->queues[0];
    if (clscan_workspace_create(fixture->plan, &fixture->workspace, &error) != CLSCAN_OK ||
        clscan_workspace_bind(fixture->workspace, r->queues[0], NULL, &error) != CLSCAN_OK)
        return failed(r, NULL, "workspace: %s", error.message);
    if (state_bytes > 0) {
        r->state = clCreateBuffer(fixture->context, CL_MEM_READ_WRITE, state_bytes, NULL, &code);
        if (!cl_failed(r, "clCreateBuffer", code))
            return 0;
    }
    return open_arena(r, &r->in, CL_MEM_READ_ONLY, bytes) && open_arena(r, &r->out, CL_MEM_READ_WRITE, bytes) &&
           open_arena(r, &r->ends, CL_MEM_READ_WRITE, ends_bytes);
}

static void close_rounds(rounds *r)
{
    clscan_workspace_destroy(r->lane->fixture.workspace);
    close_arena(&r->in);
    close_arena(&r->out);
    close_arena(&r->ends);
    if (r->state != NULL)
        clReleaseMemObject(r->state);
    for (size_t i = 0; i < 2; ++i)
        if (r->queues[i] != NULL)
            clReleaseCommandQueue(r->queues[i]);
}

void soak_run_lane(soak_lane *lane)
{
    rounds r = {.lane = lane};

    if (open_rounds(&r) && warm_up(&r)) {
        lane->slot->compiling = 0;
        run_rounds(&r);
    }
    close_rounds(&r);
}
