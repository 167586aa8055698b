// What kernels for rows are given behind CLSCAN_RUN_PARAMETERS, whose run.count is the elements of each row. Of initial
// values each row may have its own (rows/initials.cl), and it has a total of its own (rows/row_totals.cl).
//
// Required of the host:
//   CLSCAN_ROWS_MEMBERS, CLSCAN_ROWS_BYTES  the members of clscan_rows (src/base/arguments.h), and how many bytes they
//                                           have
#if !defined(CLSCAN_ROWS_MEMBERS) || !defined(CLSCAN_ROWS_BYTES)
#error "CLSCAN_ROWS_MEMBERS and CLSCAN_ROWS_BYTES must be defined"
#endif

typedef struct clscan_rows {
    CLSCAN_ROWS_MEMBERS
} clscan_rows;
CLSCAN_HAS_NO_GAPS(clscan_rows, CLSCAN_ROWS_BYTES)

// CLSCAN_ROW_COUNT_PARAMETERS: rows/count.cl
#define CLSCAN_ROWS_PARAMETERS , clscan_rows rows CLSCAN_ROW_COUNT_PARAMETERS
