#include "words.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool read_digits(const char *text, uintmax_t *value)
{
    char *end;

    if (text[0] < '0' || text[0] > '9') /* strtoumax would take signs and blanks */
        return false;
    errno = 0;
    *value = strtoumax(text, &end, 10);
    return *end == '\0' && errno == 0;
}

bool bench_read_count(const char *text, uint64_t *value)
{
    uintmax_t number;

    if (strncmp(text, "2^", 2) == 0) {
        if (!read_digits(text + 2, &number) || number > 63)
            return false;
        *value = UINT64_C(1) << number;
        return true;
    }
    if (!read_digits(text, &number) || number > UINT64_MAX)
        return false;
    *value = (uint64_t)number;
    return true;
}

size_t bench_split(const char *text, char separator, char (*parts)[32], size_t capacity)
{
    const char ends[] = {separator, '\0'};
    size_t count = 0;

    for (;; ++text) {
        const size_t bytes = strcspn(text, ends);

        if (bytes == 0 || bytes >= sizeof parts[0] || count == capacity)
            return 0;
        memcpy(parts[count], text, bytes);
        parts[count++][bytes] = '\0';
        text += bytes;
        if (*text == '\0')
            return count;
    }
}

bool bench_each_word(const char *text, bench_take_word *take, void *user, measure_note *note)
{
    char word[BENCH_WORD_BYTES];

    for (;; ++text) {
        const size_t bytes = strcspn(text, ",");

        if (bytes == 0 || bytes >= sizeof word)
            return measure_fail(note, "a word is empty or too long");
        memcpy(word, text, bytes);
        word[bytes] = '\0';
        if (!take(word, user, note))
            return false;
        text += bytes;
        if (*text == '\0')
            return true;
    }
}
