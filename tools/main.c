/* The clscan command: dispatch to the subcommands. */
#include <stdio.h>
#include <string.h>

#include <clscan/clscan.h>

#include "command.h"
#include "failure.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} commands[] = {
#define X(name, summary) {#name, command_##name, summary},
    COMMAND_LIST(X)
#undef X
};

static void print_help(FILE *stream)
{
    fputs("usage: clscan COMMAND [arguments]\n\nParallel prefix scan on any OpenCL device.\n\ncommands:\n", stream);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; ++i)
        fprintf(stream, "  %-10s%s\n", commands[i].name, commands[i].summary);
    fputs("\noptions:\n"
          "  --help    show this text; 'clscan COMMAND --help' shows a command's\n"
          "  --version print the version\n"
          "\nenvironment:\n"
          "  CLSCAN_CACHE   auto (default), off, memory, on, or a folder: where compiled programs are kept\n"
          "  CLSCAN_CONFIG  config file that comes before the user's and the built-in ones\n"
          "  CLSCAN_LOG     off, error, warning (default), info or debug: log to stderr\n"
          "\nexit codes: 0 success, 1 failure, 2 wrong usage\n",
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

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return EXIT_CODE_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help(stdout);
        return finish(EXIT_CODE_OK);
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("clscan %s\n", clscan_version());
        return finish(EXIT_CODE_OK);
    }
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; ++i) {
        if (strcmp(argv[1], commands[i].name) == 0)
            return finish(commands[i].run(argc - 1, argv + 1));
    }
    complain("unknown %s '%s'", argv[1][0] == '-' ? "option" : "command", argv[1]);
    fputs("Try 'clscan --help'.\n", stderr);
    return EXIT_CODE_USAGE;
}
