/* Sparse matrices in the coordinate format of Matrix Market, as compressed rows. */
#ifndef CLSCAN_EXAMPLES_MATRIX_MARKET_H
#define CLSCAN_EXAMPLES_MATRIX_MARKET_H

#include "program.h"

/* Row r has the entries offset[r] up to offset[r + 1]. */
typedef struct sparse {
    cl_uint rows, columns, entries;
    cl_uint *offset, *column;
    cl_float *value;
} sparse;

typedef struct entry {
    cl_uint row, column;
    cl_float value;
} entry;

static inline sparse compress(cl_uint rows, cl_uint columns, cl_uint count, const entry *list)
{
    sparse m = {rows,
                columns,
                count,
                allocate((rows + 1) * sizeof *m.offset),
                allocate(count * sizeof *m.column),
                allocate(count * sizeof *m.value)};
    cl_uint *next = allocate((rows + 1) * sizeof *next);

    for (cl_uint i = 0; i < count; ++i)
        ++m.offset[list[i].row + 1];
    for (cl_uint row = 0; row < rows; ++row)
        next[row + 1] = m.offset[row + 1] += m.offset[row];
    for (cl_uint i = 0; i < count; ++i) {
        m.column[next[list[i].row]] = list[i].column;
        m.value[next[list[i].row]++] = list[i].value;
    }
    free(next);
    return m;
}

/* Entries from the lines of a file; symmetric ones on both sides. Returns how many. */
static inline cl_uint read_entries(FILE *file, const char *name, int has_values, int is_symmetric, cl_uint rows,
                                   cl_uint columns, cl_uint lines, entry *list)
{
    cl_uint count = 0;

    for (cl_uint i = 0; i < lines; ++i) {
        entry e = {.value = 1};
        if (fscanf(file, "%u %u", &e.row, &e.column) != 2 || (has_values && fscanf(file, "%f", &e.value) != 1))
            refuse(name, "has fewer entries than it says");
        if (e.row < 1 || e.row > rows || e.column < 1 || e.column > columns)
            refuse(name, "has an entry outside of the matrix");
        --e.row;
        --e.column;
        list[count++] = e;
        if (is_symmetric && e.row != e.column)
            list[count++] = (entry){e.column, e.row, e.value};
    }
    return count;
}

/* The matrix of a file, or if there is no name, one of this function's own, with empty rows and long ones. */
static inline sparse read_matrix(const char *name)
{
    enum { OWN_ROWS = 20000, MOST_LINES = 1 << 28, LINE_BYTES = 1025 };
    char line[LINE_BYTES], values[LINE_BYTES], symmetry[LINE_BYTES];
    cl_uint rows = OWN_ROWS, columns = OWN_ROWS, lines = 0, count = 0;
    entry *list;

    if (name == NULL) {
        list = allocate(OWN_ROWS * 10 * sizeof *list);
        for (cl_uint row = 0; row < OWN_ROWS; ++row)
            for (cl_uint k = 0; k < (row % 1000 == 0 ? 1000 : row * 7 % 9); ++k)
                list[count++] = (entry){row, (row * 31 + k * 1009 + 1) % OWN_ROWS, 0.25f * (cl_float)(k % 7) - 0.5f};
    } else {
        FILE *file = open_file(name, "r");
        if (fgets(line, sizeof line, file) == NULL ||
            sscanf(line, "%%%%MatrixMarket matrix coordinate %s %s", values, symmetry) != 2 ||
            (strcmp(values, "real") != 0 && strcmp(values, "integer") != 0 && strcmp(values, "pattern") != 0) ||
            (strcmp(symmetry, "general") != 0 && strcmp(symmetry, "symmetric") != 0))
            refuse(name, "does not begin as a general or symmetric coordinate matrix of real numbers");
        while (fgets(line, sizeof line, file) != NULL && line[0] == '%')
            ; /* a comment */
        if (sscanf(line, "%u %u %u", &rows, &columns, &lines) != 3 || rows == 0 || columns == 0 || lines == 0 ||
            rows > MOST_LINES || columns > MOST_LINES || lines > MOST_LINES)
            refuse(name, "is of a size that is not served");
        list = allocate(2 * (size_t)lines * sizeof *list);
        count = read_entries(file, name, strcmp(values, "pattern") != 0, strcmp(symmetry, "symmetric") == 0, rows,
                             columns, lines, list);
        fclose(file);
    }
    const sparse m = compress(rows, columns, count, list);
    free(list);
    return m;
}

static inline void free_matrix(const sparse *m)
{
    free(m->offset);
    free(m->column);
    free(m->value);
}

#endif
