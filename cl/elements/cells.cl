// Vectors as a GPU's work-item holds them for long: elements narrower than a register stay packed, several to a
// register. Compilers give each of them a register of its own otherwise (NVIDIA's: 216 registers instead of 80 for
// uchar16).
//
#if CLSCAN_PLAIN && CLSCAN_T_BYTES < 4 && CLSCAN_T_BYTES * CLSCAN_VECTOR_LENGTH >= 4
#if CLSCAN_T_BYTES * CLSCAN_VECTOR_LENGTH == 4
#define CLSCAN_CELLS 1
#elif CLSCAN_T_BYTES * CLSCAN_VECTOR_LENGTH == 8
#define CLSCAN_CELLS 2
#elif CLSCAN_T_BYTES * CLSCAN_VECTOR_LENGTH == 16
#define CLSCAN_CELLS 4
#else
#define CLSCAN_CELLS 8
#endif
#define CLSCAN_PER_CELL (4 / CLSCAN_T_BYTES)
#define CLSCAN_CELL_SHIFT(c) ((c) % CLSCAN_PER_CELL * 8 * CLSCAN_T_BYTES)
#define CLSCAN_CELL_MASK ((1u << 8 * CLSCAN_T_BYTES) - 1)

typedef uint clscan_cell;
#if CLSCAN_CELLS == 1
typedef uint clscan_held;
#define clscan_held_cells(held, cells) ((cells)[0] = (held))
#define clscan_cells_held(cells) ((cells)[0])
#define clscan_hold(vector) as_uint(vector)
#else
typedef CLSCAN_PASTE(uint, CLSCAN_CELLS) clscan_held;
#define clscan_held_cells(held, cells) CLSCAN_PASTE(vstore, CLSCAN_CELLS)((held), 0, (cells))
#define clscan_cells_held(cells) CLSCAN_PASTE(vload, CLSCAN_CELLS)(0, (cells))
#define clscan_hold(vector) CLSCAN_PASTE(as_uint, CLSCAN_CELLS)(vector)
#endif
#define clscan_release(held) CLSCAN_PASTE(as_, CLSCAN_PASTE(CLSCAN_T, CLSCAN_VECTOR_LENGTH))(held)

// The same, in a way that hides from the compiler that it was taken apart before: it would keep the elements, each in a
// register, from the one time to the other.
#ifdef CLSCAN_OPAQUE
CLSCAN_FUNCTION void clscan_held_cells_again(clscan_held held, clscan_cell *cells)
{
    clscan_held_cells(held, cells);
#pragma unroll
    for (uint i = 0; i < CLSCAN_CELLS; ++i)
        cells[i] = CLSCAN_OPAQUE(cells[i]);
}
#else
#define clscan_held_cells_again(held, cells) clscan_held_cells(held, cells)
#endif

CLSCAN_FUNCTION CLSCAN_T clscan_cell_get(const clscan_cell *cells, uint c)
{
    return (CLSCAN_T)(cells[c / CLSCAN_PER_CELL] >> CLSCAN_CELL_SHIFT(c));
}

CLSCAN_FUNCTION void clscan_cell_set(clscan_cell *cells, uint c, CLSCAN_T value)
{
    cells[c / CLSCAN_PER_CELL] = (cells[c / CLSCAN_PER_CELL] & ~(CLSCAN_CELL_MASK << CLSCAN_CELL_SHIFT(c))) |
                                 ((uint)value & CLSCAN_CELL_MASK) << CLSCAN_CELL_SHIFT(c);
}

// An element out of its cell. The lesser and the greater one of two are as wide as a register where bytes can be picked
// out of these: compilers would make them narrow again behind each step.
#if defined(CLSCAN_BYTES) && !CLSCAN_HALF && \
    (CLSCAN_OPERATOR == CLSCAN_OPERATOR_MIN || CLSCAN_OPERATOR == CLSCAN_OPERATOR_MAX)
#define CLSCAN_LOOSENS 1
#if CLSCAN_SIGNED
typedef int clscan_loose;
#else
typedef uint clscan_loose;
#endif

CLSCAN_FUNCTION clscan_loose clscan_cell_loosen(const clscan_cell *cells, uint c)
{
    const clscan_cell cell = cells[c / CLSCAN_PER_CELL];
    const uint at = c % CLSCAN_PER_CELL;
#if CLSCAN_T_BYTES == 1
    // The byte, and above it 0 or its sign.
    return (clscan_loose)CLSCAN_BYTES(cell, 0, at + 0x1110 * (CLSCAN_SIGNED ? 8 + at : 4));
#else
    return (clscan_loose)CLSCAN_BYTES(cell, 0, 0x10 + 0x22 * at + 0x1100 * (CLSCAN_SIGNED ? 9 + 2 * at : 4));
#endif
}

#if CLSCAN_OPERATOR == CLSCAN_OPERATOR_MIN
#define clscan_loose_combine(before, after) min((before), (after))
#else
#define clscan_loose_combine(before, after) max((before), (after))
#endif
#else
typedef CLSCAN_T clscan_loose;
#endif

#if CLSCAN_T_BYTES == 1
CLSCAN_FUNCTION clscan_cell clscan_cell_of(const clscan_loose *values)
{
    const uint low = (uint)(uchar)values[0] | (uint)(uchar)values[1] << 8;
    const uint high = (uint)(uchar)values[2] | (uint)(uchar)values[3] << 8;
    return (low & 0xffffu) | high << 16;
}

CLSCAN_FUNCTION clscan_cell clscan_cell_reversed(clscan_cell cell)
{
#ifdef CLSCAN_BYTES
    return CLSCAN_BYTES(cell, 0, 0x0123);
#else
    return bitselect(rotate(cell, 24u), rotate(cell, 8u), 0x00ff00ffu);
#endif
}
#else
CLSCAN_FUNCTION clscan_cell clscan_cell_of(const clscan_loose *values)
{
#if defined(CLSCAN_BYTES) && CLSCAN_HALF
    // Both are converted at once then.
    return CLSCAN_BYTES((uint)values[0], (uint)values[1], 0x5410);
#else
    return (uint)(ushort)values[0] | (uint)(ushort)values[1] << 16;
#endif
}

CLSCAN_FUNCTION clscan_cell clscan_cell_reversed(clscan_cell cell)
{
    return rotate(cell, 16u);
}
#endif

// The odd ones of a cell's bytes; the lower bytes, or the upper ones, of the halves of two cells in turn; the upper
// half of a cell, in both halves.
#ifdef CLSCAN_BYTES
#define CLSCAN_ODD_BYTES(cell) CLSCAN_BYTES((cell), 0, 0x4341)
#define CLSCAN_WEAVE(even, odd) CLSCAN_BYTES((even), (odd), 0x6240)
#define CLSCAN_WEAVE_UPPER(even, odd) CLSCAN_BYTES((even), (odd), 0x7351)
#define CLSCAN_UPPER_TWICE(pair) CLSCAN_BYTES((pair), 0, 0x3232)
#else
#define CLSCAN_ODD_BYTES(cell) ((cell) >> 8 & 0x00ff00ffu)
#define CLSCAN_WEAVE(even, odd) bitselect((odd) << 8, (even), 0x00ff00ffu)
#define CLSCAN_WEAVE_UPPER(even, odd) bitselect((odd), (even) >> 8, 0x00ff00ffu)
#define CLSCAN_UPPER_TWICE(pair) ((pair) >> 16 | ((pair) & 0xffff0000u))
#endif

// Sums of narrow integers are computed cell by cell, all of its elements at once, in 16 or 32 bits each.
#if CLSCAN_OPERATOR == CLSCAN_OPERATOR_ADD && !CLSCAN_FLOATING
#define CLSCAN_SUMS_CELLS 1

/// The sum of all elements; above its lowest bits there may be anything.
CLSCAN_FUNCTION uint clscan_cells_total(const clscan_cell *cells)
{
    uint sum = 0;
#pragma unroll
    for (uint i = 0; i < CLSCAN_CELLS; ++i) {
#if CLSCAN_T_BYTES == 1 && defined(CLSCAN_ADD_BYTES)
        sum = CLSCAN_ADD_BYTES(cells[i], sum);
#elif CLSCAN_T_BYTES == 1
        const uint pairs = (cells[i] & 0x00ff00ffu) + CLSCAN_ODD_BYTES(cells[i]);
        sum += pairs + (pairs >> 16);
#else
        sum += cells[i] + (cells[i] >> 16);
#endif
    }
    return sum;
}

/// Replace the elements by their outputs; `before` is the sum of what precedes them. Returns that of what precedes
/// those behind them, above whose lowest bits there may be anything.
CLSCAN_FUNCTION uint clscan_cells_step(clscan_cell *cells, uint before)
{
#if CLSCAN_T_BYTES == 1
    // Sums of bytes in 16 bits each, which a vector's do not leave.
    uint before_twice = (before & 0xffu) * 0x00010001u;
#pragma unroll
    for (uint i = 0; i < CLSCAN_CELLS; ++i) {
        const uint even = cells[i] & 0x00ff00ffu, pairs = even + CLSCAN_ODD_BYTES(cells[i]);
        const uint after_even = even + (pairs << 16) + before_twice;
        const uint after_odd = pairs + (pairs << 16) + before_twice;
        const uint sums = CLSCAN_WEAVE(after_even, after_odd);

        cells[i] = CLSCAN_INCLUSIVE ? sums : sums << 8 | (before_twice & 0xffu);
        before_twice = CLSCAN_UPPER_TWICE(after_odd);
    }
    return before_twice;
#else
#pragma unroll
    for (uint i = 0; i < CLSCAN_CELLS; ++i) {
        const uint pair = cells[i] + (cells[i] << 16);
        uint sums;

        before &= 0xffffu;
        sums = bitselect(pair + (before << 16), pair + before, 0x0000ffffu);
        cells[i] = CLSCAN_INCLUSIVE ? sums : sums << 16 | before;
        before = sums >> 16;
    }
    return before;
#endif
}
#endif

// Other operators of the library that work on the two halves of a cell at once. Bytes stand in the upper half of each;
// what is below follows them, and never decides.
#if !CLSCAN_FLOATING
#if CLSCAN_OPERATOR == CLSCAN_OPERATOR_AND
#define CLSCAN_PAIRS(before, after) ((before) & (after))
#elif CLSCAN_OPERATOR == CLSCAN_OPERATOR_OR
#define CLSCAN_PAIRS(before, after) ((before) | (after))
#elif CLSCAN_OPERATOR == CLSCAN_OPERATOR_XOR
#define CLSCAN_PAIRS(before, after) ((before) ^ (after))
#elif defined(CLSCAN_LESSER_PAIRS) && CLSCAN_OPERATOR == CLSCAN_OPERATOR_MIN
#define CLSCAN_PAIRS(before, after) CLSCAN_LESSER_PAIRS(before, after)
#elif defined(CLSCAN_GREATER_PAIRS) && CLSCAN_OPERATOR == CLSCAN_OPERATOR_MAX
#define CLSCAN_PAIRS(before, after) CLSCAN_GREATER_PAIRS(before, after)
#endif
#endif

#ifdef CLSCAN_PAIRS
#define CLSCAN_COMBINES_CELLS 1
// An element, or nothing, where halves have it.
#define CLSCAN_ABOVE_HALF(value) (((uint)(value) & CLSCAN_CELL_MASK) << (16 - 8 * CLSCAN_T_BYTES))
#define CLSCAN_NEUTRAL_HALF CLSCAN_ABOVE_HALF(CLSCAN_NEUTRAL)

/// The combination of all elements.
CLSCAN_FUNCTION clscan_sum clscan_cells_total(const clscan_cell *cells)
{
    uint pairs = cells[0];
#if CLSCAN_T_BYTES == 1
    uint even = cells[0] << 8;
#endif
#pragma unroll
    for (uint i = 1; i < CLSCAN_CELLS; ++i) {
        pairs = CLSCAN_PAIRS(pairs, cells[i]);
#if CLSCAN_T_BYTES == 1
        even = CLSCAN_PAIRS(even, cells[i] << 8);
#endif
    }
#if CLSCAN_T_BYTES == 1
    pairs = CLSCAN_PAIRS(even, pairs);
#endif
    return (clscan_sum)(CLSCAN_PAIRS(pairs, pairs >> 16) >> (16 - 8 * CLSCAN_T_BYTES));
}

/// Replace the elements by their outputs; `before` is the combination of what precedes them. Returns that of what
/// precedes those behind them.
CLSCAN_FUNCTION clscan_sum clscan_cells_step(clscan_cell *cells, clscan_sum before)
{
    uint before_twice = CLSCAN_ABOVE_HALF(before) * 0x00010001u;
#pragma unroll
    for (uint i = 0; i < CLSCAN_CELLS; ++i) {
#if CLSCAN_T_BYTES == 1
        const uint even = cells[i] << 8, pairs = CLSCAN_PAIRS(even, cells[i]);
        const uint before_pairs = CLSCAN_PAIRS(before_twice, pairs << 16 | CLSCAN_NEUTRAL_HALF);
        const uint after_even = CLSCAN_PAIRS(before_pairs, even);
        const uint after_odd = CLSCAN_PAIRS(before_pairs, pairs);

        cells[i] = CLSCAN_INCLUSIVE ? CLSCAN_WEAVE_UPPER(after_even, after_odd)
                                    : CLSCAN_WEAVE_UPPER(before_pairs, after_even);
        before_twice = CLSCAN_UPPER_TWICE(after_odd);
#else
        const uint after = CLSCAN_PAIRS(before_twice, CLSCAN_PAIRS(cells[i], cells[i] << 16 | CLSCAN_NEUTRAL_HALF));

        cells[i] = CLSCAN_INCLUSIVE ? after : after << 16 | (before_twice & 0xffffu);
        before_twice = CLSCAN_UPPER_TWICE(after);
#endif
    }
    return (clscan_sum)(before_twice >> (16 - 8 * CLSCAN_T_BYTES));
}
#endif

// The cell that another lane has, where there are shuffles.
#define clscan_cell_shuffle(scratch, cell, lane) clscan_shuffle_bits((cell), (lane))

// Drop the first `elements` elements, fewer than a cell has, of CLSCAN_CELLS + 1 cells.
CLSCAN_FUNCTION void clscan_cells_join(clscan_cell *cells, uint elements)
{
#pragma unroll
    for (uint i = 0; i < CLSCAN_CELLS; ++i)
        cells[i] = (uint)(((ulong)cells[i + 1] << 32 | cells[i]) >> CLSCAN_CELL_SHIFT(elements));
}
#else
#define CLSCAN_CELLS CLSCAN_VECTOR_LENGTH
#define CLSCAN_PER_CELL 1
typedef CLSCAN_T clscan_cell;
typedef clscan_vector clscan_held;
#define clscan_held_cells(held, cells) clscan_unpack(held, cells)
#define clscan_cells_held(cells) clscan_pack(cells)
#define clscan_hold(vector) (vector)
#define clscan_release(held) (held)
#define clscan_held_cells_again(held, cells) clscan_held_cells(held, cells)
#define clscan_cell_get(cells, c) ((cells)[c])
#define clscan_cell_set(cells, c, value) ((cells)[c] = (value))
#define clscan_cell_of(values) ((values)[0])
#define clscan_cell_reversed(cell) (cell)
#if CLSCAN_HALF
#define clscan_cell_shuffle(scratch, cell, lane) ((clscan_cell)clscan_shuffle_bits((cell), (lane)))
#else
#define clscan_cell_shuffle(scratch, cell, lane) clscan_shuffle((scratch), (cell), (lane))
#endif
#define clscan_cells_join(cells, elements)
#endif

#ifndef CLSCAN_SUMS_CELLS
#define CLSCAN_SUMS_CELLS 0
#endif
#ifndef CLSCAN_COMBINES_CELLS
#define CLSCAN_COMBINES_CELLS 0
#endif
#ifndef CLSCAN_LOOSENS
#define CLSCAN_LOOSENS 0
#endif

// The elements of a vector in the order of the scan.
CLSCAN_FUNCTION clscan_held clscan_held_ordered(clscan_held v)
{
#if CLSCAN_REVERSE && CLSCAN_PER_CELL > 1
    clscan_cell cells[CLSCAN_CELLS], turned[CLSCAN_CELLS];

    clscan_held_cells(v, cells);
#pragma unroll
    for (uint i = 0; i < CLSCAN_CELLS; ++i)
        turned[i] = clscan_cell_reversed(cells[CLSCAN_CELLS - 1 - i]);
    return clscan_cells_held(turned);
#elif CLSCAN_REVERSE
    return clscan_hold(clscan_ordered(clscan_release(v)));
#else
    return v;
#endif
}

// As clscan_load_vector() and clscan_store_vector() do it; never element by element where aligned.
CLSCAN_FUNCTION clscan_held clscan_load_held(clscan_source cursor, bool aligned)
{
#if CLSCAN_PLAIN
    if (aligned)
        return clscan_held_ordered(*(__global const clscan_held *)CLSCAN_VECTOR_AT(cursor, 0));
    return clscan_hold(clscan_load_vector(cursor, 0, false));
#else
    return clscan_load_vector(cursor, 0, aligned);
#endif
}

CLSCAN_FUNCTION void clscan_store_held(clscan_sink cursor, clscan_held v)
{
#if CLSCAN_PLAIN
    *(__global clscan_held *)CLSCAN_VECTOR_AT(cursor, 0) = clscan_held_ordered(v);
#else
    clscan_store_vector(cursor, 0, v, true);
#endif
}

// The combination of the first `exist` elements of a vector; at least one.
CLSCAN_FUNCTION clscan_sum clscan_vector_total(bool full, clscan_held v, uint exist)
{
    clscan_cell cells[CLSCAN_CELLS];
    clscan_sum sum;

    clscan_held_cells(v, cells);
#if CLSCAN_COMBINES_CELLS
    if (full)
        return clscan_cells_total(cells);
#endif
#if CLSCAN_SUMS_CELLS
    // Elements that are not there are 0.
    sum = (clscan_sum)clscan_cells_total(cells);
#elif CLSCAN_LOOSENS
    clscan_loose loose = clscan_cell_loosen(cells, 0);
#pragma unroll
    for (uint c = 1; c < CLSCAN_VECTOR_LENGTH; ++c)
        if (full || c < exist)
            loose = clscan_loose_combine(loose, clscan_cell_loosen(cells, c));
    sum = (clscan_sum)loose;
#else
    sum = clscan_lift(clscan_cell_get(cells, 0));
#pragma unroll
    for (uint c = 1; c < CLSCAN_VECTOR_LENGTH; ++c)
        if (full || c < exist)
            sum = clscan_join(sum, clscan_lift(clscan_cell_get(cells, c)));
#endif
    return sum;
}

// The outputs of one vector whose first `exist` elements are there; the others are unspecified. `after`, unless it is
// 0, receives what precedes the next vector, if all are there.
CLSCAN_FUNCTION clscan_held clscan_vector_step(bool full, clscan_held v, uint exist, clscan_prefix prefix,
                                               clscan_prefix *after)
{
    clscan_cell cells[CLSCAN_CELLS];

    clscan_held_cells_again(v, cells);
#if CLSCAN_SUMS_CELLS
    prefix.value = (clscan_sum)clscan_cells_step(cells, prefix.present ? (uint)prefix.value : 0);
    prefix.present = true;
#elif CLSCAN_COMBINES_CELLS
    prefix.value = clscan_cells_step(cells, prefix.present ? prefix.value : CLSCAN_NEUTRAL);
    prefix.present = true;
#elif CLSCAN_LOOSENS
    clscan_loose before = prefix.value;
#pragma unroll
    for (uint i = 0; i < CLSCAN_CELLS; ++i) {
        clscan_loose outputs[CLSCAN_PER_CELL];
#pragma unroll
        for (uint j = 0; j < CLSCAN_PER_CELL; ++j) {
            const uint c = i * CLSCAN_PER_CELL + j;
            outputs[j] = clscan_cell_loosen(cells, c);
            if (full || c < exist) {
                const clscan_loose sum = prefix.present ? clscan_loose_combine(before, outputs[j]) : outputs[j];
#if CLSCAN_INCLUSIVE
                outputs[j] = sum;
#elif defined(CLSCAN_IDENTITY)
                outputs[j] = prefix.present ? before : CLSCAN_IDENTITY_VALUE;
#else
                outputs[j] = prefix.present ? before : outputs[j];
#endif
                before = sum;
                prefix.present = true;
            }
        }
        cells[i] = clscan_cell_of(outputs);
    }
    prefix.value = (clscan_sum)before;
#else
#pragma unroll
    for (uint i = 0; i < CLSCAN_CELLS; ++i) {
        CLSCAN_T outputs[CLSCAN_PER_CELL];
#pragma unroll
        for (uint j = 0; j < CLSCAN_PER_CELL; ++j) {
            const uint c = i * CLSCAN_PER_CELL + j;
            outputs[j] = clscan_cell_get(cells, c);
            if (full || c < exist)
                outputs[j] = clscan_step(&prefix, outputs[j]);
        }
        cells[i] = clscan_cell_of(outputs);
    }
#endif
    if (after != 0)
        *after = prefix;
    return clscan_cells_held(cells);
}
