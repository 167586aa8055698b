#include "operation_test.h"

#include <stdbool.h>
#include <stdio.h>

#include "command_line/failure.h"
#include "operation_trial.h"

#define SELECT(...)                                       \
    {                                                     \
        .struct_size = sizeof(clscan_select), __VA_ARGS__ \
    }
#define COLUMNS .column_bytes = operation_column_bytes, .column_count = OPERATION_COLUMNS
/* clang-format off */
#define ONE_ARRAY {{1, 200003, 0}, {1, 1000, 0}, {1, 1, 0}}
#define ONE_COUNTED {{1, 200003, 3}, {1, 1000, 70001}, {1, 0, 5}}
/* clang-format on */
static const operation_of operations[] = {
    {OPERATION_ROWS, "short rows", .sizes = {{1000, 33, 0}, {501, 33, 5}, {999, 1, 2}}},
    {OPERATION_ROWS, "long rows", .sizes = {{40, 5000, 0}, {17, 4099, 3}, {40, 301, 1}}},
    {OPERATION_ROWS, "few long rows", .sizes = {{2, 100003, 0}, {1, 100003, 1}, {2, 70001, 3}}},
    {OPERATION_ROWS_REDUCED, "rows, reduced", .sizes = {{300, 600, 0}, {299, 33, 5}, {2, 600, 1}}},
    {OPERATION_SCAN, "count on the device", .count_bytes = 4, .sizes = ONE_COUNTED},
    {OPERATION_ROWS, "rows, count on the device", .count_bytes = 8, .sizes = {{40, 5000, 1}, {17, 33, 5}, {39, 0, 7}}},
    {OPERATION_BY_FLAGS, "segments by flags", .sizes = ONE_ARRAY},
    {OPERATION_BY_BITS, "segments by bits", .sizes = ONE_ARRAY},
    {OPERATION_BY_OFFSETS, "segments by offsets", .sizes = ONE_ARRAY},
    {OPERATION_BY_KEYS, "segments by keys", .sizes = ONE_ARRAY},
    {OPERATION_BY_KEYS, "keys, count on the device", .count_bytes = 8, .sizes = ONE_COUNTED},
    {OPERATION_SELECTION, "selection by flags", SELECT(.flag_bytes = 1), .sizes = ONE_ARRAY},
    {OPERATION_SELECTION, "selection by bits", SELECT(.flag_bits = 1), .sizes = ONE_ARRAY},
    {OPERATION_SELECTION, "flags, count on the device", SELECT(.flag_bytes = 1), .count_bytes = 4,
     .sizes = ONE_COUNTED},
    {OPERATION_SELECTION, "columns by flags", SELECT(.flag_bytes = 1, .index_bytes = 4, COLUMNS), .sizes = ONE_ARRAY},
    {OPERATION_ENCODING, "columns by expression", SELECT(.index_bytes = 4, COLUMNS), .sizes = ONE_ARRAY},
    {OPERATION_SELECTION, "partition by flags", SELECT(.flag_bytes = 1, .rest = CLSCAN_REST_BEHIND),
     .sizes = ONE_ARRAY},
    {OPERATION_SELECTION, "partition apart", SELECT(.flag_bytes = 1, .rest = CLSCAN_REST_APART), .sizes = ONE_ARRAY},
    {OPERATION_THREE_WAY, "partition in three", SELECT(.rest = CLSCAN_REST_THREE_WAY), .sizes = ONE_ARRAY},
    {OPERATION_SELECTION, "long runs by flags", SELECT(.flag_bytes = 1, .length_bytes = 4, .long_runs = 1),
     .sizes = ONE_ARRAY},
    {OPERATION_ENCODING, "runs, encoded", SELECT(.length_bytes = 4), .sizes = ONE_ARRAY},
    {OPERATION_DECODING, "runs, decoded", SELECT(.length_bytes = 4), .sizes = {{1, 80003, 0}, {1, 1000, 0}, {1, 1, 0}}},
};
#define OPERATIONS (sizeof operations / sizeof operations[0])
#define TRIALS (sizeof operations[0].sizes / sizeof operations[0].sizes[0])

static const char *word_of(operation_kind kind)
{
    return kind == OPERATION_DECODING ? "repeat" : operation_moves(kind) ? "select" : "add";
}

static void print_line(const char *verdict, const operation_rig *r, const operation_of *of, const clscan_plan *plan,
                       unsigned cases)
{
    clscan_choice choice = {.struct_size = sizeof choice};
    char text[512] = "no plan";

    if (plan != NULL && clscan_plan_explain(plan, of->sizes[0].count, 0, &choice, NULL) == CLSCAN_OK)
        clscan_variant_format(&choice.variant, text, sizeof text);
    printf("%-7s %-6s %-6s %s, %s, %u cases\n", verdict, clscan_type_name(r->type), word_of(of->kind), text, of->name,
           cases);
    fflush(stdout);
}

static clscan_status plan_for(const operation_rig *r, const operation_of *of, clscan_plan **plan,
                              clscan_workspace **workspace, clscan_error *error)
{
    const clscan_rows rows = {.struct_size = sizeof rows, .count = of->sizes[0].rows};
    static const struct {
        clscan_segments_by by;
        clscan_type type;
    } segmented[] = {[OPERATION_BY_FLAGS] = {CLSCAN_BY_FLAGS, CLSCAN_UINT8},
                     [OPERATION_BY_BITS] = {CLSCAN_BY_BITS, (clscan_type)0},
                     [OPERATION_BY_OFFSETS] = {CLSCAN_BY_OFFSETS, CLSCAN_UINT32},
                     [OPERATION_BY_KEYS] = {CLSCAN_BY_KEYS, CLSCAN_UINT32}};
    clscan_segments segments = {.struct_size = sizeof segments};
    clscan_problem problem = {.struct_size = sizeof problem,
                              .type = r->type,
                              .op = CLSCAN_ADD,
                              .max_count = of->sizes[0].count + of->sizes[0].gap,
                              .count_bytes = of->count_bytes,
                              .load = operation_load(of->kind)};

    if (operation_moves(of->kind))
        problem.select = &of->select;
    else if (of->kind >= OPERATION_BY_FLAGS) {
        segments.by = segmented[of->kind].by;
        segments.type = segmented[of->kind].type;
        problem.segments = &segments;
    } else if (of->kind != OPERATION_SCAN)
        problem.rows = &rows;
    if (of->kind == OPERATION_ROWS_REDUCED)
        problem.operation = CLSCAN_REDUCE;
    if (operation_moves(of->kind))
        problem.operation = of->kind == OPERATION_DECODING ? CLSCAN_REPEAT : CLSCAN_SELECT;
    return target_plan(r->t, &problem, plan, workspace, error);
}

static void test_one(const operation_rig *r, const operation_of *of, operation_tally *sum)
{
    clscan_plan *plan = NULL;
    clscan_workspace *workspace = NULL;
    clscan_error error;
    unsigned cases = 0;
    bool right = true;

    if (plan_for(r, of, &plan, &workspace, &error) != CLSCAN_OK) {
        const bool none = error.status == CLSCAN_ERROR_UNSUPPORTED_TYPE || error.status == CLSCAN_ERROR_DEVICE_LIMIT;

        print_line(none ? "skipped" : "FAILED", r, of, NULL, 0);
        print_failure(&error);
        *(none ? &sum->skipped : &sum->failed) += 1;
        sum->plans += !none;
        return;
    }
    for (size_t i = 0; right && i < TRIALS; ++i, ++cases)
        if (operation_trial(r, of, plan, workspace, &of->sizes[i], &right, &error) != CLSCAN_OK) {
            right = false;
            print_failure(&error);
        }
    print_line(right ? "ok" : "FAILED", r, of, plan, cases);
    clscan_workspace_destroy(workspace);
    clscan_plan_destroy(plan);
    ++sum->plans;
    sum->failed += !right;
    sum->cases += cases;
}

clscan_status operation_test(const target *t, clscan_type type, operation_tally *sum, clscan_error *error)
{
    clscan_status status;
    operation_rig r = {.t = t, .type = type};

    TRY(operation_rig_create(&r, error));
    for (size_t i = 0; i < OPERATIONS; ++i)
        test_one(&r, &operations[i], sum);

cleanup:
    operation_rig_release(&r);
    return status;
}
