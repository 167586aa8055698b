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

/// The combination of the sub-groups' values, to every work-item.
///
/// groups  sub-groups that have a value, at least 1: the first ones
CLSCAN_FUNCTION clscan_sum clscan_sub_groups_total(__local clscan_sum *scratch, __local const clscan_sum *values,
                                                   uint groups)
{
    const clscan_sum value = clscan_sub_groups_gather(values);
#ifdef CLSCAN_REDUX
    return clscan_sub_group_total(scratch, value, groups);
#else
    return clscan_segment_total(scratch, value, groups, CLSCAN_GATHER_LANES);
#endif
}

/// The same, and *left receives the combination of the sub-groups before this one; unspecified for the first and beyond
/// `groups`.
CLSCAN_FUNCTION clscan_sum clscan_sub_groups_scan(__local clscan_sum *scratch, __local const clscan_sum *values,
                                                  uint groups, clscan_sum *left)
{
    // Each sub-group combines all values for itself: that needs no second barrier.
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
}
