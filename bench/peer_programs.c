/* The peers that are programs: contenders by one process each. */
#include "cub_groups.h"
#include "peer_process.h"
#include "peers.h"

static bench_process cub = {.program = BENCH_CUB_PROGRAM, .remedy = BENCH_CUB_REMEDY};
static bench_process pyopencl = {.program = "clscan-peer-pyopencl", .remedy = "the build puts it there"};

static measure_outcome prepare_cub(measure_contender *contender, const measure_case *c)
{
    contender->state = &cub;
    return bench_process_load(&cub, c, &contender->note);
}

static measure_outcome prepare_pyopencl(measure_contender *contender, const measure_case *c)
{
    contender->state = &pyopencl;
    return bench_process_load(&pyopencl, c, &contender->note);
}

static bool time_command(const char *command, measure_contender *contender, measure_clock clock, uint64_t *nanoseconds)
{
    return bench_process_begin(contender->state, command, clock, &contender->note) &&
           bench_process_end(contender->state, nanoseconds, &contender->note);
}

static bool time_scan(measure_contender *contender, const measure_case *c, measure_clock clock, uint64_t *nanoseconds)
{
    (void)c;
    return time_command("run", contender, clock, nanoseconds);
}

static bool time_copy(measure_contender *contender, const measure_case *c, measure_clock clock, uint64_t *nanoseconds)
{
    (void)c;
    return time_command("copy", contender, clock, nanoseconds);
}

static bool fetch(measure_contender *contender, const measure_case *c)
{
    return bench_process_fetch(contender->state, c, &contender->note);
}

/* The first of the contenders of a process lets it free its memory. */
static void release(measure_contender *contender)
{
    if (contender->state != NULL)
        bench_process_unload(contender->state);
}

const measure_kind bench_peer_cub = {.name = "cub",
                                     .scans = true,
                                     .rows = true,
                                     .reduces = true,
                                     .segments = true,
                                     .selects = true,
                                     .prepare = prepare_cub,
                                     .time = time_scan,
                                     .fetch = fetch,
                                     .release = release};
const measure_kind bench_peer_cub_copy = {
    .name = "cub copy", .prepare = prepare_cub, .time = time_copy, .release = release};
const measure_kind bench_peer_pyopencl = {.name = "pyopencl",
                                          .scans = true,
                                          .prepare = prepare_pyopencl,
                                          .time = time_scan,
                                          .fetch = fetch,
                                          .release = release};

void bench_peers_close(void)
{
    bench_child_stop(&cub.child);
    bench_child_stop(&pyopencl.child);
    bench_cub_groups_close();
}
