#include "synthetic.h"
#include "problem_of.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "config_file/axes.h"
#include "space/random.h"

/* clang-format off */
const synthetic_machine synthetic_gpu = {
    .info = {.struct_size = sizeof(clscan_device_info), .platform_name = "Formulas", .name = "Imagined GPU", .vendor = "Nobody", .driver_version = "1.0",
             .version = 300, .c_version = 300, .device_class = CLSCAN_DEVICE_CLASS_GPU, .compute_units = 108,
             .max_work_group_size = 1024, .base_align_bytes = 256, .global_memory_bytes = UINT64_C(1) << 36,
             .max_allocation_bytes = UINT64_C(1) << 34, .local_memory_bytes = 49152, .has_double = 1,
             .has_int64_atomics = 1, .key = "imagined-gpu", .family = "nobody-gpu", .generic = "generic-gpu",
             .sub_group_size = 32, .mechanism = CLSCAN_MECHANISM_ATOMIC64, .progress = CLSCAN_PROGRESS_OCCUPANCY},
    .launch_ns = 4000, .bytes_per_ns = 1500, .flight_bytes = 2e6, .hop_ns = 700, .item_bytes = 192,
    .unit_registers = 65536, .strided_efficiency = 0.35, .item_ns = 3, .roughness = 0.03, .salt = 17};

const synthetic_machine synthetic_new_gpu = {
    .info = {.struct_size = sizeof(clscan_device_info), .platform_name = "Formulas", .name = "Imagined new GPU", .vendor = "Nobody", .driver_version = "1.0",
             .version = 300, .c_version = 300, .device_class = CLSCAN_DEVICE_CLASS_GPU, .compute_units = 120,
             .max_work_group_size = 1024, .base_align_bytes = 256, .global_memory_bytes = UINT64_C(1) << 36,
             .max_allocation_bytes = UINT64_C(1) << 34, .local_memory_bytes = 49152, .has_double = 1,
             .has_int64_atomics = 1, .key = "imagined-new-gpu", .family = "nobody-gpu", .generic = "generic-gpu",
             .nv_compute_capability = 90, .sub_group_size = 32, .mechanism = CLSCAN_MECHANISM_PTX,
             .progress = CLSCAN_PROGRESS_OCCUPANCY, .register_file_bytes = 262144},
    .launch_ns = 4000, .bytes_per_ns = 3600, .flight_bytes = 9e6, .hop_ns = 700, .item_bytes = 192,
    .unit_registers = 65536, .strided_efficiency = 0.35, .item_ns = 3, .roughness = 0.01, .salt = 31};

const synthetic_machine synthetic_cpu = {
    .info = {.struct_size = sizeof(clscan_device_info), .platform_name = "Formulas", .name = "Imagined CPU", .vendor = "Nobody", .driver_version = "2.0",
             .version = 300, .c_version = 120, .device_class = CLSCAN_DEVICE_CLASS_CPU, .compute_units = 2,
             .max_work_group_size = 4096, .base_align_bytes = 128, .global_memory_bytes = UINT64_C(1) << 34,
             .max_allocation_bytes = UINT64_C(1) << 32, .local_memory_bytes = 1 << 20, .has_double = 1,
             .has_int64_atomics = 1, .key = "imagined-cpu", .family = "nobody-cpu", .generic = "generic-cpu",
             .mechanism = CLSCAN_MECHANISM_ATOMIC64, .progress = CLSCAN_PROGRESS_OCCUPANCY},
    .launch_ns = 9000, .bytes_per_ns = 18, .flight_bytes = 4e3, .hop_ns = 250, .item_bytes = 4096, .unit_registers = 1e9,
    .strided_efficiency = 0.95, .item_ns = 0.6, .roughness = 0.03, .salt = 23};
/* clang-format on */

const clscan__document synthetic_config = {.match = "imagined-gpu",
                                           .provenance = {.origin = CLSCAN__ORIGIN_TUNED, .date = "2026-11-21"}};

static uint64_t hash_variant(const clscan_variant *variant, uint64_t salt)
{
    uint32_t words[sizeof *variant / sizeof(uint32_t)];

    memcpy(words, variant, sizeof words);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
        salt = tune_mix(salt ^ words[i]);
    return salt;
}

static double rough(const synthetic_machine *machine, const clscan_variant *variant, uint64_t count)
{
    const uint64_t hash = hash_variant(variant, machine->salt + count);

    return 1 + machine->roughness * ((double)(hash >> 11) / 9007199254740992.0 - 0.5);
}

/* Fraction of the bandwidth that the accesses of one work-item leave. */
static double access_efficiency(const synthetic_machine *machine, const clscan_variant *variant, uint32_t size_bytes)
{
    const double load_bytes = (double)variant->vector_length * size_bytes;
    const bool one_load = variant->register_pieces + variant->local_pieces == 1;

    if (variant->body == CLSCAN_BODY_STRIDED && !one_load)
        return machine->strided_efficiency * fmin(1.0, 0.5 + load_bytes / 32);
    return load_bytes < 4 ? 0.7 : load_bytes > 16 ? 0.9 : 1.0;
}

static double spilling(const synthetic_machine *machine, const clscan_variant *variant, clscan_type type)
{
    const double item_bytes = (double)clscan_variant_register_bytes(variant, PROBLEM_OF(type, CLSCAN_ADD)) /
                              variant->work_group_size / machine->item_bytes;

    return item_bytes > 1 ? 1 + 2 * (item_bytes - 1) : 1;
}

/* Work-groups that stay: those that do not fit run after the others. Two tiles of each are in flight. */
static double lookahead_ns(const synthetic_machine *machine, const clscan_variant *variant, clscan_type type,
                           double bytes, double tiles)
{
    const double tile_bytes = (double)clscan_variant_register_bytes(variant, PROBLEM_OF(type, CLSCAN_ADD)),
                 size = variant->work_group_size;
    const double item_registers = 36 + tile_bytes / size / 4 * (variant->landing_zones > 0 ? 1.1 : 2.1);
    const double room = fmin(machine->unit_registers / fmax(32, item_registers) / size,
                             2.2 * (double)machine->info.local_memory_bytes /
                                 (double)clscan_variant_local_bytes(variant, PROBLEM_OF(type, CLSCAN_ADD)));
    const double wanted = variant->work_groups_per_unit, resident = fmax(1, floor(fmin(room, 2048 / size)));
    const double flight = fmin(tiles, fmin(wanted, resident) * machine->info.compute_units) * 2 * tile_bytes;
    const double bandwidth = machine->bytes_per_ns * tanh(1.5 * flight / machine->flight_bytes) *
                             (variant->vector_length * clscan_type_size_bytes(type) == 16 ? 1 : 0.85) *
                             fmin(1, resident * size / 384);
    const double waves = resident < wanted ? 1.35 : item_registers > 255 ? 1.8 : 1;

    return machine->launch_ns + machine->hop_ns + 12 * log2(size) + machine->item_ns * tile_bytes / size / 4 +
           waves * 2 * bytes / bandwidth;
}

double synthetic_time_ns(const synthetic_machine *machine, const tune_target *target, const clscan_variant *variant,
                         uint64_t count)
{
    const clscan_type type = target->type;
    const double tile = (double)clscan_variant_tile_count(variant), bytes = (double)count * target->element_size_bytes;
    const double tiles = ceil((double)count / tile), units = machine->info.compute_units;
    const double room = floor((double)machine->info.local_memory_bytes /
                              (double)clscan_variant_local_bytes(variant, PROBLEM_OF(type, CLSCAN_ADD)));
    const double resident = units * fmax(1, fmin(fmin(room, 2048.0 / variant->work_group_size), 16));
    const bool adjacent = variant->carry == CLSCAN_CARRY_ADJACENT;
    const double hop_ns = machine->hop_ns * (1 + variant->poll_delay / 4000.0);
    const bool two = variant->carry == CLSCAN_CARRY_REDUCE_THEN_SCAN || variant->carry == CLSCAN_CARRY_SCAN_THEN_ADD;
    const double passes = variant->carry == CLSCAN_CARRY_SCAN_THEN_ADD ? 4 : two ? 3 : 2;
    double groups = variant->carry == CLSCAN_CARRY_SINGLE ? 1 : tiles;
    double flight, bandwidth, tile_ns, time_ns;

    if (two)
        groups = fmin(groups, units * variant->work_groups_per_unit);
    if (adjacent)
        groups = ceil(groups / variant->tiles_per_work_group);
    flight = fmin(groups, resident) * fmin(tile, (double)count) * target->element_size_bytes;
    bandwidth = machine->bytes_per_ns * fmin(1, sqrt(flight / machine->flight_bytes)) *
                access_efficiency(machine, variant, target->element_size_bytes) / spilling(machine, variant, type);
    tile_ns = tile / variant->work_group_size * machine->item_ns +
              log2(2.0 * variant->work_group_size) * (variant->group_scan == CLSCAN_GROUP_SCAN_BRENT_KUNG ? 28 : 18);
    if (machine->info.device_class == CLSCAN_DEVICE_CLASS_CPU)
        tile_ns += 6.0 * variant->work_group_size + (variant->body == CLSCAN_BODY_STRIDED ? 0 : tile * 0.3);
    if (variant->body == CLSCAN_BODY_MATRIX)
        tile_ns *= 1.2;
    if (variant->carry == CLSCAN_CARRY_LOOKAHEAD)
        return lookahead_ns(machine, variant, type, bytes, tiles) * rough(machine, variant, count);
    time_ns = (two && groups > 1 ? 2 : 1) * machine->launch_ns + passes * bytes / bandwidth +
              ceil(tiles / fmin(groups, resident)) * tile_ns;
    if (adjacent)
        time_ns = fmax(time_ns, machine->launch_ns + ceil(tiles / variant->tiles_per_work_group) *
                                                         (hop_ns + (variant->tiles_per_work_group - 1) * tile_ns));
    if (variant->carry == CLSCAN_CARRY_ALL_TOTALS) /* each generation of work-groups waits for two hops */
        time_ns += ceil(tiles / fmin(groups, resident)) * 2 * hop_ns;
    if (variant->carry == CLSCAN_CARRY_LOOKBACK) /* many tiles are passed in one hop */
        time_ns = fmax(time_ns, machine->launch_ns + tiles * hop_ns / 5);
    return time_ns * rough(machine, variant, count);
}

static void evaluate(void *self, tune_trial *trial)
{
    static const tune_outcome failures[] = {TUNE_OUTCOME_COMPILE, TUNE_OUTCOME_RUNTIME, TUNE_OUTCOME_TIMEOUT,
                                            TUNE_OUTCOME_CORRECTNESS};
    synthetic_run *run = self;
    const uint64_t hash = hash_variant(&trial->variant, run->machine->salt);
    const tune_trial prepared = {.target = trial->target, .variant = trial->variant, .count = 1};

    ++run->asked;
    if (hash % 100 < run->failing_percent) {
        trial->outcome = failures[hash / 100 % 4];
        snprintf(trial->reason, sizeof trial->reason, "it was made to fail");
        run->elapsed_s += trial->outcome == TUNE_OUTCOME_TIMEOUT ? 5 : 0.2;
        return;
    }
    if (run->fails_again != NULL && clscan__variant_equal(run->fails_again, &trial->variant)) {
        if (tune_memo_find(&run->answered, &trial->target, &trial->variant, trial->count) != NULL) {
            trial->outcome = TUNE_OUTCOME_CORRECTNESS;
            snprintf(trial->reason, sizeof trial->reason, "element 5 should be 6, is 7");
            return;
        }
        tune_memo_put(&run->answered, trial);
    }
    trial->outcome = TUNE_OUTCOME_CORRECT;
    trial->time_ns = synthetic_time_ns(run->machine, &trial->target, &trial->variant, trial->count);
    trial->spread_ns = 0.005 * trial->time_ns;
    trial->host_time_ns = trial->time_ns + 5000;
    trial->copy_ns = run->machine->launch_ns +
                     2.0 * (double)trial->count * trial->target.element_size_bytes / run->machine->bytes_per_ns;
    trial->runs = 21;
    if (tune_memo_find(&run->prepared, &trial->target, &trial->variant, 1) == NULL) {
        tune_memo_put(&run->prepared, &prepared);
        trial->compile_ns = 3e8;
        trial->validate_ns = 1e8;
    }
    trial->kernel_work_group_size = 1024;
    trial->local_bytes = clscan_variant_local_bytes(&trial->variant, PROBLEM_OF(trial->target.type, CLSCAN_ADD));
    snprintf(trial->revision, sizeof trial->revision, "0123456789abcdef");
    run->elapsed_s += (trial->compile_ns + trial->validate_ns + 30 * trial->time_ns) * 1e-9;
}

static void announce(void *self, const tune_target *target, const clscan_variant *variants, size_t count)
{
    (void)target;
    (void)variants;
    ((synthetic_run *)self)->announced += (unsigned)count;
}

static void soak(void *self, tune_trial *trial, unsigned runs)
{
    synthetic_run *run = self;

    ++run->soaked;
    run->elapsed_s += runs * trial->time_ns * 1e-9;
    trial->outcome = run->soak_fails ? TUNE_OUTCOME_CORRECTNESS : TUNE_OUTCOME_CORRECT;
    snprintf(trial->reason, sizeof trial->reason, "%s", run->soak_fails ? "element 5 should be 6, is 7" : "");
}

static double elapsed_s(void *self)
{
    return ((synthetic_run *)self)->elapsed_s;
}

tune_evaluator synthetic_evaluator(synthetic_run *run)
{
    return (tune_evaluator){
        .self = run, .evaluate = evaluate, .announce = announce, .soak = soak, .elapsed_s = elapsed_s};
}

void synthetic_run_free(synthetic_run *run)
{
    tune_memo_free(&run->prepared);
    tune_memo_free(&run->answered);
}
