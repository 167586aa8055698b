#include "table_columns.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "command_line/failure.h"
#include "index_type.h"

clscan_status read_column(const char *text, void *given, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    column_names *names = given;
    const char *colon = strrchr(text, ':');

    REQUIRE(colon != NULL && colon > text && colon[1] != '\0', CLSCAN_ERROR_INVALID_VALUE,
            "'%s' is not FILE:OUT, the names of a column and of its output", text);
    REQUIRE(names->count < CLSCAN_MOST_COLUMNS, CLSCAN_ERROR_INVALID_VALUE, "there are more than %u columns",
            CLSCAN_MOST_COLUMNS);
    names->words[names->count++] = text;

cleanup:
    return status;
}

static result_file no_result(void)
{
    return (result_file){.file = OUTPUT_FILE_CLOSED};
}

table_columns table_columns_none(void)
{
    table_columns t = {.count = 0, .indices = no_result(), .lengths = no_result()};

    for (size_t i = 0; i < CLSCAN_MOST_COLUMNS; ++i) {
        t.columns[i].in.descriptor = -1;
        t.columns[i].out = no_result();
    }
    return t;
}

static void describe_output(result_file *out, const char *name, clscan_type type)
{
    out->name = name;
    out->is_npy = is_npy_name(name);
    out->type = type;
    out->dimensions = 1;
    out->shape[0] = COUNT_UNKNOWN;
}

static clscan_status open_column(table_column *column, const char *word, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const char *colon = strrchr(word, ':');

    column->in_name = strdup(word);
    REQUIRE(column->in_name != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for a name");
    column->in_name[colon - word] = '\0';
    REQUIRE(is_npy_name(column->in_name), CLSCAN_ERROR_INVALID_VALUE,
            "%s: a column is a .npy file, which says its type", column->in_name);
    TRY(input_file_open_moved(&column->in, column->in_name, CLSCAN_TYPE_COUNT, error));
    describe_output(&column->out, colon + 1, column->in.type);
    column->out.descr = input_file_descr(&column->in);

cleanup:
    return status;
}

/* Outputs in turn: those of columns, then those of indices and lengths. NULL behind the last. */
static result_file *output_at(table_columns *t, uint32_t number)
{
    if (number < t->count)
        return &t->columns[number].out;
    number -= t->count;
    if (number == 0 && t->has_indices)
        return &t->indices;
    return number == (t->has_indices ? 1 : 0) && t->has_lengths ? &t->lengths : NULL;
}

clscan_status table_columns_open(table_columns *t, const column_names *names, const input_file *in, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (t->count = 0; t->count < names->count; ++t->count) {
        const input_file *column = &t->columns[t->count].in;

        TRY(open_column(&t->columns[t->count], names->words[t->count], error));
        REQUIRE(in->count == COUNT_UNKNOWN || in->count == column->count, CLSCAN_ERROR_FILE,
                "%s has %" PRIu64 " elements, %s has %" PRIu64 ": columns have one length", column->name, column->count,
                in->name, in->count);
        t->bytes[t->count] = (uint32_t)column->element_bytes;
    }
    t->index_type = names->index_type != CLSCAN_TYPE_COUNT ? names->index_type : CLSCAN_UINT64;
    t->has_indices = names->indices != NULL;
    if (t->has_indices)
        describe_output(&t->indices, names->indices, t->index_type);
    t->has_lengths = names->lengths != NULL;
    if (t->has_lengths)
        describe_output(&t->lengths, names->lengths, CLSCAN_UINT64);
    for (uint32_t i = 0; output_at(t, i) != NULL; ++i)
        REQUIRE(!is_stream_name(output_at(t, i)->name), CLSCAN_ERROR_INVALID_VALUE,
                "%s names no file, and what stands beside OUT goes to files", output_at(t, i)->name);

cleanup:
    return status;
}

const char *table_columns_output(table_columns *t, uint32_t i, size_t *element_bytes)
{
    const result_file *out = output_at(t, i);

    if (out == NULL)
        return NULL;
    *element_bytes = i < t->count ? t->bytes[i] : clscan_type_size_bytes(out->type);
    return out->name;
}

void table_columns_use(table_columns *t, used_files *files)
{
    for (uint32_t i = 0; i < t->count; ++i) {
        used_files_read(files, "FILE of --column", &t->columns[i].in.about);
        used_files_write(files, "OUT of --column", t->columns[i].out.name);
    }
    used_files_write(files, "--out-indices", t->has_indices ? t->indices.name : NULL);
    used_files_write(files, "--lengths", t->has_lengths ? t->lengths.name : NULL);
}

static bool gives_indices(const table_columns *t)
{
    return t->has_indices || t->has_runs;
}

static bool gives_lengths(const table_columns *t)
{
    return t->has_lengths || t->has_runs;
}

void table_columns_count_buffers(const table_columns *t, chunk_buffers *buffers)
{
    if (gives_indices(t))
        chunk_buffers_add(buffers, sizeof(uint64_t));
    if (gives_lengths(t))
        chunk_buffers_add(buffers, sizeof(uint64_t));
    for (uint32_t i = 0; i < t->count; ++i) {
        chunk_buffers_add(buffers, t->bytes[i]);
        chunk_buffers_add(buffers, t->bytes[i]);
    }
}

void table_columns_describe(const table_columns *t, clscan_select *select)
{
    select->column_bytes = t->count > 0 ? t->bytes : NULL;
    select->column_count = t->count;
    select->index_bytes = gives_indices(t) ? sizeof(uint64_t) : 0;
    if (gives_lengths(t))
        select->length_bytes = sizeof(uint64_t);
    select->long_runs = t->has_runs;
}

clscan_status table_columns_create(table_columns *t, const target *where, uint64_t chunk_count, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (uint32_t i = 0; i < t->count; ++i) {
        TRY(target_buffer(where, chunk_count * t->bytes[i], &t->columns[i].elements, error));
        TRY(target_buffer(where, chunk_count * t->bytes[i], &t->columns[i].kept, error));
    }
    if (gives_indices(t))
        TRY(target_buffer(where, chunk_count * sizeof(uint64_t), &t->kept_indices, error));
    if (gives_lengths(t))
        TRY(target_buffer(where, chunk_count * sizeof(uint64_t), &t->kept_lengths, error));

cleanup:
    return status;
}

clscan_status table_columns_open_outputs(table_columns *t, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (uint32_t i = 0; output_at(t, i) != NULL; ++i)
        TRY(result_file_open(output_at(t, i), true, error));

cleanup:
    return status;
}

clscan_status table_columns_load(table_columns *t, const target *where, uint64_t first, uint64_t count, void *host,
                                 clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (uint32_t i = 0; i < t->count; ++i) {
        table_column *column = &t->columns[i];
        const size_t size_bytes = (size_t)count * t->bytes[i];
        size_t read_bytes = 0;

        REQUIRE(count <= column->in.count && first <= column->in.count - count, CLSCAN_ERROR_FILE,
                "%s has %" PRIu64 " elements, and IN has more: columns have one length", column->in.name,
                column->in.count);
        TRY(input_file_read(&column->in, first * t->bytes[i], host, size_bytes, &read_bytes, error));
        if (size_bytes > 0)
            TRY_CL(clEnqueueWriteBuffer, (where->queue, column->elements, CL_TRUE, 0, size_bytes, host, 0, NULL, NULL));
    }

cleanup:
    return status;
}

void table_columns_bind(const table_columns *t, uint64_t at, clscan_column columns[CLSCAN_MOST_COLUMNS],
                        clscan_selection *selection)
{
    for (uint32_t i = 0; i < t->count; ++i)
        columns[i] =
            (clscan_column){.in = {.buffer = t->columns[i].elements, .offset = at}, .out.buffer = t->columns[i].kept};
    selection->columns = t->count > 0 ? columns : NULL;
    selection->indices = (clscan_memory){.buffer = t->kept_indices};
    if (gives_lengths(t))
        selection->lengths = (clscan_memory){.buffer = t->kept_lengths};
}

static clscan_status fetch(const target *where, cl_mem from, uint64_t at_bytes, uint64_t size_bytes, void *host,
                           clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    TRY_CL(clEnqueueReadBuffer,
           (where->queue, from, CL_TRUE, (size_t)at_bytes, (size_t)size_bytes, host, 0, NULL, NULL));

cleanup:
    return status;
}

/* What is in front of the first one kept in a chunk lengthens the last one of the chunks before. The last length of
 * this chunk is kept back in turn. */
static clscan_status store_lengths(table_columns *t, const target *where, uint64_t count, uint64_t before,
                                   uint64_t number, uint64_t *lengths, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (number > 0)
        TRY(fetch(where, t->kept_lengths, 0, number * sizeof *lengths, lengths, error));
    t->open_length += count;
    for (uint64_t i = 0; i < number; ++i)
        t->open_length -= lengths[i];
    if (number == 0)
        return status;
    if (before > 0)
        TRY(result_file_write(&t->lengths, (before - 1) * sizeof *lengths, &t->open_length, sizeof *lengths, error));
    TRY(result_file_write(&t->lengths, before * sizeof *lengths, lengths, (size_t)(number - 1) * sizeof *lengths,
                          error));
    t->open_length = lengths[number - 1];

cleanup:
    return status;
}

clscan_status table_columns_store_rows(table_columns *t, const target *where, uint64_t first, uint64_t from,
                                       uint64_t before, uint64_t number, void *host, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (number == 0)
        return status;
    for (uint32_t i = 0; i < t->count; ++i) {
        TRY(fetch(where, t->columns[i].kept, from * t->bytes[i], number * t->bytes[i], host, error));
        TRY(result_file_write(&t->columns[i].out, before * t->bytes[i], host, (size_t)(number * t->bytes[i]), error));
    }
    if (t->has_indices) {
        const size_t bytes = clscan_type_size_bytes(t->index_type);

        TRY(fetch(where, t->kept_indices, from * sizeof(uint64_t), number * sizeof(uint64_t), host, error));
        index_type_write(t->index_type, host, number, first, host); /* a run counts in its chunk */
        TRY(result_file_write(&t->indices, before * bytes, host, (size_t)number * bytes, error));
    }

cleanup:
    return status;
}

clscan_status table_columns_store(table_columns *t, const target *where, uint64_t first, uint64_t count,
                                  uint64_t before, uint64_t number, void *host, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (t->has_lengths)
        TRY(store_lengths(t, where, count, before, number, host, error));
    TRY(table_columns_store_rows(t, where, first, 0, before, number, host, error));

cleanup:
    return status;
}

clscan_status table_columns_put_lengths(table_columns *t, uint64_t before, const uint64_t *lengths, uint64_t number,
                                        clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (!t->has_lengths || number == 0)
        return status;
    TRY(result_file_write(&t->lengths, before * sizeof *lengths, lengths, (size_t)number * sizeof *lengths, error));
    t->open_length = lengths[number - 1];

cleanup:
    return status;
}

clscan_status table_columns_take(table_columns *t, const target *where, uint64_t first, uint64_t at,
                                 clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    t->row_index = first + at;
    for (uint32_t i = 0; i < t->count; ++i)
        TRY(fetch(where, t->columns[i].elements, at * t->bytes[i], t->bytes[i], t->row[i], error));

cleanup:
    return status;
}

clscan_status table_columns_put(table_columns *t, uint64_t before, uint64_t length, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (uint32_t i = 0; i < t->count; ++i)
        TRY(result_file_write(&t->columns[i].out, before * t->bytes[i], t->row[i], t->bytes[i], error));
    if (t->has_indices) {
        const size_t bytes = clscan_type_size_bytes(t->index_type);
        uint64_t index;

        index_type_write(t->index_type, &t->row_index, 1, 0, &index);
        TRY(result_file_write(&t->indices, before * bytes, &index, bytes, error));
    }
    TRY(table_columns_put_lengths(t, before, &length, 1, error));

cleanup:
    return status;
}

clscan_status table_columns_expect_end(table_columns *t, const char *in, uint64_t count, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (uint32_t i = 0; i < t->count; ++i)
        REQUIRE(t->columns[i].in.count == count, CLSCAN_ERROR_FILE,
                "%s has %" PRIu64 " elements, %s has %" PRIu64 ": columns have one length", t->columns[i].in.name,
                t->columns[i].in.count, in, count);

cleanup:
    return status;
}

clscan_status table_columns_commit(table_columns *t, uint64_t kept, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (t->has_lengths && kept > 0)
        TRY(result_file_write(&t->lengths, (kept - 1) * sizeof t->open_length, &t->open_length, sizeof t->open_length,
                              error));
    for (uint32_t i = 0; output_at(t, i) != NULL; ++i)
        TRY(result_file_commit(output_at(t, i), kept, error));

cleanup:
    return status;
}

void table_columns_release(table_columns *t)
{
    for (uint32_t i = 0; i < CLSCAN_MOST_COLUMNS; ++i) {
        table_column *column = &t->columns[i];

        if (column->elements != NULL)
            clReleaseMemObject(column->elements);
        if (column->kept != NULL)
            clReleaseMemObject(column->kept);
        input_file_close(&column->in);
        output_file_discard(&column->out.file);
        free(column->in_name);
    }
    if (t->kept_indices != NULL)
        clReleaseMemObject(t->kept_indices);
    if (t->kept_lengths != NULL)
        clReleaseMemObject(t->kept_lengths);
    output_file_discard(&t->indices.file);
    output_file_discard(&t->lengths.file);
}
