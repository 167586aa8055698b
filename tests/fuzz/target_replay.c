/* A journal's searches run again on what it recorded: whatever it says, they end, and what they choose was asked. */
#include <math.h>

#include "record/journal_file.h"
#include "record/replay.h"
#include "search/decide.h"
#include "search/finals.h"
#include "search/search.h"
#include "targets.h"

enum { MOST_TARGETS = 2, MOST_TRIALS = 20 };

static void replay_target(const tune_header *header, const tune_header_target *target, const tune_memo *log)
{
    const tune_strategy *strategy = tune_strategy_find(header->strategy);
    tune_space_name name = TUNE_SPACE_DEFAULT;
    tune_space space = {0};
    tune_replay replay;
    tune_evaluator evaluator;
    tune_search *search = NULL;
    tune_decision decision;
    clscan_error error = {0};
    const tune_search_setup setup = {.target = target->target,
                                     .space = &space,
                                     .counts = target->counts,
                                     .count_count = target->count_count,
                                     .defaults = target->defaults,
                                     .evaluator = &evaluator,
                                     .seed = header->seed,
                                     .max_trials = MOST_TRIALS};

    tune_replay_open(&replay, log, &evaluator);
    tune_space_name_from_text(header->space, &name);
    if (strategy != NULL &&
        tune_space_create(&space, name, header->only[0] != '\0' ? header->only : NULL, &target->target, &header->device,
                          &error) == CLSCAN_OK &&
        tune_search_create(&setup, &search, &error) == CLSCAN_OK &&
        tune_search_run(search, strategy, &error) == CLSCAN_OK &&
        tune_settle(search, 0, HUGE_VAL, &decision, &error) == CLSCAN_OK) {
        FUZZ_CHECK(decision.count == target->count_count);
        for (size_t i = 0; i < decision.count; ++i) {
            const tune_trial *chosen = decision.picks[i].chosen;
            FUZZ_CHECK(chosen == NULL || chosen->outcome == TUNE_OUTCOME_CORRECT);
        }
    }
    tune_search_destroy(search);
    tune_space_free(&space);
    tune_replay_close(&replay);
}

void fuzz_replay(const uint8_t *data, size_t size_bytes)
{
    char name[] = "fuzzed";
    tune_journal journal = {.path = name, .descriptor = -1};
    clscan_error error = {0};

    if (tune_journal_parse(&journal, (const char *)data, size_bytes, &error) == CLSCAN_OK)
        for (size_t i = 0; i < journal.header.target_count && i < MOST_TARGETS; ++i)
            replay_target(&journal.header, &journal.header.targets[i], &journal.finished);
    tune_header_free(&journal.header);
    tune_memo_free(&journal.finished);
    tune_memo_free(&journal.open);
    tune_memo_free(&journal.soaks);
    tune_memo_free(&journal.compared);
}
