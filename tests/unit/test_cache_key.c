/* Keys of compiled programs, records and blobs: what differs is told apart, what is damaged is noticed. */
#include <stdlib.h>
#include <string.h>

#include <clscan/log.h>

#include "cmocka_all.h"
#include "device/binaries.h"
#include "program/blob.h"
#include "program/cache_settings.h"
#include "program/compose.h"
#include "program_specs.h"

static const clscan__key_parts some_parts = {
#define X(name, title) .name = "some " #name,
    CLSCAN__KEY_PART_LIST(X)
#undef X
};

static clscan__key *key_of(const clscan__key_parts *parts)
{
    clscan__key *key = NULL;

    assert_int_equal(clscan__key_create(parts, &key, NULL), CLSCAN_OK);
    return key;
}

/* Changing `part` in any way must give another key. */
static void check_part(clscan__key_parts *parts, const char **part, const char *name)
{
    static const char *const changes[] = {"", "another", "some ", "\n", "some\nother 3: part"};
    clscan__key *base = key_of(parts), *same = key_of(parts);
    const char *const before = *part;

    assert_true(clscan__key_equal(base, same));
    for (size_t i = 0; i < COUNT_OF(changes); ++i) {
        clscan__key *changed;

        *part = changes[i];
        changed = key_of(parts);
        if (clscan__key_equal(base, changed) || base->hash == changed->hash)
            fail_msg("%s as '%s' gives the same key", name, changes[i]);
        clscan__key_release(changed);
    }
    *part = before;
    clscan__key_release(base);
    clscan__key_release(same);
}

static void every_part_changes_the_key(void **state)
{
    (void)state;
    clscan__key_parts parts = some_parts;

#define X(name, title) check_part(&parts, &parts.name, #name);
    CLSCAN__KEY_PART_LIST(X)
#undef X
}

/* The end of one part must not count as the beginning of the next. */
static void parts_do_not_run_together(void **state)
{
    (void)state;
    clscan__key_parts left = some_parts, right = some_parts;
    clscan__key *left_key, *right_key;

    left.options = "-a\nsource 1: b";
    left.source = "c";
    right.options = "-a";
    right.source = "b\nsource 1: c";
    left_key = key_of(&left);
    right_key = key_of(&right);
    assert_false(clscan__key_equal(left_key, right_key));
    clscan__key_release(left_key);
    clscan__key_release(right_key);
}

/* "device" is not "device version", also where the device has no name. */
static void an_empty_part_is_not_another_one(void **state)
{
    (void)state;
    clscan__key_parts parts = some_parts;
    clscan__key *key;
    char value[64] = "untouched";

    parts.device_name = "";
    key = key_of(&parts);
    clscan__key_part(key->text, key->length_bytes, "device", value, sizeof value);
    assert_string_equal(value, "");
    clscan__key_part(key->text, key->length_bytes, "device version", value, sizeof value);
    assert_string_equal(value, "some device_version");
    clscan__key_release(key);
}

/* All that a plan's options and a problem change is rendered, and so is in the key's source. */
static void everything_rendered_changes_the_source(void **state)
{
    (void)state;
    const clscan_device_info device = recorded_device("nvidia-h200");
    const clscan__program_spec base =
        small_spec(&device, small_variant(CLSCAN_BODY_COALESCED, CLSCAN_GROUP_SCAN_KOGGE_STONE, CLSCAN_CARRY_ADJACENT,
                                          CLSCAN_ORDER_DYNAMIC));
    static const clscan_custom_operator custom = {
        .struct_size = sizeof custom, .source = "int last(int a, int b) { return b; }", .function = "last"};
    clscan__program_spec specs[9];
    char *sources[COUNT_OF(specs)];

    for (size_t i = 0; i < COUNT_OF(specs); ++i)
        specs[i] = base;
    specs[1].type = CLSCAN_UINT32;
    specs[2].op = CLSCAN_MAX;
    specs[3].form = CLSCAN_EXCLUSIVE;
    specs[4].direction = CLSCAN_REVERSE;
    specs[5].op = CLSCAN_CUSTOM;
    specs[5].custom = &custom;
    specs[6].poll_limit = 7;
    specs[7].hold_interval = 7;
    specs[8].count_events = 1;
    for (size_t i = 0; i < COUNT_OF(specs); ++i) {
        sources[i] = composed(&specs[i]);
        for (size_t j = 0; j < i; ++j)
            assert_string_not_equal(sources[i], sources[j]);
    }
    for (size_t i = 0; i < COUNT_OF(specs); ++i)
        free(sources[i]);
}

static void parts_are_found_again(void **state)
{
    (void)state;
    clscan__key *key = key_of(&some_parts);
    char value[64];

    clscan__key_part(key->text, key->length_bytes, "device", value, sizeof value);
    assert_string_equal(value, "some device_name");
    clscan__key_part(key->text, key->length_bytes, "device version", value, sizeof value);
    assert_string_equal(value, "some device_version");
    clscan__key_part(key->text, key->length_bytes, "device", value, 5);
    assert_string_equal(value, "some");
    clscan__key_part(key->text, key->length_bytes, "dev", value, sizeof value);
    assert_string_equal(value, "");
    clscan__key_part("device", 6, "device", value, sizeof value);
    assert_string_equal(value, "");
    clscan__key_release(key);
}

/* A runtime that keeps compiled kernels itself is left alone; one that nothing is known about is not. */
static void a_table_says_where_binaries_help(void **state)
{
    (void)state;
    const clscan_device_info pocl = recorded_device("pocl-5.0-cpu"), unknown = {.key = "test", .family = "test-gpu"};
    const char *reason = NULL;

    assert_false(clscan__binaries_help(&pocl, &reason));
    assert_non_null(strstr(reason, "PoCL"));
    assert_true(clscan__binaries_help(&unknown, &reason));
    assert_false(clscan__cache_serves(CLSCAN_CACHE_AUTO, &pocl, &reason));
    assert_true(clscan__cache_serves(CLSCAN_CACHE_AUTO, &unknown, &reason));
    assert_true(clscan__cache_serves(CLSCAN_CACHE_ON, &pocl, &reason));
    assert_false(clscan__cache_serves(CLSCAN_CACHE_MEMORY, &unknown, &reason));
    assert_false(clscan__cache_serves(CLSCAN_CACHE_OFF, &unknown, &reason));
}

/* ---- Blobs, and the records in them ---- */

static const unsigned char binary[] = {0, 1, 2, 255, 0, 7};

/* A blob of two programs; the second key is that of `some_parts`. */
static char *make_blob(const clscan__key *key, size_t *blob_bytes)
{
    clscan__key_parts first_parts = some_parts;
    clscan__key *first;
    clscan__text text = {0};
    char *blob = NULL;

    first_parts.source = "another";
    first = key_of(&first_parts);
    clscan__blob_begin(&text, 2);
    clscan__blob_append(&text, first, (const unsigned char *)"x", 1);
    clscan__blob_append(&text, key, binary, sizeof binary);
    *blob_bytes = text.length_bytes;
    assert_int_equal(clscan__text_take(&text, &blob, NULL), CLSCAN_OK);
    clscan__key_release(first);
    return blob;
}

static bool find(const char *blob, size_t blob_bytes, const clscan__key *key)
{
    clscan__record record;

    if (!clscan__blob_find(blob, blob_bytes, key, &record))
        return false;
    assert_int_equal(record.binary_bytes, sizeof binary);
    assert_memory_equal(record.binary, binary, sizeof binary);
    return true;
}

static void blobs_give_back_what_they_hold(void **state)
{
    (void)state;
    clscan__key *key = key_of(&some_parts), *foreign;
    clscan__key_parts parts = some_parts;
    size_t blob_bytes = 0;
    char *blob = make_blob(key, &blob_bytes);

    assert_true(find(blob, blob_bytes, key));
    parts.driver_version = "the next one";
    foreign = key_of(&parts);
    assert_false(find(blob, blob_bytes, foreign));
    clscan__key_release(foreign);
    clscan__key_release(key);
    free(blob);
}

/* Every byte, changed; and every length. The copy is on the heap, so that a checker sees a read behind its end. */
static void damaged_blobs_are_refused(void **state)
{
    (void)state;
    clscan__key *key = key_of(&some_parts);
    size_t blob_bytes = 0;
    char *blob = make_blob(key, &blob_bytes);

    clscan_log_set(CLSCAN_LOG_OFF, NULL, NULL);
    for (size_t i = 0; i < blob_bytes; ++i) {
        static const char changes[] = {1, -128, -1};
        for (size_t j = 0; j < COUNT_OF(changes); ++j) {
            blob[i] ^= changes[j];
            /* More records than there are: the one that is asked for is found before the others are missed. */
            if (find(blob, blob_bytes, key) && !(i >= 12 && i < 16))
                fail_msg("byte %zu was changed by %d, and the blob is used", i, changes[j]);
            blob[i] ^= changes[j];
        }
    }
    for (size_t length = 0; length < blob_bytes; ++length) {
        char *cut = malloc(length > 0 ? length : 1);

        assert_non_null(cut);
        memcpy(cut, blob, length);
        if (find(cut, length, key))
            fail_msg("the blob is used after %zu of %zu bytes", length, blob_bytes);
        free(cut);
    }
    assert_true(find(blob, blob_bytes, key));
    clscan_log_set(CLSCAN_LOG_WARNING, NULL, NULL);
    clscan__key_release(key);
    free(blob);
}

/* Lengths near 2^64 must not wrap around. */
static void absurd_lengths_are_refused(void **state)
{
    (void)state;
    clscan__record record;
    unsigned char bytes[CLSCAN__RECORD_HEADER_BYTES + 8];

    clscan__record_header("key", 3, binary, sizeof binary, bytes);
    for (size_t at = 16; at <= 24; at += 8) {
        unsigned char absurd[sizeof bytes];

        memcpy(absurd, bytes, sizeof bytes);
        memset(absurd + at, 0xff, 8);
        assert_non_null(clscan__record_decode(absurd, sizeof absurd, &record));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_part_changes_the_key),
        cmocka_unit_test(parts_do_not_run_together),
        cmocka_unit_test(an_empty_part_is_not_another_one),
        cmocka_unit_test(everything_rendered_changes_the_source),
        cmocka_unit_test(parts_are_found_again),
        cmocka_unit_test(a_table_says_where_binaries_help),
        cmocka_unit_test(blobs_give_back_what_they_hold),
        cmocka_unit_test(damaged_blobs_are_refused),
        cmocka_unit_test(absurd_lengths_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
