/* sort [FILE]: places of a text in the order of the eight characters that stand there, and numbers of several types,
 * compared with what qsort() makes of them.
 * sort --count COUNT [--type TYPE] [--values] [--descending]: how many random keys the device sorts in a second; COUNT
 * is a number, or 2^27 and the like. */
#include "sort.h"

/* A key as a number of the kind that its type has, the other two 0; and its place before the sort. */
typedef struct item {
    uint64_t natural;
    int64_t whole;
    double real;
    cl_uint place;
} item;

#define WIDEN(type, c_type, field)                     \
    case CLSCAN_##type:                                \
        widened.field = ((const c_type *)keys)[place]; \
        break

static item widen(clscan_type type, const void *keys, cl_uint place)
{
    item widened = {.place = place};

    switch ((int)type) {
        WIDEN(UINT8, uint8_t, natural);
        WIDEN(UINT16, uint16_t, natural);
        WIDEN(UINT32, uint32_t, natural);
        WIDEN(UINT64, uint64_t, natural);
        WIDEN(INT8, int8_t, whole);
        WIDEN(INT16, int16_t, whole);
        WIDEN(INT32, int32_t, whole);
        WIDEN(INT64, int64_t, whole);
        WIDEN(FLOAT, float, real);
        WIDEN(DOUBLE, double, real);
    }
    return widened;
}

static int compare(const item *a, const item *b)
{
    const int above = a->natural > b->natural || a->whole > b->whole || a->real > b->real;
    const int below = a->natural < b->natural || a->whole < b->whole || a->real < b->real;

    return above - below;
}

static int compare_places(const item *a, const item *b)
{
    return (a->place > b->place) - (a->place < b->place);
}

static int upwards(const void *a, const void *b)
{
    const int order = compare(a, b);

    return order != 0 ? order : compare_places(a, b);
}

static int downwards(const void *a, const void *b)
{
    const int order = compare(b, a);

    return order != 0 ? order : compare_places(a, b);
}

/* Sort `count` keys on the device, with their places as values, and count what qsort() puts elsewhere. */
static cl_uint compare_with_qsort(const session *s, const sorter *at, const sort_options *o, void *keys, cl_uint count)
{
    const size_t size = clscan_type_size_bytes(o->type);
    item *expected = allocate(count * sizeof *expected);
    cl_uint *places = allocate((count + 1) * sizeof *places), wrong = 0;

    for (cl_uint i = 0; i < count; ++i) {
        expected[i] = widen(o->type, keys, i);
        places[i] = i;
    }
    qsort(expected, count, sizeof *expected, o->descending ? downwards : upwards);
    const cl_mem number = open_buffer(s->context, sizeof count, &count);
    cl_mem pair[] = {open_buffer(s->context, (count + 1) * size, NULL),
                     open_buffer(s->context, (count + 1) * size, NULL)};
    cl_mem values[] = {open_buffer(s->context, (count + 1) * sizeof *places, places),
                       open_buffer(s->context, (count + 1) * sizeof *places, NULL)};
    if (count > 0)
        must_cl(clEnqueueWriteBuffer(s->queue, pair[0], CL_TRUE, 0, count * size, keys, 0, NULL, NULL), "write");
    run_sorter(s, at, number, pair, values);
    char *sorted = read_buffer(s, pair[0], count * size);
    cl_uint *moved = read_buffer(s, values[0], count * sizeof *moved);
    for (cl_uint i = 0; i < count; ++i) {
        wrong += memcmp(sorted + i * size, (char *)keys + expected[i].place * size, size) != 0;
        wrong += o->has_values && moved[i] != expected[i].place;
    }
    for (int i = 0; i < 2; ++i) {
        clReleaseMemObject(pair[i]);
        clReleaseMemObject(values[i]);
    }
    clReleaseMemObject(number);
    free(sorted);
    free(moved);
    free(expected);
    free(places);
    return wrong;
}

/* Numbers of all magnitudes and both signs, small ones more than once. */
static void *make_keys(clscan_type type, size_t count)
{
    char *keys = allocate(count * clscan_type_size_bytes(type));
    uint64_t random = 88172645463325252;

    for (size_t i = 0; i < count; ++i) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        const int64_t number = (int64_t)(random >> i % 61) * (i % 2 == 0 ? 1 : -1);
        const float narrow = (float)number;
        const double wide = (double)number;
        if (type == CLSCAN_FLOAT)
            memcpy(keys + i * sizeof narrow, &narrow, sizeof narrow);
        else if (type == CLSCAN_DOUBLE)
            memcpy(keys + i * sizeof wide, &wide, sizeof wide);
        else
            for (size_t byte = 0; byte < clscan_type_size_bytes(type); ++byte)
                keys[i * clscan_type_size_bytes(type) + byte] = (char)((uint64_t)number >> byte * 8);
    }
    return keys;
}

/* Sorts of all types that differ in how they are made, of counts around the size of a tile. */
static cl_uint check_types(const session *s)
{
    enum { MOST = 100001 };
    static const sort_options options[] = {{CLSCAN_UINT32, 0, 0, MOST}, {CLSCAN_UINT32, 1, 1, MOST},
                                           {CLSCAN_INT32, 0, 1, MOST},  {CLSCAN_FLOAT, 1, 1, MOST},
                                           {CLSCAN_INT64, 1, 0, MOST},  {CLSCAN_DOUBLE, 0, 1, MOST},
                                           {CLSCAN_INT8, 1, 1, MOST}};
    static const cl_uint counts[] = {0, 1, 2047, 4096, 4097, MOST};
    cl_uint wrong = 0;

    for (size_t i = 0; i < sizeof options / sizeof *options; ++i) {
        const sorter at = open_sorter(s, &options[i]);
        void *keys = make_keys(options[i].type, MOST);
        for (size_t k = 0; k < sizeof counts / sizeof *counts; ++k)
            wrong += compare_with_qsort(s, &at, &options[i], keys, counts[k]);
        free(keys);
        close_sorter(&at);
    }
    return wrong;
}

/* The places of a text by the eight characters from each on, the first of which counts most. */
static cl_uint check_text(const session *s, const char *name)
{
    size_t size;
    char *text = read_text(name, &size);
    const sort_options o = {CLSCAN_UINT64, .has_values = 1, .capacity = size};
    const sorter at = open_sorter(s, &o);
    uint64_t *keys = allocate(size * sizeof *keys);

    for (size_t i = size; i-- > 0;)
        keys[i] = (i + 1 < size ? keys[i + 1] >> 8 : 0) | (uint64_t)(unsigned char)text[i] << 56;
    const cl_uint wrong = compare_with_qsort(s, &at, &o, keys, (cl_uint)size);
    printf("%zu characters and numbers of seven kinds sorted; ", size);
    close_sorter(&at);
    free(keys);
    free(text);
    return wrong;
}

static cl_ulong end_of(cl_event event)
{
    cl_ulong time;

    must_cl(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof time, &time, NULL), "profiling");
    clReleaseEvent(event);
    return time;
}

/* Sort random keys several times, and print what the fastest time makes a second. Looks for keys out of order. */
static cl_uint measure(session *s, const sort_options *o)
{
    enum { RUNS = 7 };
    const size_t size = clscan_type_size_bytes(o->type), bytes = (o->capacity + 1) * size,
                 value_bytes = o->has_values ? (o->capacity + 1) * sizeof(cl_uint) : 1;
    cl_uint count = (cl_uint)o->capacity, wrong = 0;
    cl_ulong fastest = UINT64_MAX;
    cl_int code;

    clReleaseCommandQueue(s->queue);
    s->queue = clCreateCommandQueue(s->context, s->device, CL_QUEUE_PROFILING_ENABLE, &code);
    must_cl(code, "clCreateCommandQueue");
    const sorter at = open_sorter(s, o);
    char *numbers = allocate(bytes);
    uint64_t random = 88172645463325252;
    for (size_t i = 0; i < bytes; ++i) {
        random = random * 6364136223846793005 + 1442695040888963407;
        numbers[i] = (char)(random >> 56);
    }
    const cl_mem made = open_buffer(s->context, bytes, numbers), number = open_buffer(s->context, sizeof count, &count);
    cl_mem keys[] = {open_buffer(s->context, bytes, NULL), open_buffer(s->context, bytes, NULL)},
           values[] = {open_buffer(s->context, value_bytes, NULL), open_buffer(s->context, value_bytes, NULL)};
    for (int run = 0; run < RUNS; ++run) {
        cl_event begun, ended;

        must_cl(clEnqueueCopyBuffer(s->queue, made, keys[0], 0, 0, bytes, 0, NULL, &begun), "clEnqueueCopyBuffer");
        run_sorter(s, &at, number, keys, values);
        must_cl(clEnqueueMarkerWithWaitList(s->queue, 0, NULL, &ended), "clEnqueueMarkerWithWaitList");
        must_cl(clFinish(s->queue), "clFinish");
        const cl_ulong begin = end_of(begun), took = end_of(ended) - begin;
        fastest = took < fastest ? took : fastest;
    }
    char *sorted = read_buffer(s, keys[0], count * size);
    for (cl_uint i = 1; i < count; ++i) {
        const item before = widen(o->type, sorted, i - 1), after = widen(o->type, sorted, i);
        wrong += o->descending ? compare(&before, &after) < 0 : compare(&before, &after) > 0;
    }
    printf("%u keys of %s in %.3f ms: %.3e keys/s; ", count, clscan_type_name(o->type), (double)fastest * 1e-6,
           count / ((double)fastest * 1e-9));
    free(sorted);
    free(numbers);
    close_sorter(&at);
    return wrong;
}

static size_t read_count(const char *text)
{
    char *end;
    unsigned long long number = strtoull(text, &end, 10);

    if (number == 2 && *end == '^') {
        const char *digits = end + 1;
        const unsigned long long power = strtoull(digits, &end, 10);
        number = end > digits && power < 32 ? 1ull << power : 0;
    }
    if (*end != '\0' || number == 0 || number > UINT32_MAX)
        refuse(text, "is no count from 1 to 2^32 - 1");
    return (size_t)number;
}

static void show_usage(FILE *stream)
{
    fputs("usage: sort [FILE]\n"
          "       sort --count COUNT [--type TYPE] [--values] [--descending]\n"
          "COUNT is from 1 to 2^32 - 1, also as 2^27; TYPE is uint8, int8, ... uint64, int64, float or double.\n",
          stream);
}

static void refuse_usage(const char *word, const char *reason)
{
    show_usage(stderr);
    refuse(word, reason);
}

/* Options in any order, or the name of a file. */
static const char *read_options(int argc, char **argv, sort_options *o)
{
    const char *file = NULL, *of_measurement = NULL;

    for (int i = 1; i < argc; ++i) {
        const char *word = argv[i], *value = i + 1 < argc ? argv[i + 1] : "";

        if (strcmp(word, "--help") == 0) {
            show_usage(stdout);
            exit(0);
        }
        if (word[0] != '-') {
            if (file != NULL)
                refuse_usage(word, "is a second file");
            file = word;
            continue;
        }
        of_measurement = word;
        if (strcmp(word, "--values") == 0)
            o->has_values = 1;
        else if (strcmp(word, "--descending") == 0)
            o->descending = 1;
        else if (strcmp(word, "--count") == 0)
            o->capacity = read_count(value);
        else if (strcmp(word, "--type") != 0)
            refuse_usage(word, "is no option");
        else if (!clscan_type_from_name(value, &o->type) || o->type == CLSCAN_HALF) /* C has none to compare with */
            refuse_usage(value, "is no type");
        i += strcmp(word, "--count") == 0 || strcmp(word, "--type") == 0;
    }
    if (of_measurement != NULL && (file != NULL || o->capacity == 0))
        refuse_usage(of_measurement, "is an option of a measurement: give --count, and no file");
    return file;
}

int main(int argc, char **argv)
{
    sort_options o = {.type = CLSCAN_UINT32};
    const char *file = read_options(argc, argv, &o);
    session s = open_session();
    const cl_uint wrong = o.capacity > 0 ? measure(&s, &o) : check_types(&s) + check_text(&s, file);

    printf("%u mistakes\n", wrong);
    close_session(&s);
    return wrong != 0;
}
