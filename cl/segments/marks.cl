// Offsets of segments as marks: a bit for each element, set where a segment begins. Bit i % 32 of word i / 32 is that
// of element i.
//
// A work-item takes a run of neighbouring offsets. They are in order as a rule, so what it marks in one word is put
// together in a register, and on GPUs what a work-group marks, in local memory, where the words of its tile fit there.
// Where they do not, neighbouring work-items take neighbouring offsets, since atomics are faster side by side.
//
// Offsets may stand in any order, and no mark is lost: each word is combined with what stands in memory. Where most
// words have marks, atomics cost some percent of a scan, so many offsets are marked in two launches. The first one
// trusts that tiles follow each other, and stores the words between the first and the last one of a tile; and it looks
// whether that is so. If it was not, the second one combines all words with what the first one left; else it ends at
// once.
//
// Required of the host (src/program/marks.c):
//   CLSCAN_MARK_WORK_GROUP_SIZE  1 on CPUs, else a power of two of at least 16
//   CLSCAN_MARK_RUN              offsets of a work-item in a tile, a multiple of CLSCAN_MARK_BATCH
//   CLSCAN_MARK_BATCH            of these, as many as are loaded at once: 16
//   CLSCAN_MARK_WORDS            words of local memory
//   CLSCAN_MARK_OFFSET           type of an offset, int, uint, long or ulong
//   CLSCAN_MARK_PLACE            the unsigned type of its size
//   CLSCAN_MARK_LAST             its largest value
//   CLSCAN_MARK_CHECKS           1 if offsets that are wrong are counted
//   CLSCAN_MARK_GIVES            1 if sums of empty segments are written, then also
//   CLSCAN_MARK_BITS             type of the bits of an initial value
//   CLSCAN_MARK_SUM(i)           the sum of segment i, which is empty
//   CLSCAN_MARK_COUNT_PARAMETERS  where the number of offsets is in device memory: parameters that say where
//   CLSCAN_MARK_TAKE(most)       how many offsets there are, at most `most`
//   CLSCAN_MARK_ROOM             words in front of the marks, of which the first one says that order was missing
//   CLSCAN_MARK_COMBINE, _TRUST, _MEND  ways to mark: in one launch, and in the first and the second one of two
//   CLSCAN_MARK_NOTHING          the way of offsets that need no marks, but are counted or have sums
#if !defined(CLSCAN_MARK_WORK_GROUP_SIZE) || !defined(CLSCAN_MARK_RUN) || !defined(CLSCAN_MARK_BATCH) || \
    !defined(CLSCAN_MARK_WORDS) || !defined(CLSCAN_MARK_OFFSET) || !defined(CLSCAN_MARK_PLACE) || \
    !defined(CLSCAN_MARK_LAST) || !defined(CLSCAN_MARK_CHECKS) || !defined(CLSCAN_MARK_GIVES) || \
    !defined(CLSCAN_MARK_COUNT_PARAMETERS) || !defined(CLSCAN_MARK_TAKE) || !defined(CLSCAN_MARK_ROOM) || \
    !defined(CLSCAN_MARK_COMBINE) || !defined(CLSCAN_MARK_TRUST) || !defined(CLSCAN_MARK_MEND) || \
    !defined(CLSCAN_MARK_NOTHING)
#error "CLSCAN_MARK_* must be defined"
#endif
#if CLSCAN_MARK_BATCH != 16
#error "offsets are marked 16 at once"
#endif

// Barriers here are those of these kernels, also where a variant has work-groups of one.
#undef barrier

typedef CLSCAN_MARK_PLACE clscan_mark_place;
typedef CLSCAN_PASTE(CLSCAN_MARK_OFFSET, 4) clscan_mark_vector;
typedef CLSCAN_PASTE(CLSCAN_MARK_OFFSET, 16) clscan_mark_offsets;
typedef CLSCAN_PASTE(CLSCAN_MARK_PLACE, 16) clscan_mark_places;
#define CLSCAN_MARK_AS_PLACES CLSCAN_PASTE(as_, CLSCAN_PASTE(CLSCAN_MARK_PLACE, 16))

#define CLSCAN_MARK_TILE ((ulong)CLSCAN_MARK_WORK_GROUP_SIZE * CLSCAN_MARK_RUN)

// Neighbouring offsets that are marked: a CPU would wait for vectors whose parts it has just stored in private memory.
#if CLSCAN_MARK_WORK_GROUP_SIZE == 1
typedef __global const CLSCAN_MARK_OFFSET *clscan_mark_offsets_at;
#else
typedef const CLSCAN_MARK_OFFSET *clscan_mark_offsets_at;
#endif

// Does each work-item take neighbouring offsets of a tile, and not neighbouring work-items?
#if CLSCAN_MARK_WORK_GROUP_SIZE > 1
#define CLSCAN_MARK_IN_RUNS(marks) (marks).gathers
#else
#define CLSCAN_MARK_IN_RUNS(marks) true
#endif

// Where the marks of a tile go. If its offsets are in order, they lie in `span` words from `first` on.
typedef struct clscan_marking {
    volatile __global uint *words;
    clscan_mark_place first, span;
    clscan_mark_place inner; // so many words behind the first one have marks of nobody else
    bool follows;            // was nothing seen outside of the span?
#if CLSCAN_MARK_WORK_GROUP_SIZE > 1
    volatile __local uint *gathered; // the words of the span
    bool gathers;                    // has the span room there?
#endif
} clscan_marking;

CLSCAN_FUNCTION void clscan_mark_word(clscan_marking *marks, clscan_mark_place word, uint bits)
{
    const clscan_mark_place own = word - marks->first;

#if CLSCAN_MARK_WORK_GROUP_SIZE == 1
    // Nobody else marks these if tiles follow each other; if not, the second launch mends what is lost here.
    if (own - 1 < marks->inner) {
        marks->words[word] |= bits;
        return;
    }
#endif
    if (bits == 0)
        return;
    if (own >= marks->span)
        marks->follows = false;
#if CLSCAN_MARK_WORK_GROUP_SIZE > 1
    else if (marks->gathers) {
        (void)atomic_or(marks->gathered + (uint)own, bits);
        return;
    }
#endif
    (void)atomic_or(marks->words + word, bits);
}

CLSCAN_FUNCTION uint clscan_mark_together(uint16 bits)
{
    const uint8 eight = bits.lo | bits.hi;
    const uint4 four = eight.lo | eight.hi;

    return four.x | four.y | four.z | four.w;
}

/// Mark neighbouring offsets. Where there are many, most of them fall into the first one's word or those right behind;
/// of each of these they are put together without a branch.
///
/// last  the largest offset that there may be
#if CLSCAN_MARK_WORK_GROUP_SIZE == 1
// In vectors, which a CPU has: an H200 takes 1.4 times as long for them as for the loop below.
#define CLSCAN_MARK_TOGETHER 4 // words

CLSCAN_FUNCTION void clscan_mark_batch(clscan_marking *marks, clscan_mark_offsets_at batch, clscan_mark_place last)
{
    const clscan_mark_places places = CLSCAN_MARK_AS_PLACES(vload16(0, batch));
    const clscan_mark_places behind = places / 32 - places.s0 / 32;
    const uint16 bits = (uint16)(1) << convert_uint16(places & 31) & as_uint16(convert_int16(places <= last));
    const clscan_mark_place word = places.s0 / 32;

#pragma unroll
    for (uint w = 0; w < CLSCAN_MARK_TOGETHER; ++w) {
        clscan_mark_word(marks, word + w, clscan_mark_together(bits & as_uint16(convert_int16(behind == w))));
        if (w % 2 > 0 && clscan_mark_together(as_uint16(convert_int16(behind > w))) == 0)
            return;
    }
    for (uint k = 0; k < CLSCAN_MARK_BATCH; ++k) {
        const clscan_mark_place place = (clscan_mark_place)batch[k];

        if (place / 32 - word >= CLSCAN_MARK_TOGETHER && place <= last)
            clscan_mark_word(marks, place / 32, 1u << (uint)(place % 32));
    }
}
#else
CLSCAN_FUNCTION void clscan_mark_batch(clscan_marking *marks, clscan_mark_offsets_at batch, clscan_mark_place last)
{
    const clscan_mark_place word = (clscan_mark_place)batch[0] / 32;
    uint bits = 0, next_bits = 0;

#pragma unroll
    for (uint k = 0; k < CLSCAN_MARK_BATCH; ++k) {
        const clscan_mark_place place = (clscan_mark_place)batch[k];
        const clscan_mark_place behind = place / 32 - word;
        const uint bit = place <= last ? 1u << (uint)(place % 32) : 0;

        bits |= behind == 0 ? bit : 0;
        next_bits |= behind == 1 ? bit : 0;
        if (behind > 1)
            clscan_mark_word(marks, place / 32, bit);
    }
    clscan_mark_word(marks, word, bits);
    clscan_mark_word(marks, word + 1, next_bits);
}
#endif

#if CLSCAN_MARK_CHECKS || CLSCAN_MARK_GIVES
/// Does each offset of a batch lie below the count, behind the one before and in front of the one behind? There is one
/// behind, and where `has_before` says so one before; `at` is where the batch stands.
CLSCAN_FUNCTION bool clscan_mark_in_order(clscan_mark_offsets_at batch, __global const CLSCAN_MARK_OFFSET *at,
                                          bool has_before, ulong count)
{
    const clscan_mark_offsets here = vload16(0, batch), next = vload16(0, at + 1);
    const clscan_mark_place end = (clscan_mark_place)min(count, (ulong)CLSCAN_MARK_LAST);
    const uint16 wrong = as_uint16(convert_int16(next <= here)) |
                         as_uint16(convert_int16(CLSCAN_MARK_AS_PLACES(here) >= end));

    return clscan_mark_together(wrong) == 0 && (!has_before || at[-1] < batch[0]);
}
#endif

/// What the first and the last offset of a tile say of its marks. Offsets are counted from `aligned` on: the tile from
/// `tile`, all of them from `begin` to `end`.
///
/// last    the largest offset that there may be
/// trusts  do tiles follow each other?
CLSCAN_FUNCTION void clscan_marking_begin(clscan_marking *marks, __global const CLSCAN_MARK_OFFSET *aligned, ulong tile,
                                          ulong begin, ulong end, clscan_mark_place last, bool trusts)
{
    const ulong next = min(tile + CLSCAN_MARK_TILE, end);
    const clscan_mark_place lowest = (clscan_mark_place)aligned[max(tile, begin)],
                            highest = (clscan_mark_place)aligned[next - 1], top = min(highest, last);

    marks->first = lowest / 32;
    marks->span = lowest <= top ? top / 32 - lowest / 32 + 1 : 0;
    marks->inner = trusts && marks->span > 2 ? marks->span - 2 : 0;
#if CLSCAN_MARK_WORK_GROUP_SIZE > 1
    marks->gathers = marks->span <= CLSCAN_MARK_WORDS;
#endif
    marks->follows = (lowest <= highest) & (highest <= (clscan_mark_place)aligned[min(next, end - 1)]);
}

#if CLSCAN_MARK_WORK_GROUP_SIZE > 1
/// What was gathered leaves, and is 0 behind this.
CLSCAN_FUNCTION void clscan_marking_end(const clscan_marking *marks)
{
    const uint words = marks->gathers ? (uint)marks->span : 0;

    for (uint w = (uint)get_local_id(0); w < words; w += CLSCAN_MARK_WORK_GROUP_SIZE) {
        const uint bits = marks->gathered[w];

        marks->gathered[w] = 0;
        if (w - 1 < marks->inner)
            marks->words[marks->first + w] = bits;
        else if (bits != 0)
            (void)atomic_or(marks->words + marks->first + w, bits);
    }
}
#endif

// first       of the offsets, in their buffer
// first_mark  of the marks, with what stands in front of them, in theirs
// way         CLSCAN_MARK_COMBINE, _TRUST, _MEND or _NOTHING
__kernel __attribute__((reqd_work_group_size(CLSCAN_MARK_WORK_GROUP_SIZE, 1, 1)))
void clscan_mark(CLSCAN_RUN_PARAMETERS, __global const CLSCAN_MARK_OFFSET *offsets, ulong first, ulong offset_count,
                 __global uint *words, ulong first_mark, uint way
#if CLSCAN_MARK_GIVES
                 , CLSCAN_MARK_BITS bits_of_initial, __global const clscan_value *initial, ulong first_initial,
                 uint mode, __global clscan_value *sums, ulong first_sum
#endif
                 CLSCAN_MARK_COUNT_PARAMETERS)
{
    const ulong count = CLSCAN_TAKE_COUNT(run.count);
    const clscan_mark_place last = (clscan_mark_place)min(count - 1, (ulong)CLSCAN_MARK_LAST);
    const uint lid = (uint)get_local_id(0);
    const bool mends = way == CLSCAN_MARK_MEND, marked = count > 0 && way != CLSCAN_MARK_NOTHING;
    __global const CLSCAN_MARK_OFFSET *aligned; // where vectors may be loaded; offsets are counted from there
    ulong begin, end;
    clscan_marking marks;
#if CLSCAN_MARK_WORK_GROUP_SIZE > 1
    __local uint gathered[CLSCAN_MARK_WORDS];
#endif

    offset_count = mends && words[first_mark] == 0 ? 0 : CLSCAN_MARK_TAKE(offset_count);
    offsets += first;
    begin = (ulong)offsets % sizeof(clscan_mark_vector) / sizeof(CLSCAN_MARK_OFFSET);
    end = offset_count > 0 ? begin + offset_count : 0;
    aligned = offsets - begin;
    marks.words = (volatile __global uint *)words + first_mark + CLSCAN_MARK_ROOM;
#if CLSCAN_MARK_WORK_GROUP_SIZE > 1
    for (uint w = lid; w < CLSCAN_MARK_WORDS && end > 0; w += CLSCAN_MARK_WORK_GROUP_SIZE)
        gathered[w] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    marks.gathered = gathered;
#endif

    for (ulong tile = get_group_id(0) * CLSCAN_MARK_TILE; tile < end; tile += get_num_groups(0) * CLSCAN_MARK_TILE) {
        clscan_marking_begin(&marks, aligned, tile, begin, end, last, way == CLSCAN_MARK_TRUST);
        for (uint step = 0; step < CLSCAN_MARK_RUN; step += CLSCAN_MARK_BATCH) {
            const ulong at = tile + (ulong)lid * CLSCAN_MARK_RUN + step;
            const bool whole = at >= begin && at + CLSCAN_MARK_BATCH <= end;
#if CLSCAN_MARK_WORK_GROUP_SIZE == 1
            const clscan_mark_offsets_at batch = aligned + at;
#else
            CLSCAN_MARK_OFFSET batch[CLSCAN_MARK_BATCH];

            // Before anybody looks at what the tile begins and ends with.
            if (whole) {
#pragma unroll
                for (uint k = 0; k < CLSCAN_MARK_BATCH; k += 4)
                    vstore4(*(__global const clscan_mark_vector *)(aligned + at + k), 0, batch + k);
            }
#endif
            if (whole && CLSCAN_MARK_IN_RUNS(marks)) {
                if (marked)
                    clscan_mark_batch(&marks, batch, last);
            } else {
                for (uint k = 0; k < CLSCAN_MARK_BATCH; ++k) {
                    const ulong one = CLSCAN_MARK_IN_RUNS(marks)
                                          ? at + k
                                          : tile + (ulong)(step + k) * CLSCAN_MARK_WORK_GROUP_SIZE + lid;

                    if (marked && one >= begin && one < end && (clscan_mark_place)aligned[one] <= last)
                        clscan_mark_word(&marks, (clscan_mark_place)aligned[one] / 32, 1u << (uint)(aligned[one] & 31));
                }
            }
#if CLSCAN_MARK_CHECKS || CLSCAN_MARK_GIVES
            // Mostly they are in order and below the count, so that there is nothing to do.
            if (whole && at + CLSCAN_MARK_BATCH < end && clscan_mark_in_order(batch, aligned + at, at > begin, count))
                continue;
            for (uint k = 0; k < CLSCAN_MARK_BATCH && !mends; ++k) {
                const ulong i = at + k - begin;

                if (i >= offset_count)
                    continue;
#if CLSCAN_MARK_CHECKS
                if ((ulong)offsets[i] > count || (i > 0 && offsets[i] < offsets[i - 1]))
                    (void)atomic_inc(CLSCAN_COUNTER(CLSCAN_EVENT_BAD_OFFSET));
#endif
#if CLSCAN_MARK_GIVES
                if (i + 1 < offset_count && clscan_is_empty(offsets, i, count))
                    sums[first_sum + i] = CLSCAN_MARK_SUM(i);
#endif
            }
#endif
        }
        if (!marks.follows && way == CLSCAN_MARK_TRUST)
            words[first_mark] = 1;
#if CLSCAN_MARK_WORK_GROUP_SIZE > 1
        barrier(CLK_LOCAL_MEM_FENCE);
        clscan_marking_end(&marks);
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }
}

#if CLSCAN_COUNT_BYTES > 0
// Marks of as many elements as there are, and none behind them but in the last words of 16 bytes: where the count is
// in device memory, this costs what that needs.
__kernel void clscan_clear(CLSCAN_RUN_PARAMETERS, __global uint *words, ulong first_mark)
{
    const ulong elements = CLSCAN_TAKE_COUNT(run.count),
                end = CLSCAN_MARK_ROOM + (elements / 128 + (elements % 128 != 0)) * 4;

    for (ulong i = get_global_id(0); i < end; i += get_global_size(0))
        words[first_mark + i] = 0;
}
#endif
