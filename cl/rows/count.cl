// The number of rows of a run: an argument of the kernel, or what an earlier command left in device memory, as the
// count of their elements may be (carries/count.cl). Then the argument is the most that there may be, for which the run
// was launched, and work-groups without a row leave at once.
//
// Required of the host:
//   CLSCAN_ROW_COUNT_BYTES  of the unsigned integer in memory that is the number, 4 or 8; 0 if the argument is
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
// As those of carries/count.cl.
#define CLSCAN_ROW_COUNT_PARAMETERS                                                                                   \
    , __global const clscan_row_count *rows_at, ulong rows_offset, __global uchar *rows_control,                      \
        ulong refused_rows_bytes
#define CLSCAN_TAKE_ROWS(most) clscan_take_count(most, rows_at[rows_offset])
#define CLSCAN_TAKE_AND_REPORT_ROWS(most)                                                                             \
    clscan_take_and_report_count(most, rows_at[rows_offset],                                                          \
                                 (volatile __global uint *)(rows_control + refused_rows_bytes))
#endif
