/* The clscan command: dispatch to the subcommands. */
#include <stdio.h>
#include <string.h>

#include <clscan/clscan.h>

#include "command.h"
#include "command_line/failure.h"
#include "command_line/suggest.h"

typedef struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} command;

static const command commands[] = {
#define X(name, summary) {#name, command_##name, summary},
    COMMAND_LIST(X)
#undef X
};
#define COMMAND_COUNT (sizeof commands / sizeof commands[0])

static void print_help(FILE *stream)
{
    fputs("usage: clscan COMMAND [arguments]\n\nParallel prefix scan on any OpenCL device.\n\ncommands:\n", stream);
    for (size_t i = 0; i < COMMAND_COUNT; ++i)
        fprintf(stream, "  %-10s%s\n", commands[i].name, commands[i].summary);
    fputs("\noptions:\n"
          "  --help    show this text; 'clscan COMMAND --help' and 'clscan help COMMAND' show a command's\n"
          "  --version print the version\n"
          "\nenvironment:\n"
          "  CLSCAN_CACHE   auto (default), off, memory, on, or a folder: where compiled programs are kept\n"
          "  CLSCAN_CONFIG  config file that comes before the user's and the built-in ones\n"
          "  CLSCAN_LOG     off, error, warning (default), info or debug: log to stderr\n"
          "\nexamples:\n"
          "  clscan devices\n"
          "  clscan scan in.npy out.npy --op max\n\n" EXIT_CODES_HELP,
          stream);
}

/* Output that could not be written, to a full disk say, is a failure. */
static int finish(int exit_code)
{
    if (fflush(stdout) == 0 && ferror(stdout) == 0)
        return exit_code;
    complain("standard output could not be written");
    return exit_code == EXIT_CODE_OK ? EXIT_CODE_FAILURE : exit_code;
}

static int complain_of_unknown(const char *word)
{
    static const char *const options[] = {"--help", "--version"};
    suggestion nearest = {.word = word, .word_bytes = strlen(word)};
    const char *kind = word[0] == '-' ? "option" : "command";

    for (size_t i = 0; word[0] == '-' && i < sizeof options / sizeof options[0]; ++i)
        suggest_offer(&nearest, options[i]);
    for (size_t i = 0; word[0] != '-' && i < COMMAND_COUNT; ++i)
        suggest_offer(&nearest, commands[i].name);
    if (nearest.best != NULL)
        complain("unknown %s '%s'; did you mean '%s'?", kind, word, nearest.best);
    else
        complain("unknown %s '%s'", kind, word);
    fputs("Try 'clscan --help'.\n", stderr);
    return EXIT_CODE_USAGE;
}

static int run_command(int argc, char **argv)
{
    for (size_t i = 0; i < COMMAND_COUNT; ++i) {
        if (strcmp(argv[0], commands[i].name) == 0)
            return finish(commands[i].run(argc, argv));
    }
    return complain_of_unknown(argv[0]);
}

/* "clscan help COMMAND" is "clscan COMMAND --help". */
static int help(int argc, char **argv)
{
    char option[] = "--help";
    char *words[] = {argv[0], option, NULL};

    if (argc > 1) {
        complain("help: '%s' is one argument too many", argv[1]);
        return EXIT_CODE_USAGE;
    }
    if (argc == 1)
        return run_command(2, words);
    print_help(stdout);
    return finish(EXIT_CODE_OK);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return EXIT_CODE_USAGE;
    }
    if (strcmp(argv[1], "help") == 0)
        return help(argc - 2, argv + 2);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return help(0, argv + 2);
    if (strcmp(argv[1], "--version") == 0) {
        printf("clscan %s\n", clscan_version());
        return finish(EXIT_CODE_OK);
    }
    return run_command(argc - 1, argv + 1);
}
