// The rows of tile body `subgroup_rows` in selections whose outputs do not ask for elements: of these, only marks are
// kept (bodies/marked_rows.cl). Lanes lay them down in local memory as bits, in the order of the elements, and take
// them up again by whole words that follow each other. So a lane has one number to count with, not one for each row,
// and one place from which it gathers where its elements stand. Outputs are made of these places as they leave, in
// lines.
#if CLSCAN_KEEPS_ELEMENT || CLSCAN_SELECT_REST
#error "kept marks are for outputs that ask for no elements"
#endif

#define CLSCAN_PART_WORDS ((CLSCAN_PART + 31) / 32)
#define CLSCAN_LANE_WORDS ((CLSCAN_PART_WORDS + CLSCAN_SUB_GROUP_SIZE - 1) / CLSCAN_SUB_GROUP_SIZE)
#define CLSCAN_PART_ROOM ((CLSCAN_PART + 1) / 2) // words, of 16 bits for each element

typedef struct clscan_zone {
    union {
        ushort origins[2 * CLSCAN_SUB_GROUPS * CLSCAN_PART_ROOM]; // where each was in its part
        uint words[CLSCAN_SUB_GROUPS * CLSCAN_PART_ROOM];         // of marks, before
#if CLSCAN_VECTOR_LENGTH == 16
        ushort vectors[2 * CLSCAN_SUB_GROUPS * CLSCAN_PART_ROOM]; // the same, as rows have them
#elif CLSCAN_VECTOR_LENGTH == 8
        uchar vectors[4 * CLSCAN_SUB_GROUPS * CLSCAN_PART_ROOM];
#endif
    } gathered;
    clscan_sum scratch[CLSCAN_SCRATCH];
} clscan_zone;

typedef struct clscan_tile {
    clscan_lane_row rows[CLSCAN_ROWS]; // until they are scanned
    uint words[CLSCAN_LANE_WORDS];     // this lane's marks of the part
    uint place;                        // what the part keeps in front of them
    uint kept;                         // of the part
    clscan_sum left;                   // for clscan_part_prefix()
} clscan_tile;

// Lay the marks of rows down. Vectors of which a byte has several meet there by atomics.
CLSCAN_FUNCTION void clscan_marks_lay(const clscan_lane_row *rows, __local clscan_zone *zone)
{
    const uint part = clscan_sub_group() * CLSCAN_PART_ROOM;

#if CLSCAN_VECTOR_LENGTH < 8
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
#else
        const uint first = vector * CLSCAN_VECTOR_LENGTH;
        (void)atomic_or(&zone->gathered.words[part + first / 32], rows[row].marks << first % 32);
#endif
    }
}

// Word `i` of this lane.
CLSCAN_FUNCTION uint clscan_marks_take(__local const clscan_zone *zone, uint i)
{
    const uint word = clscan_lane() * CLSCAN_LANE_WORDS + i;
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
    uint own = 0;
    clscan_scanned scanned;

    clscan_sub_group_meet();
    clscan_marks_lay(tile->rows, zone);
    clscan_sub_group_meet();
#pragma unroll
    for (uint i = 0; i < CLSCAN_LANE_WORDS; ++i) {
        tile->words[i] = clscan_marks_take(zone, i);
        own += popcount(tile->words[i]);
    }
    scanned = clscan_sub_group_sums(zone->scratch, own, CLSCAN_SUB_GROUP_SIZE);
    tile->place = (uint)clscan_sums_own(scanned) - own;
    tile->kept = (uint)clscan_sums_all(zone->scratch, scanned, CLSCAN_SUB_GROUP_SIZE);
    return tile->kept;
}

// Gather where what is kept stands in the part. Lanes step from mark to mark of all words at once, the last ones first:
// what is not kept costs nothing, and no step of a word waits for one of another.
CLSCAN_FUNCTION void clscan_origins_gather(const clscan_tile *tile, __local ushort *origins)
{
    uint marks[CLSCAN_LANE_WORDS], left = 0;
    __local ushort *at[CLSCAN_LANE_WORDS];

#pragma unroll
    for (uint i = 0; i < CLSCAN_LANE_WORDS; ++i) {
        marks[i] = tile->words[i];
        at[i] = (i > 0 ? at[i - 1] : origins + tile->place) + popcount(marks[i]);
        left |= marks[i];
    }
    while (left != 0) {
        left = 0;
#pragma unroll
        for (uint i = 0; i < CLSCAN_LANE_WORDS; ++i) {
            if (marks[i] != 0) {
                const uint c = 31 - clz(marks[i]);

                *--at[i] = (ushort)((clscan_lane() * CLSCAN_LANE_WORDS + i) * 32 + c);
                marks[i] ^= 1u << c;
            }
            left |= marks[i];
        }
    }
}

// Store the first `room` outputs of a part, the first of which goes to place `first`.
CLSCAN_FUNCTION void clscan_origins_store(__local const ushort *origins, clscan_sink out, ulong first, uint inside,
                                          uint room)
{
    const uint part = clscan_sub_group() * CLSCAN_PART, idle = (uint)first % CLSCAN_SUB_GROUP_SIZE;
    __global CLSCAN_OUT *to = clscan_stored(out, CLSCAN_OUT) + first;

    for (uint i = clscan_lane(); i < idle + room; i += CLSCAN_SUB_GROUP_SIZE)
        if (i >= idle)
            to[i - idle] =
                clscan_output_of(clscan_kept_item(first + i - idle), 0,
                                 CLSCAN_AT(out, part + origins[CLSCAN_KEPT_NUMBER(i - idle, inside)]), out.arguments);
}

/// Gather where what is kept stands, and store its outputs behind `prefix`, which precedes the part; as far as there is
/// room.
CLSCAN_FUNCTION void clscan_rows_store(bool whole, const clscan_tile *tile, __local clscan_zone *zone, clscan_sink out,
                                       uint valid, clscan_prefix prefix)
{
    const clscan_sum number = prefix.present ? prefix.value : 0;
    const uint inside = CLSCAN_INSIDE(number);
    const ulong first = clscan_kept_place(number + inside);
    const uint room = clscan_fitting(first, CLSCAN_KEPT_OF(tile->kept, inside), clscan_capacity(out.arguments),
                                     out.arguments);
    __local ushort *origins = zone->gathered.origins + 2 * clscan_sub_group() * CLSCAN_PART_ROOM;

    clscan_sub_group_meet();
    clscan_origins_gather(tile, origins);
    clscan_sub_group_meet();
    clscan_origins_store(origins, out, first, inside, room);
    clscan_beside_store(origins, out, first, tile->kept, inside, room);
}
