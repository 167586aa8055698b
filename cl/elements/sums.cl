// Sums: what travels. Work-items, sub-groups and work-groups hand each other sums, and combine them by clscan_join().
// clscan_lift() makes a sum of an element as it is stored, clscan_lower() an output of a sum. Group scans, carries and
// published words know sums only, of any size up to 64 bytes.
//
// Required of the host: CLSCAN_INCLUSIVE (1 or 0), CLSCAN_REPRODUCIBLE (1 if every device must give the same bits),
// CLSCAN_A_BYTES (the size of a sum), CLSCAN_FLAG_... (flags of a launch: src/base/shared.h).
#if !defined(CLSCAN_INCLUSIVE) || !defined(CLSCAN_REPRODUCIBLE) || !defined(CLSCAN_A_BYTES) || \
    !defined(CLSCAN_FLAG_INITIAL_VALUE)
#error "CLSCAN_INCLUSIVE, CLSCAN_REPRODUCIBLE, CLSCAN_A_BYTES and CLSCAN_FLAG_... must be defined"
#endif
typedef CLSCAN_A clscan_sum;

// `before` comes first in the order of the scan.
#define clscan_join(before, after) clscan_combine((before), (after))

// For places that hold a sum only later. Never an operand.
#if CLSCAN_PLAIN
#define CLSCAN_NO_SUM ((clscan_sum)0)
#define CLSCAN_NO_ELEMENT ((CLSCAN_T)0)
#else
#define CLSCAN_NO_SUM clscan_no_sum()
#define CLSCAN_NO_ELEMENT clscan_no_item()
#endif

// A sum as words of 32 bits, the last of which it need not fill, for those that take it apart and put it together again
// elsewhere. New words begin as CLSCAN_NO_WORDS, and receive theirs in order.
#define CLSCAN_SUM_WORDS ((CLSCAN_A_BYTES + 3) / 4)
#if CLSCAN_PLAIN
typedef ulong clscan_words;
#define CLSCAN_NO_WORDS 0
#define clscan_words_of(sum) clscan_to_bits(sum)
#define clscan_words_get(words, i) ((uint)((words) >> 32 * (i)))
#define clscan_words_put(words, i, word) ((words) |= (ulong)(word) << 32 * (i))
#define clscan_sum_of(words) clscan_from_bits(words)
#else
#define CLSCAN_NO_WORDS {{0}}
#define clscan_words_get(words, i) ((words).at[i])
#define clscan_words_put(words, i, word) ((words).at[i] = (word))
#if CLSCAN_A_LANES > 0
// A vector is not laid over its words: compilers leave lanes of 8 bytes in memory then.
typedef struct clscan_words {
    uint at[CLSCAN_SUM_WORDS];
} clscan_words;
#if CLSCAN_A_BYTES == 2
#define clscan_sum_of(words) CLSCAN_PASTE(as_, CLSCAN_A)((ushort)(words).at[0])
#define clscan_words_take(words, sum) ((words).at[0] = as_ushort(sum))
#elif CLSCAN_A_BYTES == 4
#define clscan_sum_of(words) CLSCAN_PASTE(as_, CLSCAN_A)((words).at[0])
#define clscan_words_take(words, sum) ((words).at[0] = as_uint(sum))
#else
// Lane by lane: loading all of them at once is laying over, too.
#if CLSCAN_A_BYTES == 8
#define CLSCAN_VECTOR_WORDS 2
#define CLSCAN_ALL_WORDS(w) ((uint2)((w)[0], (w)[1]))
#elif CLSCAN_A_BYTES == 16
#define CLSCAN_VECTOR_WORDS 4
#define CLSCAN_ALL_WORDS(w) ((uint4)((w)[0], (w)[1], (w)[2], (w)[3]))
#elif CLSCAN_A_BYTES == 32
#define CLSCAN_VECTOR_WORDS 8
#define CLSCAN_ALL_WORDS(w) ((uint8)((w)[0], (w)[1], (w)[2], (w)[3], (w)[4], (w)[5], (w)[6], (w)[7]))
#else
#define CLSCAN_VECTOR_WORDS 16
#define CLSCAN_ALL_WORDS(w)                                                                                           \
    ((uint16)((w)[0], (w)[1], (w)[2], (w)[3], (w)[4], (w)[5], (w)[6], (w)[7], (w)[8], (w)[9], (w)[10], (w)[11],       \
              (w)[12], (w)[13], (w)[14], (w)[15]))
#endif
#define clscan_sum_of(words) CLSCAN_PASTE(as_, CLSCAN_A)(CLSCAN_ALL_WORDS((words).at))
#define clscan_words_take(words, sum) \
    CLSCAN_PASTE(vstore, CLSCAN_VECTOR_WORDS)(CLSCAN_PASTE(as_uint, CLSCAN_VECTOR_WORDS)(sum), 0, (words).at)
#endif
#else
typedef union clscan_words {
    uint at[CLSCAN_SUM_WORDS];
    clscan_sum sum;
} clscan_words;
#define clscan_sum_of(words) ((words).sum)
#define clscan_words_take(words, of) ((words).sum = (of))
#endif

CLSCAN_FUNCTION clscan_sum clscan_no_sum(void)
{
    const clscan_words none = CLSCAN_NO_WORDS;
    return clscan_sum_of(none);
}

CLSCAN_FUNCTION clscan_words clscan_words_of(clscan_sum sum)
{
    clscan_words words = CLSCAN_NO_WORDS; // also the bytes behind the sum
    clscan_words_take(words, sum);
    return words;
}
#endif

// A value that may be missing: before the first element, without an initial value, there is nothing, and an
// operator need not have an identity that could stand for it.
//
// The flag is as wide as the value: NVIDIA's compiler copies a struct with padding through memory, element by element.
typedef struct clscan_prefix {
    clscan_sum value;
#if CLSCAN_PLAIN
    CLSCAN_BITS present;
#elif CLSCAN_A_ALIGN_BYTES == 1
    uchar present;
#elif CLSCAN_A_ALIGN_BYTES == 2
    ushort present;
#elif CLSCAN_A_ALIGN_BYTES == 4
    uint present;
#else
    ulong present;
#if CLSCAN_A_ALIGN_BYTES > 8
    ulong unused[CLSCAN_A_ALIGN_BYTES / 8 - 1];
#endif
#endif
} clscan_prefix;

CLSCAN_FUNCTION clscan_prefix clscan_extend(clscan_prefix prefix, clscan_sum total)
{
    prefix.value = prefix.present ? clscan_join(prefix.value, total) : total;
    prefix.present = true;
    return prefix;
}

CLSCAN_FUNCTION clscan_prefix clscan_nothing(void)
{
    clscan_prefix prefix;
    prefix.value = CLSCAN_NO_SUM;
    prefix.present = false;
    return prefix;
}

#define CLSCAN_NAN clscan_from_bits(CLSCAN_A_BYTES > 4 ? 0x7ff8000000000000UL : 0x7fc00000UL)

// A result on its way out. Devices differ in the sign and payload of a NaN that they compute.
CLSCAN_FUNCTION clscan_sum clscan_settled(clscan_sum value)
{
#if CLSCAN_REPRODUCIBLE && CLSCAN_FLOATING && CLSCAN_OPERATOR != CLSCAN_OPERATOR_CUSTOM
    return clscan_is_nan(value) ? CLSCAN_NAN : value;
#else
    return value;
#endif
}

#if !CLSCAN_PLAIN
// For places that hold an item only later, or never.
CLSCAN_FUNCTION clscan_item clscan_no_item(void)
{
#if CLSCAN_KEEPS_PREVIOUS || CLSCAN_KEEPS_ELEMENT
    clscan_item item;
    item.sum = CLSCAN_NO_SUM;
    return item;
#else
    return CLSCAN_NO_SUM;
#endif
}

// As below, of items. A store map that asks for what precedes the first element gets the identity; without one, the
// host insists on an initial value.
CLSCAN_FUNCTION clscan_item clscan_step(clscan_prefix *prefix, clscan_item item)
{
    const clscan_prefix before = *prefix;
#ifdef CLSCAN_IDENTITY
    const clscan_sum previous = before.present ? before.value : CLSCAN_IDENTITY_VALUE;
#else
    const clscan_sum previous = before.present ? before.value : clscan_lift(item);
#endif

    *prefix = clscan_extend(before, clscan_lift(item));
#if CLSCAN_KEEPS_PREVIOUS
    item.previous = previous;
#endif
#if CLSCAN_SELECTS
#if !CLSCAN_SELECT_MIDDLE
    clscan_lift(item) = clscan_lift(item) != 0 ? previous : CLSCAN_REJECTED;
#endif
#else
    clscan_lift(item) = CLSCAN_INCLUSIVE ? prefix->value : previous;
#endif
    return item;
}

#if CLSCAN_SELECTS
// The next item in turn, at the cursor: a step, and what clscan_put() does. What is not kept may go where the next item
// goes that is, if that is before the end of the sink: a processor guesses wrong too often whether an element is kept.
CLSCAN_FUNCTION void clscan_put_next(clscan_sink cursor, clscan_prefix *prefix, clscan_item item)
{
    const ulong index = CLSCAN_AT(cursor, 0);

#if CLSCAN_SELECT_REST
    const CLSCAN_A kept = prefix->present ? prefix->value : 0;
#if CLSCAN_SELECT_MIDDLE
    const clscan_verdict keep = clscan_lift(item);
#else
    const bool keep = clscan_lift(item) != 0;
#endif

    if (cursor.fits)
        clscan_put_fitting(cursor, index, item, keep, kept);
    else
        clscan_put_either(cursor, index, item, keep, kept);
    prefix->value = kept + keep; // without a middle a bit, as the compiler sees it
    prefix->present = true;
#else
    if (CLSCAN_SELECT_COPIES && prefix->present && prefix->value < cursor.end) {
        clscan_stored(cursor, CLSCAN_OUT)[prefix->value] = clscan_output_of(item, 0, index, cursor.arguments);
        prefix->value += clscan_lift(item) != 0; // a bit, as the compiler sees it
    } else {
        clscan_put(cursor, 0, index, clscan_step(prefix, item));
    }
#endif
}
#endif
#else
// One element: from its input and what precedes it to its output. Leaves in `prefix` what precedes the next one.
CLSCAN_FUNCTION CLSCAN_T clscan_step(clscan_prefix *prefix, CLSCAN_T stored)
{
    const clscan_prefix before = *prefix;
    *prefix = clscan_extend(before, clscan_lift(stored));
#if CLSCAN_INCLUSIVE
    // The very first output is the input itself, also where a conversion would change a NaN.
    return before.present ? clscan_lower(clscan_settled(prefix->value)) : stored;
#elif defined(CLSCAN_IDENTITY)
    return clscan_lower(before.present ? clscan_settled(before.value) : CLSCAN_IDENTITY_VALUE);
#else
    // Without identity the host insists on an initial value; only scan_then_add comes here without a prefix, and
    // overwrites this element later.
    return before.present ? clscan_lower(before.value) : stored;
#endif
}
#endif

// Of runs of two and more elements, sums count first and last ones.
#if !CLSCAN_PLAIN && CLSCAN_SELECTS && CLSCAN_SELECT_LONG
#define CLSCAN_TOTAL_OF(sum) ((sum) >> 1)
#else
#define CLSCAN_TOTAL_OF(sum) clscan_settled(sum)
#endif

// The total of the whole scan; a scan of nothing has the identity, or is refused by the host.
CLSCAN_FUNCTION void clscan_store_total(uint flags, __global CLSCAN_A *total_at, clscan_prefix prefix)
{
    if ((flags & CLSCAN_FLAG_TOTAL) == 0)
        return;
#ifdef CLSCAN_IDENTITY
    *total_at = prefix.present ? CLSCAN_TOTAL_OF(prefix.value) : CLSCAN_IDENTITY_VALUE;
#else
    *total_at = prefix.value;
#endif
}
