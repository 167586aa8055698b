#include "common/printable.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Length of the UTF-8 sequence at `at`, which ends with a zero, and the character that it stands for. 0: it is none, or
 * not the shortest one of its character. */
static size_t decode(const unsigned char *at, uint32_t *character)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    const size_t bytes = at[0] < 0x80   ? 1
                         : at[0] < 0xc0 ? 0
                         : at[0] < 0xe0 ? 2
                         : at[0] < 0xf0 ? 3
                         : at[0] < 0xf8 ? 4
                                        : 0;

    if (bytes == 0)
        return 0;
    *character = bytes == 1 ? at[0] : at[0] & (0x7fu >> bytes);
    for (size_t i = 1; i < bytes; ++i) {
        if ((at[i] & 0xc0) != 0x80)
            return 0;
        *character = *character << 6 | (at[i] & 0x3fu);
    }
    if (*character < smallest[bytes] || *character > 0x10ffff || (*character >= 0xd800 && *character < 0xe000))
        return 0;
    return bytes;
}

static bool is_safe(uint32_t character)
{
    static const struct {
        uint32_t first, last;
    } unsafe[] = {
        {0x00, 0x1f},     {0x7f, 0x9f},     /* control characters */
        {0x061c, 0x061c}, {0x200e, 0x200f}, /* marks of direction */
        {0x2028, 0x202e},                   /* separators of lines; embeddings and overrides */
        {0x2066, 0x2069},                   /* isolates */
    };

    for (size_t i = 0; i < sizeof unsafe / sizeof unsafe[0]; ++i)
        if (character >= unsafe[i].first && character <= unsafe[i].last)
            return false;
    return true;
}

static void replace(char *text, const char *kept)
{
    char *to = text;

    for (const char *from = text; *from != '\0';) {
        uint32_t character = 0;
        const size_t bytes = decode((const unsigned char *)from, &character);

        if (bytes > 0 && (is_safe(character) || strchr(kept, *from) != NULL)) {
            memmove(to, from, bytes);
            to += bytes;
        } else {
            *to++ = '?';
        }
        from += bytes > 0 ? bytes : 1;
    }
    *to = '\0';
}

void clscan__make_printable(char *text)
{
    replace(text, "");
}

void clscan__make_printable_lines(char *text)
{
    replace(text, "\n\t");
}

const char *clscan__printable(const char *text, char *room, size_t room_bytes)
{
    const size_t length_bytes = strlen(text);
    const size_t kept_bytes = length_bytes < room_bytes ? length_bytes : room_bytes - 1;

    memcpy(room, text, kept_bytes);
    room[kept_bytes] = '\0';
    clscan__make_printable(room);
    return room;
}
