/* Lists and numbers on the command line. */
#ifndef CLSCAN_BENCH_WORDS_H
#define CLSCAN_BENCH_WORDS_H

#include <stddef.h>

#include <clscan/clscan.h>

#define BENCH_WORD_BYTES 1024 /* also a path */

/* Cut `text` at `separator` into at most `capacity` parts; 0 if there are more, or one is empty or long. */
size_t bench_split(const char *text, char separator, char (*parts)[32], size_t capacity);

/* Call `take` for every word between commas, until it fails. */
typedef clscan_status bench_take_word(const char *word, void *user, clscan_error *error);
clscan_status bench_each_word(const char *text, bench_take_word *take, void *user, clscan_error *error);

#endif
