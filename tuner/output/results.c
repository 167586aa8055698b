#include "output/results.h"

#include <errno.h>
#include <math.h>
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
    clscan__document old = {0};

    TRY(tune_config_read(path, &old, error));
    REQUIRE(strcmp(old.match, device->key) == 0, CLSCAN_ERROR_FILE,
            "%s: it is for %s, the device is %s; name another file with --output", path, old.match, device->key);
    REQUIRE(access(path, W_OK) == 0, CLSCAN_ERROR_FILE, "%s: %s; name another file with --output", path,
            strerror(errno));

cleanup:
    clscan__document_free(&old);
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

clscan_status tune_results_describe(tune_results *results, const tune_header *header, const char *journal_path,
                                    clscan_error *error)
{
    clscan__document *made = &results->made;
    clscan__provenance *provenance = &made->provenance;
    clscan_status status;
    const time_t now = time(NULL);
    struct tm parts;

    provenance->origin = CLSCAN__ORIGIN_TUNED;
    strftime(provenance->date, sizeof provenance->date, "%Y-%m-%d", gmtime_r(&now, &parts));
    TRY(clscan__document_keep(made, header->device.name, &provenance->device, error));
    TRY(clscan__document_keep(made, header->device.driver_version, &provenance->driver, error));
    TRY(clscan__document_keep(made, header->device.platform_name, &provenance->platform, error));
    TRY(clscan__document_keep(made, header->clscan_version, &provenance->clscan_version, error));
    TRY(clscan__document_keep(made, tune_place_name(journal_path), &provenance->journal, error));

cleanup:
    return status;
}

/* Of what was measured, no more digits than mean something. */
static double rounded(double number, double parts)
{
    return round(number * parts) / parts;
}

/* Copy speed and noise are those of the targets that show the fastest copy and the worst noise. */
static void note_measurement(clscan__provenance *provenance, const tune_decision *decision)
{
    for (size_t i = 0; i < decision->count; ++i) {
        const tune_trial *trial = decision->picks[i].chosen;
        double gb_per_s;

        if (trial == NULL || trial->copy_ns <= 0.0)
            continue;
        gb_per_s = rounded(2.0 * (double)tune_target_elements(&trial->target, trial->count) *
                               trial->target.element_size_bytes / trial->copy_ns,
                           10);
        if (gb_per_s > provenance->copy_gb_per_s)
            provenance->copy_gb_per_s = gb_per_s;
    }
    if (decision->noise_floor * 100.0 > provenance->noise_percent)
        provenance->noise_percent = rounded(decision->noise_floor * 100.0, 100);
}

clscan_status tune_results_add(tune_results *results, const tune_decision *decision, const clscan_device_info *device,
                               const tune_header_target *target, tune_kept *kept, clscan_error *error)
{
    clscan_status status;
    clscan__document made = {.match = ""};
    clscan_config *old = NULL;

    *kept = (tune_kept){.reach = {1, UINT64_MAX}};
    TRY(tune_decision_entries(decision, device, &made, error));
    if (access(results->path, F_OK) == 0)
        TRY(clscan_config_load(results->path, &old, error));
    if (made.entry_count > 0)
        TRY(tune_keep(&made, old, device, target, tune_clearly_beaten(decision), kept, error));
    for (size_t i = 0; i < made.entry_count; ++i)
        TRY(clscan__document_add(&results->made, &made.entries[i], error));
    note_measurement(&results->made.provenance, decision);

cleanup:
    clscan_config_destroy(old);
    clscan__document_free(&made);
    return status;
}

clscan_status tune_results_write(const tune_results *results, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__document all = {0}, old = {0};

    if (results->made.entry_count == 0)
        return CLSCAN_OK;
    all.provenance = results->made.provenance;
    memcpy(all.match, results->made.match, sizeof all.match);
    for (size_t i = 0; i < results->made.entry_count; ++i)
        TRY(clscan__document_add(&all, &results->made.entries[i], error));
    if (access(results->path, F_OK) == 0) {
        TRY(tune_config_read(results->path, &old, error));
        TRY(tune_config_merge(&all, &old, error));
    }
    clscan__document_sort(&all);
    TRY(tune_config_write(results->path, &all, error));

cleanup:
    clscan__document_free(&all);
    clscan__document_free(&old);
    return status;
}

void tune_results_free(tune_results *results)
{
    clscan__document_free(&results->made);
}
