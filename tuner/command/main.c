/* clscan-tune: finds the fastest variants of a device. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/renew.h"
#include "command/report.h"
#include "command/run.h"
#include "command/run_devices.h"
#include "command/run_verify.h"
#include "command/settings.h"
#include "command_line/failure.h"
#include "work/live.h"
#include "work/worker.h"

static volatile sig_atomic_t interrupted;

/* The first signal asks for an end, the second one ends. */
static void on_signal(int number)
{
    if (interrupted)
        _exit(128 + number);
    interrupted = 1;
}

static void catch_signals(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal}; /* without SA_RESTART: what waits wakes up */

    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; ++i)
        sigaction(signals[i], &action, NULL);
}

static clscan_status list(const tune_settings *settings, clscan_error *error)
{
    clscan_status status;
    const tune_live_options options = {.device = settings->device};
    clscan_device_info *devices = NULL;
    size_t count, chosen;

    TRY(tune_live_list(&options, &devices, &count, &chosen, error));
    tune_report_devices(stdout, devices, count, chosen);
    printf("\n");
    tune_report_lists(stdout);

cleanup:
    free(devices);
    return status;
}

static int run(const tune_settings *settings)
{
    clscan_error error = {0};
    clscan_status status;
    size_t failed = 0;

    if (settings->list)
        status = list(settings, &error);
    else if (settings->replay != NULL)
        status = tune_run_replay(settings, &interrupted, &error);
    else if (settings->renew)
        status = tune_renew(settings, &failed, &error);
    else if (settings->verify != NULL)
        status = tune_run_verify(settings, &interrupted, &failed, &error);
    else if (settings->devices != NULL)
        status = tune_run_devices(settings, &interrupted, &error);
    else
        status = tune_run(settings, &interrupted, &error);
    if (status == CLSCAN_ERROR_INVALID_VALUE && settings->verify == NULL)
        return tune_settings_wrong(&error); /* options that do not fit the device or the journal */
    if (status != CLSCAN_OK)
        print_failure(&error);
    if (fflush(stdout) != 0 || ferror(stdout) != 0) {
        complain("standard output could not be written");
        return EXIT_CODE_FAILURE;
    }
    return status != CLSCAN_OK || failed > 0 || interrupted ? EXIT_CODE_FAILURE : EXIT_CODE_OK;
}

int main(int argc, char **argv)
{
    tune_settings settings;
    int exit_code;

    set_program_name("clscan-tune");
    if (argc > 1 && strcmp(argv[1], "--worker") == 0)
        return tune_worker_run(argc > 2 ? argv[2] : NULL);
    if (!tune_settings_read(argc, argv, &settings, &exit_code))
        return exit_code;
    if (settings.version) {
        printf("clscan %s\n", clscan_version());
        return EXIT_CODE_OK;
    }
    catch_signals();
    return run(&settings);
}
