// Elements of columns, and how many columns a work-group takes that is one work-item.

// Columns of a work-item that is a work-group: a line of memory.
#define CLSCAN_COLUMN_LINE 16u

// The element k, in the order of the scan, of the column that begins `shift` elements behind the cursor. Cursors count
// elements as if they lay side by side.
CLSCAN_FUNCTION clscan_source clscan_column_source(clscan_source in, ulong shift, ulong count, ulong step, ulong k)
{
    const ulong at = CLSCAN_REVERSE ? count - 1 - k : k;
    return CLSCAN_CURSOR(CLSCAN_SOURCE_ROW(in, shift + at * (step - 1)), count, k);
}

CLSCAN_FUNCTION clscan_sink clscan_column_sink(clscan_sink out, ulong shift, ulong count, ulong step, ulong k)
{
    const ulong at = CLSCAN_REVERSE ? count - 1 - k : k;
    return CLSCAN_CURSOR(CLSCAN_SINK_ROW(out, shift + at * (step - 1)), count, k);
}
