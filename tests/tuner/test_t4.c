/* The log in the format T4: complete, and read back without loss. tests/tuner/test_t4_schema.py has this program write
 * the file that CLSCAN_TEST_T4 names, and checks it against the schema. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "record/t4.h"
#include "rig.h"
#include "temporary_folder.h"

static clscan_error last_error;

static void a_whole_run_is_written_and_read_back(void **state)
{
    const char *wanted = getenv("CLSCAN_TEST_T4");
    const char *file = wanted != NULL ? wanted : temporary_file.path;
    unsigned outcomes[TUNE_OUTCOME_COUNT] = {0};
    rig r;
    tune_header header, read_header;
    tune_memo trials = {.count = 0}, read_trials;

    (void)state;
    rig_prepare(&r, &synthetic_gpu, rig_reduced_space, CLSCAN_FLOAT, 1);
    r.run.failing_percent = 40;
    r.setup.max_trials = 200;
    r.defaults[0].work_group_size = 3;
    rig_run(&r, "random");
    r.defaults[0].work_group_size = 64;
    header = rig_header(&r, rig_reduced_space, "random");
    for (size_t i = 0; i < tune_search_trial_count(r.search); ++i) {
        ++outcomes[tune_search_trial(r.search, i)->outcome];
        assert_non_null(tune_memo_put(&trials, tune_search_trial(r.search, i)));
    }
    for (size_t i = 0; i < TUNE_OUTCOME_COUNT; ++i)
        assert_true(outcomes[i] > 0); /* else the schema is not asked about it */
    assert_int_equal(tune_t4_write(file, &header, &trials, &last_error), CLSCAN_OK);
    if (tune_t4_read(file, &read_header, &read_trials, &last_error) != CLSCAN_OK)
        fail_msg("%s", last_error.message);
    assert_int_equal(tune_header_matches(&read_header, &header, &last_error), CLSCAN_OK);
    assert_int_equal(read_trials.count, trials.count);
    for (size_t i = 0; i < trials.count; ++i)
        assert_memory_equal(read_trials.trials[i], trials.trials[i], sizeof(tune_trial));
    tune_memo_free(&trials);
    tune_memo_free(&read_trials);
    tune_header_free(&header);
    tune_header_free(&read_header);
    rig_finish(&r);
}

static void other_files_are_refused(void **state)
{
    static const char *const texts[] = {
        "", "[]", "{\"schema_version\": \"1.1.0\", \"results\": []}",
        "{\"schema_version\": \"1.1.0\", \"metadata\": {\"autotuner\": \"KTT\"}, \"results\": []}"};
    tune_header header;
    tune_memo trials;

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        temporary_folder_write(temporary_file.folder, "run.t4.json", texts[i], strlen(texts[i]));
        assert_int_equal(tune_t4_read(temporary_file.path, &header, &trials, &last_error), CLSCAN_ERROR_FILE);
        assert_non_null(strstr(last_error.message, temporary_file.path));
        tune_header_free(&header);
        tune_memo_free(&trials);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        temporary_file_test(a_whole_run_is_written_and_read_back, "run.t4.json"),
        temporary_file_test(other_files_are_refused, "run.t4.json"),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
