/* Devices that exist only as formulas, so that the tuner's parts can be tested without one. */
#ifndef CLSCAN_TESTS_SYNTHETIC_H
#define CLSCAN_TESTS_SYNTHETIC_H

#include "output/config.h"
#include "record/memo.h"
#include "trial/evaluator.h"

/* What decides the times. The formulas are not those of the tuner's model: it must not recognise itself. */
typedef struct synthetic_machine {
    clscan_device_info info;
    double launch_ns;          /* of one kernel */
    double bytes_per_ns;       /* with everything in flight that is needed */
    double flight_bytes;       /* needed in flight for that */
    double hop_ns;             /* from one work-group to the next that waits for it */
    double item_bytes;         /* registers of a work-item before they spill */
    double unit_registers;     /* that the work-groups of a compute unit share */
    double strided_efficiency; /* of rows that are longer than one load */
    double item_ns;            /* serial work per element of a work-item */
    double roughness;          /* relative, different for each variant and count, the same each time */
    uint64_t salt;
} synthetic_machine;

/* A large GPU, the same with shuffles and asynchronous copies, and a CPU with two threads. */
extern const synthetic_machine synthetic_gpu, synthetic_new_gpu, synthetic_cpu;

/* What a config of synthetic_gpu begins with; entries are added to copies. */
extern const clscan__document synthetic_config;

double synthetic_time_ns(const synthetic_machine *machine, const tune_target *target, const clscan_variant *variant,
                         uint64_t count);

/* An evaluator that answers by the formula. */
typedef struct synthetic_run {
    const synthetic_machine *machine;
    unsigned failing_percent; /* of the variants fail, each in its own way */
    double elapsed_s;
    unsigned asked;     /* trials */
    unsigned announced; /* candidates */
    unsigned soaked;
    bool soak_fails;
    const clscan_variant *fails_again; /* this one does whenever it is measured again */
    tune_memo prepared, answered;
} synthetic_run;

tune_evaluator synthetic_evaluator(synthetic_run *run);
void synthetic_run_free(synthetic_run *run);

#endif
