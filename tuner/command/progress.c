#include "command/progress.h"

#include <inttypes.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "common/clock.h"

/* Seconds between two lines. */
#define TERMINAL_INTERVAL_S 0.2
#define PIPE_INTERVAL_S 10.0

static double now_s(void)
{
    return (double)clscan__now_ns() / 1e9;
}

const char *tune_duration(double seconds, char text[TUNE_DURATION_BYTES])
{
    const unsigned whole = seconds > 0.0 ? (unsigned)(seconds + 0.5) : 0;

    if (whole < 3600)
        snprintf(text, TUNE_DURATION_BYTES, "%u:%02u", whole / 60, whole % 60);
    else
        snprintf(text, TUNE_DURATION_BYTES, "%u:%02u:%02u", whole / 3600, whole / 60 % 60, whole % 60);
    return text;
}

const char *tune_count_text(uint64_t count, char text[TUNE_COUNT_TEXT_BYTES])
{
    unsigned power = 0;

    while (power < 63 && UINT64_C(1) << power < count)
        ++power;
    if (power >= 10 && UINT64_C(1) << power == count)
        snprintf(text, TUNE_COUNT_TEXT_BYTES, "2^%u", power);
    else
        snprintf(text, TUNE_COUNT_TEXT_BYTES, "%" PRIu64, count);
    return text;
}

const char *tune_target_text(const tune_target *target, char text[TUNE_TARGET_TEXT_BYTES])
{
    char name[TUNE_TARGET_NAME_BYTES];

    tune_target_name(target, name);
    snprintf(text, TUNE_TARGET_TEXT_BYTES, "%s, by %s on %s%s%s", name,
             target->op != CLSCAN_CUSTOM       ? clscan_operator_name(target->op)
             : tune_target_has_element(target) ? target->element.custom.function
                                               : "a custom operator",
             tune_target_type_name(target), tune_target_converts(target) ? " to " : "",
             tune_target_converts(target) ? tune_target_output_name(target) : "");
    return text;
}

void tune_progress_begin(tune_progress *progress, FILE *stream, size_t target_count, double deadline_s)
{
    *progress = (tune_progress){.stream = stream,
                                .terminal = isatty(fileno(stream)) == 1,
                                .target_count = target_count,
                                .deadline_s = deadline_s};
}

void tune_progress_target(tune_progress *progress, const tune_target *target, size_t counts, double elapsed_s)
{
    char text[TUNE_TARGET_TEXT_BYTES];

    tune_progress_clear(progress);
    ++progress->target;
    fprintf(progress->stream, "%zu of %zu: %s, at %zu %s\n", progress->target, progress->target_count,
            tune_target_text(target, text), counts, counts == 1 ? "size" : "sizes");
    memset(progress->outcomes, 0, sizeof progress->outcomes);
    progress->trials = 0;
    progress->begun_s = elapsed_s;
    progress->shown_s = now_s();
}

/* Seconds until this target's search ends: by its own estimate or by the deadline, whichever is nearer. */
static double remaining_s(const tune_progress *progress, const tune_search *search)
{
    const double elapsed_s = tune_search_elapsed_s(search);
    const double deadline_s = tune_search_about(search)->deadline_s;
    const uint64_t expected = tune_search_expected(search);
    double left_s = deadline_s > 0.0 ? deadline_s - elapsed_s : -1.0;

    if (expected > progress->trials && progress->trials > 0) {
        const double each_s = (elapsed_s - progress->begun_s) / (double)progress->trials;
        const double estimate_s = each_s * (double)(expected - progress->trials);
        if (left_s < 0.0 || estimate_s < left_s)
            left_s = estimate_s;
    }
    return left_s;
}

/* The best at the largest count that has one. */
static int write_best(char *text, size_t size_bytes, const tune_search *search)
{
    char count[TUNE_COUNT_TEXT_BYTES];

    for (size_t i = tune_search_about(search)->count_count; i-- > 0;) {
        const tune_trial *best = tune_search_best(search, i);
        const tune_trial *before = tune_search_default(search, i);

        if (best == NULL)
            continue;
        if (before != NULL && before->outcome == TUNE_OUTCOME_CORRECT)
            return snprintf(text, size_bytes, ", %s: %.3f of copy (default %.3f)", tune_count_text(best->count, count),
                            best->copy_ns / best->time_ns, before->copy_ns / before->time_ns);
        return snprintf(text, size_bytes, ", %s: %.3f of copy", tune_count_text(best->count, count),
                        best->copy_ns / best->time_ns);
    }
    return 0;
}

static void append(char *text, size_t size_bytes, const char *more)
{
    const size_t used = strlen(text);

    snprintf(text + used, size_bytes - used, "%s", more);
}

/* Columns that a line may take; a longer one would wrap, and could not be taken back. */
static int columns(const tune_progress *progress)
{
    struct winsize size;

    return ioctl(fileno(progress->stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1 : 79;
}

static void write_line(tune_progress *progress, const char *line)
{
    if (progress->terminal) {
        const int limit = columns(progress), length = (int)strlen(line), width = length < limit ? length : limit;

        fprintf(progress->stream, "\r%.*s%*s", width, line, progress->width > width ? progress->width - width : 0, "");
        progress->width = width;
    } else {
        fprintf(progress->stream, "%s\n", line);
    }
    fflush(progress->stream);
}

/* What matters most first: the end may be cut off. */
static void show(tune_progress *progress, const tune_search *search)
{
    char line[256], part[128], duration[TUNE_DURATION_BYTES];
    const double elapsed_s = tune_search_elapsed_s(search), left_s = remaining_s(progress, search);

    snprintf(line, sizeof line, "  %s", tune_duration(elapsed_s, duration));
    if (left_s >= 0.0) {
        snprintf(part, sizeof part, ", about %s left", tune_duration(left_s, duration));
        append(line, sizeof line, part);
    }
    if (progress->target < progress->target_count && progress->deadline_s > elapsed_s) {
        snprintf(part, sizeof part, " (%s in all)", tune_duration(progress->deadline_s - elapsed_s, duration));
        append(line, sizeof line, part);
    }
    if (write_best(part, sizeof part, search) > 0)
        append(line, sizeof line, part);
    snprintf(part, sizeof part, ", %" PRIu64 " trials", progress->trials);
    append(line, sizeof line, part);
    for (int i = 0; i < TUNE_OUTCOME_COUNT; ++i) {
        if (progress->outcomes[i] > 0) {
            snprintf(part, sizeof part, ", %" PRIu64 " %s", progress->outcomes[i], tune_outcome_name((tune_outcome)i));
            append(line, sizeof line, part);
        }
    }
    write_line(progress, line);
}

void tune_progress_soaking(tune_progress *progress)
{
    if (progress->terminal)
        write_line(progress, "  comparing the fastest, and checking the winners many times over");
}

void tune_progress_trial(void *user, const tune_search *search, const tune_trial *trial)
{
    tune_progress *progress = user;
    const double interval_s = progress->terminal ? TERMINAL_INTERVAL_S : PIPE_INTERVAL_S;

    ++progress->trials;
    ++progress->outcomes[trial->outcome];
    if (now_s() - progress->shown_s < interval_s)
        return;
    progress->shown_s = now_s();
    show(progress, search);
}

void tune_progress_clear(tune_progress *progress)
{
    if (progress->width > 0)
        fprintf(progress->stream, "\r%*s\r", progress->width, "");
    progress->width = 0;
    fflush(progress->stream);
}
