/* What a scan should cost: a ranking of candidates before any is measured.
 *
 * From StreamScan: memory traffic of 2N, 3N or 4N by the carry; a chain of hops between neighbouring tiles, so that
 * larger tiles wait less; rows of work-items that are read piece by piece miss the bandwidth, unless a thread group
 * transposes them; tiles beyond the registers spill. From Diéguez et al.: enough work-groups for every compute unit
 * (premise 1), as much work per work-item as the registers hold (premise 2), few chunks but enough of them to fill
 * the device (premise 3). And from Little's law: bandwidth needs bytes in flight. Of lookahead, that all its
 * work-groups must fit on their compute units at once, with the tiles that they hold
 * (docs/decisions/0011-lookahead.md).
 *
 * Its numbers are coarse; the search measures what the model ranks first, and corrects it by what it measures. */
#ifndef CLSCAN_TUNER_MODEL_H
#define CLSCAN_TUNER_MODEL_H

#include "trial/trial.h"

typedef struct tune_model {
    clscan_device_info device;
    tune_target target;
    clscan_problem problem;  /* of nothing but the elements; points into the target that was given */
    double element_bytes;    /* of one */
    double launch_ns;        /* of one kernel */
    double bytes_per_ns;     /* of a copy, read plus written */
    double flight_bytes;     /* must be in flight for that, over the whole device */
    double hop_ns;           /* from a tile's publication to its successor's */
    double item_bytes;       /* registers that a work-item has for elements */
    double resident_items;   /* work-items that one compute unit holds at a time */
    double unit_registers;   /* of 4 bytes, that these share */
    double latency_ns;       /* of memory: so long a byte that lookahead has asked for is in flight */
    double row_efficiency;   /* of the bandwidth, where a row is read piece by piece */
    double item_ns;          /* of one element in one work-item */
    double barrier_ns;       /* of one step of the group scan */
    double item_overhead_ns; /* of one work-item in one tile, where work-items are loops on a core */
    double transpose_ns;     /* of one element that passes through local memory to be transposed */
} tune_model;

/* Figures for the class of the device. */
void tune_model_init(tune_model *model, const clscan_device_info *device, const tune_target *target);
/* Take launch time and bandwidth from the measured times of a copy of few and of many bytes (read plus written). */
void tune_model_calibrate(tune_model *model, double small_ns, double large_ns, double large_bytes);

/* Expected time to compile and validate it: registers are unrolled, so code grows with them. */
double tune_model_prepare_s(const tune_model *model, const clscan_variant *variant);

/* Expected time of one scan, or of all rows of so many elements. */
double tune_model_time_ns(const tune_model *model, const clscan_variant *variant, uint64_t count);

#endif
