/* Temporary files: what was left is removed, and nothing else. */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "command_line/partial_file.h"
#include "temporary_folder.h"

static clscan_error last_error;

/* A partial file beside `temporary_file.path`. */
static partial_file create(void)
{
    partial_file file;

    assert_int_equal(partial_file_create(&file, temporary_file.path, "OUT", NULL, &last_error), CLSCAN_OK);
    return file;
}

static bool exists(const char *path)
{
    struct stat about;

    return lstat(path, &about) == 0;
}

/* The path of one that a process left which ended at once; the caller frees it. */
static char *leave_one(void)
{
    int pipe_ends[2];
    char path[4096];
    ssize_t length;
    int ended;
    pid_t child;

    assert_int_equal(pipe(pipe_ends), 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        partial_file file;

        if (partial_file_create(&file, temporary_file.path, "OUT", NULL, &last_error) == CLSCAN_OK &&
            write(pipe_ends[1], file.path, strlen(file.path)) > 0)
            kill(getpid(), SIGKILL);
        _exit(1);
    }
    close(pipe_ends[1]);
    length = read(pipe_ends[0], path, sizeof path - 1);
    assert_true(length > 0);
    path[length] = '\0';
    close(pipe_ends[0]);
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFSIGNALED(ended));
    assert_true(exists(path));
    return strdup(path);
}

static void what_was_left_is_removed(void **state)
{
    char *first = leave_one();
    char *second = leave_one();
    partial_file file;

    (void)state;
    assert_false(exists(first)); /* by the process that left the second */
    file = create();
    assert_false(exists(second));
    assert_true(exists(file.path));
    partial_file_discard(&file);
    free(first);
    free(second);
}

static void what_is_being_written_stays(void **state)
{
    partial_file one = create();
    partial_file other = create();

    (void)state;
    assert_true(exists(one.path));
    assert_int_equal(write(one.descriptor, "1234", 4), 4);
    assert_int_equal(partial_file_commit(&one, temporary_file.path, "OUT", &last_error), CLSCAN_OK);
    assert_null(one.path);
    assert_true(exists(temporary_file.path));
    assert_true(exists(other.path));
    partial_file_discard(&other);
    partial_file_discard(&one);
    assert_true(exists(temporary_file.path));
}

/* While a rename is due, the file is closed. */
static void what_is_closed_and_not_yet_renamed_stays(void **state)
{
    partial_file one = create();
    partial_file other;

    (void)state;
    close(one.descriptor);
    one.descriptor = -1;
    other = create();
    assert_true(exists(one.path));
    partial_file_discard(&other);
    partial_file_discard(&one);
}

static void what_is_the_users_stays(void **state)
{
    static const char *const names[] = {
        ".clscan-0123456789abcdef-0123456789abcdef", /* not of this machine */
        ".clscan-",
        ".clscan-backup",
        "OUT.partial-abcdef",
    };
    char *left = leave_one();
    char *longer = malloc(strlen(left) + 2);
    char *shared = malloc(strlen(left) + 8);
    partial_file file;

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        temporary_folder_write(temporary_file.folder, names[i], "mine", 4);
    strcat(strcpy(longer, left), "~");
    assert_int_equal(rename(left, longer), 0); /* kept, under a name of the user's */
    free(left);
    left = leave_one();
    strcat(strcpy(shared, left), ".link");
    assert_int_equal(link(left, shared), 0); /* kept by a second name */
    file = create();
    partial_file_discard(&file);
    assert_true(exists(longer));
    assert_true(exists(shared) && exists(left));
    unlink(left);
    assert_int_equal(symlink(shared, left), 0); /* the right name, but no file */
    file = create();
    partial_file_discard(&file);
    assert_true(exists(left) && exists(shared));
    unlink(left);
    assert_int_equal(mkdir(left, 0700), 0);
    file = create();
    partial_file_discard(&file);
    assert_true(exists(left));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        char *path = temporary_folder_path(temporary_file.folder, names[i]);

        assert_true(exists(path));
        free(path);
    }
    free(left);
    free(longer);
    free(shared);
}

/* Who joins writes, and neither names the file nor removes it. */
static void what_is_joined_is_the_other_ones(void **state)
{
    partial_file one = create();
    partial_file joined, failed;
    char text[8] = "";
    FILE *written;

    (void)state;
    assert_int_equal(partial_file_join(&failed, one.path, "OUT", &last_error), CLSCAN_OK);
    partial_file_discard(&failed);
    assert_true(exists(one.path));
    assert_int_equal(partial_file_join(&joined, one.path, "OUT", &last_error), CLSCAN_OK);
    assert_int_equal(pwrite(joined.descriptor, "5678", 4, 4), 4);
    assert_int_equal(write(one.descriptor, "1234", 4), 4);
    assert_int_equal(partial_file_commit(&joined, NULL, "OUT", &last_error), CLSCAN_OK);
    assert_null(joined.path);
    assert_true(exists(one.path));
    assert_int_equal(partial_file_commit(&one, temporary_file.path, "OUT", &last_error), CLSCAN_OK);
    written = fopen(temporary_file.path, "rb");
    assert_non_null(written);
    assert_int_equal(fread(text, 1, sizeof text, written), sizeof text);
    assert_memory_equal(text, "12345678", sizeof text);
    fclose(written);
    assert_int_equal(partial_file_join(&joined, "/no/such/file", "OUT", &last_error), CLSCAN_ERROR_FILE);
    assert_non_null(strstr(last_error.message, "OUT"));
    assert_null(joined.path);
}

static void the_longest_name_is_written(void **state)
{
    char name[256];
    char *target;
    partial_file file;

    (void)state;
    memset(name, 'x', 255);
    name[255] = '\0';
    target = temporary_folder_path(temporary_file.folder, name);
    assert_int_equal(partial_file_create(&file, target, "OUT", NULL, &last_error), CLSCAN_OK);
    assert_int_equal(partial_file_commit(&file, target, "OUT", &last_error), CLSCAN_OK);
    assert_true(exists(target));
    free(target);
}

/* The path is there for a signal handler while there is a file, and no longer. */
static void the_doomed_path_is_told(void **state)
{
    static char *volatile doomed;
    partial_file file;

    (void)state;
    assert_int_equal(partial_file_create(&file, temporary_file.path, "OUT", &doomed, &last_error), CLSCAN_OK);
    assert_ptr_equal(doomed, file.path);
    partial_file_discard(&file);
    assert_null(doomed);
    assert_int_equal(partial_file_create(&file, temporary_file.path, "OUT", &doomed, &last_error), CLSCAN_OK);
    assert_int_equal(partial_file_commit(&file, temporary_file.path, "OUT", &last_error), CLSCAN_OK);
    assert_null(doomed);
}

static void a_folder_that_is_not_there_is_told(void **state)
{
    static char *volatile doomed;
    partial_file file;

    (void)state;
    assert_int_equal(partial_file_create(&file, "/no/such/folder/OUT", "OUT", &doomed, &last_error), CLSCAN_ERROR_FILE);
    assert_non_null(strstr(last_error.message, "OUT"));
    assert_null(file.path);
    assert_null(doomed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        temporary_file_test(what_was_left_is_removed, "out"),
        temporary_file_test(what_is_being_written_stays, "out"),
        temporary_file_test(what_is_closed_and_not_yet_renamed_stays, "out"),
        temporary_file_test(what_is_the_users_stays, "out"),
        temporary_file_test(what_is_joined_is_the_other_ones, "out"),
        temporary_file_test(the_longest_name_is_written, "out"),
        temporary_file_test(the_doomed_path_is_told, "out"),
        cmocka_unit_test(a_folder_that_is_not_there_is_told),
    };

    return cmocka_run_group_tests_name("partial files", tests, NULL, NULL);
}
