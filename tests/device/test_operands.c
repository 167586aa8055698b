/* Operators are applied to elements, initial values and what came of neighbouring ones, and to nothing else (decision
 * 0004), also where the result is dropped.
 *
 * The operator here joins intervals. Element i is the interval from one bound to the next, so two operands are
 * neighbours if the left one ends where the right one begins. Whatever else the operator is given, it writes down: to a
 * buffer whose address stands in its source, since operators have no arguments but operands. It does so without a
 * branch, which would stand in the kernels a hundred times and make compilers for CPUs slow. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "common/test_knobs.h"
#include "live.h"
#include "parsed_variant.h"
#include "problem_of.h"
#include "variant_sets.h"

/* An element type and how two bounds lie in it. No bound is 0, which is what memory often holds. */
typedef struct carrier {
    clscan_type type;
    unsigned bound_bits;
    uint64_t period;         /* bounds go round after so many; 0: never */
    const char *definitions; /* of what the operator says below */
} carrier;

static const carrier wide = {CLSCAN_UINT64, 32, 0,
                             "#define VALUE ulong\n#define BITS(value) (value)\n#define VALUE_OF(bits) (bits)\n"
                             "#define BOUND_BITS 32\n#define NO_INTERVAL(begin, end) ((begin) >= (end))\n"};
/* Narrow elements travel packed. */
static const carrier narrow = {
    CLSCAN_UINT16, 8, 251,
    "#define VALUE ushort\n#define BITS(value) (value)\n#define VALUE_OF(bits) ((ushort)(bits))\n"
    "#define BOUND_BITS 8\n#define NO_INTERVAL(begin, end) ((end) == 0)\n"};
/* For the reproducible order, which integers do not need. It is never computed with. */
static const carrier floating = {
    CLSCAN_DOUBLE, 32, 0,
    "#define VALUE double\n#define BITS(value) as_ulong(value)\n#define VALUE_OF(bits) as_double(bits)\n"
    "#define BOUND_BITS 32\n#define NO_INTERVAL(begin, end) ((begin) >= (end))\n"};

/* Written down: two operands that may meet, as often happens, and then two that may not. */
typedef struct notes {
    uint64_t right[2], wrong[2];
} notes;

static const char join[] =
    "%s"
    "VALUE join(VALUE left, VALUE right)\n"
    "{\n"
    "    volatile __global ulong *notes = (volatile __global ulong *)%" PRIu64 "ul;\n"
    "    const ulong mask = (1ul << BOUND_BITS) - 1, l = BITS(left), r = BITS(right);\n"
    "    const ulong begin = l >> BOUND_BITS, middle = l & mask, other = r >> BOUND_BITS, end = r & mask;\n"
    "    const uint wrong = (begin == 0) | (middle != other) | NO_INTERVAL(begin, middle) | NO_INTERVAL(other, end);\n"
    "    notes[2 * wrong] = l;\n"
    "    notes[2 * wrong + 1] = r;\n"
    "    return VALUE_OF((l & ~mask) | (r & mask));\n"
    "}\n";

/* The bound before element i in memory. Initial values stand before the first one, or behind the last. */
static uint64_t bound(const carrier *by, uint64_t i)
{
    return 2 + (by->period > 0 ? i % by->period : i);
}

static uint64_t interval(const carrier *by, uint64_t begin, uint64_t end)
{
    return begin << by->bound_bits | end;
}

/* Every device here has the host's order of bytes. */
static void put(const carrier *by, void *elements, uint64_t i, uint64_t bits)
{
    const size_t size = clscan_type_size_bytes(by->type);
    memcpy((char *)elements + i * size, &bits, size);
}

static uint64_t get(const carrier *by, const void *elements, uint64_t i)
{
    const size_t size = clscan_type_size_bytes(by->type);
    uint64_t bits = 0;
    memcpy(&bits, (const char *)elements + i * size, size);
    return bits;
}

/* One run. */
typedef struct run {
    uint64_t count;
    uint64_t in_offset, out_offset;
    int in_place;
    clscan_case_initial initial;
} run;

/* Where operators write notes. */
typedef struct notebook {
    const test_live *live;
    cl_mem buffer;
    uint64_t address;
} notebook;

typedef struct bench {
    const test_live *live;
    const notebook *book;
    const carrier *by;
    clscan_case_fixture fixture; /* with plan and workspace */
    unsigned failures;
} bench;

static int is_reverse(const bench *b)
{
    return b->fixture.problem->direction == CLSCAN_REVERSE;
}

/* The elements first .. end - 1, and the initial value. */
static uint64_t combination(const bench *b, const run *what, uint64_t first, uint64_t end)
{
    const uint64_t initial = what->initial != CLSCAN_CASE_NO_INITIAL;

    return interval(b->by, bound(b->by, first) - (is_reverse(b) ? 0 : initial),
                    bound(b->by, end) + (is_reverse(b) ? initial : 0));
}

static uint64_t initial_value(const bench *b, uint64_t count)
{
    const uint64_t begin = is_reverse(b) ? bound(b->by, count) : bound(b->by, 0) - 1;

    return interval(b->by, begin, begin + 1);
}

/* The elements of a run, between others that are no intervals. */
static void *make_elements(const carrier *by, uint64_t offset, uint64_t count, uint64_t all)
{
    void *elements = malloc(all * clscan_type_size_bytes(by->type));

    assert_non_null(elements);
    memset(elements, 0, all * clscan_type_size_bytes(by->type));
    for (uint64_t i = 0; i < count; ++i)
        put(by, elements, offset + i, interval(by, bound(by, i), bound(by, i + 1)));
    return elements;
}

/* clscan_run(), to its end. \return whether it could begin. */
static clscan_status run_noted(bench *b, const clscan_run_args *args, notes *noted, clscan_error *error)
{
    static const notes none = {{0, 0}, {0, 0}};
    cl_command_queue queue = b->live->queue;
    clscan_status status;

    assert_cl(clEnqueueWriteBuffer(queue, b->book->buffer, CL_TRUE, 0, sizeof none, &none, 0, NULL, NULL));
    status = clscan_run(b->fixture.plan, b->fixture.workspace, queue, args, 0, NULL, NULL, error);
    assert_cl(clFinish(queue));
    test_read(b->live, b->book->buffer, sizeof *noted, noted);
    return status;
}

static void fail_run(bench *b, const run *what, const char *why)
{
    const clscan_case test = {.count = what->count,
                              .in_offset = what->in_offset,
                              .out_offset = what->out_offset,
                              .in_place = what->in_place,
                              .initial = what->initial,
                              .total = 1};
    char text[CLSCAN_CASE_TEXT_BYTES];

    clscan_case_format(&b->fixture, &test, text, sizeof text);
    print_error("%s: %s\n", text, why);
    ++b->failures;
}

static void check_outputs(bench *b, const run *what, const void *out, uint64_t total)
{
    const uint64_t exclusive = b->fixture.problem->form == CLSCAN_EXCLUSIVE;

    for (uint64_t i = 0; i < what->count; ++i) {
        const uint64_t expected = is_reverse(b) ? combination(b, what, i + exclusive, what->count)
                                                : combination(b, what, 0, i + 1 - exclusive);
        if (get(b->by, out, what->out_offset + i) != expected) {
            fail_run(b, what, "an output is wrong");
            return;
        }
    }
    if (total != combination(b, what, 0, what->count))
        fail_run(b, what, "the total is wrong");
}

static void run_one(bench *b, const run *what)
{
    enum { AROUND = 4 };
    const size_t size = clscan_type_size_bytes(b->by->type);
    const uint64_t in_all = what->in_offset + what->count + AROUND, out_all = what->out_offset + what->count + AROUND;
    const uint64_t initial_bits = initial_value(b, what->count);
    void *elements = make_elements(b->by, what->in_offset, what->count, in_all), *outputs = malloc(out_all * size);
    cl_mem in = test_buffer(b->live, CL_MEM_READ_WRITE, in_all * size, elements);
    cl_mem out = what->in_place ? in : test_buffer(b->live, CL_MEM_READ_WRITE, out_all * size, NULL);
    cl_mem initial = test_buffer(b->live, CL_MEM_READ_WRITE, size, &initial_bits);
    cl_mem total = test_buffer(b->live, CL_MEM_READ_WRITE, size, &initial_bits);
    const clscan_run_args args = {.struct_size = sizeof args,
                                  .in.buffer = in,
                                  .in.offset = what->in_offset,
                                  .out.buffer = out,
                                  .out.offset = what->out_offset,
                                  .count = what->count,
                                  .initial = what->initial == CLSCAN_CASE_HOST_INITIAL
                                                 ? (clscan_memory){CLSCAN_MEMORY_HOST, .pointer = &initial_bits}
                                             : what->initial == CLSCAN_CASE_DEVICE_INITIAL
                                                 ? (clscan_memory){.buffer = initial}
                                                 : (clscan_memory){.buffer = NULL},
                                  .total.buffer = total};
    clscan_error error = {0};
    uint64_t total_bits = 0;
    notes noted;

    assert_non_null(outputs);
    if (run_noted(b, &args, &noted, &error) != CLSCAN_OK) {
        fail_run(b, what, error.message);
    } else {
        if (what->count > 1 && noted.right[0] == 0)
            fail_run(b, what, "the operator wrote nothing down");
        if (noted.wrong[0] != 0 || noted.wrong[1] != 0) {
            char why[100];
            snprintf(why, sizeof why, "%" PRIx64 " met %" PRIx64, noted.wrong[0], noted.wrong[1]);
            fail_run(b, what, why);
        }
        test_read(b->live, out, out_all * size, outputs);
        test_read(b->live, total, size, &total_bits);
        check_outputs(b, what, outputs, total_bits);
    }
    clReleaseMemObject(in);
    if (!what->in_place)
        clReleaseMemObject(out);
    clReleaseMemObject(initial);
    clReleaseMemObject(total);
    free(outputs);
    free(elements);
}

/* Counts around vectors and tiles, initial values, places. In place a work-group whose wait was spent may meet outputs
 * of its predecessor, so these runs are for plans that wait long. */
static void run_all(bench *b, uint64_t tile, uint32_t vector_length, int also_in_place)
{
    const uint64_t counts[] = {1, vector_length + 1, tile - 1, tile, tile + 1, 3 * tile, 5 * tile + tile / 2 + 1};

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        run what = {.count = counts[i], .initial = (clscan_case_initial)(i % 3)};
        /* Without identity an exclusive scan needs one. */
        if (what.initial == CLSCAN_CASE_NO_INITIAL && b->fixture.problem->form == CLSCAN_EXCLUSIVE)
            what.initial = CLSCAN_CASE_HOST_INITIAL;
        if (what.count == 0)
            continue;
        run_one(b, &what);
        what.in_offset = 3;
        what.out_offset = i % 2 == 0 ? 1 : 3;
        what.in_place = also_in_place && i % 2 == 1;
        run_one(b, &what);
    }
}

static void run_variant(bench *b, const clscan_variant *variant, const clscan_plan_options *like, clscan_form form,
                        clscan_direction direction, int reproducible)
{
    char source[2000];
    const clscan_custom_operator custom = {sizeof custom, source, "join", NULL, 0, 0};
    const uint64_t tile = clscan_variant_tile_count(variant);
    clscan_problem problem = test_problem(b->by->type, CLSCAN_CUSTOM, form, direction, 6 * tile + 1);
    clscan_plan_options options = *like;

    snprintf(source, sizeof source, join, b->by->definitions, b->book->address);
    problem.custom = &custom;
    problem.reproducible = reproducible;
    options.struct_size = sizeof options;
    options.variant = variant;
    if (test_try_prepare(b->live, &problem, NULL, &options, &b->fixture) != CLSCAN_OK) {
        ++b->failures;
        return;
    }
    run_all(b, tile, variant->vector_length, options.test_knobs->hold_interval == 0);
    clscan_case_release(&b->fixture);
}

/* Waits that are never spent, however busy the machine is. */
static const clscan_plan_options patient = {.test_knobs = &(struct clscan__test_knobs){.poll_limit = 1u << 30}};
/* Every third owner is held back, so that its successors must go on without it. */
static const clscan_plan_options held_back = {.test_knobs =
                                                  &(struct clscan__test_knobs){.poll_limit = 2, .hold_interval = 3}};

/* The forms go round. */
static void each_variant(const notebook *book, const carrier *by, const clscan_plan_options *options,
                         int (*is_wanted)(const clscan_variant *variant))
{
    /* Sub-groups of GPUs are wider. */
    const uint32_t work_group_size =
        book->live->info.device_class == CLSCAN_DEVICE_CLASS_CPU ? TEST_SMALL_WORK_GROUP : 64;
    test_variants list = test_representatives(by->type, work_group_size, 2, &book->live->info);
    bench b = {.live = book->live, .book = book, .by = by};
    size_t wanted = 0;

    for (size_t i = 0; i < list.count; ++i)
        if (is_wanted(&list.items[i]))
            list.items[wanted++] = list.items[i];
    list.count = wanted;
    /* All would take long to compile, and no cache helps: the source has an address in it. */
    test_keep_new_axes(&list, test_thorough() ? TEST_EACH_PAIR : TEST_EACH_VALUE);
    for (size_t i = 0; i < list.count; ++i)
        if (test_takes(i, 4))
            run_variant(&b, &list.items[i], options, (clscan_form)(i % 2), (clscan_direction)(i / 2 % 2), 0);
    print_message("%zu of %zu variants\n", list.count, wanted);
    free(list.items);
    assert_int_equal(b.failures, 0);
}

static int is_any(const clscan_variant *variant)
{
    return variant->body < CLSCAN_BODY_COUNT;
}

static void every_variant(void **state)
{
    each_variant(*state, &wide, &patient, is_any);
}

/* This body packs narrow elements. */
static int has_cells(const clscan_variant *variant)
{
    return variant->body == CLSCAN_BODY_SUBGROUP_ROWS;
}

static void narrow_elements(void **state)
{
    each_variant(*state, &narrow, &patient, has_cells);
}

/* Tiles that others must reduce. In the carries of ranges that is the same for all bodies. */
static int may_be_held(const clscan_variant *variant)
{
    return variant->order != CLSCAN_ORDER_NONE &&
           (variant->body == CLSCAN_BODY_SUBGROUP_ROWS || variant->body == CLSCAN_BODY_CACHED_ROWS);
}

static void held_owners(void **state)
{
    each_variant(*state, &wide, &held_back, may_be_held);
}

/* The reproducible order has bodies and carries of its own. */
static void reproducible_order(void **state)
{
    static const char *const variants[] = {
        "cached_rows+brent_kung+reduce_then_scan work_group_size=1 vector_length=4 cached_pieces=256 "
        "interleaved_rows=2 work_groups_per_unit=2 streaming_stores=0",
        "subgroup_rows+subgroup+reduce_then_scan work_group_size=64 vector_length=4 register_pieces=8 local_pieces=0 "
        "work_groups_per_unit=1",
        "subgroup_rows+subgroup+lookahead+persistent work_group_size=64 vector_length=4 register_pieces=8 "
        "local_pieces=0 work_groups_per_unit=2 poll_delay=0 landing_zones=0",
    };
    const notebook *book = *state;
    const test_live *live = book->live;
    bench b = {.live = live, .book = book, .by = &floating};

    if (!test_type_runs(live, CLSCAN_DOUBLE))
        skip();
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; ++i) {
        const clscan_variant variant = parsed_variant(variants[i]);

        if (clscan_variant_check(&variant, PROBLEM_OF(CLSCAN_DOUBLE, CLSCAN_ADD), 0, &live->info, NULL) != CLSCAN_OK)
            continue;
        /* Which PoCL compiles for minutes. */
        if (variant.carry == CLSCAN_CARRY_LOOKAHEAD && live->info.device_class == CLSCAN_DEVICE_CLASS_CPU)
            continue;
        run_variant(&b, &variant, variant.carry == CLSCAN_CARRY_LOOKAHEAD ? &held_back : &patient, (clscan_form)(i % 2),
                    (clscan_direction)(i / 2 % 2), 1);
    }
    assert_int_equal(b.failures, 0);
}

/* Scan 40960 elements of one value, which the operator combines to the same, with the variants of the configs. */
static void scan_of_equals(const notebook *book, const clscan_custom_operator *custom, uint64_t element)
{
    enum { COUNT = 40960 };
    const test_live *live = book->live;
    clscan_problem problem = test_problem(CLSCAN_UINT64, CLSCAN_CUSTOM, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, COUNT);
    bench b = {.live = live, .book = book, .by = &wide};
    uint64_t *elements = malloc(COUNT * sizeof *elements);
    clscan_error error = {0};
    notes noted;

    assert_non_null(elements);
    for (size_t i = 0; i < COUNT; ++i)
        elements[i] = element;
    problem.custom = custom;
    test_prepare(live, &problem, NULL, NULL, &b.fixture);
    cl_mem buffer = test_buffer(live, CL_MEM_READ_WRITE, COUNT * sizeof *elements, elements);
    const clscan_run_args args = {
        .struct_size = sizeof args, .in.buffer = buffer, .out.buffer = buffer, .count = COUNT};
    assert_status(CLSCAN_OK, run_noted(&b, &args, &noted, &error), &error);
    test_read(live, buffer, COUNT * sizeof *elements, elements);
    assert_int_equal(noted.wrong[0], 0);
    for (size_t i = 0; i < COUNT; ++i)
        assert_int_equal(elements[i], element);
    clReleaseMemObject(buffer);
    clscan_case_release(&b.fixture);
    free(elements);
}

/* Its loop ends for each element, but not for 0. Here it is bounded, and what is left is written down. */
static void an_operator_that_loops(void **state)
{
    static const char text[] = "ulong to_one(ulong x)\n"
                               "{\n"
                               "    for (uint steps = 0; x != 1 && steps < 1000; ++steps)\n"
                               "        x = x & 1 ? 3 * x + 1 : x / 2;\n"
                               "    if (x != 1)\n"
                               "        ((volatile __global ulong *)%" PRIu64 "ul)[2] = 1;\n"
                               "    return x;\n"
                               "}\n"
                               "ulong collatz(ulong left, ulong right) { return to_one(left) * to_one(right); }\n";
    const notebook *book = *state;
    char source[1000];
    const clscan_custom_operator collatz = {sizeof collatz, source, "collatz", NULL, 0, 0};

    snprintf(source, sizeof source, text, book->address);
    scan_of_equals(book, &collatz, 1);
}

/* A CPU ends the program that divides by 0. */
static void an_operator_that_divides(void **state)
{
    static const clscan_custom_operator least_common_multiple = {sizeof least_common_multiple,
                                                                 "ulong lcm(ulong left, ulong right)\n"
                                                                 "{\n"
                                                                 "    ulong a = left, b = right;\n"
                                                                 "    while (b != 0) {\n"
                                                                 "        const ulong rest = a % b;\n"
                                                                 "        a = b;\n"
                                                                 "        b = rest;\n"
                                                                 "    }\n"
                                                                 "    return left / a * right;\n"
                                                                 "}\n",
                                                                 "lcm",
                                                                 NULL,
                                                                 0,
                                                                 0};

    scan_of_equals(*state, &least_common_multiple, 12);
}

/* The notes are what all tests here rest on. */
static void operands_that_do_not_meet_are_noted(void **state)
{
    const notebook *book = *state;
    const uint64_t elements[] = {interval(&wide, 2, 3), interval(&wide, 4, 5)};
    char source[2000];
    const clscan_custom_operator custom = {sizeof custom, source, "join", NULL, 0, 0};
    clscan_problem problem = test_problem(wide.type, CLSCAN_CUSTOM, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 2);
    bench b = {.live = book->live, .book = book, .by = &wide};
    clscan_error error = {0};
    notes noted;

    snprintf(source, sizeof source, join, wide.definitions, book->address);
    problem.custom = &custom;
    test_prepare(book->live, &problem, NULL, NULL, &b.fixture);
    cl_mem buffer = test_buffer(book->live, CL_MEM_READ_WRITE, sizeof elements, elements);
    const clscan_run_args args = {.struct_size = sizeof args, .in.buffer = buffer, .out.buffer = buffer, .count = 2};
    assert_status(CLSCAN_OK, run_noted(&b, &args, &noted, &error), &error);
    assert_int_equal(noted.wrong[0], elements[0]);
    assert_int_equal(noted.wrong[1], elements[1]);
    clReleaseMemObject(buffer);
    clscan_case_release(&b.fixture);
}

/* Ask a kernel for a buffer's address, which stays what it is while the buffer is there. */
static uint64_t address_of(const test_live *live, cl_mem buffer)
{
    const char *source = "__kernel void address(__global ulong *notes) { notes[0] = (ulong)notes; }\n";
    const size_t one = 1;
    uint64_t address;
    cl_int code;
    cl_program program = clCreateProgramWithSource(live->context, 1, &source, NULL, &code);
    cl_kernel kernel;

    assert_cl(code);
    assert_cl(clBuildProgram(program, 1, &live->device, "", NULL, NULL));
    kernel = clCreateKernel(program, "address", &code);
    assert_cl(code);
    assert_cl(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    assert_cl(clEnqueueNDRangeKernel(live->queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL));
    test_read(live, buffer, sizeof address, &address);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    return address;
}

static int open_notebook(void **state)
{
    static notebook book;
    void *live;

    if (test_live_setup(&live) != 0)
        return -1;
    book.live = live;
    book.buffer = test_buffer(live, CL_MEM_READ_WRITE, sizeof(notes), NULL);
    book.address = address_of(live, book.buffer);
    *state = &book;
    return 0;
}

static int close_notebook(void **state)
{
    const notebook *book = *state;
    void *live = (void *)(uintptr_t)book->live;

    clReleaseMemObject(book->buffer);
    return test_live_teardown(&live);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operands_that_do_not_meet_are_noted),
        cmocka_unit_test(every_variant),
        cmocka_unit_test(narrow_elements),
        cmocka_unit_test(held_owners),
        cmocka_unit_test(reproducible_order),
        cmocka_unit_test(an_operator_that_loops),
        cmocka_unit_test(an_operator_that_divides),
    };
    return cmocka_run_group_tests(tests, open_notebook, close_notebook);
}
