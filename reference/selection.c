#include "selection.h"

#include <stdbool.h>

enum { KEPT = 1, MIDDLE = 2 };

/* Those that are kept; returns how many. */
static uint64_t keep(const clscan_select *select, const unsigned char *parts, uint64_t count, uint64_t *sources,
                     uint32_t *lengths)
{
    uint64_t kept = 0;

    for (uint64_t i = 0, end; i < count; i = end) {
        end = i + 1;
        if (parts[i] != KEPT && !(select->long_runs && i == 0))
            continue;
        while (end < count && parts[end] != KEPT)
            ++end;
        if (select->long_runs && end - i < 2)
            continue;
        lengths[kept] = (uint32_t)(end - i);
        sources[kept++] = i;
    }
    return kept;
}

/* Those that are not kept, of the middle or all others; returns how many. */
static uint64_t append(const clscan_select *select, const unsigned char *parts, uint64_t count, bool middle,
                       uint64_t *sources)
{
    uint64_t appended = 0;

    for (uint64_t i = 0; i < count; ++i)
        if (parts[i] != KEPT && (select->rest == CLSCAN_REST_THREE_WAY && parts[i] == MIDDLE) == middle)
            sources[appended++] = i;
    return appended;
}

uint64_t clscan_reference_select(const clscan_select *select, const unsigned char *parts, uint64_t count,
                                 uint64_t *sources, uint32_t *lengths, uint32_t kept[2])
{
    uint64_t places = keep(select, parts, count, sources, lengths);

    kept[0] = (uint32_t)places;
    kept[1] = 0;
    if (select->rest == CLSCAN_REST_DROPPED)
        return places;
    places += append(select, parts, count, true, sources + places);
    kept[1] = (uint32_t)places - kept[0];
    return places + append(select, parts, count, false, sources + places);
}

uint64_t clscan_reference_repeat(const uint32_t *lengths, uint64_t count, uint64_t *sources)
{
    uint64_t places = 0;

    for (uint64_t i = 0; i < count; ++i)
        for (uint32_t copy = 0; copy < lengths[i]; ++copy)
            sources[places++] = i;
    return places;
}
