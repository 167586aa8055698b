/* A line that is a request or an answer is written as a line that is read as the same. */
#include <string.h>

#include "targets.h"
#include "work/protocol.h"

static void check_request(const tune_request *request)
{
    tune_request again;
    char *first = tune_request_write(request), *second;

    FUZZ_CHECK(first != NULL && tune_request_read(first, &again, NULL) == CLSCAN_OK);
    second = tune_request_write(&again);
    FUZZ_CHECK(second != NULL && strcmp(first, second) == 0);
    free(first);
    free(second);
}

static void check_answer(const tune_answer *answer)
{
    tune_answer again = {0};
    char *first = tune_answer_write(answer), *second;

    FUZZ_CHECK(first != NULL && strchr(first, '\n') == first + strlen(first) - 1);
    FUZZ_CHECK(tune_answer_read(first, &again, NULL) == CLSCAN_OK);
    FUZZ_CHECK(again.device_count == answer->device_count && again.trial.outcome == answer->trial.outcome);
    second = tune_answer_write(&again);
    FUZZ_CHECK(second != NULL && strcmp(first, second) == 0);
    free(again.devices);
    free(first);
    free(second);
}

void fuzz_protocol(const uint8_t *data, size_t size_bytes)
{
    char *line = fuzz_text(data, size_bytes);
    tune_request request;
    tune_answer answer = {0};

    if (tune_request_read(line, &request, NULL) == CLSCAN_OK)
        check_request(&request);
    if (tune_answer_read(line, &answer, NULL) == CLSCAN_OK)
        check_answer(&answer);
    free(answer.devices);
    free(line);
}
