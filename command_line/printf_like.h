/* Lets the compiler check calls of a function against the format that it takes. */
#ifndef CLSCAN_COMMAND_LINE_PRINTF_LIKE_H
#define CLSCAN_COMMAND_LINE_PRINTF_LIKE_H

#if defined(__GNUC__)
#define PRINTF_LIKE(format_index, first_index) __attribute__((format(printf, format_index, first_index)))
#else
#define PRINTF_LIKE(format_index, first_index)
#endif

#endif
