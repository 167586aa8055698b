/* T4 results that were read are written as a document that is read as the same. */
#include <string.h>

#include "json_round.h"
#include "record/t4.h"
#include "targets.h"

void fuzz_t4(const uint8_t *data, size_t size_bytes)
{
    json_t *document = json_loadb((const char *)data, size_bytes, 0, NULL);
    clscan_error error = {0};
    tune_header header, header_again;
    tune_memo trials, trials_again;

    if (document == NULL)
        return;
    if (tune_t4_from_json(document, "fuzzed", &header, &trials, &error) == CLSCAN_OK) {
        json_t *written = tune_t4_to_json(&header, &trials);

        FUZZ_CHECK(written != NULL);
        FUZZ_CHECK(tune_t4_from_json(written, "written", &header_again, &trials_again, &error) == CLSCAN_OK);
        FUZZ_CHECK(trials.count == trials_again.count);
        char *first = fuzz_dump(written);
        char *second = fuzz_dump(tune_t4_to_json(&header_again, &trials_again));
        FUZZ_CHECK(strcmp(first, second) == 0);
        free(first);
        free(second);
        tune_header_free(&header_again);
        tune_memo_free(&trials_again);
    }
    tune_header_free(&header);
    tune_memo_free(&trials);
    json_decref(document);
}
