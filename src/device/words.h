/* Reading the strings that drivers report: shared by the tables in this folder. */
#ifndef CLSCAN_DEVICE_WORDS_H
#define CLSCAN_DEVICE_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Locale-free, unlike <ctype.h>: a key must not depend on the user's environment. */
static inline char clscan__lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static inline bool clscan__is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Is `word` one of the space-separated `words`? A part of a longer word does not count:
 * cl_khr_subgroups is not in "cl_khr_subgroups_extra". */
static inline bool clscan__has_word(const char *words, const char *word)
{
    const size_t length = strlen(word);
    const char *at = words;
    while (length > 0 && (at = strstr(at, word)) != NULL) {
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
        at += length;
    }
    return false;
}

/* Does `text` contain `part`, without regard to case? An empty `part` is in everything. */
static inline bool clscan__contains(const char *text, const char *part)
{
    for (;; ++text) {
        size_t i = 0;
        while (part[i] != '\0' && clscan__lower(text[i]) == clscan__lower(part[i]))
            ++i;
        if (part[i] == '\0')
            return true;
        if (*text == '\0')
            return false;
    }
}

/* Is `text` equal to `pattern`, or does it begin with it where `pattern` ends in '*'? */
static inline bool clscan__matches(const char *pattern, const char *text)
{
    const size_t length = strlen(pattern);
    if (length > 0 && pattern[length - 1] == '*')
        return strncmp(pattern, text, length - 1) == 0;
    return strcmp(pattern, text) == 0;
}

/* "OpenCL 3.0 CUDA", "OpenCL C 1.2 ", "3.0" -> 300, 120, 300; 0 if the text is none of these. */
static inline uint32_t clscan__version_parse(const char *text)
{
    if (strncmp(text, "OpenCL ", 7) == 0)
        text += 7;
    if (strncmp(text, "C ", 2) == 0)
        text += 2;
    if (!clscan__is_digit(text[0]) || text[1] != '.' || !clscan__is_digit(text[2]) || clscan__is_digit(text[3]))
        return 0;
    return 100 * (uint32_t)(text[0] - '0') + 10 * (uint32_t)(text[2] - '0');
}

/* Copy what fits, always terminated. */
static inline void clscan__copy_text(char *target, size_t target_bytes, const char *source)
{
    const size_t length = strlen(source);
    const size_t kept = length < target_bytes ? length : target_bytes - 1;
    memcpy(target, source, kept);
    target[kept] = '\0';
}

#endif
