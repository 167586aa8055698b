/* Columns of a table that follow a selection or a repetition: .npy files as long as its input, of which what is kept
 * goes to files of their own, chunk by chunk; and the files of the indices of what is kept, and, of a selection, of
 * lengths up to what is kept next. What is repeated is kept as many times. */
#ifndef CLSCAN_TOOLS_TABLE_COLUMNS_H
#define CLSCAN_TOOLS_TABLE_COLUMNS_H

#include <stdint.h>

#include <clscan/clscan.h>

#include "chunk_buffers.h"
#include "command_line/options.h"
#include "input_file.h"
#include "result_file.h"
#include "target.h"
#include "used_files.h"

/* What the command line names. Begin with zeros, and no type. */
typedef struct column_names {
    const char *words[CLSCAN_MOST_COLUMNS]; /* "FILE:OUT" */
    uint32_t count;
    const char *indices;    /* NULL: not wanted */
    const char *lengths;    /* the same */
    clscan_type index_type; /* CLSCAN_TYPE_COUNT: not given */
} column_names;

option_reader read_column; /* column_names, one more */

typedef struct table_column {
    char *in_name;
    input_file in;
    result_file out;
    cl_mem elements, kept;
} table_column;

/* Begin with table_columns_none(), and release always. */
typedef struct table_columns {
    table_column columns[CLSCAN_MOST_COLUMNS];
    uint32_t bytes[CLSCAN_MOST_COLUMNS]; /* of an element of each */
    uint32_t count;
    clscan_type index_type; /* also of indices that are written elsewhere */
    bool has_indices;
    result_file indices;
    cl_mem kept_indices;
    bool has_lengths;
    result_file lengths;
    cl_mem kept_lengths;
    uint64_t open_length; /* of the last one kept so far, which the next chunk may lengthen */
    bool has_runs;        /* rows are the first ones of runs, which need indices and lengths on the device */
    uint64_t row_index;   /* of the row that table_columns_take() has taken, and its columns */
    unsigned char row[CLSCAN_MOST_COLUMNS][CLSCAN_MOST_ELEMENT_BYTES];
} table_columns;

table_columns table_columns_none(void);

/* Open the columns, and check that none has another length than `in`, as far as that is known, and that outputs are
 * files. */
clscan_status table_columns_open(table_columns *t, const column_names *names, const input_file *in,
                                 clscan_error *error);

/* The name of output `i`, and the bytes of an element of it; NULL behind the last. */
const char *table_columns_output(table_columns *t, uint32_t i, size_t *element_bytes);

/* Add what they read and write. */
void table_columns_use(table_columns *t, used_files *files);

/* Add what is read and written of them. */
void table_columns_count_buffers(const table_columns *t, chunk_buffers *buffers);

/* Say it in the problem's struct, which points to what stands here. */
void table_columns_describe(const table_columns *t, clscan_select *select);

clscan_status table_columns_create(table_columns *t, const target *where, uint64_t chunk_count, clscan_error *error);
clscan_status table_columns_open_outputs(table_columns *t, clscan_error *error);

/* Put the chunk of `count` rows from `first` on, through `host`, where runs find them. */
clscan_status table_columns_load(table_columns *t, const target *where, uint64_t first, uint64_t count, void *host,
                                 clscan_error *error);

/* Say where a run finds them, from row `at` of the chunk on, and where it leaves what is kept. `columns` stays as long.
 */
void table_columns_bind(const table_columns *t, uint64_t at, clscan_column columns[CLSCAN_MOST_COLUMNS],
                        clscan_selection *selection);

/* Write `number` rows that were kept of those `count`, through `host`, behind the first `before`. */
clscan_status table_columns_store(table_columns *t, const target *where, uint64_t first, uint64_t count,
                                  uint64_t before, uint64_t number, void *host, clscan_error *error);

/* The same of columns and indices alone, from kept row `from` of the run on, whose first row is `first`. */
clscan_status table_columns_store_rows(table_columns *t, const target *where, uint64_t first, uint64_t from,
                                       uint64_t before, uint64_t number, void *host, clscan_error *error);

/* Write lengths of rows behind the first `before`. */
clscan_status table_columns_put_lengths(table_columns *t, uint64_t before, const uint64_t *lengths, uint64_t number,
                                        clscan_error *error);

/* Take row `at` of the chunk that begins with row `first`, and write it later, with its length. */
clscan_status table_columns_take(table_columns *t, const target *where, uint64_t first, uint64_t at,
                                 clscan_error *error);
clscan_status table_columns_put(table_columns *t, uint64_t before, uint64_t length, clscan_error *error);

/* All `count` rows have passed: do the columns end there, too? */
clscan_status table_columns_expect_end(table_columns *t, const char *in, uint64_t count, clscan_error *error);
clscan_status table_columns_commit(table_columns *t, uint64_t kept, clscan_error *error);

void table_columns_release(table_columns *t);

#endif
