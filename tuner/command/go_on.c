#include "command/go_on.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "command_line/failure.h"
#include "common/printable.h"

/* Is it safe to print as it is? */
static bool is_printable(const char *word)
{
    char shown[SHOWN_PATH_BYTES];

    return strcmp(clscan__printable(word, shown, sizeof shown), word) == 0;
}

/* What a terminal should not see stands in the notation of bash, ksh and zsh. */
static void print_in_octal(FILE *stream, const char *word)
{
    fputs("$'", stream);
    for (; *word != '\0'; ++word)
        fprintf(stream, "\\%03o", (unsigned)(unsigned char)*word);
    fputc('\'', stream);
}

/* A word as the shell reads it. */
static void print_word(FILE *stream, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,@%+";

    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        fputs(word, stream);
        return;
    }
    if (!is_printable(word)) {
        print_in_octal(stream, word);
        return;
    }
    fputc('\'', stream);
    for (; *word != '\0'; ++word) {
        if (*word == '\'')
            fputs("'\\''", stream);
        else
            fputc(*word, stream);
    }
    fputc('\'', stream);
}

static void print_option(FILE *stream, const char *option, const char *value)
{
    if (value == NULL)
        return;
    fprintf(stream, " %s ", option);
    print_word(stream, value);
}

void tune_go_on_print(FILE *stream, const tune_settings *settings, const char *journal_path)
{
    fprintf(stream, "%s --resume", program_name());
    print_option(stream, "--journal", journal_path);
    print_option(stream, "--device", settings->device);
    if (settings->quick)
        fputs(" --quick", stream);
    if (settings->budget_given)
        fprintf(stream, " --budget %.15g", settings->budget_s);
    if (settings->max_trials > 0)
        fprintf(stream, " --trials %" PRIu64, settings->max_trials);
    if (settings->soak_given)
        fprintf(stream, " --soak %" PRIu64, settings->soak_runs);
    print_option(stream, "--output", settings->output);
    print_option(stream, "--t4", settings->t4);
    fputc('\n', stream);
}
