#include "chunks.h"

/* One chunk is read, one scanned and one written at any time. Where the device has its own memory, two more are on
 * their ways to and from it. */
#define UNIFIED_SLOTS 3u

static unsigned slots_of(const chunk_limits *limits, uint64_t chunk_count)
{
    const unsigned most = limits->unified ? UNIFIED_SLOTS : CHUNK_MAX_SLOTS;
    const uint64_t chunks =
        limits->count == COUNT_UNKNOWN ? most : limits->count / chunk_count + (limits->count % chunk_count != 0);

    return chunks >= most ? most : chunks <= 1 ? 1 : (unsigned)chunks;
}

/* The last quarter of the device's memory is for workspaces, and for others. */
static bool fits(const chunk_limits *limits, const chunking *cut)
{
    const uint64_t chunk_bytes = cut->chunk_count * limits->element_bytes;
    const unsigned buffers = cut->slot_count * (cut->in_place ? 1 : 2);
    const uint64_t host_chunks = cut->slot_count * (limits->host_chunks > 0 ? limits->host_chunks : 1);
    const uint64_t host_share = limits->host_bytes / 4 / host_chunks;

    if (chunk_bytes > limits->max_allocation_bytes || chunk_bytes > limits->device_bytes / 4 * 3 / buffers)
        return false;
    /* Who names a size means it; a default should leave room for other programs. */
    return limits->wanted_bytes != 0 || cut->slot_count == 1 ||
           chunk_bytes <= (host_share > CHUNK_LEAST_BYTES ? host_share : CHUNK_LEAST_BYTES);
}

static uint64_t wanted_bytes(const chunk_limits *limits)
{
    if (limits->wanted_bytes != 0)
        return limits->wanted_bytes;
    if (limits->usual_bytes != 0)
        return limits->usual_bytes;
    return limits->count == COUNT_UNKNOWN ? CHUNK_PIPE_BYTES : CHUNK_DEFAULT_BYTES;
}

chunking chunks_plan(const chunk_limits *limits)
{
    chunking cut = {.chunk_count = wanted_bytes(limits) / limits->element_bytes};

    if (cut.chunk_count > limits->count)
        cut.chunk_count = limits->count;
    if (cut.chunk_count == 0)
        cut.chunk_count = 1;
    for (;; cut.chunk_count /= 2) {
        cut.slot_count = slots_of(limits, cut.chunk_count);
        /* Mapped memory that the scan overwrites saves a second set of chunks. */
        cut.in_place = limits->in_place || (limits->unified && cut.slot_count > 1 && !limits->apart);
        if (cut.chunk_count == 1 || fits(limits, &cut))
            return cut;
    }
}

uint64_t chunk_first_element(const row_layout *rows, uint64_t begin, uint64_t end)
{
    return rows->reverse ? rows->count - end : begin;
}

piece piece_at(const row_layout *rows, uint64_t begin, uint64_t end, uint64_t position)
{
    const uint64_t in_row = position % rows->row_count;
    const uint64_t row_left = rows->row_count - in_row;
    const uint64_t chunk_left = end - position;
    const uint64_t count = row_left < chunk_left ? row_left : chunk_left;

    return (piece){
        .offset = rows->reverse ? end - position - count : position - begin,
        .count = count,
        .begins_row = in_row == 0,
        .ends_row = count == row_left,
        .in_row = in_row,
    };
}

/* Elements from..to of the chunk, in memory; nothing if there are none. */
static void add_piece(const row_layout *rows, uint64_t first_element, uint64_t from, uint64_t to, segment_piece made,
                      segment_piece pieces[SEGMENT_PIECES], unsigned *count)
{
    if (from == to)
        return;
    made.part.offset = from;
    made.part.count = to - from;
    made.part.in_row = rows->reverse ? rows->count - first_element - to : first_element + from;
    pieces[(*count)++] = made;
}

unsigned segment_pieces(const row_layout *rows, uint64_t begin, uint64_t end, const unsigned char *begins,
                        bool begins_behind, segment_piece pieces[SEGMENT_PIECES])
{
    static const segment_piece goes_on = {.part = {.ends_row = true}}, begun = {.part = {.begins_row = true}},
                               within = {.part = {.begins_row = false}},
                               all = {.part = {.begins_row = true, .ends_row = true}, .whole = true};
    const uint64_t element = chunk_first_element(rows, begin, end), count = end - begin;
    uint64_t first = 0, last = count; /* elements at which segments begin; `count` where there are none */
    unsigned made = 0;

    while (first < count && begins[first] == 0)
        ++first;
    while (last > 0 && begins[last - 1] == 0)
        --last;
    last = last > 0 ? last - 1 : count;
    if (!rows->reverse) {
        add_piece(rows, element, 0, first, first < count ? goes_on : within, pieces, &made);
        add_piece(rows, element, first, last, all, pieces, &made);
        add_piece(rows, element, last, count, begun, pieces, &made);
        return made;
    }
    if (!begins_behind) {
        if (first == count) {
            add_piece(rows, element, 0, count, within, pieces, &made);
            return made;
        }
        add_piece(rows, element, last, count, goes_on, pieces, &made);
    } else {
        last = count;
    }
    add_piece(rows, element, first, last, all, pieces, &made);
    add_piece(rows, element, 0, first, begun, pieces, &made);
    return made;
}
