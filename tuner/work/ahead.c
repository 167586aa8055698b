#include "work/ahead.h"

#include <stdlib.h>
#include <string.h>

#include "config_file/axes.h"

/* Workers that keep failing are no help. */
#define MAX_FAILURES 20

void tune_ahead_announce(tune_ahead *ahead, const tune_target *target, const clscan_variant *variants, size_t count)
{
    if (ahead->worker_count == 0)
        return;
    ahead->first = ahead->count = 0;
    if (count > ahead->capacity) {
        tune_trial *grown = realloc(ahead->queue, count * sizeof *grown);

        if (grown == NULL)
            return;
        ahead->queue = grown;
        ahead->capacity = count;
    }
    for (size_t i = 0; i < count; ++i)
        ahead->queue[ahead->count++] = (tune_trial){.target = *target, .variant = variants[i], .count = 1};
}

static bool is_it(const tune_trial *trial, const tune_target *target, const clscan_variant *variant)
{
    return tune_target_same_problem(&trial->target, target) && clscan__variant_equal(&trial->variant, variant);
}

bool tune_ahead_claims(tune_ahead *ahead, const tune_target *target, const clscan_variant *variant)
{
    for (size_t i = ahead->first; i < ahead->count; ++i)
        if (is_it(&ahead->queue[i], target, variant)) {
            memmove(&ahead->queue[ahead->first + 1], &ahead->queue[ahead->first],
                    (i - ahead->first) * sizeof *ahead->queue);
            ++ahead->first;
            break;
        }
    for (size_t i = 0; i < ahead->worker_count; ++i)
        if (ahead->current[i] != NULL && is_it(ahead->current[i], target, variant))
            return true;
    return false;
}

static void ask(tune_ahead *ahead, size_t i, tune_request_kind kind)
{
    tune_request request = {.kind = kind, .about = *ahead->current[i]};

    tune_link_ask(&ahead->links[i], &request, ahead->deadline_ms);
}

static void take_answer(tune_ahead *ahead, size_t i)
{
    tune_answer answer = {0};
    char reason[TUNE_REASON_BYTES];
    const tune_reply reply = tune_link_poll(&ahead->links[i], &answer, reason);

    if (reply == TUNE_REPLY_PENDING)
        return;
    if (reply == TUNE_REPLY_ANSWER) {
        free(answer.devices);
        if (ahead->validates && ahead->links[i].kind == TUNE_REQUEST_COMPILE &&
            answer.trial.outcome == TUNE_OUTCOME_CORRECT) {
            ask(ahead, i, TUNE_REQUEST_VALIDATE);
            return;
        }
    } else {
        ++ahead->failures;
    }
    free(ahead->current[i]);
    ahead->current[i] = NULL;
}

static void give_work(tune_ahead *ahead, size_t i)
{
    ahead->current[i] = malloc(sizeof *ahead->current[i]);
    if (ahead->current[i] == NULL)
        return;
    *ahead->current[i] = ahead->queue[ahead->first++];
    ask(ahead, i, TUNE_REQUEST_COMPILE);
}

void tune_ahead_step(tune_ahead *ahead, bool more)
{
    for (size_t i = 0; i < ahead->worker_count; ++i) {
        if (ahead->current[i] != NULL)
            take_answer(ahead, i);
        if (more && ahead->current[i] == NULL && ahead->first < ahead->count && ahead->failures < MAX_FAILURES)
            give_work(ahead, i);
    }
}

size_t tune_ahead_wait_list(tune_ahead *ahead, tune_process **list, size_t count, uint64_t *deadline_ns)
{
    for (size_t i = 0; i < ahead->worker_count; ++i) {
        if (ahead->current[i] == NULL || !ahead->links[i].running)
            continue;
        list[count++] = &ahead->links[i].process;
        if (ahead->links[i].deadline_ns < *deadline_ns)
            *deadline_ns = ahead->links[i].deadline_ns;
    }
    return count;
}

void tune_ahead_close(tune_ahead *ahead)
{
    for (size_t i = 0; i < ahead->worker_count; ++i) {
        tune_link_stop(&ahead->links[i]);
        free(ahead->current[i]);
    }
    free(ahead->queue);
    *ahead = (tune_ahead){0};
}
