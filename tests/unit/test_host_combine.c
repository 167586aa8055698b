/* Sums that the host combines are what a device makes of them, which the reference says. */
#include <string.h>

#include "cmocka_all.h"
#include "devices/host_combine.h"
#include "element/operators.h"
#include "element/problem.h"
#include "generate.h"
#include "reference.h"

enum { SUMS = 60, SCALARS = 3, MOST_BYTES = 8 };

/* Each scalar of the sums is a scan of its own. */
static void try(clscan_type type, clscan_operator op, clscan_direction direction)
{
    const size_t bytes = clscan_type_size_bytes(type);
    const clscan_reference what = {.type = type, .op = op, .direction = direction};
    unsigned char sums[SUMS][SCALARS][MOST_BYTES], packed[SUMS * SCALARS * MOST_BYTES];

    for (size_t k = 0; k < SCALARS; ++k) {
        unsigned char in[SUMS * MOST_BYTES];

        /* Among the special ones are several that are no numbers, with payloads that differ. */
        clscan_generate(k == 1 ? CLSCAN_GENERATE_SPECIAL : clscan_generator_for(type, op, direction), type, 5 + k, 0,
                        SUMS, in);
        for (size_t i = 0; i < SUMS; ++i)
            memcpy(packed + (i * SCALARS + k) * bytes, in + i * bytes, bytes);
        assert_int_equal(clscan_reference_scan(&what, in, SUMS, NULL, in, NULL), CLSCAN_OK);
        for (size_t i = 0; i < SUMS; ++i)
            memcpy(sums[i][k], in + i * bytes, bytes);
    }
    clscan__host_combine(type, op, direction == CLSCAN_REVERSE, packed, SUMS, SCALARS);
    for (size_t i = 0; i < SUMS * SCALARS; ++i)
        if (!clscan_reference_same(type, op, sums[i / SCALARS][i % SCALARS], packed + i * bytes))
            fail_msg("%s of %s, %s: scalar %u of sum %u is wrong", clscan_operator_name(op), clscan_type_name(type),
                     direction == CLSCAN_REVERSE ? "reverse" : "forward", (unsigned)(i % SCALARS),
                     (unsigned)(i / SCALARS));
}

static void as_the_reference(void **state)
{
    (void)state;
    for (int type = 0; type < CLSCAN_TYPE_COUNT; ++type)
        for (int op = 0; op < CLSCAN_CUSTOM && type != CLSCAN_HALF; ++op)
            for (int direction = 0; direction < 2 && clscan__operator_supports((clscan_operator)op, (clscan_type)type);
                 ++direction)
                try((clscan_type)type, (clscan_operator)op, (clscan_direction)direction);
}

static void operators_of_the_callers_are_for_devices(void **state)
{
    const clscan_problem sum = {.struct_size = sizeof sum, .type = CLSCAN_HALF, .op = CLSCAN_ADD};
    const clscan_problem custom = {.struct_size = sizeof custom, .type = CLSCAN_INT32, .op = CLSCAN_CUSTOM};

    (void)state;
    assert_true(clscan__host_combines(&sum));
    assert_false(clscan__host_combines(&custom));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_the_reference),
        cmocka_unit_test(operators_of_the_callers_are_for_devices),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
