// The rows of tile body `subgroup_rows` in selections whose outputs do not ask for elements or load them again: of
// these, only marks are kept (bodies/marked_rows.cl). Lanes lay them down in local memory as bits, in the order of the
// elements, and take them up again by whole words, each lane one of every line of them. So a lane has one number to
// count with for 32 elements, not one for each row, and gathers where these stand. Outputs are made of these places as
// they leave, in lines.
//
// There is room for the places of as many elements as a few lines of words have marks. A part that keeps no more leaves
// at once, any other in turns of so many lines: tiles are large, as those that keep little want them.
#if CLSCAN_HOLDS_ELEMENTS || CLSCAN_SELECT_REST
#error "kept marks are for outputs that ask for no elements, or load them again"
#endif

#define CLSCAN_PART_WORDS ((CLSCAN_PART + 31) / 32)
#define CLSCAN_LINES ((CLSCAN_PART_WORDS + CLSCAN_SUB_GROUP_SIZE - 1) / CLSCAN_SUB_GROUP_SIZE)
#define CLSCAN_TURN_LINES (CLSCAN_GATHERED_MOST / 32)
#define CLSCAN_TURN_PLACES \
    (CLSCAN_LINES > CLSCAN_TURN_LINES ? CLSCAN_TURN_LINES * 32 * CLSCAN_SUB_GROUP_SIZE : CLSCAN_PART)
#define CLSCAN_LINE_SUMS ((CLSCAN_LINES + CLSCAN_PER_SUM - 1) / CLSCAN_PER_SUM)

// In words: places of 16 bits and, where lengths ask for it, of the first one behind them.
#define CLSCAN_PLACES_ROOM (CLSCAN_TURN_PLACES / 2 + 1)
#define CLSCAN_PART_ROOM (CLSCAN_PLACES_ROOM > CLSCAN_PART_WORDS ? CLSCAN_PLACES_ROOM : CLSCAN_PART_WORDS)

// Do lanes bring marks together that share a byte?
#define CLSCAN_JOINS_MARKS (CLSCAN_EXCHANGE == 0 && CLSCAN_ROW_COUNT % 8 == 0)

// Places are gathered before it is known where outputs go, while what says so comes from far away.
#define CLSCAN_GATHERS_EARLY 1
#define CLSCAN_GATHERS_AHEAD 0

typedef struct clscan_zone {
    union {
        ushort origins[2 * CLSCAN_SUB_GROUPS * CLSCAN_PART_ROOM]; // where each was in its part
        uint words[CLSCAN_SUB_GROUPS * CLSCAN_PART_ROOM];         // of marks, before
#if CLSCAN_VECTOR_LENGTH == 16
        ushort vectors[2 * CLSCAN_SUB_GROUPS * CLSCAN_PART_ROOM]; // the same, as rows have them
#else
        uchar vectors[4 * CLSCAN_SUB_GROUPS * CLSCAN_PART_ROOM];
#endif
    } gathered;
    clscan_sum scratch[CLSCAN_SCRATCH];
} clscan_zone;

typedef struct clscan_tile {
    clscan_lane_row rows[CLSCAN_ROWS];                             // until they are scanned
    uint words[CLSCAN_LINES];                                      // this lane's marks of each line
    clscan_sum places[CLSCAN_LINE_SUMS], starts[CLSCAN_LINE_SUMS]; // what the part keeps before them, and each line
    uint kept;                                                     // of the part
    clscan_sum left;                                               // for clscan_part_prefix()
} clscan_tile;

// Lay the marks of rows down. Lanes whose vectors share a byte bring it together where they reach each other without a
// barrier; elsewhere they meet by atomics.
CLSCAN_FUNCTION void clscan_marks_lay(const clscan_lane_row *rows, __local clscan_zone *zone)
{
    const uint part = clscan_sub_group() * CLSCAN_PART_ROOM;

#if CLSCAN_VECTOR_LENGTH < 8 && !CLSCAN_JOINS_MARKS
    for (uint i = clscan_lane(); i < CLSCAN_PART_WORDS; i += CLSCAN_SUB_GROUP_SIZE)
        zone->gathered.words[part + i] = 0;
    clscan_sub_group_meet();
#endif
#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row) {
        const uint vector = row * CLSCAN_SUB_GROUP_SIZE + clscan_lane();
#if CLSCAN_VECTOR_LENGTH == 16
        zone->gathered.vectors[2 * part + vector] = (ushort)rows[row].marks;
#elif CLSCAN_VECTOR_LENGTH == 8
        zone->gathered.vectors[4 * part + vector] = (uchar)rows[row].marks;
#elif CLSCAN_JOINS_MARKS
        uint marks = rows[row].marks;

#pragma unroll
        for (uint bits = CLSCAN_VECTOR_LENGTH; bits < 8; bits *= 2)
            marks |= clscan_shuffle_bits(marks, clscan_lane() ^ (bits / CLSCAN_VECTOR_LENGTH)) << bits;
        if (vector * CLSCAN_VECTOR_LENGTH % 8 == 0)
            zone->gathered.vectors[4 * part + vector * CLSCAN_VECTOR_LENGTH / 8] = (uchar)marks;
#else
        const uint first = vector * CLSCAN_VECTOR_LENGTH;
        (void)atomic_or(&zone->gathered.words[part + first / 32], rows[row].marks << first % 32);
#endif
    }
}

// This lane's word of a line.
CLSCAN_FUNCTION uint clscan_marks_take(__local const clscan_zone *zone, uint line)
{
    const uint word = line * CLSCAN_SUB_GROUP_SIZE + clscan_lane();
    uint marks = 0;

    if (word < CLSCAN_PART_WORDS)
        marks = zone->gathered.words[clscan_sub_group() * CLSCAN_PART_ROOM + word];
#if CLSCAN_PART % 32 != 0
    if (word + 1 == CLSCAN_PART_WORDS)
        marks &= (1u << CLSCAN_PART % 32) - 1;
#endif
    return marks;
}

/// Count what is kept, and return the number of the part to all its lanes.
CLSCAN_FUNCTION clscan_sum clscan_rows_scan(bool whole, clscan_tile *tile, __local clscan_zone *zone, uint valid)
{
    uint own[CLSCAN_LINES];

    clscan_sub_group_meet();
    clscan_marks_lay(tile->rows, zone);
    clscan_sub_group_meet();
#pragma unroll
    for (uint line = 0; line < CLSCAN_LINES; ++line) {
        tile->words[line] = clscan_marks_take(zone, line);
        own[line] = popcount(tile->words[line]);
    }
    tile->kept = clscan_numbers_scan(own, CLSCAN_LINES, tile->places, tile->starts, zone->scratch);
    return tile->kept;
}

// Gather where a word's marks stand in the part, from both of its ends: half as many steps, which do not wait for each
// other. The last mark of an odd number is gathered twice.
CLSCAN_FUNCTION void clscan_origins_gather(uint marks, uint first, __local ushort *origins)
{
    __local ushort *behind = origins + popcount(marks);

    while (marks != 0) {
        const uint lowest = marks & (0 - marks), highest = 31 - clz(marks);

        *origins++ = (ushort)(first + 31 - clz(lowest));
        *--behind = (ushort)(first + highest);
        marks &= ~(lowest | 1u << highest);
    }
}

// The same of some lines, behind number `begin` of the part.
CLSCAN_FUNCTION void clscan_lines_gather(const clscan_tile *tile, uint line, uint end, __local ushort *origins,
                                         uint begin)
{
#pragma unroll
    for (uint i = line; i < end; ++i)
        clscan_origins_gather(tile->words[i], (i * CLSCAN_SUB_GROUP_SIZE + clscan_lane()) * 32,
                              origins + (CLSCAN_UNPACKED(tile->places, i) - begin));
}

// Outputs that a lane has on their way at once: elements that are loaded again come from far away.
#if CLSCAN_SELECT_RELOADS
#define CLSCAN_LEAVING 8
#else
#define CLSCAN_LEAVING 1
#endif

// Store the outputs of a stretch, of a part whose first output goes to place `first`.
CLSCAN_FUNCTION void clscan_origins_store(clscan_stretch stretch, clscan_sink out, ulong first, uint inside)
{
    const uint part = clscan_sub_group() * CLSCAN_PART, idle = (uint)(first + stretch.from) % CLSCAN_SUB_GROUP_SIZE;
    __global CLSCAN_OUT *to = clscan_stored(out, CLSCAN_OUT) + first;

    // Where a line of the output begins, with lane 0; what lies in front of the stretch is left out.
    for (uint lane = clscan_lane(); lane < idle + stretch.end - stretch.from;
         lane += CLSCAN_LEAVING * CLSCAN_SUB_GROUP_SIZE) {
        ulong indices[CLSCAN_LEAVING];
        clscan_item items[CLSCAN_LEAVING];

#pragma unroll
        for (uint k = 0; k < CLSCAN_LEAVING; ++k) {
            const uint place = stretch.from + lane + k * CLSCAN_SUB_GROUP_SIZE - idle;
            const bool leaves = place - stretch.from < stretch.end - stretch.from;
            const uint own = leaves ? clscan_origin(stretch, CLSCAN_KEPT_NUMBER(place, inside)) : 0;

            indices[k] = CLSCAN_AT(out, part + own);
            items[k] = clscan_kept_item(first + place);
#if CLSCAN_SELECT_RELOADS
            if (leaves)
                items[k].element = out.elements[indices[k]];
#endif
        }
#pragma unroll
        for (uint k = 0; k < CLSCAN_LEAVING; ++k) {
            const uint place = stretch.from + lane + k * CLSCAN_SUB_GROUP_SIZE - idle;

            if (place - stretch.from < stretch.end - stretch.from)
                to[place] = clscan_output_of(items[k], 0, indices[k], out.arguments);
        }
    }
}

#if CLSCAN_SELECT_LENGTHS
/// Store how far it is from each kept element of a stretch to the next one; so `origins` has the first one behind it,
/// too. The part keeps `kept`, begins at `begin` of the input and goes to place `first` of the output. Its last one is
/// not known here: where it stands is stored instead, and where the part's first one stands is left for
/// selection/lengths.cl, which mends that.
///
/// Of runs of two and more elements, it is how far it is from each first one behind the last one next to it.
CLSCAN_FUNCTION void clscan_lengths_store(clscan_stretch stretch, clscan_arguments arguments, ulong begin, ulong first,
                                          uint kept, uint inside)
{
    __global CLSCAN_SELECT_LENGTH *to = clscan_lengths(arguments) + first;
    const uint idle = (uint)(first + stretch.from) % CLSCAN_SUB_GROUP_SIZE;

    for (uint i = stretch.from + clscan_lane(); i < idle + stretch.end; i += CLSCAN_SUB_GROUP_SIZE) {
        const uint own = CLSCAN_KEPT_NUMBER(i - idle, inside);

        if (i >= idle + stretch.from)
            to[i - idle] = own + 1 < kept ? (CLSCAN_SELECT_LENGTH)(clscan_origin(stretch, own + 1) -
                                                                   clscan_origin(stretch, own) + CLSCAN_SELECT_LONG)
                                          : (CLSCAN_SELECT_LENGTH)(begin + clscan_origin(stretch, own));
    }
    if (clscan_lane() == 0 && stretch.number == 0) {
        __global ulong *mark = clscan_length_marks(arguments) + 2 + 2 * (begin / CLSCAN_PART);
        const bool mends = kept > 0 && inside == CLSCAN_SELECT_LONG;

        mark[0] = mends ? first : ~0ul;
        mark[1] = mends ? begin + clscan_origin(stretch, 0) + CLSCAN_SELECT_LONG : 0;
    }
}
#endif

// Store what leaves a stretch, whose places are gathered, of a part that keeps `kept`; in all its outputs have `room`.
CLSCAN_FUNCTION void clscan_stretch_store(__local const ushort *origins, uint begin, uint end, clscan_sink out,
                                          ulong first, uint kept, uint inside, uint room)
{
    clscan_stretch stretch;

    stretch.origins = origins;
    stretch.number = begin;
    stretch.from = CLSCAN_KEPT_OF(begin, inside);
    stretch.end = max(min(CLSCAN_KEPT_OF(end, inside), room), stretch.from); // the room may end in front of it
    clscan_origins_store(stretch, out, first, inside);
#if CLSCAN_SELECT_COLUMNS || CLSCAN_SELECT_LENGTHS
    const ulong part_begin = CLSCAN_AT(out, clscan_sub_group() * CLSCAN_PART);
#endif
#if CLSCAN_SELECT_COLUMNS
    clscan_columns_store(stretch, out.arguments, part_begin, first, inside);
#endif
#if CLSCAN_SELECT_LENGTHS
    clscan_lengths_store(stretch, out.arguments, part_begin, first, kept, inside);
#endif
}

// Does the part leave at once? Where meeting is a barrier of the work-group, all its sub-groups take as many turns.
#define CLSCAN_LEAVES_AT_ONCE(tile) \
    (CLSCAN_LINES <= CLSCAN_TURN_LINES || (CLSCAN_EXCHANGE == 0 && (tile)->kept <= CLSCAN_TURN_PLACES))

#define CLSCAN_PART_ORIGINS(zone) ((zone)->gathered.origins + 2 * clscan_sub_group() * CLSCAN_PART_ROOM)

/// Gather where what is kept stands, of the parts that leave at once.
CLSCAN_FUNCTION void clscan_rows_gather(const clscan_tile *tile, __local clscan_zone *zone, clscan_sink out)
{
    if (!CLSCAN_LEAVES_AT_ONCE(tile))
        return;
    clscan_sub_group_meet();
    clscan_lines_gather(tile, 0, CLSCAN_LINES, CLSCAN_PART_ORIGINS(zone), 0);
    clscan_sub_group_meet();
}

// Gather and store a part that does not leave at once: parameters as for clscan_stretch_store(). The last turn comes
// first: what it begins with is what the one before it ends at.
CLSCAN_FUNCTION void clscan_turns_store(const clscan_tile *tile, __local clscan_zone *zone, clscan_sink out,
                                        ulong first, uint inside, uint room)
{
    __local ushort *origins = CLSCAN_PART_ORIGINS(zone);
    uint end = tile->kept;

#pragma unroll
    for (uint turn = (CLSCAN_LINES + CLSCAN_TURN_LINES - 1) / CLSCAN_TURN_LINES; turn-- > 0;) {
        const uint line = turn * CLSCAN_TURN_LINES, begin = CLSCAN_UNPACKED(tile->starts, line);
#if CLSCAN_SELECT_LENGTHS
        const ushort next = origins[0]; // of no use in the first turn, where nobody asks for it
#endif

        clscan_sub_group_meet();
#if CLSCAN_SELECT_LENGTHS
        origins[end - begin] = next;
#endif
        clscan_lines_gather(tile, line, min(line + CLSCAN_TURN_LINES, (uint)CLSCAN_LINES), origins, begin);
        clscan_sub_group_meet();
        clscan_stretch_store(origins, begin, end, out, first, tile->kept, inside, room);
        end = begin;
    }
}

/// Store what is kept behind `prefix`, which precedes the part; as far as there is room. The part has passed
/// clscan_rows_gather().
CLSCAN_FUNCTION void clscan_rows_leave(const clscan_tile *tile, __local clscan_zone *zone, clscan_sink out,
                                       clscan_prefix prefix)
{
    const clscan_sum number = prefix.present ? prefix.value : 0;
    const uint inside = CLSCAN_INSIDE(number);
    const ulong first = clscan_kept_place(number + inside);
    const uint room = clscan_fitting(first, CLSCAN_KEPT_OF(tile->kept, inside), clscan_capacity(out.arguments),
                                     out.arguments);

    if (CLSCAN_LEAVES_AT_ONCE(tile))
        clscan_stretch_store(CLSCAN_PART_ORIGINS(zone), 0, tile->kept, out, first, tile->kept, inside, room);
    else
        clscan_turns_store(tile, zone, out, first, inside, room);
}

/// Both, of any tile.
CLSCAN_FUNCTION void clscan_rows_store(bool whole, const clscan_tile *tile, __local clscan_zone *zone, clscan_sink out,
                                       uint valid, clscan_prefix prefix)
{
    clscan_rows_gather(tile, zone, out);
    clscan_rows_leave(tile, zone, out, prefix);
}
