#include "engine/columns.h"

#include <string.h>

#include "base/checked.h"

static clscan_status beyond_memory(const char *name, const char *what, clscan_error *error)
{
    return clscan__error_set(error, CLSCAN_ERROR_INVALID_VALUE, "%s->%s: the elements are beyond all memory", name,
                             what);
}

static uint64_t stride_of(const clscan__dimension *dimension, clscan__side side)
{
    return side == CLSCAN__SIDE_IN    ? dimension->in_stride
           : side == CLSCAN__SIDE_OUT ? dimension->out_stride
                                      : dimension->total_stride;
}

/* Elements from the first one to behind the last one of rows of `count` elements that stand `step` apart, in the other
 * dimensions. */
static bool span_of(uint64_t count, uint64_t step, const clscan__dimension *others, clscan__side side, uint64_t *span)
{
    uint64_t part;

    *span = 0;
    if (count == 0)
        return true;
    if (!clscan__mul_u64(count - 1, step, span))
        return false;
    for (size_t d = 0; d < CLSCAN__OTHER_DIMENSIONS; ++d) {
        if (others[d].extent == 0) {
            *span = 0;
            return true;
        }
        if (!clscan__mul_u64(others[d].extent - 1, stride_of(&others[d], side), &part) ||
            !clscan__add_u64(*span, part, span))
            return false;
    }
    return clscan__add_u64(*span, 1, span);
}

static bool all_zero(const uint64_t *values, size_t count)
{
    while (count > 0)
        if (values[--count] != 0)
            return false;
    return true;
}

/* Strides as given, or those of a tensor without gaps. */
static bool strides_of(const clscan_rows *rows, const uint64_t *given, uint64_t *strides)
{
    uint64_t next = 1;

    memcpy(strides, given, rows->dimensions * sizeof *strides);
    if (!all_zero(given, rows->dimensions))
        return true;
    for (size_t d = rows->dimensions; d-- > 0;) {
        strides[d] = next;
        if (!clscan__mul_u64(next, rows->extents[d] > 0 ? rows->extents[d] : 1, &next))
            return false;
    }
    return true;
}

static void swap(clscan__dimension *a, clscan__dimension *b)
{
    const clscan__dimension was = *a;

    *a = *b;
    *b = was;
}

/* The innermost first: the one whose outputs, and then inputs, lie closest. Those of one index say nothing. */
static void sort(clscan__dimension *others)
{
    for (size_t i = 0; i < CLSCAN__OTHER_DIMENSIONS; ++i)
        for (size_t j = i + 1; j < CLSCAN__OTHER_DIMENSIONS; ++j)
            if (others[j].extent != 1 &&
                (others[i].extent == 1 || others[j].out_stride < others[i].out_stride ||
                 (others[j].out_stride == others[i].out_stride && others[j].in_stride < others[i].in_stride)))
                swap(&others[i], &others[j]);
}

static bool goes_on(uint64_t stride, uint64_t extent, uint64_t outer_stride)
{
    uint64_t end;

    return clscan__mul_u64(stride, extent, &end) && end == outer_stride;
}

/* Two dimensions, one of which goes on where the other ends, are one. */
static void join(clscan__dimension *others)
{
    for (size_t d = 0; d + 1 < CLSCAN__OTHER_DIMENSIONS;) {
        clscan__dimension *inner = &others[d], *outer = &others[d + 1];

        if (outer->extent == 1 || !goes_on(inner->in_stride, inner->extent, outer->in_stride) ||
            !goes_on(inner->out_stride, inner->extent, outer->out_stride) ||
            !goes_on(inner->numbers, inner->extent, outer->numbers) ||
            !goes_on(inner->total_stride, inner->extent, outer->total_stride)) {
            ++d;
            continue;
        }
        inner->extent *= outer->extent; /* checked: rows are counted */
        outer->extent = 1;
        for (size_t k = d + 1; k + 1 < CLSCAN__OTHER_DIMENSIONS; ++k)
            swap(&others[k], &others[k + 1]);
    }
}

/* Do no two outputs, or no two totals, meet? Sorted by strides, each dimension must step over all that the ones before
 * it span. Strides of 2 and 3 with extents of 3 and 2 do not meet either, and are refused; to tell such ones takes a
 * search. Of scans that have elements the span is within memory. */
static clscan_status check_apart(uint64_t count, uint64_t step, const clscan__dimension *others, clscan__side side,
                                 const char *name, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const char *strides = side == CLSCAN__SIDE_OUT ? "out_strides" : "total_strides";
    clscan__dimension all[CLSCAN_MOST_DIMENSIONS];
    uint64_t spanned = 1;
    size_t used = 0;

    all[used++] = (clscan__dimension){.extent = count, .out_stride = step};
    for (size_t d = 0; d < CLSCAN__OTHER_DIMENSIONS; ++d)
        all[used++] = (clscan__dimension){.extent = others[d].extent, .out_stride = stride_of(&others[d], side)};
    for (size_t i = 0; i < used; ++i)
        for (size_t j = i + 1; j < used; ++j)
            if (all[j].out_stride < all[i].out_stride)
                swap(&all[i], &all[j]);
    for (size_t i = 0; i < used; ++i) {
        if (all[i].extent <= 1)
            continue;
        CLSCAN__REQUIRE(all[i].out_stride >= spanned, CLSCAN_ERROR_OVERLAP,
                        "%s->%s: a stride of %llu is less than the %llu elements that smaller strides span; such "
                        "dimensions overlap or interleave",
                        name, strides, (unsigned long long)all[i].out_stride, (unsigned long long)spanned);
        spanned += (all[i].extent - 1) * all[i].out_stride;
    }

cleanup:
    return status;
}

bool clscan__rows_place_totals(const clscan_rows *rows)
{
    bool placed = rows->total_pitch > 0;

    for (uint32_t d = 0; d < rows->dimensions; ++d)
        placed = placed || (d != rows->axis && rows->total_strides[d] != 0);
    return placed;
}

static clscan_status take_tensor(const clscan_rows *given, uint64_t count, const char *name, clscan__run_rows *taken,
                                 clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__columns *columns = &taken->columns;
    uint64_t in[CLSCAN_MOST_DIMENSIONS], out[CLSCAN_MOST_DIMENSIONS], rows = 1, numbers = 1;
    const uint32_t axis = given->axis;
    size_t other = 0;

    CLSCAN__REQUIRE(given->dimensions <= CLSCAN_MOST_DIMENSIONS, CLSCAN_ERROR_INVALID_VALUE,
                    "%s->dimensions is %u, more than %d", name, (unsigned)given->dimensions, CLSCAN_MOST_DIMENSIONS);
    CLSCAN__REQUIRE(axis < given->dimensions, CLSCAN_ERROR_INVALID_VALUE, "%s->axis is %u, but there are %u dimensions",
                    name, (unsigned)axis, (unsigned)given->dimensions);
    CLSCAN__REQUIRE(given->in_pitch == 0 && given->out_pitch == 0, CLSCAN_ERROR_INVALID_VALUE,
                    "%s has dimensions, but also a pitch", name);
    CLSCAN__REQUIRE(given->total_pitch == 0, CLSCAN_ERROR_INVALID_VALUE,
                    "%s->total_pitch is %llu, but there are dimensions, whose totals have total_strides", name,
                    (unsigned long long)given->total_pitch);
    CLSCAN__REQUIRE(given->extents[axis] == count, CLSCAN_ERROR_INVALID_VALUE,
                    "%s->extents[%u] is %llu, but a scan along this axis has %llu elements", name, (unsigned)axis,
                    (unsigned long long)given->extents[axis], (unsigned long long)count);
    if (!strides_of(given, given->in_strides, in) || !strides_of(given, given->out_strides, out))
        return beyond_memory(name, "extents", error);
    columns->in_step = in[axis];
    columns->out_step = out[axis];
    for (size_t d = given->dimensions; d-- > 0;) {
        if (d == axis)
            continue;
        columns->others[other++] =
            (clscan__dimension){given->extents[d], in[d], out[d], numbers,
                                clscan__rows_place_totals(given) ? given->total_strides[d] : numbers};
        numbers *= given->extents[d] > 0 ? given->extents[d] : 1;
        if (!clscan__mul_u64(rows, given->extents[d], &rows))
            return beyond_memory(name, "extents", error);
    }
    CLSCAN__REQUIRE(given->count == 0 || given->count == rows, CLSCAN_ERROR_INVALID_VALUE,
                    "%s->count is %llu, but the dimensions besides the axis make %llu", name,
                    (unsigned long long)given->count, (unsigned long long)rows);
    sort(columns->others);
    join(columns->others);
    taken->rows.count = rows;
    taken->rows.in_pitch = columns->others[0].in_stride;
    taken->rows.out_pitch = columns->others[0].out_stride;
    taken->rows.total_pitch = columns->others[0].total_stride;
    columns->needed = (count > 1 && (columns->in_step != 1 || columns->out_step != 1)) ||
                      columns->others[1].extent != 1 || (rows > 1 && columns->others[0].numbers != 1);

cleanup:
    return status;
}

/* What only tensors have. */
static clscan_status check_no_tensor(const clscan_rows *given, const char *name, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const struct {
        const uint64_t *numbers;
        const char *name;
    } arrays[] = {
        {given->extents, "extents"},
        {given->in_strides, "in_strides"},
        {given->out_strides, "out_strides"},
        {given->total_strides, "total_strides"},
    };

    CLSCAN__REQUIRE(given->axis == 0, CLSCAN_ERROR_INVALID_VALUE, "%s->axis is %u, but %s->dimensions is 0", name,
                    (unsigned)given->axis, name);
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i)
        CLSCAN__REQUIRE(all_zero(arrays[i].numbers, CLSCAN_MOST_DIMENSIONS), CLSCAN_ERROR_INVALID_VALUE,
                        "%s->%s are set, but %s->dimensions is 0; rows have pitches", name, arrays[i].name, name);

cleanup:
    return status;
}

clscan_status clscan__rows_take_apart(const clscan_rows *given, uint64_t count, const char *name,
                                      clscan__run_rows *taken, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__dimension *others = taken->columns.others;

    *taken = (clscan__run_rows){.rows = *given, .columns = {.in_step = 1, .out_step = 1}};
    for (size_t d = 0; d < CLSCAN__OTHER_DIMENSIONS; ++d)
        others[d].extent = 1;
    if (given->dimensions > 0) {
        CLSCAN__TRY(take_tensor(given, count, name, taken, error));
    } else {
        CLSCAN__TRY(check_no_tensor(given, name, error));
        taken->rows.in_pitch = given->in_pitch > 0 ? given->in_pitch : count;
        taken->rows.out_pitch = given->out_pitch > 0 ? given->out_pitch : count;
        taken->rows.total_pitch = given->total_pitch > 0 ? given->total_pitch : 1;
        CLSCAN__REQUIRE(
            taken->rows.in_pitch >= count && taken->rows.out_pitch >= count, CLSCAN_ERROR_INVALID_VALUE,
            "%s->%s_pitch is %llu, but a row has %llu elements", name, taken->rows.in_pitch < count ? "in" : "out",
            (unsigned long long)(taken->rows.in_pitch < count ? taken->rows.in_pitch : taken->rows.out_pitch),
            (unsigned long long)count);
        others[0] =
            (clscan__dimension){given->count, taken->rows.in_pitch, taken->rows.out_pitch, 1, taken->rows.total_pitch};
    }
    if (!span_of(count, taken->columns.in_step, others, CLSCAN__SIDE_IN, &taken->in_span))
        return beyond_memory(name, given->dimensions > 0 ? "in_strides" : "in_pitch", error);
    if (!span_of(count, taken->columns.out_step, others, CLSCAN__SIDE_OUT, &taken->out_span))
        return beyond_memory(name, given->dimensions > 0 ? "out_strides" : "out_pitch", error);
    CLSCAN__REQUIRE(span_of(1, 0, others, CLSCAN__SIDE_TOTAL, &taken->total_span), CLSCAN_ERROR_INVALID_VALUE,
                    "%s->%s: the totals are beyond all memory", name,
                    given->dimensions > 0 ? "total_strides" : "total_pitch");
    if (taken->rows.count > 0 && count > 0 && given->dimensions > 0)
        CLSCAN__TRY(check_apart(count, taken->columns.out_step, others, CLSCAN__SIDE_OUT, name, error));
    if (taken->rows.count > 0)
        CLSCAN__TRY(check_apart(1, 0, others, CLSCAN__SIDE_TOTAL, name, error));

cleanup:
    return status;
}

clscan__places clscan__rows_places(const clscan__columns *columns, clscan__side side, uint64_t count, size_t bytes)
{
    clscan__places places = {.element_bytes = bytes};

    if (side != CLSCAN__SIDE_TOTAL)
        places.steps[places.count++] =
            (clscan__place_step){count, bytes * (side == CLSCAN__SIDE_IN ? columns->in_step : columns->out_step)};
    for (size_t d = 0; d < CLSCAN__OTHER_DIMENSIONS; ++d)
        places.steps[places.count++] =
            (clscan__place_step){columns->others[d].extent, bytes * stride_of(&columns->others[d], side)};
    return places;
}
