// Where elements come from and where outputs go, in the order of the scan: index k counts from the first element when
// forward, from the last one backwards when reverse. A source and a sink are "cursors": they stand at k = 0 of a tile.
// Bodies and carries move them by the macros below, and read and write through them, but do not know what they are.
// A kernel makes them of its arguments by CLSCAN_SOURCE() and CLSCAN_SINK().
//
// If the problem is not plain, what is read passes the load map, and what is written the store map. These know where
// they are: cursors count from the first element in memory. And they have further arguments of the caller's, which
// kernels take behind their own (CLSCAN_MAP_PARAMETERS) and cursors carry (CLSCAN_MAP_ARGUMENTS, a clscan_arguments).
//
// Required of the host: CLSCAN_STREAMING_STORES (1 where whole lines go past the cache on the way out).
#if !defined(CLSCAN_STREAMING_STORES)
#error "CLSCAN_STREAMING_STORES must be defined"
#endif

// No `restrict` anywhere: input and output may be the same memory.
#if CLSCAN_POINTERS
typedef __global const CLSCAN_T *clscan_source;
typedef __global CLSCAN_T *clscan_sink;
#define CLSCAN_SOURCE(in, offset) ((in) + (offset))
#define CLSCAN_SINK(out, offset) ((out) + (offset))
#define CLSCAN_SOURCE_ROW(in, offset) ((in) + (offset))
#define CLSCAN_SINK_ROW(out, offset) ((out) + (offset))
#define CLSCAN_NOWHERE 0
#else
typedef struct clscan_cursor {
    __global uchar *base; // the first element in memory
    ulong index;
#if CLSCAN_SELECTS
    // Of a sink: see clscan_sink_until(), clscan_place_of().
#if CLSCAN_SELECT_REST
    bool fits;
    ulong rest;
#if CLSCAN_SELECT_MIDDLE
    ulong middle;
#endif
#else
    ulong end;
#endif
#if CLSCAN_SELECT_RELOADS
    __global const CLSCAN_IN *elements; // of a sink: the input
#endif
#endif
    clscan_arguments arguments;
} clscan_cursor;
typedef clscan_cursor clscan_source;
typedef clscan_cursor clscan_sink;
#define CLSCAN_SOURCE(in, offset) clscan_cursor_of((__global uchar *)((in) + (offset)), CLSCAN_MAP_ARGUMENTS)
#if CLSCAN_SELECTS && CLSCAN_SELECT_RELOADS
#define CLSCAN_SINK(out, offset) \
    clscan_reloading(clscan_cursor_of((__global uchar *)((out) + (offset)), CLSCAN_MAP_ARGUMENTS), in + run.in_offset)
#else
#define CLSCAN_SINK(out, offset) clscan_cursor_of((__global uchar *)((out) + (offset)), CLSCAN_MAP_ARGUMENTS)
#endif
// At the begin of another row of several: indices count from there.
#define CLSCAN_SOURCE_ROW(in, offset) \
    clscan_cursor_of((in).base + (offset) * (ulong)sizeof(clscan_in), (in).arguments)
#define CLSCAN_SINK_ROW(out, offset) \
    clscan_cursor_of((out).base + (offset) * (ulong)sizeof(clscan_out), (out).arguments)
#define CLSCAN_NOWHERE clscan_nowhere()
#define clscan_stored(cursor, type) ((__global type *)(cursor).base)

CLSCAN_FUNCTION clscan_cursor clscan_cursor_of(__global uchar *base, clscan_arguments arguments)
{
    clscan_cursor cursor;
    cursor.base = base;
    cursor.index = 0;
#if CLSCAN_SELECTS
#if CLSCAN_SELECT_REST
    cursor.fits = false;
    cursor.rest = clscan_rest_is_counted(arguments) ? *clscan_rest_counted(arguments) : 0;
#if CLSCAN_SELECT_MIDDLE
    cursor.middle = clscan_rest_counted(arguments)[1];
#endif
#else
    cursor.end = 0;
#endif
#endif
    cursor.arguments = arguments;
    return cursor;
}

#if CLSCAN_SELECTS && CLSCAN_SELECT_RELOADS
CLSCAN_FUNCTION clscan_cursor clscan_reloading(clscan_cursor sink, __global const CLSCAN_IN *elements)
{
    sink.elements = elements;
    return sink;
}
#endif

// For places that hold a cursor only later.
CLSCAN_FUNCTION clscan_cursor clscan_nowhere(void)
{
    clscan_cursor cursor;
    cursor.base = 0;
    cursor.index = 0;
    return cursor;
}

CLSCAN_FUNCTION clscan_cursor clscan_moved(clscan_cursor cursor, ulong by)
{
    cursor.index += by;
    return cursor;
}
#endif

// What the host asks for, the compiler may not have.
#ifdef __has_builtin
#if CLSCAN_STREAMING_STORES && __has_builtin(__builtin_nontemporal_store)
#define CLSCAN_CAN_STREAM 1
#endif
// Only for the processor itself: intermediate forms, such as SPIR-V, have no word for it.
#if __has_builtin(__builtin_prefetch) && (defined(__x86_64__) || defined(__aarch64__) || defined(__powerpc64__) || \
                                          defined(__riscv))
#define CLSCAN_CAN_PREFETCH 1
#endif
#endif
#ifndef CLSCAN_CAN_STREAM
#define CLSCAN_CAN_STREAM 0
#endif
#ifndef CLSCAN_CAN_PREFETCH
#define CLSCAN_CAN_PREFETCH 0
#endif

// Store a vector of type `vector`, past the cache if `stream`: it is aligned then, else as `loose_vector` says. Of two
// stores that differ in nothing but the way past the cache, compilers make one that does not take it; Intel's for CPUs
// does. The word volatile keeps them apart.
#if CLSCAN_CAN_STREAM
#define CLSCAN_STREAM_OR_STORE(vector, loose_vector, at, value, stream)      \
    do {                                                                     \
        if (stream)                                                          \
            __builtin_nontemporal_store((value), (__global vector *)(at));   \
        else                                                                 \
            *(volatile __global loose_vector *)(at) = (value);               \
    } while (0)
#else
#define CLSCAN_STREAM_OR_STORE(vector, loose_vector, at, value, stream) (*(__global loose_vector *)(at) = (value))
#endif

// In place, the line of an output was read a moment ago.
#define CLSCAN_STREAMS(flags) (CLSCAN_STREAMING_STORES && ((flags) & CLSCAN_FLAG_IN_PLACE) == 0)

#if !CLSCAN_POINTERS
// Indices in memory, of an element and of a vector's first in memory.
#if CLSCAN_REVERSE
#define CLSCAN_CURSOR(base, count, k) clscan_moved((base), (count) - (k))
#define CLSCAN_ADVANCE(cursor, k) clscan_moved((cursor), 0ul - (ulong)(k))
#define CLSCAN_AT(cursor, k) ((cursor).index - 1 - (k))
#define CLSCAN_VECTOR_AT(cursor, k) ((cursor).index - (k)-CLSCAN_VECTOR_LENGTH)
#else
#define CLSCAN_CURSOR(base, count, k) clscan_moved((base), (k))
#define CLSCAN_ADVANCE(cursor, k) clscan_moved((cursor), (k))
#define CLSCAN_AT(cursor, k) ((cursor).index + (k))
#define CLSCAN_VECTOR_AT(cursor, k) ((cursor).index + (k))
#endif
#elif CLSCAN_REVERSE
#define CLSCAN_CURSOR(base, count, k) ((base) + ((count) - (k)))
#define CLSCAN_ADVANCE(cursor, k) ((cursor) - (k))
#define CLSCAN_AT(cursor, k) ((cursor)-1 - (k))
#define CLSCAN_VECTOR_AT(cursor, k) ((cursor) - (k)-CLSCAN_VECTOR_LENGTH)
#else
#define CLSCAN_CURSOR(base, count, k) ((base) + (k))
#define CLSCAN_ADVANCE(cursor, k) ((cursor) + (k))
#define CLSCAN_AT(cursor, k) ((cursor) + (k))
#define CLSCAN_VECTOR_AT(cursor, k) ((cursor) + (k))
#endif

// The elements of a vector in the order of the scan.
CLSCAN_FUNCTION clscan_vector clscan_ordered(clscan_vector v)
{
#if !CLSCAN_REVERSE || CLSCAN_VECTOR_LENGTH == 1
    return v;
#elif !CLSCAN_PLAIN
    clscan_vector turned;
#pragma unroll
    for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
        turned.at[c] = v.at[CLSCAN_VECTOR_LENGTH - 1 - c];
    return turned;
#elif CLSCAN_VECTOR_LENGTH == 2
    return v.yx;
#elif CLSCAN_VECTOR_LENGTH == 4
    return v.wzyx;
#elif CLSCAN_VECTOR_LENGTH == 8
    return v.s76543210;
#else
    return v.sfedcba9876543210;
#endif
}

// How many elements of this work-item's row of `row` elements exist, in a tile of which the first `valid` do.
CLSCAN_FUNCTION uint clscan_row_valid(uint row, uint valid)
{
    const uint first = (uint)get_local_id(0) * row;
    return valid > first ? min(valid - first, row) : 0;
}

// May whole vectors of this tile be accessed at once? The same answer holds for all of a tile's vectors, since
// tiles and rows are multiples of the vector length. Inputs and outputs need not be aligned alike.
#if CLSCAN_PLAIN
CLSCAN_FUNCTION bool clscan_source_aligned(clscan_source cursor)
{
    return (ulong)cursor % sizeof(clscan_vector) == 0;
}
#define clscan_sink_aligned(cursor) clscan_source_aligned(cursor)
#elif CLSCAN_POINTERS
CLSCAN_FUNCTION bool clscan_source_aligned(clscan_source cursor)
{
    return CLSCAN_CHUNK_WORDS == 0 || (ulong)cursor % max(4 * CLSCAN_CHUNK_WORDS, 1) == 0;
}
#define clscan_sink_aligned(cursor) clscan_source_aligned(cursor)
#else
// Where an element is.
#define clscan_address(cursor, element_bytes) ((cursor).base + (cursor).index * (element_bytes))

// What stands beside the elements is read as they are, whole vectors at once, so it must be aligned as well: flags of a
// selection, and what says where segments begin, a bit for each element of a vector and for the next one
// (src/program/segment_heads.c).
#if !CLSCAN_SEGMENTED
#define clscan_heads(arguments, first, aligned, next) 0u
#define clscan_heads_at(arguments, index, next) 0u
#define clscan_heads_aligned(arguments, index) true
#endif
#if CLSCAN_SELECTS
// The first arguments of a selection are its own (src/element/described.c).
#define clscan_capacity(arguments) ((arguments).at_0)
#define clscan_overflows(arguments) ((arguments).at_1)
#define clscan_flags(arguments) ((arguments).at_2)
#endif
#if CLSCAN_SELECTS && CLSCAN_SELECT_FLAG_BITS == 1
#define CLSCAN_FLAGS_ALIGNED(cursor) ((cursor).index % CLSCAN_VECTOR_LENGTH == 0)
#elif CLSCAN_SELECTS && CLSCAN_SELECT_FLAG_BITS > 0
#define CLSCAN_FLAGS_ALIGNED(cursor) \
    ((ulong)(clscan_flags((cursor).arguments) + (cursor).index) % \
         (CLSCAN_SELECT_FLAG_BITS / 8 * CLSCAN_VECTOR_LENGTH) == 0)
#else
#define CLSCAN_FLAGS_ALIGNED(cursor) true
#endif

// To how many bytes vectors must be aligned, beyond their elements.
#define CLSCAN_IN_STEP_BYTES (CLSCAN_IN_SCALAR && !CLSCAN_GENERATES ? CLSCAN_IN_BYTES * CLSCAN_VECTOR_LENGTH : 1)
#define CLSCAN_OUT_STEP_BYTES (CLSCAN_OUT_SCALAR ? CLSCAN_OUT_BYTES * CLSCAN_VECTOR_LENGTH : 1)

CLSCAN_FUNCTION bool clscan_source_aligned(clscan_source cursor)
{
    return (ulong)clscan_address(cursor, CLSCAN_IN_BYTES) % CLSCAN_IN_STEP_BYTES == 0 &&
           clscan_heads_aligned(cursor.arguments, cursor.index) && CLSCAN_FLAGS_ALIGNED(cursor);
}

// Selections put items one by one, and where nothing is stored every item passes its map.
#define CLSCAN_PUTS (CLSCAN_SELECTS || CLSCAN_DISCARDS)
CLSCAN_FUNCTION bool clscan_sink_aligned(clscan_sink cursor)
{
    return (CLSCAN_PUTS || (ulong)clscan_address(cursor, CLSCAN_OUT_BYTES) % CLSCAN_OUT_STEP_BYTES == 0) &&
           clscan_heads_aligned(cursor.arguments, cursor.index);
}
#endif

/// Elements between the cursor and the next place whose address is a multiple of so many bytes, a power of two.
/// Elements of other types than scalars need not come to such a place; theirs are accessed one by one.
CLSCAN_FUNCTION uint clscan_to_multiple(clscan_source cursor, uint bytes)
{
#if !CLSCAN_PLAIN
    return 0;
#elif CLSCAN_REVERSE
    return (uint)(ulong)cursor % bytes / CLSCAN_T_BYTES;
#else
    return (0u - (uint)(ulong)cursor) % bytes / CLSCAN_T_BYTES;
#endif
}

#if CLSCAN_POINTERS
// One element, as it is stored.
#define clscan_read(source, k) (*CLSCAN_AT((source), (k)))
#define clscan_write(sink, k, output) (*CLSCAN_AT((sink), (k)) = (output))
#define clscan_sink_until(sink, next, end) (sink)
#endif

#if CLSCAN_PLAIN
CLSCAN_FUNCTION clscan_vector clscan_load_vector(clscan_source cursor, uint k, bool aligned)
{
#if CLSCAN_VECTOR_LENGTH == 1
    return *CLSCAN_AT(cursor, k);
#else
    clscan_source at = CLSCAN_VECTOR_AT(cursor, k);
    return clscan_ordered(aligned ? *(__global const clscan_vector *)at : clscan_pack(at));
#endif
}

CLSCAN_FUNCTION void clscan_store_vector(clscan_sink cursor, uint k, clscan_vector v, bool aligned)
{
#if CLSCAN_VECTOR_LENGTH == 1
    *CLSCAN_AT(cursor, k) = v;
#else
    clscan_sink at = CLSCAN_VECTOR_AT(cursor, k);
    v = clscan_ordered(v);
    if (aligned)
        *(__global clscan_vector *)at = v;
    else
        clscan_unpack(v, at);
#endif
}
#elif CLSCAN_POINTERS
CLSCAN_FUNCTION clscan_vector clscan_load_vector(clscan_source cursor, uint k, bool aligned)
{
    clscan_source at = CLSCAN_VECTOR_AT(cursor, k);
#if CLSCAN_CHUNK_WORDS > 0
    clscan_chunks chunks;

    if (aligned) {
#pragma unroll
        for (uint i = 0; i < CLSCAN_CHUNKS; ++i)
            clscan_chunk_put(&chunks, i, ((__global const clscan_chunk *)at)[i]);
    } else {
        chunks.vector = *(__global const clscan_vector *)at;
    }
    return clscan_ordered(chunks.vector);
#else
    return clscan_ordered(*(__global const clscan_vector *)at);
#endif
}

CLSCAN_FUNCTION void clscan_store_vector(clscan_sink cursor, uint k, clscan_vector v, bool aligned)
{
    clscan_sink at = CLSCAN_VECTOR_AT(cursor, k);
#if CLSCAN_CHUNK_WORDS > 0
    clscan_chunks chunks;

    chunks.vector = clscan_ordered(v);
    if (aligned) {
#pragma unroll
        for (uint i = 0; i < CLSCAN_CHUNKS; ++i)
            ((__global clscan_chunk *)at)[i] = clscan_chunk_get(&chunks, i);
    } else {
        *(__global clscan_vector *)at = chunks.vector;
    }
#else
    *(__global clscan_vector *)at = clscan_ordered(v);
#endif
}
#else
#if CLSCAN_GENERATES && CLSCAN_KEEPS_ELEMENT
#error "without an input there is no element to keep"
#endif

// Maps of segments have `heads`: whether one begins at the element (bit 0), and at the next in memory (bit 1).
#if CLSCAN_SEGMENTED
#define CLSCAN_MAP_HEADS heads,
#else
#define CLSCAN_MAP_HEADS
#endif

// The item of an element, as it is stored, and the output of an item.
#if CLSCAN_GENERATES
CLSCAN_FUNCTION clscan_item clscan_item_of(uint heads, ulong index, clscan_arguments arguments)
{
#if CLSCAN_KEEPS_PREVIOUS
    clscan_item item;
    item.sum = clscan_map_load(CLSCAN_MAP_HEADS index, arguments);
    return item;
#else
    return clscan_map_load(CLSCAN_MAP_HEADS index, arguments);
#endif
}
#else
CLSCAN_FUNCTION CLSCAN_IN_VALUE clscan_value_of(CLSCAN_IN stored)
{
#if CLSCAN_IN_HALF
    return vload_half(0, (const __private half *)&stored);
#else
    return stored;
#endif
}

// A predicate that names `before` gets the element in front, in memory; the first one gets itself.
#if CLSCAN_SEES_BEFORE
#define CLSCAN_IN_FRONT(cursor, at) clscan_value_of(clscan_stored((cursor), const CLSCAN_IN)[at]),
#define CLSCAN_BEFORE_PARAMETER CLSCAN_IN_VALUE before,
#define CLSCAN_BEFORE_ARGUMENT before,
#else
#define CLSCAN_IN_FRONT(cursor, at)
#define CLSCAN_BEFORE_PARAMETER
#define CLSCAN_BEFORE_ARGUMENT
#endif

CLSCAN_FUNCTION clscan_item clscan_item_of(CLSCAN_IN stored, CLSCAN_BEFORE_PARAMETER uint heads, ulong index,
                                           clscan_arguments arguments)
{
    const CLSCAN_IN_VALUE element = clscan_value_of(stored);
#if CLSCAN_KEEPS_PREVIOUS || CLSCAN_KEEPS_ELEMENT
    clscan_item item;
    item.sum = clscan_map_load(element, CLSCAN_BEFORE_ARGUMENT CLSCAN_MAP_HEADS index, arguments);
#if CLSCAN_KEEPS_ELEMENT
    item.element = stored;
#endif
    return item;
#else
    return clscan_map_load(element, CLSCAN_BEFORE_ARGUMENT CLSCAN_MAP_HEADS index, arguments);
#endif
}
#endif

CLSCAN_FUNCTION CLSCAN_OUT clscan_output_of(clscan_item item, uint heads, ulong index, clscan_arguments arguments)
{
#if CLSCAN_GIVES_ELEMENT && CLSCAN_IN_HALF && CLSCAN_OUT_HALF
    return item.element; // by way of a float, a NaN may become another one
#else
    const CLSCAN_OUT_VALUE output = clscan_map_store(clscan_lift(item), CLSCAN_MAP_HEADS index,
#if CLSCAN_KEEPS_PREVIOUS
                                                     item.previous,
#endif
#if CLSCAN_KEEPS_ELEMENT
                                                     clscan_value_of(item.element),
#endif
                                                     arguments);
#if CLSCAN_OUT_HALF
    CLSCAN_OUT stored;
    vstore_half_rte(output, 0, (__private half *)&stored);
    return stored;
#else
    return output;
#endif
#endif
}

#if CLSCAN_SELECTS
// Operation select. The sum of an item is 1 if the load map keeps it, else 0; clscan_step() makes of it the place in
// the output, or CLSCAN_REJECTED. What the flags reject is 0, too, or 1 where that is selected. Flags are read beside
// the elements. With a middle, an item of that has the sum CLSCAN_IN_MIDDLE, and clscan_step() leaves sums alone.
//
// Of runs of two and more elements, flags and load map say where a run begins. The sum is 1 where a run begins at this
// element and not at the next one, or at the next one and not at this: these are the first and the last element of such
// a run. They come in turn, so an even number is that of a first one, whose place is half of it, and the next number is
// that of the last one of the same run.
#define CLSCAN_REJECTED ((CLSCAN_A)~0ul) // no place is so far
#if CLSCAN_SELECT_FLAG_BITS > 0
#define CLSCAN_REJECT(item, flag) clscan_lift(item) = (flag) != 0 ? clscan_lift(item) : CLSCAN_SELECT_REJECTED
#else
#define CLSCAN_REJECT(item, flag)
#endif
#if CLSCAN_SELECT_FLAG_BITS == 1
#define clscan_flag_at(arguments, index) (clscan_flags(arguments)[(index) >> 3] >> ((index) & 7) & 1)
#else
#define clscan_flag_at(arguments, index) (clscan_flags(arguments)[index])
#endif

#if CLSCAN_SELECT_REST
// What becomes of an item, and where element `index` goes that is kept, or not, if `kept` are in front of it.
#if CLSCAN_SELECT_MIDDLE
typedef CLSCAN_A clscan_verdict; // the item's sum
#define CLSCAN_IN_MIDDLE ((CLSCAN_A)1 << 32)
#define CLSCAN_FIRST_NUMBER(kept) ((kept) & 0xffffffffu)
#define CLSCAN_MIDDLE_NUMBER(kept) ((kept) >> 32)
#define clscan_verdict_of(item) clscan_lift(item)
#define clscan_kept_place(kept) CLSCAN_FIRST_NUMBER(kept)
#define clscan_middle_place(sink, kept) ((sink).middle + CLSCAN_MIDDLE_NUMBER(kept))
#define clscan_rest_place(sink, index, kept) \
    ((sink).rest + (index) - CLSCAN_FIRST_NUMBER(kept) - CLSCAN_MIDDLE_NUMBER(kept))

CLSCAN_FUNCTION ulong clscan_place_of(clscan_sink cursor, ulong index, clscan_verdict keep, CLSCAN_A kept)
{
    const ulong behind =
        keep == CLSCAN_IN_MIDDLE ? clscan_middle_place(cursor, kept) : clscan_rest_place(cursor, index, kept);

    return keep == 1 ? clscan_kept_place(kept) : behind;
}
#else
typedef bool clscan_verdict;
#define clscan_verdict_of(item) (clscan_lift(item) != CLSCAN_REJECTED)
#define clscan_kept_place(kept) (kept)
#define clscan_rest_place(sink, index, kept) ((sink).rest + (index) - (kept))

CLSCAN_FUNCTION ulong clscan_place_of(clscan_sink cursor, ulong index, clscan_verdict keep, CLSCAN_A kept)
{
    return keep ? clscan_kept_place(kept) : clscan_rest_place(cursor, index, kept);
}
#endif

// Items leave by these, those that are kept and the rest. No branch asks which it is: a processor would guess wrong.
CLSCAN_FUNCTION void clscan_put_fitting(clscan_sink cursor, ulong index, clscan_item item, clscan_verdict keep,
                                        CLSCAN_A kept)
{
    const ulong place = clscan_place_of(cursor, index, keep, kept);
    __global CLSCAN_OUT *to =
        keep != 0 ? clscan_stored(cursor, CLSCAN_OUT) + place : clscan_rest_out(cursor.arguments) + place;

    clscan_lift(item) = (CLSCAN_A)place;
    item.previous = (CLSCAN_A)place;
    *to = clscan_output_of(item, 0, index, cursor.arguments);
#if CLSCAN_SELECT_COLUMNS
    clscan_move_columns(cursor.arguments, index, place);
#endif
}

// As far as there is room. The first one behind the end of either output reports that there is more.
CLSCAN_FUNCTION void clscan_put_either(clscan_sink cursor, ulong index, clscan_item item, clscan_verdict keep,
                                       CLSCAN_A kept)
{
    const ulong place = clscan_place_of(cursor, index, keep, kept);
    const ulong capacity = keep != 0 ? clscan_capacity(cursor.arguments) : clscan_rest_capacity(cursor.arguments);

    if (place < capacity)
        clscan_put_fitting(cursor, index, item, keep, kept);
    else if (place == capacity)
        (void)atomic_inc(clscan_overflows(cursor.arguments));
}

CLSCAN_FUNCTION void clscan_put(clscan_sink cursor, uint heads, ulong index, clscan_item item)
{
    clscan_put_either(cursor, index, item, clscan_verdict_of(item), item.previous);
}
#else
#if CLSCAN_SELECT_LONG
#define clscan_kept_place(number) ((number) >> 1)
#define clscan_ends_run(number) ((number) & 1)
#else
#define clscan_kept_place(number) (number)
#endif

// The one way in which items leave: those that are kept go where they belong, as far as there is room. The first one
// behind the end reports that there is more.
CLSCAN_FUNCTION void clscan_put(clscan_sink cursor, uint heads, ulong index, clscan_item item)
{
    const CLSCAN_A number = clscan_lift(item), place = clscan_kept_place(number);

    if (number == CLSCAN_REJECTED)
        return;
#if CLSCAN_SELECT_LONG
    if (clscan_ends_run(number)) {
#if CLSCAN_SELECT_LENGTHS
        // Where the run ends. selection/lengths.cl goes on.
        if (place < clscan_capacity(cursor.arguments))
            ((__global CLSCAN_SELECT_LENGTH *)clscan_length_marks(cursor.arguments))[place] =
                (CLSCAN_SELECT_LENGTH)(index + 1);
#endif
        return;
    }
    clscan_lift(item) = place;
#if CLSCAN_KEEPS_PREVIOUS
    item.previous = place;
#endif
#endif
    if (place < clscan_capacity(cursor.arguments)) {
        clscan_stored(cursor, CLSCAN_OUT)[place] = clscan_output_of(item, 0, index, cursor.arguments);
#if CLSCAN_SELECT_COLUMNS
        clscan_move_columns(cursor.arguments, index, place);
#endif
#if CLSCAN_SELECT_LENGTHS
        clscan_lengths(cursor.arguments)[place] = (CLSCAN_SELECT_LENGTH)index; // selection/lengths.cl goes on
#endif
    } else if (place == clscan_capacity(cursor.arguments)) {
#if CLSCAN_SELECT_LENGTHS && !CLSCAN_SELECT_LONG
        clscan_length_marks(cursor.arguments)[0] = index;
#endif
        (void)atomic_inc(clscan_overflows(cursor.arguments));
    }
}
#endif

// A sink for one work-item that puts items in turn, up to item `next`. Those that are kept fill the output up to place
// `end`. With the rest, it tells whether all of them have room.
CLSCAN_FUNCTION clscan_sink clscan_sink_until(clscan_sink cursor, uint next, CLSCAN_A end)
{
#if CLSCAN_SELECT_REST
    // What is in the middle goes in front of the rest.
    cursor.fits = clscan_kept_place(end) <= clscan_capacity(cursor.arguments) &&
                  clscan_rest_place(cursor, CLSCAN_AT(cursor, next), end) <= clscan_rest_capacity(cursor.arguments);
#else
    cursor.end = min((ulong)end, clscan_capacity(cursor.arguments));
#endif
    return cursor;
}
#else
#define CLSCAN_REJECT(item, flag)
#define clscan_sink_until(sink, next, end) (sink)
#if CLSCAN_DISCARDS
#define clscan_put(cursor, heads, index, item) \
    ((void)clscan_output_of((item), (heads), (index), (cursor).arguments))
#else
#define clscan_put(cursor, heads, index, item) \
    clscan_stored(cursor, CLSCAN_OUT)[index] = clscan_output_of((item), (heads), (index), (cursor).arguments)
#endif
#endif

// The item of the element at `at`, behind that at `in_front`; without what flags say.
#if CLSCAN_GENERATES
#define CLSCAN_ITEM_BEHIND(cursor, in_front, at, heads) clscan_item_of((heads), (at), (cursor).arguments)
#else
#define CLSCAN_ITEM_BEHIND(cursor, in_front, at, heads)                                                           \
    clscan_item_of(clscan_stored((cursor), const CLSCAN_IN)[at], CLSCAN_IN_FRONT(cursor, in_front)(heads), (at), \
                   (cursor).arguments)
#endif
#define CLSCAN_ITEM_AT(cursor, at, heads) CLSCAN_ITEM_BEHIND(cursor, (at) - ((at) > 0), at, heads)

CLSCAN_FUNCTION clscan_item clscan_item_at(clscan_source cursor, ulong at)
{
    const uint heads = clscan_heads_at(cursor.arguments, at, CLSCAN_LOADS_NEXT_HEAD);
    clscan_item item = CLSCAN_ITEM_AT(cursor, at, heads);

    CLSCAN_REJECT(item, clscan_flag_at(cursor.arguments, at));
    return item;
}

#if CLSCAN_SELECT_LONG
// Does a run begin at the element? One always does at the first, and behind the last, from which nothing is read.
CLSCAN_FUNCTION CLSCAN_A clscan_begins_run(clscan_source cursor, ulong index)
{
    const ulong last = clscan_run_count(cursor.arguments) - 1;
    const clscan_item item = clscan_item_at(cursor, min(index, last));

    return index == 0 || index > last ? 1 : clscan_lift(item);
}
#endif

CLSCAN_FUNCTION clscan_item clscan_read(clscan_source cursor, uint k)
{
    const ulong at = CLSCAN_AT(cursor, k);
    clscan_item item = clscan_item_at(cursor, at);
#if CLSCAN_SELECT_LONG
    clscan_lift(item) = (at == 0 ? 1 : clscan_lift(item)) ^ clscan_begins_run(cursor, at + 1);
#endif
    return item;
}

// `heads` as the store map asks for them.
CLSCAN_FUNCTION void clscan_write_with(clscan_sink cursor, uint k, clscan_item item, uint heads)
{
    clscan_put(cursor, heads, CLSCAN_AT(cursor, k), item);
}

CLSCAN_FUNCTION void clscan_write(clscan_sink cursor, uint k, clscan_item item)
{
    clscan_write_with(cursor, k, item,
                      clscan_heads_at(cursor.arguments, CLSCAN_AT(cursor, k), CLSCAN_STORES_NEXT_HEAD));
}

#if CLSCAN_VECTOR_LENGTH == 1
#define clscan_load_vector(cursor, k, aligned) clscan_read((cursor), (k))
#define clscan_store_vector(cursor, k, v, aligned) clscan_write((cursor), (k), (v))
#define clscan_store_vector_with(cursor, k, v, heads, aligned) clscan_write_with((cursor), (k), (v), (heads))
#else
typedef struct clscan_in_vector {
    CLSCAN_IN at[CLSCAN_VECTOR_LENGTH];
} clscan_in_vector;
typedef struct clscan_out_vector {
    CLSCAN_OUT at[CLSCAN_VECTOR_LENGTH];
} clscan_out_vector;

#if CLSCAN_SELECTS
// Flags of a byte are looked at four at a time, and bits as they stand there: CLSCAN_HAS_FLAGS_SET is 1 where
// clscan_flags_set() makes bits of a vector's flags.
#if CLSCAN_SELECT_FLAG_BITS == 1
#define CLSCAN_HAS_FLAGS_SET 1

CLSCAN_FUNCTION uint clscan_flags_set(__global const uchar *flags, ulong first, bool aligned)
{
    uint set = 0;

    if (aligned) {
        set = flags[first >> 3] >> (first & 7);
#if CLSCAN_VECTOR_LENGTH == 16
        set |= (uint)flags[(first >> 3) + 1] << 8;
#endif
        return set;
    }
#pragma unroll
    for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
        set |= (flags[(first + c) >> 3] >> ((first + c) & 7) & 1u) << c;
    return set;
}
#elif CLSCAN_SELECT_FLAG_BITS == 8 && CLSCAN_VECTOR_LENGTH >= 4
#define CLSCAN_HAS_FLAGS_SET 1
#if CLSCAN_VECTOR_LENGTH == 4
#define CLSCAN_FLAG_WORDS 1
#elif CLSCAN_VECTOR_LENGTH == 8
#define CLSCAN_FLAG_WORDS 2
#else
#define CLSCAN_FLAG_WORDS 4
#endif

CLSCAN_FUNCTION uint clscan_flags_set(__global const uchar *flags, ulong first, bool aligned)
{
    uint words[CLSCAN_FLAG_WORDS], set = 0;

    if (aligned) {
        CLSCAN_LOAD_WORDS(CLSCAN_FLAG_WORDS, flags + first, words);
    } else {
#pragma unroll
        for (uint i = 0; i < CLSCAN_FLAG_WORDS; ++i)
            words[i] = as_uint(vload4(i, flags + first));
    }
#pragma unroll
    for (uint i = 0; i < CLSCAN_FLAG_WORDS; ++i)
        set |= clscan_bytes_set(words[i]) << 4 * i;
    return set;
}
#else
#define CLSCAN_HAS_FLAGS_SET 0
#endif

// The same for a vector, whose flags are read at once.
CLSCAN_FUNCTION void clscan_reject_vector(clscan_vector *items, clscan_arguments arguments, ulong first, bool aligned)
{
#if CLSCAN_HAS_FLAGS_SET
    const uint set = clscan_flags_set(clscan_flags(arguments), first, aligned);

#pragma unroll
    for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
        CLSCAN_REJECT(items->at[c], set >> c & 1);
#elif CLSCAN_SELECT_FLAG_BITS > 0
    typedef CLSCAN_PASTE(CLSCAN_SELECT_FLAG, CLSCAN_VECTOR_LENGTH) flag_vector;
    __global const CLSCAN_SELECT_FLAG *from = clscan_flags(arguments) + first;
    CLSCAN_SELECT_FLAG flags[CLSCAN_VECTOR_LENGTH];

    if (aligned)
        CLSCAN_PASTE(vstore, CLSCAN_VECTOR_LENGTH)(*(__global const flag_vector *)from, 0, flags);
    else
        CLSCAN_PASTE(vstore, CLSCAN_VECTOR_LENGTH)(CLSCAN_PASTE(vload, CLSCAN_VECTOR_LENGTH)(0, from), 0, flags);
#pragma unroll
    for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
        CLSCAN_REJECT(items->at[c], flags[c]);
#endif
}
#endif

#if !CLSCAN_GENERATES
#if CLSCAN_IN_WORDS > 0
// The elements of an aligned vector, and its words.
CLSCAN_FUNCTION clscan_in_vector clscan_load_aligned_words(clscan_source cursor, ulong first, uint *words)
{
    clscan_in_vector stored;

    CLSCAN_LOAD_WORDS(CLSCAN_IN_WORDS, clscan_stored(cursor, const CLSCAN_IN) + first, words);
#pragma unroll
    for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
        stored.at[c] = clscan_word_get(words, c);
    return stored;
}
#endif

// Elements of a vector in the order of memory. Scalars move as vectors of OpenCL C, if these are aligned.
CLSCAN_FUNCTION clscan_in_vector clscan_load_elements(clscan_source cursor, ulong first, bool aligned)
{
    __global const CLSCAN_IN *from = clscan_stored(cursor, const CLSCAN_IN) + first;
    clscan_in_vector stored;
#if CLSCAN_IN_WORDS > 0
    uint words[CLSCAN_IN_WORDS];

    if (aligned)
        stored = clscan_load_aligned_words(cursor, first, words);
    else
        CLSCAN_PASTE(vstore, CLSCAN_VECTOR_LENGTH)
        (CLSCAN_PASTE(vload, CLSCAN_VECTOR_LENGTH)(0, from), 0, stored.at);
#elif CLSCAN_IN_SCALAR
    if (aligned)
        CLSCAN_PASTE(vstore, CLSCAN_VECTOR_LENGTH)
        (*(__global const CLSCAN_PASTE(CLSCAN_IN, CLSCAN_VECTOR_LENGTH) *)from, 0, stored.at);
    else
        CLSCAN_PASTE(vstore, CLSCAN_VECTOR_LENGTH)
        (CLSCAN_PASTE(vload, CLSCAN_VECTOR_LENGTH)(0, from), 0, stored.at);
#else
    stored = *(__global const clscan_in_vector *)from;
#endif
    return stored;
}
#endif

#if CLSCAN_SEES_BEFORE
// The element in front of the one at `index`; of the first one, itself.
CLSCAN_FUNCTION CLSCAN_IN clscan_element_before(clscan_source cursor, ulong index)
{
    return clscan_stored(cursor, const CLSCAN_IN)[index - (index > 0)];
}

// Items of a vector of elements with what is in front of it.
CLSCAN_FUNCTION clscan_vector clscan_items_behind(CLSCAN_IN before, clscan_in_vector stored, uint heads, ulong first,
                                                  clscan_arguments arguments)
{
    clscan_vector items;

#pragma unroll
    for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
        items.at[c] = clscan_item_of(stored.at[c], clscan_value_of(c > 0 ? stored.at[c - 1] : before), heads >> c,
                                     first + c, arguments);
    return items;
}
#endif

#if !CLSCAN_GENERATES
// Items of a vector of elements.
CLSCAN_FUNCTION clscan_vector clscan_items_of(clscan_source cursor, uint heads, clscan_in_vector stored, ulong first)
{
#if CLSCAN_SEES_BEFORE
    return clscan_items_behind(clscan_element_before(cursor, first), stored, heads, first, cursor.arguments);
#else
    clscan_vector items;

#pragma unroll
    for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
        items.at[c] = clscan_item_of(stored.at[c], heads >> c, first + c, cursor.arguments);
    return items;
#endif
}
#endif

// Items of a vector in the order of memory; in selections before flags say which of them are rejected.
CLSCAN_FUNCTION clscan_vector clscan_load_stored(clscan_source cursor, ulong first, bool aligned)
{
    // Before the elements: where keys are read behind them, an H200 takes 1.06 times as long.
    const uint heads = clscan_heads(cursor.arguments, first, aligned, CLSCAN_LOADS_NEXT_HEAD);
#if CLSCAN_GENERATES
    clscan_vector items;

#pragma unroll
    for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
        items.at[c] = clscan_item_of(heads >> c, first + c, cursor.arguments);
    return items;
#else
    const clscan_in_vector stored = clscan_load_elements(cursor, first, aligned);

    return clscan_items_of(cursor, heads, stored, first);
#endif
}

// These items in the order of the scan, of those that flags reject nothing is kept.
CLSCAN_FUNCTION clscan_vector clscan_items_settled(clscan_vector items, clscan_source cursor, ulong first, bool aligned)
{
#if CLSCAN_SELECTS
    clscan_reject_vector(&items, cursor.arguments, first, aligned);
#if CLSCAN_SELECT_LONG
    CLSCAN_A next = clscan_begins_run(cursor, first + CLSCAN_VECTOR_LENGTH);

    clscan_lift(items.at[0]) = first == 0 ? 1 : clscan_lift(items.at[0]);
#pragma unroll
    for (uint c = CLSCAN_VECTOR_LENGTH; c-- > 0;) {
        const CLSCAN_A begins = clscan_lift(items.at[c]);

        clscan_lift(items.at[c]) = begins ^ next;
        next = begins;
    }
#endif
#endif
    return clscan_ordered(items);
}

CLSCAN_FUNCTION clscan_vector clscan_load_vector(clscan_source cursor, uint k, bool aligned)
{
    const ulong first = CLSCAN_VECTOR_AT(cursor, k);

    return clscan_items_settled(clscan_load_stored(cursor, first, aligned), cursor, first, aligned);
}

#if CLSCAN_PUTS
CLSCAN_FUNCTION void clscan_store_vector(clscan_sink cursor, uint k, clscan_vector v, bool aligned)
{
    const ulong first = CLSCAN_VECTOR_AT(cursor, k);
    const uint heads = clscan_heads(cursor.arguments, first, aligned, CLSCAN_STORES_NEXT_HEAD);
#pragma unroll
    for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
        clscan_put(cursor, heads >> c, first + c, v.at[c]);
}
#else
// `heads` as the store map asks for them.
CLSCAN_FUNCTION void clscan_store_vector_with(clscan_sink cursor, uint k, clscan_vector v, uint heads, bool aligned)
{
    const ulong first = CLSCAN_VECTOR_AT(cursor, k);
    __global CLSCAN_OUT *to = clscan_stored(cursor, CLSCAN_OUT) + first;
    const clscan_vector items = clscan_ordered(v);
    clscan_out_vector stored;

#pragma unroll
    for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
        stored.at[c] = clscan_output_of(items.at[c], heads >> c, first + c, cursor.arguments);
#if CLSCAN_OUT_SCALAR
    if (aligned)
        *(__global CLSCAN_PASTE(CLSCAN_OUT, CLSCAN_VECTOR_LENGTH) *)to =
            CLSCAN_PASTE(vload, CLSCAN_VECTOR_LENGTH)(0, stored.at);
    else
        CLSCAN_PASTE(vstore, CLSCAN_VECTOR_LENGTH)
        (CLSCAN_PASTE(vload, CLSCAN_VECTOR_LENGTH)(0, stored.at), 0, to);
#else
    *(__global clscan_out_vector *)to = stored;
#endif
}

CLSCAN_FUNCTION void clscan_store_vector(clscan_sink cursor, uint k, clscan_vector v, bool aligned)
{
    clscan_store_vector_with(cursor, k, v,
                             clscan_heads(cursor.arguments, CLSCAN_VECTOR_AT(cursor, k), aligned,
                                          CLSCAN_STORES_NEXT_HEAD),
                             aligned);
}
#endif
#endif
#endif
