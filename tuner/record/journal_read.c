/* Reading a journal, as far as it is whole. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command_line/failure.h"
#include "record/journal_file.h"

static clscan_status note_started(tune_journal *journal, const tune_trial *trial, clscan_error *error)
{
    tune_trial *open = tune_memo_find(&journal->open, &trial->target, &trial->variant, trial->count);

    if (open == NULL)
        open = tune_memo_put(&journal->open, trial);
    if (open == NULL)
        return fail(error, CLSCAN_ERROR_OUT_OF_MEMORY, "%s: no memory for its trials", journal->path);
    ++open->runs;
    return CLSCAN_OK;
}

static void note_ended(tune_journal *journal, const tune_trial *trial)
{
    tune_trial *open = tune_memo_find(&journal->open, &trial->target, &trial->variant, trial->count);

    if (open != NULL)
        open->runs = 0;
    if (trial->ended_s > journal->elapsed_s)
        journal->elapsed_s = trial->ended_s;
}

clscan_status tune_journal_remember(tune_journal *journal, tune_memo *memo, const tune_trial *trial,
                                    clscan_error *error)
{
    note_ended(journal, trial);
    if (tune_memo_put(memo, trial) == NULL)
        return fail(error, CLSCAN_ERROR_OUT_OF_MEMORY, "%s: no memory for its trials", journal->path);
    return CLSCAN_OK;
}

static clscan_status read_event(tune_journal *journal, json_t *line, clscan_error *error)
{
    const char *kind = json_object_iter_key(json_object_iter(line));
    clscan_status status = CLSCAN_OK;
    tune_trial trial;

    REQUIRE(kind != NULL, CLSCAN_ERROR_CONFIG_SCHEMA, "an empty line");
    TRY(tune_trial_from_json(json_object_get(line, kind), &trial, error));
    if (strcmp(kind, STARTED) == 0)
        status = note_started(journal, &trial, error);
    else if (strcmp(kind, ABANDONED) == 0)
        note_ended(journal, &trial);
    else if (strcmp(kind, FINISHED) == 0)
        status = tune_journal_remember(journal, &journal->finished, &trial, error);
    else if (strcmp(kind, SOAKED) == 0)
        status = tune_journal_remember(journal, &journal->soaks, &trial, error);
    else if (strcmp(kind, COMPARED) == 0)
        status = tune_journal_remember(journal, &journal->compared, &trial, error);
    else
        status = fail(error, CLSCAN_ERROR_CONFIG_SCHEMA, "\"%.40s\" is no kind of line", kind);

cleanup:
    return status;
}

static clscan_status read_line(tune_journal *journal, const char *text, size_t size_bytes, bool first,
                               clscan_error *error)
{
    json_t *line = json_loadb(text, size_bytes, JSON_REJECT_DUPLICATES, NULL);
    clscan_status status;

    if (line == NULL)
        status = fail(error, CLSCAN_ERROR_CONFIG_SYNTAX, "not JSON");
    else if (first)
        status = tune_header_from_json(line, &journal->header, error);
    else
        status = read_event(journal, line, error);
    json_decref(line);
    return status;
}

clscan_status tune_journal_parse(tune_journal *journal, const char *text, size_t size_bytes, clscan_error *error)
{
    clscan_error reason = {0};
    size_t at = 0, number = 1;

    journal->size_bytes = 0;
    for (; at < size_bytes; ++number) {
        const char *end = memchr(text + at, '\n', size_bytes - at);
        const size_t next = end != NULL ? (size_t)(end - text) + 1 : size_bytes;
        clscan_status status;

        if (end == NULL)
            break;
        status = read_line(journal, text + at, next - at, number == 1, &reason);
        if (status == CLSCAN_ERROR_OUT_OF_MEMORY || status == CLSCAN_ERROR_CONFIG_VERSION ||
            (status != CLSCAN_OK && (next < size_bytes || status != CLSCAN_ERROR_CONFIG_SYNTAX)))
            return fail(error, status == CLSCAN_ERROR_OUT_OF_MEMORY ? status : CLSCAN_ERROR_FILE, "%s: line %zu: %s",
                        journal->path, number, reason.message);
        if (status != CLSCAN_OK)
            break;
        at = next;
        journal->size_bytes = (off_t)at;
    }
    if (journal->size_bytes == 0)
        return fail(error, CLSCAN_ERROR_FILE, "%s: nothing is recorded in it; start a new run", journal->path);
    return CLSCAN_OK;
}

clscan_status tune_journal_load(tune_journal *journal, int descriptor, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    struct stat about;
    char *text = NULL;
    size_t size_bytes = 0;

    REQUIRE(fstat(descriptor, &about) == 0, CLSCAN_ERROR_FILE, "%s: %s", journal->path, strerror(errno));
    REQUIRE(S_ISREG(about.st_mode), CLSCAN_ERROR_FILE, "%s: not a regular file", journal->path);
    text = malloc((size_t)about.st_size + 1);
    REQUIRE(text != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "%s: no memory to read it", journal->path);
    while (size_bytes < (size_t)about.st_size) {
        const ssize_t got = read(descriptor, text + size_bytes, (size_t)about.st_size - size_bytes);

        if (got < 0 && errno == EINTR)
            continue;
        REQUIRE(got >= 0, CLSCAN_ERROR_FILE, "%s: %s", journal->path, strerror(errno));
        if (got == 0)
            break;
        size_bytes += (size_t)got;
    }
    TRY(tune_journal_parse(journal, text, size_bytes, error));

cleanup:
    free(text);
    return status;
}
