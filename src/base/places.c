#include "base/places.h"

/* So many sums are looked at; of rows of a tensor, whose steps are the same, three in each dimension. */
#define MOST_SUMS 4096u

/* A step of one set or of both: it is taken from `least` to `most` times. What the smaller steps add up to lies between
 * `low` and `high`. Numbers are differences of bytes in one memory, of which a few add up far below 2^63. */
typedef struct leg {
    int64_t bytes, least, most, low, high;
} leg;

static bool is_empty(const clscan__places *places)
{
    for (size_t i = 0; i < places->count; ++i)
        if (places->steps[i].extent == 0)
            return true;
    return places->element_bytes == 0;
}

static void sort(clscan__place_step *steps, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        for (size_t j = i + 1; j < count; ++j)
            if (steps[j].bytes < steps[i].bytes) {
                const clscan__place_step was = steps[i];

                steps[i] = steps[j];
                steps[j] = was;
            }
}

/* The same places by fewer and larger elements: the smallest steps first, and none that leaves no gap. */
static clscan__places joined(const clscan__places *places)
{
    clscan__places made = *places;

    sort(made.steps, made.count);
    made.count = 0;
    for (size_t i = 0; i < places->count; ++i) {
        const clscan__place_step step = made.steps[i];

        if (made.count == 0 && step.bytes <= made.element_bytes)
            made.element_bytes += (step.extent - 1) * step.bytes;
        else if (step.extent > 1)
            made.steps[made.count++] = step;
    }
    return made;
}

static size_t add_leg(leg *legs, size_t count, clscan__place_step step, bool forward)
{
    const int64_t times = (int64_t)(step.extent - 1);
    size_t i = 0;

    while (i < count && legs[i].bytes != (int64_t)step.bytes)
        ++i;
    if (i == count)
        legs[count++] = (leg){.bytes = (int64_t)step.bytes};
    legs[i].most += forward ? times : 0;
    legs[i].least -= forward ? 0 : times;
    return count;
}

/* The largest steps first. */
static size_t legs_of(const clscan__places *a, const clscan__places *b, leg *legs)
{
    size_t count = 0;
    int64_t low = 0, high = 0;

    for (size_t i = 0; i < a->count; ++i)
        count = add_leg(legs, count, a->steps[i], true);
    for (size_t i = 0; i < b->count; ++i)
        count = add_leg(legs, count, b->steps[i], false);
    for (size_t i = 0; i < count; ++i)
        for (size_t j = i + 1; j < count; ++j)
            if (legs[j].bytes > legs[i].bytes) {
                const leg was = legs[i];

                legs[i] = legs[j];
                legs[j] = was;
            }
    for (size_t i = count; i-- > 0;) {
        legs[i].low = low;
        legs[i].high = high;
        low += legs[i].least * legs[i].bytes;
        high += legs[i].most * legs[i].bytes;
    }
    return count;
}

static int64_t divide_down(int64_t value, int64_t by)
{
    return value / by - (value % by < 0);
}

/* Do the legs add up to something above `above` and below `below`? */
static bool reach(const leg *legs, size_t count, int64_t above, int64_t below, unsigned *left)
{
    int64_t first, last;

    if (count == 0)
        return above < 0 && 0 < below;
    if (*left == 0)
        return true;
    --*left;
    first = divide_down(above - legs->high, legs->bytes) + 1;
    last = divide_down(below - legs->low - 1, legs->bytes);
    if (first < legs->least)
        first = legs->least;
    if (last > legs->most)
        last = legs->most;
    for (int64_t times = first; times <= last; ++times)
        if (reach(legs + 1, count - 1, above - times * legs->bytes, below - times * legs->bytes, left))
            return true;
    return false;
}

bool clscan__places_meet(const clscan__places *a, uint64_t a_begin, const clscan__places *b, uint64_t b_begin)
{
    leg legs[2 * CLSCAN__MOST_PLACE_STEPS] = {{0}};
    const int64_t ahead = (int64_t)a_begin - (int64_t)b_begin;
    clscan__places of_a, of_b;
    unsigned left = MOST_SUMS;
    size_t count;

    if (is_empty(a) || is_empty(b))
        return false;
    of_a = joined(a);
    of_b = joined(b);
    count = legs_of(&of_a, &of_b, legs);
    return reach(legs, count, -(int64_t)of_a.element_bytes - ahead, (int64_t)of_b.element_bytes - ahead, &left);
}
