/* What kernels are given besides buffers: structs that travel by value, each in one list. The host has them as
 * clscan__NAME_arguments. Programs define the members as CLSCAN_NAME_MEMBERS and their bytes as CLSCAN_NAME_BYTES, of
 * which kernel files make clscan_NAME (cl/elements/arguments.cl, cl/rows/arguments.cl, cl/rows/columns.cl).
 *
 * Neither side may leave gaps: then each member stands where the sizes of those before it add up to, on both. So the
 * size of each struct is compared with the sum of its members, here and in every program. */
#ifndef CLSCAN_BASE_ARGUMENTS_H
#define CLSCAN_BASE_ARGUMENTS_H

#include <assert.h>
#include <stdint.h>

/* X(type, name, meaning), and A(type, name, elements, meaning) for several of a kind. Types are `ulong`, and `uint`,
 * two in a row. */
/* clang-format off */
#define CLSCAN__RUN_ARGUMENT_LIST(X, A)                                                                               \
    X(ulong, in_offset,       "of the input, in elements")                                                            \
    X(ulong, out_offset,      "of the output")                                                                        \
    X(ulong, count,           "elements, of each row or column; the largest count, if device memory has the run's")   \
    X(ulong, initial_offset,  "of the initial value in a buffer, or of the first one")                                \
    X(ulong, total_offset,    "of the total, or of the first one")                                                    \
    X(ulong, count_offset,    "of the count in device memory")                                                        \
    X(ulong, control_bytes,   "where the workspace has the draw word and behind it the report (src/engine/layout.h)") \
    X(ulong, words_bytes,     "where it has the published words")                                                     \
    X(ulong, totals_bytes,    "where it has the totals of ranges, or nodes")                                          \
    X(ulong, tiles_per_range, "tiles of every range but the last, which may be shorter")                              \
    X(ulong, ranges,          "ranges in all, or of each row")                                                        \
    X(ulong, before,          "in the reproducible order: tiles of the whole scan before the first of the input")     \
    X(ulong, stack_offset,    "the same: of the stack, in sums")                                                      \
    X(ulong, capacity,        "outputs that there is room for, of operations select and repeat")                      \
    X(uint,  flags,           "CLSCAN_FLAG_... (src/base/shared.h)")                                                  \
    X(uint,  epoch,           "of the run, for orders that do not draw it")                                           \
    A(ulong, initial, 8,      "the initial value with CLSCAN_FLAG_INITIAL_VALUE: the bytes of a sum")

#define CLSCAN__ROWS_ARGUMENT_LIST(X, A)                                                                              \
    X(ulong, count,           "rows in all; the most, if device memory has their number")                             \
    X(ulong, count_offset,    "of their number in device memory")                                                     \
    X(ulong, in_pitch,        "elements from the begin of a row of the input to that of the next")                    \
    X(ulong, out_pitch,       "the same of the output")                                                               \
    X(ulong, initial_pitch,   "the same of initial values in a buffer; 0: all rows have one")                         \
    X(ulong, total_pitch,     "the same of totals")                                                                   \
    X(ulong, per_group,       "short rows of every work-group but the last, which may have fewer")                    \
    X(ulong, staged_pitch,    "the input's for short rows that stand in local memory with their gaps; 0: they stand there without")             \
    X(ulong, reduced,         "ranges of each long row, from the first on, that are reduced")

#define CLSCAN__COLUMNS_ARGUMENT_LIST(X, A)                                                                           \
    X(ulong, in_step,         "elements from one of a column to the next in the input")                               \
    X(ulong, out_step,        "the same in the output")                                                               \
    X(ulong, initial_pitch,   "from the initial value of a column to that of the next number; 0: all columns have one") \
    X(ulong, lanes,           "work-items side by side, a divisor of the work-group size; not looked at for one")          \
    A(ulong, others, 16,      "the dimensions that number the columns, the innermost first, four words each: how many, and from one to the next elements in the input, elements in the output, and numbers") \
    A(ulong, total_strides, 4, "from a total to the next in each of them")
/* clang-format on */

typedef uint64_t clscan__ulong;
typedef uint32_t clscan__uint;

#define CLSCAN__MEMBER(type, name, meaning) clscan__##type name;
#define CLSCAN__MEMBERS(type, name, elements, meaning) clscan__##type name[elements];
typedef struct clscan__run_arguments {
    CLSCAN__RUN_ARGUMENT_LIST(CLSCAN__MEMBER, CLSCAN__MEMBERS)
} clscan__run_arguments;

typedef struct clscan__rows_arguments {
    CLSCAN__ROWS_ARGUMENT_LIST(CLSCAN__MEMBER, CLSCAN__MEMBERS)
} clscan__rows_arguments;

typedef struct clscan__columns_arguments {
    CLSCAN__COLUMNS_ARGUMENT_LIST(CLSCAN__MEMBER, CLSCAN__MEMBERS)
} clscan__columns_arguments;
#undef CLSCAN__MEMBER
#undef CLSCAN__MEMBERS

/* A list as a program has it: the members of a struct in OpenCL C, and how many bytes they have. */
#define CLSCAN__MEMBER_TEXT(type, name, meaning) #type " " #name "; "
#define CLSCAN__MEMBERS_TEXT(type, name, elements, meaning) #type " " #name "[" #elements "]; "
#define CLSCAN__ARGUMENTS_TEXT(list) list(CLSCAN__MEMBER_TEXT, CLSCAN__MEMBERS_TEXT)
#define CLSCAN__MEMBER_BYTES(type, name, meaning) +sizeof(clscan__##type)
#define CLSCAN__MEMBERS_BYTES(type, name, elements, meaning) +(elements) * sizeof(clscan__##type)
#define CLSCAN__ARGUMENTS_BYTES(list) (list(CLSCAN__MEMBER_BYTES, CLSCAN__MEMBERS_BYTES))

/* Also a multiple of 8, the most that a member is aligned to: so a kernel's struct has no gap at its end either. */
#define CLSCAN__ASSERT_NO_GAPS(type, list)                                                                 \
    static_assert(sizeof(type) == CLSCAN__ARGUMENTS_BYTES(list) && CLSCAN__ARGUMENTS_BYTES(list) % 8 == 0, \
                  #type " has a gap, or an odd number of uints")
CLSCAN__ASSERT_NO_GAPS(clscan__run_arguments, CLSCAN__RUN_ARGUMENT_LIST);
CLSCAN__ASSERT_NO_GAPS(clscan__rows_arguments, CLSCAN__ROWS_ARGUMENT_LIST);
CLSCAN__ASSERT_NO_GAPS(clscan__columns_arguments, CLSCAN__COLUMNS_ARGUMENT_LIST);

#endif
