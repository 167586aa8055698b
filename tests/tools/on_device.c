#include "on_device.h"

#include <stdlib.h>

#include "cmocka_all.h"

target test_where;

void test_succeed(clscan_status status, const clscan_error *error)
{
    if (status != CLSCAN_OK)
        fail_msg("%s %s", error->message, error->build_log);
}

int test_start_device(void **state)
{
    clscan_error error;

    (void)state;
    test_succeed(target_find(&test_where, getenv("CLSCAN_TEST_DEVICE"), NULL, &error), &error);
    test_succeed(target_start(&test_where, &error), &error);
    return 0;
}

int test_release_device(void **state)
{
    (void)state;
    target_release(&test_where);
    return 0;
}
