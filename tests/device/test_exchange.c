/* What the courier says of a run that only enqueues: on which device it failed. Of commands that fail PoCL ends the
 * process, so their events are the test's own here. */
#include <string.h>

#include "cmocka_all.h"
#include "devices/exchange.h"
#include "live.h"

#include <clscan/log.h>

enum { COUNT = 2, SUM_BYTES = 4 };

static const size_t parts[COUNT] = {0, 3};

typedef struct lines {
    char text[1024];
} lines;

static void keep_line(clscan_log_level level, const char *text, void *user)
{
    lines *said = user;

    (void)level;
    strncat(said->text, text, sizeof said->text - strlen(said->text) - 1);
}

static cl_event ended(const test_live *live, cl_int how)
{
    cl_int code;
    const cl_event event = clCreateUserEvent(live->context, &code);

    assert_cl(code);
    assert_cl(clSetUserEventStatus(event, how));
    return event;
}

/* Serve a run whose sums, and what a device makes of them, end so; the states of the carries' events. */
static lines serve(const test_live *live, const cl_int sums[COUNT], bool combines, cl_int combination,
                   cl_int states[COUNT])
{
    const clscan__exchange_host host = {.scalars = 0};
    clscan__exchange *exchange = NULL;
    clscan_error error = {0};
    cl_event gates[COUNT];
    lines said = {.text = ""};

    assert_status(CLSCAN_OK, clscan__exchange_create(COUNT, parts, SUM_BYTES, &host, NULL, &exchange, &error), &error);
    if (combines) {
        assert_status(CLSCAN_OK, clscan__exchange_hold(exchange, CLSCAN__GIVE_SUMS, 0, live->context, &error), &error);
        exchange->taken = ended(live, combination);
    }
    for (size_t i = 0; i < COUNT; ++i) {
        assert_status(CLSCAN_OK, clscan__exchange_hold(exchange, CLSCAN__GIVE_CARRY, i, live->context, &error), &error);
        gates[i] = exchange->carries_are_there[i];
        assert_cl(clRetainEvent(gates[i]));
        exchange->sums[i] = ended(live, sums[i]);
    }
    clscan__exchange_tell(exchange, CLSCAN__ALL_ENQUEUED);
    clscan_log_set(CLSCAN_LOG_ERROR, keep_line, &said);
    clscan__exchange_serve(exchange);
    clscan_log_set(CLSCAN_LOG_WARNING, NULL, NULL);
    for (size_t i = 0; i < COUNT; ++i) {
        assert_cl(clGetEventInfo(gates[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof *states, &states[i], NULL));
        clReleaseEvent(gates[i]);
    }
    return said;
}

static void the_part_is_named(void **state)
{
    static const struct {
        cl_int sums[COUNT];
        bool combines;
        cl_int combination;
        bool said[COUNT + 1]; /* of each sum, and of the combination */
    } runs[] = {
        {{CL_COMPLETE, CL_COMPLETE}, false, CL_COMPLETE, {false, false, false}},
        {{CL_COMPLETE, -5}, false, CL_COMPLETE, {false, true, false}},
        {{-5, -5}, false, CL_COMPLETE, {true, true, false}},
        {{CL_COMPLETE, CL_COMPLETE}, true, CL_COMPLETE, {false, false, false}},
        {{CL_COMPLETE, CL_COMPLETE}, true, -5, {false, false, true}},
        {{-5, CL_COMPLETE}, true, -14, {true, false, false}}, /* without that sum there is nothing to combine */
    };
    static const char *const names[COUNT + 1] = {"parts[0]", "parts[3]", "members[0]"};

    for (size_t r = 0; r < sizeof runs / sizeof runs[0]; ++r) {
        cl_int states[COUNT];
        const lines said = serve(*state, runs[r].sums, runs[r].combines, runs[r].combination, states);

        for (size_t i = 0; i <= COUNT; ++i)
            assert_int_equal(strstr(said.text, names[i]) != NULL, runs[r].said[i]);
        for (size_t i = 0; i < COUNT; ++i)
            assert_int_equal(states[i] == CL_COMPLETE, said.text[0] == '\0');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_part_is_named),
    };

    return cmocka_run_group_tests(tests, test_live_setup, test_live_teardown);
}
