/* A candidate in a worker: compiled once, validated, then run at many counts. */
#ifndef CLSCAN_TUNER_CANDIDATE_H
#define CLSCAN_TUNER_CANDIDATE_H

#include "measure/measure.h"
#include "reference/case.h"
#include "trial/trial.h"

/* Validation asks for no more elements. */
#define TUNE_VALIDATION_COUNT (UINT64_C(1) << 21)

/* The variant with the target's operator, forward and inclusive, as it is timed; and with an operator that does not
 * commute, since a sum would hide what is out of order: scans are exclusive then. Zero it to begin; it must stay where
 * it is. */
typedef struct tune_candidate {
    bool compiled;
    bool in_place; /* may run in place */
    tune_trial about;
    clscan_problem timed_problem;
    clscan_problem mixed_problem;
    clscan_rows rows; /* of both, if the target has some */
    clscan_generator mixed_generator;
    clscan_case_fixture timed;
    clscan_case_fixture mixed; /* not of elements that are no numbers, nor of selections: no plan */
    measure_device *device;
} tune_candidate;

/* Both give *trial, whose question is set, an outcome and times; its count is the largest that will be run. */
void tune_candidate_compile(tune_candidate *candidate, measure_device *device, tune_trial *trial);
void tune_candidate_validate(tune_candidate *candidate, tune_trial *trial);

void tune_candidate_release(tune_candidate *candidate);

/* After a run of a candidate: did it count rightly what a selection kept, or how many segments it summed up? *right is
 * true where nothing is counted. False if that could not be read. */
bool tune_candidate_counted(const measure_case *c, bool *right, measure_note *note);

/* The sample operator that stands for custom ones, for a target with a custom operator; else NULL. */
const clscan_sample_operator *tune_target_sample(const tune_target *target);

/* As contender in a measurement: its `state` is the candidate. */
extern const measure_kind tune_candidate_kind;

#endif
