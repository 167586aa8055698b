#include "report_csv.h"

#include <inttypes.h>

/* A field in quotes, on one line. */
static void print_text(FILE *csv, const char *text)
{
    putc('"', csv);
    for (; *text != '\0'; ++text) {
        if (*text == '"')
            putc('"', csv);
        putc(*text == '\n' || *text == '\r' ? ' ' : *text, csv);
    }
    putc('"', csv);
}

static void print_value(FILE *csv, const bench_value *value)
{
    switch (value->kind) {
    case BENCH_VALUE_TEXT:
        print_text(csv, value->text);
        return;
    case BENCH_VALUE_WORD:
        fputs(value->text, csv);
        return;
    case BENCH_VALUE_COUNT:
    case BENCH_VALUE_TRUTH:
        fprintf(csv, "%" PRIu64, value->count);
        return;
    case BENCH_VALUE_REAL:
        fprintf(csv, "%.*f", value->decimals, value->real);
        return;
    case BENCH_VALUE_NONE:
        return;
    }
}

void bench_csv_header(FILE *csv)
{
    for (const bench_column *column = bench_columns; column->name != NULL; ++column)
        fprintf(csv, "%s%s", column == bench_columns ? "" : ",", column->name);
    putc('\n', csv);
}

void bench_csv_row(FILE *csv, const bench_row *row)
{
    for (const bench_column *column = bench_columns; column->name != NULL; ++column) {
        const bench_value value = column->value(row);

        if (column != bench_columns)
            putc(',', csv);
        print_value(csv, &value);
    }
    putc('\n', csv);
}
