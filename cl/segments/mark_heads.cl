// Flags or keys of segments as marks: a bit for each element, as marks.cl makes them of offsets.
//
// A scan reads marks with its tile, one word of 32 elements at a time. Flags and keys lie apart from the elements, and
// a scan of 8 bytes that loads both falls to two thirds of a copy's speed, one of single bytes to a third.
//
// Neighbouring work-items take neighbouring runs, whose loads of 16 bytes lie side by side where a run has no more.
// All marks are written, also those behind the last element, up to the next 16 bytes: they are 0.
//
// Required of the host (src/program/marks.c):
//   CLSCAN_MARK_UNIT        type of a flag or a key
//   CLSCAN_MARK_UNIT_BYTES  its size
//   CLSCAN_MARK_COMPARES    1: a segment begins where a key differs from the one before; 0: where a flag is not 0
//   CLSCAN_MARK_RUN         flags or keys of a work-item, 16: their marks are a ushort
//   CLSCAN_MARK_ROOM        words in front of the marks
#if !defined(CLSCAN_MARK_UNIT) || !defined(CLSCAN_MARK_UNIT_BYTES) || !defined(CLSCAN_MARK_COMPARES) || \
    !defined(CLSCAN_MARK_RUN) || !defined(CLSCAN_MARK_ROOM)
#error "CLSCAN_MARK_* must be defined"
#endif

#if CLSCAN_MARK_UNIT_BYTES == 1
#define CLSCAN_MARK_LANES 16
#elif CLSCAN_MARK_UNIT_BYTES == 2
#define CLSCAN_MARK_LANES 8
#elif CLSCAN_MARK_UNIT_BYTES == 4
#define CLSCAN_MARK_LANES 4
#else
#define CLSCAN_MARK_LANES 2
#endif

typedef CLSCAN_PASTE(CLSCAN_MARK_UNIT, CLSCAN_MARK_LANES) clscan_mark_units;

/// Marks of a whole run, whose first element has a neighbour or is the first of all.
CLSCAN_FUNCTION uint clscan_mark_run(__global const CLSCAN_MARK_UNIT *at, bool aligned, bool is_first)
{
    CLSCAN_MARK_UNIT units[CLSCAN_MARK_RUN];
    uint marks = 0;

    if (aligned) {
#pragma unroll
        for (uint k = 0; k < CLSCAN_MARK_RUN; k += CLSCAN_MARK_LANES)
            CLSCAN_PASTE(vstore, CLSCAN_MARK_LANES)(*(__global const clscan_mark_units *)(at + k), 0, units + k);
    } else {
#pragma unroll
        for (uint k = 0; k < CLSCAN_MARK_RUN; ++k)
            units[k] = at[k];
    }
#if CLSCAN_MARK_COMPARES
    marks = is_first || at[-1] != units[0];
#pragma unroll
    for (uint k = 1; k < CLSCAN_MARK_RUN; ++k)
        marks |= (uint)(units[k] != units[k - 1]) << k;
#elif CLSCAN_MARK_UNIT_BYTES == 1
#pragma unroll
    for (uint k = 0; k < CLSCAN_MARK_RUN; k += 4)
        marks |= clscan_bytes_set(as_uint(vload4(0, units + k))) << k;
#else
#pragma unroll
    for (uint k = 0; k < CLSCAN_MARK_RUN; ++k)
        marks |= (uint)(units[k] != 0) << k;
#endif
    return marks;
}

// first       of the flags or keys, in their buffer
// first_mark  of the marks, with what stands in front of them, in theirs, in words
__kernel void clscan_mark_heads(CLSCAN_RUN_PARAMETERS, __global const CLSCAN_MARK_UNIT *units, ulong first,
                                __global uint *words, ulong first_mark)
{
    const ulong count = CLSCAN_TAKE_COUNT(run.count), end = (count / 128 + (count % 128 != 0)) * 8;
    const bool aligned = (ulong)(units + first) % sizeof(clscan_mark_units) == 0;
    __global ushort *marks = (__global ushort *)(words + first_mark + CLSCAN_MARK_ROOM);

    units += first;
    for (ulong i = get_global_id(0); i < end; i += get_global_size(0)) {
        const ulong at = i * CLSCAN_MARK_RUN;
        uint run_marks = 0;

        if (at + CLSCAN_MARK_RUN <= count) {
            run_marks = clscan_mark_run(units + at, aligned, at == 0);
        } else {
            for (uint k = 0; k < CLSCAN_MARK_RUN && at + k < count; ++k)
#if CLSCAN_MARK_COMPARES
                run_marks |= (uint)(at + k == 0 || units[at + k] != units[at + k - 1]) << k;
#else
                run_marks |= (uint)(units[at + k] != 0) << k;
#endif
        }
        marks[i] = (ushort)run_marks;
    }
}
