/* Lists and numbers on the command line. */
#ifndef CLSCAN_BENCH_WORDS_H
#define CLSCAN_BENCH_WORDS_H

#include "measure/measure.h"

#define BENCH_WORD_BYTES 128

/* Decimal, or a power of two as "2^20". */
bool bench_read_count(const char *text, uint64_t *value);

/* Cut `text` at `separator` into at most `capacity` parts; 0 if there are more, or one is empty or long. */
size_t bench_split(const char *text, char separator, char (*parts)[32], size_t capacity);

/* Call `take` for every word between commas; stops when it returns false. */
typedef bool bench_take_word(const char *word, void *user, measure_note *note);
bool bench_each_word(const char *text, bench_take_word *take, void *user, measure_note *note);

#endif
