/* A library that is loaded, used and unloaded leaves nothing behind. CLSCAN_TEST_LIBRARY names it. */
#include <dlfcn.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include <clscan/clscan.h>

#include "cmocka_all.h"

/* ISO C has no cast from a data pointer to a function pointer. */
static void find(void *library, const char *name, void *function)
{
    void *found = dlsym(library, name);

    assert_non_null(found);
    memcpy(function, &found, sizeof found);
}

/* Parse all configs and keep settings, as plans do. */
static void use(void *library)
{
    static const clscan_device_info device = {
        .struct_size = sizeof device, .mechanism = CLSCAN_MECHANISM_ATOMIC32, .progress = CLSCAN_PROGRESS_UNKNOWN};
    static const clscan_cache_options options = {
        .struct_size = sizeof options, .mode = CLSCAN_CACHE_ON, .folder = "/nonexistent"};
    static const clscan_problem problem = {.struct_size = sizeof problem, .type = CLSCAN_INT32, .op = CLSCAN_ADD};
    clscan_status (*explain)(const clscan_config *, const clscan_device_info *, const clscan_problem *, uint64_t, int,
                             clscan_choice *, clscan_error *);
    clscan_status (*set)(const clscan_cache_options *, clscan_error *);
    clscan_choice choice = {.struct_size = sizeof choice};

    find(library, "clscan_config_explain", &explain);
    find(library, "clscan_cache_set", &set);
    assert_int_equal(explain(NULL, &device, &problem, 1000, 0, &choice, NULL), CLSCAN_OK);
    assert_int_equal(set(&options, NULL), CLSCAN_OK);
}

static void unloading_gives_all_memory_back(void **state)
{
    (void)state;
    enum { WARM_UP = 3, ROUNDS = 20 };
    const char *path = getenv("CLSCAN_TEST_LIBRARY");
    size_t before_bytes = 0;

    if (path == NULL)
        skip();
    for (int round = 0; round < WARM_UP + ROUNDS; ++round) {
        void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);

        if (round == WARM_UP)
            before_bytes = mallinfo2().uordblks;
        assert_non_null(library);
        use(library);
        assert_int_equal(dlclose(library), 0);
        assert_null(dlopen(path, RTLD_NOW | RTLD_NOLOAD)); /* it is gone */
    }
    /* Parsed configs are 20 KB. The allocator and the loader keep some of what they got back. */
    assert_true(mallinfo2().uordblks < before_bytes + ROUNDS * 2048);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unloading_gives_all_memory_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
