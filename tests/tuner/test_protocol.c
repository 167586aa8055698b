/* Requests and answers as lines. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "synthetic.h"
#include "trial/trial.h"
#include "work/protocol.h"

static tune_trial full_trial(void)
{
    tune_trial trial = {.target = tune_target_of(CLSCAN_FLOAT, CLSCAN_ADD),
                        .variant = {.carry = CLSCAN_CARRY_SINGLE,
                                    .work_group_size = 64,
                                    .vector_length = 4,
                                    .register_pieces = 3,
                                    .local_pieces = 1},
                        .count = UINT64_C(1) << 40,
                        .time_ns = 1.5e9,
                        .spread_ns = 12.25,
                        .host_time_ns = 1.6e9,
                        .copy_ns = 0.9e9,
                        .runs = 21,
                        .compile_ns = 3.5e8,
                        .validate_ns = 1e7,
                        .kernel_work_group_size = 512,
                        .local_bytes = 4096,
                        .private_bytes = 96,
                        .revision = "0123456789abcdef"};

    return trial;
}

static void a_request_survives(void **state)
{
    (void)state;
    for (int kind = 0; kind < TUNE_REQUEST_COUNT; ++kind) {
        const tune_request sent = {
            .kind = (tune_request_kind)kind, .id = 77, .about = full_trial(), .runs = 1000, .limit_ms = 2500};
        tune_request got;
        char *line = tune_request_write(&sent);

        assert_non_null(line);
        assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
        assert_int_equal(tune_request_read(line, &got, NULL), CLSCAN_OK);
        assert_int_equal(got.kind, sent.kind);
        assert_int_equal(got.id, 77);
        assert_int_equal(got.runs, 1000);
        assert_int_equal(got.limit_ms, 2500);
        assert_true(tune_trial_same_question(&got.about, &sent.about));
        free(line);
    }
}

/* Also a vector that is called what a number is. */
static void elements_survive(void **state)
{
    static const char *const names[] = {"affine_float", "int8", "double4"};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        tune_request sent = {.about = full_trial()}, got;
        measure_element element;
        char *line;

        assert_true(measure_element_find(names[i], &element));
        sent.about.target = tune_target_of_element(&element);
        line = tune_request_write(&sent);
        assert_int_equal(tune_request_read(line, &got, NULL), CLSCAN_OK);
        assert_true(tune_target_same_problem(&got.about.target, &sent.about.target));
        assert_true(tune_target_equal(&got.about.target, &sent.about.target));
        assert_int_equal(got.about.target.element_size_bytes, element.size_bytes);
        assert_string_equal(tune_target_type_name(&got.about.target), names[i]);
        free(line);
    }
}

/* A worker gets all that their files say. */
static void described_elements_survive(void **state)
{
    static const char *const paths[] = {CLSCAN_FIXTURES "/elements/drift.json", CLSCAN_FIXTURES "/elements/peak.json"};
    measure_element elements[2];

    (void)state;
    for (size_t i = 0; i < 2; ++i) {
        tune_request sent = {.about = full_trial()}, got;
        char *line;

        assert_int_equal(measure_element_read(paths[i], &elements[i], NULL), CLSCAN_OK);
        sent.about.target = tune_target_of_element(&elements[i]);
        assert_int_equal(sent.about.target.operator_class, CLSCAN_OPERATOR_CLASS_CUSTOM);
        line = tune_request_write(&sent);
        assert_null(strstr(line, ".json"));
        assert_int_equal(tune_request_read(line, &got, NULL), CLSCAN_OK);
        assert_true(tune_target_same_problem(&got.about.target, &sent.about.target));
        assert_ptr_equal(got.about.target.element.described, elements[i].described);
        free(line);
    }
    assert_ptr_not_equal(elements[0].described, elements[1].described);
}

static void operations_survive(void **state)
{
    (void)state;
    for (int i = 0; i < CLSCAN__CONFIG_OPERATION_COUNT; ++i) {
        tune_request sent = {.about = full_trial()}, got;
        char *line;

        sent.about.target = tune_target_of_operation((clscan__config_operation)i, CLSCAN_INT32, CLSCAN_ADD);
        line = tune_request_write(&sent);
        assert_int_equal(tune_request_read(line, &got, NULL), CLSCAN_OK);
        assert_int_equal(got.about.target.operation, i);
        assert_true(tune_target_same_problem(&got.about.target, &sent.about.target));
        assert_true(tune_target_equal(&got.about.target, &sent.about.target));
        free(line);
    }
}

static void numbers_of_rows_survive(void **state)
{
    static const char *const wrong[] = {"\"fewest_rows\": -1", "\"fewest_rows\": 4294967297", "\"fewest_rows\": \"3\"",
                                        "\"rows_bytes\": 9223372036854775807", "\"rows_bytes\": 1.5"};
    const clscan_device_info device = {.compute_units = 132, .device_class = CLSCAN_DEVICE_CLASS_GPU};
    tune_request sent = {.about = full_trial()}, got;
    tune_target *target = &sent.about.target;
    clscan_error error;
    char *line;

    (void)state;
    *target = tune_target_of_operation(CLSCAN__CONFIG_SCAN_ROWS, CLSCAN_INT32, CLSCAN_ADD);
    tune_target_fill_device(target, &device);
    assert_int_equal(target->fewest_rows, 264);
    line = tune_request_write(&sent);
    assert_int_equal(tune_request_read(line, &got, NULL), CLSCAN_OK);
    for (uint64_t count = 1; count != 0; count *= 2)
        assert_int_equal(tune_target_rows(&got.about.target, count), tune_target_rows(target, count));
    free(line);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        char text[256];
        tune_target read;
        json_t *object;

        snprintf(text, sizeof text, "{\"type\": \"int32\", \"operator\": \"add\", \"operation\": \"scan_rows\", %s}",
                 wrong[i]);
        object = json_loads(text, 0, NULL);
        assert_non_null(object);
        assert_int_equal(tune_target_from_json(object, &read, &error), CLSCAN_ERROR_CONFIG_SCHEMA);
        assert_non_null(strstr(error.message, "rows"));
        json_decref(object);
    }
}

static void an_answer_survives(void **state)
{
    const tune_answer sent = {.id = 5, .trial = full_trial()};
    tune_answer got = {0};
    char *line = tune_answer_write(&sent);

    (void)state;
    assert_int_equal(tune_answer_read(line, &got, NULL), CLSCAN_OK);
    assert_int_equal(got.id, 5);
    assert_memory_equal(&got.trial, &sent.trial, sizeof got.trial);
    assert_int_equal(got.device_count, 0);
    free(line);
}

static void devices_survive(void **state)
{
    clscan_device_info devices[] = {synthetic_gpu.info, synthetic_cpu.info};
    strcpy(devices[1].int8_reason, "a bug");
    strcpy(devices[1].rows_reason, "another bug");
    devices[1].max_loop_turns = 65535;
    devices[1].no_sub_groups = 1;
    const tune_answer sent = {.id = 1, .devices = devices, .device_count = 2, .chosen = 1};
    tune_answer got = {0};
    char *line = tune_answer_write(&sent);

    (void)state;
    assert_int_equal(tune_answer_read(line, &got, NULL), CLSCAN_OK);
    assert_int_equal(got.device_count, 2);
    assert_int_equal(got.chosen, 1);
    assert_string_equal(got.devices[0].key, devices[0].key);
    assert_int_equal(got.devices[1].local_memory_bytes, devices[1].local_memory_bytes);
    assert_string_equal(got.devices[0].int8_reason, "");
    assert_string_equal(got.devices[1].int8_reason, "a bug");
    assert_string_equal(got.devices[1].rows_reason, "another bug");
    assert_int_equal(got.devices[1].max_loop_turns, 65535);
    assert_int_equal(got.devices[0].no_sub_groups, 0);
    assert_int_equal(got.devices[1].no_sub_groups, 1);
    free(got.devices);
    free(line);
}

/* Drivers put what they like into messages. */
static void a_reason_of_any_bytes_is_sent_as_text(void **state)
{
    tune_answer sent = {.id = 1, .trial = full_trial()}, got = {0};
    char *line;

    (void)state;
    (void)tune_conclude(&sent.trial, TUNE_OUTCOME_COMPILE, "\xff\xfe line\n\ttwo \"quoted\" \\");
    line = tune_answer_write(&sent);
    assert_int_equal(tune_answer_read(line, &got, NULL), CLSCAN_OK);
    assert_int_equal(got.trial.outcome, TUNE_OUTCOME_COMPILE);
    assert_string_equal(got.trial.reason, "?? line??two \"quoted\" \\");
    free(line);
}

/* No beginning of a line is taken for a line. */
static void half_a_line_is_refused(void **state)
{
    const tune_request request = {.kind = TUNE_REQUEST_MEASURE, .id = 1, .about = full_trial()};
    const tune_answer answer = {.id = 1, .trial = full_trial()};
    char *lines[] = {tune_request_write(&request), tune_answer_write(&answer)};

    (void)state;
    for (int i = 0; i < 2; ++i) {
        for (size_t bytes = strlen(lines[i]) - 1; bytes-- > 0;) {
            tune_request request_read;
            tune_answer answer_read = {0};
            clscan_error error = {0};

            lines[i][bytes] = '\0';
            assert_int_not_equal(tune_request_read(lines[i], &request_read, &error), CLSCAN_OK);
            assert_int_not_equal(tune_answer_read(lines[i], &answer_read, &error), CLSCAN_OK);
            assert_string_not_equal(error.message, "");
        }
        free(lines[i]);
    }
}

static void nonsense_is_refused(void **state)
{
#define QUESTION "\"type\": \"int32\", \"operator\": \"add\", \"variant\": \"" VARIANT "\", \"count\": 5"
#define VARIANT "strided+kogge_stone+single+none work_group_size=1 vector_length=1 register_pieces=1 local_pieces=0"
    static const char *const requests[] = {
        "[]",
        "{\"id\": 1}",
        "{\"id\": 1, \"request\": \"dance\"}",
        "{\"id\": -1, \"request\": \"probe\"}",
        "{\"id\": 1, \"request\": \"measure\"}",
        "{\"id\": 1, \"request\": \"soak\", \"runs\": \"many\", \"about\": {" QUESTION "}}",
        "{\"id\": 1, \"request\": \"measure\", \"about\": {\"count\": 1}}",
    };
    static const char *const answers[] = {
        "{\"id\": 1}",
        "{\"id\": 1, \"trial\": []}",
        "{\"id\": 1, \"trial\": {\"outcome\": \"great\"}}",
        "{\"id\": 1, \"trial\": {" QUESTION "}}",
        "{\"id\": 1, \"trial\": {\"outcome\": \"correct\", \"time_ns\": -1, " QUESTION "}}",
        "{\"id\": 1, \"trial\": {\"outcome\": \"correct\", \"time_ns\": 1e999, " QUESTION "}}",
        "{\"id\": 1, \"trial\": {\"outcome\": \"correct\"}, \"devices\": []}",
        "{\"id\": 1, \"trial\": {\"outcome\": \"correct\"}, \"devices\": [{}], \"chosen\": 0}",
    };

    (void)state;
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; ++i) {
        tune_request request;

        if (tune_request_read(requests[i], &request, NULL) == CLSCAN_OK)
            fail_msg("taken: %s", requests[i]);
    }
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; ++i) {
        tune_answer answer = {0};

        if (tune_answer_read(answers[i], &answer, NULL) == CLSCAN_OK)
            fail_msg("taken: %s", answers[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_survives),
        cmocka_unit_test(elements_survive),
        cmocka_unit_test(described_elements_survive),
        cmocka_unit_test(operations_survive),
        cmocka_unit_test(an_answer_survives),
        cmocka_unit_test(devices_survive),
        cmocka_unit_test(a_reason_of_any_bytes_is_sent_as_text),
        cmocka_unit_test(numbers_of_rows_survive),
        cmocka_unit_test(half_a_line_is_refused),
        cmocka_unit_test(nonsense_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
