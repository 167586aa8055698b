#include "suggest.h"

#include <stdbool.h>
#include <string.h>

/* Longer words are no slips of the finger. */
#define MAX_BYTES 40

static size_t smallest(size_t a, size_t b, size_t c)
{
    const size_t least = a < b ? a : b;

    return least < c ? least : c;
}

/* Letters to insert, leave out, replace or swap with their neighbour to get from one word to the other. */
static size_t distance(const char *from, size_t from_bytes, const char *to, size_t to_bytes)
{
    size_t row[3][MAX_BYTES + 1]; /* the last three rows, in turn */

    for (size_t j = 0; j <= to_bytes; ++j)
        row[0][j] = j;
    for (size_t i = 1; i <= from_bytes; ++i) {
        size_t *const now = row[i % 3];
        const size_t *const before = row[(i - 1) % 3];
        const size_t *const earlier = row[(i + 1) % 3];

        now[0] = i;
        for (size_t j = 1; j <= to_bytes; ++j) {
            const bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];

            now[j] = smallest(before[j] + 1, now[j - 1] + 1, before[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1));
            if (swapped && earlier[j - 2] + 1 < now[j])
                now[j] = earlier[j - 2] + 1;
        }
    }
    return row[from_bytes % 3][to_bytes];
}

void suggest_offer(suggestion *found, const char *name)
{
    const size_t name_bytes = strlen(name);
    const size_t shorter = found->word_bytes < name_bytes ? found->word_bytes : name_bytes;
    const bool begins_alike = shorter >= 3 && memcmp(found->word, name, shorter) == 0;
    size_t wrong;

    if (found->word_bytes > MAX_BYTES || name_bytes > MAX_BYTES)
        return;
    wrong = begins_alike ? 1 : distance(found->word, found->word_bytes, name, name_bytes);
    if (wrong > (shorter + 2) / 3 || (found->best != NULL && wrong >= found->distance))
        return;
    found->best = name;
    found->distance = wrong;
}
