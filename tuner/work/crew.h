/* The workers of one tuner: one that measures, others that compile ahead; started, watched and replaced here. */
#ifndef CLSCAN_TUNER_CREW_H
#define CLSCAN_TUNER_CREW_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include "work/ahead.h"
#include "work/link.h"

#define TUNE_AHEAD_AUTO (-1) /* one for each of this machine's cores but one, at most 8 */

/* Zero it, set what is wanted. */
typedef struct tune_live_options {
    const char *device;                       /* as for clscan_device_find(); NULL: the default one */
    const volatile sig_atomic_t *interrupted; /* not 0: a trial ends at once; soaking goes on; may be NULL */
    const char *const *command; /* of a worker, NULL-terminated; the device is put behind it; NULL: this program's
                                     own file with --worker */
    int ahead;                  /* workers that compile ahead, 0 to TUNE_MAX_AHEAD, or TUNE_AHEAD_AUTO */
    uint32_t deadline_ms[TUNE_REQUEST_COUNT]; /* 0: the default of TUNE_REQUEST_LIST */
    unsigned probes;                          /* attempts to get a right answer after a hang or a crash; 0: 6 */
    uint32_t probe_pause_ms;                  /* before the second attempt; doubles each time; 0: 500 */
} tune_live_options;

typedef struct tune_crew {
    char selector[32];
    char *command[TUNE_MAX_WORDS + 1];
    tune_live_options options; /* all filled in */
    clscan_device_info device;
    size_t device_index;
    tune_link link;      /* to the worker that measures */
    unsigned generation; /* how many of those there have been */
    tune_ahead ahead;
    bool may_cut;                   /* requests are about a trial, which an interrupt or the end cuts off */
    uint64_t end_ns;                /* of clscan__now_ns(); 0: there is no end */
    bool cut_off;                   /* the last request was */
    char broken[TUNE_REASON_BYTES]; /* why no worker gets an answer from the device; "": one does */
} tune_crew;

/* As tune_live_list() and tune_live_open(). */
clscan_status tune_crew_list(const tune_live_options *options, clscan_device_info **devices, size_t *count,
                             size_t *chosen, clscan_error *error);
clscan_status tune_crew_open(tune_crew *crew, const tune_live_options *options, clscan_error *error);
void tune_crew_close(tune_crew *crew);

/* Ask the worker that measures, and wait; others compile ahead meanwhile, unless the request would be disturbed by it.
 * All but ANSWER come with a reason, and without a worker. What is cut off is a TIMEOUT. */
tune_reply tune_crew_ask(tune_crew *crew, tune_request *request, uint32_t deadline_ms, tune_answer *answer,
                         char reason[TUNE_REASON_BYTES]);

/* Does the worker that measures run? */
bool tune_crew_alive(tune_crew *crew);

/* Replace the worker that measures; if `probed`, by one that has run a scan on the device. Patient: after a hang a
 * device may need a while. Sets crew->broken if it was in vain. */
void tune_crew_recover(tune_crew *crew, bool probed);

/* If a worker is compiling the candidate ahead, wait for its end: that is sooner than doing it twice. */
void tune_crew_let_ahead_finish(tune_crew *crew, const tune_trial *trial);

#endif
