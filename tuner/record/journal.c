#include "record/journal_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command_line/failure.h"
#include "command_line/named_file.h"
#include "files/save.h"

/* ---- Reading, as far as it is whole ---- */

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

/* Add an answer to one of the memos, and note that its trial ended. */
static clscan_status remember(tune_journal *journal, tune_memo *memo, const tune_trial *trial, clscan_error *error)
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
        status = remember(journal, &journal->finished, &trial, error);
    else if (strcmp(kind, SOAKED) == 0)
        status = remember(journal, &journal->soaks, &trial, error);
    else if (strcmp(kind, COMPARED) == 0)
        status = remember(journal, &journal->compared, &trial, error);
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

/* Read all complete lines of the file into the journal. Sets size_bytes to their end. */
static clscan_status load(tune_journal *journal, int descriptor, clscan_error *error)
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

static clscan_status fail_errno(const tune_journal *journal, clscan_error *error)
{
    return fail(error, CLSCAN_ERROR_FILE, "%s: %s", journal->path, strerror(errno));
}

/* Write all of it, or leave the file as it was. */
static clscan_status append(tune_journal *journal, const char *text, size_t size_bytes, clscan_error *error)
{
    const char *next = text;

    while (next < text + size_bytes) {
        const ssize_t written = write(journal->descriptor, next, (size_t)(text + size_bytes - next));

        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0) {
            const clscan_status status = fail_errno(journal, error);

            /* Should this fail too, the torn line is cut off when the journal is opened again. */
            if (ftruncate(journal->descriptor, journal->size_bytes) != 0)
                journal->descriptor = -1;
            return status;
        }
        next += written;
    }
    journal->size_bytes += (off_t)size_bytes;
    return CLSCAN_OK;
}

/* Takes over the reference to `object`. */
static clscan_status append_line(tune_journal *journal, json_t *object, bool sync, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    char *text = object != NULL ? json_dumps(object, JSON_COMPACT) : NULL;
    size_t length_bytes;

    REQUIRE(text != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "%s: no memory for a line", journal->path);
    REQUIRE(journal->descriptor >= 0, CLSCAN_ERROR_FILE, "%s: not open for writing", journal->path);
    length_bytes = strlen(text);
    text[length_bytes] = '\n'; /* in place of the terminator */
    TRY(append(journal, text, length_bytes + 1, error));
    if (sync && fsync(journal->descriptor) != 0)
        status = fail_errno(journal, error);

cleanup:
    free(text);
    json_decref(object);
    return status;
}

/* ---- opening ---- */

static clscan_status new_journal(const char *path, tune_journal **journal, clscan_error *error)
{
    tune_journal *made = calloc(1, sizeof *made);

    if (made != NULL)
        made->path = strdup(path);
    if (made == NULL || made->path == NULL) {
        free(made);
        return fail(error, CLSCAN_ERROR_OUT_OF_MEMORY, "%s: no memory to open it", path);
    }
    made->descriptor = -1;
    *journal = made;
    return CLSCAN_OK;
}

static clscan_status open_locked(tune_journal *journal, int flags, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

    journal->descriptor = open(journal->path, flags | O_RDWR | O_NOCTTY | O_APPEND | O_CLOEXEC, 0666);
    REQUIRE(journal->descriptor >= 0, CLSCAN_ERROR_FILE, "%s: %s", journal->path, strerror(errno));
    REQUIRE(fcntl(journal->descriptor, F_SETLK, &lock) == 0, CLSCAN_ERROR_FILE, "%s: another process is using it",
            journal->path);

cleanup:
    return status;
}

/* A journal without a complete line holds nothing that could be lost. */
static bool is_blank(const tune_journal *journal)
{
    char start[65536];
    struct stat about;
    ssize_t got;

    if (fstat(journal->descriptor, &about) != 0 || !S_ISREG(about.st_mode))
        return false;
    got = pread(journal->descriptor, start, sizeof start, 0);
    return got == 0 || (got == about.st_size && start[0] == '{' && memchr(start, '\n', (size_t)got) == NULL);
}

clscan_status tune_journal_create(const char *path, const tune_header *header, tune_journal **journal,
                                  clscan_error *error)
{
    clscan_status status;
    tune_journal *made = NULL;

    TRY(new_journal(path, &made, error));
    TRY(open_locked(made, O_CREAT, error));
    REQUIRE(is_blank(made), CLSCAN_ERROR_FILE, "%s: it exists already; go on with it or name another file", path);
    REQUIRE(ftruncate(made->descriptor, 0) == 0, CLSCAN_ERROR_FILE, "%s: %s", path, strerror(errno));
    TRY(tune_header_copy(&made->header, header, error));
    TRY(append_line(made, tune_header_to_json(header), true, error));
    tune_sync_folder(path);
    *journal = made;
    made = NULL;

cleanup:
    tune_journal_close(made);
    return status;
}

/* What was started again and again is to blame for the ends of the run. */
static clscan_status record_lost(tune_journal *journal, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (size_t i = 0; i < journal->open.count; ++i) {
        tune_trial trial = *journal->open.trials[i];

        if (trial.runs < 2)
            continue;
        trial.runs = 0;
        trial.outcome = TUNE_OUTCOME_TIMEOUT;
        trial.started_s = trial.ended_s = journal->elapsed_s;
        snprintf(trial.reason, sizeof trial.reason, "started twice, never finished");
        TRY(tune_journal_finished(journal, &trial, error));
    }

cleanup:
    return status;
}

clscan_status tune_journal_resume(const char *path, tune_journal **journal, clscan_error *error)
{
    clscan_status status;
    tune_journal *made = NULL;

    TRY(new_journal(path, &made, error));
    TRY(open_locked(made, 0, error));
    TRY(load(made, made->descriptor, error));
    REQUIRE(ftruncate(made->descriptor, made->size_bytes) == 0, CLSCAN_ERROR_FILE, "%s: %s", path, strerror(errno));
    made->resumed_s = made->elapsed_s;
    TRY(record_lost(made, error));
    *journal = made;
    made = NULL;

cleanup:
    tune_journal_close(made);
    return status;
}

clscan_status tune_journal_read(const char *path, tune_journal **journal, clscan_error *error)
{
    clscan_status status;
    tune_journal *made = NULL;
    int descriptor = -1;

    TRY(new_journal(path, &made, error));
    TRY(named_file_open(path, &descriptor, error));
    TRY(load(made, descriptor, error));
    *journal = made;
    made = NULL;

cleanup:
    if (descriptor >= 0)
        close(descriptor);
    tune_journal_close(made);
    return status;
}

void tune_journal_close(tune_journal *journal)
{
    if (journal == NULL)
        return;
    if (journal->descriptor >= 0)
        close(journal->descriptor);
    tune_header_free(&journal->header);
    tune_memo_free(&journal->finished);
    tune_memo_free(&journal->open);
    tune_memo_free(&journal->soaks);
    tune_memo_free(&journal->compared);
    free(journal->path);
    free(journal);
}

/* ---- asking ---- */

const tune_header *tune_journal_about(const tune_journal *journal)
{
    return &journal->header;
}

const char *tune_journal_path(const tune_journal *journal)
{
    return journal->path;
}

const tune_memo *tune_journal_trials(const tune_journal *journal)
{
    return &journal->finished;
}

const tune_trial *tune_journal_find_soak(const tune_journal *journal, const tune_trial *question)
{
    return tune_memo_find(&journal->soaks, &question->target, &question->variant, question->count);
}

const tune_trial *tune_journal_find_compared(const tune_journal *journal, const tune_trial *question)
{
    return tune_memo_find(&journal->compared, &question->target, &question->variant, question->count);
}

double tune_journal_elapsed_s(const tune_journal *journal)
{
    return journal->elapsed_s;
}

double tune_journal_resumed_s(const tune_journal *journal)
{
    return journal->resumed_s;
}

/* ---- writing ---- */

clscan_status tune_journal_started(tune_journal *journal, const tune_trial *trial, clscan_error *error)
{
    return append_line(journal, json_pack("{s:o}", STARTED, tune_question_to_json(trial)), false, error);
}

clscan_status tune_journal_abandoned(tune_journal *journal, const tune_trial *trial, clscan_error *error)
{
    return append_line(journal, json_pack("{s:o}", ABANDONED, tune_question_to_json(trial)), false, error);
}

/* Keep an answer in a memo, and on the disk. */
static clscan_status record(tune_journal *journal, tune_memo *memo, const char *kind, const tune_trial *trial,
                            clscan_error *error)
{
    clscan_status status;

    TRY(remember(journal, memo, trial, error));
    TRY(append_line(journal, json_pack("{s:o}", kind, tune_trial_to_json(trial)), true, error));

cleanup:
    return status;
}

clscan_status tune_journal_finished(tune_journal *journal, const tune_trial *trial, clscan_error *error)
{
    return record(journal, &journal->finished, FINISHED, trial, error);
}

clscan_status tune_journal_soaked(tune_journal *journal, const tune_trial *trial, clscan_error *error)
{
    return record(journal, &journal->soaks, SOAKED, trial, error);
}

clscan_status tune_journal_compared(tune_journal *journal, const tune_trial *trial, clscan_error *error)
{
    return record(journal, &journal->compared, COMPARED, trial, error);
}
