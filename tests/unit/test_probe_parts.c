/* The start-up probe without a device: what counts mean, findings as text and in memory, and who is asked. */
#include <stdlib.h>
#include <string.h>

#include <clscan/log.h>

#include "cmocka_all.h"
#include "probe/judge.h"
#include "probe/kept.h"
#include "probe/settings.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static const clscan_probe_finding sound = {
    .time_s = 1700000000,
    .duration_ns = 45000000,
    .compile_ns = 20000000,
    .setup_ns = 5000001,
    .messages_ns = 8000000,
    .scans_ns = 11999999,
    .launches = 8,
    .scans = 32,
};

/* ---- Judging ---- */

static void what_counts_mean(void **state)
{
    (void)state;
    static const struct {
        uint32_t launches, missed_launches, wrong_messages, scans, spent_scans, wrong_scans;
        clscan_probe_result result;
        const char *word; /* of the reason */
    } cases[] = {
        {8, 0, 0, 32, 0, 0, CLSCAN_PROBE_RESULT_PASSED, "32 scans"},
        {3, 0, 0, 4, 0, 0, CLSCAN_PROBE_RESULT_PASSED, "4 scans"},
        /* A wrong value has no excuse, whatever else is right. */
        {8, 0, 1, 32, 0, 0, CLSCAN_PROBE_RESULT_FORBIDS, "messages"},
        {8, 0, UINT32_MAX, 0, 0, 0, CLSCAN_PROBE_RESULT_FORBIDS, "messages"},
        {8, 0, 0, 32, 0, 1, CLSCAN_PROBE_RESULT_FORBIDS, "wrong"},
        /* A wait in vain has, as long as it is not the rule. */
        {8, 4, 0, 32, 0, 0, CLSCAN_PROBE_RESULT_PASSED, "right"},
        {8, 5, 0, 32, 0, 0, CLSCAN_PROBE_RESULT_FORBIDS, "5 of 8"},
        {3, 2, 0, 0, 0, 0, CLSCAN_PROBE_RESULT_FORBIDS, "2 of 3"},
        {8, 0, 0, 32, 16, 0, CLSCAN_PROBE_RESULT_PASSED, "right"},
        {8, 0, 0, 32, 17, 0, CLSCAN_PROBE_RESULT_FORBIDS, "17 of 32"},
        {UINT32_MAX, UINT32_MAX, 0, 1, 0, 0, CLSCAN_PROBE_RESULT_FORBIDS, "of 4294967295"},
        /* Half of a probe allows nothing. */
        {0, 0, 0, 0, 0, 0, CLSCAN_PROBE_RESULT_NONE, ""},
        {8, 0, 0, 0, 0, 0, CLSCAN_PROBE_RESULT_NONE, ""},
        {0, 0, 0, 32, 0, 0, CLSCAN_PROBE_RESULT_NONE, ""},
    };

    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        clscan_probe_finding finding = {
            .result = CLSCAN_PROBE_RESULT_PASSED,
            .reason = "an older one",
            .launches = cases[i].launches,
            .missed_launches = cases[i].missed_launches,
            .wrong_messages = cases[i].wrong_messages,
            .scans = cases[i].scans,
            .spent_scans = cases[i].spent_scans,
            .wrong_scans = cases[i].wrong_scans,
        };
        clscan__probe_judge(&finding);
        if (finding.result != cases[i].result || strstr(finding.reason, cases[i].word) == NULL)
            fail_msg("case %zu: %s, '%s'", i, clscan_probe_result_name(finding.result), finding.reason);
        assert_true(strlen(finding.reason) + 1 < sizeof finding.reason);
        if (finding.result == CLSCAN_PROBE_RESULT_NONE)
            assert_string_equal(finding.reason, "");
    }
}

static void only_what_forbids_takes_something_away(void **state)
{
    (void)state;
    for (int result = 0; result < CLSCAN_PROBE_RESULT_COUNT; ++result) {
        clscan_device_info info = {.struct_size = sizeof info,
                                   .mechanism = CLSCAN_MECHANISM_C11,
                                   .progress = CLSCAN_PROGRESS_OCCUPANCY,
                                   .progress_reason = "the table's"};
        const clscan_probe_finding finding = {
            .struct_size = sizeof finding, .result = (clscan_probe_result)result, .reason = "the probe's"};
        const bool forbids = result == CLSCAN_PROBE_RESULT_FORBIDS;

        clscan_probe_apply(&finding, &info);
        assert_int_equal(info.progress, forbids ? CLSCAN_PROGRESS_UNKNOWN : CLSCAN_PROGRESS_OCCUPANCY);
        assert_string_equal(info.progress_reason, forbids ? "the probe's" : "the table's");
        assert_int_equal(info.mechanism, CLSCAN_MECHANISM_C11);
        clscan_probe_apply(NULL, &info);
        clscan_probe_apply(&finding, NULL);
    }
}

/* ---- As text ---- */

static void a_finding_survives_as_text(void **state)
{
    (void)state;
    clscan_probe_finding finding = sound, read = {.result = CLSCAN_PROBE_RESULT_NONE};
    clscan__text text = {0};

    finding.spent_scans = 3;
    clscan__probe_judge(&finding);
    clscan__probe_write(&finding, &text);
    assert_true(clscan__probe_read(text.data, text.length_bytes, &read));
    assert_memory_equal(&read, &finding, sizeof read);
    clscan__text_free(&text);
}

/* Other texts are none, wherever they end and whichever byte is another one. */
static void damaged_text_is_no_finding(void **state)
{
    (void)state;
    static const char *const others[] = {"", "time_s", "time_s 1 duration_ns 2\n",
                                         "time_s 99999999999999999999999999 duration_ns 1\n"};
    const clscan_probe_finding untouched = {.result = CLSCAN_PROBE_RESULT_PASSED, .scans = 77};
    clscan_probe_finding read = untouched;
    clscan__text text = {0};
    char large[4096];

    clscan__probe_write(&sound, &text);
    for (size_t i = 0; i < text.length_bytes; ++i) {
        assert_false(clscan__probe_read(text.data, i, &read));
        const char byte = text.data[i];
        text.data[i] = byte == ' ' ? '\n' : byte == '\n' ? ' ' : 'x';
        assert_false(clscan__probe_read(text.data, text.length_bytes, &read));
        text.data[i] = byte;
    }
    clscan__text_append(&text, " ");
    assert_false(clscan__probe_read(text.data, text.length_bytes, &read));
    clscan__text_free(&text);
    for (size_t i = 0; i < COUNT_OF(others); ++i)
        assert_false(clscan__probe_read(others[i], strlen(others[i]), &read));
    memset(large, '1', sizeof large);
    assert_false(clscan__probe_read(large, sizeof large, &read));
    assert_memory_equal(&read, &untouched, sizeof read);
}

/* Numbers that no whole probe writes. */
static void half_a_finding_is_none(void **state)
{
    (void)state;
    const clscan_probe_finding half = {.time_s = 1, .launches = 8};
    clscan_probe_finding read;
    clscan__text text = {0};

    clscan__probe_write(&half, &text);
    assert_false(clscan__probe_read(text.data, text.length_bytes, &read));
    clscan__text_free(&text);
}

/* ---- In memory; ctest sets CLSCAN_CACHE=memory, so nothing is on disk ---- */

static clscan__program_spec spec_of(const clscan_device_info *info, uint32_t hold_interval)
{
    return (clscan__program_spec){.device = info, .hold_interval = hold_interval};
}

/* Each of these differs from the first in one thing. */
static const clscan_device_info devices[] = {
    {.platform_name = "P", .name = "D", .driver_version = "1", .compute_units = 2, .mechanism = CLSCAN_MECHANISM_C11},
    {.platform_name = "Q", .name = "D", .driver_version = "1", .compute_units = 2, .mechanism = CLSCAN_MECHANISM_C11},
    {.platform_name = "P", .name = "E", .driver_version = "1", .compute_units = 2, .mechanism = CLSCAN_MECHANISM_C11},
    {.platform_name = "P", .name = "D", .driver_version = "2", .compute_units = 2, .mechanism = CLSCAN_MECHANISM_C11},
    {.platform_name = "P", .name = "D", .driver_version = "1", .compute_units = 3, .mechanism = CLSCAN_MECHANISM_C11},
    {.platform_name = "P", .name = "D", .driver_version = "1", .compute_units = 2, .mechanism = CLSCAN_MECHANISM_PTX},
};

static void findings_are_told_apart(void **state)
{
    (void)state;
    clscan_probe_finding found = {0};

    setenv("CLSCAN_CACHE", "memory", 1);
    for (size_t i = 0; i < COUNT_OF(devices); ++i) {
        clscan_probe_finding kept = sound;
        const clscan__program_spec spec = spec_of(&devices[i], 0);

        assert_false(clscan__probe_recall(NULL, &spec, &found));
        kept.launches = 10 + (uint32_t)i;
        clscan__probe_keep(NULL, &spec, &kept);
    }
    const clscan__program_spec withheld = spec_of(&devices[0], 3);
    assert_false(clscan__probe_recall(NULL, &withheld, &found));
    for (size_t i = 0; i < COUNT_OF(devices); ++i) {
        const clscan__program_spec spec = spec_of(&devices[i], 0);
        assert_true(clscan__probe_recall(NULL, &spec, &found));
        assert_int_equal(found.launches, 10 + i);
    }
}

static void a_new_finding_replaces_the_old_one(void **state)
{
    (void)state;
    const clscan__program_spec spec = spec_of(&devices[1], 0);
    clscan_probe_finding kept = sound, found;

    for (uint32_t i = 0; i < 3 * CLSCAN__PROBE_CAPACITY; ++i) {
        kept.launches = 1000 + i;
        clscan__probe_keep(NULL, &spec, &kept);
        assert_true(clscan__probe_recall(NULL, &spec, &found));
        assert_int_equal(found.launches, 1000 + i);
    }
    const clscan__program_spec other = spec_of(&devices[2], 0);
    assert_true(clscan__probe_recall(NULL, &other, &found)); /* it took no other's place */
}

static void the_oldest_makes_room(void **state)
{
    (void)state;
    clscan_probe_finding found = {0};

    for (uint32_t i = 0; i < 2 * CLSCAN__PROBE_CAPACITY; ++i) {
        const clscan_device_info device = {.name = "many", .compute_units = i + 1};
        const clscan__program_spec spec = spec_of(&device, 0);
        clscan__probe_keep(NULL, &spec, &sound);
    }
    for (uint32_t i = 0; i < 2 * CLSCAN__PROBE_CAPACITY; ++i) {
        const clscan_device_info device = {.name = "many", .compute_units = i + 1};
        const clscan__program_spec spec = spec_of(&device, 0);
        assert_int_equal(clscan__probe_recall(NULL, &spec, &found), i >= CLSCAN__PROBE_CAPACITY);
    }
}

/* ---- Settings ---- */

static void environment_and_options(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        clscan_probe_mode asked, expected;
    } cases[] = {
        {NULL, CLSCAN_PROBE_AUTO, CLSCAN_PROBE_AUTO},
        {"", CLSCAN_PROBE_ALWAYS, CLSCAN_PROBE_ALWAYS},
        {"auto", CLSCAN_PROBE_AUTO, CLSCAN_PROBE_AUTO},
        {"off", CLSCAN_PROBE_AUTO, CLSCAN_PROBE_OFF},
        {"always", CLSCAN_PROBE_AUTO, CLSCAN_PROBE_ALWAYS},
        {"withhold", CLSCAN_PROBE_AUTO, CLSCAN_PROBE_WITHHOLD},
        {"never", CLSCAN_PROBE_AUTO, CLSCAN_PROBE_AUTO},
        {"OFF", CLSCAN_PROBE_ALWAYS, CLSCAN_PROBE_ALWAYS},
        {NULL, CLSCAN_PROBE_OFF, CLSCAN_PROBE_OFF},
        {"always", CLSCAN_PROBE_OFF, CLSCAN_PROBE_OFF},
        {"auto", CLSCAN_PROBE_WITHHOLD, CLSCAN_PROBE_WITHHOLD},
        {"off", CLSCAN_PROBE_ALWAYS, CLSCAN_PROBE_OFF}, /* the user's word */
    };

    clscan_log_set(CLSCAN_LOG_OFF, NULL, NULL);
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        if (cases[i].word != NULL)
            setenv("CLSCAN_PROBE", cases[i].word, 1);
        else
            unsetenv("CLSCAN_PROBE");
        const clscan_probe_mode mode = clscan__probe_mode(cases[i].asked);
        if (mode != cases[i].expected)
            fail_msg("case %zu: %s", i, clscan_probe_mode_name(mode));
    }
    unsetenv("CLSCAN_PROBE");
}

static void names(void **state)
{
    (void)state;
    assert_string_equal(clscan_probe_mode_name(CLSCAN_PROBE_ALWAYS), "always");
    assert_string_equal(clscan_probe_mode_name(CLSCAN_PROBE_MODE_COUNT), "invalid");
    assert_string_equal(clscan_probe_mode_name((clscan_probe_mode)77), "invalid");
    assert_string_equal(clscan_probe_result_name(CLSCAN_PROBE_RESULT_FORBIDS), "forbids");
    assert_string_equal(clscan_probe_result_name(CLSCAN_PROBE_RESULT_COUNT), "invalid");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_counts_mean),
        cmocka_unit_test(only_what_forbids_takes_something_away),
        cmocka_unit_test(a_finding_survives_as_text),
        cmocka_unit_test(damaged_text_is_no_finding),
        cmocka_unit_test(half_a_finding_is_none),
        cmocka_unit_test(findings_are_told_apart),
        cmocka_unit_test(a_new_finding_replaces_the_old_one),
        cmocka_unit_test(the_oldest_makes_room),
        cmocka_unit_test(environment_and_options),
        cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
