#include "options.h"

#include <stdio.h>
#include <string.h>

#include "failure.h"
#include "suggest.h"

#define HELP_COLUMN 22

static void print_option(const char *name, const char *argument, const char *help)
{
    char left[64];
    const int width =
        snprintf(left, sizeof left, "  --%s%s%s", name, argument != NULL ? " " : "", argument != NULL ? argument : "");

    if (width >= HELP_COLUMN)
        printf("%s\n%*s%s\n", left, HELP_COLUMN, "", help);
    else
        printf("%-*s%s\n", HELP_COLUMN, left, help);
}

static void print_help(const command_line *line)
{
    printf("usage: %s %s\n\n%s\n\noptions:\n", program_name(), line->synopsis, line->description);
    for (size_t i = 0; i < line->option_count; ++i)
        print_option(line->options[i].name, line->options[i].argument, line->options[i].help);
    print_option("help", NULL, "show this text");
    printf("\nexamples:\n%s\n%s", line->examples, EXIT_CODES_HELP);
}

/* What stands before a message about the command line: the subcommand, where there is one. */
static const char *prefix(const command_line *line)
{
    static char text[64];

    snprintf(text, sizeof text, "%s%s", line->name, line->name[0] != '\0' ? ": " : "");
    return text;
}

static void point_to_help(const command_line *line)
{
    fprintf(stderr, "Try '%s %s%s--help'.\n", program_name(), line->name, line->name[0] != '\0' ? " " : "");
}

int options_wrong(const command_line *line, const clscan_error *error)
{
    complain("%s%s", prefix(line), error->message);
    point_to_help(line);
    return EXIT_CODE_USAGE;
}

/* The option of the given name, whose end need not be the string's end because of "--name=value". */
static const option *find(const command_line *line, const char *name, size_t name_bytes)
{
    for (size_t i = 0; i < line->option_count; ++i) {
        const option *candidate = &line->options[i];

        if (strlen(candidate->name) == name_bytes && memcmp(candidate->name, name, name_bytes) == 0)
            return candidate;
    }
    return NULL;
}

static void complain_of_unknown(const command_line *line, const char *word, size_t word_bytes)
{
    const bool is_long = word[1] == '-';
    suggestion nearest = {.word = word + (is_long ? 2 : 1), .word_bytes = word_bytes - (is_long ? 2 : 1)};

    suggest_offer(&nearest, "help");
    for (size_t i = 0; i < line->option_count; ++i)
        suggest_offer(&nearest, line->options[i].name);
    if (nearest.best != NULL)
        complain("%sunknown option '%.*s'; did you mean '--%s'?", prefix(line), (int)word_bytes, word, nearest.best);
    else
        complain("%sunknown option '%.*s'", prefix(line), (int)word_bytes, word);
}

/* Handle the option argv[*index] and step over its value. */
static bool take_option(const command_line *line, int argc, char **argv, int *index)
{
    const char *word = argv[*index];
    const char *equals = strchr(word, '=');
    const size_t word_bytes = equals != NULL ? (size_t)(equals - word) : strlen(word);
    const option *found = NULL;
    const char *value = equals != NULL ? equals + 1 : NULL;
    clscan_error error;

    if (word[1] == '-')
        found = find(line, word + 2, word_bytes - 2);
    if (found == NULL) {
        complain_of_unknown(line, word, word_bytes);
        return false;
    }
    if (found->argument == NULL) {
        if (value != NULL) {
            complain("%soption '--%s' takes no value", prefix(line), found->name);
            return false;
        }
        *(bool *)found->target = true;
        return true;
    }
    if (value == NULL && *index + 1 < argc)
        value = argv[++*index];
    if (value == NULL) {
        complain("%soption '--%s' needs a value: %s", prefix(line), found->name, found->argument);
        return false;
    }
    if (found->read(value, found->target, &error) != CLSCAN_OK) {
        complain("%soption '--%s': %s", prefix(line), found->name, error.message);
        return false;
    }
    return true;
}

static bool asks_for_help(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; ++i) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    }
    return false;
}

/* Handle all words of the command line. */
static bool take_words(const command_line *line, int argc, char **argv, const char **operands)
{
    size_t operand_count = 0;
    bool options_ended = false;

    for (int i = 1; i < argc; ++i) {
        if (!options_ended && strcmp(argv[i], "--") == 0) {
            options_ended = true;
        } else if (!options_ended && argv[i][0] == '-' && argv[i][1] != '\0') {
            if (!take_option(line, argc, argv, &i))
                return false;
        } else if (operand_count == line->operand_count && line->rest != NULL) {
            line->rest->words = &argv[1];
            argv[1 + line->rest->count++] = argv[i];
        } else if (operand_count == line->operand_count) {
            complain("%s'%s' is one argument too many", prefix(line), argv[i]);
            return false;
        } else {
            operands[operand_count++] = argv[i];
        }
    }
    if (operand_count < line->operand_count) {
        complain("%s%s is missing", prefix(line), line->operands[operand_count]);
        return false;
    }
    return true;
}

bool options_parse(const command_line *line, int argc, char **argv, const char **operands, int *exit_code)
{
    if (asks_for_help(argc, argv)) {
        print_help(line);
        *exit_code = EXIT_CODE_OK;
        return false;
    }
    if (!take_words(line, argc, argv, operands)) {
        point_to_help(line);
        *exit_code = EXIT_CODE_USAGE;
        return false;
    }
    return true;
}
