#include "rig.h"

#include <stdio.h>

#include "cmocka_all.h"

const uint64_t rig_counts[RIG_COUNTS] = {1 << 10, 1 << 14, 1 << 18, 1 << 22, 1 << 26};

const char rig_reduced_space[] =
    "body=strided|coalesced,group_scan=kogge_stone,work_group_size=64:512,vector_length=1|2|4,register_pieces=0|1|2|4,"
    "local_pieces=0|1|2,thread_group_size=16|32,work_groups_per_unit=4|8|16,tiles_per_work_group=1|4,poll_delay=0";

const char rig_tiny_space[] =
    "body=strided,group_scan=kogge_stone,carry=reduce_then_scan|single,work_group_size=64|256,"
    "vector_length=4,register_pieces=1|2,local_pieces=0|1,work_groups_per_unit=8";

static clscan_error last_error;

void rig_prepare(rig *r, const synthetic_machine *machine, const char *only, clscan_type type, uint64_t seed)
{
    const tune_target target = tune_target_of(type, CLSCAN_ADD);

    rig_prepare_target(r, machine, only, &target, rig_counts, seed);
}

void rig_prepare_target(rig *r, const synthetic_machine *machine, const char *only, const tune_target *target,
                        const uint64_t counts[RIG_COUNTS], uint64_t seed)
{
    *r = (rig){.run = {.machine = machine}};
    r->evaluator = synthetic_evaluator(&r->run);
    assert_int_equal(tune_space_create(&r->space, TUNE_SPACE_DEFAULT, only, target, &machine->info, &last_error),
                     CLSCAN_OK);
    for (size_t i = 0; i < RIG_COUNTS; ++i) {
        clscan_choice choice = {.struct_size = sizeof choice};
        clscan_rows rows;
        const clscan_problem problem = tune_target_problem_at(target, counts[i], &rows);

        assert_int_equal(clscan_config_explain(NULL, &machine->info, &problem, counts[i], 0, &choice, &last_error),
                         CLSCAN_OK);
        r->defaults[i] = choice.variant;
    }
    r->setup = (tune_search_setup){.target = *target,
                                   .space = &r->space,
                                   .counts = counts,
                                   .count_count = RIG_COUNTS,
                                   .defaults = r->defaults,
                                   .evaluator = &r->evaluator,
                                   .interrupted = &r->interrupted,
                                   .seed = seed};
}

tune_header rig_header(const rig *r, const char *only, const char *strategy)
{
    tune_header header = {.device = r->run.machine->info, .seed = r->setup.seed};

    snprintf(header.clscan_version, sizeof header.clscan_version, "0.1.0");
    snprintf(header.space, sizeof header.space, "default");
    snprintf(header.only, sizeof header.only, "%s", only);
    snprintf(header.strategy, sizeof header.strategy, "%s", strategy);
    assert_int_equal(tune_header_add(&header, &r->setup.target, rig_counts, r->defaults, RIG_COUNTS, &last_error),
                     CLSCAN_OK);
    return header;
}

void rig_run(rig *r, const char *strategy)
{
    assert_int_equal(tune_search_create(&r->setup, &r->search, &last_error), CLSCAN_OK);
    if (tune_search_run(r->search, tune_strategy_find(strategy), &last_error) != CLSCAN_OK)
        fail_msg("%s", last_error.message);
}

void rig_finish(rig *r)
{
    tune_search_destroy(r->search);
    tune_space_free(&r->space);
    synthetic_run_free(&r->run);
}
