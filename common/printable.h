/* Text from outside (names of files, headers, configs, what drivers and other processes say), made safe to print.
 *
 * A terminal obeys control characters: they move the cursor, recolour what follows, or change its title. Newlines let
 * a file's name pretend to be a second message, and characters that turn the direction of writing let it look like
 * another name. Each of these, and each byte that is no UTF-8, becomes a '?'. */
#ifndef CLSCAN_COMMON_PRINTABLE_H
#define CLSCAN_COMMON_PRINTABLE_H

#include <stddef.h>

/* Room for the copy of a path. */
#define SHOWN_PATH_BYTES 4096

/* Make `text` one safe line, in place; it does not get longer. */
void clscan__make_printable(char *text);

/* The same for text of several lines, as compilers write: newlines and tabs stay. */
void clscan__make_printable_lines(char *text);

/* Copy `text` to `room`, make the copy one safe line, and return it. What does not fit is left out. */
const char *clscan__printable(const char *text, char *room, size_t room_bytes);

#endif
