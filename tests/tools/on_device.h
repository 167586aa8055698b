/* The device for tests of the command's parts that need one. */
#ifndef CLSCAN_TESTS_ON_DEVICE_H
#define CLSCAN_TESTS_ON_DEVICE_H

#include "target.h"

/* What CLSCAN_TEST_DEVICE selects, between the two functions. */
extern target test_where;

/* cmocka group fixture. */
int test_start_device(void **state);
int test_release_device(void **state);

/* Fail the test with the error's message unless the status is CLSCAN_OK. */
void test_succeed(clscan_status status, const clscan_error *error);

#endif
