/* The lock that keeps two tuners from one device. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "files/lock.h"
#include "temporary_folder.h"

static const struct timespec moment = {.tv_nsec = 100000000};

static int set_up(void **state)
{
    char *folder = temporary_folder_create();

    setenv("XDG_RUNTIME_DIR", folder, 1);
    *state = folder;
    return 0;
}

static int tear_down(void **state)
{
    temporary_folder_remove(*state);
    return 0;
}

static int take(const char *key, size_t index)
{
    int descriptor = -1;
    bool busy = true;
    clscan_error error = {0};

    if (tune_lock_take(key, index, false, &busy, &descriptor, &error) != CLSCAN_OK)
        fail_msg("%s", error.message);
    assert_false(busy);
    return descriptor;
}

static void expect_busy(const char *key, size_t index)
{
    int descriptor = -1;
    bool busy = false;
    char pid[32];
    clscan_error error = {0};

    assert_int_equal(tune_lock_take(key, index, false, &busy, &descriptor, &error), CLSCAN_ERROR_FILE);
    assert_true(busy);
    assert_int_equal(descriptor, -1);
    snprintf(pid, sizeof pid, "%ld", (long)getpid());
    assert_non_null(strstr(error.message, pid)); /* says who */
    assert_non_null(strstr(error.message, key));
}

static void one_at_a_time_per_device(void **state)
{
    const int first = take("some-device", 0);

    (void)state;
    expect_busy("some-device", 0);
    tune_lock_release(take("some-device", 1));
    tune_lock_release(take("other-device", 0));
    expect_busy("some-device", 0);
    tune_lock_release(first);
    tune_lock_release(take("some-device", 0));
}

static void a_second_one_can_wait(void **state)
{
    const int first = take("some-device", 0);
    int descriptor = -1, status;
    bool busy;
    pid_t child;

    (void)state;
    child = fork();
    if (child == 0) {
        close(first); /* a lock belongs to what was opened, and fork() shares that */
        _exit(tune_lock_take("some-device", 0, true, &busy, &descriptor, NULL) == CLSCAN_OK ? 0 : 1);
    }
    nanosleep(&moment, NULL);
    assert_int_equal(waitpid(child, &status, WNOHANG), 0);
    tune_lock_release(first);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void programs_that_are_executed_do_not_hold_it(void **state)
{
    const int first = take("some-device", 0);
    const pid_t child = fork();

    (void)state;
    if (child == 0) {
        execl("/bin/sleep", "sleep", "1000", (char *)NULL);
        _exit(1);
    }
    nanosleep(&moment, NULL);
    tune_lock_release(first);
    tune_lock_release(take("some-device", 0));
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

static void without_a_runtime_folder_it_is_in_the_cache(void **state)
{
    char *path = temporary_folder_path(*state, "clscan/clscan-tune-some-device-0.lock");
    char *inner = temporary_folder_path(*state, "clscan");
    struct stat found;

    unsetenv("XDG_RUNTIME_DIR");
    setenv("XDG_CACHE_HOME", *state, 1);
    tune_lock_release(take("some-device", 0));
    assert_int_equal(stat(path, &found), 0);
    remove(path);
    remove(inner);
    free(path);
    free(inner);
}

static void a_folder_that_is_not_there_is_named(void **state)
{
    int descriptor = -1;
    bool busy = true;
    clscan_error error = {0};

    (void)state;
    setenv("XDG_RUNTIME_DIR", "/no/such/folder", 1);
    assert_int_equal(tune_lock_take("some-device", 0, false, &busy, &descriptor, &error), CLSCAN_ERROR_FILE);
    assert_false(busy);
    assert_non_null(strstr(error.message, "/no/such/folder"));
}

int main(void)
{
#define WITH_FOLDER(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(one_at_a_time_per_device),
        WITH_FOLDER(a_second_one_can_wait),
        WITH_FOLDER(programs_that_are_executed_do_not_hold_it),
        WITH_FOLDER(without_a_runtime_folder_it_is_in_the_cache),
        WITH_FOLDER(a_folder_that_is_not_there_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
