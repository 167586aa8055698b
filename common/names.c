#include "common/names.h"

#include <stdbool.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

/* Not isalpha(), whose answer the locale decides. */
static bool begins_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

size_t clscan__name_length(const char *text)
{
    size_t length = 0;

    while (begins_name(text[length]) || (text[length] >= '0' && text[length] <= '9'))
        ++length;
    return length;
}

static bool is_among(const char *text, size_t length_bytes, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (strlen(words[i]) == length_bytes && memcmp(words[i], text, length_bytes) == 0)
            return true;
    return false;
}

static bool is_ours(const char *text, size_t length_bytes)
{
    static const size_t prefix_bytes = sizeof "clscan" - 1;

    return length_bytes >= prefix_bytes &&
           (memcmp(text, "clscan", prefix_bytes) == 0 || memcmp(text, "CLSCAN", prefix_bytes) == 0);
}

/* Of OpenCL C 1.2 and 3.0, in which programs are compiled as well. Many have a second spelling with two underscores. */
static bool is_word(const char *text, size_t length_bytes)
{
    static const char *const words[] = {
        "auto",     "break",    "case",     "const",  "constant",  "continue",  "default",    "do",
        "else",     "enum",     "extern",   "for",    "generic",   "global",    "goto",       "if",
        "inline",   "kernel",   "local",    "pipe",   "private",   "read_only", "read_write", "register",
        "restrict", "return",   "signed",   "sizeof", "static",    "struct",    "switch",     "typedef",
        "union",    "unsigned", "volatile", "while",  "write_only"};
    const bool underscores = length_bytes > 2 && memcmp(text, "__", 2) == 0;

    return underscores ? is_among(text + 2, length_bytes - 2, words, COUNT_OF(words))
                       : is_among(text, length_bytes, words, COUNT_OF(words));
}

static bool is_type(const char *text, size_t length_bytes)
{
    static const char *const alone[] = {"bool", "void", "size_t", "ptrdiff_t", "intptr_t", "uintptr_t"};
    static const char *const scalars[] = {"char", "uchar", "short", "ushort", "int",   "uint",
                                          "long", "ulong", "half",  "float",  "double"};
    static const char *const lanes[] = {"", "2", "3", "4", "8", "16"};
    size_t name_bytes = length_bytes;

    while (name_bytes > 0 && text[name_bytes - 1] >= '0' && text[name_bytes - 1] <= '9')
        --name_bytes;
    return is_among(text, length_bytes, alone, COUNT_OF(alone)) ||
           (is_among(text, name_bytes, scalars, COUNT_OF(scalars)) &&
            is_among(text + name_bytes, length_bytes - name_bytes, lanes, COUNT_OF(lanes)));
}

clscan__name clscan__name_of(const char *text, size_t length_bytes)
{
    if (length_bytes == 0 || !begins_name(text[0]) || clscan__name_length(text) < length_bytes)
        return CLSCAN__NAME_NONE;
    if (is_ours(text, length_bytes))
        return CLSCAN__NAME_OURS;
    if (is_word(text, length_bytes))
        return CLSCAN__NAME_WORD;
    return is_type(text, length_bytes) ? CLSCAN__NAME_TYPE : CLSCAN__NAME_FREE;
}
