#include "devices/run.h"

#include "base/memory.h"

uint64_t clscan__start_of(const clscan__group_run *run)
{
    return run->start != NULL ? run->start->first : 0;
}

size_t clscan__start_bytes(const clscan__group_run *run)
{
    clscan__node nodes[CLSCAN__MOST_PART_NODES];

    return clscan__nodes_of(0, clscan__start_of(run), nodes) * run->group->sum_bytes;
}

clscan_memory clscan__taker_value(const clscan__group_run *run, size_t taker, uint64_t which)
{
    return (clscan_memory){.buffer = run->group->lanes[run->takers[taker]].values,
                           .offset = which * run->group->slot_values};
}

size_t clscan__value_bytes(const clscan__group_run *run, size_t taker, uint64_t which)
{
    return (size_t)clscan__taker_value(run, taker, which).offset * run->group->sum_bytes;
}

bool clscan__tells_total(const clscan__group_run *run, size_t taker)
{
    return run->group->is_ordered && run->parts[run->takers[taker]].count == 0 &&
           run->firsts[taker] > clscan__start_of(run);
}

clscan_memory clscan__carry_value(const clscan__group_run *run, size_t taker, uint64_t which)
{
    clscan_memory value = clscan__taker_value(run, taker, CLSCAN__VALUE_CARRY);

    value.offset += which;
    return value;
}

/* The carry of a problem that is not ordered. A value in the call's own memory saves its way to the device, but rows
 * have many. */
static clscan_memory carry_of(const clscan__group_run *run, size_t taker)
{
    if (run->carries_came && !run->group->splits)
        return (clscan_memory){.kind = CLSCAN_MEMORY_HOST,
                               .pointer =
                                   run->exchange->values + clscan__carry_index(run, taker) * run->group->sum_bytes};
    return clscan__taker_value(run, taker, CLSCAN__VALUE_CARRY);
}

static void set_state(const clscan__group_run *run, size_t taker, clscan_run_args *args)
{
    if (run->firsts[taker] == 0 && run->start == NULL)
        return;
    args->first = run->firsts[taker];
    args->state = clscan__carry_value(run, taker, CLSCAN__CARRY_STATE);
}

/* What comes before a taker that does not begin. */
static void set_carry(const clscan__group_run *run, size_t taker, clscan_run_args *args)
{
    if (!run->group->is_ordered) {
        args->initial = carry_of(run, taker);
        return;
    }
    if (clscan__memory_is_given(&run->args->initial))
        args->initial = clscan__carry_value(run, taker, CLSCAN__CARRY_INITIAL);
    set_state(run, taker, args);
}

clscan_run_args clscan__scan_args(const clscan__group_run *run, size_t taker, clscan_rows *room)
{
    const clscan_part *part = &run->parts[run->takers[taker]];
    clscan_run_args args = {.struct_size = sizeof args,
                            .in = part->in,
                            .out = part->out,
                            .count = part->count,
                            .map_arguments = part->map_arguments,
                            .map_argument_count = part->map_argument_count};

    if (part->count == 0) {
        args.in = run->group->scan_reads ? clscan__taker_value(run, taker, 0) : (clscan_memory){.buffer = NULL};
        args.out = clscan__taker_value(run, taker, 0);
    }
    if (run->group->splits) {
        *room = run->rows[run->takers[taker]];
        room->initial_pitch = taker == clscan__taker_begin(run) ? room->initial_pitch : 1;
        args.rows = room;
    }
    if (taker == clscan__taker_begin(run)) {
        args.initial = run->args->initial;
        if (run->start != NULL)
            set_state(run, taker, &args);
    } else {
        set_carry(run, taker, &args);
    }
    if (taker == clscan__taker_end(run))
        args.total = run->args->total;
    else if (run->group->splits)
        room->total_pitch = 0;
    return args;
}

clscan_run_args clscan__sum_args(const clscan__group_run *run, size_t taker, clscan_rows *room)
{
    clscan_run_args args = clscan__scan_args(run, taker, room);

    args.out = (clscan_memory){.buffer = NULL};
    args.total = clscan__taker_value(run, taker, CLSCAN__VALUE_SUM);
    args.first = 0;
    args.state = (clscan_memory){.buffer = NULL};
    room->total_pitch = 0;
    if (taker != clscan__taker_begin(run)) {
        args.initial = (clscan_memory){.buffer = NULL};
        room->initial_pitch = 0;
    }
    if (run->group->splits) /* the plan is the same */
        return args;
    if (!run->group->sum_reads)
        args.in = (clscan_memory){.buffer = NULL};
    args.map_argument_count = run->group->sum_argument_count;
    if (args.map_argument_count == 0)
        args.map_arguments = NULL;
    return args;
}
