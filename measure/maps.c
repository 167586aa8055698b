#include "maps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <reference.h>

#include "command_line/failure.h"
#include "command_line/values.h"
#include "device.h"
#include "map_each.h"
#include "rows.h"
#include "sum_types.h"

/* Elements between whose maps the host scans at once. */
#define PART_COUNT (UINT64_C(1) << 20)

static bool has_struct(const measure_maps *maps)
{
    return maps->custom.struct_size != 0;
}

/* ---- What there is ---- */

clscan_status measure_maps_read_accumulator(const char *text, measure_maps *maps, clscan_error *error)
{
    static const clscan_ready sums[] = {CLSCAN_READY_COMPENSATED_FLOAT, CLSCAN_READY_COMPENSATED_DOUBLE};
    static const clscan_type numbers[] = {CLSCAN_FLOAT, CLSCAN_DOUBLE};

    maps->accumulator = (clscan_element){.struct_size = sizeof maps->accumulator};
    for (size_t i = 0; i < sizeof sums / sizeof sums[0]; ++i) {
        if (strcmp(text, clscan_ready_name(sums[i])) != 0)
            continue;
        maps->custom.struct_size = sizeof maps->custom;
        maps->load.struct_size = maps->store.struct_size = sizeof maps->load;
        maps->name = clscan_ready_name(sums[i]);
        maps->number = numbers[i];
        if (clscan_ready_get(sums[i], &maps->accumulator, &maps->custom) != 0 &&
            clscan_ready_maps(sums[i], &maps->load, &maps->store) != 0)
            return CLSCAN_OK;
    }
    if (read_type(text, &maps->accumulator.type, error) != CLSCAN_OK || maps->accumulator.type == CLSCAN_HALF)
        return fail(error, CLSCAN_ERROR_INVALID_VALUE,
                    "'%s' is no type that sums have; there are int8 to int64, uint8 to uint64, float, double, "
                    "compensated_float and compensated_double",
                    text);
    return CLSCAN_OK;
}

static bool is_real(clscan_type type)
{
    return clscan_reference_is_floating(type) != 0;
}

clscan_status measure_maps_check(const measure_problem *problem, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const measure_maps *maps = problem->maps;
    const clscan_type in = problem->type, sum = measure_sum_type(problem), out = measure_output_type(problem);
    const measure_sum_types types = {in, sum, out, maps->load.struct_size != 0, maps->store.struct_size != 0};
    const char *given = maps->accumulator.struct_size != 0 ? "option '--accumulator'" : "option '--output-type'";

    REQUIRE(!has_struct(maps) || (in == sum && problem->op == CLSCAN_ADD), CLSCAN_ERROR_INVALID_VALUE,
            "option '--accumulator': %s sums up %s, with --ops add, and no other elements", maps->name,
            clscan_type_name(sum));
    TRY(measure_sum_types_check(&types, given, "--load", error));
    REQUIRE(problem->op != CLSCAN_MUL || !is_real(sum) || (is_real(in) && maps->load.struct_size == 0),
            CLSCAN_ERROR_INVALID_VALUE, "option '--ops': products of %s are rounded, unless elements are such numbers",
            clscan_type_name(sum));
    REQUIRE(!maps->offsets || (out == sum && !has_struct(maps)), CLSCAN_ERROR_INVALID_VALUE,
            "option '--offsets': the total, %s, stands behind outputs of the same type, and not of %s",
            measure_accumulator_name(problem), clscan_type_name(out));
    REQUIRE(!problem->reduces || !has_struct(maps), CLSCAN_ERROR_INVALID_VALUE,
            "option '--accumulator': sums of %s have no use beside --reduce, which writes no numbers of them",
            maps->name);
    REQUIRE(!problem->in_place || clscan_type_size_bytes(in) == clscan_type_size_bytes(out), CLSCAN_ERROR_INVALID_VALUE,
            "option '--in-place' needs outputs of as many bytes as elements, %s is no %s", clscan_type_name(out),
            clscan_type_name(in));

cleanup:
    return status;
}

/* ---- The right answer ---- */

/* Sums in any grouping are differences of two prefixes: whole numbers that are exact as long as they are small. */
typedef struct exactness {
    double limit; /* 0: every sum is exact */
    double prefix, lowest, highest;
    uint64_t count; /* elements so far; UINT64_MAX: as many as there are */
} exactness;

/* A small one; this takes no call of a function for each element. */
static bool is_whole(double value, double limit)
{
    return value >= -limit && value <= limit && !(value < (double)(int64_t)value) && !(value > (double)(int64_t)value);
}

static void look_at(exactness *of, clscan_type sum, const unsigned char *values, uint64_t done, uint64_t count,
                    bool reverse)
{
    const size_t size = clscan_type_size_bytes(sum);

    for (uint64_t k = 0; of->limit > 0 && of->count == UINT64_MAX && k < count; ++k) {
        const clscan_value loaded = clscan_value_load(sum, values + (reverse ? count - 1 - k : k) * size);
        const double value = clscan_value_as_double(sum, loaded);

        of->prefix += value;
        of->lowest = of->prefix < of->lowest ? of->prefix : of->lowest;
        of->highest = of->prefix > of->highest ? of->prefix : of->highest;
        if (!is_whole(value, of->limit) || !(of->highest - of->lowest <= of->limit))
            of->count = done + k;
    }
}

static clscan_reference reference_of(const measure_problem *problem)
{
    return (clscan_reference){.type = measure_sum_type(problem),
                              .op = problem->op,
                              .direction = problem->direction,
                              .combine = problem->sample != NULL ? problem->sample->combine : NULL,
                              .identity = problem->sample != NULL ? problem->sample->identity : NULL};
}

/* Memory for a part of the scan. */
typedef struct part {
    unsigned char *sums;   /* first the values of the elements */
    unsigned char *before; /* the sums before them */
} part;

/* A scan, of all elements or of a row. */
typedef struct line {
    const unsigned char *elements;
    unsigned char *outputs;
    uint64_t count;
} line;

static clscan_status scan_part(const measure_problem *problem, const measure_map_each *each, const part *p,
                               const line *of, uint64_t first, uint64_t count, clscan_value *carry, clscan_error *error)
{
    clscan_status status;
    const bool exclusive = problem->form == CLSCAN_EXCLUSIVE;
    const size_t out_size = clscan_type_size_bytes(each->out);
    const unsigned char *elements = of->elements + first * clscan_type_size_bytes(each->in);
    unsigned char *outputs = of->outputs + first * out_size;
    clscan_reference what = reference_of(problem);

    what.form = CLSCAN_EXCLUSIVE;
    TRY(clscan_reference_scan(&what, p->sums, count, carry, p->before, NULL));
    what.form = CLSCAN_INCLUSIVE;
    TRY(clscan_reference_scan(&what, p->sums, count, carry, p->sums, carry));
    if (problem->reduces)
        return status;
    TRY(measure_map_each_store(each, elements, exclusive ? p->before : p->sums, p->before, first, count, outputs,
                               error));

cleanup:
    return status;
}

static clscan_status scan_line(const measure_problem *problem, const measure_map_each *each, const part *p,
                               const line *of, exactness *exact, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_reference what = reference_of(problem);
    const bool reverse = problem->direction == CLSCAN_REVERSE;
    const size_t in_size = clscan_type_size_bytes(each->in), sum_size = clscan_type_size_bytes(each->sum);
    clscan_value carry;

    (void)clscan_reference_identity(&what, &carry); /* all operators of clscan's own have one, as measure_maps has it */
    exact->prefix = exact->lowest = exact->highest = 0;
    for (uint64_t done = 0; done < of->count;) {
        const uint64_t left = of->count - done, count = left < PART_COUNT ? left : PART_COUNT;
        const uint64_t first = reverse ? left - count : done;

        TRY(measure_map_each_load(each, of->elements + first * in_size, first, count, p->sums, error));
        look_at(exact, each->sum, p->sums, done, count, reverse);
        TRY(scan_part(problem, each, p, of, first, count, &carry, error));
        done += count;
    }
    if (problem->reduces || problem->maps->offsets)
        memcpy(of->outputs + (problem->reduces ? 0 : of->count) * sum_size, &carry, sum_size);

cleanup:
    return status;
}

/* Offsets of rows: each has one output more than elements. */
static clscan_status scan_rows(const measure_case *c, const measure_map_each *each, const part *p,
                               const unsigned char *elements, exactness *exact, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const uint64_t length = measure_scan_count(&c->problem);
    const size_t in_size = clscan_type_size_bytes(each->in), out_size = clscan_type_size_bytes(each->out);

    for (uint64_t row = 0; row < c->problem.rows.count; ++row) {
        const line one = {elements + row * length * in_size,
                          (unsigned char *)c->expected + row * (length + 1) * out_size, length};

        TRY(scan_line(&c->problem, each, p, &one, exact, error));
    }

cleanup:
    return status;
}

static clscan_status scan_columns(const measure_case *c, const measure_map_each *each, const part *p,
                                  const unsigned char *elements, exactness *exact, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const uint64_t length = measure_scan_count(&c->problem), all = measure_rows_columns(&c->problem.rows);
    const size_t in_size = clscan_type_size_bytes(each->in), out_size = clscan_type_size_bytes(each->out);
    unsigned char *from = malloc((size_t)(MEASURE_GATHERED_COLUMNS * length * in_size)),
                  *to = malloc((size_t)(MEASURE_GATHERED_COLUMNS * (length + 1) * out_size));

    REQUIRE(from != NULL && to != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no host memory for columns");
    for (uint64_t outer = 0; outer < c->problem.rows.count / all; ++outer)
        for (uint64_t first = 0; first < all; first += MEASURE_GATHERED_COLUMNS) {
            const uint64_t left = all - first;
            const uint64_t columns = left < MEASURE_GATHERED_COLUMNS ? left : MEASURE_GATHERED_COLUMNS;

            measure_rows_gather(in_size, length, all, columns, elements + (outer * length * all + first) * in_size,
                                from);
            for (uint64_t j = 0; j < columns; ++j) {
                const line one = {from + j * length * in_size, to + j * (length + 1) * out_size, length};

                TRY(scan_line(&c->problem, each, p, &one, exact, error));
            }
            measure_rows_scatter(out_size, length + 1, all, columns, to,
                                 (unsigned char *)c->expected + (outer * (length + 1) * all + first) * out_size);
        }

cleanup:
    free(from);
    free(to);
    return status;
}

static clscan_status scan(const measure_case *c, const measure_map_each *each, const part *p,
                          const unsigned char *elements, exactness *exact, clscan_error *error)
{
    const line all = {elements, c->expected, c->problem.count};

    if (measure_has_columns(&c->problem))
        return scan_columns(c, each, p, elements, exact, error);
    return c->problem.rows.count > 0 ? scan_rows(c, each, p, elements, exact, error)
                                     : scan_line(&c->problem, each, p, &all, exact, error);
}

bool measure_maps_scan(measure_case *c, const void *elements, measure_note *note)
{
    const measure_problem *problem = &c->problem;
    const measure_maps *maps = problem->maps;
    const clscan_type sum = measure_sum_type(problem);
    const size_t room_bytes = (size_t)PART_COUNT * clscan_type_size_bytes(sum);
    measure_map_each each = {.context = c->device->context,
                             .device = c->device->id,
                             .queue = c->device->queue,
                             .in = problem->type,
                             .sum = sum,
                             .out = measure_output_type(problem),
                             .load = maps->load.struct_size != 0 && !has_struct(maps) ? &maps->load : NULL,
                             .store = maps->store.struct_size != 0 && !has_struct(maps) ? &maps->store : NULL};
    part p = {.sums = malloc(room_bytes), .before = malloc(room_bytes)};
    exactness exact = {.count = UINT64_MAX};
    clscan_error error = {0};
    clscan_status status = CLSCAN_ERROR_OUT_OF_MEMORY;

    if (problem->op == CLSCAN_ADD && is_real(sum))
        exact.limit = sum == CLSCAN_FLOAT ? 0x1p24 : 0x1p53;
    if (p.sums != NULL && p.before != NULL)
        status = measure_map_each_create(&each, &error);
    if (status == CLSCAN_OK)
        status = scan(c, &each, &p, elements, &exact, &error);
    c->exact_count = exact.count;
    measure_map_each_release(&each);
    free(p.sums);
    free(p.before);
    if (error.build_log[0] != '\0')
        fprintf(stderr, "%s\n", error.build_log);
    return status == CLSCAN_OK ||
           measure_fail(note, "%s", error.message[0] != '\0' ? error.message : clscan_status_message(status));
}
