// Rows that begin where vectors do not, as those of an odd number of elements: tiles begin with the first whole vector
// of the input, and what stands before it, the "head", is scanned first, by every work-item. Then the vectors of nearly
// all of a row are loaded and stored at once, where the output's begin as the input's do.
#define CLSCAN_ROWS_HAVE_HEADS 1

/// Elements of a row's head; 0 if nothing would stand behind it.
CLSCAN_FUNCTION uint clscan_row_head(clscan_source in, ulong count)
{
    const uint head = clscan_to_multiple(CLSCAN_CURSOR(in, count, 0), sizeof(clscan_vector));

    return count > head ? head : 0;
}

// A row without its head has count - head elements, and begins here.
#if CLSCAN_REVERSE
#define CLSCAN_BEHIND_HEAD(row, head) (row)
#else
#define CLSCAN_BEHIND_HEAD(row, head) ((row) + (head))
#endif

// The elements of the head; a vector has one more at least.
CLSCAN_FUNCTION void clscan_head_load(CLSCAN_T *elements, clscan_source in, ulong count, uint head)
{
    const clscan_source begin = CLSCAN_CURSOR(in, count, 0);

#pragma unroll
    for (uint k = 0; k < CLSCAN_VECTOR_LENGTH; ++k) {
        elements[k] = CLSCAN_NO_ELEMENT;
        if (k < head)
            elements[k] = clscan_read(begin, k);
    }
}

/// The head's elements before what follows them.
CLSCAN_FUNCTION clscan_sum clscan_with_row_head(clscan_source in, ulong count, uint head, clscan_sum value)
{
    clscan_prefix prefix = clscan_nothing();
    CLSCAN_T elements[CLSCAN_VECTOR_LENGTH];

    clscan_head_load(elements, in, count, head);
#pragma unroll
    for (uint k = 0; k < CLSCAN_VECTOR_LENGTH; ++k)
        if (k < head)
            prefix = clscan_extend(prefix, clscan_lift(elements[k]));
    return clscan_extend(prefix, value).value;
}

/// Scan the head onto `prefix`, and return what precedes the rest of the row.
CLSCAN_FUNCTION clscan_prefix clscan_row_head_scan(clscan_source in, clscan_sink out, ulong count, uint head,
                                                   clscan_prefix prefix)
{
    const clscan_sink begin = CLSCAN_CURSOR(out, count, 0);
    CLSCAN_T elements[CLSCAN_VECTOR_LENGTH];

    if (head == 0)
        return prefix;
    clscan_head_load(elements, in, count, head);
    // In place, all have read it.
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#pragma unroll
    for (uint k = 0; k < CLSCAN_VECTOR_LENGTH; ++k)
        if (k < head) {
            const CLSCAN_T output = clscan_step(&prefix, elements[k]);
            if (get_local_id(0) == k)
                clscan_write(begin, k, output);
        }
    return prefix;
}
