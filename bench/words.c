#include "words.h"

#include <string.h>

#include "command_line/failure.h"

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

clscan_status bench_each_word(const char *text, bench_take_word *take, void *user, clscan_error *error)
{
    char word[BENCH_WORD_BYTES];

    for (;; ++text) {
        const size_t bytes = strcspn(text, ",");
        clscan_status status;

        if (bytes == 0 || bytes >= sizeof word)
            return fail(error, CLSCAN_ERROR_INVALID_VALUE, "a word is empty or too long");
        memcpy(word, text, bytes);
        word[bytes] = '\0';
        status = take(word, user, error);
        if (status != CLSCAN_OK)
            return status;
        text += bytes;
        if (*text == '\0')
            return CLSCAN_OK;
    }
}
