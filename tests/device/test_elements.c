/* Elements that are no scalars, by the public functions: structs of the caller's and vectors, in every form, in place
 * and not, at offsets, with initial values and totals; and what is refused. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "combine.h"
#include "live.h"
#include "random.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

enum { MOST_BYTES = 64, MAX_COUNT = 30000, MARGIN = 3 };

/* An element and its operator, which is exact and associative. */
typedef struct sample {
    clscan_element element;
    clscan_operator op;
    clscan_custom_operator custom;
    void (*combine)(const void *left, const void *right, void *result); /* NULL: lane by lane */
    uint32_t mask;    /* of each 32 bits of an element, so that the operator stays in its range */
    size_t looked_at; /* bytes of an element without the padding at its end */
} sample;

/* The last value that is set, and how many are: an int, an int and a short, 12 bytes with padding. */
static void combine_marked(const void *left, const void *right, void *result)
{
    struct {
        int32_t value, set;
        int16_t count, padding;
    } l, r, both;

    memcpy(&l, left, sizeof l);
    memcpy(&r, right, sizeof r);
    both.value = (r.set & 1) != 0 ? r.value : l.value;
    both.set = l.set | r.set;
    both.count = (int16_t)(l.count + r.count);
    both.padding = 0;
    memcpy(result, &both, sizeof both);
}

/* The value on the right unless that says there is none: two ints. */
static void combine_options(const void *left, const void *right, void *result)
{
    int32_t l[2], r[2];

    memcpy(l, left, sizeof l);
    memcpy(r, right, sizeof r);
    memcpy(result, (r[1] & 1) != 0 ? r : l, sizeof l);
}

/* x -> a x + b modulo 2^64. */
static void combine_wide(const void *left, const void *right, void *result)
{
    uint64_t l[2], r[2];

    memcpy(l, left, sizeof l);
    memcpy(r, right, sizeof r);
    const uint64_t both[2] = {l[0] * r[0], r[0] * l[1] + r[1]};
    memcpy(result, both, sizeof both);
}

/* 2 x 2 matrices modulo 2^32. */
static void combine_matrices(const void *left, const void *right, void *result)
{
    uint32_t l[4], r[4];

    memcpy(l, left, sizeof l);
    memcpy(r, right, sizeof r);
    const uint32_t both[4] = {l[0] * r[0] + l[1] * r[2], l[0] * r[1] + l[1] * r[3], l[2] * r[0] + l[3] * r[2],
                              l[2] * r[1] + l[3] * r[3]};
    memcpy(result, both, sizeof both);
}

#define NAMED(name, source, size, align)                        \
    {                                                           \
        sizeof(clscan_element), 0, 0, name, source, size, align \
    }
#define VECTOR(type, lanes)                                            \
    {                                                                  \
        sizeof(clscan_element), CLSCAN_##type, lanes, NULL, NULL, 0, 0 \
    }
#define CUSTOM(source, function, identity)                               \
    {                                                                    \
        sizeof(clscan_custom_operator), source, function, identity, 0, 0 \
    }
#define LANEWISE(source, function, identity)                             \
    {                                                                    \
        sizeof(clscan_custom_operator), source, function, identity, 1, 0 \
    }

/* Some are called as variables of kernels are. */
static const sample structs[] = {
    {NAMED("prefix", "typedef struct prefix { uchar a, b, count; } prefix;", 3, 1), CLSCAN_CUSTOM,
     CUSTOM(
         "prefix left(prefix l, prefix r)\n{ prefix s = {l.a * r.a, r.a * l.b + r.b, l.count + r.count}; return s; }",
         "left", "((prefix){1, 0, 0})"),
     combine_bytes, 0xffffffffu, 3},
    {NAMED("item", "typedef struct item { uint a, b; } item;", 8, 4), CLSCAN_CUSTOM,
     CUSTOM("item before(item l, item r) { item s = {l.a * r.a, r.a * l.b + r.b}; return s; }", "before",
            "((item){1, 0})"),
     combine_affine, 0xffffffffu, 8},
    {NAMED("marked", "typedef struct marked { int value, set; short count; } marked;", 12, 4), CLSCAN_CUSTOM,
     CUSTOM("marked last(marked l, marked r)\n{\n    marked s;\n    s.value = r.set & 1 ? r.value : l.value;\n"
            "    s.set = l.set | r.set;\n    s.count = l.count + r.count;\n    return s;\n}",
            "last", NULL),
     combine_marked, 0x00070007u, 10},
    {NAMED("uint4", "", 16, 16), CLSCAN_CUSTOM,
     CUSTOM("uint4 times(uint4 l, uint4 r)\n"
            "{ return l.xxzz * r.xyxy + l.yyww * r.zwzw; }",
            "times", "(uint4)(1, 0, 0, 1)"),
     combine_matrices, 0xffffffffu, 16},
    {NAMED("maps", "typedef struct maps { uint8 a, b; } maps;", 64, 32), CLSCAN_CUSTOM,
     CUSTOM("maps after(maps l, maps r) { maps s = {l.a * r.a, r.a * l.b + r.b}; return s; }", "after",
            "((maps){(uint8)(1), (uint8)(0)})"),
     combine_maps, 0xffffffffu, 64},
    /* CPUs combine those of several rows at once. */
    {NAMED("k", "typedef struct { uint a, b; } k;", 8, 4), CLSCAN_CUSTOM,
     LANEWISE("k rows(k l, k r) { k s = {l.a * r.a, r.a * l.b + r.b}; return s; }", "rows", "((k){1, 0})"),
     combine_affine, 0xffffffffu, 8},
    {NAMED("lines", "typedef struct lines { int value, set; } lines;", 8, 4), CLSCAN_CUSTOM,
     LANEWISE("lines sums(lines l, lines r)\n{\n    const int in = (r.set & 1) != 0;\n    lines s;\n"
              "    s.value = in ? r.value : l.value;\n    s.set = in ? r.set : l.set;\n    return s;\n}",
              "sums", NULL),
     combine_options, 0xffffffffu, 8},
    {NAMED("total", "typedef struct total { uint a, b, c, d; } total;", 16, 4), CLSCAN_CUSTOM,
     LANEWISE("total p(total l, total r)\n{\n    total s;\n    s.a = l.a * r.a + l.b * r.c;\n"
              "    s.b = l.a * r.b + l.b * r.d;\n    s.c = l.c * r.a + l.d * r.c;\n    s.d = l.c * r.b + l.d * r.d;\n"
              "    return s;\n}",
              "p", "((total){1, 0, 0, 1})"),
     combine_matrices, 0xffffffffu, 16},
    {NAMED("wide", "typedef struct wide { ulong a, b; } wide;", 16, 8), CLSCAN_CUSTOM,
     LANEWISE("wide r(wide l, wide r) { wide s = {l.a * r.a, r.a * l.b + r.b}; return s; }", "r", "((wide){1, 0})"),
     combine_wide, 0xffffffffu, 16},
    {NAMED("eight", "typedef struct eight { uint a[8], b[8]; } eight;", 64, 4), CLSCAN_CUSTOM,
     LANEWISE("eight c(eight l, eight r)\n{\n    eight s;\n    for (size_t i = 0; i < 8; ++i) {\n"
              "        s.a[i] = l.a[i] * r.a[i];\n        s.b[i] = r.a[i] * l.b[i] + r.b[i];\n    }\n    return s;\n}",
              "c", "((eight){{1, 1, 1, 1, 1, 1, 1, 1}, {0}})"),
     combine_maps, 0xffffffffu, 64},
};

/* Numbers are small, so that floating-point sums are exact. */
static const sample vectors[] = {
    {VECTOR(INT32, 2), CLSCAN_ADD, {0}, NULL, 0xffffffffu, 8},
    {VECTOR(UINT32, 4), CLSCAN_MUL, {0}, NULL, 0xffffffffu, 16},
    {VECTOR(INT8, 16), CLSCAN_MIN, {0}, NULL, 0xffffffffu, 16},
    {VECTOR(INT16, 8), CLSCAN_MAX, {0}, NULL, 0xffffffffu, 16},
    {VECTOR(UINT16, 2), CLSCAN_XOR, {0}, NULL, 0xffffffffu, 4},
    {VECTOR(UINT64, 8), CLSCAN_OR, {0}, NULL, 0x00010001u, 64},
    {VECTOR(INT64, 2), CLSCAN_AND, {0}, NULL, 0xffffffffu, 16},
    {VECTOR(FLOAT, 4), CLSCAN_ADD, {0}, NULL, 0x0000000fu, 16},
    {VECTOR(FLOAT, 2), CLSCAN_MIN, {0}, NULL, 0x000fffffu, 8},
    {VECTOR(DOUBLE, 8), CLSCAN_ADD, {0}, NULL, 0x0000000fu, 64},
};

/* ---- What is right ---- */

static size_t bytes_of(const sample *of)
{
    return clscan_element_size_bytes(&of->element);
}

static bool is_floating(const sample *of)
{
    return of->element.name == NULL && (of->element.type == CLSCAN_FLOAT || of->element.type == CLSCAN_DOUBLE);
}

static double double_of(clscan_type type, const void *at)
{
    float single;
    double wide;

    if (type == CLSCAN_FLOAT) {
        memcpy(&single, at, sizeof single);
        return single;
    }
    memcpy(&wide, at, sizeof wide);
    return wide;
}

static void put_double(clscan_type type, void *at, double value)
{
    const float single = (float)value;

    if (type == CLSCAN_FLOAT)
        memcpy(at, &single, sizeof single);
    else
        memcpy(at, &value, sizeof value);
}

/* Sign-extended if the type is signed. */
static uint64_t integer_of(clscan_type type, const void *at)
{
    const size_t bytes = clscan_type_size_bytes(type);
    const bool is_signed = type == CLSCAN_INT8 || type == CLSCAN_INT16 || type == CLSCAN_INT32 || type == CLSCAN_INT64;
    uint64_t value = 0;

    for (size_t i = bytes; i-- > 0;)
        value = value << 8 | ((const unsigned char *)at)[i];
    if (is_signed && bytes < 8 && (value >> (8 * bytes - 1) & 1) != 0)
        value |= UINT64_MAX << 8 * bytes;
    return value;
}

static uint64_t integers(clscan_operator op, clscan_type type, uint64_t l, uint64_t r)
{
    const bool is_signed = type == CLSCAN_INT8 || type == CLSCAN_INT16 || type == CLSCAN_INT32 || type == CLSCAN_INT64;
    const bool right_is_less = is_signed ? (int64_t)r < (int64_t)l : r < l;

    switch (op) {
    case CLSCAN_ADD:
        return l + r;
    case CLSCAN_MUL:
        return l * r;
    case CLSCAN_MIN:
        return right_is_less ? r : l;
    case CLSCAN_MAX:
        return right_is_less ? l : r;
    case CLSCAN_AND:
        return l & r;
    case CLSCAN_OR:
        return l | r;
    default:
        return l ^ r;
    }
}

static void combine(const sample *of, const void *left, const void *right, void *result)
{
    const clscan_type type = of->element.type;
    const size_t lane_bytes = clscan_type_size_bytes(type);
    unsigned char both[MOST_BYTES];

    if (of->combine != NULL) {
        of->combine(left, right, result);
        return;
    }
    for (size_t i = 0; i < of->element.lanes; ++i) {
        const unsigned char *l = (const unsigned char *)left + i * lane_bytes;
        const unsigned char *r = (const unsigned char *)right + i * lane_bytes;

        if (is_floating(of)) {
            const double a = double_of(type, l), b = double_of(type, r);

            put_double(type, both + i * lane_bytes, of->op == CLSCAN_ADD ? a + b : b < a ? b : a);
        } else {
            const uint64_t value = integers(of->op, type, integer_of(type, l), integer_of(type, r));

            for (size_t byte = 0; byte < lane_bytes; ++byte)
                both[i * lane_bytes + byte] = (unsigned char)(value >> 8 * byte);
        }
    }
    memcpy(result, both, bytes_of(of));
}

static void fill(const sample *of, unsigned char *data, size_t count, uint32_t seed)
{
    const size_t lane_bytes = clscan_type_size_bytes(of->element.type);

    for (size_t i = 0; i < count * bytes_of(of); ++i) {
        const uint32_t random = next_random(&seed);

        if (!is_floating(of))
            data[i] = (unsigned char)(random >> 24) & (unsigned char)(of->mask >> 8 * (i % 4));
        else if (i % lane_bytes == 0)
            put_double(of->element.type, data + i, (double)(random >> 8 & of->mask) - 4);
    }
}

/* ---- One scan ---- */

typedef struct scan {
    clscan_form form;
    clscan_direction direction;
    uint64_t count;
    bool in_place, total;
    int initial; /* 0: none; 1: of the host; 2: in a buffer */
} scan;

static bool has_identity(const sample *of)
{
    return of->op != CLSCAN_CUSTOM || of->custom.identity != NULL;
}

static clscan_problem problem_of(const sample *of, const scan *s)
{
    return (clscan_problem){.struct_size = sizeof(clscan_problem),
                            .element = &of->element,
                            .op = of->op,
                            .form = s->form,
                            .direction = s->direction,
                            .custom = of->op == CLSCAN_CUSTOM ? &of->custom : NULL,
                            .max_count = MAX_COUNT};
}

/* How many elements differ; the first output of an exclusive scan without initial value is not looked at, but by what
 * it does to the next ones. */
static unsigned check_output(const sample *of, const scan *s, const unsigned char *in, const unsigned char *initial,
                             const unsigned char *got, const unsigned char *got_total)
{
    const size_t bytes = bytes_of(of);
    unsigned char sum[MOST_BYTES];
    bool present = s->initial != 0;
    unsigned wrong = 0;

    if (present)
        memcpy(sum, initial, bytes);
    for (uint64_t k = 0; k < s->count; ++k) {
        const uint64_t at = s->direction == CLSCAN_REVERSE ? s->count - 1 - k : k;

        if (s->form == CLSCAN_EXCLUSIVE && present)
            wrong += memcmp(got + at * bytes, sum, of->looked_at) != 0;
        if (!present)
            memcpy(sum, in + at * bytes, bytes);
        else if (s->direction == CLSCAN_REVERSE)
            combine(of, in + at * bytes, sum, sum);
        else
            combine(of, sum, in + at * bytes, sum);
        present = true;
        if (s->form == CLSCAN_INCLUSIVE)
            wrong += memcmp(got + at * bytes, sum, of->looked_at) != 0;
    }
    return wrong + (s->total && memcmp(got_total, sum, of->looked_at) != 0);
}

static unsigned run_scan(const test_live *live, const sample *of, const scan *s, const clscan_plan *plan,
                         clscan_workspace *workspace)
{
    const size_t bytes = bytes_of(of), size_bytes = (size_t)(s->count + 2 * MARGIN) * bytes;
    unsigned char *in = calloc(1, size_bytes), *got = calloc(1, size_bytes), ends[3 * MOST_BYTES] = {0};
    cl_mem in_buffer, out_buffer, ends_buffer;
    clscan_run_args args = {.struct_size = sizeof args, .count = s->count};
    clscan_error error = {0};
    unsigned wrong;

    assert_true(in != NULL && got != NULL);
    fill(of, in, s->count + 2 * MARGIN, (uint32_t)s->count);
    fill(of, ends, 1, 5);
    in_buffer = test_buffer(live, CL_MEM_READ_WRITE, size_bytes, in);
    out_buffer = s->in_place ? in_buffer : test_buffer(live, CL_MEM_READ_WRITE, size_bytes, in);
    ends_buffer = test_buffer(live, CL_MEM_READ_WRITE, sizeof ends, ends);
    args.in = (clscan_memory){.buffer = in_buffer, .offset = MARGIN};
    /* Whole lines may go past the cache, others not. */
    args.out = (clscan_memory){.buffer = out_buffer, .offset = s->in_place ? MARGIN : s->count < MAX_COUNT ? 1 : 0};
    if (s->initial == 1)
        args.initial = (clscan_memory){.kind = CLSCAN_MEMORY_HOST, .pointer = ends};
    if (s->initial == 2)
        args.initial.buffer = ends_buffer;
    if (s->total)
        args.total = (clscan_memory){.buffer = ends_buffer, .offset = 2};
    assert_status(CLSCAN_OK, clscan_run(plan, workspace, live->queue, &args, 0, NULL, NULL, &error), &error);
    test_read(live, out_buffer, size_bytes, got);
    test_read(live, ends_buffer, sizeof ends, ends);
    wrong = check_output(of, s, in + MARGIN * bytes, ends, got + args.out.offset * bytes, ends + 2 * bytes);
    /* What lies around the output stays. */
    wrong += memcmp(got, in, args.out.offset * bytes) != 0;
    wrong += memcmp(got + (args.out.offset + s->count) * bytes, in + (args.out.offset + s->count) * bytes,
                    size_bytes - (size_t)(args.out.offset + s->count) * bytes) != 0;
    if (wrong > 0)
        print_error("%s %s%u: form %d, direction %d, %u elements, in place %d, initial %d: %u differ\n",
                    of->element.name != NULL ? of->element.name : "vector", clscan_type_name(of->element.type),
                    (unsigned)of->element.lanes, (int)s->form, (int)s->direction, (unsigned)s->count, s->in_place,
                    s->initial, wrong);
    clReleaseMemObject(in_buffer);
    if (!s->in_place)
        clReleaseMemObject(out_buffer);
    clReleaseMemObject(ends_buffer);
    free(in);
    free(got);
    return wrong > 0;
}

static bool runs_here(const test_live *live, const sample *of)
{
    return test_type_runs(live, of->element.type);
}

/* As configs do with more elements, if the device and the elements let it. */
static void store_past_the_cache(const test_live *live, const clscan_problem *problem, clscan_variant *variant)
{
    clscan_variant streaming = *variant;

    streaming.streaming_stores = 1;
    if (clscan_variant_check(&streaming, problem, 0, &live->info, NULL) == CLSCAN_OK)
        *variant = streaming;
}

/* All runs of one plan; `one_program`: with the variant of the largest count for all, since compiling takes long. */
static unsigned run_plan(const test_live *live, const sample *of, clscan_form form, clscan_direction direction,
                         bool one_program)
{
    static const uint64_t counts[] = {1, 1000, MAX_COUNT};
    scan s = {.form = form, .direction = direction};
    const clscan_problem problem = problem_of(of, &s);
    clscan_plan *plan = NULL;
    clscan_workspace *workspace = NULL;
    clscan_kernel_info kernels = {.struct_size = sizeof kernels};
    clscan_choice choice = {.struct_size = sizeof choice};
    clscan_error error = {0};
    const clscan_plan_options options = {.struct_size = sizeof options, .variant = &choice.variant};
    unsigned failures = 0;

    assert_status(CLSCAN_OK, clscan_config_explain(NULL, &live->info, &problem, MAX_COUNT, 1, &choice, &error), &error);
    if ((unsigned)form == (unsigned)direction)
        store_past_the_cache(live, &problem, &choice.variant);
    test_plan_create(live, &problem, one_program ? &options : NULL, &plan, &workspace);
    assert_status(CLSCAN_OK, clscan_plan_explain(plan, MAX_COUNT, 0, &choice, &error), &error);
    assert_status(CLSCAN_OK, clscan_plan_kernel_info(plan, MAX_COUNT, 0, &kernels, &error), &error);
    assert_true(clscan_variant_local_bytes(&choice.variant, &problem) <= live->info.local_memory_bytes);
    for (unsigned way = 0; way < 6; ++way) {
        s.count = counts[way % 3];
        s.in_place = way % 2 == 1;
        s.initial = (int)((way + (unsigned)form) % 3);
        s.total = way % 3 != 1;
        if (form == CLSCAN_EXCLUSIVE && !has_identity(of) && s.initial == 0)
            s.initial = 1;
        failures += run_scan(live, of, &s, plan, workspace);
    }
    clscan_workspace_destroy(workspace);
    clscan_plan_destroy(plan);
    return failures;
}

static void structs_in_every_form(void **state)
{
    const test_live *live = *state;
    unsigned failures = 0;

    for (size_t i = 0; i < COUNT_OF(structs); ++i)
        for (unsigned form = 0; form < 4; ++form)
            if (test_takes(i + form, structs[i].custom.identity == NULL ? 2 : 4))
                failures +=
                    run_plan(live, &structs[i], (clscan_form)(form / 2), (clscan_direction)(form % 2), form < 3);
    assert_int_equal(failures, 0);
}

static void vectors_by_built_in_operators(void **state)
{
    const test_live *live = *state;
    unsigned failures = 0;

    for (size_t i = 0; i < COUNT_OF(vectors); ++i)
        for (unsigned form = 0; form < 4; ++form)
            if (runs_here(live, &vectors[i]) && (test_thorough() || form == i % 4))
                failures += run_plan(live, &vectors[i], (clscan_form)(form / 2), (clscan_direction)(form % 2), i > 0);
    assert_int_equal(failures, 0);
}

/* An element that is a scalar says no more than the problem's type: the same program. */
static void a_scalar_is_a_scalar(void **state)
{
    const test_live *live = *state;
    const clscan_element element = {.struct_size = sizeof element, .type = CLSCAN_UINT32, .lanes = 1};
    clscan_problem problem = test_problem(CLSCAN_UINT32, CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, MAX_COUNT);
    clscan_plan *plan = NULL;
    clscan_kernel_info before = {.struct_size = sizeof before}, after = before;
    clscan_error error = {0};

    for (int turn = 0; turn < 2; ++turn) {
        assert_status(CLSCAN_OK, clscan_plan_create(live->context, live->device, &problem, NULL, &plan, &error),
                      &error);
        assert_status(CLSCAN_OK, clscan_plan_kernel_info(plan, MAX_COUNT, 0, turn == 0 ? &before : &after, &error),
                      &error);
        clscan_plan_destroy(plan);
        problem.type = CLSCAN_INT8;
        problem.element = &element;
    }
    assert_string_equal(before.revision, after.revision);
    assert_int_equal(clscan_operator_class_of(&problem), CLSCAN_OPERATOR_CLASS_NATIVE);
}

/* ---- Bad input ---- */

static clscan_status create(const test_live *live, const clscan_element *element, const clscan_custom_operator *custom,
                            clscan_operator op, clscan_error *error)
{
    const clscan_problem problem = {
        .struct_size = sizeof problem, .element = element, .op = op, .custom = custom, .max_count = 1000};
    clscan_plan *plan = NULL;
    clscan_status status;

    memset(error, 0, sizeof *error);
    status = clscan_plan_create(live->context, live->device, &problem, NULL, &plan, error);
    clscan_plan_destroy(plan);
    return status;
}

/* Each with the words that name the culprit. */
static void what_is_no_element_is_refused(void **state)
{
    const test_live *live = *state;
    static const char pair[] = "typedef struct pair { int a, b; } pair;";
    static const clscan_custom_operator then =
        CUSTOM("pair then(pair l, pair r) { pair s = {l.a + r.a, r.b}; return s; }", "then", NULL);
    static const clscan_custom_operator broken = CUSTOM("\npair then(pair l, pair r) { return lfet; }", "then", NULL);
    static const clscan_custom_operator ours =
        CUSTOM("pair clscan_then(pair l, pair r) { return l; }", "clscan_then", NULL);
    static const clscan_custom_operator alone = CUSTOM("int add(int l, int r) { return l + r; }", "add", NULL);
    static const clscan_custom_operator absent = CUSTOM("pair then(pair l, pair r) { return l; }", "than", NULL);
    static const clscan_custom_operator no_pair = CUSTOM("pair then(pair l, pair r) { return l; }", "then", "3");
    static const clscan_custom_operator global = CUSTOM("pair global(pair l, pair r) { return l; }", "global", NULL);
    static const struct {
        clscan_element element;
        const clscan_custom_operator *custom;
        clscan_operator op;
        clscan_status status;
        const char *words;
    } cases[] = {
        {NAMED("pair", pair, 8, 4), &then, CLSCAN_CUSTOM, CLSCAN_OK, ""},
        {NAMED("pair", pair, 12, 4), &then, CLSCAN_CUSTOM, CLSCAN_ERROR_ELEMENT_SOURCE, "pair has 8 bytes"},
        {NAMED("pair", pair, 8, 8), &then, CLSCAN_CUSTOM, CLSCAN_ERROR_ELEMENT_SOURCE, "alignment 4"},
        {NAMED("pair", "typedef struct pair { int a; itn b; } pair;", 8, 4), &then, CLSCAN_CUSTOM,
         CLSCAN_ERROR_ELEMENT_SOURCE, "problem->element->source"},
        {NAMED("pair", "typedef struct pair { int a; int half; } pair;", 8, 4), &then, CLSCAN_CUSTOM,
         CLSCAN_ERROR_ELEMENT_SOURCE, "in the source half is"},
        {NAMED("pair", "typedef struct pair { int a; int kernel; } pair;", 8, 4), &then, CLSCAN_CUSTOM,
         CLSCAN_ERROR_ELEMENT_SOURCE, "in the source kernel is"},
        {NAMED("pair", "struct pair { int a, b; };", 8, 4), &then, CLSCAN_CUSTOM, CLSCAN_ERROR_ELEMENT_SOURCE,
         "problem->element->name is pair, but problem->element->source"},
        {NAMED("twin", pair, 8, 4), &then, CLSCAN_CUSTOM, CLSCAN_ERROR_ELEMENT_SOURCE,
         "problem->element->name is twin, but problem->element->source"},
        {NAMED("twin", NULL, 8, 4), &alone, CLSCAN_CUSTOM, CLSCAN_ERROR_ELEMENT_SOURCE,
         "problem->element->name is twin, which no source declares"},
        {NAMED("pair", pair, 8, 4), &broken, CLSCAN_CUSTOM, CLSCAN_ERROR_OPERATOR_SOURCE, "problem->custom->source"},
        {NAMED("pair", pair, 8, 4), &absent, CLSCAN_CUSTOM, CLSCAN_ERROR_OPERATOR_SOURCE,
         "problem->custom->function does not compile as pair than("},
        {NAMED("pair", pair, 8, 4), &no_pair, CLSCAN_CUSTOM, CLSCAN_ERROR_OPERATOR_SOURCE, "problem->custom->identity"},
        {NAMED("pair", pair, 8, 4), &ours, CLSCAN_CUSTOM, CLSCAN_ERROR_INVALID_VALUE, "clscan_then"},
        {NAMED("CLSCAN_T", pair, 8, 4), &then, CLSCAN_CUSTOM, CLSCAN_ERROR_INVALID_VALUE, "CLSCAN_T"},
        {NAMED("pair", "#define CLSCAN_PLAIN 1\n", 8, 4), &then, CLSCAN_CUSTOM, CLSCAN_ERROR_INVALID_VALUE,
         "CLSCAN_PLAIN"},
        {NAMED("struct pair", pair, 8, 4), &then, CLSCAN_CUSTOM, CLSCAN_ERROR_INVALID_VALUE, "struct pair"},
        {NAMED("kernel", "typedef struct pair { int a, b; } kernel;", 8, 4), &then, CLSCAN_CUSTOM,
         CLSCAN_ERROR_INVALID_VALUE, "problem->element->name is kernel"},
        {NAMED("float2", "typedef struct pair { float a, b; } float2;", 8, 4), &then, CLSCAN_CUSTOM,
         CLSCAN_ERROR_INVALID_VALUE, "problem->element->name is float2"},
        {NAMED("pair", pair, 8, 4), &global, CLSCAN_CUSTOM, CLSCAN_ERROR_INVALID_VALUE,
         "problem->custom->function is global"},
        {NAMED("pair", pair, 0, 4), &then, CLSCAN_CUSTOM, CLSCAN_ERROR_INVALID_VALUE, "size_bytes"},
        {NAMED("pair", pair, 68, 4), &then, CLSCAN_CUSTOM, CLSCAN_ERROR_UNSUPPORTED_TYPE, "68"},
        {NAMED("pair", pair, 8, 0), &then, CLSCAN_CUSTOM, CLSCAN_ERROR_INVALID_VALUE, "align_bytes"},
        {NAMED("pair", pair, 12, 3), &then, CLSCAN_CUSTOM, CLSCAN_ERROR_INVALID_VALUE, "align_bytes"},
        {NAMED("pair", pair, 12, 8), &then, CLSCAN_CUSTOM, CLSCAN_ERROR_INVALID_VALUE, "align_bytes"},
        {NAMED("pair", pair, 8, 4), NULL, CLSCAN_ADD, CLSCAN_ERROR_UNSUPPORTED_TYPE, "pair"},
        {NAMED("pair", pair, 8, 4), NULL, CLSCAN_CUSTOM, CLSCAN_ERROR_NULL_ARGUMENT, "custom"},
        {{sizeof(clscan_element), CLSCAN_INT32, 2, "pair", pair, 8, 4},
         &then,
         CLSCAN_CUSTOM,
         CLSCAN_ERROR_INVALID_VALUE,
         "lanes"},
        {{sizeof(clscan_element), CLSCAN_INT32, 2, NULL, pair, 0, 0},
         NULL,
         CLSCAN_ADD,
         CLSCAN_ERROR_INVALID_VALUE,
         "source"},
        {{sizeof(clscan_element), CLSCAN_INT32, 2, NULL, NULL, 8, 0},
         NULL,
         CLSCAN_ADD,
         CLSCAN_ERROR_INVALID_VALUE,
         "size_bytes"},
        {VECTOR(INT32, 3), NULL, CLSCAN_ADD, CLSCAN_ERROR_INVALID_VALUE, "3"},
        {VECTOR(INT32, 32), NULL, CLSCAN_ADD, CLSCAN_ERROR_INVALID_VALUE, "32"},
        {VECTOR(INT64, 16), NULL, CLSCAN_ADD, CLSCAN_ERROR_UNSUPPORTED_TYPE, "long16"},
        {VECTOR(HALF, 2), NULL, CLSCAN_ADD, CLSCAN_ERROR_UNSUPPORTED_TYPE, "half2"},
        {VECTOR(FLOAT, 2), NULL, CLSCAN_AND, CLSCAN_ERROR_UNSUPPORTED_TYPE, "float2"},
        {VECTOR(TYPE_COUNT, 2), NULL, CLSCAN_ADD, CLSCAN_ERROR_INVALID_VALUE, "type"},
        {{0, CLSCAN_INT32, 2, NULL, NULL, 0, 0}, NULL, CLSCAN_ADD, CLSCAN_ERROR_STRUCT_SIZE, "element"},
    };
    unsigned failures = 0;

    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        clscan_error error;
        const clscan_status status = create(live, &cases[i].element, cases[i].custom, cases[i].op, &error);

        if (status == cases[i].status && strstr(error.message, cases[i].words) != NULL)
            continue;
        print_error("case %zu: %s: %s\n%s\n", i, clscan_status_name(status), error.message, error.build_log);
        ++failures;
    }
    assert_int_equal(failures, 0);
}

/* As far as the compiler honours line directives, the log has the caller's lines. */
/* Where CPUs combine several at once, what holds for numbers alone is told, with its line. */
static void lanewise_operators_must_be_so(void **state)
{
    const test_live *live = *state;
    static const sample branching = {
        NAMED("pair", "typedef struct pair { int a, b; } pair;", 8, 4),
        CLSCAN_CUSTOM,
        LANEWISE("pair then(pair l, pair r)\n{\n    if (r.a > l.a)\n        return r;\n    return l;\n}", "then", NULL),
        NULL,
        0,
        8};
    static const sample mixed = {NAMED("pair", "typedef struct pair { int a; short b, c; } pair;", 8, 4),
                                 CLSCAN_CUSTOM,
                                 LANEWISE("pair then(pair l, pair r) { return l; }", "then", NULL),
                                 NULL,
                                 0,
                                 8};
    static const sample *const wrong[] = {&branching, &mixed};

    for (size_t i = 0; i < COUNT_OF(wrong); ++i) {
        const scan s = {.form = CLSCAN_INCLUSIVE, .count = MAX_COUNT};
        const clscan_problem problem = problem_of(wrong[i], &s);
        clscan_plan *plan = NULL;
        clscan_error error = {0};
        const clscan_status status = clscan_plan_create(live->context, live->device, &problem, NULL, &plan, &error);

        if (live->info.device_class != CLSCAN_DEVICE_CLASS_CPU) {
            assert_status(CLSCAN_OK, status, &error);
            clscan_plan_destroy(plan);
            continue;
        }
        assert_int_equal(status, CLSCAN_ERROR_OPERATOR_SOURCE);
        assert_non_null(strstr(error.message, "lanewise"));
    }
}

static void compile_errors_name_the_types_line(void **state)
{
    const test_live *live = *state;
    static const clscan_element element =
        NAMED("pair", "/* one\n   two */\ntypedef struct pair { itn a; int b; } pair;\n", 8, 4);
    static const clscan_custom_operator then = CUSTOM("pair then(pair l, pair r) { return r; }", "then", NULL);
    clscan_error error;

    assert_status(CLSCAN_ERROR_ELEMENT_SOURCE, create(live, &element, &then, CLSCAN_CUSTOM, &error), &error);
    assert_non_null(strstr(error.build_log, "itn"));
    assert_true(strstr(error.build_log, ":3:") != NULL || strstr(error.build_log, "(3") != NULL);
}

static void a_type_that_the_device_lacks(void **state)
{
    const test_live *live = *state;
    static const clscan_element element = VECTOR(DOUBLE, 2);
    clscan_error error;

    if (live->info.has_double)
        skip();
    assert_int_equal(create(live, &element, NULL, CLSCAN_ADD, &error), CLSCAN_ERROR_UNSUPPORTED_TYPE);
    assert_non_null(strstr(error.message, "double"));
}

/* What has no reproducible order says so; integers have every order. */
static void reproducible_elements(void **state)
{
    const test_live *live = *state;
    const clscan_element floats = VECTOR(FLOAT, 2), ints = VECTOR(INT32, 2);
    clscan_problem problem = {
        .struct_size = sizeof problem, .element = &floats, .op = CLSCAN_ADD, .max_count = 1000, .reproducible = 1};
    clscan_plan *plan = NULL;
    clscan_error error = {0};

    assert_int_equal(clscan_plan_create(live->context, live->device, &problem, NULL, &plan, &error),
                     CLSCAN_ERROR_UNSUPPORTED_TYPE);
    assert_non_null(strstr(error.message, "float2"));
    problem.element = &structs[1].element;
    problem.op = CLSCAN_CUSTOM;
    problem.custom = &structs[1].custom;
    assert_int_equal(clscan_plan_create(live->context, live->device, &problem, NULL, &plan, &error),
                     CLSCAN_ERROR_UNSUPPORTED_TYPE);
    assert_non_null(strstr(error.message, structs[1].element.name));
    problem.element = &ints;
    problem.op = CLSCAN_ADD;
    problem.custom = NULL;
    assert_status(CLSCAN_OK, clscan_plan_create(live->context, live->device, &problem, NULL, &plan, &error), &error);
    assert_true(clscan_plan_state_bytes(plan) == 0);
    clscan_plan_destroy(plan);
}

/* Bounds and overlaps go by the element's bytes. */
static void buffers_are_measured_in_elements(void **state)
{
    const test_live *live = *state;
    const sample *of = &structs[2]; /* 12 bytes */
    const scan s = {.form = CLSCAN_INCLUSIVE};
    const clscan_problem problem = problem_of(of, &s);
    clscan_run_args args = {.struct_size = sizeof args, .count = 10};
    clscan_plan *plan = NULL;
    clscan_workspace *workspace = NULL;
    clscan_error error = {0};
    cl_mem buffer = test_buffer(live, CL_MEM_READ_WRITE, 240, NULL);

    test_plan_create(live, &problem, NULL, &plan, &workspace);
    args.in.buffer = args.out.buffer = buffer;
    args.out.offset = 10;
    assert_status(CLSCAN_OK, clscan_run(plan, workspace, live->queue, &args, 0, NULL, NULL, &error), &error);
    args.out.offset = 9;
    assert_int_equal(clscan_run(plan, workspace, live->queue, &args, 0, NULL, NULL, &error), CLSCAN_ERROR_OVERLAP);
    args.out.offset = 11;
    assert_int_equal(clscan_run(plan, workspace, live->queue, &args, 0, NULL, NULL, &error),
                     CLSCAN_ERROR_BUFFER_TOO_SMALL);
    clFinish(live->queue);
    clReleaseMemObject(buffer);
    clscan_workspace_destroy(workspace);
    clscan_plan_destroy(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structs_in_every_form),
        cmocka_unit_test(vectors_by_built_in_operators),
        cmocka_unit_test(a_scalar_is_a_scalar),
        cmocka_unit_test(what_is_no_element_is_refused),
        cmocka_unit_test(lanewise_operators_must_be_so),
        cmocka_unit_test(compile_errors_name_the_types_line),
        cmocka_unit_test(a_type_that_the_device_lacks),
        cmocka_unit_test(reproducible_elements),
        cmocka_unit_test(buffers_are_measured_in_elements),
    };

    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
