// Rows of bodies/cached_rows.cl whose elements are structs, where the caller's operator is lanewise: rows are walked
// abreast, each in a lane of its own, so that one instruction combines elements of all. A line of each row is loaded at
// a time, and what lies in rows is turned into vectors of members, and back, in registers.
//
// Required of the host:
//   CLSCAN_ROWS_ABREAST        rows of a tile, as many as a vector has lanes: 4 or 8; 0: this file is left out
//   CLSCAN_MEMBER_BYTES        of each member of a sum: 4 or 8
//   clscan_abreast             a sum with vectors for members
//   clscan_abreast_operate()   the operator of these, in memory order
#if CLSCAN_ROWS_ABREAST * CLSCAN_MEMBER_BYTES != CLSCAN_ABREAST_BYTES
#error "members of all rows together have CLSCAN_ABREAST_BYTES"
#endif
#define CLSCAN_MEMBERS (CLSCAN_A_BYTES / CLSCAN_MEMBER_BYTES)
// A line of a row.
#define CLSCAN_LINE_PARTS (CLSCAN_CACHE_LINE_BYTES / CLSCAN_ABREAST_BYTES)
#define CLSCAN_LINE_MEMBERS (CLSCAN_LINE_PARTS * CLSCAN_ROWS_ABREAST)
#define CLSCAN_LINE_ELEMENTS (CLSCAN_LINE_MEMBERS / CLSCAN_MEMBERS)
#define CLSCAN_ABREAST_ROW (CLSCAN_TILE / CLSCAN_ROWS_ABREAST)

#if CLSCAN_MEMBER_BYTES == 4
typedef uint clscan_member;
typedef uint8 clscan_members;
#else
typedef ulong clscan_member;
typedef ulong4 clscan_members;
#endif
typedef clscan_members clscan_loose_members __attribute__((aligned(CLSCAN_A_ALIGN_BYTES)));

// Lines of all rows. In memory order: part p of row r is parts[p * CLSCAN_ROWS_ABREAST + r]. Turned: these are members,
// and `elements` holds the elements of all rows.
typedef union clscan_lines {
    clscan_members parts[CLSCAN_LINE_MEMBERS];
    clscan_abreast elements[CLSCAN_LINE_ELEMENTS];
} clscan_lines;

// Rows to columns in each part, which are columns to rows as well.
CLSCAN_FUNCTION void clscan_lines_turn(clscan_lines *lines)
{
#pragma unroll
    for (uint p = 0; p < CLSCAN_LINE_PARTS; ++p) {
        clscan_members *rows = &lines->parts[p * CLSCAN_ROWS_ABREAST];
        clscan_members pairs[CLSCAN_ROWS_ABREAST];
#if CLSCAN_MEMBER_BYTES == 4
        clscan_members fours[CLSCAN_ROWS_ABREAST];
#pragma unroll
        for (uint i = 0; i < 8; i += 2) {
            const clscan_members a = rows[i], b = rows[i + 1];

            pairs[i] = (clscan_members)(a.s0, b.s0, a.s1, b.s1, a.s4, b.s4, a.s5, b.s5);
            pairs[i + 1] = (clscan_members)(a.s2, b.s2, a.s3, b.s3, a.s6, b.s6, a.s7, b.s7);
        }
#pragma unroll
        for (uint i = 0; i < 8; i += 4) {
#pragma unroll
            for (uint j = 0; j < 2; ++j) {
                const clscan_members a = pairs[i + j], b = pairs[i + j + 2];

                fours[i + 2 * j] = (clscan_members)(a.s01, b.s01, a.s45, b.s45);
                fours[i + 2 * j + 1] = (clscan_members)(a.s23, b.s23, a.s67, b.s67);
            }
        }
#pragma unroll
        for (uint i = 0; i < 4; ++i) {
            rows[i] = (clscan_members)(fours[i].lo, fours[i + 4].lo);
            rows[i + 4] = (clscan_members)(fours[i].hi, fours[i + 4].hi);
        }
#else
#pragma unroll
        for (uint i = 0; i < 4; i += 2) {
            const clscan_members a = rows[i], b = rows[i + 1];

            pairs[i] = (clscan_members)(a.s0, b.s0, a.s2, b.s2);
            pairs[i + 1] = (clscan_members)(a.s1, b.s1, a.s3, b.s3);
        }
#pragma unroll
        for (uint i = 0; i < 2; ++i) {
            rows[i] = (clscan_members)(pairs[i].lo, pairs[i + 2].lo);
            rows[i + 2] = (clscan_members)(pairs[i].hi, pairs[i + 2].hi);
        }
#endif
    }
}

// Where part 0 of the line at element k of row r begins in memory, and which of its elements is the c-th of the scan.
#if CLSCAN_REVERSE
#define CLSCAN_LINE_AT(cursor, r, k) CLSCAN_AT((cursor), (r) * CLSCAN_ABREAST_ROW + (k) + CLSCAN_LINE_ELEMENTS - 1)
#define CLSCAN_LINE_ELEMENT(lines, c) ((lines).elements[CLSCAN_LINE_ELEMENTS - 1 - (c)])
#else
#define CLSCAN_LINE_AT(cursor, r, k) CLSCAN_AT((cursor), (r) * CLSCAN_ABREAST_ROW + (k))
#define CLSCAN_LINE_ELEMENT(lines, c) ((lines).elements[c])
#endif

CLSCAN_FUNCTION clscan_lines clscan_lines_load(clscan_source in, uint k)
{
    clscan_lines lines;

#pragma unroll
    for (uint r = 0; r < CLSCAN_ROWS_ABREAST; ++r) {
        __global const clscan_loose_members *from =
            (__global const clscan_loose_members *)CLSCAN_LINE_AT(in, r, k);
#pragma unroll
        for (uint p = 0; p < CLSCAN_LINE_PARTS; ++p)
            lines.parts[p * CLSCAN_ROWS_ABREAST + r] = from[p];
    }
    clscan_lines_turn(&lines);
    return lines;
}

// Line by line: streams of parts of lines would not be put together.
CLSCAN_FUNCTION void clscan_lines_store(clscan_sink out, uint k, clscan_lines lines, bool stream)
{
    clscan_lines_turn(&lines);
#pragma unroll
    for (uint r = 0; r < CLSCAN_ROWS_ABREAST; ++r) {
        __global clscan_loose_members *to = (__global clscan_loose_members *)CLSCAN_LINE_AT(out, r, k);
#pragma unroll
        for (uint p = 0; p < CLSCAN_LINE_PARTS; ++p)
            CLSCAN_STREAM_OR_STORE(clscan_members, clscan_loose_members, to + p,
                                   lines.parts[p * CLSCAN_ROWS_ABREAST + r], stream);
    }
}

// A sum of each row, member by member, and back.
typedef union clscan_row_sums {
    clscan_sum sums[CLSCAN_ROWS_ABREAST];
    clscan_member members[CLSCAN_ROWS_ABREAST * CLSCAN_MEMBERS];
    clscan_abreast abreast;
} clscan_row_sums;

CLSCAN_FUNCTION clscan_row_sums clscan_row_sums_turned(clscan_row_sums from, uint rows, uint columns)
{
    clscan_row_sums to;

#pragma unroll
    for (uint r = 0; r < rows; ++r)
#pragma unroll
        for (uint c = 0; c < columns; ++c)
            to.members[c * rows + r] = from.members[r * columns + c];
    return to;
}

// `before` comes first in the order of the scan.
CLSCAN_FUNCTION clscan_abreast clscan_abreast_join(clscan_abreast before, clscan_abreast after)
{
#if CLSCAN_REVERSE
    return clscan_abreast_operate(after, before);
#else
    return clscan_abreast_operate(before, after);
#endif
}

// Add the line at k to sums of rows; `first`: it is the first one.
CLSCAN_FUNCTION clscan_abreast clscan_lines_reduce(bool first, clscan_abreast sums, clscan_source in, uint k)
{
    const clscan_lines lines = clscan_lines_load(in, k);

#pragma unroll
    for (uint c = 0; c < CLSCAN_LINE_ELEMENTS; ++c)
        sums = first && c == 0 ? CLSCAN_LINE_ELEMENT(lines, c)
                               : clscan_abreast_join(sums, CLSCAN_LINE_ELEMENT(lines, c));
    return sums;
}

// Scan the line at k onto what precedes it in each row; returns what precedes the next one.
CLSCAN_FUNCTION clscan_abreast clscan_lines_scan(clscan_source in, clscan_sink out, uint k, clscan_abreast before,
                                                 bool stream)
{
    clscan_lines lines = clscan_lines_load(in, k);

#pragma unroll
    for (uint c = 0; c < CLSCAN_LINE_ELEMENTS; ++c) {
        const clscan_abreast after = clscan_abreast_join(before, CLSCAN_LINE_ELEMENT(lines, c));

        CLSCAN_LINE_ELEMENT(lines, c) = CLSCAN_INCLUSIVE ? after : before;
        before = after;
    }
    clscan_lines_store(out, k, lines, stream);
    return before;
}

/// Walk the rows of full tiles, as clscan_rows_walk() does it; with `scan`, `prefix` has what precedes the tile, or the
/// identity.
///
/// rows     totals of the rows of the tile at `in`; with `reduce` receives those of the tile at `next`
/// returns  the total of that one
CLSCAN_FUNCTION clscan_sum clscan_abreast_walk(bool scan, bool reduce, clscan_source in, clscan_sum *rows,
                                               clscan_sink out, clscan_prefix prefix, bool stream, clscan_source next)
{
    clscan_row_sums before, sums;
    clscan_prefix total;

    if (scan) {
        // A whole line is aligned to itself.
        stream = stream && (ulong)CLSCAN_LINE_AT(out, 0, 0) % CLSCAN_CACHE_LINE_BYTES == 0;
#pragma unroll
        for (uint r = 0; r < CLSCAN_ROWS_ABREAST; ++r) {
            before.sums[r] = prefix.value;
            prefix.value = clscan_join(prefix.value, rows[r]);
        }
        before = clscan_row_sums_turned(before, CLSCAN_ROWS_ABREAST, CLSCAN_MEMBERS);
    }
    if (reduce)
        sums.abreast = clscan_lines_reduce(true, sums.abreast, next, 0);
    for (uint k = 0; k < CLSCAN_ABREAST_ROW; k += CLSCAN_LINE_ELEMENTS) {
        if (reduce && k > 0)
            sums.abreast = clscan_lines_reduce(false, sums.abreast, next, k);
        if (scan)
            before.abreast = clscan_lines_scan(in, out, k, before.abreast, stream);
    }
    total.value = CLSCAN_NO_SUM;
    total.present = false;
    if (reduce) {
        sums = clscan_row_sums_turned(sums, CLSCAN_MEMBERS, CLSCAN_ROWS_ABREAST);
#pragma unroll
        for (uint r = 0; r < CLSCAN_ROWS_ABREAST; ++r) {
            rows[r] = sums.sums[r];
            total = clscan_extend(total, rows[r]);
        }
    }
    return total.value;
}
