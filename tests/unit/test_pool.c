/* Programs that the plans of a context share, with programs that only count their references. */
#include <stdio.h>
#include <stdlib.h>

#include <CL/cl_icd.h>

#include "cmocka_all.h"
#include "program/pool.h"

/* What the OpenCL loader expects behind a handle. */
typedef struct fake_program {
    const struct _cl_icd_dispatch *dispatch;
    int references;
} fake_program;

static int retain_code = CL_SUCCESS;

static cl_int CL_API_CALL fake_retain(cl_program program)
{
    if (retain_code == CL_SUCCESS)
        ++((fake_program *)program)->references;
    return retain_code;
}

static cl_int CL_API_CALL fake_release(cl_program program)
{
    --((fake_program *)program)->references;
    return CL_SUCCESS;
}

static struct _cl_icd_dispatch dispatch;

enum { PROGRAMS = CLSCAN__POOL_CAPACITY + 3 };

static fake_program programs[PROGRAMS];
static clscan__key *keys[PROGRAMS];
static int contexts[2], devices[2];
#define CONTEXT(i) ((cl_context)(void *)&contexts[i])
#define DEVICE(i) ((cl_device_id)(void *)&devices[i])
#define PROGRAM(i) ((cl_program)(void *)&programs[i])

static int make_programs(void **state)
{
    (void)state;
    dispatch.clRetainProgram = fake_retain;
    dispatch.clReleaseProgram = fake_release;
    for (size_t i = 0; i < PROGRAMS; ++i) {
        char source[32];
        clscan__key_parts parts = {
#define X(name, title) .name = #name,
            CLSCAN__KEY_PART_LIST(X)
#undef X
        };

        snprintf(source, sizeof source, "%zu", i);
        parts.source = source;
        if (clscan__key_create(&parts, &keys[i], NULL) != CLSCAN_OK)
            return -1;
        programs[i] = (fake_program){&dispatch, 1};
    }
    return 0;
}

/* Nobody holds anything but the test itself. */
static int release_programs(void **state)
{
    (void)state;
    for (size_t i = 0; i < PROGRAMS; ++i) {
        if (programs[i].references != 1 || keys[i]->references != 1)
            return -1;
        clscan__key_release(keys[i]);
    }
    return 0;
}

static clscan__pool *open_pool(size_t context)
{
    clscan__pool *pool = NULL;

    assert_int_equal(clscan__pool_open(CONTEXT(context), &pool, NULL), CLSCAN_OK);
    return pool;
}

/* Is the program there? Gives it back at once. */
static int finds(clscan__pool *pool, size_t device, size_t i)
{
    cl_program found = clscan__pool_find(pool, DEVICE(device), keys[i]);

    if (found == NULL)
        return 0;
    assert_ptr_equal(found, PROGRAM(i));
    clReleaseProgram(found);
    return 1;
}

static void a_context_has_one_pool_while_it_has_plans(void **state)
{
    (void)state;
    clscan__pool *first = open_pool(0), *second = open_pool(0), *other = open_pool(1);

    assert_ptr_equal(first, second);
    assert_ptr_not_equal(first, other);
    clscan__pool_add(first, DEVICE(0), keys[0], PROGRAM(0));
    assert_true(finds(second, 0, 0));
    assert_false(finds(second, 1, 0)); /* built for another device */
    assert_false(finds(second, 0, 1));
    assert_false(finds(other, 0, 0));
    clscan__pool_close(first);
    assert_true(finds(second, 0, 0));
    clscan__pool_close(second);
    assert_int_equal(programs[0].references, 1);
    first = open_pool(0);
    assert_false(finds(first, 0, 0));
    clscan__pool_close(first);
    clscan__pool_close(other);
    clscan__pool_close(NULL);
}

static void a_program_is_remembered_once(void **state)
{
    (void)state;
    clscan__pool *pool = open_pool(0);

    clscan__pool_add(pool, DEVICE(0), keys[0], PROGRAM(0));
    clscan__pool_add(pool, DEVICE(0), keys[0], PROGRAM(1)); /* built at the same time by another thread */
    assert_true(finds(pool, 0, 0));
    assert_int_equal(programs[1].references, 1);
    clscan__pool_close(pool);
}

static void the_one_not_asked_for_longest_makes_room(void **state)
{
    (void)state;
    clscan__pool *pool = open_pool(0);

    for (size_t i = 0; i < CLSCAN__POOL_CAPACITY; ++i)
        clscan__pool_add(pool, DEVICE(0), keys[i], PROGRAM(i));
    assert_true(finds(pool, 0, 0));
    clscan__pool_add(pool, DEVICE(0), keys[CLSCAN__POOL_CAPACITY], PROGRAM(CLSCAN__POOL_CAPACITY));
    assert_true(finds(pool, 0, 0));
    assert_false(finds(pool, 0, 1));
    assert_int_equal(programs[1].references, 1);
    for (size_t i = 2; i <= CLSCAN__POOL_CAPACITY; ++i)
        assert_true(finds(pool, 0, i));
    clscan__pool_close(pool);
}

/* What cannot be retained is neither remembered nor given away. */
static void failing_retains_are_survived(void **state)
{
    (void)state;
    clscan__pool *pool = open_pool(0);

    clscan__pool_add(pool, DEVICE(0), keys[0], PROGRAM(0));
    retain_code = CL_OUT_OF_HOST_MEMORY;
    clscan__pool_add(pool, DEVICE(0), keys[1], PROGRAM(1));
    assert_null(clscan__pool_find(pool, DEVICE(0), keys[0]));
    retain_code = CL_SUCCESS;
    assert_true(finds(pool, 0, 0));
    assert_false(finds(pool, 0, 1));
    clscan__pool_close(pool);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_programs, release_programs)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_context_has_one_pool_while_it_has_plans),
        TEST(a_program_is_remembered_once),
        TEST(the_one_not_asked_for_longest_makes_room),
        TEST(failing_retains_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
