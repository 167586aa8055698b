#include "json_round.h"

#include <string.h>

#include "targets.h"

char *fuzz_dump(json_t *object)
{
    char *text = json_dumps(object, JSON_COMPACT);

    FUZZ_CHECK(object != NULL && text != NULL);
    json_decref(object);
    return text;
}

static json_t *load(const char *text)
{
    json_t *object = json_loads(text, JSON_REJECT_DUPLICATES, NULL);

    FUZZ_CHECK(object != NULL);
    return object;
}

void fuzz_check_header(const tune_header *header)
{
    char *first = fuzz_dump(tune_header_to_json(header)), *second;
    json_t *object = load(first);
    tune_header again;
    clscan_error error = {0};

    FUZZ_CHECK(tune_header_from_json(object, &again, &error) == CLSCAN_OK);
    second = fuzz_dump(tune_header_to_json(&again));
    FUZZ_CHECK(strcmp(first, second) == 0);
    FUZZ_CHECK(tune_header_matches(header, &again, &error) == CLSCAN_OK);
    tune_header_free(&again);
    json_decref(object);
    free(first);
    free(second);
}

void fuzz_check_trials(const tune_memo *trials)
{
    for (size_t i = 0; i < trials->count; ++i) {
        const tune_trial *trial = trials->trials[i];
        char *first = fuzz_dump(tune_trial_to_json(trial)), *second;
        json_t *object = load(first);
        tune_trial again;

        FUZZ_CHECK(tune_trial_from_json(object, &again, NULL) == CLSCAN_OK);
        FUZZ_CHECK(tune_trial_same_question(trial, &again));
        second = fuzz_dump(tune_trial_to_json(&again));
        FUZZ_CHECK(strcmp(first, second) == 0);
        json_decref(object);
        free(first);
        free(second);
    }
}
