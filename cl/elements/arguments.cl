// What kernels are given. Numbers are one struct, passed by value, whose members stand in one list
// (src/base/arguments.h). Every kernel of a run begins with CLSCAN_RUN_PARAMETERS, has its own behind them, if any, and
// ends with CLSCAN_MAP_PARAMETERS if it loads or stores elements. A buffer that a run lacks is another one of it,
// which nobody touches.
//
// Required of the host:
//   CLSCAN_RUN_MEMBERS, CLSCAN_RUN_BYTES  the members of clscan_run, and how many bytes they have
#if !defined(CLSCAN_RUN_MEMBERS) || !defined(CLSCAN_RUN_BYTES)
#error "CLSCAN_RUN_MEMBERS and CLSCAN_RUN_BYTES must be defined"
#endif

// Without gaps members stand where the host has them. A program whose struct has one does not compile.
#define CLSCAN_HAS_NO_GAPS(type, bytes) typedef char type##_has_no_gaps[sizeof(type) == (bytes) ? 1 : -1];

typedef struct clscan_run {
    CLSCAN_RUN_MEMBERS
} clscan_run;
CLSCAN_HAS_NO_GAPS(clscan_run, CLSCAN_RUN_BYTES)

/// in          [run.in_offset]  elements, run.count of them
/// out         [run.out_offset] results; the same memory as `in`, or apart from it
/// initial_at  [run.initial_offset] initial value with CLSCAN_FLAG_INITIAL_BUFFER
/// total_at    [run.total_offset] receives the total with CLSCAN_FLAG_TOTAL
/// workspace   its parts begin at run.control_bytes, run.words_bytes and run.totals_bytes
/// CLSCAN_COUNT_PARAMETERS: carries/count.cl
#define CLSCAN_RUN_PARAMETERS                                                                                         \
    clscan_run run, __global const clscan_in *in, __global clscan_out *out, __global const CLSCAN_A *initial_at,      \
        __global CLSCAN_A *total_at, __global uchar *workspace CLSCAN_COUNT_PARAMETERS

// The initial value that is an argument itself. No type of the caller's stands in the arguments of kernels: drivers
// differ in how these take structs.
CLSCAN_FUNCTION CLSCAN_A clscan_initial_value(const clscan_run *run)
{
    clscan_words words = CLSCAN_NO_WORDS;
#pragma unroll
    for (uint i = 0; i < CLSCAN_SUM_WORDS; ++i)
        clscan_words_put(words, i, (uint)(run->initial[i / 2] >> 32 * (i % 2)));
    return clscan_sum_of(words);
}

CLSCAN_FUNCTION clscan_prefix clscan_initial_prefix(const clscan_run *run, __global const CLSCAN_A *initial_at)
{
    clscan_prefix prefix;
    prefix.present = (run->flags & (CLSCAN_FLAG_INITIAL_VALUE | CLSCAN_FLAG_INITIAL_BUFFER)) != 0;
    prefix.value =
        run->flags & CLSCAN_FLAG_INITIAL_BUFFER ? initial_at[run->initial_offset] : clscan_initial_value(run);
#if CLSCAN_SELECTS && !CLSCAN_SELECT_MIDDLE && !CLSCAN_SELECT_LONG
    // The number of what is kept must not begin anew at 0: so near to its end no output has room (api/check_run.c).
    prefix.value = min(prefix.value, (CLSCAN_A)(~(CLSCAN_A)0 - (CLSCAN_A)run->count));
#endif
    return prefix;
}

// A counter of the workspace's report.
#define CLSCAN_COUNTER(event) \
    ((volatile __global uint *)(workspace + run.control_bytes + CLSCAN_REPORT_BYTES) + (event))
