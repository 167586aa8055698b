#include "serial_parts.h"

#include <stdlib.h>

/* What says which elements are kept, or where segments begin, and where their keys go. */
typedef struct parts {
    const void *marks;
    uint64_t segment_count; /* by offsets */
    int32_t *keys;          /* or the lengths of runs */
} parts;

typedef void loop(const measure_problem *problem, const parts *p, const void *in, void *out);

typedef struct parts_state {
    parts parts;
    loop *run;
    cl_command_queue queue;
    cl_mem buffer; /* of the marks, mapped for reading; NULL: there are none */
} parts_state;

#define BYTE(i) (marks[i] != 0)
#define BIT(i) ((marks[(i) / 8] >> (i) % 8 & 1) != 0)

#define PUT(IS_KEPT, VALUE)                         \
    for (uint64_t i = 0; i < problem->count; ++i) { \
        if (IS_KEPT)                                \
            y[kept++] = (VALUE);                    \
    }
#define SELECT(IS_KEPT) PUT(IS_KEPT, x[i])

/* Elements are moved as unsigned integers of their size. */
#define DEFINE_SELECTION(T)                                                                              \
    static void select_##T(const measure_problem *problem, const parts *p, const void *in, void *out)    \
    {                                                                                                    \
        const unsigned char *marks = p->marks;                                                           \
        const T *x = in;                                                                                 \
        T *y = out;                                                                                      \
        const bool divides = problem->selects == MEASURE_DIVIDES;                                        \
        uint64_t kept = 0;                                                                               \
                                                                                                         \
        if (problem->selects == MEASURE_PARTITIONS || problem->selects == MEASURE_SELECTS_BY_BYTES)      \
            SELECT(BYTE(i))                                                                              \
        else if (problem->selects == MEASURE_SELECTS_WHERE)                                              \
            PUT(BYTE(i), (T)i)                                                                           \
        else if (problem->selects == MEASURE_SELECTS_COLUMNS)                                            \
            for (uint64_t i = 0; i < problem->count; ++i) {                                              \
                for (uint64_t j = 0; BYTE(i) && j < MEASURE_COLUMNS; ++j)                                \
                    y[j * problem->count + kept] = x[j * problem->count + i];                            \
                kept += BYTE(i);                                                                         \
            }                                                                                            \
        else if (problem->selects == MEASURE_SELECTS_BY_BITS)                                            \
            SELECT(BIT(i))                                                                               \
        else if (problem->selects == MEASURE_SELECTS_BY_PREDICATE || divides)                            \
            SELECT((x[i] & 1) != 0)                                                                      \
        else                                                                                             \
            SELECT(i == 0 || x[i] != x[i - 1])                                                           \
        if (problem->selects == MEASURE_PARTITIONS)                                                      \
            SELECT(!BYTE(i))                                                                             \
        if (divides) {                                                                                   \
            SELECT((x[i] & 3) == 2)                                                                      \
            SELECT((x[i] & 3) == 0)                                                                      \
        }                                                                                                \
    }                                                                                                    \
                                                                                                         \
    static void encode_##T(const measure_problem *problem, const parts *p, const void *in, void *out)    \
    {                                                                                                    \
        const T *x = in;                                                                                 \
        T *y = out;                                                                                      \
        uint64_t runs = 0, begin = 0;                                                                    \
                                                                                                         \
        for (uint64_t i = 1; i <= problem->count; ++i) {                                                 \
            if (i < problem->count && x[i] == x[i - 1])                                                  \
                continue;                                                                                \
            p->keys[runs] = (int32_t)(i - begin);                                                        \
            y[runs++] = x[begin];                                                                        \
            begin = i;                                                                                   \
        }                                                                                                \
    }                                                                                                    \
                                                                                                         \
    static void find_runs_##T(const measure_problem *problem, const parts *p, const void *in, void *out) \
    {                                                                                                    \
        const T *x = in;                                                                                 \
        T *y = out;                                                                                      \
        uint64_t runs = 0, begin = 0;                                                                    \
                                                                                                         \
        for (uint64_t i = 1; i <= problem->count; ++i) {                                                 \
            if (i < problem->count && x[i] == x[i - 1])                                                  \
                continue;                                                                                \
            if (i - begin > 1) {                                                                         \
                p->keys[runs] = (int32_t)(i - begin);                                                    \
                y[runs++] = (T)begin;                                                                    \
            }                                                                                            \
            begin = i;                                                                                   \
        }                                                                                                \
    }                                                                                                    \
                                                                                                         \
    static void repeat_##T(const measure_problem *problem, const parts *p, const void *in, void *out)    \
    {                                                                                                    \
        const uint32_t *lengths = p->marks;                                                              \
        const T *x = in;                                                                                 \
        T *y = out;                                                                                      \
        uint64_t at = 0;                                                                                 \
                                                                                                         \
        for (uint64_t i = 0; i < problem->kept_count; ++i) {                                             \
            for (uint32_t k = 0; k < lengths[i]; ++k)                                                    \
                y[at++] = x[i];                                                                          \
        }                                                                                                \
    }

DEFINE_SELECTION(uint8_t)
DEFINE_SELECTION(uint16_t)
DEFINE_SELECTION(uint32_t)
DEFINE_SELECTION(uint64_t)

/* The element is read before the output is written, which may be the same place. */
#define SCAN(T, W, IS_HEAD)                         \
    for (uint64_t i = 0; i < problem->count; ++i) { \
        const T next = x[i];                        \
        if (IS_HEAD)                                \
            sum = 0;                                \
        if (exclusive)                              \
            y[i] = sum;                             \
        sum = (T)((W)sum + (W)next);                \
        if (!exclusive)                             \
            y[i] = sum;                             \
    }

/* IS_HEAD(i) says whether a segment begins at i, and END_SEGMENT(i) keeps more of the one that ended in front of it. W
 * is unsigned and at least as wide as int, so that sums wrap. */
#define DEFINE_SUMS_BY(name, T, W, mark, IS_HEAD, END_SEGMENT)                                  \
    static void name(const measure_problem *problem, const parts *p, const void *in, void *out) \
    {                                                                                           \
        const bool exclusive = problem->form == CLSCAN_EXCLUSIVE;                               \
        const mark *marks = p->marks;                                                           \
        const T *x = in;                                                                        \
        T *y = out, sum = 0;                                                                    \
        uint64_t segments = 0;                                                                  \
                                                                                                \
        if (!problem->reduces) {                                                                \
            SCAN(T, W, IS_HEAD(i))                                                              \
            return;                                                                             \
        }                                                                                       \
        for (uint64_t i = 0; i < problem->count; ++i) {                                         \
            if (i > 0 && IS_HEAD(i)) {                                                          \
                END_SEGMENT(i);                                                                 \
                y[segments++] = sum;                                                            \
                sum = 0;                                                                        \
            }                                                                                   \
            sum = (T)((W)sum + (W)x[i]);                                                        \
        }                                                                                       \
        END_SEGMENT(problem->count);                                                            \
        y[segments] = sum;                                                                      \
    }

/* Does a segment begin here? *segment is the next one whose begin has not been passed. */
static bool begins(const parts *p, const uint32_t *offsets, uint64_t here, uint64_t *segment)
{
    const uint64_t first = *segment;

    while (*segment < p->segment_count && offsets[*segment] == here)
        ++*segment;
    return *segment > first;
}

#define DEFINE_SUMS_BY_OFFSETS(name, T, W)                                                      \
    static void name(const measure_problem *problem, const parts *p, const void *in, void *out) \
    {                                                                                           \
        const bool exclusive = problem->form == CLSCAN_EXCLUSIVE;                               \
        const uint32_t *offsets = p->marks;                                                     \
        const T *x = in;                                                                        \
        T *y = out, sum = 0;                                                                    \
        uint64_t segments = 0;                                                                  \
                                                                                                \
        if (!problem->reduces) {                                                                \
            SCAN(T, W, begins(p, offsets, i, &segments))                                        \
            return;                                                                             \
        }                                                                                       \
        for (; segments < p->segment_count; ++segments) {                                       \
            sum = 0;                                                                            \
            for (uint64_t i = offsets[segments]; i < offsets[segments + 1]; ++i)                \
                sum = (T)((W)sum + (W)x[i]);                                                    \
            y[segments] = sum;                                                                  \
        }                                                                                       \
    }

#define NEW_KEY(i) (i > 0 && marks[i] != marks[i - 1])
#define KEEP_KEY(i) p->keys[segments] = marks[i - 1]
#define KEEP_NONE(i) (void)(i)

#define DEFINE_SUMS(text, T, W)                                           \
    DEFINE_SUMS_BY(text##_by_flags, T, W, unsigned char, BYTE, KEEP_NONE) \
    DEFINE_SUMS_BY(text##_by_bits, T, W, unsigned char, BIT, KEEP_NONE)   \
    DEFINE_SUMS_BY(text##_by_keys, T, W, int32_t, NEW_KEY, KEEP_KEY)      \
    DEFINE_SUMS_BY_OFFSETS(text##_by_offsets, T, W)

DEFINE_SUMS(int8, int8_t, uint32_t)
DEFINE_SUMS(uint8, uint8_t, uint32_t)
DEFINE_SUMS(int16, int16_t, uint32_t)
DEFINE_SUMS(uint16, uint16_t, uint32_t)
DEFINE_SUMS(int32, int32_t, uint32_t)
DEFINE_SUMS(uint32, uint32_t, uint32_t)
DEFINE_SUMS(int64, int64_t, uint64_t)
DEFINE_SUMS(uint64, uint64_t, uint64_t)
DEFINE_SUMS(float, float, float)
DEFINE_SUMS(double, double, double)

#define SUMS(text)                                                                                                 \
    {                                                                                                              \
        [CLSCAN_BY_FLAGS] = text##_by_flags, [CLSCAN_BY_BITS] = text##_by_bits, [CLSCAN_BY_KEYS] = text##_by_keys, \
        [CLSCAN_BY_OFFSETS] = text##_by_offsets                                                                    \
    }

/* half has no arithmetic in C. */
static loop *const sums[CLSCAN_TYPE_COUNT][CLSCAN_SEGMENTS_BY_COUNT] = {
    [CLSCAN_INT8] = SUMS(int8),     [CLSCAN_UINT8] = SUMS(uint8),   [CLSCAN_INT16] = SUMS(int16),
    [CLSCAN_UINT16] = SUMS(uint16), [CLSCAN_INT32] = SUMS(int32),   [CLSCAN_UINT32] = SUMS(uint32),
    [CLSCAN_INT64] = SUMS(int64),   [CLSCAN_UINT64] = SUMS(uint64), [CLSCAN_FLOAT] = SUMS(float),
    [CLSCAN_DOUBLE] = SUMS(double),
};

static loop *find(const measure_problem *problem)
{
#define BY_SIZE(what)                                                                             \
    {                                                                                             \
        [1] = what##_uint8_t, [2] = what##_uint16_t, [4] = what##_uint32_t, [8] = what##_uint64_t \
    }
    static loop *const selections[9] = BY_SIZE(select), *const encoders[9] = BY_SIZE(encode),
                       *const finders[9] = BY_SIZE(find_runs), *const repeaters[9] = BY_SIZE(repeat);
    const size_t bytes = clscan_type_size_bytes(problem->type);

    if (problem->selects)
        return problem->selects == MEASURE_ENCODES      ? encoders[bytes]
               : problem->selects == MEASURE_FINDS_RUNS ? finders[bytes]
               : problem->selects == MEASURE_REPEATS    ? repeaters[bytes]
                                                        : selections[bytes];
    if (problem->op != CLSCAN_ADD || problem->direction != CLSCAN_FORWARD)
        return NULL;
    return sums[problem->type][problem->segments.by];
}

/* Marks are mapped as long as there are runs, since nothing writes them; keys go to memory of its own, since the
 * library writes the case's. */
static bool make_parts(parts_state *state, const measure_case *c, measure_note *note)
{
    const uint64_t key_bytes = measure_key_bytes(&c->problem);
    const uint64_t mark_bytes = c->problem.selects ? measure_flag_bytes(&c->problem) : c->segment_bytes;
    cl_int code = CL_SUCCESS;

    state->queue = c->device->queue;
    state->parts.segment_count = c->problem.segment_count;
    if (mark_bytes > 0) {
        const cl_mem buffer = c->problem.selects ? c->flags : c->segments;

        state->parts.marks =
            clEnqueueMapBuffer(state->queue, buffer, CL_TRUE, CL_MAP_READ, 0, (size_t)mark_bytes, 0, NULL, NULL, &code);
        if (code != CL_SUCCESS)
            return measure_fail_opencl(note, "clEnqueueMapBuffer", code);
        state->buffer = buffer;
    }
    if (key_bytes > 0)
        state->parts.keys = malloc((size_t)key_bytes);
    return key_bytes == 0 || state->parts.keys != NULL || measure_fail(note, "no host memory for keys");
}

measure_outcome bench_serial_parts_prepare(measure_contender *contender, const measure_case *c)
{
    loop *const run = find(&c->problem);
    parts_state *state;

    if (run == NULL) {
        measure_fail(&contender->note, "has loops over segments for forward sums, not of half");
        return MEASURE_UNAVAILABLE;
    }
    if (measure_partitions(c->problem.selects) && c->problem.in_place) {
        measure_fail(&contender->note, "has no stable partition in place");
        return MEASURE_UNAVAILABLE;
    }
    state = calloc(1, sizeof *state);
    contender->state = state;
    if (state == NULL) {
        measure_fail(&contender->note, "no host memory");
        return MEASURE_FAILED;
    }
    state->run = run;
    return make_parts(state, c, &contender->note) ? MEASURE_OK : MEASURE_FAILED;
}

void bench_serial_parts_run(const measure_contender *contender, const measure_problem *problem, const void *in,
                            void *out)
{
    const parts_state *state = contender->state;

    state->run(problem, &state->parts, in, out);
}

void bench_serial_parts_release(measure_contender *contender)
{
    parts_state *state = contender->state;

    if (state == NULL)
        return;
    if (state->buffer != NULL)
        (void)clEnqueueUnmapMemObject(state->queue, state->buffer, (void *)state->parts.marks, 0, NULL, NULL);
    (void)clFinish(state->queue);
    free(state->parts.keys);
    free(state);
}
