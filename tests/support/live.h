/* A live OpenCL device for a test program, and the loop around cases that most device tests share.
 */
#ifndef CLSCAN_TESTS_LIVE_H
#define CLSCAN_TESTS_LIVE_H

#include <stddef.h>

#include <clscan/clscan.h>

#include "case.h"

/** The device that CLSCAN_TEST_DEVICE selects (clscan_device_find()), with a context and a queue.
 */
typedef struct test_live {
    cl_context context;
    cl_device_id device;
    cl_command_queue queue; /* in-order */
    clscan_device_info info;
} test_live;

/* cmocka group fixture: *state becomes a test_live. Prints the device. */
int test_live_setup(void **state);
int test_live_teardown(void **state);

/** An out-of-order queue, or an in-order one where the device has no other. Release it. */
cl_command_queue test_out_of_order_queue(const test_live *live);

/** Prepare a case fixture or fail the test with the library's message. */
void test_prepare(const test_live *live, const clscan_problem *problem, const clscan_sample_operator *sample,
                  const clscan_plan_options *options, clscan_case_fixture *fixture);

/** The same, but print the message and give it back, for tests that go on. */
clscan_status test_try_prepare(const test_live *live, const clscan_problem *problem,
                               const clscan_sample_operator *sample, const clscan_plan_options *options,
                               clscan_case_fixture *fixture);

/** Run a case. \return 0 if it is right, else 1 after printing its line. */
unsigned test_case(const clscan_case_fixture *fixture, const clscan_case *test);

/** A problem of a built-in operator. */
clscan_problem test_problem(clscan_type type, clscan_operator op, clscan_form form, clscan_direction direction,
                            uint64_t max_count);

/** A problem of a sample operator, which must exist for the type. */
clscan_problem test_custom_problem(clscan_type type, const clscan_sample_operator *sample, clscan_form form,
                                   clscan_direction direction, uint64_t max_count);

/** A problem of a sample operator, or of \p op where that is NULL. */
clscan_problem test_sample_problem(clscan_type type, clscan_operator op, const clscan_sample_operator *sample,
                                   clscan_form form, clscan_direction direction, uint64_t max_count);

/** Does the device run this type? (clscan_device_check_type()) */
int test_type_runs(const test_live *live, clscan_type type);

/** Does its arithmetic keep subnormal numbers of `float`, as reproducible plans need it? */
int test_keeps_subnormals(const test_live *live);

/** May this mechanism be forced here? The conditions are those of plans, by what the device says of itself. */
int test_mechanism_may_run(const test_live *live, clscan_mechanism mechanism);

/** A variant whose work-groups wait for each other, with small tiles. */
extern const clscan_variant test_waiting;

/** Do the tables let work-groups of this device wait? */
int test_may_wait(const test_live *live);

/** Number from the environment, or the fallback. */
unsigned long test_number(const char *name, unsigned long fallback);

/** Are all cases wanted (CLSCAN_TEST_THOROUGH), or those that show as much as a few minutes allow? */
int test_thorough(void);

/** Is case `i` run: each where all are wanted, else one of so many, since each compiles kernels of its own. */
int test_takes(size_t i, size_t of);

/** Every how many cases one is run: each where all are wanted, but on a CPU, whose compiler takes up to half a minute a
 * program, one of so many `on_cpus`; and else one of so many. */
size_t test_case_step(const test_live *live, size_t on_cpus, size_t otherwise);

/** clCreateBuffer, filled with `bytes` of `data` (may be NULL); fails the test on an error. */
cl_mem test_buffer(const test_live *live, cl_mem_flags flags, size_t bytes, const void *data);

/** Three unsigned integers of `bytes` bytes each, 4 or 8, the second of which is a count for a run. Release it. */
cl_mem test_count(const test_live *live, uint64_t count, uint64_t bytes);

/** A plan, and a workspace of it that is bound to the queue; fails the test with the library's message. */
void test_plan_create(const test_live *live, const clscan_problem *problem, const clscan_plan_options *options,
                      clscan_plan **plan, clscan_workspace **workspace);

/** Blocking write; fails the test on an error. */
void test_write(const test_live *live, cl_mem buffer, const void *data, size_t bytes);

/** Blocking read; fails the test on an error. */
void test_read(const test_live *live, cl_mem buffer, size_t bytes, void *data);

/** Input and output of scans, and what they hold on the host, each of so many bytes. */
typedef struct test_arrays {
    size_t bytes;
    cl_mem in, out;
    void *input, *before; /* of in and out when a run begins: what the test fills in, and bytes of 0x5a */
    void *got, *expected;
} test_arrays;

void test_arrays_create(const test_live *live, size_t bytes, test_arrays *arrays);

/** Put input and before into the buffers. */
void test_arrays_write(const test_live *live, const test_arrays *arrays);

void test_arrays_release(test_arrays *arrays);

/** Assert a status, and print the error's message if it is another one. */
#define assert_status(expected, call, error) test_assert_status((expected), (call), #call, (error), __FILE__, __LINE__)
void test_assert_status(clscan_status expected, clscan_status got, const char *call, const clscan_error *error,
                        const char *file, int line);

/** Assert CL_SUCCESS. */
#define assert_cl(call) test_assert_cl((call), #call, __FILE__, __LINE__)
void test_assert_cl(cl_int got, const char *call, const char *file, int line);

#endif
