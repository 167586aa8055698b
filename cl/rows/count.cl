// The number of rows of a run: rows.count, or what an earlier command left in device memory, as the count of their
// elements may be (carries/count.cl). Then rows.count is the most that there may be, for which the run was launched,
// and work-groups without a row leave at once.
//
// Required of the host:
//   CLSCAN_ROW_COUNT_BYTES  of the unsigned integer in memory that is the number, 4 or 8; 0 if rows.count is
#if !defined(CLSCAN_ROW_COUNT_BYTES)
#error "CLSCAN_ROW_COUNT_BYTES must be defined"
#endif

#if CLSCAN_ROW_COUNT_BYTES == 0
#define CLSCAN_ROW_COUNT_PARAMETERS
#define CLSCAN_TAKE_ROWS(most) (most)
#define CLSCAN_TAKE_AND_REPORT_ROWS(most) (most)
#else
#if CLSCAN_ROW_COUNT_BYTES == 4
typedef uint clscan_row_count;
#else
typedef ulong clscan_row_count;
#endif
// rows_at  [rows.count_offset] the number
#define CLSCAN_ROW_COUNT_PARAMETERS , __global const clscan_row_count *rows_at
#define CLSCAN_TAKE_ROWS(most) clscan_take_count(most, rows_at[rows.count_offset])
#define CLSCAN_TAKE_AND_REPORT_ROWS(most)                                                                             \
    clscan_take_and_report_count(most, rows_at[rows.count_offset], CLSCAN_COUNTER(CLSCAN_EVENT_REFUSED_COUNT))
#endif
