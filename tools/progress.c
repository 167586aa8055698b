#include "progress.h"

#include <stdio.h>
#include <string.h>

#include <sys/ioctl.h>
#include <unistd.h>

#include "chunks.h"
#include "command_line/failure.h"
#include "common/clock.h"

#define BAR_FIRST_SECONDS 0.5
#define BAR_EVERY_SECONDS 0.2
#define LINE_EVERY_SECONDS 10.0

/* What stands beside the bar and the label. */
#define TEXT_COLUMNS 58
#define MAX_BAR_COLUMNS 40

clscan_status read_progress(const char *text, void *target, clscan_error *error)
{
    static const char *const names[] = {
#define X(name, word) #word,
        PROGRESS_LIST(X)
#undef X
    };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        if (strcmp(text, names[i]) == 0) {
            *(progress_mode *)target = (progress_mode)i;
            return CLSCAN_OK;
        }
    }
    return fail(error, CLSCAN_ERROR_INVALID_VALUE, "'%s' is no kind of progress; there are auto, bar, lines, none",
                text);
}

void progress_begin(progress *p, const char *label, progress_mode wanted, uint64_t total_bytes)
{
    *p = (progress){.mode = wanted, .label = label, .always = wanted != PROGRESS_AUTO, .total_bytes = total_bytes};
    if (wanted == PROGRESS_AUTO)
        p->mode = isatty(STDERR_FILENO) ? PROGRESS_BAR : PROGRESS_LINES;
    pthread_mutex_init(&p->lock, NULL);
    p->begin = clscan__now_seconds();
    p->next = p->begin + (p->mode == PROGRESS_BAR ? BAR_FIRST_SECONDS : LINE_EVERY_SECONDS);
}

/* "1.5 GiB" */
static const char *format_bytes(double bytes, char text[16])
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    size_t unit = 0;

    while (bytes >= 1000.0 && unit + 1 < sizeof units / sizeof units[0]) {
        bytes /= 1024.0;
        ++unit;
    }
    snprintf(text, 16, unit == 0 || bytes >= 100.0 ? "%.0f %s" : "%.1f %s", bytes, units[unit]);
    return text;
}

/* "1:05:09" */
static const char *format_seconds(double seconds, char text[24])
{
    const unsigned long whole = seconds < 1e9 ? (unsigned long)(seconds + 0.5) : 1000000000ul;

    if (whole >= 3600)
        snprintf(text, 24, "%lu:%02lu:%02lu", whole / 3600, whole / 60 % 60, whole % 60);
    else
        snprintf(text, 24, "%lu:%02lu", whole / 60, whole % 60);
    return text;
}

#define LINE_BYTES 256

/* Columns of the terminal that are left for a bar. */
static int bar_columns(const progress *p)
{
    struct winsize size;
    int columns = 80;

    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        columns = size.ws_col;
    columns -= TEXT_COLUMNS + (int)(strlen(p->label) + strlen(p->devices));
    return columns > MAX_BAR_COLUMNS ? MAX_BAR_COLUMNS : columns;
}

static void format_bar(const progress *p, double fraction, char text[MAX_BAR_COLUMNS + 3])
{
    const int columns = bar_columns(p) - 3;
    const int full = (int)(fraction * columns);

    text[0] = '\0';
    if (columns < 5)
        return;
    text[0] = '[';
    for (int i = 0; i < columns; ++i)
        text[1 + i] = i < full ? '#' : '-';
    strcpy(text + 1 + columns, "] ");
}

/* Half of the way is reading, half is writing. */
static void format_line(const progress *p, double now, char *text, size_t text_bytes)
{
    const double elapsed = now > p->begin ? now - p->begin : 1e-9;
    const double done_bytes = ((double)p->read_bytes + (double)p->written_bytes) / 2.0;
    char done_text[16], total_text[16], rate_text[16], left_text[24];
    char bar[MAX_BAR_COLUMNS + 3] = "";

    format_bytes(done_bytes, done_text);
    format_bytes(done_bytes / elapsed, rate_text);
    if (p->total_bytes == COUNT_UNKNOWN) {
        snprintf(text, text_bytes, "%s: %s, %s/s%s", p->label, done_text, rate_text, p->devices);
    } else {
        const double fraction = p->total_bytes > 0 ? done_bytes / (double)p->total_bytes : 1.0;
        const double left = fraction > 0.0 ? elapsed * (1.0 - fraction) / fraction : 0.0;

        if (p->mode == PROGRESS_BAR)
            format_bar(p, fraction, bar);
        snprintf(text, text_bytes, "%s: %3.0f %% %s%s of %s, %s/s, %s left%s", p->label, 100.0 * fraction, bar,
                 done_text, format_bytes((double)p->total_bytes, total_text), rate_text,
                 format_seconds(left, left_text), p->devices);
    }
}

static void print(progress *p, const char *line)
{
    if (p->mode == PROGRESS_BAR)
        fprintf(stderr, "\r%s\033[K", line);
    else
        fprintf(stderr, "%s\n", line);
    p->printed = true;
}

void progress_add(progress *p, uint64_t read_bytes, uint64_t written_bytes)
{
    double now;
    char line[LINE_BYTES];

    if (p->mode == PROGRESS_NONE)
        return;
    now = clscan__now_seconds();
    pthread_mutex_lock(&p->lock);
    p->read_bytes += read_bytes;
    p->written_bytes += written_bytes;
    if (now >= p->next) {
        p->next = now + (p->mode == PROGRESS_BAR ? BAR_EVERY_SECONDS : LINE_EVERY_SECONDS);
        format_line(p, now, line, sizeof line);
        print(p, line);
    }
    pthread_mutex_unlock(&p->lock);
}

/* "; device 0: 23.4 KiB, 1: 7.8 KiB"; false: there is no room for all. */
static bool format_each(const double *bytes, size_t count, char text[PROGRESS_DEVICES_BYTES])
{
    char one[16];
    size_t length = 0;

    for (size_t i = 0; i < count && length < PROGRESS_DEVICES_BYTES; ++i)
        length += (size_t)snprintf(text + length, PROGRESS_DEVICES_BYTES - length, "%s %zu: %s",
                                   i == 0 ? "; device" : ",", i, format_bytes(bytes[i], one));
    return length < PROGRESS_DEVICES_BYTES;
}

/* "; 16 devices: 7.8 KiB (device 3) to 23.4 KiB (device 0)" */
static void format_range(const double *bytes, size_t count, char text[PROGRESS_DEVICES_BYTES])
{
    char least_text[16], most_text[16];
    size_t least = 0, most = 0;

    for (size_t i = 1; i < count; ++i) {
        least = bytes[i] < bytes[least] ? i : least;
        most = bytes[i] > bytes[most] ? i : most;
    }
    format_bytes(bytes[least], least_text);
    format_bytes(bytes[most], most_text);
    if (strcmp(least_text, most_text) == 0)
        snprintf(text, PROGRESS_DEVICES_BYTES, "; %zu devices: %s each", count, most_text);
    else
        snprintf(text, PROGRESS_DEVICES_BYTES, "; %zu devices: %s (device %zu) to %s (device %zu)", count, least_text,
                 least, most_text, most);
}

void progress_devices(progress *p, const double *bytes, size_t count)
{
    char text[PROGRESS_DEVICES_BYTES] = "";

    if (p->mode == PROGRESS_NONE || count < 2)
        return;
    if (!format_each(bytes, count, text))
        format_range(bytes, count, text);
    pthread_mutex_lock(&p->lock);
    memcpy(p->devices, text, sizeof text);
    pthread_mutex_unlock(&p->lock);
}

void progress_end(progress *p, bool success)
{
    const double elapsed = clscan__now_seconds() - p->begin;
    char bytes_text[16], rate_text[16], time_text[24];
    char line[LINE_BYTES];

    if (success && p->mode != PROGRESS_NONE && (p->always || p->printed)) {
        snprintf(line, sizeof line, "%s: %s in %s, %s/s%s", p->label, format_bytes((double)p->read_bytes, bytes_text),
                 format_seconds(elapsed, time_text),
                 format_bytes(elapsed > 0.0 ? (double)p->read_bytes / elapsed : 0.0, rate_text), p->devices);
        print(p, line);
    }
    if (p->mode == PROGRESS_BAR && p->printed)
        fputc('\n', stderr);
    pthread_mutex_destroy(&p->lock);
}
