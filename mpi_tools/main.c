/* The clscan-mpi command: scans by several processes together. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <mpi.h>

#include <clscan/clscan.h>

#include "command.h"
#include "command_line/failure.h"
#include "command_line/suggest.h"

static void print_help(FILE *stream)
{
    fputs("usage: clscan-mpi COMMAND [arguments]\n\nParallel prefix scan over the ranks of MPI; start it by mpirun.\n\n"
          "commands:\n"
          "  scan      scan a file, with a part of it on the device of each rank\n"
          "  bench     time scans over the ranks\n"
          "\noptions:\n"
          "  --help    show this text; 'clscan-mpi COMMAND --help' shows a command's\n"
          "  --version print the version\n"
          "\nenvironment:\n"
          "  CLSCAN_CACHE   auto (default), off, memory, on, or a folder: where compiled programs are kept\n"
          "  CLSCAN_CONFIG  config file that comes before the user's and the built-in ones\n"
          "  CLSCAN_LOG     off, error, warning (default), info or debug: log to stderr\n"
          "\nexamples:\n"
          "  mpirun -n 4 clscan-mpi scan in.npy sums.npy\n"
          "  mpirun -n 2 clscan-mpi bench --sizes 2^20,2^26\n\n" EXIT_CODES_HELP,
          stream);
}

static int complain_of_unknown(const char *word)
{
    static const char *const words[] = {"--help", "--version", "scan", "bench"};
    suggestion nearest = {.word = word, .word_bytes = strlen(word)};
    const char *kind = word[0] == '-' ? "option" : "command";

    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
        if ((words[i][0] == '-') == (word[0] == '-'))
            suggest_offer(&nearest, words[i]);
    if (nearest.best != NULL)
        complain("unknown %s '%s'; did you mean '%s'?", kind, word, nearest.best);
    else
        complain("unknown %s '%s'", kind, word);
    fputs("Try 'clscan-mpi --help'.\n", stderr);
    return EXIT_CODE_USAGE;
}

/* NULL: there is none of that name. */
static mpi_command *find_command(const char *name)
{
    static const struct {
        const char *name;
        mpi_command *run;
    } commands[] = {{"scan", mpi_command_scan}, {"bench", mpi_command_bench}};

    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; ++i)
        if (strcmp(commands[i].name, name) == 0)
            return commands[i].run;
    return NULL;
}

static bool is_word(int argc, char **argv, const char *word)
{
    return argc > 1 && strcmp(argv[1], word) == 0;
}

/* What needs no other ranks, and no MPI. */
static bool answer(int argc, char **argv, int *exit_code)
{
    *exit_code = EXIT_CODE_OK;
    if (is_word(argc, argv, "--help") || is_word(argc, argv, "-h"))
        print_help(stdout);
    else if (is_word(argc, argv, "--version"))
        printf("clscan-mpi %s\n", clscan_version());
    else if (argc > 2 && find_command(argv[1]) != NULL && strcmp(argv[2], "--help") == 0)
        *exit_code = find_command(argv[1])(argc - 1, argv + 1, NULL);
    else
        return false;
    if (fflush(stdout) != 0 || ferror(stdout) != 0) {
        complain("standard output could not be written");
        *exit_code = EXIT_CODE_FAILURE;
    }
    return true;
}

/* All ranks find the same fault with the command line: one says so. */
static void be_quiet(void)
{
    const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);

    if (nothing < 0)
        return;
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    close(nothing);
}

int main(int argc, char **argv)
{
    clscan_error error;
    int exit_code, level;
    ranks r;

    set_program_name("clscan-mpi");
    if (answer(argc, argv, &exit_code))
        return exit_code;
    /* Threads that read and write files run beside the one that calls MPI. */
    if (MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS) {
        complain("MPI_Init_thread failed");
        return EXIT_CODE_FAILURE;
    }
    if (level < MPI_THREAD_FUNNELED) {
        complain("this MPI allows no threads beside the one that calls it");
        MPI_Finalize();
        return EXIT_CODE_FAILURE;
    }
    if (ranks_open(&r, &error) != CLSCAN_OK) {
        print_failure(&error);
        MPI_Abort(MPI_COMM_WORLD, EXIT_CODE_FAILURE);
    }
    if (r.rank != 0)
        be_quiet();
    if (argc < 2) {
        print_help(stderr);
        exit_code = EXIT_CODE_USAGE;
    } else if (find_command(argv[1]) != NULL) {
        exit_code = find_command(argv[1])(argc - 1, argv + 1, &r);
    } else {
        exit_code = complain_of_unknown(argv[1]);
    }
    ranks_close(&r);
    MPI_Finalize();
    return exit_code;
}
