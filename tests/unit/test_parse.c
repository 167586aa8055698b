/* Config files: good ones are read whole, bad ones are refused with the place of the fault. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/embedded.h"
#include "base/file.h"
#include "cmocka_all.h"
#include "config/config.h"

#define FOLDER CLSCAN_FIXTURES "/configs/"

static char *read_fixture(const char *name, size_t *text_bytes)
{
    char path[1024];
    char *text = NULL;

    snprintf(path, sizeof path, FOLDER "%s", name);
    assert_int_equal(
        clscan__file_read(path, CLSCAN_CONFIG_MAX_BYTES, CLSCAN_ERROR_CONFIG_SIZE, &text, text_bytes, NULL), CLSCAN_OK);
    return text;
}

static void free_paths(char **paths, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        free(paths[i]);
    free(paths);
}

static void valid_files_load(void **state)
{
    (void)state;
    char **paths = NULL;
    size_t count = 0;

    assert_int_equal(clscan__folder_list(FOLDER "valid", ".json", &paths, &count, NULL), CLSCAN_OK);
    assert_true(count > 0);
    for (size_t i = 0; i < count; ++i) {
        clscan_config *config = NULL;
        clscan_error error;

        if (clscan_config_load(paths[i], &config, &error) != CLSCAN_OK)
            fail_msg("%s", error.message);
        assert_string_equal(config->source, paths[i]);
        clscan_config_destroy(config);
    }
    free_paths(paths, count);
}

static void built_in_files_load(void **state)
{
    (void)state;
    assert_true(clscan__embedded_config_count > 0);
    for (size_t i = 0; i < clscan__embedded_config_count; ++i) {
        const clscan__embedded_file *file = &clscan__embedded_configs[i];
        clscan_config *config = NULL;
        clscan_error error;

        if (clscan_config_parse(file->text, file->text_bytes, file->name, &config, &error) != CLSCAN_OK)
            fail_msg("%s", error.message);
        clscan_config_destroy(config);
    }
}

/* So that what the tuner writes, or somebody by hand, shows in a diff only where it differs. */
static void writing_what_was_read_gives_the_same_bytes(void **state)
{
    (void)state;
    for (size_t i = 0; i < clscan__embedded_config_count; ++i) {
        const clscan__embedded_file *file = &clscan__embedded_configs[i];
        clscan__document document;
        size_t written_bytes;

        assert_int_equal(clscan__document_read(file->text, file->text_bytes, file->name, &document, NULL), CLSCAN_OK);
        char *written = clscan__document_write(&document, &written_bytes);
        assert_non_null(written);
        if (written_bytes != file->text_bytes || memcmp(written, file->text, written_bytes) != 0)
            fail_msg("%s is written as\n%s", file->name, written);
        free(written);
        clscan__document_free(&document);
    }
}

static void every_value_is_read(void **state)
{
    (void)state;
    clscan_config *config = NULL;
    const clscan__config_entry *entry;

    assert_int_equal(clscan_config_load(FOLDER "valid/all_optional_keys.json", &config, NULL), CLSCAN_OK);
    assert_string_equal(config->document.match, "test-device");
    assert_int_equal(config->document.provenance.origin, CLSCAN__ORIGIN_TUNED);
    assert_string_equal(config->document.provenance.date, "2026-11-21");
    assert_int_equal(config->document.entry_count, 1);
    entry = &config->document.entries[0];
    assert_int_equal(entry->key.operation, CLSCAN_SCAN);
    assert_int_equal(entry->key.element_size_bytes, 4);
    assert_int_equal(entry->key.operator_class, CLSCAN_OPERATOR_CLASS_BUILTIN);
    assert_false(entry->key.reproducible);
    assert_true(entry->largest_count == UINT64_MAX);
    assert_int_equal(entry->unfinished_ms, 500);
    assert_string_equal(entry->revision, "0123456789abcdef");
    assert_int_equal(entry->variant.body, CLSCAN_BODY_COALESCED);
    assert_int_equal(entry->variant.group_scan, CLSCAN_GROUP_SCAN_KOGGE_STONE);
    assert_int_equal(entry->variant.carry, CLSCAN_CARRY_ADJACENT);
    assert_int_equal(entry->variant.order, CLSCAN_ORDER_DYNAMIC);
    assert_int_equal(entry->variant.work_group_size, 256);
    assert_int_equal(entry->variant.vector_length, 4);
    assert_int_equal(entry->variant.register_pieces, 2);
    assert_int_equal(entry->variant.local_pieces, 1);
    assert_int_equal(entry->variant.thread_group_size, 16);
    assert_int_equal(entry->variant.work_groups_per_unit, 0);
    clscan_config_destroy(config);
}

#define ENTRY "/entries/0/"
#define VARIANT "/entries/0/variant/"

/* What each file of fixtures/configs/invalid/ is refused for. The file's name is the reason. */
static const struct {
    const char *file;
    clscan_status status;
    const char *culprit; /* the message contains it */
} invalid[] = {
    {"syntax_missing_comma", CLSCAN_ERROR_CONFIG_SYNTAX, ".json:4:"},
    {"syntax_truncated", CLSCAN_ERROR_CONFIG_SYNTAX, ".json:11:"},
    {"syntax_empty", CLSCAN_ERROR_CONFIG_SYNTAX, ".json:1:"},
    {"syntax_trailing_text", CLSCAN_ERROR_CONFIG_SYNTAX, ".json:29:"},
    {"syntax_comment", CLSCAN_ERROR_CONFIG_SYNTAX, ".json:1:"},
    {"syntax_number_too_large", CLSCAN_ERROR_CONFIG_SYNTAX, ".json:20:"},
    {"syntax_byte_order_mark", CLSCAN_ERROR_CONFIG_SYNTAX, ".json:1:"},
    {"duplicate_top_key", CLSCAN_ERROR_CONFIG_SCHEMA, ".json: /match:"},
    {"duplicate_nested_key", CLSCAN_ERROR_CONFIG_SCHEMA, VARIANT "body:"},
    {"not_an_object", CLSCAN_ERROR_CONFIG_SCHEMA, ".json:"},
    {"missing_schema_version", CLSCAN_ERROR_CONFIG_SCHEMA, ": /schema_version:"},
    {"missing_match", CLSCAN_ERROR_CONFIG_SCHEMA, ": /match:"},
    {"missing_provenance", CLSCAN_ERROR_CONFIG_SCHEMA, ": /provenance:"},
    {"missing_entries", CLSCAN_ERROR_CONFIG_SCHEMA, ": /entries:"},
    {"schema_version_2", CLSCAN_ERROR_CONFIG_VERSION, ": /schema_version:"},
    {"schema_version_text", CLSCAN_ERROR_CONFIG_SCHEMA, ": /schema_version:"},
    {"unknown_top_key", CLSCAN_ERROR_CONFIG_SCHEMA, ": /vendor~1id:"},
    {"match_empty", CLSCAN_ERROR_CONFIG_SCHEMA, ": /match:"},
    {"match_upper_case", CLSCAN_ERROR_CONFIG_SCHEMA, ": /match:"},
    {"match_too_long", CLSCAN_ERROR_CONFIG_SCHEMA, ": /match:"},
    {"provenance_unknown_origin", CLSCAN_ERROR_CONFIG_SCHEMA, ": /provenance/origin:"},
    {"provenance_bad_date", CLSCAN_ERROR_CONFIG_SCHEMA, ": /provenance/date:"},
    {"provenance_copy_text", CLSCAN_ERROR_CONFIG_SCHEMA, ": /provenance/copy_gb_per_s:"},
    {"provenance_noise_negative", CLSCAN_ERROR_CONFIG_SCHEMA, ": /provenance/noise_percent:"},
    {"provenance_note_number", CLSCAN_ERROR_CONFIG_SCHEMA, ": /provenance/note:"},
    {"provenance_unknown_key", CLSCAN_ERROR_CONFIG_SCHEMA, ": /provenance/author:"},
    {"entries_object", CLSCAN_ERROR_CONFIG_SCHEMA, ": /entries:"},
    {"entries_empty", CLSCAN_ERROR_CONFIG_SCHEMA, ": /entries:"},
    {"entries_last_has_limit", CLSCAN_ERROR_CONFIG_SCHEMA, "/entries/0/largest_count:"},
    {"entries_descending", CLSCAN_ERROR_CONFIG_SCHEMA, "/entries/1/largest_count:"},
    {"entries_duplicate", CLSCAN_ERROR_CONFIG_SCHEMA, "/entries/1/largest_count:"},
    {"entries_duplicate_null", CLSCAN_ERROR_CONFIG_SCHEMA, "/entries/1/largest_count:"},
    {"entries_limit_after_null", CLSCAN_ERROR_CONFIG_SCHEMA, "/entries/2/largest_count:"},
    {"entry_not_object", CLSCAN_ERROR_CONFIG_SCHEMA, ": /entries/0:"},
    {"entry_missing_operation", CLSCAN_ERROR_CONFIG_SCHEMA, ENTRY "operation:"},
    {"entry_missing_element_size_bytes", CLSCAN_ERROR_CONFIG_SCHEMA, ENTRY "element_size_bytes:"},
    {"entry_missing_operator_class", CLSCAN_ERROR_CONFIG_SCHEMA, ENTRY "operator_class:"},
    {"entry_missing_largest_count", CLSCAN_ERROR_CONFIG_SCHEMA, ENTRY "largest_count:"},
    {"entry_missing_reproducible", CLSCAN_ERROR_CONFIG_SCHEMA, ENTRY "reproducible:"},
    {"entry_missing_variant", CLSCAN_ERROR_CONFIG_SCHEMA, ENTRY "variant:"},
    {"entry_unknown_key", CLSCAN_ERROR_CONFIG_SCHEMA, ENTRY "work_group_size:"},
    {"entry_unknown_operation", CLSCAN_ERROR_CONFIG_SCHEMA, ENTRY "operation:"},
    {"entry_unknown_class", CLSCAN_ERROR_CONFIG_SCHEMA, ENTRY "operator_class:"},
    {"entry_element_size_65", CLSCAN_ERROR_CONFIG_SCHEMA, ENTRY "element_size_bytes:"},
    {"entry_element_size_negative", CLSCAN_ERROR_CONFIG_SCHEMA, ENTRY "element_size_bytes:"},
    {"entry_sum_size_0", CLSCAN_ERROR_CONFIG_SCHEMA, ENTRY "sum_size_bytes:"},
    {"entry_reproducible_12_bytes", CLSCAN_ERROR_CONFIG_SCHEMA, ENTRY "reproducible:"},
    {"entry_smallest_element_size_0", CLSCAN_ERROR_CONFIG_SCHEMA, ENTRY "smallest_element_size_bytes:"},
    {"entry_smallest_element_size_above", CLSCAN_ERROR_CONFIG_SCHEMA, ENTRY "smallest_element_size_bytes:"},
    {"entry_native_select", CLSCAN_ERROR_CONFIG_SCHEMA, ENTRY "operator_class:"},
    {"entry_native_scan_rows", CLSCAN_ERROR_CONFIG_SCHEMA, ENTRY "operator_class:"},
    {"entry_reproducible_scan_rows", CLSCAN_ERROR_CONFIG_SCHEMA, ENTRY "reproducible:"},
    {"entry_reproducible_select", CLSCAN_ERROR_CONFIG_SCHEMA, ENTRY "reproducible:"},
    {"entry_reproducible_range", CLSCAN_ERROR_CONFIG_SCHEMA, ENTRY "reproducible:"},
    {"entry_sum_size_of_segments", CLSCAN_ERROR_CONFIG_SCHEMA, ENTRY "sum_size_bytes:"},
    {"entry_native_8_bytes", CLSCAN_ERROR_CONFIG_SCHEMA, ENTRY "operator_class:"},
    {"entry_largest_count_0", CLSCAN_ERROR_CONFIG_SCHEMA, ENTRY "largest_count:"},
    {"entry_largest_count_real", CLSCAN_ERROR_CONFIG_SCHEMA, ENTRY "largest_count:"},
    {"entry_largest_count_false", CLSCAN_ERROR_CONFIG_SCHEMA, ENTRY "largest_count:"},
    {"entry_unfinished_0", CLSCAN_ERROR_CONFIG_SCHEMA, ENTRY "unfinished_ms:"},
    {"entry_reproducible_number", CLSCAN_ERROR_CONFIG_SCHEMA, ENTRY "reproducible:"},
    {"entry_revision_short", CLSCAN_ERROR_CONFIG_SCHEMA, ENTRY "revision:"},
    {"entry_revision_upper_case", CLSCAN_ERROR_CONFIG_SCHEMA, ENTRY "revision:"},
    {"entry_variant_text", CLSCAN_ERROR_CONFIG_SCHEMA, ENTRY "variant:"},
    {"variant_missing_body", CLSCAN_ERROR_CONFIG_SCHEMA, VARIANT "body:"},
    {"variant_missing_group_scan", CLSCAN_ERROR_CONFIG_SCHEMA, VARIANT "group_scan:"},
    {"variant_missing_carry", CLSCAN_ERROR_CONFIG_SCHEMA, VARIANT "carry:"},
    {"variant_missing_order", CLSCAN_ERROR_CONFIG_SCHEMA, VARIANT "order:"},
    {"variant_missing_work_group_size", CLSCAN_ERROR_CONFIG_SCHEMA, VARIANT "work_group_size:"},
    {"variant_missing_vector_length", CLSCAN_ERROR_CONFIG_SCHEMA, VARIANT "vector_length:"},
    {"variant_missing_register_pieces", CLSCAN_ERROR_CONFIG_SCHEMA, VARIANT "register_pieces:"},
    {"variant_missing_local_pieces", CLSCAN_ERROR_CONFIG_SCHEMA, VARIANT "local_pieces:"},
    {"variant_missing_thread_group_size", CLSCAN_ERROR_CONFIG_SCHEMA, VARIANT "thread_group_size:"},
    {"variant_missing_work_groups_per_unit", CLSCAN_ERROR_CONFIG_SCHEMA, VARIANT "work_groups_per_unit:"},
    {"variant_unknown_key", CLSCAN_ERROR_CONFIG_SCHEMA, VARIANT "items_per_work:"},
    {"variant_unknown_body", CLSCAN_ERROR_CONFIG_SCHEMA, VARIANT "body:"},
    {"variant_carry_of_rows", CLSCAN_ERROR_CONFIG_SCHEMA,
     VARIANT "carry: adjacent, but operation scan_rows takes reduce_then_scan only"},
    {"variant_order_none", CLSCAN_ERROR_ILLEGAL_VARIANT, VARIANT "order:"},
    {"variant_order_without_carry", CLSCAN_ERROR_CONFIG_SCHEMA, VARIANT "order:"},
    {"variant_unused_thread_group_size", CLSCAN_ERROR_CONFIG_SCHEMA, VARIANT "thread_group_size:"},
    {"variant_unused_zero", CLSCAN_ERROR_CONFIG_SCHEMA, VARIANT "work_groups_per_unit:"},
    {"variant_negative", CLSCAN_ERROR_CONFIG_SCHEMA, VARIANT "work_group_size:"},
    {"variant_beyond_32_bits", CLSCAN_ERROR_CONFIG_SCHEMA, VARIANT "work_group_size:"},
    {"variant_too_large", CLSCAN_ERROR_CONFIG_SCHEMA, VARIANT "work_group_size:"},
    {"variant_too_small", CLSCAN_ERROR_CONFIG_SCHEMA, VARIANT "work_group_size:"},
    {"variant_real", CLSCAN_ERROR_CONFIG_SCHEMA, VARIANT "work_group_size:"},
    {"variant_text_number", CLSCAN_ERROR_CONFIG_SCHEMA, VARIANT "work_group_size:"},
    {"illegal_not_power_of_two", CLSCAN_ERROR_ILLEGAL_VARIANT, "/entries/1/variant/work_group_size: 3 "},
    {"illegal_no_transmit_buffer", CLSCAN_ERROR_ILLEGAL_VARIANT, VARIANT "local_pieces:"},
    {"illegal_thread_group_too_large", CLSCAN_ERROR_ILLEGAL_VARIANT, VARIANT "thread_group_size:"},
    {"illegal_vector_longer_than_row", CLSCAN_ERROR_ILLEGAL_VARIANT, VARIANT "vector_length:"},
    {"illegal_empty_tile", CLSCAN_ERROR_ILLEGAL_VARIANT, VARIANT "register_pieces:"},
    {"illegal_tile_too_large", CLSCAN_ERROR_ILLEGAL_VARIANT, ENTRY "variant:"},
    {"illegal_too_many_registers", CLSCAN_ERROR_ILLEGAL_VARIANT, VARIANT "register_pieces:"},
};
#define INVALID_COUNT (sizeof invalid / sizeof invalid[0])

static void invalid_files_are_refused_with_their_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < INVALID_COUNT; ++i) {
        clscan_config *config = NULL;
        clscan_error error = {0};
        char path[1024];
        clscan_status status;

        snprintf(path, sizeof path, FOLDER "invalid/%s.json", invalid[i].file);
        status = clscan_config_load(path, &config, &error);
        if (status != invalid[i].status || error.status != status ||
            strstr(error.message, invalid[i].culprit) == NULL || strstr(error.message, invalid[i].file) == NULL)
            fail_msg("%s: %s \"%s\"", invalid[i].file, clscan_status_name(status), error.message);
        assert_null(config);
        assert_int_equal(error.line > 0,
                         status == CLSCAN_ERROR_CONFIG_SYNTAX || strncmp(invalid[i].file, "duplicate", 9) == 0);
    }
}

static void every_invalid_file_is_in_the_table(void **state)
{
    (void)state;
    char **paths = NULL;
    size_t count = 0;

    assert_int_equal(clscan__folder_list(FOLDER "invalid", ".json", &paths, &count, NULL), CLSCAN_OK);
    assert_int_equal(count, INVALID_COUNT);
    free_paths(paths, count);
}

/* 100 MB of nothing, which must not be read. */
static void a_huge_file_is_refused_early(void **state)
{
    (void)state;
    char path[] = "/tmp/clscan_test_parse_XXXXXX";
    const int file = mkstemp(path);
    clscan_config *config = NULL;
    clscan_error error;

    assert_true(file >= 0);
    assert_int_equal(ftruncate(file, 100 * 1000 * 1000), 0);
    assert_int_equal(clscan_config_load(path, &config, &error), CLSCAN_ERROR_CONFIG_SIZE);
    assert_non_null(strstr(error.message, path));
    assert_null(config);
    close(file);
    unlink(path);
}

static clscan_status parse(const char *text, size_t text_bytes, clscan_error *error)
{
    clscan_config *config = NULL;
    const clscan_status status = clscan_config_parse(text, text_bytes, "text", &config, error);

    clscan_config_destroy(config);
    return status;
}

static void a_large_text_is_refused_early(void **state)
{
    (void)state;
    const size_t bytes = (size_t)CLSCAN_CONFIG_MAX_BYTES + 1;
    char *text = malloc(bytes);

    assert_non_null(text);
    memset(text, ' ', bytes);
    assert_int_equal(parse(text, bytes, NULL), CLSCAN_ERROR_CONFIG_SIZE);
    assert_int_equal(parse(text, bytes - 1, NULL), CLSCAN_ERROR_CONFIG_SYNTAX);
    free(text);
}

static void deep_nesting_is_a_syntax_error(void **state)
{
    (void)state;
    static char text[1000000];
    static const char object[] = "{\"a\":";

    memset(text, '[', sizeof text);
    assert_int_equal(parse(text, sizeof text, NULL), CLSCAN_ERROR_CONFIG_SYNTAX);
    for (size_t i = 0; i < sizeof text; ++i)
        text[i] = object[i % (sizeof object - 1)];
    assert_int_equal(parse(text, sizeof text, NULL), CLSCAN_ERROR_CONFIG_SYNTAX);
}

static void texts_without_a_file(void **state)
{
    (void)state;
#define TEXT(text) text, sizeof text - 1
    static const struct {
        const char *text;
        size_t text_bytes;
        clscan_status status;
        const char *reason;
    } cases[] = {
        {TEXT(""), CLSCAN_ERROR_CONFIG_SYNTAX, "empty"},
        {TEXT("{}"), CLSCAN_ERROR_CONFIG_SCHEMA, "no key"},
        {TEXT("[]"), CLSCAN_ERROR_CONFIG_SCHEMA, "no object"},
        {TEXT("1"), CLSCAN_ERROR_CONFIG_SYNTAX, "no object"},
        {TEXT("{}\0{}"), CLSCAN_ERROR_CONFIG_SYNTAX, "an embedded zero"},
        {TEXT("{\"a\\u0000b\": 1}"), CLSCAN_ERROR_CONFIG_SYNTAX, "an escaped zero"},
        {TEXT("{\"\xff\": 1}"), CLSCAN_ERROR_CONFIG_SYNTAX, "not UTF-8"},
        {TEXT("{\"schema_version\": 1e999}"), CLSCAN_ERROR_CONFIG_SYNTAX, "a real beyond every double"},
        {TEXT("{\"schema_version\": 9223372036854775808}"), CLSCAN_ERROR_CONFIG_SYNTAX, "2^63"},
        {TEXT("{\"schema_version\": 9223372036854775807}"), CLSCAN_ERROR_CONFIG_VERSION, "2^63 - 1"},
        {TEXT("{\"schema_version\": -1}"), CLSCAN_ERROR_CONFIG_VERSION, "negative"},
        {TEXT("{\"a\\n~/\": 1}"), CLSCAN_ERROR_CONFIG_SCHEMA, "a key with a newline"},
        {TEXT("[[[[[[[[[[[[[[[{\"a\":1,\"a\":2}]]]]]]]]]]]]]]]"), CLSCAN_ERROR_CONFIG_SCHEMA,
         "a duplicate at depth 16"},
        {TEXT("[[[[[[[[[[[[[[[[{\"a\":1,\"a\":2}]]]]]]]]]]]]]]]]"), CLSCAN_ERROR_CONFIG_SYNTAX, "nested too deeply"},
        {TEXT("[\"[[[[[[[[[[[[[[[[[[[[\", \"\\\"[[[[[[[[[[[[[[[[[[[[\"]"), CLSCAN_ERROR_CONFIG_SCHEMA,
         "brackets in strings do not nest"},
        {TEXT("[[], [], [], [], [], [], [], [], [], [], [], [], [], [], [], [], [], []]"), CLSCAN_ERROR_CONFIG_SCHEMA,
         "nor do those that were closed"},
        {TEXT("[{\"\\\"]\": [\"}\", 1]}, {\"x\": {}, \"x\": 2}]"), CLSCAN_ERROR_CONFIG_SCHEMA,
         "brackets and quotes in strings before a duplicate"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        clscan_error error = {0};
        const clscan_status status = parse(cases[i].text, cases[i].text_bytes, &error);

        if (status != cases[i].status || strncmp(error.message, "text:", 5) != 0 || strchr(error.message, '\n') != NULL)
            fail_msg("%s: %s \"%s\"", cases[i].reason, clscan_status_name(status), error.message);
        if (i + 1 == sizeof cases / sizeof cases[0])
            assert_non_null(strstr(error.message, "text: /1/x:"));
    }
}

/* Cut a file at every byte, and spoil every byte: refused or read, never a crash. */
static void damaged_files_do_no_harm(void **state)
{
    (void)state;
    static const char spoilers[] = {'\0', '"', '{', ']', ',', '9', '\\', '\xff'};
    size_t text_bytes;
    char *text = read_fixture("valid/all_optional_keys.json", &text_bytes);

    for (size_t bytes = 0; bytes + 2 < text_bytes; ++bytes) {
        char *cut = malloc(bytes + 1); /* its end is guarded by the sanitizer */

        assert_non_null(cut);
        memcpy(cut, text, bytes);
        assert_int_equal(parse(cut, bytes, NULL), CLSCAN_ERROR_CONFIG_SYNTAX);
        free(cut);
    }
    for (size_t at = 0; at < text_bytes; ++at) {
        const char kept = text[at];

        for (size_t i = 0; i < sizeof spoilers; ++i) {
            clscan_error error = {0};
            text[at] = spoilers[i];
            if (parse(text, text_bytes, &error) != CLSCAN_OK)
                assert_true(strncmp(error.message, "text:", 5) == 0);
        }
        text[at] = kept;
    }
    free(text);
}

/* The message says which argument it is. */
static void assert_missing(clscan_status status, const clscan_error *error, const char *says)
{
    assert_int_equal(status, CLSCAN_ERROR_NULL_ARGUMENT);
    if (strstr(error->message, says) == NULL)
        fail_msg("\"%s\" is not \"%s\"", error->message, says);
}

static void missing_arguments_and_files(void **state)
{
    (void)state;
    clscan_config *config = NULL;
    clscan_error error;

    assert_missing(clscan_config_parse(NULL, 0, "text", &config, &error), &error, "text is NULL");
    assert_missing(clscan_config_parse("", 0, NULL, &config, &error), &error, "source is NULL");
    assert_missing(clscan_config_parse("", 0, "text", NULL, &error), &error, "config is NULL");
    assert_missing(clscan_config_load(NULL, &config, &error), &error, "path is NULL");
    assert_int_equal(clscan_config_load("/no/such/file.json", &config, &error), CLSCAN_ERROR_FILE);
    assert_non_null(strstr(error.message, "/no/such/file.json"));
    assert_int_equal(clscan_config_load(FOLDER, &config, &error), CLSCAN_ERROR_FILE);
    clscan_config_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(valid_files_load),
        cmocka_unit_test(built_in_files_load),
        cmocka_unit_test(writing_what_was_read_gives_the_same_bytes),
        cmocka_unit_test(every_value_is_read),
        cmocka_unit_test(invalid_files_are_refused_with_their_place),
        cmocka_unit_test(every_invalid_file_is_in_the_table),
        cmocka_unit_test(a_huge_file_is_refused_early),
        cmocka_unit_test(a_large_text_is_refused_early),
        cmocka_unit_test(deep_nesting_is_a_syntax_error),
        cmocka_unit_test(texts_without_a_file),
        cmocka_unit_test(damaged_files_do_no_harm),
        cmocka_unit_test(missing_arguments_and_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
