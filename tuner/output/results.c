#include "output/results.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "command_line/failure.h"
#include "output/classes.h"

/* Could a file be made at `path`, together with the folders that are missing? */
static clscan_status check_folder(const char *path, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    char folder[TUNE_PATH_BYTES];
    struct stat about;

    tune_place_folder(path, folder);
    while (stat(folder, &about) != 0 && errno == ENOENT && strcmp(folder, "/") != 0 && strcmp(folder, ".") != 0)
        tune_place_folder(folder, folder);
    if (stat(folder, &about) == 0 && !S_ISDIR(about.st_mode))
        errno = ENOTDIR;
    else if (access(folder, W_OK | X_OK) == 0)
        goto cleanup;
    status = fail(error, CLSCAN_ERROR_FILE, "%s: cannot be written, %s: %s; name another place with --output", path,
                  folder, strerror(errno));

cleanup:
    return status;
}

/* Entries that stand there will stay, so they must be entries, and of this device. */
static clscan_status check_old(const char *path, const clscan_device_info *device, clscan_error *error)
{
    clscan_status status;
    tune_entries old = {0};

    TRY(tune_entries_read(path, &old, error));
    REQUIRE(strcmp(old.match, device->key) == 0, CLSCAN_ERROR_FILE,
            "%s: it is for %s, the device is %s; name another file with --output", path, old.match, device->key);
    REQUIRE(access(path, W_OK) == 0, CLSCAN_ERROR_FILE, "%s: %s; name another file with --output", path,
            strerror(errno));

cleanup:
    tune_entries_free(&old);
    return status;
}

clscan_status tune_results_open(tune_results *results, const char *output, const clscan_device_info *device,
                                clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (output == NULL)
        TRY(tune_place_config(device->key, results->path, error));
    else
        REQUIRE((size_t)snprintf(results->path, sizeof results->path, "%s", output) < sizeof results->path,
                CLSCAN_ERROR_FILE, "--output: the name is too long");
    snprintf(results->made.match, sizeof results->made.match, "%s", device->key);
    if (access(results->path, F_OK) == 0)
        TRY(check_old(results->path, device, error));
    TRY(check_folder(results->path, error));

cleanup:
    return status;
}

void tune_results_describe(tune_results *results, const tune_header *header, const char *journal_path)
{
    tune_provenance *provenance = &results->made.provenance;
    const time_t now = time(NULL);
    struct tm parts;

    snprintf(provenance->origin, sizeof provenance->origin, "tuned");
    strftime(provenance->date, sizeof provenance->date, "%Y-%m-%d", gmtime_r(&now, &parts));
    snprintf(provenance->device, sizeof provenance->device, "%s", header->device.name);
    snprintf(provenance->driver, sizeof provenance->driver, "%s", header->device.driver_version);
    snprintf(provenance->platform, sizeof provenance->platform, "%s", header->device.platform_name);
    snprintf(provenance->clscan_version, sizeof provenance->clscan_version, "%s", header->clscan_version);
    snprintf(provenance->journal, sizeof provenance->journal, "%s", tune_place_name(journal_path));
}

/* Copy speed and noise are those of the targets that show the fastest copy and the worst noise. */
static void note_measurement(tune_provenance *provenance, const tune_decision *decision)
{
    for (size_t i = 0; i < decision->count; ++i) {
        const tune_trial *trial = decision->picks[i].chosen;
        double gb_per_s;

        if (trial == NULL || trial->copy_ns <= 0.0)
            continue;
        gb_per_s = 2.0 * (double)trial->count * trial->target.element_size_bytes / trial->copy_ns;
        if (gb_per_s > provenance->copy_gb_per_s)
            provenance->copy_gb_per_s = gb_per_s;
    }
    if (decision->noise_floor * 100.0 > provenance->noise_percent)
        provenance->noise_percent = decision->noise_floor * 100.0;
}

clscan_status tune_results_add(tune_results *results, const tune_decision *decision, const clscan_device_info *device,
                               const tune_header_target *target, tune_kept *kept, clscan_error *error)
{
    clscan_status status;
    tune_entries made = {.count = 0};
    clscan_config *old = NULL;

    *kept = (tune_kept){.reach = {1, UINT64_MAX}};
    TRY(tune_decision_entries(decision, &made, error));
    if (access(results->path, F_OK) == 0)
        TRY(clscan_config_load(results->path, &old, error));
    if (made.count > 0)
        TRY(tune_keep(&made, old, device, target, tune_clearly_beaten(decision), kept, error));
    for (size_t i = 0; i < made.count; ++i)
        TRY(tune_entries_add(&results->made, &made.items[i], error));
    note_measurement(&results->made.provenance, decision);

cleanup:
    clscan_config_destroy(old);
    tune_entries_free(&made);
    return status;
}

clscan_status tune_results_write(const tune_results *results, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    tune_entries all = {0}, old = {0};

    if (results->made.count == 0)
        return CLSCAN_OK;
    all.provenance = results->made.provenance;
    memcpy(all.match, results->made.match, sizeof all.match);
    for (size_t i = 0; i < results->made.count; ++i)
        TRY(tune_entries_add(&all, &results->made.items[i], error));
    if (access(results->path, F_OK) == 0) {
        TRY(tune_entries_read(results->path, &old, error));
        TRY(tune_entries_merge(&all, &old, error));
    }
    TRY(tune_entries_write(results->path, &all, error));

cleanup:
    tune_entries_free(&all);
    tune_entries_free(&old);
    return status;
}

void tune_results_free(tune_results *results)
{
    tune_entries_free(&results->made);
}
