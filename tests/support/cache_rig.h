/* The program cache in a folder of the test's own, and a small plan to see what it does. */
#ifndef CLSCAN_TESTS_CACHE_RIG_H
#define CLSCAN_TESTS_CACHE_RIG_H

#include <clscan/clscan.h>

enum { TEST_SUM_COUNT = 3000 };

/* Without waiting, and so right in place too: a plan has one program. */
extern const clscan_variant test_small;
extern const clscan_plan_options test_plain; /* with that variant */
extern const clscan_problem test_sum;

/* NULL before test_cache_setup(). That and its end are cmocka's; in between the cache is on, whatever the environment
 * says, except for "off". */
extern char *test_cache_folder;
int test_cache_setup(void **state);
int test_cache_teardown(void **state);

void test_cache_set_mode(clscan_cache_mode mode);

/* What the process did since the last call. */
clscan_cache_counters test_cache_happened(void);

#endif
