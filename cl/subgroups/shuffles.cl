// Exchange and scans by shuffles, which the file before this one gives for 32 bits of every work-item:
// clscan_shuffle_up_bits() and clscan_shuffle_bits(). A sum goes word by word.
#define CLSCAN_EXCHANGE 0

/// The value of the work-item `distance` lanes below; unspecified in lanes that have none.
CLSCAN_FUNCTION clscan_sum clscan_shuffle_up(__local clscan_sum *scratch, clscan_sum value, uint distance)
{
    const clscan_words own = clscan_words_of(value);
    clscan_words words = CLSCAN_NO_WORDS;
#pragma unroll
    for (uint i = 0; i < CLSCAN_SUM_WORDS; ++i)
        clscan_words_put(words, i, clscan_shuffle_up_bits(clscan_words_get(own, i), distance));
    return clscan_sum_of(words);
}

/// The value of one lane, in all of them.
CLSCAN_FUNCTION clscan_sum clscan_shuffle(__local clscan_sum *scratch, clscan_sum value, uint lane)
{
    const clscan_words own = clscan_words_of(value);
    clscan_words words = CLSCAN_NO_WORDS;
#pragma unroll
    for (uint i = 0; i < CLSCAN_SUM_WORDS; ++i)
        clscan_words_put(words, i, clscan_shuffle_bits(clscan_words_get(own, i), lane));
    return clscan_sum_of(words);
}

// Inclusive scan over the first `lanes` of each `width` lanes, a power of two (Kogge-Stone).
CLSCAN_FUNCTION clscan_sum clscan_segment_scan(__local clscan_sum *scratch, clscan_sum value, uint lanes, uint width)
{
    const uint lane = clscan_lane() % width;

#pragma unroll
    for (uint distance = 1; distance < width; distance *= 2) {
        const clscan_sum below = clscan_shuffle_up(scratch, value, distance);
        if (lane >= distance && lane < lanes)
            value = clscan_join(below, value);
    }
    return value;
}

// The combination of the first `lanes` of each `width` lanes, to all of them.
CLSCAN_FUNCTION clscan_sum clscan_segment_total(__local clscan_sum *scratch, clscan_sum value, uint lanes, uint width)
{
#if CLSCAN_COMMUTATIVE && !CLSCAN_REPRODUCIBLE
    if (clscan_lane() % width >= lanes)
        value = CLSCAN_NEUTRAL;
#pragma unroll
    for (uint distance = 1; distance < width; distance *= 2)
        value = clscan_join(value, clscan_shuffle(scratch, value, clscan_lane() ^ distance));
    return value;
#else
    return clscan_shuffle(scratch, clscan_segment_scan(scratch, value, lanes, width), max(lanes, 1u) - 1);
#endif
}

// What lanes have of a scan: here their own sums, from which shuffles make the others.
typedef clscan_sum clscan_scanned;

/// Scan the first `lanes` lanes; the values of the others are never operands, and their results unspecified.
CLSCAN_FUNCTION clscan_scanned clscan_sub_group_sums(__local clscan_sum *scratch, clscan_sum value, uint lanes)
{
    return clscan_segment_scan(scratch, value, lanes, CLSCAN_SUB_GROUP_SIZE);
}

/// The sum of the lanes up to this one.
#define clscan_sums_own(scanned) (scanned)

/// The sum of the lanes before this one; unspecified in the first.
CLSCAN_FUNCTION clscan_sum clscan_sums_below(__local clscan_sum *scratch, clscan_scanned scanned)
{
    return clscan_shuffle_up(scratch, scanned, 1);
}

/// The sum of the `lanes` lanes that were scanned, in all lanes; unspecified if that is 0.
CLSCAN_FUNCTION clscan_sum clscan_sums_all(__local clscan_sum *scratch, clscan_scanned scanned, uint lanes)
{
    return clscan_shuffle(scratch, scanned, max(lanes, 1u) - 1);
}

/// The combination of the first `lanes` lanes' values, in all lanes; unspecified if `lanes` is 0.
CLSCAN_FUNCTION clscan_sum clscan_sub_group_total(__local clscan_sum *scratch, clscan_sum value, uint lanes)
{
#ifdef CLSCAN_REDUX
    return clscan_redux(clscan_lane() < lanes ? value : CLSCAN_IDENTITY_VALUE);
#else
    return clscan_segment_total(scratch, value, lanes, CLSCAN_SUB_GROUP_SIZE);
#endif
}

// 1: wide sums, of few sub-groups. Across the lanes a sum goes word by word, and each word takes as long as several
// sums out of local memory that all lanes read. So the sub-groups' sums are combined one after the other there.
#define CLSCAN_SHARES_SUMS (CLSCAN_A_BYTES >= CLSCAN_WIDE_BYTES && CLSCAN_SUB_GROUPS <= 8)

/// The combination of the first `lanes` lanes' values, in the lane clscan_end_lane(lanes); unspecified in the others.
///
/// Narrow sums go to all lanes: to leave that out made the largest of 2^27 pairs of a float and an index take 608 us
/// instead of 576 on an H200, though nobody asks the other lanes.
CLSCAN_FUNCTION clscan_sum clscan_sub_group_end(__local clscan_sum *scratch, clscan_sum value, uint lanes)
{
#if CLSCAN_SHARES_SUMS
    return clscan_segment_scan(scratch, value, lanes, CLSCAN_SUB_GROUP_SIZE);
#else
    return clscan_sub_group_total(scratch, value, lanes);
#endif
}

/// The same, of lanes that have been scanned.
CLSCAN_FUNCTION clscan_sum clscan_sums_end(__local clscan_sum *scratch, clscan_scanned scanned, uint lanes)
{
    return CLSCAN_SHARES_SUMS ? scanned : clscan_sums_all(scratch, scanned, lanes);
}

CLSCAN_FUNCTION uint clscan_end_lane(uint lanes)
{
    return CLSCAN_SHARES_SUMS ? max(lanes, 1u) - 1 : 0;
}

#if CLSCAN_SHARES_SUMS
CLSCAN_FUNCTION clscan_sum clscan_sub_groups_join(__local const clscan_sum *values, uint groups, clscan_sum *left)
{
    clscan_sum total = values[0];

    *left = total;
#pragma unroll
    for (uint i = 1; i < CLSCAN_SUB_GROUPS; ++i) {
        if (i == clscan_sub_group())
            *left = total;
        if (i < groups)
            total = clscan_join(total, values[i]);
    }
    return total;
}
#endif

/// The combination of the sub-groups' values, to every work-item.
///
/// groups  sub-groups that have a value, at least 1: the first ones
CLSCAN_FUNCTION clscan_sum clscan_sub_groups_total(__local clscan_sum *scratch, __local const clscan_sum *values,
                                                   uint groups)
{
#if CLSCAN_SHARES_SUMS
    clscan_sum left;
    return clscan_sub_groups_join(values, groups, &left);
#else
    const clscan_sum value = clscan_sub_groups_gather(values);
#ifdef CLSCAN_REDUX
    return clscan_sub_group_total(scratch, value, groups);
#else
    return clscan_segment_total(scratch, value, groups, CLSCAN_GATHER_LANES);
#endif
#endif
}

/// The same, and *left receives the combination of the sub-groups before this one; unspecified for the first and beyond
/// `groups`.
CLSCAN_FUNCTION clscan_sum clscan_sub_groups_scan(__local clscan_sum *scratch, __local const clscan_sum *values,
                                                  uint groups, clscan_sum *left)
{
    // Each sub-group combines all values for itself: that needs no second barrier.
#if CLSCAN_SHARES_SUMS
    return clscan_sub_groups_join(values, groups, left);
#else
    clscan_sum value = clscan_sub_groups_gather(values), total;

#ifdef CLSCAN_REDUX
    total = clscan_sub_group_total(scratch, value, groups);
    *left = clscan_sub_group_total(scratch, value, clscan_sub_group());
#else
    value = clscan_segment_scan(scratch, value, groups, CLSCAN_GATHER_LANES);
    total = clscan_shuffle(scratch, value, groups - 1);
    *left = clscan_shuffle(scratch, value, max(clscan_sub_group(), 1u) - 1);
#endif
    return total;
#endif
}
