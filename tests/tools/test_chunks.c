/* How elements are cut into chunks and pieces: no device, no files. */
#include "chunks.h"
#include "cmocka_all.h"

#define MIB ((uint64_t)1 << 20)
#define GIB ((uint64_t)1 << 30)

/* A device with room for everything. */
static const chunk_limits roomy = {
    .element_bytes = 4,
    .count = 1000,
    .max_allocation_bytes = 1024 * GIB,
    .device_bytes = 1024 * GIB,
    .host_bytes = 1024 * GIB,
};

static void a_small_file_is_one_chunk(void **state)
{
    chunk_limits limits = roomy;
    chunking cut = chunks_plan(&limits);

    (void)state;
    assert_int_equal(cut.chunk_count, 1000);
    assert_int_equal(cut.slot_count, 1);
    assert_false(cut.in_place);
    limits.unified = true;
    cut = chunks_plan(&limits);
    assert_int_equal(cut.slot_count, 1);
    assert_false(cut.in_place);
    limits.in_place = true;
    assert_true(chunks_plan(&limits).in_place);
    limits.count = 0;
    assert_int_equal(chunks_plan(&limits).chunk_count, 1); /* buffers cannot be empty */
}

static void wishes_are_kept(void **state)
{
    chunk_limits limits = roomy;
    chunking cut;

    (void)state;
    limits.wanted_bytes = 400;
    cut = chunks_plan(&limits);
    assert_int_equal(cut.chunk_count, 100);
    assert_int_equal(cut.slot_count, CHUNK_MAX_SLOTS);
    limits.wanted_bytes = 1999; /* three chunks */
    cut = chunks_plan(&limits);
    assert_int_equal(cut.chunk_count, 499);
    assert_int_equal(cut.slot_count, 3);
    limits.wanted_bytes = 1; /* less than an element */
    assert_int_equal(chunks_plan(&limits).chunk_count, 1);
}

static void chunks_fit_the_memory(void **state)
{
    chunk_limits limits = roomy;
    chunking cut;

    (void)state;
    limits.count = 100 * GIB;
    assert_int_equal(chunks_plan(&limits).chunk_count, CHUNK_DEFAULT_BYTES / 4);
    limits.max_allocation_bytes = 100 * MIB;
    assert_int_equal(chunks_plan(&limits).chunk_count, 64 * MIB / 4);
    limits.max_allocation_bytes = 10 * GIB;
    limits.device_bytes = GIB; /* ten buffers in three quarters of it */
    assert_int_equal(chunks_plan(&limits).chunk_count, 64 * MIB / 4);
    limits.in_place = true;
    assert_int_equal(chunks_plan(&limits).chunk_count, 128 * MIB / 4);
    limits.wanted_bytes = 10 * GIB; /* a wish does not make memory */
    cut = chunks_plan(&limits);
    assert_true(cut.chunk_count * 4 * cut.slot_count <= 768 * MIB);
    limits = roomy;
    limits.count = 100 * GIB;
    limits.host_bytes = GIB; /* five chunks in a quarter of it */
    assert_int_equal(chunks_plan(&limits).chunk_count, 32 * MIB / 4);
    limits.host_bytes = 0; /* chunks of a few elements would take for ever */
    assert_int_equal(chunks_plan(&limits).chunk_count, CHUNK_LEAST_BYTES / 4);
    limits.host_bytes = GIB;
    limits.host_chunks = 3; /* fifteen of them */
    assert_int_equal(chunks_plan(&limits).chunk_count, 16 * MIB / 4);
    limits.usual_bytes = 20 * MIB;
    assert_int_equal(chunks_plan(&limits).chunk_count, 10 * MIB / 4);
    limits.wanted_bytes = 40 * MIB; /* who names a size means it */
    assert_int_equal(chunks_plan(&limits).chunk_count, 40 * MIB / 4);
    limits = roomy;
    limits.host_bytes = GIB;
    limits.count = COUNT_UNKNOWN;
    cut = chunks_plan(&limits);
    assert_int_equal(cut.chunk_count, CHUNK_PIPE_BYTES / 4);
    assert_int_equal(cut.slot_count, CHUNK_MAX_SLOTS);
    limits.max_allocation_bytes = 0;
    assert_int_equal(chunks_plan(&limits).chunk_count, 1);
}

static void shared_memory_is_scanned_in_place(void **state)
{
    chunk_limits limits = roomy;
    chunking cut;

    (void)state;
    limits.unified = true;
    limits.count = GIB;
    cut = chunks_plan(&limits);
    assert_int_equal(cut.slot_count, 3);
    assert_true(cut.in_place);
}

/* Every position is in one piece; pieces begin and end where rows and chunks do, and lie in memory where the chunk
 * has them. */
static void pieces_cover_everything(void **state)
{
    (void)state;
    for (uint64_t row_count = 1; row_count <= 12; ++row_count) {
        for (uint64_t chunk_count = 1; chunk_count <= 14; ++chunk_count) {
            for (int reverse = 0; reverse < 2; ++reverse) {
                const row_layout rows = {.count = 3 * row_count, .row_count = row_count, .reverse = reverse};
                unsigned seen[36] = {0};

                for (uint64_t begin = 0; begin < rows.count; begin += chunk_count) {
                    const uint64_t end = begin + chunk_count < rows.count ? begin + chunk_count : rows.count;
                    const uint64_t first = chunk_first_element(&rows, begin, end);

                    for (uint64_t position = begin; position < end;) {
                        const piece p = piece_at(&rows, begin, end, position);
                        const uint64_t element = first + p.offset;

                        assert_true(p.count >= 1 && p.offset + p.count <= end - begin);
                        assert_int_equal(element / row_count, (element + p.count - 1) / row_count);
                        assert_int_equal(p.begins_row, position % row_count == 0);
                        assert_int_equal(p.ends_row, (position + p.count) % row_count == 0);
                        assert_true(p.ends_row || position + p.count == end);
                        assert_int_equal(reverse ? rows.count - position - p.count : position, element);
                        for (uint64_t i = 0; i < p.count; ++i)
                            ++seen[element + i];
                        position += p.count;
                    }
                }
                for (uint64_t i = 0; i < rows.count; ++i)
                    assert_int_equal(seen[i], 1);
            }
        }
    }
}

static void a_stream_is_one_row(void **state)
{
    const row_layout rows = {.count = COUNT_UNKNOWN, .row_count = COUNT_UNKNOWN};
    piece p = piece_at(&rows, 0, 10, 0);

    (void)state;
    assert_true(p.begins_row && !p.ends_row && p.count == 10);
    p = piece_at(&rows, 10, 13, 10);
    assert_true(!p.begins_row && !p.ends_row && p.count == 3 && p.offset == 0);
}

enum { ELEMENTS = 9 };

/* Does a segment begin at element `i`, or do all end there? */
static bool begins_at(unsigned heads, uint64_t i)
{
    return i == 0 || i == ELEMENTS || (heads >> i & 1) != 0;
}

/* The pieces of all chunks, one after the other: each is whole segments, or goes on where the one before ended. */
static void check_segments(unsigned heads, uint64_t chunk, bool reverse)
{
    const row_layout rows = {.count = ELEMENTS, .row_count = ELEMENTS, .reverse = reverse};
    uint64_t done = 0;
    bool goes_on = false, begins_behind = true;

    for (uint64_t begin = 0; begin < ELEMENTS; begin += chunk) {
        const uint64_t end = begin + chunk < ELEMENTS ? begin + chunk : ELEMENTS;
        const uint64_t first = chunk_first_element(&rows, begin, end);
        segment_piece pieces[SEGMENT_PIECES];
        unsigned char begins[ELEMENTS];
        unsigned count;

        for (uint64_t i = 0; i < end - begin; ++i)
            begins[i] = begins_at(heads, first + i);
        count = segment_pieces(&rows, begin, end, begins, begins_behind, pieces);
        begins_behind = begins[0] != 0;
        assert_in_range(count, 1, SEGMENT_PIECES);
        for (unsigned i = 0; i < count; ++i) {
            const piece *p = &pieces[i].part;
            const uint64_t from = first + p->offset, to = from + p->count;
            const bool begins_segment = begins_at(heads, reverse ? to : from),
                       ends_segment = begins_at(heads, reverse ? from : to);

            assert_int_equal(p->in_row, done);
            assert_int_equal(reverse ? ELEMENTS - to : from, done);
            assert_in_range(p->count, 1, end - begin);
            done += p->count;
            assert_int_equal(p->begins_row, begins_segment);
            assert_true(begins_segment || goes_on);
            assert_true(ends_segment || !(p->ends_row || pieces[i].whole));
            for (uint64_t j = from + 1; j < to && !pieces[i].whole; ++j)
                assert_false(begins_at(heads, j));
            goes_on = !p->ends_row;
        }
    }
    assert_int_equal(done, ELEMENTS);
}

static void segments_go_on(void **state)
{
    (void)state;
    for (unsigned heads = 0; heads < 1u << ELEMENTS; heads += 2)
        for (uint64_t chunk = 1; chunk <= ELEMENTS; ++chunk) {
            check_segments(heads, chunk, false);
            check_segments(heads, chunk, true);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_file_is_one_chunk),
        cmocka_unit_test(wishes_are_kept),
        cmocka_unit_test(chunks_fit_the_memory),
        cmocka_unit_test(shared_memory_is_scanned_in_place),
        cmocka_unit_test(pieces_cover_everything),
        cmocka_unit_test(a_stream_is_one_row),
        cmocka_unit_test(segments_go_on),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
