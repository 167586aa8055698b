#include "config/wanted.h"

#include "element/map.h"
#include "element/segments.h"
#include "element/selection.h"

static clscan__wanted own(clscan__config_operation operation, uint32_t size_bytes, uint32_t kept_bytes)
{
    return (clscan__wanted){.operation = operation, .own = true, .size_bytes = size_bytes, .kept_bytes = kept_bytes};
}

/* What is loaded again wants tiles that the cache still has, unlike what leaves nothing but places. So it counts as
 * more bytes than these; no output of 1, 2, 4 or 8 bytes beside a place makes as many. */
#define RELOADING_BYTES 3u

/* Of what there is no input of, there are flags at most. */
static clscan__wanted selection(clscan__config_operation operation, const clscan_problem *problem, clscan__shape shape)
{
    const bool generates = clscan__problem_generates(problem);
    const uint32_t gathered_bytes = shape.gathered_bytes + (shape.reloads ? RELOADING_BYTES : 0);

    return own(operation, generates ? shape.marked_bytes : shape.element_bytes,
               gathered_bytes > shape.marked_bytes ? gathered_bytes : shape.marked_bytes);
}

static clscan__wanted not_own(clscan__config_operation operation, clscan__shape shape)
{
    return (clscan__wanted){.operation = operation, .size_bytes = shape.held_bytes, .kept_bytes = shape.held_bytes};
}

clscan__wanted clscan__wanted_rows(clscan__shape shape)
{
    return not_own(CLSCAN__CONFIG_SCAN_ROWS, shape);
}

uint32_t clscan__wanted_of(const clscan_problem *problem, clscan__shape shape,
                           clscan__wanted wanted[CLSCAN__MOST_WANTED])
{
    const bool reduces = clscan__problem_reduces_all(problem);
    uint32_t count = 0;

    if (shape.marked_bytes > 0 && clscan__problem_selects(problem)) {
        /* Where elements are held and passed on, not places alone. */
        if (shape.passed_bytes > 0 && shape.gathered_most == UINT32_MAX)
            wanted[count++] = selection(CLSCAN__CONFIG_UNIQUE, problem, shape);
        wanted[count++] = selection(CLSCAN__CONFIG_SELECT, problem, shape);
    } else if (shape.marked_bytes > 0) {
        const bool sums = (clscan__problem_sums(problem) & CLSCAN__SUMS_ONLY) != 0;

        /* What a reduction gathers follows from its sums. */
        if (problem->segments->by == CLSCAN_BY_KEYS && !clscan__problem_has_marks(problem))
            wanted[count++] = own(sums ? CLSCAN__CONFIG_REDUCE_BY_KEY : CLSCAN__CONFIG_SCAN_BY_KEY, shape.marked_bytes,
                                  shape.marked_bytes);
        if (shape.walked_bytes > 0)
            wanted[count++] = own(CLSCAN__CONFIG_REDUCE_BY_OFFSETS, shape.walked_bytes, shape.walked_bytes);
        wanted[count++] = own(sums ? CLSCAN__CONFIG_SEGMENTED_REDUCE : CLSCAN__CONFIG_SEGMENTED_SCAN,
                              shape.marked_bytes, shape.marked_bytes);
    }
    wanted[count++] = not_own(reduces ? CLSCAN__CONFIG_REDUCE : CLSCAN__CONFIG_SCAN, shape);
    return count;
}

bool clscan__key_covers(const clscan__config_key *key, uint32_t size_bytes)
{
    if (key->least_size_bytes == 0)
        return key->element_size_bytes == size_bytes;
    return key->least_size_bytes <= size_bytes && size_bytes <= key->element_size_bytes;
}

uint32_t clscan__key_kept_bytes(const clscan__config_key *key)
{
    const bool selects = clscan__config_operation_selects(key->operation) && key->sum_size_bytes != 0;

    return selects || key->sum_size_bytes > key->element_size_bytes ? key->sum_size_bytes : key->element_size_bytes;
}
