/* Files that describe elements: what becomes of them, what is refused, and what the message names. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "command_line/element_file.h"

static char text[4096];

static int setup(void **state)
{
    FILE *file = fopen(CLSCAN_FIXTURES "/elements/drift.json", "rb");

    (void)state;
    if (file == NULL)
        return -1;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return 0;
}

static const element_description *read_fixture(const char *path)
{
    const element_description *found = NULL;
    clscan_error error = {0};

    if (element_describe(path, &found, &error) != CLSCAN_OK)
        fail_msg("%s", error.message);
    return found;
}

static void a_file_gives_a_type_and_an_operator(void **state)
{
    const element_description *drift = read_fixture(CLSCAN_FIXTURES "/elements/drift.json");

    (void)state;
    assert_string_equal(drift->name, "drift");
    assert_int_equal(drift->ready, CLSCAN_READY_COUNT);
    assert_int_equal(drift->field_count, 3);
    assert_int_equal(drift->size_bytes, 12);
    assert_int_equal(drift->element.size_bytes, 12);
    assert_int_equal(drift->element.align_bytes, 4);
    assert_string_equal(drift->element.name, "drift");
    assert_string_equal(drift->element.source, "typedef struct drift {\n    uint factor;\n    uint step;\n"
                                               "    int last;\n} drift;\n");
    assert_string_equal(drift->custom.function, "drift_combine");
    assert_non_null(strstr(drift->custom.source, "#line 1 \"source\"\nint last_of(int left, int right)\n{\n"));
    assert_non_null(strstr(drift->custom.source,
                           "drift drift_combine(drift left, drift right)\n{\n#line 1 \"combine\"\ndrift sum = "));
    assert_string_equal(drift->custom.identity, "((drift){(uint)1UL, (uint)0UL, (int)0UL})");
    assert_true(drift->fields[0].least == 1 && drift->fields[0].greatest == 5);
    assert_true(drift->fields[1].least == 0 && drift->fields[1].greatest == 9);
    assert_true(drift->fields[2].least == -1 && drift->fields[2].greatest == 1);
    assert_false(element_has_doubles(drift));
}

/* What the compiler of this file makes of the same fields. */
static void the_layout_is_that_of_c(void **state)
{
    typedef struct peak {
        float most;
        int64_t at;
        uint8_t kind;
    } peak;
    const element_description *described = read_fixture(CLSCAN_FIXTURES "/elements/peak.json");

    (void)state;
    assert_int_equal(described->size_bytes, sizeof(peak));
    assert_int_equal(described->element.align_bytes, _Alignof(peak));
    assert_int_equal(described->fields[1].offset_bytes, offsetof(peak, at));
    assert_int_equal(described->fields[2].offset_bytes, offsetof(peak, kind));
    assert_string_equal(described->custom.identity, "((peak){-INFINITY, (long)-9223372036854775808UL, (uchar)255UL})");
    assert_true(described->fields[0].tolerance == 0);
}

/* Copies of a description may outlive its file, and are compared by where it is. */
static void the_same_file_is_one_description(void **state)
{
    const element_description *first, *again;
    clscan_error error = {0};
    char spaced[sizeof text + 1];

    (void)state;
    snprintf(spaced, sizeof spaced, " %s", text);
    assert_int_equal(element_file_parse(text, strlen(text), "first", &first, &error), CLSCAN_OK);
    assert_int_equal(element_file_parse(spaced, strlen(spaced), "again", &again, &error), CLSCAN_OK);
    assert_ptr_equal(first, again);
    assert_ptr_equal(first, read_fixture(CLSCAN_FIXTURES "/elements/drift.json"));
}

static void ready_made_elements_are_described_alike(void **state)
{
    (void)state;
    for (int i = 0; i < CLSCAN_READY_COUNT; ++i) {
        const element_description *ready = read_fixture(clscan_ready_name((clscan_ready)i));
        const element_field *last = &ready->fields[ready->field_count - 1];

        assert_int_equal(ready->ready, i);
        assert_int_equal(ready->size_bytes, clscan_element_size_bytes(&ready->element));
        assert_int_equal(last->offset_bytes + clscan_type_size_bytes(last->type), ready->size_bytes);
    }
}

static void refuse_text(const char *changed, clscan_status expected, const char *culprit)
{
    const element_description *found = NULL;
    clscan_error error = {0};
    const clscan_status status = element_file_parse(changed, strlen(changed), "e.json", &found, &error);

    if (status != expected || strstr(error.message, culprit) == NULL || strncmp(error.message, "e.json", 6) != 0)
        fail_msg("%s: %s, %s; not %s", changed, clscan_status_name(status), error.message, culprit);
    assert_null(found);
}

/* Put `with` in the place of `what`. */
static void refuse(const char *what, const char *with, clscan_status expected, const char *culprit)
{
    char changed[2 * sizeof text];
    const char *at = strstr(text, what);

    assert_non_null(at);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, with, at + strlen(what));
    refuse_text(changed, expected, culprit);
}

static void mistakes_are_named(void **state)
{
    (void)state;
#define SCHEMA CLSCAN_ERROR_CONFIG_SCHEMA
    refuse("{", "", CLSCAN_ERROR_CONFIG_SYNTAX, "e.json:");
    refuse("\"combine\": [", "\"combine\": [,", CLSCAN_ERROR_CONFIG_SYNTAX, "e.json:16:");
    refuse_text("[]", SCHEMA, "not an object");
    refuse("\"schema_version\": 1", "\"schema_version\": 2", CLSCAN_ERROR_CONFIG_VERSION, "/schema_version");
    refuse("\"schema_version\": 1,", "", SCHEMA, "/schema_version: missing");
    refuse("\"combine\"", "\"join\"", SCHEMA, "/join: unknown key");
    refuse("\"greatest\": 9", "\"most\": 9", SCHEMA, "/fields/1/most: unknown key");
    refuse("\"drift\"", "\"int\\u0000\"", CLSCAN_ERROR_CONFIG_SYNTAX, "e.json:3");
    refuse("\"drift\"", "\"3d\"", SCHEMA, "/name: \"3d\"");
    refuse("\"drift\"", "\"\"", SCHEMA, "/name");
    refuse("\"drift\"", "\"clscan_drift\"", SCHEMA, "/name");
    refuse("\"drift\"", "\"float4\"", SCHEMA, "/name: float4 is a type of OpenCL C");
    refuse("\"step\"", "\"local\"", SCHEMA, "/fields/1/name: local is a word of OpenCL C");
    refuse("\"drift\"", "\"affine_float\"", SCHEMA, "/name: affine_float is a ready-made element");
    refuse("\"drift\"", "\"a_name_that_is_longer_than_31_bytes\"", SCHEMA, "/name: longer");
    refuse("\"step\"", "\"factor\"", SCHEMA, "/fields/1/name: factor is there twice");
    refuse("\"step\"", "\"a b\"", SCHEMA, "/fields/1/name");
    refuse("\"int32\"", "\"int\"", SCHEMA, "/fields/2/type: \"int\"");
    refuse("\"int32\"", "\"half\"", SCHEMA, "/fields/2/type: structs have no half");
    refuse("\"int32\"", "4", SCHEMA, "/fields/2/type: not a string");
    refuse("\"size_bytes\": 12", "\"size_bytes\": 16", SCHEMA, "/size_bytes: 16");
    refuse("\"size_bytes\": 12", "\"size_bytes\": 16", SCHEMA, "have 12: the last one, last, begins at 8");
    refuse("\"type\": \"uint32\", \"greatest\"", "\"type\": \"double\", \"greatest\"", SCHEMA, "/size_bytes: 12");
    refuse("\"least\": 1", "\"least\": 6", SCHEMA, "/fields/0/least: 6 is above greatest, 5");
    refuse("\"least\": 1", "\"least\": -1", SCHEMA, "/fields/0/least: -1");
    refuse("\"least\": 1", "\"least\": 0.5", SCHEMA, "/fields/0/least: '0.5'");
    refuse("\"least\": 1", "\"least\": \"1\"", SCHEMA, "/fields/0/least: not a number");
    refuse("\"greatest\": 9", "\"greatest\": 4294967296", SCHEMA, "/fields/1/greatest: 4294967296");
    refuse("\"type\": \"int32\"", "\"type\": \"int64\", \"greatest\": 9007199254740994", SCHEMA, "/fields/2/greatest");
    refuse("\"greatest\": 9", "\"tolerance\": 0.1", SCHEMA, "/fields/1/tolerance: uint32 is compared exactly");
    refuse("\"type\": \"int32\"", "\"type\": \"float\", \"tolerance\": -1", SCHEMA, "/fields/2/tolerance: -1");
    refuse("\"type\": \"int32\"", "\"type\": \"float\", \"tolerance\": 1", SCHEMA, "/fields/2/tolerance: 1");
    refuse("\"last\": 0}", "\"last\": 0, \"first\": 0}", SCHEMA, "/identity/first: there is no such field");
    refuse("\"step\": 0, ", "", SCHEMA, "/identity/step: missing");
    refuse("\"identity\": {", "\"lanewise\": true, \"identity\": {", SCHEMA, "/lanewise: true, but there is a source");
    refuse("\"identity\": {", "\"lanewise\": 1, \"identity\": {", SCHEMA, "/lanewise: ");
    refuse("\"step\": 0", "\"step\": -1", SCHEMA, "/identity/step: -1");
    refuse("\"step\": 0", "\"step\": \"zero\"", SCHEMA, "/identity/step: 'zero'");
    refuse("\"step\": 0", "\"step\": null", SCHEMA, "/identity/step: neither");
    refuse("\"identity\": {", "\"identity\": [{", CLSCAN_ERROR_CONFIG_SYNTAX, "e.json:");
    refuse("\"{\",", "1,", SCHEMA, "/source/1: not a string");
    refuse("\"return sum;\"", "{}", SCHEMA, "/combine/1: not a string");
}

static void fields_have_a_limit(void **state)
{
    char many[4096] = "{\"schema_version\": 1, \"name\": \"many\", \"combine\": [\"return left;\"], \"fields\": [";
    const size_t begin = strlen(many);

    (void)state;
    strcat(many, "]}");
    refuse_text(many, SCHEMA, "/fields: 0 fields");
    many[begin] = '\0';
    for (int i = 0; i < 9; ++i)
        sprintf(many + strlen(many), "%s{\"name\": \"f%d\", \"type\": \"double\"}", i > 0 ? ", " : "", i);
    strcat(many, "]}");
    refuse_text(many, SCHEMA, "/fields/8: with f8 an element has 72 bytes; at most 64");
    many[begin] = '\0';
    for (int i = 0; i < 17; ++i)
        sprintf(many + strlen(many), "%s{\"name\": \"f%d\", \"type\": \"int8\"}", i > 0 ? ", " : "", i);
    strcat(many, "]}");
    refuse_text(many, SCHEMA, "/fields: 17 fields");
#undef SCHEMA
}

static void a_combine_has_lines(void **state)
{
    (void)state;
    refuse_text("{\"schema_version\": 1, \"name\": \"one\", \"fields\": [{\"name\": \"a\", \"type\": \"int8\"}], "
                "\"combine\": []}",
                CLSCAN_ERROR_CONFIG_SCHEMA, "/combine: no lines");
}

static void files_that_cannot_be_read(void **state)
{
    const element_description *found = NULL;
    clscan_error error = {0};
    char path[] = "/tmp/clscan-elements-XXXXXX";
    const int descriptor = mkstemp(path);
    FILE *file = fdopen(descriptor, "wb");

    (void)state;
    assert_non_null(file);
    assert_int_equal(element_describe("./there/is/none", &found, &error), CLSCAN_ERROR_FILE);
    assert_non_null(strstr(error.message, "./there/is/none: No such file"));
    assert_int_equal(element_describe("/", &found, &error), CLSCAN_ERROR_FILE);
    assert_non_null(strstr(error.message, "/: not a regular file"));
    assert_int_equal(element_describe("none", &found, &error), CLSCAN_ERROR_INVALID_VALUE);
    assert_non_null(strstr(error.message, "'none' is no ready-made element"));
    for (unsigned i = 0; i <= ELEMENT_FILE_MOST_BYTES; ++i)
        fputc(' ', file);
    fclose(file);
    assert_int_equal(element_describe(path, &found, &error), CLSCAN_ERROR_CONFIG_SYNTAX);
    assert_non_null(strstr(error.message, "longer than 65536 bytes"));
    remove(path);
    assert_null(found);
}

static void values_are_compared_by_field(void **state)
{
    typedef struct peak {
        float most;
        int64_t at;
        uint8_t kind;
    } peak;
    const element_description *exact = read_fixture(CLSCAN_FIXTURES "/elements/peak.json");
    const element_description *affine = element_describe_ready(CLSCAN_READY_AFFINE_FLOAT);
    const float left[] = {1, 1000}, close[] = {1, 1000.5f}, far[] = {1, 1002}, nans[] = {NAN, 1000};
    peak a, b;
    element_scale scale = {{0}};
    clscan_error error = {0};
    char printed[64];

    (void)state;
    memset(&a, 0xff, sizeof a);
    memset(&b, 0, sizeof b);
    assert_int_equal(element_parse(exact, "1.5,-9223372036854775808,200", &b, &error), CLSCAN_OK);
    assert_true(b.most == 1.5f && b.at == INT64_MIN && b.kind == 200);
    a.most = 1.5f, a.at = INT64_MIN, a.kind = 200;
    assert_true(element_same(exact, &a, &b, &scale)); /* whatever the padding is */
    a.kind = 201;
    assert_false(element_same(exact, &a, &b, &scale));
    element_print(exact, &b, printed, sizeof printed);
    assert_string_equal(printed, "{most: 1.5, at: -9223372036854775808, kind: 200}");
    element_print(exact, &b, printed, 8);
    assert_string_equal(printed, "{most: ");
    assert_int_equal(element_parse(exact, "1,2", &b, &error), CLSCAN_ERROR_INVALID_VALUE);
    assert_int_equal(element_parse(exact, "1,2,3,4", &b, &error), CLSCAN_ERROR_INVALID_VALUE);
    assert_non_null(strstr(error.message, "'1,2,3,4' is not 3 numbers"));

    element_widen(affine, left, &scale);
    assert_true(element_same(affine, left, close, &scale));
    assert_false(element_same(affine, left, far, &scale));
    assert_false(element_same(affine, left, nans, &scale));
    assert_true(element_same(affine, nans, nans, &scale));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_gives_a_type_and_an_operator),
        cmocka_unit_test(the_layout_is_that_of_c),
        cmocka_unit_test(the_same_file_is_one_description),
        cmocka_unit_test(ready_made_elements_are_described_alike),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(fields_have_a_limit),
        cmocka_unit_test(a_combine_has_lines),
        cmocka_unit_test(files_that_cannot_be_read),
        cmocka_unit_test(values_are_compared_by_field),
    };

    return cmocka_run_group_tests(tests, setup, NULL);
}
