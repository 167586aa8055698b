/* How parts of a reproducible scan are cut into nodes, and what these come to (devices/nodes.h). */
#include "cmocka_all.h"
#include "devices/nodes.h"

enum { BLOCK = 1024, STEP = CLSCAN_REPRODUCIBLE_STEP };

/* Nodes follow each other, cover the part, and are those of the tree: of 2^k blocks, at multiples of that. */
static void assert_nodes(uint64_t first, uint64_t count, const clscan__node *nodes, size_t node_count)
{
    uint64_t at = first;

    assert_in_range(node_count, count > 0 ? 1 : 0, CLSCAN__MOST_PART_NODES);
    for (size_t i = 0; i < node_count; ++i) {
        const uint64_t size = nodes[i].count;

        assert_int_equal(nodes[i].first, at);
        if (size >= BLOCK) {
            assert_int_equal(size & (size - 1), 0);
            assert_int_equal(at % size, 0);
        } else {
            assert_int_equal(i, node_count - 1);
        }
        at += size;
    }
    assert_int_equal(at, first + count);
}

static void push_part(clscan__node_stack *stack, uint64_t first, uint64_t count)
{
    clscan__node nodes[CLSCAN__MOST_PART_NODES];
    const size_t node_count = clscan__nodes_of(first, count, nodes);

    assert_nodes(first, count, nodes, node_count);
    for (size_t i = 0; i < node_count; ++i) {
        const size_t depth = stack->depth + 1;
        const size_t joins = clscan__node_stack_push(stack, nodes[i].count);

        assert_int_equal(stack->depth, depth - joins);
    }
}

/* Whatever the parts are, the stack is what the digits of the number of whole blocks say, and the rest. */
static void assert_stack(const clscan__node_stack *stack, uint64_t count)
{
    size_t depth = 0;

    for (int digit = 53; digit >= 0; --digit)
        if (((count / BLOCK) >> digit & 1) != 0)
            assert_int_equal(stack->counts[depth++], (uint64_t)BLOCK << digit);
    if (count % BLOCK != 0)
        assert_int_equal(stack->counts[depth++], count % BLOCK);
    assert_int_equal(stack->depth, depth);
}

static void parts_of_any_sizes(void **state)
{
    static const uint64_t parts[][5] = {
        {0, 0, 0, 0, 0},
        {STEP, 0, 0, 0, 1},
        {STEP, STEP, STEP, STEP, STEP},
        {3 * STEP, 5 * STEP, 1 * STEP, 7 * STEP, STEP - 1},
        {STEP, 6 * STEP, 9 * STEP, 0, BLOCK},
        {(uint64_t)STEP << 40, STEP, ((uint64_t)STEP << 41) - STEP, 3 * STEP, 1023},
        {0, (uint64_t)STEP << 46, ((uint64_t)STEP << 46) - STEP, 0, STEP - 1}, /* nearly 2^63, whose stack is full */
        {((uint64_t)1 << 63) - STEP, STEP, (uint64_t)1 << 62, ((uint64_t)1 << 62) - STEP, STEP - 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; ++i) {
        clscan__node_stack stack = {.depth = 0};
        uint64_t first = 0;

        for (size_t part = 0; part < 5; first += parts[i][part++])
            push_part(&stack, first, parts[i][part]);
        assert_stack(&stack, first);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts_of_any_sizes)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
