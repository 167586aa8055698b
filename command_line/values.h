/* Texts of a command line to values, with messages that say what was expected. */
#ifndef CLSCAN_COMMAND_LINE_VALUES_H
#define CLSCAN_COMMAND_LINE_VALUES_H

#include <clscan/clscan.h>

#include "options.h"

/* Of a type of integers. */
bool integer_is_signed(clscan_type type);
uint64_t integer_largest(clscan_type type);

/* Readers. Types are clscan's names and NumPy's float16, float32, float64. */
option_reader read_text;           /* const char * */
option_reader read_type;           /* clscan_type */
option_reader read_type_list;      /* bool[CLSCAN_TYPE_COUNT], of a list like "int8,float" */
option_reader read_operator;       /* clscan_operator, which has a name that says what it does: not custom */
option_reader read_operator_class; /* clscan_operator, also custom, for all of a caller's own */
option_reader read_count;          /* uint64_t; decimal, or a power of two as "2^20" */
option_reader read_milliseconds;   /* uint64_t, at least 1; "5s", "500ms"; a day at most */
option_reader read_bytes;          /* uint64_t, at least 1; a count, or with a unit as "256M", "256MiB" or "1GB" */

/* Parse a value of `type`, an accumulator type, and check its range. `value` has room for 8 bytes. */
clscan_status parse_value(const char *text, clscan_type type, void *value, clscan_error *error);

/* The length of the first word of a list with commas; `word` receives as much of it as there is room for. *list goes on
 * behind the comma, or becomes NULL behind the last word. */
size_t next_word(const char **list, char *word, size_t size_bytes);

/* All type names for messages, "int8, uint8, ...". Static. */
const char *type_names(void);

#endif
