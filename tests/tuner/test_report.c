/* What is said at the end of a run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "command/report.h"

static void add(tune_memo *trials, tune_outcome outcome, const char *reason)
{
    tune_trial trial = {.target = tune_target_of(CLSCAN_INT32, CLSCAN_ADD), .count = trials->count + 1};

    trial.outcome = outcome;
    snprintf(trial.reason, sizeof trial.reason, "%s", reason);
    assert_non_null(tune_memo_put(trials, &trial));
}

static void timeouts_are_told_apart(void **state)
{
    tune_memo trials = {.count = 0};
    char *text = NULL;
    size_t text_bytes = 0;
    FILE *stream = open_memstream(&text, &text_bytes);

    (void)state;
    add(&trials, TUNE_OUTCOME_CORRECT, "");
    add(&trials, TUNE_OUTCOME_TIMEOUT, "compile: no answer within 8.0 s; it was computing");
    add(&trials, TUNE_OUTCOME_TIMEOUT, "measure: no answer within 8.0 s; it was stopped");
    add(&trials, TUNE_OUTCOME_TIMEOUT, "compile: no answer within 8.0 s");
    add(&trials, TUNE_OUTCOME_RUNTIME, "measure: the worker was killed by signal 9 (Killed)");
    tune_report_outcomes(stream, &trials);
    fclose(stream);
    assert_non_null(strstr(text, "5 trials, 1 correct, 1 runtime, 3 timeout (2 compile, 1 worker stopped)"));
    free(text);
    tune_memo_free(&trials);
}

static void a_default_that_failed_says_why(void **state)
{
    static const uint64_t counts[] = {1000};
    const tune_trial right = {.outcome = TUNE_OUTCOME_CORRECT, .count = 1000, .time_ns = 5000, .copy_ns = 4000};
    const tune_trial wrong = {.outcome = TUNE_OUTCOME_RUNTIME, .count = 1000, .reason = "measured again: out of luck"};
    const tune_decision decision = {.target = tune_target_of(CLSCAN_INT32, CLSCAN_ADD),
                                    .picks = {{.chosen = &right, .fastest = &right, .standard = &wrong}},
                                    .count = 1,
                                    .noise_floor = 0.01};
    char *text = NULL;
    size_t text_bytes = 0;
    FILE *stream = open_memstream(&text, &text_bytes);

    (void)state;
    tune_report_decision(stream, &decision, counts);
    fclose(stream);
    assert_non_null(strstr(text, "failed"));
    assert_non_null(strstr(text, "measured again: out of luck"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(timeouts_are_told_apart),
        cmocka_unit_test(a_default_that_failed_says_why),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
