/* What probes found, kept for the process and on disk. */
#ifndef CLSCAN_PROBE_KEPT_H
#define CLSCAN_PROBE_KEPT_H

#include <stdbool.h>

#include <clscan/probe.h>

#include "base/text.h"
#include "program/compose.h"

/* Findings that the process remembers; the oldest makes room. */
#define CLSCAN__PROBE_CAPACITY 16u

/* Find what a probe with this program found on the device. Not
 * thread-safe against itself and clscan__probe_keep(): the caller sees to that. */
bool clscan__probe_recall(cl_device_id device, const clscan__program_spec *spec, clscan_probe_finding *finding);

/* Keep a finding; replaces an older one of the same program and device. */
void clscan__probe_keep(cl_device_id device, const clscan__program_spec *spec, const clscan_probe_finding *finding);

/* A finding as text, and back: counts, time and duration, which are judged anew. read() is false, and `finding`
 * unchanged, if the text is anything else. */
void clscan__probe_write(const clscan_probe_finding *finding, clscan__text *text);
bool clscan__probe_read(const char *text, size_t text_bytes, clscan_probe_finding *finding);

#endif
