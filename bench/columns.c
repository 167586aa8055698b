#include "columns.h"

#include "measure/case.h"
#include "suites.h"

const char *bench_outcome_name(measure_outcome outcome)
{
    static const char *const names[] = {"ok", "unavailable", "illegal", "WRONG", "failed"};

    return names[outcome];
}

const char *bench_clock_name(measure_clock clock)
{
    static const char *const names[] = {"host", "kernel", "queue"};

    return names[clock];
}

/* Of the input with its flags, of what says where its segments begin, and of what a contender writes. */
static double moved_bytes(const bench_row *row)
{
    const measure_problem *problem = &row->c->problem;

    if (row->contender->kind->reads)
        return (double)problem->bytes;
    if (!row->contender->kind->scans)
        return 2.0 * (double)problem->bytes;
    return (double)(measure_input_bytes(problem) + measure_flag_bytes(problem) + row->c->segment_bytes +
                    measure_output_bytes(problem) + measure_key_bytes(problem));
}

double bench_rate(const bench_row *row, double time_ns)
{
    return moved_bytes(row) / time_ns;
}

double bench_of_copy(const bench_row *row, double copy_ns, double time_ns)
{
    return copy_ns / time_ns * moved_bytes(row) / (2.0 * (double)row->c->problem.bytes);
}

double bench_of_read(const bench_row *row, double read_ns, double time_ns)
{
    return read_ns / time_ns * moved_bytes(row) / (double)row->c->problem.bytes;
}

bool bench_working_set(const bench_row *row, uint64_t *local_bytes, uint64_t *register_bytes)
{
    const clscan_problem problem = measure_clscan_problem(&row->c->problem);
    clscan_variant variant;

    if (row->contender->variant[0] == '\0' ||
        clscan_variant_parse(row->contender->variant, &variant, NULL) != CLSCAN_OK)
        return false;
    *local_bytes = clscan_variant_local_bytes(&variant, &problem);
    *register_bytes = clscan_variant_register_bytes(&variant, &problem);
    return true;
}

static bench_value none(void)
{
    return (bench_value){.kind = BENCH_VALUE_NONE};
}

static bench_value text(const char *text)
{
    return (bench_value){.kind = BENCH_VALUE_TEXT, .text = text};
}

static bench_value word(const char *text)
{
    return (bench_value){.kind = BENCH_VALUE_WORD, .text = text};
}

static bench_value count(uint64_t number)
{
    return (bench_value){.kind = BENCH_VALUE_COUNT, .count = number};
}

static bench_value real(double number, int decimals)
{
    return (bench_value){.kind = BENCH_VALUE_REAL, .real = number, .decimals = decimals};
}

/* Figures are those of contenders that ran and were right. */
static bench_value figure(const bench_row *row, bench_value value)
{
    return row->contender->outcome == MEASURE_OK ? value : none();
}

static bench_value suite(const bench_row *row)
{
    return word(row->experiment != NULL ? row->experiment->suite : "");
}

static bench_value experiment(const bench_row *row)
{
    return word(row->experiment != NULL ? row->experiment->name : "");
}

static bench_value round_of(const bench_row *row)
{
    return count(row->round);
}

static bench_value device(const bench_row *row)
{
    return text(row->c->device->info.name);
}

static bench_value driver(const bench_row *row)
{
    return text(row->c->device->info.driver_version);
}

static bench_value type(const bench_row *row)
{
    return word(measure_type_name(&row->c->problem));
}

static bench_value accumulator(const bench_row *row)
{
    return row->c->problem.maps != NULL ? word(measure_accumulator_name(&row->c->problem)) : none();
}

static bench_value output_type(const bench_row *row)
{
    return row->c->problem.maps != NULL ? word(clscan_type_name(measure_output_type(&row->c->problem))) : none();
}

static bench_value load(const bench_row *row)
{
    return row->c->problem.maps != NULL ? text(measure_load_text(&row->c->problem)) : none();
}

static bench_value store(const bench_row *row)
{
    return row->c->problem.maps != NULL ? text(measure_store_text(&row->c->problem)) : none();
}

static bench_value op(const bench_row *row)
{
    return word(measure_operator_name(&row->c->problem));
}

static bench_value form(const bench_row *row)
{
    return word(measure_form_name(&row->c->problem));
}

static bench_value direction(const bench_row *row)
{
    return word(row->c->problem.direction == CLSCAN_FORWARD ? "forward" : "reverse");
}

static bench_value in_place(const bench_row *row)
{
    return (bench_value){.kind = BENCH_VALUE_TRUTH, .count = row->c->problem.in_place};
}

static bench_value in_offset(const bench_row *row)
{
    return count(row->c->problem.in_offset);
}

static bench_value out_offset(const bench_row *row)
{
    return count(row->c->problem.out_offset);
}

static bench_value reproducible(const bench_row *row)
{
    return (bench_value){.kind = BENCH_VALUE_TRUTH, .count = row->c->problem.reproducible};
}

static bench_value elements(const bench_row *row)
{
    return count(row->c->problem.count);
}

static bench_value rows(const bench_row *row)
{
    return row->c->problem.rows.count > 0 ? count(row->c->problem.rows.count) : none();
}

static bench_value pitch(const bench_row *row)
{
    return row->c->problem.rows.in_pitch > 0 ? count(row->c->problem.rows.in_pitch) : none();
}

static bench_value axis(const bench_row *row)
{
    return row->c->problem.rows.dimensions > 0 ? count(row->c->problem.rows.axis) : none();
}

static bench_value cache(const bench_row *row)
{
    return word(row->c->rotation != NULL ? "cold" : "warm");
}

static bench_value contender(const bench_row *row)
{
    return text(row->contender->name);
}

static bench_value variant(const bench_row *row)
{
    return text(row->contender->variant);
}

static bench_value local_bytes(const bench_row *row)
{
    uint64_t local = 0, registers = 0;

    return bench_working_set(row, &local, &registers) ? count(local) : none();
}

static bench_value register_bytes(const bench_row *row)
{
    uint64_t local = 0, registers = 0;

    return bench_working_set(row, &local, &registers) ? count(registers) : none();
}

static bench_value status(const bench_row *row)
{
    return word(bench_outcome_name(row->contender->outcome));
}

static bench_value clock_of(const bench_row *row)
{
    return figure(row, word(bench_clock_name(row->contender->clock)));
}

static bench_value runs(const bench_row *row)
{
    return figure(row, count(row->runs));
}

static bench_value median(const bench_row *row)
{
    return figure(row, real(row->contender->statistics.median, 0));
}

static bench_value lower_quartile(const bench_row *row)
{
    return figure(row, real(row->contender->statistics.lower_quartile, 0));
}

static bench_value upper_quartile(const bench_row *row)
{
    return figure(row, real(row->contender->statistics.upper_quartile, 0));
}

static bench_value minimum(const bench_row *row)
{
    return figure(row, real(row->contender->statistics.minimum, 0));
}

/* Figures of contenders that move the data. */
static bench_value rate(const bench_row *row, bench_value value)
{
    return row->contender->kind->idle ? none() : figure(row, value);
}

static bench_value gb_per_s(const bench_row *row)
{
    return rate(row, real(bench_rate(row, row->contender->statistics.median), 4));
}

static bench_value geps(const bench_row *row)
{
    return rate(row, real((double)row->c->problem.count / row->contender->statistics.median, 4));
}

static bench_value of_copy(const bench_row *row)
{
    if (row->copy == NULL)
        return none();
    return rate(row, real(bench_of_copy(row, row->copy->statistics.median, row->contender->statistics.median), 4));
}

static bench_value of_read(const bench_row *row)
{
    if (row->read == NULL)
        return none();
    return rate(row, real(bench_of_read(row, row->read->statistics.median, row->contender->statistics.median), 4));
}

/* Figures of the second clock. */
static bench_value host_figure(const bench_row *row, double time_ns)
{
    return row->c->device->both_clocks ? figure(row, real(time_ns, 0)) : none();
}

static bench_value host_median(const bench_row *row)
{
    return host_figure(row, row->contender->host_statistics.median);
}

static bench_value host_lower_quartile(const bench_row *row)
{
    return host_figure(row, row->contender->host_statistics.lower_quartile);
}

static bench_value host_upper_quartile(const bench_row *row)
{
    return host_figure(row, row->contender->host_statistics.upper_quartile);
}

static bench_value host_minimum(const bench_row *row)
{
    return host_figure(row, row->contender->host_statistics.minimum);
}

static bench_value host_of_copy(const bench_row *row)
{
    if (row->host_copy == NULL)
        return none();
    return rate(
        row,
        real(bench_of_copy(row, row->host_copy->host_statistics.median, row->contender->host_statistics.median), 4));
}

static bench_value note(const bench_row *row)
{
    return text(row->contender->note.text);
}

const bench_column bench_columns[] = {
    {.name = "suite", .value = suite},
    {.name = "experiment", .value = experiment},
    {.name = "round", .value = round_of},
    {.name = "device", .value = device, .of_run = true},
    {.name = "driver", .value = driver, .of_run = true},
    {.name = "type", .value = type},
    {.name = "accumulator", .value = accumulator},
    {.name = "output_type", .value = output_type},
    {.name = "load", .value = load},
    {.name = "store", .value = store},
    {.name = "op", .value = op},
    {.name = "form", .value = form},
    {.name = "direction", .value = direction},
    {.name = "in_place", .value = in_place},
    {.name = "in_offset", .value = in_offset},
    {.name = "out_offset", .value = out_offset},
    {.name = "reproducible", .value = reproducible},
    {.name = "count", .value = elements},
    {.name = "rows", .value = rows},
    {.name = "pitch", .value = pitch},
    {.name = "axis", .value = axis},
    {.name = "cache", .value = cache},
    {.name = "contender", .value = contender},
    {.name = "variant", .value = variant},
    {.name = "local_bytes", .value = local_bytes},
    {.name = "register_bytes", .value = register_bytes},
    {.name = "status", .value = status},
    {.name = "clock", .value = clock_of},
    {.name = "runs", .value = runs},
    {.name = "median_ns", .value = median},
    {.name = "lower_quartile_ns", .value = lower_quartile},
    {.name = "upper_quartile_ns", .value = upper_quartile},
    {.name = "minimum_ns", .value = minimum},
    {.name = "gb_per_s", .value = gb_per_s},
    {.name = "geps", .value = geps},
    {.name = "of_copy", .value = of_copy},
    {.name = "of_read", .value = of_read},
    {.name = "host_median_ns", .value = host_median},
    {.name = "host_lower_quartile_ns", .value = host_lower_quartile},
    {.name = "host_upper_quartile_ns", .value = host_upper_quartile},
    {.name = "host_minimum_ns", .value = host_minimum},
    {.name = "host_of_copy", .value = host_of_copy},
    {.name = "note", .value = note},
    {.name = NULL},
};
