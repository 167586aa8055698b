#include "grid.h"

#include <string.h>

#define MAX_WORDS 16

/* One word: NAME=VALUE,VALUE,... or a text without values. */
typedef struct word {
    const char *text;
    size_t name_bytes; /* with the '=' */
    size_t bytes;
    size_t values;
    size_t chosen;
} word;

static size_t split(const char *grid, word *words)
{
    size_t count = 0;

    for (grid += strspn(grid, " "); *grid != '\0'; grid += strspn(grid, " ")) {
        word *next = &words[count];
        const char *equals;

        if (count == MAX_WORDS)
            return 0;
        *next = (word){.text = grid, .bytes = strcspn(grid, " "), .values = 1};
        equals = memchr(grid, '=', next->bytes);
        next->name_bytes = equals != NULL ? (size_t)(equals - grid) + 1 : next->bytes;
        for (size_t i = next->name_bytes; i < next->bytes; ++i)
            next->values += grid[i] == ',';
        grid += next->bytes;
        ++count;
    }
    return count;
}

static bool append(char (*text)[MEASURE_NAME_BYTES], size_t *length, const char *from, size_t bytes)
{
    if (*length + bytes >= sizeof *text)
        return false;
    memcpy(*text + *length, from, bytes);
    *length += bytes;
    (*text)[*length] = '\0';
    return true;
}

static bool write_variant(const word *words, size_t count, char (*text)[MEASURE_NAME_BYTES])
{
    size_t length = 0;

    for (size_t i = 0; i < count; ++i) {
        const word *w = &words[i];
        const char *value = w->text + w->name_bytes;
        const char *end = w->text + w->bytes;

        for (size_t skipped = 0; skipped < w->chosen; ++skipped)
            value = (const char *)memchr(value, ',', (size_t)(end - value)) + 1;
        if (memchr(value, ',', (size_t)(end - value)) != NULL)
            end = memchr(value, ',', (size_t)(end - value));
        if ((i > 0 && !append(text, &length, " ", 1)) || !append(text, &length, w->text, w->name_bytes) ||
            !append(text, &length, value, (size_t)(end - value)))
            return false;
    }
    return true;
}

/* Like an odometer. False after the last one. */
static bool choose_next(word *words, size_t count)
{
    while (count > 0) {
        word *last = &words[--count];

        if (++last->chosen < last->values)
            return true;
        last->chosen = 0;
    }
    return false;
}

size_t bench_grid_expand(const char *grid, char (*variants)[MEASURE_NAME_BYTES], size_t capacity)
{
    word words[MAX_WORDS];
    const size_t word_count = split(grid, words);
    size_t count = 0;

    if (word_count == 0)
        return 0;
    do {
        if (count == capacity)
            return count;
        if (!write_variant(words, word_count, &variants[count]))
            return 0;
        ++count;
    } while (choose_next(words, word_count));
    return count;
}
