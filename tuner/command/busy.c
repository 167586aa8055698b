#include "command/busy.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/clock.h"

/* Part of the time of one core that others may have before a measurement shows it. */
#define MUCH 0.10
/* Clocks of so many ticks say nothing of shorter times. */
#define LEAST_S 1.0

/* Columns of a line of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal. */
enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, COLUMNS };

bool tune_busy_parse(const char *stat, double ticks_per_s, tune_busy *busy)
{
    unsigned long long ticks[COLUMNS] = {0};
    const int found = sscanf(stat, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &ticks[USER], &ticks[NICE],
                             &ticks[SYSTEM], &ticks[IDLE], &ticks[IOWAIT], &ticks[IRQ], &ticks[SOFTIRQ], &ticks[STEAL]);

    if (found <= IDLE)
        return false;
    busy->all_s = (double)(ticks[USER] + ticks[NICE] + ticks[SYSTEM] + ticks[IRQ] + ticks[SOFTIRQ]) / ticks_per_s;
    busy->stolen_s = (double)ticks[STEAL] / ticks_per_s;
    busy->cores = 0;
    for (const char *line = strchr(stat, '\n'); line != NULL; line = strchr(line + 1, '\n'))
        busy->cores += strncmp(line + 1, "cpu", 3) == 0;
    return true;
}

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

static double spent_by(int who)
{
    struct rusage usage = {.ru_utime = {0}};

    return getrusage(who, &usage) == 0 ? seconds(usage.ru_utime) + seconds(usage.ru_stime) : 0;
}

bool tune_busy_now(tune_busy *busy)
{
    char text[65536];
    FILE *file = fopen("/proc/stat", "r");
    size_t bytes;

    if (file == NULL)
        return false;
    bytes = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[bytes] = '\0';
    busy->clock_s = clscan__now_seconds();
    busy->own_s = spent_by(RUSAGE_SELF) + spent_by(RUSAGE_CHILDREN);
    return tune_busy_parse(text, (double)sysconf(_SC_CLK_TCK), busy);
}

bool tune_busy_between(const tune_busy *begin, const tune_busy *end, char *text, size_t size_bytes)
{
    const double took_s = end->clock_s - begin->clock_s;
    const double others_s = end->all_s - begin->all_s - (end->own_s - begin->own_s);
    const double others = took_s > 0 ? fmax(0, others_s) / took_s : 0;
    const double stolen = took_s > 0 ? fmax(0, end->stolen_s - begin->stolen_s) / took_s : 0;

    text[0] = '\0';
    if (took_s < LEAST_S || (others < MUCH && stolen < MUCH))
        return false;
    snprintf(text, size_bytes,
             "other programs used %.1f of the %u cores meanwhile, and other virtual machines took %.1f: tune when the "
             "machine is idle",
             others, end->cores, stolen);
    return true;
}
