#include "lineup.h"

#include <stdio.h>
#include <string.h>

#include "measure/library.h"
#include "peers.h"

measure_contender *bench_lineup_add(bench_lineup *lineup, const measure_kind *kind, const char *name,
                                    const char *request)
{
    measure_contender *added = &lineup->all[lineup->count++];

    memset(added, 0, sizeof *added);
    added->kind = kind;
    added->request = request;
    snprintf(added->name, sizeof added->name, "%s", name);
    return added;
}

void bench_lineup_add_yardsticks(bench_lineup *lineup, const bench_options *options, const measure_case *c)
{
    const bool with_empty = options->latency || c->device->both_clocks;
    const measure_kind *kinds[MEASURE_MAX_YARDSTICKS];
    const size_t count = measure_yardsticks(c->device, with_empty, kinds);

    for (size_t i = 0; i < count; ++i)
        bench_lineup_add(lineup, kinds[i], kinds[i]->name, NULL);
    if (c->problem.reduces)
        bench_lineup_add(lineup, &measure_read_kernel, measure_read_kernel.name, NULL);
}

/* One of the library, and the same with its count on the device. */
static void add_library(bench_lineup *lineup, const bench_options *options, const char *name, const char *request)
{
    char counted[MEASURE_NAME_BYTES];

    bench_lineup_add(lineup, &measure_library, name, request);
    if (!options->device_count)
        return;
    snprintf(counted, sizeof counted, "%.200s (device count)", name);
    bench_lineup_add(lineup, &measure_library_counted, counted, request);
}

void bench_lineup_add_library(bench_lineup *lineup, const bench_options *options, const measure_case *c)
{
    if (options->configured)
        add_library(lineup, options, "clscan config", NULL);
    for (size_t i = 0; i < options->strategy_count; ++i) {
        const bench_strategy *strategy = options->strategies[i];
        char name[MEASURE_NAME_BYTES];

        snprintf(name, sizeof name, "clscan %s", strategy->name);
        add_library(lineup, options, name,
                    bench_strategy_shape(strategy, &c->device->info, &c->problem, lineup->shapes[i]));
    }
    for (size_t i = 0; i < options->variant_count; ++i)
        add_library(lineup, options, "clscan", options->variants[i]);
}

void bench_lineup_add_peers(bench_lineup *lineup, const bench_options *options, const measure_case *c)
{
    for (size_t i = 0; i < options->peer_count; ++i) {
        const measure_kind *peer = options->peers[i];

        if (c->problem.element == NULL)
            bench_lineup_add(lineup, peer, peer->name, NULL);
        else if (peer == &bench_peer_serial)
            bench_lineup_add(lineup, &bench_peer_serial_elements, peer->name, NULL);
    }
}
