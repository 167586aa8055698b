/* Headers of .npy files, and values of command lines: no device, no files. */
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "command_line/values.h"
#include "npy.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

/* A header of the given version around a dictionary; returns its length. */
static size_t make_header(int version, const char *dictionary, char *data)
{
    const size_t length_bytes = strlen(dictionary);
    const size_t prefix_bytes = version == 1 ? 10 : 12;

    memset(data, 0, prefix_bytes);
    memcpy(data, "\x93NUMPY", 6);
    data[6] = (char)version;
    data[8] = (char)(length_bytes & 0xff);
    data[9] = (char)(length_bytes >> 8);
    memcpy(data + prefix_bytes, dictionary, length_bytes);
    return prefix_bytes + length_bytes;
}

static void reads_what_numpy_writes(void **state)
{
    static const struct {
        int version;
        const char *dictionary;
        clscan_type type;
        uint64_t count;
    } rows[] = {
        {1, "{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }      \n", CLSCAN_INT32, 3},
        {2, "{'descr': '<f8', 'fortran_order': False, 'shape': (0,), }\n", CLSCAN_DOUBLE, 0},
        {3, "{'descr': '<u2', 'fortran_order': False, 'shape': (70000,), }\n", CLSCAN_UINT16, 70000},
        {1, "{'descr': '|u1', 'fortran_order': False, 'shape': (4294967301,), }\n", CLSCAN_UINT8, 4294967301},
        {1, "{'descr': '|i1', 'fortran_order': False, 'shape': (1,), }\n", CLSCAN_INT8, 1},
        {1, "{'descr': '<f2', 'fortran_order': False, 'shape': (1,), }\n", CLSCAN_HALF, 1},
        {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }\n", CLSCAN_FLOAT, 1},
        {1, "{'descr': '<u8', 'fortran_order': False, 'shape': (1,), }\n", CLSCAN_UINT64, 1},
        /* other writers: order, quotes, blanks, no trailing comma */
        {1, "{\"shape\":(5,),\"descr\":\"<i2\",\"fortran_order\":False}", CLSCAN_INT16, 5},
        {1, " { 'shape' : ( 5 , ) , 'fortran_order' : False , 'descr' : '<i8' } ", CLSCAN_INT64, 5},
        {1, "{'descr': '<u4', 'fortran_order': False, 'shape': (7L,), }\n", CLSCAN_UINT32, 7}, /* Python 2 */
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        char data[256];
        const size_t size_bytes = make_header(rows[i].version, rows[i].dictionary, data);
        npy_header header;
        clscan_error error = {.message = ""};

        if (npy_parse(data, size_bytes, &header, &error) != CLSCAN_OK)
            fail_msg("%s: %s", rows[i].dictionary, error.message);
        assert_int_equal(header.type, rows[i].type);
        assert_int_equal(header.count, rows[i].count);
        assert_int_equal(header.header_bytes, size_bytes);
    }
}

static void refuses_with_the_reason(void **state)
{
    static const struct {
        const char *dictionary;
        const char *reason; /* part of the message */
    } rows[] = {
        {"{'descr': '>i4', 'fortran_order': False, 'shape': (3,), }", "big-endian"},
        {"{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }", "bool"},
        {"{'descr': '|O', 'fortran_order': False, 'shape': (3,), }", "objects"},
        {"{'descr': '<c8', 'fortran_order': False, 'shape': (3,), }", "complex"},
        {"{'descr': '<f16', 'fortran_order': False, 'shape': (3,), }", "cannot be scanned"},
        {"{'descr': '<U8', 'fortran_order': False, 'shape': (3,), }", "cannot be scanned"},
        {"{'descr': '<M8[ns]', 'fortran_order': False, 'shape': (3,), }", "cannot be scanned"},
        {"{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (3,), }", "structured"},
        {"{'descr': '', 'fortran_order': False, 'shape': (3,), }", "malformed"},
        {"{'descr': 'i4', 'fortran_order': False, 'shape': (3,), }", "malformed"},
        {"{'descr': 4, 'fortran_order': False, 'shape': (3,), }", "'descr' should be a string"},
        {"{'descr': '<i4', 'fortran_order': 0, 'shape': (3,), }", "True or False"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (-3,), }", "negative"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (99999999999999999999,), }", "larger than any file"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (4611686018427387904,), }", "larger than any file"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", "larger than any file"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (0, 4611686018427387904), }", "larger than any file"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (3, -4), }", "negative"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (3 4), }", "not closed"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (3.5,), }", "not closed"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': 3, }", "should be a tuple"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (None,), }", "tuple of numbers"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (3", "not closed"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (3,), 'more': 1}", "unknown key 'more'"},
        {"{'descr': '<i4', 'descr': '<i4', 'fortran_order': False, 'shape': (3,)}", "repeated key 'descr'"},
        {"{'descr': '<i4', 'shape': (3,), }", "missing"},
        {"{}", "missing"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (3,), } x", "text follows"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (3,)", "not closed"},
        {"{'descr' '<i4'}", "no value"},
        {"{'descr': '<i4", "no closing quote"},
        {"[]", "dictionary"},
        {"", "dictionary"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        char data[256];
        const size_t size_bytes = make_header(1, rows[i].dictionary, data);
        npy_header header = {.count = 77};
        clscan_error error = {.message = ""};

        assert_int_equal(npy_parse(data, size_bytes, &header, &error), CLSCAN_ERROR_FILE);
        if (strstr(error.message, rows[i].reason) == NULL)
            fail_msg("%s: '%s' does not say '%s'", rows[i].dictionary, error.message, rows[i].reason);
        assert_int_equal(header.count, 77); /* outputs are written on success only */
    }
}

static void reads_shapes(void **state)
{
    static const struct {
        const char *shape;
        unsigned dimensions;
        uint64_t first, last, count;
    } rows[] = {
        {"()", 0, 0, 0, 1}, /* a scalar */
        {"(7,)", 1, 7, 7, 7},
        {"(3, 4)", 2, 3, 4, 12},
        {"(3,4,5,)", 3, 3, 5, 60},
        {"(0, 1000000)", 2, 0, 1000000, 0},
        {"(1000000, 0)", 2, 1000000, 0, 0},
        {"(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2)", 33, 1,
         2, 2},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        char dictionary[256];
        char data[512];
        npy_header header;
        clscan_error error = {.message = ""};

        snprintf(dictionary, sizeof dictionary, "{'descr': '<i4', 'fortran_order': False, 'shape': %s, }\n",
                 rows[i].shape);
        if (npy_parse(data, make_header(1, dictionary, data), &header, &error) != CLSCAN_OK)
            fail_msg("%s: %s", rows[i].shape, error.message);
        assert_int_equal(header.dimensions, rows[i].dimensions);
        assert_int_equal(header.count, rows[i].count);
        if (header.dimensions > 0) {
            assert_int_equal(header.shape[0], rows[i].first);
            assert_int_equal(header.shape[header.dimensions - 1], rows[i].last);
        }
    }
}

/* In memory, an array in Fortran order is one in C order of the reversed shape; NumPy reads the rendered shape. */
static void turns_shapes_in_fortran_order(void **state)
{
    static const struct {
        const char *shape, *rendered;
        bool fortran;
        uint64_t first, last;
    } rows[] = {
        {"(7,)", "'fortran_order': False, 'shape': (7,)", false, 7, 7},
        {"(3, 4)", "'fortran_order': True, 'shape': (3, 4)", true, 4, 3},
        {"(3, 4, 5)", "'fortran_order': True, 'shape': (3, 4, 5)", true, 5, 3},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        char dictionary[256], data[512], text[NPY_RENDERED_BYTES];
        npy_header header;
        clscan_error error = {.message = ""};
        size_t size_bytes;

        snprintf(dictionary, sizeof dictionary, "{'descr': '<i4', 'fortran_order': True, 'shape': %s, }\n",
                 rows[i].shape);
        if (npy_parse(data, make_header(1, dictionary, data), &header, &error) != CLSCAN_OK)
            fail_msg("%s: %s", rows[i].shape, error.message);
        assert_int_equal(header.fortran, rows[i].fortran);
        assert_int_equal(header.shape[0], rows[i].first);
        assert_int_equal(header.shape[header.dimensions - 1], rows[i].last);
        size_bytes = npy_render(header.type, header.shape, header.dimensions, header.fortran, text);
        text[size_bytes - 1] = '\0';
        assert_non_null(strstr(text + 10, rows[i].rendered));
    }
}

/* NumPy's align=True leaves gaps, and writes them as fields without names. */
static void reads_fields_where_they_are(void **state)
{
    static const char dictionary[] = "{'descr': [('a', '<f4'), ('', '|V4'), ('b', '<i8'), ('c', '|u1'), ('', '|V7')], "
                                     "'fortran_order': False, 'shape': (3,), }\n";
    static const char *const refused[] = {"('', '|V')", "('', '|V0')", "('', '|V64')", "('x', '|V4')", "('', '|V4'"};
    char data[256];
    npy_header header;
    clscan_error error;
    size_t size_bytes = make_header(1, dictionary, data);

    (void)state;
    assert_int_equal(npy_parse_records(data, size_bytes, &header, &error), CLSCAN_OK);
    assert_int_equal(header.field_count, 3);
    assert_int_equal(header.element_bytes, 24);
    assert_int_equal(header.offset_bytes[1], 8);
    assert_int_equal(header.offset_bytes[2], 16);
    assert_string_equal(header.names[0], "a");
    assert_string_equal(header.names[2], "c");
    for (size_t i = 0; i < COUNT_OF(refused); ++i) {
        char text[200];

        snprintf(text, sizeof text, "{'descr': [('a', '<f4'), %s], 'fortran_order': False, 'shape': (3,), }",
                 refused[i]);
        size_bytes = make_header(1, text, data);
        assert_int_equal(npy_parse_records(data, size_bytes, &header, &error), CLSCAN_ERROR_FILE);
    }
    size_bytes = make_header(1, "{'descr': '|V8', 'fortran_order': False, 'shape': (3,), }", data);
    assert_int_equal(npy_parse_records(data, size_bytes, &header, &error), CLSCAN_ERROR_FILE);
}

/* Of what is only moved nothing counts but how many bytes an element has. */
static void measures_what_is_moved(void **state)
{
    static const struct {
        const char *descr;
        size_t element_bytes; /* 0: refused */
        clscan_type type;
    } rows[] = {
        {"'<i4'", 4, CLSCAN_INT32},
        {"'|b1'", 1, CLSCAN_UINT8},
        {"'<c16'", 16, CLSCAN_TYPE_COUNT},
        {"'<U3'", 12, CLSCAN_TYPE_COUNT},
        {"'>U3'", 12, CLSCAN_TYPE_COUNT},
        {"'|S5'", 5, CLSCAN_TYPE_COUNT},
        {"'|V7'", 7, CLSCAN_TYPE_COUNT},
        {"'>i4'", 4, CLSCAN_TYPE_COUNT},
        {"'<f16'", 16, CLSCAN_TYPE_COUNT},
        {"'<M8[s]'", 8, CLSCAN_TYPE_COUNT},
        {"'<m8[25us]'", 8, CLSCAN_TYPE_COUNT},
        {"'<M8'", 8, CLSCAN_TYPE_COUNT},
        {"[('a', '|b1'), ('', '|V3'), ('b', '<U1')]", 8, CLSCAN_TYPE_COUNT},
        {"[(('title', 'a'), '<i2'), ('b', '<i2', (2, 3))]", 14, CLSCAN_TYPE_COUNT},
        {"[('a', [('b', '|S1'), ('c', [('d', '<f8')], (3,))])]", 25, CLSCAN_TYPE_COUNT},
        {"[('a', '<i2', (5,)), ('b', '<i2')]", 12, CLSCAN_TYPE_COUNT},
        {"'|O'", 0, CLSCAN_TYPE_COUNT},
        {"'<U0'", 0, CLSCAN_TYPE_COUNT},
        {"'<U'", 0, CLSCAN_TYPE_COUNT},
        {"'<M8[s'", 0, CLSCAN_TYPE_COUNT},
        {"'<Q8'", 0, CLSCAN_TYPE_COUNT},
        {"'<i3'", 0, CLSCAN_TYPE_COUNT},
        {"'<f1'", 0, CLSCAN_TYPE_COUNT},
        {"'<c4'", 0, CLSCAN_TYPE_COUNT},
        {"'|b2'", 0, CLSCAN_TYPE_COUNT},
        {"[]", 0, CLSCAN_TYPE_COUNT},
        {"[('a', '|O')]", 0, CLSCAN_TYPE_COUNT},
        {"[('a', '<i4', (2, 3)]", 0, CLSCAN_TYPE_COUNT},
        {"[('a', '<i4', 3)]", 0, CLSCAN_TYPE_COUNT},
        {"[('a', '<i4', (2 3))]", 0, CLSCAN_TYPE_COUNT},
        {"[('a', '<i4', ())", 0, CLSCAN_TYPE_COUNT},
        {"[('a', [[[[[[[[[[[[[[[[[[[[", 0, CLSCAN_TYPE_COUNT},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        char text[200], data[256];
        npy_header header;
        clscan_error error = {.message = ""};
        clscan_status status;

        snprintf(text, sizeof text, "{'descr': %s, 'fortran_order': False, 'shape': (3,), }", rows[i].descr);
        status = npy_parse_moved(data, make_header(1, text, data), &header, &error);
        if ((status == CLSCAN_OK) != (rows[i].element_bytes > 0))
            fail_msg("%s: %s", rows[i].descr, status == CLSCAN_OK ? "accepted" : error.message);
        if (status != CLSCAN_OK)
            continue;
        assert_int_equal(header.element_bytes, rows[i].element_bytes);
        assert_int_equal(header.type, rows[i].type);
        assert_string_equal(header.descr, rows[i].descr);
    }
}

/* A zero inside a description would cut short what is written again. */
static void refuses_a_zero_in_units_of_time(void **state)
{
    char data[256], *unit;
    const size_t size_bytes = make_header(1, "{'descr': '<M8[?s]', 'fortran_order': False, 'shape': (3,), }", data);
    npy_header header;
    clscan_error error;

    (void)state;
    unit = memchr(data, '?', size_bytes);
    *unit = 'm';
    assert_int_equal(npy_parse_moved(data, size_bytes, &header, &error), CLSCAN_OK);
    *unit = '\0';
    assert_int_equal(npy_parse_moved(data, size_bytes, &header, &error), CLSCAN_ERROR_FILE);
    assert_non_null(strstr(error.message, "descr"));
}

/* Sizes that no number holds are still too large. */
static void measures_absurd_sizes(void **state)
{
    static const char *const rows[] = {"'<U99999999999999999999999'",
                                       "[('a', '|S9999999', (9999999, 9999999, 9999999))]",
                                       "[('a', '|S18446744073709551615'), ('b', '|S18446744073709551615')]"};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        char text[200], data[256];
        npy_header header = {.element_bytes = 0};
        clscan_error error;

        snprintf(text, sizeof text, "{'descr': %s, 'fortran_order': False, 'shape': (3,), }", rows[i]);
        assert_int_equal(npy_parse_moved(data, make_header(1, text, data), &header, &error), CLSCAN_OK);
        assert_true(header.element_bytes > CLSCAN_MOST_ELEMENT_BYTES);
    }
}

/* Every prefix of a good header is refused, none is read beyond its end (AddressSanitizer sees to that). */
static void refuses_truncated_headers(void **state)
{
    char whole[256];
    const size_t size_bytes = make_header(3, "{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }\n", whole);

    (void)state;
    for (size_t given = 0; given < size_bytes; ++given) {
        char *part = test_malloc(given + 1);
        npy_header header;
        clscan_error error;

        memcpy(part, whole, given);
        assert_int_equal(npy_parse(part, given, &header, &error), CLSCAN_ERROR_FILE);
        test_free(part);
    }
}

static void refuses_other_files(void **state)
{
    char data[256];
    size_t header_bytes;
    clscan_error error;
    const size_t size_bytes = make_header(1, "{}", data);

    (void)state;
    data[0] = 'x';
    assert_int_equal(npy_header_bytes(data, size_bytes, &header_bytes, &error), CLSCAN_ERROR_FILE);
    assert_non_null(strstr(error.message, "magic"));

    make_header(1, "{}", data);
    data[6] = 4;
    assert_int_equal(npy_header_bytes(data, size_bytes, &header_bytes, &error), CLSCAN_ERROR_FILE);
    assert_non_null(strstr(error.message, "version 4.0"));

    /* A header of 4 GiB is a damaged one. */
    make_header(2, "{}", data);
    memset(data + 8, 0xff, 4);
    assert_int_equal(npy_header_bytes(data, 12, &header_bytes, &error), CLSCAN_ERROR_FILE);
    assert_non_null(strstr(error.message, "4294967295 bytes long"));
}

static void renders_and_reads(clscan_type type, const uint64_t *shape, unsigned dimensions, bool fortran)
{
    char text[NPY_RENDERED_BYTES];
    const size_t size_bytes = npy_render(type, shape, dimensions, fortran, text);
    npy_header header;
    clscan_error error;

    assert_int_equal(size_bytes % 64, 0);
    assert_true(size_bytes <= sizeof text);
    assert_true(dimensions != 1 || size_bytes == NPY_RENDERED_1D_BYTES);
    assert_int_equal(text[size_bytes - 1], '\n');
    assert_int_equal(npy_parse(text, size_bytes, &header, &error), CLSCAN_OK);
    assert_int_equal(header.type, type);
    assert_int_equal(header.dimensions, dimensions);
    assert_memory_equal(header.shape, shape, dimensions * sizeof *shape);
    assert_int_equal(header.fortran, fortran && npy_orders_differ(shape, dimensions));
    assert_int_equal(header.header_bytes, size_bytes);
}

static void renders_what_it_reads(void **state)
{
    static const uint64_t counts[] = {0, 1, 99, 1000000, INT64_MAX / 8};
    uint64_t shape[NPY_MAX_DIMENSIONS] = {0}; /* a dimension of 0, so that the others may be as large as they like */

    (void)state;
    for (clscan_type type = CLSCAN_INT8; type < CLSCAN_TYPE_COUNT; ++type) {
        for (size_t i = 0; i < COUNT_OF(counts); ++i)
            renders_and_reads(type, &counts[i], 1, i % 2 == 1);
    }
    for (unsigned i = 1; i < 8; ++i)
        shape[i] = i;
    for (unsigned dimensions = 0; dimensions <= NPY_MAX_DIMENSIONS; ++dimensions)
        renders_and_reads(CLSCAN_INT32, shape, dimensions, false);
    for (unsigned i = 0; i < NPY_MAX_DIMENSIONS; ++i)
        shape[i] = 1 + i % 4 * (i < 8);
    for (unsigned dimensions = 3; dimensions <= NPY_MAX_DIMENSIONS; ++dimensions)
        renders_and_reads(CLSCAN_INT32, shape, dimensions, true);
}

/* The dimensions of memory come the other way round into the header, which says C order, as NumPy's would. */
static void renders_what_has_one_order(void **state)
{
    static const struct {
        uint64_t shape[3];
        const char *text;
    } cases[] = {
        {{1, 5, 1}, "(1, 5, 1)"}, {{1, 1, 3}, "(3, 1, 1)"}, {{4, 0, 3}, "(3, 0, 4)"}, {{1, 1, 1}, "(1, 1, 1)"}};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        char text[NPY_RENDERED_BYTES], wanted[64];

        snprintf(wanted, sizeof wanted, "'fortran_order': False, 'shape': %s, }", cases[i].text);
        text[npy_render(CLSCAN_INT32, cases[i].shape, 3, true, text) - 1] = '\0';
        assert_non_null(strstr(text + 10, wanted));
    }
}

/* A count that is known at the end is written over, so what follows the header stays where it is. */
static void lengths_do_not_depend_on_the_first_extent(void **state)
{
    static const unsigned dimensions[] = {1, 2, 5, NPY_MAX_DIMENSIONS};
    char descr[100], text[NPY_RENDERED_BYTES];

    (void)state;
    for (size_t length = 1; length < sizeof descr; ++length) {
        memset(descr, 'x', length);
        descr[length] = '\0';
        for (size_t i = 0; i < COUNT_OF(dimensions); ++i) {
            uint64_t shape[NPY_MAX_DIMENSIONS] = {0, 1, 2, 3, 4};
            const size_t size_bytes = npy_render_records(descr, shape, dimensions[i], false, text);

            shape[0] = UINT64_MAX;
            assert_int_equal(npy_render_records(descr, shape, dimensions[i], false, text), size_bytes);
        }
    }
}

/* The longest header fits, though no array has that shape. */
static void renders_the_longest_shape(void **state)
{
    uint64_t shape[NPY_MAX_DIMENSIONS];
    char text[NPY_RENDERED_BYTES];
    size_t size_bytes;

    (void)state;
    for (unsigned i = 0; i < NPY_MAX_DIMENSIONS; ++i)
        shape[i] = UINT64_MAX;
    size_bytes = npy_render(CLSCAN_INT32, shape, NPY_MAX_DIMENSIONS, false, text);
    assert_true(size_bytes <= sizeof text);
    assert_non_null(memchr(text, '}', size_bytes));
}

static void parses_initial_values(void **state)
{
    static const struct {
        const char *text;
        clscan_type type;
        uint64_t bits; /* of a little-endian value */
    } rows[] = {
        {"0", CLSCAN_INT8, 0},
        {"127", CLSCAN_INT8, 0x7f},
        {"-128", CLSCAN_INT8, 0x80},
        {"255", CLSCAN_UINT8, 0xff},
        {"0xff", CLSCAN_UINT8, 0xff},
        {"010", CLSCAN_UINT8, 10}, /* decimal, as people mean it */
        {"-32768", CLSCAN_INT16, 0x8000},
        {"65535", CLSCAN_UINT16, 0xffff},
        {"-1", CLSCAN_INT32, 0xffffffff},
        {"4294967295", CLSCAN_UINT32, 0xffffffff},
        {"-9223372036854775808", CLSCAN_INT64, UINT64_C(1) << 63},
        {"9223372036854775807", CLSCAN_INT64, INT64_MAX},
        {"18446744073709551615", CLSCAN_UINT64, UINT64_MAX},
        {"-0", CLSCAN_UINT64, 0},
        {"1.5", CLSCAN_FLOAT, 0x3fc00000},
        {"-inf", CLSCAN_FLOAT, 0xff800000},
        {"1e-60", CLSCAN_FLOAT, 0},
        {"-0.0", CLSCAN_DOUBLE, UINT64_C(1) << 63},
        {"1e300", CLSCAN_DOUBLE, UINT64_C(0x7e37e43c8800759c)},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        uint64_t bits = 0;
        clscan_error error = {.message = ""};

        if (parse_value(rows[i].text, rows[i].type, &bits, &error) != CLSCAN_OK)
            fail_msg("%s: %s", rows[i].text, error.message);
        assert_int_equal(bits, rows[i].bits);
    }
}

static void refuses_initial_values(void **state)
{
    static const struct {
        const char *text;
        clscan_type type;
    } rows[] = {
        {"", CLSCAN_INT32},
        {"-", CLSCAN_INT32},
        {"abc", CLSCAN_INT32},
        {"1.5", CLSCAN_INT32},
        {"12x", CLSCAN_INT32},
        {"0x", CLSCAN_INT32},
        {"--1", CLSCAN_INT32},
        {"128", CLSCAN_INT8},
        {"-129", CLSCAN_INT8},
        {"256", CLSCAN_UINT8},
        {"-1", CLSCAN_UINT8},
        {"-1", CLSCAN_UINT64},
        {"4294967296", CLSCAN_UINT32},
        {"18446744073709551616", CLSCAN_UINT64},
        {"9223372036854775808", CLSCAN_INT64},
        {"-9223372036854775809", CLSCAN_INT64},
        {"", CLSCAN_FLOAT},
        {"1e39", CLSCAN_FLOAT},
        {"1.0f", CLSCAN_FLOAT},
        {"1e309", CLSCAN_DOUBLE},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        uint64_t bits = 0;
        clscan_error error = {.message = ""};

        if (parse_value(rows[i].text, rows[i].type, &bits, &error) != CLSCAN_ERROR_INVALID_VALUE)
            fail_msg("'%s' was taken for %s", rows[i].text, clscan_type_name(rows[i].type));
        if (rows[i].text[0] != '\0')
            assert_non_null(strstr(error.message, rows[i].text));
    }
}

static void reads_option_values(void **state)
{
    clscan_type type = CLSCAN_INT8;
    clscan_operator op = CLSCAN_ADD;
    uint64_t count = 0;
    bool types[CLSCAN_TYPE_COUNT] = {false};
    static const char *const no_bytes[] = {"", "0", "0K", "M", "1.5M", "-1", "1Mi", "1MiBs", "1B", "99999999999T"};
    clscan_error error;

    (void)state;
    assert_int_equal(read_type("float16", &type, &error), CLSCAN_OK);
    assert_int_equal(type, CLSCAN_HALF);
    assert_int_equal(read_type("uint64", &type, &error), CLSCAN_OK);
    assert_int_equal(type, CLSCAN_UINT64);
    assert_int_equal(read_type("int128", &type, &error), CLSCAN_ERROR_INVALID_VALUE);
    assert_non_null(strstr(error.message, "uint64, half"));
    assert_int_equal(read_operator("xor", &op, &error), CLSCAN_OK);
    assert_int_equal(op, CLSCAN_XOR);
    assert_int_equal(read_operator("nand", &op, &error), CLSCAN_ERROR_INVALID_VALUE);
    assert_int_equal(read_count("2^33", &count, &error), CLSCAN_OK);
    assert_int_equal(count, UINT64_C(1) << 33);
    assert_int_equal(read_count("18446744073709551615", &count, &error), CLSCAN_OK);
    assert_int_equal(count, UINT64_MAX);
    assert_int_equal(read_count("18446744073709551616", &count, &error), CLSCAN_ERROR_INVALID_VALUE);
    assert_int_equal(read_count("2^64", &count, &error), CLSCAN_ERROR_INVALID_VALUE);
    assert_int_equal(read_count("-1", &count, &error), CLSCAN_ERROR_INVALID_VALUE);
    assert_int_equal(read_bytes("4k", &count, &error), CLSCAN_OK);
    assert_int_equal(count, 4096);
    assert_int_equal(read_bytes("2MB", &count, &error), CLSCAN_OK);
    assert_int_equal(count, 2000000);
    assert_int_equal(read_bytes("3GiB", &count, &error), CLSCAN_OK);
    assert_int_equal(count, UINT64_C(3) << 30);
    assert_int_equal(read_bytes("2^20", &count, &error), CLSCAN_OK);
    assert_int_equal(count, 1 << 20);
    for (size_t i = 0; i < COUNT_OF(no_bytes); ++i)
        assert_int_equal(read_bytes(no_bytes[i], &count, &error), CLSCAN_ERROR_INVALID_VALUE);
    assert_int_equal(read_type_list("int8,float32", types, &error), CLSCAN_OK);
    assert_true(types[CLSCAN_INT8] && types[CLSCAN_FLOAT] && !types[CLSCAN_UINT8]);
    assert_int_equal(read_type_list("int8,,float", types, &error), CLSCAN_ERROR_INVALID_VALUE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_numpy_writes),
        cmocka_unit_test(refuses_with_the_reason),
        cmocka_unit_test(reads_shapes),
        cmocka_unit_test(turns_shapes_in_fortran_order),
        cmocka_unit_test(lengths_do_not_depend_on_the_first_extent),
        cmocka_unit_test(renders_the_longest_shape),
        cmocka_unit_test(reads_fields_where_they_are),
        cmocka_unit_test(measures_what_is_moved),
        cmocka_unit_test(refuses_a_zero_in_units_of_time),
        cmocka_unit_test(measures_absurd_sizes),
        cmocka_unit_test(refuses_truncated_headers),
        cmocka_unit_test(refuses_other_files),
        cmocka_unit_test(renders_what_it_reads),
        cmocka_unit_test(renders_what_has_one_order),
        cmocka_unit_test(parses_initial_values),
        cmocka_unit_test(refuses_initial_values),
        cmocka_unit_test(reads_option_values),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
