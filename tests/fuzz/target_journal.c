/* Every line of a journal that was read can be written, and is then read as what it was. */
#include "json_round.h"
#include "record/journal_file.h"
#include "targets.h"

void fuzz_journal(const uint8_t *data, size_t size_bytes)
{
    char name[] = "fuzzed";
    tune_journal journal = {.path = name, .descriptor = -1};
    clscan_error error = {0};

    if (tune_journal_parse(&journal, (const char *)data, size_bytes, &error) == CLSCAN_OK) {
        FUZZ_CHECK((size_t)journal.size_bytes <= size_bytes);
        fuzz_check_header(&journal.header);
        fuzz_check_trials(&journal.finished);
        fuzz_check_trials(&journal.soaks);
        fuzz_check_trials(&journal.compared);
    }
    tune_header_free(&journal.header);
    tune_memo_free(&journal.finished);
    tune_memo_free(&journal.open);
    tune_memo_free(&journal.soaks);
    tune_memo_free(&journal.compared);
}
