/* Command lines: one table per program or subcommand gives both the parser and the help text. */
#ifndef CLSCAN_COMMAND_LINE_OPTIONS_H
#define CLSCAN_COMMAND_LINE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include <clscan/clscan.h>

/* Parse the value of an option into `target`. On failure fills `error` with what was expected. */
typedef clscan_status option_reader(const char *text, void *target, clscan_error *error);

typedef struct option {
    const char *name;     /* without the dashes */
    const char *argument; /* the value's name in the help; NULL: a switch, `target` is a bool */
    const char *help;
    option_reader *read; /* NULL for switches */
    void *target;
} option;

/* Operands beyond those that have names. */
typedef struct operand_rest {
    char **words; /* a part of argv, whose words are put together there */
    size_t count;
} operand_rest;

typedef struct command_line {
    const char *name;        /* "scan"; "" for a program without subcommands */
    const char *synopsis;    /* "scan IN OUT [options]" */
    const char *description; /* whole paragraphs for the help */
    const option *options;   /* all but --help, which every command has */
    size_t option_count;
    const char *const *operands; /* names of the operands, all of them required */
    size_t operand_count;
    operand_rest *rest;   /* receives further operands; NULL: there may be none */
    const char *examples; /* whole lines for the help, one command each */
} command_line;

/* Parse argv[1 ..]; argv[0] is the command's own name. Options and operands may stand in any order; "--" ends
 * the options. Receives the operands in `operands` (operand_count of them; NULL if there are none).
 * Returns true if the command should run; else the help has been shown, or a mistake explained on stderr, and
 * `exit_code` says which. */
bool options_parse(const command_line *line, int argc, char **argv, const char **operands, int *exit_code);

/* Explain wrong usage that shows only later: prints `error`, and returns the exit code. */
int options_wrong(const command_line *line, const clscan_error *error);

#endif
