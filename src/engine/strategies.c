#include <assert.h>
#include <string.h>

#include "config/variant.h"
#include "engine/strategy.h"

static const clscan__strategy *const strategies[CLSCAN_CARRY_COUNT] = {
    [CLSCAN_CARRY_SINGLE] = &clscan__strategy_single,
    [CLSCAN_CARRY_ADJACENT] = &clscan__strategy_adjacent,
    [CLSCAN_CARRY_REDUCE_THEN_SCAN] = &clscan__strategy_reduce_then_scan,
    [CLSCAN_CARRY_SCAN_THEN_ADD] = &clscan__strategy_scan_then_add,
    [CLSCAN_CARRY_LOOKAHEAD] = &clscan__strategy_lookahead,
    [CLSCAN_CARRY_LOOKBACK] = &clscan__strategy_lookback,
    [CLSCAN_CARRY_REDUCE_THEN_COMBINE] = &clscan__strategy_reduce_then_combine,
    [CLSCAN_CARRY_LAST_COMBINES] = &clscan__strategy_last_combines,
    [CLSCAN_CARRY_ALL_TOTALS] = &clscan__strategy_all_totals,
};

const clscan__strategy *clscan__strategy_of(const clscan_variant *variant, bool reproducible)
{
    /* What a reduction's kernels are given is the same in every order. */
    if (reproducible && !clscan__variant_reduces(variant))
        return variant->carry == CLSCAN_CARRY_LOOKAHEAD ? &clscan__strategy_reproducible_lookahead
                                                        : &clscan__strategy_reproducible_reduce_then_scan;
    return strategies[variant->carry];
}

void clscan__argument(clscan__arguments *arguments, size_t size_bytes, const void *value)
{
    if (arguments->code == CL_SUCCESS)
        arguments->code = clSetKernelArg(arguments->kernel, arguments->next++, size_bytes, value);
}

void clscan__argument_buffer(clscan__arguments *arguments, cl_mem buffer)
{
    clscan__argument(arguments, sizeof buffer, &buffer);
}

void clscan__argument_u64(clscan__arguments *arguments, uint64_t value)
{
    const cl_ulong argument = value;
    clscan__argument(arguments, sizeof argument, &argument);
}

void clscan__argument_memory(clscan__arguments *arguments, const clscan_memory *memory)
{
    clscan__argument_buffer(arguments, memory->buffer);
    clscan__argument_u64(arguments, memory->offset);
}

void clscan__argument_u32(clscan__arguments *arguments, uint32_t value)
{
    const cl_uint argument = value;
    clscan__argument(arguments, sizeof argument, &argument);
}

clscan__run_arguments clscan__run_arguments_of(const clscan__run *run)
{
    clscan__run_arguments values = {
        .in_offset = run->in_offset,
        .out_offset = run->out_offset,
        .count = run->count,
        .initial_offset = run->initial_offset,
        .total_offset = run->total_offset,
        .count_offset = run->count_offset,
        .control_bytes = run->workspace_offset_bytes,
        .words_bytes = run->workspace_offset_bytes + run->layout.words_bytes,
        .totals_bytes = run->workspace_offset_bytes + run->layout.totals_bytes,
        .stack_offset = run->state_offset,
        .capacity = run->capacity,
        .flags = run->flags,
        .epoch = run->epoch,
    };

    static_assert(sizeof values.initial == sizeof run->initial, "kernels take the bytes of any sum");
    memcpy(values.initial, run->initial, sizeof values.initial);
    return values;
}

void clscan__arguments_run(clscan__arguments *arguments, const clscan__run_arguments *values, const clscan__run *run)
{
    clscan__argument(arguments, sizeof *values, values);
    clscan__argument_buffer(arguments, run->in);
    clscan__argument_buffer(arguments, run->out);
    clscan__argument_buffer(arguments, run->initial_buffer);
    clscan__argument_buffer(arguments, run->total_buffer);
    clscan__argument_buffer(arguments, run->workspace);
    if (run->count_buffer != NULL)
        clscan__argument_buffer(arguments, run->count_buffer);
}

/* Those of src/element/selection.h. */
static void arguments_selection(clscan__arguments *arguments, const clscan__run *run)
{
    clscan__argument_u64(arguments, run->capacity);
    clscan__argument_buffer(arguments, run->workspace);
    clscan__argument_u64(arguments, (run->workspace_offset_bytes + CLSCAN__REPORT_BYTES) / sizeof(cl_uint) +
                                        CLSCAN__EVENT_OVERFLOW);
    if (run->flags_buffer != NULL) {
        clscan__argument_buffer(arguments, run->flags_buffer);
        clscan__argument_u64(arguments, run->flags_offset);
    }
    for (size_t i = 0; i < run->columns_of_selection_count; ++i) {
        clscan__argument_buffer(arguments, run->columns_of_selection[i].buffer);
        clscan__argument_u64(arguments, run->columns_of_selection[i].offset);
    }
    if (run->rest.present) {
        clscan__argument_buffer(arguments, run->rest.out);
        clscan__argument_u64(arguments, run->rest.out_offset);
        clscan__argument_u64(arguments, run->rest.capacity);
        clscan__argument_u32(arguments, run->rest.is_counted);
        clscan__argument_buffer(arguments, run->workspace);
        clscan__argument_u64(arguments, run->rest.counted_offset);
    }
}

void clscan__arguments_maps(clscan__arguments *arguments, const clscan__run *run)
{
    if (run->selects)
        arguments_selection(arguments, run);
    for (size_t i = 0; i < run->map_argument_count; ++i)
        clscan__argument(arguments, run->map_arguments[i].size_bytes, run->map_arguments[i].value);
}

clscan_status clscan__arguments_status(const clscan__arguments *arguments, clscan_error *error)
{
    return arguments->code == CL_SUCCESS ? CLSCAN_OK : clscan__error_opencl(error, "clSetKernelArg", arguments->code);
}
