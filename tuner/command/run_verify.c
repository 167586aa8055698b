#include "command/run_verify.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/progress.h"
#include "command/turn.h"
#include "command_line/failure.h"
#include "common/printable.h"
#include "files/lock.h"
#include "output/verify.h"
#include "work/live.h"

/* Inputs beyond these bytes find nothing that smaller ones do not, and take long to check. */
#define LARGEST_BYTES (UINT64_C(1) << 28)
#define LARGEST_BYTES_CPU (UINT64_C(1) << 26)

static void print_entry(void *user, size_t index, const tune_verified *result)
{
    const clscan__config_entry *entry = &((const clscan__document *)user)->entries[index];
    char count[TUNE_COUNT_TEXT_BYTES] = "any", variant[256], sums[24] = "";

    if (entry->largest_count != UINT64_MAX)
        tune_count_text(entry->largest_count, count);
    if (entry->key.sum_size_bytes != 0)
        snprintf(sums, sizeof sums, ", %" PRIu32 "-byte sums", entry->key.sum_size_bytes);
    clscan_variant_format(&entry->variant, variant, sizeof variant);
    printf("%-11s %" PRIu32 "-byte %s%s%s, up to %s: %s\n", tune_outcome_name(result->outcome),
           entry->key.element_size_bytes, clscan_operator_class_name(entry->key.operator_class), sums,
           entry->key.reproducible ? ", reproducible" : "", count, variant);
    if (result->reason[0] != '\0')
        printf("            %s\n", result->reason);
    fflush(stdout);
}

clscan_status tune_run_verify(const tune_settings *settings, const volatile sig_atomic_t *interrupted, size_t *failed,
                              clscan_error *error)
{
    clscan_status status;
    const tune_live_options options = {.device = settings->device};
    tune_live *live = NULL;
    tune_evaluator evaluator;
    clscan__document config = {0};
    tune_verified *results = NULL;
    int lock = -1;
    size_t removed;
    char driver[128], path[SHOWN_PATH_BYTES];

    TRY(tune_config_read(settings->verify, &config, error));
    clscan__document_sort(&config);
    results = calloc(config.entry_count, sizeof *results);
    REQUIRE(results != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for the results");
    TRY(tune_live_open(&options, &live, error));
    evaluator = tune_live_evaluator(live);
    const clscan_device_info *device = tune_live_device(live);
    const bool cpu = device->device_class == CLSCAN_DEVICE_CLASS_CPU;
    const tune_verify_setup setup = {.config = &config,
                                     .elements = settings->elements,
                                     .element_count = settings->element_count,
                                     .device = device,
                                     .evaluator = &evaluator,
                                     .runs = (unsigned)settings->soak_runs,
                                     .largest_bytes = cpu ? LARGEST_BYTES_CPU : LARGEST_BYTES,
                                     .interrupted = interrupted,
                                     .progress = print_entry,
                                     .user = &config};
    TRY(tune_turn_take(settings, device, tune_live_device_index(live), &lock, error));
    if (config.provenance.driver != NULL && strcmp(config.provenance.driver, device->driver_version) != 0)
        printf("measured with driver %s, the device now has %s: another run may find faster variants\n",
               clscan__printable(config.provenance.driver, driver, sizeof driver), device->driver_version);
    TRY(tune_verify(&setup, results, error));
    *failed = 0;
    for (size_t i = 0; i < config.entry_count; ++i)
        *failed += tune_verified_fails(&results[i]);
    printf("%zu entries, %zu fail\n", config.entry_count, *failed);
    if (*failed == 0)
        goto cleanup;
    TRY(tune_quarantine(settings->verify, &config, results, device, &removed, error));
    printf("%zu moved to %s.quarantined\n", removed, clscan__printable(settings->verify, path, sizeof path));

cleanup:
    if (lock >= 0)
        tune_lock_release(lock);
    if (live != NULL)
        tune_live_close(live);
    free(results);
    clscan__document_free(&config);
    return status;
}
